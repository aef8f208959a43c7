"""Paints a search hit: rank, title and section, two lines of text, what matched, and the score as a bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app.desktop.flags import FLAG_MARK, text_flags
from app.desktop.language import spoken
from app.desktop.models.details import section_of
from app.desktop.models.rows import ROW_ROLE
from app.desktop.models.search import Snippet, found_text, snippet_of
from app.desktop.tables import ICON, paint_icon, paint_row_background
from app.desktop.theme import colours, scaled_font
from app.desktop.tokens import XS, L, M, S
from app.desktop.wording import decimal

if TYPE_CHECKING:
    from app.retrieval.records import RetrievedChunk

RANK_WIDTH = 30
BAR_WIDTH = 54
TEXT_LINES = 2
ELLIPSIS = 16


class HitDelegate(QStyledItemDelegate):
    """Rows of equal height, so that a list of them scrolls without measuring."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        line = QFontMetrics(scaled_font(1.0)).lineSpacing()
        small = QFontMetrics(scaled_font(0.9)).lineSpacing()
        return QSize(200, 2 * M + line + small + (TEXT_LINES * line) + small + XS + S + 2)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        hit: RetrievedChunk = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hovered = bool(option.state.value & option.state.State_MouseOver.value)
        paint_row_background(painter, option, hovered=hovered)
        area = option.rect.adjusted(M, M, -L, -M)
        self._paint_rank(painter, QRect(area.left(), area.top(), RANK_WIDTH, area.height()), index.row() + 1)
        area.adjust(RANK_WIDTH + S, 0, 0, 0)
        self._paint_words(painter, area, hit, getattr(index.model(), "query", ""))
        painter.restore()

    def _paint_rank(self, painter: QPainter, area: QRect, rank: int) -> None:
        scheme = colours()
        circle = QRectF(area.left(), area.top(), 26, 26)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(scheme.accent_soft))
        painter.drawEllipse(circle)
        painter.setPen(QColor(scheme.accent_text))
        painter.setFont(scaled_font(0.9, bold=True))
        painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, str(rank))

    def _paint_words(self, painter: QPainter, area: QRect, hit: RetrievedChunk, query: str) -> None:
        scheme = colours()
        top = area.top()
        title, section = hit.chunk.title or hit.chunk.url, section_of(hit.chunk)
        top = self._line(painter, area, top, title, scaled_font(1.0, bold=True), scheme.text)
        top = self._line(painter, area, top, section, scaled_font(0.9), scheme.accent_text) + XS
        top = self._snippet(painter, area, top, snippet_of(hit.chunk.text, query)) + S
        self._footer(painter, area, top, hit)

    def _line(self, painter: QPainter, area: QRect, top: int, text: str, font: object, colour: str) -> int:
        painter.setFont(font)  # type: ignore[arg-type]
        painter.setPen(QColor(colour))
        metrics = painter.fontMetrics()
        box = QRect(area.left(), top, area.width(), metrics.lineSpacing())
        painter.drawText(
            box,
            Qt.AlignmentFlag.AlignLeft,
            metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width()),
        )
        return top + metrics.lineSpacing()

    def _snippet(self, painter: QPainter, area: QRect, top: int, snippet: Snippet) -> int:
        """Two lines with the words of the question in strong letters; the second one ends where there is no more room."""
        font = scaled_font(1.0)
        height = QFontMetrics(font).lineSpacing()
        painter.setPen(QColor(colours().muted))
        layout = QTextLayout(snippet.text, font)
        layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
        layout.setFormats([_strong(first, last) for first, last in snippet.matches])
        layout.beginLayout()
        last = 0
        for number in range(TEXT_LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(area.width() - (ELLIPSIS if number == TEXT_LINES - 1 else 0))
            line.draw(painter, QPointF(area.left(), top + number * height))
            last = line.textStart() + line.textLength()
            if number == TEXT_LINES - 1 and last < len(snippet.text):
                end = area.left() + line.naturalTextWidth() + 2
                painter.drawText(QPointF(end, top + number * height + line.ascent()), "…")
        layout.endLayout()
        return top + TEXT_LINES * height

    def _flags(self, painter: QPainter, area: QRect, flags: tuple[str, ...]) -> None:
        """The flag and what it stands for, as far as there is room."""
        paint_icon(painter, area, *FLAG_MARK)
        area.adjust(ICON + XS, 0, 0, 0)
        painter.setPen(QColor(colours().warning))
        shown = painter.fontMetrics().elidedText(
            ", ".join(map(spoken, flags)), Qt.TextElideMode.ElideRight, area.width()
        )
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft, shown)

    def _footer(self, painter: QPainter, area: QRect, top: int, hit: RetrievedChunk) -> None:
        """Words for what matched, the score as number and bar."""
        scheme = colours()
        painter.setFont(scaled_font(0.9))
        metrics = painter.fontMetrics()
        height = metrics.lineSpacing()
        room = area.width() - 2 * BAR_WIDTH
        words = metrics.elidedText(found_text(hit), Qt.TextElideMode.ElideRight, room)
        painter.setPen(QColor(scheme.muted))
        painter.drawText(QRect(area.left(), top, area.width(), height), Qt.AlignmentFlag.AlignLeft, words)
        flags = text_flags(hit.chunk.text)
        if flags:
            left = area.left() + metrics.horizontalAdvance(words) + L
            self._flags(painter, QRect(left, top, area.right() - 2 * BAR_WIDTH - left, height), flags)
            painter.setPen(QColor(scheme.muted))
        score = max(0.0, min(1.0, hit.reranked_score))
        number = decimal(score, 2)
        width = metrics.horizontalAdvance(number)
        painter.drawText(QRect(area.right() - width, top, width + 1, height), Qt.AlignmentFlag.AlignLeft, number)
        bar = QRectF(area.right() - width - S - BAR_WIDTH, top + height / 2 - 2, BAR_WIDTH, 5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(scheme.border))
        painter.drawRoundedRect(bar, 2.5, 2.5)
        bar.setWidth(max(5.0, BAR_WIDTH * score))
        painter.setBrush(QColor(scheme.accent))
        painter.drawRoundedRect(bar, 2.5, 2.5)


def _strong(first: int, last: int) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    look = QTextCharFormat()
    look.setFontWeight(QFont.Weight.DemiBold)
    look.setForeground(QColor(colours().text))
    look.setBackground(QColor(colours().found))
    made.start, made.length, made.format = first, last - first, look
    return made
