"""Fake engine for the window. Tests provide its contents, and it records requests."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Any

from app import caps
from app.corpus.records import ActivityRecord, CorpusStatus, DayUsage, FileHealth
from app.desktop.backend import Requests
from app.engine import EmbedderState
from app.errors import FetchTimeoutError, GraphDisabledError, PausedError, UnsupportedContentError, WebRAGError
from app.events import (
    QUESTION_TOOLS,
    DocumentChanged,
    EngineStateChanged,
    EventBus,
    LibraryUpdating,
    ProgressCallback,
    is_mistake,
    no_progress,
)
from app.ingest.crawling.preview import PagePreview
from app.ingest.outcome import IngestedPage
from app.instance import RuntimeInfo
from app.library.graph_records import Cut, Edge, EdgeType, Neighbourhood, Node, Projection, Reached, document_node
from app.library.records import CorpusTotals, DocumentSummary
from app.orchestration.result import CorpusStats, Decision, OrchestrationResult, Timing
from app.retrieval.records import Intent, QueryAnalysis, RetrievedChunk
from app.scratch.store import CacheSweeper, ScratchStore
from app.settings import Settings
from tests.desktop.fake_documents import FakeDocuments, chunk, summary
from tests.desktop.fake_maintenance import FakeMaintenance
from tests.desktop.fake_packages import FakePackages
from tests.support.jobs import FakeJobs


def result_of(query: str, hits: tuple[RetrievedChunk, ...]) -> OrchestrationResult:
    return OrchestrationResult(
        query=query,
        analysis=QueryAnalysis(query, Intent.FACTUAL, (query,)),
        mode="chunk",
        chunks=hits,
        citations=(),
        corpus_stats=CorpusStats(1, ("https://site.example/a",), len(hits)),
        timing=Timing(total_ms=12.0),
        final_decision=Decision("complete"),
    )


class FakeGraph:
    """Links between the stored pages. `linked` contains pairs of documents, of which the first links to the second."""

    def __init__(self, documents: dict[int, DocumentSummary]) -> None:
        self.documents = documents
        self.linked: list[tuple[int, int]] = []
        self.disabled = False

    async def expand(self, names: Sequence[str], *, types: Collection[EdgeType], **_: object) -> Neighbourhood:
        if self.disabled:
            raise GraphDisabledError("The graph is turned off.")
        here = int(names[0].removeprefix("d"))
        pairs = [pair for pair in self.linked if here in pair] if EdgeType.LINKS_TO in types else []
        edges = tuple(
            Edge(document_node(one), document_node(other), EdgeType.LINKS_TO, 0.5, "see there") for one, other in pairs
        )
        around = dict.fromkeys(edge.other(document_node(here)) for edge in edges)
        reached = tuple(Reached(self._shown(node), 1, "") for node in around)
        return Neighbourhood((), reached, edges, len(reached), Cut.NONE)

    def _shown(self, node: Node) -> Projection:
        row = self.documents[node.number]
        return Projection(node, row.title, "", row.url, 1)


@dataclass
class FakeActivity:
    """The calls of the test, summed up like the library does."""

    recorded: list[ActivityRecord]

    async def calls(self, limit: int) -> list[ActivityRecord]:
        return self.recorded[:limit]

    async def usage(self, since: float) -> list[DayUsage]:
        sums: dict[tuple[str, str], list[ActivityRecord]] = {}
        for call in self.recorded:
            if call.started_at >= since:
                day = datetime.fromtimestamp(call.started_at, tz=UTC).astimezone().date().isoformat()
                sums.setdefault((day, call.client), []).append(call)
        return [
            DayUsage(
                *key,
                len(calls),
                sum(call.tokens for call in calls),
                sum(len(call.pages) for call in calls),
                sum(call.saved for call in calls),
                sum(call.tool in QUESTION_TOOLS and not is_mistake(call.outcome, call.failure) for call in calls),
            )
            for key, calls in sums.items()
        ]

    async def clear(self) -> None:
        self.recorded.clear()


@dataclass
class FakeQuestions:
    """The questions of the test's calls."""

    recorded: list[ActivityRecord]

    async def calls(self, first: float, last: float, limit: int, verdict: str = "") -> list[ActivityRecord]:
        found = (call for call in self.recorded if first <= call.started_at < last)
        return [call for call in found if verdict in ("", call.verdict)][:limit]

    async def containing(self, text: str, limit: int, verdict: str = "") -> list[ActivityRecord]:
        found = (call for call in self.recorded if call.question and text in call.question)
        return [call for call in found if verdict in ("", call.verdict)][:limit]

    async def erase(self, first: float = 0.0, last: float = inf) -> None:
        self._erase(lambda call: first <= call.started_at < last)

    async def erase_one(self, call_id: int) -> None:
        self._erase(lambda call: call.id == call_id)

    def _erase(self, erased: Callable[[ActivityRecord], bool]) -> None:
        self.recorded[:] = [replace(call, question="") if erased(call) else call for call in self.recorded]


