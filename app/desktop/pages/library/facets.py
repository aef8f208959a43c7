"""The panel beside the table by which the pages are narrowed down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QModelIndex, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.facet_view import FacetView
from app.desktop.models.facets import Facet, FacetTree
from app.desktop.models.library import LibraryModel
from app.desktop.panels import Card
from app.desktop.tokens import XS, S
from app.desktop.widgets import button, label, row

WIDTH: Final = 216
COUNT_MS: Final = 120
"""Counts follow when the typing pauses, so that they cost no keystroke anything."""
FOLLOW_MS: Final = 1_500
"""How often they follow pages that come and go."""
FOLDED: Final = "library/folded"


class FacetPanel(Card):
    """Shows how many pages have each value, and lets the model show only some. `narrowed` follows every choice."""

    narrowed = Signal()

    def __init__(self, context: Context, model: LibraryModel) -> None:
        super().__init__(margin=0, spacing=0)
        self.setFixedWidth(WIDTH)
        self._memory = context.memory
        self._model = model
        self.tree = FacetTree(self)
        self.view = FacetView(self.tree, self.tr("Filters"))
        self._clear = button(self.tr("Clear"), self.clear, "link")
        self._clear.setAccessibleName(self.tr("Clear the filters"))
        self._build()
        self._counting = self._timer(COUNT_MS, self._begin)
        self._stepping = self._timer(0, self._count_next)
        self._following = self._timer(FOLLOW_MS, self._count_anew)
        self.tree.chosen.connect(self._choose)
        self.view.expanded.connect(self._remember)
        self.view.collapsed.connect(self._remember)
        self._totals: dict[Facet, Counter[str]] = {}
        self._left: list[tuple[bool, Facet]] = []
        model.updated.connect(self._follow)
        model.loaded.connect(self._count_anew)
        model.rearranged.connect(self._counting.start)

    def count(self) -> None:
        """Count again what each value has, all at once."""
        self._begin()
        while self._left:
            self._count_next()

    def recount(self) -> None:
        """Count again at once, because the person changed which pages there are."""
        self._count_anew()

    def clear(self) -> None:
        """Let everything through again."""
        self.tree.clear()
        self._model.clear_facets()
        self._clear.hide()
        self.narrowed.emit()

    def choose_place(self, place: str) -> None:
        """Show only the pages of one site or folder."""
        self.tree.choose(Facet.PLACE, (place,))

    @property
    def chosen(self) -> int:
        """How many values are chosen."""
        return sum(map(len, self._model.chosen.values()))

    def _build(self) -> None:
        head = QWidget()
        line = row(label(self.tr("Filters"), "heading"), 1, self._clear)
        line.setContentsMargins(S + XS, S, S, XS)
        head.setLayout(line)
        head.setFixedHeight(40)
        body = QVBoxLayout()
        body.setContentsMargins(1, 0, 1, S)
        body.addWidget(self.view)
        self.body.addWidget(head)
        self.body.addLayout(body)
        self._clear.hide()

    def _follow(self) -> None:
        if not self._following.isActive():
            self._following.start()

    def _count_anew(self) -> None:
        """The pages are others, or other ones are hidden."""
        self._following.stop()
        self._totals = {}
        self._begin()

    def _begin(self) -> None:
        """Count one facet after the other, with the window's own work in between."""
        self._left = [
            *((False, facet) for facet in Facet if facet not in self._totals),
            *((True, facet) for facet in Facet),
        ]
        self._counting.stop()
        self._stepping.start()

    def _count_next(self) -> None:
        if not self._left:
            return
        is_narrowed, facet = self._left.pop(0)
        if not is_narrowed:
            self._totals[facet] = self._model.facet_totals(facet)
            if len(self._totals) == len(Facet) and self.tree.show_totals(self._totals, self._model.total):
                self._unfold()
        else:
            narrowed = self._model.facet_counts(facet) if self._model.is_narrowed else self._totals[facet]
            self.tree.show_counts(facet, narrowed)
        if self._left:
            self._stepping.start()

    def _timer(self, interval: int, run: Callable[[], None]) -> QTimer:
        made = QTimer(self)
        made.setSingleShot(True)
        made.setInterval(interval)
        made.timeout.connect(run)
        return made

    def _choose(self, facet: int, values: frozenset[str]) -> None:
        self._model.choose(facet, values)
        self._clear.setVisible(bool(self._model.chosen))
        self._begin()
        self.narrowed.emit()

    def _unfold(self) -> None:
        """Headings as they were left; folders of a site are folded unless one of them is chosen."""
        folded = self._folded()
        self.view.blockSignals(True)
        for facet in Facet:
            self._unfold_group(facet, folded)
        self.view.blockSignals(False)

    def _unfold_group(self, facet: Facet, folded: set[str]) -> None:
        group = self.tree.index_of(facet)
        if not group.isValid():
            return
        self.view.setExpanded(group, facet.name not in folded)
        for value in self.tree.values(facet):
            site = self.tree.index_of(facet, value).parent()
            if site.isValid() and site != group:
                self.view.setExpanded(site, True)

    def _folded(self) -> set[str]:
        stored = self._memory.value(FOLDED, "")
        return set(stored.split()) if isinstance(stored, str) else set()

    def _remember(self, index: QModelIndex) -> None:
        node = self.tree.node(index)
        if node is None or node.parent is not None:
            return
        folded = self._folded()
        folded.discard(node.facet.name)
        if not self.view.isExpanded(index):
            folded.add(node.facet.name)
        self._memory.setValue(FOLDED, " ".join(sorted(folded)))
