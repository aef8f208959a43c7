"""Tables: aligned pipe tables with a header rule; tables that only lay out a page are taken apart, tables of `div`s made real."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from lxml import etree
from lxml.html import HtmlElement

from app.extract.tree import elements, holds
from app.extract.writer.sink import Answer, Leave, Render, Sink

PADDED_WIDTH: Final = 48
"""Cells longer than this are not aligned; padding a column to a paragraph would bury the table."""
MAX_SPAN: Final = 100
MAX_CELLS: Final = 200_000
_LONG_CELL_CHARS: Final = 600
_NESTED: Final = holds(".//table | .//h1 | .//h2 | .//h3 | .//h4")
_BLOCK_CODE: Final = elements(".//pre")
_HAS_HEADER: Final = holds("thead | tr/th | tbody/tr/th")
_ONLY_STRONG: Final = holds(
    "count(*) = 1 and (b or strong or p[count(*) = 1]/strong) and not(text()[normalize-space()])"
)
_CODE_CLASSES: Final = frozenset({"highlighttable", "lntable", "rouge-table", "sourcecode", "memname"})
"""Tables that put line numbers beside code, or the parts of a declaration side by side."""
_CALLOUTS: Final = "calloutlist"
_BIG_BLOCKS: Final = holds(".//ul[count(li) > 3] | .//form | .//dl | .//blockquote")
_FIRST: Final = frozenset({"col-first", "col-summary-item-name"})
_HEADER: Final = "table-header"
_ROWS: Final = elements(
    "./*[@role='row'] | ./*[@role='rowgroup']/*[@role='row'] | ./*/*[@role='rowgroup']/*[@role='row'] | ./*/*[@role='row']"
)
_CELL_ROLES: Final = {"cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}


@dataclass(slots=True)
class _Cell:
    """Text of a grid cell and the sinks it comes from, each with its offset in that text."""

    text: str = ""
    sources: list[tuple[Sink, int]] = field(default_factory=list)

    def add(self, source: Sink) -> None:
        """Append another header cell that stands above the same column."""
        if any(source is known for known, _ in self.sources) or not source.length:
            return
        if self.text:
            self.text += " / "
        self.sources.append((source, len(self.text)))
        self.text += source.getvalue()


@dataclass(slots=True)
class _Grid:
    """Rows of finished cells; spans are filled with the cell they come from, except by a text that has a whole
    row to itself. `headers` counts header rows.
    """

    rows: list[list[Sink]]
    headers: int


def table(element: HtmlElement, out: Sink, render: Render) -> Leave | Literal[Answer.DONE]:
    """A data table as Markdown; anything else as the blocks that its cells hold."""
    if out.flat or is_layout(element):
        out.block()
        return out.block
    if all(len(row) <= 1 for row in _rows(element)):
        _write_column(element, out, render)
        return Answer.DONE
    grid = _grid(element, out, render)
    for caption in element.iterchildren("caption"):
        out.hard_block()
        render(caption, out)
    if grid.rows:
        out.hard_block()
        _write(grid, out)
        out.block()
    return Answer.DONE


def _write_column(element: HtmlElement, out: Sink, render: Render) -> None:
    """A table of one column as a list: its cells hold several lines each."""
    out.hard_block()
    for number, row in enumerate(row for row in _rows(element) if row):
        if number:
            out.item_break(blank=False)
        out.push("- ", "  ")
        out.tight += 1
        render(row[0], out)
        out.tight -= 1
        out.pop()
    out.block()


def table_row(element: HtmlElement, out: Sink) -> Leave:
    """A row of a table that only lays out."""
    out.block()
    return out.block


def table_cell(element: HtmlElement, out: Sink) -> Leave:
    """A cell of a table that only lays out."""
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
    cells = 0
    has_header = bool(_HAS_HEADER(element)) or _CALLOUTS in (*classes, element.getparent().get("class"))
    for row in _rows(element):
        for cell in row:
            cells += 1
            if not has_header and len(cell) and (_BIG_BLOCKS(cell) or len(cell.text_content()) > _LONG_CELL_CHARS):
                return True
    return cells < 2


def _rows(element: HtmlElement) -> Iterator[list[HtmlElement]]:
    for row in element.iter("tr"):
        yield [cell for cell in row if cell.tag in ("td", "th")]


def _grid(element: HtmlElement, out: Sink, render: Render) -> _Grid:
    rows: list[list[Sink]] = []
    carried: dict[int, tuple[Sink, int]] = {}
    headers, cells = 0, 0
    in_header = True
    for source in _rows(element):
        row: list[Sink] = []
        for cell in source:
            _carry(row, carried)
            made = _cell(cell, out, render)
            down, across = _span(cell, "rowspan"), _span(cell, "colspan")
            for _ in range(across):
                if down > 1:
                    carried[len(row)] = (made, down - 1)
                row.append(made)
        _carry(row, carried)
        if row and row[0].length > PADDED_WIDTH and all(cell is row[0] for cell in row):
            del row[1:]
        cells += len(row)
        if cells > MAX_CELLS:
            break
        if not any(cell.length for cell in row):
            continue
        in_header = in_header and _is_header(source)
        headers += in_header
        rows.append(row)
    return _Grid(rows, headers)


def _carry(row: list[Sink], carried: dict[int, tuple[Sink, int]]) -> None:
    """Repeat the cells that reach down from rows above into the next free columns."""
    while (held := carried.pop(len(row), None)) is not None:
        cell, left = held
        if left > 1:
            carried[len(row)] = (cell, left - 1)
        row.append(cell)


def _cell(element: HtmlElement, out: Sink, render: Render) -> Sink:
    """The text of a cell; images of one without text stand before the table."""
    cell = Sink(resolve=out.resolve, flat=1, is_cell=True)
    render(element, cell)
    if not cell.length:
        for picture in cell.pictures:
            out.picture(picture.url, picture.alt, picture.caption)
    return cell


def _span(cell: HtmlElement, name: str) -> int:
    value = (cell.get(name) or "").strip()
    return max(1, min(int(value), MAX_SPAN)) if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _is_header(source: list[HtmlElement]) -> bool:
    if not source:
        return False
    parent = source[0].getparent().getparent()
    if parent is not None and parent.tag == "thead":
        return True
    return all(cell.tag == "th" for cell in source) or (len(source) > 1 and all(map(_ONLY_STRONG, source)))


def _write(grid: _Grid, out: Sink) -> None:
    columns = max(len(row) for row in grid.rows)
    headers = grid.headers if grid.headers < len(grid.rows) else 1
    rows = [_merged(grid.rows[:headers], columns), *(_merged([row], columns) for row in grid.rows[headers:])]
    lines, places = piped([[cell.text for cell in row] for row in rows])
    starts = out.lines(lines)
    del starts[1]
    seen: set[int] = set()
    for row, offsets, start in zip(rows, places, starts, strict=True):
        for cell, offset in zip(row, offsets, strict=True):
            for source, inner in cell.sources:
                if id(source) not in seen:
                    seen.add(id(source))
                    out.absorb(source, start + offset + inner)


def _merged(rows: list[list[Sink]], columns: int) -> list[_Cell]:
    """One line of cells out of several header rows (or of one row, or of none: an empty header)."""
    cells = [_Cell() for _ in range(columns)]
    for row in rows:
        for cell, source in zip(cells, row, strict=False):
            cell.add(source)
    return cells


def piped(rows: Sequence[Sequence[str]]) -> tuple[list[str], list[list[int]]]:
    """Rows of one length, the first of which is the header, as a pipe table; and the offsets of the texts in each row."""
    widths = [_width(row[column] for row in rows) for column in range(len(rows[0]))]
    padded = [_line(row, widths) for row in rows]
    lines = [line for line, _ in padded]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return lines, [offsets for _, offsets in padded]


def _width(texts: Iterator[str]) -> int:
    return max([3, *(len(text) for text in texts if len(text) <= PADDED_WIDTH)])


def _line(texts: Sequence[str], widths: list[int]) -> tuple[str, list[int]]:
    """A padded row and the offset of every cell's text in it."""
    parts: list[str] = []
    offsets: list[int] = []
    position = 0
    for text, width in zip(texts, widths, strict=True):
        offsets.append(position + 2)
        part = f"| {text.ljust(width)} "
        parts.append(part)
        position += len(part)
    return "".join(parts) + "|", offsets


def to_table(element: HtmlElement) -> bool:
    """Put the cells of a summary table of Javadoc, which stand side by side, into rows; False when it has none."""
    cells = [child for child in element if isinstance(child.tag, str)]
    rows: list[HtmlElement] = []
    for cell in cells:
        tokens = (cell.get("class") or "").split()
        if not _FIRST.isdisjoint(tokens) or not rows:
            rows.append(etree.SubElement(element, "tr"))
        cell.tag = "th" if _HEADER in tokens else "td"
        rows[-1].append(cell)
    return len(rows) > 1


def from_roles(element: HtmlElement) -> bool:
    """Name rows and cells what their roles say; False where there are none."""
    rows = _ROWS(element)
    for row in rows:
        row.tag = "tr"
        for cell in row:
            cell.tag = _CELL_ROLES.get(cell.get("role") or "", cell.tag)
    return bool(rows)
