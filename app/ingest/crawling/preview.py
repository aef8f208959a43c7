"""Preview a crawl or a single page with a few requests, before anything is stored."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlsplit

from app import caps
from app.errors import FetchError, HTTPStatusError, InvalidArgumentError, WebRAGError
from app.ingest.crawling.frontier import Frontier, Reach
from app.ingest.crawling.options import CrawlOptions, CrawlPreview, CrawlScope
from app.ingest.crawling.site_sources import FEED, Listing, SiteSources
from app.ingest.pipeline import FetchedPage, IngestPipeline
from app.library.protocol import Library
from app.library.records import DocumentSummary
from app.text.sentence import sentence
from app.web.fetch import Fetcher
from app.web.records import FetchResult, Occasion
from app.web.urls import normalise_url

MAX_PREVIEW_PAGES: Final = 200
MAX_PREVIEW_DELAY_SECONDS: Final = 2.0
MAX_PREVIEW_FOLDERS: Final = 500  # The number of folders in a preview.
MAX_PREVIEW_SITEMAPS: Final = 4

LINKS, STORED = "links", "stored"


@dataclass(slots=True)
class _Findings:
    """The findings so far; `urls` in the order of the crawl."""

    frontier: Frontier
    title: str = ""
    urls: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    is_complete: bool = False

    async def add(self, source: str, links: Iterable[str]) -> None:
        found = await self.frontier.items(links, 1)
        if found:
            self.sources.append(source)
            self.urls += [item.url for item in found]


async def preview_crawl(
    url: str, options: CrawlOptions, *, corpus: Library, fetcher: Fetcher, pipeline: IngestPipeline
) -> CrawlPreview:
    """Check the start page, the sitemap and stored pages. Raises FetchError if nothing is found."""
    unbounded = replace(options, max_pages=caps.MAX_CRAWL_PAGES)
    findings = _Findings(Frontier(Reach(url, options.scope, options.left_out), unbounded, fetcher))
    try:
        # The user is waiting, so this one request to a slow site ignores its crawl delay.
        is_slow = _is_slow(await fetcher.crawl_delay(url)) and await fetcher.allowed(url)
        result = await fetcher.fetch(url, occasion=Occasion.NAMED if is_slow else Occasion.AUTOMATIC)
        await _read_start(findings, result, unbounded, fetcher, pipeline)
    except HTTPStatusError as error:
        await _read_lists(findings, fetcher)
        if not findings.urls:
            raise
        findings.notes.append(_unreadable(error))
    else:
        await _read_lists(findings, fetcher)
    for prefix in findings.frontier.scope.prefixes:
        await findings.add(STORED, await asyncio.to_thread(corpus.documents.urls_below, prefix, caps.MAX_CRAWL_PAGES))
    return _preview(findings, url, options, await fetcher.crawl_delay(findings.frontier.scope.base))


def _is_slow(delay: float | None) -> bool:
    return (delay or 0.0) > MAX_PREVIEW_DELAY_SECONDS


async def _read_start(
    findings: _Findings, result: FetchResult, options: CrawlOptions, fetcher: Fetcher, pipeline: IngestPipeline
) -> None:
    base = normalise_url(result.url)
    findings.frontier = Frontier(Reach(base, options.scope, options.left_out), options, fetcher)
    try:
        page = await pipeline.read_start(result)
    except WebRAGError as error:
        listing = await asyncio.to_thread(SiteSources(fetcher, findings.frontier.scope).parse, result.body, base)
        if not listing.urls:
            findings.notes.append(_unreadable(error))
        await _add_listing(findings, listing)
        return
    findings.title = page.title
    findings.frontier.take(base)
    findings.urls.append(base)
    if page.noindex:
        findings.notes.append(sentence("The start page does not allow indexing and will not be stored."))
    if page.nofollow:
        findings.notes.append(sentence("The start page does not allow WebRAG to follow its links."))
    elif options.max_depth:
        await findings.add(LINKS, (*(link.url for link in page.links), *page.navigation))
        if len(findings.urls) == 1:
            listing = await asyncio.to_thread(SiteSources(fetcher, findings.frontier.scope).parse, result.body, base)
            if listing.elsewhere:
                findings.frontier.reach_listed()
                await findings.add(FEED, listing.elsewhere)


async def _read_lists(findings: _Findings, fetcher: Fetcher) -> None:
    scope = findings.frontier.scope
    if scope.kind is CrawlScope.PAGE:
        findings.is_complete = True
        return
    if _is_slow(await fetcher.crawl_delay(scope.base)):
        note = sentence("This preview does not include the site's own lists of pages. The crawl reads them.")
        findings.notes.append(note)
        return
    listing = await SiteSources(fetcher, scope).listing(most_maps=MAX_PREVIEW_SITEMAPS, enough=caps.MAX_CRAWL_PAGES)
    findings.is_complete = bool(listing.urls) and not listing.is_cut
    findings.notes += listing.problems
    await _add_listing(findings, listing)


async def _add_listing(findings: _Findings, listing: Listing) -> None:
    if listing.source and listing.source not in findings.sources:
        before = len(findings.sources)
        await findings.add(listing.source, listing.urls)
        if len(findings.sources) == before:
            findings.sources.append(listing.source)


def _preview(findings: _Findings, start: str, options: CrawlOptions, delay: float | None) -> CrawlPreview:
    known = len(findings.urls)
    folders = Counter(urlsplit(each).path.rpartition("/")[0] + "/" for each in findings.urls)
    pace = max(min(delay or 0.0, caps.MAX_CRAWL_DELAY_SECONDS), 1 / caps.HOST_REQUESTS_PER_SECOND)
    return CrawlPreview(
        start=start,
        title=findings.title,
        options=options,
        urls=tuple(findings.urls[:MAX_PREVIEW_PAGES]),
        known=known,
        is_complete=findings.is_complete and not findings.frontier.is_full,
        sources=tuple(dict.fromkeys(findings.sources)),
        excluded=findings.frontier.closed,
        seconds=min(known, options.max_pages) * pace,
        notes=(*findings.notes, *_remarks(findings, options, delay)),
        # Sorted by name; of very many, the ones with the most pages.
        folders=tuple(sorted(folders.most_common(MAX_PREVIEW_FOLDERS))),
    )


def _remarks(findings: _Findings, options: CrawlOptions, delay: float | None) -> list[str]:
    scope, known = findings.frontier.scope, len(findings.urls)
    remarks: list[str] = []
    if scope.kind is CrawlScope.SUBPAGES:
        remarks.append(
            sentence("The crawl indexes only pages below {}.", f"{urlsplit(scope.base).netloc}{scope.folder}")
        )
    if findings.frontier.is_full:
        remarks.append(sentence("The site has at least {} pages.", f"{known:,}"))
    if known > options.max_pages:
        most = options.max_pages
        remarks.append(
            sentence("The crawl will index {0} of {1} known pages. Raise the limit to index more.", most, known)
        )
    elif not findings.is_complete:
        remarks.append(sentence("The crawl may find more pages as it follows links."))
    if delay:
        seconds = f"{delay:g}" if delay < 1_000 else f"{delay:,.0f}"
        pace = sentence("The site asks for {} seconds between requests.", seconds)
        if delay > caps.MAX_CRAWL_DELAY_SECONDS:
            pace = sentence(
                "The site asks for {0} seconds between requests. WebRAG waits {1} seconds at most.",
                seconds,
                f"{caps.MAX_CRAWL_DELAY_SECONDS:g}",
            )
        remarks.append(pace)
    return remarks


def _unreadable(error: WebRAGError) -> str:
    return sentence("The start page cannot be read: {}", error)


LOOK_BEGINNING_CHARS: Final = 1_200  # The part of a page's text to preview before it is stored.
LOOK_ROBOTS_SECONDS: Final = 3.0
"""The time limit for the site's rules on such a page; without a response, the preview omits them."""


