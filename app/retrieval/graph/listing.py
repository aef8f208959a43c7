"""Neighbours in one fixed order: containers, parts, entities of sections, sections of entities."""

from __future__ import annotations

from collections.abc import Sequence

from app import caps
from app.corpus.graph.records import Direction, Edge, EdgeType, Node, NodeKind
from app.corpus.graph.view import GraphView
from app.retrieval.graph.walking import DIGITS, WORTH, Step, Walk

NAMING = frozenset({EdgeType.MENTIONS, EdgeType.DEFINES})


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
    return _shared(view, nodes, Direction.IN, caps.GRAPH_LISTED)


def _listed(view: GraphView, node: Node, types: frozenset[EdgeType], direction: Direction) -> Walk:
    """The neighbours in the order in which the graph names them."""
    found = view.neighbours(node, types=types, direction=direction, limit=caps.GRAPH_LISTED)
    first: dict[Node, None] = dict.fromkeys(edge.other(node) for edge in found.edges)
    steps = (Step(other, 1, round(1 - rank / (2 * caps.GRAPH_LISTED), DIGITS)) for rank, other in enumerate(first))
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
