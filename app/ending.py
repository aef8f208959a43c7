"""Time limits for the exit of a process, and the termination of an earlier WebRAG process that does not respond.

C code enforces the limits, so they also work while something holds the interpreter.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    import psutil

END_SECONDS: Final = 4.6
"""Seconds for a clean exit. Including the steps before and after it, a process exits within 5 seconds."""

_STDERR: Final = 2
_KILL_LATE: Final = 'read -r _ || exit 0; (sleep "$2"; kill -9 "$1") & timer=$!; cat >/dev/null; kill "$timer"'
"""After a first line, this waits for the end of its input, which ends with the process. If that takes too long, it kills the process."""


def end_within(seconds: float = END_SECONDS) -> None:
    """Exit with status 1 if this process still runs after `seconds`, and write the stack of each thread to stderr.

    Call this at the beginning of the exit. A later call replaces the limit.
    """
    faulthandler.dump_traceback_later(seconds, exit=True, file=_STDERR)


def end_now(status: int) -> NoReturn:
    """Exit after writing pending output. Call this when everything is stopped and stored.

    The interpreter would also destroy all Qt objects and wait for threads, which can take too long, hang or change the status.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        # The reader may have ended. Programs without a console on Windows have no streams.
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(status)


def end_after_signals(seconds: float = END_SECONDS) -> None:
    """Make SIGTERM and SIGINT kill this process if it still runs `seconds` after the first of them.

    Python's own handlers wait for the interpreter, which a regular expression can hold for hours. The C signal handler writes to a shell
    that measures the time. Call this once, after setting the handlers, which are called as well.
    """
    if sys.platform == "win32":
        return
    reader, writer = os.pipe()
    try:
        subprocess.Popen(
            ["/bin/sh", "-c", _KILL_LATE, "sh", str(os.getpid()), str(seconds)],
            stdin=reader,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            # Ctrl+C in the terminal reaches every process of the group.
            start_new_session=True,
        )
    except OSError:
        # Without a shell, only the clean exit remains.
        os.close(writer)
        return
    finally:
        os.close(reader)
    os.set_blocking(writer, False)
    for number in (signal.SIGTERM, signal.SIGINT):
        faulthandler.register(number, file=writer, all_threads=False, chain=True)


_PROGRAMS: Final = frozenset({"webrag", "webrag-desktop"})
_MODULES: Final = frozenset({"app", "app.desktop"})
KILLED_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Earlier:
    """A process of this program and this user. `since` is its start time (Unix time)."""

    pid: int
    program: str
    since: float
    _process: psutil.Process = field(repr=False)

    @classmethod
    def of(cls, pid: str) -> Earlier | None:
        """Return the process with this ID, or None if it does not exist or is not ours."""
        import psutil

        try:
            process, here = psutil.Process(int(pid)), psutil.Process()
            line = process.cmdline()
            if process.pid == here.pid or process.username() != here.username() or not is_ours(line):
                return None
            return cls(process.pid, " ".join(line), process.create_time(), process)
        except (psutil.Error, ValueError, OverflowError):
            return None

    def end(self) -> bool:
        """Ask the process to exit, kill it after END_SECONDS, and return whether it has exited."""
        import psutil

        try:
            self._process.terminate()
            try:
                self._process.wait(END_SECONDS)
            except psutil.TimeoutExpired:
                self._process.kill()
                self._process.wait(KILLED_SECONDS)
        except psutil.NoSuchProcess:
            return True
        except psutil.Error:
            return False
        return True


def is_ours(line: Sequence[str]) -> bool:
    """Whether a command line runs this program: an executable or script with its name, or Python with its module."""
    is_python = bool(line) and "python" in PurePath(line[0]).stem.lower()
    if is_python and line[1:2] == ["-m"]:
        return line[2:3] != [] and line[2] in _MODULES
    return any(PurePath(word).stem.lower() in _PROGRAMS for word in line[is_python : is_python + 1])
