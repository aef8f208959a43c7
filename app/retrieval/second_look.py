"""Order the best passages again: a model of the user's choice reads the question together with each of them."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.embed.reranker import CrossEncoder
from app.errors import EmbedderError
from app.library.records import passage_text
from app.retrieval.evidence import Evidence
from app.text.sentence import sentence

BEST: Final = 20
SECONDS: Final = 0.5
"""Passages that were not read by then keep their place."""
SHARE: Final = 0.5
"""Weight of the model; the rest is the relevance of before (training/README.md)."""

LEAST_SPREAD: Final = 1e-9

log = logging.getLogger(__name__)


class SecondLook:
    """Reorders evidence with a reranker. Without one, evidence stays as it is; `problem` says why there is none. Blocking."""

    def __init__(self, reranker: CrossEncoder | None = None, problem: str = "") -> None:
        self._reranker = reranker
        self._problem = problem

    @property
    def note(self) -> str:
        """The note for readers of a result if the chosen model does not work, otherwise ""."""
        return sentence("The chosen reranker is off ({}).", self._problem) if self._problem else ""

    def again(self, question: str, *found: Evidence) -> tuple[Evidence, ...]:
        """Return evidence for the question in the new order. A passage in several is read once."""
        reranker = self._reranker
        if reranker is None or not all(reranker.reads(question, each.other_language) for each in found):
            return found
        chunks = {item.chunk.id: item.chunk for each in found for item in each.ranked[:BEST]}
        try:
            scores = reranker.scores(question, [passage_text(chunk) for chunk in chunks.values()], SECONDS)
        except EmbedderError as error:
            log.warning("cannot rerank: %s", error)
            self._problem = error.message
            return found
        self._problem = ""
        read = {number: score for number, score in zip(chunks, scores, strict=True) if score is not None}
        return tuple(_reordered(each, read, reranker.card.name) for each in found)

    def release_memory(self, idle_seconds: float) -> bool:
        """Release the model if it was not used for so long; return whether there was any."""
        return self._reranker is not None and self._reranker.release_memory(idle_seconds)

    def close(self) -> None:
        if self._reranker is not None:
            self._reranker.close()


def _reordered(found: Evidence, scores: dict[int, float], name: str) -> Evidence:
    """Return the evidence with its best passages in another order. Relevance stays with the place, so that it keeps its meaning."""
    ranked = list(found.ranked)
    places = [place for place, item in enumerate(ranked[:BEST]) if item.chunk.id in scores]
    if len(places) < 2:
        return found
    before = np.array([ranked[place].reranked_score for place in places])
    now = np.array([scores[ranked[place].chunk.id] for place in places])
    mixed = SHARE * _standard(now) + (1 - SHARE) * _standard(before)
    for place, chosen in zip(places, np.argsort(-mixed, kind="stable"), strict=True):
        item = found.ranked[places[chosen]]
        ranked[place] = replace(item, reranked_score=found.ranked[place].reranked_score)
    return replace(found, ranked=tuple(ranked), reread=f"{name}, {len(places)} passages")


def _standard(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((values - values.mean()) / max(float(values.std()), LEAST_SPREAD))
