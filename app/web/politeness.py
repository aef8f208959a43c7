"""How hard the web is used: a global cap, few requests at once per host, a pace for background fetching."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from app import caps
from app.errors import HTTPStatusError
from app.slots import NetworkSlots
from app.web.problems import seconds_text


@dataclass(frozen=True, slots=True)
class Pace:
    """A token bucket: requests per second in the long run, and how many may come at once."""

    per_second: float = caps.HOST_REQUESTS_PER_SECOND
    burst: int = caps.HOST_BURST


DEFAULT_PACE: Final = Pace()


def pace_for(crawl_delay: float | None, *, own: bool) -> Pace | None:
    """The pace of background fetching. A Crawl-delay counts everywhere; own machines have no other limit."""
    if crawl_delay:
        return Pace(1 / min(crawl_delay, caps.MAX_CRAWL_DELAY_SECONDS), 1)
    return None if own else DEFAULT_PACE


@dataclass(slots=True)
class _Host:
    tokens: float = float(caps.HOST_BURST)
    counted_at: float = field(default_factory=time.monotonic)
    quiet_until: float = 0.0
    users: int = 0


class Politeness:
    """Hands out turns. Urgent ones go first; only the caps on simultaneous requests hold them up."""

    def __init__(self, slots: NetworkSlots) -> None:
        self._slots = slots
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, host: str, url: str, *, urgent: bool, polite: bool, pace: Pace | None) -> AsyncIterator[None]:
        """Wait for the host's pace and, if `polite`, while it wants silence; then hold one of its slots.

        Raises HTTPStatusError when the site asked for a longer silence than is worth waiting for.
        """
        state = self._state(host)
        state.users += 1
        try:
            if pace is not None:
                await _keep_pace(state, pace)
            while True:
                if polite:
                    await _keep_quiet(state, host, url)
                async with self._slots.hold(urgent=urgent, key=host, limit=caps.MAX_PER_HOST):
                    if polite and state.quiet_until > time.monotonic():
                        continue
                    yield
                    return
        finally:
            state.users -= 1

    def hold(self, host: str, seconds: float) -> None:
        """Note a Retry-After: background fetching leaves the host alone that long, within the cap."""
        state = self._state(host)
        seconds = min(seconds, caps.MAX_QUIET_SECONDS)
        state.quiet_until = max(state.quiet_until, time.monotonic() + seconds)

    def _state(self, host: str) -> _Host:
        if host not in self._hosts and len(self._hosts) >= caps.MAX_HOSTS_REMEMBERED:
            idle = [name for name, state in self._hosts.items() if not state.users]
            for name in idle[: caps.MAX_HOSTS_REMEMBERED // 2]:
                del self._hosts[name]
        return self._hosts.setdefault(host, _Host())


async def _keep_quiet(state: _Host, host: str, url: str) -> None:
    seconds = state.quiet_until - time.monotonic()
    if seconds > caps.MAX_PAUSE_SECONDS:
        message = f"{host} asked to be left alone for another {seconds_text(seconds)}."
        raise HTTPStatusError(message, url=url, status=429, hint="Try again after that time.")
    if seconds > 0:
        await asyncio.sleep(seconds)


async def _keep_pace(state: _Host, pace: Pace) -> None:
    """Take a token now and sleep until it is due; tokens below zero are the queue."""
    now = time.monotonic()
    state.tokens = min(pace.burst, state.tokens + (now - state.counted_at) * pace.per_second) - 1
    state.counted_at = now
    if state.tokens < 0:
        try:
            await asyncio.sleep(-state.tokens / pace.per_second)
        except asyncio.CancelledError:
            state.tokens += 1
            raise
