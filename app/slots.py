"""A common limit for all use of the network, from the event loop and from threads."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Final

NO_LIMIT: Final = 1_000_000


@dataclass(slots=True)
class TokenBucket:
    """Limits a rate. A negative balance is the queue."""

    tokens: float
    counted_at: float = field(default_factory=time.monotonic)

    async def take(self, per_second: float, burst: int) -> None:
        """Take a token now and sleep until it is due: `per_second` on average, `burst` at the same time."""
        now = time.monotonic()
        self.tokens = min(burst, self.tokens + (now - self.counted_at) * per_second) - 1
        self.counted_at = now
        if self.tokens < 0:
            try:
                await asyncio.sleep(-self.tokens / per_second)
            except asyncio.CancelledError:
                self.tokens += 1
                raise


@dataclass(slots=True, eq=False)
class _Waiter:
    key: str
    limit: int
    granted: Future[None] = field(default_factory=Future)
    has_slot: bool = False


class NetworkSlots:
    """A limit for simultaneous operations, in total and per key (a host).

    Urgent operations overtake all waiting ones; operations of the same kind run in order. Running operations keep their slots. A waiter
    whose key has no free slot does not block others.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._held: Counter[str] = Counter()
        self._urgent: list[_Waiter] = []
        self._patient: list[_Waiter] = []
        self._lock = threading.Lock()

    @asynccontextmanager
    async def hold(self, *, urgent: bool, key: str = "", limit: int = NO_LIMIT) -> AsyncIterator[None]:
        """Wait for a slot and hold it. `limit` is the number of slots for this key."""
        waiter = self._enter(urgent, key, limit)
        try:
            if not waiter.granted.done():
                await asyncio.wrap_future(waiter.granted)
            yield
        finally:
            self._leave(waiter)

    @contextmanager
    def hold_blocking(self, *, urgent: bool, key: str = "", limit: int = NO_LIMIT) -> Iterator[None]:
        """Do the same on any thread except the thread of the event loop."""
        waiter = self._enter(urgent, key, limit)
        try:
            waiter.granted.result()
            yield
        finally:
            self._leave(waiter)

    def _enter(self, urgent: bool, key: str, limit: int) -> _Waiter:
        waiter = _Waiter(key, limit)
        with self._lock:
            (self._urgent if urgent else self._patient).append(waiter)
            self._grant()
        return waiter

    def _leave(self, waiter: _Waiter) -> None:
        """Release the slot, or stop waiting for one."""
        with self._lock:
            if not waiter.has_slot:
                (self._urgent if waiter in self._urgent else self._patient).remove(waiter)
                return
            self._free += 1
            self._held[waiter.key] -= 1
            self._held += Counter()
            self._grant()

    def _grant(self) -> None:
        for queue in (self._urgent, self._patient):
            for waiter in list(queue):
                if not self._free:
                    return
                if self._held[waiter.key] < waiter.limit:
                    queue.remove(waiter)
                    self._free -= 1
                    self._held[waiter.key] += 1
                    waiter.has_slot = True
                    # A waiter that gave up at this moment notices that it has the slot and releases it.
                    if waiter.granted.set_running_or_notify_cancel():
                        waiter.granted.set_result(None)
