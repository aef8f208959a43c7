"""The palette overlay: a search box with a list below it, over the dimmed window."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6 import QtWidgets
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent

from app.desktop.context import Context
from app.desktop.models.rows import Index
from app.desktop.palette.commands import Commands, Entry, Finder, Group
from app.desktop.panels import Line
from app.desktop.qt import choose_row, reported, step_through
from app.desktop.theme import colours, draw_words, fill_shape, pixmap, scaled_font
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ThemedIcon, column, label, row, set_up_view, text_field

ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1
HEADS_ROLE = Qt.ItemDataRole.UserRole + 2  # Whether an entry is the first of its group.

ICON = 17
TITLE_SHARE = 0.62  # Maximum share of the width for a title with a detail next to it.

WIDTH, HEIGHT = 640, 470
TOP_SHARE = 0.11  # Top of the box as a share of the window height.
PAGE_STEP = 6
DIMMED = QColor(10, 14, 20, 110)


def group_title(group: Group) -> str:
    return {
        Group.RECENT: QCoreApplication.translate("PaletteDelegate", "Recently opened"),
        Group.COMMANDS: QCoreApplication.translate("PaletteDelegate", "Commands"),
        Group.PAGES: QCoreApplication.translate("PaletteDelegate", "Pages"),
        Group.PASSAGES: QCoreApplication.translate("PaletteDelegate", "Passages"),
        Group.MORE: "",
    }[group]


class EntryDelegate(QtWidgets.QStyledItemDelegate):
    """Paints an entry in one line, or two for a passage."""

    @reported(QSize())
    def sizeHint(self, _option: QtWidgets.QStyleOptionViewItem, index: Index) -> QSize:
        entry: Entry = index.data(ENTRY_ROLE)
        line = QFontMetrics(scaled_font(1.0)).lineSpacing()
        height = 2 * S + line
        if entry.group is Group.PASSAGES:
            height += QFontMetrics(scaled_font(0.9)).lineSpacing()
        return QSize(200, height + _head_height(index))

    @reported(None)
    def paint(self, painter: QPainter, option: QtWidgets.QStyleOptionViewItem, index: Index) -> None:
        entry: Entry = index.data(ENTRY_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRect(option.rect)
        if above := _head_height(index):
            caption = QRect(area.left(), area.top(), area.width(), above).adjusted(L + XS, S, -L, -XS)
            draw_words(painter, caption, group_title(entry.group), colours().muted, scale=0.88, bold=True)
            area.setTop(area.top() + above)
        if option.state & QtWidgets.QStyle.StateFlag.State_Selected:
            fill_shape(painter, area.adjusted(S, 0, -S, 0), colours().accent_soft, 7)
        inner = area.adjusted(L + XS, S, -L - XS, -S)
        ratio = painter.device().devicePixelRatioF()
        top = inner.top() + (QFontMetrics(scaled_font(1.0)).lineSpacing() - ICON) // 2
        painter.drawPixmap(inner.left(), top, pixmap(entry.icon, ICON, "muted", ratio=ratio))
        inner.setLeft(inner.left() + ICON + M)
        if entry.group is Group.PASSAGES:
            # The beginning of the passage, and its source below.
            line = QFontMetrics(scaled_font(1.0)).lineSpacing()
            first = QRect(inner.topLeft(), QSize(inner.width(), line))
            draw_words(painter, first, entry.title, colours().text, scale=1.0)
            draw_words(painter, inner.adjusted(0, line, 0, 0), entry.detail, colours().muted, scale=0.9)
        else:
            scheme, room = colours(), QRectF(inner)
            if entry.shortcut:
                right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                room.adjust(0, 0, -draw_words(painter, room, entry.shortcut, scheme.muted, right, scale=0.92) - L, 0)
            title = QRectF(room)
            title.setWidth(room.width() * (TITLE_SHARE if entry.detail else 1.0))
            room.adjust(draw_words(painter, title, entry.title, scheme.text, scale=1.0) + M, 0, 0, 0)
            if entry.detail:
                middle = Qt.TextElideMode.ElideMiddle
                draw_words(painter, room, entry.detail, scheme.muted, mode=middle, scale=0.92)
        painter.restore()


def _head_height(index: Index) -> int:
    """Return the space above an entry, for a group caption or as separation."""
    if not index.data(HEADS_ROLE):
        return 0
    has_caption = bool(group_title(index.data(ENTRY_ROLE).group))
    return QFontMetrics(scaled_font(0.88, bold=True)).lineSpacing() + M + XS if has_caption else S


class EntryList(QtWidgets.QListWidget):
    """The list of grouped entries. Fills its own background, so that new lines do not repaint the window behind it."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    @property
    def chosen(self) -> Entry | None:
        entry: Entry | None = self.currentIndex().data(ENTRY_ROLE)
        return entry

    def show_entries(self, entries: Sequence[Entry]) -> None:
        self.clear()
        self.entries = list(entries)
        for place, entry in enumerate(entries):
            line = QtWidgets.QListWidgetItem(", ".join(filter(None, (entry.title, entry.detail, entry.shortcut))), self)
            line.setData(ENTRY_ROLE, entry)
            line.setData(HEADS_ROLE, not place or entries[place - 1].group is not entry.group)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), QColor(colours().surface))
        super().paintEvent(event)


