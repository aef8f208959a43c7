"""Where each document belongs, in columns of their own, so that a scope is an index range."""

from __future__ import annotations

from typing import Final

import apsw

from app.corpus import tags

COLUMNS: Final = """
-- Tags are compared without case: people and assistants write "FastAPI" for the folder fastapi.
ALTER TABLE documents ADD COLUMN doc_tag TEXT NOT NULL DEFAULT '' COLLATE NOCASE;
ALTER TABLE documents ADD COLUMN doc_path TEXT NOT NULL DEFAULT '';
"""

INDEXES: Final = """
CREATE INDEX documents_by_tag ON documents(doc_tag);
CREATE INDEX documents_by_path ON documents(doc_path);
CREATE INDEX documents_by_change ON documents(changed_at);
"""


def extend(con: apsw.Connection) -> None:
    """The columns, filled for the documents there are, in the caller's transaction."""
    con.execute(COLUMNS)
    tags.place_all(con)
    con.execute(INDEXES)
