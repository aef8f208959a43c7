"""Which runs of words of a document stand, in order, in a shorter text made from it.

Long runs are placed by the word triples they share with the text; the heaviest chain of runs whose places
rise is kept, so that a teaser which repeats a sentence elsewhere on the page does not count. Short runs are
then looked up between the places of their neighbours in that chain.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

MATCHED_SHARE: Final = 0.6
"""A run is placed where this share of its triples occurs."""
_MAX_PLACES: Final = 8
_SLACK: Final = 3

Words = Sequence[str]
Triple = tuple[str, str, str]


def aligned(runs: Sequence[Words], text: Words) -> list[bool]:
    """For every run of words whether the text holds it where the order of the others lets it."""
    places = _places(runs, text)
    chain = _heaviest_chain(runs, places)
    kept = [False] * len(runs)
    for number in chain:
        kept[number] = True
    _fill(runs, text, chain, kept)
    return kept


def contained(runs: Sequence[Words], texts: Sequence[Words]) -> list[bool]:
    """For every run whether one of the texts is equal to it, or most of its triples occur in them."""
    whole = {tuple(text) for text in texts if text}
    triples = {triple for text in texts for triple in _triples(text)}
    return [tuple(run) in whole or (len(run) > 3 and _is_covered(run, triples)) for run in runs]


def _is_covered(run: Words, triples: set[Triple]) -> bool:
    return bool(triples) and sum(triple in triples for triple in _triples(run)) >= MATCHED_SHARE * (len(run) - 2)


def _triples(words: Words) -> Iterator[Triple]:
    return zip(words, words[1:], words[2:], strict=False)


def _places(runs: Sequence[Words], text: Words) -> list[list[int]]:
    """Candidate places of each run, the positions of its first word in the text."""
    where: defaultdict[Triple, list[int]] = defaultdict(list)
    for position, triple in enumerate(_triples(text)):
        where[triple].append(position)
    return [_places_of(run, where) for run in runs]


def _places_of(run: Words, where: dict[Triple, list[int]]) -> list[int]:
    if len(run) < 3:
        return []
    votes: Counter[int] = Counter()
    for index, triple in enumerate(_triples(run)):
        for position in where.get(triple, ())[:_MAX_PLACES]:
            votes[position - index] += 1
    if not votes:
        return []
    needed = MATCHED_SHARE * (len(run) - 2)
    found = []
    for place, count in votes.most_common(_MAX_PLACES):
        near = count + sum(votes.get(place + shift, 0) for shift in range(-_SLACK, _SLACK + 1) if shift)
        if near >= needed:
            found.append(max(place, 0))
    return found


def _heaviest_chain(runs: Sequence[Words], places: Sequence[Sequence[int]]) -> dict[int, int]:
    """Runs whose places rise, with the largest number of words in total: {run: place}."""
    positions = sorted({place for candidates in places for place in candidates})
    best: list[tuple[int, tuple[int, int] | None]] = [(0, None)] * (len(positions) + 1)
    before: dict[tuple[int, int], tuple[int, int] | None] = {}
    for number, candidates in enumerate(places):
        for place in sorted(candidates, reverse=True):
            rank = bisect_left(positions, place)
            weight, last = _highest(best, rank)
            node = (number, place)
            before[node] = last
            _raise(best, rank + 1, weight + len(runs[number]), node)
    _, node_or_none = _highest(best, len(positions))
    chain: dict[int, int] = {}
    while node_or_none is not None:
        chain[node_or_none[0]] = node_or_none[1]
        node_or_none = before[node_or_none]
    return dict(sorted(chain.items()))


def _highest(tree: list[tuple[int, tuple[int, int] | None]], rank: int) -> tuple[int, tuple[int, int] | None]:
    """Heaviest chain that ends before `rank` (a Fenwick tree of prefix maxima)."""
    heaviest: tuple[int, tuple[int, int] | None] = (0, None)
    while rank > 0:
        if tree[rank][0] > heaviest[0]:
            heaviest = tree[rank]
        rank -= rank & -rank
    return heaviest


def _raise(tree: list[tuple[int, tuple[int, int] | None]], rank: int, weight: int, node: tuple[int, int]) -> None:
    while rank < len(tree):
        if weight > tree[rank][0]:
            tree[rank] = (weight, node)
        rank += rank & -rank


def _fill(runs: Sequence[Words], text: Words, chain: dict[int, int], kept: list[bool]) -> None:
    """Keep the runs between two of the chain whose words stand between their places, in order."""
    numbers = list(chain)
    borders = zip([-1, *numbers], [*numbers, len(runs)], strict=True)
    for first, last in borders:
        start = chain[first] + len(runs[first]) - _SLACK if first >= 0 else 0
        end = chain[last] + _SLACK if last < len(runs) else len(text)
        position = max(start, 0)
        order = range(first + 1, last)
        if first < 0:
            _fill_backwards(runs, text, range(last - 1, -1, -1), end, kept)
            continue
        for number in order:
            found = _find(text, runs[number], position, end)
            if found >= 0:
                kept[number] = True
                position = found + len(runs[number])


def _fill_backwards(runs: Sequence[Words], text: Words, order: range, end: int, kept: list[bool]) -> None:
    """Before the first run of the chain the nearest ones are looked up first: headers repeat words of the
    title.
    """
    for number in order:
        run = runs[number]
        for position in range(min(end, len(text)) - len(run), -1, -1):
            if run and text[position : position + len(run)] == run:
                kept[number] = True
                end = position
                break


def _find(text: Words, run: Words, start: int, end: int) -> int:
    size = len(run)
    if not size:
        return -1
    for position in range(start, min(end, len(text)) - size + 1):
        if text[position] == run[0] and text[position : position + size] == run:
            return position
    return -1
