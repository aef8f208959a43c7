"""PostgreSQL connections: a pool for worker threads, with slots for searches.

The driver is asynchronous: its event loop runs in a separate thread, and worker threads block until their call is done. asyncpg was
chosen over psycopg 3 for its license. Reading a hundred chunks with token vectors takes about 1 ms of CPU time with either driver, a
small query 0.3 instead of 0.2 ms.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from uuid import uuid4
from weakref import WeakSet

import asyncpg

from app.errors import CorpusBusyError, LibraryAwayError
from app.events import CURRENT_CALL
from app.pg import sessions
from app.pg.sessions import NOTHING, TRIED_AGAIN, Connection, Rights, Role, ScopedConnection
from app.pg.statistics import Size, Statistics
from app.pg.watch import ANSWER_SECONDS, CONNECT_SECONDS, Watch
from app.text.sentence import sentence

log = logging.getLogger(__name__)

T = TypeVar("T")

POOL_SIZE: Final = 16
SEARCHES_AT_ONCE: Final = max(4, 2 * (os.cpu_count() or 1))  # Each occupies a core of the database.
WAIT_SECONDS: Final = 10.0  # Seconds to wait for a free connection.
IDLE_SECONDS: Final = 300.0  # Until an unused connection is closed, except for one per search slot.
RENEWED_SECONDS: Final = 3_600.0  # Until it is closed in any case, so that changes of grants take effect.
CLOSE_SECONDS: Final = 5.0
ATTEMPTS: Final = 3  # Attempts to make a change that conflicts with another one.
NOTED_SECONDS: Final = 30.0  # Seconds before the same database problem is logged again.
WRITING: Final = "BEGIN"
READING: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
REPLICA_REST_SECONDS: Final = 30.0  # Seconds without requests to a replica that did not answer.
WRITTEN: Final = "SELECT pg_current_wal_lsn()::text"
REPLAYED: Final = "SELECT NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= $1::text::pg_lsn"


class Connections:
    """A pool for one database in one role. Blocking and thread-safe. Connects on first use.

    Reads use the `replica`, if there is one, while it answers and contains the changes made here. `is_pooled` means that a pooler assigns
    a new session to every transaction, so that session state is lost after it.

    Raises LibraryAwayError, CorpusBusyError, DatabaseRefusesError, InvalidArgumentError for text that cannot be stored, and CorpusError
    otherwise.
    """

    def __init__(
        self, address: str, role: Role, *, size: int = POOL_SIZE, replica: str = "", is_pooled: bool = False
    ) -> None:
        sessions.check_address(address)
        self._replica = Connections(replica, Role.READER, size=size, is_pooled=is_pooled) if replica else None
        self._written = ""
        self._replica_away_until = 0.0
        self._lock = threading.Lock()
        self._is_closed = False
        self._address = address
        self._role = role
        self._size = size
        self._is_pooled = is_pooled
        self._serves_people = False
        self._noted = ("", -NOTED_SECONDS)
        self._pool: Any = None
        self._making = asyncio.Lock()
        self._searches = asyncio.Semaphore(min(size, SEARCHES_AT_ONCE))
        self._ending: set[asyncio.Task[None]] = set()
        self._open: WeakSet[ScopedConnection] = WeakSet()
        self._closing_idle: asyncio.TimerHandle | None = None
        self._loop = asyncio.new_event_loop()
        # Work of an administrator can use all the memory of the server.
        self._is_patient = role not in (Role.NODE, Role.READER)
        self._watch = Watch(self._loop, address, self._leave, is_patient=self._is_patient)
        self._thread = threading.Thread(target=self._run, name="postgresql", daemon=True)
        self._thread.start()

    def serve_people(self) -> None:
        """From now on, leave the database and its messages out of errors, and log them instead."""
        self._serves_people = True
        if self._replica is not None:
            self._replica.serve_people()

    def read_first(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Read current data from the primary: a replica can lag behind without limit."""
        return self._wait(self._reading(work, READING, NOTHING))

    def read(self, work: Callable[[Connection], Awaitable[T]], rights: Rights = NOTHING, settings: str = "") -> T:
        """Run work that sees one state of the database. `settings` are SQL statements for the transaction."""
        begin = f"{READING}; {settings}"
        return self._asked(
            lambda replica: replica.read(work, rights, settings), lambda: self._reading(work, begin, rights)
        )

    def search(self, work: Callable[[Connection], Awaitable[T]], rights: Rights = NOTHING, settings: str = "") -> T:
        """Run work like `read`, with at most SEARCHES_AT_ONCE running; others queue. Raises WorkCancelledError after `stop_waiting`."""
        begin = f"{READING}; {settings}"
        return self._asked(
            lambda replica: replica.search(work, rights, settings),
            lambda: self._searching(work, begin, rights),
            call=CURRENT_CALL.get(),
        )

    def stop_waiting(self, call: int) -> None:
        """End the searches of a canceled call, also in the database, and free their slots."""
        if self._replica is not None:
            self._replica.stop_waiting(call)
        self._handed_over(self._watch.stop, call)

    def warm(self, work: Callable[[Connection], Awaitable[object]], rights: Rights, settings: str = "") -> Future[None]:
        """Start to run this work on every search connection, of the replica if there is one. Failures are logged."""
        if self._replica is not None:
            return self._replica.warm(work, rights, settings)

        async def on_each() -> None:
            answers: list[Future[object]] = [Future() for _ in range(SEARCHES_AT_ONCE)]
            for answer in answers:
                self._watch.begin(self._searching(work, f"{READING}; {settings}", rights), answer)
            # Shielded: the watch owns the result and reports the end of all waiting work.
            waiting = (asyncio.shield(asyncio.wrap_future(answer)) for answer in answers)
            for error in await asyncio.gather(*waiting, return_exceptions=True):
                if isinstance(error, BaseException):
                    log.info("a connection could not be warmed up (%s)", sessions.brief(error))

        return asyncio.run_coroutine_threadsafe(on_each(), self._loop)

    def rows(self, query: str, values: Sequence[object], rights: Rights = NOTHING) -> list[Any]:
        """Return the rows of one statement, in one round trip. A single statement sees one state without a transaction."""
        if self._is_pooled:
            return self.read(lambda con: con.fetch(query, *values), rights)

        async def found() -> list[Any]:
            async with self._acquired() as con:
                try:
                    await con.read_with(rights)
                    return list(await con.fetch(query, *values))
                except TimeoutError:
                    sessions.cut(con)
                    raise

        return self._asked(lambda replica: replica.rows(query, values, rights), found)

    def _asked(
        self, there: Callable[[Connections], T], here: Callable[[], Coroutine[Any, Any, T]], *, call: int = 0
    ) -> T:
        """Return the answer of the replica if there is one and it can be used, otherwise of this server."""
        if self._replica is not None and time.monotonic() >= self._replica_away_until:
            try:
                # Use the replica once it has replayed the last change made here.
                written = self._written
                if written and self._replica.read(lambda con: con.fetchval(REPLAYED, written)):
                    with self._lock:
                        if self._written == written:
                            self._written = ""
                if not self._written:
                    return there(self._replica)
            except LibraryAwayError as error:
                self._replica_away_until = time.monotonic() + REPLICA_REST_SECONDS
                log.warning("reads use the primary: %s", error)
            except CorpusBusyError as error:
                # A standby cancels queries that conflict with replication. The primary does not.
                if not isinstance(error.__cause__, TRIED_AGAIN):
                    raise
        return self._wait(here(), call=call)

    def write(self, work: Callable[[Connection], Awaitable[T]], rights: Rights = NOTHING) -> T:
        """Run work as one transaction; retry it on a conflict with another one."""
        for _ in range(ATTEMPTS - 1):
            try:
                return self._wait(self._transaction(work, WRITING, rights), is_tried_again=True)
            except CorpusBusyError as error:
                if not isinstance(error.__cause__, TRIED_AGAIN):
                    raise
        return self._wait(self._transaction(work, WRITING, rights))

    def outside(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run work without a transaction, each statement on its own."""

        async def alone() -> T:
            async with self._acquired() as con:
                return await work(con)

        return self._wait(alone())

    def close(self) -> None:
        """Close all connections."""
        if self._replica is not None:
            self._replica.close()
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, T], *, is_tried_again: bool = False, call: int = 0) -> T:
        if threading.current_thread() is self._thread:
            raise RuntimeError("This thread runs the event loop and must not wait for it.")

        def note(trouble: str, error: BaseException) -> None:
            """Log a database problem unless a retry can solve it; each problem at most once in NOTED_SECONDS."""
            now = time.monotonic()
            is_new = self._noted[0] != trouble or now - self._noted[1] >= NOTED_SECONDS
            if is_new and not (is_tried_again and isinstance(error, TRIED_AGAIN)):
                self._noted = (trouble, now)
                log.warning("%s", trouble)

        with sessions.in_words(self._address, note if self._serves_people else None):
            answer: Future[T] = Future()
            if not self._handed_over(self._watch.begin, work, answer, call):
                work.close()
                raise LibraryAwayError(sentence("The library is closed."))
            return answer.result()

    def _handed_over(self, begin: Callable[..., None], *values: object) -> bool:
        """Run this on the event loop unless it has ended: a caller would wait forever for work that never starts."""
        with self._lock:
            if not self._is_closed:
                self._loop.call_soon_threadsafe(begin, *values)
            return not self._is_closed

    @asynccontextmanager
    async def _begun(self, con: Connection, begin: str, rights: Rights) -> AsyncIterator[None]:
        """Begin a transaction, and undo it after an error."""
        # Behind a pooler, connections do not have the settings.
        settings = sessions.set_in_transaction(self._role) if self._is_pooled else ""
        try:
            await con.execute(f"{begin}; {settings}{sessions.scope(rights)}")
            yield
        except TimeoutError:
            # Nothing is sent to a server that does not answer.
            sessions.cut(con)
            raise
        except BaseException:
            await sessions.rolled_back(con)
            raise

    async def _transaction(self, work: Callable[[Connection], Awaitable[T]], begin: str, rights: Rights) -> T:
        async with self._acquired() as con:
            async with self._begun(con, begin, rights):
                done = await work(con)
                await con.execute("COMMIT")
            if self._replica is not None and begin == WRITING:
                await self._note_written(con)
            return done

    async def _note_written(self, con: Connection) -> None:
        """Let reads use the replica once it contains this change. An error here does not undo the change."""
        try:
            place = str(await con.fetchval(WRITTEN))
        except (TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            log.info("reads use the primary for some time (%s)", sessions.brief(error))
            self._replica_away_until = time.monotonic() + REPLICA_REST_SECONDS
            sessions.cut(con)
            return
        with self._lock:
            self._written = max(self._written, place, key=_position)

    async def _reading(
        self,
        work: Callable[[Connection], Awaitable[T]],
        begin: str,
        rights: Rights,
        turn: asyncio.Semaphore | None = None,
    ) -> T:
        """Run work in a read-only transaction and end it in the background. The slot is freed after the connection."""
        async with AsyncExitStack() as held:
            if turn is not None:
                held.callback(turn.release)
            con = await held.enter_async_context(self._acquired())
            async with self._begun(con, begin, rights):
                done = await work(con)
            ending = asyncio.create_task(sessions.ended(con, held.pop_all()))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
            return done

    async def _searching(self, work: Callable[[Connection], Awaitable[T]], begin: str, rights: Rights) -> T:
        try:
            # Not wait_for: before Python 3.12, it loses a cancellation that arrives together with the slot.
            async with asyncio.timeout(WAIT_SECONDS):
                await self._searches.acquire()
        except TimeoutError as error:
            raise _too_many() from error
        # A search returns its connection with its slot, so that the next search gets a process that has tables and indexes cached.
        return await self._reading(work, begin, rights, self._searches)

    @asynccontextmanager
    async def _acquired(self) -> AsyncIterator[Connection]:
        pool = await self._made()
        try:
            con = await pool.acquire(timeout=WAIT_SECONDS)
        except TimeoutError as error:
            if pool.get_size() >= self._size and pool.get_idle_size() == 0:
                raise _too_many() from error
            raise
        except OSError:
            raise
        except ValueError:
            # The driver's message about an address quotes it, maybe with a password.
            raise sessions.unreadable_address() from None
        task = asyncio.current_task()
        self._watch.takes(task)
        try:
            yield con
        finally:
            self._watch.gives_back(task)
            if pool is not self._pool:
                sessions.cut(con)
            await pool.release(con)

    async def _made(self) -> Any:
        # Settings of a connection; behind a pooler, only those that every session has.
        held: dict[str, Any] = {"server_settings": sessions.session(self._role)}
        if self._is_pooled:
            held = {"statement_cache_size": 0, "server_settings": {"application_name": "webrag"}}
        async with self._making:
            if self._pool is None:
                self._pool = await asyncpg.create_pool(
                    self._address,
                    min_size=0,
                    max_size=self._size,
                    timeout=CONNECT_SECONDS,
                    command_timeout=None if self._is_patient else ANSWER_SECONDS,
                    max_inactive_connection_lifetime=0,
                    init=self._ready,
                    setup=sessions.taken,
                    reset=sessions.given_back,
                    connection_class=ScopedConnection,
                    **held,
                )
            return self._pool

    async def _ready(self, con: ScopedConnection) -> None:
        con.notice_loss()
        if not self._is_pooled:
            await con.execute(sessions.FIND_EXTENSION.format(is_local="false"))
        self._open.add(con)
        if self._closing_idle is None:
            self._closing_idle = self._loop.call_later(IDLE_SECONDS, self._close_idle)

    def _close_idle(self) -> None:
        """Close old connections and those unused for long, but keep as many as there are search slots."""
        now = self._loop.time()
        idle = sorted((now - con.idle_since, id(con), con) for con in self._open if con.is_idle())
        for place, (seconds, _, con) in enumerate(idle):
            if now - con.made_at >= RENEWED_SECONDS or (place >= SEARCHES_AT_ONCE and seconds >= IDLE_SECONDS):
                con.terminate()
        is_any = any(not con.is_closed() for con in self._open)
        self._closing_idle = self._loop.call_later(IDLE_SECONDS, self._close_idle) if is_any else None

    def _leave(self) -> None:
        """Give up all connections; the next call makes new ones."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.terminate()

    def _run(self) -> None:
        self._loop.run_forever()
        # The pool processes the end of the last connection.
        self._loop.run_until_complete(asyncio.sleep(0))

    async def _end(self) -> None:
        if self._closing_idle is not None:
            self._closing_idle.cancel()
        try:
            if self._pool is not None:
                await asyncio.wait_for(self._pool.close(), CLOSE_SECONDS)
        except TimeoutError:
            self._pool.terminate()
        await self._watch.end()


def _position(place: str) -> int:
    """Return a position in the write-ahead log as a number: 16/B374D848 comes after 9/FFFFFFFF."""
    high, _, low = place.partition("/")
    return (int(high, 16) << 32 | int(low, 16)) if low else 0


def _too_many() -> CorpusBusyError:
    return CorpusBusyError(sentence("Too many calls are waiting for the database."))


@dataclass(frozen=True, slots=True)
class Access:
    """What the parts of a library share. `worker` identifies this program among those that embed, find flags and run jobs."""

    connections: Connections
    rights_of: Callable[[], Rights] = sessions.current_rights
    worker: str = field(default_factory=lambda: uuid4().hex)
    statistics: Statistics = field(default_factory=Statistics)


class Store:
    """Part of a library. Every statement uses the rights that `rights_of` returns before its transaction."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._connections = access.connections
        self._rights_of = access.rights_of
        self._worker = access.worker
        self._statistics = access.statistics

    @property
    def _rights(self) -> Rights:
        return self._rights_of()

    def _read(self, work: Callable[[Connection, Rights], Awaitable[T]]) -> T:
        rights = self._rights
        return self._connections.read(lambda con: work(con, rights), rights)

    def _write(self, work: Callable[[Connection, Rights], Awaitable[T]]) -> T:
        rights = self._rights
        return self._connections.write(lambda con: work(con, rights), rights)

    def _size(self) -> Size:
        """Return the size of the readable collections; cached for a large library."""
        rights = self._rights
        known = self._statistics.known_size(rights.readable)
        return known or self._connections.read(lambda con: self._statistics.size(con, rights.readable), rights)

    def _fetch(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a statement whose first parameter is the readable collections."""
        rights = self._rights
        return self._connections.rows(query, [list(rights.readable), *values], rights)
