"""Content codings undone piece by piece, so that a small body cannot become a large one at once."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final, Protocol

import brotli  # type: ignore[import-untyped]
import zstandard

from app import caps

PIECE_BYTES: Final = 64 * caps.KIB
ACCEPT_ENCODING: Final = "gzip, deflate, br, zstd"


class DecodeError(ValueError):
    """The compressed data are damaged or end too early."""


class Decoder(Protocol):
    """Undoes one content coding."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Pieces of about PIECE_BYTES, at most 8 MiB, to be used up before the next call.

        Raises DecodeError.
        """
        ...

    def finish(self) -> None:
        """Raise DecodeError unless the stream came to its end."""
        ...


class PlainDecoder:
    """No coding."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        for start in range(0, len(data), PIECE_BYTES):
            yield data[start : start + PIECE_BYTES]

    def finish(self) -> None:
        return None


class ZlibDecoder:
    """gzip of one or several members; deflate with or without the zlib wrapper, on which servers disagree."""

    def __init__(self, *, deflate: bool) -> None:
        self._deflate = deflate
        self._stream = zlib.decompressobj(zlib.MAX_WBITS if deflate else zlib.MAX_WBITS | 16)
        self._members = 1
        self._seen = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._deflate and not self._seen and data and not _zlib_header(data):
            self._stream = zlib.decompressobj(-zlib.MAX_WBITS)
        self._seen = self._seen or bool(data)
        more = bool(data)
        try:
            while more:
                if self._stream.eof and not self._next_member(data):
                    return
                piece = self._stream.decompress(data, PIECE_BYTES)
                if piece:
                    yield piece
                data = self._stream.unconsumed_tail or self._stream.unused_data
                more = bool(data) or (len(piece) == PIECE_BYTES and not self._stream.eof)
        except zlib.error as error:
            raise DecodeError(str(error)) from error

    def finish(self) -> None:
        if self._seen and not self._stream.eof:
            raise DecodeError("the compressed data end too early")

    def _next_member(self, data: bytes) -> bool:
        if self._deflate or not data.startswith(b"\x1f\x8b"):
            return False
        self._members = _counted(self._members)
        self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        return True


def _zlib_header(data: bytes) -> bool:
    """Whether a deflate body starts as RFC 1950 says (method 8, check bits) and is not bare RFC 1951 data."""
    return data[0] & 0x0F == 8 and (len(data) < 2 or int.from_bytes(data[:2], "big") % 31 == 0)


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
            raise DecodeError("the compressed data end too early")


class ZstdDecoder:
    """zstd with the window that RFC 9659 allows on the web.

    The library has no limit for its output, so the input goes in slices: four bytes make at most 128 KiB.
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
            raise DecodeError("the compressed data end too early")

    def _start(self) -> None:
        decompressor = zstandard.ZstdDecompressor(max_window_size=caps.MAX_ZSTD_WINDOW_BYTES)
        self._stream = decompressor.decompressobj()


def _counted(parts: int) -> int:
    """One more part; parts without content would cost time and never reach another cap."""
    if parts >= caps.MAX_COMPRESSED_MEMBERS:
        raise DecodeError("the data were compressed in far too many parts")
    return parts + 1


def decoder_for(content_encoding: str) -> Decoder | None:
    """A fresh decoder for a Content-Encoding header; None when that is not a single known coding."""
    match content_encoding.strip().lower():
        case "" | "identity":
            return PlainDecoder()
        case "gzip" | "x-gzip":
            return ZlibDecoder(deflate=False)
        case "deflate":
            return ZlibDecoder(deflate=True)
        case "br":
            return BrotliDecoder()
        case "zstd":
            return ZstdDecoder()
    return None
