"""The documents of the corpus as a table: loaded in pages, then kept up to date by events, row by row where few change."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from app import caps
from app.desktop.models.rows import Column, RowsModel
from app.desktop.wording import ago, full_time, local_path, number, plain_address, site_of
from app.errors import WebRAGError
from app.events import DocumentChanged, Event

if TYPE_CHECKING:
    from app.corpus.records import DocumentSummary
    from app.desktop.engine_thread import EngineThread, Job
    from app.engine import Engine

PAGE_ROWS = 1_000
SINGLE_UPDATES = 16
"""Up to so many changed documents are asked for one by one; more are cheaper to load again."""
RELOAD_MS = 400

TITLE, SITE, KIND, CHUNKS, TOKENS, FETCHED, STATE = range(7)


def _tr(text: str) -> str:
    return QCoreApplication.translate("LibraryModel", text)


def state_text(row: DocumentSummary) -> str:
    """How far a document is, for the State column."""
    if row.chunks_embedded >= row.chunks:
        return _tr("Ready")
    if row.chunks_embedded == 0:
        return _tr("Keyword only")
    return _tr("Embedding {}%").format(100 * row.chunks_embedded // max(row.chunks, 1))


def state_mark(row: DocumentSummary) -> tuple[str, str]:
    """The icon beside the State column's text."""
    if row.note:
        return "alert", "warning"
    if row.chunks_embedded >= row.chunks:
        return "ok", "success"
    return ("clock", "muted") if row.chunks_embedded == 0 else ("busy", "accent_text")


def kind_text(kind: str) -> str:
    """A document's kind as a word."""
    return {
        "web": _tr("Web page"),
        "file": _tr("File"),
        "markdown": _tr("Markdown"),
        "text": _tr("Text"),
        "pdf": "PDF",
        "guide": _tr("Guide"),
    }.get(kind, kind)


def _haystack(record: DocumentSummary) -> str:
    return f"{record.title}\n{local_path(record.url) or record.url}".casefold()


async def _summaries(engine: Engine, urls: list[str]) -> list[DocumentSummary]:
    found = [await engine.status(url) for url in urls]
    return [row for status in found for row in status.documents]


class LibraryModel(RowsModel["DocumentSummary"]):
    """One row a document. `loaded` follows every complete load, `failed` carries a WebRAGError."""

    loaded = Signal()
    failed = Signal(object)

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        columns: list[Column[DocumentSummary]] = [
            Column(
                _tr("Title"),
                lambda r: r.title or plain_address(r.url),
                lambda r: r.title.casefold(),
                tip=lambda r: local_path(r.url) or r.url,
            ),
            Column(
                _tr("Site"),
                lambda r: site_of(r.url),
                lambda r: site_of(r.url),
                tip=lambda r: local_path(r.url) or r.url,
            ),
            Column(_tr("Kind"), lambda r: kind_text(r.kind), lambda r: r.kind),
            Column(_tr("Chunks"), lambda r: number(r.chunks), lambda r: r.chunks, right=True),
            Column(_tr("Tokens"), lambda r: number(r.tokens), lambda r: r.tokens, right=True),
            Column(
                _tr("Fetched"),
                lambda r: ago(r.last_crawled),
                lambda r: r.last_crawled,
                tip=lambda r: full_time(r.last_crawled),
            ),
            Column(
                _tr("State"),
                state_text,
                lambda r: r.chunks_embedded / max(r.chunks, 1),
                tip=lambda r: r.note,
                mark=state_mark,
            ),
        ]
        super().__init__(columns, parent)
        self._thread = thread
        self._haystacks: dict[int, tuple[str, str]] = {}
        self._hidden: set[int] = set()
        self._kind = ""
        self._job: Job | None = None
        self._loading: list[DocumentSummary] = []
        self._again = False
        self._reload_timer = QTimer(self)
        self._reload_timer.setSingleShot(True)
        self._reload_timer.setInterval(RELOAD_MS)
        self._reload_timer.timeout.connect(self.reload)
        self.is_loaded = False
        self.truncated = False

    def key(self, record: DocumentSummary) -> Hashable:
        return record.id

    def haystack(self, record: DocumentSummary) -> str:
        known = self._haystacks.get(record.id)
        if known is None or known[0] != record.title:
            known = self._haystacks[record.id] = (record.title, _haystack(record))
        return known[1]

    def reload(self) -> None:
        """Load every document again; a call during a load starts another one after it."""
        # A load whose engine stopped reports nothing, so what tells that one goes on is its job.
        if self._job is not None and self._job.is_running:
            self._again = True
            return
        self._again = False
        self._loading = []
        self._load_page(self._loading)

    def take(self, events: list[Event]) -> None:
        """Follow what changed in the corpus."""
        changed = [event for event in events if isinstance(event, DocumentChanged)]
        if not changed:
            return
        gone = [event.document_id for event in changed if event.change == "deleted"]
        stored = [event.url for event in changed if event.change != "deleted"]
        if len(stored) > SINGLE_UPDATES or not self.is_loaded:
            if not self._reload_timer.isActive():
                self._reload_timer.start()
        elif stored:
            self._thread.submit(
                lambda engine: _summaries(engine, stored), lambda rows: self.merge(rows, gone), owner=self
            )
        else:
            self.merge((), gone)

    @property
    def total(self) -> int:
        return len(self._all) - len(self._hidden & self._all.keys())

    @property
    def everything(self) -> Iterable[DocumentSummary]:
        return [record for record in self._all.values() if record.id not in self._hidden]

    def accepts(self, record: DocumentSummary) -> bool:
        return record.id not in self._hidden and self._kind in ("", record.kind)

    def set_kind(self, kind: str) -> None:
        """Show documents of one kind; an empty word shows all."""
        if kind != self._kind:
            self._kind = kind
            self.rearrange()

    def hide_document(self, document_id: int) -> None:
        """Show a document no longer, without deleting it."""
        self._hidden.add(document_id)
        self.rearrange()

    def show_document(self, document_id: int) -> None:
        """Show a hidden document again."""
        self._hidden.discard(document_id)
        self.rearrange()

    def _load_page(self, so_far: list[DocumentSummary]) -> None:
        def done(rows: list[DocumentSummary]) -> None:
            if so_far is not self._loading:
                return
            so_far.extend(rows)
            if len(rows) == PAGE_ROWS and len(so_far) < caps.MAX_LIBRARY_SHOWN:
                self._load_page(so_far)
            else:
                self._finish(so_far, truncated=len(rows) == PAGE_ROWS)

        self._job = self._thread.submit(
            lambda engine: engine.library(limit=PAGE_ROWS, offset=len(so_far)), done, self._fail, owner=self
        )

    def _finish(self, rows: list[DocumentSummary], *, truncated: bool) -> None:
        self.is_loaded, self.truncated = True, truncated
        self.replace(rows)
        self.loaded.emit()
        if self._again:
            self.reload()

    def _fail(self, error: WebRAGError) -> None:
        self._again = False
        self.failed.emit(error)
