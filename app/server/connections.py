"""The wall in front of the gate: which connections the endpoint holds, how many, and how long one may keep it waiting.

A connection is proved once a request on it carried the token. One that is not is the first to go when there are too many, so that
half requests cannot keep a client out; streams of proved ones have no time limit as long as they are read.
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
"""How long the head of a request may take, from the connection or from the end of the answer before."""
BODY_SECONDS: Final = 30.0
UNREAD_SECONDS: Final = 60.0
"""How long the other side may leave what it was sent lying."""
STALL_SECONDS: Final = 2.0
"""A longer time between two looks means that this process stood still: what others sent meanwhile lies unread, and is waited for anew."""

MAX_CONNECTIONS: Final = 512
MAX_UNPROVED: Final = 128
MAX_UNPROVED_PER_ADDRESS: Final = 32
"""For addresses of other machines; the programs of this one share an address."""
MIN_CONNECTIONS: Final = 16
FILES_PER_CONNECTION: Final = 4
"""Connections take at most one of so many files that the process may open."""
WANTED_FILES: Final = 4_096

ACCEPTED_AT_ONCE: Final = 8
"""Connections that are taken before those taken are counted."""
WAITING_CONNECTIONS: Final = 128

CONNECTION_KEY: Final = "connection"
"""Where the state of a request says which connection it came by."""

_OUT_OF_FILES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_NO_RESERVE: Final = -1


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections at once: all, those not proved, and those of one other machine among these."""

    total: int = MAX_CONNECTIONS
    unproved: int = MAX_UNPROVED
    unproved_per_address: int = MAX_UNPROVED_PER_ADDRESS

    @classmethod
    def within(cls, files: int) -> ConnectionLimits:
        """What fits a process that may open so many files."""
        total = max(MIN_CONNECTIONS, min(MAX_CONNECTIONS, files // FILES_PER_CONNECTION))
        unproved = min(MAX_UNPROVED, total // 2)
        return cls(total, unproved, min(MAX_UNPROVED_PER_ADDRESS, unproved // 2))


def raised_file_limit() -> int:
    """How many files this process may open, after raising that to WANTED_FILES where it is allowed to."""
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
        log.info("the limit of open files stays at %d: %s", soft, error)
        return soft
    return wanted


class Phase(Enum):
    """What a connection waits for."""

    HEAD = auto()
    BODY = auto()
    ANSWER = auto()


_SECONDS: Final = {Phase.HEAD: HEAD_SECONDS, Phase.BODY: BODY_SECONDS}


class ConnectionGuard:
    """Counts the connections of one endpoint, oldest first, and ends those that wait too long or are too many."""

    def __init__(self, limits: ConnectionLimits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits or ConnectionLimits.within(raised_file_limit())
        self.clock = clock
        self._connections: dict[GuardedConnection, None] = {}
        self._swept = clock()

    def protocol(self) -> type[asyncio.Protocol]:
        """What uvicorn makes a connection with."""
        return cast(type[asyncio.Protocol], partial(GuardedConnection, self))

    def opened(self, connection: GuardedConnection) -> None:
        """Count a new connection, and end the oldest that is not proved where that is too many.

        What such a one was answered makes no difference: everybody can ask for that.
        """
        self._connections[connection] = None
        waiting = [each for each in self._connections if not each.is_proved]
        same = [each for each in waiting if each.address == connection.address]
        if not connection.is_local and len(same) > self._limits.unproved_per_address:
            same[0].end("too many connections of one address")
        elif len(waiting) > self._limits.unproved or len(self._connections) > self._limits.total:
            waiting[0].end("too many connections")

    def closed(self, connection: GuardedConnection) -> None:
        """Count a connection no longer."""
        self._connections.pop(connection, None)

    def sweep(self) -> None:
        """End what has waited too long."""
        now = self.clock()
        stalled, self._swept = now - self._swept, now
        for connection in tuple(self._connections):
            if stalled > STALL_SECONDS:
                connection.excuse(now, stalled)
            reason = connection.overdue(now)
            if reason:
                connection.end(reason)

    def make_room(self) -> bool:
        """End one connection that is not proved; False when there is none."""
        waiting = [each for each in self._connections if not each.is_proved]
        if waiting:
            waiting[0].end("the process has no files left")
        return bool(waiting)


class GuardedConnection(H11Protocol):
    """One connection: uvicorn's, which besides knows what it waits for and since when."""

    def __init__(self, guard: ConnectionGuard, *, app_state: Mapping[str, Any], **more: Any) -> None:
        super().__init__(app_state={**app_state, CONNECTION_KEY: self}, **more)
        self._guard = guard
        self._phase = Phase.HEAD
        self._since = guard.clock()
        self._unread_since: float | None = None
        self.is_proved = False
        self.address = ""

    @property
    def is_local(self) -> bool:
        """Whether the other side runs on this machine."""
        return self.address == "::1" or self.address.startswith("127.")

    def proved(self) -> None:
        """A request carried the token."""
        self.is_proved = True

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
        """Why the connection should end, empty while it should not. To be asked about once a second."""
        if not self.transport.get_write_buffer_size():
            self._unread_since = None
        elif self._unread_since is None:
            self._unread_since = now
        elif now - self._unread_since > UNREAD_SECONDS:
            return "what it was sent is not read"
        if now - self._since > _SECONDS.get(self._phase, math.inf):
            return "no whole request came"
        return ""

    def excuse(self, now: float, seconds: float) -> None:
        """Leave out so many seconds of what it has kept this process waiting."""
        self._since = min(now, self._since + seconds)
        if self._unread_since is not None:
            self._unread_since = min(now, self._unread_since + seconds)

    def end(self, reason: str) -> None:
        """Close at once, whatever has not been sent yet."""
        log.debug("connection closed: %s", reason)
        self._guard.closed(self)
        self.transport.abort()


class Listener(socket.socket):
    """A listening socket that can still accept when the process has no files left: it has one in reserve.

    The reserve makes room for one connection; that is kept where another one could be ended for it, else it is closed, so that
    nobody waits for an answer that cannot come.
    """

    def __init__(self, family: int) -> None:
        # Without IPPROTO_TCP asyncio leaves Nagle's algorithm on, which costs 44 ms a call.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self.make_room: Callable[[], bool] = lambda: False
        self._reserve = _NO_RESERVE
        self.refill()

    def listen(self, backlog: int = WAITING_CONNECTIONS, /) -> None:
        """The queue is as long as ever: what asyncio gives is how many it accepts at once."""
        super().listen(max(backlog, WAITING_CONNECTIONS))

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection. Raises BlockingIOError also for one that was closed for want of files."""
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in _OUT_OF_FILES or self._reserve == _NO_RESERVE:
                raise
        log.warning("this process has no files left for another connection")
        is_room = self.make_room()
        self._release()
        connection, address = super().accept()
        if is_room:
            return connection, address
        connection.close()
        self.refill()
        raise BlockingIOError(errno.EAGAIN, "closed for want of files")

    def refill(self) -> None:
        """Take the reserve again after it was used."""
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
