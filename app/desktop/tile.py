"""The picture of an assistant: its initials on a coloured tile of our own, no maker's logo."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.clients import CLIENTS
from app.desktop.icons import pixmap
from app.desktop.theme import colours, theme

NAMELESS: Final = "other"
SERIES: Final = ("series_1", "series_2", "series_3", "series_4", "series_5")


@lru_cache(maxsize=64)
def monogram(title: str) -> str:
    """Two letters: Claude Desktop CD, Cursor Cu, VS Code VS."""
    words = title.split()
    if len(words) > 1 and not words[0].isupper():
        return (words[0][0] + words[1][0]).upper()
    return words[0][:2] if words else ""


@lru_cache(maxsize=64)
def series_of(name: str) -> str:
    """The colour of an assistant, a field of Colours; neighbours in the list have different ones."""
    names = [profile.name for profile in CLIENTS]
    return SERIES[names.index(name) % len(SERIES)] if name in names else ""


def paint_tile(painter: QPainter, area: QRectF, name: str, title: str, *, present: bool) -> None:
    """Draw the tile; one that is not present is drawn in grey, a nameless one with the sign of a plug."""
    scheme, series = colours(), series_of(name)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen if present and series else QColor(scheme.border))
    painter.setBrush(QColor(getattr(scheme, series) if present and series else scheme.sunken))
    painter.drawRoundedRect(area, area.width() * 0.25, area.width() * 0.25)
    if name != NAMELESS:
        painter.setPen(QColor(scheme.on_accent if present and series else scheme.muted))
        painter.setFont(_letters(area.height()))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, monogram(title))
    else:
        side = round(area.height() * 0.56)
        picture = pixmap("clients", side, "muted", ratio=painter.device().devicePixelRatioF())
        painter.drawPixmap(round(area.center().x() - side / 2), round(area.center().y() - side / 2), picture)
    painter.restore()


def _letters(height: float) -> QFont:
    font = QFont(QApplication.font())
    font.setPixelSize(max(9, round(height * 0.38)))
    font.setWeight(QFont.Weight.Bold)
    return font


class Tile(QWidget):
    """The picture as a widget; the title stands beside it, so it has no words for screen readers."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.setFixedSize(size, size)
        self._name, self._title, self._present = "", "", False
        theme().changed.connect(self.update)

    def show_assistant(self, name: str, title: str, *, present: bool) -> None:
        self._name, self._title, self._present = name, title, present
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        paint_tile(painter, area, self._name, self._title, present=self._present)
        painter.end()
