"""Starting a process that outlives this one: outside our terminal, session and job, one at a time, with its output in a log."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from app import caps
from app.paths import log_dir

if TYPE_CHECKING:
    import subprocess

MAX_START_LOG_BYTES: Final = 256 * caps.KIB

CREATE_NEW_PROCESS_GROUP: Final = 0x00000200
CREATE_BREAKAWAY_FROM_JOB: Final = 0x01000000
CREATE_NO_WINDOW: Final = 0x08000000
"""A console without a window. Without any console each program that the application runs would open one of its own."""


Popen = Callable[..., "subprocess.Popen[bytes]"]
"""What makes a process; `subprocess.Popen` outside of tests."""


def spawn(command: list[str], output: IO[bytes] | None, folder: Path | None) -> subprocess.Popen[bytes]:
    """Start a detached process whose output goes to a file or, without one, nowhere. Raises OSError."""
    import subprocess

    start = spawn_windows if sys.platform == "win32" else spawn_posix
    return start(subprocess.Popen, command, _options(output, folder))


def spawn_posix(popen: Popen, command: list[str], options: dict[str, Any]) -> subprocess.Popen[bytes]:
    """In a session of its own: neither Ctrl+C nor the end of the terminal or of the client's process group reaches it."""
    return popen(command, **options, start_new_session=True)


def spawn_windows(popen: Popen, command: list[str], options: dict[str, Any]) -> subprocess.Popen[bytes]:
    """Outside of the client's job, which is killed as a whole, where that job allows it."""
    flags = CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP
    try:
        return popen(command, **options, creationflags=flags | CREATE_BREAKAWAY_FROM_JOB)
    except PermissionError:
        return popen(command, **options, creationflags=flags)


def child_environment(environ: dict[str, str], *, frozen: bool) -> dict[str, str]:
    """What the application finds: text in UTF-8 whatever the console says, and, frozen, nothing of our own unpacking."""
    child = {**environ, "PYTHONUTF8": "1"}
    return {**child, "PYINSTALLER_RESET_ENVIRONMENT": "1"} if frozen else child


def _options(output: IO[bytes] | None, folder: Path | None) -> dict[str, Any]:
    import subprocess

    environ = child_environment(dict(os.environ), frozen=bool(getattr(sys, "frozen", False)))
    target = output if output is not None else subprocess.DEVNULL
    return {"stdin": subprocess.DEVNULL, "stdout": target, "stderr": target, "cwd": folder, "env": environ}


# --- Whose turn it is ---

LOCK_FILE: Final = "start.lock"


class StartLock:
    """Held until released or until the process ends. Where no lock can be kept, everybody has it: the instance lock decides."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / LOCK_FILE
        self._descriptor: int | None = None
        self._is_ours = False

    def take(self) -> bool:
        """Whether it is this process's turn, now or since before."""
        if not self._is_ours:
            try:
                self._is_ours = self._locked()
            except OSError:
                self._is_ours = True
        return self._is_ours

    def release(self) -> None:
        """Let the next one have its turn."""
        self._is_ours = False
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                _unlock(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    def _locked(self) -> bool:
        if self._descriptor is None:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        return _lock(self._descriptor)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            os.lseek(descriptor, 0, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


# --- What it prints ---

FILE_NAME: Final = "start.log"
ERROR: Final = "error: "
HINT: Final = "hint: "
"""How the command line begins its two lines about a failure."""


class StartLog:
    """Collects the output of one start after another."""

    def __init__(self, data_dir: Path) -> None:
        self.path = log_dir(data_dir) / FILE_NAME
        self._temporary: Path | None = None
        self._begun_at = 0

    @contextlib.contextmanager
    def output(self) -> Iterator[IO[bytes] | None]:
        """Where the next start writes to; None where nothing can be written at all."""
        stream = self._opened()
        if stream is None:
            yield None
            return
        with stream:
            self._begun_at = os.fstat(stream.fileno()).st_size
            yield stream

    def last_words(self) -> tuple[str, str]:
        """The last thing that the latest start said, and the hint that came with it; empty where there is none."""
        try:
            with (self._temporary or self.path).open("rb") as stream:
                stream.seek(self._begun_at)
                text = stream.read(MAX_START_LOG_BYTES).decode("utf-8", "replace")
        except OSError:
            return "", ""
        lines = [line[: caps.MAX_LOG_LINE_CHARS] for line in text.splitlines() if line.strip()]
        hint = lines.pop().removeprefix(HINT) if lines and lines[-1].startswith(HINT) else ""
        return lines[-1].removeprefix(ERROR) if lines else "", hint

    def close(self) -> None:
        """Remove what was only kept for the time of the start."""
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                self._temporary.unlink()
            self._temporary = None

    def _opened(self) -> IO[bytes] | None:
        """A full or locked disk must not hide what the application says."""
        if self._temporary is None:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                fresh = not self.path.exists() or self.path.stat().st_size > MAX_START_LOG_BYTES
                return self.path.open("wb" if fresh else "ab")
            except OSError:
                self._temporary = _temporary_file()
        return self._temporary.open("ab") if self._temporary is not None else None


def _temporary_file() -> Path | None:
    import tempfile

    try:
        descriptor, name = tempfile.mkstemp(prefix="webrag-start-", suffix=".log")
    except OSError:
        return None
    os.close(descriptor)
    return Path(name)
