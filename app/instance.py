"""One running instance per user and data directory: its lock, its address, and whether an update made it outdated.

Uses only the standard library and ground modules. An instance of the same or a later version is used as it is, also if it refuses to exit.
"""

from __future__ import annotations

import contextlib
import errno
import hmac
import http.client
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import IO, Final
from urllib.parse import urlsplit

from app import __version__, caps
from app.errors import AlreadyRunningError, DataFolderError
from app.paths import chosen_data_dir, replace_file

RUNTIME_FILE = "runtime.json"
LOCK_FILE = "instance.lock"
RESERVE_FILE = "reserve"
RESERVE_BYTES = 64 * 1024
HOLDER_AT = 1
"""Position of the holder's name in the lock file, after the first byte, which other processes on Windows cannot read."""
MAX_HOLDER_BYTES = 64
CHALLENGE_HEADER = "WebRAG-Challenge"
MAX_NONCE_CHARS = 64
_MAX_PROOF_BYTES = 4096
MAX_RUNTIME_BYTES = 64 * 1024
MAX_PID = 2**32
MAX_PORT = 65_535
_HOST = re.compile(
    r"[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,8}(?:%[\w-]{1,60})?|[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63}){0,9}"
)
"""An IP address or a host name."""
_LEAST_WAIT_SECONDS = 0.01
_CONTENT_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *([0-9]{1,4})(?:\r\n|$)")


SWITCH_ON: Final = "Turn it on in Settings > Server, or with webrag settings, then start WebRAG again."


class Holding(StrEnum):
    """The purpose for which a process holds the data directory."""

    APPLICATION = "application"
    COMMAND = "command"  # A command in a terminal that works on the data and does not handle requests.
    WINDOW = "window"  # The application with its server turned off.
    FAILED = "failed"  # The application without its library, for a reason that its window shows.


@dataclass(frozen=True, slots=True)
class RuntimeInfo:
    """Connection data of a running instance for its bridges: endpoint, access token and process.

    `wanted_port` is the configured port if another program used it, else 0.
    """

    url: str
    token: str
    pid: int
    version: str
    wanted_port: int = 0

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or "127.0.0.1"

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 80


def lost_port(wanted: int, url: str) -> int:
    """The configured port if the endpoint had to use another one, otherwise 0. Port 0 means any port."""
    return wanted if wanted and url and urlsplit(url).port != wanted else 0


def read_runtime(data_dir: Path) -> RuntimeInfo | None:
    """Return the last written runtime.json, or None if it is missing or damaged. The instance may have ended."""
    try:
        with (data_dir / RUNTIME_FILE).open("rb") as stream:
            raw = json.loads(stream.read(MAX_RUNTIME_BYTES))
        info = RuntimeInfo(
            url=str(raw["url"]),
            token=str(raw["token"]),
            pid=int(raw["pid"]),
            version=str(raw["version"]),
            wanted_port=int(raw.get("wanted_port", 0)),
        )
        # Whether an instance can have written this, so that using it raises only connection errors.
        parts = urlsplit(info.url)
        is_sound = parts.scheme in {"http", "https"} and _HOST.fullmatch(parts.hostname or "") and info.port > 0
        words = (info.url, info.token, info.version)
        numbers = 0 < info.pid < MAX_PID and 0 <= info.wanted_port <= MAX_PORT
        return info if is_sound and numbers and all(word.isascii() and word.isprintable() for word in words) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return None


def write_runtime(data_dir: Path, info: RuntimeInfo) -> None:
    """Write runtime.json atomically, accessible to its owner only. On a full disk, uses the reserved space.

    Raises OSError.
    """
    write = partial(replace_file, data_dir / RUNTIME_FILE, json.dumps(asdict(info)), mode=0o600)
    try:
        write()
    except OSError as error:
        if error.errno != errno.ENOSPC or not (data_dir / RESERVE_FILE).exists():
            raise
        (data_dir / RESERVE_FILE).unlink()
        write()
    else:
        # This reserved space lets a later start on a full disk write its address.
        reserve = data_dir / RESERVE_FILE
        with contextlib.suppress(OSError):
            if not reserve.exists():
                reserve.write_bytes(os.urandom(RESERVE_BYTES))


def remove_runtime(data_dir: Path) -> None:
    """Delete runtime.json if it belongs to this process."""
    info = read_runtime(data_dir)
    if info is not None and info.pid == os.getpid():
        (data_dir / RUNTIME_FILE).unlink(missing_ok=True)


class ImpostorError(ConnectionError):
    """Another program listens at the instance's address."""


