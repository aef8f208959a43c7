"""Windows that fit on a small screen: sizes that the screen limits, and contents that scroll where they need more room."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from app.desktop.qt import SILENT_PLATFORMS, reported

SIDES, TITLE_BAR = 4, 40
"""Room for the frame that the desktop draws around a window."""


def fit_size(window: QWidget, size: QSize, room: QSize | None = None) -> QSize:
    """The size, or the room on the screen of the window where that is less."""
    if room is None:
        if QGuiApplication.platformName() in SILENT_PLATFORMS:
            return size
        room = window.screen().availableSize()
    return size.boundedTo(QSize(room.width() - SIDES, room.height() - TITLE_BAR))


def resize_to_fit(window: QWidget, width: int, height: int) -> None:
    """Give a window this size as far as its screen has the room."""
    window.resize(fit_size(window, QSize(width, height)))


MOST_ROOM = QSize(640, 500)
"""Pages rearrange themselves down to this size, whatever their layouts ask for; below it they scroll."""


class PageStack(QStackedWidget):
    """Needs as much room as the page in view, not as much as the largest page."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    @reported(otherwise=QSize())
    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return page.minimumSizeHint().boundedTo(MOST_ROOM) if page is not None else QSize()


def scrolled(stack: PageStack) -> QScrollArea:
    """The stack in an area that scrolls where a page needs more room than there is."""
    area = QScrollArea()
    area.setProperty("role", "page")
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(stack)
    for bar in (area.horizontalScrollBar(), area.verticalScrollBar()):
        # Each page begins at its top.
        stack.currentChanged.connect(lambda _place, bar=bar: bar.setValue(0))
    return area
