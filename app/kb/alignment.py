"""Align a quote with a text: find its position or the most similar part, and the differences in words.

Markdown is compared as it is displayed, without its markup.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice
from typing import Final

from app.text.markdown_blocks import CODE_SPAN, fences
from app.text.page_text import quoted, unmarked
from app.text.scripts import Comparable, compatible

VERIFY_WINDOWS: Final = 40  # Positions of one page to compare with a quote.
MAX_DIFFERENCE_CHARS: Final = 400
_CODE: Final = re.compile(CODE_SPAN)
_LINK: Final = re.compile(r"!?\[(?P<text>[^\[\]\n]*)\]\([^()\s]{0,2048}(?:\s\"[^\"\n]*\")?\)")
_LINE_MARK: Final = re.compile(r"^(?:[ \t]*>)*[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+|\d{1,9}[.)][ \t]+)?", re.MULTILINE)
_RULE: Final = re.compile(r"^[ \t:|-]{3,}+$", re.MULTILINE)
_EMPHASIS: Final = re.compile(
    r"(?<!\\)(?:(?<![\w*])(?P<open>\*{1,3}|_{1,3})(?=\S)|(?<=\S)(?P<close>\*{1,3}|_{1,3})(?![\w*]))|~~"
)
_ESCAPE: Final = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_SPACE: Final = re.compile(r"[\s\u00a0\u200b\ufeff\u00ad]+")
_KEPT: Final = re.compile("\0(\\d+)\0")
NEAR: Final = 0.6  # Share of common words from which a part of the text counts as an altered quote.
NEAR_IF_SHORT: Final = 0.75  # The same for a short quote, whose words occur together in many places.
SHORT_QUOTE_WORDS: Final = 6
ONLY_SPACE: Final = "Only white space differs."
ONLY_MARKUP: Final = "Only white space or markup differs."
ONLY_LETTERS: Final = "Only character forms differ (ligatures, wide letters, separate accents)."
_CJK: Final = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_RUN: Final = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_GAP: Final = r"(?:\]\([^)\s]{0,2048}\)|[\W_])*+"
"""Characters between two words: punctuation, spaces, and the address of a link that ends there."""
_TOKEN: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+(?:[.,'’:/-][^\W{_CJK}]+)*|[^\w\s]")
_BETWEEN: Final = re.compile(rf"(?<=[{_CJK}]) (?=[{_CJK}])")
_CLOSING_MARKS: Final = re.compile(r"(?:[*_`~]|\]\([^)\s]{0,2048}\))*+")
_CLOSING: Final = re.compile(r"(?:[*_`~\s]|\]\([^)\s]{0,2048}\))*+")
_QUOTED: Final = ('""', "''", "“”", "‘’", "„“", "«»", "「」")
_TYPOGRAPHIC: Final = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "\u00a0": " "}
)
_RARE_WORDS: Final = 4
_LONGEST_COUNTED: Final = 16  # Words of the quote to count in the text, longest first.
_PLACES: Final = 20  # Positions with words of the quote to examine.
_MOST_STRETCHED: Final = 4_000  # Characters that links may add to four times the quote's length.
_SLACK: Final = 3  # Longest match in multiples of the quote's tokens, including markup and added words.
_FEWEST_COMMON: Final = 2
_COMPARED: Final = 5  # Candidates to compare word by word.


@dataclass(frozen=True, slots=True)
class Match:
    """A part of a text. `difference` is empty for an exact match, whose `note` says what was ignored."""

    start: int
    end: int
    similarity: float
    difference: str = ""
    note: str = ""

    @property
    def is_exact(self) -> bool:
        return not self.difference


class PreparedQuote:
    """A quote prepared for comparison with several texts."""

    def __init__(self, quote: str) -> None:
        self._given = quote.strip()
        plain = compatible(self._given)
        self._in_plain = PreparedQuote(plain) if plain != self._given else self
        self.text = unmarked(self._given)
        while (inner := self.text[1:-1].strip()) and self.text[0] + self.text[-1] in _QUOTED:
            self.text = inner
        self.seen = as_seen(self.text)
        self.words = _RUN.findall(self.text)
        self.tokens = _TOKEN.findall(self.seen)
        self._spaced = re.compile(r"\s++".join(map(re.escape, self.text.split()))) if self.text else None
        self._exactly = _pattern(self.words, 0)
        self._loosely = _pattern(self.words, re.IGNORECASE)

    def in_text(self, text: str) -> Match | None:
        """Find the quote, ignoring white space, markup and character forms, or with different capitals or punctuation."""
        match = self.as_written(text)
        is_plain = self._in_plain is self and unicodedata.is_normalized("NFKC", text)
        if is_plain or (match is not None and match.is_exact):
            return match
        plain = Comparable.of(text)
        found = self._in_plain.as_written(plain.text)
        if found is None or (match is not None and match.similarity >= found.similarity):
            return match
        start, end = plain.written(found.start, found.end)
        return replace(found, start=start, end=end, note=ONLY_LETTERS if found.is_exact else "")

    def as_written(self, text: str) -> Match | None:
        """Find the quote with letters compared exactly."""
        for literal in (self._given, self.text):
            if (place := text.find(literal)) >= 0:
                return Match(place, place + len(literal), 1.0)
        if spaced := self._spaced.search(text) if self._spaced else None:
            return Match(spaced.start(), spaced.end(), 1.0, note=ONLY_SPACE)
        best: Match | None = None
        for pattern in (self._exactly, self._loosely):
            for found in islice(pattern.finditer(text) if pattern else (), _PLACES):
                if found.end() - found.start() > _MOST_STRETCHED + 4 * len(self.text):
                    continue
                match = self._judged(text, *self._with_ends(text, found.start(), found.end()))
                if match.is_exact:
                    return match
                best = best if best is not None and best.similarity >= match.similarity else match
            if best is not None:
                return best
        return None

    def nearest(self, text: str, deadline: float) -> Match | None:
        """Return the part of the text with the most words of the quote, if there are enough."""
        best: Match | None = None
        for start, end in self._stretches(text):
            if time.monotonic() > deadline:
                break
            match = self._aligned(text, start, end)
            if match is not None and (best is None or match.similarity > best.similarity):
                best = match
        least = NEAR if len(self.words) >= SHORT_QUOTE_WORDS else NEAR_IF_SHORT
        return best if best is not None and best.similarity >= least else None

    def _with_ends(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Return the range including the signs at its ends that the quote has too."""
        lead = self.text[: _RUN.search(self.text).start()] if self.words else ""  # type: ignore[union-attr]
        tail = self.text[[found.end() for found in _RUN.finditer(self.text)][-1] :] if self.words else ""
        for sign in reversed(squeezed(lead)):
            start = start - 1 if start > 0 and text[start - 1] == sign else start
        for sign in squeezed(tail):
            gap = _CLOSING.match(text, end)
            place = gap.end() if gap else end
            if place < len(text) and text[place] == sign:
                end = place + 1
        return start, end

    def _judged(self, text: str, start: int, end: int) -> Match:
        """Return the differences of a range with the words of the quote."""
        if squeezed(text[start:end]) == squeezed(self.text):
            return Match(start, end, 1.0, note=ONLY_SPACE)
        first, last = _whole_marks(text, start, end)
        for places in ((first, last), (start, end)):
            if as_seen(text[slice(*places)]) in (self.seen, squeezed(self.text)):
                return Match(*places, 1.0, note=ONLY_MARKUP)
        return _compared(self, text, first, last)

    def _stretches(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield ranges around rare words of the quote with many of its words, most promising first."""
        lower = text.lower() if len(text.lower()) == len(text) else text
        distinct = sorted({word.lower() for word in self.words}, key=lambda word: (-len(word), word))
        counted = [(lower.count(word), word) for word in distinct[:_LONGEST_COUNTED]]
        rare = [word for number, word in sorted(counted) if number][:_RARE_WORDS]
        wanted = Counter(word.lower() for word in self.words)
        length = len(self.text)
        rated: list[tuple[int, int]] = []
        for word in rare:
            offset = max(0, self.text.lower().find(word))
            for found in islice(re.finditer(re.escape(word), lower), VERIFY_WINDOWS // _RARE_WORDS):
                start = max(0, found.start() - offset - length // 2 - 40)
                held = Counter(_RUN.findall(lower[start : start + 2 * length + 80]))
                rated.append((-sum((wanted & held).values()), start))
        seen: list[int] = []
        for _, start in sorted(rated):
            if len(seen) < _COMPARED and all(abs(start - other) > length // 4 for other in seen):
                seen.append(start)
                yield start, min(len(text), start + 2 * length + 80)

    def _aligned(self, text: str, start: int, end: int) -> Match | None:
        """Return the part of a range that matches the quote."""
        found = [(m.start() + start, m.end() + start) for m in _TOKEN.finditer(text[start:end])]
        theirs = [_folded(text[first:last]) for first, last in found]
        ours = [_folded(token) for token in self.tokens]
        best = _densest(ours, theirs)
        theirs, found = theirs[best : best + _SLACK * len(ours)], found[best : best + _SLACK * len(ours)]
        blocks = [
            block for block in SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks() if block.size
        ]
        if not blocks:
            return None
        first = max(0, blocks[0].b - blocks[0].a)
        behind = len(ours) - (blocks[-1].a + blocks[-1].size)
        last = min(len(found), blocks[-1].b + blocks[-1].size + behind)
        if sum(block.size for block in blocks) < min(_FEWEST_COMMON, len(ours)):
            return None
        spoken = list(_RUN.finditer(text, found[first][0], found[last - 1][1]))
        place = (spoken[0].start(), spoken[-1].end()) if spoken else (found[first][0], found[last - 1][1])
        return _compared(self, text, *_whole_marks(text, *self._with_ends(text, *place)))


def as_seen(text: str) -> str:
    """Return the text without Markdown markup and with single spaces; code is unchanged."""
    codes: list[str] = []

    def keep(code: str) -> str:
        codes.append(code)
        return f"\0{len(codes) - 1}\0"

    text = text.replace("\0", "")
    parts: list[str] = []
    place = 0
    for fence in fences(text):
        parts += [text[place : fence.start], keep(fence.content(text))]
        place = fence.end
    plain = _CODE.sub(lambda found: keep(found["code"]), "".join([*parts, text[place:]]))
    plain = _LINK.sub(lambda found: found["text"], plain)
    plain = _RULE.sub("", plain)
    plain = _LINE_MARK.sub("", plain).replace("|", " ")
    plain = _ESCAPE.sub("", _EMPHASIS.sub("", plain)).replace("`", "")
    for _ in range(2):
        plain = _KEPT.sub(lambda found: codes[int(found[1])], plain)
    return squeezed(plain)


def squeezed(text: str) -> str:
    """Return the text with every run of white space as one space."""
    return _SPACE.sub(" ", text).strip()


def _compared(quote: PreparedQuote, text: str, start: int, end: int) -> Match:
    theirs = _TOKEN.findall(as_seen(text[start:end]))
    matcher = SequenceMatcher(None, [_folded(t) for t in quote.tokens], [_folded(t) for t in theirs], autojunk=False)
    similarity = min(0.99, matcher.ratio())
    parts = [_said(quote.tokens[a:b], theirs[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
    if not parts:
        pairs = zip(quote.tokens, theirs, strict=False)
        parts = [_said([ours], [others]) for ours, others in pairs if ours != others]
    difference = "; ".join(parts) or "only the punctuation differs"
    if len(difference) > MAX_DIFFERENCE_CHARS:
        difference = difference[: MAX_DIFFERENCE_CHARS - 1].rstrip() + "…"
    return Match(start, end, similarity, difference)


def _said(ours: Sequence[str], theirs: Sequence[str]) -> str:
    own, other = (quoted(_BETWEEN.sub("", " ".join(tokens))) for tokens in (ours, theirs))
    if not ours:
        return f"the page also has {other}"
    return f"{own} is {other} in the page" if theirs else f"{own} is not in the page"


def _densest(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """Return the start of the range in `theirs`, as long as `ours`, with most words in common."""
    wanted, size = Counter(ours), len(ours)
    held: Counter[str] = Counter()
    common = best = place = 0
    for index, token in enumerate(theirs):
        held[token] += 1
        common += held[token] <= wanted[token]
        if index >= size:
            gone = theirs[index - size]
            common -= held[gone] <= wanted[gone]
            held[gone] -= 1
        if common > best:
            best, place = common, index - size + 1
    return max(0, place - size // 4)


def _whole_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """Extend the range by markup that opens directly before and closes directly after it."""
    while start > 0 and text[start - 1] in "*_`~[":
        start -= 1
    closing = _CLOSING_MARKS.match(text, end)
    return start, closing.end() if closing else end


def _folded(token: str) -> str:
    return token.translate(_TYPOGRAPHIC).casefold()


def _pattern(words: Sequence[str], flags: int) -> re.Pattern[str] | None:
    if not words:
        return None
    return re.compile(rf"(?<![^\W_{_CJK}])" + _GAP.join(map(re.escape, words)) + rf"(?![^\W_{_CJK}])", flags)