@dataclass
class FakeEngine:
    """Engine that answers from memory."""

    settings: Settings
    bus: EventBus
    stored: dict[int, DocumentSummary] = field(default_factory=dict)
    calls: list[ActivityRecord] = field(default_factory=list)
    text: str = "# Heading\n\nSome text."
    start_error: WebRAGError | None = None
    updated: threading.Event | None = None
    embedder: EmbedderState = field(default_factory=lambda: EmbedderState("small model", True, "", 0))
    asked: list[tuple[str, object]] = field(default_factory=list)
    looks: dict[str, PagePreview] = field(default_factory=dict)
    refusals: dict[str, WebRAGError] = field(default_factory=dict)
    is_paused: bool = False
    joined: tuple[str, ...] = ()
    stopped: bool = False
    scratch: ScratchStore = field(default_factory=ScratchStore)
    libraries: Any = None
    packages: FakePackages = field(init=False)
    jobs: FakeJobs = field(init=False)
    graph: FakeGraph = field(init=False)
    documents: FakeDocuments = field(init=False)
    maintenance: FakeMaintenance = field(default_factory=FakeMaintenance)
    file_health: FileHealth = field(default_factory=FileHealth)
    reclaimable: int = 0

    def __post_init__(self) -> None:
        self.jobs = FakeJobs(self.bus)
        self.packages = FakePackages(self.jobs)
        self.graph = FakeGraph(self.stored)
        self.activity = FakeActivity(self.calls)
        self.questions = FakeQuestions(self.calls)
        self.maintenance.state = lambda: self.embedder
        self._keeper = CacheSweeper(self.scratch, self.bus)
        self.documents = FakeDocuments(self.stored, self.bus, self.asked.append)

    async def begin(self) -> None:
        """Do nothing, because nothing has to be started."""

    async def start(
        self, *, begins: bool = True, on_update: Callable[[], Coroutine[Any, Any, None]] | None = None
    ) -> None:
        if self.updated is not None and on_update is not None:
            self.bus.publish(LibraryUpdating(0.25))
            await on_update()
            await asyncio.to_thread(self.updated.wait)
        if self.start_error is not None:
            raise self.start_error
        self._keeper.start()
        self.bus.publish(EngineStateChanged("running"))

    async def stop(self) -> None:
        self._keeper.stop()
        self.stopped = True

    async def status(self, source_url: str | None = None, *, limit: int = caps.MAX_STATUS_URLS) -> CorpusStatus:
        rows = [row for row in self.stored.values() if source_url in (None, row.url)]
        totals = CorpusTotals(len(self.stored), 4 * len(self.stored), 1234, 0, 5_000_000)
        return CorpusStatus(totals, tuple(rows[:limit] if source_url is None else rows), asked_url=source_url)

    def apply(self, settings: Settings) -> None:
        self.asked.append(("record", settings.activity_log))

    async def ensure_ingested(
        self, url: str, *, refresh: bool = False, progress: ProgressCallback = no_progress
    ) -> IngestedPage:
        self.asked.append(("refresh" if refresh else "add", url))
        await progress("ingestion", f"Scraping {url}...")
        if "slow" in url:
            raise FetchTimeoutError(f"{url} did not answer.", url=url)
        row = next((row for row in self.stored.values() if row.url == url), None)
        change = "updated" if row else "stored"
        row = replace(row or summary(max(self.stored, default=0) + 2, url=url), last_crawled=time.time())
        self.stored[row.id] = row
        self.bus.publish(DocumentChanged(row.url, row.id, "stored"))
        return IngestedPage(row.url, row.title, change, row.id, row.chunks, row.tokens)

    async def preview_page(self, url: str) -> PagePreview:
        self.asked.append(("look", url))
        await asyncio.sleep(0)
        if url in self.refusals:
            raise self.refusals[url]
        known = next((row for row in self.stored.values() if row.url == url), None)
        made = PagePreview(url, f"About {url.rsplit('/', 1)[-1]}", "en", 120, 3, 7, "The first lines.", stored=known)
        return self.looks.get(url, made)

    async def ingest_preview(self, preview: PagePreview) -> IngestedPage:
        self.asked.append(("add looked", preview.url))
        row = summary(max(self.stored, default=0) + 2, url=preview.url, title=preview.title)
        self.stored[row.id] = row
        self.bus.publish(DocumentChanged(row.url, row.id, "stored"))
        return IngestedPage(row.url, row.title, "stored", row.id, row.chunks, row.tokens)

    async def add_file(self, path: Path) -> IngestedPage:
        self.asked.append(("file", path))
        if path.suffix == ".pdf":
            raise UnsupportedContentError(f"{path.name} is locked.", url=str(path))
        row = replace(summary(max(self.stored, default=0) + 2, url=path.as_uri(), title=path.stem), kind="file")
        self.stored[row.id] = row
        self.bus.publish(DocumentChanged(row.url, row.id, "stored"))
        return IngestedPage(row.url, row.title, "stored", row.id, row.chunks, row.tokens)

    async def search(self, query: str, *, mode: str = "hybrid", **_: object) -> OrchestrationResult:
        self.asked.append(("search", (query, mode)))
        if "nothing" in query:
            return result_of(query, ())
        hits = tuple(
            RetrievedChunk(
                chunk(number, f"## Head\nText {number} about {query}"), 0.5, 0.9 - number / 10, matched=("keyword",)
            )
            for number in (2, 0, 1)
        )
        return result_of(query, hits)

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def set_paused(self, paused: bool) -> None:
        self.is_paused = paused

    def check_not_paused(self) -> None:
        if self.is_paused:
            raise PausedError("WebRAG is paused.")

    @property
    def embedder_state(self) -> EmbedderState:
        return self.embedder

    @property
    def health(self) -> FileHealth:
        return self.file_health


