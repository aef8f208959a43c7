"""A small web site on loopback that can misbehave. Standard library only, except `as_if_over_https`. Records every request.

with Site() as site:
    site.page("/a", "<p>Hello</p>")
    site.redirect("/old", "/a")
    site.url("/a"), site.requests, site.count("/a"), site.most_at_once
"""

from __future__ import annotations

import gzip
import hashlib
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import pytest

    from app.web.fetch import Fetcher
    from app.web.records import FetchResult

HTML = "text/html; charset=utf-8"
MIB = 1024 * 1024


@dataclass(frozen=True)
class Seen:
    """One request as it arrived, with header names in lower case."""

    path: str
    headers: dict[str, str]
    at: float


@dataclass
class Exchange:
    """The request, and ways to answer it, for a behavior."""

    handler: BaseHTTPRequestHandler
    site: Site
    request: Seen
    is_in_hand: bool = True

    def send(
        self,
        body: bytes = b"",
        status: int = 200,
        content_type: str | None = HTML,
        headers: dict[str, str] | None = None,
        *,
        length: int | None = None,
    ) -> None:
        """Send a complete response. `length` overrides the true Content-Length."""
        self.start(
            status,
            content_type,
            {"Content-Length": str(len(body) if length is None else length), **(headers or {})},
        )
        # After this page, the program can request the next one before this thread ends.
        self.leave()
        self.write(body)

    def leave(self) -> None:
        """Stop counting as a concurrent request."""
        with self.site._lock:
            if self.is_in_hand:
                self.is_in_hand = False
                self.site._at_once -= 1

    def start(self, status: int, content_type: str | None, headers: dict[str, str] | None = None) -> None:
        self.handler.send_response(status)
        if content_type is not None:
            self.handler.send_header("Content-Type", content_type)
        for name, value in (headers or {}).items():
            self.handler.send_header(name, value)
        self.handler.end_headers()

    def write(self, data: bytes) -> None:
        self.handler.wfile.write(data)
        self.handler.wfile.flush()

    def hang_up(self) -> None:
        self.handler.close_connection = True

    def wait(self, seconds: float) -> bool:
        """Sleep until the time is over or the site closes. Returns True if it closes."""
        return self.site.closing.wait(seconds)


Behaviour = Callable[[Exchange], None]


