"""The search by words of an extension of the server (pg_textsearch), where it is installed: it finds candidates, the node ranks them.

It is optional and derived: everything works without it. A function of the database stands before it; one that fails, finds too little
or lacks leaves the search to the index of words, in the same query.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from typing import Final

import asyncpg

from app.pg import words
from app.pg.connections import Connection
from app.pg.scopes import Scope

log = logging.getLogger(__name__)

EXTENSION: Final = "pg_textsearch"
PROBE_SECONDS: Final = 60.0
"""How long it is remembered that the function is there, or failed."""
MORE_ASKED_FOR: Final = 4
"""How many times as many candidates are asked for: those of other collections and of hidden pages fall away."""

IS_INSTALLED: Final = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_textsearch')"
IS_THERE: Final = "SELECT to_regprocedure('webrag.ranked(text, int)') IS NOT NULL"
INSTALL: Final = """
CREATE INDEX IF NOT EXISTS chunks_by_bm25 ON chunks USING bm25(text) WITH (text_config = 'english');
CREATE OR REPLACE FUNCTION ranked(query text, most int) RETURNS TABLE(chunk_id bigint, score float8)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT c.id, -(c.text <@> to_bm25query(query, 'chunks_by_bm25'))::float8 FROM chunks c
  ORDER BY c.text <@> to_bm25query(query, 'chunks_by_bm25') LIMIT most
$$;
REVOKE ALL ON FUNCTION ranked FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ranked TO webrag_node, webrag_reader;
"""
"""The function gives numbers of all collections and nothing else; every statement that uses it names those that may be read."""


class TextSearch:
    """Whether the extension is used, for all calls of a program."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_there = False
        self._asked_at = -PROBE_SECONDS
        self.failure = ""

    async def candidates(
        self, con: Connection, scope: Scope, phrases: Sequence[words.Phrase], limit: int
    ) -> list[int] | None:
        """The passages in scope that the extension ranks best; None where the index of words has to find them.

        That is so for phrases and small scopes too: the extension knows no phrases, and looks through what is out of scope.
        """
        if scope.is_restricted or any(len(phrase) > 1 for phrase in phrases) or not await self._may_be_asked(con):
            return None
        query, most = " ".join(phrase[0] for phrase in phrases), limit * MORE_ASKED_FOR
        await con.execute("SAVEPOINT ranked")
        try:
            text, number = scope.value(query), scope.value(most)
            statement = f"""
            SELECT w.chunk_id FROM ranked({text}::text, {number}::int) found JOIN chunk_words w ON w.chunk_id = found.chunk_id
            WHERE {scope.rows("w")} AND found.score > 0 ORDER BY found.score DESC LIMIT {limit}
            """
            ids = [row[0] for row in await con.fetch(statement, *scope.values)]
            scanned = (
                await con.fetchval("SELECT count(*) FROM ranked($1::text, $2::int)", query, most)
                if len(ids) < limit
                else 0
            )
        except asyncpg.PostgresError as error:
            await con.execute("ROLLBACK TO SAVEPOINT ranked")
            self._failed(error)
            return None
        finally:
            del scope.values[-2:]
        # Others' passages took the places of readable ones.
        return None if len(ids) < limit and scanned >= most else ids

    async def _may_be_asked(self, con: Connection) -> bool:
        with self._lock:
            is_known = time.monotonic() - self._asked_at < PROBE_SECONDS
        if not is_known:
            is_there = bool(await con.fetchval(IS_THERE))
            with self._lock:
                self._is_there, self._asked_at = is_there, time.monotonic()
        return self._is_there

    def _failed(self, error: BaseException) -> None:
        self.failure = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        with self._lock:
            self._is_there, self._asked_at = False, time.monotonic()
        log.warning("the search by words goes without %s: %s", EXTENSION, self.failure)


async def install(con: Connection) -> None:
    """Make index and function where the extension is installed and they lack."""
    if await con.fetchval(IS_INSTALLED) and not await con.fetchval(IS_THERE):
        await con.execute(INSTALL)


async def described(con: Connection) -> str:
    """In words what finds passages by their words."""
    if not await con.fetchval(IS_THERE):
        return "built in"
    try:
        await con.execute("SAVEPOINT probe")
        await con.fetch("SELECT * FROM ranked('probe', 1)")
    except asyncpg.PostgresError as error:
        await con.execute("ROLLBACK TO SAVEPOINT probe")
        return f"built in; {EXTENSION} fails: {str(error).splitlines()[0][:200]}"
    return EXTENSION
