"""Entities of the graph: their edges to places and to each other, and the resolution of names."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from app import caps
from app.corpus.graph.places import GraphScope, weight_of
from app.library.graph_records import Edge, EdgeType, Node, NodeKind, entity_node, place_node, rarity_of
from app.text.entities import folded_symbol, folded_term

GRAPH_SECTIONS_COMPARED: Final = 80  # Sections of an entity that are compared to find entities named next to it.
GRAPH_COMPANIONS: Final = 80
QUALIFIED_WEIGHT: Final = 0.9  # Weight of a bare name and its only qualified name; 1 for a name and a term.
CASED_WEIGHT: Final = 0.8  # Weight of two code names that differ only in case or underscores.
SEVERAL_SECTIONS: Final = 3
FEW_NAMES: Final = 20
LONELY_RARITY: Final = 0.1
OF_SECTION: Final = "SELECT entity_id, count, defines FROM mentions WHERE document_id = ? AND section = ?"
OF_DOCUMENT: Final = "SELECT entity_id, sum(count), max(defines) FROM mentions WHERE document_id = ? GROUP BY entity_id"
PLACES: Final = """
SELECT document_id, section, count, defines FROM mentions WHERE entity_id = ?
ORDER BY defines DESC, count DESC, document_id DESC, section DESC
"""
IN_SECTION: Final = "SELECT document_id FROM mentions WHERE document_id = ? AND section = ?"
FREQUENCY: Final = "SELECT count(*) FROM (SELECT 1 FROM mentions WHERE entity_id = ? LIMIT ?)"
ENTITY: Final = "SELECT kind, name, folded, tail FROM entities WHERE id = ?"
SPELLINGS: Final = """
SELECT id, kind FROM entities WHERE folded = ?1 AND kind = 'symbol'
UNION ALL SELECT id, kind FROM entities WHERE folded = ?1 AND kind = 'term'
"""
BARE: Final = "SELECT id FROM entities WHERE name = ? AND kind = 'symbol'"
DEFINED: Final = """
SELECT DISTINCT m.document_id FROM mentions m JOIN entities e ON e.id = m.entity_id
WHERE e.name = ? AND e.kind = 'symbol' AND m.defines = 1 LIMIT 100
"""
MEMBERS: Final = """
SELECT e.id, e.name FROM entities e WHERE e.kind = 'symbol' AND e.name >= ?1 AND e.name < ?2
  AND EXISTS (SELECT 1 FROM mentions m WHERE m.entity_id = e.id AND m.defines = 1) ORDER BY e.name
