"""Token ledger: totals by day and assistant, the chart, and the notes shown when nothing is recorded."""

from __future__ import annotations

import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from app.corpus.records import ActivityRecord, DayUsage
from app.desktop.application import DesktopApp
from app.desktop.models.ledger import (
    MONTH,
    REST_COLOUR,
    WEEK,
    Ledger,
    day_line,
    day_text,
    ledger_of,
    legend_entries,
    summary_text,
)
from app.desktop.pages.activity.ledger import LedgerChart, LedgerPane, tick_text, ticks
from app.desktop.pages.activity.page import CALLS, TOKENS
from app.desktop.pages.parts import Legend
from app.desktop.theme import colours
from app.desktop.tokens import DARK, LIGHT, SERIES, Colours
from app.desktop.wording import number
from app.events import CallFinished
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts
from tests.desktop.test_theme import contrast

pytestmark = pytest.mark.shared_window

TODAY = date(2026, 3, 14)


def usage(back: int, client: str, tokens: int, calls: int = 1, saved: int = 0) -> DayUsage:
    return DayUsage((TODAY - timedelta(days=back)).isoformat(), client, calls, tokens, 2, saved)


def recorded(number: int, client: str, tokens: int, *, days_ago: float = 0.0) -> ActivityRecord:
    moment = time.time() - days_ago * 86_400
    return ActivityRecord(number, moment, client, "answer", 9.0, "ok", tokens, 4 * tokens, ("https://a.example/",))


@pytest.fixture
def ledger() -> Ledger:
    return ledger_of([usage(0, "claude", 700, 3), usage(0, "", 100), usage(2, "cursor", 200)], TODAY)


def test_totals_by_day_and_assistant(ledger: Ledger) -> None:
    assert len(ledger.days) == MONTH and ledger.days[-1] == TODAY
    assert (ledger.total.tokens, ledger.total.calls, ledger.total.pages) == (1_000, 5, 6)
    assert [each.client for each in ledger.clients] == ["claude", "cursor", ""]
    assert ledger.of_day(TODAY).tokens == 800
    assert sum(each.share for each in ledger.clients) == pytest.approx(1.0)


def test_days_before_the_ledger_are_left_out() -> None:
    assert ledger_of([usage(MONTH, "claude", 9)], TODAY).total.calls == 0


def test_colors_do_not_depend_on_the_order() -> None:
    one = ledger_of([usage(0, "claude", 10), usage(0, "cursor", 20)], TODAY)
    other = ledger_of([usage(0, "claude", 30), usage(0, "cursor", 20)], TODAY)
    assert {each.client: each.colour for each in one.clients} == {each.client: each.colour for each in other.clients}
    many = ledger_of([usage(0, f"client {number}", 100 - number) for number in range(7)], TODAY)
    assert [each.colour for each in many.clients].count(REST_COLOUR) == 2
    assert len({each.colour for each in many.clients}) == 6


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_bars_have_enough_contrast_to_the_surface(scheme: Colours) -> None:
    for role in (*SERIES, REST_COLOUR):
        assert contrast(QColor(getattr(scheme, role)), QColor(scheme.surface)) >= 3.0, role


def test_the_text_describes_the_chart(ledger: Ledger) -> None:
    assert summary_text(ledger) == f"{number(1_000)} tokens in 5 calls over 30 days  ·  today 800 tokens"
    lines = day_text(ledger, TODAY).splitlines()
    assert lines[0].endswith("4 calls, 800 tokens returned")
    assert lines[1:] == ["claude: 3 calls, 700 tokens returned", "unknown: 1 call, 100 tokens returned"]
    assert day_line(ledger, TODAY).endswith("800 tokens returned  ·  claude 700  ·  unknown 100")
    assert day_text(ledger, ledger.days[0]).endswith("no calls")


