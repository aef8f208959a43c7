"""Standard input and output of the bridge, its remarks on stderr, and the death of its client.

Lines are read and written whole. The client's death is detected even if another process keeps the pipe open.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from app import caps

BRIDGE_REMARKS: Final = 50  # Maximum lines on stderr during the life of a bridge.


@contextlib.contextmanager
def claimed_stdio() -> Iterator[tuple[int, int]]:
    """Claim the descriptors for the duration of the context."""
    source, sink = claim_stdio()
    try:
        yield source, sink
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()
        os.dup2(sink, 1)
        os.close(sink)


def claim_stdio() -> tuple[int, int]:
    """Return file descriptors for the protocol, and redirect descriptor 1 to stderr so that no print reaches the client."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            # A client may leave one of them closed. The next opened file must not get its number.
            os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (0, 1):
            msvcrt.setmode(descriptor, os.O_BINARY)
    sink = os.dup(1)
    os.dup2(2, 1)
    return 0, sink


def lines(descriptor: int, limit: int = caps.BRIDGE_MESSAGE_BYTES) -> Iterator[bytes | Oversized]:
    """Yield lines without their ending, including an unfinished last one. A line longer than `limit` bytes becomes Oversized."""
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
    """A thread-safe writer of whole lines. Stops permanently after the first failure and calls `on_failure`."""

    def __init__(self, descriptor: int, on_failure: Callable[[], object]) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._on_failure = on_failure
        self.broken = False

    def is_unread(self) -> bool:
        """Whether the client has closed its end; False if only the next write can show it."""
        if sys.platform == "win32":
            return self.broken
        poll = select.poll()
        poll.register(self._descriptor, 0)
        return self.broken or any(state & (select.POLLERR | select.POLLHUP) for _, state in poll.poll(0))

    def write(self, line: bytes) -> None:
        """Write one message, or do nothing if the client has disconnected."""
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


# --- Oversized messages ---

ENDS_KEPT: Final = 4096  # Bytes kept of each end.
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_VALUE: Final = r'("(?:[^"\\]|\\.)*"|-?\d{1,18})'
_ID: Final = re.compile(rf"\s*:\s*{_VALUE}\s*[,}}]")
_LAST_ID: Final = re.compile(rf'"id"\s*:\s*{_VALUE}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}}\s*$')


@dataclass(frozen=True, slots=True)
class Oversized:
    """Both ends of a line that exceeded the limit."""

    head: bytes
    tail: bytes

    def message_id(self) -> str | int | None:
        """Return the ID of the message, if it can be found."""
        head, tail = (end.decode("utf-8", "replace") for end in (self.head, self.tail))
        found = _first_id(head) or ((match := _LAST_ID.search(tail)) and match.group(1))
        try:
            value = json.loads(found) if found else None
        except ValueError:
            return None
        return value if isinstance(value, str | int) else None


def _first_id(text: str) -> str | None:
    """Return the value of the outermost object's "id", if the text includes it."""
    depth = place = 0
    while place < len(text):
        letter = text[place]
        if letter == '"':
            string = _STRING.match(text, place)
            if string is None:
                return None
            place = string.end()
            value = _ID.match(text, place) if depth == 1 and string.group() == '"id"' else None
            if value is not None:
                return value.group(1)
            continue
        depth += (letter in "{[") - (letter in "}]")
        place += 1
    return None


# --- Remarks ---

STDERR: Final = 2

_left = BRIDGE_REMARKS
_lock = threading.Lock()


def remark(text: str) -> None:
    """Write one line, unless the maximum number is reached or stderr is closed."""
    global _left
    with _lock:
        if _left <= 0:
            return
        _left -= 1
    line = f"webrag: {' '.join(text.split())}"[: caps.MAX_LOG_LINE_CHARS]
    try:
        os.write(STDERR, line.encode("utf-8", "replace") + b"\n")
    except OSError:
        return


def remark_on_failures() -> None:
    """Print an uncaught error of a thread as one line."""
    threading.excepthook = _on_failure


def _on_failure(failure: threading.ExceptHookArgs) -> None:
    name = failure.thread.name if failure.thread is not None else "a thread"
    remark(f"{name} failed: {failure.exc_type.__name__}: {failure.exc_value}")


class Processes(Protocol):
    """Process information on Windows."""

    def open(self, process_id: int) -> int | None:
        """Return a handle to wait on, or None if the process does not exist or access is denied."""

    def started_at(self, handle: int) -> int:
        """Return a number that increases with the start time."""

    def has_ended(self, handle: int) -> bool: ...


def parent_on_windows(processes: Processes, parent_id: int, own_id: int) -> Callable[[], bool]:
    """Return whether the parent has ended, as a function that also returns False if that is unknown.

    Identifies the parent by a handle, because Windows reuses the ID of a dead parent for other processes.
    """
    parent, own = processes.open(parent_id), processes.open(own_id)
    # A process younger than this one has reused the parent's ID.
    is_parent = parent and own and processes.started_at(parent) <= processes.started_at(own)
    handle = parent if is_parent else None
    return lambda: handle is not None and processes.has_ended(handle)


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    SYNCHRONIZE = 0x00100000
    PROCESS_QUERY_LIMITED_INFORMATION = 0x1000
    WAIT_OBJECT_0 = 0

    class Kernel:
        """Process information from the Windows kernel. Handles stay open until this process ends."""

        def __init__(self) -> None:
            self._calls = ctypes.WinDLL("kernel32", use_last_error=True)
            self._calls.OpenProcess.restype = wintypes.HANDLE
            self._calls.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
            self._calls.WaitForSingleObject.restype = wintypes.DWORD
            self._calls.WaitForSingleObject.argtypes = [wintypes.HANDLE, wintypes.DWORD]
            self._calls.GetProcessTimes.argtypes = [wintypes.HANDLE, *[ctypes.POINTER(wintypes.FILETIME)] * 4]

        def open(self, process_id: int) -> int | None:
            handle: int | None = self._calls.OpenProcess(
                SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, False, process_id
            )
            return handle or None

        def started_at(self, handle: int) -> int:
            """Return the start time in units of 100 ns, or 0 if unknown."""
            created, *others = (wintypes.FILETIME() for _ in range(4))
            if not self._calls.GetProcessTimes(handle, ctypes.byref(created), *map(ctypes.byref, others)):
                return 0
            return (created.dwHighDateTime << 32) | created.dwLowDateTime

        def has_ended(self, handle: int) -> bool:
            return bool(self._calls.WaitForSingleObject(handle, 0) == WAIT_OBJECT_0)


def own_parent() -> Callable[[], bool]:
    """Return whether the process that started this one has ended, as a function. Call this as early as possible.

    Linux and macOS assign an orphan to another parent. A signal at the parent's death (PR_SET_PDEATHSIG) is not suitable: it arrives when
    the thread that started this process ends, in many clients long before the client itself.
    """
    if sys.platform == "win32":
        return parent_on_windows(Kernel(), os.getppid(), os.getpid())
    first = os.getppid()
    return lambda: os.getppid() != first
