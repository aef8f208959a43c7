"""The engine as this room needs it; `app.engine.Engine` fits, and so does a small stand-in in the tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from app import caps
from app.corpus.records import (
    CorpusStatus,
    Document,
    DocumentSummary,
    Folder,
    ItemState,
    Job,
    JobItem,
    LinkRecord,
    Problem,
)
from app.events import EventBus
from app.ingest.crawling.options import CrawlOptions, CrawlPreview
from app.orchestration.progress import ProgressCallback, no_progress
from app.orchestration.question import Question
from app.orchestration.result import IngestedPage, OrchestrationResult
from app.settings import Settings


class JobsPort(Protocol):
    """Background jobs and watched folders. Methods that name a job raise UnknownJobError when there is none."""

    async def preview(self, url: str, options: CrawlOptions, /) -> CrawlPreview: ...

    async def crawl(self, url: str, options: CrawlOptions, /) -> Job: ...

    async def read_pages(self, urls: tuple[str, ...], /, *, target: str) -> Job: ...

    async def add_folder(self, path: Path, /) -> Job: ...

    async def remove_folder(self, path: Path, /) -> bool: ...

    async def refresh_folder(self, path: Path, /) -> Job: ...

    async def folders(self) -> list[Folder]: ...

    async def jobs(self, limit: int, /) -> list[Job]: ...

    async def job(self, job_id: int, /) -> Job: ...

    async def items(
        self, job_id: int, /, *, states: tuple[ItemState, ...] = (), limit: int, offset: int = 0
    ) -> list[JobItem]: ...

    async def pause(self, job_id: int, /) -> Job: ...

    async def resume(self, job_id: int, /) -> Job: ...

    async def cancel(self, job_id: int, /) -> Job: ...

    async def retry(self, job_id: int, /) -> Job: ...

    async def wait(self, job_id: int, seconds: float, /) -> Job: ...

    def seconds_left(self, job_id: int, /) -> float | None: ...


class EnginePort(Protocol):
    """What tools and the control endpoint call. All of it runs on the engine's event loop."""

    @property
    def settings(self) -> Settings: ...

    @property
    def bus(self) -> EventBus: ...

    @property
    def jobs(self) -> JobsPort: ...

    async def run(self, question: Question, progress: ProgressCallback = no_progress) -> OrchestrationResult: ...

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

    async def add_file(self, path: Path) -> IngestedPage: ...

    async def status(self, source_url: str | None = None, *, limit: int = caps.MAX_STATUS_URLS) -> CorpusStatus: ...

    async def verify(self) -> list[Problem]: ...

    async def backup(self, target: Path) -> None: ...

    async def delete_document(self, document_id: int) -> bool: ...

    async def library(self, text: str = "", *, limit: int, offset: int = 0) -> list[DocumentSummary]: ...

    async def document(self, document_id: int) -> Document | None: ...

    async def document_links(self, document_id: int) -> list[LinkRecord]: ...

    def count_tokens(self, text: str) -> int: ...
