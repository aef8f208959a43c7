"""Looking after the program: `storage`, `compact`, `update`, `licences`, `delete`, `erase`, `usage`, `tools`, `diagnostics`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.calls import call_and_print, call_method, print_result
from app.cli.output import remark, say, say_json, table
from app.corpus.records import DayUsage
from app.errors import AlreadyRunningError, FileAccessError, InvalidArgumentError, NotRunningError
from app.events import ToolsChanged
from app.instance import Holding, find_instance, hold_instance
from app.paths import corpus_file, log_dir
from app.settings import load_settings

if TYPE_CHECKING:
    from app.corpus.records import Compacted
    from app.engine.maintenance import Storage, UpdateCheck
    from app.settings import Settings


MEGABYTE = 1_000_000


def storage(options: argparse.Namespace) -> int:
    """Say what lies on the disk."""
    from app.engine.maintenance import Storage

    call_and_print(options, "storage", {}, Storage, lambda found, *_: storage_text(found))
    return 0


def storage_text(found: Storage) -> str:
    """One line a kind."""
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
        "copies of earlier corpora": found.copies,
        "automatic backups": sum(each.bytes for each in found.backups),
        "free on the disk": found.free,
    }
    counts = f"{found.totals.documents:,} documents, {found.totals.chunks:,} passages in {found.folder}"
    return f"{counts}\n{table([[name, _megabytes(size)] for name, size in sizes.items()])}"


def compact(options: argparse.Namespace) -> int:
    """Give unused room back to the disk."""
    from app.corpus.records import Compacted

    call_and_print(options, "compact", {}, Compacted, lambda done, *_: compacted_text(done))
    return 0


def compacted_text(done: Compacted) -> str:
    """What was won."""
    return (
        f"The library takes {_megabytes(done.after)}, {_megabytes(max(0, done.before - done.after))} less than before."
    )


def update(options: argparse.Namespace) -> int:
    """Ask whether a newer version is out; nothing is downloaded."""
    from app.engine.maintenance import UpdateCheck

    call_and_print(options, "update", {}, UpdateCheck, lambda found, *_: update_text(found))
    return 0


def update_text(found: UpdateCheck) -> str:
    """The answer in words."""
    if not found.is_newer:
        return f"WebRAG Desktop {found.current} is up to date."
    page = f": {found.newest.page}" if found.newest.page else ""
    return f"WebRAG Desktop {found.newest.version} is there, this is {found.current}{page}"


def licences(options: argparse.Namespace) -> int:
    """Name the packages this program is made with, and their licences."""
    from app.engine.licences import packages
    from app.serialise import to_jsonable

    found = packages()
    if options.json:
        say_json(to_jsonable(found))
    else:
        say(table([[each.name, each.version, each.licence] for each in found]))
    return 0


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.1f} MB"


# --- delete and erase ---


def delete(options: argparse.Namespace) -> int:
    """Forget the pages at these addresses. Raises InvalidArgumentError when none of them is stored."""
    deleted = call_and_print(options, "delete", {"urls": options.urls}, list[str], lambda gone, *_: deleted_text(gone))
    if not deleted:
        raise InvalidArgumentError(
            "Nothing is indexed at these addresses.", hint="Run `webrag status` to see the addresses."
        )
    _tell_backups(load_settings(data_dir=options.data_dir).data_dir)
    return 0


def _tell_backups(data_dir: Path) -> None:
    """Say that automatic backups still hold what was deleted, where there are any."""
    from app.corpus.restore import BACKUP_DAYS, automatic_backups

    try:
        backups = automatic_backups(corpus_file(data_dir))
    except FileAccessError as error:
        remark(error.message)
        return
    if backups:
        remark(
            f"Automatic backups keep what is deleted for up to {BACKUP_DAYS} days;"
            " `webrag erase backups --yes` deletes them, while WebRAG is not running."
        )


def deleted_text(deleted: list[str]) -> str:
    """One line a page."""
    return "\n".join(f"Deleted: {url}" for url in deleted)


def erase(options: argparse.Namespace) -> int:
    """Delete the kinds that are named; without --yes only say what that would be."""
    from app.engine.erasing import Kept, erase
    from app.secrets import SecretStore
    from app.settings import load_settings

    kinds = [Kept(kind) for kind in dict.fromkeys(options.kinds)]
    data_dir = load_settings(data_dir=options.data_dir).data_dir
    words = ", ".join(kinds)
    if not options.yes:
        raise InvalidArgumentError(
            f"This deletes for good: {words} ({data_dir}).", hint="Make a backup, then give --yes."
        )
    running = find_instance(data_dir)
    if running is not None:
        raise AlreadyRunningError(
            f"WebRAG is running (process {running.pid}) and uses them.", hint="Quit it, or delete in its settings."
        )
    with hold_instance(data_dir, Holding.COMMAND):
        erase(data_dir, kinds, SecretStore())
    say(f"Deleted: {words}.")
    if Kept.LIBRARY in kinds and Kept.BACKUPS not in kinds:
        _tell_backups(data_dir)
    return 0


# --- usage ---

NOTHING = "No calls are recorded for these days."


def usage(options: argparse.Namespace) -> int:
    """Show the sums, write them to a file, or erase the record."""
    if options.erase:
        call_and_print(options, "usage_erase", {}, bool, lambda *_: "The record of calls is erased.")
        return 0
    params = {"days": options.days}
    rows, shown = call_method(options, "usage", params, list[DayUsage], lambda rows, *_: usage_text(rows))
    if options.csv is None:
        print_result(options, rows, shown)
    else:
        from app.server.render.reports import save_csv

        save_csv(rows, options.csv)
        remark(f"Written to {options.csv}.")
    return 0


def usage_text(rows: list[DayUsage]) -> str:
    """The sums as a table."""
    from app.server.render.reports import usage_rows

    return table(usage_rows(rows)) if rows else NOTHING


# --- tools and diagnostics ---


def tools(options: argparse.Namespace) -> int:
    """Show or change the tool profile of all assistants or of one."""
    from app.server.control.surface import choose_tools

    settings = load_settings(data_dir=options.data_dir)
    if find_instance(settings.data_dir) is not None:
        params = {"profile": options.profile, "client": options.client}
        call_and_print(options, "tools", params, ToolsChanged, lambda choice, *_: tools_text(choice, settings))
        return 0
    choice = choose_tools(settings.data_dir, options.profile, options.client)
    if options.json:
        from app.serialise import to_jsonable

        say_json(to_jsonable(choice))
    else:
        say(tools_text(choice, settings))
    return 0


def tools_text(choice: ToolsChanged, settings: Settings) -> str:
    """What each profile takes of a conversation, and the choice."""
    from app.server.tools import profile_costs

    costs = profile_costs(settings).items()
    rows = [[profile, str(cost.tools), f"about {cost.about}"] for profile, cost in costs]
    lines = [table([["profile", "tools", "tokens of a conversation"], *rows]), ""]
    lines += [f"All assistants: {choice.profile}"]
    lines += [f"{client.strip()}: {profile.strip()}" for client, _, profile in map(_parts, choice.client_profiles)]
    return "\n".join(lines)


def diagnostics(options: argparse.Namespace) -> int:
    """Switch diagnostic logging of the running instance."""
    from app.server.control.surface import DiagnosticState

    settings = load_settings(data_dir=options.data_dir)
    if find_instance(settings.data_dir) is None:
        raise NotRunningError("Diagnostic logging belongs to a running WebRAG, and none runs for this data directory.")
    folder = log_dir(settings.data_dir)
    call_and_print(
        options,
        "diagnostics",
        {"state": options.state},
        DiagnosticState,
        lambda state, *_: diagnostics_text(state.on, state.seconds_left, str(folder)),
    )
    return 0


def diagnostics_text(on: bool, seconds_left: float, folder: str) -> str:
    """The state in words."""
    if not on:
        return "Diagnostic logging is off: the log holds no arguments and no text."
    minutes = max(1, round(seconds_left / 60))
    return f"Diagnostic logging is on for {minutes} more minutes. Arguments and text of calls go to {folder}."


def _parts(entry: str) -> tuple[str, str, str]:
    return entry.rpartition("=")
