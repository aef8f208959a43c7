"""Find blocks and sentences of clean Markdown with exact offsets: the one scanner for chunks, quotes, previews and exports.

The extractor writes clean Markdown: headings with `#`, fences, pipe tables, lists, quotations and formulas. List and quotation marks
before a fence belong to the fence. The scanner works line by line, several times faster than a full parser. It finds the limits of the
block around an offset from the lines nearby, without scanning the page.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Final

LIST_MARK: Final = r"(?:[-*+]|\d{1,9}[.)])"
FENCE_MARK: Final = r"(`{3,}+|~{3,}+)[^`\n]*$"
TABLE_RULE: Final = r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$"
"""The grammar of a line after its list and quotation marks, as parts of regular expressions."""
CODE_SPAN: Final = r"(?<!`)(?P<tick>`{1,8}+)(?!`)(?P<code>[^`\n]*+(?:(?!(?P=tick)(?!`))`++[^`\n]*+)*+)(?P=tick)(?!`)"
"""Inline code, as a part of a regular expression.

For each length of backticks, only the last mark can be unpaired, and there are eight lengths: the time stays linear.
"""
_FENCE: Final = re.compile(rf"([ \t>]*)(?:{LIST_MARK}[ \t]+)*{FENCE_MARK}")
_ITEM: Final = re.compile(rf"[ \t>]*{LIST_MARK}[ \t]+\S")
_TABLE_RULE: Final = re.compile(rf"[ \t>]*+{TABLE_RULE}")
_RULE: Final = re.compile(r"[ \t>]*-{3,}[ \t]*$")
_PADDING: Final = re.compile(r"(?<=\S) {2,}")
_DASHES: Final = re.compile(r"-{4,}")
_MARGIN: Final = " \t>"
_LINE_END: Final = re.compile("\n")
_FINE: Final = 20_000
_COARSE_CHARS: Final = 256
_BLOCK_END = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+]|\d+[.)])[ \t])|\n(?=\|)|\n(?=#{1,6}[ \t])")
_HEADING = re.compile(r"\s*#{1,6}[ \t]")
_SENTENCE_END = re.compile(r"[.?!。？！][\"'”’)\]]*(?=\s|$)|[。？！]")
_LONGEST_CHARS = 16
"""The longest abbreviation or list number; looking further back would make long paragraphs quadratic."""
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|fig|eq|no|dr|mr|mrs|ms|st|approx|resp)|\b[A-Z])$", re.IGNORECASE
)


class Kind(StrEnum):
    """The kind of a block."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    FENCE = "fence"
    TABLE = "table"
    FORMULA = "formula"
    RULE = "rule"


PROSE: Final = frozenset({Kind.PARAGRAPH, Kind.ITEM})


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of a text, from `start` to `end` without the last line end.

    `opening` and `closing` make a part of the block well-formed: the first and last line of a fence, the header of a table. `inner` is
    the offset after the opening.
    """

    kind: Kind
    start: int
    end: int
    opening: str = ""
    closing: str = ""
    inner: int = 0

    def content(self, text: str) -> str:
        """Return the lines of a fence without its opening and closing line."""
        last = text.rfind("\n", self.inner - 1, self.end)
        is_closed = last >= 0 and closes_fence(text[last + 1 : self.end], self.closing.strip(f"\n{_MARGIN}"))
        return text[self.inner : max(self.inner, last) if is_closed else self.end]


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str

    @property
    def body(self) -> str:
        return self.text.lstrip(_MARGIN)


class _Lines(Sequence[_Line]):
    """The lines of a text, created on access: a page may have millions."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = array("l", (match.end() for match in _LINE_END.finditer(text)))
        self._starts.insert(0, 0)
        self._starts.append(len(text) + 1)
        self._last = (-1, _Line(0, 0, ""))
        self.formula_end = 0
        """The last line known to end a formula or to be blank. No formula ends between the scanned line and it."""

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> _Line:  # type: ignore[override]
        if self._last[0] != number:
            start, end = self._starts[number], self._starts[number + 1] - 1
            self._last = number, _Line(start, end, self._text[start:end])
        return self._last[1]


def scan_blocks(text: str, borders: Collection[int]) -> Iterator[Block]:
    """Yield blocks in order; together they contain every character of the text that is not white space.

    A block begins at each offset in `borders` (the starts of sections), a heading if it starts with `#`. After the first _FINE blocks,
    small neighbors are combined.
    """
    starts = frozenset(borders)
    blocks = _scan(_Lines(text), starts)
    yield from islice(blocks, _FINE)
    last: Block | None = None
    for block in blocks:
        if last is not None and _are_small(last, block) and block.start not in starts:
            last = replace(last, end=block.end)
            continue
        if last is not None:
            yield last
        last = block
    if last is not None:
        yield last


