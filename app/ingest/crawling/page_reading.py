"""One page of a job: read through the pipeline, and what it led to."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from app.corpus import Corpus
from app.corpus.job_records import ItemState, Job
from app.corpus.records import DocumentSummary
from app.errors import NoIndexError, RobotsDeniedError, UnsupportedContentError
from app.ingest.pipeline import Change, IngestPipeline

STATES = {
    Change.STORED: ItemState.STORED,
    Change.UPDATED: ItemState.UPDATED,
    Change.UNCHANGED: ItemState.UNCHANGED,
    Change.FAILED: ItemState.FAILED,
}


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
        self._corpus = corpus
        self._pipeline = pipeline
        self._refresh = refresh
        self._listed = listed
        self._documents: set[int] = set()

    async def read(self, url: str) -> Reading:
        """The page at an address; raises FetchError when it cannot be read."""
        known = await asyncio.to_thread(self._corpus.summary, url)
        if known is not None and known.last_crawled >= self._since:
            return await self._seen(known)
        try:
            outcome = await self._pipeline.ingest(
                url, refresh=self._refresh, automatic=not self._listed, listed=self._listed
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
        return tuple(await asyncio.to_thread(self._corpus.outgoing, summary.id))
