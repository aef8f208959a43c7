"""Connections to PostgreSQL: a pool behind worker threads, roles, and errors in words.

The driver is asynchronous; one thread of its own runs its loop, and callers block on it from their worker threads. asyncpg was chosen
over psycopg 3 for its licence; a hundred passages with their token signs cost either about 1 ms of processor time, a small query
0.3 instead of 0.2 ms.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias, TypeVar
from urllib.parse import urlsplit

import asyncpg

from app.errors import (
    CorpusBusyError,
    CorpusError,
    DatabaseRefusesError,
    DiskFullError,
    InvalidArgumentError,
    LibraryAwayError,
    WebRAGError,
    WorkCancelledError,
)
from app.events import CURRENT_CALL

log = logging.getLogger(__name__)

T = TypeVar("T")
Connection: TypeAlias = Any
"""A connection of the driver, inside a transaction."""

POOL_SIZE: Final = 16
SEARCHES_AT_ONCE: Final = max(4, 2 * (os.cpu_count() or 1))
"""Of one program. A search is work of a processor of the database, which is taken to have as many as the program: more at once take
longer each, and nobody is done before."""
CONNECT_SECONDS: Final = 2.0
WAIT_SECONDS: Final = 10.0
"""How long a call waits until a connection is free."""
STATEMENT_SECONDS: Final = 60
ANSWER_SECONDS: Final = STATEMENT_SECONDS + 10
"""After which a server that neither answers nor stops the statement is away, though it takes new connections."""
SILENT_SECONDS: Final = 1.0
"""After so long without any answer a new connection is tried: nobody says so when a network ends."""
LOOK_SECONDS: Final = 1.0
"""Between two tries of a connection while the server is away."""
LOST_SECONDS: Final = 10
"""After which a connection whose packets the network loses is given up, where the system can tell."""
LOCK_SECONDS: Final = 10
IDLE_SECONDS: Final = 300.0
CLOSE_SECONDS: Final = 5.0
ATTEMPTS: Final = 3
"""How often a change is tried that another one got in the way of."""

NOTED_SECONDS: Final = 30.0
"""How long the same trouble with the database is not logged again."""

SCHEMA: Final = "webrag"
WRITING: Final = "BEGIN"
READING: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
REPLICA_REST_SECONDS: Final = 30.0
"""How long a replica that does not answer is not asked."""
REPLAYED: Final = "SELECT NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= $1::text::pg_lsn"
FIND_EXTENSION: Final = f"""
SELECT set_config('search_path', '{SCHEMA}, public' || coalesce((
  SELECT ', ' || quote_ident(n.nspname) FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
  WHERE e.extname = 'vector' AND n.nspname <> 'public'), ''), {{is_local}})
