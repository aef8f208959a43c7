"""Drawing of how an answer was found: the requested pages at the left, the pages of each link-following round to their right.

Pages keep their position; new ones are added below and to the right. Painting uses the current color scheme.
"""

from __future__ import annotations

from math import inf
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal

from app.desktop.models import traces
from app.desktop.models.jobs import cause_text, kind_of
from app.desktop.models.traces import Trace
from app.desktop.pages.graph_canvas import CaptionItem, GraphCanvas, GraphLine, GraphNode, curve, outline
from app.desktop.theme import colours, draw_share, draw_words, pixmap, scaled_font
from app.desktop.tokens import M, S
from app.desktop.wording import counted, duration, number, percent, plain_address, plain_tip
from app.events import PageTraced, RoundTraced

NODE_WIDTH, NODE_HEIGHT = 232.0, 50.0
COLUMN_WIDTH, ROW_HEIGHT = 276.0, 58.0
ICON: Final = 16
BAR_WIDTH, BAR_HEIGHT = 40.0, 4.0
WORDS_SCALE: Final = 0.85
HEAD: Final = 26.0  # Space between the heading of a column and its first page.


class PageItem(GraphNode):
    """Page with its outcome. Its position never changes."""

    def __init__(self, page: PageTraced, place: QPointF) -> None:
        super().__init__(place)
        self.page = page
        self.passages = 0

    def show_page(self, page: PageTraced, passages: int) -> None:
        """Draw the current state of the page, which contributes `passages` to the answer."""
        self.page, self.passages = page, passages
        self.setToolTip(plain_tip(f"{traces.page_name(page)}\n{page.url}\n{traces.page_facts(page, passages)}"))
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(-2, -2, NODE_WIDTH + 4, NODE_HEIGHT + 4)

    def paint(self, painter: QtGui.QPainter, *_more: object) -> None:
        painter.setPen(self._edge())
        painter.setBrush(QtGui.QColor(self._fill()))
        painter.drawRoundedRect(QRectF(0, 0, NODE_WIDTH, NODE_HEIGHT), 8, 8)
        name, role = traces.state_mark(self.page.state)
        ratio = painter.device().devicePixelRatioF() * max(1.0, painter.worldTransform().m11())
        painter.drawPixmap(QPointF(S + 2, 8), pixmap(name, ICON, role, ratio=ratio))
        inner = QRectF(S + ICON + S + 2, 5, NODE_WIDTH - ICON - 3 * S - 6, NODE_HEIGHT - 10)
        is_quiet = self.page.state in (traces.WAITING, traces.FAILED, traces.SKIPPED)
        mode = Qt.TextElideMode.ElideRight if self.page.title else Qt.TextElideMode.ElideLeft
        colour, top = colours().muted if is_quiet else colours().text, Qt.AlignmentFlag.AlignTop
        draw_words(
            painter,
            inner,
            traces.page_name(self.page),
            colour,
            top,
            mode,
            scale=0.95,
            bold=self.page.state == traces.USED,
        )
        self._paint_words(painter, inner)

    def _paint_words(self, painter: QtGui.QPainter, inner: QRectF) -> None:
        """Paint the outcome at the left, relevance and duration at the right."""
        share = self.page.relevance if self.page.relevance is not None else self.page.promise
        time = duration(self.page.duration_ms) if self.page.duration_ms else ""
        corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        right = draw_words(painter, inner, time, colours().muted, corner, scale=0.85)
        if share is not None:
            right += BAR_WIDTH + S
            height = QtGui.QFontMetricsF(painter.font()).height()
            track = QRectF(inner.right() - right, inner.bottom() - height / 2 - 2, BAR_WIDTH, BAR_HEIGHT)
            # Muted while only the score of the link is known.
            colour = colours().accent if self.page.relevance is not None else colours().muted
            draw_share(
                painter, track, max(share, 0.01), colours().success if self.page.state == traces.USED else colour
            )
        _, role = traces.state_mark(self.page.state)
        is_unread = self.page.state in (traces.FAILED, traces.SKIPPED) and self.page.reason
        words = cause_text(kind_of(self.page.reason)) if is_unread else traces.state_text(self.page, self.passages)
        room = inner.adjusted(0, 0, -right - S, 0)
        draw_words(painter, room, words, getattr(colours(), role), Qt.AlignmentFlag.AlignBottom)

    def _edge(self) -> QtGui.QPen:
        scheme, state = colours(), self.page.state
        if self.isSelected():
            return outline(scheme.accent, 2)
        colour = (
            scheme.success
            if state == traces.USED
            else scheme.accent
            if state == traces.READING
            else scheme.strong_border
        )
        return outline(colour, is_dashed=state == traces.WAITING)

    def _fill(self) -> str:
        scheme = colours()
        if self.isSelected():
            return scheme.accent_soft
        if self.is_hovered:
            return scheme.hover
        return {traces.USED: scheme.success_soft, traces.FAILED: scheme.sunken, traces.SKIPPED: scheme.sunken}.get(
            self.page.state, scheme.surface
        )


