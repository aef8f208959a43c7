"""The blocks of clean Markdown, with exact offsets: what should stay together when a page is cut."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_FENCE: Final = re.compile(r"([ \t>]*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})[^`\n]*$")
_ITEM: Final = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_TABLE_RULE: Final = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_RULE: Final = re.compile(r"[ \t>]*-{3,}[ \t]*$")
_MARGIN: Final = " \t>"


class Kind(StrEnum):
    """What a block is."""

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
    """Whole lines of a text, `start` to `end` without the last line end.

    `opening` and `closing` are what a part of the block needs around it to be well-formed: the first and last
    line of a fence, the header of a table. `inner` is the offset behind the opening.
    """

    kind: Kind
    start: int
    end: int
    opening: str = ""
    closing: str = ""
    inner: int = 0


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str

    @property
    def body(self) -> str:
        return self.text.lstrip(_MARGIN)


def scan_blocks(text: str, borders: Collection[int]) -> list[Block]:
    """Blocks in order; together they hold every character of the text that is not white space.

    At each offset of `borders` (the starts of sections) a block begins, a heading when it starts with `#`.
    """
    lines = list(_lines(text))
    starts = frozenset(borders)
    blocks: list[Block] = []
    number = 0
    while number < len(lines):
        if not lines[number].text.strip():
            number += 1
            continue
        block, number = _next_block(lines, number, starts)
        blocks.append(block)
    return blocks


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.split("\n"):
        yield _Line(start, start + len(line), line)
        start += len(line) + 1


def _next_block(lines: list[_Line], number: int, starts: frozenset[int]) -> tuple[Block, int]:
    line = lines[number]
    if line.start in starts and line.text.startswith("#"):
        return Block(Kind.HEADING, line.start, line.end), number + 1
    fence = _FENCE.match(line.text)
    if fence:
        return _fence(lines, number, fence.group(1), fence.group(2))
    if line.body.startswith("$$"):
        return _formula(lines, number)
    if _is_table(lines, number):
        return _table(lines, number)
    if _RULE.match(line.text):
        return Block(Kind.RULE, line.start, line.end), number + 1
    return _prose(lines, number, starts)


def _fence(lines: list[_Line], number: int, margin: str, mark: str) -> tuple[Block, int]:
    first = lines[number]
    margin = margin if margin.strip(_MARGIN + " ") else first.text[: first.text.index(mark)]
    margin = "".join(sign if sign in _MARGIN else " " for sign in margin)
    last = len(lines) - 1
    for at in range(number + 1, len(lines)):
        body = lines[at].body.rstrip()
        if body.startswith(mark) and not body.strip(mark[0]):
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


def _formula(lines: list[_Line], number: int) -> tuple[Block, int]:
    first = lines[number]
    if len(first.body.rstrip()) > 4 and first.body.rstrip().endswith("$$"):
        return Block(Kind.FORMULA, first.start, first.end, "$$", "$$", first.start), number + 1
    for at in range(number + 1, len(lines)):
        if lines[at].text.rstrip().endswith("$$"):
            return Block(Kind.FORMULA, first.start, lines[at].end, "$$\n", "\n$$", first.end + 1), at + 1
        if not lines[at].text.strip():
            break
    return Block(Kind.PARAGRAPH, first.start, first.end), number + 1


def _is_table(lines: list[_Line], number: int) -> bool:
    if "|" not in lines[number].text or number + 1 >= len(lines):
        return False
    rule = lines[number + 1].text
    return "|" in rule and "-" in rule and bool(_TABLE_RULE.match(rule))


def _table(lines: list[_Line], number: int) -> tuple[Block, int]:
    first, rule = lines[number], lines[number + 1]
    last = number + 1
    while last + 1 < len(lines) and "|" in lines[last + 1].text and lines[last + 1].text.strip():
        last += 1
    opening = f"{first.text}\n{rule.text}\n"
    return Block(Kind.TABLE, first.start, lines[last].end, opening, "", min(rule.end + 1, lines[last].end)), last + 1


def _prose(lines: list[_Line], number: int, starts: frozenset[int]) -> tuple[Block, int]:
    """A paragraph or one list item with the lines that belong to it."""
    first = lines[number]
    kind = Kind.ITEM if _ITEM.match(first.text) else Kind.PARAGRAPH
    last = number
    while last + 1 < len(lines) and not _ends_prose(lines, last + 1, starts):
        last += 1
    return Block(kind, first.start, lines[last].end), last + 1


def _ends_prose(lines: list[_Line], number: int, starts: frozenset[int]) -> bool:
    line = lines[number]
    if not line.text.strip() or line.start in starts:
        return True
    first = line.body[:1]
    if first in ("`", "~"):
        return bool(_FENCE.match(line.text))
    if first == "$":
        return line.body.startswith("$$")
    return bool(_ITEM.match(line.text)) or _is_table(lines, number)
