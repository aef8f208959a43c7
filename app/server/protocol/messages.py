"""The check of a JSON-RPC message before the protocol library reads it, the same for HTTP and pipes; the caller of a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from mcp.server.context import ServerRequestContext
from mcp.types import INVALID_REQUEST, PARSE_ERROR
from starlette.requests import Request

from app import extensions
from app.server.calls.limits import PIPE, UNKNOWN, Caller, caller_from_info

Context = ServerRequestContext[Any]
MessageId = str | int

NEWER_ERA: Final = "2026-07-28"  # First version in which every request declares the client's capabilities.
CALLER_KEY: Final = "webrag.caller"  # Key of the caller in the ASGI scope, set by the HTTP endpoint.


@dataclass(frozen=True, slots=True)
class Peeked:
    """Method, id and parameters of a request or notification; empty for a response."""

    method: str = ""
    id: MessageId | None = None
    params: Mapping[str, Any] | None = None


class InvalidMessageError(Exception):
    """A value that is not a JSON-RPC message; `reply` is the error to send."""

    def __init__(self, text: str, message_id: MessageId | None = None) -> None:
        super().__init__(text)
        self.reply = error_reply(INVALID_REQUEST, f"Invalid request: {text}", message_id)


def error_reply(code: int, text: str, message_id: MessageId | None = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": message_id, "error": {"code": code, "message": text}}


NOT_JSON = error_reply(PARSE_ERROR, "Parse error: the line is not valid JSON.")


def peek(value: Any) -> Peeked:
    """Return method, id and parameters of a message. Raises InvalidMessageError."""
    if not isinstance(value, dict):
        raise InvalidMessageError("a message is an object.")
    method, params, given_id = value.get("method"), value.get("params"), value.get("id")
    message_id = given_id if isinstance(given_id, str | int) and not isinstance(given_id, bool) else None
    if value.get("jsonrpc") != "2.0":
        raise InvalidMessageError('`jsonrpc` must be "2.0".', message_id)
    if method is None and ("result" in value or "error" in value):
        return Peeked()
    if "id" in value and message_id is None:
        raise InvalidMessageError("`id` must be a string or a whole number.")
    if not isinstance(method, str):
        raise InvalidMessageError("`method` is missing or not a string.", message_id)
    if params is not None and not isinstance(params, dict):
        raise InvalidMessageError("`params` must be an object.", message_id)
    return Peeked(method, message_id, params)


def caller_of(ctx: Context) -> Caller:
    """Return the caller: from the HTTP request, otherwise from the client's introduction, otherwise unknown."""
    request = ctx.request
    known = request.scope.get(CALLER_KEY) if isinstance(request, Request) else None
    caller = known if isinstance(known, Caller) else Caller(key=PIPE)
    found = caller.extensions | extensions.declared(capabilities_of(ctx))
    # Tasks of the older era have another form, which WebRAG does not offer.
    caller = replace(caller, extensions=found if ctx.protocol_version >= NEWER_ERA else found - {extensions.TASKS})
    if caller.name != UNKNOWN:
        return caller
    # From this handshake, an earlier one, or this request.
    if ctx.method == "initialize":
        info = (ctx.params or {}).get("clientInfo")
        name, version = info.get("name") if isinstance(info, Mapping) else None, None
    else:
        client = ctx.session.client_params
        name, version = (client.client_info.name, client.client_info.version) if client is not None else (None, None)
    named = caller_from_info(name if isinstance(name, str) else None, version)
    return replace(caller, name=named.name, version=named.version)


def capabilities_of(ctx: Context) -> Mapping[str, Any] | None:
    """Return what the client declares: in this handshake, an earlier one, or this request."""
    if ctx.method == "initialize":
        given = (ctx.params or {}).get("capabilities")
        return given if isinstance(given, Mapping) else None
    known = ctx.session.client_capabilities
    return known.model_dump(include={"extensions", "elicitation"}) if known is not None else None
