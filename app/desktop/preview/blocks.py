"""Split the Markdown of a stored page into the blocks that the preview shows, with their lines' positions in the source.

The scanner of chunks and quotes finds the limits of fences, tables, formulas and prose. Here, lines lose the marks of the quotes and
lists that they are in, and large blocks are divided, so that every page can be shown bit by bit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from app.text import markdown_blocks
from app.text.markdown_blocks import LIST_MARK, Kind, fences, scan_blocks

Span = tuple[int, int]  # Start and end in the source, end exclusive.

MAX_LINES, MAX_ROWS = 40, 14
"""Maximum number of code lines and table rows per piece. Tables take much longer to lay out."""
MAX_CHARS: Final = 3_000
"""Maximum number of characters per piece of a paragraph or code. A single code line can be longer."""
MAX_ROW_CHARS: Final = 20_000  # A longer line is always a paragraph.
MAX_DEPTH: Final = 32  # Quotes and lists in each other. Deeper marks are text, because each line is compared with all.

_HEADING: Final = re.compile(r"(#{1,6})(?:[ \t]+|$)")
_RULE: Final = re.compile(r"(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$")
_BULLET: Final = re.compile(rf"({LIST_MARK})(?:[ \t]+|$)")
_OPENING: Final = re.compile(r"[ >*+\d-]")  # the first character of a line that can open a container
_QUOTE: Final = re.compile(r" {0,3}> ?")
_FIRST_MARKS: Final = ("-", "*", "+", "1.", "1)")
_QUOTED: Final = 0  # A container that is a quote; an item is its indent.


@dataclass(frozen=True, slots=True)
class Block:
    """A block, or a piece of a large one: `is_first` and `is_last` mark the ends of the whole. Items of lists are paragraphs.

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
    reader = _Reader(text)
    end = start
    for scanned in scan_blocks(text, (), start):
        if scanned.start > end + 1:
            yield from reader.finish()
            reader.end_quotes()
        yield from reader.read(scanned)
        end = scanned.end
    yield from reader.finish()


