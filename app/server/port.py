"""The engine as this room needs it; `app.engine.Engine` fits, and so does a small stand-in in the tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app import caps
from app.corpus.graph.records import Direction, EdgeType
from app.corpus.job_records import Folder, ItemState, Job, JobItem
from app.corpus.records import Compacted, CorpusStatus, DayUsage, Document, DocumentSummary, Filter, LinkRecord, Problem
from app.docsets.pages import DocList, DocSearch, DocText
from app.events import EventBus
from app.ingest.crawling.options import CrawlOptions, CrawlPreview
from app.ingest.outcome import IngestedPage
from app.kb.records import Asking, Excerpt, Format, Mode, Quotes, SearchPage, SearchRequest, Verification
from app.orchestration.page_answers import PageAnswers
from app.orchestration.question import Question
from app.orchestration.result import OrchestrationResult
from app.progress import ProgressCallback, no_progress
from app.retrieval.graph.records import Description, Neighbourhood, PageAsked, Paths
from app.retrieval.scope import Narrowing
from app.scratch.resources import Artifact, ArtifactEntry
from app.scratch.store import ScratchStore
from app.settings import Settings
from app.web.search.records import QuerySearch

if TYPE_CHECKING:
    from app.engine.care import Storage
    from app.engine.updates import UpdateCheck


class CarePort(Protocol):
    """Looking after what is kept."""

    async def storage(self) -> Storage: ...

    async def compact(self) -> Compacted: ...

    async def verify(self) -> list[Problem]: ...

    async def backup(self, target: Path, /) -> None: ...

    async def check_update(self, feed: str, /) -> UpdateCheck: ...


class ActivityPort(Protocol):
    """The record of calls."""

    async def usage(self, since: float, /) -> list[DayUsage]: ...

    async def clear(self) -> None: ...


class JobsPort(Protocol):
    """Background jobs and watched folders. Methods that name a job raise UnknownJobError when there is none."""

    async def preview(self, url: str, options: CrawlOptions, /) -> CrawlPreview: ...

    async def crawl(self, url: str, options: CrawlOptions, /) -> Job: ...

    async def read_pages(self, urls: tuple[str, ...], /, *, target: str) -> Job: ...

    async def add_folder(self, path: Path, /) -> Job: ...

    async def remove_folder(self, path: Path, /) -> bool: ...

    async def refresh_folder(self, path: Path, /) -> Job: ...

    async def rename_folder(self, path: Path, name: str, /) -> Folder: ...

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


class ArtifactsPort(Protocol):
    """What has an address of ours. Blocking; `find` raises PassageExpiredError."""

    def find(self, owner: str, id_or_uri: str, session_id: str | None = None) -> Artifact: ...

    def pages(self, limit: int, offset: int = 0) -> list[ArtifactEntry]: ...

    def pinned(self) -> list[ArtifactEntry]: ...

    def known_addresses(self, prefix: str, limit: int) -> list[str]: ...


class GraphPort(Protocol):
    """The graph over the corpus. Methods that name nodes raise InvalidArgumentError when none of them is known."""

    disabled: bool

    async def describe(
        self, names: Sequence[str] = (), *, filter: Filter = ..., snippets: bool = False
    ) -> Description: ...

    async def expand(
        self,
        names: Sequence[str],
        *,
        types: Collection[EdgeType] = ...,
        direction: Direction = ...,
        max_hops: int = 1,
        asked: PageAsked = ...,
    ) -> Neighbourhood: ...

    async def parents(self, name: str, asked: PageAsked = ...) -> Neighbourhood: ...

    async def children(self, name: str, asked: PageAsked = ...) -> Neighbourhood: ...

    async def entities_for_sections(self, names: Sequence[str], asked: PageAsked = ...) -> Neighbourhood: ...

    async def sections_for_entities(self, names: Sequence[str], asked: PageAsked = ...) -> Neighbourhood: ...

    async def paths(
        self,
        start: str,
        end: str,
        *,
        max_hops: int = ...,
        max_paths: int = ...,
        filter: Filter = ...,
        snippets: bool = False,
    ) -> Paths: ...


class DocsPort(Protocol):
    """Pages of documentation folders. Every method blocks; those that name a page or folder raise DocsError when there is none."""

    def search(self, query: str, limit: int | None = None, /) -> DocSearch: ...

    def page(self, name: str, wanted: Sequence[str] | None, fits: Callable[[str], bool], /) -> DocText: ...

    def pages(self, category: str | None = None, /) -> DocList: ...

    def export(self, name: str, target: Path, /) -> Path: ...


class KbPort(Protocol):
    """The knowledge base. All methods raise ScopeViolationError for what lies outside the scope of the asking."""

    async def search(self, asking: Asking, request: SearchRequest, /) -> SearchPage: ...

    async def retrieve_evidence(
        self,
        asking: Asking,
        question: str,
        *,
        top_k: int = ...,
        max_quotes: int = ...,
        max_quote_tokens: int = ...,
        narrowing: Narrowing = ...,
        mode: Mode = ...,
    ) -> Quotes: ...

    async def extract_evidence(
        self,
        asking: Asking,
        question: str,
        passage_ids: Sequence[str],
        *,
        max_quotes: int = ...,
        max_quote_tokens: int = ...,
        include_context_tokens: int = ...,
    ) -> Quotes: ...

    async def read_excerpt(
        self, asking: Asking, passage_id: str, *, max_tokens: int = ..., start_char: int = 0, format: Format = ...
    ) -> Excerpt: ...

    async def expand_excerpt(
        self,
        asking: Asking,
        passage_id: str,
        *,
        before_tokens: int = ...,
        after_tokens: int = ...,
        start_char: int | None = None,
    ) -> Excerpt: ...

    async def verify_quote(self, asking: Asking, text: str, uri: str | None = None) -> Verification: ...


class EnginePort(Protocol):
    """What tools and the control endpoint call. All of it runs on the engine's event loop."""

    @property
    def settings(self) -> Settings: ...

    @property
    def bus(self) -> EventBus: ...

    @property
    def jobs(self) -> JobsPort: ...

    @property
    def scratch(self) -> ScratchStore: ...

    @property
    def artifacts(self) -> ArtifactsPort: ...

    @property
    def docs(self) -> DocsPort: ...

    @property
    def graph(self) -> GraphPort: ...

    @property
    def kb(self) -> KbPort: ...

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

    async def web_search(
        self,
        queries: Sequence[str],
        *,
        results: int = caps.SEARCH_RESULTS,
        region: str = "",
        language: str = "",
        safe_search: str = "",
        seconds: float | None = None,
    ) -> tuple[QuerySearch, ...]: ...

    async def read_from_page(
        self,
        url: str,
        queries: Sequence[str],
        *,
        force_refresh: bool = False,
        max_results: int = caps.PAGE_RESULTS,
        seconds: float | None = None,
        progress: ProgressCallback = no_progress,
    ) -> PageAnswers: ...

    async def ingest(
        self,
        urls: Sequence[str],
        *,
        refresh: bool = False,
        seconds: float | None = None,
        progress: ProgressCallback = no_progress,
    ) -> tuple[IngestedPage, ...]: ...

    async def add_file(self, path: Path) -> IngestedPage: ...

    async def status(self, source_url: str | None = None, *, limit: int = caps.MAX_STATUS_URLS) -> CorpusStatus: ...

    @property
    def care(self) -> CarePort: ...

    @property
    def activity(self) -> ActivityPort: ...

    async def delete_document(self, document_id: int) -> bool: ...

    async def library(self, text: str = "", *, limit: int, offset: int = 0) -> list[DocumentSummary]: ...

    async def document(self, document_id: int) -> Document | None: ...

    async def document_links(self, document_id: int) -> list[LinkRecord]: ...

    def count_tokens(self, text: str) -> int: ...
