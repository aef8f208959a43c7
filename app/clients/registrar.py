"""Add our entry to a client's configuration and remove it: first as a plan, then for real.

A small file in the data directory records which assistants were registered.
"""

from __future__ import annotations

import difflib
import functools
import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from app.clients import config_file, json_edit
from app.clients.profile import ClientProfile, ConfigFormat, ConfigLocation, Machine, ServerCommand, is_ours
from app.errors import ClientConfigError
from app.paths import replace_file
from app.text.sentence import sentence

log = logging.getLogger(__name__)

CONFIG_CHANGE_TRIES: Final = 5  # Maximum attempts to apply a change while another program keeps writing the file.

CONTEXT_LINES = 2


class PlanAction(StrEnum):
    """The effect of applying a plan."""

    ADD = "add"
    UPDATE = "update"
    REMOVE = "remove"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class RegistrationPlan:
    """A planned change of one file. `note` is for the user.

    `deletes`: the file was created for our entry and contains nothing else, so it is deleted too.
    """

    client: str
    path: Path
    action: PlanAction
    before: config_file.ConfigText
    after: str
    note: str = ""
    deletes: bool = False
    renew: Callable[[], RegistrationPlan] | None = field(default=None, repr=False, compare=False)
    """Plan again with the current file."""

    @property
    def diff(self) -> str:
        """The change as a unified diff, empty if nothing changes."""
        name, before, after = str(self.path), self.before.text.splitlines(), self.after.splitlines()
        return "\n".join(difflib.unified_diff(before, after, name, name, n=CONTEXT_LINES, lineterm=""))

    def means(self, other: RegistrationPlan) -> bool:
        """Whether another plan makes the same changes to the same lines, at any position."""
        return (self.action, self.deletes, _changed_lines(self.diff)) == (
            other.action,
            other.deletes,
            _changed_lines(other.diff),
        )


@dataclass(frozen=True, slots=True)
class AppliedChange:
    """An applied change. `backup` is None if the file did not exist before."""

    path: Path
    action: PlanAction
    backup: Path | None


@dataclass(frozen=True, slots=True)
class ClientFile:
    """Our entry in one configuration file. `problem` is the reason why it is unreadable, or empty.

    `switched_off`: the entry exists, but the user turned it off in the client.
    """

    path: Path
    exists: bool
    registered: bool
    command: ServerCommand | None = None
    problem: str = ""
    switched_off: bool = False


@dataclass(frozen=True, slots=True)
class ClientState:
    """A client on this computer. `found`: it appears to be installed."""

    name: str
    title: str
    found: bool
    files: tuple[ClientFile, ...]

    @property
    def registered(self) -> bool:
        """Whether every file of the client has our entry."""
        return bool(self.files) and all(file.registered for file in self.files)


def plan_registration(
    profile: ClientProfile, command: ServerCommand, machine: Machine, *, force: bool = False
) -> tuple[RegistrationPlan, ...]:
    """Return the changes that register a client, one plan for each of its files.

    `force` creates the first file if the client was not found. Raises ClientConfigError.
    """
    locations = _used_locations(profile, machine)
    if not locations and force:
        locations = profile.locate(machine)[:1]
    if not locations:
        looked_at = ", ".join(str(location.sign) for location in profile.locate(machine))
        raise ClientConfigError(
            sentence("{} was not found on this computer (no folder {}).", profile.title, looked_at),
            hint="Install and start it once, or run webrag register --force in a terminal.",
        )
    return tuple(renewable(functools.partial(_plan_entry, profile, command, location.path)) for location in locations)


def plan_removal(profile: ClientProfile, machine: Machine) -> tuple[RegistrationPlan, ...]:
    """Return the changes that unregister a client. Entries that start another program stay. Raises ClientConfigError."""
    return tuple(
        renewable(functools.partial(_plan_without, profile, location.path))
        for location in _used_locations(profile, machine)
    )


def apply_plan(plan: RegistrationPlan) -> AppliedChange:
    """Apply a change, even to a file that was modified since, if the same lines change. Otherwise raises ClientConfigError."""
    if plan.action is PlanAction.NOTHING:
        return AppliedChange(plan.path, plan.action, None)
    now = plan
    for left in reversed(range(CONFIG_CHANGE_TRIES)):
        try:
            return AppliedChange(
                now.path, now.action, config_file.replace_config(now.before, now.after, delete=now.deletes)
            )
        except config_file.ConfigChangedError:
            renewed = plan.renew() if plan.renew is not None and left else None
            if renewed is None or not renewed.means(plan):
                raise
            now = renewed
    raise AssertionError("the last attempt returns or raises")


def remove_backups(profile: ClientProfile, machine: Machine) -> int:
    """Delete the backups of a client's files and return their number. Raises ClientConfigError."""
    kept = [copy for location in profile.locate(machine) for copy in config_file.backups(location.path)]
    try:
        for copy in kept:
            copy.unlink(missing_ok=True)
    except OSError as error:
        raise ClientConfigError(
            sentence("Cannot delete a backup of the configuration file ({}).", error),
            hint="Check the permissions of its folder.",
        ) from error
    return len(kept)


def client_state(profile: ClientProfile, machine: Machine) -> ClientState:
    """Return whether the client is installed, and the content of its files."""
    files: list[ClientFile] = []
    for path in (location.path for location in _used_locations(profile, machine)):
        try:
            found = config_file.installed_entry(profile, path)
        except ClientConfigError as error:
            files.append(ClientFile(path, exists=True, registered=False, problem=error.message))
            continue
        off = found.ours and found.place.shape.is_off(found.entry)
        exists = found.config.content is not None
        files.append(ClientFile(path, exists, found.ours, found.command, switched_off=off))
    return ClientState(profile.name, profile.title, bool(files), tuple(files))


