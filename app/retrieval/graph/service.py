"""The graph for the tools: descriptions, walks and path searches, all bounded and within the given scope."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Final

from app import caps
from app.errors import GraphDisabledError, InvalidArgumentError, InvalidURLError
from app.library.graph_records import (
    ALL_TYPES,
    Cut,
    Description,
    Direction,
    Edge,
    EdgeType,
    Neighbourhood,
    Node,
    NodeKind,
    PageAsked,
    Paths,
    Reached,
    document_node,
    node_of,
)
from app.library.protocol import GraphReader, Library
from app.library.records import PRIVATE
from app.library.scope import EVERYTHING, PAGE_ADDRESS, Filter
from app.retrieval.graph import walks
from app.retrieval.graph.walks import WORTH, PathSearch, Step, Walk, walk
from app.text.sentence import sentence
from app.web.urls import normalise_url

GRAPH_CATCH_UP_DOCUMENTS: Final = 8  # Documents without mentions that are processed first when the graph is used.
GRAPH_EDGES_SHOWN: Final = 3  # Edges shown for each node of a page.
GRAPH_SECONDS: Final = 2.0  # A walk that takes longer returns what it has reached.
MAX_ID_DIGITS: Final = 18
MAC_BYTES: Final = 12
KEY_BYTES: Final = 32
FIRST_PAGE: Final = PageAsked()
PLACES: Final = frozenset({NodeKind.DOCUMENT, NodeKind.SECTION})
ENTITIES: Final = frozenset({NodeKind.ENTITY})
Lister = Callable[[GraphReader, Sequence[Node]], Walk]


class CorpusGraph:
    """Nodes are named by id (`d12`, `s12.3`, `e345`), by the section_id of a search result, by URL, or by the name of an entity.

    All methods raise InvalidArgumentError if no named node is in the graph and in scope, and GraphDisabledError while the graph is turned
    off. Only `describe` without names reports that instead.
    """

    def __init__(self, corpus: Library, *, enabled: bool = True, seconds: float = GRAPH_SECONDS) -> None:
        self._library = corpus.name
        self._graph = corpus.graph
        self._seconds = seconds
        self._cursors = Cursors()
        self.disabled = not enabled or self._graph is None

    async def describe(
        self, names: Sequence[str] = (), *, filter: Filter = EVERYTHING, snippets: bool = False
    ) -> Description:
        """Describe the named nodes, or the size of the graph."""
        if self.disabled and not names:
            return Description(disabled=True)

        def look() -> Description:
            self._catch_up()
            with self._view(filter) as view:
                if not names:
                    return Description(counts=view.counts())
                resolved = resolve(view, names, library=self._library)
                return Description(tuple(view.projections(resolved.nodes, snippets=snippets)), resolved.not_found)

        return await asyncio.to_thread(look)

    async def expand(
        self,
        names: Sequence[str],
        *,
        types: Collection[EdgeType] = ALL_TYPES,
        direction: Direction = Direction.BOTH,
        max_hops: int = 1,
        asked: PageAsked = FIRST_PAGE,
    ) -> Neighbourhood:
        """Return the neighbors of the nodes within `max_hops`, nearest and strongest first."""
        deadline = time.monotonic() + self._seconds
        hops = max(1, min(max_hops, caps.MAX_GRAPH_HOPS))
        step = partial(walk, types=frozenset(types), direction=direction, max_hops=hops, deadline=deadline)
        return await self._page(step, names, frozenset(NodeKind), f"expand {sorted(types)} {direction} {hops}", asked)

    async def parents(self, name: str, asked: PageAsked = FIRST_PAGE) -> Neighbourhood:
        """Return the sections above a section and its document; documents that link to a document; sections that mention an entity."""
        return await self._page(walks.parents, [name], frozenset(NodeKind), "parents", asked)

    async def children(self, name: str, asked: PageAsked = FIRST_PAGE) -> Neighbourhood:
        """Return the sections directly below a document or section; the names directly below a qualified name."""
        return await self._page(walks.children, [name], frozenset(NodeKind), "children", asked)

    async def entities_for_sections(self, names: Sequence[str], asked: PageAsked = FIRST_PAGE) -> Neighbourhood:
        """Return the entities that the sections or documents mention."""
        return await self._page(walks.entities_of, names, PLACES, "entities", asked)

    async def sections_for_entities(self, names: Sequence[str], asked: PageAsked = FIRST_PAGE) -> Neighbourhood:
        """Return the sections that mention the entities."""
        return await self._page(walks.sections_of, names, ENTITIES, "sections", asked)

    async def paths(
        self,
        start: str,
        end: str,
        *,
        max_hops: int = caps.MAX_GRAPH_HOPS,
        max_paths: int = caps.DEFAULT_GRAPH_PATHS,
        filter: Filter = EVERYTHING,
        snippets: bool = False,
    ) -> Paths:
        """Return the best paths between two nodes, all one-hop paths before two-hop paths."""
        return await asyncio.to_thread(self._paths, start, end, max_hops, max_paths, filter, snippets)

    async def _page(
        self, lister: Lister, names: Sequence[str], kinds: frozenset[NodeKind], question: str, asked: PageAsked
    ) -> Neighbourhood:
        question = f"{question} {sorted(names)} {asked.filter}"

        def look() -> Neighbourhood:
            waiting = self._catch_up()
            with self._view(asked.filter) as view:
                resolved = resolve(view, names, kinds, library=self._library)
                walked = lister(view, resolved.nodes)
                size = max(1, min(asked.page_size, caps.MAX_GRAPH_PAGE))
                behind = self._cursors.place(asked.cursor, question) if asked.cursor else None
                rest = [step for step in walked.steps if behind is None or step.place > behind]
                steps = {step.node: step for step in rest[:size]}
                shown = view.projections(steps, snippets=asked.snippets)
                earlier = {step.node: step.hop for step in walked.steps[: len(walked.steps) - len(rest)]}
                reached = ((each, steps[each.node]) for each in shown)
                nodes = {each.node: steps[each.node].hop for each in shown}
                return Neighbourhood(
                    starts=tuple(view.projections(resolved.nodes, snippets=asked.snippets)),
                    reached=tuple(
                        Reached(each, step.hop, self._cursors.after(step, question)) for each, step in reached
                    ),
                    edges=tuple(_choose_edges(walked.edges, nodes, dict.fromkeys(resolved.nodes, 0) | earlier)),
                    total=len(walked.steps),
                    limit_reason=_cut_of(walked.late, walked.cut, is_full=len(rest) > size),
                    not_found=resolved.not_found,
                    waiting=waiting,
                    is_cut=walked.cut or walked.late,
                )

        return await asyncio.to_thread(look)

    def _paths(self, start: str, end: str, max_hops: int, max_paths: int, filter: Filter, snippets: bool) -> Paths:
        waiting = self._catch_up()
        with self._view(filter) as view:
            starts, ends = (resolve(view, [name], library=self._library).nodes for name in (start, end))
            # If several entities have this name, use the one on the other end's site.
            pairs = list(product(starts, ends))
            near = zip(pairs, view.are_near(pairs), strict=True)
            first, last = next((pair for pair, are_near in near if are_near), pairs[0])
            if first == last:
                raise InvalidArgumentError(
                    sentence("Both ends of the path are the same node."), hint="Pass two different nodes."
                )
            search = PathSearch(view, time.monotonic() + self._seconds)
            hops, count = min(max_hops, caps.MAX_GRAPH_HOPS), min(max_paths, caps.MAX_GRAPH_PATHS)
            found = search.between(first, last, max_hops=hops, max_paths=count)
            over = {node: None for path in found for edge in path.edges for node in (edge.src, edge.dst)}
            start_shown, end_shown = view.projections([first, last], snippets=snippets)
            nodes = view.projections(over, snippets=snippets)
        return Paths((start_shown, end_shown), tuple(nodes), tuple(found), _cut_of(search.late, search.cut), waiting)

    @contextmanager
    def _view(self, filter: Filter) -> Iterator[GraphReader]:
        if self.disabled or self._graph is None:
            raise GraphDisabledError(sentence("The graph is turned off ({}).", "graph_disabled=true"))
        with self._graph.view(filter) as view:
            yield view

    def _catch_up(self) -> int:
        """Add newly stored documents; return how many are not in the graph yet."""
        if self.disabled or self._graph is None:
            return 0
        if 0 < self._graph.count_waiting() <= GRAPH_CATCH_UP_DOCUMENTS:
            self._graph.fill(GRAPH_CATCH_UP_DOCUMENTS)
        return self._graph.count_waiting()


@dataclass(frozen=True, slots=True)
class Resolved:
    """The distinct nodes, and the names without a node in scope."""

    nodes: tuple[Node, ...]
    not_found: tuple[str, ...]


def resolve(
    view: GraphReader, names: Iterable[str], kinds: frozenset[NodeKind] = frozenset(NodeKind), *, library: str
) -> Resolved:
    """Return the nodes for the names in this library. Raises InvalidArgumentError if there are none."""
    asked = list(dict.fromkeys(name.strip() for name in names))
    places = _places(view, asked, library)
    held = view.held({node for node in places.values() if node.kind in kinds})
    same = view.namesakes([node for node in held if node.kind is NodeKind.ENTITY and node.section < 0])
    is_wanted = NodeKind.ENTITY in kinds
    others = [name for name in asked if name not in places and is_wanted and len(name) <= caps.MAX_ENTITY_NAME_CHARS]
    meant = view.entities_meant(others)
    nodes: dict[Node, None] = {}
    missing: list[str] = []
    for name in asked:
        place = places.get(name)
        found = meant.get(name, []) if place is None else same.get(place, [place]) if place in held else []
        nodes.update(dict.fromkeys(found))
        if not found:
            missing.append(name)
    if not nodes:
        shown = ", ".join(repr(name[: caps.MAX_ARGUMENT_CHARS_SHOWN]) for name in missing[: caps.MAX_URLS_PER_CALL])
        raise InvalidArgumentError(
            sentence("Not found in the graph or in this scope: {}.", shown) if shown else sentence("No node is given."),
            hint="Pass ids of graph results (d12, s12.3, e345), a section_id or passage_id of kb.search, an entity, or the "
            "URL of an indexed page. Index other pages first (ingest).",
        )
    return Resolved(tuple(nodes), tuple(missing))


class Cursors:
    """Signs cursors with a key of this process, so they become invalid when the program ends."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(KEY_BYTES)

    def after(self, step: Step, question: str) -> str:
        """Return a cursor that continues after the step."""
        text = f"{step.hop} {step.score!r} {step.node}".encode()
        return base64.urlsafe_b64encode(self._mac(text, question) + text).decode().rstrip("=")

    def place(self, cursor: str, question: str) -> tuple[int, float, Node]:
        """Return the position after which the next page begins. Raises InvalidArgumentError for a cursor of another question."""
        try:
            raw = base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        except (binascii.Error, ValueError):
            raise _unknown_cursor() from None
        mac, text = raw[:MAC_BYTES], raw[MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(text, question)):
            raise _unknown_cursor()
        hop, score, name = text.decode().split(" ")
        node = node_of(name)
        assert node is not None
        return int(hop), -float(score), node

    def _mac(self, text: bytes, question: str) -> bytes:
        return hmac.digest(self._key, hashlib.sha256(question.encode("utf-8", "replace")).digest() + text, "sha256")[
            :MAC_BYTES
        ]


