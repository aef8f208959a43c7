"""Data about assistants: the computer they run on, the location of their configuration, and the format of an entry.

An entry is recognized by its command.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from app.client_limits import ClientLimits, limits_named
from app.paths import default_data_dir, program

SERVER_NAME: Final = "webrag"
_OUR_PROGRAM: Final = re.compile(r"webrag(?:[-_.\w]*\.appimage)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """The command with which a client starts our server."""

    command: str
    args: tuple[str, ...]

    def entry(self) -> dict[str, object]:
        """Return the entry in the most common format. It does not contain a token: the bridge finds the application itself."""
        return {"command": self.command, "args": list(self.args)}


@dataclass(frozen=True, slots=True)
class EntryShape:
    """Names of the parts of an entry in a client.

    With an empty `args`, `command` is a list of program and arguments. `fixed` parts are required; `first` are initial values that the user
    may change. `off` is the key and value that turn a server off.
    """

    command: str = "command"
    args: str = "args"
    env: str = "env"
    fixed: Mapping[str, object] = field(default_factory=dict)
    first: Mapping[str, object] = field(default_factory=dict)
    off: Sequence[object] = ()

    def write(self, command: ServerCommand) -> dict[str, object]:
        """Return a new entry."""
        # Copy empty values, so that entries do not share them.
        first = {
            key: type(value)() if not value and not isinstance(value, bool) else value
            for key, value in self.first.items()
        }
        return {**self.fixed, **self._parts(command), **first}

    def repaired(self, entry: Mapping[str, object], command: ServerCommand) -> dict[str, object]:
        """Return our entry with this command. Keeps what the user added: variables, switches, limits and `--tools`."""
        current = self.read(entry)
        wanted = with_added_arguments(command, current) if current is not None else command
        return {**entry, **self.fixed, **self._parts(wanted)}

    def read(self, entry: object) -> ServerCommand | None:
        """Return the current command of an entry, or None."""
        if not isinstance(entry, Mapping):
            return None
        if not self.args:
            parts = entry.get(self.command)
            words = [str(part) for part in parts] if isinstance(parts, list) else []
            return ServerCommand(words[0], tuple(words[1:])) if words else None
        command, args = entry.get(self.command), entry.get(self.args, [])
        if not isinstance(command, str):
            return None
        return ServerCommand(command, tuple(str(part) for part in args) if isinstance(args, list) else ())

    def variables(self, entry: object) -> dict[str, str]:
        """Return the environment variables that an entry adds."""
        found = entry.get(self.env) if isinstance(entry, Mapping) else None
        return {str(key): str(value) for key, value in found.items()} if isinstance(found, Mapping) else {}

    def is_off(self, entry: object) -> bool:
        """Whether the user turned off the server in the client."""
        if not self.off or not isinstance(entry, Mapping):
            return False
        key, value = self.off
        return entry.get(key) is value

    def _parts(self, command: ServerCommand) -> dict[str, object]:
        if not self.args:
            return {self.command: [command.command, *command.args]}
        return {self.command: command.command, self.args: list(command.args)}


COMMON_SHAPE: Final = EntryShape()


def with_added_arguments(command: ServerCommand, current: ServerCommand) -> ServerCommand:
    """Return our command with the arguments that the user added in the file, except the data directory, which the registration sets."""
    args = current.args
    added = args[args.index("mcp") + 1 :] if "mcp" in args else ()
    if "--data-dir" in added:
        place = added.index("--data-dir")
        added = added[:place] + added[place + 2 :]
    return ServerCommand(
        command.command, (*command.args, *(part for part in added if not part.startswith("--data-dir=")))
    )


def is_ours(command: ServerCommand | None) -> bool:
    """Whether a command starts a bridge of any installation of this product."""
    if command is None:
        return False
    stem = re.split(r"[/\\]", command.command)[-1].lower().removesuffix(".exe")
    args = command.args
    if args[:2] == ("-m", "app"):
        return _own_arguments(args[2:])[:1] == ("mcp",)
    return _OUR_PROGRAM.fullmatch(stem) is not None and _own_arguments(args)[:1] == ("mcp",)


def _own_arguments(args: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments starting with the command's name."""
    return args[2:] if args[:1] == ("--data-dir",) else args


AS_MODULE = ("-m", "app")


