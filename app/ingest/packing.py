"""Pieces packed into chunks: full but not overfull, cut where it hurts least, prose overlapping a little.

Where to cut is found by dynamic programming over all borders of a stretch (as lines of a paragraph are broken in Knuth and Plass,
"Breaking paragraphs into lines", 1981). A part of each cut's price depends on the text behind it alone, so that the cuts of an edited
text fall back into the old ones soon after the edit (content-defined chunking).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import Final
from zlib import crc32

from app.ingest.pieces import Piece
from app.text.markdown_blocks import Kind

CHUNK_OVERLAP: Final = 0.12

_MAX_OVERLAP: Final = CHUNK_OVERLAP * 1.25
_FULL: Final = 0.75
"""The share of the largest chunk that is the best size of one. The fuller they are, the farther an edit shifts the cuts behind it."""
_BLOCK_END_BONUS: Final = 0.25
_INSIDE_PENALTY: Final = 0.4
_LEAD_PENALTY: Final = 0.25
"""What a cut is worth: good between blocks, bad in code or a table and behind a colon."""
_BARE_PENALTY: Final = 4.0
"""For a heading without what it stands over."""
CHANCE: Final = 0.3
"""The part of a cut's price that the text behind it decides, at most."""
_HASHED_CHARS: Final = 48
_WINDOW: Final = 4_096
_SETTLED: Final = 3_072
_REMEMBERED: Final = 256
"""Pieces packed at a time; how many of them are settled then; how many are kept behind a cut to be repeated in the next chunk."""
_FINE: Final = 20_000
_COARSE_SHARE: Final = 16
"""So many pieces of one stretch are packed as they are, those behind them in sixteenths of a chunk."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A chunk to be: span without white space around it, what stands before and behind it, its tokens."""

    start: int
    end: int
    prefix: str
    suffix: str
    tokens: int


def pack(text: str, pieces: Iterable[Piece], limit: int) -> Iterator[Packed]:
    """Chunks of at most `limit` tokens that hold all pieces in order; no chunk ends with a heading alone.

    Many pieces are packed in windows; of each but the last the chunks at its end are packed again with the next window.
    """
    window: list[Piece] = []
    new = 0
    for piece in _coarse_behind(pieces, limit):
        window.append(piece)
        if len(window) == _WINDOW:
            ends = _ends(text, window, limit, new)
            for end in [end for end in ends if end <= _SETTLED] or ends[:1]:
                yield _packed(text, window[_with_overlap(window, new, limit) : end])
                new = end
            kept = max(0, new - _REMEMBERED)
            window, new = window[kept:], new - kept
    for end in _ends(text, window, limit, new):
        yield _packed(text, window[_with_overlap(window, new, limit) : end])
        new = end


def _coarse_behind(pieces: Iterable[Piece], limit: int) -> Iterator[Piece]:
    """The pieces; behind the first _FINE ones small neighbours of a kind are joined."""
    source = iter(pieces)
    yield from islice(source, _FINE)
    last: Piece | None = None
    for piece in source:
        joined = _joined(last, piece, limit // _COARSE_SHARE) if last else piece
        if joined is None and last:
            yield last
        last = joined or piece
    if last:
        yield last


def _joined(first: Piece, second: Piece, limit: int) -> Piece | None:
    """Both in one piece, if they are of a kind and small."""
    if first.size + second.size > limit or first.kind is not second.kind or first.kind is Kind.HEADING:
        return None
    if first.wrapper != second.wrapper or (first.is_last and not first.is_prose):
        return None
    tokens = first.tokens + second.tokens
    return replace(first, end=second.end, tokens=tokens, is_last=second.is_last, leads_on=second.leads_on)


def chance(text: str, start: int) -> float:
    """A number from 0 to 1 that depends on the text at an offset alone."""
    return crc32(text[start : start + _HASHED_CHARS].encode("utf-8", "surrogatepass")) / 2**32


def price_of_size(size: int, limit: int) -> float:
    """What a chunk of this size costs; for a long text least when all are _FULL."""
    share = size / limit
    return _FULL * _FULL + share * share


def _ends(text: str, pieces: Sequence[Piece], limit: int, begin: int) -> list[int]:
    """Behind which piece each chunk from piece `begin` on ends, at the least price in all."""
    count = len(pieces)
    sizes = [0, *accumulate(piece.size for piece in pieces)]
    closings = [piece.closing_tokens for piece in pieces]
    bodies = [0, *accumulate(piece.kind is not Kind.HEADING for piece in pieces)]
    cuts = [_price_of_cut(text, pieces, index) for index in range(count)]
    prices = [float("inf")] * (count + 1)
    prices[begin] = 0.0
    before = [begin] * (count + 1)
    for new in range(begin, count):
        first = _with_overlap(pieces, new, limit)
        taken = pieces[first].opening_tokens - sizes[first]
        so_far = prices[new]
        for end in range(new + 1, count + 1):
            size = taken + sizes[end]
            if end > new + 1 and size + closings[end - 1] > limit:
                if size > limit:
                    break
                continue
            price = so_far + price_of_size(size, limit) + cuts[end - 1]
            if bodies[end] == bodies[new]:
                price += _BARE_PENALTY
            if price < prices[end]:
                prices[end], before[end] = price, new
    ends = [count]
    while before[ends[-1]] > begin:
        ends.append(before[ends[-1]])
    return ends[::-1]


def _price_of_cut(text: str, pieces: Sequence[Piece], index: int) -> float:
    """What it costs to end a chunk with this piece."""
    piece = pieces[index]
    if index == len(pieces) - 1:
        return 0.0
    price = CHANCE * chance(text, pieces[index + 1].start)
    if piece.kind is Kind.HEADING:
        return price + _BARE_PENALTY
    if piece.is_last:
        price -= _BLOCK_END_BONUS
    elif not piece.is_prose:
        price += _INSIDE_PENALTY
    if piece.leads_on:
        price += _LEAD_PENALTY
    return price


def _with_overlap(pieces: Sequence[Piece], new: int, limit: int) -> int:
    """Where a chunk whose first new piece is `new` begins: some whole sentences earlier, if there are any
    to repeat.
    """
    if new >= len(pieces) or (not pieces[new].is_first and not pieces[new].is_prose):
        return new
    first, repeated = new, 0
    while first > 0 and repeated < CHUNK_OVERLAP * limit:
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
