"""Remove everything that is not content: invisible parts, navigation, probable page frames, related content.

`remove_unseen` and `remove_boilerplate` prepare every tree. The selection applies `probable_boilerplate` and `related_content` to pages
without better markup. Anchors of removed permalinks stay with their headings. Cookie consent dialogs are not part of a page, however long
they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.characters import collapse, word_set
from app.extract.code_views import simplify_code
from app.extract.hidden import hidden_elements, read_hiding
from app.extract.signs import is_in_sentence, name_icons
from app.extract.tree import (
    HEADINGS,
    body_of,
    by_attribute,
    elements,
    has_class,
    holds,
    link_share,
    parse,
    strings,
    text_size,
)
from app.extract.writer.notices import notice_label
from app.paths import asset_table
from app.text.wordings import wording

_FRAME: Final = "<!doctype html><html><head><title></title></head><body>{}</body></html>"
_CONTENT_WORDS: Final = 100
_CONTENT_SHARE: Final = 0.5
_NESTED_TERMS: Final = elements("//dt/dt | //dt/dd")
_CONTENTS: Final = ("div", "ul", "section", "aside", "details")
_CONTENTS_IDS: Final = frozenset({"toc", "markdown-toc"})
_CONTENTS_NAME: Final = re.compile(r"(?:^|\s)contents(?:\s|$)|(?:^|[\s_-])toc(?:[\s_-]|$)")
_NEVER_TEXT: Final = word_set("style template iframe object embed canvas audio video select textarea datalist noembed")
_PERHAPS_TEXT: Final = ("script", "dialog", "input", "button", "svg")
_TEXT_BLOCKS: Final = ("p", "li", "td", "dd", "pre")
_LABELS: Final = ("h2", "h3", "h4", "dt", "summary")
_LANGUAGE_SIGNS: Final = elements("//div[contains(@class, 'language-')]/span[@class='lang']")
_MIN_QUESTION_SPACES: Final = 3
_ROLES: Final = word_set("navigation search dialog alertdialog menu menubar tooltip toolbar contentinfo")
_MAX_BOILERPLATE_SHARE: Final = 0.5
_ALWAYS: Final = word_set(asset_table("pages.toml")["classes"]["never_content"])
_HEADING_LINKS: Final = elements(
    "//a[contains(@href, '#')][parent::h1 or parent::h2 or parent::h3 or parent::h4 or parent::h5"
    " or parent::h6 or parent::dt or contains(@class, 'anchor') or contains(@class, 'mark') or contains(@class, 'link')]"
)
_KEYED_LINKS: Final = elements(
    "//div[@class='header' or @class='nav-panel'][.//a[@accesskey='n' or @accesskey='p' or @accesskey='u']]"
)
"""The line of links to neighboring chapters that Texinfo puts before each section."""
_FRAMES: Final = ("aside", "footer", "div", "section", "ul", "ol", "table", "p", "header", "form", "dl", "dd")
_NAVIGATION: Final = wording("pages.toml", "parts_of_pages", "navigation")
_PROBABLE: Final = wording("pages.toml", "parts_of_pages", "probable")
_FORUM_FURNITURE: Final = word_set(asset_table("pages.toml")["classes"]["around_posts"])
"""The elements that forum software puts around each post: counts, ranks, buttons."""
_ROLE_HEADINGS: Final = elements("//div[@role='heading'] | //p[@role='heading']")
_HAS_TITLE: Final = holds(".//h1")
_IS_CONTENT: Final = holds(
    "ancestor::pre | self::footer/ancestor::blockquote | self::table[.//th and .//td and not(.//a[@href])]"
    f" | self::aside[{has_class('onebox')} or {has_class('quote')}]"
)
_IS_NOTE: Final = holds("self::aside[p or blockquote][not(@role) and not(.//h1 or .//h2 or .//h3 or .//h4 or .//form)]")
_FLOW: Final = frozenset({"p", "pre", "ul", "ol", "blockquote", "h2", "h3"})
_MAX_BUTTONS: Final = 8  # A cell with more buttons is a toolbar.
_MAX_CONTENT_LINKS: Final = 0.25
_MAX_CODES: Final = 200  # The limit for one element: names are checked in elements inside each other.
_PLAIN_TEXTS: Final = strings(".//text()[not(ancestor::a)]")
_MIN_PROSE_SPACES: Final = 10
_MIN_PROSE_SHARE: Final = 0.3
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAX_PROBABLE_SHARE: Final = 0.25
"""A part with more of the text than this is content, regardless of its name: names of page frames often mention their sides."""
_NOT_WORD: Final = re.compile(r"[\W_]+")
_SECTION: Final = re.compile(r"section (?:level\d)?|(?:section|div) section(?: level\d)?")
_HEADINGS_IN: Final = elements(
    ".//*[self::h1 or self::h2 or self::h3 or self::h4 or self::h5 or self::h6 or @role='heading']"
)
_LEADS_AWAY: Final = wording("pages.toml", "parts_of_pages", "leads_away")
_MAX_HEADING_CHARS: Final = 80
_MIN_RELATED_LINK_SHARE: Final = 0.25
_MAX_RELATED_SHARE: Final = 0.25  # A part with more of the text than this is content, regardless of its heading.


_SHADOW_ROOTS: Final = elements(".//template[@shadowrootmode or @shadowroot]")
"""Browsers show these templates instead of the children of the surrounding element."""


def remove_unseen(tree: HtmlElement) -> None:
    """Remove parts that are not shown to a reader."""
    for root in _SHADOW_ROOTS(tree):
        root.tag = "div"
    simplify_code(tree)
    for heading in _ROLE_HEADINGS(tree):
        level = heading.get("aria-level") or ""
        heading.tag = f"h{level if level in tuple('123456') else 2}"
    hiding = read_hiding(tree)
    drop(consent_dialogs(tree))
    name_icons(tree, hiding)
    drop(never_text(tree))
    drop(hidden_elements(tree, hiding))
    for ruby in list(tree.iter("ruby")):
        # The readings of all signs follow the whole word, so that the word can be found.
        reading = "".join(part.text_content().strip() for part in ruby.iter("rt"))
        drop(list(ruby.iter("rt", "rp", "rtc")))
        if reading:
            etree.SubElement(ruby, "span").text = f"({reading})"
    fallbacks = list(tree.iter("noscript"))
    whole = text_size(tree) if fallbacks else 0
    for fallback in fallbacks:
        # The text of the page rather than a hint to enable scripts.
        if len(fallback.text_content().split()) >= _CONTENT_WORDS and text_size(fallback) >= _CONTENT_SHARE * whole:
            fallback.tag = "div"
        else:
            drop((fallback,))


def shown_body(markup: str) -> HtmlElement:
    """Return the body of HTML that was made from another format, without parts that are not shown to a reader."""
    tree = parse(_FRAME.format(markup))
    remove_unseen(tree)
    return body_of(tree)


def remove_boilerplate(tree: HtmlElement) -> None:
    """Remove navigation and similar parts; the targets of permalinks stay with their headings."""
    for inner in reversed(_NESTED_TERMS(tree)):  # libxml2 nests unclosed `dt` elements
        inner.getparent().addnext(inner)
    marks = list(permalinks(tree))
    named = (*HEADINGS, "dt")
    beside = {parent: next(parent.iterchildren(*named), None) for parent in {link.getparent() for link in marks}}
    for link in marks:
        target = (link.get("href") or "").partition("#")[2]
        holders = islice(link.iterancestors(), 2)
        owner = next((node for node in holders if node.tag in named), beside[link.getparent()])
        if owner is not None and target and not owner.get("id"):
            owner.set("data-anchor", target)
    drop(marks)
    drop(boilerplate(tree))
    drop(part for part in tree.iter(*_CONTENTS) if _is_table_of_contents(part))


def drop(elements: Iterable[HtmlElement]) -> None:
    """Remove elements, but not the text after them. Of neighbors, it is moved once: one by one, that takes quadratic time."""
    gone = dict.fromkeys(elements)
    for element in gone:
        if (parent := element.getparent()) is None:
            continue
        before = list(takewhile(gone.__contains__, element.itersiblings(preceding=True)))
        run = [*reversed(before), element, *takewhile(gone.__contains__, element.itersiblings())]
        text, previous = "".join(each.tail or "" for each in run), run[0].getprevious()
        for each in run:
            each.tail = None
            parent.remove(each)
        if previous is not None:
            previous.tail = (previous.tail or "") + text or None
        else:
            parent.text = (parent.text or "") + text or None


def _is_table_of_contents(part: HtmlElement) -> bool:
    """Whether a part is named a table of contents and links only to places in the same page."""
    if part.get("id") not in _CONTENTS_IDS and not _CONTENTS_NAME.search(part.get("class") or ""):
        return False
    targets = [link.get("href") for link in part.iter("a")]
    pages = {target.partition("#")[0] for target in targets if target}
    return len(pages) == 1 and all("#" in (target or "#") for target in targets)


def never_text(tree: HtmlElement) -> Iterator[HtmlElement]:
    """Yield elements without text for readers: scripts, drawings, form controls."""
    yield from tree.iter(*_NEVER_TEXT)
    yield from (element for element in tree.iter(*_PERHAPS_TEXT) if not _is_text(element))
    yield from _LANGUAGE_SIGNS(tree)


def _is_text(element: HtmlElement) -> bool:
    """Whether the element is text after all: a script with a formula, an open dialog, an input that ticks an item, a heading button, a
    label with a question, a button in a table or a sentence.
    """
    if element.tag == "script":
        return (element.get("type") or "").startswith("math/")
    if element.tag == "dialog":
        return element.get("open") is not None
    if element.tag == "input":
        if next(element.iterancestors("td", "th"), None) is not None:
            return element.get("type") in ("checkbox", "radio")
        is_state = element.get("disabled") is not None or next(element.iterancestors("li"), None) is not None
        return element.get("type") == "checkbox" and is_state
    if element.tag == "svg" or _has_content(element):
        return _has_content(element)
    if element.get("role") == "tab" or next(element.iterancestors(*_LABELS), None) is not None:
        return True
    if next(element.iterancestors("pre"), None) is None and (_is_in_cell(element) or is_in_sentence(element)):
        return True
    is_opener = element.get("aria-expanded") is not None or element.get("aria-controls") is not None
    return is_opener and collapse(element.text_content()).count(" ") >= _MIN_QUESTION_SPACES


def _is_in_cell(button: HtmlElement) -> bool:
    """Whether a button is the text of its table cell: a heading that sorts, a value that opens details."""
    cell = next(button.iterancestors("td", "th"), None)
    buttons = list(islice(cell.iter("button"), _MAX_BUTTONS + 1)) if cell is not None else []
    return 0 < len(buttons) <= _MAX_BUTTONS and text_size(cell) == sum(map(text_size, buttons))


def _has_content(element: HtmlElement) -> bool:
    """Whether a button or drawing without an end tag contains the rest of the page."""
    if next(element.iterancestors(element.tag), None) is not None:
        return True  # The outer one decides.
    words = 0
    for block in element.iterdescendants(*_TEXT_BLOCKS):
        if next(block.iterancestors("foreignobject"), None) is None:
            words += len((block.text or "").split())
            if words >= _CONTENT_WORDS:
                return True
    return False


def boilerplate(tree: HtmlElement) -> Iterator[HtmlElement]:
    """Yield elements that are never content, by tag, role and the class names of common generators."""
    limit = _MAX_BOILERPLATE_SHARE * text_size(tree)
    having = by_attribute(tree, ("role", "class"))
    candidates = [*tree.iter("nav"), *_KEYED_LINKS(tree)]
    candidates += [element for element in having["role"] if element.get("role") in _ROLES and element.tag != "body"]
    candidates += [element for element in having["class"] if not _ALWAYS.isdisjoint(element.get("class", "").split())]
    for element in candidates:
        if text_size(element) <= limit or link_share(element) > _MAX_BOILERPLATE_SHARE:
            yield element


def permalinks(tree: HtmlElement) -> Iterator[HtmlElement]:
    """Yield links that only mark a heading or a term as a target (`¶`, `#`)."""
    for link in _HEADING_LINKS(tree):
        text = collapse(link.text_content())
        if "headerlink" in (link.get("class") or "") or (len(text) <= 3 and not any(map(str.isalnum, text))):
            yield link


def probable_boilerplate(roots: Sequence[HtmlElement]) -> Iterator[HtmlElement]:
    """Yield parts that are probably not content: sidebars, footers, typical class names and ids."""
    limit = _MAX_PROBABLE_SHARE * sum(map(text_size, roots))
    for element in (part for root in roots for part in root.iterdescendants(*_FRAMES)):
        names = f"{element.get('class') or ''} {'' if _is_section(element) else element.get('id') or ''}"
        is_side = element.tag in ("aside", "footer") or _has_side_name(names)
        if not is_side and len(names) > 1 and _NAVIGATION.search(split_names(names)):
            # A part that consists of sentences rather than links is not navigation.
            runs = (text for text in _PLAIN_TEXTS(element) if text.strip().count(" ") >= _MIN_PROSE_SPACES)
            prose = sum(len("".join(run.split())) for run in runs)
            is_side = prose < _MIN_PROSE_SHARE * text_size(element)
        if is_side and not is_marked_content(element) and text_size(element) <= limit:
            yield element


def _is_section(element: HtmlElement) -> bool:
    """Whether docutils, Sphinx or Pandoc named a part after its heading, such as `cookies` or `login`."""
    if not _SECTION.fullmatch(f"{element.tag} {element.get('class') or ''}"):
        return False
    heading = next(element.iterchildren(*HEADINGS), None)
    name = element.get("id") or ""
    return heading is not None and _NOT_WORD.sub("-", heading.text_content().lower()).strip("-").endswith(name.lower())


def is_marked_content(element: HtmlElement) -> bool:
    """Whether an element is a notice, contains the title, is mostly code or a data table, is the source of a quotation or an aside
    between paragraphs, regardless of its name.
    """
    if notice_label(element.get("class") or "") is not None or _HAS_TITLE(element) or _IS_CONTENT(element):
        return True
    codes = sum(map(text_size, islice(element.iter("code"), _MAX_CODES)))
    is_code = 0 < text_size(element) <= 2 * codes or next(element.iter("pre"), None) is not None
    return (is_code or _is_note(element)) and link_share(element) <= _MAX_CONTENT_LINKS


def _is_note(element: HtmlElement) -> bool:
    """Whether an element is an aside between the paragraphs of a text."""
    before, after = element.getprevious(), element.getnext()
    is_inside = before is not None and before.tag in _FLOW and (after is None or after.tag in _FLOW)
    return is_inside and _IS_NOTE(element)


def split_names(names: str) -> str:
    """Return class names and ids with hyphens before capitals that begin a word (`authorBox`)."""
    return _CAMEL.sub("-", names)


@lru_cache(maxsize=8192)
def _has_side_name(names: str) -> bool:
    if len(names) < 2:
        return False
    return not _FORUM_FURNITURE.isdisjoint(names.split()) or bool(_PROBABLE.search(split_names(names)))


def related_content(roots: Sequence[HtmlElement]) -> Iterator[HtmlElement]:
    """Yield the largest part that each such heading introduces, if much of its text is links."""
    limit = _MAX_RELATED_SHARE * sum(map(text_size, roots))
    for heading in (heading for root in roots for heading in _HEADINGS_IN(root)):
        if not _leads_away(collapse(heading.text_content()).rstrip(":…. ")):
            continue
        part = heading
        while (parent := part.getparent()) is not None and parent not in roots:
            if not _begins_with(parent, part) or text_size(parent) > limit:
                break
            part = parent
        linked = link_share(part) * text_size(part)
        if part is not heading and linked >= _MIN_RELATED_LINK_SHARE * (text_size(part) - text_size(heading)):
            yield part


def _begins_with(parent: HtmlElement, part: HtmlElement) -> bool:
    if (parent.text or "").strip():
        return False
    for child in parent:
        if child is part:
            return True
        if text_size(child) or (child.tail or "").strip():
            return False
    return False


@lru_cache(maxsize=4096)
def _leads_away(heading: str) -> bool:
    return len(heading) <= _MAX_HEADING_CHARS and bool(_LEADS_AWAY.fullmatch(heading))


_PRODUCTS: Final = wording("pages.toml", "parts_of_pages", "products")
"""The prefixes of ids and classes of common consent tools."""
_SUBJECT: Final = re.compile(r"cookie|consent|gdpr|dsgvo|privacy|datenschutz", re.IGNORECASE)
_ABOUT: Final = (
    "cookie", "クッキー", "쿠키", "куки", "personal data", "personenbezogen", "datenschutz", "données personnelles",
    "datos personales",
)  # fmt: skip
"""Lower-case words. Every page is searched for them, and plain words are fifty times as fast as a pattern."""
_AGREES: Final = wording("pages.toml", "parts_of_pages", "agrees")
_PAGE_PARTS: Final = ("main", "article")
_HEADED_PARTS: Final = (*_PAGE_PARTS, "h1")
_CHOICES: Final = elements(
    ".//button|.//a|.//input|.//*[@role='button' or contains(@class, 'btn') or contains(@class, 'button')]"
)
_DIALOGS: Final = ("dialog", "alertdialog")
_NAMED: Final = elements(
    ".//*[@id or @class or @aria-label or self::dialog or @role='dialog' or @role='alertdialog' or contains(name(), '-')]"
)
_WRAPPERS: Final = 4
"""The number of elements around the whole page, as frameworks create them, that are treated like its body."""
_NOWHERE: Final = ("", "#")
_MAX_LABEL_CHARS: Final = 120
MAX_DIALOG_CHARS: Final = 20_000
"""The size of a dialog with all its lists of partners; a longer text is a page about cookies."""
MAX_CHARS_LOOKED_AT: Final = 4_000_000
"""The limit over all elements of a page: nested elements would be read once for each level."""


def consent_dialogs(tree: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the outermost elements that only ask for consent. Call it while the buttons are present."""
    root = body_of(tree)
    if not _mentions_consent(root.text_content()):
        return
    asking: set[HtmlElement] = set()
    left = MAX_CHARS_LOOKED_AT
    parts = [*_outer_parts(root), *(each for each in _NAMED(root) if _is_dialog(each) or _is_named(_names(each)))]
    for element in dict.fromkeys(parts):
        if asking and not asking.isdisjoint(element.iterancestors()):
            continue
        text = element.text_content()
        left -= len(text) + 1
        if left < 0:
            return
        # It mentions cookies, lets a reader agree, and does not contain a part of the page itself.
        page_parts = _PAGE_PARTS if _is_dialog(element) else _HEADED_PARTS
        if (
            len(text) <= MAX_DIALOG_CHARS
            and _mentions_consent(text)
            and next(element.iter(*page_parts), None) is None
            and (_PRODUCTS.search(_names(element)) or any(map(_agrees, _CHOICES(element))))
        ):
            asking.add(element)
            yield element


