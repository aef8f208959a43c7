"""The commands `register`, `unregister`, `clients` and `doctor` for assistants and their configuration files."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from app.cli.output import Failure, ProgressLine, remark, say, say_json, show_failure, table, tell
from app.clients.checks import Check, CheckEvent, DoctorReport
from app.clients.doctor import examine
from app.clients.hosts import CLIENTS
from app.clients.profile import ClientProfile, Machine, is_same_program, server_command
from app.clients.registrar import (
    AppliedChange,
    ClientFile,
    PlanAction,
    RegistrationPlan,
    apply_plan,
    client_state,
    forget_client,
    plan_registration,
    plan_removal,
    remember_client,
    remove_backups,
)
from app.clients.snippets import SKILL_READERS, SNIPPETS, entry_text, own_command, plan_skill
from app.errors import ClientConfigError, InvalidArgumentError, NotRunningError
from app.instance import find_instance
from app.paths import default_data_dir

DONE = {PlanAction.ADD: "Registered in", PlanAction.UPDATE: "Updated in", PlanAction.REMOVE: "Removed from"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The plans for a client and the changes made, or the error. A dry run does not change files."""

    profile: ClientProfile
    plans: tuple[RegistrationPlan, ...] = ()
    changes: tuple[AppliedChange, ...] = ()
    error: ClientConfigError | None = None

    @property
    def changed(self) -> bool:
        return any(change.action is not PlanAction.NOTHING for change in self.changes)


def register(options: argparse.Namespace) -> int:
    """Add our entry to the configuration of the given clients, or of all installed ones."""
    machine = Machine.here()
    command = server_command(options.data_dir, machine=machine)
    outcomes = _each(
        options, machine, lambda profile: plan_registration(profile, command, machine, force=options.force)
    )
    if not options.dry_run:
        for outcome in outcomes:
            if outcome.changes:
                files = [str(change.path) for change in outcome.changes]
                remember_client(_data_dir(options), outcome.profile.name, files, at=time.time())
    return _tell(outcomes, options, nothing="Already registered in")


def unregister(options: argparse.Namespace) -> int:
    """Remove our entry."""
    machine = Machine.here()
    if options.own:
        own = server_command(options.data_dir, machine=machine)

        def plan_own_removal(profile: ClientProfile) -> tuple[RegistrationPlan, ...]:
            files = client_state(profile, machine).files
            paths = {file.path for file in files if file.command is not None and is_same_program(file.command, own)}
            return tuple(plan for plan in plan_removal(profile, machine) if plan.path in paths)

        outcomes = _each(options, machine, plan_own_removal)
        outcomes = [outcome for outcome in outcomes if outcome.plans or outcome.error]
    else:
        outcomes = _each(options, machine, lambda profile: plan_removal(profile, machine))
    if not options.dry_run:
        for outcome in outcomes:
            if outcome.changed and _data_dir(options).is_dir():
                forget_client(_data_dir(options), outcome.profile.name)
            if options.delete_copies and outcome.error is None:
                remove_backups(outcome.profile, machine)
    return _tell(outcomes, options, nothing="No WebRAG entry in")


def skill(options: argparse.Namespace) -> int:
    """Write or remove the skill of the given assistants, or of all installed ones that read skills."""
    machine, remove = Machine.here(), options.action == "remove"
    options.client = ()
    options.names = options.names or [
        profile.name for profile in CLIENTS if profile.name in SKILL_READERS and client_state(profile, machine).found
    ]
    if not options.names:
        raise InvalidArgumentError(
            "No assistant that reads skills was found.", hint=f"Name one of {', '.join(SKILL_READERS)}."
        )
    outcomes = _each(options, machine, lambda profile: (plan_skill(profile, machine, remove=remove),))
    done = {PlanAction.ADD: "Added", PlanAction.UPDATE: "Updated", PlanAction.REMOVE: "Removed"}
    return _tell(outcomes, options, nothing="Not installed:" if remove else "Already up to date:", done=done)


def clients(options: argparse.Namespace) -> None:
    """List the assistants and their state, or print the entry to paste into one."""
    if options.show:
        paste(options)
        return
    states = [client_state(profile, Machine.here()) for profile in CLIENTS]
    if options.json:
        from app.serialise import to_jsonable

        say_json([{**to_jsonable(state), "registered": state.registered} for state in states])
        return
    rows = [("ASSISTANT", "NAME", "STATE", "FILE")]
    for state in states:
        rows += [(state.title, state.name, _state_word(file), str(file.path)) for file in state.files]
        if not state.found:
            rows.append((state.title, state.name, "not found", ""))
    say(table(rows))
    for problem in (file.problem for state in states for file in state.files if file.problem):
        remark(problem)


def _data_dir(options: argparse.Namespace) -> Path:
    return options.data_dir or default_data_dir()


def _each(
    options: argparse.Namespace, machine: Machine, plan: Callable[[ClientProfile], tuple[RegistrationPlan, ...]]
) -> list[Outcome]:
    """Plan and apply the changes for each named client, or each installed one. An error affects its client only."""
    outcomes: list[Outcome] = []
    names = {*options.names, *(options.client or ())}
    chosen = [each for each in CLIENTS if (each.name in names if names else client_state(each, machine).found)]
    # If none is installed, the first one reports it.
    for profile in chosen or CLIENTS[:1]:
        plans: tuple[RegistrationPlan, ...] = ()
        changes: list[AppliedChange] = []
        try:
            plans = plan(profile)
            changes += [] if options.dry_run else [apply_plan(one) for one in plans]
            outcomes.append(Outcome(profile, plans, tuple(changes)))
        except ClientConfigError as error:
            outcomes.append(Outcome(profile, plans, tuple(changes), error))
    failed = [outcome.error for outcome in outcomes if outcome.error is not None]
    if len(failed) == len(outcomes) and failed:
        raise failed[0]
    return outcomes