class WayItem(GraphLine):
    """Curve for the link that led from one page to another."""

    def __init__(self, source: PageItem, target: PageItem) -> None:
        start = source.pos() + QPointF(NODE_WIDTH, NODE_HEIGHT / 2)
        super().__init__(curve(start, target.pos() + QPointF(0, NODE_HEIGHT / 2), 0.5), source, target)
        self._target = target

    def paint(self, painter: QtGui.QPainter, *_more: object) -> None:
        scheme, state, is_chosen = colours(), self._target.page.state, self.is_chosen
        colour = scheme.accent if is_chosen else scheme.success if state == traces.USED else scheme.strong_border
        is_dashed = state in (traces.WAITING, traces.FAILED, traces.SKIPPED)
        self.draw(painter, colour, is_wide=is_chosen or state == traces.USED, is_dashed=is_dashed)


class TraceView(GraphCanvas):
    """Draws a trace and updates it as it grows. `opened` is emitted on Enter or double click on a page."""

    opened = Signal()
    menu_wanted = Signal(object)  # Global position for the menu of the selected page.

    def __init__(self) -> None:
        super().__init__()
        self.pages: dict[str, PageItem] = {}
        self._shown: Trace | None = None
        self._filled: dict[int, int] = {}
        self._told: set[int] = set()
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.name()

    @property
    def current(self) -> PageTraced | None:
        return next((item.page for item in self.pages.values() if item.isSelected()), None)

    def show_trace(self, trace: Trace | None) -> None:
        """Draw a trace, or the new pages of the current one."""
        is_other, at_top = trace is not self._shown, self._is_at_top()
        if trace is None or is_other:
            self.pages, self._filled, self._told = {}, {}, set()
            self.clear()
            self.scene().setSceneRect(QRectF())
            self.resetTransform()
        self._shown = trace
        if trace is not None:
            columns = len(self._filled)
            for page in trace.pages.values():
                item = self.pages.get(page.url) or self._added(page)
                item.show_page(page, len(trace.ranges(page.url)))
            for each in trace.rounds.values():
                if each.round not in self._told and self._filled.get(each.round):
                    self._told.add(each.round)
                    if each.passed_over:
                        self._add_passed_over(each)
            self.scene().update()
            self.scene().setSceneRect(self.scene().itemsBoundingRect().adjusted(-S, -S, S, S))
            self._stay(at_top or is_other)
            if len(self._filled) > columns:
                # Scroll to the right as far as a new column needs, never vertically.
                right = self.mapFromScene(QPointF(max(self._filled) * COLUMN_WIDTH + NODE_WIDTH, 0)).x()
                hidden = right + M - self.viewport().width()
                if hidden > 0:
                    bar = self.horizontalScrollBar()
                    bar.setValue(bar.value() + hidden)
        self.name()

    def choose(self, url: str) -> None:
        self.choose_node(self.pages[url])

    def open_chosen(self) -> None:
        self.opened.emit()

    def show_everything(self) -> None:
        """Reset the zoom. Columns are reached by scrolling."""
        self.resetTransform()

    def go(self, direction: QPointF) -> None:
        """Select the nearest page in a direction, or the first one if none is selected."""
        node = self.chosen_node
        start, least = (node.pos(), 1.0) if node is not None else (-direction, -inf)
        best = self.nearest(direction, start, least)
        if best is not None:
            self.choose_node(best)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        is_at_top = self._is_at_top()
        super().resizeEvent(event)
        self._stay(is_at_top)

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        is_at_top = self._is_at_top()
        super().showEvent(event)
        self._stay(is_at_top)

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by_wheel(event)
        else:
            super().wheelEvent(event)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        found = self.itemAt(event.pos())
        if isinstance(found, PageItem):
            self.choose(found.page.url)
        if self.current is not None:
            place: QPoint = event.globalPos()
            self.menu_wanted.emit(place)

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusInEvent(event)
        by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if by_key and self.pages and self.current is None:
            self.choose(next(iter(self.pages)))

    def _is_at_top(self) -> bool:
        return self.verticalScrollBar().value() <= self.verticalScrollBar().minimum()

    def _stay(self, at_top: bool) -> None:
        """Keep the view at the top. Qt scrolls towards the middle when the drawing or the view is resized."""
        if at_top:
            self.verticalScrollBar().setValue(self.verticalScrollBar().minimum())

    def _added(self, page: PageTraced) -> PageItem:
        place = self._filled.get(page.round, 0)
        if place == 0:
            known = self._shown.rounds.get(page.round) if self._shown is not None else None
            text = self.tr("Requested pages")
            if page.round:
                most = known.budget if known else page.round
                text = self.tr("Round {} of at most {}").format(number(page.round), number(most))
            self.scene().addItem(_words(text, QPointF(page.round * COLUMN_WIDTH, 0), bold=True))
        self._filled[page.round] = place + 1
        item = PageItem(page, QPointF(page.round * COLUMN_WIDTH, HEAD + place * ROW_HEIGHT))
        self.scene().addItem(item)
        self.pages[page.url] = item
        source = self.pages.get(page.source_url)
        if source is not None:
            self.scene().addItem(WayItem(source, item))
        return item

    def _add_passed_over(self, event: RoundTraced) -> None:
        """Add the links that were considered but not followed as one line below their column."""
        count = len(event.passed_over)
        text = counted(
            count, self.tr("1 more link considered, not followed"), self.tr("{} more links considered, not followed")
        )
        tip = "\n".join(f"{plain_address(url)}  ({percent(score)})" for url, score in event.passed_over)
        place = QPointF(event.round * COLUMN_WIDTH, HEAD + self._filled[event.round] * ROW_HEIGHT)
        self.scene().addItem(_words(text, place, tip))

    def words(self) -> tuple[str, str]:
        """Return the selected page and the progress."""
        page, shown, name = self.current, self._shown, self.tr("How the answer was found")
        if page is not None and shown is not None:
            name = f"{traces.page_name(page)}: {traces.page_facts(page, len(shown.ranges(page.url)))}"
        return name, traces.summary_text(shown) if shown is not None else ""


def _words(text: str, place: QPointF, tip: str = "", *, bold: bool = False) -> CaptionItem:
    """Create the text above or below a column."""
    height = QtGui.QFontMetricsF(scaled_font(WORDS_SCALE, bold=bold)).height() + 2
    side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    made = CaptionItem(text, place, QRectF(0, 0, NODE_WIDTH, height), side, scale=WORDS_SCALE, bold=bold)
    made.setToolTip(plain_tip(tip) if tip else "")
    return made
