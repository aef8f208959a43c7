"""Queries that are asked again are not embedded again: an assistant searches, then asks for quotes on the same question."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from app import caps
from app.embed.embedder import Embedder, ModelCard, PassageEmbedding, QueryEmbedding


class RememberingEmbedder:
    """An embedder that keeps the vectors of the latest queries, at most `most_bytes` of them; all else it passes on.

    The arrays of its queries are shared and cannot be written to. Failures are not remembered.
    """

    def __init__(self, embedder: Embedder, *, most_bytes: int = caps.MAX_QUERY_VECTOR_BYTES_REMEMBERED) -> None:
        self._embedder = embedder
        self._most_bytes = most_bytes
        self._bytes = 0
        self._queries: OrderedDict[tuple[str, str], QueryEmbedding] = OrderedDict()
        self._lock = Lock()

    @property
    def card(self) -> ModelCard:
        return self._embedder.card

    @property
    def remembered_bytes(self) -> int:
        """What the vectors that are kept take."""
        return self._bytes

    def count_tokens(self, text: str) -> int:
        return self._embedder.count_tokens(text)

    def count_tokens_batch(self, texts: Sequence[str]) -> list[int]:
        return self._embedder.count_tokens_batch(texts)

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        key = (text, context)
        with self._lock:
            if key in self._queries:
                self._queries.move_to_end(key)
                return self._queries[key]
        query = self._embedder.embed_query(text, context)
        query.vector.flags.writeable = query.token_vectors.flags.writeable = False
        with self._lock:
            self._keep(key, query)
        return query

    def embed_passage(self, text: str) -> PassageEmbedding:
        return self._embedder.embed_passage(text)

    def embed_passages(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        return self._embedder.embed_passages(texts)

    def close(self) -> None:
        with self._lock:
            self._queries.clear()
            self._bytes = 0
        self._embedder.close()

    def _keep(self, key: tuple[str, str], query: QueryEmbedding) -> None:
        """Two threads may have embedded the same query: the later one counts."""
        before = self._queries.pop(key, None)
        self._bytes += _size(query) - (_size(before) if before is not None else 0)
        self._queries[key] = query
        while self._bytes > self._most_bytes:
            self._bytes -= _size(self._queries.popitem(last=False)[1])


def _size(query: QueryEmbedding) -> int:
    return query.vector.nbytes + query.token_vectors.nbytes
