"""Background jobs and their items, stored so that a job can continue after any interruption."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Collection, Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from typing import Any, Final

import apsw

from app import caps
from app.corpus.database import Store, text_list
from app.corpus.labels import known_or_new
from app.corpus.records import LabelKind
from app.errors import UnknownJobError
from app.library.job_records import LARGEST_ID, MAX_ENDED_JOB_ITEMS, ItemState, Job, JobItem, JobKind, JobState
from app.library.protocol import Jobs
from app.text.sentence import sentence

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
  FROM jobs WHERE finished_at IS NOT NULL AND id <> ?3
  WINDOW latest AS (ORDER BY finished_at DESC, id DESC)
)
DELETE FROM jobs WHERE id IN (SELECT id FROM ended WHERE place > ?1 - 1 OR items > ?2 - ?4)
"""
"""The job that has just ended counts as the newest, whatever its time; it has `?4` items."""
ADD_ITEM: Final = """
INSERT INTO job_items(job_id, url, depth, state, reason) VALUES(?, ?, ?, ?, ?)
ON CONFLICT(job_id, url) DO NOTHING
"""
ITEMS: Final = "SELECT url, depth, state, reason FROM job_items WHERE job_id = ?1"
COLLECTION: Final = "collection"  # Key in the options of a job: the label for all it reads. Hidden from its code.
OF_NEW: Final = "collection_of_new"  # The same for later jobs of a folder, for new files only.
TASKS: Final = "tasks"  # Key in the options of a job: the IDs under which clients follow it, each with its client.
OPTIONS: Final = "CASE WHEN json_valid(j.options) THEN j.options ELSE '{}' END"
TASK_BYTES: Final = 24
LABEL: Final = f"coalesce(json_extract({OPTIONS}, '$.{COLLECTION}'), json_extract({OPTIONS}, '$.{OF_NEW}'))"
COLLECT: Final = f"""
INSERT INTO labelled(document_id, label_id, added_at)
SELECT DISTINCT d.id, l.id, ?4 FROM jobs j JOIN labels l ON l.id = {LABEL}
JOIN job_items i ON i.job_id = j.id
JOIN documents d ON d.id = coalesce(
  (SELECT id FROM documents WHERE url = i.url), (SELECT document_id FROM aliases WHERE url = i.url))
WHERE j.id = ?1 AND (?2 IS NULL OR i.url = ?2)
  AND (i.state = 'stored' OR i.state IN ('updated', 'unchanged') AND json_extract({OPTIONS}, '$.{COLLECTION}') IS NOT NULL)
  AND (SELECT count(*) FROM labelled p WHERE p.document_id = d.id) < ?3
ON CONFLICT DO NOTHING RETURNING document_id
"""
INHERIT: Final = f"""
UPDATE jobs SET options = json_set(options, '$.{OF_NEW}', earlier.label)
FROM (
  SELECT {LABEL} AS label FROM jobs j JOIN folders f ON f.path = j.target AND j.created_at >= f.added_at
  WHERE j.kind = '{JobKind.FOLDER.value}' AND j.target = ?2 AND j.id < ?1 AND label IS NOT NULL ORDER BY j.id DESC LIMIT 1
) AS earlier
WHERE id = ?1
"""
"""Passes the collection of a folder's files to the next job that reads the folder."""


