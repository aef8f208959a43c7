"""A Filter as the documents it lets through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import apsw
import numpy as np

from app.corpus.encoding import Ids, distinct, ids_of, text_list
from app.corpus.records import Filter

BY_URL = """
SELECT id FROM documents WHERE url IN (SELECT value FROM carray(?1))
UNION SELECT document_id FROM aliases WHERE url IN (SELECT value FROM carray(?1))
"""

LAST_CHARACTER = "\U0010ffff"
BEHIND_SLASH: Final = "0"
"""The character that follows a slash: what is below a tag lies between the tag with a slash and the tag with this."""


def documents(con: apsw.Connection, wanted: Filter) -> Ids | None:
    """Ids of the documents that pass every field given, ascending; None where nothing is restricted."""
    parts = list(_parts(con, wanted))
    if not parts:
        return None
    allowed = distinct(parts[0])
    for part in parts[1:]:
        allowed = allowed[np.isin(allowed, part)]
    return allowed


def _parts(con: apsw.Connection, wanted: Filter) -> Iterator[Ids]:
    """What each field given lets through."""
    if wanted.document_ids:
        yield ids_of(wanted.document_ids)
    if wanted.urls:
        yield _ids(con.execute(BY_URL, (text_list(wanted.urls),)))
    for column, prefix in (("url", wanted.url_prefix), ("doc_path", wanted.path_prefix)):
        if prefix:
            prefixed = f"SELECT id FROM documents WHERE {column} >= ?1 AND {column} < ?2"
            yield _ids(con.execute(prefixed, (prefix, prefix + LAST_CHARACTER)))
    for group in wanted.doc_tags:
        yield _tagged(con, group)
    if wanted.changed_after is not None:
        yield _ids(con.execute("SELECT id FROM documents WHERE changed_at >= ?", (wanted.changed_after,)))


def _tagged(con: apsw.Connection, tags: Iterable[str]) -> Ids:
    """Documents with any of the tags or a tag below one of them."""
    below = "SELECT id FROM documents WHERE doc_tag = ?1 OR (doc_tag > ?1 || '/' AND doc_tag < ?1 || ?2)"
    return ids_of(row[0] for tag in tags for row in con.execute(below, (tag, BEHIND_SLASH)))


def _ids(rows: apsw.Cursor) -> Ids:
    return ids_of(row[0] for row in rows)
