"""HTML trees: parsing with repair of libxml2's losses, typed XPath expressions, and quick measures of elements."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import dropwhile
from typing import Final, cast

from lxml import etree
from lxml.etree import XPath
from lxml.html import Element, HtmlElement, HTMLParser, document_fromstring

from app.extract.characters import storable, word_set

_BODY_END: Final = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
_NO_TEXT: Final = re.compile(
    r"(?>\s+|</(?:body|html)\s*>|<!--.*?(?:-->|\Z)|<script\b.*?(?:</script\s*>|\Z))*+", re.IGNORECASE | re.DOTALL
)
_TITLE_END: Final = re.compile(r"</title", re.IGNORECASE)
_OPEN_TITLE: Final = re.compile(r"<title\b[^>]*+(?:>|\Z)[^<]*", re.IGNORECASE)
_OF_HEAD: Final = word_set("title meta link base script style noscript template object basefont bgsound")
_NOFRAMES_WORDS: Final = 100  # Shorter texts for browsers without frames only say that there are frames.
_OF_DOCUMENT: Final = frozenset({"head", "body", "frameset"})
_PROLOG: Final = re.compile(r"\A\s*<\?xml[^>]*\?>", re.IGNORECASE)
_ATTRIBUTE: Final = r"""[\s/]*+=?+(?:[^\s<>=/]|<(?![a-z]))++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'>]++))?+"""
_CROWDED_TAG: Final = re.compile(rf"(<[a-z][^\s<>/]*+(?:{_ATTRIBUTE}){{500}})(?:{_ATTRIBUTE})++", re.IGNORECASE)
"""A tag with more attributes than any page needs. The time of libxml2 grows with the square of their number."""
_DEEP_WRAPPERS: Final = re.compile(
    r"</?(?:div|section|article|span|font|center|b|i|em|strong|small|big|u)\b[^>]*+(?:>|\Z)", re.IGNORECASE
)
_WHOLE: Final = {
    name: (re.compile(rf"<{name}\b", re.IGNORECASE), re.compile(rf"</{name}\s*+>", re.IGNORECASE))
    for name in ("script", "style", "head", "title")
}
"""The beginning and end of elements that are kept whole."""
_NESTING_TAG: Final = re.compile(r"<(?!/?(?:h[1-6]|pre|p|a|br)\b)/?[a-z!?][^>]*+(?:>|\Z)", re.IGNORECASE)
_ANY_TAG: Final = re.compile(r"<[^>]*+(?:>|\Z)")
HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")


def elements(path: str) -> Callable[[HtmlElement], list[HtmlElement]]:
    """Return a function that selects elements."""
    return cast("Callable[[HtmlElement], list[HtmlElement]]", XPath(path))


def strings(path: str) -> Callable[[HtmlElement], list[str]]:
    """Return a function that selects attributes or text nodes."""
    return cast("Callable[[HtmlElement], list[str]]", XPath(path, smart_strings=False))


def string(path: str) -> Callable[[HtmlElement], str]:
    """Return a function that selects the text of the first node."""
    return cast("Callable[[HtmlElement], str]", XPath(f"string({path})", smart_strings=False))


def holds(path: str) -> Callable[[HtmlElement], bool]:
    """Return a function that tests for such a node or condition."""
    return cast("Callable[[HtmlElement], bool]", XPath(f"boolean({path})"))


def has_class(name: str) -> str:
    """Return the condition that an element has this class."""
    return f"contains(concat(' ', @class, ' '), ' {name} ')"


def body_of(tree: HtmlElement) -> HtmlElement:
    """Return the body of a document, or the tree itself if it has none."""
    body = tree.find("body")
    return body if body is not None else tree


def text_size(element: HtmlElement) -> int:
    """Return the characters of all text in an element without white space, since indentation of markup is arbitrary."""
    return len("".join(element.text_content().split()))


def link_share(element: HtmlElement) -> float:
    """Return the share of an element's text that is in links."""
    return sum(map(text_size, element.iter("a"))) / max(text_size(element), 1)


