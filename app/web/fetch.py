"""Fetch pages: redirects, retries, robots.txt and rate limits around single exchanges."""

from __future__ import annotations

import asyncio
import logging
import random
import re
import time
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlsplit

import httpx

from app import caps
from app.errors import AddressDeniedError, FetchError, InvalidURLError, RobotsDeniedError, TooManyRedirectsError
from app.library.scope import DEFAULT_PORTS
from app.slots import NetworkSlots
from app.text.refresh import refresh_target
from app.text.sentence import sentence
from app.web.address import AddressPolicy, public_only
from app.web.body import ACCEPT, ACCEPT_ANYTHING, ACCEPT_PICTURE, PAGE_TYPES, PICTURE_TYPES, BodyLimits
from app.web.exchange import USER_AGENT, Exchanger, TimeBudget, deny_redirect, status_error
from app.web.politeness import MAX_PAUSE_SECONDS, Politeness, Robots, RobotsPolicy, pace_for
from app.web.records import FetchResult, Occasion, Validators
from app.web.urls import host_of, join_url, normalise_url, same_site

log = logging.getLogger(__name__)

ROBOTS_BYTES: Final = 512 * caps.KIB
HEAD_BYTES: Final = 64 * caps.KIB  # The part of a page to search for a redirect to another address.
_STUB_BYTES: Final = 4 * caps.KIB
_STUB_WORDS: Final = 30
_LOCATION: Final = re.compile(
    r"""\W*(?:(?:window|document|self|top|parent)\.)?location(?:\.href)?\s*+(?:=|\.(?:replace|assign)\()\s*+(["'])([^"'\s<>\\]++)\1"""
    r"""(?:\s*\+\s*\(?(?:(?:window|document)\.)?location\.(?:hash|search)(?:\s*\|\|\s*(?:""|''))?\)?){0,2}\s*+\)?\W*+"""
)
"""A script that only opens another address."""
HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
PICTURE_SECONDS: Final = 15.0
FILE_SECONDS: Final = 300.0
NOT_ACCEPTABLE: Final = 406


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """`timeout_seconds` limits one fetch with redirects and retry; `robots_policy` is a RobotsPolicy."""

    timeout_seconds: float = 20.0
    concurrency: int = 2
    robots_policy: str = RobotsPolicy.AUTO_ONLY
    user_agent: str = USER_AGENT


@dataclass(slots=True)
class Errand:
    """What to fetch and how."""

    occasion: Occasion
    limits: BodyLimits
    budget: TimeBudget
    accept: str = ACCEPT
    validators: Validators = field(default_factory=Validators)
    cookies: httpx.Cookies = field(default_factory=httpx.Cookies)
    seen: set[tuple[str, str]] = field(default_factory=set)
    public_only: bool = False  # A public page led here: addresses that only the user opened stay blocked.
    https_only: bool = False
    is_robots_txt: bool = False

    @property
    def is_polite(self) -> bool:
        """Whether it observes the site's rate limit and its Retry-After."""
        return not (self.occasion.is_urgent or self.is_robots_txt)

    def conditions(self, hops: int) -> dict[str, str]:
        """Return conditional headers; after a redirect only the ETag, since a date does not apply to another address."""
        headers = {}
        if self.validators.etag:
            headers["If-None-Match"] = self.validators.etag
        if self.validators.last_modified and not hops:
            headers["If-Modified-Since"] = self.validators.last_modified
        return headers

    def runs_in_circle(self, url: str) -> bool:
        """Whether this URL was requested before with the same cookies."""
        state = (url, repr(sorted((c.name, c.value) for c in self.cookies.jar)))
        known = state in self.seen
        self.seen.add(state)
        return known


