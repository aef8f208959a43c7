"""The measured Qt event loop: waiting in it, and its stalls."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEventLoop, Qt, QTimer

TICK_MS: Final = 5
POLL_MS: Final = 2
WAIT_SECONDS: Final = 120.0


@dataclass(slots=True)
class Gaps:
    """Milliseconds between the ticks of a timer.

    `own` excludes the wait of the thread for a CPU (Linux), but not for the interpreter. `busy` is the CPU time of the thread, which does
    not depend on other programs.
    """

    all: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)

    @property
    def longest(self) -> float:
        return max(self.all, default=0.0)

    @property
    def longest_own(self) -> float:
        return max(self.own, default=0.0)

    @property
    def longest_busy(self) -> float:
        return max(self.busy, default=0.0)

    @property
    def figures(self) -> dict[str, object]:
        """Return the figures for a row of a report."""
        return {"longest stall": self.longest, "busy in it": self.longest_busy}


def wait(ready: Callable[[], bool], seconds: float = WAIT_SECONDS) -> None:
    """Run the event loop until the condition is true. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError("the window did not get ready")
        rest(POLL_MS)


def rest(milliseconds: int) -> None:
    """Run the event loop for this time."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


@contextmanager
def ticking() -> Iterator[Gaps]:
    """Collect the gaps until the end of the block."""
    gaps = Gaps()
    last = time.perf_counter() * 1000, _queued_ms(), time.thread_time() * 1000

    def tick() -> None:
        nonlocal last
        now = time.perf_counter() * 1000, _queued_ms(), time.thread_time() * 1000
        gap, queued, busy = (after - before for after, before in zip(now, last, strict=True))
        gaps.all.append(gap)
        gaps.own.append(gap - queued)
        gaps.busy.append(busy)
        last = now

    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(tick)
    timer.start(TICK_MS)
    try:
        yield gaps
        rest(2 * TICK_MS)
    finally:
        timer.stop()


def _queued_ms() -> float:
    """Return the total wait of this thread for a CPU, or 0 if the system does not report it."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e6
    except OSError:
        return 0.0
