"""Quotes compared with stored pages: exact, near with the difference, or absent."""

from __future__ import annotations

import re
import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.corpus import Corpus
from app.errors import InvalidArgumentError, PassageExpiredError, ScopeViolationError
from app.kb.access import passage_of
from app.kb.alignment import ONLY_LETTERS, ONLY_MARKUP, ONLY_SPACE, PreparedQuote
from app.kb.records import Asking, Verdict, Verification
from app.kb.verification import QuoteVerifier
from app.library.records import Document
from app.library.scope import Scope
from app.scratch.resources import ResourceResolver
from app.scratch.store import ScratchStore
from app.text.page_text import marked, marked_quote
from tests.support.markdown import chunks_of, store_markdown

URL = "https://docs.example.org/bees/hive"
PAGE = """# Choosing a hive

Wooden walls of **25 mm** lose heat [quickly](https://example.org/heat). A second skin of `cork_fibre` or
wood halves the loss, and the cluster eats about a third less honey.

## Stores

| Place | Stores |
|---|---|
| Valley | 18 kg |

Raise it to `2**3` at most. 冬の間、蜂は蜂球を作り、蜂蜜を食べて体温を保ちます。
"""
OTHER = "# Pumps\n\nOpen the valve slowly, and check the oil of the pump before it runs."
ANNA = Asking("anna")


@pytest.fixture
def scratch() -> ScratchStore:
    return ScratchStore()


@pytest.fixture
def page(corpus: Corpus) -> Document:
    store_markdown(corpus, "https://pumps.example.org/manual/start", OTHER)
    return store_markdown(corpus, URL, PAGE)


@pytest.fixture
def verifier(corpus: Corpus, scratch: ScratchStore, page: Document) -> QuoteVerifier:
    return QuoteVerifier(corpus, ResourceResolver(corpus, scratch), scratch)


def stands(found: Verification, page: Document) -> bool:
    return page.text[found.start : found.end] == found.closest and found.document_hash == page.content_hash


@pytest.mark.parametrize("uri", [None, URL, f"{URL}#stores"])
@pytest.mark.parametrize(
    ("quote", "note"),
    [
        ("the cluster eats about a third less honey", ""),
        ('"the cluster eats about a third less honey."', ""),
        ("the cluster\n   eats about a third  less honey", ONLY_SPACE),
        ("Wooden walls of 25 mm lose heat quickly.", ONLY_MARKUP),
        ("A second skin of cork_fibre or wood halves the loss", ONLY_MARKUP),
        ("Valley 18 kg", ONLY_MARKUP),
        ("Raise it to 2**3 at most.", ONLY_MARKUP),
        ("蜂は蜂球を作り、蜂蜜を食べて", ""),
    ],
)
def test_text_as_displayed_is_an_exact_match(
    verifier: QuoteVerifier, page: Document, quote: str, note: str, uri: str | None
) -> None:
    found = verifier.verify(ANNA, quote, uri)
    assert found.verdict is Verdict.EXACT, found
    assert found.note == note
    assert stands(found, page)
    assert found.url == URL and found.title == "Choosing a hive" and found.session_id


@pytest.mark.parametrize(
    "quote",
    [
        "The configuration of the flame office",
        "The conﬁguration of the flame oﬃce",
        "model ABC123 fits",
        "model ＡＢＣ１２３ fits",
        unicodedata.normalize("NFC", "the cafe\u0301 in Zu\u0308rich"),
        unicodedata.normalize("NFD", "한글 문서"),
        "บ้าน 数据库",
    ],
)
@pytest.mark.parametrize("uri", [None, "https://forms.example.org/"])
def test_character_forms_are_ignored(verifier: QuoteVerifier, corpus: Corpus, quote: str, uri: str | None) -> None:
    text = "# Forms\n\nThe conﬁguration of the ﬂame oﬃce: model ＡＢＣ１２３ fits the cafe\u0301 in Zu\u0308rich, 한글 문서, บ้าน 数据库."
    store_markdown(corpus, "https://forms.example.org/", text)
    found = verifier.verify(ANNA, quote, uri)
    assert found.verdict is Verdict.EXACT, found
    assert found.note in ("", ONLY_LETTERS)
    page = corpus.documents.get("https://forms.example.org/")
    assert page is not None and stands(found, page)
    assert unicodedata.normalize("NFKC", found.closest) == unicodedata.normalize("NFKC", quote)


@pytest.mark.parametrize(
    ("quote", "difference"),
    [
        ("Wooden walls of 52 mm lose heat quickly.", '"52" is "25" in the page'),
        ("the cluster never eats about a third less honey", '"never" is not in the page'),
        ("the cluster eats a third less honey", 'the page also has "about"'),
        ("wooden walls of 25 mm lose heat", '"wooden" is "Wooden" in the page'),
        ("Raise it to 23 at most.", "2**3"),
        ("A second skin of corkfibre or wood halves the loss", '"corkfibre" is "cork_fibre" in the page'),
    ],
)
@pytest.mark.parametrize("uri", [None, URL])
def test_an_altered_quote_is_near_with_its_differences(
    verifier: QuoteVerifier, page: Document, quote: str, difference: str, uri: str | None
) -> None:
    found = verifier.verify(ANNA, quote, uri)
    assert found.verdict is Verdict.NEAR, found
    assert difference in found.difference or difference in found.closest
    assert 0.6 <= found.similarity < 1
    assert stands(found, page)


