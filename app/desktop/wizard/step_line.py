"""How far one is in the set-up: a thin line in parts, and the same in words."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desktop.theme import colours, theme
from app.desktop.tokens import XS

HEIGHT = 4


class StepLine(QWidget):
    """One part a step; those reached are coloured."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self._steps, self._here = steps, 0
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.update)

    def show_step(self, place: int) -> None:
        self._here = place
        self.setAccessibleName(self.tr("Step {} of {}").format(place + 1, self._steps))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        width = (self.width() - (self._steps - 1) * XS) / self._steps
        for place in range(self._steps):
            painter.setBrush(QColor(colours().accent if place <= self._here else colours().border))
            painter.drawRoundedRect(QRectF(place * (width + XS), 0, width, HEIGHT), HEIGHT / 2, HEIGHT / 2)
        painter.end()
