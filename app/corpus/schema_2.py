"""From version 1 to 2: jobs with their items, folders, the other links of a page, and when a document was cited.

The counts of a job follow its items by triggers. Items are never deleted apart from their job.
"""

from __future__ import annotations

from typing import Final

import apsw

DOCUMENTS: Final = """
CREATE TABLE folders(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE,
  added_at REAL NOT NULL
) STRICT;

ALTER TABLE documents ADD COLUMN folder_id INTEGER REFERENCES folders(id) ON DELETE CASCADE;
ALTER TABLE documents ADD COLUMN file_mtime_ns INTEGER;
ALTER TABLE documents ADD COLUMN file_bytes INTEGER;
CREATE INDEX documents_by_folder ON documents(folder_id) WHERE folder_id IS NOT NULL;

ALTER TABLE documents ADD COLUMN cited_at REAL;
ALTER TABLE documents ADD COLUMN cited_hash TEXT;

-- Compressed, because the pages of a site repeat the same menu.
CREATE TABLE navigation(
  document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
  urls BLOB NOT NULL
) STRICT;
"""

JOBS: Final = """
CREATE TABLE jobs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  options TEXT NOT NULL,
  state TEXT NOT NULL,
  detail TEXT NOT NULL,
  created_at REAL NOT NULL,
  started_at REAL,
  finished_at REAL,
  waiting INTEGER NOT NULL DEFAULT 0,
  stored INTEGER NOT NULL DEFAULT 0,
  updated INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The id of an item is also the order of arrival.
CREATE TABLE job_items(
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  depth INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL,
  UNIQUE(job_id, url)
) STRICT;
CREATE INDEX job_items_by_arrival ON job_items(job_id, id);
CREATE INDEX job_items_waiting ON job_items(job_id, depth, id) WHERE state = 'waiting';

CREATE TRIGGER job_items_inserted AFTER INSERT ON job_items BEGIN
  UPDATE jobs SET
    waiting = waiting + (new.state = 'waiting'),
    stored = stored + (new.state = 'stored'),
    updated = updated + (new.state = 'updated'),
    unchanged = unchanged + (new.state = 'unchanged'),
    skipped = skipped + (new.state = 'skipped'),
    failed = failed + (new.state = 'failed')
  WHERE id = new.job_id;
END;

CREATE TRIGGER job_items_moved AFTER UPDATE OF state ON job_items WHEN old.state <> new.state BEGIN
  UPDATE jobs SET
    waiting = waiting + (new.state = 'waiting') - (old.state = 'waiting'),
    stored = stored + (new.state = 'stored') - (old.state = 'stored'),
    updated = updated + (new.state = 'updated') - (old.state = 'updated'),
    unchanged = unchanged + (new.state = 'unchanged') - (old.state = 'unchanged'),
    skipped = skipped + (new.state = 'skipped') - (old.state = 'skipped'),
    failed = failed + (new.state = 'failed') - (old.state = 'failed')
  WHERE id = new.job_id;
END;
"""


def extend(con: apsw.Connection) -> None:
    """Everything new, in the caller's transaction."""
    for part in (DOCUMENTS, JOBS):
        con.execute(part)
