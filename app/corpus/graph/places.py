"""The scope of a view, and the edges between its places: headings contain and follow each other, links lead to stored pages.

Navigation links do not create edges.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

import apsw

from app import caps
from app.corpus.database import text_list
from app.corpus.graph.sites import Derived, Sites
from app.library.graph_records import Edge, EdgeType, Node, NodeKind, document_node, place_node

GRAPH_SCAN_ROWS: Final = 20_000  # Most rows to examine in one step to find neighbors in scope.
GRAPH_LINKS_COUNTED: Final = 2_000  # Links of one page that are counted to find out how many pages they lead to.
GRAPH_PAGES_COUNTED: Final = 400  # Size limit of a site in comparisons with a page.
SMALLEST_SITE: Final = 8  # On smaller sites, pages that all link to each other are not menus.
STARTS: Final = 'SELECT "start" FROM sections WHERE document_id = ? ORDER BY ord'
LEVEL: Final = "SELECT level FROM sections WHERE document_id = ? AND ord = ?"
PARENT: Final = "SELECT ord FROM sections WHERE document_id = ? AND ord < ? AND level < ? ORDER BY ord DESC LIMIT 1"
BELOW: Final = "SELECT ord, level FROM sections WHERE document_id = ? AND ord > ? ORDER BY ord"
OUT: Final = 'SELECT url, text, "start" FROM links WHERE document_id = ? ORDER BY ord'
TARGETS: Final = """
SELECT url, id FROM documents WHERE url IN (SELECT value FROM carray(?1))
UNION ALL SELECT url, document_id FROM aliases WHERE url IN (SELECT value FROM carray(?1))
"""
ANCHORED: Final = "SELECT ord, anchor FROM sections WHERE document_id = ? AND anchor IN (SELECT value FROM carray(?))"
ADDRESSES: Final = "SELECT url FROM documents WHERE id = ?1 UNION SELECT url FROM aliases WHERE document_id = ?1"
ANCHOR: Final = "SELECT anchor FROM sections WHERE document_id = ? AND ord = ?"
TO_PAGE: Final = """
SELECT document_id, text, "start" FROM links WHERE url = ?1 OR (url >= ?1 || '#' AND url < ?1 || '$')
"""
FROM: Final = 'SELECT document_id FROM links WHERE document_id = ? AND "start" >= ? AND "start" < ?'
FROM_OTHERS: Final = """
SELECT document_id FROM links WHERE (url = ?1 OR (url >= ?1 || '#' AND url < ?1 || '$')) AND document_id <> ?2
"""
PAGES_OF_SITE: Final = "SELECT count(*) FROM (SELECT 1 FROM documents WHERE doc_tag = ? LIMIT ?)"
LINKS_FROM: Final = "SELECT count(*) FROM (SELECT 1 FROM links WHERE document_id = ? LIMIT ?)"
LINKS_TO: Final = """
SELECT count(*) FROM (SELECT 1 FROM links WHERE url = ?1 OR (url >= ?1 || '#' AND url < ?1 || '$') LIMIT ?2)
"""
PAGES_FROM: Final = """
SELECT count(DISTINCT d.id) FROM (SELECT url FROM links WHERE document_id = ?1 LIMIT ?2) l
JOIN documents d ON d.url = substr(l.url, 1, instr(l.url || '#', '#') - 1)
"""
PAGES_TO: Final = """
SELECT count(*) FROM (SELECT DISTINCT document_id FROM links WHERE url = ?1 OR (url >= ?1 || '#' AND url < ?1 || '$') LIMIT ?2)
"""
TAG_AND_ADDRESS: Final = "SELECT doc_tag, url FROM documents WHERE id = ?"
ENDLESS: Final = 2**62


class GraphScope:
    """One state of the graph in one scope: `allowed` are its documents, None for all."""

    def __init__(self, con: apsw.Connection, allowed: frozenset[int] | None, derived: Derived) -> None:
        self.con = con
        self.allowed = allowed
        self.derived = derived
        self.sites = Sites(con, derived)
        self._starts: dict[int, list[int]] = {}

    def pages_of_site(self, tag: str) -> int:
        """Return the number of pages with the tag, at most GRAPH_PAGES_COUNTED."""
        known = self.derived.pages.get(tag)
        if known is None:
            known = self.derived.pages[tag] = int(self.con.execute(PAGES_OF_SITE, (tag, GRAPH_PAGES_COUNTED)).get)
        return known

    def passes(self, document_id: int) -> bool:
        """Whether the document is in scope."""
        return self.allowed is None or document_id in self.allowed

    def starts(self, document_id: int) -> list[int]:
        """Return the start of each section of the document, by section number."""
        known = self._starts.get(document_id)
        if known is None:
            known = [row[0] for row in self.con.execute(STARTS, (document_id,))]
            self._starts[document_id] = known
        return known

    def section_at(self, document_id: int, position: int) -> int:
        """Return the number of the section at this text position, -1 before the first heading."""
        return bisect_right(self.starts(document_id), position) - 1

    def rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, at most GRAPH_SCAN_ROWS."""
        return islice(self.con.execute(query, values), GRAPH_SCAN_ROWS)

    def count(self, documents: str, *values: object) -> int:
        """Return the number of documents of a query in scope, at most MAX_DEGREE_COUNTED."""
        if self.allowed is None:
            counted = f"SELECT count(*) FROM ({documents} LIMIT {caps.MAX_DEGREE_COUNTED})"
            return int(self.con.execute(counted, values).get)
        passing = (1 for (document_id,) in self.rows(documents, *values) if document_id in self.allowed)
        return sum(islice(passing, caps.MAX_DEGREE_COUNTED))


