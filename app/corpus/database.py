"""The SQLite file: one writer behind a lock, readers in a queue, and errors as messages of the product.

Values are bound as single SQL parameters; section paths are stored as text.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import apsw
import numpy as np
from numpy.typing import NDArray

from app import caps
from app.corpus import migrations
from app.corpus.page_texts import add_function
from app.corpus.read_queue import ReadQueue
from app.corpus.records import FileHealth
from app.corpus.watch import UNWATCHED, Watch
from app.errors import CorpusBusyError, CorpusDamagedError, CorpusError, DiskFullError, InvalidArgumentError
from app.events import CURRENT_CALL
from app.memory import IN_BACKGROUND
from app.text.sentence import sentence

log = logging.getLogger(__name__)

IDLE_READERS: Final = 4  # Idle connections to keep open. Connections added for many readers are closed again.
DOCUMENTS_REMOVED_AT_ONCE: Final = 500  # Documents of a removed folder or package to delete per transaction.
READER_END_SECONDS: Final = 40.0  # Seconds to wait for running reads when the file is closed or reopened.
WAL_BYTES: Final = 64 * caps.MIB  # The write-ahead log is truncated to this size after a checkpoint.
READING_VFS: Final = "unix-excl" if "unix-excl" in apsw.vfs_names() else None
"""Keeps the index of the write-ahead log in memory, shared within this process; other processes are locked out."""

PAGE_BYTES = 8192
WRITER_CACHE_KIB = 32 * 1024
READER_CACHE_KIB = 8 * 1024


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Convert SQLite errors to CorpusError and CorpusBusyError; errors in WebRAG's own SQL pass unchanged."""
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise CorpusBusyError(sentence("Another program is writing to {}.", path.name)) from error
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise CorpusDamagedError(sentence("{} is damaged, or it is not a WebRAG library ({}).", path, error)) from error
    except UnicodeDecodeError as error:
        raise CorpusDamagedError(
            sentence("{} is damaged: it contains invalid text ({}).", path, error.reason)
        ) from error
    except apsw.FullError as error:
        raise _disk_full(path) from error
    except (apsw.CantOpenError, apsw.IOError, apsw.ReadOnlyError, apsw.PermissionsError, apsw.AuthError) as error:
        # A new file on a full disk is opened read-only too.
        if isinstance(error, (apsw.IOError, apsw.ReadOnlyError)) and not has_room(path):
            raise _disk_full(path) from error
        raise CorpusError(
            sentence("Cannot read or write {} ({}).", path, error), hint="Check the folder and its permissions."
        ) from error
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(
            sentence("The text contains characters that cannot be stored ({}).", error.reason)
        ) from error


def has_room(path: Path) -> bool:
    """Whether the disk of a file and the user's quota have ROOM_TO_WRITE_BYTES; True if unknown."""
    try:
        if shutil.disk_usage(path.parent).free < caps.ROOM_TO_WRITE_BYTES:
            return False
        if sys.platform == "linux":
            with tempfile.TemporaryFile(dir=path.parent) as probe:
                os.posix_fallocate(probe.fileno(), 0, caps.ROOM_TO_WRITE_BYTES)
        return True
    except OSError as error:
        return error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _disk_full(path: Path) -> DiskFullError:
    return DiskFullError(sentence("The disk of {} is full.", path))


def connect(path: Path, vfs: str | None = None) -> apsw.Connection:
    """Return a connection with the program's settings, without touching the file yet."""
    con = apsw.Connection(str(path), vfs=vfs)
    con.set_busy_timeout(caps.BUSY_TIMEOUT_MS)
    # A corpus can come from elsewhere: its schema can run harmless functions only, and nothing can overwrite the schema or the tables
    # behind the keyword index.
    con.pragma("trusted_schema", False)
    con.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    con.pragma("foreign_keys", True)
    con.pragma("temp_store", "memory")
    add_function(con)
    return con


def damage_note(path: Path) -> Path:
    """Return the file next to a corpus that records damage for the next start."""
    return path.with_name(f"{path.name}.damaged")


def _use_write_ahead_log(con: apsw.Connection) -> None:
    """Change the journal mode. SQLite does not wait for a process that does the same, so this function retries."""
    deadline = time.monotonic() + caps.BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            con.pragma("journal_mode", "wal")
            return
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


