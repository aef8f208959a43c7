"""Cards of Home: server status, problems, library statistics and assistants."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.corpus.records import DayUsage
from app.desktop import widgets
from app.desktop.backend import Phase
from app.desktop.context import Context
from app.desktop.models.activity import CANCELLED, OK, RUNNING, ActivityModel, Call, outcome_text
from app.desktop.models.assistants import Assistant, Condition, condition_kind, condition_word
from app.desktop.models.clients import ClientsModel
from app.desktop.notices import BannerStack, notices_for
from app.desktop.panels import Card, Tile, card_head
from app.desktop.qt import Act
from app.desktop.theme import icon
from app.desktop.tokens import XS, L, M, S
from app.desktop.wording import ago, counted, number, short_number, size
from app.events import is_mistake
from app.library.records import CorpusTotals

WIDE_STATE = 700
UNKNOWN_NUMBER = "–"
ASSISTANTS_SHOWN = 3
TILE_SIZE = 32


class StateCard(Card):
    """The server status and address, with a pause button."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._icon = widgets.ThemedIcon("clock", 36)
        self.headline = widgets.ElidedLabel("", "heading")
        self.text = widgets.ElidedLabel("", "muted", lines=2)
        self.address = widgets.label("", "address", selectable=True)
        self.address.setAccessibleName(self.tr("Server address"))
        self.address.setToolTip(
            self.tr("HTTP assistants connect to this address. All others find WebRAG automatically.")
        )
        self._copy = widgets.icon_button("copy", self.tr("Copy server address"), context.copy_address)
        self.pause = widgets.button(self.tr("Pause"), self._toggle, "", "pause")
        words = (widgets.column(self.headline, self.text, spacing=XS), 1)
        acting = (self.address, self._copy, widgets.Gap(S), self.pause)
        self.body.addLayout(widgets.row(self._icon, words, *acting, spacing=M))
        context.status.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        status = self._context.status
        self._icon.show_icon(*status.face)
        self.headline.show_text(self._headline())
        self.text.show_text(self._explanation())
        self.address.setText(status.url)
        for widget in (self._copy, self.pause):
            widget.setVisible(bool(status.url))
        self._show_address()
        paused = status.phase is Phase.PAUSED
        self.pause.setText(self.tr("Resume") if paused else self.tr("Pause"))
        self.pause.setIcon(icon("play" if paused else "pause"))
        self.pause.setToolTip(
            self.tr("Answer assistants again") if paused else self.tr("Assistants get no answers until you resume")
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_address()

    def _show_address(self) -> None:
        """Hide the address if the headline needs the space. It can still be copied."""
        status = self._context.status
        self.address.setVisible(bool(status.url) and not status.trouble() and self.width() >= WIDE_STATE)

    def _headline(self) -> str:
        status = self._context.status
        if status.phase is Phase.RUNNING and status.error is None and not status.trouble():
            ready = self.tr("Ready for your assistants")
            return ready if status.url else self.tr("Running, but assistants cannot connect")
        return status.summary()

    def _explanation(self) -> str:
        status = self._context.status
        if status.error is not None:
            return self.tr("See the problem below.")
        if status.phase is Phase.PAUSED:
            return self.tr("Assistants see that WebRAG is paused.")
        if status.phase is Phase.STARTING:
            if status.engine is not None:
                return self.tr("Unlocking your keyring. You may have to enter your password.")
            if status.is_updating:
                return self.tr(
                    "The new version prepares your library once. It makes a backup first, and no page is lost."
                )
            return self.tr("Loading the search model and the library.")
        if status.trouble():
            return self.tr("Running with limited functions. See below.")
        if status.running_calls:
            return counted(status.running_calls, self.tr("Answering 1 question."), self.tr("Answering {} questions."))
        count = len(status.clients)
        if count:
            return counted(count, self.tr("1 assistant is connected."), self.tr("{} assistants are connected."))
        return self.tr("No assistant is connected.")

    def _toggle(self) -> None:
        self._context.thread.set_paused(self._context.status.phase is not Phase.PAUSED)


class Problems(BannerStack):
    """All current problems, including those dismissed on other pages."""

    def __init__(self, context: Context) -> None:
        super().__init__(can_dismiss=False)
        self.setAccessibleName(self.tr("Problems"))
        for signal in (context.status.changed, context.settings.changed, context.config_watch.changed):
            signal.connect(lambda: self.show_notices(notices_for(context)))
        self.show_notices(notices_for(context))


class NumberTile(QPushButton):
    """A number with its name. The tooltip explains it, and a click shows its items."""

    def __init__(self, name: str, meaning: str, run: Act) -> None:
        super().__init__()
        self.setProperty("role", "tile")
        self.setAutoDefault(False)
        self.clicked.connect(lambda: run())
        self.value = widgets.ElidedLabel(UNKNOWN_NUMBER, "number", lines=2)
        self.name = widgets.ElidedLabel(name, "muted", lines=2)
        # Text is lower than a number, but all tiles in a row have the same height.
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred)
        widgets.column(self.value, self.name, 1, spacing=0, margins=(L, M, L, M), parent=self)
        for part in (self.value, self.name):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._name, self._meaning = name, meaning
        self.show_value(UNKNOWN_NUMBER)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def sizeHint(self) -> QSize:
        """Return the size for all labels, because a button only considers its own text."""
        column = self.layout()
        return column.minimumSize() if column is not None else super().sizeHint()

    def show_value(self, text: str, exact: str = "", name: str = "", role: str = "number") -> None:
        """Show a value. `exact` is a longer form of it, `name` replaces the tile's name, and `role` is the text style."""
        if self.value.property("role") != role:
            self.value.setProperty("role", role)
            widgets.restyle(self.value)
        self.value.show_text(text)
        self.name.show_text(name or self._name)
        self.setAccessibleName(f"{name or self._name}: {text}")
        self.setToolTip(f"{exact}\n{self._meaning}" if exact and (exact != text or role != "number") else self._meaning)


