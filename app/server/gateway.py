"""The gate in front of everything: host, origin, path, token, method, size, and endpoints that end when the other side leaves."""

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
from typing import Any, Final, Protocol
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
"""Requests held at once whose bodies are beyond what others may be; who sends one more is read when one of these is answered."""
LARGE_WAIT_SECONDS: Final = 10.0
"""How long such a request waits to be read: where it waited longer, its body would count as one that does not come."""

Endpoint = Callable[[Scope, Receive, Send], Awaitable[None]]

UNAUTHORISED: Final = 401

WILDCARD_HOSTS: Final = ("0.0.0.0", "::")


@dataclass(frozen=True, slots=True)
class Route:
    """One path: who answers, with which methods, and whether it may be asked without the token.

    `refusal` are rules of its own in place of those for `Origin` and token; `max_body` is its own limit in bytes, 0 that of the gate.
    `is_shared`: where people sign in, they are asked for here in place of the token. A path that ends with a slash stands for all below.
    `takes_slash`: the same path with a slash at its end, which people paste, is this one.
    """

    endpoint: Endpoint
    methods: tuple[str, ...]
    is_open: bool = False
    refusal: Callable[[Scope, Headers], JSONResponse | None] | None = None
    max_body: int = 0
    is_shared: bool = False
    takes_slash: bool = False


class Admission(Protocol):
    """Who may ask a server whose library several people share, and with which rights."""

    can_be_guessed: bool
    """Whether one secret opens the shared paths for everybody."""

    async def admit(self, scope: Scope, headers: Headers) -> Response | AbstractContextManager[None]:
        """The refusal, or the rights of the person for as long as the request is answered; notes in the scope who that is."""

    async def as_node(self) -> AbstractContextManager[None]:
        """The rights of who has the token of the program."""


class Throttle:
    """Makes whoever guesses tokens wait: after some refusals within the window each further one is late."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._refused: deque[float] = deque(maxlen=caps.MAX_UNAUTHORISED)
        self._waiting = 0

    async def refused(self) -> bool:
        """Count a refusal and wait if it is one too many; False when too many wait already."""
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
    """Pure ASGI. An empty token opens everything; the endpoint allows that on loopback only."""

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
        refusal: Response | None = self._refusal(scope, headers)
        acting: AbstractContextManager[None] = contextlib.nullcontext()
        is_guess = refusal is not None
        if refusal is None and self._admission is not None:
            admitted = await self._admitted(self._admission, scope, headers)
            if isinstance(admitted, Response):
                refusal, is_guess = admitted, self._admission.can_be_guessed
            else:
                acting = admitted
        if refusal is not None:
            if refusal.status_code == UNAUTHORISED and is_guess and not await self._throttle.refused():
                refusal = error_response(429, "too many requests without the token", {"Retry-After": "1"})
            await refusal(scope, receive, send)
            return
        connection = scope.get("state", {}).get(CONNECTION_KEY)
        route = self._routes[self._path(scope)]
        if connection is not None and not route.is_open:
            connection.proved()
        limit = route.max_body or self._max_body
        is_large = _may_exceed(headers, self._max_body, limit)
        if is_large and not await self._has_room():
            told = error_response(503, "too many large requests at once, try again soon", {"Retry-After": "5"})
            await told(scope, receive, send)
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
                log.info("a request was cut off by the end of the endpoint")
        except _CutOffError:
            return
        finally:
            if is_large:
                self._large.release()

    async def _has_room(self) -> bool:
        """Whether a large body may be read: it takes a place, for which it waits a while."""
        try:
            async with asyncio.timeout(LARGE_WAIT_SECONDS):
                return await self._large.acquire()
        except TimeoutError:
            return False

    def _refusal(self, scope: Scope, headers: Headers) -> JSONResponse | None:
        route = self._routes.get(self._path(scope))
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
        """The path, or that of the route which stands for all below it."""
        path: str = scope["path"]
        plain = self._routes.get(path.removesuffix("/"))
        if plain is not None and plain.takes_slash:
            return path.removesuffix("/")
        return path if path in self._routes else path[: path.rfind("/") + 1]

    async def _admitted(
        self, admission: Admission, scope: Scope, headers: Headers
    ) -> Response | AbstractContextManager[None]:
        route = self._routes[self._path(scope)]
        if route.is_open or route.refusal is not None:
            return contextlib.nullcontext()
        return await (admission.admit(scope, headers) if route.is_shared else admission.as_node())


def replayed(request: Message, receive: Receive) -> Receive:
    """A `receive` that gives `request` first and then what really comes."""
    pending = [request]

    async def next_message() -> Message:
        return pending.pop() if pending else await receive()

    return next_message


async def disconnected(receive: Receive) -> None:
    """Return when the other side has gone away; the body must have been read."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def until_disconnected(app: Endpoint, scope: Scope, receive: Receive, send: Send) -> None:
    """Run an endpoint that does not listen for the end of the connection, and cancel it when that comes."""
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
    """Whether the request carries the token; compared in constant time. Always true for an empty token."""
    if not token:
        return True
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return hmac.compare_digest(given.strip().encode(), token.encode()) and scheme.lower() == "bearer"


def allowed_hosts(host: str, port: int, more: Sequence[str] = ()) -> tuple[str, ...]:
    """The `Host` values that mean this endpoint: loopback, the address bound to, configured names."""
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
"""Headers in which a proxy names itself or its client, beside those that begin with FORWARDED_PREFIXES."""
FORWARDED_PREFIXES: Final = ("x-forwarded", "x-original-", "x-envoy-", "x-proxy", "cf-", "fastly-")


def is_from_here(scope: Scope) -> bool:
    """Whether a program on this machine asks for itself, and not a proxy on this machine for another one."""
    client, server = scope.get("client") or ("",), scope.get("server") or ("",)
    is_near = is_loopback(client[0]) or (client[0] != "" and client[0] == server[0])
    return is_near and not _is_passed_on(scope, server[0])


def _is_passed_on(scope: Scope, served: str) -> bool:
    """Whether a proxy sends the request: by its headers, another name than this machine's, or HTTP/1.0, which nginx speaks to servers."""
    headers = Headers(scope=scope)
    name = (urlsplit(f"//{headers.get('host', '')}").hostname or "").lower()
    is_named = any(each in FORWARDED or each.startswith(FORWARDED_PREFIXES) for each in headers)
    return is_named or scope.get("http_version") == "1.0" or not (is_loopback(name) or name == served)


def unauthorised() -> JSONResponse:
    """The refusal of a request without a valid token."""
    return error_response(UNAUTHORISED, "unauthorized", {"WWW-Authenticate": 'Bearer realm="webrag"'})


def error_response(status: int, text: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """`{"error": text}` under an HTTP status."""
    body: dict[str, Any] = {"error": text}
    return JSONResponse(body, status_code=status, headers=dict(headers or {}))


class _CutOffError(Exception):
    """The other side left before its request was whole: what came of it is not what was meant."""


def _may_exceed(headers: Headers, most: int, limit: int) -> bool:
    """Whether a body may be larger than `most`, where as much as `limit` is taken."""
    declared = headers.get("content-length", "")
    return limit > most and ("transfer-encoding" in headers or (declared.isdecimal() and int(declared) > most))


async def _read_body(headers: Headers, receive: Receive, limit: int) -> bytes | None:
    """The whole body; None as soon as it is known to be larger than `limit`. Raises _CutOffError where it ends too early."""
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
