"""The SQLite file: one writer behind a lock, a pool of readers, every failure in words of the product.

Values are bound as single SQL parameters; section paths are stored as text, lists of addresses compressed.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import accumulate
from pathlib import Path
from typing import Final

import apsw
import numpy as np
import sqlite_vec
from numpy.typing import NDArray

from app import caps
from app.corpus import migrations
from app.corpus.watch import UNWATCHED, Watch
from app.errors import CorpusBusyError, CorpusError, InvalidArgumentError

log = logging.getLogger(__name__)

READER_CONNECTIONS: Final = 4
READER_WAIT_SECONDS: Final = 10.0
"""A call that finds no free reader within this time is told that the corpus is busy."""
WAL_BYTES: Final = 64 * caps.MIB
"""The write-ahead log is cut back to this after a checkpoint."""

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
        raise CorpusError(
            f"{path} is damaged or is not a corpus ({error}).",
            hint="Restore a backup, or move the file away.",
        ) from error
    except apsw.FullError as error:
        raise CorpusError(f"The disk that holds {path} is full.", hint="Free some space and try again.") from error
    except (
        apsw.CantOpenError,
        apsw.IOError,
        apsw.ReadOnlyError,
        apsw.PermissionsError,
        apsw.AuthError,
    ) as error:
        raise CorpusError(
            f"{path} cannot be read or written ({error}).", hint="Check the folder and its permissions."
        ) from error
    except apsw.ExtensionLoadingError as error:
        raise CorpusError(f"sqlite-vec cannot be loaded ({error}).", hint="Reinstall the application.") from error
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(f"The text holds characters that cannot be stored ({error.reason}).") from error


def connect(path: Path) -> apsw.Connection:
    """A connection with sqlite-vec's functions; it does not touch the file yet."""
    con = apsw.Connection(str(path))
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
    one and CorpusError for anything that is not a corpus.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.had_log = _has_log(path)
        """Whether what was written last had not come into the file when it was opened."""
        self._closed = False
        self._write_lock = threading.Lock()
        self._readers: queue.LifoQueue[apsw.Connection | None] = queue.LifoQueue()
        for _ in range(READER_CONNECTIONS):
            self._readers.put(None)
        with translated(path):
            self._writer = self._open_writer()

    @contextmanager
    def read(self) -> Iterator[apsw.Connection]:
        """A reader inside a transaction: all that is read is one state of the file. Keep it short."""
        con: apsw.Connection | None = None
        reader = self._borrow()
        try:
            with translated(self.path):
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
        with self._write_lock, translated(self.path):
            if self._closed:
                raise CorpusError("The corpus is closed.")
            con = self._writer
            con.execute("BEGIN IMMEDIATE")
            try:
                yield con
                con.execute("COMMIT")
            except BaseException:
                if con.in_transaction:
                    con.execute("ROLLBACK")
                raise

    @contextmanager
    def inspect(self, begin: str = "BEGIN") -> Iterator[apsw.Connection]:
        """A connection of its own for checks, inside a transaction that is rolled back.

        One that is kept open would not do. FTS5 remembers the structure of its index between transactions;
        queries renew that memory, checks do not (SQLite 3.54.1), and then the changes of another connection
        look like damage.
        """
        if self._closed:
            raise CorpusError("The corpus is closed.")
        with translated(self.path), closing(connect(self.path)) as con:
            con.execute(begin)
            yield con

    def backup(self, target: Path, watch: Watch = UNWATCHED) -> None:
        """Copy one state to `target`, which appears whole or not at all. Writers go on meanwhile."""
        with self.read() as con:
            migrations.copy(con, target, watch)

    def compact(self, watch: Watch = UNWATCHED) -> None:
        """Write the file anew without its unused pages; writers wait, readers go on. Cut short it changes nothing."""
        with self._write_lock, translated(self.path):
            if self._closed:
                raise CorpusError("The corpus is closed.")
            con = self._writer
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
            with translated(self.path), closing(self._writer) as con:
                if not empty_log:
                    return
                try:
                    con.pragma("optimize")
                    con.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                except apsw.BusyError:
                    log.debug("another process uses the corpus; it will empty the write-ahead log")

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
        con = connect(self.path)
        con.pragma("query_only", True)
        con.pragma("cache_size", -READER_CACHE_KIB)
        return con

    def _borrow(self) -> apsw.Connection | None:
        if self._closed:
            raise CorpusError("The corpus is closed.")
        try:
            return self._readers.get(timeout=READER_WAIT_SECONDS)
        except queue.Empty:
            raise CorpusBusyError("Too many readings of the corpus at once.") from None


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
