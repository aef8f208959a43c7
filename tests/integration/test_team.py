"""The deployment of `installer/team` as processes: PostgreSQL, two nodes, TLS in front of them, and a desktop that joins."""

from __future__ import annotations

import asyncio
import http.client
import os
import re
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio

from app.engine import Engine, build_engine
from app.library.exchange import PageIn
from app.pg import setup
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.calls.registry import ToolOutput
from app.server.tools import build_registry
from app.settings import load_settings
from tests.conftest import with_guide
from tests.support.postgres import PostgresServer, ends_with
from tests.support.tls_proxy import TlsProxy, free_port

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]

ROOT: Final = Path(__file__).resolve().parents[2]
FILES: Final = ROOT / "installer" / "team"
DOCS: Final = ROOT / "docs" / "internals" / "team.md"
SECONDS: Final = 600.0
DATABASE: Final = "team_set_up"
PASSWORD: Final = "password-of-the-database"
TOKEN: Final = "token-of-everybody-here"
WRONG_TOKEN: Final = "token-of-nobody-at-all"
QUESTION: Final = "How many days of leave does the handbook give?"
PAGE: Final = PageIn(
    "https://intra.example.org/leave", "Leave", "# Leave\n\nThe handbook gives twenty-eight days of leave a year.\n"
)
CALLER: Final = Caller("claude-code", key="1")


def program(*arguments: str, log: Path | None = None, **environ: str) -> subprocess.Popen[str]:
    """Start `webrag` with these arguments, without the settings of this machine."""
    given = {"PATH": os.environ["PATH"], "HOME": str(FILES), "PGPASSWORD": PASSWORD, **environ}
    output: Any = log.open("wb") if log is not None else subprocess.PIPE
    command = [sys.executable, "-m", "app", *arguments]
    return subprocess.Popen(
        command,
        env=given,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=ends_with(),
    )


@dataclass
class SetUp:
    """The running processes."""

    folder: Path
    proxy: TlsProxy
    nodes: list[str] = field(default_factory=list)

    def get(self, path: str, node: str = "", **headers: str) -> int:
        """Return the status of a path at a node, or through the proxy."""
        if node:
            connection = http.client.HTTPConnection(node, timeout=SECONDS)
        else:
            trusted = ssl.create_default_context(cafile=str(self.proxy.certificate))
            connection = http.client.HTTPSConnection("localhost", self.proxy.port, timeout=SECONDS, context=trusted)
        try:
            connection.request("GET", path, headers=headers)
            return connection.getresponse().status
        except OSError:
            return 0
        finally:
            connection.close()

    def wait_until_ready(self) -> None:
        """Wait until every node is ready."""
        end = time.monotonic() + SECONDS
        while any(self.get("/readyz", node) != 200 for node in self.nodes):
            assert time.monotonic() < end, self.logs()
            time.sleep(0.05)

    def logs(self) -> str:
        """Return the output of nodes and proxy."""
        return "\n".join(file.read_text("utf-8", "replace") for file in self.folder.rglob("*.log*"))


def client(server: PostgresServer, name: str, *arguments: str | Path, **environ: str) -> None:
    """Run a client program of the server."""
    command = [server.binaries / name, *arguments]
    subprocess.run(command, env={**environ, "PATH": os.environ["PATH"]}, check=True, timeout=SECONDS)


def psql(server: PostgresServer, database: str, *arguments: str | Path, **environ: str) -> None:
    """Run SQL."""
    client(server, "psql", "-q", "-v", "ON_ERROR_STOP=1", "-d", server.address(database), *arguments, **environ)


@pytest.fixture(scope="module")
def team(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SetUp]:
    """Yield the database as compose.yaml creates it, two nodes with the role `web`, and the proxy."""
    folder = tmp_path_factory.mktemp("team")
    address = postgres.new_database(DATABASE)
    psql(postgres, DATABASE, "-f", FILES / "node-login.sql", NODE_PASSWORD=PASSWORD)
    made = program("admin", "init", "--database", address)
    assert made.wait(SECONDS) == 0, made.stdout.read() if made.stdout else ""
    ports = [free_port() for _ in range(3)]
    environ = {
        "WEBRAG_LIBRARY": postgres.address(DATABASE, "web"),
        "WEBRAG_PUBLIC_URL": f"https://localhost:{ports[0]}",
        "MCP_AUTH_TOKEN": TOKEN,
        "MCP_TOOL_TIMEOUT": "600",
    }
    serve = ("serve", "--transport", "streamable-http", "--host", "127.0.0.1")
    nodes = [
        program(
            *serve, "--port", str(port), "--data-dir", str(folder / str(port)), log=folder / f"{port}.log", **environ
        )
        for port in ports[1:]
    ]
    addresses = [f"127.0.0.1:{port}" for port in ports[1:]]
    proxy = TlsProxy(folder, ports[0], addresses)
    running = SetUp(folder, proxy, addresses)
    running.wait_until_ready()
    yield running
    proxy.close()
    for node in nodes:
        node.terminate()
    for node in nodes:
        node.wait(SECONDS)


