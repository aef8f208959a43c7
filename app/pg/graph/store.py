"""The graph of a shared library: views of it, and how documents come into it with their mentions and flags."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from app.library.records import LinkRecord, SectionRecord
from app.library.scope import Filter, place_of
from app.pg.connections import Connections, Store
from app.pg.graph.view import PgGraphView
from app.pg.scopes import Scope
from app.pg.sessions import Connection, Rights
from app.text.entities import Mention, mentions_of
from app.text.shield import instruction_flags

LEASE_SECONDS: Final = 300
"""How long a node may take to look through the documents that it claimed; then another one may."""
MAX_SITES_LINKED: Final = 200
"""Other sites that one document is noted as linking to."""
MAX_SITE_BYTES: Final = 1_200
"""An index takes two sites of so many. Links hold whatever somebody wrote: no host has so long a name."""

CLAIM: Final = """
WITH claimed AS (
  UPDATE graph_waiting SET leased_by = $2, lease_until = now() + make_interval(secs => $3) WHERE document_id IN (
    SELECT w.document_id FROM graph_waiting w
    WHERE w.collection_id = ANY($1) AND (w.leased_by IS NULL OR w.leased_by = $2 OR w.lease_until < now())
    ORDER BY w.document_id LIMIT $4 FOR UPDATE SKIP LOCKED
  ) RETURNING document_id
)
SELECT d.id, d.collection_id, d.content_hash, d.title, d.site, t.text, t.sections,
  (SELECT jsonb_agg(jsonb_build_array(l.url, l.text, l.start, l."end") ORDER BY l.ord) FROM links l
    WHERE l.collection_id = ANY($1) AND l.document_id = d.id) AS links,
  (SELECT array_agg(c.text ORDER BY c.ord) FROM chunks c WHERE c.collection_id = ANY($1) AND c.document_id = d.id) AS passages
FROM claimed JOIN documents d ON d.id = claimed.document_id JOIN document_texts t ON t.document_id = d.id
WHERE d.collection_id = ANY($1) ORDER BY d.id
"""
STILL: Final = """
SELECT w.document_id FROM graph_waiting w JOIN documents d ON d.id = w.document_id
WHERE w.collection_id = $1 AND w.document_id = $2 AND w.leased_by = $3 AND d.content_hash = $4 FOR NO KEY UPDATE OF d
"""
"""A document that neither went nor was stored anew since it was claimed. Whoever stores it anew holds it first, too, and says then that it
waits: each would wait for the other if both were held here."""
STORE_MENTIONS: Final = """
INSERT INTO mentions(document_id, collection_id, section, entity_id, count, defines)
SELECT $1, $2, given.section, given.entity_id, given.count, given.defines
FROM unnest($3::int[], $4::bigint[], $5::int[], $6::bool[]) AS given(section, entity_id, count, defines)
"""
STORE_SITES: Final = """
INSERT INTO entity_sites(entity_id, collection_id, site)
SELECT entity_id, $1::int, $2 FROM unnest($3::bigint[]) AS given(entity_id) ORDER BY entity_id ON CONFLICT DO NOTHING
"""
STORE_SITE_LINKS: Final = """
INSERT INTO site_links(collection_id, site, other) SELECT $1::int, $2, other FROM unnest($3::text[]) AS given(other)
ORDER BY other ON CONFLICT DO NOTHING
"""
HIDE: Final = """
UPDATE documents d SET is_quarantined = true WHERE d.collection_id = $1 AND d.id = $2 AND starts_with(d.added_by, 'user:')
  AND NOT $3::text[] <@ coalesce((SELECT f.flags FROM document_flags f WHERE f.collection_id = $1 AND f.document_id = $2), '{}')
  AND NOT EXISTS (SELECT FROM grants g WHERE g.collection_id = $1 AND g.principal = d.added_by AND g.role = 'owner')
"""
"""A page with flags that it did not have waits for an owner, unless one added it. What an owner let go stays."""
STORE_FLAGS: Final = """
INSERT INTO document_flags(document_id, collection_id, flags) VALUES($1, $2, $3)
ON CONFLICT (document_id) DO UPDATE SET flags = excluded.flags
"""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A document whose mentions are not known yet."""

    id: int
    collection_id: int
    content_hash: str
    title: str
    site: str
    text: str
    sections: tuple[SectionRecord, ...]
    links: tuple[LinkRecord, ...]
    passages: tuple[str, ...]


