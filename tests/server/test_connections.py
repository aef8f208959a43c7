"""Connections that keep the endpoint waiting: half-open requests, slow requests, unread responses, and too many of them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.events import CallStarted
from app.server import connections
from app.server.connections import ConnectionGuard, ConnectionLimits, Phase
from app.server.http import HttpServer, _bound, _config, _QuietServer
from tests.server.fake_engine import FakeEngine
from tests.server.transports import TOKEN, listening

SHORT = 0.3
PATIENCE = 60.0
AUTHORISATION = f"Authorization: Bearer {TOKEN}\r\n"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every time limit short."""
    monkeypatch.setitem(connections._SECONDS, Phase.HEAD, SHORT)
    monkeypatch.setitem(connections._SECONDS, Phase.BODY, SHORT)
    monkeypatch.setattr(connections, "UNREAD_SECONDS", SHORT)


@contextlib.asynccontextmanager
async def connected(server: HttpServer, text: str = "") -> AsyncIterator[tuple[asyncio.StreamReader, Any]]:
    port = int(server.url.split(":")[2].split("/")[0])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(text.replace("HOST", f"Host: 127.0.0.1:{port}\r\n").encode())
        await writer.drain()
        yield reader, writer
    finally:
        writer.transport.abort()


async def rest(reader: asyncio.StreamReader) -> bytes:
    """Return everything until the other side closes."""
    async with asyncio.timeout(PATIENCE):
        with contextlib.suppress(ConnectionError):
            return await reader.read()
        return b""


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("start", ["", "GET /healthz HTTP/1.1\r\n", "POST /mcp HTTP/1.1\r\nHOSTX-Long: ab"])
async def test_an_incomplete_head_times_out(start: str) -> None:
    async with listening(FakeEngine()) as server, connected(server, start) as (reader, _):
        assert await rest(reader) == b""


@pytest.mark.usefixtures("impatient")
async def test_a_second_incomplete_request_times_out_too() -> None:
    begun = "GET /healthz HTTP/1.1\r\nHOST\r\nGET /healthz HTTP/1.1\r\nX-Half: "
    async with listening(FakeEngine()) as server, connected(server, begun) as (reader, _):
        assert (await rest(reader)).count(b'{"status":"ok"}') == 1


@pytest.mark.usefixtures("impatient")
async def test_a_body_that_drips_is_cut_off() -> None:
    begun = "POST /mcp HTTP/1.1\r\nHOSTContent-Type: application/json\r\nContent-Length: 500000\r\n\r\n"
    async with listening(FakeEngine()) as server, connected(server, begun) as (reader, writer):

        async def drip() -> None:
            while True:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.02)

        dripping = asyncio.ensure_future(drip())
        assert b"401" in (await rest(reader)).splitlines()[0]
        dripping.cancel()
        await asyncio.gather(dripping, return_exceptions=True)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("chunked", [False, True])
async def test_a_truncated_request_is_not_executed(chunked: bool) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "status", "arguments": {}}}
    body = json.dumps(call)
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(body) + 5}"
    sent = f"{len(body):x}\r\n{body}\r\n" if chunked else body
    engine = FakeEngine()
    asked: list[object] = []
    engine.bus.subscribe(lambda event: asked.append(event) if isinstance(event, CallStarted) else None)
    begun = f"POST /mcp HTTP/1.1\r\nHOST{AUTHORISATION}Content-Type: application/json\r\n{length}\r\n\r\n{sent}"
    async with listening(engine) as server, connected(server, begun) as (reader, _):
        assert await rest(reader) == b""
    assert not asked


@pytest.mark.usefixtures("impatient")
async def test_a_stream_of_a_client_with_the_token_lives_on() -> None:
    line = f"GET /control/attach?client=patient HTTP/1.1\r\nHOST{AUTHORISATION}\r\n"
    async with listening(FakeEngine()) as server, connected(server, line) as (reader, _):
        assert await reader.readuntil(b"\n\r\n")
        for _ in range(2):
            async with connected(server, "GET ") as (half, _):
                await rest(half)
        assert server.attached.names == ("patient",)


