"""Details of the selected assistant: a column of cards that hides cards without content."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QWidget

from app.clients.snippets import own_command
from app.desktop import widgets
from app.desktop.context import Context
from app.desktop.exports import open_local
from app.desktop.models import assistants
from app.desktop.models.assistants import Assistant, Condition, DoctorRun
from app.desktop.models.search import has_libraries
from app.desktop.notices import BannerStack, Notice
from app.desktop.pages.clients.cards import ByHandCard, FilesCard, ResultsCard
from app.desktop.pages.parts import Scrolled
from app.desktop.panels import Card, Tile, card_head
from app.desktop.qt import Act
from app.desktop.settings_store import cost_words, profile_purpose, tool_costs
from app.desktop.tokens import L, M, S
from app.desktop.wording import short_path, spoken
from app.library.records import ALL, PRIVATE, SHARED
from app.settings_schema import client_libraries

if TYPE_CHECKING:
    from app.server.calls.registry import ProfileCost

TILE = 48
WIDEST_CHOICE = 300


class AssistantHead(Card):
    """Icon, title, status and the actions to connect or repair, to test, and to open a file that must be repaired manually."""

    def __init__(self, connect: Act, test: Act) -> None:
        super().__init__(margin=L, spacing=M)
        self._broken = Path()
        self._tile = Tile(TILE)
        self.title = widgets.label("", "heading")
        self.badge = widgets.Badge()
        self.presence = widgets.label("", "muted", wrap=True)
        self.only_where = widgets.label("", "caption", wrap=True)
        words = widgets.column(
            widgets.row(self.title, self.badge, 1, spacing=S), self.presence, self.only_where, spacing=3
        )
        self.body.addLayout(widgets.row((self._tile, 0, Qt.AlignmentFlag.AlignTop), (words, 1), spacing=L))
        self.connect_button = widgets.button(self.tr("Connect…"), connect, "primary")
        self.test_button = widgets.button(self.tr("Test"), test, "", "activity", name=self.tr("Test the connection"))
        self.test_button.setToolTip(self.tr("Start WebRAG the same way as the assistant and check that it works"))
        self.open_button = widgets.button(self.tr("Open file"), lambda: open_local(self._broken), "primary")
        self.body.addLayout(widgets.row(self.connect_button, self.open_button, self.test_button, 1))

    def show_assistant(self, assistant: Assistant, *, testing: bool) -> None:
        condition = assistant.condition
        self._tile.show_assistant(assistant.name, assistant.title, present=assistant.is_here)
        self.title.setText(assistant.title)
        is_known = assistant.profile is not None
        self.badge.show_text(
            assistants.condition_word(assistant) if is_known else "", assistants.condition_kind(condition)
        )
        self.presence.setText(self._presence(assistant))
        only_where = assistant.profile.only_where if assistant.profile is not None and assistant.is_here else ""
        widgets.show_words(self.only_where, spoken(only_where))
        words = {
            Condition.REMOVED: self.tr("Restore entry…"),
            Condition.CHANGED: self.tr("Repair entry…"),
            Condition.PROBLEM: self.tr("Replace entry…"),
        }
        self.connect_button.setText(words.get(assistant.condition, self.tr("Connect…")))
        possible = (Condition.PROBLEM, Condition.CHANGED, Condition.REMOVED, Condition.FOUND)
        is_seen = assistant.condition is Condition.SEEN and assistant.state.found
        may_connect = is_seen or assistant.condition in possible
        # An unreadable file must be repaired manually first.
        self.connect_button.setVisible(is_known and may_connect and assistant.broken_file is None)
        self.test_button.setVisible(is_known and assistant.state.found)
        self.test_button.setEnabled(not testing)
        self.open_button.setVisible(assistant.broken_file is not None)
        self._broken = assistant.broken_file or Path()

    def _presence(self, assistant: Assistant) -> str:
        if not assistant.is_here:
            if assistant.profile is None:
                return self.tr("Any assistant that supports MCP (Model Context Protocol) can use WebRAG.")
            return self.tr("Not installed on this computer.")
        if assistant.condition is Condition.FOUND and not assistant.last_seen:
            return self.tr("Installed, but not connected to WebRAG.")
        return assistants.presence_text(assistant)


class ToolsCard(Card):
    """The tool profile and its purpose."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._costs: dict[str, ProfileCost] = {}
        self._shown: Assistant | None = None
        self.name = widgets.label("", "strong")
        self.purpose = widgets.label("", "muted", wrap=True)
        self.change = widgets.button(
            self.tr("Change…"), lambda: context.show_client_tools(), name=self.tr("Change tools")
        )
        words = widgets.column(self.name, self.purpose, spacing=1)
        line = widgets.row((words, 1), (self.change, 0, Qt.AlignmentFlag.AlignVCenter), spacing=M)
        self.body.addLayout(line)

    def show_assistant(self, assistant: Assistant) -> None:
        self._shown = assistant
        self.name.setText(self.tr("Available tools: {}").format(assistant.tools))
        cost = self._costs.get(assistant.tools)
        words = self.tr("Uses {} of every conversation.").format(cost_words(cost)) if cost is not None else ""
        purpose = profile_purpose(assistant.tools)
        self.purpose.setText(" ".join(filter(None, (f"{purpose}." if purpose else "", words))))

    def showEvent(self, event: QShowEvent) -> None:
        """Load the token costs of the profiles the first time."""
        super().showEvent(event)
        if not self._costs:
            running = self._context.settings.running

            def show(costs: dict[str, ProfileCost]) -> None:
                self._costs = costs
                if self._shown is not None:
                    self.show_assistant(self._shown)

            self._context.run(self, lambda: tool_costs(running), show)


