"""Write block elements: paragraphs, headings with their anchors, quotations, rules, lists and definition lists.

A defined term with its own anchor opens a section, so that it can be cited.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import Final, Literal

from lxml.html import HtmlElement

from app.extract.characters import collapse, word_set
from app.extract.tree import elements, holds, strings
from app.extract.writer.inline import code_fence, linked_text
from app.extract.writer.sink import Answer, Heading, Leave, ListState, Sink, in_turn

_LEVELS: Final = {f"h{level}": level for level in range(1, 7)}
_ONLY_INDENTS: Final = holds(
    "(.//pre | .//ul | .//ol | .//table | .//dl | .//div[contains(@class, 'math')])"
    " and not(p | div/p | blockquote | div/blockquote)"
    " and not(text()[normalize-space()] | div/text()[normalize-space()])"
)
_HAS_HEADING: Final = holds(".//h1 | .//h2 | .//h3 | .//h4 | .//h5 | .//h6")
_ALERT: Final = re.compile(r"\s*\[!(\w+)\][+-]?[ \t]*")
_INNER: Final = strings("(.//@id | .//a/@name)[1]")
_WRAPPERS: Final = ("section", "div", "article")
_MAX_WRAPPERS: Final = 4
_PAGE_FRAMES: Final = word_set("content main main-content maincontent body root app page wrapper header")
_HOLDS_HEADINGS: Final = holds("li//h1|li//h2|li//h3|li//h4|li//h5|li//h6")
_HOLDS_BLOCKS: Final = holds("li[count(p) > 1 or .//pre or table or blockquote or dl]")
_COUNTS_BY: Final = re.compile(r"\b(lower|upper)-?(alpha|latin|roman)\b")
_ALPHABET: Final = 26
_ROMAN: Final = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_MOST_ROMAN: Final = 39
DEEPEST_LEVEL: Final = 6
_IS_SIGNATURE: Final = holds(
    "self::*[contains(concat(' ', @class, ' '), ' sig ')] | .//*[contains(@class, 'descname')]"
)
_SOURCE_LINKS: Final = elements(".//a[@href][.//span[contains(@class, 'viewcode-link')]]")
_CLASSIFIERS: Final = elements(".//span[@class='classifier']")


def paragraph(element: HtmlElement, out: Sink) -> Leave:
    """Write an element on separate lines."""
    out.block()
    return out.block


def heading(element: HtmlElement, out: Sink) -> Leave:
    """Write `## Title` and start a section; inside quotations and table cells only a bold line."""
    if out.plain:
        return paragraph(element, out)
    if out.quoted or out.is_cell:
        return bold_line(element, out)
    level = _LEVELS[element.tag]
    out.hard_block()
    section = Heading(level, heading_anchor(element), "#" * level + " ")
    out.head(section)
    out.flat += 1
    out.plain += 1

    def leave() -> None:
        out.flat -= 1
        out.plain -= 1
        out.unhead(section)
        out.level = level
        out.block()

    return leave


def bold_line(element: HtmlElement, out: Sink) -> Leave:
    """Write a label above the following text that is not a section: tab names, summaries."""
    out.block()
    mark = out.mark("**")
    return in_turn(lambda: out.unmark(mark), out.block)


def summary(element: HtmlElement, out: Sink) -> Leave | Literal[Answer.DONE]:
    """Write the visible part of a collapsed element: a bold line, unless it contains a heading."""
    if "hideme" in (element.get("class") or "").split():
        return Answer.DONE
    return paragraph(element, out) if _HAS_HEADING(element) else bold_line(element, out)


def blockquote(element: HtmlElement, out: Sink) -> Leave:
    """Write lines that start with `> `, unless the quotation only indents a list or code."""
    if out.flat or _ONLY_INDENTS(element):
        return paragraph(element, out)
    out.hard_block()
    out.push("> ", "> ")
    out.quoted += 1

    def leave() -> None:
        out.quoted -= 1
        out.pop()
        out.block()

    return leave


def rule(element: HtmlElement, out: Sink) -> Literal[Answer.DONE]:
    """Write a thematic break, except at the start of the page or of an item."""
    if not out.flat and out.length and not out.is_fresh:
        out.hard_block()
        out.literal("---")
        out.block()
    return Answer.DONE


def alert_kind(element: HtmlElement) -> str | None:
    """Return the kind of a quotation that starts with `[!NOTE]`, and remove the mark from the text."""
    first = element if (element.text or "").strip() or not len(element) else element[0]
    if (match := _ALERT.match(first.text or "")) is None:
        return None
    first.text = (first.text or "")[match.end() :]
    if not first.text.strip() and len(first) and first[0].tag == "br":
        first[0].drop_tree()
    return collapse(match.group(1)).lower()


def own_anchor(element: HtmlElement) -> str | None:
    """Return the element's own id, otherwise the first id or name inside it."""
    if own := element.get("id") or element.get("data-anchor"):
        return str(own)
    inner = _INNER(element) if len(element) else ()
    return str(inner[0]) if inner else None


