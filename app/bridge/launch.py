"""Finds the running instance of a data directory, or starts one that outlives whoever asked for it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from app import caps
from app.errors import NotRunningError
from app.instance import Holding, RuntimeInfo, command_in_use, holder, is_healthy, read_runtime
from app.paths import log_dir, program

if TYPE_CHECKING:
    import subprocess

ALREADY_RUNNING_STATUS: Final = 3
"""Exit status of `webrag serve` when another process owns the data directory."""

START_LOG: Final = "start.log"
POLL_SECONDS: Final = 0.03
SWITCH_ON: Final = "Switch it on in Settings > Server, or set MCP_ENABLED=true, and start WebRAG again."


def find_instance(data_dir: Path) -> RuntimeInfo | None:
    """The instance that answers for this data directory now."""
    info = read_runtime(data_dir)
    return info if info is not None and is_healthy(info) else None


def ensure_instance(data_dir: Path, *, seconds: float = caps.BRIDGE_START_SECONDS) -> RuntimeInfo:
    """The running instance, started where none runs. Several callers may race: the instance lock decides.

    Raises NotRunningError.
    """
    info = find_instance(data_dir)
    return info if info is not None else _start_and_wait(data_dir, start_commands(data_dir), seconds)


def start_headless(
    data_dir: Path, *, port: int | None = None, seconds: float = caps.BRIDGE_START_SECONDS
) -> RuntimeInfo:
    """Start `webrag serve` and wait until it answers. Raises NotRunningError."""
    return _start_and_wait(data_dir, [headless_command(data_dir, port=port)], seconds)


def start_commands(
    data_dir: Path, environ: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> list[list[str]]:
    """What to try, best first: in the tray where there is a display, else or on failure without a window."""
    headless = headless_command(data_dir)
    if not has_display(environ, platform):
        return [headless]
    return [[*program("webrag-desktop", "app.desktop"), "--hidden", *data_dir_arguments(data_dir)], headless]


def headless_command(data_dir: Path, *, port: int | None = None) -> list[str]:
    """The server that ends by itself when nobody is attached any more."""
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


def _start_and_wait(data_dir: Path, commands: list[list[str]], seconds: float) -> RuntimeInfo:
    deadline = time.monotonic() + seconds
    log = log_dir(data_dir) / START_LOG
    remaining = list(commands)
    process: subprocess.Popen[bytes] | None = None
    retry_at, log_size, refused = 0.0, 0, False
    held = holder(data_dir)
    while time.monotonic() < deadline:
        if process is None and time.monotonic() >= retry_at:
            log_size = log.stat().st_size if log.exists() else 0
            process = _spawn(remaining[0], data_dir, log)
        if (info := find_instance(data_dir)) is not None:
            return info
        now = holder(data_dir)
        # A note that was there before may be of a process that died.
        if now[1] == Holding.WINDOW and (refused or now != held):
            raise NotRunningError("The MCP server of WebRAG is switched off (MCP_ENABLED).", hint=SWITCH_ON)
        status = process.poll() if process is not None else None
        if status in {0, ALREADY_RUNNING_STATUS}:
            process, refused, retry_at = None, True, time.monotonic() + caps.START_RETRY_SECONDS
        elif status is not None:
            remaining.pop(0)
            if not remaining:
                raise NotRunningError(
                    f"WebRAG ended while starting (status {status}). {_last_line(log, log_size)}".strip(),
                    hint=_hint(log),
                )
            process = None
        time.sleep(POLL_SECONDS)
    if refused and (error := command_in_use(data_dir)) is not None:
        raise NotRunningError(error.message, hint=error.hint)
    raise NotRunningError(f"WebRAG did not start within {seconds:.0f} seconds.", hint=_hint(log))


def _hint(log: Path) -> str:
    return f"Start WebRAG Desktop, then try again. Details: {log}"


def _spawn(command: list[str], data_dir: Path, log: Path) -> subprocess.Popen[bytes]:
    """Start a process that belongs to no terminal, session or job of ours; what it prints goes to the log."""
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        environ = dict(os.environ)
        if getattr(sys, "frozen", False):
            # A frozen program must not take its child for a part of itself.
            environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
        fresh = not log.exists() or log.stat().st_size > caps.MAX_START_LOG_BYTES
        with log.open("wb" if fresh else "ab") as output:
            return _detached(command, output, data_dir, environ)
    except OSError as error:
        raise NotRunningError(f"WebRAG could not be started: {error}", hint=_hint(log)) from error


if sys.platform == "win32":

    def _detached(
        command: list[str], output: IO[bytes], folder: Path, environ: dict[str, str]
    ) -> subprocess.Popen[bytes]:
        """Without a console and, where allowed, outside of the client's job, which is killed as a whole."""
        import subprocess

        detached = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP

        def start(flags: int) -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=folder,
                env=environ,
                creationflags=flags,
            )

        try:
            return start(detached | subprocess.CREATE_BREAKAWAY_FROM_JOB)
        except PermissionError:
            return start(detached)

else:

    def _detached(
        command: list[str], output: IO[bytes], folder: Path, environ: dict[str, str]
    ) -> subprocess.Popen[bytes]:
        import subprocess

        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,
            env=environ,
            start_new_session=True,
        )


def _last_line(log: Path, since: int) -> str:
    """The last line that was written after the first `since` bytes."""
    try:
        content = log.read_bytes()
    except OSError:
        return ""
    text = content[since if since < len(content) else 0 :].decode("utf-8", "replace").strip()
    return text.splitlines()[-1][: caps.MAX_LOG_LINE_CHARS] if text else ""
