"""The embedder put to the test: one question, a sentence that answers it and one that has nothing to do with it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from app.embed.embedder import Embedder
from app.errors import EmbedderError


@dataclass(frozen=True, slots=True)
class EmbedderTrial:
    """`milliseconds` is the time for all three sentences; `near` and `far` are the cosines to the question."""

    name: str
    dimension: int
    milliseconds: float
    near: float
    far: float


def try_embedder(embedder: Embedder, question: str, near: str, far: str) -> EmbedderTrial:
    """Embed three sentences now. Blocking. Raises EmbedderError, also when the vectors cannot tell them apart."""
    begun = time.perf_counter()
    # Passages and not a query: vectors of queries are remembered, and nothing would run the second time.
    asked, *others = [made.vector for made in embedder.embed_passages([question, near, far])]
    took = (time.perf_counter() - begun) * 1000
    likenesses = [float(asked @ other) for other in others]
    if likenesses[0] <= likenesses[1]:
        raise EmbedderError("The model runs, but does not tell related sentences from unrelated ones.")
    return EmbedderTrial(embedder.card.name, embedder.card.dimension, took, *likenesses)
