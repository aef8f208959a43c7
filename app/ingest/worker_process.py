"""The preparation process as the program sees it: started, asked, ended. Blocking; used from one thread."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from app import caps
from app.errors import PreparationError
from app.ingest.counting import ChunkingLimits
from app.ingest.frames import FrameError
from app.ingest.preparation_answer import read_answer
from app.ingest.preparation_request import send_request
from app.ingest.prepared import Body, Prepared
from app.paths import program

log = logging.getLogger(__name__)

_ENVIRONMENT: Final = (
    *("PATH", "HOME", "USERPROFILE", "SYSTEMROOT", "WINDIR", "TEMP", "TMP", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"),
)
"""All that the process gets to know of the environment, which may hold keys of services."""


def worker_command() -> list[str]:
    """How the preparation process is started: through the console program, or from the sources."""
    if getattr(sys, "frozen", False):
        return [*program("webrag", "app.cli"), "prepare-worker"]
    return [sys.executable, "-m", "app.ingest.worker"]


class WorkerProcess:
    """One running process. What it writes to standard error is read all the time and its end is kept for the log."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it. Raises OSError."""
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=Path(__file__).resolve().parents[2],
            env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            creationflags=_flags(),
        )
        self._said = bytearray()
        threading.Thread(target=self._listen, name="preparation log", daemon=True).start()
        log.info("preparation process %d started", self._process.pid)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def ask(self, body: Body, limits: ChunkingLimits) -> Prepared:
        """Let it prepare one body.

        Raises the error of the page, and PreparationError when the process failed; then it has ended.
        """
        try:
            send_request(_pipe(self._process.stdin), body, limits)
            return read_answer(_pipe(self._process.stdout), body.url, limits)
        except (FrameError, OSError) as error:
            self.end()
            log.warning("preparation process ended (%s): %s", error, self._said.decode(errors="replace"))
            reason = f"{body.url} could not be read: the process that reads large files ended ({error})."
            raise PreparationError(reason, url=body.url) from error
        except PreparationError:
            self.end()
            raise

    def end(self) -> None:
        """Let it end by itself, or make it, and close its pipes."""
        with contextlib.suppress(OSError):
            _pipe(self._process.stdin).close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(caps.PREPARE_EXIT_SECONDS)
        self.kill()
        _pipe(self._process.stdout).close()

    def kill(self) -> None:
        """Make it end; a call under way fails."""
        self._process.kill()
        self._process.wait()

    def _listen(self) -> None:
        stream = _pipe(self._process.stderr)
        while piece := os.read(stream.fileno(), caps.PREPARE_LOG_BYTES):
            self._said = (self._said + piece)[-caps.PREPARE_LOG_BYTES :]
        stream.close()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None, "all three streams are pipes"
    return stream


def _flags() -> int:
    """No console window, and a low priority, on Windows; elsewhere the process lowers its own."""
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW | subprocess.BELOW_NORMAL_PRIORITY_CLASS
    return 0
