"""Text as the search by words sees it, and BM25 over what the database found.

PostgreSQL stems and indexes words; accents are taken off and words are cut here, as the private library does it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import Final, TypeAlias

from app.library.records import Hit

MAX_INDEXED_CHARS: Final = 100_000
"""Of one field of a passage; beyond it a word is not found. PostgreSQL takes a megabyte of different words."""
MAX_TERMS: Final = 64
MAX_TERM_CHARS: Final = 400

WEIGHTS: Final[Mapping[str, float]] = {"A": 10.0, "B": 5.0, "C": 2.0, "D": 1.0}
"""What a word counts in title, section path, identifiers and text."""
K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6
MAX_PAIRS: Final = 10
"""Each is looked for by itself; those with the rarest words come first."""
PAIR_EXCESS: Final = 2.0
"""How much oftener two words of a question stand together than chance would have it."""

Phrase: TypeAlias = tuple[str, ...]
"""Stemmed words that follow one another; most have one."""

_NO_WORD: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where the words that were asked for stand in one passage: by word its positions, and the field of each position, a letter each.

    Positions are needed for phrases alone.
    """

    chunk_id: int
    length: int
    places: Mapping[str, tuple[Sequence[int], str]]


def folded(text: str) -> str:
    """The words of a text with blanks between them: lower case, without accents."""
    lower = unicodedata.normalize("NFD", text[:MAX_INDEXED_CHARS].lower())
    bare = "".join(each for each in lower if not unicodedata.combining(each)) if not lower.isascii() else lower
    plain = unicodedata.normalize("NFC", bare)
    return _NO_WORD.sub(" ", plain.encode("utf-8", "ignore").decode("utf-8")).strip()


def field_texts(title: str, section_path: str, text: str, identifiers: str) -> tuple[str, str, str, str]:
    """The fields of a passage as they are indexed."""
    return folded(title), folded(section_path), folded(text), folded(identifiers)


def length_of(texts: Iterable[str]) -> int:
    """How many words folded texts have."""
    return sum(text.count(" ") + 1 for text in texts if text)


def folded_terms(terms: Iterable[str]) -> list[str]:
    """The terms to search for, without those that hold no word."""
    found = (folded(term[:MAX_TERM_CHARS]) for term in terms)
    return list(dict.fromkeys(term for term in found if term))[:MAX_TERMS]


def expression(phrases: Iterable[Phrase]) -> str:
    """A tsquery that matches passages with any of the phrases."""
    return " | ".join("(" + " <-> ".join(f"'{word}'" for word in phrase) + ")" for phrase in phrases)


def selective(phrases: Sequence[Phrase], frequencies: Mapping[Phrase, int], passages: int, enough: int) -> str:
    """A tsquery for about `enough` of so many passages: those with one of the rarest phrases, and those with two of the others.

    A passage that BM25 ranks high among many holds one or the other. The rarest phrase, or pair where each phrase is common, is there in
    any case.
    """
    by_rarity = sorted(phrases, key=lambda phrase: (frequencies[phrase], phrase))
    rare = _cheapest([(frequencies[each], expression([each])) for each in by_rarity], enough)
    others = by_rarity[len(rare) :]
    pairs = sorted(
        (
            PAIR_EXCESS * frequencies[one] * frequencies[other] / max(1, passages),
            f"{expression([one])} & {expression([other])}",
        )
        for one, other in combinations(others, 2)
    )
    together = _cheapest(pairs[:MAX_PAIRS], enough)
    if not rare and not together:
        return " | ".join(query for _, query in pairs[:1]) or expression(by_rarity[:1])
    return " | ".join([*rare, *(f"({query})" for query in together)])


def _cheapest(queries: Sequence[tuple[float, str]], enough: float) -> list[str]:
    """The first of queries, ascending by what they find, that find this much together."""
    totals = accumulate(count for count, _ in queries)
    return [query for (_, query), total in zip(queries, totals, strict=True) if total <= enough]


def best(
    found: Iterable[Occurrences], frequencies: Mapping[Phrase, int], passages: int, average: float, k: int
) -> list[Hit]:
    """The k best passages by BM25."""
    idf = {
        phrase: max(LEAST_IDF, math.log((passages - count + 0.5) / (count + 0.5)) if count < passages else LEAST_IDF)
        for phrase, count in frequencies.items()
    }
    hits = [Hit(each.chunk_id, _score(each, idf, average)) for each in found]
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:k]


def _score(found: Occurrences, idf: Mapping[Phrase, float], average: float) -> float:
    normal = K1 * (1 - B + B * found.length / max(average, 1.0))
    score = 0.0
    for phrase, rarity in idf.items():
        if phrase[0] not in found.places:
            continue
        frequency = sum(WEIGHTS[field] for field in _fields_with(found, phrase))
        score += rarity * frequency * (K1 + 1) / (frequency + normal)
    return score


def _fields_with(found: Occurrences, phrase: Phrase) -> Sequence[str]:
    """The field of each place where the phrase stands."""
    if len(phrase) == 1:
        return found.places[phrase[0]][1]
    places = [found.places.get(word, ((), "")) for word in phrase]
    first, *rest = (dict(zip(*each, strict=True)) for each in places)
    return [
        field
        for place, field in first.items()
        if all(following.get(place + step) == field for step, following in enumerate(rest, 1))
    ]
