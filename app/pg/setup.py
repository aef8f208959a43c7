"""Setting up a shared library, bringing its schema up to date, and what state it is in."""

from __future__ import annotations

import json
import logging
import time
from contextlib import closing
from dataclasses import dataclass
from typing import Final

import asyncpg

from app.errors import CorpusBusyError, CorpusError, CorpusTooNewError, DatabaseRefusesError, EmbeddingMismatchError
from app.library.records import EmbeddingModel
from app.pg.connections import Connections
from app.pg.reindexing import index_unseen_words
from app.pg.schema import MIGRATIONS, ROLES
from app.pg.sessions import TABLE_PAUSE_SECONDS, TABLE_SECONDS, Connection, Role

log = logging.getLogger(__name__)

OLDEST_SERVER: Final = 170_000
OLDEST_VECTOR: Final = (0, 8, 4)
"""pgvector before it could damage its index while vacuuming."""
MAX_DIMENSION: Final = 4_000
"""Of an index on half-precision vectors."""

_ALLOWED_TO_INIT: Final = (
    "Run it as a user who may create roles and owns the database; where that one may not create the extension, an"
    " administrator runs CREATE EXTENSION vector in this database first."
)
MIGRATION_LOCK: Final = 0x77656272_6167
"""The number of the advisory lock that keeps two programs from migrating at once."""


SEARCH_INDEXES: Final = {
    "chunk_words_by_word": "chunk_words USING gin(words)",
    "embeddings_by_vector": "embeddings USING hnsw(vector halfvec_cosine_ops)",
}
"""Those that take long to build: they are built while nodes read and write, outside of any migration."""
BUILT: Final = """
SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE c.relnamespace = 'webrag'::regnamespace AND c.relname = ANY($1) AND i.indisvalid
"""
SERVER: Final = "SHOW server_version"
COUNT_ANEW: Final = "ANALYZE documents, document_texts, links, chunks, chunk_words, embeddings, waiting"
BUILD_LOCK: Final = MIGRATION_LOCK + 1


@dataclass(frozen=True, slots=True)
class LibraryState:
    """What a shared library consists of. `schema` is 0 before it is set up; `pending` counts migrations that it lacks."""

    server: str
    vector: str
    schema: int
    pending: int
    model: EmbeddingModel | None
    collections: tuple[str, ...]
    documents: int
    chunks: int
    waiting: int
    bytes: int


def init(address: str, model: EmbeddingModel) -> int:
    """Make roles, extension and tables, as far as they lack; returns the number of the schema.

    The signed-in user must be allowed to create roles and the extension. Raises CorpusError where the server is too old, and
    EmbeddingMismatchError where the library holds vectors of another model.
    """
    check_dimension(model)
    try:
        with closing(Connections(address, Role.LOGIN, size=1)) as with_login:
            with_login.outside(lambda con: con.execute(ROLES))
    except DatabaseRefusesError as error:
        raise DatabaseRefusesError(str(error), hint=_ALLOWED_TO_INIT) from error
    return migrate(address, model)


def migrate(address: str, model: EmbeddingModel | None = None) -> int:
    """Apply the migrations that the library lacks, each in a transaction; returns the number of the schema.

    `model` is needed for the first one only. Several programs may call it at once. Raises CorpusTooNewError for a schema that this
    program does not know.
    """
    with closing(Connections(address, Role.OWNER, size=1)) as owner:
        owner.outside(check_versions)
        number = -1
        while number < len(MIGRATIONS):
            try:
                number = owner.write(lambda con: _one_step(con, model))
            except CorpusBusyError as error:
                if not isinstance(error.__cause__, asyncpg.LockNotAvailableError):
                    raise
                log.warning("a table is in use for long: the migration is tried again in %d s", TABLE_PAUSE_SECONDS)
                time.sleep(TABLE_PAUSE_SECONDS)
        owner.outside(index_unseen_words)
        owner.outside(_build_indexes)
        return number


def build_indexes(address: str) -> list[str]:
    """Build the indexes of words and vectors that lack or that a broken build left, while nodes go on; the names of those built.

    What the database plans with is counted anew: after many rows at once its own turn comes late.
    """
    with closing(Connections(address, Role.OWNER, size=1)) as owner:
        built = owner.outside(_build_indexes)
        owner.outside(lambda con: con.execute(COUNT_ANEW))
        return built


def drop_search_indexes(address: str) -> bool:
    """Drop the indexes of words and vectors of a library that holds no passage yet, so that many are stored fast; whether it was.

    Build them afterwards.
    """

    async def work(con: Connection) -> bool:
        if await con.fetchval("SELECT EXISTS (SELECT FROM chunks)"):
            return False
        await con.execute(f"DROP INDEX IF EXISTS {', '.join(SEARCH_INDEXES)}")
        return True

    with closing(Connections(address, Role.OWNER, size=1)) as owner:
        return owner.write(work)


def state(address: str) -> LibraryState:
    """What state the library is in; needs a role that may read all of it."""
    with closing(Connections(address, Role.OWNER, size=1)) as owner:
        # To count a large library takes longer than a call may.
        return owner.read(_state, settings="SET LOCAL statement_timeout = 0")


