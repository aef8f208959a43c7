"""Start a server as a client would, and talk to it in both protocol eras.

The session is a minimal MCP client over a child process's pipes, as strict as the strictest host.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app import __version__, caps
from app.clients.profile import ServerCommand
from app.text.sentence import sentence

DOCTOR_START_SECONDS: Final = caps.BRIDGE_START_SECONDS + 5.0  # The first attempt may have to start the application.
DOCTOR_LIST_SECONDS: Final = 10.0
MAX_TOOL_LIST_PAGES: Final = 50
MAX_NOISE_LINES: Final = 5
MAX_NOISE_LINE_CHARS: Final = 200
MAX_STDERR_LINES: Final = 20
MAX_STDERR_LINE_BYTES: Final = 64 * caps.KIB
MAX_SESSION_BYTES: Final = 16 * caps.MIB
"""Limit for the standard output of a server between a request and its response."""

HANDSHAKE_VERSION: Final = "2025-06-18"
MODERN_VERSION: Final = "2026-07-28"
CLIENT_INFO: Final = {"name": "webrag", "version": __version__}
MODERN_META: Final = {
    "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
    "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
    "io.modelcontextprotocol/clientCapabilities": {},
}


class SessionError(Exception):
    """The server did not start, did not respond in time, or returned an error."""


class Session:
    """One server process, with one request at a time. `noise` has stdout that is not JSON-RPC, `log` the last lines of stderr."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        """Start the process. Raises SessionError."""
        self.noise: list[str] = []
        self.log: list[str] = []
        self._next_id = 0
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._unasked = 0
        self._wrote_too_much = False
        try:
            self._process = subprocess.Popen(
                list(command),
                env=dict(environ),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise SessionError(sentence("cannot be started ({})", error)) from error
        # Started in its own group, so that it ends together with its child processes.
        self._logging = threading.Thread(target=self._read_log, daemon=True)
        for thread in (threading.Thread(target=self._read_messages, daemon=True), self._logging):
            thread.start()

    def initialize(self, *, timeout: float) -> dict[str, Any]:
        """Perform the handshake of the older era."""
        params = {"protocolVersion": HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": CLIENT_INFO}
        result = self.request("initialize", params, timeout=timeout)
        self.notify("notifications/initialized")
        return result

    def request(self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float) -> dict[str, Any]:
        """Send a request and return its result. Raises SessionError."""
        self._next_id += 1
        wanted = self._next_id
        self._unasked = 0
        self._send({"jsonrpc": "2.0", "id": wanted, "method": method, "params": dict(params or {})})
        deadline = time.monotonic() + timeout
        while True:
            try:
                message = self._messages.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise SessionError(sentence("no response to {} within {} s", method, f"{timeout:.0f}")) from None
            if message is None and self._wrote_too_much:
                raise SessionError(
                    sentence("wrote more than {} MiB without a response to {}", MAX_SESSION_BYTES // caps.MIB, method)
                )
            if message is None:
                raise SessionError(sentence("exited before it responded to {}{}", method, self._last_words()))
            # A request of the server has an ID of its own, which can equal ours. Programs that are no servers may return our request.
            if message.get("id") == wanted and message.get("method") in (None, method):
                break
        result, error = message.get("result"), message.get("error")
        if isinstance(error, Mapping):
            raise SessionError(sentence("{} failed: {} ({})", method, error.get("message"), error.get("code")))
        if not isinstance(result, dict):
            raise SessionError(sentence("{} returned neither a result nor an error", method))
        return result

    def notify(self, method: str) -> None:
        """Send a notification. Raises SessionError."""
        self._send({"jsonrpc": "2.0", "method": method})

    def close(self) -> int | None:
        """Close the input and wait. Return the exit status, or None if the process had to be killed."""
        with contextlib.suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            return self._process.wait(caps.CLIENT_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return None
        finally:
            # Kill the remaining children too. The application that a bridge starts is in another group.
            if sys.platform != "win32":
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            if self._process.poll() is None:
                self._process.kill()
            self._process.wait()

    def _send(self, message: Mapping[str, Any]) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(json.dumps(message).encode("ascii") + b"\n")
            stdin.flush()
        except (OSError, ValueError) as error:
            raise SessionError(sentence("closed its input{}", self._last_words())) from error

    def _read_messages(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        with stdout:
            # An oversized line arrives in parts, none of which is a valid message.
            for line in iter(lambda: stdout.readline(MAX_SESSION_BYTES), b""):
                self._unasked += len(line)
                if self._unasked > MAX_SESSION_BYTES:
                    self._wrote_too_much = True
                    break
                try:
                    message = json.loads(line)
                except (ValueError, RecursionError):
                    message = None
                if isinstance(message, dict) and message.get("jsonrpc") == "2.0":
                    if "id" in message:
                        self._messages.put(message)
                elif line.strip() and len(self.noise) < MAX_NOISE_LINES:
                    self.noise.append(line.decode("utf-8", "replace").strip()[:MAX_NOISE_LINE_CHARS])
        self._messages.put(None)

    def _read_log(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        with stderr:
            for line in iter(lambda: stderr.readline(MAX_STDERR_LINE_BYTES), b""):
                self.log.append(line.decode("utf-8", "replace").rstrip()[: caps.MAX_LOG_LINE_CHARS])
                del self.log[:-MAX_STDERR_LINES]

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
            self._logging.join(1)
        return f": {self.log[-1]}" if self.log else ""


@dataclass(frozen=True, slots=True)
class Era:
    """The result of one kind of session start. `error` is empty on success; `status` is None if the process was killed."""

    name: str
    error: str = ""
    instructions: str = ""
    tools: tuple[Any, ...] = ()
    start_ms: float = 0.0
    list_ms: float = 0.0
    status: int | None = 0
    noise: str = ""


class Prober:
    """Tests of commands, each run once even if several files contain it."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], list[Era]] = {}

    def eras(self, command: ServerCommand, environ: Mapping[str, str]) -> Iterator[Era]:
        """Yield the eras as they are tested, or the earlier results."""
        key = (command, tuple(sorted(environ.items())))
        if key in self._known:
            yield from self._known[key]
            return
        tried: list[Era] = []
        for name, greet in ERAS.items():
            began = time.perf_counter()
            try:
                with contextlib.closing(Session([command.command, *command.args], environ)) as session:
                    instructions = str(greet(session).get("instructions", ""))
                    start_ms = (time.perf_counter() - began) * 1000
                    began = time.perf_counter()
                    tools = tuple(_list_tools(session, name))
                    list_ms = (time.perf_counter() - began) * 1000
                    status, noise = session.close(), next(iter(session.noise), "")
                tried.append(Era(name, "", instructions, tools, start_ms, list_ms, status, noise))
            except SessionError as error:
                tried.append(Era(name, error=error.args[0]))
            yield tried[-1]
        self._known[key] = tried