class Tiles(QWidget):
    """Library size, use in the last week and the last error."""

    def __init__(self, context: Context, activity: ActivityModel) -> None:
        super().__init__()
        self._activity = activity
        self._problem: Call | None = None
        self.documents = NumberTile(
            self.tr("Pages"), self.tr("Web pages and files in your library."), lambda: context.go_to("library")
        )
        week = self.tr("Questions from assistants in the last seven days.")
        self.questions = NumberTile(self.tr("Questions this week"), week, lambda: context.go_to("activity"))
        saved = self.tr("Full length of the pages minus the returned text. One token is about ¾ of a word.")
        self.saved = NumberTile(self.tr("Tokens saved this week"), saved, lambda: context.go_to("activity"))
        last = self.tr("The last failed call and its reason.")
        self.problem = NumberTile(self.tr("Last error"), last, lambda: context.show_call(self._problem))
        self._all = (self.documents, self.questions, self.saved, self.problem)
        widgets.row(*((tile, 1) for tile in self._all), spacing=L, parent=self)
        activity.layoutChanged.connect(self.rewrite_times)

    def show_totals(self, totals: CorpusTotals) -> None:
        passages = counted(totals.chunks, self.tr("1 passage"), self.tr("{} passages"))
        exact = self.tr("{pages} with {passages}, {size} on disk").format(
            pages=number(totals.documents), passages=passages, size=size(totals.file_bytes)
        )
        self.documents.show_value(short_number(totals.documents), exact)

    def show_week(self, days: Iterable[DayUsage]) -> None:
        rows = list(days)
        questions, saved = sum(day.questions for day in rows), sum(day.saved for day in rows)
        self.questions.show_value(short_number(questions), number(questions))
        if saved >= 0:
            self.saved.show_value(short_number(saved), number(saved))
            return
        exact = self.tr("Assistants received {} more tokens than the pages contain.").format(number(-saved))
        self.saved.show_value(short_number(-saved), exact, self.tr("Extra tokens this week"))

    def rewrite_times(self) -> None:
        """Show the age of the last failed call, except for mistakes of the assistant."""
        failed = (
            call
            for call in self._activity.everything
            if call.outcome not in (OK, RUNNING, CANCELLED) and not is_mistake(call.outcome, call.failure)
        )
        self._problem = max(failed, key=lambda call: call.started_at, default=None)
        if self._problem is None:
            self.problem.show_value(self.tr("None", "no problem"))
            return
        words = outcome_text(self._problem)
        self.problem.show_value(words, words, self.tr("Error, {}").format(ago(self._problem.started_at)), "strong")

    def show_nothing(self) -> None:
        """Show that the library cannot be read."""
        for tile in self._all:
            tile.show_value(UNKNOWN_NUMBER)


