"""Write sheets of rows and columns as pipe tables of some rows each. Every table is a section named after its rows.

A table ends at a blank row. The first row of a table is its header, which is repeated in each section, so that a passage from the middle
of a sheet is complete. Also reads files with values separated by commas, semicolons or tabs (.csv, .tsv).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final
from urllib.parse import quote

from app import caps
from app.errors import EmptyFileError
from app.extract.addresses import file_name
from app.extract.characters import collapse, storable
from app.extract.page import CUT_NOTE, Page, PageParts, closed
from app.extract.plain import read_text
from app.extract.writer.document import cut_at_line
from app.text.sentence import joined, sentence

ROWS_PER_SECTION: Final = 40
MAX_COLUMNS: Final = 256
MAX_CELLS: Final = 400_000  # The limit for one file, including blank cells between others.
_LETTERS: Final = 26

Row = tuple[int, Sequence[str]]  # The number of a row, from 1, and its cells from the first column on.


@dataclass(slots=True)
class SheetWriter:
    """Collects the text and sections of the sheets of one file. `is_full`: no more cells are accepted."""

    is_full: bool = False
    _parts: PageParts = field(default_factory=PageParts)
    _cells: int = 0
    _chars: int = 0
    _is_cut: bool = False

    def add_sheet(self, name: str, rows: Iterable[Row], texts: Iterable[str] = ()) -> None:
        """Write a sheet and then the texts of its text boxes; `name` is empty if the file has only one."""
        parts = self._parts
        start = len(parts.sections)
        for header, block, is_first in _blocks(self._counted(rows)):
            if name and len(parts.sections) == start:
                parts.open(2, name, _place(name, ""), parts.add(f"## {name}"))
            first = header[0] if is_first else block[0][0]
            last = block[-1][0] if block else first
            title = f"rows {first}–{last}" if first != last else f"row {first}"
            heading = collapse(f"{name}, {title}" if name else title.capitalize())
            width = max(len(cells) for _, cells in (header, *block))
            area = f"A{first}:{_column(width - 1)}{last}"
            parts.open(3, heading, _place(name, area), parts.add(f"### {heading}"))
            rows_shown = [header[1], *(cells for _, cells in block)]
            lines = ["| " + " | ".join([*cells, *[""] * (width - len(cells))]) + " |" for cells in rows_shown]
            parts.add("\n".join([lines[0], "|" + " --- |" * width, *lines[1:]]))
        for text in filter(None, map(collapse, map(storable, texts))):
            self._chars += len(text)
            if self.is_full or self._chars > caps.MAX_PAGE_CHARS:
                self.is_full = True
                return
            if name and len(parts.sections) == start:
                parts.open(2, name, _place(name, ""), parts.add(f"## {name}"))
            parts.add(text)

    def page(
        self,
        url: str,
        title: str,
        *,
        hidden_sheets: int = 0,
        hidden_rows: int = 0,
        hidden_columns: int = 0,
        is_cut: bool = False,
    ) -> Page:
        """Return the page of all sheets. Raises EmptyFileError. `is_cut`: only a part of a damaged file was read."""
        text = "".join(self._parts.blocks)
        if not text:
            raise EmptyFileError(sentence("{} has no readable text.", url), url=url)
        said: list[str] = []
        if hidden_sheets:
            said.append(sentence("Skipped hidden sheets: {}.", f"{hidden_sheets:,}"))
        if hidden_rows:
            said.append(sentence("Skipped hidden rows: {}.", f"{hidden_rows:,}"))
        if hidden_columns:
            said.append(sentence("Skipped hidden columns: {}.", f"{hidden_columns:,}"))
        if is_cut:
            said.append(CUT_NOTE)
        if self.is_full or len(text) > caps.MAX_PAGE_CHARS:
            said.append(sentence("Only the first {} cells were read.", f"{self._cells:,}"))
            text = cut_at_line(text, caps.MAX_PAGE_CHARS) if len(text) > caps.MAX_PAGE_CHARS else text
        if self._is_cut:
            said.append(sentence("Only the first {} columns were read.", MAX_COLUMNS))
        sections = closed([section for section in self._parts.sections if section.start < len(text)], len(text))
        return Page(url=url, title=title or file_name(url), text=text, sections=sections, note=joined(said))

    def _counted(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the rows until the file has too many cells, without blank cells at their ends."""
        for number, cells in rows:
            self._is_cut = self._is_cut or any(cells[MAX_COLUMNS:])
            room = max(caps.MAX_PAGE_CHARS - self._chars, 0)
            texts = (collapse(storable(each[: room + 1])) for each in cells[:MAX_COLUMNS])
            shown = [text.replace("\\", "\\\\").replace("|", "\\|") for text in texts]
            while shown and not shown[-1]:
                shown.pop()
            self._cells += max(len(shown), 1)
            self._chars += sum(map(len, shown))
            if self._cells > MAX_CELLS or self._chars > caps.MAX_PAGE_CHARS:
                self.is_full = True
                if self._cells > MAX_CELLS:
                    return
                for place, cell in enumerate(shown):
                    shown[place] = cell[:room]
                    room = max(room - len(cell), 0)
            yield number, shown
            if self.is_full:
                return


