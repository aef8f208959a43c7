"""Tests of the palette: ranking, keyboard, passages and recent entries."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.pages.settings.layout import section_titles
from app.desktop.palette.commands import Group, best, load_titles, named
from app.desktop.palette.overlay import Palette
from app.library.records import DocumentSummary
from tests.desktop.fake_engine import FakeParts, summary

KEY = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier


def ranked(names: list[str], typed: str, limit: int = 10) -> list[str]:
    return best([named(name, name) for name in names], typed, limit)


def test_prefix_ranks_above_word_ranks_above_substring() -> None:
    names = ["Unretried work", "How to retry", "Retry policies", "Other"]
    assert ranked(names, "retr") == ["Retry policies", "How to retry", "Unretried work"]


def test_every_word_must_match_in_any_order() -> None:
    assert ranked(["Dead letters of workers", "Dead pages", "Letters"], "let dead") == ["Dead letters of workers"]


def test_address_is_searched_after_the_title() -> None:
    pages = [named(1, "Install", "docs.python.org/install"), named(2, "Python", "site.example")]
    assert best(pages, "python", 5) == [2, 1]
    assert best(pages, "docs.python.org/inst", 5) == [1]


@given(st.lists(st.text(max_size=12), max_size=30), st.text(max_size=6), st.integers(0, 5))
def test_results_are_limited_and_unique(names: list[str], typed: str, limit: int) -> None:
    found = best([named(place, name) for place, name in enumerate(names)], typed, limit)
    assert len(found) == len(set(found)) <= limit
    words = typed.casefold().split()
    assert all(word in names[place].casefold() for place in found for word in words) or not words


@given(st.text(alphabet="ab c", max_size=5), st.text(alphabet="ab c", max_size=3))
def test_further_typing_only_narrows_the_results(typed: str, more: str) -> None:
    names = [named(name, name) for name in ("ab", "a b", "cab", "b c a", "aa bb", "c")]
    assert set(best(names, typed + more, 9)) <= set(best(names, typed, 9)) or not typed.strip()


def test_twenty_thousand_titles_are_searched_within_a_keystroke() -> None:
    pages = [named(n, f"Chapter {n}: notes on topic {n % 97}", f"site{n % 7}.example/p/{n}") for n in range(20_000)]
    slowest = 0.0
    for typed in ("c", "note", "topic 96", "zzz", "site6.example/p/19999"):
        begun = time.process_time()
        best(pages, typed, 6)
        slowest = max(slowest, time.process_time() - begun)
    # The limit is 16 ms; busy machines get four times as much.
    assert slowest < 0.064


@pytest.fixture
def parts(shared_parts: FakeParts) -> FakeParts:
    return shared_parts


@pytest.fixture
def desktop(shared_desktop: DesktopApp) -> DesktopApp:
    return shared_desktop


@pytest.fixture
def palette(desktop: DesktopApp, parts: FakeParts, qtbot: QtBot) -> Iterator[Palette]:
    window = desktop.window
    window.go_to("home")
    parts.engines[0].asked.clear()
    window.finder.finder._recent.clear()
    qtbot.keyClick(window, KEY.Key_K, CTRL)
    assert window.finder.isVisible()
    qtbot.waitUntil(lambda: bool(window.finder.finder.titles.matches("page", 1)))
    yield window.finder
    window.finder.close_up()


def titles(palette: Palette, group: Group) -> list[str]:
    return [entry.title for entry in palette.list.entries if entry.group is group]


def write(palette: Palette, qtbot: QtBot, text: str) -> None:
    palette.box.clear()
    qtbot.keyClicks(palette.box, text)


def test_the_palette_opens_with_the_commands(palette: Palette) -> None:
    offered = titles(palette, Group.COMMANDS)
    assert offered[0] == "Add page, site or folder…"
    assert "Go to Library" in offered
    assert any(title.startswith("Settings › ") for title in offered)


def test_opening_knows_the_settings_sections_without_building_the_page(desktop: DesktopApp, palette: Palette) -> None:
    assert desktop.window._settings is None
    desktop.window.show_row(0)
    assert [section.title for section in desktop.window.settings.sections] == list(section_titles())


def test_a_page_is_found_by_title_and_opened(desktop: DesktopApp, palette: Palette, qtbot: QtBot) -> None:
    write(palette, qtbot, "page 4")
    assert titles(palette, Group.PAGES) == ["Page 4"]
    qtbot.keyClick(palette.box, KEY.Key_Return)
    assert not palette.isVisible()
    assert desktop.window.current_page is desktop.window.library


def test_a_command_is_run(desktop: DesktopApp, palette: Palette, qtbot: QtBot) -> None:
    write(palette, qtbot, "go to pass")
    qtbot.keyClick(palette.box, KEY.Key_Return)
    assert desktop.window.current_page is desktop.window.scratch


def test_passages_appear_after_a_pause_and_open_at_their_position(
    desktop: DesktopApp, palette: Palette, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[int, int, int]] = []
    monkeypatch.setattr(
        desktop.context, "show_document", lambda number, start=0, end=0: shown.append((number, start, end))
    )
    write(palette, qtbot, "quokka")
    assert titles(palette, Group.PASSAGES) == []
    qtbot.waitUntil(lambda: len(titles(palette, Group.PASSAGES)) == 3)
    palette.list.setCurrentIndex(palette.list.model().index(0, 0))
    assert "quokka" in palette.list.entries[0].title
    qtbot.keyClick(palette.box, KEY.Key_Return)
    assert shown == [(2, 0, len("## Head\nText 2 about quokka"))]


def test_short_words_do_not_search_passages(parts: FakeParts, palette: Palette, qtbot: QtBot) -> None:
    write(palette, qtbot, "pa")
    assert not palette.finder._pause.isActive()
    write(palette, qtbot, "pag")
    assert palette.finder._pause.isActive()
    assert not any(kind == "search" for kind, _ in parts.engines[0].asked)


def test_keys_move_the_selection(palette: Palette, qtbot: QtBot) -> None:
    row = lambda: palette.list.currentIndex().row()  # noqa: E731
    assert row() == 0
    qtbot.keyClick(palette.box, KEY.Key_Down)
    assert row() == 1
    qtbot.keyClick(palette.box, KEY.Key_Up)
    qtbot.keyClick(palette.box, KEY.Key_Up)
    assert row() == palette.list.count() - 1, "a single step wraps around"
    qtbot.keyClick(palette.box, KEY.Key_PageDown)
    assert row() == palette.list.count() - 1, "a larger step stops at the end"
    spoken = palette.box.accessibleDescription()
    assert spoken == palette.list.currentIndex().data()
    write(palette, qtbot, "page")
    groups = [entry.group for entry in palette.list.entries]
    qtbot.keyClick(palette.box, KEY.Key_Tab)
    assert groups[row()] is not groups[0]


def test_escape_restores_the_focus(desktop: DesktopApp, qtbot: QtBot) -> None:
    window = desktop.window
    window.go_to("search")
    qtbot.waitUntil(lambda: isinstance(window.focusWidget(), QLineEdit))
    before = window.focusWidget()
    window.finder.open_up()
    qtbot.keyClick(window.finder.box, KEY.Key_Escape)
    assert not window.finder.isVisible()
    assert window.focusWidget() is before


def test_recently_opened_entries_come_first(palette: Palette, qtbot: QtBot) -> None:
    write(palette, qtbot, "page 3")
    qtbot.keyClick(palette.box, KEY.Key_Return)
    palette.open_up()
    assert titles(palette, Group.RECENT) == ["Page 3"]
    assert palette.list.entries[0].group is Group.RECENT


def test_unmatched_words_lead_to_the_search_page(desktop: DesktopApp, palette: Palette, qtbot: QtBot) -> None:
    write(palette, qtbot, "why nothing")
    assert [entry.key for entry in palette.list.entries] == ["search"]
    qtbot.keyClick(palette.box, KEY.Key_Return)
    assert desktop.window.current_page is desktop.window.search
    assert desktop.window.search.query.text() == "why nothing"


def test_a_new_page_is_found_at_the_next_opening(
    desktop: DesktopApp, parts: FakeParts, palette: Palette, qtbot: QtBot
) -> None:
    from app.events import DocumentChanged

    palette.close_up()
    parts.documents[90] = summary(90, title="Zebra crossing")
    desktop.bus.publish(DocumentChanged(parts.documents[90].url, 90, "stored"))
    qtbot.waitUntil(lambda: palette.finder.titles._is_stale)
    palette.open_up()
    write(palette, qtbot, "zebra")
    qtbot.waitUntil(lambda: titles(palette, Group.PAGES) == ["Zebra crossing"])


def test_a_page_stored_while_titles_are_loaded_does_not_list_another_one_twice(
    parts: FakeParts, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, newest = parts.engines[0], max(row.last_crawled for row in parts.documents.values())
    find = engine.documents.find

    async def store_meanwhile(**given: Any) -> list[DocumentSummary]:
        found = await find(**given)
        key = max(parts.documents) + 1
        parts.documents[key] = replace(summary(key), last_crawled=newest + key)
        return found

    monkeypatch.setattr("app.desktop.palette.commands.PAGE_ROWS", 2)
    monkeypatch.setattr(engine.documents, "find", store_meanwhile)
    ids = [each.thing.id for each in asyncio.run(load_titles(engine))]
    assert len(ids) == len(set(ids)) >= 6


def test_help_opens_the_guide_or_reports_that_it_is_missing(
    desktop: DesktopApp, parts: FakeParts, qtbot: QtBot
) -> None:
    window = desktop.window
    window.go_to("home")
    qtbot.keyClick(window, KEY.Key_F1)
    qtbot.waitUntil(lambda: window.toast.isVisible())
    assert window.current_page is window.home
    parts.documents[70] = summary(70, title="Welcome", url="webrag://guide/welcome")
    qtbot.keyClick(window, KEY.Key_F1)
    qtbot.waitUntil(lambda: window.current_page is window.library)


def test_the_overview_of_shortcuts_opens(desktop: DesktopApp, qtbot: QtBot) -> None:
    qtbot.keyClick(desktop.window, KEY.Key_Slash, CTRL)
    assert desktop.window._overview.isVisible()
    desktop.window._overview.accept()
