"""Watches the files of registered assistants and says when an entry is wiped, out of date or unreadable."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from app import caps
from app.clients.findings import Finding, look, restart_due
from app.clients.hosts_running import running_since
from app.clients.machine import Machine
from app.clients.memory import (
    MEMORY_FILE,
    Memory,
    Registered,
    forget_client,
    read_memory,
    remember_client,
    write_memory,
)
from app.clients.profile import ClientProfile, ConfigLocation, ServerCommand
from app.clients.registrar import AppliedChange, PlanAction, apply_plan, client_state, plan_registration
from app.errors import ClientConfigError

log = logging.getLogger(__name__)

Signature = tuple[int, int, int] | None


class Guardian:
    """Looks in a thread of its own. `report` is called there, with all findings, whenever they change."""

    def __init__(
        self,
        command: ServerCommand,
        profiles: Sequence[ClientProfile],
        machine: Machine,
        data_dir: Path,
        report: Callable[[tuple[Finding, ...]], None],
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
        self._said: tuple[Finding, ...] | None = ()

    def start(self) -> None:
        """Begin to watch."""
        if self._thread is None:
            self._stopped.clear()
            self._thread = threading.Thread(target=self._watch, name="guardian", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End; waits for a look that is under way."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def check_now(self) -> tuple[Finding, ...]:
        """Look at everything; the result is also reported when it differs from what was said before."""
        return self._check(full=True)

    def remember(self, client: str) -> None:
        """An assistant was registered just now. Raises ClientConfigError."""
        with self._lock:
            known = read_memory(self._data_dir).clients.get(client, Registered(0.0)).files
            files = {*known, *map(str, self._registered(self._profiles[client]))}
            remember_client(self._data_dir, client, files, at=time.time())
            # What the next look finds is told in any case: the entry may have been wiped again by then.
            self._said = None

    def forget(self, client: str) -> None:
        """An assistant was unregistered, or is to be left alone. Raises ClientConfigError."""
        with self._lock:
            forget_client(self._data_dir, client)

    def repair(self, finding: Finding) -> AppliedChange:
        """Put our entry into the file of a finding. Raises ClientConfigError."""
        with self._lock:
            profile = self._profiles[finding.client]
            plans = plan_registration(profile, self._command, self._machine, force=True)
            plan = next((plan for plan in plans if plan.path == finding.path), None)
            if plan is None:
                raise ClientConfigError(f"{finding.title} does not read {finding.path} any more.")
            change = apply_plan(plan)
            if change.action is not PlanAction.NOTHING:
                self.remember(finding.client)
            self._said = None
            return change

    def _check(self, *, full: bool) -> tuple[Finding, ...]:
        with self._lock:
            findings = self._findings(full=full)
            if findings != self._said:
                self._said = findings
                self._report(findings)
            return findings

    def _findings(self, *, full: bool) -> tuple[Finding, ...]:
        memory = read_memory(self._data_dir)
        if full:
            memory = self._adopted(memory)
        findings: list[Finding] = []
        for name, registered in memory.clients.items():
            if (profile := self._profiles.get(name)) is not None:
                findings += self._of_client(profile, registered)
        return tuple(findings)

    def _of_client(self, profile: ClientProfile, registered: Registered) -> list[Finding]:
        # An assistant that was removed from the machine has nothing that could be put right.
        used = [location for location in profile.locate(self._machine) if location.is_used]
        looked = (self._of_file(profile, location, registered) for location in used)
        findings = [finding for finding in looked if finding is not None]
        if used and not findings and self._is_restart_due(profile, registered.at):
            findings.append(restart_due(profile, used[0]))
        return findings

    def _of_file(self, profile: ClientProfile, location: ConfigLocation, registered: Registered) -> Finding | None:
        known = str(location.path) in registered.files
        return look(profile, location, self._command, self._machine, known=known)

    def _is_restart_due(self, profile: ClientProfile, written: float) -> bool:
        if not written or (profile.name, written) in self._read or not profile.processes:
            return False
        since = running_since(profile)
        if since is None or since > written:
            # It is not running, or has read the file: whatever starts from now on reads it too.
            self._read.add((profile.name, written))
            return False
        return True

    def _adopted(self, memory: Memory) -> Memory:
        """With the files that have our entry although nobody remembers to have put it there."""
        new = memory
        for name, profile in self._profiles.items():
            if name in memory.left:
                continue
            known = memory.clients.get(name, Registered(0.0))
            files = {*known.files, *map(str, self._registered(profile))}
            if files != set(known.files):
                new = new.with_client(name, Registered(known.at, tuple(sorted(files))))
        if new is not memory:
            write_memory(self._data_dir, new)
        return new

    def _registered(self, profile: ClientProfile) -> list[Path]:
        """The files of an assistant that have our entry."""
        return [file.path for file in client_state(profile, self._machine).files if file.registered]

    def _watch(self) -> None:
        seen: dict[Path, Signature] = {}
        paths: list[Path] = []
        pending = False
        full_at = 0.0
        while True:
            full = time.monotonic() >= full_at
            if full:
                paths, full_at = self._paths(paths), time.monotonic() + caps.GUARD_FULL_SECONDS
            now = {path: _signature(path) for path in paths}
            if full or pending:
                pending = False
                self._look(full=full)
            elif now != seen:
                # Looked at the next time: a file that is being written may be empty for a moment.
                pending = True
            seen = now
            if self._stopped.wait(caps.GUARD_POLL_SECONDS):
                return

    def _look(self, *, full: bool) -> None:
        try:
            self._check(full=full)
        except (ClientConfigError, OSError):
            log.exception("the files of the assistants could not be looked at")

    def _paths(self, before: list[Path]) -> list[Path]:
        """What tells of a change: the files of all assistants that are there, our memory and our program."""
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
        return [self._data_dir / MEMORY_FILE, Path(self._command.command), *files][: caps.MAX_GUARD_FILES]


def _signature(path: Path) -> Signature:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
