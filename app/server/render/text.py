"""What every result is made of: single lines, times, counts, and page text that cannot pose as ours."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from app import caps

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
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f]")


def _spelled(name: str) -> str:
    return _INVISIBLE.join(r"\s+" if letter == " " else re.escape(letter) for letter in name)


_POSING = re.compile(
    rf"(?<![^{_BREAKS}])(?P<lead>[ \t\u00a0>*_#|~{_UNSEEN}-]*)"
    rf"(?P<what>[\[［【]\s*{_INVISIBLE}(?:{'|'.join(map(_spelled, SECTION_NAMES))})"
    rf"{_INVISIBLE}\s*[\]］】](?![(\[:])"
    rf"|{_spelled('Source')}\s*[\[［【]\s*\d+\s*[\]］】](?=\s*[(:]))",
    re.IGNORECASE,
)
_OPENING_BRACKET = re.compile(r"[\[［【]")

_AGES: Final = (
    (2 * 365 * 86_400, 365 * 86_400, "year"),
    (60 * 86_400, 30 * 86_400, "month"),
    (86_400, 86_400, "day"),
    (3_600, 3_600, "hour"),
    (60, 60, "minute"),
)


def one_line(text: str, limit: int | None = None) -> str:
    """The text on one line, without control characters, cut at `limit` characters."""
    line = " ".join(_CONTROL.sub("", text).split())
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def as_data(text: str) -> str:
    """Page text as it may stand in a result: a line that poses as a heading of ours gets its bracket escaped.

    `[EVIDENCE]` becomes `\\[EVIDENCE]`, which reads the same and starts nothing; other lines stay.
    """
    return _POSING.sub(lambda found: found["lead"] + _OPENING_BRACKET.sub(r"\\\g<0>", found["what"], count=1), text)


def title_of(title: str, limit: int = caps.MAX_TITLE_CHARS_SHOWN) -> str:
    """A page title for one line."""
    return one_line(title, limit) or "Untitled"


def when(timestamp: float) -> str:
    """`2026-02-22 14:30 UTC`."""
    return datetime.fromtimestamp(timestamp, UTC).strftime("%Y-%m-%d %H:%M UTC")


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
