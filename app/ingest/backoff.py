"""When something that failed is tried again: later after every failure."""

from __future__ import annotations

import time


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
