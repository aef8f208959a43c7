"""Tree view of facets: select values, and drop pages on collections and tags."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from app.desktop.models.facets import CHOSEN_ROLE, COUNT_ROLE, LABEL_FACETS, MORE, NEW, Facet, FacetTree
from app.desktop.models.labels import PAGES_MIME, dragged_pages
from app.desktop.painting import draw_words, fill_shape
from app.desktop.qt import reported
from app.desktop.theme import colours, scaled_font
from app.desktop.tokens import XS, S
from app.desktop.wording import number

ROW_HEIGHT: Final = 28
HEADING_HEIGHT: Final = 34
BOX: Final = 15
ARROW: Final = 18
"""Width of the arrow that folds a heading or a site."""
RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
Index = QModelIndex | QPersistentModelIndex


class FacetDelegate(QStyledItemDelegate):
    """Paints one line. The model supplies the checked and folded states."""

    @reported(None)
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scheme, view, area = colours(), option.widget, option.rect.adjusted(XS, 0, -S, 0)
        assert isinstance(view, FacetView)
        ground = QRectF(option.rect).adjusted(XS, 1, -XS, -1)
        is_target = view.drop_index == index
        if option.state & QStyle.StateFlag.State_MouseOver or is_target:
            fill_shape(painter, ground, scheme.accent_soft if is_target else scheme.hover, 5)
        if view.hasFocus() and option.state & QStyle.StateFlag.State_HasFocus:
            fill_shape(painter, ground, "", 5, edge=scheme.accent, width=1.5)
        if index.model().rowCount(index):
            opened = view.isExpanded(index)
            centre = QPointF(QRect(area.left(), area.top(), ARROW, area.height()).center())
            turned = [(-3.5, -1.75), (0, 1.75), (3.5, -1.75)] if opened else [(-1.75, -3.5), (1.75, 0), (-1.75, 3.5)]
            painter.setPen(QPen(QColor(scheme.muted), 1.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPolyline([centre + QPointF(x, y) for x, y in turned])
        area.setLeft(area.left() + ARROW)
        if not index.parent().isValid():
            painter.setFont(scaled_font(0.92, bold=True))
            draw_words(painter, area, str(index.data()), scheme.text)
            draw_words(painter, area, str(index.data(CHOSEN_ROLE) or ""), scheme.accent_text, RIGHT)
        else:
            self._paint_value(painter, area, index)
        painter.restore()

    @reported(QSize())
    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, ROW_HEIGHT if index.parent().isValid() else HEADING_HEIGHT)

    def editorEvent(self, *_: object) -> bool:
        """Do nothing, because the view itself handles mouse and keyboard."""
        return False

    def _paint_value(self, painter: QPainter, area: QRect, index: Index) -> None:
        scheme = colours()
        count = index.data(COUNT_ROLE)
        checked = index.data(Qt.ItemDataRole.CheckStateRole)
        is_checked = checked is not None and Qt.CheckState(checked) is Qt.CheckState.Checked
        if checked is not None:
            _paint_box(painter, QPoint(area.left(), area.center().y() - BOX // 2), checked=is_checked)
        area.setLeft(area.left() + BOX + S)
        if count is not None:
            # Already formatted in the user's locale.
            draw_words(painter, area, str(count), scheme.muted, RIGHT)
            area.setRight(area.right() - painter.fontMetrics().horizontalAdvance(str(count)) - S)
        is_dim = count is None or (count == number(0) and not is_checked)
        # The beginning of a host name is the most distinctive part; the tooltip shows all of it.
        colour = scheme.accent_text if checked is None else scheme.muted if is_dim else scheme.text
        draw_words(painter, area, str(index.data()), colour)


def _paint_box(painter: QPainter, corner: QPoint, *, checked: bool) -> None:
    scheme = colours()
    shape = QRectF(corner.x() + 0.5, corner.y() + 0.5, BOX - 1, BOX - 1)
    fill, edge = (scheme.accent, scheme.accent) if checked else (scheme.surface, scheme.muted)
    fill_shape(painter, shape, fill, 3.5, edge=edge)
    if checked:
        painter.setPen(QPen(QColor(scheme.on_accent), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        corners = [(3.5, 7.5), (6.2, 10.2), (11.0, 4.8)]
        painter.drawPolyline([QPointF(corner.x() + x, corner.y() + y) for x, y in corners])


class FacetView(QTreeView):
    """A click or Space selects a value; a click on an arrow or a heading, Left and Right fold.

    Pages can be dropped on collections and tags: `dropped` carries facet, value (NEW for a new collection) and their IDs. F2 and Del on one
    of them emit `renamed` and `deleted`.
    """

    dropped = Signal(int, str, object)
    renamed = Signal(int, str)
    deleted = Signal(int, str)

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
        self.setAcceptDrops(True)
        self.drop_index = QPersistentModelIndex()

    def label_at(self, index: Index) -> tuple[Facet, str] | None:
        """Return the collection or tag of a line. The line of a new collection is NEW."""
        node = self._tree.node(index)
        is_label = node is not None and node.parent is not None and node.facet in LABEL_FACETS and node.value != MORE
        return (node.facet, node.value) if node is not None and is_label else None

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._hover(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._hover(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._show_drop(QModelIndex())

    def dropEvent(self, event: QDropEvent) -> None:
        found = self.label_at(self.indexAt(event.position().toPoint()))
        ids = dragged_pages(event.mimeData())
        self._show_drop(QModelIndex())
        if found is not None and ids:
            event.acceptProposedAction()
            self.dropped.emit(int(found[0]), found[1], ids)

    def _hover(self, event: QDropEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        is_here = self.label_at(index) is not None and event.mimeData().hasFormat(PAGES_MIME)
        self._show_drop(index if is_here else QModelIndex())
        # Accept entering anywhere; otherwise no move event over a line would follow.
        if is_here or (event.type() is QEvent.Type.DragEnter and event.mimeData().hasFormat(PAGES_MIME)):
            event.acceptProposedAction()
        else:
            event.ignore()

    def _show_drop(self, index: QModelIndex) -> None:
        self.drop_index = QPersistentModelIndex(index)
        self.viewport().update()

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
        found = self.label_at(index)
        if found is not None and found[1] != NEW and event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Delete):
            signal = self.renamed if event.key() == Qt.Key.Key_F2 else self.deleted
            signal.emit(int(found[0]), found[1])
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
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
