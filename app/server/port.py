"""The engine as this room needs it; `app.engine.Engine` fits, and so does a small stand-in in the tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app import caps
from app.corpus.records import CorpusStatus, DocumentSummary, Problem
from app.events import EventBus
from app.orchestration.progress import ProgressCallback, no_progress
from app.orchestration.result import IngestedPage, OrchestrationResult
from app.settings import Settings


class EnginePort(Protocol):
    """What tools and the control endpoint call. All of it runs on the engine's event loop."""

    @property
    def settings(self) -> Settings: ...

    @property
    def bus(self) -> EventBus: ...

    async def run(
        self,
        url: str,
        query: str,
        *,
        more_urls: Sequence[str] = (),
        intent: str | None = None,
        known_context: str | None = None,
        constraints: Sequence[str] = (),
        expansion_budget: int | None = None,
        progress: ProgressCallback = no_progress,
    ) -> OrchestrationResult: ...

    async def search(
        self,
        query: str,
        *,
        source_urls: Sequence[str] = (),
        intent: str | None = None,
        top_k: int | None = None,
        mode: str = "hybrid",
        progress: ProgressCallback = no_progress,
    ) -> OrchestrationResult: ...

    async def ingest(
        self, urls: Sequence[str], *, refresh: bool = False, progress: ProgressCallback = no_progress
    ) -> tuple[IngestedPage, ...]: ...

    async def status(self, source_url: str | None = None, *, limit: int = caps.MAX_STATUS_URLS) -> CorpusStatus: ...

    async def verify(self) -> list[Problem]: ...

    async def delete_document(self, document_id: int) -> bool: ...

    async def library(self, text: str = "", *, limit: int, offset: int = 0) -> list[DocumentSummary]: ...

    def count_tokens(self, text: str) -> int: ...
