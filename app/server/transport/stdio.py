"""MCP over stdin and stdout, in this process."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from app.server.calls.dispatch import Dispatcher
from app.server.calls.registry import Registry
from app.server.protocol.changes import EVERY_CHANGE, ListChanges, PipeSession
from app.server.protocol.mcp_server import build_mcp_server

if TYPE_CHECKING:
    from app.engine import Engine


async def run_stdio(engine: Engine, registry: Registry) -> None:
    """Serve until the end of standard input; what anything prints meanwhile goes to stderr."""
    from mcp.server.stdio import stdio_server

    changes, session = ListChanges(engine.bus), PipeSession()
    dispatcher = Dispatcher(engine, registry)
    server = build_mcp_server(engine, registry, dispatcher=dispatcher, changes=changes)
    server.middleware.append(session.remember)
    async with stdio_server() as (source, sink):
        with contextlib.closing(dispatcher), changes.told(session.tell):
            await server.run(source, sink, server.create_initialization_options(EVERY_CHANGE))