def _used_locations(profile: ClientProfile, machine: Machine) -> tuple[ConfigLocation, ...]:
    return tuple(location for location in profile.locate(machine) if location.is_used)


def renewable(plan: Callable[[], RegistrationPlan]) -> RegistrationPlan:
    """Return the plan with a way to plan again if the file changes."""
    return replace(plan(), renew=plan)


def _plan_entry(profile: ClientProfile, command: ServerCommand, path: Path) -> RegistrationPlan:
    found = config_file.installed_entry(profile, path)
    shape = found.place.shape
    ours = found.entry if found.ours and isinstance(found.entry, Mapping) else None
    wanted = shape.write(command) if ours is None else shape.repaired(ours, command)
    if found.entry == wanted:
        return _plan(profile, found, PlanAction.NOTHING, found.config.text)
    action = PlanAction.ADD if found.entry is None else PlanAction.UPDATE
    note: str = ""
    if ours is None and found.entry is not None:
        note = sentence(
            'The entry "{}" starts another program. WebRAG replaces it and keeps a backup of the file.', found.name
        )
    return _plan(profile, found, action, config_file.with_entry(found.config, found.keys, wanted), note)


def _plan_without(profile: ClientProfile, path: Path) -> RegistrationPlan:
    found = config_file.installed_entry(profile, path)
    if found.entry is None:
        return _plan(profile, found, PlanAction.NOTHING, found.config.text)
    if not found.ours:
        stays = sentence('The entry "{}" starts another program and is kept.', found.name)
        return _plan(profile, found, PlanAction.NOTHING, found.config.text, stays)
    shape = found.place.shape
    rest = config_file.without_entry(found.config, found.keys, lambda entry: is_ours(shape.read(entry)))
    note: str = ""
    if found.others:
        others = ", ".join(found.others)
        note = sentence("Another WebRAG entry remains: {}. Disconnect again to remove it.", others)
    return _plan(profile, found, PlanAction.REMOVE, rest or "", note, deletes=rest is None)


def _plan(
    profile: ClientProfile,
    found: config_file.InstalledEntry,
    action: PlanAction,
    after: str,
    note: str = "",
    *,
    deletes: bool = False,
) -> RegistrationPlan:
    if not note and profile.format is ConfigFormat.JSON and after.strip() and not json_edit.is_plain(after):
        note = sentence("The file contains comments or trailing commas, which {} may not accept.", profile.title)
    return RegistrationPlan(profile.name, found.config.path, action, found.config, after, note, deletes)


def _changed_lines(diff: str) -> list[str]:
    """Return the added and removed lines of a diff."""
    return [line for line in diff.splitlines()[2:] if line[:1] in {"+", "-"}]


REGISTERED_FILE: Final = "clients.json"
OWNER_ONLY: Final = 0o600


@dataclass(frozen=True, slots=True)
class Registered:
    """A registered assistant: when WebRAG last wrote its entry (Unix time, 0 if it was found), and the files that have it."""

    at: float
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RegisteredClients:
    """Registered assistants by name, and assistants to ignore even without an entry."""

    clients: Mapping[str, Registered] = field(default_factory=dict)
    left: frozenset[str] = frozenset()

    def with_client(self, client: str, registered: Registered) -> RegisteredClients:
        """Return a copy with a registered assistant."""
        return RegisteredClients({**self.clients, client: registered}, self.left - {client})


def read_registered(data_dir: Path) -> RegisteredClients:
    """Read the registered assistants. A damaged file counts as empty and is logged."""
    path = data_dir / REGISTERED_FILE
    try:
        raw: Any = json.loads(path.read_text(encoding="utf-8"))
        clients = {
            str(name): Registered(float(one["at"]), tuple(str(file) for file in one["files"]))
            for name, one in raw["clients"].items()
        }
        return RegisteredClients(clients, frozenset(str(name) for name in raw["left"]))
    except FileNotFoundError:
        return RegisteredClients()
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        log.warning("%s is not readable; starting with an empty one: %s", path, error)
        return RegisteredClients()


def write_registered(data_dir: Path, memory: RegisteredClients) -> None:
    """Write the file atomically, accessible to its owner only. Raises ClientConfigError."""
    path = data_dir / REGISTERED_FILE
    clients = {name: asdict(one) for name, one in memory.clients.items()}
    text = json.dumps({"clients": clients, "left": sorted(memory.left)}, indent=1)
    try:
        replace_file(path, text, mode=OWNER_ONLY)
    except OSError as error:
        raise ClientConfigError(
            sentence("Cannot write {} ({}).", path, error), hint="Check the permissions of the data folder."
        ) from error


def remember_client(data_dir: Path, client: str, files: Iterable[str], *, at: float) -> None:
    """Record that an assistant was registered in these files at a time. Raises ClientConfigError."""
    registered = Registered(at, tuple(sorted(files)))
    write_registered(data_dir, read_registered(data_dir).with_client(client, registered))


def forget_client(data_dir: Path, client: str) -> None:
    """Record that an assistant was unregistered or must be ignored. Raises ClientConfigError."""
    known = read_registered(data_dir)
    kept = {name: one for name, one in known.clients.items() if name != client}
    write_registered(data_dir, RegisteredClients(kept, known.left | {client}))
