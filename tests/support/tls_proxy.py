"""TLS in front of nodes: Caddy with the file of the repository, or a stand-in if it is not installed."""

from __future__ import annotations

import contextlib
import datetime
import http.client
import ipaddress
import os
import shutil
import socket
import ssl
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.support.postgres import ends_with

CADDYFILE: Final = Path(__file__).resolve().parents[2] / "installer" / "team" / "Caddyfile"
SECONDS: Final = 120.0
AWAY: Final = b'{"error": "The shared library is not available."}'


def certificate(folder: Path) -> tuple[Path, Path]:
    """Create a self-signed certificate for loopback, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "cert.pem", folder / "key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    files[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, *private))
    return files


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class TlsProxy:
    """Serves `https://localhost:PORT` until `close`. `log` contains its output."""

    def __init__(self, folder: Path, port: int, nodes: list[str]) -> None:
        self.folder, self.port, self.nodes = folder, port, nodes
        self.log = folder / "proxy.log"
        self.certificate, self._key = certificate(folder)
        self._process: subprocess.Popen[bytes] | None = None
        self._server: ThreadingHTTPServer | None = None
        caddy = shutil.which("caddy")
        if caddy is None:
            self._stand_in()
        else:
            self._caddy(caddy)

    def close(self) -> None:
        """Stop it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(SECONDS)
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def _caddy(self, program: str) -> None:
        environ = {
            "HOME": str(self.folder),
            "PATH": os.environ["PATH"],
            "WEBRAG_OPTIONS": "auto_https disable_redirects",
            "WEBRAG_SITE": f"https://localhost:{self.port}",
            "WEBRAG_NODES": " ".join(self.nodes),
            "WEBRAG_TLS": f"tls {self.certificate} {self._key}",
        }
        command = [program, "run", "--adapter", "caddyfile", "--config", CADDYFILE]
        with self.log.open("wb") as output:
            self._process = subprocess.Popen(
                command, env=environ, stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=ends_with()
            )
        end = time.monotonic() + SECONDS
        while True:
            assert self._process.poll() is None and time.monotonic() < end, self.log.read_text()
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)

    def _stand_in(self) -> None:
        self.log.touch()
        turns, nodes = count(), self.nodes

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                first, status, reply, kind = next(turns), 503, AWAY, "application/json"
                for turn in range(len(nodes)):
                    connection = http.client.HTTPConnection(nodes[(first + turn) % len(nodes)], timeout=SECONDS)
                    with contextlib.suppress(OSError), contextlib.closing(connection):
                        connection.request(self.command, self.path, body, {**self.headers, "X-Forwarded-For": "::1"})
                        given = connection.getresponse()
                        status, reply, kind = given.status, given.read(), given.getheader("Content-Type", kind)
                        break
                if self.path in ("/metrics", "/readyz"):
                    status, reply = 404, b""
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            do_GET = do_POST = do_DELETE = answer  # noqa: N815

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self._key)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