@dataclass
class Site:
    """A site on 127.0.0.1 with one behavior per path. Unknown paths are 404."""

    behaviours: dict[str, Behaviour] = field(default_factory=dict)
    requests: list[Seen] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    most_at_once: int = 0
    _at_once: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _server: ThreadingHTTPServer | None = None

    def __enter__(self) -> Self:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site._handle(self)

            def do_HEAD(self) -> None:
                site._handle(self)

            def do_POST(self) -> None:
                site._handle(self)

            def log_message(self, *args: Any) -> None:
                return

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request: Any, client_address: Any) -> None:
                """Ignore disconnecting clients, which many tests need."""

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    @property
    def server(self) -> ThreadingHTTPServer:
        assert self._server is not None, "use the site as a context manager"
        return self._server

    @property
    def port(self) -> int:
        return int(self.server.server_address[1])

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def count(self, path: str) -> int:
        """Return the number of requests for a path, query included."""
        with self._lock:
            return sum(seen.path == path for seen in self.requests)

    def on(self, path: str, behaviour: Behaviour) -> None:
        self.behaviours[path] = behaviour

    def page(
        self,
        path: str,
        body: str | bytes,
        *,
        status: int = 200,
        content_type: str | None = HTML,
        headers: dict[str, str] | None = None,
        etag: bool = False,
        delay: float = 0.0,
    ) -> None:
        """Add a page. With `etag`, it answers conditional requests; with `delay`, slowly."""
        data = body.encode() if isinstance(body, str) else body
        tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        extra = {**(headers or {}), **({"ETag": tag} if etag else {})}

        def answer(exchange: Exchange) -> None:
            if delay:
                exchange.wait(delay)
            if etag and exchange.request.headers.get("if-none-match") == tag:
                exchange.start(304, None, {"ETag": tag})
            else:
                exchange.send(data, status, content_type, extra)

        self.on(path, answer)

    def gzipped(self, path: str, body: bytes, content_type: str = HTML) -> None:
        self.page(path, gzip.compress(body), content_type=content_type, headers={"Content-Encoding": "gzip"})

    def redirect(self, path: str, to: str, status: int = 302, headers: dict[str, str] | None = None) -> None:
        """Add a redirect to any path or URL. A path that redirects to itself is a loop."""
        self.on(path, lambda exchange: exchange.send(b"", status, None, {"Location": to, **(headers or {})}))

    def fails(self, path: str, times: int, status: int, body: str, headers: dict[str, str] | None = None) -> None:
        """Answer the first requests with an error status, later ones with the page."""
        left = [times]

        def answer(exchange: Exchange) -> None:
            if left[0] > 0:
                left[0] -= 1
                exchange.send(b"not now", status, "text/plain", headers)
            else:
                exchange.send(body.encode())

        self.on(path, answer)

    def held_back(self, path: str, body: str) -> threading.Event:
        """Add a page that is answered when the event is set or the site closes."""
        let_go = threading.Event()

        def answer(exchange: Exchange) -> None:
            while not let_go.wait(0.02) and not self.closing.is_set():
                pass
            exchange.send(body.encode())

        self.on(path, answer)
        return let_go

    def hang(self, path: str) -> None:
        """Accept the request and never respond."""
        self.on(path, lambda exchange: (exchange.wait(60), exchange.hang_up())[1])

    def reset(self, path: str, body: bytes, *, announce: bool = True) -> None:
        """Disconnect after half of the body, or before any response without `announce`."""

        def answer(exchange: Exchange) -> None:
            if announce:
                exchange.send(body[: len(body) // 2], length=len(body))
            exchange.hang_up()

        self.on(path, answer)

    def drip(self, path: str, body: bytes, seconds: float, pieces: int = 20) -> None:
        """Send the body slowly in small pieces."""

        def answer(exchange: Exchange) -> None:
            exchange.start(200, HTML, {"Content-Length": str(len(body))})
            for piece in _pieces(body, pieces):
                exchange.write(piece)
                if exchange.wait(seconds / pieces):
                    return

        self.on(path, answer)

    def endless(self, path: str, *, pause: float = 0.0) -> None:
        """Send an endless chunked body."""
        chunk = b"<p>never ending text</p>" * 2000

        def answer(exchange: Exchange) -> None:
            exchange.start(200, HTML, {"Transfer-Encoding": "chunked"})
            exchange.hang_up()
            while not exchange.site.closing.is_set():
                exchange.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                if pause:
                    exchange.wait(pause)

        self.on(path, answer)

    def bomb(self, path: str, mib: int) -> None:
        """Send a small gzip body that unpacks to `mib` mebibytes."""
        packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
        packed = b"".join(packer.compress(b"A" * MIB) for _ in range(mib)) + packer.flush()
        self.page(path, packed, headers={"Content-Encoding": "gzip"})

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        seen = Seen(handler.path, {name.lower(): value for name, value in handler.headers.items()}, time.monotonic())
        with self._lock:
            self.requests.append(seen)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        exchange = Exchange(handler, self, seen)
        try:
            behaviour = self.behaviours.get(seen.path) or self.behaviours.get(urlsplit(seen.path).path, _not_found)
            with suppress(ConnectionError):
                behaviour(exchange)
        finally:
            exchange.leave()


def _not_found(exchange: Exchange) -> None:
    exchange.send(b"<h1>Not found</h1>", 404)


def _pieces(body: bytes, count: int) -> Iterator[bytes]:
    step = max(1, -(-len(body) // count))
    for start in range(0, len(body), step):
        yield body[start : start + step]


def as_if_over_https(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let fetches that require HTTPS reach a `Site`, addressed with https://, over plain HTTP."""
    from app.web.fetch import Fetcher

    real = Fetcher.fetch

    async def fetch(self: Fetcher, url: str, *, https_only: bool = False, **more: Any) -> FetchResult:
        return await real(self, url.replace("https://", "http://") if https_only else url, **more)

    monkeypatch.setattr(Fetcher, "fetch", fetch)
