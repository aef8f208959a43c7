from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.embed.embedder import (
    CachingEmbedder,
    Embedder,
    ModelCard,
    PassageEmbedding,
    QueryEmbedding,
    audit,
    unit,
)
from app.embed.onnx import OnnxEmbedder
from app.errors import EmbedderError
from app.serialise import sound_text


def test_a_proper_vector_passes() -> None:
    audit(unit(np.array([3.0, -4.0, 1.0], np.float32)))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([np.nan, 1.0], "not numbers"),
        ([np.inf, 1.0], "not numbers"),
        ([[0.6, 0.8]], "not numbers"),
        ([0.0, 0.0], "length 0"),
        ([0.6, 0.9], "length 1.08"),
        ([0.5, 0.5, 0.5, 0.5], "all equal"),
        ([], "length 0"),
    ],
)
def test_invalid_vectors_are_refused(values: list[float], words: str) -> None:
    with pytest.raises(EmbedderError, match=words):
        audit(np.array(values, np.float32))


@pytest.mark.filterwarnings("error")
def test_vectors_without_direction_fail_the_audit_after_scaling() -> None:
    for values in ([0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0]):
        with pytest.raises(EmbedderError):
            audit(unit(np.array(values, np.float32)))


def test_lone_surrogates_are_replaced() -> None:
    assert sound_text("a\ud800b") == "a\ufffdb"
    assert sound_text("Grüße 😀") == "Grüße 😀"


class Counting:
    """An embedder of one number that records its texts; "bad" cannot be embedded."""

    def __init__(self, card: ModelCard) -> None:
        self.card = card
        self.asked: list[tuple[str, str]] = []

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        self.asked.append((text, context))
        if text == "bad":
            raise EmbedderError("no vectors")
        vectors = np.full((len(text.split()), 4), len(text), np.float32)
        return QueryEmbedding(np.full(4, len(context), np.float32), vectors, tuple(text.split()))

    def embed_passages(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        return [PassageEmbedding(np.zeros(4, np.float32), np.zeros((1, 1), np.uint8)) for _ in texts]

    def count_tokens_batch(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def close(self) -> None:
        self.asked.append(("closed", ""))


def test_a_query_is_embedded_once_for_each_context(onnx: OnnxEmbedder) -> None:
    counting = Counting(onnx.card)
    remembering: Embedder = CachingEmbedder(counting)
    for _ in range(2):
        for key in (("how deep", ""), ("how deep", "Canals"), ("how wide", "")):
            assert remembering.embed_query(*key).token_words == tuple(key[0].split())
    assert counting.asked == [("how deep", ""), ("how deep", "Canals"), ("how wide", "")]


def test_vectors_are_those_of_the_embedder_and_cannot_be_written_to(onnx: OnnxEmbedder) -> None:
    remembering = CachingEmbedder(onnx)
    for context in ("", "Canals of the north"):
        expected = onnx.embed_query("How deep are they?", context)
        for _ in range(2):
            query = remembering.embed_query("How deep are they?", context)
            np.testing.assert_array_equal(query.vector, expected.vector)
            np.testing.assert_array_equal(query.token_vectors, expected.token_vectors)
            assert query.token_words == expected.token_words
            with pytest.raises(ValueError, match="read-only"):
                query.token_vectors[0, 0] = 1


def test_a_failure_is_not_cached(onnx: OnnxEmbedder) -> None:
    counting = Counting(onnx.card)
    remembering = CachingEmbedder(counting)
    for _ in range(2):
        with pytest.raises(EmbedderError):
            remembering.embed_query("bad")
    assert len(counting.asked) == 2 and remembering.cached_bytes == 0


def test_closing_empties_the_cache(onnx: OnnxEmbedder) -> None:
    counting = Counting(onnx.card)
    remembering = CachingEmbedder(counting)
    remembering.embed_query("how deep")
    remembering.close()
    assert remembering.cached_bytes == 0 and counting.asked[-1] == ("closed", "")


@settings(max_examples=50)
@given(st.lists(st.integers(1, 40), max_size=60), st.integers(0, 2000))
def test_the_cache_stays_within_its_limit_and_keeps_the_latest(sizes: list[int], most: int) -> None:
    counting = Counting(ModelCard("m", "", 4, "mean", True, "", "", 256, 0.0, "", ""))
    remembering = CachingEmbedder(counting, most_bytes=most)
    for size in sizes:
        text = "a " * size
        query = remembering.embed_query(text)
        assert remembering.cached_bytes <= most
        asked = len(counting.asked)
        remembering.embed_query(text)
        fits = query.vector.nbytes + query.token_vectors.nbytes <= most
        assert (len(counting.asked) == asked) is fits