class Database:
    """Connections to one corpus file. Thread-safe; `read` and `write` must not be nested in one thread.

    Creates the file, or backs up and migrates an older one, which `watch` follows. Raises CorpusTooNewError for a newer one and CorpusError
    for anything that is not a corpus. On a full disk, opens the file read-only; the first write after space is available reopens it for
    writing. Calls `on_health`, on any thread, when `health` changes.
    """

    def __init__(self, path: Path, watch: Watch = UNWATCHED) -> None:
        self.path = path
        self._watch = watch
        log_file = path.with_name(f"{path.name}-wal")
        self.had_log = log_file.exists() and log_file.stat().st_size > 0
        """Whether the log contained unmerged changes when the file was opened: a program was killed, or is still running."""
        self.on_health: Callable[[], object] = lambda: None
        self._closed = False
        self._write_lock = threading.Lock()
        self._queue = ReadQueue(caps.READER_CONNECTIONS)
        self._idle: list[apsw.Connection] = []
        self._idle_lock = threading.Lock()
        self._used_at = self._released_at = time.monotonic()
        self._writer: apsw.Connection | None = None
        self.health = FileHealth()
        with suppress(OSError):  # damage found in an earlier run
            noted = damage_note(path).read_text(encoding="utf-8", errors="replace")
            self.health = FileHealth(noted[: caps.MAX_DETAIL_CHARS])
        with self._watched():
            try:
                self._writer = self._open_writer()
            except (apsw.FullError, apsw.IOError, apsw.CantOpenError):
                if has_room(path) or not path.exists() or not path.stat().st_size:
                    raise
                self._open_for_reading()

    @property
    def is_read_only(self) -> bool:
        """Whether the file could only be opened read-only."""
        return self._writer is None and not self._closed

    @contextmanager
    def read(self) -> Iterator[apsw.Connection]:
        """Open a reader in a transaction, so that it sees one state of the file. Keep it short."""
        is_background = IN_BACKGROUND.get()
        call = 0 if is_background else CURRENT_CALL.get()
        self._used_at = time.monotonic()
        self._queue.enter(call or -threading.get_ident(), is_background=is_background, seconds=caps.READER_WAIT_SECONDS)
        con: apsw.Connection | None = None
        try:
            with self._watched():
                with self._idle_lock:
                    con = self._idle.pop() if self._idle else None
                con = con or self._open_reader()
                con.execute("BEGIN")
                try:
                    yield con
                finally:
                    # A read error has already ended the transaction.
                    if con.in_transaction:
                        con.execute("ROLLBACK")
        finally:
            # Keep connections for readers that have a slot already, and IDLE_READERS more.
            if con is not None:
                with self._idle_lock:
                    self._idle.append(con)
            self._used_at = time.monotonic()
            self._queue.leave()
            self._close_idle(0 if self._closed else max(IDLE_READERS, self._queue.busy))

    def stop_waiting(self, call: int) -> None:
        """Cancel the queued reads of a call that has ended without a result."""
        self._queue.give_up(call)

    @contextmanager
    def write(self) -> Iterator[apsw.Connection]:
        """Open the writer in an immediate transaction: committed at the end, rolled back on any exception."""
        with self._write_lock, self._watched():
            self._used_at = time.monotonic()
            con = self._writing()
            con.execute("BEGIN IMMEDIATE")
            try:
                yield con
                con.execute("COMMIT")
            except BaseException:
                if con.in_transaction:
                    con.execute("ROLLBACK")
                raise
            if self.health.refusal:
                self._set_health(replace(self.health, refusal=""))

    def resume(self) -> bool:
        """Resume writing if the disk has space again; return whether it has. Raises CorpusError."""
        with self._write_lock, self._watched():
            if self._closed or not has_room(self.path):
                return False
            self._writing()
            self._set_health(replace(self.health, refusal=""))
            return True

    def note_damage(self, what: str) -> None:
        """Record, also for the next start, that the file is damaged; an empty text means intact again."""
        if what == self.health.damage:
            return
        note = damage_note(self.path)
        with suppress(OSError):  # on a full disk, the next check finds it again
            note.write_text(what, encoding="utf-8") if what else note.unlink(missing_ok=True)
        self._set_health(replace(self.health, damage=what))

    @contextmanager
    def inspect(self, begin: str = "BEGIN") -> Iterator[apsw.Connection]:
        """Open a separate connection for checks, in a transaction that is rolled back.

        A permanent connection would report false damage. FTS5 caches the structure of its index between transactions. Queries refresh
        this cache, checks do not (SQLite 3.54.1).
        """
        if self._closed:
            raise CorpusError(sentence("The library is closed."))
        with self._watched(), closing(connect(self.path, READING_VFS if self.is_read_only else None)) as con:
            con.execute(begin)
            yield con

    def backup(self, target: Path, watch: Watch = UNWATCHED) -> None:
        """Copy one state to `target`, which appears complete or not at all. Writers continue."""
        with self.read() as con:
            migrations.copy(con, target, watch)

    def compact(self, watch: Watch = UNWATCHED) -> None:
        """Rewrite the file without unused pages. Blocks writers, not readers; leaves the file unchanged if interrupted."""
        with self._write_lock, self._watched():
            con = self._writing()
            # Uses a temporary file, because a large library does not fit into memory.
            con.pragma("temp_store", "file")
            try:
                with watch.over(con):
                    con.execute("VACUUM")
            finally:
                con.pragma("temp_store", "memory")
            try:
                con.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                log.debug("another process reads the corpus; the file shrinks when it ends")

    def release_memory(self, idle_seconds: float) -> bool:
        """Free the page caches if the file has been idle for this long; return whether it was."""
        if self._used_at <= self._released_at or time.monotonic() - self._used_at < idle_seconds:
            return False
        self._released_at = time.monotonic()
        with self._idle_lock:
            idle, self._idle = self._idle, []
        for con in idle:
            con.release_memory()
        with self._idle_lock:
            self._idle[:0] = idle
        self._close_idle(0 if self._closed else max(IDLE_READERS, self._queue.busy))
        if self._write_lock.acquire(blocking=False):
            try:
                if self._writer is not None and not self._closed:
                    self._writer.release_memory()
            finally:
                self._write_lock.release()
        return True

    def give_up(self) -> None:
        """Close every connection and leave file and write-ahead log as they are."""
        with translated(self.path):
            if self._writer is not None:
                self._writer.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            self.close(empty_log=False)

    def close(self, *, empty_log: bool = True) -> None:
        """Merge the write-ahead log and close every connection after running calls have ended."""
        with self._write_lock:
            if self._closed:
                return
            self._closed = True
            self._queue.close()
            if not self._queue.is_left(READER_END_SECONDS):
                log.warning("closing the library during %d reads", self._queue.busy)
            self._close_idle(0)
            if self._writer is None:
                return
            with translated(self.path), closing(self._writer) as con:
                if not empty_log:
                    return
                try:
                    con.pragma("optimize")
                    con.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                except apsw.BusyError:
                    log.debug("another process uses the corpus and will merge the write-ahead log")
                except (apsw.FullError, apsw.IOError, apsw.CorruptError) as error:
                    log.warning("the write-ahead log is kept for the next start: %s", error)

    def _open_writer(self) -> apsw.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600, exist_ok=True)
        except OSError as error:
            is_missing = isinstance(error, (FileExistsError, FileNotFoundError, NotADirectoryError))
            why = error.strerror
            said = sentence("Cannot write to {} ({}).", self.path, why)
            if is_missing:
                said = sentence("Cannot create {} ({}).", self.path, why)
            hint = "Grant this user read and write access to the file and its folder, or choose another data folder."
            raise CorpusError(said, hint=hint) from error
        con = connect(self.path)
        try:
            # Leaves a refused file unchanged: closing it does not merge its write-ahead log.
            con.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(self.had_log))
            migrations.check_identity(con, self.path)
            con.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
            con.pragma("page_size", PAGE_BYTES)
            _use_write_ahead_log(con)
            con.pragma("synchronous", "normal")
            con.pragma("journal_size_limit", WAL_BYTES)
            con.pragma("cache_size", -WRITER_CACHE_KIB)
            migrations.migrate(con, self.path, watch=self._watch)
        except BaseException:
            con.close()
            raise
        return con

    def _open_reader(self) -> apsw.Connection:
        con = connect(self.path, READING_VFS if self.is_read_only else None)
        if self.is_read_only:
            con.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        con.pragma("query_only", True)
        con.pragma("cache_size", -READER_CACHE_KIB)
        return con

    def _close_idle(self, most: int) -> None:
        """Close idle connections beyond `most`, longest idle first."""
        with self._idle_lock:
            surplus, self._idle = self._idle[: max(0, len(self._idle) - most)], self._idle[-most:] if most else []
        for con in surplus:
            con.close()

    def _open_for_reading(self) -> None:
        """Open the file without a write-ahead log index on the disk, which is full."""
        if READING_VFS is None:
            raise _disk_full(self.path)
        con = self._open_reader()
        try:
            migrations.check_identity(con, self.path)
            migrations.migrate(con, self.path, watch=self._watch)
        except BaseException:
            con.close()
            raise
        self._idle.append(con)
        self._set_health(replace(self.health, refusal=_disk_full(self.path).message))
        log.warning("the disk is full: %s is open read-only", self.path)

    def _writing(self) -> apsw.Connection:
        """Return the writer. Reopens a read-only file if there is space. The caller has the lock."""
        if self._closed:
            raise CorpusError(sentence("The library is closed."))
        if self._writer is None:
            if not has_room(self.path):
                raise _disk_full(self.path)
            # Readers lock the file: close all of them, and let new ones wait.
            with self._queue.held_back():
                if not self._queue.is_left(READER_END_SECONDS):
                    raise CorpusBusyError(sentence("The library is busy with searches and cannot store anything yet."))
                self._close_idle(0)
                self._writer = self._open_writer()
                log.info("the disk has space again: %s is open for writing", self.path)
        has_moved = ctypes.c_int()
        self._writer.file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, ctypes.addressof(has_moved))
        if has_moved.value:
            # SQLite would continue to write to a file that nothing can open again.
            raise CorpusError(
                sentence("{} was deleted, moved or replaced while WebRAG used it.", self.path),
                hint="Put the file back if you moved it, then restart WebRAG.",
            )
        return self._writer

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Convert errors to messages and record what they reveal about the file."""
        try:
            with translated(self.path):
                yield
        except CorpusDamagedError as error:
            self.note_damage(self.health.damage or error.message)
            raise
        except DiskFullError as error:
            self._set_health(replace(self.health, refusal=error.message))
            raise

    def _set_health(self, health: FileHealth) -> None:
        if health != self.health:
            self.health = health
            self.on_health()


class Store:
    """A part of the corpus. Threads and errors: see `Corpus`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def _rows(self, query: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""
        with self._database.read() as con:
            return con.execute(query, values).fetchall()

    def _value(self, query: str, *values: Any) -> Any:
        """Return the first value of a query, or its first row if that has several; None without rows."""
        with self._database.read() as con:
            return con.execute(query, values).get

    def _remove_documents(self, column: str, owner: int) -> None:
        """Remove the documents of a folder or package, in several transactions."""
        some = f"DELETE FROM documents WHERE id IN (SELECT id FROM documents WHERE {column} = ? LIMIT ?)"
        removed = DOCUMENTS_REMOVED_AT_ONCE
        while removed == DOCUMENTS_REMOVED_AT_ONCE:
            with self._database.write() as con:
                con.execute(some, (owner, DOCUMENTS_REMOVED_AT_ONCE))
                removed = con.changes()


Ids = NDArray[np.int64]

SECTION_SEPARATOR: Final = " > "


def ids_of(values: Iterable[int]) -> Ids:
    """Return the values as an array to bind."""
    return np.fromiter(values, np.int64)


def distinct(ids: Ids) -> Ids:
    """Return the values, ascending, without duplicates. `np.unique` would import a large part of numpy, which takes 10 ms."""
    ordered = np.sort(ids)
    first: NDArray[np.bool_] = np.diff(ordered, prepend=ordered[:1] - 1) != 0
    return ordered[first]


def id_list(ids: Iterable[int]) -> apsw.CArrayBinding:
    """Return IDs for `carray(?)`; never an empty array, which SQLite refuses."""
    found = ids if isinstance(ids, np.ndarray) else ids_of(ids)
    return apsw.carray(np.ascontiguousarray(found if len(found) else (-1,), np.int64))


def text_list(texts: Iterable[str]) -> apsw.CArrayBinding:
    """Return addresses for `carray(?)`, which does not accept empty lists or NUL; valid addresses are never empty."""
    return apsw.carray(tuple(text for text in texts if "\0" not in text) or ("",))


def join_path(section_path: tuple[str, ...]) -> str:
    """Return the path as stored. Escapes ">" in headings, so that `split_path` restores them."""
    return SECTION_SEPARATOR.join(heading.replace("\\", "\\\\").replace(">", "\\>") for heading in section_path)


def split_path(stored: str) -> tuple[str, ...]:
    """Return the headings of a stored path."""
    if not stored:
        return ()
    return tuple(part.replace("\\>", ">").replace("\\\\", "\\") for part in stored.split(SECTION_SEPARATOR))
