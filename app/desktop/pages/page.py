"""What a page of the main window is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.panels import PageHeader
from app.desktop.tokens import XL, L
from app.events import Event


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
        """The page came to the front: the keyboard goes where it is of most use."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def engine_ready(self) -> None:
        """The engine started, for the first time or again."""

    def take(self, events: list[Event]) -> None:
        """Follow a batch of events."""

    def focus_filter(self) -> None:
        """Put the cursor where typing narrows the page down."""
