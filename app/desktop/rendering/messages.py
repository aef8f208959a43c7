"""What is said on the pipes of the page renderer: a line of JSON each way, then the bytes of a page.

The first line of the input is a Setup, every later one a RenderRequest.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import IO, TypeVar

from app.serialise import from_jsonable

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setup:
    """How the network is reached and what this program is called there."""

    proxy_user: str
    proxy_password: str
    user_agent: str


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """A page to render. `timeout` is in seconds; after it the page is taken as it is."""

    id: int
    url: str
    timeout: float


def read_message(kind: type[T], line: bytes) -> T:
    """Return the Setup or RenderRequest of a line. Raises ValueError."""
    try:
        return from_jsonable(kind, json.loads(line))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def write_page(stream: IO[bytes], request_id: int, url: str, html: bytes) -> None:
    """`url` is where the page is now, after whatever its scripts did."""
    _write(stream, {"id": request_id, "ok": True, "url": url, "bytes": len(html)}, html)


def write_error(stream: IO[bytes], request_id: int, error: str) -> None:
    _write(stream, {"id": request_id, "ok": False, "error": error}, b"")


def _write(stream: IO[bytes], head: dict[str, str | int | bool], body: bytes) -> None:
    stream.write(json.dumps(head).encode() + b"\n" + body)
    stream.flush()
