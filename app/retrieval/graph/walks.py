"""Bounded walks over the graph: breadth-first search, lists of neighbors, shortest paths."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from app import caps
from app.library.graph_records import ALL_TYPES, NAMING, Direction, Edge, EdgeType, Node, NodeKind, Path
from app.library.protocol import GraphReader

GRAPH_FAN_OUT: Final = 50  # Edges of each type followed from a node that the caller named.
GRAPH_SECOND_FAN_OUT: Final = 8  # The same from nodes that were reached.
GRAPH_LEVEL_NODES: Final = 12  # Reached nodes from which the walk continues, best first.
GRAPH_PATH_FAN_OUT: Final = 300  # Edges of each type compared at both ends of a path.
GRAPH_LISTED: Final = 1_000  # Maximum parts of one node, or sections of one entity, that can be paged through.

WORTH: Final = {
    EdgeType.DEFINES: 1.0,
    EdgeType.SAME_AS: 1.0,
    EdgeType.LINKS_TO: 0.9,
    EdgeType.MENTIONS: 0.8,
    EdgeType.CO_OCCURS: 0.7,
    EdgeType.CONTAINS: 0.6,
    EdgeType.NEXT: 0.4,
}  # How close an edge of each type brings two nodes.
OWN_PARTS: Final = frozenset({EdgeType.CONTAINS, EdgeType.DEFINES})
OWN_PART_WORTH: Final = 0.15  # The same for a page's own headings and their subjects: a walk looks further.
COMMON_SHARE: Final = 0.25
"""A page that exchanges links with a larger share of its site begins to count as a menu or an index ..."""
EVERYWHERE_SHARE: Final = 0.6  # ... fully counts as one from this share on ...
EVERYWHERE_WORTH: Final = 0.25  # ... and then a link from or to it has this share of the usual weight.
UNDIRECTED: Final = frozenset({EdgeType.CO_OCCURS, EdgeType.SAME_AS})
LAST_SHARE: Final = 0.5  # Weight of the last followed edge of a type, relative to the first.
DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Step:
    """A reached node. `score` is in 0..1, higher is nearer."""

    node: Node
    hop: int
    score: float

    @property
    def place(self) -> tuple[int, float, Node]:
        """Return the sort key of steps: nearest, strongest, then by id."""
        return self.hop, -self.score, self.node


@dataclass(frozen=True, slots=True)
class Walk:
    """Everything reached, in order, without the starts. `cut`: some edges were not followed; `late`: time ran out."""

    steps: tuple[Step, ...]
    edges: tuple[Edge, ...]
    cut: bool
    late: bool


def walk(
    graph: GraphReader,
    starts: Sequence[Node],
    *,
    types: Collection[EdgeType],
    direction: Direction,
    max_hops: int,
    deadline: float,
) -> Walk:
    """Return all nodes within `max_hops`, each with its best score; those linked everywhere are not passed.

    `deadline` is a time of the monotonic clock.
    """
    return _Search(graph, types, direction, deadline).run(tuple(dict.fromkeys(starts)), max_hops)


def parents(view: GraphReader, nodes: Sequence[Node]) -> Walk:
    """Return the sections above a section and its document; documents that link to a document; sections that mention an entity."""
    walks: list[Walk] = []
    for node in nodes:
        if node.kind is not NodeKind.SECTION:
            types = frozenset({EdgeType.LINKS_TO}) if node.kind is NodeKind.DOCUMENT else NAMING | {EdgeType.CONTAINS}
            walks += _list_neighbours(view, [node], types, Direction.IN)
            continue
        edges: list[Edge] = []
        below = node
        while above := next(view.neighbours([below], types={EdgeType.CONTAINS}, direction=Direction.IN, limit=1)).edges:
            edges += above
            below = above[0].src
        steps = tuple(Step(edge.src, hop, 1.0) for hop, edge in enumerate(edges, start=1))
        walks.append(Walk(steps, tuple(edges), cut=False, late=False))
    return _join(walks)


def children(view: GraphReader, nodes: Sequence[Node]) -> Walk:
    """Return the sections directly below a document or section in reading order, the names directly below a qualified name."""
    return _join(_list_neighbours(view, nodes, frozenset({EdgeType.CONTAINS}), Direction.OUT))


def _join(walks: Sequence[Walk]) -> Walk:
    if len(walks) == 1:
        return walks[0]
    steps: dict[Node, Step] = {}
    for step in sorted((step for each in walks for step in each.steps), key=lambda step: step.place):
        steps.setdefault(step.node, step)
    edges = tuple(edge for each in walks for edge in each.edges)
    return Walk(tuple(steps.values()), edges, any(each.cut for each in walks), any(each.late for each in walks))


def entities_of(view: GraphReader, nodes: Sequence[Node]) -> Walk:
    """Return the entities that the sections mention; those that they define or share come first."""
    return _walk_shared(view, nodes, Direction.OUT, caps.MAX_ENTITIES_PER_SECTION)


def sections_of(view: GraphReader, nodes: Sequence[Node]) -> Walk:
    """Return the sections that mention the entities; those that mention several or define them come first."""
    return _walk_shared(view, nodes, Direction.IN, GRAPH_LISTED)


class PathSearch:
    """Searches from both ends. `cut`: some edges of an end were ignored; `late`: time ran out before the second end."""

    def __init__(self, graph: GraphReader, deadline: float) -> None:
        self._graph = graph
        self._deadline = deadline
        self.cut = False
        self.late = False

    def between(self, start: Node, end: Node, *, max_hops: int, max_paths: int) -> list[Path]:
        """Return the best one-hop path, then the best two-hop path over each page or name in between."""
        near_start, near_end = self._edges((start, end))
        direct = [edge for edge in near_start if edge.other(start) == end]
        direct += [edge for edge in near_end if edge.other(end) == start]
        found = sorted((Path((edge,), edge.weight * WORTH[edge.type]) for edge in direct), key=_path_order)[:1]
        if max_hops > 1 and len(found) < max_paths:
            found += self._other_ways(
                start, end, self._over_one(start, end, near_start, near_end), is_linked=bool(found)
            )
        return found[:max_paths]

    def _other_ways(self, start: Node, end: Node, paths: Iterable[Path], *, is_linked: bool) -> list[Path]:
        """Return the best path of each route; content of linked end pages is not a route of its own."""
        own = {start.document_id, end.document_id} - {None}
        other_ways: list[tuple[Path, Node, bool]] = []
        for path in sorted(paths, key=_path_order):
            middle = path.edges[0].other(start)
            about = (edge.src.document_id for edge in path.edges if edge.type is EdgeType.DEFINES)
            is_beside = {edge.type for edge in path.edges} == {EdgeType.CO_OCCURS, EdgeType.MENTIONS}
            is_own = not own.isdisjoint((middle.document_id, *about))
            if not ((is_own or is_beside) and is_linked):
                other_ways.append((path, middle, is_own))
        ways = self._graph.ways({middle for _, middle, is_own in other_ways if not is_own})
        best: dict[Hashable, Path] = {}
        for path, middle, is_own in other_ways:
            best.setdefault("own" if is_own else ways[middle], path)
        # Nodes linked from almost every page do not connect two of them.
        middles = {path.edges[0].other(start) for path in best.values()}
        counts = self._graph.frequencies(node for node in middles if node.kind is NodeKind.ENTITY)
        shares = self._graph.linked_shares(node for node in middles if node.kind is not NodeKind.ENTITY)
        everywhere = {node for node, count in counts.items() if count >= caps.GRAPH_FREQUENCY_COUNTED}
        everywhere |= {node for node, share in shares.items() if share >= EVERYWHERE_SHARE}
        telling = [path for path in best.values() if path.edges[0].other(start) not in everywhere]
        return telling or list(best.values())

    def _over_one(self, start: Node, end: Node, near_start: Iterable[Edge], near_end: Iterable[Edge]) -> list[Path]:
        """Return the best path over each node that both ends know."""
        first, second = _best(start, near_start), _best(end, near_end)
        over = {node: (first[node], second[node]) for node in first.keys() & second.keys() - {start, end}}
        shares = self._graph.linked_shares(
            node for node, pair in over.items() if EdgeType.LINKS_TO in (pair[0].type, pair[1].type)
        )
        counts = self._graph.frequencies(over)
        paths: list[Path] = []
        for node, (one, two) in over.items():
            # Both edges must be strong; a node linked from everywhere means little.
            weight = one.weight * _worth(one, start) * two.weight * _worth(two, end)
            if node in shares:
                weight *= _counted(shares[node])
            paths.append(Path((one, two), weight / (1 + math.log(counts[node]))))
        return paths

    def _edges(self, ends: Sequence[Node]) -> list[tuple[Edge, ...]]:
        """Return the edges of both ends; empty ones if the time ran out before."""
        found: list[tuple[Edge, ...]] = []
        near = self._graph.neighbours(ends, types=ALL_TYPES, direction=Direction.BOTH, limit=GRAPH_PATH_FAN_OUT)
        for _ in ends:
            if time.monotonic() >= self._deadline:
                self.late = True
                found.append(())
                continue
            neighbours = next(near)
            self.cut = self.cut or neighbours.cut
            found.append(neighbours.edges)
        return found


class _Search:
    """One breadth-first search."""

    def __init__(self, graph: GraphReader, types: Collection[EdgeType], direction: Direction, deadline: float) -> None:
        self._graph = graph
        self._types = types
        self._direction = direction
        self._deadline = deadline
        self._known: dict[Node, float] = {}
        self._edges: dict[tuple[Node, Node, EdgeType], Edge] = {}
        self._cut = self._late = False

    def run(self, starts: Sequence[Node], max_hops: int) -> Walk:
        self._known = dict.fromkeys(starts, 1.0)
        steps: list[Step] = []
        level: Sequence[Node] = starts
        for hop in range(1, max_hops + 1):
            reached = self._level(level, GRAPH_FAN_OUT if hop == 1 else GRAPH_SECOND_FAN_OUT)
            self._known.update(reached)
            ordered = sorted((Step(node, hop, score) for node, score in reached.items()), key=lambda step: step.place)
            steps += ordered
            if hop < max_hops:
                # The best nodes to continue from, without those linked from almost everywhere.
                passable: list[Node] = []
                for start in range(0, len(ordered), GRAPH_LEVEL_NODES):
                    part = [step.node for step in ordered[start : start + GRAPH_LEVEL_NODES]]
                    counts = self._graph.frequencies(node for node in part if node.kind is not NodeKind.SECTION)
                    passable += [node for node in part if counts.get(node, 0) < caps.GRAPH_FREQUENCY_COUNTED]
                    if len(passable) >= GRAPH_LEVEL_NODES:
                        break
                level = passable[:GRAPH_LEVEL_NODES]
                self._cut = self._cut or len(level) < len(ordered)
        return Walk(tuple(steps), tuple(self._edges.values()), self._cut, self._late)

    def _level(self, nodes: Sequence[Node], fan_out: int) -> dict[Node, float]:
        reached: dict[Node, float] = {}
        found = self._graph.neighbours(nodes, types=self._types, direction=self._direction, limit=fan_out)
        near: list[tuple[Node, tuple[Edge, ...]]] = []
        for node in nodes:
            if time.monotonic() >= self._deadline:
                self._late = True
                break
            neighbours = next(found)
            self._cut = self._cut or neighbours.cut
            near.append((node, neighbours.edges))
        new = {edge.other(node) for node, edges in near for edge in edges if edge.type is EdgeType.LINKS_TO}
        shares = self._graph.linked_shares(new - self._known.keys())
        for node, edges in near:
            ranks: Counter[tuple[EdgeType, bool]] = Counter()
            for edge in edges:
                # The value of an edge depends on its type, its weight, and its rank among the edges of its type and
                # direction.
                kind = edge.type, edge.src == node
                rank_share = 1 - (1 - LAST_SHARE) * min(1.0, ranks[kind] / fan_out)
                strength = _worth(edge, node) * edge.weight * rank_share
                ranks[kind] += 1
                # The pair of two co-occurring entities counts only once.
                is_turned = edge.type in UNDIRECTED and edge.dst < edge.src
                ends = (edge.dst, edge.src) if is_turned else (edge.src, edge.dst)
                self._edges.setdefault((*ends, edge.type), edge)
                other = edge.other(node)
                if other not in self._known:
                    # A link counts less if the node is linked with much of its site.
                    share = _counted(shares[other]) if edge.type is EdgeType.LINKS_TO else 1.0
                    score = round(self._known[node] * strength * share, DIGITS)
                    reached[other] = max(score, reached.get(other, 0.0))
        return reached


def _counted(share: float) -> float:
    """Return the weight of a link of a page that exchanges links with this share of its site."""
    over = (share - COMMON_SHARE) / (EVERYWHERE_SHARE - COMMON_SHARE)
    return 1 - (1 - EVERYWHERE_WORTH) * min(1.0, max(0.0, over))


def _worth(edge: Edge, node: Node) -> float:
    """Return the value of an edge of this type, seen from one of its ends."""
    is_own_part = edge.type in OWN_PARTS and edge.src == node and node.kind is NodeKind.DOCUMENT
    return OWN_PART_WORTH if is_own_part else WORTH[edge.type]


def _list_neighbours(
    view: GraphReader, nodes: Sequence[Node], types: frozenset[EdgeType], direction: Direction
) -> list[Walk]:
    walks: list[Walk] = []
    found = view.neighbours(nodes, types=types, direction=direction, limit=GRAPH_LISTED)
    for node, near in zip(nodes, found, strict=True):
        first: dict[Node, None] = dict.fromkeys(edge.other(node) for edge in near.edges)
        steps = (Step(other, 1, round(1 - rank / (2 * GRAPH_LISTED), DIGITS)) for rank, other in enumerate(first))
        walks.append(Walk(tuple(steps), near.edges, near.cut, late=False))
    return walks


def _walk_shared(view: GraphReader, nodes: Sequence[Node], direction: Direction, limit: int) -> Walk:
    """Return the other ends of mention edges by their mean weight over all nodes."""
    scores: dict[Node, float] = {}
    edges: list[Edge] = []
    cut = False
    found = view.neighbours(nodes, types=NAMING, direction=direction, limit=limit)
    for node, near in zip(nodes, found, strict=True):
        cut = cut or near.cut
        edges += near.edges
        for rank, edge in enumerate(near.edges):
            share = 1 - rank / (2 * limit)
            other = edge.other(node)
            scores[other] = scores.get(other, 0.0) + WORTH[edge.type] * edge.weight * share / len(nodes)
    steps = sorted((Step(node, 1, round(score, DIGITS)) for node, score in scores.items()), key=lambda step: step.place)
    return Walk(tuple(steps), tuple(edges), cut, late=False)


def _best(node: Node, edges: Iterable[Edge]) -> dict[Node, Edge]:
    found: dict[Node, Edge] = {}
    for edge in sorted(edges, key=lambda edge: _worth(edge, node) * edge.weight):
        found[edge.other(node)] = edge
    return found


def _path_order(path: Path) -> tuple[float, list[tuple[Node, Node, str]]]:
    return -path.weight, [(edge.src, edge.dst, edge.type.value) for edge in path.edges]
