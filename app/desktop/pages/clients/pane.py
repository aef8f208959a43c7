"""The chosen assistant in detail: a column of cards, of which those are shown that say something about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QComboBox, QWidget

from app.clients.snippets import own_command
from app.desktop.context import Context
from app.desktop.exports import open_local
from app.desktop.models.assistants import (
    Assistant,
    Condition,
    condition_kind,
    condition_word,
    explanation,
    presence_text,
)
from app.desktop.models.doctor_run import DoctorRun
from app.desktop.models.search import has_libraries
from app.desktop.notices import BannerStack, Notice
from app.desktop.pages.clients.entry import ByHandCard, FilesCard
from app.desktop.pages.clients.results import ResultsCard
from app.desktop.pages.page import Scrolled
from app.desktop.panels import Card, Tile, card_head
from app.desktop.settings_store import cost_words, tool_costs
from app.desktop.tokens import L, M, S
from app.desktop.widgets import Badge, TextBox, ThemedIcon, button, column, held, icon_button, label, row
from app.desktop.wording import short_path, spoken
from app.library.records import ALL, PRIVATE, SHARED
from app.settings_schema import client_libraries

if TYPE_CHECKING:
    from app.server.calls.registry import ProfileCost

TILE = 48


class AssistantHead(Card):
    """Picture, title, state, actions. `connect_wanted` is also for repairing, `open_wanted` for a file to mend by hand."""

    connect_wanted = Signal()
    open_wanted = Signal()
    test_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(margin=L, spacing=M)
        self._tile = Tile(TILE)
        self.title = label("", "heading")
        self.badge = Badge()
        self.presence = label("", "muted", wrap=True)
        self.only_where = label("", "caption", wrap=True)
        words = column(row(self.title, self.badge, 1, spacing=S), self.presence, self.only_where, spacing=3)
        self.body.addLayout(row((self._tile, 0, Qt.AlignmentFlag.AlignTop), (words, 1), spacing=L))
        self.connect_button = button(self.tr("Connect…"), self.connect_wanted.emit, "primary")
        self.test_button = button(self.tr("Test"), self.test_wanted.emit, "", "activity")
        self.test_button.setAccessibleName(self.tr("Test the connection"))
        self.test_button.setToolTip(self.tr("Start the entry as the assistant does, and see whether it works"))
        self.open_button = button(self.tr("Open the file"), self.open_wanted.emit, "primary")
        self.body.addLayout(row(self.connect_button, self.open_button, self.test_button, 1))

    def show_assistant(self, assistant: Assistant, *, testing: bool) -> None:
        """Show another assistant, or how things stand with this one now."""
        condition = assistant.condition
        self._tile.show_assistant(assistant.name, assistant.title, present=assistant.is_here)
        self.title.setText(assistant.title)
        is_known = assistant.profile is not None
        self.badge.show_text(condition_word(assistant) if is_known else "", condition_kind(condition))
        self.presence.setText(self._presence(assistant))
        only_where = assistant.profile.only_where if assistant.profile is not None and assistant.is_here else ""
        self.only_where.setText(spoken(only_where))
        self.only_where.setVisible(bool(only_where))
        self.connect_button.setText(self._connect_word(assistant))
        self.connect_button.setVisible(is_known and self._may_connect(assistant))
        self.test_button.setVisible(is_known and assistant.state.found)
        self.test_button.setEnabled(not testing)
        self.open_button.setVisible(assistant.broken_file is not None)

    def _presence(self, assistant: Assistant) -> str:
        if assistant.profile is None and not assistant.is_here:
            return self.tr("Whatever speaks MCP (Model Context Protocol) can use WebRAG.")
        if not assistant.is_here:
            return self.tr("Nothing of it was seen on this computer.")
        if assistant.condition is Condition.FOUND and not assistant.last_seen:
            return self.tr("It is installed here, and does not know of WebRAG yet.")
        return presence_text(assistant)

    def _connect_word(self, assistant: Assistant) -> str:
        if assistant.condition is Condition.REMOVED:
            return self.tr("Put it back…")
        if assistant.condition is Condition.CHANGED:
            return self.tr("Repair…")
        if assistant.condition is Condition.PROBLEM:
            return self.tr("Replace its entry…")
        return self.tr("Connect…")

    def _may_connect(self, assistant: Assistant) -> bool:
        """Whether connecting is possible: a file that cannot be read must be mended by hand first."""
        if assistant.broken_file is not None:
            return False
        if assistant.condition is Condition.SEEN:
            return assistant.state.found
        return assistant.condition in (Condition.PROBLEM, Condition.CHANGED, Condition.REMOVED, Condition.FOUND)


class ToolsCard(Card):
    """Name of the profile and what it is for. `change_wanted` leads to the setting."""

    change_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._costs: dict[str, ProfileCost] = {}
        self._shown: Assistant | None = None
        self.name = label("", "strong")
        self.purpose = label("", "muted", wrap=True)
        self.change = button(self.tr("Change…"), self.change_wanted.emit)
        self.change.setAccessibleName(self.tr("Change the tools it gets"))
        line = row(
            (column(self.name, self.purpose, spacing=1), 1), (self.change, 0, Qt.AlignmentFlag.AlignVCenter), spacing=M
        )
        self.body.addLayout(line)

    def show_assistant(self, assistant: Assistant) -> None:
        """The profile that the saved settings give it."""
        purposes = {
            "full": self.tr("All tools: answers, web, documentation, knowledge base and graph."),
            "standard": self.tr("The tools that most questions need."),
            "research": self.tr("Tools for answers with evidence from the web and from stored pages."),
            "docs": self.tr("Tools for looking things up in stored documentation."),
            "kb": self.tr("Tools for searching, quoting and walking through what is stored."),
            "simple": self.tr("Three tools: ask, search, see what is stored; for small local models."),
        }
        self._shown = assistant
        self.name.setText(self.tr("Tools it gets: {}").format(assistant.tools))
        cost = self._costs.get(assistant.tools)
        words = self.tr("{} of every conversation.").format(cost_words(cost)) if cost is not None else ""
        self.purpose.setText(" ".join(filter(None, (purposes.get(assistant.tools, ""), words))))

    def showEvent(self, event: QShowEvent) -> None:
        """Ask what the profiles cost, the first time."""
        super().showEvent(event)
        if not self._costs:
            running = self._context.settings.running
            self._context.thread.run_blocking(lambda: tool_costs(running), self._show_costs, owner=self)

    def _show_costs(self, costs: dict[str, ProfileCost]) -> None:
        self._costs = costs
        if self._shown is not None:
            self.show_assistant(self._shown)


class LibrariesCard(Card):
    """Which libraries the assistant asks unless a call names one; shown while a shared one is joined."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._shown: Assistant | None = None
        self._joined = False
        name = label(self.tr("Libraries it asks"), "strong")
        words = column(
            name,
            label(self.tr("Unless it names one in its question. Takes effect at once."), "muted", wrap=True),
            spacing=1,
        )
        self.choice = QComboBox()
        self.choice.setAccessibleName(name.text())
        name.setBuddy(self.choice)
        self.choice.addItem(self.tr("Yours and the shared ones"), ALL)
        self.choice.addItem(self.tr("Only yours"), PRIVATE)
        self.choice.addItem(self.tr("Only the shared ones"), SHARED)
        self.choice.activated.connect(lambda _place: self._save())
        self.body.addLayout(row((words, 1), (self.choice, 0, Qt.AlignmentFlag.AlignVCenter), spacing=M))

    def look(self) -> None:
        """Find out whether a library is joined."""
        self._context.thread.submit(has_libraries, self._take, lambda _error: None, owner=self)

    def show_assistant(self, assistant: Assistant) -> None:
        """What the saved settings say of it."""
        self._shown = assistant
        chosen = client_libraries(self._context.settings.value("mcp_client_library")).get(assistant.name, ALL)
        if self.choice.findData(chosen) < 0:
            self.choice.addItem(chosen, chosen)
        self.choice.setCurrentIndex(self.choice.findData(chosen))
        self.setVisible(self._joined and assistant.is_here)

    def _take(self, joined: bool) -> None:
        self._joined = joined
        if self._shown is not None:
            self.show_assistant(self._shown)

    def _save(self) -> None:
        assistant = self._shown
        if assistant is None:
            return
        chosen = client_libraries(self._context.settings.value("mcp_client_library"))
        chosen.pop(assistant.name, None)
        if (library := str(self.choice.currentData())) != ALL:
            chosen[assistant.name] = library
        self._context.settings.save("mcp_client_library", tuple(f"{name}={each}" for name, each in chosen.items()))


