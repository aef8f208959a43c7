"""Writing what documents mention, and which documents still wait for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, TypeAlias

import apsw

from app.corpus.binding import text_list
from app.corpus.records import LinkRecord, SectionRecord
from app.text.entities import Entity, EntityKind, Mention

KNOWN: Final = {
    EntityKind.SYMBOL: "SELECT name, id FROM entities WHERE kind = 'symbol' AND name IN (SELECT value FROM carray(?))",
    EntityKind.TERM: "SELECT folded, id FROM entities WHERE kind = 'term' AND folded IN (SELECT value FROM carray(?))",
}
INSERT_ENTITY: Final = "INSERT INTO entities(id, kind, name, folded, tail) VALUES(?, ?, ?, ?, ?)"
INSERT_MENTION: Final = (
    "INSERT INTO mentions(document_id, section, entity_id, count, defines) VALUES(?, ?, ?, ?, ?)"
    " ON CONFLICT(document_id, section, entity_id) DO UPDATE SET count = excluded.count, defines = excluded.defines"
)
RENAME: Final = "UPDATE entities SET name = ?1 WHERE id = ?2 AND name <> ?1"
"""A term is spelled as where it is defined; names of code have one spelling."""
DELETE_MENTION: Final = "DELETE FROM mentions WHERE document_id = ? AND section = ? AND entity_id = ?"

WAITING: Final = """
SELECT w.document_id, d.content_hash, d.title, t.text FROM graph_waiting w JOIN documents d ON d.id = w.document_id
JOIN document_texts t ON t.document_id = w.document_id ORDER BY w.document_id LIMIT ?
"""
SECTIONS: Final = 'SELECT level, heading, anchor, "start", "end" FROM sections WHERE document_id = ? ORDER BY ord'
LINKS: Final = 'SELECT url, text, "start", "end" FROM links WHERE document_id = ? ORDER BY ord'

Row: TypeAlias = tuple[int, int, int, int]
"""Section, entity, count, whether it defines."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document whose mentions are not known yet."""

    id: int
    content_hash: str
    title: str
    text: str
    sections: tuple[SectionRecord, ...]
    links: tuple[LinkRecord, ...]


def write(con: apsw.Connection, document_id: int, mentions: Sequence[Mention]) -> None:
    """Replace what is known of the document's mentions; entities that stay keep their ids. It no longer waits."""
    ids = _ids(con, mentions)
    wanted: set[Row] = {(m.section, ids[m.entity.kind, m.entity.key], m.count, int(m.defines)) for m in mentions}
    stored: set[Row] = set(
        iter(
            con.execute("SELECT section, entity_id, count, defines FROM mentions WHERE document_id = ?", (document_id,))
        )
    )
    con.executemany(INSERT_MENTION, [(document_id, *row) for row in sorted(wanted - stored)])
    places = {row[:2] for row in wanted}
    gone = sorted({row[:2] for row in stored} - places)
    con.executemany(DELETE_MENTION, [(document_id, *place) for place in gone])
    con.executemany(RENAME, [(m.entity.name, ids[m.entity.kind, m.entity.key]) for m in mentions if m.defines])
    con.execute("DELETE FROM graph_waiting WHERE document_id = ?", (document_id,))


def wait(con: apsw.Connection, document_id: int) -> None:
    """Let the document wait for its mentions."""
    con.execute("INSERT OR IGNORE INTO graph_waiting(document_id) VALUES(?)", (document_id,))


def waiting(con: apsw.Connection, limit: int) -> list[Waiting]:
    """So many documents that wait for their mentions, oldest first."""
    rows: list[Any] = con.execute(WAITING, (limit,)).fetchall()
    return [_waiting(con, *row) for row in rows]


def _waiting(con: apsw.Connection, document_id: int, content_hash: str, title: str, text: str) -> Waiting:
    sections = tuple(SectionRecord(*row) for row in con.execute(SECTIONS, (document_id,)))
    links = tuple(LinkRecord(*row) for row in con.execute(LINKS, (document_id,)))
    return Waiting(document_id, content_hash, title, text, sections, links)


def write_if_unchanged(con: apsw.Connection, document: Waiting, mentions: Sequence[Mention]) -> bool:
    """Write the mentions unless the document was stored anew or deleted meanwhile; whether they were written."""
    still = "SELECT 1 FROM graph_waiting JOIN documents ON id = document_id WHERE id = ? AND content_hash = ?"
    is_unchanged = bool(con.execute(still, (document.id, document.content_hash)).get)
    if is_unchanged:
        write(con, document.id, mentions)
    return is_unchanged


def _ids(con: apsw.Connection, mentions: Sequence[Mention]) -> dict[tuple[EntityKind, str], int]:
    """The ids of all entities named, by kind and key; new ones are stored."""
    named = {(m.entity.kind, m.entity.key): m.entity for m in mentions}
    found = {
        (kind, key): entity_id
        for kind, query in KNOWN.items()
        for key, entity_id in con.execute(query, (text_list(key for each, key in named if each is kind),))
    }
    new = [identity for identity in named if identity not in found]
    if new:
        first = con.execute("SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'entities'").get
        found.update(zip(new, count(first)))
        con.executemany(INSERT_ENTITY, [_row(found[identity], named[identity]) for identity in new])
    return found


def _row(entity_id: int, entity: Entity) -> tuple[object, ...]:
    return entity_id, entity.kind.value, entity.name, entity.folded, entity.tail


def count_waiting(con: apsw.Connection) -> int:
    """How many documents are not in the graph yet."""
    return int(con.execute("SELECT count(*) FROM graph_waiting").get)
