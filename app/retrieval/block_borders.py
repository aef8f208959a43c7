"""Where the block of Markdown around an offset begins and ends: found from the lines nearby, without scanning the page."""

from __future__ import annotations

import re
from typing import Final

_ITEM: Final = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_FENCE: Final = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<mark>`{3,}|~{3,}|\$\$)")
_HEADING: Final = re.compile(r"#{1,6}[ \t]")


def prose_start(text: str, position: int, lowest: int) -> int | None:
    """Where the paragraph or list item around `position` begins; None where that is before `lowest`."""
    start = _line_start(text, position)
    while start > lowest and not _begins_block(text, start):
        start = _line_start(text, start - 1)
    return start if start >= lowest else None


def wrapped_start(text: str, position: int, opening: str, lowest: int) -> int | None:
    """Where the fence, formula or table around `position` begins; `opening` is what a part of it repeats before itself."""
    first = opening.split("\n", 1)[0]
    if _FENCE.match(first):
        found = text.rfind(first, max(0, lowest), position)
        return found if found >= 0 and _line_start(text, found) == found else None
    start = position
    while start > lowest and "|" in text[_line_start(text, start - 1) : start]:
        start = _line_start(text, start - 1)
    return start if start >= lowest and not _is_row(text, start - 1) else None


def prose_end(text: str, position: int, highest: int) -> int | None:
    """Where the paragraph, list item or table around `position` ends; None where that is behind `highest`."""
    end = line_end(text, position)
    in_table = _is_row(text, end)
    while end < len(text) and end <= highest and not _ends_prose(text, end + 1, in_table):
        end = line_end(text, end + 1)
    return end if end <= highest else None


def wrapped_end(text: str, position: int, closing: str, highest: int) -> int | None:
    """Where the fence or formula around `position` ends; `closing` is what a part of it gets behind itself."""
    mark = closing.strip(" \t>\n")
    end = position
    while end < min(len(text), highest):
        start = end + 1 if text[end] == "\n" else end
        end = line_end(text, start)
        if text[start:end].strip(" \t>").startswith(mark):
            return end if end <= highest else None
    return None


def next_block_end(text: str, position: int, highest: int) -> int | None:
    """Where the block behind `position` ends, a list taken whole; None where that is behind `highest`."""
    start = _next_line(text, position)
    if start is None:
        return None
    fence = _FENCE.match(text, start, line_end(text, start))
    if fence:
        return wrapped_end(text, line_end(text, start), fence["mark"], highest)
    end = prose_end(text, start, highest)
    while end is not None and _ITEM.match(text, start):
        following = _next_line(text, end)
        if following is None or not _ITEM.match(text, following):
            break
        start, end = following, prose_end(text, following, highest)
    return end


def line_end(text: str, position: int) -> int:
    """The next line end at or behind `position`, or the end of the text."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _line_start(text: str, position: int) -> int:
    return text.rfind("\n", 0, position) + 1


def _next_line(text: str, position: int) -> int | None:
    """The start of the first line behind `position` that is not blank."""
    start = position
    while start < len(text) and text[start].isspace():
        start += 1
    return None if start == len(text) else max(position, _line_start(text, start))


def _is_row(text: str, end: int) -> bool:
    """Whether the line that ends at `end` may be one of a table."""
    return end > 0 and "|" in text[_line_start(text, end) : end]


def _begins_block(text: str, start: int) -> bool:
    if _ITEM.match(text, start):
        return True
    before = text[_line_start(text, start - 1) : start - 1]
    return not before.strip() or bool(_FENCE.match(before) or _HEADING.match(before))


def _ends_prose(text: str, start: int, in_table: bool) -> bool:
    line = text[start : line_end(text, start)]
    if not line.strip() or _ITEM.match(line) or _FENCE.match(line) or _HEADING.match(line):
        return True
    return in_table and "|" not in line
