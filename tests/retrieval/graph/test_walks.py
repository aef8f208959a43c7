"""Walks over any graph respect their bounds and the time limit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.library.graph_records import Direction, Edge, EdgeType, Neighbours, Node, entity_node
from app.retrieval.graph import walks
from app.retrieval.graph.walks import GRAPH_LEVEL_NODES, GRAPH_SECOND_FAN_OUT, PathSearch, walk

ALL = frozenset(EdgeType)
NEVER = inf


@dataclass
class Drawn:
    """A graph of numbered entities that records requests."""

    links: tuple[tuple[int, int, EdgeType, float], ...]
    hubs: frozenset[int] = frozenset()
    asked: list[tuple[Node, int]] = field(default_factory=list)

    def neighbours(
        self, nodes: Iterable[Node], *, types: Collection[EdgeType], direction: Direction, limit: int
    ) -> Iterator[Neighbours]:
        for node in nodes:
            yield self.of(node, types, direction, limit)

    def of(self, node: Node, types: Collection[EdgeType], direction: Direction, limit: int) -> Neighbours:
        self.asked.append((node, limit))
        found: dict[EdgeType, list[Edge]] = {}
        for src, dst, type_, weight in self.links:
            is_mine = (direction.is_out and src == node.number) or (direction.is_in and dst == node.number)
            if type_ in types and is_mine:
                found.setdefault(type_, []).append(Edge(entity_node(src), entity_node(dst), type_, weight))
        kept = tuple(edge for edges in found.values() for edge in edges[:limit])
        return Neighbours(kept, any(len(edges) > limit for edges in found.values()))

    def linked_shares(self, nodes: Iterable[Node]) -> dict[Node, float]:
        return {node: float(node.number in self.hubs) for node in nodes}

    def ways(self, nodes: Iterable[Node]) -> dict[Node, int]:
        return {node: node.number for node in nodes}

    def frequencies(self, nodes: Iterable[Node]) -> dict[Node, int]:
        return {node: caps.GRAPH_FREQUENCY_COUNTED if node.number in self.hubs else 1 for node in nodes}


graphs = st.builds(
    Drawn,
    links=st.lists(
        st.tuples(st.integers(0, 12), st.integers(0, 12), st.sampled_from(EdgeType), st.floats(0, 1)).filter(
            lambda link: link[0] != link[1]
        ),
        max_size=60,
    ).map(tuple),
    hubs=st.frozensets(st.integers(0, 12), max_size=3),
)


def chain(*numbers: int, type_: EdgeType = EdgeType.LINKS_TO) -> tuple[tuple[int, int, EdgeType, float], ...]:
    return tuple((a, b, type_, 0.5) for a, b in pairwise(numbers))


def numbers(graph: Drawn, start: int, hops: int, direction: Direction = Direction.BOTH) -> list[tuple[int, int]]:
    found = walk(graph, [entity_node(start)], types=ALL, direction=direction, max_hops=hops, deadline=NEVER)
    return [(step.node.number, step.hop) for step in found.steps]


@given(graph=graphs, hops=st.integers(1, 2), starts=st.lists(st.integers(0, 12), min_size=1, max_size=4))
def test_a_walk_keeps_to_its_bounds(graph: Drawn, hops: int, starts: list[int]) -> None:
    begin = [entity_node(number) for number in starts]
    found = walk(graph, begin, types=ALL, direction=Direction.BOTH, max_hops=hops, deadline=NEVER)
    nodes = [step.node for step in found.steps]
    assert len(nodes) == len(set(nodes)) and not set(nodes) & set(begin)
    assert all(1 <= step.hop <= hops and 0 <= step.score <= 1 for step in found.steps)
    assert [step.place for step in found.steps] == sorted(step.place for step in found.steps)
    assert sum(limit == GRAPH_SECOND_FAN_OUT for _, limit in graph.asked) <= GRAPH_LEVEL_NODES
    assert not {node.number for node, limit in graph.asked if limit == GRAPH_SECOND_FAN_OUT} & graph.hubs
    known = {*begin, *nodes}
    assert all(edge.src in known and edge.dst in known for edge in found.edges)


@given(
    graph=graphs, ends=st.tuples(st.integers(0, 5), st.integers(6, 12)), hops=st.integers(1, 2), most=st.integers(1, 4)
)
def test_paths_lead_from_one_end_to_the_other(graph: Drawn, ends: tuple[int, int], hops: int, most: int) -> None:
    start, end = entity_node(ends[0]), entity_node(ends[1])
    found = PathSearch(graph, NEVER).between(start, end, max_hops=hops, max_paths=most)
    assert len(found) <= most
    assert [len(path.edges) for path in found] == sorted(len(path.edges) for path in found)
    for path in found:
        here = start
        assert 1 <= len(path.edges) <= hops
        for edge in path.edges:
            assert here in (edge.src, edge.dst)
            here = edge.other(here)
        assert here == end


def test_nearer_nodes_come_first_and_the_path_counts() -> None:
    graph = Drawn((*chain(1, 2, 3), *chain(4, 1)))
    assert numbers(graph, 1, 1) == [(2, 1), (4, 1)]
    assert numbers(graph, 1, 2, Direction.OUT) == [(2, 1), (3, 2)]
    assert numbers(graph, 1, 2, Direction.IN) == [(4, 1)]


def test_hub_nodes_are_reached_but_not_passed() -> None:
    graph = Drawn(chain(1, 2, 3), hubs=frozenset({2}))
    found = walk(graph, [entity_node(1)], types=ALL, direction=Direction.OUT, max_hops=2, deadline=NEVER)
    assert [step.node.number for step in found.steps] == [2]
    assert found.cut


def test_a_walk_that_runs_out_of_time_reports_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks, "time", SimpleNamespace(monotonic=iter([0.5, 2.0, 2.0]).__next__))
    found = walk(
        Drawn((*chain(1, 3), *chain(2, 4))),
        [entity_node(1), entity_node(2)],
        types=ALL,
        direction=Direction.OUT,
        max_hops=1,
        deadline=1.0,
    )
    assert [step.node.number for step in found.steps] == [3]
    assert found.late


def test_a_path_search_that_runs_out_of_time_reports_it() -> None:
    search = PathSearch(Drawn(chain(1, 2)), 0.0)
    assert search.between(entity_node(1), entity_node(2), max_hops=2, max_paths=5) == []
    assert search.late


def test_only_the_best_one_hop_path_and_one_two_hop_path_per_page() -> None:
    links = (
        *chain(1, 2),
        *((2, 1, EdgeType.LINKS_TO, 0.9), (1, 2, EdgeType.MENTIONS, 0.4)),
        *chain(1, 3, 2),
        *chain(1, 4, 2),
    )
    found = PathSearch(Drawn(links), NEVER).between(entity_node(1), entity_node(2), max_hops=2, max_paths=9)
    over = [path.edges[0].other(entity_node(1)).number for path in found]
    assert over == [2, 3, 4] and found[0].edges[0].weight == 0.9


def test_menu_pages_come_last_and_do_not_connect_nodes() -> None:
    links = (
        (1, 3, EdgeType.LINKS_TO, 0.9),
        (3, 2, EdgeType.LINKS_TO, 0.9),
        *chain(1, 4, 2),
    )
    graph = Drawn(links, hubs=frozenset({3}))
    assert [number for number, _ in numbers(graph, 1, 1)] == [4, 3]
    found = PathSearch(graph, NEVER).between(entity_node(1), entity_node(2), max_hops=2, max_paths=9)
    assert [path.edges[0].dst.number for path in found] == [4]


@pytest.mark.parametrize("type_", [EdgeType.CO_OCCURS, EdgeType.SAME_AS])
def test_a_co_occurrence_is_returned_once(type_: EdgeType) -> None:
    graph = Drawn(((1, 2, type_, 0.5), (2, 1, type_, 0.4)))
    found = walk(graph, [entity_node(1)], types=ALL, direction=Direction.BOTH, max_hops=2, deadline=NEVER)
    assert len(found.edges) == 1
