"""Late interaction (ColBERT, Khattab and Zaharia 2020): every word of a question against every word of a passage.

Passages are stored as the signs of their token vectors; the question keeps its floats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.embed.embedder import QueryEmbedding

Bits = NDArray[np.uint8]
BLOCK_TOKENS: Final = 128
"""Token signs unpacked at a time, always into the same memory, so that they stay in the processor's cache."""


def best_matches(vectors: NDArray[np.float32], passages: Sequence[Bits]) -> NDArray[np.float32]:
    """The best cosine of each token vector to any token of each passage: shape (passages, vectors).

    `vectors` are unit rows; every passage has at least one token. Several questions are compared at once by stacking their vectors.
    """
    bits = np.concatenate(passages)
    products = np.empty((len(bits), len(vectors)), np.float32)
    columns = np.ascontiguousarray(vectors.T)
    block = np.empty((BLOCK_TOKENS, len(columns)), np.float32)
    for start in range(0, len(bits), BLOCK_TOKENS):
        part = bits[start : start + BLOCK_TOKENS]
        ones = block[: len(part)]
        np.copyto(ones, np.unpackbits(part, axis=1))
        np.matmul(ones, columns, out=products[start : start + BLOCK_TOKENS])
    starts = np.cumsum([0, *(len(passage) for passage in passages[:-1])])
    best = np.maximum.reduceat(products, starts, axis=0)
    # The signs are -1 and 1 where the bits are 0 and 1.
    return np.asarray((2 * best - vectors.sum(axis=1)) / math.sqrt(vectors.shape[1]), dtype=np.float32)


def word_share(query: QueryEmbedding) -> NDArray[np.float32]:
    """The weight of each token in the mean over the question: the same for all, none for punctuation. Sums to 1.

    Weights by rarity measured no better: how close the rest of a question comes tells as much as its rare words.
    """
    spoken = np.array([any(c.isalnum() for c in word) for word in query.token_words], np.float32)
    if not spoken.any():
        spoken[:] = 1
    return np.asarray(spoken / spoken.sum(), dtype=np.float32)
