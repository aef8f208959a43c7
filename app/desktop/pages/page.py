"""Base classes of the pages of the main window, with or without a table and the selected row in detail."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.desktop.context import Context
from app.desktop.icons import icon
from app.desktop.panels import EmptyState, PageHeader, TableCard
from app.desktop.qt import single_shot
from app.desktop.tokens import XL, L, M
from app.desktop.widgets import label, row
from app.errors import WebRAGError
from app.events import Event

SIDE_BY_SIDE_WIDTH = 1_300
FILTER_MS = 80
BELOW, BESIDE = (250, 320), (570, 550)
"""How table and detail share the room, as a proportion: one above the other, and side by side."""


class Page(QWidget):
    """Header and content with the margins of all pages. `name` addresses it, `icon_name` is its picture in the sidebar."""

    name = ""
    icon_name = ""

    def __init__(self, context: Context, title: str, subtitle: str = "") -> None:
        super().__init__()
        self.context = context
        self.title = title
        self.setProperty("role", "page")
        self.setAccessibleName(title)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(XL, XL - 4, XL, L)
        self.column.setSpacing(L)
        self.header = PageHeader(title, subtitle)
        self.column.addWidget(self.header)

    def activate(self) -> None:
        """Called when the page comes to the front: set the keyboard focus."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def engine_ready(self) -> None:
        """Called whenever the engine has started."""

    def engine_failed(self, error: WebRAGError | None) -> None:
        """Called when the engine did not start, with the reason, and with None when it is started anew."""

    def on_events(self, events: list[Event]) -> None:
        """Handle a batch of events."""

    def focus_filter(self) -> None:
        """Move the focus to the filter."""

    def rewrite_times(self) -> None:
        """Write anew what counts from now, such as “5 minutes ago”. Tables ask their models when they are painted."""
        for view in self.findChildren(QAbstractItemView):
            view.viewport().update()


class FilterBox(QLineEdit):
    """A box whose text narrows a table down."""

    def __init__(self, prompt: str, name: str) -> None:
        super().__init__()
        self.setProperty("role", "filter")
        self.setPlaceholderText(prompt)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        self.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)

    def take_focus(self) -> None:
        """Follow the shortcut of the filter."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()


class ListingPage(Page):
    """Layout of Library and Scratch: filter, table, detail pane, and placeholders instead of the table."""

    _loading: EmptyState
    _empty: EmptyState
    _failed: EmptyState

    def engine_failed(self, error: WebRAGError | None) -> None:
        """Without an engine nothing loads: what is wrong, and what to do, stands above."""
        if error is None:
            self._stack.setCurrentWidget(self._loading)
        else:
            text = QCoreApplication.translate(
                "Page", "Nothing can be shown meanwhile. What to do about it is said above."
            )
            self._failed.show_words(error.title, text, "error", "danger")
            self._stack.setCurrentWidget(self._failed)

    def focus_filter(self) -> None:
        self.filter.take_focus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def arrange(self) -> None:
        """Put table and detail side by side where there is room."""
        wide = self.width() >= SIDE_BY_SIDE_WIDTH
        orientation = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if orientation is not self._splitter.orientation():
            self._splitter.setOrientation(orientation)
            self._splitter.setSizes(list(BESIDE if wide else BELOW))

    def make_filter(self, prompt: str, name: str, apply: Callable[[str], None]) -> None:
        """A box whose text is applied once the typing pauses."""
        self.filter = FilterBox(prompt, name)
        self.filter.setFixedWidth(300)
        pause = single_shot(self, FILTER_MS, lambda: apply(self.filter.text()))
        self.filter.textChanged.connect(pause.start)

    def lay_out(self, kinds: QWidget, table: QWidget, pane: QWidget, side: QWidget | None = None) -> None:
        """Filter and kinds above, table and pane below, `side` at their left; needs the filter and the states."""
        self._splitter = over_details(table, pane, BELOW)
        self._count = label("", "muted")
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(M)
        self._bar = QWidget()
        line = row(self.filter, kinds, 1, self._count, spacing=M)
        line.setContentsMargins(0, 0, 0, 0)
        self._bar.setLayout(line)
        column.addWidget(self._bar)
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


def over_details(table: QWidget, details: QWidget, sizes: tuple[int, int]) -> QSplitter:
    """A table in a card over the details of its selected row."""
    card = TableCard()
    card.body.addWidget(table)
    splitter = QSplitter(Qt.Orientation.Vertical)
    splitter.setHandleWidth(M)
    splitter.setChildrenCollapsible(False)
    splitter.addWidget(card)
    splitter.addWidget(details)
    splitter.setSizes(list(sizes))
    return splitter


def offer_menu(
    view: QAbstractItemView, menu: Callable[[], QMenu], offers: Callable[[QPoint], bool] | None = None
) -> None:
    """Open a context menu where it is asked for; `offers` says whether there is one at a place of the viewport."""

    def show(place: QPoint) -> None:
        if offers is None or offers(place):
            menu().popup(view.viewport().mapToGlobal(place))

    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(show)
