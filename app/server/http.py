"""The HTTP endpoint of an instance: own socket, uvicorn without signal handlers, `/mcp` as stateless Streamable HTTP behind the gate."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import math
import os
import re
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from app import caps
from app.errors import SettingsError
from app.events import ServerStateChanged
from app.secrets import MADE_TOKEN_PREFIX
from app.serialise import read_json, sound_json
from app.server import gateway
from app.server.calls import limits
from app.server.calls.dispatch import Dispatcher
from app.server.calls.registry import Registry
from app.server.connections import ACCEPTED_AT_ONCE, ConnectionGuard, Listener
from app.server.control.browsers import BrowserRoutes
from app.server.control.endpoint import Control
from app.server.protocol import sign_ins
from app.server.protocol.changes import ListChanges
from app.server.protocol.mcp_server import build_mcp_server
from app.server.protocol.messages import CALLER_KEY, InvalidMessageError, Peeked, error_reply, peek
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.engine import Engine
    from app.server.node.endpoints import NodeEndpoints

log = logging.getLogger(__name__)

MAX_PORT: Final = 65_535
PORTS_TRIED: Final = 20  # Ports above the configured one to try if it is taken.
MIN_TOKEN_CHARS: Final = 16  # For a token on an address that other machines can reach.
MCP_PATHS: Final = ("/mcp", "/_mcp")
TICK_SECONDS: Final = 1.0  # How often the `Date` header is updated.
CHARGED: Final = frozenset({"tools/call", "resources/read"})  # Methods that count against the rate limit.


class HttpServer:
    """The server; it can be started again after a stop.

    `port` 0 means any free port; if another port is taken, the next free one above it is used. An empty token opens the endpoint to every
    program on this machine. Any address other than loopback needs a token that the user set.
    """

    def __init__(
        self,
        engine: Engine,
        registry: Registry,
        *,
        token: str,
        host: str = "127.0.0.1",
        port: int = 0,
        on_show: Callable[[], None] | None = None,
        on_stop: Callable[[], None] | None = None,
    ) -> None:
        self._engine = engine
        self._registry = registry
        self._token = token
        self._host = host
        self._port = port
        self._on_show = on_show
        self._on_stop = on_stop
        self._server: _QuietServer | None = None
        self._serving: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._changes = ListChanges(engine.bus)
        self._sign_ins = sign_ins.SignIns(lambda: self.url if engine.node is None and gateway.is_loopback(host) else "")
        self._dispatcher: Dispatcher | None = None
        self._node: NodeEndpoints | None = None
        self.attached = limits.AttachedClients(engine.bus)
        self.url = ""

    async def start(self) -> str:
        """Listen, and return the URL of `/mcp`.

        Raises SettingsError for an unsafe address, OSError for an unusable one.
        """
        if self._server is not None:
            return self.url
        self._check_address()
        if self._engine.settings.mcp_http_legacy_rest_enabled:
            log.warning("MCP_HTTP_LEGACY_REST_ENABLED is set, but the legacy REST interface is not available")
        listener = _listener(self._host, self._port)
        try:
            await self._serve_on(listener)
        except BaseException:
            if self._serving is not None:
                self._serving.cancel()
            self._server = self._serving = None
            self._close_dispatcher()
            listener.close()
            raise
        bound, port = listener.getsockname()[:2]
        # Bridges need the address because a server only returns a proof for its own one.
        host = self._host if gateway.is_loopback(self._host) else bound
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{port}/mcp"
        log.info("endpoint up at %s", self.url)
        self._engine.bus.publish(ServerStateChanged(self.url))
        return self.url

    async def stop(self) -> None:
        """Stop listening; running calls get a short time to finish. Can be called twice."""
        server, serving = self._server, self._serving
        self._server = self._serving = None
        if server is None or serving is None:
            return
        self._stopping.set()
        self._changes.end_streams()
        server.leave()
        await asyncio.gather(serving, return_exceptions=True)
        self._close_dispatcher()
        if self._node is not None:
            await self._node.aclose()
            self._node = None
        self.url = ""
        log.info("endpoint down")
        self._engine.bus.publish(ServerStateChanged(""))

    def _close_dispatcher(self) -> None:
        if self._dispatcher is not None:
            self._dispatcher.close()
            self._dispatcher = None

    def _check_address(self) -> None:
        if not re.fullmatch(r"[\x21-\x7e]*", self._token):
            # Bridges refuse it, too, and could only say that WebRAG does not respond.
            raise SettingsError(
                sentence("No program can send the access token."),
                hint=sentence("Set {} to a token of Latin letters, digits and signs without blanks.", "MCP_AUTH_TOKEN"),
            )
        if gateway.is_loopback(self._host):
            return
        node = self._engine.node
        is_chosen = len(self._token) >= MIN_TOKEN_CHARS and not self._token.startswith(MADE_TOKEN_PREFIX)
        is_chosen = is_chosen or (node is not None and bool(node.options.issuer) and bool(self._token))
        if not is_chosen or self._host != self._engine.settings.mcp_host:
            raise SettingsError(
                sentence(
                    "Other machines could reach WebRAG on {}, but its access token is not safe for that.", self._host
                ),
                hint=sentence(
                    "Set {} to this address and your own token of at least {} characters ({} or --token-file), or listen on 127.0.0.1.",
                    "MCP_HOST",
                    MIN_TOKEN_CHARS,
                    "MCP_AUTH_TOKEN",
                ),
            )
        log.warning("other machines can reach WebRAG at %s with the access token", self._host)

    async def _serve_on(self, listener: Listener) -> None:
        self._stopping = asyncio.Event()
        self._dispatcher = dispatcher = Dispatcher(self._engine, self._registry)
        running = limits.RunningCalls()
        self._changes = changes = ListChanges(self._engine.bus, shows_pages=self._engine.node is None)
        mcp_server = build_mcp_server(
            self._engine,
            self._registry,
            dispatcher=dispatcher,
            running=running,
            changes=changes,
            opens=self._on_show is not None,
            sign_ins=self._sign_ins,
        )
        endpoint = McpEndpoint(mcp_server, dispatcher.rate, running)
        guard = ConnectionGuard()
        if self._engine.node is not None:
            from app.server.node.endpoints import NodeEndpoints

            self._node = NodeEndpoints(self._engine, self._engine.node, dispatcher, self._token)
        config = _config(self._gate(endpoint, dispatcher, listener), guard)
        self._server = server = _QuietServer(config, guard, listener)

        async def serve() -> None:
            async with endpoint.run():
                await server.serve(sockets=[listener])

        self._serving = asyncio.create_task(serve(), name="http endpoint")
        ready = asyncio.create_task(server.ready.wait())
        await asyncio.wait({ready, self._serving}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self._serving.done():
            self._serving.result()

    def _gate(self, endpoint: McpEndpoint, dispatcher: Dispatcher, listener: socket.socket) -> gateway.Gate:
        node, settings = self._node, self._engine.settings
        control = Control(
            self._engine,
            dispatcher,
            self.attached,
            token=self._token,
            stopping=self._stopping,
            changes=self._changes,
            on_show=self._on_show,
            on_stop=self._on_stop,
        )
        mcp = endpoint if settings.mcp_http_streamable_enabled else _bridges_only(endpoint)
        browsers = BrowserRoutes(self._engine, dispatcher).routes() if node is None else {}
        shared = node.routes() if node is not None else {}
        bound, port = listener.getsockname()[:2]
        hosts = (
            *gateway.allowed_hosts(self._host, port),
            *gateway.allowed_hosts(bound, port, settings.mcp_allowed_hosts),
        )
        return gateway.Gate(
            {
                **control.routes(),
                **browsers,
                **shared,
                sign_ins.PATH: gateway.Route(self._sign_ins.show, ("GET",), is_open=True),
                **{path: gateway.Route(mcp, ("POST",), is_shared=True, takes_slash=True) for path in MCP_PATHS},
            },
            token=self._token,
            hosts=(*hosts, *(node.hosts if node is not None else ())),
            origins=settings.mcp_allowed_origins,
            admission=node.admission if node is not None else None,
        )


class McpEndpoint:
    """The ASGI part of one MCP server. Create a new one for every start."""

    def __init__(self, server: Server[Any], rate: limits.RateLimiter, running: limits.RunningCalls) -> None:
        self._rate = rate
        self._running = running
        self._streams = _manager(server, json_response=False)
        self._bodies = _manager(server, json_response=True)

    @contextlib.asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Serve while the context is active."""
        async with self._streams.run(), self._bodies.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = MutableHeaders(raw=list(scope["headers"]))
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            await gateway.error_response(415, "the content type must be application/json")(scope, receive, send)
            return
        request = await receive()
        request["body"] = sound_json(request.get("body", b""))
        try:
            message = peek(read_json(request["body"]))
        except InvalidMessageError as error:
            await JSONResponse(error.reply, status_code=400)(scope, receive, send)
            return
        except (ValueError, RecursionError):
            message = Peeked()  # It is not JSON; the protocol library answers that.
        caller = limits.caller_from_headers(headers, scope.get(limits.SUBJECT_KEY, ""))
        accept = headers.get("accept", "")
        kinds = (each.replace(" ", "").split(";") for each in accept.lower().split(","))
        takes_stream = any(kind == "text/event-stream" and not {"q=0", "q=0.0"} & set(more) for kind, *more in kinds)
        # The library compares these headers literally and requires streaming clients to accept plain bodies too.
        headers["content-type"] = "application/json"
        headers["accept"] = "application/json, text/event-stream" if takes_stream else "application/json"
        if message.method == "notifications/cancelled":
            self._running.cancel(caller, (message.params or {}).get("requestId"))
        if not takes_stream and message.method in CHARGED:
            wait = self._rate.retry_after(limits.rate_key(caller))
            if wait > 0:
                seconds = math.ceil(wait)
                body = error_reply(limits.RATE_LIMITED, limits.RATE_MESSAGE, message.id)
                body["error"]["data"] = {"retryAfter": seconds}
                await JSONResponse(body, status_code=429, headers={"Retry-After": str(seconds)})(scope, receive, send)
                return
            caller = replace(caller, charged=True)
        if message.method == "initialize" and limits.BRIDGE_HEADER not in headers:
            send = _with_session_tag(send, message.params or {})
        scope = {**scope, "headers": headers.raw, CALLER_KEY: caller}
        if takes_stream:
            await self._streams.handle_request(scope, gateway.replayed(request, receive), send)
        else:
            await gateway.until_disconnected(
                self._bodies.handle_request, scope, gateway.replayed(request, receive), send
            )


