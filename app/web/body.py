"""Reading a body: what kind it is, and no more of it than the cap."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from email.message import Message
from typing import Final

import httpx

from app import caps
from app.errors import BodyTooLargeError, FetchError, UnsupportedContentError
from app.web.decode import DecodeError, Decoder, decoder_for
from app.web.urls import host_of

PAGE_TYPES: Final = frozenset(
    {
        "text/html",
        "application/xhtml+xml",
        "text/markdown",
        "text/x-markdown",
        "text/plain",
        "text/xml",
        "application/xml",
        "application/rss+xml",
        "application/atom+xml",
    }
)
ACCEPT: Final = "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.8, application/xml;q=0.7"
BREATHE_BYTES: Final = 1 * caps.MIB
"""The event loop gets a turn at least this often; a mebibyte takes 2 to 5 ms to decompress."""

_SNIFFED: Final = 1_024
_MARKUP: Final = re.compile(rb"(?i)<(!doctype|!--|html|head|body|title|meta|h1|div|p|table|a)[\s>]")


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """How much may be read, of what. `types` None takes every type; `cut` ends at the cap without failing."""

    max_bytes: int = caps.MAX_BODY_BYTES
    types: frozenset[str] | None = PAGE_TYPES
    cut: bool = False


def content_type(headers: httpx.Headers) -> tuple[str, str | None]:
    """Lower-case media type ("" when missing or malformed) and charset of the header."""
    message = Message()
    message["content-type"] = headers.get("content-type", "")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    charset = message.get_param("charset")
    named = charset.strip().lower() if isinstance(charset, str) else None
    return (kind if "/" in kind else ""), named or None


def sniff(body: bytes) -> str:
    """The media type of a body that came without one: text/html, text/plain or application/octet-stream."""
    start = body[:_SNIFFED]
    if start.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return "text/html" if b"<" in start else "text/plain"
    if start.startswith(b"%PDF-") or any(byte < 9 or 13 < byte < 27 for byte in start):
        return "application/octet-stream"
    return "text/html" if _MARKUP.search(start) else "text/plain"


async def read_body(response: httpx.Response, url: str, limits: BodyLimits) -> tuple[str, bytes]:
    """Media type, sniffed where the header has none, and decompressed body of a streamed response.

    Raises UnsupportedContentError (by the header before anything is read), BodyTooLargeError as soon as the
    cap is passed, FetchError for damaged data and httpx's errors for a broken connection.
    """
    kind, _ = content_type(response.headers)
    if kind:
        _check_type(kind, url, limits)
    coding = response.headers.get("content-encoding", "")
    decoder = decoder_for(coding)
    if decoder is None:
        message = f"{host_of(url)} compresses the page in an unknown way ({coding})."
        raise UnsupportedContentError(message, url=url)
    announced = response.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limits.max_bytes and not limits.cut:
        raise _too_large(url, limits)
    try:
        body = await _collect(response, decoder, url, limits)
    except DecodeError as error:
        raise FetchError(f"{host_of(url)} sent damaged data: {error}.", url=url) from error
    if not kind:
        kind = sniff(body)
        _check_type(kind, url, limits)
    return kind, body


def _check_type(kind: str, url: str, limits: BodyLimits) -> None:
    if limits.types is not None and kind not in limits.types:
        message = f"{host_of(url)} delivers {kind} here, which is not a text page."
        raise UnsupportedContentError(message, url=url)


async def _collect(response: httpx.Response, decoder: Decoder, url: str, limits: BodyLimits) -> bytes:
    pieces: list[bytes] = []
    size = received = worked = 0
    async for raw in response.aiter_raw():
        received += len(raw)
        if received > limits.max_bytes and not limits.cut:
            raise _too_large(url, limits)
        for piece in decoder.feed(raw):
            pieces.append(piece)
            size += len(piece)
            worked += len(piece)
            if size > limits.max_bytes:
                if limits.cut:
                    return b"".join(pieces)[: limits.max_bytes]
                raise _too_large(url, limits)
            if worked > BREATHE_BYTES:
                worked = 0
                await asyncio.sleep(0)
    decoder.finish()
    return b"".join(pieces)


def _too_large(url: str, limits: BodyLimits) -> BodyTooLargeError:
    return BodyTooLargeError(f"The page is larger than {limits.max_bytes // caps.MIB} MiB.", url=url)
