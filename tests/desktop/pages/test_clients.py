"""Tests of the Assistants page: configuration files, changes to them, and connected assistants."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app import caps
from app.bridge.start import start_headless
from app.clients.checks import Check, CheckEvent, Listener
from app.clients.hosts import CLIENTS
from app.corpus.records import ActivityRecord
from app.desktop.backend import Phase
from app.desktop.config_watch import ConfigWatch
from app.desktop.context import Context
from app.desktop.dialogs.connect_client import ConnectClientDialog, DiffView, _changed_spans
from app.desktop.engine_thread import EngineThread, EventBridge
from app.desktop.models.assistants import Condition, presence_text, state_line
from app.desktop.models.clients import GROUP_ROLE, ClientsModel
from app.desktop.pages.clients.cards import CheckEverythingDialog
from app.desktop.pages.clients.page import ClientsPage
from app.desktop.settings_store import SettingsStore
from app.desktop.state_file import StateFile
from app.desktop.status import Status
from app.errors import WebRAGError
from app.events import CallStarted, ClientsChanged, EventBus
from app.secrets import SecretStore
from app.settings import load_settings
from tests.desktop.fake_engine import FakeParts
from tests.desktop.window import PATIENCE_MS

pytestmark = pytest.mark.shared_window


@pytest.fixture
def home(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Linux home with Claude Desktop and Cursor, both without an entry."""
    monkeypatch.setattr("sys.platform", "linux")
    claude_file(own_home).parent.mkdir(parents=True)
    claude_file(own_home).write_text('{"mcpServers": {"other": {"command": "x"}}}')
    cursor_file(own_home).parent.mkdir()
    return own_home


def claude_file(home: Path) -> Path:
    return home / "xdg_config_home" / "Claude" / "claude_desktop_config.json"


def cursor_file(home: Path) -> Path:
    return home / ".cursor" / "mcp.json"


