"""Care commands: `storage`, `compact`, `update`, `licenses`, `delete`, `erase`, `usage`, `tools`, `diagnostics`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.calls import call_and_print, call_method
from app.cli.output import remark, say, table, tell
from app.errors import AlreadyRunningError, FileAccessError, InvalidArgumentError, NotRunningError
from app.instance import Holding, find_instance, hold_instance
from app.paths import corpus_file, log_dir
from app.secrets import SecretStore
from app.settings import Settings, load_settings

if TYPE_CHECKING:
    from app.corpus.records import DayUsage
    from app.events import ToolsChanged

MEGABYTE = 1_000_000


def storage(options: argparse.Namespace) -> None:
    """Show disk usage, one line per kind."""
    from app.engine.maintenance import Storage

    def show(found: Storage) -> str:
        use = found.use
        sizes = {
            "texts": use.texts,
            "vectors": use.vectors,
            "search indexes": use.indexes,
            "pinned passages": use.pins,
            "activity and jobs": use.records,
            "unused": use.unused,
            "write-ahead log": found.write_log,
            "log files": found.logs,
            "previous libraries": found.copies,
            "automatic backups": sum(each.bytes for each in found.backups),
            "free on the disk": found.free,
        }
        counts = f"{found.totals.documents:,} documents, {found.totals.chunks:,} passages in {found.folder}"
        shown = f"{counts}\n{table([[name, _megabytes(size)] for name, size in sizes.items()])}"
        return f"{shown}\n{compacting_text(use.reclaimable)}" if use.reclaimable else shown

    call_and_print(options, "storage", {}, Storage, show)


def compacting_text(reclaimable: int) -> str:
    """Suggest to compact the library."""
    return f"Compacting frees about {_megabytes(reclaimable)}: webrag compact"


def compact(options: argparse.Namespace) -> None:
    """Return unused space to the disk."""
    from app.corpus.records import Compacted

    def show(done: Compacted) -> str:
        gained = _megabytes(max(0, done.before - done.after))
        return f"The library uses {_megabytes(done.after)}, {gained} less than before."

    call_and_print(options, "compact", {}, Compacted, show)


def update(options: argparse.Namespace) -> None:
    """Check for a newer version without downloading it."""
    from app.engine.maintenance import UpdateCheck

    def show(found: UpdateCheck) -> str:
        if not found.is_newer:
            return f"WebRAG Desktop {found.current} is up to date."
        page = f": {found.newest.page}" if found.newest.page else ""
        return f"WebRAG Desktop {found.newest.version} is available; this is {found.current}{page}"

    call_and_print(options, "update", {}, UpdateCheck, show)


def licences(options: argparse.Namespace) -> None:
    """List the packages in this program and their licenses."""
    from app.engine.licences import packages

    found = packages(load_settings(data_dir=options.data_dir).data_dir)
    tell(found, table([[each.name, each.version, each.licence] for each in found]), as_json=options.json)


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.1f} MB"


def delete(options: argparse.Namespace) -> None:
    """Delete the pages at these addresses. Raises InvalidArgumentError if none of them is stored."""

    def show(gone: list[str]) -> str:
        return "\n".join(f"Deleted: {url}" for url in gone)

    deleted = call_and_print(options, "delete", {"urls": options.urls}, list[str], show)
    if not deleted:
        raise InvalidArgumentError(
            "None of these addresses is indexed.", hint="Run `webrag status` to list the indexed addresses."
        )
    _tell_backups(load_settings(data_dir=options.data_dir).data_dir)


def _tell_backups(data_dir: Path) -> None:
    """Say that automatic backups, if any, still contain the deleted data."""
    from app.corpus.restore import BACKUP_DAYS, automatic_backups

    try:
        backups = automatic_backups(corpus_file(data_dir))
    except FileAccessError as error:
        remark(error.message)
        return
    if backups:
        remark(
            f"Automatic backups contain deleted data for up to {BACKUP_DAYS} days."
            " To delete them, quit WebRAG and run `webrag erase backups --yes`."
        )


def erase(options: argparse.Namespace) -> None:
    """Delete the given kinds of data. Without --yes, only say what would be deleted."""
    from app.engine.erasing import Kept, erase

    kinds = [Kept(kind) for kind in dict.fromkeys(options.kinds)]
    data_dir = load_settings(data_dir=options.data_dir).data_dir
    words = ", ".join(kinds)
    if not options.yes:
        raise InvalidArgumentError(
            f"This permanently deletes: {words} ({data_dir}).", hint="Make a backup, then confirm with --yes."
        )
    running = find_instance(data_dir)
    if running is not None:
        raise AlreadyRunningError(
            f"WebRAG is running (process {running.pid}) and uses this data.",
            hint="Quit WebRAG, or delete the data in its settings.",
        )
    with hold_instance(data_dir, Holding.COMMAND):
        erase(data_dir, kinds, SecretStore())
    say(f"Deleted: {words}.")
    if Kept.LIBRARY in kinds and Kept.BACKUPS not in kinds:
        _tell_backups(data_dir)


NOTHING = "No calls are recorded for these days."


def usage(options: argparse.Namespace) -> None:
    """Show the totals, write them to a file, or erase the record."""
    if options.erase:
        call_and_print(options, "usage_erase", {}, bool, lambda _: "Erased the record of calls.")
        return
    from app.corpus.records import DayUsage

    params = {"days": options.days}
    rows, shown = call_method(options, "usage", params, list[DayUsage], usage_text)
    if options.csv is None:
        tell(rows, shown, as_json=options.json)
    else:
        from app.server.render.reports import save_csv

        save_csv(rows, options.csv)
        remark(f"Written to {options.csv}.")


def usage_text(rows: list[DayUsage]) -> str:
    """Format the totals as a table."""
    from app.server.render.reports import usage_rows

    return table(usage_rows(rows)) if rows else NOTHING


def tools(options: argparse.Namespace) -> None:
    """Show or change the tool profile of all assistants or a single one."""
    from app.events import ToolsChanged
    from app.server.control.surface import SURFACE_METHODS, choose_tools

    settings = load_settings(data_dir=options.data_dir)
    params = {"profile": options.profile, "client": options.client}
    if find_instance(settings.data_dir) is not None:
        call_and_print(options, "tools", params, ToolsChanged, lambda choice: tools_text(choice, settings))
        return
    SURFACE_METHODS["tools"].checked(params)
    choice = choose_tools(settings.data_dir, options.profile, options.client)
    tell(choice, tools_text(choice, settings), as_json=options.json)


def tools_text(choice: ToolsChanged, settings: Settings) -> str:
    """Format the tokens that each profile uses, and the current choice."""
    from app.server.tools import profile_costs

    costs = profile_costs(settings).items()
    rows = [[profile, str(cost.tools), f"about {cost.about}"] for profile, cost in costs]
    lines = [table([["profile", "tools", "tokens per conversation"], *rows]), ""]
    lines += [f"All assistants: {choice.profile}"]
    chosen = (entry.rpartition("=") for entry in choice.client_profiles)
    lines += [f"{client.strip()}: {profile.strip()}" for client, _, profile in chosen]
    return "\n".join(lines)


def diagnostics(options: argparse.Namespace) -> None:
    """Turn diagnostic logging of the running instance on or off."""
    from app.server.control.surface import DiagnosticState

    settings = load_settings(data_dir=options.data_dir)
    if find_instance(settings.data_dir) is None:
        raise NotRunningError("Diagnostic logging needs a running WebRAG, but none is running for this data directory.")

    def show(state: DiagnosticState) -> str:
        if not state.on:
            return "Diagnostic logging is off. The log does not contain arguments or results."
        return (
            f"Diagnostic logging is on for {max(1, round(state.seconds_left / 60))} more minutes. "
            f"WebRAG logs arguments and results of calls in {log_dir(settings.data_dir)}."
        )

    call_and_print(options, "diagnostics", {"state": options.state}, DiagnosticState, show)
