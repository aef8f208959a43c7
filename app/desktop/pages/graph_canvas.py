"""A canvas of pages and links: the mouse or arrow keys select nodes, and the view zooms and pans.

Uses the current theme colors when painted.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from PySide6 import QtGui, QtWidgets
from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, Qt, Signal

from app.desktop.theme import colours, draw_words, scaled_font, theme
from app.desktop.tokens import M

LINES, CHOSEN_LINE, NODES = 0.0, 0.5, 1.0  # The stacking order of items.
STEP: Final = 1.2
WHEEL_NOTCH: Final = 120
_ARROWS: Final = {
    Qt.Key.Key_Left: QPointF(-1, 0),
    Qt.Key.Key_Right: QPointF(1, 0),
    Qt.Key.Key_Up: QPointF(0, -1),
    Qt.Key.Key_Down: QPointF(0, 1),
}


class GraphNode(QtWidgets.QGraphicsItem):
    """A node that can be selected, unless it is fixed, and tracks the mouse."""

    def __init__(self, place: QPointF, *, is_fixed: bool = False) -> None:
        super().__init__()
        self.is_hovered, self.is_fixed = False, is_fixed
        self.setPos(place)
        self.setZValue(NODES)
        if not is_fixed:
            self.setFlag(QtWidgets.QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
            self.setAcceptHoverEvents(True)
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def hoverEnterEvent(self, _event: QtWidgets.QGraphicsSceneHoverEvent) -> None:
        self.is_hovered = True
        self.update()

    def hoverLeaveEvent(self, _event: QtWidgets.QGraphicsSceneHoverEvent) -> None:
        self.is_hovered = False
        self.update()


class GraphLine(QtWidgets.QGraphicsItem):
    """A line with `room` around it, raised above the others while one of its ends is selected."""

    def __init__(self, line: QtGui.QPainterPath, *ends: GraphNode, room: float = 2) -> None:
        super().__init__()
        self._path, self._ends, self._room = line, ends, room
        self.setZValue(LINES)

    @property
    def is_chosen(self) -> bool:
        return any(end.isSelected() for end in self._ends)

    def boundingRect(self) -> QRectF:
        return self._path.boundingRect().adjusted(-self._room, -self._room, self._room, self._room)

    def follow(self) -> None:
        """Follow the selection of its ends."""
        self.setZValue(CHOSEN_LINE if self.is_chosen else LINES)
        self.update()

    def draw(self, painter: QtGui.QPainter, colour: str, *, is_wide: bool, is_dashed: bool) -> None:
        painter.setPen(outline(colour, 2 if is_wide else 1, is_dashed=is_dashed))
        painter.drawPath(self._path)


def outline(colour: str, width: int = 1, *, is_dashed: bool = False) -> QtGui.QPen:
    return QtGui.QPen(QtGui.QColor(colour), width, Qt.PenStyle.DashLine if is_dashed else Qt.PenStyle.SolidLine)


def curve(start: QPointF, end: QPointF, bend: float) -> QtGui.QPainterPath:
    """Return a curve with horizontal ends."""
    line, side = QtGui.QPainterPath(start), QPointF((end.x() - start.x()) * bend, 0)
    line.cubicTo(start + side, end - side, end)
    return line


class CaptionItem(QtWidgets.QGraphicsItem):
    """A muted caption in an area in item coordinates."""

    def __init__(
        self, text: str, place: QPointF, area: QRectF, side: Qt.AlignmentFlag, *, scale: float, bold: bool = True
    ) -> None:
        super().__init__()
        self.text = text
        self._area, self._side, self._scale, self._bold = area, side, scale, bold
        self.setPos(place)

    def boundingRect(self) -> QRectF:
        return self._area

    def paint(self, painter: QtGui.QPainter, *_more: object) -> None:
        painter.setFont(scaled_font(self._scale, bold=self._bold))
        draw_words(painter, self._area, self.text, colours().muted, self._side)


class GraphCanvas(QtWidgets.QGraphicsView):
    """The view. Subclasses open nodes, describe the graph and show everything."""

    chosen = Signal()  # Emits when the selection has changed.
    smallest, largest = 0.5, 2.0

    def __init__(self) -> None:
        super().__init__()
        self.setScene(QtWidgets.QGraphicsScene(self))
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        self.setDragMode(QtWidgets.QGraphicsView.DragMode.ScrollHandDrag)
        self.setTransformationAnchor(QtWidgets.QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        self.scene().selectionChanged.connect(self._selection_changed)
        theme().changed.connect(self.scene().update)

    @property
    def selectable(self) -> list[GraphNode]:
        """The selectable nodes in the order in which they were added."""
        items = self.scene().items(Qt.SortOrder.AscendingOrder)
        return [item for item in items if isinstance(item, GraphNode) and not item.is_fixed]

    @abstractmethod
    def open_chosen(self) -> None:
        """Open the selected node, if any."""

    @abstractmethod
    def words(self) -> tuple[str, str]:
        """Return name and description for screen readers."""

    @abstractmethod
    def show_everything(self) -> None:
        """Show everything; called by the key 0."""

    def go(self, direction: QPointF) -> None:
        """Select the nearest node in a direction (a unit vector), starting from the selected node or the center."""
        node = self.chosen_node
        best = self.nearest(direction, node.pos() if node is not None else QPointF(0, 0), 1)
        if best is not None:
            self.choose_node(best)

    def _selection_changed(self) -> None:
        for item in self.scene().items():
            if isinstance(item, GraphLine):
                item.follow()
        self.name()
        self.chosen.emit()

    def clear(self) -> None:
        # Clear the selection first: its listeners would meet a half-cleared scene.
        self.scene().clearSelection()
        self.scene().clear()

    @property
    def chosen_node(self) -> GraphNode | None:
        return next((node for node in self.selectable if node.isSelected()), None)

    def choose_node(self, node: GraphNode) -> None:
        """Select a node and scroll to it. Emits `chosen` once, or not at all if the node is selected already."""
        if not node.isSelected():
            with QSignalBlocker(self.scene()):
                self.scene().clearSelection()
            node.setSelected(True)
        self.ensureVisible(node, M, M)

    def nearest(self, direction: QPointF, start: QPointF, least: float) -> GraphNode | None:
        """Return the nearest node in a direction with a minimum distance along it; lateral distance counts double."""
        best, shortest = None, float("inf")
        for node in self.selectable:
            step = node.pos() - start
            along = QPointF.dotProduct(step, direction)
            aside = abs(step.x() * direction.y()) + abs(step.y() * direction.x())
            if along > least and along + 2 * aside < shortest:
                best, shortest = node, along + 2 * aside
        return best

    def zoom(self, factor: float) -> None:
        now = self.transform().m11()
        wanted = min(self.largest, max(self.smallest, now * factor))
        self.scale(wanted / now, wanted / now)

    def zoom_by_key(self, factor: float) -> None:
        """Zoom by key, around the center instead of the mouse."""
        self.setTransformationAnchor(QtWidgets.QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.zoom(factor)
        self.setTransformationAnchor(QtWidgets.QGraphicsView.ViewportAnchor.AnchorUnderMouse)

    def zoom_by_wheel(self, event: QtGui.QWheelEvent) -> None:
        self.zoom(STEP ** (event.angleDelta().y() / WHEEL_NOTCH))
        event.accept()

    def name(self) -> None:
        """Set the screen reader text."""
        name, description = self.words()
        self.setAccessibleName(name)
        self.setAccessibleDescription(description)
        QtGui.QAccessible.updateAccessibility(QtGui.QAccessibleEvent(self, QtGui.QAccessible.Event.NameChanged))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _ARROWS:
            self.go(_ARROWS[key])
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by_key(STEP)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self.zoom_by_key(1 / STEP)
        elif key == Qt.Key.Key_0:
            self.show_everything()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.chosen_node is not None:
            self.open_chosen()
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        found = self.itemAt(event.position().toPoint())
        if isinstance(found, GraphNode) and not found.is_fixed:
            self.choose_node(found)
            self.open_chosen()
        else:
            super().mouseDoubleClickEvent(event)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
