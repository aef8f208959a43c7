"""`/mcp`: Streamable HTTP without sessions, as an event stream or, where only JSON is taken, as one body."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from app import caps
from app.server.calls.limits import RATE_LIMITED, RATE_MESSAGE, RateLimiter
from app.server.gateway.auth import error_response
from app.server.gateway.disconnect import replayed, until_disconnected
from app.server.protocol.mcp_server import CALLER_KEY
from app.server.sessions import (
    BRIDGE_HEADER,
    SESSION_HEADER,
    RunningCalls,
    caller_from_headers,
    new_session_tag,
)

CHARGED: Final = frozenset({"tools/call", "resources/read"})
"""The methods that count against the rate limit."""


@dataclass(frozen=True, slots=True)
class _Peeked:
    """What must be known of a message before the protocol library sees it."""

    method: str = ""
    id: str | int | None = None
    params: Mapping[str, Any] | None = None


class McpEndpoint:
    """The ASGI side of one MCP server; make a new one each time it starts."""

    def __init__(self, server: Server[Any], rate: RateLimiter, running: RunningCalls) -> None:
        self._rate = rate
        self._running = running
        self._streams = _manager(server, json_response=False)
        self._bodies = _manager(server, json_response=True)

    @contextlib.asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Serve for as long as the context lasts."""
        async with self._streams.run(), self._bodies.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = MutableHeaders(raw=list(scope["headers"]))
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            await error_response(415, "the content type must be application/json")(scope, receive, send)
            return
        request = await receive()
        message = _peeked(request.get("body", b""))
        caller = caller_from_headers(headers)
        takes_stream = "text/event-stream" in headers.get("accept", "").lower()
        if message.method == "notifications/cancelled":
            self._running.cancel(caller, (message.params or {}).get("requestId"))
        if not takes_stream:
            headers["accept"] = "application/json"
            if message.method in CHARGED:
                wait = self._rate.retry_after(caller.rate_key)
                if wait > 0:
                    await _too_many(message, wait)(scope, receive, send)
                    return
                caller = replace(caller, charged=True)
        if message.method == "initialize" and BRIDGE_HEADER not in headers:
            send = _with_session_tag(send, message.params or {})
        scope = {**scope, "headers": headers.raw, CALLER_KEY: caller}
        await self._serve(takes_stream, scope, replayed(request, receive), send)

    async def _serve(self, takes_stream: bool, scope: Scope, receive: Receive, send: Send) -> None:
        if takes_stream:
            await self._streams.handle_request(scope, receive, send)
        else:
            await until_disconnected(self._bodies.handle_request, scope, receive, send)


def _manager(server: Server[Any], *, json_response: bool) -> StreamableHTTPSessionManager:
    return StreamableHTTPSessionManager(
        server,
        json_response=json_response,
        stateless=True,
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=caps.MAX_REQUEST_BYTES,
    )


def _peeked(body: bytes) -> _Peeked:
    """Method, id and parameters; empty when the body is not one message: the protocol library says so."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return _Peeked()
    if not isinstance(value, dict) or not isinstance(value.get("method"), str):
        return _Peeked()
    params, message_id = value.get("params"), value.get("id")
    return _Peeked(
        value["method"],
        message_id if isinstance(message_id, str | int) else None,
        params if isinstance(params, dict) else None,
    )


def _too_many(message: _Peeked, wait: float) -> JSONResponse:
    seconds = math.ceil(wait)
    error = {"code": RATE_LIMITED, "message": RATE_MESSAGE, "data": {"retryAfter": seconds}}
    body = {"jsonrpc": "2.0", "id": message.id, "error": error}
    return JSONResponse(body, status_code=429, headers={"Retry-After": str(seconds)})


def _with_session_tag(send: Send, params: Mapping[str, Any]) -> Send:
    tag = new_session_tag(params)

    async def tagged(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            headers = MutableHeaders(raw=list(message.get("headers", [])))
            headers[SESSION_HEADER] = tag
            message = {**message, "headers": headers.raw}
        await send(message)

    return tagged
