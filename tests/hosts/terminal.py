"""A program in a terminal: its output is read, its queries are answered, and keys are pressed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

ROWS: Final = 40
COLUMNS: Final = 120
ANSWERS: Final = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;22c",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
}
"""Queries of a program to its terminal, and the responses: cursor position, kind, colors."""
MAX_SHOWN_BYTES: Final = 200_000
SHOWN_CHARS: Final = 3_000
CONTROL: Final = re.compile(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[\x00-\x09\x0b-\x1f]")
SECONDS: Final = 60.0
READ_SECONDS: Final = 5.0


class Terminal:
    """Run a process group in its own terminal and end all of it."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        # A session uses the first terminal that it opens as its own.
        take = "import os, sys; os.close(os.open(os.ttyname(0), os.O_RDWR)); os.execvp(sys.argv[1], sys.argv[1:])"
        self._process = subprocess.Popen(
            [sys.executable, "-c", take, *command],
            env=dict(environment),
            cwd=folder,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._shown = bytearray()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def write(self, keys: bytes) -> None:
        with contextlib.suppress(OSError):
            os.write(self._ours, keys)

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def shown(self) -> str:
        """Return the end of the output, without cursor movements."""
        return CONTROL.sub(b"", bytes(self._shown)).decode("utf-8", "replace")[-SHOWN_CHARS:]

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            while data := os.read(self._ours, 65_536):
                for question, answer in ANSWERS.items():
                    for _ in range(data.count(question)):
                        self.write(answer)
                self._shown += data
                del self._shown[:-MAX_SHOWN_BYTES]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=SECONDS)
        # Leftover processes may still have the terminal open.
        self._reader.join(timeout=READ_SECONDS)
        os.close(self._ours)
