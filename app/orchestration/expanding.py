"""Rounds of expansion: links are chosen, their pages read and searched, until more pages stop helping."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from app import caps
from app.orchestration.evidence import Evidence
from app.orchestration.pages import LinkedPage, PageReader
from app.orchestration.question import Run
from app.orchestration.result import ExpansionStep
from app.retrieval.candidates import SubQuery
from app.retrieval.expansion import LinkProposer
from app.retrieval.stages import Stages

SUFFICIENT: Final = 0.92
"""Relevance at which the pages read so far are taken to answer the question."""
PLATEAU: Final = 0.01
"""A round of expansion that raises the best relevance by less than this ends the loop."""

Find = Callable[[Run, Sequence[SubQuery]], Awaitable[Evidence]]


class Expander:
    """Reads linked pages round by round while the evidence does not suffice. `find` searches everything read so far."""

    def __init__(self, links: LinkProposer, reader: PageReader, find: Find, stages: Stages) -> None:
        self._links = links
        self._reader = reader
        self._find = find
        self._stages = stages

    async def expand(self, run: Run, queries: Sequence[SubQuery], evidence: Evidence) -> Evidence:
        """The evidence after expansion; why it ended stands in `run.reason`."""
        frontier = list(run.documents)
        budget = run.question.budget
        while True:
            run.reason = self._stop_reason(run, evidence)
            if run.reason:
                return evidence
            phase = time.perf_counter()
            proposals = await asyncio.to_thread(
                self._links.propose,
                queries[0],
                frontier=frontier,
                evidence=evidence.ranked,
                visited=run.visited,
                limit=caps.MAX_LINKS_PER_ITERATION,
            )
            if not proposals:
                run.reason = "no link promises more"
                return evidence
            run.iterations += 1
            await run.progress(
                "expansion",
                f"Expanding to linked pages (iteration {run.iterations}/{budget})...",
                run.iterations,
                budget,
            )
            pages = await asyncio.gather(*(self._reader.read_linked(run, proposal) for proposal in proposals))
            frontier = [page.document.id for page in pages if page.document is not None]
            await self._reader.embed_likely(run, queries, frontier)
            run.add_time("expansion", phase)
            before, evidence = evidence, await self._find(run, queries)
            _record(run, pages, before, evidence)
            if evidence.top_score - before.top_score < PLATEAU and run.iterations > 1:
                run.reason = "score plateau"
                return evidence

    def _stop_reason(self, run: Run, evidence: Evidence) -> str:
        if run.question.budget == 0:
            return "expansion not requested"
        if self._stages.sufficiency and evidence.top_score >= SUFFICIENT:
            return "evidence sufficient"
        if run.iterations >= run.question.budget:
            return "expansion budget exhausted"
        return "time budget" if self._reader.is_late(run) else ""


def _record(run: Run, pages: Sequence[LinkedPage], before: Evidence, after: Evidence) -> None:
    for page in pages:
        depth = run.depths.get(page.proposal.source_url, 0) + 1
        url = page.document.url if page.document is not None else page.proposal.url
        run.depths[url] = depth
        run.steps.append(
            ExpansionStep(
                url=url,
                source_url=page.proposal.source_url,
                depth=depth,
                iteration=run.iterations,
                chunks_added=page.document.chunks if page.document is not None else 0,
                score_before=before.top_score,
                score_after=after.top_score,
                duration_ms=page.duration_ms,
                failure=page.failure,
            )
        )
