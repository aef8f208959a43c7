"""A table for tens of thousands of rows with multiple selection, drag and stable scroll position during updates."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Final

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QItemSelectionRange, QMimeData, Qt, Signal
from PySide6.QtGui import QDrag, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QWidget

from app.desktop.models.long_rows import LongRowsModel
from app.desktop.tables import MIN_STRETCH, DataTable
from app.desktop.widgets import label
from app.desktop.wording import number

SELECT: Final = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
FEW: Final = 200  # Maximum number of rows to look up one by one.


class LongTable(DataTable):
    """A table with multiple selection whose visible rows keep their position during updates.

    Emits `selection_changed` on every change of the selection.
    """

    selection_changed = Signal()

    def __init__(
        self, model: LongRowsModel[Any], name: str, widths: Sequence[int], stretch: int, *, least: int = MIN_STRETCH
    ) -> None:
        super().__init__(model, name, widths, stretch, least=least)
        self._rows = model
        self._is_updating = False
        self._anchor: tuple[Hashable, int] | None = None
        self._kept: set[Hashable] = set()
        self._carried: Callable[[], QMimeData] | None = None
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        model.updating.connect(self._begin_update)
        model.updated.connect(self._end_update)
        model.rearranging.connect(self._put_aside)
        model.rearranged.connect(self._give_back)
        # A header checks every selected row of its column whenever it is painted.
        self.horizontalHeader().setSelectionModel(QItemSelectionModel(model, self))

    def let_drag(self, carried: Callable[[], QMimeData]) -> None:
        """Let the user drag the selected rows; `carried` returns the dragged data."""
        self._carried = carried
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)

    def startDrag(self, _actions: Qt.DropAction) -> None:
        if self._carried is not None and self.count_selected:
            drag = QDrag(self)
            drag.setMimeData(self._carried())
            drag.setPixmap(_count_picture(self.count_selected, self))
            drag.exec(Qt.DropAction.CopyAction)

    @property
    def selected(self) -> list[Any]:
        """Return the records of the selected rows in table order."""
        found = self._ranges()
        places = sorted({place for each in found for place in range(each.top(), each.bottom() + 1)})
        records = self._rows.records
        return [records[place] for place in places if place < len(records)]

    @property
    def count_selected(self) -> int:
        return sum(each.height() for each in self._ranges())

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.selection_changed.emit()

    def select_keys(self, keys: Iterable[Hashable]) -> None:
        """Select exactly the visible rows of these records."""
        wanted = set(keys)
        if len(wanted) <= FEW:
            places = sorted(place for key in wanted if (place := self._rows.row_of(key)) >= 0)
        else:
            places = [place for place, record in enumerate(self._rows.records) if self._rows.key(record) in wanted]
        chosen = QItemSelection()
        begin = 0
        for here in range(1, len(places) + 1):
            if here == len(places) or places[here] != places[here - 1] + 1:
                last = self._rows.columnCount() - 1
                chosen.select(self._rows.index(places[begin], 0), self._rows.index(places[here - 1], last))
                begin = here
        self.selectionModel().select(chosen, SELECT)

    def make_current(self, key: Hashable) -> None:
        """Make the row of a record current if it is visible, without changing the selection."""
        place = self._rows.row_of(key)
        if place >= 0:
            index = self._rows.index(place, 0)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.scrollTo(index)

    def _ranges(self) -> list[QItemSelectionRange]:
        selection = self.selectionModel().selection()
        return [selection.at(place) for place in range(selection.count())]

    def _begin_update(self) -> None:
        self._is_updating = True
        top = self.rowAt(0)
        below = self.verticalScrollBar().value()
        # At the top, show the newest rows instead of keeping the position.
        if below > 0 and top >= 0 and (record := self._rows.record_at(self._rows.index(top, 0))) is not None:
            self._anchor = (self._rows.key(record), below - top * self.row_height)

    def _end_update(self) -> None:
        self._is_updating = False
        anchor, self._anchor = self._anchor, None
        place = self._rows.row_of(anchor[0]) if anchor is not None else -1
        if anchor is not None and place >= 0:
            self.updateGeometries()
            self.verticalScrollBar().setValue(place * self.row_height + anchor[1])

    def _put_aside(self) -> None:
        """Remove the selection from Qt before a new layout.

        Qt would keep an index per row, and would extend a complete selection to new rows.
        """
        self._kept = {self._rows.key(record) for record in self.selected}
        model = self.selectionModel()
        model.blockSignals(True)
        model.clearSelection()
        model.blockSignals(False)

    def _give_back(self) -> None:
        """Select the same records again if they are visible."""
        kept, self._kept = self._kept, set()
        if kept:
            self.select_keys(kept)
        if not self._is_updating:
            # After a new filter or order, scroll to the current row or to the first one.
            current = self.currentIndex()
            self.scrollTo(current) if current.isValid() else self.scrollToTop()


def _count_picture(count: int, widget: QWidget) -> QPixmap:
    """Return the drag image with the number of rows."""
    badge = label(number(count), "badge")
    badge.setProperty("kind", "accent")
    badge.ensurePolished()
    badge.adjustSize()
    picture = QPixmap(badge.size() * widget.devicePixelRatioF())
    picture.setDevicePixelRatio(widget.devicePixelRatioF())
    picture.fill(Qt.GlobalColor.transparent)
    badge.render(picture)
    return picture
