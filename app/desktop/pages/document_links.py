"""The links of a document: tables of those from it and those to it, and the stored pages around it as a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.models.neighbours import summary_text, why_text
from app.desktop.pages.neighbour_view import NeighbourView
from app.desktop.panels import EmptyState
from app.desktop.tables import DataTable
from app.desktop.tokens import XS, M, S
from app.desktop.widgets import ElidedLabel, Segments, icon_button, row
from app.desktop.wording import number

if TYPE_CHECKING:
    from app.desktop.models.details import LinkingModel, LinksModel
    from app.desktop.models.neighbours import Neighbours

TALL = 420
"""From this height on, in device-independent pixels, table and graph may stand one above the other."""
NARROW = 760


OUT, IN = "out", "in"


class LinksView(QSplitter):
    """Tables and graph. `page_wanted` gives the document of a page chosen there, `link_wanted` the address of a link."""

    page_wanted = Signal(int)
    link_wanted = Signal(str)
    _found: Neighbours | None = None

    def __init__(self, model: LinksModel, linking: LinkingModel) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._links, self._linking = model, linking
        self.table = DataTable(model, self.tr("Links of the page"), (140, 120, 200), 2)
        self.table.strong_column = 0
        self.table.empty_text = self.tr("The text of this page links nowhere")
        self.table.hide_when_narrow(1)
        self.table.opened.connect(self._open_link)
        self.linking = DataTable(linking, self.tr("Pages that link here"), (170, 120, 200), 0)
        self.linking.empty_text = self.tr("No stored page links here")
        self.linking.hide_when_narrow(2, 1)
        self.linking.opened.connect(self._open_page)
        self.graph = NeighbourView()
        self.graph.opened.connect(self.page_wanted)
        self.graph.chosen.connect(self._show_words)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.addWidget(self._left())
        self.addWidget(self._right())
        self.setSizes([330, 520])
        self.clear()

    def clear(self) -> None:
        """Show no neighbours."""
        self._found = None
        self.show_counts()
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

    def show_counts(self) -> None:
        """Say how many links there are each way."""
        self.counts.show_text(self.tr("{} out, {} in").format(number(self._links.total), number(self._linking.total)))

    def _left(self) -> QWidget:
        self.way = Segments(
            self.tr("Which links are listed"),
            (
                (OUT, self.tr("From here"), self.tr("Links in the text of this page")),
                (IN, self.tr("To here"), self.tr("Stored pages that link to this one")),
            ),
        )
        self.counts = ElidedLabel("", "caption")
        self.tables = QStackedWidget()
        self.tables.addWidget(self.table)
        self.tables.addWidget(self.linking)
        self.way.chosen.connect(lambda way: self.tables.setCurrentWidget(self.linking if way == IN else self.table))
        head = QWidget()
        line = row(self.way, self.counts, spacing=M)
        line.setStretch(1, 1)
        line.setContentsMargins(M, XS, S, XS)
        head.setLayout(line)
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.tables, 1)
        return holder

    def _open_link(self, index: QModelIndex) -> None:
        link = self._links.record_at(index)
        if link is not None:
            self.link_wanted.emit(link.url)

    def _open_page(self, index: QModelIndex) -> None:
        page = self._linking.record_at(index)
        if page is not None:
            self.page_wanted.emit(page.id)

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
