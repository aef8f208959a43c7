"""The configuration files of an assistant: where they are, and the entry that stands in each."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.clients import ClientFile
from app.desktop.context import Context
from app.desktop.models.assistants import Assistant, short_path
from app.desktop.opening import open_folder_of
from app.desktop.panels import Card, Line, card_head
from app.desktop.text_box import TextBox
from app.desktop.tokens import M, S
from app.desktop.widgets import Badge, ElidedLabel, button, icon_button, label, row


class FileRow(QWidget):
    """One file: its path, whether it has our entry, and the entry."""

    def __init__(self, context: Context, file: ClientFile, entry: str) -> None:
        super().__init__()
        self._context, self._path = context, file.path
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S)
        path = ElidedLabel(short_path(str(file.path)), "", Qt.TextElideMode.ElideMiddle)
        path.setAccessibleName(str(file.path))
        self.copy = icon_button("copy", self.tr("Copy the path of the file"), self._copy)
        self.open = icon_button("folder", self.tr("Open the folder of the file"), lambda: open_folder_of(file.path))
        line = row(path, self._badge(file), self.copy, self.open)
        line.setStretch(0, 1)
        column.addLayout(line)
        self.entry = TextBox(self.tr("The entry of WebRAG in this file"))
        self.entry.show_text(entry)
        self.entry.setVisible(bool(entry))
        column.addWidget(self.entry)

    def _badge(self, file: ClientFile) -> Badge:
        if file.problem:
            return Badge(self.tr("cannot be read"), "error")
        if file.registered:
            return Badge(self.tr("has the entry"), "good")
        if file.command is not None:
            return Badge(self.tr("another entry"), "error")
        return Badge(self.tr("no entry") if file.exists else self.tr("not there yet"))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(str(self._path))
        self._context.notifier.say(self.tr("Path copied"))


class FilesCard(Card):
    """Every file that the assistant reads."""

    disconnect_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(spacing=M)
        self._context = context
        self.disconnect_button = button(self.tr("Disconnect…"), self.disconnect_wanted.emit, "danger")
        self.body.addWidget(card_head(self.tr("Its configuration"), self.disconnect_button))
        self._note = label(
            self.tr(
                "WebRAG writes only its own entry; every other line stays as it is, and the file is backed up first."
            ),
            "muted",
            wrap=True,
        )
        self.body.addWidget(self._note)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(M)
        self.body.addLayout(self._rows)
        self.rows: list[FileRow] = []
        self._shown: object = None

    def show_files(self, assistant: Assistant) -> None:
        """List the files; nothing is rebuilt while they are as before."""
        self.disconnect_button.setVisible(assistant.has_entry)
        shown = (assistant.name, assistant.state.files, assistant.entries)
        if shown == self._shown:
            return
        self._shown = shown
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.rows = []
        for file, entry in zip(assistant.state.files, assistant.entries, strict=True):
            if self.rows:
                self._rows.addWidget(Line())
            made = FileRow(self._context, file, entry)
            self.rows.append(made)
            self._rows.addWidget(made)
