"""The tree of facets as it is drawn and operated: headings that fold, values with a box and their count."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QFrame, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from app.desktop.models.facets import CHOSEN_ROLE, COUNT_ROLE, FacetTree
from app.desktop.theme import colours, scaled_font
from app.desktop.tokens import XS, S

ROW_HEIGHT: Final = 28
HEADING_HEIGHT: Final = 34
BOX: Final = 15
ARROW: Final = 18
"""Room for the arrow that folds a heading or a site."""

Index = QModelIndex | QPersistentModelIndex


class FacetDelegate(QStyledItemDelegate):
    """Paints one line. Which box is checked and which line is folded is said in the model, not in the paint."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_background(painter, option)
        view = option.widget
        area = option.rect.adjusted(XS, 0, -S, 0)
        if isinstance(view, FacetView) and index.model().rowCount(index):
            _paint_arrow(painter, QRect(area.left(), area.top(), ARROW, area.height()), opened=view.isExpanded(index))
        area.setLeft(area.left() + ARROW)
        if not index.parent().isValid():
            self._paint_heading(painter, area, index)
        else:
            self._paint_value(painter, area, index)
        painter.restore()

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, ROW_HEIGHT if index.parent().isValid() else HEADING_HEIGHT)

    def editorEvent(self, *_: object) -> bool:
        """The view itself answers to mouse and keyboard."""
        return False

    def _paint_background(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        shape = QRectF(option.rect).adjusted(XS, 1, -XS, -1)
        view = option.widget
        has_focus = isinstance(view, FacetView) and view.hasFocus() and option.state & QStyle.StateFlag.State_HasFocus
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours().hover))
            painter.drawRoundedRect(shape, 5, 5)
        if has_focus:
            painter.setPen(QPen(QColor(colours().accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(shape, 5, 5)

    def _paint_heading(self, painter: QPainter, area: QRect, index: Index) -> None:
        painter.setFont(scaled_font(0.92, bold=True))
        painter.setPen(QColor(colours().text))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, str(index.data()))
        chosen = index.data(CHOSEN_ROLE)
        if chosen:
            painter.setPen(QColor(colours().accent_text))
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, str(chosen))

    def _paint_value(self, painter: QPainter, area: QRect, index: Index) -> None:
        scheme = colours()
        count = index.data(COUNT_ROLE)
        checked = index.data(Qt.ItemDataRole.CheckStateRole)
        is_checked = checked is not None and Qt.CheckState(checked) is Qt.CheckState.Checked
        if checked is not None:
            _paint_box(painter, QPoint(area.left(), area.center().y() - BOX // 2), checked=is_checked)
        area.setLeft(area.left() + BOX + S)
        metrics = QFontMetrics(painter.font())
        if count is not None:
            painter.setPen(QColor(scheme.muted))
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, str(count))
            area.setRight(area.right() - metrics.horizontalAdvance(str(count)) - S)
        is_dim = count is None or (count == "0" and not is_checked)
        painter.setPen(QColor(scheme.accent_text if checked is None else scheme.muted if is_dim else scheme.text))
        words = metrics.elidedText(str(index.data()), Qt.TextElideMode.ElideMiddle, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)


def _paint_arrow(painter: QPainter, area: QRect, *, opened: bool) -> None:
    painter.setPen(QPen(QColor(colours().muted), 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    centre = QPointF(area.center())
    turned = [(-3.5, -1.75), (0, 1.75), (3.5, -1.75)] if opened else [(-1.75, -3.5), (1.75, 0), (-1.75, 3.5)]
    painter.drawPolyline([centre + QPointF(x, y) for x, y in turned])


def _paint_box(painter: QPainter, corner: QPoint, *, checked: bool) -> None:
    scheme = colours()
    shape = QRectF(corner.x() + 0.5, corner.y() + 0.5, BOX - 1, BOX - 1)
    painter.setPen(QPen(QColor(scheme.accent if checked else scheme.muted), 1))
    painter.setBrush(QColor(scheme.accent if checked else scheme.surface))
    painter.drawRoundedRect(shape, 3.5, 3.5)
    if checked:
        painter.setPen(QPen(QColor(scheme.on_accent), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        corners = [(3.5, 7.5), (6.2, 10.2), (11.0, 4.8)]
        painter.drawPolyline([QPointF(corner.x() + x, corner.y() + y) for x, y in corners])


class FacetView(QTreeView):
    """A click or Space chooses a value; a click on an arrow or a heading, Left and Right fold."""

    def __init__(self, model: FacetTree, name: str) -> None:
        super().__init__()
        self._tree = model
        self.setModel(model)
        self.setItemDelegate(FacetDelegate(self))
        self.setAccessibleName(name)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        index = self.indexAt(place)
        if event.button() is not Qt.MouseButton.LeftButton or not index.isValid():
            return
        self.setCurrentIndex(index)
        is_on_arrow = place.x() < self.visualRect(index).left() + XS + ARROW
        if not index.parent().isValid() or (is_on_arrow and self.model().rowCount(index)):
            self.setExpanded(index, not self.isExpanded(index))
        else:
            self._tree.toggle(index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            if index.parent().isValid():
                self._tree.toggle(index)
            else:
                self.setExpanded(index, not self.isExpanded(index))
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.doItemsLayout()
