"""The graph in the corpus: views of one scope, and the extraction of mentions and flags from documents."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, Final, TypeAlias

import apsw

from app.corpus.database import Database, Store, text_list
from app.corpus.documents import links_of, searched_ids, sections_of
from app.corpus.graph.sites import Derived
from app.corpus.graph.view import GraphView
from app.corpus.page_texts import TEXT
from app.library.protocol import Graph
from app.library.scope import Filter
from app.text.entities import EntityKind, Mention, mentions_of
from app.text.shield import instruction_flags

log = logging.getLogger(__name__)

KNOWN: Final = {
    EntityKind.SYMBOL: "SELECT name, id FROM entities WHERE kind = 'symbol' AND name IN (SELECT value FROM carray(?))",
    EntityKind.TERM: "SELECT folded, id FROM entities WHERE kind = 'term' AND folded IN (SELECT value FROM carray(?))",
}
INSERT_MENTION: Final = (
    "INSERT INTO mentions(document_id, section, entity_id, count, defines) VALUES(?, ?, ?, ?, ?)"
    " ON CONFLICT(document_id, section, entity_id) DO UPDATE SET count = excluded.count, defines = excluded.defines"
)
RENAME: Final = "UPDATE entities SET name = ?1 WHERE id = ?2 AND name <> ?1"
"""A term takes the spelling of its definition; code names have one spelling."""
DELETE_MENTION: Final = "DELETE FROM mentions WHERE document_id = ? AND section = ? AND entity_id = ?"
WAITING: Final = f"""
SELECT w.document_id, d.content_hash, d.title, {TEXT} FROM graph_waiting w JOIN documents d ON d.id = w.document_id
JOIN document_texts t ON t.document_id = w.document_id ORDER BY w.document_id LIMIT ?
"""
STORED: Final = "SELECT section, entity_id, count, defines FROM mentions WHERE document_id = ?"
PASSAGES: Final = "SELECT text FROM chunks WHERE document_id = ? ORDER BY ord"
WRITE_FLAGS: Final = """
INSERT INTO document_flags(document_id, flags) VALUES(?, ?) ON CONFLICT(document_id) DO UPDATE SET flags = excluded.flags
"""
STILL: Final = "SELECT 1 FROM graph_waiting JOIN documents ON id = document_id WHERE id = ? AND content_hash = ?"
"""A document that was neither deleted nor stored again since it was read."""

_Row: TypeAlias = tuple[int, int, int, int]  # Section, entity, count, whether it is a definition.


class GraphStore(Store, Graph):
    """The graph of all documents."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._derived: Derived | None = None

    @contextmanager
    def view(self, filter: Filter) -> Iterator[GraphView]:
        with self._database.read() as con:
            self._derived = derived = Derived.of(con, self._derived)
            allowed = searched_ids(con, filter)
            yield GraphView(con, None if allowed is None else frozenset(allowed.tolist()), derived)

    def fill(self, limit: int) -> int:
        """Extract mentions and flags of waiting documents, unless they change before; return their number."""
        with self._database.read() as con:
            rows: list[Any] = con.execute(WAITING, (limit,)).fetchall()
            waiting = [
                (*row, sections_of(con, row[0]), links_of(con, row[0]), con.execute(PASSAGES, (row[0],)).fetchall())
                for row in rows
            ]
        found = [
            (
                document_id,
                content_hash,
                _mentions_in(document_id, title, text, sections, links),
                list(dict.fromkeys(flag for (passage,) in passages for flag in instruction_flags(passage))),
            )
            for document_id, content_hash, title, text, sections, links, passages in waiting
        ]
        if found:
            with self._database.write() as con:
                for document_id, content_hash, mentions, flags in found:
                    if con.execute(STILL, (document_id, content_hash)).get:
                        _write_mentions(con, document_id, mentions)
                        if flags:
                            con.execute(WRITE_FLAGS, (document_id, json.dumps(flags)))
                        else:
                            con.execute("DELETE FROM document_flags WHERE document_id = ?", (document_id,))
        return len(found)

    def has_entities(self) -> bool:
        return bool(self._value("SELECT EXISTS (SELECT 1 FROM entities)"))

    def count_waiting(self) -> int:
        return int(self._value("SELECT count(*) FROM graph_waiting"))


def _mentions_in(document_id: int, *parts: Any) -> Sequence[Mention]:
    try:
        return mentions_of(*parts)
    except Exception:
        # Otherwise the document would stop the work on all later ones, at every attempt.
        log.exception("finding the mentions of document %d failed", document_id)
        return ()


def _write_mentions(con: apsw.Connection, document_id: int, mentions: Sequence[Mention]) -> None:
    """Replace the document's mentions and mark it as done; remaining entities keep their IDs."""
    named = {(m.entity.kind, m.entity.key): m.entity for m in mentions}
    ids = {
        (kind, key): entity_id
        for kind, query in KNOWN.items()
        for key, entity_id in con.execute(query, (text_list(key for each, key in named if each is kind),))
    }
    new = [identity for identity in named if identity not in ids]
    if new:
        first = con.execute("SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'entities'").get
        ids.update(zip(new, count(first)))
        entities = [(ids[identity], named[identity]) for identity in new]
        rows = [(number, each.kind.value, each.name, each.folded, each.tail) for number, each in entities]
        con.executemany("INSERT INTO entities(id, kind, name, folded, tail) VALUES(?, ?, ?, ?, ?)", rows)
    wanted: set[_Row] = {(m.section, ids[m.entity.kind, m.entity.key], m.count, int(m.defines)) for m in mentions}
    stored: set[_Row] = set(iter(con.execute(STORED, (document_id,))))
    con.executemany(INSERT_MENTION, [(document_id, *row) for row in sorted(wanted - stored)])
    places = {row[:2] for row in wanted}
    gone = sorted({row[:2] for row in stored} - places)
    con.executemany(DELETE_MENTION, [(document_id, *place) for place in gone])
    con.executemany(RENAME, [(m.entity.name, ids[m.entity.kind, m.entity.key]) for m in mentions if m.defines])
    con.execute("DELETE FROM graph_waiting WHERE document_id = ?", (document_id,))
