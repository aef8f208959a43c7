"""The question before the first window: the data folder cannot be used, so which one is to be taken?"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QVBoxLayout, QWidget

from app.desktop.icons import app_icon
from app.desktop.tokens import XL, L, M, S
from app.desktop.widgets import ElidedLabel, ThemedIcon, button, label, row
from app.errors import DataFolderError
from app.instance import make_data_dir
from app.paths import corpus_file, usual_data_dir

WIDTH = 740


class DataFolderDialog(QDialog):
    """Accepted with `folder`, which can be written to; rejected when the person leaves.

    `is_remembered` says whether the choice counts for later starts: not where the start names its folder.
    """

    def __init__(
        self, error: DataFolderError, folder: Path, *, is_remembered: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.folder = folder
        self.setWindowTitle("WebRAG Desktop")
        self.setWindowIcon(app_icon())
        self.setMinimumWidth(WIDTH)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, L)
        column.setSpacing(M)
        words = QVBoxLayout()
        words.setSpacing(S)
        words.addWidget(label(self.tr("WebRAG cannot write to its data folder"), "heading"))
        self.place = ElidedLabel(str(folder), "muted", Qt.TextElideMode.ElideMiddle)
        words.addWidget(self.place)
        head = row(ThemedIcon("alert", 36, "warning"), spacing=L)
        head.addLayout(words, 1)
        column.addLayout(head)
        column.addWidget(label(error.message, "", wrap=True, selectable=True))
        column.addWidget(label(self._explanation(is_remembered=is_remembered), "muted", wrap=True))
        self.problem = label("", "problem", wrap=True)
        self.problem.hide()
        column.addWidget(self.problem)
        column.addSpacing(S)
        self.choose = button(self.tr("Choose another folder…"), self.ask, "primary", "folder")
        self.usual = button(self.tr("Use the usual folder"), lambda: self.take(usual_data_dir()))
        self.usual.setToolTip(str(usual_data_dir()))
        self.usual.setVisible(folder != usual_data_dir())
        self.again = button(self.tr("Try again"), lambda: self.take(self.folder))
        leave = button(self.tr("Quit"), self.reject)
        column.addLayout(row(leave, 1, self.again, self.usual, self.choose))
        self.choose.setDefault(True)
        self.choose.setFocus()

    def ask(self) -> None:
        """Let the person point at a folder."""
        path = QFileDialog.getExistingDirectory(self, self.tr("Choose the data folder"), str(Path.home()))
        if path:
            self.take(Path(path))

    def take(self, folder: Path) -> None:
        """Accept a folder that can be written to; say what is wrong with another."""
        try:
            make_data_dir(folder)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            self.problem.setText(self.tr("{} cannot be used: {}.").format(folder, reason))
            self.problem.show()
            self.adjustSize()
            return
        self.folder = folder
        self.accept()

    def _explanation(self, *, is_remembered: bool) -> str:
        lasting = (
            self.tr(
                "The folder you choose is used from now on, also by the command line and by assistants that start later."
            )
            if is_remembered
            else self.tr("This start was given its folder, so the one you choose counts until WebRAG is closed.")
        )
        moved = self.tr(
            "A library that is already there is opened. To take your library along, copy {} from the old folder first."
        ).format(corpus_file(Path()).name)
        return f"{lasting} {moved}"
