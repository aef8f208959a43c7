"""Which node is meant: by a chunk, an anchor, or the name of an entity."""

from __future__ import annotations

from typing import Final

from app.corpus.graph import mentions
from app.corpus.graph.reading import Reading
from app.corpus.graph.records import Node, NodeKind, entity_node, place_node
from app.text.entities import folded_symbol, folded_term

CHUNK: Final = 'SELECT document_id, "start" FROM chunks WHERE id = ?'
CHUNKS: Final = 'SELECT id, "start" FROM chunks WHERE document_id = ? ORDER BY ord'
ANCHORED: Final = "SELECT ord FROM sections WHERE document_id = ? AND anchor = ? ORDER BY ord LIMIT 1"
NAME: Final = "SELECT name FROM entities WHERE id = ?"
SYMBOL: Final = "SELECT id FROM entities WHERE kind = 'symbol' AND name = ?"
TERM: Final = "SELECT id FROM entities WHERE kind = 'term' AND folded = ?"
SPELLED: Final = "SELECT id FROM entities WHERE kind = 'symbol' AND folded = ?"
WITH_TAIL: Final = "SELECT id FROM entities WHERE tail = ? ORDER BY id"


def place_of_chunk(reading: Reading, chunk_id: int) -> Node | None:
    row = reading.con.execute(CHUNK, (chunk_id,)).fetchone()
    if row is None or not reading.passes(row[0]):
        return None
    document_id, start = row
    return place_node(document_id, reading.section_at(document_id, start))


def chunks_of(reading: Reading, node: Node, limit: int) -> list[int]:
    """A section that no chunk begins in gives the chunk that it begins in."""
    if not reading.passes(node.number):
        return []
    starts = reading.starts(node.number)
    begin = starts[node.section] if node.section >= 0 else 0
    end = starts[node.section + 1] if node.kind is NodeKind.SECTION and node.section + 1 < len(starts) else None
    before: list[int] = []
    inside: list[int] = []
    for chunk_id, start in reading.rows(CHUNKS, node.number):
        if start < begin:
            before = [chunk_id]
        elif (end is None or start < end) and len(inside) < limit:
            inside.append(chunk_id)
    return inside or before


def section_with_anchor(reading: Reading, document_id: int, anchor: str) -> Node | None:
    if not reading.passes(document_id):
        return None
    found = reading.con.execute(ANCHORED, (document_id, anchor)).get
    return None if found is None else place_node(document_id, found)


def name_of(reading: Reading, entity: Node) -> str:
    return str(reading.con.execute(NAME, (entity.number,)).get or "")


def entities_named(reading: Reading, name: str, limit: int) -> list[Node]:
    """All spellings of the first way of reading the name that any entity in scope has."""
    found: dict[int, None] = {}
    ways = (SYMBOL, name), (TERM, folded_term(name)), (SPELLED, folded_symbol(name)), (WITH_TAIL, name)
    for query, value in ways:
        for (entity_id,) in reading.rows(query, value):
            if len(found) < limit and mentions.is_visible(reading, entity_id):
                found[entity_id] = None
        if found:
            break
    return [entity_node(entity_id) for entity_id in found]
