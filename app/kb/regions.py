"""Find the parts of ranked chunks that most likely contain the answer: whole sentences, items and rows, best first.

They are rated with the stored token vectors of the chunks, without running the model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from app.embed.embedder import QueryEmbedding
from app.kb.spans import tells
from app.library.protocol import Library
from app.library.records import Chunk
from app.retrieval.analysis import form_bonus, keys_in
from app.retrieval.candidates import estimated, seen_by
from app.retrieval.records import QueryAnalysis, RetrievedChunk, SubQuery
from app.retrieval.rerank import Bits, best_matches, is_outside_model, token_range, word_share
from app.text.markdown_blocks import Span, sentence_spans
from app.text.terms import coverage, holds_name, query_terms

MAX_CHUNK_UNITS_REMEMBERED: Final = 1_024  # Chunks whose sentences and texts are cached.
WEAKEST_SHARE: Final = 1 / 3  # Share of the question with the worst match, which tells answers from topics.
CONSIDERED_CHUNKS: Final = 30  # Further chunks are never chosen.
# A conditional logistic regression (docs/internals/measurements.md).
RELEVANCE_WEIGHT: Final = 10.5
MEAN_WEIGHT: Final = 13.8
WEAKEST_WEIGHT: Final = 17.6
FORM_WEIGHT: Final = 37.6
FUSED_WEIGHT: Final = 3.0
SIMILARITY_WEIGHT: Final = 3.3
KEY_WEIGHT: Final = 6.0  # For the row of a table that the question names by its key; below the weights of whole chunks.
MIN_KEY_CHARS: Final = 3
MAX_KEY_ROWS: Final = 3  # A word in more rows is not a key.
WORDS_WEIGHT: Final = 3.0  # Without token vectors: weight of the share of the question's words.
MAX_REGION_CHARS: Final = 900
BRIDGE_CHARS: Final = 40  # Regions with at most this distance are shown as one.


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a page, from `start` to `end` of its text, within one chunk.

    `units` are the ranges of its sentences in the page. `share` is the probability that it contains the answer if one of the rated
    regions does, `odds` its logarithm up to a common constant.
    """

    item: RetrievedChunk
    units: tuple[Span, ...]
    odds: float
    share: float = 0.0

    @property
    def start(self) -> int:
        return self.units[0].start

    @property
    def end(self) -> int:
        return self.units[-1].end


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a page's text, `[start, end)`, around the region most likely to contain the answer."""

    best: Region
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Regions:
    """Splits ranked chunks into regions and rates them. `closeness` is None if there are no token vectors.

    If the model does not know the language of the question (`is_noise`), vectors compare only regions of the same chunk.
    """

    analysis: QueryAnalysis
    closeness: SpanCloseness | None
    items: tuple[RetrievedChunk, ...]
    is_noise: bool = False

    @classmethod
    def of(cls, corpus: Library, analysis: QueryAnalysis, query: SubQuery, ranked: Sequence[RetrievedChunk]) -> Self:
        """Return the regions of the best chunks."""
        items = tuple(ranked[:CONSIDERED_CHUNKS])
        closeness = SpanCloseness.of(corpus, query, [item.chunk.id for item in items])
        # Of two models, the second one compares what the first one does not know.
        is_noise = closeness is not None and query.again is None and is_outside_model(analysis, query, items)
        return cls(analysis, closeness, items, is_noise)

    def rated(self, tokens: int) -> list[Region]:
        """Return regions of at most `tokens` tokens, best first. They overlap."""
        rows = self._rows_with_keys()
        runs = [
            [_from_row(run, rows.get(item.chunk.id, ())) for run in _telling(item, windows)]
            for item in self.items
            for windows in [_windows(_units_in_page(item), room_of(item, tokens))]
        ]
        stretches = [
            (item.chunk, [Span(run[0].start - _offset(item), run[-1].end - _offset(item)) for run in own])
            for item, own in zip(self.items, runs, strict=True)
        ]
        rates = self.closeness.rate(stretches) if self.closeness else [[NOT_KNOWN] * len(own) for own in runs]
        met = [
            (item, run, item.chunk.text[span.start : span.end], rate)
            for item, own, (_, spans), known in zip(self.items, runs, stretches, rates, strict=True)
            for run, span, rate in zip(own, spans, known, strict=True)
        ]
        by_vectors = self._by_vectors([(item, text, rate) for item, _, text, rate in met])
        if self.is_noise:
            best: dict[int, float] = {}
            for (item, *_), odds in zip(met, by_vectors, strict=True):
                best[item.chunk.id] = max(odds, best.get(item.chunk.id, -math.inf))
            by_vectors = [odds - best[item.chunk.id] for (item, *_), odds in zip(met, by_vectors, strict=True)]
        found = [
            Region(
                item,
                run,
                RELEVANCE_WEIGHT * item.reranked_score
                + FORM_WEIGHT * form_bonus(self.analysis, text)
                + FUSED_WEIGHT * item.retrieval_score
                + KEY_WEIGHT * (run[0] in rows.get(item.chunk.id, ()))
                + odds,
            )
            for (item, run, text, _), odds in zip(met, by_vectors, strict=True)
        ]
        return sorted(found, key=_order)

    def _rows_with_keys(self) -> dict[int, list[Span]]:
        """Return the rows that the question names, by chunk."""
        keys = keys_in(self.analysis.query)
        items = [item for item in self.items if any(key in item.chunk.text for key in keys)]
        units = [(item, unit, _offset(item)) for item in items for unit in _units_in_page(item)]
        texts = [item.chunk.text[unit.start - offset : unit.end - offset] for item, unit, offset in units]
        found: dict[int, list[Span]] = {}
        for number in named_rows(keys, texts):
            found.setdefault(units[number][0].chunk.id, []).append(units[number][1])
        return found

    def _by_vectors(self, met: Sequence[tuple[RetrievedChunk, str, Closeness]]) -> list[float]:
        """Return the rating of each region by vectors; regions without vectors are rated like others with similar words."""
        similar = SIMILARITY_WEIGHT * np.array([item.similarity or 0.0 for item, _, _ in met])
        odds = similar + [MEAN_WEIGHT * rate.mean + WEAKEST_WEIGHT * rate.weakest for _, _, rate in met]
        is_rated = np.array([rate is not NOT_KNOWN for _, _, rate in met], bool)
        if is_rated.all():
            return [float(each) for each in odds]
        terms = query_terms(self.analysis.query)
        language = self.analysis.language
        shares = np.array([coverage(terms, f"{item.chunk.title} {text}", language=language) for item, text, _ in met])
        if not is_rated.any():  # the model has no token vectors
            is_rated = np.array([item.similarity is not None for item, _, _ in met], bool)
            odds = similar + WORDS_WEIGHT * shares
        if is_rated.any():
            odds[~is_rated] = estimated(shares[is_rated], odds[is_rated], shares[~is_rated])
        return [float(each) for each in odds]