"""
"""The extension stands in `public` or in a schema of its own, as some providers have it."""

_BUSY: Final = (
    asyncpg.DeadlockDetectedError,
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.SerializationError,
    asyncpg.TooManyConnectionsError,
)
_TRIED_AGAIN: Final = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
_AWAY: Final = (
    OSError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.PostgresConnectionError,
    asyncpg.InternalClientError,
)
_FORBIDDEN: Final = (
    asyncpg.InsufficientPrivilegeError,
    asyncpg.InvalidAuthorizationSpecificationError,
)
_NOT_SET_UP: Final = (asyncpg.InvalidCatalogNameError, asyncpg.UndefinedTableError, asyncpg.InvalidSchemaNameError)
_NO_TEXT: Final = (UnicodeEncodeError, asyncpg.CharacterNotInRepertoireError, asyncpg.UntranslatableCharacterError)


class Role(StrEnum):
    """Who a connection acts as, whatever it signed in as."""

    LOGIN = ""
    """Whoever signed in; for setting a library up."""
    OWNER = "webrag_owner"
    """Changes tables."""
    NODE = "webrag_node"
    """Reads and writes rows."""
    READER = "webrag_reader"
    """Reads rows."""


@dataclass(frozen=True, slots=True)
class Rights:
    """The collections that a call may read and write, by id. `subject` is who is noted for what is written; none for the program.

    `principals` are what grants may name that person by; none for the program, and for who has the token of a node.
    """

    readable: tuple[int, ...] = ()
    writable: tuple[int, ...] = ()
    subject: str = ""
    principals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownRights:
    """What `subject` may do could not be looked up, because of `error`: whatever needs to know fails with it."""

    error: WebRAGError
    subject: str


NOTHING: Final = Rights()
_ACTING: Final[ContextVar[Rights | UnknownRights]] = ContextVar("rights", default=NOTHING)


def current_rights() -> Rights:
    """The rights of the call that runs; none where nobody gave it any, as in a thread that lost the context.

    Raises the error that kept them from being looked up.
    """
    acting = _ACTING.get()
    if isinstance(acting, UnknownRights):
        raise type(acting.error)(acting.error.message, hint=acting.error.hint)
    return acting


def rights_to_note() -> Rights:
    """Those of the call that runs, for the record of calls; unknown ones are none."""
    acting = _ACTING.get()
    return Rights(subject=acting.subject) if isinstance(acting, UnknownRights) else acting


@contextmanager
def acting_with(rights: Rights | UnknownRights) -> Iterator[None]:
    """Give these rights to everything that is called inside, also in threads and tasks that take over the context."""
    token = _ACTING.set(rights)
    try:
        yield
    finally:
        _ACTING.reset(token)


class Connections:
    """A pool for one database in one role. Blocking and thread-safe. No connection is made before the first is needed.

    Reads go to the `replica`, if there is one, as long as it answers and has what was written here. `is_pooled` says that a pooler
    stands before the server, which gives every transaction another session: nothing outlasts a transaction then.

    Raises LibraryAwayError, CorpusBusyError, DatabaseRefusesError, InvalidArgumentError for text that cannot be stored, and CorpusError
    for everything else.
    """

    def __init__(
        self, address: str, role: Role, *, size: int = POOL_SIZE, replica: str = "", is_pooled: bool = False
    ) -> None:
        check_address(address)
        self._replica = Connections(replica, Role.READER, size=size, is_pooled=is_pooled) if replica else None
        self._written = ""
        self._replica_away_until = 0.0
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
        self._waiting: dict[asyncio.Task[Any], Future[Any]] = {}
        self._calls: dict[asyncio.Task[Any], int] = {}
        self._holding: set[asyncio.Task[Any] | None] = set()
        self._heard = 0.0
        self._is_away = False
        self._watching: asyncio.Task[None] | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="postgresql", daemon=True)
        self._thread.start()

    def serve_people(self) -> None:
        """From now on errors name neither the database nor what it says, which is logged."""
        self._serves_people = True
        if self._replica is not None:
            self._replica.serve_people()

    def read_first(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Read what must be so now, of the first server: a replica may be behind for as long as it likes."""
        return self._wait(self._reading(work, READING, NOTHING))

    def read(self, work: Callable[[Connection], Awaitable[T]], rights: Rights = NOTHING, settings: str = "") -> T:
        """Run work that sees one state of the database. `settings` are statements that hold for the transaction."""
        begin = f"{READING}; {settings}"
        return self._asked(
            lambda replica: replica.read(work, rights, settings), lambda: self._reading(work, begin, rights)
        )

    def search(self, work: Callable[[Connection], Awaitable[T]], rights: Rights = NOTHING, settings: str = "") -> T:
        """As `read`, SEARCHES_AT_ONCE of them; others wait in the order in which they came. WorkCancelledError after `stop_waiting`."""
        begin = f"{READING}; {settings}"
        return self._asked(
            lambda replica: replica.search(work, rights, settings),
            lambda: self._searching(work, begin, rights),
            call=CURRENT_CALL.get(),
        )

    def stop_waiting(self, call: int) -> None:
        """A call has ended without its result: its searches end here and in the database, and whoever comes next has their turns."""
        if self._replica is not None:
            self._replica.stop_waiting(call)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop, call)

    def _stop(self, call: int) -> None:
        for task in [task for task, of in self._calls.items() if of == call]:
            if (answer := self._waiting.pop(task, None)) is not None:
                answer.set_exception(WorkCancelledError("Nobody waits for this search any more."))
                task.cancel()

    def warm(self, work: Callable[[Connection], Awaitable[object]], rights: Rights, settings: str = "") -> Future[None]:
        """Begin to do this on every connection that searches will have, those of the replica if there is one; what fails is logged."""
        if self._replica is not None:
            return self._replica.warm(work, rights, settings)

        async def on_each() -> None:
            searches = [self._searching(work, f"{READING}; {settings}", rights) for _ in range(SEARCHES_AT_ONCE)]
            for error in await asyncio.gather(*searches, return_exceptions=True):
                if isinstance(error, BaseException):
                    log.info("a connection was not made ready for searches (%s)", _brief(error))

        return asyncio.run_coroutine_threadsafe(on_each(), self._loop)

    def rows(self, query: str, values: Sequence[object], rights: Rights = NOTHING) -> list[Any]:
        """The rows of one statement: it sees one state of the database without a transaction around it, in one round trip."""
        if self._is_pooled:
            return self.read(lambda con: con.fetch(query, *values), rights)
        return self._asked(
            lambda replica: replica.rows(query, values, rights), lambda: self._rows(query, values, rights)
        )

    def _asked(
        self, there: Callable[[Connections], T], here: Callable[[], Coroutine[Any, Any, T]], *, call: int = 0
    ) -> T:
        """What the replica answers, if there is one and it is to be asked; else this server."""
        if self._replica is not None and time.monotonic() >= self._replica_away_until:
            try:
                if self._has_what_was_written(self._replica):
                    return there(self._replica)
            except LibraryAwayError as error:
                self._replica_away_until = time.monotonic() + REPLICA_REST_SECONDS
                log.warning("reads go to the first server: %s", error)
        return self._wait(here(), call=call)

    def _has_what_was_written(self, replica: Connections) -> bool:
        """Whether the replica has come as far as the last change that was made here."""
        written = self._written
        if written and replica.read(lambda con: con.fetchval(REPLAYED, written)) and self._written == written:
            self._written = ""
        return not self._written

    def write(self, work: Callable[[Connection], Awaitable[T]], rights: Rights = NOTHING) -> T:
        """Run work as one change; again, when another change got in its way."""
        for _ in range(ATTEMPTS - 1):
            try:
                return self._wait(self._transaction(work, WRITING, rights), is_tried_again=True)
            except CorpusBusyError as error:
                if not isinstance(error.__cause__, _TRIED_AGAIN):
                    raise
        return self._wait(self._transaction(work, WRITING, rights))

    def outside(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run work in no transaction, each statement by itself."""
        return self._wait(self._connected(work))

    def close(self) -> None:
        """Close all connections."""
        if self._replica is not None:
            self._replica.close()
        if self._loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, T], *, is_tried_again: bool = False, call: int = 0) -> T:
        if threading.current_thread() is self._thread:
            raise RuntimeError("The thread that works for all calls would wait for itself.")
        note = self._note_for_good if is_tried_again else self._note
        with in_words(self._address, note if self._serves_people else None):
            answer: Future[T] = Future()
            self._loop.call_soon_threadsafe(self._begin, work, answer, call)
            return answer.result()

    # whether the server is there

    def _begin(self, work: Coroutine[Any, Any, T], answer: Future[T], call: int) -> None:
        """Run work for a caller, who is told at once when the server is away."""
        if self._is_away:
            work.close()
            answer.set_exception(_silent())
            return
        if not self._waiting:
            self._heard = self._loop.time()
        task = self._loop.create_task(work)
        self._waiting[task] = answer
        if call:
            self._calls[task] = call
        task.add_done_callback(self._answered)
        if self._watching is None:
            self._watching = self._loop.create_task(self._watch())

    def _answered(self, task: asyncio.Task[Any]) -> None:
        answer = self._waiting.pop(task, None)
        self._calls.pop(task, None)
        error = _silent() if task.cancelled() else task.exception()
        if answer is None:
            # Whoever waited was told already.
            return
        if error is not None:
            answer.set_exception(error)
            return
        self._heard = self._loop.time()
        answer.set_result(task.result())

    async def _watch(self) -> None:
        """Try a new connection when nothing is heard while calls wait; without one they are told, and the next ones until there is one."""
        try:
            while self._waiting:
                rest = SILENT_SECONDS - (self._loop.time() - self._heard)
                if rest > 0:
                    await asyncio.sleep(rest)
                    continue
                looked = self._loop.time()
                if await self._is_there():
                    self._heard = self._loop.time()
                elif self._heard <= looked:
                    await self._give_up()
        finally:
            self._watching = None

    async def _is_there(self) -> bool:
        """Whether the server takes a connection; a program that was held up itself cannot tell, and asks again."""
        began = self._loop.time()
        # What an administrator does may take all that a server has.
        seconds = CONNECT_SECONDS if self._role in (Role.NODE, Role.READER) else ANSWER_SECONDS
        try:
            con = await asyncpg.connect(self._address, timeout=seconds)
        except asyncpg.PostgresError as error:
            return not isinstance(error, _AWAY)
        except TimeoutError:
            return self._loop.time() - began > 2 * seconds + SILENT_SECONDS
        except (*_AWAY, ValueError, asyncpg.InterfaceError):
            return False
        con.terminate()
        return True

    async def _give_up(self) -> None:
        """Leave all connections, tell who waits, and return when the server is there again."""
        self._is_away = True
        waiting, self._waiting = self._waiting, {}
        log.warning("the database says nothing any more: %d calls are given up", len(waiting))
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.terminate()
        for task, answer in waiting.items():
            answer.set_exception(_silent())
            # The end of a connection ends what is done with it; all others wait for one.
            if task not in self._holding:
                task.cancel()
        try:
            is_there = False
            while not is_there:
                await asyncio.sleep(LOOK_SECONDS)
                is_there = await self._is_there()
        finally:
            self._is_away = False
        log.warning("the database answers again")

    def _note_for_good(self, trouble: str, error: BaseException) -> None:
        """Log what no other attempt mends."""
        if not isinstance(error, _TRIED_AGAIN):
            self._note(trouble, error)

    def _note(self, trouble: str, _: BaseException) -> None:
        """Log what keeps the database from answering; each trouble once in NOTED_SECONDS."""
        now = time.monotonic()
        if self._noted[0] != trouble or now - self._noted[1] >= NOTED_SECONDS:
            self._noted = (trouble, now)
            log.warning("%s", trouble)

    async def _transaction(self, work: Callable[[Connection], Awaitable[T]], begin: str, rights: Rights) -> T:
        async with self._acquired() as con:
            try:
                await con.execute(f"{begin}; {self._for_transaction}{_scope(rights)}")
                done = await work(con)
                await con.execute("COMMIT")
                if self._replica is not None and begin == WRITING:
                    self._written = str(await con.fetchval("SELECT pg_current_wal_lsn()::text"))
            except TimeoutError:
                # Whoever does not answer is asked nothing more.
                _cut(con)
                raise
            except BaseException:
                await _rolled_back(con)
                raise
            return done

    async def _reading(
        self,
        work: Callable[[Connection], Awaitable[T]],
        begin: str,
        rights: Rights,
        turn: asyncio.Semaphore | None = None,
    ) -> T:
        """Run work in a transaction that changes nothing; nobody waits for its end. A turn is given back behind the connection."""
        async with AsyncExitStack() as held:
            if turn is not None:
                held.callback(turn.release)
            con = await held.enter_async_context(self._acquired())
            try:
                await con.execute(f"{begin}; {self._for_transaction}{_scope(rights)}")
                done = await work(con)
            except TimeoutError:
                _cut(con)
                raise
            except BaseException:
                await _rolled_back(con)
                raise
            ending = asyncio.create_task(_ended(con, held.pop_all()))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
            return done

    async def _searching(self, work: Callable[[Connection], Awaitable[T]], begin: str, rights: Rights) -> T:
        try:
            await asyncio.wait_for(self._searches.acquire(), WAIT_SECONDS)
        except TimeoutError as error:
            raise _too_many() from error
        # With its turn a search gives back its connection: the next one gets it, whose process knows the tables and indexes already.
        return await self._reading(work, begin, rights, self._searches)

    async def _rows(self, query: str, values: Sequence[object], rights: Rights) -> list[Any]:
        async with self._acquired() as con:
            try:
                await con.read_with(rights)
                found: list[Any] = await con.fetch(query, *values)
            except TimeoutError:
                _cut(con)
                raise
            return found

    async def _connected(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        async with self._acquired() as con:
            return await work(con)

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
            # What the driver says of an address quotes it, maybe a password.
            raise _unreadable_address() from None
        task = asyncio.current_task()
        self._holding.add(task)
        try:
            yield con
        finally:
            self._holding.discard(task)
            if pool is not self._pool:
                _cut(con)
            await pool.release(con)

    async def _made(self) -> Any:
        async with self._making:
            if self._pool is None:
                self._pool = await asyncpg.create_pool(
                    self._address,
                    min_size=0,
                    max_size=self._size,
                    timeout=CONNECT_SECONDS,
                    command_timeout=ANSWER_SECONDS if self._role in (Role.NODE, Role.READER) else None,
                    max_inactive_connection_lifetime=IDLE_SECONDS,
                    reset=_left_as_it_is,
                    connection_class=_ScopedConnection,
                    **self._session,
                )
            return self._pool

    @property
    def _session(self) -> dict[str, Any]:
        """What holds for a connection; behind a pooler only what every session has."""
        if self._is_pooled:
            return {"statement_cache_size": 0, "server_settings": {"application_name": "webrag"}, "init": _notice_loss}
        return {"server_settings": _session(self._role), "init": _begun}

    @property
    def _for_transaction(self) -> str:
        """What is set for each transaction because no connection has it."""
        if not self._is_pooled:
            return ""
        settings = {name: value for name, value in _session(self._role).items() if name != "application_name"}
        return "".join(
            f"SET LOCAL {name} = '{value}'; " for name, value in settings.items() if name != "search_path"
        ) + (f"{FIND_EXTENSION.format(is_local='true')}; ")

    async def _end(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
        if self._pool is None:
            return
        try:
            await asyncio.wait_for(self._pool.close(), CLOSE_SECONDS)
        except TimeoutError:
            self._pool.terminate()


class _ScopedConnection(asyncpg.Connection):  # type: ignore[misc]
    """A connection that knows what row security lets it read outside of transactions; it never lets it write there."""

    _readable: tuple[int, ...] | None = None

    async def read_with(self, rights: Rights) -> None:
        """Let row security show what these rights do, until it is called with others."""
        if self._readable != rights.readable:
            self._readable = None
            await self.execute(_scope(Rights(rights.readable), lasts="SESSION"))
            self._readable = rights.readable

    def notice_loss(self) -> None:
        """Have the system end a connection whose packets get lost; a firewall that forgot one is seen by nothing else."""
        opened = self._transport.get_extra_info("socket")
        if opened is None or opened.family not in (socket.AF_INET, socket.AF_INET6):
            return
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        probes = {"TCP_KEEPIDLE": LOST_SECONDS, "TCP_KEEPINTVL": LOST_SECONDS // 3, "TCP_KEEPCNT": 3}
        for name, value in {**probes, "TCP_USER_TIMEOUT": 1_000 * LOST_SECONDS}.items():
            if (option := getattr(socket, name, None)) is not None:
                opened.setsockopt(socket.IPPROTO_TCP, option, value)


async def _ended(con: Connection, held: AsyncExitStack) -> None:
    """End a transaction that changed nothing and give its connection back."""
    async with held:
        try:
            await con.execute("COMMIT")
        except (TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            log.info("a transaction that read did not end (%s)", _brief(error))
            _cut(con)


def _cut(con: Connection) -> None:
    """Give a connection up; one that was lost is not with the pool any more."""
    with suppress(asyncpg.InterfaceError):
        con.terminate()


async def _rolled_back(con: Connection) -> None:
    """Undo what an error ended. What made that impossible is no news beside the error itself."""
    try:
        if not con.is_closed():
            await con.execute("ROLLBACK")
    except (TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        log.info("a change was not undone by hand (%s)", _brief(error))
        _cut(con)


class Store:
    """Part of a library: every statement has the rights that `rights_of` tells at the time.

    They are asked for before the database is, never within a transaction: to tell them may take a question to the database itself.
    """

    def __init__(self, connections: Connections, rights_of: Callable[[], Rights]) -> None:
        self._connections = connections
        self._rights_of = rights_of

    @property
    def _rights(self) -> Rights:
        return self._rights_of()

    def _fetch(self, query: str, *values: object) -> list[Any]:
        """Rows of a statement whose first parameter is the readable collections."""
        rights = self._rights
        return self._connections.rows(query, [list(rights.readable), *values], rights)


def _silent() -> asyncpg.PostgresError:
    """What ends a call to a server that says nothing."""
    return asyncpg.ConnectionDoesNotExistError("it says nothing")


async def _begun(con: Connection) -> None:
    con.notice_loss()
    await con.execute(FIND_EXTENSION.format(is_local="false"))


async def _notice_loss(con: Connection) -> None:
    con.notice_loss()


async def _left_as_it_is(_: Connection) -> None:
    """Every setting that this program makes ends with its transaction: nothing has to be undone."""


def _session(role: Role) -> dict[str, str]:
    """What holds for a connection. Plans are made for each call: one made for another scope may read the whole table."""
    settings = {
        "application_name": "webrag",
        "search_path": f"{SCHEMA}, public",
        "plan_cache_mode": "force_custom_plan",
        "statement_timeout": f"{STATEMENT_SECONDS}s",
        "lock_timeout": f"{LOCK_SECONDS}s",
        "idle_in_transaction_session_timeout": f"{STATEMENT_SECONDS}s",
        "jit": "off",
    }
    return {**settings, "role": role.value} if role.value else settings


def _scope(rights: Rights, lasts: str = "LOCAL") -> str:
    """The statement that tells row security what may be read and written, until the transaction or the session ends."""
    readable, writable = (",".join(str(int(each)) for each in ids) for ids in (rights.readable, rights.writable))
    return f"SET {lasts} webrag.readable = '{readable}'; SET {lasts} webrag.writable = '{writable}'"


def check_address(address: str) -> None:
    """Raise InvalidArgumentError for what is no address of a database; the message holds no password."""
    try:
        parts = urlsplit(address)
    except ValueError:
        raise _unreadable_address() from None
    if parts.scheme not in ("postgresql", "postgres"):
        raise InvalidArgumentError("The address of a library begins with postgresql://.", hint=_AS_FOLLOWS)
    # A password with one of / ? # in it ends the host early, and the rest would stand in messages.
    if "@" in parts.path or parts.fragment:
        raise _unreadable_address()


def _too_many() -> CorpusBusyError:
    return CorpusBusyError("Too many calls wait for the database.")


def _unreadable_address() -> InvalidArgumentError:
    return InvalidArgumentError("The address of the library cannot be read.", hint=_AS_FOLLOWS)


def place_of_database(address: str) -> str:
    """Host and database of an address, for messages: never user, password or options."""
    parts = urlsplit(address)
    return f"{parts.hostname or 'this machine'}{parts.path}"


@contextmanager
def in_words(address: str, note: Callable[[str, BaseException], None] | None = None) -> Iterator[None]:
    """Turn what the driver raises into errors of the program, which name the database and quote the server.

    With `note` this is only noted; the errors, which may go to everybody who signs in, say neither.
    """
    try:
        yield
    except (*_AWAY, *_NO_TEXT, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        told = _error(error, f" at {place_of_database(address)}", f" ({_brief(error)})")
        if note is not None and not isinstance(told, InvalidArgumentError):
            note(told.message, error)
            told = _error(error)
        raise told from error


def _error(error: BaseException, where: str = "", why: str = "") -> WebRAGError:
    """The error of the program for one of the driver."""
    if isinstance(error, _BUSY):
        return CorpusBusyError(f"The library{where} is busy{why}.")
    if isinstance(error, _FORBIDDEN):
        is_stranger = where and isinstance(error, asyncpg.InvalidAuthorizationSpecificationError)
        return DatabaseRefusesError(f"The database{where} refuses this{why}.", hint=_WHO if is_stranger else None)
    # A role that is not there is refused before anything of the library is asked for.
    is_without_role = isinstance(error, asyncpg.InvalidParameterValueError) and f'"{SCHEMA}_' in str(error)
    if isinstance(error, _NOT_SET_UP) or is_without_role:
        return CorpusError(f"There is no library{where or ' in the database'}{why}.", hint=_SET_UP)
    if isinstance(error, _NO_TEXT) or (
        isinstance(error, asyncpg.DataError) and isinstance(error.__cause__, UnicodeEncodeError)
    ):
        return InvalidArgumentError("The text holds characters that cannot be stored.")
    if isinstance(error, _AWAY):
        return LibraryAwayError(f"The library{where} does not answer{why}.")
    if isinstance(error, asyncpg.DiskFullError):
        return DiskFullError(f"The disk of the database{where} is full.")
    return CorpusError(f"The library{where} cannot be used{why}.", hint=_SEE_LOG)


_AS_FOLLOWS: Final = (
    "Give it as postgresql://USER@HOST:PORT/DATABASE, with the password in PGPASSWORD or a .pgpass file; in an address"
    " the signs / ? # @ of a password are written %2F %3F %23 %40."
)
_WHO: Final = "Check the user in the address and its password in PGPASSWORD or a .pgpass file, and whether pg_hba.conf lets it in."
_SET_UP: Final = "Set it up once: webrag library init."
_SEE_LOG: Final = "See the log of the database server."


def _brief(error: BaseException) -> str:
    """The first line of an error, never what it says of values."""
    first: Iterable[str] = str(error).splitlines()
    return next(iter(first), "")[:200] or type(error).__name__
