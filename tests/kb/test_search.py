"""Search: short candidates, one per page, cursors bound to their search and session, scopes."""

from __future__ import annotations

import pytest

from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.errors import InvalidArgumentError, PassageExpiredError
from app.kb.finder import Finder
from app.kb.records import Asking, LimitReason, Mode, SearchPage, SearchRequest
from app.kb.search import Searcher, cursor_behind, place_of
from app.library.scope import Filter, Narrowing, Scope
from app.retrieval.records import ALL_STAGES
from app.scratch.store import ScratchStore
from tests.support.markdown import store_markdown
from tests.support.stored import embed_all

ANNA, BERT = Asking("anna"), Asking("bert")
TOPICS = ("cork", "wood", "straw", "clay", "stone", "glass", "steel", "paper")


def page(topic: str) -> str:
    parts = [
        f"## {place}\n\nA hive of {topic} in the {place} keeps its warmth {number} days longer than one without walls of {topic}. "
        f"The beekeeper of the {place} weighs the {topic} hive every week and writes its weight into a book."
        for number, place in enumerate(("valley", "forest", "city"), start=2)
    ]
    return f"# Hives of {topic}\n\n" + "\n\n".join(parts)


@pytest.fixture
def scratch() -> ScratchStore:
    return ScratchStore()


@pytest.fixture
def shelf(corpus: Corpus, embedder: Embedder) -> Corpus:
    for number, topic in enumerate(TOPICS):
        store_markdown(
            corpus, f"https://{'bees' if number % 2 else 'hives'}.example.org/{topic}/index.html", page(topic)
        )
    embed_all(corpus, embedder)
    return corpus


@pytest.fixture
def searcher(shelf: Corpus, embedder: Embedder, scratch: ScratchStore) -> Searcher:
    return Searcher(shelf, Finder(shelf, embedder, ALL_STAGES, has_graph=True), scratch)


def request(query: str = "Which hive keeps its warmth longest?", **changes: object) -> SearchRequest:
    return SearchRequest(**{"query": query, "top_k": 5, "page_size": 5, **changes})  # type: ignore[arg-type]


def places(found: SearchPage) -> list[str]:
    return [result.section_id for result in found.results]


def test_a_search_returns_short_candidates_of_different_pages(searcher: Searcher, scratch: ScratchStore) -> None:
    found = searcher.search(ANNA, request())
    assert len(found.results) == len({result.url for result in found.results}) == 5
    assert (found.next_cursor, found.partial, found.limit_reason) == (None, False, LimitReason.NONE)
    assert [result.rank for result in found.results] == [1, 2, 3, 4, 5]
    scores = [result.score for result in found.results]
    assert scores == sorted(scores, reverse=True)
    for result in found.results:
        passage = scratch.read_uri("anna", result.scratch_uri)
        assert (passage.id, passage.size_bytes) == (result.passage_id, result.size_bytes)
        assert len(result.preview) <= 280 and result.preview != passage.content.text
        assert result.source == "reranked"


def test_a_page_can_have_several_candidates_on_request(searcher: Searcher) -> None:
    found = searcher.search(ANNA, request("hive of cork", top_k=9, page_size=9, max_per_doc=3))
    assert len({result.url for result in found.results}) < len(found.results) == 9


def test_pages_of_a_search_continue_despite_concurrent_changes(searcher: Searcher, shelf: Corpus) -> None:
    whole = searcher.search(ANNA, request(top_k=8, page_size=8))
    first = searcher.search(ANNA, request(top_k=8, page_size=3))
    store_markdown(shelf, "https://bees.example.org/new", page("warmth"))
    second = searcher.search(ANNA, request(top_k=8, page_size=3, cursor=first.next_cursor))
    third = searcher.search(ANNA, request(top_k=8, page_size=3, cursor=second.next_cursor))
    assert places(first) + places(second) + places(third) == places(whole)
    assert (first.partial, first.limit_reason) == (True, LimitReason.PAGE_SIZE)
    assert third.next_cursor is None and [result.rank for result in third.results] == [7, 8]
    again = searcher.search(ANNA, request(top_k=8, page_size=3, cursor=first.next_cursor))
    assert [result.passage_id for result in again.results] == [result.passage_id for result in second.results]


