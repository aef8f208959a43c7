"""Waiting passages: which of them a question has embedded at once, and what those count that still have no vectors.

A passage is compared with a question by its vectors. On a scale of its own, one without would stand above or below all others whatever
it says, so the likely ones get their vectors for the question, and the rest count as much as their likes do.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.errors import WebRAGError
from app.library.protocol import Library
from app.retrieval.records import Candidate
from app.text.sentence import sentence

log = logging.getLogger(__name__)

LIKELY_BY_WORDS: Final = 18
"""Waiting candidates, best first, that are embedded for a question: with fewer too many answers stay without (docs/measurements.md)."""
BESIDE_NEAREST: Final = 4
"""Waiting passages that stand beside the nearest ones, which an answer in other words than the question's often does."""
NEAREST: Final = 5
EMBED_SECONDS: Final = 0.8
"""Of one question; what has no vectors by then is estimated."""

LIKE_SHARE: Final = 0.1
"""Passages whose shares of the question's words differ by this much are each other's likes, less so the more they differ."""
USUAL_WEIGHT: Final = 0.5
"""What the mean over all passages counts beside the likes: with few of those it decides."""

EmbedWithin = Callable[[Sequence[int], float], int]
"""Gives passages their vectors in this order, as far as so many seconds allow, and returns how many; blocking. Raises WebRAGError."""
Search = Callable[[], list[Candidate]]
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EmbedPriority:
    """Embeds for one question what it needs of the passages that wait."""

    corpus: Library
    embed_within: EmbedWithin

    def complete(self, search: Search) -> list[Candidate]:
        """What a search finds once the likely ones of its candidates have their vectors."""
        until = time.monotonic() + EMBED_SECONDS
        found = search()
        likely = self._waiting([candidate.chunk_id for candidate in found])[:LIKELY_BY_WORDS]
        if self._embed(likely, until):
            found = search()
        if self._embed(self._beside(found), until):
            found = search()
        return found

    def embed(self, chunk_ids: Sequence[int]) -> None:
        """Give these passages their vectors as far as the time allows."""
        self._embed(self._waiting(chunk_ids), time.monotonic() + EMBED_SECONDS)

    def _beside(self, found: Sequence[Candidate]) -> list[int]:
        nearest = [candidate.chunk_id for candidate in found if "meaning" in candidate.matched][:NEAREST]
        return self._waiting(self.corpus.chunks.beside(nearest))[:BESIDE_NEAREST] if nearest else []

    def _waiting(self, chunk_ids: Sequence[int]) -> list[int]:
        """Those without vectors, in their order."""
        waiting = self.corpus.vectors.waiting_among(chunk_ids)
        return [chunk_id for chunk_id in chunk_ids if chunk_id in waiting]

    def _embed(self, chunk_ids: Sequence[int], until: float) -> int:
        """How many got their vectors. What fails leaves them to the estimate, which the result says of each."""
        seconds = until - time.monotonic()
        if not chunk_ids or seconds <= 0:
            return 0
        try:
            return self.embed_within(chunk_ids, seconds)
        except WebRAGError as error:
            log.warning("a question goes without vectors for %d passages: %s", len(chunk_ids), error)
            return 0


def waiting_note(corpus: Library) -> str:
    """What a reader must know of passages that wait; empty where none does."""
    if not corpus.vectors.has_waiting():
        return ""
    return sentence(
        "{} of {} passages are still being prepared; beyond the likeliest they were searched by their words only. Ask again later.",
        f"{corpus.vectors.count_waiting():,}",
        f"{corpus.chunks.count():,}",
    )


def estimated(known_shares: Values, known: Values, shares: Values) -> Values:
    """What is to be expected of passages that hold these shares of the question's words, from those of which it is `known`.

    The mean of the likes, drawn to the mean of all where there are few. All arrays have one dimension, the known ones at least one value.
    """
    alike = np.exp(-(((shares[:, None] - known_shares[None, :]) / LIKE_SHARE) ** 2))
    return np.asarray((alike @ known + USUAL_WEIGHT * known.mean()) / (alike.sum(axis=1) + USUAL_WEIGHT))
