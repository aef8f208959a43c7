"""What the way of a question is drawn of: pages, the links between them, words over a column. Colours are those in force when painted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app.desktop.icons import pixmap
from app.desktop.models.job_causes import cause_text, kind_of
from app.desktop.models.trails import (
    FAILED,
    READING,
    SKIPPED,
    USED,
    WAITING,
    page_facts,
    page_name,
    state_mark,
    state_text,
)
from app.desktop.theme import colours, scaled_font
from app.desktop.tips import plain_tip
from app.desktop.tokens import S
from app.desktop.wording import duration

if TYPE_CHECKING:
    from app.events import PageTold

NODE_WIDTH, NODE_HEIGHT = 232.0, 50.0
COLUMN_WIDTH, ROW_HEIGHT = 276.0, 58.0
ICON: Final = 16
BAR_WIDTH, BAR_HEIGHT = 40.0, 4.0
LINES, CHOSEN_LINE, NODES = 0.0, 0.5, 1.0
"""Which items lie above which."""


class PageItem(QGraphicsItem):
    """A page with what became of it; its place never changes."""

    def __init__(self, page: PageTold, place: QPointF) -> None:
        super().__init__()
        self.page = page
        self.passages = 0
        self._hovered = False
        self.setPos(place)
        self.setZValue(NODES)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.setAcceptHoverEvents(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_page(self, page: PageTold, passages: int) -> None:
        """Draw the page as it is now; `passages` of it are in the answer."""
        self.page, self.passages = page, passages
        self.setToolTip(plain_tip(f"{page_name(page)}\n{page.url}\n{page_facts(page, passages)}"))
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(-2, -2, NODE_WIDTH + 4, NODE_HEIGHT + 4)

    def entrance(self) -> QPointF:
        """Where a line that leads here ends."""
        return self.pos() + QPointF(0, NODE_HEIGHT / 2)

    def exit(self) -> QPointF:
        """Where lines to other pages begin."""
        return self.pos() + QPointF(NODE_WIDTH, NODE_HEIGHT / 2)

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        painter.setPen(self._edge())
        painter.setBrush(QColor(self._fill()))
        painter.drawRoundedRect(QRectF(0, 0, NODE_WIDTH, NODE_HEIGHT), 8, 8)
        name, role = state_mark(self.page.state)
        ratio = painter.device().devicePixelRatioF() * max(1.0, painter.worldTransform().m11())
        painter.drawPixmap(QPointF(S + 2, 8), pixmap(name, ICON, role, ratio=ratio))
        inner = QRectF(S + ICON + S + 2, 5, NODE_WIDTH - ICON - 3 * S - 6, NODE_HEIGHT - 10)
        self._paint_title(painter, inner)
        self._paint_words(painter, inner)

    def _paint_title(self, painter: QPainter, inner: QRectF) -> None:
        is_quiet = self.page.state in (WAITING, FAILED, SKIPPED)
        painter.setFont(scaled_font(0.95, bold=self.page.state == USED))
        painter.setPen(QColor(colours().muted if is_quiet else colours().text))
        mode = Qt.TextElideMode.ElideRight if self.page.title else Qt.TextElideMode.ElideLeft
        shown = QFontMetricsF(painter.font()).elidedText(page_name(self.page), mode, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, shown)

    def _paint_words(self, painter: QPainter, inner: QRectF) -> None:
        """What became of it, on the right how well it fits and how long it took."""
        painter.setFont(scaled_font(0.85))
        metrics = QFontMetricsF(painter.font())
        share = self.page.relevance if self.page.relevance is not None else self.page.promise
        time = duration(self.page.duration_ms) if self.page.duration_ms else ""
        right = metrics.horizontalAdvance(time)
        painter.setPen(QColor(colours().muted))
        painter.drawText(inner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, time)
        if share is not None:
            right += BAR_WIDTH + S
            self._paint_bar(painter, QPointF(inner.right() - right, inner.bottom() - metrics.height() / 2 - 2), share)
        _, role = state_mark(self.page.state)
        painter.setPen(QColor(getattr(colours(), role)))
        is_unread = self.page.state in (FAILED, SKIPPED) and self.page.reason
        words = cause_text(kind_of(self.page.reason)) if is_unread else state_text(self.page, self.passages)
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, inner.width() - right - S)
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, shown)

    def _paint_bar(self, painter: QPainter, place: QPointF, share: float) -> None:
        """How well it fits; hollow while only its link was seen."""
        track = QRectF(place.x(), place.y(), BAR_WIDTH, BAR_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours().border))
        painter.drawRoundedRect(track, BAR_HEIGHT / 2, BAR_HEIGHT / 2)
        filled = QRectF(track)
        filled.setWidth(max(BAR_HEIGHT, BAR_WIDTH * min(1.0, share)))
        is_known = self.page.relevance is not None
        used = self.page.state == USED
        painter.setBrush(QColor(colours().success if used else colours().accent if is_known else colours().muted))
        painter.drawRoundedRect(filled, BAR_HEIGHT / 2, BAR_HEIGHT / 2)

    def _edge(self) -> QPen:
        scheme, state = colours(), self.page.state
        if self.isSelected():
            return QPen(QColor(scheme.accent), 2)
        pen = QPen(
            QColor(scheme.success if state == USED else scheme.accent if state == READING else scheme.strong_border)
        )
        if state == WAITING:
            pen.setStyle(Qt.PenStyle.DashLine)
        return pen

    def _fill(self) -> str:
        scheme = colours()
        if self.isSelected():
            return scheme.accent_soft
        if self._hovered:
            return scheme.hover
        return {USED: scheme.success_soft, FAILED: scheme.sunken, SKIPPED: scheme.sunken}.get(
            self.page.state, scheme.surface
        )

    def hoverEnterEvent(self, _event: object) -> None:
        self._hovered = True
        self.update()

    def hoverLeaveEvent(self, _event: object) -> None:
        self._hovered = False
        self.update()


class WayItem(QGraphicsItem):
    """The link that led from one page to another."""

    def __init__(self, source: PageItem, target: PageItem) -> None:
        super().__init__()
        self._source, self._target = source, target
        self.setZValue(LINES)
        start, end = source.exit(), target.entrance()
        bend = QPointF((end.x() - start.x()) * 0.5, 0)
        self._line = QPainterPath(start)
        self._line.cubicTo(start + bend, end - bend, end)

    def boundingRect(self) -> QRectF:
        return self._line.boundingRect().adjusted(-2, -2, 2, 2)

    def follow(self) -> None:
        """Lie above the other lines while one of its ends is chosen."""
        self.setZValue(CHOSEN_LINE if self._is_chosen else LINES)
        self.update()

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        scheme, state = colours(), self._target.page.state
        colour = scheme.accent if self._is_chosen else scheme.success if state == USED else scheme.strong_border
        pen = QPen(QColor(colour), 2 if self._is_chosen or state == USED else 1)
        if state in (WAITING, FAILED, SKIPPED):
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawPath(self._line)

    @property
    def _is_chosen(self) -> bool:
        return self._source.isSelected() or self._target.isSelected()


class WordsItem(QGraphicsItem):
    """Muted words over or below a column."""

    def __init__(self, text: str, place: QPointF, tip: str = "", *, bold: bool = False) -> None:
        super().__init__()
        self.text = text
        self._bold = bold
        self.setPos(place)
        self.setToolTip(plain_tip(tip) if tip else "")

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, NODE_WIDTH, QFontMetricsF(self._font()).height() + 2)

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        painter.setFont(self._font())
        painter.setPen(QColor(colours().muted))
        shown = QFontMetricsF(painter.font()).elidedText(self.text, Qt.TextElideMode.ElideRight, NODE_WIDTH)
        painter.drawText(self.boundingRect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _font(self) -> QFont:
        return scaled_font(0.85, bold=self._bold)
