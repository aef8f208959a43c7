"""Read OpenDocument workbooks (.ods): the cells as shown. Hidden sheets and rows are omitted and counted in the note."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from lxml import etree

from app.extract.office.elements import attribute, name_of, number
from app.extract.office.opendocument_styles import Styles
from app.extract.office.package import Package
from app.extract.page import Page
from app.extract.sheet_text import MAX_CELLS, MAX_COLUMNS, Row, SheetWriter
from app.text.sentence import sentence

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
            cells = _cells(row)
            if attribute(row, "visibility") in ("collapse", "filter"):
                hidden_rows += count if cells else 0
            elif cells:
                for repeated in range(min(count, MAX_CELLS)):
                    yield place + repeated + 1, cells
            place += count

    for table, rows in groupby(package.stream(part, ("table-row",), MAX_SHEET_TAGS), _table_of):
        if table is None or writer.is_full:
            continue
        styles = styles or Styles(table.getroottree().getroot())
        name = attribute(table, "name")
        if styles.is_hidden_table(attribute(table, "style-name")):
            hidden_sheets.add(name)
        else:
            writer.add_sheet(name, counted(rows))
    notes = []
    if hidden_sheets:
        notes.append(sentence("Skipped hidden sheets: {}.", f"{len(hidden_sheets):,}"))
    if hidden_rows:
        notes.append(sentence("Skipped hidden rows: {}.", f"{hidden_rows:,}"))
    if package.is_cut:
        notes.append(sentence("The file is damaged. Only the text before the damage was read."))
    return writer.page(package.url, title, notes)


def _table_of(row: etree._Element) -> etree._Element | None:
    """Return the sheet of a row, not a table inside a cell."""
    tables = [each for each in row.iterancestors() if name_of(each) == "table"]
    return tables[-1] if tables else None


def _cells(row: etree._Element) -> list[str]:
    cells: list[str] = []
    for cell in row:
        if name_of(cell) not in ("table-cell", "covered-table-cell"):
            continue
        count = max(number(attribute(cell, "number-columns-repeated"), 1), 1)
        cells += [_text(cell)] * min(count, MAX_COLUMNS - len(cells))
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _text(cell: etree._Element) -> str:
    """Return the text of a cell as shown, without its comment; the value if it has no text."""
    lines = ["".join(_pieces(part)) for part in cell if name_of(part) == "p"]
    if lines or name_of(cell) == "covered-table-cell":
        return " ".join(lines)
    return next((text for key in _VALUES if (text := attribute(cell, key))), "")


def _pieces(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for part in element.iter():
        if part is not element:
            yield " " * number(attribute(part, "c"), 1) if name_of(part) == "s" else part.text or ""
            yield part.tail or ""
