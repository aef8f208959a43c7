"""What is shown of nodes: title, address, tag, degree, and on request the first words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from app import caps
from app.corpus.graph import links, mentions
from app.corpus.graph.reading import Reading
from app.corpus.graph.records import Node, NodeKind, Projection, entity_node

DOCUMENT: Final = "SELECT title, url, doc_tag FROM documents WHERE id = ?"
SECTION: Final = """
SELECT s.heading, d.url, d.doc_tag, s.anchor FROM sections s JOIN documents d ON d.id = s.document_id
WHERE s.document_id = ? AND s.ord = ?
"""
NAME: Final = "SELECT name FROM entities WHERE id = ?"
COUNT_SECTIONS: Final = "SELECT count(*) FROM (SELECT 1 FROM sections WHERE document_id = ? LIMIT ?)"
PIECE: Final = "SELECT substr(text, ?, ?) FROM document_texts WHERE document_id = ?"

_HEADING: Final = re.compile(r"\s*(?:#{1,6} [^\n]*(?:\n|$)|\*\*(?:(`+).*?\1|[^*\n]+)\*\*:?\s*)")
"""A heading, or the term or signature that opens a section."""
_FENCE: Final = re.compile(r"^ {0,3}(?:`{3,}|~{3,}).*$", re.MULTILINE)


def projections(reading: Reading, nodes: Iterable[Node], *, snippets: bool) -> Iterator[Projection]:
    """Those of the nodes that exist and are in scope."""
    for node in nodes:
        found = _entity(reading, node, snippets) if node.kind is NodeKind.ENTITY else _place(reading, node, snippets)
        if found is not None:
            yield found


def _place(reading: Reading, node: Node, snippets: bool) -> Projection | None:
    if not reading.passes(node.number):
        return None
    row = _row(reading, node)
    if row is None:
        return None
    title, uri, doc_tag = row
    snippet = _snippet(reading, node) if snippets else ""
    return Projection(node, title, doc_tag, uri, _degree(reading, node), snippet)


def _row(reading: Reading, node: Node) -> tuple[str, str, str] | None:
    """Title, address and tag of a document or section."""
    if node.kind is NodeKind.DOCUMENT:
        found: tuple[str, str, str] | None = reading.con.execute(DOCUMENT, (node.number,)).fetchone()
        return found
    row = reading.con.execute(SECTION, (node.number, node.section)).fetchone()
    if row is None:
        return None
    heading, url, doc_tag, anchor = row
    return heading, f"{url}#{anchor}" if anchor else url, doc_tag


def _entity(reading: Reading, node: Node, snippets: bool) -> Projection | None:
    name = reading.con.execute(NAME, (node.number,)).get
    home = next(mentions.places(reading, node), None) if name is not None else None
    row = _row(reading, home.src) if home is not None else None
    if home is None or row is None:
        return None
    _, uri, doc_tag = row
    snippet = _snippet(reading, home.src, name) if snippets else ""
    return Projection(node, name, doc_tag, uri, mentions.count(reading, entity_node(node.number)), snippet)


def _degree(reading: Reading, node: Node) -> int:
    degree = links.count(reading, node)
    if node.kind is NodeKind.DOCUMENT:
        degree += reading.con.execute(COUNT_SECTIONS, (node.number, caps.MAX_DEGREE_COUNTED)).get
    else:
        degree += mentions.count(reading, node)
    return min(degree, caps.MAX_DEGREE_COUNTED)


def _snippet(reading: Reading, node: Node, name: str = "") -> str:
    """The first words of a place behind its heading, or those around the name."""
    starts = reading.starts(node.number)
    begin = starts[node.section] if node.section >= 0 else 0
    behind = node.section + 1
    length = (starts[behind] if behind < len(starts) else begin + caps.GRAPH_SNIPPET_SEARCHED) - begin
    length = min(length, caps.GRAPH_SNIPPET_SEARCHED)
    text: str = reading.con.execute(PIECE, (begin + 1, length, node.number)).get or ""
    found = text.find(name) if name else -1
    is_far = found > caps.MAX_SNIPPET_CHARS // 2
    text = f"…{text[found - caps.MAX_SNIPPET_CHARS // 3 :]}" if is_far else _HEADING.sub("", text, count=1)
    line = " ".join(_FENCE.sub(" ", text).split())
    return line if len(line) <= caps.MAX_SNIPPET_CHARS else line[: caps.MAX_SNIPPET_CHARS - 1].rstrip() + "…"
