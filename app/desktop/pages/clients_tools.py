"""Which tools an assistant is offered, with the way to the setting."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from app.desktop.context import Context
from app.desktop.models.assistants import Assistant
from app.desktop.panels import Card
from app.desktop.tokens import M
from app.desktop.widgets import button, label


class ToolsCard(Card):
    """Name of the profile and what it is for. `change_wanted` leads to the setting."""

    change_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        line = QHBoxLayout()
        line.setSpacing(M)
        words = QVBoxLayout()
        words.setSpacing(1)
        self.name = label("", "strong")
        self.purpose = label("", "muted", wrap=True)
        words.addWidget(self.name)
        words.addWidget(self.purpose)
        line.addLayout(words, 1)
        self.change = button(self.tr("Change…"), self.change_wanted.emit)
        self.change.setAccessibleName(self.tr("Change the tools it gets"))
        line.addWidget(self.change, 0, Qt.AlignmentFlag.AlignVCenter)
        self.body.addLayout(line)

    def show_assistant(self, assistant: Assistant) -> None:
        """The profile that the saved settings give it."""
        purposes = {
            "full": self.tr("All tools: answers, web, documentation, knowledge base and graph."),
            "research": self.tr("Tools for answers with evidence from the web and from stored pages."),
            "docs": self.tr("Tools for looking things up in stored documentation."),
            "kb": self.tr("Tools for searching, quoting and walking through what is stored."),
            "simple": self.tr("Three tools: ask, search, see what is stored; for small local models."),
        }
        self.name.setText(self.tr("Tools it gets: {}").format(assistant.tools))
        self.purpose.setText(purposes.get(assistant.tools, ""))
