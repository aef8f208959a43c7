"""Test a client's connection in the same way as the client, and report what works."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app import caps
from app.client_limits import ClientLimits
from app.clients.checks import CheckList, ClientReport, DoctorReport, FileReport, Listener, check_machine, ignore
from app.clients.config_file import installed_entry
from app.clients.probe import ERAS, Era, Prober
from app.clients.profile import ClientProfile, Machine, ServerCommand
from app.clients.registrar import ClientState, client_state, read_registered
from app.errors import ClientConfigError
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.secrets import SecretStore

MAX_TOOL_NAMES_SHOWN: Final = 5

OWN_NAME = "webrag"
OWN_TITLE = "This installation"


def examine(
    command: ServerCommand,
    profiles: Sequence[ClientProfile],
    machine: Machine,
    *,
    data_dir: Path | None = None,
    listener: Listener = ignore,
    store: SecretStore | None = None,
) -> DoctorReport:
    """Test the command of this installation and the entries of all installed clients, and check this computer if `data_dir` is given.

    Calls `listener` immediately for each check. A missing entry is a failure only for clients that should have one. `store` contains the
    secrets of a running application, which saves another access to the keyring.
    """
    checks = check_machine(data_dir, listener, store) if data_dir is not None else ()
    states = {profile.name: client_state(profile, machine) for profile in profiles}
    # A client should have our entry if one of its files has it or had it. Without such clients, all installed ones should.
    found = {name for name, state in states.items() if state.found}
    having = {name for name in found if any(file.command for file in states[name].files)}
    remembered = found & read_registered(data_dir).clients.keys() if data_dir is not None else set()
    expected = frozenset(having | remembered or found)
    visit = _Examination(Prober(), machine, listener)
    own = ClientReport(OWN_NAME, OWN_TITLE, True, (visit.own(command, profiles[0]),))
    clients = tuple(visit.client(profile, states[profile.name], expected) for profile in profiles)
    reports = (own, *clients)
    well = all(check.ok for check in checks) and all(file.ok for report in reports for file in report.files)
    return DoctorReport(well, reports, checks)


@dataclass(slots=True)
class _Examination:
    prober: Prober
    machine: Machine
    listener: Listener

    def own(self, command: ServerCommand, profile: ClientProfile) -> FileReport:
        """Test the command of this installation as the first client would start it."""
        findings = CheckList(OWN_TITLE, "", self.listener)
        self._try(findings, command, {}, profile)
        return findings.report((command.command, *command.args))

    def client(self, profile: ClientProfile, state: ClientState, expected: frozenset[str]) -> ClientReport:
        """Test every file of a client."""
        files = tuple(self._file(profile, file.path, must=profile.name in expected) for file in state.files)
        return ClientReport(profile.name, profile.title, state.found, files)

    def _file(self, profile: ClientProfile, path: Path, *, must: bool) -> FileReport:
        findings = CheckList(profile.title, str(path), self.listener)
        try:
            found = installed_entry(profile, path)
        except ClientConfigError as error:
            findings.add("file", False, error.message, error.hint)
            return findings.report()
        findings.add("file", True, sentence("readable"))
        command = found.command
        if command is None and found.entry is not None:
            words = sentence('the entry "{}" has no command and cannot be tested', found.name)
            hint = sentence("To replace it, run: {}", _advice(profile))
            findings.add("registered", True, words, hint, skipped=True)
            return findings.report()
        if command is None:
            advice = _advice(profile)
            words, hint = sentence("no entry; run: {}", advice), sentence("Run: {}", advice)
            findings.add("registered", not must, words, hint, skipped=not must)
            return findings.report()
        words = sentence("yes") if found.ours else sentence('the entry "{}" starts another program', found.name)
        hint = sentence("If it should start WebRAG, run: {}", _advice(profile))
        findings.add("registered", True, words, hint, skipped=not found.ours)
        if found.place.shape.off:
            off = found.place.shape.is_off(found.entry)
            hint = sentence("Turn on {0} in {1}.", found.name, profile.title)
            findings.add("turned on", not off, sentence("no") if off else sentence("yes"), hint)
        if profile.only_where:
            findings.add("folders", True, profile.only_where, skipped=True)
        self._try(findings, command, found.place.shape.variables(found.entry), profile)
        return findings.report((command.command, *command.args))

    def _try(
        self, findings: CheckList, command: ServerCommand, variables: Mapping[str, str], profile: ClientProfile
    ) -> None:
        environ = {**self.machine.reduced_environment(), **variables}
        program = shutil.which(command.command, path=environ.get("PATH", ""))
        missing = sentence("{} does not exist or is not executable", command.command)
        hint = sentence("Run: {}", _advice(profile)) if findings.path else sentence("Reinstall the application.")
        if not findings.add("command", program is not None, program or missing, hint):
            return
        answered: list[Era] = []
        for era in self.prober.eras(command, environ):
            check_era(findings, era, profile.limits)
            if not era.error:
                answered.append(era)
        check_tools(findings, answered, profile.limits)


def _advice(profile: ClientProfile) -> str:
    return f"webrag register --client {profile.name}"


REPORT_IT: Final = sentence("Report this problem with the output of: webrag doctor --json")


def check_era(findings: CheckList, era: Era, limits: ClientLimits) -> None:
    """Check that the server responds in time, writes only messages, and exits at the end of its input."""
    if era.error:
        hint = sentence(
            "Run the command in a terminal to see its output. If the program was moved, connect the assistant again."
        )
        findings.add(era.name, False, era.error, hint)
        return
    findings.start_ms = max(findings.start_ms, era.start_ms)
    findings.list_ms = era.list_ms
    in_time = era.start_ms <= limits.start_seconds * 1000
    slow = sentence(
        "The assistant waits only {} s. Keep WebRAG running, or start it at login.", f"{limits.start_seconds:.0f}"
    )
    found = sentence("responds after {0} ms, {1} tools", f"{era.start_ms:.0f}", len(era.tools))
    findings.add(era.name, in_time, found, slow)
    late = sentence("still running {} s after the end of its input; killed", f"{caps.CLIENT_EXIT_SECONDS:.0f}")
    ends = {0: sentence("exits at the end of its input"), None: late}.get(
        era.status, sentence("exit status {}", era.status)
    )
    findings.add(f"{era.name} end", era.status == 0, ends, REPORT_IT)
    if era.noise:
        findings.add("stdout", False, sentence("contains text that is not a message: {}", era.noise), REPORT_IT)
    size, limit = len(era.instructions.encode("utf-8")), limits.instructions_bytes
    if size > limit:
        words = sentence("{0} bytes; the assistant only reads {1}", size, limit)
        findings.add(f"{era.name} instructions", False, words, REPORT_IT)


def check_tools(findings: CheckList, answered: list[Era], limits: ClientLimits) -> None:
    """Check that the client accepts every tool and gets the same ones in both eras."""
    if answered:
        _check_list(findings, answered[0].tools, limits)
    if len(answered) == len(ERAS):
        first, second = (json.dumps(era.tools, sort_keys=True) for era in answered)
        findings.add("same tools", first == second, sentence("in both protocol versions"), REPORT_IT)


def _check_list(findings: CheckList, tools: tuple[Any, ...], limits: ClientLimits) -> None:
    findings.tools = len(tools)
    hint = sentence("Choose a tool profile in Settings > Tools.")
    if not findings.add("tools", bool(tools), sentence("{} available", len(tools)), hint):
        return
    listed = [tool if isinstance(tool, dict) else {} for tool in tools]
    names = [str(tool.get("name", "")) for tool in listed]
    repeated = sorted({name for name in names if names.count(name) > 1})
    wrong = _join_names([*(name for name in names if not limits.accepts(name)), *repeated])
    style = sentence("Run in a terminal: webrag settings mcp_tool_name_style underscore") if "." in wrong else REPORT_IT
    findings.add("names", not wrong, wrong or sentence("accepted by the assistant"), style)
    sizes = [len(str(tool.get("description", "")).encode("utf-8")) for tool in listed]
    long = _join_names(name for name, size in zip(names, sizes, strict=True) if size > limits.description_bytes)
    arrived = sentence("too long for the assistant: {}", long) if long else sentence("within the limit")
    findings.add("descriptions", not long, arrived, REPORT_IT)
    schemas = [tool.get("inputSchema") for tool in listed]
    kinds = [schema.get("type") if isinstance(schema, dict) else None for schema in schemas]
    shapeless = _join_names(name for name, kind in zip(names, kinds, strict=True) if kind != "object")
    findings.add("schemas", not shapeless, shapeless or sentence("objects"), REPORT_IT)


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(list(names)[:MAX_TOOL_NAMES_SHOWN])
