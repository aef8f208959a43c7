"""Candidates for a question: keyword and vector search, fused by reciprocal rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app import caps
from app.corpus import Corpus
from app.corpus.records import Filter, Hit
from app.embed.embedder import QueryEmbedding
from app.text.synonyms import expanded_terms

RRF_K: Final = 20
"""Rank constant of reciprocal rank fusion (Cormack et al. 2009); 20 measured better than 60 on passages."""


class SearchMode(StrEnum):
    """Which retrievers take part."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True)
class SubQuery:
    """One query to search; `embedding` is None while no vectors can be made."""

    text: str
    embedding: QueryEmbedding | None

    @property
    def has_tokens(self) -> bool:
        """Whether there are token vectors to compare."""
        return self.embedding is not None and len(self.embedding.token_vectors) > 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk found, with its fused score (the largest possible is 1) and who found it for which sub-query."""

    chunk_id: int
    score: float
    matched: tuple[str, ...]
    sub_query: int


@dataclass(slots=True)
class _Tally:
    score: float
    matched: set[str]
    best: float
    sub_query: int


def find_candidates(
    corpus: Corpus, queries: Sequence[SubQuery], *, filter: Filter, mode: SearchMode = SearchMode.HYBRID, limit: int
) -> list[Candidate]:
    """The `limit` best chunks over all sub-queries, best first; the first sub-query weighs double."""
    tallies: dict[int, _Tally] = {}
    weights = [2.0 if index == 0 and len(queries) > 1 else 1.0 for index in range(len(queries))]
    ceiling = 0.0
    for index, query in enumerate(queries):
        for name, hits in _rankings(corpus, query, filter, mode):
            ceiling += weights[index] / (RRF_K + 1)
            _add(tallies, hits, name, index, weights[index])
    best = sorted(tallies.items(), key=lambda item: (-item[1].score, item[0]))[:limit]
    return [
        Candidate(chunk_id, tally.score / ceiling, tuple(sorted(tally.matched)), tally.sub_query)
        for chunk_id, tally in best
    ]


def _rankings(corpus: Corpus, query: SubQuery, filter: Filter, mode: SearchMode) -> list[tuple[str, list[Hit]]]:
    rankings: list[tuple[str, list[Hit]]] = []
    count = caps.CANDIDATES_PER_RETRIEVER
    if mode is not SearchMode.MEANING:
        rankings.append(("keyword", corpus.lexical(expanded_terms(query.text), filter=filter, k=count)))
    if mode is not SearchMode.KEYWORD and query.embedding is not None:
        rankings.append(("meaning", corpus.nearest(query.embedding.vector, filter=filter, k=count)))
    return rankings


def _add(tallies: dict[int, _Tally], hits: Sequence[Hit], name: str, index: int, weight: float) -> None:
    for rank, hit in enumerate(hits, start=1):
        gain = weight / (RRF_K + rank)
        tally = tallies.setdefault(hit.chunk_id, _Tally(0.0, set(), 0.0, index))
        tally.score += gain
        tally.matched.add(name)
        if gain / weight > tally.best:
            tally.best, tally.sub_query = gain / weight, index
