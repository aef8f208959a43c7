"""Find blocks and sentences of clean Markdown with exact offsets: the one scanner for chunks, quotes, previews and exports.

The extractor writes clean Markdown: headings with `#`, fences, pipe tables, lists, quotations and formulas. List and quotation marks
before a fence belong to the fence. The scanner works line by line, several times faster than a full parser. It finds the limits of the
block around an offset from the lines nearby, without scanning the page.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final, NamedTuple

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


class Block(NamedTuple):
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
        return text[self.inner : max(self.inner, last) if self.is_closed(text) else self.end]

    def is_closed(self, text: str) -> bool:
        """Whether a fence ends with its closing line."""
        last = text.rfind("\n", self.inner - 1, self.end)
        return last >= 0 and closes_fence(text[last + 1 : self.end], self.closing.strip(f"\n{_MARGIN}"))


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    body: str  # without the margin


class _Lines(Sequence[_Line]):
    """The lines of a text, created on access: a page may have millions."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._starts = array("l", (match.end() for match in _LINE_END.finditer(text, start)))
        self._starts.insert(0, start)
        self._starts.append(len(text) + 1)
        self._last = (-1, _Line(0, 0, "", ""))
        self.formula_end = 0
        """The last line known to end a formula or to be blank. No formula ends between the scanned line and it."""

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> _Line:  # type: ignore[override]
        if self._last[0] != number:
            start, end = self._starts[number], self._starts[number + 1] - 1
            text = self._text[start:end]
            self._last = number, _Line(start, end, text, text.lstrip(_MARGIN))
        return self._last[1]


def scan_blocks(text: str, borders: Collection[int], start: int = 0) -> Iterator[Block]:
    """Yield the blocks from a start in order; together they contain every character of the text that is not white space.

    A block begins at each offset in `borders` (the starts of sections), a heading if it starts with `#`. After the first _FINE blocks,
    small neighbors are combined.
    """
    starts = frozenset(borders)
    blocks = _scan(_Lines(text, start), starts)
    yield from islice(blocks, _FINE)
    last: Block | None = None
    for block in blocks:
        is_small = last is not None and last.kind is block.kind and block.end - last.start <= _COARSE_CHARS
        if last is not None and is_small and last.kind in PROSE and block.start not in starts:
            last = last._replace(end=block.end)
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


def _scan(lines: _Lines, starts: frozenset[int]) -> Iterator[Block]:
    number = 0
    while number < len(lines):
        line = lines[number]
        if not line.text.strip():
            number += 1
            continue
        if line.text.startswith("#") and line.start in starts:
            block, number = Block(Kind.HEADING, line.start, line.end), number + 1
        elif fence := _fence_mark(line.text):
            block, number = _fence(lines, number, fence.group(1), fence.group(2))
        elif line.body.startswith("$$"):
            block, number = _formula(lines, number)
        elif _is_table(lines, number):
            rule = lines[number + 1]
            # Padding would cost a repeated header half a chunk, and a token for every dash.
            opening = f"{_PADDING.sub(' ', line.text)}\n{_DASHES.sub('---', rule.text)}\n"
            number += 2
            while number < len(lines) and "|" in lines[number].text and lines[number].text.strip():
                number += 1
            end = lines[number - 1].end
            block = Block(Kind.TABLE, line.start, end, opening, "", min(rule.end + 1, end))
        elif line.body.startswith("---") and _RULE.match(line.text):
            number += 1
            while number < len(lines) and lines[number].start not in starts and _RULE.match(lines[number].text):
                number += 1
            block = Block(Kind.RULE, line.start, lines[number - 1].end, inner=line.start)
        else:
            block, number = _prose(lines, number, starts)
        yield block


def _fence_mark(line: str) -> re.Match[str] | None:
    return _FENCE.match(line) if "```" in line or "~~~" in line else None