class Step(QWidget):
    """One thing to happen: done, waited for, or to come."""

    def __init__(self) -> None:
        super().__init__()
        self._icon = ThemedIcon("ok", 20, "success")
        self._title, self._text = label("", "strong", wrap=True), label("", "muted", wrap=True)
        row(
            (self._icon, 0, Qt.AlignmentFlag.AlignTop),
            (column(self._title, self._text, spacing=1), 1),
            spacing=M,
            parent=self,
        )

    def show_step(self, title: str, text: str, *, done: bool, waiting: bool = False) -> None:
        """`waiting` is the one step that is waited for now."""
        self._icon.show_icon("ok" if done else "clock", "success" if done else "accent_text" if waiting else "muted")
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))

    @property
    def words(self) -> str:
        return self._title.text()


class StepsCard(Card):
    """Three steps: entry written, assistant restarted, first question. `closed` is emitted by the close button."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__(spacing=M)
        self.body.addWidget(
            card_head(
                self.tr("Getting connected"), icon_button("close", self.tr("Close these steps"), self.closed.emit)
            )
        )
        self.written, self.started, self.asked = Step(), Step(), Step()
        for step in (self.written, self.started, self.asked):
            self.body.addWidget(step)

    def show_assistant(self, assistant: Assistant) -> None:
        """Show how far it has come; hidden where nothing is waited for."""
        progress = assistant.connecting
        self.setVisible(progress is not None)
        if progress is None or assistant.profile is None:
            return
        title = assistant.title
        self.written.show_step(self.tr("The entry is written"), "", done=True)
        if progress.attached:
            self.started.show_step(self.tr("{} found WebRAG").format(title), "", done=True)
        else:
            advice = spoken(assistant.profile.after_change)
            self.started.show_step(self.tr("Waiting for {}…").format(title), advice, done=False, waiting=True)
        if progress.tool:
            words = self.tr("It works: {} made its first call").format(title)
            self.asked.show_step(words, self.tr("It used the tool {}.").format(progress.tool), done=True)
            return
        text = self.tr("Ask it something, for example: “Use WebRAG to read this page and tell me what it says.”")
        self.asked.show_step(self.tr("Its first question"), text, done=False, waiting=progress.attached)


class MissingCard(Card):
    """Lists the places that were searched."""

    def __init__(self) -> None:
        super().__init__(spacing=M)
        self.body.addWidget(card_head(self.tr("Not found on this computer")))
        self.text = label("", "muted", wrap=True)
        self.body.addWidget(self.text)
        self.body.addWidget(label(self.tr("Looked for"), "caption"))
        self.places = TextBox(self.tr("The places that were looked at"))
        self.body.addWidget(self.places)
        self._or = label(
            self.tr("If it keeps its settings elsewhere, run its own command in a terminal:"), "muted", wrap=True
        )
        self._or.setContentsMargins(0, S, 0, 0)
        self.body.addWidget(self._or)
        self.command = TextBox(self.tr("The command to run"))
        self.body.addWidget(self.command)
        self.copy = button(self.tr("Copy the command"), self._copy, "", "copy")
        self.body.addLayout(row(self.copy, 1))

    def show_assistant(self, assistant: Assistant) -> None:
        """Where this one was looked for."""
        self.text.setText(
            self.tr(
                "Install {0} and start it once; it appears here by itself. Then WebRAG connects it with one click."
            ).format(assistant.title)
        )
        self.places.show_text("\n".join(map(short_path, assistant.places)))
        by_hand = own_command(assistant.profile, assistant.command) if assistant.profile is not None else ""
        self.command.show_text(by_hand)
        for widget in (self._or, self.command, self.copy):
            widget.setVisible(bool(by_hand))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.command.toPlainText())


class AssistantPane(Scrolled):
    """The column of cards of one assistant; the page performs the actions."""

    steps_closed = Signal(str)

    def __init__(self, context: Context, run: DoctorRun) -> None:
        super().__init__()
        self.shown: Assistant | None = None
        self.head = AssistantHead()
        self.head.open_wanted.connect(self._open_broken)
        self.notice = BannerStack()
        self.steps = StepsCard()
        self.steps.closed.connect(self._close_steps)
        self.results = ResultsCard(context, run)
        self.tools = ToolsCard(context)
        self.libraries = LibrariesCard(context)
        self.files = FilesCard(context)
        self.missing = MissingCard()
        self.by_hand = ByHandCard(context)
        self.setWidget(held(column(*self._cards(), 1, spacing=L, margins=(0, 0, M, 0))))

    def _cards(self) -> tuple[QWidget, ...]:
        return (
            self.head,
            self.notice,
            self.steps,
            self.missing,
            self.by_hand,
            self.results,
            self.tools,
            self.libraries,
            self.files,
        )

    def show_assistant(self, assistant: Assistant, *, alone: bool) -> None:
        """Show another assistant from its top, or the same one as it is now; `alone` where none was found."""
        is_other = self.shown is None or self.shown.name != assistant.name
        self.shown = assistant
        known = assistant.profile is not None
        self.head.show_assistant(assistant, testing=self.results.run.is_running)
        self.notice.show_notices(self._notices(assistant, alone=alone))
        self.steps.show_assistant(assistant)
        self.missing.show_assistant(assistant)
        self.missing.setVisible(known and not assistant.state.found)
        self.by_hand.show_assistant(assistant)
        self.by_hand.setVisible(not known)
        self.results.show_assistant(assistant)
        self.tools.show_assistant(assistant)
        self.tools.setVisible(assistant.is_here)
        self.libraries.show_assistant(assistant)
        self.files.show_files(assistant)
        self.files.setVisible(assistant.state.found)
        if is_other:
            self.verticalScrollBar().setValue(0)

    def _open_broken(self) -> None:
        if self.shown is not None and self.shown.broken_file is not None:
            open_local(self.shown.broken_file)

    def _close_steps(self) -> None:
        if self.shown is not None:
            self.steps_closed.emit(self.shown.name)

    def _notices(self, assistant: Assistant, *, alone: bool) -> tuple[Notice, ...]:
        if alone and assistant.profile is None:
            title = self.tr("No assistant was found on this computer")
            text = self.tr(
                "WebRAG connects itself to the ones listed here: install one and start it once. Any other takes the entry below."
            )
            return (Notice("alone", "info", title, text),)
        text = explanation(assistant)
        if not text:
            return ()
        if assistant.condition is Condition.PROBLEM:
            return (Notice("assistant", "error", self.tr("Its configuration has a problem"), text),)
        return (Notice("assistant", "warning", self.tr("Its entry is not as it should be"), text),)
