"""The ledger of tool calls, newest first, bounded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import apsw

from app import caps
from app.corpus.records import ActivityRecord, DayUsage

LAST_ID: Final = 2**63 - 1

COLUMNS: Final = "started_at, client, tool, duration_ms, outcome, tokens, characters, pages, saved"
PAGES: Final = 8
"""The place of the pages in a row, after the id."""

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


def saved_tokens(con: apsw.Connection, pages: Sequence[str], returned: int) -> int:
    """How many tokens fewer were returned than the pages have, each of them counted once; never below 0."""
    whole = con.execute(WHOLE_PAGES, {"urls": json.dumps(list(pages))}).get
    return max(0, int(whole) - returned)


def record(con: apsw.Connection, entry: ActivityRecord) -> ActivityRecord:
    """Append the entry and forget the oldest beyond the cap; returns it with its id."""
    values = (
        *(entry.started_at, entry.client, entry.tool, entry.duration_ms, entry.outcome),
        *(entry.tokens, entry.characters, json.dumps(entry.pages), entry.saved),
    )
    con.execute(f"INSERT INTO activity({COLUMNS}) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    stored = con.last_insert_rowid()
    con.execute("DELETE FROM activity WHERE id <= ?", (stored - caps.MAX_ACTIVITY_ROWS,))
    return replace(entry, id=stored)


def recent(con: apsw.Connection, limit: int, before_id: int | None) -> list[ActivityRecord]:
    """The latest calls, newest first; those before one of them."""
    query = f"SELECT id, {COLUMNS} FROM activity WHERE id < ? ORDER BY id DESC LIMIT ?"
    rows = con.execute(query, (LAST_ID if before_id is None else before_id, limit))
    return [_entry(row) for row in rows]


def per_day(con: apsw.Connection, since: float) -> list[DayUsage]:
    """Calls, tokens, pages and saved tokens of each assistant on each day with calls since a moment, newest day first."""
    return [DayUsage(*row) for row in con.execute(PER_DAY, (since, caps.MAX_USAGE_ROWS))]


def _entry(row: Any) -> ActivityRecord:
    return replace(ActivityRecord(*row), pages=tuple(json.loads(row[PAGES])))


def clear(con: apsw.Connection) -> None:
    """Calls, and what was cited when: both tell what somebody read."""
    con.execute("DELETE FROM activity")
    con.execute("UPDATE documents SET cited_at = NULL, cited_hash = NULL WHERE cited_at IS NOT NULL")
