"""Parse and build JSON-RPC messages as far as the bridge needs: their kind, recipient and protocol era."""

from __future__ import annotations

import base64
import contextlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from app import caps

MAX_CLIENT_INFO_CHARS: Final = 200
BOM: Final = b"\xef\xbb\xbf"
PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
INTERNAL_ERROR: Final = -32603
UNREACHABLE: Final = -32000
VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CLIENT_KEY: Final = "io.modelcontextprotocol/clientInfo"
SUBSCRIPTION_KEY: Final = "io.modelcontextprotocol/subscriptionId"
NAMED_BY: Final = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}

LIST_CHANGES: Final = {
    word.encode(): f"notifications/{word}/list_changed" for word in ("tools", "prompts", "resources")
}
"""The word that the instance sends on the lifeline for a changed list, and the notification for clients of the older era."""

_PLAIN_HEADER = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_SENTINEL = re.compile(r"=\?base64\?.*\?=")

ACKNOWLEDGED: Final = "notifications/subscriptions/acknowledged"  # The first message on the stream of a subscription.

MessageId = str | int | float | None


@dataclass(frozen=True, slots=True)
class Message:
    """A request or notification. `modern_version` is set in the era in which every message names its version."""

    body: bytes
    method: str
    id: MessageId
    is_request: bool
    params: dict[str, Any]
    modern_version: str | None
    client: str | None


class InvalidMessageError(Exception):
    """The input is not a message. `code` and `id` belong to the JSON-RPC error response."""

    def __init__(self, code: int, text: str, message_id: MessageId = None) -> None:
        super().__init__(text)
        self.code = code
        self.id = message_id


def sound_line(line: bytes) -> bytes:
    """Return the line with U+FFFD for each unpaired surrogate, as other transports read it."""
    if b"\\u" not in line and b"\xed" not in line:
        return line
    # Imported on demand: every module that a bridge loads at its start costs each client time and memory.
    from app.serialise import sound_json

    return sound_json(line)


def parse_line(line: bytes) -> Any:
    """Return the JSON value of a line. Raises InvalidMessageError."""
    try:
        return json.loads(line.removeprefix(BOM).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InvalidMessageError(PARSE_ERROR, "Parse error: the line is not valid JSON.") from error


def read_message(value: Any, body: bytes | None = None) -> Message | None:
    """Return a request or notification, or None for a response, which the bridge does not need.

    `body` is the wire form, if known. Raises InvalidMessageError.
    """
    if not isinstance(value, dict):
        raise InvalidMessageError(INVALID_REQUEST, "Invalid request: a message must be an object.")
    message_id, method = value.get("id"), value.get("method")
    if method is None and ("result" in value or "error" in value):
        return None
    has_id = "id" in value
    if isinstance(message_id, bool) or (has_id and not isinstance(message_id, str | int)):
        raise InvalidMessageError(INVALID_REQUEST, "Invalid request: an id must be a string or an integer.")
    if not isinstance(method, str):
        raise InvalidMessageError(INVALID_REQUEST, "Invalid request: the method is missing.", message_id)
    params = _mapping(value.get("params"))
    meta = _mapping(params.get("_meta"))
    version = meta.get(VERSION_KEY)
    return Message(
        body=body if body is not None else encode(value),
        method=method,
        id=message_id,
        is_request=has_id,
        params=params,
        modern_version=version if isinstance(version, str) else None,
        client=_client(meta.get(CLIENT_KEY) or (params.get("clientInfo") if method == "initialize" else None)),
    )


def expects_answer(value: Any) -> bool:
    """Whether a member of a batch needs a response: requests and invalid messages do."""
    try:
        message = read_message(value)
    except InvalidMessageError:
        return True
    return message is not None and message.is_request


def cancelled_id(message: Message) -> MessageId:
    """Return the request ID in a `notifications/cancelled` message."""
    found = message.params.get("requestId")
    return found if isinstance(found, str | int | float) and not isinstance(found, bool) else None


def protocol_headers(message: Message, negotiated: str | None) -> dict[str, str]:
    """Return the headers of the message's era: version, method and name, or only the version of the handshake."""
    if message.modern_version is None:
        return (
            {"MCP-Protocol-Version": header_value(negotiated)} if negotiated and message.method != "initialize" else {}
        )
    headers = {"MCP-Protocol-Version": header_value(message.modern_version), "Mcp-Method": header_value(message.method)}
    name = message.params.get(NAMED_BY.get(message.method, ""))
    if isinstance(name, str):
        headers["Mcp-Name"] = header_value(name)
    return headers


def header_value(text: str) -> str:
    """Return text as a header value. Other characters are encoded as `=?base64?…?=` (protocol 2026-07-28)."""
    if not text or (_PLAIN_HEADER.fullmatch(text) and not _SENTINEL.fullmatch(text)):
        return text
    return f"=?base64?{base64.b64encode(text.encode('utf-8', 'surrogatepass')).decode('ascii')}?="


def error_reply(code: int, text: str, message_id: MessageId, data: dict[str, Any] | None = None) -> bytes:
    """Return a JSON-RPC error in its wire form."""
    error = {"code": code, "message": text, **({"data": data} if data is not None else {})}
    return encode({"jsonrpc": "2.0", "id": message_id, "error": error})


def first_result(answers: Iterable[bytes]) -> dict[str, Any] | None:
    """Read all messages of a response and return the first result."""
    found: dict[str, Any] | None = None
    for raw in answers:
        with contextlib.suppress(ValueError, RecursionError):
            result = _mapping(json.loads(raw)).get("result")
            found = found or (result if isinstance(result, dict) else None)
    return found


def change_notices(listen: Message, words: Iterable[bytes]) -> Iterator[bytes]:
    """Return the notifications on a `subscriptions/listen` stream for the subscribed lists that changed."""
    asked = _mapping(listen.params.get("notifications"))
    for word in words:
        if asked.get(f"{word.decode()}ListChanged") is True:
            yield encode({"jsonrpc": "2.0", "method": LIST_CHANGES[word], "params": _on_stream(listen)})


def update_notices(listen: Message) -> Iterator[bytes]:
    """Return the notifications on a stream as if each subscribed resource had changed."""
    followed = _mapping(listen.params.get("notifications")).get("resourceSubscriptions")
    for uri in followed[: caps.BRIDGE_CALLS] if isinstance(followed, list) else ():
        if isinstance(uri, str):
            params = {"uri": uri, **_on_stream(listen)}
            yield encode({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": params})


def _on_stream(listen: Message) -> dict[str, Any]:
    return {"_meta": {SUBSCRIPTION_KEY: listen.id}}


def encode(value: Any) -> bytes:
    """Return the wire form of a JSON value, as one line."""
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _client(info: Any) -> str | None:
    """Return the percent-encoded `name/version` of a clientInfo object."""
    info = _mapping(info)
    name, version = info.get("name"), info.get("version")
    if not isinstance(name, str) or not name:
        return None
    text = f"{name}/{version}" if isinstance(version, str) and version else name
    return quote(text[:MAX_CLIENT_INFO_CHARS], safe="/", errors="replace")
