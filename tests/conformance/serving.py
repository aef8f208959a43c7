"""The server for the external suite in a separate process: the real engine, endpoint, gate and dispatcher, with the fixtures.

    python -m tests.conformance.serving DATA_DIR

Prints `listening on URL` and serves until SIGTERM. It requires no token, because the suite cannot send one and the endpoint allows that on
loopback. The address of the endpoint itself is an allowed origin, which the suite demands.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path
from typing import Any

from mcp.server import Server

from app.engine import build_engine
from app.server import http
from app.server.calls.registry import Registry
from app.server.tools import TOOLS
from app.settings import Settings
from tests.conformance import fixtures
from tests.support.tls_proxy import free_port

_product_server = http.build_mcp_server


def _with_fixtures(*arguments: Any, **options: Any) -> Server[Any]:
    return fixtures.plug_in(_product_server(*arguments, **options))


async def serve(data_dir: Path) -> None:
    """Serve until a signal."""
    port, stopping = free_port(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    settings = Settings(
        data_dir=data_dir, mcp_allowed_origins=(f"http://127.0.0.1:{port}",), mcp_rate_limit_requests=100_000
    )
    engine = build_engine(settings)
    await engine.start()
    http.build_mcp_server = _with_fixtures
    server = http.HttpServer(engine, Registry((*TOOLS, *fixtures.TOOLS)), token="", port=port)
    try:
        print(f"listening on {await server.start()}", flush=True)  # noqa: T201 (whoever started this waits for it)
        await stopping.wait()
    finally:
        await server.stop()
        await engine.stop()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
