"""The two ends of the pipe to the client: lines in, lines out, bytes as they are."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator

from app import caps

READ_BYTES = 64 * caps.KIB


def claim_stdio() -> tuple[int, int]:
    """Descriptors for the protocol; afterwards descriptor 1 leads to stderr, so that nothing printed can reach the client."""
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (0, 1):
            msvcrt.setmode(descriptor, os.O_BINARY)
    sink = os.dup(1)
    os.dup2(2, 1)
    return 0, sink


def lines(descriptor: int, limit: int = caps.BRIDGE_MESSAGE_BYTES) -> Iterator[bytes | None]:
    """Lines without their ending, the last one even if it has none; None stands for a line longer than `limit` bytes."""
    buffer = bytearray()
    skipping = False
    while chunk := os.read(descriptor, READ_BYTES):
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            buffer += chunk[start:end]
            yield None if skipping or len(buffer) > limit else bytes(buffer)
            buffer.clear()
            skipping = False
            start = end + 1
        buffer += chunk[start:]
        if len(buffer) > limit:
            skipping = True
            buffer.clear()
    if skipping:
        yield None
    elif buffer:
        yield bytes(buffer)


class LineWriter:
    """Writes whole lines from many threads; the first failure closes it for good."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self.broken = threading.Event()

    def write(self, line: bytes) -> None:
        """Write one message; silently nothing once the client has gone."""
        rest = memoryview(line + b"\n")
        with self._lock:
            if self.broken.is_set():
                return
            try:
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
            except OSError:
                self.broken.set()