async def check_versions(con: Connection) -> None:
    """Raise CorpusError where the server or its extension is too old."""
    number = int(await con.fetchval("SHOW server_version_num"))
    if number < OLDEST_SERVER:
        raise CorpusError(
            f"The database server is PostgreSQL {number // 10_000}.",
            hint=f"Version {OLDEST_SERVER // 10_000} or newer is needed.",
        )
    found = await con.fetchval("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    wanted = ".".join(map(str, OLDEST_VECTOR))
    if found is None:
        raise CorpusError("The database lacks pgvector.", hint="Set the library up: webrag library init.")
    if tuple(int(part) for part in found.split(".") if part.isdigit()) < OLDEST_VECTOR:
        raise CorpusError(
            f"The database has pgvector {found}; versions before {wanted} can damage their index.",
            hint=f"Install pgvector {wanted} or newer on the server, then run `ALTER EXTENSION vector UPDATE`.",
        )


def check_dimension(model: EmbeddingModel) -> None:
    """Raises CorpusError for a model whose vectors have no index."""
    if not 0 < model.dimension <= MAX_DIMENSION:
        raise CorpusError(f"A model of {model.dimension} dimensions cannot be used here; {MAX_DIMENSION} are the most.")


def check_model(known: EmbeddingModel, wanted: EmbeddingModel) -> None:
    """Raises EmbeddingMismatchError for a library whose vectors are of another model than is wanted."""
    if known != wanted:
        raise EmbeddingMismatchError(
            f"The library holds vectors of another model ({known.dimension} dimensions, {known.fingerprint[:12]}).",
            hint="Use it with the version of this program that has that model, or make another library for this one. To make it one of this"
            " model, with every page prepared anew for search by meaning: webrag library migrate --reindex.",
        )


async def check_schema(con: Connection, *, may_be_newer: bool = False) -> EmbeddingModel:
    """The model of a library whose schema is the one that this program knows, or a newer one where a program asks that runs already.

    Raises CorpusTooNewError for a newer schema and CorpusError for an older one.
    """
    number = await _number(con)
    if number > len(MIGRATIONS) and not may_be_newer:
        raise _too_new(number)
    if number < len(MIGRATIONS):
        raise CorpusError(
            f"The library has schema {number}; this program needs {len(MIGRATIONS)}.",
            hint="Run webrag library migrate.",
        )
    model = await _model(con)
    if model is None:
        raise CorpusError("The library names no model.", hint="Restore it from its backup.")
    return model


async def _one_step(con: Connection, model: EmbeddingModel | None) -> int:
    """Apply the next migration if there is one; the number of the schema after it."""
    await con.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
    await con.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
    number = await _number(con)
    if number > len(MIGRATIONS):
        raise _too_new(number)
    known = await _model(con) if number else model
    if known is None:
        raise CorpusError("There is no library in this database.", hint="Set it up once: webrag library init.")
    if model is not None:
        check_model(known, model)
    if number == len(MIGRATIONS):
        return number
    await con.execute(f"SET LOCAL lock_timeout = '{TABLE_SECONDS}s'")
    await con.execute(MIGRATIONS[number].replace("{dimension}", str(int(known.dimension))))
    noted = {"schema": number + 1, "model": {"fingerprint": known.fingerprint, "dimension": known.dimension}}
    for key, value in noted.items():
        await con.execute(
            "INSERT INTO meta(key, value) VALUES($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            key,
            json.dumps(value),
        )
    return number + 1


async def _build_indexes(con: Connection) -> list[str]:
    """Whoever comes while another program builds leaves it to that one: who waited would be waited for."""
    for bound in ("statement_timeout", "lock_timeout"):
        await con.execute(f"SET {bound} = 0")
    if not await con.fetchval("SELECT pg_try_advisory_lock($1)", BUILD_LOCK):
        return []
    try:
        built = {row[0] for row in await con.fetch(BUILT, list(SEARCH_INDEXES))}
        lacking = [name for name in SEARCH_INDEXES if name not in built]
        for name in lacking:
            await con.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            await con.execute(f"CREATE INDEX CONCURRENTLY {name} ON {SEARCH_INDEXES[name]}")
        return lacking
    finally:
        await con.execute("SELECT pg_advisory_unlock($1)", BUILD_LOCK)


async def _number(con: Connection) -> int:
    if await con.fetchval("SELECT to_regclass('webrag.meta')") is None:
        return 0
    return int(await con.fetchval("SELECT value FROM meta WHERE key = 'schema'") or 0)


async def _model(con: Connection) -> EmbeddingModel | None:
    stored = await con.fetchval("SELECT value FROM meta WHERE key = 'model'")
    return EmbeddingModel(**json.loads(stored)) if stored else None


async def _state(con: Connection) -> LibraryState:
    server = str(await con.fetchval(SERVER)).partition(" ")[0]
    vector = str(await con.fetchval("SELECT extversion FROM pg_extension WHERE extname = 'vector'") or "")
    size = int(await con.fetchval("SELECT pg_database_size(current_database())"))
    number = await _number(con)
    if not number:
        return LibraryState(server, vector, 0, len(MIGRATIONS), None, (), 0, 0, 0, size)
    documents, chunks, waiting = await con.fetchrow(
        "SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM chunks), (SELECT count(*) FROM waiting)"
    )
    names = await con.fetch("SELECT name FROM collections ORDER BY name")
    pending = max(0, len(MIGRATIONS) - number)
    model, collections = await _model(con), tuple(row[0] for row in names)
    return LibraryState(server, vector, number, pending, model, collections, documents, chunks, waiting, size)


def _too_new(number: int) -> CorpusTooNewError:
    return CorpusTooNewError(
        f"The library has schema {number}; this program knows up to {len(MIGRATIONS)}.", hint="Update this program."
    )
