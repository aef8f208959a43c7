"""Parser that splits the Markdown of a stored page into blocks with their lines' positions in the source.

Supports what the extractor writes: headings with `#`, fences, pipe tables, lists, quotes and formulas. Splits large blocks, so that every
page can be shown bit by bit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile
from typing import Final

from app.text.markdown_blocks import FENCE_MARK, LIST_MARK, TABLE_RULE, closes_fence, fences

Span = tuple[int, int]  # Start and end in the source, end exclusive.

MAX_LINES, MAX_ROWS = 40, 14
"""Maximum number of code lines and table rows per piece. Tables take much longer to lay out."""
MAX_CHARS: Final = 3_000
"""Maximum number of characters per piece of a paragraph or code. A single code line can be longer."""
MAX_ROW_CHARS: Final = 20_000  # A longer line is always a paragraph.

_HEADING: Final = re.compile(r"(#{1,6})(?:[ \t]+|$)")
_FENCE: Final = re.compile(FENCE_MARK)
_RULE: Final = re.compile(r"(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$")
_BULLET: Final = re.compile(rf"({LIST_MARK})(?:[ \t]+|$)")
_QUOTE: Final = re.compile(r" {0,3}> ?")
_TABLE_RULE: Final = re.compile(TABLE_RULE)
_FIRST_MARKS: Final = ("-", "*", "+", "1.", "1)")


class Kind(StrEnum):
    """Kind of a block."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    CODE = "code"
    TABLE = "table"
    FORMULA = "formula"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Block:
    """A block, or a piece of a large one: `is_first` and `is_last` mark the ends of the whole.

    `lines` are the shown ranges without list and quote marks; for a table, the rows without the delimiter row. `marker` is the number or
    bullet of a list item that begins here, `depth` the number of lists around the block, and `quotes` the number of lists around each
    quote.
    """

    kind: Kind
    lines: tuple[Span, ...]
    start: int
    end: int
    level: int = 0
    depth: int = 0
    quotes: tuple[int, ...] = ()
    marker: str = ""
    is_first: bool = True
    is_last: bool = True


def safe_start(text: str, offset: int) -> int:
    """Return the nearest position at or before `offset` where parsing can start: after a blank line outside fences."""
    if offset <= 0:
        return 0
    near = takewhile(lambda fence: fence.start < offset, fences(text))
    inside = next((fence.start for fence in near if offset < fence.end), offset)
    blank = text.rfind("\n\n", 0, inside)
    return blank + 2 if blank >= 0 else 0


def blocks(text: str, start: int = 0) -> Iterator[Block]:
    """Parse the blocks lazily from a safe start."""
    return _Reader(text).read(start)


@dataclass(slots=True)
class _Open:
    """A block whose end has not been found yet. `head` describes it and its first piece."""

    head: Block
    lines: list[Span]
    fence: str = ""
    indent: int = 0
    is_table: bool | None = None

    @property
    def kind(self) -> Kind:
        return self.head.kind

    @property
    def chars(self) -> int:
        return self.lines[-1][1] - self.lines[0][0] if self.lines else 0


