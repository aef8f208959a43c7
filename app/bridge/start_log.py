"""What a starting application prints: kept in its log folder, or for the time of the start where nothing can be written."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from app import caps
from app.paths import log_dir

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
                text = stream.read(caps.MAX_START_LOG_BYTES).decode("utf-8", "replace")
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
                fresh = not self.path.exists() or self.path.stat().st_size > caps.MAX_START_LOG_BYTES
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
