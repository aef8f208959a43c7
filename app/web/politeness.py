"""Observe the rules of sites: robots.txt (RFC 9309) and rate limits.

robots.txt is read once a day per origin and applies to automatic fetching. Rates are limited by a total, by a few simultaneous requests
per host, and by a token bucket for background fetching.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import Any, Final

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
from app.slots import NetworkSlots, TokenBucket
from app.text.sentence import sentence
from app.web.exchange import seconds_text
from app.web.records import Occasion
from app.web.urls import join_url, origin_of

log = logging.getLogger(__name__)

MAX_PAUSE_SECONDS: Final = 5.0
"""The longest Retry-After to wait for; a longer one fails with the seconds in the message."""

MAX_PER_HOST: Final = 2
ROBOTS_SECONDS: Final = 24 * 3600
ROBOTS_RETRY_SECONDS: Final = 300  # The time until an unreachable robots.txt is requested again.
NO_ANSWER_SECONDS: Final = 10  # The same after no answer at all: the network of this computer may have failed.
HOST_BURST: Final = 10
MAX_HOSTS_REMEMBERED: Final = 1_000
MAX_WILDCARD_RULES: Final = 2_000  # Comparing an address with each of 30,000 takes a second.
FEW_WILDCARD_RULES: Final = 100  # More are compared on another thread.
_VERSION: Final = re.compile(r"^([ \t]*+user-agent[ \t]*+:[ \t]*+[^\s/#]++)/[^\s#]++", re.IGNORECASE | re.MULTILINE)
_AGENT: Final = re.compile(r"user[- ]?agent(?:\s*+:|\s|$)\s*+(.*)", re.IGNORECASE)
_OF_SITE: Final = re.compile(r"(?:site-?maps?|host)(?:\s*+:|\s)", re.IGNORECASE)
_RULE: Final = re.compile(
    r"[^:]*+:|(?:dis{1,2}al{1,2}ow|diasllow|disallaw|allow|crawl[- ]delay|request[- ]rate|visit[- ]time)(?:\s|$)",
    re.IGNORECASE,
)


class RobotsPolicy(StrEnum):
    """When to check robots.txt: never, for automatic fetching, or also for pages that the user requested."""

    IGNORE = "ignore"
    AUTO_ONLY = "auto_only"
    ALWAYS = "always"

    def applies(self, occasion: Occasion) -> bool:
        return self is RobotsPolicy.ALWAYS or (self is RobotsPolicy.AUTO_ONLY and occasion.is_unasked)


_HINT_FOR_NAMED: Final = (
    "To read pages that you add yourself, apply robots.txt to automatic reading only (Settings > Crawling)."
)


@dataclass(slots=True)
class _Rules:
    """The rules of one origin; `problem` is the reason why its file could not be read."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    valid_until: float = 0.0
    parsed: Any = None
    problem: str = ""
    is_long: bool = False

    def require(self, url: str) -> None:
        """Raise RobotsDeniedError if the file could not be read."""
        if self.problem:
            raise RobotsDeniedError(sentence("The site's robots.txt could not be read: {}", self.problem), url=url)


class Robots:
    """The rules of all visited origins.

    `read` returns the body of a robots.txt or raises FetchError; its second argument is the occasion of the fetch.
    """

    def __init__(self, read: Callable[[str, Occasion], Awaitable[bytes]], user_agent: str) -> None:
        self._read = read
        self._agent = user_agent.partition("/")[0]
        self._origins: dict[str, _Rules] = {}

    async def check(self, url: str, occasion: Occasion) -> float | None:
        """Return the site's crawl delay in seconds, if any. Raises RobotsDeniedError if the URL is disallowed.

        A missing file allows everything; an unreachable one stops automatic fetching for some minutes. Also raises AddressDeniedError.
        """
        rules = await self._rules(origin_of(url), occasion)
        if occasion.is_unasked:
            rules.require(url)
        if rules.parsed is None:
            return None
        is_allowed = partial(rules.parsed.can_fetch, url, self._agent)
        if not (await asyncio.to_thread(is_allowed) if rules.is_long else is_allowed()):
            message = sentence("The site's robots.txt does not allow programs to read this page.")
            raise RobotsDeniedError(message, url=url, hint=None if occasion.is_unasked else _HINT_FOR_NAMED)
        return self._delay(rules)

    async def crawl_delay(self, url: str) -> float | None:
        """Return the site's crawl delay in seconds, if its rules are readable and set one."""
        rules = await self._rules(origin_of(url))
        return None if rules.parsed is None else self._delay(rules)

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """Return the sitemaps of the site. Raises RobotsDeniedError if its robots.txt could not be read."""
        origin = origin_of(url)
        rules = await self._rules(origin)
        rules.require(url)
        named = islice(rules.parsed.sitemaps, caps.MAX_SITEMAPS) if rules.parsed is not None else ()
        found: dict[str, None] = {}
        for reference in named:
            try:
                found[join_url(f"{origin}/robots.txt", reference)] = None
            except InvalidURLError as error:
                log.info("skipped an invalid sitemap in robots.txt: %s", error)
        return tuple(found)

    def _delay(self, rules: _Rules) -> float | None:
        delay = rules.parsed.crawl_delay(self._agent)
        return float(delay) if delay else None

    async def _rules(self, origin: str, occasion: Occasion = Occasion.AUTOMATIC) -> _Rules:
        if origin not in self._origins and len(self._origins) >= MAX_HOSTS_REMEMBERED:
            del self._origins[next(iter(self._origins))]
        rules = self._origins.setdefault(origin, _Rules())
        async with rules.lock:
            if time.monotonic() < rules.valid_until:
                return rules
            rules.parsed, rules.problem, keep = None, "", float(ROBOTS_SECONDS)
            try:
                body = await self._read(f"{origin}/robots.txt", occasion)
                rules.parsed, rules.is_long = await asyncio.to_thread(_parse, body, self._agent)
            except AddressDeniedError:
                raise
            except FetchError as error:
                # A 4xx status means that there are no rules (RFC 9309, section 2.3.1.3), except 429.
                is_missing = isinstance(error, HTTPStatusError) and 400 <= error.status < 500 and error.status != 429
                if not is_missing and not isinstance(error, ContentProtectedError):
                    rules.problem = error.message
                    keep = ROBOTS_RETRY_SECONDS if isinstance(error, HTTPStatusError) else NO_ANSWER_SECONDS
            rules.valid_until = time.monotonic() + keep
        return rules


