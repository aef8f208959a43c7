"""What is drawn around the text of a page: boxes of code and pictures, bars of quotations, markers of lists, rules."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTextBlock, QTextDocument

from app.desktop.preview_looks import (
    BOX,
    BOX_PADDING,
    EDGE_PROPERTY,
    KIND_PROPERTY,
    MARKER_PROPERTY,
    PICTURE,
    QUOTES_PROPERTY,
    RULE,
)
from app.desktop.theme import colours

RADIUS, BAR = 7.0, 3.0


def visible_blocks(document: QTextDocument, top: float, bottom: float) -> Iterator[tuple[QTextBlock, QRectF]]:
    """The blocks between two heights of the document, with where they are laid out."""
    layout = document.documentLayout()
    place = layout.hitTest(QPointF(0, top), Qt.HitTestAccuracy.FuzzyHit)
    block = document.findBlock(max(0, place))
    while block.isValid():
        area = layout.blockBoundingRect(block)
        if area.top() > bottom + 2 * BOX_PADDING:
            return
        yield block, area
        block = block.next()


def paint_around(painter: QPainter, document: QTextDocument, view: QRectF) -> None:
    """Paint what belongs to the blocks in view; the painter has the coordinates of the document."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    margin = document.documentMargin()
    box: tuple[QRectF, str, int] | None = None
    for block, area in visible_blocks(document, view.top(), view.bottom()):
        look = block.blockFormat()
        kind = look.property(KIND_PROPERTY)
        left = margin + look.leftMargin()
        if look.hasProperty(QUOTES_PROPERTY):
            _paint_bars(painter, block, area, str(look.property(QUOTES_PROPERTY)), margin)
        if look.hasProperty(MARKER_PROPERTY):
            _paint_marker(painter, block, area, str(look.property(MARKER_PROPERTY)), left)
        if kind == RULE:
            painter.setPen(QPen(QColor(colours().border), 1))
            painter.drawLine(QPointF(left, area.center().y()), QPointF(view.right() - margin, area.center().y()))
        elif kind in (BOX, PICTURE):
            right = view.right() - margin
            edges = look.intProperty(EDGE_PROPERTY)
            here = QRectF(left - BOX_PADDING, area.top(), right - left + BOX_PADDING, area.height())
            here.adjust(0, -BOX_PADDING if edges & 1 else 0, 0, BOX_PADDING if edges & 2 else 0)
            if box is not None and not edges & 1:
                box = (box[0].united(here), box[1], box[2] | edges)
            else:
                _paint_box(painter, box)
                box = (here, kind, edges)
            continue
        _paint_box(painter, box)
        box = None
    _paint_box(painter, box)


def _paint_box(painter: QPainter, box: tuple[QRectF, str, int] | None) -> None:
    if box is None:
        return
    area, kind, edges = box
    scheme = colours()
    # What begins or ends out of view goes on beyond it.
    area.adjust(0, 0 if edges & 1 else -40, 0, 0 if edges & 2 else 40)
    if kind == PICTURE:
        painter.setPen(QPen(QColor(scheme.strong_border), 1, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    else:
        painter.setPen(QPen(QColor(scheme.border), 1))
        painter.setBrush(QColor(scheme.sunken))
    painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)


def _paint_marker(painter: QPainter, block: QTextBlock, area: QRectF, marker: str, left: float) -> None:
    """The bullet or number before the first line, as far left as its width asks for."""
    line = block.layout().lineAt(0) if block.layout().lineCount() else None
    font = block.charFormat().font()
    painter.setFont(font)
    painter.setPen(QColor(colours().muted))
    ascent = line.ascent() if line is not None and line.isValid() else painter.fontMetrics().ascent()
    width = painter.fontMetrics().horizontalAdvance(marker)
    painter.drawText(QPointF(left - width - 7, area.top() + (line.y() if line is not None else 0) + ascent), marker)


def _paint_bars(painter: QPainter, block: QTextBlock, area: QRectF, lefts: str, margin: float) -> None:
    """One for each quotation; without a gap to the next block in the same one."""
    following = str(block.next().blockFormat().property(QUOTES_PROPERTY) or "")
    below = block.document().documentLayout().blockBoundingRect(block.next()).top()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours().strong_border))
    for left in lefts.split(","):
        bottom = below + 1 if left in following.split(",") else area.bottom() + 2
        painter.drawRoundedRect(
            QRectF(margin + float(left) + 2, area.top() - 2, BAR, bottom - area.top() + 2), 1.5, 1.5
        )
