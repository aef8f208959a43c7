"""Checks in front of all endpoints (host, origin, path, token, method, size); also cancels endpoints when the client disconnects."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, Protocol
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import Message, Receive, Scope, Send

from app import caps
from app.server.connections import CONNECTION_KEY

log = logging.getLogger(__name__)

UNAUTHORISED_WINDOW_SECONDS: Final = 60.0
UNAUTHORISED_DELAY_SECONDS: Final = 1.0
MAX_UNAUTHORISED_WAITING: Final = 32
MAX_LARGE_BODIES: Final = 8
"""Requests with large bodies held at a time; further ones are read when one of these has its response."""
LARGE_WAIT_SECONDS: Final = 10.0
"""Seconds that such a request waits to be read; after that, its body would count as missing."""

Endpoint = Callable[[Scope, Receive, Send], Awaitable[None]]

UNAUTHORISED: Final = 401
WILDCARD_HOSTS: Final = ("0.0.0.0", "::")


@dataclass(frozen=True, slots=True)
class Route:
    """A path with its handler, its methods, and whether it needs the token.

    `refusal` replaces the rules for `Origin` and token; `max_body` is in bytes, 0 means the gate's limit. `is_shared`: if users sign in,
    they do so here instead of sending the token. A path that ends with a slash covers everything below it. `takes_slash`: the path also
    matches with a trailing slash, which users often paste.
    """

    endpoint: Endpoint
    methods: tuple[str, ...]
    is_open: bool = False
    refusal: Callable[[Scope, Headers], JSONResponse | None] | None = None
    max_body: int = 0
    is_shared: bool = False
    takes_slash: bool = False


class Admission(Protocol):
    """Decides who may use a shared server, and with which rights."""

    can_be_guessed: bool  # Whether one secret opens the shared paths for everyone.

    async def admit(self, scope: Scope, headers: Headers) -> Response | AbstractContextManager[None]:
        """Return the refusal, or a context with the user's rights for the duration of the request. Records the user in the scope."""

    async def as_node(self) -> AbstractContextManager[None]:
        """Return a context with the rights of the holder of the program's token."""


class Throttle:
    """Slows down clients that guess tokens: after several refusals within the window, every further refusal is delayed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._refused: deque[float] = deque(maxlen=caps.MAX_UNAUTHORISED)
        self._waiting = 0

    async def refused(self) -> bool:
        """Count a refusal and wait if there were too many; return False if too many clients are already waiting."""
        now = self._clock()
        too_many = len(self._refused) == caps.MAX_UNAUTHORISED and (
            now - self._refused[0] < UNAUTHORISED_WINDOW_SECONDS
        )
        self._refused.append(now)
        if not too_many:
            return True
        if self._waiting >= MAX_UNAUTHORISED_WAITING:
            return False
        self._waiting += 1
        try:
            await asyncio.sleep(UNAUTHORISED_DELAY_SECONDS)
        finally:
            self._waiting -= 1
        return True


class Gate:
    """Pure ASGI application. An empty token allows every request; the endpoint permits that on loopback only."""

    def __init__(
        self,
        routes: Mapping[str, Route],
        *,
        token: str,
        hosts: Sequence[str],
        origins: Sequence[str],
        max_body: int = caps.MAX_REQUEST_BYTES,
        admission: Admission | None = None,
    ) -> None:
        self._admission = admission
        self._routes = routes
        self._token = token
        self._hosts = frozenset(host.lower() for host in hosts)
        self._origins = frozenset(origins)
        self._max_body = max_body
        self._throttle = Throttle()
        self._large = asyncio.Semaphore(MAX_LARGE_BODIES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        route = self._routes.get(self._path(scope))
        refusal: Response | None = self._refusal(route, scope, headers)
        acting: AbstractContextManager[None] = contextlib.nullcontext()
        is_guess = refusal is not None
        if route and self._admission and not (refusal or route.is_open or route.refusal):
            admitted = await (self._admission.admit(scope, headers) if route.is_shared else self._admission.as_node())
            if isinstance(admitted, Response):
                refusal, is_guess = admitted, self._admission.can_be_guessed
            else:
                acting = admitted
        if refusal is not None or route is None:
            assert refusal is not None
            if refusal.status_code == UNAUTHORISED and is_guess and not await self._throttle.refused():
                refusal = error_response(429, "too many requests without a token", {"Retry-After": "1"})
            await refusal(scope, receive, send)
            return
        connection = scope.get("state", {}).get(CONNECTION_KEY)
        if connection is not None and not route.is_open:
            connection.is_proved = True
        limit = route.max_body or self._max_body
        declared = headers.get("content-length", "")
        is_large = limit > self._max_body and (
            "transfer-encoding" in headers or (declared.isdecimal() and int(declared) > self._max_body)
        )
        if is_large and not await self._has_room():
            refusal = error_response(503, "too many large requests; try again soon", {"Retry-After": "5"})
            await refusal(scope, receive, send)
            return
        try:
            body = await _read_body(headers, receive, limit)
            if body is None:
                await error_response(413, f"the request is larger than {limit} bytes")(scope, receive, send)
                return
            try:
                with acting:
                    await route.endpoint(
                        scope, replayed({"type": "http.request", "body": body, "more_body": False}, receive), send
                    )
            except asyncio.CancelledError:
                log.info("a request was cut off because the endpoint stopped")
        except _CutOffError:
            return
        finally:
            if is_large:
                self._large.release()

    async def _has_room(self) -> bool:
        """Whether a large body may be read; waits a while for a free slot."""
        try:
            async with asyncio.timeout(LARGE_WAIT_SECONDS):
                return await self._large.acquire()
        except TimeoutError:
            return False

    def _refusal(self, route: Route | None, scope: Scope, headers: Headers) -> JSONResponse | None:
        if headers.get("host", "").lower() not in self._hosts or len(headers.getlist("host")) != 1:
            return error_response(421, "this host name is not served here")
        if route is not None and route.refusal is not None:
            if refusal := route.refusal(scope, headers):
                return refusal
        elif any(origin not in self._origins for origin in headers.getlist("origin")):
            return error_response(403, "requests from web pages are refused")
        elif route is None:
            return error_response(404, "not found")
        elif (
            not route.is_open
            and not (route.is_shared and self._admission is not None)
            and not is_authorised(headers, self._token)
        ):
            return unauthorised()
        if scope["method"] not in route.methods:
            return error_response(405, "method not allowed", {"Allow": ", ".join(route.methods)})
        return None

    def _path(self, scope: Scope) -> str:
        """Return the path, or the route that covers it."""
        path: str = scope["path"]
        plain = self._routes.get(path.removesuffix("/"))
        if plain is not None and plain.takes_slash:
            return path.removesuffix("/")
        return path if path in self._routes else path[: path.rfind("/") + 1]


def replayed(request: Message, receive: Receive) -> Receive:
    """Return a `receive` that yields `request` first and then the real messages."""
    pending = [request]

    async def next_message() -> Message:
        return pending.pop() if pending else await receive()

    return next_message


async def disconnected(receive: Receive) -> None:
    """Wait until the client disconnects; the body must already have been read."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def until_disconnected(app: Endpoint, scope: Scope, receive: Receive, send: Send) -> None:
    """Run an endpoint that does not watch the connection, and cancel it when the client disconnects."""
    request = await receive()
    gone = asyncio.Event()

    async def receive_later() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    answering = asyncio.ensure_future(app(scope, replayed(request, receive_later), send))
    leaving = asyncio.ensure_future(disconnected(receive))
    try:
        await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            answering.result()
    finally:
        gone.set()
        for task in (answering, leaving):
            task.cancel()
        await asyncio.gather(answering, leaving, return_exceptions=True)


