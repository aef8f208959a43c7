"""The protocol of the page renderer: one line of JSON per message, followed by the bytes of a page in responses.

The first input line is a Setup, all others are RenderRequests.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import IO, TypeVar

from app.serialise import from_jsonable

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setup:
    """Network access and user agent."""

    proxy_user: str
    proxy_password: str
    user_agent: str


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """A page to render. After `timeout` seconds, the page is returned as it is."""

    id: int
    url: str
    timeout: float


def read_message(kind: type[T], line: bytes) -> T:
    """Parse a line into a Setup or RenderRequest. Raises ValueError."""
    try:
        return from_jsonable(kind, json.loads(line))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def write_page(stream: IO[bytes], request_id: int, url: str, html: bytes) -> None:
    """Write a page. `url` is its final URL after redirects and scripts."""
    _write(stream, {"id": request_id, "ok": True, "url": url, "bytes": len(html)}, html)


def write_error(stream: IO[bytes], request_id: int, error: str) -> None:
    _write(stream, {"id": request_id, "ok": False, "error": error}, b"")


def _write(stream: IO[bytes], head: dict[str, str | int | bool], body: bytes) -> None:
    stream.write(json.dumps(head).encode() + b"\n" + body)
    stream.flush()
