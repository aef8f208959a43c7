"""Compare two texts of a page: passages added, removed and changed, with the words that differ within a passage.

The work is bounded: texts with more than MAX_PASSAGES passages are not compared, and a page that keeps almost nothing counts as
rewritten.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final

MAX_PASSAGES: Final = 5_000  # The limit for each text, after removing the common beginning and end.
MAX_WORDS: Final = 1_200  # The limit for each side of a passage; a longer one is shown as removed and added.
LIKE_SHARE: Final = 0.5  # The share of common words from which one passage counts as the changed form of another.
LOOK_AHEAD: Final = 4  # The number of passages to search for the new form of a passage.
REWRITTEN_SHARE: Final = 0.1
REWRITTEN_CHARS: Final = 400  # A shorter text never counts as rewritten.
_PASSAGE: Final = re.compile(r"\S(?:.|\n(?!\s*\n))*")
_WORD: Final = re.compile(r"\s+|\w+|[^\w\s]")

Span = tuple[int, int]


class Change(StrEnum):
    """The kind of change of a passage or a run of words."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive words with the same kind of change; never CHANGED."""

    change: Change
    text: str


@dataclass(frozen=True, slots=True)
class PassageChange:
    """A passage that differs, or `count` unchanged ones (SAME, without runs). `was_cited`: an assistant received some of the old one."""

    change: Change
    runs: tuple[Run, ...] = ()
    count: int = 1
    was_cited: bool = False


@dataclass(frozen=True, slots=True)
class Changes:
    """The differences in reading order; empty if the texts are too long to compare."""

    passages: tuple[PassageChange, ...]
    is_rewritten: bool = False
    is_too_long: bool = False

    def count(self, change: Change) -> int:
        """Return how many passages were added, removed or changed."""
        return sum(each.change is change for each in self.passages)


UNCHANGED: Final = Changes(())


@dataclass(frozen=True, slots=True)
class _Passage:
    text: str
    start: int


def compare(old: str, new: str, cited: Sequence[Span] = ()) -> Changes:
    """Compare the passages of two texts; `cited` are ranges of `old` that assistants received."""
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
    """Return the paragraphs, which are separated by empty lines."""
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
    """Yield the passages of one changed region in order, each old one paired with its new form."""
    at = 0
    words = [_words(each.text) for each in news]
    for old in olds:
        was_cited = any(start < old.start + len(old.text) and old.start < end for start, end in cited)
        mine, found = _words(old.text), -1
        for place, other in enumerate(words[at : at + LOOK_AHEAD], at):
            shared = (mine & other).total()
            if shared and 2 * shared >= LIKE_SHARE * (mine.total() + other.total()):
                found = place
                break
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


def _runs(old: str, new: str) -> Iterator[Run]:
    """Yield runs of words: those that are not ADDED form the old passage, those that are not REMOVED the new one."""
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