def weight_of(count: int) -> float:
    """Return the evidence of a count: 0.5 for one occurrence, approaching 1."""
    return count / (count + 1)


def is_visible(scope: GraphScope, node: Node) -> bool:
    """Whether the document or section is stored and in scope."""
    if not scope.passes(node.number):
        return False
    if node.kind is NodeKind.DOCUMENT:
        return bool(scope.con.execute("SELECT 1 FROM documents WHERE id = ?", (node.number,)).get)
    return _level(scope, node) is not None


def parent(scope: GraphScope, node: Node) -> Iterator[Edge]:
    """Yield the section above, or the document."""
    if node.kind is not NodeKind.SECTION or (level := _level(scope, node)) is None:
        return
    above = scope.con.execute(PARENT, (node.number, node.section, level)).get
    yield Edge(place_node(node.number, -1 if above is None else above), node, EdgeType.CONTAINS, 1.0)


def children(scope: GraphScope, node: Node) -> Iterator[Edge]:
    """Yield the sections directly below, in reading order."""
    own = 0 if node.kind is NodeKind.DOCUMENT else _level(scope, node)
    if own is None:
        return
    shallowest: int | None = None
    for section, level in scope.rows(BELOW, node.number, node.section):
        if level <= own and node.kind is NodeKind.SECTION:
            return
        if shallowest is None or level <= shallowest:
            shallowest = level
            yield Edge(node, place_node(node.number, section), EdgeType.CONTAINS, 1.0)


def following(scope: GraphScope, node: Node) -> Iterator[Edge]:
    """Yield the section after this one."""
    after = Node(NodeKind.SECTION, node.number, node.section + 1)
    if node.kind is NodeKind.SECTION and _level(scope, after) is not None:
        yield Edge(node, after, EdgeType.NEXT, 1.0)


def preceding(scope: GraphScope, node: Node) -> Iterator[Edge]:
    """Yield the section before this one."""
    if node.kind is NodeKind.SECTION and node.section > 0:
        yield Edge(Node(NodeKind.SECTION, node.number, node.section - 1), node, EdgeType.NEXT, 1.0)


def outgoing(scope: GraphScope, node: Node) -> Iterator[Edge]:
    """Yield the targets of the links in a section (sections) or document (documents), most frequent first."""
    begin, end = _borders(scope, node)
    links = [(url, text) for url, text, start in scope.rows(OUT, node.number) if begin <= start < end]
    addresses = text_list({bare for url, _ in links if (bare := url.partition("#")[0])})
    pages: dict[str, int] = {}
    # Stored pages in scope. A page's own address has priority over another one's alias.
    for url, document_id in scope.con.execute(TARGETS, (addresses,)):
        if scope.passes(document_id):
            pages.setdefault(url, document_id)
    places = _sections(scope, links, pages) if node.kind is NodeKind.SECTION else {}
    words: dict[Node, str] = {}
    counts: Counter[Node] = Counter()
    for url, text in links:
        page = pages.get(url.partition("#")[0])
        if page is None:
            continue
        target = places.get(url) or document_node(page)
        if target != node and (target.kind is NodeKind.SECTION or page != node.number):
            counts[target] += 1
            words.setdefault(target, text)
    for target, count in counts.most_common():
        yield Edge(node, target, EdgeType.LINKS_TO, weight_of(count), words[target])


