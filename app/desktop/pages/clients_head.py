"""Who the chosen assistant is, how things stand with it, and what can be done."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from app.desktop.models.assistants import (
    Assistant,
    Condition,
    condition_kind,
    condition_word,
    presence_text,
)
from app.desktop.panels import Card
from app.desktop.tile import Tile
from app.desktop.tokens import L, M, S
from app.desktop.widgets import Badge, button, label, row

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
        words = QVBoxLayout()
        words.setSpacing(3)
        words.addLayout(row(self.title, self.badge, 1, spacing=S))
        words.addWidget(self.presence)
        line = QHBoxLayout()
        line.setSpacing(L)
        line.addWidget(self._tile, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)
        self.body.addLayout(line)
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
        self.badge.show_text(condition_word(condition) if is_known else "", condition_kind(condition))
        self.presence.setText(self._presence(assistant))
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
        if assistant.condition is Condition.CHANGED:
            return self.tr("Repair…")
        if assistant.condition is Condition.PROBLEM:
            return self.tr("Replace its entry…")
        return self.tr("Connect…")

    def _may_connect(self, assistant: Assistant) -> bool:
        """A file that cannot be read is mended by hand first."""
        if assistant.broken_file is not None:
            return False
        if assistant.condition is Condition.SEEN:
            return assistant.state.found
        return assistant.condition in (Condition.PROBLEM, Condition.CHANGED, Condition.FOUND)
