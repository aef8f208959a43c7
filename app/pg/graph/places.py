"""The edges between documents and sections: headings contain and follow each other, links lead to stored pages; those of menus do not."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app import caps
from app.library.graph_records import (
    GRAPH_LINKS_COUNTED,
    GRAPH_PAGES_COUNTED,
    SMALLEST_SITE,
    Edge,
    EdgeType,
    Node,
    NodeKind,
    document_node,
    place_node,
    weight_of,
)
from app.pg.scopes import Reading, columns

SCANNED_LINKS: Final = 5_000
"""Most links to one place that are looked at."""
ENDLESS: Final = 2**62

PAGES: Final = """
SELECT d.id, d.title, d.url, d.doc_tag, d.site, t.sections FROM documents d JOIN document_texts t ON t.document_id = d.id
WHERE {d} AND t.collection_id = ANY($1) AND d.id = ANY({v0}::bigint[])
"""
AT: Final = """
SELECT q.url, q.anchor, found.id, CASE WHEN q.anchor IS NOT NULL THEN (
    SELECT s.ord - 1 FROM document_texts t, jsonb_array_elements(t.sections) WITH ORDINALITY AS s(value, ord)
    WHERE t.collection_id = ANY($1) AND t.document_id = found.id AND s.value->>2 = q.anchor ORDER BY s.ord LIMIT 1
  ) END AS section
FROM (SELECT DISTINCT url, anchor FROM unnest({v0}::text[], {v1}::text[]) AS given(url, anchor)) q, LATERAL (
  SELECT any_of.id FROM (
    SELECT d.id, 0 AS rank FROM documents d WHERE {d} AND d.url = q.url
    UNION ALL
    SELECT d.id, 1 FROM aliases a JOIN documents d ON d.id = a.document_id WHERE a.collection_id = ANY($1) AND a.url = q.url AND {d}
  ) any_of ORDER BY any_of.rank, any_of.id LIMIT 1
) found
"""
"""The document at each address, and its section with each anchor; a page's own address wins over another one's alias."""
OUT: Final = """
SELECT q.place, l.url, l.text
FROM unnest({v0}::int[], {v1}::bigint[], {v2}::bigint[], {v3}::bigint[]) AS q(place, document_id, first, last)
JOIN links l ON l.document_id = q.document_id AND l.start >= q.first AND l.start < q.last
WHERE {l} ORDER BY q.place, l.ord
"""
IN: Final = """
WITH addresses AS (
  SELECT q.place, q.document_id, q.anchor, own.url
  FROM unnest({v0}::int[], {v1}::bigint[], {v2}::text[]) AS q(place, document_id, anchor), LATERAL (
    SELECT d.url FROM documents d WHERE {d} AND d.id = q.document_id
    UNION SELECT a.url FROM aliases a JOIN documents d ON d.id = a.document_id
    WHERE a.collection_id = ANY($1) AND a.document_id = q.document_id AND {d}
  ) own
)
SELECT a.place, found.document_id, found.text, CASE WHEN a.anchor IS NULL THEN -1 ELSE (
    SELECT count(*) - 1 FROM document_texts t, jsonb_array_elements(t.sections) AS s(value)
    WHERE t.collection_id = ANY($1) AND t.document_id = found.document_id AND (s.value->>3)::int <= found.start
  ) END AS section
