"""What every result is made of: single lines, times, counts, and page text that cannot pose as ours."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from app.text.output_escaping import SECTION_NAMES, as_data

MAX_TITLE_CHARS_SHOWN: Final = 120

__all__ = [
    "SECTION_NAMES",
    "age",
    "as_data",
    "day",
    "iso",
    "one_line",
    "plural",
    "tame",
    "tame_json",
    "title_of",
    "when",
]

_STEERING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters of both sets but line feed and tab: a terminal obeys what follows some of them. Then embeddings,
overrides and isolates, which show letters in another order than they stand."""

_AGES: Final = (
    (2 * 365 * 86_400, 365 * 86_400, "year"),
    (60 * 86_400, 30 * 86_400, "month"),
    (86_400, 86_400, "day"),
    (3_600, 3_600, "hour"),
    (60, 60, "minute"),
)


def one_line(text: str, limit: int | None = None) -> str:
    """The text on one line, without what would steer a terminal or turn letters round, cut at `limit` characters."""
    line = " ".join(tame(" ".join(text.split())).split())
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def tame(text: str) -> str:
    """Text whose lines and tabs stay, without what would steer a terminal or turn letters round."""
    return _STEERING.sub("", text)


def tame_json(text: str) -> str:
    """JSON with the same characters written as escapes, so that reading it gives them back."""
    return _STEERING.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def title_of(title: str, limit: int = MAX_TITLE_CHARS_SHOWN) -> str:
    """A page title for one line."""
    return one_line(title, limit) or "Untitled"


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
