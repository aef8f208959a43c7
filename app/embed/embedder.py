"""The embedder protocol, the model card and what an embedder returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

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

    def close(self) -> None: ...
