"""Documents stored, replaced, read and deleted; links of a page, and addresses with a prefix."""

from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.corpus import Corpus
from app.corpus.document_writer import MAX_NAVIGATION_BYTES, pack_urls, unpack_urls
from app.errors import CorpusError, InvalidArgumentError
from app.library.records import DocumentState, ImageRecord, LinkRecord, SectionRecord
from app.library.scope import Filter
from tests.corpus.builders import document, embed

URL = "https://example.org/guide"
PARAGRAPHS = ("Installing the pump", "Running the pump", "Cleaning the pump")


def test_chunks_are_returned_in_the_requested_order_or_text_order(corpus: Corpus) -> None:
    given = document(URL, PARAGRAPHS)
    outcome = corpus.documents.store(given)
    first, second, third = outcome.new_chunk_ids
    assert [chunk.id for chunk in corpus.chunks.by_ids([third, 99, first])] == [third, first]
    [chunk] = corpus.chunks.by_ids([second])
    assert chunk.text == "Head: Running the pump …"
    assert chunk.text[chunk.prefix_length : -chunk.suffix_length] == given.text[chunk.start : chunk.end]
    assert (chunk.ord, chunk.url, chunk.title, chunk.anchor) == (1, URL, "A page", "part")
    assert (chunk.section_path, chunk.tokens, chunk.last_crawled) == (("Guide", "Part"), 5, 100.0)
    pages = [corpus.chunks.of_document(outcome.document_id, limit=2, offset=offset) for offset in (0, 2)]
    assert [[each.id for each in page] for page in pages] == [[first, second], [third]]


def test_storing_again_keeps_unchanged_chunks(corpus: Corpus) -> None:
    first = corpus.documents.store(document(URL, PARAGRAPHS))
    installing, running, cleaning = first.new_chunk_ids
    vectors = embed(corpus, first.new_chunk_ids)
    second = corpus.documents.store(
        document(URL, ["A warning", "Cleaning the pump", "Installing the pump"], last_crawled=200.0)
    )
    assert (second.document_id, second.kept, second.removed) == (first.document_id, 2, 1)
    [warning] = second.new_chunk_ids
    assert warning > cleaning
    found = corpus.chunks.of_document(first.document_id, limit=9)
    assert [chunk.id for chunk in found] == [warning, cleaning, installing]
    assert [chunk.ord for chunk in found] == [0, 1, 2]
    assert corpus.vectors.similarities(vectors[2], [installing, running, cleaning]).keys() == {installing, cleaning}
    assert corpus.vectors.similarities(vectors[2], [cleaning])[cleaning] == pytest.approx(1, abs=1e-4)
    assert [passage.chunk_id for passage in corpus.vectors.waiting(9)] == [warning]
    assert corpus.chunks.lexical(["running"], k=9) == []
    assert [hit.chunk_id for hit in corpus.chunks.lexical(["warning"], k=9)] == [warning]


