"""The facets as a tree to choose from: facet, value, and for a site the folders below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.desktop.models.library_facets import FIXED_ORDER, Facet, facet_title, value_words
from app.desktop.tips import plain_tip
from app.desktop.wording import counted, number

Index = QModelIndex | QPersistentModelIndex

COUNT_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
"""How many pages a value has, as text; nothing for a heading."""
CHOSEN_ROLE: Final = COUNT_ROLE + 1
"""How many values of a heading are chosen."""

PLACES_SHOWN: Final = 7
"""Sites beyond these, the smallest ones, come with "Show all"."""
MORE: Final = "\0more"


@dataclass(slots=True, eq=False)
class Node:
    """A facet (no value), one of its values, or the line that shows the rest of them."""

    facet: Facet
    value: str
    words: str
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    count: int = 0

    @property
    def row(self) -> int:
        return self.parent.children.index(self) if self.parent is not None else 0


class FacetTree(QAbstractItemModel):
    """`chosen` gives a facet and the values of it that were chosen; several values of one facet let any of them through."""

    chosen = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups: list[Node] = []
        self._values: dict[Facet, set[str]] = {}
        self._offered: list[tuple[Facet, tuple[str, ...]]] = []
        self._shows_all_places = False

    def values(self, facet: Facet) -> frozenset[str]:
        """What is chosen of a facet."""
        return frozenset(self._values.get(facet, ()))

    def show_totals(self, totals: Mapping[Facet, Counter[str]], pages: int) -> bool:
        """Offer the values that there are among so many pages; True when the tree was made anew."""
        offered = [(facet, _offered(facet, totals[facet], pages, self.values(facet))) for facet in Facet]
        offered = [(facet, values) for facet, values in offered if values]
        if offered == self._offered:
            return False
        self._offered = offered
        self._drop_unknown(totals)
        self._build()
        return True

    def show_counts(self, facet: Facet, counts: Counter[str]) -> None:
        """How many pages each value of a facet lets through now."""
        for group in self._groups:
            if group.facet is not facet:
                continue
            changed = False
            for node in _values_below(group):
                count = counts.get(node.value, 0)
                changed |= count != node.count
                node.count = count
            if changed:
                self._repaint(group)

    def toggle(self, index: Index) -> None:
        """Choose a value, or choose it no longer; a site and a folder of it take each other's place."""
        node = self.node(index)
        if node is None or node.parent is None:
            return
        if node.value == MORE:
            self._shows_all_places = True
            self._build()
            return
        values = self._values.setdefault(node.facet, set())
        if node.value in values:
            values.remove(node.value)
        else:
            values.difference_update(child.value for child in node.children)
            values.discard(node.parent.value)
            values.add(node.value)
        self._repaint(_group_of(node))
        self.chosen.emit(int(node.facet), frozenset(values))

    def choose(self, facet: Facet, values: Sequence[str]) -> None:
        """Choose these values of a facet and no others."""
        self._values[facet] = set(values)
        for group in self._groups:
            self._repaint(group)
        self.chosen.emit(int(facet), frozenset(values))

    def clear(self) -> None:
        """Choose nothing; tells nobody."""
        self._values.clear()
        for group in self._groups:
            self._repaint(group)

    def node(self, index: Index) -> Node | None:
        """The node of an index."""
        found = index.internalPointer() if index.isValid() else None
        return found if isinstance(found, Node) else None

    def index_of(self, facet: Facet, value: str = "") -> QModelIndex:
        """Where a facet or a value of it is; invalid while it is not offered."""
        for group in self._groups:
            if group.facet is facet:
                found = group if not value else next((n for n in _values_below(group) if n.value == value), None)
                return self._index(found) if found is not None else QModelIndex()
        return QModelIndex()

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        above = self.node(parent) if parent is not None else None
        siblings = above.children if above is not None else self._groups
        return self.createIndex(row, column, siblings[row]) if 0 <= row < len(siblings) else QModelIndex()

    def parent(self, index: Index | None = None) -> Any:
        if index is None:
            return super().parent()
        node = self.node(index)
        return self._index(node.parent) if node is not None and node.parent is not None else QModelIndex()

    def rowCount(self, parent: Index | None = None) -> int:
        above = self.node(parent) if parent is not None else None
        return len(above.children) if above is not None else len(self._groups)

    def columnCount(self, parent: Index | None = None) -> int:
        return 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        node = self.node(index)
        plain = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        is_value = node is not None and node.parent is not None and node.value != MORE
        return plain | Qt.ItemFlag.ItemIsUserCheckable if is_value else plain

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.node(index)
        if node is None:
            return None
        is_value = node.parent is not None and node.value != MORE
        if role == Qt.ItemDataRole.DisplayRole:
            return node.words
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(node.value) if node.facet is Facet.PLACE and is_value else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            pages = counted(node.count, self.tr("1 page"), self.tr("{} pages"))
            return f"{node.words}, {pages}" if is_value else node.words
        if role == Qt.ItemDataRole.CheckStateRole and is_value:
            return Qt.CheckState.Checked if node.value in self.values(node.facet) else Qt.CheckState.Unchecked
        if role == COUNT_ROLE:
            return number(node.count) if is_value else None
        return len(self.values(node.facet)) if role == CHOSEN_ROLE and node.parent is None else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self.toggle(index)
        return True

    def _build(self) -> None:
        self.beginResetModel()
        self._groups = [self._group(facet, values) for facet, values in self._offered]
        self.endResetModel()

    def _group(self, facet: Facet, values: Sequence[str]) -> Node:
        group = Node(facet, "", facet_title(facet))
        below = [value for value in values if facet is Facet.PLACE and "/" in value]
        above = [value for value in values if value not in below]
        shown = above if self._shows_all_places or facet is not Facet.PLACE else above[:PLACES_SHOWN]
        shown += [value for value in above[len(shown) :] if any(_is_at(each, value) for each in self.values(facet))]
        for value in shown:
            node = Node(facet, value, value_words(facet, value), group)
            folders = [each for each in below if _is_at(each, value)]
            node.children = [Node(facet, each, value_words(facet, each), node) for each in folders]
            group.children.append(node)
        if len(shown) < len(above):
            group.children.append(Node(facet, MORE, self.tr("Show all {}…").format(number(len(above))), group))
        return group

    def _drop_unknown(self, totals: Mapping[Facet, Counter[str]]) -> None:
        """What is chosen and no longer there would hide everything for no visible reason."""
        for facet, values in self._values.items():
            known = {value for value in values if totals[facet].get(value)}
            if known != values:
                self._values[facet] = known
                self.chosen.emit(int(facet), frozenset(known))

    def _index(self, node: Node) -> QModelIndex:
        row = self._groups.index(node) if node.parent is None else node.row
        return self.createIndex(row, 0, node)

    def _repaint(self, group: Node) -> None:
        here = self._index(group)
        self.dataChanged.emit(here, here)
        for node in (group, *(child for child in group.children if child.children)):
            if node.children:
                self.dataChanged.emit(self._index(node.children[0]), self._index(node.children[-1]))


def _offered(facet: Facet, totals: Counter[str], pages: int, chosen: frozenset[str]) -> tuple[str, ...]:
    """The values worth offering, in order: none where they would not tell pages apart."""
    order = FIXED_ORDER.get(facet)
    ranked = sorted(totals, key=lambda value: (-totals[value], value)) if order is None else order
    values = tuple(value for value in ranked if totals.get(value))
    if facet is Facet.CHANGED:
        return tuple(value for value in values if totals[value] < pages or value in chosen)
    if facet is Facet.FLAGGED:
        return values
    tells_apart = len(values) > 1 and not all(totals[value] == pages for value in values)
    return values if tells_apart or chosen else ()


def _is_at(value: str, root: str) -> bool:
    return value == root or value.startswith(f"{root}/")


def _values_below(group: Node) -> list[Node]:
    return [node for child in group.children if child.value != MORE for node in (child, *child.children)]


def _group_of(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node
