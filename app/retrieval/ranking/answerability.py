"""Whether what was found holds the answer at all."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from app.retrieval.ranking.rerank import Ranking
from app.text.terms import STOP_WORDS, query_terms, stem, words

INTERCEPT: Final = -2.47
WEAKEST_WEIGHT: Final = 19.0
UNSEEN_WEIGHT: Final = -0.93
MISSING_WEIGHT: Final = -2.91
"""A logistic regression over 245 questions with and without an answer on the pages read."""
MISSING_COUNTED: Final = 2
"""More names that stand nowhere add nothing."""
HELD_CHUNKS: Final = 15
"""So many of the best chunks are looked through for words and names; in more of them nearly every word stands somewhere."""

CONFIDENCE_INTERCEPT: Final = -1.9
CONFIDENCE_RELEVANCE: Final = 3.08
CONFIDENCE_PLACE: Final = -2.12
"""The same for single passages, by their relevance and the logarithm of their place."""

_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:]\s)\W*+\w+")
_GERMAN: Final = frozenset(
    ("der", "das", "den", "ist", "ein", "eine", "einen", "wie", "wird", "nicht", "mit", "für", "kann", "ich")
)
_MIN_GERMAN: Final = 2
"""So many of these words make a question German, where every noun has a capital letter."""
_MARKED: Final = re.compile(r"\b(?:[A-Z][\w.+#/-]*|\w*[A-Za-z]\w*\d[\w./-]*|\w+_\w+)\b")


def likelihood(question: str, ranking: Ranking) -> float | None:
    """How likely the ranked chunks hold the answer, 0..1; None where there are no vectors to judge by."""
    if ranking.weakest is None:
        return None
    held = _Held.of(ranking)
    missing = sum(not held.holds(name) for name in _names(question))
    odds = (
        INTERCEPT
        + WEAKEST_WEIGHT * ranking.weakest
        + UNSEEN_WEIGHT * _unseen_share(question, ranking.weights, held)
        + MISSING_WEIGHT * min(missing, MISSING_COUNTED)
    )
    return 1 / (1 + math.exp(-odds))


def confidence(relevance: float, place: int) -> float:
    """How likely the passage at this place (1 is the best) holds the answer, 0..1; right on average over the questions measured."""
    odds = CONFIDENCE_INTERCEPT + CONFIDENCE_RELEVANCE * relevance + CONFIDENCE_PLACE * math.log(place)
    return 1 / (1 + math.exp(-odds))


@dataclass(frozen=True, slots=True)
class _Held:
    """All that stands in the ranked chunks, their titles and headings."""

    text: str

    @classmethod
    def of(cls, ranking: Ranking) -> Self:
        chunks = [item.chunk for item in ranking.chunks[:HELD_CHUNKS]]
        heads = {(chunk.title, chunk.section_path) for chunk in chunks}
        parts = [chunk.text for chunk in chunks] + [f"{title} {' '.join(path)}" for title, path in sorted(heads)]
        return cls("\n".join(parts).lower())

    def holds(self, term: str) -> bool:
        """Whether every word of the term begins a word here, by its stem; an underscore parts words."""
        return all(self._begins_word(stem(word)) for word in words(term))

    def _begins_word(self, letters: str) -> bool:
        # Letters that stand nowhere are found out a hundred times faster than words that begin with them.
        return letters in self.text and re.search(rf"(?<![^\W_]){re.escape(letters)}", self.text) is not None


def _unseen_share(question: str, weights: Mapping[str, float], held: _Held) -> float:
    """The share of the question's words that stand nowhere, by their rarity."""
    rarity = {term: weights.get(term, 1.0) for term in query_terms(question)}
    unseen = sum(weight for term, weight in rarity.items() if not held.holds(term))
    return unseen / max(sum(rarity.values()), 1e-9)


def _names(question: str) -> list[str]:
    """Words that name something: capital letters within a sentence, letters with digits, underscores."""
    opening = {match.end() for match in _SENTENCE_START.finditer(question)}
    found = [match.group() for match in _MARKED.finditer(question) if match.end() not in opening]
    if sum(word in _GERMAN for word in words(question)) >= _MIN_GERMAN:
        found = [name for name in found if not name.istitle()]
    return [name for name in found if name.lower() not in STOP_WORDS]
