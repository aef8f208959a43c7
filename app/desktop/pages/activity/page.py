"""Activity page: conversation, calls, tokens, jobs, and the recording settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.dialogs.confirm import is_agreed
from app.desktop.models.activity import ActivityModel
from app.desktop.models.traces import Traces
from app.desktop.pages.activity.calls import CallsPane
from app.desktop.pages.activity.consent import SETTING as QUESTIONS
from app.desktop.pages.activity.consent import ConsentCard, are_kept, is_open, keep, terms
from app.desktop.pages.activity.conversation import ConversationPane
from app.desktop.pages.activity.jobs import JobsPane
from app.desktop.pages.activity.ledger import LedgerPane
from app.desktop.pages.page import Page
from app.desktop.pages.parts import stack_of
from app.desktop.panels import Dialog, Line
from app.desktop.tokens import XL, L, S
from app.desktop.widgets import Gap, Segments, Switch, button, column, label, row, take_focus
from app.errors import WebRAGError
from app.events import Event
from app.logs import DIAGNOSTICS

SETTING = "activity_log"
WIDTH = 480
CONVERSATION, CALLS, TOKENS, JOBS = "conversation", "calls", "tokens", "jobs"


class RecordingDialog(Dialog):
    """Recording settings: two switches, and a button that erases everything."""

    def __init__(self, context: Context, erase: Callable[[], None], parent: QWidget) -> None:
        super().__init__(parent, self.tr("Recording settings"))
        self._context = context
        self.setFixedWidth(WIDTH)
        kept = self.tr(
            "WebRAG records for each call: time, assistant, tool, page addresses, positions of the passages used, reason of "
            "failure, duration, and tokens returned. It leaves out keys and passwords in addresses. This data never leaves "
            "your computer."
        )
        off = self.tr(
            "When off, calls only appear here until you quit WebRAG. The Tokens view is no longer updated, and answers no "
            "longer report how a page has changed since it was last cited."
        )
        gone = self.tr("Erasing deletes all recorded calls, questions and numbers. Pages and answers are kept.")
        # Created in the order of Tab.
        self.switch, recording = self._switch(SETTING, self.tr("Record calls"), partial(context.save, SETTING))
        self.questions, saving = self._switch(QUESTIONS, self.tr("Save questions"), partial(keep, context))
        self.erase_button = button(self.tr("Erase record"), erase, "danger", "trash")
        close = button(self.tr("Close"), self.accept, "primary", default=True)
        about_calls = (label(kept, wrap=True), Line(), recording, label(off, "muted", wrap=True), Line())
        about_questions = (saving, label(terms(), "muted", wrap=True), Line(), label(gone, "muted", wrap=True), Gap(S))
        buttons = row(self.erase_button, 1, close)
        self.lay_out(*about_calls, *about_questions, buttons, margins=(XL, L, XL, L))

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the height to the wrapped texts."""
        layout = self.layout()
        if layout is not None:
            self.setFixedHeight(layout.totalHeightForWidth(self.width()))
        super().showEvent(event)

    def _switch(self, setting: str, name: str, change: Callable[[bool], object]) -> tuple[Switch, QVBoxLayout]:
        """Build the switch of a setting and its line."""
        made, words = Switch(), label(name, "strong")
        made.setChecked(bool(self._context.settings.value(setting)))
        made.setAccessibleName(name)
        made.toggled.connect(change)
        made.toggled.connect(lambda _on: self._show_saved())
        words.setBuddy(made)
        layout = column(row(words, 1, made))
        if variable := self._context.settings.overridden_by(setting):
            made.setEnabled(False)
            note = self.tr("Set by the environment variable {}.").format(variable)
            layout.addWidget(label(note, "muted", wrap=True))
        return made, layout

    def _show_saved(self) -> None:
        """Show what was saved. Saving questions also turns on recording, and a full disk keeps both as they are."""
        for setting, made in ((SETTING, self.switch), (QUESTIONS, self.questions)):
            with QSignalBlocker(made):
                made.setChecked(bool(self._context.settings.value(setting)))


