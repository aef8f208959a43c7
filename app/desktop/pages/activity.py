"""Activity: every call of every assistant as it happens, what was recorded of earlier ones, the tokens of each day, and the jobs."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.desktop.asking import is_agreed
from app.desktop.context import Context
from app.desktop.models.activity import ActivityModel
from app.desktop.models.trails import Trails
from app.desktop.pages.activity_calls import CallsPane
from app.desktop.pages.activity_recording import SETTING, RecordingDialog
from app.desktop.pages.jobs import JobsPane
from app.desktop.pages.ledger import LedgerPane
from app.desktop.pages.page import Page
from app.desktop.widgets import Segments, button
from app.events import Event
from app.logs import DIAGNOSTICS

CALLS, TOKENS, JOBS = "calls", "tokens", "jobs"


class ActivityPage(Page):
    """Three views: calls, tokens, jobs. `erased` follows the erasing of the recorded calls here."""

    erased = Signal()

    name = "activity"
    icon_name = "activity"

    def __init__(self, context: Context) -> None:
        super().__init__(context, self.tr("Activity"))
        self._subtitles = {
            CALLS: self.tr("What assistants asked for. Questions and texts are not recorded."),
            TOKENS: self.tr("How many tokens assistants were given, and how many they were spared."),
            JOBS: self.tr("What is read in the background. Jobs go on after a restart."),
        }
        self.header.set_subtitle(self._subtitles[CALLS])
        self.model = ActivityModel(context.thread, self)
        self.trails = Trails(self)
        self._build_header()
        self.calls = CallsPane(context, self.model, self.trails)
        self.jobs = JobsPane(context)
        self.ledger = LedgerPane(context)
        self._views = QStackedWidget()
        for widget in (self.calls, self.ledger, self.jobs):
            self._views.addWidget(widget)
        self.column.addWidget(self._views, 1)
        self._recorded = bool(context.settings.value(SETTING))
        context.settings.changed.connect(self._follow_setting)

    def activate(self) -> None:
        shown: dict[str, QWidget] = {CALLS: self.calls.table, TOKENS: self.ledger.table, JOBS: self.jobs.table}
        shown[self.view.value].setFocus(Qt.FocusReason.OtherFocusReason)

    def engine_ready(self) -> None:
        self.model.reload()
        self.jobs.engine_ready()
        self.ledger.engine_ready()

    def take(self, events: list[Event]) -> None:
        self.model.take(events)
        self.trails.take(events)
        if not DIAGNOSTICS.is_on:
            self.trails.forget_queries()
        self.jobs.take(events)
        self.ledger.take(events)

    def show_view(self, name: str) -> None:
        """Show the calls, the token ledger or the jobs."""
        self.view.select(name)
        self.header.set_subtitle(self._subtitles[name])
        self.recording.setVisible(name != JOBS)
        views: dict[str, QWidget] = {CALLS: self.calls, TOKENS: self.ledger, JOBS: self.jobs}
        self._views.setCurrentWidget(views[name])

    def focus_filter(self) -> None:
        if self.view.value == CALLS:
            self.calls.focus_filter()

    def show_recording(self) -> None:
        """Say what is recorded, with the ways to switch it off and to erase it."""
        self.dialog = RecordingDialog(self.context, self.erase, self)
        self.dialog.open()

    def forget(self) -> None:
        """Show that no call is recorded any more."""
        self.model.forget()
        self.trails.forget()
        self.ledger.model.reload()

    def erase(self) -> None:
        """Forget the recorded calls, after a question."""
        if is_agreed(
            self,
            self.tr("Erase the activity record"),
            self.tr("Forget all recorded calls? Pages and answers are not touched. This cannot be undone."),
        ):
            self.context.thread.submit(lambda engine: engine.activity.clear(), lambda _: self._erased(), owner=self)

    def _build_header(self) -> None:
        self.recording = button(self.tr("Recording…"), self.show_recording)
        self.recording.setToolTip(self.tr("What is recorded of calls; switch it off or erase it"))
        self.header.add(self.recording)
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

    def _erased(self) -> None:
        self.forget()
        self.erased.emit()
        self.context.notifier.say(self.tr("The record of calls is erased"))

    def _follow_setting(self) -> None:
        wanted = bool(self.context.settings.value(SETTING))
        if wanted != self._recorded:
            self._recorded = wanted
            self.ledger.show_state()
