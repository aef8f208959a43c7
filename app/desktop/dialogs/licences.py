"""The packages WebRAG is made with, and the licence of each in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.desktop.context import Context
from app.desktop.theme import mono_font
from app.desktop.tokens import XL, L, M, S
from app.desktop.widgets import button, label, row
from app.desktop.wording import counted

if TYPE_CHECKING:
    from app.engine.licences import Package

LIST_WIDTH = 250
ENTRY_HEIGHT = 28


class LicencesDialog(QDialog):
    """Names at the left, the text of the chosen one at the right."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Licences"))
        self.resize(860, 560)
        self._packages: tuple[Package, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, L)
        column.setSpacing(M)
        column.addWidget(label(self.tr("What WebRAG is made with"), "heading"))
        self.count = label(self.tr("Reading the licences…"), "muted")
        column.addWidget(self.count)
        column.addLayout(self._panes(), 1)
        close = button(self.tr("Close"), self.accept)
        close.setDefault(True)
        column.addLayout(row(1, close))
        context.thread.run_blocking(_read, self.show_packages, context.notifier.complain, owner=self)

    def show_packages(self, packages: Sequence[Package]) -> None:
        """List them."""
        self._packages = tuple(packages)
        for each in packages:
            item = QListWidgetItem(f"{each.name} {each.version}", self.list)
            item.setData(Qt.ItemDataRole.UserRole, each.name)
            item.setToolTip(each.licence)
            item.setSizeHint(QSize(0, ENTRY_HEIGHT))
        self.count.setText(counted(len(packages), self.tr("1 package"), self.tr("{} packages")))
        self.list.setCurrentRow(0)

    def _panes(self) -> QHBoxLayout:
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Find a package or a licence"))
        self.filter.setAccessibleName(self.filter.placeholderText())
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._narrow)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Packages"))
        self.list.setProperty("role", "sections")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFixedWidth(LIST_WIDTH)
        self.filter.setFixedWidth(LIST_WIDTH)
        self.list.currentRowChanged.connect(self._show)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setFont(mono_font(0.9))
        self.text.setAccessibleName(self.tr("Licence"))
        left = QVBoxLayout()
        left.setSpacing(S)
        left.addWidget(self.filter)
        left.addWidget(self.list, 1)
        panes = QHBoxLayout()
        panes.setSpacing(M)
        panes.addLayout(left)
        panes.addWidget(self.text, 1)
        return panes

    def _show(self, place: int) -> None:
        if not 0 <= place < len(self._packages):
            return
        each = self._packages[place]
        head = "\n".join(filter(None, (f"{each.name} {each.version}", each.licence, each.page)))
        self.text.setPlainText(f"{head}\n\n{each.text or self.tr('This package brings no text of its licence.')}")

    def _narrow(self, text: str) -> None:
        wanted = text.casefold().strip()
        for place, each in enumerate(self._packages):
            self.list.item(place).setHidden(wanted not in f"{each.name} {each.licence}".casefold())


def _read() -> tuple[Package, ...]:
    from app.engine.licences import packages

    return packages()
