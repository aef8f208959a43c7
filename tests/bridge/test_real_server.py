"""The bridge and the real program: started by the bridge, shared, killed, restarted; and the official client."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from app import caps
from app.instance import RuntimeInfo, find_instance, read_runtime, write_runtime
from tests.bridge.process import ROOT, BridgeProcess
from tests.conftest import with_guide

pytestmark = pytest.mark.real

GRACE_SECONDS = 0.7
FOUND_SECONDS = 60.0


@pytest.fixture
def data_dir(tmp_path: Path, guide_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Create a data directory with the guide. Its instance waits for bridges only briefly, and exits at the end of the test."""
    hook = tmp_path / "hook"
    hook.mkdir()
    shorter = f"import app.cli.serve\napp.cli.serve.ATTACH_GRACE_SECONDS = {GRACE_SECONDS}\n"
    (hook / "sitecustomize.py").write_text(shorter, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(hook), str(ROOT)]))
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    folder = with_guide(tmp_path / "data", guide_file)
    yield folder
    if (info := read_runtime(folder)) is not None and info.pid != os.getpid():
        with contextlib.suppress(ProcessLookupError):
            os.kill(info.pid, signal.SIGKILL)


def parameters(data_dir: Path) -> StdioServerParameters:
    arguments = ["-m", "app", "mcp", "--data-dir", str(data_dir)]
    return StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ), cwd=ROOT)


def running(data_dir: Path) -> RuntimeInfo:
    """Return the running instance. On a busy computer this can take some time."""
    deadline = time.monotonic() + FOUND_SECONDS
    while (info := find_instance(data_dir)) is None:
        assert time.monotonic() < deadline
    return info


def wait_until_gone(pid: int, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while _is_alive(pid):
        assert time.monotonic() < deadline, f"process {pid} is still running"
        time.sleep(0.05)


def _is_alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    if Path("/proc/self").exists():
        return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def instances(data_dir: Path) -> list[int]:
    """Return the processes that serve this data directory."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid,stat,args"], capture_output=True, text=True, check=True).stdout
    mine = [line.split() for line in listed.splitlines() if f"--data-dir {data_dir}" in line and " serve " in line]
    return [int(words[0]) for words in mine if not words[1].startswith("Z")]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_works_through_the_bridge(data_dir: Path, mode: str) -> None:
    told: list[str] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    async with Client(parameters(data_dir), mode=mode) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"answer", "search", "status", "ingest"} <= tools
        question = {"query": "How do I connect Claude Desktop?"}
        result = await client.call_tool("search", question, progress_callback=on_progress)
        assert not result.is_error
        assert "claude_desktop_config.json" in result.content[0].text  # type: ignore[union-attr]
        at_once = caps.MAX_CONCURRENT_CALLS_PER_CALLER + caps.MAX_QUEUED_CALLS_PER_CALLER
        calls = [client.call_tool("status", {}) for _ in range(at_once)]
        assert not any(answer.is_error for answer in await asyncio.gather(*calls))
        refused = await client.call_tool("answer", {"url": "http://127.0.0.1:9/", "query": "x"})
        assert refused.is_error
    assert told


HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}


def test_twenty_racing_bridges_start_one_instance_that_ends_after_the_last_of_them(data_dir: Path) -> None:
    """Also in the reduced environment that clients pass on, and after the instance was suspended."""
    with contextlib.ExitStack() as stack:
        bridges = [stack.enter_context(BridgeProcess(data_dir, PATH="/nowhere", HOME="")) for _ in range(20)]
        for bridge in bridges:
            bridge.send("initialize", HELLO, id=0)
        for bridge in bridges:
            assert "result" in bridge.receive(60)
        pid = running(data_dir).pid
        assert instances(data_dir) == [pid]
        for bridge in bridges[1:]:
            assert bridge.close_input() == 0
        time.sleep(GRACE_SECONDS + 0.5)
        os.kill(pid, signal.SIGSTOP)
        bridges[0].send("tools/list", id=1)
        assert bridges[0].silent(0.3)
        os.kill(pid, signal.SIGCONT)
        assert bridges[0].receive()["result"]["tools"]
        bridges[0].process.kill()
        wait_until_gone(pid, GRACE_SECONDS + 30)
        assert not (data_dir / "runtime.json").exists()


class Stranger(BaseHTTPRequestHandler):
    """Run another program that responds to all requests."""

    def do_GET(self) -> None:
        content = b'{"status": "ok"}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_a_file_of_a_dead_instance_whose_pid_and_port_were_reused(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a display but no session bus, the application starts with its window hidden."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    with ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as stranger:
        threading.Thread(target=stranger.serve_forever, args=(0.02,), daemon=True).start()
        write_runtime(data_dir, RuntimeInfo(f"http://127.0.0.1:{stranger.server_port}/mcp", "old", os.getpid(), "0"))
        with BridgeProcess(data_dir, DISPLAY=":4711", QT_QPA_PLATFORM="offscreen") as bridge:
            bridge.send("initialize", HELLO, id=0)
            assert "result" in bridge.receive(60)
            pid = running(data_dir).pid
            assert pid != os.getpid() and instances(data_dir) == []
            os.kill(pid, signal.SIGTERM)
            wait_until_gone(pid, 30)
        stranger.shutdown()


def test_a_killed_instance_is_started_again(data_dir: Path) -> None:
    with BridgeProcess(data_dir) as bridge:
        bridge.know_tools()
        first = running(data_dir)
        os.kill(first.pid, signal.SIGKILL)
        bridge.call("search", {"query": "connect"}, id=1)
        assert "[EVIDENCE]" in json.dumps(bridge.receive(60))
        second = running(data_dir)
        assert second.pid != first.pid
        assert bridge.close_input() == 0
        wait_until_gone(second.pid, GRACE_SECONDS + 30)


def test_a_call_in_the_handshake_era_can_be_canceled(data_dir: Path) -> None:
    """The handler ends with the stream, and the bridge continues."""
    with BridgeProcess(data_dir) as bridge:
        bridge.initialize()
        for number in range(1, 6):
            bridge.call("search", {"query": "connect"}, id=number)
            bridge.send("notifications/cancelled", {"requestId": number})
        bridge.call("status", {}, id="last")
        while (reply := bridge.receive())["id"] != "last":
            assert reply["id"] in range(1, 6)
        assert "[CORPUS STATUS]" in json.dumps(reply)
        os.kill(running(data_dir).pid, signal.SIGTERM)


def test_without_a_window_a_headless_server_starts_in_its_own_session(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM")
    with BridgeProcess(data_dir, DISPLAY=":4711") as bridge:
        assert "result" in bridge.initialize()
        pid = running(data_dir).pid
        assert instances(data_dir) == [pid]
        assert os.getsid(pid) != os.getsid(bridge.process.pid)
        os.kill(pid, signal.SIGTERM)
        wait_until_gone(pid, 30)
