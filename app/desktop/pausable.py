"""The engine as the endpoint sees it: while paused, every call ends at once with an error that says so.

The endpoint keeps listening, so that assistants keep their list of tools, bridges start no second instance, and a second
start of the application still reaches the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app import caps
from app.errors import PausedError
from app.progress import ProgressCallback, no_progress

if TYPE_CHECKING:
    from pathlib import Path

    from app.corpus.records import CorpusStatus, Document, DocumentSummary, LinkRecord
    from app.docsets.service import Docs
    from app.engine import Engine
    from app.engine.activity import Activity
    from app.engine.care import Care
    from app.events import EventBus
    from app.ingest.outcome import IngestedPage
    from app.kb.service import KnowledgeBase
    from app.orchestration.page_answers import PageAnswers
    from app.orchestration.question import Question
    from app.orchestration.result import OrchestrationResult
    from app.retrieval.graph.service import CorpusGraph
    from app.scratch.resources import ResourceResolver
    from app.scratch.store import ScratchStore
    from app.server.port import JobsPort
    from app.settings import Settings
    from app.web.search.records import QuerySearch


class PausableEngine:
    """Passes calls on to the engine unless `paused` is set. Fits app.server.port.EnginePort."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.paused = False

    @property
    def settings(self) -> Settings:
        return self._engine.settings

    @property
    def bus(self) -> EventBus:
        return self._engine.bus

    @property
    def jobs(self) -> JobsPort:
        return self._awake().jobs

    @property
    def scratch(self) -> ScratchStore:
        return self._awake().scratch

    @property
    def docs(self) -> Docs:
        return self._awake().docs

    @property
    def artifacts(self) -> ResourceResolver:
        return self._awake().artifacts

    @property
    def graph(self) -> CorpusGraph:
        return self._awake().graph

    @property
    def kb(self) -> KnowledgeBase:
        return self._awake().kb

    async def run(self, question: Question, progress: ProgressCallback = no_progress) -> OrchestrationResult:
        return await self._awake().run(question, progress)

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
        return await self._awake().search(
            query, source_urls=source_urls, intent=intent, top_k=top_k, mode=mode, progress=progress
        )

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
        return await self._awake().web_search(
            queries, results=results, region=region, language=language, safe_search=safe_search, seconds=seconds
        )

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
        return await self._awake().read_from_page(
            url, queries, force_refresh=force_refresh, max_results=max_results, seconds=seconds, progress=progress
        )

    async def ingest(
        self,
        urls: Sequence[str],
        *,
        refresh: bool = False,
        seconds: float | None = None,
        progress: ProgressCallback = no_progress,
    ) -> tuple[IngestedPage, ...]:
        return await self._awake().ingest(urls, refresh=refresh, seconds=seconds, progress=progress)

    async def add_file(self, path: Path) -> IngestedPage:
        return await self._awake().add_file(path)

    async def status(self, source_url: str | None = None, *, limit: int = caps.MAX_STATUS_URLS) -> CorpusStatus:
        return await self._awake().status(source_url, limit=limit)

    @property
    def care(self) -> Care:
        return self._awake().care

    @property
    def activity(self) -> Activity:
        return self._awake().activity

    async def delete_document(self, document_id: int) -> bool:
        return await self._awake().delete_document(document_id)

    async def library(self, text: str = "", *, limit: int, offset: int = 0) -> list[DocumentSummary]:
        return await self._awake().library(text, limit=limit, offset=offset)

    async def document(self, document_id: int) -> Document | None:
        return await self._awake().document(document_id)

    async def document_links(self, document_id: int) -> list[LinkRecord]:
        return await self._awake().document_links(document_id)

    def count_tokens(self, text: str) -> int:
        return self._engine.count_tokens(text)

    def _awake(self) -> Engine:
        if self.paused:
            raise PausedError("WebRAG is paused by the person at this computer.")
        return self._engine
