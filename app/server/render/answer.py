"""`OrchestrationResult` → the research brief that the model reads. No clock, no network, no protocol."""

from __future__ import annotations

from typing import Final

from app.orchestration.result import OrchestrationResult
from app.retrieval.records import RetrievedChunk
from app.server.render.budget import Budget, CountTokens, Room, clip
from app.server.render.evidence import evidence_blocks, take_citations, take_evidence, take_images
from app.server.render.sources import number_sources, sources_text
from app.server.render.stats import answer_stats, search_stats
from app.server.render.tree import MAX_PAGES, MAX_PAGES_IN_VAIN, trace_text

NO_EVIDENCE: Final = "No relevant content was found for this query in the specified URL."
CLOSEST: Final = "The closest passages follow; they most likely do not hold the answer."
NO_EVIDENCE_STORED: Final = "No relevant content was found for this query in the indexed pages."


def answer_text(result: OrchestrationResult, *, budget: Budget, count: CountTokens, now: float) -> str:
    """The result of `answer` within the budget. `now` is in seconds since the epoch."""
    trace = trace_text(
        result.expansion_steps,
        seed_url=result.seed_url,
        stop_reason=result.final_decision.reason,
        used={item.chunk.url for item in result.chunks},
        most=MAX_PAGES if result.chunks else MAX_PAGES_IN_VAIN,
    )
    return _assembled(result, answer_stats(result), NO_EVIDENCE, trace, budget, count, now)


def search_text(result: OrchestrationResult, *, budget: Budget, count: CountTokens, now: float) -> str:
    """The result of `search` within the budget: the same without a trace."""
    return _assembled(result, search_stats(result), NO_EVIDENCE_STORED, "", budget, count, now)


def _assembled(
    result: OrchestrationResult,
    stats: str,
    no_evidence: str,
    trace: str,
    budget: Budget,
    count: CountTokens,
    now: float,
) -> str:
    """Room goes by importance: sources, stats, evidence, citations, trace, images."""
    room = Room(budget, count)
    sources = number_sources(result.chunks, result.freshness)
    room.spend(stats)
    listed = sources_text(list(sources.values()), result.failures, now=now, room=room)
    room.spend(listed)
    evidence = f"[EVIDENCE]\n{no_evidence}"
    included: list[RetrievedChunk] = []
    if result.chunks:
        heading = f"[EVIDENCE]\n{no_evidence} {CLOSEST}" if result.nothing_found else "[EVIDENCE]"
        room.spend(heading)
        evidence, included = take_evidence(evidence_blocks(result, sources), room, heading)
    # Quotes would stand for an answer that the passages most likely do not hold.
    quotes = () if result.nothing_found else result.citations
    citations = take_citations(quotes, included, sources, room)
    shown_trace = _take_trace(trace, result.total_iterations, room)
    images = take_images(result.images, sources, room)
    sections = [listed, evidence, images, shown_trace, citations, stats]
    return clip("\n\n".join(section for section in sections if section), budget, count)


def _take_trace(trace: str, iterations: int, room: Room) -> str:
    if not trace:
        return ""
    section = f"[EXPANSION TRACE]\n{trace}"
    omission = f"[Expansion trace omitted — {iterations} iterations, see stats above]"
    if room.take(section):
        return section
    return omission if room.take(omission) else ""