@dataclass
class FakeEndpoint:
    """Endpoint that does not listen."""

    error: Exception | None = None
    stops: int = 0
    url: str = ""

    async def start(self) -> str:
        if self.error is not None:
            raise self.error
        self.url = "http://127.0.0.1:8765/mcp"
        return self.url

    async def stop(self) -> None:
        self.stops += 1


class FakeParts:
    """Replacement of app.desktop.backend.Parts. Every engine shows the documents and passages of the first."""

    def __init__(self, documents: int = 0) -> None:
        self.documents = {number: summary(number) for number in range(documents)}
        self.start_error: WebRAGError | None = None
        self.updated: threading.Event | None = None
        self.listen_error: Exception | None = None
        self.embedder = EmbedderState("small model", True, "", 0)
        self.calls: list[ActivityRecord] = []
        self.scratch = ScratchStore()
        self.engines: list[FakeEngine] = []
        self.served: FakeEngine | None = None
        self.endpoints: list[FakeEndpoint] = []

    def build_engine(self, settings: Settings, bus: EventBus) -> FakeEngine:
        made = FakeEngine(
            settings,
            bus,
            self.documents,
            self.calls,
            start_error=self.start_error,
            updated=self.updated,
            embedder=self.embedder,
            scratch=self.scratch,
        )
        self.engines.append(made)
        return made

    def build_endpoint(self, engine: FakeEngine, requests: Requests) -> FakeEndpoint:
        self.served = engine
        self.endpoints.append(FakeEndpoint(self.listen_error))
        return self.endpoints[-1]

    def runtime_info(self, url: str) -> RuntimeInfo:
        return RuntimeInfo(url, "token", 1, "0")
