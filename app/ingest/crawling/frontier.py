"""Collect the addresses of a crawl that belong to its scope, each page once within the limits and robots.txt."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

from app import caps
from app.errors import InvalidURLError
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.library.job_records import JobItem
from app.text.media_types import NO_PAGE_SUFFIXES
from app.web.fetch import Fetcher
from app.web.urls import normalise_url, same_site

MAX_QUERIES_PER_PATH: Final = 24  # The number of addresses with different queries that a crawl takes for one path.
MAX_PATH_SEGMENTS: Final = 30
MAX_REPEATED_SEGMENTS: Final = 3  # A path that repeats one segment more often is treated as a trap.

LINKS_IN_A_ROW = 100  # The number of links to check before yielding to other tasks: a few milliseconds.
_INDEX: Final = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?)$")
_PARAMETERS: Final = re.compile(r";[^/?]*")
NO_TEXT: Final = NO_PAGE_SUFFIXES | {"csv", "rss"}
"""Suffixes of targets without readable text; lists and feeds are read only if the user names them."""


class Frontier:
    """Turns links into items. `closed` counts addresses disallowed by robots.txt; `is_full`: the limit excluded pages."""

    def __init__(self, scope: Reach, options: CrawlOptions, fetcher: Fetcher) -> None:
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
        """Whether the limit allows more pages."""
        return self._taken < self._most

    def take(self, url: str) -> None:
        """Record an address that is an item of the job."""
        self._taken += 1
        self._keys.add(page_key(url))
        self._variants.add(url)

    def reach_listed(self) -> None:
        """Extend the scope for listed pages to the whole host: a feed is rarely in the folder of its pages."""
        self.scope = replace(self.scope, kind=CrawlScope.PAGE)
        self._depth = min(self._depth, 1)
        self._judged.clear()

    def know(self, url: str) -> None:
        """Record another address of a page that was taken."""
        self._keys.add(page_key(url))

    async def items(self, links: Iterable[str], depth: int) -> list[JobItem]:
        """Return new items for the links of a page, at their distance from the start."""
        found: list[JobItem] = []
        if depth > self._depth:
            return found
        for number, link in enumerate(links, 1):
            if number % LINKS_IN_A_ROW == 0:
                await asyncio.sleep(0)
            bare = link.partition("#")[0]
            if bare in self._judged:
                continue
            if len(self._judged) < 4 * caps.MAX_JOB_ITEMS:
                self._judged.add(bare)
            url = self.scope.address(bare)
            if url is None or page_key(url) in self._keys or self._variants.is_full(url):
                continue
            if not self.has_room:
                self.is_full = True
                break
            is_allowed = await self._fetcher.allowed(url)
            self.closed += not is_allowed
            # Another page may have taken the address while robots.txt was read.
            if is_allowed and page_key(url) not in self._keys:
                self.take(url)
                found.append(JobItem(url, depth))
        return found


@dataclass(frozen=True, slots=True)
class Reach:
    """The scope of a crawl. `base` is the normalized final address of the start page, `left_out` are excluded folders."""

    base: str
    kind: CrawlScope
    left_out: tuple[str, ...] = ()

    def address(self, link: str) -> str | None:
        """Return the normalized address of a link in the scope, or None."""
        try:
            url = normalise_url(link)
        except InvalidURLError:
            return None
        if url.startswith("http://") and self.base.startswith("https://") and same_site(self.base, url):
            # On a site read over https://, an http:// link means the same page.
            url = "https://" + url.removeprefix("http://")
        # The name of the target can belong to a page or a file.
        stem, dot, suffix = urlsplit(url).path.rpartition("/")[2].lower().rpartition(".")
        holds_text = not (stem and dot and suffix in NO_TEXT)
        return url if self.includes(url) and holds_text and not is_endless(url) else None

    def includes(self, url: str) -> bool:
        """Whether a normalized address is in the scope."""
        if not same_site(self.base, url):
            return False
        if self.left_out and url != self.base and urlsplit(url).path.startswith(self.left_out):
            return False
        return self.kind is not CrawlScope.SUBPAGES or urlsplit(url).path.startswith(self.folder) or url == self.base

    @property
    def folder(self) -> str:
        """Return the path that contains all pages of the crawl: the folder of the start page, or the whole host."""
        path = urlsplit(self.base).path
        return path[: path.rfind("/") + 1] if self.kind is CrawlScope.SUBPAGES else "/"

    @property
    def prefixes(self) -> tuple[str, ...]:
        """Return the possible beginnings of a page address in the crawl."""
        netloc = urlsplit(self.base).netloc.removeprefix("www.")
        hosts = [f"{scheme}://{www}{netloc}" for scheme in ("http", "https") for www in ("", "www.")]
        return tuple(host + self.folder for host in hosts)


def page_key(url: str) -> str:
    """Return a key for all spellings of a page's address: no scheme, no "www.", no index file."""
    parts = urlsplit(url)
    path = _INDEX.sub("/", parts.path)
    return f"{parts.netloc.removeprefix('www.')}{path}?{parts.query}"


def is_endless(url: str) -> bool:
    """Whether the path looks like an endless loop of ever longer paths."""
    segments = [segment for segment in urlsplit(url).path.split("/") if segment]
    return len(segments) > MAX_PATH_SEGMENTS or max(Counter(segments).values(), default=0) > MAX_REPEATED_SEGMENTS


class Variants:
    """Counts the queries of each path, so that calendars, sort orders and session ids do not fill a crawl."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, url: str) -> None:
        """Record an address that was taken."""
        path = self._path(url)
        if path is not None:
            self._counts[path] += 1

    def is_full(self, url: str) -> bool:
        """Whether the path of an address already has enough other queries."""
        path = self._path(url)
        return path is not None and self._counts[path] >= MAX_QUERIES_PER_PATH

    def _path(self, url: str) -> str | None:
        """Return the path without its variable parts, or None if it has none."""
        bare = _PARAMETERS.sub("", url.partition("?")[0])
        return bare if bare != url else None
