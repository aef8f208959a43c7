"""Windows for small screens: sizes limited by the screen, and content that scrolls if necessary."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QScrollArea, QStackedWidget, QWidget

from app.desktop.qt import SILENT_PLATFORMS, reported
from app.desktop.tokens import DIALOG, M
from app.desktop.widgets import Margins, Part, column

SIDES, TITLE_BAR = 4, 40  # Space in pixels for the window frame of the desktop.


def fit_size(window: QWidget, size: QSize, room: QSize | None = None) -> QSize:
    """Return the size, limited to the available space on the window's screen."""
    if room is None:
        if QGuiApplication.platformName() in SILENT_PLATFORMS:
            return size
        room = window.screen().availableSize()
    return size.boundedTo(QSize(room.width() - SIDES, room.height() - TITLE_BAR))


def resize_to_fit(window: QWidget, width: int, height: int) -> None:
    """Resize a window, limited to the available space on its screen."""
    window.resize(fit_size(window, QSize(width, height)))


class Dialog(QDialog):
    """A dialog with a title and a minimum size. `size` is its size at first, limited by the screen."""

    def __init__(
        self,
        parent: QWidget | None,
        title: str,
        width: int = 0,
        height: int = 0,
        *,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumSize(width, height)
        if size is not None:
            resize_to_fit(self, *size)

    def lay_out(self, *parts: Part, spacing: int = M, margins: Margins = DIALOG) -> None:
        """Lay out parts vertically with the margins of a dialog."""
        column(*parts, spacing=spacing, margins=margins, parent=self)


MOST_ROOM = QSize(640, 500)  # Pages adapt down to this size, regardless of their layouts; below it, they scroll.


class PageStack(QStackedWidget):
    """A stack with the size of the current page instead of the largest one."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    @reported(otherwise=QSize())
    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return page.minimumSizeHint().boundedTo(MOST_ROOM) if page is not None else QSize()

    @reported(otherwise=-1)
    def heightForWidth(self, width: int) -> int:
        page = self.currentWidget()
        return page.heightForWidth(width) if page is not None else -1


def scrolled(stack: PageStack) -> QScrollArea:
    """Put the stack in an area that scrolls if a page is too large."""
    area = QScrollArea(widgetResizable=True)
    area.setProperty("role", "page")
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidget(stack)
    for bar in (area.horizontalScrollBar(), area.verticalScrollBar()):
        # Each page starts at its top.
        stack.currentChanged.connect(lambda _place, bar=bar: bar.setValue(0))
    return area
