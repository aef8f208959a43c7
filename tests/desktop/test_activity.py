"""Activity: recorded and live calls, filters, erasing."""

from __future__ import annotations

import time

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from app import caps
from app.corpus.records import ActivityRecord
from app.desktop.application import DesktopApp
from app.desktop.models.activity import DURATION, OUTCOME, PAGES, ActivityModel
from app.events import CallFinished, CallProgress, CallStarted, EventBus
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts


def recorded(number: int, outcome: str = "ok") -> ActivityRecord:
    return ActivityRecord(
        number, 1_700_000_000.0 + number, "cursor", "search", 12.0, outcome, 300, 1_200, ("https://a.example/x",)
    )


def finished(number: int, outcome: str = "ok", pages: tuple[str, ...] = ("https://a.example/x",)) -> CallFinished:
    return CallFinished(number, "answer", "claude", time.time(), 1_234.0, outcome, 900, 4_000, pages)


def cell(model: ActivityModel, column: int, row: int = 0) -> str:
    return str(model.index(row, column).data())


@pytest.fixture
def app_with_calls(start: Start, qtbot: QtBot) -> DesktopApp:
    parts = FakeParts()
    parts.calls = [recorded(2, "TIMEOUT"), recorded(1)]
    desktop = start(parts)
    desktop.window.go_to("activity")
    qtbot.waitUntil(lambda: desktop.window.activity.model.rowCount() == 2)
    return desktop


def test_running_call_shows_its_phase_and_then_its_outcome(app_with_calls: DesktopApp, qtbot: QtBot) -> None:
    model, bus = app_with_calls.window.activity.model, app_with_calls.bus
    bus.publish(CallStarted(7, "answer", "claude"))
    bus.publish(CallProgress(7, "expansion", "Following 2 links"))
    qtbot.waitUntil(lambda: model.rowCount() == 3)
    assert cell(model, OUTCOME) == "Following 2 links"
    assert cell(model, DURATION) == "…"
    bus.publish(finished(7, pages=("https://a.example/x", "https://a.example/y")))
    qtbot.waitUntil(lambda: cell(model, OUTCOME) == "Done")
    assert cell(model, DURATION) == "1.2 s"
    assert cell(model, PAGES) == "a.example +1"
    assert model.rowCount() == 3


def test_late_progress_does_not_reopen_an_ended_call(app_with_calls: DesktopApp, qtbot: QtBot) -> None:
    model = app_with_calls.window.activity.model
    model.take([CallStarted(7, "answer", "claude"), finished(7), CallProgress(7, "merge", "late")])
    assert cell(model, OUTCOME) == "Done"


def test_filters_by_text_and_outcome(app_with_calls: DesktopApp) -> None:
    page = app_with_calls.window.activity
    page.model.take([CallStarted(7, "answer", "claude")])
    page.model.set_outcome("failed")
    assert [cell(page.model, OUTCOME, row) for row in range(page.model.rowCount())] == ["Timed out"]
    page.model.set_outcome("running")
    assert page.model.rowCount() == 1
    page.model.set_outcome("")
    page.filter.setText("a.example cursor")
    assert page.model.rowCount() == 2


def test_only_the_newest_calls_are_kept(start: Start) -> None:
    model = start(FakeParts()).window.activity.model
    model.take(
        [CallFinished(n, "search", "c", float(n), 1.0, "ok", 1, 1, ()) for n in range(caps.MAX_ACTIVITY_SHOWN + 50)]
    )
    assert model.total == caps.MAX_ACTIVITY_SHOWN
    assert min(call.started_at for call in model.everything) == 50.0


def test_erasing_asks_first(app_with_calls: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    page = app_with_calls.window.activity
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Cancel)
    page.erase()
    qtbot.wait(50)
    assert page.model.total == 2
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    page.erase()
    qtbot.waitUntil(lambda: page._stack.currentWidget() is page._empty)


def test_five_thousand_calls_do_not_stall_the_table(start: Start, qtbot: QtBot) -> None:
    desktop = start(FakeParts())
    desktop.window.go_to("activity")
    bus: EventBus = desktop.bus
    for number in range(2_500):
        bus.publish(CallStarted(number, "answer", "claude"))
        bus.publish(finished(number))
    before = time.perf_counter()
    desktop.bridge.flush()
    taken = time.perf_counter() - before
    assert desktop.window.activity.model.total == caps.MAX_ACTIVITY_SHOWN
    assert taken < 0.15, f"{taken * 1000:.0f} ms for 5,000 events in one batch"
