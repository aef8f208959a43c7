"""The Qt event loop under measurement: waiting in it, and how long it stands still."""

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

    `own` leaves out what the thread waited for a processor (Linux); what it waited for the interpreter is in it. `busy` is the
    processor time of the thread, which other work on the machine does not change.
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
        """For a row of a report."""
        return {"longest stall": self.longest, "busy in it": self.longest_busy}


def wait(ready: Callable[[], bool], seconds: float = WAIT_SECONDS) -> None:
    """Run the event loop until something is so. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError("the window did not get ready")
        rest(POLL_MS)


def rest(milliseconds: int) -> None:
    """Run the event loop for a while."""
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
    """How long this thread has waited for a processor since it began; 0 where the system does not tell."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e6
    except OSError:
        return 0.0
