"""Tests of the Ask window with real keys: results while typing, the page at the passage, copying, and adding a page first."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.desktop.__main__ import _named, _parser
from app.desktop.application import DesktopApp
from app.desktop.ask_window import AskWindow
from app.desktop.single_instance import socket_name
from app.errors import FetchTimeoutError, SearchError
from app.ingest.outcome import IngestedPage
from app.library.scope import Filter
from app.orchestration.result import OrchestrationResult
from tests.desktop.fake_engine import FakeEngine, result_of

KEY = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier


def leave(desktop: DesktopApp, qtbot: QtBot) -> None:
    """Activate the main window, like a click."""
    desktop.show_window()
    desktop.window.activateWindow()
    qtbot.waitUntil(desktop.window.isActiveWindow)


@pytest.fixture
def asking(shared_desktop: DesktopApp, qtbot: QtBot) -> Iterator[AskWindow]:
    """The Ask window, opened from the tray and empty."""
    QGuiApplication.clipboard().clear()
    leave(shared_desktop, qtbot)
    shared_desktop.tray.ask_wanted.emit()
    made = shared_desktop.asking
    assert made is not None
    qtbot.waitUntil(made.isActiveWindow)
    yield made
    made.forget()
    made.hide()


def is_renewing(asking: AskWindow) -> bool:
    """Whether the displayed search is being repeated or about to be."""
    return asking._renewing.is_running or asking._completion.isActive()


def typed(asking: AskWindow, qtbot: QtBot, question: str) -> None:
    qtbot.keyClicks(asking.box, question)
    qtbot.waitUntil(
        lambda: asking.hits.query == question and not asking.searching.is_running and not asking.page.loading.is_running
    )


def test_results_appear_while_typing_and_the_passage_is_marked(asking: AskWindow, qtbot: QtBot) -> None:
    assert asking.box.hasFocus()
    typed(asking, qtbot, "pears")
    assert asking.list.currentIndex().row() == 0
    assert asking.hits.rowCount() == 3
    assert asking.page.reader.preview.marks
    assert "about pears" in asking.hits.records[0].chunk.text
    assert asking.box.accessibleDescription().startswith("Title, ")
    assert asking._state.text() == "3 results in 12 ms"


def test_a_search_of_a_named_place_can_be_repeated_everywhere(
    asking: AskWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = FakeEngine.search

    async def search(engine: FakeEngine, query: str, *, narrows: bool = True, **_: object) -> OrchestrationResult:
        return replace(await answer(engine, query), looked_in="orchard.example" if narrows else "")

    monkeypatch.setattr(FakeEngine, "search", search)
    typed(asking, qtbot, "orchard: pears")
    assert asking._looked_in.text() == "Looked in: orchard.example" and asking._narrowed.isVisible()
    qtbot.mouseClick(asking._narrowed.findChild(QPushButton), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not asking._narrowed.isVisible())
    assert asking.hits.rowCount() == 3 and asking.box.hasFocus()
    qtbot.keyClicks(asking.box, "s")
    qtbot.waitUntil(asking._narrowed.isVisible)


def test_a_failed_repeated_search_keeps_results_and_typed_text(
    asking: AskWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_self: object, query: str, **_: object) -> OrchestrationResult:
        raise SearchError(f"{query} cannot be answered now.")

    typed(asking, qtbot, "pears")
    monkeypatch.setattr(FakeEngine, "search", fail)
    pause = asking._pause.interval()
    asking._pause.setInterval(600_000)
    try:
        qtbot.keyClicks(asking.box, " and figs")
        asking._ask_again(keeps_best=True)
        qtbot.waitUntil(lambda: not is_renewing(asking))
        assert asking._pause.isActive() and asking.hits.rowCount() == 3
    finally:
        asking._pause.setInterval(pause)


def answering_in_two_steps(monkeypatch: pytest.MonkeyPatch, gate: threading.Event) -> list[bool]:
    """The engine's last result is not embedded yet and becomes the first one when the gate opens. Records which passages wait."""
    answer, at_once_of = FakeEngine.search, list[bool]()

    async def search(engine: FakeEngine, query: str, *, at_once: bool = False, **more: object) -> OrchestrationResult:
        at_once_of.append(at_once)
        found = await answer(engine, query)
        *others, last = found.chunks
        if at_once:
            return replace(found, chunks=(*others, replace(last, is_waiting=True)))
        await asyncio.to_thread(gate.wait, 60)
        return replace(found, chunks=(replace(last, reranked_score=0.95), *others))

    monkeypatch.setattr(FakeEngine, "search", search)
    return at_once_of


