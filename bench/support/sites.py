"""A folder of sites on loopback, with the cache validators of real servers."""

from __future__ import annotations

import contextlib
import hashlib
import socket
import struct
import threading
from collections.abc import Iterator
from email.utils import formatdate
from enum import StrEnum
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Trouble(StrEnum):
    """What a server does with new connections while the network is off."""

    NONE = ""
    REFUSE = "refuses"
    RESET = "resets"
    HANG = "hangs"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder = folder
        self.requests = 0
        self.trouble = Trouble.NONE
        self._hanging: list[socket.socket] = []
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing: clients close connections when they are stopped."""

    def process_request(self, request: Any, client_address: Any) -> None:
        if self.trouble is Trouble.HANG:
            self._hanging.append(request)
            return
        if self.trouble is Trouble.RESET:
            request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            request.close()
            return
        while self._hanging:
            self._hanging.pop().close()
        super().process_request(request, client_address)


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

    def __init__(self, folder: Path) -> None:
        self._server = _Server(folder)
        self._folder = folder
        self._earlier = 0
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._serve()

    @property
    def requests(self) -> int:
        """Return the number of requests so far."""
        return self._earlier + self._server.requests

    def set_trouble(self, trouble: Trouble) -> None:
        """Begin or end a failure of the network. A refused connection finds no listener at the port."""
        if trouble is Trouble.REFUSE:
            self.close()
        elif self._server.trouble is Trouble.REFUSE:
            self._earlier += self._server.requests
            self._server = _Server(self._folder, self._server.server_address[1])
            self._serve()
        self._server.trouble = trouble

    def close(self) -> None:
        """Stop listening."""
        if self._server.trouble is not Trouble.REFUSE:
            self._server.shutdown()
            self._server.server_close()

    def _serve(self) -> None:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()


@contextlib.contextmanager
def serve_folder(folder: Path) -> Iterator[Served]:
    """Serve a folder during the context."""
    served = Served(folder)
    try:
        yield served
    finally:
        served.close()
