"""Who may read and write which collection of a shared library: the collections, the grants, and the rights that follow; and who called
which tool of it and how that ended, never what was asked or found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from app.errors import InvalidArgumentError
from app.pg.connections import Connections
from app.pg.sessions import Connection, Rights
from app.serialise import sound_text

MAX_PRINCIPAL_CHARS: Final = 500
MAX_GROUPS: Final = 1_000
"""Principals of one person that are looked up."""
COLLECTION_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}", re.ASCII)
PRINCIPAL: Final = re.compile(r"(?:user|group):[^\x00-\x1f]+")

OF: Final = """
SELECT g.collection_id, c.name, g.principal, g.role FROM grants g JOIN collections c ON c.id = g.collection_id
WHERE g.principal = ANY($1) ORDER BY c.name, g.principal
"""
ALL: Final = """
SELECT g.collection_id, c.name, g.principal, g.role FROM grants g JOIN collections c ON c.id = g.collection_id
ORDER BY c.name, g.principal
"""
COLLECTIONS: Final = """
SELECT c.id, c.name, (SELECT count(*) FROM documents d WHERE d.collection_id = c.id AND d.collection_id = ANY($1)) AS documents
FROM collections c ORDER BY c.name
"""
GIVE: Final = """
INSERT INTO grants(collection_id, principal, role) VALUES($1, $2, $3)
ON CONFLICT (collection_id, principal) DO UPDATE SET role = excluded.role, given_at = now()
"""

MAX_NAME_CHARS: Final = 300
MAX_DAYS: Final = 3_650
FORGOTTEN_AT_ONCE: Final = 5_000
"""Calls that are deleted in one transaction: many at once would hold up those that are noted meanwhile."""

NOTE: Final = """
INSERT INTO audit(subject, client, tool, collections, outcome, ms) VALUES($1, $2, $3, $4, $5, $6)
"""
CALLS: Final = """
SELECT at, subject, client, tool, collections, outcome, ms FROM audit WHERE $2 = '' OR subject = $2 ORDER BY id DESC LIMIT $1
"""
FORGET_CALLS: Final = """
DELETE FROM audit WHERE id IN (
  SELECT id FROM audit WHERE at < now() - make_interval(days => $1) ORDER BY at, id LIMIT $2
)
"""


class GrantRole(StrEnum):
    """What a principal may do in a collection; each may do what those before it may."""

    READER = "reader"
    WRITER = "writer"
    """Adds and replaces pages."""
    OWNER = "owner"
    """Deletes pages of others, hides pages and lets them go."""

    def includes(self, other: GrantRole) -> bool:
        """Whether who has this role may do what the other one may."""
        order = list(GrantRole)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True)
class Grant:
    """A role of a principal (`user:<issuer>|<subject>` or `group:<name>`) in a collection."""

    collection_id: int
    collection: str
    principal: str
    role: GrantRole


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection, and how many documents it has among those that may be read."""

    id: int
    name: str
    documents: int


