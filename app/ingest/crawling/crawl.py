"""Jobs that read pages: the crawl of a site, and a list of pages, for example imported bookmarks.

A crawl proceeds breadth first from the start page along links and the sitemap, then reads other stored pages of the site. Each page is
read once, even if the program was killed between storing a page and recording it.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Final

from app import caps, errors
from app.events import DocumentChanged, EventBus
from app.ingest.crawling.frontier import Frontier, Reach
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.ingest.crawling.site_sources import SiteSources
from app.ingest.outcome import Change
from app.ingest.pipeline import IngestPipeline
from app.ingest.runner.run import Finished, Health, Work
from app.library.job_records import ItemState, Job, JobItem
from app.library.protocol import LibraryWriter
from app.library.records import CameBy, DocumentSummary
from app.text.sentence import sentence
from app.web.fetch import Fetcher

FAIL_FAST_SHARE: Final = 0.5

EVERY_PAGE = 1.0
FOR_ASSISTANT = '{"assistant": true}'  # Options of a list that continues a call for which an assistant's time ran out.
REFRESH = '{"refresh": true}'  # Options of a list whose pages are fetched again even if their copies are fresh.


class CrawlWork(Work):
    """The work of a crawl. The first items are the links of the start page and the sitemap."""

    is_patient = True

    def __init__(
        self,
        job: Job,
        options: CrawlOptions,
        *,
        corpus: LibraryWriter,
        pipeline: IngestPipeline,
        fetcher: Fetcher,
        bus: EventBus,
    ) -> None:
        self.health = Health(FAIL_FAST_SHARE, job.counts)
        self.limit = options.max_pages
        self._job = job
        self._options = options
        self._corpus = corpus
        self._fetcher = fetcher
        self._bus = bus
        self._reader = PageReader(job, corpus, pipeline, refresh=options.refresh)
        self._frontier = Frontier(Reach(job.target, options.scope, options.left_out), options, fetcher)
        self._problems: list[str] = []
        self._stored_asked = False

    async def prepare(self) -> None:
        """Load the items of an earlier run, or start with the start page."""
        self._start_at(await asyncio.to_thread(self._corpus.documents.summary, self._job.target))
        items = await asyncio.to_thread(self._corpus.jobs.items, self._job.id, limit=caps.MAX_JOB_ITEMS)
        if not all(self._frontier.scope.includes(item.url) for item in items):
            self._frontier.reach_listed()
        for item in items:
            self._frontier.take(item.url)
        if not items:
            self._frontier.take(self._job.target)
            await asyncio.to_thread(self._corpus.jobs.add_items, self._job.id, [JobItem(self._job.target, 0)])

    async def read(self, item: JobItem) -> Finished:
        """Read one page and find its links; raises FetchError."""
        if item.depth == 0:
            return await self._read_start(item)
        reading = await self._reader.read(item.url)
        if reading.summary is not None and not self._frontier.scope.includes(reading.summary.url):
            # Do not keep an outside page that a redirect led to, unless it was stored before.
            page = reading.summary
            removed = await asyncio.to_thread(self._corpus.documents.delete, [page.id]) if reading.is_new else {}
            if removed:
                self._bus.publish(DocumentChanged(page.url, page.id, "deleted"))
            return Finished(ItemState.SKIPPED, sentence("Redirects to {}, which is outside the crawl.", page.url))
        return await self._follow_links(reading, item)

    async def more(self) -> list[JobItem]:
        """Return stored pages in the scope that nothing links to, once. Not used if no page of the site could be read."""
        health, scope = self.health, self._frontier.scope
        is_reached = scope.kind is not CrawlScope.PAGE and self._options.max_depth > 0
        if self._stored_asked or not is_reached or health is None or not health.succeeded_items:
            return []
        self._stored_asked = True
        found: list[JobItem] = []
        for prefix in scope.prefixes:
            if self._frontier.has_room:
                stored = await asyncio.to_thread(self._corpus.documents.urls_below, prefix, caps.MAX_CRAWL_PAGES)
                found += await self._frontier.items(stored, self._options.max_depth)
        return found

    def remark(self) -> str:
        """Return what was skipped and why."""
        parts = list(self._problems)
        if self._frontier.is_full:
            parts.append(sentence("Stopped at the limit of {} pages. The site has more.", self._options.max_pages))
        if self._frontier.closed:
            parts.append(sentence("Addresses disallowed by robots.txt: {}.", self._frontier.closed))
        return " ".join(parts)[: caps.MAX_DETAIL_CHARS]

    def _start_at(self, page: DocumentSummary | None) -> None:
        """Move the scope to the final address of the start page."""
        if page is not None:
            self._frontier.scope = Reach(page.url, self._options.scope, self._options.left_out)
            self._frontier.know(page.url)

    async def _follow_links(self, reading: Reading, item: JobItem) -> Finished:
        if reading.summary is not None:
            self._frontier.know(reading.summary.url)
        return Finished(reading.state, reading.reason, tuple(await self._frontier.items(reading.links, item.depth + 1)))

    async def _read_start(self, item: JobItem) -> Finished:
        """Read the start page; if it is unreadable, the site may still list its pages."""
        try:
            reading = await self._reader.read(item.url)
        except (errors.HTTPStatusError, errors.EmptyPageError) as error:
            found = await self._find_listed_pages()
            if not found:
                raise
            return Finished(ItemState.FAILED, str(error), tuple(found), error)
        self._start_at(reading.summary)
        finished = await self._follow_links(reading, item)
        found = list(finished.found)
        if reading.state is ItemState.SKIPPED and not reading.links:
            # The start address may be a feed or a sitemap.
            listing = await SiteSources(self._fetcher, self._frontier.scope).read_list(item.url)
            found += await self._frontier.items(listing.urls, 1)
        found += await self._find_listed_pages()
        scope = self._frontier.scope
        if not found and scope.kind is CrawlScope.SUBPAGES and self._options.max_depth:
            # It may also be a feed in a separate folder, which lists pages of the host.
            listing = await SiteSources(self._fetcher, scope).read_list(item.url)
            if listing.elsewhere:
                self._frontier.reach_listed()
            found = await self._frontier.items(listing.elsewhere, 1)
        if reading.state is ItemState.SKIPPED and not found:
            hint = "Start the crawl at a page that the site allows programs to read."
            raise errors.FetchError(reading.reason, url=item.url, hint=hint)
        return Finished(finished.state, finished.reason, tuple(found))

    async def _find_listed_pages(self) -> list[JobItem]:
        scope = self._frontier.scope
        if scope.kind is CrawlScope.PAGE or self._options.max_depth == 0:
            return []
        sources = SiteSources(self._fetcher, scope)
        listing = await sources.listing(most_maps=caps.MAX_SITEMAPS, enough=self._options.max_pages)
        self._problems += listing.problems
        return await self._frontier.items(listing.urls, 1)


class PageListWork(Work):
    """The work of a list. Pages are independent, and so are their hosts: only a failure of all pages ends the job."""

    limit = caps.MAX_IMPORTED_URLS

    def __init__(self, job: Job, *, corpus: LibraryWriter, pipeline: IngestPipeline) -> None:
        self.health = Health(EVERY_PAGE, job.counts)
        self._job = job
        self._corpus = corpus
        self._reader = PageReader(job, corpus, pipeline, refresh=job.options == REFRESH, listed=True)

    async def prepare(self) -> None:
        """Check that the items were saved with the job; raises InvalidArgumentError if the program ended before."""
        if not self._job.counts.total:
            items = await asyncio.to_thread(self._corpus.jobs.items, self._job.id, limit=1)
            if not items:
                raise errors.InvalidArgumentError(
                    sentence("WebRAG quit before it saved the list."), hint="Import the list again."
                )

    async def read(self, item: JobItem) -> Finished:
        """Read one page; raises FetchError."""
        reading = await self._reader.read(item.url)
        return Finished(reading.state, reading.reason)


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading a page. `links` are the addresses to follow, `summary` its document if it is stored.

    `is_new`: this reading added the document.
    """

    state: ItemState
    reason: str = ""
    links: tuple[str, ...] = ()
    summary: DocumentSummary | None = None
    is_new: bool = False


