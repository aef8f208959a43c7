"""The embedding model of a shared library: checks before vectors are stored, and the change to another model."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import closing
from typing import Final

import asyncpg

from app.errors import CorpusBusyError, EmbeddingMismatchError
from app.library.records import EmbeddingModel
from app.pg import setup
from app.pg.connections import Connections
from app.pg.sessions import TABLE_PAUSE_SECONDS, TABLE_SECONDS, Connection, Role
from app.text.sentence import sentence

log = logging.getLogger(__name__)

IS_OF: Final = "(SELECT value FROM meta WHERE key = 'model') = {model}::jsonb"
"""Condition that the library has this model. Every vector search uses it: vectors of another model are not comparable, and may have
another dimension."""
TABLE_TRIES: Final = 24  # Attempts to lock a table, of TABLE_SECONDS each, before the change is given up.
_STORE_LOCK: Final = setup.MIGRATION_LOCK + 2  # Shared while storing vectors, exclusive while changing the model.
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
    check_still(await setup.check_schema(con), own)


def reindex(address: str, model: EmbeddingModel) -> bool:
    """Change the library to this model; return whether it had another. Raises CorpusBusyError."""
    setup.check_dimension(model)
    with closing(Connections(address, Role.OWNER, size=1)) as owner:
        owner.outside(setup.check_versions)
        is_changed = owner.write(lambda con: _change(con, model))
    if is_changed:
        setup.build_indexes(address)
    return is_changed


async def _change(con: Connection, model: EmbeddingModel) -> bool:
    await con.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
    await con.execute("SELECT pg_advisory_xact_lock($1)", setup.MIGRATION_LOCK)
    if await setup.check_schema(con) == model:
        return False
    if not await con.fetchval("SELECT pg_try_advisory_xact_lock($1)", setup.BUILD_LOCK):
        raise CorpusBusyError(sentence("Another program is building an index."), hint="Try again when it is done.")
    # From here on, vectors cannot be stored: otherwise a chunk could get one that is deleted below and never be embedded again.
    await con.execute("SELECT pg_advisory_xact_lock($1)", _STORE_LOCK)
    # Otherwise PostgreSQL plans the foreign-key check of each row again, which takes most of the time.
    await con.execute("SET LOCAL plan_cache_mode = force_generic_plan")
    await con.execute(ALL_WAIT)
    await _lock_tables(con)
    # After the slow part: readers wait from here to the end.
    await con.execute("TRUNCATE embeddings, token_signs")
    await con.execute(f"ALTER TABLE embeddings ALTER vector TYPE halfvec({int(model.dimension)})")
    await con.execute("UPDATE meta SET value = $1::jsonb WHERE key = 'model'", value_of(model))
    return True


async def _lock_tables(con: Connection) -> None:
    """Lock the vector tables, waiting a few seconds at a time, because later readers queue behind the lock."""
    for _ in range(TABLE_TRIES):
        await con.execute(f"SAVEPOINT tables; SET LOCAL lock_timeout = '{TABLE_SECONDS}s'")
        try:
            await con.execute(LOCK_TABLES)
        except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError):
            await con.execute("ROLLBACK TO SAVEPOINT tables")
            log.warning("the vector tables are in use; trying again in %d s", TABLE_PAUSE_SECONDS)
            await asyncio.sleep(TABLE_PAUSE_SECONDS)
        else:
            return
    raise CorpusBusyError(
        sentence("Another program is reading the vector tables; nothing has changed."),
        hint="Try again when the running backup or export has finished.",
    )
