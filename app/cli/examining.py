"""`doctor`: every connection tried, and what must be well on this computer."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from app.cli.output import ProgressLine, say, say_json, table
from app.clients import CLIENTS, Machine, server_command
from app.clients.checks import Check, CheckEvent, DoctorReport, FileReport
from app.clients.doctor import examine
from app.paths import default_data_dir


def doctor(options: argparse.Namespace) -> int:
    """Try every connection; the status says whether all is well."""
    machine = Machine.here()
    profiles = [profile for profile in CLIENTS if not options.client or profile.name in options.client]
    with ProgressLine(shown=not options.json) as line:
        line.show("Trying the connections…")

        def heard(one: CheckEvent) -> None:
            line.show(f"{one.title}: {one.check.name} — {one.check.detail}")

        report = examine(
            server_command(options.data_dir, machine=machine),
            profiles,
            machine,
            data_dir=options.data_dir or default_data_dir(),
            listener=heard,
        )
    if options.json:
        from app.serialise import to_jsonable

        say_json(to_jsonable(report))
    else:
        say(_report_text(report))
    return 0 if report.ok else 1


def _report_text(report: DoctorReport) -> str:
    parts = ["This computer", *_check_lines(report.machine), ""]
    for client in report.clients:
        for file in client.files:
            parts += [f"{client.title}{f': {file.path}' if file.path else ''}", *_file_lines(file), ""]
    if absent := [client.title for client in report.clients if not client.found]:
        parts += [f"Not found on this machine: {', '.join(absent)}", ""]
    parts.append("All is well." if report.ok else "Something is wrong; see the lines marked with ✗.")
    return "\n".join(parts)


def _file_lines(file: FileReport) -> list[str]:
    command = [f"    {' '.join(file.command)}"] if file.command else []
    return [*command, *_check_lines(file.checks)]


def _check_lines(checks: Sequence[Check]) -> list[str]:
    lines = table([(_mark(check), check.name, _words(check)) for check in checks]).splitlines()
    return [f"  {line}" for line in lines]


def _mark(check: Check) -> str:
    if check.skipped:
        return "–"
    return "✓" if check.ok else "✗"


def _words(check: Check) -> str:
    if not check.hint or check.hint.removeprefix("Run: ") in check.detail:
        return check.detail
    return f"{check.detail.rstrip('.')}. {check.hint}"
