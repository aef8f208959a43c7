"""Watch the files of registered assistants and report removed, outdated and unreadable entries."""

from __future__ import annotations

import logging
import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from app.clients import registrar
from app.clients.addresses import old_address, plan_new_address
from app.clients.config_file import InstalledEntry, installed_entry
from app.clients.profile import ClientProfile, ConfigLocation, Machine, ServerCommand, with_added_arguments
from app.errors import ClientConfigError
from app.instance import RuntimeInfo, read_runtime
from app.text.sentence import sentence

log = logging.getLogger(__name__)

GUARD_POLL_SECONDS: Final = 1.5
"""Seconds between checks of the files of registered assistants. A change counts if the next check sees it too."""
GUARD_FULL_SECONDS: Final = 30.0  # Seconds between complete checks, including new files, moved programs and processes.
MAX_GUARD_FILES: Final = 200
STOP_SECONDS: Final = 0.3  # Seconds that the exit waits for a check. A folder on a network can take longer.


class DriftKind(StrEnum):
    """The kind of problem. All except `broken` and `restart` can be repaired."""

    WIPED = "wiped"
    MISSING = "missing"  # The assistant now reads a file that it did not use before and that never had our entry.
    DRIFTED = "drifted"
    MOVED = "moved"  # An entry has an address at which WebRAG does not listen.
    BROKEN = "broken"
    RESTART = "restart"

    @property
    def repairable(self) -> bool:
        return self in {DriftKind.WIPED, DriftKind.MISSING, DriftKind.DRIFTED, DriftKind.MOVED}


@dataclass(frozen=True, slots=True)
class ConfigDrift:
    """A problem with one file of an assistant, as text for the user.

    `by_itself`: the user cannot have intended it, so WebRAG can repair it without asking if the user allowed that.
    """

    client: str
    title: str
    kind: DriftKind
    path: Path
    message: str
    hint: str
    by_itself: bool = False


def find_drift(
    profile: ClientProfile, location: ConfigLocation, command: ServerCommand, machine: Machine, *, known: bool
) -> ConfigDrift | None:
    """Return the problem of one file of a registered assistant. `known`: our entry was in it before."""
    try:
        found = installed_entry(profile, location.path)
    except ClientConfigError as error:
        return _drift_of(profile, location, DriftKind.BROKEN, error.message, error.hint)
    if found.entry is not None and found.ours:
        return _describe_difference(profile, location, found, command, machine)
    title, back = profile.title, sentence("Restore the entry. {}", profile.after_change)
    if found.entry is not None:
        words = sentence('The entry "{0}" in {1} now starts a different program.', found.name, title)
        hint = sentence("Restore the WebRAG entry, unless you changed it yourself.")
        return _drift_of(profile, location, DriftKind.WIPED, words, hint)
    if not known:
        words = sentence("{} reads a configuration file without a WebRAG entry.", title)
        add = sentence("Add the entry. {}", profile.after_change)
        return _drift_of(profile, location, DriftKind.MISSING, words, add, by_itself=True)
    words = sentence("Another program removed WebRAG from the configuration of {}.", title)
    if found.config.content is None:
        words = sentence("The configuration file of {}, which had the WebRAG entry, was deleted.", title)
    return _drift_of(profile, location, DriftKind.WIPED, words, back, by_itself=True)


def _describe_difference(
    profile: ClientProfile, location: ConfigLocation, found: InstalledEntry, command: ServerCommand, machine: Machine
) -> ConfigDrift | None:
    current = found.command
    assert current is not None
    wanted = with_added_arguments(command, current)
    program = shutil.which(current.command, path=machine.reduced_environment().get("PATH", ""))
    if program is None:
        words = sentence("{0} starts {1}, which no longer exists.", profile.title, current.command)
    elif not _same_program(program, wanted.command):
        words = sentence("{0} starts another installation of WebRAG: {1}.", profile.title, current.command)
    elif current.args != wanted.args:
        words = sentence("{} starts WebRAG with outdated options.", profile.title)
    else:
        return None
    hint = sentence("Update the entry. {}", profile.after_change)
    return _drift_of(profile, location, DriftKind.DRIFTED, words, hint, by_itself=program is None)


