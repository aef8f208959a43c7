"""The SQLite file: one writer behind a lock, readers that take turns, every failure in words of the product.

Values are bound as single SQL parameters; section paths are stored as text.
"""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import apsw
import numpy as np
import sqlite_vec
from numpy.typing import NDArray

from app import caps
from app.corpus import migrations
from app.corpus.read_queue import ReadQueue
from app.corpus.records import FileHealth
from app.corpus.watch import UNWATCHED, Watch
from app.errors import (
    CorpusBusyError,
    CorpusDamagedError,
    CorpusError,
    DiskFullError,
    InvalidArgumentError,
)
from app.events import CURRENT_CALL
from app.memory import IN_BACKGROUND
from app.text.sentence import sentence

log = logging.getLogger(__name__)

IDLE_READERS: Final = 4
"""Connections that stay open while nobody reads; those that many readers at once needed beside them are closed again."""
READER_END_SECONDS: Final = 40.0
"""Readings under way are waited for so long when the file is closed or opened anew."""
WAL_BYTES: Final = 64 * caps.MIB
"""The write-ahead log is cut back to this after a checkpoint."""

READING_VFS: Final = "unix-excl" if "unix-excl" in apsw.vfs_names() else None
"""Keeps the index of the write-ahead log in memory, shared by the connections of this process; others are kept out."""

PAGE_BYTES = 8192
WRITER_CACHE_KIB = 32 * 1024
READER_CACHE_KIB = 8 * 1024


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's failures into CorpusError and CorpusBusyError; a fault in our own SQL stays as it is."""
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise CorpusBusyError(sentence("Another program is writing to {}.", path.name)) from error
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise CorpusDamagedError(sentence("{} is damaged or is not a library ({}).", path, error)) from error
    except UnicodeDecodeError as error:
        raise CorpusDamagedError(sentence("{} is damaged: a text in it is none ({}).", path, error.reason)) from error
    except apsw.FullError as error:
        raise _disk_full(path) from error
    except (
        apsw.CantOpenError,
        apsw.IOError,
        apsw.ReadOnlyError,
        apsw.PermissionsError,
        apsw.AuthError,
    ) as error:
        if isinstance(error, apsw.IOError) and not has_room(path, caps.KIB):
            raise _disk_full(path) from error
        raise CorpusError(
            sentence("{} cannot be read or written ({}).", path, error), hint="Check the folder and its permissions."
        ) from error
    except apsw.ExtensionLoadingError as error:
        raise CorpusError(
            sentence("sqlite-vec cannot be loaded ({}).", error), hint="Reinstall the application."
        ) from error
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(
            sentence("The text holds characters that cannot be stored ({}).", error.reason)
        ) from error


def has_room(path: Path, wanted: int = caps.ROOM_TO_WRITE_BYTES) -> bool:
    """Whether the disk of a file has so many bytes left; True where that cannot be said."""
    try:
        return shutil.disk_usage(path.parent).free >= wanted
    except OSError:
        return True


def _disk_full(path: Path) -> DiskFullError:
    return DiskFullError(sentence("The disk that holds {} is full.", path))


def connect(path: Path, vfs: str | None = None) -> apsw.Connection:
    """A connection with sqlite-vec's functions; it does not touch the file yet."""
    con = apsw.Connection(str(path), vfs=vfs)
    con.set_busy_timeout(caps.BUSY_TIMEOUT_MS)
    con.enable_load_extension(True)
    con.load_extension(sqlite_vec.loadable_path())
    con.enable_load_extension(False)
    # A corpus may come from elsewhere: what its schema says runs nothing but harmless functions, and nothing
    # overwrites the tables behind the keyword index or the schema itself.
    con.pragma("trusted_schema", False)
    con.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    con.pragma("foreign_keys", True)
    con.pragma("temp_store", "memory")
    return con


def damage_note(path: Path) -> Path:
    """The file beside a corpus that says that damage was found, so that the next start knows."""
    return path.with_name(f"{path.name}.damaged")


