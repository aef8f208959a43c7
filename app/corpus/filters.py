"""A Filter as the documents it lets through."""

from __future__ import annotations

import apsw
import numpy as np

from app.corpus.binding import Ids, distinct, ids_of, text_list
from app.corpus.records import Filter

BY_URL = """
SELECT id FROM documents WHERE url IN (SELECT value FROM carray(?1))
UNION SELECT document_id FROM aliases WHERE url IN (SELECT value FROM carray(?1))
"""

LAST_CHARACTER = "\U0010ffff"


def documents(con: apsw.Connection, wanted: Filter) -> Ids | None:
    """Ids of the documents that pass every field given, ascending; None where nothing is restricted."""
    parts: list[Ids] = []
    if wanted.document_ids:
        parts.append(ids_of(wanted.document_ids))
    if wanted.urls:
        parts.append(ids_of(row[0] for row in con.execute(BY_URL, (text_list(wanted.urls),))))
    if wanted.url_prefix:
        prefixed = "SELECT id FROM documents WHERE url >= ?1 AND url < ?2"
        bounds = (wanted.url_prefix, wanted.url_prefix + LAST_CHARACTER)
        parts.append(ids_of(row[0] for row in con.execute(prefixed, bounds)))
    if not parts:
        return None
    allowed = distinct(parts[0])
    for part in parts[1:]:
        allowed = allowed[np.isin(allowed, part)]
    return allowed
