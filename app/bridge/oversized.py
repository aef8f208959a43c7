"""Whose message it was that is too long to be read: its id stands near the beginning or at the very end."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

ENDS_KEPT: Final = 4096
"""Bytes that are kept of either end."""

_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_VALUE: Final = r'("(?:[^"\\]|\\.)*"|-?\d{1,18})'
_ID: Final = re.compile(rf"\s*:\s*{_VALUE}\s*[,}}]")
_LAST_ID: Final = re.compile(rf'"id"\s*:\s*{_VALUE}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}}\s*$')


@dataclass(frozen=True, slots=True)
class Oversized:
    """What is left of a line that was longer than allowed."""

    head: bytes
    tail: bytes

    def message_id(self) -> str | int | None:
        """The id of the message, where it can be told."""
        head, tail = (end.decode("utf-8", "replace") for end in (self.head, self.tail))
        found = _first_id(head) or ((match := _LAST_ID.search(tail)) and match.group(1))
        value = json.loads(found) if found else None
        return value if isinstance(value, str | int) else None


def _first_id(text: str) -> str | None:
    """The value of the outermost object's "id", if the text gets that far."""
    depth = place = 0
    while place < len(text):
        letter = text[place]
        if letter == '"':
            string = _STRING.match(text, place)
            if string is None:
                return None
            place = string.end()
            value = _ID.match(text, place) if depth == 1 and string.group() == '"id"' else None
            if value is not None:
                return value.group(1)
            continue
        depth += (letter in "{[") - (letter in "}]")
        place += 1
    return None