@pytest.mark.parametrize("uri", [None, URL])
@pytest.mark.parametrize(
    "quote",
    [
        "Elephants never forget the names of their keepers",
        "25 pumps",
        "≠≠",
        "zebra",
        "walls are slow",
        "Wooden walls breathe heat",
        "a second mite halves",
    ],
)
def test_a_missing_quote_is_absent(verifier: QuoteVerifier, quote: str, uri: str | None) -> None:
    found = verifier.verify(ANNA, quote, uri)
    assert found.verdict is Verdict.ABSENT
    assert found.closest == "" and found.difference == ""


def test_a_passage_is_checked_in_its_page(
    verifier: QuoteVerifier, corpus: Corpus, scratch: ScratchStore, page: Document
) -> None:
    chunk = chunks_of(corpus, page)[0]
    passage = scratch.put("anna", scratch.session("anna"), passage_of(chunk, page.content_hash))
    for name in (passage.id, passage.uri, f"webrag://page/{page.id}", f"webrag://lib/private/page/{page.id}"):
        found = verifier.verify(ANNA, "Valley | 18 kg", name)
        assert found.verdict is Verdict.EXACT and stands(found, page)
        assert found.heading == "Stores"
    with pytest.raises(PassageExpiredError):
        verifier.verify(Asking("berta"), "Valley", passage.uri)


def test_differences_in_scripts_without_spaces_have_none() -> None:
    match = PreparedQuote("酒店费用每晚最高报销一百欧元。").nearest(
        "酒店费用每晚最高报销一百四十欧元。", time.monotonic() + 60
    )
    assert match is not None and match.difference == 'the page also has "四十"'


def test_differences_are_quoted_safely() -> None:
    quote = "Wooden walls of 25 mm lose heat quickly, so the cluster eats more in the long winter."
    text = quote.replace(" mm", " mm' in it. Note: \"checked\"; also '")
    match = PreparedQuote(quote).nearest(text, time.monotonic() + 60)
    assert match is not None and "checked" in match.difference
    said = re.sub('"[^"]*"', "", match.difference).split("; ")
    assert {" ".join(part.split()) for part in said} <= {"is in the page", "is not in the page", "the page also has"}


def test_pages_that_cannot_be_compared_raise_errors(verifier: QuoteVerifier, page: Document) -> None:
    for uri in ("https://nowhere.example/", "ftp://x/", "/etc/passwd", "http://[broken"):
        with pytest.raises(InvalidArgumentError):
            verifier.verify(ANNA, "anything", uri)
    with pytest.raises(InvalidArgumentError, match="empty"):
        verifier.verify(ANNA, "  ")


def test_the_scope_applies(verifier: QuoteVerifier, page: Document) -> None:
    quote = "the cluster eats about a third less honey"
    elsewhere = Asking("anna", scope=Scope(repositories=("pumps.example.org",)))
    assert verifier.verify(elsewhere, quote).verdict is Verdict.ABSENT
    with pytest.raises(ScopeViolationError):
        verifier.verify(elsewhere, quote, URL)


@given(st.integers(0, len(PAGE) - 30), st.integers(12, 200))
@settings(max_examples=60, deadline=None)
def test_every_part_of_a_page_is_an_exact_match(start: int, length: int) -> None:
    piece = PAGE[start : start + length]
    match = PreparedQuote(piece).in_text(PAGE)
    assert match is not None and match.is_exact
    assert PAGE[match.start : match.end].split() == piece.split()


@pytest.mark.parametrize(
    "text", ["](" * 50_000, "word-" * 40_000, "[a](b " * 30_000, "**" * 100_000 + " walls", "25 mm lose " * 30_000]
)
def test_hostile_pages_are_processed_quickly(text: str) -> None:
    quote = PreparedQuote("Wooden walls of 25 mm lose heat quickly. " * 20)
    started = time.process_time()
    if quote.in_text(text) is None:
        quote.nearest(text, time.monotonic() + 2)
    assert time.process_time() - started < 10


@given(first=st.integers(0, len(PAGE.splitlines()) - 1), lines=st.integers(1, 6), quoted=st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_quote_can_contain_the_markup_of_a_result(first: int, lines: int, quoted: bool) -> None:
    part = "\n".join(PAGE.splitlines()[first : first + lines]).strip()
    if part:
        shown = marked_quote(part) if quoted else marked(part)
        assert PreparedQuote(shown).in_text(PAGE) == PreparedQuote(part).in_text(PAGE)