def _fence(lines: _Lines, number: int, margin: str, mark: str) -> tuple[Block, int]:
    first = lines[number]
    if margin or not first.text.startswith(mark):
        margin = margin if margin.strip(_MARGIN) else first.text[: first.text.index(mark)]
        margin = "".join(sign if sign in _MARGIN else " " for sign in margin)
    last = next((at for at in range(number + 1, len(lines)) if closes_fence(lines[at].text, mark)), len(lines) - 1)
    end, inner = lines[last].end, min(first.end + 1, lines[last].end)
    return Block(Kind.FENCE, first.start, end, f"{first.text}\n", f"\n{margin}{mark}", inner), last + 1


def _formula(lines: _Lines, number: int) -> tuple[Block, int]:
    first = lines[number]
    body = first.body.rstrip()
    if len(body) > 4 and body.endswith("$$"):
        return Block(Kind.FORMULA, first.start, first.end, "$$", "$$", first.start), number + 1
    at = max(number + 1, lines.formula_end)
    while at < len(lines) and (text := lines[at].text.rstrip()) and not text.endswith("$$"):
        at += 1
    lines.formula_end = at  # the first line from here that ends a formula or is blank
    if at < len(lines) and lines[at].text.strip():
        return Block(Kind.FORMULA, first.start, lines[at].end, "$$\n", "\n$$", first.end + 1), at + 1
    return Block(Kind.PARAGRAPH, first.start, first.end), number + 1


def _is_table(lines: _Lines, number: int) -> bool:
    if "|" not in lines[number].text or number + 1 >= len(lines):
        return False
    rule = lines[number + 1].text
    return "|" in rule and "-" in rule and bool(_TABLE_RULE.match(rule))


def _prose(lines: _Lines, number: int, starts: frozenset[int]) -> tuple[Block, int]:
    """Return a paragraph or list item with the lines that belong to it, and the number of the next line."""
    first = end = lines[number]
    kind = Kind.ITEM if _ITEM.match(first.text) else Kind.PARAGRAPH
    for place in range(number + 1, len(lines)):
        line = lines[place]
        if not line.body.strip() and not line.text.strip():
            return Block(kind, first.start, end.end), place
        mark = line.body[:1]
        is_end = line.start in starts
        if mark in ("`", "~"):
            is_end = is_end or _fence_mark(line.text) is not None
        elif mark == "$":
            is_end = is_end or line.body.startswith("$$")
        else:
            is_end = is_end or bool(_ITEM.match(line.text)) or _is_table(lines, place)
        if is_end:
            return Block(kind, first.start, end.end), place
        end = line
    return Block(kind, first.start, end.end), len(lines)


@dataclass(frozen=True, slots=True)
class Span:
    """A range of text, `[start, end)`."""

    start: int
    end: int


def sentence_spans(text: str) -> list[Span]:
    """Return sentences, list items, table rows and whole code fences in order, without surrounding white space."""
    spans: list[Span] = []
    position = 0
    for fence in fences(text):
        _append_sentences(spans, text, position, fence.start)
        _append(spans, text, fence.start, fence.end)
        position = fence.end
    _append_sentences(spans, text, position, len(text))
    return spans


def _append_sentences(spans: list[Span], text: str, start: int, stop: int) -> None:
    """Append the sentences of a text without fences."""
    borders = [match.span() for match in _BLOCK_END.finditer(text, start, stop)]
    for end, following in [*borders, (stop, stop)]:
        heading = _HEADING.match(text, start, end)
        newline = text.find("\n", heading.end(), end) if heading else -1
        if newline >= 0:  # a heading line is its own block even without a blank line after it
            _append_parts(spans, text, start, newline)
            start = newline + 1
        _append_parts(spans, text, start, end)
        start = following


def _append_parts(spans: list[Span], text: str, start: int, stop: int) -> None:
    """Append the sentences of one block."""
    for match in _SENTENCE_END.finditer(text, start, stop):
        at = match.start()
        if text[at] == "." and (
            # An abbreviation, an initial or a list number precedes the full stop.
            (at - start <= _LONGEST_CHARS and text[start:at].strip().isdigit())
            or _ABBREVIATION.search(text, max(start, at - _LONGEST_CHARS), at)
        ):
            continue
        _append(spans, text, start, match.end())
        start = match.end()
    _append(spans, text, start, stop)


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
    if (start := _next_line(text, position)) is None:
        return None
    if fence := _WRAPPING.match(text, start, line_end(text, start)):
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
