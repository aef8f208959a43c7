"""Nodes, edges, node projections and the results of graph walks."""

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
    """The kind of a node."""

    DOCUMENT = "document"
    SECTION = "section"
    ENTITY = "entity"


class EdgeType(StrEnum):
    """The relation of two nodes. Edges lead from the first to the second node named here."""

    CONTAINS = "contains"  # A document or section → the sections directly below it.
    NEXT = "next"  # A section → the next one in its document.
    LINKS_TO = "links_to"  # A section or document → the page, or its section, that one of its links leads to.
    MENTIONS = "mentions"  # A section or document → an entity that it names.
    DEFINES = "defines"  # A section or document → an entity that it is about.
    CO_OCCURS = "co_occurs"  # Two entities named in the same sections.
    SAME_AS = "same_as"  # Two spellings of one entity, or a short name and the only qualified name that it can mean.


ALL_TYPES: Final = frozenset(EdgeType)
NAMING: Final = frozenset({EdgeType.MENTIONS, EdgeType.DEFINES})
"""Edges from a section or document to the entities that it names."""


class Direction(StrEnum):
    """The direction of edges to follow. CO_OCCURS and SAME_AS have no direction and always count."""

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
    """A node. `number` is the ID of the document or entity, `section` the ord of a section, otherwise -1.

    If unrelated sites use the name of an entity, `section` identifies the group of sites: the lowest ID of a document there. See
    `Sites.groups`.
    """

    kind: NodeKind
    number: int
    section: int = -1

    def __str__(self) -> str:
        kind = self.kind.value[0]
        return f"{kind}{self.number}" if self.section < 0 else f"{kind}{self.number}.{self.section}"

    @property
    def document_id(self) -> int | None:
        """The ID of the document that the node is or belongs to."""
        return None if self.kind is NodeKind.ENTITY else self.number


def document_node(document_id: int) -> Node:
    return Node(NodeKind.DOCUMENT, document_id)


def place_node(document_id: int, section: int) -> Node:
    """Return the section, or the document for text before its first heading."""
    return Node(NodeKind.SECTION, document_id, section) if section >= 0 else document_node(document_id)


def entity_node(entity_id: int, group: int = -1) -> Node:
    return Node(NodeKind.ENTITY, entity_id, group)


def node_of(text: str) -> Node | None:
    """Return the node with this ID (`d12`, `s12.3`, `e345`, `e345.6`), or None for other text."""
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
    """An edge. `weight` is in 0..1; `note` is the text of the link."""

    src: Node
    dst: Node
    type: EdgeType
    weight: float
    note: str = ""

    def other(self, node: Node) -> Node:
        return self.dst if self.src == node else self.src


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Edges of one node, strongest of each type first. `cut`: more exist than were requested or examined."""

    edges: tuple[Edge, ...]
    cut: bool

    @classmethod
    def of(cls, families: Iterable[Iterable[Edge]], types: Collection[EdgeType], limit: int) -> Self:
        """Take at most `limit` edges of each family and of these types; reads each family only as far as needed."""
        edges: list[Edge] = []
        is_cut = False
        for family in families:
            first = list(islice((edge for edge in family if edge.type in types), limit + 1))
            is_cut = is_cut or len(first) > limit
            edges += first[:limit]
        return cls(tuple(edges), is_cut)


@dataclass(frozen=True, slots=True)
class Projection:
    """The displayed fields of a node. An entity has the address and tag of the place that is most about it.

    `degree` counts its edges (sections and links of a document, links and entities of a section, sections that name an entity), at most
    MAX_DEGREE_COUNTED. `snippet` is empty unless requested.
    """

    node: Node
    title: str
    doc_tag: str
    uri: str
    degree: int
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """Size of the graph. `waiting` counts documents whose mentions have not been extracted yet."""

    documents: int
    sections: int
    symbols: int
    terms: int
    edges: dict[EdgeType, int]
    waiting: int


MAX_SITES_OF_NAME: Final = 24  # Most sites that WebRAG distinguishes for one name.
MAX_SNIPPET_CHARS: Final = 200
_HEADING: Final = re.compile(rf"#{{1,6}} [^\n]*(?:\n|$)|\*\*(?:{CODE_SPAN}|[^*\n]++)\*\*:?\s*")
"""A heading, or the term or signature at the start of a section."""
_FENCE: Final = re.compile(r"^ {0,3}(?:`{3,}|~{3,}).*$", re.MULTILINE)


def snippet_of(text: str, name: str = "") -> str:
    """Return the first words of a place after its heading, or the words around the name."""
    found = text.find(name) if name else -1
    is_far = found > MAX_SNIPPET_CHARS // 2
    text = f"…{text[found - MAX_SNIPPET_CHARS // 3 :]}" if is_far else _HEADING.sub("", text, count=1)
    line = " ".join(_FENCE.sub(" ", text).split())
    return line if len(line) <= MAX_SNIPPET_CHARS else line[: MAX_SNIPPET_CHARS - 1].rstrip() + "…"


def rarity_of(frequency: int) -> float:
    """Return 1 for an entity in one section, about a fifth for one in sixty sections."""
    return 1 / (1 + math.log(frequency))


class Cut(StrEnum):
    """The reason why a result is incomplete."""

    NONE = "none"
    PAGE_SIZE = "page_size"  # The cursor returns more.
    FAN_OUT = "fan_out"  # Some nodes have more edges than the limit.
    DEADLINE = "deadline"
    BYTE_CAP = "byte_cap"


@dataclass(frozen=True, slots=True)
class PageAsked:
    """The requested page of a walk: after `cursor`, within `filter`, with the beginning of each node's text if `snippets`."""

    page_size: int = caps.DEFAULT_GRAPH_PAGE
    cursor: str | None = None
    filter: Filter = EVERYTHING
    snippets: bool = False


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that was found, its distance from the start, and the cursor that continues after it."""

    projection: Projection
    hop: int
    cursor: str


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The nodes connected to `starts`, nearest and strongest first. `edges` connect nodes of this page with each other or with earlier
    ones.

    `limit_reason` is PAGE_SIZE if more follow. `not_found` lists names that match nothing in scope; `waiting` counts documents that are
    not in the graph yet. `is_cut` means that more than `total` nodes exist.
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
    """Edges that lead from one node to another, in order. Each can point either way."""

    edges: tuple[Edge, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Paths:
    """The best paths, shortest first, with every node on them. `ends` are the two nodes that the names mean."""

    ends: tuple[Projection, Projection]
    nodes: tuple[Projection, ...]
    paths: tuple[Path, ...]
    limit_reason: Cut
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Description:
    """The projections of the requested nodes or, without nodes, the size of the graph. `disabled`: the graph is turned off."""

    nodes: tuple[Projection, ...] = ()
    not_found: tuple[str, ...] = ()
    counts: GraphCounts | None = None
    disabled: bool = False
