"""Walks over the graph, with a bound on everything: breadth-first search, fixed lists of neighbours, shortest paths."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol

from app import caps
from app.library.graph_records import Direction, Edge, EdgeType, Neighbours, Node, NodeKind
from app.library.protocol import GraphReader
from app.retrieval.graph.records import Path

GRAPH_FAN_OUT: Final = 50
"""Edges of each type that are followed from a node that the caller named."""
GRAPH_SECOND_FAN_OUT: Final = 8
"""The same, from nodes that were reached."""
GRAPH_LEVEL_NODES: Final = 12
"""Reached nodes that are gone on from, the best first."""
GRAPH_PATH_FAN_OUT: Final = 300
"""Edges of each type that are compared at both ends of a path."""
GRAPH_LISTED: Final = 1_000
"""Parts of one node, or places of one entity, that can be paged through."""

WORTH: Final = {
    EdgeType.DEFINES: 1.0,
    EdgeType.SAME_AS: 1.0,
    EdgeType.LINKS_TO: 0.9,
    EdgeType.MENTIONS: 0.8,
    EdgeType.CO_OCCURS: 0.7,
    EdgeType.CONTAINS: 0.6,
    EdgeType.NEXT: 0.4,
}
"""What an edge of each type says of how near two nodes are."""
OWN_PARTS: Final = frozenset({EdgeType.CONTAINS, EdgeType.DEFINES})
OWN_PART_WORTH: Final = 0.15
"""The same of what a page's own headings are and are about, seen from the page: `children` lists them, a walk looks further."""
COMMON_SHARE: Final = 0.25
"""A page that exchanges links with more of its site than this is on its way to being a menu or an index ..."""
EVERYWHERE_SHARE: Final = 0.6
"""... and is one from here on ..."""
EVERYWHERE_WORTH: Final = 0.25
"""... so that a link from or to it counts so much of another one."""
UNDIRECTED: Final = frozenset({EdgeType.CO_OCCURS, EdgeType.SAME_AS})
LAST_SHARE: Final = 0.5
"""The last of the edges of a type that are followed counts so much of the first."""
DIGITS: Final = 6
NAMING = frozenset({EdgeType.MENTIONS, EdgeType.DEFINES})
TYPES: Final = frozenset(EdgeType)


@dataclass(frozen=True, slots=True)
class Step:
    """A node that was reached. `score` is in 0..1, higher is nearer."""

    node: Node
    hop: int
    score: float

    @property
    def place(self) -> tuple[int, float, Node]:
        """Steps are returned in the order of this: nearest, strongest, then by id."""
        return self.hop, -self.score, self.node


@dataclass(frozen=True, slots=True)
class Walk:
    """Everything reached, in order, without the starts. `cut`: some edges were not followed; `late`: time ran out."""

    steps: tuple[Step, ...]
    edges: tuple[Edge, ...]
    cut: bool
    late: bool


class HasNeighbours(Protocol):
    """A graph to walk on."""

    def neighbours(
        self, node: Node, *, types: Collection[EdgeType], direction: Direction, limit: int
    ) -> Neighbours: ...

    def frequency(self, node: Node) -> int: ...

    def linked_share(self, node: Node) -> float: ...

    def way(self, node: Node) -> Hashable: ...


