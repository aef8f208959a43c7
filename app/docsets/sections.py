"""Sections of a page by the names of their headings, and long texts in parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from app import caps
from app.corpus.docsets import DocPage, DocSection
from app.docsets.outline import plain
from app.docsets.pages import DocsError
from app.text.terms import words

Fits = Callable[[str], bool]
"""Whether a text is small enough for one result."""

_SHRINKING: Final = 0.8
_PART: Final = re.compile(r"part[ _-]*(\d{1,4})", re.IGNORECASE)
_MARKS: Final = re.compile(r"^\s{0,3}#{1,6}\s+|\s+#+\s*$")
_NUMBER: Final = re.compile(
    r"^\s*(?:\d+(?:\.\d+)*[.)]\s*(?=\D)|[A-Za-z](?:\.\d+)*[.)]\s+|\d+(?:\.\d+)+\s+|\d+\s+(?=\D))"
)
_ANCHOR_AT_END: Final = re.compile(r"\s*\{\s*#[^{}]*\}\s*$")


@dataclass(frozen=True, slots=True)
class Wish:
    """The requested sections of a page by name, none for all, and the part of their text, counted from 1."""

    sections: tuple[str, ...]
    part: int


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a text; `end` is where it ends there, `is_last` says that nothing follows."""

    text: str
    end: int
    is_last: bool


def wish_of(sections: Sequence[str] | None) -> Wish:
    """A name like "part 2" means a part of what the other names ask for."""
    named = tuple(name for name in sections or () if not _PART.fullmatch(name.strip()))
    parts = [int(match.group(1)) for name in sections or () if (match := _PART.fullmatch(name.strip()))]
    return Wish(named, max(1, parts[0]) if parts else 1)


def chosen(page: DocPage, names: Sequence[str]) -> list[tuple[int, int]]:
    """First and last line of each section asked for, in the order of the names. Raises DocsError for a name that no heading has.

    All sections of a name are meant; one inside another that is asked for is not repeated. The title means what stands before the first
    section.
    """
    ranges: list[tuple[int, int]] = []
    for name in names:
        found = _named(page, name)
        if not found:
            headings = tuple(dict.fromkeys(section.heading for section in page.head.sections if section.heading))
            message = f"The page {page.head.path} has no section {plain(name)[: caps.MAX_ARGUMENT_CHARS_SHOWN]!r}."
            hint = "Name one of its headings, or leave out sections for the whole page."
            raise DocsError(message, path=page.head.path, what="Available headings", choices=headings, hint=hint)
        ranges += [each for each in found if each not in ranges]
    return [each for each in ranges if not any(_holds(other, each) for other in ranges)]


def text_of(content: str, ranges: Sequence[tuple[int, int]]) -> str:
    """The lines of the ranges, a blank line between them."""
    lines = content.split("\n")
    return "\n\n".join("\n".join(lines[first - 1 : last]).rstrip() for first, last in ranges)


def part_of(text: str, number: int, fits: Fits) -> Part:
    """A part of a text, cut so that each fits. Raises DocsError for a number beyond the last."""
    start = 0
    for current in range(1, number + 1):
        length = _length(text, start, fits)
        if current == number and (length or number == 1):
            end = start + length
            return Part(text[start:end].strip("\n"), end, end >= len(text))
        start += length
        if start >= len(text):
            raise DocsError(f"There is no part {number}; the last is part {current}.", hint="Name an earlier part.")
    raise DocsError(f"There is no part {number}.", hint="Name an earlier part.")


def _named(page: DocPage, name: str) -> list[tuple[int, int]]:
    """The sections of a name: as it is written, else by anchor, else without case, numbers, emoji and signs."""
    sections = page.head.sections
    asked = plain(_MARKS.sub("", _ANCHOR_AT_END.sub("", name)))
    anchor = name.strip().lstrip("#")
    tests: tuple[Callable[[DocSection], bool], ...] = (
        lambda section: section.heading.casefold() == asked.casefold(),
        lambda section: bool(section.anchor) and section.anchor.casefold() == anchor.casefold(),
        lambda section: bool(key(asked)) and key(section.heading) == key(asked),
    )
    for test in tests:
        if found := [(section.first_line, section.last_line) for section in sections if test(section)]:
            return found
    if key(asked) and key(asked) == key(page.head.title):
        first = sections[0].first_line - 1 if sections else page.content.count("\n") + 1
        return [(1, first)] if first else []
    return []


def key(heading: str) -> str:
    """What two spellings of a heading have in common: its words without a leading number."""
    bare = _NUMBER.sub("", heading)
    return " ".join(words(bare) or words(heading)).casefold()


def _holds(outer: tuple[int, int], inner: tuple[int, int]) -> bool:
    return outer != inner and outer[0] <= inner[0] and inner[1] <= outer[1]


def _length(text: str, start: int, fits: Fits) -> int:
    """How much of the text from there on fits, cut before a heading or between lines where that is possible."""
    length = len(text) - start
    if fits(text[start:]):
        return length
    while length > 1 and not fits(text[start : start + length]):
        length = max(1, int(length * _SHRINKING))
    return _border(text, start, start + length) - start


def _border(text: str, start: int, end: int) -> int:
    for mark in ("\n# ", "\n## ", "\n### ", "\n\n", "\n", " "):
        found = text.rfind(mark, (start + end) // 2, end)
        if found > start:
            return found + 1
    return end
