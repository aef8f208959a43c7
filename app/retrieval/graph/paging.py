"""One page of a walk: the nodes behind a cursor, what is shown of them, and the edges that tie them in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app import caps
from app.corpus.graph.records import Edge, Node
from app.corpus.graph.view import GraphView
from app.retrieval.graph.cursors import Cursors
from app.retrieval.graph.records import Cut, Neighbourhood, Reached
from app.retrieval.graph.resolving import Resolved
from app.retrieval.graph.walking import WORTH, Step, Walk


@dataclass(frozen=True, slots=True)
class PageWanted:
    """`question` is the same for all pages of a walk, `cursor` where this one begins."""

    question: str
    size: int
    cursor: str | None
    snippets: bool


def page_of(
    view: GraphView, resolved: Resolved, walk: Walk, wanted: PageWanted, cursors: Cursors, waiting: int
) -> Neighbourhood:
    """Raises InvalidArgumentError for a cursor of another call."""
    starts = view.projections(resolved.nodes, snippets=wanted.snippets)
    behind = cursors.place(wanted.cursor, wanted.question) if wanted.cursor else None
    rest = [step for step in walk.steps if behind is None or step.place > behind]
    steps = {step.node: step for step in rest[: wanted.size]}
    shown = view.projections(steps, snippets=wanted.snippets)
    reached = tuple(
        Reached(each, steps[each.node].hop, cursors.after(steps[each.node], wanted.question)) for each in shown
    )
    earlier = {*resolved.nodes, *(step.node for step in walk.steps[: len(walk.steps) - len(rest)])}
    return Neighbourhood(
        starts=tuple(starts),
        reached=reached,
        edges=tuple(_tying(walk.edges, [each.node for each in shown], earlier)),
        total=len(walk.steps),
        limit_reason=_reason(walk, rest, wanted.size),
        not_found=resolved.not_found,
        waiting=waiting,
        is_cut=walk.cut or walk.late,
    )


def _tying(edges: Iterable[Edge], nodes: Sequence[Node], earlier: set[Node]) -> list[Edge]:
    """The GRAPH_EDGES_SHOWN strongest edges of each node to nodes of this page or an earlier one, each edge once."""
    here = set(nodes)
    of_node: dict[Node, list[Edge]] = {node: [] for node in nodes}
    for edge in sorted(edges, key=lambda edge: -WORTH[edge.type] * edge.weight):
        for node, other in ((edge.src, edge.dst), (edge.dst, edge.src)):
            if node in here and (other in here or other in earlier):
                of_node[node].append(edge)
    kept = (edge for node in nodes for edge in of_node[node][: caps.GRAPH_EDGES_SHOWN])
    return list(dict.fromkeys(kept))


def _reason(walk: Walk, rest: Sequence[Step], size: int) -> Cut:
    if walk.late:
        return Cut.DEADLINE
    if len(rest) > size:
        return Cut.PAGE_SIZE
    return Cut.FAN_OUT if walk.cut else Cut.NONE
