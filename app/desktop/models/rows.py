"""Base of all table models: rows of frozen records, filtered and sorted in one pass, with selections kept by key.

Filters and sorts Python lists instead of using QSortFilterProxyModel, whose two Python calls per comparison take longer than a frame from
about 5,000 rows.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic, TypeVar

from PySide6 import QtCore

from app.desktop.engine_thread import Engine, EngineThread, Job
from app.desktop.qt import reported, single_shot
from app.desktop.wording import ago, full_time, number, plain_tip
from app.errors import WebRAGError

R = TypeVar("R")
T = TypeVar("T")
Index = QtCore.QModelIndex | QtCore.QPersistentModelIndex

AWAITED_MS = 30_000  # Milliseconds after which an awaited row is no longer selected.
ROW_ROLE = int(QtCore.Qt.ItemDataRole.UserRole) + 1  # The record of a row.
MARK_ROLE = ROW_ROLE + 1  # Icon name and color role of a cell, or None.
BELOW_ROLE = MARK_ROLE + 1  # The second line of a cell, or None.
ELIDE_ROLE = BELOW_ROLE + 1  # Whether a long text is elided at the end or in the middle.
LEFT = QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter
RIGHT = QtCore.Qt.AlignmentFlag.AlignRight | QtCore.Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Column(Generic[R]):
    """A column: heading, cell text, and sort value, by default the text. `mark` returns an icon with its color, `below` a second line."""

    title: str
    text: Callable[[R], str]
    order: Callable[[R], Any] | None = None
    right: bool = False
    tip: Callable[[R], str] | None = None
    mark: Callable[[R], tuple[str, str] | None] | None = None
    below: Callable[[R], str] | None = None
    is_address: bool = False  # Elided in the middle, because addresses and paths differ at their ends.


def amount(
    title: str, of: Callable[[R], int], *, tip: Callable[[R], str] | None = None, is_zero_shown: bool = True
) -> Column[R]:
    """Return a right-aligned column of numbers, with a dash for zero if `is_zero_shown` is off."""
    return Column(title, lambda r: number(of(r)) if of(r) or is_zero_shown else "–", of, right=True, tip=tip)


def moment(title: str, of: Callable[[R], float], text: Callable[[float], str] = ago) -> Column[R]:
    """Return a column of times in seconds since the epoch. The tip has the full time; 0 is empty."""
    return Column(title, lambda r: text(of(r)) if of(r) else "", of, tip=lambda r: full_time(of(r)) if of(r) else "")


class AwaitedRow(QtCore.QObject):
    """Calls `select` with the wanted record until it returns True, each time rows are added to the model."""

    def __init__(self, model: QtCore.QAbstractItemModel, select: Callable[[int], bool], parent: QtCore.QObject) -> None:
        super().__init__(parent)
        self._select = select
        self._wanted = 0
        self._end = single_shot(self, AWAITED_MS, self.forget)
        self._try = single_shot(self, 0, self._look)
        for signal in (model.rowsInserted, model.modelReset, model.layoutChanged):
            # The views process the change first.
            signal.connect(self._try.start)

    def want(self, record_id: int) -> None:
        """Select a record now or as soon as it is added."""
        self._wanted = record_id
        self._end.start()
        self._look()

    def forget(self) -> None:
        self._wanted = 0
        self._end.stop()

    def _look(self) -> None:
        if self._wanted and self._select(self._wanted):
            self.forget()


Key = Callable[[R], Hashable]


class RowsModel(QtCore.QAbstractTableModel, Generic[R]):
    """Records with a filter, for which subclasses override `haystack`, and a sort order. A newer record has the same `key`."""

    def __init__(
        self, columns: Sequence[Column[R]], parent: QtCore.QObject | None = None, key: Key[R] = attrgetter("id")
    ) -> None:
        super().__init__(parent)
        self._columns, self.key = tuple(columns), key
        self.titles = [column.title for column in columns]
        self._all: dict[Hashable, R] = {}
        self._visible: list[R] = []
        self._needle = ""
        self._sorted_by = -1
        self._descending = False

    def haystack(self, record: R) -> str:
        """Return the lowercase text that the filter searches."""
        return ""

    def accepts(self, record: R) -> bool:
        """Whether a record passes the additional filters of a subclass."""
        return True

    @property
    def total(self) -> int:
        """Number of records before filtering."""
        return len(self._all)

    @property
    def everything(self) -> Iterable[R]:
        """All records before filtering."""
        return self._all.values()

    @property
    def records(self) -> list[R]:
        """The visible records in order."""
        return self._visible

    def record_at(self, index: Index) -> R | None:
        return self._visible[index.row()] if index.isValid() and index.row() < len(self._visible) else None

    def row_of(self, key: Hashable) -> int:
        """Return the row of a record, or -1 if it is not shown."""
        return next((row for row, record in enumerate(self._visible) if self.key(record) == key), -1)

    def replace(self, records: Iterable[R]) -> None:
        """Replace all records. Selections of remaining records are kept."""
        self._all = {self.key(record): record for record in records}
        self.rearrange()

    def merge(self, records: Iterable[R], removed: Iterable[Hashable] = ()) -> None:
        """Add or replace some records, and remove others."""
        for key in removed:
            self._all.pop(key, None)
        self._all.update((self.key(record), record) for record in records)
        self.rearrange()

    def set_filter(self, text: str) -> None:
        """Show only records that contain every word of the text."""
        if text.casefold() != self._needle:
            self._needle = text.casefold()
            self.rearrange()

    def rearrange(self) -> None:
        """Filter and sort again."""
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        keys = [self.key(self._visible[index.row()]) for index in old]
        self._visible = self._arranged()
        if old:
            places = {self.key(record): row for row, record in enumerate(self._visible)}
            new = [
                self.index(places[key], index.column()) if key in places else QtCore.QModelIndex()
                for key, index in zip(keys, old, strict=True)
            ]
            self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()

    def sort_key(self, record: R) -> Any:
        """Return the value of a record in the column that sorts."""
        column = self._columns[self._sorted_by]
        return (column.order or column.text)(record)

    def _arranged(self) -> list[R]:
        words = self._needle.split()
        visible = [
            record
            for record in self._all.values()
            if self.accepts(record) and (not words or all(word in self.haystack(record) for word in words))
        ]
        if 0 <= self._sorted_by < len(self._columns):
            visible.sort(key=self.sort_key, reverse=self._descending)
        return visible

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._visible)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: QtCore.Qt.Orientation, role: int = QtCore.Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not QtCore.Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        if role == QtCore.Qt.ItemDataRole.DisplayRole:
            arrow = ("  ↓" if self._descending else "  ↑") if section == self._sorted_by else ""
            return self._columns[section].title + arrow
        if role == QtCore.Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if self._columns[section].right else LEFT
        return None

    @reported(None)
    def data(self, index: Index, role: int = QtCore.Qt.ItemDataRole.DisplayRole) -> Any:
        record = self.record_at(index)
        if record is None:
            return None
        column = self._columns[index.column()]
        if role in (QtCore.Qt.ItemDataRole.DisplayRole, QtCore.Qt.ItemDataRole.AccessibleTextRole):
            return column.text(record)
        if role == QtCore.Qt.ItemDataRole.ToolTipRole:
            return plain_tip(column.tip(record)) if column.tip is not None else None
        if role == QtCore.Qt.ItemDataRole.AccessibleDescriptionRole:
            return column.tip(record) if column.tip is not None else None
        if role == QtCore.Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.right else LEFT
        if role == MARK_ROLE:
            return column.mark(record) if column.mark is not None else None
        if role == BELOW_ROLE:
            return column.below(record) if column.below is not None else None
        if role == ELIDE_ROLE:
            return QtCore.Qt.TextElideMode.ElideMiddle if column.is_address else QtCore.Qt.TextElideMode.ElideRight
        return record if role == ROW_ROLE else None

    def sort(self, column: int, order: QtCore.Qt.SortOrder = QtCore.Qt.SortOrder.AscendingOrder) -> None:
        self._sorted_by, self._descending = column, order is QtCore.Qt.SortOrder.DescendingOrder
        self.rearrange()
        self.headerDataChanged.emit(QtCore.Qt.Orientation.Horizontal, 0, len(self._columns) - 1)


class LoadedModel(RowsModel[R]):
    """Records that `reload` loads from the engine. `loaded` is emitted after every load, `failed` carries a WebRAGError."""

    loaded = QtCore.Signal()
    failed = QtCore.Signal(object)

    def __init__(
        self,
        thread: EngineThread,
        columns: Sequence[Column[R]],
        parent: QtCore.QObject | None = None,
        key: Key[R] = attrgetter("id"),
    ) -> None:
        super().__init__(columns, parent, key)
        self._thread = thread
        self._job: Job | None = None
        self._again = False

    @abstractmethod
    def reload(self) -> None:
        """Load all records. A call during a load reloads afterwards."""

    def _load(self, work: Callable[[Engine], Awaitable[T]], take: Callable[[T], None]) -> None:
        if self._job is not None and self._job.is_running:
            self._again = True
            return
        self._again = False

        def done(found: T) -> None:
            take(found)
            self.loaded.emit()
            if self._again:
                self.reload()

        def fail(error: WebRAGError) -> None:
            self.failed.emit(error)
            if self._again:
                self.reload()

        self._job = self._thread.submit(work, done, fail, owner=self)
