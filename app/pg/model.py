"""The model whose vectors a shared library holds: who may store some, and how the library goes over to another one."""

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

log = logging.getLogger(__name__)

IS_OF: Final = "(SELECT value FROM meta WHERE key = 'model') = {model}::jsonb"
"""A condition that holds while the library is of a model. What searches by vectors has it: those of another model say nothing, and with
another dimension nothing can be reckoned with them."""
TABLE_TRIES: Final = 24
"""How often the change waits for a table that others use, TABLE_SECONDS each, until it is given up."""

_STORE_LOCK: Final = setup.MIGRATION_LOCK + 2
"""The number of the advisory lock that whoever stores vectors shares, and whoever changes the model has alone."""

ALL_WAIT: Final = """
INSERT INTO waiting(chunk_id, document_id, collection_id) SELECT c.id, c.document_id, c.collection_id FROM chunks c FOR KEY SHARE
ON CONFLICT (chunk_id) DO UPDATE SET leased_by = NULL, lease_until = NULL WHERE waiting.leased_by IS NOT NULL
"""
"""Chunks that somebody deletes meanwhile are waited for and left out. What is stored meanwhile waits by itself."""
LOCK_TABLES: Final = """
LOCK TABLE embeddings IN ACCESS EXCLUSIVE MODE;
LOCK TABLE token_signs IN ACCESS EXCLUSIVE MODE
"""
"""In the order in which searches use them."""


def value_of(model: EmbeddingModel) -> str:
    """The model as `meta` holds it."""
    return json.dumps({"fingerprint": model.fingerprint, "dimension": model.dimension})


def check_still(known: EmbeddingModel, own: EmbeddingModel) -> None:
    """Raises EmbeddingMismatchError where a library that was of the program's model is of another one now."""
    if known != own:
        raise EmbeddingMismatchError(
            f"The library was given another model ({known.dimension} dimensions, {known.fingerprint[:12]}) while this program ran.",
            hint="Start the version of the program that has that model in its place. Until then it finds pages by their words alone and"
            " prepares none for search by meaning.",
        )


async def check_may_store(con: Connection, own: EmbeddingModel) -> None:
    """Whether vectors of the model may be stored; the library keeps it until the transaction ends.

    Raises EmbeddingMismatchError where it is of another model, CorpusBusyError where it is being given one, and what `check_schema` does.
    """
    if not await con.fetchval("SELECT pg_try_advisory_xact_lock_shared($1)", _STORE_LOCK):
        raise CorpusBusyError(
            "The library is being given another model; no pages are prepared for search by meaning meanwhile."
        )
    check_still(await setup.check_schema(con), own)


def reindex(address: str, model: EmbeddingModel) -> bool:
    """Make it a library of this model, whole or not at all; whether it was one of another. All passages wait for vectors then.

    Raises CorpusBusyError where others use the tables of vectors for long, and what `setup.check_schema` does.
    """
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
        raise CorpusBusyError("Another program builds an index of this library.", hint="Try again when that is done.")
    # From here on nobody stores vectors: no passage gets one that is thrown away below and then waits no more.
    await con.execute("SELECT pg_advisory_xact_lock($1)", _STORE_LOCK)
    # Else the check of each row against its passage, which takes most of the time, is planned anew.
    await con.execute("SET LOCAL plan_cache_mode = force_generic_plan")
    await con.execute(ALL_WAIT)
    await _lock_tables(con)
    # Behind what takes long: whoever reads waits from here to the end.
    await con.execute("TRUNCATE embeddings, token_signs")
    await con.execute(f"ALTER TABLE embeddings ALTER vector TYPE halfvec({int(model.dimension)})")
    await con.execute("UPDATE meta SET value = $1::jsonb WHERE key = 'model'", value_of(model))
    return True


async def _lock_tables(con: Connection) -> None:
    """Wait for those who read the vectors, some seconds at a time: all who come later wait behind."""
    for _ in range(TABLE_TRIES):
        await con.execute(f"SAVEPOINT tables; SET LOCAL lock_timeout = '{TABLE_SECONDS}s'")
        try:
            await con.execute(LOCK_TABLES)
        except (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError):
            await con.execute("ROLLBACK TO SAVEPOINT tables")
            log.warning("the vectors are read for long: it is tried again in %d s", TABLE_PAUSE_SECONDS)
            await asyncio.sleep(TABLE_PAUSE_SECONDS)
        else:
            return
    raise CorpusBusyError(
        "Somebody reads for long what search by meaning uses; nothing was changed.",
        hint="Try again when the backup or the export that runs is done.",
    )
