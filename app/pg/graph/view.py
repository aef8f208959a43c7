"""The graph of a shared library in one scope. Each method asks a few statements, however many nodes it is asked about."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from app import caps
from app.library.graph_records import (
    ALL_TYPES,
    GRAPH_NAMESAKES,
    GRAPH_SECTIONS_COMPARED,
    GRAPH_SNIPPET_SEARCHED,
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
    naming,
    place_node,
    snippet_of,
)
from app.library.scope import Filter
from app.pg.connections import Connections
from app.pg.graph import entities, places
from app.pg.graph.entities import Facts, Kin
from app.pg.scopes import Reading, columns
from app.pg.sessions import Rights

T = TypeVar("T")

LINKING: Final = frozenset({EdgeType.LINKS_TO})

COUNTS: Final = """
SELECT (SELECT count(*) FROM documents d WHERE {d}) AS documents,
  (SELECT coalesce(sum(jsonb_array_length(t.sections)), 0) FROM document_texts t JOIN documents d ON d.id = t.document_id
    WHERE t.collection_id = ANY($1) AND {d})::bigint AS sections,
  (SELECT count(*) FROM document_texts t JOIN documents d ON d.id = t.document_id
    WHERE t.collection_id = ANY($1) AND {d} AND jsonb_array_length(t.sections) > 0) AS with_sections,
  (SELECT count(*) FROM links l WHERE {l}) AS links,
  (SELECT count(*) FROM mentions m WHERE {m} AND NOT m.defines) AS mentioned,
  (SELECT count(*) FROM mentions m WHERE {m} AND m.defines) AS defined,
  (SELECT count(*) FROM graph_waiting w JOIN documents d ON d.id = w.document_id WHERE w.collection_id = ANY($1) AND {d}) AS waiting,
  (SELECT count(*) FROM entities e WHERE e.kind = 'symbol' AND EXISTS (SELECT FROM mentions m WHERE {m} AND m.entity_id = e.id)) AS symbols,
  (SELECT count(*) FROM entities e WHERE e.kind = 'term' AND EXISTS (SELECT FROM mentions m WHERE {m} AND m.entity_id = e.id)) AS terms