def is_same_program(one: ServerCommand, other: ServerCommand) -> bool:
    """Whether both start the same program, with any options."""
    first, second = (shutil.which(command.command) or command.command for command in (one, other))
    modules = {command.args[:2] == AS_MODULE for command in (one, other)}
    if modules == {True}:
        # The interpreters of different environments can be links to the same file.
        return Path(first).absolute() == Path(second).absolute()
    try:
        return modules == {False} and Path(first).samefile(second)
    except OSError:
        return False


class System(StrEnum):
    """Systems with known file locations."""

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
"""Variables that clients pass to the servers they start. Clients on macOS set their own PATH."""

MACOS_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"


@dataclass(frozen=True, slots=True)
class Machine:
    """The system that a client runs on. Tests create artificial ones."""

    system: System
    home: Path
    environ: Mapping[str, str]

    @classmethod
    def here(cls) -> Machine:
        """This machine."""
        systems = {"win32": System.WINDOWS, "darwin": System.MACOS}
        return cls(systems.get(sys.platform, System.LINUX), Path.home(), os.environ)

    def folder(self, variable: str, default: Path) -> Path:
        """Return the folder that a variable names, or the default."""
        value = self.environ.get(variable)
        return Path(value) if value else default

    @property
    def config_home(self) -> Path:
        """The configuration folder of programs that follow the XDG rules, on every system."""
        return self.folder("XDG_CONFIG_HOME", self.home / ".config")

    @property
    def application_data(self) -> Path:
        """The configuration folder of desktop applications. On Windows, the roaming one."""
        if self.system is System.WINDOWS:
            return self.folder("APPDATA", self.home / "AppData" / "Roaming")
        if self.system is System.MACOS:
            return self.home / "Library" / "Application Support"
        return self.config_home

    def reduced_environment(self) -> dict[str, str]:
        """Return the environment of a server that a client starts."""
        kept = {name: self.environ[name] for name in INHERITED[self.system] if name in self.environ}
        return {"PATH": MACOS_PATH, **kept} if self.system is System.MACOS else kept


class ConfigFormat(StrEnum):
    """The language of a configuration file. JSONC is JSON with comments and trailing commas."""

    JSON = "json"
    JSONC = "jsonc"
    TOML = "toml"
    YAML = "yaml"


@dataclass(frozen=True, slots=True)
class ConfigLocation:
    """A file that a client may read. The folder `sign` exists if the client is installed."""

    path: Path
    sign: Path

    @property
    def is_used(self) -> bool:
        """Whether the client is installed. An inaccessible folder counts, because reading its file then reports the reason."""
        for is_there in (self.path.exists, self.sign.is_dir):
            with contextlib.suppress(PermissionError):
                if is_there():
                    return True
        return False


@dataclass(frozen=True, slots=True)
class Place:
    """The location of the servers in a file, as keys from the top-level value, and the format of an entry."""

    keys: tuple[str, ...]
    shape: EntryShape = COMMON_SHAPE


@dataclass(frozen=True, slots=True)
class ClientProfile:
    """An assistant. `locate` returns all files that it may read. Each file in use gets the same entry.

    `nested` is a second place for servers, used if the file already has it. `after_change` tells the user how to apply a change;
    `only_where` says where the assistant uses servers, if not everywhere. `by_hand` is the assistant's own command for adding a server,
    with {command} for ours. `processes` are patterns for the paths of its programs, only for assistants that read their file at the start.
    """

    name: str
    title: str
    locate: Callable[[Machine], tuple[ConfigLocation, ...]]
    place: Place = Place(("mcpServers",))
    nested: Place | None = None
    format: ConfigFormat = ConfigFormat.JSON
    after_change: str = ""
    only_where: str = ""
    by_hand: str = ""
    processes: tuple[str, ...] = ()

    @property
    def limits(self) -> ClientLimits:
        """The assistant's limits for tools."""
        return limits_named(self.name)


def server_command(data_dir: Path | None = None, *, machine: Machine | None = None) -> ServerCommand:
    """Return the command of this installation's bridge, with the data directory if the bridge would use another one."""
    machine = machine or Machine.here()
    command, *arguments = program("webrag", "app")
    arguments.append("mcp")
    chosen = data_dir or default_data_dir()
    if chosen != default_data_dir(machine.reduced_environment()):
        arguments += ["--data-dir", str(chosen)]
    return ServerCommand(command, tuple(arguments))