def find_old_address(profile: ClientProfile, location: ConfigLocation, running: RuntimeInfo) -> ConfigDrift | None:
    """Return the problem of an entry with an outdated address. Unreadable files are reported elsewhere."""
    try:
        found = old_address(profile, location.path, running)
    except ClientConfigError:
        return None
    if found is None:
        return None
    words = sentence(
        'The entry "{0}" in {1} uses the old address {2}. Another program there would receive the access token.',
        found.keys[-1],
        profile.title,
        found.address,
    )
    hint = sentence("Change it to {0}. {1}", running.url, profile.after_change)
    return _drift_of(profile, location, DriftKind.MOVED, words, hint, by_itself=True)


def restart_due(profile: ClientProfile, location: ConfigLocation) -> ConfigDrift:
    """Return the problem of an assistant that was started before its entry was written."""
    words = sentence("{} has not read its new configuration yet.", profile.title)
    return _drift_of(profile, location, DriftKind.RESTART, words, profile.after_change)


def _drift_of(
    profile: ClientProfile, location: ConfigLocation, kind: DriftKind, words: str, hint: str, *, by_itself: bool = False
) -> ConfigDrift:
    return ConfigDrift(profile.name, profile.title, kind, location.path, words, hint, by_itself)


def _same_program(first: str, second: str) -> bool:
    try:
        return Path(first).samefile(second)
    except OSError:
        return os.path.normcase(first) == os.path.normcase(second)


def running_since(profile: ClientProfile) -> float | None:
    """Return the start time of an assistant's oldest process (Unix time), or None if no process is running or visible."""
    if not profile.processes:
        return None
    import psutil

    pattern = re.compile("|".join(profile.processes), re.IGNORECASE)
    started: list[float] = []
    for pid in psutil.pids():
        try:
            process = psutil.Process(pid)
            if pattern.search(process.exe().replace("\\", "/")):
                started.append(process.create_time())
        except (psutil.Error, OSError):
            # The process has ended or is not accessible. The others still count.
            continue
    return min(started, default=None)


Signature = tuple[int, int, int] | None


