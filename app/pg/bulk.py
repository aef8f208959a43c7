"""Store many new documents with their vectors at a time, by binary COPY.

Only for the owner of the tables: PostgreSQL does not COPY rows into a table whose row security applies to the caller.
"""

from __future__ import annotations

import io
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from app import caps
from app.library.copying import Copied, DocumentCopy
from app.library.records import EmbeddingModel, check_embedding
from app.pg import writing
from app.pg.sessions import DOCUMENTS as SHOWN
from app.pg.sessions import SCHEMA, Connection, Rights
from app.pg.setup import check_may_store, check_schema, check_still

BATCH_SECONDS: Final = 600  # Timeout in seconds of one statement of a batch, including waiting for locks.
PATIENT: Final = f"SET LOCAL statement_timeout = '{BATCH_SECONDS}s'; SET LOCAL lock_timeout = '{BATCH_SECONDS}s'"
STORED: Final = f"""
SELECT d.url, d.content_hash, (SELECT count(*) FROM chunks c WHERE c.document_id = d.id),
  EXISTS (SELECT FROM waiting w WHERE w.document_id = d.id)
FROM documents d WHERE {SHOWN} AND d.url = ANY($2)
"""
IN_USE: Final = """
SELECT url FROM documents WHERE collection_id = $1 AND url = ANY($2)
UNION SELECT url FROM aliases WHERE collection_id = $1 AND url = ANY($2)
"""
NEW_IDS: Final = "SELECT nextval($1::text::regclass) FROM generate_series(1, $2::int)"
COPY_BEGINS: Final = b"PGCOPY\n\xff\r\n\0" + bytes(8)
COPY_ENDS: Final = b"\xff\xff"


@dataclass(frozen=True, slots=True)
class _New:
    """A new document with the IDs that it and its chunks get."""

    id: int
    chunk_ids: Sequence[int]
    copy: DocumentCopy


async def take(
    con: Connection, rights: Rights, model: EmbeddingModel, copies: Sequence[DocumentCopy], *, with_vectors: bool
) -> tuple[Copied, list[DocumentCopy]]:
    """Store the documents with new addresses in the only writable collection; return the others."""
    for each in copies:
        writing.check(each.document)
        for item in each.vectors.values() if with_vectors else ():
            check_embedding(item, model.dimension)
    await con.execute(PATIENT)
    if with_vectors:
        await check_may_store(con, model)
    else:
        check_still(await check_schema(con), model)
    collection = await writing.collection_for(con, rights, "")
    addresses = [writing.addresses_of(each.document) for each in copies]
    named = Counter(url for urls in addresses for url in urls)
    await con.execute(writing.LOCK, collection, list(named))
    stored = {row[0]: row for row in await con.fetch(STORED, [collection], list(named))}
    in_use = {row[0] for row in await con.fetch(IN_USE, collection, list(named))}
    known, left, fresh = 0, [], []
    for each, urls in zip(copies, addresses, strict=True):
        row = stored.get(each.document.url)
        if row is not None and each.is_there(*row[1:], with_vectors=with_vectors):
            known += 1
        elif len(urls) > caps.MAX_ALIASES_PER_DOCUMENT or any(url in in_use or named[url] > 1 for url in urls):
            left.append(each)
        else:
            fresh.append(each)
    if fresh:
        document_ids = await con.fetch(NEW_IDS, "documents_id_seq", len(fresh))
        chunk_ids = iter(await con.fetch(NEW_IDS, "chunks_id_seq", sum(len(each.document.chunks) for each in fresh)))
        new = [
            _New(row[0], [next(chunk_ids)[0] for _ in each.document.chunks], each)
            for row, each in zip(document_ids, fresh, strict=True)
        ]
        await _copy(con, collection, rights.subject, new, with_vectors=with_vectors)
    vectors = sum(len(each.vectors) for each in fresh) if with_vectors else 0
    return Copied(len(fresh), sum(len(each.document.chunks) for each in fresh), vectors, known), left


