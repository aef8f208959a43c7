"""Building blocks of every result: its two forms and size limits, titles, addresses, times, counts and flags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile, zip_longest
from typing import Any, Final, TypeVar

from app.events import Verdict
from app.library.scope import SHARED, library_of
from app.text.page_text import address, one_line, quoted

MAX_TITLE_CHARS_SHOWN: Final = 120
WORDS_ONLY: Final = "keyword match only; not embedded yet"  # Marks a passage that is not embedded yet.

_AGES: Final = (
    (2 * 365 * 86_400, 365 * 86_400, "year"),
    (60 * 86_400, 30 * 86_400, "month"),
    (86_400, 86_400, "day"),
    (3_600, 3_600, "hour"),
    (60, 60, "minute"),
)


def title_of(title: str, limit: int = MAX_TITLE_CHARS_SHOWN) -> str:
    return one_line(title, limit) or "Untitled"


def quoted_title(title: str, limit: int = MAX_TITLE_CHARS_SHOWN) -> str:
    """Return the same in double quotes, or the unquoted placeholder for a missing title."""
    return quoted(title, limit) if one_line(title) else title_of("")


def origin(title: str, url: str, limit: int = MAX_TITLE_CHARS_SHOWN) -> str:
    """`"Choosing a hive" — https://…`: the title and address of a page."""
    return f"{quoted_title(title, limit)} — {address(url)}"


def shared_library(url: str) -> str:
    """Return the name of the shared library in an address, or "" for the private library."""
    return library_of(url) if url.startswith(SHARED) else ""


def flagged(flags: Sequence[str]) -> str:
    """` [flagged: …]`, to append to flagged text."""
    return f" [flagged: {', '.join(flags)}]" if flags else ""


def when(timestamp: float) -> str:
    """`2026-02-22 14:30 UTC`."""
    return datetime.fromtimestamp(timestamp, UTC).strftime("%Y-%m-%d %H:%M UTC")


def day(timestamp: float) -> str:
    """`2026-02-22`, in UTC."""
    return datetime.fromtimestamp(timestamp, UTC).strftime("%Y-%m-%d")


def iso(timestamp: float) -> str:
    """`2026-02-22T14:30:00Z`."""
    return datetime.fromtimestamp(timestamp, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def age(seconds: float) -> str:
    """`3 hours ago`."""
    for from_seconds, unit, name in _AGES:
        if seconds >= from_seconds:
            count = int(seconds // unit)
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return "just now"


def plural(count: int, noun: str) -> str:
    """`1 chunk`, `1,200 chunks`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


JsonObject = dict[str, Any]
T = TypeVar("T")


def present(**fields: object) -> JsonObject:
    """Return the fields of a structured result that say something: not empty, false or 0."""
    return {name: value for name, value in fields.items() if value}


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A span of a stored page that a result shows, in characters of its text."""

    url: str
    document_id: int
    title: str
    start: int
    end: int


CountTokens = Callable[[str], int]

CUT_MARK: Final = "\n... (cut here: the rest did not fit into one result)"
BREAKS: Final = "\n\n"  # Separates two parts of a result.


@dataclass(frozen=True, slots=True)
class Rendered:
    """Both forms of a result, the addresses of its pages, and the shown passages, best first."""

    text: str
    structured: JsonObject
    pages: tuple[str, ...] = ()
    passages: tuple[ShownPassage, ...] = ()
    verdict: Verdict = Verdict.DONE


@dataclass(frozen=True, slots=True)
class Budget:
    """The maximum size of a result text: tokens of the embedder's tokenizer, characters, and bytes of UTF-8."""

    tokens: int
    characters: int
    bytes: int

    def holds(self, text: str, count: CountTokens) -> bool:
        """Whether the text is within all three limits. A token has at least one byte, so short texts need no counting."""
        size = len(text.encode("utf-8", "replace"))
        return (
            len(text) <= self.characters and size <= self.bytes and (size <= self.tokens or count(text) <= self.tokens)
        )


class Room:
    """The rest of a budget while a text is assembled from parts; those in `spent` are in the text in any case.

    Counting tokens is expensive. A token has at least one byte, so parts are only counted once their bytes could exceed the rest.
    """

    def __init__(self, budget: Budget, count: CountTokens, *spent: str) -> None:
        self._count = count
        self._tokens = budget.tokens
        self._characters = budget.characters
        self._bytes = budget.bytes
        self._uncounted: list[str] = []
        self._uncounted_bytes = 0
        for text in spent:
            self.spend(text)

    def fits(self, text: str) -> bool:
        characters, size = _size(text)
        if characters > self._characters or size > self._bytes:
            return False
        if self._uncounted_bytes + size <= self._tokens:
            return True
        self._tokens -= sum(self._count(part + BREAKS) for part in self._uncounted)
        self._uncounted, self._uncounted_bytes = [], 0
        return size <= self._tokens or self._count(text + BREAKS) <= self._tokens

    def take(self, text: str) -> bool:
        """Add the part if it fits; return whether it did."""
        if not self.fits(text):
            return False
        self.spend(text)
        return True

    def fill(self, parts: Iterable[str]) -> list[str]:
        """Add the parts in order while they fit, and return those."""
        return list(takewhile(self.take, parts))

    def spend(self, text: str) -> None:
        """Add the part even if the rest becomes negative, so that nothing optional follows it."""
        characters, size = _size(text)
        self._characters -= characters
        self._bytes -= size
        self._uncounted.append(text)
        self._uncounted_bytes += size

    def refund(self, text: str) -> None:
        characters, size = _size(text)
        self._characters += characters
        self._bytes += size
        if text in self._uncounted:
            self._uncounted.remove(text)
            self._uncounted_bytes -= size
        else:
            self._tokens += self._count(text + BREAKS)


def dealt(rows: Sequence[Sequence[T]], take: Callable[[T, int], bool]) -> list[int]:
    """Return how many entries of each row fit if every row gets its best entry before any gets more.

    `take` gets an entry and its rank, from 1, and returns whether it added the entry.
    """
    taken = [0] * len(rows)
    for rank in zip_longest(*rows):
        for place, entry in enumerate(rank):
            if entry is None:
                continue
            if not take(entry, taken[place] + 1):
                return taken
            taken[place] += 1
    return taken


def _size(text: str) -> tuple[int, int]:
    """Return the characters and bytes of a part, including the line breaks that may follow it."""
    return len(text) + len(BREAKS), len(text.encode("utf-8", "replace")) + len(BREAKS)


def clip(text: str, budget: Budget, count: CountTokens, *, mark: str = CUT_MARK) -> str:
    """Return the text, or its longest beginning that fits together with `mark`; never more than the budget."""
    if budget.holds(text, count):
        return text
    low, high = 0, min(len(text), budget.characters)
    while low < high:
        middle = (low + high + 1) // 2
        if budget.holds(_head(text, middle) + mark, count):
            low = middle
        else:
            high = middle - 1
    clipped = _head(text, low) + mark
    if budget.holds(clipped, count):
        return clipped
    return "" if mark == "" else clip(text, budget, count, mark="")


def _head(text: str, length: int) -> str:
    return text[:length].rstrip()
