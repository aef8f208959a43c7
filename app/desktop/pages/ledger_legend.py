"""Which colour of the chart is which assistant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.desktop.models.ledger import REST_COLOUR, client_name
from app.desktop.theme import colours, scaled_font, theme
from app.desktop.tokens import L, S

if TYPE_CHECKING:
    from app.desktop.models.ledger import ClientUsage

SWATCH: Final = 10.0
LONGEST_NAME: Final = 180.0


class Legend(QWidget):
    """A coloured square and a name for each, on as many lines as they need; those without a colour of their own share one."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[tuple[str, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Assistants by colour"))
        theme().changed.connect(self.update)

    def show_clients(self, clients: Sequence[ClientUsage]) -> None:
        """Name these."""
        self._entries = [(client_name(each.client), each.colour) for each in clients if each.colour != REST_COLOUR]
        if len(self._entries) < len(clients):
            self._entries.append((self.tr("Others"), REST_COLOUR))
        self.setAccessibleDescription(", ".join(name for name, _ in self._entries))
        self._fit()

    def sizeHint(self) -> QSize:
        lines = {round(place.y()) for _, _, place in self._placed()}
        return QSize(200, round(self._line_height() * max(1, len(lines))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(scaled_font(0.9))
        metrics = QFontMetricsF(painter.font())
        for name, role, place in self._placed():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(getattr(colours(), role)))
            painter.drawRoundedRect(
                QRectF(place.x(), place.y() + (self._line_height() - SWATCH) / 2, SWATCH, SWATCH), 3, 3
            )
            painter.setPen(QColor(colours().text))
            words = QRectF(place.x() + SWATCH + S, place.y(), LONGEST_NAME + S, self._line_height())
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, LONGEST_NAME)
            painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()

    def _placed(self) -> list[tuple[str, str, QPointF]]:
        metrics = QFontMetricsF(scaled_font(0.9))
        placed: list[tuple[str, str, QPointF]] = []
        x = y = 0.0
        for name, role in self._entries:
            width = SWATCH + S + min(LONGEST_NAME, metrics.horizontalAdvance(name)) + L
            if x and x + width - L > self.width():
                x, y = 0.0, y + self._line_height()
            placed.append((name, role, QPointF(x, y)))
            x += width
        return placed

    def _line_height(self) -> float:
        return QFontMetricsF(scaled_font(0.9)).height() + 4

    def _fit(self) -> None:
        self.setFixedHeight(self.sizeHint().height())
        self.update()
