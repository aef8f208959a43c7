"""A caching embedder returns the vectors of the model and calls the model only once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from support.remembering import CachingEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.embed.embedder import Embedder, ModelCard, PassageEmbedding, QueryEmbedding

TEXTS = ["Pumps are oiled every six weeks.", "", "Ölwechsel 油 \ud800 of the pump"]


class Kept:
    """The embedder of the test session, which must stay open."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.is_closed = False

    @property
    def card(self) -> ModelCard:
        return self._inner.card

    def count_tokens_batch(self, texts: Sequence[str]) -> list[int]:
        return self._inner.count_tokens_batch(texts)

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        return self._inner.embed_query(text, context)

    def embed_passages(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        return self._inner.embed_passages(texts)

    def close(self) -> None:
        self.is_closed = True


def test_vectors_are_the_same_and_made_once(embedder: Embedder, tmp_path: Path) -> None:
    wanted = embedder.embed_passages(TEXTS)
    for made, remembered in ((len(TEXTS), 0), (0, len(TEXTS))):
        kept = Kept(embedder)
        remembering = CachingEmbedder(kept, tmp_path / "vectors.db")
        for passage, own in zip(remembering.embed_passages(TEXTS), wanted, strict=True):
            assert np.array_equal(passage.vector, own.vector) and passage.vector.dtype == np.float32
            assert np.array_equal(passage.token_bits, own.token_bits) and passage.token_bits.dtype == np.uint8
        assert (remembering.made, remembering.remembered) == (made, remembered)
        remembering.close()
        assert kept.is_closed


def test_queries_and_counts_are_the_models_own(embedder: Embedder, tmp_path: Path) -> None:
    remembering = CachingEmbedder(Kept(embedder), tmp_path / "vectors.db")
    query, own = remembering.embed_query(TEXTS[0]), embedder.embed_query(TEXTS[0])
    assert np.array_equal(query.vector, own.vector) and query.token_words == own.token_words
    assert remembering.count_tokens_batch(TEXTS) == embedder.count_tokens_batch(TEXTS)
    remembering.close()
