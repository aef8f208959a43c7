"""Beside and above the list: the choice between the private and shared libraries, and the note about skipped files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.context import Context
from app.desktop.fitting import Dialog
from app.desktop.models.jobs import ENDED, FOLDER
from app.desktop.models.libraries import joined_states, state_words
from app.desktop.pages.parts import SideList
from app.desktop.panels import Card
from app.desktop.tokens import XL, XS, L, M, S
from app.desktop.widgets import TextBox, ThemedIcon, button, column, label, row
from app.desktop.wording import counted, short_path, spoken
from app.events import Event, JobChanged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.corpus.records import Folder
    from app.engine.libraries import LibraryState

MOST_LINES: Final = 6  # Maximum number of lines before the list scrolls.


class LibraryPicker(Card):
    """Visible only if a shared library is joined. `chosen` carries a library name, empty for the private one."""

    chosen = Signal(str)

    def __init__(self, context: Context) -> None:
        super().__init__(margin=S, spacing=XS)
        self._context = context
        self.states: tuple[LibraryState, ...] = ()
        head = label(self.tr("Libraries"), "heading", margins=(XS, XS, 0, 0))
        self.list = SideList(self.tr("Libraries"))
        self.list.chosen.connect(self.chosen)
        self.body.addWidget(head)
        self.body.addWidget(self.list)
        self.hide()

    @property
    def current(self) -> LibraryState | None:
        """The selected shared library."""
        return next((each for each in self.states if each.library.name == self.list.key), None)

    def look(self) -> None:
        """Load the joined libraries."""
        self._context.ask(self, joined_states, self._take, lambda _error: None)

    def choose_private(self) -> None:
        """Return to the pages on this computer."""
        self.list.choose("")

    def _take(self, states: tuple[LibraryState, ...]) -> None:
        known = tuple(each for each in states if each.library.is_on)
        if known == self.states:
            return
        self.states = known
        named = ((each.library.name, each.library.title or each.library.name, state_words(each)) for each in known)
        entries = [(name, title, word if kind == "warning" else "") for name, title, (word, kind) in named]
        self.list.show_entries([("", self.tr("On this computer"), ""), *entries], self.list.key)
        self.list.setFixedHeight(self.list.height_of(MOST_LINES) + XS)
        self.chosen.emit(self.list.key)


class Side(QWidget):
    """Column with the choice of library and the filters of the private one. `chosen` is emitted when the choice changes."""

    chosen = Signal()

    def __init__(self, context: Context, facets: QWidget) -> None:
        super().__init__()
        self.picker = LibraryPicker(context)
        self.picker.setFixedWidth(facets.width())
        self._facets = facets
        column((self.picker, 0, Qt.AlignmentFlag.AlignTop), (facets, 1), spacing=M, parent=self)
        self.picker.chosen.connect(lambda _name: self.chosen.emit())

    @property
    def shared(self) -> LibraryState | None:
        """The selected shared library, or None for the private one."""
        return self.picker.current

    def place(self, *, is_wanted: bool, is_reading: bool) -> None:
        """Show what fits. The choice of library stays visible for a shared one, so that the user can go back."""
        is_shared = self.shared is not None
        self._facets.setVisible(is_wanted and not is_reading and not is_shared)
        self.picker.setVisible(bool(self.picker.states) and not is_reading and (is_wanted or is_shared))
        self.setVisible(not is_reading and (is_wanted or is_shared))


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
        self._context.ask(self, lambda engine: engine.jobs.folders(), self.show_folders, lambda _error: None)

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
        dialog = Dialog(self.window(), self.tr("Skipped files"), WIDTH)
        text = TextBox(self.tr("Skipped files"), wrap=True)
        text.show_text(reasons(self._folders))
        close = row(1, button(self.tr("Close"), dialog.accept, "primary", default=True))
        dialog.lay_out(label(self.tr("Skipped files"), "heading"), text, close, margins=(XL, L, XL, L))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
