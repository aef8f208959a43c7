"""Pages of a job read through the pipeline, each once; and the job that reads a list of pages, for instance imported bookmarks."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from app import caps
from app.corpus import Corpus
from app.corpus.job_records import ItemState, Job, JobItem
from app.corpus.records import DocumentSummary
from app.errors import InvalidArgumentError, NoIndexError, RobotsDeniedError, UnsupportedContentError
from app.ingest.outcome import Change
from app.ingest.pipeline import IngestPipeline
from app.ingest.runner.run import Finished, Health

EVERY_PAGE = 1.0
REFRESH = '{"refresh": true}'
"""Options of a list whose pages are asked for again even if their copies are fresh."""
STATES = {
    Change.STORED: ItemState.STORED,
    Change.UPDATED: ItemState.UPDATED,
    Change.UNCHANGED: ItemState.UNCHANGED,
    Change.FAILED: ItemState.FAILED,
}


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


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of a page. `links` are the addresses to follow, `summary` its document if it is stored.

    `is_new` says that this very reading added the document.
    """

    state: ItemState
    reason: str = ""
    links: tuple[str, ...] = ()
    summary: DocumentSummary | None = None
    is_new: bool = False


class PageReader:
    """Reads pages for a job, each once, even when the program was killed between storing a page and noting it.

    `listed` pages were named by a person one by one; all others were found, and robots.txt and noindex count for them.
    """

    def __init__(
        self, job: Job, corpus: Corpus, pipeline: IngestPipeline, *, refresh: bool = False, listed: bool = False
    ) -> None:
        self._since = job.created_at
        self._found_on = "" if listed else job.target
        self._corpus = corpus
        self._pipeline = pipeline
        self._refresh = refresh
        self._listed = listed
        self._documents: set[int] = set()

    async def read(self, url: str) -> Reading:
        """The page at an address; raises FetchError when it cannot be read."""
        known = await asyncio.to_thread(self._corpus.documents.summary, url)
        if known is not None and known.last_crawled >= self._since:
            return await self._seen(known)
        try:
            outcome = await self._pipeline.ingest(
                url,
                refresh=self._refresh,
                automatic=not self._listed,
                listed=self._listed,
                found_on=self._found_on,
            )
        except NoIndexError as error:
            return Reading(ItemState.SKIPPED, str(error), error.links)
        except (RobotsDeniedError, UnsupportedContentError) as error:
            return Reading(ItemState.SKIPPED, str(error))
        summary = outcome.summary
        if summary.id in self._documents:
            return Reading(ItemState.SKIPPED, f"The same page as {summary.url}", await self._links(summary), summary)
        self._documents.add(summary.id)
        is_new = outcome.change is Change.STORED
        return Reading(STATES[outcome.change], outcome.note, await self._links(summary), summary, is_new)

    async def _seen(self, known: DocumentSummary) -> Reading:
        """A page that was read since the job began: under another address, for a question, or before the program was killed."""
        links = await self._links(known)
        if known.id in self._documents:
            return Reading(ItemState.SKIPPED, f"The same page as {known.url}", links, known)
        self._documents.add(known.id)
        state = ItemState.STORED if known.changed_at >= self._since else ItemState.UNCHANGED
        return Reading(state, "", links, known)

    async def _links(self, summary: DocumentSummary) -> tuple[str, ...]:
        return tuple(await asyncio.to_thread(self._corpus.documents.outgoing, summary.id))
