"""Tokens pane of Activity: a chart of a week or a month by day and assistant, and the totals of each assistant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QSizePolicy, QToolTip, QWidget

from app.desktop.context import Context
from app.desktop.models import ledger as ledgers
from app.desktop.pages.parts import FailedState, Legend, stack_of
from app.desktop.panels import Card, EmptyState, TableCard
from app.desktop.qt import single_shot
from app.desktop.tables import DataTable
from app.desktop.theme import colours, fill_shape, scaled_font, theme
from app.desktop.tokens import M, S
from app.desktop.widgets import ElidedLabel, Segments, add_parts, button, column, held, label, row
from app.desktop.wording import number, plain_tip
from app.events import CallFinished, Event

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
        self._ledger: ledgers.Ledger | None = None
        self.marked = -1  # The index of the marked day, or -1.
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(150)
        self.setAccessibleName(self.tr("Tokens returned per day"))
        theme().changed.connect(self.update)

    def show_ledger(self, ledger: ledgers.Ledger) -> None:
        """Draw another ledger. The marked day is kept if it is one of its days."""
        if self._ledger is not None and self.marked >= 0:
            day = self._ledger.days[self.marked]
            self.marked = ledger.days.index(day) if day in ledger.days else -1
        self._ledger = ledger
        self._describe()
        self.update()

    def mark(self, place: int) -> None:
        if place != self.marked:
            self.marked = place
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

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        self.mark(self.day_at(event.position().x()))
        if self._ledger is not None and self.marked >= 0:
            words = ledgers.day_text(self._ledger, self._ledger.days[self.marked])
            QToolTip.showText(event.globalPosition().toPoint() + QPoint(0, int(S)), plain_tip(words), self)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        QToolTip.hideText()
        self.mark(len(self._ledger.days) - 1 if self.hasFocus() and self._ledger is not None else -1)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        last = len(self._ledger.days) - 1 if self._ledger is not None else -1
        wanted = {
            Qt.Key.Key_Left: max(0, (self.marked if self.marked >= 0 else last + 1) - 1),
            Qt.Key.Key_Right: min(last, self.marked + 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if wanted is None or last < 0:
            super().keyPressEvent(event)
        else:
            self.mark(wanted)

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusInEvent(event)
        is_by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if is_by_key and self._ledger is not None and self.marked < 0:
            self.mark(len(self._ledger.days) - 1)

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.mark(-1)

    def paintEvent(self, _event: QtGui.QPaintEvent) -> None:
        ledger = self._ledger
        if ledger is None:
            return
        with QtGui.QPainter(self) as painter:
            painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
            painter.setFont(scaled_font(0.88))
            area, lines = self._area(), self._ticks()
            slot = area.width() / len(ledger.days)
            if self.marked >= 0:
                strip = QRectF(area.left() + slot * self.marked, area.top() - 4, slot, area.height() + 4)
                edge = colours().accent if self.hasFocus() else ""
                fill_shape(painter, strip.adjusted(1, 0, -1, 0), colours().accent_soft, ROUNDING, edge=edge)
            height = painter.fontMetrics().height()
            for value in lines:
                y = round(area.bottom() - area.height() * value / lines[-1]) + 0.5
                painter.setPen(QtGui.QPen(QtGui.QColor(colours().strong_border if value == 0 else colours().border), 1))
                painter.drawLine(int(area.left()), int(y), int(area.right()), int(y))
                painter.setPen(QtGui.QColor(colours().muted))
                words = QRectF(0, y - height / 2, area.left() - S, height)
                painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, tick_text(value))
            width = min(WIDEST_BAR, slot * BAR_SHARE)
            for place in range(len(ledger.days)):
                left = area.left() + slot * place + (slot - width) / 2
                self._paint_bar(painter, QRectF(left, area.top(), width, area.height()), place, lines[-1])
            self._paint_days(painter, ledger.days, area, slot)

    def _area(self) -> QRectF:
        """Return the area of the bars: right of the values and above the days."""
        metrics = QtGui.QFontMetricsF(scaled_font(0.88))
        left = max(metrics.horizontalAdvance(tick_text(value)) for value in self._ticks()) + S + 2
        return QRectF(left, TOP, self.width() - left, self.height() - TOP - metrics.height() - S)

    def _ticks(self) -> list[int]:
        ledger = self._ledger
        return ticks(max(ledger.of_day(day).tokens for day in ledger.days) if ledger is not None else 1)

    def _paint_bar(self, painter: QtGui.QPainter, room: QRectF, place: int, highest: int) -> None:
        """Paint the assistants on top of each other, the one with the most tokens overall at the bottom."""
        ledger = self._ledger
        if ledger is None or not ledger.of_day(ledger.days[place]).tokens:
            return
        day = ledger.days[place]
        height = max(2.0, room.height() * ledger.of_day(day).tokens / highest)
        shape = QtGui.QPainterPath()
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
            painter.fillRect(QRectF(room.left(), bottom - part, room.width(), part), QtGui.QColor(colour))
            if bottom < room.bottom() and part > 2 * SEAM:
                seam = QRectF(room.left(), bottom - SEAM, room.width(), SEAM)
                painter.fillRect(seam, QtGui.QColor(colours().surface))
            bottom -= part
        painter.restore()

    def _paint_days(self, painter: QtGui.QPainter, days: Sequence[date], area: QRectF, slot: float) -> None:
        """Paint the names of as many days as fit, always including today."""
        names = [ledgers.short_day(day, days[-1]) for day in days]
        widest = max(QtGui.QFontMetricsF(painter.font()).horizontalAdvance(name) for name in names)
        each = max(1, math.ceil((widest + S) / slot))
        for place, name in enumerate(names):
            if (len(days) - 1 - place) % each:
                continue
            painter.setPen(QtGui.QColor(colours().text if place in (self.marked, len(days) - 1) else colours().muted))
            middle = area.left() + slot * (place + 0.5)
            left = min(middle - widest / 2, self.width() - widest)
            words = QRectF(left, area.bottom() + S, widest, painter.fontMetrics().height())
            painter.drawText(words, Qt.AlignmentFlag.AlignCenter, name)

    def _describe(self) -> None:
        """Set the screen reader text: the marked day, or the totals."""
        ledger = self._ledger
        if ledger is None:
            return
        words = ledgers.day_text(ledger, ledger.days[self.marked]) if self.marked >= 0 else ledgers.summary_text(ledger)
        self.setAccessibleDescription(words)
        QtGui.QAccessible.updateAccessibility(QtGui.QAccessibleEvent(self, QtGui.QAccessible.Event.DescriptionChanged))


RELOAD_MS = 700  # Delay in milliseconds. Calls are recorded shortly after they end.


class LedgerPane(QWidget):
    """Token totals by day. Reloads only while visible, and shows a note if calls are not recorded."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.model = ledgers.LedgerModel(context.thread, self)
        self._soon = single_shot(self, RELOAD_MS, self.model.reload)
        self._build()
        self.model.loaded.connect(self.show_state)
        self.model.failed.connect(self.failed.show_error)

    def engine_ready(self) -> None:
        if self.isVisible():
            self.model.reload()

    def on_events(self, events: list[Event]) -> None:
        """Reload the totals shortly after calls end."""
        if self.isVisible() and any(isinstance(event, CallFinished) for event in events):
            self._soon.start()

    @property
    def is_empty(self) -> bool:
        """Whether these days have no recorded calls."""
        return self.model.ledger is None or not self.model.ledger.total.calls

    @property
    def is_off(self) -> bool:
        """Whether the running engine does not record calls."""
        return not self._context.settings.value("activity_log")

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self.model.reload()

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        super().hideEvent(event)
        self._soon.stop()

    def show_range(self, days: str) -> None:
        self.range.select(days)
        self.model.set_length(int(days))

    def export(self) -> None:
        """Save the totals of these days to a file that the user chooses."""
        from app.server.render.reports import save_csv

        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        name = str(Path(documents) / "webrag-tokens.csv")
        chosen, _ = QFileDialog.getSaveFileName(self, self.tr("Save as CSV"), name, self.tr("Tables (*.csv)"))
        if chosen:
            rows = list(self.model.rows)
            said = self.tr("Saved as {}").format(Path(chosen).name)
            self._context.run(self, lambda: save_csv(rows, Path(chosen)), lambda _: self._context.notifier.say(said))

    def _build(self) -> None:
        self.chart = LedgerChart()
        self.chart.chosen.connect(lambda _place: self._show_words())
        self.words = ElidedLabel("", "muted", lines=2)
        self.legend = Legend()
        self.legend.setAccessibleName(self.tr("Assistants by color"))
        recorded = self.tr(
            "Calls are not recorded now. These are earlier ones. To record calls again, choose “Recording settings…”."
        )
        self.off_note = label(recorded, "warning", wrap=True, margins=(M, M, M, M))
        card = Card(spacing=S)
        periods = (
            (str(ledgers.WEEK), self.tr("Week"), self.tr("The last 7 days")),
            (str(ledgers.MONTH), self.tr("Month"), self.tr("The last 30 days")),
        )
        self.range = Segments(self.tr("Period"), periods)
        self.range.select(str(ledgers.MONTH))
        self.range.chosen.connect(self.show_range)
        title = ElidedLabel(self.tr("Tokens returned per day"), "heading")
        self.save = button(self.tr("Export…"), self.export, "", "export")
        self.save.setToolTip(self.tr("Save these numbers as a CSV file"))
        head = held(row((title, 1), self.range, self.save, spacing=S))
        add_parts(card.body, head, self.words, (self.chart, 1), self.legend)
        self.table = DataTable(self.model, self.tr("Assistants"), (200, 80, 80, 110, 120, 80), 0)
        self.table.optional = (5, 2)
        self.table.remember_columns(self._context.memory, "activity/ledger")
        table_card = TableCard()
        table_card.body.addWidget(self.table)
        self.content = held(column(self.off_note, (card, 3), (table_card, 2), spacing=M))
        self._blank = QWidget()
        words = self.tr(
            "After an assistant has called WebRAG, this shows the tokens returned to it each day, and the tokens saved "
            "because it did not have to read whole pages."
        )
        self.empty = EmptyState("activity", self.tr("No calls yet"), words)
        words = self.tr("Turn on recording to see how many tokens WebRAG returns to assistants.")
        settings = button(self.tr("Open Settings"), lambda: self._context.go_to("settings"), "primary")
        self.off = EmptyState("activity", self.tr("Calls are not recorded"), words, settings)
        self.failed = FailedState(self.model.reload)
        self.stack = stack_of(self._blank, self.empty, self.off, self.failed, self.content)
        column(self.stack, parent=self)

    def show_state(self) -> None:
        """Draw the totals, or show why there are none."""
        ledger = self.model.ledger
        if ledger is None:
            return
        self.off_note.setVisible(self.is_off)
        self.chart.show_ledger(ledger)
        self.legend.show_entries(ledgers.legend_entries(ledger.clients))
        self._show_words()
        nothing = self.off if self.is_off else self.empty
        # A week without calls can be part of a month with calls: keep the month selectable.
        is_empty = self.is_empty and self.model.length == ledgers.MONTH
        self.stack.setCurrentWidget(nothing if is_empty else self.content)

    def _show_words(self) -> None:
        """Show the numbers of the whole period or of the marked day."""
        ledger, place = self.model.ledger, self.chart.marked
        if ledger is None:
            return
        self.words.show_text(
            ledgers.day_line(ledger, ledger.days[place]) if place >= 0 else ledgers.summary_text(ledger)
        )
