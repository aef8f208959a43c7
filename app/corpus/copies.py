"""Whole documents of the corpus with their vectors, as another store takes them over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import apsw
import numpy as np

from app.corpus import document_writer
from app.corpus.database import split_path
from app.corpus.documents import images_of, links_of, navigation_of, sections_of
from app.corpus.vector_index import Model
from app.corpus.vectors import store_vectors
from app.library.copying import DocumentCopy, Taken
from app.library.records import ChunkIn, DocumentIn, EmbeddingIn

DOCUMENTS: Final = """
SELECT d.id, d.url, d.title, t.text, d.content_hash, d.kind, d.language, d.etag, d.last_modified, d.published, d.last_crawled, d.note
FROM documents d JOIN document_texts t ON t.document_id = d.id WHERE d.id > ? ORDER BY d.id LIMIT ?
"""
CHUNKS: Final = """
SELECT id, key, section_path, anchor, text, "start", "end", prefix_length, suffix_length, tokens, identifiers
FROM chunks WHERE document_id = ? ORDER BY ord
"""
VECTORS: Final = """
SELECT c.key, c.id, e.vector, t.bits FROM chunks c JOIN embeddings e ON e.chunk_id = c.id JOIN token_vectors t ON t.chunk_id = c.id
WHERE c.document_id = ? AND e.model_id = ?
"""
ALIASES: Final = "SELECT url FROM aliases WHERE document_id = ? ORDER BY url"

STORED: Final = """
SELECT content_hash, (SELECT count(*) FROM chunks c WHERE c.document_id = d.id),
  EXISTS (SELECT 1 FROM waiting w WHERE w.document_id = d.id)
FROM documents d WHERE url = ?
"""
WAITING: Final = "SELECT c.id, c.key FROM waiting w JOIN chunks c ON c.id = w.chunk_id WHERE w.document_id = ?"


def copies(con: apsw.Connection, model: Model | None, after: int, limit: int) -> list[DocumentCopy]:
    """So many documents behind an id, in the order of their ids."""
    rows: list[Any] = con.execute(DOCUMENTS, (after, limit)).fetchall()
    return [_copy(con, model, row) for row in rows]


def take(con: apsw.Connection, model: Model | None, copies: Sequence[DocumentCopy], *, with_vectors: bool) -> Taken:
    """Store documents one after the other, in the caller's transaction; those that are there with all they have are left alone."""
    known = documents = chunks = vectors = 0
    for copy in copies:
        row = con.execute(STORED, (copy.document.url,)).fetchone()
        if row is not None and copy.is_there(*row, with_vectors=with_vectors):
            known += 1
            continue
        document_id = document_writer.store(con, replace(copy.document, file=None)).document_id
        items = list(_waiting(con, document_id, copy.vectors)) if with_vectors else []
        if items and model is not None:
            store_vectors(con, model, items)
        documents, chunks, vectors = documents + 1, chunks + len(copy.document.chunks), vectors + len(items)
    return Taken(known, documents, chunks, vectors, ())


def _waiting(con: apsw.Connection, document_id: int, vectors: Mapping[str, EmbeddingIn]) -> Iterator[EmbeddingIn]:
    """The vectors of those chunks that lack them, with the ids of these."""
    lacking: list[tuple[int, str]] = list(con.execute(WAITING, (document_id,)))
    for chunk_id, key in lacking:
        if key in vectors:
            yield replace(vectors[key], chunk_id=chunk_id)


def _copy(con: apsw.Connection, model: Model | None, row: Any) -> DocumentCopy:
    document_id, url, title, text, content_hash, kind, language, etag, modified, published, crawled, note = row
    document = DocumentIn(
        url=url,
        title=title,
        text=text,
        content_hash=content_hash,
        kind=kind,
        chunks=tuple(_chunk(each) for each in con.execute(CHUNKS, (document_id,))),
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
    vectors = con.execute(VECTORS, (document_id, model.id)) if model is not None else ()
    return DocumentCopy(document_id, document, dict(_vector(each, model) for each in vectors if model is not None))


def _chunk(row: Any) -> ChunkIn:
    _, key, path, anchor, text, start, end, prefix_length, suffix_length, tokens, identifiers = row
    cut = (start, end, prefix_length, suffix_length, tokens)
    return ChunkIn(key, split_path(path), anchor, text, *cut, identifiers=identifiers)


def _vector(row: Any, model: Model) -> tuple[str, EmbeddingIn]:
    key, chunk_id, vector, bits = row
    signs = np.frombuffer(bits, np.uint8).reshape(-1, (model.dimension + 7) // 8)
    return key, EmbeddingIn(chunk_id, np.frombuffer(vector, "<f4"), signs)
