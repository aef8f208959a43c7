"""Positions in a shown page: highlighted passages with their exact characters, and search matches."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from app.desktop.preview.writer import PositionMap
from app.desktop.theme import colours, fill_shape

MAX_MARKED: Final = 300  # Maximum number of highlighted passages: the nearest to the current one.
BAR_LEFT, BAR_WIDTH = 8.0, 4.0

Span = tuple[int, int]

MAX_FOUND: Final = 2_000
PIECE_CHARS: Final = 400_000  # Characters to search at a time.
MAX_WORDS_CHARS: Final = 200
_BETWEEN: Final = r"[\s*`~|>]+"


def marked(
    document: QTextDocument, known: PositionMap, spans: Sequence[Span], pointed: Span | None, shown: Span
) -> list[QTextEdit.ExtraSelection]:
    """Return the selections that a text view paints, limited to the shown part of the source."""
    scheme = colours()
    near = [span for span in spans if span != pointed and span[0] < shown[1] and span[1] > shown[0]]
    if len(near) > MAX_MARKED:
        middle = bisect_left(near, pointed or (0, 0))
        first = max(0, min(middle - MAX_MARKED // 2, len(near) - MAX_MARKED))
        near = near[first : first + MAX_MARKED]
    made = [each for span in near for each in _selections(document, known.shown(*span), scheme.found)]
    if pointed is not None:
        made += _selections(document, known.shown(*pointed), scheme.mark)
    return made


def _selections(document: QTextDocument, places: Sequence[Span], ground: str) -> Iterator[QTextEdit.ExtraSelection]:
    """Yield one selection per line range. A selection over several table cells would include whole cells."""
    look = QTextCharFormat()
    look.setBackground(QColor(ground))
    look.setForeground(QColor(colours().text))
    for start, end in places:
        made = QTextEdit.ExtraSelection()
        cursor = QTextCursor(document)
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        made.cursor = cursor
        made.format = look
        yield made


def paint_mark_bar(painter: QPainter, document: QTextDocument, places: Sequence[Span]) -> None:
    """Paint a bar in the margin next to the passage, for users who cannot distinguish the colors."""
    if not places:
        return
    top = _line(document, places[0][0]).top()
    bottom = _line(document, max(places[-1][0], places[-1][1] - 1)).bottom()
    fill_shape(painter, QRectF(BAR_LEFT, top, BAR_WIDTH, max(10.0, bottom - top)), colours().warning, 2)


def _line(document: QTextDocument, place: int) -> QRectF:
    """Return the line at a position in document coordinates."""
    block = document.findBlock(place)
    area = document.documentLayout().blockBoundingRect(block)
    line = block.layout().lineForTextPosition(place - block.position())
    if not line.isValid():
        return area
    return QRectF(area.left(), area.top() + line.y(), area.width(), line.height())


def places(text: str, words: str) -> Iterator[list[tuple[int, int]]]:
    """Yield the matches of the words, one part of the text at a time. Markdown marks can be between two words."""
    parts = [re.escape(part) for part in words[:MAX_WORDS_CHARS].split()]
    if not parts:
        return
    pattern = re.compile(_BETWEEN.join(parts), re.IGNORECASE)
    place = 0
    while place < len(text):
        limit = min(len(text), place + PIECE_CHARS)
        # A match that begins in this part can end in the next one.
        found = [match.span() for match in pattern.finditer(text, place, min(len(text), limit + 2 * MAX_WORDS_CHARS))]
        yield [span for span in found if span[0] < limit]
        place = limit


class Findings:
    """The matches found so far, and the current one. `is_cut`: there are more than are kept."""

    def __init__(self) -> None:
        self.places: list[tuple[int, int]] = []
        self.current = -1
        self.is_cut = False

    def clear(self) -> None:
        self.places, self.current, self.is_cut = [], -1, False

    def add(self, more: list[tuple[int, int]]) -> None:
        self.places += more
        if len(self.places) > MAX_FOUND:
            del self.places[MAX_FOUND:]
            self.is_cut = True

    def step(self, by: int) -> tuple[int, int] | None:
        """Go to the next or previous match, wrapping around."""
        if not self.places:
            return None
        self.current = (self.current + by) % len(self.places)
        return self.places[self.current]

    def start_from(self, offset: int) -> tuple[int, int] | None:
        """Go to the first match at or after an offset, otherwise to the first of all."""
        if not self.places:
            return None
        at = bisect_left(self.places, (offset, 0))
        self.current = at if at < len(self.places) else 0
        return self.places[self.current]
