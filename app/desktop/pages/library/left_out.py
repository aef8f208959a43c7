"""Line above the list that reports how many files of watched folders were skipped, and why."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QDialog, QWidget

from app.desktop.context import Context
from app.desktop.models.jobs import ENDED, FOLDER
from app.desktop.tokens import XL, L, M
from app.desktop.widgets import TextBox, ThemedIcon, button, column, label, row
from app.desktop.wording import counted, short_path, spoken
from app.events import Event, JobChanged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.corpus.records import Folder

WIDTH: Final = 560
_COUNT: Final = re.compile(r"[0-9][0-9,]*")


def count_left_out(folder: Folder) -> int:
    """Return how many files of a folder were skipped because they failed, are too large or of another kind."""
    # The sentence begins with the number.
    found = _COUNT.match(folder.left_out)
    return len(folder.unread) + (int(found[0].replace(",", "")) if found is not None else 0)


def reasons(folders: Sequence[Folder]) -> str:
    """Return for each folder with skipped files its path and, below it, the reasons."""
    known = [(folder.path, [*filter(None, (folder.left_out,)), *folder.unread]) for folder in folders]
    return "\n\n".join(
        "\n".join([short_path(path), *(f"  {spoken(text)}" for text in texts)]) for path, texts in known if texts
    )


class LeftOutLine(QWidget):
    """Note about skipped files. Hidden if there are none."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._folders: Sequence[Folder] = ()
        self._is_away = False
        self.words = label("", "muted")
        self.why = button(self.tr("Why?"), self.explain, "link")
        self.setLayout(row(ThemedIcon("info", 16), self.words, self.why, 1))
        self.hide()

    def look(self) -> None:
        """Load the number of skipped files."""
        self._context.thread.submit(
            lambda engine: engine.jobs.folders(), self.show_folders, lambda _error: None, owner=self
        )

    def follow(self, events: Sequence[Event]) -> None:
        """Reload after a folder was read."""
        if any(isinstance(event, JobChanged) and event.kind == FOLDER and event.state in ENDED for event in events):
            self.look()

    def show_folders(self, folders: Sequence[Folder]) -> None:
        """Count the skipped files of these folders."""
        self._folders = folders
        count = sum(map(count_left_out, folders))
        one = self.tr("1 file in your folders was skipped.")
        self.words.setText(counted(count, one, self.tr("{} files in your folders were skipped.")))
        self.setVisible(count > 0 and not self._is_away)

    def set_away(self, on: bool) -> None:
        """Hide the line while anything but the private library is shown."""
        self._is_away = on
        self.show_folders(self._folders)

    def explain(self) -> None:
        """Show the skipped files of each folder."""
        dialog = QDialog(self.window())
        dialog.setWindowTitle(self.tr("Skipped files"))
        dialog.setMinimumWidth(WIDTH)
        text = TextBox(self.tr("Skipped files"), wrap=True)
        text.show_text(reasons(self._folders))
        close = button(self.tr("Close"), dialog.accept, "primary")
        close.setDefault(True)
        column(
            label(self.tr("Skipped files"), "heading"),
            text,
            row(1, close),
            spacing=M,
            margins=(XL, L, XL, L),
            parent=dialog,
        )
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
