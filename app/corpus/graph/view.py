"""One state of the graph in one scope: edges and projections of nodes, resolution of names, and counts."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Final

import apsw

from app import caps
from app.corpus.database import id_list
from app.corpus.documents import document_id_of
from app.corpus.graph import entities, places
from app.corpus.graph.places import GraphScope
from app.corpus.graph.sites import Derived
from app.corpus.page_texts import TEXT
from app.library.graph_records import (
    ALL_TYPES,
    NAMING,
    Direction,
    Edge,
    EdgeType,
    GraphCounts,
    Neighbours,
    Node,
    NodeKind,
    Projection,
    document_node,
    place_node,
    snippet_of,
)
from app.library.protocol import GraphReader

GRAPH_NAMESAKES: Final = 5  # Most entities of one name, on different sites, that a name or ID without a site can mean.
GRAPH_SNIPPET_SEARCHED: Final = 2_000
DOCUMENT: Final = "SELECT title, url, doc_tag FROM documents WHERE id = ?"
SECTION: Final = """
SELECT s.heading, d.url, d.doc_tag, s.anchor FROM sections s JOIN documents d ON d.id = s.document_id
WHERE s.document_id = ? AND s.ord = ?
"""
CHUNK: Final = 'SELECT document_id, "start" FROM chunks WHERE id = ?'
WITH_ANCHOR: Final = "SELECT ord FROM sections WHERE document_id = ? AND anchor = ? ORDER BY ord LIMIT 1"
COUNT_SECTIONS: Final = "SELECT count(*) FROM (SELECT 1 FROM sections WHERE document_id = ? LIMIT ?)"
PIECE: Final = f"SELECT substr({TEXT}, ?, ?) FROM document_texts WHERE document_id = ?"
ALL: Final = "SELECT id FROM documents"
COUNTS: Final = """
WITH allowed(id) AS MATERIALIZED ({documents})
SELECT (SELECT count(*) FROM documents WHERE id IN allowed),
  (SELECT count(*) FROM sections WHERE document_id IN allowed),
  (SELECT count(DISTINCT document_id) FROM sections WHERE document_id IN allowed),
  (SELECT count(*) FROM links WHERE document_id IN allowed),
  (SELECT count(*) FROM mentions WHERE document_id IN allowed AND defines = 0),
  (SELECT count(*) FROM mentions WHERE document_id IN allowed AND defines = 1),
  (SELECT count(*) FROM graph_waiting WHERE document_id IN allowed)
