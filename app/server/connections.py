"""Limits on the connections of the endpoint: which ones, how many, and how long each may keep the server waiting.

A connection counts as proved after a request on it carried the token. If there are too many connections, the oldest unproved one is
closed, so half-open requests cannot keep clients out. Streams of proved connections have no time limit while the client reads them.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import math
import os
import socket
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import Any, Final, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

log = logging.getLogger(__name__)

HEAD_SECONDS: Final = 10.0
"""Maximum seconds for the head of a request, counted from the connection or from the end of the previous response."""
BODY_SECONDS: Final = 30.0
UNREAD_SECONDS: Final = 60.0  # Maximum seconds for which the client may leave sent data unread.
STALL_SECONDS: Final = 2.0
"""A longer gap between two checks means that this process was suspended. Data that arrived in the meantime is still unread, so waiting
times start again."""

MAX_CONNECTIONS: Final = 512
MAX_UNPROVED: Final = 128
MAX_UNPROVED_PER_ADDRESS: Final = 32  # For addresses of other machines; programs on this machine share one address.
MIN_CONNECTIONS: Final = 16
FILES_PER_CONNECTION: Final = 4  # Connections use at most one in this many of the process's open files.
WANTED_FILES: Final = 4_096
ACCEPTED_AT_ONCE: Final = 8  # Connections accepted before the accepted ones are counted.
WAITING_CONNECTIONS: Final = 128
CONNECTION_KEY: Final = "connection"  # Key of the connection in the state of a request.
_OUT_OF_FILES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_NO_RESERVE: Final = -1


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Maximum number of open connections: in total, unproved, and unproved from one other machine."""

    total: int = MAX_CONNECTIONS
    unproved: int = MAX_UNPROVED
    unproved_per_address: int = MAX_UNPROVED_PER_ADDRESS

    @classmethod
    def within(cls, files: int) -> ConnectionLimits:
        """Return the limits for a process that may open `files` files."""
        total = max(MIN_CONNECTIONS, min(MAX_CONNECTIONS, files // FILES_PER_CONNECTION))
        unproved = min(MAX_UNPROVED, total // 2)
        return cls(total, unproved, min(MAX_UNPROVED_PER_ADDRESS, unproved // 2))


def raised_file_limit() -> int:
    """Raise the limit of open files to WANTED_FILES if allowed, and return the resulting limit."""
    if sys.platform == "win32":
        return WANTED_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= WANTED_FILES:
        return WANTED_FILES
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(hard, WANTED_FILES)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError) as error:
        log.info("the limit of open files is still %d: %s", soft, error)
        return soft
    return wanted


class Phase(Enum):
    """Data or events that a connection waits for."""

    HEAD = auto()
    BODY = auto()
    ANSWER = auto()


_SECONDS: Final = {Phase.HEAD: HEAD_SECONDS, Phase.BODY: BODY_SECONDS}


class ConnectionGuard:
    """Counts the connections of one endpoint, oldest first, and closes those that wait too long or exceed a limit."""

    def __init__(self, limits: ConnectionLimits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits or ConnectionLimits.within(raised_file_limit())
        self.clock = clock
        self._connections: dict[GuardedConnection, None] = {}
        self._swept = clock()

    def protocol(self) -> type[asyncio.Protocol]:
        """Return the factory that uvicorn uses to create a connection."""
        return cast(type[asyncio.Protocol], partial(GuardedConnection, self))

    def opened(self, connection: GuardedConnection) -> None:
        """Count a new connection, and close the oldest unproved one if there are too many.

        Responses sent to an unproved connection do not matter here: anyone can request them.
        """
        self._connections[connection] = None
        waiting = [each for each in self._connections if not each.is_proved]
        same = [each for each in waiting if each.address == connection.address]
        if not connection.is_local and len(same) > self._limits.unproved_per_address:
            same[0].end("too many connections from one address")
        elif len(waiting) > self._limits.unproved or len(self._connections) > self._limits.total:
            waiting[0].end("too many connections")

    def closed(self, connection: GuardedConnection) -> None:
        self._connections.pop(connection, None)

    def sweep(self) -> None:
        """Close connections that have waited too long."""
        now = self.clock()
        stalled, self._swept = now - self._swept, now
        for connection in tuple(self._connections):
            if stalled > STALL_SECONDS:
                connection.excuse(now, stalled)
            reason = connection.overdue(now)
            if reason:
                connection.end(reason)

    def make_room(self) -> bool:
        """Close one unproved connection; return False if there is none."""
        waiting = [each for each in self._connections if not each.is_proved]
        if waiting:
            waiting[0].end("the process is out of file descriptors")
        return bool(waiting)


class GuardedConnection(H11Protocol):
    """A uvicorn connection that also records what it is waiting for and since when."""

    def __init__(self, guard: ConnectionGuard, *, app_state: Mapping[str, Any], **more: Any) -> None:
        super().__init__(app_state={**app_state, CONNECTION_KEY: self}, **more)
        self._guard = guard
        self._phase = Phase.HEAD
        self._since = guard.clock()
        self._unread_since: float | None = None
        self.is_proved = False  # The gate sets it after a request with the token.
        self.address = ""

    @property
    def is_local(self) -> bool:
        return self.address == "::1" or self.address.startswith("127.")

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._guard.opened(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._guard.closed(self)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        super().handle_events()
        state = self.conn.their_state
        phase = Phase.HEAD if state is h11.IDLE else Phase.BODY if state is h11.SEND_BODY else Phase.ANSWER
        if phase is not self._phase:
            self._phase, self._since = phase, self._guard.clock()

    def overdue(self, now: float) -> str:
        """Return why the connection should be closed, or "". Called once a second."""
        if not self.transport.get_write_buffer_size():
            self._unread_since = None
        elif self._unread_since is None:
            self._unread_since = now
        elif now - self._unread_since > UNREAD_SECONDS:
            return "the client does not read the response"
        if now - self._since > _SECONDS.get(self._phase, math.inf):
            return "the request is not complete"
        return ""

    def excuse(self, now: float, seconds: float) -> None:
        """Do not count this many seconds of the time that the connection has kept the process waiting."""
        self._since = min(now, self._since + seconds)
        if self._unread_since is not None:
            self._unread_since = min(now, self._unread_since + seconds)

    def end(self, reason: str) -> None:
        """Close immediately and drop unsent data."""
        log.debug("connection closed: %s", reason)
        self._guard.closed(self)
        self.transport.abort()


class Listener(socket.socket):
    """A listening socket that can still accept a connection when the process has no file descriptors left: it holds one in reserve.

    The reserve makes room for one connection. That connection is kept if another one can be closed for it. Otherwise it is closed, so
    that no client waits for a response that cannot come.
    """

    def __init__(self, family: int) -> None:
        # Without IPPROTO_TCP, asyncio leaves Nagle's algorithm on, which costs 44 ms per call.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self.make_room: Callable[[], bool] = lambda: False
        self._reserve = _NO_RESERVE
        self.refill()

    def listen(self, backlog: int = WAITING_CONNECTIONS, /) -> None:
        """Listen with the full queue: asyncio's `backlog` argument only says how many connections it accepts at a time."""
        super().listen(max(backlog, WAITING_CONNECTIONS))

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection. Raises BlockingIOError also for a connection that was closed because no file descriptor was left."""
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in _OUT_OF_FILES or self._reserve == _NO_RESERVE:
                raise
        log.warning("this process is out of file descriptors for connections")
        is_room = self.make_room()
        self._release()
        connection, address = super().accept()
        if is_room:
            return connection, address
        connection.close()
        self.refill()
        raise BlockingIOError(errno.EAGAIN, "out of file descriptors")

    def refill(self) -> None:
        if self._reserve == _NO_RESERVE and self.fileno() >= 0:
            with contextlib.suppress(OSError):
                self._reserve = os.open(os.devnull, os.O_RDONLY)

    def close(self) -> None:
        self._release()
        super().close()

    def _release(self) -> None:
        reserve, self._reserve = self._reserve, _NO_RESERVE
        if reserve != _NO_RESERVE:
            os.close(reserve)
