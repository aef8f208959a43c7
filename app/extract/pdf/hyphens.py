"""Words that were broken at the end of a line, made whole again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from app.extract.pdf.reading import BREAK_MARK

_WORD: Final = re.compile(r"\w+(?:-\w+)*")
_BREAK: Final = re.compile(rf"(\w+(?:-\w+)*)(?:{BREAK_MARK}|[-\u2010\u00ad]\n){BREAK_MARK}*(\w+)")
_END: Final = re.compile(r"\w[-\u2010\u00ad]\Z")
_PARTS: Final = re.compile(rf"[\w-]*{BREAK_MARK}\w*|\w+[-\u2010\u00ad]\Z")
_MIN_PART: Final = 3


class Words:
    """The words that a document writes in one piece."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._known: set[str] = set()
        for line in lines:
            self._known.update(word.lower() for word in _WORD.findall(_PARTS.sub(" ", line)))

    def mend(self, text: str) -> str:
        """The text with all words whole that were broken between lines (a hyphen and a line end, or PDFium's mark)."""
        return _BREAK.sub(self._join, text).replace(BREAK_MARK, "-")

    def _join(self, match: re.Match[str]) -> str:
        first, second = match.groups()
        return f"{first}-{second}" if self._has_hyphen(first, second) else first + second

    def _has_hyphen(self, first: str, second: str) -> bool:
        """Whether the hyphen belongs to the word: the rest of the document decides, else the two parts."""
        if not first[-1].isalpha() or not (second[0].islower() or first.isupper()):
            return True
        head = first.rpartition("-")[2]
        if (head + second).lower() in self._known:
            return False
        if f"{first}-{second}".lower() in self._known:
            return True
        parts = (head.lower(), second.lower())
        return all(len(part) >= _MIN_PART and part in self._known for part in parts)


def ends_broken(line: str) -> bool:
    """Whether a line may end inside a word."""
    return bool(_END.search(line))
