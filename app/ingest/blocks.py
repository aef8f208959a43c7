"""Markdown text as a row of pieces, none larger than a chunk: blocks, or well-formed parts of blocks that are too large.

A piece is an exact span of the text; parts of a code fence or table carry what makes them readable alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

from app.text.spans import sentence_spans

CountTokens = Callable[[Sequence[str]], list[int]]

CHARACTERS_PER_HARD_CUT: Final = 400
_FENCE = re.compile(r"(`{3,}|~{3,}).*")
_WORDS = re.compile(r"\s*\S+")


class Kind(Enum):
    """What a piece is made of; only prose may overlap."""

    HEADING = "heading"
    PROSE = "prose"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Piece:
    """text[start:end], readable as prefix + text[start:end] + suffix; `tokens` counts all three."""

    start: int
    end: int
    tokens: int
    kind: Kind
    prefix: str = ""
    suffix: str = ""

    @property
    def is_part(self) -> bool:
        return bool(self.prefix or self.suffix)


def pieces_of(text: str, *, count_tokens: CountTokens, max_tokens: int) -> list[Piece]:
    """The whole text as pieces in order; what lies between them is white space."""
    blocks = _blocks(text)
    counts = count_tokens([text[block.start : block.end] for block in blocks])
    pieces: list[Piece] = []
    for block, tokens in zip(blocks, counts, strict=True):
        if tokens <= max_tokens:
            pieces.append(Piece(block.start, block.end, tokens, block.kind))
        else:
            pieces += _Splitter(text, count_tokens, max_tokens).split(block)
    return pieces


@dataclass(frozen=True, slots=True)
class _Block:
    start: int
    end: int
    kind: Kind
    type: str


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"maxNesting": 20}).enable("table").disable(["lheading", "reference", "html_block"])


def _blocks(text: str) -> list[_Block]:
    """Top-level blocks; stretches the parser gives no token for count as prose."""
    offsets = _line_offsets(text)
    blocks: list[_Block] = []
    position = 0
    for token in _parser().parse(text):
        if token.level != 0 or token.map is None or token.nesting == -1:
            continue
        start, end = offsets[token.map[0]], offsets[min(token.map[1], len(offsets) - 1)]
        if start < position:
            continue
        _append(blocks, text, position, start, Kind.PROSE, "paragraph_open")
        kind = {"heading_open": Kind.HEADING, "paragraph_open": Kind.PROSE}.get(token.type, Kind.OTHER)
        _append(blocks, text, start, end, kind, token.type)
        position = end
    _append(blocks, text, position, len(text), Kind.PROSE, "paragraph_open")
    return blocks


def _line_offsets(text: str) -> list[int]:
    """Where each line starts, by line feeds alone, as the parser counts them; the end of the text last."""
    offsets = [0, *(match.end() for match in re.finditer("\n", text))]
    return offsets if offsets[-1] == len(text) else [*offsets, len(text)]


def _append(blocks: list[_Block], text: str, start: int, end: int, kind: Kind, type_: str) -> None:
    trimmed = _trimmed(text, start, end)
    if trimmed is not None:
        blocks.append(_Block(*trimmed, kind, type_))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Without blank lines around; the indentation of the first line stays."""
    body = text[start:end]
    if not body.strip():
        return None
    lead = len(body) - len(body.lstrip())
    first_line = body.rfind("\n", 0, lead) + 1
    return start + first_line, start + len(body.rstrip())


@dataclass(frozen=True, slots=True)
class _Splitter:
    text: str
    count_tokens: CountTokens
    max_tokens: int

    def split(self, block: _Block) -> list[Piece]:
        if block.type == "fence":
            return self._fence(block)
        if block.type == "table_open":
            return self._table(block)
        return self._grouped(self._lines(block.start, block.end), block.kind)

    def _fence(self, block: _Block) -> list[Piece]:
        source = self.text[block.start : block.end]
        opening = source.split("\n", 1)[0]
        mark = _FENCE.match(opening.strip())
        lines = self._lines(block.start, block.end)
        closed = len(lines) > 2 and mark is not None and self._span(lines[-1]).strip() == mark.group(1)
        if mark is None or len(lines) < 2:
            return self._grouped(lines, Kind.OTHER)
        body = lines[1:-1] if closed else lines[1:]
        return self._wrapped(body, (block.start, block.end), f"{opening}\n", f"\n{mark.group(1)}")

    def _table(self, block: _Block) -> list[Piece]:
        lines = self._lines(block.start, block.end)
        header = self.text[block.start : lines[1][1]]
        if len(lines) < 3 or self.count_tokens([header])[0] > self.max_tokens // 2:
            return self._grouped(lines, Kind.OTHER)
        return self._wrapped(lines[2:], (block.start, block.end), f"{header}\n", "")

    def _wrapped(self, lines: list[tuple[int, int]], block: tuple[int, int], prefix: str, suffix: str) -> list[Piece]:
        """Groups of lines, each made whole by prefix and suffix; the first and last keep the block's own."""
        frame = self.count_tokens([prefix + suffix])[0]
        groups = self._groups(lines, max(self.max_tokens - frame, 1))
        pieces = []
        for number, (start, end, tokens) in enumerate(groups):
            first, last = number == 0, number == len(groups) - 1
            span = (block[0] if first else start, block[1] if last else end)
            pieces.append(
                Piece(*span, tokens + frame, Kind.OTHER, "" if first else prefix, "" if last and suffix else suffix)
            )
        return pieces

    def _grouped(self, lines: list[tuple[int, int]], kind: Kind) -> list[Piece]:
        return [Piece(start, end, tokens, kind) for start, end, tokens in self._groups(lines, self.max_tokens)]

    def _groups(self, spans: list[tuple[int, int]], limit: int) -> list[tuple[int, int, int]]:
        """Neighbouring spans joined while they fit; a span that is too large is cut first."""
        small: list[tuple[int, int, int]] = []
        for span, tokens in zip(spans, self.count_tokens([self._span(s) for s in spans]), strict=True):
            small += [(*span, tokens)] if tokens <= limit else self._cut(span, limit)
        groups: list[tuple[int, int, int]] = []
        for start, end, tokens in small:
            if groups and groups[-1][2] + tokens <= limit:
                groups[-1] = (groups[-1][0], end, groups[-1][2] + tokens)
            else:
                groups.append((start, end, tokens))
        return groups

    def _cut(self, span: tuple[int, int], limit: int) -> list[tuple[int, int, int]]:
        """One large line: by sentences, else by words, else by characters."""
        sentences = [(span[0] + s.start, span[0] + s.end) for s in sentence_spans(self._span(span))]
        if len(sentences) > 1:
            return self._groups(sentences, limit)
        words = [(span[0] + m.start(), span[0] + m.end()) for m in _WORDS.finditer(self._span(span))]
        if len(words) > 1:
            return self._groups(words, limit)
        step = max(1, min(CHARACTERS_PER_HARD_CUT, (span[1] - span[0]) // 2, limit))
        borders = [*range(span[0], span[1], step), span[1]]
        parts = list(pairwise(borders))
        return [(*part, tokens) for part, tokens in zip(parts, self.count_tokens([self._span(p) for p in parts]), strict=True)]

    def _lines(self, start: int, end: int) -> list[tuple[int, int]]:
        lines = []
        for match in re.finditer(r"[^\n]+", self.text[start:end]):
            if match.group().strip():
                lines.append((start + match.start(), start + match.end()))
        return lines

    def _span(self, span: tuple[int, int]) -> str:
        return self.text[span[0] : span[1]]