FROM addresses a, LATERAL (
  SELECT l.document_id, l.text, l.start FROM links l
  WHERE {l} AND l.target = hashtextextended(split_part(a.url, '#', 1), 0) AND CASE
    WHEN a.anchor IS NULL THEN l.document_id <> a.document_id AND (l.url = a.url OR starts_with(l.url, a.url || '#'))
    ELSE l.url = a.url || '#' || a.anchor END
  ORDER BY l.document_id, l.ord LIMIT {v3}
) found ORDER BY a.place, found.document_id
"""
SHOWN: Final = """
WITH pages AS MATERIALIZED (
  SELECT d.id, d.title, d.url, d.doc_tag, t.sections || '[]'::jsonb AS sections
  FROM documents d JOIN document_texts t ON t.document_id = d.id
  WHERE {d} AND t.collection_id = ANY($1) AND d.id = ANY({v1}::bigint[])
), shown AS MATERIALIZED (
  SELECT q.place, q.section AS number, p.id, p.title, p.url, p.doc_tag, CASE WHEN q.section >= 0 THEN p.sections->q.section END AS section,
    jsonb_array_length(p.sections) AS sections, CASE WHEN q.section < 0 THEN 0 ELSE (p.sections->q.section->>3)::int END AS first,
    coalesce((p.sections->(q.section + 1)->>3)::int, 2147480000) AS next
  FROM unnest({v0}::int[], {v1}::bigint[], {v2}::int[]) AS q(place, document_id, section)
  JOIN pages p ON p.id = q.document_id WHERE q.section < 0 OR q.section < jsonb_array_length(p.sections)
)
SELECT s.place, s.title, s.url, s.doc_tag, s.section,
  CASE WHEN {v3} THEN (
    SELECT substr(t.text, 1 + s.first, greatest(0, least({v4}, s.next - s.first)))
    FROM document_texts t WHERE t.collection_id = ANY($1) AND t.document_id = s.id
  ) ELSE '' END AS piece,
  (SELECT count(*) FROM (SELECT FROM links l WHERE {l} AND l.document_id = s.id
    AND (s.number < 0 OR l.start >= s.first AND l.start < s.next) LIMIT {v5}) counted)
  + CASE WHEN s.number < 0 THEN least(s.sections, {v5}) + (SELECT count(*) FROM (
      SELECT FROM links l WHERE {l} AND l.target = hashtextextended(split_part(s.url, '#', 1), 0) AND l.document_id <> s.id
        AND (l.url = s.url OR starts_with(l.url, s.url || '#')) LIMIT {v5}) counted)
  ELSE (SELECT count(*) FROM mentions m WHERE {m} AND m.document_id = s.id AND m.section = s.number) END AS degree
FROM shown s
"""
"""The sections of a page are unpacked once, here by joining them with nothing: they may be megabytes."""
OF_CHUNKS: Final = """
SELECT c.id, c.document_id, (
  SELECT count(*) - 1 FROM document_texts t, jsonb_array_elements(t.sections) AS s(value)
  WHERE t.collection_id = ANY($1) AND t.document_id = c.document_id AND (s.value->>3)::int <= c.start
) FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.collection_id = ANY($1) AND {d} AND c.id = ANY({v0}::bigint[])
"""
LINKED_FROM: Final = """
SELECT q.place, (SELECT count(*) FROM (
  SELECT DISTINCT l.document_id FROM (
    SELECT d.url FROM documents d WHERE {readable} AND d.id = q.document_id
    UNION SELECT a.url FROM aliases a WHERE a.collection_id = ANY($1) AND a.document_id = q.document_id
  ) own JOIN links l ON l.target = hashtextextended(split_part(own.url, '#', 1), 0) AND CASE
    WHEN q.anchor IS NULL THEN l.url = own.url OR starts_with(l.url, own.url || '#') ELSE l.url = own.url || '#' || q.anchor END
  WHERE l.collection_id = ANY($1) AND l.document_id <> q.document_id LIMIT {v3}
) counted) FROM unnest({v0}::int[], {v1}::bigint[], {v2}::text[]) AS q(place, document_id, anchor)
"""
SHARES: Final = """
SELECT d.id, site.pages, greatest(
  CASE WHEN out_of.links > site.pages / 4 THEN (
    SELECT count(DISTINCT o.id) FROM (
      SELECT split_part(l.url, '#', 1) AS page FROM links l WHERE l.collection_id = ANY($1) AND l.document_id = d.id LIMIT {v1}
    ) led JOIN documents o ON o.url = led.page AND o.collection_id = ANY($1)
  ) ELSE out_of.links END,
  (SELECT count(*) FROM (
    SELECT DISTINCT l.document_id FROM links l WHERE l.collection_id = ANY($1) AND l.target = hashtextextended(split_part(d.url, '#', 1), 0)
      AND (l.url = d.url OR starts_with(l.url, d.url || '#')) LIMIT {v2}
  ) counted)
) AS linked
FROM documents d,
  LATERAL (SELECT count(*) AS pages FROM (
    SELECT FROM documents o WHERE o.collection_id = ANY($1) AND o.site = d.site LIMIT {v2}) counted) site,
  LATERAL (SELECT count(*) AS links FROM (
    SELECT FROM links l WHERE l.collection_id = ANY($1) AND l.document_id = d.id LIMIT {v1}) counted) out_of
