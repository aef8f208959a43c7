"""Reranking: late interaction between the question's token vectors and the stored token signs of each passage."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from app.corpus import Corpus
from app.corpus.records import Chunk
from app.embed.embedder import QueryEmbedding
from app.retrieval.candidates import Candidate, SubQuery
from app.retrieval.records import RetrievedChunk
from app.text.overlap import coverage
from app.text.terms import STOP_WORDS, query_terms

MAXSIM_WEIGHT: Final = 0.7
"""Share of late interaction in the relevance, the rest is the fused rank; measured in and out of domain."""
MAXSIM_FLOOR: Final = 0.2
MAXSIM_CEILING: Final = 0.7
"""Between these idf-weighted MaxSim values closeness runs from 0 to 1: unrelated passages lie near the floor."""
STOP_WORD_SHARE: Final = 0.2


class Reranker(Protocol):
    """Orders candidates by relevance in 0..1."""

    def rerank(self, queries: Sequence[SubQuery], candidates: Sequence[Candidate]) -> list[RetrievedChunk]: ...


@dataclass(frozen=True, slots=True)
class MaxSimReranker:
    """IDF-weighted MaxSim (ColBERT's late interaction) over sign bits, mixed with the fused score.

    Chunks without token vectors, or queries without an embedding, are judged by the share of the question's words they hold.
    """

    corpus: Corpus

    def rerank(self, queries: Sequence[SubQuery], candidates: Sequence[Candidate]) -> list[RetrievedChunk]:
        """The candidates with chunks and scores, most relevant first."""
        chunks = {chunk.id: chunk for chunk in self.corpus.chunks([c.chunk_id for c in candidates])}
        present = [candidate for candidate in candidates if candidate.chunk_id in chunks]
        if not present:
            return []
        close = self._closeness(queries, present, chunks)
        similarities = self._similarities(queries[0], present)
        relevance = MAXSIM_WEIGHT * close + (1 - MAXSIM_WEIGHT) * np.array([c.score for c in present])
        ranked = [
            RetrievedChunk(
                chunk=chunks[candidate.chunk_id],
                retrieval_score=candidate.score,
                reranked_score=float(relevance[position]),
                similarity=similarities.get(candidate.chunk_id),
                sub_query=queries[candidate.sub_query].text if len(queries) > 1 else None,
                matched=candidate.matched,
            )
            for position, candidate in enumerate(present)
        ]
        return sorted(ranked, key=lambda item: (-item.reranked_score, item.chunk.id))

    def _closeness(
        self, queries: Sequence[SubQuery], candidates: Sequence[Candidate], chunks: Mapping[int, Chunk]
    ) -> NDArray[np.float64]:
        embedded = [c.chunk_id for c in candidates] if any(query.embedding for query in queries) else []
        bits = {item.chunk_id: item.token_bits for item in self.corpus.token_vectors(embedded)} if embedded else {}
        weights = word_weights(self.corpus, queries)
        best = np.zeros(len(candidates))
        for query in queries:
            best = np.maximum(best, _closeness_to(query, candidates, chunks, bits, weights))
        return best

    def _similarities(self, query: SubQuery, candidates: Sequence[Candidate]) -> dict[int, float]:
        if query.embedding is None:
            return {}
        return self.corpus.similarities(query.embedding.vector, [candidate.chunk_id for candidate in candidates])


def word_weights(corpus: Corpus, queries: Sequence[SubQuery]) -> dict[str, float]:
    """Inverse document frequency of every word of the queries over the corpus; stop words count a fifth."""
    words = {word for query in queries for word in (*query_terms(query.text), *_token_words(query))}
    frequencies = corpus.document_frequencies(sorted(words))
    total = max(1, corpus.totals().chunks)
    return {
        word: _idf(total, frequencies.get(word, 0)) * (STOP_WORD_SHARE if word in STOP_WORDS else 1.0) for word in words
    }


def closeness(
    query: QueryEmbedding,
    weights: Mapping[str, float],
    bits: Sequence[NDArray[np.uint8]],
    *,
    floor: float = MAXSIM_FLOOR,
) -> NDArray[np.float64]:
    """MaxSim of the query to each passage on a scale from 0 (unrelated) to 1; every passage has at least one token."""
    token_weights = np.array([weights.get(word, 1.0) for word in query.token_words])
    values = maxsim(query, token_weights / max(token_weights.sum(), 1e-9), bits)
    return np.clip((values - floor) / (MAXSIM_CEILING - floor), 0.0, 1.0)


def maxsim(
    query: QueryEmbedding, weights: NDArray[np.float64], bits: Sequence[NDArray[np.uint8]]
) -> NDArray[np.float64]:
    """Weighted mean over query tokens of the best cosine to any token of each passage; `weights` sums to 1."""
    lengths = [len(passage) for passage in bits]
    signs = np.unpackbits(np.concatenate(bits), axis=1).astype(np.float32) * 2 - 1
    cosines = query.token_vectors @ signs.T / math.sqrt(signs.shape[1])
    starts = np.cumsum([0, *lengths[:-1]])
    best = np.maximum.reduceat(cosines, starts, axis=1)
    return np.asarray(weights @ best, dtype=np.float64)


def _closeness_to(
    query: SubQuery,
    candidates: Sequence[Candidate],
    chunks: Mapping[int, Chunk],
    bits: Mapping[int, NDArray[np.uint8]],
    weights: Mapping[str, float],
) -> NDArray[np.float64]:
    result = np.zeros(len(candidates))
    scored = [i for i, c in enumerate(candidates) if query.embedding is not None and len(bits.get(c.chunk_id, ()))]
    if query.embedding is not None and len(query.embedding.token_vectors) and scored:
        result[scored] = closeness(query.embedding, weights, [bits[candidates[i].chunk_id] for i in scored])
    else:
        scored = []
    terms = query_terms(query.text)
    for i in set(range(len(candidates))) - set(scored):
        result[i] = coverage(terms, _shown(chunks[candidates[i].chunk_id]), weights)
    return result


def _idf(total: int, frequency: int) -> float:
    return math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def _token_words(query: SubQuery) -> tuple[str, ...]:
    return query.embedding.token_words if query.embedding is not None else ()


def _shown(chunk: Chunk) -> str:
    return f"{chunk.title} {' '.join(chunk.section_path)} {chunk.text}"
