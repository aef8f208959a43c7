"""Search: results and why they were found, the assistant view, places to search, empty results, and previous questions."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.context import Context
from app.desktop.engine_thread import EngineThread
from app.desktop.models.details import first_words
from app.desktop.models.search import (
    EVIDENCE,
    FILES,
    PASSAGES,
    Asked,
    Confidence,
    View,
    confidence_of,
    confidence_text,
    places,
    reasons,
    snippet_of,
    spoken,
    tool_view,
    why_text,
)
from app.desktop.notices import Toast
from app.desktop.pages.search.page import SearchPage
from app.desktop.settings_store import SettingsStore
from app.desktop.status import Status
from app.engine import Engine
from app.errors import CorpusError
from app.events import EmbeddingProgress, EventBus, PicturesChanged
from app.library.records import ImageRecord, KeptPicture
from app.library.scope import Filter
from app.orchestration.result import OrchestrationResult
from app.retrieval.records import CitationSpan, RetrievedChunk
from app.secrets import SecretStore
from app.settings import load_settings
from tests.desktop.fake_documents import FakeDocuments
from tests.desktop.fake_engine import FakeEngine, FakeParts, chunk, result_of
from tests.desktop.window import take_away

pytestmark = pytest.mark.shared_window

PICTURE = "https://site.example/basin.png"


class Bench:
    """The page alone over a small engine, in its own window."""

    def __init__(self, data_dir: Path, parts: FakeParts) -> None:
        settings = load_settings(data_dir=data_dir)
        self.thread = EngineThread(settings, EventBus(), parts)
        context = Context(self.thread, Status(), SecretStore(), SettingsStore(settings))
        self.window = QWidget()
        self.window.resize(1_000, 700)
        context.notifier = Toast(self.window)
        context.show_document = lambda *_place: None
        self.page = SearchPage(context)
        self.page.setParent(self.window)
        self.window.show()
        self.thread.start()


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path, parts: FakeParts) -> Iterator[Bench]:
    made = Bench(tmp_path, parts)
    yield made
    made.thread.stop()
    made.window.deleteLater()


def run(page: SearchPage, qtbot: QtBot, query: str) -> SearchPage:
    page.query.setText(query)
    qtbot.keyClick(page.query, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not page.searching.is_running)
    return page


def hit(number: int, **facts: object) -> RetrievedChunk:
    return replace(RetrievedChunk(chunk(number), 0.5, 0.8, matched=("keyword", "meaning")), **facts)  # type: ignore[arg-type]


def test_results_are_sorted_by_relevance_next_to_the_exact_tool_text(bench: Bench, qtbot: QtBot) -> None:
    page = run(bench.page, qtbot, "pears")
    assert [hit.chunk.id for hit in page.hits.records] == [0, 1, 2]
    text = page.assistant.text.toPlainText()
    assert text.startswith("[SOURCES]")
    assert "about pears" in text
    assert page.assistant.tokens.text() == f"{len(text.split())} tokens"
    page.assistant.copy.click()
    assert QGuiApplication.clipboard().text() == text


def test_changing_the_mode_searches_again(bench: Bench, parts: FakeParts, qtbot: QtBot) -> None:
    page = run(bench.page, qtbot, "pears")
    page.mode._buttons["keyword"].click()
    qtbot.waitUntil(lambda: ("search", ("pears", "keyword")) in parts.engines[0].asked)


def test_a_place_narrows_the_search(
    bench: Bench, parts: FakeParts, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Filter | None] = []

    async def search(_self: object, query: str, *, within: Filter | None, **_: object) -> OrchestrationResult:
        asked.append(within)
        return result_of(query, ())

    monkeypatch.setattr(FakeEngine, "search", search)
    page = bench.page
    page.activate()
    qtbot.waitUntil(lambda: page.bar.place.count() == 7)
    run(bench.page, qtbot, "pears")
    page.bar.place.setCurrentIndex(page.bar.place.findData("site3.example"))
    qtbot.waitUntil(lambda: len(asked) == 2)
    assert asked == [None, Filter(doc_tags=(("site3.example",),))]
    qtbot.waitUntil(lambda: "Choose “Everywhere”" in page._nothing._text.text())


async def test_places_with_most_pages_come_first_and_files_last() -> None:
    parts = FakeParts(3)
    parts.documents[7] = replace(parts.documents[1], id=7, doc_tag="notes/ideas", url="file:///home/a/notes/x.md")
    parts.documents[8] = replace(parts.documents[1], id=8)

    found = await places(FakeEngine(load_settings(data_dir=Path("unused")), EventBus(), parts.documents))  # type: ignore[arg-type]
    assert found[0] == "site1.example"
    assert set(found) == {"site0.example", "site1.example", "site2.example", "notes", FILES}
    assert found[-1] == FILES


def test_an_empty_result_suggests_what_to_try(bench: Bench, qtbot: QtBot) -> None:
    page = run(bench.page, qtbot, "nothing of the kind")
    assert page._stack.currentWidget() is page._nothing
    assert page._nothing._title.text() == "Nothing found"


def test_an_image_that_arrives_later_appears_on_the_current_page(bench: Bench, parts: FakeParts, qtbot: QtBot) -> None:
    page = bench.page
    qtbot.waitUntil(lambda: bool(parts.engines))
    documents = parts.engines[0].documents
    documents.images = (ImageRecord(PICTURE, "", "The upper basin", 5),)
    run(page, qtbot, "pears")
    qtbot.waitUntil(lambda: not page.page.loading.is_running)
    chosen = page.hits.records[0].chunk.document_id
    documents.kept_pictures = {PICTURE: KeptPicture(PICTURE, "image/png", 1, 1, b"")}
    page.on_events([PicturesChanged("https://other.example/", chosen + 1)])
    assert 0 not in page.page.reader.preview._pictures
    page.on_events([PicturesChanged("https://site.example/", chosen)])
    qtbot.waitUntil(lambda: 0 in page.page.reader.preview._pictures)
    assert page.page.reader.preview.marks, "the passage is still highlighted"


def test_an_image_that_arrives_while_its_page_loads_appears(
    bench: Bench, parts: FakeParts, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    qtbot.waitUntil(lambda: bool(parts.engines))
    documents, asked, go = parts.engines[0].documents, [], threading.Event()
    documents.images = (ImageRecord(PICTURE, "", "The upper basin", 5),)

    async def pictures(self: FakeDocuments, url: str) -> dict[str, KeptPicture]:
        asked.append(url)
        found = dict(self.kept_pictures)
        await asyncio.to_thread(go.wait, 60)
        return found

    monkeypatch.setattr(FakeDocuments, "pictures", pictures)
    page = run(bench.page, qtbot, "pears")
    qtbot.waitUntil(lambda: bool(asked))
    documents.kept_pictures = {PICTURE: KeptPicture(PICTURE, "image/png", 1, 1, b"")}
    page.on_events([PicturesChanged("https://site.example/", page.hits.records[0].chunk.document_id)])
    go.set()
    qtbot.waitUntil(lambda: 0 in page.page.reader.preview._pictures)


def test_results_that_most_likely_answer_nothing_are_marked_as_such(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def search(_self: object, query: str, **_: object) -> OrchestrationResult:
        return replace(result_of(query, (hit(1),)), nothing_found="boats" in query, notes=("Half is embedded.",))

    monkeypatch.setattr(FakeEngine, "search", search)
    page = run(bench.page, qtbot, "boats")
    assert page._stack.currentWidget() is page._results
    assert page.results.doubt.text() == "Half is embedded.\nNo passage answers this. Closest passages:"
    shown = page.hits.index(0, 0).data()
    assert "Weak match" in shown and "Similar meaning" not in shown
    qtbot.waitUntil(lambda: not page.page.loading.is_running)
    assert page.page.reader.preview.marks == [], "a passage that is not the answer is not highlighted"
    run(bench.page, qtbot, "pears")
    assert page.results.doubt.text() == "Half is embedded."
    qtbot.waitUntil(lambda: len(page.page.reader.preview.marks) == 1)
    assert "Similar meaning" in page.hits.index(0, 0).data()


def test_the_search_is_repeated_automatically_when_vectors_arrive(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.page.results.renewal._timer.setInterval(1)
    asked: list[str] = []

    async def search(_self: object, query: str, **_: object) -> OrchestrationResult:
        asked.append(query)
        first = hit(1, is_waiting=True, matched=("keyword",)) if len(asked) == 1 else hit(1, reranked_score=0.95)
        return result_of(query, (first, hit(2, reranked_score=0.9)))

    monkeypatch.setattr(FakeEngine, "search", search)
    status = bench.page.context.status
    status.on_events([EmbeddingProgress(40)])
    page = run(bench.page, qtbot, "boats")
    page.list.setCurrentIndex(page.hits.index(0, 0))
    early = page.hits.record_at(page.list.currentIndex())
    assert early is not None and early.chunk.id == chunk(2).id
    waiting = next(each for each in page.hits.records if each.is_waiting)
    assert reasons(waiting, "boats").endswith("Not embedded yet")
    assert "its rank can change" in why_text(waiting, 2, 2)
    page.query.setText("something else is being typed")
    status.on_events([EmbeddingProgress(24)])
    qtbot.waitUntil(lambda: len(asked) == 2 and not page.searching.is_running, timeout=60_000)
    assert asked == ["boats", "boats"]
    chosen = page.hits.record_at(page.list.currentIndex())
    assert chosen is not None and chosen.chunk.id == chunk(2).id and page.list.currentIndex().row() == 1
    status.on_events([EmbeddingProgress(13)])
    assert not page.results.renewal._timer.isActive()
    status.on_events([EmbeddingProgress(12)])
    qtbot.waitUntil(lambda: len(asked) == 3 and not page.searching.is_running, timeout=60_000)


def test_results_whose_vectors_arrived_during_the_search_are_refreshed_once(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is waiting when the results are shown, so no event follows. One repetition suffices, whatever it finds."""
    bench.page.results.renewal._timer.setInterval(1)
    asked: list[str] = []

    async def search(_self: object, query: str, **_: object) -> OrchestrationResult:
        asked.append(query)
        return result_of(query, (hit(1, is_waiting=True, matched=("keyword",)),))

    monkeypatch.setattr(FakeEngine, "search", search)
    assert bench.page.context.status.waiting == 0
    page = run(bench.page, qtbot, "boats")
    qtbot.waitUntil(lambda: len(asked) == 2 and not page.searching.is_running)
    assert not page.results.renewal._timer.isActive()
    page.context.status.changed.emit()
    assert not page.results.renewal._timer.isActive()


