"""Split a page into chunks along its sections: each an exact range of the page text with its heading path and anchor.

Sections shorter than MIN_CHUNK_TOKENS are joined with neighbors under the same parent. Sections longer than a chunk are cut between
blocks, sentences, lines or rows. A prefix and a suffix make a cut fence or table well-formed. Passages that repeat an earlier one of the
page except for case, white space and punctuation are dropped.

Chunks are well filled and cut at natural places, and prose overlaps a little. Dynamic programming over all possible cuts finds the best
ones (like line breaking in Knuth and Plass, "Breaking paragraphs into lines", 1981). A part of each cut's cost depends only on the text
after it, so that the cuts of an edited text soon match the old ones again (content-defined chunking).
"""

from __future__ import annotations

import logging
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, chain, islice, pairwise, takewhile
from typing import Final
from zlib import crc32

from app import caps
from app.extract.page import Page, Section
from app.ingest.pieces import Piece, cut_blocks
from app.library.records import ChunkIn, chunk_key
from app.text.markdown_blocks import Block, Kind, scan_blocks
from app.text.terms import split_identifiers
from app.text.tokens import CountTokens, size_of

log = logging.getLogger(__name__)

CHUNK_OVERLAP: Final = 0.12
_MAX_OVERLAP: Final = CHUNK_OVERLAP * 1.25
_FULL: Final = 0.75
"""The best size of a chunk as a share of the largest one. With fuller chunks, an edit shifts more of the following cuts."""
_BLOCK_END_BONUS: Final = 0.25
_INSIDE_PENALTY: Final = 0.4
_LEAD_PENALTY: Final = 0.25  # The value of a cut: good between blocks, bad in code or a table and after a colon.
_BARE_PENALTY: Final = 4.0  # The cost of a heading without its content.
CHANCE: Final = 0.3  # The maximum part of a cut's cost that depends on the text after it.
_HASHED_CHARS: Final = 48
_WINDOW: Final = 4_096
_SETTLED: Final = 3_072
_REMEMBERED: Final = 256
"""Pieces packed at a time, how many of them are then final, and how many are kept after a cut to repeat in the next chunk."""
_FINE: Final = 4_000
_COARSE_SHARE: Final = 16
"""This many pieces of one text are packed as they are; later ones are combined to sixteenths of a chunk."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A future chunk: its range without surrounding white space, the text before and after it, its tokens."""

    start: int
    end: int
    prefix: str
    suffix: str
    tokens: int


def pack(text: str, pieces: Iterable[Piece], limit: int) -> Iterator[Packed]:
    """Yield chunks of at most `limit` tokens that contain all pieces in order; no chunk ends with a heading alone.

    Many pieces are packed in windows; the last chunks of each window are packed again with the next one.
    """
    window: list[Piece] = []
    new = 0
    for piece in _coarse_behind(pieces, limit):
        window.append(piece)
        if len(window) == _WINDOW:
            ends = _ends(text, window, limit, new)
            for end in [end for end in ends if end <= _SETTLED] or ends[:1]:
                yield _pack_pieces(text, window[_begin_with_overlap(window, new, limit) : end])
                new = end
            kept = max(0, new - _REMEMBERED)
            window, new = window[kept:], new - kept
    for end in _ends(text, window, limit, new):
        yield _pack_pieces(text, window[_begin_with_overlap(window, new, limit) : end])
        new = end


def _coarse_behind(pieces: Iterable[Piece], limit: int) -> Iterator[Piece]:
    """Yield the pieces; after the first _FINE ones, small neighbors of a kind are combined."""
    source = iter(pieces)
    yield from islice(source, _FINE)
    last: Piece | None = None
    for piece in source:
        if last is None:
            last = piece
            continue
        is_small = last.size + piece.size <= limit // _COARSE_SHARE and last.kind is not Kind.HEADING
        if is_small and (last.kind, last.wrapper) == (piece.kind, piece.wrapper):
            tokens = last.tokens + piece.tokens
            last = last._replace(end=piece.end, tokens=tokens, is_last=piece.is_last, leads_on=piece.leads_on)
        else:
            yield last
            last = piece
    if last:
        yield last


def chance(text: str, start: int) -> float:
    """Return a number from 0 to 1 that depends only on the text at an offset."""
    return crc32(text[start : start + _HASHED_CHARS].encode("utf-8", "surrogatepass")) / 2**32


@lru_cache(_WINDOW)
def price_of_size(size: int, limit: int) -> float:
    """Return the cost of a chunk size; for a long text the total is least if all chunks are _FULL."""
    share = size / limit
    return _FULL * _FULL + share * share


