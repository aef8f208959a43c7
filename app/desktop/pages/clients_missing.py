"""An assistant that is not on this computer: where it was looked for, and what to do when it is there after all."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from app.clients.snippets import own_command
from app.desktop.models.assistants import Assistant, short_path
from app.desktop.panels import Card, card_head
from app.desktop.text_box import TextBox
from app.desktop.tokens import M, S
from app.desktop.widgets import button, label, row


class MissingCard(Card):
    """Says where it would be found."""

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
