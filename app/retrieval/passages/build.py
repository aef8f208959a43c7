"""Passages: chunks of a page that belong together in one block, in the page's own order, completed where a thought is cut in two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.corpus.records import Document
from app.retrieval.passages.completing import completed
from app.retrieval.passages.stretch import Stretch
from app.retrieval.records import RetrievedChunk
from app.text.names import holds_name

PASSAGE_TOKENS: Final = 600
"""No passage of several chunks is larger. Measured: larger ones no longer bring answers forward, smaller ones scatter them."""
BRIDGE_TOKENS: Final = 150
"""A gap of at most so many tokens between two chunks is shown with them: one block reads better than two."""
NEIGHBOUR_BONUS: Final = 0.15
"""How much more a chunk counts that continues a passage: what stands beside a good answer completes it."""
CONSIDERED_CHUNKS: Final = 40
"""So many of the best chunks may become evidence; the budget ends with about fifteen."""
RELATIVE_FLOOR: Final = 0.3
"""Evidence below this share of the best relevance is left out."""
RARE_NAME_CHUNKS: Final = 3
"""A name that no more of the considered chunks hold tells them from their likes, which by meaning are hard to tell apart: rows of
a table, entries of a reference."""
MIN_TOKENS: Final = 16
"""What remains of a chunk without the sentences that another passage holds is left out when it is smaller."""

FindDocument = Callable[[int], Document | None]


def build_passages(
    ranked: Sequence[RetrievedChunk], find_document: FindDocument, *, token_budget: int, names: Sequence[str] = ()
) -> list[RetrievedChunk]:
    """Passages of the best chunks within the budget, the most relevant first; near copies and the clearly irrelevant left out.

    `ranked` is ordered by relevance. Each passage is an item whose chunk has the text prefix + document.text[start:end] +
    suffix and the id and scores of its best chunk; its tokens are estimated from its bytes. Passages do not overlap. The
    best chunk of each sub-query, and of each of `names` that few hold, comes before others; a chunk larger than the budget
    is taken when it is the best.
    """
    kept = useful(ranked)
    collection = _Collection(find_document, budget=token_budget)
    collection.add_each(_best_of_each_sub_query(kept))
    collection.add_each(_best_of_each_rare_name(kept, names))
    collection.add_all(kept)
    if kept and not collection.passages:
        collection.add_first(kept[0])
    return _completed(collection.passages, token_budget)


def useful(ranked: Sequence[RetrievedChunk]) -> list[RetrievedChunk]:
    """The chunks considered, without copies of better ones and the clearly irrelevant."""
    floor = RELATIVE_FLOOR * ranked[0].reranked_score if ranked else 0.0
    first: dict[str, RetrievedChunk] = {}
    for item in ranked[:CONSIDERED_CHUNKS]:
        if item.reranked_score > max(floor, 0.0):
            first.setdefault(" ".join(item.chunk.text.split()).lower(), item)
    return list(first.values())


def _best_of_each_sub_query(useful: Iterable[RetrievedChunk]) -> list[RetrievedChunk]:
    first: dict[str | None, RetrievedChunk] = {}
    for item in useful:
        first.setdefault(item.sub_query, item)
    return list(first.values())


def _best_of_each_rare_name(useful: Sequence[RetrievedChunk], names: Iterable[str]) -> list[RetrievedChunk]:
    found: dict[int, RetrievedChunk] = {}
    for name in names:
        holders = [item for item in useful if holds_name(item.chunk.text, name)]
        if 0 < len(holders) <= RARE_NAME_CHUNKS:
            found.setdefault(holders[0].chunk.id, holders[0])
    return list(found.values())


def _completed(passages: Iterable[Stretch], token_budget: float) -> list[RetrievedChunk]:
    ordered = sorted(passages, key=lambda passage: (-passage.best.reranked_score, passage.best.chunk.id))
    left = token_budget - sum(passage.tokens for passage in ordered)
    for place, passage in enumerate(ordered):
        others = [other for other in ordered if other is not passage and other.document.id == passage.document.id]
        lowest = max((other.end for other in others if other.end <= passage.start), default=0)
        highest = min((other.start for other in others if other.start >= passage.end), default=len(passage.text))
        longer = completed(passage, lowest, highest, room=left)
        left -= longer.tokens - passage.tokens
        ordered[place] = longer
    return [passage.as_retrieved() for passage in ordered]


@dataclass(slots=True)
class _Collection:
    """Passages that grow as chunks are added, within a budget of tokens."""

    find_document: FindDocument
    budget: int
    passages: list[Stretch] = field(default_factory=list)

    def add_each(self, items: Iterable[RetrievedChunk]) -> None:
        """Add the chunks in their order, as far as they fit."""
        for item in items:
            self._add(item, self.budget)

    def add_all(self, items: Iterable[RetrievedChunk]) -> None:
        """Add the chunks, the best first, those that continue a passage before others; ends with the first that does not fit."""
        rest = list(items)
        while rest:
            best = max(range(len(rest)), key=lambda place: self._worth(rest[place]))
            if not self._add(rest.pop(best), self.budget):
                return

    def add_first(self, item: RetrievedChunk) -> None:
        """Add a chunk whatever it takes: one that is too large is better than none."""
        self._add(item, float("inf"))

    def _worth(self, item: RetrievedChunk) -> float:
        chunk = item.chunk
        for passage in self.passages:
            if passage.document.id == chunk.document_id and passage.touches(chunk.start, chunk.end):
                return item.reranked_score * (1 + NEIGHBOUR_BONUS)
        return item.reranked_score

    def _add(self, item: RetrievedChunk, room: float) -> bool:
        """Whether the chunk is in the passages now, or has nothing to add to them; not when it would exceed `room`."""
        document = self.find_document(item.chunk.document_id)
        new = Stretch.of(item, document) if document is not None else None
        if new is None or any(new.is_within(passage) for passage in self.passages):
            return True
        others = list(self.passages)
        while (joined := _joined(new, others)) is not None:
            partner, new = joined
            others.remove(partner)
        fitted = _without_overlap(new, others)
        if fitted is None:
            return True
        if fitted.tokens + sum(other.tokens for other in others) > room:
            return False
        self.passages = [*others, fitted]
        return True


def _joined(new: Stretch, passages: Iterable[Stretch]) -> tuple[Stretch, Stretch] | None:
    """A passage that the new one continues, and both as one; None where there is none or it would be too large."""
    for passage in passages:
        if passage.document.id == new.document.id and passage.gap(new.start, new.end) <= BRIDGE_TOKENS:
            both = passage.with_(new)
            if both.tokens <= PASSAGE_TOKENS or both.tokens <= max(passage.tokens, new.tokens):
                return passage, both
    return None


def _without_overlap(new: Stretch, passages: Iterable[Stretch]) -> Stretch | None:
    """The new stretch without what stands in other passages; None where too little is left."""
    for passage in passages:
        if passage.document.id == new.document.id:
            shorter = new.without(passage)
            if shorter is None:
                return None
            new = shorter
    return new if new.tokens >= MIN_TOKENS or not new.is_cut else None