@pytest.mark.usefixtures("impatient")
async def test_clients_that_do_not_read_the_response_are_disconnected() -> None:
    left = asyncio.Event()

    async def flood(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(64):
            await send({"type": "http.response.body", "body": bytes(1024 * 1024), "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        left.set()

    guard, listener = ConnectionGuard(), _bound("127.0.0.1", 0)
    server = _QuietServer(_config(flood, guard), guard, listener)  # type: ignore[arg-type]
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        await asyncio.get_running_loop().sock_connect(client, listener.getsockname())
        client.send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        async with asyncio.timeout(PATIENCE):
            await left.wait()
    server.leave()
    await serving


async def test_connections_without_the_token_are_closed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ConnectionLimits, "within", lambda _files: ConnectionLimits(6, 3, 2))
    line = f"GET /control/attach?client=first HTTP/1.1\r\nHOST{AUTHORISATION}\r\n"
    async with listening(FakeEngine()) as server, connected(server, line) as (attached, _):
        await attached.readuntil(b"\n\r\n")
        async with contextlib.AsyncExitStack() as stack:
            half = [await stack.enter_async_context(connected(server, "POST /mcp HT")) for _ in range(12)]
            for reader, _ in half[:9]:
                assert await rest(reader) == b""
            hello = "GET /healthz HTTP/1.1\r\nHOSTConnection: close\r\n\r\n"
            reader, _ = await stack.enter_async_context(connected(server, hello))
            assert b'{"status":"ok"}' in await rest(reader)
        assert server.attached.names == ("first",)


async def test_a_flood_of_answered_requests_keeps_no_client_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ConnectionLimits, "within", lambda _files: ConnectionLimits(6, 3, 2))
    call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})
    whole = f"POST /mcp HTTP/1.1\r\nHOST{AUTHORISATION}Content-Type: application/json\r\n"
    whole += f"Connection: close\r\nContent-Length: {len(call)}\r\n\r\n{call}"
    async with listening(FakeEngine()) as server, contextlib.AsyncExitStack() as stack:
        for path in ["/healthz", "/mcp", "/healthz"] * 3:
            reader, _ = await stack.enter_async_context(connected(server, f"GET {path} HTTP/1.1\r\nHOST\r\n"))
            if path == "/healthz":
                assert await reader.readuntil(b"}")
        reader, _ = await stack.enter_async_context(connected(server, whole))
        assert (await rest(reader)).startswith(b"HTTP/1.1 200")


async def test_a_suspended_process_loses_no_pending_request(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    guard, listener, is_open = ConnectionGuard(clock=lambda: now[0]), _bound("127.0.0.1", 0), asyncio.Event()
    opened = guard.opened
    monkeypatch.setattr(guard, "opened", lambda connection: (opened(connection), is_open.set()))

    async def hello(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"hello"})

    server = _QuietServer(_config(hello, guard), guard, listener)  # type: ignore[arg-type]
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    reader, writer = await asyncio.open_connection(*listener.getsockname())
    async with asyncio.timeout(PATIENCE):
        await is_open.wait()
    guard.sweep()
    now[0] += 10 * connections.HEAD_SECONDS
    guard.sweep()
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    async with asyncio.timeout(PATIENCE):
        assert (await reader.readuntil(b"hello")).startswith(b"HTTP/1.1 200")
    # A client that keeps a working process waiting is still disconnected.
    for _ in range(int(connections.HEAD_SECONDS) + 2):
        now[0] += 1
        guard.sweep()
    assert not guard._connections
    writer.transport.abort()
    server.leave()
    await serving


def test_without_file_descriptors_one_more_client_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reserve of the listener lets accept work when the system reports that no descriptors are left."""
    listener = _bound("127.0.0.1", 0)
    real, failures = socket.socket.accept, iter([True, False])

    def accept(self: socket.socket) -> Any:
        if next(failures, False):
            raise OSError(24, "Too many open files")
        return real(self)

    monkeypatch.setattr(socket.socket, "accept", accept)
    with socket.create_connection(listener.getsockname()) as client:
        listener.make_room = lambda: True
        taken, _ = listener.accept()
        taken.close()
        assert client.recv(1) == b""
    listener.refill()
    failures = iter([True, False])
    listener.make_room = lambda: False
    with socket.create_connection(listener.getsockname()), pytest.raises(BlockingIOError):
        listener.accept()
    listener.close()


@pytest.mark.parametrize("files", [1, 120, 256, 4096, 10**6])
def test_connections_leave_file_descriptors_for_other_work(files: int) -> None:
    limits = ConnectionLimits.within(files)
    assert limits.unproved_per_address <= limits.unproved <= limits.total // 2
    assert limits.total <= max(16, files // 4) and limits.total <= 512
