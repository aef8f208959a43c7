"""Test the setup program of windows_setup.py in a fresh Wine prefix: install, use, update and remove it, then check for leftover files:
try_setup.py [--keep]. Prints each step with its result; the exit status is 1 if one failed.

The test installs the older version first and updates it while it runs. --keep keeps the prefix and prints its folder.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, TextIO

from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from facts import version
from windows_setup import OLDER, ONLY_IN_OLDER, setup_file
from windows_under_wine import PIECE_BYTES, UNAVAILABLE, Place, UnavailableError

SECONDS: Final = 600.0
"""Timeout of a program. Loading takes minutes on a busy machine."""
RUNS: Final = 5
UNINSTALL: Final = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\WebRAG"
RUN: Final = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Run"
FOREIGN: Final = '{\r\n  "theme": "dark",\r\n  "mcpServers": {\r\n    "files": {"command": "C:\\\\other\\\\server.exe"}\r\n  }\r\n}\r\n'
PAGE: Final = (
    "<!doctype html><html><head><title>Valves</title></head><body><main><h1>Valves</h1><p>Valves of the northern plant are checked "
    "every third month, and a cracked seal is exchanged within two days by the shift that found it.</p></main></body></html>"
)
QUESTION: Final = "How soon is a cracked seal exchanged?"
LOOPBACK: Final = {"WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8"}
SLOW: Final = "handshake"
"""Line of `doctor` that depends on the load of the machine."""


class StepError(Exception):
    """A step failed, with the reason."""


def require(holds: object, otherwise: str) -> None:
    """Raise StepError if the condition is false."""
    if not holds:
        raise StepError(otherwise)


class Machine:
    """A copy of the prefix without our programs."""

    def __init__(self, place: Place, folder: Path) -> None:
        self.place = Place(place.folder)
        self.place.prefix = folder / "prefix"
        # Do not follow links to the home folder of this machine: files there are not part of the prefix.
        shutil.copytree(place.prefix, self.place.prefix, symlinks=True)
        self.drive = self.place.prefix / "drive_c"
        [self.home] = [path for path in (self.drive / "users").iterdir() if path.name != "Public"]
        self.local = self.home / "AppData" / "Local"
        self.roaming = self.home / "AppData" / "Roaming"
        self.programs = self.local / "Programs" / "WebRAG"
        self.menu = self.roaming / "Microsoft" / "Windows" / "Start Menu" / "Programs" / "WebRAG Desktop.lnk"
        self.claude = self.roaming / "Claude" / "claude_desktop_config.json"
        self.environment = self.place.environment(QT_QPA_PLATFORM="offscreen", **LOOPBACK)

    def run(self, program: str | Path, *arguments: str) -> tuple[int, str]:
        """Return the exit status and the output. Raises StepError if the program does not end."""
        with subprocess.Popen(
            ["wine", str(program), *arguments],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as running:
            assert running.stdout is not None
            said: list[bytes] = []
            # Child processes share the pipe and can outlive the program. Only wait for the program itself.
            reader = threading.Thread(
                target=lambda out: said.extend(iter(lambda: os.read(out, PIECE_BYTES), b"")),
                args=(running.stdout.fileno(),),
                daemon=True,
            )
            reader.start()
            try:
                status = running.wait(SECONDS)
            except subprocess.TimeoutExpired:
                running.kill()
                raise StepError(
                    f"{Path(program).name} {' '.join(arguments)} did not end within {SECONDS:.0f} s"
                ) from None
            reader.join(2.0)
        return status, b"".join(said).decode("utf-8", "replace").replace("\r\n", "\n")

    def webrag(self, *arguments: str) -> str:
        """Return the output of the command line. Raises StepError for an exit status other than 0."""
        status, said = self.run(self.programs / "webrag.exe", *arguments)
        require(status == 0, f"webrag {' '.join(arguments)} ended with {status}: {said[-2000:]}")
        return said

    def registry(self, key: str, name: str = "") -> str:
        """Return the value of a name, or all lines of a key; empty if it does not exist."""
        status, said = self.run("reg", "query", key, *(["/v", name] if name else []))
        return said.strip() if status == 0 else ""

    def running(self) -> list[str]:
        """Return the command lines of our programs in this prefix."""
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
                prefix = f"WINEPREFIX={self.place.prefix}\0".encode() in (entry / "environ").read_bytes()
            except OSError:
                continue
            if prefix and r"\Programs\WebRAG\webrag" in line.replace("/", "\\"):
                found.append(line)
        return found

    def files(self) -> set[str]:
        """List the files on the drive, without Windows itself, temporary files and the user's files."""
        mine = {
            self.drive / "windows",
            self.home / "Temp",
            self.local / "Temp",
            *(folder / "WebRAG" for folder in (self.local, self.roaming)),
        }
        # A Windows folder that Wine creates on demand.
        found = {str(self.programs.parent.relative_to(self.drive))}
        for folder, folders, files in os.walk(self.drive):
            here = Path(folder)
            folders[:] = [name for name in folders if here / name not in mine and not (here / name).is_symlink()]
            found |= {str((here / name).relative_to(self.drive)) for name in (*folders, *files)}
        return found

    def end(self) -> None:
        """End all programs of this prefix only."""
        subprocess.run(["wineserver", "-k"], env=self.environment, check=False, timeout=60)


