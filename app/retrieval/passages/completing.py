"""What a passage needs to be a whole thought: the rest of a block cut in two, the heading above, what a colon announces."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final

from app.retrieval.passages.borders import next_block_end, prose_end, prose_start, wrapped_end, wrapped_start
from app.retrieval.passages.stretch import Stretch

REACH_CHARS: Final = 400
"""How far a passage is extended at either end; what would take more stays cut."""
ANNOUNCED_CHARS: Final = 800
HEADING_CHARS: Final = 240
"""A section's beginning that is at most so far above comes with its heading."""
_TITLE: Final = re.compile(r"\*\*[^*]+\*\*|#{1,6} .+")


def completed(passage: Stretch, lowest: int, highest: int, *, room: float) -> Stretch:
    """The passage extended within its section and between two offsets, as long as it takes at most `room` tokens more."""
    low, high = _section(passage)
    lowest, highest = max(lowest, low), min(highest, high)
    longer = passage
    for extend in (_with_end, _with_announced, _with_start, _with_heading):
        tried = extend(longer, lowest, highest)
        if tried.tokens - passage.tokens <= room:
            longer = tried
    return longer


def _section(passage: Stretch) -> tuple[int, int]:
    """From the heading above the start to the heading behind the end."""
    starts = [section.start for section in passage.document.sections]
    above = bisect_right(starts, passage.start) - 1
    behind = bisect_left(starts, passage.end)
    return starts[above] if above >= 0 else 0, starts[behind] if behind < len(starts) else len(passage.text)


def _with_end(passage: Stretch, lowest: int, highest: int) -> Stretch:
    highest = min(highest, passage.end + REACH_CHARS)
    if passage.suffix:
        end = wrapped_end(passage.text, passage.end, passage.suffix, highest)
    else:
        end = prose_end(passage.text, passage.end, highest)
    return passage if end is None else _until(passage, end)


def _with_announced(passage: Stretch, lowest: int, highest: int) -> Stretch:
    """A list, table or code belongs to the sentence before it that ends with a colon, and to the title in bold over it."""
    last_line = passage.text[passage.start : passage.end].rsplit("\n", 1)[-1]
    if passage.suffix or not (last_line.endswith(":") or _TITLE.fullmatch(last_line)):
        return passage
    end = next_block_end(passage.text, passage.end, min(highest, passage.end + ANNOUNCED_CHARS))
    return passage if end is None else _until(passage, end)


def _with_start(passage: Stretch, lowest: int, highest: int) -> Stretch:
    lowest = max(lowest, passage.start - REACH_CHARS)
    if passage.prefix:
        start = wrapped_start(passage.text, passage.start, passage.prefix, lowest)
    else:
        start = prose_start(passage.text, passage.start, lowest)
    return passage if start is None else _from(passage, start)


def _with_heading(passage: Stretch, lowest: int, highest: int) -> Stretch:
    """The text from the heading on where that is near, else the paragraph that announces what the passage begins with."""
    if passage.prefix or passage.start <= lowest:
        return passage
    heading, _ = _section(passage)
    if heading >= lowest and passage.start - heading <= HEADING_CHARS:
        return _from(passage, heading)
    before = passage.text[lowest : passage.start].rstrip()
    if not before.endswith(":"):
        return passage
    start = prose_start(passage.text, lowest + len(before), max(lowest, passage.start - REACH_CHARS))
    return passage if start is None else _from(passage, start)


def _until(passage: Stretch, end: int) -> Stretch:
    while end > passage.end and passage.text[end - 1].isspace():
        end -= 1
    if end <= passage.end:
        return passage
    return passage.between(passage.start, end, passage.prefix, "")


def _from(passage: Stretch, start: int) -> Stretch:
    return passage if start >= passage.start else passage.between(start, passage.end, "", passage.suffix)
