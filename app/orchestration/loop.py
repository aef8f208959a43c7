"""The loop of `answer`: ingest, retrieve, rerank, and expand to linked pages until further ones no longer help."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

from app import caps
from app.durations import ms_since
from app.embed.embedder import Embedder
from app.errors import EmbedderError
from app.events import EventBus, ProgressCallback
from app.ingest.background import EmbeddingQueue, until_cancelled
from app.ingest.pipeline import IngestPipeline
from app.library.protocol import Library
from app.library.records import DocumentSummary
from app.library.scope import FILES_ROOT, Filter, root_of, site_of
from app.orchestration.assembly import CitedDocuments, ContextSelector, assemble, grouped
from app.orchestration.pages import LinkedPage, PageReader, ReadOn, shortened
from app.orchestration.question import ExpansionTrace, Question, Run, timing_of
from app.orchestration.result import (
    BUDGET_EXHAUSTED,
    NO_CHUNKS,
    TIME_BUDGET,
    CorpusStats,
    Decision,
    ExpansionStep,
    OrchestrationResult,
)
from app.retrieval.analysis import specifics
from app.retrieval.candidates import seen_by, waiting_note
from app.retrieval.evidence import (
    Evidence,
    EvidenceFinder,
    PreparedQuestion,
    SearchArea,
    language_note,
    prepare_question,
    unmet_note,
)
from app.retrieval.links import ScoredLinks
from app.retrieval.naming import Narrowed, narrow
from app.retrieval.passages import Documents
from app.retrieval.records import LinkProposal, RetrievedChunk, SearchMode, SearchPlan, Stages, SubQuery
from app.retrieval.rerank import ANYWHERE, Origins
from app.retrieval.second_look import SecondLook
from app.text.sentence import sentence

LINKS_PER_ITERATION: Final = 8  # Pages of the first round: of 125 answers one link away, 105 were on one of them.
MAX_LINKS_PER_ITERATION: Final = 12  # If links are alike and there is time: five of 20 more answers.
LINKS_PER_LATER_ITERATION: Final = 4
MAX_LINKS_PER_LATER_ITERATION: Final = 6
ALIKE: Final = 0.4  # A link with this share of the best promise may be right (docs/internals/measurements.md).
LINKS_PASSED_OVER: Final = 6  # Links that were considered and not followed, shown next to those that were.
NOT_NEEDED: Final = "not needed: stored pages answer the question"
SUFFICIENT: Final = 0.92  # Relevance at which the pages read so far count as answering the question.
LIKELY: Final = 0.6  # Likelihood at which one round is enough (docs/internals/measurements.md).
SOURCES_AFTER: Final = 3.0  # Seconds after which progress names the best sources found so far.
SOURCES_NAMED: Final = 3
PLATEAU: Final = 0.01  # A round that raises the best relevance by less than this counts as no gain.
Find = Callable[[Run, Sequence[SubQuery]], Awaitable[Evidence]]
PAGES_IN_CONTEXT: Final = 6  # The question is read after the titles of this many pages; each costs an embedding of it.


class Orchestrator:
    """Runs questions against the corpus and the web."""

    def __init__(
        self,
        corpus: Library,
        pipeline: IngestPipeline,
        *,
        embedder: Embedder | None,
        embeddings: EmbeddingQueue | None,
        soft_deadline: float,
        read_on: ReadOn,
        max_depth: int,
        stages: Stages,
        similarity_threshold: float | None,
        cited: CitedDocuments,
        bus: EventBus | None = None,
        second_look: SecondLook | None = None,
    ) -> None:
        self._corpus = corpus
        self._embedder = embedder
        self._embeddings = embeddings
        self._max_depth = max_depth
        self._selector = ContextSelector(corpus, stages, similarity_threshold)
        self._cited = cited
        self._bus = bus
        self._second_look = second_look or SecondLook()
        self._stages = stages
        self._finder = EvidenceFinder(corpus, stages, embeddings.embed_within if embeddings is not None else None)
        self._reader = PageReader(corpus, pipeline, embeddings, soft_deadline, read_on)
        embed = embeddings.embed_texts if embeddings and stages.link_meaning else None
        links = ScoredLinks(corpus, embed, partial(embed, by_second=True) if embed is not None else None)
        self._expander = LinkExpander(links, self._reader, self._find, stages, max_depth=max_depth)

    async def run(self, question: Question, progress: ProgressCallback) -> OrchestrationResult:
        """Answer from the named pages and their links. Raises the first page's error if none could be read."""
        with until_cancelled(), self._embeddings.question() if self._embeddings is not None else nullcontext():
            run, queries, degraded = await asyncio.to_thread(self._prepared, question, progress, time.perf_counter())
            await self._reader.read_named(run, queries)
            parts = len(run.analysis.sub_queries)
            await progress("analysis", f"Analyzing query — decomposed into {parts} sub-queries")
            if degraded:
                run.notes.append(sentence("Semantic search is off ({}); keyword search only.", degraded))
            evidence = await self._find(run, queries)
            if run.seed is not None:
                evidence = await self._expander.expand(run, queries, evidence)
            if run.is_reading_on:
                run.reason = TIME_BUDGET
            return await self._finish(run, queries, evidence)

    async def stop(self) -> None:
        """Finish the background work; call it before the corpus is closed."""
        await self._cited.stop()

    async def search(
        self,
        query: str,
        *,
        scope: Filter,
        documents: int,
        chunks: int,
        missing: Sequence[str],
        intent: str | None,
        top_k: int,
        mode: SearchMode,
        progress: ProgressCallback,
        about: Question | None = None,
        at_once: bool = False,
        narrows: bool = True,
        rereads: bool = True,
    ) -> OrchestrationResult:
        """Answer from the stored pages, without the network. `documents` and `chunks` count the pages and chunks in scope.

        `about` is the question of an `answer`, whose constraints and known context also apply here. With `at_once`, passages without
        vectors are estimated instead of embedded, and the background embedding starts nothing new in the meantime. With `narrows`, a place
        that the question names is searched. With `rereads`, and not `at_once`, the chosen reranker orders the best passages.
        """
        question = replace(about or Question((), query), urls=(), query=query, intent=intent, expansion_budget=0)
        is_marked = self._embeddings is not None and (at_once or not self._embeddings.yields)
        beside = self._embeddings.question() if self._embeddings is not None and is_marked else nullcontext()
        with until_cancelled(), beside:
            run, queries, degraded = await asyncio.to_thread(self._prepared, question, progress, time.perf_counter())
            run.notes += [sentence("{} is not indexed and was not searched.", url) for url in missing]
            if degraded and mode is not SearchMode.KEYWORD:
                run.notes.append(sentence("Semantic search is off ({}); keyword search only.", degraded))
            await progress("retrieval", f"Searching {documents} documents...")
            plan = SearchPlan(mode, embeds=not at_once)
            found = await asyncio.to_thread(self._finder.collect, queries, SearchArea((scope,)), plan, limit=top_k)
            await progress("reranking", f"Reranking {len(found.candidates)} chunks...")
            pages = Documents(self._corpus)

            def search_in(text: str, inside: Filter) -> Evidence:
                return self._finder.find(self._ready(replace(question, query=text)), inside, plan, limit=top_k)

            def choose() -> tuple[Narrowed, list[RetrievedChunk]]:
                evidence = self._finder.rank(run.analysis, queries, found, ANYWHERE, run.in_context)
                everywhere = Narrowed(evidence, query, scope)
                narrowed = narrow(everywhere, self._corpus, search_in) if narrows else everywhere
                if rereads and not at_once:
                    narrowed = replace(narrowed, evidence=self._reread(run, narrowed.question, narrowed.evidence))
                return narrowed, self._selector.from_corpus(narrowed.evidence, top_k, pages, specifics(run.analysis))

            narrowed, chosen = await asyncio.to_thread(choose)
            evidence = narrowed.evidence
            if narrowed.place:
                documents, chunks = await asyncio.to_thread(self._corpus.documents.counts, narrowed.scope)
            run.notes.append(narrowed.note)
            waiting = waiting_note(seen_by(self._corpus, queries[0])) if found.has_waiting and not degraded else ""
            run.notes += [waiting, language_note(evidence, self._embedder), unmet_note(evidence)]
        run.ms |= {"retrieval": evidence.retrieval_ms, "reranking": evidence.reranking_ms}
        reason = "search complete" if chosen else NO_CHUNKS
        stats = CorpusStats(documents, tuple(dict.fromkeys(item.chunk.url for item in chosen)), chunks)
        result = OrchestrationResult(
            query,
            run.analysis,
            corpus_stats=stats,
            final_decision=Decision(reason),
            notes=tuple(filter(None, run.notes)),
            looked_in=narrowed.place,
        )
        return await self._assembled(result, run, queries, pages, evidence, chosen)

    def _prepared(
        self, question: Question, progress: ProgressCallback, started: float
    ) -> tuple[Run, Sequence[SubQuery], str]:
        """Return the analyzed question, its sub-queries with their vectors, and why they have none (or "")."""
        ready = self._ready(question)
        budget = self._max_depth if question.expansion_budget is None else question.expansion_budget
        budget = max(0, min(budget, caps.MAX_EXPANSION_BUDGET))
        trace = ExpansionTrace(self._bus)
        run = Run(question, ready.analysis, progress, started, ready.in_context, budget, trace=trace)
        run.add_time("query_analysis", started)
        return run, ready.queries, ready.degraded

    def _ready(self, question: Question) -> PreparedQuestion:
        return prepare_question(
            self._embedder,
            question.query,
            has_parts=self._stages.sub_queries,
            intent=question.intent,
            constraints=question.constraints,
            known_context=question.known_context,
        )

    async def _find(self, run: Run, queries: Sequence[SubQuery]) -> Evidence:
        searched = await asyncio.to_thread(self._stats, run, ())
        await run.progress("retrieval", f"Searching {searched.total_documents} documents...")
        linked = tuple(document_id for document_id in run.documents if document_id not in run.named)
        filters = [Filter(document_ids=part) for part in (tuple(run.named), linked) if part]
        origins = Origins(frozenset(run.named), frozenset(run.documents), PAGES_IN_CONTEXT)
        area = SearchArea(
            tuple(filters), around=sites_of(run.documents.values(), run.named) if run.iterations > 0 else None
        )
        found = await asyncio.to_thread(self._finder.collect, queries, area, SearchPlan(self._stages.mode))
        await run.progress("reranking", f"Reranking {len(found.candidates)} chunks...")
        evidence = await asyncio.to_thread(self._finder.rank, run.analysis, queries, found, origins, run.in_context)
        run.ms["retrieval"] = run.ms.get("retrieval", 0.0) + evidence.retrieval_ms
        run.ms["reranking"] = run.ms.get("reranking", 0.0) + evidence.reranking_ms
        run.trace.rate(evidence.ranked)
        best = tuple(islice(dict.fromkeys(item.chunk.url for item in evidence.ranked), SOURCES_NAMED))
        if run.elapsed() > SOURCES_AFTER and not evidence.is_none and best != run.told:
            run.told = best
            await run.progress("reranking", f"Best sources so far: {', '.join(map(shortened, best))}")
        return evidence

    def _reread(self, run: Run, question: str, evidence: Evidence) -> Evidence:
        started = time.perf_counter()
        (evidence,) = self._second_look.again(question, evidence)
        run.notes += filter(None, [self._second_look.note])
        return replace(evidence, reranking_ms=evidence.reranking_ms + ms_since(started))

    async def _finish(self, run: Run, queries: Sequence[SubQuery], evidence: Evidence) -> OrchestrationResult:
        evidence = await asyncio.to_thread(self._reread, run, run.analysis.query, evidence)
        await run.progress("locality", "Grabbing adjacent context...")
        run.notes += filter(None, [language_note(evidence, self._embedder), unmet_note(evidence)])
        phase = time.perf_counter()
        pages = Documents(self._corpus)
        mode, chosen = await asyncio.to_thread(self._selector.from_pages, run, evidence, pages)
        if not chosen:
            stored = await asyncio.to_thread(self._corpus.documents.content_hashes, list(run.named))
            if len(stored) < len(run.named):
                run.notes.append(sentence("A page was deleted during the search. Ask again."))
        run.add_time("locality", phase)
        tokens = sum(item.chunk.tokens for item in chosen)
        await run.progress("merge", f"Assembling results ({len(chosen)} chunks, {tokens} tokens)...")
        stats = await asyncio.to_thread(self._stats, run, tuple(dict.fromkeys(i.chunk.url for i in chosen)))
        result = OrchestrationResult(
            run.question.query,
            run.analysis,
            mode=mode,
            corpus_stats=stats,
            final_decision=Decision(run.reason if chosen or run.is_reading_on else NO_CHUNKS),
            seed_url=run.seed.url if run.seed is not None else None,
            expansion_steps=tuple(run.steps),
            total_iterations=run.iterations,
            total_urls_ingested=run.ingested,
            expansion_budget=run.budget,
            max_expansion_depth=self._max_depth,
            failures=tuple(run.failures),
            notes=tuple(dict.fromkeys(run.notes)),
        )
        return await self._assembled(result, run, queries, pages, evidence, chosen)

    async def _assembled(
        self,
        result: OrchestrationResult,
        run: Run,
        queries: Sequence[SubQuery],
        documents: Documents,
        evidence: Evidence,
        chosen: Sequence[RetrievedChunk],
    ) -> OrchestrationResult:
        """Complete the result of a question with its evidence and everything that depends on that."""
        result = replace(
            result,
            chunks=grouped(chosen),
            timing=timing_of(run),
            nothing_found=evidence.is_none,
            reread=evidence.reread,
            likelihood=evidence.likelihood,
        )
        put_together = partial(
            assemble, queries=queries, documents=documents, signs=evidence.signs, by_second=evidence.by_second
        )
        complete = await asyncio.to_thread(put_together, self._corpus, result, run.started)
        self._cited.note(item.chunk.document_id for item in complete.chunks)
        run.trace.end(complete.chunks, complete.final_decision.reason)
        return complete

    def _stats(self, run: Run, matched: tuple[str, ...]) -> CorpusStats:
        sites = sites_of(run.documents.values(), run.named) if run.iterations > 0 else None
        if sites is not None:
            read_too = Filter(doc_tags=((*sites.doc_tags[0], *run.documents),))
            documents, chunks = self._corpus.documents.counts(read_too)
            return CorpusStats(documents, matched, chunks)
        return CorpusStats(len(run.documents), matched, sum(d.chunks for d in run.documents.values()))


