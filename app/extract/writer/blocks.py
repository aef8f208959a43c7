"""Paragraphs, headings, quotations, rules and what folds away on a page but is read all the same."""

from __future__ import annotations

import re
from typing import Final, Literal

from lxml.html import HtmlElement

from app.extract.anchors import heading_anchor
from app.extract.characters import collapse
from app.extract.writer.sink import Heading, Sink
from app.extract.writer.walk import Answer, Leave
from app.extract.xpath import holds

_LEVELS: Final = {f"h{level}": level for level in range(1, 7)}
_ONLY_INDENTS: Final = holds(
    "(.//pre | .//ul | .//ol | .//table | .//dl | .//div[contains(@class, 'math')])"
    " and not(p | div/p | blockquote | div/blockquote)"
    " and not(text()[normalize-space()] | div/text()[normalize-space()])"
)
_HAS_HEADING: Final = holds(".//h1 | .//h2 | .//h3 | .//h4 | .//h5 | .//h6")
_ALERT: Final = re.compile(r"\s*\[!(\w+)\][ \t]*")


def paragraph(element: HtmlElement, out: Sink) -> Leave:
    """Anything that stands in lines of its own."""
    out.block()
    return out.block


def heading(element: HtmlElement, out: Sink) -> Leave:
    """`## Title`, and the start of a section; inside quotations and table cells only a bold line."""
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
    """A label that heads what follows without being a section: tab names, summaries."""
    out.block()
    mark = out.mark("**")

    def leave() -> None:
        out.unmark(mark)
        out.block()

    return leave


def summary(element: HtmlElement, out: Sink) -> Leave | Literal[Answer.DONE]:
    """What stays to be seen of a folded part: a bold line, unless a heading stands in it."""
    if "hideme" in (element.get("class") or "").split():
        return Answer.DONE
    return paragraph(element, out) if _HAS_HEADING(element) else bold_line(element, out)


def blockquote(element: HtmlElement, out: Sink) -> Leave:
    """Lines that start with `> `; a quotation that only indents a list or code is none."""
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
    """A thematic break, not at the start of the page or of an item."""
    if not out.flat and out.length and not out.is_fresh():
        out.hard_block()
        out.literal("---")
        out.block()
    return Answer.DONE


def alert_kind(element: HtmlElement) -> str | None:
    """The kind of a quotation that starts with `[!NOTE]`; the sign is taken out of the text."""
    first = element if (element.text or "").strip() or not len(element) else element[0]
    match = _ALERT.match(first.text or "")
    if match is None:
        return None
    first.text = (first.text or "")[match.end() :]
    if not first.text.strip() and len(first) and first[0].tag == "br":
        first[0].drop_tree()
    return collapse(match.group(1)).lower()