def _agrees(choice: HtmlElement) -> bool:
    """Whether this button or link accepts. A link to another page does not: texts about cookies contain such links."""
    href = (choice.get("href") or "").strip()
    if href not in _NOWHERE and not href.lower().startswith("javascript:") and choice.get("role") != "button":
        return False
    label = f"{choice.text_content()} {choice.get('value') or ''} {choice.get('aria-label') or ''}"
    return len(label) <= _MAX_LABEL_CHARS and _AGREES.search(label) is not None


def _outer_parts(root: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the children of the body, and of the elements that wrap the whole page."""
    outer = [(root, 0)]
    for wrapper, depth in outer:
        for part in wrapper.iterchildren(etree.Element):
            if not _is_dialog(part) and next(part.iter(*_HEADED_PARTS), None) is not None:
                if depth < _WRAPPERS:
                    outer.append((part, depth + 1))
            else:
                yield part


def _mentions_consent(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in _ABOUT)


def _names(element: HtmlElement) -> str:
    """Return the names of an element, including the tag of a custom one."""
    tag = element.tag if "-" in element.tag else ""
    return " ".join(filter(None, (element.get("id"), element.get("class"), element.get("aria-label"), tag)))


@lru_cache(maxsize=8192)
def _is_named(names: str) -> bool:
    return bool(_PRODUCTS.search(names) or _SUBJECT.search(names))


def _is_dialog(element: HtmlElement) -> bool:
    return element.tag == "dialog" or element.get("role") in _DIALOGS