def _list_tools(session: Session, era: str) -> list[Any]:
    meta = {"_meta": MODERN_META} if era == MODERN_VERSION else {}
    tools: list[Any] = []
    cursor: dict[str, Any] = {}
    until = time.monotonic() + DOCTOR_LIST_SECONDS
    for _ in range(MAX_TOOL_LIST_PAGES):
        result = session.request("tools/list", {**meta, **cursor}, timeout=DOCTOR_LIST_SECONDS)
        page = result.get("tools")
        tools += page if isinstance(page, list) else []
        if not isinstance(result.get("nextCursor"), str):
            return tools
        if time.monotonic() > until:
            raise SessionError(
                sentence("tools/list takes longer than {} s for all pages", f"{DOCTOR_LIST_SECONDS:.0f}")
            )
        cursor = {"cursor": result["nextCursor"]}
    raise SessionError(sentence("tools/list has more than {} pages", MAX_TOOL_LIST_PAGES))


ERAS: Final[Mapping[str, Callable[[Session], Mapping[str, Any]]]] = {
    "handshake": lambda session: session.initialize(timeout=DOCTOR_START_SECONDS),
    MODERN_VERSION: lambda session: session.request(
        "server/discover", {"_meta": MODERN_META}, timeout=DOCTOR_START_SECONDS
    ),
}
"""The two kinds of session start, by the name of their check."""
