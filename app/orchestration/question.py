"""A question, its state while it runs, and the events that report the progress of its pages."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from app import caps
from app.errors import InvalidArgumentError
from app.events import CURRENT_CALL, EventBus, EvidenceTraced, PageTraced, ProgressCallback, RoundTraced, SearchEnded
from app.library.records import DocumentSummary
from app.orchestration.result import ExpansionStep, SourceFailure, Timing
from app.retrieval.records import LinkProposal, QueryAnalysis, RetrievedChunk
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.retrieval.rerank import QuestionInContext

MAX_TRAIL_PAGES: Final = 200
MAX_TRAIL_PASSAGES: Final = 40  # Maximum passages of one page in the record of a call.
WAITING: Final = "waiting"
READING: Final = "reading"
READ: Final = "read"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"
USED: Final = "used"


@dataclass(frozen=True, slots=True)
class Question:
    """Input of `answer`; the first address is the main page.

    `known_context` is text the caller already has, `expansion_budget` the maximum number of rounds, and `seconds` the deadline after
    which partial results are returned. None means the value from the settings.
    """

    urls: tuple[str, ...]
    query: str
    intent: str | None = None
    known_context: str | None = None
    constraints: tuple[str, ...] = ()
    expansion_budget: int | None = None
    seconds: float | None = None


@dataclass(slots=True)
class ExpansionTrace:
    """Publishes the pages of one call as events. Does nothing without a bus or outside a call."""

    bus: EventBus | None = None
    call_id: int = field(default_factory=CURRENT_CALL.get)
    _pages: dict[str, PageTraced] = field(default_factory=dict)
    _asked: dict[str, str] = field(default_factory=dict)

    def name(self, urls: Sequence[str]) -> None:
        """These pages are read first."""
        for url in urls:
            self._tell(PageTraced(self.call_id, url, READING))

    def begin_round(
        self, number: int, budget: int, followed: Sequence[LinkProposal], passed_over: Sequence[LinkProposal]
    ) -> None:
        """Record which links this round follows and which it does not."""
        if self.bus is None or not self.call_id:
            return
        links = tuple((link.url, link.score) for link in passed_over)
        self.bus.publish(RoundTraced(self.call_id, number, budget, links))
        for link in followed:
            source = self._asked.get(link.source_url, link.source_url)
            self._tell(PageTraced(self.call_id, link.url, WAITING, source, number, promise=link.score))

    def reading(self, url: str) -> None:
        """The page was requested."""
        self._change(url, state=READING)

    def read(self, url: str, document: DocumentSummary, duration_ms: float = 0.0) -> None:
        """The page is stored, possibly under another address than the requested one."""
        known = {"title": document.title, "document_id": document.id, "tokens": document.tokens}
        self._change(url, state=READ, passages=document.chunks, duration_ms=duration_ms, **known)
        self._asked[document.url] = url

    def failed(self, url: str, reason: str, duration_ms: float = 0.0, *, skipped: bool = False) -> None:
        """The page was not read, or adds nothing."""
        self._change(url, state=SKIPPED if skipped else FAILED, reason=reason, duration_ms=duration_ms)

    def rate(self, ranked: Iterable[RetrievedChunk]) -> None:
        """Update the relevance of the best passage of each page."""
        best: dict[str, float] = {}
        for item in ranked:
            url = self._asked.get(item.chunk.url, item.chunk.url)
            best[url] = max(best.get(url, 0.0), item.reranked_score)
        for url, relevance in best.items():
            self._change(url, relevance=relevance)

    def end(self, chunks: Sequence[RetrievedChunk], reason: str) -> None:
        """The result has these passages; no more links are followed."""
        if self.bus is None or not self.call_id:
            return
        used: dict[str, list[RetrievedChunk]] = {}
        for item in chunks:
            used.setdefault(item.chunk.url, []).append(item)
        for url, items in list(used.items())[:MAX_TRAIL_PAGES]:
            self._change(self._asked.get(url, url), state=USED)
            ranked = sorted(items, key=lambda item: item.reranked_score, reverse=True)
            ranges = dict.fromkeys((item.chunk.start, item.chunk.end) for item in ranked)
            first, best = items[0].chunk, tuple(ranges)[:MAX_TRAIL_PASSAGES]
            self.bus.publish(EvidenceTraced(self.call_id, url, first.document_id, first.title, best))
        self.bus.publish(SearchEnded(self.call_id, reason))

    def _change(self, url: str, **news: object) -> None:
        known = self._pages.get(url)
        if known is not None:
            self._tell(replace(known, **news))  # type: ignore[arg-type]

    def _tell(self, page: PageTraced) -> None:
        if self.bus is None or not self.call_id or self._pages.get(page.url) == page:
            return
        if page.url in self._pages or len(self._pages) < MAX_TRAIL_PAGES:
            self._pages[page.url] = page
            self.bus.publish(page)


@dataclass(slots=True)
class Run:
    """The state of a running question.

    `budget`: maximum rounds; `started`: perf_counter; `ms`: wall time by phase; `told`: the sources that progress named last.
    """

    question: Question
    analysis: QueryAnalysis
    progress: ProgressCallback
    started: float
    in_context: QuestionInContext | None = None
    budget: int = 0
    documents: dict[int, DocumentSummary] = field(default_factory=dict)
    seed: DocumentSummary | None = None
    named: set[int] = field(default_factory=set)
    failures: list[SourceFailure] = field(default_factory=list)
    steps: list[ExpansionStep] = field(default_factory=list)
    depths: dict[str, int] = field(default_factory=dict)
    visited: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    iterations: int = 0
    ingested: int = 0
    reason: str = ""
    told: tuple[str, ...] = ()
    ms: dict[str, float] = field(default_factory=dict)
    trace: ExpansionTrace = field(default_factory=ExpansionTrace)

    def add_time(self, phase: str, started: float) -> None:
        self.ms[phase] = self.ms.get(phase, 0.0) + 1000 * (time.perf_counter() - started)

    def elapsed(self) -> float:
        return time.perf_counter() - self.started

    @property
    def is_reading_on(self) -> bool:
        """Whether a named page needs longer than the question has."""
        return any(failure.goes_on for failure in self.failures)


def timing_of(run: Run) -> Timing:
    return Timing(total_ms=1000 * run.elapsed(), **{f"{phase}_ms": ms for phase, ms in run.ms.items()})


def bounded_query(query: str, hint: str = "") -> str:
    """Return the query unchanged. Raises InvalidArgumentError if it is too long."""
    if not hint:
        hint = "Ask only the question, and move background to known_context."
    if len(query) > caps.MAX_QUERY_CHARS:
        size, most = f"{len(query):,}", f"{caps.MAX_QUERY_CHARS:,}"
        raise InvalidArgumentError(sentence("The query has {} characters; the maximum is {}.", size, most), hint=hint)
    return query


def bounded_queries(queries: Sequence[str]) -> tuple[str, ...]:
    """Return the queries without surrounding blanks. Raises InvalidArgumentError for none, an empty one, too many or too long ones."""
    asked = tuple(query.strip() for query in queries)
    if not asked or not all(asked):
        raise InvalidArgumentError(sentence("A query is empty."), hint="Pass the words to search for.")
    if len(asked) > caps.MAX_SEARCH_QUERIES:
        raise InvalidArgumentError(
            sentence("A call can have at most {} queries; {} are given.", caps.MAX_SEARCH_QUERIES, len(asked))
        )
    return tuple(bounded_query(query, hint="Ask for one thing in a few words.") for query in asked)
