"""The way of a question on the screen: named pages at the left, what each round of following links read to the right of them.

Nothing that is drawn moves: a page keeps the place it was given, and new ones are added below and to the right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsScene, QGraphicsView

from app.desktop.models.trails import page_facts, page_name, percent, summary_text
from app.desktop.pages.activity_trail_items import (
    COLUMN_WIDTH,
    NODE_WIDTH,
    ROW_HEIGHT,
    PageItem,
    WayItem,
    WordsItem,
)
from app.desktop.theme import theme
from app.desktop.tokens import M, S
from app.desktop.wording import counted, number, plain_address

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from app.desktop.models.trails import Trail
    from app.events import PageTold, RoundTold

SMALLEST, LARGEST = 0.5, 2.0
STEP: Final = 1.2
WHEEL_NOTCH: Final = 120
HEAD: Final = 26.0
"""Between the words over a column and its first page."""
_ARROWS: Final = {
    Qt.Key.Key_Left: QPointF(-1, 0),
    Qt.Key.Key_Right: QPointF(1, 0),
    Qt.Key.Key_Up: QPointF(0, -1),
    Qt.Key.Key_Down: QPointF(0, 1),
}


class TrailView(QGraphicsView):
    """Draws a trail and follows it as it grows. `opened` follows Enter and double click on a page."""

    opened = Signal()
    chosen = Signal()
    """Another page was chosen, or none."""
    menu_wanted = Signal(object)
    """The global place of a click for the menu of the chosen page."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: dict[str, PageItem] = {}
        self._shown: Trail | None = None
        self._filled: dict[int, int] = {}
        self._told: set[int] = set()
        self._ways: list[WayItem] = []
        self.setScene(QGraphicsScene(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        self.scene().selectionChanged.connect(self._selection_changed)
        theme().changed.connect(self.scene().update)
        self._name()

    @property
    def current(self) -> PageTold | None:
        """The chosen page."""
        return next((item.page for item in self.pages.values() if item.isSelected()), None)

    def show_trail(self, trail: Trail | None) -> None:
        """Draw a trail, or what is new in the one that is drawn."""
        is_other, at_top = trail is not self._shown, self._is_at_top()
        if trail is None or is_other:
            self._clear()
        self._shown = trail
        if trail is not None:
            self._grow(trail, at_top=at_top or is_other)
        self._name()

    def choose(self, url: str) -> None:
        """Choose a page and bring it into view."""
        self.scene().clearSelection()
        self.pages[url].setSelected(True)
        self.ensureVisible(self.pages[url], M, M)

    def zoom(self, factor: float) -> None:
        """Enlarge or shrink, within bounds."""
        now = self.transform().m11()
        wanted = min(LARGEST, max(SMALLEST, now * factor))
        self.scale(wanted / now, wanted / now)

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_at_top = self._is_at_top()
        super().resizeEvent(event)
        self._stay(is_at_top)

    def showEvent(self, event: QShowEvent) -> None:
        is_at_top = self._is_at_top()
        super().showEvent(event)
        self._stay(is_at_top)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _ARROWS:
            self._go(_ARROWS[key])
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(STEP)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self.zoom(1 / STEP)
        elif key == Qt.Key.Key_0:
            self.resetTransform()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(STEP ** (event.angleDelta().y() / WHEEL_NOTCH))
            event.accept()
        else:
            super().wheelEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if isinstance(self.itemAt(event.position().toPoint()), PageItem):
            self.opened.emit()
        else:
            super().mouseDoubleClickEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        found = self.itemAt(event.pos())
        if isinstance(found, PageItem):
            self.choose(found.page.url)
        if self.current is not None:
            place: QPoint = event.globalPos()
            self.menu_wanted.emit(place)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if by_key and self.pages and self.current is None:
            self.choose(next(iter(self.pages)))

    def _is_at_top(self) -> bool:
        return self.verticalScrollBar().value() <= self.verticalScrollBar().minimum()

    def _stay(self, at_top: bool) -> None:
        """Qt scrolls towards the middle where the drawing or the view changes its size."""
        if at_top:
            self.verticalScrollBar().setValue(self.verticalScrollBar().minimum())

    def _clear(self) -> None:
        # While the scene is cleared nobody may be told of a choice: half of the items are gone then.
        self.scene().clearSelection()
        self.pages, self._filled, self._told, self._ways = {}, {}, set(), []
        self.scene().clear()
        self.scene().setSceneRect(QRectF())
        self.resetTransform()

    def _grow(self, trail: Trail, *, at_top: bool) -> None:
        columns = len(self._filled)
        for page in trail.pages.values():
            item = self.pages.get(page.url) or self._added(page)
            item.show_page(page, len(trail.ranges(page.url)))
        for each in trail.rounds.values():
            if each.round not in self._told and self._filled.get(each.round):
                self._told.add(each.round)
                self._add_passed_over(each)
        for way in self._ways:
            way.update()
        self.scene().setSceneRect(self.scene().itemsBoundingRect().adjusted(-S, -S, S, S))
        self._stay(at_top)
        if len(self._filled) > columns:
            self._reveal(max(self._filled))

    def _reveal(self, column: int) -> None:
        """Scroll to the right as far as a new column needs, never up or down."""
        hidden = self.mapFromScene(QPointF(column * COLUMN_WIDTH + NODE_WIDTH, 0)).x() + M - self.viewport().width()
        if hidden > 0:
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() + hidden)

    def _added(self, page: PageTold) -> PageItem:
        place = self._filled.get(page.round, 0)
        if place == 0:
            self._add_head(page.round)
        self._filled[page.round] = place + 1
        item = PageItem(page, QPointF(page.round * COLUMN_WIDTH, HEAD + place * ROW_HEIGHT))
        self.scene().addItem(item)
        self.pages[page.url] = item
        source = self.pages.get(page.source_url)
        if source is not None:
            way = WayItem(source, item)
            self._ways.append(way)
            self.scene().addItem(way)
        return item

    def _add_head(self, column: int) -> None:
        known = self._shown.rounds.get(column) if self._shown is not None else None
        text = self.tr("Pages asked about")
        if column:
            text = self.tr("Round {} of at most {}").format(number(column), number(known.budget if known else column))
        self.scene().addItem(WordsItem(text, QPointF(column * COLUMN_WIDTH, 0), bold=True))

    def _add_passed_over(self, told: RoundTold) -> None:
        """The links that were looked at and not followed, as one line below their column."""
        if not told.passed_over:
            return
        count = len(told.passed_over)
        text = counted(
            count, self.tr("1 more link looked at, not followed"), self.tr("{} more links looked at, not followed")
        )
        tip = "\n".join(f"{plain_address(url)}  ({percent(score)})" for url, score in told.passed_over)
        place = QPointF(told.round * COLUMN_WIDTH, HEAD + self._filled[told.round] * ROW_HEIGHT)
        self.scene().addItem(WordsItem(text, place, tip))

    def _go(self, way: QPointF) -> None:
        """Choose the nearest page in a direction, the first one when none is chosen."""
        current = next((item for item in self.pages.values() if item.isSelected()), None)
        best, nearest = "", float("inf")
        for url, item in self.pages.items():
            step = item.pos() - current.pos() if current is not None else item.pos() + way
            along = QPointF.dotProduct(step, way)
            aside = abs(step.x() * way.y()) + abs(step.y() * way.x())
            if (along > 1 or current is None) and along + 2 * aside < nearest:
                best, nearest = url, along + 2 * aside
        if best:
            self.choose(best)

    def _selection_changed(self) -> None:
        for way in self._ways:
            way.follow()
        self._name()
        self.chosen.emit()

    def _name(self) -> None:
        """What a screen reader says: the chosen page, else how far it is."""
        page = self.current
        name = self.tr("How the answer was found")
        if page is not None and self._shown is not None:
            facts = page_facts(page, len(self._shown.ranges(page.url)))
            name = f"{page_name(page)}: {facts}"
        self.setAccessibleName(name)
        self.setAccessibleDescription(summary_text(self._shown) if self._shown is not None else "")
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.NameChanged))
