"""Whole documents of a shared library with their vectors, as another store takes them over."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any, Final

import numpy as np

from app.library.copying import DocumentCopy
from app.library.records import (
    ChunkIn,
    DocumentIn,
    EmbeddingIn,
    EmbeddingModel,
    ImageRecord,
    LinkRecord,
    SectionRecord,
)
from app.pg.connections import Connection, Rights
from app.pg.scopes import DOCUMENTS as SHOWN

DOCUMENTS: Final = f"""
SELECT d.*, t.text, t.sections, t.images, t.navigation,
  ARRAY(SELECT a.url FROM aliases a WHERE a.collection_id = ANY($1) AND a.document_id = d.id ORDER BY a.url) AS aliases,
  (SELECT jsonb_agg(jsonb_build_array(l.url, l.text, l.start, l."end") ORDER BY l.ord) FROM links l
    WHERE l.collection_id = ANY($1) AND l.document_id = d.id) AS links
FROM documents d JOIN document_texts t ON t.document_id = d.id WHERE {SHOWN} AND d.id > $2 ORDER BY d.id LIMIT $3
"""
CHUNKS: Final = """
SELECT c.*, halfvec_send(e.vector) AS vector, s.bits FROM chunks c
LEFT JOIN embeddings e ON e.chunk_id = c.id AND e.collection_id = ANY($1)
LEFT JOIN token_signs s ON s.chunk_id = c.id AND s.collection_id = ANY($1)
WHERE c.collection_id = ANY($1) AND c.document_id = ANY($2) ORDER BY c.document_id, c.ord
"""


async def copies(con: Connection, rights: Rights, model: EmbeddingModel, after: int, limit: int) -> list[DocumentCopy]:
    """So many documents behind an id, in the order of their ids."""
    readable = list(rights.readable)
    rows = await con.fetch(DOCUMENTS, readable, after, limit)
    chunks: dict[int, list[Any]] = defaultdict(list)
    for chunk in await con.fetch(CHUNKS, readable, [row["id"] for row in rows]):
        chunks[chunk["document_id"]].append(chunk)
    return [_copy(row, chunks[row["id"]], model) for row in rows]


def _copy(row: Any, chunks: list[Any], model: EmbeddingModel) -> DocumentCopy:
    plain = ("url", "title", "text", "content_hash", "kind", "language", "etag", "last_modified", "published")
    document = DocumentIn(
        **{name: row[name] for name in (*plain, "last_crawled", "note")},
        chunks=tuple(_chunk(each) for each in chunks),
        sections=tuple(SectionRecord(*each) for each in json.loads(row["sections"])),
        links=tuple(LinkRecord(*each) for each in json.loads(row["links"] or "[]")),
        images=tuple(ImageRecord(*each) for each in json.loads(row["images"])),
        aliases=tuple(row["aliases"]),
        navigation=tuple(row["navigation"]),
    )
    return DocumentCopy(
        row["id"], document, dict(_vector(each, model) for each in chunks if each["vector"] is not None)
    )


def _chunk(row: Any) -> ChunkIn:
    cut = (row["start"], row["end"], row["prefix_length"], row["suffix_length"], row["tokens"])
    return ChunkIn(
        *(row["key"], tuple(row["section_path"]), row["anchor"], row["text"], *cut), identifiers=row["identifiers"]
    )


def _vector(row: Any, model: EmbeddingModel) -> tuple[str, EmbeddingIn]:
    """The vector was rounded to half precision: its length is 1 again. Two numbers of two bytes stand before it."""
    vector = np.frombuffer(row["vector"], ">f2", offset=4).astype(np.float32)
    signs = np.frombuffer(row["bits"] or b"", np.uint8).reshape(-1, (model.dimension + 7) // 8)
    return row["key"], EmbeddingIn(row["id"], vector / np.linalg.norm(vector), signs)
