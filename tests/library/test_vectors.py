"""Vectors: waiting chunks, storing, and semantic search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from app.errors import EmbedderError
from app.library.protocol import LibraryWriter
from app.library.records import EmbeddingIn
from app.library.scope import Filter
from tests.corpus.builders import DIMENSION, document, embed, embedding, unit_vectors

BASE = "https://example.org/"


def fill(library: LibraryWriter, documents: int = 4, each: int = 5) -> tuple[list[int], np.ndarray, list[int]]:
    """Return chunk IDs, their vectors and document IDs."""
    ids: list[int] = []
    of: list[int] = []
    for number in range(documents):
        made = document(f"{BASE}{number}", [f"Paragraph {number}.{place}" for place in range(each)])
        outcome = library.documents.store(made)
        ids += outcome.new_chunk_ids
        of.append(outcome.document_id)
    return ids, embed(library, ids), of


def test_hits_are_the_nearest_chunks_with_their_cosines(library: LibraryWriter) -> None:
    ids, vectors, _ = fill(library)
    for query in unit_vectors(5, seed=7):
        cosines = vectors @ query
        hits = library.vectors.nearest(query, k=10)
        assert [hit.chunk_id for hit in hits] == [ids[place] for place in np.argsort(-cosines)][:10]
        assert [hit.score for hit in hits] == pytest.approx(np.sort(cosines)[::-1][:10].tolist(), abs=4e-3)
    assert [hit.chunk_id for hit in library.vectors.nearest(vectors[3], k=1)] == [ids[3]]
    assert len(library.vectors.nearest(vectors[3], k=1000)) == 20


def test_nearly_all_nearest_chunks_are_found_among_many(library: LibraryWriter) -> None:
    ids, vectors, _ = fill(library, 4, 100)
    hit = 0
    for query in unit_vectors(20, seed=8):
        wanted = {ids[place] for place in np.argsort(-(vectors @ query))[:10]}
        hit += len(wanted & {found.chunk_id for found in library.vectors.nearest(query, k=10)})
    assert hit >= 196


def cosines(library: LibraryWriter, vector: np.ndarray, chunk_ids: Sequence[int]) -> dict[int, float]:
    return library.fetch(chunk_ids, vector=vector).cosines


def test_without_vectors_nothing_is_found(library: LibraryWriter) -> None:
    query = unit_vectors(1)[0]
    assert library.vectors.nearest(query, k=9) == []
    ids = library.documents.store(document(BASE, ["Not embedded"])).new_chunk_ids
    assert library.vectors.nearest(query, k=9) == []
    assert cosines(library, query, ids) == {}


@pytest.mark.parametrize("kept", [(0,), (1, 3), (0, 1, 2, 3), ()])
def test_semantic_search_in_a_scope_is_exact_and_complete(library: LibraryWriter, kept: tuple[int, ...]) -> None:
    ids, vectors, documents = fill(library)
    query = unit_vectors(1, seed=7)[0]
    inside = {ids[place] for number in kept for place in range(number * 5, number * 5 + 5)}
    within = Filter(document_ids=tuple(documents[number] for number in kept) or (2**40,))
    hits = [hit.chunk_id for hit in library.vectors.nearest(query, filter=within, k=99)]
    assert hits == [ids[place] for place in np.argsort(-(vectors @ query)) if ids[place] in inside]
    by_url = Filter(urls=tuple(f"{BASE}{number}" for number in kept) or (BASE + "nothing",))
    assert [hit.chunk_id for hit in library.vectors.nearest(query, filter=by_url, k=99)] == hits


def test_semantic_search_follows_every_change(library: LibraryWriter) -> None:
    ids, vectors, documents = fill(library)
    query = unit_vectors(1, seed=7)[0]

    def ranking() -> list[int]:
        return [hit.chunk_id for hit in library.vectors.nearest(query, k=99)]

    library.documents.delete([documents[1]])
    left, kept = [*ids[:5], *ids[10:]], np.delete(vectors, range(5, 10), axis=0)
    assert ranking() == [left[place] for place in np.argsort(-(kept @ query))]
    kept = np.concatenate([kept[:5], embed(library, left[5:], seed=9)])
    assert ranking() == [left[place] for place in np.argsort(-(kept @ query))]


def test_similarities_are_cosines_of_the_given_chunks(library: LibraryWriter) -> None:
    ids, vectors, _ = fill(library)
    [query] = unit_vectors(1, seed=3)
    found = cosines(library, query, [ids[4], 2**40, ids[0]])
    assert found == {
        ids[4]: pytest.approx(vectors[4] @ query, abs=4e-3),
        ids[0]: pytest.approx(vectors[0] @ query, abs=4e-3),
    }
    assert cosines(library, query, []) == {}


@pytest.mark.parametrize(
    "query", [np.full(DIMENSION, np.nan, np.float32), np.ones(32, np.float32)], ids=["nan", "short"]
)
def test_unusable_queries_are_refused(library: LibraryWriter, query: np.ndarray) -> None:
    with pytest.raises(EmbedderError):
        library.vectors.nearest(query, k=3)
    with pytest.raises(EmbedderError):
        cosines(library, query, [1])


# waiting for vectors, and storing them


def test_chunks_wait_until_they_have_a_vector(library: LibraryWriter) -> None:
    first = library.documents.store(document(BASE, ["One", "Two", "Three"], title="Pumps"))
    second = library.documents.store(document(BASE + "2", ["One", "Two"]))
    waiting = library.vectors.waiting(4)
    assert [passage.chunk_id for passage in waiting] == [*first.new_chunk_ids, second.new_chunk_ids[0]]
    passage = waiting[1]
    assert (passage.document_id, passage.title, passage.section_path, passage.text) == (
        *(first.document_id, "Pumps", ("Guide", "Part"), "Head: Two …"),
    )
    assert library.vectors.waiting_ids([second.document_id]) == list(second.new_chunk_ids)
    assert library.vectors.waiting_ids([second.document_id, first.document_id]) == [
        *first.new_chunk_ids,
        *second.new_chunk_ids,
    ]
    assert library.vectors.has_waiting()
    embed(library, [*first.new_chunk_ids[:2], *second.new_chunk_ids])
    assert library.vectors.count_waiting() == 1
    assert [each.chunk_id for each in library.vectors.waiting(9)] == [first.new_chunk_ids[2]]
    asked = [*first.new_chunk_ids, 2**40]
    assert library.vectors.waiting_among(asked) == {first.new_chunk_ids[2]}
    embed(library, first.new_chunk_ids[2:])
    assert (library.vectors.waiting(9), library.vectors.has_waiting()) == ([], False)


def test_given_chunks_and_documents_are_embedded_first(library: LibraryWriter) -> None:
    first = library.documents.store(document(BASE, ["One", "Two"]))
    second = library.documents.store(document(BASE + "2", ["One", "Two"]))
    of_document = library.vectors.waiting(9, document_id=second.document_id)
    assert [each.chunk_id for each in of_document] == list(second.new_chunk_ids)
    named = library.vectors.waiting(9, chunk_ids=[second.new_chunk_ids[1], first.new_chunk_ids[0], 2**40])
    assert [each.chunk_id for each in named] == [first.new_chunk_ids[0], second.new_chunk_ids[1]]
    assert len(library.vectors.waiting(1, document_id=second.document_id)) == 1


def test_token_vectors_are_returned_in_the_requested_order(library: LibraryWriter) -> None:
    ids = library.documents.store(document(BASE, ["One", "Two", "Three"])).new_chunk_ids
    vectors = unit_vectors(2)
    library.vectors.store([embedding(ids[0], vectors[0], tokens=5), embedding(ids[2], vectors[1], tokens=0)])
    found = library.vectors.token_vectors([ids[2], 2**40, ids[1], ids[0]])
    assert [each.chunk_id for each in found] == [ids[2], ids[0]]
    assert found[0].token_bits.shape == (0, DIMENSION // 8)
    assert found[1].token_bits.tolist() == [[ids[0] % 256] * (DIMENSION // 8)] * 5


def test_vectors_of_deleted_chunks_are_skipped(library: LibraryWriter) -> None:
    gone = library.documents.store(document(BASE, ["One", "Two"]))
    library.documents.delete([gone.document_id])
    kept = library.documents.store(document(BASE + "2", ["One", "Two"])).new_chunk_ids
    embed(library, [*gone.new_chunk_ids, *kept])
    assert library.vectors.count_waiting() == 0
    assert library.totals().chunks_embedded == 2


def test_embedding_again_replaces_the_vector(library: LibraryWriter) -> None:
    [chunk_id] = library.documents.store(document(BASE, ["One"])).new_chunk_ids
    embed(library, [chunk_id], seed=1)
    [second] = embed(library, [chunk_id], seed=2)
    assert cosines(library, second, [chunk_id]) == {chunk_id: pytest.approx(1, abs=4e-3)}
    assert [hit.score for hit in library.vectors.nearest(second, k=9)] == [pytest.approx(1, abs=4e-3)]


GOOD = unit_vectors(1)[0]
SIGNS = np.zeros((2, DIMENSION // 8), np.uint8)


@pytest.mark.parametrize(
    ("vector", "signs"),
    [
        (unit_vectors(1, dimension=32)[0], SIGNS),
        (GOOD.reshape(1, -1), SIGNS),
        (np.where(np.arange(DIMENSION) == 3, np.nan, GOOD), SIGNS),
        (np.where(np.arange(DIMENSION) == 3, np.inf, GOOD), SIGNS),
        (np.zeros(DIMENSION), SIGNS),
        (GOOD * 2, SIGNS),
        (GOOD, np.zeros((2, 3), np.uint8)),
        (GOOD, np.zeros(8, np.uint8)),
        (GOOD, np.zeros((2, 8), np.int64)),
    ],
    ids=["short", "matrix", "nan", "infinite", "zero", "long", "narrow signs", "flat signs", "wide signs"],
)
def test_unusable_vectors_are_refused_with_the_whole_batch(
    library: LibraryWriter, vector: np.ndarray, signs: np.ndarray
) -> None:
    ids = library.documents.store(document(BASE, ["One", "Two"])).new_chunk_ids
    wrong = EmbeddingIn(ids[1], vector.astype(np.float32), signs)
    with pytest.raises(EmbedderError):
        library.vectors.store([embedding(ids[0], GOOD), wrong])
    assert library.vectors.count_waiting() == 2


def test_a_store_returns_its_model(library: LibraryWriter) -> None:
    assert library.name
    assert library.model is not None
    assert library.model.dimension == DIMENSION


def test_combined_queries_equal_separate_ones(library: LibraryWriter) -> None:
    ids, vectors, of = fill(library)
    library.documents.store(document(f"{BASE}without", ["Paragraph that waits"]))
    terms, within = ("paragraph", "2.1"), Filter(document_ids=tuple(of[:3]))
    for filter in (Filter(), within):
        both = library.candidates(terms, vectors[3], filter=filter, k=7)
        assert both == (
            library.chunks.lexical(terms, filter=filter, k=7),
            library.vectors.nearest(vectors[3], filter=filter, k=7),
        )
        assert library.candidates(terms, None, filter=filter, k=7) == (both[0], [])
        assert library.candidates((), vectors[3], filter=filter, k=7) == ([], both[1])
    wanted = [ids[7], 10**9, library.chunks.lexical(["waits"], k=1)[0].chunk_id, ids[0]]
    found = library.fetch(wanted, vector=vectors[0], signs=True)
    assert found.chunks == library.chunks.by_ids(wanted)
    assert found.cosines == {
        each: pytest.approx(vectors[ids.index(each)] @ vectors[0], abs=4e-3) for each in (ids[7], ids[0])
    }
    signs = library.vectors.token_vectors(wanted)
    assert [each.chunk_id for each in found.signs] == [each.chunk_id for each in signs] == [ids[7], ids[0]]
    assert all(
        np.array_equal(*pair)
        for pair in zip([s.token_bits for s in found.signs], [s.token_bits for s in signs], strict=True)
    )
    bare = library.fetch(wanted)
    assert (bare.chunks, bare.signs, bare.cosines) == (found.chunks, [], {})
    with pytest.raises(EmbedderError):
        library.fetch(wanted, vector=np.ones(3, np.float32))