def _places(view: GraphReader, names: Iterable[str], library: str) -> dict[str, Node]:
    """Return, by name, the node with this id, the section of a chunk, or the document at an address."""
    found = {name: node for name in names if (node := node_of(name)) is not None}
    chunks = {name: int(name) for name in names if name.isascii() and name.isdigit() and len(name) <= MAX_ID_DIGITS}
    addresses: dict[str, tuple[str, str]] = {}
    for name in names:
        if (page := PAGE_ADDRESS.fullmatch(name)) is not None:
            if (page["library"] or PRIVATE) == library:
                found[name] = document_node(int(page["id"]))
        elif "://" in name:
            address, _, anchor = name.partition("#")
            with suppress(InvalidURLError):
                addresses[name] = normalise_url(address) if address.startswith("http") else address, anchor
    begins = view.places_of_chunks(chunks.values())
    sections = view.sections_at({place for place in addresses.values() if place[1]})
    # Pages from a browser can differ only by their fragments.
    documents = view.documents_at({address for address, _ in addresses.values()} | addresses.keys())
    found |= {name: begins[chunk_id] for name, chunk_id in chunks.items() if chunk_id in begins}
    for name, place in addresses.items():
        if (node := documents.get(name) or sections.get(place) or documents.get(place[0])) is not None:
            found[name] = node
    return found


