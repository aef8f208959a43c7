"""Choice between the private and shared libraries, above the filters of the private one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.desktop.context import Context
from app.desktop.models.libraries import joined_states, state_words
from app.desktop.panels import Card
from app.desktop.tokens import XS, M, S
from app.desktop.widgets import column, label, set_up_view

if TYPE_CHECKING:
    from app.engine.libraries import LibraryState

LINE_HEIGHT: Final = 30
MOST_LINES: Final = 6
"""Maximum number of lines before the list scrolls."""
NAME_ROLE: Final = int(Qt.ItemDataRole.UserRole)


class LibraryPicker(Card):
    """Visible only if a shared library is joined. `chosen` carries a library name, empty for the private one."""

    chosen = Signal(str)

    def __init__(self, context: Context) -> None:
        super().__init__(margin=S, spacing=XS)
        self._context = context
        self.states: tuple[LibraryState, ...] = ()
        head = label(self.tr("Libraries"), "heading")
        head.setContentsMargins(XS, XS, 0, 0)
        self.list = QListWidget()
        self.list.setProperty("role", "sections")
        set_up_view(self.list, self.tr("Libraries"))
        self.list.currentItemChanged.connect(self._choose)
        self.body.addWidget(head)
        self.body.addWidget(self.list)
        self.hide()

    @property
    def current(self) -> LibraryState | None:
        """The selected shared library."""
        item = self.list.currentItem()
        name = str(item.data(NAME_ROLE)) if self.list.count() else ""
        return next((each for each in self.states if each.library.name == name), None)

    def look(self) -> None:
        """Load the joined libraries."""
        self._context.thread.submit(joined_states, self._take, lambda _error: None, owner=self)

    def choose_private(self) -> None:
        """Return to the pages on this computer."""
        if self.list.count():
            self.list.setCurrentRow(0)

    def _take(self, states: tuple[LibraryState, ...]) -> None:
        known = tuple(each for each in states if each.library.is_on)
        if known == self.states:
            return
        before = self.current.library.name if self.current is not None else ""
        self.states = known
        self.list.blockSignals(True)
        self.list.clear()
        self._add(self.tr("On this computer"), "", "")
        for state in known:
            word, kind = state_words(state)
            title = state.library.title or state.library.name
            self._add(title, state.library.name, word if kind == "warning" else "")
        names = ["", *(each.library.name for each in known)]
        self.list.setCurrentRow(names.index(before) if before in names else 0)
        self.list.blockSignals(False)
        heights = [self.list.item(line).sizeHint().height() for line in range(min(len(names), MOST_LINES))]
        self.list.setFixedHeight(sum(heights) + XS)
        self.chosen.emit(before if before in names else "")

    def _add(self, title: str, name: str, word: str) -> None:
        item = QListWidgetItem(f"{title}\n{word}" if word else title, self.list)
        item.setData(NAME_ROLE, name)
        item.setToolTip(item.text())
        item.setSizeHint(QSize(0, LINE_HEIGHT + self.list.fontMetrics().lineSpacing() * bool(word)))

    def _choose(self, item: QListWidgetItem | None) -> None:
        self.chosen.emit(str(item.data(NAME_ROLE)) if item is not None else "")


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
