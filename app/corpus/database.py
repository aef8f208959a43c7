"""The SQLite file: one writer behind a lock, a pool of readers, every failure in words of the product.

Values are bound as single SQL parameters; section paths are stored as text, lists of addresses compressed.
"""

from __future__ import annotations

import logging
import os
import queue
import shutil
import tempfile
import threading
import time
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Final

import apsw
import numpy as np
import sqlite_vec
from numpy.typing import NDArray

from app import caps
from app.corpus import migrations
from app.corpus.records import FileHealth
from app.corpus.watch import UNWATCHED, Watch
from app.errors import CorpusBusyError, CorpusDamagedError, CorpusError, DiskFullError, InvalidArgumentError
from app.text.sentence import sentence

log = logging.getLogger(__name__)

READER_CONNECTIONS: Final = 4
READER_WAIT_SECONDS: Final = 10.0
"""A call that finds no free reader within this time is told that the corpus is busy."""
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
        raise CorpusBusyError(f"Another program is writing to {path.name}.") from error
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise CorpusDamagedError(f"{path} is damaged or is not a library ({error}).") from error
    except UnicodeDecodeError as error:
        raise CorpusDamagedError(f"{path} is damaged: a text in it is none ({error.reason}).") from error
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
            f"{path} cannot be read or written ({error}).", hint="Check the folder and its permissions."
        ) from error
    except apsw.ExtensionLoadingError as error:
        raise CorpusError(f"sqlite-vec cannot be loaded ({error}).", hint="Reinstall the application.") from error
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(f"The text holds characters that cannot be stored ({error.reason}).") from error


def has_room(path: Path, wanted: int = caps.ROOM_TO_WRITE_BYTES) -> bool:
    """Whether the disk of a file has so many bytes left; True where that cannot be said."""
    try:
        return shutil.disk_usage(path.parent).free >= wanted
    except OSError:
        return True


