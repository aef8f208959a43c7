"""HTTP to one instance: a pool of kept-alive connections and answers that are read as they come."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from app import caps
from app.instance import RuntimeInfo


class InstanceLostError(Exception):
    """The instance went away before or in the middle of its answer."""


class CallCancelledError(Exception):
    """The client took its request back."""


class AnswerTooLargeError(Exception):
    """One message of the answer is larger than the cap."""


class Abort:
    """Ends an exchange from another thread by shutting its socket down."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.requested = False

    def watch(self, connection: socket.socket | None) -> None:
        """The socket that an abort has to cut, or None once there is nothing left to cut."""
        with self._lock:
            self._socket = connection
            if self.requested:
                self._cut()

    def request(self) -> None:
        """Cut the exchange now or as soon as it starts."""
        with self._lock:
            self.requested = True
            self._cut()

    def _cut(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)


class Answer:
    """An HTTP answer whose JSON-RPC messages are yielded one by one."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response
        self.status = response.status

    def messages(self) -> Iterator[bytes]:
        """Each message as its bytes. Raises OSError, HTTPException and AnswerTooLargeError."""
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
    """The data of each server-sent event as soon as its blank line is there. Lines end with LF or CRLF."""
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
            elif not line and data:
                if text := b"\n".join(data):
                    yield text
                data.clear()
                size = 0
        if size + len(buffer) > caps.BRIDGE_MESSAGE_BYTES:
            raise AnswerTooLargeError


def read_words(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Each line that is not empty, as soon as its end is there; one beyond the cap is passed over."""
    buffer = b""
    for chunk in chunks:
        *lines, buffer = (buffer + chunk).split(b"\n")
        yield from (line for line in lines if line and len(line) <= caps.BRIDGE_WORD_BYTES)
        buffer = buffer[: caps.BRIDGE_WORD_BYTES + 1]


class Endpoint:
    """Connections to one running instance."""

    def __init__(self, info: RuntimeInfo) -> None:
        self.info = info
        self._path = urlsplit(info.url).path or "/mcp"
        self._idle: list[tuple[float, http.client.HTTPConnection]] = []
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def post(self, body: bytes, headers: dict[str, str], abort: Abort) -> Iterator[Answer]:
        """Post to the MCP endpoint; the connection is kept if the answer was read to its end.

        Raises InstanceLostError when the instance goes away, inside the context too, and CallCancelledError.
        """
        connection: http.client.HTTPConnection | None = None
        try:
            connection, response = self._exchange(body, headers, abort)
            yield Answer(response)
            if response.isclosed() and not response.will_close and not abort.requested:
                abort.watch(None)
                self._keep(connection)
                connection = None
        except (OSError, http.client.HTTPException) as error:
            raise CallCancelledError if abort.requested else InstanceLostError(str(error)) from error
        finally:
            abort.watch(None)
            if connection is not None:
                connection.close()

    def hold_line(self, query: str, silence: float, on_word: Callable[[bytes], None]) -> None:
        """Stay attached until the instance ends the stream, fails, or says nothing for `silence` seconds.

        `on_word` gets every line that is not empty.
        """
        connection = self._connection(silence)
        try:
            connection.request("GET", f"/control/attach?{query}", headers=self._authorisation())
            response = connection.getresponse()
            if response.status == http.client.OK:
                for word in read_words(iter(lambda: response.read1(caps.BRIDGE_READ_BYTES), b"")):
                    on_word(word)
        except (OSError, http.client.HTTPException):
            return
        finally:
            connection.close()

    def close(self) -> None:
        """Close what is idle; exchanges under way go on."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def _exchange(
        self, body: bytes, headers: dict[str, str], abort: Abort
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        while True:
            kept = self._take()
            connection = kept or self._connected()
            try:
                abort.watch(connection.sock)
                connection.request("POST", self._path, body, {**headers, **self._authorisation()})
                return connection, connection.getresponse()
            except (OSError, http.client.HTTPException):
                abort.watch(None)
                connection.close()
                if kept is None or abort.requested:
                    raise

    def _take(self) -> http.client.HTTPConnection | None:
        with self._lock:
            while self._idle:
                since, connection = self._idle.pop()
                if time.monotonic() - since < caps.BRIDGE_IDLE_SECONDS:
                    return connection
                connection.close()
        return None

    def _keep(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._idle.append((time.monotonic(), connection))

    def _connected(self) -> http.client.HTTPConnection:
        connection = self._connection(caps.INSTANCE_CONNECT_SECONDS)
        connection.connect()
        connection.sock.settimeout(None)
        return connection

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.info.host, self.info.port, timeout=timeout)

    def _authorisation(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.info.token}"}
