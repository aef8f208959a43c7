"""Our entry in a client's file: how each client writes it, how it is read back, and how it is told from others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

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
        """An entry of ours with this command; what the person added (variables, switches, limits, `--tools`) is kept."""
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
    """Our command with what the person added to the one that stands in the file."""
    return ServerCommand(command.command, (*command.args, *_added(current.args)))


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


def _added(args: tuple[str, ...]) -> tuple[str, ...]:
    """What follows the name of the command, without the data directory, which the registration chooses."""
    rest = args[args.index("mcp") + 1 :] if "mcp" in args else ()
    if "--data-dir" in rest:
        place = rest.index("--data-dir")
        rest = rest[:place] + rest[place + 2 :]
    return tuple(part for part in rest if not part.startswith("--data-dir="))
