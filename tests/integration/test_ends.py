"""The program ends within seconds of a signal, regardless of its threads and child processes, and leaves nothing behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from app.instance import find_instance, holder
from tests.integration.application import environment, running, webrag

pytestmark = [pytest.mark.real, pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM")]
ROOT = Path(__file__).resolve().parents[2]
MOST_SECONDS = 5.0
FREEZING = {
    "ticks.md": "# " + "`" * 30_000,
    "spaces.md": "# a" + " " * 20_000 + "x",
    "underlined.md": "a" + "`" * 30_000 + "\n===\n",
    "sidebar.md": "- [a" + "`" * 30_000 + "](a.md)\n**" + "*" * 30_000,
    "ticks.html": "<p>" + "`" * 480_000 + "</p>",
    "rules.md": "---\n" * 100_000,
    "fences.txt": "```\n" * 100_000,
}
"""Files on which backtracking patterns work for minutes."""
HELD = """
import re, sys, threading, time
from app.cli import main
from pathlib import Path
def hold():
    while not Path(sys.argv[1], "now").exists():
        time.sleep(0.02)
    Path(sys.argv[1], "held").touch()
    re.match("(a|a)+$", "a" * 60 + "b")
threading.Thread(target=hold, daemon=True).start()
sys.exit(main(["serve", "--port", "0", "--data-dir", sys.argv[1], "--transport", sys.argv[2]]))
"""
"""The program with a thread that holds the interpreter, as a backtracking pattern does, when a file appears."""

SLOW = """
import asyncio, sys, time
from app.cli import main
from app.server.http import HttpServer
stop = HttpServer.stop
async def stop_with_a_call(self):
    asyncio.get_running_loop().run_in_executor(None, time.sleep, 600)
    await stop(self)
HttpServer.stop = stop_with_a_call
sys.exit(main(["serve", "--port", "0", "--data-dir", sys.argv[1], "--transport", "streamable-http"]))
"""
"""The program with a call that blocks a thread at the exit."""


@contextmanager
def held(data_dir: Path, transport: str) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a server that does not respond."""
    process = subprocess.Popen(
        [sys.executable, "-c", HELD, str(data_dir), transport],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(
            lambda: (data_dir / "corpus.db").exists() and (transport == "stdio" or find_instance(data_dir) is not None)
        )
        if transport == "stdio":
            time.sleep(1)
        (data_dir / "now").touch()
        until((data_dir / "held").exists)
        time.sleep(0.2)
        yield process
    finally:
        process.kill()
        process.wait()


def until(is_so: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize(("transport", "number"), [("streamable-http", signal.SIGTERM), ("stdio", signal.SIGINT)])
def test_a_signal_ends_a_server_whose_interpreter_is_blocked(
    tmp_path: Path, transport: str, number: signal.Signals
) -> None:
    with held(tmp_path, transport) as process:
        family = psutil.Process(process.pid).children(recursive=True)
        begun = time.monotonic()
        process.send_signal(number)
        process.wait(10)
        assert time.monotonic() - begun < MOST_SECONDS
        assert not psutil.wait_procs(family, timeout=5)[1]
    again = subprocess.run(
        [sys.executable, "-m", "app", "verify", "--data-dir", str(tmp_path)], cwd=ROOT, capture_output=True, check=False
    )
    assert again.returncode == 0, "the library is as sound as before"


def test_a_call_that_blocks_a_thread_does_not_delay_the_exit(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", SLOW, str(tmp_path)], cwd=ROOT, env=environment())
    try:
        until(lambda: find_instance(tmp_path) is not None)
        process.terminate()
        assert process.wait(10) == 0
        assert holder(tmp_path) == ("", "")
    finally:
        process.kill()
        process.wait()


def test_a_start_with_files_that_take_for_ever_listens_and_is_healthy_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in FREEZING.items():
        (folder / name).write_text(text)
    data_dir = tmp_path / "data"
    with running(data_dir) as application:
        assert webrag("folder", "add", str(folder), data_dir=data_dir).returncode == 0
        time.sleep(2)
        begun = time.monotonic()
        application.stop()
        assert time.monotonic() - begun < MOST_SECONDS
    with running(data_dir) as application:
        info = find_instance(data_dir)
        assert info is not None, "it responds while it reads the folder"
        begun = time.monotonic()
        application.stop()
        assert time.monotonic() - begun < MOST_SECONDS
