"""The rows of the library in large numbers: in pages that stay right while documents come and go, or by id."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, Final, TypeAlias

import apsw

from app.corpus import passage_flags
from app.corpus.binding import id_list, ids_of
from app.corpus.records import DocumentState, LibraryRow

Place: TypeAlias = tuple[float, int]
"""When a document was read, and its id: where a page of rows ended."""

CONDEMNED: Final = "condemned"
"""In `meta`: the ids of documents that are being deleted."""

BEGINNING: Final[Place] = (float("inf"), 0)

PAGE: Final = """
SELECT id FROM documents WHERE (last_crawled, id) < (?, ?) ORDER BY last_crawled DESC, id DESC LIMIT ?
"""
ROWS: Final = """
SELECT d.id, d.url, d.title, d.kind, d.language, d.last_crawled, d.changed_at, d.note, d.doc_tag, d.last_modified,
  d.cited_at, d.cited_at IS NOT NULL AND d.cited_hash IS NOT d.content_hash, f.flags
FROM documents d LEFT JOIN document_flags f ON f.document_id = d.id
WHERE d.id IN (SELECT value FROM carray(?)) ORDER BY d.last_crawled DESC, d.id DESC
"""
CHUNKS: Final = """
SELECT document_id, count(*), sum(tokens) FROM chunks WHERE document_id IN (SELECT value FROM carray(?)) GROUP BY document_id
"""
WAITING: Final = """
SELECT document_id, count(*) FROM waiting WHERE document_id IN (SELECT value FROM carray(?)) GROUP BY document_id
"""
ADDRESSES: Final = "SELECT id, url FROM documents WHERE id IN (SELECT value FROM carray(?))"
DELETE: Final = "DELETE FROM documents WHERE id IN (SELECT value FROM carray(?))"


def page(con: apsw.Connection, after: Place, limit: int) -> list[LibraryRow]:
    """So many rows that follow a place, the last read ones first."""
    return rows(con, [row[0] for row in con.execute(PAGE, (*after, limit))])


def rows(con: apsw.Connection, document_ids: Sequence[int]) -> list[LibraryRow]:
    """The rows of those documents that exist, the last read ones first."""
    ids = ids_of(document_ids)
    chunks: dict[int, tuple[int, int]] = {row[0]: row[1:] for row in con.execute(CHUNKS, (id_list(ids),))}
    waiting: dict[int, int] = dict(iter(con.execute(WAITING, (id_list(ids),))))
    found = con.execute(ROWS, (id_list(ids),))
    return [_row(row, *chunks.get(row[0], (0, 0)), waiting.get(row[0], 0)) for row in found]


def _row(columns: Any, chunks: int, tokens: int, waiting: int) -> LibraryRow:
    id_, url, title, kind, language, last_crawled, changed_at, note, doc_tag, modified, cited_at, is_new, flags = (
        columns
    )
    state = DocumentState.TEXT if waiting else DocumentState.READY
    return LibraryRow(
        *(id_, url, title, kind, language, state, chunks, chunks - waiting, tokens, last_crawled, changed_at, note),
        doc_tag=doc_tag,
        last_modified=modified,
        cited_at=cited_at,
        is_changed_since_cited=bool(is_new),
        flags=passage_flags.read(flags),
    )


def condemn(con: apsw.Connection, document_ids: Sequence[int]) -> None:
    """Note that documents are to be deleted, whatever happens to the program meanwhile."""
    _write_condemned(con, {*condemned(con), *document_ids})


def condemned(con: apsw.Connection) -> list[int]:
    """What is still to be deleted."""
    stored = con.execute("SELECT value FROM meta WHERE key = ?", (CONDEMNED,)).get
    return [int(each) for each in json.loads(stored)] if stored else []


def delete(con: apsw.Connection, document_ids: Sequence[int]) -> dict[int, str]:
    """Remove documents with everything that hangs on them; returns the addresses of those that there were, by id."""
    ids = id_list(ids_of(document_ids))
    removed = dict(iter(con.execute(ADDRESSES, (ids,))))
    con.execute(DELETE, (ids,))
    if left := condemned(con):
        _write_condemned(con, set(left).difference(document_ids))
    return removed


def _write_condemned(con: apsw.Connection, document_ids: Collection[int]) -> None:
    con.execute("DELETE FROM meta WHERE key = ?", (CONDEMNED,))
    if document_ids:
        con.execute("INSERT INTO meta(key, value) VALUES(?, ?)", (CONDEMNED, json.dumps(sorted(document_ids))))
