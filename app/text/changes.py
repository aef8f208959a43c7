"""What differs between two texts of a page: passages added, removed and changed, with the words that differ within a passage.

The work is bounded: texts with more passages than MAX_PASSAGES are not compared, and a page of which next to nothing is left
counts as written anew.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final

MAX_PASSAGES: Final = 5_000
"""Of each text, without what both have in common at their beginning and end."""
MAX_WORDS: Final = 1_200
"""Of each side of a passage; beyond that it is shown removed and added as a whole."""
LIKE_SHARE: Final = 0.5
"""The share of words that two passages have in common so that one counts as the other, changed."""
LOOK_AHEAD: Final = 4
"""Passages that are looked at for the new form of a passage."""
REWRITTEN_SHARE: Final = 0.1
REWRITTEN_CHARS: Final = 400
"""A shorter text is never called written anew."""

_PASSAGE: Final = re.compile(r"\S(?:.|\n(?!\s*\n))*")
_WORD: Final = re.compile(r"\s+|\w+|[^\w\s]")

Span = tuple[int, int]


class Change(StrEnum):
    """What became of a passage or a run of words."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Run:
    """Words in a row of which the same became; never CHANGED."""

    change: Change
    text: str


@dataclass(frozen=True, slots=True)
class PassageChange:
    """A passage that differs, or (SAME, without runs) `count` passages in a row that do not.

    `was_cited`: a place that was given to an assistant overlaps the old passage.
    """

    change: Change
    runs: tuple[Run, ...] = ()
    count: int = 1
    was_cited: bool = False


@dataclass(frozen=True, slots=True)
class Changes:
    """From the old text to the new one in reading order; nothing where the texts are too long to be compared."""

    passages: tuple[PassageChange, ...]
    is_rewritten: bool = False
    is_too_long: bool = False

    def count(self, change: Change) -> int:
        """How many passages were added, removed or changed."""
        return sum(each.change is change for each in self.passages)


UNCHANGED: Final = Changes(())


@dataclass(frozen=True, slots=True)
class _Passage:
    text: str
    start: int


def compare(old: str, new: str, cited: Sequence[Span] = ()) -> Changes:
    """What became of the passages of `old`; `cited` are places in it that were given to an assistant."""
    before, after = _passages(old), _passages(new)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    olds, news = before[head : len(before) - tail], after[head : len(after) - tail]
    if max(len(olds), len(news)) > MAX_PASSAGES:
        return Changes((), is_too_long=True)
    found = [PassageChange(Change.SAME, count=head)] if head else []
    surviving = sum(len(each.text) for each in (*before[:head], *before[len(before) - tail :]))
    matcher = SequenceMatcher(None, [each.text for each in olds], [each.text for each in news])
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            found.append(PassageChange(Change.SAME, count=i2 - i1))
            surviving += sum(len(each.text) for each in olds[i1:i2])
        else:
            for change, passage in _replaced(olds[i1:i2], news[j1:j2], cited):
                found.append(change)
                surviving += len(passage) if change.change is Change.CHANGED else 0
    if tail:
        found.append(PassageChange(Change.SAME, count=tail))
    length = sum(len(each.text) for each in before)
    return Changes(tuple(found), length >= REWRITTEN_CHARS and surviving < REWRITTEN_SHARE * length)


def _passages(text: str) -> list[_Passage]:
    """The paragraphs: what stands between empty lines."""
    return [_Passage(match.group().rstrip(), match.start()) for match in _PASSAGE.finditer(text)]


def _common(first: Sequence[_Passage], second: Sequence[_Passage]) -> int:
    shared = 0
    for one, other in zip(first, second, strict=False):
        if one.text != other.text:
            break
        shared += 1
    return shared


def _replaced(
    olds: Sequence[_Passage], news: Sequence[_Passage], cited: Sequence[Span]
) -> Iterator[tuple[PassageChange, str]]:
    """The passages of one place of the page in order, each old one with the new one that it became."""
    at = 0
    words = [_words(each.text) for each in news]
    for old in olds:
        was_cited = any(start < old.start + len(old.text) and old.start < end for start, end in cited)
        mine = _words(old.text)
        near = range(at, min(at + LOOK_AHEAD, len(news)))
        found = next((place for place in near if _is_like(mine, words[place])), -1)
        if found < 0:
            yield PassageChange(Change.REMOVED, (Run(Change.REMOVED, old.text),), was_cited=was_cited), old.text
            continue
        for each in news[at:found]:
            yield PassageChange(Change.ADDED, (Run(Change.ADDED, each.text),)), ""
        runs = tuple(_runs(old.text, news[found].text))
        yield PassageChange(Change.CHANGED, runs, was_cited=was_cited), old.text
        at = found + 1
    for each in news[at:]:
        yield PassageChange(Change.ADDED, (Run(Change.ADDED, each.text),)), ""


def _words(text: str) -> Counter[str]:
    return Counter(word for word in _WORD.findall(text) if not word.isspace())


def _is_like(first: Counter[str], second: Counter[str]) -> bool:
    shared = (first & second).total()
    return bool(shared) and 2 * shared >= LIKE_SHARE * (first.total() + second.total())


def _runs(old: str, new: str) -> Iterator[Run]:
    """Runs of words; together those that are not ADDED are the old passage, those that are not REMOVED the new one."""
    olds, news = _WORD.findall(old), _WORD.findall(new)
    if max(len(olds), len(news)) > MAX_WORDS:
        yield from (Run(Change.REMOVED, old), Run(Change.ADDED, new))
        return
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, olds, news, autojunk=False).get_opcodes():
        if kind == "equal":
            yield Run(Change.SAME, "".join(olds[i1:i2]))
            continue
        if i2 > i1:
            yield Run(Change.REMOVED, "".join(olds[i1:i2]))
        if j2 > j1:
            yield Run(Change.ADDED, "".join(news[j1:j2]))
