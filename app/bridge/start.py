"""Starts an instance that outlives the process that needs it: the lock, the commands tried in turn, the error when none works."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app import caps
from app.bridge.process import StartLock, StartLog, spawn
from app.bridge.stdio import remark
from app.errors import NotRunningError
from app.instance import (
    ALREADY_RUNNING_STATUS,
    Holding,
    RuntimeInfo,
    ask_to_end,
    command_in_use,
    find_instance,
    holder,
    is_outdated,
    noted_instance,
)
from app.paths import program

if TYPE_CHECKING:
    import subprocess

BRIDGE_HUNG_SECONDS: Final = 8.0
"""An application that keeps the data directory this long without an answer is reported instead of waited for."""
BRIDGE_REPLACE_SECONDS: Final = 15.0
"""How long an application of an earlier version may take to end."""
BRIDGE_FULL_DISK_BYTES: Final = 4 * caps.MIB
"""With less free space the application cannot even say why it does not start."""
START_RETRY_SECONDS: Final = 3.0
"""A start that lost the race for the data directory is tried again after this long."""


def ensure_instance(data_dir: Path, *, seconds: float = caps.BRIDGE_START_SECONDS) -> RuntimeInfo:
    """The running instance, started where none runs and after an update. Several callers may race.

    Raises NotRunningError.
    """
    return Start(data_dir, start_commands(data_dir), seconds, replaces_outdated=True).run()


def start_headless(
    data_dir: Path, *, port: int | None = None, seconds: float = caps.BRIDGE_START_SECONDS
) -> RuntimeInfo:
    """Start `webrag serve` and wait until it answers. Raises NotRunningError."""
    return Start(data_dir, [headless_command(data_dir, port=port)], seconds).run()


def start_commands(
    data_dir: Path, environ: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> list[list[str]]:
    """What to try, best first: in the tray where there is a display, else or on failure without a window."""
    headless = headless_command(data_dir)
    if not has_display(environ, platform):
        return [headless]
    return [[*program("webrag-desktop", "app.desktop"), "--hidden", *data_dir_arguments(data_dir)], headless]


def headless_command(data_dir: Path, *, port: int | None = None) -> list[str]:
    """The server that ends by itself when no bridge is attached any more."""
    where = [] if port is None else ["--port", str(port)]
    arguments = ["serve", "--transport", "streamable-http", "--while-attached", *where]
    return [*program("webrag", "app"), *arguments, *data_dir_arguments(data_dir)]


def data_dir_arguments(data_dir: Path) -> list[str]:
    """The option that names the data directory."""
    return ["--data-dir", str(data_dir)]


def has_display(environ: Mapping[str, str], platform: str) -> bool:
    """Whether a window can be shown."""
    if platform in {"win32", "darwin"}:
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


# --- One attempt ---

POLL_SECONDS: Final = 0.05
SWITCH_ON: Final = "Switch it on in Settings > Server, or set MCP_ENABLED=true, and start WebRAG again."
REINSTALL: Final = "If WebRAG was moved or removed: start it once from its new place, or install it again."


class Start:
    """Tries the commands one after the other until an instance answers. Used once."""

    def __init__(
        self, data_dir: Path, commands: list[list[str]], seconds: float, *, replaces_outdated: bool = False
    ) -> None:
        self._data_dir = data_dir
        self._commands = list(commands)
        self._seconds = seconds
        self._replaces_outdated = replaces_outdated
        self._log = StartLog(data_dir)
        self._turn = StartLock(data_dir)
        self._held_before = holder(data_dir)
        self._process: subprocess.Popen[bytes] | None = None
        self._retry_at = 0.0
        self._refused = False
        self._silent_since = time.monotonic()

    def run(self) -> RuntimeInfo:
        """The instance once it answers. Raises NotRunningError."""
        deadline = time.monotonic() + self._seconds
        try:
            while time.monotonic() < deadline:
                if (info := self._found()) is not None:
                    return info
                if self._process is None and time.monotonic() >= self._retry_at and self._turn.take():
                    self._begin()
                self._refuse_switched_off()
                self._refuse_hung()
                self._note_ending()
                time.sleep(POLL_SECONDS)
        finally:
            self._turn.release()
            self._log.close()
        if self._refused and (error := command_in_use(self._data_dir)) is not None:
            raise NotRunningError(error.message, hint=error.hint)
        raise NotRunningError(f"WebRAG did not start within {self._seconds:.0f} seconds.", hint=self._hint())

    def _found(self) -> RuntimeInfo | None:
        """The instance that answers, unless it is about to be replaced."""
        info = find_instance(self._data_dir)
        if info is None or not self._replaces_outdated or not is_outdated(info):
            return info
        if not self._turn.take():
            return None
        self._replaces_outdated = False
        if not ask_to_end(info):
            remark(f"version {info.version} is running and is used as it is; restart it to have the new version.")
            return info
        remark(f"version {info.version} was running; it ends, and the new version starts.")
        self._await_end(info)
        return None

    def _await_end(self, info: RuntimeInfo) -> None:
        deadline = time.monotonic() + BRIDGE_REPLACE_SECONDS
        while holder(self._data_dir)[0] == str(info.pid) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)

    def _begin(self) -> None:
        """Start what comes next; a program that is not there is passed over."""
        folder = self._data_dir if self._data_dir.is_dir() else None
        try:
            with self._log.output() as output:
                self._process = spawn(self._commands[0], output, folder)
        except OSError as error:
            if len(self._commands) == 1:
                raise NotRunningError(f"WebRAG could not be started: {error}.", hint=REINSTALL) from error
            self._commands.pop(0)

    def _note_ending(self) -> None:
        """Wait for the winner if the process lost a race, try the next command if it failed."""
        status = self._process.poll() if self._process is not None else None
        if status is None:
            return
        self._process = None
        if status in {0, ALREADY_RUNNING_STATUS}:
            self._refused, self._retry_at = True, time.monotonic() + START_RETRY_SECONDS
            return
        self._commands.pop(0)
        if not self._commands:
            raise self._failed(status)

    def _failed(self, status: int) -> NotRunningError:
        said, hint = self._log.last_words()
        text = f"WebRAG ended while starting (status {status}). {said}".strip()
        if not said and _is_full(self._data_dir):
            return NotRunningError(text, hint=f"The disk with {self._data_dir} is full. Make room, then try again.")
        return NotRunningError(text, hint=f"{hint} {self._hint()}".strip())

    def _refuse_switched_off(self) -> None:
        held = holder(self._data_dir)
        # A note that was there before may be of a process that died.
        if held[1] == Holding.WINDOW and (self._refused or held != self._held_before):
            raise NotRunningError("The MCP server of WebRAG is switched off (MCP_ENABLED).", hint=SWITCH_ON)

    def _refuse_hung(self) -> None:
        """An application that said where it listens, and still keeps its data and its port, but does not answer."""
        info = noted_instance(self._data_dir)
        if info is None or holder(self._data_dir) != (str(info.pid), Holding.APPLICATION):
            self._silent_since = time.monotonic()
        elif time.monotonic() - self._silent_since > BRIDGE_HUNG_SECONDS and not _refuses_connections(info):
            raise NotRunningError(
                f"WebRAG (process {info.pid}) is running but does not answer.",
                hint="Quit it or end that process, then try again.",
            )

    def _hint(self) -> str:
        return f"Start WebRAG Desktop, then try again. Details: {self._log.path}"


def _is_full(folder: Path) -> bool:
    """Whether the disk has no room for the application's files."""
    import shutil

    try:
        return shutil.disk_usage(folder).free < BRIDGE_FULL_DISK_BYTES
    except OSError:
        return False


def _refuses_connections(info: RuntimeInfo) -> bool:
    """Whether nothing listens where the instance did."""
    import socket

    try:
        socket.create_connection((info.host, info.port), timeout=POLL_SECONDS).close()
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False
