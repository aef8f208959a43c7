"""Calls of assistants over HTTP, as bridges send them."""

from __future__ import annotations

import http.client
import json
from typing import Any


def call(url: str, client: str, tool: str, arguments: dict[str, Any]) -> None:
    """Send a tool call like an assistant's bridge."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    headers = {
        **_headers(client),
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-06-18",
    }
    connection = _connection(url)
    connection.request("POST", "/mcp", json.dumps(body), headers)
    response = connection.getresponse()
    text = response.read()
    if response.status != 200 or b'"error"' in text[:60]:
        raise RuntimeError(f"{tool}: {response.status} {text[:300]!r}")


def attach(url: str, client: str) -> http.client.HTTPResponse:
    """Open the connection that shows that a bridge is running."""
    connection = _connection(url)
    connection.request("GET", f"/control/attach?client={client.replace('/', '%2F')}&pid=1", headers=_headers(client))
    return connection.getresponse()


def _connection(url: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(url.split("/")[2], timeout=60)


def _headers(client: str) -> dict[str, str]:
    from app.secrets import SecretStore

    token = SecretStore().server_token()
    return {"Authorization": f"Bearer {token}", "X-WebRAG-Client": client, "X-WebRAG-Bridge": "1"}
