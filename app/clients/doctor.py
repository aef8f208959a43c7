"""Tries a client's connection as the client itself would make it, and says what works and what does not."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.clients.checks import Check, ClientReport, DoctorReport, FileReport, Findings, Heard, Listener, nobody
from app.clients.judging import judge_era, judge_tools
from app.clients.memory import read_memory
from app.clients.probing import Era, Prober
from app.clients.profile import ClientProfile, Machine, ServerCommand
from app.clients.registrar import ClientState, client_state
from app.clients.standing import Standing, standing
from app.errors import ClientConfigError
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.secrets import SecretStore

__all__ = ["Check", "ClientReport", "DoctorReport", "FileReport", "Heard", "Listener", "examine"]

OWN_NAME = "webrag"
OWN_TITLE = "This installation"


def examine(
    command: ServerCommand,
    profiles: Sequence[ClientProfile],
    machine: Machine,
    *,
    data_dir: Path | None = None,
    listener: Listener = nobody,
    store: SecretStore | None = None,
) -> DoctorReport:
    """Try the command of this installation and that of every client that is there; with `data_dir` this computer too.

    `listener` is called with each check as it comes. A client without an entry is no fault unless it should have one.
    `store` are the secrets of a running application, so that the keyring is not asked once more.
    """
    from app.clients.machine_checks import check_machine

    checks = check_machine(data_dir, listener, store) if data_dir is not None else ()
    states = {profile.name: client_state(profile, machine) for profile in profiles}
    expected = _expected(states, data_dir)
    visit = _Visit(Prober(), machine, listener)
    own = ClientReport(OWN_NAME, OWN_TITLE, True, (visit.own(command, profiles[0]),))
    clients = tuple(visit.client(profile, states[profile.name], expected) for profile in profiles)
    reports = (own, *clients)
    well = all(check.ok for check in checks) and all(file.ok for report in reports for file in report.files)
    return DoctorReport(well, reports, checks)


def _expected(states: Mapping[str, ClientState], data_dir: Path | None) -> frozenset[str]:
    """The clients that should have our entry: those that had it or have it somewhere, or all while none has."""
    found = {name for name, state in states.items() if state.found}
    having = {name for name in found if any(file.command for file in states[name].files)}
    remembered = found & read_memory(data_dir).clients.keys() if data_dir is not None else set()
    return frozenset(having | remembered or found)


@dataclass(slots=True)
class _Visit:
    prober: Prober
    machine: Machine
    listener: Listener

    def own(self, command: ServerCommand, profile: ClientProfile) -> FileReport:
        """The command of this installation, as the first client would start it."""
        findings = Findings(OWN_TITLE, "", self.listener)
        self._try(findings, command, {}, profile)
        return findings.report((command.command, *command.args))

    def client(self, profile: ClientProfile, state: ClientState, expected: frozenset[str]) -> ClientReport:
        """Each file of a client."""
        files = tuple(self._file(profile, file.path, must=profile.name in expected) for file in state.files)
        return ClientReport(profile.name, profile.title, state.found, files)

    def _file(self, profile: ClientProfile, path: Path, *, must: bool) -> FileReport:
        findings = Findings(profile.title, str(path), self.listener)
        try:
            found = standing(profile, path)
        except ClientConfigError as error:
            findings.add("file", False, error.message, error.hint)
            return findings.report()
        findings.add("file", True, sentence("readable"))
        command = found.command
        if command is None and found.entry is not None:
            words = sentence('the entry "{}" has no command, so it cannot be tried here', found.name)
            hint = sentence("To replace it run: {}", _advice(profile))
            findings.add("registered", True, words, hint, skipped=True)
            return findings.report()
        if command is None:
            advice = _advice(profile)
            words, hint = sentence("no entry; run: {}", advice), sentence("Run: {}", advice)
            findings.add("registered", not must, words, hint, skipped=not must)
            return findings.report()
        words = sentence("yes") if found.ours else sentence('the entry "{}" starts another program', found.name)
        hint = sentence("If it should start this one, run: {}", _advice(profile))
        findings.add("registered", True, words, hint, skipped=not found.ours)
        self._check_switch(findings, profile, found)
        self._try(findings, command, found.place.shape.variables(found.entry), profile)
        return findings.report((command.command, *command.args))

    def _check_switch(self, findings: Findings, profile: ClientProfile, found: Standing) -> None:
        if found.place.shape.off is not None:
            off = found.place.shape.is_off(found.entry)
            hint = sentence("Switch {0} on in {1}.", found.name, profile.title)
            findings.add("switched on", not off, sentence("no") if off else sentence("yes"), hint)

    def _try(
        self, findings: Findings, command: ServerCommand, variables: Mapping[str, str], profile: ClientProfile
    ) -> None:
        environ = {**self.machine.reduced_environment(), **variables}
        program = shutil.which(command.command, path=environ.get("PATH", ""))
        missing = sentence("{} is not there or may not be run", command.command)
        hint = sentence("Run: {}", _advice(profile)) if findings.path else sentence("Reinstall the application.")
        if not findings.add("command", program is not None, program or missing, hint):
            return
        answered: list[Era] = []
        for era in self.prober.eras(command, environ):
            judge_era(findings, era, profile.limits)
            if not era.error:
                answered.append(era)
        judge_tools(findings, answered, profile.limits)


def _advice(profile: ClientProfile) -> str:
    return f"webrag register --client {profile.name}"
