"""MCP over stdin and stdout, in this process."""

from __future__ import annotations

from app.server.mcp_server import build_mcp_server
from app.server.port import EnginePort
from app.server.registry import Registry


async def run_stdio(engine: EnginePort, registry: Registry) -> None:
    """Serve until the end of standard input; what anything prints meanwhile goes to stderr."""
    from mcp.server.stdio import stdio_server

    server = build_mcp_server(engine, registry)
    async with stdio_server() as (source, sink):
        await server.run(source, sink, server.create_initialization_options())
