"""How often a search provider is asked: its pace, and the silence that it asks for."""

from __future__ import annotations

import asyncio
import time

from app import caps
from app.errors import SearchLimitError
from app.web.problems import seconds_text


class SearchPace:
    """A token bucket: `per_second` requests in the long run, `burst` at once."""

    def __init__(self, title: str, per_second: float, burst: int) -> None:
        self._title = title
        self._per_second = per_second
        self._burst = burst
        self._tokens = float(burst)
        self._counted_at = time.monotonic()
        self._quiet_until = 0.0

    async def turn(self) -> None:
        """Wait for the next request's turn. Raises SearchLimitError while the provider wants silence."""
        self._check_quiet()
        now = time.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._counted_at) * self._per_second) - 1
        self._counted_at = now
        if self._tokens < 0:
            try:
                await asyncio.sleep(-self._tokens / self._per_second)
                self._check_quiet()
            except BaseException:
                self._tokens += 1
                raise

    def hold(self, seconds: float) -> None:
        """Ask nothing for so long; the provider said so."""
        self._quiet_until = max(self._quiet_until, time.monotonic() + min(seconds, caps.MAX_QUIET_SECONDS))

    def _check_quiet(self) -> None:
        left = self._quiet_until - time.monotonic()
        if left > 0:
            wait = seconds_text(left)
            message = f"{self._title} asked for no more searches for another {wait}."
            raise SearchLimitError(message, retry_after=left, hint=f"Call again after {wait}.")
