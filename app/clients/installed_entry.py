"""What stands in a client's file: where its servers are, and which of them is ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.clients.config_file import ConfigText, data_of, entry_of, read_config
from app.clients.profile import SERVER_NAME, ClientProfile, Place, ServerCommand, is_ours
from app.errors import ClientConfigError


@dataclass(frozen=True, slots=True)
class InstalledEntry:
    """One file. `name` is the entry's: ours, or the name that ours would have; `entry` is None without one.

    `others` are the names of further entries that start a bridge of this product.
    """

    config: ConfigText
    place: Place
    name: str
    entry: object | None
    others: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The path to the entry."""
        return (*self.place.keys, self.name)

    @property
    def command(self) -> ServerCommand | None:
        """The command of the entry as it stands."""
        return self.place.shape.read(self.entry)

    @property
    def ours(self) -> bool:
        """Whether the entry starts a bridge of this product."""
        return is_ours(self.command)


def installed_entry(profile: ClientProfile, path: Path) -> InstalledEntry:
    """What a file says about us. Raises ClientConfigError."""
    config = read_config(path, profile.format)
    place = _place(profile, data_of(config))
    servers = entry_of(config, place.keys)
    if servers is not None and not isinstance(servers, Mapping):
        raise ClientConfigError(f'In {path}, "{place.keys[-1]}" is not an object.')
    name = _name(place, servers or {})
    return InstalledEntry(config, place, name, (servers or {}).get(name), tuple(_others(place, servers or {}, name)))


def _place(profile: ClientProfile, data: Any) -> Place:
    """The second place where the file has it, unless our entry stands in the first already."""
    nested = profile.nested
    if nested is None or _is_listed(profile.place, data):
        return profile.place
    for key in nested.keys:
        data = data.get(key) if isinstance(data, Mapping) else None
    return nested if isinstance(data, Mapping) and nested.shape.read(data) is None else profile.place


def _is_listed(place: Place, data: Any) -> bool:
    for key in (*place.keys, SERVER_NAME):
        data = data.get(key) if isinstance(data, Mapping) else None
    return is_ours(place.shape.read(data))


def _name(place: Place, servers: Mapping[str, Any]) -> str:
    """The name of an entry; one that a person made under another name is ours too."""
    if SERVER_NAME in servers:
        return SERVER_NAME
    return next(_others(place, servers, SERVER_NAME), SERVER_NAME)


def _others(place: Place, servers: Mapping[str, Any], name: str) -> Iterator[str]:
    """Our entries under other names."""
    return (other for other, entry in servers.items() if other != name and _is_surely_ours(place.shape.read(entry)))


def _is_surely_ours(command: ServerCommand | None) -> bool:
    """Under another name it has to be our program: many a project has a package `app` that serves tools."""
    return command is not None and command.args[:2] != ("-m", "app") and is_ours(command)
