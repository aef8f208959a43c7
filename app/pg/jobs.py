"""Jobs of a shared library. Each belongs to one collection and is run by one node at a time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, Final, TypeVar

from app import caps
from app.errors import LibraryForbiddenError, UnknownJobError
from app.library.job_records import LARGEST_ID, MAX_ENDED_JOB_ITEMS, ItemState, Job, JobItem, JobKind, JobState
from app.library.protocol import Jobs
from app.pg.connections import Store
from app.pg.sessions import Connection, Rights, acting_with
from app.pg.writing import collection_for, columns_of, plain
from app.text.sentence import sentence

T = TypeVar("T")

LEASE_SECONDS: Final = 300  # Seconds until the lease of a job and its pages expires if the node does not renew it.
ADDED_AT_ONCE: Final = 5_000
COUNTED: Final = tuple(state.value for state in ItemState)
JOBS: Final = f"""
SELECT id, kind, target, options, state, detail, created_at, started_at, finished_at, {", ".join(COUNTED)}
FROM jobs WHERE collection_id = ANY($1)
"""
ADD: Final = """
INSERT INTO jobs(collection_id, subject, kind, target, options, state, detail, created_at, principals)
SELECT $1, $2, $3, $4, $5, $6, '', $7, CASE WHEN cardinality($8::text[]) > 0 THEN ARRAY(
  SELECT g.principal FROM grants g WHERE g.collection_id = $1 AND g.principal = ANY($8) AND g.role IN ('writer', 'owner')
) END RETURNING id
"""
MAY_WRITE: Final = """
SELECT j.principals IS NULL OR EXISTS (
  SELECT FROM grants g WHERE g.collection_id = j.collection_id AND g.principal = ANY(j.principals) AND g.role IN ('writer', 'owner')
) FROM jobs j WHERE j.collection_id = ANY($1) AND j.id = $2
"""
SET_STATE: Final = """
UPDATE jobs SET state = $3, detail = $4,
  started_at = CASE WHEN $5 THEN coalesce(started_at, $7) ELSE started_at END,
  finished_at = CASE WHEN $6 THEN $7 END,
  leased_by = CASE WHEN $5 THEN leased_by END, lease_until = CASE WHEN $5 THEN lease_until END
