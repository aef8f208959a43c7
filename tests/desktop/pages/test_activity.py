"""Activity: recorded and live calls, filters, erasing, and the drawing of how an answer was found."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app import caps
from app.corpus.records import ActivityRecord
from app.desktop.application import DesktopApp
from app.desktop.models.activity import (
    DURATION,
    OUTCOME,
    PAGES,
    RUNNING,
    TIME,
    TOOL,
    ActivityModel,
    Call,
    ended_call,
    outcome_text,
    recorded_call,
)
from app.desktop.models.rows import BELOW_ROLE
from app.desktop.models.traces import Trace, Traces, page_facts, reason_text, summary_text
from app.desktop.notices import Toast
from app.desktop.pages.activity.calls import CallsPane
from app.desktop.pages.activity.trace import TraceView, WayItem
from app.desktop.pages.graph_canvas import CaptionItem
from app.desktop.pages.page import unblock_site
from app.desktop.tokens import TALL_ROW, M
from app.desktop.wording import number
from app.events import (
    CallAsked,
    CallFailure,
    CallFinished,
    CallProgress,
    CallRecorded,
    CallStarted,
    EventBus,
    EvidenceTraced,
    PageRead,
    PageTraced,
    RoundTraced,
    SearchEnded,
)
from app.logs import DIAGNOSTICS
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts, summary
from tests.desktop.test_real_engine import call, real
from tests.orchestration.test_expansion import QUESTION, handbook
from tests.support.site import Site

pytestmark = pytest.mark.shared_window


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
    assert cell(model, OUTCOME) == "Following links"
    assert cell(model, DURATION) == "…"
    bus.publish(finished(7, pages=("https://a.example/x", "https://a.example/y")))
    qtbot.waitUntil(lambda: cell(model, OUTCOME) == "Done")
    assert cell(model, DURATION) == "1.2 s"
    assert cell(model, PAGES) == "a.example +1"
    assert model.rowCount() == 3


def test_five_calls_are_visible_below_the_request_for_consent(app_with_calls: DesktopApp, qtbot: QtBot) -> None:
    window = app_with_calls.window
    window.resize(1_100, 720)
    page = window.activity
    page.model.on_events([finished(number) for number in range(10, 20)])
    table = page.calls.table
    table.setCurrentIndex(page.model.index(0, 0))
    qtbot.waitUntil(lambda: page.consent.isVisible() and table.viewport().height() >= 5 * table.row_height)
    assert page.consent.yes.isVisible() and page.consent.no.isVisible()
    assert page.calls.details.open_button.isVisible()


def test_the_longest_tool_name_fits(app_with_calls: DesktopApp, qtbot: QtBot) -> None:
    page = app_with_calls.window.activity
    page.model.on_events([replace(finished(10), tool="kb.retrieve_evidence")])
    bold = QFont(page.calls.table.font())
    bold.setBold(True)
    room = page.calls.table.columnWidth(2) - 2 * M
    assert room >= QFontMetrics(bold).horizontalAdvance("kb.retrieve_evidence")


def test_a_message_does_not_cover_controls(app_with_calls: DesktopApp, qtbot: QtBot) -> None:
    window = app_with_calls.window
    window.resize(1_100, 720)
    toast, page = window.toast, window.activity
    page.calls.table.setCurrentIndex(page.model.index(0, 0))
    for words in ("Address copied", "Claude Desktop asked WebRAG for the first time " + "and once more " * 4):
        toast.say(words, "Show the passage", lambda: None)
        qtbot.waitUntil(lambda: not covered(window))
    assert toast.y() > window.height() // 2
    window.go_to("library")
    qtbot.waitUntil(lambda: not covered(window), timeout=60_000)
    toast.say("Short")
    assert toast.width() < 300, "as wide as this message, not as the previous one"
    toast.hide()


def test_a_message_on_a_full_page_covers_as_little_as_possible(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 600)
    for top in range(0, 560, 40):
        whole = QPushButton("whole line", window)
        whole.setGeometry(0, top, 600, 40 if top != 400 else 4)
    toast = Toast(window)
    window.show()
    toast.say("Copied")
    assert toast.geometry().intersects(QRect(0, 404, 600, 36)) and toast.y() < 440, "it is where a line is low"


def covered(window: QWidget) -> list[str]:
    """Return the controls below the message."""
    toast = window.toast
    every = [*window.centralWidget().findChildren(QAbstractButton), *window.centralWidget().findChildren(QLineEdit)]
    place = QRect(toast.mapToGlobal(QPoint()), toast.size())
    return [
        made.accessibleName() or type(made).__name__
        for made in every
        if made.isVisible() and not toast.isAncestorOf(made)
        if place.intersects(QRect(made.mapToGlobal(QPoint()), made.size()))
    ]


def test_late_progress_does_not_reopen_an_ended_call(app_with_calls: DesktopApp, qtbot: QtBot) -> None:
    model = app_with_calls.window.activity.model
    model.on_events([CallStarted(7, "answer", "claude"), finished(7), CallProgress(7, "merge", "late")])
    assert cell(model, OUTCOME) == "Done"


def test_filters_by_text_and_outcome(app_with_calls: DesktopApp) -> None:
    page = app_with_calls.window.activity
    page.model.on_events([CallStarted(7, "answer", "claude")])
    page.model.narrow(result="failed")
    assert [cell(page.model, OUTCOME, row) for row in range(page.model.rowCount())] == ["Timed out"]
    page.model.narrow(result="running")
    assert page.model.rowCount() == 1
    page.model.narrow(result="")
    page.calls.filter.setText("a.example cursor")
    assert page.model.rowCount() == 2


def test_calls_show_the_question_the_time_and_the_verdict_and_are_filtered_by_it(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts()
    given = ("answered", "closest", "nothing", "done", "", "unheard of")
    parts.calls = [
        replace(recorded(number), verdict=verdict, question=f"Question {number}?")
        for number, verdict in enumerate(given, start=1)
    ]
    parts.calls.append(replace(recorded(7, "TIMEOUT"), verdict="failed"))
    desktop = start(parts, keep_questions=True)
    desktop.window.resize(1_100, 720)
    desktop.window.go_to("activity")
    page = desktop.window.activity
    page.show_view("calls")
    qtbot.waitUntil(lambda: page.model.rowCount() == len(parts.calls))
    told = {cell(page.model, TOOL, row): cell(page.model, OUTCOME, row) for row in range(page.model.rowCount())}
    words = ("Answered", "Closest only", "Nothing found", "Done", "Done", "Done")
    assert told == {f"Question {n}?": word for n, word in enumerate(words, start=1)} | {"search": "Timed out"}
    assert page.model.index(1, TOOL).data(BELOW_ROLE) == "search", "the tool is shown below the question"
    assert not page.calls.table.isColumnHidden(TIME) and page.calls.table.row_height == TALL_ROW
    counts = {}
    for place in range(page.calls.outcome.count()):
        page.calls.outcome.setCurrentIndex(place)
        counts[page.calls.outcome.currentData()] = page.model.rowCount()
    page.calls.outcome.setCurrentIndex(0)
    expected = {"": 7, "running": 0, "answered": 1, "closest": 1, "nothing": 1, "done": 3, "failed": 1, "cancelled": 0}
    assert counts == expected
    page.calls.filter.setText("question 2")
    assert [cell(page.model, OUTCOME)] == ["Closest only"]


@pytest.mark.own_window
def test_only_the_newest_calls_are_kept(start: Start) -> None:
    model = start(FakeParts()).window.activity.model
    model.on_events(
        [CallFinished(n, "search", "c", float(n), 1.0, "ok", 1, 1, ()) for n in range(caps.MAX_ACTIVITY_SHOWN + 50)]
    )
    assert model.total == caps.MAX_ACTIVITY_SHOWN
    assert min(call.started_at for call in model.everything) == 50.0


def test_erasing_asks_first(app_with_calls: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    page = app_with_calls.window.activity
    monkeypatch.setattr("app.desktop.dialogs.confirm.ask", lambda *_: QMessageBox.StandardButton.Cancel)
    page.erase()
    qtbot.wait(50)
    assert page.model.total == 2
    monkeypatch.setattr("app.desktop.dialogs.confirm.ask", lambda *_: QMessageBox.StandardButton.Yes)
    page.erase()
    qtbot.waitUntil(lambda: page.calls.stack.currentWidget() is page.calls.empty)


def test_five_thousand_calls_do_not_freeze_the_table(start: Start, qtbot: QtBot) -> None:
    desktop = start(FakeParts())
    desktop.window.go_to("activity")
    bus: EventBus = desktop.bus
    for each in range(2_500):
        bus.publish(CallStarted(each, "answer", "claude"))
        bus.publish(finished(each))
    table = QSignalSpy(desktop.window.activity.model.rowsInserted)
    before = time.process_time()
    desktop.bridge.flush()
    taken = time.process_time() - before
    assert desktop.window.activity.model.total == caps.MAX_ACTIVITY_SHOWN
    assert table.count() <= 1, "the table is not filled row by row"
    assert taken < 1.5, f"{taken * 1000:.0f} ms for 5,000 events in one batch"


PAGE = "https://docs.example/guide"


def told(state: str, **facts: object) -> PageTraced:
    return replace(PageTraced(7, PAGE, state), **facts)  # type: ignore[arg-type]


@pytest.fixture
def calls(start: Start, parts: FakeParts, qtbot: QtBot) -> CallsPane:
    """A pane with a call of an assistant that has used a stored page."""
    parts.documents[2] = summary(2, url=PAGE, title="The guide")
    page = start(parts).window.activity
    page.context.go_to("activity")
    page.on_events([CallStarted(7, "answer", "claude"), told("reading")])
    page.on_events([told("used", document_id=2), EvidenceTraced(7, PAGE, 2, "The guide", ((5, 9), (20, 30)))])
    page.on_events([finished(7, pages=(PAGE,)), SearchEnded(7, "evidence sufficient")])
    qtbot.waitUntil(lambda: page.calls.details.model.rowCount() == 1)
    page.calls.details.show_view("pages")
    return page.calls


def test_malformed_addresses_of_an_assistant_are_shown(calls: CallsPane, qtbot: QtBot) -> None:
    bad = ("http://[bad", "https://a]b/x")
    calls.model.on_events([CallStarted(8, "ingest", "claude"), finished(8, pages=bad)])
    calls.select_call(("live", 8))
    details = calls.details
    qtbot.waitUntil(lambda: details.page is not None and details.page.url == bad[0])
    assert not details.block_button.isEnabled()
    assert {str(details.model.index(row, 0).data()) for row in range(2)} == {"[bad", "a]b/x"}


def test_details_name_the_pages_and_open_them_at_the_passage(calls: CallsPane, monkeypatch: pytest.MonkeyPatch) -> None:
    details, opened = calls.details, []
    monkeypatch.setattr(details._context, "show_document", lambda *place: opened.append(place))
    assert details.page is not None
    assert (details.page.title, len(details.page.ranges)) == ("The guide", 2)
    details.open_button.click()
    details.menu().actions()[1].trigger()
    details.show_view("way")
    details.way.choose(PAGE)
    details.open_button.click()
    assert opened == [(2, 5, 9), (2, 20, 30), (2, 5, 9)]


def read_of(number: int, whole: int) -> CallRecorded:
    return CallRecorded(number, (PageRead(PAGE, 2, whole, ((5, 9), (20, 30))),), whole - 900)


def test_the_details_show_how_many_tokens_a_call_saved(calls: CallsPane, parts: FakeParts, qtbot: QtBot) -> None:
    parts.documents[2] = replace(parts.documents[2], tokens=41_900)
    facts = calls.details._facts
    calls.model.on_events([CallStarted(8, "search", "claude"), finished(8, pages=(PAGE,)), read_of(8, 41_900)])
    calls.select_call(("live", 8))
    qtbot.waitUntil(lambda: f"{number(41_900)} − 900 = {number(41_000)} tokens saved" in facts.full_text)
    qtbot.waitUntil(lambda: calls.details.model.rowCount() == 1 and calls.details.model.records[0].counted == 41_900)
    calls.model.on_events([CallStarted(10, "search", "claude"), finished(10, pages=(PAGE,)), read_of(10, 500)])
    calls.select_call(("live", 10))
    qtbot.waitUntil(lambda: "900 − 500 = 400 more tokens than on its pages" in facts.full_text)
    calls.model.on_events([CallStarted(9, "search", "claude"), finished(9, pages=(PAGE,)), read_of(9, 0)])
    calls.select_call(("live", 9))
    qtbot.waitUntil(lambda: "its pages were already counted that day" in facts.full_text)


def test_passages_are_available_after_a_restart_unless_the_page_has_changed(
    start: Start, parts: FakeParts, qtbot: QtBot
) -> None:
    stored = replace(recorded(1), pages=(PAGE,), reads=read_of(1, 7).reads)
    parts.documents[2] = summary(2, url=PAGE, title="The guide")
    parts.calls = [stored]
    details = start(parts).window.activity.calls.details
    details._context.go_to("activity")
    qtbot.waitUntil(lambda: details.model.rowCount() == 1)
    assert details.page is not None and details.page.ranges == ((5, 9), (20, 30))
    assert details.open_button.text() == "Open passage"
    parts.documents[2] = replace(parts.documents[2], changed_at=stored.started_at + 60)
    details._load(recorded_call(stored))
    qtbot.waitUntil(lambda: details.page is not None and details.page.ranges == ())
    assert details.open_button.text() == "Open page"


GONE = CallFailure(
    "The site returned an error",
    "docs.example has no page at this address (404).",
    "Check the spelling of the address.",
    "https://docs.example/x",
)


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (GONE, "Page not found"),
        (replace(GONE, text="docs.example asks WebRAG to wait 5 s (503)."), "Too many requests to the site"),
        (
            CallFailure("Invalid input", "`top_k` must be at least 1, not 0.", argument="top_k"),
            "Invalid argument: top_k",
        ),
        (CallFailure("Web search is not set up", "A key is missing."), "Web search is not set up"),
        (None, "Not available"),
    ],
)
def test_outcomes_are_shown_in_plain_language(failure: CallFailure | None, words: str) -> None:
    assert (
        outcome_text(ended_call(("live", 1), replace(finished(1, "BACKEND_UNAVAILABLE", ()), failure=failure))) == words
    )


def test_a_failed_call_names_its_page_and_its_reason_and_offers_to_try_it(
    calls: CallsPane, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[str] = []
    monkeypatch.setattr(calls._context, "add_page", offered.append)
    calls.model.on_events([replace(finished(9, "BACKEND_UNAVAILABLE", ()), failure=GONE)])
    calls.select_call(("live", 9))
    shown, row = calls.details.failure, calls.model.row_of(("live", 9))
    assert (cell(calls.model, PAGES, row), cell(calls.model, OUTCOME, row)) == ("docs.example/x", "Page not found")
    assert calls.details._stack.currentWidget() is shown
    assert shown.text.text().replace("\u200b", "") == GONE.text and not shown.withheld.isVisibleTo(shown)
    shown.again.click()
    assert offered == ["https://docs.example/x"]


def test_an_address_with_a_secret_is_neither_shown_nor_offered(calls: CallsPane) -> None:
    hidden = replace(GONE, url="https://docs.example/x?token=[redacted]")
    calls.model.on_events([replace(finished(9, "BACKEND_UNAVAILABLE", ()), failure=hidden)])
    calls.select_call(("live", 9))
    shown = calls.details.failure
    assert not shown.again.isVisibleTo(shown) and shown.withheld.isVisibleTo(shown)
    secret = "https://me:hunter2@docs.example/y?token=topsecret"
    calls.model.on_events([finished(10, pages=(secret,))])
    told = repr(calls.model.call_of(("live", 10))) + cell(calls.model, PAGES, calls.model.row_of(("live", 10)))
    assert "hunter2" not in told and "topsecret" not in told


def test_a_page_is_deleted_after_confirmation(
    calls: CallsPane, parts: FakeParts, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.desktop.dialogs.confirm.ask", lambda *_: QMessageBox.StandardButton.Cancel)
    calls.details.forget_button.click()
    monkeypatch.setattr("app.desktop.dialogs.confirm.ask", lambda *_: QMessageBox.StandardButton.Yes)
    calls.details.forget_button.click()
    qtbot.waitUntil(lambda: not calls.details.forget_button.isEnabled())
    assert [asked for asked in parts.engines[0].asked if asked[0] == "delete"] == [("delete", 2)]


def test_a_site_is_blocked_and_unblocked(calls: CallsPane) -> None:
    settings = calls._context.settings
    calls.details.block_button.click()
    assert settings.value("deny_hosts") == ("docs.example",)
    assert not calls.details.block_button.isEnabled()
    unblock_site(calls._context, "docs.example")
    assert settings.value("deny_hosts") == ()
    assert calls.details.block_button.isEnabled()


def test_running_calls_are_first_and_their_duration_is_updated(calls: CallsPane) -> None:
    model = calls.model
    model.on_events([replace(finished(number), started_at=time.time() + number) for number in range(20, 25)])
    model.merge([Call(("live", 9), time.time() - 65, "cursor", "answer", RUNNING)])
    assert model.records[0].key == ("live", 9)
    assert cell(model, DURATION) == "65 s"
    model.sort(DURATION, Qt.SortOrder.AscendingOrder)
    assert model.records[0].key == ("live", 9)


def test_a_paused_list_does_not_change_until_it_continues(calls: CallsPane) -> None:
    calls.stream.click()
    before = [call.key for call in calls.model.records]
    calls.model.on_events([finished(30), finished(31)])
    assert [call.key for call in calls.model.records] == before
    assert calls.stream.accessibleName() == "Continue (2 new)"
    assert ("live", 30) in {call.key for call in calls.model.everything}, "Home is updated anyway"
    calls.stream.click()
    assert len(calls.model.records) == len(before) + 2
    assert calls.stream.accessibleName() == "Pause"


def test_filters_are_kept_while_calls_arrive(calls: CallsPane) -> None:
    calls.model.on_events([replace(finished(40), client="cursor", tool="search")])
    calls.client.setCurrentIndex(calls.client.findData("Cursor"))
    assert [call.client for call in calls.model.records] == ["cursor"]
    calls.model.on_events([replace(finished(41), client="aider")])
    assert calls.client.currentData() == "Cursor"
    assert calls.model.rowCount() == 1
    calls.tool.setCurrentIndex(calls.tool.findData("answer"))
    assert calls.model.rowCount() == 0


@pytest.mark.own_window
def test_the_newest_call_is_followed_until_another_is_selected(calls: CallsPane) -> None:
    calls.model.on_events([finished(50)])
    assert calls.details._call is not None
    assert calls.details._call.key == ("live", 50)
    calls.select_call(("live", 7))
    calls.model.on_events([finished(51)])
    assert calls.details._call.key == ("live", 7)


@pytest.mark.own_window
def test_a_selected_visible_call_stays_visible(calls: CallsPane) -> None:
    calls.model.on_events([replace(finished(number), started_at=time.time() + number) for number in range(60, 100)])
    table = calls.table
    last = table.rowAt(table.viewport().height() - 1)
    calls.select_call(calls.model.records[last].key)
    for later in range(100, 110):
        calls.model.on_events([replace(finished(later), started_at=time.time() + later)])
        assert table.viewport().rect().contains(table.visualRect(table.currentIndex()).center())
    table.verticalScrollBar().setValue(table.verticalScrollBar().maximum())
    below = table.verticalScrollBar().value()
    calls.model.on_events([replace(finished(110), started_at=time.time() + 110)])
    assert table.verticalScrollBar().value() >= below, "the list does not scroll back to the selected call"


@pytest.mark.own_window
def test_a_question_can_be_repeated_only_while_diagnostic_logging_is_on(calls: CallsPane) -> None:
    page = calls._context
    asked: list[str] = []
    page.search_for = asked.append
    DIAGNOSTICS.on()
    try:
        calls.traces.on_events([CallAsked(7, "How long?")])
        calls.select_call(("live", 7))
        assert not calls.details.again.isHidden()
        calls.details.replay()
        assert asked == ["How long?"]
    finally:
        DIAGNOSTICS.off()
    calls.traces.forget_queries()
    calls.details.replay()
    assert asked == ["How long?"]


def test_recording_is_turned_off_immediately(
    start: Start, parts: FakeParts, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = start(parts).window.activity
    page.recording.click()
    chain, reached = (
        [page.dialog.nextInFocusChain()],
        [page.dialog.switch, page.dialog.questions, page.dialog.erase_button],
    )
    while chain[-1] is not page.dialog:
        chain.append(chain[-1].nextInFocusChain())
    assert [each for each in chain if each in reached] == reached, "Tab reaches the button that erases last"
    page.dialog.switch.click()
    qtbot.waitUntil(lambda: ("record", False) in parts.engines[0].asked)
    assert page.context.settings.value("activity_log") is False
    page.dialog.questions.click()
    assert page.dialog.questions.isChecked() and page.dialog.switch.isChecked(), "questions are part of the record"
    with monkeypatch.context() as full:
        full.setattr("app.settings.replace_file", Mock(side_effect=OSError(28, "No space left on device")))
        page.dialog.switch.click()
        page.dialog.questions.click()
    assert page.dialog.questions.isChecked() and page.dialog.switch.isChecked(), "nothing was saved"
    page.dialog.accept()


__all__ = ["real"]

START = "https://docs.example/"


def page(name: str, state: str = "waiting", *, source: str = START, number: int = 1) -> PageTraced:
    return PageTraced(7, f"https://docs.example/{name}", state, source, number, promise=0.5)


def ended(call_id: int = 7) -> CallFinished:
    return CallFinished(call_id, "answer", "c", 1.0, 1.0, "ok", 1, 1, ())


@pytest.fixture
def traces() -> Traces:
    made = Traces()
    made.on_events(
        [PageTraced(7, START, "read", title="Start", document_id=1), RoundTraced(7, 1, 2, ((f"{START}z", 0.1),))]
    )
    made.on_events([page("a"), page("b")])
    return made


@pytest.fixture
def trace(traces: Traces) -> Trace:
    known = traces.of(7)
    assert known is not None
    return known


@pytest.fixture
def view(trace: Trace, qtbot: QtBot) -> TraceView:
    made = TraceView()
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.show()
    made.show_trace(trace)
    return made


def test_nothing_moves_while_the_drawing_grows(view: TraceView, traces: Traces, trace: Trace) -> None:
    before = {url: item.pos() for url, item in view.pages.items()}
    view.choose(f"{START}a")
    traces.on_events([page("a", "reading"), page("c"), RoundTraced(7, 2, 2), page("d", source=f"{START}a", number=2)])
    view.show_trace(trace)
    assert {url: view.pages[url].pos() for url in before} == before
    assert view.pages[f"{START}d"].pos().x() > view.pages[f"{START}c"].pos().x()
    assert view.current is not None and view.current.state == "reading"
    assert sum(isinstance(item, WayItem) for item in view.scene().items()) == 4
    words = [item.text for item in view.scene().items() if isinstance(item, CaptionItem)]
    assert "1 more link considered, not followed" in words
    assert "Round 2 of at most 2" in words


def test_another_trace_starts_from_scratch(view: TraceView) -> None:
    view.choose(f"{START}a")
    view.show_trace(Trace(8, {START: PageTraced(8, START, "reading")}))
    assert list(view.pages) == [START]
    assert view.current is None
    view.show_trace(None)
    assert view.pages == {}


def test_pages_are_reached_by_keyboard_and_named_for_screen_readers(view: TraceView, qtbot: QtBot) -> None:
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


def test_pages_in_progress_at_the_end_of_a_call_are_skipped(traces: Traces, trace: Trace) -> None:
    traces.on_events([page("a", "reading"), ended()])
    assert [each.state for each in trace.pages.values()] == ["read", "skipped", "skipped"]


def test_the_summary_describes_progress_and_end(traces: Traces, trace: Trace) -> None:
    assert summary_text(trace) == "1 page read  ·  2 waiting"
    used = replace(page("a", "used"), document_id=4, relevance=0.81, duration_ms=320.0)
    traces.on_events([used, EvidenceTraced(7, f"{START}a", 4, "A", ((1, 5), (9, 12))), page("b", "failed")])
    traces.on_events([SearchEnded(7, "evidence sufficient"), ended()])
    assert summary_text(trace) == "2 pages read  ·  1 used in the answer  ·  1 failed  ·  Found enough."
    assert trace.ranges(f"{START}a") == ((1, 5), (9, 12))
    assert page_facts(used, 2).startswith("2 passages used  ·  link score 50%  ·  best passage 81%")
    assert reason_text("something new") == "something new"


def test_only_the_latest_traces_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.desktop.models.traces.MAX_TRACES_KEPT", 3)
    traces = Traces()
    traces.on_events([PageTraced(number, START, "reading") for number in range(1, 6)])
    assert [number for number in range(1, 6) if traces.of(number) is not None] == [3, 4, 5]


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


@pytest.mark.real
def test_the_trace_of_a_real_answer_arrives_in_order(real: DesktopApp, site: Site, qtbot: QtBot) -> None:
    told: list[object] = []
    real.bus.subscribe(told.append)
    asked = {"url": handbook(site), "query": QUESTION, "expansion_budget": 1}
    assert not call(real, qtbot, "answer", asked).get("isError")
    page = real.window.activity
    qtbot.waitUntil(lambda: bool(page.model.records) and not page.model.records[0].is_running)
    trace = page.traces.of(page.model.records[0].key[1])
    assert trace is not None
    qtbot.waitUntil(lambda: bool(trace.reason))
    start, seals = site.url("/index.html"), site.url("/seals.html")
    assert next(iter(trace.pages)) == start
    assert (trace.pages[seals].state, trace.pages[seals].source_url) == ("used", start)
    assert trace.ranges(seals)
    states = [each.state for each in told if isinstance(each, PageTraced) and each.url == seals]
    assert list(dict.fromkeys(states)) == ["waiting", "reading", "read", "used"]
    details = page.calls.details
    details.show_view("way")
    assert set(details.way.pages) == set(trace.pages)
