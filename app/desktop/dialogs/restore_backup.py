"""Before a backup takes the place of what is stored: what it holds, what is replaced, and where that stays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QVBoxLayout, QWidget

from app.desktop.tokens import XL, L, M, S
from app.desktop.widgets import ElidedLabel, button, label, row
from app.desktop.wording import counted, full_time, number, size

if TYPE_CHECKING:
    from app.corpus.records import BackupFacts, CorpusTotals


class RestoreDialog(QDialog):
    """Accepted when the person wants the backup."""

    def __init__(self, path: Path, backup: BackupFacts, present: CorpusTotals, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Restore a backup"))
        self.setMinimumWidth(580)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, L)
        column.setSpacing(M)
        column.addWidget(label(self.tr("Put this backup in the place of your library?"), "heading"))
        self.path = ElidedLabel(str(path), "muted", Qt.TextElideMode.ElideMiddle)
        column.addWidget(self.path)
        column.addLayout(self._table(backup, present))
        keep = counted(
            present.documents,
            self.tr("The page you have now stays as a copy beside it, so this can be taken back."),
            self.tr("The {} pages you have now stay as a copy beside it, so this can be taken back."),
        )
        column.addWidget(label(keep, "", wrap=True))
        column.addWidget(
            label(
                self.tr(
                    "The backup is checked first. Then WebRAG's engine restarts; calls under way end with an error."
                ),
                "muted",
                wrap=True,
            )
        )
        column.addSpacing(S)
        cancel = button(self.tr("Cancel"), self.reject)
        self.restore = button(self.tr("Restore"), self.accept, "primary")
        self.restore.setDefault(False)
        cancel.setDefault(True)
        column.addLayout(row(1, cancel, self.restore))
        cancel.setFocus()

    def _table(self, backup: BackupFacts, present: CorpusTotals) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(XL)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(0, 1)
        rows = [
            ("", self.tr("Backup"), self.tr("Your library now")),
            (self.tr("Pages"), number(backup.documents), number(present.documents)),
            (self.tr("Chunks"), number(backup.chunks), number(present.chunks)),
            (self.tr("Size"), size(backup.file_bytes), size(present.file_bytes)),
            (self.tr("Written"), full_time(backup.written_at), self.tr("in use")),
            (self.tr("Newest page read"), full_time(backup.newest), ""),
        ]
        for place, (title, there, here) in enumerate(rows):
            grid.addWidget(label(title, "muted"), place, 0)
            grid.addWidget(label(there, "strong"), place, 1)
            grid.addWidget(label(here, "muted" if place else "strong"), place, 2)
        return grid
