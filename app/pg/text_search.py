"""The search by words of an extension of the server (pg_textsearch), where it is installed: it finds candidates, the node ranks them.

It is optional and derived: everything works without it. A function of the database stands before it; one that fails, finds too little
or lacks leaves the search to the index of words, in the same query.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Mapping
from typing import Final

import asyncpg

from app.pg import words
from app.pg.scopes import Scope
from app.pg.sessions import TABLE_PAUSE_SECONDS, TABLE_SECONDS, Connection

log = logging.getLogger(__name__)

EXTENSION: Final = "pg_textsearch"
PROBE_SECONDS: Final = 60.0
"""How long it is remembered that the function is there, or failed."""
CRASH_SECONDS: Final = 3_600.0
"""How long the extension is left alone after the server went away in the midst of its search."""
MORE_ASKED_FOR: Final = 4
"""How many times as many candidates are asked for: those of other collections and of hidden pages fall away."""

IS_INSTALLED: Final = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_textsearch')"
IS_THERE: Final = "SELECT to_regprocedure('webrag.ranked(text, int)') IS NOT NULL"
GONE: Final = (asyncpg.PostgresConnectionError, asyncpg.AdminShutdownError, asyncpg.CrashShutdownError)
"""The server does not answer, for whatever reason."""

PROBE: Final = "SELECT ranked('probe', 1)"
INDEX: Final = "ranked_words_by_bm25"
INDEXED: Final = "ranked_words USING bm25(words) WITH (text_config = 'simple')"
IS_WHOLE: Final = """
SELECT to_regclass('webrag.ranked_words') IS NOT NULL AND NOT EXISTS (SELECT FROM ranked_gap)
"""
MAKE: Final = """
-- While its index is damaged or the extension cannot be loaded, a table cannot even be read: it has one of its own.
CREATE TABLE ranked_words(chunk_id bigint PRIMARY KEY, words text NOT NULL);
-- A row says that words of passages lack there, and why: it is made anew then.
CREATE TABLE ranked_gap(at timestamptz NOT NULL DEFAULT now(), reason text NOT NULL);
INSERT INTO ranked_gap(reason) VALUES ('being copied');

-- The words of a passage as they are indexed, each as often as it stands there.
CREATE OR REPLACE FUNCTION bare(words tsvector) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(repeat(lexeme || ' ', greatest(1, cardinality(positions))), ''), '') FROM unnest(words)
$$;
CREATE OR REPLACE FUNCTION follow_words() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = webrag, pg_temp AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM ranked_words r USING gone WHERE r.chunk_id = gone.chunk_id;
  ELSE
    INSERT INTO ranked_words SELECT chunk_id, bare(words) FROM come ON CONFLICT (chunk_id) DO UPDATE SET words = excluded.words;
  END IF;
  RETURN NULL;
EXCEPTION
  WHEN serialization_failure OR deadlock_detected OR lock_not_available THEN RAISE;
  WHEN OTHERS THEN
    INSERT INTO ranked_gap(reason) SELECT SQLERRM WHERE NOT EXISTS (SELECT FROM ranked_gap WHERE reason = SQLERRM);
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER words_come AFTER INSERT ON chunk_words
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION follow_words();
CREATE OR REPLACE TRIGGER words_change AFTER UPDATE ON chunk_words
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION follow_words();
CREATE OR REPLACE TRIGGER words_go AFTER DELETE ON chunk_words
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION follow_words();

CREATE OR REPLACE FUNCTION ranked(query text, most int) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1000 SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE gap ranked_gap; BEGIN
  SELECT * INTO gap FROM ranked_gap LIMIT 1;
  IF gap.at IS NOT NULL THEN RAISE 'passages lack since %: %', gap.at::timestamptz(0), gap.reason; END IF;
  RETURN QUERY SELECT w.chunk_id FROM ranked_words w ORDER BY w.words <@> to_bm25query(query, 'ranked_words_by_bm25') LIMIT most;
END $$;
REVOKE ALL ON FUNCTION ranked FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ranked TO webrag_node, webrag_reader;
"""
"""The function gives numbers of all collections and nothing else; every statement that uses it names those that may be read.

