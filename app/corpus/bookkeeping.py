"""What the corpus keeps beside its documents: jobs, folders, and when documents were cited."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from app import caps
from app.corpus import folders, freshness, jobs, tags
from app.corpus.database import Database
from app.corpus.job_records import Folder, ItemState, Job, JobItem, JobKind, JobState, StoredFile
from app.corpus.records import Freshness


class Bookkeeping:
    """The part of `Corpus` that needs nothing but the file; what `Corpus` says of its methods holds here too."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # jobs

    def add_job(self, kind: JobKind, target: str, options: str) -> Job:
        """A new job that is queued and has no items."""
        with self._database.write() as con:
            return jobs.add(con, kind, target, options)

    def job(self, job_id: int) -> Job | None:
        """The job with its counts."""
        with self._database.read() as con:
            return jobs.find(con, job_id)

    def jobs(self, limit: int, *, active_only: bool = False) -> list[Job]:
        """Jobs, newest first; `active_only` leaves out those that ended."""
        with self._database.read() as con:
            return jobs.recent(con, limit, active_only)

    def set_job_state(self, job_id: int, state: JobState, detail: str = "") -> Job | None:
        """Move the job on; None if there is none.

        A job that starts or ends gets the time of it, one that goes on again loses the time of its end. When a
        job ends, the oldest ended ones beyond the caps are forgotten.
        """
        with self._database.write() as con:
            return jobs.set_state(con, job_id, state, detail)

    def add_job_items(self, job_id: int, items: Iterable[JobItem]) -> int:
        """Add pages that the job does not know, up to the cap; returns how many are new.

        Raises UnknownJobError for a job that does not exist.
        """
        with self._database.write() as con:
            return jobs.add_items(con, job_id, items, caps.MAX_JOB_ITEMS)

    def next_job_items(self, job_id: int, limit: int) -> list[JobItem]:
        """Waiting items, the nearest to the start first, then in the order of their arrival."""
        with self._database.read() as con:
            return jobs.next_items(con, job_id, limit)

    def finish_job_item(
        self,
        job_id: int,
        url: str,
        state: ItemState,
        reason: str = "",
        found: Iterable[JobItem] = (),
        *,
        limit: int | None = None,
    ) -> int:
        """Note what became of a page and add what was found on it; returns how many items are new.

        The job never gets more than `limit` items in total. Raises UnknownJobError if it has no such page.
        """
        with self._database.write() as con:
            jobs.finish_item(con, job_id, url, state, reason)
            return jobs.add_items(con, job_id, found, caps.MAX_JOB_ITEMS if limit is None else limit)

    def job_items(
        self, job_id: int, *, states: Collection[ItemState] = (), limit: int, offset: int = 0
    ) -> list[JobItem]:
        """Items in the order of their arrival; only those in `states`, if any are given."""
        with self._database.read() as con:
            return jobs.items(con, job_id, states, limit=limit, offset=offset)

    def retry_job_items(self, job_id: int) -> int:
        """Let the failed items wait again; returns how many there are. Raises UnknownJobError."""
        with self._database.write() as con:
            return jobs.retry(con, job_id)

    # folders

    def add_folder(self, path: str) -> Folder:
        """The folder with this absolute path, added unless it is known."""
        with self._database.write() as con:
            return folders.add(con, path)

    def rename_folder(self, folder_id: int, name: str) -> Folder | None:
        """Give the folder a name, and its documents the tags that follow from it; None when there is none.

        Raises InvalidArgumentError for a name that is no plain one or belongs to another folder.
        """
        with self._database.write() as con:
            folder = folders.rename(con, folder_id, name)
            tags.place_all(con, folder_id)
            return folder

    def folders(self) -> list[Folder]:
        """All folders by path."""
        with self._database.read() as con:
            return folders.all_of_them(con)

    def remove_folder(self, folder_id: int) -> bool:
        """Remove the folder with its documents; False if there was none.

        The documents go in several transactions, so that others may write meanwhile, and the folder with the last.
        """
        removed = caps.DOCUMENTS_REMOVED_AT_ONCE
        while removed == caps.DOCUMENTS_REMOVED_AT_ONCE:
            with self._database.write() as con:
                removed = folders.thin_out(con, folder_id, caps.DOCUMENTS_REMOVED_AT_ONCE)
        with self._database.write() as con:
            return folders.remove(con, folder_id)

    def folder_files(self, folder_id: int) -> list[StoredFile]:
        """The documents that came from the folder, by address."""
        with self._database.read() as con:
            return folders.files(con, folder_id)

    # freshness

    def freshness(self, document_ids: Sequence[int]) -> list[Freshness]:
        """How old the documents are, in the order of the ids; ids that no longer exist are left out."""
        with self._database.read() as con:
            return freshness.of_documents(con, document_ids)

    def note_cited(self, document_ids: Sequence[int], now: float) -> None:
        """Remember that the documents were cited at this time, with the text that they have."""
        with self._database.write() as con:
            freshness.note_cited(con, document_ids, now)
