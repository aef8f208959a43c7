"""Tree of facets: select values, and drop pages on collections and tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTreeWidgetItem

from app.desktop.dialogs.add.panel import TickTree
from app.desktop.models import labels
from app.desktop.theme import colours, scaled_font, theme
from app.desktop.wording import counted, number, plain_tip

ROW_HEIGHT: Final = 28
HEADING_HEIGHT: Final = 34
INDENT: Final = 14
NAME, COUNT = 0, 1


class FacetItem(QTreeWidgetItem):
    """A facet (no value), one of its values, the line that shows the rest of them (MORE), or the one for a new collection (NEW)."""

    def __init__(self, facet: labels.Facet, value: str, words: str) -> None:
        super().__init__([words])
        self.facet, self.value, self.count = facet, value, 0
        self.setTextAlignment(COUNT, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setSizeHint(NAME, QSize(0, ROW_HEIGHT if value else HEADING_HEIGHT))
        if self.is_value:
            self.setFlags(self.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            self.setToolTip(
                NAME, plain_tip(value if facet is labels.Facet.PLACE or facet in labels.LABEL_FACETS else words)
            )

    @property
    def is_value(self) -> bool:
        return self.value not in ("", labels.MORE, labels.NEW)


class FacetTree(TickTree):
    """The facets and their values; pages match any of the selected values of a facet.

    A click or Space selects a value; a click on a heading, Left and Right fold. `chosen` carries a facet and its selected values, and
    `new_wanted` requests a new collection. Pages can be dropped on collections and tags: `dropped` carries facet, value (NEW for a new
    collection) and their IDs. F2 and Del on one of them emit `renamed` and `deleted`. `collections` are the names of all collections, also
    the empty ones.
    """

    chosen = Signal(int, object)
    new_wanted = Signal()
    dropped = Signal(int, str, object)
    renamed = Signal(int, str)
    deleted = Signal(int, str)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._values: dict[labels.Facet, set[str]] = {}
        self._offered: list[tuple[labels.Facet, tuple[str, ...]]] = []
        self._unfolded: set[labels.Facet] = set()
        self._items: dict[tuple[labels.Facet, str], FacetItem] = {}
        self._target: FacetItem | None = None
        self.collections: tuple[str, ...] = ()
        self.setProperty("plain", True)
        self.setIndentation(INDENT)
        # The beginning of a host name is the most distinctive part; the tooltip shows all of it.
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        # Headings are taller.
        self.setUniformRowHeights(False)
        self.setExpandsOnDoubleClick(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setAcceptDrops(True)
        self.header().setMinimumSectionSize(INDENT)
        theme().changed.connect(self._show_all)

    def values(self, facet: labels.Facet) -> frozenset[str]:
        return frozenset(self._values.get(facet, ()))

    def item_of(self, facet: labels.Facet, value: str = "") -> FacetItem | None:
        """Return the line of a facet or of one of its values, or None if it is not shown."""
        return self._items.get((facet, value))

    def show_totals(self, totals: Mapping[labels.Facet, Counter[str]], pages: int) -> bool:
        """Show the values of all `pages` pages. Return True if the tree was rebuilt."""
        of_facets = {
            facet: labels.offered_values(facet, totals[facet], pages, self.values(facet)) for facet in labels.Facet
        }
        of_facets[labels.Facet.COLLECTION] = (*self.collections, labels.NEW)
        offered = [(facet, values) for facet, values in of_facets.items() if values]
        if offered == self._offered:
            return False
        self._offered = offered
        # Deselect values that no longer exist. They would hide everything for no visible reason.
        for facet, values in self._values.items():
            kept = self.collections if facet is labels.Facet.COLLECTION else ()
            known = {value for value in values if totals[facet].get(value) or value in kept}
            if known != values:
                self._values[facet] = known
                self.chosen.emit(int(facet), frozenset(known))
        self._build()
        return True

    def show_counts(self, facet: labels.Facet, counts: Counter[str]) -> None:
        """Update how many pages match each value of a facet."""
        for item in self._items.values():
            if item.facet is facet and item.is_value and item.count != counts.get(item.value, 0):
                item.count = counts.get(item.value, 0)
                self._show(item)

    def toggle(self, item: FacetItem) -> None:
        """Select or deselect a value. Selecting a site deselects its folders and the other way round."""
        if item.value == labels.MORE:
            self._unfolded.add(item.facet)
            self._build()
        elif item.value == labels.NEW:
            self.new_wanted.emit()
        elif item.is_value:
            values, parent = self.values(item.facet), item.parent()
            related = [parent, *(item.child(place) for place in range(item.childCount()))]
            others = values - {each.value for each in related if isinstance(each, FacetItem)}
            self.choose(item.facet, values - {item.value} if item.value in values else others | {item.value})

    def choose(self, facet: labels.Facet, values: Collection[str]) -> None:
        self._values[facet] = set(values)
        self._show_all()
        self.chosen.emit(int(facet), frozenset(values))

    def clear_values(self) -> None:
        """Deselect everything without emitting a signal."""
        self._values.clear()
        self._show_all()

    def _build(self) -> None:
        # Keep the old numbers until each facet is counted again.
        before = {key: item.count for key, item in self._items.items()}
        self._items, self._target = {}, None
        self.clear()
        for facet, values in self._offered:
            group = self._add(FacetItem(facet, "", labels.facet_title(facet)), None)
            below = [value for value in values if facet is labels.Facet.PLACE and "/" in value]
            above = [value for value in values if value not in below and value != labels.NEW]
            shown = above if facet in self._unfolded or facet not in labels.FOLDED else above[: labels.PLACES_SHOWN]
            shown += [value for value in above[len(shown) :] if any(_is_at(each, value) for each in self.values(facet))]
            for value in shown:
                item = self._add(FacetItem(facet, value, labels.value_words(facet, value)), group)
                for each in (each for each in below if _is_at(each, value)):
                    self._add(FacetItem(facet, each, labels.value_words(facet, each)), item)
            if facet is labels.Facet.COLLECTION:
                self._add(FacetItem(facet, labels.NEW, self.tr("New collection…")), group)
            if len(shown) < len(above):
                self._add(FacetItem(facet, labels.MORE, self.tr("Show all {}…").format(number(len(above)))), group)
        for key, item in self._items.items():
            item.count = before.get(key, 0)
        self._show_all()

    def _add(self, item: FacetItem, parent: FacetItem | None) -> FacetItem:
        (parent or self.invisibleRootItem()).addChild(item)
        self._items[item.facet, item.value] = item
        return item

    def _show_all(self) -> None:
        for item in self._items.values():
            self._show(item)

    def _show(self, item: FacetItem) -> None:
        """Show the state of a line in the colors of the scheme."""
        scheme, chosen = colours(), self.values(item.facet)
        name, fact = scheme.accent_text, scheme.muted
        if item.is_value:
            pages = counted(item.count, self.tr("1 page"), self.tr("{} pages"))
            name = scheme.text if item.count or item.value in chosen else scheme.muted
            item.setData(NAME, Qt.ItemDataRole.AccessibleTextRole, f"{item.text(NAME)}, {pages}")
            item.setText(COUNT, number(item.count))
            item.setCheckState(NAME, Qt.CheckState.Checked if item.value in chosen else Qt.CheckState.Unchecked)
        elif not item.value:
            name, fact = scheme.text, scheme.accent_text
            item.setFont(NAME, scaled_font(0.92, bold=True))
            item.setText(COUNT, number(len(chosen)) if chosen else "")
        item.setForeground(NAME, QtGui.QBrush(QtGui.QColor(name)))
        item.setForeground(COUNT, QtGui.QBrush(QtGui.QColor(fact)))

    def _changed(self, item: QTreeWidgetItem, column: int) -> None:
        # Assistive technology changes the check mark itself.
        if isinstance(item, FacetItem) and column == NAME and item.is_value:
            is_checked = item.checkState(NAME) is Qt.CheckState.Checked
            if is_checked != (item.value in self.values(item.facet)):
                self.toggle(item)

    def label_at(self, item: QTreeWidgetItem | None) -> tuple[labels.Facet, str] | None:
        """Return the collection or tag of a line. The line of a new collection is NEW."""
        if isinstance(item, FacetItem) and item.facet in labels.LABEL_FACETS and item.value not in ("", labels.MORE):
            return item.facet, item.value
        return None

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:
        self._hover(event)

    def dragMoveEvent(self, event: QtGui.QDragMoveEvent) -> None:
        self._hover(event)

    def dragLeaveEvent(self, event: QtGui.QDragLeaveEvent) -> None:
        self._show_target(None)

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        found = self.label_at(self.itemAt(event.position().toPoint()))
        ids = labels.dragged_pages(event.mimeData())
        self._show_target(None)
        if found is not None and ids:
            event.acceptProposedAction()
            self.dropped.emit(int(found[0]), found[1], ids)

    def _hover(self, event: QtGui.QDropEvent) -> None:
        item = self.itemAt(event.position().toPoint())
        is_here = self.label_at(item) is not None and event.mimeData().hasFormat(labels.PAGES_MIME)
        self._show_target(item if is_here else None)
        # Accept entering anywhere; otherwise no move event over a line would follow.
        if is_here or (event.type() is QEvent.Type.DragEnter and event.mimeData().hasFormat(labels.PAGES_MIME)):
            event.acceptProposedAction()
        else:
            event.ignore()

    def _show_target(self, item: QTreeWidgetItem | None) -> None:
        for each, brush in ((self._target, QtGui.QBrush()), (item, QtGui.QBrush(QtGui.QColor(colours().accent_soft)))):
            if each is not None:
                each.setBackground(NAME, brush)
                each.setBackground(COUNT, brush)
        self._target = item if isinstance(item, FacetItem) else None

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        item = self.itemAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and isinstance(item, FacetItem):
            self.setCurrentItem(item)
            is_on_arrow = event.position().x() < self.visualItemRect(item).left()
            if not item.value or (is_on_arrow and item.childCount()):
                item.setExpanded(not item.isExpanded())
            else:
                self.toggle(item)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        self.mousePressEvent(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        item = self.currentItem()
        found = self.label_at(item)
        if found is not None and found[1] != labels.NEW and event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Delete):
            signal = self.renamed if event.key() == Qt.Key.Key_F2 else self.deleted
            signal.emit(int(found[0]), found[1])
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(item, FacetItem):
            if item.value:
                self.toggle(item)
            else:
                item.setExpanded(not item.isExpanded())
        else:
            super().keyPressEvent(event)


def _is_at(value: str, root: str) -> bool:
    return value == root or value.startswith(f"{root}/")
