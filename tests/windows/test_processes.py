"""The server, the bridge and the window on Windows: real processes with pipes, the official client, real pages."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import psutil
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from app.ingest.preparation import Preparer
from app.ingest.prepared import Body
from app.instance import hold_instance, is_healthy, read_runtime
from app.paths import corpus_file
from app.text.tokens import ChunkingLimits, token_counter
from tests.bridge.fake_instance import FakeInstance
from tests.bridge.process import ROOT, BridgeProcess
from tests.conftest import in_own_home
from tests.support.site import Site

pytestmark = [pytest.mark.skipif(sys.platform != "win32", reason="made for Windows"), pytest.mark.timeout(900)]

WAIT_SECONDS = 240.0
POLL_SECONDS = 0.1
TOKEN = "test-token"
MANY_CONNECTIONS = 600
"""More than the number of streams in a Windows C library, and than `select` accepts."""
QUESTION = {"query": "How quickly must a cracked seal be exchanged?"}
LOOPBACK = {"WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8"}


@dataclass
class Running:
    """A process whose lines are read constantly, so that it never waits for its reader."""

    process: subprocess.Popen[bytes]
    lines: list[str] = field(default_factory=list)

    @classmethod
    def start(cls, *arguments: str, **environ: str) -> Running:
        """Start Python with these arguments and three pipes, which Wine requires."""
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **LOOPBACK, **environ},
        )
        running = cls(process)
        threading.Thread(target=running._listen, daemon=True).start()
        return running

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.decode(errors="replace").rstrip())

    def said(self, beginning: str) -> str:
        """Wait for the first line with this beginning and return it."""
        wait_for(lambda: self._found(beginning) is not None or self.process.poll() is not None, self.lines)
        found = self._found(beginning)
        assert found is not None, self.lines
        return found

    def _found(self, beginning: str) -> str | None:
        return next((line for line in self.lines if line.startswith(beginning)), None)

    def end(self) -> None:
        """Kill the process and all its children, because an open pipe would keep the tests from ending."""
        with contextlib.suppress(psutil.NoSuchProcess):
            end_all(psutil.Process(self.process.pid))


def end_all(process: psutil.Process) -> None:
    for one in [*process.children(recursive=True), process]:
        with contextlib.suppress(psutil.NoSuchProcess):
            one.kill()
    process.wait(WAIT_SECONDS)


def wait_for(condition: Callable[[], bool], about: object = "") -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, about
        time.sleep(POLL_SECONDS)


def command_line(*arguments: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "app", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environ},
    )
    try:
        said, complained = process.communicate(timeout=WAIT_SECONDS)
    finally:
        process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, said, complained)


# --- The server ---


@dataclass(frozen=True)
class Served:
    """Start a headless application."""

    data_dir: Path
    url: str
    pid: int


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    data_dir = folder / "data"
    with in_own_home(folder):
        running = Running.start(
            "-m",
            "app",
            "serve",
            "--transport",
            "streamable-http",
            "--port",
            "0",
            "--data-dir",
            str(data_dir),
            MCP_AUTH_TOKEN=TOKEN,
        )
        try:
            url = running.said("listening on ").removeprefix("listening on ").strip()
            yield Served(data_dir, url, running.process.pid)
        finally:
            running.end()


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as web:
        text = "A cracked seal must be exchanged within two days. " + "Valves are checked every spring. " * 20
        web.page("/seals", f"<title>Seals</title><main><h1>Seals</h1><p>{text}</p></main>")
        yield web


@asynccontextmanager
async def bridged(served: Served) -> AsyncIterator[Client]:
    """Start the official client with its own bridge. Errors go to a pipe, which Wine requires."""
    command = [sys.executable, "-m", "app", "mcp", "--data-dir", str(served.data_dir)]
    parameters = StdioServerParameters(command=command[0], args=command[1:], cwd=str(ROOT), env=dict(os.environ))
    source, sink = os.pipe()
    try:
        with os.fdopen(sink, "w", encoding="utf-8") as complaints:
            async with Client(stdio_client(parameters, errlog=complaints)) as client:
                yield client
    finally:
        os.close(source)


async def test_the_official_client_gets_an_answer_through_the_bridge(served: Served, site: Site) -> None:
    async with bridged(served) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        answer = await client.call_tool("answer", {"url": site.url("/seals"), **QUESTION})
    assert {"answer", "search", "status", "ingest"} <= names
    text = "\n".join(block.text for block in answer.content if block.type == "text")
    assert "within two days" in text and text.index("[EVIDENCE]") < text.index("[CITATIONS]")


async def test_the_endpoint_only_answers_with_the_token(served: Served) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx2.AsyncClient(headers=headers, timeout=WAIT_SECONDS, trust_env=False) as http:
        async with Client(streamable_http_client(served.url, http_client=http)) as client:
            assert len((await client.list_tools()).tools) > 10
        body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        assert (await http.post(served.url, json=body, headers={"Authorization": "Bearer other"})).status_code == 401
        assert (await http.post(served.url, json=body, headers={"Host": "evil.example"})).status_code in (403, 421)


def test_with_many_connections_the_server_still_answers_its_own(served: Served) -> None:
    info = read_runtime(served.data_dir)
    assert info is not None and info.pid == served.pid
    with contextlib.ExitStack() as opened:
        for _ in range(MANY_CONNECTIONS):
            with contextlib.suppress(OSError):
                opened.enter_context(socket.create_connection((info.host, info.port), timeout=WAIT_SECONDS))
        assert is_healthy(info, timeout=WAIT_SECONDS)


def test_a_second_server_on_the_same_data_names_the_address_of_the_first(served: Served) -> None:
    second = command_line("serve", "--transport", "streamable-http", "--port", "0", "--data-dir", str(served.data_dir))
    assert second.returncode != 0 and served.url.rsplit("/", 1)[0].encode() in second.stderr


@pytest.mark.parametrize("code_page", ["cp437", "cp1252", "cp932"])
def test_doctor_prints_marks_in_the_code_page_of_a_console(served: Served, code_page: str) -> None:
    done = command_line("doctor", "--data-dir", str(served.data_dir), PYTHONIOENCODING=code_page)
    said, complaint = done.stdout.decode(code_page), done.stderr.decode(code_page)
    marks = {line[2] for line in said.splitlines() if line.startswith("  ") and line[2:3].strip()}
    assert marks and "?" not in marks, said + complaint
    assert "Traceback" not in complaint


# --- The bridge ---


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[FakeInstance]:
    with hold_instance(tmp_path), FakeInstance(tmp_path) as running:
        yield running


def test_bridge_lines_end_as_in_the_protocol_and_it_exits_with_its_input(
    instance: FakeInstance,
) -> None:
    bridge = BridgeProcess(instance.data_dir)
    try:
        assert bridge.initialize()["id"] == 0
        assert bridge.close_input() == 0
    finally:
        bridge.process.kill()
    assert all(line.endswith(b"\n") and not line.endswith(b"\r\n") for line in bridge.lines)


def test_a_call_is_canceled_through_the_bridge(instance: FakeInstance) -> None:
    bridge = BridgeProcess(instance.data_dir)
    try:
        bridge.initialize()
        bridge.call("hang", id=1)
        assert instance.entered.wait(WAIT_SECONDS)
        bridge.send("notifications/cancelled", {"requestId": 1})
        assert instance.cancelled.wait(WAIT_SECONDS)
        bridge.send("tools/list", id=2)
        assert bridge.receive()["id"] == 2
    finally:
        bridge.process.kill()


CLIENT = """
import subprocess, sys, time
bridge = subprocess.Popen(sys.argv[1:], stdin=0, stdout=1, stderr=2)
print("bridge", bridge.pid, flush=True)
time.sleep(600)
"""


def test_the_bridge_ends_with_a_dying_client_although_pipes_stay_open(instance: FakeInstance) -> None:
    client = Running.start("-c", CLIENT, sys.executable, "-m", "app", "mcp", "--data-dir", str(instance.data_dir))
    try:
        bridge = psutil.Process(int(client.said("bridge ").split()[1]))
        assert client.process.stdin is not None
        client.process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
        client.process.stdin.flush()
        client.said("{")
        client.process.kill()
        bridge.wait(WAIT_SECONDS)
    finally:
        client.end()


def test_the_bridge_starts_an_application_that_outlives_it_and_is_shared(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    assert "result" in patient_hello(data_dir)
    info = read_runtime(data_dir)
    assert info is not None
    application = psutil.Process(info.pid)
    try:
        second = Running.start("-m", "app.desktop", "--data-dir", str(data_dir))
        assert second.process.wait(WAIT_SECONDS) == 0, second.lines
        assert is_healthy(info, timeout=WAIT_SECONDS)
    finally:
        end_all(application)
    assert corpus_file(data_dir).is_file()


def patient_hello(data_dir: Path) -> dict[str, object]:
    """Return a bridge's response to repeated attempts, because the application can start more slowly than a bridge waits."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        bridge = BridgeProcess(data_dir)
        try:
            said: dict[str, object] = bridge.initialize()
            assert bridge.close_input() == 0
        finally:
            bridge.process.kill()
        if "result" in said or time.monotonic() > deadline:
            return said


