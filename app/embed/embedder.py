"""What an embedder is and returns, the checks that none may skip, and a cache of query vectors."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from app import caps
from app.errors import EmbedderError

MAX_QUERY_VECTOR_BYTES_REMEMBERED: Final = 6 * caps.MIB
"""Of the latest questions: some 25 KB each."""

Vector = NDArray[np.float32]
TokenBits = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What must be known of a model to use its vectors; the fingerprint is stored with every one of them."""

    name: str
    revision: str
    dimension: int
    pooling: str
    normalise: bool
    query_prefix: str
    passage_prefix: str
    max_tokens: int
    similarity_threshold: float
    licence: str
    fingerprint: str


def fingerprint_of(parts: Mapping[str, Any]) -> str:
    """A SHA-256 over values that change the vectors, in hexadecimal."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class PassageEmbedding:
    """One passage from one forward pass.

    `vector`: float32, shape (dimension,), unit length. `token_bits`: uint8, shape (tokens, dimension / 8),
    the signs of the token vectors packed big-endian, without the special tokens; shape (0, …) when the
    provider gives no token vectors.
    """

    vector: Vector
    token_bits: TokenBits


@dataclass(frozen=True, slots=True)
class QueryEmbedding:
    """A query: `vector` as for passages; `token_vectors` float32 (tokens, dimension), unit rows.

    Special tokens are left out. `token_words` holds the lower-case word of the text around each token.
    """

    vector: Vector
    token_vectors: NDArray[np.float32]
    token_words: tuple[str, ...]


class Embedder(Protocol):
    """Makes vectors. Thread-safe; calls block, so they belong on a worker thread.

    Every method raises EmbedderError when vectors cannot be made or do not pass the audit (finite, unit
    length, not constant); no method ever returns a placeholder.
    """

    @property
    def card(self) -> ModelCard: ...

    def count_tokens(self, text: str) -> int:
        """Tokens of the text without special tokens and without truncation."""
        ...

    def count_tokens_batch(self, texts: Sequence[str]) -> list[int]: ...

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        """The query; its token vectors are read behind `context`, a title for instance, whose own tokens are left out."""
        ...

    def embed_passage(self, text: str) -> PassageEmbedding: ...

    def embed_passages(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        """The same as embed_passage for each, in order; a hosted provider gets them in few requests."""
        ...

    def release_memory(self, idle_seconds: float) -> bool:
        """Let go of what can be loaded again in a moment, when nothing was embedded for so long; False if there was none."""
        ...

    def make_ready(self) -> None:
        """Load again what `release_memory` let go, for a question that is about to come. Raises EmbedderError."""
        ...

    def close(self) -> None: ...


# --- Checks ---

LENGTH_TOLERANCE: Final = 1e-3
LEAST_SPREAD: Final = 1e-6


def audit(vector: Vector) -> None:
    """Raise EmbedderError unless the vector is finite, of unit length and not constant."""
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise EmbedderError("The embedding model gave a vector with values that are not numbers.")
    length = float(np.linalg.norm(vector))
    if abs(length - 1.0) > LENGTH_TOLERANCE:
        raise EmbedderError(f"The embedding model gave a vector of length {length:.3f} in place of 1.")
    if vector.size > 1 and float(vector.std()) < LEAST_SPREAD:
        raise EmbedderError("The embedding model gave a constant vector.")


def unit(vector: Vector) -> Vector:
    """The vector at length 1; one that has no direction stays as it is and fails the audit."""
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if 0 < length < np.inf else vector, dtype=np.float32)


# --- Cache ---


class CachingEmbedder:
    """An embedder that keeps the vectors of the latest queries, at most `most_bytes` of them; all else it passes on.

    The arrays of its queries are shared and cannot be written to. Failures are not cached; `failure` is that of the last query,
    None after one that worked, and `changed` is called, on the thread of the query, when there is one and when it is over.
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        most_bytes: int = MAX_QUERY_VECTOR_BYTES_REMEMBERED,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        self._embedder = embedder
        self._changed = changed
        self.failure: EmbedderError | None = None
        self._most_bytes = most_bytes
        self._bytes = 0
        self._queries: OrderedDict[tuple[str, str], QueryEmbedding] = OrderedDict()
        self._lock = Lock()

    @property
    def card(self) -> ModelCard:
        return self._embedder.card

    @property
    def cached_bytes(self) -> int:
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
        try:
            query = self._embedder.embed_query(text, context)
        except EmbedderError as error:
            self._note(error)
            raise
        self._note(None)
        query.vector.flags.writeable = query.token_vectors.flags.writeable = False
        with self._lock:
            self._keep(key, query)
        return query

    def embed_passage(self, text: str) -> PassageEmbedding:
        return self._embedder.embed_passage(text)

    def embed_passages(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        return self._embedder.embed_passages(texts)

    def release_memory(self, idle_seconds: float) -> bool:
        return self._embedder.release_memory(idle_seconds)

    def make_ready(self) -> None:
        self._embedder.make_ready()

    def close(self) -> None:
        with self._lock:
            self._queries.clear()
            self._bytes = 0
        self._embedder.close()

    def _note(self, failure: EmbedderError | None) -> None:
        has_changed = (failure is None) != (self.failure is None)
        self.failure = failure
        if has_changed:
            self._changed()

    def _keep(self, key: tuple[str, str], query: QueryEmbedding) -> None:
        """Two threads may have embedded the same query: the later one counts."""
        before = self._queries.pop(key, None)
        self._bytes += _size(query) - (_size(before) if before is not None else 0)
        self._queries[key] = query
        while self._bytes > self._most_bytes:
            self._bytes -= _size(self._queries.popitem(last=False)[1])


def _size(query: QueryEmbedding) -> int:
    return query.vector.nbytes + query.token_vectors.nbytes