def temporary_folder() -> Path:
    """Where SQLite puts its temporary files; other places than Python's, in another order."""
    if os.name == "nt":
        return Path(tempfile.gettempdir())
    named = (os.environ.get("SQLITE_TMPDIR"), os.environ.get("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp")
    folders = (Path(each) for each in named if each)
    return next((each for each in folders if each.is_dir() and os.access(each, os.W_OK | os.X_OK)), Path())


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


def settle(path: Path) -> None:
    """Bring what the write-ahead log of a closed corpus holds into the file, which then stands alone.

    Raises CorpusBusyError while another program has it open, CorpusError when it is damaged.
    """
    with translated(path), closing(connect(path)) as con:
        if con.pragma("journal_mode", "delete") != "delete":
            raise CorpusBusyError(f"Another program is using {path.name}.")


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


def _has_log(path: Path) -> bool:
    """Whether a write-ahead log with content lies beside the file: a program ended in the middle of its work, or still runs."""
    log_file = path.with_name(f"{path.name}-wal")
    return log_file.exists() and log_file.stat().st_size > 0


class Database:
    """Connections to one corpus file. Thread-safe; `read` and `write` must not be nested in one thread.

    Creates the file, or brings an older one up to date after a backup. Raises CorpusTooNewError for a newer
    one and CorpusError for anything that is not a corpus. On a full disk the file is opened for reading only; the first
    write after room was made opens it for writing. `on_health` is called, on any thread, when `health` has changed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.had_log = _has_log(path)
        """Whether what was written last had not come into the file when it was opened."""
        self.on_health: Callable[[], object] = lambda: None
        self._closed = False
        self._write_lock = threading.Lock()
        self._may_read = threading.Event()
        self._may_read.set()
        self._readers: queue.LifoQueue[apsw.Connection | None] = queue.LifoQueue()
        self._writer: apsw.Connection | None = None
        self.health = FileHealth(_noted_damage(path))
        with self._watched():
            try:
                self._writer = self._open_writer()
            except (apsw.FullError, apsw.IOError, apsw.CantOpenError):
                if has_room(path) or not _size(path):
                    raise
                self._open_for_reading()
        for _ in range(READER_CONNECTIONS - self._readers.qsize()):
            self._readers.put(None)

    @property
    def is_read_only(self) -> bool:
        """Whether the file could be opened for reading only."""
        return self._writer is None and not self._closed

    @contextmanager
    def read(self) -> Iterator[apsw.Connection]:
        """A reader inside a transaction: all that is read is one state of the file. Keep it short."""
        con: apsw.Connection | None = None
        reader = self._borrow()
        try:
            with self._watched():
                con = reader or self._open_reader()
                con.execute("BEGIN")
                try:
                    yield con
                finally:
                    # A failure to read ends the transaction by itself.
                    if con.in_transaction:
                        con.execute("ROLLBACK")
        finally:
            self._readers.put(con)

    @contextmanager
    def write(self) -> Iterator[apsw.Connection]:
        """The writer inside an immediate transaction, committed at the end, rolled back on any exception."""
        with self._write_lock, self._watched():
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
            raise CorpusError("The library is closed.")
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
            for _ in range(READER_CONNECTIONS):
                with suppress(queue.Empty):
                    reader = self._readers.get(timeout=READER_WAIT_SECONDS)
                    if reader is not None:
                        reader.close()
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
            raise CorpusError(f"{self.path} cannot be created ({error}).") from error
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

    def _borrow(self) -> apsw.Connection | None:
        if self._closed:
            raise CorpusError("The library is closed.")
        try:
            if not self._may_read.wait(READER_WAIT_SECONDS):
                raise queue.Empty
            return self._readers.get(timeout=READER_WAIT_SECONDS)
        except queue.Empty:
            raise CorpusBusyError("Too many readings of the library at once.") from None

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
        self._readers.put(con)
        self._set_health(replace(self.health, refusal=_disk_full(self.path).message))
        log.warning("the disk is full: %s is open for reading only", self.path)

    def _writing(self) -> apsw.Connection:
        """The writer; a file that was opened for reading is opened anew if there is room. The caller has the lock."""
        if self._closed:
            raise CorpusError("The library is closed.")
        if self._writer is None:
            if not has_room(self.path):
                raise _disk_full(self.path)
            self._reopen()
        assert self._writer is not None
        return self._writer

    def _reopen(self) -> None:
        """Close every reader, which hold the file for themselves, and open it for writing. New readers wait meanwhile."""
        self._may_read.clear()
        returned = 0
        try:
            for _ in range(READER_CONNECTIONS):
                reader = self._readers.get(timeout=READER_WAIT_SECONDS)
                returned += 1
                if reader is not None:
                    reader.close()
            self._writer = self._open_writer()
            log.info("the disk has room again: %s is open for writing", self.path)
        except queue.Empty:
            raise CorpusBusyError("The library is being read; it is opened for writing a little later.") from None
        finally:
            for _ in range(returned):
                self._readers.put(None)
            self._may_read.set()

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


def _noted_damage(path: Path) -> str:
    """What an earlier run found damaged."""
    try:
        return damage_note(path).read_text(encoding="utf-8", errors="replace")[: caps.MAX_DETAIL_CHARS]
    except OSError:
        return ""


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


MAX_NAVIGATION_BYTES: Final = caps.MAX_NAVIGATION_LINKS * caps.MAX_URL_CHARS
"""The same links as one list in the corpus, unpacked."""

Ids = NDArray[np.int64]

SECTION_SEPARATOR: Final = " > "

HINT: Final = "Read the page again, or restore a backup."


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


def pack_urls(urls: Iterable[str]) -> bytes:
    """One address a line, until MAX_NAVIGATION_BYTES; an address that holds a line break is none and is left out."""
    lines = [url.encode() for url in urls if url and "\n" not in url]
    ends = accumulate(len(line) + 1 for line in lines)
    count = bisect_right(list(ends), MAX_NAVIGATION_BYTES + 1)
    return zlib.compress(b"\n".join(lines[:count]))


def unpack_urls(blob: bytes) -> list[str]:
    """The addresses of a packed list. Raises CorpusError for one that is damaged or longer than any that `pack_urls` makes."""
    inflater = zlib.decompressobj()
    try:
        # One byte more than is allowed, so that a list of just the greatest length comes to its end.
        lines = inflater.decompress(blob, MAX_NAVIGATION_BYTES + 1)
        if len(lines) > MAX_NAVIGATION_BYTES:
            raise CorpusError(f"A list of links is longer than {MAX_NAVIGATION_BYTES // caps.MIB} MiB.", hint=HINT)
        if not inflater.eof:
            raise CorpusError("A list of links ends too early.", hint=HINT)
        return [url for url in lines.decode().split("\n") if url]
    except (zlib.error, UnicodeDecodeError) as error:
        raise CorpusError(f"A list of links is damaged ({error}).", hint=HINT) from error
