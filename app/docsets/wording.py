"""How well the words of a page meet those of a question: five weights, by rarity, each word with diminishing returns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.corpus.doc_index import DocIndex
from app.corpus.doc_records import WordCounts
from app.docsets.shelf import Page, folded
from app.text.terms import query_terms

TITLE_PHRASE: Final = 100.0
TITLE_WORD: Final = 20.0
HEADING_PHRASE: Final = 50.0
HEADING_WORD: Final = 10.0
OCCURRENCE: Final = 1.0

PATH_WORD: Final = 5.0
NAME_PART: Final = 1.0
"""A word inside a name of code: `session` in `get_session`."""

SATURATION: Final = 1.2
"""The points at which a word has reached half of what it can bring: the k1 of BM25 (Robertson and Zaragoza 2009)."""
LENGTH_SHARE: Final = 0.75
"""How far occurrences are measured by the length of the page, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as its words are looked up: `words` as the index holds them, `phrase` as it stands, folded."""

    text: str
    words: tuple[str, ...]
    phrase: str


def asked(index: DocIndex, text: str) -> Asked:
    """The words that carry meaning; all of them where no other is left."""
    found = (word for words in index.words(query_terms(text)) for word in words)
    return Asked(text, tuple(dict.fromkeys(found)), folded(text))


def wording(index: DocIndex, question: Asked, pages: Sequence[Page]) -> dict[int, float]:
    """The share of the question that each page meets, by page; pages with none of its words are left out.

    A page with every word, often or in title or headings, nears 1; the whole question in a title or heading adds to that.
    """
    counts = index.counts(question.words)
    known = {page.head.id: page for page in pages}
    mean = max(1.0, sum(page.head.words for page in pages) / max(1, len(pages)))
    rarity = {word: _rarity(counts[word], known) for word in question.words}
    whole = sum(rarity.values())
    found: dict[int, float] = {}
    for word, of_word in counts.items():
        for page_id, number in of_word.items():
            if page := known.get(page_id):
                met = rarity[word] * _met(_points(number, page.head.words / mean))
                found[page_id] = found.get(page_id, 0.0) + met
    for page_id in found:
        if points := _phrase_points(question.phrase, known[page_id]):
            found[page_id] += whole / len(question.words) * _met(points)
    return {page_id: met / whole for page_id, met in found.items()}


def _points(number: WordCounts, length: float) -> float:
    """The points of one word on a page, occurrences measured by the length of the page (1: as long as most)."""
    scale = 1 - LENGTH_SHARE + LENGTH_SHARE * length
    return (
        TITLE_WORD * bool(number.title)
        + HEADING_WORD * bool(number.headings)
        + PATH_WORD * bool(number.path)
        + (OCCURRENCE * number.content + NAME_PART * number.identifiers) / scale
    )


def _phrase_points(phrase: str, page: Page) -> float:
    if not phrase.strip():
        return 0.0
    return TITLE_PHRASE * (phrase in page.title) + HEADING_PHRASE * (phrase in page.headings)


def _met(points: float) -> float:
    return points / (points + SATURATION)


def _rarity(of_word: Mapping[int, WordCounts], known: Mapping[int, Page]) -> float:
    """The inverse document frequency of a word among the pages searched."""
    holding = sum(page_id in known for page_id in of_word)
    return math.log(1 + (len(known) - holding + 0.5) / (holding + 0.5))
