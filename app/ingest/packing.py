"""Pieces packed into chunks: full but not overfull, cut where it hurts least, prose overlapping a little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app import caps
from app.ingest.blocks import Kind
from app.ingest.pieces import Piece

_MAX_OVERLAP: Final = caps.CHUNK_OVERLAP * 1.25
_SLACK: Final = 1.1
_BLOCK_END_BONUS: Final = 0.25
_INSIDE_PENALTY: Final = 0.4
_LEAD_PENALTY: Final = 0.25
"""What a cut is worth, in chunks of unevenness: good between blocks, bad in code or a table and behind a
colon.
"""


@dataclass(frozen=True, slots=True)
class Packed:
    """A chunk to be: span without white space around it, what stands before and behind it, its tokens."""

    start: int
    end: int
    prefix: str
    suffix: str
    tokens: int


def pack(text: str, pieces: Sequence[Piece], limit: int) -> list[Packed]:
    """Chunks of at most `limit` tokens that hold all pieces in order; no chunk ends with a heading alone."""
    total = sum(piece.size for piece in pieces)
    target = min(limit, _SLACK * total / max(1, -(-total // max(limit, 1))))
    chunks: list[Packed] = []
    first = new = 0
    while new < len(pieces):
        last = _last_that_fits(pieces, first, new, limit)
        if last < len(pieces) - 1:
            last = _best_cut(pieces, first, new, last, target, limit)
        chunks.append(_packed(text, pieces[first : last + 1]))
        new = last + 1
        first = _with_overlap(pieces, new, limit)
    return chunks


def _last_that_fits(pieces: Sequence[Piece], first: int, new: int, limit: int) -> int:
    size = pieces[first].opening_tokens + sum(piece.size for piece in pieces[first : new + 1])
    last = new
    for index in range(new + 1, len(pieces)):
        size += pieces[index].size
        if size + pieces[index].closing_tokens > limit:
            break
        last = index
    return last


def _best_cut(pieces: Sequence[Piece], first: int, new: int, last: int, target: float, limit: int) -> int:
    """The last piece of a chunk that begins with `first` and may reach to `last`."""
    size = float(sum(piece.size for piece in pieces[first:new]))
    best, best_badness = last, float("inf")
    has_body = False
    for index in range(new, last + 1):
        piece = pieces[index]
        size += piece.size
        has_body = has_body or piece.kind is not Kind.HEADING
        if not has_body or piece.kind is Kind.HEADING:
            continue
        badness = abs(size - target) / max(limit, 1)
        if piece.is_last:
            badness -= _BLOCK_END_BONUS
        elif not piece.is_prose:
            badness += _INSIDE_PENALTY
        if piece.leads_on:
            badness += _LEAD_PENALTY
        if badness <= best_badness:
            best, best_badness = index, badness
    return best


def _with_overlap(pieces: Sequence[Piece], new: int, limit: int) -> int:
    """Where a chunk whose first new piece is `new` begins: some whole sentences earlier, if there are any
    to repeat.
    """
    if new >= len(pieces) or (not pieces[new].is_first and not pieces[new].is_prose):
        return new
    first, repeated = new, 0
    while first > 0 and repeated < caps.CHUNK_OVERLAP * limit:
        before = pieces[first - 1]
        if not before.is_prose or repeated + before.size > _MAX_OVERLAP * limit:
            break
        repeated += before.size
        first -= 1
    return first if repeated + pieces[new].cost <= limit else new


def _packed(text: str, pieces: Sequence[Piece]) -> Packed:
    start, end = pieces[0].start, pieces[-1].end
    while end > start and text[end - 1].isspace():
        end -= 1
    prefix = "" if pieces[0].is_first else pieces[0].wrapper.opening
    suffix = "" if pieces[-1].is_last else pieces[-1].wrapper.closing
    tokens = sum(piece.tokens for piece in pieces) + pieces[0].opening_tokens + pieces[-1].closing_tokens
    return Packed(start, end, prefix, suffix, tokens)
