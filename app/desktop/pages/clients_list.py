"""The list of assistants: picture, title and state of each, under headings."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.desktop.icons import pixmap
from app.desktop.models.assistants import Assistant, condition_mark, state_line
from app.desktop.models.clients import GROUP_ROLE, ClientsModel
from app.desktop.models.rows import ROW_ROLE
from app.desktop.theme import colours, scaled_font
from app.desktop.tile import paint_tile
from app.desktop.tokens import M, S

HEIGHT, HEADING, TILE, MARK = 54, 30, 32, 14
Place = QModelIndex | QPersistentModelIndex


class AssistantDelegate(QStyledItemDelegate):
    """Paints one assistant, with the heading of its group above the first."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Place) -> None:
        row: Assistant = index.data(ROW_ROLE)
        area, heading = QRect(option.rect), index.data(GROUP_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if heading:
            painter.setFont(scaled_font(0.9, bold=True))
            painter.setPen(QColor(colours().muted))
            place = area.adjusted(M, 0, -M, -HEIGHT - 4)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, heading)
            area.setTop(area.bottom() - HEIGHT + 1)
        area.adjust(S - 2, 1, 2 - S, -1)
        self._paint_ground(painter, option, area)
        self._paint_row(painter, area.adjusted(S, 0, -S, 0), row)
        painter.restore()

    def sizeHint(self, _option: QStyleOptionViewItem, index: Place) -> QSize:
        return QSize(120, HEIGHT + (HEADING if index.data(GROUP_ROLE) else 0))

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, area: QRect) -> None:
        scheme = colours()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.setPen(Qt.PenStyle.NoPen)
        if chosen or hovered:
            painter.setBrush(QColor(scheme.accent_soft if chosen else scheme.hover))
            painter.drawRoundedRect(area, 8, 8)
        if option.state & QStyle.StateFlag.State_HasFocus and chosen:
            painter.setPen(QColor(scheme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)

    def _paint_row(self, painter: QPainter, area: QRect, row: Assistant) -> None:
        scheme, middle = colours(), area.center().y()
        present = row.is_here
        tile = QRectF(area.left() + 0.5, middle - TILE / 2 + 0.5, TILE, TILE)
        paint_tile(painter, tile, row.name, row.title, present=present)
        if row.attached:
            self._paint_dot(painter, tile)
        words = area.adjusted(TILE + M, 0, 0, 0)
        upper, lower = QRect(words), QRect(words)
        upper.setBottom(middle)
        lower.setTop(middle + 1)
        strong = scaled_font(1.0, bold=True)
        painter.setFont(strong)
        painter.setPen(QColor(scheme.text if present else scheme.muted))
        _draw_line(painter, upper, row.title, Qt.AlignmentFlag.AlignBottom)
        mark = condition_mark(row)
        if mark is not None:
            picture = pixmap(mark[0], MARK, mark[1], ratio=painter.device().devicePixelRatioF())
            painter.drawPixmap(lower.left(), lower.top() + 3, picture)
            lower.adjust(MARK + 5, 0, 0, 0)
        painter.setFont(scaled_font(0.92))
        painter.setPen(QColor(scheme.muted))
        lower.adjust(0, 2, 0, 0)
        _draw_line(painter, lower, state_line(row), Qt.AlignmentFlag.AlignTop)

    def _paint_dot(self, painter: QPainter, tile: QRectF) -> None:
        """It is open now; the words beside it say the same."""
        scheme = colours()
        painter.setPen(QColor(scheme.surface))
        painter.setBrush(QColor(scheme.success))
        painter.drawEllipse(QRectF(tile.right() - 7, tile.bottom() - 7, 10, 10))


def _draw_line(painter: QPainter, area: QRect, text: str, side: Qt.AlignmentFlag) -> None:
    shown = QFontMetrics(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | side), shown)


class AssistantList(QListView):
    """One assistant is chosen at a time; `chosen` gives its name, `opened` follows Enter and double click."""

    chosen = Signal(str)
    opened = Signal()

    def __init__(self, model: ClientsModel) -> None:
        super().__init__()
        self._rows = model
        self.setModel(model)
        self.setItemDelegate(AssistantDelegate(self))
        self.setAccessibleName(self.tr("Assistants"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.activated.connect(lambda _index: self.opened.emit())

    def select(self, name: str) -> None:
        """Choose an assistant by name; nothing happens for an unknown one."""
        place = self._rows.row_of(name)
        if place >= 0:
            self.setCurrentIndex(self._rows.index(place, 0))

    @property
    def current(self) -> Assistant | None:
        return self._rows.record_at(self.currentIndex())

    def currentChanged(self, current: Place, previous: Place) -> None:
        super().currentChanged(current, previous)
        record = self._rows.record_at(current)
        if record is not None:
            self.chosen.emit(record.name)