"""
SYMBOL: Final = "SELECT id FROM entities WHERE kind = 'symbol' AND name = ?"
TERM: Final = "SELECT id FROM entities WHERE kind = 'term' AND folded = ?"
SPELLED: Final = "SELECT id FROM entities WHERE kind = 'symbol' AND folded = ?"
ALL_WITH_TAIL: Final = "SELECT id FROM entities WHERE tail = ? ORDER BY id"


def worth_of(edge: Edge, frequency: int) -> float:
    """Return the value of an edge to an entity for a walk: definitions first, then mentions by weight and rarity."""
    if edge.type is EdgeType.DEFINES:
        return 1 + frequency / caps.GRAPH_FREQUENCY_COUNTED
    return edge.weight * (rarity_of(frequency) if frequency > 1 else LONELY_RARITY)


def naming(place: Node, entity: Node, count: int, *, defines: bool) -> Edge:
    """Return the edge from a place to an entity that it names `count` times, or defines."""
    if defines:
        return Edge(place, entity, EdgeType.DEFINES, 1.0)
    return Edge(place, entity, EdgeType.MENTIONS, weight_of(count))


def named_in(scope: GraphScope, node: Node, limit: int) -> Iterator[Edge]:
    """Yield the most frequent entities of a section or document, those of most worth for a walk first."""
    is_document = node.kind is NodeKind.DOCUMENT
    rows = scope.rows(OF_DOCUMENT, node.number) if is_document else _of_section(scope, node)
    most_named = sorted(rows, key=lambda row: (-row[2], -row[1], row[0]))[: 2 * limit + FEW_NAMES]
    edges = [
        naming(node, entity_node(entity_id), count, defines=bool(defines)) for entity_id, count, defines in most_named
    ]
    if len(edges) > 1:
        edges.sort(key=lambda edge: (-worth_of(edge, frequency(scope, edge.dst)), edge.dst))
    for edge in edges:
        yield replace(edge, dst=named_at(scope, edge.dst.number, node.number))


def places(scope: GraphScope, node: Node) -> Iterator[Edge]:
    """Yield the sections in scope that name the entity: definitions first, then by number of mentions."""
    for document_id, section, count, defines in scope.rows(PLACES, node.number):
        if scope.passes(document_id) and _is_of(scope, node, document_id):
            yield naming(place_node(document_id, section), node, count, defines=bool(defines))


def together(scope: GraphScope, node: Node) -> Iterator[Edge]:
    """Yield entities named in the same sections, closest first; with several sections, one shared one is chance."""
    shared: Counter[int] = Counter()
    home: dict[int, int] = {}
    compared = 0
    for edge in islice(places(scope, node), GRAPH_SECTIONS_COMPARED):
        compared += 1
        named = [entity_id for entity_id, *_ in _of_section(scope, edge.src)]
        shared.update(named)
        home.update((entity_id, edge.src.number) for entity_id in named if entity_id not in home)
    shared.pop(node.number, None)
    least = 2 if compared > SEVERAL_SECTIONS else 1
    likely = [pair for pair in shared.most_common(GRAPH_COMPANIONS) if pair[1] >= least]
    companions = [(named_at(scope, entity_id, home[entity_id]), count) for entity_id, count in likely]
    scored = [
        (min(1.0, shared_with / math.sqrt(compared * frequency(scope, entity))), entity)
        for entity, shared_with in companions
    ]
    for weight, entity in sorted(scored, key=lambda pair: (-pair[0], pair[1])):
        yield Edge(node, entity, EdgeType.CO_OCCURS, weight)


def spellings(scope: GraphScope, node: Node) -> Iterator[Edge]:
    """Yield other spellings in scope, and the qualified or bare name if it is unambiguous."""
    row = scope.con.execute(ENTITY, (node.number,)).fetchone()
    if row is None:
        return
    kind, name, folded, tail = row
    found: dict[int, float] = {}
    for entity_id, other in scope.con.execute(SPELLINGS, (folded,)):
        found[entity_id] = CASED_WEIGHT if kind == other == "symbol" else 1.0
    if kind == "symbol":
        related = _qualified(scope, name, node)
        # The bare symbol of the last part, unless it could also mean another symbol.
        if tail is not None and _qualified(scope, tail, node):
            related += [entity_id for (entity_id,) in scope.con.execute(BARE, (tail,))]
        for entity_id in related:
            found.setdefault(entity_id, QUALIFIED_WEIGHT)
    found.pop(node.number, None)
    for entity_id, weight in sorted(found.items(), key=lambda item: (-item[1], item[0])):
        for other in beside(scope, node, entity_id):
            yield Edge(node, other, EdgeType.SAME_AS, weight)


def members(scope: GraphScope, node: Node) -> Iterator[Edge]:
    """Yield the qualified names directly below a code name that sections in scope define: `json.dumps` below `json`."""
    name = _symbol(scope, node)
    for entity_id, member in scope.rows(MEMBERS, f"{name}.", f"{name}/") if name else ():
        for below in beside(scope, node, entity_id) if "." not in member[len(name) + 1 :] else ():
            yield Edge(node, below, EdgeType.CONTAINS, 1.0)


def owner(scope: GraphScope, node: Node) -> Iterator[Edge]:
    """Yield the name above a qualified name."""
    name = _symbol(scope, node)
    above = scope.con.execute(BARE, (name.rpartition(".")[0],)).get if name else None
    for entity in beside(scope, node, above) if above is not None else ():
        yield Edge(entity, node, EdgeType.CONTAINS, 1.0)


def is_visible(scope: GraphScope, node: Node) -> bool:
    """Whether any section in scope names the entity."""
    return next(places(scope, node), None) is not None


def named_at(scope: GraphScope, entity_id: int, document_id: int) -> Node:
    """Return the node of an entity as a document uses its name; a separate one for a site beyond the distinguished groups."""
    groups = scope.sites.groups(entity_id)
    if not groups:
        return entity_node(entity_id)
    site = scope.sites.of_document(document_id)
    return entity_node(entity_id, groups[site] if site in groups else scope.sites.first_of(site))


def namesakes(scope: GraphScope, entity_id: int) -> list[Node]:
    """Return the entities in scope with one name: one, or one for each group of sites, most defined first."""
    groups = sorted(set(scope.sites.groups(entity_id).values())) or [-1]
    found = [(node, frequency(scope, node)) for node in (entity_node(entity_id, group) for group in groups)]
    return [node for node, _ in sorted(found, key=lambda pair: -pair[1]) if is_visible(scope, node)]


def frequency(scope: GraphScope, node: Node) -> int:
    """Return the number of sections that name the entity, at most GRAPH_FREQUENCY_COUNTED."""
    known = scope.derived.frequencies.get(node)
    if known is None:
        if node.section < 0:
            known = scope.con.execute(FREQUENCY, (node.number, caps.GRAPH_FREQUENCY_COUNTED)).get
        else:
            here = (1 for document_id, *_ in scope.rows(PLACES, node.number) if _is_of(scope, node, document_id))
            known = sum(islice(here, caps.GRAPH_FREQUENCY_COUNTED))
        known = scope.derived.frequencies[node] = max(1, known)
    return known


def count(scope: GraphScope, node: Node) -> int:
    """Return the number of places that name the entity, or of entities that the section names; at most MAX_DEGREE_COUNTED."""
    if node.kind is NodeKind.SECTION:
        return scope.count(IN_SECTION, node.number, node.section)
    if node.section < 0:
        return scope.count("SELECT document_id FROM mentions WHERE entity_id = ?", node.number)
    return sum(1 for _ in islice(places(scope, node), caps.MAX_DEGREE_COUNTED))


def name_of(scope: GraphScope, entity: Node) -> str:
    return str(scope.con.execute("SELECT name FROM entities WHERE id = ?", (entity.number,)).get or "")


def entities_named(scope: GraphScope, name: str, limit: int) -> list[Node]:
    """Return the entities for a name by the first rule that matches any in scope."""
    found: dict[Node, None] = {}
    ways = (SYMBOL, name), (TERM, folded_term(name)), (SPELLED, folded_symbol(name)), (ALL_WITH_TAIL, name)
    for query, value in ways:
        for (entity_id,) in scope.rows(query, value):
            if len(found) < limit:
                found.update(dict.fromkeys(namesakes(scope, entity_id)))
        if found:
            break
    return list(found)[:limit]


def _is_of(scope: GraphScope, entity: Node, document_id: int) -> bool:
    """Whether the name means this entity in the document."""
    return entity.section < 0 or named_at(scope, entity.number, document_id).section == entity.section


def beside(scope: GraphScope, entity: Node, entity_id: int) -> Iterator[Node]:
    """Yield the entities that another name in scope means on the same or connected sites."""
    sites = scope.sites
    own = [site for site in sites.named_on(entity.number) if _on(scope, entity, site)]
    for other in namesakes(scope, entity_id):
        there = [site for site in sites.named_on(entity_id) if _on(scope, other, site)]
        if any(sites.are_one(site, each) for site in own for each in there):
            yield other


def _on(scope: GraphScope, entity: Node, site: str) -> bool:
    return entity.section < 0 or scope.sites.groups(entity.number).get(site) == entity.section


def _of_section(scope: GraphScope, place: Node) -> Iterator[tuple[int, int, int]]:
    return scope.rows(OF_SECTION, place.number, place.section)


def _symbol(scope: GraphScope, node: Node) -> str:
    """Return the name of a symbol; empty for a term."""
    row = scope.con.execute(ENTITY, (node.number,)).fetchone()
    return str(row[1]) if row is not None and row[0] == "symbol" else ""


def _qualified(scope: GraphScope, name: str, near: Node) -> list[int]:
    """Return the only symbol with this last part on the entity's sites. Empty if there are more or if the bare name is defined."""
    with_tail = (entity_id for (entity_id,) in scope.rows("SELECT id FROM entities WHERE tail = ? LIMIT 100", name))
    found = list(islice((each for each in with_tail if next(beside(scope, near, each), None) is not None), 2))
    own = [site for site in scope.sites.named_on(near.number) if _on(scope, near, site)]
    defining = {scope.sites.of_document(document_id) for (document_id,) in scope.rows(DEFINED, name)}
    is_defined = any(scope.sites.are_one(site, each) for site in own for each in defining)
    return found if len(found) == 1 and not is_defined else []