def heading_anchor(element: HtmlElement) -> str | None:
    """Return the anchor of a heading: its own, one directly before it, or that of the nearest section that begins with it."""
    if own := own_anchor(element):
        return own
    before = element.getprevious()
    # An empty target (`<a name>`, `<span id>`) between the last text and the heading.
    while before is not None and not (before.tail or "").strip():
        if isinstance(before.tag, str):
            if before.tag not in ("a", "span", "div") or len(before) or (before.text or "").strip():
                break
            if anchor := before.get("id") or (before.get("name") if before.tag == "a" else None):
                return str(anchor)
        before = before.getprevious()
    inner = element
    for node in islice(element.iterancestors(), _MAX_WRAPPERS):
        # From the heading backwards: the search from the start of the section takes as long for each of its headings.
        is_later = any(next(each.iter(*_LEVELS), None) is not None for each in inner.itersiblings(preceding=True))
        if is_later or node.tag in ("body", *_LEVELS):
            break
        anchor = node.get("id")
        if anchor and node.tag in _WRAPPERS and anchor not in _PAGE_FRAMES:
            return str(anchor)
        inner = node
    return None


def items(element: HtmlElement, out: Sink) -> Leave:
    """Write `- item`, or `1. item` from the list's own first number, descending if reversed. Cards with headings lose the marks."""
    number: int | None = None
    step = -1 if element.get("reversed") is not None else 1
    if element.tag == "ol":
        number = _number(element.get("start"), len(element.findall("li")) if step < 0 else 1)
    state = ListState(
        number,
        step,
        _style(element) if number is not None else "",
        is_plain=bool(_HOLDS_HEADINGS(element)),
        is_loose=bool(_HOLDS_BLOCKS(element)),
    )
    if out.lists and not out.lists[-1].is_plain:
        out.item_break(blank=False)
    else:
        out.hard_block()
    out.lists.append(state)
    return in_turn(out.lists.pop, out.block)


def item(element: HtmlElement, out: Sink) -> Leave:
    """Write one item; the items of a list with long items are separated by blank lines."""
    state = out.lists[-1] if out.lists else None
    marker = "- "
    if state is not None and state.number is not None:
        number = _number(element.get("value"), state.number)
        state.number = max(0, number + state.step)
        marker = f"{number}. " if state.style not in _LETTERS else f"- {_LETTERS[state.style](number)}. "
    if out.flat or state is None or state.is_plain:
        out.block()
        if out.is_cell:
            out.text(marker.removeprefix("- ") or "• ")
        return out.block
    if state.has_items:
        out.item_break(state.is_loose)
    state.has_items = True
    out.push(marker, "  " if marker.startswith("-") else " " * len(marker))
    return in_turn(out.pop, out.block)


