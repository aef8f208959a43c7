"""Asks the graph for the neighbours of a document; loaded on the engine's thread, for its imports are heavy."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from app.corpus.graph.records import Direction, EdgeType, NodeKind, document_node
from app.desktop.models.details import first_words
from app.desktop.models.neighbours import Neighbour, Neighbours, Way
from app.desktop.wording import plain_address
from app.errors import GraphDisabledError, InvalidArgumentError
from app.retrieval.graph.records import PageAsked

if TYPE_CHECKING:
    from app.corpus.graph.records import Projection
    from app.engine import Engine
    from app.retrieval.graph.records import Neighbourhood

MAX_LINKED: Final = 20
MAX_RELATED: Final = 4
MIN_SHARED: Final = 2
"""One shared term is chance."""
TERMS_COMPARED: Final = 24
SECTIONS_COMPARED: Final = 100
TERMS_TOLD: Final = 4


async def load_neighbours(engine: Engine, document_id: int, title: str) -> Neighbours:
    """At most MAX_LINKED linked pages and MAX_RELATED related ones; says so where the graph is switched off."""
    try:
        linked = await _walk(engine, [str(document_node(document_id))], {EdgeType.LINKS_TO}, MAX_LINKED)
        neighbours = _linked(linked, document_id)
        known = {document_id, *(each.document_id for each in neighbours)}
        related = await _related(engine, document_id, known)
    except GraphDisabledError:
        return Neighbours(document_id, title, is_disabled=True)
    except InvalidArgumentError:  # deleted meanwhile
        return Neighbours(document_id, title)
    order = list(Way)
    around = sorted((*neighbours, *related), key=lambda each: order.index(each.way))
    return Neighbours(document_id, title, tuple(around), linked.total)


async def _walk(engine: Engine, names: list[str], types: set[EdgeType], size: int) -> Neighbourhood:
    direction = Direction.BOTH if EdgeType.LINKS_TO in types else Direction.OUT
    return await engine.graph.expand(names, types=types, direction=direction, asked=PageAsked(page_size=size))


def _linked(found: Neighbourhood, document_id: int) -> list[Neighbour]:
    ways: dict[int, set[Way]] = defaultdict(set)
    words: dict[int, str] = {}
    for edge in found.edges:
        if edge.src.number != document_id and edge.dst.number != document_id:
            continue
        is_out = edge.src.number == document_id
        other = (edge.dst if is_out else edge.src).number
        ways[other].add(Way.OUT if is_out else Way.IN)
        words.setdefault(other, first_words(edge.note))
    shown = (each.projection for each in found.reached if each.projection.node.kind is NodeKind.DOCUMENT)
    return [
        _neighbour(each, _joined(ways[each.node.number]), words.get(each.node.number, ""))
        for each in shown
        if each.node.number != document_id
    ]


def _joined(ways: set[Way]) -> Way:
    return Way.BOTH if len(ways) > 1 else next(iter(ways), Way.OUT)


def _neighbour(shown: Projection, way: Way, words: str) -> Neighbour:
    title = " ".join(shown.title.split()) or plain_address(shown.uri)
    return Neighbour(shown.node.number, title, shown.uri, way, words)


async def _related(engine: Engine, document_id: int, known: set[int]) -> list[Neighbour]:
    """Pages without a link that share at least MIN_SHARED terms, those with most of them first."""
    named = await _walk(
        engine, [str(document_node(document_id))], {EdgeType.MENTIONS, EdgeType.DEFINES}, TERMS_COMPARED
    )
    terms = {each.projection.node: each.projection.title for each in named.reached if each.projection.degree > 1}
    if len(terms) < MIN_SHARED:
        return []
    places = await engine.graph.sections_for_entities(
        [str(node) for node in terms], PageAsked(page_size=SECTIONS_COMPARED)
    )
    shared: dict[int, dict[str, None]] = defaultdict(dict)
    for edge in places.edges:
        if edge.src.number not in known and edge.dst in terms:
            shared[edge.src.number][terms[edge.dst]] = None
    best = sorted((pages for pages in shared if len(shared[pages]) >= MIN_SHARED), key=lambda d: (-len(shared[d]), d))
    if not best:
        return []
    shown = await engine.graph.describe([str(document_node(found)) for found in best[:MAX_RELATED]])
    return [
        _neighbour(each, Way.RELATED, ", ".join(list(shared[each.node.number])[:TERMS_TOLD])) for each in shown.nodes
    ]
