"""The links of a document: a table of them, and the stored pages around it as a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.models.neighbours import summary_text, why_text
from app.desktop.pages.neighbour_view import NeighbourView
from app.desktop.panels import EmptyState
from app.desktop.tables import DataTable
from app.desktop.tokens import XS, M, S
from app.desktop.widgets import ElidedLabel, icon_button, row

if TYPE_CHECKING:
    from app.desktop.models.details import LinksModel
    from app.desktop.models.neighbours import Neighbours

TALL = 420
"""From this height on, in device-independent pixels, table and graph may stand one above the other."""
NARROW = 760


class LinksView(QSplitter):
    """Table and graph. `page_wanted` gives the document of a page chosen in the graph."""

    page_wanted = Signal(int)
    _found: Neighbours | None = None

    def __init__(self, model: LinksModel) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.table = DataTable(model, self.tr("Links of the page"), (140, 130, 200), 2)
        self.table.strong_column = 0
        self.table.empty_text = self.tr("The text of this page links nowhere")
        self.table.hide_when_narrow(1)
        self.graph = NeighbourView()
        self.graph.opened.connect(self.page_wanted)
        self.graph.chosen.connect(self._show_words)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.addWidget(self.table)
        self.addWidget(self._right())
        self.setSizes([310, 540])
        self.clear()

    def clear(self) -> None:
        """Show no neighbours."""
        self._found = None
        self.states.setCurrentWidget(self._blank)
        self._show_words()

    def show_neighbours(self, found: Neighbours) -> None:
        """Draw what stands around the page, or say why there is nothing to draw."""
        self._found = found
        if found.is_disabled:
            self.states.setCurrentWidget(self.disabled)
        elif not found.around:
            self.states.setCurrentWidget(self.empty)
        else:
            self.states.setCurrentWidget(self.graph)
            self.graph.show_neighbours(found)
        self._show_words()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        upright = self.width() < NARROW and self.height() >= TALL
        self.setOrientation(Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal)

    def _right(self) -> QWidget:
        self.words = ElidedLabel("", "caption")
        self.buttons = (
            icon_button("minus", self.tr("Smaller"), self.graph.zoom_out, "-"),
            icon_button("add", self.tr("Larger"), self.graph.zoom_in, "+"),
            icon_button("fit", self.tr("Show everything"), self.graph.show_everything, "0"),
        )
        self._blank = QWidget()
        self.empty = EmptyState(
            "library",
            self.tr("No stored page is linked with this one"),
            self.tr("Pages that link here, or that are linked from here, appear once they are stored."),
        )
        self.disabled = EmptyState(
            "info",
            self.tr("The graph is switched off"),
            self.tr("Set GRAPH_ENABLED to true and start WebRAG again to see the pages around this one."),
        )
        self.states = QStackedWidget()
        for widget in (self._blank, self.graph, self.empty, self.disabled):
            self.states.addWidget(widget)
        head = QWidget()
        line = row(self.words, *self.buttons, spacing=2)
        line.setStretch(0, 1)
        line.setContentsMargins(M, XS, S, XS)
        head.setLayout(line)
        holder = QFrame()
        holder.setProperty("role", "beside")
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.states, 1)
        self._head = head
        return holder

    def _show_words(self) -> None:
        """Why the chosen page is there, else the picture in one sentence."""
        found, current = self._found, self.graph.current
        is_drawn = self.states.currentWidget() is self.graph
        self._head.setVisible(is_drawn)
        if found is not None and is_drawn:
            self.words.show_text(why_text(current) if current is not None else summary_text(found))
