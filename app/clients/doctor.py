"""Tries a client's connection as the client itself would make it, and says what works and what does not."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from app import caps
from app.clients.config_file import entry_of, read_config
from app.clients.profile import SERVER_NAME, ClientProfile, Machine, ServerCommand
from app.clients.registrar import client_state, command_of
from app.clients.session import MODERN_META, MODERN_VERSION, Session, SessionError
from app.errors import ClientConfigError


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried. `detail` says what was found, or what to do when it is not well."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class FileReport:
    """One configuration file and the connection that it describes. Times are milliseconds."""

    path: str
    command: tuple[str, ...]
    checks: tuple[Check, ...]
    tools: int = 0
    start_ms: float = 0.0
    list_ms: float = 0.0

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


@dataclass(frozen=True, slots=True)
class ClientReport:
    """One client: each of its files."""

    name: str
    title: str
    found: bool
    files: tuple[FileReport, ...] = ()


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """This installation's own command, then every client; `ok` when all that is there is well."""

    ok: bool
    clients: tuple[ClientReport, ...]


@dataclass(slots=True)
class _Findings:
    checks: list[Check] = field(default_factory=list)
    tools: int = 0
    start_ms: float = 0.0
    list_ms: float = 0.0

    def add(self, name: str, ok: bool, detail: str) -> bool:
        self.checks.append(Check(name, ok, detail))
        return ok


def examine(command: ServerCommand, profiles: Sequence[ClientProfile], machine: Machine) -> DoctorReport:
    """Try the command of this installation and that of every client that is there."""
    own = ClientReport("webrag", "This installation", True, (_examine_command(command, profiles[0], machine),))
    reports = (own, *(_examine_client(profile, machine) for profile in profiles))
    return DoctorReport(all(file.ok for report in reports for file in report.files), reports)


def _examine_command(command: ServerCommand, profile: ClientProfile, machine: Machine) -> FileReport:
    findings = _Findings()
    _try_command(findings, command, {}, profile, machine)
    return _report("", command, findings)


def _examine_client(profile: ClientProfile, machine: Machine) -> ClientReport:
    state = client_state(profile, machine)
    files = tuple(_examine_file(profile, file.path, machine) for file in state.files)
    return ClientReport(profile.name, profile.title, state.found, files)


def _examine_file(profile: ClientProfile, path: Path, machine: Machine) -> FileReport:
    findings = _Findings()
    command: ServerCommand | None = None
    try:
        entry = entry_of(read_config(path), (profile.key, SERVER_NAME))
    except ClientConfigError as error:
        findings.add("file", False, error.message)
        return _report(str(path), None, findings)
    findings.add("file", True, "readable")
    command = command_of(entry)
    advice = f"no entry; run: webrag register --client {profile.name}"
    if findings.add("registered", command is not None, "yes" if command is not None else advice) and command:
        variables = entry.get("env") if isinstance(entry, dict) else None
        chosen = {str(key): str(value) for key, value in variables.items()} if isinstance(variables, dict) else {}
        _try_command(findings, command, chosen, profile, machine)
    return _report(str(path), command, findings)


def _try_command(
    findings: _Findings,
    command: ServerCommand,
    variables: dict[str, str],
    profile: ClientProfile,
    machine: Machine,
) -> None:
    environ = {**machine.reduced_environment(), **variables}
    found = shutil.which(command.command, path=environ.get("PATH", ""))
    if not findings.add("command", found is not None, found or f"{command.command} is not there or may not be run"):
        return
    line = [command.command, *command.args]
    listed: list[list[Any]] = []
    for era, greet in ERAS.items():
        began = time.perf_counter()
        try:
            with Session(line, environ) as session:
                welcome = greet(session)
                start_ms = (time.perf_counter() - began) * 1000
                listed.append(_try_era(findings, era, start_ms, session, profile))
                _check_instructions(findings, era, welcome, profile)
        except SessionError as error:
            findings.add(era, False, str(error))
    if listed:
        _check_tools(findings, listed[0], profile)
    if len(listed) == len(ERAS):
        same = [json.dumps(tools, sort_keys=True) for tools in listed]
        findings.add("same tools", same[0] == same[1], "in both protocol eras")