def test_a_repeated_search_is_remembered_as_the_newest(
    searcher: Searcher, shelf: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.kb.search.MAX_SEARCHES_REMEMBERED", 2)
    whole = searcher.search(ANNA, request(top_k=8, page_size=8))
    searcher.search(ANNA, request("hive of cork"))
    first = searcher.search(ANNA, request(top_k=8, page_size=3))
    searcher.search(ANNA, request("hive of straw"))
    shelf.documents.delete([result.document_id for result in whole.results[:3]])
    second = searcher.search(ANNA, request(top_k=8, page_size=3, cursor=first.next_cursor))
    assert places(second) == places(whole)[3:6]


def test_a_cursor_is_valid_only_for_its_search_and_session(searcher: Searcher) -> None:
    first = searcher.search(ANNA, request(page_size=2))
    cursor = first.next_cursor or ""
    forged = ("A" if cursor[0] != "A" else "B") + cursor[1:]
    others = [
        (ANNA, request("another query", page_size=2, cursor=cursor)),
        (ANNA, request(page_size=2, top_k=6, cursor=cursor)),
        (BERT, request(page_size=2, cursor=cursor)),
        *((ANNA, request(page_size=2, cursor=text)) for text in (forged, "", "x", cursor[:-4], "é" * 24)),
    ]
    for asking, asked in others:
        with pytest.raises(InvalidArgumentError, match="cursor"):
            searcher.search(asking, asked)


def test_cursors_contain_only_a_position() -> None:
    cursor = cursor_behind(b"secret", b"search", 25)
    assert place_of(b"secret", b"search", cursor) == 25
    assert len(cursor) < 30


def test_a_session_of_another_owner_is_refused(searcher: Searcher) -> None:
    found = searcher.search(ANNA, request())
    with pytest.raises(PassageExpiredError):
        searcher.search(Asking("bert", found.session_id), request())


def test_scope_and_filters_restrict_the_results(searcher: Searcher) -> None:
    bees = Asking("anna", scope=Scope(repositories=("bees.example.org",)))
    found = searcher.search(bees, request(top_k=8, page_size=8))
    assert {result.doc_tag.partition("/")[0] for result in found.results} == {"bees.example.org"}
    narrowed = searcher.search(bees, request(narrowing=Narrowing(path_prefix="/wood")))
    assert {result.doc_tag for result in narrowed.results} == {"bees.example.org/wood"}
    nothing = searcher.search(bees, request(narrowing=Narrowing(doc_tags=("hives.example.org",))))
    assert nothing.results == ()


def test_a_session_scope_contains_only_passages_of_the_session(searcher: Searcher) -> None:
    held = Asking("anna", scope=Scope(environment="scratch"))
    assert searcher.search(held, request()).results == ()
    seen = searcher.search(ANNA, request("hive of clay", top_k=1, page_size=1))
    found = searcher.search(held, request("hive", max_per_doc=9))
    assert {result.url for result in found.results} == {result.url for result in seen.results}


def test_an_exact_query_is_not_reworded(searcher: Searcher, shelf: Corpus, embedder: Embedder) -> None:
    finder = Finder(shelf, embedder, ALL_STAGES)
    asked = "Which hives can I get rid of and which do I keep?"
    assert len(finder.find(asked, Filter(), Mode.AUTO).readings) == 2
    [exact] = finder.find(asked, Filter(), Mode.AUTO, rewrite=False).readings
    assert exact.analysis.query == asked
    assert searcher.search(ANNA, request('"hive of clay"', rewrite=False)).results[0].doc_tag.endswith("/clay")


def test_the_graph_is_used_on_request_if_there_is_one(shelf: Corpus, embedder: Embedder, scratch: ScratchStore) -> None:
    shelf.graph.fill(len(TOPICS))
    searcher = Searcher(shelf, Finder(shelf, embedder, ALL_STAGES, has_graph=True), scratch)
    modes = [searcher.search(ANNA, request(mode=mode)).mode for mode in Mode]
    assert modes == [Mode.VECTOR_ONLY, Mode.VECTOR_ONLY, Mode.HYBRID_LOCAL]


def test_the_mode_shows_a_missing_graph(shelf: Corpus, embedder: Embedder, scratch: ScratchStore) -> None:
    found = Searcher(shelf, Finder(shelf, embedder, ALL_STAGES), scratch).search(ANNA, request(mode=Mode.HYBRID_LOCAL))
    assert (found.mode, found.graph_disabled) == (Mode.VECTOR_ONLY, True)


def test_without_a_model_keyword_search_is_used_with_a_note(shelf: Corpus, scratch: ScratchStore) -> None:
    found = Searcher(shelf, Finder(shelf, None, ALL_STAGES), scratch).search(ANNA, request("hive of straw"))
    assert found.results[0].doc_tag.endswith("/straw")
    assert "keyword search only" in found.note


def test_passages_that_are_not_embedded_yet_are_reported(
    corpus: Corpus, embedder: Embedder, scratch: ScratchStore
) -> None:
    store_markdown(corpus, "https://bees.example.org/cork/index.html", page("cork"))
    searcher = Searcher(corpus, Finder(corpus, embedder, ALL_STAGES), scratch)
    found = searcher.search(ANNA, request())
    assert found.results
    assert found.note.startswith("3 of 3 passages are not embedded yet") and all(r.is_waiting for r in found.results)
    embed_all(corpus, embedder)
    assert "embedded" not in searcher.search(ANNA, request("Which hive of cork keeps its warmth?")).note


def test_an_empty_scope_is_reported(searcher: Searcher) -> None:
    asking = Asking("anna", scope=Scope(doc_tags=("nowhere.example.org",)))
    found = searcher.search(asking, request())
    assert found.results == ()
    assert found.note == "No page matches this scope and these filters."


def test_bare_headings_come_last_and_a_short_list_is_explained(
    corpus: Corpus, embedder: Embedder, scratch: ScratchStore
) -> None:
    store_markdown(corpus, "https://a.example.org/term.html", "**Write-Ahead Logging**")
    store_markdown(
        corpus,
        "https://b.example.org/wal.html",
        "# Journal\n\nA write-ahead log keeps each change in a file of its own.\n\n"
        "## Checkpoint\n\nA checkpoint of the write-ahead log moves its changes into the database.",
    )
    embed_all(corpus, embedder)
    searcher = Searcher(corpus, Finder(corpus, embedder, ALL_STAGES, has_graph=True), scratch)
    found = searcher.search(ANNA, request("write-ahead logging"))
    assert [result.url for result in found.results][-1] == "https://a.example.org/term.html"
    whole = searcher.search(ANNA, request("write-ahead logging", max_per_doc=3))
    assert len(whole.results) >= len(found.results) and "max_per_doc" not in whole.note
