"""How an answer was found, drawn as it goes: what is drawn stays where it is, and says how each page stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app import caps
from app.desktop.application import DesktopApp
from app.desktop.models.trails import Trail, Trails, page_facts, reason_text, summary_text
from app.desktop.pages.activity.trail import TrailView, WayItem, WordsItem
from app.events import CallFinished, EvidenceTold, PageTold, RoundTold, SearchEnded
from tests.desktop.test_real_engine import call, real
from tests.orchestration.test_expanding import QUESTION, handbook
from tests.support.site import Site

__all__ = ["real"]

START = "https://docs.example/"


def page(name: str, state: str = "waiting", *, source: str = START, number: int = 1) -> PageTold:
    return PageTold(7, f"https://docs.example/{name}", state, source, number, promise=0.5)


def ended(call_id: int = 7) -> CallFinished:
    return CallFinished(call_id, "answer", "c", 1.0, 1.0, "ok", 1, 1, ())


@pytest.fixture
def trails() -> Trails:
    made = Trails()
    made.take([PageTold(7, START, "read", title="Start", document_id=1), RoundTold(7, 1, 2, ((f"{START}z", 0.1),))])
    made.take([page("a"), page("b")])
    return made


@pytest.fixture
def trail(trails: Trails) -> Trail:
    known = trails.of(7)
    assert known is not None
    return known


@pytest.fixture
def view(trail: Trail, qtbot: QtBot) -> TrailView:
    made = TrailView()
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.show()
    made.show_trail(trail)
    return made


def test_nothing_moves_while_the_drawing_grows(view: TrailView, trails: Trails, trail: Trail) -> None:
    before = {url: item.pos() for url, item in view.pages.items()}
    view.choose(f"{START}a")
    trails.take([page("a", "reading"), page("c"), RoundTold(7, 2, 2), page("d", source=f"{START}a", number=2)])
    view.show_trail(trail)
    assert {url: view.pages[url].pos() for url in before} == before
    assert view.pages[f"{START}d"].pos().x() > view.pages[f"{START}c"].pos().x()
    assert view.current is not None and view.current.state == "reading"
    assert sum(isinstance(item, WayItem) for item in view.scene().items()) == 4
    words = [item.text for item in view.scene().items() if isinstance(item, WordsItem)]
    assert "1 more link looked at, not followed" in words
    assert "Round 2 of at most 2" in words


def test_another_trail_begins_anew(view: TrailView) -> None:
    view.choose(f"{START}a")
    view.show_trail(Trail(8, {START: PageTold(8, START, "reading")}))
    assert list(view.pages) == [START]
    assert view.current is None
    view.show_trail(None)
    assert view.pages == {}


def test_pages_are_reached_by_keys_and_said(view: TrailView, qtbot: QtBot) -> None:
    opened: list[bool] = []
    view.opened.connect(lambda: opened.append(True))
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.current is not None and view.current.url == START
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.current.url == f"{START}b"
    assert view.accessibleName().startswith("b: Waiting")
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert opened == [True]


def test_what_was_under_way_when_the_call_ended_is_said_to_be_left_out(trails: Trails, trail: Trail) -> None:
    trails.take([page("a", "reading"), ended()])
    assert [each.state for each in trail.pages.values()] == ["read", "skipped", "skipped"]
    assert trail.is_over


def test_words_say_how_far_it_is_and_how_it_ended(trails: Trails, trail: Trail) -> None:
    assert summary_text(trail) == "1 page read  ·  2 still to come"
    used = replace(page("a", "used"), document_id=4, relevance=0.81, duration_ms=320.0)
    trails.take([used, EvidenceTold(7, f"{START}a", 4, "A", ((1, 5), (9, 12))), page("b", "failed")])
    trails.take([SearchEnded(7, "evidence sufficient"), ended()])
    assert summary_text(trail) == "2 pages read  ·  1 used in the answer  ·  1 could not be read  ·  Enough was found."
    assert trail.ranges(f"{START}a") == ((1, 5), (9, 12))
    assert page_facts(used, 2).startswith("2 passages used  ·  its link promised 50 %  ·  its best passage fits 81 %")
    assert reason_text("something new") == "something new"


def test_only_the_latest_calls_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_TRAILS_KEPT", 3)
    trails = Trails()
    trails.take([PageTold(number, START, "reading") for number in range(1, 6)])
    assert [number for number in range(1, 6) if trails.of(number) is not None] == [3, 4, 5]


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


def test_the_way_of_a_real_answer_arrives_in_order(real: DesktopApp, site: Site, qtbot: QtBot) -> None:
    told: list[object] = []
    real.bus.subscribe(told.append)
    asked = {"url": handbook(site), "query": QUESTION, "expansion_budget": 1}
    assert not call(real, qtbot, "answer", asked).get("isError")
    page = real.window.activity
    qtbot.waitUntil(lambda: bool(page.model.records) and not page.model.records[0].is_running)
    trail = page.trails.of(page.model.records[0].key[1])
    assert trail is not None
    qtbot.waitUntil(lambda: bool(trail.reason))
    start, seals = site.url("/index.html"), site.url("/seals.html")
    assert next(iter(trail.pages)) == start
    assert (trail.pages[seals].state, trail.pages[seals].source_url) == ("used", start)
    assert trail.ranges(seals)
    states = [each.state for each in told if isinstance(each, PageTold) and each.url == seals]
    assert list(dict.fromkeys(states)) == ["waiting", "reading", "read", "used"]
    details = page.calls.details
    details.show_view("way")
    assert set(details.way.pages) == set(trail.pages)
