"""Read binary workbooks (.xls, .xlsb) with calamine. Numbers have no format, and hidden rows are included; hidden sheets are omitted."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import Final

import python_calamine as calamine

from app.errors import DamagedFileError
from app.extract.office.package import Package, protected, too_large
from app.extract.office.workbook import GENERAL, shown
from app.extract.page import Page
from app.extract.sheet_text import MAX_COLUMNS, SheetWriter
from app.text.sentence import sentence

MAX_AREA_CELLS: Final = 4_000_000
"""The limit for the rectangle around the cells of a sheet, which calamine allocates as a whole."""
_PANIC: Final = "PanicException"  # Some damaged files make calamine raise it; it cannot be imported.
_ROW: Final = 0
_LAST_CELL: Final = 11  # Numbers of the records of rows and, from 1 on, of cells in a sheet of an .xlsb file.
_NONE: Final = 1 << 32
_SHEETS: Final = "xl/worksheets/"
_SHEET_START: Final = b"\x09\x08\x10\x00\x00\x06\x10\x00"
_CELL: Final = re.compile(rb"(?:\x03\x02\x0e|\xfd\x00\x0a|\x7e\x02\x0a)\x00(..)(.)\x00", re.DOTALL)
"""The beginning of a sheet in an .xls file, and of its cells with a number or text, with row and column. They are searched without the
structure of the container, which may divide a few of them.
"""

_ENCRYPTED: Final = re.compile(rb"\x09\x08(?:\x08\x00.{8}|\x10\x00.{16})(?:\x86\x00\x00\x00)?\x2f\x00", re.DOTALL)
"""The start of an encrypted .xls file: the record FilePass after the first one. Calamine says only that it does not know the format."""

Value = int | float | str | bool | time | date | datetime | timedelta


def extract_binary_workbook(body: bytes, url: str, package: Package | None = None) -> Page:
    """Return the page of a workbook; `package` is that of .xlsb. Raises EmptyPageError, UnsupportedContentError, ContentProtectedError."""
    if package is not None:
        areas = (_area(_cells(package.read(part))) for part in package.names(_SHEETS, ".bin"))
    else:
        sheets = body.split(_SHEET_START)[1:]
        areas = (
            _area((int.from_bytes(row, "little"), column[0]) for row, column in _CELL.findall(each)) for each in sheets
        )
    if max(areas, default=0) > MAX_AREA_CELLS:
        raise too_large(url)
    try:
        return _read(calamine.CalamineWorkbook.from_filelike(io.BytesIO(body)), url)
    except calamine.PasswordError as error:
        raise protected(url) from error
    except BaseException as error:
        if not (isinstance(error, calamine.CalamineError | OSError) or type(error).__name__ == _PANIC):
            raise
        if "password" in str(error).lower() or _ENCRYPTED.search(body):
            raise protected(url) from error
        hint = "Open the file in its program and save it as .xlsx, then add that file."
        raise DamagedFileError(sentence("{} is damaged.", url), url=url, hint=hint) from error


def _read(workbook: calamine.CalamineWorkbook, url: str) -> Page:
    writer, hidden = SheetWriter(), 0
    for sheet in workbook.sheets_metadata:
        if sheet.typ is not calamine.SheetTypeEnum.WorkSheet or writer.is_full:
            continue
        if sheet.visible is calamine.SheetVisibleEnum.Visible:
            # Calamine includes blank rows before the first used one, but not blank columns.
            content = workbook.get_sheet_by_name(sheet.name)
            before = [""] * min(content.start[1] if content.start is not None else 0, MAX_COLUMNS)
            width = MAX_COLUMNS - len(before)
            rows = ((number, [*before, *map(_text, row[:width])]) for number, row in enumerate(content.iter_rows(), 1))
            writer.add_sheet(sheet.name, rows)
        else:
            hidden += 1
    return writer.page(url, "", hidden_sheets=hidden)


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float | int):
        return shown(str(value), GENERAL)
    if isinstance(value, datetime):
        return value.isoformat(" ", "minutes") if value.time() != time() else value.date().isoformat()
    return str(value)


def _area(cells: Iterable[tuple[int, int]]) -> int:
    """Return the number of cells in the rectangle around the cells of a sheet."""
    top, left, bottom, right = _NONE, _NONE, -1, -1
    for row, column in cells:
        top, left, bottom, right = min(top, row), min(left, column), max(bottom, row), max(right, column)
    return max(0, bottom - top + 1) * max(0, right - left + 1)


def _cells(records: bytes) -> Iterator[tuple[int, int]]:
    """Yield row and column of all cells of a sheet in the binary format of .xlsb files."""
    at, row, start = 0, 0, b""
    while at < len(records):
        kind, at = _number(records, at, 2)
        size, at = _number(records, at, 4)
        start = records[at : at + min(size, 4)] + start[size:]  # like calamine, which keeps the end of a longer record
        if kind == _ROW:
            row = int.from_bytes(start, "little")
        elif kind <= _LAST_CELL:
            yield row, int.from_bytes(start, "little")
        at += size


def _number(records: bytes, at: int, most: int) -> tuple[int, int]:
    """Return a number of 7 bits per byte, and the position after it."""
    value = 0
    for place in range(most):
        if at >= len(records):
            break
        byte = records[at]
        at += 1
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            break
    return value, at
