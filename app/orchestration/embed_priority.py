"""Which chunks of a page just read get their vectors at once, because one of them may hold the answer; the rest gets them later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.corpus import Corpus
from app.corpus.records import Chunk, Filter
from app.retrieval.records import SubQuery
from app.text.terms import query_terms

CHUNKS_A_PAGE: Final = 8
WHOLE_CHUNKS: Final = 48
"""A page that the user named is embedded whole as long as no more chunks of it wait: about half a second."""
CHUNKS_A_NAMED_PAGE: Final = 32
SAMPLED: Final = 3
"""Of a long page every third chunk is embedded too. Of 60 answers on named pages none was lost; without the sample two."""
FIRST_CHUNKS: Final = 4
"""So many chunks at the top of a page get their vectors while other pages are still being read; most are likely anyway."""
EARLY_CHUNKS: Final = 40
EARLY_WEIGHT: Final = 0.7
"""What the first chunk of a page has over its fortieth, as a share of the best keyword score. Of 220 answers on pages of 28 chunks
(median) keywords alone chose 73 in 100 with these eight, with the place 76, and 90 with what stands around the nearest."""
NEAREST_CHUNKS: Final = 10
AROUND_NEAREST: Final = 2
MAX_CHUNKS_SEEN: Final = 400


def likely_chunks(
    corpus: Corpus, queries: Sequence[SubQuery], document_ids: Sequence[int], *, a_page: int = CHUNKS_A_PAGE
) -> list[int]:
    """The `a_page` chunks of each document that hold most of the question's words or stand at its beginning.

    Those that have their vectors are left out.
    """
    waiting = set(corpus.vectors.waiting_ids(document_ids))
    chosen: list[int] = []
    for document_id in document_ids if waiting else ():
        chunks = corpus.chunks.of_document(document_id, limit=MAX_CHUNKS_SEEN)
        words = _word_scores(corpus, queries, document_id)
        chunks.sort(key=lambda chunk: (-words.get(chunk.id, 0.0) - _earliness(chunk), chunk.ord))
        chosen += [chunk.id for chunk in chunks[:a_page] if chunk.id in waiting]
    return chosen


def likely_chunks_of_named(corpus: Corpus, queries: Sequence[SubQuery], document_ids: Sequence[int]) -> list[int]:
    """All waiting chunks of documents that the user named; of long ones the likely ones and a sample of all, so that an answer
    in other words than the question's lies beside one with a vector."""
    chosen: list[int] = []
    for document_id in document_ids:
        waiting = corpus.vectors.waiting_ids((document_id,))
        if len(waiting) > WHOLE_CHUNKS:
            likely = likely_chunks(corpus, queries, (document_id,), a_page=CHUNKS_A_NAMED_PAGE)
            waiting = list(dict.fromkeys((*likely, *waiting[::SAMPLED])))
        chosen += waiting
    return chosen


def first_chunks(corpus: Corpus, document_id: int) -> list[int]:
    """The FIRST_CHUNKS chunks of the document, as far as they wait for their vectors."""
    waiting = set(corpus.vectors.waiting_ids((document_id,)))
    return [chunk.id for chunk in corpus.chunks.of_document(document_id, limit=FIRST_CHUNKS) if chunk.id in waiting]


def chunks_around_nearest(corpus: Corpus, queries: Sequence[SubQuery], document_ids: Sequence[int]) -> list[int]:
    """The chunks beside those of the documents that are nearest to the question, as far as they wait for their vectors."""
    waiting = set(corpus.vectors.waiting_ids(document_ids))
    scope = Filter(document_ids=tuple(document_ids))
    beside: dict[int, None] = {}
    for query in queries if waiting else ():
        hits = corpus.vectors.nearest(query.embedding.vector, filter=scope, k=NEAREST_CHUNKS) if query.embedding else []
        for hit in hits:
            beside |= dict.fromkeys(
                chunk.id for chunk in corpus.chunks.neighbours(hit.chunk_id, AROUND_NEAREST, AROUND_NEAREST)
            )
    return [chunk_id for chunk_id in beside if chunk_id in waiting]


def _word_scores(corpus: Corpus, queries: Sequence[SubQuery], document_id: int) -> dict[int, float]:
    """For the chunks of a document their keyword score for the query that suits them best; the best chunk of each query has 1."""
    scores: dict[int, float] = {}
    for query in queries:
        hits = corpus.chunks.lexical(
            query_terms(query.text), filter=Filter(document_ids=(document_id,)), k=MAX_CHUNKS_SEEN
        )
        best = max((hit.score for hit in hits), default=0.0)
        for hit in hits if best > 0 else ():
            scores[hit.chunk_id] = max(scores.get(hit.chunk_id, 0.0), hit.score / best)
    return scores


def _earliness(chunk: Chunk) -> float:
    return EARLY_WEIGHT * max(0.0, 1 - chunk.ord / EARLY_CHUNKS)