@given(st.integers(0, 10**12))
def test_ticks_are_few_and_round_and_reach_the_maximum(highest: int) -> None:
    values = ticks(highest)
    assert values[0] == 0 and values[-1] >= highest
    assert 2 <= len(values) <= 6
    step = values[1]
    assert int(str(step).rstrip("0") or 1) in (1, 2, 5)


def test_tick_texts() -> None:
    assert [tick_text(value) for value in (0, 500, 20_000, 3_000_000, 30_000_000)] == [
        *("0", "500", "20 k", "3 M", "30 M")
    ]


@pytest.fixture
def chart(ledger: Ledger, qtbot: QtBot) -> LedgerChart:
    made = LedgerChart()
    qtbot.addWidget(made)
    made.resize(420, 160)
    made.show_ledger(ledger)
    made.show()
    return made


def test_bars_are_above_their_days(chart: LedgerChart, ledger: Ledger) -> None:
    picture = chart.grab().toImage()
    found = {
        chart.day_at(x)
        for x in range(picture.width())
        for y in range(picture.height())
        if picture.pixelColor(x, y).name() in {getattr(colours(), each.colour) for each in ledger.clients}
    }
    assert found == {MONTH - 3, MONTH - 1}


def test_days_are_selected_by_mouse_and_keyboard(chart: LedgerChart, ledger: Ledger, qtbot: QtBot) -> None:
    assert chart.accessibleDescription() == summary_text(ledger)
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert chart.marked == MONTH - 1
    assert chart.accessibleDescription() == day_text(ledger, TODAY)
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert chart.marked == MONTH - 1
    qtbot.keyClick(chart, Qt.Key.Key_Home)
    assert chart.marked == 0
    place = next(x for x in range(chart.width()) if chart.day_at(x) == 5)
    qtbot.mouseMove(chart, QPoint(place + 3, 60))
    qtbot.waitUntil(lambda: chart.marked == 5)


def test_a_shorter_period_keeps_the_marked_day_or_none(chart: LedgerChart) -> None:
    chart.mark(MONTH - 1)
    chart.show_ledger(ledger_of([], TODAY, WEEK))
    assert chart.marked == WEEK - 1
    chart.show_ledger(ledger_of([], TODAY, MONTH))
    chart.mark(0)
    chart.show_ledger(ledger_of([], TODAY, WEEK))
    assert chart.marked == -1


@pytest.fixture
def with_calls() -> FakeParts:
    parts = FakeParts()
    parts.calls = [
        recorded(3, "claude", 400),
        recorded(2, "cursor", 300, days_ago=3),
        recorded(1, "old", 5, days_ago=40),
    ]
    return parts


def shown(desktop: DesktopApp, qtbot: QtBot) -> LedgerPane:
    desktop.window.go_to("activity")
    desktop.window.activity.show_view(TOKENS)
    ledger = desktop.window.activity.ledger
    qtbot.waitUntil(lambda: ledger.model.ledger is not None)
    return ledger


def test_the_ledger_is_shown_and_updated_by_calls(start: Start, with_calls: FakeParts, qtbot: QtBot) -> None:
    desktop = start(with_calls)
    pane = shown(desktop, qtbot)
    assert pane.stack.currentWidget() is pane.content
    assert pane.words.full_text.startswith("700 tokens in 2 calls")
    assert [record.client for record in pane.model.records] == ["claude", "cursor"]
    assert not pane.off_note.isVisible()
    with_calls.calls.append(recorded(4, "claude", 100))
    desktop.bus.publish(CallFinished(4, "answer", "claude", time.time(), 9.0, "ok", 100, 400, ()))
    qtbot.waitUntil(lambda: pane.words.full_text.startswith("800 tokens in 3 calls"))


