"""Whole documents of the corpus with their vectors, for copying to another store."""

from __future__ import annotations

from typing import Any, Final

import apsw
import numpy as np

from app.corpus.database import split_path
from app.corpus.documents import images_of, links_of, navigation_of, sections_of
from app.corpus.vector_index import Model
from app.library.copying import DocumentCopy
from app.library.records import ChunkIn, DocumentIn, EmbeddingIn

DOCUMENTS: Final = """
SELECT d.id, d.url, d.title, t.text, d.content_hash, d.kind, d.language, d.etag, d.last_modified, d.published, d.last_crawled, d.note
FROM documents d JOIN document_texts t ON t.document_id = d.id WHERE d.id > ? ORDER BY d.id LIMIT ?
"""
CHUNKS: Final = """
SELECT key, section_path, anchor, text, "start", "end", prefix_length, suffix_length, tokens, identifiers
FROM chunks WHERE document_id = ? ORDER BY ord
"""
VECTORS: Final = """
SELECT c.key, c.id, e.vector, t.bits FROM chunks c JOIN embeddings e ON e.chunk_id = c.id JOIN token_vectors t ON t.chunk_id = c.id
WHERE c.document_id = ? AND e.model_id = ?
"""
ALIASES: Final = "SELECT url FROM aliases WHERE document_id = ? ORDER BY url"


def copies(con: apsw.Connection, model: Model | None, after: int, limit: int) -> list[DocumentCopy]:
    """Return up to `limit` documents after an ID, in the order of their IDs."""
    rows: list[Any] = con.execute(DOCUMENTS, (after, limit)).fetchall()
    return [_copy(con, model, row) for row in rows]


def _copy(con: apsw.Connection, model: Model | None, row: Any) -> DocumentCopy:
    document_id, url, title, text, content_hash, kind, language, etag, modified, published, crawled, note = row
    document = DocumentIn(
        url=url,
        title=title,
        text=text,
        content_hash=content_hash,
        kind=kind,
        chunks=tuple(ChunkIn(key, split_path(path), *rest) for key, path, *rest in con.execute(CHUNKS, (document_id,))),
        sections=sections_of(con, document_id),
        links=links_of(con, document_id),
        images=images_of(con, document_id),
        aliases=tuple(each[0] for each in con.execute(ALIASES, (document_id,))),
        language=language,
        etag=etag,
        last_modified=modified,
        published=published,
        last_crawled=crawled,
        note=note,
        navigation=navigation_of(con, document_id),
    )
    vectors: dict[str, EmbeddingIn] = {}
    if model is not None:
        for key, chunk_id, vector, bits in con.execute(VECTORS, (document_id, model.id)):
            signs = np.frombuffer(bits, np.uint8).reshape(-1, (model.dimension + 7) // 8)
            vectors[key] = EmbeddingIn(chunk_id, np.frombuffer(vector, "<f4"), signs)
    return DocumentCopy(document_id, document, vectors)
