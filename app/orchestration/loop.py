"""The loop of `answer`: ingest, retrieve, rerank, expand until more pages stop helping."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Final

from app import caps
from app.corpus import Corpus
from app.corpus.records import DocumentSummary, Filter
from app.embed.embedder import Embedder
from app.errors import WebRAGError
from app.ingest.embedding import EmbeddingQueue
from app.ingest.pipeline import IngestOutcome, IngestPipeline
from app.orchestration.assembly import assemble, whole_documents
from app.orchestration.cited import CitedDocuments
from app.orchestration.evidence import (
    Evidence,
    EvidenceFinder,
    Scope,
    above_threshold,
    embed_queries,
    grouped,
    is_doubtful,
    select,
    without_known,
)
from app.orchestration.progress import ProgressCallback
from app.orchestration.question import Question, Run, timing_of
from app.orchestration.reading import STILL_READING, read_page, shortened, within
from app.orchestration.result import (
    CorpusStats,
    Decision,
    ExpansionStep,
    OrchestrationResult,
    SourceFailure,
)
from app.retrieval.analysis import analyse
from app.retrieval.candidates import SearchMode, SubQuery
from app.retrieval.expansion import ScoredLinks
from app.retrieval.locality import add_adjacent
from app.retrieval.records import LinkProposal, QueryAnalysis, RetrievedChunk
from app.text.terms import query_terms

SUFFICIENT: Final = 0.92
"""Relevance at which the pages read so far are taken to answer the question."""
PLATEAU: Final = 0.01
"""A round of expansion that raises the best relevance by less than this ends the loop."""
LIKELY_CHUNKS: Final = 32
LIKELY_TOP_CHUNKS: Final = 4
EXPANSION_SHARE: Final = 0.75
"""Share of the soft deadline after which no new page is begun."""


class Orchestrator:
    """Runs questions against the corpus and the web."""

    def __init__(
        self,
        corpus: Corpus,
        pipeline: IngestPipeline,
        *,
        embedder: Embedder | None,
        embeddings: EmbeddingQueue | None,
        soft_deadline: float,
        max_depth: int,
        rerank: bool,
        similarity_threshold: float,
        remember_citations: bool = False,
    ) -> None:
        self._corpus = corpus
        self._pipeline = pipeline
        self._embedder = embedder
        self._embeddings = embeddings
        self._soft_deadline = soft_deadline
        self._max_depth = max_depth
        self._threshold = similarity_threshold
        self._cited = CitedDocuments(corpus) if remember_citations else None
        self._finder = EvidenceFinder(corpus, rerank=rerank)
        self._links = ScoredLinks(corpus, embedder.embed_passages if embedder else None)

    async def run(self, question: Question, progress: ProgressCallback) -> OrchestrationResult:
        """Answer a question from named pages and what they link to.

        Raises the error of the first page when no named page could be read.
        """
        with self._embeddings.question() if self._embeddings is not None else nullcontext():
            return await self._run(Run(question, progress, time.perf_counter()))

    async def _run(self, run: Run) -> OrchestrationResult:
        question, progress = run.question, run.progress
        phase = time.perf_counter()
        analysis = analyse(question.query, intent=question.intent, constraints=question.constraints)
        queries, degraded = await asyncio.to_thread(embed_queries, self._embedder, analysis)
        run.add_time("analysis", phase)
        await self._ingest_named(run)
        await progress("analysis", f"Analyzing query — decomposed into {len(analysis.sub_queries)} sub-queries")
        if degraded:
            run.notes.append(f"Search by meaning is off ({degraded}); keyword search only.")
        evidence = await self._find(run, queries)
        evidence = await self._expand(run, queries, evidence)
        return await self._finish(run, analysis, evidence)

    async def stop(self) -> None:
        """Finish what goes on in the background; call it before the corpus is closed."""
        if self._cited is not None:
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
    ) -> OrchestrationResult:
        """Answer from what is stored; no network. `documents` and `chunks` count what is in scope."""
        run = Run(Question((), query, intent), progress, time.perf_counter())
        run.notes += [f"{url} is not indexed and was not searched." for url in missing]
        phase = time.perf_counter()
        analysis = analyse(query, intent=intent)
        queries, degraded = await asyncio.to_thread(embed_queries, self._embedder, analysis)
        run.add_time("analysis", phase)
        if degraded and mode is not SearchMode.KEYWORD:
            run.notes.append(f"Search by meaning is off ({degraded}); keyword search only.")
        await progress("retrieval", f"Searching {documents} documents...")
        found = await asyncio.to_thread(self._finder.collect, queries, Scope((scope,)), mode=mode, limit=top_k)
        await progress("reranking", f"Reranking {len(found.candidates)} chunks...")
        evidence = await asyncio.to_thread(self._finder.rank, queries, found)
        ranked = above_threshold(evidence.ranked, self._threshold)
        chosen = select(ranked, token_budget=caps.MAX_TOP_K * caps.CHUNK_TOKENS)[:top_k]
        self._warn_if_doubtful(run, chosen)
        run.ms |= {"retrieval": evidence.retrieval_ms, "reranking": evidence.reranking_ms}
        reason = "search complete" if chosen else "No chunks above relevance threshold."
        stats = CorpusStats(documents, tuple(dict.fromkeys(item.chunk.url for item in chosen)), chunks)
        return await self._assembled(
            OrchestrationResult(
                query=query,
                analysis=analysis,
                mode="chunk",
                chunks=grouped(chosen),
                citations=(),
                corpus_stats=stats,
                timing=timing_of(run),
                final_decision=Decision(reason),
                notes=tuple(run.notes),
            ),
            run.started,
        )

    async def _ingest_named(self, run: Run) -> None:
        phase = time.perf_counter()
        urls = run.question.urls
        remaining = self._soft_deadline - run.elapsed()
        results = await within(remaining, urls, [read_page(self._pipeline, url, run.progress) for url in urls])
        for url, result in zip(urls, results, strict=True):
            run.visited.add(url)
            if isinstance(result, WebRAGError):
                run.failures.append(SourceFailure(url, result.code.value, str(result)))
            elif isinstance(result, BaseException):
                raise result
            else:
                self._add_document(run, result)
                if result.summary.url != url:
                    run.notes.append(f"{url} leads to {result.summary.url}.")
                run.seed = run.seed or result.summary
                run.named.add(result.summary.id)
        if run.seed is None:
            raise next(result for result in results if isinstance(result, WebRAGError))
        run.depths[run.seed.url] = 0
        await self._embed(run, await asyncio.to_thread(self._corpus.waiting_ids, list(run.documents)))
        run.add_time("ingestion", phase)

    def _add_document(self, run: Run, outcome: IngestOutcome) -> None:
        summary = outcome.summary
        run.documents[summary.id] = summary
        run.visited.add(summary.url)
        run.ingested += outcome.fetched
        if summary.note:
            run.notes.append(f"{summary.url}: {summary.note}")
        if outcome.note:
            run.notes.append(f"{summary.url} {outcome.note}; the stored copy was used.")

    def _likely_chunks(self, queries: Sequence[SubQuery], document_ids: Sequence[int]) -> list[int]:
        """Chunks of linked pages worth a vector at once: keyword hits and page tops; the rest is embedded in the background."""
        if not document_ids:
            return []
        scope = Filter(document_ids=tuple(document_ids))
        likely = {
            hit.chunk_id
            for query in queries
            for hit in self._corpus.lexical(query_terms(query.text), filter=scope, k=LIKELY_CHUNKS)
        }
        for document_id in document_ids:
            likely |= {chunk.id for chunk in self._corpus.document_chunks(document_id, limit=LIKELY_TOP_CHUNKS)}
        return sorted(likely & set(self._corpus.waiting_ids(document_ids)))

    async def _embed(self, run: Run, chunk_ids: Sequence[int]) -> None:
        """Wait for vectors as long as the soft deadline allows; keyword search works without them."""
        if self._embeddings is None:
            return
        remaining = max(1.0, self._soft_deadline * EXPANSION_SHARE - run.elapsed())
        try:
            await asyncio.wait_for(self._embeddings.embed_now(chunk_ids), remaining)
        except TimeoutError:
            run.notes.append(
                "Some pages are still being embedded and were searched by keyword only; call `search` in 30 s for more."
            )
        except WebRAGError as error:
            run.notes.append(f"Search by meaning misses new pages ({error}).")

    async def _find(self, run: Run, queries: Sequence[SubQuery]) -> Evidence:
        await run.progress("retrieval", f"Searching {len(run.documents)} documents...")
        linked = tuple(set(run.documents) - run.named)
        filters = [Filter(document_ids=part) for part in (tuple(run.named), linked) if part]
        scope = Scope(tuple(filters), elsewhere=run.iterations > 0)
        found = await asyncio.to_thread(self._finder.collect, queries, scope)
        await run.progress("reranking", f"Reranking {len(found.candidates)} chunks...")
        evidence = await asyncio.to_thread(self._finder.rank, queries, found)
        run.ms["retrieval"] = run.ms.get("retrieval", 0.0) + evidence.retrieval_ms
        run.ms["reranking"] = run.ms.get("reranking", 0.0) + evidence.reranking_ms
        return evidence

    async def _expand(self, run: Run, queries: Sequence[SubQuery], evidence: Evidence) -> Evidence:
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
            pages = await asyncio.gather(*(self._read_linked(run, proposal) for proposal in proposals))
            frontier = [page.document.id for page in pages if page.document is not None]
            await self._embed(run, await asyncio.to_thread(self._likely_chunks, queries, frontier))
            run.add_time("expansion", phase)
            before, evidence = evidence, await self._find(run, queries)
            self._record(run, pages, before, evidence)
            if evidence.top_score - before.top_score < PLATEAU and run.iterations > 1:
                run.reason = "score plateau"
                return evidence

    def _stop_reason(self, run: Run, evidence: Evidence) -> str:
        if run.question.budget == 0:
            return "expansion not requested"
        if evidence.top_score >= SUFFICIENT:
            return "evidence sufficient"
        if run.iterations >= run.question.budget:
            return "expansion budget exhausted"
        if run.elapsed() > self._soft_deadline * EXPANSION_SHARE:
            return "time budget"
        return ""

    async def _read_linked(self, run: Run, proposal: LinkProposal) -> _LinkedPage:
        started = time.perf_counter()
        run.visited.add(proposal.url)
        await run.progress("expansion", f"Scraping {shortened(proposal.url)}...")
        try:
            remaining = max(1.0, self._soft_deadline - run.elapsed())
            outcome = await asyncio.wait_for(self._pipeline.ingest(proposal.url, automatic=True), remaining)
        except TimeoutError:
            run.notes.append(f"{proposal.url} is {STILL_READING}.")
            return _LinkedPage(proposal, None, _since(started), "time budget; it is still being read")
        except WebRAGError as error:
            return _LinkedPage(proposal, None, _since(started), str(error))
        self._add_document(run, outcome)
        return _LinkedPage(proposal, outcome.summary, _since(started), "")

    def _record(self, run: Run, pages: Sequence[_LinkedPage], before: Evidence, after: Evidence) -> None:
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

    async def _finish(self, run: Run, analysis: QueryAnalysis, evidence: Evidence) -> OrchestrationResult:
        await run.progress("locality", "Grabbing adjacent context...")
        phase = time.perf_counter()
        mode, chosen = await asyncio.to_thread(self._choose, run, evidence)
        self._warn_if_doubtful(run, chosen)
        run.add_time("locality", phase)
        tokens = sum(item.chunk.tokens for item in chosen)
        await run.progress("merge", f"Assembling results ({len(chosen)} chunks, {tokens} tokens)...")
        stats = await asyncio.to_thread(self._stats, run, tuple(dict.fromkeys(i.chunk.url for i in chosen)))
        assert run.seed is not None
        result = OrchestrationResult(
            query=run.question.query,
            analysis=analysis,
            mode=mode,
            chunks=grouped(chosen),
            citations=(),
            corpus_stats=stats,
            timing=timing_of(run),
            final_decision=Decision(run.reason if chosen else "No chunks above relevance threshold."),
            seed_url=run.seed.url,
            expansion_steps=tuple(run.steps),
            total_iterations=run.iterations,
            total_urls_ingested=run.ingested,
            expansion_budget=run.question.budget,
            max_expansion_depth=self._max_depth,
            failures=tuple(run.failures),
            notes=tuple(dict.fromkeys(run.notes)),
        )
        return await self._assembled(result, run.started)

    async def _assembled(self, result: OrchestrationResult, started: float) -> OrchestrationResult:
        complete = await asyncio.to_thread(assemble, self._corpus, result, started)
        if self._cited is not None:
            self._cited.note(complete)
        return complete

    def _choose(self, run: Run, evidence: Evidence) -> tuple[str, list[RetrievedChunk]]:
        total = sum(document.tokens for document in run.documents.values())
        if total <= caps.FULL_CONTEXT_TOKENS and evidence.ranked:
            whole = whole_documents(self._corpus, tuple(run.documents), evidence.ranked)
            return "full_context", without_known(whole, run.question.known_context)
        unknown = without_known(evidence.ranked, run.question.known_context)
        unknown = above_threshold(unknown, self._threshold)
        chosen = select(unknown, token_budget=caps.EVIDENCE_TOKENS, named=run.named)
        return "chunk", add_adjacent(self._corpus, chosen, token_budget=caps.ADJACENT_TOKENS)

    def _warn_if_doubtful(self, run: Run, chosen: Sequence[RetrievedChunk]) -> None:
        if not chosen and any(self._corpus.document_by_id(document_id) is None for document_id in run.named):
            run.notes.append("A page was deleted while it was being searched; ask again.")
        if is_doubtful(chosen, self._threshold):
            run.notes.append(
                "Nothing here shares a word with the question or comes close to it in meaning; it is probably not answered."
            )

    def _stats(self, run: Run, matched: tuple[str, ...]) -> CorpusStats:
        if run.iterations > 0:
            totals = self._corpus.totals()
            return CorpusStats(totals.documents, matched, totals.chunks)
        return CorpusStats(len(run.documents), matched, sum(d.chunks for d in run.documents.values()))


@dataclass(frozen=True, slots=True)
class _LinkedPage:
    proposal: LinkProposal
    document: DocumentSummary | None
    duration_ms: float
    failure: str


def _since(started: float) -> float:
    return 1000 * (time.perf_counter() - started)
