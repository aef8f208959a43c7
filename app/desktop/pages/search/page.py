"""Search page: a query in the stored pages, the results with their pages, and the text an assistant would get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShortcut
from PySide6.QtWidgets import QComboBox, QMenu, QSplitter, QTabWidget, QWidget

from app import caps
from app.desktop.context import Context
from app.desktop.engine_thread import Latest
from app.desktop.models.libraries import away_words, joined_states
from app.desktop.models.search import Asked, SearchOutcome, address_of, ask, place_words, places
from app.desktop.pages.page import Page
from app.desktop.pages.parts import FailedState, new_menu, offer_choices, offer_menu, open_below, stack_of
from app.desktop.pages.search.results import AssistantView, Results
from app.desktop.panels import EmptyState, Line, TableCard
from app.desktop.preview.stored import open_source
from app.desktop.status import MeaningState
from app.desktop.tokens import XS, L, M
from app.desktop.widgets import (
    Badge,
    Segments,
    add_parts,
    button,
    column,
    icon_button,
    label,
    row,
    take_focus,
    text_field,
)
from app.desktop.wording import key_text, local_path, plain_tip, spoken
from app.errors import WebRAGError
from app.events import Event, LibrariesChanged

if TYPE_CHECKING:
    from app.engine.libraries import LibraryState
    from app.retrieval.records import RetrievedChunk

MAX_KEPT = 30  # Maximum number of previous questions, kept until WebRAG quits.
AWAY_WIDTH = 270  # Maximum width in pixels of the note about unreachable libraries.
SHOWN_CHARS = 70  # Characters of an earlier question to show in the menu.


class QueryBar(QWidget):
    """Query field with its choices. Emits `asked`, `cancelled` (button or Esc during a search) and `left` (Down, to the results)."""

    asked = Signal()
    cancelled = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.history: list[Asked] = []  # The questions of this session, newest first.
        self._titles: dict[str, str] = {}
        self._place = -1
        self._is_running = False
        query = self.tr("What do you want to know?"), self.tr("Question")
        self.query = text_field(*query, role="query", icon_name="search", most=caps.MAX_QUERY_CHARS)
        self.query.returnPressed.connect(self.asked)
        self.query.installEventFilter(self)
        menu = self.tr("Previous questions")
        self.before = icon_button("clock", menu, lambda: open_below(self.menu(), self.before), self.tr("Up"))
        self.before.setEnabled(False)
        self.button = button(
            self.tr("Search"), lambda: (self.cancelled if self._is_running else self.asked).emit(), "primary"
        )
        self.button.setMinimumWidth(104)
        self._build_choices()
        self.away = Badge()
        choices = row(self.mode, self._place_label, self.place, 1, spacing=M)
        column(row((self.query, 1), self.before, self.button), choices, row(self.away, 1), parent=self)

    @property
    def question(self) -> Asked:
        return Asked(self.query.text().strip(), self.mode.value, str(self.place.currentData() or ""))

    def show_libraries(self, states: Sequence[LibraryState]) -> None:
        """Show joined libraries by their titles, and report the unreachable ones."""
        self._titles = {each.library.name: each.library.title or each.library.name for each in states}
        for row_number in range(1, self.place.count()):
            self.place.setItemText(row_number, place_words(str(self.place.itemData(row_number)), self._titles))
        self.show_away(away_words(states))

    def show_away(self, words: str) -> None:
        """Report unreachable shared libraries. The full text is in the tooltip."""
        self.away.ensurePolished()
        shown = self.away.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, AWAY_WIDTH)
        self.away.show_text(shown, "warning")
        self.away.setToolTip(plain_tip(words))
        self.away.setAccessibleName(words)

    def set_running(self, on: bool) -> None:
        """Show Cancel instead of Search while a search is running."""
        self._is_running = on
        self.button.setText(self.tr("Cancel") if on else self.tr("Search"))

    def remember(self, asked: Asked) -> None:
        self.history = [asked, *(each for each in self.history if each != asked)][:MAX_KEPT]
        self._place = 0
        self.before.setEnabled(True)

    def forget(self) -> None:
        self.history = []
        self._place = -1
        self.before.setEnabled(False)
        self.query.clear()

    def put(self, asked: Asked) -> None:
        """Fill in an earlier question with its mode and place."""
        self.query.setText(asked.query)
        self.mode.select(asked.mode)
        self.place.setCurrentIndex(max(0, self.place.findData(asked.place)))

    def show_places(self, places: Sequence[str]) -> None:
        """Offer these places. The selected place is kept."""
        chosen = self.question.place
        offered = [*places, *([chosen] if chosen and chosen not in places else [])]
        words = [(place_words(each, self._titles), each) for each in offered]
        offer_choices(self.place, self.tr("Everywhere"), words)

    def menu(self) -> QMenu:
        made = new_menu(self)
        for each in self.history:
            where = place_words(each.place, self._titles)
            words = each.query if len(each.query) <= SHOWN_CHARS else f"{each.query[:SHOWN_CHARS]}…"
            action = made.addAction(f"{words}\t{where}".replace("&", "&&"))
            action.triggered.connect(lambda _checked=False, each=each: self._ask_again(each))
        return made

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.query and event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape and self._is_running:
                self.cancelled.emit()
                return True
            if event.key() == Qt.Key.Key_Down and self._place <= 0 and self.query.text():
                self.left.emit()
                return True
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.history:
                # Step through the previous questions, as in a shell.
                by = 1 if event.key() == Qt.Key.Key_Up else -1
                if by > 0 and self.query.text().strip() != self.history[max(0, self._place)].query:
                    self._place = -1
                self._place = min(len(self.history) - 1, max(-1, self._place + by))
                self.query.setText(self.history[self._place].query if self._place >= 0 else "")
                return True
        return super().eventFilter(watched, event)

    def _build_choices(self) -> None:
        modes = (
            ("hybrid", self.tr("Both"), self.tr("Keyword and semantic search combined, as assistants use it")),
            ("keyword", self.tr("Keywords"), self.tr("Keyword search: only passages that contain the words")),
            ("meaning", self.tr("Meaning"), self.tr("Semantic search: passages on the same topic in other words")),
        )
        self.mode = Segments(self.tr("Search mode"), modes)
        self.mode.chosen.connect(lambda _mode: self._again())
        self.place = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.place.setMinimumWidth(180)
        self.place.setMaximumWidth(300)
        self.place.setToolTip(self.tr("Search only in this collection, site or folder"))
        self._place_label = label(self.tr("In"), "muted")
        self._place_label.setBuddy(self.place)
        self.place.setAccessibleName(self.tr("Where to search"))
        self.show_places(())
        self.place.currentIndexChanged.connect(lambda _index: self._again())

    def _again(self) -> None:
        if self.query.text().strip():
            self.asked.emit()

    def _ask_again(self, asked: Asked) -> None:
        with QSignalBlocker(self.place):
            self.put(asked)
        self.asked.emit()


class SearchPage(Page):
    """Query at the top, results left, selected page right."""

    name = "search"
    icon_name = "search"

    def __init__(self, context: Context) -> None:
        super().__init__(
            context, self.tr("Search"), self.tr("Search everything in your library. Nothing is fetched from the web.")
        )
        self.searching = Latest(context.thread, self)
        self._shown: Asked | None = None
        self.results = Results(context, self, context.show_document, context.notifier.say)
        self.hits, self.list, self.page = self.results.hits, self.results.list, self.results.page
        self.results.due.connect(self._renew)
        self.bar = QueryBar()
        self.query, self.mode = self.bar.query, self.bar.mode
        self.bar.asked.connect(self.search)
        self.bar.cancelled.connect(self.cancel)
        self.bar.left.connect(lambda: self.list.setFocus(Qt.FocusReason.TabFocusReason))
        self.column.addWidget(self.bar)
        self._build_results()

    def activate(self) -> None:
        self.focus_filter()
        self._look_for_places()

    def on_events(self, events: list[Event]) -> None:
        self.page.on_events(events)
        if any(isinstance(event, LibrariesChanged) for event in events):
            self._look_for_places()

    def focus_filter(self) -> None:
        take_focus(self.query)

    def search(self) -> None:
        """Run the query. Cancels a running search."""
        asked = self.bar.question
        if not asked.query:
            return
        self.results.renewal.forget()
        self.bar.set_running(True)
        self.bar.remember(asked)
        self.searching.submit(lambda engine: ask(engine, asked), self._show_outcome, self._show_error)

    def cancel(self) -> None:
        """Cancel the running search. Earlier results are kept."""
        self.searching.cancel()
        self.bar.set_running(False)

    def forget(self) -> None:
        """Clear question, history and results."""
        self.cancel()
        self._shown = None
        self.bar.forget()
        self.assistant.forget()
        self.results.clear()
        self._stack.setCurrentWidget(self._idle)

    def menu(self) -> QMenu:
        hit, results = self.results.current, self.results
        is_any = hit is not None
        is_web = hit is not None and address_of(hit).startswith(("http://", "https://"))
        is_file = hit is not None and hit.origin is None and bool(local_path(hit.chunk.url))
        words = self.tr("Open file") if is_file else self.tr("Open in browser")
        keys, more_keys = key_text("Ctrl+C"), key_text("Ctrl+Shift+C")
        entries = (
            (f"{self.tr('Go to passage')}\t{self.tr('Enter')}", "library", results.open_current, is_any),
            (words, "external", lambda: open_source(hit) if hit is not None else None, is_file or is_web),
            (f"{self.tr('Copy with source')}\t{keys}", "copy", results.copy_current, is_any),
            (f"{self.tr('Copy as Markdown')}\t{more_keys}", "copy", results.copy_markdown, is_any),
        )
        return new_menu(self, entries)

    def _look_for_places(self) -> None:
        """Load the places to search, and report unreachable shared libraries."""
        self.context.ask(self, places, self.bar.show_places, lambda _error: None)
        self.context.ask(self, joined_states, self.bar.show_libraries, lambda _error: self.bar.show_away(""))

    def _build_results(self) -> None:
        offer_menu(self.list, self.menu, lambda place: self.list.indexAt(place).isValid())
        copy = self.results.copy_markdown
        QShortcut("Ctrl+Shift+C", self.list, copy, context=Qt.ShortcutContext.WidgetShortcut)
        self.assistant = AssistantView(self.context)
        self._results = QSplitter(Qt.Orientation.Horizontal, handleWidth=M, childrenCollapsible=False)
        self._summary = label("", "muted")
        self.open_button = button(self.tr("Go to passage"), self.results.open_current, "link")
        self.results.chosen.connect(lambda: self.open_button.setEnabled(self.results.current is not None))
        card = TableCard()
        head = row(self._summary, 1, self.open_button, margins=(L, XS, M, XS))
        state = MeaningState(self.context.status, lambda: self.context.show_settings("embedder"), card)
        add_parts(card.body, head, Line(), state, self.results.doubt, (self.list, 1))
        self._results.addWidget(card)
        self.tabs = QTabWidget(documentMode=True)
        self.tabs.addTab(self.page, self.tr("Page"))
        self.tabs.addTab(self.assistant, self.tr("Assistant view"))
        reading = TableCard()
        reading.body.setContentsMargins(1, 1, 1, 6)
        reading.body.addWidget(self.tabs)
        self._results.addWidget(reading)
        self._results.setSizes([400, 480])
        self._results.setStretchFactor(1, 1)
        words = self.tr(
            "Select a result to see its page with the passage highlighted. Try “How do I connect an assistant?”"
        )
        self._idle = EmptyState("search", self.tr("Search your library"), words)
        self._nothing = EmptyState(
            "search", "", "", button(self.tr("Add page"), lambda: self.context.add_page(""), "", "add")
        )
        self._failed = FailedState(self.search)
        self._stack = stack_of(self._idle, self._results, self._nothing, self._failed)
        self.column.addWidget(self._stack, 1)

    def _renew(self) -> None:
        """Repeat the current search now that more passages are embedded, unless another search is running."""
        asked = self._shown
        if asked is not None and not self.searching.is_running:
            self.searching.submit(
                lambda engine: ask(engine, asked),
                # The selected result stays selected.
                lambda outcome: self._show_outcome(outcome, self.results.current),
                lambda _error: None,
            )

    def _show_outcome(self, outcome: SearchOutcome, chosen: RetrievedChunk | None = None) -> None:
        """Show results and select `chosen`, or the best one if it is not among them."""
        self.bar.set_running(False)
        self._shown = outcome.asked
        self.results.show(outcome.result, chosen, outcome.result.notes)
        self.assistant.show_search(outcome.asked, outcome.view)
        self._summary.setText(self.results.summary(outcome.result))
        if self.hits.rowCount():
            self._stack.setCurrentWidget(self._results)
            return
        advice = {
            "keyword": self.tr("No passage contains these words. Try “Both” or “Meaning”, or rephrase."),
            "meaning": self.tr("No related passages found. Try “Both”, or add a page that covers this."),
        }.get(outcome.asked.mode, self.tr("Rephrase, or add a page that covers this."))
        where = self.tr("Choose “Everywhere” to search the whole library.") if outcome.asked.place else ""
        words = " ".join(part for part in (*map(spoken, outcome.result.notes), where, advice) if part)
        self._nothing.show_words(self.tr("Nothing found"), words, "search", "muted")
        self._stack.setCurrentWidget(self._nothing)

    def _show_error(self, error: WebRAGError) -> None:
        self.bar.set_running(False)
        self._failed.show_error(error)
