"""The first lines of a text, as many as there is room for."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desktop.theme import colours

BREAK: Final = "\u2028"
"""Begins a line within a text that is laid out as one."""


class Excerpt(QWidget):
    """Paints whole lines and shortens the last one, so that no line is cut in its height."""

    def __init__(self, name: str, lines: int = 0) -> None:
        """With `lines` it is always as high as so many."""
        super().__init__()
        self._lines = lines
        self._name = name
        self._text = ""
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    @property
    def text(self) -> str:
        return self._text

    def show_text(self, text: str) -> None:
        paragraphs = (" ".join(line.split()) for line in text.splitlines())
        self._text = BREAK.join(paragraph for paragraph in paragraphs if paragraph)
        self.setAccessibleDescription(self._text.replace(BREAK, " "))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, (self._lines or 3) * QFontMetrics(self.font()).lineSpacing())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, (self._lines or 1) * QFontMetrics(self.font()).lineSpacing())

    def paintEvent(self, _event: QPaintEvent) -> None:
        metrics = QFontMetrics(self.font())
        room = max(1, self.height() // metrics.lineSpacing())
        layout = QTextLayout(self._text, self.font())
        layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
        painter = QPainter(self)
        painter.setPen(QColor(colours().muted))
        layout.beginLayout()
        for number in range(room):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(self.width())
            top = number * metrics.lineSpacing()
            if number == room - 1:
                painter.drawText(QPointF(0, top + metrics.ascent()), self._last_line(line.textStart(), metrics))
            else:
                line.draw(painter, QPointF(0, top))
            line.setPosition(QPointF(0, top))
        layout.endLayout()
        painter.end()

    def _last_line(self, start: int, metrics: QFontMetrics) -> str:
        """What is left of the paragraph, shortened; with a mark where other paragraphs follow."""
        rest, follows, _ = self._text[start:].partition(BREAK)
        marked = f"{rest} …" if follows else rest
        return metrics.elidedText(marked, Qt.TextElideMode.ElideRight, self.width())
