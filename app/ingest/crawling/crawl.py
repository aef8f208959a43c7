"""Crawling a site: breadth first from the start page, by its links and its site map; then what else is stored of it."""

from __future__ import annotations

import asyncio

from app import caps
from app.corpus import Corpus
from app.corpus.job_records import ItemState, Job, JobItem
from app.corpus.records import DocumentSummary
from app.errors import EmptyPageError, FetchError, HTTPStatusError
from app.events import DocumentChanged, EventBus
from app.ingest.crawling.frontier import Frontier, Scope
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.ingest.crawling.page_jobs import PageReader, Reading
from app.ingest.crawling.site_sources import SiteSources
from app.ingest.pipeline import IngestPipeline
from app.ingest.runner.run import Finished, Health
from app.web.fetch import Fetcher


class CrawlWork:
    """The work of a crawl. The start page brings the first items: what it links to, and the site map."""

    is_patient = True

    def __init__(
        self,
        job: Job,
        options: CrawlOptions,
        *,
        corpus: Corpus,
        pipeline: IngestPipeline,
        fetcher: Fetcher,
        bus: EventBus,
    ) -> None:
        self.health: Health | None = Health(caps.FAIL_FAST_SHARE, job.counts)
        self.limit = options.max_pages
        self._job = job
        self._options = options
        self._corpus = corpus
        self._fetcher = fetcher
        self._bus = bus
        self._reader = PageReader(job, corpus, pipeline, refresh=options.refresh)
        self._frontier = Frontier(Scope(job.target, options.scope, options.left_out), options, fetcher)
        self._problems: list[str] = []
        self._stored_asked = False

    async def prepare(self) -> None:
        """Know the items of an earlier run, or begin with the start page."""
        known = await asyncio.to_thread(self._corpus.documents.summary, self._job.target)
        self._start_at(known)
        items = await asyncio.to_thread(self._corpus.jobs.items, self._job.id, limit=caps.MAX_JOB_ITEMS)
        for item in items:
            self._frontier.take(item.url)
        if not items:
            self._frontier.take(self._job.target)
            await asyncio.to_thread(self._corpus.jobs.add_items, self._job.id, [JobItem(self._job.target, 0)])

    async def read(self, item: JobItem) -> Finished:
        """Read one page and find what it leads to; raises FetchError."""
        if item.depth == 0:
            return await self._read_start(item)
        reading = await self._reader.read(item.url)
        if reading.summary is not None and not self._frontier.scope.includes(reading.summary.url):
            return await self._leave_out(reading, reading.summary)
        return await self._finished(reading, item)

    async def more(self) -> list[JobItem]:
        """Stored pages of the scope that nothing led to, once. They say nothing about a site of which no page could be read."""
        health, scope = self.health, self._frontier.scope
        is_reached = scope.kind is not CrawlScope.PAGE and self._options.max_depth > 0
        if self._stored_asked or not is_reached or health is None or not health.has_succeeded:
            return []
        self._stored_asked = True
        found: list[JobItem] = []
        for prefix in scope.prefixes:
            if self._frontier.has_room:
                stored = await asyncio.to_thread(self._corpus.documents.urls_below, prefix, caps.MAX_CRAWL_PAGES)
                found += await self._frontier.items(stored, self._options.max_depth)
        return found

    def remark(self) -> str:
        """What was left out, and why."""
        parts = list(self._problems)
        if self._frontier.is_full:
            parts.append(f"Stopped at the limit of {self._options.max_pages} pages; the site has more.")
        if self._frontier.closed:
            parts.append(f"Left out {self._frontier.closed} addresses that the site's robots.txt closes to programs.")
        return " ".join(parts)[: caps.MAX_DETAIL_CHARS]

    def _start_at(self, page: DocumentSummary | None) -> None:
        """The reach follows the start page to where it was found."""
        if page is not None:
            self._frontier.scope = Scope(page.url, self._options.scope, self._options.left_out)
            self._frontier.know(page.url)

    async def _finished(self, reading: Reading, item: JobItem) -> Finished:
        if reading.summary is not None:
            self._frontier.know(reading.summary.url)
        found = await self._frontier.items(reading.links, item.depth + 1)
        return Finished(reading.state, reading.reason, tuple(found))

    async def _read_start(self, item: JobItem) -> Finished:
        """The start page; when it cannot be read, the site may still say which pages it has."""
        try:
            reading = await self._reader.read(item.url)
        except (HTTPStatusError, EmptyPageError) as error:
            found = await self._named()
            if not found:
                raise
            return Finished(ItemState.FAILED, str(error), tuple(found), error)
        self._start_at(reading.summary)
        finished = await self._finished(reading, item)
        listed = await self._listed(item.url) if reading.state is ItemState.SKIPPED and not reading.links else []
        found = [*finished.found, *listed, *await self._named()]
        if reading.state is ItemState.SKIPPED and not found:
            raise FetchError(
                reading.reason, url=item.url, hint="Start the crawl at a page of the site that programs may read."
            )
        return Finished(finished.state, finished.reason, tuple(found))

    async def _listed(self, url: str) -> list[JobItem]:
        """Pages named by a start address that is no page but a feed or a site map."""
        listing = await SiteSources(self._fetcher, self._frontier.scope).read_list(url)
        return await self._frontier.items(listing.urls, 1)

    async def _named(self) -> list[JobItem]:
        """Pages that the site lists."""
        scope = self._frontier.scope
        if scope.kind is CrawlScope.PAGE or self._options.max_depth == 0:
            return []
        sources = SiteSources(self._fetcher, scope)
        listing = await sources.listing(most_maps=caps.MAX_SITEMAPS, enough=self._options.max_pages)
        self._problems += listing.problems
        return await self._frontier.items(listing.urls, 1)

    async def _leave_out(self, reading: Reading, page: DocumentSummary) -> Finished:
        """A page that its address only redirects to and that lies outside is not kept, unless it was there before."""
        removed = await asyncio.to_thread(self._corpus.documents.delete, [page.id]) if reading.is_new else {}
        if removed:
            self._bus.publish(DocumentChanged(page.url, page.id, "deleted"))
        return Finished(ItemState.SKIPPED, f"Leads to {page.url}, which is outside the crawl.")
