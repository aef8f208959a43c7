from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.embed.embedder import QueryEmbedding
from app.retrieval.ranking.late_interaction import BLOCK_TOKENS, best_matches, word_share


def query(tokens: int, dimension: int, seed: int, words: tuple[str, ...] | None = None) -> QueryEmbedding:
    vectors = np.random.default_rng(seed).standard_normal((tokens, dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return QueryEmbedding(vectors.mean(axis=0), vectors, words or tuple("w" for _ in range(tokens)))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=12), st.integers(1, 9), st.integers(0, 99))
def test_every_best_match_is_the_largest_cosine_to_the_signs(lengths: list[int], tokens: int, seed: int) -> None:
    asked = query(tokens, 32, seed)
    source = np.random.default_rng(seed + 1)
    passages = [source.integers(0, 256, (length, 4), dtype=np.uint8) for length in lengths]
    found = best_matches(asked.token_vectors, passages)
    for row, bits in zip(found, passages, strict=True):
        signs = np.unpackbits(bits, axis=1).astype(np.float64) * 2 - 1
        cosines = asked.token_vectors @ (signs / np.linalg.norm(signs, axis=1, keepdims=True)).T
        np.testing.assert_allclose(row, cosines.max(axis=1), atol=1e-5)


def test_a_passage_across_two_blocks_is_seen_whole() -> None:
    asked = query(3, 16, 5)
    best = np.packbits(asked.token_vectors > 0, axis=1)
    filler = np.packbits(asked.token_vectors[:1] < 0, axis=1).repeat(BLOCK_TOKENS - 1, axis=0)
    whole = np.concatenate([filler, best])
    np.testing.assert_allclose(
        best_matches(asked.token_vectors, [whole]), best_matches(asked.token_vectors, [best]), atol=1e-6
    )


def test_punctuation_has_no_share_unless_there_is_nothing_else() -> None:
    np.testing.assert_allclose(word_share(query(3, 8, 1, ("why", "?", "now"))), [0.5, 0, 0.5])
    np.testing.assert_allclose(word_share(query(2, 8, 1, ("?", "!"))), [0.5, 0.5])
