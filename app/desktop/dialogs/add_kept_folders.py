"""The folders that are kept up to date already, each to be looked through again or removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.desktop.panels import Card
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ElidedLabel, icon_button, label, row
from app.desktop.wording import counted

if TYPE_CHECKING:
    from app.corpus.job_records import Folder

MAX_FOLDERS_SHOWN = 2


class KeptFolders(Card):
    """Hidden while there are none. `refresh_wanted` and `removal_wanted` give the folder."""

    refresh_wanted = Signal(object)
    removal_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__(spacing=XS)
        self.body.setContentsMargins(L, S, L, S)
        self.hide()

    def show_folders(self, folders: list[Folder]) -> None:
        """List the folders anew."""
        while (item := self.body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        more = len(folders) - MAX_FOLDERS_SHOWN
        title = label(self.tr("Folders in the library"), "strong")
        rest = label(self.tr("… and {} more").format(more), "muted") if more > 0 else label()
        head = QWidget()
        head.setLayout(row(title, 1, rest))
        self.body.addWidget(head)
        for folder in folders[:MAX_FOLDERS_SHOWN]:
            self.body.addWidget(self._row(folder))
        self.setVisible(bool(folders))

    def _row(self, folder: Folder) -> QWidget:
        holder = QWidget()
        inner = row(spacing=M)
        inner.addWidget(ElidedLabel(folder.path), 1)
        inner.addWidget(label(counted(folder.documents, self.tr("1 file"), self.tr("{} files")), "muted"))
        again, remove = self.tr("Look through {} again"), self.tr("Remove {} from the library")
        inner.addWidget(icon_button("refresh", again.format(folder.path), lambda: self.refresh_wanted.emit(folder)))
        inner.addWidget(icon_button("trash", remove.format(folder.path), lambda: self.removal_wanted.emit(folder)))
        holder.setLayout(inner)
        return holder
