"""Read regular expressions from files in assets. `<NAME>` stands for a part of the file, a list for alternatives.

Line breaks and spaces at the beginning of a line mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from app.paths import asset_table

_PART: Final = re.compile("<([A-Z_]+)>")
_BREAK: Final = re.compile(r"^\s+|\n", re.MULTILINE)


def filled(written: str | Sequence[str], parts: Mapping[str, str | Sequence[str]]) -> str:
    """Return a pattern as the file means it."""
    alternatives = [written] if isinstance(written, str) else written
    whole = "|".join(_BREAK.sub("", each) for each in alternatives)
    return _PART.sub(lambda found: filled(parts[found[1]], parts), whole)


def wording(file: str, section: str, name: str) -> re.Pattern[str]:
    """Return a pattern of a section. It ignores case."""
    table = asset_table(file)
    return re.compile(filled(table[section][name], table.get("parts", {})), re.IGNORECASE)


def wordings(file: str, section: str) -> dict[str, re.Pattern[str]]:
    """Return all patterns of a section by name."""
    return {name: wording(file, section, name) for name in asset_table(file)[section]}
