"""Bulleted and numbered lists."""

from __future__ import annotations

from typing import Final

from lxml.html import HtmlElement

from app.extract.writer.sink import ListState, Sink
from app.extract.writer.walk import Leave
from app.extract.xpath import holds

_HOLDS_HEADINGS: Final = holds("li//h1|li//h2|li//h3|li//h4|li//h5|li//h6")
_HOLDS_BLOCKS: Final = holds("li[count(p) > 1 or .//pre or table or blockquote or dl]")
_CELL_BULLET: Final = "• "


def unordered(element: HtmlElement, out: Sink) -> Leave:
    """`- item`; cards with headings inside lose the bullets."""
    return _list(element, out, None)


def ordered(element: HtmlElement, out: Sink) -> Leave:
    """`1. item`, from the list's own first number."""
    return _list(element, out, _number(element.get("start"), 1))


def item(element: HtmlElement, out: Sink) -> Leave:
    """One item; the items of a list with long items are set off by blank lines."""
    state = out.lists[-1] if out.lists else None
    if out.flat or state is None or state.is_plain:
        out.block()
        if out.is_cell:
            out.text(_CELL_BULLET)
        return out.block
    if state.has_items:
        out.item_break(state.is_loose)
    state.has_items = True
    marker = _marker(state, element)
    out.push(marker, " " * len(marker))

    def leave() -> None:
        out.pop()
        out.block()

    return leave


def _list(element: HtmlElement, out: Sink, number: int | None) -> Leave:
    state = ListState(number, is_plain=bool(_HOLDS_HEADINGS(element)), is_loose=bool(_HOLDS_BLOCKS(element)))
    if out.lists and not out.lists[-1].is_plain:
        out.item_break(blank=False)
    else:
        out.hard_block()
    out.lists.append(state)

    def leave() -> None:
        out.lists.pop()
        out.block()

    return leave


def _marker(state: ListState, element: HtmlElement) -> str:
    if state.number is None:
        return "- "
    number = _number(element.get("value"), state.number)
    state.number = number + 1
    return f"{number}. "


def _number(value: str | None, default: int) -> int:
    text = (value or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default
