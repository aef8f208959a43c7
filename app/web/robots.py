"""robots.txt: read once a day per origin, obeyed by automatic fetching (RFC 9309)."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Any

from protego import Protego

from app import caps
from app.errors import (
    AddressDeniedError,
    ContentProtectedError,
    FetchError,
    HTTPStatusError,
    InvalidURLError,
    RobotsDeniedError,
)
from app.web.occasion import Occasion
from app.web.urls import join_url, origin_of

log = logging.getLogger(__name__)


class RobotsPolicy(StrEnum):
    """When robots.txt is asked: never, for automatic fetching, or for pages the user names as well."""

    IGNORE = "ignore"
    AUTO_ONLY = "auto_only"
    ALWAYS = "always"

    def applies(self, occasion: Occasion) -> bool:
        return self is RobotsPolicy.ALWAYS or (self is RobotsPolicy.AUTO_ONLY and occasion.is_unasked)


@dataclass(slots=True)
class _Rules:
    """What is known of one origin; `problem` says why its file could not be read."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    valid_until: float = 0.0
    parsed: Any = None
    problem: str = ""

    def require(self, url: str) -> None:
        """Raise RobotsDeniedError when the file could not be read."""
        if self.problem:
            raise RobotsDeniedError(f"The site's robots.txt could not be read: {self.problem}", url=url)


class Robots:
    """The rules of the origins met so far.

    `read` gives the body of a robots.txt or raises FetchError; its second argument is why the site is read.
    """

    def __init__(self, read: Callable[[str, Occasion], Awaitable[bytes]], user_agent: str) -> None:
        self._read = read
        self._agent = user_agent.partition("/")[0]
        self._origins: dict[str, _Rules] = {}

    async def check(self, url: str, occasion: Occasion) -> float | None:
        """The site's Crawl-delay in seconds, if any; raises RobotsDeniedError when the URL is closed.

        A missing file opens everything; an unreachable one closes the site to automatic fetching for some
        minutes. Raises AddressDeniedError as fetching the page itself would.
        """
        rules = await self._rules(origin_of(url), occasion)
        if occasion.is_unasked:
            rules.require(url)
        if rules.parsed is None:
            return None
        if not rules.parsed.can_fetch(url, self._agent):
            raise RobotsDeniedError("The site's robots.txt asks programs not to read this address.", url=url)
        return self._delay(rules)

    async def crawl_delay(self, url: str) -> float | None:
        """The Crawl-delay of the site in seconds, if it names one that could be read."""
        rules = await self._rules(origin_of(url))
        return None if rules.parsed is None else self._delay(rules)

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """The site maps that the site names. Raises RobotsDeniedError when its robots.txt could not be read."""
        origin = origin_of(url)
        rules = await self._rules(origin)
        rules.require(url)
        named = islice(rules.parsed.sitemaps, caps.MAX_SITEMAPS) if rules.parsed is not None else ()
        return tuple(dict.fromkeys(_addresses(f"{origin}/robots.txt", named)))

    def _delay(self, rules: _Rules) -> float | None:
        delay = rules.parsed.crawl_delay(self._agent)
        return float(delay) if delay else None

    async def _rules(self, origin: str, occasion: Occasion = Occasion.AUTOMATIC) -> _Rules:
        if origin not in self._origins and len(self._origins) >= caps.MAX_HOSTS_REMEMBERED:
            del self._origins[next(iter(self._origins))]
        rules = self._origins.setdefault(origin, _Rules())
        async with rules.lock:
            if time.monotonic() >= rules.valid_until:
                await self._refresh(rules, origin, occasion)
        return rules

    async def _refresh(self, rules: _Rules, origin: str, occasion: Occasion) -> None:
        rules.parsed, rules.problem, keep = None, "", float(caps.ROBOTS_SECONDS)
        try:
            body = await self._read(f"{origin}/robots.txt", occasion)
            rules.parsed = await asyncio.to_thread(Protego.parse, body.decode("utf-8-sig", "replace"))
        except AddressDeniedError:
            raise
        except FetchError as error:
            if not _missing(error):
                rules.problem, keep = error.message, caps.ROBOTS_RETRY_SECONDS
        rules.valid_until = time.monotonic() + keep


def _missing(error: FetchError) -> bool:
    """A 4xx answer means there are no rules (RFC 9309, section 2.3.1.3); only 429 says nothing about them."""
    refused = isinstance(error, ContentProtectedError)
    return refused or (isinstance(error, HTTPStatusError) and 400 <= error.status < 500 and error.status != 429)


def _addresses(base: str, named: Iterable[str]) -> Iterator[str]:
    for reference in named:
        try:
            yield join_url(base, reference)
        except InvalidURLError as error:
            log.info("a site map in robots.txt is left out: %s", error)