WHERE {readable} AND d.id = ANY({v0}::bigint[])
"""


@dataclass(frozen=True, slots=True)
class Page:
    """A document in scope; `sections` are level, heading, anchor, start and end of each."""

    id: int
    title: str
    url: str
    doc_tag: str
    site: str
    sections: Sequence[tuple[int, str, str | None, int, int]]

    def level(self, section: int) -> int | None:
        return self.sections[section][0] if 0 <= section < len(self.sections) else None

    def borders(self, section: int) -> tuple[int, int]:
        """Where the text of a section, or of the document, begins and ends."""
        if section < 0:
            return 0, ENDLESS
        end = self.sections[section + 1][3] if section + 1 < len(self.sections) else ENDLESS
        return self.sections[section][3], end

    def holds(self, node: Node) -> bool:
        return node.kind is NodeKind.DOCUMENT or self.level(node.section) is not None

    def section_at(self, position: int) -> int:
        """The number of the section that holds this place of the text, -1 before the first heading."""
        return bisect_right(self.sections, position, key=lambda section: section[3]) - 1


async def pages_of(reading: Reading, nodes: Iterable[Node]) -> dict[int, Page]:
    """The documents in scope that the nodes are or belong to."""
    ids = list(dict.fromkeys(node.number for node in nodes if node.kind is not NodeKind.ENTITY))
    rows = await reading.rows(PAGES, ids) if ids else []
    return {
        row["id"]: Page(
            *(row["id"], row["title"], row["url"], row["doc_tag"], row["site"]),
            sections=[(each[0], each[1], each[2], each[3], each[4]) for each in json.loads(row["sections"])],
        )
        for row in rows
    }


def parent(page: Page, node: Node) -> Iterator[Edge]:
    """The section above, or the document."""
    if node.kind is NodeKind.SECTION and (level := page.level(node.section)) is not None:
        above = next((each for each in range(node.section - 1, -1, -1) if page.sections[each][0] < level), -1)
        yield Edge(place_node(page.id, above), node, EdgeType.CONTAINS, 1.0)


def children(page: Page, node: Node) -> Iterator[Edge]:
    """The sections right below, in reading order."""
    own = 0 if node.kind is NodeKind.DOCUMENT else page.level(node.section)
    shallowest: int | None = None
    for section in range(node.section + 1, len(page.sections)) if own is not None else ():
        level = page.sections[section][0]
        if own is not None and level <= own and node.kind is NodeKind.SECTION:
            return
        if shallowest is None or level <= shallowest:
            shallowest = level
            yield Edge(node, place_node(page.id, section), EdgeType.CONTAINS, 1.0)


def following(page: Page, node: Node) -> Iterator[Edge]:
    """The section after this one."""
    if node.kind is NodeKind.SECTION and page.level(node.section + 1) is not None:
        yield Edge(node, place_node(page.id, node.section + 1), EdgeType.NEXT, 1.0)


def preceding(page: Page, node: Node) -> Iterator[Edge]:
    """The section before this one."""
    if node.kind is NodeKind.SECTION and node.section > 0:
        yield Edge(place_node(page.id, node.section - 1), node, EdgeType.NEXT, 1.0)


async def outgoing(reading: Reading, pages: Mapping[int, Page], nodes: Sequence[Node]) -> dict[Node, list[Edge]]:
    """What the links in sections, or in whole documents, lead to; those that lead there often first.

    A document leads to documents, a section to the section that the link names, if it names one.
    """
    asked = [(place, node.number, *pages[node.number].borders(node.section)) for place, node in enumerate(nodes)]
    rows = await reading.rows(OUT, *columns(asked, 4)) if asked else []
    led = {(row[0], row[1]): _split(row[1], nodes[row[0]]) for row in rows}
    found = {(row[0], row[1]): (row[2], row[3]) for row in await at(reading, dict.fromkeys(led.values()))}
    words: dict[int, dict[Node, str]] = defaultdict(dict)
    counts: dict[int, Counter[Node]] = defaultdict(Counter)
    for place, url, text in rows:
        page, section = found.get(led[place, url]) or found.get((led[place, url][0], None)) or (None, None)
        if page is None:
            continue
        target = document_node(page) if section is None else place_node(page, section)
        if target != nodes[place] and (target.kind is NodeKind.SECTION or page != nodes[place].number):
            counts[place][target] += 1
            words[place].setdefault(target, text)
    return {
        nodes[place]: [
            Edge(nodes[place], target, EdgeType.LINKS_TO, weight_of(count), words[place][target])
            for target, count in counted.most_common()
        ]
        for place, counted in counts.items()
    }


async def at(reading: Reading, places: Iterable[tuple[str, str | None]]) -> list[Any]:
    """Address, anchor, document and section of each address with an anchor or without that leads to a document in scope."""
    sought = [place for place in places if "\0" not in f"{place[0]}{place[1]}"]
    return await reading.rows(AT, *columns(sought, 2)) if sought else []


async def incoming(
    reading: Reading, pages: Mapping[int, Page], nodes: Sequence[Node], limit: int
) -> dict[Node, list[Edge]]:
    """Sections that link to a section by its anchor; documents that link to a document or anything in it."""
    asked = [
        (place, node.number, None if node.kind is NodeKind.DOCUMENT else pages[node.number].sections[node.section][2])
        for place, node in enumerate(nodes)
        if node.kind is NodeKind.DOCUMENT or pages[node.number].sections[node.section][2]
    ]
    rows = await reading.rows(IN, *columns(asked, 3), SCANNED_LINKS) if asked else []
    found: dict[int, dict[Node, tuple[int, str]]] = defaultdict(dict)
    for place, document_id, text, section in rows:
        source = place_node(document_id, section)
        if source != nodes[place] and len(found[place]) <= limit:
            count, words = found[place].get(source, (0, text))
            found[place][source] = count + 1, words
    return {
        nodes[place]: [
            Edge(source, nodes[place], EdgeType.LINKS_TO, weight_of(count), words)
            for source, (count, words) in sorted(sources.items(), key=lambda item: -item[1][0])
        ]
        for place, sources in found.items()
    }


async def frequencies(reading: Reading, pages: Mapping[int, Page], nodes: Sequence[Node]) -> dict[Node, int]:
    """How many other documents link to each node, at least 1, not beyond GRAPH_FREQUENCY_COUNTED."""
    asked = []
    for place, node in enumerate(nodes):
        page = pages.get(node.number)
        anchor = page.sections[node.section][2] if page and node.kind is NodeKind.SECTION and page.holds(node) else None
        if node.kind is NodeKind.DOCUMENT or anchor:
            asked.append((place, node.number, anchor))
    rows = await reading.rows(LINKED_FROM, *columns(asked, 3), caps.GRAPH_FREQUENCY_COUNTED) if asked else []
    counted = {nodes[row[0]]: row[1] for row in rows}
    return {node: max(1, counted.get(node, 0)) for node in nodes}


async def linked_shares(reading: Reading, document_ids: Iterable[int]) -> dict[int, float]:
    """With how much of its site each page exchanges links, 0 to 1."""
    rows = await reading.rows(SHARES, list(set(document_ids)), GRAPH_LINKS_COUNTED, GRAPH_PAGES_COUNTED)
    return {row[0]: min(1.0, row[2] / row[1]) if row[1] >= SMALLEST_SITE else 0.0 for row in rows}


def _split(url: str, source: Node) -> tuple[str, str | None]:
    """The page of a link, and the anchor where a section links."""
    page, _, fragment = url.partition("#")
    return page, fragment if fragment and source.kind is NodeKind.SECTION else None