class _Reader:
    """Follows lines through their containers, quotes and items. `_run` are lines of an unfinished paragraph or indented code."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._containers: list[int] = []
        self._run: list[Span] = []
        self._indent = 0  # of the code in `_run`
        self._marker = ""
        self._place = 0  # after the containers of the current line

    def end_quotes(self) -> None:
        """End the quotes, and what is in them, at a blank line."""
        if _QUOTED in self._containers:
            del self._containers[self._containers.index(_QUOTED) :]

    def read(self, scanned: markdown_blocks.Block) -> Iterator[Block]:
        lines, place = [], scanned.start
        while place <= scanned.end:
            end = self._text.find("\n", place, scanned.end)
            lines.append((place, end if end >= 0 else scanned.end))
            place = lines[-1][1] + 1
        is_long_row = scanned.kind is Kind.TABLE and any(end - start > MAX_ROW_CHARS for start, end in lines)
        if scanned.kind in markdown_blocks.PROSE or is_long_row:
            yield from self._read_prose(lines)
            return
        yield from self.finish()
        yield from self._enter(*lines[0])
        start = self._place
        if scanned.kind is Kind.RULE:
            for number, (place, end) in enumerate(lines):
                yield self._made(Kind.RULE, (), place if number else start, end)
        elif scanned.kind is Kind.TABLE:
            rows = [self._stripped(place, end) for place, end in (lines[0], *lines[2:])]
            yield from self._pieces(Kind.TABLE, rows, start, MAX_ROWS)
        elif scanned.kind is Kind.FENCE:
            inner = lines[1 : -1 if scanned.is_closed(self._text) else None]
            yield from self._pieces(Kind.FENCE, [(self._held(*line)[0], line[1]) for line in inner], start, MAX_LINES)
        else:
            yield self._made(Kind.FORMULA, self._without_signs(lines), start, lines[-1][1])

    def _read_prose(self, lines: Sequence[Span]) -> Iterator[Block]:
        """Yield the paragraphs, headings, rules and indented code in lines that are not a fence, a table or a formula."""
        for start, end in lines:
            yield from self._enter(start, end)
            place = self._place
            rest = self._text[place:end]
            inner, last = place + len(rest) - len(rest.lstrip(" \t")), place + len(rest.rstrip())
            if last == place:
                yield from self.finish()
            elif (inner - place >= 4 or rest[0] == "\t") and (self._indent or not self._run):
                self._indent = self._indent or (1 if rest[0] == "\t" else 4)
                self._run.append((min(last, place + self._indent), last))
            elif heading := _HEADING.match(self._text, inner, last):
                yield from self.finish()
                words = self._text[heading.end() : last].rstrip("#").rstrip()
                span = (heading.end(), heading.end() + len(words))
                yield self._made(Kind.HEADING, (span,), place, end, level=len(heading[1]))
            elif _RULE.match(self._text, inner, last):
                yield from self.finish()
                yield self._made(Kind.RULE, (), place, end)
            else:
                if self._indent:
                    yield from self.finish()
                self._run.append((inner, last))

    def _held(self, start: int, end: int) -> tuple[int, int]:
        """Return where the line continues after the containers it is still in, and how many these are."""
        place = start
        for count, indent in enumerate(self._containers):
            if indent == _QUOTED:
                found = _QUOTE.match(self._text, place, end)
                if found is None:
                    return place, count
                place = found.end()
            elif self._text[place : min(place + indent, end)].isspace() and place + indent <= end:
                place += indent
            elif self._text[place:end].strip():
                return place, count
        return place, len(self._containers)

    def _enter(self, start: int, end: int) -> Iterator[Block]:
        """Leave the containers that the line is no longer in, and open those that begin on it. `_place` is after them."""
        if not self._containers and _OPENING.match(self._text, start, end) is None:
            self._place = start
            return
        self._place, held = self._held(start, end)
        is_blank = not self._text[self._place : end].strip()
        if held < len(self._containers) and not (is_blank and all(self._containers[held:])):
            yield from self.finish()
            del self._containers[held:]
        while not (is_blank or self._indent) and len(self._containers) < MAX_DEPTH:
            place, beginning = self._place, self._text[self._place : min(end, self._place + 4)]
            spaces = len(beginning) - len(beginning.lstrip(" "))
            if spaces == 4:
                return
            item = _BULLET.match(self._text, place + spaces, end)
            if (quote := _QUOTE.match(self._text, place, end)) is not None:
                yield from self.finish()
                self._containers.append(_QUOTED)
                self._place = quote.end()
            # A number within a paragraph does not start a list, for example a year at the start of a line.
            elif (
                item is not None
                and (not self._run or any(self._containers) or item[1] in _FIRST_MARKS)
                and not _RULE.match(self._text, place + spaces, end)
            ):
                yield from self.finish()
                gap = len(item[0]) - len(item[1])
                self._containers.append(spaces + len(item[1]) + (1 if gap > 4 or gap == 0 else gap))
                self._marker = "•" if item[1] in "-*+" else item[1]
                self._place = min(end, place + self._containers[-1])
            else:
                return

    def _stripped(self, start: int, end: int) -> Span:
        """Return a line without its containers and the white space around it."""
        place = self._held(start, end)[0] if start != self._place else start
        line = self._text[place:end]
        return place + len(line) - len(line.lstrip(" \t")), place + len(line.rstrip())

    def _without_signs(self, lines: Sequence[Span]) -> tuple[Span, ...]:
        """Return the lines of a formula without its delimiters."""
        shown = [self._stripped(self._place, lines[0][1]), *((self._held(*line)[0], line[1]) for line in lines[1:])]
        first, last = shown[0][0] + 2, shown[-1][1]
        if (len(shown) > 1 or last - first >= 2) and self._text[last - 2 : last] == "$$":
            last -= 2
        inner = [(max(start, first), min(end, last)) for start, end in shown]
        return tuple((start, end) for start, end in inner if self._text[start:end].strip()) or tuple(shown)

    def finish(self) -> Iterator[Block]:
        """Yield the unfinished paragraph or code, or an item without text."""
        lines, kind = self._run, Kind.FENCE if self._indent else Kind.PARAGRAPH
        self._run, self._indent = [], 0
        if lines:
            yield from self._pieces(kind, lines, lines[0][0], MAX_LINES if kind is Kind.FENCE else len(lines))
        elif self._marker:
            yield self._made(Kind.PARAGRAPH, (), self._place, self._place)

    def _made(self, kind: Kind, lines: Sequence[Span], start: int, end: int, *, level: int = 0) -> Block:
        marker, self._marker = self._marker, ""
        quotes = [sum(map(bool, self._containers[:place])) for place, each in enumerate(self._containers) if not each]
        return Block(kind, tuple(lines), start, end, level, sum(map(bool, self._containers)), tuple(quotes), marker)

    def _pieces(self, kind: Kind, lines: Sequence[Span], start: int, most: int) -> Iterator[Block]:
        """Yield a block in pieces of at most `most` lines and about MAX_CHARS characters. Longer lines are split at spaces."""
        groups: list[list[Span]] = [[]]
        size = 0
        for place, end in lines:
            while kind is not Kind.TABLE and end - place > 2 * MAX_CHARS:
                cut = self._text.rfind(" ", place + MAX_CHARS, place + 2 * MAX_CHARS) + 1 or place + 2 * MAX_CHARS
                groups.append([(place, cut)])
                place, size = cut, MAX_CHARS
            if groups[-1] and (len(groups[-1]) >= most or size >= MAX_CHARS or size + end - place > 2 * MAX_CHARS):
                groups.append([])
                size = 0
            groups[-1].append((place, end))
            size += end - place
        groups = [group for group in groups if group] or [[]]
        for number, group in enumerate(groups):
            begin, end = (group[0][0] if number else start), group[-1][1] if group else start
            yield replace(self._made(kind, group, begin, end), is_first=not number, is_last=number == len(groups) - 1)
