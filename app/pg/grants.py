"""Who may read and write which collection of a shared library: the collections, the grants, and the rights that follow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from app.errors import InvalidArgumentError
from app.pg.connections import Connection, Connections, Rights

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
            await con.execute("SELECT nextval('vector_changes')")
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
