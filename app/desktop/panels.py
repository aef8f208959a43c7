"""Shared surfaces, dialogs, layouts and icons of all pages. Sizes are limited by the screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QFrame, QPushButton, QScrollArea, QStackedWidget, QWidget

from app.clients.hosts import CLIENTS
from app.desktop.qt import SILENT_PLATFORMS, reported
from app.desktop.theme import colours, fill_shape, pixmap, theme
from app.desktop.tokens import DIALOG, SERIES, XL, XS, L, M, S
from app.desktop.widgets import ElidedLabel, Gap, Margins, Part, ThemedIcon, column, held, label, restyle, row

NAMELESS: Final = "other"
FOLDED_WIDTH: Final = 36  # Width in pixels of a button without text.


class Card(QFrame):
    """A raised surface with a vertical layout."""

    def __init__(self, *, margin: int = L, spacing: int = M) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.body = column(spacing=spacing, margins=(margin, margin, margin, margin), parent=self)


class TableCard(Card):
    """A card filled by one view, with margins for the rounded corners."""

    def __init__(self) -> None:
        super().__init__(spacing=0)
        self.body.setContentsMargins(1, 5, 1, 6)


class PageHeader(QWidget):
    """The title and subtitle of a page, with actions on the right."""

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
        """Add a button that shrinks to its icon if there is not enough space."""
        self._folding[made] = made.text()
        # Otherwise its text would limit how narrow the page can become.
        made.setMinimumWidth(FOLDED_WIDTH)
        self.add(made)

    def name_folding(self, words: dict[QPushButton, str]) -> None:
        """Change the labels of such buttons."""
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
    """A placeholder for an empty page: the reason, and what to do."""

    def __init__(self, icon_name: str, title: str, text: str, action: QPushButton | None = None) -> None:
        super().__init__()
        middle = Qt.AlignmentFlag.AlignHCenter
        self._picture, self._title = ThemedIcon(icon_name, 44), label(title, "heading")
        self._text = label(text, "muted", wrap=True, align=middle)
        self._text.setMinimumWidth(200)
        self._text.setMaximumWidth(400)
        # The text is as wide as it can be in a narrow window.
        text_row = row(1, (self._text, 100), 1)
        words: tuple[Part, ...] = ((self._picture, 0, middle), Gap(XS), (self._title, 0, middle), text_row)
        acting: tuple[Part, ...] = (Gap(S), (action, 0, middle)) if action is not None else ()
        column(2, *words, *acting, 3, margins=(XL, XL, XL, XL), parent=self)

    def show_words(self, title: str, text: str, icon_name: str = "", role: str = "muted") -> None:
        self._title.setText(title)
        self._text.setText(text)
        if icon_name:
            self._picture.show_icon(icon_name, role)


class Line(QFrame):
    """A separator between rows of a card."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "line")
        self.setFixedHeight(1)


def card_head(title: str, *widgets: QWidget) -> QWidget:
    """Build the heading of a card with its actions. The height is the same without actions."""
    holder = held(row(label(title, "heading"), 1, *widgets))
    holder.setFixedHeight(30)
    return holder


@lru_cache(maxsize=64)
def monogram(title: str) -> str:
    """Return two letters for a name: CD for Claude Desktop, Cu for Cursor, VS for VS Code."""
    words = title.split()
    if len(words) > 1 and not words[0].isupper():
        return (words[0][0] + words[1][0]).upper()
    return words[0][:2] if words else ""


@lru_cache(maxsize=64)
def series_of(name: str) -> str:
    """Return the color of an assistant, a field of Colours. Neighbors in the list have different colors."""
    names = [profile.name for profile in CLIENTS]
    return SERIES[names.index(name) % len(SERIES)] if name in names else ""


def paint_tile(painter: QPainter, area: QRectF, name: str, title: str, *, present: bool) -> None:
    """Draw the tile: in gray if the assistant is not present, with a plug icon if it does not have a name."""
    scheme, series = colours(), series_of(name)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill, edge = (getattr(scheme, series), "") if present and series else (scheme.sunken, scheme.border)
    fill_shape(painter, area, fill, area.width() * 0.25, edge=edge)
    if name != NAMELESS:
        painter.setPen(QColor(scheme.on_accent if present and series else scheme.muted))
        font = QFont(QGuiApplication.font())
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
    """The tile as a widget. It is hidden from screen readers, because the title is next to it."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.setFixedSize(size, size)
        self._name, self._title, self._present = "", "", False
        theme().changed.connect(self.update)

    def show_assistant(self, name: str, title: str, *, present: bool) -> None:
        self._name, self._title, self._present = name, title, present
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            paint_tile(painter, area, self._name, self._title, present=self._present)


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
        self, parent: QWidget | None, title: str, width: int = 0, height: int = 0, *, size: tuple[int, int] = (0, 0)
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumSize(width, height)
        if any(size):
            resize_to_fit(self, *size)

    def open_once(self) -> None:
        """Open the dialog, and delete it when it closes."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.open()

    def lay_out(self, *parts: Part, spacing: int = M, margins: Margins = DIALOG) -> None:
        """Lay out parts vertically with the margins of a dialog."""
        column(*parts, spacing=spacing, margins=margins, parent=self)


def choose_folder(parent: QWidget, title: str, take: Callable[[Path], object], start: str = "") -> None:
    """Let the user choose a folder and call `take` with it. The dialog opens in the folder `start`."""
    if chosen := QFileDialog.getExistingDirectory(parent, title, start):
        take(Path(chosen))


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
