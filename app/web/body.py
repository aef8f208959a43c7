"""Read response bodies up to a limit: media type and content encoding.

Bodies are decompressed in parts, so that a small body cannot fill the memory.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from functools import partial
from pathlib import PurePosixPath
from typing import Final, Protocol
from urllib.parse import urlsplit

import brotli  # type: ignore[import-untyped]
import httpx
import zstandard

from app import caps
from app.errors import BodyTooLargeError, FetchError, UnsupportedContentError
from app.text.media_types import (
    ARCHIVE,
    LARGE_TYPES,
    NOT_TEXT_TYPES,
    READ_TYPES,
    SUFFIXES,
    WORD,
    ZIP_TYPE,
    ZIPPED_NAMES,
)
from app.text.sentence import sentence
from app.web.urls import host_of

MAX_ZSTD_WINDOW_BYTES: Final = 8 * caps.MIB
MAX_COMPRESSED_MEMBERS: Final = 1_000
"""The number of separately compressed parts in a body; blocks of 64 KiB reach the size limit earlier."""

PIECE_BYTES: Final = 64 * caps.KIB
ACCEPT_ENCODING: Final = "gzip, deflate, br, zstd"
PAGE_TYPES: Final = READ_TYPES - frozenset(ARCHIVE.types)
"""Media types of pages and documents. An archive is read only if its address has the name of one."""
PICTURE_TYPES: Final = frozenset(
    {"image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "application/octet-stream"}
)
"""Media types of images in pages; the decoder checks the content. Never `image/svg+xml`."""
_UNTOLD: Final = frozenset({"application/octet-stream", "binary/octet-stream"})
"""Generic types for unknown files; only a signature determines the real type."""
LIST_TYPES: Final = PAGE_TYPES | _UNTOLD | {"application/gzip", "application/x-gzip"}
"""Media types of page lists; sitemaps may be compressed files, and some servers do not know their type."""
ACCEPT: Final = (
    "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/pdf;q=0.7,"
    " application/xml;q=0.7, */*;q=0.1"
)
ACCEPT_PICTURE: Final = "image/webp, image/png, image/jpeg, image/gif;q=0.9"
ACCEPT_ANYTHING: Final = "*/*"
BREATHE_BYTES: Final = 1 * caps.MIB
"""Let the event loop run at least this often; decompressing a mebibyte takes 2 to 5 ms."""

_SNIFFED: Final = 1_024
_MAX_TYPE_CHARS: Final = 1_000  # The rest of a longer header is not used, and parsing time is quadratic in its length.
_MEDIA_TYPE: Final = re.compile(r"[\w!#$&^.+-]{1,80}/[\w!#$&^.+-]{1,80}", re.ASCII)
_CODING: Final = re.compile(r"[\w.+-]{1,20}(?:, ?[\w.+-]{1,20}){0,3}", re.ASCII)
"""The header part that a message may repeat: a name, never a sentence written by the server."""
_GZIP: Final = b"\x1f\x8b"
_SIGNATURES: Final = ((b"%PDF-", "application/pdf"), (_GZIP, "application/gzip"), (b"PK\x03\x04", ZIP_TYPE))
_MARKUP: Final = re.compile(rb"(?i)<(!doctype|!--|html|head|body|title|meta|h1|div|p|table|a)[\s>]")


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """The maximum size and the accepted types of a body. `types` None accepts every type; `cut` truncates at the limit without an error.

    If `max_bytes` is the limit of a page, files that can contain images may have MAX_FILE_BYTES.
    """

    max_bytes: int = caps.MAX_BODY_BYTES
    types: frozenset[str] | None = PAGE_TYPES
    cut: bool = False

    def most(self, kind: str) -> int:
        """Return the maximum size of a body of this type, in bytes."""
        is_large = kind in LARGE_TYPES and self.max_bytes == caps.MAX_BODY_BYTES and not self.cut
        return caps.MAX_FILE_BYTES if is_large else self.max_bytes


def content_type(headers: httpx.Headers) -> tuple[str, str | None]:
    """Return the lower-case media type ("" if missing or malformed) and the charset of the header."""
    written = headers.get("content-type", "")[:_MAX_TYPE_CHARS]
    message = Message()
    message["content-type"] = written
    kind = written.partition(";")[0].strip().lower()
    try:
        charset = message.get_param("charset")
    except TypeError:  # Python cannot sort a parameter with only some numbered parts
        charset = None
    named = charset.strip().lower() if isinstance(charset, str) else None
    return (kind if _MEDIA_TYPE.fullmatch(kind) else ""), named or None


def sniff(body: bytes) -> str:
    """Detect the media type of a body without one: HTML, plain text, PDF, gzip or application/octet-stream."""
    start = body[:_SNIFFED]
    if signed := _signed(start):
        return signed
    if start.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return "text/html" if b"<" in start else "text/plain"
    if any(byte < 9 or 13 < byte < 27 for byte in start):
        return "application/octet-stream"
    return "text/html" if _MARKUP.search(start) else "text/plain"


async def read_body(response: httpx.Response, url: str, limits: BodyLimits) -> tuple[str, bytes]:
    """Return the media type, detected if the header has none, and the decompressed body of a streamed response.

    Raises UnsupportedContentError (if the header suffices, before reading), BodyTooLargeError, FetchError and httpx's errors.
    """
    announced, _ = content_type(response.headers)
    judge = _Judge(announced, url, limits)
    coding = response.headers.get("content-encoding", "")
    decoder = decoder_for(coding)
    if decoder is None:
        raise _unknown_coding(coding, url)
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length) > limits.most(judge.kind) and not limits.cut:
        raise too_large(url, limits.most(judge.kind))
    try:
        body = await _collect(response, decoder, judge, limits)
    except DecodeError as error:
        if isinstance(decoder, _InnerDecoder):
            raise _unknown_coding(coding, url) from error
        hint = "Try again. If the error persists, the site has a problem."
        raise FetchError(sentence("{} returned corrupt data ({}).", host_of(url), error), url=url, hint=hint) from error
    judge.see(body)
    if isinstance(decoder, PlainDecoder) and judge.kind.startswith("text/") and coding and sniff(body) in _UNTOLD:
        raise _unknown_coding(coding, url)
    return judge.kind, body


def _unknown_coding(coding: str, url: str) -> UnsupportedContentError:
    named = f" ({coding})" if _CODING.fullmatch(coding) else ""
    message = sentence("{} uses an unknown compression{}.", host_of(url), named)
    return UnsupportedContentError(message, url=url, hint="Save the page in your browser and add the file.")


class _Judge:
    """Determines the type of a body from its header or its beginning, and rejects unwanted types.

    Both methods raise UnsupportedContentError. `kind` is empty until it is known.
    """

    def __init__(self, announced: str, url: str, limits: BodyLimits) -> None:
        self.kind = "" if announced in _UNTOLD else announced
        self.url = url
        self._announced = announced
        self._types = limits.types
        if self.kind:
            self._check(self.kind)

    def see(self, start: bytes) -> None:
        """Check the beginning of the body: at least _SNIFFED bytes or the whole body."""
        if not self.kind:
            self.kind = (_signed(start) or self._announced) if self._announced else sniff(start)
            self._check(self.kind)

    def _check(self, kind: str) -> None:
        if self._types is None or kind in self._types:
            return
        if "text/plain" in self._types and kind.startswith("text/") and kind not in NOT_TEXT_TYPES:
            return
        path = urlsplit(self.url).path.lower()
        if kind == ZIP_TYPE and WORD.types[0] in self._types and path.endswith(ZIPPED_NAMES):
            return  # many servers do not know office files and e-books
        if kind in _UNTOLD and WORD.types[0] in self._types and PurePosixPath(path).suffix in SUFFIXES:
            return  # nor notebooks and other texts
        message = sentence("{} returned {}, which WebRAG cannot read as text.", host_of(self.url), kind)
        raise UnsupportedContentError(message, url=self.url)


def _signed(start: bytes) -> str:
    """Return the media type for the first bytes; empty if they are unknown."""
    return next((kind for signature, kind in _SIGNATURES if start.startswith(signature)), "")


async def _collect(response: httpx.Response, decoder: Decoder, judge: _Judge, limits: BodyLimits) -> bytes:
    pieces: list[bytes] = []
    size = received = worked = 0
    async for raw in response.aiter_raw():
        received += len(raw)
        most = limits.most(judge.kind)
        if received > most and not limits.cut:
            raise too_large(judge.url, most)
        for piece in decoder.feed(raw):
            pieces.append(piece)
            size += len(piece)
            worked += len(piece)
            if size > most:
                if limits.cut:
                    return b"".join(pieces)[:most]
                raise too_large(judge.url, most)
            if worked > BREATHE_BYTES:
                worked = 0
                await asyncio.sleep(0)
        if not judge.kind and size >= _SNIFFED:
            judge.see(b"".join(pieces)[:_SNIFFED])
    decoder.finish()
    return b"".join(pieces)


def too_large(url: str, max_bytes: int) -> BodyTooLargeError:
    """Return the error for a page larger than this."""
    return BodyTooLargeError(sentence("The page is larger than {} MiB.", f"{max_bytes / caps.MIB:g}"), url=url)


class DecodeError(ValueError):
    """The compressed data is corrupt or truncated."""


class Decoder(Protocol):
    """Decodes one content encoding."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield parts of about PIECE_BYTES, at most 8 MiB; consume them before the next call.

        Raises DecodeError.
        """

    def finish(self) -> None:
        """Raise DecodeError unless the stream is complete."""


class PlainDecoder:
    """No encoding."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        for start in range(0, len(data), PIECE_BYTES):
            yield data[start : start + PIECE_BYTES]

    def finish(self) -> None:
        return None


