"""Conversation pane: the calls of a day with their questions, a search in all questions, and the request for consent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import date, datetime, timedelta
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app import caps
from app.corpus.records import DayUsage
from app.desktop.context import Context
from app.desktop.dialogs.confirm import is_agreed
from app.desktop.engine_thread import Engine, Latest
from app.desktop.models.activity import ActivityModel, Call, outcome_text
from app.desktop.models.conversation import Day, Turn, belongs_to, bounds, load_day, load_matches
from app.desktop.models.ledger import first_moment
from app.desktop.pages.activity.calls import choice, offer_results
from app.desktop.pages.activity.consent import ConsentCard, are_kept
from app.desktop.pages.activity.turns import TurnView
from app.desktop.pages.page import FilterBox
from app.desktop.pages.parts import FailedState, Scrolled, new_menu, open_below, stack_of
from app.desktop.panels import EmptyState
from app.desktop.qt import single_shot
from app.desktop.tokens import XL, L, M, S
from app.desktop.widgets import ThemedIcon, button, clear_layout, column, framed, held, icon_button, label, row
from app.desktop.wording import assistant_title, long_day
from app.errors import WebRAGError
from app.events import CallFinished, CallRecorded, CallStarted, DocumentChanged, Event, Verdict

Erasing = Callable[[Engine], Awaitable[None]]


SHOWN_AT_FIRST: Final = 30  # Turns of a day shown at first. A button shows as many more.
MADE_AT_ONCE: Final = 3  # Turns to lay out before control returns to the event loop.
COLUMN: Final = 780  # Maximum width of the text column in pixels; longer lines are hard to read.
RELOAD_MS: Final = 300
SEARCH_MS: Final = 250
OFFERED: Final = (Verdict.ANSWERED, Verdict.CLOSEST, Verdict.NOTHING, Verdict.FAILED)
SHOWS: Final = (CallRecorded, CallFinished, DocumentChanged)


class ConversationPane(QWidget):
    """Calls as a conversation, with the newest turn at the bottom. Loads only while visible."""

    def __init__(self, context: Context, calls: ActivityModel) -> None:
        super().__init__()
        self._context = context
        self._calls = calls
        self._day = _today()
        self._days: list[date] = []
        self._limit = SHOWN_AT_FIRST
        self._loading = Latest(context.thread, self)
        self._turns: tuple[Turn, ...] = ()
        """All turns to show. `views` holds the first of them, as far as they are laid out."""
        self.views: dict[int, TurnView] = {}
        self._at_end = True
        # Calls can arrive faster than they load.
        self._soon = single_shot(
            self, RELOAD_MS, lambda: self._soon.start() if self._loading.is_running else self.reload()
        )
        self._next = single_shot(self, 0, self._make_some)
        self._search = single_shot(self, SEARCH_MS, self._begin_search)
        self._build()
        calls.layoutChanged.connect(self._show_running)
        context.settings.changed.connect(self._follow_consent)
        self._kept = are_kept(context)

    # --- called by the page ---

    def take_focus(self) -> None:
        """Move the keyboard focus to the search field or the consent button."""
        (self.search if self._kept else self.consent.yes).setFocus(Qt.FocusReason.OtherFocusReason)

    def engine_ready(self) -> None:
        if self.isVisible():
            self.reload()

    def on_events(self, events: list[Event]) -> None:
        """Reload shortly after calls end or their pages change."""
        # Keep the visible turns when new ones arrive.
        self._limit += sum(isinstance(event, CallRecorded) for event in events)
        # Restarting the timer at every call would postpone the reload forever under a steady flow of calls.
        if self.isVisible() and any(isinstance(event, SHOWS) for event in events) and not self._soon.isActive():
            self._soon.start()
        was_newest = self._day != _today() and self._days[-1:] == [self._day]
        if was_newest and any(isinstance(event, CallStarted) for event in events):
            self.show_day(_today())

    def forget(self) -> None:
        """Reload after calls or questions were erased elsewhere."""
        self._calls.reload()
        self._clear()
        if self.isVisible():
            self.reload()

    def reload(self) -> None:
        """Reload the day or the search. Unchanged turns keep their widgets."""
        self._kept = are_kept(self._context)
        self._loading.cancel()
        if not self._kept:
            self._clear()
            self.stack.setCurrentWidget(self.asking)
            return
        text, day, limit = self.search.text().strip(), self._day, self._limit
        verdict = self.verdict.currentData()

        def load(engine: Engine) -> Awaitable[Day]:
            return load_matches(engine, text, limit, verdict) if text else load_day(engine, day, limit, verdict)

        self._loading.submit(load, self._take, self._fail)
        since = first_moment(_today(), caps.QUESTION_DAYS)
        self._context.ask(self, lambda engine: engine.activity.usage(since), self._take_days)

    def show_day(self, day: date) -> None:
        self._day, self._limit, self._at_end = day, SHOWN_AT_FIRST, True
        self._show_day_words()
        self.reload()

    def erase_one(self, call_id: int) -> None:
        self._erase(lambda engine: engine.questions.erase_one(call_id), self.tr("Question erased"))

    def ask_erase_day(self) -> None:
        first, last = bounds(self._day)
        if is_agreed(
            self,
            self.tr("Erase questions"),
            self.tr("Permanently erase all questions of {}? Calls and pages are kept.").format(long_day(self._day)),
        ):
            self._erase(lambda engine: engine.questions.erase(first, last), self.tr("Questions erased"))

    def ask_erase_all(self) -> None:
        if is_agreed(
            self,
            self.tr("Erase questions"),
            self.tr("Permanently erase all saved questions? Calls and pages are kept."),
        ):
            self._erase(lambda engine: engine.questions.erase(), self.tr("Questions erased"))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.reload()

    # --- widgets ---

    def _build(self) -> None:
        self.search = FilterBox(self.tr("Search questions"), self.tr("Search the questions of all days"))
        self.search.textChanged.connect(lambda _text: self._search.start())
        self.earlier = icon_button("up", self.tr("Previous day with calls"), lambda: self._step(-1))
        self.later = icon_button("down", self.tr("Next day with calls"), lambda: self._step(1))
        self.day_words = label("", "strong")
        self.verdict = choice(self.tr("Outcome"), 165, lambda _value: self._begin_search())
        with QSignalBlocker(self.verdict):
            offer_results(self.verdict, OFFERED)
        self.erasing = button(self.tr("Erase…"), self._offer_erasing, "", "trash")
        line = row(self.day_words, self.earlier, self.later, 1, (self.search, 2), self.verdict, self.erasing)
        self._tools = held(line)
        self.column = column(spacing=M)
        self.more = button(self.tr("Show earlier calls"), self._show_more, "link")
        self.running = column()
        turns = column(
            (self.more, 0, Qt.AlignmentFlag.AlignHCenter), self.column, self.running, 1, margins=(L, S, L, L)
        )
        middle = held(turns)
        middle.setMaximumWidth(COLUMN)
        holder = held(row(1, (middle, 100), 1))
        for made in (middle, holder):
            made.setProperty("role", "plain")
        self.area = Scrolled("plain", holder)
        self.area.setAccessibleName(self.tr("Conversation"))
        bar = self.area.verticalScrollBar()
        bar.rangeChanged.connect(lambda _low, high: bar.setValue(high) if self._at_end else None)
        bar.valueChanged.connect(self._note_place)
        self.none = EmptyState("activity", "", "")
        self.failed = FailedState(self.reload)
        self.blank = QWidget()
        self.inside = stack_of(self.blank, self.none, self.area, self.failed)
        card = framed("card", column(self.inside, margins=(1, M, 1, 6)))
        self.content = held(column(self._tools, (card, 1), spacing=M))
        self.consent = ConsentCard(self._context)
        self.consent.setMaximumWidth(COLUMN - XL)
        self.asking = held(column(1, row(1, (self.consent, 100), 1), 2))
        self.stack = stack_of(self.asking, self.content)
        column(self.stack, parent=self)
        self._show_day_words()

    # --- loading ---

    def _take(self, day: Day) -> None:
        self.stack.setCurrentWidget(self.content)
        self.more.setVisible(day.more)
        if tuple(made.turn for made in self.views.values()) != day.turns[: len(self.views)]:
            self._clear()
        self._turns = day.turns
        self._make_some()

    def _take_days(self, usage: list[DayUsage]) -> None:
        self._days = sorted({date.fromisoformat(each.day) for each in usage} | {_today()})
        self._show_day_words()

    def _make_some(self) -> None:
        """Lay out the next turns, the first ones hidden. The window stays responsive."""
        is_search = bool(self.search.text().strip())
        first = len(self.views)
        for place, turn in enumerate(self._turns[first : first + MADE_AT_ONCE], start=first):
            before = self._turns[place - 1] if place else None
            begins = not belongs_to(turn, before)
            made = TurnView(self._context, turn, self.erase_one, begins=begins, dated=is_search)
            self.views[turn.number] = made
            self.column.addWidget(made)
        if len(self.views) < len(self._turns):
            self._next.start()
        else:
            self._show_state()

    def _show_state(self) -> None:
        is_search = bool(self.search.text().strip())
        for made in (self.earlier, self.later, self.day_words):
            made.setVisible(not is_search)
        if self._turns or (self._running_calls() and not is_search):
            self.inside.setCurrentWidget(self.area)
            return
        if self.verdict.currentData():
            self.none.show_words(
                self.tr("No calls with this outcome"), self.tr("Choose “All outcomes” to see every call.")
            )
        elif is_search:
            self.none.show_words(self.tr("No matching questions"), self.tr("Searched all days."))
        else:
            words = self.tr("Questions of assistants appear here immediately, with the passages that answer them.")
            self.none.show_words(self.tr("No calls on this day"), words)
        self.inside.setCurrentWidget(self.none)

    def _show_day_words(self) -> None:
        names = {_today(): self.tr("Today"), _today() - timedelta(days=1): self.tr("Yesterday")}
        self.day_words.setText(names.get(self._day) or long_day(self._day))
        self.earlier.setEnabled(any(each < self._day for each in self._days))
        self.later.setEnabled(any(each > self._day for each in self._days))

    def _show_running(self) -> None:
        """Show what assistants are asking now, below today's turns."""
        clear_layout(self.running)
        if self._day != _today() or not self._kept or self.search.text().strip():
            return
        for call in self._running_calls():
            who = assistant_title(call.client) or self.tr("unknown assistant")
            words = self.tr("{} asks: {}").format(who, outcome_text(call))
            line = held(row(ThemedIcon("busy", 16, "accent_text"), label(words, "muted"), 1, spacing=S))
            self.running.addWidget(line)
        if self.isVisible() and self.stack.currentWidget() is self.content and len(self.views) == len(self._turns):
            self._show_state()

    def _running_calls(self) -> list[Call]:
        return [call for call in self._calls.everything if call.is_running]

    def _clear(self) -> None:
        self._next.stop()
        self._turns, self.views = (), {}
        clear_layout(self.column)
        self.inside.setCurrentWidget(self.blank)

    def _fail(self, error: WebRAGError) -> None:
        self._next.stop()
        self.stack.setCurrentWidget(self.content)
        self.failed.show_error(error)

    # --- user actions ---

    def _begin_search(self) -> None:
        self._at_end, self._limit = True, SHOWN_AT_FIRST
        self._clear()
        self.reload()

    def _step(self, way: int) -> None:
        days = [each for each in self._days if (each < self._day if way < 0 else each > self._day)]
        if days:
            self.show_day(days[-1] if way < 0 else days[0])

    def _show_more(self) -> None:
        self._limit += SHOWN_AT_FIRST
        self._at_end = False
        self.reload()

    def _note_place(self, value: int) -> None:
        self._at_end = value >= self.area.verticalScrollBar().maximum() - L

    def _offer_erasing(self) -> None:
        entries = (
            (self.tr("Questions of this day…"), "", self.ask_erase_day, True),
            (self.tr("All questions…"), "", self.ask_erase_all, True),
        )
        open_below(new_menu(self, entries), self.erasing)

    def _erase(self, work: Erasing, said: str) -> None:
        def done(_result: None) -> None:
            self._context.notifier.say(said)
            self.forget()

        self._context.ask(self, work, done, lasting=True)

    def _follow_consent(self) -> None:
        if are_kept(self._context) == self._kept:
            return
        self._kept = are_kept(self._context)
        self._calls.reload()
        if self.isVisible():
            self.reload()


def _today() -> date:
    return datetime.now().astimezone().date()
