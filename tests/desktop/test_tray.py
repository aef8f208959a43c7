"""Tests of closing, clicking and notifications with and without a tray. They do not need a panel."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from app import caps
from app.corpus.records import ActivityRecord
from app.desktop import theme as icons
from app.desktop.application import DesktopApp
from app.desktop.backend import BackendState, Phase
from app.desktop.dialogs.add.dialog import AddPageDialog
from app.desktop.settings_store import SettingsStore
from app.desktop.status import TrayState
from app.desktop.tray import LONG_JOB_SECONDS, Notifications, is_panel_dark
from app.errors import CorpusError
from app.events import CallFinished, EvidenceTraced, JobChanged
from app.settings import load_settings
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts

Told = list[tuple[str, str, Callable[[], object]]]
Reason = QSystemTrayIcon.ActivationReason


class Panel:
    """Controls whether the desktop has a tray."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_there = True
        monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: self.is_there))


@pytest.fixture
def panel(monkeypatch: pytest.MonkeyPatch) -> Panel:
    return Panel(monkeypatch)


@pytest.fixture
def unattended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window is not active."""
    monkeypatch.setattr(QApplication, "activeWindow", staticmethod(lambda: None))


def told_by(desktop: DesktopApp, monkeypatch: pytest.MonkeyPatch) -> Told:
    told: Told = []

    def tell(title: str, text: str, run: Callable[[], object] | None = None, *, always: bool = False) -> None:
        told.append((title, text, run or (lambda: None)))

    monkeypatch.setattr(desktop.tray, "tell", tell)
    return told


def test_closing_hides_the_window_in_the_tray_with_one_notification(
    panel: Panel, desktop: DesktopApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = told_by(desktop, monkeypatch)
    for _ in range(2):
        desktop.show_window()
        desktop.window.close()
        assert not desktop.window.isVisible()
    assert desktop.status.phase is Phase.RUNNING
    assert [title for title, *_ in told] == ["WebRAG stays in the tray"]


@pytest.mark.parametrize(("label", "choice"), [("Keep running", "minimise"), ("Quit", "quit")])
def test_closing_without_a_tray_asks_once(label: str, choice: str, start: Start) -> None:
    parts = FakeParts()
    desktop = start(parts)
    desktop.window.close()
    assert desktop.window.isVisible()
    question = desktop.closing.question
    assert question is not None
    next(button for button in question.findChildren(QPushButton) if button.text() == label).click()
    assert desktop.settings.value("close_without_tray") == choice
    assert parts.engines[0].stopped == (choice == "quit")
    assert desktop.window.isMinimized() == (choice == "minimise")
    if choice == "minimise":
        desktop.closing.question = None
        desktop.show_window()
        desktop.window.close()
        assert desktop.window.isMinimized()
        assert desktop.closing.question is None


def test_a_canceled_question_changes_nothing(desktop: DesktopApp) -> None:
    desktop.window.close()
    question = desktop.closing.question
    assert question is not None
    question.reject()
    assert desktop.window.isVisible()
    assert not desktop.window.isMinimized()
    assert desktop.settings.value("close_without_tray") == "ask"


def test_a_late_tray_hides_the_window_that_waited_for_it(panel: Panel, start: Start) -> None:
    panel.is_there = False
    desktop = start(FakeParts(), hidden=True)
    assert desktop.window.isMinimized(), "without a tray, a hidden start needs a taskbar entry"
    panel.is_there = True
    desktop.tray.check()
    assert not desktop.window.isVisible()
    assert desktop.tray.icon is not None


def test_a_late_tray_does_not_hide_a_window_that_was_opened(panel: Panel, start: Start) -> None:
    panel.is_there = False
    desktop = start(FakeParts(), hidden=True)
    desktop.show_window()
    panel.is_there = True
    desktop.tray.check()
    assert desktop.window.isVisible()


def test_a_tray_that_disappears_shows_the_hidden_window(panel: Panel, start: Start) -> None:
    desktop = start(FakeParts(), hidden=True)
    assert not desktop.window.isVisible()
    panel.is_there = False
    desktop.tray._look()
    assert not desktop.window.isVisible(), "a restarting panel does not count as gone"
    desktop.tray._look()
    assert desktop.window.isMinimized()
    panel.is_there = True
    desktop.tray._look()
    assert not desktop.window.isVisible()


def test_the_tray_can_be_turned_off(panel: Panel, start: Start) -> None:
    desktop = start(FakeParts(), hidden=True)
    assert desktop.tray.is_available
    desktop.settings.save("tray_icon", False)
    assert not desktop.tray.is_available
    assert desktop.window.isMinimized(), "the window must stay reachable"
    desktop.settings.save("tray_icon", True)
    assert desktop.tray.is_available


def test_a_click_on_the_icon_shows_and_hides_the_window(panel: Panel, desktop: DesktopApp, qtbot: QtBot) -> None:
    window = desktop.window
    desktop.show_window()
    qtbot.waitUntil(window.isActiveWindow)
    desktop.tray._activated(Reason.Trigger)
    assert not window.isVisible()
    desktop.tray._activated(Reason.Trigger)
    assert window.isVisible()
    window.showMinimized()
    desktop.tray._activated(Reason.Trigger)
    assert not window.isMinimized()


def test_a_click_raises_a_covered_window(panel: Panel, desktop: DesktopApp, monkeypatch: pytest.MonkeyPatch) -> None:
    desktop.show_window()
    monkeypatch.setattr(desktop.window, "isActiveWindow", lambda: False)
    desktop.window.left_at = 0.0
    desktop.closing.toggle()
    assert desktop.window.isVisible()


def test_a_middle_click_opens_the_ask_window(panel: Panel, desktop: DesktopApp) -> None:
    desktop.window.hide()
    desktop.tray._activated(Reason.MiddleClick)
    assert desktop.asking is not None and desktop.asking.isVisible()
    assert not desktop.window.isVisible()


def test_the_menu_pauses_and_resumes(panel: Panel, desktop: DesktopApp, qtbot: QtBot) -> None:
    menu = desktop.tray.menu
    texts = [action.text() for action in menu.actions() if action.isVisible() and not action.isSeparator()]
    assert texts == [
        *("Ready", "Open WebRAG", "Add page from clipboard", "Ask…", "Pause"),
        *("Copy server address", "Settings", "Quit"),
    ]
    menu.pause.trigger()
    qtbot.waitUntil(lambda: desktop.status.phase is Phase.PAUSED)
    assert menu.pause.text() == "Resume"
    assert desktop.tray.icon is not None
    assert desktop.tray.icon.toolTip() == "WebRAG: Paused: assistants get no answers"
    menu.pause.trigger()
    qtbot.waitUntil(lambda: desktop.status.phase is Phase.RUNNING)
    menu.copy.trigger()
    assert QGuiApplication.clipboard().text() == desktop.status.url


def test_only_an_address_in_the_clipboard_is_offered(desktop: DesktopApp) -> None:
    QGuiApplication.clipboard().setText("  https://a.example/page \n")
    desktop.tray.menu.add.trigger()
    assert desktop.window.findChildren(AddPageDialog)[-1].pages.address.text() == "https://a.example/page"
    desktop.window.findChildren(AddPageDialog)[-1].close()
    QGuiApplication.clipboard().setText("my password")
    desktop.tray.menu.add.trigger()
    assert desktop.window.findChildren(AddPageDialog)[-1].pages.address.text() == ""


@pytest.mark.parametrize("dark", [False, True])
def test_states_differ_in_shape_and_not_only_in_colour(dark: bool, qtbot: QtBot) -> None:
    shapes = set()
    for state in TrayState:
        image = icons.tray_icon(state.value, dark=dark).pixmap(QSize(22, 22)).toImage()
        shapes.add(tuple(image.pixelColor(x, y).lightness() > 150 for x in range(22) for y in range(22)))
    assert len(shapes) == len(TrayState)


@pytest.mark.parametrize("state", list(TrayState))
def test_badges_are_cut_out_in_the_panel_color(state: TrayState, qtbot: QtBot) -> None:
    light, dark = (icons.tray_icon(state.value, dark=dark).pixmap(QSize(32, 32)).toImage() for dark in (False, True))
    assert (light != dark) == (state is not TrayState.IDLE)


def test_the_macos_menu_bar_gets_different_templates(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.desktop.theme.sys.platform", "darwin")
    shapes = set()
    for state in TrayState:
        template = icons.tray_icon(state.value)
        assert template.isMask()
        image = template.pixmap(QSize(22, 22)).toImage()
        colours = {image.pixelColor(x, y).getRgb()[:3] for x in range(22) for y in range(22)}
        assert colours == {(0, 0, 0)}, "a template is black and transparent"
        shapes.add(tuple(image.pixelColor(x, y).alpha() > 100 for x in range(22) for y in range(22)))
    assert len(shapes) == len(TrayState)


def test_the_gnome_bar_is_dark_in_both_schemes(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "ubuntu:GNOME")
    assert is_panel_dark()


@pytest.fixture
def shown(qtbot: QtBot, tmp_path: Path, unattended: None) -> tuple[Notifications, list[tuple[str, str]]]:
    """Collect notifications one by one."""
    seen: list[tuple[str, str]] = []

    def show(title: str, text: str) -> bool:
        seen.append((title, text))
        return True

    store = SettingsStore(load_settings(data_dir=tmp_path))
    notifications = Notifications(store, show, store)
    notifications.kept = store  # type: ignore[attr-defined]
    return notifications, seen


def test_many_notifications_are_combined(shown: tuple[Notifications, list[tuple[str, str]]]) -> None:
    notifications, seen = shown
    opened: list[int] = []
    for number in range(7):
        notifications.tell(f"Message {number}", "text", lambda number=number: opened.append(number))
    assert seen == [("Message 0", "text")]
    notifications._gap.timeout.emit()
    assert len(seen) == 2
    assert seen[1][0] == "6 messages from WebRAG"
    assert seen[1][1].splitlines() == ["…", "Message 3", "Message 4", "Message 5", "Message 6"]
    notifications.clicked()
    notifications.clicked()
    assert opened == [6], "a click opens the last one, once"


def test_the_same_notification_is_not_repeated(shown: tuple[Notifications, list[tuple[str, str]]]) -> None:
    notifications, seen = shown
    for _ in range(3):
        notifications.tell("Engine failed", "text", lambda: None)
        notifications._gap.stop()
    assert len(seen) == 1


def test_notifications_can_be_turned_off(shown: tuple[Notifications, list[tuple[str, str]]]) -> None:
    notifications, seen = shown
    notifications._settings.save("notifications", False)
    notifications.tell("Engine failed", "text", lambda: None, always=True)
    assert not seen


def test_there_are_no_notifications_while_the_window_is_active(
    shown: tuple[Notifications, list[tuple[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    notifications, seen = shown
    monkeypatch.setattr(QApplication, "activeWindow", staticmethod(object))
    notifications.tell("Finished", "text", lambda: None)
    assert not seen
    notifications.tell("WebRAG stays in the tray", "text", lambda: None, always=True)
    assert len(seen) == 1


def job(state: str, number: int = 1, *, failed: int = 0) -> JobChanged:
    return JobChanged(number, "crawl", "https://docs.example/", state, 40, 40, failed, "The disk is full.")


def test_a_finished_long_job_is_announced_with_a_link(desktop: DesktopApp, monkeypatch: pytest.MonkeyPatch) -> None:
    told = told_by(desktop, monkeypatch)
    clock = [100.0]
    monkeypatch.setattr("app.desktop.tray.time.monotonic", lambda: clock[0])
    take = desktop.announcements.on_events
    take([job("running", 1), job("running", 2), job("running", 3), job("running", 4)])
    clock[0] += LONG_JOB_SECONDS - 1
    take([job("done", 1)])
    clock[0] += 2
    take([job("done", 2, failed=3), job("failed", 3), job("cancelled", 4)])
    assert [(title, text) for title, text, _ in told] == [
        ("Finished: docs.example", "37 pages indexed. 3 pages could not be read."),
        ("Failed: docs.example", "The disk is full."),
    ]
    desktop.window.hide()
    told[0][2]()
    assert desktop.window.isVisible()
    assert desktop.window.current_page.name == "activity"


def test_the_first_call_of_each_assistant_is_announced_once_and_leads_to_its_passage(
    start: Start, parts: FakeParts, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    url = parts.documents[2].url
    parts.calls = [ActivityRecord(1, 1_700_000_000.0, "cursor", "search", 1.0, "ok", 9, 9, (url,))]
    desktop = start(parts)
    window = desktop.window
    told, shown = told_by(desktop, monkeypatch), []
    window.context.show_document = lambda *place: shown.append(place)  # type: ignore[assignment]
    qtbot.waitUntil(lambda: window.activity.model.total == 1)

    def ended(number: int, client: str, outcome: str = "ok", tool: str = "search") -> CallFinished:
        return CallFinished(number, tool, client, time.time(), 5.0, outcome, 40, 90, (url,) if outcome == "ok" else ())

    calls = [
        ended(3, "cursor"),
        ended(4, "claude-ai", "TIMEOUT"),
        ended(5, "claude-ai", tool="status"),
        ended(6, "webrag"),
    ]
    desktop.announcements.on_events([*calls, ended(7, "claude-ai"), ended(8, "claude-ai")])
    assert [title for title, _, _ in told] == ["Claude Desktop is connected and asked its first question"]
    assert window.toast.isVisible()
    window.on_events([ended(7, "claude-ai"), EvidenceTraced(7, url, 2, "Page 2", ((5, 30),))])
    window.toast.action.click()
    told[0][2]()
    assert shown == [(2, 5, 30)] * 2
    desktop.announcements.on_events([ended(9, "claude-ai"), ended(10, "zed")])
    assert [title for title, _, _ in told[1:]] == ["zed is connected and asked its first question"]


def test_an_almost_full_disk_is_announced_once_until_it_has_space_again(
    desktop: DesktopApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = told_by(desktop, monkeypatch)
    for free in (caps.LOW_DISK_BYTES, caps.LOW_DISK_BYTES - 1, 1000, caps.LOW_DISK_BYTES * 2, 5_000_000):
        desktop.announcements.disk_seen(free)
    assert [title for title, *_ in told] == ["The disk is almost full"] * 2
    assert "5.0 MB" in told[1][1]
    told[0][2]()
    assert desktop.window.current_page.name == "settings"


def test_free_disk_space_is_measured(desktop: DesktopApp, qtbot: QtBot) -> None:
    seen: list[int] = []
    desktop.announcements.disk_seen = seen.append  # type: ignore[method-assign]
    desktop.announcements.look_at_disk()
    qtbot.waitUntil(lambda: bool(seen))
    assert seen[0] > 0


def test_an_engine_failure_is_announced(desktop: DesktopApp, monkeypatch: pytest.MonkeyPatch) -> None:
    told = told_by(desktop, monkeypatch)
    error = CorpusError("The file is damaged.")
    desktop.announcements.backend_changed(BackendState(Phase.FAILED, error=error))
    assert told[0][:2] == (error.title, "The file is damaged.")
    told[0][2]()
    assert desktop.window.current_page.name == "home"


def test_a_lost_port_is_announced_once(desktop: DesktopApp, monkeypatch: pytest.MonkeyPatch) -> None:
    told = told_by(desktop, monkeypatch)
    engine = desktop.status.engine
    assert engine is not None
    monkeypatch.setattr(engine, "settings", replace(engine.settings, mcp_port=8765))
    state = BackendState(Phase.RUNNING, "http://127.0.0.1:8770/mcp", engine)
    for _ in range(2):
        desktop.announcements.backend_changed(state)
    assert [title for title, *_ in told] == ["Another program uses port 8765"]
    assert "8770" in told[0][1]
