"""The processes that the external programs use: ours with the fixtures, and the installed program."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

START_SECONDS: Final = 30.0
SAID: Final = "listening on "
ROOT: Final = Path(__file__).parents[2]


@contextlib.contextmanager
def server_with_fixtures(folder: Path) -> Iterator[str]:
    """Return the URL of our HTTP server with the tools, resources and prompts of the suite."""
    log = folder / "server.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.conformance.serving", str(folder / "data")],
            cwd=ROOT,
            env=dict(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
        )
    try:
        yield _address(process, log)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        for line in log.read_text(errors="replace").splitlines():
            if line.startswith(SAID):
                return line.removeprefix(SAID).strip()
        time.sleep(0.02)
    raise AssertionError(f"the server did not start:\n{log.read_text(errors='replace')}")