class ZlibDecoder:
    """gzip with one or several members; deflate with or without the zlib wrapper, which servers use differently."""

    def __init__(self, *, deflate: bool) -> None:
        self._deflate = deflate
        self._stream = zlib.decompressobj(zlib.MAX_WBITS if deflate else zlib.MAX_WBITS | 16)
        self._members = 1
        self._seen = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._deflate and not self._seen and data:
            # A zlib header as in RFC 1950 (method 8, check bits); otherwise raw data as in RFC 1951.
            has_header = data[0] & 0x0F == 8 and (len(data) < 2 or int.from_bytes(data[:2], "big") % 31 == 0)
            self._stream = self._stream if has_header else zlib.decompressobj(-zlib.MAX_WBITS)
        self._seen = self._seen or bool(data)
        more = bool(data)
        try:
            while more:
                if self._stream.eof:
                    if self._deflate or not data.startswith(_GZIP):
                        return
                    self._members = _counted(self._members)
                    self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
                piece = self._stream.decompress(data, PIECE_BYTES)
                if piece:
                    yield piece
                data = self._stream.unconsumed_tail or self._stream.unused_data
                more = bool(data) or (len(piece) == PIECE_BYTES and not self._stream.eof)
        except zlib.error as error:
            raise DecodeError(str(error)) from error

    def finish(self) -> None:
        if self._seen and not self._stream.eof:
            raise DecodeError(sentence("the compressed data is truncated"))


