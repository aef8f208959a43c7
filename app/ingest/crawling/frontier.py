"""The addresses that a crawl knows: each page once, within the scope, the limits and what robots.txt allows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from app import caps
from app.corpus.job_records import JobItem
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.ingest.crawling.scope import Scope, Variants, page_key
from app.web.fetch import Fetcher

LINKS_IN_A_ROW = 100
"""Links that are judged before others get their turn: a few milliseconds."""


class Frontier:
    """Turns links into items. `closed` counts what robots.txt forbids; `is_full` says that pages were left out for the limit."""

    def __init__(self, scope: Scope, options: CrawlOptions, fetcher: Fetcher) -> None:
        self.scope = scope
        self.closed = 0
        self.is_full = False
        self._fetcher = fetcher
        self._most = options.max_pages
        self._depth = min(options.max_depth, 1) if scope.kind is CrawlScope.PAGE else options.max_depth
        self._taken = 0
        self._keys: set[str] = set()
        self._judged: set[str] = set()
        self._variants = Variants()

    @property
    def has_room(self) -> bool:
        """Whether the limit lets further pages in."""
        return self._taken < self._most

    def take(self, url: str) -> None:
        """Note an address that is an item of the job."""
        self._taken += 1
        self._keys.add(page_key(url))
        self._variants.add(url)

    def know(self, url: str) -> None:
        """Note another address of a page that was taken."""
        self._keys.add(page_key(url))

    async def items(self, links: Iterable[str], depth: int) -> list[JobItem]:
        """New items for the links of a page, at their distance from the start."""
        found: list[JobItem] = []
        if depth > self._depth:
            return found
        for number, link in enumerate(links, 1):
            if number % LINKS_IN_A_ROW == 0:
                await asyncio.sleep(0)
            url = self._new(link)
            if url is None:
                continue
            if not self.has_room:
                self.is_full = True
                break
            # Another page may have taken the address while robots.txt was read.
            if await self._is_allowed(url) and page_key(url) not in self._keys:
                self.take(url)
                found.append(JobItem(url, depth))
        return found

    def _new(self, link: str) -> str | None:
        """The address of a link that was not judged before and may be taken."""
        bare = link.partition("#")[0]
        if bare in self._judged:
            return None
        if len(self._judged) < 4 * caps.MAX_JOB_ITEMS:
            self._judged.add(bare)
        url = self.scope.address(bare)
        return None if url is None or page_key(url) in self._keys or self._variants.is_full(url) else url

    async def _is_allowed(self, url: str) -> bool:
        allowed = await self._fetcher.allowed(url)
        self.closed += not allowed
        return allowed
