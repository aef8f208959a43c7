"""Tokenization for keyword search, and BM25 over the candidates of the database.

PostgreSQL stems and indexes words; removing accents and splitting words is done here, as in the private library.
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

MAX_INDEXED_CHARS: Final = 100_000  # Of one field: PostgreSQL limits the different words of a chunk.
MAX_TERMS: Final = 64
MAX_TERM_CHARS: Final = 400
WEIGHTS: Final[Mapping[str, float]] = {"A": 10.0, "B": 5.0, "C": 2.0, "D": 1.0}  # Of title, path, code names, text.
K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6
MAX_PAIRS: Final = 20  # Most pairs in a query, those with the rarest words first.
PAIR_EXCESS: Final = 2.0  # How much more often two words of a query occur together than by chance.

T = TypeVar("T")
Phrase: TypeAlias = tuple[str, ...]  # Consecutive stemmed words; usually one.

_MORE_THAN_TEXT: Final = tuple((field, WEIGHTS[field] - WEIGHTS["D"]) for field in "ABC")
_NO_WORD: Final = re.compile(r"[\W_]+")


class Passage(NamedTuple):
    """The data to rank a chunk. `words` is the text of its tsvector, `'index':2A,15 'word':7`, where a position without a letter belongs
    to field D. Parsing only the queried words is cheaper than letting the database return rows."""

    chunk_id: int
    length: int
    words: str


def folded(text: str) -> str:
    """Return the words of a text separated by spaces, in lower case, without accents."""
    lower = normalized("NFD", text[:MAX_INDEXED_CHARS].lower())
    bare = "".join(each for each in lower if not unicodedata.combining(each)) if not lower.isascii() else lower
    plain = normalized("NFC", bare)
    return _NO_WORD.sub(" ", plain.encode("utf-8", "ignore").decode("utf-8")).strip()


def field_texts(title: str, section_path: str, text: str, identifiers: str) -> tuple[str, str, str, str]:
    """Return the fields of a chunk as they are indexed."""
    return folded(title), folded(section_path), folded(text), folded(identifiers)


def length_of(texts: Iterable[str]) -> int:
    """Return the number of words in normalized texts."""
    return sum(text.count(" ") + 1 for text in texts if text)


def folded_terms(terms: Iterable[str]) -> dict[str, int]:
    """Return the terms to search for with their counts, without those that have no words."""
    found = Counter(folded(term[:MAX_TERM_CHARS]) for term in terms)
    return dict(islice(((term, times) for term, times in found.items() if term), MAX_TERMS))


def expression(phrases: Iterable[Phrase]) -> str:
    """Return a tsquery that matches chunks with any of the phrases."""
    return " | ".join("(" + " <-> ".join(f"'{word}'" for word in phrase) + ")" for phrase in phrases)


def selective(phrases: Sequence[Phrase], frequencies: Mapping[Phrase, int], passages: int, enough: int) -> str:
    """Return a tsquery for about `enough` chunks: with one of the rarest phrases, or with two of the others."""
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
    # Lists each of the rarer words once: the index evaluates every pair that contains the word.
    return " | ".join([*rare, *(f"({expression([one])} & ({expression(rest)}))" for one, rest in together.items())])


def _cheapest(queries: Sequence[tuple[float, T]], enough: float) -> list[T]:
    """Return the first queries, ascending by number of results, that find this many in total."""
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
    """Return the k best chunks by BM25. `times` weights phrases: words of the question count more than added synonyms."""
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
    """Return the positions of the word whose list begins here."""
    end = words.find(" ", begin)
    return words[begin:end] if end >= 0 else words[begin:]


def _frequency(places: str) -> float:
    """Return the frequency of a phrase at these positions, weighted by field."""
    if not places:
        return 0.0
    frequency = WEIGHTS["D"] * (places.count(",") + 1)
    for field, more in _MORE_THAN_TEXT:
        if field in places:
            frequency += more * places.count(field)
    return frequency


def _places_of(words: str, phrase: Phrase) -> str:
    """Return the positions where the words of a phrase follow one another in one field."""
    first, *rest = (_by_place(words, word) for word in phrase)
    return ",".join(
        f"{place}{field}"
        for place, field in first.items()
        if all(following.get(place + step) == field for step, following in enumerate(rest, 1))
    )


def _by_place(words: str, word: str) -> dict[int, str]:
    """Return the field of each position of a word, empty for D."""
    named = f"'{word}':"
    begin = words.find(named)
    places = _places(words, begin + len(named)).split(",") if begin >= 0 else []
    return {int(each.rstrip("ABC")): each.lstrip("0123456789") for each in places}