"""
SITES_OF: Final = "SELECT d.id, d.site FROM documents d WHERE {readable} AND d.id = ANY({v0}::bigint[])"


class PgGraphView:
    """Shows nothing out of scope and nothing of collections that may not be read."""

    def __init__(self, connections: Connections, rights: Rights, filter: Filter) -> None:
        self._connections = connections
        self._rights = rights
        self._filter = filter

    def held(self, nodes: Iterable[Node]) -> set[Node]:
        """Those of the nodes that exist in scope."""
        asked = list(dict.fromkeys(nodes))

        async def work(reading: Reading) -> set[Node]:
            pages = await places.pages_of(reading, asked)
            found = {node for node in _places(asked) if node.number in pages and pages[node.number].holds(node)}
            facts = Facts()
            await entities.learn(reading, facts, (node.number for node in _entities(asked)), seen=True)
            visible = {node: facts.namesakes(node.number) for node in _entities(asked)}
            return found | {node for node, same in visible.items() if same and (node.section < 0 or node in same)}

        return self._read(work)

    def neighbours(
        self,
        nodes: Sequence[Node],
        *,
        types: Collection[EdgeType] = ALL_TYPES,
        direction: Direction = Direction.BOTH,
        limit: int,
    ) -> Iterator[Neighbours]:
        """Of each node at most `limit` edges of each type."""
        asked, wanted = list(dict.fromkeys(nodes)), frozenset(types)

        async def work(reading: Reading) -> dict[Node, list[Iterable[Edge]]]:
            found = await _of_places(reading, list(_places(asked)), wanted, direction, limit)
            return found | await _of_entities(reading, list(_entities(asked)), wanted, direction, limit)

        families = self._read(work)
        for node in nodes:
            yield Neighbours.of(families.get(node, ()), wanted, limit)

    def projections(self, nodes: Iterable[Node], *, snippets: bool = False) -> list[Projection]:
        """What is shown of the nodes, in their order; those that do not exist in scope are left out."""
        asked = list(dict.fromkeys(order := list(nodes)))

        async def work(reading: Reading) -> dict[Node, Projection]:
            facts, homes, degrees = Facts(), dict[Node, Node](), dict[Node, int]()
            named = list(_entities(asked))
            if named:
                await entities.learn(reading, facts, (node.number for node in named))
                found = await entities.places(reading, facts, named, 1)
                homes = {node: where[0][0] for node, where in found.items()}
                degrees = await entities.counted(reading, facts, named, entities.IN_SCOPE, caps.MAX_DEGREE_COUNTED)
            shown = await _shown(reading, [*_places(asked), *homes.values()], snippets)
            made = {node: _projection(node, *shown[node]) for node in _places(asked) if node in shown}
            for node, home in homes.items():
                if home in shown and node.number in facts.names:
                    made[node] = _named(node, facts.names[node.number], degrees.get(node, 0), *shown[home])
            return made

        found = self._read(work)
        return [found[node] for node in order if node in found]

    def counts(self) -> GraphCounts:
        """How many nodes and stored edges there are in scope."""

        async def work(reading: Reading) -> Any:
            return (await reading.rows(COUNTS))[0]

        row = self._read(work)
        edges = {
            EdgeType.CONTAINS: row["sections"],
            EdgeType.NEXT: row["sections"] - row["with_sections"],
            EdgeType.LINKS_TO: row["links"],
            EdgeType.MENTIONS: row["mentioned"],
            EdgeType.DEFINES: row["defined"],
        }
        return GraphCounts(row["documents"], row["sections"], row["symbols"], row["terms"], edges, row["waiting"])

    def documents_at(self, urls: Iterable[str]) -> dict[str, Node]:
        """The documents with these addresses or aliases, by them."""
        asked = list(urls)
        found = self._read(lambda reading: places.at(reading, [(url, None) for url in asked]))
        return {row[0]: document_node(row[2]) for row in found}

    def sections_at(self, sought: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Node]:
        """The sections with these anchors of the documents at these addresses, by address and anchor."""
        asked = list(sought)
        found = self._read(lambda reading: places.at(reading, asked))
        return {(row[0], row[1]): place_node(row[2], row[3]) for row in found if row[3] is not None}

    def places_of_chunks(self, chunk_ids: Iterable[int]) -> dict[int, Node]:
        """The section that each chunk begins in, or its document."""
        asked = list(chunk_ids)
        found = self._read(lambda reading: reading.rows(places.OF_CHUNKS, asked))
        return {row[0]: place_node(row[1], row[2]) for row in found}

    def entities_meant(self, names: Iterable[str]) -> dict[str, list[Node]]:
        """By name the entity that it stands for, or those that have it on sites that do not know each other; none for no entity."""
        asked = list(names)
        named = self._read(lambda reading: entities.meant(reading, Facts(), asked, GRAPH_NAMESAKES))
        return {name: [node for node in found if node.number == found[0].number] for name, found in named.items()}

    def namesakes(self, sought: Iterable[Node]) -> dict[Node, list[Node]]:
        """The entities in scope that ids mean which do not say on which site: one for all, or one a group of sites."""
        asked = list(sought)
        facts = self._learnt(asked)
        return {entity: facts.namesakes(entity.number)[:GRAPH_NAMESAKES] for entity in asked}

    def are_near(self, pairs: Sequence[tuple[Node, Node]]) -> Iterator[bool]:
        """Whether a name means the same at both nodes of a pair, where that can be asked."""
        nodes = [node for pair in pairs for node in pair]

        async def work(reading: Reading) -> tuple[Facts, dict[int, str]]:
            facts, sites = Facts(), await _sites(reading, _places(nodes))
            ids = (node.number for node in _entities(nodes))
            await entities.learn(reading, facts, ids, seen=True, on=sites.values())
            return facts, sites

        if not any(map(_is_entity, nodes)):
            yield from (True for _ in pairs)
            return
        facts, sites = self._read(work)
        for one, two in pairs:
            node, other = (one, two) if _is_entity(one) else (two, one)
            if not _is_entity(node):
                yield True
            elif _is_entity(other):
                yield other in facts.beside(node, other.number)
            else:
                yield facts.named_at(node.number, sites.get(other.number, "")) == node

    def names_of(self, sought: Iterable[Node]) -> dict[Node, str]:
        """The names of the entities, empty where there is none."""
        asked = list(sought)
        facts = self._learnt(asked, seen=False)
        return {entity: facts.names.get(entity.number, "") for entity in asked}

    def frequencies(self, nodes: Iterable[Node]) -> dict[Node, int]:
        """In how many sections an entity stands, or how many other documents link here; not beyond GRAPH_FREQUENCY_COUNTED."""
        asked = list(dict.fromkeys(nodes))

        async def work(reading: Reading) -> dict[Node, int]:
            facts, in_text = Facts(), list(_places(asked))
            await entities.learn(reading, facts, (node.number for node in _entities(asked)))
            pages = await places.pages_of(reading, (node for node in in_text if node.kind is NodeKind.SECTION))
            counted = await places.frequencies(reading, pages, in_text)
            return counted | {node: facts.counts.get(node, 1) for node in _entities(asked)}

        found = self._read(work)
        return {node: found[node] for node in asked}

    def linked_shares(self, nodes: Iterable[Node]) -> dict[Node, float]:
        """With how much of its site a page exchanges links, 0 to 1; that of its page for a section, 0 for an entity."""
        asked = list(nodes)
        ids = {node.number for node in _places(asked)}
        shares = self._read(lambda reading: places.linked_shares(reading, ids)) if ids else {}
        return {node: 0.0 if _is_entity(node) else shares.get(node.number, 0.0) for node in asked}

    def ways(self, nodes: Iterable[Node]) -> dict[Node, Hashable]:
        """The same for all sections of a page, and for all spellings of a name."""
        asked = list(nodes)
        facts = self._learnt(asked, seen=False)
        return {
            node: (facts.folded.get(node.number, ""), node.section) if _is_entity(node) else node.number
            for node in asked
        }

    def _learnt(self, nodes: Sequence[Node], *, seen: bool = True) -> Facts:
        ids = [node.number for node in _entities(nodes)]

        async def work(reading: Reading) -> Facts:
            facts = Facts()
            await entities.learn(reading, facts, ids, seen=seen)
            return facts

        return self._read(work) if ids else Facts()

    def _read(self, work: Callable[[Reading], Awaitable[T]]) -> T:
        rights = self._rights
        return self._connections.read(lambda con: work(Reading(con, rights, self._filter)), rights)


async def _of_places(
    reading: Reading, nodes: list[Node], types: frozenset[EdgeType], direction: Direction, limit: int
) -> dict[Node, list[Iterable[Edge]]]:
    """The edges of documents and sections, one list a type or direction."""
    pages = await places.pages_of(reading, nodes)
    there = [node for node in nodes if node.number in pages and pages[node.number].holds(node)]
    linked = LINKING & types and there
    into = await places.incoming(reading, pages, there, limit) if linked and direction.is_in else {}
    out = await places.outgoing(reading, pages, there) if linked and direction.is_out else {}
    is_naming = NAMING & types and there and direction.is_out
    named = await entities.named_in(reading, Facts(), pages, there, limit) if is_naming else {}
    found: dict[Node, list[Iterable[Edge]]] = {}
    for node in there:
        page = pages[node.number]
        families: list[Iterable[Edge]] = []
        if direction.is_in:
            families += [places.parent(page, node), places.preceding(page, node), into.get(node, ())]
        if direction.is_out:
            families += [places.children(page, node), places.following(page, node), out.get(node, ())]
            families.append(named.get(node, ()))
        found[node] = families
    return found


async def _of_entities(
    reading: Reading, nodes: list[Node], types: frozenset[EdgeType], direction: Direction, limit: int
) -> dict[Node, list[Iterable[Edge]]]:
    """The edges of entities, one list a type or direction."""
    facts = Facts()
    is_named = NAMING & types and direction.is_in
    is_kin = {EdgeType.CONTAINS, EdgeType.SAME_AS} & types
    is_together = EdgeType.CO_OCCURS in types
    if nodes:
        await entities.learn(reading, facts, (node.number for node in nodes))
    most = max(limit + 1 if is_named else 0, GRAPH_SECTIONS_COMPARED if is_together else 0)
    where = await entities.places(reading, facts, nodes, most) if most and nodes else {}
    together: dict[Node, list[Edge]] = {}
    if is_together and where:
        sites = await _sites(reading, (place for each in where.values() for place, _, _ in each))
        together = await entities.together(reading, facts, where, sites)
    kin = await entities.kin(reading, facts, nodes) if is_kin and nodes else {}
    found: dict[Node, list[Iterable[Edge]]] = {}
    for node in nodes:
        own = kin.get(node, Kin())
        families: list[Iterable[Edge]] = []
        if is_named:
            families.append([naming(place, node, count, defines=about) for place, count, about in where.get(node, ())])
        if direction.is_in:
            families.append(own.owner)
        if direction.is_out:
            families.append(own.members)
        found[node] = [*families, own.spellings, together.get(node, ())]
    return found


async def _shown(reading: Reading, nodes: Iterable[Node], snippets: bool) -> dict[Node, tuple[str, str, str, str, int]]:
    """Title, address, tag, first text and degree of documents and sections in scope."""
    asked = list(dict.fromkeys(nodes))
    given = [(place, node.number, node.section) for place, node in enumerate(asked)]
    values = (*columns(given, 3), snippets, GRAPH_SNIPPET_SEARCHED, caps.MAX_DEGREE_COUNTED)
    found = {}
    for row in await reading.rows(places.SHOWN, *values) if asked else ():
        title, url = row["title"], row["url"]
        if row["section"] is not None:
            _, title, anchor, *_ = json.loads(row["section"])
            url = f"{url}#{anchor}" if anchor else url
        degree = min(row["degree"], caps.MAX_DEGREE_COUNTED)
        found[asked[row["place"]]] = title, url, row["doc_tag"], row["piece"], degree
    return found


async def _sites(reading: Reading, nodes: Iterable[Node]) -> dict[int, str]:
    """The site of each document."""
    ids = list({node.number for node in nodes})
    return dict(await reading.rows(SITES_OF, ids)) if ids else {}


def _projection(node: Node, title: str, uri: str, doc_tag: str, piece: str, degree: int) -> Projection:
    return Projection(node, title, doc_tag, uri, degree, snippet_of(piece) if piece else "")


def _named(node: Node, name: str, degree: int, _: str, uri: str, doc_tag: str, piece: str, __: int) -> Projection:
    return Projection(node, name, doc_tag, uri, degree, snippet_of(piece, name) if piece else "")


def _is_entity(node: Node) -> bool:
    return node.kind is NodeKind.ENTITY


def _entities(nodes: Iterable[Node]) -> Iterator[Node]:
    return filter(_is_entity, nodes)


def _places(nodes: Iterable[Node]) -> Iterator[Node]:
    return (node for node in nodes if not _is_entity(node))
