"""Turn an address into a stored document: fetch, extract, chunk, store, embed."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Final

from app import caps
from app.errors import EmptyPageError, FetchError, FileAccessError, InvalidURLError, SkeletonPageError, WebRAGError
from app.events import CURRENT_CALL, DocumentChanged, EventBus
from app.extract import Page
from app.extract.pictures import Picture
from app.ingest import policies
from app.ingest.files import OWN_SCHEMES, file_path, file_url, read_file
from app.ingest.outcome import Change, IngestOutcome
from app.ingest.preparation import Preparer, Skeleton, SkeletonReader
from app.ingest.prepared import Body, PictureBody, Prepared, document_of, prepare_page
from app.library.packages import PACKAGE_SCHEME
from app.library.protocol import LibraryWriter
from app.library.records import CameBy, DocumentIn, DocumentSummary
from app.text.sentence import sentence
from app.text.tokens import ChunkingLimits
from app.web.fetch import Fetcher
from app.web.records import INSTALL_RENDERER, FetchResult, Occasion, PageRenderer, Validators
from app.web.urls import host_of, normalise_url, tab_address

log = logging.getLogger(__name__)
FILE_SCHEME: Final = "file:"
PACKAGE_KIND: Final = "package"
SELECTION_NAME_CHARS: Final = 12  # The length of the digest that distinguishes selections of one page.
ONLY_IN_BROWSER: Final = sentence("was saved from the browser and can only be refreshed by saving it there again")
"""Why a copy is not refreshed; continues a sentence that begins with the page."""
_ReadingKey = tuple[str, bool, Occasion, str, Hashable]
"""Identifies equal readings: address, refresh, occasion, the host of the linking page, and the caller's group."""


