"""Cut blocks into pieces that fit into a chunk: sentences, lines, table rows, and single words if necessary."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, NamedTuple, TypeVar

from app.text.markdown_blocks import CODE_SPAN, PROSE, Block, Kind, sentence_spans
from app.text.tokens import CHARS_PER_TOKEN, CountTokens, size_of

_PROTECTED: Final = re.compile(rf"{CODE_SPAN}|\$[^$\s](?:[^$\n]*[^$\s])?\$")
_MAX_HALVINGS: Final = 40
_UNCOUNTED: Final = -1
_MOST_TOKENS_PER_CHAR: Final = 4  # The maximum of any tokenizer: small code and formulas fit without counting.
BATCH_CHARS: Final = 64 * 1024
"""The text whose pieces are counted together: its words are still cached when a piece is cut and counted again."""
_WINDOW_CHARS: Final = 32 * 1024  # A longer block is searched for sentences in parts of this size.
_FINE: Final = 10_000
_COARSE_CHARS: Final = 48
"""The number of sentences or lines of one block used as they are, and the minimum length of later pieces."""


Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """The text that a part of a block needs before and after it to be well-formed, with its tokens."""

    opening: str = ""
    closing: str = ""
    opening_tokens: int = 0
    closing_tokens: int = 0


_NO_WRAPPER: Final = Wrapper()


class Piece(NamedTuple):
    """An uncut part of a block: `start` to `end`, including the following white space.

    `leads_on`: it ends with a colon, so that the following text belongs to it. Some pages have millions of pieces.
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
        """Return the tokens before this piece at the start of a chunk."""
        return 0 if self.is_first else self.wrapper.opening_tokens

    @property
    def closing_tokens(self) -> int:
        """Return the tokens after this piece at the end of a chunk."""
        return 0 if self.is_last else self.wrapper.closing_tokens

    @property
    def size(self) -> int:
        """Return the tokens of the piece itself."""
        return size_of(self.tokens, self.end - self.start)

    @property
    def cost(self) -> int:
        """Return the tokens of a chunk with only this piece."""
        return self.size + self.opening_tokens + self.closing_tokens


def cut_blocks(
    text: str, blocks: Iterable[tuple[Block, int]], count_tokens: CountTokens, limit: int
) -> Iterator[Piece]:
    """Yield the pieces of all blocks in order, lazily, none of which costs more than `limit` tokens.

    Each block comes with the end of the following white space.
    """
    for some in batches(blocks, lambda block: block[1] - block[0].start):
        counts = iter(count_tokens([around for block, _ in some for around in (block.opening, block.closing)]))
        wrappers = []
        for block, _ in some:
            before, behind = next(counts), next(counts)
            # A wrapper that would fill half a chunk is omitted.
            is_small = before + behind <= limit // 2
            wrappers.append(Wrapper(block.opening, block.closing, before, behind) if is_small else _NO_WRAPPER)
        uncounted = (
            piece
            for (block, end), wrapper in zip(some, wrappers, strict=True)
            for piece in _pieces_of(text, block, end, wrapper, count_tokens, limit)
        )
        for few in batches(uncounted, lambda piece: piece.end - piece.start):
            pieces = _count_tokens_of(text, few, count_tokens)
            # Pieces that are too long are halved, between words if possible, until each fits.
            for _ in range(_MAX_HALVINGS):
                if not any(_is_long(piece, limit) for piece in pieces):
                    break
                halves = (_halve(text, piece) if _is_long(piece, limit) else (piece,) for piece in pieces)
                pieces = _count_tokens_of(text, list(chain.from_iterable(halves)), count_tokens)
            yield from pieces


