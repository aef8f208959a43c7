"""Choice between the private and shared libraries, above the filters of the private one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.context import Context
from app.desktop.models.libraries import joined_states, state_words
from app.desktop.pages.parts import SideList
from app.desktop.panels import Card
from app.desktop.tokens import XS, M, S
from app.desktop.widgets import column, label

if TYPE_CHECKING:
    from app.engine.libraries import LibraryState

MOST_LINES: Final = 6  # Maximum number of lines before the list scrolls.


class LibraryPicker(Card):
    """Visible only if a shared library is joined. `chosen` carries a library name, empty for the private one."""

    chosen = Signal(str)

    def __init__(self, context: Context) -> None:
        super().__init__(margin=S, spacing=XS)
        self._context = context
        self.states: tuple[LibraryState, ...] = ()
        head = label(self.tr("Libraries"), "heading")
        head.setContentsMargins(XS, XS, 0, 0)
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
        self._context.thread.submit(joined_states, self._take, lambda _error: None, owner=self)

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
