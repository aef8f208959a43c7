"""Neighbor graph of a document: pages as pills, links as arrows. Zoom, pan, and select a page by mouse or keyboard.

Painting uses the current color scheme.
"""

from __future__ import annotations

from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QApplication

from app.desktop.models.neighbours import Neighbour, Neighbours, Way, description, placed, summary_text
from app.desktop.pages.graph_canvas import CaptionItem, GraphCanvas, GraphLine, GraphNode, curve, outline
from app.desktop.theme import colours, draw_words
from app.desktop.tokens import M, S
from app.desktop.wording import plain_tip

NODE_WIDTH, NODE_HEIGHT, ROW_HEIGHT = 164.0, 30.0, 37.0
AREA: Final = QRectF(-NODE_WIDTH / 2, -NODE_HEIGHT / 2, NODE_WIDTH, NODE_HEIGHT)
"""Shape of a node or a caption in its own coordinates."""
ARROW: Final = 8.0
GAP: Final = 3.0  # Gap between an arrow and its target.
FIT_SMALLEST: Final = 0.62  # Minimum scale for fitting. Titles become unreadable below it, so larger graphs are panned.


class NodeItem(GraphNode):
    """A page. The central one has no neighbor."""

    def __init__(self, title: str, neighbour: Neighbour | None, place: QPointF) -> None:
        super().__init__(place, is_fixed=neighbour is None)
        self.neighbour = neighbour
        self._title = title
        self.setToolTip(plain_tip(description(neighbour) if neighbour is not None else title))

    def boundingRect(self) -> QRectF:
        return AREA.adjusted(-2, -2, 2, 2)

    def paint(self, painter: QtGui.QPainter, *_more: object) -> None:
        scheme = colours()
        is_centre, is_related = self.neighbour is None, self.neighbour is not None and self.neighbour.way is Way.RELATED
        fill = scheme.accent if is_centre else scheme.accent_soft if self.isSelected() else scheme.surface
        if self.is_hovered and not self.isSelected():
            fill = scheme.hover
        edge = scheme.accent if is_centre or self.isSelected() else scheme.strong_border
        painter.setPen(outline(edge, 2 if self.isSelected() else 1, is_dashed=is_related and not self.isSelected()))
        painter.setBrush(QtGui.QColor(fill))
        painter.drawRoundedRect(AREA, 8, 8)
        inner, centre = AREA.adjusted(S + 2, 0, -S - 2, 0), Qt.AlignmentFlag.AlignCenter
        colour = scheme.on_accent if is_centre else scheme.text
        draw_words(painter, inner, self._title, colour, centre, scale=0.95, bold=is_centre)


class LinkItem(GraphLine):
    """A line between the center and a node, with an arrow in the direction of the link. Dashed if there is no link."""

    def __init__(self, node: NodeItem, way: Way) -> None:
        self._way = way
        self._heads = QtGui.QPolygonF(), QtGui.QPolygonF()
        super().__init__(self._upright(node.pos()) if way is Way.RELATED else self._curve(node.pos()), node, room=ARROW)

    def paint(self, painter: QtGui.QPainter, *_more: object) -> None:
        colour = colours().accent if self.is_chosen else colours().muted
        painter.setBrush(Qt.BrushStyle.NoBrush)
        self.draw(painter, colour, is_wide=self.is_chosen, is_dashed=self._way is Way.RELATED)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QtGui.QColor(colour))
        for head in self._heads:
            painter.drawPolygon(head)

    def _curve(self, place: QPointF) -> QtGui.QPainterPath:
        """Return a curve with horizontal ends, so that the arrows are horizontal too."""
        side = 1 if place.x() > 0 else -1
        middle = QPointF(side * (NODE_WIDTH / 2 + GAP), 0)
        far = QPointF(place.x() - side * (NODE_WIDTH / 2 + GAP), place.y())
        to_middle, to_node = self._way in (Way.IN, Way.BOTH), self._way in (Way.OUT, Way.BOTH)
        self._heads = (
            _head(middle, -side) if to_middle else QtGui.QPolygonF(),
            _head(far, side) if to_node else QtGui.QPolygonF(),
        )
        start = middle + QPointF(side * ARROW if to_middle else 0, 0)
        return curve(start, far - QPointF(side * ARROW if to_node else 0, 0), 0.55)

    def _upright(self, place: QPointF) -> QtGui.QPainterPath:
        side = 1 if place.y() > 0 else -1
        line = QtGui.QPainterPath(QPointF(0, side * NODE_HEIGHT / 2))
        line.lineTo(place - QPointF(0, side * NODE_HEIGHT / 2))
        return line


