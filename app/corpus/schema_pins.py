"""Passages that the person keeps for good."""

from __future__ import annotations

from typing import Final

import apsw

PINS: Final = """
CREATE TABLE pinned_passages(
  ord INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  section_id TEXT NOT NULL,
  doc_tag TEXT NOT NULL,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  source_uri TEXT NOT NULL,
  anchor TEXT,
  media_type TEXT NOT NULL,
  -- No reference: the copy outlives its document.
  document_id INTEGER,
  document_hash TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  created_at REAL NOT NULL
) STRICT;
"""


def extend(con: apsw.Connection) -> None:
    """The table, in the caller's transaction."""
    con.execute(PINS)