def test_aliases_are_limited_to_the_latest(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.caps.MAX_ALIASES_PER_DOCUMENT", 3)
    other = "https://example.org/other"
    corpus.documents.store(document(other, ["Another page"], aliases=(other + "/2", other + "/3")))
    aliases = [f"{URL}?visit={number}" for number in (1, 2, 3, 4, 5)]
    for alias in aliases:
        corpus.documents.store(document(URL, PARAGRAPHS, aliases=(alias,)))
    leading = [alias for alias in aliases if corpus.documents.summary(alias) == corpus.documents.summary(URL)]
    assert len(leading) == 3
    assert aliases[-1] in leading
    assert corpus.documents.summary(other + "/3") == corpus.documents.summary(other)


def test_deleting_removes_all_data_of_a_document(corpus: Corpus) -> None:
    given = document(
        URL,
        PARAGRAPHS,
        aliases=("https://example.org/g",),
        sections=(SectionRecord(1, "Guide", None, 0, 5),),
        images=(ImageRecord("https://example.org/a.png", "", "", 0),),
        links=(LinkRecord("https://example.org/x", "pump", 15, 19),),
        navigation=("https://example.org/menu",),
    )
    outcome = corpus.documents.store(given)
    embed(corpus, outcome.new_chunk_ids[:2])
    assert corpus.documents.delete([outcome.document_id])
    assert not corpus.documents.delete([outcome.document_id])
    kept = {
        "meta",
        "migrations",
        "models",
        "changes",
        "sqlite_sequence",
        "chunks_fts_data",
        "chunks_fts_idx",
        "chunks_fts_config",
        "doc_words_data",
        "doc_words_config",
    }
    with corpus._database.read() as con:
        tables = [row[0] for row in con.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        filled = {name for name in tables if con.execute(f"SELECT count(*) FROM {name}").get}
    assert filled <= kept
    assert corpus.chunks.lexical(["pump"], k=9) == []


def test_summaries_support_counts_filters_and_pages(corpus: Corpus) -> None:
    for number in range(5):
        url = f"https://{'docs' if number % 2 else 'blog'}.example.org/{number}"
        given = document(url, PARAGRAPHS, title=f"100% of {number}_x", last_crawled=float(number + 1))
        corpus.documents.store(given)
    everything = corpus.documents.summaries(limit=9)
    assert [row.last_crawled for row in everything] == [5, 4, 3, 2, 1]
    assert corpus.documents.summaries(limit=2, offset=3) == everything[3:]
    assert [row.id for row in corpus.documents.summaries(filter=Filter(url_prefix="https://docs."), limit=9)] == [4, 2]
    assert [row.id for row in corpus.documents.summaries(text="100% OF 3", limit=9)] == [4]
    assert [row.id for row in corpus.documents.summaries(text="3_X", limit=9)] == [4]
    assert [row.id for row in corpus.documents.summaries(text="blog.", limit=1)] == [5]
    assert corpus.documents.summaries(text="100_", limit=9) == []
    assert corpus.documents.summaries(filter=Filter(urls=("https://nowhere/",)), limit=9) == []
    embed(corpus, [chunk.id for chunk in corpus.chunks.of_document(3, limit=9)])
    [row] = corpus.documents.summaries(filter=Filter(document_ids=(3,)), limit=9)
    assert (row.state, row.chunks, row.chunks_embedded, row.tokens) == (DocumentState.READY, 3, 3, 15)
    assert (everything[0].state, everything[0].chunks_embedded) == (DocumentState.TEXT, 0)


def test_totals_count_the_corpus(corpus: Corpus, path: Path) -> None:
    assert corpus.totals().documents == 0
    outcome = corpus.documents.store(document(URL, PARAGRAPHS))
    embed(corpus, outcome.new_chunk_ids[:1])
    found = corpus.totals()
    assert (found.documents, found.chunks, found.tokens, found.chunks_embedded) == (1, 3, 15, 1)
    assert found.file_bytes >= path.stat().st_size > 0


def test_details_of_documents_are_returned_without_reading_them(corpus: Corpus) -> None:
    first = corpus.documents.store(document(URL, PARAGRAPHS)).document_id
    second = corpus.documents.store(document("http://example.org/copy", PARAGRAPHS)).document_id
    third = corpus.documents.store(document("http://example.org/other", ["Other words"])).document_id
    stored = {number: corpus.documents.by_id(number) for number in (first, second, third)}
    hashes = corpus.documents.content_hashes([third, first, second, 999])
    assert hashes == {number: found.content_hash for number, found in stored.items() if found is not None}
    assert corpus.documents.complete([first, second, third]) == {}
    embed(corpus, [chunk.id for chunk in corpus.chunks.of_document(second, limit=99)])
    assert corpus.documents.complete([first, second, third, 999]) == {second: "http://example.org/copy"}
    assert corpus.chunks.count() == corpus.totals().chunks == 2 * len(PARAGRAPHS) + 1
    one = Filter(urls=("http://example.org/copy",))
    assert corpus.documents.counts(one) == (1, len(PARAGRAPHS))
    assert corpus.documents.counts(Filter(doc_tags=(("nowhere", first, second),))) == (2, 2 * len(PARAGRAPHS))
    assert corpus.documents.counts(Filter()) == (3, 2 * len(PARAGRAPHS) + 1)
    assert corpus.documents.counts(Filter(urls=("https://nowhere/",))) == (0, 0)


def test_repeated_keys_missing_addresses_and_broken_characters_are_refused(corpus: Corpus) -> None:
    given = document(URL, PARAGRAPHS)
    twice = replace(given, chunks=(given.chunks[0], replace(given.chunks[1], key=given.chunks[0].key)))
    nul = replace(given, aliases=("https://example.org/\0",))
    for wrong in (twice, nul, replace(given, url=""), replace(given, title="\ud800")):
        with pytest.raises(InvalidArgumentError):
            corpus.documents.store(wrong)
    assert corpus.totals().documents == 0


def test_a_failed_replacement_keeps_the_old_document(corpus: Corpus) -> None:
    corpus.documents.store(document(URL, PARAGRAPHS))
    before = corpus.documents.get(URL)
    broken = (LinkRecord("https://example.org/\ud800", "x", 0, 1),)
    with pytest.raises(InvalidArgumentError):
        corpus.documents.store(document(URL, ["New words"], links=broken))
    assert corpus.documents.get(URL) == before


MENU = tuple(f"https://example.org/menu/{number}" for number in range(300))


def test_navigation_is_replaced_with_the_page(corpus: Corpus) -> None:
    document_id = corpus.documents.store(document(URL, ["Word"], navigation=MENU)).document_id
    assert corpus.documents.outgoing(document_id) == list(MENU)
    corpus.documents.store(document(URL, ["Word"], navigation=MENU[:2]))
    assert corpus.documents.outgoing(document_id) == list(MENU[:2])
    corpus.documents.store(document(URL, ["Word"]))
    assert corpus.documents.outgoing(document_id) == []


def test_a_menu_takes_little_space() -> None:
    assert len(pack_urls(MENU)) < len("\n".join(MENU)) / 5


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_addresses_survive_packing(urls: list[str]) -> None:
    assert unpack_urls(pack_urls(urls)) == [url for url in urls if url and "\n" not in url]


def test_a_list_is_packed_up_to_the_limit_of_unpacking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.document_writer.MAX_NAVIGATION_BYTES", 11)
    assert unpack_urls(pack_urls(["a" * 5, "b" * 5, "c"])) == ["a" * 5, "b" * 5]
    assert unpack_urls(pack_urls(["a" * 5, "b" * 6])) == ["a" * 5]


def test_a_damaged_list_raises_a_clear_error() -> None:
    for blob in (
        b"",
        b"\0",
        pack_urls(MENU)[:-3],
        zlib.compress(bytes(MAX_NAVIGATION_BYTES + 1)),
        zlib.compress(b"\xff"),
    ):
        with pytest.raises(CorpusError, match="stored links"):
            unpack_urls(blob)