class Messages:
    """Collects the messages of the window."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str, action: str = "", run: Callable[[], object] | None = None) -> None:
        self.said.append(text)

    def clear(self) -> None:
        self.said.clear()

    def complain(self, error: WebRAGError) -> None:
        self.said.append(error.message)


@dataclass
class Room:
    """The page without the rest of the window."""

    page: ClientsPage
    context: Context
    bus: EventBus
    messages: Messages


Enter = Callable[..., Room]


@pytest.fixture
def enter(own_home: Path, tmp_path: Path, qtbot: QtBot) -> Iterator[Enter]:
    """Open the page with an engine and wait until it has read the files."""
    threads: list[EngineThread] = []

    def run(calls: Sequence[ActivityRecord] = ()) -> Room:
        bus, settings, parts = EventBus(), load_settings({}, data_dir=tmp_path / "data"), FakeParts()
        parts.calls += calls
        thread = EngineThread(settings, bus, parts)
        threads.append(thread)
        context = Context(thread, Status(), SecretStore(), SettingsStore(settings))
        context.notifier, context.config_watch = Messages(), ConfigWatch(thread, context.settings)
        context.memory = StateFile(tmp_path / "window.json")
        page = ClientsPage(context)
        qtbot.addWidget(page)
        bridge = EventBridge(bus, page)
        bridge.batch.connect(context.status.on_events)
        bridge.batch.connect(page.on_events)
        thread.state_changed.connect(context.status.set_backend)
        thread.start()
        qtbot.waitUntil(lambda: context.status.phase is Phase.RUNNING)
        page.engine_ready()
        page.show()
        qtbot.waitUntil(lambda: page.pane.shown is not None)
        return Room(page, context, bus, context.notifier)

    yield run
    for thread in threads:
        thread.stop()


@pytest.fixture
def room(home: Path, enter: Enter) -> Room:
    """The page with Claude Desktop and Cursor installed."""
    return enter()


@pytest.fixture
def page(room: Room) -> ClientsPage:
    return room.page


def dialog_of(page: ClientsPage, qtbot: QtBot) -> ConnectClientDialog:
    """Return the open dialog with its plan."""
    dialog = page.window().findChildren(ConnectClientDialog)[-1]
    qtbot.waitUntil(lambda: bool(dialog.diff.toPlainText()))
    return dialog


def connect(page: ClientsPage, name: str, qtbot: QtBot) -> None:
    """Connect an assistant through the dialog."""
    page.select_client(name)
    page.pane.head.connect_button.click()
    dialog = dialog_of(page, qtbot)
    dialog.write()
    qtbot.waitUntil(lambda: page.model.find(name).has_entry)


def test_found_assistants_come_first_under_a_heading(page: ClientsPage) -> None:
    model = page.model
    headings = [model.index(row, 0).data(GROUP_ROLE) for row in range(model.rowCount())]
    assert [row.name for row in model.records[:2]] == ["claude-desktop", "cursor"]
    assert [heading for heading in headings if heading] == [
        "On this computer",
        "Other assistants",
        "Not found on this computer",
    ]
    assert page.current.name == "claude-desktop"
    assert page.header._subtitle.full_text == "2 assistants found  ·  0 connected"


def test_a_change_is_shown_written_and_confirmed_by_a_connection(
    page: ClientsPage, home: Path, room: Room, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.desktop.models.clients.running_since", lambda _profile: 1.0)
    before = claude_file(home).read_text()
    page.pane.head.connect_button.click()
    dialog = dialog_of(page, qtbot)
    assert '"webrag"' in dialog.diff.toPlainText()
    assert "~/xdg_config_home/Claude/claude_desktop_config.json" in dialog.diff.toPlainText()
    assert claude_file(home).read_text() == before
    dialog.write()
    qtbot.waitUntil(lambda: page.current.has_entry)
    servers = json.loads(claude_file(home).read_text())["mcpServers"]
    assert servers["other"] == {"command": "x"}
    assert page.current.condition is Condition.RESTART
    assert not page.pane.steps.isHidden()
    assert page.pane.steps.started._title.text() == "Waiting for Claude Desktop…"
    room.bus.publish(ClientsChanged(("claude-ai",)))
    qtbot.waitUntil(lambda: page.pane.steps.started._title.text() == "Claude Desktop found WebRAG")
    assert page.current.condition is Condition.CONNECTED
    room.bus.publish(CallStarted(7, "answer", "claude-ai"))
    qtbot.waitUntil(
        lambda: page.pane.steps.asked._title.text() == "Claude Desktop is connected and made its first call"
    )
    page.pane.steps.close_button.click()
    assert page.pane.steps.isHidden()


def test_an_assistant_that_is_not_running_does_not_need_a_restart(page: ClientsPage, qtbot: QtBot) -> None:
    connect(page, "claude-desktop", qtbot)
    qtbot.waitUntil(lambda: page.current.condition is Condition.WAITING)
    page.model._note_running("claude-desktop", True)
    assert page.current.condition is Condition.RESTART
    assert page.pane.head.badge.text() == "Restart Claude Desktop"


def test_a_connection_before_the_change_does_not_count(page: ClientsPage, room: Room, qtbot: QtBot) -> None:
    room.bus.publish(ClientsChanged(("claude-ai",)))
    qtbot.waitUntil(lambda: page.current.attached == 1)
    connect(page, "claude-desktop", qtbot)
    assert page.current.connecting is not None
    assert not page.current.connecting.attached
    room.bus.publish(ClientsChanged(()))
    qtbot.waitUntil(lambda: page.current.attached == 0)
    room.bus.publish(ClientsChanged(("claude-ai",)))
    qtbot.waitUntil(lambda: page.current.connecting.attached)


def test_disconnecting_shows_and_removes_only_the_entry(page: ClientsPage, home: Path, qtbot: QtBot) -> None:
    connect(page, "claude-desktop", qtbot)
    page.pane.files.disconnect_button.click()
    dialog = dialog_of(page, qtbot)
    assert any(line.startswith("-") and "webrag" in line for line in dialog.diff.toPlainText().splitlines())
    assert "webrag" in claude_file(home).read_text()
    dialog.write()
    qtbot.waitUntil(lambda: not page.current.has_entry)
    assert json.loads(claude_file(home).read_text()) == {"mcpServers": {"other": {"command": "x"}}}
    assert page.current.condition is Condition.FOUND
    assert page.pane.steps.isHidden()


def test_the_line_of_an_error_in_a_file_is_shown_and_nothing_is_written(
    page: ClientsPage, home: Path, qtbot: QtBot
) -> None:
    cursor_file(home).write_text('{\n  "mcpServers": {,}\n}')
    page.model.read_again()
    qtbot.waitUntil(lambda: page.model.find("cursor").condition is Condition.PROBLEM)
    page.select_client("cursor")
    assert "line 2" in page.pane.notice.notices[0].text
    assert not page.pane.head.open_button.isHidden()
    assert page.pane.head.connect_button.isHidden()


def test_an_entry_of_another_installation_can_be_repaired(page: ClientsPage, home: Path, qtbot: QtBot) -> None:
    cursor_file(home).write_text('{"mcpServers": {"webrag": {"command": "/gone/webrag", "args": ["mcp"]}}}')
    page.model.reload()
    qtbot.waitUntil(lambda: page.model.find("cursor").condition is Condition.CHANGED)
    page.select_client("cursor")
    assert "/gone/webrag" in page.pane.notice.notices[0].text
    assert page.pane.files.rows[0].entry.toPlainText().count("/gone/webrag") == 1
    assert page.pane.head.connect_button.text() == "Repair entry…"
    connect(page, "cursor", qtbot)
    qtbot.waitUntil(lambda: page.current.condition is Condition.WAITING)
    assert "/gone/webrag" not in cursor_file(home).read_text()


def test_an_entry_of_the_same_name_for_another_program_is_a_problem(
    page: ClientsPage, home: Path, qtbot: QtBot
) -> None:
    cursor_file(home).write_text('{"mcpServers": {"webrag": {"command": "something", "args": ["else"]}}}')
    page.model.reload()
    qtbot.waitUntil(lambda: page.model.find("cursor").condition is Condition.PROBLEM)
    page.select_client("cursor")
    assert "something else" in page.pane.notice.notices[0].text
    assert page.pane.head.connect_button.text() == "Replace entry…"
    assert page.pane.files.disconnect_button.isHidden()


def test_the_last_call_and_the_tools_are_shown(home: Path, enter: Enter, qtbot: QtBot) -> None:
    now = time.time()
    called = [
        ActivityRecord(1, now - 7200, "claude-ai", "answer", 1.0, "ok", 1, 1, ()),
        # A connection test does not count as an assistant.
        ActivityRecord(2, now, "webrag", "answer", 1.0, "ok", 1, 1, ()),
    ]
    room = enter(called)
    page = room.page
    qtbot.waitUntil(lambda: page.current.last_seen > 0)
    assert page.pane.head.presence.text() == "Last used 2 hours ago."
    assert page.model.find("other").last_seen == 0
    room.context.settings.save("mcp_client_tools", ("claude-desktop=research",))
    assert page.pane.tools.name.text() == "Available tools: research"
    shown: list[bool] = []
    room.context.show_client_tools = lambda: shown.append(True)
    page.pane.tools.change.click()
    assert shown


def test_a_calling_assistant_is_listed_as_installed(page: ClientsPage, room: Room, qtbot: QtBot) -> None:
    room.bus.publish(ClientsChanged(("zed",)))
    qtbot.waitUntil(lambda: page.model.records[2].name == "zed")
    assert state_line(page.model.records[2]) == "Connected now"


def test_a_missing_assistant_shows_the_searched_locations(page: ClientsPage) -> None:
    page.select_client("claude-code")
    assert "~/.claude" in page.pane.missing.places.toPlainText()
    assert "claude mcp add" in page.pane.missing.command.toPlainText()
    assert page.pane.head.connect_button.isHidden()
    assert page.pane.files.isHidden()


def test_the_token_is_inserted_only_on_request(page: ClientsPage, room: Room, qtbot: QtBot) -> None:
    page.select_client("other")
    card = page.pane.by_hand
    card.copy.click()
    assert "mcp" in json.loads(QGuiApplication.clipboard().text())["mcpServers"]["webrag"]["args"]
    card.kinds._buttons["address"].click()
    card.copy.click()
    assert "Bearer <token>" in QGuiApplication.clipboard().text()
    token = room.context.secrets.server_token()
    card.put_token.click()
    qtbot.waitUntil(lambda: token in card.entry.toPlainText())
    page.select_client("claude-desktop")
    page.select_client("other")
    card.kinds._buttons["address"].click()
    assert token not in card.entry.toPlainText()


def test_without_assistants_the_page_shows_what_to_do(enter: Enter) -> None:
    page = enter().page
    assert page.current.name == "other"
    assert page.pane.notice.notices[0].title == "No assistant found on this computer"
    assert page.header._subtitle.full_text == "No supported assistant found on this computer."


def test_the_list_works_by_keyboard(page: ClientsPage, qtbot: QtBot) -> None:
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    assert page.current.name == "cursor"
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    dialog = dialog_of(page, qtbot)
    assert dialog.windowTitle() == "Connect Cursor"
    dialog.reject()


def test_results_appear_one_by_one_and_can_be_copied(room: Room, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    page = room.page
    checks = (
        CheckEvent("This installation", "", Check("command", True, "/usr/bin/webrag")),
        CheckEvent("Claude Desktop", "/file", Check("command", True, "/usr/bin/webrag")),
        CheckEvent("Claude Desktop", "/file", Check("descriptions", False, "cut short: answer", "Say so.")),
    )
    goes_on = threading.Event()

    def examine(*_: object, listener: Listener, store: object, **__: object) -> None:
        assert store is room.context.secrets, "a second one would ask for the keyring again"
        for each in checks:
            listener(each)
        assert goes_on.wait(30)

    monkeypatch.setattr("app.clients.doctor.examine", examine)
    page.pane.head.test_button.click()
    assert not page.pane.head.test_button.isEnabled()
    results = page.pane.results
    qtbot.waitUntil(lambda: len(results.lines) == 2)
    assert page.run.is_running
    goes_on.set()
    qtbot.waitUntil(lambda: not page.run.is_running)
    assert results.summary.text() == "1 check failed."
    assert [line.accessibleName() for line in results.lines] == [
        "Program to start exists: /usr/bin/webrag",
        "Failed: Tool descriptions are complete: cut short: answer. Say so.",
    ]
    results._copy.click()
    assert "✗ Tool descriptions are complete: cut short: answer" in QGuiApplication.clipboard().text()
    assert page.pane.head.test_button.isEnabled()
    page.select_client("cursor")
    assert results.isHidden()


def test_a_stopped_test_reports_nothing(room: Room, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    page, heard = room.page, threading.Event()

    def examine(*_: object, listener: Listener, **__: object) -> None:
        heard.wait(30)
        listener(CheckEvent("Claude Desktop", "/file", Check("command", True, "late")))

    monkeypatch.setattr("app.clients.doctor.examine", examine)
    page.pane.head.test_button.click()
    page.pane.results._stop.click()
    assert page.pane.results.summary.text() == "Test stopped."
    assert page.pane.head.test_button.isEnabled()
    heard.set()
    done: list[object] = []
    room.context.thread.run_blocking(lambda: None, done.append)
    qtbot.waitUntil(lambda: bool(done))
    assert page.run.checks == []


def test_every_check_shows_its_next_step(room: Room, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    page, asked = room.page, []
    checks = (
        CheckEvent("This computer", "", Check("data directory", False, "80 MB free", "Free some space on this disk.")),
        CheckEvent("This installation", "", Check("command", True, "/usr/bin/webrag")),
        CheckEvent("Cursor", "/file", Check("registered", True, "no entry", "Run: webrag register", skipped=True)),
    )

    def examine(_command: object, profiles: Sequence[object], *_: object, listener: Listener, **named: object) -> None:
        asked.append((len(profiles), named["data_dir"]))
        for each in checks:
            listener(each)

    monkeypatch.setattr("app.clients.doctor.examine", examine)
    page.check_button.click()
    dialog = page.window().findChildren(CheckEverythingDialog)[-1]
    qtbot.waitUntil(lambda: len(dialog.run.checks) == 3 and not dialog.run.is_running)
    assert asked == [(len(CLIENTS), room.context.settings.running.data_dir)]
    assert dialog.results.summary.text() == "1 check failed."
    assert [line.accessibleName() for line in dialog.results.lines] == [
        "Failed: Enough disk space for the library: 80 MB free. Free some space on this disk.",
        "Program to start exists: /usr/bin/webrag",
        "Contains the WebRAG entry: no entry. Run: webrag register",
    ]
    dialog.results._copy.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("This computer\n✗ Enough disk space for the library: 80 MB free. Free some space")
    assert "Cursor: /file\n– Contains the WebRAG entry" in copied
    dialog._again.click()
    qtbot.waitUntil(lambda: len(asked) == 2 and not dialog.run.is_running)
    assert len(dialog.results.lines) == 3
    dialog.reject()


def test_closing_the_dialog_stops_the_test_before_the_next_program(
    room: Room, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    page, closed, ended = room.page, threading.Event(), threading.Event()
    tried: list[str] = []

    def examine(*_: object, listener: Listener, **__: object) -> None:
        try:
            for name in ("settings", "library", "keyring"):
                tried.append(name)
                listener(CheckEvent("This computer", "", Check(name, True, "fine")))
                closed.wait(30)
        finally:
            ended.set()

    monkeypatch.setattr("app.clients.doctor.examine", examine)
    page.check_button.click()
    dialog = page.window().findChildren(CheckEverythingDialog)[-1]
    qtbot.waitUntil(lambda: len(dialog.results.lines) == 1)
    dialog.reject()
    closed.set()
    assert ended.wait(30)
    assert tried == ["settings", "library"]
    assert not page.whole_run.is_running


@pytest.mark.real
def test_a_real_connection_is_tested_the_way_the_assistant_connects(
    home: Path, enter: Enter, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    patience = PATIENCE_MS / 1_000
    for place in ("app.clients.probe.DOCTOR_START_SECONDS", "app.clients.probe.DOCTOR_LIST_SECONDS"):
        monkeypatch.setattr(place, patience)
    monkeypatch.setattr(caps, "CLIENT_EXIT_SECONDS", patience)
    room = enter()
    # The application is already running, because the bridge's waiting time is fixed.
    start_headless(room.context.settings.running.data_dir, port=0, seconds=patience)
    connect(room.page, "claude-desktop", qtbot)
    room.page.pane.head.test_button.click()
    qtbot.waitUntil(lambda: not room.page.run.is_running, timeout=4 * PATIENCE_MS)
    of_client = {each.check.name: each.check for each in room.page.run.checks if each.title == "Claude Desktop"}
    assert {"file", "registered", "command", "handshake", "2026-07-28", "tools", "names", "same tools"} <= set(
        of_client
    )
    # On a busy computer, the application can start too late for the assistant, which the test then reports.
    assert [check for check in of_client.values() if not check.ok and "responds after" not in check.detail] == []


def test_nothing_is_cut_off_in_the_smallest_window(room: Room, home: Path, qtbot: QtBot) -> None:
    cursor_file(home).write_text('{"mcpServers": {"webrag": {"command": "/gone/webrag", "args": ["mcp"]}}}')
    room.page.model.reload()
    qtbot.waitUntil(lambda: room.page.model.find("cursor").condition is Condition.CHANGED)
    claude_file(home).write_text("{,")
    room.page.model.read_again()
    qtbot.waitUntil(lambda: room.page.model.find("claude-desktop").condition is Condition.PROBLEM)
    room.page.resize(860 - 196, 480)
    for name in ("cursor", "claude-desktop", "claude-code", "other"):
        room.page.select_client(name)
        content = room.page.pane.widget()
        assert content.minimumSizeHint().width() <= room.page.pane.viewport().width(), name


def test_a_mere_entry_is_not_a_connection(home: Path, enter: Enter, qtbot: QtBot) -> None:
    claude_file(home).write_text('{"mcpServers": {"webrag": {"command": "webrag", "args": ["mcp"]}}}')
    room = enter()
    model = room.page.model
    found = model.find("claude-desktop")
    assert found is not None and found.state.registered
    if found.finding is None:
        assert found.condition is Condition.WAITING
    assert state_line(replace(found, finding=None)) == "Not started yet"
    assert presence_text(replace(found, finding=None)).startswith("Set up, but it has not started WebRAG yet.")
    room.bus.publish(ClientsChanged(("claude-ai",)))
    qtbot.waitUntil(lambda: model.find("claude-desktop").attached == 1)
    room.bus.publish(ClientsChanged(()))
    qtbot.waitUntil(lambda: model.find("claude-desktop").attached == 0)
    assert replace(model.find("claude-desktop"), finding=None).condition is Condition.CONNECTED
    later = ClientsModel(room.context)
    later.reload()
    qtbot.waitUntil(lambda: later.is_loaded)
    assert replace(later.find("claude-desktop"), finding=None).condition is Condition.CONNECTED, (
        "still true after a restart"
    )


def test_a_line_with_a_new_comma_appears_once_with_its_end_visible(qtbot: QtBot) -> None:
    before = ['{"mcpServers": {', f'    "files": {{"command": "npx", "args": ["{"x" * 300}"]}}', "}}"]
    after = [before[0], f"{before[1]},", '    "webrag": {"command": "webrag"}', before[2]]
    diff = "\n".join(unified_diff(before, after, "a", "b", lineterm=""))
    view = DiffView("change")
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.show_diffs([("a.json", diff)])
    view.show()
    (kept,) = [line for line in view.toPlainText().splitlines() if "files" in line]
    assert kept == f"±{after[1]}"
    (mark,) = [each for each in view.extraSelections() if each.cursor.selectedText() == ","]
    assert view.viewport().rect().contains(view.cursorRect(mark.cursor).center())
    assert view.horizontalScrollBar().maximum() == 0


def test_only_the_new_comma_of_a_line_is_marked() -> None:
    lines = [
        '   "mcpServers": {',
        '-    "files": {"command": "x"}',
        '+    "files": {"command": "x"},',
        '+    "webrag": {}',
        "   }",
    ]
    spans = _changed_spans(lines)
    end = len(lines[2])
    assert spans == {1: (end - 1, end - 1), 2: (end - 1, end)}


def test_different_lines_are_marked_completely() -> None:
    assert _changed_spans(["-{}", '+{"mcpServers": {"webrag": {"command": "webrag"}}}']) == {}