class InstanceConnection(http.client.HTTPConnection):
    """HTTP to a running instance. The server must prove that it knows the token before the token is sent.

    Every connection demands the proof, because another process may have taken the port. `connect` raises OSError and HTTPException.
    """

    def __init__(self, info: RuntimeInfo, *, timeout: float) -> None:
        super().__init__(info.host, info.port, timeout=timeout)
        self._info = info
        self._seconds = timeout

    @property
    def authorisation(self) -> dict[str, str]:
        """The header with the token."""
        return {"Authorization": f"Bearer {self._info.token}"}

    def connect(self) -> None:
        super().connect()
        try:
            nonce = os.urandom(16).hex()
            host = f"[{self._info.host}]" if ":" in self._info.host else self._info.host
            head = f"GET /healthz HTTP/1.1\r\nHost: {host}:{self._info.port}\r\n{CHALLENGE_HEADER}: {nonce}\r\n\r\n"
            self.sock.sendall(head.encode("ascii"))
            try:
                body = json.loads(self._proof())
                given = str(body.get("proof", "")) if isinstance(body, dict) else ""
            except (ValueError, RecursionError) as error:
                raise ImpostorError("it does not respond like WebRAG") from error
            if not hmac.compare_digest(
                given.encode("utf-8", "replace"), proof_of(self._info.token, nonce, self._info.port).encode()
            ):
                raise ImpostorError("another program uses the address of WebRAG")
        except BaseException:
            self.close()
            raise

    def _proof(self) -> bytes:
        """Return the body of the response. The time limit covers all of it, because the server might send single bytes forever."""
        deadline = time.monotonic() + self._seconds
        said = b""
        while len(said) <= _MAX_PROOF_BYTES:
            self.sock.settimeout(max(_LEAST_WAIT_SECONDS, deadline - time.monotonic()))
            piece = self.sock.recv(_MAX_PROOF_BYTES)
            said += piece
            head, _, body = said.partition(b"\r\n\r\n")
            length = _CONTENT_LENGTH.search(head)
            if length is not None and 0 < int(length[1]) <= len(body):
                self.sock.settimeout(self._seconds)
                return body
            if not piece:
                raise ImpostorError("it closed the connection")
            if time.monotonic() > deadline:
                raise TimeoutError("it takes too long to respond")
        raise ImpostorError("it does not respond like WebRAG")


def proof_of(token: str, nonce: str, port: int) -> str:
    """Return the response to a challenge. It requires the token and is valid for one port only, so it cannot be relayed."""
    return hmac.new(token.encode(), f"webrag {nonce} {port}".encode(), "sha256").hexdigest()


def is_healthy(info: RuntimeInfo, *, timeout: float = 2.0) -> bool:
    """Whether the same process of the instance responds to its health probe."""
    try:
        with contextlib.closing(InstanceConnection(info, timeout=timeout)) as connection:
            connection.request("GET", "/healthz", headers=connection.authorisation)
            response = connection.getresponse()
            body = json.loads(response.read(4096))
    except (OSError, ValueError, RecursionError, http.client.HTTPException):
        return False
    return response.status == 200 and isinstance(body, dict) and body.get("pid") == info.pid


@contextlib.contextmanager
def hold_instance(data_dir: Path, holding: Holding = Holding.APPLICATION) -> Iterator[None]:
    """Own the data directory within the context. The system releases it if the process dies.

    Raises AlreadyRunningError if another process owns it, or DataFolderError if it is not writable.
    """
    try:
        make_data_dir(data_dir)
        stream = _lock_file(data_dir / LOCK_FILE)
        is_ours = lock(stream.fileno())
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DataFolderError(f"The data folder {data_dir} is not usable ({reason}).") from error
    with stream:
        if not is_ours:
            raise command_in_use(data_dir) or AlreadyRunningError(f"Another WebRAG process is using {data_dir}.")
        _note_holder(stream, f"{os.getpid()} {holding}")
        # Killed processes leave parts of a runtime.json, which contain a token. A folder may have its name.
        with contextlib.suppress(OSError):
            (data_dir / RUNTIME_FILE).rmdir()
        for path in data_dir.glob(f"{RUNTIME_FILE}.*"):
            if path.suffix[1:].isdigit():
                with contextlib.suppress(OSError):
                    path.unlink()
        try:
            yield
        finally:
            remove_runtime(data_dir)
            _note_holder(stream, "")
            unlock(stream.fileno())


def note_holding(data_dir: Path, holding: Holding) -> None:
    """Change the recorded purpose for which this process holds the directory."""
    with contextlib.suppress(OSError), _lock_file(data_dir / LOCK_FILE) as stream:
        _note_holder(stream, f"{os.getpid()} {holding}")


def make_data_dir(data_dir: Path) -> None:
    """Create the folder if it is missing. Raises OSError if it is not writable.

    A folder that the user chose is not created again: its disk may just be disconnected.
    """
    if not data_dir.is_dir() and data_dir == chosen_data_dir():
        raise FileNotFoundError(errno.ENOENT, "it does not exist; check that its disk is connected")
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(data_dir, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "no write permission")


