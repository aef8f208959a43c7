"""Read a site's own lists of pages: sitemaps and llms.txt."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from app.errors import ContentProtectedError, FetchError, HTTPStatusError, UnsupportedContentError
from app.extract.discovery import llms_txt_urls, sitemap_urls
from app.extract.feed import feed_urls
from app.ingest.crawling.frontier import Reach
from app.ingest.crawling.options import CrawlScope
from app.text.sentence import sentence
from app.web.body import LIST_TYPES
from app.web.fetch import Fetcher
from app.web.records import FetchResult, Occasion
from app.web.urls import origin_of

log = logging.getLogger(__name__)

SITEMAP, LLMS_TXT, FEED = "sitemap", "llms.txt", "feed"


@dataclass(slots=True)
class Listing:
    """Addresses in the scope that a site lists, in its order. `source` is the kind of list ("" for none); `is_cut`: there are more.

    `elsewhere` are feed entries on the host outside the folder of the crawl. `problems` are sentences about unreadable lists.
    """

    urls: dict[str, None] = field(default_factory=dict)
    source: str = ""
    is_cut: bool = False
    problems: list[str] = field(default_factory=list)
    elsewhere: dict[str, None] = field(default_factory=dict)

    def add(self, source: str, urls: tuple[str, ...], scope: Reach) -> None:
        found = [url for link in urls if (url := scope.address(link)) is not None]
        if found:
            self.source = source
            self.urls.update(dict.fromkeys(found))


class SiteSources:
    """Reads the lists of one site, at its polite rate."""

    def __init__(self, fetcher: Fetcher, scope: Reach) -> None:
        self._fetcher = fetcher
        self._scope = scope

    async def listing(self, *, most_maps: int, enough: int) -> Listing:
        """Return the pages in the site's sitemaps, or in its llms.txt if there are none; stops after `enough` addresses."""
        found = Listing()
        # Sitemaps outside the folder of the crawl come last, and only if the folder has none.
        try:
            named = list(await self._fetcher.sitemaps(self._scope.base))
        except FetchError as error:
            log.info("robots.txt does not list sitemaps: %s", error)
            named = []
        waiting, seen, has_own = named, set[str](), False
        while len(seen) < most_maps and len(found.urls) < enough:
            if not waiting and not found.urls:  # Without readable named sitemaps, try the usual places.
                waiting = [place for place in self._places("sitemap.xml") if place not in seen]
            if not waiting:
                break
            url = waiting.pop(0)
            seen.add(url)
            read = await self._read(url, found)
            if read is not None:
                waiting += await asyncio.to_thread(self._parse_map, read.body, read.url, found)
                has_own = has_own or (bool(found.urls) and not self._is_elsewhere(url))
            left = dict.fromkeys(each for each in waiting if each not in seen)
            waiting = sorted(
                (each for each in left if not (has_own and self._is_elsewhere(each))), key=self._is_elsewhere
            )
        found.is_cut = bool(waiting)
        if not found.urls:
            for place in self._places("llms.txt"):
                if (read := await self._read(place, found)) is not None:
                    found.add(LLMS_TXT, await asyncio.to_thread(llms_txt_urls, read.body, url=read.url), self._scope)
                if found.urls:
                    break
        return found

    async def read_list(self, url: str) -> Listing:
        """Return the pages listed at an address that is itself a sitemap, a feed or an llms.txt."""
        found = Listing()
        read = await self._read(url, found)
        return found if read is None else await asyncio.to_thread(self.parse, read.body, read.url)

    def parse(self, body: bytes, url: str) -> Listing:
        """Return the pages listed in a body that may be a sitemap, a feed or an llms.txt."""
        found = Listing()
        self._parse_map(body, url, found)
        if not found.urls:
            named = feed_urls(body, url=url)
            found.add(FEED, named, self._scope)
            if not found.urls and self._scope.kind is CrawlScope.SUBPAGES:
                host = replace(self._scope, kind=CrawlScope.PAGE)
                found.elsewhere = dict.fromkeys(filter(None, map(host.address, named)))
        if not found.urls:
            found.add(LLMS_TXT, llms_txt_urls(body, url=url), self._scope)
        return found

    def _parse_map(self, body: bytes, url: str, found: Listing) -> list[str]:
        parsed = sitemap_urls(body, url=url)
        found.add(SITEMAP, parsed.pages, self._scope)
        return list(parsed.sitemaps)

    async def _read(self, url: str, found: Listing) -> FetchResult | None:
        """Return a list, or None if it is missing. A list that exists but cannot be read is a problem."""
        try:
            occasion = Occasion.AUTOMATIC
            return await self._fetcher.fetch(url, occasion=occasion, types=LIST_TYPES, found_on=self._scope.base)
        except FetchError as error:
            is_missing = isinstance(error, HTTPStatusError) and 400 <= error.status < 500 and error.status != 429
            # A missing or protected list is not a problem.
            if not is_missing and not isinstance(error, UnsupportedContentError | ContentProtectedError):
                name = urlsplit(url).path.rpartition("/")[2]
                found.problems.append(sentence("The site's {0} could not be read: {1}", name, error))
            log.info("%s was not read: %s", urlsplit(url).path, type(error).__name__)
            return None

    def _is_elsewhere(self, url: str) -> bool:
        """Whether a sitemap is outside the folder of the crawl."""
        return not url.startswith(self._scope.prefixes)

    def _places(self, name: str) -> list[str]:
        """Return the possible locations of such a list: next to the start page, then at the root."""
        return [origin_of(self._scope.base) + folder + name for folder in dict.fromkeys((self._scope.folder, "/"))]
