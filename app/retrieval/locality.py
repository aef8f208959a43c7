"""Adjacent context: the neighbours of the best chunks when they continue the same thought."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.corpus import Corpus
from app.corpus.records import Chunk
from app.retrieval.records import RetrievedChunk

EXPANDED_CHUNKS: Final = 2
"""So many of the best chunks get neighbours; more costs tokens and adds little."""
NEIGHBOUR_SHARE: Final = 0.8
"""A neighbour counts this share of the relevance of the chunk it belongs to."""


def add_adjacent(corpus: Corpus, ranked: Sequence[RetrievedChunk], *, token_budget: int) -> list[RetrievedChunk]:
    """The evidence with the chunk after (and before) each of the best ones, within `token_budget` more tokens."""
    result = list(ranked)
    known = {item.chunk.id for item in ranked}
    spent = 0
    for item in ranked[:EXPANDED_CHUNKS]:
        for neighbour in corpus.neighbours(item.chunk.id, 1, 1):
            if (
                neighbour.id in known
                or spent + neighbour.tokens > token_budget
                or not _continues(item.chunk, neighbour)
            ):
                continue
            known.add(neighbour.id)
            spent += neighbour.tokens
            score = item.reranked_score * NEIGHBOUR_SHARE
            result.append(
                RetrievedChunk(
                    neighbour, item.retrieval_score, score, sub_query=item.sub_query, is_locality_expanded=True
                )
            )
    return result


def _continues(chunk: Chunk, neighbour: Chunk) -> bool:
    """Same section: a new heading starts another thought."""
    return chunk.section_path == neighbour.section_path
