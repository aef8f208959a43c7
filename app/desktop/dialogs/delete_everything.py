"""Deleting what WebRAG keeps: chosen by kind, and confirmed by a word, because nothing brings it back."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QVBoxLayout, QWidget

from app.desktop.tokens import XL, L, M, S
from app.desktop.widgets import button, label, row
from app.engine.erasing import Kept


class DeleteDialog(QDialog):
    """Accepted with something chosen and the word written."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Delete what is kept"))
        self.setMinimumWidth(520)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, L)
        column.setSpacing(M)
        column.addWidget(label(self.tr("Delete what WebRAG keeps on this computer?"), "heading"))
        column.addWidget(
            label(self.tr("Nothing brings it back but a backup that you made elsewhere."), "muted", wrap=True)
        )
        titles = {
            Kept.LIBRARY: (
                self.tr("Library"),
                self.tr("Pages, vectors, activity, jobs, pinned passages and earlier libraries"),
            ),
            Kept.LOGS: (self.tr("Log files"), self.tr("Those of today and of the days before")),
            Kept.SECRETS: (self.tr("Keys"), self.tr("Keys of providers and the access token, in the keyring too")),
            Kept.SETTINGS: (self.tr("Settings"), self.tr("Everything goes back to its default")),
        }
        self.boxes = {kind: QCheckBox(title) for kind, (title, _) in titles.items()}
        for kind, box in self.boxes.items():
            box.setChecked(kind in (Kept.LIBRARY, Kept.LOGS))
            box.setAccessibleDescription(titles[kind][1])
            box.toggled.connect(self._follow)
            explained = label(titles[kind][1], "muted", wrap=True)
            explained.setIndent(XL)
            entry = QVBoxLayout()
            entry.setSpacing(0)
            entry.addWidget(box)
            entry.addWidget(explained)
            column.addLayout(entry)
        column.addSpacing(S)
        self.word = self.tr("delete")
        asked = label(self.tr("Write “{}” to confirm").format(self.word), "strong")
        self.line = QLineEdit()
        asked.setBuddy(self.line)
        self.line.setAccessibleName(asked.text())
        self.line.textChanged.connect(self._follow)
        column.addWidget(asked)
        column.addWidget(self.line)
        column.addSpacing(S)
        self.cancel = button(self.tr("Cancel"), self.reject)
        self.confirm = button(self.tr("Delete for good"), self.accept, "danger")
        column.addLayout(row(1, self.cancel, self.confirm))
        self._follow()

    @property
    def kinds(self) -> frozenset[Kept]:
        """What is to be deleted."""
        return frozenset(kind for kind, box in self.boxes.items() if box.isChecked())

    def _follow(self) -> None:
        written = self.line.text().strip().casefold() == self.word.casefold()
        self.confirm.setEnabled(written and bool(self.kinds))
        # Who wrote the word and presses Enter means it; before that Enter changes nothing.
        (self.confirm if self.confirm.isEnabled() else self.cancel).setDefault(True)