class NeighbourView(GraphCanvas):
    """Graph of neighbors. `opened` carries the document of a page that was double-clicked or opened with Enter."""

    opened = Signal(int)
    smallest, largest = 0.4, 2.5

    def __init__(self) -> None:
        super().__init__()
        self.nodes: list[NodeItem] = []
        self._shown: Neighbours | None = None
        self._is_fitted = True
        self._pressed_at = QPoint()
        self._drawn = QRectF(0, 0, NODE_WIDTH, ROW_HEIGHT)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.name()

    def show_neighbours(self, found: Neighbours) -> None:
        """Draw the neighbors. The same document keeps its zoom and selection."""
        is_same = self._shown is not None and self._shown.document_id == found.document_id
        chosen = self.current.document_id if is_same and self.current is not None else None
        self._shown = found
        scene, positions = self.scene(), placed(found)
        self.nodes = []
        self.clear()
        for each in found.around:
            x, y = positions[each.document_id]
            node = NodeItem(each.title, each, QPointF(x * NODE_WIDTH, y * ROW_HEIGHT))
            scene.addItem(LinkItem(node, each.way))
            scene.addItem(node)
            self.nodes.append(node)
        scene.addItem(NodeItem(found.title, None, QPointF(0, 0)))
        captions = (
            (self.tr("Links here"), found.of(Way.IN)),
            (self.tr("Linked from here"), found.of(Way.OUT, Way.BOTH)),
            (self.tr("Shares terms"), found.of(Way.RELATED)),
        )
        for text, group in captions:
            ids = {each.document_id for each in group}
            places = [node.pos() for node in self.nodes if node.neighbour and node.neighbour.document_id in ids]
            if places:
                above = min(places, key=lambda place: place.y()) - QPointF(0, ROW_HEIGHT * 0.8)
                scene.addItem(CaptionItem(text, above, AREA, Qt.AlignmentFlag.AlignCenter, scale=0.88))
        # Leave room around the drawing, so that every part can be panned to the center.
        room = NODE_WIDTH * 2
        self._drawn = scene.itemsBoundingRect().adjusted(-M, -M, M, M)
        scene.setSceneRect(self._drawn.adjusted(-room, -room, room, room))
        self.name()
        for node in self.nodes:
            node.setSelected(node.neighbour is not None and node.neighbour.document_id == chosen)
        if not is_same or self._is_fitted:
            self.fit()

    @property
    def current(self) -> Neighbour | None:
        return next((node.neighbour for node in self.nodes if node.isSelected()), None)

    def choose(self, place: int) -> None:
        """Select the page at an index in reading order and scroll to it."""
        self.choose_node(self.nodes[place])

    def open_chosen(self) -> None:
        if self.current is not None:
            self.opened.emit(self.current.document_id)

    def zoom(self, factor: float) -> None:
        """Zoom within bounds. The graph is no longer fitted to the view."""
        self._is_fitted = False
        super().zoom(factor)

    def show_everything(self) -> None:
        """Fit all pages, no matter how small."""
        self.fit(self.smallest)

    def fit(self, smallest: float = FIT_SMALLEST) -> None:
        """Show everything, but neither unreadably small nor enlarged."""
        drawn, room = self._drawn, self.viewport().rect()
        fitting = min(1.0, room.width() / drawn.width(), room.height() / drawn.height())
        self.resetTransform()
        self.scale(max(smallest, fitting), max(smallest, fitting))
        self.centerOn(drawn.center())
        self._is_fitted = True

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_fitted:
            self.fit()

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        self.zoom_by_wheel(event)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._pressed_at = event.position().toPoint()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        moved = (event.position().toPoint() - self._pressed_at).manhattanLength()
        self._is_fitted = self._is_fitted and moved < QApplication.startDragDistance()

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.nodes and self.current is None:
            if event.reason() is Qt.FocusReason.TabFocusReason:
                self.choose(0)
            elif event.reason() is Qt.FocusReason.BacktabFocusReason:
                self.choose(len(self.nodes) - 1)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Let Tab move from page to page and leave the view after the last one."""
        here = [place for place, node in enumerate(self.nodes) if node.isSelected()]
        place = here[0] + (1 if next else -1) if here else (0 if next else -1)
        if 0 <= place < len(self.nodes):
            self.choose(place)
            return True
        self.scene().clearSelection()
        return super().focusNextPrevChild(next)

    def words(self) -> tuple[str, str]:
        """Return the selected page and a summary."""
        current, summary = self.current, summary_text(self._shown) if self._shown is not None else ""
        return description(current) if current is not None else self.tr("Neighbors of the page"), summary


def _head(tip: QPointF, side: int) -> QtGui.QPolygonF:
    """Return an arrow head that points to the right (1) or left (-1)."""
    back = tip.x() - side * ARROW
    return QtGui.QPolygonF([tip, QPointF(back, tip.y() - ARROW / 2), QPointF(back, tip.y() + ARROW / 2)])
