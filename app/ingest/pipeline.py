"""From an address to a stored document: fetch, extract, chunk, store, embed."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app import caps
from app.corpus import Corpus
from app.corpus.records import ChunkIn, DocumentIn, DocumentSummary, ImageRecord, LinkRecord, SectionRecord
from app.errors import EmptyPageError, FetchError, InvalidURLError
from app.events import DocumentChanged, EventBus
from app.extract import Page, extract
from app.ingest.chunking import chunk_page
from app.ingest.guide import GUIDE_SCHEME
from app.web.fetch import Fetcher
from app.web.response import FetchResult, Validators
from app.web.urls import normalise_url

log = logging.getLogger(__name__)

CountTokens = Callable[[Sequence[str]], list[int]]


class Change(StrEnum):
    """What ingesting an address did to the corpus."""

    STORED = "stored"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """The stored document and what changed.

    `fetched` is False when the stored copy was used; `note` says why although it was due for a refresh.
    """

    summary: DocumentSummary
    change: Change
    fetched: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class ChunkingLimits:
    """The largest chunk in tokens, and how tokens are counted."""

    max_tokens: int
    count_tokens: CountTokens


class IngestPipeline:
    """Turns addresses into documents. One address is worked on once at a time; a failure stores nothing."""

    def __init__(
        self, corpus: Corpus, fetcher: Fetcher, limits: ChunkingLimits, bus: EventBus, *, stale_after_seconds: float
    ) -> None:
        self._corpus = corpus
        self._fetcher = fetcher
        self._limits = limits
        self._bus = bus
        self._stale_after = stale_after_seconds
        self._running: dict[tuple[str, bool, bool], asyncio.Task[IngestOutcome]] = {}

    async def ingest(self, url: str, *, refresh: bool = False, automatic: bool = False) -> IngestOutcome:
        """Make sure the page is stored and fresh; its text is searchable by keyword when this returns.

        `automatic` marks fetches nobody asked for by name (robots and politeness apply). Raises FetchError and its kin;
        the document stored before, if any, stays as it was.
        """
        if url.startswith(GUIDE_SCHEME):
            return await asyncio.to_thread(self._guide_page, url)
        address = normalise_url(url)
        key = (address, refresh, automatic)
        task = self._running.get(key)
        if task is None:
            task = asyncio.create_task(self._ingest(address, refresh, automatic), name=f"ingest {address}")
            self._running[key] = task
            task.add_done_callback(lambda done: self._ended(key, done))
        return await asyncio.shield(task)

    async def is_fresh(self, url: str) -> bool:
        """Whether the stored copy would be used without a request."""
        if url.startswith(GUIDE_SCHEME):
            return True
        known = await asyncio.to_thread(self._corpus.summary, normalise_url(url))
        return known is not None and not self._is_stale(known, False)

    async def stop(self) -> None:
        """Give up what is still running."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def store_page(self, page: Page, *, url: str, kind: str) -> DocumentSummary:
        """Chunk and store a page that did not come from the web (the bundled guide, a file)."""
        outcome = await asyncio.to_thread(self._store, page, url, kind, None, ())
        return outcome.summary

    def _ended(self, key: tuple[str, bool, bool], task: asyncio.Task[IngestOutcome]) -> None:
        """Forget a reading; its error goes to whoever waits, and to the log when nobody does any more."""
        self._running.pop(key, None)
        if not task.cancelled() and task.exception() is not None:
            log.info("a page was not read: %s", type(task.exception()).__name__)

    def _guide_page(self, url: str) -> IngestOutcome:
        summary = self._corpus.summary(url)
        if summary is None:
            raise InvalidURLError(f"{url} is not a page of the guide.", url=url)
        return IngestOutcome(summary, Change.UNCHANGED, fetched=False)

    async def _ingest(self, url: str, refresh: bool, automatic: bool) -> IngestOutcome:
        self._fetcher.check(url)
        known = await asyncio.to_thread(self._corpus.summary, url)
        if known is not None and not self._is_stale(known, refresh):
            return IngestOutcome(known, Change.UNCHANGED, fetched=False)
        validators = await asyncio.to_thread(self._validators, url) if known is not None else None
        try:
            result = await self._fetcher.fetch(url, validators=validators, automatic=automatic)
        except FetchError as error:
            if known is None or refresh:
                raise
            return IngestOutcome(known, Change.UNCHANGED, fetched=False, note=f"could not be refreshed ({error})")
        if result.not_modified and known is not None:
            return await asyncio.to_thread(self._touch, known, result)
        return await asyncio.to_thread(self._extract_and_store, url, result)

    def _is_stale(self, known: DocumentSummary, refresh: bool) -> bool:
        age = time.time() - known.last_crawled
        return refresh or age > max(self._stale_after, caps.REFETCH_THROTTLE_SECONDS)

    def _validators(self, url: str) -> Validators | None:
        document = self._corpus.document(url)
        return Validators(document.etag, document.last_modified) if document is not None else None

    def _touch(self, known: DocumentSummary, result: FetchResult) -> IngestOutcome:
        validators = result.validators
        self._corpus.touch_document(
            known.id,
            last_crawled=result.fetched_at,
            etag=validators.etag,
            last_modified=validators.last_modified,
        )
        return IngestOutcome(self._summary(known.url), Change.UNCHANGED, fetched=True)

    def _extract_and_store(self, requested: str, result: FetchResult) -> IngestOutcome:
        page = extract(result.body, url=result.url, content_type=result.content_type, charset=result.charset)
        final = normalise_url(result.url)
        url = self._identity(final, page)
        aliases = tuple(dict.fromkeys(alias for alias in (requested, final) if alias != url))
        outcome = self._store(page, url, "web", result, aliases)
        log.info("%s: %d chunks in %.0f ms", outcome.change.value, outcome.summary.chunks, result.elapsed_ms)
        return outcome

    def _identity(self, final: str, page: Page) -> str:
        """The address a page is stored under: where it was found, or its canonical form if that only spells it otherwise.

        A canonical link to another path is not believed: versions of one page name each other, and sites name their root.
        """
        if page.canonical_url is None:
            return final
        canonical = normalise_url(page.canonical_url)
        return canonical if _bare(canonical) == _bare(final) else final

    def _store(
        self, page: Page, url: str, kind: str, result: FetchResult | None, aliases: tuple[str, ...]
    ) -> IngestOutcome:
        chunks = chunk_page(page, url=url, count_tokens=self._limits.count_tokens, max_tokens=self._limits.max_tokens)
        if not chunks:
            raise EmptyPageError(f"No readable text was found at {url}.", url=url)
        known = self._corpus.document(url)
        if len(chunks) >= caps.MAX_CHUNKS_PER_DOCUMENT:
            page = replace(page, note=f"{page.note} The page is very long; only its first part is searchable.".strip())
        document = _document(page, chunks, url=url, kind=kind, result=result, aliases=aliases)
        stored = self._corpus.store_document(document)
        change = Change.STORED if known is None else Change.UPDATED
        if known is not None and known.content_hash == document.content_hash:
            change = Change.UNCHANGED
        self._bus.publish(DocumentChanged(url, stored.document_id, change.value))
        return IngestOutcome(self._summary(url), change, fetched=True)

    def _summary(self, url: str) -> DocumentSummary:
        summary = self._corpus.summary(url)
        if summary is None:
            raise EmptyPageError(f"{url} was deleted while it was being read.", url=url)
        return summary


def _bare(url: str) -> str:
    """The address without query, trailing slash and index file, which often name one page."""
    path = url.split("?", 1)[0]
    return re.sub(r"/(?:index\.html?)?$", "", path)


def _document(
    page: Page,
    chunks: tuple[ChunkIn, ...],
    *,
    url: str,
    kind: str,
    result: FetchResult | None,
    aliases: tuple[str, ...],
) -> DocumentIn:
    validators = result.validators if result is not None else Validators()
    return DocumentIn(
        url=url,
        title=page.title,
        text=page.text,
        content_hash=hashlib.sha256(page.text.encode("utf-8", "surrogatepass")).hexdigest(),
        kind=kind,
        chunks=chunks,
        sections=tuple(SectionRecord(s.level, s.heading, s.anchor, s.start, s.end) for s in page.sections),
        links=tuple(LinkRecord(link.url, link.text, link.start, link.end) for link in page.links),
        images=tuple(ImageRecord(i.url, i.alt, i.caption, i.position) for i in page.images),
        aliases=aliases,
        language=page.language,
        etag=validators.etag,
        last_modified=validators.last_modified,
        published=page.published,
        last_crawled=result.fetched_at if result is not None else time.time(),
        note=page.note,
    )