def _unknown_cursor() -> InvalidArgumentError:
    return InvalidArgumentError(
        sentence("The cursor belongs to a different call."),
        hint="Repeat the call with the same arguments, or without the cursor.",
    )


def _choose_edges(edges: Iterable[Edge], nodes: Mapping[Node, int], earlier: Mapping[Node, int]) -> list[Edge]:
    """Return GRAPH_EDGES_SHOWN edges of each node to known nodes: back to the start first, then the strongest."""
    hops = {**nodes, **earlier}
    of_node: dict[Node, list[tuple[int, Edge]]] = {node: [] for node in nodes}
    for edge in sorted(edges, key=lambda edge: -WORTH[edge.type] * edge.weight):
        for node, other in ((edge.src, edge.dst), (edge.dst, edge.src)):
            if node in of_node and other in hops:
                of_node[node].append((hops[other], edge))
    nearest = (sorted(of_node[node], key=lambda pair: pair[0])[:GRAPH_EDGES_SHOWN] for node in nodes)
    return list(dict.fromkeys(edge for pairs in nearest for _, edge in pairs))


def _cut_of(late: bool, cut: bool, *, is_full: bool = False) -> Cut:
    if late:
        return Cut.DEADLINE
    if is_full:
        return Cut.PAGE_SIZE
    return Cut.FAN_OUT if cut else Cut.NONE
