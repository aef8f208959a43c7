"""All processes of a CI step end after its time limit, and also after a step that leaves some running."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.real, pytest.mark.skipif(sys.platform != "linux", reason="only for CI, which runs on Linux")]

BOUNDED = Path(__file__).with_name("bounded.py")
IN_ITS_OWN_SESSION = (
    "setsid sh -c 'echo $$ >{file}; exec sleep 600' & while [ ! -s {file} ]; do sleep 0.05; done; {then}"
)
WAIT_SECONDS = 60.0


def run(seconds: float, then: str, file: Path) -> subprocess.CompletedProcess[str]:
    script = IN_ITS_OWN_SESSION.format(file=file, then=then)
    command = [sys.executable, str(BOUNDED), str(seconds), "bash", "-c", script]
    return subprocess.run(command, capture_output=True, text=True, timeout=WAIT_SECONDS, check=False)


def runs(file: Path) -> bool:
    """Whether the process that recorded its ID is running. Its end can take a moment. One that never started is not running."""
    if not file.exists():
        return False
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        try:
            os.kill(int(file.read_text()), 0)
        except ProcessLookupError:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize("status", [0, 75])
def test_leftover_processes_of_a_step_are_named_and_ended(tmp_path: Path, status: int) -> None:
    done = run(WAIT_SECONDS, f"exit {status}", tmp_path / "number")
    assert done.returncode == status
    assert done.stderr == "left running, now ended: sleep 600\n"
    assert not runs(tmp_path / "number")


def test_a_step_ends_with_all_its_processes_after_its_time_limit(tmp_path: Path) -> None:
    done = run(2, "sleep 600", tmp_path / "number")
    assert done.returncode == 124
    assert done.stderr.startswith("ended after 2 s: bash -c")
    assert not runs(tmp_path / "number")
