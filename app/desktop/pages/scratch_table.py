"""The kept passages by session: each group has a head that says whose it is, and can be folded away."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from app.desktop.models.scratch import TITLE, ScratchModel, SessionGroup
from app.desktop.tables import CellDelegate, DataTable, paint_icon
from app.desktop.theme import colours, scaled_font
from app.desktop.tokens import ROW, L, M, S

HEAD = 30
"""Height of a group's head, which stands above its first row."""


class SessionTable(DataTable):
    """Rows in groups. A click on a head, or Left and Right, fold a group and unfold it."""

    def __init__(self, model: ScratchModel, name: str, widths: Sequence[int], stretch: int) -> None:
        self._folded: set[str] = set()
        super().__init__(model, name, widths, stretch)
        self._kept = model
        self.setItemDelegate(_GroupDelegate(self))
        model.layoutChanged.connect(self._arrange)

    def group_at(self, row: int) -> SessionGroup | None:
        """The group that a row belongs to."""
        return next((group for group in reversed(self._kept.groups) if group.first <= row), None)

    def group_headed_by(self, row: int) -> SessionGroup | None:
        """The group whose head stands above a row."""
        group = self.group_at(row)
        return group if group is not None and group.first == row else None

    def is_folded(self, group: SessionGroup) -> bool:
        return group.id in self._folded

    def fold(self, group: SessionGroup, on: bool) -> None:
        """Show only the head of a group, or all of it."""
        (self._folded.add if on else self._folded.discard)(group.id)
        self._arrange()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        group = self._head_at(event)
        if group is not None and event.button() is Qt.MouseButton.LeftButton:
            self.fold(group, not self.is_folded(group))
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._head_at(event) is None:
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        group = self.group_at(self.currentIndex().row()) if self.currentIndex().isValid() else None
        if group is not None and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.selectRow(group.first)
            self.fold(group, event.key() == Qt.Key.Key_Left)
        else:
            super().keyPressEvent(event)

    def _head_at(self, event: QMouseEvent) -> SessionGroup | None:
        place = event.position().toPoint()
        index = self.indexAt(place)
        group = self.group_headed_by(index.row()) if index.isValid() else None
        return group if group is not None and place.y() < self.rowViewportPosition(index.row()) + HEAD else None

    def _arrange(self) -> None:
        """Give the rows their heights: a first row has a head above it, folded ones have none."""
        known = {group.id for group in self._kept.groups}
        self._folded &= known
        ends = [*(group.first for group in self._kept.groups[1:]), self._kept.rowCount()]
        for group, end in zip(self._kept.groups, ends, strict=False):
            folded = self.is_folded(group)
            self._set_height(group.first, HEAD if folded else HEAD + ROW)
            for row in range(group.first + 1, end):
                if self.isRowHidden(row) != folded:
                    self.setRowHidden(row, folded)
                if not folded:
                    self._set_height(row, ROW)
        self.viewport().update()

    def _set_height(self, row: int, height: int) -> None:
        if self.isRowHidden(row):
            self.setRowHidden(row, False)
        if self.rowHeight(row) != height:
            self.setRowHeight(row, height)


class _GroupDelegate(CellDelegate):
    """Paints the head above the first row of a group, cell by cell, and the cell below it."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        table = option.widget
        group = table.group_headed_by(index.row()) if isinstance(table, SessionTable) else None
        if group is None or not isinstance(table, SessionTable):
            super().paint(painter, option, index)
            return
        head = QRect(option.rect.left(), option.rect.top(), option.rect.width(), HEAD)
        folded = table.is_folded(group)
        if not folded:
            below = QStyleOptionViewItem(option)
            below.rect = option.rect.adjusted(0, HEAD, 0, 0)
            super().paint(painter, below, index)
        self._paint_head(painter, head, table, group, is_current=folded and _is_selected(option))

    def _paint_head(
        self,
        painter: QPainter,
        area: QRect,
        table: SessionTable,
        group: SessionGroup,
        *,
        is_current: bool,
    ) -> None:
        scheme = colours()
        painter.save()
        painter.fillRect(area, QColor(scheme.accent_soft if is_current else scheme.sunken))
        painter.setPen(QPen(QColor(scheme.border), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        # Every cell paints its part of the words, for they reach over the columns.
        painter.setClipRect(area)
        start = table.columnViewportPosition(TITLE)
        paint_icon(painter, QRect(start + M, area.top(), 16, area.height()), _arrow(table.is_folded(group)), "muted")
        room = QRect(start + M + L + S, area.top(), table.viewport().width() - start - M - L - 2 * S, area.height())
        painter.setFont(scaled_font(0.95, bold=True))
        painter.setPen(QColor(scheme.text))
        shown = painter.fontMetrics().elidedText(group.words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()


def _is_selected(option: QStyleOptionViewItem) -> bool:
    return bool(option.state & QStyle.StateFlag.State_Selected)


def _arrow(folded: bool) -> str:
    """What a click does."""
    return "down" if folded else "up"