def test_an_error_is_explained_and_the_search_can_be_retried(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_self: object, _query: str, **_: object) -> OrchestrationResult:
        raise CorpusError("The corpus is locked.", hint="Close the other program.")

    with monkeypatch.context() as patched:
        patched.setattr(FakeEngine, "search", fail)
        page = run(bench.page, qtbot, "pears")
        assert page._stack.currentWidget() is page._failed
        assert page._failed._text.text() == "The corpus is locked. Close the other program."
    page._failed.findChild(type(page.open_button)).click()  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: page._stack.currentWidget() is page._results)


def test_a_search_can_be_canceled_by_button_and_key(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    cancelled: list[str] = []

    async def wait(_self: object, query: str, **_: object) -> OrchestrationResult:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(query)
            raise
        return result_of(query, ())

    monkeypatch.setattr(FakeEngine, "search", wait)
    page = bench.page
    for query, stop in (
        ("one", page.bar.button.click),
        ("two", lambda: qtbot.keyClick(page.query, Qt.Key.Key_Escape)),
    ):
        page.query.setText(query)
        page.search()
        assert page.bar.button.text() == "Cancel"
        qtbot.wait(1)
        stop()
        assert page.bar.button.text() == "Search"
        assert not page.searching.is_running
    assert page._stack.currentWidget() is page._idle


def test_a_result_opens_its_page_in_the_library_at_the_passage(
    desktop: DesktopApp, parts: FakeParts, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: desktop.window.library.model.is_loaded)
    page = run(desktop.window.search, qtbot, "pears")
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    library = desktop.window.library
    assert desktop.window.current_page is library
    record = library.model.record_at(library.table.currentIndex())
    assert record is not None
    assert record.id == 2
    preview = library.pane.preview
    first = page.hits.records[0].chunk
    qtbot.waitUntil(lambda: preview.marks == [(first.start, min(first.end, preview.source_length))])


def test_previous_questions_are_available_by_key_and_menu(bench: Bench, qtbot: QtBot) -> None:
    page = bench.page
    assert not page.bar.before.isEnabled()
    for query in ("pears", "plums", "pears", "figs"):
        run(bench.page, qtbot, query)
    assert [asked.query for asked in page.bar.history] == ["figs", "pears", "plums"]
    qtbot.keyClick(page.query, Qt.Key.Key_Up)
    assert page.query.text() == "pears"
    qtbot.keyClick(page.query, Qt.Key.Key_Up)
    qtbot.keyClick(page.query, Qt.Key.Key_Up)
    assert page.query.text() == "plums"
    qtbot.keyClick(page.query, Qt.Key.Key_Down)
    assert page.query.text() == "pears"
    qtbot.keyClick(page.query, Qt.Key.Key_Down)
    qtbot.keyClick(page.query, Qt.Key.Key_Down)
    assert page.query.text() == "figs", "after the newest question, Down moves to the results and deletes nothing"
    menu = page.bar.menu()
    menu.actions()[2].trigger()
    qtbot.waitUntil(lambda: not page.searching.is_running)
    assert page.hits.query == "plums"


def test_an_empty_query_does_not_search(bench: Bench, parts: FakeParts, qtbot: QtBot) -> None:
    page = bench.page
    page.query.setText("   ")
    page.search()
    page.mode._buttons["keyword"].click()
    assert not page.searching.is_running
    assert [each for engine in parts.engines for each in engine.asked if each[0] == "search"] == []


def test_a_result_is_copied_with_its_source(bench: Bench, qtbot: QtBot) -> None:
    page = run(bench.page, qtbot, "pears")
    page.results.copy_current()
    text = QGuiApplication.clipboard().text()
    assert text.endswith("Title, Section 0\nhttps://site.example/a")
    markdown = bytes(QGuiApplication.clipboard().mimeData().data("text/markdown").data()).decode()
    assert markdown.startswith("> ") and markdown.endswith("> — [Title](https://site.example/a), Section 0\n")
    qtbot.keyClick(page.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert QGuiApplication.clipboard().text() == markdown
    entries = {action.text().split("\t")[0]: action.isEnabled() for action in page.menu().actions()}
    assert entries["Go to passage"]
    assert entries["Open in browser"]


def test_the_reasons_of_a_result_are_explained_in_words() -> None:
    told = why_text(hit(1, similarity=0.61, confidence=0.736), 2, 8)
    assert told.startswith("Result 2 of 8.\nKeyword match: ")
    assert told.endswith("About 74% of passages with this rank contain the answer.")
    assert "0.61" not in told and "0.8" not in told, "scores mean nothing to users"
    assert "Keyword" not in why_text(hit(1, matched=("meaning",)), 1, 1)


def test_a_result_shows_its_matching_words_and_its_confidence() -> None:
    ripe = replace(hit(1, confidence=0.7), chunk=chunk(1, "The pear ripened early."))
    assert reasons(ripe, "When do pears ripen?") == "Contains “pears”, “ripen” · Similar meaning"
    assert reasons(replace(ripe, matched=("meaning",)), "pears") == "Similar meaning"
    levels = [confidence_of(hit(1, confidence=share)) for share in (0.7, 0.4, 0.1, None)]
    assert [*map(confidence_text, levels)] == ["Likely answer", "Possible answer", "Weak match", ""]
    assert spoken(ripe, "pears", levels[0]) == "Title, Section 1, Likely answer, Contains “pears” · Similar meaning"
    assert spoken(ripe, "pears", levels[2]) == "Title, Section 1, Weak match, Contains “pears”"
    assert confidence_of(ripe, nothing_found=True) is Confidence.WEAK


def test_the_page_of_the_selected_result_is_shown_with_the_passage_highlighted(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "# Fruit\n\nApples keep. Pears ripen off the tree.\n\nPlums dry well."
    start = words.index("Apples")

    def at(number: int, first: int, last: int) -> RetrievedChunk:
        return replace(hit(number), chunk=replace(chunk(number, words[first:last]), start=first, end=last))

    quoted = words.index("Pears"), words.index("tree.") + 5
    quote = CitationSpan(1, 2, words[slice(*quoted)], *quoted, "https://site.example/a", "Title", "Section 1")

    async def search(_self: object, query: str, **_: object) -> OrchestrationResult:
        hits = (at(1, start, quoted[1]), at(3, words.index("Plums"), len(words)))
        return replace(result_of(query, hits), citations=(quote,))

    monkeypatch.setattr(FakeEngine, "search", search)
    monkeypatch.setattr(FakeDocuments, "text", words)
    page = run(bench.page, qtbot, "pears")
    preview = page.page.reader.preview
    qtbot.waitUntil(lambda: preview.marks == [quoted])
    assert page.tabs.currentWidget() is page.page
    assert preview._around == [(start, quoted[1])]
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    assert preview.marks == [(words.index("Plums"), len(words))], "the current page is not loaded again"
    qtbot.keyClick(page.list, Qt.Key.Key_Up)
    qtbot.keyClick(page.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().startswith("Pears ripen off the tree.\n\nTitle")


def test_a_deleted_page_is_reported_in_its_place(bench: Bench, parts: FakeParts, qtbot: QtBot) -> None:
    del parts.documents[2]
    page = run(bench.page, qtbot, "pears")
    qtbot.waitUntil(lambda: page.page._pages.currentWidget() is page.page._gone)
    assert page.page._gone._title.text() == "Page not found"


def test_a_snippet_begins_before_the_first_matching_word() -> None:
    text = "## Head\n\n" + "Nothing of note stands here. " * 12 + "The pears ripened early, and a pear fell."
    found = snippet_of(text, "When do pears ripen?")
    assert [found.text[first:last] for first, last in found.matches] == ["pears", "ripened", "pear"]
    assert found.text.startswith("… The pears")
    assert snippet_of("Some other words.", "pears").matches == ()


def test_a_snippet_begins_at_the_highlighted_quote(bench: Bench, qtbot: QtBot) -> None:
    before = "Pears were known to the Romans. " * 20
    quote = "Pears *ripen* off the tree, in [two weeks](/ripe)."
    text = before + quote + " Then they fall."
    passage = hit(1, chunk=replace(chunk(1), text=text, start=100, end=100 + len(text)))
    number, start = passage.chunk.document_id, 100 + len(before)
    elsewhere = CitationSpan(5, number + 1, before, start, start + len(quote), "u", "t", "")
    inside = CitationSpan(6, number, quote, start, start + len(quote), "u", "t", "")
    bench.page.hits.show_result(replace(result_of("When do pears ripen?", (passage,)), citations=(elsewhere, inside)))
    shown = bench.page.hits.snippet(bench.page.hits.records[0])
    assert shown.text.startswith("… Pears ripen off the tree, in two weeks. Then")
    assert [shown.text[first:last] for first, last in shown.matches][:2] == ["Pears", "ripen"]
    table = "| Pear | Weeks |\n|---|---|\n| Early | 2 |\n| Late | 8 |"
    assert snippet_of(table, "pears", "Late | 8 |").text == "… Late 8"


def test_snippets_show_formulas_as_plain_text_and_keep_code() -> None:
    assert (
        first_words("Sorts $n$ keys in $O(n \\log n)$; costs $5 or $10.")
        == "Sorts n keys in O(n log n); costs $5 or $10."
    )
    assert first_words("Set `PATH=$HOME/bin:$PATH` first.") == "Set PATH=$HOME/bin:$PATH first."
    assert first_words("```\na=$x$y_1$\n```") == "a=$x$y_1$"


def test_snippets_contain_no_markup() -> None:
    text = "## Retries\n\nUse `Retry` with **care**, see [the guide](/guide/x) [1].\n```\ncode()\n```"
    assert first_words(text) == "Use Retry with care, see the guide 1. code()"
    assert first_words("| Key | What |\n|:---|---|\n| F1 | the guide |") == "Key What F1 the guide"


def test_the_text_of_another_tool_is_requested_once_when_shown(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def view(_engine: object, question: Asked, tool: str) -> View:
        asked.append(tool)
        return View(f"{tool} on {question.query}", 7)

    monkeypatch.setattr("app.desktop.pages.search.results.tool_view", view)
    page = run(bench.page, qtbot, "pears")
    card = page.assistant
    for _ in range(2):
        card.tool.setCurrentIndex(card.tool.findData(EVIDENCE))
        qtbot.waitUntil(lambda: card.text.toPlainText() == f"{EVIDENCE} on pears")
        assert card.tokens.text() == "7 tokens"
        card.tool.setCurrentIndex(0)
        assert card.text.toPlainText().startswith("[SOURCES]")
    assert asked == [EVIDENCE]


def test_a_tool_that_failed_is_called_again_when_chosen_again(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = CorpusError("The library is locked.", hint="Close the other program.")
    view = AsyncMock(side_effect=[busy, View("now it works", 7)])
    monkeypatch.setattr("app.desktop.pages.search.results.tool_view", view)
    card = run(bench.page, qtbot, "pears").assistant
    for words in ("The library is locked.", "now it works"):
        card.tool.setCurrentIndex(card.tool.findData(EVIDENCE))
        qtbot.waitUntil(lambda words=words: words in card.text.toPlainText())  # type: ignore[misc]
        card.tool.setCurrentIndex(0)


@pytest.fixture
def real(qtbot: QtBot, tmp_path: Path) -> Iterator[DesktopApp]:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    desktop = DesktopApp(application, load_settings({"mcp_port": 0}, data_dir=tmp_path))
    desktop.start()
    qtbot.waitUntil(lambda: bool(desktop.status.url), timeout=30_000)
    yield desktop
    take_away(desktop)


def test_the_assistant_view_leaves_no_passages_behind(real: DesktopApp, qtbot: QtBot) -> None:
    seen: list[View] = []
    kept: list[int] = []

    async def look(engine: Engine) -> None:
        for tool in (EVIDENCE, PASSAGES):
            seen.append(await tool_view(engine, Asked("How do I connect an assistant?", "hybrid"), tool))
            kept.append(len(engine.scratch.everything()))

    real.engine.submit(look)
    qtbot.waitUntil(lambda: len(kept) == 2, timeout=30_000)
    assert all("connect" in view.text.lower() and view.tokens > 10 for view in seen)
    assert seen[0].text != seen[1].text
    assert kept == [0, 0]
