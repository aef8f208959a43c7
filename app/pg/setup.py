"""Set up a shared library, migrate its schema, describe its state, and change its embedding model."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

import asyncpg

from app.errors import CorpusBusyError, CorpusError, CorpusTooNewError, DatabaseRefusesError, EmbeddingMismatchError
from app.library.records import EmbeddingModel
from app.pg.connections import Connections
from app.pg.schema import MIGRATIONS, ROLES
from app.pg.sessions import TABLE_PAUSE_SECONDS, TABLE_SECONDS, Connection, Role
from app.pg.words import field_texts, length_of
from app.pg.writing import STORE_WORDS
from app.text.scripts import indexed_beside
from app.text.sentence import sentence

log = logging.getLogger(__name__)

OLDEST_SERVER: Final = 170_000
OLDEST_VECTOR: Final = (0, 8, 4)  # Oldest supported pgvector: earlier ones could corrupt their index during VACUUM.
MAX_DIMENSION: Final = 4_000  # Largest dimension of an index on half-precision vectors.
_ALLOWED_TO_INIT: Final = (
    "Run it as a user who owns the database and can create roles. If this user cannot create the extension, an administrator"
    " has to run CREATE EXTENSION vector in this database first."
)
MIGRATION_LOCK: Final = 0x77656272_6167  # Advisory lock that prevents two programs from migrating at the same time.
SEARCH_INDEXES: Final = {
    "chunk_words_by_word": "chunk_words USING gin(words)",
    "embeddings_by_vector": "embeddings USING hnsw(vector halfvec_cosine_ops)",
}  # Indexes that take long to build. They are built outside migrations, while nodes read and write.
BUILT: Final = """
SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE c.relnamespace = 'webrag'::regnamespace AND c.relname = ANY($1) AND i.indisvalid
"""
SERVER: Final = "SHOW server_version"
COUNT_ANEW: Final = "ANALYZE documents, document_texts, links, chunks, chunk_words, embeddings, waiting"
BUILD_LOCK: Final = MIGRATION_LOCK + 1
PASSAGES_AT_ONCE: Final = 1_000  # Chunks per transaction: a writer of one of them waits until it ends.
PASSAGES: Final = """
SELECT c.id, c.document_id, c.collection_id, d.title, c.section_path, c.text, c.identifiers
FROM chunks c JOIN documents d ON d.id = c.document_id AND d.collection_id = c.collection_id
WHERE c.id > $1 ORDER BY c.id LIMIT $2
"""
NAME: Final = """
UPDATE chunks c SET identifiers = given.identifiers FROM unnest($1::bigint[], $2::int[], $3::text[]) AS given(id, collection, identifiers)
WHERE c.id = given.id AND c.collection_id = given.collection
"""


@dataclass(frozen=True, slots=True)
class LibraryState:
    """The contents of a shared library. `schema` is 0 before setup; `pending` counts missing migrations."""

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
    """Create missing roles, extension and tables; return the schema number. Raises EmbeddingMismatchError."""
    check_dimension(model)
    try:
        with closing(Connections(address, Role.LOGIN, size=1)) as with_login:
            with_login.outside(lambda con: con.execute(ROLES))
    except DatabaseRefusesError as error:
        raise DatabaseRefusesError(str(error), hint=_ALLOWED_TO_INIT) from error
    return migrate(address, model)


def migrate(address: str, model: EmbeddingModel | None = None) -> int:
    """Apply the missing migrations, each in a transaction; return the schema number. Raises CorpusTooNewError."""
    with closing(Connections(address, Role.OWNER, size=1)) as owner:
        owner.outside(check_versions)
        number = -1
        while number < len(MIGRATIONS):
            try:
                number = owner.write(lambda con: _one_step(con, model))
            except CorpusBusyError as error:
                if not isinstance(error.__cause__, asyncpg.LockNotAvailableError):
                    raise
                log.warning("a table is in use; trying the migration again in %d s", TABLE_PAUSE_SECONDS)
                time.sleep(TABLE_PAUSE_SECONDS)
        owner.outside(_index_unseen_words)
        owner.outside(_build_indexes)
        return number


def build_indexes(address: str) -> list[str]:
    """Build missing or invalid search indexes while nodes run, and update statistics; return those built."""
    with closing(Connections(address, Role.OWNER, size=1)) as owner:
        built = owner.outside(_build_indexes)
        owner.outside(lambda con: con.execute(COUNT_ANEW))
        return built


def drop_search_indexes(address: str) -> bool:
    """Drop the word and vector indexes of an empty library for a bulk load; return whether it was empty."""

    async def work(con: Connection) -> bool:
        if await con.fetchval("SELECT EXISTS (SELECT FROM chunks)"):
            return False
        await con.execute(f"DROP INDEX IF EXISTS {', '.join(SEARCH_INDEXES)}")
        return True

    with closing(Connections(address, Role.OWNER, size=1)) as owner:
        return owner.write(work)


def state(address: str) -> LibraryState:
    """Return the state of the library; needs a role that can read all of it."""
    with closing(Connections(address, Role.OWNER, size=1)) as owner:
        # Counting a large library takes longer than the timeout of a call.
        return owner.read(_state, settings="SET LOCAL statement_timeout = 0")


async def check_versions(con: Connection) -> None:
    """Raise CorpusError if the server or its extension is too old."""
    number = int(await con.fetchval("SHOW server_version_num"))
    if number < OLDEST_SERVER:
        raise CorpusError(
            sentence("PostgreSQL {} is too old.", number // 10_000),
            hint=sentence("Install PostgreSQL {} or newer.", OLDEST_SERVER // 10_000),
        )
    found = await con.fetchval("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    wanted = ".".join(map(str, OLDEST_VECTOR))
    if found is None:
        raise CorpusError(sentence("The database does not have pgvector."), hint="Set it up with webrag admin init.")
    if tuple(int(part) for part in found.split(".") if part.isdigit()) < OLDEST_VECTOR:
        raise CorpusError(
            sentence("pgvector {} is too old: versions before {} can damage their index.", found, wanted),
            hint=sentence("Install pgvector {} or newer, then run ALTER EXTENSION vector UPDATE.", wanted),
        )


def check_dimension(model: EmbeddingModel) -> None:
    """Raise CorpusError if vectors of the model are too long for an index."""
    if not 0 < model.dimension <= MAX_DIMENSION:
        raise CorpusError(
            sentence("The model has {} dimensions; the limit is {}.", model.dimension, MAX_DIMENSION),
            hint="Choose a smaller model.",
        )


def check_model(known: EmbeddingModel, wanted: EmbeddingModel) -> None:
    """Raise EmbeddingMismatchError if the library has another model."""
    if known != wanted:
        raise EmbeddingMismatchError(
            sentence("The library has another model ({} dimensions, {}).", known.dimension, known.fingerprint[:12]),
            hint="Use a version of WebRAG with that model, or create another library for this one. To change the model and embed every"
            " page again, run webrag admin migrate --reindex.",
        )


async def check_schema(con: Connection, *, may_be_newer: bool = False) -> EmbeddingModel:
    """Return the model. Raises CorpusTooNewError for a newer schema if it may not be, CorpusError for an older one."""
    number = await _number(con)
    if number > len(MIGRATIONS) and not may_be_newer:
        raise _too_new(number)
    if number < len(MIGRATIONS):
        raise CorpusError(
            sentence("The library has schema {}; this program needs {}.", number, len(MIGRATIONS)),
            hint="Run webrag admin migrate.",
        )
    model = await _model(con)
    if model is None:
        raise CorpusError(sentence("The library does not name an embedding model."), hint="Restore it from a backup.")
    return model


async def _one_step(con: Connection, model: EmbeddingModel | None) -> int:
    await con.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
    await con.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
    number = await _number(con)
    if number > len(MIGRATIONS):
        raise _too_new(number)
    known = await _model(con) if number else model
    if known is None:
        raise CorpusError(
            sentence("This database does not contain a library."), hint="Set it up with webrag admin init."
        )
    if model is not None:
        check_model(known, model)
    if number == len(MIGRATIONS):
        return number
    await con.execute(f"SET LOCAL lock_timeout = '{TABLE_SECONDS}s'")
    await con.execute(MIGRATIONS[number].replace("{dimension}", str(int(known.dimension))))
    note = "INSERT INTO meta(key, value) VALUES($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
    for key, value in (("schema", str(number + 1)), ("model", value_of(known))):
        await con.execute(note, key, value)
    return number + 1


async def _build_indexes(con: Connection) -> list[str]:
    """Return at once if another program is building: waiting here would block its build."""
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


async def _index_unseen_words(con: Connection) -> None:
    """Index words of scripts without spaces and with letters in other forms, once per library."""
    if await con.fetchval("SELECT EXISTS (SELECT FROM meta WHERE key = 'unseen_words')"):
        return
    last = 0
    while rows := await con.fetch(PASSAGES, last, PASSAGES_AT_ONCE):
        last = rows[-1]["id"]
        if changed := [row for row in map(_word_row, rows) if row is not None]:
            ids, documents, collections, identifiers, lengths, *texts = map(list, zip(*changed, strict=True))
            async with con.transaction():
                await con.execute(NAME, ids, collections, identifiers)
                await con.execute(STORE_WORDS, ids, documents, collections, lengths, *texts)
    await con.execute("INSERT INTO meta(key, value) VALUES('unseen_words', 'true') ON CONFLICT DO NOTHING")


def _word_row(row: Any) -> tuple[Any, ...] | None:
    """Return IDs, identifiers, length and fields of a chunk whose index lacks words; None if it is complete."""
    path, known = row["section_path"], row["identifiers"]
    identifiers = indexed_beside(known, row["title"], *path, row["text"])
    if identifiers == known:
        return None
    texts = field_texts(row["title"], " ".join(path), row["text"], identifiers)
    return (row["id"], row["document_id"], row["collection_id"], identifiers, length_of(texts), *texts)


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
        sentence("The library has schema {}; this program supports up to {}.", number, len(MIGRATIONS)),
        hint="Update WebRAG.",
    )


IS_OF: Final = "(SELECT value FROM meta WHERE key = 'model') = {model}::jsonb"
"""Condition that the library has this model. Every vector search uses it: vectors of another model are not comparable, and may have
another dimension."""
TABLE_TRIES: Final = 24  # Attempts to lock a table, of TABLE_SECONDS each, before the change is given up.
_STORE_LOCK: Final = MIGRATION_LOCK + 2  # Shared while storing vectors, exclusive while changing the model.
ALL_WAIT: Final = """
INSERT INTO waiting(chunk_id, document_id, collection_id) SELECT c.id, c.document_id, c.collection_id FROM chunks c FOR KEY SHARE
ON CONFLICT (chunk_id) DO UPDATE SET leased_by = NULL, lease_until = NULL WHERE waiting.leased_by IS NOT NULL
"""
"""Waits for and leaves out chunks that are being deleted. New chunks are added by their own writer."""
LOCK_TABLES: Final = """
LOCK TABLE embeddings IN ACCESS EXCLUSIVE MODE;
LOCK TABLE token_signs IN ACCESS EXCLUSIVE MODE
"""
"""In the order in which searches use them."""


def value_of(model: EmbeddingModel) -> str:
    """Return the model as stored in `meta`."""
    return json.dumps({"fingerprint": model.fingerprint, "dimension": model.dimension})


def check_still(known: EmbeddingModel, own: EmbeddingModel) -> None:
    """Raise EmbeddingMismatchError if the model of the library has changed since this program opened it."""
    if known != own:
        raise EmbeddingMismatchError(
            sentence("The library has another model now ({} dimensions, {}).", known.dimension, known.fingerprint[:12]),
            hint="Restart this node with a version of WebRAG that has this model. Until then, it only supports keyword search.",
        )


async def check_may_store(con: Connection, own: EmbeddingModel) -> None:
    """Lock the model and check that its vectors can be stored. Raises EmbeddingMismatchError, CorpusBusyError."""
    if not await con.fetchval("SELECT pg_try_advisory_xact_lock_shared($1)", _STORE_LOCK):
        raise CorpusBusyError(
            sentence("The embedding model of the library is being changed; pages cannot be embedded now.")
        )
    check_still(await check_schema(con), own)


def reindex(address: str, model: EmbeddingModel) -> bool:
    """Change the library to this model; return whether it had another. Raises CorpusBusyError."""
    check_dimension(model)
    with closing(Connections(address, Role.OWNER, size=1)) as owner:
        owner.outside(check_versions)
        is_changed = owner.write(lambda con: _change(con, model))
    if is_changed:
        build_indexes(address)
    return is_changed


async def _change(con: Connection, model: EmbeddingModel) -> bool:
    await con.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
    await con.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
    if await check_schema(con) == model:
        return False
    if not await con.fetchval("SELECT pg_try_advisory_xact_lock($1)", BUILD_LOCK):
        raise CorpusBusyError(sentence("Another program is building an index."), hint="Try again when it is done.")
    # From here on, vectors cannot be stored: otherwise a chunk could get one that is deleted below and never be embedded again.
    await con.execute("SELECT pg_advisory_xact_lock($1)", _STORE_LOCK)
    # Otherwise PostgreSQL plans the foreign-key check of each row again, which takes most of the time.
    await con.execute("SET LOCAL plan_cache_mode = force_generic_plan")
    await con.execute(ALL_WAIT)
    # A few seconds at a time, because later readers queue behind the lock.
    for _ in range(TABLE_TRIES):
        await con.execute(f"SAVEPOINT tables; SET LOCAL lock_timeout = '{TABLE_SECONDS}s'")
        try:
            await con.execute(LOCK_TABLES)
            break
        except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError):
            await con.execute("ROLLBACK TO SAVEPOINT tables")
            log.warning("the vector tables are in use; trying again in %d s", TABLE_PAUSE_SECONDS)
            await asyncio.sleep(TABLE_PAUSE_SECONDS)
    else:
        raise CorpusBusyError(
            sentence("Another program is reading the vector tables; nothing has changed."),
            hint="Try again when the running backup or export has finished.",
        )
    # After the slow part: readers wait from here to the end.
    await con.execute("TRUNCATE embeddings, token_signs")
    await con.execute(f"ALTER TABLE embeddings ALTER vector TYPE halfvec({int(model.dimension)})")
    await con.execute("UPDATE meta SET value = $1::jsonb WHERE key = 'model'", value_of(model))
    return True
