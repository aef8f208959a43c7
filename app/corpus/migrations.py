"""What a corpus file is, how an older one becomes a current one, and how a copy is made."""

from __future__ import annotations

import errno
import logging
import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw

from app import caps
from app.corpus import schema, schema_2, schema_3, schema_activity, schema_flags
from app.corpus.file_header import APPLICATION_ID
from app.corpus.watch import UNWATCHED, Watch
from app.errors import CorpusError, CorpusTooNewError

log = logging.getLogger(__name__)

Migration = Callable[[apsw.Connection], None]

MIGRATIONS: Final[tuple[Migration, ...]] = (schema.create, schema_2.extend, schema_3.extend)
"""Step n brings a file from version n to n + 1, inside the caller's transaction."""


LATE_VERSION: Final = 3
LATE_PARTS: Final = (schema_activity, schema_flags)
"""Parts of this version that its early files lack."""


def check_identity(con: apsw.Connection, path: Path) -> None:
    """Raise CorpusError if the file belongs to another program; an empty file is welcome."""
    con.execute("BEGIN")
    found, tables = con.pragma("application_id"), con.execute("SELECT count(*) FROM sqlite_schema").get
    con.execute("ROLLBACK")
    if found != APPLICATION_ID and (found or tables):
        raise CorpusError(
            f"{path} is a database of another program.", hint="Choose another data directory (--data-dir)."
        )


def migrate(con: apsw.Connection, path: Path, steps: Sequence[Migration] = MIGRATIONS) -> None:
    """Run the missing steps, all or none, after a backup beside the file."""
    version = con.pragma("user_version")
    if version > len(steps):
        raise CorpusTooNewError(f"{path} has version {version}; this program knows {len(steps)}.")
    if 0 < version < len(steps):
        kept = path.with_name(f"{path.name}.v{version}.backup")
        copy(con, kept)
        log.info("corpus of version %d copied to %s before the update", version, kept)
    if version < len(steps):
        _update(con, steps)
    if len(steps) >= LATE_VERSION and any(part.is_missing(con) for part in LATE_PARTS):
        _complete(con)


def _update(con: apsw.Connection, steps: Sequence[Migration]) -> None:
    con.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have taken these steps while this one waited for the lock.
        for number in range(con.pragma("user_version") + 1, len(steps) + 1):
            steps[number - 1](con)
            con.pragma("application_id", APPLICATION_ID)
            con.pragma("user_version", number)
        con.execute("COMMIT")
    except BaseException:
        if con.in_transaction:
            con.execute("ROLLBACK")
        raise


def _complete(con: apsw.Connection) -> None:
    """Add what an early file of this version lacks."""
    con.execute("BEGIN IMMEDIATE")
    try:
        for part in LATE_PARTS:
            if part.is_missing(con):
                part.extend(con)
        con.execute("COMMIT")
    except BaseException:
        if con.in_transaction:
            con.execute("ROLLBACK")
        raise


def copy(con: apsw.Connection, target: Path, watch: Watch = UNWATCHED) -> None:
    """Copy the state that `con` sees by SQLite's online backup; `target` is replaced at once when done, or left as it is."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        os.close(handle)
        part = Path(name)
        try:
            with closing(apsw.Connection(str(part))) as copied:
                with copied.backup("main", con, "main") as work:
                    while not work.done:
                        work.step(caps.PAGES_COPIED_AT_ONCE)
                        watch.at(1 - work.remaining / max(1, work.page_count))
                copied.pragma("journal_mode", "delete")
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except apsw.FullError as error:
        raise _disk_full(target) from error
    except (OSError, apsw.CantOpenError, apsw.IOError) as error:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            raise _disk_full(target) from error
        raise CorpusError(f"No copy could be written to {target} ({error}).", hint="Choose another place.") from error


def _disk_full(target: Path) -> CorpusError:
    """SQLite's own words for it, out of a backup, are "not an error"."""
    return CorpusError(
        f"No copy could be written to {target}: the disk is full.", hint="Free some space or choose another place."
    )
