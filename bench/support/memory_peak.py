"""Peak memory of a process and its children. Another process samples it, because 50 ms would stall a window.

    python -m support.memory_peak PID

Prints the peak in MB for each line on its input, and starts again.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from subprocess import PIPE, Popen
from typing import Final

import psutil

SAMPLE_SECONDS: Final = 0.5


def memory_mb(pid: int | None = None) -> float:
    """Return the memory of a process (default: this one) and its children without the site's server, with shared pages counted once."""
    parent = psutil.Process(pid)
    total = 0.0
    for each in (parent, *parent.children()):
        with contextlib.suppress(psutil.Error):
            if each.pid != os.getpid() or pid is None:
                total += 0.0 if "http.server" in each.cmdline() else each.memory_full_info().pss
    return total / 2**20


class MemoryPeak:
    """Peak of this process and its children since the last query."""

    def __init__(self, process: Popen[str]) -> None:
        self._process = process

    def take(self) -> float:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())


@contextlib.contextmanager
def watched() -> Iterator[MemoryPeak]:
    """Let another process sample this one until the end of the block."""
    command = [sys.executable, __file__, str(os.getpid())]
    with Popen(command, stdin=PIPE, stdout=PIPE, text=True) as process:
        try:
            yield MemoryPeak(process)
        finally:
            process.kill()


def main(pid: int) -> None:
    peak = 0.0
    asked = threading.Event()

    def look() -> None:
        nonlocal peak
        while True:
            peak = max(peak, memory_mb(pid))
            asked.wait(SAMPLE_SECONDS)

    threading.Thread(target=look, daemon=True).start()
    for _ in sys.stdin:
        peak = max(peak, memory_mb(pid))
        print(peak, flush=True)
        peak = 0.0


if __name__ == "__main__":
    main(int(sys.argv[1]))
