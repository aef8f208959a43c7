"""From an address to a stored document: fetch, extract, chunk, store, embed."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from app import caps
from app.errors import EmptyPageError, FetchError, FileAccessError, InvalidURLError, SkeletonPageError, WebRAGError
from app.events import CURRENT_CALL, DocumentChanged, EventBus
from app.extract import Page
from app.extract.pictures import Picture
from app.ingest.files import GUIDE_SCHEME, file_path, file_url, read_file
from app.ingest.outcome import Change, IngestOutcome
from app.ingest.policies import (
    BROWSER_KIND,
    BROWSER_NOTE,
    SELECTION_NOTE,
    Arrival,
    StaleAfter,
    absorbed_note,
    check_index,
    is_believed,
    is_skeleton,
    may_follow,
    why_kept,
)
from app.ingest.preparation import Preparer, Skeleton, SkeletonReader
from app.ingest.prepared import Body, PictureBody, Prepared, document_of, prepare_page
from app.library.protocol import LibraryWriter
from app.library.records import CameBy, DocumentIn, DocumentSummary
from app.text.tokens import ChunkingLimits
from app.web.fetch import Fetcher
from app.web.records import INSTALL_RENDERER, FetchResult, Occasion, PageRenderer, Validators, occasion_of
from app.web.urls import host_of, normalise_url, tab_address

log = logging.getLogger(__name__)
FILE_SCHEME: Final = "file:"
SELECTION_NAME_CHARS: Final = 12
"""Of the digest that tells selections of one page apart."""
ONLY_IN_BROWSER: Final = (
    "was kept from the browser under an address of which a fetch gets only the frame; keep it there again"
)
"""Why a copy is not refreshed, as what comes behind the name of the page."""
_ReadingKey = tuple[str, bool, Occasion, str, Hashable]
"""What makes two readings the same: address, refresh, occasion, the host whose link led there, and for whom it is read."""


class IngestPipeline:
    """Turns addresses and files into documents. One address is worked on once at a time; a failure stores nothing.

    `site_stale_after_seconds` has the sites, by host, that are asked again after another time than the others.
    `obeys_noindex`: pages that nobody named and that ask not to be indexed are refused. `renderer` reads pages that JavaScript
    builds; without one `renderer_advice` tells what to do. `probe_seconds` bounds the reading of a Markdown version. `for_whom` tells
    apart callers that must not share a reading, since each stores it elsewhere, `refusal` why a caller may not store any page: none is
    fetched for who may not. `claim` notes in which other way a stored page came, where the library keeps that.
    """

    def __init__(
        self,
        corpus: LibraryWriter,
        fetcher: Fetcher,
        limits: ChunkingLimits,
        bus: EventBus,
        *,
        stale_after_seconds: float,
        site_stale_after_seconds: Mapping[str, float] | None = None,
        obeys_noindex: bool = True,
        renderer: PageRenderer | None = None,
        renderer_advice: str = INSTALL_RENDERER,
        probe_seconds: float = caps.RENDER_SECONDS,
        for_whom: Callable[[], Hashable] | None = None,
        refusal: Callable[[], WebRAGError | None] | None = None,
        claim: Callable[[int, CameBy], bool] | None = None,
    ) -> None:
        self._corpus = corpus
        self._fetcher = fetcher
        self._limits = limits
        self._bus = bus
        self._stale_after = StaleAfter(stale_after_seconds, site_stale_after_seconds or {})
        self._obeys_noindex = obeys_noindex
        self._preparer = Preparer(limits)
        self._skeletons = SkeletonReader(
            self._preparer, fetcher, renderer, advice=renderer_advice, seconds=probe_seconds
        )
        self._for_whom = for_whom or (lambda: None)
        self._refusal = refusal or (lambda: None)
        self._claim = claim or (lambda _document_id, _came_by: False)
        self._running: dict[_ReadingKey, asyncio.Task[IngestOutcome]] = {}
        self._storing = threading.Lock()

    async def ingest(
        self,
        url: str,
        *,
        refresh: bool = False,
        automatic: bool = False,
        listed: bool = False,
        seconds: float | None = None,
        found_on: str = "",
        came_by: CameBy | None = None,
    ) -> IngestOutcome:
        """Make sure the page is stored and fresh; its text is searchable by keyword when this returns.

        `automatic` marks fetches nobody asked for by name (robots, noindex and politeness apply), `listed` those that a
        person named and nobody waits for (politeness applies). `seconds` bounds the fetch below the usual time, for somebody
        who waits. `found_on` is the page whose link led here, if one did; `came_by` is how the
        page came where that is not clear from the call. Raises FetchError and its kin; the document stored
        before, if any, stays as it was.
        """
        if url.startswith((GUIDE_SCHEME, FILE_SCHEME)):
            return await asyncio.to_thread(self._own_page, url)
        if (kept := await asyncio.to_thread(self.kept_under_fragment, url)) is not None:
            return IngestOutcome(kept, Change.UNCHANGED, fetched=False, note=ONLY_IN_BROWSER if refresh else "")
        address = normalise_url(url)
        occasion = occasion_of(automatic=automatic, listed=listed)
        if came_by is None:
            named = CameBy.ASSISTANT if CURRENT_CALL.get() else CameBy.PERSON
            came_by = CameBy.LINK if automatic else named
        key = (address, refresh, occasion, found_on and host_of(found_on), self._for_whom())
        task = self._running.get(key)
        if task is None and occasion is Occasion.LISTED and not found_on:
            # A reading of the same page for somebody who waits serves a page of a list as well.
            waited_for = ((address, anew, Occasion.NAMED, "", self._for_whom()) for anew in {refresh, True})
            task = next((self._running[other] for other in waited_for if other in self._running), None)
        if task is None:

            def forget(done: asyncio.Task[IngestOutcome]) -> None:
                """Its error is for whoever waits, and for the log when nobody does any more."""
                self._running.pop(key, None)
                if not done.cancelled() and done.exception() is not None:
                    log.info("a page was not read: %s", type(done.exception()).__name__)

            task = asyncio.create_task(
                self._ingest(address, refresh, occasion, seconds, found_on, came_by), name=f"ingest {address}"
            )
            self._running[key] = task
            task.add_done_callback(forget)
        outcome = await asyncio.shield(task)
        # Reading a page again is no wish to have it.
        if not refresh:
            await asyncio.to_thread(self._note_way, outcome.summary, came_by)
        return outcome

    async def is_fresh(self, url: str) -> bool:
        """Whether the stored copy would be used without a request."""
        if url.startswith((GUIDE_SCHEME, FILE_SCHEME)):
            return True
        if await asyncio.to_thread(self.kept_under_fragment, url) is not None:
            return True
        known = await asyncio.to_thread(self._corpus.documents.summary, normalise_url(url))
        return known is not None and not self._is_stale(known, False)

    async def read_start(self, result: FetchResult) -> Page:
        """The page of an answer, which is stored nowhere. Raises the errors of extraction."""
        return (await self._preparer.prepare(_body(result))).page

    async def fetch_page(self, url: str) -> FetchedPage:
        """The page at an address that a person named, fetched now and stored nowhere. Raises FetchError and its kin."""
        address = normalise_url(url)
        self._fetcher.check(address)
        occasion = occasion_of(automatic=False, listed=False)
        begun = time.time()
        result = await self._fetcher.fetch(address, occasion=occasion)
        prepared, validators = await self._prepare(result, occasion)
        return FetchedPage(address, replace(result, validators=validators), prepared, begun)

    async def store_fetched_page(self, fetched: FetchedPage) -> IngestOutcome:
        """Store what `fetch_page` found, unless it is worse than a copy that it would replace."""
        outcome = await asyncio.to_thread(self._store_fetched, fetched)
        await asyncio.to_thread(self._note_way, outcome.summary, fetched.came_by)
        return outcome

    async def store_browser_page(self, page: BrowserPage) -> IngestOutcome:
        """Store a page as a person's browser shows it: read like one that was fetched, under the address of the tab.

        What the page calls its own address is not believed: a page that a browser showed to one person is the page of that address
        alone. Raises InvalidURLError, AddressDeniedError for a blocked site, and the errors of extraction.
        """
        address = tab_address(page.url)
        self._fetcher.check(normalise_url(address))
        if page.is_selection:
            address = f"{address}{'&' if '#' in address else '#'}selection-{hashlib.sha256(page.html).hexdigest()[:SELECTION_NAME_CHARS]}"
        prepared = await self._preparer.prepare(Body(page.html, address, "text/html", "utf-8", address))
        note = f"{BROWSER_NOTE} {SELECTION_NOTE}" if page.is_selection else BROWSER_NOTE
        seen = Validators(etag=page.digest)
        document = document_of(prepared, kind=BROWSER_KIND, crawled=time.time(), validators=seen, note=note)

        def store() -> IngestOutcome:
            with self._storing:
                outcome = self._store(document, CameBy.BROWSER)
                self._note_way(outcome.summary, CameBy.BROWSER)
                return outcome

        return await asyncio.to_thread(store)

    async def read_picture(self, content: bytes, url: str) -> Picture:
        """A picture decoded and made anew in the process that reads pages. Raises UnsupportedContentError, PreparationError."""
        return await self._preparer.picture(PictureBody(content, url))

    async def stop(self) -> None:
        """Give up what is still running."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._preparer.stop()

    async def store_text(self, page: Page, *, url: str, kind: str, crawled: float) -> IngestOutcome:
        """Chunk and store a page that somebody else extracted, read at that time. Raises EmptyPageError."""
        return await asyncio.to_thread(
            lambda: self._store(document_of(prepare_page(page, url, self._limits), kind=kind, crawled=crawled))
        )

    async def store_file(self, path: Path, *, folder_id: int | None, apart: bool = False) -> IngestOutcome:
        """Read a local file, given with its full path, and store it under its file:// address; `apart` in the separate process.

        Raises FileAccessError when it is a link, no regular file, too large or unreadable, and the errors of extraction.
        """
        body, stamp = await asyncio.to_thread(read_file, path, folder_id)
        prepared = await self._preparer.prepare(body, at_leisure=folder_id is not None, apart=apart)
        return await asyncio.to_thread(
            lambda: self._store(document_of(prepared, kind="file", crawled=time.time(), file=stamp), CameBy.PERSON)
        )

    def _own_page(self, url: str) -> IngestOutcome:
        """A page of the guide, or a file that a person added. No file is ever read because somebody names it here."""
        is_file = url.startswith(FILE_SCHEME)
        address = url
        if is_file:
            with suppress(FileAccessError, ValueError):
                # The one spelling of the address of a file.
                address = file_url(file_path(url))
        summary = self._corpus.documents.summary(address)
        if summary is None and is_file:
            hint = "Add the file, or the folder that holds it, in the WebRAG window (Library)."
            raise InvalidURLError(f"{url} was not added to the library.", url=url, hint=hint)
        if summary is None:
            raise InvalidURLError(f"{url} is not a page of the guide.", url=url)
        return IngestOutcome(summary, Change.UNCHANGED, fetched=False)

    async def _ingest(
        self, url: str, refresh: bool, occasion: Occasion, seconds: float | None, found_on: str, came_by: CameBy
    ) -> IngestOutcome:
        CURRENT_CALL.set(0)  # several calls may wait for the page: it does not end with one of them
        self._fetcher.check(url)
        known = await asyncio.to_thread(self._corpus.documents.summary, url)
        if known is not None and (
            not self._is_stale(known, refresh) or (known.kind == BROWSER_KIND and not occasion.is_urgent)
        ):
            return IngestOutcome(known, Change.UNCHANGED, fetched=False)
        if (refused := self._refusal()) is not None:
            if known is None or refresh:
                raise refused
            return IngestOutcome(known, Change.UNCHANGED, fetched=False, note=f"could not be refreshed ({refused})")
        # A page that is read anew by name is asked for whole: a site whose validators are wrong would never give the new one.
        is_conditional = known is not None and not (refresh and occasion.is_urgent)
        stored = await asyncio.to_thread(self._corpus.documents.get, url) if is_conditional else None
        validators = None
        if stored is not None and stored.kind != BROWSER_KIND:
            validators = Validators(stored.etag, stored.last_modified)
        begun = time.time()
        try:
            result = await self._fetcher.fetch(
                url, validators=validators, occasion=occasion, seconds=seconds, found_on=found_on
            )
            if result.not_modified and known is not None:
                return await asyncio.to_thread(self._touch, known, result)
            at_leisure = not occasion.is_urgent and seconds is None
            prepared, validators = await self._prepare(result, occasion, at_leisure=at_leisure)
        except FetchError as error:
            if known is None or refresh:
                raise
            return IngestOutcome(known, Change.UNCHANGED, fetched=False, note=f"could not be refreshed ({error})")
        fetched = FetchedPage(url, replace(result, validators=validators), prepared, begun, came_by)
        return await asyncio.to_thread(self._store_fetched, fetched)

    def kept_under_fragment(self, url: str) -> DocumentSummary | None:
        """The page that a browser kept under an address with a fragment: a fetch would get the page without what scripts show there."""
        known = self._corpus.documents.summary(url.strip()) if "#" in url else None
        return known if known is not None and known.kind == BROWSER_KIND and "#" in known.url else None

    def _is_stale(self, known: DocumentSummary, refresh: bool) -> bool:
        # A page far in the future was stored while the clock was wrong; it would stay fresh until then.
        # What was kept from a browser has no age: a fetch may find a page for those who are not signed in.
        if known.kind == BROWSER_KIND:
            return refresh
        return refresh or abs(time.time() - known.last_crawled) > self._stale_after.seconds_for(known.url)

    def _touch(self, known: DocumentSummary, result: FetchResult) -> IngestOutcome:
        with self._storing:
            stored = self._summary(known.url)
            # What a browser brought meanwhile has nothing to do with the answer of the site.
            if stored.kind != BROWSER_KIND:
                validators = result.validators
                self._corpus.documents.touch(
                    known.id,
                    last_crawled=result.fetched_at,
                    etag=validators.etag,
                    last_modified=validators.last_modified,
                )
        return IngestOutcome(self._summary(known.url), Change.UNCHANGED, fetched=True)

    async def _prepare(
        self, result: FetchResult, occasion: Occasion, *, at_leisure: bool = False
    ) -> tuple[Prepared, Validators]:
        """Page and chunks of an answer, by another way where JavaScript builds the page, and the validators that are theirs.

        Those of a page without its text say nothing about the text. Raises NoIndexError.
        """
        asks_not = occasion.is_unasked and self._obeys_noindex
        try:
            prepared = await self._preparer.prepare(_body(result), at_leisure=at_leisure, named=not occasion.is_unasked)
            skeleton = Skeleton(result.url, prepared.url, prepared.page.markdown_url, prepared)
        except SkeletonPageError as error:
            skeleton = Skeleton(result.url, normalise_url(result.url), error.markdown_url, None)
        if asks_not:
            check_index(result.url, skeleton.read.page if skeleton.read is not None else None, result.robots_tag)
        if skeleton.read is not None and not is_skeleton(skeleton.read.page):
            return skeleton.read, result.validators
        found = await self._skeletons.read(skeleton, occasion)
        if asks_not:
            check_index(result.url, found.page, "")
        return found, Validators()

    def _store_fetched(self, fetched: FetchedPage) -> IngestOutcome:
        """Store what was read, unless it is worse than a copy that it would replace.

        One page at a time: what one reading stores counts for the decision about the next.
        """
        with self._storing:
            return self._store_decided(fetched)

    def _store_decided(self, fetched: FetchedPage) -> IngestOutcome:
        requested, result = fetched.requested, fetched.result
        final = normalise_url(result.url)
        prepared, documents_at = fetched.prepared, self._corpus.documents
        url, page = prepared.url, prepared.page
        if url != final and not is_believed(url, final, page, documents_at.get(url), documents_at.get(final)):
            # What the page calls its own address is another page; it is stored under the address that answered.
            prepared, url = prepare_page(page, final, self._limits), final
        replaced = [documents_at.get(address) for address in dict.fromkeys((requested, url, final))]
        documents = {document.id: document for document in replaced if document is not None}
        for document in documents.values():
            if reason := why_kept(Arrival(requested, final, url, prepared.page, fetched.begun), document):
                return IngestOutcome(self._summary(document.url), Change.UNCHANGED, fetched=False, note=reason)
        notes = [absorbed_note(document, url) for document in documents.values()]
        document_in = document_of(
            prepared,
            kind="web",
            crawled=result.fetched_at,
            validators=result.validators,
            aliases=tuple(dict.fromkeys(alias for alias in (requested, final) if alias != url)),
            note=" ".join(note for note in notes if note),
            follows=not self._obeys_noindex or may_follow(prepared.page, result.robots_tag),
        )
        outcome = self._store(document_in, fetched.came_by)
        log.info("%s: %d chunks in %.0f ms", outcome.change.value, outcome.summary.chunks, result.elapsed_ms)
        return outcome

    def _note_way(self, summary: DocumentSummary, came_by: CameBy) -> None:
        """Let a page that came in a better way than before have come so, and tell the lists."""
        if summary.came_by is not came_by and self._claim(summary.id, came_by):
            self._bus.publish(DocumentChanged(summary.url, summary.id, Change.UNCHANGED.value))

    def _store(self, document: DocumentIn, came_by: CameBy = CameBy.UNKNOWN) -> IngestOutcome:
        known = self._corpus.documents.get(document.url)
        stored = self._corpus.documents.store(replace(document, came_by=came_by))
        change = Change.STORED if known is None else Change.UPDATED
        if known is not None and known.content_hash == document.content_hash:
            change = Change.UNCHANGED
        self._bus.publish(DocumentChanged(document.url, stored.document_id, change.value))
        return IngestOutcome(self._summary(document.url), change, fetched=True)

    def _summary(self, url: str) -> DocumentSummary:
        summary = self._corpus.documents.summary(url)
        if summary is None:
            raise EmptyPageError(f"{url} was deleted while it was being read.", url=url)
        return summary


def _body(result: FetchResult) -> Body:
    return Body(result.body, result.url, result.content_type, result.charset)


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What storing needs: the address asked for, the answer of the site, what was made of it, and when the fetch began."""

    requested: str
    result: FetchResult
    prepared: Prepared
    begun: float
    came_by: CameBy = CameBy.PERSON


@dataclass(frozen=True, slots=True)
class BrowserPage:
    """A page as a browser shows it, without scripts and values of forms. `digest` tells the browser whether it changed since."""

    url: str
    html: bytes
    digest: str
    is_selection: bool = False
