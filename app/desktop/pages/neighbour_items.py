"""What the neighbour graph is drawn of: pages as pills, links as arrows, captions. Colours are those in force when painted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsSceneHoverEvent, QStyleOptionGraphicsItem, QWidget

from app.desktop.models.neighbours import Way, told
from app.desktop.theme import colours, scaled_font
from app.desktop.tips import plain_tip
from app.desktop.tokens import S

if TYPE_CHECKING:
    from app.desktop.models.neighbours import Neighbour

NODE_WIDTH, NODE_HEIGHT, ROW_HEIGHT = 164.0, 30.0, 37.0
ARROW: Final = 8.0
GAP: Final = 3.0
"""Between an arrow and what it points to."""
LINES, CHOSEN_LINE, NODES = 0.0, 0.5, 1.0
"""Which items lie above which."""


class NodeItem(QGraphicsItem):
    """A page. Without a neighbour it is the one in the middle."""

    def __init__(self, title: str, neighbour: Neighbour | None, place: QPointF) -> None:
        super().__init__()
        self.neighbour = neighbour
        self._title = title
        self._hovered = False
        self.setPos(place)
        self.setZValue(NODES)
        if neighbour is not None:
            self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
            self.setAcceptHoverEvents(True)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setToolTip(plain_tip(told(neighbour)))
        else:
            self.setToolTip(plain_tip(title))

    def boundingRect(self) -> QRectF:
        return self.area().adjusted(-2, -2, 2, 2)

    def area(self) -> QRectF:
        """The pill in the item's own coordinates."""
        return QRectF(-NODE_WIDTH / 2, -NODE_HEIGHT / 2, NODE_WIDTH, NODE_HEIGHT)

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        scheme = colours()
        is_centre, is_related = self.neighbour is None, self.neighbour is not None and self.neighbour.way is Way.RELATED
        fill = scheme.accent if is_centre else scheme.accent_soft if self.isSelected() else scheme.surface
        if self._hovered and not self.isSelected():
            fill = scheme.hover
        edge = scheme.accent if is_centre or self.isSelected() else scheme.strong_border
        pen = QPen(QColor(edge), 2 if self.isSelected() else 1)
        if is_related and not self.isSelected():
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(QColor(fill))
        painter.drawRoundedRect(self.area(), 8, 8)
        painter.setFont(scaled_font(0.95, bold=is_centre))
        painter.setPen(QColor(scheme.on_accent if is_centre else scheme.text))
        inner = self.area().adjusted(S + 2, 0, -S - 2, 0)
        shown = QFontMetricsF(painter.font()).elidedText(self._title, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignCenter, shown)

    def hoverEnterEvent(self, _event: QGraphicsSceneHoverEvent) -> None:
        self._set_hovered(True)

    def hoverLeaveEvent(self, _event: QGraphicsSceneHoverEvent) -> None:
        self._set_hovered(False)

    def _set_hovered(self, on: bool) -> None:
        self._hovered = on
        self.update()


class LinkItem(QGraphicsItem):
    """A line between the middle and a node, with an arrow where the link leads; dashed where there is no link."""

    def __init__(self, node: NodeItem, way: Way) -> None:
        super().__init__()
        self.node = node
        self._way = way
        self.setZValue(LINES)
        self._heads = QPolygonF(), QPolygonF()
        self._line = self._upright() if way is Way.RELATED else self._curve()

    def boundingRect(self) -> QRectF:
        return self._line.boundingRect().adjusted(-ARROW, -ARROW, ARROW, ARROW)

    def follow(self) -> None:
        """Lie above the other lines while the page is chosen."""
        self.setZValue(CHOSEN_LINE if self.node.isSelected() else LINES)
        self.update()

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        scheme = colours()
        colour = QColor(scheme.accent if self.node.isSelected() else scheme.muted)
        pen = QPen(colour, 2 if self.node.isSelected() else 1)
        if self._way is Way.RELATED:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self._line)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for head in self._heads:
            painter.drawPolygon(head)

    def _curve(self) -> QPainterPath:
        """Leaves both ends level, so that arrows lie level too."""
        side = 1 if self.node.pos().x() > 0 else -1
        middle = QPointF(side * (NODE_WIDTH / 2 + GAP), 0)
        far = QPointF(self.node.pos().x() - side * (NODE_WIDTH / 2 + GAP), self.node.pos().y())
        to_middle, to_node = self._way in (Way.IN, Way.BOTH), self._way in (Way.OUT, Way.BOTH)
        self._heads = (_head(middle, -side) if to_middle else QPolygonF(), _head(far, side) if to_node else QPolygonF())
        start = middle + QPointF(side * ARROW if to_middle else 0, 0)
        end = far - QPointF(side * ARROW if to_node else 0, 0)
        bend = QPointF((end.x() - start.x()) * 0.55, 0)
        line = QPainterPath(start)
        line.cubicTo(start + bend, end - bend, end)
        return line

    def _upright(self) -> QPainterPath:
        side = 1 if self.node.pos().y() > 0 else -1
        line = QPainterPath(QPointF(0, side * NODE_HEIGHT / 2))
        line.lineTo(self.node.pos() - QPointF(0, side * NODE_HEIGHT / 2))
        return line


class CaptionItem(QGraphicsItem):
    """Muted words over a group of nodes."""

    def __init__(self, text: str, place: QPointF) -> None:
        super().__init__()
        self._text = text
        self.setPos(place)

    def boundingRect(self) -> QRectF:
        return QRectF(-NODE_WIDTH / 2, -NODE_HEIGHT / 2, NODE_WIDTH, NODE_HEIGHT)

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        painter.setFont(scaled_font(0.88, bold=True))
        painter.setPen(QColor(colours().muted))
        painter.drawText(self.boundingRect(), Qt.AlignmentFlag.AlignCenter, self._text)


def _head(tip: QPointF, side: int) -> QPolygonF:
    """An arrow head that points to the right (1) or left (-1)."""
    back = tip.x() - side * ARROW
    return QPolygonF([tip, QPointF(back, tip.y() - ARROW / 2), QPointF(back, tip.y() + ARROW / 2)])
