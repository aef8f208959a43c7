"""The monitor detects changes of registered entries and restores them on request."""

from __future__ import annotations

import json
import os
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.clients import monitor
from app.clients.hosts import CLIENTS
from app.clients.monitor import GUARD_POLL_SECONDS, ConfigDrift, ConfigMonitor, DriftKind
from app.clients.profile import Machine, ServerCommand
from app.clients.registrar import (
    REGISTERED_FILE,
    apply_plan,
    client_state,
    plan_registration,
    plan_removal,
    read_registered,
)
from app.errors import ClientConfigError
from app.text.sentence import Sentence

CLAUDE_DESKTOP = next(profile for profile in CLIENTS if profile.name == "claude-desktop")


class Reports:
    """Reports of the monitor, with a way to wait for the next one."""

    def __init__(self) -> None:
        self.all: list[tuple[ConfigDrift, ...]] = []
        self._came = threading.Condition()

    def __call__(self, findings: tuple[ConfigDrift, ...]) -> None:
        with self._came:
            self.all.append(findings)
            self._came.notify_all()

    def wait_for(self, number: int) -> None:
        with self._came:
            assert self._came.wait_for(lambda: len(self.all) >= number, timeout=30)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "bin" / "webrag"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def command(program: Path) -> ServerCommand:
    return ServerCommand(str(program), ("mcp",))


@pytest.fixture
def reports() -> Reports:
    return Reports()


@pytest.fixture
def watching(linux: Machine, command: ServerCommand, reports: Reports, tmp_path: Path) -> Iterator[ConfigMonitor]:
    made = ConfigMonitor(command, CLIENTS, linux, tmp_path / "data", reports)
    yield made
    made.stop()


@pytest.fixture
def registered(linux: Machine, config: Path, command: ServerCommand, watching: ConfigMonitor) -> Path:
    """Return Claude Desktop's file with our entry, which the monitor knows."""
    for plan in plan_registration(CLAUDE_DESKTOP, command, linux):
        apply_plan(plan)
    watching.remember(CLAUDE_DESKTOP.name)
    return config


def kinds(watching: ConfigMonitor) -> list[DriftKind]:
    return [finding.kind for finding in watching.check_now()]