class ActivityPage(Page):
    """The four views Conversation, Calls, Tokens and Jobs. `erased` is emitted after the recorded calls were erased here."""

    erased = Signal()

    name = "activity"
    icon_name = "activity"

    def __init__(self, context: Context) -> None:
        super().__init__(context, self.tr("Activity"))
        self._subtitles = {
            CONVERSATION: self.tr("Questions and the passages found."),
            CALLS: self.tr("All tool calls of assistants."),
            TOKENS: self.tr("Tokens returned and tokens saved."),
            JOBS: self.tr("Background jobs. They resume after a restart."),
        }
        self.model = ActivityModel(context.thread, self)
        self.traces = Traces(self)
        self._build_header()
        self.calls = CallsPane(context, self.model, self.traces)
        self.conversation = ConversationPane(context, self.model)
        self.consent = ConsentCard(context, short=True)
        for card in (self.consent, self.conversation.consent):
            card.answered.connect(self._consent_answered)
        self.jobs = JobsPane(context)
        self.ledger = LedgerPane(context)
        others = {CALLS: self.calls, TOKENS: self.ledger, JOBS: self.jobs}
        self._by_name: dict[str, QWidget] = {CONVERSATION: self.conversation, **others}
        self._views = stack_of(*self._by_name.values())
        self.column.addWidget(self.consent)
        self.column.addWidget(self._views, 1)
        self.show_view(CONVERSATION if are_kept(context) else CALLS)
        self._recorded = bool(context.settings.value(SETTING))
        context.settings.changed.connect(self._follow_setting)

    def activate(self) -> None:
        self._show_consent()
        if self.view.value == CONVERSATION:
            self.conversation.take_focus()
            return
        shown: dict[str, QWidget] = {CALLS: self.calls.table, TOKENS: self.ledger.table, JOBS: self.jobs.table}
        shown[self.view.value].setFocus(Qt.FocusReason.OtherFocusReason)

    def engine_failed(self, error: WebRAGError | None) -> None:
        """Request the data although it is unavailable, so that each view shows the error instead of an empty list."""
        if error is not None:
            self.engine_ready()

    def engine_ready(self) -> None:
        self.model.reload()
        for view in (self.conversation, self.jobs, self.ledger):
            view.engine_ready()

    def on_events(self, events: list[Event]) -> None:
        self.model.on_events(events)
        self.traces.on_events(events)
        if not DIAGNOSTICS.is_on and not are_kept(self.context):
            self.traces.forget_queries()
        for view in (self.conversation, self.jobs, self.ledger):
            view.on_events(events)

    def show_view(self, name: str) -> None:
        self.view.select(name)
        self.header.set_subtitle(self._subtitles[name])
        self.recording.setVisible(name != JOBS)
        self._views.setCurrentWidget(self._by_name[name])
        self._show_consent()

    def focus_filter(self) -> None:
        if self.view.value in (CALLS, CONVERSATION):
            take_focus(self.calls.filter if self.view.value == CALLS else self.conversation.search)

    def show_recording(self) -> None:
        self.dialog = RecordingDialog(self.context, self.erase, self)
        self.dialog.open_once()

    def forget(self) -> None:
        """Update all views after the recorded calls were erased."""
        self.model.forget()
        self.traces.forget()
        self.conversation.forget()
        self.ledger.model.reload()
        self.erased.emit()

    def erase(self) -> None:
        if is_agreed(
            self,
            self.tr("Erase the activity record"),
            self.tr("Erase all recorded calls and questions? Pages and answers are kept. This cannot be undone."),
        ):

            def erased(_: object) -> None:
                self.forget()
                self.context.notifier.say(self.tr("Activity record erased"))

            self.context.ask(self, lambda engine: engine.activity.clear(), erased)

    def _build_header(self) -> None:
        self.recording = button(self.tr("Recording settings…"), self.show_recording, "", "settings")
        self.recording.setToolTip(self.tr("Choose whether WebRAG records tool calls, or erase the record"))
        self.header.add_folding(self.recording)
        views = (
            (CONVERSATION, self.tr("Conversation"), self.tr("Questions with the passages found")),
            (CALLS, self.tr("Calls"), self.tr("All calls in a table")),
            (TOKENS, self.tr("Tokens"), self.tr("Tokens returned to assistants each day")),
            (JOBS, self.tr("Jobs"), self.tr("Sites, folders and lists added in the background")),
        )
        self.view = Segments(self.tr("View"), views)
        self.view.chosen.connect(self.show_view)
        self.header.add(self.view)

    def _show_consent(self) -> None:
        """Show the request for consent above the calls until it is answered. The conversation shows its own."""
        self.consent.setVisible(self.view.value == CALLS and is_open(self.context))

    def _consent_answered(self) -> None:
        self._show_consent()
        self.show_view(CONVERSATION if are_kept(self.context) else CALLS)

    def _follow_setting(self) -> None:
        self._show_consent()
        wanted = bool(self.context.settings.value(SETTING))
        if wanted != self._recorded:
            self._recorded = wanted
            self.ledger.show_state()
