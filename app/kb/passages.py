"""Chunks as passages that are kept for those who ask."""

from __future__ import annotations

from app.corpus.records import Chunk
from app.scratch.passage import PassageIn


def passage_of(chunk: Chunk, document_hash: str) -> PassageIn:
    """The whole text of a chunk with its place in its page, under the chunk's id as section."""
    return PassageIn(
        section_id=str(chunk.id),
        doc_tag=chunk.doc_tag,
        title=chunk.title,
        text=chunk.text,
        source_uri=f"{chunk.url}#{chunk.anchor}" if chunk.anchor and chunk.url.startswith("http") else chunk.url,
        anchor=chunk.anchor,
        document_id=chunk.document_id,
        document_hash=document_hash,
        start=chunk.start,
        end=chunk.end,
    )
