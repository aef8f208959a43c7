"""How long something took or takes."""

from __future__ import annotations

import time
from collections import deque
from typing import Final

RATE_SECONDS: Final = 60.0
"""The time over which a rate is measured for an estimate."""
RATE_ITEMS: Final = 3
"""No estimate of the time left before this many items were finished."""


def ms_since(started: float) -> float:
    """Milliseconds since a moment of `time.perf_counter`."""
    return 1000 * (time.perf_counter() - started)


def time_span(seconds: float) -> str:
    """`20 s`, `3 min`, `2 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5_400 else f"{round(seconds / 3_600)} h"


class Rate:
    """Items a second over the last minute: the one estimate of how long work in the background takes.

    Times are of a clock that only goes forward.
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()
        self._waiting = 0

    def note(self, done: int, waiting: int, now: float) -> None:
        """How the work stands now. After a long silence, or when done items wait again, measuring begins anew."""
        if self._samples and (now - self._samples[-1][0] > RATE_SECONDS or done < self._samples[-1][1]):
            self._samples.clear()
        self._samples.append((now, done))
        self._waiting = waiting
        while len(self._samples) > 2 and now - self._samples[1][0] > RATE_SECONDS:
            self._samples.popleft()

    def forget(self) -> None:
        """Begin to measure anew: what was seen says nothing about what comes."""
        self._samples.clear()

    def seconds_left(self, now: float) -> float | None:
        """The time that the waiting items will take; None while too little was seen of late."""
        if not self._samples or now - self._samples[-1][0] > RATE_SECONDS:
            return None
        elapsed, finished = now - self._samples[0][0], self._samples[-1][1] - self._samples[0][1]
        if elapsed < 1 or finished < RATE_ITEMS:
            return None
        return self._waiting * elapsed / finished


class Backoff:
    """The wait after a failure: `first` seconds, doubled each time up to `most`; none after a success."""

    def __init__(self, first: float, most: float) -> None:
        self._first = first
        self._most = most
        self._delay = 0.0
        self._until = 0.0

    @property
    def seconds_left(self) -> float:
        """How long still to wait; 0 when it may be tried."""
        return max(0.0, self._until - time.monotonic())

    def failed(self) -> None:
        """Note a failure. One before the wait is over, of an attempt that could not wait, changes nothing."""
        if self.seconds_left:
            return
        self._delay = min(self._most, self._delay * 2 or self._first)
        self._until = time.monotonic() + self._delay

    def succeeded(self) -> None:
        """Forget the failures."""
        self._delay = self._until = 0.0
