"""A folder of sites on loopback, with the cache validators of real servers."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Iterator
from email.utils import formatdate
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.requests = 0
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, request: object, address: object, server: _Server) -> None:
        self._server = server
        super().__init__(request, address, server, directory=str(server.folder))  # type: ignore[arg-type]

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing, to keep the console for results."""

    def do_GET(self) -> None:
        self._server.requests += 1
        path = Path(self.translate_path(self.path.split("?", 1)[0]))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        body = path.read_bytes()
        etag = f'"{hashlib.sha1(body, usedforsecurity=False).hexdigest()[:16]}"'
        unchanged = self.headers.get("If-None-Match") == etag
        self.send_response(304 if unchanged else 200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("ETag", etag)
        self.send_header("Last-Modified", formatdate(path.stat().st_mtime, usegmt=True))
        self.send_header("Content-Length", "0" if unchanged else str(len(body)))
        self.end_headers()
        if not unchanged:
            self.wfile.write(body)


class Served:
    """A served folder. `base` has no trailing slash."""

    def __init__(self, server: _Server) -> None:
        self._server = server
        self.base = f"http://127.0.0.1:{server.server_address[1]}"

    @property
    def requests(self) -> int:
        """Return the number of requests so far."""
        return self._server.requests


@contextlib.contextmanager
def serve_folder(folder: Path) -> Iterator[Served]:
    """Serve a folder during the context."""
    server = _Server(folder)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Served(server)
    finally:
        server.shutdown()
        server.server_close()
