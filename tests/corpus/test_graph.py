"""The graph over stored documents: edges, scopes, and deletion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.corpus import Corpus
from app.corpus.graph.view import GraphView
from app.library.graph_records import ALL_TYPES, Direction, EdgeType, Node, NodeKind, document_node, node_of, place_node
from app.library.scope import Filter
from app.text.entities import mentions_of
from tests.corpus.builders import DIMENSION, MODEL
from tests.corpus.test_checks import tampered
from tests.support.graph import PAGES, SITE, manual, store_manuals

EVERYTHING = Filter()


def edges(view: GraphView, node: Node, type_: EdgeType, direction: Direction = Direction.BOTH) -> list[tuple[str, str]]:
    """Return the other ends of the edges of a type, by kind and title."""
    found = next(view.neighbours([node], types={type_}, direction=direction, limit=50)).edges
    others = [edge.other(node) for edge in found]
    return [(each.node.kind.value, each.title) for each in view.projections(others)]


def entity(view: GraphView, name: str) -> Node:
    [found] = view.entities_named(name, 1)
    return found


@pytest.mark.parametrize("text", ["d12", "s12.3", "e345"])
def test_node_ids_can_be_parsed(text: str) -> None:
    node = node_of(text)
    assert node is not None and str(node) == text


@pytest.mark.parametrize("text", ["", "d", "d-1", "s12", "x12", "d12 ", "e٣", "d" + "9" * 30])
def test_other_texts_are_not_node_ids(text: str) -> None:
    assert node_of(text) is None


def test_headings_make_a_tree_in_reading_order(corpus: Corpus) -> None:
    hives = store_manuals(corpus)["hives.html"]
    with corpus.graph.view(EVERYTHING) as view:
        top, hive = place_node(hives, 0), place_node(hives, 1)
        assert edges(view, document_node(hives), EdgeType.CONTAINS) == [("section", "Choosing a hive")]
        assert edges(view, top, EdgeType.CONTAINS, Direction.OUT) == [
            ("section", "class bees.Hive"),
            ("section", "Smoker"),
        ]
        assert edges(view, hive, EdgeType.CONTAINS) == [("section", "Choosing a hive"), ("section", "bees.Hive.open()")]
        assert edges(view, hive, EdgeType.NEXT) == [("section", "Choosing a hive"), ("section", "bees.Hive.open()")]


def test_links_lead_to_sections_of_stored_pages_and_back(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    with corpus.graph.view(EVERYTHING) as view:
        top = place_node(ids["hives.html"], 0)
        assert edges(view, top, EdgeType.LINKS_TO, Direction.OUT) == [
            ("section", "Varroa mites"),
            ("section", "class bees.Frame"),
        ]
        [varroa] = view.sections_at([(SITE + "mites.html", "varroa")]).values()
        assert edges(view, varroa, EdgeType.LINKS_TO, Direction.IN) == [("section", "Choosing a hive")]
        [linking] = view.neighbours(
            [document_node(ids["hives.html"])], types={EdgeType.LINKS_TO}, direction=Direction.IN, limit=9
        )
        assert {(edge.src.number, edge.note) for edge in linking.edges} == {
            (ids["frames.html"], "choosing a hive"),
            (ids["mites.html"], "back"),
        }


def test_sections_name_and_define_entities(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    with corpus.graph.view(EVERYTHING) as view:
        hive = entity(view, "bees.Hive")
        [near] = view.neighbours([hive], direction=Direction.IN, types={EdgeType.DEFINES, EdgeType.MENTIONS}, limit=9)
        found = near.edges
        assert (str(found[0].src), found[0].type.value) == (f"s{ids['hives.html']}.1", "defines")
        assert {str(edge.src) for edge in found[1:]} >= {f"s{ids['hives.html']}.3", f"s{ids['frames.html']}.1"}
        assert edges(view, hive, EdgeType.CONTAINS, Direction.OUT) == [("entity", "bees.Hive.open")]
        assert ("entity", "Bees.hive") in edges(view, hive, EdgeType.SAME_AS)
        assert ("entity", "bees.Frame") in edges(view, hive, EdgeType.CO_OCCURS)


def test_case_and_number_of_terms_do_not_matter(corpus: Corpus) -> None:
    store_manuals(corpus)
    with corpus.graph.view(EVERYTHING) as view:
        varroa = entity(view, "VARROA MITES")
        assert len(edges(view, varroa, EdgeType.DEFINES)) == 2
        assert entity(view, "varroa mite") == varroa


def test_a_bare_name_means_a_qualified_one_only_if_unambiguous(corpus: Corpus) -> None:
    store_manuals(
        corpus,
        {"a.html": "# Smoke\n\nUse `Smoker`.\n", "b.html": "# Tools\n\n## bees.Smoker {#bees.Smoker}\n\nText.\n"},
    )
    with corpus.graph.view(EVERYTHING) as view:
        assert edges(view, entity(view, "Smoker"), EdgeType.SAME_AS) == [("entity", "bees.Smoker")]
    store_manuals(corpus, {"c.html": "# More tools\n\n## wasps.Smoker {#wasps.Smoker}\n\nText.\n"})
    with corpus.graph.view(EVERYTHING) as view:
        assert edges(view, entity(view, "Smoker"), EdgeType.SAME_AS) == []


def test_nothing_out_of_scope_is_returned(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    with corpus.graph.view(Filter(document_ids=(ids["mites.html"],))) as view:
        [varroa] = view.sections_at([(SITE + "mites.html", "varroa")]).values()
        seen = {edge.other(varroa) for near in view.neighbours([varroa], limit=50) for edge in near.edges}
        reached = [*seen]
        for node, near in zip(reached, view.neighbours(reached, limit=50), strict=True):
            seen |= {edge.other(node) for edge in near.edges}
        assert {node.number for node in seen if node.kind is not NodeKind.ENTITY} == {ids["mites.html"]}
        assert view.entities_named("winter_weight", 9) == []
        assert view.held([varroa, document_node(ids["hives.html"])]) == {varroa}
        assert view.projections([document_node(ids["hives.html"]), place_node(ids["frames.html"], 0)]) == []
        comb = view.projections([entity(view, "drone_comb")])[0]
        assert (comb.degree, comb.uri) == (1, SITE + "mites.html#varroa")
    with corpus.graph.view(Filter(document_ids=(ids["frames.html"],))) as view:
        assert view.projections([varroa]) == []


def test_a_projection_contains_title_address_tag_and_first_words(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    with corpus.graph.view(EVERYTHING) as view:
        nodes = [document_node(ids["hives.html"]), place_node(ids["hives.html"], 1), entity(view, "winter_weight")]
        page, section, name = view.projections(nodes, snippets=True)
    assert (page.title, page.uri, page.doc_tag) == ("Choosing a hive", SITE + "hives.html", "docs.example.org/3")
    assert (section.title, section.uri) == ("class bees.Hive", SITE + "hives.html#bees.Hive")
    assert section.snippet == "Takes `bees.Frame` objects; `winter_weight` says how heavy it is."
    assert (name.title, name.degree) == ("winter_weight", 2)
    assert "winter_weight" in name.snippet


def test_chunks_lead_to_their_sections(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    with corpus.graph.view(EVERYTHING) as view:
        chunks = {chunk.id: chunk for chunk in corpus.chunks.of_document(ids["hives.html"], limit=9)}
        places = view.places_of_chunks([*chunks, 10**9])
        assert places.keys() == chunks.keys()
        titles = [each.title for each in view.projections(places.values())]
        assert titles == [chunk.section_path[0] for chunk in chunks.values()]


def test_a_document_stored_again_keeps_the_ids_of_its_entities(corpus: Corpus) -> None:
    store_manuals(corpus)
    with corpus.graph.view(EVERYTHING) as view:
        before = entity(view, "winter_weight")
    corpus.documents.store(manual(SITE + "hives.html", PAGES["hives.html"].replace("Opens the hive.", "Use `smoke`.")))
    assert corpus.graph.count_waiting() == 1
    assert corpus.graph.fill(9) == 1
    with corpus.graph.view(EVERYTHING) as view:
        assert entity(view, "winter_weight") == before
        assert view.entities_named("smoke", 1)


def test_entities_are_deleted_with_the_last_document_that_names_them(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    corpus.documents.delete([ids["hives.html"]])
    with corpus.graph.view(EVERYTHING) as view:
        assert view.entities_named("bees.Hive.open", 1) == []
        assert view.entities_named("winter_weight", 1)
    for name in ("frames.html", "mites.html"):
        corpus.documents.delete([ids[name]])
    with corpus.graph.view(EVERYTHING) as view:
        counts = view.counts()
        assert not counts.documents + counts.symbols + counts.terms
    assert not corpus.graph.has_entities()


def test_a_document_deleted_during_extraction_gets_no_mentions(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    document_id = corpus.documents.store(manual(SITE + "hives.html", PAGES["hives.html"])).document_id

    def slowly(*parts: Any) -> Any:
        corpus.documents.delete([document_id])
        return mentions_of(*parts)

    monkeypatch.setattr("app.corpus.graph.store.mentions_of", slowly)
    assert corpus.graph.fill(1) == 1
    assert not corpus.graph.has_entities()


def test_a_document_that_cannot_be_analyzed_does_not_stop_later_ones(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("mites.html", "hives.html"):
        corpus.documents.store(manual(SITE + name, PAGES[name]))

    def failing(title: str, text: str, *parts: Any) -> Any:
        if "Opens the hive." not in text:
            raise IndexError("out of range")
        return mentions_of(title, text, *parts)

    monkeypatch.setattr("app.corpus.graph.store.mentions_of", failing)
    assert corpus.graph.fill(1) == corpus.graph.fill(1) == 1
    assert not corpus.graph.count_waiting()
    with corpus.graph.view(EVERYTHING) as view:
        assert view.entities_named("bees.Hive.open", 1)


def test_counts_respect_the_scope(corpus: Corpus) -> None:
    ids = store_manuals(corpus)
    with corpus.graph.view(EVERYTHING) as view:
        everything = view.counts()
    with corpus.graph.view(Filter(document_ids=(ids["mites.html"],))) as view:
        one = view.counts()
    assert (everything.documents, everything.sections, everything.waiting) == (3, 9, 0)
    assert (one.documents, one.sections, one.edges[EdgeType.NEXT], one.edges[EdgeType.LINKS_TO]) == (1, 2, 1, 2)
    assert 0 < one.symbols < everything.symbols


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_the_number_of_edges_per_type_is_limited(corpus: Corpus, limit: int) -> None:
    ids = store_manuals(corpus)
    with corpus.graph.view(EVERYTHING) as view:
        for node in (place_node(ids["hives.html"], 0), document_node(ids["frames.html"]), entity(view, "bees.Hive")):
            for type_ in ALL_TYPES:
                for direction in (Direction.IN, Direction.OUT):
                    [found] = view.neighbours([node], types={type_}, direction=direction, limit=limit)
                    [every] = view.neighbours([node], types={type_}, direction=direction, limit=99)
                    assert len(found.edges) <= limit
                    assert found.cut == (len(every.edges) > limit)


def test_the_rows_examined_per_step_are_limited(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.graph.places.GRAPH_SCAN_ROWS", 2)
    store_manuals(corpus)
    with corpus.graph.view(EVERYTHING) as view:
        [near] = view.neighbours([entity(view, "bees.Hive")], types={EdgeType.MENTIONS, EdgeType.DEFINES}, limit=50)
        assert len(near.edges) == 2


@pytest.mark.parametrize(
    ("statement", "check", "detail"),
    [
        (
            "INSERT INTO entities(kind, name, folded) VALUES('term', 'x', 'x')",
            "agreement",
            "entities without mentions",
        ),
        ("UPDATE mentions SET section = 99 WHERE section = 2", "agreement", "mentions in sections that do not exist"),
        (
            "DELETE FROM entities WHERE name = 'winter_weight'",
            "references",
            "mentions refers to a missing row of entities",
        ),
        ("UPDATE entities SET kind = 'thing' WHERE name = 'winter_weight'", "jobs", "is 'thing'"),
    ],
)
def test_verify_finds_damage_to_the_graph(path: Path, statement: str, check: str, detail: str) -> None:
    corpus = Corpus.open(path, dimension=DIMENSION, model=MODEL)
    store_manuals(corpus)
    assert corpus.verify() == []
    tampered(path, statement)
    assert any(problem.check == check and detail in problem.detail for problem in corpus.verify())
    corpus.close()
