"""Parts that several pages share: scroll areas, stacks, placeholders, menus, text boxes, lists of facts, bars and legends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Final

from PySide6 import QtWidgets
from PySide6.QtCore import QCoreApplication, QPoint, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent

from app.desktop.panels import EmptyState, TableCard
from app.desktop.qt import Act
from app.desktop.theme import colours, icon, mono_font, theme
from app.desktop.tokens import XL, L, M, S
from app.desktop.widgets import Margins, button, column, held, label, set_up_view
from app.desktop.wording import plain_tip
from app.errors import WebRAGError

LONGEST_NAME: Final = 180
SIDE_LINE: Final = 30
LEAST_SHARE: Final = 3.0  # Minimum width of a part of a bar in pixels, so that small ones stay visible.

Command = tuple[str, str, Act, bool]
"""Entry of a menu: text, icon or none, action, and whether it is possible."""


class Scrolled(QtWidgets.QScrollArea):
    """A frameless area that scrolls vertically; `role` is a role of the style sheet."""

    def __init__(self, role: str = "page", content: QtWidgets.QWidget | None = None) -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setWidgetResizable(True)
        self.setFrameShape(QtWidgets.QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if content is not None:
            self.setWidget(content)


def over_details(table: QtWidgets.QWidget, details: QtWidgets.QWidget, sizes: tuple[int, int]) -> QtWidgets.QSplitter:
    """A table in a card above the details of the selected row."""
    card = TableCard()
    card.body.addWidget(table)
    splitter = QtWidgets.QSplitter(Qt.Orientation.Vertical, handleWidth=M, childrenCollapsible=False)
    splitter.addWidget(card)
    splitter.addWidget(details)
    splitter.setSizes(list(sizes))
    return splitter


def stack_of(*widgets: QtWidgets.QWidget) -> QtWidgets.QStackedWidget:
    """Stack widgets and show the first one."""
    made = QtWidgets.QStackedWidget()
    for widget in widgets:
        made.addWidget(widget)
    return made


class FailedState(EmptyState):
    """A placeholder of a stack that shows why loading failed, with a button to try again."""

    def __init__(self, again: Act) -> None:
        self.again = button(QCoreApplication.translate("FailedState", "Try again"), again, "", "refresh")
        super().__init__("error", "", "", self.again)

    def show_error(self, error: WebRAGError) -> None:
        """Show the error instead of the other widgets of the stack."""
        self.show_words(error.title, f"{error.message} {error.hint}".strip(), "error", "danger")
        stack = self.parent()
        if isinstance(stack, QtWidgets.QStackedWidget):
            stack.setCurrentWidget(self)


def new_menu(parent: QtWidgets.QWidget, entries: Iterable[Command | None] = ()) -> QtWidgets.QMenu:
    """Build a menu that is deleted when it closes. None stands for a separator."""
    menu = QtWidgets.QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    add_entries(menu, entries)
    return menu


def add_entries(menu: QtWidgets.QMenu, entries: Iterable[Command | None]) -> None:
    for entry in entries:
        if entry is None:
            menu.addSeparator()
            continue
        text, picture, run, is_possible = entry
        # Titles and folders can contain ampersands, which Qt takes for keys.
        action = menu.addAction(text.replace("&", "&&"))
        if picture:
            action.setIcon(icon(picture, "danger" if picture == "trash" else "muted"))
        action.triggered.connect(lambda _checked=False, run=run: run())
        action.setEnabled(is_possible)


def offer_menu(
    view: QtWidgets.QAbstractItemView,
    menu: Callable[[], QtWidgets.QMenu],
    offers: Callable[[QPoint], bool] | None = None,
) -> None:
    """Open a context menu on request, if `offers` returns True for the position in the viewport."""

    def show(place: QPoint) -> None:
        if offers is None or offers(place):
            menu().popup(view.viewport().mapToGlobal(place))

    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(show)


def open_below(menu: QtWidgets.QMenu, made: QtWidgets.QWidget) -> None:
    menu.popup(made.mapToGlobal(made.rect().bottomLeft()))


def offer_choices(box: QtWidgets.QComboBox, everything: str, choices: Sequence[tuple[str, str]]) -> None:
    """Fill a combo box with texts and their values. The first entry means all; the selected value is kept if it remains."""
    wanted = [(everything, ""), *choices]
    if [(box.itemText(place), box.itemData(place)) for place in range(box.count())] == wanted:
        return
    chosen = box.currentData() or ""
    with QSignalBlocker(box):
        box.clear()
        for text, value in wanted:
            box.addItem(text, value)
        box.setCurrentIndex(max(0, box.findData(chosen)))


def text_box(name: str, *, mono: float = 0, role: str = "plain", margin: int = L) -> QtWidgets.QPlainTextEdit:
    """Create a read-only box for a long text; `mono` is the size of a monospaced font relative to the normal one."""
    made = QtWidgets.QPlainTextEdit(readOnly=True)
    made.setProperty("role", role)
    if mono:
        made.setFont(mono_font(mono))
    if role:
        made.document().setDocumentMargin(margin)
    made.setAccessibleName(name)
    return made


class SideList(QtWidgets.QListWidget):
    """A list to choose from, with one or two lines for each entry. `chosen` carries the key of the current entry."""

    chosen = Signal(str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setProperty("role", "sections")
        set_up_view(self, name)
        self.currentItemChanged.connect(lambda _item: self.chosen.emit(self.key))

    @property
    def key(self) -> str:
        """The key of the current entry, empty without one."""
        return str(self.currentItem().data(Qt.ItemDataRole.UserRole)) if self.currentRow() >= 0 else ""

    def show_entries(self, entries: Sequence[tuple[str, str, str]], key: str) -> None:
        """Show keys, titles and second lines, and select the entry with this key, without emitting a signal."""
        with QSignalBlocker(self):
            self.clear()
            for key, title, below in entries:
                item = QtWidgets.QListWidgetItem(f"{title}\n{below}" if below else title, self)
                item.setData(Qt.ItemDataRole.UserRole, key)
                item.setToolTip(plain_tip(item.text()))
                item.setSizeHint(QSize(0, SIDE_LINE + self.fontMetrics().lineSpacing() * bool(below)))
            self.choose(key)

    def choose(self, key: str) -> None:
        """Select an entry, or the first one if there is none with this key."""
        keys = [self.item(line).data(Qt.ItemDataRole.UserRole) for line in range(self.count())]
        self.setCurrentRow(keys.index(key) if key in keys else 0)

    def height_of(self, lines: int) -> int:
        """Return the height of the first lines."""
        return sum(self.item(line).sizeHint().height() for line in range(min(self.count(), lines)))


class FactGrid(QtWidgets.QGridLayout):
    """Names and values in two columns. Changed values update their labels in place."""

    def __init__(self, *, spacing: int = S) -> None:
        super().__init__()
        self.setVerticalSpacing(spacing)
        self.setColumnStretch(1, 1)
        self._lines: list[tuple[QtWidgets.QLabel, QtWidgets.QLabel]] = []

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show these names and values, without empty ones."""
        known = [fact for fact in facts if fact[1]]
        for place in range(len(self._lines), len(known)):
            line = label("", "muted"), label("", wrap=True, selectable=True)
            for across, made in enumerate(line):
                self.addWidget(made, place, across, Qt.AlignmentFlag.AlignTop)
            self._lines.append(line)
        for place, line in enumerate(self._lines):
            for made, text in zip(line, known[place] if place < len(known) else ("", ""), strict=True):
                made.setVisible(place < len(known))
                if made.text() != text:
                    made.setText(text)

    def values(self) -> dict[str, str]:
        return {name.text(): value.text() for name, value in self._lines if not name.isHidden()}


