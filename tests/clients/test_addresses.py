"""Entries with an address are updated when another program has the port, but only if they are clearly ours."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from app.clients.hosts import CLIENTS
from app.clients.monitor import ConfigDrift, ConfigMonitor, DriftKind
from app.clients.profile import Machine, ServerCommand
from app.instance import CHALLENGE_HEADER, RuntimeInfo, proof_of, write_runtime

TOKEN = "the-token-of-this-instance"
NEW = "http://127.0.0.1:18766/mcp"


class Impostor(ThreadingHTTPServer):
    """A server at the old address. With `token`, it is another instance of the program. `seen` records what it received."""

    def __init__(self, token: str = "") -> None:
        seen: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                seen.append(str(self.headers))
                nonce = self.headers.get(CHALLENGE_HEADER, "")
                proof = proof_of(token, nonce, self.server.server_address[1]) if token else ""
                body = json.dumps({"status": "ok", "proof": proof}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.seen = seen
        self.url = f"http://127.0.0.1:{self.server_port}/mcp"


@pytest.fixture
def listening() -> Iterator[Callable[..., Impostor]]:
    running: list[Impostor] = []

    def start(token: str = "") -> Impostor:
        running.append(Impostor(token))
        Thread(target=running[-1].serve_forever, daemon=True).start()
        return running[-1]

    yield start
    for each in running:
        each.shutdown()
        each.server_close()


@pytest.fixture
def guardian(linux: Machine, tmp_path: Path) -> ConfigMonitor:
    write_runtime(tmp_path / "data", RuntimeInfo(NEW, TOKEN, os.getpid(), "1"))
    return ConfigMonitor(ServerCommand("/bin/sh", ("mcp",)), CLIENTS, linux, tmp_path / "data", lambda _drifts: None)


def cursor_file(linux: Machine, servers: dict[str, Any]) -> Path:
    path = linux.home / ".cursor" / "mcp.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"mcpServers": servers, "theme": "dark"}, indent=4))
    return path


def moved(guardian: ConfigMonitor) -> list[ConfigDrift]:
    return [each for each in guardian.check_now() if each.kind is DriftKind.MOVED]


def test_an_entry_gets_the_new_port_and_the_other_program_no_token(
    guardian: ConfigMonitor, linux: Machine, listening: Callable[..., Impostor]
) -> None:
    other = listening()
    entry = {"url": other.url, "headers": {"Authorization": f"Bearer {TOKEN}"}, "note": other.url + "x"}
    bridged = {"command": "npx", "args": ["mcp-remote", other.url, "--header", f"Authorization: Bearer {TOKEN}"]}
    path = cursor_file(linux, {"webrag": entry, "webrag-remote": bridged, "other": {"url": other.url}})
    before = path.read_bytes()
    (first,) = moved(guardian)
    assert first.by_itself and first.kind.repairable and other.url in first.message and NEW in first.hint
    change = guardian.repair(first)
    assert change.backup is not None and change.backup.read_bytes() == before
    (second,) = moved(guardian)
    guardian.repair(second)
    assert moved(guardian) == []
    servers = json.loads(path.read_text())["mcpServers"]
    assert servers["webrag"] == {**entry, "url": NEW}
    assert servers["webrag-remote"]["args"] == ["mcp-remote", NEW, *bridged["args"][2:]]
    assert servers["other"] == {"url": other.url}
    assert other.seen and not any(TOKEN in each for each in other.seen)


@pytest.mark.parametrize(
    "entry",
    [
        {"url": NEW},
        {"url": "http://127.0.0.1:9/other"},
        {"url": "http://192.168.1.7:9/mcp"},
        {"url": "https://127.0.0.1:9/mcp"},
        {"url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "Bearer of-another-installation"}},
        {"url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "Basic b2Y6YW5vdGhlcg=="}},
        {"command": "gateway", "env": {"UPSTREAM": "http://127.0.0.1:9/mcp"}},
        {"command": "npx", "args": ["gateway", NEW, "--fallback", "http://127.0.0.1:9/mcp"]},
        {"command": "npx", "args": ["gateway", "http://127.0.0.1:8/mcp", "http://127.0.0.1:9/mcp"]},
        "http://127.0.0.1:9/mcp",
    ],
)
def test_an_entry_that_is_not_clearly_ours_is_unchanged(guardian: ConfigMonitor, linux: Machine, entry: object) -> None:
    cursor_file(linux, {"webrag": entry})
    assert moved(guardian) == []


def test_a_name_that_only_contains_ours_needs_our_token_too(guardian: ConfigMonitor, linux: Machine) -> None:
    other: dict[str, Any] = {"url": "http://127.0.0.1:9/mcp", "headers": {"X-Api-Key": "of-another-server"}}
    ours = {"url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": f"Bearer {TOKEN}"}}
    path = cursor_file(
        linux, {"my-webrag-notes": other, "webrag-docs": {"url": "http://127.0.0.1:9/mcp"}, "webrag-2": ours}
    )
    (found,) = moved(guardian)
    guardian.repair(found)
    servers = json.loads(path.read_text())["mcpServers"]
    assert servers["my-webrag-notes"] == other and servers["webrag-docs"] == {"url": "http://127.0.0.1:9/mcp"}
    assert servers["webrag-2"] == {**ours, "url": NEW} and moved(guardian) == []


def test_an_address_of_another_instance_of_ours_is_unchanged(
    guardian: ConfigMonitor, linux: Machine, listening: Callable[..., Impostor]
) -> None:
    cursor_file(linux, {"webrag": {"url": listening(TOKEN).url}})
    assert moved(guardian) == []


def test_an_address_without_a_server_is_outdated_too(guardian: ConfigMonitor, linux: Machine) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    headers = {"Authorization": "Bearer ${input:webrag-token}"}
    path = cursor_file(linux, {"webrag-http": {"url": f"http://localhost:{port}/mcp", "headers": headers}})
    (found,) = moved(guardian)
    guardian.repair(found)
    assert json.loads(path.read_text())["mcpServers"]["webrag-http"]["url"] == "http://localhost:18766/mcp"


def test_only_the_process_that_listens_changes_addresses(
    guardian: ConfigMonitor, linux: Machine, tmp_path: Path
) -> None:
    cursor_file(linux, {"webrag": {"url": "http://127.0.0.1:9/mcp"}})
    assert len(moved(guardian)) == 1
    write_runtime(tmp_path / "data", RuntimeInfo(NEW, TOKEN, os.getpid() + 1, "1"))
    assert moved(guardian) == []
