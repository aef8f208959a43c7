"""Run a command with a time limit and end all its processes: python tests/bounded.py SECONDS COMMAND [ARGUMENTS] (Linux).

The exit status is the command's, or 124 after the time limit. This includes processes in other sessions and those whose parents have ended.
Processes that still run after the command are named. Needs only Python.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Final, NoReturn

TIME_OVER: Final = 124
GRACE_SECONDS: Final = 10.0
"""Seconds between SIGTERM and SIGKILL, and for the system to clean up."""
POLL_SECONDS: Final = 0.1
MAX_SHOWN_CHARS: Final = 200

_PR_SET_CHILD_SUBREAPER: Final = 36


class TimeOverError(Exception):
    """The command exceeded its time limit."""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    seconds, command = float(arguments[0]), arguments[1:]
    # Processes whose parents have ended become children of this one.
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, _stopped)
    signal.signal(signal.SIGALRM, _time_over)
    try:
        started = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        started.returncode = _end_of(started.pid)
        signal.setitimer(signal.ITIMER_REAL, 0)
        status = started.returncode
        left = running()
    except TimeOverError:
        status, left = TIME_OVER, {}
        _say(f"ended after {seconds:.0f} s: {' '.join(command)}")
    finally:
        end(GRACE_SECONDS)
    for name in left.values():
        _say(f"left running, now ended: {name}")
    return status if status >= 0 else 128 - status


def running() -> dict[int, str]:
    """Return all descendants of this process, as command lines by process ID."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = stat.read_bytes().rpartition(b")")[2].split()[:2]
            if state != b"Z":
                children[int(parent)].append(int(stat.parent.name))
    found: dict[int, str] = {}
    waiting = list(children[os.getpid()])
    while waiting:
        number = waiting.pop()
        line = b""
        with contextlib.suppress(OSError):
            line = Path(f"/proc/{number}/cmdline").read_bytes()
        found[number] = line.replace(b"\0", b" ").decode("utf-8", "replace").strip()[:MAX_SHOWN_CHARS]
        waiting += children[number]
    return found


def end(grace: float) -> None:
    """Terminate all of them: with SIGTERM, after `grace` seconds with SIGKILL."""
    for signal_number in (signal.SIGTERM, signal.SIGKILL):
        asked: set[int] = set()
        deadline = time.monotonic() + grace
        while (left := running()) and time.monotonic() < deadline:
            for number in left.keys() - asked:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(number, signal_number)
            asked |= left.keys()
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            time.sleep(POLL_SECONDS)


def _end_of(child: int) -> int:
    """Return the exit status of a child, negative for a signal. Also reaps other children."""
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == child:
            return os.waitstatus_to_exitcode(status)


def _time_over(_number: int, _frame: object) -> NoReturn:
    raise TimeOverError


def _stopped(number: int, _frame: object) -> NoReturn:
    sys.exit(128 + number)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
