"""The stored pages as the window lists them: rows in large numbers, what is flagged, removal of many."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from app import caps
from app.corpus import Corpus
from app.corpus.records import LibraryRow
from app.events import DocumentChanged, EventBus


class Shelf:
    """Needs a running engine; what it lists is one state of the corpus for each call."""

    def __init__(self, corpus: Corpus, bus: EventBus) -> None:
        self._corpus = corpus
        self._bus = bus

    async def page(self, limit: int, after: LibraryRow | None = None) -> list[LibraryRow]:
        """Rows, the last read pages first; those that follow a row of an earlier page."""
        if after is None:
            return await asyncio.to_thread(self._corpus.library_page, limit)
        return await asyncio.to_thread(self._corpus.library_page, limit, (after.last_crawled, after.id))

    async def rows(self, document_ids: Sequence[int]) -> list[LibraryRow]:
        """The rows of those pages that are still stored."""
        return await asyncio.to_thread(self._corpus.library_rows, document_ids)

    async def flags(self) -> dict[int, tuple[str, ...]]:
        """What addresses the assistant, by the ids of the few pages that hold such passages."""
        return await asyncio.to_thread(self._corpus.flagged_documents)

    async def delete(self, document_ids: Sequence[int]) -> int:
        """Forget pages, some at a time so that others may write meanwhile; returns how many there were.

        What is not done when the program ends is done after its next start.
        """
        if len(document_ids) > caps.DOCUMENTS_DELETED_AT_ONCE:
            await asyncio.to_thread(self._corpus.condemn_documents, document_ids)
        return await self._delete(document_ids)

    async def finish(self) -> None:
        """Forget the pages that an earlier run did not come to."""
        await self._delete(await asyncio.to_thread(self._corpus.condemned_documents))

    async def _delete(self, document_ids: Sequence[int]) -> int:
        count = 0
        for start in range(0, len(document_ids), caps.DOCUMENTS_DELETED_AT_ONCE):
            batch = document_ids[start : start + caps.DOCUMENTS_DELETED_AT_ONCE]
            removed = await asyncio.to_thread(self._corpus.delete_documents, batch)
            for document_id, url in removed.items():
                self._bus.publish(DocumentChanged(url, document_id, "deleted"))
            count += len(removed)
        return count
