"""A page of things: a filter over a table, and the selected thing in detail below it, or beside it where there is room."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.icons import icon
from app.desktop.pages.page import Page
from app.desktop.panels import EmptyState, TableCard
from app.desktop.tokens import M
from app.desktop.widgets import label, row

SIDE_BY_SIDE_WIDTH = 1_300
FILTER_MS = 80
BELOW, BESIDE = (250, 320), (570, 550)
"""How table and detail share the room, as a proportion: one above the other, and side by side."""


class ListingPage(Page):
    """What Library and Scratch share: they make the parts, this lays them out. The states stand in the place of the table."""

    _loading: EmptyState
    _empty: EmptyState
    _failed: EmptyState

    def focus_filter(self) -> None:
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= SIDE_BY_SIDE_WIDTH
        orientation = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if orientation is not self._splitter.orientation():
            self._splitter.setOrientation(orientation)
            self._splitter.setSizes(list(BESIDE if wide else BELOW))

    def make_filter(self, prompt: str, name: str, apply: Callable[[str], None]) -> None:
        """A box whose text is applied once the typing pauses."""
        self.filter = QLineEdit()
        self.filter.setProperty("role", "filter")
        self.filter.setPlaceholderText(prompt)
        self.filter.setAccessibleName(name)
        self.filter.setClearButtonEnabled(True)
        self.filter.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.filter.setFixedWidth(300)
        pause = QTimer(self)
        pause.setSingleShot(True)
        pause.setInterval(FILTER_MS)
        pause.timeout.connect(lambda: apply(self.filter.text()))
        self.filter.textChanged.connect(pause.start)

    def lay_out(self, kinds: QWidget, table: QWidget, pane: QWidget, side: QWidget | None = None) -> None:
        """Filter and kinds above, table and pane below, `side` at their left; needs the filter and the states."""
        card = TableCard()
        card.body.addWidget(table)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setHandleWidth(M)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(card)
        self._splitter.addWidget(pane)
        self._splitter.setSizes(list(BELOW))
        self._count = label("", "muted")
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        column.addLayout(row(self.filter, kinds, 1, self._count, spacing=M))
        column.addWidget(self._beside(side) if side is not None else self._splitter, 1)
        self._stack = QStackedWidget()
        for widget in (self._loading, self._empty, self._failed, self._content):
            self._stack.addWidget(widget)
        self.column.addWidget(self._stack, 1)

    def _beside(self, side: QWidget) -> QWidget:
        """The side and the splitter in one line."""
        made = QWidget()
        made.setLayout(row(side, spacing=M))
        layout = made.layout()
        if isinstance(layout, QHBoxLayout):
            layout.addWidget(self._splitter, 1)
        return made
