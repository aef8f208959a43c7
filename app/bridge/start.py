"""Start an instance that outlives this process, detached from its terminal, session and job, with its output in a log.

Holds the start lock, tries several commands in turn, and reports why all of them failed.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from app import caps, instance
from app.bridge.stdio import remark
from app.errors import NotRunningError
from app.paths import log_dir, program

if TYPE_CHECKING:
    import subprocess

MAX_START_LOG_BYTES: Final = 256 * caps.KIB
CREATE_NEW_PROCESS_GROUP: Final = 0x00000200
CREATE_BREAKAWAY_FROM_JOB: Final = 0x01000000
CREATE_NO_WINDOW: Final = 0x08000000
"""A console without a window. Without a console, every program that the application runs would open one."""


def spawn(command: list[str], output: IO[bytes] | None, folder: Path | None) -> subprocess.Popen[bytes]:
    """Start a detached process with its output in a file, or discarded if `output` is None. Raises OSError.

    On Linux and macOS, it gets a new session, which Ctrl+C and the end of the terminal or of the client's process group do not reach. On
    Windows, it starts outside the client's job if that job allows it, because Windows kills all processes of a job together.
    """
    import subprocess

    # A frozen program must unpack itself again.
    own = {"PYINSTALLER_RESET_ENVIRONMENT": "1"} if getattr(sys, "frozen", False) else {}
    environ = {**os.environ, "PYTHONUTF8": "1", **own}
    target = output if output is not None else subprocess.DEVNULL
    popen = partial["subprocess.Popen[bytes]"](
        subprocess.Popen, command, stdin=subprocess.DEVNULL, stdout=target, stderr=target, cwd=folder, env=environ
    )
    if sys.platform == "win32":
        flags = CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP
        with contextlib.suppress(PermissionError):
            return popen(creationflags=flags | CREATE_BREAKAWAY_FROM_JOB)
        return popen(creationflags=flags)
    return popen(start_new_session=True)


# --- Start lock ---

LOCK_FILE: Final = "start.lock"


class StartLock:
    """A lock until it is released or the process ends. If it cannot be created, every process proceeds and the instance lock decides."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / LOCK_FILE
        self._descriptor: int | None = None
        self._is_ours = False

    def take(self) -> bool:
        """Whether this process holds the lock, now or already before."""
        if not self._is_ours:
            try:
                if self._descriptor is None:
                    self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
                self._is_ours = instance.lock(self._descriptor)
            except OSError:
                self._is_ours = True
        return self._is_ours

    def release(self) -> None:
        """Release the lock for the next process."""
        self._is_ours = False
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                instance.unlock(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None


# --- Start log ---

FILE_NAME: Final = "start.log"
ERROR: Final = "error: "
HINT: Final = "hint: "  # Prefixes of the two lines that the command line prints about a failure.


class StartLog:
    """The file with the output of all starts."""

    def __init__(self, data_dir: Path) -> None:
        self.path = log_dir(data_dir) / FILE_NAME
        self._temporary: Path | None = None
        self._begun_at = 0

    @contextlib.contextmanager
    def output(self) -> Iterator[IO[bytes] | None]:
        """Yield the stream for the output of the next start, or None if no file can be written."""
        stream = self._opened()
        if stream is None:
            yield None
            return
        with stream:
            self._begun_at = os.fstat(stream.fileno()).st_size
            yield stream

    def last_words(self) -> tuple[str, str]:
        """Return the last line of the latest start and its hint, or empty strings."""
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
        """Remove the temporary file of this start."""
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                self._temporary.unlink()
            self._temporary = None

    def _opened(self) -> IO[bytes] | None:
        """Open the log, or a temporary file if the disk is full or locked, so that the application's error is not lost."""
        if self._temporary is None:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                fresh = not self.path.exists() or self.path.stat().st_size > MAX_START_LOG_BYTES
                return self.path.open("wb" if fresh else "ab")
            except OSError:
                import tempfile

                with contextlib.suppress(OSError):
                    descriptor, name = tempfile.mkstemp(prefix="webrag-start-", suffix=".log")
                    os.close(descriptor)
                    self._temporary = Path(name)
        return self._temporary.open("ab") if self._temporary is not None else None


BRIDGE_HUNG_SECONDS: Final = 8.0
"""Seconds after which an application that holds the data directory without responding is reported as an error."""
BRIDGE_REPLACE_SECONDS: Final = 15.0  # Seconds that an application of an earlier version may take to exit.
BRIDGE_FULL_DISK_BYTES: Final = 4 * caps.MIB
"""With less free space, the application cannot even report why it does not start."""
START_RETRY_SECONDS: Final = 3.0  # Seconds before another attempt after a start lost the race for the data directory.


def ensure_instance(data_dir: Path, *, seconds: float = caps.BRIDGE_START_SECONDS) -> instance.RuntimeInfo:
    """Return the running instance; start one, or replace an outdated one. Several callers may race. Raises NotRunningError."""
    return Start(data_dir, start_commands(data_dir), seconds, replaces_outdated=True).run()


def start_headless(
    data_dir: Path, *, port: int | None = None, seconds: float = caps.BRIDGE_START_SECONDS
) -> instance.RuntimeInfo:
    """Start `webrag serve` and wait until it responds. Raises NotRunningError."""
    return Start(data_dir, [headless_command(data_dir, port=port)], seconds).run()


def start_commands(
    data_dir: Path, environ: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> list[list[str]]:
    """Return the commands to try in order: with a display, the tray application and then the server without a window."""
    headless = headless_command(data_dir)
    if platform in {"win32", "darwin"} or environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"):
        return [[*program("webrag-desktop", "app.desktop"), "--hidden", "--data-dir", str(data_dir)], headless]
    return [headless]


def headless_command(data_dir: Path, *, port: int | None = None) -> list[str]:
    """Return the command of a server that exits automatically after the last bridge disconnects."""
    where = [] if port is None else ["--port", str(port)]
    arguments = ["serve", "--transport", "streamable-http", "--while-attached", *where]
    return [*program("webrag", "app"), *arguments, "--data-dir", str(data_dir)]


# --- One attempt ---

POLL_SECONDS: Final = 0.05
REINSTALL: Final = "If WebRAG was moved, start it once from its new location. If it was removed, install it again."


class Start:
    """An attempt to start an instance with several commands in order. Single use."""

    def __init__(
        self, data_dir: Path, commands: list[list[str]], seconds: float, *, replaces_outdated: bool = False
    ) -> None:
        self._data_dir = data_dir
        self._commands = list(commands)
        self._seconds = seconds
        self._replaces_outdated = replaces_outdated
        self._log = StartLog(data_dir)
        self._turn = StartLock(data_dir)
        self._held_before = instance.holder(data_dir)
        self._process: subprocess.Popen[bytes] | None = None
        self._retry_at = 0.0
        self._refused = False
        self._silent_since = time.monotonic()

    def run(self) -> instance.RuntimeInfo:
        """Return the instance as soon as it responds. Raises NotRunningError."""
        deadline = time.monotonic() + self._seconds
        try:
            while time.monotonic() < deadline:
                if (info := self._found()) is not None:
                    return info
                if self._process is None and time.monotonic() >= self._retry_at and self._turn.take():
                    self._begin()
                held = instance.holder(self._data_dir)
                # A note from before this start may belong to a dead process.
                serves_nobody = held[1] in (instance.Holding.WINDOW, instance.Holding.FAILED)
                if serves_nobody and (self._refused or held != self._held_before):
                    raise self._silent()
                self._refuse_hung()
                self._note_ending()
                time.sleep(POLL_SECONDS)
        finally:
            self._turn.release()
            self._log.close()
        if self._refused:
            raise self._silent()
        raise NotRunningError(f"WebRAG did not start within {self._seconds:.0f} seconds.", hint=self._hint())

    def _found(self) -> instance.RuntimeInfo | None:
        """Return the instance that responds, unless it is about to be replaced."""
        info = instance.find_instance(self._data_dir)
        if info is None or not self._replaces_outdated or not instance.is_outdated(info):
            return info
        if not self._turn.take():
            return None
        self._replaces_outdated = False
        if not instance.ask_to_end(info):
            remark(f"version {info.version} is still running and stays in use; restart WebRAG to use the new version.")
            return info
        remark(f"version {info.version} is running; replacing it with the new version.")
        deadline = time.monotonic() + BRIDGE_REPLACE_SECONDS
        while instance.holder(self._data_dir)[0] == str(info.pid) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        return None

    def _begin(self) -> None:
        """Run the next command. Skip a program that does not exist."""
        folder = self._data_dir if self._data_dir.is_dir() else None
        try:
            with self._log.output() as output:
                self._process = spawn(self._commands[0], output, folder)
        except OSError as error:
            if len(self._commands) == 1:
                raise NotRunningError(f"WebRAG could not be started ({error}).", hint=REINSTALL) from error
            self._commands.pop(0)

    def _note_ending(self) -> None:
        """Wait for the winner if the process lost a race, or try the next command if it failed."""
        status = self._process.poll() if self._process is not None else None
        if status is None:
            return
        self._process = None
        if status in {0, instance.ALREADY_RUNNING_STATUS}:
            self._refused, self._retry_at = True, time.monotonic() + START_RETRY_SECONDS
            return
        self._commands.pop(0)
        if self._commands:
            return
        import shutil

        said, hint = self._log.last_words()
        text = f"WebRAG exited while starting (status {status}). {said}".strip()
        with contextlib.suppress(OSError):
            if not said and shutil.disk_usage(self._data_dir).free < BRIDGE_FULL_DISK_BYTES:
                full = f"The disk with {self._data_dir} is full. Free some space, then try again."
                raise NotRunningError(text, hint=full)
        raise NotRunningError(text, hint=f"{hint} {self._hint()}".strip())

    def _refuse_hung(self) -> None:
        """Raise the error of an application that holds its data directory but does not respond in time."""
        info = instance.noted_instance(self._data_dir)
        pid, holding = instance.holder(self._data_dir)
        if info is None:
            is_late = self._refused and time.time() - instance.held_since(self._data_dir) > caps.BRIDGE_START_SECONDS
        else:
            is_late = pid == str(info.pid)
        if holding != instance.Holding.APPLICATION or not is_late:
            self._silent_since = time.monotonic()
        elif time.monotonic() - self._silent_since > BRIDGE_HUNG_SECONDS and not (info and _refuses_connections(info)):
            raise self._silent()

    def _silent(self) -> NotRunningError:
        error = instance.silent_holder(self._data_dir)
        return NotRunningError(error.message, hint=error.hint)

    def _hint(self) -> str:
        return f"Start WebRAG Desktop, then try again. Details: {self._log.path}"


def _refuses_connections(info: instance.RuntimeInfo) -> bool:
    """Whether no program listens at the instance's address."""
    import socket

    try:
        socket.create_connection((info.host, info.port), timeout=POLL_SECONDS).close()
    except OSError as error:
        return isinstance(error, ConnectionRefusedError)
    return False
