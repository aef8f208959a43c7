"""Surfaces, arrangements and pictures that give every page the same look."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QPushButton, QWidget

from app.clients import CLIENTS
from app.desktop.icons import pixmap
from app.desktop.painting import fill_shape
from app.desktop.theme import colours, theme
from app.desktop.tokens import SERIES, XL, XS, L, M, S
from app.desktop.widgets import ElidedLabel, Gap, Part, ThemedIcon, column, held, label, restyle, row

NAMELESS: Final = "other"
FOLDED_WIDTH: Final = 36
"""A button without its words needs this much."""


class Card(QFrame):
    """A raised surface with a vertical layout."""

    def __init__(self, *, margin: int = L, spacing: int = M) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.body = column(spacing=spacing, margins=(margin, margin, margin, margin), parent=self)


class TableCard(Card):
    """A card that one view fills; its margins keep the rounded corners free."""

    def __init__(self) -> None:
        super().__init__(spacing=0)
        self.body.setContentsMargins(1, 5, 1, 6)


class PageHeader(QWidget):
    """Title and subtitle of a page, its actions at the right."""

    def __init__(self, title: str, subtitle: str = "") -> None:
        super().__init__()
        self._title, self._subtitle = label(title, "title"), ElidedLabel(subtitle, "subtitle")
        self._row = row((column(self._title, self._subtitle, spacing=2), 1), parent=self)
        self._folding: dict[QPushButton, str] = {}

    def set_subtitle(self, text: str) -> None:
        self._subtitle.show_text(text)
        self._fold()

    def add(self, widget: QWidget) -> None:
        self._row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def add_folding(self, made: QPushButton) -> None:
        """Add a button that shows its icon alone where its words find no room."""
        self._folding[made] = made.text()
        # Else its words would keep the page from becoming narrower.
        made.setMinimumWidth(FOLDED_WIDTH)
        self.add(made)

    def name_folding(self, words: dict[QPushButton, str]) -> None:
        """Give such buttons other words."""
        self._folding.update(words)
        self._fold()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fold()

    def _fold(self) -> None:
        for made, words in self._folding.items():
            made.setAccessibleName(words)
            self._show_folded(made, words, is_folded=False)
        below = QFontMetrics(self._subtitle.font()).horizontalAdvance(self._subtitle.full_text)
        beyond = max(0, below - self._title.sizeHint().width())
        for made in self._folding:
            if self.isVisible() and self._row.sizeHint().width() + beyond > self.width():
                self._show_folded(made, "", is_folded=True)

    def _show_folded(self, made: QPushButton, words: str, *, is_folded: bool) -> None:
        made.setText(words)
        if bool(made.property("folded")) != is_folded:
            made.setProperty("folded", is_folded)
            restyle(made)


class EmptyState(QWidget):
    """What a page shows while it has nothing to show: why, and what to do."""

    def __init__(self, icon_name: str, title: str, text: str, action: QPushButton | None = None) -> None:
        super().__init__()
        middle = Qt.AlignmentFlag.AlignHCenter
        self._picture, self._title = ThemedIcon(icon_name, 44), label(title, "heading")
        self._text = label(text, "muted", wrap=True)
        self._text.setAlignment(middle)
        self._text.setFixedWidth(400)
        words: tuple[Part, ...] = ((self._picture, 0, middle), Gap(XS), (self._title, 0, middle), row(1, self._text, 1))
        acting: tuple[Part, ...] = (Gap(S), (action, 0, middle)) if action is not None else ()
        column(2, *words, *acting, 3, margins=(XL, XL, XL, XL), parent=self)

    def show_words(self, title: str, text: str, icon_name: str = "", role: str = "muted") -> None:
        self._title.setText(title)
        self._text.setText(text)
        if icon_name:
            self._picture.show_icon(icon_name, role)


class Line(QFrame):
    """A hairline between rows of a card."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "line")
        self.setFixedHeight(1)


def card_head(title: str, *widgets: QWidget) -> QWidget:
    """The heading of a card with its actions; the same height with and without them."""
    holder = held(row(label(title, "heading"), 1, *widgets))
    holder.setFixedHeight(30)
    return holder


@lru_cache(maxsize=64)
def monogram(title: str) -> str:
    """Two letters: Claude Desktop CD, Cursor Cu, VS Code VS."""
    words = title.split()
    if len(words) > 1 and not words[0].isupper():
        return (words[0][0] + words[1][0]).upper()
    return words[0][:2] if words else ""


@lru_cache(maxsize=64)
def series_of(name: str) -> str:
    """The colour of an assistant, a field of Colours; neighbours in the list have different ones."""
    names = [profile.name for profile in CLIENTS]
    return SERIES[names.index(name) % len(SERIES)] if name in names else ""


def paint_tile(painter: QPainter, area: QRectF, name: str, title: str, *, present: bool) -> None:
    """Draw the tile; one that is not present is drawn in grey, a nameless one with the sign of a plug."""
    scheme, series = colours(), series_of(name)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill, edge = (getattr(scheme, series), "") if present and series else (scheme.sunken, scheme.border)
    fill_shape(painter, area, fill, area.width() * 0.25, edge=edge)
    if name != NAMELESS:
        painter.setPen(QColor(scheme.on_accent if present and series else scheme.muted))
        font = QFont(QApplication.font())
        font.setPixelSize(max(9, round(area.height() * 0.38)))
        font.setWeight(QFont.Weight.Bold)
        painter.setFont(font)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, monogram(title))
    else:
        side = round(area.height() * 0.56)
        picture = pixmap("clients", side, "muted", ratio=painter.device().devicePixelRatioF())
        painter.drawPixmap(round(area.center().x() - side / 2), round(area.center().y() - side / 2), picture)
    painter.restore()


class Tile(QWidget):
    """The picture as a widget; the title stands beside it, so it has no words for screen readers."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.setFixedSize(size, size)
        self._name, self._title, self._present = "", "", False
        theme().changed.connect(self.update)

    def show_assistant(self, name: str, title: str, *, present: bool) -> None:
        self._name, self._title, self._present = name, title, present
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        paint_tile(painter, area, self._name, self._title, present=self._present)
        painter.end()