The extension stems texts and leaves out words by itself, and so would not find headings, names with dots, or what the node asks for, which
is stemmed.
"""
UNMAKE: Final = """
DROP FUNCTION IF EXISTS ranked(text, int), follow_words() CASCADE;
DROP TABLE IF EXISTS ranked_words, ranked_gap
"""
FIND_PLACE: Final = """
SELECT set_config('search_path', 'webrag, ' || quote_ident(n.nspname) || ', pg_temp', true)
FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_textsearch'
"""
"""The extension stands in `public` or in a schema of its own."""
IS_VALID: Final = """
SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('webrag.' || $1::text)
"""
COPY_AT_ONCE: Final = 10_000
"""Passages whose words are copied in a transaction: whoever stores one of them anew waits for it."""
COPY: Final = """
INSERT INTO ranked_words SELECT w.chunk_id, bare(w.words) FROM chunk_words w
WHERE w.chunk_id > $1 AND w.chunk_id <= $1 + $2 ON CONFLICT DO NOTHING
"""
COPIED: Final = "DELETE FROM ranked_gap WHERE reason = 'being copied'"


class TextSearch:
    """Whether the extension is used, for all calls of a program."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_there = False
        self._asked_at = -PROBE_SECONDS
        self.failure = ""

    async def candidates(
        self, con: Connection, scope: Scope, phrases: Mapping[words.Phrase, int], limit: int
    ) -> list[int] | None:
        """The passages in scope that the extension ranks best; None where the index of words has to find them.

        That is so for phrases and small scopes too: the extension knows no phrases, and looks through what is out of scope.
        """
        if scope.is_restricted or any(len(phrase) > 1 for phrase in phrases) or not await self._may_be_asked(con):
            return None
        query, most = (
            " ".join(phrase[0] for phrase, times in phrases.items() for _ in range(times)),
            limit * MORE_ASKED_FOR,
        )
        await con.execute("SAVEPOINT ranked")
        try:
            text, number = scope.value(query), scope.value(most)
            statement = f"""
            SELECT w.chunk_id FROM ranked({text}::text, {number}::int) WITH ORDINALITY found(chunk_id, place)
            JOIN chunk_words w ON w.chunk_id = found.chunk_id WHERE {scope.rows("w")} ORDER BY found.place LIMIT {limit}
            """
            ids = [row[0] for row in await con.fetch(statement, *scope.values)]
            scanned = (
                await con.fetchval("SELECT count(*) FROM ranked($1::text, $2::int)", query, most)
                if len(ids) < limit
                else 0
            )
        except GONE as error:
            # A damaged index can bring the server down: the next search does not try that again.
            self._failed(error, is_crash=True)
            raise
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

    def _failed(self, error: BaseException, *, is_crash: bool = False) -> None:
        self.failure = _first_line(error)
        with self._lock:
            self._is_there, self._asked_at = False, time.monotonic() + (CRASH_SECONDS if is_crash else 0.0)
        log.warning("the search by words goes without %s: %s", EXTENSION, self.failure)


async def install(con: Connection) -> list[str]:
    """Make what the extension searches, where the server has it and it lacks or is broken; the names of indexes that were built.

    An extension that cannot do it is done without, as at a search.
    """
    if not await con.fetchval(IS_INSTALLED):
        await _change(con, UNMAKE)
        return []
    try:
        return await _build(con)
    except GONE:
        raise
    except asyncpg.PostgresError as error:
        log.warning("%s cannot be used: %s", EXTENSION, _first_line(error))
        return []


async def _build(con: Connection) -> list[str]:
    is_there = await con.fetchval("SELECT to_regclass('webrag.ranked_gap') IS NOT NULL")
    if not is_there or not await con.fetchval(IS_WHOLE):
        await _change(con, UNMAKE, FIND_PLACE, MAKE)
        newest = await con.fetchval("SELECT coalesce(max(chunk_id), 0) FROM chunk_words")
        for number in range(0, newest, COPY_AT_ONCE):
            await con.execute(COPY, number, COPY_AT_ONCE)
        await con.execute(COPIED)
    if await con.fetchval(IS_VALID, INDEX) and await _works(con):
        return []
    await con.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {INDEX}")
    await con.execute(f"CREATE INDEX CONCURRENTLY {INDEX} ON {INDEXED}")
    return [INDEX]


async def _change(con: Connection, *statements: str) -> None:
    """Do this at once, as soon as nobody uses the tables for a moment."""
    while True:
        try:
            async with con.transaction():
                await con.execute(f"SET LOCAL lock_timeout = '{TABLE_SECONDS}s'")
                for statement in statements:
                    await con.execute(statement)
            return
        except asyncpg.LockNotAvailableError:
            log.warning("a table is in use for long: it is tried again in %d s", TABLE_PAUSE_SECONDS)
            await asyncio.sleep(TABLE_PAUSE_SECONDS)


async def _works(con: Connection) -> bool:
    try:
        await con.fetch(PROBE)
    except GONE:
        raise
    except asyncpg.PostgresError as error:
        log.warning("%s is built anew: %s", INDEX, _first_line(error))
        return False
    return True


async def described(con: Connection) -> str:
    """In words what finds passages by their words."""
    is_there = await con.fetchval(IS_THERE)
    if not is_there and await con.fetchval(IS_INSTALLED):
        return f"built in; {EXTENSION} is not used yet: webrag library migrate"
    if not is_there:
        return "built in"
    try:
        await con.execute("SAVEPOINT probe")
        await con.fetch(PROBE)
    except asyncpg.PostgresError as error:
        await con.execute("ROLLBACK TO SAVEPOINT probe")
        return f"built in; {EXTENSION} fails: {_first_line(error)}"
    return EXTENSION


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
