"""A table cell with a bar and the numbers beside it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from app.desktop.models.jobs import BROKEN, CANCELLED, DONE, PAUSED, JobRow
from app.desktop.models.rows import ROW_ROLE
from app.desktop.tables import CellDelegate, paint_row_background
from app.desktop.theme import colours
from app.desktop.tokens import M, S

BAR_WIDTH, BAR_HEIGHT = 50, 6


class ProgressDelegate(CellDelegate):
    """Paints how far a job is."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        job = index.data(ROW_ROLE)
        if not isinstance(job, JobRow):
            return
        painter.save()
        paint_row_background(painter, option, hovered=self._is_hovered(option, index))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = option.rect.adjusted(M, 0, -M, -1)
        track = QRectF(area.left(), area.center().y() - BAR_HEIGHT / 2 + 1, BAR_WIDTH, BAR_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours().border))
        painter.drawRoundedRect(track, BAR_HEIGHT / 2, BAR_HEIGHT / 2)
        if job.share > 0:
            filled = QRectF(track)
            filled.setWidth(max(BAR_HEIGHT, BAR_WIDTH * job.share))
            painter.setBrush(QColor(_fill(job.state)))
            painter.drawRoundedRect(filled, BAR_HEIGHT / 2, BAR_HEIGHT / 2)
        area.adjust(BAR_WIDTH + S, 0, 0, 0)
        painter.setPen(QColor(colours().muted))
        text = option.fontMetrics.elidedText(str(index.data() or ""), Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()


def _fill(state: str) -> str:
    scheme = colours()
    return {
        DONE: scheme.success,
        BROKEN: scheme.danger,
        PAUSED: scheme.warning,
        CANCELLED: scheme.strong_border,
    }.get(state, scheme.accent)
