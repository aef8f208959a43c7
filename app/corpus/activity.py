"""The ledger of tool calls, newest first, bounded."""

from __future__ import annotations

import json
from dataclasses import replace

import apsw

from app import caps
from app.corpus.records import ActivityRecord

COLUMNS = "started_at, client, tool, duration_ms, outcome, tokens, characters, pages"


def record(con: apsw.Connection, entry: ActivityRecord) -> ActivityRecord:
    """Append the entry and forget the oldest beyond the cap; returns it with its id."""
    values = (
        *(entry.started_at, entry.client, entry.tool, entry.duration_ms, entry.outcome),
        *(entry.tokens, entry.characters, json.dumps(entry.pages)),
    )
    con.execute(f"INSERT INTO activity({COLUMNS}) VALUES(?, ?, ?, ?, ?, ?, ?, ?)", values)
    stored = con.last_insert_rowid()
    con.execute("DELETE FROM activity WHERE id <= ?", (stored - caps.MAX_ACTIVITY_ROWS,))
    return replace(entry, id=stored)


def recent(con: apsw.Connection, limit: int, before_id: int | None) -> list[ActivityRecord]:
    query = f"SELECT id, {COLUMNS} FROM activity WHERE id < coalesce(?1, 9223372036854775807) ORDER BY id DESC LIMIT ?2"
    rows = con.execute(query, (before_id, limit))
    return [ActivityRecord(*row[:-1], tuple(json.loads(row[-1]))) for row in rows]


def clear(con: apsw.Connection) -> None:
    con.execute("DELETE FROM activity")