def _ends(text: str, pieces: Sequence[Piece], limit: int, begin: int) -> list[int]:
    """Return the last piece of each chunk, starting with piece `begin`, at the lowest total cost."""
    count = len(pieces)
    sizes = [0, *accumulate(piece.size for piece in pieces)]
    closings = [piece.closing_tokens for piece in pieces]
    bodies = [0, *accumulate(piece.kind is not Kind.HEADING for piece in pieces)]
    cuts = [_price_at(text, pieces, index) for index in range(count)]
    prices = [float("inf")] * (count + 1)
    prices[begin] = 0.0
    before = [begin] * (count + 1)
    for new in range(begin, count):
        first = _begin_with_overlap(pieces, new, limit)
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


def _price_at(text: str, pieces: Sequence[Piece], index: int) -> float:
    """Return the cost of ending a chunk with this piece."""
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


def _begin_with_overlap(pieces: Sequence[Piece], new: int, limit: int) -> int:
    """Return the start of a chunk whose first new piece is `new`: some whole sentences earlier if possible."""
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


def _pack_pieces(text: str, pieces: Sequence[Piece]) -> Packed:
    start, end = pieces[0].start, pieces[-1].end
    while end > start and text[end - 1].isspace():
        end -= 1
    prefix = "" if pieces[0].is_first else pieces[0].wrapper.opening
    suffix = "" if pieces[-1].is_last else pieces[-1].wrapper.closing
    tokens = sum(piece.tokens for piece in pieces) + pieces[0].opening_tokens + pieces[-1].closing_tokens
    return Packed(start, end, prefix, suffix, tokens)


MIN_CHUNK_TOKENS: Final = 48
Path = tuple[str, ...]
_SURE_CHARS_PER_TOKEN = 8  # More characters per token than any prose has.
_MOST_HEADINGS = 64  # The number of consecutive headings without text to keep together.
_LANDMARK_SHARE = 0.25
_LANDMARK_BONUS = 0.5
"""Short sections of similar size have no natural cuts; without landmarks an edit would shift all following cuts."""


@dataclass(slots=True)
class _Part:
    """One section, or the text before the first: its blocks, each with the end of the following white space."""

    path: Path
    anchor: str | None
    spans: list[tuple[Block, int]] = field(default_factory=list)
    tokens: int = 0
    size: int = 0
    has_body: bool = False

    @property
    def start(self) -> int:
        return self.spans[0][0].start

    @property
    def characters(self) -> int:
        return self.spans[-1][1] - self.start

    def add(self, block: Block, end: int) -> None:
        self.spans.append((block, end))
        self.has_body = self.has_body or block.kind is not Kind.HEADING


@dataclass(slots=True)
class _Group:
    """Parts that share a chunk, or one part that needs several."""

    parts: list[_Part] = field(default_factory=list)
    tokens: int = 0
    size: int = 0
    has_body: bool = False
    first_path: Path = ()  # The path of the first part with a body.

    def add(self, part: _Part) -> None:
        self.parts.append(part)
        self.tokens += part.tokens
        self.size += part.size
        if part.has_body and not self.has_body:
            self.has_body, self.first_path = True, part.path

    @property
    def bodies(self) -> list[_Part]:
        return [part for part in self.parts if part.has_body] or self.parts


def chunk_page(page: Page, *, url: str, count_tokens: CountTokens, max_tokens: int) -> tuple[ChunkIn, ...]:
    """Return the chunks of a page in order, each with at most `max_tokens`.

    A chunk's text is prefix + page.text[start:end] + suffix. Chunks contain every character that is not white space, except for later
    passages that repeat an earlier one (SeenPassages), which are dropped. Keys depend only on url, section path and text. Cuts depend on
    nearby text, so that chunks keep their keys if the page is edited elsewhere.
    """
    chunks = tuple(islice(_chunks(page, url, count_tokens, max_tokens), caps.MAX_CHUNKS_PER_DOCUMENT))
    if len(chunks) == caps.MAX_CHUNKS_PER_DOCUMENT:
        log.warning("%s: only the first %d chunks are kept", url, len(chunks))
    return chunks


def _chunks(page: Page, url: str, count_tokens: CountTokens, max_tokens: int) -> Iterator[ChunkIn]:
    text = page.text
    seen = SeenPassages()
    used_keys: dict[str, int] = {}
    for group in _join(text, _measure_sections(page, count_tokens, max_tokens), max_tokens):
        # The common path of all parts with a body, and the anchor of the first.
        paths = zip(*(part.path for part in group.bodies), strict=False)
        path = tuple(level[0] for level in takewhile(lambda level: len(set(level)) == 1, paths))
        anchor = group.bodies[0].anchor
        spans = [span for part in group.parts for span in part.spans]
        chunks: Iterable[Packed] = [Packed(spans[0][0].start, spans[-1][0].end, "", "", group.tokens)]
        if group.size > max_tokens:
            chunks = pack(text, cut_blocks(text, spans, count_tokens, max_tokens), max_tokens)
        for packed in chunks:
            own = text[packed.start : packed.end]
            content = packed.prefix + own + packed.suffix
            if not own.strip() or seen.has(content, packed.tokens):
                continue
            base = chunk_key(url, path, content)
            used_keys[base] = count = used_keys.get(base, 0) + 1
            yield ChunkIn(
                key=base if count == 1 else chunk_key(url, path, content, count),
                section_path=path,
                anchor=anchor,
                text=content,
                start=packed.start,
                end=packed.end,
                prefix_length=len(packed.prefix),
                suffix_length=len(packed.suffix),
                tokens=packed.tokens,
                identifiers=split_identifiers(content),
            )