class BrotliDecoder:
    """br (RFC 7932)."""

    def __init__(self) -> None:
        self._stream = brotli.Decompressor()
        self._seen = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._seen = self._seen or bool(data)
        try:
            while not self._stream.is_finished():
                piece = self._stream.process(data, output_buffer_limit=PIECE_BYTES)
                if piece:
                    yield piece
                elif self._stream.can_accept_more_data():
                    return
                data = b""
        except brotli.error as error:
            raise DecodeError(str(error)) from error

    def finish(self) -> None:
        if self._seen and not self._stream.is_finished():
            raise DecodeError(sentence("the compressed data is truncated"))


class ZstdDecoder:
    """zstd with the window size that RFC 9659 allows on the web.

    The library cannot limit its output, so the input is fed in slices: four bytes produce at most 128 KiB.
    """

    SLICE_BYTES: Final = 256

    def __init__(self) -> None:
        self._start()
        self._frames = 1
        self._seen = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._seen = self._seen or bool(data)
        try:
            for start in range(0, len(data), self.SLICE_BYTES):
                rest = data[start : start + self.SLICE_BYTES]
                while rest:
                    if self._stream.eof:
                        self._frames = _counted(self._frames)
                        self._start()
                    if piece := self._stream.decompress(rest):
                        yield piece
                    rest = self._stream.unused_data if self._stream.eof else b""
        except zstandard.ZstdError as error:
            raise DecodeError(str(error)) from error

    def finish(self) -> None:
        if self._seen and not self._stream.eof:
            raise DecodeError(sentence("the compressed data is truncated"))

    def _start(self) -> None:
        decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_ZSTD_WINDOW_BYTES)
        self._stream = decompressor.decompressobj()