WHERE collection_id = ANY($1) AND id = $2
"""
CLAIM: Final = """
UPDATE jobs SET leased_by = $3, lease_until = now() + make_interval(secs => $4)
WHERE collection_id = ANY($1) AND id = $2 AND (leased_by IS NULL OR leased_by = $3 OR lease_until < now())
RETURNING collection_id, subject
"""
RENEW: Final = """
UPDATE jobs SET lease_until = now() + make_interval(secs => $4) WHERE collection_id = ANY($1) AND id = $2 AND leased_by = $3
"""
PRUNE: Final = """
WITH ended AS (
  SELECT id, row_number() OVER latest AS place,
    sum(waiting + stored + updated + unchanged + skipped + failed) OVER latest AS items
  FROM jobs WHERE collection_id = ANY($1) AND finished_at IS NOT NULL AND id <> $4
  WINDOW latest AS (ORDER BY finished_at DESC, id DESC)
)
DELETE FROM jobs WHERE collection_id = ANY($1) AND id IN (SELECT id FROM ended WHERE place > $2::int - 1 OR items > $3::int - $5::int)
"""
"""The job that has just ended counts as the newest, whatever its time; it has `$5` items."""
NEXT_ITEMS: Final = """
WITH claimed AS (
  UPDATE job_items SET leased_by = $3, lease_until = now() + make_interval(secs => $4) WHERE collection_id = ANY($1) AND id IN (
    SELECT i.id FROM job_items i WHERE i.collection_id = ANY($1) AND i.job_id = $2 AND i.state = 'waiting'
      AND (i.leased_by IS NULL OR i.leased_by = $3 OR i.lease_until < now())
    ORDER BY i.depth, i.id LIMIT $5 FOR UPDATE SKIP LOCKED
  ) RETURNING id, url, depth, state, reason
)
SELECT url, depth, state, reason FROM claimed ORDER BY depth, id
"""
ADD_ITEMS: Final = """
WITH given AS (
  SELECT DISTINCT ON (given.url) given.* FROM unnest($3::text[], $4::int[], $5::text[], $6::text[])
    WITH ORDINALITY AS given(url, depth, state, reason, place) ORDER BY given.url, given.place
), fresh AS (
  SELECT given.* FROM given WHERE NOT EXISTS (
    SELECT FROM job_items i WHERE i.collection_id = $1 AND i.job_id = $2 AND i.hash = md5(given.url)::uuid
  ) ORDER BY given.place LIMIT $7
)
INSERT INTO job_items(collection_id, job_id, url, depth, state, reason)
SELECT $1, $2, url, depth, state, reason FROM fresh ORDER BY place RETURNING state
"""
FINISH: Final = """
UPDATE job_items i SET state = $4, reason = $5, leased_by = NULL, lease_until = NULL FROM (
  SELECT id, state FROM job_items WHERE collection_id = ANY($1) AND job_id = $2 AND hash = md5($3)::uuid FOR UPDATE
) before WHERE i.collection_id = ANY($1) AND i.id = before.id RETURNING before.state
"""
RETRY: Final = """
UPDATE job_items SET state = 'waiting', reason = '' WHERE collection_id = ANY($1) AND job_id = $2 AND state = 'failed'
"""


class PgJobs(Store, Jobs):
    """Jobs of the collections that the call can read and write."""

    def add(self, kind: JobKind, target: str, options: str) -> Job:
        """Add a queued job without items to the collection that a page at its target would be stored in."""
        values = (kind.value, plain(target), plain(options), JobState.QUEUED.value, time.time())

        async def work(con: Connection, rights: Rights) -> Job:
            collection = await collection_for(con, rights, values[1])
            made = await con.fetchval(ADD, collection, rights.subject, *values, list(rights.principals))
            return await _required(con, [*rights.writable], made)

        return self._change(work)

    def get(self, job_id: int) -> Job | None:
        return self._read(lambda con, rights: _find(con, list(rights.readable), job_id))

    def recent(self, limit: int, *, active_only: bool = False) -> list[Job]:
        """Return jobs, newest first; with `active_only`, only those in work that the caller can write to."""
        condition = "AND finished_at IS NULL AND collection_id = ANY($3)" if active_only else ""
        values = (list(self._rights.writable),) if active_only else ()
        return [Job.of_row(row) for row in self._fetch(f"{JOBS} {condition} ORDER BY id DESC LIMIT $2", limit, *values)]

    def set_state(self, job_id: int, state: JobState, detail: str = "") -> Job | None:
        values = (state.value, plain(detail), state is JobState.RUNNING, state.is_final, time.time())

        async def work(con: Connection, rights: Rights) -> Job | None:
            writable = list(rights.writable)
            if not 0 < job_id <= LARGEST_ID:
                return None
            await con.execute(SET_STATE, writable, job_id, *values)
            found = await _find(con, writable, job_id)
            if found is None or not state.is_final:
                return found
            await con.execute(PRUNE, writable, caps.MAX_JOBS_KEPT, MAX_ENDED_JOB_ITEMS, job_id, found.counts.total)
            return await _find(con, writable, job_id)

        return self._change(work)

    def claim(self, job_id: int) -> AbstractContextManager[None] | None:
        """Return a context manager to run the job with its owner's rights; None if it is leased to another program."""

        async def work(con: Connection, rights: Rights) -> Any:
            await _check_owner(con, list(rights.writable), job_id)
            return await con.fetchrow(CLAIM, list(rights.writable), job_id, self._worker, LEASE_SECONDS)

        row = self._change(work)
        return None if row is None else acting_with(Rights((row[0],), (row[0],), row[1]))

    def add_items(self, job_id: int, items: Iterable[JobItem]) -> int:
        given = list(items)
        return self._change(lambda con, rights: _add_items(con, rights, job_id, given, caps.MAX_JOB_ITEMS))

    def next_items(self, job_id: int, limit: int) -> list[JobItem]:
        """Return leased waiting items. Raises LibraryForbiddenError if the owner of the job may no longer write."""

        async def work(con: Connection, rights: Rights) -> list[JobItem]:
            values = (list(rights.writable), job_id, self._worker, LEASE_SECONDS)
            await _check_owner(con, *values[:2])
            await con.execute(RENEW, *values)
            return [JobItem.of_row(row) for row in await con.fetch(NEXT_ITEMS, *values, limit)]

        return self._change(work)

    def finish_item(
        self,
        job_id: int,
        url: str,
        state: ItemState,
        reason: str = "",
        found: Iterable[JobItem] = (),
        *,
        limit: int | None = None,
    ) -> int:
        given = list(found)

        async def work(con: Connection, rights: Rights) -> int:
            writable = list(rights.writable)
            await _locked(con, writable, job_id)
            before = await con.fetchval(FINISH, writable, job_id, plain(url), state.value, plain(reason))
            if before is None:
                raise UnknownJobError(sentence("Job {} does not contain {}.", job_id, url))
            if before != state.value:
                await _count(con, writable, job_id, {before: -1, state.value: 1})
            await con.execute(RENEW, writable, job_id, self._worker, LEASE_SECONDS)
            return await _add_items(con, rights, job_id, given, caps.MAX_JOB_ITEMS if limit is None else limit)

        return self._change(work)

    def items(self, job_id: int, *, states: Collection[ItemState] = (), limit: int, offset: int = 0) -> list[JobItem]:
        query = """
        SELECT url, depth, state, reason FROM job_items WHERE collection_id = ANY($1) AND job_id = $2
          AND (cardinality($3::text[]) = 0 OR state = ANY($3)) ORDER BY id LIMIT $4 OFFSET $5
        """
        rows = self._fetch(query, job_id, [state.value for state in states], limit, offset)
        return [JobItem.of_row(row) for row in rows]

    def retry(self, job_id: int) -> int:
        async def work(con: Connection, rights: Rights) -> int:
            writable = list(rights.writable)
            await _locked(con, writable, job_id)
            number = int((await con.execute(RETRY, writable, job_id)).rpartition(" ")[2])
            await _count(con, writable, job_id, {"failed": -number, "waiting": number})
            return number

        return self._change(work)

    def _change(self, work: Callable[[Connection, Rights], Awaitable[T]]) -> T:
        """Run work as one transaction that can also read what it writes: row security allows changes of readable rows only."""
        rights = self._rights
        seeing = replace(rights, readable=tuple(sorted({*rights.readable, *rights.writable})))
        return self._connections.write(lambda con: work(con, rights), seeing)