def test_a_removed_entry_is_detected_automatically_and_restored(
    registered: Path, watching: ConfigMonitor, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.clients.monitor.GUARD_POLL_SECONDS", 0.02)
    before = registered.read_bytes()
    watching.start()
    reports.wait_for(1)
    assert reports.all == [()]
    registered.write_text('{"theme": "dark"}')
    reports.wait_for(2)
    (finding,) = reports.all[-1]
    assert (finding.client, finding.kind, finding.path) == ("claude-desktop", DriftKind.WIPED, registered)
    assert finding.kind.repairable and finding.by_itself and "Claude Desktop" in finding.message and finding.hint
    change = watching.repair(finding)
    assert change.backup is not None and change.backup.read_text() == '{"theme": "dark"}'
    reports.wait_for(3)
    assert reports.all[-1] == ()
    assert json.loads(registered.read_text())["mcpServers"] == json.loads(before)["mcpServers"]


def test_an_entry_removed_right_after_its_repair_is_reported_again(
    registered: Path, watching: ConfigMonitor, reports: Reports
) -> None:
    registered.write_text("{}")
    (finding,) = watching.check_now()
    watching.repair(finding)
    registered.write_text("{}")
    assert watching.check_now() == (finding,)
    assert reports.all == [(finding,), (finding,)]


def test_it_is_fast_enough_and_costs_very_little() -> None:
    """A check detects a change, and the next one confirms it."""
    assert 2 * GUARD_POLL_SECONDS <= 4
    path = Path(__file__)
    began = time.process_time()
    for _ in range(1_000):
        monitor._signature(path)
    assert (time.process_time() - began) / 1_000 * len(CLIENTS) / GUARD_POLL_SECONDS < 0.005


@pytest.mark.parametrize("content", ['{"mcpServers": {}}', "{}", "", None])
def test_every_kind_of_removal_is_detected(
    registered: Path, watching: ConfigMonitor, reports: Reports, content: str | None
) -> None:
    if content is None:
        registered.unlink()
    else:
        registered.write_text(content)
    assert kinds(watching) == kinds(watching) == [DriftKind.WIPED]
    assert len(reports.all) == 1, "a problem is reported only once"


def test_an_entry_that_starts_another_program_is_not_repaired_automatically(
    registered: Path, watching: ConfigMonitor
) -> None:
    registered.write_text('{"mcpServers": {"webrag": {"command": "npx", "args": ["other"]}}}')
    (finding,) = watching.check_now()
    assert finding.kind is DriftKind.WIPED and not finding.by_itself
    assert finding.message == 'The entry "webrag" in Claude Desktop now starts a different program.'
    assert isinstance(finding.message, Sentence) and isinstance(finding.hint, Sentence)


def test_a_moved_program_is_drift_and_so_is_another_installation(
    registered: Path, watching: ConfigMonitor, program: Path, linux: Machine, reports: Reports, tmp_path: Path
) -> None:
    moved = tmp_path / "moved" / "webrag"
    moved.parent.mkdir()
    program.rename(moved)
    (finding,) = watching.check_now()
    assert finding.kind is DriftKind.DRIFTED and finding.by_itself
    assert str(program) in finding.message and "no longer exists" in finding.message
    now = ConfigMonitor(ServerCommand(str(moved), ("mcp",)), CLIENTS, linux, tmp_path / "data", reports)
    program.symlink_to(moved)
    assert now.check_now() == (), "a link to our program starts it"
    program.unlink()
    program.write_text("#!/bin/sh\n# another one\n")
    program.chmod(0o755)
    (finding,) = now.check_now()
    assert finding.kind is DriftKind.DRIFTED and not finding.by_itself and "another installation" in finding.message
    now.repair(finding)
    assert now.check_now() == ()
    assert client_state(CLAUDE_DESKTOP, linux).files[0].command == ServerCommand(str(moved), ("mcp",))


def test_other_options_are_drift_but_not_the_user_s_additions(registered: Path, watching: ConfigMonitor) -> None:
    document = json.loads(registered.read_text())
    document["mcpServers"]["webrag"]["args"] = ["mcp", "--tools", "docs"]
    document["mcpServers"]["webrag"]["env"] = {"A": "1"}
    registered.write_text(json.dumps(document))
    assert watching.check_now() == ()
    document["mcpServers"]["webrag"]["args"] = ["mcp", "--data-dir", "/elsewhere"]
    registered.write_text(json.dumps(document))
    assert kinds(watching) == [DriftKind.DRIFTED]


def test_a_broken_file_is_reported_with_its_line_and_not_written(registered: Path, watching: ConfigMonitor) -> None:
    registered.write_text('{\n  "a": 1\n  "b": 2\n}')
    (finding,) = watching.check_now()
    assert finding.kind is DriftKind.BROKEN and not finding.kind.repairable
    assert "line 3, column 3" in finding.message
    with pytest.raises(ClientConfigError):
        watching.repair(finding)
    assert registered.read_text() == '{\n  "a": 1\n  "b": 2\n}'


def test_an_uninstalled_assistant_has_no_problems(registered: Path, watching: ConfigMonitor) -> None:
    for path in registered.parent.iterdir():
        path.unlink()
    registered.parent.rmdir()
    assert watching.check_now() == ()


def test_a_new_second_file_is_reported_as_missing_the_entry(linux: Machine, watching: ConfigMonitor) -> None:
    cline = next(profile for profile in CLIENTS if profile.name == "cline")
    folders = [location.sign for location in cline.locate(linux)]
    folders[0].mkdir(parents=True)
    for plan in plan_registration(cline, watching._command, linux):
        apply_plan(plan)
    assert watching.check_now() == ()
    folders[1].mkdir(parents=True)
    (finding,) = watching.check_now()
    assert finding.kind is DriftKind.MISSING and finding.path.parent.parent == folders[1]
    watching.repair(finding)
    assert watching.check_now() == ()


def test_entries_of_other_tools_are_watched_until_they_are_forgotten(
    linux: Machine, config: Path, command: ServerCommand, watching: ConfigMonitor, reports: Reports, tmp_path: Path
) -> None:
    for plan in plan_registration(CLAUDE_DESKTOP, command, linux):
        apply_plan(plan)
    assert watching.check_now() == ()
    config.write_text("{}")
    later = ConfigMonitor(command, CLIENTS, linux, tmp_path / "data", reports)
    assert kinds(later) == [DriftKind.WIPED], "it is known after a restart"
    later.forget("claude-desktop")
    assert later.check_now() == ()
    for plan in plan_registration(CLAUDE_DESKTOP, command, linux):
        apply_plan(plan)
    for plan in plan_removal(CLAUDE_DESKTOP, linux):
        apply_plan(plan)
    assert later.check_now() == (), "ignored assistants stay ignored"


def test_a_restart_is_due_until_the_assistant_was_restarted(
    registered: Path, watching: ConfigMonitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = time.time() - 60
    monkeypatch.setattr(monitor, "running_since", lambda profile: started)
    (finding,) = watching.check_now()
    assert finding.kind is DriftKind.RESTART and "Quit Claude Desktop" in finding.hint
    started = time.time() + 60
    assert watching.check_now() == ()
    started = time.time() - 60
    assert watching.check_now() == (), "a file that was read stays read"


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/Applications/Claude.app/Contents/MacOS/Claude", True),
        ("C:\\Users\\a\\AppData\\Local\\AnthropicClaude\\app-1.2\\claude.exe", True),
        ("C:\\Program Files\\WindowsApps\\Claude_1.0_x64__pzs8sxrjxfjjc\\app\\Claude.exe", True),
        ("/usr/lib/claude-desktop/claude-desktop", True),
        ("C:\\Users\\a\\.local\\bin\\claude.exe", False),
        ("/home/a/.local/bin/claude", False),
        ("", False),
    ],
)
def test_its_process_is_distinguished_from_others(path: str, found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    import psutil

    from app.clients.monitor import running_since

    class Process:
        def __init__(self, pid: int) -> None:
            if pid in failures:
                raise failures[pid]

        def exe(self) -> str:
            return path

        def create_time(self) -> float:
            return 5.0

    failures = {1: psutil.AccessDenied(1), 2: psutil.NoSuchProcess(2), 3: OSError(22, "Invalid parameter")}
    monkeypatch.setattr(psutil, "pids", lambda: [*failures, 4])
    monkeypatch.setattr(psutil, "Process", Process)
    assert running_since(CLAUDE_DESKTOP) == (5.0 if found else None), "inaccessible processes do not hide others"


@pytest.mark.skipif(os.name != "posix", reason="file modes")
def test_the_memory_is_private_and_survives_damage(registered: Path, watching: ConfigMonitor, tmp_path: Path) -> None:
    memory = tmp_path / "data" / REGISTERED_FILE
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
    assert read_registered(tmp_path / "data").clients["claude-desktop"].files == (str(registered),)
    for damaged in ("", "[]", '{"clients": {"x": 1}, "left": []}', '{"clients": []}'):
        memory.write_text(damaged)
        assert watching.check_now() == ()
        assert "claude-desktop" in read_registered(tmp_path / "data").clients


def test_stopping_does_not_wait_for_a_folder_that_hangs(
    linux: Machine, command: ServerCommand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, goes_on = threading.Event(), threading.Event()

    def hang(_path: Path) -> None:
        reading.set()
        goes_on.wait(30)

    monkeypatch.setattr(monitor, "_signature", hang)
    monkeypatch.setattr(monitor, "STOP_SECONDS", 0.01)
    watching = ConfigMonitor(command, CLIENTS, linux, tmp_path, Reports())
    watching.start()
    assert reading.wait(30)
    begun = time.monotonic()
    watching.stop()
    goes_on.set()
    assert time.monotonic() - begun < 20
