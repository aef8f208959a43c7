"""The real application for benchmarks: `webrag serve` in its own process, used through the real bridge."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WEBRAG = Path(sys.executable).parent / "webrag"
START_SECONDS = 60.0


@dataclass(frozen=True)
class Reply:
    """One tool result with the time on the client's side. `data` is the structured result."""

    text: str
    is_error: bool
    ms: float
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Running:
    """A started application."""

    pid: int
    data_dir: Path
    environment: Mapping[str, str]


@contextlib.contextmanager
def running_application() -> Iterator[Running]:
    """Start the headless application with a fresh corpus and access to loopback. Ends it with SIGTERM."""
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder:
        data_dir = Path(folder) / "data"
        environment = {
            **os.environ,
            "WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8",
            "WEBRAG_CONFIG": str(Path(folder) / "config.toml"),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            "MCP_RATE_LIMIT_REQUESTS": "100000",
        }
        command = [str(WEBRAG), "serve", "--transport", "streamable-http", "--port", "0", "--data-dir", str(data_dir)]
        with (Path(folder) / "stderr").open("w+b") as log:
            process = subprocess.Popen(command, env=environment, stderr=log, stdin=subprocess.DEVNULL)
            try:
                _wait_ready(process, Path(log.name))
                yield Running(process.pid, data_dir, environment)
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(timeout=30)


def _wait_ready(process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while b"listening on" not in log.read_bytes():
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"the application did not start:\n{log.read_text(errors='replace')}")
        time.sleep(0.02)


class Client:
    """An MCP client connected through `webrag mcp`."""

    def __init__(self, client: Any) -> None:
        self._client = client

    async def call(self, tool: str, **arguments: object) -> Reply:
        started = time.perf_counter()
        result = await self._client.call_tool(tool, arguments)
        ms = 1000 * (time.perf_counter() - started)
        text = "\n".join(block.text for block in result.content if block.type == "text")
        return Reply(text, bool(result.is_error), ms, result.structured_content or {})


@contextlib.asynccontextmanager
async def connected(application: Running) -> AsyncIterator[Client]:
    """Yield the official client over the real bridge."""
    from mcp import Client as McpClient
    from mcp import StdioServerParameters

    arguments = ["mcp", "--data-dir", str(application.data_dir)]
    parameters = StdioServerParameters(command=str(WEBRAG), args=arguments, env=dict(application.environment))
    async with McpClient(parameters, read_timeout_seconds=180) as client:
        yield Client(client)


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process in MB (Linux)."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ValueError(f"no memory figure for process {pid}")
