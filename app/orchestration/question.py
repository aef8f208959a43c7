"""A question and its state while it runs."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.corpus.records import DocumentSummary
from app.orchestration.result import ExpansionStep, SourceFailure, Timing
from app.orchestration.trail import Trail
from app.progress import ProgressCallback
from app.retrieval.records import QueryAnalysis

if TYPE_CHECKING:
    from app.retrieval.rerank import QuestionInContext


@dataclass(frozen=True, slots=True)
class Question:
    """What `answer` is asked; the first address is the main one. `known_context` is text the asker has already,
    `expansion_budget` the number of expansion rounds allowed, `seconds` the time after which it is answered with what there is;
    None leaves them to the settings."""

    urls: tuple[str, ...]
    query: str
    intent: str | None = None
    known_context: str | None = None
    constraints: tuple[str, ...] = ()
    expansion_budget: int | None = None
    seconds: float | None = None


@dataclass(slots=True)
class Run:
    """What is known of a question while it runs. `budget` is the number of expansion rounds allowed, `started` a perf_counter
    reading, `ms` wall time by phase."""

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
    ms: dict[str, float] = field(default_factory=dict)
    trail: Trail = field(default_factory=Trail)

    def add_time(self, phase: str, started: float) -> None:
        self.ms[phase] = self.ms.get(phase, 0.0) + 1000 * (time.perf_counter() - started)

    def elapsed(self) -> float:
        return time.perf_counter() - self.started


def timing_of(run: Run) -> Timing:
    """The times so far, for the result."""
    ms = run.ms
    return Timing(
        total_ms=1000 * run.elapsed(),
        ingestion_ms=ms.get("ingestion", 0.0),
        query_analysis_ms=ms.get("analysis", 0.0),
        retrieval_ms=ms.get("retrieval", 0.0),
        reranking_ms=ms.get("reranking", 0.0),
        expansion_ms=ms.get("expansion", 0.0),
        locality_ms=ms.get("locality", 0.0),
    )
