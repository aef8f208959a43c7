"""What is known of an assistant, as data: where its configuration is, how an entry looks, what it takes."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.client_limits import ClientLimits, limits_named
from app.paths import default_data_dir, program

SERVER_NAME = "webrag"


class System(StrEnum):
    """The systems whose layouts are known."""

    WINDOWS = "windows"
    MACOS = "macos"
    LINUX = "linux"


INHERITED: Mapping[System, tuple[str, ...]] = {
    System.WINDOWS: (
        *("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"),
        *("SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"),
    ),
    System.MACOS: ("HOME", "LOGNAME", "SHELL", "TERM", "USER"),
    System.LINUX: ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"),
}
"""The variables that clients hand to the servers they start; a client on macOS has a PATH of its own."""

MACOS_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"


@dataclass(frozen=True, slots=True)
class Machine:
    """The system a client runs on; made up in tests."""

    system: System
    home: Path
    environ: Mapping[str, str]

    @classmethod
    def here(cls) -> Machine:
        """This machine."""
        systems = {"win32": System.WINDOWS, "darwin": System.MACOS}
        return cls(systems.get(sys.platform, System.LINUX), Path.home(), os.environ)

    def folder(self, variable: str, default: Path) -> Path:
        """The folder a variable names, or the default."""
        value = self.environ.get(variable)
        return Path(value) if value else default

    def reduced_environment(self) -> dict[str, str]:
        """What a server started by a client finds in its environment."""
        kept = {name: self.environ[name] for name in INHERITED[self.system] if name in self.environ}
        return {"PATH": MACOS_PATH, **kept} if self.system is System.MACOS else kept


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """How a client starts our server."""

    command: str
    args: tuple[str, ...]

    def entry(self) -> dict[str, object]:
        """The entry as it stands in a file. It holds no token: the bridge finds the application by itself."""
        return {"command": self.command, "args": list(self.args)}


def server_command(data_dir: Path | None = None, *, machine: Machine | None = None) -> ServerCommand:
    """The bridge of this installation; the data directory is named if the bridge would find another one."""
    machine = machine or Machine.here()
    command, *arguments = program("webrag", "app")
    arguments.append("mcp")
    chosen = data_dir or default_data_dir()
    if chosen != default_data_dir(machine.reduced_environment()):
        arguments += ["--data-dir", str(chosen)]
    return ServerCommand(command, tuple(arguments))


def is_ours(entry: object) -> bool:
    """Whether an entry starts a bridge of this product, of whatever installation."""
    if not isinstance(entry, Mapping):
        return False
    command, args = entry.get("command"), entry.get("args")
    if not isinstance(command, str) or not isinstance(args, list):
        return False
    stem = re.split(r"[/\\]", command)[-1].lower().removesuffix(".exe")
    return (stem == "webrag" and args[:1] == ["mcp"]) or args[:3] == ["-m", "app", "mcp"]


@dataclass(frozen=True, slots=True)
class ConfigLocation:
    """A file that a client may read. The folder `sign` is there when the client is."""

    path: Path
    sign: Path

    @property
    def is_used(self) -> bool:
        return self.path.exists() or self.sign.is_dir()


@dataclass(frozen=True, slots=True)
class ClientProfile:
    """One assistant. `locate` gives every file it may read; the same entry goes into each that is used."""

    name: str
    title: str
    locate: Callable[[Machine], tuple[ConfigLocation, ...]]
    key: str = "mcpServers"
    reads_comments: bool = False
    after_change: str = ""

    @property
    def limits(self) -> ClientLimits:
        """What it does with our tools."""
        return limits_named(self.name)
