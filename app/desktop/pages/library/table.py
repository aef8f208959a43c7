"""Table of stored pages with remembered columns and sort order."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSettings, Qt

from app.desktop.long_table import LongTable
from app.desktop.models.labels import page_mime
from app.desktop.models.library import ADDRESS, CHOSEN_ONLY, FETCHED, STATE, WAY, LibraryModel

ORDER, COLUMNS = "library/order", "library/columns"
TITLE_LEAST: Final = 240  # Minimum width of titles before other columns are shown.
FETCHED_WIDTH: Final = 152  # Width of a two-digit age with its icon.
WIDTHS: Final = (TITLE_LEAST, 156, 82, 74, 82, FETCHED_WIDTH, 164, 116, 136, 128, 128, 104, 104)


class LibraryTable(LongTable):
    """Table of stored pages, newest first until the user chooses another order."""

    def __init__(self, model: LibraryModel, memory: QSettings, name: str) -> None:
        super().__init__(model, name, WIDTHS, 0, least=TITLE_LEAST)
        self._memory = memory
        self.move_below_when_narrow(ADDRESS)
        column, _, order = str(memory.value(ORDER, "")).partition(" ")
        is_known = column.isdigit() and int(column) < model.columnCount()
        is_down = order == "down" or not is_known
        self.enable_sorting(
            int(column) if is_known else FETCHED,
            Qt.SortOrder.DescendingOrder if is_down else Qt.SortOrder.AscendingOrder,
        )
        header = self.horizontalHeader()
        header.sortIndicatorChanged.connect(self._store_order)
        self.hide_when_narrow(STATE, WAY, FETCHED, ADDRESS)
        header.moveSection(ADDRESS, 1)
        self.remember_columns(memory, COLUMNS, *CHOSEN_ONLY)
        self.let_drag(lambda: page_mime([row.id for row in self.selected]))

    def _store_order(self, column: int, order: Qt.SortOrder) -> None:
        self._memory.setValue(ORDER, f"{column} {'down' if order is Qt.SortOrder.DescendingOrder else 'up'}")
