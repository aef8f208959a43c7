"""Edges that links make between stored pages and their sections. Links of menus are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from app import caps
from app.corpus.binding import text_list
from app.corpus.graph.reading import Reading
from app.corpus.graph.records import Edge, EdgeType, Node, NodeKind, document_node, place_node

OUT: Final = 'SELECT url, text, "start" FROM links WHERE document_id = ? ORDER BY ord'
TARGETS: Final = """
SELECT url, id FROM documents WHERE url IN (SELECT value FROM carray(?1))
UNION ALL SELECT url, document_id FROM aliases WHERE url IN (SELECT value FROM carray(?1))
"""
ANCHORED: Final = "SELECT ord, anchor FROM sections WHERE document_id = ? AND anchor IN (SELECT value FROM carray(?))"
ADDRESSES: Final = "SELECT url FROM documents WHERE id = ?1 UNION SELECT url FROM aliases WHERE document_id = ?1"
ANCHOR: Final = "SELECT anchor FROM sections WHERE document_id = ? AND ord = ?"
TO_PLACE: Final = 'SELECT document_id, text, "start" FROM links WHERE url = ?'
TO_PAGE: Final = """
SELECT document_id, text, "start" FROM links WHERE url = ?1 OR (url >= ?1 || '#' AND url < ?1 || '$')
"""
FROM: Final = 'SELECT document_id FROM links WHERE document_id = ? AND "start" >= ? AND "start" < ?'
FROM_OTHERS: Final = """
SELECT document_id FROM links WHERE (url = ?1 OR (url >= ?1 || '#' AND url < ?1 || '$')) AND document_id <> ?2
"""
ENDLESS: Final = 2**62


def outgoing(reading: Reading, node: Node) -> Iterator[Edge]:
    """What the links in a section, or in a whole document, lead to; those that lead there often first.

    A document leads to documents, a section to the section that the link names, if it names one.
    """
    links = list(_links(reading, node))
    pages = _documents(reading, {url.partition("#")[0] for url, _ in links})
    places = _sections(reading, links, pages) if node.kind is NodeKind.SECTION else {}
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


def incoming(reading: Reading, node: Node, limit: int) -> Iterator[Edge]:
    """Sections that link to a section by its anchor; documents that link to a document or anything in it."""
    found: dict[Node, tuple[int, str]] = {}
    for document_id, text, start in _rows_to(reading, node):
        is_own = document_id == node.number and node.kind is NodeKind.DOCUMENT
        if is_own or not reading.passes(document_id):
            continue
        section = reading.section_at(document_id, start) if node.kind is NodeKind.SECTION else -1
        source = place_node(document_id, section)
        if source != node:
            count, words = found.get(source, (0, text))
            found[source] = count + 1, words
            if len(found) > limit:
                break
    for source, (count, words) in sorted(found.items(), key=lambda item: -item[1][0]):
        yield Edge(source, node, EdgeType.LINKS_TO, weight_of(count), words)


def count(reading: Reading, node: Node) -> int:
    """How many links there are from the node and, of a document, from others to it; not beyond MAX_DEGREE_COUNTED each."""
    begin, end = _borders(reading, node)
    out = reading.count(FROM, node.number, begin, end)
    if node.kind is NodeKind.SECTION:
        return out
    addresses = [row[0] for row in reading.con.execute(ADDRESSES, (node.number,))]
    return out + sum(reading.count(FROM_OTHERS, address, node.number) for address in addresses)


def frequency(reading: Reading, node: Node) -> int:
    """How many other documents link to the node, at least 1, not beyond GRAPH_FREQUENCY_COUNTED."""
    others: set[int] = set()
    for document_id, *_ in _rows_to(reading, node):
        others.add(document_id)
        if len(others) > caps.GRAPH_FREQUENCY_COUNTED:
            break
    return max(1, min(len(others - {node.number}), caps.GRAPH_FREQUENCY_COUNTED))


def weight_of(count: int) -> float:
    """How much it says that something was found so often: 0.5 for once, nearing 1."""
    return count / (count + 1)


def _links(reading: Reading, node: Node) -> Iterator[tuple[str, str]]:
    """Address and words of the links in the node."""
    begin, end = _borders(reading, node)
    for url, text, start in reading.rows(OUT, node.number):
        if begin <= start < end:
            yield url, text


def _borders(reading: Reading, node: Node) -> tuple[int, int]:
    """Where the text of the node begins and ends; the end is beyond any text where the node is the last one."""
    starts = reading.starts(node.number)
    if node.kind is NodeKind.DOCUMENT or node.section >= len(starts):
        return (0, ENDLESS) if node.kind is NodeKind.DOCUMENT else (0, 0)
    return starts[node.section], starts[node.section + 1] if node.section + 1 < len(starts) else ENDLESS


def _documents(reading: Reading, urls: Iterable[str]) -> dict[str, int]:
    """Stored pages in scope by address; a page's own address wins over another one's alias."""
    found: dict[str, int] = {}
    for url, document_id in reading.con.execute(TARGETS, (text_list(url for url in urls if url),)):
        if reading.passes(document_id):
            found.setdefault(url, document_id)
    return found


def _sections(reading: Reading, links: Iterable[tuple[str, str]], pages: dict[str, int]) -> dict[str, Node]:
    """Sections by the whole address of the links that name them by their anchor."""
    wanted: dict[int, dict[str, list[str]]] = {}
    for url, _ in links:
        page, _, fragment = url.partition("#")
        if fragment and page in pages:
            wanted.setdefault(pages[page], {}).setdefault(fragment, []).append(url)
    found: dict[str, Node] = {}
    for document_id, fragments in wanted.items():
        for section, anchor in reading.con.execute(ANCHORED, (document_id, text_list(fragments))):
            for url in fragments[anchor]:
                found.setdefault(url, place_node(document_id, section))
    return found


def _rows_to(reading: Reading, node: Node) -> Iterator[tuple[int, str, int]]:
    """Document, words and place of the links to any address of the node."""
    addresses = [row[0] for row in reading.con.execute(ADDRESSES, (node.number,))]
    if node.kind is NodeKind.DOCUMENT:
        for address in addresses:
            yield from reading.rows(TO_PAGE, address)
        return
    anchor = reading.con.execute(ANCHOR, (node.number, node.section)).get
    for address in addresses if anchor else ():
        yield from reading.rows(TO_PLACE, f"{address}#{anchor}")
