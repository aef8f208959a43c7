"""What a crawl may take, and what it would take."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app import caps


class CrawlScope(StrEnum):
    """Which links of a page belong to the crawl."""

    PAGE = "page"
    """The page and the pages that it links to on its host."""
    SUBPAGES = "subpages"
    """Pages below the folder of the start page."""
    HOST = "host"
    """Pages of the same host."""


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """Scope and limits; `refresh` asks every page again even if its copy is fresh (unchanged ones answer 304)."""

    scope: CrawlScope = CrawlScope.SUBPAGES
    max_pages: int = caps.DEFAULT_CRAWL_PAGES
    max_depth: int = caps.DEFAULT_CRAWL_DEPTH
    refresh: bool = True


@dataclass(frozen=True, slots=True)
class CrawlPreview:
    """What a crawl would take, found without storing anything.

    `urls` are the pages known so far, bounded; `known` counts all of them and `is_complete` says whether a site map told of the
    whole site. `sources` names where they were found ("sitemap", "llms.txt", "feed", "links", "stored"), `excluded` counts what robots.txt
    forbids, `seconds` estimates the time at the polite pace, and `notes` are sentences for the person.
    """

    start: str
    title: str
    options: CrawlOptions
    urls: tuple[str, ...]
    known: int
    is_complete: bool
    sources: tuple[str, ...]
    excluded: int
    seconds: float
    notes: tuple[str, ...] = ()
