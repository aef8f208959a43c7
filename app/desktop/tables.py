"""Tables in the application's look: calm rows, hairlines, whole-row hover, icons that repeat what the text says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from app.desktop.icons import pixmap
from app.desktop.models.rows import MARK_ROLE, RowsModel
from app.desktop.theme import colours
from app.desktop.tokens import ROW, M, S

ICON = 16
MIN_STRETCH = 190
"""What the widest column keeps, in device-independent pixels."""


class CellDelegate(QStyledItemDelegate):
    """Paints one cell: background of the row, hairline below, icon, text."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        paint_row_background(painter, option, hovered=self._is_hovered(option, index))
        area = option.rect.adjusted(M, 0, -M, -1)
        mark = index.data(MARK_ROLE)
        if mark is not None:
            paint_icon(painter, area, *mark)
            area.adjust(ICON + S, 0, 0, 0)
        strong = index.column() == getattr(option.widget, "strong_column", -1)
        painter.setPen(QColor(colours().text if strong or mark is not None else colours().muted))
        text = str(index.data() or "")
        shown = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, int(index.data(Qt.ItemDataRole.TextAlignmentRole)), shown)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(super().sizeHint(option, index).width() + 2 * M, ROW)

    def _is_hovered(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> bool:
        return getattr(option.widget, "hovered_row", -1) == index.row()


def paint_row_background(painter: QPainter, option: QStyleOptionViewItem, *, hovered: bool) -> None:
    """Selection or hover, and the hairline under the row."""
    scheme = colours()
    if option.state & QStyle.StateFlag.State_Selected:
        painter.fillRect(option.rect, QColor(scheme.accent_soft))
    elif hovered:
        painter.fillRect(option.rect, QColor(scheme.hover))
    painter.setPen(QPen(QColor(scheme.border), 1))
    bottom = option.rect.bottom()
    painter.drawLine(option.rect.left(), bottom, option.rect.right(), bottom)


def paint_icon(painter: QPainter, area: QRect, name: str, role: str) -> None:
    """An icon at the left of an area, centred in height."""
    ratio = painter.device().devicePixelRatioF()
    painter.drawPixmap(area.left(), area.center().y() - ICON // 2 + 1, pixmap(name, ICON, role, ratio=ratio))


class DataTable(QTableView):
    """A read-only table of whole rows. `opened` follows Enter and double click, `deleted` the Delete key."""

    opened = Signal(QModelIndex)
    deleted = Signal()
    current_changed = Signal(QModelIndex)

    def __init__(self, model: RowsModel[Any], name: str, widths: Sequence[int], stretch: int) -> None:
        super().__init__()
        self.hovered_row = -1
        self.strong_column = stretch
        self.empty_text = ""
        self._optional: tuple[int, ...] = ()
        self.setAccessibleName(name)
        self.setModel(model)
        self.setItemDelegate(CellDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._set_up_header(widths, stretch)
        self.entered.connect(self._hover)
        self.doubleClicked.connect(self.opened)

    def _set_up_header(self, widths: Sequence[int], stretch: int) -> None:
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setMinimumSectionSize(40)
        scale = max(1.0, self.fontMetrics().horizontalAdvance("0") / 8.0)
        self._widths = [round(width * scale) for width in widths]
        for column, width in enumerate(self._widths):
            header.resizeSection(column, width)
        header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)

    def hide_when_narrow(self, *columns: int) -> None:
        """Columns to do without, the first one first, while the table has no room for all."""
        self._optional = columns

    def resizeEvent(self, event: QResizeEvent) -> None:
        header = self.horizontalHeader()
        missing = MIN_STRETCH - self.viewport().width()
        for column in range(header.count()):
            if header.sectionResizeMode(column) is not QHeaderView.ResizeMode.Stretch:
                missing += self._widths[column]
        for column in self._optional:
            self.setColumnHidden(column, missing > 0)
            missing -= self._widths[column] if missing > 0 else 0
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.empty_text and self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(QColor(colours().muted))
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, self.empty_text)
            painter.end()

    def enable_sorting(self, column: int, order: Qt.SortOrder) -> None:
        """Let a click on a heading sort; `column` is the order to begin with."""
        self.horizontalHeader().setSortIndicator(column, order)
        self.setSortingEnabled(True)

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(current, previous)
        self.current_changed.emit(current)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Delete:
            self.deleted.emit()
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.indexAt(event.position().toPoint()).isValid():
            self._set_hovered(-1)
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._set_hovered(-1)
        super().leaveEvent(event)

    def _hover(self, index: QModelIndex) -> None:
        self._set_hovered(index.row())

    def _set_hovered(self, row: int) -> None:
        if row != self.hovered_row:
            self.hovered_row = row
            self.viewport().update()
