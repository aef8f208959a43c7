"""Table model for tens of thousands of records: sorted once, filtered without sorting, updated row by row.

Each record's search text, facets and sort key are cached, so that typing in the filter only compares strings.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from itertools import chain
from operator import gt, itemgetter, lt
from typing import Any, Final, Generic, NamedTuple, TypeVar

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal

from app.desktop.models.rows import Column, Index, RowsModel
from app.text.terms import folded

R = TypeVar("R")

ROW_BY_ROW = 48  # Maximum number of changed records to update row by row. For more, one full update is cheaper.
FEW_KEPT = 200  # Maximum number of selected rows to find one by one after a change.

RANK: Final = itemgetter(0, 1)  # Sort key of entries. Plain tuples compare faster than entries.

Facets = tuple[tuple[str, ...], ...]  # The values of a record for each facet.


class Entry(NamedTuple, Generic[R]):
    """A record with its sort key and cached texts. Numbers are unique, so records are never compared."""

    order: Any
    number: int
    record: R
    haystack: str
    facets: Facets


class LongRowsModel(RowsModel[R]):
    """Model with facets, implemented by subclasses. Hidden records are neither shown nor counted.

    `changed` is emitted after every change of the shown or counted records. `updating` and `updated` surround changes other than filtering
    and sorting by the user. `rearranging` and `rearranged` surround Qt's layout signals, which cost a persistent index per selected row.
    """

    changed = Signal()
    updating = Signal()
    updated = Signal()
    rearranging = Signal()
    rearranged = Signal()

    def __init__(self, columns: Sequence[Column[R]], parent: QObject | None = None) -> None:
        super().__init__(columns, parent)
        self._entries: dict[Hashable, Entry[R]] = {}
        self._ordered: list[Entry[R]] = []
        self._shown: list[Entry[R]] = []
        self._chosen: dict[int, frozenset[str]] = {}
        self._hidden: set[Hashable] = set()
        self._count = 0

    @abstractmethod
    def facets(self, record: R) -> Facets:
        """Return the record's values of each facet."""

    @property
    def total(self) -> int:
        return len(self._entries) - len(self._hidden)

    @property
    def everything(self) -> Iterable[R]:
        return [entry.record for key, entry in self._entries.items() if key not in self._hidden]

    @property
    def records(self) -> list[R]:
        return [entry.record for entry in self._shown]

    @property
    def is_narrowed(self) -> bool:
        """Whether the filter or a facet hides anything."""
        return bool(self._needle.split() or self._chosen)

    @property
    def chosen(self) -> dict[int, frozenset[str]]:
        """The selected values of each facet that has any."""
        return dict(self._chosen)

    def find(self, key: Hashable) -> R | None:
        """Return a record, also a hidden or filtered one."""
        entry = self._entries.get(key)
        return entry.record if entry is not None else None

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def record_at(self, index: Index) -> R | None:
        return self._shown[index.row()].record if index.isValid() and index.row() < len(self._shown) else None

    def row_of(self, key: Hashable) -> int:
        entry = self._entries.get(key)
        return self._place_of(entry, self._shown) if entry is not None else -1

    def replace(self, records: Iterable[R]) -> None:
        wanted = list(records)
        kept = {self.key(record) for record in wanted}
        self.merge(wanted, [key for key in self._entries if key not in kept])

    def merge(self, records: Iterable[R], removed: Iterable[Hashable] = ()) -> None:
        new: list[Entry[R]] = []
        moves = False
        for record in records:
            known = self._entries.get(self.key(record))
            if known is None or known.record != record or known.facets != self.facets(record):
                new.append(self._entry(record))
                moves = moves or (known is not None and known.order != new[-1].order)
        gone = [key for key in removed if key in self._entries]
        if not new and not gone:
            return
        self.updating.emit()
        if len(new) + len(gone) > ROW_BY_ROW or moves:
            self._merge_at_once(new, gone)
        else:
            for key in gone:
                self._take_out(self.row_of(key))
                del self._ordered[self._place_of(self._entries[key], self._ordered)]
                del self._entries[key]
                self._hidden.discard(key)
            for entry in new:
                self._put(entry)
        self.updated.emit()
        self.changed.emit()

    def set_filter(self, text: str) -> None:
        needle = folded(text)
        if needle.split() != self._needle.split():
            self._needle = needle
            self.rearrange()

    def choose(self, facet: int, values: Collection[str]) -> None:
        """Show only records with one of the values of the facet. No values means all records."""
        if frozenset(values) == self._chosen.get(facet, frozenset()):
            return
        self._chosen.pop(facet, None)
        if values:
            self._chosen[facet] = frozenset(values)
        self.rearrange()

    def clear_facets(self) -> None:
        if self._chosen:
            self._chosen.clear()
            self.rearrange()

    def hide(self, keys: Iterable[Hashable]) -> None:
        """Neither show nor count these records. They remain in the model."""
        self._hidden.update(key for key in keys if key in self._entries)
        self._rearrange_in_place()

    def unhide(self, keys: Iterable[Hashable]) -> None:
        """Show hidden records again."""
        self._hidden.difference_update(keys)
        self._rearrange_in_place()

    def facet_counts(self, facet: int) -> Counter[str]:
        """Count the records for each value of a facet, among those that match the filter and the other facets."""
        passing = self._passing(self._ordered, besides=facet) if facet in self._chosen else self._shown
        return Counter(chain.from_iterable([entry.facets[facet] for entry in passing]))

    def facet_totals(self, facet: int) -> Counter[str]:
        """Count all records for each value of a facet."""
        return Counter(chain.from_iterable([entry.facets[facet] for entry in self._unhidden(self._ordered)]))

    def rearrange(self) -> None:
        self._lay_out_again()
        self.changed.emit()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        def change() -> None:
            self._entries = {key: self._entry(entry.record) for key, entry in self._entries.items()}
            self._ordered = sorted(self._entries.values(), key=RANK, reverse=self._descending)

        self._sorted_by, self._descending = column, order is Qt.SortOrder.DescendingOrder
        self._lay_out_again(change)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns) - 1)

    def _rearrange_in_place(self) -> None:
        self.updating.emit()
        self._lay_out_again()
        self.updated.emit()
        self.changed.emit()

    def _lay_out_again(self, change: Callable[[], None] = lambda: None) -> None:
        """Make a change and keep the selection on its records."""
        self.rearranging.emit()
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        keys = [self.key(self._shown[index.row()].record) for index in old]
        change()
        # Always a separate list, because single rows are inserted into both.
        self._shown = list(self._passing(self._ordered))
        if len(keys) <= FEW_KEPT:
            rows = [self.row_of(key) for key in keys]
        else:
            places = {self.key(entry.record): row for row, entry in enumerate(self._shown)}
            rows = [places.get(key, -1) for key in keys]
        # The index of row -1 is invalid.
        new = [self.index(row, index.column()) for row, index in zip(rows, old, strict=True)]
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()
        self.rearranged.emit()

    def _entry(self, record: R) -> Entry[R]:
        known = self._entries.get(self.key(record))
        self._count += known is None
        number = known.number if known is not None else self._count
        order = self.sort_key(record) if 0 <= self._sorted_by < len(self._columns) else 0
        if known is not None and known.record is record:
            return Entry(order, number, record, known.haystack, known.facets)
        return Entry(order, number, record, self.haystack(record), self.facets(record))

    def _passing(self, entries: list[Entry[R]], besides: int = -1) -> list[Entry[R]]:
        """Return the entries to show, without regard to the facet `besides`."""
        entries = self._unhidden(entries)
        for word in self._needle.split():
            entries = [entry for entry in entries if word in entry.haystack]
        for facet, values in self._chosen.items():
            if facet != besides:
                entries = [entry for entry in entries if not values.isdisjoint(entry.facets[facet])]
        return entries

    def _unhidden(self, entries: list[Entry[R]]) -> list[Entry[R]]:
        if not self._hidden:
            return entries
        return [entry for entry in entries if self.key(entry.record) not in self._hidden]

    def _merge_at_once(self, new: Sequence[Entry[R]], gone: Sequence[Hashable]) -> None:
        def change() -> None:
            numbers = {entry.number for entry in new if self.key(entry.record) in self._entries}
            numbers.update(self._entries.pop(key).number for key in gone)
            self._hidden.difference_update(gone)
            self._entries.update((self.key(entry.record), entry) for entry in new)
            if numbers:
                self._ordered = [entry for entry in self._ordered if entry.number not in numbers]
            if new:
                # Merging two sorted runs is cheap.
                added = sorted(new, key=RANK, reverse=self._descending)
                self._ordered = sorted([*self._ordered, *added], key=RANK, reverse=self._descending)

        if not new and self._hidden.issuperset(gone):
            change()
        else:
            self._lay_out_again(change)

    def _take_out(self, row: int) -> None:
        if row >= 0:
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._shown[row]
            self.endRemoveRows()

    def _put(self, entry: Entry[R]) -> None:
        """Add a record, or replace it by a newer one in the same position."""
        key = self.key(entry.record)
        row = self.row_of(key)
        if key in self._entries:
            self._ordered[self._place_of(self._entries[key], self._ordered)] = entry
        else:
            self._ordered.insert(self._bisect(entry, self._ordered), entry)
        self._entries[key] = entry
        if not self._passing([entry]):
            self._take_out(row)
        elif row >= 0:
            self._shown[row] = entry
            self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))
        else:
            row = self._bisect(entry, self._shown)
            self.beginInsertRows(QModelIndex(), row, row)
            self._shown.insert(row, entry)
            self.endInsertRows()

    def _place_of(self, entry: Entry[R], entries: list[Entry[R]]) -> int:
        """Return the index of this exact entry, or -1."""
        place = self._bisect(entry, entries)
        return place if place < len(entries) and entries[place].number == entry.number else -1

    def _bisect(self, entry: Entry[R], entries: list[Entry[R]]) -> int:
        """Return the first index whose entry does not sort before this one."""
        wanted, sorts_before = RANK(entry), gt if self._descending else lt
        return bisect_left(range(len(entries)), True, key=lambda row: not sorts_before(RANK(entries[row]), wanted))
