"""Neighbors of a document in the library: pages that link to it, pages that it links to, and pages that share its terms."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.desktop.engine_thread import Engine
from app.desktop.models.details import first_words
from app.desktop.wording import counted, number, plain_address, translator
from app.errors import GraphDisabledError, InvalidArgumentError
from app.library.graph_records import Direction, EdgeType, Neighbourhood, NodeKind, PageAsked, Projection, document_node

_tr = translator("Neighbours")

MAX_LINKED: Final = 20
MAX_RELATED: Final = 4
MIN_SHARED: Final = 2  # A single shared term can be chance.
TERMS_COMPARED: Final = 24
SECTIONS_COMPARED: Final = 100
TERMS_TOLD: Final = 4

NEAR: Final = 1.16  # Distance of the ends of an arc from the center, in node widths.
END: Final = 1.15  # An arc ends before its ellipse by this factor.
BULGE, LARGEST_BULGE = 0.04, 0.36  # Additional width of an arc at its middle: per node, and the maximum.
RELATED_ROWS: Final = 1.7  # Minimum vertical distance of the first related page from the center, in rows.


class Way(StrEnum):
    """How a page is connected to the central one."""

    IN = "in"
    OUT = "out"
    BOTH = "both"
    RELATED = "related"  # No link, but shared terms.


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A connected page. `words` is the link text or the shared terms."""

    document_id: int
    title: str
    url: str
    way: Way
    words: str = ""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The pages around a document in reading order. `linked` also counts linked pages that are not shown."""

    document_id: int
    title: str
    around: tuple[Neighbour, ...] = ()
    linked: int = 0
    is_disabled: bool = False

    def of(self, *ways: Way) -> tuple[Neighbour, ...]:
        """Return the neighbors connected in one of these ways."""
        return tuple(each for each in self.around if each.way in ways)

    @property
    def left_out(self) -> int:
        """Number of linked pages that do not fit."""
        return self.linked - len(self.of(Way.IN, Way.OUT, Way.BOTH))


def why_text(each: Neighbour) -> str:
    sentence = {
        Way.IN: _tr("Links to this page"),
        Way.OUT: _tr("Linked from this page"),
        Way.BOTH: _tr("Links to this page and is linked from it"),
        Way.RELATED: _tr("Shares terms with this page"),
    }[each.way]
    if not each.words:
        return sentence
    return f"{sentence}: {each.words if each.way is Way.RELATED else _tr('“{}”').format(each.words)}"


def description(each: Neighbour) -> str:
    """Return title, address and connection on separate lines."""
    return "\n".join((each.title, each.url, why_text(each)))


def summary_text(found: Neighbours) -> str:
    incoming, outgoing = len(found.of(Way.IN, Way.BOTH)), len(found.of(Way.OUT, Way.BOTH))
    parts = [
        counted(incoming, _tr("1 page links here"), _tr("{} pages link here")) if incoming else "",
        counted(outgoing, _tr("links to 1 stored page"), _tr("links to {} stored pages")) if outgoing else "",
        "" if incoming or outgoing else _tr("No links"),
    ]
    if related := len(found.of(Way.RELATED)):
        parts.append(counted(related, _tr("shares terms with 1 page"), _tr("shares terms with {} pages")))
    if found.left_out:
        parts.append(_tr("{} more not shown").format(number(found.left_out)))
    words = "  ·  ".join(part for part in parts if part)
    return words[:1].upper() + words[1:]


async def load_neighbours(engine: Engine, document_id: int, title: str) -> Neighbours:
    """Load at most MAX_LINKED linked and MAX_RELATED related pages, or report that the graph is turned off."""
    try:
        linked = await _walk(engine, [str(document_node(document_id))], {EdgeType.LINKS_TO}, MAX_LINKED)
        neighbours = _linked(linked, document_id)
        related = await _related(engine, document_id, {document_id, *(each.document_id for each in neighbours)})
    except GraphDisabledError:
        return Neighbours(document_id, title, is_disabled=True)
    except InvalidArgumentError:  # deleted in the meantime
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
    one_way = {number: Way.BOTH if len(known) > 1 else next(iter(known)) for number, known in ways.items()}
    return [
        _neighbour(each, one_way.get(each.node.number, Way.OUT), words.get(each.node.number, ""))
        for each in shown
        if each.node.number != document_id
    ]


def _neighbour(shown: Projection, way: Way, words: str) -> Neighbour:
    title = " ".join(shown.title.split()) or plain_address(shown.uri)
    return Neighbour(shown.node.number, title, shown.uri, way, words)


async def _related(engine: Engine, document_id: int, known: set[int]) -> list[Neighbour]:
    """Return unlinked pages that share at least MIN_SHARED terms, most shared terms first."""
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


Place = tuple[float, float]  # Center of a node relative to the document: x in node widths, y in rows.


def placed(found: Neighbours) -> dict[int, Place]:
    """Return the place of every neighbor by document. Deterministic and without collisions."""
    places = _arc(found.of(Way.IN), -1)
    places |= _arc(found.of(Way.OUT, Way.BOTH), 1)
    return places | {
        each.document_id: (0.0, (-1 if order % 2 == 0 else 1) * (RELATED_ROWS + order // 2))
        for order, each in enumerate(found.of(Way.RELATED))
    }


def _arc(nodes: Sequence[Neighbour], side: int) -> dict[int, Place]:
    """Arrange nodes on half an ellipse from top to bottom. The middle is farthest from the center."""
    half = max(1.0, (len(nodes) - 1) / 2)
    height = min(LARGEST_BULGE, BULGE * len(nodes))
    places: dict[int, Place] = {}
    for order, each in enumerate(nodes):
        y = order - (len(nodes) - 1) / 2
        bulge = math.sqrt(max(0.0, 1 - (y / half / END) ** 2))
        places[each.document_id] = side * (NEAR + height * bulge), y
    return places
