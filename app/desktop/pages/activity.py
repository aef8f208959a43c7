"""Activity: every call of every assistant as it happens, what was recorded of earlier ones, the tokens of each day, and the jobs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QMessageBox, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.icons import icon
from app.desktop.models.activity import RUNNING, TIME, ActivityModel
from app.desktop.pages.jobs import JobsPane
from app.desktop.pages.ledger import LedgerPane
from app.desktop.pages.page import Page
from app.desktop.panels import EmptyState, TableCard
from app.desktop.tables import DataTable
from app.desktop.tokens import M
from app.desktop.widgets import Segments, button, label, row
from app.desktop.wording import counted
from app.errors import WebRAGError
from app.events import Event

CALLS, TOKENS, JOBS = "calls", "tokens", "jobs"


class ActivityPage(Page):
    """A live table of calls with a filter, the token ledger, and a table of jobs."""

    name = "activity"
    icon_name = "activity"

    def __init__(self, context: Context) -> None:
        super().__init__(context, self.tr("Activity"))
        self._subtitles = {
            CALLS: self.tr("What assistants asked for. Their questions and the texts they got are not recorded."),
            TOKENS: self.tr("How many tokens assistants were given, by the record of their calls."),
            JOBS: self.tr("Sites, folders and lists that are read in the background. They go on after a restart."),
        }
        self.header.set_subtitle(self._subtitles[CALLS])
        self.model = ActivityModel(context.thread, self)
        self._clear = button(self.tr("Erase"), self.erase, "", "trash")
        self.header.add(self._clear)
        self.view = Segments(
            self.tr("What is shown"),
            (
                (CALLS, self.tr("Calls"), self.tr("What assistants asked for")),
                (TOKENS, self.tr("Tokens"), self.tr("How many tokens assistants were given on each day")),
                (JOBS, self.tr("Jobs"), self.tr("Sites, folders and lists that are read in the background")),
            ),
        )
        self.view.chosen.connect(self.show_view)
        self.header.add(self.view)
        self.jobs = JobsPane(context)
        self.ledger = LedgerPane(context)
        self._build()
        self.model.layoutChanged.connect(self._show_state)
        self.model.failed.connect(self._show_error)
        self.ledger.model.loaded.connect(self._show_state)
        self._show_state()

    def activate(self) -> None:
        shown = {CALLS: self.table, TOKENS: self.ledger.table, JOBS: self.jobs.table}[self.view.value]
        shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def engine_ready(self) -> None:
        self.model.reload()
        self.jobs.engine_ready()
        self.ledger.engine_ready()

    def take(self, events: list[Event]) -> None:
        self.model.take(events)
        self.jobs.take(events)
        self.ledger.take(events)

    def show_view(self, name: str) -> None:
        """Show the calls, the token ledger or the jobs."""
        self.view.select(name)
        self.header.set_subtitle(self._subtitles[name])
        self._views.setCurrentWidget({CALLS: self._stack, TOKENS: self.ledger, JOBS: self.jobs}[name])
        self._show_state()

    def focus_filter(self) -> None:
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def erase(self) -> None:
        """Forget the recorded calls, after a question."""
        answer = QMessageBox.question(
            self,
            self.tr("Erase the activity record"),
            self.tr("Forget all recorded calls? Pages and answers are not touched. This cannot be undone."),
            QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.Cancel,
            QMessageBox.StandardButton.Cancel,
        )
        if answer == QMessageBox.StandardButton.Yes:
            self.context.thread.submit(lambda engine: engine.clear_activity(), lambda _: self._forget(), owner=self)

    def _forget(self) -> None:
        self.model.forget()
        self.ledger.model.reload()

    def _build(self) -> None:
        self.filter = QLineEdit()
        self.filter.setProperty("role", "filter")
        self.filter.setPlaceholderText(self.tr("Filter by assistant, tool or page"))
        self.filter.setAccessibleName(self.tr("Filter the calls"))
        self.filter.setClearButtonEnabled(True)
        self.filter.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.filter.setFixedWidth(300)
        self.filter.textChanged.connect(self.model.set_filter)
        self._outcome = Segments(
            self.tr("Outcome"),
            (
                ("", self.tr("All"), self.tr("Every call")),
                (RUNNING, self.tr("Running"), self.tr("Calls under way now")),
                ("failed", self.tr("Failed"), self.tr("Calls that ended with an error")),
            ),
        )
        self._outcome.chosen.connect(self.model.set_outcome)
        self._count = label("", "muted")
        self.table = DataTable(self.model, self.tr("Tool calls"), (90, 118, 96, 200, 70, 86, 164), 3)
        self.table.strong_column = 2
        self.table.empty_text = self.tr("No call matches the filter")
        self.table.enable_sorting(TIME, Qt.SortOrder.DescendingOrder)
        card = TableCard()
        card.body.addWidget(self.table)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addLayout(row(self.filter, self._outcome, 1, self._count, spacing=M))
        column.addWidget(card, 1)
        self._content = content
        self._empty = EmptyState(
            "activity",
            self.tr("No calls yet"),
            self.tr(
                "Connect an assistant on the Home page and ask it something about a web page: each call appears here live."
            ),
            button(self.tr("Connect an assistant"), lambda: self.context.go_to("home"), "primary"),
        )
        self._failed = EmptyState("error", "", "", button(self.tr("Try again"), self.model.reload, "", "refresh"))
        self._stack = QStackedWidget()
        for widget in (self._empty, self._failed, content):
            self._stack.addWidget(widget)
        self._views = QStackedWidget()
        self._views.addWidget(self._stack)
        self._views.addWidget(self.ledger)
        self._views.addWidget(self.jobs)
        self.column.addWidget(self._views, 1)

    def _show_state(self) -> None:
        self._stack.setCurrentWidget(self._content if self.model.total else self._empty)
        has_record = {CALLS: self.model.total > 0, TOKENS: not self.ledger.is_empty, JOBS: False}
        self._clear.setVisible(has_record[self.view.value])
        self._count.setText(counted(self.model.rowCount(), self.tr("1 call"), self.tr("{} calls")))

    def _show_error(self, error: WebRAGError) -> None:
        self._failed.show_words(error.title, f"{error.message} {error.hint}", "error", "danger")
        self._stack.setCurrentWidget(self._failed)
