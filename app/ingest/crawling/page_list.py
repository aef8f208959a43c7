"""Reading a list of pages, for instance imported bookmarks."""

from __future__ import annotations

import asyncio

from app import caps
from app.corpus import Corpus
from app.corpus.job_records import Job, JobItem
from app.errors import InvalidArgumentError
from app.ingest.crawling.page_reading import PageReader
from app.ingest.pipeline import IngestPipeline
from app.ingest.runner.health import Health
from app.ingest.runner.run import Finished

EVERY_PAGE = 1.0
REFRESH = '{"refresh": true}'
"""Options of a list whose pages are asked for again even if their copies are fresh."""


class PageListWork:
    """The work of a list: each page by itself. Its hosts have nothing to do with each other, so only a failure of all ends it."""

    is_patient = False
    limit = caps.MAX_IMPORTED_URLS

    def __init__(self, job: Job, *, corpus: Corpus, pipeline: IngestPipeline) -> None:
        self.health: Health | None = Health(EVERY_PAGE, job.counts)
        self._job = job
        self._corpus = corpus
        self._reader = PageReader(job, corpus, pipeline, refresh=job.options == REFRESH, listed=True)

    async def prepare(self) -> None:
        """The items came with the job; raises InvalidArgumentError when the program ended before they were kept."""
        if not self._job.counts.total:
            items = await asyncio.to_thread(self._corpus.jobs.items, self._job.id, limit=1)
            if not items:
                raise InvalidArgumentError("The list was not kept when the program ended.", hint="Import it again.")

    async def read(self, item: JobItem) -> Finished:
        """Read one page; raises FetchError."""
        reading = await self._reader.read(item.url)
        return Finished(reading.state, reading.reason)

    def remark(self) -> str:
        return ""
