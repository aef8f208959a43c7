"""The stored pages: listed, read, deleted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

from app.corpus import Corpus
from app.corpus.pictures import PictureStore
from app.corpus.records import Chunk, Document, DocumentSummary, Freshness, KeptPicture, LinkRecord
from app.errors import WebRAGError
from app.events import DocumentChanged, EventBus

log = logging.getLogger(__name__)

DOCUMENTS_DELETED_AT_ONCE: Final = 100
"""Documents of a selection that are deleted in one transaction."""


class Documents:
    """Needs a running engine. Each call sees one snapshot of the corpus; SQL runs on worker threads."""

    def __init__(self, corpus: Corpus, bus: EventBus, pictures: PictureStore | None = None) -> None:
        self._corpus = corpus
        self._bus = bus
        self._pictures = pictures

    async def find(
        self, text: str = "", *, limit: int, offset: int = 0, after: DocumentSummary | None = None
    ) -> list[DocumentSummary]:
        """Pages whose title or address contains `text`, the last read ones first; with `after`, those that follow that row."""
        summaries, place = (
            self._corpus.documents.summaries,
            (after.last_crawled, after.id) if after is not None else None,
        )
        return await asyncio.to_thread(summaries, text=text, limit=limit, offset=offset, after=place)

    async def rows(self, document_ids: Sequence[int]) -> list[DocumentSummary]:
        """The rows of those pages that are still stored."""
        return await asyncio.to_thread(self._corpus.documents.summaries_of, document_ids)

    async def at(self, urls: Sequence[str]) -> list[DocumentSummary | None]:
        """The page at each of these addresses, None for one that is not stored."""
        return await asyncio.to_thread(lambda: [self._corpus.documents.summary(url) for url in urls])

    async def get(self, document_id: int) -> Document | None:
        """A page with its text."""
        return await asyncio.to_thread(self._corpus.documents.by_id, document_id)

    async def pictures(self, url: str) -> dict[str, KeptPicture]:
        """The pictures that are kept of the page at an address, by their own; none where they are not kept."""
        return await asyncio.to_thread(self._pictures.of_page, url) if self._pictures is not None else {}

    async def chunks(self, document_id: int, *, limit: int, offset: int = 0) -> list[Chunk]:
        """The chunks of a page in reading order."""
        return await asyncio.to_thread(self._corpus.chunks.of_document, document_id, limit=limit, offset=offset)

    async def waiting_chunks(self, document_ids: Sequence[int]) -> list[int]:
        """The ids of the chunks of these pages that have no vector of the current model."""
        return await asyncio.to_thread(self._corpus.vectors.waiting_ids, document_ids)

    async def links(self, document_id: int) -> list[LinkRecord]:
        """The links of a page's main content in reading order."""
        return await asyncio.to_thread(self._corpus.documents.links, document_id)

    async def linking_to(self, url: str, limit: int) -> list[DocumentSummary]:
        """The pages that link to an address."""
        return await asyncio.to_thread(self._corpus.documents.linking_to, url, limit)

    async def freshness(self, document_ids: Sequence[int]) -> list[Freshness]:
        """When these pages were read, changed and cited."""
        return await asyncio.to_thread(self._corpus.documents.freshness, document_ids)

    async def flags(self) -> dict[int, tuple[str, ...]]:
        """What addresses the assistant, by the ids of the few pages that hold such passages."""
        return await asyncio.to_thread(self._corpus.documents.flagged)

    async def delete(self, document_ids: Sequence[int]) -> int:
        """Delete pages, some at a time so that others may write meanwhile; returns how many there were.

        What is not done when the program ends is done after its next start.
        """
        if len(document_ids) > DOCUMENTS_DELETED_AT_ONCE:
            await asyncio.to_thread(self._corpus.documents.mark_for_deletion, document_ids)
        return await self._delete(document_ids)

    async def finish_deletions(self) -> None:
        """Delete the pages that an earlier run did not come to."""
        await self._delete(await asyncio.to_thread(self._corpus.documents.pending_deletions))

    async def _delete(self, document_ids: Sequence[int]) -> int:
        count = 0
        for start in range(0, len(document_ids), DOCUMENTS_DELETED_AT_ONCE):
            batch = document_ids[start : start + DOCUMENTS_DELETED_AT_ONCE]
            removed = await asyncio.to_thread(self._corpus.documents.delete, batch)
            for document_id, url in removed.items():
                self._bus.publish(DocumentChanged(url, document_id, "deleted"))
                await self._forget_pictures(url)
            count += len(removed)
        return count

    async def _forget_pictures(self, url: str) -> None:
        """Delete the pictures of a page that is gone; what fails is done by the next start."""
        if self._pictures is None:
            return
        try:
            await asyncio.to_thread(self._pictures.forget_page, url)
        except WebRAGError as error:
            log.warning("pictures of a deleted page stay for now: %s", error)