class AssistantsCard(Card):
    """The most important assistants in this order: broken, connected now, set up, found."""

    def __init__(self, context: Context, model: ClientsModel) -> None:
        super().__init__()
        self._model = model
        self.connect_button = widgets.button(self.tr("Connect…"), lambda: context.go_to("clients"), "link")
        self.connect_button.setAccessibleName(self.tr("Connect an assistant"))
        self.body.addWidget(card_head(self.tr("Assistants"), self.connect_button))
        self.rows = [AssistantLine() for _ in range(ASSISTANTS_SHOWN)]
        for made in self.rows:
            self.body.addWidget(made)
        self.note = widgets.label("", "muted", wrap=True)
        self.body.addWidget(self.note)
        for signal in (model.layoutChanged, model.modelReset, model.dataChanged, model.loaded):
            signal.connect(self.rewrite_times)
        self.rewrite_times()

    def rewrite_times(self) -> None:
        here = sorted((row for row in self._model.everything if row.is_here), key=_importance)
        for place, made in enumerate(self.rows):
            made.setVisible(place < len(here))
            if place < len(here):
                made.show_assistant(here[place])
        widgets.show_words(self.note, self._note(len(here)))

    def _note(self, count: int) -> str:
        if not self._model.is_loaded:
            return self.tr("Looking for assistants…")
        if not count:
            return self.tr("No supported assistant found. Choose Connect… for instructions.")
        more = count - ASSISTANTS_SHOWN
        return counted(more, self.tr("and 1 more"), self.tr("and {} more")) if more > 0 else ""


def _importance(assistant: Assistant) -> tuple[int, float, str]:
    troubled = (Condition.PROBLEM, Condition.CHANGED, Condition.REMOVED, Condition.RESTART)
    is_set_up = assistant.condition in (Condition.CONNECTED, Condition.WAITING)
    place = 0 if assistant.condition in troubled else 1 if assistant.attached else 2 if is_set_up else 3
    return place, -assistant.last_seen, assistant.title.casefold()


class AssistantLine(QWidget):
    """Icon, name, last use and status of an assistant."""

    def __init__(self) -> None:
        super().__init__()
        self._picture = Tile(TILE_SIZE)
        self.name = widgets.label("", "strong")
        self.text = widgets.ElidedLabel("", "caption")
        self.badge = widgets.Badge()
        words = widgets.column(self.name, self.text, spacing=0)
        badge = (self.badge, 0, Qt.AlignmentFlag.AlignVCenter)
        widgets.row(self._picture, (words, 1), badge, spacing=M, parent=self)

    def show_assistant(self, assistant: Assistant) -> None:
        self._picture.show_assistant(
            assistant.name, assistant.title, present=assistant.has_entry or assistant.attached > 0
        )
        self.name.setText(assistant.title)
        self.text.show_text(self._words(assistant))
        condition = assistant.condition
        if assistant.attached and condition is not Condition.RESTART:
            self.badge.show_text(self.tr("Connected now"), "good")
        else:
            self.badge.show_text(condition_word(assistant), condition_kind(condition))

    def _words(self, assistant: Assistant) -> str:
        if assistant.last_seen:
            return self.tr("Last used: {}").format(ago(assistant.last_seen))
        if assistant.condition is Condition.FOUND:
            return self.tr("Found on this computer")
        if assistant.condition in (Condition.WAITING, Condition.RESTART):
            return self.tr("Not connected since setup")
        return self.tr("No questions yet")
