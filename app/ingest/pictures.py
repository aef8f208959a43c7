"""Fetch images of stored pages in the background, after the page, at the rate of their sites and within limits.

An image is fetched under the rules for pages that the program found (robots.txt, rate, redirects, DNS), and only from the public
internet: neither pages nor images of private networks are included. The process for untrusted bytes decodes it. If an image is
unavailable, the page silently shows its description. Requests contain neither cookies nor the address of the page.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Final

from app import caps
from app.corpus.pictures import PictureStore
from app.corpus.records import PictureIn, PictureUse
from app.errors import FetchError, WebRAGError
from app.events import DocumentChanged, Event, EventBus, PicturesChanged
from app.ingest.outcome import Change
from app.ingest.pipeline import IngestPipeline
from app.library.protocol import Library
from app.memory import lasting_task
from app.web.fetch import Fetcher
from app.web.records import Validators

log = logging.getLogger(__name__)

MAX_PAGES_WAITING: Final = 5_000  # The number of pages waiting for their images; beyond it, the oldest get none.
MAX_REFUSED_REMEMBERED: Final = 10_000
"""The number of addresses without an image, which are not requested again in the same run."""
MAX_TRIED_PER_PAGE: Final = 2 * caps.MAX_PICTURES_KEPT_PER_PAGE
"""The number of addresses to try for the images of a page."""
PAGE_SECONDS: Final = 300.0  # The time for the images of one page, including the rate limits of their sites.
QUIET_SECONDS: Final = 3.0
"""No image is fetched for this long after a page was stored: a crawl needs the site's rate for pages."""
AGAIN_SECONDS: Final = 120.0
"""The delay before images of a page are tried again after a DNS failure, as without a network. It doubles each time."""
MOST_TRIES: Final = 8  # The number of tries, over four hours.
RENEW_SECONDS: Final = 3_600.0  # An image fetched less than this ago is not requested again when its page is refreshed.
_WEB: Final = ("http://", "https://")
_GONE: Final = "deleted"
_FOLLOWED: Final = frozenset({Change.STORED, Change.UPDATED, Change.UNCHANGED, _GONE})


