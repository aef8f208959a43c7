"""The WebRAG entry in an assistant's configuration: for manual setup, and as found in each file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.clients.registrar import ClientFile
from app.desktop import widgets
from app.desktop.context import Context
from app.desktop.exports import copy_secret, open_folder_of
from app.desktop.models.assistants import OTHER, Assistant, command_line
from app.desktop.panels import Card, Line, card_head
from app.desktop.tokens import M
from app.desktop.wording import short_path, spoken

PROGRAM: Final = "program"
ADDRESS: Final = "address"
COMMAND: Final = "command"
NO_TOKEN: Final = "<token>"


class ByHandCard(Card):
    """The entry to paste. Contains the token only on request, until another assistant is selected."""

    def __init__(self, context: Context) -> None:
        super().__init__(spacing=M)
        self._context = context
        self._assistant: Assistant | None = None
        self._token = ""
        self.kinds = widgets.Segments(
            self.tr("Type of entry"),
            (
                (PROGRAM, self.tr("Program"), self.tr("The assistant starts the WebRAG bridge automatically (stdio)")),
                (
                    ADDRESS,
                    self.tr("Address"),
                    self.tr("The assistant connects to the running WebRAG by its address (HTTP)"),
                ),
                (COMMAND, self.tr("Command"), self.tr("Only the command, for assistants with a form")),
            ),
        )
        self.kinds.chosen.connect(lambda _kind: self._show())
        self.where, self._text = widgets.label("", "", wrap=True), widgets.label("", "muted", wrap=True)
        self.entry = widgets.TextBox(self.tr("Entry to paste"))
        self.copy = widgets.button(self.tr("Copy"), self._copy, "primary", "copy")
        self.put_token = widgets.button(
            self.tr("Insert token"),
            lambda: context.run(self, context.secrets.server_token, self._take_token, uses_keyring=True),
        )
        self._warning = widgets.label(
            self.tr("Any program on this computer can use WebRAG with this token. Paste it only where you need it."),
            "caption",
            wrap=True,
        )
        self.note = widgets.label("", "muted", wrap=True)
        head, buttons = card_head(self.tr("Connect manually")), widgets.row(self.copy, self.put_token, 1)
        words = (head, self.where, widgets.row(self.kinds, 1), self._text)
        widgets.add_parts(self.body, *words, self.entry, buttons, self._warning, self.note)
        context.status.changed.connect(self._show)

    def show_assistant(self, assistant: Assistant) -> None:
        """Build the entries for this assistant, without the token."""
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
            return self.tr("Starts WebRAG when needed. Contains no secrets.")
        if self.kinds.value == COMMAND:
            return self.tr("For assistants that ask for the server command in a form.")
        if not url:
            return self.tr("The WebRAG server is not running.")
        return self.tr(
            "Works while WebRAG is running. The entry needs the access token, which is only inserted when you choose Insert token."
        )

    def _entry(self, assistant: Assistant, url: str) -> str:
        snippet = assistant.snippet
        if snippet is None:
            return ""
        if self.kinds.value == ADDRESS:
            return snippet.http(url, self._token or NO_TOKEN).strip() if snippet.http is not None and url else ""
        if self.kinds.value == COMMAND:
            return command_line(assistant.command)
        return snippet.stdio(assistant.command).strip() if snippet.stdio is not None else ""

    def _take_token(self, token: str) -> None:
        self._token = token
        self._show()

    def _copy(self) -> None:
        if self.kinds.value == ADDRESS and self._token:
            copy_secret(self.entry.toPlainText())
            self._context.notifier.say(self.tr("Entry copied with token"))
        else:
            said = self.tr("Entry copied. Paste it into your assistant's settings.")
            self._context.copy(self.entry.toPlainText(), said)


class FileRow(QWidget):
    """A configuration file: its path, whether it contains the WebRAG entry, and the entry."""

    def __init__(self, context: Context, file: ClientFile, entry: str) -> None:
        super().__init__()
        path = widgets.ElidedLabel(short_path(str(file.path)), "", Qt.TextElideMode.ElideMiddle)
        path.setAccessibleName(str(file.path))
        copy = partial(context.copy, str(file.path), self.tr("Path copied"))
        self.copy = widgets.icon_button("copy", self.tr("Copy file path"), copy)
        self.open = widgets.icon_button("folder", self.tr("Open folder of the file"), lambda: open_folder_of(file.path))
        self.entry = widgets.TextBox(self.tr("WebRAG entry in this file"))
        self.entry.show_text(entry)
        self.entry.setVisible(bool(entry))
        widgets.column(widgets.row((path, 1), self._badge(file), self.copy, self.open), self.entry, parent=self)

    def _badge(self, file: ClientFile) -> widgets.Badge:
        if file.problem:
            return widgets.Badge(self.tr("not readable"), "error")
        if file.registered:
            return widgets.Badge(self.tr("configured"), "good")
        if file.command is not None:
            return widgets.Badge(self.tr("different entry"), "error")
        return widgets.Badge(self.tr("not configured") if file.exists else self.tr("does not exist yet"))


class FilesCard(Card):
    """The configuration files of the assistant."""

    def __init__(self, context: Context, disconnect: Callable[[], object]) -> None:
        super().__init__(spacing=M)
        self._context = context
        self.disconnect_button = widgets.button(self.tr("Disconnect…"), disconnect, "danger")
        head = card_head(self.tr("Configuration"), self.disconnect_button)
        note = self.tr("WebRAG only changes its own entry and backs up the file first.")
        self._rows = widgets.column(spacing=M)
        widgets.add_parts(self.body, head, widgets.label(note, "muted", wrap=True), self._rows)
        self.rows: list[FileRow] = []
        self._shown: object = None

    def show_files(self, assistant: Assistant) -> None:
        """List the files and reuse the widgets of unchanged ones."""
        self.disconnect_button.setVisible(assistant.has_entry)
        shown = (assistant.name, assistant.state.files, assistant.entries)
        if shown == self._shown:
            return
        self._shown = shown
        widgets.clear_layout(self._rows)
        self.rows = []
        for file, entry in zip(assistant.state.files, assistant.entries, strict=True):
            if self.rows:
                self._rows.addWidget(Line())
            made = FileRow(self._context, file, entry)
            self.rows.append(made)
            self._rows.addWidget(made)