def batches(items: Iterable[Item], length: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Yield the items in order, in lists of about BATCH_CHARS characters."""
    batch: list[Item] = []
    size = 0
    for item in items:
        batch.append(item)
        size += length(item)
        if size >= BATCH_CHARS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _pieces_of(
    text: str, block: Block, end: int, wrapper: Wrapper, count_tokens: CountTokens, limit: int
) -> Iterator[Piece]:
    """Yield the pieces of one block, mostly uncounted; code or a formula that fits into a chunk is one piece."""
    longest = limit * CHARS_PER_TOKEN
    is_whole = block.kind in (Kind.FENCE, Kind.FORMULA)
    if is_whole and (end - block.start) * _MOST_TOKENS_PER_CHAR <= limit:
        yield _piece(text, block.start, end, block, end, wrapper)._replace(leads_on=False)
        return
    borders: Iterator[int] = iter(())
    if block.kind in PROSE:
        borders = _sentence_borders(text, block)
    elif is_whole or block.kind in (Kind.TABLE, Kind.RULE):
        borders = _line_borders(text, block)
    pieces = (
        half
        for start, stop in pairwise(chain((block.start,), _sparse(borders), (end,)))
        for half in _cut_to_countable(text, _piece(text, start, stop, block, end, wrapper), longest)
    )
    if is_whole and end - block.start <= longest:
        counted = _count_tokens_of(text, list(pieces), count_tokens)
        if sum(piece.size for piece in counted) > limit:
            yield from counted
        else:
            tokens = sum(piece.tokens for piece in counted)
            yield counted[0]._replace(end=counted[-1].end, tokens=tokens, is_last=True, leads_on=False)
    else:
        yield from pieces


def _piece(text: str, start: int, stop: int, block: Block, end: int, wrapper: Wrapper) -> Piece:
    leads_on = text[start:stop].rstrip().endswith(":")
    return Piece(start, stop, _UNCOUNTED, block.kind, wrapper, start == block.start, stop == end, leads_on)


def _cut_to_countable(text: str, piece: Piece, longest: int) -> Iterator[Piece]:
    """Halve the piece until counting is worthwhile: tokens of megabytes take long to count."""
    stack = [piece]
    while stack:
        part = stack.pop()
        if part.end - part.start > longest:
            stack += reversed(_halve(text, part))
        else:
            yield part


def _count_tokens_of(text: str, pieces: Sequence[Piece], count_tokens: CountTokens) -> list[Piece]:
    counts = iter(count_tokens([text[piece.start : piece.end] for piece in pieces if piece.tokens == _UNCOUNTED]))
    return [piece._replace(tokens=next(counts)) if piece.tokens == _UNCOUNTED else piece for piece in pieces]


def _sparse(borders: Iterator[int]) -> Iterator[int]:
    """Yield the borders; after the first _FINE ones, only those several words apart."""
    last = 0
    for number, border in enumerate(borders):
        if number < _FINE or border - last >= _COARSE_CHARS:
            yield border
            last = border


def _sentence_borders(text: str, block: Block) -> Iterator[int]:
    """Yield the starts of all sentences but the first, none inside inline code or a formula.

    A long block is searched in windows, which except for the last end with a sentence.
    """
    start = block.start
    while start < block.end:
        stop = min(start + _WINDOW_CHARS, block.end)
        body = text[start:stop]
        protected = [match.span() for match in _PROTECTED.finditer(body)]
        starts = [first for first, _ in protected]
        borders = []
        for span in sentence_spans(body)[1:]:
            number = bisect_left(starts, span.start) - 1
            if number < 0 or span.start >= protected[number][1]:
                borders.append(start + span.start)
        yield from borders
        start = borders[-1] if borders and stop < block.end else stop


def _line_borders(text: str, block: Block) -> Iterator[int]:
    """Yield the starts of content lines after the first; the closing line stays with the preceding line."""
    at = text.find("\n", block.inner, block.end)
    while at != -1:
        following = text.find("\n", at + 1, block.end)
        is_closing = following == -1 and block.closing and text[at + 1 : block.end].strip() == block.closing.strip()
        if not is_closing:
            yield at + 1
        at = following


def _is_long(piece: Piece, limit: int) -> bool:
    return piece.cost > limit and piece.end - piece.start > 1


def _halve(text: str, piece: Piece) -> tuple[Piece, Piece]:
    middle = (piece.start + piece.end) // 2
    reach = (piece.end - piece.start) // 4
    space = text.rfind(" ", middle - reach, middle + reach)
    border = space + 1 if piece.start < space + 1 < piece.end else middle
    return (
        piece._replace(end=border, tokens=_UNCOUNTED, is_last=False, leads_on=False),
        piece._replace(start=border, tokens=_UNCOUNTED, is_first=False),
    )
