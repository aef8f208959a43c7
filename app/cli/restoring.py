"""`restore`: put a backup in the place of the corpus, while nothing uses it."""

from __future__ import annotations

import argparse
import logging
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.bridge.launch import find_instance
from app.cli.output import CommandFailedError, Failure, ProgressLine, say, say_json
from app.errors import AlreadyRunningError, CorpusBusyError, CorpusError, FileAccessError
from app.instance import Holding, hold_instance
from app.paths import corpus_file

if TYPE_CHECKING:
    from app.corpus.records import CorpusTotals, Problem

log = logging.getLogger(__name__)

SIDE_FILES: Final = ("-wal", "-shm")
SHOWN_PROBLEMS: Final = 5
LEFTOVER: Final = re.compile(r"\.restore\.[a-z0-9_]{8}\.db(?:-wal|-shm|-journal)?")


@dataclass(frozen=True, slots=True)
class Restored:
    """What is in the corpus now, and where the corpus before it is kept (empty: there was none)."""

    documents: int
    chunks: int
    kept: str


def restore(options: argparse.Namespace) -> int:
    """Check a backup and put it in place; the corpus that was there is kept beside it."""
    from app.orchestration.export import to_jsonable
    from app.server.render.text import plural
    from app.settings import load_settings

    settings = load_settings(data_dir=options.data_dir)
    running = find_instance(settings.data_dir)
    if running is not None:
        raise AlreadyRunningError(
            f"WebRAG is running (process {running.pid}) and uses the corpus.", hint="Quit it, then restore."
        )
    with hold_instance(settings.data_dir, Holding.COMMAND), ProgressLine(shown=not options.json) as line:
        line.show("Checking the backup…")
        restored = put_in_place(options.file, corpus_file(settings.data_dir))
    if options.json:
        say_json(to_jsonable(restored))
        return 0
    say(f"Restored {plural(restored.documents, 'document')} with {plural(restored.chunks, 'chunk')}.")
    if restored.kept:
        say(f"The corpus before is kept as {restored.kept}.")
    return 0


def put_in_place(backup: Path, corpus: Path) -> Restored:
    """Replace the corpus by a checked copy of the backup. Raises FileAccessError, CorpusError, CommandFailedError.

    The caller holds the instance. Whenever this is cut short, a whole corpus is in place: the old one until the last
    step, the new one after it. Raises CorpusBusyError while a program that is not WebRAG has the corpus open.
    """
    _check_file(backup, corpus)
    try:
        _clear_leftovers(corpus.parent)
        handle, name = tempfile.mkstemp(prefix=".restore.", suffix=".db", dir=corpus.parent)
        os.close(handle)
        copy = Path(name)
        try:
            shutil.copyfile(backup, copy)
            totals = _checked(copy, backup)
            _settle(corpus)
            kept = _kept(corpus)
            _flush(copy)
            for suffix in SIDE_FILES:
                _beside(corpus, suffix).unlink(missing_ok=True)
            copy.replace(corpus)
        finally:
            _remove_all((copy, *(_beside(copy, suffix) for suffix in SIDE_FILES)))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FileAccessError(f"The backup could not be put in place: {reason}.", hint="Is the disk full?") from error
    return Restored(totals.documents, totals.chunks, str(kept) if kept is not None else "")


def _clear_leftovers(folder: Path) -> None:
    """Remove the copies of restores that were killed: whoever holds the instance is the only one that restores."""
    _remove_all(path for path in folder.iterdir() if LEFTOVER.fullmatch(path.name))


def _remove_all(paths: Iterable[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _check_file(backup: Path, corpus: Path) -> None:
    """An empty file would pass for a new corpus, so it is refused here."""
    try:
        if corpus.exists() and backup.samefile(corpus):
            raise FileAccessError(f"{backup} is the corpus itself.", hint="Name a backup of it.")
        if not backup.is_file() or not backup.stat().st_size:
            raise FileAccessError(f"{backup} is no backup.", hint="Name a file that `webrag backup` wrote.")
    except OSError as error:
        raise FileAccessError(
            f"{backup} cannot be read: {error.strerror}.", hint="Name a file that `webrag backup` wrote."
        ) from error


def _checked(copy: Path, backup: Path) -> CorpusTotals:
    """The counts of a sound copy, brought up to the version of this program."""
    from app.corpus import Corpus

    try:
        corpus = Corpus.open(copy, dimension=0, model="")
        try:
            problems, totals = corpus.verify(), corpus.totals()
        finally:
            corpus.close()
    except CorpusError as error:
        message = error.message.replace(str(copy), str(backup))
        raise CorpusError(message, hint="Take another backup; nothing was changed.") from error
    if problems:
        raise CommandFailedError(_unsound(backup, problems))
    return totals


def _unsound(backup: Path, problems: list[Problem]) -> Failure:
    shown = "; ".join(f"{problem.check}: {problem.detail}" for problem in problems[:SHOWN_PROBLEMS])
    return Failure(
        CorpusError.code.value,
        CorpusError.title,
        f"{backup} is damaged, nothing was changed: {shown}",
        "Take another backup.",
    )


def _settle(corpus: Path) -> None:
    """Let the corpus stand alone, so that it stays whole when the files beside it go. A damaged one stays as it is."""
    from app.corpus.database import settle

    if not corpus.exists():
        return
    try:
        settle(corpus)
    except CorpusBusyError:
        raise
    except CorpusError as error:
        log.warning("the corpus that is replaced cannot be read: %s", error.message)


def _flush(path: Path) -> None:
    """Have the whole file on the disk before its name is the corpus's."""
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())


def _kept(corpus: Path) -> Path | None:
    """A copy of the corpus that is there; of a damaged one with its write-ahead log."""
    if not corpus.exists():
        return None
    kept = corpus.with_name(f"{corpus.stem}-before-{time.strftime('%Y%m%d-%H%M%S')}{corpus.suffix}")
    shutil.copy2(corpus, kept)
    log = _beside(corpus, SIDE_FILES[0])
    if log.exists():
        shutil.copy2(log, _beside(kept, SIDE_FILES[0]))
    return kept


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}{suffix}")