def _counted(parts: int) -> int:
    """Count one more part; empty parts would cost time without reaching another limit."""
    if parts >= MAX_COMPRESSED_MEMBERS:
        raise DecodeError(sentence("the data has too many compressed parts"))
    return parts + 1


MAX_CODINGS: Final = 4
_UNREADABLE: Final = frozenset({"compress", "exi", "pack200-gzip", "aes128gcm", "dcb", "dcz"})
"""Registered encodings that are not supported, like all names with "x-" except x-gzip. Other names, such as utf-8 or none, are ignored."""
_DECODERS: Final[Mapping[str, Callable[[], Decoder]]] = {
    "gzip": partial(ZlibDecoder, deflate=False),
    "x-gzip": partial(ZlibDecoder, deflate=False),
    "deflate": partial(ZlibDecoder, deflate=True),
    "br": BrotliDecoder,
    "zstd": ZstdDecoder,
}


class _InnerDecoder:
    """Decodes one more encoding of `outer`'s output, unless only the header claims it: gzip is often declared twice but applied once."""

    def __init__(self, outer: Decoder, name: str) -> None:
        self._outer = outer
        self._name = name
        self._inner: Decoder | None = None
        self._start = b""
        self._size = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        for piece in self._outer.feed(data):
            self._size += len(piece)
            if self._size > caps.MAX_BODY_BYTES:
                raise DecodeError(sentence("the data is too large after the first decompression"))
            self._start += piece
            if self._inner is None and len(self._start) < len(_GZIP):
                continue
            if self._inner is None:
                is_plain = self._name in ("gzip", "x-gzip") and not self._start.startswith(_GZIP)
                self._inner = PlainDecoder() if is_plain else _DECODERS[self._name]()
            yield from self._inner.feed(self._start)
            self._start = b""

    def finish(self) -> None:
        self._outer.finish()
        if self._inner is not None:
            self._inner.finish()
        elif self._start:
            raise DecodeError(sentence("the compressed data is truncated"))


def decoder_for(content_encoding: str) -> Decoder | None:
    """Return a new decoder for a Content-Encoding header, interpreted as in browsers, or None for an unsupported one."""
    names = [name.strip().lower() for name in content_encoding.split(",")]
    known = [name for name in names if name in _DECODERS]
    unknown = (name for name in names if name not in _DECODERS)
    if len(known) > MAX_CODINGS or any(name in _UNREADABLE or name.startswith("x-") for name in unknown):
        return None
    decoder: Decoder = _DECODERS[known.pop()]() if known else PlainDecoder()
    for name in reversed(known):
        decoder = _InnerDecoder(decoder, name)
    return decoder
