"""Home: does it work, what is wrong, who is connected, what is stored, what happened last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.models.activity import ActivityModel
from app.desktop.models.clients import ClientsModel
from app.desktop.pages.home_assistants import AssistantsCard
from app.desktop.pages.home_calls import LatestCalls
from app.desktop.pages.home_checklist import Checklist
from app.desktop.pages.home_line import MOST_LINES
from app.desktop.pages.home_newest import NewestPages
from app.desktop.pages.home_problems import Problems
from app.desktop.pages.home_state import StateCard
from app.desktop.pages.home_tiles import Tiles
from app.desktop.pages.page import Page
from app.desktop.tokens import L
from app.desktop.widgets import button
from app.errors import WebRAGError
from app.events import DocumentChanged, Event

if TYPE_CHECKING:
    from app.corpus.records import CorpusStatus

RECOUNT_MS = 500
LEAST_CALLS, LEAST_PAGES = 5, 1


class HomePage(Page):
    """The first thing one sees."""

    name = "home"
    icon_name = "home"

    def __init__(self, context: Context, activity: ActivityModel, clients: ClientsModel) -> None:
        super().__init__(
            context,
            self.tr("Home"),
            self.tr("Answers with quotes that can be checked, for the assistants on this computer."),
        )
        self._recount = QTimer(self)
        self._recount.setSingleShot(True)
        self._recount.setInterval(RECOUNT_MS)
        self._recount.timeout.connect(self._count)
        self.header.add(button(self.tr("Add page"), lambda: context.add_page(""), "primary", "add"))
        self.state = StateCard(context)
        self.problems = Problems(context)
        self.tiles = Tiles()
        self.checklist = Checklist(context, activity, clients)
        self.assistants = AssistantsCard(context, clients)
        self.newest = NewestPages(context)
        self.calls = LatestCalls(context, activity)
        self._build()

    def engine_ready(self) -> None:
        self._count()

    def take(self, events: list[Event]) -> None:
        self.calls.take(events)
        if not self._recount.isActive() and any(isinstance(event, DocumentChanged) for event in events):
            self._recount.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_soon.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._content:
            # Before the new layout: lines without room are taken away in the same moment as others come.
            if event.type() is QEvent.Type.LayoutRequest:
                self._fit()
        elif event.type() in (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Resize):
            self._fit_soon.start()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """As many lines as the window has room for, so that nothing has to be scrolled where that can be helped."""
        above = sum(
            widget.sizeHint().height() + L
            for widget in (self.state, self.problems, self.checklist, self.tiles)
            if not widget.isHidden()
        )
        room = self._scroll.viewport().height() - above
        beside = self.assistants.sizeHint().height() + L
        self.newest.show_room(room - beside, LEAST_PAGES)
        self.calls.show_room(max(room, beside + self.newest.sizeHint().height()), LEAST_CALLS)

    def _build(self) -> None:
        self._fit_soon = QTimer(self)
        self._fit_soon.setSingleShot(True)
        self._fit_soon.setInterval(0)
        self._fit_soon.timeout.connect(self._fit)
        for watched in (self.problems, self.checklist, self.assistants):
            watched.installEventFilter(self)
        self._content = content = QWidget()
        content.installEventFilter(self)
        column = QVBoxLayout(content)
        # The scroll area learns of a higher content only afterwards: until then its lines would be pressed into each other.
        column.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(L)
        for widget in (self.state, self.problems, self.checklist, self.tiles):
            column.addWidget(widget)
        left = QVBoxLayout()
        left.setSpacing(L)
        left.addWidget(self.assistants)
        left.addWidget(self.newest, 1)
        columns = QHBoxLayout()
        columns.setSpacing(L)
        columns.addLayout(left, 1)
        columns.addWidget(self.calls, 1)
        column.addLayout(columns)
        column.addStretch(1)
        self._scroll = scroll = QScrollArea()
        scroll.setProperty("role", "page")
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(content)
        self.column.addWidget(scroll, 1)

    def _count(self) -> None:
        self.context.thread.submit(
            lambda engine: engine.status(limit=MOST_LINES), self._show_counts, self._no_counts, owner=self
        )

    def _show_counts(self, status: CorpusStatus) -> None:
        self.tiles.show_totals(status.totals)
        self.newest.show_pages(status.documents)
        own = any(row.kind != "guide" for row in status.documents) or status.totals.documents > MOST_LINES
        self.checklist.note_content(own)

    def _no_counts(self, _error: WebRAGError) -> None:
        """The problem is told above; numbers of a corpus that cannot be read would be wrong."""
        self.tiles.show_nothing()
