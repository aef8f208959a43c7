"""Nodes of a shared library in threads of the tests, and an issuer of access tokens on loopback."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
import time
from collections.abc import Coroutine, Sequence
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from app.engine import Engine, build_engine
from app.engine.node import ALL_SCOPES, Node, NodeOptions
from app.secrets import SecretStore
from app.server.http import HttpServer
from app.server.tools import build_registry
from app.settings import load_settings

T = TypeVar("T")
TOKEN = "token-of-the-whole-node"
SECONDS = 600.0


class Issuer:
    """Publishes its keys and signs tokens for tests."""

    def __init__(self) -> None:
        self.keys = {"first": rsa.generate_private_key(65_537, 2_048)}
        self.audience = "webrag"
        self.asked: list[str] = []
        self.moved: dict[str, str] = {}
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.asked.append(self.path)
                found = issuer.documents().get(self.path)
                body = json.dumps(found or {}).encode()
                place = issuer.moved.get(self.path)
                self.send_response(302 if place else 200 if found else 404)
                if place:
                    self.send_header("Location", place)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def documents(self) -> dict[str, Any]:
        public = [
            {**jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True), "kid": name, "use": "sig"}
            for name, key in self.keys.items()
        ]
        return {
            "/.well-known/openid-configuration": {"issuer": self.url, "jwks_uri": f"{self.url}/keys"},
            "/keys": {"keys": public},
        }

    def claims(self, subject: str, scopes: Sequence[str] = tuple(ALL_SCOPES), **more: Any) -> dict[str, Any]:
        now = int(time.time())
        claims = {"iss": self.url, "aud": self.audience, "sub": subject, "iat": now, "exp": now + 600}
        return {**claims, "scope": " ".join(scopes), "name": subject.title(), **more}

    def token(self, subject: str, key: str = "first", **more: Any) -> str:
        return jwt.encode(self.claims(subject, **more), self.keys[key], "RS256", {"kid": key})

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class RunningNode:
    """A node on a free port with its own event loop."""

    def __init__(self, folder: Path, options: NodeOptions, **settings: Any) -> None:
        served = {
            "mcp_transport": "streamable-http",
            "mcp_tool_profile": "full",
            "mcp_rate_limit_requests": 10_000,
            "mcp_tool_timeout": 600,
        }
        given = {"request_timeout_ms": 3_000, "mcp_port": 0, **served, **settings}
        made = load_settings(given, data_dir=folder / "data", file=folder / "none.toml", environ={})
        self.engine: Engine = build_engine(made, secrets=SecretStore(), open_node=partial(Node.open, options))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server: HttpServer | None = None
        self.url = self.run(self._start())

    @property
    def options(self) -> NodeOptions:
        assert self.engine.node is not None
        return self.engine.node.options

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)

    def ask(
        self, method: str, path: str, body: object = None, token: str = TOKEN, **headers: str
    ) -> tuple[int, Any, dict[str, str]]:
        """Return status, JSON or text, and headers."""
        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
        given = {
            "Content-Type": "application/json",
            **({"Authorization": f"Bearer {token}"} if token else {}),
            **headers,
        }
        connection.request(method, path, json.dumps(body) if body is not None else None, given)
        reply = connection.getresponse()
        text = reply.read().decode()
        connection.close()
        try:
            value = json.loads(text)
        except ValueError:
            value = text
        return reply.status, value, {name.lower(): value for name, value in reply.getheaders()}

    def embedded(self) -> None:
        """Wait until every passage has its vector."""
        node = self.engine.node
        assert node is not None
        end = time.monotonic() + SECONDS
        while node.own.vectors.has_waiting():
            assert time.monotonic() < end, self.engine.embedder_state
            time.sleep(0.02)

    def close(self) -> None:
        self.run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> str:
        await self.engine.start()
        self._server = HttpServer(self.engine, build_registry(self.engine.settings), token=TOKEN, port=0)
        return await self._server.start()

    async def _stop(self) -> None:
        if self._server is not None:
            await self._server.stop()
        await self.engine.stop()
