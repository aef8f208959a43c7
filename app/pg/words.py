"""Text as the search by words sees it, and BM25 over what the database found.

PostgreSQL stems and indexes words; accents are taken off and words are cut here, as the private library does it.
"""

from __future__ import annotations

import heapq
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, combinations, islice
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias, TypeVar

from app.library.records import Hit
from app.text.scripts import normalized

MAX_INDEXED_CHARS: Final = 100_000
"""Of one field of a passage; beyond it a word is not found. PostgreSQL takes a megabyte of different words."""
MAX_TERMS: Final = 64
MAX_TERM_CHARS: Final = 400

WEIGHTS: Final[Mapping[str, float]] = {"A": 10.0, "B": 5.0, "C": 2.0, "D": 1.0}
"""What a word counts in title, section path, identifiers and text."""
K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6
MAX_PAIRS: Final = 20
"""Each is looked for by itself; those with the rarest words come first."""
PAIR_EXCESS: Final = 2.0
"""How much oftener two words of a question stand together than chance would have it."""

T = TypeVar("T")
Phrase: TypeAlias = tuple[str, ...]
"""Stemmed words that follow one another; most have one."""

_MORE_THAN_TEXT: Final = tuple((field, WEIGHTS[field] - WEIGHTS["D"]) for field in "ABC")
_NO_WORD: Final = re.compile(r"[\W_]+")


class Passage(NamedTuple):
    """What a passage is ranked by. `words` is the text of its tsvector, `'index':2A,15 'word':7`, where a place without a letter is of
    field D: to take out of it what was asked for is cheaper than to have the database make rows of it.
    """

    chunk_id: int
    length: int
    words: str


def folded(text: str) -> str:
    """The words of a text with blanks between them: lower case, without accents."""
    lower = normalized("NFD", text[:MAX_INDEXED_CHARS].lower())
    bare = "".join(each for each in lower if not unicodedata.combining(each)) if not lower.isascii() else lower
    plain = normalized("NFC", bare)
    return _NO_WORD.sub(" ", plain.encode("utf-8", "ignore").decode("utf-8")).strip()


def field_texts(title: str, section_path: str, text: str, identifiers: str) -> tuple[str, str, str, str]:
    """The fields of a passage as they are indexed."""
    return folded(title), folded(section_path), folded(text), folded(identifiers)


def length_of(texts: Iterable[str]) -> int:
    """How many words folded texts have."""
    return sum(text.count(" ") + 1 for text in texts if text)


def folded_terms(terms: Iterable[str]) -> dict[str, int]:
    """The terms to search for and how often each is named, without those that hold no word."""
    found = Counter(folded(term[:MAX_TERM_CHARS]) for term in terms)
    return dict(islice(((term, times) for term, times in found.items() if term), MAX_TERMS))


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
        (PAIR_EXCESS * frequencies[one] * frequencies[other] / max(1, passages), (one, other))
        for one, other in combinations(others, 2)
    )
    together: dict[Phrase, list[Phrase]] = {}
    for one, other in _cheapest(pairs[:MAX_PAIRS], enough) or ([] if rare else [pair for _, pair in pairs[:1]]):
        together.setdefault(one, []).append(other)
    if not rare and not together:
        return expression(by_rarity[:1])
    # Each of the rarer words once: the index is asked about every pair of a passage that it is named in.
    return " | ".join([*rare, *(f"({expression([one])} & ({expression(rest)}))" for one, rest in together.items())])


def _cheapest(queries: Sequence[tuple[float, T]], enough: float) -> list[T]:
    """The first of queries, ascending by what they find, that find this much together."""
    totals = accumulate(count for count, _ in queries)
    return [query for (_, query), total in zip(queries, totals, strict=True) if total <= enough]


def best(
    found: Iterable[Passage],
    frequencies: Mapping[Phrase, int],
    passages: int,
    average: float,
    k: int,
    times: Mapping[Phrase, int] = MappingProxyType({}),
) -> list[Hit]:
    """The k best passages by BM25. What is asked for several `times` counts as often: a question's own words do, beside synonyms."""
    asked = [
        (
            phrase,
            f"'{phrase[0]}':",
            times.get(phrase, 1)
            * (K1 + 1)
            * max(LEAST_IDF, math.log((passages - count + 0.5) / (count + 0.5)) if count < passages else LEAST_IDF),
        )
        for phrase, count in frequencies.items()
    ]
    always, by_length = K1 * (1 - B), K1 * B / max(average, 1.0)
    scored = []
    for chunk_id, length, words in found:
        normal, score = always + by_length * length, 0.0
        for phrase, named, rarity in asked:
            begin = words.find(named)
            if begin >= 0:
                places = _places(words, begin + len(named)) if len(phrase) == 1 else _places_of(words, phrase)
                frequency = 1.0 if places.isdecimal() else _frequency(places)
                score += rarity * frequency / (frequency + normal)
        scored.append((-score, chunk_id))
    return [Hit(chunk_id, -score) for score, chunk_id in heapq.nsmallest(k, scored)]


def _places(words: str, begin: int) -> str:
    """The places of the word whose places begin here."""
    end = words.find(" ", begin)
    return words[begin:end] if end >= 0 else words[begin:]


def _frequency(places: str) -> float:
    """How often a phrase stands at these places, each by the weight of its field."""
    if not places:
        return 0.0
    frequency = WEIGHTS["D"] * (places.count(",") + 1)
    for field, more in _MORE_THAN_TEXT:
        if field in places:
            frequency += more * places.count(field)
    return frequency


def _places_of(words: str, phrase: Phrase) -> str:
    """The places where the words of a phrase follow one another in one field."""
    first, *rest = (_by_place(words, word) for word in phrase)
    return ",".join(
        f"{place}{field}"
        for place, field in first.items()
        if all(following.get(place + step) == field for step, following in enumerate(rest, 1))
    )


def _by_place(words: str, word: str) -> dict[int, str]:
    """The field of each place where a word stands, nothing for D."""
    named = f"'{word}':"
    begin = words.find(named)
    places = _places(words, begin + len(named)).split(",") if begin >= 0 else []
    return {int(each.rstrip("ABC")): each.lstrip("0123456789") for each in places}