# --- The process that reads large files ---


def test_a_process_accepts_a_memory_limit() -> None:
    code = "from app.ingest.worker import limit_memory; print('limited', limit_memory(1 << 30))"
    assert Running.start("-c", code).said("limited") == "limited True"


@asynccontextmanager
async def read_apart() -> AsyncIterator[tuple[str, psutil.Process]]:
    """Return the title of a page read by a separate process, and that process."""
    reader = Preparer(ChunkingLimits(220, token_counter(None)))
    try:
        content = f"<h1>Sea</h1><p>{'The tide rises and falls twice a day in this harbour. ' * 5}</p>".encode()
        prepared = await reader.prepare(Body(content, "https://docs.example/manual.mht", "text/html"))
        [process] = [psutil.Process(one) for one in reader.process_ids]
        yield prepared.page.title, process
    finally:
        await reader.stop()


async def test_a_page_is_read_by_a_separate_process_that_is_ended() -> None:
    async with read_apart() as (title, process):
        assert title == "Sea" and process.is_running()
    assert not process.is_running()


async def test_the_process_that_reads_pages_has_a_low_priority() -> None:
    async with read_apart() as (_, process):
        assert process.nice() == psutil.BELOW_NORMAL_PRIORITY_CLASS


# --- Secrets ---

KEEP = """
import sys
from app.secrets import SecretName, SecretStore
store, name = SecretStore(), SecretName.BRAVE_API_KEY
if sys.argv[1] == "set":
    print("stored in", store.set(name, "a secret with ä"))
elif sys.argv[1] == "get":
    print("found in", store.get(name).source, store.get(name).value == "a secret with ä")
else:
    store.delete(name)
    print("now", store.get(name).source)
"""


def test_the_windows_keyring_keeps_secrets_between_processes() -> None:
    said = [
        Running.start("-c", KEEP, what, PYTHON_KEYRING_BACKEND="keyring.backends.Windows.WinVaultKeyring").said(
            beginning
        )
        for what, beginning in (("set", "stored"), ("get", "found"), ("delete", "now"))
    ]
    assert said == ["stored in keyring", "found in keyring True", "now not set"]
