"""What is said on the pipes of the page renderer: a line of JSON each way, then the bytes of a page.

The first line of the input is a Setup, every later one a RenderRequest.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import IO


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


def read_setup(line: bytes) -> Setup:
    """Raises ValueError."""
    fields = _fields(line)
    return Setup(str(fields["proxy_user"]), str(fields["proxy_password"]), str(fields["user_agent"]))


def read_request(line: bytes) -> RenderRequest:
    """Raises ValueError."""
    fields = _fields(line)
    return RenderRequest(int(fields["id"]), str(fields["url"]), float(fields["timeout"]))


def write_page(stream: IO[bytes], request_id: int, url: str, html: bytes) -> None:
    """`url` is where the page is now, after whatever its scripts did."""
    _write(stream, {"id": request_id, "ok": True, "url": url, "bytes": len(html)}, html)


def write_error(stream: IO[bytes], request_id: int, error: str) -> None:
    _write(stream, {"id": request_id, "ok": False, "error": error}, b"")


def _fields(line: bytes) -> dict[str, str]:
    try:
        fields = json.loads(line)
        if isinstance(fields, dict):
            return _Required(fields)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    raise ValueError("not an object")


class _Required(dict[str, str]):
    def __missing__(self, key: str) -> str:
        raise ValueError(f"{key} is missing")


def _write(stream: IO[bytes], head: dict[str, str | int | bool], body: bytes) -> None:
    stream.write(json.dumps(head).encode() + b"\n" + body)
    stream.flush()
