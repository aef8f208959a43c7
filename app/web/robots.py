"""robots.txt: read once a day per origin, obeyed by automatic fetching (RFC 9309)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from protego import Protego

from app import caps
from app.errors import (
    AddressDeniedError,
    ContentProtectedError,
    FetchError,
    HTTPStatusError,
    RobotsDeniedError,
)
from app.web.urls import origin_of


class RobotsPolicy(StrEnum):
    """When robots.txt is asked: never, for automatic fetching, or for pages the user names as well."""

    IGNORE = "ignore"
    AUTO_ONLY = "auto_only"
    ALWAYS = "always"

    def applies(self, *, automatic: bool) -> bool:
        return self is RobotsPolicy.ALWAYS or (self is RobotsPolicy.AUTO_ONLY and automatic)


@dataclass(slots=True)
class _Rules:
    """What is known of one origin; `problem` says why its file could not be read."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    valid_until: float = 0.0
    parsed: Any = None
    problem: str = ""


class Robots:
    """The rules of the origins met so far. `read` gives the body of a robots.txt or raises FetchError."""

    def __init__(self, read: Callable[[str], Awaitable[bytes]], user_agent: str) -> None:
        self._read = read
        self._agent = user_agent.partition("/")[0]
        self._origins: dict[str, _Rules] = {}

    async def check(self, url: str, *, automatic: bool) -> float | None:
        """The site's Crawl-delay in seconds, if any; raises RobotsDeniedError when the URL is closed.

        A missing file opens everything; an unreachable one closes the site to automatic fetching for some
        minutes. Raises AddressDeniedError as fetching the page itself would.
        """
        rules = await self._rules(origin_of(url))
        if rules.problem and automatic:
            raise RobotsDeniedError(f"The site's robots.txt could not be read: {rules.problem}", url=url)
        if rules.parsed is None:
            return None
        if not rules.parsed.can_fetch(url, self._agent):
            raise RobotsDeniedError("The site's robots.txt asks programs not to read this address.", url=url)
        delay = rules.parsed.crawl_delay(self._agent)
        return float(delay) if delay else None

    async def _rules(self, origin: str) -> _Rules:
        if origin not in self._origins and len(self._origins) >= caps.MAX_HOSTS_REMEMBERED:
            del self._origins[next(iter(self._origins))]
        rules = self._origins.setdefault(origin, _Rules())
        async with rules.lock:
            if time.monotonic() >= rules.valid_until:
                await self._refresh(rules, origin)
        return rules

    async def _refresh(self, rules: _Rules, origin: str) -> None:
        rules.parsed, rules.problem, keep = None, "", float(caps.ROBOTS_SECONDS)
        try:
            body = await self._read(f"{origin}/robots.txt")
            rules.parsed = await asyncio.to_thread(Protego.parse, body.decode("utf-8-sig", "replace"))
        except AddressDeniedError:
            raise
        except FetchError as error:
            if not _missing(error):
                rules.problem, keep = error.message, caps.ROBOTS_RETRY_SECONDS
        rules.valid_until = time.monotonic() + keep


def _missing(error: FetchError) -> bool:
    """A 4xx answer means there are no rules, whatever the reason (RFC 9309, section 2.3.1.3)."""
    refused = isinstance(error, ContentProtectedError)
    return refused or (isinstance(error, HTTPStatusError) and 400 <= error.status < 500)