def named_rows(keys: Iterable[str], texts: Sequence[str]) -> set[int]:
    """Return the numbers of the texts that are rows of a table and contain a key (`M-070`). A word in many rows is not a key."""
    found: set[int] = set()
    for key in (key for key in keys if len(key) >= MIN_KEY_CHARS):
        rows = {number for number, text in enumerate(texts) if text.startswith("|") and holds_name(text, key)}
        found |= rows if len(rows) <= MAX_KEY_ROWS else set()
    return found


def merged(readings: Iterable[Sequence[Region]]) -> list[Region]:
    """Merge the regions of all wordings of a question, each with its best odds, and compute the shares; best first."""
    best: dict[tuple[int, int, int], Region] = {}
    for region in (region for rated in readings for region in rated):
        place = (region.item.chunk.id, region.start, region.end)
        if place not in best or region.odds > best[place].odds:
            best[place] = region
    rated = sorted(best.values(), key=_order)
    weights = [math.exp(region.odds - rated[0].odds) for region in rated]
    total = sum(weights)
    return [replace(region, share=weight / total) for region, weight in zip(rated, weights, strict=True)]


def choose(rated: Sequence[Region], *, most: int, pages: int, room: Callable[[Region], int]) -> list[Passage]:
    """Choose the best regions of at most `pages` pages, `most` in total, merged with neighbors that fit."""
    held: dict[int, list[_Chosen]] = {}
    order: list[_Chosen] = []
    for region in rated:
        document = region.item.chunk.document_id
        if document not in held and (len(held) == pages or len(order) == most):
            continue
        own = held.get(document, [])
        # Joined with a chosen region that it overlaps or nearly touches, if possible.
        rest = _without(region, own)
        if rest is None or any(chosen.is_near(rest) and chosen.grow(rest, own, room(chosen.best)) for chosen in own):
            continue
        if len(order) < most:
            order.append(_Chosen(rest, rest.start, rest.end))
            held.setdefault(document, []).append(order[-1])
    for chosen in order:
        # Extend by whole sentences after and before, as far as there is room.
        units = _units_in_page(chosen.best.item)
        behind = [unit for unit in units if unit.start >= chosen.end]
        before = [unit for unit in reversed(units) if unit.end <= chosen.start]
        for unit in (*behind, *before):
            chosen.grow(unit, held[chosen.best.item.chunk.document_id], room(chosen.best))
    return [Passage(chosen.best, chosen.start, chosen.end) for chosen in order]


