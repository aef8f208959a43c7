"""Fetching pages: redirects, retries, robots.txt and politeness around single exchanges."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

import httpx

from app import __version__, caps
from app.errors import FetchError, InvalidURLError, TooManyRedirectsError
from app.web.address import AddressPolicy
from app.web.body import PAGE_TYPES, BodyLimits
from app.web.exchange import Answer, Exchanger, TimeBudget
from app.web.politeness import Politeness, pace_for
from app.web.problems import status_error
from app.web.response import FetchResult, Validators
from app.web.robots import Robots, RobotsPolicy
from app.web.urls import DEFAULT_PORTS, host_of, join_url, normalise_url

USER_AGENT: Final = f"WebRAG-Desktop/{__version__} (+local user agent)"
RETRY_SECONDS: Final = (0.2, 0.8)
"""A server error is tried once more after a random time between these."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """`timeout_seconds` bounds one fetch with redirects and retry; `robots_policy` is a RobotsPolicy."""

    timeout_seconds: float = 20.0
    concurrency: int = 2
    robots_policy: str = RobotsPolicy.AUTO_ONLY
    user_agent: str = USER_AGENT
    content_types: frozenset[str] = PAGE_TYPES


@dataclass(slots=True)
class _Errand:
    """The state of one fetch on its way through redirects."""

    automatic: bool
    asks_robots: bool
    limits: BodyLimits
    budget: TimeBudget
    validators: Validators = field(default_factory=Validators)
    cookies: httpx.Cookies = field(default_factory=httpx.Cookies)
    seen: set[tuple[str, str]] = field(default_factory=set)

    def conditions(self, hops: int) -> dict[str, str]:
        """Conditional headers; only the ETag after a redirect, as a date says nothing of another address."""
        headers = {}
        if self.validators.etag:
            headers["If-None-Match"] = self.validators.etag
        if self.validators.last_modified and not hops:
            headers["If-Modified-Since"] = self.validators.last_modified
        return headers

    def runs_in_circle(self, url: str) -> bool:
        """Whether this URL was asked for before with the same cookies."""
        state = (url, repr(sorted((c.name, c.value) for c in self.cookies.jar)))
        known = state in self.seen
        self.seen.add(state)
        return known


class Fetcher:
    """Reads pages from the web; one for the whole program, used from one event loop.

    Failures are FetchErrors that carry their url. Nothing outlives a fetch but connections and robots.txt.
    """

    def __init__(self, options: FetchOptions, policy: AddressPolicy) -> None:
        self._options = options
        self._policy = policy
        self._exchanger = Exchanger(policy, user_agent=options.user_agent, connections=options.concurrency)
        self._politeness = Politeness(options.concurrency)
        self._robots_policy = RobotsPolicy(options.robots_policy)
        self._robots = Robots(self._read_robots, options.user_agent)

    async def fetch(self, url: str, *, validators: Validators | None = None, automatic: bool = False) -> FetchResult:
        """The page at an address, after redirects; with `validators` the result may be a 304 without body.

        `automatic` is for what no person or model named: it obeys robots.txt and the pace of the site.
        """
        started = time.monotonic()
        requested = normalise_url(url)
        errand = _Errand(
            automatic=automatic,
            asks_robots=self._robots_policy.applies(automatic=automatic),
            limits=BodyLimits(types=self._options.content_types),
            budget=TimeBudget(self._options.timeout_seconds),
            validators=validators or Validators(),
        )
        try:
            answer = await self._follow(requested, errand)
        except FetchError as error:
            error.url = error.url or requested
            raise
        elapsed = (time.monotonic() - started) * 1000
        log.info(
            "fetched %s: %d, %d bytes, %.0f ms", answer.url.split("?", 1)[0], answer.status, len(answer.body), elapsed
        )
        return _result(answer, requested, errand.validators, elapsed)

    def check(self, url: str) -> None:
        """Raise AddressDeniedError when the site of a normalised URL is blocked, whatever is stored of it."""
        self._policy.check_host(host_of(url))

    async def aclose(self) -> None:
        """Close all connections."""
        await self._exchanger.aclose()

    async def _read_robots(self, url: str) -> bytes:
        limits = BodyLimits(max_bytes=caps.ROBOTS_BYTES, types=None, cut=True)
        budget = TimeBudget(self._options.timeout_seconds)
        errand = _Errand(automatic=False, asks_robots=False, limits=limits, budget=budget)
        return (await self._follow(url, errand)).body

    async def _follow(self, url: str, errand: _Errand) -> Answer:
        errand.runs_in_circle(url)
        for hops in range(caps.MAX_REDIRECTS + 1):
            answer = await self._ask(url, errand, errand.conditions(hops))
            if answer.location is None:
                return self._accepted(answer, errand, hops)
            url = _target(answer)
            if errand.runs_in_circle(url):
                raise TooManyRedirectsError(f"{host_of(url)} sends the request in a circle.", url=url)
        message = f"{host_of(url)} redirects more than {caps.MAX_REDIRECTS} times."
        raise TooManyRedirectsError(message, url=url)

    def _accepted(self, answer: Answer, errand: _Errand, hops: int) -> Answer:
        success = 200 <= answer.status < 300 and answer.status != 206
        if success or (answer.status == 304 and errand.conditions(hops)):
            return answer
        raise status_error(answer.status, answer.url, answer.retry_after)

    async def _ask(self, url: str, errand: _Errand, conditions: dict[str, str]) -> Answer:
        """One request in its turn, and once more after a server error."""
        answer = await self._ask_once(url, errand, conditions)
        if answer.retry_after is not None and answer.status in (429, 503):
            self._politeness.hold(host_of(url), answer.retry_after)
        if answer.status < 500 or (errand.automatic and (answer.retry_after or 0) > caps.MAX_PAUSE_SECONDS):
            return answer
        await asyncio.sleep(random.uniform(*RETRY_SECONDS))
        return await self._ask_once(url, errand, conditions)

    async def _ask_once(self, url: str, errand: _Errand, conditions: dict[str, str]) -> Answer:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme]
        self._policy.check_host(host)
        delay = await self._robots.check(url, automatic=errand.automatic) if errand.asks_robots else None
        own = errand.automatic and await self._policy.is_own(host, port)
        pace = pace_for(delay, own=own)
        async with self._politeness.slot(host, url, automatic=errand.automatic, pace=pace):
            return await self._exchanger.get(
                url, conditions=conditions, cookies=errand.cookies, limits=errand.limits, budget=errand.budget
            )


def _target(answer: Answer) -> str:
    try:
        return join_url(answer.url, answer.location or "")
    except InvalidURLError as error:
        message = f"{host_of(answer.url)} redirects to something that is not a web address."
        raise InvalidURLError(message, url=answer.url) from error


def _result(answer: Answer, requested: str, sent: Validators, elapsed_ms: float) -> FetchResult:
    received = answer.validators
    if answer.status == 304:
        received = Validators(received.etag or sent.etag, received.last_modified or sent.last_modified)
    return FetchResult(
        url=answer.url,
        requested_url=requested,
        status=answer.status,
        content_type=answer.content_type,
        charset=answer.charset,
        body=answer.body,
        validators=received,
        fetched_at=time.time(),
        elapsed_ms=elapsed_ms,
    )
