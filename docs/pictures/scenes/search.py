"""Search and Scratch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pictures.filling import QUESTION
from pictures.loop import settle, wait

Scene = Callable[[Any], Any]


def _search_for(desktop: Any, question: str) -> Any:
    search = desktop.window.search
    desktop.window.go_to("search")
    search.query.setText(question)
    search.query.setCursorPosition(0)
    search.search()
    wait(lambda: not search.searching.is_running)
    search.list.setFocus()
    settle()
    return search


def _search_evidence(desktop: Any) -> Any:
    search = _search_for(desktop, QUESTION)
    search.tabs.setCurrentWidget(search.assistant)
    search.assistant.tool.setCurrentIndex(1)
    wait(lambda: search.assistant.tokens.text() != "")
    settle()
    picture = desktop.window.grab()
    search.assistant.tool.setCurrentIndex(0)
    search.tabs.setCurrentWidget(search.page)
    return picture


def _ask(desktop: Any) -> Any:
    desktop.ask()
    asking = desktop.asking
    asking.box.setText(QUESTION)
    asking._ask()
    wait(lambda: not asking.searching.is_running and not asking.page.loading.is_running)
    settle()
    picture = asking.grab()
    asking.hide()
    return picture


def _ask_idle(desktop: Any) -> Any:
    desktop.ask()
    asking = desktop.asking
    asking.forget()
    asking.read_first.offer("https://docs.tidewater.example/guide/workers")
    settle()
    picture = asking.grab()
    asking.hide()
    return picture


def _ask_nothing(desktop: Any) -> Any:
    desktop.ask()
    asking = desktop.asking
    asking.box.setText("Which whales live in the Atlantic?")
    asking._ask()
    wait(lambda: not asking.searching.is_running and not asking.page.loading.is_running)
    settle()
    picture = asking.grab()
    asking.hide()
    return picture


def _search_wide(desktop: Any) -> Any:
    before = desktop.window.size()
    desktop.window.resize(1_520, 900)
    picture = _search(desktop)
    desktop.window.resize(before)
    settle()
    return picture


def _search_closest(desktop: Any) -> Any:
    _search_for(desktop, "Which whales live in the Atlantic?")
    return desktop.window.grab()


def _search_nothing(desktop: Any) -> Any:
    search = desktop.window.search
    search.mode.select("keyword")
    _search_for(desktop, "zeppelin marzipan")
    picture = desktop.window.grab()
    search.mode.select("hybrid")
    return picture


def _search(desktop: Any) -> Any:
    _search_for(desktop, QUESTION)
    wait(lambda: not desktop.window.search.page.loading.is_running)
    settle()
    return desktop.window.grab()


def _scratch(desktop: Any) -> Any:
    scratch = desktop.window.scratch
    desktop.window.go_to("scratch")
    wait(lambda: scratch.model.total > 0)
    wanted = next(row for row in scratch.model.everything if "default policy" in row.content.text)
    scratch.table.selectRow(scratch.model.row_of(wanted.id))
    if not wanted.is_pinned:
        scratch.toggle_pin()
        wait(lambda: scratch.model.find(wanted.id).is_pinned)
        desktop.window.toast.clear()
    scratch.table.setFocus()
    settle()
    return desktop.window.grab()


def scenes() -> dict[str, Scene]:
    """Return the scenes: questions with and without an answer, and saved passages."""
    return {
        "search": _search,
        "search-evidence": _search_evidence,
        "ask": _ask,
        "ask-idle": _ask_idle,
        "ask-nothing": _ask_nothing,
        "search-wide": _search_wide,
        "search-closest": _search_closest,
        "search-nothing": _search_nothing,
        "scratch": _scratch,
    }
