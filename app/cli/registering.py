"""`register`, `unregister`, `clients`, `doctor`: the assistants of this machine."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from app.cli.output import ProgressLine, say, say_json, table
from app.clients import (
    CLIENTS,
    AppliedChange,
    ClientProfile,
    ClientState,
    Machine,
    PlanAction,
    RegistrationPlan,
    apply_plan,
    client_state,
    plan_registration,
    plan_removal,
    server_command,
)
from app.clients.doctor import ClientReport, DoctorReport, FileReport, examine

DONE = {
    PlanAction.ADD: "Registered in",
    PlanAction.UPDATE: "Updated in",
    PlanAction.REMOVE: "Removed from",
    PlanAction.NOTHING: "Nothing to do in",
}


def register(options: argparse.Namespace) -> int:
    """Put our entry into the configuration of one client or of all that are there."""
    machine = Machine.here()
    command = server_command(options.data_dir, machine=machine)
    profiles = _chosen(options.client, machine)
    plans = [plan for profile in profiles for plan in plan_registration(profile, command, machine, force=options.force)]
    return _carry_out(plans, options)


def unregister(options: argparse.Namespace) -> int:
    """Take our entry out again."""
    machine = Machine.here()
    plans = [plan for profile in _chosen(options.client, machine) for plan in plan_removal(profile, machine)]
    return _carry_out(plans, options)


def clients(options: argparse.Namespace) -> int:
    """Which assistants are there and which of them know us."""
    states = [client_state(profile, Machine.here()) for profile in CLIENTS]
    if options.json:
        from app.orchestration.export import to_jsonable

        say_json([{**to_jsonable(state), "registered": state.registered} for state in states])
        return 0
    rows = [("CLIENT", "STATE", "FILE")]
    for state in states:
        rows += [(state.title, _state_word(state, index), str(file.path)) for index, file in enumerate(state.files)]
        if not state.found:
            rows.append((state.title, "not found", ""))
    say(table(rows))
    return 0


def doctor(options: argparse.Namespace) -> int:
    """Try every connection; the status says whether all is well."""
    machine = Machine.here()
    with ProgressLine(shown=not options.json) as line:
        line.show("Trying the connections…")
        report = examine(server_command(options.data_dir, machine=machine), CLIENTS, machine)
    if options.json:
        from app.orchestration.export import to_jsonable

        say_json(to_jsonable(report))
    else:
        say(_report_text(report))
    return 0 if report.ok else 1


def _chosen(name: str | None, machine: Machine) -> Sequence[ClientProfile]:
    """The client of that name, or all that are there; where none is, the first, which then says so."""
    if name is not None:
        return [profile for profile in CLIENTS if profile.name == name]
    found = [profile for profile in CLIENTS if client_state(profile, machine).found]
    return found or CLIENTS[:1]


def _carry_out(plans: Sequence[RegistrationPlan], options: argparse.Namespace) -> int:
    changes = [None if options.dry_run else apply_plan(plan) for plan in plans]
    if options.json:
        say_json([_plan_json(plan, change) for plan, change in zip(plans, changes, strict=True)])
        return 0
    for plan, change in zip(plans, changes, strict=True):
        if plan.diff:
            say(plan.diff)
        if plan.note:
            say(f"Note: {plan.note}")
        say(f"{'Would change' if change is None and plan.diff else DONE[plan.action]} {plan.path}.")
        if change is not None and change.backup is not None:
            say(f"The file as it was: {change.backup}")
    if any(change is not None and change.action is not PlanAction.NOTHING for change in changes):
        advice = {profile.after_change for profile in CLIENTS for plan in plans if plan.client == profile.name}
        for text in sorted(filter(None, advice)):
            say(text)
    return 0


def _plan_json(plan: RegistrationPlan, change: AppliedChange | None) -> dict[str, Any]:
    return {
        "client": plan.client,
        "path": str(plan.path),
        "action": plan.action.value,
        "applied": change is not None and change.action is not PlanAction.NOTHING,
        "backup": str(change.backup) if change is not None and change.backup is not None else None,
        "diff": plan.diff,
        "note": plan.note,
    }


def _state_word(state: ClientState, index: int) -> str:
    file = state.files[index]
    if file.problem:
        return "unreadable"
    if file.registered:
        return "registered"
    return "other entry" if file.command is not None else "not registered"


def _report_text(report: DoctorReport) -> str:
    parts: list[str] = []
    for client in report.clients:
        parts += _client_lines(client)
    parts.append("All is well." if report.ok else "Something is wrong; see the lines marked with ✗.")
    return "\n".join(parts)


def _client_lines(client: ClientReport) -> list[str]:
    if not client.found:
        return [f"{client.title}: not found on this machine", ""]
    lines: list[str] = []
    for file in client.files:
        lines.append(f"{client.title}{f': {file.path}' if file.path else ''}")
        lines += _file_lines(file)
        lines.append("")
    return lines


def _file_lines(file: FileReport) -> list[str]:
    rows = [("  ✓" if check.ok else "  ✗", check.name, check.detail) for check in file.checks]
    command = [f"    {' '.join(file.command)}"] if file.command else []
    return [*command, table(rows)]
