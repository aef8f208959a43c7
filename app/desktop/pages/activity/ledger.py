"""Tokens pane of Activity: a chart of a week or a month, and the totals of each assistant."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from app.desktop.context import Context
from app.desktop.models.ledger import MONTH, WEEK, LedgerModel, day_line, legend_entries, summary_text
from app.desktop.pages.activity.ledger_chart import LedgerChart
from app.desktop.pages.parts import FailedState, Legend, stack_of
from app.desktop.panels import Card, EmptyState, TableCard
from app.desktop.qt import single_shot
from app.desktop.tables import DataTable
from app.desktop.tokens import M, S
from app.desktop.widgets import ElidedLabel, Segments, button, column, held, label, row
from app.events import CallFinished, Event

RELOAD_MS = 700  # Delay in milliseconds. Calls are recorded shortly after they end.


class LedgerPane(QWidget):
    """Token totals by day. Reloads only while visible, and shows a note if calls are not recorded."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.model = LedgerModel(context.thread, self)
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

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.reload()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._soon.stop()

    def show_range(self, days: str) -> None:
        """Show a week or a month."""
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
            self._context.run(self, lambda: save_csv(rows, Path(chosen)), self._saved)

    def _saved(self, path: Path) -> None:
        self._context.notifier.say(self.tr("Saved as {}").format(path.name))

    def _build(self) -> None:
        self.chart = LedgerChart()
        self.chart.chosen.connect(lambda _place: self._show_words())
        self.words = ElidedLabel("", "muted", lines=2)
        self.legend = Legend()
        self.legend.setAccessibleName(self.tr("Assistants by color"))
        self.off_note = label(
            self.tr(
                "Calls are not recorded now. These are earlier ones. To record calls again, choose “Recording settings…”."
            ),
            "warning",
            wrap=True,
        )
        self.off_note.setContentsMargins(M, M, M, M)
        card = Card(spacing=S)
        card.body.addWidget(self._head())
        card.body.addWidget(self.words)
        card.body.addWidget(self.chart, 1)
        card.body.addWidget(self.legend)
        self.table = DataTable(self.model, self.tr("Assistants"), (200, 80, 80, 110, 120, 80), 0)
        self.table.hide_when_narrow(5, 2)
        self.table.remember_columns(self._context.memory, "activity/ledger")
        table_card = TableCard()
        table_card.body.addWidget(self.table)
        self.content = held(column(self.off_note, (card, 3), (table_card, 2), spacing=M))
        self._build_states()
        column(self.stack, parent=self)

    def _head(self) -> QWidget:
        self.range = Segments(
            self.tr("Period"),
            (
                (str(WEEK), self.tr("Week"), self.tr("The last 7 days")),
                (str(MONTH), self.tr("Month"), self.tr("The last 30 days")),
            ),
        )
        self.range.select(str(MONTH))
        self.range.chosen.connect(self.show_range)
        title = ElidedLabel(self.tr("Tokens returned per day"), "heading")
        self.save = button(self.tr("Export…"), self.export, "", "export")
        self.save.setToolTip(self.tr("Save these numbers as a CSV file"))
        return held(row((title, 1), self.range, self.save, spacing=S))

    def _build_states(self) -> None:
        """Build the placeholders shown instead of the chart."""
        self._blank = QWidget()
        self.empty = EmptyState(
            "activity",
            self.tr("No calls yet"),
            self.tr(
                "After an assistant has called WebRAG, this shows the tokens returned to it each day, and the tokens saved "
                "because it did not have to read whole pages."
            ),
        )
        self.off = EmptyState(
            "activity",
            self.tr("Calls are not recorded"),
            self.tr("Turn on recording to see how many tokens WebRAG returns to assistants."),
            button(self.tr("Open Settings"), lambda: self._context.go_to("settings"), "primary"),
        )
        self.failed = FailedState(self.model.reload)
        self.stack = stack_of(self._blank, self.empty, self.off, self.failed, self.content)

    def show_state(self) -> None:
        """Draw the totals, or show why there are none."""
        ledger = self.model.ledger
        if ledger is None:
            return
        self.off_note.setVisible(self.is_off)
        self.chart.show_ledger(ledger)
        self.legend.show_entries(legend_entries(ledger.clients))
        self._show_words()
        nothing = self.off if self.is_off else self.empty
        # A week without calls can be part of a month with calls: keep the month selectable.
        is_empty = self.is_empty and self.model.length == MONTH
        self.stack.setCurrentWidget(nothing if is_empty else self.content)

    def _show_words(self) -> None:
        """Show the numbers of the whole period or of the marked day."""
        ledger, place = self.model.ledger, self.chart.marked
        if ledger is None:
            return
        self.words.show_text(day_line(ledger, ledger.days[place]) if place >= 0 else summary_text(ledger))
