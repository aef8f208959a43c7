"""The titles of all stored pages, kept ready for a search on every keystroke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app import caps
from app.desktop.palette.ranking import Named, best, fitting, named
from app.desktop.wording import file_or_address
from app.events import DocumentChanged, Event

if TYPE_CHECKING:
    from app.corpus.records import DocumentSummary
    from app.desktop.engine_thread import EngineThread, Job
    from app.engine import Engine

PAGE_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class StoredPage:
    """What the palette shows of a document."""

    id: int
    title: str
    place: str
    """Its address without the scheme, or its path."""


async def load_titles(engine: Engine) -> list[Named[StoredPage]]:
    """Every stored page, newest first, up to MAX_TITLES_SEARCHED."""
    found: list[Named[StoredPage]] = []
    while len(found) < caps.MAX_TITLES_SEARCHED:
        rows = await engine.library(limit=PAGE_ROWS, offset=len(found))
        found += [_ready(row) for row in rows]
        if len(rows) < PAGE_ROWS:
            break
    return found


class TitleIndex(QObject):
    """Loaded when it is first needed, and again when something has changed since. `changed` follows every load."""

    changed = Signal()

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = thread
        self._pages: Sequence[Named[StoredPage]] = []
        self._narrowed: tuple[str, Sequence[Named[StoredPage]]] = ("", [])
        self._job: Job | None = None
        self._is_stale = True

    def refresh(self) -> None:
        """Load what changed; what is known is searched meanwhile."""
        if self._is_stale and (self._job is None or not self._job.is_running):
            self._is_stale = False
            self._job = self._thread.submit(load_titles, self._take_over, self._failed, owner=self)

    def take(self, events: list[Event]) -> None:
        """Note whether the corpus has changed."""
        if any(isinstance(event, DocumentChanged) for event in events):
            self._is_stale = True

    def engine_changed(self) -> None:
        """Another engine may hold other pages."""
        self._is_stale = True

    def matches(self, typed: str, limit: int) -> list[StoredPage]:
        """The pages that fit best; searches in memory, and only in what fitted before while one types on."""
        before, fitted = self._narrowed
        fitted = fitting(fitted if before and typed.startswith(before) else self._pages, typed)
        self._narrowed = (typed, fitted)
        return best(fitted, typed, limit)

    def _take_over(self, pages: list[Named[StoredPage]]) -> None:
        self._pages = pages
        self._narrowed = ("", pages)
        self.changed.emit()

    def _failed(self, _error: object) -> None:
        """The window says elsewhere why the corpus cannot be read; the next opening tries again."""
        self._is_stale = True


def _ready(row: DocumentSummary) -> Named[StoredPage]:
    place = file_or_address(row.url)
    title = row.title or place
    return named(StoredPage(row.id, title, place), title, place)
