"""Page text that poses as a part of our results: found, and made harmless without taking anything away."""

from __future__ import annotations

import re
from typing import Final

SECTION_NAMES: Final = (
    "SOURCES",
    "EVIDENCE",
    "IMAGES",
    "EXPANSION TRACE",
    "CITATIONS",
    "STATS",
    "ERROR",
    "CORPUS STATUS",
    "INGESTED",
)

_BREAKS: Final = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_UNSEEN: Final = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
_INVISIBLE: Final = f"[{_UNSEEN}]*"


def _spelled(name: str) -> str:
    return _INVISIBLE.join(r"\s+" if letter == " " else re.escape(letter) for letter in name)


_POSING = re.compile(
    rf"(?<![^{_BREAKS}])(?P<lead>[ \t\u00a0>*_#|~{_UNSEEN}-]*)"
    rf"(?P<what>[\[［【]\s*{_INVISIBLE}(?:{'|'.join(map(_spelled, SECTION_NAMES))})"
    rf"{_INVISIBLE}\s*[\]］】](?![(\[:])"
    rf"|{_spelled('Source')}\s*[\[［【]\s*\d+\s*[\]］】](?=\s*[(:]))",
    re.IGNORECASE,
)
_UNSEEN_CHARACTER = re.compile(f"[{_UNSEEN}]")
_OPENING_BRACKET = re.compile(r"[\[［【]")


def poses(text: str) -> bool:
    """Whether a line of the text looks like a heading of ours."""
    return _POSING.search(text) is not None


def as_data(text: str) -> str:
    """Page text as it may stand in a result: a line that poses as a heading of ours gets its bracket escaped.

    `[EVIDENCE]` becomes `\\[EVIDENCE]`, which reads the same and starts nothing; other lines stay.
    """
    return _POSING.sub(lambda found: found["lead"] + _OPENING_BRACKET.sub(r"\\\g<0>", found["what"], count=1), text)


def without_unseen(text: str) -> str:
    """The text without characters that take no room, such as zero-width spaces and soft hyphens."""
    return _UNSEEN_CHARACTER.sub("", text)
