"""Who called which tool of a shared library and how it ended; never what was asked or found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.pg.connections import Connection, Connections

MAX_NAME_CHARS: Final = 300
MAX_DAYS: Final = 3_650
FORGOTTEN_AT_ONCE: Final = 5_000
"""Calls that are deleted in one transaction: many at once would hold up those that are noted meanwhile."""

ADD: Final = """
INSERT INTO audit(subject, client, tool, collections, outcome, ms) VALUES($1, $2, $3, $4, $5, $6)
"""
RECENT: Final = """
SELECT at, subject, client, tool, collections, outcome, ms FROM audit WHERE $2 = '' OR subject = $2 ORDER BY id DESC LIMIT $1
"""
FORGET: Final = """
DELETE FROM audit WHERE id IN (
  SELECT id FROM audit WHERE at < now() - make_interval(days => $1) ORDER BY at, id LIMIT $2
)
"""


@dataclass(frozen=True, slots=True)
class Call:
    """One call: `collections` are those that it was allowed to read, `outcome` is "ok" or the code of an error."""

    subject: str
    client: str
    tool: str
    collections: tuple[int, ...]
    outcome: str
    ms: float
    at: datetime | None = None


class Audit:
    """The calls of a library, newest first."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(self, calls: Sequence[Call]) -> None:
        """Note calls; the database says when."""
        rows = [
            (*map(_name, (call.subject, call.client, call.tool)), list(call.collections), _name(call.outcome), call.ms)
            for call in calls
        ]
        self._connections.write(lambda con: con.executemany(ADD, rows))

    def recent(self, limit: int, subject: str = "") -> list[Call]:
        """The last calls, of one subject if one is named."""
        rows = self._connections.read(lambda con: con.fetch(RECENT, limit, subject.replace("\0", "")))
        return [Call(row[1], row[2], row[3], tuple(row[4]), row[5], row[6], row[0]) for row in rows]

    def forget(self, days: int) -> int:
        """Delete what is older than so many days; how many calls there were."""
        total = 0
        while gone := self.forget_some(days):
            total += gone
        return total

    def forget_some(self, days: int) -> int:
        """Delete in one transaction the oldest of what is older than so many days, FORGOTTEN_AT_ONCE at most; how many calls."""

        async def work(con: Connection) -> int:
            done = await con.execute(FORGET, min(max(days, 0), MAX_DAYS), FORGOTTEN_AT_ONCE)
            return int(done.rpartition(" ")[2])

        return self._connections.write(work)


def _name(text: str) -> str:
    return text.replace("\0", "\ufffd")[:MAX_NAME_CHARS]
