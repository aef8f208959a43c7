"""Which addresses belong to a crawl, and when two of them name one page."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from app import caps
from app.errors import InvalidURLError
from app.ingest.crawling.options import CrawlScope
from app.web.urls import normalise_url, same_site

_INDEX: Final = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?)$")
_PARAMETERS: Final = re.compile(r";[^/?]*")

_NO_TEXT_SUFFIXES: Final = (
    "7z aac apk appimage avi avif bin bmp bz2 cab class css csv deb dmg doc docx eot epub exe flac gem gif gz ico img ipa iso jar",
    "jpeg jpg js json jsonl m4a m4v map mjs mkv mov mp3 mp4 mpeg mpg msi odp ods odt ogg ogv opus otf pkg png ppt pptx ps psd pyc",
    "rar rpm rss so sqlite svg svgz swf tar tgz tif tiff ttf wasm wav webm webmanifest webp whl wmv woff woff2 xls xlsx xml xz zip zst",
)
NO_TEXT: Final = frozenset(suffix for line in _NO_TEXT_SUFFIXES for suffix in line.split())
"""Suffixes of targets that hold no page to read."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The reach of a crawl. `base` is the normalised address where the start page was found, `left_out` folders without it."""

    base: str
    kind: CrawlScope
    left_out: tuple[str, ...] = ()

    def address(self, link: str) -> str | None:
        """The address of a link in one spelling when it belongs to the crawl; None for all others."""
        try:
            url = self._in_own_scheme(normalise_url(link))
        except InvalidURLError:
            return None
        return url if self.includes(url) and holds_text(url) and not is_endless(url) else None

    def includes(self, url: str) -> bool:
        """Whether a normalised address lies within the reach."""
        if not same_site(self.base, url):
            return False
        if self.left_out and url != self.base and urlsplit(url).path.startswith(self.left_out):
            return False
        return self.kind is not CrawlScope.SUBPAGES or urlsplit(url).path.startswith(self.folder) or url == self.base

    @property
    def folder(self) -> str:
        """The path below which the pages of the crawl lie: the folder of the start page, or the whole host."""
        path = urlsplit(self.base).path
        return path[: path.rfind("/") + 1] if self.kind is CrawlScope.SUBPAGES else "/"

    @property
    def prefixes(self) -> tuple[str, ...]:
        """The spellings with which the address of a page of the crawl can begin."""
        netloc = urlsplit(self.base).netloc.removeprefix("www.")
        hosts = [f"{scheme}://{www}{netloc}" for scheme in ("http", "https") for www in ("", "www.")]
        return tuple(host + self.folder for host in hosts)

    def _in_own_scheme(self, url: str) -> str:
        """An http:// link of a site that is read by https:// means the same page."""
        if url.startswith("http://") and self.base.startswith("https://") and same_site(self.base, url):
            return "https://" + url.removeprefix("http://")
        return url


def page_key(url: str) -> str:
    """What two spellings of one page have in common: no scheme, no "www.", no index file."""
    parts = urlsplit(url)
    path = _INDEX.sub("/", parts.path)
    return f"{parts.netloc.removeprefix('www.')}{path}?{parts.query}"


def holds_text(url: str) -> bool:
    """Whether the name of the target promises a page or a document."""
    name = urlsplit(url).path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    return not (stem and dot and suffix in NO_TEXT)


def is_endless(url: str) -> bool:
    """Whether the path looks like one that links to longer and longer forms of itself."""
    segments = [segment for segment in urlsplit(url).path.split("/") if segment]
    most = max(Counter(segments).values(), default=0)
    return len(segments) > caps.MAX_PATH_SEGMENTS or most > caps.MAX_REPEATED_SEGMENTS


class Variants:
    """Counts the queries of each path, so that calendars, orders and session numbers do not fill a crawl."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, url: str) -> None:
        """Note an address that was taken."""
        path = self._path(url)
        if path is not None:
            self._counts[path] += 1

    def is_full(self, url: str) -> bool:
        """Whether its path was taken with enough other queries."""
        path = self._path(url)
        return path is not None and self._counts[path] >= caps.MAX_QUERIES_PER_PATH

    def _path(self, url: str) -> str | None:
        """The path without its variable parts; None when it has none."""
        bare = _PARAMETERS.sub("", url.partition("?")[0])
        return bare if bare != url else None
