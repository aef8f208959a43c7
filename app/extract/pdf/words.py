"""Join words that were broken at line ends."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

BREAK_MARK: Final = "\ufffe"
"""PDFium's character for a hyphen at the end of a line, followed directly by the next line."""
_WORD: Final = re.compile(r"\w+(?:-\w+)*")
_BREAK: Final = re.compile(
    rf"(?<!\w)(?<!\w-)(\w++(?:-\w++)*+)(?:{BREAK_MARK}|[-\u2010\u00ad]\n){BREAK_MARK}*(\w+(?:-\w+)*)"
)
_END: Final = re.compile(r"\w[-\u2010\u00ad]")
_PARTS: Final = re.compile(rf"(?:(?<![\w-])[\w-]++)?{BREAK_MARK}\w*+|(?<!\w)\w++[-\u2010\u00ad]\Z")
_MIN_PART: Final = 3
_SMALL_WORDS: Final = frozenset(
    {"and", "as", "at", "by", "for", "in", "of", "off", "on", "or", "out", "so", "the", "to", "up"}
)
"""Compounds like "state-of-the-art" are broken before or after these."""
_FIRST_PARTS: Final = frozenset({"self", "well"})  # Compounds that begin with these have a hyphen,
_ENDINGS: Final = ("hood", "ing", "ish", "less", "ness", "same")  # unless these follow.
_ADDRESS: Final = re.compile(r"://|www\.|@|\w/")
_ADDRESS_GOES_ON: Final = re.compile(r"[\w.-]*[@/]\w|\.[a-z]{2,4}\b")
_MAX_ADDRESS_CHARS: Final = 300


class Words:
    """The words that a document writes without a break."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._known: set[str] = set()
        is_broken = False
        for line in lines:
            has_parts = BREAK_MARK in line or ends_broken(line)
            words = _WORD.findall((_PARTS.sub(" ", line) if has_parts else line).lower())
            self._known.update(words[1:] if is_broken else words)
            is_broken = ends_broken(line)

    def mend(self, text: str) -> str:
        """Join all words in the text that were broken between lines (a hyphen and a line end, or PDFium's mark)."""
        if BREAK_MARK not in text and "\n" not in text:
            return text

        def join(match: re.Match[str]) -> str:
            first, second = match.groups()
            before = text[max(match.start() - _MAX_ADDRESS_CHARS, 0) : match.start()]
            is_in_address = bool(before) and not before[-1].isspace() and bool(_ADDRESS.search(before.split()[-1]))
            behind = text[match.end() : match.end() + _MAX_ADDRESS_CHARS]
            is_kept = is_in_address or _ADDRESS_GOES_ON.match(behind) or self._has_hyphen(first, second)
            return f"{first}-{second}" if is_kept else first + second

        return _BREAK.sub(join, text).replace(BREAK_MARK, "-")

    def _has_hyphen(self, first: str, second: str) -> bool:
        """Whether the hyphen belongs to the word, according to the rest of the document, otherwise to the two parts."""
        if not first[-1].isalpha() or first.isupper() == second[0].islower():
            return True
        head, tail = first.lower().rpartition("-")[2], second.lower().partition("-")[0]
        if head + tail in self._known:
            return False
        if f"{first}-{second}".lower() in self._known:
            return True
        if head in _FIRST_PARTS and len(tail) > _MIN_PART and not tail.startswith(_ENDINGS):
            return True
        if (head in _SMALL_WORDS and "-" in first) or (tail in _SMALL_WORDS and "-" in second):
            return True
        return all(len(part) >= _MIN_PART and part in self._known for part in (head, tail))


def ends_broken(line: str) -> bool:
    """Whether a line may end inside a word."""
    return bool(_END.fullmatch(line[-2:]))
