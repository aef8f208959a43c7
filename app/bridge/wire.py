"""HTTP to one instance: a pool of persistent connections, and responses that are read as they arrive."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import urlsplit

from app import caps
from app.instance import InstanceConnection, RuntimeInfo

BRIDGE_IDLE_SECONDS: Final = 4.0  # Seconds after which an idle connection is no longer used, because servers close it.
BRIDGE_WORD_BYTES: Final = 64  # Maximum length of a meaningful line on the lifeline.


class InstanceLostError(Exception):
    """The instance disappeared before or during its response. `delivered`: it may have acted on the message."""

    def __init__(self, text: str, *, delivered: bool) -> None:
        super().__init__(text)
        self.delivered = delivered


class CallCancelledError(Exception):
    """The client canceled its request."""


class AnswerTooLargeError(Exception):
    """A message of the response exceeds the size limit."""


class Abort:
    """A way to end an exchange from another thread, by shutting down its socket."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.requested = False
        self.delivered = False
        """Whether the whole message was sent."""
        self.was_cut = False
        """Whether the current exchange was given up."""

    def watch(self, connection: socket.socket | None) -> None:
        """Set the socket that an abort shuts down, or None after the exchange."""
        with self._lock:
            self._socket = connection
            if self.requested:
                self._cut()

    def request(self) -> None:
        """Cut the exchange immediately, or as soon as it starts."""
        with self._lock:
            self.requested = True
            self._cut()

    def cut(self) -> None:
        """Cut the current exchange, if any. Another one may follow."""
        with self._lock:
            self.was_cut = self._socket is not None
            self._cut()

    def _cut(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)


class Answer:
    """An HTTP response. Its JSON-RPC messages are yielded one by one."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response
        self.status = response.status

    def messages(self) -> Iterator[bytes]:
        """Yield the bytes of each message. Raises OSError, HTTPException and AnswerTooLargeError."""
        content_type = self._response.headers.get("Content-Type", "")
        if content_type.startswith("text/event-stream"):
            yield from read_events(iter(lambda: self._response.read1(caps.BRIDGE_READ_BYTES), b""))
            return
        body = self._response.read(caps.BRIDGE_MESSAGE_BYTES + 1)
        if len(body) > caps.BRIDGE_MESSAGE_BYTES:
            raise AnswerTooLargeError
        if body and content_type.startswith("application/json"):
            yield body


def read_events(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the data of each server-sent event as soon as its blank line arrives. Lines end with LF or CRLF."""
    buffer = bytearray()
    data: list[bytes] = []
    size = 0
    for chunk in chunks:
        buffer += chunk
        complete: list[bytes] = []
        if b"\n" in chunk:
            *complete, rest = bytes(buffer).split(b"\n")
            buffer[:] = rest
        for line in complete:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
                size += len(line)
                if size > caps.BRIDGE_MESSAGE_BYTES:
                    raise AnswerTooLargeError
            elif not line and data:
                if text := b"\n".join(data):
                    yield text
                data.clear()
                size = 0
        if size + len(buffer) > caps.BRIDGE_MESSAGE_BYTES:
            raise AnswerTooLargeError


def read_words(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield each non-empty line as soon as it is complete, and skip lines that are too long."""
    buffer = b""
    for chunk in chunks:
        *lines, buffer = (buffer + chunk).split(b"\n")
        yield from (line for line in lines if line and len(line) <= BRIDGE_WORD_BYTES)
        buffer = buffer[: BRIDGE_WORD_BYTES + 1]


class Endpoint:
    """Connections to one running instance."""

    def __init__(self, info: RuntimeInfo) -> None:
        self.info = info
        self._path = urlsplit(info.url).path or "/mcp"
        self._idle: list[tuple[float, InstanceConnection]] = []
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def post(self, body: bytes, headers: dict[str, str], abort: Abort, *, may_repeat: bool = True) -> Iterator[Answer]:
        """Post to the MCP endpoint. The connection is reused if the response was read completely.

        A message that must not be repeated uses a new connection, because the server can close a reused one after reading the message.
        Raises InstanceLostError if the instance disappears, also inside the context, and CallCancelledError.
        """
        connection: InstanceConnection | None = None
        abort.delivered = abort.was_cut = False
        try:
            connection, response = self._exchange(body, headers, abort, may_repeat=may_repeat)
            yield Answer(response)
            if response.isclosed() and not response.will_close and not abort.requested:
                abort.watch(None)
                with self._lock:
                    self._idle.append((time.monotonic(), connection))
                connection = None
        except (OSError, http.client.HTTPException) as error:
            if abort.requested:
                raise CallCancelledError from error
            raise InstanceLostError(str(error) or type(error).__name__, delivered=abort.delivered) from error
        finally:
            abort.watch(None)
            if connection is not None:
                connection.close()

    def hold_line(
        self, query: str, silence: float, on_word: Callable[[bytes], None], on_open: Callable[[], None]
    ) -> bool:
        """Stay attached until the instance closes the stream, fails, or is silent for `silence` seconds. Return True for silence.

        Calls `on_open` once the instance has accepted the connection, and `on_word` for every non-empty line.
        """
        try:
            with contextlib.closing(InstanceConnection(self.info, timeout=silence)) as connection:
                connection.request("GET", f"/control/attach?{query}", headers=connection.authorisation)
                response = connection.getresponse()
                if response.status == http.client.OK:
                    on_open()
                    for word in read_words(iter(lambda: response.read1(caps.BRIDGE_READ_BYTES), b"")):
                        on_word(word)
        except (OSError, http.client.HTTPException) as error:
            return isinstance(error, TimeoutError)
        return False

    def close(self) -> None:
        """Close idle connections. Exchanges in progress continue."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def _exchange(
        self, body: bytes, headers: dict[str, str], abort: Abort, *, may_repeat: bool
    ) -> tuple[InstanceConnection, http.client.HTTPResponse]:
        while True:
            kept = self._take() if may_repeat else None
            connection = kept or InstanceConnection(self.info, timeout=caps.INSTANCE_CONNECT_SECONDS)
            if kept is None:
                connection.connect()
                connection.sock.settimeout(None)
            try:
                abort.watch(connection.sock)
                connection.request("POST", self._path, body, {**headers, **connection.authorisation})
                abort.delivered = True
                return connection, connection.getresponse()
            except (OSError, http.client.HTTPException):
                abort.watch(None)
                connection.close()
                if kept is None or abort.requested or abort.was_cut:
                    raise

    def _take(self) -> InstanceConnection | None:
        with self._lock:
            while self._idle:
                since, connection = self._idle.pop()
                if time.monotonic() - since < BRIDGE_IDLE_SECONDS:
                    return connection
                connection.close()
        return None
