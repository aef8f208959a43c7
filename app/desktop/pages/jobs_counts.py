"""What became of the pages of a job: one bar in parts, and each part in words below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desktop.models.jobs import parts_of
from app.desktop.theme import colours, scaled_font, theme
from app.desktop.tokens import L, S

if TYPE_CHECKING:
    from app.desktop.models.jobs import JobPart, JobRow

BAR: Final = 8.0
SWATCH: Final = 9.0


class CountsBar(QWidget):
    """Keeps its height, so that nothing below it moves while a job goes on."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: tuple[JobPart, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("What became of the pages"))
        theme().changed.connect(self.update)
        self.show_job(None)

    @property
    def text(self) -> str:
        """The parts in words."""
        return ", ".join(part.text for part in self._parts)

    def show_job(self, job: JobRow | None) -> None:
        """Draw the pages of a job."""
        self._parts = parts_of(job) if job is not None else ()
        self.setAccessibleDescription(self.text)
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, round(BAR + S + QFontMetricsF(scaled_font(0.9)).height() + 2))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_bar(painter)
        self._paint_words(painter)
        painter.end()

    def _paint_bar(self, painter: QPainter) -> None:
        track = QRectF(0, 0, self.width(), BAR)
        shape = QPainterPath()
        shape.addRoundedRect(track, BAR / 2, BAR / 2)
        painter.save()
        painter.setClipPath(shape)
        painter.fillRect(track, QColor(colours().border))
        total = max(1, sum(part.count for part in self._parts))
        left = 0.0
        for part in self._parts:
            width = track.width() * part.count / total
            painter.fillRect(QRectF(left, 0, max(0.0, width - 1), BAR), QColor(getattr(colours(), part.colour)))
            left += width
        painter.restore()

    def _paint_words(self, painter: QPainter) -> None:
        painter.setFont(scaled_font(0.9))
        metrics = QFontMetricsF(painter.font())
        place = QPointF(0, BAR + S)
        for part in self._parts:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(getattr(colours(), part.colour)))
            middle = place.y() + (metrics.height() - SWATCH) / 2
            painter.drawRoundedRect(QRectF(place.x(), middle, SWATCH, SWATCH), 2.5, 2.5)
            painter.setPen(QColor(colours().text))
            width = metrics.horizontalAdvance(part.text)
            words = QRectF(place.x() + SWATCH + 5, place.y(), width + 2, metrics.height())
            painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, part.text)
            place += QPointF(SWATCH + 5 + width + L, 0)
