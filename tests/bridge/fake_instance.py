"""A fake running application: the endpoint as bridges see it, with tools that misbehave."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from app import __version__
from app.instance import CHALLENGE_HEADER, RuntimeInfo, proof_of, write_runtime

TOKEN = "fake-token"
MODERN = "2026-07-28"
READ_ONLY = ("echo", "die_once", "page", "hang", "progress")
"""Tools that are declared safe to repeat; `store` is not."""


def tool(name: str, *, reads: bool) -> dict[str, Any]:
    """Return the description of a tool in `tools/list`."""
    return {"name": name, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": reads}}


TOOLS = [*(tool(name, reads=True) for name in READ_ONLY), tool("store", reads=False)]


class FakeInstance:
    """A server for one data directory. `stop` and then `start` simulate a restart on another port."""

    def __init__(self, data_dir: Path, *, token: str = TOKEN, write: bool = True, version: str = __version__) -> None:
        self.data_dir = data_dir
        self.token = token
        self.write = write
        self.version = version
        self.process_id = os.getpid()
        self.tools = list(TOOLS)
        self.words: list[bytes] = []
        """Words to send on every lifeline immediately."""
        self.on_stop: Callable[[], None] | None = None
        """The reaction to a request to exit; None refuses it."""
        self.is_stuck = False
        """Whether connections are accepted without any response."""
        self.proves_while_stuck = False
        """Whether each connection gets stuck right after the proof."""
        self.seen: list[tuple[dict[str, str], Any]] = []
        self.control: dict[str, list[Any]] = {}
        self.controlled: list[Any] = []
        self.attached: list[dict[str, str]] = []
        self.cancelled = threading.Event()
        self.entered = threading.Event()
        self.release = threading.Event()
        self.at_once = 0
        self.most_at_once = 0
        self.connections = 0
        self.lock = threading.Lock()
        self.sockets: set[socket.socket] = set()
        self._server: ThreadingHTTPServer | None = None

    @property
    def info(self) -> RuntimeInfo:
        assert self._server is not None
        return RuntimeInfo(
            f"http://127.0.0.1:{self._server.server_port}/mcp", self.token, self.process_id, self.version
        )

    def start(self) -> Self:
        handler = type("Handler", (_Handler,), {"instance": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        if self.write:
            write_runtime(self.data_dir, self.info)
        return self

    def stop(self) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()
        with self.lock:
            open_sockets = list(self.sockets)
        for connection in open_sockets:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        (self.data_dir / "runtime.json").unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release.set()
        self.stop()

    def bodies(self, method: str) -> list[tuple[dict[str, str], Any]]:
        """Return headers and body of each message with this method, in order of arrival."""
        return [(headers, body) for headers, body in self.seen if body.get("method") == method]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    block_on_close = False


class _Handler(BaseHTTPRequestHandler):
    instance: FakeInstance
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        with self.instance.lock:
            self.instance.sockets.add(self.connection)
            self.instance.connections += 1

    def finish(self) -> None:
        with self.instance.lock:
            self.instance.sockets.discard(self.connection)
        with contextlib.suppress(OSError):
            super().finish()

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        if not (self.instance.proves_while_stuck and CHALLENGE_HEADER in self.headers):
            self.wait_while_stuck()
        authorised = self.headers.get("Authorization") == f"Bearer {self.instance.token}"
        path = urlsplit(self.path)
        if path.path == "/healthz":
            body: dict[str, Any] = {"status": "ok"}
            if authorised:
                body |= {"pid": self.instance.process_id, "version": self.instance.version}
            if nonce := self.headers.get(CHALLENGE_HEADER):
                body["proof"] = proof_of(self.instance.token, nonce, self.server.server_port)
            self.send_json(200, body)
        elif path.path == "/control/attach" and authorised:
            self.instance.attached.append({key: value[0] for key, value in parse_qs(path.query).items()})
            self.open_stream("text/plain")
            self.send_chunk(b"\n")
            while not self.instance.release.wait(0.05):
                if not self.instance.is_stuck:
                    self.send_chunk(b"".join(word + b"\n" for word in self.instance.words) or b"\n")
                    self.instance.words.clear()
        else:
            self.send_json(401 if not authorised else 404, {"error": "not found"})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.wait_while_stuck()
        if self.headers.get("Authorization") != f"Bearer {self.instance.token}":
            self.send_json(401, {"error": "unauthorised"})
            return
        if self.path.startswith("/control/"):
            self.answer_control(raw)
            return
        body = json.loads(raw)
        self.instance.seen.append(({key.lower(): value for key, value in self.headers.items()}, body))
        if "id" not in body:
            self.send_response(202)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        with self.instance.lock:
            self.instance.at_once += 1
            self.instance.most_at_once = max(self.instance.most_at_once, self.instance.at_once)
        try:
            self.answer(body)
        finally:
            with self.instance.lock:
                self.instance.at_once -= 1

    def answer_control(self, raw: bytes) -> None:
        """Return the prepared lines of `control` for a call. Other requests are only recorded."""
        body = json.loads(raw) if raw else {}
        self.instance.controlled.append((self.path, body))
        if self.path == "/control/stop":
            self.send_json(200 if self.instance.on_stop else 409, {})
            if self.instance.on_stop:
                self.instance.on_stop()
            return
        self.open_stream("application/x-ndjson")
        for line in self.instance.control.get(body.get("method", ""), []):
            self.send_chunk(json.dumps(line).encode() + b"\n")
        self.send_chunk(b"")

    def answer(self, body: dict[str, Any]) -> None:
        params = body.get("params") or {}
        behave = getattr(self, f"tool_{params.get('name', '')}", None) if body["method"] == "tools/call" else None
        if behave is not None:
            behave(body, params.get("arguments") or {})
        elif body["method"] == "initialize":
            version = params.get("protocolVersion")
            info = {"name": "fake", "version": "0"}
            self.send_result(body, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info})
        elif body["method"] == "server/discover":
            self.send_result(body, {"supportedVersions": [MODERN], "capabilities": {"tools": {}}})
        elif body["method"] == "subscriptions/listen":
            self.listen(body)
        elif body["method"] == "tools/list":
            self.send_result(body, {"tools": self.instance.tools})
        else:
            error = {"code": -32601, "message": "Method not found"}
            self.send_json(404, {"jsonrpc": "2.0", "id": "server-error", "error": error})

    def tool_echo(self, body: dict[str, Any], arguments: dict[str, Any]) -> None:
        time.sleep(arguments.get("seconds", 0))
        self.send_result(body, {"content": [{"type": "text", "text": arguments.get("text", "")}]})

    def tool_progress(self, body: dict[str, Any], arguments: dict[str, Any]) -> None:
        """Report one step, then wait until the test has seen it."""
        self.open_stream("text/event-stream")
        note = {"progressToken": 1, "progress": 1, "message": "half way ½"}
        self.send_event({"jsonrpc": "2.0", "method": "notifications/progress", "params": note})
        self.instance.release.wait(10)
        self.send_event({"jsonrpc": "2.0", "id": body["id"], "result": {"content": []}})
        self.send_chunk(b"")

    def tool_hang(self, body: dict[str, Any], arguments: dict[str, Any]) -> None:
        """Wait until the client closes the stream."""
        self.open_stream("text/event-stream")
        self.instance.entered.set()
        self.connection.settimeout(10)
        try:
            is_closed = self.connection.recv(1) == b""
        except ConnectionError:
            # Unread data makes the close of the dead process a reset.
            is_closed = True
        except TimeoutError:
            is_closed = False
        if is_closed:
            self.instance.cancelled.set()
        self.close_connection = True

    def tool_die_once(self, body: dict[str, Any], arguments: dict[str, Any]) -> None:
        """Break off in the middle of the first response."""
        if len(self.instance.bodies("tools/call")) > 1:
            self.tool_echo(body, arguments)
            return
        self.open_stream("text/event-stream")
        self.send_chunk(b"event: message\r\nda")
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def tool_store(self, body: dict[str, Any], arguments: dict[str, Any]) -> None:
        """Run the call, then break off before responding."""
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def listen(self, body: dict[str, Any]) -> None:
        """Acknowledge the subscription and keep the stream open."""
        self.open_stream("text/event-stream")
        meta = {"_meta": {"io.modelcontextprotocol/subscriptionId": body["id"]}}
        asked = body["params"]["notifications"]
        params = {"notifications": asked, **meta}
        self.send_event({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params})
        with contextlib.suppress(OSError):
            self.connection.recv(1)
        self.close_connection = True

    def wait_while_stuck(self) -> None:
        while self.instance.is_stuck and not self.instance.release.wait(0.05):
            continue

    def tool_odd(self, body: dict[str, Any], arguments: dict[str, Any]) -> None:
        """Return a response that is too long or nested too deeply."""
        size = arguments["size"]
        text = json.dumps("x" * size) if arguments["kind"] == "long" else "[" * size + "]" * size
        self.open_stream("text/event-stream")
        self.send_chunk(f'data: {{"jsonrpc":"2.0","id":{json.dumps(body["id"])},"result":{text}}}\n\n'.encode())
        self.send_chunk(b"")

    def tool_noise(self, body: dict[str, Any], arguments: dict[str, Any]) -> None:
        """Send everything that must not reach the client, then a pretty-printed response over several lines."""
        self.open_stream("text/event-stream")
        for text in ("Traceback: not JSON", "[1, 2]", '{"no": "jsonrpc"}', ""):
            self.send_chunk(f": comment\nevent: message\ndata: {text}\n\n".encode())
        self.send_event({"jsonrpc": "2.0", "id": 5, "method": "sampling/createMessage"})
        lines = json.dumps({"jsonrpc": "2.0", "id": body["id"], "result": {"content": []}}, indent=1).splitlines()
        self.send_chunk(b"".join(b"data: " + line.encode() + b"\n" for line in lines) + b"\n")
        self.send_chunk(b"")

    def tool_page(self, body: dict[str, Any], arguments: dict[str, Any]) -> None:
        """Return an HTTP error without JSON-RPC."""
        page = b"<html>Internal Server Error</html>"
        self.send_response(arguments["status"])
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def send_result(self, body: dict[str, Any], result: dict[str, Any]) -> None:
        self.open_stream("text/event-stream")
        self.send_event({"jsonrpc": "2.0", "id": body["id"], "result": result})
        self.send_chunk(b"")

    def send_json(self, status: int, value: Any) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def open_stream(self, content_type: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def send_event(self, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False)
        self.send_chunk(f"event: message\r\ndata: {text}\r\n\r\n".encode())

    def send_chunk(self, content: bytes) -> None:
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()
