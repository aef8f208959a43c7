"""Nodes, edges, what is shown of a node, and what walks over the graph return."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final, Self

from app import caps
from app.library.scope import EVERYTHING, Filter
from app.text.markdown_blocks import CODE_SPAN

_ID: Final = re.compile(
    r"(?:d(?P<document>\d{1,18})|s(?P<of>\d{1,18})\.(?P<section>\d{1,9})|e(?P<entity>\d{1,18})(?:\.(?P<on>\d{1,18}))?)",
    re.ASCII,
)


class NodeKind(StrEnum):
    """What a node is."""

    DOCUMENT = "document"
    SECTION = "section"
    ENTITY = "entity"


class EdgeType(StrEnum):
    """How two nodes hang together. Edges lead from the first to the second node named."""

    CONTAINS = "contains"
    """A document or section and the sections right below it."""
    NEXT = "next"
    """A section and the one that follows it in its document."""
    LINKS_TO = "links_to"
    """A section or document and the page, or the section of it, that one of its links leads to."""
    MENTIONS = "mentions"
    """A section or document and an entity that it names."""
    DEFINES = "defines"
    """A section or document and an entity that it is about."""
    CO_OCCURS = "co_occurs"
    """Two entities that sections name together."""
    SAME_AS = "same_as"
    """Two entities that are one in other spelling, or a name and the qualified name that it can only stand for."""


ALL_TYPES: Final = frozenset(EdgeType)
NAMING: Final = frozenset({EdgeType.MENTIONS, EdgeType.DEFINES})
"""From a section or document to what it names."""


class Direction(StrEnum):
    """Which edges of a node count. CO_OCCURS and SAME_AS have no direction and always count."""

    IN = "in"
    OUT = "out"
    BOTH = "both"

    @property
    def is_out(self) -> bool:
        return self is not Direction.IN

    @property
    def is_in(self) -> bool:
        return self is not Direction.OUT


@dataclass(frozen=True, slots=True, order=True)
class Node:
    """`number` is the id of the document or entity; `section` the ord of a section, -1 otherwise.

    Of an entity whose name is on several sites that do not know each other, `section` says on which: it is the lowest id of a document
    there. See `Sites.groups`.
    """

    kind: NodeKind
    number: int
    section: int = -1

    def __str__(self) -> str:
        kind = self.kind.value[0]
        return f"{kind}{self.number}" if self.section < 0 else f"{kind}{self.number}.{self.section}"

    @property
    def document_id(self) -> int | None:
        """The document that it is or belongs to."""
        return None if self.kind is NodeKind.ENTITY else self.number


def document_node(document_id: int) -> Node:
    return Node(NodeKind.DOCUMENT, document_id)


def place_node(document_id: int, section: int) -> Node:
    """The section, or the document for what stands before its first heading."""
    return Node(NodeKind.SECTION, document_id, section) if section >= 0 else document_node(document_id)


def entity_node(entity_id: int, group: int = -1) -> Node:
    return Node(NodeKind.ENTITY, entity_id, group)


def node_of(text: str) -> Node | None:
    """The node with this id (`d12`, `s12.3`, `e345`, `e345.6`), None for any other text."""
    match = _ID.fullmatch(text)
    if match is None:
        return None
    if match["entity"]:
        return entity_node(int(match["entity"]), int(match["on"]) if match["on"] else -1)
    if match["document"]:
        return document_node(int(match["document"]))
    return place_node(int(match["of"]), int(match["section"]))


@dataclass(frozen=True, slots=True)
class Edge:
    """`weight` is in 0..1. `note` holds the words of the link."""

    src: Node
    dst: Node
    type: EdgeType
    weight: float
    note: str = ""

    def other(self, node: Node) -> Node:
        return self.dst if self.src == node else self.src


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Edges of one node, the strongest of each type first. `cut`: there are more than were asked for or looked at."""

    edges: tuple[Edge, ...]
    cut: bool

    @classmethod
    def of(cls, families: Iterable[Iterable[Edge]], types: Collection[EdgeType], limit: int) -> Self:
        """So many edges of each family and no more, of these types; each is read only as far as that takes."""
        edges: list[Edge] = []
        is_cut = False
        for family in families:
            first = list(islice((edge for edge in family if edge.type in types), limit + 1))
            is_cut = is_cut or len(first) > limit
            edges += first[:limit]
        return cls(tuple(edges), is_cut)


@dataclass(frozen=True, slots=True)
class Projection:
    """What is shown of a node. An entity has the address and tag of the place that is most about it.

    `degree` counts its edges (sections and links of a document, links and entities of a section, sections that name an entity),
    at most MAX_DEGREE_COUNTED. `snippet` is empty unless asked for.
    """

    node: Node
    title: str
    doc_tag: str
    uri: str
    degree: int
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """How large the graph is. `waiting` counts documents whose mentions are not known yet."""

    documents: int
    sections: int
    symbols: int
    terms: int
    edges: dict[EdgeType, int]
    waiting: int

    @property
    def is_empty(self) -> bool:
        return not self.symbols and not self.terms


