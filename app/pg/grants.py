"""Access to collections of a shared library, and the audit log.

Contains the collections, the grants and the resulting rights. The audit log records who called which tool and its outcome, never the
query or the results.
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
from app.text.sentence import sentence

MAX_PRINCIPAL_CHARS: Final = 500
MAX_GROUPS: Final = 1_000  # Principals of one user that are checked.
COLLECTION_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}", re.ASCII)
PRINCIPAL: Final = re.compile(r"(?:user|group):[^\x00-\x1f]+")
GRANTS: Final = """
SELECT g.collection_id, c.name, g.principal, g.role FROM grants g JOIN collections c ON c.id = g.collection_id
WHERE $1::text[] IS NULL OR g.principal = ANY($1) ORDER BY c.name, g.principal
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
FORGOTTEN_AT_ONCE: Final = 5_000  # Calls deleted per transaction: more would delay new records.
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
    """The role of a principal in a collection. Each role includes the ones before it."""

    READER = "reader"
    WRITER = "writer"  # Adds and replaces pages.
    OWNER = "owner"  # Deletes other users' pages, hides pages and shows them again.

    def includes(self, other: GrantRole) -> bool:
        """Whether this role includes the other one."""
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
    """A collection, and the number of its readable documents."""

    id: int
    name: str
    documents: int


class Grants:
    """The collections and grants of a library. Reading requires the node role, changes the owner role."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def of(self, principals: Sequence[str]) -> list[Grant]:
        """Return the highest role of the principals in each collection."""
        asked = [each for each in principals if "\0" not in each][:MAX_GROUPS]
        best: dict[int, Grant] = {}
        for row in self._connections.read_first(lambda con: con.fetch(GRANTS, asked)):
            grant = _grant(row)
            known = best.get(grant.collection_id)
            if known is None or not known.role.includes(grant.role):
                best[grant.collection_id] = grant
        return list(best.values())

    def all(self) -> list[Grant]:
        """Return every grant, by collection."""
        return [_grant(row) for row in self._connections.read(lambda con: con.fetch(GRANTS, None))]

    def collections(self, rights: Rights) -> list[Collection]:
        """Return all collections by name. Documents that the rights cannot read are not counted."""
        rows = self._connections.read(lambda con: con.fetch(COLLECTIONS, list(rights.readable)), rights)
        return [Collection(*row) for row in rows]

    def everything(self, subject: str = "") -> Rights:
        """Return the rights of the program itself: read and write all collections."""
        rows = self._connections.read(lambda con: con.fetch("SELECT id FROM collections ORDER BY id"))
        ids = tuple(row[0] for row in rows)
        return Rights(ids, ids, subject)

    # changes, in the role of the table owner

    def give(self, collection: str, principal: str, role: GrantRole) -> None:
        """Grant a role, replacing an earlier one. Raises InvalidArgumentError for an unknown collection or an invalid principal."""
        if not PRINCIPAL.fullmatch(principal) or len(principal) > MAX_PRINCIPAL_CHARS:
            raise InvalidArgumentError(
                sentence("{} is not a valid user or group.", repr(principal[:80])),
                hint="Use user:ISSUER|SUBJECT or group:NAME, as in the access token.",
            )

        async def work(con: Connection) -> None:
            await con.execute(GIVE, await _id_of(con, collection), principal, role.value)

        self._connections.write(work)

    def take(self, collection: str, principal: str) -> bool:
        """Revoke a role; return whether there was one."""
        query = "DELETE FROM grants WHERE collection_id = $1 AND principal = $2 RETURNING principal"

        async def work(con: Connection) -> bool:
            return await con.fetchval(query, await _id_of(con, collection), principal) is not None

        return self._connections.write(work)

    def add_collection(self, name: str) -> int:
        """Create a collection and return its ID. Raises InvalidArgumentError for a name that exists or is invalid."""
        if not COLLECTION_NAME.fullmatch(name):
            raise InvalidArgumentError(
                sentence("{} is not a valid collection name.", repr(name[:80])),
                hint="Use up to 63 lowercase letters, digits, - and _, starting with a letter or digit.",
            )
        query = "INSERT INTO collections(name) VALUES($1) ON CONFLICT (name) DO NOTHING RETURNING id"
        made = self._connections.write(lambda con: con.fetchval(query, name))
        if made is None:
            raise InvalidArgumentError(sentence("The collection {} already exists.", name), hint="Choose another name.")
        return int(made)

    def remove_collection(self, name: str) -> int:
        """Delete a collection with its grants and pages; return the number of pages."""

        async def work(con: Connection) -> int:
            own = await _id_of(con, name)
            # Deleting millions of chunks takes longer than the timeout of a call.
            await con.execute("SET LOCAL statement_timeout = 0")
            removed = int((await con.execute("DELETE FROM documents WHERE collection_id = $1", own)).rpartition(" ")[2])
            await con.execute("DELETE FROM collections WHERE id = $1", own)
            return removed

        return self._connections.write(work)


def rights_of(grants: Iterable[Grant], subject: str = "") -> Rights:
    """Return the rights of a call that result from the grants."""
    given = sorted(grants, key=lambda grant: grant.collection_id)
    writable = tuple(grant.collection_id for grant in given if grant.role.includes(GrantRole.WRITER))
    return Rights(tuple(grant.collection_id for grant in given), writable, subject)


async def _id_of(con: Connection, collection: str) -> int:
    found = None if "\0" in collection else await con.fetchval("SELECT id FROM collections WHERE name = $1", collection)
    if found is None:
        raise InvalidArgumentError(
            sentence("The collection {} does not exist.", repr(collection[:80])),
            hint="See webrag admin collection list.",
        )
    return int(found)


def _grant(row: Any) -> Grant:
    return Grant(row[0], row[1], row[2], GrantRole(row[3]))


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `collections` are those that it could read; `outcome` is "ok" or an error code."""

    subject: str
    client: str
    tool: str
    collections: tuple[int, ...]
    outcome: str
    ms: float
    at: datetime | None = None


class Audit:
    """The audit log of a library, newest call first."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(self, calls: Sequence[Call]) -> None:
        """Record calls with the time of the database."""
        rows = [
            (*map(_name, (call.subject, call.client, call.tool)), list(call.collections), _name(call.outcome), call.ms)
            for call in calls
        ]
        self._connections.write(lambda con: con.executemany(NOTE, rows))

    def recent(self, limit: int, subject: str = "") -> list[Call]:
        """Return the latest calls, of all users or of one subject."""
        rows = self._connections.read(lambda con: con.fetch(CALLS, limit, subject.replace("\0", "")))
        return [Call(row[1], row[2], row[3], tuple(row[4]), row[5], row[6], row[0]) for row in rows]

    def forget(self, days: int) -> int:
        """Delete calls older than this number of days; return how many."""
        total = 0
        while gone := self.forget_some(days):
            total += gone
        return total

    def forget_some(self, days: int) -> int:
        """Delete in one transaction up to FORGOTTEN_AT_ONCE of the oldest calls beyond this age; return how many."""

        async def work(con: Connection) -> int:
            done = await con.execute(FORGET_CALLS, min(max(days, 0), MAX_DAYS), FORGOTTEN_AT_ONCE)
            return int(done.rpartition(" ")[2])

        return self._connections.write(work)


def _name(text: str) -> str:
    """Return the storable part of a name: one invalid name would prevent recording a whole batch of calls."""
    return sound_text(text).replace("\0", "\ufffd")[:MAX_NAME_CHARS]
