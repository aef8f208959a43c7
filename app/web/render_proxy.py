"""The way of the page renderer into the network: a forward proxy of our own that asks the address policy each time."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Final
from urllib.parse import urlsplit

from app import caps
from app.errors import FetchError
from app.web.address import THIS_COMPUTER, AddressPolicy, kind_of
from app.web.proxy_request import ProxyRequest, RefusalError, parse_request
from app.web.urls import DEFAULT_PORTS

log = logging.getLogger(__name__)

_PIECE_BYTES: Final = 64 * caps.KIB
_ESTABLISHED: Final = b"HTTP/1.1 200 Connection Established\r\n\r\n"


class _Visit:
    """One page that is being rendered, and what it may still use."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.place = (parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme])
        self.is_special = False
        self.bytes_left = caps.MAX_RENDER_TRAFFIC_BYTES
        self.connections_left = caps.MAX_RENDER_CONNECTIONS
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
    """Serves on 127.0.0.1 whoever knows `user` and `password`, and only during a visit.

    Names are resolved here, each address is checked and connected to as checked. A public page reaches public
    addresses only, and services of this computer are reached by their own pages alone.
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
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=caps.MAX_PROXY_HEAD_BYTES)
        self.port = self._server.sockets[0].getsockname()[1]

    async def aclose(self) -> None:
        """Close the port and all connections."""
        if self._server is not None:
            self._server.close()
        await _end(self._tasks)

    @asynccontextmanager
    async def visit(self, url: str) -> AsyncIterator[None]:
        """Let the page at a normalised URL, and what it loads, pass; one at a time. Raises FetchError when it is closed."""
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
            log.debug("the page renderer lost a connection: %s", type(error).__name__)
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
                await _either(_pump(reader, sink, visit), _pump(source, writer, visit))
            else:
                sink.write(request.head)
                await _send_body(reader, sink, request.body_bytes, visit)
                await _pump(source, writer, visit)
        except RefusalError as refusal:
            # Headers of another answer may be on their way already; all that is left is to end the connection.
            log.info("the page renderer was cut off: %s", refusal.reason)
        finally:
            sink.close()

    async def _connect(self, visit: _Visit, request: ProxyRequest) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to an address that was checked. Raises RefusalError."""
        try:
            addresses = await self._policy.resolve(request.host, request.port)
        except FetchError as error:
            log.info("the page renderer was refused a connection: %s", error)
            raise RefusalError(403, "Forbidden") from error
        if _is_special(addresses) and not _is_at_home(visit, request, addresses):
            log.info("the page renderer was refused a connection: a page does not reach %s from outside", request.host)
            raise RefusalError(403, "Forbidden")
        for address in addresses[: caps.MAX_ADDRESSES_TRIED]:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(caps.FIRST_ADDRESS_SECONDS):
                    return await asyncio.open_connection(address, request.port)
        raise RefusalError(502, "Bad Gateway")


def _is_special(addresses: tuple[str, ...]) -> bool:
    return any(map(kind_of, addresses))


def _is_at_home(visit: _Visit, request: ProxyRequest, addresses: tuple[str, ...]) -> bool:
    """Whether a page of an opened network may load from this opened address."""
    if THIS_COMPUTER in map(kind_of, addresses):
        return (request.host, request.port) == visit.place
    return visit.is_special


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter, visit: _Visit) -> None:
    while piece := await source.read(_PIECE_BYTES):
        visit.spend(len(piece))
        sink.write(piece)
        await sink.drain()


async def _send_body(source: asyncio.StreamReader, sink: asyncio.StreamWriter, size: int, visit: _Visit) -> None:
    while size:
        piece = await source.read(min(size, _PIECE_BYTES))
        if not piece:
            raise ConnectionResetError
        visit.spend(len(piece))
        size -= len(piece)
        sink.write(piece)
        await sink.drain()


async def _either(*pumps: Coroutine[None, None, None]) -> None:
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
