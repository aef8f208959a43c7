"""Details of the selected package, and its actions."""

from __future__ import annotations

from PySide6.QtCore import Signal

from app.desktop.models.packages import PackageRow, contents_text, source_text, state_text, use_text
from app.desktop.pages.parts import FactGrid, Scrolled
from app.desktop.panels import Card
from app.desktop.tokens import XL, L, M, S
from app.desktop.widgets import ElidedLabel, button, column, held, row
from app.desktop.wording import ago, rough_size


class PackagePane(Card):
    """One package. Its actions are signals, because the page knows the selection."""

    add_wanted = Signal()
    library_wanted = Signal()
    remove_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(margin=1, spacing=0)
        self.setAccessibleName(self.tr("Package details"))
        self.body.setContentsMargins(1, 1, 1, S)
        self._title, self._id = ElidedLabel("", "strong"), ElidedLabel("", "muted")
        self.add = button(self.tr("Add documentation…"), self.add_wanted.emit, "", "add")
        self.show_pages = button(self.tr("Open in Library"), self.library_wanted.emit, "", "library")
        self.remove = button(self.tr("Remove"), self.remove_wanted.emit, "", "trash")
        actions = self.add, self.show_pages, self.remove
        head = row((column(self._title, self._id, spacing=0), 1), *actions, spacing=S, margins=(L, M, M, S))
        self._grid = FactGrid()
        self._grid.setContentsMargins(L, S, L, M)
        self._grid.setHorizontalSpacing(XL)
        content = held(column(self._grid, 1))
        content.setProperty("role", "plain")
        self.body.addLayout(head)
        self.body.addWidget(Scrolled("plain", content), 1)
        self.values = self._grid.values
        self.show_package(None)

    def show_package(self, shown: PackageRow | None) -> None:
        """Show a package, or none."""
        self._title.show_text(shown.package.shown if shown is not None else "")
        self._id.show_text(shown.id if shown is not None else "")
        self._grid.show_facts(self._facts(shown) if shown is not None else ())
        self.add.setVisible(shown is not None and shown.can_add)
        self.show_pages.setVisible(shown is not None and shown.is_stored)
        self.remove.setVisible(shown is not None and shown.stored is not None)

    def _facts(self, shown: PackageRow) -> list[tuple[str, str]]:
        stored = shown.stored
        return [
            (self.tr("In the project"), use_text(shown)),
            (self.tr("Documentation"), source_text(shown)),
            (self.tr("Contents"), contents_text(shown)),
            (self.tr("State"), state_text(shown)),
            (self.tr("Other added versions"), ", ".join(shown.others)),
            (self.tr("Size"), self.tr("about {}").format(rough_size(shown.disk_bytes)) if shown.disk_bytes else ""),
            (self.tr("Last asked"), ago(stored.asked_at) if stored is not None else ""),
        ]
