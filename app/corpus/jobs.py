"""Background jobs and their items, so that a job goes on where it was whatever happened to the program."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Any, Final

import apsw

from app import caps
from app.corpus.binding import text_list
from app.corpus.job_records import ItemState, Job, JobCounts, JobItem, JobKind, JobState
from app.errors import UnknownJobError

JOBS: Final = """
SELECT id, kind, target, options, state, detail, created_at, started_at, finished_at,
  waiting, stored, updated, unchanged, skipped, failed
FROM jobs
"""

SET_STATE: Final = """
UPDATE jobs SET state = ?2, detail = ?3,
  started_at = CASE WHEN ?4 THEN coalesce(started_at, ?6) ELSE started_at END,
  finished_at = CASE WHEN ?5 THEN ?6 END
WHERE id = ?1
"""

PRUNE: Final = """
WITH ended AS (
  SELECT id,
    row_number() OVER latest AS place,
    sum(waiting + stored + updated + unchanged + skipped + failed) OVER latest AS items
  FROM jobs WHERE finished_at IS NOT NULL
  WINDOW latest AS (ORDER BY finished_at DESC, id DESC)
)
DELETE FROM jobs WHERE id IN (SELECT id FROM ended WHERE place > ?1 OR (place > 1 AND items > ?2))
"""

ADD_ITEM: Final = """
INSERT INTO job_items(job_id, url, depth, state, reason) VALUES(?, ?, ?, ?, ?)
ON CONFLICT(job_id, url) DO NOTHING
"""

ITEMS: Final = "SELECT url, depth, state, reason FROM job_items WHERE job_id = ?1"


LARGEST_ID: Final = 2**63 - 1
"""SQLite takes no larger whole number."""


def add(con: apsw.Connection, kind: JobKind, target: str, options: str) -> Job:
    con.execute(
        "INSERT INTO jobs(kind, target, options, state, detail, created_at) VALUES(?, ?, ?, ?, '', ?)",
        (kind.value, target, options, JobState.QUEUED.value, time.time()),
    )
    return required(con, con.last_insert_rowid())


def find(con: apsw.Connection, job_id: int) -> Job | None:
    if job_id > LARGEST_ID:
        return None
    row = con.execute(JOBS + "WHERE id = ?", (job_id,)).fetchone()
    return _job(row) if row else None


def required(con: apsw.Connection, job_id: int) -> Job:
    """The job; raises UnknownJobError if there is none."""
    found = find(con, job_id)
    if found is None:
        raise UnknownJobError(f"There is no job {job_id}.")
    return found


def recent(con: apsw.Connection, limit: int, active_only: bool) -> list[Job]:
    """Newest first."""
    condition = "WHERE finished_at IS NULL" if active_only else ""
    return [_job(row) for row in con.execute(f"{JOBS} {condition} ORDER BY id DESC LIMIT ?", (limit,))]


def _job(row: Any) -> Job:
    id_, kind, target, options, state, detail, created_at, started_at, finished_at, *counts = row
    return Job(
        id=id_,
        kind=JobKind(kind),
        target=target,
        options=options,
        state=JobState(state),
        detail=detail,
        created_at=created_at,
        started_at=started_at,
        finished_at=finished_at,
        counts=JobCounts(*counts),
    )


def set_state(con: apsw.Connection, job_id: int, state: JobState, detail: str) -> Job | None:
    """Move the job on; when it ends, the oldest ended ones beyond the caps are forgotten."""
    values = (job_id, state.value, detail, state is JobState.RUNNING, state.is_final, time.time())
    con.execute(SET_STATE, values)
    if state.is_final:
        con.execute(PRUNE, (caps.MAX_JOBS_KEPT, caps.MAX_ENDED_JOB_ITEMS))
    return find(con, job_id)


def add_items(con: apsw.Connection, job_id: int, items: Iterable[JobItem], limit: int) -> int:
    """Add those whose address the job does not know, until it has `limit` items; returns how many are new.

    Raises UnknownJobError for a job that does not exist.
    """
    room = min(limit, caps.MAX_JOB_ITEMS) - required(con, job_id).counts.total
    return sum(1 for _ in islice(_added(con, job_id, items), max(room, 0)))


def _added(con: apsw.Connection, job_id: int, items: Iterable[JobItem]) -> Iterator[str]:
    for item in items:
        con.execute(ADD_ITEM, (job_id, item.url, item.depth, item.state.value, item.reason))
        if con.changes():
            yield item.url


def next_items(con: apsw.Connection, job_id: int, limit: int) -> list[JobItem]:
    query = ITEMS + " AND state = 'waiting' ORDER BY depth, id LIMIT ?2"
    return [_item(row) for row in con.execute(query, (job_id, limit))]


def finish_item(con: apsw.Connection, job_id: int, url: str, state: ItemState, reason: str) -> None:
    """Note what became of an item; raises UnknownJobError if the job has none with this address."""
    con.execute(
        "UPDATE job_items SET state = ?3, reason = ?4 WHERE job_id = ?1 AND url = ?2",
        (job_id, url, state.value, reason),
    )
    if not con.changes():
        raise UnknownJobError(f"There is no job {job_id} with {url}.")


def items(
    con: apsw.Connection, job_id: int, states: Collection[ItemState], *, limit: int, offset: int
) -> list[JobItem]:
    """In the order of their arrival; only those in the states given, if any are."""
    wanted = "AND state IN (SELECT value FROM carray(?4))" if states else ""
    values: tuple[object, ...] = (job_id, limit, offset)
    if states:
        values += (text_list(state.value for state in states),)
    return [_item(row) for row in con.execute(f"{ITEMS} {wanted} ORDER BY id LIMIT ?2 OFFSET ?3", values)]


def _item(row: Any) -> JobItem:
    url, depth, state, reason = row
    return JobItem(url, depth, ItemState(state), reason)


def retry(con: apsw.Connection, job_id: int) -> int:
    """Let the failed items wait again; returns how many there are. Raises UnknownJobError like `add_items`."""
    required(con, job_id)
    con.execute("UPDATE job_items SET state = 'waiting', reason = '' WHERE job_id = ? AND state = 'failed'", (job_id,))
    return con.changes()
