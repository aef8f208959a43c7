"""`storage`, `compact`, `update`, `licences`: looking after the program and what it keeps."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.cli.asking import asked
from app.cli.output import say, say_json, table

if TYPE_CHECKING:
    from app.corpus.records import Compacted
    from app.engine.maintenance import Storage, UpdateCheck

MEGABYTE = 1_000_000


def storage(options: argparse.Namespace) -> int:
    """Say what lies on the disk."""
    from app.engine.maintenance import Storage

    asked(options, "storage", {}, Storage, lambda found, *_: storage_text(found))
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
        "free on the disk": found.free,
    }
    counts = f"{found.totals.documents:,} documents, {found.totals.chunks:,} passages in {found.folder}"
    return f"{counts}\n{table([[name, _megabytes(size)] for name, size in sizes.items()])}"


def compact(options: argparse.Namespace) -> int:
    """Give unused room back to the disk."""
    from app.corpus.records import Compacted

    asked(options, "compact", {}, Compacted, lambda done, *_: compacted_text(done))
    return 0


def compacted_text(done: Compacted) -> str:
    """What was won."""
    return (
        f"The corpus takes {_megabytes(done.after)}, {_megabytes(max(0, done.before - done.after))} less than before."
    )


def update(options: argparse.Namespace) -> int:
    """Ask whether a newer version is out; nothing is downloaded."""
    from app.engine.maintenance import UpdateCheck

    asked(options, "update", {}, UpdateCheck, lambda found, *_: update_text(found))
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
