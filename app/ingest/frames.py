"""Frames between the program and its preparation process: a line of JSON, and raw bytes where the line says so.

Nothing but data comes out of a frame, so that a parser taken over by a malicious file gains nothing here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

from app import caps

Head = Mapping[str, Any]

BYTES: Final = "bytes"
PIECE_BYTES: Final = 64 * caps.KIB
"""Bodies and batches of rows travel in pieces of about this size: to write or parse one takes well under a millisecond."""


class FrameError(ValueError):
    """The other side ended, or sent what is no frame."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: what the line held, and the bytes that came with it. `size` is that of both."""

    head: Head
    payload: bytes
    size: int

    @property
    def kind(self) -> str:
        return str(self.head.get("kind", ""))


def write_frame(stream: IO[bytes], head: Head, payload: bytes = b"") -> None:
    """Write one frame without waiting for it to be read."""
    line = json.dumps({**head, BYTES: len(payload)} if payload else head, separators=(",", ":"))
    stream.write(line.encode("ascii") + b"\n")
    for start in range(0, len(payload), PIECE_BYTES):
        stream.write(memoryview(payload)[start : start + PIECE_BYTES])


def read_frame(stream: IO[bytes], max_bytes: int) -> Frame:
    """Wait for one frame. Raises FrameError at the end of the stream and for more than `max_bytes`."""
    line = stream.readline(caps.PREPARE_LINE_BYTES + 1)
    if not line:
        raise FrameError("it ended")
    if len(line) > caps.PREPARE_LINE_BYTES or not line.endswith(b"\n"):
        raise FrameError("a line is too long or cut off")
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        raise FrameError("a line is not JSON") from None
    if not isinstance(head, dict):
        raise FrameError("a line is not an object")
    payload = _payload(stream, head.get(BYTES, 0), max_bytes)
    return Frame(head, payload, len(line) + len(payload))


def _payload(stream: IO[bytes], size: object, max_bytes: int) -> bytes:
    if type(size) is not int or not 0 <= size <= max_bytes:
        raise FrameError("a size is not usable")
    payload = stream.read(size) if size else b""
    if len(payload) != size:
        raise FrameError("it ended")
    return payload


def batches(rows: Iterable[Sequence[object]]) -> Iterator[list[Sequence[object]]]:
    """The rows in groups of about PIECE_BYTES."""
    batch: list[Sequence[object]] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += 16 + sum(len(value) if isinstance(value, str) else 8 for value in row)
        if size >= PIECE_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
