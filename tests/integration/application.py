"""The real program in its own process."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from mcp import StdioServerParameters

WEBRAG = Path(sys.executable).parent / "webrag"
START_SECONDS = 60.0
TELLS_IMPORTS = MappingProxyType({"PYTHONPROFILEIMPORTTIME": "1"})
"""Makes Python print each loaded module on stderr."""
OF_SHARED_LIBRARIES = re.compile(
    r"(app\.(pg|remote|server\.node|engine\.(node|libraries|shared_pages|copying)|library\.exchange)"
    r"|asyncpg|jwt|prometheus_client)(\.|$)"
)
"""Modules that a program with only a private library does not need."""


@dataclass
class Application:
    """A `webrag serve` process and its address."""

    process: subprocess.Popen[bytes]
    url: str
    data_dir: Path

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=60)


def imported(stderr: str) -> set[str]:
    """Return the modules that a program loaded, run with TELLS_IMPORTS."""
    found = set(re.findall(r"^import time:[ \d]+\|[ \d]+\| +(\S+)$", stderr, re.MULTILINE))
    assert "app" in found, stderr[-2000:]
    return found


def of_shared_libraries(stderr: str) -> list[str]:
    """Return the modules that only a shared library needs."""
    return sorted(filter(OF_SHARED_LIBRARIES.match, imported(stderr)))


def environment() -> dict[str, str]:
    """Return the environment of a test, with access to loopback."""
    return {**os.environ, "WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8", "REQUEST_TIMEOUT_MS": "3000"}


def start(
    data_dir: Path,
    *more: str,
    token: str = "test-token",
    files: int = 0,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Application:
    """Start the headless program, optionally with a limit of open files, and wait for its output line."""
    limited = "import os, resource as r, sys; r.setrlimit(r.RLIMIT_NOFILE, (int(sys.argv[1]),) * 2); os.execv(sys.argv[2], sys.argv[2:])"
    prefix = [sys.executable, "-c", limited, str(files)] if files else []
    command = [*prefix, str(WEBRAG), "serve", "--transport", "streamable-http", "--port", "0"]
    log = data_dir.parent / f"{data_dir.name}.stderr"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [*command, "--data-dir", str(data_dir), *more],
            env={**environment(), "MCP_AUTH_TOKEN": token, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stream,
        )
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        for line in log.read_text(errors="replace").splitlines():
            if line.startswith("listening on "):
                return Application(process, line.removeprefix("listening on ").strip(), data_dir)
        time.sleep(0.02)
    process.kill()
    raise AssertionError(f"the program did not start:\n{log.read_text(errors='replace')}")


@contextlib.contextmanager
def running(data_dir: Path, *more: str, files: int = 0) -> Iterator[Application]:
    """Yield a started program and stop it at the end."""
    application = start(data_dir, *more, files=files)
    try:
        yield application
    finally:
        if application.process.poll() is None:
            application.stop()


def bridge(data_dir: Path) -> StdioServerParameters:
    """Return the command of a stdio client."""
    return StdioServerParameters(command=str(WEBRAG), args=["mcp", "--data-dir", str(data_dir)], env=environment())


def webrag(*arguments: str, data_dir: Path, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [str(WEBRAG), *arguments, "--data-dir", str(data_dir)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        stdin=subprocess.DEVNULL,
    )