class Fetcher:
    """Fetches web pages; one for the whole program, used from one event loop.

    Failures are FetchErrors with their url. Only connections and robots.txt outlive a fetch.
    """

    def __init__(self, options: FetchOptions, policy: AddressPolicy, slots: NetworkSlots | None = None) -> None:
        """All network users share `slots`; without it, `concurrency` applies to this fetcher alone."""
        self._options = options
        self._policy = policy
        self._exchanger = Exchanger(policy, user_agent=options.user_agent, connections=options.concurrency)
        self._politeness = Politeness(slots or NetworkSlots(options.concurrency))
        self._robots_policy = RobotsPolicy(options.robots_policy)
        self._robots = Robots(self._read_robots, options.user_agent)

    async def fetch(
        self,
        url: str,
        *,
        validators: Validators | None = None,
        occasion: Occasion = Occasion.NAMED,
        types: frozenset[str] = PAGE_TYPES,
        seconds: float | None = None,
        found_on: str = "",
        https_only: bool = False,
    ) -> FetchResult:
        """Return the page at an address, after redirects; with `validators`, possibly a 304 without body.

        The `occasion` decides whether robots.txt and the site's rate limit are observed, and the priority. `types` are the accepted media
        types; LIST_TYPES also accepts sitemaps. `seconds` shortens the usual network time. `found_on` is the page with the link: a public
        page cannot lead to an address that only the user opened. `https_only` also applies to redirects.
        """
        requested = normalise_url(url)
        errand = Errand(
            occasion,
            BodyLimits(types=types),
            TimeBudget(min(seconds or self._options.timeout_seconds, self._options.timeout_seconds)),
            ACCEPT if types == PAGE_TYPES else ACCEPT_ANYTHING,
            validators or Validators(),
            public_only=await self._is_public(found_on, requested),
            https_only=https_only,
        )
        return await self._run_errand(requested, errand)

    async def fetch_picture(self, url: str, validators: Validators | None = None) -> FetchResult:
        """Fetch an image of a page like any page that the program found, but only from the public internet.

        Addresses that only the user opened stay blocked, after redirects too. Raises FetchError and its subclasses.
        """
        errand = Errand(
            Occasion.AUTOMATIC,
            BodyLimits(caps.MAX_PICTURE_BYTES, PICTURE_TYPES),
            TimeBudget(min(PICTURE_SECONDS, self._options.timeout_seconds)),
            ACCEPT_PICTURE,
            validators or Validators(),
            public_only=True,
        )
        return await self._run_errand(normalise_url(url), errand)

    async def fetch_file(self, url: str, most: int) -> FetchResult:
        """Fetch a file of any type from the public internet that a user asked for, with at most `most` bytes.

        Addresses that only the user opened stay blocked, and HTTPS stays HTTPS, after redirects too. Raises FetchError and its subclasses.
        """
        requested = normalise_url(url)
        errand = Errand(
            Occasion.LISTED,
            BodyLimits(most, None),
            TimeBudget(FILE_SECONDS),
            ACCEPT_ANYTHING,
            public_only=True,
            https_only=requested.startswith("https:"),
        )
        return await self._run_errand(requested, errand)

    async def is_public(self, url: str) -> bool:
        """Whether a web address is public. Raises FetchError if its name cannot be resolved."""
        return await self._policy.is_public(*_place(normalise_url(url)))

    async def _run_errand(self, requested: str, errand: Errand) -> FetchResult:
        started = time.monotonic()
        try:
            answer = await self._follow(requested, errand)
        except FetchError as error:
            error.url = error.url or requested
            raise
        elapsed = (time.monotonic() - started) * 1000
        log.info(
            "fetched %s: %d, %d bytes, %.0f ms", answer.url.split("?", 1)[0], answer.status, len(answer.body), elapsed
        )
        received, sent = answer.validators, errand.validators
        if answer.status == 304:
            received = Validators(received.etag or sent.etag, received.last_modified or sent.last_modified)
        return replace(answer, validators=received, fetched_at=time.time(), elapsed_ms=elapsed)

    def check(self, url: str) -> None:
        """Raise AddressDeniedError if the site of a normalized URL is blocked, even if it is stored."""
        self._policy.check_host(host_of(url))

    async def allowed(self, url: str) -> bool:
        """Whether robots.txt, if observed, allows automatic fetching of an address; False if it is unreachable.

        An address that the address policy blocks counts as allowed: fetching it reports the reason.
        """
        if not self._robots_policy.applies(Occasion.AUTOMATIC):
            return True
        try:
            await self._robots.check(normalise_url(url), Occasion.AUTOMATIC)
        except RobotsDeniedError:
            return False
        except AddressDeniedError:
            return True
        return True

    async def crawl_delay(self, url: str) -> float | None:
        """Return the crawl delay of robots.txt in seconds, if it is observed. Raises AddressDeniedError."""
        if not self._robots_policy.applies(Occasion.AUTOMATIC):
            return None
        return await self._robots.crawl_delay(normalise_url(url))

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """Return the sitemaps listed in robots.txt, regardless of its rules. Raises FetchError if it cannot be read."""
        return await self._robots.sitemaps(normalise_url(url))

    async def aclose(self) -> None:
        """Close all connections."""
        await self._exchanger.aclose()

    async def _read_robots(self, url: str, occasion: Occasion) -> bytes:
        limits = BodyLimits(max_bytes=ROBOTS_BYTES, types=None, cut=True)
        budget = TimeBudget(self._options.timeout_seconds)
        errand = Errand(occasion, limits, budget, ACCEPT_ANYTHING, is_robots_txt=True)
        return (await self._follow(url, errand)).body

    async def _follow(self, url: str, errand: Errand) -> FetchResult:
        start = url
        errand.runs_in_circle(url)
        for hops in range(caps.MAX_REDIRECTS + 1):
            if errand.https_only and not url.startswith("https://"):
                raise AddressDeniedError(
                    sentence("{} is blocked: only https is allowed here.", host_of(url)),
                    url=url,
                    hint="Use an address that starts with https://.",
                )
            try:
                answer = await self._ask(url, errand, errand.conditions(hops))
            except AddressDeniedError as error:
                if hops:
                    raise deny_redirect(error, start, url) from error
                raise
            if answer.location is None and (forward := _forward(answer)):
                answer = replace(answer, location=forward)
            if answer.location is None:
                success = 200 <= answer.status < 300 and answer.status != 206
                if success or (answer.status == 304 and errand.conditions(hops)):
                    return answer
                raise status_error(answer.status, answer.url, answer.retry_after)
            errand.public_only = errand.public_only or not answer.is_inside
            try:
                url = join_url(answer.url, answer.location)
            except InvalidURLError as error:
                message = sentence("{} redirects to an invalid address.", host_of(answer.url))
                raise FetchError(message, url=answer.url, hint="Find another address of this page.") from error
            if errand.runs_in_circle(url):
                raise TooManyRedirectsError(sentence("{} redirects in a loop.", host_of(url)), url=url)
        message = sentence("{} redirects more than {} times.", host_of(url), caps.MAX_REDIRECTS)
        raise TooManyRedirectsError(message, url=url)

    async def _is_public(self, found_on: str, url: str) -> bool:
        """Whether a public page on another host than `url` led here."""
        if not found_on or not self._policy.has_openings or not found_on.startswith(("http://", "https://")):
            return False
        return host_of(found_on) != host_of(url) and not await self._policy.is_inside(*_place(found_on))

    async def _ask(self, url: str, errand: Errand, conditions: dict[str, str]) -> FetchResult:
        """Send one request, and again after a server error or if no accepted type was available."""
        if not errand.public_only or not self._policy.has_openings:
            return await self._ask_in_turn(url, errand, conditions)
        with public_only():
            # Check also before reusing a connection that a request by the user left open.
            await self._policy.resolve(*_place(url))
            return await self._ask_in_turn(url, errand, conditions)

    async def _ask_in_turn(self, url: str, errand: Errand, conditions: dict[str, str]) -> FetchResult:
        answer = await self._ask_once(url, errand, conditions)
        if answer.status == NOT_ACCEPTABLE and errand.accept != ACCEPT_ANYTHING:
            errand.accept = ACCEPT_ANYTHING
            answer = await self._ask_once(url, errand, conditions)
        if answer.status < 500 or (errand.is_polite and (answer.retry_after or 0) > MAX_PAUSE_SECONDS):
            return answer
        await asyncio.sleep(random.uniform(*caps.SERVER_ERROR_PAUSE_SECONDS))
        return await self._ask_once(url, errand, conditions)

    async def _ask_once(self, url: str, errand: Errand, conditions: dict[str, str]) -> FetchResult:
        host = host_of(url)
        self._policy.check_host(host)
        asks_robots = self._robots_policy.applies(errand.occasion) and not errand.is_robots_txt
        delay = await self._robots.check(url, errand.occasion) if asks_robots else None
        polite, urgent = errand.is_polite, errand.occasion.is_urgent
        pace = pace_for(delay, own=await self._policy.is_own(*_place(url))) if polite else None
        async with self._politeness.turn(host, url, urgent=urgent, polite=polite, pace=pace):
            answer = await self._exchanger.get(
                url,
                headers={"Accept": errand.accept, **conditions},
                cookies=errand.cookies,
                limits=errand.limits,
                budget=errand.budget,
            )
        if answer.retry_after is not None and answer.status in (429, 503):
            self._politeness.hold(host, answer.retry_after)
        return answer


