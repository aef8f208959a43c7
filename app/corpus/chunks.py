"""Chunks read back, each with what is needed to show and cite it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import apsw

from app.corpus.binding import id_list, ids_of, split_path
from app.corpus.records import Chunk

CHUNKS = """
SELECT c.id, c.document_id, c.key, c.ord, d.url, c.title, c.section_path, c.anchor, c.text,
  c."start", c."end", c.prefix_length, c.suffix_length, c.tokens, d.last_crawled, d.doc_tag
FROM chunks c JOIN documents d ON d.id = c.document_id
"""

NEIGHBOURS = """
JOIN chunks middle ON middle.id = ?1 AND middle.document_id = c.document_id
WHERE c.ord BETWEEN middle.ord - ?2 AND middle.ord + ?3 AND c.id <> middle.id ORDER BY c.ord
"""


def by_id(con: apsw.Connection, chunk_ids: Sequence[int]) -> list[Chunk]:
    """In the order of the ids; ids that no longer exist are left out."""
    rows = con.execute(CHUNKS + "WHERE c.id IN (SELECT value FROM carray(?))", (id_list(ids_of(chunk_ids)),))
    found = {chunk.id: chunk for chunk in _chunks(rows)}
    return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]


def of_document(con: apsw.Connection, document_id: int, *, limit: int, offset: int) -> list[Chunk]:
    rows = con.execute(CHUNKS + "WHERE c.document_id = ? ORDER BY c.ord LIMIT ? OFFSET ?", (document_id, limit, offset))
    return list(_chunks(rows))


def neighbours(con: apsw.Connection, chunk_id: int, before: int, after: int) -> list[Chunk]:
    """The chunks around one in its document, in order, without itself."""
    return list(_chunks(con.execute(CHUNKS + NEIGHBOURS, (chunk_id, before, after))))


def _chunks(rows: Iterable[Any]) -> Iterator[Chunk]:
    for row in rows:
        yield Chunk(*_with_path(*row))


def _with_path(*row: Any) -> tuple[Any, ...]:
    return (*row[:6], split_path(row[6]), *row[7:])
