"""Give the renderer network access through a forward proxy that asks the address policy for each connection."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import logging
import re
import secrets
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from app import caps
from app.errors import FetchError, InvalidURLError
from app.library.scope import DEFAULT_PORTS
from app.web.address import THIS_COMPUTER, AddressPolicy, kind_of
from app.web.urls import normalise_host

log = logging.getLogger(__name__)

MAX_RENDER_TRAFFIC_BYTES: Final = 32 * caps.MIB  # The maximum data that one page may load while it is rendered.
MAX_RENDER_CONNECTIONS: Final = 100
MAX_PROXY_HEAD_BYTES: Final = 64 * caps.KIB
_PIECE_BYTES: Final = 64 * caps.KIB
_ESTABLISHED: Final = b"HTTP/1.1 200 Connection Established\r\n\r\n"


class _Visit:
    """A page that is being rendered, and its remaining budget."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.place = (parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme])
        self.is_special = False
        self.bytes_left = MAX_RENDER_TRAFFIC_BYTES
        self.connections_left = MAX_RENDER_CONNECTIONS
        self.tasks: set[asyncio.Task[None]] = set()

    def admit(self) -> None:
        self.connections_left -= 1
        if self.connections_left < 0:
            raise RefusalError(429, "Too Many Requests")

    def spend(self, size: int) -> None:
        self.bytes_left -= size
        if self.bytes_left < 0:
            raise RefusalError(413, "Content Too Large")