def _try_era(findings: _Findings, era: str, start_ms: float, session: Session, profile: ClientProfile) -> list[Any]:
    began = time.perf_counter()
    tools = _listed(session, era)
    findings.list_ms = (time.perf_counter() - began) * 1000
    findings.start_ms = max(findings.start_ms, start_ms)
    in_time = start_ms <= profile.limits.start_seconds * 1000
    findings.add(era, in_time, f"answers after {start_ms:.0f} ms, {len(tools)} tools")
    status = session.close()
    findings.add(f"{era} end", status == 0, "ends with its input" if status == 0 else f"exit status {status}")
    if session.noise:
        findings.add("stdout", False, f"holds something else than messages: {session.noise[0]}")
    return tools


def _check_instructions(findings: _Findings, era: str, welcome: Mapping[str, Any], profile: ClientProfile) -> None:
    size, limit = len(str(welcome.get("instructions", "")).encode("utf-8")), profile.limits.instructions_bytes
    if size > limit:
        findings.add(f"{era} instructions", False, f"cut short: {size} bytes, {limit} are read")


def _listed(session: Session, era: str) -> list[Any]:
    meta = {"_meta": MODERN_META} if era == MODERN_VERSION else {}
    tools: list[Any] = []
    cursor: dict[str, Any] = {}
    for _ in range(caps.MAX_TOOL_LIST_PAGES):
        result = session.request("tools/list", {**meta, **cursor}, timeout=caps.DOCTOR_LIST_SECONDS)
        page = result.get("tools")
        tools += page if isinstance(page, list) else []
        if not isinstance(result.get("nextCursor"), str):
            return tools
        cursor = {"cursor": result["nextCursor"]}
    raise SessionError(f"tools/list has more than {caps.MAX_TOOL_LIST_PAGES} pages")


def _check_tools(findings: _Findings, tools: list[Any], profile: ClientProfile) -> None:
    limits = profile.limits
    findings.tools = len(tools)
    if not findings.add("tools", bool(tools), f"{len(tools)} listed"):
        return
    named = [tool if isinstance(tool, dict) else {} for tool in tools]
    names = [str(tool.get("name", "")) for tool in named]
    bad = [name for name in names if not limits.accepts(name)]
    repeated = sorted({name for name in names if names.count(name) > 1})
    wrong = _shown(bad + repeated)
    findings.add("names", not wrong, wrong or "accepted by the client")
    long = _shown(
        name
        for name, tool in zip(names, named, strict=True)
        if len(str(tool.get("description", "")).encode("utf-8")) > limits.description_bytes
    )
    findings.add("descriptions", not long, f"cut short: {long}" if long else "within the limit")
    shapeless = _shown(name for name, tool in zip(names, named, strict=True) if not _is_schema(tool))
    findings.add("schemas", not shapeless, shapeless or "objects")


def _is_schema(tool: dict[str, Any]) -> bool:
    schema = tool.get("inputSchema")
    return isinstance(schema, dict) and schema.get("type") == "object"


def _shown(names: Any) -> str:
    return ", ".join(list(names)[: caps.MAX_TOOL_NAMES_SHOWN])


def _report(path: str, command: ServerCommand | None, findings: _Findings) -> FileReport:
    line = (command.command, *command.args) if command is not None else ()
    return FileReport(path, line, tuple(findings.checks), findings.tools, findings.start_ms, findings.list_ms)


def _handshake(session: Session) -> Mapping[str, Any]:
    return session.initialize(timeout=caps.DOCTOR_START_SECONDS)


def _discover(session: Session) -> Mapping[str, Any]:
    return session.request("server/discover", {"_meta": MODERN_META}, timeout=caps.DOCTOR_START_SECONDS)


ERAS: Final[Mapping[str, Callable[[Session], Mapping[str, Any]]]] = {
    "handshake": _handshake,
    MODERN_VERSION: _discover,
}
"""The two ways to begin, by the name of their check."""