class Grants:
    """The collections and grants of a library. Reading works in the role of a node, changing needs that of the owner."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def of(self, principals: Sequence[str]) -> list[Grant]:
        """What any of the principals was given: for each collection the most."""
        asked = [each for each in principals if "\0" not in each][:MAX_GROUPS]
        best: dict[int, Grant] = {}
        for row in self._connections.read_first(lambda con: con.fetch(OF, asked)):
            grant = _grant(row)
            known = best.get(grant.collection_id)
            if known is None or not known.role.includes(grant.role):
                best[grant.collection_id] = grant
        return list(best.values())

    def all(self) -> list[Grant]:
        """Every grant, by collection."""
        return [_grant(row) for row in self._connections.read(lambda con: con.fetch(ALL))]

    def collections(self, rights: Rights) -> list[Collection]:
        """All collections by name; the documents of those that the rights do not read count as none."""
        rows = self._connections.read(lambda con: con.fetch(COLLECTIONS, list(rights.readable)), rights)
        return [Collection(*row) for row in rows]

    def everything(self, subject: str = "") -> Rights:
        """The rights of the program itself: all collections, to read and to write."""
        ids = tuple(
            row[0] for row in self._connections.read(lambda con: con.fetch("SELECT id FROM collections ORDER BY id"))
        )
        return Rights(ids, ids, subject)

    # changes, as the owner of the tables

    def give(self, collection: str, principal: str, role: GrantRole) -> None:
        """Give a role in the place of an earlier one. Raises InvalidArgumentError for no collection and no principal."""
        if not PRINCIPAL.fullmatch(principal) or len(principal) > MAX_PRINCIPAL_CHARS:
            raise InvalidArgumentError(
                f"{principal[:80]!r} names nobody.",
                hint="Give user:ISSUER|SUBJECT or group:NAME, as the sign-in names them.",
            )

        async def work(con: Connection) -> None:
            await con.execute(GIVE, await _id_of(con, collection), principal, role.value)

        self._connections.write(work)

    def take(self, collection: str, principal: str) -> bool:
        """Take a role away; whether there was one."""
        query = "DELETE FROM grants WHERE collection_id = $1 AND principal = $2 RETURNING principal"

        async def work(con: Connection) -> bool:
            return await con.fetchval(query, await _id_of(con, collection), principal) is not None

        return self._connections.write(work)

    def add_collection(self, name: str) -> int:
        """Make a collection; its id. Raises InvalidArgumentError for a name that is taken or cannot be one."""
        if not COLLECTION_NAME.fullmatch(name):
            raise InvalidArgumentError(
                f"{name[:80]!r} cannot be the name of a collection.",
                hint="Take small letters, digits, - and _, at most 63, beginning with a letter or digit.",
            )
        query = "INSERT INTO collections(name) VALUES($1) ON CONFLICT (name) DO NOTHING RETURNING id"
        made = self._connections.write(lambda con: con.fetchval(query, name))
        if made is None:
            raise InvalidArgumentError(f"There is a collection {name} already.")
        return int(made)

    def remove_collection(self, name: str) -> int:
        """Delete a collection with its grants and pages; how many pages there were."""

        async def work(con: Connection) -> int:
            own = await _id_of(con, name)
            # A collection of millions of passages takes longer than a call may.
            await con.execute("SET LOCAL statement_timeout = 0")
            removed = int((await con.execute("DELETE FROM documents WHERE collection_id = $1", own)).rpartition(" ")[2])
            await con.execute("DELETE FROM collections WHERE id = $1", own)
            return removed

        return self._connections.write(work)


def rights_of(grants: Iterable[Grant], subject: str = "") -> Rights:
    """What the grants let a call read and write."""
    given = sorted(grants, key=lambda grant: grant.collection_id)
    writable = tuple(grant.collection_id for grant in given if grant.role.includes(GrantRole.WRITER))
    return Rights(tuple(grant.collection_id for grant in given), writable, subject)


async def _id_of(con: Connection, collection: str) -> int:
    found = None if "\0" in collection else await con.fetchval("SELECT id FROM collections WHERE name = $1", collection)
    if found is None:
        raise InvalidArgumentError(
            f"There is no collection {collection[:80]!r}.", hint="See webrag library collection list."
        )
    return int(found)


def _grant(row: Any) -> Grant:
    return Grant(row[0], row[1], row[2], GrantRole(row[3]))


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
        self._connections.write(lambda con: con.executemany(NOTE, rows))

    def recent(self, limit: int, subject: str = "") -> list[Call]:
        """The last calls, of one subject if one is named."""
        rows = self._connections.read(lambda con: con.fetch(CALLS, limit, subject.replace("\0", "")))
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
            done = await con.execute(FORGET_CALLS, min(max(days, 0), MAX_DAYS), FORGOTTEN_AT_ONCE)
            return int(done.rpartition(" ")[2])

        return self._connections.write(work)


def _name(text: str) -> str:
    """What can be stored of it: one name that cannot would keep all calls noted with it from being noted."""
    return sound_text(text).replace("\0", "\ufffd")[:MAX_NAME_CHARS]