def _tell(
    outcomes: Sequence[Outcome], options: argparse.Namespace, *, nothing: str, done: Mapping[PlanAction, str] = DONE
) -> int:
    if options.json:
        say_json([entry for outcome in outcomes for entry in _as_json(outcome)])
    else:
        for outcome in outcomes:
            _tell_one(outcome, nothing, done)
        if not outcomes:
            say("No assistant is set up to start this installation.")
        for text in dict.fromkeys(outcome.profile.after_change for outcome in outcomes if outcome.changed):
            say(text)
    return 1 if any(outcome.error for outcome in outcomes) else 0


def _tell_one(outcome: Outcome, nothing: str, done: Mapping[PlanAction, str]) -> None:
    if outcome.error is not None:
        show_failure(Failure.of(outcome.error))
        return
    if not outcome.plans:
        say(f"{outcome.profile.title} is not installed on this computer. Nothing was changed.")
    for plan, change in zip_longest(outcome.plans, outcome.changes):
        if plan.diff:
            say(plan.diff)
        if plan.note:
            say(f"Note: {plan.note}")
        said = done.get(plan.action, nothing)
        say(f"{'Would change' if change is None and plan.diff else said} {plan.path}.")
        if change is not None and change.backup is not None:
            say(f"Backup of the previous file: {change.backup}")


def _as_json(outcome: Outcome) -> list[dict[str, Any]]:
    if outcome.error is not None:
        return [{"client": outcome.profile.name, "error": asdict(Failure.of(outcome.error))}]
    return [
        {
            "client": plan.client,
            "path": str(plan.path),
            "action": plan.action.value,
            "applied": change is not None and change.action is not PlanAction.NOTHING,
            "backup": str(change.backup) if change is not None and change.backup is not None else None,
            "diff": plan.diff,
            "note": plan.note,
        }
        for plan, change in zip_longest(outcome.plans, outcome.changes)
    ]


def _state_word(file: ClientFile) -> str:
    if file.problem:
        return "unreadable"
    if file.registered:
        return "turned off" if file.switched_off else "registered"
    return "other entry" if file.command is not None else "not registered"


PASTE_NAMES = (*(profile.name for profile in CLIENTS), *(snippet.name for snippet in SNIPPETS))


def paste(options: argparse.Namespace) -> None:
    """Print the entry to paste on stdout, and where to paste it on stderr."""
    profile = next((profile for profile in CLIENTS if profile.name == options.show), None)
    if profile is None:
        snippet = next(snippet for snippet in SNIPPETS if snippet.name == options.show)
        if snippet.stdio is not None and not options.http:
            say(snippet.stdio(server_command(options.data_dir)).rstrip("\n"))
        elif snippet.http is not None:
            info = find_instance(_data_dir(options))
            if info is None:
                raise NotRunningError(f"WebRAG must be running to show the address for {snippet.title}.")
            say(snippet.http(info.url, info.token).rstrip("\n"))
        remark(" ".join(filter(None, (snippet.where, snippet.note))))
        return
    if options.http:
        raise InvalidArgumentError(f"{profile.title} connects by command only.", hint="Omit --http.")
    command = server_command(options.data_dir)
    say(entry_text(profile, command).rstrip("\n"))
    if profile.by_hand:
        remark(f"Or run: {own_command(profile, command)}")
    remark(profile.after_change)


def doctor(options: argparse.Namespace) -> int:
    """Check every connection and this computer. The status is 1 if a check fails."""
    machine = Machine.here()
    names = {*options.names, *(options.client or ())}
    profiles = [profile for profile in CLIENTS if not names or profile.name in names]
    with ProgressLine(shown=not options.json) as line:
        line.show("Checking the connections…")

        def heard(one: CheckEvent) -> None:
            line.show(f"{one.title}: {one.check.name} — {one.check.detail}")

        report = examine(
            server_command(options.data_dir, machine=machine),
            profiles,
            machine,
            data_dir=_data_dir(options),
            listener=heard,
        )
    tell(report, _report_text(report), as_json=options.json)
    return 0 if report.ok else 1


def _report_text(report: DoctorReport) -> str:
    parts = ["This computer", *_check_lines(report.machine), ""]
    for client in report.clients:
        for file in client.files:
            parts.append(f"{client.title}{f': {file.path}' if file.path else ''}")
            parts += [f"    {' '.join(file.command)}"] if file.command else []
            parts += [*_check_lines(file.checks), ""]
    if absent := [client.title for client in report.clients if not client.found]:
        parts += [f"Not installed: {', '.join(absent)}", ""]
    parts.append("All checks passed." if report.ok else "Some checks failed. See the lines marked with ✗.")
    return "\n".join(parts)


def _check_lines(checks: Sequence[Check]) -> list[str]:
    rows = []
    for check in checks:
        mark, words = "–" if check.skipped else "✓" if check.ok else "✗", check.detail
        if check.hint and check.hint.removeprefix("Run: ") not in words:
            words = f"{words.rstrip('.')}. {check.hint}"
        rows.append((mark, check.name, words))
    return [f"  {line}" for line in table(rows).splitlines()]
