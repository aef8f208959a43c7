"""What the palette lists for what was typed: at once what is in memory, after a pause what the engine finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app import caps
from app.desktop.context import Context
from app.desktop.language import translator
from app.desktop.models.details import first_words, section_of
from app.desktop.palette.entries import Entry, Group
from app.desktop.palette.ranking import best, named
from app.desktop.palette.titles import StoredPage, TitleIndex
from app.events import Event

if TYPE_CHECKING:
    from app.desktop.engine_thread import Job
    from app.errors import WebRAGError
    from app.orchestration.result import OrchestrationResult
    from app.retrieval.records import RetrievedChunk

_tr = translator("PaletteFinder")

PAUSE_MS = 220
"""So long nothing is typed before the engine is asked."""
MIN_CHARS = 3
"""Shorter words are not worth a search of all passages."""
PAGES, COMMANDS, PASSAGES, RECENT = 6, 5, 6, 6


class Finder(QObject):
    """`found` follows whenever `entries` has changed, `searching` when a search of the passages begins or ends."""

    found = Signal()
    searching = Signal(bool)

    def __init__(
        self,
        context: Context,
        commands: Callable[[], list[Entry]],
        search_page: Callable[[str], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._offered = commands
        self._search_page = search_page
        self.titles = TitleIndex(context.thread, self)
        self.titles.changed.connect(self._again)
        self.problem = ""
        self._typed = ""
        self._commands: list[Entry] = []
        self._passages: list[Entry] = []
        self._recent: list[Entry] = []
        self._job: Job | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        self.entries: list[Entry] = []

    def begin(self) -> None:
        """The palette opens: look at what can be done now."""
        self._commands = self._offered()
        self.titles.refresh()
        self.type("")

    def end(self) -> None:
        """The palette closes: nothing is looked for any more."""
        self._stop_search()

    def take(self, events: list[Event]) -> None:
        self.titles.take(events)

    def type(self, text: str) -> None:
        """What stands in the box now."""
        self._typed = text.strip()
        self._stop_search()
        if len(self._typed) >= MIN_CHARS:
            self._pause.start()
        else:
            self._passages = []
        self._again()

    def opened(self, entry: Entry) -> None:
        """Remember what was chosen, as long as the application runs."""
        known = [one for one in self._recent if one.key != entry.key]
        self._recent = [_as_recent(entry), *known][:RECENT]

    def forget(self) -> None:
        """Nothing that was chosen or found is remembered."""
        self._recent, self._passages = [], []

    def _again(self) -> None:
        self.entries = self._for_text(self._typed) if self._typed else [*self._current_recent(), *self._commands]
        self.found.emit()

    def _for_text(self, typed: str) -> list[Entry]:
        commands = best([named(one, one.title, one.words) for one in self._commands], typed, COMMANDS)
        pages = [self._page(page) for page in self.titles.matches(typed, PAGES)]
        return [*commands, *pages, *self._passages, self._on_search_page(typed)]

    def _current_recent(self) -> list[Entry]:
        """Commands as they are offered now: what pauses may have become what resumes."""
        now = {entry.key: entry for entry in self._commands}
        return [_as_recent(now.get(entry.key, entry)) for entry in self._recent]

    def _page(self, page: StoredPage) -> Entry:
        show = self._context.show_document
        return Entry(f"page:{page.id}", Group.PAGES, "library", page.title, lambda: show(page.id), page.place)

    def _on_search_page(self, typed: str) -> Entry:
        title = _tr("Search all passages for “{}”").format(typed)
        return Entry("search", Group.MORE, "search", title, lambda: self._search_page(typed))

    def _ask(self) -> None:
        typed = self._typed[: caps.MAX_QUERY_CHARS]
        self.searching.emit(True)
        self._job = self._context.thread.submit(
            lambda engine: engine.search(typed, top_k=PASSAGES), self._show_passages, self._fail, owner=self
        )

    def _show_passages(self, result: OrchestrationResult) -> None:
        self.searching.emit(False)
        hits: Sequence[RetrievedChunk] = [] if result.nothing_found else result.chunks
        ranked = sorted(hits, key=lambda hit: hit.reranked_score, reverse=True)
        self._passages = [self._passage(hit) for hit in ranked if not hit.is_locality_expanded][:PASSAGES]
        self._again()

    def _passage(self, hit: RetrievedChunk) -> Entry:
        chunk, show = hit.chunk, self._context.show_document
        where = " › ".join(dict.fromkeys((chunk.title or chunk.url, section_of(chunk))))
        return Entry(
            f"passage:{chunk.document_id}:{chunk.start}",
            Group.PASSAGES,
            "quote",
            first_words(chunk.text) or chunk.title,
            lambda: show(chunk.document_id, chunk.start, chunk.end),
            where,
        )

    def _fail(self, error: WebRAGError) -> None:
        self.problem = error.title
        self.searching.emit(False)

    def _stop_search(self) -> None:
        self.problem = ""
        self._pause.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None
            self.searching.emit(False)


def _as_recent(entry: Entry) -> Entry:
    return Entry(entry.key, Group.RECENT, entry.icon, entry.title, entry.run, entry.detail, entry.shortcut)
