"""What is shown of the graph: of a node title, address, tag, degree and first words; of the whole its size."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from app import caps
from app.corpus.encoding import id_list, ids_of
from app.corpus.graph import entities, places
from app.corpus.graph.records import EdgeType, GraphCounts, Node, NodeKind, Projection, entity_node
from app.corpus.graph.scope import GraphScope

DOCUMENT: Final = "SELECT title, url, doc_tag FROM documents WHERE id = ?"
SECTION: Final = """
SELECT s.heading, d.url, d.doc_tag, s.anchor FROM sections s JOIN documents d ON d.id = s.document_id
WHERE s.document_id = ? AND s.ord = ?
"""
NAME: Final = "SELECT name FROM entities WHERE id = ?"
COUNT_SECTIONS: Final = "SELECT count(*) FROM (SELECT 1 FROM sections WHERE document_id = ? LIMIT ?)"
PIECE: Final = "SELECT substr(text, ?, ?) FROM document_texts WHERE document_id = ?"

IN_SCOPE: Final = "SELECT value FROM carray(?1)"
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
WHERE id IN (SELECT entity_id FROM mentions WHERE document_id IN allowed)
"""
ALL_ENTITIES: Final = """
SELECT count(*) FILTER (WHERE kind = 'symbol'), count(*) FILTER (WHERE kind = 'term') FROM entities
"""

_HEADING: Final = re.compile(r"\s*(?:#{1,6} [^\n]*(?:\n|$)|\*\*(?:(`+).*?\1|[^*\n]+)\*\*:?\s*)")
"""A heading, or the term or signature that opens a section."""
_FENCE: Final = re.compile(r"^ {0,3}(?:`{3,}|~{3,}).*$", re.MULTILINE)


def projections(scope: GraphScope, nodes: Iterable[Node], *, snippets: bool) -> Iterator[Projection]:
    """Those of the nodes that exist and are in scope."""
    for node in nodes:
        found = _entity(scope, node, snippets) if node.kind is NodeKind.ENTITY else _place(scope, node, snippets)
        if found is not None:
            yield found


def counts(scope: GraphScope) -> GraphCounts:
    """Nodes and stored edges in scope; LINKS_TO counts links of the text to anywhere, CONTAINS and NEXT follow from the sections."""
    allowed = None if scope.allowed is None else id_list(ids_of(sorted(scope.allowed)))
    documents, values = (ALL, ()) if allowed is None else (IN_SCOPE, (allowed,))
    row = scope.con.execute(COUNTS.format(documents=documents), values).get
    pages, sections, with_sections, links, mentioned, defined, waiting = row
    entities = ALL_ENTITIES if allowed is None else ENTITIES.format(documents=documents)
    symbols, terms = scope.con.execute(entities, values).get
    edges = {
        EdgeType.CONTAINS: sections,
        EdgeType.NEXT: sections - with_sections,
        EdgeType.LINKS_TO: links,
        EdgeType.MENTIONS: mentioned,
        EdgeType.DEFINES: defined,
    }
    return GraphCounts(pages, sections, symbols, terms, edges, waiting)


def _place(scope: GraphScope, node: Node, snippets: bool) -> Projection | None:
    if not scope.passes(node.number):
        return None
    row = _row(scope, node)
    if row is None:
        return None
    title, uri, doc_tag = row
    snippet = _snippet(scope, node) if snippets else ""
    return Projection(node, title, doc_tag, uri, _degree(scope, node), snippet)


def _row(scope: GraphScope, node: Node) -> tuple[str, str, str] | None:
    """Title, address and tag of a document or section."""
    if node.kind is NodeKind.DOCUMENT:
        found: tuple[str, str, str] | None = scope.con.execute(DOCUMENT, (node.number,)).fetchone()
        return found
    row = scope.con.execute(SECTION, (node.number, node.section)).fetchone()
    if row is None:
        return None
    heading, url, doc_tag, anchor = row
    return heading, f"{url}#{anchor}" if anchor else url, doc_tag


def _entity(scope: GraphScope, node: Node, snippets: bool) -> Projection | None:
    name = scope.con.execute(NAME, (node.number,)).get
    home = next(entities.places(scope, node), None) if name is not None else None
    row = _row(scope, home.src) if home is not None else None
    if home is None or row is None:
        return None
    _, uri, doc_tag = row
    snippet = _snippet(scope, home.src, name) if snippets else ""
    return Projection(node, name, doc_tag, uri, entities.count(scope, entity_node(node.number)), snippet)


def _degree(scope: GraphScope, node: Node) -> int:
    degree = places.count(scope, node)
    if node.kind is NodeKind.DOCUMENT:
        degree += scope.con.execute(COUNT_SECTIONS, (node.number, caps.MAX_DEGREE_COUNTED)).get
    else:
        degree += entities.count(scope, node)
    return min(degree, caps.MAX_DEGREE_COUNTED)


def _snippet(scope: GraphScope, node: Node, name: str = "") -> str:
    """The first words of a place behind its heading, or those around the name."""
    starts = scope.starts(node.number)
    begin = starts[node.section] if node.section >= 0 else 0
    behind = node.section + 1
    length = (starts[behind] if behind < len(starts) else begin + caps.GRAPH_SNIPPET_SEARCHED) - begin
    length = min(length, caps.GRAPH_SNIPPET_SEARCHED)
    text: str = scope.con.execute(PIECE, (begin + 1, length, node.number)).get or ""
    found = text.find(name) if name else -1
    is_far = found > caps.MAX_SNIPPET_CHARS // 2
    text = f"…{text[found - caps.MAX_SNIPPET_CHARS // 3 :]}" if is_far else _HEADING.sub("", text, count=1)
    line = " ".join(_FENCE.sub(" ", text).split())
    return line if len(line) <= caps.MAX_SNIPPET_CHARS else line[: caps.MAX_SNIPPET_CHARS - 1].rstrip() + "…"
