"""Entities: the edges between them and the places that name them, among themselves, and what a name stands for.

A name on sites that do not know each other is one entity each; `sites.py` of the private library says how they are told apart.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from app import caps
from app.library.graph_records import (
    CASED_WEIGHT,
    FEW_NAMES,
    GRAPH_COMPANIONS,
    GRAPH_SECTIONS_COMPARED,
    MAX_SITES_OF_NAME,
    QUALIFIED_WEIGHT,
    SEVERAL_SECTIONS,
    Edge,
    EdgeType,
    Node,
    NodeKind,
    entity_node,
    naming,
    place_node,
    worth_of,
)
from app.pg.graph.places import Page
from app.pg.scopes import Reading, columns, joined
from app.text.entities import folded_symbol, folded_term

NAMES_LOOKED_AT: Final = 100
"""Of names that end alike, or of members of a name."""

SPLIT_PLACES_COUNTED: Final = 5_000
"""Of a name that is several entities."""

FACTS: Final = """
SELECT e.id, e.kind, e.name, e.folded, e.tail,
  ARRAY(SELECT DISTINCT s.site FROM entity_sites s WHERE s.collection_id = ANY($1) AND s.entity_id = e.id ORDER BY 1 LIMIT {v1}) AS sites,
  (SELECT count(*) FROM (SELECT FROM mentions m WHERE {mentions} AND m.entity_id = e.id LIMIT {v2}) counted) AS frequency
FROM entities e WHERE e.id = ANY({v0}::bigint[]) AND EXISTS (SELECT FROM mentions m WHERE {mentions} AND m.entity_id = e.id)
"""
SITES: Final = """
SELECT l.site, l.other, 0::bigint AS first FROM site_links l
WHERE l.collection_id = ANY($1) AND l.site = ANY({v0}::text[]) AND l.other = ANY({v0}::text[])
UNION ALL
SELECT q.site, NULL, (SELECT min(d.id) FROM documents d
  WHERE {readable} AND (d.site = q.site OR d.site > q.site || '/' AND d.site < q.site || '0'))