class FactsArea(Scrolled):
    """Names and values that scroll, with margins around them."""

    def __init__(self, margins: Margins) -> None:
        grid = FactGrid()
        grid.setContentsMargins(*margins)
        grid.setHorizontalSpacing(XL)
        content = held(column(grid, 1))
        content.setProperty("role", "plain")
        super().__init__("plain", content)
        self.show_facts, self.values = grid.show_facts, grid.values


def shares(sizes: Sequence[int], width: float) -> list[float]:
    """Return the width of each part of a bar in pixels; their sum is at most `width`."""
    total = sum(sizes)
    raw = [max(LEAST_SHARE, width * each / total) if each else 0.0 for each in sizes]
    return [each * width / sum(raw) if total else 0.0 for each in raw]


class SharesBar(QtWidgets.QWidget):
    """A rounded bar of parts side by side. Each has a size and a color, which is a field of Colours."""

    def __init__(self, height: int) -> None:
        super().__init__()
        self._parts: Sequence[tuple[int, str]] = ()
        self.setFixedHeight(height)
        theme().changed.connect(self.update)

    def show_parts(self, parts: Sequence[tuple[int, str]]) -> None:
        self._parts = parts
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            outline = QPainterPath()
            outline.addRoundedRect(QRectF(self.rect()), self.height() / 2, self.height() / 2)
            painter.setClipPath(outline)
            painter.fillRect(self.rect(), QColor(colours().border))
            left = 0.0
            for (_, role), width in zip(
                self._parts, shares([part[0] for part in self._parts], self.width()), strict=True
            ):
                part = QRectF(left, 0, max(0.0, width - 1), self.height())
                painter.fillRect(part, QColor(getattr(colours(), role)))
                left += width


class Legend(QtWidgets.QLabel):
    """A colored square and a name for each entry, on several lines if needed."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[tuple[str, str]] = []
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setProperty("role", "legend")
        theme().changed.connect(self._write)

    def show_entries(self, entries: Iterable[tuple[str, str]]) -> None:
        """Show names with their colors, which are fields of Colours."""
        self._entries = list(entries)
        self.setAccessibleDescription(", ".join(name for name, _ in self._entries))
        self._write()

    def _write(self) -> None:
        metrics = self.fontMetrics()
        names = [metrics.elidedText(name, Qt.TextElideMode.ElideRight, LONGEST_NAME) for name, _ in self._entries]
        # Lines break only between entries.
        entry = '<span style="color: {}">■</span>&nbsp;{}'
        shown = [
            entry.format(getattr(colours(), role), escape(name).replace(" ", "&nbsp;"))
            for name, (_, role) in zip(names, self._entries, strict=True)
        ]
        self.setText(" &nbsp; ".join(shown))
