"""Words looked for in the source of a page: every place, whatever is shown of it now."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

MAX_FOUND: Final = 2_000
PIECE_CHARS: Final = 400_000
"""So much is searched at once."""
MAX_WORDS_CHARS: Final = 200
_BETWEEN: Final = r"[\s*`~|>]+"


def places(text: str, words: str) -> Iterator[list[tuple[int, int]]]:
    """The places of the words, piece after piece of the text; marks of Markdown may stand between two words."""
    parts = [re.escape(part) for part in words[:MAX_WORDS_CHARS].split()]
    if not parts:
        return
    pattern = re.compile(_BETWEEN.join(parts), re.IGNORECASE)
    place = 0
    while place < len(text):
        limit = min(len(text), place + PIECE_CHARS)
        # What begins in this piece may end in the next one.
        found = [match.span() for match in pattern.finditer(text, place, min(len(text), limit + 2 * MAX_WORDS_CHARS))]
        yield [span for span in found if span[0] < limit]
        place = limit


class Findings:
    """The places found so far, and which of them is pointed at. `is_cut`: there are more than are kept."""

    def __init__(self) -> None:
        self.places: list[tuple[int, int]] = []
        self.current = -1
        self.is_cut = False

    def clear(self) -> None:
        self.places, self.current, self.is_cut = [], -1, False

    def add(self, more: list[tuple[int, int]]) -> None:
        """Further places, in order."""
        self.places += more
        if len(self.places) > MAX_FOUND:
            del self.places[MAX_FOUND:]
            self.is_cut = True

    def step(self, by: int) -> tuple[int, int] | None:
        """Point at the next place or the one before, around the end."""
        if not self.places:
            return None
        self.current = (self.current + by) % len(self.places)
        return self.places[self.current]

    def start_from(self, offset: int) -> tuple[int, int] | None:
        """Point at the first place at or behind an offset, else at the first of all."""
        if not self.places:
            return None
        at = bisect_left(self.places, (offset, 0))
        self.current = at if at < len(self.places) else 0
        return self.places[self.current]
