"""One request and its answer: no redirects, no retries, no politeness."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import httpx

from app import caps
from app.errors import FetchError
from app.web.address import AddressPolicy
from app.web.body import BodyLimits, content_type, read_body
from app.web.decode import ACCEPT_ENCODING
from app.web.problems import retry_after_seconds, timeout_error, transport_error
from app.web.response import Validators
from app.web.transport import CheckedTransport, tls_context

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `location` is for redirects only, `body` for 2xx only; `retry_after` is in seconds."""

    url: str
    status: int
    content_type: str
    charset: str | None
    body: bytes
    validators: Validators
    location: str | None
    retry_after: float | None
    robots_tag: str = ""


class TimeBudget:
    """The seconds that one fetch may spend on the network; waiting for one's turn is free."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._left = seconds

    @asynccontextmanager
    async def spend(self, url: str) -> AsyncIterator[None]:
        """Run a part of the fetch on the clock; raises FetchTimeoutError when the budget is used up."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        limit = asyncio.timeout(max(self._left, 0.0))
        try:
            async with limit:
                yield
        except TimeoutError as error:
            raise timeout_error(url, self.seconds) from error
        finally:
            self._left -= loop.time() - started


class Exchanger:
    """Sends requests over one pool of checked connections."""

    def __init__(self, policy: AddressPolicy, *, user_agent: str, connections: int) -> None:
        self._policy = policy
        self._connections = connections
        self._headers = {"User-Agent": user_agent, "Accept-Encoding": ACCEPT_ENCODING}
        self._transport: CheckedTransport | None = None
        self._opening = asyncio.Lock()

    async def get(
        self,
        url: str,
        *,
        headers: dict[str, str],
        cookies: httpx.Cookies,
        limits: BodyLimits,
        budget: TimeBudget,
    ) -> Answer:
        """One GET, with `cookies` sent and updated; raises FetchError for everything but a status."""
        request = httpx.Request("GET", url, headers={**self._headers, **headers})
        request.extensions["timeout"] = {
            "connect": min(caps.MAX_CONNECT_SECONDS, budget.seconds),
            "read": budget.seconds,
            "write": budget.seconds,
            "pool": None,
        }
        cookies.set_cookie_header(request)
        try:
            async with budget.spend(url):
                return await self._exchange(request, url, cookies, limits)
        except FetchError as error:
            error.url = error.url or url
            raise
        except (httpx.HTTPError, ssl.SSLError) as error:
            raise transport_error(error, url, budget.seconds) from error

    async def aclose(self) -> None:
        if self._transport is not None:
            await self._transport.aclose()

    async def _exchange(self, request: httpx.Request, url: str, cookies: httpx.Cookies, limits: BodyLimits) -> Answer:
        transport = await self._opened()
        try:
            response = await transport.handle_async_request(request)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            # A kept connection can be closed by the other side at the very moment it is used again.
            response = await transport.handle_async_request(request)
        response.request = request
        try:
            cookies.extract_cookies(response)
            return await _answer(response, url, limits)
        finally:
            await response.aclose()

    async def _opened(self) -> CheckedTransport:
        async with self._opening:
            if self._transport is None:
                context = await asyncio.to_thread(tls_context)
                self._transport = CheckedTransport(self._policy, context, connections=self._connections)
            return self._transport


async def _answer(response: httpx.Response, url: str, limits: BodyLimits) -> Answer:
    headers = response.headers
    kind, charset = content_type(headers)
    body = b""
    if response.is_success:
        kind, body = await read_body(response, url, limits)
    else:
        await _drain(response)
    return Answer(
        url=url,
        status=response.status_code,
        content_type=kind,
        charset=charset,
        body=body,
        validators=Validators(headers.get("etag"), headers.get("last-modified")),
        location=headers.get("location") if response.status_code in REDIRECTS else None,
        retry_after=retry_after_seconds(headers.get("retry-after")),
        robots_tag=headers.get("x-robots-tag", ""),
    )


async def _drain(response: httpx.Response) -> None:
    announced = response.headers.get("content-length", "0" if response.status_code == 304 else "")
    if announced.isdecimal() and int(announced) <= caps.MAX_DRAINED_BYTES:
        async for _ in response.aiter_raw():
            pass
