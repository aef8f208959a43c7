"""Documents read back: one whole, or rows of the library."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap
from pathlib import Path

import apsw

from app.corpus import filters, navigation
from app.corpus.binding import id_list, ids_of
from app.corpus.records import (
    CorpusTotals,
    Document,
    DocumentState,
    DocumentSummary,
    Filter,
    ImageRecord,
    LinkRecord,
    SectionRecord,
)

BY_ADDRESS = """
SELECT id FROM documents WHERE url = ?1
UNION ALL SELECT document_id FROM aliases WHERE url = ?1 LIMIT 1
"""

DOCUMENT = """
SELECT d.url, d.title, t.text, d.kind, d.language,
  EXISTS (SELECT 1 FROM waiting w WHERE w.document_id = d.id),
  d.content_hash, d.etag, d.last_modified, d.published, d.last_crawled, d.changed_at, d.note
FROM documents d JOIN document_texts t ON t.document_id = d.id WHERE d.id = ?
"""

SUMMARY = """
SELECT d.id, d.url, d.title, d.kind, d.language, d.last_crawled, d.changed_at, d.note, d.doc_tag,
  (SELECT count(*) FROM chunks c WHERE c.document_id = d.id),
  (SELECT coalesce(sum(c.tokens), 0) FROM chunks c WHERE c.document_id = d.id),
  (SELECT count(*) FROM waiting w WHERE w.document_id = d.id)
FROM documents d WHERE d.id = ?
"""

TOTALS = """
SELECT (SELECT count(*) FROM documents), count(*), coalesce(sum(tokens), 0), (SELECT count(*) FROM waiting)
FROM chunks
"""

COMPLETE = """
SELECT d.id, d.url FROM documents d WHERE d.id IN (SELECT value FROM carray(?))
  AND NOT EXISTS (SELECT 1 FROM waiting w WHERE w.document_id = d.id) ORDER BY d.id
"""

LINKING = """
WITH addresses(url) AS (
  SELECT ?1 UNION SELECT url FROM documents WHERE id = ?2 UNION SELECT url FROM aliases WHERE document_id = ?2
)
SELECT DISTINCT l.document_id FROM addresses a
JOIN links l ON l.url = a.url OR (l.url >= a.url || '#' AND l.url < a.url || '$')
WHERE l.document_id IS NOT ?2 ORDER BY l.document_id LIMIT ?3
"""


def id_of(con: apsw.Connection, address: str) -> int | None:
    """The document with this address or alias; its own address wins over another one's alias."""
    found: int | None = con.execute(BY_ADDRESS, (address,)).get
    return found


def complete(con: apsw.Connection, document_ids: Sequence[int]) -> dict[int, str]:
    """Addresses by id of those of which no chunk waits for a vector."""
    return dict(iter(con.execute(COMPLETE, (id_list(ids_of(document_ids)),))))


def content_hashes(con: apsw.Connection, document_ids: Sequence[int]) -> dict[int, str]:
    query = "SELECT id, content_hash FROM documents WHERE id IN (SELECT value FROM carray(?))"
    return dict(iter(con.execute(query, (id_list(ids_of(document_ids)),))))


def text_bytes(con: apsw.Connection, document_ids: Sequence[int]) -> dict[int, int]:
    query = (
        "SELECT document_id, octet_length(text) FROM document_texts WHERE document_id IN (SELECT value FROM carray(?))"
    )
    return dict(iter(con.execute(query, (id_list(ids_of(document_ids)),))))


def load(con: apsw.Connection, document_id: int | None) -> Document | None:
    row = con.execute(DOCUMENT, (document_id,)).fetchone()
    if row is None or document_id is None:
        return None
    url, title, text, kind, language, is_waiting, *rest = row
    content_hash, etag, last_modified, published, last_crawled, changed_at, note = rest
    return Document(
        id=document_id,
        url=url,
        title=title,
        text=text,
        kind=kind,
        language=language,
        state=DocumentState.TEXT if is_waiting else DocumentState.READY,
        content_hash=content_hash,
        etag=etag,
        last_modified=last_modified,
        published=published,
        last_crawled=last_crawled,
        changed_at=changed_at,
        note=note,
        sections=_sections(con, document_id),
        images=_images(con, document_id),
    )


