"""Excerpts: within their limits, cut between words, complete when read in sequence, and marked if the page has changed."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app import caps
from app.corpus import Corpus
from app.errors import InvalidArgumentError, PassageExpiredError, ScopeViolationError
from app.kb.access import NamedTexts, passage_of
from app.kb.excerpts import CHANGED, GONE, Excerpts
from app.kb.records import Asking, Format
from app.kb.spans import MAX_TEXT_BYTES_PER_CALL, Size, end_of_piece, start_of_piece
from app.library.records import Document, PassageIn
from app.library.scope import Scope
from app.scratch.passage import Passage
from app.scratch.resources import ResourceResolver
from app.scratch.store import ScratchStore
from app.text.terms import estimate_tokens
from tests.support.markdown import chunks_of, store_markdown

URL = "https://docs.example.org/bees/winter"
PAGE = "# Wintering\n\n" + "\n\n".join(
    f"## Step {number}\n\nWeigh hive number {number} in autumn. Close its entrance to {number} mm before the first frost comes."
    for number in range(12)
)
ANNA = Asking("anna")


@pytest.fixture
def scratch() -> ScratchStore:
    return ScratchStore()


@pytest.fixture
def page(corpus: Corpus) -> Document:
    return store_markdown(corpus, URL, PAGE)


@pytest.fixture
def excerpts(corpus: Corpus, scratch: ScratchStore) -> Excerpts:
    return Excerpts(corpus, NamedTexts(corpus, scratch), scratch, estimate_tokens)


def kept(corpus: Corpus, scratch: ScratchStore, page: Document, number: int = 3, owner: str = "anna") -> Passage:
    chunk = chunks_of(corpus, page)[number]
    return scratch.put(owner, scratch.session(owner), passage_of(chunk, page.content_hash))


def test_consecutive_excerpts_cover_the_whole_passage(excerpts: Excerpts, scratch: ScratchStore) -> None:
    text = "The colony eats honey. " * 300
    passage = scratch.put("anna", scratch.session("anna"), PassageIn("7", "files", "Bees", text, "file:///bees.txt"))
    pieces, place = [], 0
    while place is not None:
        found = excerpts.read(ANNA, passage.id, max_tokens=100, start_char=place)
        assert found.truncated == (found.next_start_char is not None)
        pieces.append(found.excerpt)
        place = found.next_start_char
    assert "".join(pieces) == text
    assert all(piece.endswith((" ", ".")) for piece in pieces)


def test_a_page_can_be_read_by_its_url(excerpts: Excerpts, page: Document) -> None:
    by_web = excerpts.read(ANNA, f"{URL}#step-3", max_tokens=50)
    assert by_web.excerpt == excerpts.read(ANNA, f"webrag://page/{page.id}", max_tokens=50).excerpt
    with pytest.raises(PassageExpiredError):
        excerpts.read(ANNA, "https://docs.example.org/unknown")


def test_a_position_beyond_the_end_is_refused(
    excerpts: Excerpts, corpus: Corpus, scratch: ScratchStore, page: Document
) -> None:
    passage = kept(corpus, scratch, page)
    length = len(passage.content.text)
    assert excerpts.read(ANNA, passage.id, start_char=length).next_start_char is None
    with pytest.raises(InvalidArgumentError, match=f"{length} characters"):
        excerpts.read(ANNA, passage.id, start_char=length + 1)


def test_an_excerpt_contains_its_position_in_the_page(
    excerpts: Excerpts, corpus: Corpus, scratch: ScratchStore, page: Document
) -> None:
    found = excerpts.read(ANNA, kept(corpus, scratch, page).id, max_tokens=10, start_char=5)
    assert found.document_hash == page.content_hash
    assert page.text[found.start : found.end] == found.excerpt


def test_bullets_are_unchanged_sentences(
    excerpts: Excerpts, corpus: Corpus, scratch: ScratchStore, page: Document
) -> None:
    found = excerpts.read(ANNA, kept(corpus, scratch, page).id, format=Format.BULLETS)
    lines = found.excerpt.splitlines()
    assert len(lines) > 1
    assert all(line.startswith("- ") and line[2:] in page.text for line in lines)


def test_expanding_includes_surrounding_text(
    excerpts: Excerpts, corpus: Corpus, scratch: ScratchStore, page: Document
) -> None:
    passage = kept(corpus, scratch, page)
    found = excerpts.expand(ANNA, passage.id, before_tokens=30, after_tokens=30)
    assert passage.content.text in found.excerpt
    assert found.excerpt in page.text
    assert found.start_char < 0
    assert found.next_start_char is not None and found.next_start_char > len(passage.content.text)
    wider = excerpts.expand(ANNA, passage.id, before_tokens=30, after_tokens=30)
    assert found.excerpt in wider.excerpt and len(wider.excerpt) > len(found.excerpt)
    onward = excerpts.expand(ANNA, passage.id, before_tokens=0, after_tokens=20, start_char=wider.next_start_char)
    assert wider.excerpt + onward.excerpt in page.text


def test_expanding_continues_from_the_last_excerpt(
    excerpts: Excerpts, corpus: Corpus, scratch: ScratchStore, page: Document
) -> None:
    passage = kept(corpus, scratch, page)
    read = excerpts.read(ANNA, passage.id, max_tokens=10)
    expanded = excerpts.expand(ANNA, passage.id, before_tokens=0, after_tokens=10)
    assert expanded.excerpt.startswith(read.excerpt)
    assert expanded.start_char == 0


def test_expanding_ends_at_the_page_limits(
    excerpts: Excerpts, corpus: Corpus, scratch: ScratchStore, page: Document
) -> None:
    last = kept(corpus, scratch, page, -1)
    found = excerpts.expand(ANNA, last.id)
    assert found.next_start_char is None and not found.truncated
    assert page.text.endswith(found.excerpt)
    with pytest.raises(InvalidArgumentError, match="start_char must be from"):
        excerpts.expand(ANNA, last.id, start_char=10_000)
    with pytest.raises(InvalidArgumentError, match="both 0"):
        excerpts.expand(ANNA, last.id, before_tokens=0, after_tokens=0)


@pytest.mark.parametrize("is_gone", [True, False])
def test_a_changed_page_is_reported(
    excerpts: Excerpts, corpus: Corpus, scratch: ScratchStore, page: Document, is_gone: bool
) -> None:
    passage = kept(corpus, scratch, page)
    if is_gone:
        corpus.documents.delete([page.id])
    else:
        store_markdown(corpus, URL, PAGE.replace("Weigh", "Lift"))
    found = excerpts.expand(ANNA, passage.id)
    assert found.excerpt == passage.content.text
    assert found.note == (GONE if is_gone else CHANGED)
    assert found.document_hash == ""
    assert excerpts.read(ANNA, passage.id).note == found.note


def test_pages_and_sections_are_read_like_passages(excerpts: Excerpts, corpus: Corpus, page: Document) -> None:
    whole = excerpts.read(ANNA, f"webrag://page/{page.id}", max_tokens=40)
    assert page.text.startswith(whole.excerpt) and whole.truncated
    chunk = chunks_of(corpus, page)[2]
    assert excerpts.read(ANNA, str(chunk.id)).excerpt == chunk.text
    with pytest.raises(PassageExpiredError):
        excerpts.read(ANNA, "999999")


def test_only_the_owner_can_read_under_any_spelling(
    excerpts: Excerpts, corpus: Corpus, scratch: ScratchStore, page: Document
) -> None:
    passage = kept(corpus, scratch, page)
    session = scratch.session("anna")
    spellings = (passage.id, passage.uri, passage.uri.replace("webrag", "wekadocs"), f" {passage.id} ")
    for spelling in spellings:
        assert excerpts.read(ANNA, spelling).passage_id == passage.id
    for spelling in spellings:
        for asking in (Asking("berta"), Asking("berta", session), Asking("")):
            with pytest.raises(PassageExpiredError, match="Unknown passage"):
                excerpts.read(asking, spelling)
            with pytest.raises(PassageExpiredError, match="Unknown passage"):
                excerpts.expand(asking, spelling)


def test_the_scope_applies_to_passages_and_pages(
    excerpts: Excerpts, corpus: Corpus, scratch: ScratchStore, page: Document
) -> None:
    passage = kept(corpus, scratch, page)
    inside, outside = (Asking("anna", scope=Scope(repositories=(root,))) for root in ("docs.example.org", "other.org"))
    assert excerpts.read(inside, passage.id).doc_tag == "docs.example.org/bees"
    for name in (passage.id, f"webrag://page/{page.id}"):
        with pytest.raises(ScopeViolationError):
            excerpts.read(outside, name)


HARD = st.text(
    st.sampled_from("ab é ü \n\t.—🐝👩‍🚀🇩🇪🇫🇷e\u0301\u200d\ufe0f蜂の冬\ud83d\ude00" + "word " * 3),
    min_size=1,
    max_size=400,
)


@given(HARD, st.integers(1, 60), st.integers(1, 200), st.data())
@example("x" * 300, 10, 50, None)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_pieces_fit_their_size_without_splitting_characters(
    text: str, tokens: int, size: int, data: st.DataObject | None
) -> None:
    start = data.draw(st.integers(0, len(text) - 1)) if data else 0
    room = Size(tokens, lambda piece: -(-len(piece.encode("utf-8", "surrogatepass")) // 4), size)
    end = end_of_piece(text, start, len(text), room)
    begin = start_of_piece(text, 0, len(text), room)
    for piece in (text[start:end], text[begin:]):
        assert room.holds(piece)
    assert end > start or len(text[start].encode("utf-8", "surrogatepass")) > size
    if end - start > 8 and end < len(text) and " " in text[start + 1 : end]:
        assert not (text[end - 1].isascii() and text[end - 1].isalnum() and text[end].isascii() and text[end].isalnum())
        assert not "\u0300" <= text[end] <= "\u036f"


@given(st.integers(1, 5_000), st.integers(0, 3))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_excerpts_stay_within_the_limits(scratch: ScratchStore, corpus: Corpus, tokens: int, kind: int) -> None:
    text = ("word " * 20_000, "x" * 90_000, "蜂" * 40_000, "a\u0301" * 40_000)[kind]
    passage = scratch.put("anna", scratch.session("anna"), PassageIn("", "", "Long", text, ""))
    reader = Excerpts(corpus, ResourceResolver(corpus, scratch), scratch, lambda piece: len(piece.split()))
    for found in (reader.read(ANNA, passage.id, max_tokens=tokens), reader.expand(ANNA, passage.id, start_char=5_000)):
        assert len(found.excerpt.split()) <= caps.MAX_EXCERPT_TOKENS
        assert len(found.excerpt.encode()) <= MAX_TEXT_BYTES_PER_CALL
        assert found.excerpt and found.excerpt in text