@dataclass(frozen=True, slots=True)
class PagePreview:
    """A page as it would be stored. `url` is its address after redirects, `beginning` the first lines of its text.

    `note` describes what may be missing, `flags` the text that addresses the assistant. `is_welcome` is False if robots.txt disallows
    automatic fetching. `stored` is the existing copy, `fetched` the input for storing.
    """

    url: str
    title: str
    language: str
    tokens: int
    chunks: int
    links: int
    beginning: str
    note: str = ""
    flags: tuple[str, ...] = ()
    is_welcome: bool = True
    stored: DocumentSummary | None = None
    fetched: FetchedPage | None = None

    def read(self) -> FetchedPage:
        """Return the input for storing. Raises InvalidArgumentError if nothing was read."""
        if self.fetched is None:
            raise InvalidArgumentError(sentence("{} has not been read yet.", self.url), hint="Preview the page first.")
        return self.fetched


async def preview_page(url: str, *, pipeline: IngestPipeline, fetcher: Fetcher, corpus: Library) -> PagePreview:
    """Fetch and extract a page without storing it. Raises FetchError and its subclasses."""
    fetched = await pipeline.fetch_page(url)
    try:
        is_welcome = await asyncio.wait_for(fetcher.allowed(fetched.result.url), LOOK_ROBOTS_SECONDS)
    except (FetchError, TimeoutError):
        is_welcome = True
    return await asyncio.to_thread(_preview_of, fetched, is_welcome, corpus)


def _preview_of(fetched: FetchedPage, is_welcome: bool, corpus: Library) -> PagePreview:
    from app.text.shield import instruction_flags

    page, chunks = fetched.prepared.page, fetched.prepared.chunks
    stored = corpus.documents.summary(fetched.prepared.url) or corpus.documents.summary(fetched.requested)
    # The first lines without a heading that repeats the title.
    head, _, rest = page.text.lstrip().partition("\n")
    body = rest if head.lstrip("# ").strip() == page.title.strip() else page.text
    return PagePreview(
        url=fetched.prepared.url,
        title=page.title,
        language=page.language,
        tokens=sum(chunk.tokens for chunk in chunks),
        chunks=len(chunks),
        links=len(page.links),
        beginning=body.strip()[:LOOK_BEGINNING_CHARS],
        note=page.note,
        flags=tuple(dict.fromkeys(flag for chunk in chunks for flag in instruction_flags(chunk.text))),
        is_welcome=is_welcome,
        stored=stored,
        fetched=fetched,
    )
