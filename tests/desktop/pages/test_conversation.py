"""Activity as a conversation: consent, turns with their passages and failures, and erasing, with real clicks and keys."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import replace
from datetime import datetime
from datetime import time as clock
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.corpus.records import ActivityRecord
from app.desktop.application import DesktopApp
from app.desktop.models.conversation import GROUP_SECONDS, belongs_to
from app.desktop.pages.activity import conversation
from app.desktop.pages.activity.consent import ANSWERED
from app.desktop.pages.activity.conversation import ConversationPane
from app.desktop.pages.activity.turns import FIRST_SHOWN, TurnView
from app.desktop.panels import Tile
from app.desktop.wording import clock as time_of
from app.events import CallFailure, CallRecorded, CallStarted, PageRead
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts, summary
from tests.desktop.test_accessibility import faults_of

pytestmark = pytest.mark.shared_window

GONE = "https://gone.example/page"


def noon() -> float:
    """Return a moment of today far from midnight."""
    return datetime.combine(datetime.now().astimezone().date(), clock(12)).astimezone().timestamp()


def asked(
    number: int, question: str, *, client: str = "claude-ai", ago: float = 60.0, **more: object
) -> ActivityRecord:
    """Record a call of today that used passages of page 2."""
    ranges = more.pop("ranges", ((0, 9), (11, 21)))
    page = PageRead(summary(2).url, 2, 0, ranges)
    made = ActivityRecord(
        id=number,
        started_at=noon() - ago,
        client=client,
        tool="answer",
        duration_ms=800.0,
        outcome="ok",
        tokens=900,
        characters=4_000,
        pages=(page.url,),
        reads=(page,),
        question=question,
    )
    return replace(made, **more)


@pytest.fixture
def parts() -> FakeParts:
    parts = FakeParts(6)
    why = CallFailure("Page not found", "gone.example has no page at this address (404).", "Check it.", GONE)
    parts.calls = [
        asked(5, "What is gone?", ago=10, pages=(), reads=(), outcome="BACKEND_UNAVAILABLE", failure=why),
        asked(4, "Which hive is warm?", client="cursor", ago=20, verdict="closest"),
        asked(3, "And how in autumn?", ago=30, pages=(), reads=(), verdict="nothing"),
        asked(2, "How are bees fed?", ago=40, ranges=tuple((0, end) for end in range(4, 10))),
        asked(1, "", ago=40 + 2 * GROUP_SECONDS),
    ]
    return parts


def texts(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if not label.isHidden())


def opened(start: Start, parts: FakeParts, qtbot: QtBot, turns: int = 5) -> ConversationPane:
    desktop = start(parts, keep_questions=True)
    desktop.window.go_to("activity")
    pane = desktop.window.activity.conversation
    qtbot.waitUntil(lambda: len(pane.views) == turns and all(view.isVisible() for view in pane.views.values()))
    return pane


def click(qtbot: QtBot, widget: QWidget) -> None:
    """Click a widget once the layout has given it a size. A button without height is not hit."""
    qtbot.waitUntil(lambda: widget.width() > 0 and widget.height() >= widget.minimumSizeHint().height())
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def tool(view: TurnView, name: str) -> QToolButton:
    return next(each for each in view.findChildren(QToolButton) if name in each.accessibleName())


def pushed(view: QWidget, text: str) -> QPushButton:
    return next(each for each in view.findChildren(QPushButton) if text in each.text())


def test_without_consent_calls_show_the_table_below_the_request(start: Start, parts: FakeParts, qtbot: QtBot) -> None:
    desktop = start(parts)
    desktop.window.go_to("activity")
    page = desktop.window.activity
    assert page.view.value == "calls" and page.consent.isVisible()
    assert desktop.context.settings.value("keep_questions") is False
    page.view.chosen.emit("conversation")
    pane = page.conversation
    qtbot.waitUntil(lambda: pane.stack.currentWidget() is pane.asking)
    assert not pane.views
    page.show_view("calls")
    click(qtbot, page.consent.no)
    assert page.consent.isHidden() and desktop.context.settings.value("keep_questions") is False
    assert desktop.context.memory.get(ANSWERED, False)
    desktop.window.go_to("home")
    desktop.window.go_to("activity")
    assert page.consent.isHidden()


def test_consent_on_the_card_opens_the_conversation(
    start: Start, parts: FakeParts, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = start(parts)
    desktop.window.go_to("activity")
    page = desktop.window.activity
    with monkeypatch.context() as full:
        full.setattr("app.settings.replace_file", Mock(side_effect=OSError(28, "No space left on device")))
        page.consent.yes.click()
    assert page.consent.isVisible(), "the answer was not saved"
    page.consent.yes.setFocus()
    qtbot.keyClick(page.consent.yes, Qt.Key.Key_Space)
    assert page.view.value == "conversation" and desktop.context.settings.value("keep_questions") is True
    qtbot.waitUntil(lambda: len(page.conversation.views) == 5)


def test_pending_results_are_dropped_after_consent_was_withdrawn(start: Start, parts: FakeParts, qtbot: QtBot) -> None:
    pane = opened(start, parts, qtbot)
    context, over = pane._context, []

    async def other_turns(_engine: object) -> bool:
        for _ in range(100):
            await asyncio.sleep(0)
        return True

    pane.reload()
    context.settings.save("keep_questions", False)
    context.thread.submit(other_turns, over.append)
    qtbot.waitUntil(lambda: bool(over))
    assert pane.stack.currentWidget() is pane.asking
    assert not pane.views


def test_a_day_reads_from_top_to_bottom_in_groups(start: Start, parts: FakeParts, qtbot: QtBot) -> None:
    pane = opened(start, parts, qtbot)
    views = [pane.column.itemAt(place).widget() for place in range(pane.column.count())]
    assert [view.turn.number for view in views] == [1, 2, 3, 4, 5]
    begins = [view.findChild(Tile) is not None for view in views]
    assert begins == [True, True, False, True, True]
    assert ["Cursor" if "Cursor" in texts(view) else "Claude Desktop" for view in views] == [
        *("Claude Desktop", "Claude Desktop", "Claude Desktop", "Cursor", "Claude Desktop")
    ]
    assert all(time_of(view.turn.call.started_at) in texts(view) for view in views), "each turn shows its time"
    assert "How are bees fed?" in texts(views[1]) and "Nothing was found." in texts(views[2])
    assert "No passage answers this. Closest passages:" in texts(views[3])
    assert "Page not found" in texts(views[4]) and "(404)" in texts(views[4])
    assert "Some text." in texts(views[3]), "the passage is quoted"
    assert "How are bees fed?" in views[1].accessibleName()


def test_a_passage_opens_at_its_place_and_the_others_are_shown_on_demand(
    start: Start, parts: FakeParts, qtbot: QtBot
) -> None:
    pane = opened(start, parts, qtbot)
    wanted: list[tuple[int, int, int]] = []
    pane._context.show_document = lambda *place: wanted.append(place)  # type: ignore[assignment]
    view = pane.views[2]
    titles = [each for each in view.findChildren(QPushButton) if "Page 2" in each.accessibleName()]
    assert [each.isVisibleTo(view) for each in titles] == [True] * FIRST_SHOWN + [False] * (6 - FIRST_SHOWN)
    click(qtbot, titles[1])
    assert wanted == [(2, 0, 5)]
    click(qtbot, pushed(view, "more passages"))
    assert all(each.isVisibleTo(view) for each in titles)


def test_a_question_is_repeated_and_copied_and_a_failed_page_tried(
    start: Start, parts: FakeParts, qtbot: QtBot
) -> None:
    pane = opened(start, parts, qtbot)
    again: list[str] = []
    tried: list[str] = []
    pane._context.search_for, pane._context.add_page = again.append, tried.append
    click(qtbot, pushed(pane.views[2], "Ask again"))
    click(qtbot, tool(pane.views[2], "Copy"))
    click(qtbot, pushed(pane.views[5], "Try this page"))
    assert (again, tried) == (["How are bees fed?"], [GONE])
    assert QGuiApplication.clipboard().text() == "How are bees fed?"


@pytest.mark.own_window
def test_ask_again_runs_the_question_in_search(start: Start, parts: FakeParts, qtbot: QtBot) -> None:
    pane = opened(start, parts, qtbot)
    pushed(pane.views[2], "Ask again").click()
    engine = parts.engines[0]
    qtbot.waitUntil(lambda: ("search", ("How are bees fed?", "hybrid")) in engine.asked)


def test_questions_are_erased_one_by_one_by_day_and_all(
    start: Start, parts: FakeParts, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = opened(start, parts, qtbot)
    click(qtbot, tool(pane.views[2], "Erase"))
    qtbot.waitUntil(lambda: 2 in pane.views and not pane.views[2].turn.question)
    assert [call.question for call in parts.calls if call.question] == [
        "What is gone?",
        "Which hive is warm?",
        "And how in autumn?",
    ]
    monkeypatch.setattr(conversation, "is_agreed", lambda *_: False)
    pane.ask_erase_day()
    pane.ask_erase_all()
    assert sum(bool(call.question) for call in parts.calls) == 3
    monkeypatch.setattr(conversation, "is_agreed", lambda *_: True)
    pane.ask_erase_day()
    qtbot.waitUntil(lambda: not any(call.question for call in parts.calls))
    parts.calls[0] = replace(parts.calls[0], question="Once more?")
    pane.ask_erase_all()
    qtbot.waitUntil(lambda: not any(call.question for call in parts.calls))


def test_the_search_covers_all_days(start: Start, parts: FakeParts, qtbot: QtBot) -> None:
    parts.calls.append(asked(9, "Where do bees sleep?", ago=5 * 86_400))
    pane = opened(start, parts, qtbot)
    qtbot.keyClicks(pane.search, "bees")
    qtbot.waitUntil(lambda: set(pane.views) == {2, 9})
    qtbot.keyClick(pane.search, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(pane.search, "zebra")
    qtbot.waitUntil(lambda: pane.inside.currentWidget() is pane.none and not pane.views)
    pane.search.clear()
    qtbot.waitUntil(lambda: len(pane.views) == 5)


def test_other_days_are_reached_by_the_arrows(start: Start, parts: FakeParts, qtbot: QtBot) -> None:
    parts.calls.append(asked(9, "Where do bees sleep?", ago=5 * 86_400))
    pane = opened(start, parts, qtbot)
    qtbot.waitUntil(pane.earlier.isEnabled)
    assert not pane.later.isEnabled()
    click(qtbot, pane.earlier)
    qtbot.waitUntil(lambda: set(pane.views) == {9})
    click(qtbot, pane.later)
    qtbot.waitUntil(lambda: set(pane.views) == {1, 2, 3, 4, 5})


def test_a_new_call_is_added_below_without_moving_the_others(start: Start, parts: FakeParts, qtbot: QtBot) -> None:
    pane = opened(start, parts, qtbot)
    before = dict(pane.views)
    bus = parts.engines[0].bus
    bus.publish(CallStarted(77, "search", "cursor", time.time()))
    qtbot.waitUntil(lambda: "Cursor" in texts(pane.running.itemAt(0).widget()) if pane.running.count() else False)
    parts.calls.insert(0, asked(6, "One more?", ago=0))
    bus.publish(CallRecorded(77, (), 0))
    qtbot.waitUntil(lambda: 6 in pane.views)
    assert all(pane.views[number] is view for number, view in before.items())


@pytest.mark.own_window
def test_only_the_newest_turns_of_a_long_day_are_laid_out(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts(6)
    parts.calls = [asked(number, f"Question {number}?", ago=100 - number) for number in range(80, 0, -1)]
    pane = opened(start, parts, qtbot, conversation.SHOWN_AT_FIRST)
    assert min(pane.views) == 81 - conversation.SHOWN_AT_FIRST and pane.more.isVisible()
    click(qtbot, pane.more)
    qtbot.waitUntil(lambda: len(pane.views) == 2 * conversation.SHOWN_AT_FIRST)


def test_withdrawn_consent_hides_the_conversation(start: Start, parts: FakeParts, qtbot: QtBot) -> None:
    pane = opened(start, parts, qtbot)
    pane._context.settings.save("keep_questions", False)
    qtbot.waitUntil(lambda: pane.stack.currentWidget() is pane.asking)
    assert not pane.views


def test_the_wizard_asks_for_consent_only_once(start: Start, parts: FakeParts, qtbot: QtBot) -> None:
    desktop: DesktopApp = start(parts)
    desktop.window.show_wizard()
    wizard = desktop.window.wizard
    assert wizard is not None
    wizard.show_step(1)
    switch = wizard.storage.questions.switch
    assert not switch.isChecked()
    click(qtbot, switch)
    assert desktop.context.settings.value("keep_questions") is True
    click(qtbot, switch)
    wizard.next()
    assert desktop.context.settings.value("keep_questions") is False
    assert desktop.context.memory.get(ANSWERED, False)
    wizard.reject()
    desktop.window.go_to("activity")
    assert desktop.window.activity.consent.isHidden()


@pytest.mark.own_window
@pytest.mark.usefixtures("real_style")
def test_the_conversation_is_named_for_screen_readers_and_reached_by_keyboard(
    start: Start, parts: FakeParts, qtbot: QtBot
) -> None:
    pane = opened(start, parts, qtbot)
    qtbot.waitUntil(lambda: pane.views[5].isVisible() and pane.views[2].height() > 200)
    pane.window().activateWindow()
    qtbot.waitUntil(pane.window().isActiveWindow)
    pane.take_focus()
    assert [fault for fault in faults_of(pane) if "order of Tab" not in fault] == []


def laid_out(pane: ConversationPane) -> list[tuple[int, str, str]]:
    """Return number, assistant and question of every visible turn from top to bottom."""
    views = [pane.column.itemAt(place).widget() for place in range(pane.column.count())]
    names = {"claude-ai": "Claude Desktop", "cursor": "Cursor"}
    for view in views:
        assert isinstance(view, TurnView) and names[view.turn.call.client] in texts(view)
        begins = view.findChild(Tile) is not None
        before = views[views.index(view) - 1].turn if views.index(view) else None
        assert begins == (not belongs_to(view.turn, before))
    return [(view.turn.number, view.turn.call.client, view.turn.question) for view in views]


def test_every_call_is_shown_no_matter_how_calls_arrive_and_the_page_is_left(start: Start, qtbot: QtBot) -> None:
    """After random loads, hides, shows, new calls and filters, the laid out turns are the recorded ones."""
    rolls = random.Random(7)
    parts = FakeParts(6)
    parts.calls = [asked(number, f"Question {number}?", ago=100 - number) for number in range(14, 0, -1)]
    desktop = start(parts, keep_questions=True)
    window, bus = desktop.window, parts.engines[0].bus
    pane = window.activity.conversation
    window.go_to("activity")

    def ask() -> None:
        number = parts.calls[0].id + 1
        client, verdict = rolls.choice(("claude-ai", "cursor")), rolls.choice(("answered", "closest", "nothing", ""))
        made = asked(number, f"Question {number}?", client=client, ago=100 - number, verdict=verdict)
        parts.calls.insert(0, made)
        bus.publish(CallRecorded(number, (), 0))

    doings = (
        ask,
        ask,
        pane.reload,
        lambda: window.go_to("home"),
        lambda: window.go_to("activity"),
        lambda: window.activity.show_view("calls"),
        lambda: window.activity.show_view("conversation"),
        lambda: pane.verdict.setCurrentIndex(rolls.randrange(pane.verdict.count())),
        lambda: qtbot.wait(rolls.randrange(4)),
        lambda: pane._make_some(),
    )
    for _ in range(6):
        for _ in range(12):
            rolls.choice(doings)()
        window.go_to("activity")
        window.activity.show_view("conversation")
        wanted = pane.verdict.currentData()
        due = [call for call in reversed(parts.calls) if wanted in ("", call.verdict)]
        expected = [(call.id, call.client, call.question) for call in due][-pane._limit :]
        qtbot.waitUntil(lambda expected=expected: laid_out(pane) == expected)
        assert list(pane.views) == [number for number, *_ in expected]


@pytest.mark.own_window
def test_a_steady_flow_of_calls_does_not_keep_the_conversation_from_loading(
    start: Start, parts: FakeParts, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = opened(start, parts, qtbot)
    parts.calls.insert(0, asked(6, "One more?", ago=0))
    timer = QTimer()
    timer.timeout.connect(lambda: pane.on_events([CallRecorded(77, (), 0)]))
    timer.start(conversation.RELOAD_MS // 5)
    qtbot.waitUntil(lambda: 6 in pane.views)


class Squeezed(QObject):
    """Collects turns that are painted smaller than they need."""

    def __init__(self, pane: ConversationPane) -> None:
        super().__init__()
        self.pane, self.found = pane, []
        pane.area.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and self.pane.area.isVisible():
            self.found += [
                (number, view.height())
                for number, view in self.pane.views.items()
                if view.isVisible() and view.height() < view.layout().totalMinimumHeightForWidth(view.width())
            ]
        return False


@pytest.mark.own_window
@pytest.mark.usefixtures("real_style")
def test_the_conversation_is_never_painted_with_squeezed_turns(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts(6)
    words = "Which of the many hives is the warmest one in a long and cold winter? " * 6
    parts.calls = [asked(number, words, ago=100 - number) for number in range(20, 0, -1)]
    desktop = start(parts, keep_questions=True)
    pane = desktop.window.activity.conversation
    watch = Squeezed(pane)
    desktop.window.go_to("activity")
    qtbot.waitUntil(lambda: len(pane.views) == 20 and pane.area.isVisible())
    qtbot.wait(50)
    assert watch.found == []