@lru_cache(maxsize=MAX_CHUNK_UNITS_REMEMBERED)
def units_of(text: str, prefix_length: int = 0, suffix_length: int = 0) -> tuple[Span, ...]:
    """Return sentences, items and rows of a text without the prefix and suffix of its chunk; code by lines."""
    last = len(text) - suffix_length
    found: list[Span] = []
    for span in sentence_spans(text):
        start, end = max(span.start, prefix_length), min(span.end, last)
        if start >= end:
            continue
        if not text.startswith(("```", "~~~"), span.start):
            found.append(Span(start, end))
            continue
        for line in text[start:end].split("\n"):
            if line.strip() and not line.lstrip().startswith(("```", "~~~")):
                found.append(Span(start, start + len(line)))
            start += len(line) + 1
    return tuple(found)


def room_of(item: RetrievedChunk, tokens: int) -> int:
    """Return the number of characters in this chunk for that many tokens, at four bytes a token."""
    text = item.chunk.text
    return min(4 * tokens * len(text) // max(1, len(text.encode())), MAX_REGION_CHARS)


@dataclass(frozen=True, slots=True)
class SpanCloseness:
    """Rates spans of chunks. The words of a chunk's title and headings count for each of its spans."""

    query: QueryEmbedding
    bits: Mapping[int, Bits]
    others: SpanCloseness | None = None
    """For chunks that only the second model has embedded."""

    @classmethod
    def of(cls, corpus: Library, query: SubQuery, chunk_ids: Sequence[int]) -> SpanCloseness | None:
        """Prepare these chunks; None if there are no token vectors."""
        if query.embedding is None or not len(query.embedding.token_vectors):
            return None
        stored = seen_by(corpus, query).vectors.token_vectors(chunk_ids)
        bits = {item.chunk_id: item.token_bits for item in stored if len(item.token_bits)}
        apart = corpus.second.only_here(chunk_ids) if query.again is not None and corpus.second is not None else ()
        others = cls.of(corpus, query.again(), sorted(apart)) if query.again is not None and apart else None
        return cls(query.embedding, bits, others) if bits else others

    def rate(self, stretches: Sequence[tuple[Chunk, Sequence[Span]]]) -> list[list[Closeness]]:
        """Return one rating per span of each chunk's text; NOT_KNOWN for chunks without token vectors. All are compared in one step."""
        if self.others is not None:
            own, others = replace(self, others=None).rate(stretches), self.others.rate(stretches)
            pairs = zip(stretches, own, others, strict=True)
            return [mine if chunk.id in self.bits else theirs for (chunk, _), mine, theirs in pairs]
        laid = _Laid([], [])
        for chunk, spans in stretches:
            bits = self.bits.get(chunk.id)
            if bits is not None and spans:
                places = [token_range(bits, chunk, span.start, span.end) for span in spans]
                laid.add(bits, places, head=max(0, len(bits) - chunk.tokens))
        if not laid.places:
            return [[NOT_KNOWN] * len(spans) for _, spans in stretches]
        met = laid.met(self.query)
        weakest = np.sort(met, axis=1)[:, : max(1, int(met.shape[1] * WEAKEST_SHARE))]
        means = zip(met.mean(axis=1), weakest.mean(axis=1), strict=True)
        rated = (Closeness(float(mean), float(low)) for mean, low in means)
        return [
            [next(rated) for _ in spans] if chunk.id in self.bits else [NOT_KNOWN] * len(spans)
            for chunk, spans in stretches
        ]


@dataclass(frozen=True, slots=True)
class Closeness:
    """Match of one span: the mean best match of the question's words, and of the worst third, as cosines."""

    mean: float
    weakest: float


NOT_KNOWN: Final = Closeness(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Laid:
    """Token vectors split at every span border; `places` are the pieces of each span, and of its headings."""

    pieces: list[Bits]
    places: list[tuple[int, int, int, int]]

    def add(self, bits: Bits, spans: Sequence[tuple[int, int]], *, head: int) -> None:
        """Add the token vectors of a chunk, of each span from first to last. The first `head` belong to title and headings."""
        above = (0, max(1, head))
        borders = sorted({border for place in (*spans, above) for border in place})
        number = {border: len(self.pieces) + i for i, border in enumerate(borders)}
        self.pieces.extend(bits[first:last] for first, last in pairwise(borders))
        self.pieces.append(bits[:1])  # reserves the number of the last border: no span contains this part
        for first, last in spans:
            own = above if head else (first, last)
            self.places.append((number[first], number[last], number[own[0]], number[own[1]]))

    def met(self, query: QueryEmbedding) -> NDArray[np.float32]:
        """Return the best match of each question word in each span or its headings: shape (spans, words)."""
        matches = best_matches(query.token_vectors[word_share(query) > 0], self.pieces)
        best = np.maximum.reduceat(matches, np.array(self.places).ravel())[::2]
        return np.asarray(np.maximum(best[::2], best[1::2]), dtype=np.float32)


@dataclass(slots=True)
class _Chosen:
    """A chosen region as it grows; `best` is its first region."""

    best: Region
    start: int
    end: int

    def is_near(self, region: Region) -> bool:
        return region.start <= self.end + BRIDGE_CHARS and self.start <= region.end + BRIDGE_CHARS

    def grow(self, region: Region | Span, others: Sequence[_Chosen], room: int) -> bool:
        """Extend to the end of an adjacent region if there is room and no other region between. Return whether it did."""
        start, end = min(self.start, region.start), max(self.end, region.end)
        is_free = not any(other is not self and other.start < end and start < other.end for other in others)
        if end - start <= room and is_free:
            self.start, self.end = start, end
            return True
        return False


def _units_in_page(item: RetrievedChunk) -> list[Span]:
    chunk, offset = item.chunk, _offset(item)
    units = units_of(chunk.text, chunk.prefix_length, chunk.suffix_length)
    return [Span(unit.start + offset, unit.end + offset) for unit in units]


def _offset(item: RetrievedChunk) -> int:
    """Return the position of the chunk's text in its page."""
    return item.chunk.start - item.chunk.prefix_length


def _telling(item: RetrievedChunk, runs: Iterable[Sequence[Span]]) -> Iterator[tuple[Span, ...]]:
    """Yield the runs without leading markup, such as the rule of a table."""
    offset = _offset(item)
    for run in runs:
        first = 0
        while first < len(run) and not tells(item.chunk.text[run[first].start - offset : run[first].end - offset]):
            first += 1
        if first < len(run):
            yield tuple(run[first:])


def _from_row(run: tuple[Span, ...], rows: Sequence[Span]) -> tuple[Span, ...]:
    """Return the run from the first of these rows: a quote may have room for its beginning only."""
    first = next((number for number, unit in enumerate(run) if unit in rows), 0)
    return run[first:]


def _order(region: Region) -> tuple[float, int, int]:
    return -region.odds, region.item.chunk.id, region.start


def _windows(units: Sequence[Span], room: int) -> Iterator[Sequence[Span]]:
    """Yield the longest runs of units that fit. A unit that does not fit is a separate run."""
    reached = -1
    for first in range(len(units)):
        last = first
        while last + 1 < len(units) and units[last + 1].end - units[first].start <= room:
            last += 1
        if last > reached:
            reached = last
            yield units[first : last + 1]


def _without(region: Region, others: Sequence[_Chosen]) -> Region | None:
    """Return the longest run of the region's units outside all chosen ones; None if there is none."""
    runs: list[list[Span]] = [[]]
    for unit in region.units:
        if any(unit.start < other.end and other.start < unit.end for other in others):
            runs.append([])
        else:
            runs[-1].append(unit)
    longest = max(runs, key=lambda run: run[-1].end - run[0].start if run else 0)
    left = next(_telling(region.item, [longest]), None)
    return replace(region, units=left) if left else None