class PictureFetching:
    """Follows stored and deleted documents. All coroutines belong to one event loop; events may come on any thread."""

    def __init__(
        self, corpus: Library, store: PictureStore, pipeline: IngestPipeline, fetcher: Fetcher, bus: EventBus
    ) -> None:
        self._corpus = corpus
        self._store = store
        self._pipeline = pipeline
        self._fetcher = fetcher
        self._bus = bus
        self._waiting: OrderedDict[str, DocumentChanged] = OrderedDict()
        self._refused: OrderedDict[str, None] = OrderedDict()
        self._wake = asyncio.Event()
        self._stored_at = 0.0
        self._paused = False
        self._under_way: asyncio.Task[None] | None = None
        self._later: dict[str, asyncio.TimerHandle] = {}
        self._tries: dict[str, int] = {}
        self._task: asyncio.Task[None] | None = None
        self._unsubscribe: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Start by deleting images of pages that are gone."""
        loop = asyncio.get_running_loop()

        def follow(event: Event) -> None:
            if isinstance(event, DocumentChanged) and event.change in _FOLLOWED and event.url.startswith(_WEB):
                loop.call_soon_threadsafe(self._note, event)

        self._unsubscribe = self._bus.subscribe(follow)
        self._task = lasting_task(self._run(), "pictures")

    async def stop(self) -> None:
        """Abandon running work and close the store."""
        self._unsubscribe()
        for handle in self._later.values():
            handle.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await asyncio.to_thread(self._store.close)

    def set_paused(self, paused: bool) -> None:
        """Pause the work; what is running is abandoned and repeated later."""
        self._paused = paused
        if paused and self._under_way is not None:
            self._under_way.cancel()
        self._wake.set()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is waiting or running."""
        return not self._waiting and not self._wake.is_set()

    def _note(self, event: DocumentChanged) -> None:
        if event.change != _GONE:
            self._stored_at = time.monotonic()
        self._waiting.pop(event.url, None)
        self._waiting[event.url] = event
        while len(self._waiting) > MAX_PAGES_WAITING:
            self._waiting.popitem(last=False)
        self._wake.set()

    async def _run(self) -> None:
        # Pages may be gone, for example after a restore replaced the library.
        try:
            pages = await asyncio.to_thread(self._store.pages)
            for page in pages:
                known = await asyncio.to_thread(self._corpus.documents.summary, page)
                if known is None or known.url != page:
                    await asyncio.to_thread(self._store.forget_page, page)
        except WebRAGError as error:
            log.warning("could not delete images of deleted pages: %s", error)
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting and not self._paused:
                event = next(iter(self._waiting.values()))
                is_gone = event.change == _GONE
                if not is_gone and (rest := self._stored_at + QUIET_SECONDS - time.monotonic()) > 0:
                    await asyncio.sleep(rest)
                    continue
                if await self._done(self._settle(event, is_gone=is_gone)) and self._waiting.get(event.url) is event:
                    del self._waiting[event.url]

    async def _done(self, work: Coroutine[None, None, None]) -> bool:
        """Run something that a pause may cancel; return False if one did."""
        self._under_way = asyncio.ensure_future(work)
        try:
            await self._under_way
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is None or current.cancelling():
                raise
            return False
        finally:
            self._under_way = None
        return True

    async def _settle(self, event: DocumentChanged, *, is_gone: bool) -> None:
        page = event.url
        if (handle := self._later.pop(page, None)) is not None:
            handle.cancel()
        try:
            if is_gone:
                await asyncio.to_thread(self._store.forget_page, page)
                return
            async with asyncio.timeout(PAGE_SECONDS):
                try:
                    is_public = await self._fetcher.is_public(page)
                except FetchError as error:
                    # The answer is unknown, as without a network.
                    log.info("postponed the images of a page: %s", error)
                    self._postpone(event)
                    return
                self._tries.pop(page, None)
                await self._fetch_all(page, is_public=is_public)
        except TimeoutError:
            log.info("fetching the images of a page took too long")
        except WebRAGError as error:
            log.warning("could not store the images of a page: %s", error)
        except Exception:
            # One page must not stop the images of all later ones.
            log.exception("fetching the images of a page failed")

    def _postpone(self, event: DocumentChanged) -> None:
        """Try the images of a page again after a delay; stored ones remain."""
        tries = self._tries[event.url] = self._tries.get(event.url, 0) + 1
        if tries > MOST_TRIES or len(self._later) >= MAX_PAGES_WAITING:
            del self._tries[event.url]
            return
        loop, seconds = asyncio.get_running_loop(), AGAIN_SECONDS * 2 ** (tries - 1)
        self._later[event.url] = loop.call_later(seconds, self._note, event)

    async def _fetch_all(self, page: str, *, is_public: bool) -> None:
        document = await asyncio.to_thread(self._corpus.documents.get, page)
        if document is None or document.url != page or not is_public:
            await asyncio.to_thread(self._store.forget_page, page)
            return
        urls = [image.url for image in document.images if image.url.startswith(_WEB)][:MAX_TRIED_PER_PAGE]
        await asyncio.to_thread(self._store.forget_page, page, urls)
        known = await asyncio.to_thread(self._store.known, urls)
        left, count = caps.MAX_PAGE_PICTURE_BYTES, 0
        for url in urls:
            size = await self._kept(page, url, known.get(url), left)
            left, count = left - size, count + bool(size)
            if count >= caps.MAX_PICTURES_KEPT_PER_PAGE:
                break
        if count:
            log.info("stored %d images of a page", count)
            self._bus.publish(PicturesChanged(page, document.id))

    async def _kept(self, page: str, url: str, known: PictureUse | None, left: int) -> int:
        """Return the size of the page's current image in bytes, 0 for none."""
        if known is not None and time.time() - known.fetched_at < RENEW_SECONDS:
            return await self._as_before(page, known, left)
        if url in self._refused:
            return 0
        validators = Validators(known.etag, known.last_modified) if known is not None else None
        try:
            result = await self._fetcher.fetch_picture(url, validators)
            is_same = result.status == HTTPStatus.NOT_MODIFIED
            made = None if is_same else await self._pipeline.read_picture(result.body, url)
        except WebRAGError as error:
            log.debug("skipped an image: %s", error)
            self._refused[url] = None
            while len(self._refused) > MAX_REFUSED_REMEMBERED:
                self._refused.popitem(last=False)
            return await self._as_before(page, known, left)
        if made is None:
            await asyncio.to_thread(self._store.touch, url)
            return await self._as_before(page, known, left)
        received, sides = result.validators, (made.width, made.height)
        picture = PictureIn(url, made.media_type, *sides, made.content, received.etag, received.last_modified)
        is_kept = len(made.content) <= left and await asyncio.to_thread(self._store.keep, page, picture)
        return len(made.content) if is_kept else 0

    async def _as_before(self, page: str, known: PictureUse | None, left: int) -> int:
        """Return the size of a stored image that is recent, did not change, or is unavailable now."""
        if known is None or known.bytes > left:
            return 0
        await asyncio.to_thread(self._store.use, page, known.url)
        return known.bytes
