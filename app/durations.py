"""Measure and estimate durations."""

from __future__ import annotations

import time
from collections import deque
from typing import Final

RATE_SECONDS: Final = 60.0  # Seconds over which a rate is measured for an estimate.
RATE_ITEMS: Final = 3  # Finished items before the first estimate of the remaining time.


def ms_since(started: float) -> float:
    """Return the milliseconds since a time from `time.perf_counter`."""
    return 1000 * (time.perf_counter() - started)


def time_span(seconds: float) -> str:
    """`20 s`, `3 min`, `2 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5_400 else f"{round(seconds / 3_600)} h"


class Rate:
    """Items per second over the last minute, for all estimates of background work.

    Times must come from a monotonic clock.
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()
        self._waiting = 0

    def note(self, done: int, waiting: int, now: float) -> None:
        """Update the progress. After a long pause, or when finished items wait again, the measurement restarts."""
        if self._samples and (now - self._samples[-1][0] > RATE_SECONDS or done < self._samples[-1][1]):
            self._samples.clear()
        self._samples.append((now, done))
        self._waiting = waiting
        while len(self._samples) > 2 and now - self._samples[1][0] > RATE_SECONDS:
            self._samples.popleft()

    def forget(self) -> None:
        """Restart the measurement, because earlier values no longer predict the rate."""
        self._samples.clear()

    def seconds_left(self, now: float) -> float | None:
        """Return the estimated time for the waiting items, or None without enough recent progress."""
        if not self._samples or now - self._samples[-1][0] > RATE_SECONDS:
            return None
        elapsed, finished = now - self._samples[0][0], self._samples[-1][1] - self._samples[0][1]
        if elapsed < 1 or finished < RATE_ITEMS:
            return None
        return self._waiting * elapsed / finished


class Backoff:
    """The delay after a failure: `first` seconds, doubled each time up to `most`, and reset by a success."""

    def __init__(self, first: float, most: float) -> None:
        self._first = first
        self._most = most
        self._delay = 0.0
        self._until = 0.0

    @property
    def seconds_left(self) -> float:
        """Return the remaining delay in seconds, 0 if another attempt is due."""
        return max(0.0, self._until - time.monotonic())

    def failed(self) -> None:
        """Record a failure. Ignored during the delay, because some attempts cannot wait for its end."""
        if self.seconds_left:
            return
        self._delay = min(self._most, self._delay * 2 or self._first)
        self._until = time.monotonic() + self._delay

    def succeeded(self) -> None:
        """Reset the delay."""
        self._delay = self._until = 0.0
