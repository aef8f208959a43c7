"""The loop of `answer`: ingest, retrieve, rerank, expand until more pages stop helping."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import nullcontext

from app import caps
from app.corpus import Corpus
from app.corpus.records import Filter
from app.embed.embedder import Embedder
from app.ingest.embedding import EmbeddingQueue
from app.ingest.pipeline import IngestPipeline
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
from app.orchestration.expanding import Expander
from app.orchestration.pages import PageReader
from app.orchestration.progress import ProgressCallback
from app.orchestration.question import Question, Run, timing_of
from app.orchestration.result import (
    CorpusStats,
    Decision,
    OrchestrationResult,
)
from app.retrieval.analysis import analyse
from app.retrieval.candidates import SearchMode, SubQuery
from app.retrieval.expansion import ScoredLinks
from app.retrieval.locality import add_adjacent
from app.retrieval.records import QueryAnalysis, RetrievedChunk
from app.retrieval.stages import Stages


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
        stages: Stages,
        similarity_threshold: float,
        remember_citations: bool = False,
    ) -> None:
        self._corpus = corpus
        self._embedder = embedder
        self._embeddings = embeddings
        self._max_depth = max_depth
        self._threshold = similarity_threshold
        self._cited = CitedDocuments(corpus) if remember_citations else None
        self._stages = stages
        self._finder = EvidenceFinder(corpus, stages)
        self._reader = PageReader(corpus, pipeline, embeddings, soft_deadline)
        links = ScoredLinks(corpus, embedder.embed_passages if embedder and stages.link_meaning else None)
        self._expander = Expander(links, self._reader, self._find, stages)

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
        await self._reader.read_named(run)
        await progress("analysis", f"Analyzing query — decomposed into {len(analysis.sub_queries)} sub-queries")
        if degraded:
            run.notes.append(f"Search by meaning is off ({degraded}); keyword search only.")
        evidence = await self._find(run, queries)
        evidence = await self._expander.expand(run, queries, evidence)
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
