"""Write tables as aligned pipe tables with a header rule. Take layout tables apart, and convert tables made of `div`s."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from typing import Final, Literal

from lxml import etree
from lxml.html import HtmlElement

from app.extract.signs import choose_in_cell
from app.extract.tree import elements, holds
from app.extract.writer.sink import Answer, Leave, Render, Sink

PADDED_WIDTH: Final = 48
"""Longer cells are not aligned; padding a column to a paragraph would make the table unreadable."""
MAX_COLSPAN: Final = 1_000  # The limit of HTML; a row span ends with its group of rows anyway.
MAX_CELLS: Final = 200_000  # A table with more cells, including repeated ones, is split into blocks.
MAX_REPEATED_CHARS: Final = 1_000_000
"""The limit for text that a table repeats from spanning cells; their further slots stay empty."""
_LONG_CELL_CHARS: Final = 600
_NESTED: Final = holds(".//table | .//h1 | .//h2 | .//h3 | .//h4")
_BLOCK_CODE: Final = elements(".//pre")
_HAS_HEADER: Final = holds("thead | tr/th | tbody/tr/th")
_ONLY_STRONG: Final = holds(
    "count(*) = 1 and (b or strong or p[count(*) = 1]/strong) and not(text()[normalize-space()])"
)
_CODE_CLASSES: Final = frozenset({"highlighttable", "lntable", "rouge-table", "sourcecode", "memname"})
"""Tables that put line numbers next to code, or the parts of a declaration side by side."""
_BIG_BLOCKS: Final = holds(".//ul[count(li) > 3] | .//form | .//dl | .//blockquote")
_SECTIONS: Final = ("thead", "tbody", "tfoot")
_PARTS: Final = frozenset({"caption", "colgroup", "col", *_SECTIONS, "tr", "td", "th", "script", "style", "template"})
_FRAME: Final = elements("self::* | thead | tbody | tfoot | tr | thead/tr | tbody/tr | tfoot/tr")
_HAS_CELLS: Final = holds(".//tr | .//td | .//th")
_NO_WRAPPERS: Final = _PARTS | {"table"}
_MAX_WRAPPERS: Final = 4
_IS_DISORDERED: Final = holds(
    " | ".join(
        f"{place}[text()[normalize-space()] or *[not({' or '.join(f'self::{name}' for name in sorted(_PARTS))})]"
        f"{' or td or th' * (place in ('self::*', *_SECTIONS))}]"
        for place in ("self::*", *_SECTIONS, "tr", *(f"{section}/tr" for section in _SECTIONS))
    )
)
_FIRST: Final = frozenset({"col-first", "col-summary-item-name"})
_SPAN: Final = re.compile(r"\s*\+?0*([0-9]{1,5})")
_ROWS: Final = elements(
    "./*[@role='row'] | ./*[@role='rowgroup']/*[@role='row'] | ./*/*[@role='rowgroup']/*[@role='row'] | ./*/*[@role='row']"
)
_CELL_ROLES: Final = {"cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}


@dataclass(slots=True)
class _Cell:
    """The text of a grid cell and the sinks it comes from, each with its offset in that text."""

    text: str = ""
    sources: list[tuple[Sink, int]] = field(default_factory=list)

    def add(self, source: Sink) -> None:
        """Append another header cell above the same column."""
        if any(source is known for known, _ in self.sources) or not source.length:
            return
        if self.text:
            self.text += " / "
        self.sources.append((source, len(self.text)))
        self.text += source.getvalue()


@dataclass(frozen=True, slots=True)
class _Span:
    """A cell and the rows and columns that it covers, numbered from the top left one. `bottom` and `right` are exclusive."""

    cell: HtmlElement
    top: int
    bottom: int
    left: int
    right: int


def table(element: HtmlElement, out: Sink, render: Render) -> Leave | Literal[Answer.DONE]:
    """Write a data table as Markdown, and anything else as the blocks in its cells."""
    strays = _put_in_order(element) if _IS_DISORDERED(element) else None
    rows = grid(element) if not (out.flat or is_layout(element)) else None
    if strays is not None:
        out.block()
        render(strays, out)
    if rows is None:
        out.block()
        return out.block
    is_column = all(len(row) == 1 for row in rows)
    written, headers = ([], 0) if is_column else _written(rows, out, render)
    for caption in element.iterchildren("caption"):
        out.hard_block()
        render(caption, out)
    if is_column:
        # Cells with several lines each: a list.
        out.hard_block()
        for number, cell in enumerate(cell for row in rows for cell in row if cell is not None):
            if number:
                out.item_break(blank=False)
            out.push("- ", "  ")
            out.tight += 1
            render(cell, out)
            out.tight -= 1
            out.pop()
        out.block()
    elif written:
        out.hard_block()
        _write(written, headers, out)
        out.block()
    return Answer.DONE


def _put_in_order(element: HtmlElement) -> HtmlElement:
    """Put the cells of a table that are in no row into one. Return what belongs to no cell, which browsers show before the table."""
    strays: HtmlElement = element.makeelement("div")
    for _ in range(_MAX_WRAPPERS):
        for part in _FRAME(element):
            for wrapper in [child for child in part if child.tag not in _NO_WRAPPERS and _HAS_CELLS(child)]:
                # Element by element: lxml's `drop_tag` counts all elements before it.
                if (before := wrapper.getprevious()) is not None:
                    before.tail = (before.tail or "") + (wrapper.text or "")
                else:
                    part.text = (part.text or "") + (wrapper.text or "")
                for child in list(wrapper):
                    wrapper.addprevious(child)
                wrapper.getprevious().tail = (wrapper.getprevious().tail or "") + (wrapper.tail or "")
                part.remove(wrapper)
    for part in _FRAME(element):
        row = None
        _append_text(strays, part.text)
        part.text = None
        for child in list(part):
            tail, child.tail = child.tail, None
            if child.tag in ("td", "th") and part.tag != "tr":
                if row is None:
                    row = part.makeelement("tr")
                    child.addprevious(row)
                row.append(child)
            elif child.tag not in _PARTS:
                strays.append(child)
            else:
                row = None
            _append_text(strays, tail)
    return strays


def _append_text(element: HtmlElement, text: str | None) -> None:
    if text and len(element):
        element[-1].tail = (element[-1].tail or "") + text
    elif text:
        element.text = (element.text or "") + text


def table_cell(element: HtmlElement, out: Sink) -> Leave:
    """Write a cell of a layout table."""
    out.space()
    return out.space


def is_layout(element: HtmlElement) -> bool:
    """Whether a table arranges blocks rather than data."""
    classes = (element.get("class") or "").split()
    is_named = element.get("role") in ("presentation", "none") or not _CODE_CLASSES.isdisjoint(classes)
    if is_named or _NESTED(element):
        return True
    if any("\n" in (code.text_content() or "").strip() for code in _BLOCK_CODE(element)):
        return True
    cells = [cell for row in element.iter("tr") for cell in row.iterchildren("td", "th")]
    is_data = _HAS_HEADER(element) or "calloutlist" in (*classes, element.getparent().get("class"))
    large = (len(cell) and (_BIG_BLOCKS(cell) or len(cell.text_content()) > _LONG_CELL_CHARS) for cell in cells)
    return len(cells) < 2 or (not is_data and any(large))


def grid(element: HtmlElement) -> list[list[HtmlElement | None]] | None:
    """Return the cell in each row and column as browsers show them, None for too many. Where two overlap, the later one counts."""
    spans: list[_Span] = []
    rows: list[int] = []
    top = 0
    groups = [(parent, list(rows)) for parent, rows in groupby(element.iter("tr"), key=lambda row: row.getparent())]
    for tag, place in (("tfoot", len(groups)), ("thead", 0)):  # the first head is on top, the first foot at the bottom
        if moved := next((group for group in groups if group[0].tag == tag), None):
            groups.remove(moved)
            groups.insert(place, moved)
    for _, group in groups:
        if (placed := _place(group, top)) is None:
            return None
        spans += placed
        # A row has a height if a cell is only in it; a cell over several rows gives them one only if none of them has any.
        begun = {span.top for span in placed}
        shown = {span.top for span in placed if span.bottom == span.top + 1}
        for span in sorted(placed, key=lambda span: span.bottom - span.top):
            if shown.isdisjoint(range(span.top, span.bottom)):
                shown |= begun.intersection(range(span.top + 1, span.bottom)) or {span.bottom - 1}
        rows += sorted(shown)
        top += len(group)
    # Columns have a width in the same way.
    starts = sorted({span.left for span in spans})
    wide = {span.left for span in spans if span.right == span.left + 1}
    for span in sorted(spans, key=lambda span: (span.right - span.left, span.left)):
        covered = starts[bisect_left(starts, span.left) : bisect_left(starts, span.right)]
        if wide.isdisjoint(covered):
            wide.update(covered)
    columns = sorted(wide)
    if len(rows) * len(columns) > MAX_CELLS:
        return None
    cells: list[list[HtmlElement | None]] = [[None] * len(columns) for _ in rows]
    for span in spans:
        first, last = bisect_left(columns, span.left), bisect_left(columns, span.right)
        for row in cells[bisect_left(rows, span.top) : bisect_left(rows, span.bottom)]:
            row[first:last] = [span.cell] * (last - first)
    return cells


def _place(group: list[HtmlElement], top: int) -> list[_Span] | None:
    """Return the cells of a group of rows, each in the next free column. No span leaves the group. None if they cover too many rows."""
    placed: list[_Span] = []
    growing: list[_Span] = []
    end = top + len(group)
    covered = 0
    for number, row in enumerate(group, start=top):
        column = 0
        above = deque(growing)
        for cell in row.iterchildren("td", "th"):
            while above and above[0].left <= column:
                column = max(column, above.popleft().right)
            right = column + max(1, min(_span(cell, "colspan"), MAX_COLSPAN))
            bottom = min(number + (_span(cell, "rowspan") or len(group)), end)
            placed.append(_Span(cell, number, bottom, column, right))
            growing.append(placed[-1])
            column = right
        covered += len(growing)
        if covered > MAX_CELLS:
            return None
        growing = sorted((span for span in growing if span.bottom > number + 1), key=lambda span: span.left)
    return placed


def _span(cell: HtmlElement, name: str) -> int:
    found = _SPAN.match(cell.get(name) or "")
    return int(found.group(1)) if found else 1


def _written(rows: list[list[HtmlElement | None]], out: Sink, render: Render) -> tuple[list[list[Sink]], int]:
    """Return the finished cells of rows with text, and the number of header rows. A text that fills a whole row is written once."""
    nothing = Sink(resolve=out.resolve)
    made: dict[HtmlElement, Sink] = {}
    written: list[list[Sink]] = []
    headers = 0
    above: list[HtmlElement | None] = []
    repeatable = MAX_REPEATED_CHARS
    for row in rows:
        line: list[Sink] = []
        own = [cell for cell in dict.fromkeys(row) if cell is not None and cell not in made]
        for cell in row:
            if cell is None or (cell in made and repeatable < made[cell].length):
                line.append(nothing)
                continue
            if cell in made:
                repeatable -= made[cell].length
            else:
                choose_in_cell(cell)
                made[cell] = text = Sink(resolve=out.resolve, flat=1, is_cell=True)
                render(cell, text)
                for picture in () if text.length else text.pictures:
                    # images of a cell without text precede the table
                    out.picture(picture.url, picture.alt, picture.caption)
            line.append(made[cell])
        if line[0].length > PADDED_WIDTH and all(cell is line[0] for cell in line):
            del line[1:]
        if any(cell.length for cell in line):
            if headers == len(written) and _is_header(own) and (not headers or _continues_header(row, own, above)):
                headers, above = headers + 1, row
            written.append(line)
    return written, headers


def _continues_header(row: list[HtmlElement | None], own: list[HtmlElement], above: list[HtmlElement | None]) -> bool:
    """Whether a row of headings below a header is a part of it, rather than the title of the rows that follow."""
    if len(set(above)) == 1:
        return True  # the title of the table
    return len(set(row)) > 1 and (_is_in_head(own) or not _is_in_head([cell for cell in above if cell is not None]))


def _is_in_head(cells: list[HtmlElement]) -> bool:
    return bool(cells) and cells[0].getparent().getparent().tag == "thead"


def _is_header(cells: list[HtmlElement]) -> bool:
    if _is_in_head(cells):
        return True
    if len(cells) > 1 and not cells[0].text_content().strip() and cells[0].find(".//img") is None:
        cells = cells[1:]  # the corner above the row names
    is_named = all(cell.tag == "th" for cell in cells) or (len(cells) > 1 and all(map(_ONLY_STRONG, cells)))
    return bool(cells) and is_named


def _write(written: list[list[Sink]], headers: int, out: Sink) -> None:
    columns = max(map(len, written))
    headers = headers if headers < len(written) else 1
    # The first line is made of several header rows, or of none: an empty header.
    rows: list[list[_Cell]] = []
    for group in [written[:headers], *([row] for row in written[headers:])]:
        rows.append([_Cell() for _ in range(columns)])
        for row in group:
            for cell, source in zip(rows[-1], row, strict=False):
                cell.add(source)
    lines, places = piped([[cell.text for cell in row] for row in rows])
    starts = out.lines(lines)
    del starts[1]
    seen: set[int] = set()
    for cells, offsets, start in zip(rows, places, starts, strict=True):
        for cell, offset in zip(cells, offsets, strict=True):
            for source, inner in cell.sources:
                if id(source) not in seen:
                    seen.add(id(source))
                    out.absorb(source, start + offset + inner)


def piped(rows: Sequence[Sequence[str]]) -> tuple[list[str], list[list[int]]]:
    """Return rows of equal length, the first of which is the header, as a pipe table, and the offsets of the texts in each row."""
    widths = [
        max([3, *(len(row[column]) for row in rows if len(row[column]) <= PADDED_WIDTH)])
        for column in range(len(rows[0]))
    ]
    lines: list[str] = []
    places: list[list[int]] = []
    for row in rows:
        parts = [f"| {text.ljust(width)} " for text, width in zip(row, widths, strict=True)]
        lines.append("".join(parts) + "|")
        places.append([start + 2 for start in accumulate(map(len, parts[:-1]), initial=0)])
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return lines, places


def to_table(element: HtmlElement) -> bool:
    """Put the cells of a Javadoc summary table, which are side by side, into rows. Return False if it has none."""
    rows: list[HtmlElement] = []
    for cell in [child for child in element if isinstance(child.tag, str)]:
        tokens = (cell.get("class") or "").split()
        if not _FIRST.isdisjoint(tokens) or not rows:
            rows.append(etree.SubElement(element, "tr"))
        cell.tag = "th" if "table-header" in tokens else "td"
        rows[-1].append(cell)
    return len(rows) > 1


def from_roles(element: HtmlElement) -> bool:
    """Name rows and cells by their roles; return False if there are none."""
    rows = _ROWS(element)
    for row in rows:
        row.tag = "tr"
        for cell in row:
            cell.tag = _CELL_ROLES.get(cell.get("role") or "", cell.tag)
    return bool(rows)
