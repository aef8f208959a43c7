"""The command `packages`: the documentation of exactly the versions that a project uses."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app import caps
from app.cli.calls import call_and_print
from app.cli.output import Failure, remark, show_failure, table
from app.durations import time_span
from app.errors import ErrorCode, InvalidArgumentError
from app.text.page_text import one_line

if TYPE_CHECKING:
    from app.engine.packages import AddedPackage, Download, PackageList, ScannedProject, UsedPackage

ACTIONS: Final = ("scan", "add", "list", "remove", "refresh", "symbol")


def packages(options: argparse.Namespace) -> int:
    """Run one action. The status is 1 if a package could not be added."""
    from app.engine.packages import PackageList
    from app.library.packages import Package

    if options.action == "list":
        call_and_print(options, "packages", {}, PackageList, list_text)
        return 0
    if options.action == "scan":
        return _scan(options)
    if options.action == "symbol":
        return _symbol(options)
    if options.action == "remove":
        if options.project is not None:
            show = f"Forgot {options.project}. Its packages are kept."
            known = call_and_print(
                options, "packages_forget", {"path": str(options.project)}, bool, lambda done: show if done else ""
            )
            if not known:
                raise InvalidArgumentError(
                    f"{options.project} is not a known project.", hint="List them: webrag packages list."
                )
            return 0
        if not options.names:
            raise InvalidArgumentError("`webrag packages remove` needs the names of packages.")
        call_and_print(
            options,
            "packages_remove",
            {"names": options.names},
            tuple[Package, ...],
            lambda gone: "\n".join(f"Removed {each.shown}." for each in gone),
        )
        return 0
    return _add(options)


def _symbol(options: argparse.Namespace) -> int:
    from app.library.packages import SymbolsFound
    from app.server.render.text import Budget
    from app.server.tools.docs import symbols_text

    if len(options.names) not in (1, 2):
        raise InvalidArgumentError("`webrag packages symbol` needs a name, and optionally its package.")
    room = Budget(*[caps.MAX_RESPONSE_CHARS] * 3)
    show = lambda found: symbols_text(options.names[0], found, budget=room, count=len)  # noqa: E731
    found = call_and_print(options, "packages_symbol", {"names": options.names}, SymbolsFound, show)
    return 0 if found.found else 1


def _scan(options: argparse.Namespace) -> int:
    from app.engine.packages import ScannedProject
    from app.packages.docsets import FoundDocset

    if options.docsets:

        def show(found: Sequence[FoundDocset]) -> str:
            if not found:
                return "No docsets of Dash or Zeal."
            rows = [("DOCSET", "PATH"), *((each.package.shown, one_line(each.path)) for each in found)]
            return f"{table(rows)}\nAdd one: webrag packages add --docset PATH"

        call_and_print(options, "packages_docsets", {}, tuple[FoundDocset, ...], show)
        return 0
    if len(options.names) > 1:
        raise InvalidArgumentError("`webrag packages scan` reads one folder at a time.")
    path = options.project or Path(*options.names).expanduser().absolute()
    call_and_print(
        options,
        "packages_scan",
        {"path": str(path)},
        tuple[ScannedProject, ...],
        lambda found: "\n\n".join(project_text(each, with_all=options.all) for each in found),
    )
    return 0


def _add(options: argparse.Namespace) -> int:
    from app.engine.packages import AddedPackage, Download

    params: dict[str, Any]
    if options.docset is not None or options.site is not None:
        if len(options.names) > 1 or (options.site is not None and not options.names):
            raise InvalidArgumentError(
                "`webrag packages add` needs one name with --site, and at most one with --docset."
            )
        params = {"name": options.names[0]} if options.names else {}
        if options.site is not None:
            method, params = "packages_add_site", {**params, "url": options.site}
        else:
            method, params = "packages_add_docset", {**params, "path": str(options.docset)}
        one = call_and_print(options, method, params, AddedPackage, lambda done: added_text([done]))
        if one.note and not options.json:
            remark(f"{one.package.shown}: {one.note}")
        return 0
    if options.action == "refresh":
        method, params = "packages_refresh", {}
    else:
        if not options.names and options.project is None:
            raise InvalidArgumentError(
                "`webrag packages add` needs names, or --project FOLDER for all packages that the project names itself."
            )
        params = {"names": options.names, "path": options.project and str(options.project)}
        if options.download and not options.yes:
            call_and_print(options, "packages_downloads", params, tuple[Download, ...], downloads_text)
            return 0
        method, params = "packages_add", {**params, "downloads": options.download}
    added = call_and_print(options, method, params, tuple[AddedPackage, ...], added_text)
    failed = [each for each in added if each.failure]
    if not options.json:
        for each in failed:
            show_failure(Failure(ErrorCode.INVALID_ARGUMENT.value, "", each.failure, each.hint))
        for each in added:
            if each.note:
                remark(f"{each.package.shown}: {each.note}")
    return 1 if failed else 0


def project_text(project: ScannedProject, *, with_all: bool) -> str:
    """Format a project: its packages, and the size and time for adding those that it names itself."""
    from app.server.render.text import plural

    shown = [each for each in project.packages if each.is_direct or with_all]
    rows = [("PACKAGE", "VERSION", "KIND", "DOCUMENTATION"), *((*_cells(each),) for each in shown)]
    new = [each for each in project.packages if each.is_direct and each.source and not each.is_stored]
    files = f"({', '.join(project.files)})" if project.files else ""
    direct = sum(each.is_direct for each in project.packages)
    where = f"{one_line(project.root)} {one_line(files)}".rstrip()
    lines = [f"{where}: {len(project.packages):,} packages, {direct:,} direct"]
    lines += [table(rows)] if shown else []
    lines += [f"Note: {one_line(note)}" for note in project.notes]
    if new:
        size, seconds = sum(each.disk_bytes for each in new), sum(each.seconds for each in new)
        lines.append(
            f"Adding {plural(len(new), 'package')} needs about {_megabytes(size)} and {time_span(seconds)}, without the network: "
            f"webrag packages add --project {one_line(project.root)}"
        )
    return "\n".join(lines)


def _cells(used: UsedPackage) -> tuple[str, str, str, str]:
    package = used.package
    kinds = [
        package.ecosystem,
        *(["private index"] if used.is_private else []),
        *([] if used.is_locked else ["not locked"]),
    ]
    if used.is_stored:
        state = "in the library"
    elif not used.source:
        state = "not installed"
    else:
        state = f"installed, about {_megabytes(used.disk_bytes)}" if used.disk_bytes else "installed"
    return package.name, package.version, ", ".join(kinds), state


def added_text(added: Sequence[AddedPackage]) -> str:
    """Format the added packages, one line each."""
    if not added:
        return "All packages are up to date."
    return "\n".join(
        f"{each.package.shown}: {each.pages:,} pages ({each.source})" for each in added if not each.failure
    )


def downloads_text(planned: Sequence[Download]) -> str:
    """Format the requests that a download would make, with their sizes and the time."""
    from app.server.render.text import plural

    if not planned:
        return "Nothing to download."
    rows = [("PACKAGE", "REQUEST", "HASH", "SIZE")]
    for each in planned:
        size = _megabytes(each.size) if each.size else "unknown"
        rows.append((each.package.shown, each.url, "lock file" if each.has_digest else "registry", size))
    known, seconds = sum(each.likely_size for each in planned), sum(each.seconds for each in planned)
    total = f"Download of {plural(len(planned), 'package')}: about {_megabytes(known)} in about {time_span(seconds)}."
    return f"{table(rows)}\n{total} The sites see your IP address and these names. To start, repeat the command with --yes."


def list_text(known: PackageList) -> str:
    """Format stored packages and known projects."""
    if not known.packages and not known.projects:
        return "No packages. Read a project first: `webrag packages scan FOLDER`."
    rows = [("PACKAGE", "VERSION", "KIND", "PAGES", "TEXT", "STATE")]
    for each in known.packages:
        state = "searched" if each.is_current else "only if named"
        state = state if each.is_complete else "incomplete"
        named = (each.package.name, each.package.version, each.package.ecosystem)
        rows.append((*named, f"{each.pages:,}", _megabytes(each.characters), state))
    projects = [f"{one_line(each.root)}: {each.packages:,} packages" for each in known.projects]
    return "\n".join([*([table(rows)] if known.packages else []), *projects])


def _megabytes(size: int) -> str:
    return f"{max(0.1, size / 1_000_000):,.1f} MB"
