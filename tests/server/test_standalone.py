"""The package alone: without standard streams, and without modules that a part does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.server.gateway import allowed_hosts, is_loopback

ROOT = Path(__file__).resolve().parents[2]

WITHOUT_STREAMS = """
import asyncio, sys
report = sys.stdout
sys.stdout = sys.stderr = sys.stdin = None
import httpx2
from tests.server.fake_engine import FakeEngine
from tests.server.transports import BEARER, listening
async def main():
    async with listening(FakeEngine()) as running:
        async with httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as client:
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            return (await client.post(running.url, json=body)).status_code
status = asyncio.run(main())
report.write(str(status))
"""


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.real
def test_works_without_standard_streams() -> None:
    """A windowed executable has none, and the endpoint must still start."""
    done = python(WITHOUT_STREAMS)
    assert (done.stdout, done.stderr) == ("200", "")


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("app.server.render.answer", {"mcp", "PySide6", "httpx", "starlette", "uvicorn", "asyncio"}),
        ("app.server.render.errors", {"mcp", "PySide6", "httpx", "starlette", "uvicorn", "numpy"}),
        ("app.server.tools", {"mcp", "PySide6", "httpx", "starlette", "uvicorn", "onnxruntime"}),
    ],
)
def test_parts_load_only_what_they_need(module: str, absent: set[str]) -> None:
    done = python(f"import sys, {module}; print(*{{name.split('.')[0] for name in sys.modules}})")
    assert done.returncode == 0, done.stderr
    assert not set(done.stdout.split()) & absent


def test_hosts_and_loopback() -> None:
    assert allowed_hosts("::1", 5) == ("127.0.0.1:5", "localhost:5", "[::1]:5")
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "::", "10.0.0.1", "localhost.evil.example", "")] == [False] * 5
