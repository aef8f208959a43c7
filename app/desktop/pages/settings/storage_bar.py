"""What the disk space is used for: one bar of parts, and a legend with their sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.desktop.theme import colours, theme
from app.desktop.tokens import XL, XS, M, S
from app.desktop.widgets import ElidedLabel, label
from app.desktop.wording import size

BAR_HEIGHT = 14
DOT = 9
COLUMNS = 2
LEAST_WIDTH = 3.0
"""A part that is there can be seen, however small it is."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the bar; `role` names its field of Colours."""

    title: str
    bytes: int
    role: str
    hint: str = ""


def widths(parts: Sequence[Part], width: float) -> list[float]:
    """The width of each part in pixels; the sum is at most `width`."""
    total = sum(part.bytes for part in parts)
    if not total:
        return [0.0] * len(parts)
    raw = [max(LEAST_WIDTH, width * part.bytes / total) if part.bytes else 0.0 for part in parts]
    return [each * width / sum(raw) for each in raw]


class Bar(QWidget):
    """The parts beside each other."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: tuple[Part, ...] = ()
        self.setFixedHeight(BAR_HEIGHT)
        theme().changed.connect(self.update)

    def show_parts(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(parts)
        self.setAccessibleDescription(", ".join(f"{part.title} {size(part.bytes)}" for part in parts))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        scheme = colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), BAR_HEIGHT / 2, BAR_HEIGHT / 2)
        painter.setClipPath(outline)
        painter.fillRect(self.rect(), QColor(scheme.sunken))
        left = 0.0
        for part, width in zip(self.parts, widths(self.parts, self.width()), strict=True):
            painter.fillRect(QRectF(left, 0, max(0.0, width - 1), BAR_HEIGHT), QColor(getattr(scheme, part.role)))
            left += width
        painter.end()


class Dot(QWidget):
    """The colour of a part in the legend."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._role = role
        self.setFixedSize(DOT, DOT)
        theme().changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(colours().strong_border))
        painter.setBrush(QColor(getattr(colours(), self._role)))
        painter.drawRoundedRect(QRectF(0.5, 0.5, DOT - 1, DOT - 1), 3, 3)
        painter.end()


class StorageBar(QWidget):
    """Bar and legend; the legend keeps its room while the sizes are not known."""

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.bar = Bar()
        self.bar.setAccessibleName(self.tr("Disk space by kind"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, XS, 0, 0)
        column.setSpacing(M)
        column.addWidget(self.bar)
        grid = QGridLayout()
        grid.setHorizontalSpacing(XL)
        grid.setVerticalSpacing(XS)
        self.sizes = []
        for place, part in enumerate(parts):
            shown = label("–", "muted")
            entry = QHBoxLayout()
            entry.setSpacing(S)
            entry.addWidget(Dot(part.role))
            name = ElidedLabel(part.title)
            name.setAccessibleDescription(part.hint)
            entry.addWidget(name, 1)
            entry.addWidget(shown)
            grid.addLayout(entry, place // COLUMNS, place % COLUMNS)
            shown.setToolTip(part.hint)
            self.sizes.append(shown)
        for place in range(COLUMNS):
            grid.setColumnStretch(place, 1)
        column.addLayout(grid)

    def show_parts(self, parts: Sequence[Part]) -> None:
        """The same parts with their sizes."""
        self.bar.show_parts(parts)
        for shown, part in zip(self.sizes, parts, strict=True):
            shown.setText(size(part.bytes))
