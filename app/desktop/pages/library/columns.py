"""Layout of the Library: its table, and list, page and outline stacked or in two or three columns, with remembered sizes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final, cast

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QSplitter, QWidget

from app.desktop.models.labels import page_mime
from app.desktop.models.library import ADDRESS, CHOSEN_ONLY, FETCHED, STATE, WAY, LibraryModel
from app.desktop.pages.parts import stack_of
from app.desktop.panels import Card
from app.desktop.qt import single_shot
from app.desktop.state_file import StateFile
from app.desktop.tables import LongTable
from app.desktop.tokens import M, S
from app.desktop.widgets import label, row, set_up_view
from app.desktop.wording import plain_tip
from app.library.records import SectionRecord

LIST_LEAST: Final = 324
PAGE_LEAST: Final = 400
OUTLINE_LEAST: Final = 160
THREE_COLUMNS_FROM: Final = 1_400  # Window width from which the outline is shown next to the page.
READING_OUTLINE_FROM: Final = 1_100  # The same while the page fills the window.


class Arrangement(StrEnum):
    """The values are stored in the window's memory."""

    STACKED = "stacked"
    TWO = "two"
    THREE = "three"


LIST_SHARE: Final = {Arrangement.STACKED: 0.5, Arrangement.TWO: 0.36, Arrangement.THREE: 0.32}
"""Initial share of the list."""
PAGE_LEAST_BELOW: Final = 150  # Minimum height of the page below the list, so that twelve rows fit into a new window.
CARD_EDGES: Final = 14
LIST_MOST: Final = 640
OUTLINE: Final = 210


def arrangement_for(window: int, room: int) -> Arrangement:
    """Return the arrangement for a window width and the room next to the facets."""
    if window >= THREE_COLUMNS_FROM and room >= LIST_LEAST + PAGE_LEAST + OUTLINE_LEAST + 2 * M:
        return Arrangement.THREE
    return Arrangement.TWO if room >= LIST_LEAST + PAGE_LEAST + M else Arrangement.STACKED


class Columns:
    """Arranges list, page and outline. The splitter contains the first two."""

    def __init__(
        self, splitter: QSplitter, page: QWidget, outline: QWidget, memory: StateFile, rows: Callable[[], int]
    ) -> None:
        """`rows` returns the height of the rows shown above the page."""
        self._splitter = splitter
        self._list = cast("QWidget", splitter.widget(0))
        self._page = page
        self._outline = outline
        self._memory = memory
        self._rows = rows
        self.arrangement = Arrangement.STACKED
        self.is_reading = False
        splitter.addWidget(outline)
        outline.setMinimumWidth(OUTLINE_LEAST)
        outline.hide()
        splitter.splitterMoved.connect(lambda *_: self._store())
        # Sizes only apply after the splitter has been laid out.
        self.placing = single_shot(splitter, 0, self._place)

    def arrange(self, window: int, room: int) -> None:
        """Adapt to a new width of the window and of the room next to the facets."""
        if self.is_reading:
            self._outline.setVisible(window >= READING_OUTLINE_FROM)
        else:
            self.arrangement = arrangement_for(window, room)
            is_beside = self.arrangement is not Arrangement.STACKED
            self._splitter.setOrientation(Qt.Orientation.Horizontal if is_beside else Qt.Orientation.Vertical)
            self._list.setMinimumWidth(LIST_LEAST if is_beside else 0)
            self._page.setMinimumWidth(PAGE_LEAST if is_beside else 0)
            self._outline.setVisible(self.arrangement is Arrangement.THREE)
        self.placing.start()

    def set_reading(self, on: bool) -> None:
        """Give the page all room, or restore the shares."""
        self.is_reading = on
        self._list.setVisible(not on)
        if on:
            self._splitter.setOrientation(Qt.Orientation.Horizontal)

    def _place(self) -> None:
        """Apply the remembered sizes of list and outline. The page takes the rest."""
        is_stacked = self._splitter.orientation() is Qt.Orientation.Vertical
        whole = self._splitter.height() if is_stacked else self._splitter.width()
        first, last = self._wanted(whole)
        shown_last = last if self._outline.isVisibleTo(self._splitter) else 0
        self._splitter.setSizes([first, max(1, whole - first - shown_last - 2 * M), shown_last])

    def _wanted(self, whole: int) -> tuple[int, int]:
        """Return the sizes of the list and the outline."""
        if self.is_reading:
            return 0, OUTLINE
        stored = self._memory.get(self._key, "").split()
        if len(stored) == 2 and all(size.isdecimal() and size != "0" for size in stored):
            return int(stored[0]), int(stored[1])
        share = round(whole * LIST_SHARE[self.arrangement])
        if self.arrangement is not Arrangement.STACKED:
            return max(LIST_LEAST, min(LIST_MOST, share)), OUTLINE
        rows = self._rows() + CARD_EDGES
        return (max(share, rows) if whole - rows - M >= PAGE_LEAST_BELOW else share), OUTLINE

    def _store(self) -> None:
        if not self.is_reading:
            first, _, last = self._splitter.sizes()
            self._memory.set(self._key, f"{first} {last or OUTLINE}")

    @property
    def _key(self) -> str:
        return f"library/sizes/{self.arrangement}"