def _parse(body: bytes, agent: str) -> tuple[Any, bool]:
    """Parse a robots.txt in UTF-8 or UTF-16; return its rules, and whether many for `agent` have wildcards.

    The versions of agents do not matter (RFC 9309, section 2.2.1).
    """
    text = body.replace(b"\0", b"").lstrip(b"\xff\xfe").decode("utf-8-sig", "replace")
    lines, wild = lines_for(agent.lower(), _VERSION.sub(r"\1", text).splitlines())
    return Protego.parse("\n".join(lines)), wild > FEW_WILDCARD_RULES


def lines_for(agent: str, lines: Iterable[str]) -> tuple[list[str], int]:
    """Return the lines that concern an agent or the site, up to the limit of rules with wildcards, and the number of these.

    The parser copies each rule for each agent of its group: thousands of both would fill the memory.
    """
    starts = [at for at in range(len(agent)) if not at or not (agent[at - 1].isalnum() or agent[at - 1] in "-_")]
    kept, wild = list[str](), Counter[str]()
    names, is_head = set[str](), False
    for line in (each.partition("#")[0].strip() for each in lines):
        if named := _AGENT.match(line):
            if not is_head:
                names, is_head = set(), True
                kept.append("allow:")  # Ends the group above, whose last lines may be omitted.
            bare = named[1].lower().replace("*", "")
            if named[1] == "*" or (bare and any(agent.startswith(bare, at) for at in starts)):
                names.add(bare)
                kept.append(line)
        elif _OF_SITE.match(line):
            kept.append(line)
        elif _RULE.match(line):
            is_head = False
            is_wild = "*" in line or "$" in line
            wild.update(names if is_wild else ())
            if names and not (is_wild and max(wild[name] for name in names) > MAX_WILDCARD_RULES):
                kept.append(line)
    return kept, max(wild.values(), default=0)


@dataclass(frozen=True, slots=True)
class Pace:
    """A token bucket: average requests per second, and the largest burst."""

    per_second: float = caps.HOST_REQUESTS_PER_SECOND
    burst: int = HOST_BURST


DEFAULT_PACE: Final = Pace()


def pace_for(crawl_delay: float | None, *, own: bool) -> Pace | None:
    """Return the rate for background fetching. A crawl delay always applies; own machines have no other limit."""
    if crawl_delay:
        return Pace(1 / min(crawl_delay, caps.MAX_CRAWL_DELAY_SECONDS), 1)
    return None if own else DEFAULT_PACE


@dataclass(slots=True)
class _Host:
    bucket: TokenBucket = field(default_factory=lambda: TokenBucket(HOST_BURST))
    quiet_until: float = 0.0
    users: int = 0


class Politeness:
    """Grants slots to requests. Urgent ones come first and only wait for the limits on simultaneous requests."""

    def __init__(self, slots: NetworkSlots) -> None:
        self._slots = slots
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, host: str, url: str, *, urgent: bool, polite: bool, pace: Pace | None) -> AsyncIterator[None]:
        """Wait for the host's rate limit and, if `polite`, its Retry-After, then hold one of its slots.

        Raises HTTPStatusError if the Retry-After is too long to wait for.
        """
        state = self._state(host)
        state.users += 1
        try:
            if pace is not None:
                await state.bucket.take(pace.per_second, pace.burst)
            while True:
                quiet = state.quiet_until - time.monotonic() if polite else 0.0
                if quiet > MAX_PAUSE_SECONDS:
                    message = sentence("{} asked for a pause of another {}.", host, seconds_text(quiet))
                    raise HTTPStatusError(message, url=url, status=429, hint="Try again after that time.")
                if quiet > 0:
                    await asyncio.sleep(quiet)
                async with self._slots.hold(urgent=urgent, key=host, limit=MAX_PER_HOST):
                    if polite and state.quiet_until > time.monotonic():
                        continue
                    yield
                    return
        finally:
            state.users -= 1

    def hold(self, host: str, seconds: float) -> None:
        """Record a Retry-After: background fetching pauses for this host, within the limit."""
        state = self._state(host)
        seconds = min(seconds, caps.MAX_QUIET_SECONDS)
        state.quiet_until = max(state.quiet_until, time.monotonic() + seconds)

    def _state(self, host: str) -> _Host:
        if host not in self._hosts and len(self._hosts) >= MAX_HOSTS_REMEMBERED:
            idle = [name for name, state in self._hosts.items() if not state.users]
            for name in idle[: MAX_HOSTS_REMEMBERED // 2]:
                del self._hosts[name]
        return self._hosts.setdefault(host, _Host())
