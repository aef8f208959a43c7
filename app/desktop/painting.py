"""Painting of shapes and text for delegates and drawings."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.desktop.theme import colours

LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def fill_shape(
    painter: QPainter, area: QRect | QRectF, fill: str, radius: float, *, edge: str = "", width: float = 1
) -> None:
    """Draw a rounded rectangle; an empty color omits the fill or border."""
    painter.setPen(QPen(QColor(edge), width) if edge else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(fill) if fill else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(area), radius, radius)


def draw_words(
    painter: QPainter,
    area: QRect | QRectF,
    text: str,
    colour: str,
    align: Qt.AlignmentFlag = LEFT,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Draw one line of text in the painter's font, elided to fit the area."""
    painter.setPen(QColor(colour))
    shown = QFontMetricsF(painter.font()).elidedText(text, mode, area.width())
    painter.drawText(QRectF(area), align, shown)


def draw_share(painter: QPainter, track: QRectF, share: float, colour: str) -> None:
    """Draw a bar filled from the left; `share` is from 0 to 1."""
    radius = track.height() / 2
    fill_shape(painter, track, colours().border, radius)
    if share > 0:
        filled = QRectF(track)
        filled.setWidth(max(track.height(), track.width() * min(1.0, share)))
        fill_shape(painter, filled, colour, radius)