class IngestPipeline:
    """Turns addresses and files into documents. One address is read once at a time. A failure does not store anything.

    `site_stale_after_seconds` overrides the refresh time by host. `obeys_noindex`: pages that the user did not name are rejected if they
    ask not to be indexed. `reads_comments` is the setting. `renderer` reads pages that JavaScript builds; without one, `renderer_advice` is
    the hint. `probe_seconds` limits the reading of a Markdown version. `for_whom` separates callers that must not share a reading, since
    each stores it elsewhere. `refusal` is the reason why a caller may not store pages, which are then not fetched. `claim` records another
    way in which a stored page was added, if the library keeps that.
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
        reads_comments: bool = False,
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
        self._stale_after = policies.StaleAfter(stale_after_seconds, site_stale_after_seconds or {})
        self._obeys_noindex = obeys_noindex
        self._preparer = Preparer(limits, reads_comments=reads_comments)
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

        `automatic` marks fetches that the user did not name (robots, noindex and rate limits apply), `listed` fetches that the user named
        but does not wait for (rate limits apply). `seconds` shortens the usual time. `found_on` is the page with the link, if any.
        `came_by` is how the page was added if the call does not show it. Raises FetchError; a failure does not change a stored copy.
        """
        if url.startswith((*OWN_SCHEMES, FILE_SCHEME)):
            return await asyncio.to_thread(self._own_page, url)
        if (kept := await asyncio.to_thread(self.kept_under_fragment, url)) is not None:
            return IngestOutcome(kept, Change.UNCHANGED, fetched=False, note=ONLY_IN_BROWSER if refresh else "")
        address = normalise_url(url)
        named_by = Occasion.LISTED if listed else Occasion.NAMED
        occasion = Occasion.AUTOMATIC if automatic else named_by
        if came_by is None:
            named = CameBy.ASSISTANT if CURRENT_CALL.get() else CameBy.PERSON
            came_by = CameBy.LINK if automatic else named
        key = (address, refresh, occasion, found_on and host_of(found_on), self._for_whom())
        task = self._running.get(key)
        if task is None and occasion is Occasion.LISTED and not found_on:
            # A page of a list can share the fetch of a caller that waits for the same page.
            waited_for = ((address, anew, Occasion.NAMED, "", self._for_whom()) for anew in {refresh, True})
            task = next((self._running[other] for other in waited_for if other in self._running), None)
        if task is None:

            def forget(done: asyncio.Task[IngestOutcome]) -> None:
                """Waiting callers get the error; without one, it is only logged."""
                self._running.pop(key, None)
                if not done.cancelled() and done.exception() is not None:
                    log.info("a page was not read: %s", type(done.exception()).__name__)

            task = asyncio.create_task(
                self._ingest(address, refresh, occasion, seconds, found_on, came_by), name=f"ingest {address}"
            )
            self._running[key] = task
            task.add_done_callback(forget)
        outcome = await asyncio.shield(task)
        # Refreshing a page is not a request to add it.
        if not refresh:
            await asyncio.to_thread(self._note_way, outcome.summary, came_by)
        return outcome

    async def is_fresh(self, url: str) -> bool:
        """Whether the stored copy would be used without a request."""
        if url.startswith((*OWN_SCHEMES, FILE_SCHEME)):
            return True
        if await asyncio.to_thread(self.kept_under_fragment, url) is not None:
            return True
        known = await asyncio.to_thread(self._corpus.documents.summary, normalise_url(url))
        return known is not None and not self._is_stale(known, False)

    async def read_start(self, result: FetchResult) -> Page:
        """Return the page of a response without storing it. Raises the errors of extraction."""
        return (await self._preparer.prepare(_body(result))).page

    async def fetch_page(self, url: str) -> FetchedPage:
        """Fetch the page at an address named by the user without storing it. Raises FetchError and its subclasses."""
        address = normalise_url(url)
        self._fetcher.check(address)
        begun = time.time()
        result = await self._fetcher.fetch(address)
        prepared, validators = await self._prepare(result, Occasion.NAMED)
        return FetchedPage(address, replace(result, validators=validators), prepared, begun)

    async def store_fetched_page(self, fetched: FetchedPage) -> IngestOutcome:
        """Store the result of `fetch_page`, unless it is worse than a copy that it would replace."""
        outcome = await asyncio.to_thread(self._store_fetched, fetched)
        await asyncio.to_thread(self._note_way, outcome.summary, fetched.came_by)
        return outcome

    async def store_browser_page(self, page: BrowserPage) -> IngestOutcome:
        """Store a page from the user's browser: extracted like a fetched one, under the address of the tab.

        The page's canonical address is ignored, since the browser may show something for this user only. Raises InvalidURLError,
        AddressDeniedError for a blocked site, and the errors of extraction.
        """
        address = tab_address(page.url)
        self._fetcher.check(normalise_url(address))
        if page.is_selection:
            address = f"{address}{'&' if '#' in address else '#'}selection-{hashlib.sha256(page.html).hexdigest()[:SELECTION_NAME_CHARS]}"
        prepared = await self._preparer.prepare(Body(page.html, address, "text/html", "utf-8", address))
        note = f"{policies.BROWSER_NOTE} {policies.SELECTION_NOTE}" if page.is_selection else policies.BROWSER_NOTE
        seen = Validators(etag=page.digest)
        document = document_of(prepared, kind=policies.BROWSER_KIND, crawled=time.time(), validators=seen, note=note)

        def store() -> IngestOutcome:
            with self._storing:
                outcome = self._store(document, CameBy.BROWSER)
                self._note_way(outcome.summary, CameBy.BROWSER)
                return outcome

        return await asyncio.to_thread(store)

    async def read_picture(self, content: bytes, url: str) -> Picture:
        """Decode and re-encode an image in the process that reads pages. Raises UnsupportedContentError, PreparationError."""
        return await self._preparer.picture(PictureBody(content, url))

    async def stop(self) -> None:
        """Cancel running work."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._preparer.stop()

    async def store_text(self, page: Page, *, url: str, kind: str, crawled: float) -> IngestOutcome:
        """Chunk and store a page extracted elsewhere, read at that time. Raises EmptyPageError."""
        return await asyncio.to_thread(
            lambda: self._store(document_of(prepare_page(page, url, self._limits), kind=kind, crawled=crawled))
        )

    async def store_package_page(self, body: Body, *, package_id: int, title: str) -> DocumentIn:
        """Store a page of a package under its address, with `title` before its own title, and return it.

        Raises the errors of extraction, and FileAccessError if the package has been removed.
        """
        prepared = await self._preparer.prepare(body, at_leisure=True)
        known = document_of(prepared, kind=PACKAGE_KIND, crawled=time.time())
        heading = f"{title}: {known.title}"[: caps.MAX_TITLE_CHARS]
        document = replace(known, title=heading, package_id=package_id, navigation=())
        await asyncio.to_thread(self._store, document, CameBy.PERSON)
        return document

    async def store_file(self, path: Path, *, folder_id: int | None, apart: bool = False) -> IngestOutcome:
        """Read a local file by its full path and store it under its file:// address; `apart` in the separate process.

        Raises FileAccessError if it is a link, not a regular file, too large or unreadable, and the errors of extraction.
        """
        body, stamp = await asyncio.to_thread(read_file, path, folder_id)
        prepared = await self._preparer.prepare(body, at_leisure=folder_id is not None, apart=apart)
        return await asyncio.to_thread(
            lambda: self._store(document_of(prepared, kind="file", crawled=time.time(), file=stamp), CameBy.PERSON)
        )

    def _own_page(self, url: str) -> IngestOutcome:
        """Return a page of the guide, or a file that the user added. Naming a file here never reads it."""
        is_file = url.startswith(FILE_SCHEME)
        address = url
        if is_file:
            with suppress(FileAccessError, ValueError):
                # This is the normalized address of a file.
                address = file_url(file_path(url))
        summary = self._corpus.documents.summary(address)
        if summary is None and is_file:
            hint = "Add the file or its folder on the Library page. Activity > Jobs shows why a file of an added folder was not read."
            raise InvalidURLError(sentence("{} is not in the library.", url), url=url, hint=hint)
        if summary is None and url.startswith(PACKAGE_SCHEME):
            hint = "Search the documentation of the package, or add it: webrag packages add NAME."
            raise InvalidURLError(sentence("{} is not in the library.", url), url=url, hint=hint)
        if summary is None:
            hint = "Check the spelling, or search the guide."
            raise InvalidURLError(sentence("{} is not a page of the guide.", url), url=url, hint=hint)
        return IngestOutcome(summary, Change.UNCHANGED, fetched=False)

    async def _ingest(
        self, url: str, refresh: bool, occasion: Occasion, seconds: float | None, found_on: str, came_by: CameBy
    ) -> IngestOutcome:
        CURRENT_CALL.set(0)  # several calls may wait for the page, so it does not end with one of them
        self._fetcher.check(url)
        known = await asyncio.to_thread(self._corpus.documents.summary, url)
        if known is not None and (
            not self._is_stale(known, refresh) or (known.kind == policies.BROWSER_KIND and not occasion.is_urgent)
        ):
            return IngestOutcome(known, Change.UNCHANGED, fetched=False)
        if (refused := self._refusal()) is not None:
            if known is None or refresh:
                raise refused
            note = sentence("could not be refreshed ({})", refused.message)
            return IngestOutcome(known, Change.UNCHANGED, fetched=False, note=note)
        # A user's refresh is unconditional: wrong validators of a site would otherwise prevent updates forever.
        is_conditional = known is not None and not (refresh and occasion.is_urgent)
        stored = await asyncio.to_thread(self._corpus.documents.get, url) if is_conditional else None
        validators = None
        if stored is not None and stored.kind != policies.BROWSER_KIND:
            validators = Validators(stored.etag, stored.last_modified)
        begun = time.time()
        try:
            result = await self._fetcher.fetch(
                url, validators=validators, occasion=occasion, seconds=seconds, found_on=found_on
            )
            if result.status == HTTPStatus.NOT_MODIFIED and known is not None:
                return await asyncio.to_thread(self._touch, known, result)
            at_leisure = not occasion.is_urgent and seconds is None
            prepared, validators = await self._prepare(result, occasion, at_leisure=at_leisure)
        except FetchError as error:
            if known is None or refresh:
                raise
            note = sentence("could not be refreshed ({})", error.message)
            return IngestOutcome(known, Change.UNCHANGED, fetched=False, note=note)
        fetched = FetchedPage(url, replace(result, validators=validators), prepared, begun, came_by)
        return await asyncio.to_thread(self._store_fetched, fetched)

    def kept_under_fragment(self, url: str) -> DocumentSummary | None:
        """Return the page saved from a browser under an address with a fragment: fetching it would miss what scripts show there."""
        known = self._corpus.documents.summary(url.strip()) if "#" in url else None
        return known if known is not None and known.kind == policies.BROWSER_KIND and "#" in known.url else None

    def _is_stale(self, known: DocumentSummary, refresh: bool) -> bool:
        # A time far in the future comes from a wrong clock, and the page would stay fresh until then. A copy from a browser has no age: a
        # fetch may return the page for users who are not signed in.
        if known.kind == policies.BROWSER_KIND:
            return refresh
        return refresh or abs(time.time() - known.last_crawled) > self._stale_after.seconds_for(known.url)

    def _touch(self, known: DocumentSummary, result: FetchResult) -> IngestOutcome:
        with self._storing:
            stored = self._summary(known.url)
            # A copy that the browser saved in the meantime is unrelated to the site's response.
            if stored.kind != policies.BROWSER_KIND:
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
        """Return page and chunks of a response, read in another way if JavaScript builds the page, with matching validators.

        Validators of a page without its text do not apply to the text. Raises NoIndexError.
        """
        asks_not = occasion.is_unasked and self._obeys_noindex
        try:
            prepared = await self._preparer.prepare(_body(result), at_leisure=at_leisure, named=not occasion.is_unasked)
            skeleton = Skeleton(result.url, prepared.url, prepared.page.markdown_url, prepared)
        except SkeletonPageError as error:
            skeleton = Skeleton(result.url, normalise_url(result.url), error.markdown_url, None)
        if asks_not:
            policies.check_index(
                result.url, skeleton.read.page if skeleton.read is not None else None, result.robots_tag
            )
        if skeleton.read is not None and not policies.is_skeleton(skeleton.read.page):
            return skeleton.read, result.validators
        found = await self._skeletons.read(skeleton, occasion)
        if asks_not:
            policies.check_index(result.url, found.page, "")
        return found, Validators()

    def _store_fetched(self, fetched: FetchedPage) -> IngestOutcome:
        """Store a page, unless it is worse than a copy that it would replace.

        One page at a time: each decision depends on what earlier readings stored.
        """
        with self._storing:
            requested, result = fetched.requested, fetched.result
            final = normalise_url(result.url)
            prepared, documents_at = fetched.prepared, self._corpus.documents
            url, page = prepared.url, prepared.page
            if url != final and not policies.is_believed(
                url, final, page, documents_at.get(url), documents_at.get(final)
            ):
                # The canonical address is a different page; store under the final address.
                prepared, url = prepare_page(page, final, self._limits), final
            replaced = [documents_at.get(address) for address in dict.fromkeys((requested, url, final))]
            documents = {document.id: document for document in replaced if document is not None}
            for document in documents.values():
                if reason := policies.why_kept(
                    policies.Arrival(requested, final, url, prepared.page, fetched.begun), document
                ):
                    return IngestOutcome(self._summary(document.url), Change.UNCHANGED, fetched=False, note=reason)
            notes = [policies.absorbed_note(document, url) for document in documents.values()]
            document_in = document_of(
                prepared,
                kind="web",
                crawled=result.fetched_at,
                validators=result.validators,
                aliases=tuple(dict.fromkeys(alias for alias in (requested, final) if alias != url)),
                note=" ".join(note for note in notes if note),
                follows=not self._obeys_noindex or policies.may_follow(prepared.page, result.robots_tag),
            )
            outcome = self._store(document_in, fetched.came_by)
            log.info("%s: %d chunks in %.0f ms", outcome.change.value, outcome.summary.chunks, result.elapsed_ms)
            return outcome

    def _note_way(self, summary: DocumentSummary, came_by: CameBy) -> None:
        """Record that a page was added in a better way than before, and announce it."""
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
            message = sentence("{} was deleted while WebRAG was reading it.", url)
            raise EmptyPageError(message, url=url, hint="Add the page again if you still need it.")
        return summary


def _body(result: FetchResult) -> Body:
    return Body(result.body, result.url, result.content_type, result.charset)


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """The input for storing: the requested address, the site's response, the prepared page, and the start time of the fetch."""

    requested: str
    result: FetchResult
    prepared: Prepared
    begun: float
    came_by: CameBy = CameBy.PERSON


@dataclass(frozen=True, slots=True)
class BrowserPage:
    """A page as shown in a browser, without scripts and form values. `digest` lets the browser detect changes."""

    url: str
    html: bytes
    digest: str
    is_selection: bool = False
