"""The bridge exits with its client, in all cases, and leaves no output behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from app.bridge import stdio
from app.bridge.stdio import own_parent, parent_on_windows
from tests.bridge.fake_instance import FakeInstance
from tests.bridge.process import ROOT, BridgeProcess

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and orphans")
SECONDS = 20.0


def stderr_of(bridge: BridgeProcess) -> bytes:
    assert bridge.process.stderr is not None
    return bridge.process.stderr.read()


@posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_ends_it_without_output(bridge: BridgeProcess, instance: FakeInstance, name: str) -> None:
    number = signal.Signals[name]
    bridge.initialize()
    bridge.call("hang", id=1)
    assert instance.entered.wait(SECONDS)
    bridge.process.send_signal(number)
    assert bridge.process.wait(SECONDS) == -number
    assert stderr_of(bridge) == b""
    assert instance.cancelled.wait(SECONDS)


@posix
def test_a_dying_client_ends_it_even_if_others_keep_the_pipes_open(instance: FakeInstance) -> None:
    source, sink = os.pipe()
    back, out = os.pipe()
    bridge = [sys.executable, "-m", "app", "mcp", "--data-dir", str(instance.data_dir)]
    code = f"import subprocess, time; print(subprocess.Popen({bridge!r}).pid, file=__import__('sys').stderr, flush=True); time.sleep(60)"
    client = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdin=source, stdout=out, stderr=subprocess.PIPE)
    try:
        assert client.stderr is not None
        process_id = int(client.stderr.readline())
        os.write(sink, b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
        assert b'"id": 1' in os.read(back, 65536)
        client.kill()
        client.wait()
        deadline = time.monotonic() + SECONDS
        while is_alive(process_id):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        client.kill()
        for descriptor in (source, sink, back, out):
            os.close(descriptor)


def is_alive(process_id: int) -> bool:
    """Whether a process is running. Zombies are not."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(process_id)], capture_output=True, text=True, check=False)
    return bool(listed.stdout.strip()) and not listed.stdout.startswith("Z")


@posix
def test_a_client_that_only_closes_its_input_ends_it_without_a_call(instance: FakeInstance) -> None:
    with BridgeProcess(instance.data_dir, collect=False) as bridge:
        assert bridge.process.stdout is not None
        bridge.process.stdout.close()
        assert bridge.process.wait(SECONDS) == 0
        assert stderr_of(bridge) == b""


def test_a_client_that_does_not_read_does_not_keep_it_alive(instance: FakeInstance, tmp_path: Path) -> None:
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text("import app.caps\napp.caps.BRIDGE_DRAIN_SECONDS = 0.3\n", encoding="utf-8")
    with BridgeProcess(instance.data_dir, collect=False, PYTHONPATH=str(hook)) as bridge:
        for number in range(4):
            bridge.call("echo", {"text": "x" * 500_000}, id=number)
        assert bridge.close_input(SECONDS) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has another way")
def test_a_new_parent_means_that_the_first_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    parents = iter([7, 7, 1])
    monkeypatch.setattr("os.getppid", lambda: next(parents))
    is_orphan = own_parent()
    assert not is_orphan()
    assert is_orphan()


class Processes:
    """Fake information of Windows: the start time of each process by its ID."""

    def __init__(self, started: dict[int, int]) -> None:
        self.started = started
        self.ended: set[int] = set()

    def open(self, process_id: int) -> int | None:
        return process_id if process_id in self.started else None

    def started_at(self, handle: int) -> int:
        return self.started[handle]

    def has_ended(self, handle: int) -> bool:
        return handle in self.ended


def test_windows_reports_the_end_of_the_parent_by_its_handle() -> None:
    processes = Processes({7: 100, 8: 200})
    is_orphan = parent_on_windows(processes, 7, 8)
    assert not is_orphan()
    processes.ended.add(7)
    assert is_orphan()


@pytest.mark.parametrize("started", [{7: 300, 8: 200}, {8: 200}, {7: 100}])
def test_windows_does_not_confuse_another_process_with_the_parent(started: dict[int, int]) -> None:
    processes = Processes(started)
    processes.ended.add(7)
    assert not parent_on_windows(processes, 7, 8)()


def test_remarks_are_few_and_short(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "_left", 3)
    for _ in range(10):
        stdio.remark("several\nlines " + "x" * 10_000)
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("webrag: several lines") and len(line) <= 300 for line in lines)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_error_in_a_thread_is_one_line(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "_left", 3)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    stdio.remark_on_failures()
    thread = threading.Thread(target=lambda: [][0], name="input")
    thread.start()
    thread.join()
    assert capfd.readouterr().err == "webrag: input failed: IndexError: list index out of range\n"
