"""Split passages into spans, score them by words of a question (deterministic, without a model), and cut texts to a size.

Cuts are between words, never inside a displayed character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from app import caps
from app.text.markdown_blocks import Span
from app.text.scripts import has_unspaced, pairs, parted
from app.text.terms import cuts_word

MIN_TERM_CHARS: Final = 3
_RUN: Final = re.compile(r"[^\W_]+")
_FENCE: Final = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})", re.MULTILINE)
_BORDER: Final = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t])|(?<=[.?!])(?=\s)|(?<=[。？！])")
_TABLE_CHARS: Final = 320  # A longer table is split into its rows, because a quote would contain only its beginning.
_TITLE: Final = re.compile(r"(?:#{1,6}[ \t].*|[\s|:=*_-]*)")


@dataclass(frozen=True, slots=True)
class ScoredSpan:
    """A span of one of several passages with the share of the question's words that it contains."""

    passage: int
    span: Span
    score: float

    @property
    def order(self) -> tuple[float, int, int, int]:
        """Sort key, best first: by score, then shorter, then earlier."""
        return -self.score, self.span.end - self.span.start, self.passage, self.span.start


def question_terms(question: str) -> frozenset[str]:
    """Return lowercase runs of at least three letters or digits; pairs of neighbors in scripts without spaces."""
    found: set[str] = set()
    for run in _RUN.findall(parted(question).lower()):
        if has_unspaced(run):
            found.update(pairs(run))
        elif len(run) >= MIN_TERM_CHARS:
            found.add(run)
    return frozenset(sorted(found)[: caps.MAX_QUERY_TERMS])


def split_spans(text: str) -> list[Span]:
    """Split fenced code into one span each, other text at blank lines, list items, ends of sentences and rows of long tables; trimmed."""
    spans: list[Span] = []
    for first, last, is_code in _regions(text):
        borders = [] if is_code else [border.span() for border in _BORDER.finditer(text, first, last)]
        for start, end in pairwise([first, *(place for border in borders for place in border), last]):
            part = text[start:end]
            start += len(part) - len(part.lstrip())
            if part.strip():
                spans += _rows(part.strip(), start) if not is_code else [Span(start, start + len(part.strip()))]
    return spans


def _rows(part: str, start: int) -> Iterator[Span]:
    """Yield the rows of a table that is too long for a quote, or else the whole part."""
    lines = part.split("\n")
    if len(part) <= _TABLE_CHARS or not all(line.startswith("|") for line in lines):
        yield Span(start, start + len(part))
        return
    for line in lines:
        yield Span(start, start + len(line.rstrip()))
        start += len(line) + 1


def tells(text: str) -> bool:
    """Whether the text has a letter or digit; markup alone, such as a table rule, has none."""
    return any(character.isalnum() for character in text)


def score(terms: Collection[str], text: str) -> float:
    """Return the share of the terms in the text, normalized for comparison."""
    low = parted(text).lower()
    return sum(term in low for term in terms) / max(1, len(terms))


def rank_spans(terms: Collection[str], texts: Iterable[str]) -> list[ScoredSpan]:
    """Return the spans of all passages that contain text, best first."""
    scored = [
        ScoredSpan(number, span, score(terms, text[span.start : span.end]))
        for number, text in enumerate(texts)
        for span in split_spans(text)
        if not _TITLE.fullmatch(text, span.start, span.end)
    ]
    return sorted(scored, key=lambda each: each.order)


def _regions(text: str) -> Iterator[tuple[int, int, bool]]:
    position = 0
    while (opening := _FENCE.search(text, position)) is not None:
        yield position, opening.start(), False
        mark = opening["mark"]
        closing = re.compile(rf"^[ \t]*{mark}[ \t]*$", re.MULTILINE).search(text, opening.end())
        position = closing.end() if closing is not None else len(text)
        yield opening.start(), position, True
    yield position, len(text), False


# --- Pieces within a size ---

MAX_TEXT_BYTES_PER_CALL: Final = 32 * caps.KIB
CUT: Final = "…"
_LOOK_BACK: Final = 80  # A space within this many characters has priority over any other border between words.
_LONGEST_CHARACTER: Final = 64  # More code points than this are never kept together.
_CHARS_PER_TOKEN: Final = 8
_JOINER: Final = "\u200d"


@dataclass(frozen=True, slots=True)
class Size:
    """The limits of a piece."""

    tokens: int
    count: Callable[[str], int]
    bytes: int = MAX_TEXT_BYTES_PER_CALL

    def holds(self, text: str) -> bool:
        """Whether the text is within both limits. A token has at least one byte, so a short text does not need counting."""
        size = len(text.encode("utf-8", "surrogatepass"))
        return size <= self.bytes and (size <= self.tokens or self.count(text) <= self.tokens)


def end_of_piece(text: str, start: int, stop: int, size: Size) -> int:
    """Return the end of the longest prefix of text[start:stop] that fits; `start` only if not even one character fits."""
    if size.tokens <= 0:
        return start
    end = start + _reach(lambda length: size.holds(text[start : start + length]), stop - start, size)
    while end < stop and end > start:
        border = _border(text, range(end, start, -1))
        if size.holds(text[start:border]):
            return border
        end = border - 1
    return end


def start_of_piece(text: str, start: int, stop: int, size: Size) -> int:
    """Return the start of the longest suffix of text[start:stop] that fits."""
    if size.tokens <= 0:
        return stop
    begin = stop - _reach(lambda length: size.holds(text[stop - length : stop]), stop - start, size)
    while start < begin < stop:
        border = _border(text, range(begin, stop))
        if size.holds(text[border:stop]):
            return border
        begin = border + 1
    return begin


def clipped(text: str, max_chars: int) -> str:
    """Return the text, or its beginning up to a space, marked as cut; empty if only the mark would remain."""
    part = text.strip()
    if len(part) <= max_chars:
        return part
    head = part[: max(0, max_chars - len(CUT))]
    cut = head.rsplit(None, 1)[0] if len(head.split()) > 1 and not part[len(head)].isspace() else head
    return cut.rstrip() + CUT if cut.strip() else ""


def _reach(holds: Callable[[int], bool], most: int, size: Size) -> int:
    """Return the greatest length within the size, by binary search."""
    high = min(most, size.bytes)
    step = min(high, size.tokens * _CHARS_PER_TOKEN)
    if step < high and holds(step):
        low = step
    else:
        low, high = 0, min(high, step)
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _border(text: str, places: range) -> int:
    for place in places[:_LOOK_BACK]:
        if text[place - 1].isspace() and not _is_inside(text, place):
            return place
    for place in places:
        if not cuts_word(text, place) and not _is_inside(text, place):
            return place
    return next((place for place in places if not _is_inside(text, place)), places[0])


def _is_inside(text: str, place: int) -> bool:
    """Whether a border here would split a displayed character."""
    before, after = text[place - 1], text[place]
    if (before == "\r" and after == "\n") or ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff"):
        return True
    if _is_flag(before) and _is_flag(after):
        first = place - 1
        while first > 0 and place - first < _LONGEST_CHARACTER and _is_flag(text[first - 1]):
            first -= 1
        return (place - first) % 2 == 1
    return before == _JOINER or _extends(after)


def _extends(character: str) -> bool:
    """Whether this belongs to the character before it: marks, joiners, variation selectors and skin tones."""
    return (
        character in (_JOINER, "\u200c")
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or (character > "\u02ff" and unicodedata.category(character) in ("Mn", "Me", "Mc"))
    )


def _is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