class Palette(QtWidgets.QWidget):
    """The palette, which covers its parent while open. Esc, a click outside or another page closes it."""

    def __init__(
        self, context: Context, parent: QtWidgets.QWidget, commands: Commands, search_page: Callable[[str], object]
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Search and commands"))
        self.finder = Finder(context, commands, search_page, self)
        self._area = parent
        self._before: QtWidgets.QWidget | None = None
        self._card = QtWidgets.QFrame(self)
        self._card.setProperty("role", "toast")
        self.box = text_field(self.tr("Find a page, passage or command"), role="palette")
        self.box.textEdited.connect(self.finder.type)
        self.box.installEventFilter(self)
        self.list = EntryList()
        self.list.setItemDelegate(EntryDelegate(self.list))
        set_up_view(self.list, self.tr("Results"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.clicked.connect(lambda _index: self.run_current())
        # The focus stays in the box, so it announces the selected entry to screen readers.
        self.list.selectionModel().currentChanged.connect(
            lambda index, _before: self.box.setAccessibleDescription(str(index.data() or ""))
        )
        self._state = label("", "caption")
        keys = label(self.tr("↑ ↓ Select   ·   Enter Open   ·   Esc Close"), "caption")
        head = row(ThemedIcon("search", 18), self.box, margins=(L + 4, S, L, S))
        foot = row(keys, 1, self._state, margins=(L + 4, S, L + 4, S))
        column(head, Line(), (self.list, 1), Line(), foot, spacing=0, margins=(1, 0, 1, 0), parent=self._card)
        self.finder.found.connect(self._show_entries)
        self.finder.searching.connect(
            lambda going_on: self._state.setText(self.tr("Searching passages…") if going_on else self.finder.problem)
        )
        self.hide()

    def open_up(self) -> None:
        """Open the palette with an empty search box."""
        if not self.isVisible():
            self._before = QtWidgets.QApplication.focusWidget()
        self.box.clear()
        self.finder.begin()
        self.place()
        self.show()
        self.raise_()
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_up(self) -> None:
        if not self.isVisible():
            return
        had_focus = self.isAncestorOf(QtWidgets.QApplication.focusWidget() or self)
        self.hide()
        self.finder.end()
        if had_focus and self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        self._before = None

    def run_current(self) -> None:
        entry = self.list.chosen
        if entry is None:
            return
        if entry.key != "search":
            self.finder.opened(entry)
        self.close_up()
        entry.run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.box and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            key = Qt.Key(event.key())
            if step_through(self.list, key, PAGE_STEP, goes_round=True):
                return True
            here = self.list.chosen
            if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                if here is not None:
                    # Select the first entry of the next group.
                    groups = list(dict.fromkeys(entry.group for entry in self.list.entries))
                    by = 1 if key == Qt.Key.Key_Tab else -1
                    wanted = groups[(groups.index(here.group) + by) % len(groups)]
                    choose_row(self.list, [entry.group for entry in self.list.entries].index(wanted))
            elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.run_current()
            elif key == Qt.Key.Key_Escape:
                self.close_up()
            else:
                return False
            return True
        if watched is self.box and event.type() == QEvent.Type.FocusOut and self.isVisible():
            # Another page or dialog took the focus, not another program or a menu of the box.
            now = QtWidgets.QApplication.focusWidget()
            if now is not None and not self.isAncestorOf(now) and self.window().isAncestorOf(now):
                self.hide()
                self.finder.end()
                self._before = None
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._card.geometry().contains(event.position().toPoint()):
            self.close_up()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), DIMMED)

    def _show_entries(self) -> None:
        """Keep the selected entry if it is still listed, unless it was the first, which follows the typing."""
        chosen, was_first = self.list.chosen, self.list.currentRow() <= 0
        self.list.show_entries(self.finder.entries)
        keys = [entry.key for entry in self.list.entries]
        place = keys.index(chosen.key) if chosen is not None and not was_first and chosen.key in keys else 0
        choose_row(self.list, place)

    def place(self) -> None:
        """Cover the parent."""
        area = self._area.rect()
        self.setGeometry(area)
        width, top = min(WIDTH, area.width() - 4 * M), int(area.height() * TOP_SHARE)
        self._card.setGeometry((area.width() - width) // 2, top, width, min(HEIGHT, area.height() - top - L))
