"""Stores agree on the whole graph: every node of the same pages has the same edges and looks the same, in every scope."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.corpus import Corpus
from app.library.graph_records import ALL_TYPES, EdgeType, Node, NodeKind, document_node, place_node
from app.library.protocol import GraphReader, LibraryWriter
from app.library.scope import EVERYTHING, Filter
from tests.corpus.builders import DIMENSION, MODEL
from tests.support.graph import PAGES, SITE, store_manuals

OTHER = "https://wasps.example/nest/"
FAR = "https://far.example/away/"
MORE = {
    "hives.html": f"# Hive of wasps\n\nA `Hive` of paper; `winter_weight` is small. See [frames]({FAR}frames.html).\n",
    "smoke.html": "# Smoke\n\nUse `Smoker`, not `bees.Frame`.\n\n## wasps.Smoker {#wasps.Smoker}\n\n`drone_comb` too.\n",
}
AWAY = {
    "frames.html": "# Frames\n\n`winter_weight` and `drone_comb` are here, beside `Smoker`.\n\n## Varroa mites\n\nText.\n"
}
SCOPES = {
    "all": EVERYTHING,
    "site": Filter(url_prefix=SITE),
    "pages": Filter(urls=(SITE + "mites.html", OTHER + "smoke.html")),
}
LIMIT = 40


def fill(library: LibraryWriter) -> dict[str, int]:
    """The pages of three sites, of which one links to another; the ids by address."""
    many = {f"page{number}.html": f"# Page {number}\n\n[hives](hives.html)\n" for number in range(12)}
    index = {"index.html": "# All\n\n" + " ".join(f"[page](page{number}.html)" for number in range(12)) + "\n"}
    found: dict[str, int] = {}
    for site, pages in ((SITE, {**PAGES, **many, **index}), (OTHER, MORE), (FAR, AWAY)):
        found |= {site + name: number for name, number in store_manuals(library, pages, site).items()}
    return found


@pytest.fixture(scope="module")
def ids(opened: LibraryWriter) -> dict[str, int]:
    return fill(opened)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Corpus, dict[str, int]]]:
    corpus = Corpus.open(tmp_path_factory.mktemp("graph") / "corpus.db", dimension=DIMENSION, model=MODEL)
    yield corpus, fill(corpus)
    corpus.close()


def described(library: LibraryWriter, ids: dict[str, int], within: Filter) -> dict[str, Any]:
    """All that a view tells of every node that it leads to, in names that mean the same in every store."""
    urls = {number: url for url, number in ids.items()}
    with library.graph.view(within) as view:
        nodes = _reached(view, [document_node(number) for number in ids.values()])
        named = view.names_of([node for node in nodes if node.kind is NodeKind.ENTITY])

        def name(node: Node) -> str:
            if node.kind is NodeKind.ENTITY:
                title = named.get(node) or view.names_of([node])[node]
                return f"{title.casefold()} at {urls.get(node.section, '')}"
            return f"{urls[node.number]} {node.section}"

        found: dict[str, Any] = {}
        for node, near in zip(nodes, view.neighbours(nodes, limit=LIMIT), strict=True):
            edges = sorted((e.type.value, name(e.src), name(e.dst), round(e.weight, 6), e.note) for e in near.edges)
            found[name(node)] = (edges, near.cut)
        for each in view.projections(nodes, snippets=True):
            shown = (each.title.casefold(), each.uri, each.doc_tag, each.degree, each.snippet)
            found[name(each.node)] += shown
        for what, values in (("often", view.frequencies(nodes)), ("linked", view.linked_shares(nodes))):
            found |= {f"{what} {name(node)}": value for node, value in values.items()}
        words = ["Hive", "hive", "winter_weight", "WINTER-WEIGHT", "Smoker", "open", "varroa mite", "nothing", "\0"]
        meant = view.entities_meant(words)
        found |= {f"meant {word}": sorted(map(name, meant[word])) for word in words}
        bare = {node: Node(NodeKind.ENTITY, node.number) for node in named}
        same = view.namesakes(bare.values())
        found |= {f"same {name(node)}": sorted(map(name, same[bare[node]])) for node in bare}
        ordered = sorted(nodes, key=name)
        pairs = [(one, two) for one in ordered[::5] for two in ordered[::7]]
        near_by = view.are_near(pairs)
        found["near"] = sorted(
            (*sorted((name(a), name(b))), is_so) for (a, b), is_so in zip(pairs, near_by, strict=True)
        )
        found["held"] = sorted(map(name, view.held([*nodes, document_node(2**40), place_node(2, 99)])))
        found["counts"] = view.counts()
        ways = list(view.ways(nodes).values())
        found["ways"] = len(set(ways)), len(ways)
    return found


def _reached(view: GraphReader, starts: list[Node]) -> list[Node]:
    seen: dict[Node, None] = dict.fromkeys(node for node in starts if node in view.held(starts))
    new = list(seen)
    while new:
        edges = [edge for near in view.neighbours(new, limit=LIMIT) for edge in near.edges]
        found = dict.fromkeys(node for edge in edges for node in (edge.src, edge.dst) if node not in seen)
        seen |= found
        new = list(found)
    return list(seen)


@pytest.mark.parametrize("within", SCOPES)
def test_the_whole_graph_is_the_same(
    opened: LibraryWriter, ids: dict[str, int], reference: tuple[Corpus, dict[str, int]], within: str
) -> None:
    expected, given = described(*reference, SCOPES[within]), described(opened, ids, SCOPES[within])
    differing = {name: (given.get(name), value) for name, value in expected.items() if given.get(name) != value}
    assert differing == {}
    assert given.keys() == expected.keys()
    kinds = {edge[0] for name, value in given.items() if isinstance(value, tuple) for edge in _edges(value)}
    assert kinds == {each.value for each in ALL_TYPES} or within == "pages"


def _edges(value: tuple[Any, ...]) -> list[tuple[str, ...]]:
    return value[0] if isinstance(value[0], list) else []


@pytest.mark.parametrize("type_", [EdgeType.CO_OCCURS, EdgeType.MENTIONS, EdgeType.LINKS_TO])
def test_what_is_cut_off_is_said(opened: LibraryWriter, ids: dict[str, int], type_: EdgeType) -> None:
    with opened.graph.view(EVERYTHING) as view:
        [hive] = view.entities_meant(["bees.Hive"])["bees.Hive"]
        starts = [hive, document_node(ids[SITE + "index.html"]), place_node(ids[SITE + "hives.html"], 0)]
        found = [near for near in view.neighbours(starts, types={type_}, limit=1) if near.edges]
        assert all(len(near.edges) == 1 for near in found)
        assert any(near.cut for near in found)


def test_how_often_a_view_asks_does_not_grow_with_the_nodes(
    opened: LibraryWriter, ids: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.pg.library import PgLibrary
    from app.pg.scopes import Reading

    if not isinstance(opened, PgLibrary):
        assert opened.name == "private"
        return
    asked = 0
    rows: Callable[..., Any] = Reading.rows

    async def counted(self: Reading, query: str, *values: object) -> Any:
        nonlocal asked
        asked += 1
        return await rows(self, query, *values)

    monkeypatch.setattr(Reading, "rows", counted)
    with opened.graph.view(EVERYTHING) as view:
        nodes = _reached(view, [document_node(number) for number in ids.values()])
        assert len(nodes) > 60
        for call, most in (
            (lambda: list(view.neighbours(nodes, limit=9)), 20),
            (lambda: view.projections(nodes, snippets=True), 6),
            (lambda: view.held(nodes), 5),
            (lambda: view.frequencies(nodes), 5),
            (lambda: view.linked_shares(nodes), 1),
        ):
            asked = 0
            call()
            assert asked <= most
