"""Blocks cut into pieces small enough for a chunk: sentences, lines, table rows, and words where nothing
else helps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from app.ingest.blocks import PROSE, Block, Kind
from app.ingest.counting import CountTokens
from app.text.spans import sentence_spans

_PROTECTED: Final = re.compile(r"(`+)[^`\n]+\1|\$[^$\s](?:[^$\n]*[^$\s])?\$")
_MAX_HALVINGS: Final = 40
CHARS_PER_TOKEN: Final = 32
"""Text with more characters to the token than this (one endless word, padding) is measured by its
characters.
"""


def size_of(tokens: int, characters: int) -> int:
    """What a stretch of text takes of a chunk, in tokens."""
    return max(tokens, -(-characters // CHARS_PER_TOKEN))


@dataclass(frozen=True, slots=True)
class Wrapper:
    """What a part of a block needs before and behind it to be well-formed, with its tokens."""

    opening: str = ""
    closing: str = ""
    opening_tokens: int = 0
    closing_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """An uncut part of a block: `start` to `end`, the white space behind it included.

    `leads_on`: it ends with a colon, so that what follows belongs to it.
    """

    start: int
    end: int
    tokens: int
    kind: Kind
    wrapper: Wrapper
    is_first: bool
    is_last: bool
    leads_on: bool

    @property
    def is_prose(self) -> bool:
        return self.kind in PROSE

    @property
    def opening_tokens(self) -> int:
        """Tokens that a chunk which begins with this piece needs before it."""
        return 0 if self.is_first else self.wrapper.opening_tokens

    @property
    def closing_tokens(self) -> int:
        """Tokens that a chunk which ends with this piece needs behind it."""
        return 0 if self.is_last else self.wrapper.closing_tokens

    @property
    def size(self) -> int:
        """What the piece itself takes of a chunk."""
        return size_of(self.tokens, self.end - self.start)

    @property
    def cost(self) -> int:
        """What a chunk of this piece alone takes."""
        return self.size + self.opening_tokens + self.closing_tokens


def cut_blocks(text: str, blocks: Sequence[tuple[Block, int]], count_tokens: CountTokens, limit: int) -> list[Piece]:
    """Pieces of all blocks in order, none of which costs more than `limit` tokens.

    Each block comes with the end of the white space behind it.
    """
    spans = [_spans(text, block, end) for block, end in blocks]
    flat = [text[start:end] for block_spans in spans for start, end in block_spans]
    counts = count_tokens([*flat, *(wrapper for block, _ in blocks for wrapper in (block.opening, block.closing))])
    tokens, around = iter(counts), counts[len(flat) :]
    pieces: list[Piece] = []
    for number, ((block, _), block_spans) in enumerate(zip(blocks, spans, strict=True)):
        before, behind = around[2 * number], around[2 * number + 1]
        is_wrapped = before + behind <= limit // 2
        wrapper = Wrapper(block.opening, block.closing, before, behind) if is_wrapped else Wrapper()
        last = len(block_spans) - 1
        own: list[Piece] = []
        for index, (start, end) in enumerate(block_spans):
            leads_on = text[start:end].rstrip().endswith(":")
            own.append(Piece(start, end, next(tokens), block.kind, wrapper, index == 0, index == last, leads_on))
        pieces += _whole(own, limit)
    return _cut_long(text, pieces, count_tokens, limit)


def _whole(pieces: list[Piece], limit: int) -> list[Piece]:
    """The pieces of one block, or a single one when it is code or a formula that fits into a chunk."""
    first, last = pieces[0], pieces[-1]
    if first.kind not in (Kind.FENCE, Kind.FORMULA) or sum(piece.size for piece in pieces) > limit:
        return pieces
    return [replace(first, end=last.end, tokens=sum(piece.tokens for piece in pieces), is_last=True, leads_on=False)]


def _spans(text: str, block: Block, end: int) -> list[tuple[int, int]]:
    if block.kind in PROSE:
        borders = _sentence_borders(text, block)
    elif block.kind in (Kind.FENCE, Kind.TABLE, Kind.FORMULA):
        borders = _line_borders(text, block)
    else:
        borders = []
    points = [block.start, *borders, end]
    return list(pairwise(points))


def _sentence_borders(text: str, block: Block) -> list[int]:
    """Starts of the sentences but the first; none inside a code span or a formula."""
    body = text[block.start : block.end]
    protected = [match.span() for match in _PROTECTED.finditer(body)]
    return [
        block.start + span.start
        for span in sentence_spans(body)[1:]
        if not any(start < span.start < end for start, end in protected)
    ]


def _line_borders(text: str, block: Block) -> list[int]:
    """Starts of the lines behind the first of the content; the closing line stays with the line before it."""
    borders = []
    at = text.find("\n", block.inner, block.end)
    while at != -1:
        borders.append(at + 1)
        at = text.find("\n", at + 1, block.end)
    if block.closing and borders and text[borders[-1] : block.end].strip() == block.closing.strip():
        borders.pop()
    return borders


def _cut_long(text: str, pieces: list[Piece], count_tokens: CountTokens, limit: int) -> list[Piece]:
    """Halve pieces that are too long, at words where there are any, until each fits."""
    for _ in range(_MAX_HALVINGS):
        if not any(_is_long(piece, limit) for piece in pieces):
            break
        halves = [half for piece in pieces if _is_long(piece, limit) for half in _halve(text, piece)]
        counts = iter(count_tokens([text[half.start : half.end] for half in halves]))
        counted = iter([replace(half, tokens=next(counts)) for half in halves])
        pieces = [
            part
            for piece in pieces
            for part in ((next(counted), next(counted)) if _is_long(piece, limit) else (piece,))
        ]
    return pieces


def _is_long(piece: Piece, limit: int) -> bool:
    return piece.cost > limit and piece.end - piece.start > 1


def _halve(text: str, piece: Piece) -> tuple[Piece, Piece]:
    middle = (piece.start + piece.end) // 2
    reach = (piece.end - piece.start) // 4
    space = text.rfind(" ", middle - reach, middle + reach)
    border = space + 1 if piece.start < space + 1 < piece.end else middle
    return replace(piece, end=border, is_last=False, leads_on=False), replace(piece, start=border, is_first=False)
