"""How close single sentences of a passage come to the question, from the token signs stored for its chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from app.corpus import Corpus
from app.corpus.records import Chunk
from app.embed.embedder import QueryEmbedding
from app.retrieval.candidates import SubQuery
from app.retrieval.ranking.late_interaction import Bits, best_matches, word_share
from app.retrieval.records import RetrievedChunk
from app.text.spans import Span


@dataclass(frozen=True, slots=True)
class SentenceCloseness:
    """Rates spans by late interaction with the tokens that stand in them."""

    queries: tuple[QueryEmbedding, ...]
    bits: Mapping[int, Bits]

    @classmethod
    def of(cls, corpus: Corpus, queries: Sequence[SubQuery], passages: Sequence[RetrievedChunk]) -> Self | None:
        """For these passages; None where no token vectors are at hand."""
        embedded = tuple(q.embedding for q in queries if q.embedding is not None and len(q.embedding.token_vectors))
        if not embedded:
            return None
        ids = [chunk.id for passage in passages for chunk in passage.members or (passage.chunk,)]
        bits = {item.chunk_id: item.token_bits for item in corpus.token_vectors(ids) if len(item.token_bits)}
        return cls(embedded, bits) if bits else None

    def rate(self, passage: RetrievedChunk, spans: Sequence[Span]) -> list[float]:
        """The mean best match of the question's words in each span (offsets into the document); 0 where no chunk holds it."""
        found = [self._tokens(passage.members or (passage.chunk,), span) for span in spans]
        held = [tokens for tokens in found if tokens is not None]
        if not held:
            return [0.0] * len(spans)
        rated = np.max([best_matches(query.token_vectors, held) @ word_share(query) for query in self.queries], axis=0)
        values = iter(rated.tolist())
        return [max(0.0, next(values)) if tokens is not None else 0.0 for tokens in found]

    def _tokens(self, members: Sequence[Chunk], span: Span) -> Bits | None:
        """The token signs of a span, by its share of the characters of the chunk that holds most of it."""
        chunk = max(members, key=lambda member: min(span.end, member.end) - max(span.start, member.start))
        shared = min(span.end, chunk.end) - max(span.start, chunk.start)
        bits = self.bits.get(chunk.id)
        if bits is None or 2 * shared < span.end - span.start:
            return None
        head = max(0, len(bits) - chunk.tokens)
        tokens_per_char = (len(bits) - head) / len(chunk.text)
        offset = chunk.prefix_length - chunk.start
        first = head + int((max(span.start, chunk.start) + offset) * tokens_per_char)
        last = head + -int(-(min(span.end, chunk.end) + offset) * tokens_per_char // 1)
        first = min(first, len(bits) - 1)
        return bits[first : max(first + 1, last)]