class PageReader:
    """Reads pages for a job, each once, even if the program was killed between storing a page and recording it.

    `listed` pages were individually named by the user; for all others, robots.txt and noindex apply.
    """

    def __init__(
        self, job: Job, corpus: LibraryWriter, pipeline: IngestPipeline, *, refresh: bool = False, listed: bool = False
    ) -> None:
        self._since = job.created_at
        named = CameBy.ASSISTANT if job.options == FOR_ASSISTANT else CameBy.PERSON
        self._came_by = named if listed else CameBy.CRAWL
        self._found_on = "" if listed else job.target
        self._corpus = corpus
        self._pipeline = pipeline
        self._refresh = refresh
        self._is_listed = listed
        self._documents: set[int] = set()

    async def read(self, url: str) -> Reading:
        """Read the page at an address; raises FetchError if it cannot be read."""
        known = await asyncio.to_thread(self._corpus.documents.summary, url)
        # A time in the future comes from a wrong clock, not from this job.
        if known is not None and self._since <= known.last_crawled <= time.time():
            # Read under another address, for a question, or before the program was killed.
            state = ItemState.STORED if known.changed_at >= self._since else ItemState.UNCHANGED
            return await self._reading(known, state)
        try:
            outcome = await self._pipeline.ingest(
                url,
                refresh=self._refresh,
                automatic=not self._is_listed,
                listed=self._is_listed,
                found_on=self._found_on,
                came_by=self._came_by,
            )
        except errors.NoIndexError as error:
            return Reading(ItemState.SKIPPED, str(error), error.links)
        except errors.EmptyPageError as error:
            if self._is_listed or not error.frames:
                raise
            return Reading(ItemState.SKIPPED, str(error), error.frames)  # a frameset
        except (errors.RobotsDeniedError, errors.UnsupportedContentError) as error:
            return Reading(ItemState.SKIPPED, str(error))
        summary, state = outcome.summary, ItemState(outcome.change)
        if state is ItemState.UNCHANGED and summary.changed_at >= self._since:
            # Another fetch in this job, under another address, stored the page and ends after this one.
            state = ItemState.STORED
        return await self._reading(summary, state, outcome.note, is_new=outcome.change is Change.STORED)

    async def _reading(
        self, page: DocumentSummary, state: ItemState, reason: str = "", *, is_new: bool = False
    ) -> Reading:
        """Return the result for a stored page; a page that was read before is skipped."""
        if page.id in self._documents:
            state, reason, is_new = ItemState.SKIPPED, sentence("Same page as {}", page.url), False
        self._documents.add(page.id)
        links = tuple(await asyncio.to_thread(self._corpus.documents.outgoing, page.id))
        return Reading(state, reason, links, page, is_new)
