"""How often a caller may call, how large a result may be and how long a call may take, by kind of client."""

from __future__ import annotations

import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from app import caps
from app.client_limits import limits_of
from app.errors import BusyError
from app.server.render.budget import Budget
from app.settings import Settings

log = logging.getLogger(__name__)

RATE_LIMITED: Final = -32000
RATE_MESSAGE: Final = "Rate limit exceeded"
"""The error of the protocol for a call over the limit; its data have `retryAfter` in seconds."""


def effective_budget(settings: Settings, client: str) -> Budget:
    """The smaller of the setting and what the client takes."""
    limits = limits_of(client)
    budget = Budget(
        tokens=min(settings.mcp_response_token_budget, limits.result_tokens),
        characters=min(limits.result_chars, caps.MAX_RESPONSE_CHARS),
        bytes=caps.MAX_RESPONSE_BYTES,
    )
    log.debug("budget for %s: %d tokens, %d characters", client or "unknown", budget.tokens, budget.characters)
    return budget


def data_budget(budget: Budget) -> Budget:
    """The budget of a result that travels in two forms: bytes bound the characters of both."""
    return Budget(budget.tokens, budget.characters, min(budget.bytes, budget.characters))


def soft_deadline(settings: Settings, client: str) -> float:
    """Seconds after which a call of this client ends with what it has: the setting, or earlier if the client waits no longer."""
    patience = max(caps.MIN_SOFT_DEADLINE_SECONDS, limits_of(client).call_seconds - caps.CLIENT_MARGIN_SECONDS)
    return min(settings.mcp_soft_deadline, patience)


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
