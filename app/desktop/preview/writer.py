"""Writer of page blocks into a text document, with a map between source offsets and document positions."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6 import QtGui

from app.desktop.formulas import readable, shown_formula
from app.desktop.preview import looks
from app.desktop.preview.blocks import MAX_ROW_CHARS, Block
from app.desktop.preview.code import MAX_CODE_CHARS, Highlighter
from app.desktop.preview.looks import Look, Looks, Run
from app.desktop.preview.pictures import GAP as PICTURE_GAP
from app.desktop.preview.pictures import SCHEME, ShownPictures
from app.desktop.theme import colours, scaled_font
from app.desktop.wording import translator
from app.library.records import ImageRecord, LinkRecord
from app.text.markdown_blocks import Kind

_tr = translator("Preview")

MAX_COLUMNS: Final = 60
MEASURED_CHARS: Final = 100  # Maximum number of a cell's characters that determine the column width.
ROUNDING: Final = 2.0  # Width that a table gains if Qt rounds its columns up.
MEASURED_ROWS: Final = 30  # Number of rows after the first piece of a table that determine the column widths too.
MIN_WIDTH, MAX_LEAST = 40.0, 150.0
WIDEST_CELL: Final = 260.0  # Maximum width of a column in a table that scrolls sideways.
SLIGHTLY: Final = 1.25  # A table that exceeds the width by less than this factor is only as wide as its longest words.
PADDING: Final = 18.0  # Space next to a cell's text on both sides, including the line.
_LANGUAGE: Final = re.compile(r"[ \t]*(?:`+|~+)[ \t]*\{?\.?([\w+#-]*)")
_PIPE: Final = re.compile(r"(?<!\\)\|")

LINE_SEPARATOR = "\u2028"
_UNSHOWABLE = dict.fromkeys([0, 0xFFFC, 0xFDD0, 0xFDD1, 0x2029, *range(0xD800, 0xE000)], "\ufffd")
"""Characters that a text document uses internally."""


class PositionMap:
    """Parts of the source in the order shown. Document positions are in UTF-16 units, as in Qt."""

    def __init__(self) -> None:
        self._sources: list[int] = []
        self._places: list[int] = []
        self._lengths: list[int] = []
        self._units: list[int] = []

    def add(self, source: int, place: int, length: int, units: int) -> None:
        """Add `length` characters from `source` that are shown at `place` as `units`. Both positions only grow."""
        if self._sources and length == units and self._lengths[-1] == self._units[-1]:
            before = self._lengths[-1]
            if self._sources[-1] + before == source and self._places[-1] + before == place:
                self._lengths[-1] = self._units[-1] = before + length
                return
        self._sources.append(source)
        self._places.append(place)
        self._lengths.append(length)
        self._units.append(units)

    @property
    def end(self) -> int:
        """The offset after the last shown character of the source."""
        return self._sources[-1] + self._lengths[-1] if self._sources else 0

    def shown(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the ranges of the document that show a range of the source."""
        found: list[tuple[int, int]] = []
        for at in range(max(0, bisect_right(self._sources, start) - 1), len(self._sources)):
            source, length = self._sources[at], self._lengths[at]
            if source >= end:
                break
            first, last = max(start, source), min(end, source + length)
            if first >= last:
                continue
            place = self._places[at]
            is_plain = self._units[at] == length
            piece = (place + first - source, place + last - source) if is_plain else (place, place + self._units[at])
            found.append(piece)
        return found

    def place_of(self, source: int) -> int:
        """Return the position of the first shown character at or after an offset, or the end of the last one."""
        at = bisect_right(self._sources, source) - 1
        if at >= 0 and source < self._sources[at] + self._lengths[at]:
            step = source - self._sources[at] if self._units[at] == self._lengths[at] else 0
            return self._places[at] + step
        if at + 1 < len(self._places):
            return self._places[at + 1]
        return self._places[-1] + self._units[-1] if self._places else 0

    def source_of(self, place: int) -> int:
        """Return the offset of the character at a position, or of the last one before it."""
        at = bisect_left(self._places, place + 1) - 1
        if at < 0:
            return self._sources[0] if self._sources else 0
        return self._sources[at] + min(place - self._places[at], self._lengths[at])


def cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the ranges of a row's cells without surrounding spaces."""
    first = start + 1 if text.startswith("|", start) else start
    bars = [match.start() for match in _PIPE.finditer(text, first, end)]
    if not bars or bars[-1] < end - 1:
        bars.append(end)
    if len(bars) > MAX_COLUMNS:
        bars = [*bars[: MAX_COLUMNS - 1], bars[-1]]
    found, place = [], first
    for bar in bars:
        piece = text[place:bar]
        left = place + len(piece) - len(piece.lstrip())
        found.append((left, place + len(piece.rstrip())) if piece.strip() else (place, place))
        place = bar + 1
    return found


@dataclass(frozen=True, slots=True)
class Width:
    """Widths of a column: `wanted` fits its longest cell on one line, `least` breaks no word."""

    wanted: float
    least: float


def column_widths(rows: Sequence[Sequence[str]]) -> list[Width]:
    """Measure each column: up to MEASURED_CHARS of its longest cell and MAX_LEAST of its longest word."""
    metrics = QtGui.QFontMetricsF(scaled_font(1.04, bold=True))
    columns = max((len(row) for row in rows), default=0)
    made = []
    for column in range(columns):
        cells_there = [row[column] for row in rows if column < len(row)]
        wanted = max(metrics.horizontalAdvance(cell[:MEASURED_CHARS]) for cell in cells_there)
        words = {max(cell[:MEASURED_CHARS].split(), key=len, default="") for cell in cells_there}
        least = max(metrics.horizontalAdvance(word) for word in words)
        made.append(Width(max(MIN_WIDTH, wanted + PADDING), min(MAX_LEAST, max(MIN_WIDTH, least + PADDING))))
    return made


def fitted(widths: Sequence[Width], room: float) -> list[QtGui.QTextLength]:
    """Return the wanted widths if they fit, otherwise shares of the full width. Narrow columns shrink last.

    If there are too many columns to show whole words, the table becomes wider than the room.
    """
    room -= len(widths) + 1  # The lines between the columns.
    if sum(each.wanted for each in widths) <= room:
        return [QtGui.QTextLength(QtGui.QTextLength.Type.FixedLength, each.wanted) for each in widths]
    least = sum(each.least for each in widths)
    if least > room:
        most = WIDEST_CELL if least > SLIGHTLY * room else 0.0
        fixed = [max(each.least, min(each.wanted, most)) for each in widths]
        return [QtGui.QTextLength(QtGui.QTextLength.Type.FixedLength, width) for width in fixed]
    free, shares = room - least, [each.least for each in widths]
    by_need = sorted(range(len(widths)), key=lambda column: widths[column].wanted - widths[column].least)
    for done, column in enumerate(by_need):
        more = min(widths[column].wanted - widths[column].least, free / (len(widths) - done))
        shares[column], free = shares[column] + more, free - more
    return [
        QtGui.QTextLength(QtGui.QTextLength.Type.PercentageLength, 100 * share / (room + ROUNDING)) for share in shares
    ]


