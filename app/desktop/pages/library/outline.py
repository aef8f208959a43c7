"""The headings of the page in view: which one is being read, and a click away from each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QStackedWidget

from app.desktop.panels import Card
from app.desktop.tokens import M, S
from app.desktop.widgets import label, row
from app.desktop.wording import plain_tip

if TYPE_CHECKING:
    from app.library.records import SectionRecord

MAX_HEADINGS: Final = 2_000
HEIGHT: Final = 28
INDENT: Final = "    "
DEEPEST: Final = 4
"""Levels below the first that are set in further."""


class OutlinePanel(Card):
    """`wanted` gives the offset of the heading that was chosen."""

    wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__(margin=0, spacing=0)
        self._starts: list[int] = []
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Outline of the page"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setProperty("role", "sections")
        self.list.itemClicked.connect(self._choose)
        self.list.itemActivated.connect(self._choose)
        self._none = label(self.tr("This page has no headings."), "muted", wrap=True)
        self._none.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._none.setContentsMargins(M, S, M, S)
        head = row(label(self.tr("On this page"), "heading"))
        head.setContentsMargins(M, M, M, S)
        self._views = QStackedWidget()
        self._views.addWidget(self.list)
        self._views.addWidget(self._none)
        self.body.addLayout(head)
        self.body.addWidget(self._views, 1)
        self.body.setContentsMargins(1, 1, 1, S)
        self.show_sections(())

    def show_sections(self, sections: Sequence[SectionRecord]) -> None:
        """The headings of another page; those beyond MAX_HEADINGS are left out."""
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
        """Mark the heading under which a place of the text stands."""
        place = bisect_right(self._starts, offset) - 1
        if place != self.list.currentRow() and self._starts:
            self.list.setCurrentRow(max(0, place))

    def _choose(self, item: QListWidgetItem) -> None:
        self.wanted.emit(self._starts[self.list.row(item)])
