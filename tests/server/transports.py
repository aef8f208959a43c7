"""The official client on the real transports: in memory, and over a socket on loopback."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from app.server.calls.registry import Registry
from app.server.http import HttpServer
from app.server.protocol.mcp_server import build_mcp_server
from app.server.tools import build_registry
from tests.server.fake_engine import FakeEngine

TOKEN = "token-of-the-tests"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
MODES = ("auto", "legacy")
KINDS = ("memory", "http")


@contextlib.asynccontextmanager
async def listening(engine: FakeEngine, registry: Registry | None = None, **more: object) -> AsyncIterator[HttpServer]:
    """Yield a server on a free port and stop it at the end."""
    options = {"token": TOKEN, "port": 0} | more
    server = HttpServer(engine, registry or build_registry(engine.settings), **options)  # type: ignore[arg-type]
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@contextlib.asynccontextmanager
async def client_of(url: str, mode: str, headers: dict[str, str] | None = None) -> AsyncIterator[Client]:
    """Yield the official client over HTTP."""
    async with (
        httpx2.AsyncClient(headers={**BEARER, **(headers or {})}, trust_env=False, verify=False) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


@contextlib.asynccontextmanager
async def connected(
    kind: str, mode: str, engine: FakeEngine, registry: Registry | None = None
) -> AsyncIterator[Client]:
    """Yield the official client on one transport in one protocol era."""
    known = registry or build_registry(engine.settings)
    if kind == "memory":
        async with Client(build_mcp_server(engine, known), mode=mode) as client:
            yield client
    else:
        async with listening(engine, known) as server, client_of(server.url, mode) as client:
            yield client


async def leave(engine: FakeEngine, request: Awaitable[object]) -> None:
    """Send a request and disconnect while it is processed."""
    asking = asyncio.ensure_future(request)
    async with asyncio.timeout(60):
        await engine.entered.wait()
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for an effect of the other side."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 (another thread or process)
            await asyncio.sleep(0.01)
