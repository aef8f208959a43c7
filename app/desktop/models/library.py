"""Documents of the library as a table: loaded in batches, then updated by events, row by row if only a few have changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Collection, Sequence
from typing import Final, TypeAlias

from PySide6.QtCore import QObject, Qt, Signal

from app.corpus.records import Label, LabelKind
from app.desktop.engine_thread import Engine, EngineThread, Job
from app.desktop.flags import FLAG_MARK, flagged
from app.desktop.models.labels import Facts, facts_of, kind_value, kind_words, stale_seconds, way_words
from app.desktop.models.long_rows import Facets, LongRowsModel
from app.desktop.models.rows import Column, Index, amount
from app.desktop.qt import single_shot
from app.desktop.wording import (
    ago,
    counted,
    file_or_address,
    full_time,
    local_path,
    number,
    percent,
    plain_address,
    spoken,
    translator,
)
from app.errors import WebRAGError
from app.events import DocumentChanged, Event, LabelsChanged
from app.library.records import CameBy, Document, DocumentSummary
from app.memory import spare

MAX_LIBRARY_ROWS: Final = 100_000
"""Maximum number of listed pages, about 1.5 KB of memory each. The window reports if there are more."""

_tr = translator("LibraryModel")

FIRST_ROWS = 250  # Fills the tallest window.
PAGE_ROWS = 1_000
FOLLOW_MS = 300  # Milliseconds within which changes are read together.
FOLLOWED_AT_ONCE = 1_000
FLAGS_MS = 3_000
"""Milliseconds without stored pages after which flags are requested. They are found shortly after a page is stored."""
OUTDATED_SECONDS = 900.0  # Maximum age of a list that is shown again, because ages change and pages become outdated.

TITLE, SITE, KIND, CHUNKS, TOKENS, FETCHED, STATE, WAY, ADDRESS, COLLECTIONS, TAGS, CITED, CHANGED = range(13)
CHOSEN_ONLY: Final = (SITE, KIND, CHUNKS, TOKENS, COLLECTIONS, TAGS, CITED, CHANGED)
"""Columns that are hidden by default."""

Listed: TypeAlias = "list[tuple[DocumentSummary, Facts]]"


def state_text(row: DocumentSummary) -> str:
    if row.chunks_embedded >= row.chunks:
        return _tr("Ready")
    if row.chunks_embedded == 0:
        return _tr("Keyword search only")
    return _tr("Embedding {}").format(percent(row.chunks_embedded * 100 // row.chunks / 100))


def state_mark(row: DocumentSummary) -> tuple[str, str]:
    if row.note and row.kind != "browser":
        return "alert", "warning"
    if row.chunks_embedded >= row.chunks:
        return "ok", "success"
    return ("clock", "muted") if row.chunks_embedded == 0 else ("busy", "accent_text")


def _address(row: DocumentSummary) -> str:
    return file_or_address(row.url)


def can_open(row: DocumentSummary) -> bool:
    """Whether the page is on the web or a local file. Guide pages are neither."""
    return row.url.startswith(("http://", "https://")) or bool(local_path(row.url))


def kind_text(row: DocumentSummary | Document) -> str:
    kind = kind_value(row.kind, row.url)
    return _tr("Web page") if kind == "web" else kind_words(kind)


def _state_tip(row: DocumentSummary) -> str:
    if row.chunks_embedded < row.chunks:
        done = _tr("{} of {} passages are embedded. Semantic search does not find the others yet.")
        return "\n".join(filter(None, (done.format(number(row.chunks_embedded), number(row.chunks)), spoken(row.note))))
    return spoken(row.note)


class LibraryModel(LongRowsModel["DocumentSummary"]):
    """One row per document. `loaded` is emitted after every full load, `failed` carries a WebRAGError, `labels_changed` new labels."""

    loaded = Signal()
    labels_changed = Signal()
    failed = Signal(object)

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        columns: list[Column[DocumentSummary]] = [
            Column(
                _tr("Title"),
                lambda r: r.title or plain_address(r.url),
                lambda r: (r.title or plain_address(r.url)).casefold(),
                tip=lambda r: "\n".join(filter(None, (r.title, local_path(r.url) or r.url, flagged(self._flags(r))))),
                mark=lambda r: FLAG_MARK if self._flags(r) else None,
                below=_address,
            ),
            Column(_tr("Site"), lambda r: self._facts[r.id].site, tip=lambda r: local_path(r.url) or r.url),
            Column(_tr("Kind"), kind_text),
            amount(_tr("Passages"), lambda r: r.chunks),
            amount(
                _tr("Tokens"),
                lambda r: r.tokens,
                tip=lambda r: counted(r.chunks, _tr("In 1 passage"), _tr("In {} passages")),
            ),
            Column(
                _tr("Fetched"),
                self._fetched_text,
                lambda r: r.last_crawled,
                tip=self._fetched_tip,
                mark=self._fetched_mark,
            ),
            Column(
                _tr("State"),
                state_text,
                lambda r: r.chunks_embedded / max(r.chunks, 1),
                tip=_state_tip,
                mark=state_mark,
            ),
            Column(_tr("Added by"), lambda r: "" if r.kind == "guide" else way_words(r.came_by), lambda r: r.came_by),
            Column(_tr("Address"), _address, tip=lambda r: local_path(r.url) or r.url, is_address=True),
            Column(_tr("Collections"), lambda r: ", ".join(r.collections), lambda r: r.collections),
            Column(_tr("Tags"), lambda r: ", ".join(r.tags), lambda r: r.tags),
            Column(_tr("Cited"), lambda r: ago(r.cited_at) if r.cited_at else "", lambda r: r.cited_at or 0.0),
            Column(_tr("Changed"), lambda r: ago(r.changed_at), lambda r: r.changed_at),
        ]
        super().__init__(columns, parent)
        self._thread = thread
        self._facts: dict[int, Facts] = {}
        self._job: Job | None = None
        self._load = 0
        self._seen: set[int] = set()
        self._again = False
        self._pending: dict[int, None] = {}
        self._gone: set[int] = set()
        self._ids: dict[str, int] = {}
        self._follow_timer = single_shot(self, FOLLOW_MS, self._follow)
        self._flags_timer = single_shot(
            self, FLAGS_MS, lambda: thread.submit(lambda engine: engine.documents.flags(), self._take_flags, owner=self)
        )
        self._sums: tuple[int, int] | None = None
        self.updated.connect(self._forget_sums)
        self.labels: list[Label] = []
        self.is_loaded = False
        self.loaded_at = 0.0
        self.truncated = False

    def haystack(self, record: DocumentSummary) -> str:
        return self._facts[record.id].haystack

    def facets(self, record: DocumentSummary) -> Facets:
        return self._facts[record.id].facets

    @property
    def stale(self) -> list[DocumentSummary]:
        """The outdated pages, of the visible ones if filters are set."""
        rows = self.records if self.is_narrowed else self.everything
        return [row for row in rows if self._facts[row.id].is_stale]

    def facts(self, document_id: int) -> Facts | None:
        return self._facts.get(document_id)

    @property
    def sums(self) -> tuple[int, int]:
        """Total chunks and tokens of all pages."""
        if self._sums is None:
            rows = list(self.everything)
            self._sums = sum([row.chunks for row in rows]), sum([row.tokens for row in rows])
        return self._sums

    @property
    def count_unused(self) -> int:
        """Number of pages that were added through a link only and have never been cited or labeled."""
        return sum(
            row.came_by is CameBy.LINK and row.cited_at is None and not row.collections and not row.tags
            for row in self.everything
        )

    @property
    def is_loading(self) -> bool:
        return self._job is not None and self._job.is_running

    @property
    def is_outdated(self) -> bool:
        """Whether values that depend on the current time need to be updated."""
        return self.is_loaded and time.time() - self.loaded_at > OUTDATED_SECONDS

    def reload(self) -> None:
        """Load all documents. A call during a load starts another load afterwards."""
        # A load whose engine stopped reports nothing, so the job tells whether a load is running.
        if self.is_loading:
            self._again = True
            return
        self._again = False
        self._load += 1
        self._seen = set()
        self._load_labels()
        self._load_page(self._load, None)

    def on_events(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, LabelsChanged):
                self._pending.update(dict.fromkeys(event.document_ids))
                self._load_labels()
            if not isinstance(event, DocumentChanged):
                continue
            if event.change == "deleted":
                self._gone.add(event.document_id)
                self._pending.pop(event.document_id, None)
            else:
                self._pending[event.document_id] = None
        if (self._gone or self._pending) and not self._follow_timer.isActive():
            self._follow_timer.start()

    def _load_page(self, load: int, after: DocumentSummary | None) -> None:
        limit = PAGE_ROWS if after is not None else FIRST_ROWS

        def work(engine: Engine) -> Awaitable[Listed]:
            return _with_facts(engine, engine.documents.find(limit=limit, after=after))

        def done(listed: Listed) -> None:
            if load != self._load:
                return
            self._seen.update(row.id for row, _ in listed)
            has_more = len(listed) >= limit
            self.truncated = has_more and len(self._seen) >= MAX_LIBRARY_ROWS
            if has_more and not self.truncated:
                # The next batch is read while this one is inserted.
                self._load_page(load, listed[-1][0])
                self._put_in(listed, ())
                # A garbage collection that visits every row of a large library would freeze the window.
                spare()
                return
            self._put_in(listed, [key for key in self._facts if key not in self._seen])
            if len(self._seen) > PAGE_ROWS:
                spare()
            self.is_loaded, self.loaded_at = True, time.time()
            self.loaded.emit()
            if self._again:
                self.reload()

        self._job = self._thread.submit(work, done, self._fail, owner=self)

    def _put_in(self, listed: Listed, gone: Collection[int]) -> None:
        """Add or replace rows, and remove others."""
        removed = [*gone, *{old for row, _ in listed if (old := self._ids.get(row.url, row.id)) != row.id}]
        self._facts.update((row.id, facts) for row, facts in listed)
        self._ids.update((row.url, row.id) for row, _ in listed)
        self.merge([row for row, _ in listed], removed)
        for key in removed:
            self._facts.pop(key, None)
        if removed:
            self._ids = {url: key for url, key in self._ids.items() if key in self._facts}

    def _follow(self) -> None:
        """Read the changed rows as soon as no load is running."""
        if self.is_loading or not self.is_loaded:
            self._follow_timer.start()
            return
        asked = list(self._pending)[:FOLLOWED_AT_ONCE]
        for document_id in asked:
            del self._pending[document_id]
        gone, self._gone = self._gone, set()
        if not asked:
            self._put_in([], [key for key in gone if key in self._facts])
            return

        def done(listed: Listed) -> None:
            missing = {*asked, *gone}.difference(row.id for row, _ in listed)
            self._put_in(listed, [key for key in missing if key in self._facts])
            self._flags_timer.start()
            if self._pending or self._gone:
                self._follow_timer.start()
            if self._again:
                self.reload()

        def failed(error: WebRAGError) -> None:
            self._pending.update(dict.fromkeys(asked))
            self._gone |= gone
            self._thread.failed.emit(error)
            if self._again:
                self.reload()

        self._job = self._thread.submit(
            lambda engine: _with_facts(engine, engine.documents.rows(asked)), done, failed, owner=self
        )

    def names_of(self, kind: LabelKind) -> list[str]:
        return [label.name for label in self.labels if label.kind is kind]

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def _load_labels(self) -> None:
        def take(labels: list[Label]) -> None:
            self.labels = labels
            self.labels_changed.emit()

        self._thread.submit(lambda engine: engine.documents.labels(), take, owner=self)

    def _take_flags(self, flags: dict[int, tuple[str, ...]]) -> None:
        """Read the rows again whose flags have changed."""
        shown = {entry.record.id: entry.record.flags for entry in self._ordered if entry.record.flags}
        changed = [key for key in {*flags, *shown} if flags.get(key, ()) != shown.get(key, ()) and key in self._facts]
        if changed:
            self._pending.update(dict.fromkeys(changed))
            self._follow_timer.start()

    def _fail(self, error: WebRAGError) -> None:
        self._again = False
        self.failed.emit(error)

    def _forget_sums(self) -> None:
        self._sums = None

    def _flags(self, row: DocumentSummary) -> tuple[str, ...]:
        return (*row.flags, *self._facts[row.id].address_flags)

    def _fetched_text(self, row: DocumentSummary) -> str:
        words = ago(row.last_crawled)
        if row.is_changed_since_cited:
            return _tr("{} · changed").format(words)
        return _tr("{} · outdated").format(words) if self._facts[row.id].is_stale else words

    def _fetched_mark(self, row: DocumentSummary) -> tuple[str, str] | None:
        """Return the icon, which also fits a column that is too narrow for the text."""
        if row.is_changed_since_cited:
            return "refresh", "warning"
        return ("refresh", "muted") if self._facts[row.id].is_stale else None

    def _fetched_tip(self, row: DocumentSummary) -> str:
        lines = [_tr("Fetched: {}").format(full_time(row.last_crawled))]
        if self._facts[row.id].is_stale:
            lines.append(_tr("Outdated. Refreshes when next needed, or press F5."))
        lines.append(_tr("Text unchanged since: {}").format(full_time(row.changed_at)))
        if row.last_modified:
            lines.append(_tr("Last modified according to the site: {}").format(row.last_modified))
        if row.cited_at is not None:
            lines.append(_tr("Last cited: {}").format(full_time(row.cited_at)))
        if row.is_changed_since_cited:
            lines.append(_tr("The text has changed since then."))
        return "\n".join(lines)


async def _with_facts(engine: Engine, asked: Awaitable[Sequence[DocumentSummary]]) -> Listed:
    """Derive the facts on a worker thread, so that neither the window nor assistants wait."""
    rows = await asked
    seconds_for = stale_seconds(engine.settings)
    now = time.time()
    return await asyncio.to_thread(lambda: [(row, facts_of(row, seconds_for, now)) for row in rows])
