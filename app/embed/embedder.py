"""The embedder interface and its results, the checks of every vector, a cache of query vectors, and the self-test."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from app import caps
from app.errors import EmbedderError
from app.text.sentence import sentence

log = logging.getLogger(__name__)

MAX_QUERY_VECTOR_BYTES_REMEMBERED: Final = 6 * caps.MIB
"""For the newest questions: about 25 KB each."""

Vector = NDArray[np.float32]
TokenBits = NDArray[np.uint8]


RERANKER: Final = "reranker"


@dataclass(frozen=True, slots=True)
class ModelCard:
    """The properties of a model that its vectors depend on; the fingerprint is stored with each vector."""

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
    source: str = ""
    languages: tuple[str, ...] = ()
    """Empty if the card does not list them."""
    centre: str = ""
    """The file with the mean vectors that are subtracted; empty for none."""
    calibrated: bool = True
    """Whether its cosines have the scale of the built-in model, so that likelihoods can be estimated."""
    kind: str = ""
    """RERANKER, or empty for a model that embeds."""


def fingerprint_of(parts: Mapping[str, Any]) -> str:
    """Return a hexadecimal SHA-256 of values that change the vectors."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class PassageEmbedding:
    """One passage from one forward pass.

    `vector`: float32, shape (dimension,), unit length. `token_bits`: uint8, shape (tokens, dimension / 8), the signs of the token vectors
    packed big-endian, without the special tokens. It is (0, …) if the provider returns no token vectors.
    """

    vector: Vector
    token_bits: TokenBits


@dataclass(frozen=True, slots=True)
class QueryEmbedding:
    """A query: `vector` as for passages; `token_vectors` float32 (tokens, dimension), unit rows.

    Special tokens are omitted. `token_words` holds the lowercase word of the text around each token, `known_share` the share of letters
    that the model knows. Unknown words all have the same vectors. The model was made for `languages`; empty if unknown.
    """

    vector: Vector
    token_vectors: NDArray[np.float32]
    token_words: tuple[str, ...]
    known_share: float = 1.0
    languages: tuple[str, ...] = ()


