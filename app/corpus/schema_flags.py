"""What was found in the passages of each document that addresses the assistant, so that a list of documents can say it.

It is found together with the mentions; a document that waits for them is looked at again.
"""

from __future__ import annotations

from typing import Final

import apsw

TABLES: Final = """
-- Only documents with a flag; `flags` is a JSON array of words.
CREATE TABLE document_flags(
  document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
  flags TEXT NOT NULL
) STRICT;
"""


def extend(con: apsw.Connection) -> None:
    """The table, in the caller's transaction; every document there is waits to be looked at."""
    con.execute(TABLES)
    con.execute("INSERT OR IGNORE INTO graph_waiting(document_id) SELECT id FROM documents")


def is_missing(con: apsw.Connection) -> bool:
    """Whether there is no such table: some files of version 3 were made before there was one."""
    return not con.execute("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'document_flags')").get