async def _copy(con: Connection, collection: int, subject: str, new: Sequence[_New], *, with_vectors: bool) -> None:
    now = time.time()
    documents, texts, aliases, links, chunks, words = (list[tuple[Any, ...]]() for _ in range(6))
    for each in new:
        document = each.copy.document
        row = writing.document_row(document, document.last_crawled or now, subject)
        documents.append((each.id, collection, document.url, *row, row[writing.CRAWLED]))
        texts.append((each.id, collection, *writing.text_row(document)))
        aliases.extend((collection, url, each.id) for url in writing.addresses_of(document)[1:])
        links.extend((each.id, collection, *row) for row in writing.link_rows(document))
        rows = writing.chunk_rows(document)
        chunks.extend((chunk_id, collection, each.id, *row) for chunk_id, row in zip(each.chunk_ids, rows, strict=True))
        words.extend(
            (chunk_id, each.id, collection, *writing.word_row(document.title, chunk))
            for chunk_id, chunk in zip(each.chunk_ids, document.chunks, strict=True)
        )
    ids = ("id", "collection_id")
    await _rows(con, "documents", (*ids, "url", *writing.DOCUMENT_COLUMNS, "added_by", "changed_at"), documents)
    await _rows(con, "document_texts", ("document_id", "collection_id", *writing.TEXT_COLUMNS), texts)
    await _rows(con, "aliases", ("collection_id", "url", "document_id"), aliases)
    await _rows(con, "links", ("document_id", "collection_id", *writing.LINK_COLUMNS), links)
    await _rows(con, "chunks", (*ids, "document_id", "key", *writing.CHUNK_COLUMNS), chunks)
    await con.execute(writing.STORE_WORDS, *writing.columns_of(words))
    # Chunk, document, vector and token vectors of the chunks that have them.
    with_vector = [
        (chunk_id, each.id, item.vector, item.token_bits)
        for each in (new if with_vectors else ())
        for chunk_id, chunk in zip(each.chunk_ids, each.copy.document.chunks, strict=True)
        if (item := each.copy.vectors.get(chunk.key)) is not None
    ]
    if with_vector:
        await _vectors(con, collection, with_vector)
        signs = [(row[0], collection, row[3].tobytes()) for row in with_vector]
        await _rows(con, "token_signs", ("chunk_id", "collection_id", "bits"), signs)
    has_vector = {row[0] for row in with_vector}
    waiting = [(each, new_.id, collection) for new_ in new for each in new_.chunk_ids if each not in has_vector]
    await _rows(con, "waiting", ("chunk_id", "document_id", "collection_id"), waiting)
    await _rows(con, "flags_waiting", ("document_id", "collection_id"), [(each.id, collection) for each in new])


async def _rows(con: Connection, table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    if rows:
        await con.copy_records_to_table(table, schema_name=SCHEMA, columns=columns, records=rows)


async def _vectors(con: Connection, collection: int, rows: Sequence[tuple[int, int, Any, Any]]) -> None:
    """COPY a type that the driver does not support: dimension, two zero bytes, and half-precision numbers."""
    vectors = np.stack([row[2] for row in rows]).astype(">f2")
    fields = [("fields", ">i2"), ("n1", ">i4"), ("chunk", ">i8"), ("n2", ">i4"), ("document", ">i8")]
    fields += [("n3", ">i4"), ("collection", ">i4"), ("n4", ">i4"), ("dimension", ">i2"), ("none", ">i2")]
    table = np.zeros(len(rows), [*fields, ("vector", ">f2", (vectors.shape[1],))])
    table["fields"], table["n1"], table["n2"], table["n3"], table["n4"] = 4, 8, 8, 4, 4 + 2 * vectors.shape[1]
    table["chunk"], table["document"] = [row[0] for row in rows], [row[1] for row in rows]
    table["collection"], table["dimension"], table["vector"] = collection, vectors.shape[1], vectors
    await con.copy_to_table(
        "embeddings",
        schema_name=SCHEMA,
        columns=["chunk_id", "document_id", "collection_id", "vector"],
        format="binary",
        source=io.BytesIO(COPY_BEGINS + table.tobytes() + COPY_ENDS),
    )