"""
ENTITIES: Final = """
WITH allowed(id) AS MATERIALIZED ({documents})
SELECT count(*) FILTER (WHERE kind = 'symbol'), count(*) FILTER (WHERE kind = 'term') FROM entities
"""
IN_ALLOWED: Final = "WHERE id IN (SELECT entity_id FROM mentions WHERE document_id IN allowed)"


class GraphView(GraphReader):
    """Shows only what is in scope: an entity exists only if a section in scope names it."""

    def __init__(self, con: apsw.Connection, allowed: frozenset[int] | None, derived: Derived) -> None:
        self._scope = GraphScope(con, allowed, derived)

    def held(self, nodes: Iterable[Node]) -> set[Node]:
        return {node for node in nodes if _module(node).is_visible(self._scope, node)}

    def neighbours(
        self,
        nodes: Sequence[Node],
        *,
        types: Collection[EdgeType] = ALL_TYPES,
        direction: Direction = Direction.BOTH,
        limit: int,
    ) -> Iterator[Neighbours]:
        for node in nodes:
            # One iterator per type or direction.
            is_entity = node.kind is NodeKind.ENTITY
            edges = (
                self._of_entity(node, types, direction) if is_entity else self._of_place(node, types, direction, limit)
            )
            yield Neighbours.of(edges, types, limit)

    def projections(self, nodes: Iterable[Node], *, snippets: bool = False) -> list[Projection]:
        shown = ((_entity if node.kind is NodeKind.ENTITY else _place)(self._scope, node, snippets) for node in nodes)
        return [projection for projection in shown if projection is not None]

    def counts(self) -> GraphCounts:
        scope = self._scope
        allowed = None if scope.allowed is None else id_list(sorted(scope.allowed))
        documents, values = (ALL, ()) if allowed is None else ("SELECT value FROM carray(?1)", (allowed,))
        row = scope.con.execute(COUNTS.format(documents=documents), values).get
        pages, sections, with_sections, links, mentioned, defined, waiting = row
        query = ENTITIES if allowed is None else ENTITIES + IN_ALLOWED
        symbols, terms = scope.con.execute(query.format(documents=documents), values).get
        edges = {
            EdgeType.CONTAINS: sections,
            EdgeType.NEXT: sections - with_sections,
            EdgeType.LINKS_TO: links,
            EdgeType.MENTIONS: mentioned,
            EdgeType.DEFINES: defined,
        }
        return GraphCounts(pages, sections, symbols, terms, edges, waiting)

    def documents_at(self, urls: Iterable[str]) -> dict[str, Node]:
        found = {url: document_id_of(self._scope.con, url) for url in urls}
        return {url: document_node(id_) for url, id_ in found.items() if id_ is not None and self._scope.passes(id_)}

    def sections_at(self, sought: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Node]:
        found: dict[tuple[str, str], Node] = {}
        for url, anchor in sought:
            document_id = document_id_of(self._scope.con, url)
            if document_id is not None and self._scope.passes(document_id):
                section = self._scope.con.execute(WITH_ANCHOR, (document_id, anchor)).get
                if section is not None:
                    found[url, anchor] = place_node(document_id, section)
        return found

    def places_of_chunks(self, chunk_ids: Iterable[int]) -> dict[int, Node]:
        found: dict[int, Node] = {}
        for chunk_id in chunk_ids:
            document_id, start = self._scope.con.execute(CHUNK, (chunk_id,)).fetchone() or (0, 0)
            if document_id and self._scope.passes(document_id):
                found[chunk_id] = place_node(document_id, self._scope.section_at(document_id, start))
        return found

    def entities_named(self, name: str, limit: int) -> list[Node]:
        """Return entities by exact spelling, then any spelling, then the last part of a qualified name."""
        return entities.entities_named(self._scope, name, limit)

    def entities_meant(self, names: Iterable[str]) -> dict[str, list[Node]]:
        named = {name: self.entities_named(name, GRAPH_NAMESAKES) for name in names}
        return {name: [node for node in found if node.number == found[0].number] for name, found in named.items()}

    def namesakes(self, sought: Iterable[Node]) -> dict[Node, list[Node]]:
        return {entity: entities.namesakes(self._scope, entity.number)[:GRAPH_NAMESAKES] for entity in sought}

    def are_near(self, pairs: Sequence[tuple[Node, Node]]) -> Iterator[bool]:
        for node, other in pairs:
            if node.kind is not NodeKind.ENTITY:
                node, other = other, node
            if NodeKind.ENTITY not in (node.kind, other.kind):
                yield True
            elif other.kind is NodeKind.ENTITY:
                yield other in entities.beside(self._scope, node, other.number)
            else:
                yield entities.named_at(self._scope, node.number, other.number) == node

    def names_of(self, sought: Iterable[Node]) -> dict[Node, str]:
        return {entity: entities.name_of(self._scope, entity) for entity in sought}

    def frequencies(self, nodes: Iterable[Node]) -> dict[Node, int]:
        return {node: _module(node).frequency(self._scope, node) for node in nodes}

    def linked_shares(self, nodes: Iterable[Node]) -> dict[Node, float]:
        return {node: places.linked_share(self._scope, node.number) if node.document_id else 0.0 for node in nodes}

    def ways(self, nodes: Iterable[Node]) -> dict[Node, Hashable]:
        found: dict[Node, Hashable] = {}
        for node in nodes:
            found[node] = node.number
            if node.kind is NodeKind.ENTITY:
                folded = self._scope.con.execute("SELECT folded FROM entities WHERE id = ?", (node.number,)).get
                found[node] = (folded or "", node.section)
        return found

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


def _module(node: Node) -> ModuleType:
    return entities if node.kind is NodeKind.ENTITY else places


def _place(scope: GraphScope, node: Node, snippets: bool) -> Projection | None:
    if not scope.passes(node.number):
        return None
    row = _row(scope, node)
    if row is None:
        return None
    title, uri, doc_tag = row
    degree = places.count(scope, node)
    if node.kind is NodeKind.DOCUMENT:
        degree += scope.con.execute(COUNT_SECTIONS, (node.number, caps.MAX_DEGREE_COUNTED)).get
    else:
        degree += entities.count(scope, node)
    snippet = _snippet(scope, node) if snippets else ""
    return Projection(node, title, doc_tag, uri, min(degree, caps.MAX_DEGREE_COUNTED), snippet)


def _row(scope: GraphScope, node: Node) -> tuple[str, str, str] | None:
    if node.kind is NodeKind.DOCUMENT:
        found: tuple[str, str, str] | None = scope.con.execute(DOCUMENT, (node.number,)).fetchone()
        return found
    row = scope.con.execute(SECTION, (node.number, node.section)).fetchone()
    if row is None:
        return None
    heading, url, doc_tag, anchor = row
    return heading, f"{url}#{anchor}" if anchor else url, doc_tag


def _entity(scope: GraphScope, node: Node, snippets: bool) -> Projection | None:
    name = scope.con.execute("SELECT name FROM entities WHERE id = ?", (node.number,)).get
    home = next(entities.places(scope, node), None) if name is not None else None
    row = _row(scope, home.src) if home is not None else None
    if home is None or row is None:
        return None
    _, uri, doc_tag = row
    snippet = _snippet(scope, home.src, name) if snippets else ""
    return Projection(node, name, doc_tag, uri, entities.count(scope, node), snippet)


def _snippet(scope: GraphScope, node: Node, name: str = "") -> str:
    """Return the first words of a place after its heading, or the words around the name."""
    starts = scope.starts(node.number)
    begin = starts[node.section] if node.section >= 0 else 0
    behind = node.section + 1
    length = (starts[behind] if behind < len(starts) else begin + GRAPH_SNIPPET_SEARCHED) - begin
    length = min(length, GRAPH_SNIPPET_SEARCHED)
    text: str = scope.con.execute(PIECE, (begin + 1, length, node.number)).get or ""
    return snippet_of(text, name)
