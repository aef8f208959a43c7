"""Page text that imitates a part of a result: found, and escaped without taking anything away."""

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
_UNSEEN_CHARACTER = re.compile(f"[{_UNSEEN}]")
_OPENING_BRACKET = re.compile(r"[\[［【]")


def _spelled(name: str) -> str:
    return _INVISIBLE.join(r"\s+" if letter == " " else re.escape(letter) for letter in name)


_POSING = re.compile(
    rf"(?<![^{_BREAKS}])(?P<lead>[ \t\u00a0>*_#|~{_UNSEEN}-]*)"
    rf"(?P<what>[\[［【]\s*{_INVISIBLE}(?:{'|'.join(map(_spelled, SECTION_NAMES))})"
    rf"{_INVISIBLE}\s*[\]］】](?![(\[:])"
    rf"|{_spelled('Source')}\s*[\[［【]\s*\d+\s*[\]］】](?=\s*[(:])"
    rf"|[\[［【]\s*\d+\s*[\]］】]\s[^{_BREAKS}]*\(hash\s[0-9a-f]{{4,}}\))"
    # What has no bracket: a source below evidence, a passage of a page, an excerpt, and the line that ends a result.
    rf"|(?<![^{_BREAKS}])(?P<before>[ \t\u00a0>*_#|~{_UNSEEN}-]*)"
    rf"(?P<bare>\d+\.\s+[\[［【]\s*\d+\s*[\]］】]\s+[01]\.\d+\s+passage\s|\d+\.\s+\(score\s[01]\.\d"
    rf"|{_spelled('Excerpt')}\s+of\s+\S+,\s+characters\s|{_spelled('session')}\s+[\w-]{{16,}}\s*;)",
    re.IGNORECASE,
)


def poses(text: str) -> bool:
    """Whether a line of the text looks like a line of a result."""
    return _POSING.search(text) is not None


def as_data(text: str) -> str:
    """Page text as it may stand in a result: a line that looks like one of a result gets its bracket or its beginning escaped.

    `[EVIDENCE]` becomes `\\[EVIDENCE]`, which reads the same and starts nothing; other lines stay.
    """
    return _POSING.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    if found["bare"] is not None:
        return f"{found['before']}\\{found['bare']}"
    return str(found["lead"] + _OPENING_BRACKET.sub(r"\\\g<0>", found["what"], count=1))


def without_unseen(text: str) -> str:
    """The text without characters without width, such as zero-width spaces and soft hyphens."""
    return _UNSEEN_CHARACTER.sub("", text)
