"""Install the setup program of windows_setup.py in a fresh Wine prefix, use it as a person would, update and remove it, and look for
what stays behind: try_setup.py [--keep]. Says each step with its result; the exit status is 1 when one failed.

The older version is installed first and runs while the newer one is put over it. --keep leaves the prefix and names it.
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
"""For one program to end; loading takes minutes on a busy machine."""
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
"""The line of `doctor` that depends on how busy the machine is."""


class StepError(Exception):
    """A step did not do what it should; the text says what."""


def require(holds: object, otherwise: str) -> None:
    """Raises StepError."""
    if not holds:
        raise StepError(otherwise)


class Machine:
    """A copy of the prefix in which nothing of ours is installed."""

    def __init__(self, place: Place, folder: Path) -> None:
        self.place = Place(place.folder)
        self.place.prefix = folder / "prefix"
        # The links to the home folder of this machine are not followed: what is written there is no part of the prefix.
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
        """The exit status and what was said. Raises StepError for a program that does not end."""
        with subprocess.Popen(
            ["wine", str(program), *arguments],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as running:
            assert running.stdout is not None
            said: list[bytes] = []
            # Its children hold the pipe as well and may live on: what counts is that the program itself has ended.
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
        """What the command line says. Raises StepError for another exit status than 0."""
        status, said = self.run(self.programs / "webrag.exe", *arguments)
        require(status == 0, f"webrag {' '.join(arguments)} ended with {status}: {said[-2000:]}")
        return said

    def registry(self, key: str, name: str = "") -> str:
        """The value of a name, or all lines of a key; empty when it is not there."""
        status, said = self.run("reg", "query", key, *(["/v", name] if name else []))
        return said.strip() if status == 0 else ""

    def running(self) -> list[str]:
        """The command lines of our programs in this prefix."""
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
        """What lies in the drive, but for Windows itself, temporary files, and what belongs to the person."""
        mine = {
            self.drive / "windows",
            self.home / "Temp",
            self.local / "Temp",
            *(folder / "WebRAG" for folder in (self.local, self.roaming)),
        }
        # A folder of Windows, which Wine makes when it is needed.
        found = {str(self.programs.parent.relative_to(self.drive))}
        for folder, folders, files in os.walk(self.drive):
            here = Path(folder)
            folders[:] = [name for name in folders if here / name not in mine and not (here / name).is_symlink()]
            found |= {str((here / name).relative_to(self.drive)) for name in (*folders, *files)}
        return found

    def end(self) -> None:
        """End all programs of this prefix and of no other."""
        subprocess.run(["wineserver", "-k"], env=self.environment, check=False, timeout=60)


@contextmanager
def site() -> Iterator[str]:
    """A page on this computer."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = PAGE.encode() if self.path == "/valves" else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/valves"
        server.shutdown()


@contextmanager
def drain() -> Iterator[TextIO]:
    """Where errors go unread: a pipe, because a Windows program under Wine takes no other stream."""
    out, into = os.pipe()
    reader = threading.Thread(target=lambda: list(iter(lambda: os.read(out, PIECE_BYTES), b"")), daemon=True)
    reader.start()
    with os.fdopen(into, "w", encoding="utf-8") as stream:
        yield stream


@asynccontextmanager
async def client(machine: Machine) -> AsyncIterator[tuple[ClientSession, float]]:
    """An assistant that has been greeted by the installed bridge, and the seconds that took."""
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
    """Greet until the application answers: on a busy machine it needs longer than a bridge waits, which says to try again. Seconds."""
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
    require("WebRAG" not in machine.registry(RUN), "it starts at login without having been asked")
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
        return f"{len(tools)} tools, an answer; initialize after {first:.1f} s when nothing runs, {again} when it runs"

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
    return "nothing is wrong" if not wrong else f"only slow: {wrong[0]}"


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
    require(not (machine.programs / ONLY_IN_OLDER).exists(), "a file of the older version stayed behind")
    require(version() in machine.registry(UNINSTALL, "DisplayVersion"), "Windows lists the older version")

    async def ask() -> str:
        await started(machine)
        async with client(machine) as (session, _seconds):
            result: Any = await session.call_tool("search", {"query": QUESTION}, SECONDS)
            return "".join(part.text for part in result.content if part.type == "text")

    require("within two days" in asyncio.run(ask()), "the library did not live through the update")
    return f"{ended} running programs were ended, the page of before is found"


def remove(machine: Machine) -> str:
    status, said = machine.run(machine.programs / "uninstall.exe", "/S")
    require(status == 0, f"the uninstaller ended with {status}: {said}")
    # It goes on as a copy of itself, so that it can delete itself.
    until = time.monotonic() + SECONDS
    while machine.programs.exists() and time.monotonic() < until:
        time.sleep(0.5)
    require(not machine.programs.exists(), "the folder of the program is still there")
    require(not machine.running(), f"still running: {machine.running()}")
    require(
        machine.claude.read_bytes() == FOREIGN.encode(), f"the file of Claude Desktop: {machine.claude.read_bytes()!r}"
    )
    require(not machine.registry(UNINSTALL), "Windows still lists the program")
    require("WebRAG" not in machine.registry(RUN), "it still starts at login")
    require((machine.local / "WebRAG" / "corpus.db").is_file(), "the library is gone")
    machine.claude.unlink()
    machine.claude.parent.rmdir()
    return "the library stays, the file of Claude Desktop is as it was"


STEPS: Final[tuple[tuple[str, Callable[[Machine], str]], ...]] = (
    ("install without questions", install_older),
    ("self-tests", selftest),
    ("an assistant through the bridge", assistant),
    ("register, start at login", register),
    ("doctor", doctor),
    ("update over running programs", update),
    ("remove", remove),
)


def main(arguments: list[str]) -> int:
    """Each step needs the ones before it, so the first that fails is the last."""
    place = Place.default()
    try:
        place.make()
    except UnavailableError as error:
        print(f"The setup program cannot be tried here: {error}", file=sys.stderr)
        return UNAVAILABLE
    folder = Path(tempfile.mkdtemp(prefix="try-setup."))
    machine = Machine(place, folder)
    try:
        return attempt(machine)
    finally:
        machine.end()
        if "--keep" in arguments:
            print(f"left behind: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def attempt(machine: Machine) -> int:
    """Say each step; what lies in the drive afterwards must be what lay there before."""
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
    print(f"FAIL  residue: {', '.join(residue)}" if residue else "ok    nothing stays behind, nothing else is gone")
    return int(bool(residue))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
