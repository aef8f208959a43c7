"""Small pages as a whole, in few blocks that follow their sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from app.corpus.records import Chunk, Document
from app.retrieval.passages.stretch import Stretch
from app.retrieval.records import RetrievedChunk
from app.text.terms import estimate_tokens

BLOCK_TOKENS: Final = 800
"""A page that is not larger is one block; of larger ones the best part comes first."""
FULL_SHARE: Final = 0.7
"""A block this full ends where a section does."""


def whole_page(document: Document, chunks: Sequence[Chunk], ranked: Iterable[RetrievedChunk]) -> list[RetrievedChunk]:
    """All of a document in blocks of about BLOCK_TOKENS, in its order. `chunks` are those of the document in order.

    Each block has the scores of its best chunk in `ranked`; one where none of its chunks was ranked is adjacent context with the
    lowest score of all.
    """
    known = {item.chunk.id: item for item in ranked}
    lowest = min((item.reranked_score for item in known.values()), default=0.0)
    return [stretch.as_retrieved() for stretch in _blocks(document, chunks, known, lowest)]


def _blocks(
    document: Document, chunks: Sequence[Chunk], known: Mapping[int, RetrievedChunk], lowest: float
) -> list[Stretch]:
    count = -(-estimate_tokens(document.text) // BLOCK_TOKENS)
    full = FULL_SHARE * estimate_tokens(document.text) / max(1, count)
    blocks: list[Stretch] = []
    for chunk in chunks:
        new = Stretch.of(known.get(chunk.id) or RetrievedChunk(chunk, 0.0, lowest, is_locality_expanded=True), document)
        if new is None:
            continue
        joined = blocks[-1].with_(new) if blocks else new
        if not blocks:
            blocks.append(new)
        elif len(blocks) == count or not _ends_before(blocks[-1], new, joined, full):
            blocks[-1] = joined
        else:
            rest = new.without(blocks[-1])
            blocks += [rest] if rest is not None else []
    return blocks


def _ends_before(block: Stretch, new: Stretch, joined: Stretch, full: float) -> bool:
    """Whether the block is full, or full enough at the end of a section."""
    begins_section = block.members[-1].section_path != new.members[0].section_path
    return joined.tokens > BLOCK_TOKENS or (block.tokens >= full and begins_section)
