"""Keyword search, and scopes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.errors import InvalidArgumentError
from app.library.protocol import LibraryWriter
from app.library.scope import Filter
from app.text.terms import query_terms
from tests.corpus.builders import document

BASE = "https://example.org/"

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
    "a & b | !c",
    "a <-> b",
    "x:*A",
    "$1 %s ?",
    "word " * 2_000,
    "x" * 10_000,
)


@pytest.fixture(scope="module")
def indexed(opened: LibraryWriter) -> LibraryWriter:
    """Documents that differ in the place of a word."""
    while rows := opened.documents.summaries(limit=1_000):
        opened.documents.delete([row.id for row in rows])
    words = [
        "The valve opens.",
        "Pumps are running in C++ here.",
        "A naïve café visit, foo_bar and snake_case.",
        "Die Größe der Strömung.",
    ]
    opened.documents.store(document(BASE + "text", words, title="Plain", aliases=(BASE + "t",)))
    opened.documents.store(document(BASE + "title", ["Nothing else here."], title="Valve handbook"))
    coded = document(BASE + "code", ["Call AsyncClient now."])
    split = tuple(replace(chunk, identifiers="Async Client") for chunk in coded.chunks)
    opened.documents.store(replace(coded, chunks=split))
    deep = document(BASE + "deep/one", ["Words without it."], last_crawled=900.0)
    path = tuple(replace(chunk, section_path=("Valve > fitting",)) for chunk in deep.chunks)
    opened.documents.store(replace(deep, chunks=path))
    return opened


def found(library: LibraryWriter, terms: list[str], within: Filter | None = None, k: int = 10) -> list[str]:
    hits = library.chunks.lexical(terms, filter=within or Filter(), k=k)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [chunk.url.removeprefix(BASE) for chunk in library.chunks.by_ids([hit.chunk_id for hit in hits])]


# by words


@pytest.mark.parametrize(
    ("terms", "urls"),
    [
        (["run"], ["text"]),
        (["NAIVE"], ["text"]),
        (["naïve"], ["text"]),
        (["nai\u0308ve"], ["text"]),
        (["c++"], ["text"]),
        (["async"], ["code"]),
        (["AsyncClient"], ["code"]),
        (["foo_bar"], ["text"]),
        (["snake"], ["text"]),
        (["größe"], ["text"]),
        (["GRÖSSE"], ["text"]),
        (["stromung"], ["text"]),
        (["nowhere", "pump"], ["text"]),
        (["nowhere"], []),
        ([], []),
        (["!?"], []),
        (["", "\0"], []),
    ],
)
def test_words_match_regardless_of_case_form_and_accents(
    indexed: LibraryWriter, terms: list[str], urls: list[str]
) -> None:
    assert found(indexed, terms) == urls


@pytest.mark.parametrize(
    ("terms", "urls"),
    [
        (["cafe visit"], ["text"]),
        (["visit cafe"], []),
        (["bar foo"], []),
        (["valve opens"], ["text"]),
        (["opens valve"], []),
        (["running in"], ["text"]),
    ],
)
def test_phrases_match_exactly(indexed: LibraryWriter, terms: list[str], urls: list[str]) -> None:
    assert found(indexed, terms) == urls


def test_title_counts_more_than_heading_and_heading_more_than_text(indexed: LibraryWriter) -> None:
    assert found(indexed, ["valve"]) == ["title", "deep/one", "text"]


def test_a_repeated_word_counts_twice(indexed: LibraryWriter) -> None:
    """So the words of a question count more than added synonyms."""
    stored = indexed.documents.store(document(BASE + "twice", ["Alpacas graze here.", "Wombats graze here."]))
    for first in ("alpacas", "wombats"):
        found = indexed.chunks.lexical(["alpacas", "wombats", first], k=1)
        assert first in indexed.chunks.by_ids([found[0].chunk_id])[0].text.lower()
    indexed.documents.delete([stored.document_id])


@pytest.mark.parametrize("k", [0, 1, 2, 99])
def test_k_limits_the_hits(indexed: LibraryWriter, k: int) -> None:
    assert len(indexed.chunks.lexical(["valve", "here", "words"], k=k)) == min(k, 4)


@pytest.mark.parametrize("term", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_terms_neither_fail_nor_hide_the_others(indexed: LibraryWriter, term: str) -> None:
    assert "code" in found(indexed, [term, "AsyncClient"])
    assert set(indexed.chunks.document_frequencies([term])) == {term}
    found(indexed, [term], Filter(urls=(BASE + "text",)))


@pytest.mark.parametrize("term", ["title: valve", "val*", "valve NOT opens", "valve AND opens", "!valve"])
def test_syntax_in_a_term_has_no_effect(indexed: LibraryWriter, term: str) -> None:
    expected = ["title", "deep/one", "text"] if term == "!valve" else []
    assert found(indexed, [term]) == expected


def test_frequencies_count_chunks_like_the_search(indexed: LibraryWriter) -> None:
    words = ["Valves", "running", "nowhere", "snake_case", "!?"]
    assert indexed.chunks.document_frequencies(words) == {
        **dict.fromkeys(("running", "snake_case"), 1),
        **dict.fromkeys(("nowhere", "!?"), 0),
        "Valves": 3,
    }
    assert indexed.chunks.document_frequencies([]) == {}


# scopes


@pytest.mark.parametrize(
    ("within", "urls"),
    [
        (Filter(), ["deep/one", "text", "title"]),
        (Filter(urls=(BASE + "text",)), ["text"]),
        (Filter(urls=(BASE + "t",)), ["text"]),
        (Filter(urls=(BASE + "t", BASE + "text", BASE + "title")), ["text", "title"]),
        (Filter(url_prefix=BASE + "t"), ["text", "title"]),
        (Filter(url_prefix=BASE + "T"), []),
        (Filter(url_prefix=BASE + "%"), []),
        (Filter(urls=(BASE + "nothing",)), []),
        (Filter(urls=("\0",)), []),
        (Filter(urls=(BASE + "text\0", BASE + "title")), ["title"]),
        (Filter(doc_tags=(("example.org",),)), ["deep/one", "text", "title"]),
        (Filter(doc_tags=(("EXAMPLE.ORG",),)), ["deep/one", "text", "title"]),
        (Filter(doc_tags=(("example",),)), []),
        (Filter(doc_tags=(("example.org",), ("other.org",))), []),
        (Filter(doc_tags=(("other.org", "example.org"),)), ["deep/one", "text", "title"]),
        (Filter(path_prefix="deep/"), ["deep/one"]),
        (Filter(path_prefix="deep"), ["deep/one"]),
        (Filter(path_prefix="nothing"), []),
        (Filter(changed_after=500.0), ["deep/one"]),
        (Filter(changed_after=100.0), ["deep/one", "text", "title"]),
        (Filter(changed_after=1e12), []),
        (Filter(url_prefix=BASE + "t", urls=(BASE + "title", BASE + "deep/one")), ["title"]),
    ],
)
def test_a_scope_returns_exactly_its_documents(indexed: LibraryWriter, within: Filter, urls: list[str]) -> None:
    assert sorted(found(indexed, ["valve"], within)) == urls
    everything = sorted(row.url.removeprefix(BASE) for row in indexed.documents.summaries(filter=within, limit=99))
    assert [url for url in everything if url != "code"] == urls
    documents, chunks = indexed.documents.counts(within)
    assert documents == len(everything)
    assert chunks >= documents


def test_a_scope_with_a_lone_surrogate_is_refused(indexed: LibraryWriter) -> None:
    with pytest.raises(InvalidArgumentError):
        indexed.chunks.lexical(["valve"], filter=Filter(urls=("\ud800", BASE + "title")), k=9)


def test_a_scope_can_name_documents_by_id(indexed: LibraryWriter) -> None:
    ids = {row.url.removeprefix(BASE): row.id for row in indexed.documents.summaries(limit=99)}
    assert found(indexed, ["valve"], Filter(document_ids=(ids["text"], 2**40))) == ["text"]
    assert found(indexed, ["valve"], Filter(document_ids=(ids["code"],))) == []
    both = Filter(document_ids=(ids["text"], ids["title"]), url_prefix=BASE + "ti")
    assert found(indexed, ["valve"], both) == ["title"]


def test_rows_and_chunks_have_their_tag(indexed: LibraryWriter) -> None:
    assert {row.url: row.doc_tag for row in indexed.documents.summaries(limit=99)} == {
        BASE + "deep/one": "example.org/deep",
        **dict.fromkeys((BASE + "code", BASE + "title", BASE + "text"), "example.org"),
    }
    [hit] = indexed.chunks.lexical(["async"], k=9)
    assert [chunk.doc_tag for chunk in indexed.chunks.by_ids([hit.chunk_id])] == ["example.org"]


UNSPACED = {
    "zh": "数据库检索系统可以存储一百万条记录。",
    "ja": "Pythonで接続は最大十個まで開けます。",
    "ko": "버너의 최고 온도는 640도입니다.",
    "th": "อุณหภูมิสูงสุดของหัวเผาคือ 640 องศา",
    "lo": "ຖານຂໍ້ມູນນີ້ເກັບໄດ້",
    "km": "មូលដ្ឋានទិន្នន័យនេះ",
    "my": "ဒေတာဘေ့စ်တွင် မှတ်တမ်း",
    "hi": "यह डेटाबेस है",
    "letters": "The conﬁguration of ＡＢＣ１２３ in the oﬃce.",
}


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("数据库", "zh"),
        ("检索", "zh"),
        ("Python", "ja"),
        ("接続", "ja"),
        ("온도", "ko"),
        ("หัวเผา", "th"),
        ("ຂໍ້ມູນ", "lo"),
        ("ទិន្នន័យ", "km"),
        ("ဒေတာ", "my"),
        ("डेटाबेस", "hi"),
        ("configuration", "letters"),
        ("ABC123", "letters"),
        ("ＡＢＣ１２３", "letters"),
        ("oﬃce", "letters"),
        ("标题", "zh"),
    ],
)
def test_words_of_scripts_without_spaces_and_letters_in_other_forms_are_found(
    library: LibraryWriter, words: str, page: str
) -> None:
    for name, text in UNSPACED.items():
        library.documents.store(document(BASE + name, [text], title="标题" if name == "zh" else "A page"))
    terms = query_terms(words)
    found = library.chunks.by_ids([hit.chunk_id for hit in library.chunks.lexical(terms, k=5)])
    assert found and found[0].url == BASE + page
    assert UNSPACED[page] in found[0].text
    assert max(library.chunks.document_frequencies(terms).values()) >= 1
