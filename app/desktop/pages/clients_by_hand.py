"""For an assistant whose files WebRAG does not write: the entry to paste, as a program to start or as an address."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QGuiApplication

from app.desktop.clipboard import copy_secret
from app.desktop.context import Context
from app.desktop.language import spoken
from app.desktop.models.assistants import OTHER, Assistant, command_line
from app.desktop.panels import Card, card_head
from app.desktop.text_box import TextBox
from app.desktop.tokens import M
from app.desktop.widgets import Segments, button, label, row

PROGRAM: Final = "program"
ADDRESS: Final = "address"
COMMAND: Final = "command"
NO_TOKEN: Final = "<token>"


class ByHandCard(Card):
    """The token stands in the text only after it was asked for, and until another assistant is shown."""

    def __init__(self, context: Context) -> None:
        super().__init__(spacing=M)
        self._context = context
        self._assistant: Assistant | None = None
        self._token = ""
        self.kinds = Segments(
            self.tr("Kind of entry"),
            (
                (PROGRAM, self.tr("Program"), self.tr("The assistant starts WebRAG's bridge by itself (stdio)")),
                (ADDRESS, self.tr("Address"), self.tr("The assistant calls the address of the running WebRAG (HTTP)")),
                (COMMAND, self.tr("Command"), self.tr("Only the command, for assistants with a form to fill in")),
            ),
        )
        self.kinds.chosen.connect(lambda _kind: self._show())
        self.body.addWidget(card_head(self.tr("Connect it by hand")))
        self.where, self._text = label("", "", wrap=True), label("", "muted", wrap=True)
        self.body.addWidget(self.where)
        self.body.addLayout(row(self.kinds, 1))
        self.body.addWidget(self._text)
        self.entry = TextBox(self.tr("The entry to paste"))
        self.body.addWidget(self.entry)
        self.copy = button(self.tr("Copy"), self._copy, "primary", "copy")
        self.put_token = button(self.tr("Put in the token"), self._ask_token)
        self.body.addLayout(row(self.copy, self.put_token, 1))
        self._warning = label(
            self.tr("With this token any program on this computer can use WebRAG: paste it only where you need it."),
            "caption",
            wrap=True,
        )
        self.body.addWidget(self._warning)
        self.note = label("", "muted", wrap=True)
        self.body.addWidget(self.note)
        context.status.changed.connect(self._show)

    def show_assistant(self, assistant: Assistant) -> None:
        """Make the entries for this assistant; the token is forgotten with the one before."""
        is_other = self._assistant is None or assistant.name != self._assistant.name
        self._assistant = assistant
        if is_other:
            self._token = ""
            self._offer(assistant)
        self._show()

    def _offer(self, assistant: Assistant) -> None:
        snippet = assistant.snippet
        if snippet is None:
            return
        possible = {PROGRAM: snippet.stdio, ADDRESS: snippet.http, COMMAND: assistant.name == OTHER}
        self.kinds.offer([kind for kind, made in possible.items() if made])
        self.where.setText(spoken(snippet.where))
        self.note.setText(spoken(snippet.note))
        self.note.setVisible(bool(snippet.note))

    def _show(self) -> None:
        assistant = self._assistant
        if assistant is None or assistant.snippet is None:
            return
        has_any = assistant.snippet.stdio is not None or assistant.snippet.http is not None
        is_address = self.kinds.value == ADDRESS
        url = self._context.status.url
        self.kinds.setVisible(has_any)
        self._text.setVisible(has_any)
        self._text.setText(self._explanation(url))
        text = self._entry(assistant, url)
        self.entry.show_text(text)
        for widget in (self.entry, self.copy):
            widget.setVisible(bool(text))
        self.put_token.setVisible(is_address and bool(text))
        self.put_token.setEnabled(not self._token)
        self._warning.setVisible(is_address and bool(self._token))

    def _explanation(self, url: str) -> str:
        if self.kinds.value == PROGRAM:
            return self.tr("It starts WebRAG when it is needed, and holds no secret.")
        if self.kinds.value == COMMAND:
            return self.tr("For assistants that ask for the command of a server in a form.")
        if not url:
            return self.tr("WebRAG does not listen on any address now.")
        return self.tr("It works while WebRAG runs. The token proves who calls; it is put in only when you ask for it.")

    def _entry(self, assistant: Assistant, url: str) -> str:
        snippet = assistant.snippet
        if snippet is None:
            return ""
        if self.kinds.value == ADDRESS:
            return snippet.http(url, self._token or NO_TOKEN).strip() if snippet.http is not None and url else ""
        if self.kinds.value == COMMAND:
            return command_line(assistant.command)
        return snippet.stdio(assistant.command).strip() if snippet.stdio is not None else ""

    def _ask_token(self) -> None:
        self._context.thread.run_blocking(self._context.secrets.server_token, self._take_token, owner=self)

    def _take_token(self, token: str) -> None:
        self._token = token
        self._show()

    def _copy(self) -> None:
        if self.kinds.value == ADDRESS and self._token:
            copy_secret(self.entry.toPlainText())
            self._context.notifier.say(self.tr("Entry copied with its token"))
        else:
            QGuiApplication.clipboard().setText(self.entry.toPlainText())
            self._context.notifier.say(self.tr("Entry copied: paste it into your assistant"))