def _sections(con: apsw.Connection, document_id: int) -> tuple[SectionRecord, ...]:
    query = 'SELECT level, heading, anchor, "start", "end" FROM sections WHERE document_id = ? ORDER BY ord'
    return tuple(starmap(SectionRecord, con.execute(query, (document_id,))))


def _images(con: apsw.Connection, document_id: int) -> tuple[ImageRecord, ...]:
    query = "SELECT url, alt, caption, position FROM images WHERE document_id = ? ORDER BY ord"
    return tuple(ImageRecord(*row) for row in con.execute(query, (document_id,)))


def links(con: apsw.Connection, document_id: int) -> list[LinkRecord]:
    query = 'SELECT url, text, "start", "end" FROM links WHERE document_id = ? ORDER BY ord'
    return [LinkRecord(*row) for row in con.execute(query, (document_id,))]


def outgoing(con: apsw.Connection, document_id: int) -> list[str]:
    """All addresses that the page links to, without fragments, each once; those of its text first."""
    query = "SELECT url FROM links WHERE document_id = ? ORDER BY ord"
    urls = [row[0] for row in con.execute(query, (document_id,))] + navigation.read(con, document_id)
    return list(dict.fromkeys(bare for url in urls if (bare := url.partition("#")[0])))


def urls_below(con: apsw.Connection, prefix: str, limit: int) -> list[str]:
    """Addresses of documents that start with the prefix, ascending."""
    query = "SELECT url FROM documents WHERE url >= ? AND url < ? ORDER BY url LIMIT ?"
    return [row[0] for row in con.execute(query, (prefix, prefix + filters.LAST_CHARACTER, limit))]


def linking_to(con: apsw.Connection, address: str, limit: int) -> list[DocumentSummary]:
    """Other documents that link to the address, to another one of the same document, or to a place in it."""
    return _summaries(con, con.execute(LINKING, (address, id_of(con, address), limit)))


def summary(con: apsw.Connection, document_id: int | None) -> DocumentSummary | None:
    row = con.execute(SUMMARY, (document_id,)).fetchone()
    if row is None:
        return None
    id_, url, title, kind, language, last_crawled, changed_at, note, doc_tag, chunks, tokens, waiting = row
    return DocumentSummary(
        id=id_,
        url=url,
        title=title,
        kind=kind,
        language=language,
        state=DocumentState.TEXT if waiting else DocumentState.READY,
        chunks=chunks,
        chunks_embedded=chunks - waiting,
        tokens=tokens,
        last_crawled=last_crawled,
        changed_at=changed_at,
        note=note,
        doc_tag=doc_tag,
    )


def summaries(
    con: apsw.Connection, wanted: Filter, text: str, *, limit: int, offset: int, newest_first: bool
) -> list[DocumentSummary]:
    """Rows by the time they were read; `text` must stand in the title or the address."""
    conditions, values = ["1"], list[object]()
    allowed = filters.documents(con, wanted)
    if allowed is not None:
        conditions.append("id IN (SELECT value FROM carray(?))")
        values.append(id_list(allowed))
    if text:
        conditions.append("(title LIKE ? ESCAPE '\\' OR url LIKE ? ESCAPE '\\')")
        values += [_containing(text)] * 2
    order = "DESC" if newest_first else "ASC"
    query = (
        f"SELECT id FROM documents WHERE {' AND '.join(conditions)}"
        f" ORDER BY last_crawled {order}, id {order} LIMIT ? OFFSET ?"
    )
    return _summaries(con, con.execute(query, (*values, limit, offset)))


def _summaries(con: apsw.Connection, ids: apsw.Cursor) -> list[DocumentSummary]:
    found = [summary(con, document_id) for (document_id,) in list(ids)]
    return [row for row in found if row is not None]


def _containing(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def totals(con: apsw.Connection, path: Path) -> CorpusTotals:
    """Counts, and the size of the file with its write-ahead log."""
    documents, chunks, tokens, waiting = con.execute(TOTALS).get
    log = path.with_name(path.name + "-wal")
    file_bytes = sum(file.stat().st_size for file in (path, log) if file.exists())
    return CorpusTotals(documents, chunks, tokens, chunks - waiting, file_bytes)
