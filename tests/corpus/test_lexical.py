from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.corpus import Corpus
from app.corpus.records import Filter
from tests.corpus.builders import DIMENSION, MODEL, document

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
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """Four documents that differ in where a word stands."""
    corpus = Corpus.open(tmp_path_factory.mktemp("shelf") / "corpus.db", dimension=DIMENSION, model=MODEL)
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


def test_title_counts_more_than_heading_and_heading_more_than_text(shelf: Corpus) -> None:
    assert urls(shelf, ["valve"]) == ["title", "deep", "text"]


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
def test_words_and_phrases_are_found(shelf: Corpus, terms: list[str], found: list[str]) -> None:
    assert urls(shelf, terms) == found


def test_filters_restrict_the_search(shelf: Corpus) -> None:
    assert urls(shelf, ["valve"], Filter(urls=("https://example.org/text",))) == ["text"]
    assert urls(shelf, ["valve"], Filter(url_prefix="https://example.org/t")) == ["title", "text"]
    assert urls(shelf, ["valve"], Filter(document_ids=(1, 3))) == ["text"]
    assert urls(shelf, ["valve"], Filter(document_ids=(1, 2), url_prefix="https://example.org/ti")) == ["title"]
    assert urls(shelf, ["valve"], Filter(urls=("https://example.org/nothing",))) == []
    assert urls(shelf, ["valve"], Filter(urls=("https://example.org/text\0", "https://example.org/title"))) == ["title"]
    assert urls(shelf, ["valve"], Filter(urls=("\0",))) == []


def test_k_bounds_the_hits(shelf: Corpus) -> None:
    assert len(shelf.chunks.lexical(["valve", "here", "words"], k=2)) == 2


@given(st.lists(st.text(max_size=20), max_size=6))
@example(list(HOSTILE))
def test_no_text_breaks_the_query(shelf: Corpus, terms: list[str]) -> None:
    for filter_ in (Filter(), Filter(document_ids=(1,))):
        assert len(shelf.chunks.lexical(terms, filter=filter_, k=5)) <= 5
    assert set(shelf.chunks.document_frequencies(terms)) == set(terms)


@pytest.mark.parametrize("term", HOSTILE)
def test_hostile_terms_neither_fail_nor_hide_the_others(shelf: Corpus, term: str) -> None:
    assert "code" in urls(shelf, [term, "AsyncClient"])


def test_syntax_in_a_term_has_no_effect(shelf: Corpus) -> None:
    assert urls(shelf, ["title: valve"]) == []
    assert urls(shelf, ["val*"]) == []
    assert urls(shelf, ["opens AND valve"]) == []


def test_frequencies_count_chunks_as_the_index_sees_them(shelf: Corpus) -> None:
    found = shelf.chunks.document_frequencies(["Valves", "run", "naive", "C++", "foo_bar", "head", "absent", "++"])
    expected = {"Valves": 3, "run": 1, "naive": 1, "C++": 1, "foo_bar": 1, "head": 6, "absent": 0, "++": 0}
    assert found == expected


def test_frequencies_follow_deletion(tmp_path: Path) -> None:
    corpus = Corpus.open(tmp_path / "corpus.db", dimension=DIMENSION, model=MODEL)
    stored = corpus.documents.store(document("https://example.org/", ["pump one", "pump two"]))
    assert corpus.chunks.document_frequencies(["pump"]) == {"pump": 2}
    corpus.documents.delete([stored.document_id])
    assert corpus.chunks.document_frequencies(["pump"]) == {"pump": 0}
    corpus.close()
