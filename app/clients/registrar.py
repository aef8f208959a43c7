"""Puts our entry into a client's configuration and takes it out again: first as a plan, then for real."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.clients import jsonc
from app.clients.config_file import (
    ConfigText,
    entry_of,
    read_config,
    replace_config,
    with_entry,
    without_entry,
)
from app.clients.profile import (
    SERVER_NAME,
    ClientProfile,
    ConfigLocation,
    Machine,
    ServerCommand,
    is_ours,
)
from app.errors import ClientConfigError

CONTEXT_LINES = 2
COMMENTS_NOTE = "The file holds comments or trailing commas; {title} may not accept them."


class PlanAction(StrEnum):
    """What applying a plan does."""

    ADD = "add"
    UPDATE = "update"
    REMOVE = "remove"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class RegistrationPlan:
    """One file's change before it is made. `note` is for the reader; `diff` is empty when nothing changes."""

    client: str
    path: Path
    action: PlanAction
    before: ConfigText
    after: str
    diff: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class AppliedChange:
    """A change that was made. `backup` is None for a file that was not there before."""

    path: Path
    action: PlanAction
    backup: Path | None


@dataclass(frozen=True, slots=True)
class ClientFile:
    """What one configuration file says about us. `problem` is why it cannot be read, empty otherwise."""

    path: Path
    exists: bool
    registered: bool
    command: ServerCommand | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ClientState:
    """One client on this machine. `found` is false where nothing of it was seen."""

    name: str
    title: str
    found: bool
    files: tuple[ClientFile, ...]

    @property
    def registered(self) -> bool:
        """Whether every file that the client may read has our entry."""
        return bool(self.files) and all(file.registered for file in self.files)


def plan_registration(
    profile: ClientProfile, command: ServerCommand, machine: Machine, *, force: bool = False
) -> tuple[RegistrationPlan, ...]:
    """What registering would change, a plan for each file the client may read.

    `force` makes the first file where the client was not found. Raises ClientConfigError.
    """
    locations = _used(profile, machine)
    if not locations and force:
        locations = profile.locate(machine)[:1]
    if not locations:
        looked_at = ", ".join(str(location.sign) for location in profile.locate(machine))
        raise ClientConfigError(
            f"{profile.title} was not found on this machine (no folder {looked_at}).",
            hint="Install it and start it once, or register with --force.",
        )
    return tuple(_plan_entry(profile, command, location.path) for location in locations)


def plan_removal(profile: ClientProfile, machine: Machine) -> tuple[RegistrationPlan, ...]:
    """What unregistering changes; an entry that starts something else stays. Raises ClientConfigError."""
    return tuple(_plan_without(profile, location.path) for location in _used(profile, machine))


def apply_plan(plan: RegistrationPlan) -> AppliedChange:
    """Make the change. Raises ClientConfigError, with nothing written, if the file has changed meanwhile."""
    if plan.action is PlanAction.NOTHING:
        return AppliedChange(plan.path, plan.action, None)
    return AppliedChange(plan.path, plan.action, replace_config(plan.before, plan.after))


def client_state(profile: ClientProfile, machine: Machine) -> ClientState:
    """Whether the client is there and what its files say."""
    files = tuple(_file_state(profile, location.path) for location in _used(profile, machine))
    return ClientState(profile.name, profile.title, bool(files), files)


def _used(profile: ClientProfile, machine: Machine) -> tuple[ConfigLocation, ...]:
    return tuple(location for location in profile.locate(machine) if location.is_used)


def _keys(profile: ClientProfile) -> tuple[str, ...]:
    return (profile.key, SERVER_NAME)


def _plan_entry(profile: ClientProfile, command: ServerCommand, path: Path) -> RegistrationPlan:
    before, keys = read_config(path), _keys(profile)
    current, wanted = entry_of(before, keys), command.entry()
    if isinstance(current, dict) and is_ours(current):
        # What the person added to our entry (variables, switches of the client) is kept.
        wanted = {**current, **wanted}
    action = PlanAction.ADD if current is None else PlanAction.UPDATE
    if current == wanted:
        return _plan(profile, before, PlanAction.NOTHING, before.text)
    return _plan(profile, before, action, with_entry(before, keys, wanted))


def _plan_without(profile: ClientProfile, path: Path) -> RegistrationPlan:
    before, keys = read_config(path), _keys(profile)
    current = entry_of(before, keys)
    if current is None:
        return _plan(profile, before, PlanAction.NOTHING, before.text)
    if not is_ours(current):
        note = f'The entry "{SERVER_NAME}" starts something else and stays.'
        return _plan(profile, before, PlanAction.NOTHING, before.text, note)
    return _plan(profile, before, PlanAction.REMOVE, without_entry(before, keys))


def _plan(
    profile: ClientProfile, before: ConfigText, action: PlanAction, after: str, note: str = ""
) -> RegistrationPlan:
    if not note and not profile.reads_comments and after.strip() and not jsonc.is_plain(after):
        note = COMMENTS_NOTE.format(title=profile.title)
    return RegistrationPlan(profile.name, before.path, action, before, after, _diff(before, after), note)


def _diff(before: ConfigText, after: str) -> str:
    name = str(before.path)
    lines = difflib.unified_diff(before.text.splitlines(), after.splitlines(), name, name, n=CONTEXT_LINES, lineterm="")
    return "\n".join(lines)


def _file_state(profile: ClientProfile, path: Path) -> ClientFile:
    try:
        config = read_config(path)
        entry = entry_of(config, _keys(profile))
    except ClientConfigError as error:
        return ClientFile(path, exists=True, registered=False, problem=error.message)
    ours = is_ours(entry)
    return ClientFile(path, config.content is not None, ours, command_of(entry))


def command_of(entry: object) -> ServerCommand | None:
    """The command of an entry as it stands; None when it holds none."""
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return None
    args = entry.get("args", [])
    return ServerCommand(entry["command"], tuple(str(part) for part in args) if isinstance(args, list) else ())