def _place(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme]


def _forward(answer: FetchResult) -> str:
    """Return the address that a page redirects browsers to immediately, on the same site, or an empty text."""
    base, reference = answer.url, refresh_target(answer.refresh, at_once=True) if answer.refresh else None
    if not reference and answer.content_type in (*HTML_TYPES, ""):
        base, reference = _forward_in_head(answer)
    try:
        target = join_url(base, reference) if reference else answer.url
    except InvalidURLError:
        return ""
    is_other = target.partition("#")[0] != answer.url.partition("#")[0]
    return target if is_other and same_site(target, answer.url) else ""


def _forward_in_head(answer: FetchResult) -> tuple[str, str]:
    """Return the base address of a document and the immediate redirect in its head, as written; empty for none."""
    head = answer.body[:HEAD_BYTES].replace(b"\0", b"")  # UTF-16 contains them.
    is_stub = len(answer.body) <= _STUB_BYTES and b"location" in head
    if b"refresh" not in head.lower() and not is_stub:
        return answer.url, ""
    from lxml import etree, html

    try:
        tree: html.HtmlElement = html.fromstring(head.decode(answer.charset or "utf-8", "replace"))
        base = join_url(answer.url, next((each.get("href", "") for each in tree.iter("base")), ""))
    except (etree.LxmlError, LookupError, ValueError, InvalidURLError):
        return answer.url, ""
    refreshes = (
        refresh_target(meta.get("content", ""), at_once=True)
        for meta in tree.iter("meta")
        if meta.get("http-equiv", "").lower() == "refresh"
        and next(meta.iterancestors("noscript", "template"), None) is None
    )
    found = next(filter(None, refreshes), "")
    if not found and is_stub:
        # A script of a page with almost no text may open another address.
        scripts = list(tree.iter("script"))
        opened = next((match[2] for each in scripts if (match := _LOCATION.fullmatch(each.text or ""))), "")
        for each in (*scripts, *tree.iter("style", "title")):
            each.drop_tree()
        found = opened if len(tree.text_content().split()) <= _STUB_WORDS else ""
    return base, found
