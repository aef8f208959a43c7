"""Retrieval, reranking and selection of evidence over a scope of documents. Blocking: for worker threads."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app import caps
from app.corpus import Corpus
from app.corpus.records import Filter
from app.embed.embedder import Embedder
from app.errors import EmbedderError
from app.retrieval.candidates import Candidate, SearchMode, SubQuery, find_candidates
from app.retrieval.graph.expander import CorpusExpander
from app.retrieval.ranking.answerability import likelihood
from app.retrieval.ranking.in_context import QuestionInContext
from app.retrieval.ranking.rerank import ANYWHERE, LateInteractionReranker, Origins, Ranking, Reranker
from app.retrieval.records import QueryAnalysis, RetrievedChunk
from app.retrieval.stages import Stages

HOPELESS: Final = 0.1
"""Below this likelihood nothing of it is shown: the question is about something else."""
ANSWERED: Final = 0.65
"""Below this likelihood nothing was found: about one in fifty questions with an answer lies there, and two in three without one."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Ranked chunks, how likely they hold the answer (None: not estimated), and the time it took."""

    ranked: tuple[RetrievedChunk, ...]
    likelihood: float | None
    retrieval_ms: float
    reranking_ms: float

    @property
    def is_none(self) -> bool:
        """Whether this is most likely no answer."""
        return not self.ranked or (self.likelihood is not None and self.likelihood < ANSWERED)

    @property
    def is_hopeless(self) -> bool:
        """Whether the question is about something else altogether."""
        return self.likelihood is not None and self.likelihood < HOPELESS

    @property
    def top_score(self) -> float:
        return self.ranked[0].reranked_score if self.ranked else 0.0


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates before ranking, and the time it took to find them."""

    candidates: tuple[Candidate, ...]
    retrieval_ms: float


@dataclass(frozen=True, slots=True)
class SearchArea:
    """Where to look: each filter is searched by itself, so that no page crowds out another; `elsewhere` adds the whole
    corpus."""

    filters: tuple[Filter, ...]
    elsewhere: bool = False


def embed_queries(embedder: Embedder | None, texts: Sequence[str]) -> tuple[list[SubQuery], str]:
    """Sub-queries with their vectors, and why there are none (empty when there are)."""
    if embedder is None:
        return [SubQuery(text, None) for text in texts], "the embedding model is not loaded"
    try:
        return [SubQuery(text, embedder.embed_query(text)) for text in texts], ""
    except EmbedderError as error:
        return [SubQuery(text, None) for text in texts], str(error)


class EvidenceFinder:
    """Finds and ranks evidence in the corpus."""

    def __init__(self, corpus: Corpus, stages: Stages) -> None:
        self._corpus = corpus
        self._reranker: Reranker = LateInteractionReranker(corpus, by_form=stages.form)
        self._stages = stages
        self._expander = CorpusExpander(corpus)

    def collect(
        self, queries: Sequence[SubQuery], area: SearchArea, *, mode: SearchMode = SearchMode.HYBRID, limit: int = 0
    ) -> Found:
        """Candidates in scope, at least `limit` where there are so many."""
        started = time.perf_counter()
        limit = max(limit, caps.RERANK_CANDIDATES)
        candidates: list[Candidate] = []
        for part in area.filters:
            found = find_candidates(self._corpus, queries, filter=part, mode=mode, limit=limit)
            candidates += found + (self._led_to(queries, found, part) if self._stages.graph else [])
        if area.elsewhere:
            wide = find_candidates(self._corpus, queries, filter=Filter(), mode=mode, limit=limit)
            candidates += _outside(candidates, wide)
        return Found(tuple(candidates), _ms_since(started))

    def _led_to(self, queries: Sequence[SubQuery], found: Sequence[Candidate], part: Filter) -> list[Candidate]:
        """What the graph adds, ranked below what was found."""
        ids = [candidate.chunk_id for candidate in found]
        more = self._expander.more(queries[0].text, ids, part, caps.GRAPH_CANDIDATES, queries=queries)
        least = min((candidate.score for candidate in found), default=0.0)
        return [Candidate(each.chunk_id, least * each.weight, ("graph",), 0) for each in more]

    def rank(
        self,
        analysis: QueryAnalysis,
        queries: Sequence[SubQuery],
        found: Found,
        origins: Origins = ANYWHERE,
        in_context: QuestionInContext | None = None,
    ) -> Evidence:
        """The candidates by relevance, best first."""
        started = time.perf_counter()
        if not self._stages.named_first:
            origins = replace(origins, named=frozenset(), read=frozenset())
        in_context = in_context if self._stages.context else None
        ranking = self._ranking(analysis, queries, found.candidates, origins, in_context)
        likely = likelihood(analysis.query, ranking) if self._stages.nothing_found else None
        return Evidence(ranking.chunks, likely, found.retrieval_ms, _ms_since(started))

    def _ranking(
        self,
        analysis: QueryAnalysis,
        queries: Sequence[SubQuery],
        candidates: Sequence[Candidate],
        origins: Origins,
        in_context: QuestionInContext | None,
    ) -> Ranking:
        if self._stages.rerank:
            return self._reranker.rerank(analysis, queries, candidates, origins, in_context)
        chunks = {chunk.id: chunk for chunk in self._corpus.chunks([c.chunk_id for c in candidates])}
        by_score = sorted(candidates, key=lambda candidate: (-candidate.score, candidate.chunk_id))
        return Ranking(
            tuple(
                RetrievedChunk(chunks[c.chunk_id], c.score, c.score, matched=c.matched)
                for c in by_score
                if c.chunk_id in chunks
            )
        )


def _ms_since(started: float) -> float:
    return 1000 * (time.perf_counter() - started)


def _outside(inside: Sequence[Candidate], wide: Sequence[Candidate]) -> list[Candidate]:
    known = {candidate.chunk_id for candidate in inside}
    return [candidate for candidate in wide if candidate.chunk_id not in known]
