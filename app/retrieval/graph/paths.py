"""The shortest paths between two nodes, at most two hops long: the neighbours of both ends are compared."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from app import caps
from app.corpus.graph.records import Direction, Edge, EdgeType, Node
from app.retrieval.graph.records import Path
from app.retrieval.graph.walking import WORTH, Deadline, HasNeighbours

TYPES: Final = frozenset(EdgeType)


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
        found = self._graph.neighbours(node, types=TYPES, direction=Direction.BOTH, limit=caps.GRAPH_PATH_FAN_OUT)
        self.cut = self.cut or found.cut
        return found.edges


def _best(node: Node, edges: Iterable[Edge]) -> dict[Node, Edge]:
    """The strongest edge to each neighbour."""
    found: dict[Node, Edge] = {}
    for edge in sorted(edges, key=lambda edge: WORTH[edge.type] * edge.weight):
        found[edge.other(node)] = edge
    return found


def _order(path: Path) -> tuple[float, list[tuple[Node, Node, str]]]:
    """Strongest first, then by ids."""
    return -path.weight, [(edge.src, edge.dst, edge.type.value) for edge in path.edges]