class JobStore(Store, Jobs):
    """Jobs and the pages or files that each has to read."""

    def add(self, kind: JobKind, target: str, options: str) -> Job:
        values = (kind.value, target, options, JobState.QUEUED.value, time.time())
        with self._database.write() as con:
            con.execute(
                "INSERT INTO jobs(kind, target, options, state, detail, created_at) VALUES(?, ?, ?, ?, '', ?)", values
            )
            job_id = con.last_insert_rowid()
            if kind is JobKind.FOLDER:
                con.execute(INHERIT, (job_id, target))
            return _required(con, job_id)

    def get(self, job_id: int) -> Job | None:
        with self._database.read() as con:
            return _find(con, job_id)

    def recent(self, limit: int, *, active_only: bool = False) -> list[Job]:
        condition = "WHERE finished_at IS NULL" if active_only else ""
        return [_job(row) for row in self._rows(f"{JOBS} {condition} ORDER BY id DESC LIMIT ?", limit)]

    def set_state(self, job_id: int, state: JobState, detail: str = "") -> Job | None:
        values = (job_id, state.value, detail, state is JobState.RUNNING, state.is_final, time.time())
        with self._database.write() as con:
            con.execute(SET_STATE, values)
            if state.is_final:
                found = _find(con, job_id)
                own = found.counts.total if found is not None else 0
                con.execute(PRUNE, (caps.MAX_JOBS_KEPT, MAX_ENDED_JOB_ITEMS, job_id, own))
            return _find(con, job_id)

    def claim(self, job_id: int) -> AbstractContextManager[None] | None:
        """Return a context manager without effect, because only one program uses the file; None if the job does not exist."""
        return nullcontext() if self.get(job_id) is not None else None

    def add_items(self, job_id: int, items: Iterable[JobItem]) -> int:
        with self._database.write() as con:
            return _add_items(con, job_id, items, caps.MAX_JOB_ITEMS)

    def next_items(self, job_id: int, limit: int) -> list[JobItem]:
        query = ITEMS + " AND state = 'waiting' ORDER BY depth, id LIMIT ?2"
        return [JobItem.of_row(row) for row in self._rows(query, job_id, limit)]

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
        with self._database.write() as con:
            con.execute(
                "UPDATE job_items SET state = ?3, reason = ?4 WHERE job_id = ?1 AND url = ?2",
                (job_id, url, state.value, reason),
            )
            if not con.changes():
                raise UnknownJobError(sentence("Job {} does not contain {}.", job_id, url))
            _collect(con, job_id, url)
            return _add_items(con, job_id, found, caps.MAX_JOB_ITEMS if limit is None else limit)

    def collect(self, job_id: int, name: str) -> list[int]:
        """Add all pages of a job to a collection, later ones too; return the IDs added now. Raises UnknownJobError."""
        query = f"UPDATE jobs SET options = json_set(options, '$.{COLLECTION}', ?) WHERE id = ?"
        with self._database.write() as con:
            _required(con, job_id)
            con.execute(query, (known_or_new(con, LabelKind.COLLECTION, name), job_id))
            return _collect(con, job_id)

    def filling(self) -> list[int]:
        """Return the jobs that have not ended and add pages to a collection."""
        query = f"SELECT j.id FROM jobs j WHERE j.finished_at IS NULL AND {LABEL} IS NOT NULL"
        return [row[0] for row in self._rows(query)]

    def task_of(self, job_id: int, client: str) -> str:
        """Return the unguessable ID under which a client follows a job. Raises UnknownJobError."""
        known = f"SELECT t.key FROM jobs j, json_each({OPTIONS}, '$.{TASKS}') t WHERE j.id = ? AND t.value = ?"
        query = f"UPDATE jobs AS j SET options = json_set({OPTIONS}, '$.{TASKS}.' || ?2, ?3) WHERE id = ?1"
        with self._database.write() as con:
            _required(con, job_id)
            found = con.execute(known, (job_id, client)).get
            if found is None:
                # In hexadecimal, so that the ID is a valid part of a JSON path.
                found = secrets.token_hex(TASK_BYTES)
                con.execute(query, (job_id, found, client))
            return str(found)

    def of_task(self, task_id: str, client: str) -> int | None:
        """Return the job that a client follows under an ID, or None."""
        query = f"SELECT j.id FROM jobs j, json_each({OPTIONS}, '$.{TASKS}') t WHERE t.key = ? AND t.value = ?"
        found: int | None = self._value(query, task_id, client)
        return found

    def items(self, job_id: int, *, states: Collection[ItemState] = (), limit: int, offset: int = 0) -> list[JobItem]:
        query = f"{ITEMS} AND (?4 OR state IN (SELECT value FROM carray(?5))) ORDER BY id LIMIT ?2 OFFSET ?3"
        wanted = text_list(state.value for state in states)
        return [JobItem.of_row(row) for row in self._rows(query, job_id, limit, offset, not states, wanted)]

    def retry(self, job_id: int) -> int:
        failed = "UPDATE job_items SET state = 'waiting', reason = '' WHERE job_id = ? AND state = 'failed'"
        with self._database.write() as con:
            _required(con, job_id)
            con.execute(failed, (job_id,))
            return con.changes()


def _collect(con: apsw.Connection, job_id: int, url: str | None = None) -> list[int]:
    """Add the pages that a job has read, or one of them, to its collection, if it has one."""
    rows = con.execute(COLLECT, (job_id, url, caps.MAX_LABELS_PER_PAGE, time.time())).fetchall()
    return [int(str(number)) for (number,) in rows]


def _find(con: apsw.Connection, job_id: int) -> Job | None:
    if job_id > LARGEST_ID:
        return None
    row = con.execute(JOBS + "WHERE id = ?", (job_id,)).fetchone()
    return _job(row) if row else None


def _required(con: apsw.Connection, job_id: int) -> Job:
    found = _find(con, job_id)
    if found is None:
        raise UnknownJobError(sentence("Job {} does not exist.", job_id))
    return found


def _job(row: Any) -> Job:
    """Build the job of a row with the options that the caller gave."""
    found = Job.of_row(row)
    if COLLECTION in found.options or TASKS in found.options:
        with suppress(ValueError, AttributeError):
            hidden = (COLLECTION, OF_NEW, TASKS)
            kept = {name: each for name, each in json.loads(found.options).items() if name not in hidden}
            found = replace(found, options=json.dumps(kept, sort_keys=True))
    return found


def _add_items(con: apsw.Connection, job_id: int, items: Iterable[JobItem], limit: int) -> int:
    """Add items with addresses new to the job until it has `limit`; return how many. Raises UnknownJobError."""
    left = min(limit, caps.MAX_JOB_ITEMS) - _required(con, job_id).counts.total
    added = 0
    for item in items:
        if added >= left:
            break
        con.execute(ADD_ITEM, (job_id, item.url, item.depth, item.state.value, item.reason))
        added += con.changes()
    return added
