"""A process that does not exit in time is killed, even if C code holds the interpreter."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from app.ending import Earlier, is_ours

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 0.5
HOLD = 'threading.Thread(target=re.match, args=(r"(a+)+$", "a" * 60 + "b"), daemon=True).start()'
"""Code of a search that takes years and lets no other thread run."""
HANDLED = "signal.signal(signal.SIGTERM, lambda *_: print('handled', flush=True))"

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGTERM")


def run(*lines: str) -> subprocess.Popen[str]:
    """Start a process that reports that it is ready and then runs the last line."""
    code = "\n".join(
        [
            "import re, signal, sys, threading, time",
            "from app.ending import end_after_signals, end_within",
            *lines[:-1],
            "print('ready', flush=True)",
            lines[-1],
        ]
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def seconds_to_end(process: subprocess.Popen[str]) -> float:
    begun = time.monotonic()
    try:
        process.wait(30)
    finally:
        process.kill()
        process.communicate()
    return time.monotonic() - begun


@pytest.mark.parametrize("work", ["time.sleep(60)", f"{HOLD}; time.sleep(60)"])
def test_slow_exit_is_cut_short(work: str) -> None:
    process = run(f"end_within({LIMIT})", work)
    assert seconds_to_end(process) < 10
    assert process.returncode == 1


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("work", ["time.sleep(60)", f"{HOLD}; time.sleep(60)"])
def test_signal_ends_a_process_that_ignores_it(work: str, number: signal.Signals) -> None:
    ignored = "signal.signal(signal.SIGINT, lambda *_: None); signal.signal(signal.SIGTERM, lambda *_: None)"
    process = run(ignored, f"end_after_signals({LIMIT})", work)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(number)
    assert seconds_to_end(process) < 10
    assert process.returncode == -signal.SIGKILL


@posix
def test_signal_reaches_the_handler_of_the_program() -> None:
    process = run(HANDLED, "end_after_signals(30)", "time.sleep(0.2); time.sleep(0.5)")
    process.terminate()
    out, _ = process.communicate(timeout=30)
    assert out == "handled\n"
    assert process.returncode == 0


@posix
def test_program_without_streams_ends() -> None:
    code = "import sys; from app.ending import end_now; sys.stdout = sys.stderr = None; end_now(7)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 7


def test_process_that_exits_in_time_leaves_nothing_behind() -> None:
    process = run(HANDLED, f"end_after_signals({LIMIT})", "time.sleep(0.4)")
    (timer,) = psutil.Process(process.pid).children()
    os.kill(process.pid, signal.SIGTERM)
    assert process.wait(30) == 0
    process.communicate()
    _, alive = psutil.wait_procs([timer], timeout=10)
    assert not alive


@pytest.mark.parametrize(
    ("line", "ours"),
    [
        ("/opt/webrag/webrag-desktop --hidden", True),
        ("/usr/bin/python3 /usr/bin/webrag serve", True),
        ("/usr/bin/python3.11 -m app.desktop", True),
        ("/tmp/.mount_x/usr/bin/webrag-desktop", True),
        ("/usr/bin/python3 -m app.desktop.rendering", False),
        ("/usr/bin/python3 -m http.server webrag", False),
        ("/usr/bin/vim webrag", False),
        ("python3", False),
        ("python3 -m", False),
        ("", False),
    ],
)
def test_own_processes_are_recognized_by_their_command_line(line: str, ours: bool) -> None:
    assert is_ours(line.split()) is ours


@pytest.mark.parametrize("pid", ["", "x", "-1", "0", "99999999999999999999", str(os.getpid()), str(os.getppid())])
def test_process_that_is_not_ours_is_not_offered(pid: str) -> None:
    assert Earlier.of(pid) is None


@posix
@pytest.mark.parametrize("ignores", [False, True])
def test_earlier_process_is_ended(ignores: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ending.END_SECONDS", LIMIT)
    script = tmp_path / "webrag-desktop"
    ignore = "signal.signal(signal.SIGTERM, signal.SIG_IGN);" if ignores else ""
    script.write_text(f"import signal, time; {ignore} print('ready', flush=True); time.sleep(60)")
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        earlier = Earlier.of(str(process.pid))
        assert earlier is not None and str(script) in earlier.program
        assert earlier.end()
        assert not psutil.pid_exists(process.pid)
    finally:
        process.kill()
        process.communicate()
