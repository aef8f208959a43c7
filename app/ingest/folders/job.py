"""Reading the files of a folder that are new or changed."""

from __future__ import annotations

import asyncio

from app import caps
from app.corpus import Corpus
from app.corpus.job_records import ItemState, Job, JobItem
from app.ingest.folders.files import FolderFiles
from app.ingest.runner.health import Health
from app.ingest.runner.run import Finished


class FolderWork:
    """The work of a folder job. A file that cannot be read never stops the others."""

    is_patient = False
    limit = caps.MAX_JOB_ITEMS

    def __init__(self, job: Job, files: FolderFiles, corpus: Corpus) -> None:
        self.health: Health | None = None
        self._job = job
        self._files = files
        self._corpus = corpus
        self._note = ""

    async def prepare(self) -> None:
        """Compare the files with the corpus, forget what is gone, queue what changed; raises FileAccessError."""
        changes = await self._files.changes()
        self._note = changes.note
        await self._files.forget(changes.vanished)
        reason = f"Larger than {caps.MAX_FILE_BYTES // caps.MIB} MB."
        items = [JobItem(url, 0) for url in changes.changed]
        items += [JobItem(url, 0, ItemState.SKIPPED, reason) for url in changes.too_large]
        await asyncio.to_thread(self._corpus.jobs.add_items, self._job.id, items)

    async def read(self, item: JobItem) -> Finished:
        """Read one file; raises WebRAGError."""
        return await self._files.store(item.url)

    def remark(self) -> str:
        return self._note
