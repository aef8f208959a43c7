"""Storing vectors; the contract of the vector index, and the sign codes compared with brute force."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.corpus import Corpus
from app.corpus.database import ids_of
from app.corpus.vector_index import (
    RESCORE_MIN,
    BitMatrix,
    VectorIndex,
    closest_to,
    coded,
    hamming,
    sign_bits,
    smallest,
    vectors_of,
    words_of,
)
from app.errors import EmbedderError, EmbeddingMismatchError
from app.library.records import DocumentState, EmbeddingIn, Hit
from app.library.scope import Filter
from tests.corpus.builders import DIMENSION, MODEL, Matrix, document, embed, unit_vectors

CLUSTERS, PER_CLUSTER, WIDE = 100, 50, 384
Nearest = Callable[..., list[Hit]]


@pytest.fixture(params=["codes", "exact"])
def nearest(request: pytest.FixtureRequest, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> Nearest:
    """The search over the corpus, always with sign codes, or exact for named documents."""
    if request.param == "codes":
        monkeypatch.setattr("app.corpus.vector_index.EXACT_SCAN_CHUNKS", -1)
    assert corpus.vectors._model is not None
    return searching(corpus, VectorIndex(corpus.vectors._model))


def searching(corpus: Corpus, index: VectorIndex) -> Nearest:
    def search(vector: Matrix, documents: Sequence[int] | None = None, k: int = 10) -> list[Hit]:
        with corpus._database.read() as con:
            allowed = None if documents is None else ids_of(documents)
            return index.nearest(con, vector, documents=allowed, k=k)

    return search


def filled(corpus: Corpus, documents: int = 4, chunks: int = 5, seed: int = 0) -> tuple[list[int], Matrix]:
    """Return the IDs of the chunks and their vectors."""
    ids: list[int] = []
    for number in range(documents):
        url = f"https://example.org/{seed}/{number}"
        ids += corpus.documents.store(document(url, [f"Part {n}" for n in range(chunks)])).new_chunk_ids
    return ids, embed(corpus, ids, seed)


def ranking(hits: list[Hit]) -> list[int]:
    return [hit.chunk_id for hit in hits]


def expected(ids: Sequence[int], vectors: Matrix, query: Matrix) -> list[int]:
    return [ids[place] for place in np.argsort(-(as_stored(vectors) @ query))]


def as_stored(vectors: Matrix) -> Matrix:
    return vectors_of([coded(vector).tobytes() for vector in vectors], vectors.shape[1])


def test_hits_are_the_nearest_chunks_with_their_cosines(corpus: Corpus, nearest: Nearest) -> None:
    ids, vectors = filled(corpus)
    for query in unit_vectors(5, seed=7):
        hits = nearest(query)
        assert ranking(hits) == expected(ids, vectors, query)[:10]
        cosines = np.sort(as_stored(vectors) @ query)[::-1][:10]
        assert [hit.score for hit in hits] == pytest.approx(cosines.tolist(), abs=1e-4)
    assert nearest(vectors[3], k=1) == [Hit(ids[3], pytest.approx(1, abs=1e-4))]
    assert len(nearest(vectors[3], k=1000)) == 20


def test_an_empty_index_returns_no_hits(corpus: Corpus, nearest: Nearest) -> None:
    assert nearest(unit_vectors(1)[0]) == []
    corpus.documents.store(document("https://example.org/", ["Not embedded"]))
    assert nearest(unit_vectors(1)[0]) == []


def test_documents_restrict_the_search(corpus: Corpus, nearest: Nearest) -> None:
    ids, vectors = filled(corpus)
    query = unit_vectors(1, seed=7)[0]
    wanted = expected(ids, vectors, query)
    inside = [chunk_id for chunk_id in wanted if chunk_id in set(ids[5:10]) | set(ids[15:20])]
    assert ranking(nearest(query, documents=[2, 4], k=20)) == inside
    assert nearest(query, documents=[99]) == []
    assert nearest(query, documents=[]) == []


def test_the_index_follows_every_change(corpus: Corpus, nearest: Nearest) -> None:
    ids, vectors = filled(corpus)
    query = unit_vectors(1, seed=7)[0]
    assert ranking(nearest(query, k=99)) == expected(ids, vectors, query)
    corpus.documents.delete([2])
    left = [*ids[:5], *ids[10:]]
    assert ranking(nearest(query, k=99)) == expected(left, np.delete(vectors, range(5, 10), axis=0), query)
    vectors[10:] = embed(corpus, ids[10:], seed=8)
    more_ids, more = filled(corpus, seed=9)
    now_ids, now = [*left, *more_ids], np.concatenate([vectors[:5], vectors[10:], more])
    assert ranking(nearest(query, k=99)) == expected(now_ids, now, query)


def test_the_index_follows_another_process(corpus: Corpus, path: Path, nearest: Nearest) -> None:
    first, _ = filled(corpus)
    query = unit_vectors(1, seed=7)[0]
    assert len(nearest(query, k=99)) == 20
    other = Corpus.open(path, dimension=DIMENSION, model=MODEL)
    ids, vectors = filled(other, seed=1)
    for document_id in (1, 2, 3, 4):
        other.documents.delete([document_id])
    other.close()
    assert ranking(nearest(query, k=99)) == expected(ids, vectors, query)
    assert not set(first) & set(ids)


def test_the_index_is_rebuilt_when_the_change_log_is_too_short(
    corpus: Corpus, nearest: Nearest, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(corpus, documents=1)
    query = unit_vectors(1, seed=7)[0]
    assert len(nearest(query)) == 5
    monkeypatch.setattr("app.corpus.vectors.MAX_CHANGE_ROWS", 2)
    corpus.documents.delete([1])
    ids, vectors = filled(corpus, documents=1, seed=1)
    with corpus._database.read() as con:
        assert con.execute("SELECT count(*) FROM changes").get == 2
    assert ranking(nearest(query)) == expected(ids, vectors, query)


def test_vectors_of_another_model_are_not_found(corpus: Corpus, path: Path, nearest: Nearest) -> None:
    ids, vectors = filled(corpus)
    assert len(nearest(vectors[0], k=99)) == 20
    other = Corpus.open(path, dimension=DIMENSION, model="model-b")
    embed(other, ids[:3])
    other.close()
    assert set(ranking(nearest(vectors[0], k=99))) == set(ids[3:])
    Corpus.open(path, dimension=DIMENSION, model=MODEL).close()


@pytest.mark.parametrize("documents", [None, [1]], ids=["codes", "exact"])
def test_any_dimension_is_allowed(tmp_path: Path, documents: list[int] | None) -> None:
    corpus = Corpus.open(tmp_path / "odd.db", dimension=100, model="odd")
    ids = corpus.documents.store(document("https://example.org/", [f"Part {n}" for n in range(9)])).new_chunk_ids
    vectors = unit_vectors(9, dimension=100)
    none = np.zeros((0, 13), np.uint8)
    corpus.vectors.store([EmbeddingIn(id_, row, none) for id_, row in zip(ids, vectors, strict=True)])
    assert corpus.vectors._model is not None
    found = searching(corpus, VectorIndex(corpus.vectors._model))(vectors[4], documents, k=9)
    assert ranking(found) == expected(ids, vectors, vectors[4])
    assert corpus.verify() == []
    corpus.close()


@pytest.fixture(scope="module")
def clusters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Corpus, Matrix, Matrix]]:
    """5,000 vectors in random clusters, distributed over the documents, and queries near some of them."""
    rng = np.random.default_rng(3)
    centres = rng.normal(size=(CLUSTERS, WIDE))
    places = rng.permutation(np.repeat(np.arange(CLUSTERS), PER_CLUSTER))
    made = centres[places] + 0.7 * rng.normal(size=(CLUSTERS * PER_CLUSTER, WIDE))
    vectors = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
    queries = (vectors[::50] + 0.02 * rng.normal(size=(CLUSTERS, WIDE))).astype(np.float32)
    corpus = Corpus.open(tmp_path_factory.mktemp("clusters") / "corpus.db", dimension=WIDE, model=MODEL)
    ids: list[int] = []
    for number in range(CLUSTERS):
        url = f"https://site{number % 2}.example/{number}"
        given = document(url, [f"Part {n}" for n in range(PER_CLUSTER)])
        ids += corpus.documents.store(given).new_chunk_ids
    none = np.zeros((0, WIDE // 8), np.uint8)
    corpus.vectors.store([EmbeddingIn(id_, row, none) for id_, row in zip(ids, vectors, strict=True)])
    yield corpus, vectors, queries
    corpus.close()


def share_found(hits: Callable[[Matrix], list[Hit]], rows: Matrix, first: int, queries: Matrix) -> float:
    """Return recall@10 against brute force; the ID of a chunk is its row + first."""
    best = np.argsort(-(queries @ rows.T), axis=1)[:, :10] + first
    found = [len(set(ranking(hits(query))) & set(row.tolist())) for query, row in zip(queries, best, strict=True)]
    return sum(found) / best.size


def test_sign_codes_find_nearly_all_of_the_nearest(clusters: tuple[Corpus, Matrix, Matrix]) -> None:
    corpus, vectors, queries = clusters
    assert share_found(lambda query: corpus.vectors.nearest(query, k=10), vectors, 1, queries) >= 0.98


def test_sign_codes_also_find_them_in_a_part_of_the_corpus(
    clusters: tuple[Corpus, Matrix, Matrix], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, vectors, queries = clusters
    inside = np.arange(len(vectors)) // PER_CLUSTER % 2 == 1
    rows = np.where(inside[:, None], vectors, 0)
    site = Filter(url_prefix="https://site1.example/")
    monkeypatch.setattr("app.corpus.vector_index.EXACT_SCAN_CHUNKS", 100)
    assert share_found(lambda query: corpus.vectors.nearest(query, filter=site, k=10), rows, 1, queries) >= 0.98


def test_more_hits_than_the_usual_candidates_can_be_requested(clusters: tuple[Corpus, Matrix, Matrix]) -> None:
    corpus, _, queries = clusters
    assert len(corpus.vectors.nearest(queries[0], k=4_500)) == 4_500


CODES = st.lists(st.lists(st.booleans(), min_size=70, max_size=70), min_size=1, max_size=12)


@given(CODES, st.lists(st.booleans(), min_size=70, max_size=70))
def test_hamming_counts_differing_signs(rows: list[list[bool]], query: list[bool]) -> None:
    def code(signs: list[bool]) -> bytes:
        return sign_bits(np.where(signs, 1, -1).astype(np.float32)).tobytes()

    distances = hamming(words_of([code(row) for row in rows], 70), words_of([code(query)], 70)[:, 0])
    assert distances.tolist() == [sum(a != b for a, b in zip(row, query, strict=True)) for row in rows]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=50), st.integers(1, 60))
def test_smallest_returns_the_requested_number(values: list[int], count: int) -> None:
    places = smallest(np.array(values, np.uint16), count)
    assert len(set(places.tolist())) == len(places) == min(count, len(values))
    assert sorted(values[place] for place in places) == sorted(values)[:count]


@given(st.lists(st.tuples(st.sets(st.integers(1, 12)), st.sets(st.integers(1, 12))), max_size=12))
def test_the_matrix_contains_the_latest_codes(steps: list[tuple[set[int], set[int]]]) -> None:
    """Each step removes some chunks and adds others, with codes that identify the step."""
    empty = words_of([], 64)
    matrix, known = BitMatrix(ids_of(()), ids_of(()), empty), dict[int, int]()
    for number, (removed, put) in enumerate(steps):
        codes = [number.to_bytes(8, "little")] * len(put)
        ids = ids_of(sorted(put))
        matrix.replace(ids_of(sorted(removed | put)), ids, ids % 3 + 1, words_of(codes, 64))
        known = {key: value for key, value in known.items() if key not in removed} | dict.fromkeys(put, number)
        assert len(matrix) == len(known)
        for value in set(known.values()):
            code = words_of([value.to_bytes(8, "little")], 64)[:, 0]
            count = sum(found == value for found in known.values())
            best = matrix.candidates(code, None, 0.0, count, count)
            assert best.tolist() == sorted(key for key, found in known.items() if found == value)
        some = matrix.candidates(empty[:, :0].sum(axis=1, dtype=np.uint64), np.array([1, 2]), 1.0, 0, 99)
        assert some.tolist() == sorted(key for key in known if key % 3 + 1 in {1, 2})


def test_codes_that_agree_with_large_values_are_preferred() -> None:
    """Rows that differ in the same number of signs: a wrong sign matters little where the query is nearly zero."""
    count, dimension = RESCORE_MIN * 5 // 2, 70
    vector = np.full(dimension, 1e-3, np.float32)
    vector[:20] = 1
    signs = np.ones((count, dimension), np.bool_)
    alike = np.arange(count) % 5 < 2
    signs[alike, 50:60] = False
    signs[~alike, :10] = False
    rows = words_of([np.packbits(row, bitorder="little").tobytes() for row in signs], dimension)
    code = words_of([sign_bits(vector).tobytes()], dimension)[:, 0]
    assert set(hamming(rows, code).tolist()) == {10}
    chosen = closest_to(vector, 10)(rows)
    assert sorted(chosen.tolist()) == np.flatnonzero(alike).tolist()
    matrix = BitMatrix(np.arange(1, count + 1), np.full(count, 7), rows)
    found = matrix.candidates(code, np.array([7]), 1.0, 1, count, closest_to(vector, 10))
    assert found.tolist() == (np.flatnonzero(alike) + 1).tolist()


URL = "https://example.org/guide"
PARAGRAPHS = ("Installing the pump", "Running the pump", "Cleaning the pump")


def test_a_document_is_ready_when_all_its_chunks_are_embedded(corpus: Corpus) -> None:
    ids = corpus.documents.store(document(URL, PARAGRAPHS)).new_chunk_ids
    states = []
    for chunk_id in ids:
        embed(corpus, [chunk_id])
        found = corpus.documents.get(URL)
        assert found is not None
        states.append(found.state)
    assert states == [DocumentState.TEXT, DocumentState.TEXT, DocumentState.READY]
    assert corpus.documents.store(document(URL + "/empty", [])).new_chunk_ids == ()
    empty = corpus.documents.summary(URL + "/empty")
    assert empty is not None
    assert empty.state == DocumentState.READY


GOOD = unit_vectors(1)[0]


def test_with_another_model_every_chunk_is_embedded_again(corpus: Corpus, path: Path) -> None:
    ids = corpus.documents.store(document(URL, PARAGRAPHS)).new_chunk_ids
    old = embed(corpus, ids)
    other = Corpus.open(path, dimension=32, model="model-b")
    assert other.vectors.count_waiting() == 3
    assert other.vectors.nearest(unit_vectors(1, dimension=32)[0], k=9) == []
    assert other.vectors.token_vectors(ids) == []
    assert len(other.chunks.lexical(["pump"], k=9)) == 3
    summary = other.documents.summary(URL)
    assert summary is not None
    assert (summary.state, summary.chunks_embedded) == (DocumentState.TEXT, 0)
    new = embed(other, ids[:2], dimension=32)
    assert [hit.chunk_id for hit in other.vectors.nearest(new[1], k=9)] == [ids[1], ids[0]]
    assert other.vectors.similarities(new[0], ids).keys() == set(ids[:2])
    assert other.verify() == []
    other.close()
    back = Corpus.open(path, dimension=DIMENSION, model=MODEL)
    assert [passage.chunk_id for passage in back.vectors.waiting(9)] == list(ids[:2])
    assert [hit.chunk_id for hit in back.vectors.nearest(old[0], k=9)] == [ids[2]]
    assert back.verify() == []
    back.close()


def test_a_process_with_the_previous_model_cannot_store_vectors(corpus: Corpus, path: Path) -> None:
    ids = corpus.documents.store(document(URL, PARAGRAPHS)).new_chunk_ids
    other = Corpus.open(path, dimension=DIMENSION, model="model-b")
    with pytest.raises(EmbeddingMismatchError):
        embed(corpus, ids)
    embed(other, ids)
    assert corpus.vectors.nearest(GOOD, k=9) == []
    other.close()


def test_one_fingerprint_has_one_dimension(corpus: Corpus, path: Path) -> None:
    with pytest.raises(EmbeddingMismatchError):
        Corpus.open(path, dimension=32, model=MODEL)
    assert corpus.totals().documents == 0


def test_without_a_model_the_corpus_keeps_its_own(corpus: Corpus, path: Path) -> None:
    ids = corpus.documents.store(document(URL, PARAGRAPHS)).new_chunk_ids
    vectors = embed(corpus, ids)
    reader = Corpus.open(path, dimension=0, model="")
    assert reader.vectors.nearest(vectors[1], k=1)[0].chunk_id == ids[1]
    assert reader.vectors.count_waiting() == 0
    reader.close()


def test_without_a_model_only_keyword_search_works(tmp_path: Path) -> None:
    bare = Corpus.open(tmp_path / "bare.db", dimension=0, model="")
    ids = bare.documents.store(document(URL, PARAGRAPHS)).new_chunk_ids
    assert len(bare.chunks.lexical(["pump"], k=9)) == bare.vectors.count_waiting() == 3
    for call in (
        lambda: bare.vectors.nearest(GOOD, k=1),
        lambda: embed(bare, ids),
        lambda: bare.vectors.token_vectors(ids),
    ):
        with pytest.raises(EmbedderError):
            call()
    assert bare.verify() == []
    bare.close()
    later = Corpus.open(tmp_path / "bare.db", dimension=DIMENSION, model=MODEL)
    assert later.vectors.count_waiting() == 3
    later.close()
