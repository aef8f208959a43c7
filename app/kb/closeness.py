"""How close stretches of chunks come to a question, from the token signs stored for the chunks: no forward pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from app.corpus import Corpus
from app.corpus.records import Chunk
from app.embed.embedder import QueryEmbedding
from app.retrieval.candidates import SubQuery
from app.retrieval.ranking.late_interaction import Bits, best_matches, word_share
from app.text.spans import Span

WEAKEST_SHARE: Final = 1 / 3
"""How well a stretch meets the worst met third of the question tells passages that answer from those on the same topic."""


@dataclass(frozen=True, slots=True)
class Closeness:
    """Of one stretch: the mean best match of the question's words, and the mean of the third that is met worst; both cosines."""

    mean: float
    weakest: float


NOT_KNOWN: Final = Closeness(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class SpanCloseness:
    """Rates stretches of chunks. The words of a chunk's title and headings count for each of its stretches."""

    query: QueryEmbedding
    bits: Mapping[int, Bits]

    @classmethod
    def of(cls, corpus: Corpus, query: SubQuery, chunk_ids: Sequence[int]) -> Self | None:
        """For these chunks; None where no token vectors are at hand."""
        if query.embedding is None or not len(query.embedding.token_vectors):
            return None
        stored = corpus.token_vectors(chunk_ids)
        bits = {item.chunk_id: item.token_bits for item in stored if len(item.token_bits)}
        return cls(query.embedding, bits) if bits else None

    def rate(self, chunk: Chunk, spans: Sequence[Span]) -> list[Closeness]:
        """One rating a span of the chunk's text; NOT_KNOWN for chunks without token vectors."""
        bits = self.bits.get(chunk.id)
        if bits is None or not spans:
            return [NOT_KNOWN] * len(spans)
        spoken = word_share(self.query) > 0
        head = max(0, len(bits) - chunk.tokens)
        parts = [_tokens(bits, head, chunk, span) for span in spans]
        matches = best_matches(self.query.token_vectors[spoken], [*parts, bits[: max(1, head)]])
        met = np.maximum(matches[:-1], matches[-1]) if head else matches[:-1]
        return [_closeness(row) for row in met]


def _tokens(bits: Bits, head: int, chunk: Chunk, span: Span) -> Bits:
    """The token signs of a span, by its share of the chunk's characters."""
    per_char = (len(bits) - head) / max(1, len(chunk.text))
    first = min(head + int(span.start * per_char), len(bits) - 1)
    last = head + -int(-span.end * per_char // 1)
    return bits[first : max(first + 1, last)]


def _closeness(met: NDArray[np.float32]) -> Closeness:
    weakest = np.sort(met)[: max(1, int(len(met) * WEAKEST_SHARE))]
    return Closeness(float(met.mean()), float(weakest.mean()))
