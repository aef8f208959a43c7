"""Tabs of a document: passages, links with the neighbor graph, and metadata."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QSplitter, QWidget

from app.desktop import widgets
from app.desktop.exports import breakable, wrapped
from app.desktop.flags import FlaggedPassage, flagged, text_flags
from app.desktop.models.details import HEADING, ChunksModel
from app.desktop.models.document import Fact, Facts, Group, groups_of
from app.desktop.models.neighbours import Neighbours, summary_text, why_text
from app.desktop.models.rows import ROW_ROLE, RowsModel
from app.desktop.pages.graph_canvas import STEP
from app.desktop.pages.library.neighbours import NeighbourView
from app.desktop.pages.parts import Scrolled, stack_of, text_box
from app.desktop.panels import EmptyState, Line
from app.desktop.tables import DataTable
from app.desktop.tokens import TALL_ROW, XL, XS, L, M, S
from app.desktop.wording import number, spoken
from app.library.records import Document, DocumentSummary, LinkRecord

TALL_LINKS = 420  # Minimum height, in device-independent pixels, to stack the table and the graph.
NARROW_LINKS = 760
LINK_LEAST = 280  # Minimum width of links with their address below before the Site column is shown.
OUT, IN = "out", "in"
NAME_WIDTH = 132
COPY_ICON = 14


class ChunksView(QSplitter):
    """Table at the left, text at the right. `chosen` carries the offsets of the current row, `wanted` requests to show them in the page."""

    chosen = Signal(int, int)
    wanted = Signal(int, int)

    def __init__(self, model: ChunksModel) -> None:
        super().__init__(Qt.Orientation.Horizontal, handleWidth=1, childrenCollapsible=False)
        self._model = model
        self.table = DataTable(model, self.tr("Page passages"), (44, 150, 84, 116, 116, 200), HEADING)
        self.table.optional = (3, 4)
        self.table.empty_text = self.tr("No passages yet")
        self.table.current_changed.connect(self._show)
        self.table.opened.connect(lambda _index: self._want())
        self.text = text_box(self.tr("Passage text"))
        self.flags = widgets.label("", "warning", wrap=True, margins=(L, S, L, S))
        self.flags.hide()
        self.addWidget(self.table)
        self.facts = widgets.ElidedLabel("", "caption")
        self.show_button = widgets.button(self.tr("Show in page"), self._want, "link")
        head = widgets.row(self.facts, margins=(L, S, M, 0))
        foot = widgets.row(1, self.show_button, margins=(L, XS, S, 0))
        self.addWidget(widgets.held(widgets.column(head, self.flags, (self.text, 1), widgets.held(foot), spacing=0)))
        self.setSizes([460, 380])
        self.clear()

    def clear(self) -> None:
        self._model.replace(())
        self._show_none()

    def _show_none(self) -> None:
        self.text.clear()
        self.flags.hide()
        self.facts.show_text("")
        self.show_button.setEnabled(False)

    def _show(self, index: QModelIndex) -> None:
        chunk = self._model.record_at(index)
        if chunk is None:
            self._show_none()
            return
        self.text.setPlainText(chunk.text)
        widgets.show_words(self.flags, flagged(text_flags(chunk.text)))
        self.facts.show_text(self._model.facts_text(chunk))
        self.show_button.setEnabled(True)
        self.chosen.emit(chunk.start, chunk.end)

    def _want(self) -> None:
        chunk = self._model.record_at(self.table.currentIndex())
        if chunk is not None:
            self.wanted.emit(chunk.start, chunk.end)


class LinksView(QSplitter):
    """Tables and graph of links. `page_wanted` carries the document of a selected page, `link_wanted` the address of a link.

    `setting_wanted` requests the graph setting.
    """

    page_wanted = Signal(int)
    setting_wanted = Signal()
    link_wanted = Signal(str)
    _found: Neighbours | None = None

    def __init__(self, model: RowsModel[LinkRecord], linking: RowsModel[DocumentSummary]) -> None:
        super().__init__(Qt.Orientation.Horizontal, handleWidth=1, childrenCollapsible=False)
        self._links, self._linking = model, linking
        self.table = DataTable(model, self.tr("Page links"), (200, 140), 0, least=LINK_LEAST)
        self.table.empty_text = self.tr("No links on this page")
        self.table.opened.connect(lambda index: self.link_wanted.emit(index.data(ROW_ROLE).url))
        self.linking = DataTable(linking, self.tr("Pages that link here"), (200, 140), 0, least=LINK_LEAST)
        self.linking.empty_text = self.tr("No stored pages link here")
        self.linking.opened.connect(lambda index: self.page_wanted.emit(index.data(ROW_ROLE).id))
        for table in (self.table, self.linking):
            table.set_row_height(TALL_ROW)
            table.optional = (1,)
        self.graph = NeighbourView()
        self.graph.opened.connect(self.page_wanted)
        self.graph.chosen.connect(self._show_words)
        ways = (
            (OUT, self.tr("Outgoing"), self.tr("Links in the text of this page")),
            (IN, self.tr("Incoming"), self.tr("Stored pages that link to this one")),
        )
        self.way = widgets.Segments(self.tr("Links to list"), ways)
        self.counts = widgets.ElidedLabel("", "caption")
        self.tables = stack_of(self.table, self.linking)
        self.way.chosen.connect(lambda way: self.tables.setCurrentWidget(self.linking if way == IN else self.table))
        head = widgets.row(self.way, (self.counts, 1), spacing=M, margins=(M, XS, S, XS))
        self.addWidget(widgets.held(widgets.column(widgets.held(head), (self.tables, 1), spacing=0)))
        self.addWidget(self._right())
        self.setSizes([300, 560])
        self.clear()

    def clear(self) -> None:
        self._found = None
        self._links.replace(())
        self._linking.replace(())
        self.show_counts()
        self.states.setCurrentWidget(self._blank)
        self._show_words()

    def show_neighbours(self, found: Neighbours) -> None:
        """Draw the neighbors, or show why there are none."""
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
        upright = self.width() < NARROW_LINKS and self.height() >= TALL_LINKS
        self.setOrientation(Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal)

    def show_counts(self) -> None:
        self.counts.show_text(
            self.tr("{} outgoing, {} incoming").format(number(self._links.total), number(self._linking.total))
        )

    def _right(self) -> QWidget:
        self.words = widgets.ElidedLabel("", "caption")
        self.buttons = (
            widgets.icon_button("minus", self.tr("Zoom out"), partial(self.graph.zoom, 1 / STEP), "-"),
            widgets.icon_button("add", self.tr("Zoom in"), partial(self.graph.zoom, STEP), "+"),
            widgets.icon_button("fit", self.tr("Show all"), self.graph.show_everything, "0"),
        )
        self._blank = QWidget()
        words = self.tr("Pages that link here or are linked from here appear once they are stored.")
        self.empty = EmptyState("library", self.tr("No linked pages in the library"), words)
        words = self.tr("Turn it on and restart WebRAG to see the pages around this one.")
        setting = widgets.button(self.tr("Open setting"), self.setting_wanted.emit)
        self.disabled = EmptyState("info", self.tr("The graph is turned off"), words, setting)
        self.states = stack_of(self._blank, self.graph, self.empty, self.disabled)
        head = widgets.held(widgets.row((self.words, 1), *self.buttons, spacing=2, margins=(M, XS, S, XS)))
        self._head = head
        return widgets.framed("beside", widgets.column(head, (self.states, 1), spacing=0))

    def _show_words(self) -> None:
        """Explain why the selected page is shown, or summarize the graph."""
        found, is_drawn = self._found, self.states.currentWidget() is self.graph
        self._head.setVisible(is_drawn)
        if found is not None and is_drawn:
            current = self.graph.current
            self.words.show_text(why_text(current) if current is not None else summary_text(found))


class MetadataView(Scrolled):
    """Groups of facts. `passages_wanted` carries the ranges of flagged passages to show, and `copy` gets a fact."""

    passages_wanted = Signal(list)

    def __init__(self, copy: Callable[[Fact], object]) -> None:
        super().__init__("plain")
        self._copy = copy
        self.setAccessibleName(self.tr("Page metadata"))
        self._document: Document | None = None
        self._summary: DocumentSummary | None = None
        self._facts: Facts | None = None
        self._shown: list[Group] = []
        self._must_draw = False

    def clear(self) -> None:
        self._document = self._summary = self._facts = None
        self._fill()

    def show_document(self, document: Document, summary: DocumentSummary) -> None:
        """Show the known facts. Freshness and flags follow with `show_facts`."""
        if self._document is None or self._document.id != document.id:
            self._facts = None
        self._document, self._summary = document, summary
        self._fill()

    def show_facts(self, facts: Facts) -> None:
        """Add facts that were requested from the engine."""
        self._facts = facts
        self._fill()

    def values(self) -> dict[str, str]:
        return {fact.name: fact.value for group in self._groups() for fact in group.facts}

    def rewrite_times(self) -> None:
        """Update the facts if a relative time has changed."""
        if self._groups() != self._shown:
            self._fill()

    def _groups(self) -> list[Group]:
        if self._document is None or self._summary is None:
            return []
        return groups_of(self._document, self._summary, self._facts)

    def _fill(self) -> None:
        # A page has about a hundred widgets, and during a crawl the current page can change every second.
        self._must_draw = not self.isVisible()
        if not self._must_draw:
            self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        if self._must_draw:
            self._must_draw = False
            self._draw()
        super().showEvent(event)

    def _draw(self) -> None:
        self._shown = self._groups()
        place = self.verticalScrollBar().value()
        content = QWidget()
        content.setProperty("role", "plain")
        layout = widgets.column(spacing=M, margins=(XL, L, XL, XL), parent=content)
        for position, group in enumerate(self._shown):
            if position:
                layout.addWidget(Line())
            layout.addWidget(self._group(group))
        layout.addStretch(1)
        self.setWidget(content)
        self.verticalScrollBar().setValue(place)

    def _group(self, group: Group) -> QWidget:
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, XS, 0, XS)
        grid.setHorizontalSpacing(L)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, NAME_WIDTH)
        grid.addWidget(widgets.label(group.title, "strong"), 0, 0, 1, 3)
        for place, fact in enumerate(group.facts, 1):
            self._add_fact(grid, place, fact)
        for passage in group.passages:
            grid.addWidget(self._passage(passage), grid.rowCount(), 0, 1, 3)
        if len(group.passages) > 1:
            spans = [(each.start, each.end) for each in group.passages]
            every = widgets.button(self.tr("Show all in text"), lambda: self.passages_wanted.emit(spans), "link")
            grid.addWidget(every, grid.rowCount(), 0, 1, 3, Qt.AlignmentFlag.AlignLeft)
        return holder

    def _add_fact(self, grid: QGridLayout, place: int, fact: Fact) -> None:
        name = widgets.label(fact.name, "muted", tip=fact.tip)
        value = widgets.label(
            breakable(fact.value) if fact.can_copy else wrapped(fact.value), "", wrap=True, selectable=True
        )
        value.setAccessibleName(f"{fact.name}: {fact.value}")
        value.setToolTip(fact.tip)
        name.setBuddy(value)
        grid.addWidget(name, place, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(value, place, 1, Qt.AlignmentFlag.AlignTop)
        if fact.can_copy:
            copy = widgets.icon_button("copy", self.tr("Copy: {}").format(fact.name), lambda: self._copy(fact))
            copy.setIconSize(QSize(COPY_ICON, COPY_ICON))
            copy.setFixedSize(COPY_ICON + 12, COPY_ICON + 12)
            grid.addWidget(copy, place, 2, Qt.AlignmentFlag.AlignTop)

    def _passage(self, passage: FlaggedPassage) -> QWidget:
        """Build a flagged passage: its flags, its first words, and a link to it."""
        flags = widgets.label(", ".join(map(spoken, passage.flags)), "strong", wrap=True)
        begin = widgets.label(self.tr("“{}”").format(passage.words), "muted", wrap=True)
        words = widgets.column(flags, begin, spacing=2)
        show = widgets.button(
            self.tr("Show in text"), lambda: self.passages_wanted.emit([(passage.start, passage.end)]), "link"
        )
        line = widgets.row(widgets.ThemedIcon("flag", 18, "warning"), (words, 1), show, spacing=M, margins=(M, S, S, S))
        return widgets.framed("example", line)
