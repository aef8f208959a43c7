"""Roles, rights and settings of a PostgreSQL connection, its errors as messages, and the SQL conditions for scopes and rights."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import asyncpg

from app import errors
from app.library.scope import BEHIND_SLASH, EVERYTHING, LAST_CHARACTER, Filter, label_named
from app.text.sentence import sentence

log = logging.getLogger(__name__)

Connection: TypeAlias = Any  # A connection of the driver, inside a transaction.

SCHEMA: Final = "webrag"
STATEMENT_SECONDS: Final = 60
LOCK_SECONDS: Final = 10
TABLE_SECONDS: Final = 3.0  # Wait for a table lock, short because all later statements queue behind it.
TABLE_PAUSE_SECONDS: Final = 5.0  # Seconds before the next attempt.
UNDO_SECONDS: Final = 3.0  # For a rollback, as a server ignores a cancel request that comes too early.
LOST_SECONDS: Final = 10  # Without network acknowledgment, where the system supports it.
FIND_EXTENSION: Final = f"""
SELECT set_config('search_path', '{SCHEMA}, public' || coalesce((
  SELECT ', ' || quote_ident(n.nspname) FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
  WHERE e.extname = 'vector' AND n.nspname <> 'public'), ''), {{is_local}})
"""
"""The extension is in `public` or, with some providers, in a separate schema."""
_BUSY: Final = (
    asyncpg.DeadlockDetectedError,
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.SerializationError,
    asyncpg.TooManyConnectionsError,
)
TRIED_AGAIN: Final = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
AWAY: Final = (
    OSError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.PostgresConnectionError,
    asyncpg.InternalClientError,
)
_FORBIDDEN: Final = (asyncpg.InsufficientPrivilegeError, asyncpg.InvalidAuthorizationSpecificationError)
_NOT_SET_UP: Final = (asyncpg.InvalidCatalogNameError, asyncpg.UndefinedTableError, asyncpg.InvalidSchemaNameError)
_NO_TEXT: Final = (UnicodeEncodeError, asyncpg.CharacterNotInRepertoireError, asyncpg.UntranslatableCharacterError)


class Role(StrEnum):
    """The database role of a connection, independent of the user that signed in."""

    LOGIN = ""  # The signed-in user; for setting up a library.
    OWNER = "webrag_owner"  # Changes tables.
    NODE = "webrag_node"  # Reads and writes rows.
    READER = "webrag_reader"  # Reads rows.


@dataclass(frozen=True, slots=True)
class Rights:
    """The collections that a call can read and write, the author of its changes, and its names in grants."""

    readable: tuple[int, ...] = ()
    writable: tuple[int, ...] = ()
    subject: str = ""
    principals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownRights:
    """Rights of `subject` that could not be determined because of `error`. Any use of them raises it."""

    error: errors.WebRAGError
    subject: str


NOTHING: Final = Rights()
_ACTING: Final[ContextVar[Rights | UnknownRights]] = ContextVar("rights", default=NOTHING)


def current_rights() -> Rights:
    """Return the rights of the running call, none outside one. Raises the error that prevented determining them."""
    acting = _ACTING.get()
    if isinstance(acting, UnknownRights):
        raise type(acting.error)(acting.error.message, hint=acting.error.hint)
    return acting


def rights_to_note() -> Rights:
    """Return the rights of the running call for the audit log; unknown ones count as none."""
    acting = _ACTING.get()
    return Rights(subject=acting.subject) if isinstance(acting, UnknownRights) else acting


@contextmanager
def acting_with(rights: Rights | UnknownRights) -> Iterator[None]:
    """Use these rights for everything called inside, including threads and tasks that inherit the context."""
    token = _ACTING.set(rights)
    try:
        yield
    finally:
        _ACTING.reset(token)


class ScopedConnection(asyncpg.Connection):  # type: ignore[misc]
    """A connection that knows the rights for reading outside transactions, and since when it has been idle."""

    _readable: tuple[int, ...] | None = None
    _is_taken = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.made_at = self.idle_since = self._loop.time()

    def take(self) -> None:
        """Mark the connection as in use."""
        self._is_taken = True

    def give_back(self) -> None:
        """Mark the connection as idle."""
        self._is_taken, self.idle_since = False, self._loop.time()

    def is_idle(self) -> bool:
        """Whether it is open and idle."""
        return not self._is_taken and not self.is_closed()

    async def read_with(self, rights: Rights) -> None:
        """Set these rights for row security until the next call with other ones."""
        if self._readable != rights.readable:
            self._readable = None
            await self.execute(scope(Rights(rights.readable), lasts="SESSION"))
            self._readable = rights.readable

    def notice_loss(self) -> None:
        """Let the system end the connection when packets are lost; nothing else detects a firewall that dropped it."""
        opened = self._transport.get_extra_info("socket")
        if opened is None or opened.family not in (socket.AF_INET, socket.AF_INET6):
            return
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        probes = {"TCP_KEEPIDLE": LOST_SECONDS, "TCP_KEEPINTVL": LOST_SECONDS // 3, "TCP_KEEPCNT": 3}
        for name, value in {**probes, "TCP_USER_TIMEOUT": 1_000 * LOST_SECONDS}.items():
            if (option := getattr(socket, name, None)) is not None:
                opened.setsockopt(socket.IPPROTO_TCP, option, value)


async def taken(con: Connection) -> None:
    """Prepare a connection that the pool hands out."""
    con.take()


async def given_back(con: Connection) -> None:
    """Do nothing to reset the connection: every setting of this program ends with its transaction."""
    con.give_back()


async def ended(con: Connection, held: AsyncExitStack) -> None:
    """End a read-only transaction and return its connection to the pool."""
    async with held:
        try:
            await con.execute("COMMIT")
        except (TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            log.info("a read transaction could not be ended (%s)", brief(error))
            cut(con)


def cut(con: Connection) -> None:
    """Drop a connection, unless the pool has already lost it."""
    with suppress(asyncpg.InterfaceError):
        con.terminate()


async def rolled_back(con: Connection) -> None:
    """Roll back after an error. An error of the rollback is ignored in favor of the original one."""
    try:
        if not con.is_closed():
            async with asyncio.timeout(UNDO_SECONDS):
                await con.execute("ROLLBACK")
    except (TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        log.info("a rollback failed (%s)", brief(error))
        cut(con)


def session(role: Role) -> dict[str, str]:
    """Return the settings of a connection. Each call is planned on its own: a plan for another scope could read the whole table."""
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


def set_in_transaction(role: Role) -> str:
    """Return the statements for a transaction behind a pooler, where connections do not keep settings."""
    settings = {name: value for name, value in session(role).items() if name not in ("application_name", "search_path")}
    given = "".join(f"SET LOCAL {name} = '{value}'; " for name, value in settings.items())
    return f"{given}{FIND_EXTENSION.format(is_local='true')}; "


def scope(rights: Rights, lasts: str = "LOCAL") -> str:
    """Return the statement that sets the rights for row security, until the transaction or session ends."""
    readable, writable = (",".join(str(int(each)) for each in ids) for ids in (rights.readable, rights.writable))
    return f"SET {lasts} webrag.readable = '{readable}'; SET {lasts} webrag.writable = '{writable}'"


def check_address(address: str) -> None:
    """Raise InvalidArgumentError unless this is a database address; the message never contains the password."""
    try:
        parts = urlsplit(address)
    except ValueError:
        raise unreadable_address() from None
    if parts.scheme not in ("postgresql", "postgres"):
        raise errors.InvalidArgumentError(sentence("The address must start with postgresql://."), hint=_AS_FOLLOWS)
    # An unescaped / ? or # in a password ends the host early, so that messages would contain the rest of it.
    if "@" in parts.path or parts.fragment:
        raise unreadable_address()


def unreadable_address() -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(sentence("The database address is not valid."), hint=_AS_FOLLOWS)


def place_of_database(address: str) -> str:
    """Return host and database of an address for messages: never user, password or options."""
    parts = urlsplit(address)
    return f"{parts.hostname or 'this computer'}{parts.path}"


@contextmanager
def in_words(address: str, note: Callable[[str, BaseException], None] | None = None) -> Iterator[None]:
    """Convert errors of the driver to ours; with `note`, what names the database goes only to the log."""
    try:
        yield
    except (*AWAY, *_NO_TEXT, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        told = _error(error, sentence(" at {}", place_of_database(address)), f" ({brief(error)})")
        if note is not None and not isinstance(told, errors.InvalidArgumentError):
            note(told.message, error)
            told = _error(error)
        raise told from error


def _error(error: BaseException, where: str = "", why: str = "") -> errors.WebRAGError:
    if isinstance(error, _BUSY):
        return errors.CorpusBusyError(sentence("The library{} is busy{}.", where, why))
    if isinstance(error, _FORBIDDEN):
        is_stranger = where and isinstance(error, asyncpg.InvalidAuthorizationSpecificationError)
        return errors.DatabaseRefusesError(
            sentence("The database{} denied access{}.", where, why), hint=_WHO if is_stranger else None
        )
    # A missing role is refused before the library is queried.
    is_without_role = isinstance(error, asyncpg.InvalidParameterValueError) and f'"{SCHEMA}_' in str(error)
    if isinstance(error, _NOT_SET_UP) or is_without_role:
        hint = _MAKE_DATABASE if isinstance(error, asyncpg.InvalidCatalogNameError) else _SET_UP
        return errors.CorpusError(sentence("The shared library{} is not set up{}.", where, why), hint=hint)
    if isinstance(error, _NO_TEXT) or (
        isinstance(error, asyncpg.DataError) and isinstance(error.__cause__, UnicodeEncodeError)
    ):
        return errors.InvalidArgumentError(sentence("The text contains characters that cannot be stored."))
    # The driver has no error type for a connection that ended before a statement was sent.
    said = str(error) if type(error) is asyncpg.InterfaceError else ""
    if isinstance(error, AWAY) or any(each in said for each in ("closed", "closing", "released back")):
        return errors.LibraryAwayError(sentence("The library{} is not reachable{}.", where, why))
    if isinstance(error, asyncpg.DiskFullError):
        return errors.DiskFullError(sentence("The disk of the database{} is full.", where))
    return errors.CorpusError(sentence("The library{} cannot be used{}.", where, why), hint=_SEE_LOG)


_AS_FOLLOWS: Final = (
    "Use postgresql://USER@HOST:PORT/DATABASE, with the password in PGPASSWORD or a .pgpass file. In the address,"
    " write / ? # @ of a password as %2F %3F %23 %40."
)
_WHO: Final = "Check the user in the address, its password in PGPASSWORD or a .pgpass file, and pg_hba.conf."
_SET_UP: Final = "Set it up with webrag admin init."
_MAKE_DATABASE: Final = "Create the database with createdb NAME, then set it up with webrag admin init."
_SEE_LOG: Final = "Check the log of the database server."


def brief(error: BaseException) -> str:
    """Return the first line of an error, without values."""
    first: Iterable[str] = str(error).splitlines()
    return next(iter(first), "")[:200] or type(error).__name__


INDEXED_PATH_CHARS: Final = 200
DOCUMENTS: Final = "d.collection_id = ANY($1) AND NOT d.is_quarantined"
"""The visible rows of `documents d`; the first parameter is the readable collections."""


def shown(table: str) -> str:
    """Return the condition for a table with collection and document in each row. Excludes quarantined pages."""
    hidden = "SELECT q.id FROM documents q WHERE q.is_quarantined AND q.collection_id = ANY($1)"
    return f"{table}.collection_id = ANY($1) AND {table}.document_id <> ALL(ARRAY({hidden}))"


class Scope:
    """A condition on `documents d` with its parameters; the first is the readable collections, `value` adds more."""

    def __init__(self, rights: Rights, filter: Filter = EVERYTHING) -> None:
        self.values: list[Any] = [list(rights.readable)]
        parts = list(self._parts(filter))
        self.is_restricted = bool(parts)
        self.documents = " AND ".join([DOCUMENTS, *parts])

    def value(self, value: object) -> str:
        """Add a parameter and return its name."""
        self.values.append(value)
        return f"${len(self.values)}"

    def rows(self, table: str) -> str:
        """Return the condition for a table with collection and document in each row."""
        if not self.is_restricted:
            return shown(table)
        inside = f"SELECT d.id FROM documents d WHERE {self.documents}"
        return f"{table}.collection_id = ANY($1) AND {table}.document_id IN ({inside})"

    def _parts(self, wanted: Filter) -> Iterator[str]:
        if wanted.document_ids:
            yield f"d.id = ANY({self.value(list(wanted.document_ids))})"
        if wanted.urls:
            urls = self.value(storable(wanted.urls))
            aliases = f"SELECT a.document_id FROM aliases a WHERE a.collection_id = ANY($1) AND a.url = ANY({urls})"
            yield f"(d.url = ANY({urls}) OR d.id IN ({aliases}))"
        if wanted.url_prefix:
            yield self._begins("d.url", wanted.url_prefix)
        if wanted.path_prefix:
            yield self._begins(f"left(d.doc_path, {INDEXED_PATH_CHARS})", wanted.path_prefix[:INDEXED_PATH_CHARS])
            yield f"starts_with(d.doc_path, {self.value(wanted.path_prefix)})"
        for group in wanted.doc_tags:
            yield f"({' OR '.join(self._tagged(each) for each in group) or 'false'})"
        if wanted.changed_after is not None:
            yield f"d.changed_at >= {self.value(wanted.changed_after)}"

    def _begins(self, column: str, prefix: str) -> str:
        low, high = self.value(prefix), self.value(prefix + LAST_CHARACTER)
        return f'{column} COLLATE "C" >= {low} AND {column} COLLATE "C" < {high}'

    def _tagged(self, tag: str | int) -> str:
        if isinstance(tag, int):
            return f"d.id = {self.value(tag)}"
        label = label_named(tag)
        if label is not None:
            kind, name = label
            raise errors.UnknownLabelError(
                sentence("{}:{} does not exist in a shared library.", kind, repr(name)),
                hint="Private collections and tags exist only in the private library.",
            )
        own = self.value(tag.lower())
        low, high = self.value(f"{tag.lower()}/"), self.value(f"{tag.lower()}/"[:-1] + BEHIND_SLASH)
        folded = "lower(d.doc_tag)"
        return f"({folded} = {own} OR ({folded} >= {low} AND {folded} < {high}))"


def storable(texts: tuple[str, ...]) -> list[str]:
    """Return the texts that PostgreSQL can store; others cannot match anything."""
    return [text for text in texts if "\0" not in text]