class ConfigMonitor:
    """A thread that checks the entries and calls `report` with all problems whenever they change."""

    def __init__(
        self,
        command: ServerCommand,
        profiles: Sequence[ClientProfile],
        machine: Machine,
        data_dir: Path,
        report: Callable[[tuple[ConfigDrift, ...]], None],
    ) -> None:
        self._command = command
        self._profiles = {profile.name: profile for profile in profiles}
        self._machine = machine
        self._data_dir = data_dir
        self._report = report
        self._lock = threading.RLock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._read: set[tuple[str, float]] = set()
        self._reported: tuple[ConfigDrift, ...] | None = ()

    def start(self) -> None:
        """Start watching."""
        if self._thread is None:
            self._stopped.clear()
            self._thread = threading.Thread(target=self._watch, name="guardian", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop after the current check. Wait for at most STOP_SECONDS."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)
            self._thread = None

    def check_now(self) -> tuple[ConfigDrift, ...]:
        """Check everything, report changes, and return all problems."""
        return self._check(full=True)

    def remember(self, client: str) -> None:
        """Record that an assistant was just registered. Raises ClientConfigError."""
        with self._lock:
            known = registrar.read_registered(self._data_dir).clients.get(client, registrar.Registered(0.0)).files
            files = {*known, *map(str, self._files_with_entry(self._profiles[client]))}
            registrar.remember_client(self._data_dir, client, files, at=time.time())
            # Report in any case after the next check: the entry may have been removed again by then.
            self._reported = None

    def forget(self, client: str) -> None:
        """Record that an assistant was unregistered or must be ignored. Raises ClientConfigError."""
        with self._lock:
            registrar.forget_client(self._data_dir, client)

    def repair(self, drift: ConfigDrift) -> registrar.AppliedChange:
        """Write our entry to the file of a problem. Raises ClientConfigError."""
        with self._lock:
            profile = self._profiles[drift.client]
            if drift.kind is DriftKind.MOVED:
                running = self._running()
                if running is None:
                    raise ClientConfigError(
                        sentence("The MCP server of WebRAG is not running."),
                        hint="Turn it on in Settings > Server, then try again.",
                    )
                self._reported = None
                return registrar.apply_plan(plan_new_address(profile, drift.path, running))
            plans = registrar.plan_registration(profile, self._command, self._machine, force=True)
            plan = next((plan for plan in plans if plan.path == drift.path), None)
            if plan is None:
                raise ClientConfigError(
                    sentence("{} no longer reads {}.", drift.title, drift.path), hint="Connect the assistant again."
                )
            change = registrar.apply_plan(plan)
            if change.action is not registrar.PlanAction.NOTHING:
                self.remember(drift.client)
            self._reported = None
            return change

    def _running(self) -> RuntimeInfo | None:
        """The address of this process, if it listens."""
        found = read_runtime(self._data_dir)
        return found if found is not None and found.pid == os.getpid() else None

    def _check(self, *, full: bool) -> tuple[ConfigDrift, ...]:
        with self._lock:
            memory = registrar.read_registered(self._data_dir)
            if full:
                memory = self._adopt(memory)
            found: list[ConfigDrift] = []
            for name, registered in memory.clients.items():
                if (profile := self._profiles.get(name)) is not None:
                    found += self._of_client(profile, registered)
            drifts = (*found, *self._old_addresses(memory))
            if drifts != self._reported:
                self._reported = drifts
                self._report(drifts)
            return drifts

    def _old_addresses(self, memory: registrar.RegisteredClients) -> Iterator[ConfigDrift]:
        """Yield outdated addresses in all assistants, since such entries are written manually."""
        running = self._running()
        if running is None:
            return
        for name, profile in self._profiles.items():
            used = profile.locate(self._machine) if name not in memory.left else ()
            for location in used:
                if location.is_used and (drift := find_old_address(profile, location, running)) is not None:
                    yield drift

    def _of_client(self, profile: ClientProfile, registered: registrar.Registered) -> list[ConfigDrift]:
        # An assistant that is no longer installed has no problems to repair.
        used = [location for location in profile.locate(self._machine) if location.is_used]
        drifts: list[ConfigDrift] = []
        for location in used:
            known = str(location.path) in registered.files
            if (drift := find_drift(profile, location, self._command, self._machine, known=known)) is not None:
                drifts.append(drift)
        if used and not drifts and self._is_restart_due(profile, registered.at):
            drifts.append(restart_due(profile, used[0]))
        return drifts

    def _is_restart_due(self, profile: ClientProfile, written: float) -> bool:
        if not written or (profile.name, written) in self._read or not profile.processes:
            return False
        since = running_since(profile)
        if since is None or since > written:
            # The assistant is not running, or it has read the file. Processes that start later read it too.
            self._read.add((profile.name, written))
            return False
        return True

    def _adopt(self, memory: registrar.RegisteredClients) -> registrar.RegisteredClients:
        """Return the memory, extended by files that have our entry without a record of their registration."""
        new = memory
        for name, profile in self._profiles.items():
            if name in memory.left:
                continue
            known = memory.clients.get(name, registrar.Registered(0.0))
            files = {*known.files, *map(str, self._files_with_entry(profile))}
            if files != set(known.files):
                new = new.with_client(name, registrar.Registered(known.at, tuple(sorted(files))))
        if new is not memory:
            registrar.write_registered(self._data_dir, new)
        return new

    def _files_with_entry(self, profile: ClientProfile) -> list[Path]:
        """Return the files of an assistant that have our entry."""
        return [file.path for file in registrar.client_state(profile, self._machine).files if file.registered]

    def _watch(self) -> None:
        seen: dict[Path, Signature] = {}
        paths: list[Path] = []
        pending = False
        full_at = 0.0
        while True:
            full = time.monotonic() >= full_at
            if full:
                paths, full_at = self._paths(paths), time.monotonic() + GUARD_FULL_SECONDS
            now = {path: _signature(path) for path in paths}
            if full or pending:
                pending = False
                try:
                    self._check(full=full)
                except (ClientConfigError, OSError):
                    log.exception("the files of the assistants could not be checked")
            elif now != seen:
                # Check again next time: a file that is being written may be empty for a moment.
                pending = True
            seen = now
            if self._stopped.wait(GUARD_POLL_SECONDS):
                return

    def _paths(self, before: list[Path]) -> list[Path]:
        """Return the files to watch: our memory, our program and the files of all installed assistants."""
        try:
            files = [
                location.path
                for profile in self._profiles.values()
                for location in profile.locate(self._machine)
                if location.is_used
            ]
        except OSError:
            log.exception("the files of the assistants could not be listed")
            return before
        return [self._data_dir / registrar.REGISTERED_FILE, Path(self._command.command), *files][:MAX_GUARD_FILES]


def _signature(path: Path) -> Signature:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