class PgGraph(Store):
    """The graph of all documents, as far as the rights let through."""

    def __init__(self, connections: Connections, rights_of: Callable[[], Rights], worker: str) -> None:
        super().__init__(connections, rights_of)
        self._worker = worker

    @contextmanager
    def view(self, filter: Filter) -> Iterator[PgGraphView]:
        """The graph as far as the filter lets through; each method of the view sees one state of the database."""
        rights = self._rights
        Scope(rights, filter)
        yield PgGraphView(self._connections, rights, filter)

    def has_entities(self) -> bool:
        """Whether there is anything in the graph that sections share."""
        return bool(self._fetch("SELECT EXISTS (SELECT FROM mentions WHERE collection_id = ANY($1))")[0][0])

    def count_waiting(self) -> int:
        """How many documents wait for their mentions."""
        return int(self._fetch("SELECT count(*) FROM graph_waiting WHERE collection_id = ANY($1)")[0][0])

    def fill(self, limit: int) -> int:
        """Find the mentions and flags of so many documents that wait for it, oldest first; returns how many there were.

        They are leased: no other program takes them meanwhile. What is found in a document that was stored anew or deleted is dropped.
        """
        rights = self._rights
        values = (list(rights.writable), self._worker, LEASE_SECONDS, limit)
        rows = self._connections.write(lambda con: con.fetch(CLAIM, *values), rights)
        for document in map(_waiting, rows):
            mentions = mentions_of(document.title, document.text, document.sections, document.links)
            flags = list(dict.fromkeys(flag for passage in document.passages for flag in instruction_flags(passage)))
            self._write(rights, document, mentions, flags)
        return len(rows)

    def _write(self, rights: Rights, document: _Waiting, mentions: Sequence[Mention], flags: Sequence[str]) -> None:
        """Replace what is known of a document, if it still waits for this program. A name keeps its id and its first spelling."""
        own = (document.collection_id, document.id)
        named = list({(each.entity.kind, each.entity.key): each.entity for each in mentions}.items())
        columns = (
            [entity.kind.value for _, entity in named],
            [_plain(entity.name) for _, entity in named],
            [_plain(entity.folded) for _, entity in named],
            [None if entity.tail is None else _plain(entity.tail) for _, entity in named],
        )
        places = (place_of(link.url).tag.lower() for link in document.links)
        sites = dict.fromkeys(_plain(site) for site in places if site != document.site)
        short = [site for site in sites if len(site.encode()) <= MAX_SITE_BYTES]
        others = short[:MAX_SITES_LINKED] if len(document.site.encode()) <= MAX_SITE_BYTES else []

        async def work(con: Connection) -> None:
            if await con.fetchval(STILL, *own, self._worker, document.content_hash) is None:
                return
            ids = {
                named[row[0] - 1][0]: row[1]
                for row in await con.fetch("SELECT * FROM entities_of($1, $2, $3, $4)", *columns)
            }
            rows = [
                (each.section, ids[each.entity.kind, each.entity.key], each.count, each.defines) for each in mentions
            ]
            await con.execute("DELETE FROM mentions WHERE collection_id = $1 AND document_id = $2", *own)
            if rows:
                await con.execute(
                    STORE_MENTIONS, document.id, document.collection_id, *map(list, zip(*rows, strict=True))
                )
                await con.execute(STORE_SITES, document.collection_id, document.site, sorted(set(ids.values())))
            if others:
                await con.execute(STORE_SITE_LINKS, document.collection_id, document.site, others)
            if flags:
                await con.execute(HIDE, *own, list(flags))
                await con.execute(STORE_FLAGS, document.id, document.collection_id, list(flags))
            else:
                await con.execute("DELETE FROM document_flags WHERE collection_id = $1 AND document_id = $2", *own)
            await con.execute("DELETE FROM graph_waiting WHERE collection_id = $1 AND document_id = $2", *own)

        self._connections.write(work, rights)


def _waiting(row: Any) -> _Waiting:
    return _Waiting(
        id=row["id"],
        collection_id=row["collection_id"],
        content_hash=row["content_hash"],
        title=row["title"],
        site=row["site"],
        text=row["text"],
        sections=tuple(SectionRecord(*each) for each in json.loads(row["sections"])),
        links=tuple(LinkRecord(*each) for each in json.loads(row["links"] or "[]")),
        passages=tuple(row["passages"] or ()),
    )


def _plain(text: str) -> str:
    return text.replace("\0", "\ufffd")
