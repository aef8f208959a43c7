"""The server sends a client identical bytes over bridge, own process and HTTP, in both protocol eras."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.clients.probe import MODERN_META, MODERN_VERSION, Session
from tests.conftest import with_guide
from tests.integration.application import WEBRAG, environment, running

pytestmark = pytest.mark.real

ERAS = ("handshake", MODERN_VERSION)
START_SECONDS = 120.0


def over_stdio(era: str, *command: str) -> dict[str, str]:
    with closing(Session([str(WEBRAG), *command], environment())) as session:
        if era == "handshake":
            told = session.initialize(timeout=START_SECONDS)
            listed = session.request("tools/list", timeout=START_SECONDS)
        else:
            told = session.request("server/discover", {"_meta": MODERN_META}, timeout=START_SECONDS)
            listed = session.request("tools/list", {"_meta": MODERN_META}, timeout=START_SECONDS)
    return as_bytes(told, listed)


def over_http(era: str, url: str, token: str = "test-token") -> dict[str, str]:
    def post(method: str, params: dict[str, Any]) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        if era == MODERN_VERSION:
            params = {**params, "_meta": MODERN_META}
            headers |= {"MCP-Protocol-Version": era, "Mcp-Method": method}
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = httpx2.post(
            url, json=body, headers=headers, timeout=START_SECONDS, trust_env=False, verify=False
        ).json()
        result: dict[str, Any] = answer["result"]
        return result

    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "webrag", "version": "1"}}
    told = post("initialize", hello) if era == "handshake" else post("server/discover", {})
    return as_bytes(told, post("tools/list", {}))


def as_bytes(told: dict[str, Any], listed: dict[str, Any]) -> dict[str, str]:
    return {"tools": json.dumps(listed["tools"]), "instructions": json.dumps(told["instructions"])}


def test_tools_and_instructions_are_the_same_on_every_way(tmp_path: Path, guide_file: Path) -> None:
    data_dir, own_dir = (with_guide(tmp_path / name, guide_file) for name in ("data", "own"))
    bridge = ("mcp", "--data-dir", str(data_dir))
    with running(data_dir) as application:
        for era in ERAS:
            over_bridge = over_stdio(era, *bridge)
            assert over_bridge == over_http(era, application.url)
            own = over_stdio(era, "serve", "--transport", "stdio", "--data-dir", str(own_dir))
            assert own == over_bridge
            asked_for = json.loads(over_stdio(era, *bridge, "--tools", "simple")["tools"])
            assert [tool["name"] for tool in asked_for] == ["answer", "search", "status"]
        first, second = (over_http(era, application.url) for era in ERAS)
        assert json.loads(first["tools"]) == json.loads(second["tools"])
        assert first["instructions"] == second["instructions"]
