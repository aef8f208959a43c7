"""Stored pages of the fake engine."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace

from app.corpus.records import Label, LabelKind
from app.engine.documents import PageHistory
from app.events import DocumentChanged, EventBus, LabelsChanged
from app.library.records import (
    CameBy,
    Chunk,
    Document,
    DocumentState,
    DocumentSummary,
    Freshness,
    ImageRecord,
    KeptPicture,
    LinkRecord,
)


def row_of(summary: DocumentSummary, **more: object) -> DocumentSummary:
    """Return the library row of a summary."""
    if isinstance(summary, DocumentSummary) and not more:
        return summary
    known = {each.name: getattr(summary, each.name) for each in fields(summary)}
    return DocumentSummary(**(known | more))


def summary(number: int, *, title: str = "", url: str = "", note: str = "") -> DocumentSummary:
    """Create a stored page. Pages with odd numbers are still being embedded."""
    return DocumentSummary(
        id=number,
        url=url or f"https://site{number % 7}.example/page/{number}",
        title=title or f"Page {number}",
        kind="web",
        language="en",
        state=DocumentState.READY,
        chunks=4,
        chunks_embedded=4 if number % 2 == 0 else 1,
        tokens=100 + number,
        last_crawled=1_700_000_000.0 + number,
        changed_at=1_700_000_000.0,
        note=note,
    )


def chunk(number: int, text: str = "Some words.", *, document_id: int = 2) -> Chunk:
    return Chunk(
        id=number,
        document_id=document_id,
        key=f"k{number}",
        ord=number,
        url="https://site.example/a",
        title="Title",
        section_path=("Title", f"Section {number}"),
        anchor=None,
        text=text,
        start=0,
        end=len(text),
        prefix_length=0,
        suffix_length=0,
        tokens=3,
        last_crawled=1_700_000_000.0,
    )


def names_of(row: DocumentSummary, kind: LabelKind) -> tuple[str, ...]:
    return row.collections if kind is LabelKind.COLLECTION else row.tags


class FakeDocuments:
    """Lists, shows and removes the documents of the fake engine. `asked` records removals.

    `waiting` are chunks without a vector, `cited` the known citations, `linking` the pages that link to an address.
    """

    text = "# Heading\n\nSome text."

    def __init__(
        self, stored: dict[int, DocumentSummary], bus: EventBus, note: Callable[[tuple[str, object]], None]
    ) -> None:
        self.stored = stored
        self.waiting: list[int] = []
        self.cited: dict[int, Freshness] = {}
        self.linking: dict[str, list[int]] = {}
        self.images: tuple[ImageRecord, ...] = ()
        self.kept_pictures: dict[str, KeptPicture] = {}
        self.histories: dict[tuple[int, int], PageHistory] = {}
        self.collections: list[str] = []
        self._bus = bus
        self._note = note

    async def find(
        self, text: str = "", *, limit: int, offset: int = 0, after: DocumentSummary | None = None, label: str = ""
    ) -> list[DocumentSummary]:
        await asyncio.sleep(0)
        rows = sorted(self.stored.values(), key=lambda row: (row.last_crawled, row.id), reverse=True)
        if label:
            kind, _, name = label.partition(":")
            rows = [row for row in rows if name in names_of(row_of(row), LabelKind(kind))]
        if after is not None:
            rows = [row for row in rows if (row.last_crawled, row.id) < (after.last_crawled, after.id)]
        return rows[offset : offset + limit]

    async def rows(self, document_ids: Sequence[int]) -> list[DocumentSummary]:
        return [row_of(self.stored[each]) for each in document_ids if each in self.stored]

    async def unused(self) -> list[int]:
        return [row.id for row in self.stored.values() if row.came_by is CameBy.LINK and row.cited_at is None]

    async def at(self, urls: Sequence[str]) -> list[DocumentSummary | None]:
        known = {row.url: row for row in self.stored.values()}
        return [known.get(url) for url in urls]

    async def get(self, document_id: int) -> Document | None:
        row = self.stored.get(document_id)
        if row is None:
            return None
        return Document(
            id=row.id,
            url=row.url,
            title=row.title,
            text=self.text,
            kind=row.kind,
            language=row.language,
            state=row.state,
            content_hash="hash",
            etag=None,
            last_modified=None,
            published=None,
            last_crawled=row.last_crawled,
            changed_at=row.changed_at,
            note=row.note,
            sections=(),
            images=self.images,
        )

    async def chunks(self, document_id: int, *, limit: int, offset: int = 0) -> list[Chunk]:
        return [chunk(number, f"Chunk {number} of {document_id}", document_id=document_id) for number in range(4)]

    async def waiting_chunks(self, document_ids: Sequence[int]) -> list[int]:
        return self.waiting

    async def pictures(self, url: str) -> dict[str, KeptPicture]:
        return self.kept_pictures

    async def links(self, document_id: int) -> list[LinkRecord]:
        return [LinkRecord("https://other.example/x", "Another page", 0, 5)]

    async def linking_to(self, url: str, limit: int) -> list[DocumentSummary]:
        return [self.stored[each] for each in self.linking.get(url, [])][:limit]

    async def freshness(self, document_ids: Sequence[int]) -> list[Freshness]:
        return [self.cited[each] for each in document_ids if each in self.cited]

    async def history(self, document_id: int, version_id: int = 0) -> PageHistory:
        self._note(("history", (document_id, version_id)))
        return self.histories.get((document_id, version_id), PageHistory(()))

    async def flags(self) -> dict[int, tuple[str, ...]]:
        return {row.id: row.flags for row in map(row_of, self.stored.values()) if row.flags}

    async def labels(self) -> list[Label]:
        """Return collections, then tags, by name. `collections` also contains empty ones."""
        found = []
        for kind, always in ((LabelKind.COLLECTION, self.collections), (LabelKind.TAG, ())):
            counts = Counter(name for row in map(row_of, self.stored.values()) for name in names_of(row, kind))
            names = sorted({*counts, *always}, key=str.casefold)
            found += [Label(kind, name, counts[name]) for name in names]
        return found

    async def add_label(self, kind: LabelKind, name: str, document_ids: Sequence[int] = ()) -> list[int]:
        self._note(("add_label", (kind.value, name, *document_ids)))
        if kind is LabelKind.COLLECTION and name not in self.collections:
            self.collections.append(name)
        return self._relabel(kind, document_ids, lambda names: {*names, name})

    async def remove_label(self, kind: LabelKind, name: str, document_ids: Sequence[int]) -> list[int]:
        return self._relabel(kind, document_ids, lambda names: {*names} - {name})

    async def rename_label(self, kind: LabelKind, name: str, new: str) -> list[int]:
        self.collections = [new if each == name else each for each in self.collections]
        return self._relabel(kind, self.stored, lambda names: {new if each == name else each for each in names})

    async def delete_label(self, kind: LabelKind, name: str) -> list[int]:
        self.collections = [each for each in self.collections if each != name]
        return self._relabel(kind, self.stored, lambda names: {*names} - {name})

    def _relabel(
        self, kind: LabelKind, document_ids: Iterable[int], change: Callable[[tuple[str, ...]], set[str]]
    ) -> list[int]:
        changed = []
        for each in document_ids:
            row = row_of(self.stored[each])
            names = tuple(sorted(change(names_of(row, kind)), key=str.casefold))
            if names != names_of(row, kind):
                self.stored[each] = replace(row, **{"collections" if kind is LabelKind.COLLECTION else "tags": names})
                changed.append(each)
        self._bus.publish(LabelsChanged(tuple(changed)))
        return changed

    async def delete(self, document_ids: Sequence[int]) -> int:
        count = 0
        for document_id in document_ids:
            self._note(("delete", document_id))
            row = self.stored.pop(document_id, None)
            if row is not None:
                self._bus.publish(DocumentChanged(row.url, row.id, "deleted"))
                count += 1
        return count
