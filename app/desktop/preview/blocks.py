"""The blocks of a stored page, one after another, each with the places of its lines in the source.

The Markdown of the corpus is what the extractor writes: headings with `#`, fences, pipe tables, lists, quotations and formulas.
Large blocks come in pieces, so that a page can be shown bit by bit however it is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import Final

from app.text.markdown_blocks import FENCE_MARK, LIST_MARK, TABLE_RULE, closes_fence, fences

Span = tuple[int, int]
"""Begin and end in the source, end exclusive."""

MAX_LINES, MAX_ROWS = 40, 14
"""Lines of code and rows of a table in one piece: laying out a table takes much longer."""
MAX_CHARS: Final = 3_000
"""Characters in one piece of a paragraph or of code; one line of code may be longer."""
MAX_ROW_CHARS: Final = 20_000
"""A longer line is a paragraph, whatever it begins with."""

_HEADING: Final = re.compile(r"(#{1,6})(?:[ \t]+|$)")
_FENCE: Final = re.compile(FENCE_MARK)
_RULE: Final = re.compile(r"(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$")
_BULLET: Final = re.compile(rf"({LIST_MARK})(?:[ \t]+|$)")
_QUOTE: Final = re.compile(r" {0,3}> ?")
_TABLE_RULE: Final = re.compile(TABLE_RULE)
_FIRST_MARKS: Final = ("-", "*", "+", "1.", "1)")


class Kind(StrEnum):
    """What a block is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    CODE = "code"
    TABLE = "table"
    FORMULA = "formula"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Block:
    """One block, or a piece of a large one: `is_first` and `is_last` say where the whole begins and ends.

    `lines` are what is shown, without the marks of lists and quotations; of a table they are its rows without the rule. `marker` is the
    number or bullet of a list item that begins here, `depth` how many lists it stands in,
    `quotes` tells for each quotation around it how many lists that stands in.
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
    """The nearest place at or before `offset` where reading can begin: after a blank line that is in no fence."""
    if offset <= 0:
        return 0
    near = takewhile(lambda fence: fence.start < offset, fences(text))
    inside = next((fence.start for fence in near if offset < fence.end), offset)
    blank = text.rfind("\n\n", 0, inside)
    return blank + 2 if blank >= 0 else 0


def blocks(text: str, start: int = 0) -> Iterator[Block]:
    """The blocks from a safe start on, read as they are asked for."""
    return _Reader(text).read(start)


@dataclass(slots=True)
class _Open:
    """A block whose end has not been seen."""

    kind: Kind
    lines: list[Span]
    start: int
    depth: int
    quotes: tuple[int, ...]
    marker: str = ""
    level: int = 0
    fence: str = ""
    indent: int = 0
    is_first: bool = True
    is_table: bool | None = None

    @property
    def chars(self) -> int:
        return self.lines[-1][1] - self.lines[0][0] if self.lines else 0


class _Reader:
    """Follows the lines through the containers that they stand in. A container is 0 for a quotation, else the indent of an item."""

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
        """Where the line goes on behind the containers that it is still in, and how many these are."""
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
        """Open the quotations and items that begin on this line; `_place` is behind them."""
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
        """A number in the middle of a paragraph begins no list, as a year at the beginning of a line."""
        block = self._open
        return block is None or block.kind is not Kind.PARAGRAPH or bool(block.depth) or mark in _FIRST_MARKS

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
        """A line of a paragraph or a row of a table."""
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
        depth, quotes = self._depths()
        self._open = _Open(kind, [], start, depth, quotes, self._marker, fence=fence, indent=indent)
        self._marker = ""
        return self._open

    def _depths(self) -> tuple[int, tuple[int, ...]]:
        lists, quotes = 0, []
        for indent in self._containers:
            if indent:
                lists += 1
            else:
                quotes.append(lists)
        return lists, tuple(quotes)

    def _made(self, kind: Kind, lines: tuple[Span, ...], start: int, end: int, *, level: int = 0) -> Block:
        depth, quotes = self._depths()
        marker, self._marker = self._marker, ""
        return Block(kind, lines, start, end, level, depth, quotes, marker)

    def _give_piece(self, block: _Open) -> Iterator[Block]:
        """What is there of a large block; the rest follows as further pieces."""
        yield from self._pieces(block, is_last=False)
        block.lines, block.marker, block.is_first = [], "", False

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
        for place, lines in enumerate(groups):
            end = lines[-1][1] if lines else block.start
            yield Block(
                kind,
                lines,
                lines[0][0] if lines and place else block.start if block.is_first else (lines[0][0] if lines else end),
                end,
                block.level,
                block.depth,
                block.quotes,
                block.marker if place == 0 else "",
                is_first=block.is_first and place == 0,
                is_last=is_last and place == len(groups) - 1,
            )


def _within(text: str, lines: list[Span]) -> list[Span]:
    """The lines of a formula without the signs around it."""
    first, last = lines[0][0] + 2, lines[-1][1]
    if len(lines) > 1 or last - first >= 2:
        last -= 2 if text[last - 2 : last] == "$$" else 0
    inner = [(max(start, first), min(end, last)) for start, end in lines]
    return [(start, end) for start, end in inner if text[start:end].strip()] or lines


def _split(text: str, lines: list[Span]) -> list[tuple[Span, ...]]:
    """The lines in groups of at most about MAX_CHARS; a longer line is broken at a space."""
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
