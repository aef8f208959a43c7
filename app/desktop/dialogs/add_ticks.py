"""A tree of things that can be left out, each with a box and a short fact at the right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from app.desktop.theme import colours

KEY_ROLE: Final = Qt.ItemDataRole.UserRole
NAME, FACT = 0, 1
_CHECKED, _PARTLY, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.PartiallyChecked, Qt.CheckState.Unchecked
_BOX: Final = Qt.ItemFlag.ItemIsUserCheckable


class TickTree(QTreeWidget):
    """Rows with boxes; that of a branch stands for all below it. `ticked` follows every change by a person."""

    ticked = Signal()
    branches_hold = False
    """Whether a branch stands for more than the rows below it, so that leaving out all of them does not leave it out."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setProperty("role", "ticks")
        self.setAccessibleName(name)
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(18)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setTabKeyNavigation(False)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(FACT, QHeaderView.ResizeMode.ResizeToContents)
        self.itemChanged.connect(self._changed)

    def add(
        self, name: str, fact: str, key: str, parent: QTreeWidgetItem | None = None, *, with_box: bool = True
    ) -> QTreeWidgetItem:
        """A row, ticked. `key` is what `left_out` and `kept` name it by."""
        self.blockSignals(True)
        made = QTreeWidgetItem([name, fact])
        made.setData(NAME, KEY_ROLE, key)
        made.setTextAlignment(FACT, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        made.setForeground(FACT, QBrush(QColor(colours().muted)))
        if with_box:
            made.setFlags(made.flags() | _BOX)
            made.setCheckState(NAME, _CHECKED)
        else:
            made.setForeground(NAME, QBrush(QColor(colours().muted)))
        if parent is None:
            self.addTopLevelItem(made)
        else:
            parent.addChild(made)
        self.blockSignals(False)
        return made

    def show_fact(self, item: QTreeWidgetItem, fact: str, tip: str = "", *, is_bad: bool = False) -> None:
        """Replace what stands at the right of a row."""
        self.blockSignals(True)
        item.setText(FACT, fact)
        item.setForeground(FACT, QBrush(QColor(colours().danger if is_bad else colours().muted)))
        for column in (NAME, FACT):
            item.setToolTip(column, tip)
        self.blockSignals(False)
        self.viewport().update()

    def untick(self, item: QTreeWidgetItem) -> None:
        """Leave a row out."""
        item.setCheckState(NAME, _UNCHECKED)

    def kept(self) -> list[str]:
        """The keys of the ticked rows at the ends of the branches."""
        return [key_of(item) for item in self.rows() if item.checkState(NAME) is _CHECKED and not item.childCount()]

    def left_out(self) -> list[str]:
        """The keys of the rows without a tick; of a branch that is left out whole only the branch."""
        found: list[str] = []
        waiting = _children(self.invisibleRootItem())
        while waiting:
            item = waiting.pop(0)
            if not item.flags() & _BOX:
                continue
            if item.checkState(NAME) is _UNCHECKED:
                found.append(key_of(item))
            else:
                waiting += _children(item)
        return found

    def rows(self) -> Iterator[QTreeWidgetItem]:
        """Every row, from the top."""
        waiting = _children(self.invisibleRootItem())[::-1]
        while waiting:
            item = waiting.pop()
            yield item
            waiting += _children(item)[::-1]

    def _changed(self, item: QTreeWidgetItem, column: int) -> None:
        if column != NAME or not item.flags() & _BOX:
            return
        self.blockSignals(True)
        if item.checkState(NAME) is not _PARTLY:
            _tick_below(item, item.checkState(NAME))
        above = item.parent()
        while above is not None:
            above.setCheckState(NAME, self._state_of(above))
            above = above.parent()
        self.blockSignals(False)
        self.viewport().update()
        self.ticked.emit()

    def _state_of(self, branch: QTreeWidgetItem) -> Qt.CheckState:
        """What the rows below a branch make of it."""
        states = {child.checkState(NAME) for child in _children(branch) if child.flags() & _BOX}
        if states == {_CHECKED}:
            return _CHECKED
        return _UNCHECKED if states == {_UNCHECKED} and not self.branches_hold else _PARTLY


def _tick_below(item: QTreeWidgetItem, state: Qt.CheckState) -> None:
    for child in _children(item):
        if child.flags() & _BOX:
            child.setCheckState(NAME, state)
            _tick_below(child, state)


def key_of(item: QTreeWidgetItem) -> str:
    """What a row stands for."""
    return str(item.data(NAME, KEY_ROLE))


def _children(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    found = (item.child(place) for place in range(item.childCount()))
    return [child for child in found if child is not None]
