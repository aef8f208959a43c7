"""Two models in one file: which pages wait for which, and what a change of the second model or of a page's language does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.corpus import Corpus, checks
from app.corpus.restore import prepare
from app.corpus.salvage import salvage
from app.library.records import EmbeddingModel
from app.library.scope import Filter
from tests.corpus.builders import DIMENSION, MODEL, document, embedding, unit_vectors

SECOND = EmbeddingModel("model-b", 32)
ENGLISH, GERMAN = "https://example.org/pump", "https://example.org/pumpe"
IN_ENGLISH = ("This is how to install the pump.", "The pump runs at night.")
IN_GERMAN = ("So wird die Pumpe eingebaut.", "Die Pumpe läuft auch in der Nacht.")


def opened(path: Path, second: EmbeddingModel | None = SECOND) -> Corpus:
    return Corpus.open(path, dimension=DIMENSION, model=MODEL, second=second)


def store(corpus: Corpus, url: str, paragraphs: tuple[str, ...]) -> int:
    return corpus.documents.store(document(url, paragraphs)).document_id


def embed(corpus: Corpus, *, by_second: bool, limit: int = 100) -> list[int]:
    """Embed what waits for a model, and return it."""
    view = corpus.second if by_second else corpus
    assert view is not None and view.model is not None
    ids = [each.chunk_id for each in view.vectors.waiting(limit)]
    vectors = unit_vectors(len(ids), dimension=view.model.dimension)
    view.vectors.store([embedding(chunk_id, vector) for chunk_id, vector in zip(ids, vectors, strict=True)])
    return ids


def of(corpus: Corpus, url: str) -> list[int]:
    row = corpus.documents.summary(url)
    assert row is not None
    return [chunk.id for chunk in corpus.chunks.of_document(row.id, limit=100)]


@pytest.fixture
def stored(path: Path) -> Path:
    """A file with an English and a German page, embedded by the first model only."""
    with closing(opened(path, None)) as corpus:
        for url, texts in ((ENGLISH, IN_ENGLISH), (GERMAN, IN_GERMAN)):
            store(corpus, url, texts)
        embed(corpus, by_second=False)
    return path


@pytest.fixture
def two(stored: Path) -> Iterator[Corpus]:
    """The same file with a second model. After the test, it must be intact."""
    with closing(opened(stored)) as corpus:
        yield corpus
        assert corpus.verify() == []


def test_pages_in_other_languages_move_to_the_second_model_and_come_first(two: Corpus) -> None:
    second = two.second
    assert second is not None
    german, english = of(two, GERMAN), of(two, ENGLISH)
    assert (two.vectors.has_waiting(), second.vectors.count_waiting()) == (False, 4)
    assert second.only_here(german) == set(), "the first model still compares them"
    assert embed(two, by_second=True, limit=1) == german[:1]
    assert second.only_here([*german, *english]) == {german[0]}
    assert embed(two, by_second=True) == german[1:]
    assert embed(two, by_second=True) == english
    assert second.only_here([*german, *english]) == set(german)
    assert [item.chunk_id for item in two.vectors.token_vectors([*english, *german])] == english
    assert [item.chunk_id for item in second.vectors.token_vectors([*english, *german])] == [*english, *german]
    near = second.vectors.nearest(unit_vectors(1, dimension=32)[0], filter=Filter(is_foreign=True), k=10)
    assert {hit.chunk_id for hit in near} == set(german)
    assert (second.has_foreign(Filter()), second.has_foreign(Filter(urls=(ENGLISH,)))) == (True, False)
    row = two.documents.summary(GERMAN)
    assert row is not None and row.chunks == row.chunks_embedded == 2


def test_new_and_changed_pages_wait_for_the_models_that_embed_them(two: Corpus) -> None:
    while embed(two, by_second=True):
        pass
    store(two, "https://example.org/neu", ("Das ist eine neue Seite.",))
    assert embed(two, by_second=False) == [], "the first model does not embed it"
    assert two.vectors.has_waiting(), "an English question needs it"
    assert len(embed(two, by_second=True)) == 1
    assert not two.vectors.has_waiting()
    store(two, ENGLISH, IN_GERMAN)
    assert embed(two, by_second=False) == []
    assert len(embed(two, by_second=True)) == 2
    store(two, ENGLISH, IN_ENGLISH)
    assert len(embed(two, by_second=False)) == len(embed(two, by_second=True)) == 2
    two.documents.delete([row.id for row in two.documents.summaries(limit=10)])
    assert two.second is not None
    assert two.second.vectors.nearest(unit_vectors(1, dimension=32)[0], k=5) == []


def test_a_removed_model_leaves_its_vectors_until_the_file_is_compacted(stored: Path) -> None:
    path = stored
    with closing(opened(path)) as corpus:
        while embed(corpus, by_second=True):
            pass
    with closing(opened(path, None)) as corpus:
        assert corpus.second is None
        assert len(embed(corpus, by_second=False)) == 2, "the German page"
    with closing(opened(path)) as corpus:
        assert embed(corpus, by_second=True) == [], "nothing is embedded again"
        assert corpus.verify() == []
        assert corpus.vectors.token_vectors(of(corpus, GERMAN)) == []
    with closing(opened(path, None)) as corpus:
        vectors = corpus.storage().vectors
        with patch.multiple(checks, COMPACT_BYTES=1, COMPACT_SHARE=0.0), corpus._database.read() as con:
            assert checks.reclaimable(con) > 0
        corpus.compact()
        assert corpus.verify() == []
        assert corpus.storage().vectors <= vectors
    with closing(opened(path, EmbeddingModel("model-c", 40))) as corpus:
        assert len(embed(corpus, by_second=True)) == 2
        assert len(embed(corpus, by_second=True)) == 2
    with closing(opened(path)) as corpus:
        assert len(embed(corpus, by_second=True)) == 2, "vectors of another model are deleted"


def test_backups_keep_both_models_and_a_salvaged_file_has_none(two: Corpus, path: Path, tmp_path: Path) -> None:
    embed(two, by_second=True)
    two.backup(tmp_path / "backup.db")
    prepared = prepare(tmp_path / "backup.db", path)
    with closing(Corpus.open(prepared.copy, dimension=0, model="")) as copy:
        assert copy.second is not None and copy.second.model == SECOND
        assert copy.second.vectors.count_waiting() == 2
        assert [len(each.vectors) for each in copy.second.copies()] == [0, 2]
        assert [len(each.vectors) for each in copy.copies()] == [2, 0]
    salvage(path, tmp_path / "salvaged.db")
    with closing(Corpus.open(tmp_path / "salvaged.db", dimension=0, model="")) as copy:
        assert copy.second is None
        assert copy.verify() == []


@settings(max_examples=12)
@given(st.lists(st.sampled_from(("english", "german", "delete", "first", "second", "without", "with")), max_size=12))
def test_any_order_of_changes_leaves_an_intact_file(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> None:
    path = tmp_path_factory.mktemp("steps") / "corpus.db"
    corpus = opened(path)
    for number, step in enumerate(steps):
        if step in ("english", "german"):
            store(corpus, ENGLISH, (*(IN_ENGLISH if step == "english" else IN_GERMAN), str(number)))
        elif step == "delete":
            corpus.documents.delete([row.id for row in corpus.documents.summaries(limit=10)])
        elif step in ("with", "without"):
            corpus.close()
            corpus = opened(path, SECOND if step == "with" else None)
        elif step == "first" or corpus.second is not None:
            embed(corpus, by_second=step == "second", limit=2)
    assert corpus.verify() == []
    corpus.close()