def _measure_sections(page: Page, count_tokens: CountTokens, max_tokens: int) -> list[_Part]:
    """Return the sections with their tokens; sections that are certainly too long for one chunk are counted later, in pieces."""
    starts = [section.start for section in page.sections]
    # Heading path and anchor of each section; without its own anchor, the nearest one above it.
    headings: list[tuple[Path, str | None]] = []
    above: list[Section] = []
    for section in page.sections:
        while above and above[-1].level >= section.level:
            above.pop()
        above.append(section)
        anchor = next((each.anchor for each in reversed(above) if each.anchor), None)
        headings.append((tuple(each.heading for each in above), anchor))
    parts: list[_Part] = []
    current = -2
    for block, following in pairwise(chain(scan_blocks(page.text, starts), (None,))):
        assert block is not None
        end = following.start if following is not None else len(page.text)
        number = bisect_right(starts, block.start) - 1
        if number != current:
            path, anchor = headings[number] if number >= 0 else ((), None)
            parts.append(_Part(path, anchor))
            current = number
        parts[-1].add(block, end)
    short = [part for part in parts if part.characters <= _SURE_CHARS_PER_TOKEN * max_tokens]
    counts = iter(count_tokens([page.text[block.start : end] for part in short for block, end in part.spans]))
    for part in parts:
        part.tokens = part.size = max_tokens + 1
    for part in short:
        sizes = [(next(counts), end - block.start) for block, end in part.spans]
        part.tokens = sum(tokens for tokens, _ in sizes)
        part.size = sum(size_of(tokens, characters) for tokens, characters in sizes)
    return parts


def _join(text: str, parts: list[_Part], max_tokens: int) -> list[_Group]:
    """Group the parts at the lowest total cost, as pieces are packed into chunks."""
    prices = [0.0] + [float("inf")] * len(parts)
    before = [0] * (len(parts) + 1)
    for first in range(len(parts)):
        if prices[first] == float("inf"):  # within a run of headings, where no group ends
            continue
        # The cost of starting a chunk with this section depends on its text, so that most chunks start at one in four sections.
        luck = chance(text, parts[first].start)
        cut = CHANCE * luck - (_LANDMARK_BONUS if luck < _LANDMARK_SHARE else 0.0)
        for end, group in _groups_from(parts, first, max_tokens):
            price = prices[first] + cut + price_of_size(min(group.size, max_tokens), max_tokens)
            if price < prices[end]:
                prices[end], before[end] = price, first
    groups: list[_Group] = []
    end = len(parts)
    while end:
        groups.append(_Group())
        for part in parts[before[end] : end]:
            groups[-1].add(part)
        end = before[end]
    return groups[::-1]


def _groups_from(parts: list[_Part], first: int, max_tokens: int) -> Iterator[tuple[int, _Group]]:
    """Yield each group that may start with a part, and the number of the following part. Only very many headings alone are a group."""
    group = _Group()
    for number in range(first, len(parts)):
        if group.parts and not _belongs(group, parts[number], max_tokens):
            return
        group.add(parts[number])
        is_full = not group.has_body and (group.size > max_tokens or len(group.parts) == _MOST_HEADINGS)
        if group.has_body or is_full or number == len(parts) - 1:
            yield number + 1, group
        if is_full:
            return


def _belongs(group: _Group, part: _Part, max_tokens: int) -> bool:
    """Whether a part may join the preceding group's chunk."""
    if not group.has_body:
        return True
    if not part.has_body or group.size + part.size > max_tokens:
        return False
    if min(group.tokens, part.tokens) >= MIN_CHUNK_TOKENS:
        return False
    first = group.first_path
    return part.path[: len(first)] == first or (len(part.path) == len(first) and part.path[:-1] == first[:-1])


class _Folding(dict[int, str | None]):
    """Maps separators to a space; digits and combining marks remain."""

    def __missing__(self, code: int) -> str | None:
        sign = chr(code)
        kept = sign if unicodedata.category(sign)[0] in "LMN" else " "
        self[code] = kept
        return kept


_FOLDING = _Folding()


class SeenPassages:
    """The passages of one page so far. Short ones, such as headings and one-line answers, may repeat."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def has(self, text: str, tokens: int) -> bool:
        """Remember a passage and return whether it is long enough and was seen before."""
        if tokens < MIN_CHUNK_TOKENS:
            return False
        digest = blake2b((folded(text) or text).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        known = digest in self._seen
        self._seen.add(digest)
        return known


def folded(text: str) -> str:
    """Return the lowercase words of a text separated by single spaces."""
    return " ".join(text.translate(_FOLDING).casefold().split())
