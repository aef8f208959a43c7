"""Surfaces and arrangements that give every page the same look."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.desktop.tokens import XL, XS, L, M, S
from app.desktop.widgets import ElidedLabel, ThemedIcon, label, row


class Card(QFrame):
    """A raised surface with a vertical layout."""

    def __init__(self, *, margin: int = L, spacing: int = M) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(margin, margin, margin, margin)
        self.body.setSpacing(spacing)


class TableCard(Card):
    """A card that one view fills; its margins keep the rounded corners free."""

    def __init__(self) -> None:
        super().__init__(spacing=0)
        self.body.setContentsMargins(1, 5, 1, 6)


class PageHeader(QWidget):
    """Title and subtitle of a page, its actions at the right."""

    def __init__(self, title: str, subtitle: str = "") -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(label(title, "title"))
        self._subtitle = ElidedLabel(subtitle, "subtitle")
        words.addWidget(self._subtitle)
        row.addLayout(words, 1)
        self._row = row

    def set_subtitle(self, text: str) -> None:
        self._subtitle.show_text(text)

    def add(self, widget: QWidget) -> None:
        self._row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)


class EmptyState(QWidget):
    """What a page shows while it has nothing to show: why, and what to do."""

    def __init__(self, icon_name: str, title: str, text: str, action: QPushButton | None = None) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, XL)
        column.setSpacing(S)
        column.addStretch(2)
        self._picture = ThemedIcon(icon_name, 44)
        column.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(XS)
        self._title = label(title, "heading")
        column.addWidget(self._title, 0, Qt.AlignmentFlag.AlignHCenter)
        self._text = label(text, "muted", wrap=True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._text.setFixedWidth(400)
        column.addLayout(row(1, self._text, 1))
        if action is not None:
            column.addSpacing(S)
            column.addWidget(action, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

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
    holder = QWidget()
    holder.setFixedHeight(30)
    holder.setLayout(row(label(title, "heading"), 1, *widgets))
    return holder