class Deadline:
    """A point of time that a walk looks at."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds

    @property
    def is_over(self) -> bool:
        return self._clock() >= self._end


def walk(
    graph: HasNeighbours,
    starts: Sequence[Node],
    *,
    types: Collection[EdgeType],
    direction: Direction,
    max_hops: int,
    deadline: Deadline,
) -> Walk:
    """All nodes within `max_hops`, each with its best score.

    From the starts GRAPH_FAN_OUT edges of a type are followed; then GRAPH_SECOND_FAN_OUT from each of the GRAPH_LEVEL_NODES best
    nodes. Entities and documents that almost everything leads to are reached but not gone through.
    """
    search = _Search(graph, types, direction, deadline)
    return search.run(tuple(dict.fromkeys(starts)), max_hops)


def parents(view: GraphReader, nodes: Sequence[Node]) -> Walk:
    """The sections above a section and its document; documents that link to a document; where an entity is named."""
    return _joined([_parents(view, node) for node in nodes])


def children(view: GraphReader, nodes: Sequence[Node]) -> Walk:
    """The sections right below a document or section in reading order, the names right below a qualified name."""
    return _joined([_listed(view, node, frozenset({EdgeType.CONTAINS}), Direction.OUT) for node in nodes])


def _joined(walks: Sequence[Walk]) -> Walk:
    """The walks from several entities of one name as one."""
    if len(walks) == 1:
        return walks[0]
    steps: dict[Node, Step] = {}
    for step in sorted((step for each in walks for step in each.steps), key=lambda step: step.place):
        steps.setdefault(step.node, step)
    edges = tuple(edge for each in walks for edge in each.edges)
    return Walk(tuple(steps.values()), edges, any(each.cut for each in walks), any(each.late for each in walks))


def _parents(view: GraphReader, node: Node) -> Walk:
    if node.kind is not NodeKind.SECTION:
        types = frozenset({EdgeType.LINKS_TO}) if node.kind is NodeKind.DOCUMENT else NAMING | {EdgeType.CONTAINS}
        return _listed(view, node, types, Direction.IN)
    edges: list[Edge] = []
    below = node
    while above := view.neighbours(below, types={EdgeType.CONTAINS}, direction=Direction.IN, limit=1).edges:
        edges += above
        below = above[0].src
    steps = tuple(Step(edge.src, hop, 1.0) for hop, edge in enumerate(edges, start=1))
    return Walk(steps, tuple(edges), cut=False, late=False)


def entities_of(view: GraphReader, nodes: Sequence[Node]) -> Walk:
    """The entities that the sections name, those first that they are about or share."""
    return _shared(view, nodes, Direction.OUT, caps.MAX_ENTITIES_PER_SECTION)


def sections_of(view: GraphReader, nodes: Sequence[Node]) -> Walk:
    """The sections that name the entities, those first that name several of them or are about them."""
    return _shared(view, nodes, Direction.IN, GRAPH_LISTED)


class PathSearch:
    """Looks from both ends. `cut`: some edges of an end were not looked at; `late`: time ran out before the second end."""

    def __init__(self, graph: HasNeighbours, deadline: Deadline) -> None:
        self._graph = graph
        self._deadline = deadline
        self.cut = False
        self.late = False

    def between(self, start: Node, end: Node, *, max_hops: int, max_paths: int) -> list[Path]:
        """The best path of one hop, then the best of two over each page or name in between."""
        near_start, near_end = self._edges(start), self._edges(end)
        direct = [edge for edge in near_start if edge.other(start) == end]
        direct += [edge for edge in near_end if edge.other(end) == start]
        found = sorted((Path((edge,), edge.weight * WORTH[edge.type]) for edge in direct), key=_order)[:1]
        if max_hops > 1 and len(found) < max_paths:
            found += self._other_ways(
                start, end, self._over_one(start, end, near_start, near_end), is_linked=bool(found)
            )
        return found[:max_paths]

    def _other_ways(self, start: Node, end: Node, paths: Iterable[Path], *, is_linked: bool) -> list[Path]:
        """The best path of each way. Over what the pages at its ends hold or are about it goes no other way than the link between.

        Nor does it over what stands beside a name on a page that names both.
        """
        own = {start.document_id, end.document_id} - {None}
        best: dict[Hashable, Path] = {}
        for path in sorted(paths, key=_order):
            middle = path.edges[0].other(start)
            about = (edge.src.document_id for edge in path.edges if edge.type is EdgeType.DEFINES)
            is_beside = {edge.type for edge in path.edges} == {EdgeType.CO_OCCURS, EdgeType.MENTIONS}
            is_own = not own.isdisjoint((middle.document_id, *about))
            if not ((is_own or is_beside) and is_linked):
                best.setdefault("own" if is_own else self._graph.way(middle), path)
        telling = [path for path in best.values() if not self._is_everywhere(path.edges[0].other(start))]
        return telling or list(best.values())

    def _is_everywhere(self, middle: Node) -> bool:
        """Whether almost all pages lead to the node, so that it says nothing of two of them."""
        if middle.kind is NodeKind.ENTITY:
            return self._graph.frequency(middle) >= caps.GRAPH_FREQUENCY_COUNTED
        return self._graph.linked_share(middle) >= EVERYWHERE_SHARE

    def _over_one(self, start: Node, end: Node, near_start: Iterable[Edge], near_end: Iterable[Edge]) -> list[Path]:
        """The best path over each node that both ends know."""
        first, second = _best(start, near_start), _best(end, near_end)
        return [
            Path((first[middle], second[middle]), self._weight(start, middle, end, first[middle], second[middle]))
            for middle in first.keys() & second.keys() - {start, end}
        ]

    def _weight(self, start: Node, middle: Node, end: Node, first: Edge, second: Edge) -> float:
        """Both edges have to hold; a node that everything leads to says little."""
        weight = first.weight * _worth(first, start) * second.weight * _worth(second, end)
        if EdgeType.LINKS_TO in (first.type, second.type):
            weight *= _counted(self._graph.linked_share(middle))
        return weight / (1 + math.log(self._graph.frequency(middle)))

    def _edges(self, node: Node) -> tuple[Edge, ...]:
        if self._deadline.is_over:
            self.late = True
            return ()
        found = self._graph.neighbours(node, types=TYPES, direction=Direction.BOTH, limit=GRAPH_PATH_FAN_OUT)
        self.cut = self.cut or found.cut
        return found.edges


class _Search:
    """One breadth-first search."""

    def __init__(
        self, graph: HasNeighbours, types: Collection[EdgeType], direction: Direction, deadline: Deadline
    ) -> None:
        self._graph = graph
        self._types = types
        self._direction = direction
        self._deadline = deadline
        self._known: dict[Node, float] = {}
        self._edges: dict[tuple[Node, Node, EdgeType], Edge] = {}
        self._shares: dict[Node, float] = {}
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
                level = self._passable(ordered)
        return Walk(tuple(steps), tuple(self._edges.values()), self._cut, self._late)

    def _level(self, nodes: Sequence[Node], fan_out: int) -> dict[Node, float]:
        """The new nodes next to these, with their scores."""
        reached: dict[Node, float] = {}
        for node in nodes:
            if self._deadline.is_over:
                self._late = True
                break
            found = self._graph.neighbours(node, types=self._types, direction=self._direction, limit=fan_out)
            self._cut = self._cut or found.cut
            for edge, strength in _with_strength(node, found.edges, fan_out):
                self._edges.setdefault(_identity(edge), edge)
                other = edge.other(node)
                if other not in self._known:
                    share = self._share(other) if edge.type is EdgeType.LINKS_TO else 1.0
                    score = round(self._known[node] * strength * share, DIGITS)
                    reached[other] = max(score, reached.get(other, 0.0))
        return reached

    def _passable(self, steps: Sequence[Step]) -> list[Node]:
        """The best nodes to go on from."""
        passable = list(islice((step.node for step in steps if not self._is_hub(step.node)), GRAPH_LEVEL_NODES))
        self._cut = self._cut or len(passable) < len(steps)
        return passable

    def _share(self, node: Node) -> float:
        """What a link from or to the node counts: all of it, and less where the node is linked with much of its site."""
        known = self._shares.get(node)
        if known is None:
            known = self._shares[node] = _counted(self._graph.linked_share(node))
        return known

    def _is_hub(self, node: Node) -> bool:
        return node.kind is not NodeKind.SECTION and self._graph.frequency(node) >= caps.GRAPH_FREQUENCY_COUNTED


def _identity(edge: Edge) -> tuple[Node, Node, EdgeType]:
    """What tells an edge from others: that two entities go together is said once."""
    if edge.type in UNDIRECTED and edge.dst < edge.src:
        return edge.dst, edge.src, edge.type
    return edge.src, edge.dst, edge.type


def _counted(share: float) -> float:
    """What a link counts from or to a page that exchanges links with this share of its site."""
    over = (share - COMMON_SHARE) / (EVERYWHERE_SHARE - COMMON_SHARE)
    return 1 - (1 - EVERYWHERE_WORTH) * min(1.0, max(0.0, over))


def _worth(edge: Edge, node: Node) -> float:
    """What an edge of this type says, seen from one of its ends."""
    is_own_part = edge.type in OWN_PARTS and edge.src == node and node.kind is NodeKind.DOCUMENT
    return OWN_PART_WORTH if is_own_part else WORTH[edge.type]


def _with_strength(node: Node, edges: Sequence[Edge], fan_out: int) -> Iterator[tuple[Edge, float]]:
    """Each edge with what it is worth: by type, weight, and its rank among the edges of its type and direction."""
    ranks: Counter[tuple[EdgeType, bool]] = Counter()
    for edge in edges:
        kind = edge.type, edge.src == node
        share = 1 - (1 - LAST_SHARE) * min(1.0, ranks[kind] / fan_out)
        ranks[kind] += 1
        yield edge, _worth(edge, node) * edge.weight * share


def _listed(view: GraphReader, node: Node, types: frozenset[EdgeType], direction: Direction) -> Walk:
    """The neighbours in the order in which the graph names them."""
    found = view.neighbours(node, types=types, direction=direction, limit=GRAPH_LISTED)
    first: dict[Node, None] = dict.fromkeys(edge.other(node) for edge in found.edges)
    steps = (Step(other, 1, round(1 - rank / (2 * GRAPH_LISTED), DIGITS)) for rank, other in enumerate(first))
    return Walk(tuple(steps), found.edges, found.cut, late=False)


def _shared(view: GraphReader, nodes: Sequence[Node], direction: Direction, limit: int) -> Walk:
    """The other ends of naming edges by the mean weight over all nodes."""
    scores: dict[Node, float] = {}
    edges: list[Edge] = []
    cut = False
    for node in nodes:
        found = view.neighbours(node, types=NAMING, direction=direction, limit=limit)
        cut = cut or found.cut
        edges += found.edges
        for rank, edge in enumerate(found.edges):
            share = 1 - rank / (2 * limit)
            other = edge.other(node)
            scores[other] = scores.get(other, 0.0) + WORTH[edge.type] * edge.weight * share / len(nodes)
    steps = sorted((Step(node, 1, round(score, DIGITS)) for node, score in scores.items()), key=lambda step: step.place)
    return Walk(tuple(steps), tuple(edges), cut, late=False)


def _best(node: Node, edges: Iterable[Edge]) -> dict[Node, Edge]:
    """The strongest edge to each neighbour."""
    found: dict[Node, Edge] = {}
    for edge in sorted(edges, key=lambda edge: _worth(edge, node) * edge.weight):
        found[edge.other(node)] = edge
    return found


def _order(path: Path) -> tuple[float, list[tuple[Node, Node, str]]]:
    """Strongest first, then by ids."""
    return -path.weight, [(edge.src, edge.dst, edge.type.value) for edge in path.edges]