def test_erasing_empties_the_ledger(
    start: Start, with_calls: FakeParts, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = start(with_calls)
    pane, page = shown(desktop, qtbot), desktop.window.activity
    monkeypatch.setattr("app.desktop.dialogs.confirm.ask", lambda *_: QMessageBox.StandardButton.Yes)
    page.erase()
    qtbot.waitUntil(lambda: pane.stack.currentWidget() is pane.empty)
    page.show_view(CALLS)
    assert page.calls.stack.currentWidget() is page.calls.empty


@pytest.mark.own_window
def test_disabled_recording_is_shown(start: Start, with_calls: FakeParts, qtbot: QtBot) -> None:
    pane = shown(start(with_calls, activity_log=False), qtbot)
    assert pane.stack.currentWidget() is pane.content
    assert pane.off_note.isVisible()
    with_calls.calls.clear()
    pane.model.reload()
    qtbot.waitUntil(lambda: pane.stack.currentWidget() is pane.off)


def test_saved_tokens_match_the_table(qtbot: QtBot) -> None:
    ledger = ledger_of([usage(0, "claude", 700, 3, saved=41_387)], TODAY, WEEK)
    saved = number(41_387)
    assert len(ledger.days) == WEEK
    assert f"{saved} tokens saved" in summary_text(ledger)
    assert day_text(ledger, TODAY).splitlines()[1].endswith(f"700 tokens returned, {saved} saved")
    legend = Legend()
    qtbot.addWidget(legend)
    legend.show_entries(legend_entries(ledger_of([usage(0, f"client {each}", 9) for each in range(7)], TODAY).clients))
    assert legend.accessibleDescription().endswith("Others")


def test_rows_and_totals_agree_if_more_was_returned_than_the_pages_have(shared_desktop: DesktopApp) -> None:
    rows = [usage(0, "claude", 700, 3, saved=-978), usage(0, "cursor", 10, 1, saved=2_541), usage(0, "zed", 5)]
    ledger = ledger_of(rows, TODAY, WEEK)
    column = shared_desktop.window.activity.ledger.model._columns[4]
    assert [column.text(each) for each in ledger.clients] == [number(-978), number(2_541), "–"]
    total = number(-978 + 2_541)
    assert f"{total} tokens saved" in summary_text(ledger)
    lines = day_text(ledger, TODAY).splitlines()
    assert lines[0].endswith(f", {total} saved") and f"{total} saved" in day_line(ledger, TODAY)
    assert lines[1].endswith(f", {number(978)} more than on the pages") and lines[2].endswith(
        f", {number(2_541)} saved"
    )
    alone = ledger_of(rows[:1], TODAY, WEEK)
    assert f"{number(978)} more tokens than on the pages" in summary_text(alone)
    tiles = shared_desktop.window.home.tiles
    tiles.show_week(rows[:1])
    assert tiles.saved.accessibleName() == f"Extra tokens this week: {number(978)}"
    assert f"received {number(978)} more tokens" in tiles.saved.toolTip()
    tiles.show_week(rows[:2])
    assert tiles.saved.accessibleName() == f"Tokens saved this week: {total}"


def test_week_month_and_export(
    start: Start, with_calls: FakeParts, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_calls.calls.append(recorded(9, "=HYPERLINK()", 50, days_ago=12))
    pane = shown(start(with_calls), qtbot)
    qtbot.waitUntil(lambda: pane.words.full_text.startswith("750 tokens in 3 calls over 30 days"))
    target = tmp_path / "tokens.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    pane.export()
    qtbot.waitUntil(target.exists)
    qtbot.waitUntil(lambda: "claude,1,1,400,0" in target.read_text("utf-8"))
    assert ",'=HYPERLINK()," in target.read_text("utf-8")
    pane.show_range(str(WEEK))
    qtbot.waitUntil(lambda: pane.words.full_text.startswith("700 tokens in 2 calls over 7 days"))
    with_calls.calls.clear()
    pane.model.reload()
    qtbot.waitUntil(lambda: pane.is_empty)
    assert pane.stack.currentWidget() is pane.content, "the month can still be selected"
