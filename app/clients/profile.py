"""What is known of an assistant, as data: the machine it runs on, where its configuration is, how an entry looks.

An entry is recognised by the command that it starts.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from app.client_limits import ClientLimits, limits_named
from app.paths import default_data_dir, program

# --- Entries ---

SERVER_NAME: Final = "webrag"
_OUR_PROGRAM: Final = re.compile(r"webrag(?:[-_.\w]*\.appimage)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """How a client starts our server."""

    command: str
    args: tuple[str, ...]

    def entry(self) -> dict[str, object]:
        """The entry as most clients write it. It holds no token: the bridge finds the application by itself."""
        return {"command": self.command, "args": list(self.args)}


@dataclass(frozen=True, slots=True)
class EntryShape:
    """How a client names the parts of an entry.

    Without `args`, `command` is a list of program and arguments. `fixed` must be so; `first` are values an entry begins with
    and the person may change. `off` is the key and value that switch a server off.
    """

    command: str = "command"
    args: str | None = "args"
    env: str = "env"
    fixed: tuple[tuple[str, object], ...] = ()
    first: tuple[tuple[str, object], ...] = ()
    off: tuple[str, bool] | None = None

    def write(self, command: ServerCommand) -> dict[str, object]:
        """A new entry."""
        # What is empty is made anew, so that no entry shares it with another.
        first = {
            key: type(value)() if not value and not isinstance(value, bool) else value for key, value in self.first
        }
        return {**dict(self.fixed), **self._parts(command), **first}

    def repaired(self, entry: Mapping[str, object], command: ServerCommand) -> dict[str, object]:
        """Our entry with this command; what the person added (variables, switches, limits, `--tools`) is kept."""
        current = self.read(entry)
        wanted = with_added_arguments(command, current) if current is not None else command
        return {**entry, **dict(self.fixed), **self._parts(wanted)}

    def read(self, entry: object) -> ServerCommand | None:
        """The command of an entry as it stands; None when it holds none."""
        if not isinstance(entry, Mapping):
            return None
        if self.args is None:
            parts = entry.get(self.command)
            words = [str(part) for part in parts] if isinstance(parts, list) else []
            return ServerCommand(words[0], tuple(words[1:])) if words else None
        command, args = entry.get(self.command), entry.get(self.args, [])
        if not isinstance(command, str):
            return None
        return ServerCommand(command, tuple(str(part) for part in args) if isinstance(args, list) else ())

    def variables(self, entry: object) -> dict[str, str]:
        """The environment variables that an entry adds."""
        found = entry.get(self.env) if isinstance(entry, Mapping) else None
        return {str(key): str(value) for key, value in found.items()} if isinstance(found, Mapping) else {}

    def is_off(self, entry: object) -> bool:
        """Whether the person has switched the server off in the client."""
        if self.off is None or not isinstance(entry, Mapping):
            return False
        key, value = self.off
        return entry.get(key) is value

    def _parts(self, command: ServerCommand) -> dict[str, object]:
        if self.args is None:
            return {self.command: [command.command, *command.args]}
        return {self.command: command.command, self.args: list(command.args)}


COMMON_SHAPE: Final = EntryShape()


def with_added_arguments(command: ServerCommand, current: ServerCommand) -> ServerCommand:
    """Our command with the arguments that the user added to the one in the file.

    The data directory is left out: the registration chooses it.
    """
    args = current.args
    added = args[args.index("mcp") + 1 :] if "mcp" in args else ()
    if "--data-dir" in added:
        place = added.index("--data-dir")
        added = added[:place] + added[place + 2 :]
    return ServerCommand(
        command.command, (*command.args, *(part for part in added if not part.startswith("--data-dir=")))
    )


def is_ours(command: ServerCommand | None) -> bool:
    """Whether a command starts a bridge of this product, of whatever installation."""
    if command is None:
        return False
    stem = re.split(r"[/\\]", command.command)[-1].lower().removesuffix(".exe")
    args = command.args
    if args[:2] == ("-m", "app"):
        return _own_arguments(args[2:])[:1] == ("mcp",)
    return _OUR_PROGRAM.fullmatch(stem) is not None and _own_arguments(args)[:1] == ("mcp",)


def _own_arguments(args: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments from the name of the command on."""
    return args[2:] if args[:1] == ("--data-dir",) else args


AS_MODULE = ("-m", "app")


def is_same_program(one: ServerCommand, other: ServerCommand) -> bool:
    """Whether both start the same program, whatever their options."""
    first, second = (shutil.which(command.command) or command.command for command in (one, other))
    modules = {command.args[:2] == AS_MODULE for command in (one, other)}
    if modules == {True}:
        # Interpreters of different environments may be links to the same file.
        return Path(first).absolute() == Path(second).absolute()
    try:
        return modules == {False} and Path(first).samefile(second)
    except OSError:
        return False


# --- The machine ---


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

    @property
    def config_home(self) -> Path:
        """Where programs that follow the XDG rules keep their configuration, on every system."""
        return self.folder("XDG_CONFIG_HOME", self.home / ".config")

    @property
    def application_data(self) -> Path:
        """Where desktop applications keep theirs; on Windows the part that roams."""
        if self.system is System.WINDOWS:
            return self.folder("APPDATA", self.home / "AppData" / "Roaming")
        if self.system is System.MACOS:
            return self.home / "Library" / "Application Support"
        return self.config_home

    def reduced_environment(self) -> dict[str, str]:
        """What a server started by a client finds in its environment."""
        kept = {name: self.environ[name] for name in INHERITED[self.system] if name in self.environ}
        return {"PATH": MACOS_PATH, **kept} if self.system is System.MACOS else kept


# --- Assistants ---


class ConfigFormat(StrEnum):
    """The language of a configuration file. JSONC is JSON whose reader takes comments and trailing commas."""

    JSON = "json"
    JSONC = "jsonc"
    TOML = "toml"
    YAML = "yaml"


@dataclass(frozen=True, slots=True)
class ConfigLocation:
    """A file that a client may read. The folder `sign` is there when the client is."""

    path: Path
    sign: Path

    @property
    def is_used(self) -> bool:
        """A folder that may not be entered counts too: reading its file says what is wrong."""
        for is_there in (self.path.exists, self.sign.is_dir):
            with contextlib.suppress(PermissionError):
                if is_there():
                    return True
        return False


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file the servers stand, by keys from the outermost value, and how one of them is written there."""

    keys: tuple[str, ...]
    shape: EntryShape = COMMON_SHAPE


@dataclass(frozen=True, slots=True)
class ClientProfile:
    """One assistant. `locate` gives every file it may read; the same entry goes into each that is used.

    `nested` is a second place, which is used in a file that has it already. `after_change` is what the person does so that a
    change takes effect; `only_where` says where it uses servers at all, if not everywhere. `by_hand` is the assistant's own command
    that registers a server, with {command} for ours.
    `processes` are patterns for the paths of its programs, given only for an assistant that reads its file when it starts.
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
        """What it does with our tools."""
        return limits_named(self.name)


def server_command(data_dir: Path | None = None, *, machine: Machine | None = None) -> ServerCommand:
    """The bridge of this installation; the data directory is named if the bridge would find another one."""
    machine = machine or Machine.here()
    command, *arguments = program("webrag", "app")
    arguments.append("mcp")
    chosen = data_dir or default_data_dir()
    if chosen != default_data_dir(machine.reduced_environment()):
        arguments += ["--data-dir", str(chosen)]
    return ServerCommand(command, tuple(arguments))
