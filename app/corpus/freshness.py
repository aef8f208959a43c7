"""How old documents are, and what changed in them since they were last cited."""

from __future__ import annotations

from collections.abc import Sequence
from email.utils import formatdate
from typing import Final

import apsw

from app.corpus.binding import id_list, ids_of
from app.corpus.records import Freshness

FRESHNESS: Final = """
SELECT d.id, d.url, d.last_crawled, d.last_modified, d.changed_at, d.cited_at, d.file_mtime_ns,
  CASE WHEN d.cited_at IS NULL OR d.cited_hash = d.content_hash THEN 0
    ELSE (SELECT count(*) FROM chunks c WHERE c.document_id = d.id AND c.created_at > d.cited_at) END
FROM documents d WHERE d.id IN (SELECT value FROM carray(?))
"""


def of_documents(con: apsw.Connection, document_ids: Sequence[int]) -> list[Freshness]:
    """In the order of the ids; ids that no longer exist are left out. A file tells its own time of change."""
    found: dict[int, Freshness] = {}
    for id_, url, crawled, modified, changed, cited, mtime_ns, new in con.execute(
        FRESHNESS, (id_list(ids_of(document_ids)),)
    ):
        if modified is None and mtime_ns is not None:
            modified = formatdate(mtime_ns / 1e9, usegmt=True)
        found[id_] = Freshness(id_, url, crawled, modified, changed, cited, new)
    return [found[document_id] for document_id in document_ids if document_id in found]


def note_cited(con: apsw.Connection, document_ids: Sequence[int], now: float) -> None:
    con.execute(
        "UPDATE documents SET cited_at = ?, cited_hash = content_hash WHERE id IN (SELECT value FROM carray(?))",
        (now, id_list(ids_of(document_ids))),
    )
