"""An engine that answers at once, slowly or not at all, to see what the server makes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import cast

from app import caps
from app.corpus.records import (
    Compacted,
    CorpusStatus,
    DayUsage,
    Document,
    DocumentState,
    DocumentSummary,
    LinkRecord,
    Problem,
)
from app.engine.care import Storage
from app.engine.updates import UpdateCheck
from app.events import Event, EventBus
from app.ingest.outcome import IngestedPage
from app.orchestration.page_answers import PageAnswers, PageQuery
from app.orchestration.question import Question
from app.orchestration.result import OrchestrationResult
from app.progress import ProgressCallback, no_progress
from app.scratch.resources import Artifact, ArtifactEntry, of_passage
from app.scratch.store import ScratchStore
from app.server.port import ArtifactsPort, DocsPort, GraphPort, KbPort
from app.settings import Settings
from app.text.terms import estimate_tokens
from app.web.search.records import QuerySearch
from tests.server import results
from tests.support.jobs import FakeJobs

PHASES = (
    ("ingestion", f"Checking if {results.HIVES} is indexed..."),
    ("retrieval", "Searching 1 documents..."),
    ("merge", "Assembling results (1 chunks, 40 tokens)..."),
)


@dataclass(slots=True)
class FakeArtifacts:
    """Passages of the store, and no page."""

    scratch: ScratchStore

    def find(self, owner: str, id_or_uri: str, session_id: str | None = None) -> Artifact:
        return of_passage(self.scratch.find(owner, id_or_uri, session_id))

    def pages(self, limit: int, offset: int = 0) -> list[ArtifactEntry]:
        return []

    def pinned(self) -> list[ArtifactEntry]:
        return []

    def known_addresses(self, prefix: str, limit: int) -> list[str]:
        return []


@dataclass(slots=True)
class FakeActivity:
    """One day of one assistant."""

    asked: list[dict[str, object]]

    async def usage(self, since: float) -> list[DayUsage]:
        return [DayUsage("2026-03-04", "Claude", 2, 150, 3, 900)]

    async def clear(self) -> None:
        self.asked.append({"erased": True})


@dataclass(slots=True)
class FakeCare:
    """A corpus with a damaged page, that can be copied."""

    asked: list[dict[str, object]]

    async def verify(self) -> list[Problem]:
        return [Problem("integrity", "page 3 is damaged")]

    async def backup(self, target: Path) -> None:
        self.asked.append({"backup": target})
        await asyncio.to_thread(target.write_bytes, b"SQLite format 3\0")

    async def storage(self) -> Storage:
        raise NotImplementedError

    async def compact(self) -> Compacted:
        raise NotImplementedError

    async def check_update(self, feed: str) -> UpdateCheck:
        raise NotImplementedError


@dataclass(slots=True)
class FakeEngine:
    """`failure` is raised, `delay` waited for in seconds, `asked` remembers the arguments."""

    settings: Settings = field(default_factory=lambda: Settings(data_dir=Path("unused")))
    bus: EventBus = field(default_factory=EventBus)
    answer: OrchestrationResult = field(default_factory=results.five_chunks)
    pages: tuple[IngestedPage, ...] = (results.READ,)
    searched: tuple[QuerySearch, ...] = ()
    page_answers: PageAnswers | None = None
    failure: Exception | None = None
    delay: float = 0.0
    asked: list[dict[str, object]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    entered: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    running: int = 0
    most_running: int = 0
    jobs: FakeJobs = field(init=False)
    scratch: ScratchStore = field(default_factory=ScratchStore)
    graph: GraphPort = field(default_factory=lambda: cast(GraphPort, None))
    docs: DocsPort = field(default_factory=lambda: cast(DocsPort, None))
    kb: KbPort = field(default_factory=lambda: cast(KbPort, None))
    artifacts: ArtifactsPort = field(init=False)

    def __post_init__(self) -> None:
        self.jobs = FakeJobs(self.bus)
        self.artifacts = FakeArtifacts(self.scratch)
        self.bus.subscribe(self.events.append)

    async def run(self, question: Question, progress: ProgressCallback = no_progress) -> OrchestrationResult:
        self.asked.append(asdict(question))
        await self._work(progress)
        return self.answer

    async def search(
        self,
        query: str,
        *,
        source_urls: Sequence[str] = (),
        intent: str | None = None,
        top_k: int | None = None,
        mode: str = "hybrid",
        progress: ProgressCallback = no_progress,
    ) -> OrchestrationResult:
        self.asked.append({"query": query, "source_urls": tuple(source_urls), "top_k": top_k, "mode": mode})
        await self._work(progress)
        return self.answer

    async def web_search(
        self,
        queries: Sequence[str],
        *,
        results: int = caps.SEARCH_RESULTS,
        region: str = "",
        language: str = "",
        safe_search: str = "",
        seconds: float | None = None,
    ) -> tuple[QuerySearch, ...]:
        self.asked.append({"queries": tuple(queries), "results": results, "region": region, "safe_search": safe_search})
        await self._work(no_progress)
        return self.searched or tuple(QuerySearch(query, None) for query in queries)

    async def read_from_page(
        self,
        url: str,
        queries: Sequence[str],
        *,
        force_refresh: bool = False,
        max_results: int = caps.PAGE_RESULTS,
        seconds: float | None = None,
        progress: ProgressCallback = no_progress,
    ) -> PageAnswers:
        self.asked.append({"url": url, "queries": tuple(queries), "refresh": force_refresh, "max_results": max_results})
        await self._work(progress)
        if self.page_answers is not None:
            return self.page_answers
        return PageAnswers(url, "", results.FETCHED, tuple(PageQuery(query, ()) for query in queries))

    async def ingest(
        self,
        urls: Sequence[str],
        *,
        refresh: bool = False,
        seconds: float | None = None,
        progress: ProgressCallback = no_progress,
    ) -> tuple[IngestedPage, ...]:
        self.asked.append({"urls": tuple(urls), "refresh": refresh})
        await self._work(progress)
        return self.pages

    async def status(self, source_url: str | None = None, *, limit: int = caps.MAX_STATUS_URLS) -> CorpusStatus:
        self.asked.append({"source_url": source_url, "limit": limit})
        if self.failure is not None:
            raise self.failure
        if limit == 0:
            return results.status(omitted=12)
        return results.status(results.document(1, results.HIVES, "Choosing a hive"), omitted=11)

    @property
    def care(self) -> FakeCare:
        return FakeCare(self.asked)

    @property
    def activity(self) -> FakeActivity:
        return FakeActivity(self.asked)

    async def add_file(self, path: Path) -> IngestedPage:
        self.asked.append({"file": path})
        if self.failure is not None:
            raise self.failure
        return replace(results.READ, url=path.as_uri(), title=path.stem)

    async def document(self, document_id: int) -> Document | None:
        text = "# Choosing a hive\n\nSee the winter page."
        return Document(
            *(document_id, results.HIVES, "Choosing a hive", text, "html", "en", DocumentState.READY, "hash"),
            *(None, None, None, results.FETCHED, results.FETCHED, "", (), ()),
        )

    async def document_links(self, document_id: int) -> list[LinkRecord]:
        return [LinkRecord(results.WINTER, "winter page", 27, 38)]

    async def delete_document(self, document_id: int) -> bool:
        return document_id == 1

    async def library(self, text: str = "", *, limit: int, offset: int = 0) -> list[DocumentSummary]:
        return [results.document(1, results.HIVES, "Choosing a hive")][offset:limit]

    def count_tokens(self, text: str) -> int:
        return estimate_tokens(text)

    async def _work(self, progress: ProgressCallback) -> None:
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        self.entered.set()
        try:
            for phase, detail in PHASES:
                await progress(phase, detail)
            if self.failure is not None:
                raise self.failure
            if self.delay:
                await asyncio.sleep(self.delay)
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        finally:
            self.running -= 1