def incoming(scope: GraphScope, node: Node, limit: int) -> Iterator[Edge]:
    """Yield sections that link to the anchor of a section, or documents that link to a document or any part of it."""
    found: dict[Node, tuple[int, str]] = {}
    for document_id, text, start in _rows_to(scope, node):
        is_own = document_id == node.number and node.kind is NodeKind.DOCUMENT
        if is_own or not scope.passes(document_id):
            continue
        section = scope.section_at(document_id, start) if node.kind is NodeKind.SECTION else -1
        source = place_node(document_id, section)
        if source != node:
            count, words = found.get(source, (0, text))
            found[source] = count + 1, words
            if len(found) > limit:
                break
    for source, (count, words) in sorted(found.items(), key=lambda item: -item[1][0]):
        yield Edge(source, node, EdgeType.LINKS_TO, weight_of(count), words)


def count(scope: GraphScope, node: Node) -> int:
    """Return the number of links from the node and, for a document, to it; at most MAX_DEGREE_COUNTED each."""
    begin, end = _borders(scope, node)
    out = scope.count(FROM, node.number, begin, end)
    if node.kind is NodeKind.SECTION:
        return out
    addresses = [row[0] for row in scope.con.execute(ADDRESSES, (node.number,))]
    return out + sum(scope.count(FROM_OTHERS, address, node.number) for address in addresses)


def frequency(scope: GraphScope, node: Node) -> int:
    """Return the number of other documents that link to the node, from 1 to GRAPH_FREQUENCY_COUNTED."""
    others: set[int] = set()
    for document_id, *_ in _rows_to(scope, node):
        others.add(document_id)
        if len(others) > caps.GRAPH_FREQUENCY_COUNTED:
            break
    return max(1, min(len(others - {node.number}), caps.GRAPH_FREQUENCY_COUNTED))


def linked_share(scope: GraphScope, document_id: int) -> float:
    """Return the share of its site that a page exchanges links with, 0 to 1. Index pages and start pages have high values."""
    known = scope.derived.shares.get(document_id)
    if known is not None:
        return known
    share = 0.0
    tag, url = scope.con.execute(TAG_AND_ADDRESS, (document_id,)).fetchone() or ("", "")
    pages = scope.pages_of_site(tag)
    if pages >= SMALLEST_SITE:
        # Count pages only if there are links to that many.
        few = pages // 4
        out = scope.con.execute(LINKS_FROM, (document_id, few + 1)).get
        if out > few:
            out = scope.con.execute(PAGES_FROM, (document_id, GRAPH_LINKS_COUNTED)).get
        into = scope.con.execute(LINKS_TO, (url, few + 1)).get
        if into > few:
            into = scope.con.execute(PAGES_TO, (url, GRAPH_PAGES_COUNTED)).get
        share = min(1.0, float(max(out, into)) / pages)
    scope.derived.shares[document_id] = share
    return share


def _level(scope: GraphScope, node: Node) -> int | None:
    found: int | None = scope.con.execute(LEVEL, (node.number, node.section)).get
    return found


def _borders(scope: GraphScope, node: Node) -> tuple[int, int]:
    """Return start and end of the node's text; the end of the last node is beyond any text."""
    starts = scope.starts(node.number)
    if node.kind is NodeKind.DOCUMENT or node.section >= len(starts):
        return (0, ENDLESS) if node.kind is NodeKind.DOCUMENT else (0, 0)
    return starts[node.section], starts[node.section + 1] if node.section + 1 < len(starts) else ENDLESS


def _sections(scope: GraphScope, links: Iterable[tuple[str, str]], pages: dict[str, int]) -> dict[str, Node]:
    """Return sections by the complete address, with anchor, of the links to them."""
    wanted: dict[int, dict[str, list[str]]] = {}
    for url, _ in links:
        page, _, fragment = url.partition("#")
        if fragment and page in pages:
            wanted.setdefault(pages[page], {}).setdefault(fragment, []).append(url)
    found: dict[str, Node] = {}
    for document_id, fragments in wanted.items():
        for section, anchor in scope.con.execute(ANCHORED, (document_id, text_list(fragments))):
            for url in fragments[anchor]:
                found.setdefault(url, place_node(document_id, section))
    return found


def _rows_to(scope: GraphScope, node: Node) -> Iterator[tuple[int, str, int]]:
    """Yield document, text and position of the links to any address of the node."""
    addresses = [row[0] for row in scope.con.execute(ADDRESSES, (node.number,))]
    if node.kind is NodeKind.DOCUMENT:
        for address in addresses:
            yield from scope.rows(TO_PAGE, address)
        return
    anchor = scope.con.execute(ANCHOR, (node.number, node.section)).get
    for address in addresses if anchor else ():
        yield from scope.rows('SELECT document_id, text, "start" FROM links WHERE url = ?', f"{address}#{anchor}")
