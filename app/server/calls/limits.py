"""Limits: rate of calls, size of results, duration of calls, and number of running calls."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from typing import Final

from app import caps
from app.client_limits import limits_of
from app.errors import BusyError, WebRAGError
from app.server.render.text import Budget
from app.server.sessions import Caller
from app.settings import Settings
from app.text.sentence import sentence

log = logging.getLogger(__name__)

BUSY_RETRY_SECONDS: Final = 5.0
"""Least number of seconds after which a caller should retry when the queue is full."""
MAX_BUSY_RETRY_SECONDS: Final = 60.0
NEW_SHARE: Final = 0.1
"""Weight of the latest call in the average duration."""
MAX_CALLERS_REMEMBERED: Final = 256
"""Callers whose rate is counted; the one that was idle longest is dropped first."""
CLIENT_MARGIN_SECONDS: Final = 15.0
"""A call ends this long before its client would give up on it."""
MIN_SOFT_DEADLINE_SECONDS: Final = 5.0

RATE_LIMITED: Final = -32000

RATE_MESSAGE: Final = "Rate limit exceeded"
"""The protocol error for a call over the limit; its data have `retryAfter` in seconds."""


def effective_budget(settings: Settings, client: str) -> Budget:
    """Return the smaller of the setting and the client's limit."""
    limits = limits_of(client)
    budget = Budget(
        tokens=min(settings.mcp_response_token_budget, limits.result_tokens),
        characters=min(limits.result_chars, caps.MAX_RESPONSE_CHARS),
        bytes=min(limits.result_bytes, caps.MAX_RESPONSE_BYTES),
    )
    log.debug("budget for %s: %d tokens, %d characters", client or "unknown", budget.tokens, budget.characters)
    return budget


def data_budget(budget: Budget) -> Budget:
    """Return the budget of a result that is sent in two forms: bytes limit the characters of both."""
    return Budget(budget.tokens, budget.characters, min(budget.bytes, budget.characters))


def soft_deadline(settings: Settings, client: str) -> float:
    """Return the seconds after which a call returns what it has: the setting, or less if the client gives up earlier."""
    patience = max(MIN_SOFT_DEADLINE_SECONDS, limits_of(client).call_seconds - CLIENT_MARGIN_SECONDS)
    return min(settings.mcp_soft_deadline, patience)


def rate_key(caller: Caller) -> str:
    """Return the key that calls are counted by: one connection of one program, or one user."""
    return caller.subject or f"{caller.name} {caller.key}"


@contextlib.asynccontextmanager
async def time_limit(seconds: float | None, late: WebRAGError) -> AsyncIterator[None]:
    """End the context after this time, if it is not None, and raise `late`."""
    scope = asyncio.timeout(seconds)
    try:
        async with scope:
            yield
    except TimeoutError as error:
        if not scope.expired():
            raise
        raise late from error


class RateLimiter:
    """A token bucket per caller: `requests` in `window` seconds on average, and at most that many at a time."""

    def __init__(self, requests: int, window: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._requests = requests
        self._window = window
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def retry_after(self, key: str) -> float:
        """Take one call from the caller's bucket; return 0 if it may run, otherwise the seconds to wait."""
        now = self._clock()
        level, since = self._buckets.pop(key, (float(self._requests), now))
        rate = self._requests / self._window
        level = min(float(self._requests), level + (now - since) * rate)
        wait = 0.0 if level >= 1 else (1 - level) / rate
        self._buckets[key] = (level - 1 if wait == 0 else level, now)
        while len(self._buckets) > MAX_CALLERS_REMEMBERED:
            self._buckets.popitem(last=False)
        return wait

    def check(self, key: str) -> None:
        """Take one call from the caller's bucket. Raises BusyError over the limit."""
        wait = self.retry_after(key)
        if wait > 0:
            seconds = math.ceil(wait)
            raise BusyError(
                sentence("The limit is {} calls in {} s.", self._requests, f"{self._window:g}"),
                retry_after=wait,
                hint=sentence("Wait {} s and call again.", seconds),
            )


class CallGate:
    """Runs up to `running` calls at a time and queues up to `waiting` more. One caller gets only its share of both.

    The caller whose last slot is longest ago is next. Belongs to one event loop.
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
        self._all = running
        self._call_seconds = 0.0
        self._running: Counter[str] = Counter()
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @contextlib.asynccontextmanager
    async def slot(self, caller: str = "") -> AsyncIterator[None]:
        """Wait for a slot. Raises BusyError if too many calls are waiting."""
        turn = self._enter(caller)
        began = None
        try:
            await turn
            began = time.monotonic()
            yield
        finally:
            if began is not None:
                self._call_seconds += NEW_SHARE * (time.monotonic() - began - self._call_seconds)
            self._leave(caller, turn)

    def _enter(self, caller: str) -> asyncio.Future[None]:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(caller, deque()).append(turn)
        self._grant()
        if not turn.done():
            own, all_waiting = len(self._queues[caller]), sum(map(len, self._queues.values()))
            if own > self._waiting_share or all_waiting > self._places:
                self._forget(caller, turn)
                waiting, at_once = (own - 1, self._share) if own > self._waiting_share else (all_waiting - 1, self._all)
                raise _too_many(waiting, self._call_seconds * waiting / min(at_once, self._all))
        return turn

    def _leave(self, caller: str, turn: asyncio.Future[None]) -> None:
        """Release the slot, or leave the queue."""
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
            # A call that is canceled at this moment leaves on its own and releases the slot.
            if not turn.done():
                turn.set_result(None)

    def _forget(self, caller: str, turn: asyncio.Future[None]) -> None:
        self._queues[caller].remove(turn)
        if not self._queues[caller]:
            del self._queues[caller]


def _too_many(waiting: int, seconds: float) -> BusyError:
    """Return the refusal; `seconds` is how long the waiting calls will take."""
    wait = math.ceil(min(max(seconds, BUSY_RETRY_SECONDS), MAX_BUSY_RETRY_SECONDS))
    return BusyError(
        sentence("{} calls are already waiting.", waiting),
        retry_after=wait,
        hint=sentence("Wait {} s and call again.", wait),
    )