def fences(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a text in order."""
    if "```" in text or "~~~" in text:
        yield from (block for block in scan_blocks(text, ()) if block.kind is Kind.FENCE)


def closes_fence(line: str, mark: str) -> bool:
    """Whether a line ends the fence opened by a mark of backticks or tildes."""
    body = line.lstrip(_MARGIN).rstrip()
    return body.startswith(mark) and not body.strip(mark[0])


def _are_small(first: Block, second: Block) -> bool:
    return first.kind is second.kind and first.kind in PROSE and second.end - first.start <= _COARSE_CHARS


def _scan(lines: _Lines, starts: frozenset[int]) -> Iterator[Block]:
    number = 0
    while number < len(lines):
        if not lines[number].text.strip():
            number += 1
            continue
        block, number = _next_block(lines, number, starts)
        yield block


def _next_block(lines: _Lines, number: int, starts: frozenset[int]) -> tuple[Block, int]:
    line = lines[number]
    if line.start in starts and line.text.startswith("#"):
        return Block(Kind.HEADING, line.start, line.end), number + 1
    fence = _fence_mark(line.text)
    if fence:
        return _fence(lines, number, fence.group(1), fence.group(2))
    if line.body.startswith("$$"):
        return _formula(lines, number)
    if _is_table(lines, number):
        return _table(lines, number)
    if _RULE.match(line.text):
        last = number
        while last + 1 < len(lines) and lines[last + 1].start not in starts and _RULE.match(lines[last + 1].text):
            last += 1
        return Block(Kind.RULE, line.start, lines[last].end, inner=line.start), last + 1
    return _prose(lines, number, starts)


def _fence_mark(line: str) -> re.Match[str] | None:
    return _FENCE.match(line) if "```" in line or "~~~" in line else None


def _fence(lines: _Lines, number: int, margin: str, mark: str) -> tuple[Block, int]:
    first = lines[number]
    margin = margin if margin.strip(_MARGIN + " ") else first.text[: first.text.index(mark)]
    margin = "".join(sign if sign in _MARGIN else " " for sign in margin)
    last = len(lines) - 1
    for at in range(number + 1, len(lines)):
        if closes_fence(lines[at].text, mark):
            last = at
            break
    block = Block(
        Kind.FENCE,
        first.start,
        lines[last].end,
        f"{first.text}\n",
        f"\n{margin}{mark}",
        min(first.end + 1, lines[last].end),
    )
    return block, last + 1


def _formula(lines: _Lines, number: int) -> tuple[Block, int]:
    first = lines[number]
    if len(first.body.rstrip()) > 4 and first.body.rstrip().endswith("$$"):
        return Block(Kind.FORMULA, first.start, first.end, "$$", "$$", first.start), number + 1
    at = lines.formula_end = _formula_end(lines, max(number + 1, lines.formula_end))
    if at < len(lines) and lines[at].text.strip():
        return Block(Kind.FORMULA, first.start, lines[at].end, "$$\n", "\n$$", first.end + 1), at + 1
    return Block(Kind.PARAGRAPH, first.start, first.end), number + 1


def _formula_end(lines: _Lines, number: int) -> int:
    """Return the first line from `number` that ends a formula or is blank."""
    while number < len(lines):
        text = lines[number].text.rstrip()
        if not text or text.endswith("$$"):
            break
        number += 1
    return number


def _is_table(lines: _Lines, number: int) -> bool:
    if "|" not in lines[number].text or number + 1 >= len(lines):
        return False
    rule = lines[number + 1].text
    return "|" in rule and "-" in rule and bool(_TABLE_RULE.match(rule))


def _table(lines: _Lines, number: int) -> tuple[Block, int]:
    first, rule = lines[number], lines[number + 1]
    last = number + 1
    while last + 1 < len(lines) and "|" in lines[last + 1].text and lines[last + 1].text.strip():
        last += 1
    # Padding would cost a repeated header half a chunk, and a token for every dash.
    opening = f"{_PADDING.sub(' ', first.text)}\n{_DASHES.sub('---', rule.text)}\n"
    return Block(Kind.TABLE, first.start, lines[last].end, opening, "", min(rule.end + 1, lines[last].end)), last + 1


def _prose(lines: _Lines, number: int, starts: frozenset[int]) -> tuple[Block, int]:
    """Return a paragraph or list item with the lines that belong to it, and the number of the next line."""
    first = lines[number]
    kind = Kind.ITEM if _ITEM.match(first.text) else Kind.PARAGRAPH
    last = number
    while last + 1 < len(lines) and not _ends_prose(lines, last + 1, starts):
        last += 1
    return Block(kind, first.start, lines[last].end), last + 1


def _ends_prose(lines: _Lines, number: int, starts: frozenset[int]) -> bool:
    line = lines[number]
    if not line.text.strip() or line.start in starts:
        return True
    first = line.body[:1]
    if first in ("`", "~"):
        return _fence_mark(line.text) is not None
    if first == "$":
        return line.body.startswith("$$")
    return bool(_ITEM.match(line.text)) or _is_table(lines, number)


@dataclass(frozen=True, slots=True)
class Span:
    """A range of text, `[start, end)`."""

    start: int
    end: int


def sentence_spans(text: str) -> list[Span]:
    """Return sentences, list items, table rows and whole code fences in order, without surrounding white space."""
    spans: list[Span] = []
    for start, end, is_code in _regions(text):
        if is_code:
            _append(spans, text, start, end)
            continue
        for block_start, block_end in _split(text, start, end, _BLOCK_END):
            for sentence_start, sentence_end in _sentences(text, block_start, block_end):
                _append(spans, text, sentence_start, sentence_end)
    return spans


def _regions(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield fenced blocks and the text between them, each with whether it is code."""
    position = 0
    for fence in fences(text):
        if fence.start > position:
            yield position, fence.start, False
        yield fence.start, fence.end, True
        position = fence.end
    if position < len(text):
        yield position, len(text), False


def _split(text: str, start: int, end: int, border: re.Pattern[str]) -> list[tuple[int, int]]:
    parts: list[tuple[int, int]] = []
    position = start
    for match in border.finditer(text, start, end):
        parts.append((position, match.start()))
        position = match.end()
    parts.append((position, end))
    return [piece for part in parts for piece in _heading_apart(text, *part)]


def _heading_apart(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Separate a heading line, which is its own block even without a blank line after it."""
    heading = _HEADING.match(text, start, end)
    newline = text.find("\n", heading.end(), end) if heading else -1
    return [(start, newline), (newline + 1, end)] if newline >= 0 else [(start, end)]


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    parts: list[tuple[int, int]] = []
    position = start
    for match in _SENTENCE_END.finditer(text, start, end):
        if match.group().startswith(".") and _no_end(text, position, match.start()):
            continue
        parts.append((position, match.end()))
        position = match.end()
    parts.append((position, end))
    return parts


def _no_end(text: str, start: int, stop: int) -> bool:
    """Whether an abbreviation, an initial or a list number precedes the full stop."""
    if stop - start <= _LONGEST_CHARS and text[start:stop].strip().isdigit():
        return True
    return _ABBREVIATION.search(text, max(start, stop - _LONGEST_CHARS), stop) is not None


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        spans.append(Span(start, end))


_WRAPPING: Final = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?P<mark>`{3,}|~{3,}|\$\$)")
_HEADING_LINE: Final = re.compile(r"#{1,6}[ \t]")


def prose_start(text: str, position: int, lowest: int) -> int | None:
    """Return the start of the paragraph or list item around `position`, or None if it is before `lowest`."""
    start = _line_start(text, position)
    while start > lowest and not _begins_block(text, start):
        start = _line_start(text, start - 1)
    return start if start >= lowest else None


def wrapped_start(text: str, position: int, opening: str, lowest: int) -> int | None:
    """Return the start of the fence, formula or table around `position`; a part of it repeats `opening`."""
    first = opening.split("\n", 1)[0]
    if _WRAPPING.match(first):
        found = text.rfind(first, max(0, lowest), position)
        return found if found >= 0 and _line_start(text, found) == found else None
    start = position
    while start > lowest and "|" in text[_line_start(text, start - 1) : start]:
        start = _line_start(text, start - 1)
    return start if start >= lowest and not _is_row(text, start - 1) else None


def prose_end(text: str, position: int, highest: int) -> int | None:
    """Return the end of the paragraph, list item or table around `position`, or None if it is after `highest`."""
    end = line_end(text, position)
    in_table = _is_row(text, end)
    while end < len(text) and end <= highest and not _ends_prose_at(text, end + 1, in_table):
        end = line_end(text, end + 1)
    return end if end <= highest else None


def wrapped_end(text: str, position: int, closing: str, highest: int) -> int | None:
    """Return the end of the fence or formula around `position`; a part of it repeats `closing`."""
    mark = closing.strip(" \t>\n")
    end = position
    while end < min(len(text), highest):
        start = end + 1 if text[end] == "\n" else end
        end = line_end(text, start)
        if text[start:end].strip(" \t>").startswith(mark):
            return end if end <= highest else None
    return None


def next_block_end(text: str, position: int, highest: int) -> int | None:
    """Return the end of the block after `position`, including a whole list, or None if it is after `highest`."""
    start = _next_line(text, position)
    if start is None:
        return None
    fence = _WRAPPING.match(text, start, line_end(text, start))
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
    """Return the next line end at or after `position`, or the end of the text."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _line_start(text: str, position: int) -> int:
    return text.rfind("\n", 0, position) + 1


def _next_line(text: str, position: int) -> int | None:
    """Return the start of the first line after `position` that is not blank."""
    start = position
    while start < len(text) and text[start].isspace():
        start += 1
    return None if start == len(text) else max(position, _line_start(text, start))


def _is_row(text: str, end: int) -> bool:
    """Whether the line that ends at `end` can be a table row."""
    return end > 0 and "|" in text[_line_start(text, end) : end]


def _begins_block(text: str, start: int) -> bool:
    if _ITEM.match(text, start):
        return True
    before = text[_line_start(text, start - 1) : start - 1]
    return not before.strip() or bool(_WRAPPING.match(before) or _HEADING_LINE.match(before))


def _ends_prose_at(text: str, start: int, in_table: bool) -> bool:
    line = text[start : line_end(text, start)]
    if not line.strip() or _ITEM.match(line) or _WRAPPING.match(line) or _HEADING_LINE.match(line):
        return True
    return in_table and "|" not in line
