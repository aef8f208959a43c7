"""Search: the corpus asked as an assistant would ask it, with the exact text the assistant would get."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from app import caps
from app.desktop.context import Context
from app.desktop.engine_thread import Job
from app.desktop.hit_delegate import HitDelegate
from app.desktop.icons import icon
from app.desktop.models.hits import HitsModel
from app.desktop.pages.page import Page
from app.desktop.panels import Card, EmptyState, Line, TableCard
from app.desktop.theme import mono_font
from app.desktop.tokens import L, M, S
from app.desktop.widgets import Badge, Segments, button, icon_button, label, row
from app.desktop.wording import counted, duration, number
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.engine import Engine
    from app.orchestration.result import OrchestrationResult

HEAD_HEIGHT = 40


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """A result and how the tool `search` would word it."""

    result: OrchestrationResult
    text: str
    tokens: int


async def ask(engine: Engine, query: str, mode: str) -> SearchOutcome:
    """Search, and render the result with the budget of an unknown assistant."""
    from app.server.calls.limits import effective_budget
    from app.server.render.answer import search_text

    result = await engine.search(query, mode=mode)
    budget = effective_budget(engine.settings, "")
    text = await asyncio.to_thread(search_text, result, budget=budget, count=engine.count_tokens, now=time.time())
    return SearchOutcome(result, text, await asyncio.to_thread(engine.count_tokens, text))


class SearchPage(Page):
    """Query and mode above, hits left, tool text right."""

    name = "search"
    icon_name = "search"
    document_wanted = Signal(int)

    def __init__(self, context: Context) -> None:
        super().__init__(
            context,
            self.tr("Search"),
            self.tr("Ask your corpus as an assistant would. Nothing is fetched from the web."),
        )
        self._job: Job | None = None
        self.hits = HitsModel(self)
        self._build_query()
        self._build_results()

    def activate(self) -> None:
        self.focus_filter()

    def focus_filter(self) -> None:
        self.query.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.query.selectAll()

    def search(self) -> None:
        """Run the query; a running one is dropped."""
        query = self.query.text().strip()
        if not query:
            return
        if self._job is not None:
            self._job.cancel()
        self._button.setEnabled(False)
        self._button.setText(self.tr("Searching…"))
        mode = self.mode.value
        self._job = self.context.thread.submit(
            lambda engine: ask(engine, query, mode), self._show_outcome, self._show_error, owner=self
        )

    def show_idle(self) -> None:
        """Forget the last result."""
        self._stack.setCurrentWidget(self._idle)

    def _build_query(self) -> None:
        self.query = QLineEdit()
        self.query.setProperty("role", "query")
        self.query.setPlaceholderText(self.tr("What do you want to know?"))
        self.query.setAccessibleName(self.tr("Question"))
        self.query.setMaxLength(caps.MAX_QUERY_CHARS)
        self.query.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.query.returnPressed.connect(self.search)
        self.mode = Segments(
            self.tr("Search mode"),
            (
                (
                    "hybrid",
                    self.tr("Hybrid"),
                    self.tr("By keyword and by meaning, then reranked: what assistants use"),
                ),
                ("keyword", self.tr("Keyword"), self.tr("Only passages that hold the words")),
                ("meaning", self.tr("Meaning"), self.tr("Only passages whose vectors are near the question")),
            ),
        )
        self.mode.chosen.connect(lambda _mode: self.search())
        self._button = button(self.tr("Search"), self.search, "primary")
        line = row(self.query, self.mode, self._button, spacing=M)
        line.setStretch(0, 1)
        self.column.addLayout(line)

    def _build_results(self) -> None:
        self.list = QListView()
        self.list.setModel(self.hits)
        self.list.setItemDelegate(HitDelegate(self.list))
        self.list.setAccessibleName(self.tr("Hits"))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.activated.connect(self._open_hit)
        self._summary = label("", "muted")
        hits_card = TableCard()
        hits_card.body.addWidget(_head(label(self.tr("Hits"), "strong"), 1, self._summary, right=L))
        hits_card.body.addWidget(Line())
        hits_card.body.addWidget(self.list, 1)

        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(M)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(hits_card)
        splitter.addWidget(self._text_card())
        splitter.setSizes([430, 414])
        self._results = splitter
        self._idle = EmptyState(
            "search",
            self.tr("Search what has been read"),
            self.tr(
                "Hits show why they were found, and the right side what an assistant would read. Try “How do I connect an assistant?”"
            ),
        )
        self._nothing = EmptyState("search", "", "")
        self._stack = QStackedWidget()
        for widget in (self._idle, self._results, self._nothing):
            self._stack.addWidget(widget)
        self.column.addWidget(self._stack, 1)

    def _text_card(self) -> Card:
        card = TableCard()
        self._tokens = Badge("", "accent")
        copy = icon_button("copy", self.tr("Copy this text"), self._copy)
        title = label(self.tr("What the assistant would see"), "strong")
        card.body.addWidget(_head(title, 1, self._tokens, copy, right=S))
        card.body.addWidget(Line())
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("role", "plain")
        self.text.setFont(mono_font(0.9))
        self.text.setAccessibleName(self.tr("What the assistant would see"))
        self.text.document().setDocumentMargin(M)
        card.body.addWidget(self.text, 1)
        return card

    def _show_outcome(self, outcome: SearchOutcome) -> None:
        self._ready()
        self.hits.show_result(outcome.result)
        self.text.setPlainText(outcome.text)
        self._tokens.show_text(self.tr("{} tokens").format(number(outcome.tokens)), "accent")
        found = self.hits.rowCount()
        took = duration(outcome.result.timing.total_ms)
        self._summary.setText(counted(found, self.tr("1 hit"), self.tr("{} hits")) + f"  ·  {took}")
        if found:
            self._stack.setCurrentWidget(self._results)
            self.list.setCurrentIndex(self.hits.index(0, 0))
            return
        notes = " ".join(outcome.result.notes)
        advice = self.tr("Try other words or another mode, or add the page that should answer this.")
        self._nothing.show_words(self.tr("Nothing found"), f"{notes} {advice}".strip(), "search", "muted")
        self._stack.setCurrentWidget(self._nothing)

    def _show_error(self, error: WebRAGError) -> None:
        self._ready()
        self._nothing.show_words(error.title, f"{error.message} {error.hint}", "error", "danger")
        self._stack.setCurrentWidget(self._nothing)

    def _ready(self) -> None:
        self._button.setEnabled(True)
        self._button.setText(self.tr("Search"))

    def _open_hit(self, index: QModelIndex) -> None:
        hit = self.hits.record_at(index)
        if hit is not None:
            self.document_wanted.emit(hit.chunk.document_id)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.context.notifier.say(self.tr("Text copied"))


def _head(*widgets: QWidget | int, right: int) -> QWidget:
    """The head of a card; all have the same height."""
    holder = QWidget()
    holder.setFixedHeight(HEAD_HEIGHT)
    line = row(*widgets)
    line.setContentsMargins(L, 0, right, 0)
    holder.setLayout(line)
    return holder