# --- Outline ---

MAX_HEADINGS: Final = 2_000
FOLLOW_MS: Final = 60  # Milliseconds after which the outline follows a page at rest.
READ_AT: Final = 0.15  # Share of the height at which the current heading is determined.
HEIGHT: Final = 28
INDENT: Final = "    "
DEEPEST: Final = 4  # Heading levels below the first that are indented.


class OutlinePanel(Card):
    """Outline of the current page. `wanted` carries the offset of the selected heading."""

    wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__(margin=0, spacing=0)
        self._starts: list[int] = []
        self.list = QListWidget()
        set_up_view(self.list, self.tr("Page outline"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setProperty("role", "sections")
        self.list.itemClicked.connect(self._choose)
        self.list.itemActivated.connect(self._choose)
        self._none = label(self.tr("No headings on this page"), "muted", wrap=True, align=Qt.AlignmentFlag.AlignTop)
        self._none.setContentsMargins(M, S, M, S)
        self._views = stack_of(self.list, self._none)
        self.body.addLayout(row(label(self.tr("On this page"), "heading"), margins=(M, M, M, S)))
        self.body.addWidget(self._views, 1)
        self.body.setContentsMargins(1, 1, 1, S)
        self.show_sections(())

    def show_sections(self, sections: Sequence[SectionRecord]) -> None:
        """Show the headings of another page, at most MAX_HEADINGS."""
        named = [each for each in sections if each.heading.strip()][:MAX_HEADINGS]
        top = min((each.level for each in named), default=1)
        self._starts = [each.start for each in named]
        self.list.clear()
        for each in named:
            depth = min(DEEPEST, each.level - top)
            item = QListWidgetItem(INDENT * depth + each.heading)
            item.setToolTip(plain_tip(each.heading))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, each.heading)
            item.setSizeHint(QSize(0, HEIGHT))
            self.list.addItem(item)
        self._views.setCurrentWidget(self.list if named else self._none)

    def follow(self, offset: int) -> None:
        """Select the heading of the section that contains an offset."""
        place = bisect_right(self._starts, offset) - 1
        if place != self.list.currentRow() and self._starts:
            self.list.setCurrentRow(max(0, place))

    def _choose(self, item: QListWidgetItem) -> None:
        self.wanted.emit(self._starts[self.list.row(item)])


ORDER, COLUMNS = "library/order", "library/columns"
TITLE_LEAST: Final = 240  # Minimum width of titles before other columns are shown.
FETCHED_WIDTH: Final = 152  # Width of a two-digit age with its icon.
WIDTHS: Final = (TITLE_LEAST, 156, 82, 74, 82, FETCHED_WIDTH, 164, 116, 136, 128, 128, 104, 104)


class LibraryTable(LongTable):
    """Table of stored pages, newest first until the user chooses another order."""

    def __init__(self, model: LibraryModel, memory: StateFile, name: str) -> None:
        super().__init__(model, name, WIDTHS, 0, least=TITLE_LEAST)
        self.move_below_when_narrow(ADDRESS)
        column, _, order = memory.get(ORDER, "").partition(" ")
        is_known = column.isdigit() and int(column) < model.columnCount()
        is_down = order == "down" or not is_known
        order_at_first = Qt.SortOrder.DescendingOrder if is_down else Qt.SortOrder.AscendingOrder
        self.enable_sorting(int(column) if is_known else FETCHED, order_at_first)
        header = self.horizontalHeader()
        down = Qt.SortOrder.DescendingOrder
        header.sortIndicatorChanged.connect(
            lambda column, order: memory.set(ORDER, f"{column} {'down' if order is down else 'up'}")
        )
        self.optional = (STATE, WAY, FETCHED, ADDRESS)
        header.moveSection(ADDRESS, 1)
        self.remember_columns(memory, COLUMNS, *CHOSEN_ONLY)
        self.let_drag(lambda: page_mime([row.id for row in self.selected]))
