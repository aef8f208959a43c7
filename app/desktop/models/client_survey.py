"""A look at the files of every known assistant; blocking. What has not changed since the last look is not read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from app.clients import CLIENTS, ClientProfile, ClientState, Machine, ServerCommand, client_state, server_command
from app.clients.installed_entry import installed_entry
from app.clients.monitor import ConfigDrift, find_drift
from app.clients.profile import ConfigLocation
from app.clients.snippets import SNIPPETS, Snippet
from app.errors import ClientConfigError

Stamp = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Looked:
    """One assistant: what its files say, our entry in each as it stands there, where it was looked for, what is wrong."""

    profile: ClientProfile | None
    state: ClientState
    entries: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    finding: ConfigDrift | None = None
    snippet: Snippet | None = None
    stamp: Stamp = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Survey:
    """Every known assistant, and the command that belongs into their files."""

    command: ServerCommand
    looked: tuple[Looked, ...]


NOTHING_KNOWN: Final = Survey(ServerCommand("", ()), ())


def survey(data_dir: Path, known: Survey = NOTHING_KNOWN) -> Survey:
    """Look at every known place."""
    machine = Machine.here()
    before = {looked.state.name: looked for looked in known.looked}
    command = server_command(data_dir)
    known_ones = (_look(profile, command, machine, before.get(profile.name)) for profile in CLIENTS)
    others = (_of_snippet(snippet) for snippet in SNIPPETS)
    return Survey(command, (*known_ones, *others))


def _of_snippet(snippet: Snippet) -> Looked:
    return Looked(None, ClientState(snippet.name, snippet.title, False, ()), snippet=snippet)


def _look(profile: ClientProfile, command: ServerCommand, machine: Machine, before: Looked | None) -> Looked:
    locations = profile.locate(machine)
    stamp = tuple(each for location in locations for each in (_stamp(location.path), _stamp(location.sign)))
    if before is not None and before.stamp == stamp:
        return before
    state = client_state(profile, machine)
    entries = tuple(entry_text(profile, file.path) if file.registered else "" for file in state.files)
    found = (
        _first_finding(profile, locations, command, machine) if any(file.registered for file in state.files) else None
    )
    return Looked(profile, state, entries, _places(locations), found, stamp=stamp)


def _first_finding(
    profile: ClientProfile, locations: tuple[ConfigLocation, ...], command: ServerCommand, machine: Machine
) -> ConfigDrift | None:
    """What is wrong with a connected assistant, whether or not it was connected from here."""
    looked = (
        find_drift(profile, location, command, machine, known=False) for location in locations if location.is_used
    )
    return next((finding for finding in looked if finding is not None), None)


def entry_text(profile: ClientProfile, path: Path) -> str:
    """Our entry of a file, written by itself in the language of the file; an empty text where it cannot be read."""
    try:
        found = installed_entry(profile, path)
    except ClientConfigError:
        # The state of the file says so; it may have become unreadable only now.
        return ""
    if not isinstance(found.entry, Mapping):
        return ""
    return found.config.language.set_member("", found.keys, found.entry).strip()


def _places(locations: tuple[ConfigLocation, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(location.sign) for location in locations))


def _stamp(path: Path) -> tuple[str, int, int]:
    try:
        found = path.stat()
    except OSError:
        return str(path), 0, -1
    # What is in a folder does not matter here, and changes all the time.
    return (str(path), 0, 0) if path.is_dir() else (str(path), found.st_mtime_ns, found.st_size)
