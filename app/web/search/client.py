"""Connect to one provider's server: rate limits, one retry, a response size limit, and refusals as errors."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import random
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Final
from urllib.parse import quote, urlsplit

import httpx

from app import caps, errors
from app.serialise import read_json
from app.slots import NetworkSlots, TokenBucket
from app.text.sentence import sentence
from app.web import exchange
from app.web.address import AddressPolicy
from app.web.body import ACCEPT_ENCODING, BodyLimits, read_body
from app.web.search.records import JsonObject

log = logging.getLogger(__name__)

SEARCH_BODY_BYTES: Final = 2 * caps.MIB
MAX_PROVIDER_DEPTH: Final = 64
"""The nesting depth of a provider's JSON; clients and the protocol library fail at about 200."""
MAX_PROVIDER_WORDS: Final = 300  # The characters to show of a provider's error message.


class Fault(Enum):
    """The meaning of a provider's error status."""

    KEY = auto()
    LIMIT = auto()
    QUERY = auto()
    BROKEN = auto()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A response that is an error. `body` is empty if it was not a JSON object; `wait` is in seconds, None if unknown."""

    status: int
    body: JsonObject
    wait: float | None


def usual_fault(refusal: Refusal) -> Fault:
    """Return the meaning of a status for most providers."""
    if refusal.status in (401, 403):
        return Fault.KEY
    if refusal.status == 429:
        return Fault.LIMIT
    return Fault.QUERY if refusal.status in (400, 413, 414, 422) else Fault.BROKEN


def error_of(refusal: Refusal, fault: Fault, title: str, hints: Mapping[Fault, str]) -> errors.SearchError:
    """Return the error for a refusal; `hints` are the provider's own next steps."""
    words = said(refusal.body)
    shown = f"{refusal.status}: {words}" if words else f"{refusal.status}"
    if fault is Fault.KEY:
        return errors.SearchKeyError(sentence("{} rejected the key ({}).", title, shown), hint=hints.get(fault))
    if fault is Fault.QUERY:
        return errors.SearchQueryError(sentence("{} rejected the search ({}).", title, shown), hint=hints.get(fault))
    if fault is Fault.LIMIT:
        wait = refusal.wait
        hint = sentence("Call again in {}.", exchange.seconds_text(wait)) if wait is not None else _LIMIT_HINT
        message = sentence("The search limit of {} is reached ({}).", title, shown)
        return errors.SearchLimitError(message, retry_after=wait, hint=hint)
    return errors.SearchError(sentence("{} returned {}.", title, shown), hint=hints.get(fault))


_LIMIT_HINT = sentence("Wait, raise the limit of your plan, or choose another provider in Settings > Search provider.")


def said(body: JsonObject) -> str:
    """Return the provider's own error message on one line; empty if it has none."""
    for path in (("error", "message"), ("error", "detail"), ("detail", "error"), ("detail",), ("message",), ("error",)):
        found: Any = body
        for name in path:
            found = found.get(name) if isinstance(found, dict) else None
        if isinstance(found, str) and found.strip():
            return " ".join(found.split())[:MAX_PROVIDER_WORDS].rstrip(".")
    return ""


class SearchPace:
    """A token bucket: `per_second` requests on average, `burst` at the same time."""

    def __init__(self, title: str, per_second: float, burst: int) -> None:
        self._title = title
        self._per_second = per_second
        self._burst = burst
        self._bucket = TokenBucket(burst)
        self._quiet_until = 0.0

    async def turn(self) -> None:
        """Wait for the next request's slot. Raises SearchLimitError while the provider requires a pause."""
        self._check_quiet()
        await self._bucket.take(self._per_second, self._burst)
        try:
            self._check_quiet()
        except errors.SearchLimitError:
            self._bucket.tokens += 1
            raise

    def hold(self, seconds: float) -> None:
        """Pause for as long as the provider requested."""
        self._quiet_until = max(self._quiet_until, time.monotonic() + min(seconds, caps.MAX_QUIET_SECONDS))

    def _check_quiet(self) -> None:
        left = self._quiet_until - time.monotonic()
        if left > 0:
            wait = exchange.seconds_text(left)
            message = sentence("{} asked for a pause of another {}.", self._title, wait)
            raise errors.SearchLimitError(message, retry_after=left, hint=sentence("Call again in {}.", wait))


ACCEPT: Final = "application/json, */*;q=0.1"


@dataclass(frozen=True, slots=True)
class Network:
    """Shared by all network users: its slots, and the time limit of one request."""

    slots: NetworkSlots
    timeout_ms: int


@dataclass(frozen=True, slots=True)
class Service:
    """The settings of a provider's server.

    `is_own`: the user configured its address, which may be private. `fault` interprets a refusal, `wait` reads the wait in its headers.
    """

    title: str
    base_url: str
    pace: SearchPace
    is_own: bool = False
    secret: str = field(default="", repr=False)
    fault: Callable[[Refusal], Fault] = usual_fault
    wait: Callable[[Mapping[str, str]], float | None] = lambda headers: exchange.retry_after_seconds(
        headers.get("retry-after")
    )
    hints: Mapping[Fault, str] = field(default_factory=dict)
    not_json_hint: str | None = None


