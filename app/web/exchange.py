"""Exchange one request and response over checked connections: no redirects, no retries, no rate limits.

Sockets connect to checked addresses only; TLS and the Host header still use the name. Failures become errors with plain messages.
"""

from __future__ import annotations

import asyncio
import math
import re
import socket
import ssl
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from email.utils import parsedate_to_datetime
from functools import cache, partial
from http import HTTPStatus
from typing import Any, Final

import httpcore
import httpx

from app import __version__, caps
from app.errors import AddressDeniedError, ContentProtectedError, FetchError, FetchTimeoutError, HTTPStatusError
from app.serialise import read_json
from app.text.sentence import Sentence, sentence
from app.web.address import AddressPolicy, kind_of
from app.web.body import ACCEPT_ENCODING, BodyLimits, content_type, read_body
from app.web.records import FetchResult, Validators
from app.web.urls import host_of

MAX_CONNECT_SECONDS: Final = 10.0
WEB_KEEPALIVE_SECONDS: Final = 5.0
MAX_RETRY_AFTER_SECONDS: Final = 365 * 86_400.0
MAX_DRAINED_BYTES: Final = 16 * caps.KIB
"""A redirect's body up to this size is read, so that the connection can be reused."""

_QUICKACK: Final[int | None] = getattr(socket, "TCP_QUICKACK", None)
_CLOSED: Final = re.compile("closed|disconnected")
_CONNECTED_TO: Final = "connected_to"  # The remote address, also available after the socket is closed.


class PromptStream(httpcore.AsyncNetworkStream):
    """A stream that acknowledges immediately, if the system supports it.

    Some servers send the body after the acknowledgement of the headers, which systems delay by 40 ms and more on a reused connection.
    """

    def __init__(self, stream: httpcore.AsyncNetworkStream, address: str) -> None:
        self._stream = stream
        self._address = address
        self._socket = stream.get_extra_info("socket")

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if _QUICKACK is not None and self._socket is not None:
            with suppress(OSError):
                self._socket.setsockopt(socket.IPPROTO_TCP, _QUICKACK, 1)
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        return PromptStream(await self._stream.start_tls(ssl_context, server_hostname, timeout), self._address)

    def get_extra_info(self, info: str) -> Any:
        return self._address if info == _CONNECTED_TO else self._stream.get_extra_info(info)


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Opens sockets. Resolves names only here, so that a second DNS response cannot bypass the check."""

    def __init__(self, policy: AddressPolicy) -> None:
        self._policy = policy
        self._sockets = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        addresses = (await self._policy.resolve(host, port))[: caps.MAX_ADDRESSES_TRIED]
        deadline = time.monotonic() + (timeout if timeout is not None else MAX_CONNECT_SECONDS)
        connect = partial(
            self._sockets.connect_tcp, port=port, local_address=local_address, socket_options=socket_options
        )
        for address in addresses[:-1]:
            patience = min(caps.FIRST_ADDRESS_SECONDS, deadline - time.monotonic())
            try:
                return PromptStream(await connect(address, timeout=max(patience, 0.0)), address)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return PromptStream(await connect(addresses[-1], timeout=max(deadline - time.monotonic(), 0.0)), addresses[-1])

    async def sleep(self, seconds: float) -> None:
        await self._sockets.sleep(seconds)


class CheckedTransport(httpx.AsyncHTTPTransport):
    """httpx's transport over a pool whose sockets come from CheckedBackend."""

    def __init__(self, policy: AddressPolicy, context: ssl.SSLContext, *, connections: int) -> None:
        super().__init__(verify=context, trust_env=False)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            max_connections=connections,
            max_keepalive_connections=connections,
            keepalive_expiry=WEB_KEEPALIVE_SECONDS,
            network_backend=CheckedBackend(policy),
        )


@cache
def tls_context() -> ssl.SSLContext:
    """Return a context that trusts the bundled certificates and the system's (a company's own authority). Created once, in 40 ms."""
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


