"""From ranked chunks to passages: coherent blocks that are exact spans of a page, extended if a thought would be cut.

Small pages are returned whole, in a few blocks that follow their sections.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

from app.library.protocol import Library
from app.library.records import Chunk, Document
from app.retrieval.records import RetrievedChunk
from app.text.markdown_blocks import next_block_end, prose_end, prose_start, wrapped_end, wrapped_start
from app.text.terms import estimate_tokens, holds_name, unique_texts

REACH_CHARS: Final = 400  # Maximum characters by which a passage is extended at either end.
ANNOUNCED_CHARS: Final = 800
HEADING_CHARS: Final = 240  # If the beginning of a section is at most this far above, its heading is included.
_TITLE: Final = re.compile(r"\*\*[^*]+\*\*|#{1,6} .+")
GLANCE_CHARS: Final = 32
PASSAGE_TOKENS: Final = 600  # Maximum size of a passage of several chunks (docs/internals/measurements.md).
BRIDGE_TOKENS: Final = 150  # A gap of at most this many tokens is shown: one block reads better than two.
NEIGHBOUR_BONUS: Final = 0.15  # Bonus for a chunk that continues a passage: text next to a good answer completes it.
CONSIDERED_CHUNKS: Final = 40  # The number of best chunks that may become evidence; the budget ends at about fifteen.
RELATIVE_FLOOR: Final = 0.3  # Evidence below this share of the best relevance is omitted.
RARE_NAME_CHUNKS: Final = 3  # A name in at most this many chunks distinguishes rows of a table.
MIN_TOKENS: Final = 16  # If less than this remains of a chunk without the sentences of another passage, it is omitted.
FindDocument = Callable[[int], Document | None]
BLOCK_TOKENS: Final = 800  # A page of at most this size is one block; of larger pages, the best part comes first.
FULL_SHARE: Final = 0.7  # A block this full ends at the end of a section.


def build_passages(
    ranked: Sequence[RetrievedChunk], find_document: FindDocument, *, token_budget: int, names: Sequence[str] = ()
) -> list[RetrievedChunk]:
    """Return passages of the best chunks within `token_budget`, most relevant first, without near-duplicates and clearly irrelevant
    chunks.

    `ranked` is in descending order of relevance. Each item's text is prefix + document.text[start:end] + suffix, with the id and scores
    of its best chunk. Token counts are estimated from bytes. Passages do not overlap. The best chunk of each sub-query and of each rare
    name comes before all others. A chunk larger than the budget is used only if it is the best.
    """
    kept = useful(ranked)
    collection = _Collection(find_document, budget=token_budget)
    best_of_parts: dict[str | None, RetrievedChunk] = {}
    for item in kept:
        best_of_parts.setdefault(item.sub_query, item)
    holders = ([item for item in kept if holds_name(item.chunk.text, name)] for name in names)
    rare = (each[0] for each in holders if 0 < len(each) <= RARE_NAME_CHUNKS)
    for item in (*best_of_parts.values(), *rare):
        collection.add(item, token_budget)
    collection.add_all(kept)
    if kept and not collection.passages:
        # A chunk that is too large is better than none.
        collection.add(kept[0], float("inf"))
    ordered = sorted(collection.passages, key=lambda passage: (-passage.best.reranked_score, passage.best.chunk.id))
    left = token_budget - sum(passage.tokens for passage in ordered)
    for place, passage in enumerate(ordered):
        others = [other for other in ordered if other is not passage and other.document.id == passage.document.id]
        lowest = max((other.end for other in others if other.end <= passage.start), default=0)
        highest = min((other.start for other in others if other.start >= passage.end), default=len(passage.text))
        longer = completed(passage, lowest, highest, room=left)
        left -= longer.tokens - passage.tokens
        ordered[place] = longer
    return [passage.as_retrieved() for passage in ordered]


def useful(ranked: Sequence[RetrievedChunk]) -> list[RetrievedChunk]:
    """Return the considered chunks, without copies of better ones and the clearly irrelevant."""
    floor = RELATIVE_FLOOR * ranked[0].reranked_score if ranked else 0.0
    relevant = (item for item in ranked[:CONSIDERED_CHUNKS] if item.reranked_score > max(floor, 0.0))
    return unique_texts(relevant, lambda item: item.chunk.text)


def whole_page(document: Document, chunks: Sequence[Chunk], ranked: Iterable[RetrievedChunk]) -> list[RetrievedChunk]:
    """Return a whole document in blocks of about BLOCK_TOKENS, each with the scores of its best ranked chunk."""
    known = {item.chunk.id: item for item in ranked}
    lowest = min((item.reranked_score for item in known.values()), default=0.0)
    count = -(-estimate_tokens(document.text) // BLOCK_TOKENS)
    full = FULL_SHARE * estimate_tokens(document.text) / max(1, count)
    blocks: list[Stretch] = []
    for chunk in chunks:
        new = Stretch.of(known.get(chunk.id) or RetrievedChunk(chunk, 0.0, lowest, is_locality_expanded=True), document)
        if new is None:
            continue
        if not blocks:
            blocks.append(new)
            continue
        joined, last = blocks[-1].with_(new), blocks[-1]
        is_open = last.tokens < full or last.members[-1].section_path == new.members[0].section_path
        # Otherwise the block is full enough to end at the end of a section, or the chunk does not fit.
        if len(blocks) == count or (joined.tokens <= BLOCK_TOKENS and is_open):
            blocks[-1] = joined
        elif (rest := new.without(last)) is not None:
            blocks.append(rest)
    return [block.as_retrieved() for block in blocks]


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents of one question by id, read on first use. Blocking, for one thread at a time."""

    corpus: Library
    _read: dict[int, Document | None] = field(default_factory=dict)

    def get(self, document_id: int) -> Document | None:
        """Return the document, or None if it no longer exists."""
        if document_id not in self._read:
            self._read[document_id] = self.corpus.documents.by_id(document_id)
        return self._read[document_id]

    def of(self, document_ids: Iterable[int]) -> dict[int, Document]:
        """Return the existing documents by id, in the order of their first mention."""
        wanted = list(dict.fromkeys(document_ids))
        if unread := [document_id for document_id in wanted if document_id not in self._read]:
            read = {document.id: document for document in self.corpus.documents.by_ids(unread)}
            self._read.update({document_id: read.get(document_id) for document_id in unread})
        found = {document_id: self._read[document_id] for document_id in wanted}
        return {document_id: document for document_id, document in found.items() if document is not None}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A span document.text[start:end] with the necessary text around it, and its best chunk."""

    best: RetrievedChunk
    document: Document
    start: int
    end: int
    prefix: str
    suffix: str
    tokens: int
    members: tuple[Chunk, ...]
    is_cut: bool = False

    @classmethod
    def of(cls, item: RetrievedChunk, document: Document) -> Self | None:
        """Return the span of one chunk, or None if the document has changed since the chunk was read."""
        chunk = item.chunk
        inner_end = len(chunk.text) - chunk.suffix_length
        if document.text[chunk.start : chunk.end] != chunk.text[chunk.prefix_length : inner_end]:
            return None
        prefix, suffix = chunk.text[: chunk.prefix_length], chunk.text[inner_end:]
        return cls(item, document, chunk.start, chunk.end, prefix, suffix, estimate_tokens(chunk.text), (chunk,))

    @property
    def text(self) -> str:
        return self.document.text

    def between(self, start: int, end: int, prefix: str, suffix: str) -> Self:
        """Return the same with other bounds."""
        tokens = estimate_tokens(f"{prefix}{self.text[start:end]}{suffix}")
        return replace(self, start=start, end=end, prefix=prefix, suffix=suffix, tokens=tokens)

    def gap(self, start: int, end: int) -> int:
        """Return the tokens between this span and another one of the document; 0 if they touch or overlap."""
        first, second = (self.end, start) if self.start <= start else (end, self.start)
        return estimate_tokens(self.text[first:second].strip()) if first < second else 0

    def touches(self, start: int, end: int) -> bool:
        """Whether only white space separates this span from another one of the document."""
        first, second = (self.end, start) if self.start <= start else (end, self.start)
        if first >= second:
            return True
        # This runs for every pair; checking the beginning avoids copies of most of the document.
        return self.text[first : min(second, first + GLANCE_CHARS)].isspace() and self.text[first:second].isspace()

    def with_(self, other: Self) -> Self:
        """Return both spans and the text between them."""
        first = self if self.start <= other.start else other
        last = self if self.end >= other.end else other
        better = max(
            self.best, other.best, key=lambda item: (item.reranked_score, not item.is_locality_expanded, -item.chunk.id)
        )
        members = tuple(sorted((*self.members, *other.members), key=lambda chunk: (chunk.start, chunk.id)))
        return replace(self, best=better, members=members).between(first.start, last.end, first.prefix, last.suffix)

    def without(self, other: Self) -> Self | None:
        """Return this span without the text of another one, or None if the rest cannot stand alone."""
        if other.end <= self.start or self.end <= other.start:
            return self
        if other.start <= self.start:
            start = max(self.end - len(self.text[other.end : self.end].lstrip()), other.end)
            whole = other.suffix or start >= self.end
            return None if whole else replace(self.between(start, self.end, "", self.suffix), is_cut=True)
        end = self.start + len(self.text[self.start : other.start].rstrip())
        whole = other.prefix or end <= self.start or other.end < self.end
        return None if whole else replace(self.between(self.start, end, self.prefix, ""), is_cut=True)

    def as_retrieved(self) -> RetrievedChunk:
        """Return the span as an item of evidence with the id and scores of its best chunk."""
        chunk = replace(
            self.best.chunk,
            text=f"{self.prefix}{self.text[self.start : self.end]}{self.suffix}",
            start=self.start,
            end=self.end,
            prefix_length=len(self.prefix),
            suffix_length=len(self.suffix),
            tokens=self.tokens,
        )
        return replace(self.best, chunk=chunk, members=self.members, headings=self.headings())

    def headings(self) -> tuple[str, ...]:
        """Return the section in which it begins and the headings inside it, except defined terms further down."""
        sections = self.document.sections
        starts = [section.start for section in sections]
        first = max(0, bisect_right(starts, self.start) - 1)
        within = sections[first : bisect_left(starts, self.end)]
        return tuple(
            section.heading
            for place, section in enumerate(within)
            if (place == 0 and section.start <= self.start) or self.text.startswith("#", section.start)
        )


def completed(passage: Stretch, lowest: int, highest: int, *, room: float) -> Stretch:
    """Return the passage extended within its section and between two offsets, by at most `room` tokens."""
    low, high = _section(passage)
    lowest, highest = max(lowest, low), min(highest, high)
    longer = passage
    for extend in (_extend_end, _extend_to_announced, _extend_start, _extend_to_heading):
        tried = extend(longer, lowest, highest)
        if tried.tokens - passage.tokens <= room:
            longer = tried
    return longer


def _section(passage: Stretch) -> tuple[int, int]:
    """Return the range from the heading above the start to the heading after the end."""
    starts = [section.start for section in passage.document.sections]
    above = bisect_right(starts, passage.start) - 1
    behind = bisect_left(starts, passage.end)
    return starts[above] if above >= 0 else 0, starts[behind] if behind < len(starts) else len(passage.text)


def _extend_end(passage: Stretch, lowest: int, highest: int) -> Stretch:
    highest = min(highest, passage.end + REACH_CHARS)
    if passage.suffix:
        return _until(passage, wrapped_end(passage.text, passage.end, passage.suffix, highest))
    return _until(passage, prose_end(passage.text, passage.end, highest))


def _extend_to_announced(passage: Stretch, lowest: int, highest: int) -> Stretch:
    """Include the sentence with a colon before a list, table or code, and the bold title above it."""
    last_line = passage.text[passage.start : passage.end].rsplit("\n", 1)[-1]
    if passage.suffix or not (last_line.endswith(":") or _TITLE.fullmatch(last_line)):
        return passage
    return _until(passage, next_block_end(passage.text, passage.end, min(highest, passage.end + ANNOUNCED_CHARS)))


def _extend_start(passage: Stretch, lowest: int, highest: int) -> Stretch:
    lowest = max(lowest, passage.start - REACH_CHARS)
    if passage.prefix:
        return _from(passage, wrapped_start(passage.text, passage.start, passage.prefix, lowest))
    return _from(passage, prose_start(passage.text, passage.start, lowest))


def _extend_to_heading(passage: Stretch, lowest: int, highest: int) -> Stretch:
    """Extend to the heading if it is near, otherwise to the paragraph that introduces the beginning of the passage."""
    if passage.prefix or passage.start <= lowest:
        return passage
    heading, _ = _section(passage)
    if heading >= lowest and passage.start - heading <= HEADING_CHARS:
        return _from(passage, heading)
    before = passage.text[lowest : passage.start].rstrip()
    if not before.endswith(":"):
        return passage
    return _from(passage, prose_start(passage.text, lowest + len(before), max(lowest, passage.start - REACH_CHARS)))


def _until(passage: Stretch, end: int | None) -> Stretch:
    added = len(passage.text[passage.end : end].rstrip()) if end is not None else 0
    return passage.between(passage.start, passage.end + added, passage.prefix, "") if added else passage


def _from(passage: Stretch, start: int | None) -> Stretch:
    return (
        passage if start is None or start >= passage.start else passage.between(start, passage.end, "", passage.suffix)
    )


@dataclass(slots=True)
class _Collection:
    """Passages that grow as chunks are added, within a budget of tokens."""

    find_document: FindDocument
    budget: int
    passages: list[Stretch] = field(default_factory=list)

    def add_all(self, items: Iterable[RetrievedChunk]) -> None:
        """Add the chunks, best first, preferring those that continue a passage; stops at the first that does not fit."""
        rest = list(items)

        def worth(place: int) -> float:
            item, chunk = rest[place], rest[place].chunk
            own = (passage for passage in self.passages if passage.document.id == chunk.document_id)
            is_beside = any(passage.touches(chunk.start, chunk.end) for passage in own)
            return item.reranked_score * (1 + NEIGHBOUR_BONUS) if is_beside else item.reranked_score

        while rest and self.add(rest.pop(max(range(len(rest)), key=worth)), self.budget):
            pass

    def add(self, item: RetrievedChunk, room: float) -> bool:
        """Whether the passages now contain the chunk, or it adds nothing to them; False if it would exceed `room`."""
        document = self.find_document(item.chunk.document_id)
        new = Stretch.of(item, document) if document is not None else None
        if new is None:
            return True
        for passage in self.passages:
            if passage.document.id == new.document.id and passage.start <= new.start and new.end <= passage.end:
                return True
        others = list(self.passages)
        while (joined := _join(new, others)) is not None:
            partner, new = joined
            others.remove(partner)
        # Text of other passages is omitted; if too little remains, there is nothing to add.
        fitted: Stretch | None = new
        for passage in others:
            if fitted is not None and passage.document.id == new.document.id:
                fitted = fitted.without(passage)
        if fitted is None or (fitted.is_cut and fitted.tokens < MIN_TOKENS):
            return True
        if fitted.tokens + sum(other.tokens for other in others) > room:
            return False
        self.passages = [*others, fitted]
        return True


def _join(new: Stretch, passages: Iterable[Stretch]) -> tuple[Stretch, Stretch] | None:
    """Return a passage that the new one continues, and both merged. None if there is none or it would be too large."""
    for passage in passages:
        if passage.document.id == new.document.id and passage.gap(new.start, new.end) <= BRIDGE_TOKENS:
            both = passage.with_(new)
            if both.tokens <= PASSAGE_TOKENS or both.tokens <= max(passage.tokens, new.tokens):
                return passage, both
    return None
