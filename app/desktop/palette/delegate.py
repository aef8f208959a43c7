"""Paints the lines of the palette, with a caption above the first of each group."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.desktop.icons import pixmap
from app.desktop.palette.entries import Entry, Group
from app.desktop.palette.listing import ENTRY_ROLE, HEADS_ROLE
from app.desktop.theme import colours, scaled_font
from app.desktop.tokens import XS, L, M, S

ICON = 17
TITLE_SHARE = 0.62
"""How much of a line its title may take while there is a detail beside it."""


def group_title(group: Group) -> str:
    """The caption above a group."""
    return {
        Group.RECENT: QCoreApplication.translate("PaletteDelegate", "Opened lately"),
        Group.COMMANDS: QCoreApplication.translate("PaletteDelegate", "Commands"),
        Group.PAGES: QCoreApplication.translate("PaletteDelegate", "Pages"),
        Group.PASSAGES: QCoreApplication.translate("PaletteDelegate", "Passages"),
        Group.MORE: "",
    }[group]


class EntryDelegate(QStyledItemDelegate):
    """One line of text a row, two for a passage."""

    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        entry: Entry = index.data(ENTRY_ROLE)
        line = QFontMetrics(scaled_font(1.0)).lineSpacing()
        height = 2 * S + line
        if entry.group is Group.PASSAGES:
            height += QFontMetrics(scaled_font(0.9)).lineSpacing()
        return QSize(200, height + _head_height(index))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        entry: Entry = index.data(ENTRY_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRect(option.rect)
        if above := _head_height(index):
            _paint_caption(painter, QRect(area.left(), area.top(), area.width(), above), entry.group)
            area.setTop(area.top() + above)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours().accent_soft))
            painter.drawRoundedRect(QRectF(area.adjusted(S, 0, -S, 0)), 7, 7)
        inner = area.adjusted(L + XS, S, -L - XS, -S)
        ratio = painter.device().devicePixelRatioF()
        top = inner.top() + (QFontMetrics(scaled_font(1.0)).lineSpacing() - ICON) // 2
        painter.drawPixmap(inner.left(), top, pixmap(entry.icon, ICON, "muted", ratio=ratio))
        inner.setLeft(inner.left() + ICON + M)
        _paint_passage(painter, inner, entry) if entry.group is Group.PASSAGES else _paint_line(painter, inner, entry)
        painter.restore()


def _head_height(index: QModelIndex | QPersistentModelIndex) -> int:
    """The room above a line: for the caption of the group that it begins, or to set it apart."""
    if not index.data(HEADS_ROLE):
        return 0
    has_caption = bool(group_title(index.data(ENTRY_ROLE).group))
    return QFontMetrics(scaled_font(0.88, bold=True)).lineSpacing() + M + XS if has_caption else S


def _paint_caption(painter: QPainter, area: QRect, group: Group) -> None:
    painter.setFont(scaled_font(0.88, bold=True))
    painter.setPen(QColor(colours().muted))
    painter.drawText(area.adjusted(L + XS, S, -L, -XS), Qt.AlignmentFlag.AlignVCenter, group_title(group))


def _paint_line(painter: QPainter, area: QRect, entry: Entry) -> None:
    """Title at the left, detail after it, shortcut at the right."""
    scheme = colours()
    area = QRect(area)
    painter.setFont(scaled_font(0.92))
    if entry.shortcut:
        painter.setPen(QColor(scheme.muted))
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, entry.shortcut)
        area.setRight(area.right() - painter.fontMetrics().horizontalAdvance(entry.shortcut) - L)
    title_width = _text(painter, area, entry.title, scheme.text, 1.0, TITLE_SHARE if entry.detail else 1.0)
    if entry.detail:
        area.setLeft(area.left() + title_width + M)
        _text(painter, area, entry.detail, scheme.muted, 0.92, 1.0, Qt.TextElideMode.ElideMiddle)


def _paint_passage(painter: QPainter, area: QRect, entry: Entry) -> None:
    """The beginning of the passage, and below it where it stands."""
    scheme = colours()
    line = QFontMetrics(scaled_font(1.0)).lineSpacing()
    _text(painter, QRect(area.left(), area.top(), area.width(), line), entry.title, scheme.text, 1.0)
    below = QRect(area.left(), area.top() + line, area.width(), area.height() - line)
    _text(painter, below, entry.detail, scheme.muted, 0.9)


def _text(
    painter: QPainter,
    area: QRect,
    text: str,
    colour: str,
    scale: float,
    share: float = 1.0,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> int:
    """Draw as much of a text as fits into a share of the area; its width."""
    painter.setFont(scaled_font(scale))
    painter.setPen(QColor(colour))
    metrics = painter.fontMetrics()
    shown = metrics.elidedText(text, mode, int(area.width() * share))
    painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
    return metrics.horizontalAdvance(shown)
