"""The [STATS] section: how the result came about and what limited it."""

from __future__ import annotations

from typing import Final

from app import caps
from app.orchestration.result import BUDGET_EXHAUSTED, OrchestrationResult, Timing
from app.server.render.errors import safe
from app.server.render.text import one_line

MODES: Final = {
    "chunk": "chunk (selective retrieval)",
    "full_context": "full_context (entire corpus fits within token budget)",
}


def answer_stats(result: OrchestrationResult) -> str:
    """The section of `answer`, with the notes on expansion."""
    counts = [
        f"Expansion iterations: {result.total_iterations}",
        f"URLs ingested: {result.total_urls_ingested}",
    ]
    lines = _lines(result, counts, _answer_times(result.timing))
    return "\n".join([*lines, *(f"Note: {note}" for note in [*_expansion_notes(result), *map(safe, result.notes)])])


def search_stats(result: OrchestrationResult) -> str:
    """The section of `search`: nothing is fetched and nothing expands."""
    lines = _lines(result, [], _search_times(result.timing))
    return "\n".join([*lines, *(f"Note: {safe(note)}" for note in result.notes)])


def _lines(result: OrchestrationResult, counts: list[str], times: str) -> list[str]:
    stats = result.corpus_stats
    return [
        "[STATS]",
        f"Mode: {MODES.get(result.mode, result.mode)}",
        f"Documents searched: {stats.total_documents}",
        f"Documents matched: {len(stats.documents_matched)}",
        f"Chunks evaluated: {stats.total_parent_chunks}",
        *counts,
        *([f"URLs failed: {len(result.failures)}"] if result.failures else []),
        f"Stop reason: {one_line(result.final_decision.reason, caps.MAX_REASON_CHARS_SHOWN)}",
        f"Total time: {result.timing.total_ms:.0f}ms ({times})",
    ]


def _answer_times(timing: Timing) -> str:
    return (
        f"analysis: {timing.query_analysis_ms:.0f}ms, retrieval: {timing.retrieval_ms:.0f}ms, "
        f"reranking: {timing.reranking_ms:.0f}ms, expansion: {timing.expansion_ms:.0f}ms, "
        f"locality: {timing.locality_ms:.0f}ms, merge: {timing.merge_ms:.0f}ms"
    )


def _search_times(timing: Timing) -> str:
    return (
        f"analysis: {timing.query_analysis_ms:.0f}ms, retrieval: {timing.retrieval_ms:.0f}ms, "
        f"reranking: {timing.reranking_ms:.0f}ms, merge: {timing.merge_ms:.0f}ms"
    )


def _expansion_notes(result: OrchestrationResult) -> list[str]:
    budget, iterations = result.expansion_budget, result.total_iterations
    notes = []
    if iterations == 0 and budget is not None and budget != 0:
        notes.append("No expansion performed (single iteration).")
    if budget and result.final_decision.reason == BUDGET_EXHAUSTED:
        notes.append(f"Expansion budget exhausted (reached {iterations} of {budget} iterations).")
    deepest = max((step.depth for step in result.expansion_steps), default=0)
    if deepest and deepest == result.max_expansion_depth:
        notes.append(
            f"Expansion reached maximum depth ({deepest}). "
            "Results may benefit from a more specific query or a different seed URL."
        )
    return notes
