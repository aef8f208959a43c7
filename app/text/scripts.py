"""Make texts and questions comparable across letter forms and scripts that do not separate words with spaces.

Compatibility forms (ligatures, wide letters) and decomposed letters are compared in NFKC. Chinese, Japanese, Korean, Thai and similar
scripts are compared by every two consecutive letters, without the marks above and below them. Stored texts keep every letter.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final, Literal, Self

UNSPACED: Final = (
    "\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0eff\u0f00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3035\u3038-\u303c\u3041-\u30fa\u30fc-\u318e\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\ua9e0-\ua9ff\uaa60-\uaadf\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003fffd"
)
"""Thai to Khmer, Hangul, kana and Han, for a character class. Korean has spaces, but attaches particles to its words."""
AFTER_LATIN: Final = "\u0370"  # Greek and all other scripts follow.
_MARK_BLOCKS: Final = (
    (0x300, 0x1E00), (0x20D0, 0x2100), (0x302A, 0x3030), (0x3099, 0x309B), (0xA66F, 0xAC00), (0xFE20, 0xFE30),
)  # fmt: skip

_MANY_MARKS: Final = re.compile(r"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f]){64}")
"""Characters that are neither letters nor spaces include the marks; the two letters become marks."""


def _ranges(codes: Iterable[int]) -> str:
    """Return the characters in the form of a character class."""
    first: dict[int, int] = {}
    begin = last = -2
    for code in codes:
        begin = begin if code == last + 1 else code
        first[begin] = last = code
    return "".join(f"{chr(begin)}-{chr(end)}" for begin, end in first.items())


MARKS: Final = _ranges(
    code for first, end in _MARK_BLOCKS for code in range(first, end) if unicodedata.category(chr(code))[0] == "M"
)
"""Accents, vowel signs and tones, which belong to the preceding letter."""

_MARK: Final = re.compile(f"[{MARKS}]+")
_OPTIONAL: Final = re.compile("[\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]")
"""Points and the lengthening stroke of Hebrew and Arabic, which most texts and questions omit."""
_PLAIN_LETTERS: Final = str.maketrans(
    dict(zip("łøđðħıёάέήίόύώϊϋΐΰŁØĐÐĦЁΆΈΉΊΌΎΏ", "loddhiеαεηιουωιυιυLODDHЕΑΕΗΙΟΥΩ", strict=True))
    | {"ß": "ss", "ẞ": "SS", "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "þ": "th", "Þ": "TH"}
)
"""Letters that full-text indexes do not take for a letter with an accent."""
_SPELLED: Final = re.compile(f"[{''.join(map(chr, _PLAIN_LETTERS))}]")
_SPAN: Final = re.compile(f"[{UNSPACED}]+")
_UNSEEN: Final = re.compile(rf"[\u00ad\u200b-\u200d\u2060\ufeff]+|(?<=[{UNSPACED}])\n(?=[{UNSPACED}])")
"""Invisible characters within words: soft hyphens, optional line breaks, and line ends between letters of unspaced scripts."""
_OTHER_LETTERS: Final = re.compile(r"[\ufb00-\ufb06\uff01-\uff9f\U0001d400-\U0001d7ff]+")
_WORD: Final = re.compile(r"[^\W_]+")
_OTHER_WORD: Final = re.compile(r"(?<!\S)[^\s\x80-\U0010ffff]*+[^\s\x00-\x7f]\S*+")
"""A run without spaces that is not pure ASCII."""
_LETTER: Final = re.compile(
    rf"[\x00-\x7f]+(?![{MARKS}])|[\u1100-\u11ff]+|[^{MARKS}\uff9e\uff9f][{MARKS}\uff9e\uff9f]*+|[{MARKS}\uff9e\uff9f]++"
)
"""A run of ASCII, a run of Korean letter parts, or a letter with its marks."""


def normalized(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """Return the text in a normal form, in linear time.

    Python sorts the marks on one letter in quadratic time and holds the GIL, so a run of marks that no language uses is sorted in parts.
    """
    if text.isascii():
        return text
    borders = [0, *(match.end() for match in _MANY_MARKS.finditer(text)), len(text)]
    return "".join(unicodedata.normalize(form, text[start:end]) for start, end in pairwise(borders))


def compatible(text: str) -> str:
    """Return the text in NFKC, the form for comparison."""
    return normalized("NFKC", text)


def without_marks(text: str) -> str:
    """Return the text (NFKD or NFKC) without accents, vowel signs and invisible characters."""
    return _MARK.sub("", _UNSEEN.sub("", text))


def in_plain_letters(text: str) -> str:
    """Return the text (NFKC) with the letters of keyboards without `ł`, `ß`, `ё` or accents on Greek."""
    return text.translate(_PLAIN_LETTERS)


def is_latin(text: str) -> bool:
    """Whether all letters of the text are Latin."""
    return text.isascii() or not any(letter >= AFTER_LATIN and letter.isalpha() for letter in text)


def has_unspaced(text: str) -> bool:
    """Whether the text contains letters of an unspaced script."""
    return not text.isascii() and _SPAN.search(text) is not None


def has_marks(text: str) -> bool:
    """Whether the text writes vowels or tones as separate marks."""
    return not text.isascii() and _MARK.search(text) is not None


def parted(text: str) -> str:
    """Return the text for comparison, without optional points, with spaces around each run of an unspaced script (`Python で接続`)."""
    plain = _OPTIONAL.sub("", compatible(text))
    return _SPAN.sub(r" \g<0> ", without_marks(plain)) if has_unspaced(plain) else plain


def pairs(run: str) -> list[str]:
    """Return every two neighboring letters of a run; a single letter stays as it is."""
    return [run[place : place + 2] for place in range(len(run) - 1)] or [run]


def places_of_pairs(text: str, terms: Iterable[str]) -> list[tuple[int, int]]:
    """Return the ranges of terms in unspaced scripts; marks between letters are skipped, and ranges may overlap."""
    wanted = [term for term in terms if has_unspaced(term)]
    if not wanted or not has_unspaced(text):
        return []
    any_of = "|".join(f"[{MARKS}]*+".join(map(re.escape, term)) for term in wanted)
    return [found.span(1) for found in re.finditer(f"(?=({any_of}))", text, re.IGNORECASE)]


def with_other_letters(text: str) -> str:
    """Replace ligatures and wide, narrow and mathematical letters with usual letters; everything else remains."""
    return text if text.isascii() else _OTHER_LETTERS.sub(lambda found: compatible(found.group()), text)


def unseen_words(text: str) -> list[str]:
    """Return the words that a plain index misses, each once.

    These are letters and letter pairs of unspaced scripts, Latin words attached to them, words with letters in another form, and words
    that many people type with plain letters.
    """
    if text.isascii():
        return []
    found: dict[str, None] = {}
    others = _OTHER_WORD.findall(text)
    if any(map(has_unspaced, others)):  # only there can a line end within a word
        others = _OTHER_WORD.findall(_UNSEEN.sub("", text))
    for each in (_UNSEEN.sub("", word) for word in others):
        if _SPELLED.search(each):
            found.update(dict.fromkeys(word.lower() for word in _WORD.findall(in_plain_letters(compatible(each)))))
        if unicodedata.is_normalized("NFKC", each) and not has_unspaced(each) and not _OPTIONAL.search(each):
            continue
        for word in _WORD.findall(parted(each).lower()):
            found.update(dict.fromkeys((*pairs(word), *word) if has_unspaced(word) else (word,)))
    return list(found)


def indexed_beside(identifiers: str, *texts: str) -> str:
    """Return extra words for the index: the identifiers and the words that a plain index misses, each once."""
    unseen = unseen_words("\n".join(texts))
    return " ".join(dict.fromkeys((*identifiers.split(), *unseen))) if unseen else identifiers


@dataclass(frozen=True, slots=True)
class Comparable:
    """A text for comparison that maps ranges back to the original text."""

    text: str
    _starts: tuple[int, ...]
    _places: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Self:
        """Normalize each letter together with its marks."""
        found = [(match.start(), normalized("NFKC", match.group())) for match in _LETTER.finditer(text)]
        lengths = accumulate((len(part) for _, part in found), initial=0)
        return cls("".join(part for _, part in found), tuple(lengths), (*(place for place, _ in found), len(text)))

    def written(self, start: int, end: int) -> tuple[int, int]:
        """Return the range in the original text; a ligature is never split."""
        return self._place(start, bisect_right(self._starts, start) - 1), self._place(
            end, bisect_left(self._starts, end)
        )

    def _place(self, position: int, part: int) -> int:
        """Return the original offset of a part, or of a character within a run of ASCII."""
        before = bisect_right(self._starts, position) - 1
        begin = self._starts[before]
        if before + 1 < len(self._starts) and self.text[begin : self._starts[before + 1]].isascii():
            length = self._places[before + 1] - self._places[before]
            if length == self._starts[before + 1] - begin:
                return self._places[before] + position - begin
        return self._places[part]
