"""The palette's lines as a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.desktop.palette.entries import Entry

ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1
HEADS_ROLE = Qt.ItemDataRole.UserRole + 2
"""Whether a line is the first of its group."""

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


class EntryModel(QAbstractListModel):
    """Entries, group after group."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: list[Entry] = []

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Replace all lines."""
        self.beginResetModel()
        self.entries = list(entries)
        self.endResetModel()

    def entry_at(self, index: Index) -> Entry | None:
        place = index.row()
        return self.entries[place] if index.isValid() and place < len(self.entries) else None

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self.entry_at(index)
        if entry is None:
            return None
        if role == ENTRY_ROLE:
            return entry
        if role == HEADS_ROLE:
            return index.row() == 0 or self.entries[index.row() - 1].group is not entry.group
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return ", ".join(part for part in (entry.title, entry.detail, entry.shortcut) if part)
        return None
