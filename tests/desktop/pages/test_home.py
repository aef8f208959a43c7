"""Tests of Home: status, problems, counts, assistants, calls, pages and first steps."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.corpus.records import ActivityRecord
from app.desktop.application import DesktopApp
from app.desktop.pages.home.page import HomePage
from app.events import CallFailure, CallFinished, ClientsChanged, EvidenceTraced
from app.secrets import SecretName
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts

pytestmark = pytest.mark.shared_window


@pytest.fixture
def parts(shared_parts: FakeParts) -> FakeParts:
    return shared_parts


@pytest.fixture
def desktop(shared_desktop: DesktopApp) -> DesktopApp:
    return shared_desktop


@pytest.fixture
def home(desktop: DesktopApp) -> HomePage:
    desktop.window.go_to("home")
    return desktop.window.home


def call(number: int, pages: tuple[str, ...], client: str = "claude-ai") -> CallFinished:
    return CallFinished(number, "answer", client, time.time(), 40.0, "ok", 1, 1, pages)


def test_a_failed_call_shows_the_reason_and_page(desktop: DesktopApp, home: HomePage, qtbot: QtBot) -> None:
    gone = CallFailure("Gone", "a.example has no page at this address (404).", "", "https://a.example/gone")
    failed = replace(call(77, ()), outcome="BACKEND_UNAVAILABLE", failure=gone)
    desktop.bus.publish(failed)
    words = "Page not found  ·  a.example/gone"
    qtbot.waitUntil(lambda: any(line.words and line.words.detail == words for line in home.calls.lines))


def test_relative_times_update_while_the_window_is_open(
    desktop: DesktopApp, home: HomePage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.bus.publish(call(78, ("https://a.example/fresh",)))
    qtbot.waitUntil(lambda: bool(home.calls.lines) and told(home, "a.example/fresh").endswith("just now"))
    pages = [line.below.full_text for line in home.newest.lines if line.words]
    moment = time.time() + 11 * 60
    monkeypatch.setattr("app.desktop.wording.time", SimpleNamespace(time=lambda: moment))
    assert desktop.window._times.isActive()
    desktop.window._times.timeout.emit()
    assert told(home, "a.example/fresh").endswith("11 minutes ago")
    monkeypatch.setattr("app.desktop.wording.time", SimpleNamespace(time=lambda: moment + 400 * 86_400))
    desktop.window.go_to("library")
    desktop.window.go_to("home")
    assert not told(home, "a.example/fresh").endswith("ago"), "including when the page becomes visible"
    assert pages == [line.below.full_text for line in home.newest.lines if line.words], "dates do not change"


def told(home: HomePage, page: str) -> str:
    """Return the second line of the newest call of a page."""
    return next((line.below.full_text for line in home.calls.lines if line.words and line.words.detail == page), "")


def test_home_shows_counts_status_and_address(home: HomePage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: home.tiles.documents.value.full_text == "6")
    assert "5.0 MB on disk" in home.tiles.documents.toolTip()
    assert home.state.headline.full_text == "Ready for your assistants"
    assert home.state.address.text() == "http://127.0.0.1:8765/mcp"


def test_tiles_show_the_week_and_the_last_error(
    desktop: DesktopApp, parts: FakeParts, home: HomePage, qtbot: QtBot
) -> None:
    asked = ActivityRecord(1, time.time(), "claude-ai", "answer", 1.0, "ok", 10, 40, (), saved=1234)
    parts.engines[-1].activity.recorded.append(asked)
    gone = CallFailure("Gone", "a.example has no page at this address (404).", "", "https://a.example/gone")
    failed = replace(call(91, ()), outcome="BACKEND_UNAVAILABLE", failure=gone)
    desktop.bus.publish(failed)
    qtbot.waitUntil(lambda: home.tiles.problem.value.full_text == "Page not found", timeout=60_000)
    qtbot.waitUntil(lambda: home.tiles.saved.value.full_text == "1,234", timeout=60_000)
    assert home.tiles.questions.value.full_text == "1"
    assert home.tiles.problem.name.full_text == "Error, just now"
    assert home.tiles.problem.accessibleName() == "Error, just now: Page not found"
    words = [word for tile in home.tiles._all for word in (tile.value, tile.name)]
    for width in (1_100, 860):
        desktop.window.resize(width, 720)
        qtbot.waitUntil(lambda: len({tile.height() for tile in home.tiles._all}) == 1)
        qtbot.waitUntil(lambda: not [word.text() for word in words if "…" in word.text()])
    desktop.window.resize(1_100, 720)
    qtbot.keyClick(home.tiles.problem, Qt.Key.Key_Space)
    activity = desktop.window.activity
    assert activity.isVisible()
    shown = activity.calls.model.record_at(activity.calls.table.currentIndex())
    assert shown is not None and shown.failure == gone
    desktop.window.go_to("home")
    qtbot.mouseClick(home.tiles.documents, Qt.MouseButton.LeftButton)
    assert desktop.window.library.isVisible()


def test_mistakes_of_an_assistant_are_no_problem_of_the_person(
    desktop: DesktopApp, parts: FakeParts, home: HomePage, qtbot: QtBot
) -> None:
    wrong = CallFailure("Invalid input", "`top_k` must be at least 1, not 0.", argument="top_k")
    gone = CallFailure("Unknown passage", "Unknown passage; call kb.search again", "Search.")
    for number, failure in enumerate((wrong, gone, CallFailure("Outside the scope", "No."))):
        code = "SCOPE_VIOLATION" if failure.title == "Outside the scope" else "INVALID_ARGUMENT"
        desktop.bus.publish(replace(call(60 + number, ()), outcome=code, failure=failure))
        record = ActivityRecord(number, time.time(), "claude-ai", "kb.search", 1.0, code, 10, 40, (), failure=failure)
        parts.engines[-1].activity.recorded.append(record)
    good = ActivityRecord(9, time.time(), "claude-ai", "answer", 1.0, "ok", 10, 40, ())
    parts.engines[-1].activity.recorded.append(good)
    desktop.bus.publish(replace(call(70, ()), outcome="ok"))
    qtbot.waitUntil(lambda: home.tiles.questions.value.full_text == "1", timeout=60_000)
    mistakes = ("Invalid argument: top_k", "Unknown passage", "Outside the scope")
    assert home.tiles.problem.value.full_text not in mistakes
    closed = CallFailure("Address not allowed", "10.0.0.9 is blocked.", "", "http://10.0.0.9/")
    desktop.bus.publish(replace(call(71, ()), outcome="INVALID_ARGUMENT", failure=closed))
    qtbot.waitUntil(lambda: home.tiles.problem.value.full_text == "Address not allowed")


def test_connected_assistants_and_calls_are_shown(desktop: DesktopApp, home: HomePage, qtbot: QtBot) -> None:
    desktop.bus.publish(ClientsChanged(("claude-ai", "cursor-vscode")))
    desktop.bus.publish(call(1, ("https://a.example/x",)))
    qtbot.waitUntil(lambda: home.state.text.full_text == "2 assistants are connected.")
    qtbot.waitUntil(lambda: home.calls.lines[0].isVisible())
    words = home.calls.lines[0].words
    assert words is not None
    assert (words.name, words.detail) == ("answer", "a.example/x")
    assert words.below.startswith("Claude Desktop")
    open_now = [row.name.text() for row in home.assistants.rows if row.badge.text() == "Connected now"]
    assert sorted(open_now) == ["Claude Desktop", "Cursor"]
    assert "Claude Desktop" in home.calls.lines[0].accessibleName()


def test_a_call_shows_its_question_its_time_and_its_verdict(desktop: DesktopApp, home: HomePage, qtbot: QtBot) -> None:
    asked = replace(call(31, ()), question="Which hive\nis warm?", verdict="closest")
    desktop.bus.publish(asked)
    qtbot.waitUntil(lambda: any(line.words and line.words.name == "Which hive is warm?" for line in home.calls.lines))
    line = next(line for line in home.calls.lines if line.words and line.words.name == "Which hive is warm?")
    assert line.below.full_text.startswith("Claude Desktop  ·  just now  ·  Closest only")


def test_call_opens_at_the_passage_it_rests_on(
    desktop: DesktopApp, home: HomePage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[int, ...]] = []
    monkeypatch.setattr(desktop.context, "show_document", lambda *place: shown.append(place))
    url = "https://site4.example/page/4"
    desktop.bus.publish(EvidenceTraced(7, url, 4, "Page 4", ((5, 30), (40, 50))))
    desktop.bus.publish(call(7, (url,)))
    newest = lambda: home.calls.lines[0].words if home.calls.lines else None  # noqa: E731
    qtbot.waitUntil(lambda: (words := newest()) is not None and "site4" in words.detail)
    qtbot.keyClick(home.calls.lines[0], Qt.Key.Key_Space)
    assert shown == [(4, 5, 30)]


def test_earlier_call_opens_its_page_or_the_activity(desktop: DesktopApp, home: HomePage, qtbot: QtBot) -> None:
    from app.desktop.models.activity import Call

    desktop.window.activity.show_view("tokens")
    home.calls.open_call(Call(("stored", 3), 1.0, "cursor", "answer", "ok", pages=("https://gone.example/",)))
    qtbot.waitUntil(lambda: desktop.window.current_page is desktop.window.activity)
    assert desktop.window.activity.view.value == "calls"
    home.calls.open_call(Call(("stored", 4), 1.0, "cursor", "answer", "ok", pages=("https://site2.example/page/2",)))
    qtbot.waitUntil(lambda: desktop.window.current_page is desktop.window.library)


def test_newest_page_opens_in_the_library(desktop: DesktopApp, home: HomePage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: bool(home.newest.lines) and home.newest.lines[0].isVisible())
    home.newest.lines[0].click()
    assert desktop.window.current_page is desktop.window.library


def test_the_number_of_lines_fits_the_space(home: HomePage, qtbot: QtBot) -> None:
    visible = lambda: sum(line.isVisible() for line in home.newest.lines)  # noqa: E731
    home.newest.show_room(0, 2)
    assert visible() == 2
    home.newest.show_room(2_000, 2)
    assert visible() == 6


def test_lines_are_never_pressed_into_each_other(start: Start, qtbot: QtBot, own_home: Path) -> None:
    for folder in (".cursor", ".gemini", ".codeium/windsurf"):
        (own_home / folder).mkdir(parents=True)
    given: list[int] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() is QEvent.Type.Paint and isinstance(watched, QWidget):
                given.append(watched.height())
            return False

    home = start(FakeParts(16), ready=False).window.home
    watch = Watch()
    for row in home.assistants.rows:
        row.installEventFilter(watch)
    home.window().resize(1_000, 620)
    qtbot.waitUntil(lambda: home.newest.lines != [] and home.assistants.rows[2].isVisible())
    qtbot.waitUntil(lambda: len(given) >= 2)  # The third is below the edge.
    content = home._content.layout()
    assert content is not None
    assert home._content.minimumHeight() >= content.minimumSize().height(), "even before the scroll area has updated"
    assert min(given) >= home.assistants.rows[0].minimumSizeHint().height()


def test_connecting_leads_to_the_assistants(desktop: DesktopApp, home: HomePage) -> None:
    home.assistants.connect_button.click()
    assert desktop.window.current_page is desktop.window.clients


def test_a_problem_is_listed_with_its_fix_and_not_repeated_in_a_banner(desktop: DesktopApp, home: HomePage) -> None:
    desktop.context.secrets.note = "There is no keyring."
    desktop.context.secrets._session[SecretName.BRAVE_API_KEY] = "entered"
    desktop.status.changed.emit()
    try:
        assert [notice.key for notice in home.problems.notices] == ["keyring"]
        assert home.problems.isVisible()
        assert not desktop.window.banners.isVisible()
        home.problems.findChildren(QPushButton)[0].click()
        assert desktop.window.current_page is desktop.window.settings
        assert desktop.window.banners.isVisible()
    finally:
        desktop.context.secrets.note = ""
        desktop.context.secrets._session.clear()
        desktop.status.changed.emit()
    # The Settings page looks for a keyring, but there is none here.
    assert all(notice.text != "There is no keyring." for notice in home.problems.notices)


@pytest.mark.own_window
def test_completed_first_steps_disappear(start: Start, qtbot: QtBot, own_home: Path) -> None:
    parts = FakeParts(0)
    desktop = start(parts)
    steps = desktop.window.home.checklist
    qtbot.waitUntil(steps.isVisible)
    qtbot.waitUntil(lambda: [item.is_done for item in steps.items] == [True, False, False, False])
    desktop.bus.publish(ClientsChanged(("claude-ai",)))
    desktop.bus.publish(call(1, ()))
    parts.engines[0].stored.update(FakeParts(1).documents)
    desktop.window.home._count()
    qtbot.waitUntil(lambda: not steps.isVisible())
    assert desktop.context.memory.get("home/started", False)


@pytest.mark.own_window
def test_first_steps_that_were_hidden_stay_away(start: Start, qtbot: QtBot) -> None:
    desktop = start(FakeParts(0))
    steps = desktop.window.home.checklist
    qtbot.waitUntil(steps.isVisible)
    steps.keep_hidden()
    desktop.status.changed.emit()
    assert not steps.isVisible()


def test_recorded_calls_survive_a_restart(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts(0)
    parts.calls.append(ActivityRecord(1, 1_700_000_000.0, "claude-ai", "search", 20.0, "ok", 10, 40, ()))
    home = start(parts).window.home
    qtbot.waitUntil(lambda: bool(home.calls.lines) and home.calls.lines[0].isVisible())


def test_a_list_is_not_called_empty_before_it_is_loaded(start: Start, qtbot: QtBot) -> None:
    home = start(FakeParts(0), ready=False).window.home
    assert not home.newest.none.isVisible()
    qtbot.waitUntil(lambda: home.newest.none.isVisible() and home.calls.none.isVisible())


def test_erased_calls_are_forgotten_here_too(desktop: DesktopApp, home: HomePage, qtbot: QtBot) -> None:
    desktop.bus.publish(call(3, ()))
    model = desktop.window.clients.model
    qtbot.waitUntil(lambda: model._seen != {})
    desktop.window.settings.privacy.library_deleted.emit()
    assert model._seen == {}


def test_an_empty_library_offers_sites_to_begin_with(
    desktop: DesktopApp, home: HomePage, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    home.checklist.note_content(False)
    assert not home.checklist.starters.isHidden()
    chip = next(each for each in home.checklist.starters.findChildren(QPushButton) if each.text() == "Python")
    qtbot.keyClick(chip, Qt.Key.Key_Space)
    dialog = desktop.window.adding
    assert dialog is not None and dialog.isVisible()
    assert dialog.site.address.text() == "https://docs.python.org/3/tutorial/"
    dialog.reject()
    home.checklist.note_content(True)
    assert home.checklist.starters.isHidden()
