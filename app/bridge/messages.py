"""JSON-RPC messages as the bridge needs to know them: what kind, whose answer, which protocol era."""

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
NAMED_BY: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

LIST_CHANGES: Final = {
    word.encode(): f"notifications/{word}/list_changed" for word in ("tools", "prompts", "resources")
}
"""What the instance says on the life line when a list changed, and the notification that tells a client of the older era."""

_PLAIN_HEADER = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_SENTINEL = re.compile(r"=\?base64\?.*\?=")

ACKNOWLEDGED: Final = "notifications/subscriptions/acknowledged"
"""The first message on the stream of a subscription."""

MessageId = str | int | float | None


@dataclass(frozen=True, slots=True)
class Message:
    """A request or notification. `modern_version` is set in the era where each message names its version."""

    body: bytes
    method: str
    id: MessageId
    is_request: bool
    params: dict[str, Any]
    modern_version: str | None
    client: str | None


class InvalidMessageError(Exception):
    """What arrived is not a message; `code` and `id` are those of the JSON-RPC error to answer with."""

    def __init__(self, code: int, text: str, message_id: MessageId = None) -> None:
        super().__init__(text)
        self.code = code
        self.id = message_id


def sound_line(line: bytes) -> bytes:
    """The line with U+FFFD for each half of a surrogate pair, as other transports read it."""
    if b"\\u" not in line and b"\xed" not in line:
        return line
    # Loaded on demand: each client pays for every module that a bridge loads at its start.
    from app.serialise import sound_json

    return sound_json(line)


def parse_line(line: bytes) -> Any:
    """The JSON value of a line. Raises InvalidMessageError."""
    try:
        return json.loads(line.removeprefix(BOM).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InvalidMessageError(PARSE_ERROR, "Parse error: the line is not valid JSON.") from error


def read_message(value: Any, body: bytes | None = None) -> Message | None:
    """A request or notification; None for a response, which nothing here waits for.

    `body` is the wire form when it is known. Raises InvalidMessageError.
    """
    if not isinstance(value, dict):
        raise InvalidMessageError(INVALID_REQUEST, "Invalid request: a message is an object.")
    message_id, method = value.get("id"), value.get("method")
    if method is None and ("result" in value or "error" in value):
        return None
    has_id = "id" in value
    if isinstance(message_id, bool) or (has_id and not isinstance(message_id, str | int)):
        raise InvalidMessageError(INVALID_REQUEST, "Invalid request: an id is a string or a whole number.")
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
    """Whether a member of a batch is owed an answer: requests and what is no message at all."""
    try:
        message = read_message(value)
    except InvalidMessageError:
        return True
    return message is not None and message.is_request


def cancelled_id(message: Message) -> MessageId:
    """The id of the request that a `notifications/cancelled` names."""
    found = message.params.get("requestId")
    return found if isinstance(found, str | int | float) and not isinstance(found, bool) else None


def protocol_headers(message: Message, negotiated: str | None) -> dict[str, str]:
    """The headers of the message's era: version, method and name, or the version of the handshake."""
    if message.modern_version is None:
        return (
            {"MCP-Protocol-Version": header_value(negotiated)} if negotiated and message.method != "initialize" else {}
        )
    headers = {
        "MCP-Protocol-Version": header_value(message.modern_version),
        "Mcp-Method": header_value(message.method),
    }
    name = message.params.get(NAMED_BY.get(message.method, ""))
    if isinstance(name, str):
        headers["Mcp-Name"] = header_value(name)
    return headers


def header_value(text: str) -> str:
    """Text as a header may carry it; what would not survive travels as `=?base64?…?=` (of 2026-07-28)."""
    if not text or (_PLAIN_HEADER.fullmatch(text) and not _SENTINEL.fullmatch(text)):
        return text
    return f"=?base64?{base64.b64encode(text.encode('utf-8', 'surrogatepass')).decode('ascii')}?="


def error_reply(code: int, text: str, message_id: MessageId, data: dict[str, Any] | None = None) -> bytes:
    """A JSON-RPC error in its wire form."""
    error = {"code": code, "message": text, **({"data": data} if data is not None else {})}
    return encode({"jsonrpc": "2.0", "id": message_id, "error": error})


def first_result(answers: Iterable[bytes]) -> dict[str, Any] | None:
    """The result among the messages of an answer, all of which are read."""
    found: dict[str, Any] | None = None
    for raw in answers:
        with contextlib.suppress(ValueError, RecursionError):
            result = _mapping(json.loads(raw)).get("result")
            found = found or (result if isinstance(result, dict) else None)
    return found


def change_notices(listen: Message, words: Iterable[bytes]) -> Iterator[bytes]:
    """What the stream of a `subscriptions/listen` request says of the subscribed lists that changed."""
    asked = _mapping(listen.params.get("notifications"))
    for word in words:
        if asked.get(f"{word.decode()}ListChanged") is True:
            yield encode({"jsonrpc": "2.0", "method": LIST_CHANGES[word], "params": _on_stream(listen)})


def update_notices(listen: Message) -> Iterator[bytes]:
    """What the stream would say if each resource that it follows had changed."""
    followed = _mapping(listen.params.get("notifications")).get("resourceSubscriptions")
    for uri in followed[: caps.BRIDGE_CALLS] if isinstance(followed, list) else ():
        if isinstance(uri, str):
            params = {"uri": uri, **_on_stream(listen)}
            yield encode({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": params})


def _on_stream(listen: Message) -> dict[str, Any]:
    return {"_meta": {SUBSCRIPTION_KEY: listen.id}}


def encode(value: Any) -> bytes:
    """The wire form of a JSON value: one line."""
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _client(info: Any) -> str | None:
    """`name/version`, percent-encoded, of a clientInfo object."""
    info = _mapping(info)
    name, version = info.get("name"), info.get("version")
    if not isinstance(name, str) or not name:
        return None
    text = f"{name}/{version}" if isinstance(version, str) and version else name
    return quote(text[:MAX_CLIENT_INFO_CHARS], safe="/", errors="replace")