FROM unnest({v0}::text[]) AS q(site)
"""
ON_SITES: Final = """
SELECT q.entity_id, named.site, count(*) FROM unnest({{v0}}::bigint[], {{v1}}::int[]) AS q(entity_id, most), LATERAL (
  SELECT d.site FROM mentions m JOIN documents d ON d.id = m.document_id
  WHERE m.collection_id = ANY($1) AND {documents} AND m.entity_id = q.entity_id LIMIT q.most
) named GROUP BY q.entity_id, named.site
"""
"""How often names stand on each site; each name is gone through once, however many entities it is."""
IN_SCOPE: Final = ON_SITES.format(documents="{d}")
READABLE: Final = ON_SITES.format(documents="{readable}")
VISIBLE: Final = """
SELECT q.entity_id, q.site FROM unnest({v0}::bigint[], {v1}::text[]) AS q(entity_id, site) WHERE EXISTS (
  SELECT FROM mentions m JOIN documents d ON d.id = m.document_id
  WHERE m.collection_id = ANY($1) AND {d} AND m.entity_id = q.entity_id AND d.site = q.site
)
"""
NAMED: Final = """
SELECT place, entity_id, number, defines FROM (
  SELECT q.place, m.entity_id, sum(m.count)::int AS number, bool_or(m.defines) AS defines, row_number() OVER (
    PARTITION BY q.place ORDER BY bool_or(m.defines) DESC, sum(m.count) DESC, m.entity_id
  ) AS rank
  FROM unnest({v0}::int[], {v1}::bigint[], {v2}::int[]) AS q(place, document_id, section)
  JOIN mentions m ON m.document_id = q.document_id AND (q.section < -1 OR m.section = q.section)
  WHERE {m} GROUP BY q.place, m.entity_id
) ranked WHERE rank <= {v3} ORDER BY place, rank
"""
PLACES: Final = """
SELECT q.place, found.document_id, found.section, found.count, found.defines
FROM unnest({v0}::int[], {v1}::bigint[], {v2}::text[]) AS q(place, entity_id, sites), (VALUES (true), (false)) AS kind(defines), LATERAL (
  SELECT m.document_id, m.section, m.count, m.defines FROM mentions m JOIN documents d ON d.id = m.document_id
  WHERE m.collection_id = ANY($1) AND {d} AND m.entity_id = q.entity_id AND m.defines = kind.defines
    AND (q.sites IS NULL OR d.site = ANY(string_to_array(q.sites, E'\\x1f')))
  ORDER BY m.count DESC, m.document_id DESC, m.section DESC LIMIT {v3}
) found ORDER BY q.place, found.defines DESC, found.count DESC, found.document_id DESC, found.section DESC
"""
TOGETHER: Final = """
SELECT place, entity_id, shared, home FROM (
  SELECT q.place, m.entity_id, count(*)::int AS shared, (array_agg(m.document_id ORDER BY q.rank))[1] AS home,
    row_number() OVER (PARTITION BY q.place ORDER BY count(*) DESC, min(q.rank), m.entity_id) AS number
  FROM unnest({v0}::int[], {v1}::int[], {v2}::bigint[], {v3}::int[], {v4}::bigint[]) AS q(place, rank, document_id, section, own)
  JOIN mentions m ON m.document_id = q.document_id AND m.section = q.section
  WHERE {m} AND m.entity_id <> q.own GROUP BY q.place, m.entity_id
) ranked WHERE number <= {v5} ORDER BY place, number
"""
NAMES: Final = """
SELECT q.place, found.way, found.id FROM
  unnest({v0}::int[], {v1}::text[], {v2}::text[], {v3}::text[]) AS q(place, name, term, symbol), LATERAL (
  SELECT 0 AS way, e.id FROM entities e WHERE e.kind = 'symbol' AND e.name = q.name
  UNION ALL SELECT 1, e.id FROM entities e WHERE e.kind = 'term' AND e.folded = q.term
  UNION ALL (SELECT 2, e.id FROM entities e WHERE e.kind = 'symbol' AND e.folded = q.symbol ORDER BY e.id LIMIT {v4})
  UNION ALL (SELECT 3, e.id FROM entities e WHERE e.tail = q.name ORDER BY e.id LIMIT {v4})
) found WHERE EXISTS (SELECT FROM mentions m WHERE {m} AND m.entity_id = found.id) ORDER BY q.place, found.way, found.id
"""
KIN: Final = """
SELECT q.place, found.* FROM unnest(
  {v0}::int[], {v1}::text[], {v2}::text[], {v3}::text[], {v4}::text[]
) AS q(place, name, folded, tail, above), LATERAL (
  (SELECT 'spelling' AS way, e.id, e.kind, e.name FROM entities e WHERE e.folded = q.folded ORDER BY e.id LIMIT {v5})
  UNION ALL (SELECT 'ends', e.id, e.kind, e.name FROM entities e WHERE e.tail = q.name ORDER BY e.id LIMIT {v5})
  UNION ALL (SELECT 'ends too', e.id, e.kind, e.name FROM entities e WHERE e.tail = q.tail ORDER BY e.id LIMIT {v5})
  UNION ALL SELECT 'bare', e.id, e.kind, e.name FROM entities e WHERE e.kind = 'symbol' AND e.name = q.tail
  UNION ALL SELECT 'above', e.id, e.kind, e.name FROM entities e WHERE e.kind = 'symbol' AND e.name = q.above
  UNION ALL (
    SELECT 'member', e.id, e.kind, e.name FROM entities e
    WHERE e.kind = 'symbol' AND e.name >= q.name || '.' AND e.name < q.name || '/'
      AND strpos(substr(e.name, length(q.name) + 2), '.') = 0
      AND EXISTS (SELECT FROM mentions m WHERE {mentions} AND m.entity_id = e.id AND m.defines) ORDER BY e.name LIMIT {v5}
  )
) found
UNION ALL
SELECT DISTINCT q.place, 'defined', 0::bigint, CASE WHEN e.name = q.name THEN 'name' ELSE 'tail' END, d.site
FROM unnest({v0}::int[], {v1}::text[], {v3}::text[]) AS q(place, name, tail)
JOIN entities e ON e.kind = 'symbol' AND (e.name = q.name OR e.name = q.tail)
JOIN mentions m ON m.entity_id = e.id AND m.defines JOIN documents d ON d.id = m.document_id
WHERE m.collection_id = ANY($1) AND {readable}
"""
"""What is spelled, or ends, like names of code; what a name is below, what is below it; on which sites the bare names are defined."""


@dataclass(slots=True)
class Facts:
    """What is known of entities: `groups` of a name on sites that do not know each other, `links` between sites."""

    kinds: dict[int, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    folded: dict[int, str] = field(default_factory=dict)
    tails: dict[int, str | None] = field(default_factory=dict)
    sites: dict[int, list[str]] = field(default_factory=dict)
    counts: dict[Node, int] = field(default_factory=dict)
    groups: dict[int, dict[str, int]] = field(default_factory=dict)
    firsts: dict[str, int] = field(default_factory=dict)
    links: set[tuple[str, str]] = field(default_factory=set)
    visible: set[tuple[int, str]] = field(default_factory=set)

    def named_at(self, entity_id: int, site: str) -> Node:
        """The entity that its name means on a site; beyond those that are told apart one of its own."""
        groups = self.groups.get(entity_id)
        if not groups:
            return entity_node(entity_id)
        return entity_node(entity_id, groups[site] if site in groups else self.firsts.get(site, -1))

    def sites_of(self, node: Node) -> list[str]:
        """The sites on which the name means this entity."""
        groups = self.groups.get(node.number)
        every = self.sites.get(node.number, [])
        return every if node.section < 0 or not groups else [site for site in every if groups.get(site) == node.section]

    def all_of(self, entity_id: int) -> list[Node]:
        """One entity, or one a group of sites."""
        return [entity_node(entity_id, each) for each in sorted(set(self.groups.get(entity_id, {}).values())) or [-1]]

    def namesakes(self, entity_id: int) -> list[Node]:
        """Those in scope, those first that more sections are about."""
        found = [
            node
            for node in self.all_of(entity_id)
            if any((entity_id, site) in self.visible for site in self.sites_of(node))
        ]
        return sorted(found, key=lambda node: -self.counts.get(node, 1))

    def are_one(self, site: str, other: str) -> bool:
        """Whether a name on both is one entity."""
        if site == other:
            return True
        root, folder = site.partition("/")[0], other.partition("/")[0]
        if root == folder and root in (site, other):
            return True
        return (site, other) in self.links or (other, site) in self.links

    def beside(self, node: Node, entity_id: int) -> Iterator[Node]:
        """What another name in scope means on the sites of the entity, or on sites that are one with them."""
        own = self.sites_of(node)
        for other in self.namesakes(entity_id):
            if any(self.are_one(site, each) for site in own for each in self.sites_of(other)):
                yield other


async def learn(
    reading: Reading, facts: Facts, entity_ids: Iterable[int], *, seen: bool = False, on: Iterable[str] = ()
) -> None:
    """Add what is known of entities; with `seen` also on which sites they are in scope. `on` are sites whose groups are asked for."""
    wanted = [each for each in dict.fromkeys(entity_ids) if each not in facts.names]
    rows = await reading.rows(FACTS, wanted, MAX_SITES_OF_NAME, caps.GRAPH_FREQUENCY_COUNTED) if wanted else []
    for row in rows:
        entity_id = row["id"]
        facts.kinds[entity_id], facts.names[entity_id] = row["kind"], row["name"]
        facts.folded[entity_id], facts.tails[entity_id] = row["folded"], row["tail"]
        facts.sites[entity_id] = list(row["sites"])
        facts.counts[entity_node(entity_id)] = max(1, row["frequency"])
    several = [row["id"] for row in rows if len(row["sites"]) > 1]
    if several:
        sites = sorted({*on, *(site for each in several for site in facts.sites[each])})
        for site, other, first in await reading.rows(SITES, sites):
            if other is None:
                facts.firsts[site] = first or 0
            else:
                facts.links.add((site, other))
        for each in several:
            facts.groups[each] = _grouped(facts, facts.sites[each])
        split = [node for each in several if facts.groups[each] for node in facts.all_of(each)]
        counts = await counted(reading, facts, split, READABLE, caps.GRAPH_FREQUENCY_COUNTED)
        facts.counts.update((node, max(1, count)) for node, count in counts.items())
    pairs = [(row["id"], site) for row in rows for site in row["sites"]] if seen else []
    if pairs:
        facts.visible.update(map(tuple, await reading.rows(VISIBLE, *columns(pairs, 2))))


async def counted(reading: Reading, facts: Facts, nodes: Sequence[Node], query: str, most: int) -> dict[Node, int]:
    """How many places name each entity, at most `most`; those of a name on very many sites may be more."""
    split = {node.number for node in nodes if node.section >= 0}
    limits = {node.number: SPLIT_PLACES_COUNTED if node.number in split else most for node in nodes}
    rows = await reading.rows(query, list(limits), list(limits.values())) if limits else []
    on_sites: dict[int, dict[str, int]] = defaultdict(dict)
    for entity_id, site, count in rows:
        on_sites[entity_id][site] = count
    found = {}
    for node in nodes:
        known = on_sites.get(node.number, {})
        sites = known if node.section < 0 else facts.sites_of(node)
        found[node] = min(most, sum(known.get(site, 0) for site in sites))
    return found


async def named_in(
    reading: Reading, facts: Facts, pages: Mapping[int, Page], nodes: Sequence[Node], limit: int
) -> dict[Node, list[Edge]]:
    """The entities of sections or of whole documents: by how much they tell, and how well they lead on."""
    asked = [
        (place, node.number, -2 if node.kind is NodeKind.DOCUMENT else node.section) for place, node in enumerate(nodes)
    ]
    rows = await reading.rows(NAMED, *columns(asked, 3), 2 * limit + FEW_NAMES)
    await learn(reading, facts, (row[1] for row in rows), on={pages[node.number].site for node in nodes})
    found: dict[Node, list[Edge]] = defaultdict(list)
    for place, entity_id, count, defines in rows:
        node = nodes[place]
        entity = facts.named_at(entity_id, pages[node.number].site)
        found[node].append(naming(node, entity, count, defines=defines))
    for edges in found.values():
        edges.sort(key=lambda edge: (-worth_of(edge, facts.counts.get(entity_node(edge.dst.number), 1)), edge.dst))
    return found


async def places(
    reading: Reading, facts: Facts, nodes: Sequence[Node], limit: int
) -> dict[Node, list[tuple[Node, int, bool]]]:
    """The sections in scope that name each entity, those that are about it first, then those that name it often.

    Of each of the two kinds at most `limit`.
    """
    asked = []
    for place, node in enumerate(nodes):
        sites = None if node.section < 0 else joined(facts.sites_of(node) if facts.groups.get(node.number) else ())
        asked.append((place, node.number, sites))
    rows = await reading.rows(PLACES, *columns(asked, 3), limit) if asked else []
    found: dict[Node, list[tuple[Node, int, bool]]] = defaultdict(list)
    for place, document_id, section, count, defines in rows:
        found[nodes[place]].append((place_node(document_id, section), count, defines))
    return found


async def together(
    reading: Reading, facts: Facts, found: Mapping[Node, Sequence[tuple[Node, int, bool]]], sites: Mapping[int, str]
) -> dict[Node, list[Edge]]:
    """Entities that stand in the same sections, the closest companions first: shared sections over the geometric mean of all."""
    nodes = list(found)
    looked_at = [found[node][:GRAPH_SECTIONS_COMPARED] for node in nodes]
    asked = [
        (number, rank, place.number, place.section, nodes[number].number)
        for number, compared in enumerate(looked_at)
        for rank, (place, _, _) in enumerate(compared)
    ]
    rows = await reading.rows(TOGETHER, *columns(asked, 5), GRAPH_COMPANIONS) if asked else []
    await learn(reading, facts, (row[1] for row in rows), on=sites.values())
    near: dict[Node, list[Edge]] = defaultdict(list)
    for number, entity_id, shared, home in rows:
        compared = len(looked_at[number])
        if shared < (2 if compared > SEVERAL_SECTIONS else 1):
            continue
        other = facts.named_at(entity_id, sites.get(home, ""))
        weight = min(1.0, shared / math.sqrt(compared * facts.counts.get(other, 1)))
        near[nodes[number]].append(Edge(nodes[number], other, EdgeType.CO_OCCURS, weight))
    for edges in near.values():
        edges.sort(key=lambda edge: (-edge.weight, edge.dst))
    return near


@dataclass(slots=True)
class Kin:
    """The names around one entity: other spellings, what it is below, what is below it."""

    owner: list[Edge] = field(default_factory=list)
    members: list[Edge] = field(default_factory=list)
    spellings: list[Edge] = field(default_factory=list)


async def kin(reading: Reading, facts: Facts, nodes: Sequence[Node]) -> dict[Node, Kin]:
    """The edges between names. The entities must be learnt."""
    known = [node for node in nodes if node.number in facts.names]
    asked = [(place, *_asked(facts, node)) for place, node in enumerate(known)]
    rows = await reading.rows(KIN, *columns(asked, 5), NAMES_LOOKED_AT) if asked else []
    # Which sites of an entity are in scope was not asked when it was learnt.
    for row in rows:
        facts.names.pop(row[2], None)
    await learn(reading, facts, {*(row[2] for row in rows if row[2]), *(node.number for node in known)}, seen=True)
    by_place: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        by_place[row[0]].append(row)
    return {node: _kin(facts, node, by_place[place]) for place, node in enumerate(known)}


async def meant(reading: Reading, facts: Facts, names: Sequence[str], limit: int) -> dict[str, list[Node]]:
    """The entities in scope that each name has: as it is written, else in any spelling, else as the last part of a qualified name."""
    usable = [name for name in dict.fromkeys(names) if "\0" not in name]
    asked = [(place, name, folded_term(name), folded_symbol(name)) for place, name in enumerate(usable)]
    rows = await reading.rows(NAMES, *columns(asked, 4), NAMES_LOOKED_AT) if asked else []
    await learn(reading, facts, (row[2] for row in rows), seen=True)
    ways: dict[str, dict[int, list[Node]]] = {name: defaultdict(list) for name in names}
    for place, way, entity_id in rows:
        ways[usable[place]][way] += facts.namesakes(entity_id)
    best = {name: next((found for _, found in sorted(by_way.items()) if found), []) for name, by_way in ways.items()}
    return {name: list(dict.fromkeys(found))[:limit] for name, found in best.items()}


def _asked(facts: Facts, node: Node) -> tuple[str | None, str, str | None, str | None]:
    """Name, folded name, tail and the name above of a symbol; of a term only its spelling counts."""
    folded = facts.folded[node.number]
    if facts.kinds[node.number] != "symbol":
        return None, folded, None, None
    name = facts.names[node.number]
    return name, folded, facts.tails[node.number], name.rpartition(".")[0] or None


def _kin(facts: Facts, node: Node, rows: Sequence[Any]) -> Kin:
    of = {way: [row for row in rows if row[1] == way] for way in {row[1] for row in rows}}
    kin = Kin()
    for row in of.get("above", ()):
        kin.owner += [Edge(other, node, EdgeType.CONTAINS, 1.0) for other in facts.beside(node, row[2])]
    for row in sorted(of.get("member", ()), key=lambda row: str(row[4])):
        kin.members += [Edge(node, other, EdgeType.CONTAINS, 1.0) for other in facts.beside(node, row[2])]
    same: dict[int, float] = {}
    is_symbol = facts.kinds.get(node.number) == "symbol"
    for row in of.get("spelling", ()):
        same[row[2]] = CASED_WEIGHT if is_symbol and row[3] == "symbol" else 1.0
    if is_symbol:
        defined = {name: {row[4] for row in of.get("defined", ()) if row[3] == name} for name in ("name", "tail")}
        others = _only(facts, node, of.get("ends", ()), defined["name"])
        if facts.tails.get(node.number) and _only(facts, node, of.get("ends too", ()), defined["tail"]):
            others = [*others, *(row[2] for row in of.get("bare", ()))]
        for entity_id in others:
            same.setdefault(entity_id, QUALIFIED_WEIGHT)
    same.pop(node.number, None)
    for entity_id, weight in sorted(same.items(), key=lambda item: (-item[1], item[0])):
        kin.spellings += [Edge(node, other, EdgeType.SAME_AS, weight) for other in facts.beside(node, entity_id)]
    return kin


def _only(facts: Facts, near: Node, ending: Sequence[Any], defined_on: Iterable[str]) -> list[int]:
    """The one symbol with a last part on the sites of an entity; none if there are more, or if sections are about the bare name."""
    found = [row[2] for row in ending if next(facts.beside(near, row[2]), None) is not None]
    own = facts.sites_of(near)
    is_defined = any(facts.are_one(site, each) for site in own for each in defined_on)
    return found if len(found) == 1 and not is_defined else []


def _grouped(facts: Facts, sites: Iterable[str]) -> dict[str, int]:
    """The sites that name an entity, each with the number of its group; empty where all of them are one group."""
    groups: list[list[str]] = []
    for site in sites:
        joined_here = [group for group in groups if any(facts.are_one(site, other) for other in group)]
        groups = [group for group in groups if group not in joined_here]
        groups.append([*(each for group in joined_here for each in group), site])
    if len(groups) < 2:
        return {}
    return {site: min(facts.firsts.get(each, 0) for each in group) for group in groups for site in group}