async def _find(con: Connection, collections: list[int], job_id: int) -> Job | None:
    if not 0 < job_id <= LARGEST_ID:
        return None
    row = await con.fetchrow(f"{JOBS} AND id = $2", collections, job_id)
    return None if row is None else Job.of_row(row)


async def _check_owner(con: Connection, collections: list[int], job_id: int) -> None:
    """Raise LibraryForbiddenError if the owner of the job no longer has write access."""
    if await con.fetchval(MAY_WRITE, collections, job_id) is False:
        raise LibraryForbiddenError(
            sentence("The user who started this job no longer has write access to its collection."),
            hint="Pages stored so far are kept. A user with write access can start the job again.",
        )


async def _required(con: Connection, collections: list[int], job_id: int) -> Job:
    found = await _find(con, collections, job_id)
    if found is None:
        raise UnknownJobError(sentence("Job {} does not exist.", job_id))
    return found


async def _locked(con: Connection, collections: list[int], job_id: int) -> int:
    """Lock the job until the transaction ends and return its collection. Raises UnknownJobError."""
    query = "SELECT collection_id FROM jobs WHERE collection_id = ANY($1) AND id = $2 FOR UPDATE"
    found = await con.fetchval(query, collections, job_id) if 0 < job_id <= LARGEST_ID else None
    if found is None:
        raise UnknownJobError(sentence("Job {} does not exist.", job_id))
    return int(found)


async def _add_items(con: Connection, rights: Rights, job_id: int, items: Sequence[JobItem], limit: int) -> int:
    """Add items with addresses new to the job until it has `limit` items; return how many are new."""
    writable = list(rights.writable)
    collection = await _locked(con, writable, job_id)
    left = min(limit, caps.MAX_JOB_ITEMS) - (await _required(con, writable, job_id)).counts.total
    new = 0
    for first in range(0, len(items), ADDED_AT_ONCE):
        if new >= left:
            break
        part = items[first : first + ADDED_AT_ONCE]
        rows = [(plain(item.url), item.depth, item.state.value, plain(item.reason)) for item in part]
        added = [row[0] for row in await con.fetch(ADD_ITEMS, collection, job_id, *columns_of(rows), left - new)]
        await _count(con, writable, job_id, Counter(added))
        new += len(added)
    return new


async def _count(con: Connection, collections: list[int], job_id: int, changes: Mapping[str, int]) -> None:
    named = [state for state in COUNTED if changes.get(state)]
    if named:
        sets = ", ".join(f"{state} = {state} + ${place}" for place, state in enumerate(named, 3))
        query = f"UPDATE jobs SET {sets} WHERE collection_id = ANY($1) AND id = $2"
        await con.execute(query, collections, job_id, *(changes[state] for state in named))