class _Reader:
    """Follows lines through their containers. A container is 0 for a quote, otherwise the indent of an item."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._containers: list[int] = []
        self._open: _Open | None = None
        self._marker = ""
        self._place = 0

    def read(self, start: int) -> Iterator[Block]:
        text, place = self._text, start
        while place < len(text):
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            yield from self._line(place, end)
            place = end + 1
        yield from self._close()

    def _line(self, start: int, end: int) -> Iterator[Block]:
        place, held = self._held(start, end)
        is_blank = not self._text[place:end].strip()
        block = self._open
        if block is not None and block.fence and held == len(self._containers):
            yield from self._fenced(block, place, end)
            return
        if held < len(self._containers) and not (is_blank and all(self._containers[held:])):
            yield from self._close()
            del self._containers[held:]
        if is_blank:
            yield from self._close()
            return
        yield from self._enter(place, end)
        yield from self._leaf(self._place, end)

    def _held(self, start: int, end: int) -> tuple[int, int]:
        """Return where the line continues after the containers it is still in, and how many these are."""
        place = start
        for count, indent in enumerate(self._containers):
            if indent == 0:
                found = _QUOTE.match(self._text, place, end)
                if found is None:
                    return place, count
                place = found.end()
            elif self._text[place : min(place + indent, end)].isspace() and place + indent <= end:
                place += indent
            elif self._text[place:end].strip():
                return place, count
        return place, len(self._containers)

    def _enter(self, place: int, end: int) -> Iterator[Block]:
        """Open the quotes and items that begin on this line. `_place` is after them."""
        self._place = place
        if self._open is not None and self._open.indent:
            return
        while True:
            place, beginning = self._place, self._text[self._place : min(end, self._place + 4)]
            spaces = len(beginning) - len(beginning.lstrip(" "))
            if spaces == 4:
                return
            item = _BULLET.match(self._text, place + spaces, end)
            if (quote := _QUOTE.match(self._text, place, end)) is not None:
                yield from self._close()
                self._containers.append(0)
                self._place = quote.end()
            elif item is not None and self._may_begin(item[1]) and not _RULE.match(self._text, place + spaces, end):
                yield from self._close()
                gap = len(item[0]) - len(item[1])
                self._containers.append(spaces + len(item[1]) + (1 if gap > 4 or gap == 0 else gap))
                self._marker = "•" if item[1] in "-*+" else item[1]
                self._place = min(end, place + self._containers[-1])
            else:
                return

    def _may_begin(self, mark: str) -> bool:
        """Whether a mark starts a list. A number within a paragraph does not, for example a year at the start of a line."""
        block = self._open
        return block is None or block.kind is not Kind.PARAGRAPH or bool(block.head.depth) or mark in _FIRST_MARKS

    def _leaf(self, place: int, end: int) -> Iterator[Block]:
        text = self._text
        stripped = place + len(text[place:end]) - len(text[place:end].lstrip(" \t"))
        last = stripped + len(text[stripped:end].rstrip())
        block = self._open
        in_text = block is not None and block.kind is Kind.PARAGRAPH
        if (stripped - place >= 4 or text[place : place + 1] == "\t") and not in_text:
            yield from self._indented(place, last)
        elif (heading := _HEADING.match(text, stripped, last)) is not None:
            yield from self._close()
            inner = heading.end() + len(text[heading.end() : last].rstrip("#").rstrip())
            yield self._made(Kind.HEADING, ((heading.end(), inner),), place, end, level=len(heading[1]))
        elif (fence := _FENCE.match(text, stripped, last)) is not None:
            yield from self._close()
            self._begin(Kind.CODE, place, fence=fence[1])
        elif _RULE.match(text, stripped, last):
            yield from self._close()
            yield self._made(Kind.RULE, (), place, end)
        elif text.startswith("$$", stripped) and not in_text:
            yield from self._close()
            block = self._begin(Kind.FORMULA, stripped, fence="$$")
            block.lines.append((stripped, last))
            if last - stripped > 3 and text[stripped:last].endswith("$$"):
                yield from self._close()
        else:
            yield from self._running(stripped, last)

    def _running(self, start: int, end: int) -> Iterator[Block]:
        """Handle a line of a paragraph or a row of a table."""
        is_row = self._text.startswith("|", start) and end - start <= MAX_ROW_CHARS
        kind = Kind.TABLE if is_row else Kind.PARAGRAPH
        if self._open is not None and self._open.kind is not kind:
            yield from self._close()
        block = self._open or self._begin(kind, start)
        block.lines.append((start, end))
        if is_row and len(block.lines) == 2 and block.is_table is None:
            block.is_table = _TABLE_RULE.match(self._text, start, end) is not None
            if block.is_table:
                block.lines.pop()
        if (is_row and len(block.lines) >= MAX_ROWS) or block.chars >= MAX_CHARS:
            yield from self._give_piece(block)

    def _indented(self, start: int, end: int) -> Iterator[Block]:
        if self._open is None or not self._open.indent:
            yield from self._close()
            self._begin(Kind.CODE, start, indent=1 if self._text[start] == "\t" else 4)
        block = self._open
        if block is not None:
            block.lines.append((min(end, start + block.indent), end))
            yield from self._give_long_code(block)

    def _fenced(self, block: _Open, place: int, end: int) -> Iterator[Block]:
        line = self._text[place:end].strip()
        if block.kind is Kind.FORMULA:
            block.lines.append((place, end))
            if line.endswith("$$"):
                yield from self._close()
        elif closes_fence(line, block.fence):
            yield from self._close()
        else:
            block.lines.append((place, end))
            yield from self._give_long_code(block)

    def _give_long_code(self, block: _Open) -> Iterator[Block]:
        if len(block.lines) >= MAX_LINES or block.chars >= MAX_CHARS:
            yield from self._give_piece(block)

    def _begin(self, kind: Kind, start: int, *, fence: str = "", indent: int = 0) -> _Open:
        self._open = _Open(self._made(kind, (), start, start), [], fence, indent)
        return self._open

    def _depths(self) -> tuple[int, tuple[int, ...]]:
        lists = [sum(map(bool, self._containers[:at])) for at in range(len(self._containers) + 1)]
        return lists[-1], tuple(lists[at] for at, indent in enumerate(self._containers) if not indent)

    def _made(self, kind: Kind, lines: tuple[Span, ...], start: int, end: int, *, level: int = 0) -> Block:
        depth, quotes = self._depths()
        marker, self._marker = self._marker, ""
        return Block(kind, lines, start, end, level, depth, quotes, marker)

    def _give_piece(self, block: _Open) -> Iterator[Block]:
        """Return the current part of a large block. The rest follows as further pieces."""
        yield from self._pieces(block, is_last=False)
        block.lines, block.head = [], replace(block.head, marker="", is_first=False)

    def _close(self) -> Iterator[Block]:
        block, self._open = self._open, None
        if block is None:
            if self._marker:
                yield self._made(Kind.PARAGRAPH, (), 0, 0)
            return
        yield from self._pieces(block, is_last=True)

    def _pieces(self, block: _Open, *, is_last: bool) -> Iterator[Block]:
        kind = Kind.PARAGRAPH if block.kind is Kind.TABLE and not block.is_table else block.kind
        if kind is Kind.FORMULA:
            block.lines = _within(self._text, block.lines)
        groups = _split(self._text, block.lines) if kind in (Kind.PARAGRAPH, Kind.CODE) else [tuple(block.lines)]
        head = block.head
        for place, lines in enumerate(groups):
            first, end = (lines[0][0], lines[-1][1]) if lines else (head.start, head.start)
            is_first = head.is_first and place == 0
            yield replace(
                head,
                kind=kind,
                lines=lines,
                start=head.start if is_first else first,
                end=end,
                marker="" if place else head.marker,
                is_first=is_first,
                is_last=is_last and place == len(groups) - 1,
            )


def _within(text: str, lines: list[Span]) -> list[Span]:
    """Return the lines of a formula without its delimiters."""
    first, last = lines[0][0] + 2, lines[-1][1]
    if len(lines) > 1 or last - first >= 2:
        last -= 2 if text[last - 2 : last] == "$$" else 0
    inner = [(max(start, first), min(end, last)) for start, end in lines]
    return [(start, end) for start, end in inner if text[start:end].strip()] or lines


def _split(text: str, lines: list[Span]) -> list[tuple[Span, ...]]:
    """Split the lines into groups of about MAX_CHARS. Longer lines are split at spaces."""
    groups: list[list[Span]] = [[]]
    size = 0
    for start, end in lines:
        while end - start > 2 * MAX_CHARS:
            cut = text.rfind(" ", start + MAX_CHARS, start + 2 * MAX_CHARS) + 1 or start + 2 * MAX_CHARS
            groups.append([(start, cut)])
            start, size = cut, MAX_CHARS
        if size + end - start > 2 * MAX_CHARS:
            groups.append([])
            size = 0
        groups[-1].append((start, end))
        size += end - start
    return [tuple(group) for group in groups if group] or [()]
