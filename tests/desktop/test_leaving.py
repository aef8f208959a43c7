"""Tests that every way to exit ends the process in time, whatever is open. They start real processes, which a window could keep alive."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.desktop import ending
from app.desktop.engine_thread import LAST_WORK_SECONDS, STOP_SECONDS
from app.ending import END_SECONDS
from app.instance import holder

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 50.0
"""Seconds that a busy machine may need for an exit that normally takes at most 5."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM")
REAL = pytest.mark.real
"""Starting a process takes two seconds of CPU time, so only one quit and one signal are among the quick tests."""


class Running:
    """The application in a state."""

    def __init__(self, folder: Path, state: str, way: str = "signal", **environment: str) -> None:
        self.folder = folder / "data"
        command = [sys.executable, "-m", "tests.desktop.leaving", state, way, "--data-dir", str(self.folder)]
        environment = {**os.environ, "MCP_PORT": "0", **environment}
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"
        self._ready_at = time.monotonic()

    def ends(self, number: signal.Signals | None = None) -> int:
        """Return the exit status. Fails the test after a time limit."""
        if number is not None:
            self._ready_at = time.monotonic()
            self.process.send_signal(number)
        try:
            status = self.process.wait(60)
        finally:
            self.process.kill()
            self.process.communicate()
        assert time.monotonic() - self._ready_at < PATIENCE_SECONDS
        return status


@pytest.mark.real
@pytest.mark.parametrize(
    ("state", "way"),
    [
        pytest.param("wizard", "tray", marks=REAL),
        pytest.param("wizard", "session", marks=REAL),
        pytest.param("wizard", "keys", marks=REAL),
        ("dialog", "keys"),
        pytest.param("question", "keys", marks=REAL),
        pytest.param("question", "session", marks=REAL),
        pytest.param("crash", "tray", marks=REAL),
        pytest.param("start", "tray", marks=REAL),
    ],
)
def test_quit_exits_with_any_open_dialog(state: str, way: str, tmp_path: Path) -> None:
    assert Running(tmp_path, state, way).ends() == 0
    assert holder(tmp_path / "data") == ("", "")


@pytest.mark.real
@pytest.mark.parametrize(
    ("state", "number"),
    [
        pytest.param("wizard", signal.SIGINT, marks=REAL),
        pytest.param("dialog", signal.SIGTERM, marks=REAL),
        ("question", signal.SIGTERM),
    ],
)
def test_a_signal_exits_with_any_open_dialog(state: str, number: signal.Signals, tmp_path: Path) -> None:
    assert Running(tmp_path, state).ends(number) == 0


def test_a_signal_does_not_interrupt_the_main_thread(qtbot: QtBot) -> None:
    """Code that holds a lock, or has not started the engine yet, goes on first."""
    handlers, ended = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}, list[bool]()
    try:
        waking = ending._SystemSignals(lambda: ended.append(True))
        signal.raise_signal(signal.SIGTERM)
        assert not ended
        qtbot.waitUntil(lambda: bool(ended))
        del waking
    finally:
        signal.set_wakeup_fd(-1)
        for number, handler in handlers.items():
            signal.signal(number, handler)


@REAL
@pytest.mark.parametrize(("state", "statuses"), [("keyring", {0}), ("stuck", {1, -signal.SIGKILL})])
def test_hanging_work_delays_the_exit_by_seconds_only(state: str, statuses: set[int], tmp_path: Path) -> None:
    running = Running(tmp_path, state)
    time.sleep(0.3)
    assert running.ends(signal.SIGTERM) in statuses


@REAL
@pytest.mark.parametrize("state", ["real", "copied"])
def test_the_application_exits_on_a_real_display(state: str, display: str, tmp_path: Path) -> None:
    running = Running(tmp_path, state, DISPLAY=display, QT_QPA_PLATFORM="xcb")
    assert running.ends(signal.SIGTERM) == 0


def test_the_time_limits_of_the_exit_fit_together() -> None:
    assert LAST_WORK_SECONDS < STOP_SECONDS < END_SECONDS < 5
