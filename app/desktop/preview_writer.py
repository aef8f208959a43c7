"""Writes the blocks of a page into a text document and keeps which shown character is which of the source."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import (
    QColor,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLength,
    QTextTable,
    QTextTableCell,
)

from app.desktop.language import translator
from app.desktop.preview_blocks import Block, Kind
from app.desktop.preview_inline import Look, Run, runs
from app.desktop.preview_looks import (
    Looks,
    block_format,
    cell_format,
    left_of,
    picture_format,
    table_format,
    thin_format,
)
from app.desktop.preview_map import PositionMap
from app.desktop.preview_tables import Width, cells, column_widths, fitted
from app.desktop.theme import colours

if TYPE_CHECKING:
    from app.corpus.records import ImageRecord, LinkRecord

_tr = translator("Preview")

LINE_SEPARATOR = "\u2028"
_UNSHOWABLE = dict.fromkeys([0, 0xFFFC, 0xFDD0, 0xFDD1, 0x2029, *range(0xD800, 0xE000)], "\ufffd")
"""What a text document takes for its own marks."""


class PreviewWriter:
    """Appends to a document. `width` is the room for text in device-independent pixels."""

    def __init__(
        self,
        document: QTextDocument,
        text: str,
        links: Sequence[LinkRecord],
        images: Sequence[ImageRecord],
        width: float,
    ) -> None:
        self.map = PositionMap()
        self.tables: list[tuple[QTextTable, list[Width]]] = []
        self._text = text
        self._links = sorted((link for link in links if link.end > link.start), key=lambda link: link.start)
        self._link_starts = [link.start for link in self._links]
        self._images = sorted(images, key=lambda image: image.position)
        self._image_starts = [image.position for image in self._images]
        self._next_image = 0
        self._width = width
        self._looks = Looks()
        self._widths: list[Width] = []
        self._cursor = QTextCursor(document)
        self._is_fresh = True

    def begin_at(self, offset: int) -> None:
        """Leave out the pictures before an offset."""
        self._next_image = bisect_left(self._image_starts, offset)

    def write(self, block: Block) -> None:
        """Append one block, and before it the pictures that stand there."""
        self._pictures_before(block)
        if block.kind is Kind.TABLE:
            self._write_table(block)
        elif block.kind in (Kind.CODE, Kind.FORMULA):
            self._write_lines(block)
        else:
            self._write_running(block)

    def write_pictures_left(self) -> None:
        """Append the pictures behind the last block."""
        while self._next_image < len(self._images):
            self._write_picture(None)

    def fit(self, width: float) -> None:
        """Give the columns of every table other widths."""
        self._width = width
        self._cursor.beginEditBlock()
        for table, widths in self.tables:
            known = table.format()
            known.setColumnWidthConstraints(fitted(widths, width - known.leftMargin()))
            table.setFormat(known)
        self._cursor.endEditBlock()

    def _pictures_before(self, block: Block) -> None:
        while self._next_image < len(self._images) and self._image_starts[self._next_image] <= block.start:
            self._write_picture(block)

    def _write_picture(self, block: Block | None) -> None:
        image = self._images[self._next_image]
        self._next_image += 1
        words = " ".join((image.caption or image.alt).split())
        self._new_block(picture_format(block), self._looks.of(Look.PLAIN, quiet=True))
        told = (
            _tr("Picture, not stored: {}").format(words) if words else _tr("Picture without a description, not stored")
        )
        self._cursor.insertText(told.translate(_UNSHOWABLE))

    def _write_running(self, block: Block) -> None:
        self._new_block(block_format(block), self._looks.of(Look.PLAIN, level=block.level))
        for place, line in enumerate(runs(self._text, block.lines)):
            if place:
                self._separate(block.lines[place - 1][1], block.lines[place][0])
            for run in line:
                self._write_run(run, self._looks.of(run.look, level=block.level))

    def _write_lines(self, block: Block) -> None:
        is_code = block.kind is Kind.CODE
        look = self._looks.of(Look.PLAIN if is_code else Look.FORMULA, code=True)
        self._new_block(block_format(block), look)
        for place, (start, end) in enumerate(block.lines):
            if place:
                self._separate(block.lines[place - 1][1], start)
            self._write_run(Run(start, end), look)

    def _separate(self, before: int, after: int) -> None:
        """A new line in the same block; it stands for the line end of the source."""
        if before < len(self._text) and self._text[before] == "\n" and before < after:
            self.map.add(before, self._cursor.position(), 1, 1)
        self._cursor.insertText(LINE_SEPARATOR)

    def _write_table(self, block: Block) -> None:
        rows = [cells(self._text, start, end) for start, end in block.lines]
        columns = max((len(row) for row in rows), default=0)
        if not columns:
            return
        if block.is_first or len(self._widths) < columns:
            self._widths = column_widths([[self._text[start:end] for start, end in row] for row in rows])
        look = table_format(block, self._lengths(block))
        if block.is_first:
            look.setHeaderRowCount(1)
        self._leave_thin_block()
        table = self._cursor.insertTable(len(rows), max(columns, len(self._widths)), look)
        self.tables.append((table, self._widths))
        for place, row in enumerate(rows):
            self._write_row(table, place, row, is_head=block.is_first and place == 0)
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        self._cursor.setBlockFormat(thin_format())
        self._is_fresh = False

    def _lengths(self, block: Block) -> list[QTextLength]:
        return fitted(self._widths, self._width - left_of(block))

    def _leave_thin_block(self) -> None:
        """A table stands between two lines; what is there already stays, an empty one loses its height."""
        if self._is_fresh:
            self._cursor.setBlockFormat(thin_format())

    def _write_row(self, table: QTextTable, place: int, row: Sequence[tuple[int, int]], *, is_head: bool) -> None:
        for column, (start, end) in enumerate(row):
            cell = table.cellAt(place, column)
            self._cursor = cell.firstCursorPosition()
            self._cursor.setBlockFormat(cell_format())
            if is_head:
                self._tint(cell)
            for run in runs(self._text, [(start, end)], is_cell=True)[0]:
                self._write_run(run, self._looks.of(run.look | Look.STRONG if is_head else run.look))

    def _tint(self, cell: QTextTableCell) -> None:
        look = cell.format()
        look.setBackground(QColor(colours().sunken))
        cell.setFormat(look)

    def _new_block(self, look: QTextBlockFormat, characters: QTextCharFormat) -> None:
        if self._is_fresh:
            self._cursor.setBlockFormat(look)
            self._cursor.setBlockCharFormat(characters)
            self._is_fresh = False
        else:
            self._cursor.insertBlock(look, characters)

    def _write_run(self, run: Run, look: QTextCharFormat) -> None:
        """A run, with the links that lie on it."""
        if run.target:
            self._put(run.start, run.end, self._looks.link(look, run.target))
            return
        place = run.start
        at = max(0, bisect_right(self._link_starts, run.start) - 1)
        while at < len(self._links) and self._links[at].start < run.end:
            link = self._links[at]
            first, last = max(place, link.start), min(run.end, link.end)
            if first < last:
                self._put(place, first, look)
                self._put(first, last, self._looks.link(look, link.url))
                place = last
            at += 1
        self._put(place, run.end, look)

    def _put(self, start: int, end: int, look: QTextCharFormat) -> None:
        if start >= end:
            return
        shown = self._text[start:end].translate(_UNSHOWABLE)
        place = self._cursor.position()
        if shown.isascii() or max(shown) <= "\uffff":
            self.map.add(start, place, end - start, end - start)
        else:
            self._map_wide(shown, start, place)
        self._cursor.insertText(shown, look)

    def _map_wide(self, shown: str, start: int, place: int) -> None:
        """Characters beyond the basic plane take two places."""
        for offset, character in enumerate(shown):
            units = 2 if character > "\uffff" else 1
            self.map.add(start + offset, place, 1, units)
            place += units
