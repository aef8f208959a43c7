"""Read OpenDocument workbooks (.ods): the cells as shown. Hidden sheets and rows are omitted and counted in the note."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from lxml import etree

from app.extract.office.elements import attribute, child, children, comment_by, name_of, number, text_of
from app.extract.office.opendocument_styles import Styles
from app.extract.office.package import Package
from app.extract.page import Page
from app.extract.sheet_text import MAX_CELLS, MAX_COLUMNS, Row, SheetWriter

MAX_SHEET_TAGS: Final = 8_000_000
_VALUES: Final = ("value", "date-value", "time-value", "string-value", "boolean-value")


def extract_sheets(package: Package, part: str, title: str) -> Page:
    """Return the page of a workbook. Raises EmptyPageError and UnsupportedContentError."""
    writer, hidden_sheets, hidden_rows = SheetWriter(), set[str](), 0
    styles: Styles | None = None

    def counted(rows: Iterator[etree._Element]) -> Iterator[Row]:
        nonlocal hidden_rows
        place = 0
        for row in rows:
            count = max(number(attribute(row, "number-rows-repeated"), 1), 1)
            cells = _cells(row, reads_comments=package.reads_comments)
            if attribute(row, "visibility") in ("collapse", "filter"):
                hidden_rows += count if cells else 0
            elif cells:
                for repeated in range(min(count, MAX_CELLS)):
                    yield place + repeated + 1, cells
            place += count

    def table_of(row: etree._Element) -> etree._Element | None:
        # The sheet of a row, not a table inside a cell.
        return next((each for each in reversed([*row.iterancestors()]) if name_of(each) == "table"), None)

    for table, rows in groupby(package.stream(part, ("table-row",), MAX_SHEET_TAGS), table_of):
        if table is None or writer.is_full:
            continue
        styles = styles or Styles(table.getroottree().getroot())
        name = attribute(table, "name")
        if styles.is_hidden_table(attribute(table, "style-name")):
            hidden_sheets.add(name)
        else:
            writer.add_sheet(name, counted(rows))
    hidden = len(hidden_sheets)
    return writer.page(package.url, title, hidden_sheets=hidden, hidden_rows=hidden_rows, is_cut=package.is_cut)


def _cells(row: etree._Element, *, reads_comments: bool) -> list[str]:
    cells: list[str] = []
    for cell in row:
        if name_of(cell) not in ("table-cell", "covered-table-cell"):
            continue
        count = max(number(attribute(cell, "number-columns-repeated"), 1), 1)
        # The text as shown, without its comment; the value of a cell without text.
        lines = ["".join(_pieces(part)) for part in cell if name_of(part) == "p"]
        text = " ".join(lines)
        if not lines and name_of(cell) == "table-cell":
            text = next((said for key in _VALUES if (said := attribute(cell, key))), "")
        if reads_comments:
            notes = ((text_of(child(note, "creator")), children(note, "p")) for note in children(cell, "annotation"))
            comments = (
                f"[{comment_by(by)}: {' '.join(''.join(_pieces(part)) for part in parts)}]" for by, parts in notes
            )
            text = " ".join(filter(None, [text, *comments]))
        cells += [text] * min(count, MAX_COLUMNS - len(cells))
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _pieces(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for part in element.iter():
        if part is not element:
            yield " " * number(attribute(part, "c"), 1) if name_of(part) == "s" else part.text or ""
            yield part.tail or ""