def is_authorised(headers: Headers, token: str) -> bool:
    """Whether the request carries the token, compared in constant time. Always true for an empty token."""
    if not token:
        return True
    return hmac.compare_digest(bearer(headers).encode(), token.encode())


def bearer(headers: Headers) -> str:
    """Return the token of a request, "" without exactly one."""
    given = headers.getlist("authorization")
    scheme, _, token = (given[0] if len(given) == 1 else "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def allowed_hosts(host: str, port: int, more: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the accepted `Host` values: loopback, the bound address, and the configured names."""
    names = ["127.0.0.1", "localhost", *([] if host in WILDCARD_HOSTS else [host]), *more]
    return tuple(dict.fromkeys(f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in names))


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


FORWARDED: Final = frozenset({"forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip"})
"""Headers in which a proxy names itself or its client, in addition to those that begin with FORWARDED_PREFIXES."""
FORWARDED_PREFIXES: Final = ("x-forwarded", "x-original-", "x-envoy-", "x-proxy", "cf-", "fastly-")


def is_from_here(scope: Scope) -> bool:
    """Whether the request comes from a program on this machine, and not through a proxy from another one.

    A proxy is recognized by its headers, a foreign host name, or HTTP/1.0, which nginx uses.
    """
    client, served = (scope.get("client") or ("",))[0], (scope.get("server") or ("",))[0]
    headers = Headers(scope=scope)
    name = (urlsplit(f"//{headers.get('host', '')}").hostname or "").lower()
    is_near = is_loopback(client) or (client != "" and client == served)
    is_named = any(each in FORWARDED or each.startswith(FORWARDED_PREFIXES) for each in headers)
    return is_near and not is_named and scope.get("http_version") != "1.0" and (is_loopback(name) or name == served)


def unauthorised() -> JSONResponse:
    return error_response(UNAUTHORISED, "unauthorized", {"WWW-Authenticate": 'Bearer realm="webrag"'})


def error_response(status: int, text: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return `{"error": text}` with an HTTP status."""
    return JSONResponse({"error": text}, status_code=status, headers=dict(headers or {}))


class _CutOffError(Exception):
    """The client disconnected before the request was complete, so its partial content must not be used."""


async def _read_body(headers: Headers, receive: Receive, limit: int) -> bytes | None:
    """Return the whole body, or None as soon as it is known to exceed `limit`. Raises _CutOffError if it ends too early."""
    declared = headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > limit:
        return None
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise _CutOffError
        body += message.get("body", b"")
        if len(body) > limit:
            return None
        if not message.get("more_body", False):
            return bytes(body)
