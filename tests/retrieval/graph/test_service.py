"""The graph for the tools, with stored documents."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.corpus import Corpus
from app.errors import GraphDisabledError, InvalidArgumentError
from app.library.graph_records import (
    MAX_SITES_OF_NAME,
    MAX_SNIPPET_CHARS,
    Cut,
    Direction,
    EdgeType,
    Neighbourhood,
    NodeKind,
    PageAsked,
)
from app.library.scope import Filter
from app.retrieval.graph.service import CorpusGraph
from tests.support.graph import PAGES, SITE, manual, store_manuals


@pytest.fixture
def ids(corpus: Corpus) -> dict[str, int]:
    return store_manuals(corpus)


@pytest.fixture
def graph(corpus: Corpus, ids: dict[str, int]) -> CorpusGraph:
    return CorpusGraph(corpus)


def titles(found: Neighbourhood) -> list[str]:
    return [each.projection.title for each in found.reached]


async def walked(graph: CorpusGraph, size: int, **more: object) -> list[str]:
    """Return the ids of all pages of a walk, following the cursors."""
    found = await graph.expand([SITE + "hives.html"], asked=PageAsked(page_size=size), **more)  # type: ignore[arg-type]
    seen = [str(each.projection.node) for each in found.reached]
    while found.limit_reason is Cut.PAGE_SIZE:
        cursor = found.reached[-1].cursor
        found = await graph.expand([SITE + "hives.html"], asked=PageAsked(page_size=size, cursor=cursor), **more)  # type: ignore[arg-type]
        assert 0 < len(found.reached) <= size
        seen += [str(each.projection.node) for each in found.reached]
    return seen


@pytest.mark.parametrize("spelled", ["{site}hives.html", "d{hives}", "{site}hives.html#nowhere"])
async def test_a_document_is_named_by_id_or_address(graph: CorpusGraph, ids: dict[str, int], spelled: str) -> None:
    name = spelled.format(site=SITE, hives=ids["hives.html"])
    [found] = (await graph.describe([name])).nodes
    assert (found.node.kind, found.title) == (NodeKind.DOCUMENT, "Choosing a hive")


async def test_a_route_from_a_browser_is_named_by_its_whole_address(graph: CorpusGraph, corpus: Corpus) -> None:
    for address in (SITE, SITE + "#/settings"):
        corpus.documents.store(manual(address, f"# Seen at {address}\n\nText.\n"))
    found = await graph.describe([SITE + "#/settings"])
    assert [each.uri for each in found.nodes] == [SITE + "#/settings"]


async def test_a_section_is_named_by_id_address_or_chunk(
    graph: CorpusGraph, corpus: Corpus, ids: dict[str, int]
) -> None:
    chunk = corpus.chunks.of_document(ids["hives.html"], limit=9)[1]
    names = [f"s{ids['hives.html']}.1", SITE + "hives.html#bees.Hive", str(chunk.id)]
    found = await graph.describe(names)
    assert [each.title for each in found.nodes] == ["class bees.Hive"]


@pytest.mark.parametrize("name", ["bees.Hive", "BEES.HIVE", "varroa mites", "Varroa Mite", "Hive"])
async def test_an_entity_is_named_by_its_name(graph: CorpusGraph, name: str) -> None:
    [found] = (await graph.describe([name])).nodes
    assert found.node.kind is NodeKind.ENTITY


async def test_missing_names_are_reported_and_only_missing_ones_are_an_error(graph: CorpusGraph) -> None:
    found = await graph.describe(["bees.Hive", "e999999"])
    assert found.not_found == ("e999999",)
    for name in ("e999999", "s1.99", "d99", "99999", "https://example.org/", "http://[", "no such thing", ""):
        with pytest.raises(InvalidArgumentError, match="Not found in the graph"):
            await graph.describe([name])


@pytest.mark.parametrize("size", [1, 2, 3, 7])
async def test_pages_of_a_walk_make_up_the_walk(graph: CorpusGraph, size: int) -> None:
    whole = await walked(graph, 100, max_hops=2)
    assert len(whole) > 10
    assert await walked(graph, size, max_hops=2) == whole


async def test_a_page_stored_between_two_pages_repeats_nothing(graph: CorpusGraph, corpus: Corpus) -> None:
    start = [SITE + "hives.html"]
    first = await graph.expand(start, asked=PageAsked(3))
    corpus.documents.store(manual(SITE + "new.html", "# New\n\nSee [hives](hives.html).\n"))
    second = await graph.expand(start, asked=PageAsked(100, first.reached[-1].cursor))
    assert not {each.projection.node for each in first.reached} & {each.projection.node for each in second.reached}


async def test_a_cursor_only_works_for_its_own_call(graph: CorpusGraph, corpus: Corpus) -> None:
    found = await graph.expand(["bees.Hive"], asked=PageAsked(1))
    cursor = found.reached[0].cursor
    await graph.expand(["bees.Hive"], asked=PageAsked(5, cursor))
    others = [
        graph.expand(["bees.Frame"], asked=PageAsked(cursor=cursor)),
        graph.expand(["bees.Hive"], asked=PageAsked(cursor=cursor), max_hops=2),
        graph.expand(["bees.Hive"], asked=PageAsked(cursor=cursor, filter=Filter(doc_tags=(("docs.example.org",),)))),
        graph.expand(["bees.Hive"], asked=PageAsked(cursor=cursor[:-2])),
        graph.expand(["bees.Hive"], asked=PageAsked(cursor="ä")),
        graph.children("bees.Hive", PageAsked(cursor=cursor)),
        CorpusGraph(corpus).expand(["bees.Hive"], asked=PageAsked(cursor=cursor)),
    ]
    for other in others:
        with pytest.raises(InvalidArgumentError, match="cursor"):
            await other


async def test_parents_lead_up_to_the_page(graph: CorpusGraph) -> None:
    found = await graph.parents(SITE + "hives.html#bees.Hive.open")
    assert titles(found) == ["class bees.Hive", "Choosing a hive", "Choosing a hive"]
    assert [each.hop for each in found.reached] == [1, 2, 3]
    assert titles(await graph.parents(SITE + "hives.html")) == ["Frames", "Mites"]


async def test_children_come_in_reading_order(graph: CorpusGraph) -> None:
    assert titles(await graph.children(SITE + "hives.html#choosing")) == ["class bees.Hive", "Smoker"]
    assert titles(await graph.children("bees.Hive")) == ["bees.Hive.open"]
    assert titles(await graph.children(SITE + "hives.html#smoker")) == []


async def test_entities_of_sections_and_sections_of_entities(graph: CorpusGraph) -> None:
    found = await graph.entities_for_sections([SITE + "hives.html#bees.Hive", SITE + "frames.html#bees.Frame"])
    assert titles(found)[:2] == ["bees.Hive", "bees.Frame"]
    assert "winter_weight" in titles(found)
    sections = await graph.sections_for_entities(["bees.Hive", "winter_weight"])
    assert titles(sections)[0] == "class bees.Hive"
    with pytest.raises(InvalidArgumentError):
        await graph.entities_for_sections(["bees.Hive"])
    with pytest.raises(InvalidArgumentError):
        await graph.sections_for_entities([SITE + "hives.html"])


async def test_paths_of_one_and_two_hops_are_found(graph: CorpusGraph) -> None:
    direct = await graph.paths(SITE + "frames.html", SITE + "hives.html")
    assert direct.paths[0].edges[0].type is EdgeType.LINKS_TO
    found = await graph.paths(SITE + "frames.html#mite-on-frames", SITE + "mites.html#varroa")
    over = {edge.dst for edge in found.paths[0].edges}
    assert {each.title for each in found.nodes if each.node in over} <= {"drone_comb", "Varroa mite", "Varroa mites"}
    assert len(found.paths[0].edges) == 2
    with pytest.raises(InvalidArgumentError, match="same node"):
        await graph.paths("bees.Hive", "bees.Hive")


async def test_a_walk_from_a_page_looks_beyond_its_own_headings(graph: CorpusGraph, ids: dict[str, int]) -> None:
    found = await graph.expand([SITE + "hives.html"], asked=PageAsked(100))
    kinds = [each.projection.node for each in found.reached]
    own = [place for place, node in enumerate(kinds) if node.document_id == ids["hives.html"]]
    about = [
        kinds.index(edge.dst)
        for edge in found.edges
        if edge.type is EdgeType.DEFINES and edge.src.number == ids["hives.html"]
    ]
    others = [place for place, node in enumerate(kinds) if node.document_id in (ids["frames.html"], ids["mites.html"])]
    assert len(others) == 2 and min(own + about) > max(others)


async def test_each_path_takes_another_route(graph: CorpusGraph, corpus: Corpus) -> None:
    pages = {
        "honey.html": "# Honey\n\nSee [wax](wax.html#two), [again](wax.html), `bee_glue`.\n\n## More honey\n\n[wax](wax.html#two)\n",
        "wax.html": "# Wax\n\n[Honey](honey.html), [honey](honey.html).\n\n## Two {#two}\n\n`bee_glue` [glue](glue.html).\n",
        "glue.html": "# Glue\n\n[honey](honey.html)\n\n## Sticky\n\n[honey](honey.html), [wax](wax.html)\n",
    }
    store_manuals(corpus, pages)
    found = await graph.paths(SITE + "honey.html", SITE + "wax.html", max_paths=20)
    first, last = (each.node for each in found.ends)
    between = [path.edges[0].other(first) for path in found.paths]
    titles = {each.node: each.title for each in found.nodes}
    assert between[0] == last and sorted(titles[node] for node in between[1:]) == ["Glue", "bee_glue"]


@pytest.mark.parametrize(("amount", "place"), [(12, -1), (3, 0)])
async def test_a_page_that_leads_to_its_whole_site_is_the_last_linked_one(
    corpus: Corpus, amount: int, place: int
) -> None:
    names = [f"page{number}.html" for number in range(amount)]
    listed = " ".join(f"[{name}]({name})" for name in names)
    pages = {name: f"# {name}\n\nText.\n" for name in names}
    pages["page1.html"] = "# Page one\n\nSee [page2.html](page2.html).\n"
    pages["index.html"] = f"# Everything\n\n{listed} [page2.html](page2.html) [page2.html](page2.html)\n"
    store_manuals(corpus, pages)
    links = frozenset({EdgeType.LINKS_TO})
    found = await CorpusGraph(corpus).expand([SITE + "page2.html"], types=links)
    assert titles(found)[place] == "Everything" and len(titles(found)) == 2


async def test_a_name_leads_to_its_page_once_and_not_again_over_neighbors(graph: CorpusGraph, corpus: Corpus) -> None:
    page = "# Honey\n\nUse `bee_glue`, `royal_jelly` and `comb_wax`.\n\n## More\n\n`bee_glue`, `royal_jelly`, `comb_wax`.\n"
    store_manuals(corpus, {"honey.html": page})
    found = await graph.paths("bee_glue", SITE + "honey.html", max_paths=20)
    assert [len(path.edges) for path in found.paths] == [1]


async def test_every_node_of_a_walk_is_tied_to_one_that_is_nearer_to_the_start(
    graph: CorpusGraph, corpus: Corpus
) -> None:
    members = [f"hive.{name}" for name in ("open", "close", "lift", "move", "clean", "weigh")]
    listed = "\n\n".join(f"### `{name}`\n\n{' '.join(f'`{each}`' for each in members)}" for name in members)
    store_manuals(corpus, {"members.html": f"# Members\n\n## `hive`\n\nAll.\n\n{listed}\n"})
    found = await graph.expand(["hive"], max_hops=2, asked=PageAsked(100))
    hops = {each.node: 0 for each in found.starts} | {each.projection.node: each.hop for each in found.reached}
    for node, hop in hops.items():
        others = [hops[edge.other(node)] for edge in found.edges if node in (edge.src, edge.dst)]
        assert hop == 0 or min(others) < hop


OTHER = "https://wiki.example.net/bees/"


async def starts_of(graph: CorpusGraph, name: str) -> list[tuple[str, int]]:
    return [(each.doc_tag, each.degree) for each in (await graph.describe([name])).nodes]


async def test_a_name_on_two_sites_is_two_entities(corpus: Corpus) -> None:
    graph = CorpusGraph(corpus)
    page = "# Getting connected\n\nUse `connect` and `socket`.\n\n## Wiring\n\n`connect` again.\n"
    here = store_manuals(corpus, {"a.html": page})
    store_manuals(corpus, {"b.html": page}, site=OTHER)
    assert sorted(await starts_of(graph, "connect")) == [("docs.example.org/3", 2), ("wiki.example.net/bees", 2)]
    assert len(await starts_of(graph, "getting connected")) == 2
    walked = await graph.expand([f"d{here['a.html']}"], max_hops=2, asked=PageAsked(100))
    assert {each.projection.doc_tag for each in walked.reached} == {"docs.example.org/3"}
    assert walked.is_cut is False and {each.hop for each in walked.reached} == {1, 2}
    both = await graph.sections_for_entities(["connect"])
    assert {each.projection.doc_tag for each in both.reached} == {"docs.example.org/3", "wiki.example.net/bees"}
    [one, _] = (await graph.describe(["connect"])).nodes
    places = await graph.sections_for_entities([str(one.node)])
    assert {each.projection.doc_tag for each in places.reached} == {one.doc_tag} and len(places.reached) == one.degree
    described = (await graph.describe([str(one.node), f"e{one.node.number}"])).nodes
    assert described[0].node == one.node and len(described) == 2
    path = await graph.paths("connect", OTHER + "b.html")
    assert path.ends[0].doc_tag == "wiki.example.net/bees" and path.paths


@pytest.mark.parametrize(
    ("site", "page"),
    [
        (OTHER, "# Other\n\n`connect`, as [the manual](https://docs.example.org/3/far.html) says.\n"),
        (OTHER, "# Other\n\n`connect`.\n"),
        ("https://docs.example.org/", "# Start\n\n`connect`.\n"),
    ],
    ids=["it links to the other", "the other links to it", "the same host"],
)
async def test_a_name_on_sites_that_know_each_other_is_one_entity(corpus: Corpus, site: str, page: str) -> None:
    first = f"# Wires\n\nUse `connect`{', see [wiki](https://wiki.example.net/bees/x)' if 'as' not in page else ''}.\n"
    store_manuals(corpus, {"a.html": first})
    store_manuals(corpus, {"b.html": page}, site=site)
    assert [degree for _, degree in await starts_of(CorpusGraph(corpus), "connect")] == [2]


async def test_a_name_is_two_entities_again_once_the_link_between_its_sites_is_gone(corpus: Corpus) -> None:
    graph = CorpusGraph(corpus)
    link = "# Link\n\nSee [the wiki](https://wiki.example.net/bees/b.html).\n"
    here = store_manuals(corpus, {"link.html": link, "a.html": "# Wires\n\nUse `connect`.\n"})
    store_manuals(corpus, {"b.html": "# Wires\n\nUse `connect`.\n"}, site=OTHER)
    assert len(await starts_of(graph, "connect")) == 1
    corpus.documents.delete([here["link.html"]])
    assert len(await starts_of(graph, "connect")) == 2


async def test_a_name_on_more_sites_than_are_compared_leads_to_none_of_the_others(corpus: Corpus) -> None:
    sites = [f"https://docs{number}.example.org/3/" for number in range(MAX_SITES_OF_NAME + 2)]
    stored = [store_manuals(corpus, {"a.html": "# Wires\n\nUse `connect`.\n"}, site=site)["a.html"] for site in sites]
    for page, site in ((stored[0], sites[0]), (stored[-1], sites[-1])):
        walked = await CorpusGraph(corpus).expand([f"d{page}"], max_hops=2, asked=PageAsked(100))
        assert {each.projection.uri.partition("a.html")[0] for each in walked.reached} == {site}


async def test_derived_data_serves_every_view_until_a_write(
    corpus: Corpus, graph: CorpusGraph, ids: dict[str, int]
) -> None:
    def derived() -> object:
        with corpus.graph.view(Filter()) as view:
            return view._scope.derived

    first = derived()
    await graph.expand([f"d{ids['hives.html']}"], max_hops=2)
    assert derived() is first
    corpus.documents.delete([ids["hives.html"]])
    assert derived() is not first


async def test_an_entity_keeps_its_id_on_a_second_site(corpus: Corpus) -> None:
    graph = CorpusGraph(corpus)
    store_manuals(corpus, {"a.html": "# Wires\n\nUse `connect`.\n"})
    [alone] = (await graph.describe(["connect"])).nodes
    store_manuals(corpus, {"b.html": "# Other\n\n`connect`.\n"}, site=OTHER)
    assert [each.node.number for each in (await graph.describe([str(alone.node)])).nodes] == [alone.node.number] * 2
    corpus.documents.store(manual(OTHER + "c.html", "# Other\n\n[manual](https://docs.example.org/3/x)\n"))
    assert len((await graph.describe([str(alone.node)])).nodes) == 1


async def test_other_spellings_and_members_are_those_of_the_same_site(corpus: Corpus) -> None:
    graph = CorpusGraph(corpus)
    store_manuals(
        corpus, {"a.html": "# Use `bees.Hive`\n\n## bees.Hive.open() {#bees.Hive.open}\n\nText `winter_x`.\n"}
    )
    store_manuals(
        corpus, {"b.html": "# Use\n\n`Bees.hive` `WINTER_X`\n\n## bees.Hive.burn() {#bees.Hive.burn}\n"}, OTHER
    )
    assert titles(await graph.children("bees.Hive")) == ["bees.Hive.open"]
    same = await graph.expand(["winter_x"], types=frozenset({EdgeType.SAME_AS}))
    assert titles(same) == []


async def test_a_newly_stored_document_is_in_the_graph(graph: CorpusGraph, corpus: Corpus) -> None:
    corpus.documents.store(manual(SITE + "new.html", "# New\n\nUse `queen_cage`.\n"))
    [found] = (await graph.describe(["queen_cage"])).nodes
    assert found.degree == 1


async def test_many_waiting_documents_are_reported(
    graph: CorpusGraph, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.retrieval.graph.service.GRAPH_CATCH_UP_DOCUMENTS", 1)
    for number in range(3):
        corpus.documents.store(manual(f"{SITE}{number}.html", PAGES["mites.html"]))
    assert (await graph.expand(["bees.Hive"])).waiting == 3


async def test_a_disabled_graph_says_so(corpus: Corpus, ids: dict[str, int]) -> None:
    graph = CorpusGraph(corpus, enabled=False)
    assert (await graph.describe()).disabled
    for call in (graph.describe(["d1"]), graph.expand(["d1"]), graph.paths("d1", "d2"), graph.parents("d1")):
        with pytest.raises(GraphDisabledError):
            await call


async def test_a_walk_that_takes_too_long_returns_what_it_has(corpus: Corpus, ids: dict[str, int]) -> None:
    found = await CorpusGraph(corpus, seconds=-1.0).expand(["bees.Hive"])
    assert (found.limit_reason, found.reached) == (Cut.DEADLINE, ())
    assert [each.title for each in found.starts] == ["bees.Hive"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    scope=st.sets(st.sampled_from(sorted(PAGES)), min_size=1),
    names=st.lists(
        st.sampled_from(["bees.Hive", "winter_weight", "drone_comb", "Varroa mite", *(SITE + page for page in PAGES)]),
        min_size=1,
        max_size=3,
    ),
    hops=st.integers(1, 2),
    direction=st.sampled_from(Direction),
    size=st.integers(1, 30),
)
def test_no_walk_leaves_its_scope_or_its_page(
    graph: CorpusGraph,
    ids: dict[str, int],
    scope: set[str],
    names: list[str],
    hops: int,
    direction: Direction,
    size: int,
) -> None:
    allowed = {ids[page] for page in scope}
    within = Filter(document_ids=tuple(allowed))
    try:
        found = asyncio.run(
            graph.expand(names, max_hops=hops, direction=direction, asked=PageAsked(size, None, within, True))
        )
    except InvalidArgumentError:
        return
    assert len(found.reached) <= size
    shown = [*found.starts, *(each.projection for each in found.reached)]
    addresses = tuple(SITE + page for page in scope)
    assert all(each.uri.startswith(addresses) for each in shown)
    nodes = {each.node for each in shown}
    assert {node.number for node in nodes if node.kind is not NodeKind.ENTITY} <= allowed
    assert all(len(each.snippet) <= MAX_SNIPPET_CHARS for each in shown)
    ends = {end for edge in found.edges for end in (edge.src, edge.dst)}
    assert {end.number for end in ends if end.kind is not NodeKind.ENTITY} <= allowed
