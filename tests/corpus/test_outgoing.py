"""The addresses a page links to, and the addresses below one."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.corpus import Corpus
from app.corpus.encoding import pack_urls, unpack_urls
from app.corpus.records import LinkRecord
from app.errors import CorpusError
from tests.corpus.builders import document

URL = "https://example.org/guide"
MENU = tuple(f"https://example.org/menu/{number}" for number in range(300))


def test_links_of_the_text_come_first_then_navigation_each_once_without_fragments(corpus: Corpus) -> None:
    links = tuple(
        LinkRecord(url, "word", 0, 4)
        for url in ("https://example.org/b#part", "#here", "https://example.org/a", "https://example.org/b")
    )
    navigation = ("https://example.org/home", "https://example.org/a#top", "", "https://example.org/home#x")
    stored = corpus.documents.store(document(URL, ["Word"], links=links, navigation=navigation))
    assert corpus.documents.outgoing(stored.document_id) == [
        "https://example.org/b",
        "https://example.org/a",
        "https://example.org/home",
    ]
    assert corpus.documents.outgoing(99) == []


def test_navigation_is_replaced_with_the_page(corpus: Corpus) -> None:
    document_id = corpus.documents.store(document(URL, ["Word"], navigation=MENU)).document_id
    assert corpus.documents.outgoing(document_id) == list(MENU)
    corpus.documents.store(document(URL, ["Word"], navigation=MENU[:2]))
    assert corpus.documents.outgoing(document_id) == list(MENU[:2])
    corpus.documents.store(document(URL, ["Word"]))
    assert corpus.documents.outgoing(document_id) == []


def test_a_menu_takes_little_room() -> None:
    assert len(pack_urls(MENU)) < len("\n".join(MENU)) / 5


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_addresses_come_back_from_a_packed_list(urls: list[str]) -> None:
    assert unpack_urls(pack_urls(urls)) == [url for url in urls if url and "\n" not in url]


def test_a_list_is_cut_where_reading_it_would_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_NAVIGATION_BYTES", 11)
    assert unpack_urls(pack_urls(["a" * 5, "b" * 5, "c"])) == ["a" * 5, "b" * 5]
    assert unpack_urls(pack_urls(["a" * 5, "b" * 6])) == ["a" * 5]


def test_a_damaged_list_is_an_error_in_words() -> None:
    for blob in (
        b"",
        b"\0",
        pack_urls(MENU)[:-3],
        zlib.compress(bytes(caps.MAX_NAVIGATION_BYTES + 1)),
        zlib.compress(b"\xff"),
    ):
        with pytest.raises(CorpusError, match="list of links"):
            unpack_urls(blob)


def test_addresses_below_a_prefix_are_found_by_their_exact_start(corpus: Corpus) -> None:
    below = ["https://example.org/docs/", "https://example.org/docs/a", "https://example.org/docs/über"]
    others = [
        "https://example.org/docs",
        "https://example.org/Docs/a",
        "https://example.org/doct",
        "http://b.org/docs/",
    ]
    for url in (*below[::-1], *others):
        corpus.documents.store(document(url, ["Word"]))
    assert corpus.documents.urls_below("https://example.org/docs/", 9) == below
    assert corpus.documents.urls_below("https://example.org/docs/", 2) == below[:2]
    assert corpus.documents.urls_below("https://example.org/docs/%", 9) == []
    assert len(corpus.documents.urls_below("", 99)) == 7
