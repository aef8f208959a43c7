"""Breadth-first search with a bound on everything: edges of a node, nodes of a level, hops, time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol

from app import caps
from app.corpus.graph.records import Direction, Edge, EdgeType, Neighbours, Node, NodeKind

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


class HasNeighbours(Protocol):
    """A graph to walk on."""

    def neighbours(
        self, node: Node, *, types: Collection[EdgeType], direction: Direction, limit: int
    ) -> Neighbours: ...

    def frequency(self, node: Node) -> int: ...


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
            reached = self._level(level, caps.GRAPH_FAN_OUT if hop == 1 else caps.GRAPH_SECOND_FAN_OUT)
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
        passable = list(islice((step.node for step in steps if not self._is_hub(step.node)), caps.GRAPH_LEVEL_NODES))
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