def by_attribute(tree: HtmlElement, names: Collection[str]) -> dict[str, list[HtmlElement]]:
    """Return the elements that have each of these attributes, found in one walk."""
    found: dict[str, list[HtmlElement]] = {name: [] for name in names}
    for element in tree.iter("*"):
        for name in element.keys():  # noqa: SIM118 (an element is no mapping)
            if name in found:
                found[name].append(element)
    return found


_LISTS_IN_LISTS: Final = elements("//ul/ul | //ul/ol | //ol/ol | //ol/ul")


def repair_markup(markup: str) -> str:
    """Return the markup with every title closed, and without a `</body>` that text follows."""
    end = _BODY_END.search(markup)
    if end is not None and not _NO_TEXT.fullmatch(markup, end.start()):
        markup = _BODY_END.sub("", markup)
    if not _TITLE_END.search(markup):
        markup = _OPEN_TITLE.sub(r"\g<0></title>", markup, count=1)
    return markup


def repair_tree(tree: HtmlElement) -> None:
    """Give the tree one body with everything outside the head; elements newer than HTML 4 end up in the head."""
    if tree.tag != "html":
        return
    for inner in _LISTS_IN_LISTS(tree):  # beside the items: browsers indent it below the last one
        item = inner.getprevious()
        if item is not None and item.tag == "li":
            item.append(inner)
    frameset = tree.find("frameset")
    for fallback in list(frameset.iter("noframes")) if frameset is not None else ():
        fallback.drop_tree()
        written = str(fallback.text_content())
        content = _parse(written)[0].find("body") if written.strip() else None
        if content is not None and len(str(content.text_content()).split()) >= _NOFRAMES_WORDS:
            tree.append(content)
    head = tree.find("head")
    children = list(head) if head is not None else []
    strays = list(dropwhile(lambda child: child.tag in _OF_HEAD, children))
    strays += [child for child in tree if child.tag not in _OF_DOCUMENT]
    if not strays:
        return
    if (body := tree.find("body")) is None:
        body = Element("body")
        tree.append(body)
    for stray in reversed(strays):
        body.insert(0, stray)
    body.text, strays[-1].tail = None, (strays[-1].tail or "") + (body.text or "") or None


def parse(text: str) -> HtmlElement:
    """Return the tree of an HTML or XHTML document. Raises ValueError if it is empty.

    libxml2 stops at 2,048 nested elements; such pages are parsed again without their wrappers.
    """
    markup = repair_markup(_CROWDED_TAG.sub(r"\1", _PROLOG.sub("", text, count=1)))
    for reduce in (
        str,
        partial(_DEEP_WRAPPERS.sub, "<p>"),
        partial(_reduced, _NESTING_TAG, "<p>"),
        partial(_reduced, _ANY_TAG, " "),
    ):
        tree, is_cut = _parse(reduce(markup))
        if not is_cut:
            break
    repair_tree(tree)
    return tree


def _reduced(pattern: re.Pattern[str], sign: str, markup: str) -> str:
    """Return the title, and the rest without elements that are kept whole, with a sign in place of each tag."""
    title = next((markup[start:end] for start, end in _spans(markup, "title")), "")
    for name in _WHOLE:
        place, parts = 0, []
        for start, end in _spans(markup, name):
            parts.append(markup[place:start])
            place = end
        markup = "".join([*parts, markup[place:]])
    return title + pattern.sub(sign, markup)


def _spans(markup: str, name: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of such elements, up to the first unclosed one: later ones are not closed either."""
    opening, closing = _WHOLE[name]
    place = 0
    while (start := opening.search(markup, place)) and (end := closing.search(markup, start.end())):
        yield start.start(), end.end()
        place = end.end()


def _parse(markup: str) -> tuple[HtmlElement, bool]:
    parser = HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        tree = document_fromstring(storable(markup).encode("utf-8", "replace"), parser=parser)
    except etree.ParserError as error:
        raise ValueError("the document is empty") from error
    return tree, any(entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for entry in parser.error_log)