class PreviewWriter:
    """Appends blocks to a document. `width` is the text width in device-independent pixels; images and
    `labels` before `start` are omitted. Labels are lines that WebRAG adds.
    """

    def __init__(
        self,
        document: QtGui.QTextDocument,
        text: str,
        links: Sequence[LinkRecord],
        images: Sequence[ImageRecord],
        pictures: ShownPictures,
        width: float,
        start: int = 0,
        labels: Sequence[tuple[int, str]] = (),
    ) -> None:
        self.map = PositionMap()
        self.tables: list[tuple[QtGui.QTextTable, list[Width]]] = []
        self._text = text
        self._links = sorted((link for link in links if link.end > link.start), key=lambda link: link.start)
        self._link_starts = [link.start for link in self._links]
        self._images = sorted(enumerate(images), key=lambda entry: entry[1].position)
        self._image_starts = [image.position for _, image in self._images]
        self._pictures = pictures
        self._picture_blocks: list[int] = []
        self._next_image = bisect_left(self._image_starts, start)
        self._labels = deque(label for label in labels if label[0] >= start)
        self._width = width
        self._looks = Looks()
        self._widths: list[Width] = []
        self._cursor = QtGui.QTextCursor(document)
        self._is_fresh = True
        self._is_from_beginning = start == 0
        self._is_after_box = False
        self._code: Highlighter  # Of the current code block, since its first line.
        self._code_chars = 0

    def write(self, block: Block) -> None:
        """Append a block, preceded by the images before it."""
        while self._next_image < len(self._images) and self._image_starts[self._next_image] <= block.start:
            self._write_picture(block)
        while self._labels and self._labels[0][0] <= block.start:
            self._new_block(looks.label_format(), self._looks.of(Look.PLAIN, quiet=True))
            self._cursor.insertText(self._labels.popleft()[1])
            self._is_after_box = False
        if block.kind is Kind.TABLE:
            self._write_table(block)
        elif block.kind in looks.BOXED:
            self._write_lines(block)
        else:
            self._new_block(looks.block_format(block), self._looks.of(Look.PLAIN, level=block.level))
            for place, line in enumerate(looks.runs(self._text, block.lines)):
                if place:
                    self._separate(block.lines[place - 1][1], block.lines[place][0])
                for run in line:
                    self._write_run(run, self._looks.of(run.look, level=block.level))
        self._is_after_box = block.kind in looks.BOXED

    def write_pictures_left(self) -> None:
        """Append the images after the last block."""
        while self._next_image < len(self._images):
            self._write_picture(None)

    def fit(self, width: float) -> None:
        """Adapt the columns of every table to another width."""
        self._width = width
        self._cursor.beginEditBlock()
        for table, widths in self.tables:
            known = table.format()
            known.setColumnWidthConstraints(fitted(widths, width - known.leftMargin()))
            table.setFormat(known)
        for place in self._picture_blocks:
            block = self._cursor.document().findBlockByNumber(place)
            look = block.blockFormat()
            self._give_room(look)
            QtGui.QTextCursor(block).setBlockFormat(look)
        self._cursor.endEditBlock()

    def _write_picture(self, block: Block | None) -> None:
        number, image = self._images[self._next_image]
        self._next_image += 1
        if number in self._pictures:
            self._show_picture(block, number)
            return
        if self._is_fresh and self._is_from_beginning and not image.caption:
            # Above the text of nearly every page is the logo of its site.
            return
        words = self._pictures.words(number)
        self._new_block(looks.picture_format(block), self._looks.of(Look.PLAIN, quiet=True))
        told = _tr("Image, not saved: {}") if words else _tr("Image without a description, not saved")
        self._cursor.insertText(told.format(words).translate(_UNSHOWABLE))

    def _show_picture(self, block: Block | None, number: int) -> None:
        """Write the caption of an image, which is painted above it. The caption links to the image."""
        look = looks.picture_format(block, number)
        self._give_room(look)
        quiet = self._looks.of(Look.PLAIN, quiet=True)
        if self._is_fresh:
            # A document ignores the margin above its first block.
            self._leave_thin_block()
            self._is_fresh = False
        self._new_block(look, quiet)
        self._picture_blocks.append(self._cursor.blockNumber())
        words = self._pictures.words(number) or _tr("Image without a description")
        near = self._text[block.start : block.start + 2 * len(words)] if block is not None else ""
        if " ".join(near.split()).startswith(words):
            # The caption is part of the text and comes next.
            words = _tr("Show the image on its own")
        link = QtGui.QTextCharFormat(quiet)
        link.setAnchor(True)
        link.setAnchorHref(f"{SCHEME}{number}")
        self._cursor.insertText(words.translate(_UNSHOWABLE), link)

    def _give_room(self, look: QtGui.QTextBlockFormat) -> None:
        height = self._pictures.size(look.intProperty(looks.PICTURE_PROPERTY), self._width - look.leftMargin()).height()
        look.setTopMargin(looks.GAP + height + PICTURE_GAP)

    def _write_lines(self, block: Block) -> None:
        is_code = block.kind is Kind.FENCE
        look = self._looks.of(Look.PLAIN if is_code else Look.FORMULA, code=True)
        box = looks.block_format(block)
        if self._is_after_box and block.is_first:
            box.setTopMargin(box.topMargin() + looks.BOX_PADDING)
        if is_code and block.is_first:
            fence = _LANGUAGE.match(self._text, block.start, block.start + 80)
            self._code = Highlighter(fence[1] if fence else "")
        self._new_block(box, look)
        for place, (start, end) in enumerate(block.lines):
            if place:
                self._separate(block.lines[place - 1][1], start)
            if is_code:
                self._code_chars += end - start
                written = start
                if self._code_chars <= MAX_CODE_CHARS:
                    for first, last, token in self._code.tokens(self._text[start:end]):
                        self._write_run(Run(written, start + first), look)
                        written = start + last
                        self._write_run(Run(start + first, written), self._looks.of_token(token))
                self._write_run(Run(written, end), look)
            else:
                self._put_formula(start, end, readable(self._text[start:end]), look)

    def _separate(self, before: int, after: int) -> None:
        """Start a new line in the same block. It represents the line break of the source."""
        if before < len(self._text) and self._text[before] == "\n" and before < after:
            self.map.add(before, self._cursor.position(), 1, 1)
        self._cursor.insertText(LINE_SEPARATOR)

    def _write_table(self, block: Block) -> None:
        rows = [cells(self._text, start, end) for start, end in block.lines]
        columns = max((len(row) for row in rows), default=0)
        if not columns:
            return
        has_head = block.is_first and any(self._text[start:end].strip() for start, end in rows[0])
        if block.is_first and not has_head and len(rows) > 1:
            del rows[0]  # Markdown has no tables without a header
        if block.is_first or len(self._widths) < columns:
            measured = (*rows, *self._rows_after(block))
            self._widths = column_widths([[self._text[start:end] for start, end in row] for row in measured])
        look = looks.table_format(
            block, fitted(self._widths, self._width - looks.left_of(block)), is_after_box=self._is_after_box
        )
        if has_head:
            look.setHeaderRowCount(1)
        self._leave_thin_block()
        table = self._cursor.insertTable(len(rows), max(columns, len(self._widths)), look)
        self.tables.append((table, self._widths))
        for place, row in enumerate(rows):
            self._write_row(table, place, row, is_head=has_head and place == 0)
        self._cursor.movePosition(QtGui.QTextCursor.MoveOperation.End)
        self._cursor.setBlockFormat(looks.thin_format())
        self._is_fresh = False

    def _rows_after(self, block: Block) -> Iterator[list[tuple[int, int]]]:
        """Yield the next rows of a table that is written in several pieces, which all have the same columns."""
        place = block.end + 1
        for _ in range(0 if block.is_last else MEASURED_ROWS):
            end = self._text.find("\n", place)
            if not self._text.startswith("|", place) or end < 0 or end - place > MAX_ROW_CHARS:
                return
            yield cells(self._text, place, end)
            place = end + 1

    def _leave_thin_block(self) -> None:
        """Make room for a table between two lines. An empty line loses its height, other text stays."""
        if self._is_fresh:
            self._cursor.setBlockFormat(looks.thin_format())

    def _write_row(self, table: QtGui.QTextTable, place: int, row: Sequence[tuple[int, int]], *, is_head: bool) -> None:
        for column, (start, end) in enumerate(row):
            cell = table.cellAt(place, column)
            self._cursor = cell.firstCursorPosition()
            self._cursor.setBlockFormat(looks.cell_format())
            if is_head:
                tinted = cell.format()
                tinted.setBackground(QtGui.QColor(colours().sunken))
                cell.setFormat(tinted)
            for run in looks.runs(self._text, [(start, end)], is_cell=True)[0]:
                self._write_run(run, self._looks.of(run.look | Look.STRONG if is_head else run.look))

    def _new_block(self, look: QtGui.QTextBlockFormat, characters: QtGui.QTextCharFormat) -> None:
        if self._is_fresh:
            self._cursor.setBlockFormat(look)
            self._cursor.setBlockCharFormat(characters)
            self._is_fresh = False
        else:
            self._cursor.insertBlock(look, characters)

    def _write_run(self, run: Run, look: QtGui.QTextCharFormat) -> None:
        """Write a run with the links in it."""
        if run.look & Look.FORMULA:
            self._put_formula(run.start, run.end, shown_formula(self._text[run.start : run.end]), look)
            return
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

    def _put_formula(self, start: int, end: int, readable_text: str, look: QtGui.QTextCharFormat) -> None:
        """Write a formula. If it is shown differently than its source, it is found and highlighted as a whole."""
        before, inner, behind = self._text[start:end].partition(readable_text)
        if inner and not (before + behind).strip("$"):
            self._put(start + len(before), end - len(behind), look)
            return
        shown = readable_text.translate(_UNSHOWABLE)
        self.map.add(start, self._cursor.position(), end - start, len(shown.encode("utf-16-le")) // 2)
        self._cursor.insertText(shown, look)

    def _put(self, start: int, end: int, look: QtGui.QTextCharFormat) -> None:
        if start >= end:
            return
        shown = self._text[start:end].translate(_UNSHOWABLE)
        place = self._cursor.position()
        if shown.isascii() or max(shown) <= "\uffff":
            self.map.add(start, place, end - start, end - start)
        else:
            for offset, character in enumerate(shown):
                # Characters beyond the Basic Multilingual Plane take two units.
                units = 2 if character > "\uffff" else 1
                self.map.add(start + offset, place, 1, units)
                place += units
        self._cursor.insertText(shown, look)
