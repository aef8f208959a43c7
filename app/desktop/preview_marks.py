"""Passages marked in a shown page: exactly their characters, wherever in blocks, cells and code they stand."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from app.desktop.preview_map import PositionMap
from app.desktop.theme import colours

MAX_MARKED: Final = 300
"""Passages painted at once: those nearest to the one that is pointed at."""
BAR_LEFT, BAR_WIDTH = 8.0, 4.0

Span = tuple[int, int]


def marked(
    document: QTextDocument, known: PositionMap, spans: Sequence[Span], pointed: Span | None, shown: Span
) -> list[QTextEdit.ExtraSelection]:
    """What a text view has to paint; only of the part of the source that is shown."""
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
    """One for each stretch: a selection over several cells of a table would take in whole cells."""
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
    """A bar in the margin beside the passage, for those who do not tell the colours apart."""
    if not places:
        return
    top = _line(document, places[0][0]).top()
    bottom = _line(document, max(places[-1][0], places[-1][1] - 1)).bottom()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours().warning))
    painter.drawRoundedRect(QRectF(BAR_LEFT, top, BAR_WIDTH, max(10.0, bottom - top)), 2, 2)


def _line(document: QTextDocument, place: int) -> QRectF:
    """The line of a place, in the coordinates of the document."""
    block = document.findBlock(place)
    area = document.documentLayout().blockBoundingRect(block)
    line = block.layout().lineForTextPosition(place - block.position())
    if not line.isValid():
        return area
    return QRectF(area.left(), area.top() + line.y(), area.width(), line.height())