def sites_of(documents: Iterable[DocumentSummary], named: Collection[int] = ()) -> Filter | None:
    """Return a filter for the sites of these documents, or None if they are single files.

    Without this limit, a third of the results cited unrelated sites of the library (docs/internals/design-decisions.md). If a named page
    is in a folder of a host, the host's other folders count as other projects, even if a link led to a page directly under the host.
    """
    sites = {site: each.id in named for each in documents if (site := site_of(each.doc_tag, each.url)) != FILES_ROOT}
    shared = {root_of(site) for site, is_named in sites.items() if is_named and root_of(site) != site}
    kept = [site.removeprefix("www.") for site, is_named in sites.items() if is_named or site not in shared]
    return Filter(doc_tags=(tuple(name for site in kept for name in (site, f"www.{site}")),)) if kept else None


class LinkExpander:
    """Reads linked pages in rounds until the evidence suffices. `find` searches everything read so far."""

    def __init__(self, links: ScoredLinks, reader: PageReader, find: Find, stages: Stages, *, max_depth: int) -> None:
        self._links = links
        self._reader = reader
        self._find = find
        self._stages = stages
        self._max_depth = max_depth

    async def expand(self, run: Run, queries: Sequence[SubQuery], evidence: Evidence) -> Evidence:
        """Return the evidence after expansion; `run.reason` says why it ended."""
        run.reason = await self._stop_reason(run, evidence)
        while not run.reason:
            before = evidence
            phase = time.perf_counter()
            limit, most = LINKS_PER_ITERATION, MAX_LINKS_PER_ITERATION
            if run.iterations:
                limit, most = LINKS_PER_LATER_ITERATION, MAX_LINKS_PER_LATER_ITERATION
            considered = await self._propose(run, queries, evidence, most + LINKS_PASSED_OVER)
            if not considered:
                run.reason = TIME_BUDGET if self._reader.is_late(run) else "no link promises more"
                break
            run.iterations += 1
            text = f"Expanding to linked pages (iteration {run.iterations}/{run.budget})..."
            await run.progress("expansion", text, run.iterations, run.budget)
            if self._reader.has_ample_time(run):
                alike = sum(link.score >= ALIKE * considered[0].score for link in considered)
                limit = max(limit, min(most, alike))
            followed = considered[:limit]
            run.trace.begin_round(run.iterations, run.budget, followed, considered[limit : limit + LINKS_PASSED_OVER])
            run.add_time("expansion", phase)
            evidence = await self._follow(run, queries, followed, before)
            run.reason = await self._stop_reason(run, evidence)
            # A first round without gain does not end the expansion: the remaining links are tried first.
            is_plateau = run.iterations > 1 and evidence.top_score - before.top_score < PLATEAU
            if not run.reason and is_plateau:
                run.reason = "score plateau"
        return evidence

    async def _follow(
        self, run: Run, queries: Sequence[SubQuery], followed: Sequence[LinkProposal], before: Evidence
    ) -> Evidence:
        """Return the evidence after a round. Stored pages are searched first: if they answer, nothing is fetched."""
        stored = await self._reader.stored_among(followed)
        others = [proposal for proposal in followed if proposal not in stored]
        evidence = before
        for part in filter(None, (stored, others)):
            reason = ""
            if part is others and stored:
                late = TIME_BUDGET if self._reader.is_late(run) else ""
                reason = NOT_NEEDED if await self._suffices(evidence) else late
            if reason:
                for proposal in others:
                    run.trace.failed(proposal.url, reason, skipped=True)
                break
            phase = time.perf_counter()
            pages = await self._reader.read_round(run, queries, part)
            run.add_time("expansion", phase)
            evidence = await self._find(run, queries)
            _record(run, pages, before, evidence)
        return evidence

    async def _propose(
        self, run: Run, queries: Sequence[SubQuery], evidence: Evidence, limit: int
    ) -> list[LinkProposal]:
        depths = {document.id: run.depths.get(document.url, 0) for document in run.documents.values()}
        pages = {document_id: depth for document_id, depth in depths.items() if depth < self._max_depth}

        def propose(asked: Sequence[SubQuery]) -> list[LinkProposal]:
            return self._links.propose(asked, pages=pages, evidence=evidence.ranked, visited=run.visited, limit=limit)

        try:
            async with asyncio.timeout(self._reader.seconds_left(run)):
                try:
                    return await asyncio.to_thread(propose, queries)
                except EmbedderError as error:
                    run.notes.append(sentence("Links were ranked by keyword only ({}).", error.message))
                    return await asyncio.to_thread(propose, [replace(query, embedding=None) for query in queries])
        except TimeoutError:
            return []

    async def _stop_reason(self, run: Run, evidence: Evidence) -> str:
        if run.budget == 0:
            return "expansion not requested"
        if await self._suffices(evidence, has_expanded=run.iterations > 0):
            return "evidence sufficient"
        if run.iterations >= run.budget:
            return BUDGET_EXHAUSTED
        return TIME_BUDGET if self._reader.is_late(run) else ""

    async def _suffices(self, evidence: Evidence, *, has_expanded: bool = False) -> bool:
        """Whether no further pages are needed. Before any linked page was read, only relevance counts."""
        is_likely = has_expanded and evidence.likelihood is not None and evidence.likelihood >= LIKELY
        is_enough = evidence.top_score >= SUFFICIENT or is_likely
        if not self._stages.sufficiency or not is_enough or evidence.unmet:
            return False
        return not await asyncio.to_thread(self._links.is_listing, evidence.ranked[0].chunk)


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