GRAPH_SECTIONS_COMPARED: Final = 80
"""Sections of an entity that are looked at for what stands beside it."""
GRAPH_COMPANIONS: Final = 80
GRAPH_NAMESAKES: Final = 5
"""Entities of one name on different sites that a name or id without a site stands for."""
QUALIFIED_WEIGHT: Final = 0.9
"""What the qualified name that a bare one can only stand for weighs; a name and a term that are spelled alike weigh 1."""
CASED_WEIGHT: Final = 0.8
"""What two names of code weigh that differ in case or underscores."""
SEVERAL_SECTIONS: Final = 3
FEW_NAMES: Final = 20
LONELY_RARITY: Final = 0.1
MAX_SITES_OF_NAME: Final = 24
"""So many sites of a name are told apart."""
GRAPH_LINKS_COUNTED: Final = 2_000
"""Links of one page that are looked at for how many pages they lead to."""
GRAPH_PAGES_COUNTED: Final = 400
"""A site counts as having at most so many pages when a page is compared with it."""
SMALLEST_SITE: Final = 8
"""On smaller sites every page links to every other without being a menu."""
GRAPH_SNIPPET_SEARCHED: Final = 2_000
MAX_SNIPPET_CHARS: Final = 200

_HEADING: Final = re.compile(rf"#{{1,6}} [^\n]*(?:\n|$)|\*\*(?:{CODE_SPAN}|[^*\n]++)\*\*:?\s*")
"""A heading, or the term or signature that opens a section."""
_FENCE: Final = re.compile(r"^ {0,3}(?:`{3,}|~{3,}).*$", re.MULTILINE)


def weight_of(count: int) -> float:
    """How much it says that something was found so often: 0.5 for once, nearing 1."""
    return count / (count + 1)


def worth_of(edge: Edge, frequency: int) -> float:
    """How well an edge from a place to an entity leads on.

    What is defined comes first, the most widely named of it foremost; what is named, by weight and rarity. An entity that stands
    nowhere else leads nowhere.
    """
    if edge.type is EdgeType.DEFINES:
        return 1 + frequency / caps.GRAPH_FREQUENCY_COUNTED
    return edge.weight * (rarity_of(frequency) if frequency > 1 else LONELY_RARITY)


def naming(place: Node, entity: Node, count: int, *, defines: bool) -> Edge:
    """That a place names an entity so often, or is about it."""
    if defines:
        return Edge(place, entity, EdgeType.DEFINES, 1.0)
    return Edge(place, entity, EdgeType.MENTIONS, weight_of(count))


def snippet_of(text: str, name: str = "") -> str:
    """The first words of a place behind its heading, or those around the name."""
    found = text.find(name) if name else -1
    is_far = found > MAX_SNIPPET_CHARS // 2
    text = f"…{text[found - MAX_SNIPPET_CHARS // 3 :]}" if is_far else _HEADING.sub("", text, count=1)
    line = " ".join(_FENCE.sub(" ", text).split())
    return line if len(line) <= MAX_SNIPPET_CHARS else line[: MAX_SNIPPET_CHARS - 1].rstrip() + "…"


def rarity_of(frequency: int) -> float:
    """1 for what stands in one section, a fifth for what stands in sixty."""
    return 1 / (1 + math.log(frequency))


class Cut(StrEnum):
    """Why a result is not everything there is."""

    NONE = "none"
    PAGE_SIZE = "page_size"
    """More can be had with the cursor."""
    FAN_OUT = "fan_out"
    """Some nodes have more edges than are followed."""
    DEADLINE = "deadline"
    BYTE_CAP = "byte_cap"


@dataclass(frozen=True, slots=True)
class PageAsked:
    """Which page of a walk is wanted: behind `cursor`, within `filter`, with a beginning of each node's text if `snippets`."""

    page_size: int = caps.DEFAULT_GRAPH_PAGE
    cursor: str | None = None
    filter: Filter = EVERYTHING
    snippets: bool = False


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that was found, how far it is from the start, and the cursor that goes on behind it."""

    projection: Projection
    hop: int
    cursor: str


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What hangs on the `starts`, nearest and strongest first. `edges` lie between the nodes of this page and nodes before them.

    `limit_reason` is PAGE_SIZE when more follow. `not_found` are the names given that stand for nothing in scope, `waiting` counts
    documents that are not in the graph yet. With `is_cut` there is more than `total`, which was not looked at.
    """

    starts: tuple[Projection, ...]
    reached: tuple[Reached, ...]
    edges: tuple[Edge, ...]
    total: int
    limit_reason: Cut
    not_found: tuple[str, ...] = ()
    waiting: int = 0
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """Edges that lead from one node to another, in order; each may point either way."""

    edges: tuple[Edge, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Paths:
    """The best paths, shortest first, and every node on them; `ends` are the two nodes that were meant."""

    ends: tuple[Projection, Projection]
    nodes: tuple[Projection, ...]
    paths: tuple[Path, ...]
    limit_reason: Cut
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Description:
    """What is shown of the nodes asked for, or, where none were, how large the graph is. `disabled`: it is switched off."""

    nodes: tuple[Projection, ...] = ()
    not_found: tuple[str, ...] = ()
    counts: GraphCounts | None = None
    disabled: bool = False
