"""The graph over stored documents: edges, scopes, and deletion."""

from __future__ import annotations

import pytest

from app.corpus import Corpus
from app.library.graph_records import Direction, EdgeType, Node, document_node, place_node
from app.library.protocol import GraphReader
from app.library.scope import EVERYTHING, Filter
from tests.support.graph import SITE, store_manuals

CELLS = [
    (0, EdgeType.CONTAINS, Direction.OUT, {"class bees.Hive", "Smoker"}),
    (1, EdgeType.CONTAINS, Direction.OUT, {"bees.Hive.open()"}),
    (1, EdgeType.CONTAINS, Direction.IN, {"Choosing a hive"}),
    (1, EdgeType.NEXT, Direction.BOTH, {"Choosing a hive", "bees.Hive.open()"}),
    (3, EdgeType.NEXT, Direction.OUT, set()),
    (0, EdgeType.LINKS_TO, Direction.OUT, {"Varroa mites", "class bees.Frame"}),
    (3, EdgeType.LINKS_TO, Direction.IN, {"Varroa mites"}),
]


@pytest.fixture
def ids(corpus: Corpus) -> dict[str, int]:
    """The manuals by name, with their mentions."""
    return store_manuals(corpus)


def titles(view: GraphReader, node: Node, type_: EdgeType, direction: Direction) -> set[str]:
    [found] = view.neighbours([node], types={type_}, direction=direction, limit=50)
    return {each.title for each in view.projections([edge.other(node) for edge in found.edges])}


@pytest.mark.parametrize(("place", "type_", "direction", "expected"), CELLS)
def test_sections_are_connected_by_headings_and_links(
    corpus: Corpus, ids: dict[str, int], place: int, type_: EdgeType, direction: Direction, expected: set[str]
) -> None:
    with corpus.graph.view(EVERYTHING) as view:
        assert titles(view, place_node(ids["hives.html"], place), type_, direction) >= expected
        if not expected:
            assert titles(view, place_node(ids["hives.html"], place), type_, direction) == set()


def test_documents_and_sections_are_found_by_their_addresses(corpus: Corpus, ids: dict[str, int]) -> None:
    with corpus.graph.view(EVERYTHING) as view:
        page = SITE + "mites.html"
        assert view.documents_at([page, SITE + "nothing.html"]) == {page: document_node(ids["mites.html"])}
        found = view.sections_at([(page, "varroa"), (page, "nothing"), (SITE + "nothing.html", "varroa")])
        assert found.keys() == {(page, "varroa")}
        varroa = found[page, "varroa"]
        assert view.held([varroa, document_node(2**40)]) == {varroa}


def test_chunks_lead_to_their_sections(corpus: Corpus, ids: dict[str, int]) -> None:
    chunks = corpus.chunks.of_document(ids["frames.html"], limit=9)
    with corpus.graph.view(EVERYTHING) as view:
        places = view.places_of_chunks([*(chunk.id for chunk in chunks), 2**40])
        assert places.keys() == {chunk.id for chunk in chunks}
        titles = [each.title for each in view.projections(places[chunk.id] for chunk in chunks)]
        assert titles == [chunk.section_path[0] for chunk in chunks]


def test_case_and_number_of_terms_do_not_matter(corpus: Corpus, ids: dict[str, int]) -> None:
    with corpus.graph.view(EVERYTHING) as view:
        meant = view.entities_meant(["VARROA MITES", "varroa mite", "no such thing"])
        [varroa] = meant["VARROA MITES"]
        assert meant["varroa mite"] == [varroa]
        assert not meant["no such thing"]
        assert view.names_of([varroa])[varroa]
        assert view.frequencies([varroa])[varroa] > 1


def test_nothing_out_of_scope_is_shown(corpus: Corpus, ids: dict[str, int]) -> None:
    with corpus.graph.view(Filter(document_ids=(ids["mites.html"],))) as view:
        assert view.entities_meant(["winter_weight"]) == {"winter_weight": []}
        assert view.held([document_node(ids["hives.html"])]) == set()
        assert view.documents_at([SITE + "hives.html"]) == {}
        assert view.projections([document_node(ids["hives.html"]), place_node(ids["frames.html"], 0)]) == []
        assert view.counts().documents == 1


def test_entities_are_deleted_with_the_last_document_that_names_them(corpus: Corpus, ids: dict[str, int]) -> None:
    corpus.documents.delete([ids["mites.html"]])
    with corpus.graph.view(EVERYTHING) as view:
        assert view.entities_meant(["drone_comb"])["drone_comb"]
    corpus.documents.delete([ids["frames.html"]])
    with corpus.graph.view(EVERYTHING) as view:
        assert view.entities_meant(["drone_comb"])["drone_comb"] == []