def _use_write_ahead_log(con: apsw.Connection) -> None:
    """Change the journal; SQLite does not wait for a process that is doing the same, so this does."""
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

    Creates the file, or brings an older one up to date after a backup. Raises CorpusTooNewError for a newer
    one and CorpusError for anything that is not a corpus. On a full disk the file is opened for reading only; the first
    write after room was made opens it for writing. `on_health` is called, on any thread, when `health` has changed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        log_file = path.with_name(f"{path.name}-wal")
        self.had_log = log_file.exists() and log_file.stat().st_size > 0
        """Whether what was written last had not come into the file when it was opened: a program was killed, or still runs."""
        self.on_health: Callable[[], object] = lambda: None
        self._closed = False
        self._write_lock = threading.Lock()
        self._queue = ReadQueue(caps.READER_CONNECTIONS)
        self._idle: list[apsw.Connection] = []
        self._idle_lock = threading.Lock()
        self._used_at = self._released_at = time.monotonic()
        self._writer: apsw.Connection | None = None
        self.health = FileHealth()
        with suppress(OSError):  # what an earlier run found damaged
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
        """Whether the file could be opened for reading only."""
        return self._writer is None and not self._closed

    @contextmanager
    def read(self) -> Iterator[apsw.Connection]:
        """A reader inside a transaction: all that is read is one state of the file. Keep it short."""
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
                    # A failure to read ends the transaction by itself.
                    if con.in_transaction:
                        con.execute("ROLLBACK")
        finally:
            # Connections stay for those who have a turn already, and IDLE_READERS beside.
            if con is not None:
                with self._idle_lock:
                    self._idle.append(con)
            self._used_at = time.monotonic()
            self._queue.leave()
            self._close_idle(0 if self._closed else max(IDLE_READERS, self._queue.busy))

    def stop_waiting(self, call: int) -> None:
        """A call has ended without its result: what of it still waits to read does not read any more."""
        self._queue.give_up(call)

    @contextmanager
    def write(self) -> Iterator[apsw.Connection]:
        """The writer inside an immediate transaction, committed at the end, rolled back on any exception."""
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
        """Take up writing if the disk has room again; whether it has. Raises CorpusError."""
        with self._write_lock, self._watched():
            if self._closed or not has_room(self.path):
                return False
            self._writing()
            self._set_health(replace(self.health, refusal=""))
            return True

    def note_damage(self, what: str) -> None:
        """Remember that the file is damaged (in words), also at the next start; empty: it is sound again."""
        if what == self.health.damage:
            return
        note = damage_note(self.path)
        with suppress(OSError):  # on a full disk the next check finds it again
            note.write_text(what, encoding="utf-8") if what else note.unlink(missing_ok=True)
        self._set_health(replace(self.health, damage=what))

    @contextmanager
    def inspect(self, begin: str = "BEGIN") -> Iterator[apsw.Connection]:
        """A connection of its own for checks, inside a transaction that is rolled back.

        One that is kept open would not do. FTS5 remembers the structure of its index between transactions;
        queries renew that memory, checks do not (SQLite 3.54.1), and then the changes of another connection
        look like damage.
        """
        if self._closed:
            raise CorpusError(sentence("The library is closed."))
        with self._watched(), closing(connect(self.path, READING_VFS if self.is_read_only else None)) as con:
            con.execute(begin)
            yield con

    def backup(self, target: Path, watch: Watch = UNWATCHED) -> None:
        """Copy one state to `target`, which appears whole or not at all. Writers go on meanwhile."""
        with self.read() as con:
            migrations.copy(con, target, watch)

    def compact(self, watch: Watch = UNWATCHED) -> None:
        """Write the file anew without its unused pages; writers wait, readers go on. Cut short it changes nothing."""
        with self._write_lock, self._watched():
            con = self._writing()
            # The whole file passes through a temporary one, and a large library is larger than the memory.
            con.pragma("temp_store", "file")
            try:
                with watch.over(con):
                    con.execute("VACUUM")
            finally:
                con.pragma("temp_store", "memory")
            try:
                con.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                log.debug("another process reads the corpus; the file shrinks once it has ended")

    def release_memory(self, idle_seconds: float) -> bool:
        """Forget the pages of the file that connections hold in memory, when nobody has used it for so long; False if not so.

        They are read again when they are needed, mostly from the memory of the system.
        """
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
        """Empty the write-ahead log and close every connection, waiting for calls under way."""
        with self._write_lock:
            if self._closed:
                return
            self._closed = True
            self._queue.close()
            if not self._queue.is_left(READER_END_SECONDS):
                log.warning("%d readings of the library go on while it is closed", self._queue.busy)
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
                    log.debug("another process uses the corpus; it will empty the write-ahead log")
                except (apsw.FullError, apsw.IOError, apsw.CorruptError) as error:
                    log.warning("the write-ahead log stays for the next start: %s", error)

    def _open_writer(self) -> apsw.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600, exist_ok=True)
        except OSError as error:
            is_missing = isinstance(error, (FileExistsError, FileNotFoundError, NotADirectoryError))
            why = error.strerror
            said = sentence("{} cannot be written to ({}).", self.path, why)
            if is_missing:
                said = sentence("{} cannot be created ({}).", self.path, why)
            hint = "Give this user the right to read and write the file and its folder, or name a copy that it may write to."
            raise CorpusError(said, hint=hint) from error
        con = connect(self.path)
        try:
            # A file that is refused stays as it is: closing it brings nothing from its write-ahead log into it.
            con.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(self.had_log))
            migrations.check_identity(con, self.path)
            con.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
            con.pragma("page_size", PAGE_BYTES)
            _use_write_ahead_log(con)
            con.pragma("synchronous", "normal")
            con.pragma("journal_size_limit", WAL_BYTES)
            con.pragma("cache_size", -WRITER_CACHE_KIB)
            migrations.migrate(con, self.path)
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
        """Close what is idle beyond so many, the longest unused first."""
        with self._idle_lock:
            surplus, self._idle = self._idle[: max(0, len(self._idle) - most)], self._idle[-most:] if most else []
        for con in surplus:
            con.close()

    def _open_for_reading(self) -> None:
        """Open the file without the index of the write-ahead log on the disk, for which there is no room."""
        if READING_VFS is None:
            raise _disk_full(self.path)
        con = self._open_reader()
        try:
            migrations.check_identity(con, self.path)
            migrations.migrate(con, self.path)
        except BaseException:
            con.close()
            raise
        self._idle.append(con)
        self._set_health(replace(self.health, refusal=_disk_full(self.path).message))
        log.warning("the disk is full: %s is open for reading only", self.path)

    def _writing(self) -> apsw.Connection:
        """The writer; a file that was opened for reading is opened anew if there is room. The caller has the lock."""
        if self._closed:
            raise CorpusError(sentence("The library is closed."))
        if self._writer is None:
            if not has_room(self.path):
                raise _disk_full(self.path)
            # Readers hold the file for themselves: all of them are closed, and new ones wait meanwhile.
            with self._queue.held_back():
                if not self._queue.is_left(READER_END_SECONDS):
                    raise CorpusBusyError(
                        sentence("The library is being read; it is opened for writing a little later.")
                    )
                self._close_idle(0)
                self._writer = self._open_writer()
                log.info("the disk has room again: %s is open for writing", self.path)
        return self._writer

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Failures in words, and what they say of the file noted."""
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


Ids = NDArray[np.int64]

SECTION_SEPARATOR: Final = " > "


def ids_of(values: Iterable[int]) -> Ids:
    """The values as an array that can be bound."""
    return np.fromiter(values, np.int64)


def distinct(ids: Ids) -> Ids:
    """The values, ascending, each once. As `np.unique`, which loads a part of numpy that nothing else needs, for 10 ms."""
    ordered = np.sort(ids)
    first: NDArray[np.bool_] = np.diff(ordered, prepend=ordered[:1] - 1) != 0
    return ordered[first]


def id_list(ids: Ids) -> apsw.CArrayBinding:
    """Ids for `carray(?)`; never an empty array, which SQLite refuses."""
    return apsw.carray(np.ascontiguousarray(ids if len(ids) else (-1,), np.int64))


def text_list(texts: Iterable[str]) -> apsw.CArrayBinding:
    """Addresses for `carray(?)`, which takes no empty list and no NUL; no address is empty or holds one."""
    return apsw.carray(tuple(text for text in texts if "\0" not in text) or ("",))


def join_path(section_path: tuple[str, ...]) -> str:
    """The path as stored; a ">" inside a heading is escaped, so that `split_path` gives it back."""
    return SECTION_SEPARATOR.join(heading.replace("\\", "\\\\").replace(">", "\\>") for heading in section_path)


def split_path(stored: str) -> tuple[str, ...]:
    """The headings of a stored path."""
    if not stored:
        return ()
    return tuple(part.replace("\\>", ">").replace("\\\\", "\\") for part in stored.split(SECTION_SEPARATOR))
