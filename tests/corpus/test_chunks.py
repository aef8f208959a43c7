"""Keyword search, and scopes in every kind of search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.corpus import Corpus
from app.corpus.chunks import MAX_FORMS
from app.library.records import FileStamp
from app.library.scope import Filter
from tests.corpus.builders import DIMENSION, MODEL, document, embed

HOSTILE = (
    "C++",
    "NEAR(",
    'NEAR("a" "b", 5)',
    '"unbalanced',
    'a "b" c',
    '""',
    "a AND",
    "OR",
    "NOT x",
    "title:x",
    "{title text}: x",
    "^first",
    "wild*",
    "-minus",
    "C:\\x",
    "'; DROP TABLE chunks; --",
    "a\0b",
    "\ud800",
    "",
    " ",
    "\u200b",
    "(((",
)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """Four documents that differ in the place of a word."""
    corpus = Corpus.open(tmp_path_factory.mktemp("indexed") / "corpus.db", dimension=DIMENSION, model=MODEL)
    words = [
        "The valve opens.",
        "Pumps are running in C++ here.",
        "A naïve café visit, foo_bar and snake_case.",
    ]
    corpus.documents.store(document("https://example.org/text", words, title="Plain"))
    corpus.documents.store(document("https://example.org/title", ["Nothing else here."], title="Valve handbook"))
    coded = document("https://example.org/code", ["Call AsyncClient now."])
    split = tuple(replace(chunk, identifiers="Async Client") for chunk in coded.chunks)
    corpus.documents.store(replace(coded, chunks=split))
    deep = document("https://example.org/deep", ["Words without it."])
    path = tuple(replace(chunk, section_path=("Valve > fitting",)) for chunk in deep.chunks)
    corpus.documents.store(replace(deep, chunks=path))
    yield corpus
    corpus.close()


def urls(corpus: Corpus, terms: list[str], filter_: Filter | None = None) -> list[str]:
    hits = corpus.chunks.lexical(terms, filter=filter_ or Filter(), k=10)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [chunk.url.rsplit("/", 1)[1] for chunk in corpus.chunks.by_ids([hit.chunk_id for hit in hits])]


@pytest.mark.parametrize(
    ("terms", "found"),
    [
        (["run"], ["text"]),
        (["NAIVE"], ["text"]),
        (["c++"], ["text"]),
        (["async"], ["code"]),
        (["AsyncClient"], ["code"]),
        (["foo_bar"], ["text"]),
        (["bar foo"], []),
        (["snake"], ["text"]),
        (["cafe visit"], ["text"]),
        (["visit cafe"], []),
        (["nowhere", "pump"], ["text"]),
        ([], []),
        (["!?"], []),
    ],
)
def test_words_and_phrases_are_found(indexed: Corpus, terms: list[str], found: list[str]) -> None:
    assert urls(indexed, terms) == found


def test_filters_restrict_the_search(indexed: Corpus) -> None:
    assert urls(indexed, ["valve"], Filter(urls=("https://example.org/text",))) == ["text"]
    assert urls(indexed, ["valve"], Filter(url_prefix="https://example.org/t")) == ["title", "text"]
    assert urls(indexed, ["valve"], Filter(document_ids=(1, 3))) == ["text"]
    assert urls(indexed, ["valve"], Filter(document_ids=(1, 2), url_prefix="https://example.org/ti")) == ["title"]
    assert urls(indexed, ["valve"], Filter(urls=("https://example.org/nothing",))) == []
    assert urls(indexed, ["valve"], Filter(urls=("https://example.org/text\0", "https://example.org/title"))) == [
        "title"
    ]
    assert urls(indexed, ["valve"], Filter(urls=("\0",))) == []


@given(st.lists(st.text(max_size=20), max_size=6))
@example(list(HOSTILE))
def test_any_text_gives_a_valid_query(indexed: Corpus, terms: list[str]) -> None:
    for filter_ in (Filter(), Filter(document_ids=(1,))):
        assert len(indexed.chunks.lexical(terms, filter=filter_, k=5)) <= 5
    assert set(indexed.chunks.document_frequencies(terms)) == set(terms)


def test_frequencies_count_chunks_by_index_words(indexed: Corpus) -> None:
    found = indexed.chunks.document_frequencies(["Valves", "run", "naive", "C++", "foo_bar", "head", "absent", "++"])
    expected = {"Valves": 3, "run": 1, "naive": 1, "C++": 1, "foo_bar": 1, "head": 6, "absent": 0, "++": 0}
    assert found == expected


def test_frequencies_follow_deletion(tmp_path: Path) -> None:
    corpus = Corpus.open(tmp_path / "corpus.db", dimension=DIMENSION, model=MODEL)
    stored = corpus.documents.store(document("https://example.org/", ["pump one", "pump two"]))
    assert corpus.chunks.document_frequencies(["pump"]) == {"pump": 2}
    corpus.documents.delete([stored.document_id])
    assert corpus.chunks.document_frequencies(["pump"]) == {"pump": 0}
    corpus.close()


PYTHON = "https://docs.python.org/3/library/os.html"
OLD = "https://docs.python.org/2/library/os.html"
SQLITE = "https://sqlite.org/lang.html"
NOTE = "file:///srv/fastapi/tutorial/steps.md"


@pytest.fixture
def tagged(path: Path) -> Corpus:
    corpus = Corpus.open(path, dimension=DIMENSION, model=MODEL)
    folder = corpus.folders.add("/srv/fastapi")
    for number, url in enumerate((PYTHON, OLD, SQLITE, NOTE)):
        stamp = FileStamp(folder.id, 1, 2) if url == NOTE else None
        made = document(url, [f"valve number {number}"], file=stamp, last_crawled=100.0 * (number + 1))
        embed(corpus, corpus.documents.store(made).new_chunk_ids, seed=number)
    return corpus


def found(corpus: Corpus, wanted: Filter) -> set[str]:
    """Return the matches of a filter, which must be the same for rows, words and vectors."""
    rows = {row.url for row in corpus.documents.summaries(filter=wanted, limit=9)}
    vector = np.full(DIMENSION, DIMENSION**-0.5, np.float32)
    for hits in (
        corpus.chunks.lexical(["valve"], filter=wanted, k=9),
        corpus.vectors.nearest(vector, filter=wanted, k=9),
    ):
        assert {chunk.url for chunk in corpus.chunks.by_ids([hit.chunk_id for hit in hits])} == rows
    return rows


def test_rows_and_chunks_have_their_tag(tagged: Corpus) -> None:
    assert {row.url: row.doc_tag for row in tagged.documents.summaries(limit=9)} == {
        PYTHON: "docs.python.org/3",
        OLD: "docs.python.org/2",
        SQLITE: "sqlite.org",
        NOTE: "fastapi/tutorial",
    }
    [hit] = tagged.chunks.lexical(["valve"], filter=Filter(urls=(PYTHON,)), k=9)
    assert [chunk.doc_tag for chunk in tagged.chunks.by_ids([hit.chunk_id])] == ["docs.python.org/3"]


@pytest.mark.parametrize(
    ("wanted", "urls"),
    [
        (Filter(doc_tags=(("docs.python.org",),)), {PYTHON, OLD}),
        (Filter(doc_tags=(("docs.python.org/3",),)), {PYTHON}),
        (Filter(doc_tags=(("FastAPI", "sqlite.org"),)), {NOTE, SQLITE}),
        (Filter(doc_tags=(("docs.python.org",), ("docs.python.org/2", "sqlite.org"))), {OLD}),
        (Filter(doc_tags=(("docs.python",),)), set()),
        (Filter(doc_tags=(("docs.python.org/30",),)), set()),
        (Filter(path_prefix="3/lib"), {PYTHON}),
        (Filter(path_prefix="tutorial/"), {NOTE}),
        (Filter(changed_after=300.0), {SQLITE, NOTE}),
        (Filter(doc_tags=(("fastapi",),), changed_after=401.0), set()),
    ],
)
def test_a_scope_returns_exactly_its_documents(tagged: Corpus, wanted: Filter, urls: set[str]) -> None:
    assert found(tagged, wanted) == urls


def test_renaming_a_folder_updates_its_documents(tagged: Corpus) -> None:
    [folder] = tagged.folders.all()
    tagged.folders.rename(folder.id, "Our-notes")
    assert found(tagged, Filter(doc_tags=(("our-notes/tutorial",),))) == {NOTE}
    assert found(tagged, Filter(doc_tags=(("fastapi",),))) == set()


def test_a_file_without_its_folder_becomes_a_single_file(tagged: Corpus) -> None:
    tagged.documents.store(document(NOTE, ["valve number 3"], file=FileStamp(None, 1, 2)))
    assert found(tagged, Filter(doc_tags=(("files",),))) == {NOTE}


def test_tags_are_found_with_an_index(tagged: Corpus, path: Path) -> None:
    tagged.close()
    con = apsw.Connection(str(path))
    for column in ("doc_tag", "doc_path", "changed_at"):
        plan = con.execute(
            f"EXPLAIN QUERY PLAN SELECT id FROM documents WHERE {column} >= 'a' AND {column} < 'b'"
        ).fetchall()
        assert "USING COVERING INDEX" in plan[0][3] or "USING INDEX" in plan[0][3]
    con.close()


def test_forms_of_a_word_are_limited_and_match_exactly(tmp_path: Path) -> None:
    corpus = Corpus.open(tmp_path / "corpus.db", dimension=DIMENSION, model=MODEL)
    endings = ("", "e", "en", "es", "em", "er", "ern", "s", "ung", "keit", "heit", "iert")
    corpus.documents.store(document("https://example.org/a", [f"Schalt{ending} hier." for ending in endings]))
    corpus.documents.store(document("https://example.org/b", ["Les dépendances installées, Straßen."]))
    forms = corpus.chunks.other_forms(("Schalt",), "de")
    assert len(forms) == MAX_FORMS
    assert all(corpus.chunks.lexical((form,), k=20) for form in forms)
    assert corpus.chunks.other_forms(("strasse", "x", "", "C++", "\0", "a" * 10_000), "de") == ("strassen", "straßen")
    assert len(corpus.chunks.lexical(corpus.chunks.other_forms(("installer", "dependance"), "fr"), k=20)) == 1
    corpus.close()


def test_the_documents_of_chunks_are_found(tmp_path: Path) -> None:
    corpus = Corpus.open(tmp_path / "corpus.db", dimension=DIMENSION, model=MODEL)
    one, other = (corpus.documents.store(document(f"https://example.org/{name}", ["Words."])) for name in "ab")
    ids = [one.new_chunk_ids[0], other.new_chunk_ids[0]]
    assert corpus.chunks.documents_of([*ids, 2**40]) == dict(
        zip(ids, (one.document_id, other.document_id), strict=True)
    )
    corpus.close()