class Embedder(Protocol):
    """Computes vectors. Thread-safe; calls block, so run them on a worker thread.

    Every method raises EmbedderError if vectors cannot be computed or fail the audit (finite, unit length, not constant).
    """

    @property
    def card(self) -> ModelCard: ...

    def count_tokens_batch(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each text without special tokens and truncation."""
        ...

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        """Return the query; its token vectors are read after `context`, such as a title, whose own tokens are omitted."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        """Embed each text separately, in order; a hosted provider gets them in few requests."""
        ...

    def release_memory(self, idle_seconds: float) -> bool:
        """Release memory that can be reloaded quickly, if nothing was embedded for so long; return False if there was none."""
        ...

    def make_ready(self) -> None:
        """Reload the memory that `release_memory` released, before an expected question. Raises EmbedderError."""
        ...

    def close(self) -> None: ...


# --- Checks ---

LENGTH_TOLERANCE: Final = 1e-3
LEAST_SPREAD: Final = 1e-6


def audit(vector: Vector) -> None:
    """Raise EmbedderError unless the vector is finite, of unit length and not constant."""
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise EmbedderError(sentence("The embedding model returned values that are not numbers."))
    length = float(np.linalg.norm(vector))
    if abs(length - 1.0) > LENGTH_TOLERANCE:
        raise EmbedderError(sentence("The embedding model returned values of length {} instead of 1.", f"{length:.3f}"))
    if vector.size > 1 and float(vector.std()) < LEAST_SPREAD:
        raise EmbedderError(sentence("The embedding model returned values that are all equal."))


def unit(vector: Vector) -> Vector:
    """Return the vector at length 1; a zero vector stays unchanged and fails the audit."""
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if 0 < length < np.inf else vector, dtype=np.float32)


# --- Cache ---


class CachingEmbedder:
    """An embedder that caches up to `most_bytes` of vectors of the newest queries and passes everything else on.

    The arrays of its queries are shared and read-only. Failures are not cached. `failure` is the error of the last query, None after a
    success. `changed` is called, on the thread of the query, when a failure begins or ends.
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
        return self._bytes

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
            # Two threads may have embedded the same query; the later one counts.
            before = self._queries.pop(key, None)
            self._bytes += _size(query) - (_size(before) if before is not None else 0)
            self._queries[key] = query
            while self._bytes > self._most_bytes:
                self._bytes -= _size(self._queries.popitem(last=False)[1])
        return query

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


class SideBySide(CachingEmbedder):
    """The first model, for questions in English, and a second one for all others; `problem` says why there is none."""

    def __init__(
        self, first: Embedder, second: Embedder | None, problem: str = "", changed: Callable[[], object] = lambda: None
    ) -> None:
        super().__init__(first, changed=changed)
        self._second = CachingEmbedder(second, changed=changed) if second is not None else None
        self._problem = problem

    @property
    def second(self) -> CachingEmbedder:
        """The second model. Raises EmbedderError if it cannot be used."""
        if self._second is None:
            raise EmbedderError(self._problem)
        return self._second

    def release_memory(self, idle_seconds: float) -> bool:
        had_second = self._second is not None and self._second.release_memory(idle_seconds)
        return super().release_memory(idle_seconds) or had_second

    def close(self) -> None:
        if self._second is not None:
            self._second.close()
        super().close()


def _size(query: QueryEmbedding) -> int:
    return query.vector.nbytes + query.token_vectors.nbytes


# --- Self-test ---

EMBEDDER_CHECK_PASSAGES: Final = 24

REFERENCE_FILE: Final = "model_reference.json"
LOWEST_COSINE: Final = 0.985
"""The model is quantized; the vectors of a damaged or wrong one differ much more."""
PASSAGE: Final = (
    "The queue keeps every message until a worker has confirmed it. A worker that ends without a word gives its messages back"
    " after a minute, and another one takes them up. Messages that failed five times go to a list of their own, where a person"
    " looks at them. Number {} of the rules says that no message may be larger than a quarter of a megabyte; larger contents are"
    " stored elsewhere, and the message names their place. The time of the first attempt is kept, so that an old message can be"
    " told from a new one, and the order within one topic is that of their arrival."
)
"""As long as typical passages."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Texts and their exact vectors, as rows of unit length."""

    texts: tuple[str, ...]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbedderCheck:
    """The result of a check. `cosine` is the lowest between computed and reference vectors; None without a reference for the model."""

    question_ms: float
    passages_per_second: float
    cosine: float | None
    calibrated: bool = True
    """As on the card."""

    @property
    def is_sound(self) -> bool:
        return self.cosine is None or self.cosine >= LOWEST_COSINE


def load_reference(folder: Path) -> Reference | None:
    """Return the reference of the bundled model, or None if this build has none."""
    try:
        stored = json.loads((folder / REFERENCE_FILE).read_text(encoding="utf-8"))
        rows = [np.frombuffer(base64.b64decode(row), "<f2").astype(np.float32) for row in stored["vectors"]]
        vectors = np.array(rows)
        return Reference(tuple(stored["texts"]), vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    except (OSError, ValueError, KeyError, TypeError, binascii.Error) as error:
        log.info("no reference vectors: %s", error)
        return None


def check(embedder: Embedder, reference: Reference | None, threads: int) -> EmbedderCheck:
    """Embed the texts of the reference, then passages on this many threads. Raises EmbedderError."""
    texts = reference.texts if reference is not None else (PASSAGE.format(0)[:80],)
    embedder.embed_query(texts[0])
    started = time.perf_counter()
    vectors = np.array([embedder.embed_query(text).vector for text in texts])
    question_ms = (time.perf_counter() - started) * 1000 / len(texts)
    cosine = None
    if reference is not None and vectors.shape == reference.vectors.shape:
        cosine = float((vectors * reference.vectors).sum(axis=1).min())
    passages = [PASSAGE.format(number) for number in range(EMBEDDER_CHECK_PASSAGES)]
    parts: list[Sequence[str]] = [passages[start::threads] for start in range(threads)]
    started = time.perf_counter()
    with ThreadPoolExecutor(threads, thread_name_prefix="check") as pool:
        list(pool.map(embedder.embed_passages, parts))
    per_second = len(passages) / max(time.perf_counter() - started, 1e-6)
    return EmbedderCheck(question_ms, per_second, cosine, embedder.card.calibrated)
