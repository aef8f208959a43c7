"""The two ends of the pipe to the client: lines in, lines out, bytes as they are."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable, Iterator

from app import caps
from app.bridge.oversized import ENDS_KEPT, Oversized


def claim_stdio() -> tuple[int, int]:
    """Descriptors for the protocol; from now on descriptor 1 leads to stderr: no print reaches the client."""
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (0, 1):
            msvcrt.setmode(descriptor, os.O_BINARY)
    try:
        os.fstat(2)
    except OSError:
        # A client may give us no stderr; the next thing opened must not become it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sink = os.dup(1)
    os.dup2(2, 1)
    return 0, sink


def lines(descriptor: int, limit: int = caps.BRIDGE_MESSAGE_BYTES) -> Iterator[bytes | Oversized]:
    """Lines without their ending, the last one even without any; what is left of one longer than `limit` bytes."""
    buffer = bytearray()
    head: bytes | None = None
    while chunk := os.read(descriptor, caps.BRIDGE_READ_BYTES):
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            buffer += end
            yield _line(buffer, head, limit)
            buffer.clear()
            head = None
        buffer += rest
        if len(buffer) > limit:
            head = head if head is not None else bytes(buffer[:ENDS_KEPT])
            del buffer[:-ENDS_KEPT]
    if buffer:
        yield _line(buffer, head, limit)


def _line(buffer: bytearray, head: bytes | None, limit: int) -> bytes | Oversized:
    if head is None and len(buffer) <= limit:
        return bytes(buffer)
    return Oversized(head if head is not None else bytes(buffer[:ENDS_KEPT]), bytes(buffer[-ENDS_KEPT:]))


class LineWriter:
    """Writes whole lines from many threads; the first failure breaks it for good and `on_failure` is told."""

    def __init__(self, descriptor: int, on_failure: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._on_failure = on_failure
        self.broken = False

    def is_unread(self) -> bool:
        """Whether the client has closed its end; False where that cannot be told before the next write."""
        if sys.platform == "win32":
            return self.broken
        poll = select.poll()
        poll.register(self._descriptor, 0)
        return self.broken or any(state & (select.POLLERR | select.POLLHUP) for _, state in poll.poll(0))

    def write(self, line: bytes) -> None:
        """Write one message; silently nothing once the client has gone."""
        rest = memoryview(line + b"\n")
        with self._lock:
            if self.broken:
                return
            try:
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
            except OSError:
                self.broken = True
        if self.broken:
            self._on_failure()