def test_first_results_do_not_wait_for_embedding_and_are_completed_later(
    asking: AskWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    at_once_of = answering_in_two_steps(monkeypatch, gate)
    try:
        typed(asking, qtbot, "pears")
        first = asking.hits.records[0].chunk.id
        assert asking.page.reader.preview.marks and is_renewing(asking)
        qtbot.waitUntil(lambda: at_once_of == [True, False])
        assert asking.hits.records[0].chunk.id == first, "the results stay until the search is complete"
    finally:
        gate.set()
    qtbot.waitUntil(lambda: not is_renewing(asking) and not asking.page.loading.is_running)
    assert asking.hits.records[0].chunk.id != first
    assert asking.list.currentIndex().row() == 0, "the best result stays selected"
    assert at_once_of == [True, False]


def test_no_results_is_shown_only_after_the_complete_search(
    asking: AskWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A passage without a vector can rank too low to be shown."""
    answer = FakeEngine.search

    async def search(engine: FakeEngine, query: str, *, at_once: bool = False, **_: object) -> OrchestrationResult:
        return result_of(query, ()) if at_once else await answer(engine, query)

    monkeypatch.setattr(FakeEngine, "search", search)
    typed(asking, qtbot, "pears")
    assert asking.hits.rowCount() == 3 and asking.page.reader.preview.marks


def test_a_selected_result_stays_selected_when_the_search_completes(
    asking: AskWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    answering_in_two_steps(monkeypatch, gate)
    try:
        typed(asking, qtbot, "pears")
        qtbot.keyClick(asking.box, KEY.Key_Down)
        chosen = asking.hits.records[1].chunk.id
    finally:
        gate.set()
    qtbot.waitUntil(lambda: not is_renewing(asking) and not asking.page.loading.is_running)
    assert asking.hits.records[asking.list.currentIndex().row()].chunk.id == chosen


def test_arrow_keys_select_and_enter_opens_the_page_at_the_passage(
    asking: AskWindow, shared_desktop: DesktopApp, qtbot: QtBot
) -> None:
    typed(asking, qtbot, "pears")
    qtbot.keyClick(asking.box, KEY.Key_Down)
    qtbot.keyClick(asking.box, KEY.Key_Down)
    qtbot.keyClick(asking.box, KEY.Key_Up)
    assert asking.list.currentIndex().row() == 1
    assert asking.box.hasFocus()
    qtbot.keyClick(asking.box, KEY.Key_Return)
    assert not asking.isVisible()
    window = shared_desktop.window
    assert window.isVisible() and window.current_page is window.library
    qtbot.waitUntil(lambda: bool(window.library.pane.preview.marks))


def test_enter_before_the_answer_searches_and_opens_nothing(
    asking: AskWindow, shared_desktop: DesktopApp, qtbot: QtBot
) -> None:
    shared_desktop.window.go_to("home")
    qtbot.keyClicks(asking.box, "figs")
    qtbot.keyClick(asking.box, KEY.Key_Return)
    assert asking.isVisible()
    qtbot.waitUntil(lambda: asking.hits.query == "figs" and not asking.searching.is_running)
    assert shared_desktop.window.current_page.name == "home"


def test_the_quote_is_copied_with_its_source_as_text_and_markdown(asking: AskWindow, qtbot: QtBot) -> None:
    typed(asking, qtbot, "pears")
    qtbot.keyClick(asking.box, KEY.Key_C, CTRL)
    clipboard = QGuiApplication.clipboard()
    assert clipboard.text().endswith("Title, Section 0\nhttps://site.example/a")
    qtbot.keyClick(asking.box, KEY.Key_C, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert clipboard.text().startswith("> ") and "— [Title](https://site.example/a), Section 0" in clipboard.text()
    asking.box.setSelection(0, 3)
    qtbot.keyClick(asking.box, KEY.Key_C, CTRL)
    assert clipboard.text() == "pea", "selected text of the question is copied as in any field"


def test_escape_hides_the_window_and_keeps_the_question_selected(
    asking: AskWindow, shared_desktop: DesktopApp, qtbot: QtBot
) -> None:
    typed(asking, qtbot, "pears")
    qtbot.keyClick(asking.box, KEY.Key_Escape)
    assert not asking.isVisible()
    leave(shared_desktop, qtbot)
    shared_desktop.ask()
    qtbot.waitUntil(asking.isActiveWindow)
    assert asking.box.selectedText() == "pears" and asking.hits.rowCount() == 3
    shared_desktop.ask()
    assert not asking.isVisible(), "the same key hides it"
    leave(shared_desktop, qtbot)
    shared_desktop.ask()
    qtbot.waitUntil(asking.isActiveWindow)
    leave(shared_desktop, qtbot)
    assert not asking.isVisible(), "another window took the keyboard"


def test_no_results_lead_to_the_search_page(asking: AskWindow, shared_desktop: DesktopApp, qtbot: QtBot) -> None:
    qtbot.keyClicks(asking.box, "nothing of it")
    qtbot.waitUntil(lambda: asking._stack.currentWidget() is asking._nothing)
    asking._search()
    assert shared_desktop.window.current_page.name == "search"
    assert shared_desktop.window.search.query.text() == "nothing of it"


def test_an_address_in_the_clipboard_is_added_and_searched_on_request(
    asking: AskWindow, shared_desktop: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    within: list[Filter | None] = []

    async def ingest(_self: object, url: str, **_: object) -> IngestedPage:
        read.append(url)
        if len(read) == 1:
            raise FetchTimeoutError("fruit.example did not answer.", url=url)
        return IngestedPage(url, "Fruit", "stored", 2, 4, 100)

    async def search(_self: object, query: str, **facts: object) -> OrchestrationResult:
        if facts["at_once"]:
            within.append(facts["within"])  # type: ignore[arg-type]
        return replace(result_of(query, ()))

    monkeypatch.setattr(FakeEngine, "ensure_ingested", ingest)
    monkeypatch.setattr(FakeEngine, "search", search)
    leave(shared_desktop, qtbot)
    QGuiApplication.clipboard().setText("https://fruit.example/pears")
    shared_desktop.ask()
    line = asking.read_first
    assert line.isVisible() and "fruit.example/pears" in line.text and not read
    line.read_button.click()
    qtbot.waitUntil(lambda: "did not answer" in line.text)
    line.read_button.click()
    qtbot.waitUntil(lambda: line.text == "Searching only “Fruit”")
    qtbot.keyClicks(asking.box, "pears")
    qtbot.waitUntil(lambda: within == [Filter(urls=("https://fruit.example/pears",))])
    line.everywhere_button.click()
    qtbot.waitUntil(lambda: len(within) == 2)
    assert within[1] is None
    assert not line.isVisible()


def test_a_question_on_home_is_answered_on_the_search_page(shared_desktop: DesktopApp, qtbot: QtBot) -> None:
    window = shared_desktop.window
    shared_desktop.show_window()
    window.go_to("home")
    box = window.home.ask
    qtbot.keyClicks(box, "pears")
    qtbot.keyClick(box, KEY.Key_Return)
    assert window.current_page is window.search
    qtbot.waitUntil(lambda: window.search.hits.rowCount() == 3)
    assert box.text() == ""


def test_a_second_start_with_ask_opens_only_the_ask_window(
    asking: AskWindow, shared_desktop: DesktopApp, qtbot: QtBot
) -> None:
    asking.hide()
    shared_desktop.window.hide()
    socket = QLocalSocket()
    socket.connectToServer(socket_name(shared_desktop.settings.running.data_dir))
    assert socket.waitForConnected(60_000)
    socket.write(f"{_named(_parser().parse_args(['--ask']))}\n".encode())
    qtbot.waitUntil(asking.isVisible)
    assert not shared_desktop.window.isVisible()
