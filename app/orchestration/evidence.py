"""Retrieval, reranking and selection of evidence over a scope of documents. Blocking: for worker threads."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app import caps
from app.corpus import Corpus
from app.corpus.records import Document, Filter
from app.embed.embedder import Embedder
from app.errors import EmbedderError
from app.orchestration.result import SourceImage
from app.retrieval.candidates import Candidate, SearchMode, SubQuery, find_candidates
from app.retrieval.records import QueryAnalysis, RetrievedChunk
from app.retrieval.rerank import MaxSimReranker
from app.retrieval.stages import Stages
from app.text.terms import words

ELSEWHERE_SHARE: Final = 0.6
"""Fused score of a chunk outside the named and expanded pages: they were asked for, the rest of the corpus was not."""
RELATIVE_FLOOR: Final = 0.3
"""Evidence below this share of the best relevance is left out."""
NAMED_SHARE: Final = 0.6
KNOWN_SHARE: Final = 0.8
DOUBTFUL_CHUNKS: Final = 3


@dataclass(frozen=True, slots=True)
class Evidence:
    """Ranked chunks with the time it took."""

    ranked: tuple[RetrievedChunk, ...]
    retrieval_ms: float
    reranking_ms: float

    @property
    def top_score(self) -> float:
        return self.ranked[0].reranked_score if self.ranked else 0.0


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates before ranking, and the time it took to find them."""

    candidates: tuple[Candidate, ...]
    retrieval_ms: float


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look: each filter is searched by itself, so that no page crowds out another; `elsewhere` adds the whole
    corpus at a lower weight."""

    filters: tuple[Filter, ...]
    elsewhere: bool = False


def embed_queries(embedder: Embedder | None, analysis: QueryAnalysis) -> tuple[list[SubQuery], str]:
    """The sub-queries with their vectors, and why there are none (empty when there are)."""
    if embedder is None:
        return [SubQuery(text, None) for text in analysis.sub_queries], "the embedding model is not loaded"
    try:
        return [SubQuery(text, embedder.embed_query(text)) for text in analysis.sub_queries], ""
    except EmbedderError as error:
        return [SubQuery(text, None) for text in analysis.sub_queries], str(error)


class EvidenceFinder:
    """Finds and ranks evidence in the corpus."""

    def __init__(self, corpus: Corpus, stages: Stages) -> None:
        self._corpus = corpus
        self._reranker = MaxSimReranker(corpus)
        self._stages = stages

    def collect(
        self, queries: Sequence[SubQuery], scope: Scope, *, mode: SearchMode = SearchMode.HYBRID, limit: int = 0
    ) -> Found:
        """Candidates in scope, at least `limit` where there are so many."""
        started = time.perf_counter()
        limit = max(limit, caps.RERANK_CANDIDATES)
        candidates: list[Candidate] = []
        for part in scope.filters:
            candidates += find_candidates(self._corpus, queries, filter=part, mode=mode, limit=limit)
        if scope.elsewhere:
            wide = find_candidates(self._corpus, queries, filter=Filter(), mode=mode, limit=limit)
            candidates += _outside(candidates, wide)
        return Found(tuple(candidates), _ms_since(started))

    def rank(self, queries: Sequence[SubQuery], found: Found) -> Evidence:
        """The candidates by relevance, best first."""
        started = time.perf_counter()
        ranked = tuple(self._rank(queries, found.candidates))
        return Evidence(ranked, found.retrieval_ms, _ms_since(started))

    def _rank(self, queries: Sequence[SubQuery], candidates: Sequence[Candidate]) -> list[RetrievedChunk]:
        if self._stages.rerank:
            return self._reranker.rerank(queries, candidates)
        chunks = {chunk.id: chunk for chunk in self._corpus.chunks([c.chunk_id for c in candidates])}
        return [
            RetrievedChunk(chunks[c.chunk_id], c.score, c.score, matched=c.matched)
            for c in candidates
            if c.chunk_id in chunks
        ]


def select(ranked: Sequence[RetrievedChunk], *, token_budget: int, named: Collection[int] = ()) -> list[RetrievedChunk]:
    """The best chunks within the budget, near copies of better ones and the clearly irrelevant left out.

    The documents in `named` were asked for: NAMED_SHARE of the budget is theirs before relevance alone decides.
    """
    floor = RELATIVE_FLOOR * ranked[0].reranked_score if ranked else 0.0
    useful = _without_copies([item for item in ranked if item.reranked_score > max(floor, 0.0)])
    reserved = _within([item for item in useful if item.chunk.document_id in named], NAMED_SHARE * token_budget)
    spent = sum(item.chunk.tokens for item in reserved)
    taken = {item.chunk.id for item in reserved}
    rest = _within([item for item in useful if item.chunk.id not in taken], token_budget - spent)
    chosen = sorted([*reserved, *rest], key=lambda item: (-item.reranked_score, item.chunk.id))
    return chosen or list(useful[:1])


def without_known(ranked: Sequence[RetrievedChunk], known_context: str | None) -> list[RetrievedChunk]:
    """The chunks that tell more than the asker knows: at most KNOWN_SHARE of their word triples stand in `known_context`."""
    known = _triples(known_context or "")
    if not known:
        return list(ranked)
    return [item for item in ranked if _share(_triples(item.chunk.text), known) <= KNOWN_SHARE]


def _without_copies(ranked: Sequence[RetrievedChunk]) -> list[RetrievedChunk]:
    first: dict[str, RetrievedChunk] = {}
    for item in ranked:
        first.setdefault(" ".join(item.chunk.text.split()).lower(), item)
    return list(first.values())


def _within(ranked: Sequence[RetrievedChunk], budget: float) -> list[RetrievedChunk]:
    chosen: list[RetrievedChunk] = []
    for item in ranked:
        budget -= item.chunk.tokens
        if budget < 0:
            break
        chosen.append(item)
    return chosen


def grouped(chunks: Sequence[RetrievedChunk]) -> tuple[RetrievedChunk, ...]:
    """By source, the source with the best chunk first, and by position within it."""
    best: dict[str, float] = {}
    for item in chunks:
        best[item.chunk.url] = max(best.get(item.chunk.url, 0.0), item.reranked_score)
    return tuple(sorted(chunks, key=lambda item: (-best[item.chunk.url], item.chunk.url, item.chunk.ord)))


def images_beside(chunks: Sequence[RetrievedChunk], documents: dict[int, Document]) -> tuple[SourceImage, ...]:
    """Images that stand inside the evidence, in its order."""
    found: dict[str, SourceImage] = {}
    for item in chunks:
        document = documents.get(item.chunk.document_id)
        for image in document.images if document is not None else ():
            if item.chunk.start <= image.position <= item.chunk.end and image.url not in found:
                found[image.url] = SourceImage(item.chunk.url, image)
    return tuple(found.values())[: caps.MAX_IMAGES_SHOWN]


def above_threshold(ranked: Sequence[RetrievedChunk], threshold: float) -> list[RetrievedChunk]:
    """Chunks that share a word with the question or come close in meaning; the DOUBTFUL_CHUNKS best where none does."""
    passing = [i for i in ranked if "keyword" in i.matched or i.similarity is None or i.similarity >= threshold]
    return passing or list(ranked[:DOUBTFUL_CHUNKS])


def is_doubtful(chosen: Sequence[RetrievedChunk], threshold: float) -> bool:
    """Whether nothing chosen shares a word with the question or comes near it in meaning."""
    return bool(chosen) and all(
        "keyword" not in item.matched and item.similarity is not None and item.similarity < threshold
        for item in chosen
        if not item.is_locality_expanded
    )


def _ms_since(started: float) -> float:
    return 1000 * (time.perf_counter() - started)


def _outside(inside: Sequence[Candidate], wide: Sequence[Candidate]) -> list[Candidate]:
    known = {candidate.chunk_id for candidate in inside}
    return [replace(c, score=c.score * ELSEWHERE_SHARE) for c in wide if c.chunk_id not in known]


def _triples(text: str) -> set[tuple[str, ...]]:
    spoken = words(text)
    return {tuple(spoken[i : i + 3]) for i in range(len(spoken) - 2)}


def _share(part: set[tuple[str, ...]], whole: set[tuple[str, ...]]) -> float:
    return len(part & whole) / len(part) if part else 0.0
