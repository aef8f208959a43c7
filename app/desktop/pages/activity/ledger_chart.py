"""Bar chart of tokens per day, split by assistant, with a legend. Days are selected with the mouse or the arrow keys."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.desktop.models.ledger import day_text, short_day, summary_text
from app.desktop.painting import fill_shape
from app.desktop.theme import colours, scaled_font, theme
from app.desktop.tokens import S
from app.desktop.wording import number, plain_tip

if TYPE_CHECKING:
    from app.desktop.models.ledger import Ledger

TOP: Final = 16.0
LINES_WANTED: Final = 4
WIDEST_BAR: Final = 36.0
BAR_SHARE: Final = 0.62
ROUNDING: Final = 4.0
SEAM: Final = 1.0  # Gap between the parts of a bar.


def ticks(highest: int, wanted: int = LINES_WANTED) -> list[int]:
    """Return round values from 0 up, the last one not below `highest`: 0, 500, 1,000, 1,500."""
    rough = max(1.0, highest / wanted)
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [step * place for place in range(max(1, math.ceil(highest / step)) + 1)]


def tick_text(value: int) -> str:
    """Format a round value: 500, 1,500, 20 k, 3 M."""
    for least, unit, letter in ((1_000_000, 1_000_000, "M"), (10_000, 1_000, "k")):
        if value >= least and value % unit == 0:
            return f"{number(value // unit)} {letter}"
    return number(value)


class LedgerChart(QWidget):
    """Stacked bars by day. `chosen` carries the index of the day under the mouse or selected by keyboard, or -1."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._ledger: Ledger | None = None
        self._marked = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(150)
        self.setAccessibleName(self.tr("Tokens returned per day"))
        theme().changed.connect(self.update)

    def show_ledger(self, ledger: Ledger) -> None:
        """Draw another ledger. The marked day is kept."""
        self._ledger = ledger
        self._describe()
        self.update()

    @property
    def marked(self) -> int:
        """The index of the marked day, or -1."""
        return self._marked

    def mark(self, place: int) -> None:
        """Mark a day."""
        if place != self._marked:
            self._marked = place
            self._describe()
            self.update()
            self.chosen.emit(place)

    def day_at(self, x: float) -> int:
        """Return the index of the day at a horizontal position, or -1 outside the bars."""
        area = self._area()
        if self._ledger is None or not area.left() <= x < area.right():
            return -1
        return int((x - area.left()) / (area.width() / len(self._ledger.days)))

    def sizeHint(self) -> QSize:
        return QSize(600, 220)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.mark(self.day_at(event.position().x()))
        if self._ledger is not None and self._marked >= 0:
            words = day_text(self._ledger, self._ledger.days[self._marked])
            QToolTip.showText(event.globalPosition().toPoint() + QPoint(0, int(S)), plain_tip(words), self)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        QToolTip.hideText()
        self.mark(len(self._ledger.days) - 1 if self.hasFocus() and self._ledger is not None else -1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._ledger.days) - 1 if self._ledger is not None else -1
        wanted = {
            Qt.Key.Key_Left: max(0, (self._marked if self._marked >= 0 else last + 1) - 1),
            Qt.Key.Key_Right: min(last, self._marked + 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if wanted is None or last < 0:
            super().keyPressEvent(event)
        else:
            self.mark(wanted)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        is_by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if is_by_key and self._ledger is not None and self._marked < 0:
            self.mark(len(self._ledger.days) - 1)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.mark(-1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        ledger = self._ledger
        if ledger is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(scaled_font(0.88))
        area, lines = self._area(), self._ticks()
        self._paint_mark(painter, area)
        height = painter.fontMetrics().height()
        for value in lines:
            y = round(area.bottom() - area.height() * value / lines[-1]) + 0.5
            painter.setPen(QPen(QColor(colours().strong_border if value == 0 else colours().border), 1))
            painter.drawLine(int(area.left()), int(y), int(area.right()), int(y))
            painter.setPen(QColor(colours().muted))
            words = QRectF(0, y - height / 2, area.left() - S, height)
            painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, tick_text(value))
        slot = area.width() / len(ledger.days)
        width = min(WIDEST_BAR, slot * BAR_SHARE)
        for place in range(len(ledger.days)):
            left = area.left() + slot * place + (slot - width) / 2
            self._paint_bar(painter, QRectF(left, area.top(), width, area.height()), place, lines[-1])
        self._paint_days(painter, area, slot)
        painter.end()

    def _area(self) -> QRectF:
        """Return the area of the bars: right of the values and above the days."""
        metrics = QFontMetricsF(scaled_font(0.88))
        left = max(metrics.horizontalAdvance(tick_text(value)) for value in self._ticks()) + S + 2
        return QRectF(left, TOP, self.width() - left, self.height() - TOP - metrics.height() - S)

    def _ticks(self) -> list[int]:
        ledger = self._ledger
        return ticks(max(ledger.of_day(day).tokens for day in ledger.days) if ledger is not None else 1)

    def _paint_mark(self, painter: QPainter, area: QRectF) -> None:
        if self._marked < 0 or self._ledger is None:
            return
        slot = area.width() / len(self._ledger.days)
        strip = QRectF(area.left() + slot * self._marked, area.top() - 4, slot, area.height() + 4)
        edge = colours().accent if self.hasFocus() else ""
        fill_shape(painter, strip.adjusted(1, 0, -1, 0), colours().accent_soft, ROUNDING, edge=edge)

    def _paint_bar(self, painter: QPainter, room: QRectF, place: int, highest: int) -> None:
        """Paint the assistants on top of each other, the one with the most tokens overall at the bottom."""
        ledger = self._ledger
        if ledger is None or not ledger.of_day(ledger.days[place]).tokens:
            return
        day = ledger.days[place]
        height = max(2.0, room.height() * ledger.of_day(day).tokens / highest)
        shape = QPainterPath()
        # The lower corners are below the base line.
        shape.addRoundedRect(
            QRectF(room.left(), room.bottom() - height, room.width(), height + ROUNDING), ROUNDING, ROUNDING
        )
        painter.save()
        painter.setClipRect(QRectF(room.left(), room.top() - 1, room.width(), room.height() + 1))
        painter.setClipPath(shape, Qt.ClipOperation.IntersectClip)
        bottom = room.bottom()
        for client, usage in ledger.parts(day):
            part = room.height() * usage.tokens / highest
            colour: str = getattr(colours(), client.colour)
            painter.fillRect(QRectF(room.left(), bottom - part, room.width(), part), QColor(colour))
            if bottom < room.bottom() and part > 2 * SEAM:
                seam = QRectF(room.left(), bottom - SEAM, room.width(), SEAM)
                painter.fillRect(seam, QColor(colours().surface))
            bottom -= part
        painter.restore()

    def _paint_days(self, painter: QPainter, area: QRectF, slot: float) -> None:
        """Paint the names of as many days as fit, always including today."""
        if self._ledger is None:
            return
        days = self._ledger.days
        names = [short_day(day, days[-1]) for day in days]
        widest = max(QFontMetricsF(painter.font()).horizontalAdvance(name) for name in names)
        each = max(1, math.ceil((widest + S) / slot))
        for place, name in enumerate(names):
            if (len(days) - 1 - place) % each:
                continue
            painter.setPen(QColor(colours().text if place in (self._marked, len(days) - 1) else colours().muted))
            middle = area.left() + slot * (place + 0.5)
            left = min(middle - widest / 2, self.width() - widest)
            words = QRectF(left, area.bottom() + S, widest, painter.fontMetrics().height())
            painter.drawText(words, Qt.AlignmentFlag.AlignCenter, name)

    def _describe(self) -> None:
        """Set the screen reader text: the marked day, or the totals."""
        ledger = self._ledger
        if ledger is None:
            return
        words = day_text(ledger, ledger.days[self._marked]) if self._marked >= 0 else summary_text(ledger)
        self.setAccessibleDescription(words)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
