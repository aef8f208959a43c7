"""Earlier versions of the program, from the history of this repository, run as processes with this Python and its packages."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
SUPPORT: Final = Path(__file__).resolve().parent
BEFORE: Final[dict[str, Sequence[str]]] = {
    "before-sharing": ("--diff-filter=A", "--", "app/pg"),
    "before-packing": ("-S", "def vectors_packed", "--", "app/corpus/migrations.py"),
    "release-1.0.0": ("-S", "def pages_packed", "--", "app/corpus/migrations.py"),
    "before-filling": ("-S", "def rows_filled", "--", "app/corpus/migrations.py"),
}
"""Arguments of `git log` that find the change before which a version is taken; the oldest match counts."""
TODAY: Final = "today"
START_SECONDS: Final = 600.0
STOP_SECONDS: Final = 60.0
POLL_SECONDS: Final = 0.02
PARTS: Final = ("app", "assets", "pyproject.toml")


class NoHistoryError(Exception):
    """This folder is not a Git repository with the whole history."""


@dataclass(frozen=True)
class Program:
    """A version of the program in a folder."""

    name: str
    commit: str
    folder: Path

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "app", *arguments]

    def environment(self, home: Path) -> dict[str, str]:
        """Return an environment with its own home, keyring and code."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
        return {
            **kept,
            "HOME": str(home),
            "USERPROFILE": str(home),
            "PYTHONPATH": os.pathsep.join((str(self.folder), str(SUPPORT))),
            "PYTHON_KEYRING_BACKEND": "file_keyring.FileKeyring",
            "ORT_DISABLE_TELEMETRY": "1",
        }

    def run(self, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the program to its end."""
        return self.python(home, "-m", "app", *arguments)

    def python(self, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python with the code of the program."""
        return subprocess.run(
            [sys.executable, *arguments],
            env=self.environment(home),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
        )

    def start(self, home: Path) -> Server:
        """Start its server without a window, which writes to `serve.log` in the home folder."""
        data = data_dir(home)
        (data / "runtime.json").unlink(missing_ok=True)
        with (home / "serve.log").open("ab") as log:
            process = subprocess.Popen(
                self.command("serve", "--transport", "streamable-http", "--port", "0"),
                env=self.environment(home),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        return Server(process, data, time.monotonic())

    @contextlib.contextmanager
    def serving(self, home: Path) -> Iterator[Server]:
        """Run its server during the context."""
        server = self.start(home)
        try:
            server.wait_until_listening()
            yield server
        finally:
            server.stop()


@dataclass(frozen=True)
class Server:
    """A started server of one version."""

    process: subprocess.Popen[bytes]
    data: Path
    began: float

    def runtime(self) -> dict[str, Any]:
        """Return its address and token, or nothing yet."""
        with contextlib.suppress(OSError, ValueError):
            found: dict[str, Any] = json.loads((self.data / "runtime.json").read_text())
            if found["pid"] == self.process.pid:
                return found
        return {}

    def wait_until_listening(self, seconds: float = START_SECONDS) -> float:
        """Return the seconds since its start."""
        while not self.runtime():
            if self.process.poll() is not None or time.monotonic() - self.began > seconds:
                raise RuntimeError(
                    f"the server did not start: {(self.data.parents[2] / 'serve.log').read_text()[-2000:]}"
                )
            time.sleep(POLL_SECONDS)
        return time.monotonic() - self.began

    def call(self, tool: str, arguments: Mapping[str, object], seconds: float = START_SECONDS) -> dict[str, Any]:
        """Return the result of a tool."""
        params = {"name": tool, "arguments": arguments}
        result: dict[str, Any] = self.post("/mcp", {"method": "tools/call", "params": params}, seconds)["result"]
        return result

    def post(
        self, path: str, message: Mapping[str, object], seconds: float = START_SECONDS, headers: Mapping[str, str] = {}
    ) -> Any:
        """Return the reply of an endpoint. Raises OSError."""
        runtime = self.runtime()
        body = json.dumps({"jsonrpc": "2.0", "id": 1, **message} if path == "/mcp" else message).encode()
        request = urllib.request.Request(runtime["url"].removesuffix("/mcp") + path, body)
        told = {"Authorization": f"Bearer {runtime['token']}", "Content-Type": "application/json", **headers}
        for name, value in {"Accept": "application/json", "MCP-Protocol-Version": "2025-06-18", **told}.items():
            request.add_header(name, value)
        with urllib.request.urlopen(request, timeout=seconds) as reply:
            return json.load(reply)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()


def data_dir(home: Path) -> Path:
    """Return the data folder of a made home (Linux)."""
    return home / ".local" / "share" / "webrag"


def program(name: str, folder: Path) -> Program:
    """Return a version, unpacked below `folder` unless it is this one. Raises NoHistoryError."""
    if name == TODAY:
        return Program(name, _git("rev-parse", "HEAD"), ROOT)
    commits = _git("log", "--format=%H", *BEFORE[name]).split()
    if not commits:
        raise NoHistoryError(f"the history of this repository does not go back to {name}")
    commit = _git("rev-parse", f"{commits[-1]}^")
    place = folder / commit[:12]
    if not (place / "assets" / "model").exists():
        place.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "archive", commit, *PARTS], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "x"], cwd=place, check=True, input=archive)
        (place / "assets" / "model").symlink_to(ROOT / "assets" / "model")
    return Program(name, commit, place)


def _git(*arguments: str) -> str:
    try:
        return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoHistoryError(f"cannot read the history of this repository ({error})") from error
