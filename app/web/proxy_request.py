"""What a browser asks of a forward proxy: a tunnel (CONNECT) or one plain HTTP request (RFC 9112, section 3.2)."""

from __future__ import annotations

import base64
import binascii
import hmac
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from app.errors import InvalidURLError
from app.web.urls import normalise_host

PLAIN_METHODS: Final = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
"""What a page needs to show itself."""

_DROPPED: Final = frozenset(
    {"connection", "host", "keep-alive", "te", "trailer", "upgrade", "proxy-connection", "proxy-authorization"}
)


class RefusalError(Exception):
    """The answer is a status in place of what was asked for; `headers` are header lines of it."""

    def __init__(self, status: int, reason: str, headers: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.headers = headers

    @property
    def answer(self) -> bytes:
        lines = [f"HTTP/1.1 {self.status} {self.reason}", *self.headers, "Content-Length: 0", "Connection: close"]
        return "\r\n".join([*lines, "", ""]).encode("ascii", "replace")


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """Where to connect to. `head` goes to the server before `body_bytes` bytes of body; a tunnel has none of both."""

    host: str
    port: int
    is_tunnel: bool
    head: bytes = b""
    body_bytes: int = 0


def parse_request(raw: bytes, credentials: str) -> ProxyRequest:
    """The request in the head of a message. Raises RefusalError, first of all without the credentials (user:password)."""
    lines = raw.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    headers = [_header(line) for line in lines[1:]]
    if not any(_proves(value, credentials) for name, value in headers if name.lower() == "proxy-authorization"):
        raise RefusalError(407, "Proxy Authentication Required", ('Proxy-Authenticate: Basic realm="renderer"',))
    method, _, rest = lines[0].partition(" ")
    target, _, version = rest.rpartition(" ")
    if version not in ("HTTP/1.1", "HTTP/1.0"):
        raise RefusalError(400, "Bad Request")
    if method == "CONNECT":
        return ProxyRequest(*_authority(f"//{target}", None), is_tunnel=True)
    if method not in PLAIN_METHODS:
        raise RefusalError(405, "Method Not Allowed")
    return _plain(method, target, headers)


def _plain(method: str, target: str, headers: list[tuple[str, str]]) -> ProxyRequest:
    parts = urlsplit(target)
    if parts.scheme != "http":
        raise RefusalError(400, "Bad Request")
    host, port = _authority(target, 80)
    path = target[len("http://") + len(parts.netloc) :].partition("#")[0]
    shown = f"[{host}]" if ":" in host else host
    kept = [f"{name}: {value}" for name, value in headers if name.lower() not in _DROPPED]
    first = f"{method} {path if path.startswith('/') else '/' + path} HTTP/1.1"
    head = "\r\n".join([first, f"Host: {shown}:{port}" if port != 80 else f"Host: {shown}", *kept, "Connection: close"])
    return ProxyRequest(host, port, False, f"{head}\r\n\r\n".encode("latin-1"), _body_bytes(headers))


def _authority(target: str, default_port: int | None) -> tuple[str, int]:
    try:
        parts = urlsplit(target)
        port = default_port if parts.port is None else parts.port
        if "@" in parts.netloc or not port or not parts.hostname:
            raise RefusalError(400, "Bad Request")
        return normalise_host(parts.hostname), port
    except (ValueError, InvalidURLError) as error:
        raise RefusalError(400, "Bad Request") from error


def _header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not name or name != name.strip():
        raise RefusalError(400, "Bad Request")
    return name, value.strip()


def _body_bytes(headers: list[tuple[str, str]]) -> int:
    lengths = {value for name, value in headers if name.lower() == "content-length"}
    chunked = any(name.lower() == "transfer-encoding" for name, _ in headers)
    if chunked or len(lengths) > 1 or not all(length.isdecimal() for length in lengths):
        raise RefusalError(411, "Length Required")
    return int(lengths.pop()) if lengths else 0


def _proves(value: str, credentials: str) -> bool:
    scheme, _, encoded = value.partition(" ")
    try:
        given = base64.b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        return False
    return scheme.lower() == "basic" and hmac.compare_digest(given, credentials.encode())
