"""Puts our entry into a client's configuration and takes it out again: first as a plan, then for real."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.clients import jsonc
from app.clients.config_file import (
    ConfigText,
    backups,
    replace_config,
    with_entry,
    without_entry,
)
from app.clients.entry import ServerCommand
from app.clients.machine import Machine
from app.clients.profile import ClientProfile, ConfigFormat, ConfigLocation
from app.clients.standing import Standing, standing
from app.errors import ClientConfigError

CONTEXT_LINES = 2
COMMENTS_NOTE = "The file holds comments or trailing commas; {title} may not accept them."
FOREIGN_NOTE = 'The entry "{name}" starts something else and stays.'


class PlanAction(StrEnum):
    """What applying a plan does."""

    ADD = "add"
    UPDATE = "update"
    REMOVE = "remove"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class RegistrationPlan:
    """One file's change before it is made. `note` is for the reader; `diff` is empty when nothing changes.

    `deletes`: nothing but our entry is in the file, which was made for it, so the file goes too.
    """

    client: str
    path: Path
    action: PlanAction
    before: ConfigText
    after: str
    diff: str
    note: str = ""
    deletes: bool = False


@dataclass(frozen=True, slots=True)
class AppliedChange:
    """A change that was made. `backup` is None for a file that was not there before."""

    path: Path
    action: PlanAction
    backup: Path | None


@dataclass(frozen=True, slots=True)
class ClientFile:
    """What one configuration file says about us. `problem` is why it cannot be read, empty otherwise.

    `switched_off`: the entry is there and the person has switched it off in the client.
    """

    path: Path
    exists: bool
    registered: bool
    command: ServerCommand | None = None
    problem: str = ""
    switched_off: bool = False


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
    return AppliedChange(plan.path, plan.action, replace_config(plan.before, plan.after, delete=plan.deletes))


def remove_backups(profile: ClientProfile, machine: Machine) -> int:
    """Delete the copies that were kept of a client's files; the result is how many. Raises ClientConfigError."""
    kept = [copy for location in profile.locate(machine) for copy in backups(location.path)]
    try:
        for copy in kept:
            copy.unlink(missing_ok=True)
    except OSError as error:
        raise ClientConfigError(f"A copy of the file cannot be deleted: {error}") from error
    return len(kept)


def client_state(profile: ClientProfile, machine: Machine) -> ClientState:
    """Whether the client is there and what its files say."""
    files = tuple(_file_state(profile, location.path) for location in _used(profile, machine))
    return ClientState(profile.name, profile.title, bool(files), files)


def _used(profile: ClientProfile, machine: Machine) -> tuple[ConfigLocation, ...]:
    return tuple(location for location in profile.locate(machine) if location.is_used)


def _plan_entry(profile: ClientProfile, command: ServerCommand, path: Path) -> RegistrationPlan:
    found = standing(profile, path)
    shape = found.place.shape
    ours = found.entry if found.ours and isinstance(found.entry, Mapping) else None
    wanted = shape.write(command) if ours is None else shape.repaired(ours, command)
    if found.entry == wanted:
        return _plan(profile, found, PlanAction.NOTHING, found.config.text)
    action = PlanAction.ADD if found.entry is None else PlanAction.UPDATE
    return _plan(profile, found, action, with_entry(found.config, found.keys, wanted))


def _plan_without(profile: ClientProfile, path: Path) -> RegistrationPlan:
    found = standing(profile, path)
    if found.entry is None:
        return _plan(profile, found, PlanAction.NOTHING, found.config.text)
    if not found.ours:
        note = FOREIGN_NOTE.format(name=found.name)
        return _plan(profile, found, PlanAction.NOTHING, found.config.text, note)
    rest = without_entry(found.config, found.keys)
    return _plan(profile, found, PlanAction.REMOVE, rest or "", deletes=rest is None)


def _plan(
    profile: ClientProfile, found: Standing, action: PlanAction, after: str, note: str = "", *, deletes: bool = False
) -> RegistrationPlan:
    if not note and profile.format is ConfigFormat.JSON and after.strip() and not jsonc.is_plain(after):
        note = COMMENTS_NOTE.format(title=profile.title)
    before = found.config
    return RegistrationPlan(profile.name, before.path, action, before, after, _diff(before, after), note, deletes)


def _diff(before: ConfigText, after: str) -> str:
    name = str(before.path)
    lines = difflib.unified_diff(before.text.splitlines(), after.splitlines(), name, name, n=CONTEXT_LINES, lineterm="")
    return "\n".join(lines)


def _file_state(profile: ClientProfile, path: Path) -> ClientFile:
    try:
        found = standing(profile, path)
    except ClientConfigError as error:
        return ClientFile(path, exists=True, registered=False, problem=error.message)
    off = found.ours and found.place.shape.is_off(found.entry)
    return ClientFile(path, found.config.content is not None, found.ours, found.command, switched_off=off)
