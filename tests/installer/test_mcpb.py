"""The bundle for Claude Desktop is small, valid and reproducible, and connects to the installed application."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.instance import read_runtime
from mcpb import pack

pytestmark = pytest.mark.real

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "installer" / "mcpb" / "server" / "index.js"
MAX_SCRIPT_BYTES = 10_000
INITIALIZE = {
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node is not installed")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.strip().lstrip("v").split(".")[0]) < 18:
        pytest.skip(f"Node {version.strip()} is too old")
    return found


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """Return the packed bundle, unpacked as the host does it."""
    folder = tmp_path / "layout"
    folder.mkdir()
    pack.pack(pack.lay_out(folder), tmp_path / "one.mcpb")
    target = tmp_path / "installed"
    with zipfile.ZipFile(tmp_path / "one.mcpb") as archive:
        archive.extractall(target)
    for path in target.rglob("*.js"):
        path.chmod(0o600)  # as one host unpacks every file
    return target


class Host:
    """A client over the pipes of the bundle's server."""

    def __init__(self, folder: Path, **environ: str) -> None:
        variables = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", ""), **environ}
        command = [node(), str(folder / "server" / "index.js")]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables, cwd=folder
        )
        self._id = 0

    def request(self, message: dict[str, Any]) -> dict[str, Any]:
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, **message})
        assert self.process.stdout is not None
        for line in self.process.stdout:
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self._id:
                return answer
        raise AssertionError("the server has gone")

    def notify(self, method: str) -> None:
        self._send({"jsonrpc": "2.0", "method": method})

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(60)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[Path]:
    """Yield a data folder, and stop programs that were started for it."""
    data = tmp_path / "data"
    yield data
    if (info := read_runtime(data)) is not None:
        os.kill(info.pid, signal.SIGTERM)
        deadline = time.monotonic() + 60
        while read_runtime(data) is not None and time.monotonic() < deadline:
            time.sleep(0.05)


def test_the_bundle_is_small_and_always_the_same(bundle: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    again.mkdir()
    pack.pack(pack.lay_out(again), tmp_path / "two.mcpb")
    assert (tmp_path / "one.mcpb").read_bytes() == (tmp_path / "two.mcpb").read_bytes()
    assert SCRIPT.stat().st_size < MAX_SCRIPT_BYTES
    assert {path.name for path in bundle.rglob("*") if path.is_file()} == {"manifest.json", "icon.png", "index.js"}


def test_the_script_needs_nothing_but_node() -> None:
    required = [line.split('"')[1] for line in SCRIPT.read_text("utf-8").splitlines() if "require(" in line]
    assert required
    assert all(name.startswith("node:") for name in required)


def test_the_manifest_names_existing_files_and_settings(bundle: Path) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text("utf-8"))
    assert manifest["manifest_version"] == "0.3"
    assert (bundle / manifest["server"]["entry_point"]).is_file()
    assert (bundle / manifest["icon"]).is_file()
    for value in manifest["server"]["mcp_config"]["env"].values():
        assert value.removeprefix("${user_config.").removesuffix("}") in manifest["user_config"]


@pytest.mark.skipif(sys.platform == "win32", reason="looks in other places")
def test_without_the_application_every_request_gets_an_error(bundle: Path, tmp_path: Path) -> None:
    host = Host(bundle, HOME=str(tmp_path), WEBRAG_PROGRAM="${user_config.program}", WEBRAG_DATA_DIR="")
    answer = host.request(INITIALIZE)
    if "result" in answer:
        host.end()
        pytest.skip("WebRAG is installed on this machine")
    assert "not found" in answer["error"]["message"]
    host.notify("notifications/initialized")
    assert host.request({"method": "tools/list"})["error"] == answer["error"]
    assert host.end() == 1


@pytest.mark.skipif(sys.platform == "win32", reason="programs are named otherwise")
def test_a_program_that_cannot_be_started_is_named(bundle: Path, tmp_path: Path) -> None:
    broken = tmp_path / "webrag"
    broken.write_bytes(b"\x00\x01\x02")
    broken.chmod(0o755)
    host = Host(bundle, WEBRAG_PROGRAM=str(broken))
    assert str(broken) in host.request(INITIALIZE)["error"]["message"]
    assert host.end() == 1


@pytest.mark.real
@pytest.mark.skipif(sys.platform == "win32", reason="programs are named otherwise")
def test_the_packed_bundle_joins_the_real_application(bundle: Path, instance: Path, own_home: Path) -> None:
    program = Path(sys.executable).parent / "webrag"
    host = Host(bundle, WEBRAG_PROGRAM=str(program), WEBRAG_DATA_DIR=str(instance), HOME=str(own_home))
    assert host.request(INITIALIZE)["result"]["serverInfo"]["name"]
    host.notify("notifications/initialized")
    tools = host.request({"method": "tools/list"})["result"]["tools"]
    assert "kb_retrieve_evidence" in {tool["name"] for tool in tools}
    call = {"name": "status", "arguments": {}}
    assert host.request({"method": "tools/call", "params": call})["result"]["content"]
    assert host.end() == 0
    again = Host(bundle, WEBRAG_PROGRAM=str(program), WEBRAG_DATA_DIR=str(instance), HOME=str(own_home))
    assert "result" in again.request(INITIALIZE)
    again.process.send_signal(signal.SIGTERM)
    assert again.process.wait(60) != 0, "the end of the host ends the bridge"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which file a process was started from")
def test_the_program_of_the_running_application_is_found(bundle: Path, tmp_path: Path) -> None:
    shell = shutil.which("sleep")
    assert shell is not None
    (tmp_path / "bin").mkdir()
    shutil.copy(shell, tmp_path / "bin" / "webrag-desktop")
    stub = tmp_path / "bin" / "webrag"
    stub.write_text('#!/bin/sh\nread line\necho \'{"jsonrpc":"2.0","id":1,"result":{"from":"the stub"}}\'\n')
    stub.chmod(0o755)
    with subprocess.Popen([tmp_path / "bin" / "webrag-desktop", "60"]) as application:
        (tmp_path / "runtime.json").write_text(json.dumps({"pid": application.pid}))
        host = Host(bundle, WEBRAG_DATA_DIR=str(tmp_path))
        assert host.request(INITIALIZE)["result"] == {"from": "the stub"}
        assert host.process.wait(60) == 0
        application.kill()