class RenderProxy:
    """Serves clients on 127.0.0.1 that know `user` and `password`, and only during a visit.

    Resolves names and connects only to checked addresses. A public page reaches public addresses only, and only its own pages reach a
    service on this computer.
    """

    def __init__(self, policy: AddressPolicy) -> None:
        self.user, self.password = "renderer", secrets.token_urlsafe(24)
        self.port = 0
        self._policy = policy
        self._server: asyncio.Server | None = None
        self._visit: _Visit | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen on a free port. Raises OSError."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=MAX_PROXY_HEAD_BYTES)
        self.port = self._server.sockets[0].getsockname()[1]

    async def aclose(self) -> None:
        """Close the port and all connections."""
        if self._server is not None:
            self._server.close()
        await _end(self._tasks)

    @asynccontextmanager
    async def visit(self, url: str) -> AsyncIterator[None]:
        """Allow the page at a normalized URL and its resources; one page at a time. Raises FetchError if it is blocked."""
        visit = _Visit(url)
        visit.is_special = _is_special(await self._policy.resolve(*visit.place))
        self._visit = visit
        try:
            yield
        finally:
            self._visit = None
            await _end(visit.tasks)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer), name="render proxy")
        for tasks in (self._tasks, *([self._visit.tasks] if self._visit is not None else [])):
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visit = self._visit
        try:
            async with asyncio.timeout(caps.RENDER_SECONDS):
                request = parse_request(await reader.readuntil(b"\r\n\r\n"), f"{self.user}:{self.password}")
                if visit is None or visit is not self._visit:
                    raise RefusalError(403, "Forbidden")
                await self._forward(visit, request, reader, writer)
        except RefusalError as refusal:
            with suppress(OSError):
                writer.write(refusal.answer)
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            log.debug("a connection of the page renderer failed: %s", type(error).__name__)
        finally:
            writer.close()

    async def _forward(
        self, visit: _Visit, request: ProxyRequest, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        visit.admit()
        source, sink = await self._connect(visit, request)
        try:
            if request.is_tunnel:
                writer.write(_ESTABLISHED)
                await _run_until_one_ends(_pump(reader, sink, visit), _pump(source, writer, visit))
            else:
                sink.write(request.head)
                size = request.body_bytes
                while size:
                    piece = await reader.read(min(size, _PIECE_BYTES))
                    if not piece:
                        raise ConnectionResetError
                    visit.spend(len(piece))
                    size -= len(piece)
                    sink.write(piece)
                    await sink.drain()
                await _pump(source, writer, visit)
        except RefusalError as refusal:
            # Headers of another response may already be sent, so the connection can only be closed.
            log.info("closed a connection of the page renderer: %s", refusal.reason)
        finally:
            sink.close()

    async def _connect(self, visit: _Visit, request: ProxyRequest) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to a checked address. Raises RefusalError."""
        try:
            addresses = await self._policy.resolve(request.host, request.port)
        except FetchError as error:
            log.info("refused a connection of the page renderer: %s", error)
            raise RefusalError(403, "Forbidden") from error
        # A page of an opened network may load from an opened address, but from this computer only its own resources.
        is_here = THIS_COMPUTER in map(kind_of, addresses)
        is_at_home = (request.host, request.port) == visit.place if is_here else visit.is_special
        if _is_special(addresses) and not is_at_home:
            log.info("refused a connection of the page renderer: a page cannot reach %s from outside", request.host)
            raise RefusalError(403, "Forbidden")
        for address in addresses[: caps.MAX_ADDRESSES_TRIED]:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(caps.FIRST_ADDRESS_SECONDS):
                    return await asyncio.open_connection(address, request.port)
        raise RefusalError(502, "Bad Gateway")


def _is_special(addresses: tuple[str, ...]) -> bool:
    return any(map(kind_of, addresses))


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter, visit: _Visit) -> None:
    while piece := await source.read(_PIECE_BYTES):
        visit.spend(len(piece))
        sink.write(piece)
        await sink.drain()


async def _run_until_one_ends(*pumps: Coroutine[None, None, None]) -> None:
    """Run both directions of a tunnel until one of them ends."""
    tasks = {asyncio.ensure_future(pump) for pump in pumps}
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await _end(tasks)


async def _end(tasks: Iterable[asyncio.Task[None]]) -> None:
    waiting = list(tasks)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


# --- Requests to a proxy (RFC 9112, section 3.2) ---

PLAIN_METHODS: Final = frozenset({"GET", "HEAD", "POST", "OPTIONS"})  # The methods that a page needs for display.

_DROPPED: Final = frozenset(
    {"connection", "host", "keep-alive", "te", "trailer", "upgrade", "proxy-connection", "proxy-authorization"}
)


_LENGTH: Final = re.compile(r"[0-9]{1,18}")


class RefusalError(Exception):
    """An error status instead of the requested resource; `headers` are its header lines."""

    def __init__(self, status: int, reason: str, headers: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.headers = headers

    @property
    def answer(self) -> bytes:
        lines = [f"HTTP/1.1 {self.status} {self.reason}", *self.headers, "Content-Length: 0", "Connection: close"]
        return "\r\n".join([*lines, "", ""]).encode("ascii", "replace")


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """The target of a connection. `head` is sent to the server before `body_bytes` bytes of body; a tunnel has neither."""

    host: str
    port: int
    is_tunnel: bool
    head: bytes = b""
    body_bytes: int = 0


def parse_request(raw: bytes, credentials: str) -> ProxyRequest:
    """Return the request in the head of a message. Raises RefusalError, first of all for wrong credentials (user:password)."""
    lines = raw.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    headers: list[tuple[str, str]] = []
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise RefusalError(400, "Bad Request")
        headers.append((name, value.strip()))
    if not any(_proves(value, credentials) for name, value in headers if name.lower() == "proxy-authorization"):
        raise RefusalError(407, "Proxy Authentication Required", ('Proxy-Authenticate: Basic realm="renderer"',))
    method, _, rest = lines[0].partition(" ")
    target, _, version = rest.rpartition(" ")
    if version not in ("HTTP/1.1", "HTTP/1.0"):
        raise RefusalError(400, "Bad Request")
    if method == "CONNECT":
        return ProxyRequest(*_authority(f"//{target}", None), is_tunnel=True)
    if method not in PLAIN_METHODS:
        raise RefusalError(405, "Method Not Allowed")
    return _plain(method, target, headers)


def _plain(method: str, target: str, headers: list[tuple[str, str]]) -> ProxyRequest:
    host, port = _authority(target, 80)
    parts = urlsplit(target)
    if parts.scheme != "http":
        raise RefusalError(400, "Bad Request")
    path = target[len("http://") + len(parts.netloc) :].partition("#")[0]
    shown = f"[{host}]" if ":" in host else host
    kept = [f"{name}: {value}" for name, value in headers if name.lower() not in _DROPPED]
    first = f"{method} {path if path.startswith('/') else '/' + path} HTTP/1.1"
    head = "\r\n".join([first, f"Host: {shown}:{port}" if port != 80 else f"Host: {shown}", *kept, "Connection: close"])
    lengths = {value for name, value in headers if name.lower() == "content-length"}
    chunked = any(name.lower() == "transfer-encoding" for name, _ in headers)
    if chunked or len(lengths) > 1 or not all(_LENGTH.fullmatch(length) for length in lengths):
        raise RefusalError(411, "Length Required")
    body_bytes = int(lengths.pop()) if lengths else 0
    return ProxyRequest(host, port, False, f"{head}\r\n\r\n".encode("latin-1"), body_bytes)


def _authority(target: str, default_port: int | None) -> tuple[str, int]:
    try:
        parts = urlsplit(target)
        port = default_port if parts.port is None else parts.port
        if "@" in parts.netloc or not port or not parts.hostname:
            raise RefusalError(400, "Bad Request")
        return normalise_host(parts.hostname), port
    except (ValueError, InvalidURLError) as error:
        raise RefusalError(400, "Bad Request") from error


def _proves(value: str, credentials: str) -> bool:
    scheme, _, encoded = value.partition(" ")
    try:
        given = base64.b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        return False
    return scheme.lower() == "basic" and hmac.compare_digest(given, credentials.encode())