def holder(data_dir: Path) -> tuple[str, str]:
    """Return the process ID and Holding of the last holder, or empty strings if it released the directory. It may have ended."""
    try:
        with (data_dir / LOCK_FILE).open("rb", buffering=0) as stream:
            stream.seek(HOLDER_AT)
            pid, _, holding = (stream.read(MAX_HOLDER_BYTES) or b"").decode("ascii").partition(" ")
    except (OSError, ValueError):
        return "", ""
    return pid, holding


def command_in_use(data_dir: Path) -> AlreadyRunningError | None:
    """Return the error to raise if a command holds this directory. Call it only after failing to get the directory."""
    pid, holding = holder(data_dir)
    if holding != Holding.COMMAND or not pid.isdigit():
        return None
    return AlreadyRunningError(
        f"Another webrag command (process {pid}) is using {data_dir}.",
        hint="Wait until it finishes, or stop it with Ctrl+C. Then try again.",
    )


def silent_holder(data_dir: Path) -> AlreadyRunningError:
    """Return the error to raise if the holder of this directory does not respond, with its process ID and how to end it."""
    pid, holding = holder(data_dir)
    if (command := command_in_use(data_dir)) is not None:
        return command
    if holding == Holding.WINDOW:
        return AlreadyRunningError("The MCP server of WebRAG is turned off (MCP_ENABLED).", hint=SWITCH_ON)
    if holding == Holding.FAILED:
        return AlreadyRunningError(
            "WebRAG is running but cannot open its library.",
            hint="Open its window, which shows the reason and what to do.",
        )
    if not pid.isdigit():
        return AlreadyRunningError(
            f"Another WebRAG process is using {data_dir} and does not respond.",
            hint="Try again in a moment, or stop that process.",
        )
    end = f"`taskkill /F /PID {pid}`" if sys.platform == "win32" else f"`kill {pid}`, or `kill -9 {pid}` if that fails"
    return AlreadyRunningError(
        f"WebRAG (process {pid}) is using {data_dir} and does not respond.",
        hint=f"It may still be starting: try again in a moment. Otherwise quit it, or stop it with {end}.",
    )


def held_since(data_dir: Path) -> float:
    """Return the time at which the directory was last taken or released (Unix time), or the current time if unknown."""
    try:
        return (data_dir / LOCK_FILE).stat().st_mtime
    except OSError:
        return time.time()


def _lock_file(path: Path) -> IO[bytes]:
    """Open for appending, accessible to its owner only."""
    return open(path, "a+b", buffering=0, opener=lambda name, flags: os.open(name, flags, 0o600))


def _note_holder(stream: IO[bytes], who: str) -> None:
    """Record the holder in the file. If the disk is full, the file stays without a record, which must not stop the program."""
    with contextlib.suppress(OSError):
        stream.truncate(HOLDER_AT)
        stream.write(who.encode("ascii"))


if sys.platform == "win32":
    import msvcrt

    def lock(descriptor: int) -> bool:
        try:
            os.lseek(descriptor, 0, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def lock(descriptor: int) -> bool:
        """Lock a file without waiting. Returns False if another process has it; raises OSError if locks are not possible."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


ALREADY_RUNNING_STATUS: Final = 3  # Exit status of `webrag serve` when another process owns the data directory.


def find_instance(data_dir: Path) -> RuntimeInfo | None:
    """Return the instance that responds for this data directory."""
    info = noted_instance(data_dir)
    return info if info is not None and is_healthy(info) else None


def noted_instance(data_dir: Path) -> RuntimeInfo | None:
    """Return the recorded instance. It may not respond, but no other process has replaced it."""
    info = read_runtime(data_dir)
    if info is None:
        return None
    process_id, _ = holder(data_dir)
    return info if process_id in {"", str(info.pid)} else None


_VERSION: Final = re.compile(r"\d+(\.\d+)*")


def is_outdated(info: RuntimeInfo, version: str = __version__) -> bool:
    """Whether the instance has an earlier version; False if the versions cannot be compared."""
    theirs, ours = _numbers(info.version), _numbers(version)
    return theirs is not None and ours is not None and theirs < ours


def ask_to_end(info: RuntimeInfo) -> bool:
    """Ask the instance to exit, and return whether it agreed."""
    try:
        return post(info, "/control/stop", timeout=caps.INSTANCE_CONNECT_SECONDS) == http.client.OK
    except (OSError, http.client.HTTPException):
        return False


def post(info: RuntimeInfo, path: str, *, timeout: float) -> int:
    """Post to an endpoint of the instance and return the HTTP status. Raises OSError, HTTPException."""
    with contextlib.closing(InstanceConnection(info, timeout=timeout)) as connection:
        connection.request("POST", path, headers=connection.authorisation)
        return connection.getresponse().status


def _numbers(version: str) -> tuple[int, ...] | None:
    """Return the release numbers without trailing zeros, so that 1.2 equals 1.2.0; None for anything but a plain release."""
    if not _VERSION.fullmatch(version):
        return None
    numbers = [int(part) for part in version.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
