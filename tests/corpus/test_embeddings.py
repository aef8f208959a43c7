from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.corpus import Corpus
from app.corpus.records import DocumentState, EmbeddingIn
from app.errors import EmbedderError, EmbeddingMismatchError
from tests.corpus.builders import DIMENSION, MODEL, document, embed, embedding, unit_vectors

URL = "https://example.org/guide"
PARAGRAPHS = ("Installing the pump", "Running the pump", "Cleaning the pump")


def test_chunks_wait_until_they_have_a_vector(corpus: Corpus) -> None:
    first = corpus.documents.store(document(URL, PARAGRAPHS, title="Pumps"))
    second = corpus.documents.store(document(URL + "/2", PARAGRAPHS[:2]))
    waiting = corpus.vectors.waiting(4)
    assert [passage.chunk_id for passage in waiting] == [*first.new_chunk_ids, second.new_chunk_ids[0]]
    passage = waiting[1]
    assert (passage.document_id, passage.title, passage.section_path) == (
        first.document_id,
        "Pumps",
        ("Guide", "Part"),
    )
    assert passage.text == "Head: Running the pump …"
    own = corpus.vectors.waiting(9, chunk_ids=corpus.vectors.waiting_ids([second.document_id]))
    assert [each.chunk_id for each in own] == list(second.new_chunk_ids)
    embed(corpus, [*first.new_chunk_ids[:2], *second.new_chunk_ids])
    assert corpus.vectors.count_waiting() == 1
    assert [each.chunk_id for each in corpus.vectors.waiting(9)] == [first.new_chunk_ids[2]]


def test_a_document_is_ready_when_none_of_its_chunks_waits(corpus: Corpus) -> None:
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


def test_token_signs_come_back_in_the_order_asked(corpus: Corpus) -> None:
    ids = corpus.documents.store(document(URL, PARAGRAPHS)).new_chunk_ids
    vectors = unit_vectors(2)
    corpus.vectors.store([embedding(ids[0], vectors[0], tokens=5), embedding(ids[2], vectors[1], tokens=0)])
    found = corpus.vectors.token_vectors([ids[2], 999, ids[1], ids[0]])
    assert [each.chunk_id for each in found] == [ids[2], ids[0]]
    assert found[0].token_bits.shape == (0, DIMENSION // 8)
    assert found[1].token_bits.tolist() == [[ids[0]] * (DIMENSION // 8)] * 5


def test_vectors_of_deleted_chunks_are_passed_over(corpus: Corpus) -> None:
    gone = corpus.documents.store(document(URL, PARAGRAPHS))
    corpus.documents.delete([gone.document_id])
    kept = corpus.documents.store(document(URL + "/2", PARAGRAPHS)).new_chunk_ids
    embed(corpus, [*gone.new_chunk_ids, *kept])
    assert corpus.vectors.count_waiting() == 0
    assert corpus.totals().chunks_embedded == 3


def test_embedding_again_replaces_the_vector(corpus: Corpus) -> None:
    [chunk_id] = corpus.documents.store(document(URL, PARAGRAPHS[:1])).new_chunk_ids
    embed(corpus, [chunk_id], seed=1)
    [second] = embed(corpus, [chunk_id], seed=2)
    assert corpus.vectors.similarities(second, [chunk_id]) == {chunk_id: pytest.approx(1)}
    assert [hit.score for hit in corpus.vectors.nearest(second, k=9)] == [pytest.approx(1)]


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
)
def test_unusable_vectors_are_refused_with_the_whole_batch(
    corpus: Corpus, vector: np.ndarray, signs: np.ndarray
) -> None:
    ids = corpus.documents.store(document(URL, PARAGRAPHS)).new_chunk_ids
    wrong = EmbeddingIn(ids[1], vector.astype(np.float32), signs)
    with pytest.raises(EmbedderError):
        corpus.vectors.store([embedding(ids[0], GOOD), wrong])
    assert corpus.vectors.count_waiting() == 3


@pytest.mark.parametrize("query", [np.full(DIMENSION, np.nan, np.float32), np.ones(32, np.float32)])
def test_unusable_queries_are_refused(corpus: Corpus, query: np.ndarray) -> None:
    with pytest.raises(EmbedderError):
        corpus.vectors.nearest(query, k=3)
    with pytest.raises(EmbedderError):
        corpus.vectors.similarities(query, [1])


def test_another_model_makes_every_chunk_wait_and_is_never_mixed(corpus: Corpus, path: Path) -> None:
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


def test_a_process_with_the_former_model_cannot_store_vectors(corpus: Corpus, path: Path) -> None:
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


def test_without_any_model_words_are_searched_and_vectors_are_an_error(tmp_path: Path) -> None:
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