@dataclass
class Desk:
    """An engine with its guide that joined the library."""

    engine: Engine
    dispatcher: Dispatcher
    name: str

    async def search(self, query: str) -> ToolOutput:
        return await self.dispatcher.call("search", {"query": query}, CALLER)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk(team: SetUp, tmp_path_factory: pytest.TempPathFactory, guide_file: Path) -> AsyncIterator[Desk]:
    folder = with_guide(tmp_path_factory.mktemp("desk"), guide_file)
    with pytest.MonkeyPatch.context() as patch:
        from app.remote import transport

        patch.setenv("SSL_CERT_FILE", str(team.proxy.certificate))
        transport._tls.cache_clear()
        for module in ("app.remote.client", "app.engine.libraries"):
            patch.setattr(f"{module}.QUESTION_SECONDS", 120.0)
        patch.setattr("app.remote.client.AWAY_SECONDS", 0.2)
        patch.setattr("app.remote.transport.CONNECT_SECONDS", 60.0)
        engine = build_engine(load_settings(data_dir=folder))
        await engine.start(background=False)
        dispatcher = Dispatcher(engine, build_registry(engine.settings))
        joining = engine.libraries.join(f"https://localhost:{team.proxy.port}", print, token=TOKEN)
        engine.libraries.keep(joining, "library")
        yield Desk(engine, dispatcher, joining.library.name)
        dispatcher.close()
        await engine.stop()
    transport._tls.cache_clear()


async def found(desk: Desk) -> ToolOutput:
    """Return the reply when the shared library has the page with its vector, or is back."""
    end = time.monotonic() + SECONDS
    while True:
        reply = await desk.search(QUESTION)
        if "twenty-eight days" in reply.text:
            return reply
        assert time.monotonic() < end, reply.text


async def test_a_desktop_finds_what_it_shared_and_logs_hold_no_secret(team: SetUp, desk: Desk) -> None:
    stored = desk.engine.libraries.remote(desk.name).share(PAGE)
    assert stored.state == "stored"
    assert f"webrag://lib/{desk.name}/page/{stored.page_id}" in (await found(desk)).text
    assert [team.get(path) for path in ("/healthz", "/readyz", "/metrics", "/library/v1")] == [200, 404, 404, 401]
    assert team.get("/library/v1", Authorization=f"Bearer {WRONG_TOKEN}") == 401
    for node in team.nodes:
        assert team.get("/metrics", node) == 200
        assert team.get("/metrics", node, **{"X-Forwarded-For": "203.0.113.9"}) == 403, (
            "the request goes through a proxy"
        )
    written = team.logs()
    assert len(written) > 100
    for secret in (TOKEN, WRONG_TOKEN, PASSWORD):
        assert secret not in written


async def test_without_the_database_the_private_library_answers_and_the_shared_one_comes_back(
    team: SetUp, desk: Desk, postgres: PostgresServer
) -> None:
    postgres.stop()
    try:
        reply = await desk.search("How do I connect an assistant?")
        assert not reply.is_error and "does not respond" in reply.text
        assert "These results come from your private library only." in reply.text and "webrag://lib" not in reply.text
        assert all(team.get("/readyz", node) == 503 for node in team.nodes)
    finally:
        postgres.serve()
    team.wait_until_ready()
    assert "does not respond" not in (await found(desk)).text
    assert not any(secret in team.logs() for secret in (TOKEN, PASSWORD))


async def test_a_portable_copy_is_restored_and_its_passages_wait_for_their_vectors(
    team: SetUp, desk: Desk, postgres: PostgresServer, tmp_path: Path
) -> None:
    desk.engine.libraries.remote(desk.name).share(PAGE)
    await found(desk)
    before = await asyncio.to_thread(setup.state, postgres.address(DATABASE))
    assert before.chunks and not before.waiting
    text = DOCS.read_text("utf-8")
    left_out = re.findall(r"--exclude-table-data='([a-z_.]+)'", text)
    [refill] = re.findall(r"^(INSERT INTO webrag\.waiting.*?;)$", text, re.MULTILINE | re.DOTALL)
    copy = tmp_path / "library.dump"
    named = [f"--exclude-table-data={table}" for table in left_out]
    client(postgres, "pg_dump", "-Fc", *named, "-f", copy, postgres.address(DATABASE))
    restored = await asyncio.to_thread(postgres.new_database, f"{DATABASE}_again")
    client(postgres, "pg_restore", "--exit-on-error", "-d", restored, copy)
    psql(postgres, f"{DATABASE}_again", "-c", refill)
    await asyncio.to_thread(setup.migrate, restored)
    after = await asyncio.to_thread(setup.state, restored)
    assert (after.documents, after.chunks, after.collections) == (before.documents, before.chunks, before.collections)
    assert after.waiting == after.chunks and after.schema == before.schema
