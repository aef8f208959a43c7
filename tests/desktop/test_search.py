"""Search: hits, the assistant's text, modes, nothing found."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.models.details import first_words
from tests.desktop.fake_engine import FakeParts


def run(desktop: DesktopApp, qtbot: QtBot, query: str) -> None:
    page = desktop.window.search
    page.query.setText(query)
    qtbot.keyClick(page.query, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page._button.isEnabled())


def test_hits_are_in_order_of_relevance_beside_the_exact_tool_text(desktop: DesktopApp, qtbot: QtBot) -> None:
    page = desktop.window.search
    run(desktop, qtbot, "pears")
    assert [hit.chunk.id for hit in page.hits.records] == [0, 1, 2]
    text = page.text.toPlainText()
    assert text.startswith("[SOURCES]")
    assert "about pears" in text
    assert page._tokens.text() == f"{len(text.split())} tokens"
    page._copy()
    assert QGuiApplication.clipboard().text() == text


def test_mode_is_passed_on_and_searches_again(desktop: DesktopApp, parts: FakeParts, qtbot: QtBot) -> None:
    run(desktop, qtbot, "pears")
    page = desktop.window.search
    page.mode._buttons["keyword"].click()
    qtbot.waitUntil(lambda: ("search", ("pears", "keyword")) in parts.engines[0].asked)


def test_nothing_found_says_what_to_try(desktop: DesktopApp, qtbot: QtBot) -> None:
    run(desktop, qtbot, "nothing of the kind")
    page = desktop.window.search
    assert page._stack.currentWidget() is page._nothing
    assert page._nothing._title.text() == "Nothing found"


def test_hit_opens_its_page_in_the_library(desktop: DesktopApp, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: desktop.window.library.model.is_loaded)
    run(desktop, qtbot, "pears")
    desktop.window.search.list.activated.emit(desktop.window.search.hits.index(0, 0))
    assert desktop.window.current_page is desktop.window.library
    record = desktop.window.library.model.record_at(desktop.window.library.table.currentIndex())
    assert record is not None
    assert record.id == 2


def test_empty_query_asks_nothing(desktop: DesktopApp, parts: FakeParts, qtbot: QtBot) -> None:
    desktop.window.search.query.setText("   ")
    desktop.window.search.search()
    qtbot.wait(50)
    assert parts.engines[0].asked == []


def test_snippets_are_plain_words() -> None:
    text = "## Retries\n\nUse `Retry` with **care**, see [the guide](/guide/x) [1].\n```\ncode()\n```"
    assert first_words(text) == "Use Retry with care, see the guide 1. code()"
