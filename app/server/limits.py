"""How much at once, how often, how large: call gates, rate limit, the size of a result by kind of client."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import re
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Final

from app import caps
from app.errors import BusyError
from app.server.render.budget import Budget
from app.settings import Settings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """What a kind of client takes of one result; `pattern` is searched in its name."""

    pattern: re.Pattern[str]
    tokens: int
    characters: int


CLIENT_LIMITS: Final = (
    ClientLimits(re.compile(r"claude.?code", re.IGNORECASE), caps.CLAUDE_CODE_TOKENS, caps.MAX_RESPONSE_CHARS),
    ClientLimits(re.compile(""), caps.UNKNOWN_CLIENT_TOKENS, caps.MAX_RESPONSE_CHARS),
)
"""The first match counts; the last one matches every client."""


def effective_budget(settings: Settings, client: str) -> Budget:
    """The smaller of the setting and what the client takes."""
    limits = next(limits for limits in CLIENT_LIMITS if limits.pattern.search(client))
    budget = Budget(
        tokens=min(settings.mcp_response_token_budget, limits.tokens),
        characters=min(limits.characters, caps.MAX_RESPONSE_CHARS),
        bytes=caps.MAX_RESPONSE_BYTES,
    )
    log.debug("budget for %s: %d tokens, %d characters", client or "unknown", budget.tokens, budget.characters)
    return budget


class CallGate:
    """Lets `running` calls work at once and `waiting` more wait for their turn."""

    def __init__(self, running: int = caps.MAX_CONCURRENT_CALLS, waiting: int = caps.MAX_QUEUED_CALLS) -> None:
        self._slots = asyncio.Semaphore(running)
        self._places = waiting
        self._waiting = 0

    @contextlib.asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a turn. Raises BusyError when too many wait already."""
        if self._slots.locked():
            if self._waiting >= self._places:
                raise BusyError(
                    f"{self._waiting} calls are waiting already.",
                    retry_after=caps.BUSY_RETRY_SECONDS,
                    hint=f"Wait {caps.BUSY_RETRY_SECONDS:.0f} s and call again.",
                )
            self._waiting += 1
            try:
                await self._slots.acquire()
            finally:
                self._waiting -= 1
        else:
            await self._slots.acquire()
        try:
            yield
        finally:
            self._slots.release()


class RateLimiter:
    """A token bucket a caller: `requests` in `window` seconds on average, at most that many at once."""

    def __init__(self, requests: int, window: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._requests = requests
        self._window = window
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def retry_after(self, key: str) -> float:
        """Take one call from the caller's bucket: 0 if it may go ahead, else the seconds until it may."""
        now = self._clock()
        level, since = self._buckets.pop(key, (float(self._requests), now))
        rate = self._requests / self._window
        level = min(float(self._requests), level + (now - since) * rate)
        wait = 0.0 if level >= 1 else (1 - level) / rate
        self._buckets[key] = (level - 1 if wait == 0 else level, now)
        while len(self._buckets) > caps.MAX_CALLERS_REMEMBERED:
            self._buckets.popitem(last=False)
        return wait

    def check(self, key: str) -> None:
        """Take one call from the caller's bucket. Raises BusyError over the limit."""
        wait = self.retry_after(key)
        if wait > 0:
            seconds = math.ceil(wait)
            raise BusyError(
                f"{self._requests} calls in {self._window:g} s are allowed; the next in {seconds} s.",
                retry_after=wait,
                hint=f"Wait {seconds} s and call again.",
            )