class SearchClient:
    """Sends requests to one server. The key is sent to that server only: redirects are not followed, and results never contain it."""

    def __init__(self, service: Service, network: Network) -> None:
        self._service = service
        self._network = network
        self._host = urlsplit(service.base_url).hostname or ""
        policy = AddressPolicy(allow_hosts=(self._host,) if service.is_own else ())
        self._connections = exchange.Connections(policy, caps.MAX_CONCURRENCY)

    async def ask(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        body: JsonObject | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> JsonObject:
        """Return the JSON object of a successful response. Raises SearchError and its subclasses."""
        request = httpx.Request(
            method,
            self._service.base_url.rstrip("/") + path,
            params=params,
            json=body,
            headers={
                "User-Agent": exchange.USER_AGENT,
                "Accept": ACCEPT,
                "Accept-Encoding": ACCEPT_ENCODING,
                "Accept-Language": "en",
                **(headers or {}),
            },
        )
        budget = exchange.TimeBudget(self._network.timeout_ms / 1000)
        await self._service.pace.turn()
        answer = await self._answer(request, budget)
        if answer[0] >= 500:
            await asyncio.sleep(random.uniform(*caps.SERVER_ERROR_PAUSE_SECONDS))
            # A pause requested for another query in the meantime is not the reason why this one failed.
            with contextlib.suppress(errors.SearchLimitError):
                await self._service.pace.turn()
                answer = await self._answer(request, budget)
        return self._read(*answer)

    async def aclose(self) -> None:
        await self._connections.aclose()

    async def _answer(self, request: httpx.Request, budget: exchange.TimeBudget) -> tuple[int, httpx.Headers, bytes]:
        """Return status, headers and body. Raises SearchError if the response is incomplete."""
        title, url, seconds = self._service.title, self._service.base_url, budget.seconds
        request.extensions["timeout"] = {
            "connect": min(exchange.MAX_CONNECT_SECONDS, seconds),
            "read": seconds,
            "write": seconds,
        }
        slot = self._network.slots.hold(urgent=True, key=self._host)
        try:
            async with slot, budget.spend(url), self._connections.send(request) as response:
                _, content = await read_body(response, url, BodyLimits(max_bytes=SEARCH_BODY_BYTES, types=None))
        except errors.BodyTooLargeError as error:
            message = sentence("{} returned more than {} MiB.", title, SEARCH_BODY_BYTES // caps.MIB)
            raise errors.SearchError(message, hint="Request fewer results.") from error
        except errors.FetchTimeoutError as error:
            raise self._late() from error
        except errors.FetchError as error:
            message = sentence("The request to {} failed. {}", title, error.message)
            raise errors.SearchError(message, hint=_network_hint(self._service)) from error
        except (httpx.HTTPError, ssl.SSLError) as error:
            known = exchange.transport_error(error, url, seconds)
            if isinstance(known, errors.FetchTimeoutError):
                raise self._late() from error
            message = sentence("The request to {} failed. {}", title, known.message)
            raise errors.SearchError(message, hint=_network_hint(self._service)) from error
        log.info("%s answered %d, %d bytes", title, response.status_code, len(content))
        return response.status_code, response.headers, content

    def _read(self, status: int, headers: httpx.Headers, content: bytes) -> JsonObject:
        # Remove the key from the response, in every encoding the server may use.
        secret = self._service.secret
        for spelling in {secret, quote(secret, safe=""), json.dumps(secret)[1:-1]} if secret else ():
            content = content.replace(spelling.encode(), b"[redacted]")
        answer = _json_object(content, secret)
        if 200 <= status < 300 and answer is not None:
            if not _is_shallow(answer):
                raise errors.SearchError(sentence("{} returned JSON that is nested too deeply.", self._service.title))
            return answer
        if 200 <= status < 300:
            hint = self._service.not_json_hint
            message = sentence("{} returned a response that is not a JSON object.", self._service.title)
            raise errors.SearchError(message, hint=hint)
        if 300 <= status < 400:
            message = sentence("{} has moved to another address ({}).", self._service.title, status)
            raise errors.SearchError(message, hint=_network_hint(self._service))
        refusal = Refusal(status, answer or {}, self._service.wait(headers))
        error = error_of(refusal, self._service.fault(refusal), self._service.title, self._service.hints)
        if refusal.wait and self._service.fault(refusal) is Fault.LIMIT:
            self._service.pace.hold(refusal.wait)
        raise error

    def _late(self) -> errors.SearchTimeoutError:
        seconds = self._network.timeout_ms / 1000
        return errors.SearchTimeoutError(
            sentence("{} did not respond within {} s.", self._service.title, f"{seconds:g}")
        )


def _json_object(content: bytes, secret: str) -> JsonObject | None:
    """Return the object in the bytes without the key in any escaped form, or None if they are not an object that JSON can represent."""
    try:
        answer: Any = read_json(content)
        written, key = json.dumps(answer, allow_nan=False), json.dumps(secret)[1:-1]
        if key and key in written:
            answer = json.loads(written.replace(key, "[redacted]"))
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def _is_shallow(answer: JsonObject) -> bool:
    """Whether the nesting depth is within the limit: deeper results break the clients that read them."""
    level: list[Any] = [answer]
    for _ in range(MAX_PROVIDER_DEPTH):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return True
    return False


def _network_hint(service: Service) -> str:
    if service.is_own:
        return sentence("Check {} in Settings > Search provider, and that the server is running.", "SEARXNG_URL")
    return sentence("Check your internet connection, then try again.")
