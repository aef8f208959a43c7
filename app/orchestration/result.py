"""The result of one question: everything that the formatter, the window and `--json` show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.ingest.outcome import IngestedPage
from app.library.records import Freshness, ImageRecord
from app.retrieval.records import CitationSpan, QueryAnalysis, RetrievedChunk
from app.text.sentence import sentence

# Reasons that other texts depend on.
NO_CHUNKS: Final = "No chunks above relevance threshold."
BUDGET_EXHAUSTED: Final = "expansion budget exhausted"
TIME_BUDGET: Final = "time budget"


CLOSEST_SHOWN: Final = "; the closest passages are shown"
LONGEST: Final = sentence("The longest blocks of the page are shown, not ordered by relevance.")
"""Notes about passages of a page, omitted if none of them fits."""


@dataclass(frozen=True, slots=True)
class ExpansionStep:
    """One page of the expansion; `failure` is empty on success, scores are the best relevance before and after."""

    url: str
    source_url: str
    depth: int
    iteration: int
    chunks_added: int
    score_before: float
    score_after: float
    duration_ms: float
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """Why the loop ended."""

    reason: str


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """The extent of the search: documents in scope, documents with evidence, chunks with a score."""

    total_documents: int = 0
    documents_matched: tuple[str, ...] = ()
    total_parent_chunks: int = 0


@dataclass(frozen=True, slots=True)
class Timing:
    """Wall time by phase in milliseconds."""

    total_ms: float = 0.0
    ingestion_ms: float = 0.0
    query_analysis_ms: float = 0.0
    retrieval_ms: float = 0.0
    reranking_ms: float = 0.0
    expansion_ms: float = 0.0
    locality_ms: float = 0.0
    merge_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class SourceImage:
    """An image in the evidence, with its page; `kept` is the address of the stored image, if readable."""

    source_url: str
    image: ImageRecord
    kept: str = ""


@dataclass(frozen=True, slots=True)
class SourceFailure:
    """A named page that could not be read, or with `goes_on` not yet, by the job `job_id` (0: none)."""

    url: str
    code: str
    reason: str
    goes_on: bool = False
    job_id: int = 0

    @classmethod
    def of(cls, url: str, page: IngestedPage) -> SourceFailure:
        """Return the entry for a named page that was not read, or not yet."""
        if page.is_reading:
            return cls(url, "", page.note, goes_on=True, job_id=page.job_id)
        return cls(url, page.failure_code, page.failure_reason)


@dataclass(frozen=True, slots=True)
class OrchestrationResult:
    """Evidence with its origin.

    `mode` is "chunk" or "full_context". `expansion_budget` is the effective budget (None without expansion, as in `search`). `notes` are
    sentences for the reader: degraded search, unfinished work. `chunks` are grouped by source and ordered by position; the formatter
    orders evidence by score. `freshness` has, for each document with evidence, its age and its changes since an earlier result cited it.
    With `nothing_found`, the chunks, if any, are the closest ones and most likely not an answer. `likelihood` is the likelihood that they
    contain one (None if not estimated). `looked_in` is the place that the question names, if only that was searched. `reread` names the
    reranker that ordered the best chunks again, and how many.
    """

    query: str
    analysis: QueryAnalysis
    mode: str = "chunk"
    chunks: tuple[RetrievedChunk, ...] = ()
    citations: tuple[CitationSpan, ...] = ()
    corpus_stats: CorpusStats = CorpusStats()
    timing: Timing = Timing()
    final_decision: Decision = Decision(NO_CHUNKS)
    seed_url: str | None = None
    expansion_steps: tuple[ExpansionStep, ...] = ()
    total_iterations: int = 0
    total_urls_ingested: int = 0
    expansion_budget: int | None = None
    max_expansion_depth: int = 0
    images: tuple[SourceImage, ...] = ()
    failures: tuple[SourceFailure, ...] = ()
    notes: tuple[str, ...] = ()
    freshness: tuple[Freshness, ...] = ()
    nothing_found: bool = False
    likelihood: float | None = None
    looked_in: str = ""
    reread: str = ""
