"""Rounds of expansion: links are chosen, their pages read and searched, until more pages stop helping."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

from app import caps
from app.errors import EmbedderError
from app.orchestration.pages import LinkedPage, PageReader
from app.orchestration.question import Run
from app.orchestration.result import BUDGET_EXHAUSTED, ExpansionStep
from app.retrieval.evidence import Evidence
from app.retrieval.links import ScoredLinks
from app.retrieval.records import LinkProposal, Stages, SubQuery

SUFFICIENT: Final = 0.92
"""Relevance at which the pages read so far are taken to answer the question."""
PLATEAU: Final = 0.01
"""A round of expansion that raises the best relevance by less than this brought nothing."""
Find = Callable[[Run, Sequence[SubQuery]], Awaitable[Evidence]]


def is_sufficient(evidence: Evidence) -> bool:
    """Whether the best passage is as relevant as an answer is."""
    return evidence.top_score >= SUFFICIENT


def is_plateau(before: Evidence, after: Evidence) -> bool:
    """Whether a round left the best relevance where it was."""
    return after.top_score - before.top_score < PLATEAU


class LinkExpander:
    """Reads linked pages round by round while the evidence does not suffice. `find` searches everything read so far."""

    def __init__(
        self,
        links: ScoredLinks,
        reader: PageReader,
        find: Find,
        stages: Stages,
        *,
        max_depth: int,
    ) -> None:
        self._links = links
        self._reader = reader
        self._find = find
        self._stages = stages
        self._max_depth = max_depth

    async def expand(self, run: Run, queries: Sequence[SubQuery], evidence: Evidence) -> Evidence:
        """The evidence after expansion; why it ended stands in `run.reason`."""
        run.reason = await self._stop_reason(run, evidence)
        while not run.reason:
            before = evidence
            phase = time.perf_counter()
            limit = caps.MAX_LINKS_PER_LATER_ITERATION if run.iterations else caps.MAX_LINKS_PER_ITERATION
            considered = await self._propose(run, queries, evidence, limit + caps.LINKS_PASSED_OVER)
            if not considered:
                run.reason = self._without_proposals(run)
                break
            await self._announce(run)
            proposals = considered[:limit]
            run.trace.begin_round(run.iterations, run.budget, proposals, considered[limit:])
            pages = await self._reader.read_round(run, queries, proposals)
            run.add_time("expansion", phase)
            evidence = await self._find(run, queries)
            _record(run, pages, before, evidence)
            run.reason = await self._stop_reason(run, evidence) or self._plateau(run, before, evidence)
        return evidence

    async def _propose(
        self, run: Run, queries: Sequence[SubQuery], evidence: Evidence, limit: int
    ) -> list[LinkProposal]:
        """The best links, the most promising first; none when the time ran out over the choice."""
        try:
            proposing = self._propose_for(run, queries, evidence, limit)
            return await asyncio.wait_for(proposing, self._reader.seconds_left(run))
        except TimeoutError:
            return []

    async def _propose_for(
        self, run: Run, queries: Sequence[SubQuery], evidence: Evidence, limit: int
    ) -> list[LinkProposal]:
        depths = {document.id: run.depths.get(document.url, 0) for document in run.documents.values()}
        pages = {document_id: depth for document_id, depth in depths.items() if depth < self._max_depth}

        def propose(asked: Sequence[SubQuery]) -> list[LinkProposal]:
            return self._links.propose(asked, pages=pages, evidence=evidence.ranked, visited=run.visited, limit=limit)

        try:
            return await asyncio.to_thread(propose, queries)
        except EmbedderError as error:
            run.notes.append(f"Links were chosen by their words alone ({error}).")
            return await asyncio.to_thread(propose, [replace(query, embedding=None) for query in queries])

    def _without_proposals(self, run: Run) -> str:
        return "time budget" if self._reader.is_late(run) else "no link promises more"

    async def _announce(self, run: Run) -> None:
        run.iterations += 1
        text = f"Expanding to linked pages (iteration {run.iterations}/{run.budget})..."
        await run.progress("expansion", text, run.iterations, run.budget)

    async def _stop_reason(self, run: Run, evidence: Evidence) -> str:
        if run.budget == 0:
            return "expansion not requested"
        if self._stages.sufficiency and is_sufficient(evidence) and not await self._is_listing(evidence):
            return "evidence sufficient"
        if run.iterations >= run.budget:
            return BUDGET_EXHAUSTED
        return "time budget" if self._reader.is_late(run) else ""

    async def _is_listing(self, evidence: Evidence) -> bool:
        return await asyncio.to_thread(self._links.is_listing, evidence.ranked[0].chunk)

    def _plateau(self, run: Run, before: Evidence, after: Evidence) -> str:
        """A first round without gain is no plateau yet: the links it left are tried before."""
        return "score plateau" if run.iterations > 1 and is_plateau(before, after) else ""


def _record(run: Run, pages: Sequence[LinkedPage], before: Evidence, after: Evidence) -> None:
    best: dict[int, float] = {}
    for item in after.ranked:
        best[item.chunk.document_id] = max(best.get(item.chunk.document_id, 0.0), item.reranked_score)
    for page in pages:
        depth = run.depths.get(page.proposal.source_url, 0) + 1
        own = best.get(page.document.id, 0.0) if page.document is not None else 0.0
        url = page.document.url if page.document is not None else page.proposal.url
        run.depths.setdefault(url, depth)
        run.steps.append(
            ExpansionStep(
                url=url,
                source_url=page.proposal.source_url,
                depth=depth,
                iteration=run.iterations,
                chunks_added=page.document.chunks if page.document is not None else 0,
                score_before=before.top_score,
                score_after=max(before.top_score, own),
                duration_ms=page.duration_ms,
                failure=page.failure,
            )
        )
