"""Edges that the headings of a document make: what contains what, and what follows what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.corpus.graph.reading import Reading
from app.corpus.graph.records import Edge, EdgeType, Node, NodeKind, place_node

LEVEL: Final = "SELECT level FROM sections WHERE document_id = ? AND ord = ?"
PARENT: Final = "SELECT ord FROM sections WHERE document_id = ? AND ord < ? AND level < ? ORDER BY ord DESC LIMIT 1"
BELOW: Final = "SELECT ord, level FROM sections WHERE document_id = ? AND ord > ? ORDER BY ord"


def exists(reading: Reading, node: Node) -> bool:
    """Whether the document, or the section, is stored and in scope."""
    if not reading.passes(node.number):
        return False
    if node.kind is NodeKind.DOCUMENT:
        return bool(reading.con.execute("SELECT 1 FROM documents WHERE id = ?", (node.number,)).get)
    return _level(reading, node) is not None


def parent(reading: Reading, node: Node) -> Iterator[Edge]:
    """The section above, or the document."""
    if node.kind is not NodeKind.SECTION or (level := _level(reading, node)) is None:
        return
    above = reading.con.execute(PARENT, (node.number, node.section, level)).get
    yield Edge(place_node(node.number, -1 if above is None else above), node, EdgeType.CONTAINS, 1.0)


def children(reading: Reading, node: Node) -> Iterator[Edge]:
    """The sections right below, in reading order."""
    own = 0 if node.kind is NodeKind.DOCUMENT else _level(reading, node)
    if own is None:
        return
    shallowest: int | None = None
    for section, level in reading.rows(BELOW, node.number, node.section):
        if level <= own and node.kind is NodeKind.SECTION:
            return
        if shallowest is None or level <= shallowest:
            shallowest = level
            yield Edge(node, place_node(node.number, section), EdgeType.CONTAINS, 1.0)


def following(reading: Reading, node: Node) -> Iterator[Edge]:
    """The section after this one."""
    after = Node(NodeKind.SECTION, node.number, node.section + 1)
    if node.kind is NodeKind.SECTION and _level(reading, after) is not None:
        yield Edge(node, after, EdgeType.NEXT, 1.0)


def preceding(reading: Reading, node: Node) -> Iterator[Edge]:
    """The section before this one."""
    if node.kind is NodeKind.SECTION and node.section > 0:
        yield Edge(Node(NodeKind.SECTION, node.number, node.section - 1), node, EdgeType.NEXT, 1.0)


def _level(reading: Reading, node: Node) -> int | None:
    found: int | None = reading.con.execute(LEVEL, (node.number, node.section)).get
    return found
