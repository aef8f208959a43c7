"""The stored pages of the small engine in large numbers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import fields

from app.corpus.records import DocumentSummary, LibraryRow
from app.events import DocumentChanged, EventBus


def row_of(summary: DocumentSummary, **more: object) -> LibraryRow:
    """The row of the library for a summary."""
    if isinstance(summary, LibraryRow) and not more:
        return summary
    known = {each.name: getattr(summary, each.name) for each in fields(summary)}
    return LibraryRow(**(known | more))


class FakeShelf:
    """Lists and removes what the engine holds; `asked` remembers what is removed."""

    def __init__(
        self, documents: dict[int, DocumentSummary], bus: EventBus, note: Callable[[tuple[str, object]], None]
    ) -> None:
        self._documents = documents
        self._bus = bus
        self._note = note

    async def page(self, limit: int, after: LibraryRow | None = None) -> list[LibraryRow]:
        await asyncio.sleep(0)
        rows = sorted(self._documents.values(), key=lambda row: (row.last_crawled, row.id), reverse=True)
        if after is not None:
            rows = [row for row in rows if (row.last_crawled, row.id) < (after.last_crawled, after.id)]
        return [row_of(row) for row in rows[:limit]]

    async def rows(self, document_ids: Sequence[int]) -> list[LibraryRow]:
        return [row_of(self._documents[each]) for each in document_ids if each in self._documents]

    async def flags(self) -> dict[int, tuple[str, ...]]:
        return {row.id: row.flags for row in map(row_of, self._documents.values()) if row.flags}

    async def delete(self, document_ids: Sequence[int]) -> int:
        count = 0
        for document_id in document_ids:
            self._note(("delete", document_id))
            row = self._documents.pop(document_id, None)
            if row is not None:
                self._bus.publish(DocumentChanged(row.url, row.id, "deleted"))
                count += 1
        return count
