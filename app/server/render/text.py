"""What every result is made of: single lines, times, counts, and page text that cannot pose as ours."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from app import caps
from app.text.posing import SECTION_NAMES, as_data

__all__ = ["SECTION_NAMES", "age", "as_data", "day", "one_line", "plural", "title_of", "when"]

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f]")


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


def title_of(title: str, limit: int = caps.MAX_TITLE_CHARS_SHOWN) -> str:
    """A page title for one line."""
    return one_line(title, limit) or "Untitled"


def when(timestamp: float) -> str:
    """`2026-02-22 14:30 UTC`."""
    return datetime.fromtimestamp(timestamp, UTC).strftime("%Y-%m-%d %H:%M UTC")


def day(timestamp: float) -> str:
    """`2026-02-22`, in UTC."""
    return datetime.fromtimestamp(timestamp, UTC).strftime("%Y-%m-%d")


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
