"""How to connect an assistant: Claude Desktop by one click, others by what they must be told."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.clients.claude_desktop import CLAUDE_DESKTOP
from app.clients.profile import Machine, ServerCommand, server_command
from app.clients.registrar import ClientState, client_state
from app.desktop.context import Context
from app.desktop.dialogs.connect_client import ConnectClientDialog
from app.desktop.panels import Card, Line, card_head
from app.desktop.tokens import M, S
from app.desktop.widgets import Badge, button, icon_button, label
from app.errors import WebRAGError


class ConnectRow(QWidget):
    """Name, how, state, action."""

    def __init__(self, title: str, text: str, action: str, run: Callable[[], object]) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(M)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(label(title, "strong"))
        self.text = label(text, "muted", wrap=True)
        words.addWidget(self.text)
        line.addLayout(words, 1)
        self.badge = Badge()
        line.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignVCenter)
        self.action = button(action, run)
        self.action.setAccessibleName(f"{action}: {title}")
        line.addWidget(self.action, 0, Qt.AlignmentFlag.AlignVCenter)


class ConnectCard(Card):
    """The assistants this version knows how to connect."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.body.addWidget(card_head(self.tr("Connect an assistant")))
        self.desktop = ConnectRow(CLAUDE_DESKTOP.title, "", self.tr("Connect…"), self.connect_claude)
        self.code = ConnectRow(
            "Claude Code",
            self.tr("Run one command in a terminal."),
            self.tr("Copy command"),
            self._copy_command,
        )
        self.other = ConnectRow(
            self.tr("Any other assistant"),
            self.tr("Paste this entry into its MCP configuration."),
            self.tr("Copy entry"),
            self._copy_entry,
        )
        for place, made in enumerate((self.desktop, self.code, self.other)):
            if place:
                self.body.addWidget(Line())
            self.body.addWidget(made)
        self.body.addStretch(1)
        self.body.addWidget(self._example())

    def _example(self) -> QFrame:
        """A question to begin with."""
        frame = QFrame()
        frame.setProperty("role", "example")
        self.question = self.tr(
            "Use WebRAG to read https://docs.python.org/3/library/asyncio-task.html: how do I cancel a task?"
        )
        line = QHBoxLayout(frame)
        line.setContentsMargins(M, S, S, S)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(label(self.tr("Then ask, for example"), "caption"))
        words.addWidget(label(self.question, "", wrap=True))
        line.addLayout(words, 1)
        line.addWidget(icon_button("copy", self.tr("Copy the example question"), self._copy_question))
        return frame

    @property
    def command(self) -> ServerCommand:
        """The bridge, as an assistant must start it."""
        return server_command(self._context.settings.running.data_dir)

    def reload(self) -> None:
        """Look at Claude Desktop's configuration again."""
        self._context.thread.run_blocking(
            lambda: client_state(CLAUDE_DESKTOP, Machine.here()), self._show, self._fail, owner=self
        )

    def connect_claude(self) -> None:
        """Show the exact change, then make it."""
        dialog = ConnectClientDialog(self._context, self.window(), CLAUDE_DESKTOP, self.command)
        dialog.accepted.connect(self.reload)
        dialog.open()

    def _show(self, state: ClientState) -> None:
        problem = next((file.problem for file in state.files if file.problem), "")
        if problem:
            self.desktop.text.setText(problem)
            self.desktop.badge.show_text(self.tr("problem"), "error")
        elif state.registered:
            self.desktop.text.setText(self.tr("WebRAG is in its configuration."))
            self.desktop.badge.show_text(self.tr("registered"), "good")
        elif state.found:
            self.desktop.text.setText(self.tr("Found on this computer."))
            self.desktop.badge.show_text("")
        else:
            self.desktop.text.setText(self.tr("Not found on this computer."))
            self.desktop.badge.show_text("")
        self.desktop.action.setText(self.tr("Check…") if state.registered else self.tr("Connect…"))
        self.desktop.action.setEnabled(state.found)

    def _fail(self, error: WebRAGError) -> None:
        self.desktop.text.setText(error.message)

    def _copy_command(self) -> None:
        words = shlex.join(["claude", "mcp", "add", "webrag", "--", self.command.command, *self.command.args])
        QGuiApplication.clipboard().setText(words)
        self._context.notifier.say(self.tr("Command copied: paste it into a terminal"))

    def _copy_question(self) -> None:
        QGuiApplication.clipboard().setText(self.question)
        self._context.notifier.say(self.tr("Question copied: paste it into your assistant"))

    def _copy_entry(self) -> None:
        entry = json.dumps({"mcpServers": {"webrag": self.command.entry()}}, indent=2)
        QGuiApplication.clipboard().setText(entry)
        self._context.notifier.say(self.tr("Configuration entry copied"))
