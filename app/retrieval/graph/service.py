"""The graph as tools ask it: described, walked, searched for paths; every answer bounded, and within the scope given."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

from app import caps
from app.corpus import Corpus
from app.corpus.graph.records import Direction, EdgeType, Node, NodeKind
from app.corpus.graph.view import ALL_TYPES, GraphView
from app.corpus.records import Filter
from app.errors import GraphDisabledError, InvalidArgumentError
from app.retrieval.graph import listing
from app.retrieval.graph.cursors import Cursors
from app.retrieval.graph.paging import PageWanted, page_of
from app.retrieval.graph.paths import PathSearch
from app.retrieval.graph.records import EVERYTHING, Cut, Description, Neighbourhood, PageAsked, Paths
from app.retrieval.graph.resolving import resolve
from app.retrieval.graph.walking import Deadline, Walk, walk

FIRST_PAGE: Final = PageAsked()
PLACES: Final = frozenset({NodeKind.DOCUMENT, NodeKind.SECTION})
ENTITIES: Final = frozenset({NodeKind.ENTITY})

Lister = Callable[[GraphView, Sequence[Node]], Walk]


class CorpusGraph:
    """Nodes are named by id (`d12`, `s12.3`, `e345`), by the section_id of a search result, by URL, or by the name of an entity.

    All methods raise InvalidArgumentError when nothing named is in the graph and in scope, and GraphDisabledError while the graph
    is switched off; `describe` without names says that it is.
    """

    def __init__(self, corpus: Corpus, *, enabled: bool = True, seconds: float = caps.GRAPH_SECONDS) -> None:
        self._corpus = corpus
        self._seconds = seconds
        self._cursors = Cursors()
        self.disabled = not enabled

    async def describe(
        self, names: Sequence[str] = (), *, filter: Filter = EVERYTHING, snippets: bool = False
    ) -> Description:
        """What the names stand for; without any, how large the graph is."""
        if self.disabled and not names:
            return Description(disabled=True)
        return await asyncio.to_thread(self._describe, names, filter, snippets)

    async def expand(
        self,
        names: Sequence[str],
        *,
        types: Collection[EdgeType] = ALL_TYPES,
        direction: Direction = Direction.BOTH,
        max_hops: int = 1,
        asked: PageAsked = FIRST_PAGE,
    ) -> Neighbourhood:
        """What hangs on the nodes within `max_hops`, nearest and strongest first."""
        deadline = Deadline(self._seconds)
        hops = max(1, min(max_hops, caps.MAX_GRAPH_HOPS))
        step = partial(walk, types=frozenset(types), direction=direction, max_hops=hops, deadline=deadline)
        question = f"expand {sorted(types)} {direction} {hops}"
        return await self._page(step, names, frozenset(NodeKind), question, asked)

    async def parents(self, name: str, asked: PageAsked = FIRST_PAGE) -> Neighbourhood:
        """The sections above a section and its document; documents that link to a document; sections that name an entity."""
        return await self._page(
            lambda view, nodes: listing.parents(view, nodes[0]),
            [name],
            frozenset(NodeKind),
            "parents",
            asked,
        )

    async def children(self, name: str, asked: PageAsked = FIRST_PAGE) -> Neighbourhood:
        """The sections right below a document or section; the names right below a qualified name."""
        return await self._page(
            lambda view, nodes: listing.children(view, nodes[0]),
            [name],
            frozenset(NodeKind),
            "children",
            asked,
        )

    async def entities_for_sections(self, names: Sequence[str], asked: PageAsked = FIRST_PAGE) -> Neighbourhood:
        """What the sections or documents name."""
        return await self._page(listing.entities_of, names, PLACES, "entities", asked)

    async def sections_for_entities(self, names: Sequence[str], asked: PageAsked = FIRST_PAGE) -> Neighbourhood:
        """The sections that name the entities."""
        return await self._page(listing.sections_of, names, ENTITIES, "sections", asked)

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
        """The best paths between two nodes, all of one hop before those of two."""
        return await asyncio.to_thread(self._paths, start, end, max_hops, max_paths, filter, snippets)

    async def _page(
        self,
        lister: Lister,
        names: Sequence[str],
        kinds: frozenset[NodeKind],
        question: str,
        asked: PageAsked,
    ) -> Neighbourhood:
        size = max(1, min(asked.page_size, caps.MAX_GRAPH_PAGE))
        wanted = PageWanted(f"{question} {sorted(names)} {asked.filter}", size, asked.cursor, asked.snippets)
        return await asyncio.to_thread(self._listed, lister, names, kinds, wanted, asked.filter)

    def _listed(
        self, lister: Lister, names: Sequence[str], kinds: frozenset[NodeKind], wanted: PageWanted, filter: Filter
    ) -> Neighbourhood:
        waiting = self._catch_up()
        with self._view(filter) as view:
            resolved = resolve(view, names, kinds)
            return page_of(view, resolved, lister(view, resolved.nodes), wanted, self._cursors, waiting)

    def _describe(self, names: Sequence[str], filter: Filter, snippets: bool) -> Description:
        self._catch_up()
        with self._view(filter) as view:
            if not names:
                return Description(counts=view.counts())
            resolved = resolve(view, names)
            return Description(tuple(view.projections(resolved.nodes, snippets=snippets)), resolved.not_found)

    def _paths(self, start: str, end: str, max_hops: int, max_paths: int, filter: Filter, snippets: bool) -> Paths:
        waiting = self._catch_up()
        with self._view(filter) as view:
            first, last = resolve(view, [start]).nodes[0], resolve(view, [end]).nodes[0]
            if first == last:
                raise InvalidArgumentError("Both ends of the path are the same node.", hint="Name two different nodes.")
            search = PathSearch(view, Deadline(self._seconds))
            hops, count = min(max_hops, caps.MAX_GRAPH_HOPS), min(max_paths, caps.MAX_GRAPH_PATHS)
            found = search.between(first, last, max_hops=hops, max_paths=count)
            over = {node: None for path in found for edge in path.edges for node in (edge.src, edge.dst)}
            ends = view.projections([first, last], snippets=snippets)
            nodes = view.projections(over, snippets=snippets)
        return Paths((ends[0], ends[1]), tuple(nodes), tuple(found), _why(search), waiting)

    @contextmanager
    def _view(self, filter: Filter) -> Iterator[GraphView]:
        if self.disabled:
            raise GraphDisabledError("The graph is switched off (graph_disabled=true).")
        with self._corpus.graph(filter) as view:
            yield view

    def _catch_up(self) -> int:
        """Take in what was stored just now; returns how many documents are not in the graph yet."""
        if not self.disabled and 0 < self._corpus.count_graph_waiting() <= caps.GRAPH_CATCH_UP_DOCUMENTS:
            self._corpus.fill_graph(caps.GRAPH_CATCH_UP_DOCUMENTS)
        return self._corpus.count_graph_waiting()


def _why(search: PathSearch) -> Cut:
    if search.late:
        return Cut.DEADLINE
    return Cut.FAN_OUT if search.cut else Cut.NONE
