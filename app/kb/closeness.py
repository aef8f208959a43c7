"""How close stretches of chunks come to a question, from the token signs stored for the chunks: no forward pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from app.corpus import Corpus
from app.corpus.records import Chunk
from app.embed.embedder import QueryEmbedding
from app.retrieval.records import SubQuery
from app.retrieval.rerank import Bits, best_matches, word_share
from app.text.markdown_blocks import Span

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
        stored = corpus.vectors.token_vectors(chunk_ids)
        bits = {item.chunk_id: item.token_bits for item in stored if len(item.token_bits)}
        return cls(query.embedding, bits) if bits else None

    def rate(self, stretches: Sequence[tuple[Chunk, Sequence[Span]]]) -> list[list[Closeness]]:
        """One rating a span of each chunk's text; NOT_KNOWN for chunks without token vectors. All are compared at once."""
        laid = _Laid([], [])
        for chunk, spans in stretches:
            bits = self.bits.get(chunk.id)
            if bits is not None and spans:
                laid.add(bits, _places(bits, chunk, spans))
        if not laid.places:
            return [[NOT_KNOWN] * len(spans) for _, spans in stretches]
        rated = iter(_closeness(laid.met(self.query)))
        return [
            [next(rated) for _ in spans] if chunk.id in self.bits else [NOT_KNOWN] * len(spans)
            for chunk, spans in stretches
        ]


@dataclass(frozen=True, slots=True)
class _Places:
    """The token signs of each span of a chunk, from first to last, and how many at its beginning are title and headings."""

    spans: list[tuple[int, int]]
    head: int


@dataclass(frozen=True, slots=True)
class _Laid:
    """Token signs cut at every border of a span, so that spans that overlap are compared once.

    `places` has for each span its first piece and the one behind its last, then the same of the words above it.
    """

    pieces: list[Bits]
    places: list[tuple[int, int, int, int]]

    def add(self, bits: Bits, places: _Places) -> None:
        above = (0, max(1, places.head))
        borders = sorted({border for place in (*places.spans, above) for border in place})
        number = {border: len(self.pieces) + i for i, border in enumerate(borders)}
        self.pieces.extend(bits[first:last] for first, last in pairwise(borders))
        self.pieces.append(bits[:1])  # keeps the number of the last border free: no span has this piece
        for first, last in places.spans:
            head = above if places.head else (first, last)
            self.places.append((number[first], number[last], number[head[0]], number[head[1]]))

    def met(self, query: QueryEmbedding) -> NDArray[np.float32]:
        """The best match of each spoken word of the question in each span or above it: shape (spans, words)."""
        matches = best_matches(query.token_vectors[word_share(query) > 0], self.pieces)
        best = np.maximum.reduceat(matches, np.array(self.places).ravel())[::2]
        return np.asarray(np.maximum(best[::2], best[1::2]), dtype=np.float32)


def _places(bits: Bits, chunk: Chunk, spans: Sequence[Span]) -> _Places:
    """Where the spans are among the token signs, by their share of the chunk's characters."""
    head = max(0, len(bits) - chunk.tokens)
    per_char = (len(bits) - head) / max(1, len(chunk.text))
    places: list[tuple[int, int]] = []
    for span in spans:
        first = min(head + int(span.start * per_char), len(bits) - 1)
        last = min(head + -int(-span.end * per_char // 1), len(bits))
        places.append((first, max(first + 1, last)))
    return _Places(places, head)


def _closeness(met: NDArray[np.float32]) -> list[Closeness]:
    weakest = np.sort(met, axis=1)[:, : max(1, int(met.shape[1] * WEAKEST_SHARE))]
    means, lows = met.mean(axis=1), weakest.mean(axis=1)
    return [Closeness(float(mean), float(low)) for mean, low in zip(means, lows, strict=True)]