@contextmanager
def site() -> Iterator[str]:
    """Serve a page on this computer."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = PAGE.encode() if self.path == "/valves" else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/valves"
        server.shutdown()


@contextmanager
def drain() -> Iterator[TextIO]:
    """Yield a stream for errors: a pipe, because Windows programs under Wine do not accept other streams."""
    out, into = os.pipe()
    reader = threading.Thread(target=lambda: list(iter(lambda: os.read(out, PIECE_BYTES), b"")), daemon=True)
    reader.start()
    with os.fdopen(into, "w", encoding="utf-8") as stream:
        yield stream


@asynccontextmanager
async def client(machine: Machine) -> AsyncIterator[tuple[ClientSession, float]]:
    """Yield an initialized client of the installed bridge, and the seconds that this took."""
    parameters = StdioServerParameters(
        command="wine", args=[str(machine.programs / "webrag.exe"), "mcp"], env=machine.environment
    )
    began = time.monotonic()
    with drain() as nowhere:
        async with stdio_client(parameters, errlog=nowhere) as streams, ClientSession(*streams) as session:
            async with asyncio.timeout(SECONDS):
                await session.initialize()
            yield session, time.monotonic() - began


async def started(machine: Machine) -> float:
    """Initialize until the application answers, and return the seconds. On a busy machine, the bridge can give up earlier."""
    began = time.monotonic()
    while True:
        try:
            async with client(machine):
                return time.monotonic() - began
        except* MCPError as errors:
            if time.monotonic() - began > SECONDS:
                raise StepError(f"the application does not answer: {errors.exceptions}") from None
        await asyncio.sleep(1)


# --- Steps ---


def install_older(machine: Machine) -> str:
    status, said = machine.run(setup_file(OLDER), "/S")
    require(status == 0, f"the setup program ended with {status}: {said}")
    for path in (machine.programs / "webrag.exe", machine.programs / "uninstall.exe", machine.menu):
        require(path.is_file(), f"{path} is missing")
    require(OLDER in machine.registry(UNINSTALL, "DisplayVersion"), "Windows does not list the program")
    require("WebRAG" not in machine.registry(RUN), "it starts at login by default")
    return f"{sum(path.is_file() for path in machine.programs.rglob('*'))} files"


def selftest(machine: Machine) -> str:
    said = machine.webrag("--selftest")
    status, window = machine.run(machine.programs / "webrag-desktop.exe", "--selftest")
    require(status == 0, f"webrag-desktop --selftest ended with {status}: {window[-2000:]}")
    return f"{said.count('ok ')} parts of the command line, the window's program ended with 0"


def assistant(machine: Machine) -> str:
    async def ask() -> str:
        with site() as address:
            first = await started(machine)
            async with client(machine) as (session, _seconds):
                tools = (await session.list_tools()).tools
                result: Any = await session.call_tool("answer", {"query": QUESTION, "url": address}, SECONDS)
            text = "".join(part.text for part in result.content if part.type == "text")
            require("within two days" in text and address in text, f"the answer lacks the sentence: {text[:1000]}")
            times = []
            for _ in range(RUNS):
                async with client(machine) as (_session, seconds):
                    times.append(seconds)
        again = f"{statistics.median(times):.2f} s (median of {RUNS})"
        return f"{len(tools)} tools, an answer; initialize after {first:.1f} s without a running application, {again} when it runs"

    return asyncio.run(ask())


def register(machine: Machine) -> str:
    machine.claude.parent.mkdir(parents=True)
    machine.claude.write_bytes(FOREIGN.encode())
    machine.webrag("register", "--client", "claude-desktop")
    entries = json.loads(machine.claude.read_bytes())["mcpServers"]
    command: str = entries["webrag"]["command"]
    require(command.lower().endswith(r"\appdata\local\programs\webrag\webrag.exe"), f"the entry starts {command}")
    require("files" in entries, "the entry of another program was lost")
    machine.webrag("autostart", "on")
    line = machine.registry(RUN, "WebRAG Desktop")
    require("webrag-desktop.exe" in line, f"it does not start at login: {line}")
    return command


def doctor(machine: Machine) -> str:
    status, said = machine.run(machine.programs / "webrag.exe", "doctor")
    wrong = [line.strip() for line in said.splitlines() if line.strip().startswith("✗")]
    require(said and all(SLOW in line for line in wrong), f"the doctor ended with {status}:\n{said[-4000:]}")
    return "no problems" if not wrong else f"only slow: {wrong[0]}"


def update(machine: Machine) -> str:
    async def over() -> int:
        await started(machine)
        async with client(machine):
            before = machine.running()
            require(len(before) >= 2, f"bridge and application should run: {before}")
            status, said = await asyncio.to_thread(machine.run, setup_file(version()), "/S")
            require(status == 0, f"the setup program ended with {status}: {said}")
            require(not machine.running(), f"still running: {machine.running()}")
            return len(before)

    ended = asyncio.run(over())
    require(not (machine.programs / ONLY_IN_OLDER).exists(), "a file of the older version was left")
    require(version() in machine.registry(UNINSTALL, "DisplayVersion"), "Windows lists the older version")

    async def ask() -> str:
        await started(machine)
        async with client(machine) as (session, _seconds):
            result: Any = await session.call_tool("search", {"query": QUESTION}, SECONDS)
            return "".join(part.text for part in result.content if part.type == "text")

    require("within two days" in asyncio.run(ask()), "the library was lost in the update")
    return f"{ended} running programs ended, search finds the earlier page"


def remove(machine: Machine) -> str:
    status, said = machine.run(machine.programs / "uninstall.exe", "/S")
    require(status == 0, f"the uninstaller ended with {status}: {said}")
    # The uninstaller continues as a copy, so that it can delete itself.
    until = time.monotonic() + SECONDS
    while machine.programs.exists() and time.monotonic() < until:
        time.sleep(0.5)
    require(not machine.programs.exists(), "the program folder still exists")
    require(not machine.running(), f"still running: {machine.running()}")
    require(
        machine.claude.read_bytes() == FOREIGN.encode(), f"the file of Claude Desktop: {machine.claude.read_bytes()!r}"
    )
    require(not machine.registry(UNINSTALL), "Windows still lists the program")
    require("WebRAG" not in machine.registry(RUN), "it still starts at login")
    require((machine.local / "WebRAG" / "corpus.db").is_file(), "the library was deleted")
    machine.claude.unlink()
    machine.claude.parent.rmdir()
    return "the library is kept, the file of Claude Desktop is restored"


STEPS: Final[tuple[tuple[str, Callable[[Machine], str]], ...]] = (
    ("install", install_older),
    ("start", selftest),
    ("ask", assistant),
    ("register", register),
    ("doctor", doctor),
    ("update", update),
    ("remove", remove),
)


def main(arguments: list[str]) -> int:
    """Run the steps in order and stop at the first failure."""
    place = Place.default()
    try:
        place.make()
    except UnavailableError as error:
        print(f"Cannot test the setup program here: {error}", file=sys.stderr)
        return UNAVAILABLE
    folder = Path(tempfile.mkdtemp(prefix="try-setup."))
    machine = Machine(place, folder)
    try:
        return attempt(machine)
    finally:
        machine.end()
        if "--keep" in arguments:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def attempt(machine: Machine) -> int:
    """Run and print each step. Afterwards, the drive must contain the same files as before."""
    before = machine.files()
    for name, step in STEPS:
        began = time.monotonic()
        try:
            said = step(machine)
        except StepError as error:
            print(f"FAIL  {name}: {error}", flush=True)
            return 1
        print(f"ok    {name}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    residue = sorted(before ^ machine.files())
    print(
        f"FAIL  leftover: {', '.join(residue)}" if residue else "ok    leftover: no leftover and no missing files (0 s)"
    )
    return int(bool(residue))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