def _manager(server: Server[Any], *, json_response: bool) -> StreamableHTTPSessionManager:
    return StreamableHTTPSessionManager(
        server,
        json_response=json_response,
        stateless=True,
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=caps.MAX_REQUEST_BYTES,
    )


def _with_session_tag(send: Send, params: Mapping[str, Any]) -> Send:
    tag = limits.new_session_tag(params)

    async def tagged(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            headers = MutableHeaders(raw=list(message.get("headers", [])))
            headers[limits.SESSION_HEADER] = tag
            message = {**message, "headers": headers.raw}
        await send(message)

    return tagged


def _bridges_only(endpoint: McpEndpoint) -> gateway.Endpoint:
    """Return an endpoint for the bridges of this machine only, because Streamable HTTP is turned off."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        if gateway.is_from_here(scope) and any(name == limits.BRIDGE_HEADER.encode() for name, _ in scope["headers"]):
            await endpoint(scope, receive, send)
        else:
            text = "bridges only: MCP over HTTP is turned off (MCP_HTTP_STREAMABLE_ENABLED)"
            await gateway.error_response(404, text)(scope, receive, send)

    return served


class _QuietServer(uvicorn.Server):
    """uvicorn inside another program: no signal handlers, one wake-up per second, and an event when it is ready."""

    def __init__(self, config: uvicorn.Config, guard: ConnectionGuard, listener: Listener) -> None:
        super().__init__(config)
        self._guard = guard
        self._listener = listener
        listener.make_room = guard.make_room
        self.ready = asyncio.Event()
        self._leaving = asyncio.Event()

    def leave(self) -> None:
        self.should_exit = True
        self._leaving.set()

    async def main_loop(self) -> None:
        while not await self.on_tick(0):
            self._guard.sweep()
            self._listener.refill()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._leaving.wait(), TICK_SECONDS)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


def _config(app: gateway.Gate, guard: ConnectionGuard) -> uvicorn.Config:
    """Return a configuration without uvicorn's own logging (it fails without stdout), proxies and web sockets."""
    return uvicorn.Config(
        app,
        http=guard.protocol(),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=caps.SHUTDOWN_SECONDS,
        backlog=ACCEPTED_AT_ONCE,
    )


def _listener(host: str, port: int) -> Listener:
    """Return a socket bound to the port or to the next free one. Raises OSError if there is none."""
    last = port if port == 0 else min(port + PORTS_TRIED, MAX_PORT)
    for candidate in range(port, last + 1):
        try:
            return _bound(host, candidate)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES) or candidate == last:
                raise
            log.info("port %d is taken", candidate)
    raise AssertionError("unreachable")


def _bound(host: str, port: int) -> Listener:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = Listener(family)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        elif hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        listener.bind((host, port))
        listener.listen()
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener
