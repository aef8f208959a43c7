"""The ledger of tool calls, newest first, bounded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import apsw

from app.corpus.database import Database
from app.corpus.records import ActivityRecord, DayUsage
from app.events import reads_pages

MAX_ACTIVITY_ROWS: Final = 20_000
MAX_USAGE_ROWS: Final = 1_000
"""Days and assistants that calls are added up for."""

LAST_ID: Final = 2**63 - 1

COLUMNS: Final = "started_at, client, tool, duration_ms, outcome, tokens, characters, pages, saved"
PAGES: Final = 8
"""The place of the pages in a row, after the id."""

INSERT: Final = f"INSERT INTO activity({COLUMNS}) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"

PER_DAY: Final = """
SELECT date(started_at, 'unixepoch', 'localtime') AS day, client, COUNT(*), SUM(tokens), SUM(json_array_length(pages)),
  SUM(saved)
FROM activity WHERE started_at >= ? GROUP BY day, client ORDER BY day DESC, SUM(tokens) DESC, client LIMIT ?
"""

WHOLE_PAGES: Final = """
SELECT COALESCE(SUM(chunks.tokens), 0) FROM chunks WHERE document_id IN (
  SELECT id FROM documents WHERE url IN (SELECT value FROM json_each(:urls))
  UNION SELECT document_id FROM aliases WHERE url IN (SELECT value FROM json_each(:urls))
)
"""


class ActivityLog:
    """The calls of the assistants. What `Corpus` says of threads and errors holds here too."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, entry: ActivityRecord) -> ActivityRecord:
        """Append a call to the ledger, which forgets the oldest beyond its cap; returns it with its id and what it saved."""
        reads = reads_pages(entry.tool, entry.outcome, entry.tokens)
        with self._database.write() as con:
            saved = _saved_tokens(con, entry.pages, entry.tokens) if reads else 0
            values = (
                *(entry.started_at, entry.client, entry.tool, entry.duration_ms, entry.outcome),
                *(entry.tokens, entry.characters, json.dumps(entry.pages), saved),
            )
            con.execute(INSERT, values)
            stored = con.last_insert_rowid()
            con.execute("DELETE FROM activity WHERE id <= ?", (stored - MAX_ACTIVITY_ROWS,))
        return replace(entry, id=stored, saved=saved)

    def recent(self, limit: int, before_id: int | None = None) -> list[ActivityRecord]:
        """Calls, newest first; `before_id` goes on from an earlier answer."""
        query = f"SELECT id, {COLUMNS} FROM activity WHERE id < ? ORDER BY id DESC LIMIT ?"
        with self._database.read() as con:
            return [_entry(row) for row in con.execute(query, (LAST_ID if before_id is None else before_id, limit))]

    def usage(self, since: float) -> list[DayUsage]:
        """Calls, tokens, pages and saved tokens of each assistant on each day since a moment, newest day first."""
        with self._database.read() as con:
            return [DayUsage(*row) for row in con.execute(PER_DAY, (since, MAX_USAGE_ROWS))]

    def clear(self) -> None:
        """Erase the ledger, and when documents were cited: both tell what somebody read."""
        with self._database.write() as con:
            con.execute("DELETE FROM activity")
            con.execute("UPDATE documents SET cited_at = NULL, cited_hash = NULL WHERE cited_at IS NOT NULL")


def _saved_tokens(con: apsw.Connection, pages: Sequence[str], returned: int) -> int:
    """How many tokens fewer were returned than the pages have, each of them counted once; never below 0."""
    whole = con.execute(WHOLE_PAGES, {"urls": json.dumps(list(pages))}).get
    return max(0, int(whole) - returned)


def _entry(row: Any) -> ActivityRecord:
    return replace(ActivityRecord(*row), pages=tuple(json.loads(row[PAGES])))