class Connections:
    """A pool of checked connections, opened with the first request."""

    def __init__(self, policy: AddressPolicy, size: int) -> None:
        self._policy = policy
        self._size = size
        self._transport: CheckedTransport | None = None
        self._opening = asyncio.Lock()

    @asynccontextmanager
    async def send(self, request: httpx.Request) -> AsyncIterator[httpx.Response]:
        """Yield the response before its body is read. Raises errors of httpx and the address policy."""
        async with self._opening:
            if self._transport is None:
                context = await asyncio.to_thread(tls_context)
                self._transport = CheckedTransport(self._policy, context, connections=self._size)
            transport = self._transport
        try:
            response = await transport.handle_async_request(request)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            # The server can close an idle connection at the moment when it is reused.
            response = await transport.handle_async_request(request)
        response.request = request
        try:
            yield response
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        if self._transport is not None:
            await self._transport.aclose()


USER_AGENT: Final = f"WebRAG-Desktop/{__version__} (+local user agent)"
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


class TimeBudget:
    """The network time of one fetch, in seconds; waiting for a slot does not count."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._left = seconds

    @asynccontextmanager
    async def spend(self, url: str) -> AsyncIterator[None]:
        """Run a part of the fetch within the budget. Raises FetchTimeoutError when the time is used up."""
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
        self._headers = {"User-Agent": user_agent, "Accept-Encoding": ACCEPT_ENCODING}
        self._connections = Connections(policy, connections)

    async def get(
        self, url: str, *, headers: dict[str, str], cookies: httpx.Cookies, limits: BodyLimits, budget: TimeBudget
    ) -> FetchResult:
        """Send one GET with `cookies`, which are updated. Raises FetchError for everything but a status."""
        # The validators and cookies of some sites are not ASCII.
        given = httpx.Headers({**self._headers, **headers}, encoding="utf-8")
        request = httpx.Request("GET", url, headers=given)
        request.headers.encoding = given.encoding
        request.extensions["timeout"] = {
            "connect": min(MAX_CONNECT_SECONDS, budget.seconds),
            "read": budget.seconds,
            "write": budget.seconds,
            "pool": None,
        }
        cookies.set_cookie_header(request)
        try:
            async with budget.spend(url), self._connections.send(request) as response:
                cookies.extract_cookies(response)
                return await _answer(response, url, limits)
        except FetchError as error:
            error.url = error.url or url
            raise
        except (httpx.HTTPError, ssl.SSLError) as error:
            raise transport_error(error, url, budget.seconds) from error

    async def get_json(self, url: str, *, seconds: float, max_bytes: int) -> Any:
        """Return the JSON at an address. Raises FetchError, also for an error status and invalid JSON."""
        limits = BodyLimits(max_bytes, types=None)
        headers, cookies = {"Accept": "application/json"}, httpx.Cookies()
        answer = await self.get(url, headers=headers, cookies=cookies, limits=limits, budget=TimeBudget(seconds))
        if answer.status != HTTPStatus.OK:
            raise status_error(answer.status, url, answer.retry_after)
        try:
            return read_json(answer.body)
        except (ValueError, RecursionError) as error:
            raise FetchError(sentence("{} returned invalid JSON.", host_of(url)), url=url) from error

    async def aclose(self) -> None:
        await self._connections.aclose()


_WHOLE_RANGE: Final = re.compile(r"bytes 0-([0-9]{1,18})/([0-9]{1,18})")


async def _answer(response: httpx.Response, url: str, limits: BodyLimits) -> FetchResult:
    headers = response.headers
    kind, charset = content_type(headers)
    body = b""
    if response.is_success:
        kind, body = await read_body(response, url, limits)
    else:
        announced = headers.get("content-length", "0" if response.status_code == 304 else "")
        if announced.isdecimal() and int(announced) <= MAX_DRAINED_BYTES:
            async for _ in response.aiter_raw():
                pass
    return FetchResult(
        url=url,
        status=_status(response),
        content_type=kind,
        charset=charset,
        body=body,
        validators=Validators(headers.get("etag"), headers.get("last-modified")),
        location=headers.get("location") if response.status_code in REDIRECTS else None,
        retry_after=retry_after_seconds(headers.get("retry-after")),
        robots_tag=headers.get("x-robots-tag", ""),
        refresh=headers.get("refresh", ""),
        is_inside=bool(kind_of(response.extensions["network_stream"].get_extra_info(_CONNECTED_TO))),
    )


def _status(response: httpx.Response) -> int:
    """Return the status; a part that is the whole page (206 with `bytes 0-9/10`) counts as the page."""
    part = _WHOLE_RANGE.fullmatch(response.headers.get("content-range", "").strip())
    is_whole = part is not None and int(part[1]) + 1 == int(part[2])
    return 200 if response.status_code == 206 and is_whole else response.status_code


def timeout_error(url: str, seconds: float) -> FetchTimeoutError:
    """Return the error for an exchange that exceeded its time limit."""
    return FetchTimeoutError(sentence("{} did not respond within {} s.", host_of(url), f"{seconds:g}"), url=url)


def transport_error(error: Exception, url: str, seconds: float) -> FetchError:
    """Return the FetchError for a failure below HTTP: connection, TLS, a broken or invalid response."""
    host = host_of(url)
    if isinstance(error, httpx.TimeoutException):
        return timeout_error(url, seconds)
    if certificate := _cause(error, ssl.SSLCertVerificationError):
        reason = getattr(certificate, "verify_message", certificate)
        return FetchError(
            sentence("The certificate of {} is not valid ({}).", host, reason),
            url=url,
            hint="Check this computer's date. Your company's certificate authority must be installed on it.",
            title=FetchError.unreachable_title,
        )
    hint = None
    if _cause(error, ssl.SSLError):
        message, hint = sentence("Cannot connect securely to {}.", host), "Try the address with http://."
    elif isinstance(error, httpx.ConnectError) and _cause(error, ConnectionRefusedError):
        message = sentence("{} refused the connection.", host)
    elif isinstance(error, httpx.ConnectError):
        message = sentence("{} is not reachable.", host)
    elif isinstance(error, httpx.RemoteProtocolError) and not _CLOSED.search(str(error)):
        message = sentence("{} did not send a valid response.", host)
    elif isinstance(error, httpx.RemoteProtocolError | httpx.ReadError | httpx.WriteError):
        message = sentence("{} closed the connection before the page was complete.", host)
    else:
        message = sentence("The connection to {} failed ({}).", host, str(error) or type(error).__name__)
    return FetchError(message, url=url, hint=hint, title=FetchError.unreachable_title)


def status_error(status: int, url: str, retry_after: float | None) -> FetchError:
    """Return the error for a status that is neither success nor redirect nor an expected 304."""
    host, title = host_of(url), ""
    if status in (401, 402, 403):
        return ContentProtectedError(sentence("content protected: {} returned {}.", host, _named(status)), url=url)
    if status == 404:
        message, hint = sentence("{} has no page at this address (404).", host), "Check the spelling of the address."
    elif status == 410:
        message = sentence("{} has permanently removed this page (410).", host)
        hint = "Search the site for the page's new address."
    elif status == 429 or (status == 503 and retry_after is not None):
        hint, title = "Try again after that time.", HTTPStatusError.busy_title
        if retry_after is None:
            message, hint = sentence("{} received too many requests ({}).", host, status), "Try again in a few minutes."
        else:
            message = sentence("{} asks WebRAG to wait {} ({}).", host, seconds_text(retry_after), status)
    elif status >= 500:
        message, hint = sentence("{} has a problem ({}).", host, _named(status)), "Try again later."
    else:
        message, hint = sentence("{} returned {}.", host, _named(status)), "Check that the address opens in a browser."
    return HTTPStatusError(message, url=url, status=status, hint=hint, title=title)


def deny_redirect(error: AddressDeniedError, start: str, url: str) -> AddressDeniedError:
    """Return the error for a redirect to a blocked address."""
    message = sentence("{} redirects to a blocked address. {}", host_of(start), error.message)
    return AddressDeniedError(message, url=url, hint=error.hint)


def seconds_text(seconds: float) -> Sentence:
    """Return whole seconds in words, rounded up."""
    whole = math.ceil(seconds)
    return sentence("1 second") if whole == 1 else sentence("{} seconds", whole)


def retry_after_seconds(value: str | None) -> float | None:
    """Return the seconds of a Retry-After header, a number or a date, at most a year; None if it is missing or invalid."""
    if value is None:
        return None
    try:
        seconds = float(value) if value.strip().isdecimal() else parsedate_to_datetime(value).timestamp() - time.time()
    except (ValueError, OverflowError, OSError):  # Windows refuses some dates with an OSError.
        return None
    return min(max(0.0, seconds), MAX_RETRY_AFTER_SECONDS)


def _named(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _cause(error: BaseException, kind: type[BaseException]) -> BaseException | None:
    """Return the first exception of this kind in the chain of causes."""
    current: BaseException | None = error
    while current is not None:
        if isinstance(current, kind):
            return current
        current = current.__cause__ or current.__context__
    return None
