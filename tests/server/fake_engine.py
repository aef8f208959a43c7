"""An engine that answers immediately, slowly or not at all, to test how the server handles it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from app import caps
from app.corpus.records import CorpusStatus, DayUsage, Problem
from app.engine import Engine
from app.events import Event, EventBus, ProgressCallback, no_progress
from app.ingest.outcome import IngestedPage
from app.library.records import Document, DocumentState, DocumentSummary, LinkRecord
from app.orchestration.page_queries import PageAnswers, PageQuery
from app.orchestration.question import Question
from app.orchestration.result import OrchestrationResult
from app.scratch.resources import Artifact, ArtifactEntry, NamedPicture, of_passage
from app.scratch.store import ScratchStore
from app.secrets import SecretStore
from app.settings import Settings
from app.web.search.records import QuerySearch
from tests.server import results
from tests.support.jobs import FakeJobs

ASKED_OF_SEARCH = ("results", "region", "safe_search")
PHASES = (
    ("ingestion", f"Checking if {results.HIVES} is indexed..."),
    ("retrieval", "Searching 1 documents..."),
    ("merge", "Assembling results (1 chunks, 40 tokens)..."),
)


@dataclass(slots=True)
class FakeArtifacts:
    """Passages of the store, and no pages."""

    scratch: ScratchStore

    def kept_pictures(self, url: str) -> list[NamedPicture]:
        return []

    def find(self, owner: str, id_or_uri: str, session_id: str | None = None) -> Artifact:
        return of_passage(self.scratch.find(owner, id_or_uri, session_id))

    def picture(self, uri: str) -> None:
        return None

    def pictures_of(self, page: Artifact) -> list[tuple[str, str]]:
        return []

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
class FakeMaintenance:
    """A corpus with a damaged page that can be copied."""

    asked: list[dict[str, object]]

    async def verify(self) -> list[Problem]:
        return [Problem("integrity", "page 3 is damaged")]

    async def backup(self, target: Path) -> None:
        self.asked.append({"backup": target})
        await asyncio.to_thread(target.write_bytes, b"SQLite format 3\0")


@dataclass(slots=True)
class FakeDocuments:
    """`rows` are stored; the first one can be deleted."""

    rows: tuple[DocumentSummary, ...]

    async def find(self, text: str = "", *, limit: int, offset: int = 0, label: str = "") -> list[DocumentSummary]:
        return [row for row in self.rows if text.casefold() in row.url.casefold()][offset : offset + limit]

    async def get(self, document_id: int) -> Document | None:
        text = "# Choosing a hive\n\nSee the winter page."
        return Document(
            id=document_id,
            url=results.HIVES,
            title="Choosing a hive",
            text=text,
            kind="html",
            language="en",
            state=DocumentState.READY,
            content_hash="hash",
            etag=None,
            last_modified=None,
            published=None,
            last_crawled=results.FETCHED,
            changed_at=results.FETCHED,
            note="",
            sections=(),
            images=(),
        )

    async def links(self, document_id: int) -> list[LinkRecord]:
        return [LinkRecord(results.WINTER, "winter page", 27, 38)]

    async def delete(self, document_ids: Sequence[int]) -> int:
        return document_ids.count(1)


class FakeEngine(Engine):
    """The engine without its parts: `failure` is raised, `delay` is a wait in seconds, `asked` records the arguments."""

    jobs: Any = None
    node: Any = None
    scratch: Any = None
    artifacts: Any = None
    documents: Any = None
    maintenance: Any = None
    activity: Any = None
    graph: Any = None
    docs: Any = None
    kb: Any = None
    packages: Any = None

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        answer: OrchestrationResult | None = None,
        pages: tuple[IngestedPage, ...] = (results.READ,),
        failure: Exception | None = None,
        delay: float = 0.0,
        **parts: Any,
    ) -> None:
        super().__init__(settings or Settings(data_dir=Path("unused")), SecretStore(), EventBus())
        self.answer = answer or results.five_chunks()
        self.pages = pages
        self.searched: tuple[QuerySearch, ...] = ()
        self.page_answers: PageAnswers | None = None
        self.failure = failure
        self.delay = delay
        self.asked: list[dict[str, object]] = []
        self.events: list[Event] = []
        self.entered, self.cancelled = asyncio.Event(), asyncio.Event()
        self.running = self.most_running = 0
        self.jobs = FakeJobs(self.bus)
        self.scratch = parts.pop("scratch", None) or ScratchStore()
        self.artifacts = FakeArtifacts(self.scratch)
        self.documents = FakeDocuments((results.document(1, results.HIVES, "Choosing a hive"),))
        self.maintenance = FakeMaintenance(self.asked)
        self.activity = FakeActivity(self.asked)
        for name, part in parts.items():
            setattr(self, name, part)
        self.bus.subscribe(self.events.append)

    async def run(
        self, question: Question, progress: ProgressCallback = no_progress, **_: object
    ) -> OrchestrationResult:
        self.asked.append(asdict(question))
        await self._work(progress)
        return self.answer

    async def search(
        self, query: str, *, progress: ProgressCallback = no_progress, **given: Any
    ) -> OrchestrationResult:
        asked = {"query": query, "source_urls": tuple(given.get("source_urls", ()))}
        self.asked.append(asked | {"top_k": given.get("top_k"), "mode": given.get("mode", "hybrid")})
        await self._work(progress)
        return self.answer

    async def web_search(self, queries: Sequence[str], **given: Any) -> tuple[QuerySearch, ...]:
        self.asked.append({"queries": tuple(queries)} | {name: given[name] for name in ASKED_OF_SEARCH})
        await self._work(no_progress)
        return self.searched or tuple(QuerySearch(query, None) for query in queries)

    async def read_from_page(
        self,
        url: str,
        queries: Sequence[str],
        *,
        force_refresh: bool = False,
        max_results: int = caps.PAGE_RESULTS,
        progress: ProgressCallback = no_progress,
        **_: Any,
    ) -> PageAnswers:
        self.asked.append({"url": url, "queries": tuple(queries), "refresh": force_refresh, "max_results": max_results})
        await self._work(progress)
        if self.page_answers is not None:
            return self.page_answers
        return PageAnswers(url, "", results.FETCHED, tuple(PageQuery(query, ()) for query in queries))

    async def ingest(
        self, urls: Sequence[str], *, refresh: bool = False, progress: ProgressCallback = no_progress, **_: Any
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

    async def add_file(self, path: Path) -> IngestedPage:
        self.asked.append({"file": path})
        if self.failure is not None:
            raise self.failure
        return replace(results.READ, url=path.as_uri(), title=path.stem)

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
