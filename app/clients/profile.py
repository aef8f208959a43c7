"""What is known of an assistant, as data: where its configuration is, how an entry looks, what it takes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.client_limits import ClientLimits, limits_named
from app.clients.entry import COMMON_SHAPE, SERVER_NAME, EntryShape, ServerCommand, is_ours
from app.clients.machine import Machine, System
from app.paths import default_data_dir, program

__all__ = [
    "SERVER_NAME",
    "ClientProfile",
    "ConfigFormat",
    "ConfigLocation",
    "EntryShape",
    "Machine",
    "Place",
    "ServerCommand",
    "System",
    "is_ours",
    "server_command",
]


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
    change takes effect. `by_hand` is the assistant's own command that registers a server, with {command} for ours.
    `processes` are patterns for the paths of its programs, given only for an assistant that reads its file when it starts.
    """

    name: str
    title: str
    locate: Callable[[Machine], tuple[ConfigLocation, ...]]
    place: Place = Place(("mcpServers",))
    nested: Place | None = None
    format: ConfigFormat = ConfigFormat.JSON
    after_change: str = ""
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
