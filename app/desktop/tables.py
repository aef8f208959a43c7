"""Tables in the style of the application: separators, whole-row hover, and icons that repeat the text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import Any, Final

from PySide6 import QtCore, QtWidgets
from PySide6.QtGui import QColor, QDrag, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent

from app.desktop.models.long_rows import LongRowsModel
from app.desktop.models.rows import BELOW_ROLE, ELIDE_ROLE, MARK_ROLE, Index, RowsModel
from app.desktop.qt import Act, reported, single_shot
from app.desktop.state_file import StateFile
from app.desktop.theme import colours, draw_words, pixmap
from app.desktop.tokens import COMPACT_ROW, ROW, TALL_ROW, M, S
from app.desktop.widgets import label, set_up_view
from app.desktop.wording import number

ICON = 16
MIN_STRETCH = 190  # Default minimum width of the stretched column in device-independent pixels.
LEAST_BESIDE_CHOSEN = 120  # Minimum width of the stretched column if the user shows many others.
MIN_COLUMN = 40
MAX_COLUMN = 1_200
STORE_MS = 400  # Milliseconds without changes before the columns are saved.


class CellDelegate(QtWidgets.QStyledItemDelegate):
    """Paints a cell: row background, separator, icon and text."""

    @reported(None)
    def paint(self, painter: QPainter, option: QtWidgets.QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        paint_row_background(painter, option, hovered=self.is_hovered(option, index))
        area = option.rect.adjusted(M, 0, -M, -1)
        mark = index.data(MARK_ROLE)
        if mark is not None:
            paint_icon(painter, area, *mark)
            area.adjust(ICON + S, 0, 0, 0)
        strong = index.column() == getattr(option.widget, "strong_column", -1)
        painter.setPen(QColor(colours().text if strong or mark is not None else colours().muted))
        below = index.data(BELOW_ROLE) if area.height() >= TALL_ROW - 1 else None
        text = str(index.data() or "")
        shown = option.fontMetrics.elidedText(text, index.data(ELIDE_ROLE), area.width())
        if below:
            lower, top = area.adjusted(0, area.height() // 2 + 2, 0, 0), QtCore.Qt.AlignmentFlag.AlignTop
            area.setBottom(area.center().y() + 1)
            painter.drawText(area, QtCore.Qt.AlignmentFlag.AlignBottom | QtCore.Qt.AlignmentFlag.AlignLeft, shown)
            # Addresses differ at their end.
            draw_words(
                painter, lower, str(below), colours().muted, top, QtCore.Qt.TextElideMode.ElideMiddle, scale=0.88
            )
        else:
            painter.drawText(area, int(index.data(QtCore.Qt.ItemDataRole.TextAlignmentRole)), shown)
        painter.restore()

    @reported(QtCore.QSize())
    def sizeHint(self, option: QtWidgets.QStyleOptionViewItem, index: Index) -> QtCore.QSize:
        return QtCore.QSize(super().sizeHint(option, index).width() + 2 * M, getattr(option.widget, "row_height", ROW))

    def is_hovered(self, option: QtWidgets.QStyleOptionViewItem, index: Index) -> bool:
        return getattr(option.widget, "hovered_row", -1) == index.row()


def paint_row_background(painter: QPainter, option: QtWidgets.QStyleOptionViewItem, *, hovered: bool) -> None:
    """Paint selection or hover, and the separator below the row."""
    scheme = colours()
    if option.state & QtWidgets.QStyle.StateFlag.State_Selected:
        painter.fillRect(option.rect, QColor(scheme.accent_soft))
    elif hovered:
        painter.fillRect(option.rect, QColor(scheme.hover))
    painter.setPen(QPen(QColor(scheme.border), 1))
    bottom = option.rect.bottom()
    painter.drawLine(option.rect.left(), bottom, option.rect.right(), bottom)


def paint_icon(painter: QPainter, area: QtCore.QRect, name: str, role: str) -> None:
    """Paint an icon on the left of an area, vertically centered."""
    ratio = painter.device().devicePixelRatioF()
    painter.drawPixmap(area.left(), area.center().y() - ICON // 2 + 1, pixmap(name, ICON, role, ratio=ratio))


class DataTable(QtWidgets.QTableView):
    """A read-only table with whole-row selection. Emits `opened` on Enter and double-click, and `deleted` on the Delete key.

    The column `stretch` fills the remaining width, and gets at least `least` pixels before any optional column.
    """

    opened = QtCore.Signal(QtCore.QModelIndex)
    deleted = QtCore.Signal()
    current_changed = QtCore.Signal(QtCore.QModelIndex)

    def __init__(
        self, model: RowsModel[Any], name: str, widths: Sequence[int], stretch: int, *, least: int = MIN_STRETCH
    ) -> None:
        super().__init__(showGrid=False, wordWrap=False)
        self.hovered_row = -1
        self.row_height = ROW
        self.strong_column = stretch
        self._least = least
        self.empty_text = ""
        self.optional: tuple[int, ...] = ()  # Columns to hide, in this order, if the table is too narrow for all.
        self._chosen: list[int] = []
        self._left_out: set[int] = set()
        self._below = -1
        self._is_sharing = False
        self._columns_changed: Act = lambda: None
        self._titles = model.titles
        self.setModel(model)
        self.setItemDelegate(CellDelegate(self))
        self.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        set_up_view(self, name)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.verticalHeader().setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.Fixed)
        self.entered.connect(lambda index: self._set_hovered(index.row()))
        self.doubleClicked.connect(self.opened)
        header = self.horizontalHeader()
        if len(widths) != header.count():
            # Qt would crash.
            raise ValueError(f"{header.count()} columns need one width each, but there are {len(widths)}")
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setMinimumSectionSize(MIN_COLUMN)
        scale = max(1.0, self.fontMetrics().horizontalAdvance("0") / 8.0)
        titles = (header.sectionSizeHint(column) for column in range(len(widths)))
        self._widths = [max(round(width * scale), title) for width, title in zip(widths, titles, strict=True)]
        for column, width in enumerate(self._widths):
            header.resizeSection(column, width)
        header.setSectionResizeMode(stretch, QtWidgets.QHeaderView.ResizeMode.Stretch)

    def move_below_when_narrow(self, column: int) -> None:
        """Show rows in one line, or in two if the table is narrow. The second line then contains the text of this column."""
        self._below = column
        self.set_row_height(COMPACT_ROW)

    def height_of(self, rows: int) -> int:
        return self.horizontalHeader().sizeHint().height() + rows * self.row_height

    def set_row_height(self, height: int) -> None:
        """Set the row height, or more if the font needs it."""
        self.row_height = max(height, self.fontMetrics().height() + S)
        self.verticalHeader().setMinimumSectionSize(self.row_height)
        self.verticalHeader().setDefaultSectionSize(self.row_height)

    def remember_columns(self, memory: StateFile, key: str, *left_out: int) -> None:
        """Let the user choose, move and resize columns, and restore them at the next start. Those `left_out` are hidden until chosen."""
        header = self.horizontalHeader()
        header.setSectionsMovable(True)
        header.setContextMenuPolicy(QtCore.Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(
            lambda place: self.columns_menu().popup(header.viewport().mapToGlobal(place))
        )
        self._left_out = set(left_out)
        self._restore_columns(memory.get(key, ""))

        def store() -> None:
            order = [header.logicalIndex(place) for place in range(header.count())]
            parts = (order, self._widths, self._chosen, sorted(self._left_out))  # Such as "0 2 1;280 82 156;2;1".
            memory.set(key, ";".join(" ".join(map(str, part)) for part in parts))

        pause = single_shot(self, STORE_MS, store)
        self._columns_changed = pause.start
        header.sectionMoved.connect(lambda *_: pause.start())
        header.sectionResized.connect(lambda column, old, new: self._column_resized(column, old, new) and pause.start())
        self._show_columns()

    def columns_menu(self) -> QtWidgets.QMenu:
        """Build a menu of the columns with check marks at visible ones. The title is always visible."""
        header = self.horizontalHeader()
        menu = QtWidgets.QMenu(self)
        menu.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        for column in (header.logicalIndex(place) for place in range(header.count())):
            if column != self.strong_column:
                action = menu.addAction(self._titles[column])
                action.setCheckable(True)
                action.setChecked(not self.isColumnHidden(column))
                action.toggled.connect(partial(self.choose_column, column))
        return menu

    def choose_column(self, column: int, on: bool) -> None:
        """Show a column, possibly instead of others that the user did not choose, or hide it."""
        self._left_out.discard(column)
        self._chosen = [each for each in self._chosen if each != column]
        if on:
            self._chosen.append(column)
        else:
            self._left_out.add(column)
        self._show_columns()
        self._columns_changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._show_columns()
        super().resizeEvent(event)

    def _show_columns(self) -> None:
        """Show as many columns as fit. Columns that the user chose are hidden last, in the order of choice."""
        header = self.horizontalHeader()
        given_up = set(self._left_out)
        fixed = [each for each in range(header.count()) if each not in given_up and each != self.strong_column]
        missing = self._least - self.viewport().width() + sum(self._widths[column] for column in fixed)
        for column in [each for each in self.optional if each not in {*self._chosen, *given_up}] + self._chosen:
            spared = self._least - LEAST_BESIDE_CHOSEN if column in self._chosen else 0
            if missing > max(0, spared):
                given_up.add(column)
                missing -= self._widths[column]
        for column in {*self.optional, *self._chosen, *self._left_out}:
            self.setColumnHidden(column, column in given_up)
        if self._below < 0:
            return
        is_narrow = self._below in given_up - self._left_out
        height = TALL_ROW if is_narrow else COMPACT_ROW
        if height != self.row_height:
            self.set_row_height(height)
        if not is_narrow and self._below not in self._chosen:
            # The column and the title share the remaining width.
            self._is_sharing = True
            header.resizeSection(self._below, self._widths[self._below] + max(0, -missing // 2))
            self._is_sharing = False

    def _column_resized(self, column: int, old: int, new: int) -> bool:
        """Apply a column width set by the user, limited by the minimum of the stretched column. Return whether it is one."""
        header = self.horizontalHeader()
        is_free = header.sectionResizeMode(column) is QtWidgets.QHeaderView.ResizeMode.Interactive
        if old <= 0 or new <= 0 or not is_free or self._is_sharing or new == self._widths[column]:
            return False
        if column == self._below and column not in self._chosen:
            self._chosen.append(column)
        shown = [each for each in range(header.count()) if not header.isSectionHidden(each) and each != column]
        others = sum(self._widths[each] for each in shown if each != self.strong_column)
        allowed = max(MIN_COLUMN, self.viewport().width() - self._least - others)
        self._widths[column] = min(new, allowed)
        if new > allowed:
            header.resizeSection(column, allowed)
        if self._below >= 0:
            # The shared width has changed.
            self._show_columns()
        return True

    def _restore_columns(self, described: str) -> None:
        """Restore columns from their text, unless it belongs to other columns."""
        header = self.horizontalHeader()
        parts = [part.split() for part in f"{described};".split(";")]
        # A part with anything but numbers counts as empty.
        columns, sizes, *chosen = [list(map(int, part)) if all(map(str.isdecimal, part)) else [] for part in parts]
        if sorted(columns) != list(range(header.count())) or len(sizes) != header.count():
            return
        for place, column in enumerate(columns):
            header.moveSection(header.visualIndex(column), place)
        for column, size in enumerate(sizes):
            if column != self.strong_column:
                self._widths[column] = max(MIN_COLUMN, min(size, MAX_COLUMN))
                header.resizeSection(column, self._widths[column])
        if len(chosen) >= 2:
            known = set(columns) - {self.strong_column}
            self._chosen, self._left_out = [each for each in chosen[0] if each in known], known & set(chosen[1])

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.empty_text and self.model().rowCount() == 0:
            with QPainter(self.viewport()) as painter:
                painter.setPen(QColor(colours().muted))
                painter.drawText(self.viewport().rect(), QtCore.Qt.AlignmentFlag.AlignCenter, self.empty_text)

    def enable_sorting(self, column: int, order: QtCore.Qt.SortOrder) -> None:
        """Sort on header clicks, initially by `column`."""
        self.horizontalHeader().setSortIndicator(column, order)
        self.setSortingEnabled(True)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.current_changed.emit(current)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (QtCore.Qt.Key.Key_Return, QtCore.Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex())
        elif event.key() == QtCore.Qt.Key.Key_Delete:
            self.deleted.emit()
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.indexAt(event.position().toPoint()).isValid():
            self._set_hovered(-1)
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self._set_hovered(-1)
        super().leaveEvent(event)

    def _set_hovered(self, row: int) -> None:
        if row != self.hovered_row:
            self.hovered_row = row
            self.viewport().update()


SELECT: Final = QtCore.QItemSelectionModel.SelectionFlag.ClearAndSelect | QtCore.QItemSelectionModel.SelectionFlag.Rows
FEW: Final = 200  # Maximum number of rows to look up one by one.


class LongTable(DataTable):
    """A table with multiple selection whose visible rows keep their position during updates."""

    selection_changed = QtCore.Signal()

    def __init__(
        self, model: LongRowsModel[Any], name: str, widths: Sequence[int], stretch: int, *, least: int = MIN_STRETCH
    ) -> None:
        super().__init__(model, name, widths, stretch, least=least)
        self._rows = model
        self._is_updating = False
        self._anchor: tuple[Hashable, int] | None = None
        self._kept: set[Hashable] = set()
        self._carried: Callable[[], QtCore.QMimeData] | None = None
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        model.updating.connect(self._begin_update)
        model.updated.connect(self._end_update)
        model.rearranging.connect(self._put_aside)
        model.rearranged.connect(self._give_back)
        # A header checks every selected row of its column whenever it is painted.
        self.horizontalHeader().setSelectionModel(QtCore.QItemSelectionModel(model, self))

    def let_drag(self, carried: Callable[[], QtCore.QMimeData]) -> None:
        """Let the user drag the selected rows; `carried` returns the dragged data."""
        self._carried = carried
        self.setDragEnabled(True)
        self.setDragDropMode(QtWidgets.QAbstractItemView.DragDropMode.DragOnly)

    def startDrag(self, _actions: QtCore.Qt.DropAction) -> None:
        if self._carried is not None and self.count_selected:
            drag = QDrag(self)
            drag.setMimeData(self._carried())
            # The number of rows as an image.
            badge = label(number(self.count_selected), "badge")
            badge.setProperty("kind", "accent")
            badge.ensurePolished()
            badge.adjustSize()
            picture = QPixmap(badge.size() * self.devicePixelRatioF())
            picture.setDevicePixelRatio(self.devicePixelRatioF())
            picture.fill(QtCore.Qt.GlobalColor.transparent)
            badge.render(picture)
            drag.setPixmap(picture)
            drag.exec(QtCore.Qt.DropAction.CopyAction)

    @property
    def selected(self) -> list[Any]:
        """Return the records of the selected rows in table order."""
        places = sorted({place for each in self._ranges() for place in range(each.top(), each.bottom() + 1)})
        records = self._rows.records
        return [records[place] for place in places if place < len(records)]

    @property
    def count_selected(self) -> int:
        return sum(each.height() for each in self._ranges())

    def selectionChanged(self, selected: QtCore.QItemSelection, deselected: QtCore.QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.selection_changed.emit()

    def select_keys(self, keys: Iterable[Hashable]) -> None:
        """Select exactly the visible rows of these records."""
        wanted = set(keys)
        if len(wanted) <= FEW:
            places = sorted(place for key in wanted if (place := self._rows.row_of(key)) >= 0)
        else:
            places = [place for place, record in enumerate(self._rows.records) if self._rows.key(record) in wanted]
        chosen = QtCore.QItemSelection()
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
            self.selectionModel().setCurrentIndex(index, QtCore.QItemSelectionModel.SelectionFlag.NoUpdate)
            self.scrollTo(index)

    def _ranges(self) -> list[QtCore.QItemSelectionRange]:
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
        with QtCore.QSignalBlocker(model):
            model.clearSelection()

    def _give_back(self) -> None:
        """Select the same records again if they are visible."""
        kept, self._kept = self._kept, set()
        if kept:
            self.select_keys(kept)
        if not self._is_updating:
            # After a new filter or order, scroll to the current row or to the first one.
            current = self.currentIndex()
            self.scrollTo(current) if current.isValid() else self.scrollToTop()