def _style(element: HtmlElement) -> str:
    """Return how a list counts, from its attribute, its style or the class that docutils and Asciidoctor give it."""
    named = _COUNTS_BY.search(f"{element.get('style') or ''} {element.get('class') or ''}")
    if named is None:
        return (element.get("type") or "").strip()
    sign = "i" if named.group(2) == "roman" else "a"
    return sign.upper() if named.group(1) == "upper" else sign


def _letter(number: int) -> str:
    """Return `c` for 3, and the number itself beyond the alphabet."""
    return chr(ord("a") + number - 1) if 0 < number <= _ALPHABET else str(number)


def _roman(number: int) -> str:
    """Return `iv` for 4."""
    if not 0 < number <= _MOST_ROMAN:
        return str(number)
    parts = []
    for value, sign in _ROMAN:
        parts.append(sign * (number // value))
        number %= value
    return "".join(parts)


_LETTERS: Final[dict[str, Callable[[int], str]]] = {
    "a": _letter,
    "A": lambda number: _letter(number).upper(),
    "i": _roman,
    "I": lambda number: _roman(number).upper(),
}
"""How a list writes its numbers. Markdown has no such items, so each is a bullet with the letter in its text."""


def _number(value: str | None, default: int) -> int:
    text = (value or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default


def definition_list(element: HtmlElement, out: Sink) -> Leave:
    """Write a definition list; terms of nested lists are one section level deeper."""
    out.hard_block()
    level = out.level
    out.term_levels.append(min(level + 1, DEEPEST_LEVEL))
    out.term_end = -1

    def leave() -> None:
        out.term_levels.pop()
        out.level = level
        out.term_end = -1
        out.block()

    return leave


def term(element: HtmlElement, out: Sink) -> Literal[Answer.DONE]:
    """Write the term in bold; the signature of an API also as code, so that it remains readable."""
    is_plain = not len(element)  # The searches take longer than writing such a term.
    for classifier in () if is_plain else _CLASSIFIERS(element):  # style sheets draw the colon before one (`x : int`)
        before = classifier.getprevious()
        if before is None or before.get("class") != "classifier-delimiter":
            classifier.text = " : " + (classifier.text or "")
    links_to_source = [] if is_plain else _SOURCE_LINKS(element)
    sources = [(source.get("href"), source.text_content()) for source in links_to_source]
    for source in links_to_source:
        source.drop_tree()
    text, links = linked_text(element, out)
    text = text.rstrip(" :")
    if not text:
        return Answer.DONE
    if out.term_end == out.length:
        out.block(blank=False)
    else:
        out.hard_block()
    out.end_emphasis()
    is_signature = bool(_IS_SIGNATURE(element))
    fence = code_fence(text, 1) if is_signature or "*" in text or text.startswith("_") else ""
    start = out.literal(f"**{fence}{text}{fence}**")
    out.adopt(links, start + 2 + len(fence), text)
    anchor = own_anchor(element)
    if not (anchor is None or out.flat or out.prefixes or "label" in element.get("class", "").split()):
        out.level = out.term_levels[-1] if out.term_levels else DEEPEST_LEVEL
        name, bracket, _ = text.partition("(")
        # the name of a signature is without its parameters: `json.dump()` for `json.dump(obj, fp)`
        title = f"{name.rstrip()}()" if is_signature and bracket and name.strip() else text
        out.headings.append(Heading(out.level, anchor, "", title, start))
    for href, label in sources:
        if (target := out.resolve(href)) is not None:
            out.space()
            opened = out.link(target)
            out.text(label)
            out.unlink(opened)
    out.term_end = out.length
    return Answer.DONE


def definition(element: HtmlElement, out: Sink) -> Leave:
    """Write the text after the colon."""
    if out.term_end == out.length and not out.plain and any(text.strip() for text in element.itertext()):
        out.glue(":")
    else:
        out.block()
    out.term_end = -1
    return out.block
