"""What the bridge says on stderr: a bounded number of short lines, because a client may never read them."""

from __future__ import annotations

import os
import threading
from typing import Final

from app import caps

STDERR: Final = 2

_left = caps.BRIDGE_REMARKS
_lock = threading.Lock()


def remark(text: str) -> None:
    """Write one line; nothing once the number of lines is used up or nobody can read them."""
    global _left
    with _lock:
        if _left <= 0:
            return
        _left -= 1
    line = f"webrag: {' '.join(text.split())}"[: caps.MAX_LOG_LINE_CHARS]
    try:
        os.write(STDERR, line.encode("utf-8", "replace") + b"\n")
    except OSError:
        return


def remark_on_failures() -> None:
    """An error that nobody caught in a thread becomes one line."""
    threading.excepthook = _told


def _told(failure: threading.ExceptHookArgs) -> None:
    name = failure.thread.name if failure.thread is not None else "a thread"
    remark(f"{name} failed: {failure.exc_type.__name__}: {failure.exc_value}")
