"""How many calls work at once, how many wait, and that no caller takes every place."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator

from app import caps
from app.errors import BusyError


class CallGate:
    """Lets `running` calls work at once and `waiting` more wait, of one caller no more than its share of both.

    Callers take turns: whoever has waited longest since its last turn comes next. Belongs to one event loop.
    """

    def __init__(
        self,
        running: int = caps.MAX_CONCURRENT_CALLS,
        waiting: int = caps.MAX_QUEUED_CALLS,
        *,
        share: int = caps.MAX_CONCURRENT_CALLS_PER_CALLER,
        waiting_share: int = caps.MAX_QUEUED_CALLS_PER_CALLER,
    ) -> None:
        self._free = running
        self._places = waiting
        self._share = share
        self._waiting_share = waiting_share
        self._running: Counter[str] = Counter()
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @contextlib.asynccontextmanager
    async def slot(self, caller: str = "") -> AsyncIterator[None]:
        """Wait for a turn. Raises BusyError when too many wait already."""
        turn = self._enter(caller)
        try:
            await turn
            yield
        finally:
            self._leave(caller, turn)

    def _enter(self, caller: str) -> asyncio.Future[None]:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(caller, deque()).append(turn)
        self._grant()
        if not turn.done():
            own, all_waiting = len(self._queues[caller]), sum(map(len, self._queues.values()))
            if own > self._waiting_share or all_waiting > self._places:
                self._forget(caller, turn)
                raise _too_many(own - 1 if own > self._waiting_share else all_waiting - 1)
        return turn

    def _leave(self, caller: str, turn: asyncio.Future[None]) -> None:
        """Give the place back, or wait for none any more."""
        if turn in self._queues.get(caller, ()):
            self._forget(caller, turn)
            return
        self._free += 1
        self._running[caller] -= 1
        self._running += Counter()
        self._grant()

    def _grant(self) -> None:
        while self._free:
            caller = next((name for name in self._queues if self._running[name] < self._share), None)
            if caller is None:
                return
            turn = self._queues[caller].popleft()
            if self._queues[caller]:
                self._queues.move_to_end(caller)
            else:
                del self._queues[caller]
            self._free -= 1
            self._running[caller] += 1
            # One that is cancelled at this moment leaves by itself and gives the place back.
            if not turn.done():
                turn.set_result(None)

    def _forget(self, caller: str, turn: asyncio.Future[None]) -> None:
        self._queues[caller].remove(turn)
        if not self._queues[caller]:
            del self._queues[caller]


def _too_many(waiting: int) -> BusyError:
    return BusyError(
        f"{waiting} calls are waiting already.",
        retry_after=caps.BUSY_RETRY_SECONDS,
        hint=f"Wait {caps.BUSY_RETRY_SECONDS:.0f} s and call again.",
    )
