"""Pages that only JavaScript fills: read from a Markdown version, or with the page renderer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

from app.errors import FetchError, SkeletonPageError
from app.ingest.preparation import Preparer
from app.ingest.prepared import Body, Prepared
from app.text.media_types import MARKDOWN_TYPES
from app.web.fetch import Fetcher
from app.web.records import FetchResult, Occasion, PageRenderer
from app.web.urls import host_of

_VERSION_TYPES: Final = MARKDOWN_TYPES | {"text/plain"}


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A page without its text. `url` is where it was found, `store_url` its own address; `read` what could be read of it, if anything."""

    url: str
    store_url: str
    markdown_url: str | None
    read: Prepared | None


class SkeletonReader:
    """Tries to read such a page otherwise: from the version it names, else the one at the usual place, else by rendering.

    `advice` tells what would help without a renderer. A Markdown version that somebody waits for has `seconds`. The
    renderer has a limit of its own, which does not count the wait for its turn; nor does that of the fetcher.
    """

    def __init__(
        self, preparer: Preparer, fetcher: Fetcher, renderer: PageRenderer | None, *, advice: str, seconds: float
    ) -> None:
        self._preparer = preparer
        self._fetcher = fetcher
        self._renderer = renderer
        self._advice = advice
        self._seconds = seconds

    async def read(self, skeleton: Skeleton, occasion: Occasion) -> Prepared:
        """The page with a note that says how it was read. Raises SkeletonPageError when nothing of it can be."""
        advice = self._advice
        try:
            found = await self._attempt(skeleton, occasion)
        except (FetchError, TimeoutError) as error:
            found, advice = None, f"It could not be read otherwise either ({str(error) or 'that took too long'})."
        if found is not None:
            return found
        if skeleton.read is None:
            message = f"{skeleton.url} holds no text: it is built by JavaScript in the browser."
            raise SkeletonPageError(message, url=skeleton.url, markdown_url=skeleton.markdown_url, hint=advice)
        return _noted(skeleton.read, advice)

    async def _attempt(self, skeleton: Skeleton, occasion: Occasion) -> Prepared | None:
        if skeleton.markdown_url is not None and host_of(skeleton.markdown_url) == host_of(skeleton.url):
            async with asyncio.timeout(self._seconds if occasion.is_urgent else None):
                return await self._markdown(skeleton, skeleton.markdown_url, occasion)
        if skeleton.markdown_url is None and (found := await self._guessed(skeleton, occasion)) is not None:
            return found
        if self._renderer is not None:
            content = await self._renderer.render(skeleton.url, occasion)
            body = Body(content, skeleton.url, "text/html", "utf-8", skeleton.store_url)
            found = await self._preparer.prepare(body, named=not occasion.is_unasked)
            return _noted(found, "It was read with the page renderer.")
        return None

    async def _guessed(self, skeleton: Skeleton, occasion: Occasion) -> Prepared | None:
        """The Markdown version at the usual place; most sites have none, and some answer every address with the skeleton."""
        url = _markdown_guess(skeleton.url)
        if not url:
            return None
        try:
            async with asyncio.timeout(self._seconds if occasion.is_urgent else None):
                result = await self._fetcher.fetch(url, occasion=occasion)
        except (FetchError, TimeoutError):
            return None
        if result.content_type not in _VERSION_TYPES or host_of(result.url) != host_of(skeleton.url):
            return None
        return await self._stored_as(skeleton, result, occasion)

    async def _markdown(self, skeleton: Skeleton, url: str, occasion: Occasion) -> Prepared | None:
        result = await self._fetcher.fetch(url, occasion=occasion)
        if host_of(result.url) != host_of(skeleton.url):
            return None
        return await self._stored_as(skeleton, result, occasion)

    async def _stored_as(self, skeleton: Skeleton, result: FetchResult, occasion: Occasion) -> Prepared:
        body = Body(result.body, result.url, result.content_type, result.charset, skeleton.store_url)
        prepared = await self._preparer.prepare(body, named=not occasion.is_unasked)
        return _noted(prepared, f"It was read from its Markdown version, {result.url}.")


def _markdown_guess(url: str) -> str:
    """Where sites for which Markdown versions are made by a tool put that of a page (llmstxt.org); empty for files and queries."""
    parts = urlsplit(url)
    name = parts.path.rpartition("/")[2]
    if parts.query or ("." in name and not name.endswith((".html", ".htm"))):
        return ""
    return f"{url}index.html.md" if not name else f"{url}.md"


def _noted(prepared: Prepared, note: str) -> Prepared:
    page = prepared.page
    return replace(prepared, page=replace(page, note=f"{page.note} {note}".strip()))
