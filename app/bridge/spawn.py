"""Processes that outlive whoever starts them: in no terminal, session or job of ours."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import subprocess

CREATE_NEW_PROCESS_GROUP: Final = 0x00000200
CREATE_BREAKAWAY_FROM_JOB: Final = 0x01000000
CREATE_NO_WINDOW: Final = 0x08000000
"""A console that nobody sees. Without any console each program that the application runs would open one of its own."""


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
