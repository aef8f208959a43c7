"""Pages that only JavaScript fills: read from a Markdown version that they name, or with the page renderer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from app.errors import FetchError, SkeletonPageError
from app.ingest.preparation import Preparer
from app.ingest.prepared import Body, Prepared
from app.web.fetch import Fetcher
from app.web.render import PageRenderer
from app.web.urls import host_of


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A page without its text. `url` is where it was found, `store_url` its own address; `read` what could be read of it, if anything."""

    url: str
    store_url: str
    markdown_url: str | None
    read: Prepared | None


class SkeletonReader:
    """Makes one attempt to read such a page otherwise, within `seconds`; `advice` tells what would help without a renderer."""

    def __init__(
        self, preparer: Preparer, fetcher: Fetcher, renderer: PageRenderer | None, *, advice: str, seconds: float
    ) -> None:
        self._preparer = preparer
        self._fetcher = fetcher
        self._renderer = renderer
        self._advice = advice
        self._seconds = seconds

    async def read(self, skeleton: Skeleton, *, automatic: bool) -> Prepared:
        """The page with a note that says how it was read. Raises SkeletonPageError when nothing of it can be."""
        advice = self._advice
        try:
            async with asyncio.timeout(self._seconds):
                found = await self._attempt(skeleton, automatic)
        except (FetchError, TimeoutError) as error:
            found, advice = None, f"It could not be read otherwise either ({str(error) or 'that took too long'})."
        if found is not None:
            return found
        if skeleton.read is None:
            message = f"{skeleton.url} holds no text: it is built by JavaScript in the browser."
            raise SkeletonPageError(message, url=skeleton.url, markdown_url=skeleton.markdown_url, hint=advice)
        return _noted(skeleton.read, advice)

    async def _attempt(self, skeleton: Skeleton, automatic: bool) -> Prepared | None:
        if skeleton.markdown_url is not None and host_of(skeleton.markdown_url) == host_of(skeleton.url):
            return await self._markdown(skeleton, skeleton.markdown_url, automatic)
        if self._renderer is not None:
            content = await self._renderer.render(skeleton.url)
            body = Body(content, skeleton.url, "text/html", "utf-8", skeleton.store_url)
            return _noted(await self._preparer.prepare(body), "It was read with the page renderer.")
        return None

    async def _markdown(self, skeleton: Skeleton, url: str, automatic: bool) -> Prepared | None:
        result = await self._fetcher.fetch(url, automatic=automatic)
        if host_of(result.url) != host_of(skeleton.url):
            return None
        body = Body(result.body, result.url, result.content_type, result.charset, skeleton.store_url)
        prepared = await self._preparer.prepare(body)
        return _noted(prepared, f"It was read from its Markdown version, {result.url}.")


def _noted(prepared: Prepared, note: str) -> Prepared:
    page = prepared.page
    return replace(prepared, page=replace(page, note=f"{page.note} {note}".strip()))