class LibrariesCard(Card):
    """The libraries that the assistant searches by default. Visible if a shared library is joined."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._shown: Assistant | None = None
        self._joined = False
        name = widgets.label(self.tr("Libraries to search"), "strong")
        hint = self.tr("The assistant can still name another library in a question. Takes effect immediately.")
        words = widgets.column(name, widgets.label(hint, "muted", wrap=True), spacing=1)
        self.choice = QComboBox()
        self.choice.setMaximumWidth(WIDEST_CHOICE)
        self.choice.setAccessibleName(name.text())
        name.setBuddy(self.choice)
        self.choice.addItem(self.tr("Private and shared libraries"), ALL)
        self.choice.addItem(self.tr("Private library only"), PRIVATE)
        self.choice.addItem(self.tr("Shared libraries only"), SHARED)
        self.choice.activated.connect(lambda _place: self._save())
        widgets.add_parts(self.body, words, widgets.row(self.choice, 1))

    def look(self) -> None:
        """Check whether a shared library is joined."""
        self._context.ask(self, has_libraries, self._take, lambda _error: None)

    def show_assistant(self, assistant: Assistant) -> None:
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
        if not self._context.save("mcp_client_library", tuple(f"{name}={each}" for name, each in chosen.items())):
            self.show_assistant(assistant)


class Step(QWidget):
    """A step that is done, in progress or still to come."""

    def __init__(self) -> None:
        super().__init__()
        self._icon = widgets.ThemedIcon("ok", 20, "success")
        self._title, self._text = widgets.label("", "strong", wrap=True), widgets.label("", "muted", wrap=True)
        words = widgets.column(self._title, self._text, spacing=1)
        widgets.row((self._icon, 0, Qt.AlignmentFlag.AlignTop), (words, 1), spacing=M, parent=self)

    def show_step(self, title: str, text: str, *, done: bool, waiting: bool = False) -> None:
        """Update the step; `waiting` marks the current one."""
        self._icon.show_icon("ok" if done else "clock", "success" if done else "accent_text" if waiting else "muted")
        self._title.setText(title)
        widgets.show_words(self._text, text)


class StepsCard(Card):
    """The steps "entry added", "assistant restarted" and "first question"."""

    def __init__(self, close: Act) -> None:
        super().__init__(spacing=M)
        self.close_button = widgets.icon_button("close", self.tr("Close these steps"), close)
        head = card_head(self.tr("Finish connecting"), self.close_button)
        self.written, self.started, self.asked = Step(), Step(), Step()
        widgets.add_parts(self.body, head, self.written, self.started, self.asked)

    def show_assistant(self, assistant: Assistant) -> None:
        """Show the progress; hide the card if no step is pending."""
        progress = assistant.connecting
        self.setVisible(progress is not None)
        if progress is None or assistant.profile is None:
            return
        title = assistant.title
        self.written.show_step(self.tr("Entry added"), "", done=True)
        if progress.attached:
            self.started.show_step(self.tr("{} found WebRAG").format(title), "", done=True)
        else:
            advice = spoken(assistant.profile.after_change)
            self.started.show_step(self.tr("Waiting for {}…").format(title), advice, done=False, waiting=True)
        if progress.tool:
            words = self.tr("{} is connected and made its first call").format(title)
            self.asked.show_step(words, self.tr("It used the tool {}.").format(progress.tool), done=True)
            return
        text = self.tr("Ask it something, for example: “Use WebRAG to read this page and summarize it.”")
        self.asked.show_step(self.tr("First question"), text, done=False, waiting=progress.attached)


class MissingCard(Card):
    """Lists the searched locations."""

    def __init__(self, context: Context) -> None:
        super().__init__(spacing=M)
        self.text = widgets.label("", "muted", wrap=True)
        self.places = widgets.TextBox(self.tr("Searched locations"))
        self._or = widgets.label(
            self.tr("If its settings are in another location, run this command in a terminal:"), "muted", wrap=True
        )
        self._or.setContentsMargins(0, S, 0, 0)
        self.command = widgets.TextBox(self.tr("Command to run"))
        self.copy = widgets.button(
            self.tr("Copy command"), lambda: context.copy(self.command.toPlainText()), "", "copy"
        )
        searched = (widgets.label(self.tr("Searched in"), "caption"), self.places)
        head = card_head(self.tr("Not found on this computer"))
        widgets.add_parts(self.body, head, self.text, *searched, self._or, self.command, widgets.row(self.copy, 1))

    def show_assistant(self, assistant: Assistant) -> None:
        words = self.tr("Install {0} and start it once. It then appears here, and you can connect it with one click.")
        self.text.setText(words.format(assistant.title))
        self.places.show_text("\n".join(map(short_path, assistant.places)))
        by_hand = own_command(assistant.profile, assistant.command) if assistant.profile is not None else ""
        self.command.show_text(by_hand)
        for widget in (self._or, self.command, self.copy):
            widget.setVisible(bool(by_hand))


class AssistantPane(Scrolled):
    """The column of cards of an assistant. `connect` and `test` act on the assistant, and `end` gets its name to close the steps."""

    def __init__(
        self, context: Context, run: DoctorRun, connect: Callable[..., object], test: Act, end: Callable[[str], object]
    ) -> None:
        super().__init__()
        self.shown: Assistant | None = None
        self.head = AssistantHead(connect, test)
        self.notice = BannerStack()
        self.steps = StepsCard(lambda: end(self.shown.name if self.shown is not None else ""))
        self.results = ResultsCard(context, run)
        self.tools = ToolsCard(context)
        self.libraries = LibrariesCard(context)
        self.files = FilesCard(context, partial(connect, removing=True))
        self.missing = MissingCard(context)
        self.by_hand = ByHandCard(context)
        cards = (self.missing, self.by_hand, self.results, self.tools, self.libraries, self.files)
        content = widgets.column(self.head, self.notice, self.steps, *cards, 1, spacing=L, margins=(0, 0, M, 0))
        self.setWidget(widgets.held(content))

    def show_assistant(self, assistant: Assistant, *, alone: bool) -> None:
        """Show another assistant from the top, or update the current one. `alone` means that no assistant was found."""
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

    def _notices(self, assistant: Assistant, *, alone: bool) -> tuple[Notice, ...]:
        if alone and assistant.profile is None:
            title = self.tr("No assistant found on this computer")
            text = self.tr(
                "Install one of the assistants listed here and start it once. WebRAG can then connect it. For any other assistant, use"
                " the entry below."
            )
            return (Notice("alone", "info", title, text),)
        text = assistants.explanation(assistant)
        if not text:
            return ()
        if assistant.condition is Condition.PROBLEM:
            return (Notice("assistant", "error", self.tr("Problem with its configuration"), text),)
        return (Notice("assistant", "warning", self.tr("Its WebRAG entry needs repair"), text),)
