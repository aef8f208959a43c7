"""One state of the graph, in one scope: what hangs on a node, what is shown of it, and which node a caller means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Final

import apsw

from app.corpus.documents import document_id_of
from app.corpus.graph import entities, places, projections
from app.corpus.graph.records import (
    Direction,
    Edge,
    EdgeType,
    GraphCounts,
    Neighbours,
    Node,
    NodeKind,
    Projection,
    document_node,
)
from app.corpus.graph.scope import GraphScope

ALL_TYPES: Final = frozenset(EdgeType)
NAMING: Final = frozenset({EdgeType.MENTIONS, EdgeType.DEFINES})


class GraphView:
    """Shows nothing out of scope: an entity exists where a section in scope names it."""

    def __init__(self, con: apsw.Connection, allowed: frozenset[int] | None) -> None:
        self._scope = GraphScope(con, allowed)

    def holds(self, node: Node) -> bool:
        """Whether the node exists in scope."""
        if node.kind is NodeKind.ENTITY:
            return entities.is_visible(self._scope, node.number)
        return places.exists(self._scope, node)

    def neighbours(
        self, node: Node, *, types: Collection[EdgeType] = ALL_TYPES, direction: Direction = Direction.BOTH, limit: int
    ) -> Neighbours:
        """At most `limit` edges of each type."""
        edges: list[Edge] = []
        cut = False
        for found in self._edges(node, types, direction, limit):
            first = [edge for edge in islice(found, limit + 1) if edge.type in types]
            cut = cut or len(first) > limit
            edges += first[:limit]
        return Neighbours(tuple(edges), cut)

    def projections(self, nodes: Iterable[Node], *, snippets: bool = False) -> list[Projection]:
        """What is shown of the nodes, in their order; those that do not exist in scope are left out."""
        return list(projections.projections(self._scope, nodes, snippets=snippets))

    def counts(self) -> GraphCounts:
        """How large the graph is in this scope."""
        return projections.counts(self._scope)

    def document_at(self, url: str) -> Node | None:
        """The document with this address or alias."""
        found = document_id_of(self._scope.con, url)
        return document_node(found) if found is not None and self._scope.passes(found) else None

    def section_at(self, url: str, anchor: str) -> Node | None:
        """The section with this anchor of the document at this address."""
        found = document_id_of(self._scope.con, url)
        return places.section_with_anchor(self._scope, found, anchor) if found is not None else None

    def place_of_chunk(self, chunk_id: int) -> Node | None:
        """The section that a chunk begins in, or its document."""
        return places.place_of_chunk(self._scope, chunk_id)

    def chunks_of(self, node: Node, limit: int) -> list[int]:
        """The chunks that begin in a section, or in a document, in reading order."""
        return places.chunks_of(self._scope, node, limit)

    def entities_named(self, name: str, limit: int) -> list[Node]:
        """Entities with this name: as it is written, else in any spelling, else as the last part of a qualified name."""
        return entities.entities_named(self._scope, name, limit)

    def name_of(self, entity: Node) -> str:
        """The name of an entity, empty when there is none."""
        return entities.name_of(self._scope, entity)

    @staticmethod
    def rarity(frequency: int) -> float:
        """1 for what stands in one section, a fifth for what stands in sixty."""
        return entities.rarity_of(frequency)

    def frequency(self, node: Node) -> int:
        """In how many sections an entity stands, or how many other documents link here; not beyond GRAPH_FREQUENCY_COUNTED."""
        if node.kind is NodeKind.ENTITY:
            return entities.frequency(self._scope, node.number)
        return places.frequency(self._scope, node)

    def _edges(
        self, node: Node, types: Collection[EdgeType], direction: Direction, limit: int
    ) -> Iterator[Iterable[Edge]]:
        """The edges of each type wanted, one iterator a type or direction."""
        if node.kind is NodeKind.ENTITY:
            return self._of_entity(node, types, direction)
        return self._of_place(node, types, direction, limit)

    def _of_entity(self, node: Node, types: Collection[EdgeType], direction: Direction) -> Iterator[Iterable[Edge]]:
        scope = self._scope
        if NAMING & set(types) and direction.is_in:
            yield (edge for edge in entities.places(scope, node) if edge.type in types)
        if EdgeType.CONTAINS in types and direction.is_in:
            yield entities.owner(scope, node)
        if EdgeType.CONTAINS in types and direction.is_out:
            yield entities.members(scope, node)
        if EdgeType.SAME_AS in types:
            yield entities.spellings(scope, node)
        if EdgeType.CO_OCCURS in types:
            yield entities.together(scope, node)

    def _of_place(
        self, node: Node, types: Collection[EdgeType], direction: Direction, limit: int
    ) -> Iterator[Iterable[Edge]]:
        scope = self._scope
        if direction.is_in:
            yield places.parent(scope, node)
            yield places.preceding(scope, node)
            if EdgeType.LINKS_TO in types:
                yield places.incoming(scope, node, limit)
        if direction.is_out:
            yield places.children(scope, node) if EdgeType.CONTAINS in types else ()
            yield places.following(scope, node)
            if EdgeType.LINKS_TO in types:
                yield places.outgoing(scope, node)
            if NAMING & set(types):
                yield (edge for edge in entities.named_in(scope, node, limit) if edge.type in types)