def _blocks(rows: Iterable[Row]) -> Iterator[tuple[Row, list[Row], bool]]:
    """Yield the header of each table with some of its rows, and whether they are the first. A table of one row has no others."""
    header: Row | None = None
    block: list[Row] = []
    written = last = 0
    for number, cells in rows:
        is_apart = not cells or number > last + 1
        if header is not None and (block or not written) and (is_apart or len(block) == ROWS_PER_SECTION):
            yield header, block, not written
            block, written = [], written + 1
        if is_apart:
            header, written = None, 0
        last = number
        if cells and header is None:
            header = number, cells
        elif cells:
            block.append((number, cells))
    if header is not None and (block or not written):
        yield header, block, not written


def _place(name: str, area: str) -> str | None:
    parts = [f"sheet={quote(name, safe='')}" if name else "", f"range={area}" if area else ""]
    return "&".join(filter(None, parts)) or None


def _column(place: int) -> str:
    """Return the letters of a column: A, …, Z, AA, …"""
    letters = ""
    place += 1
    while place:
        place, digit = divmod(place - 1, _LETTERS)
        letters = chr(ord("A") + digit) + letters
    return letters


def column_number(letters: str) -> int:
    """Return the position of a column from 0: A, …, Z, AA, …"""
    number = 0
    for letter in letters:
        number = number * _LETTERS + ord(letter) - ord("A") + 1
    return number - 1


_SAMPLE_CHARS: Final = 20_000
_DECLARED: Final = re.compile(r"\s*+\"?sep=([^\w\s\"]|\t)\"?[^\S\r\n]*+\r?\n", re.IGNORECASE)
"""The first line of files for Excel, which Excel does not show."""
_SEPARATORS: Final = ("\t", ";", ",", "|")


def extract_delimited(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of a file of separated values. Raises UnsupportedContentError and EmptyFileError."""
    text = read_text(body, url=url, charset=charset)
    declared = _DECLARED.match(text)
    text = text[declared.end() :] if declared else text
    writer = SheetWriter()
    writer.add_sheet("", _rows(text, declared[1] if declared else _separator(text)))
    return writer.page(url, "")


def _rows(text: str, separator: str) -> Iterator[Row]:
    """Yield the rows with their numbers. If an unclosed quotation mark would take the rest of the file, split the lines without quotes."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # Of the whole process: only raise it.
    lines = io.StringIO(text, newline="")
    is_odd = text.count('"') % 2 > 0
    reader = csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE if is_odd else csv.QUOTE_MINIMAL)
    for number in count(1):
        try:
            yield number, next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield number, []


def _separator(text: str) -> str:
    """Return the separator that occurs equally often in most of the first lines; a comma if there is none."""
    lines = [line for line in text[:_SAMPLE_CHARS].splitlines()[:200] if line.strip()]
    best, most = ",", 0
    for separator in _SEPARATORS:
        counts = [line.count(separator) for line in lines]
        usual = max(set(counts), key=counts.count, default=0)
        agreeing = counts.count(usual) if usual else 0
        if agreeing > most:
            best, most = separator, agreeing
    return best
