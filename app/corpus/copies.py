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

PLAIN: Final = "url title text content_hash kind language etag last_modified published last_crawled note"
DOCUMENTS: Final = f"""
SELECT id, {PLAIN.replace(" ", ", ")} FROM documents JOIN document_texts ON document_id = id WHERE id > ? ORDER BY id LIMIT ?
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
    document_id, *plain = row
    document = DocumentIn(
        **dict(zip(PLAIN.split(), plain, strict=True)),
        chunks=tuple(ChunkIn(key, split_path(path), *rest) for key, path, *rest in con.execute(CHUNKS, (document_id,))),
        sections=sections_of(con, document_id),
        links=links_of(con, document_id),
        images=images_of(con, document_id),
        aliases=tuple(each[0] for each in con.execute(ALIASES, (document_id,))),
        navigation=navigation_of(con, document_id),
    )
    vectors: dict[str, EmbeddingIn] = {}
    if model is not None:
        for key, chunk_id, vector, bits in con.execute(VECTORS, (document_id, model.id)):
            signs = np.frombuffer(bits, np.uint8).reshape(-1, (model.dimension + 7) // 8)
            vectors[key] = EmbeddingIn(chunk_id, np.frombuffer(vector, "<f4"), signs)
    return DocumentCopy(document_id, document, vectors)
