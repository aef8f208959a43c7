"""Walks over the graph, with a bound on everything: breadth-first search, fixed lists of neighbours, shortest paths."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol

from app import caps
from app.corpus.graph.records import Direction, Edge, EdgeType, Neighbours, Node, NodeKind
from app.corpus.graph.view import GraphView
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


def parents(view: GraphView, node: Node) -> Walk:
    """The sections above a section and its document; documents that link to a document; where an entity is named."""
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


def children(view: GraphView, node: Node) -> Walk:
    """The sections right below a document or section in reading order, the names right below a qualified name."""
    return _listed(view, node, frozenset({EdgeType.CONTAINS}), Direction.OUT)


def entities_of(view: GraphView, nodes: Sequence[Node]) -> Walk:
    """The entities that the sections name, those first that they are about or share."""
    return _shared(view, nodes, Direction.OUT, caps.MAX_ENTITIES_PER_SECTION)


def sections_of(view: GraphView, nodes: Sequence[Node]) -> Walk:
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
        """The best paths; all of one hop before those of two."""
        near_start, near_end = self._edges(start), self._edges(end)
        direct = {edge for edge in near_start if edge.other(start) == end}
        direct |= {edge for edge in near_end if edge.other(end) == start}
        found = sorted((Path((edge,), edge.weight * WORTH[edge.type]) for edge in direct), key=_order)
        if max_hops > 1 and len(found) < max_paths:
            found += sorted(self._over_one(start, end, near_start, near_end), key=_order)
        return found[:max_paths]

    def _over_one(self, start: Node, end: Node, near_start: Iterable[Edge], near_end: Iterable[Edge]) -> list[Path]:
        """The best path over each node that both ends know."""
        first, second = _best(start, near_start), _best(end, near_end)
        return [
            Path((first[middle], second[middle]), self._weight(middle, first[middle], second[middle]))
            for middle in first.keys() & second.keys() - {start, end}
        ]

    def _weight(self, middle: Node, first: Edge, second: Edge) -> float:
        """Both edges have to hold; a node that everything leads to says little."""
        weight = first.weight * WORTH[first.type] * second.weight * WORTH[second.type]
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
            for edge, strength in _with_strength(found.edges, fan_out):
                self._edges.setdefault(_identity(edge), edge)
                other = edge.other(node)
                if other not in self._known:
                    score = round(self._known[node] * strength, DIGITS)
                    reached[other] = max(score, reached.get(other, 0.0))
        return reached

    def _passable(self, steps: Sequence[Step]) -> list[Node]:
        """The best nodes to go on from."""
        passable = list(islice((step.node for step in steps if not self._is_hub(step.node)), GRAPH_LEVEL_NODES))
        self._cut = self._cut or len(passable) < len(steps)
        return passable

    def _is_hub(self, node: Node) -> bool:
        return node.kind is not NodeKind.SECTION and self._graph.frequency(node) >= caps.GRAPH_FREQUENCY_COUNTED


def _identity(edge: Edge) -> tuple[Node, Node, EdgeType]:
    """What tells an edge from others: that two entities go together is said once."""
    if edge.type in UNDIRECTED and edge.dst < edge.src:
        return edge.dst, edge.src, edge.type
    return edge.src, edge.dst, edge.type


def _with_strength(edges: Sequence[Edge], fan_out: int) -> Iterator[tuple[Edge, float]]:
    """Each edge with what it is worth: by type, weight, and its rank among the edges of its type."""
    ranks: Counter[EdgeType] = Counter()
    for edge in edges:
        share = 1 - (1 - LAST_SHARE) * min(1.0, ranks[edge.type] / fan_out)
        ranks[edge.type] += 1
        yield edge, WORTH[edge.type] * edge.weight * share


def _listed(view: GraphView, node: Node, types: frozenset[EdgeType], direction: Direction) -> Walk:
    """The neighbours in the order in which the graph names them."""
    found = view.neighbours(node, types=types, direction=direction, limit=GRAPH_LISTED)
    first: dict[Node, None] = dict.fromkeys(edge.other(node) for edge in found.edges)
    steps = (Step(other, 1, round(1 - rank / (2 * GRAPH_LISTED), DIGITS)) for rank, other in enumerate(first))
    return Walk(tuple(steps), found.edges, found.cut, late=False)


def _shared(view: GraphView, nodes: Sequence[Node], direction: Direction, limit: int) -> Walk:
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
    for edge in sorted(edges, key=lambda edge: WORTH[edge.type] * edge.weight):
        found[edge.other(node)] = edge
    return found


def _order(path: Path) -> tuple[float, list[tuple[Node, Node, str]]]:
    """Strongest first, then by ids."""
    return -path.weight, [(edge.src, edge.dst, edge.type.value) for edge in path.edges]
