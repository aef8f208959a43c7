"""The stored pages: list, read, label and delete them, and resolve the sources named in a call."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.corpus import Corpus
from app.corpus.pictures import PictureStore
from app.corpus.records import Label, LabelKind, PageVersion, PassageGiven
from app.corpus.versions import MAX_CALLS_COMPARED
from app.errors import InvalidArgumentError, WebRAGError
from app.events import DocumentChanged, EventBus, LabelsChanged
from app.ingest.outcome import ADD_FILE
from app.ingest.pipeline import FILE_SCHEME
from app.library.protocol import Library, LibraryWriter
from app.library.records import Chunk, Document, DocumentSummary, Freshness, KeptPicture, LinkRecord
from app.library.scope import EVERYTHING, Filter, label_named
from app.orchestration.pages import address_of
from app.text.changes import UNCHANGED, Change, Changes, Span, compare
from app.text.sentence import sentence

log = logging.getLogger(__name__)

DOCUMENTS_DELETED_AT_ONCE: Final = 100  # Documents of a selection deleted in one transaction.
MAX_CHANGED_PAGES: Final = 50
MAX_DIFFERENCES: Final = 10  # Passages of one page that are listed as changed.


@dataclass(frozen=True, slots=True)
class PageHistory:
    """The earlier texts of a page, newest first, and the changes since one of them.

    `since` is the compared version, None if none can be read. `clients` are the assistants that were given a passage that has changed
    since.
    """

    versions: tuple[PageVersion, ...]
    since: PageVersion | None = None
    changes: Changes = UNCHANGED
    clients: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PassageDifference:
    """A passage that differs: `old` is empty if it was added, `new` if it was removed."""

    old: str
    new: str
    was_cited: bool = False


@dataclass(frozen=True, slots=True)
class ChangedPage:
    """The changes of a page since `since`: the version that was cited last (`was_cited`), otherwise the first one.

    `passages` are the first MAX_DIFFERENCES of `count`; those that an assistant was given come first. `note` says why there are none.
    """

    document_id: int
    url: str
    title: str
    since: float
    was_cited: bool
    count: int
    passages: tuple[PassageDifference, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """The scope of a search and its size. `missing` are addresses that are not stored."""

    filter: Filter
    documents: int
    chunks: int
    missing: tuple[str, ...] = ()


@dataclass(eq=False, slots=True)
class Documents:
    """Needs a running engine. Each call sees one snapshot of the corpus; SQL runs on worker threads."""

    library: LibraryWriter
    corpus: Corpus
    bus: EventBus
    picture_store: PictureStore | None = None

    async def find(
        self, text: str = "", *, limit: int, offset: int = 0, after: DocumentSummary | None = None, label: str = ""
    ) -> list[DocumentSummary]:
        """Return pages whose title or address contains `text`, last read first; with `after`, those after that row.

        `label` is `collection:NAME` or `tag:NAME` and restricts the pages. Raises UnknownLabelError.
        """
        summaries = self.library.documents.summaries
        place = (after.last_crawled, after.id) if after is not None else None
        wanted = Filter(doc_tags=((label,),)) if label else EVERYTHING
        return await asyncio.to_thread(summaries, filter=wanted, text=text, limit=limit, offset=offset, after=place)

    async def rows(self, document_ids: Sequence[int]) -> list[DocumentSummary]:
        """Return the rows of those pages that are still stored."""
        return await asyncio.to_thread(self.library.documents.summaries_of, document_ids)

    async def unused(self) -> list[int]:
        """Return the pages that only a link led to and that were never cited, labeled or pinned."""
        return await asyncio.to_thread(self.corpus.documents.unused)

    async def at(self, urls: Sequence[str]) -> list[DocumentSummary | None]:
        """Return the page at each address, or None if it is not stored."""
        return await asyncio.to_thread(lambda: [self.library.documents.summary(url) for url in urls])

    async def get(self, document_id: int) -> Document | None:
        return await asyncio.to_thread(self.library.documents.by_id, document_id)

    async def pictures(self, url: str) -> dict[str, KeptPicture]:
        """Return the stored images of a page by their address; empty if images are not stored."""
        return await asyncio.to_thread(self.picture_store.of_page, url) if self.picture_store is not None else {}

    async def chunks(self, document_id: int, *, limit: int, offset: int = 0) -> list[Chunk]:
        """Return the chunks of a page in reading order."""
        return await asyncio.to_thread(self.library.chunks.of_document, document_id, limit=limit, offset=offset)

    async def waiting_chunks(self, document_ids: Sequence[int]) -> list[int]:
        """Return the ids of the chunks of these pages without a vector of the current model."""
        return await asyncio.to_thread(self.library.vectors.waiting_ids, document_ids)

    async def links(self, document_id: int) -> list[LinkRecord]:
        """Return the links of a page's main content in reading order."""
        return await asyncio.to_thread(self.library.documents.links, document_id)

    async def linking_to(self, url: str, limit: int) -> list[DocumentSummary]:
        return await asyncio.to_thread(self.library.documents.linking_to, url, limit)

    async def freshness(self, document_ids: Sequence[int]) -> list[Freshness]:
        """Return when these pages were read, changed and cited."""
        return await asyncio.to_thread(self.library.documents.freshness, document_ids)

    async def history(self, document_id: int, version_id: int = 0) -> PageHistory:
        """Return the earlier texts of a page, and its changes since one of them.

        That version is the given one, otherwise the one that was cited last if the page has changed since, otherwise the oldest.
        """
        return await asyncio.to_thread(self._history, document_id, version_id)

    def _history(self, document_id: int, version_id: int) -> PageHistory:
        versions = tuple(self._own.versions.of_document(document_id))
        document = self.library.documents.by_id(document_id) if versions else None
        texts = self._own.versions.texts(document_id) if versions else {}
        readable = [version for version in versions if version.id in texts]
        if document is None or not readable:
            return PageHistory(versions)
        cited_at = next((each.cited_at for each in self.library.documents.freshness([document_id])), None)
        cited = next(
            (each for each in readable if cited_at and each.read_at <= cited_at < each.replaced_at), readable[-1]
        )
        since = next((each for each in readable if each.id == version_id), cited)
        given = self._own.activity.passages_given(document_id, since.read_at, MAX_CALLS_COMPARED)
        places = _places_in(since, given, readable, texts)
        changes = compare(texts[since.id], document.text, [span for _, span in places])
        clients = (client for client, span in places if texts[since.id][slice(*span)] not in document.text)
        return PageHistory(versions, since, changes, tuple(dict.fromkeys(clients)))

    async def changed(self, limit: int = MAX_CHANGED_PAGES, *, cited: bool = False) -> list[ChangedPage]:
        """Return pages that changed since they were added or cited, last changed first; with `cited`, only since they were cited."""

        def read() -> list[ChangedPage]:
            ids = self._own.versions.changed_documents(limit, cited=cited)
            rows = {row.id: row for row in self.library.documents.summaries_of(ids)}
            return [_changed_page(rows[number], self._history(number, 0)) for number in ids if number in rows]

        return await asyncio.to_thread(read)

    async def flags(self) -> dict[int, tuple[str, ...]]:
        """Return the flags of the few pages that address the assistant, by page id."""
        return await asyncio.to_thread(self.library.documents.flagged)

    async def labels(self) -> list[Label]:
        """Return the collections and tags by name, with their number of pages."""
        return await asyncio.to_thread(self._own.labels.all)

    async def add_label(self, kind: LabelKind, name: str, document_ids: Sequence[int] = ()) -> list[int]:
        """Add a collection or tag to pages and create it if needed. Return the ids of pages that did not have it."""
        return await self._relabel(self._own.labels.add, kind, name, document_ids)

    async def remove_label(self, kind: LabelKind, name: str, document_ids: Sequence[int]) -> list[int]:
        """Remove a collection or tag from pages; return the ids of pages that had it. Raises UnknownLabelError."""
        return await self._relabel(self._own.labels.remove, kind, name, document_ids)

    async def rename_label(self, kind: LabelKind, name: str, new: str) -> list[int]:
        """Rename a collection or tag; return the ids of its pages. Raises UnknownLabelError, InvalidArgumentError."""
        return await self._relabel(self._own.labels.rename, kind, name, new)

    async def delete_label(self, kind: LabelKind, name: str) -> list[int]:
        """Delete a collection or tag but not its pages; return their ids for undo with `add_label`. Raises UnknownLabelError."""
        return await self._relabel(self._own.labels.delete, kind, name)

    @property
    def _own(self) -> Corpus:
        """Return the private corpus with labels and earlier texts. Raises InvalidArgumentError for a shared library."""
        if self.library is not self.corpus:
            raise InvalidArgumentError(
                sentence("A shared library does not support private collections, tags or earlier texts."),
                hint="Administrators create its collections with webrag admin collection.",
            )
        return self.corpus

    async def _relabel(self, change: Callable[..., list[int]], *values: object) -> list[int]:
        document_ids = await asyncio.to_thread(change, *values)
        self.bus.publish(LabelsChanged(tuple(document_ids)))
        return document_ids

    async def delete(self, document_ids: Sequence[int]) -> int:
        """Delete pages in steps, so that other writers get a turn; return how many there were.

        If the program ends first, the rest is deleted after its next start.
        """
        if len(document_ids) > DOCUMENTS_DELETED_AT_ONCE:
            await asyncio.to_thread(self.library.documents.mark_for_deletion, document_ids)
        return await self._delete(document_ids)

    async def finish_deletions(self) -> None:
        """Delete the pages that an earlier run did not reach."""
        await self._delete(await asyncio.to_thread(self.library.documents.pending_deletions))

    async def _delete(self, document_ids: Sequence[int]) -> int:
        count = 0
        for start in range(0, len(document_ids), DOCUMENTS_DELETED_AT_ONCE):
            batch = document_ids[start : start + DOCUMENTS_DELETED_AT_ONCE]
            removed = await asyncio.to_thread(self.library.documents.delete, batch)
            for document_id, url in removed.items():
                self.bus.publish(DocumentChanged(url, document_id, "deleted"))
                if self.picture_store is not None:
                    try:
                        await asyncio.to_thread(self.picture_store.forget_page, url)
                    except WebRAGError as error:
                        log.warning("cannot delete images of a deleted page until the next start: %s", error)
            count += len(removed)
        return count


def _changed_page(row: DocumentSummary, history: PageHistory) -> ChangedPage:
    since = history.since
    if since is None:
        return ChangedPage(
            row.id, row.url, row.title, 0.0, False, 0, (), sentence("WebRAG cannot read its earlier text.")
        )
    was_cited = row.cited_at is not None and since.read_at <= row.cited_at < since.replaced_at
    differing = [each for each in history.changes.passages if each.change is not Change.SAME]
    shown = sorted(differing, key=lambda each: not each.was_cited)[:MAX_DIFFERENCES]
    note = sentence("The texts are too long to compare.") if history.changes.is_too_long else ""
    passages = tuple(
        PassageDifference(
            "".join(run.text for run in each.runs if run.change is not Change.ADDED),
            "".join(run.text for run in each.runs if run.change is not Change.REMOVED),
            each.was_cited,
        )
        for each in shown
    )
    return ChangedPage(row.id, row.url, row.title, since.read_at, was_cited, len(differing), passages, note)


def _places_in(
    since: PageVersion, given: Sequence[PassageGiven], versions: Sequence[PageVersion], texts: Mapping[int, str]
) -> list[tuple[str, Span]]:
    """Return the positions of passages in an earlier text that assistants were given, with the assistant's name."""
    places: dict[tuple[str, Span], None] = {}
    for each in given:
        then = next((version for version in versions if version.read_at <= each.moment < version.replaced_at), None)
        if then is None or not 0 <= each.start < each.end <= len(texts[then.id]):
            continue
        quote = texts[then.id][each.start : each.end]
        start = each.start if then.id == since.id else texts[since.id].find(quote)
        if start >= 0:
            places[each.client, (start, start + len(quote))] = None
    return list(places)


def sources_of(corpus: Library, urls: Sequence[str]) -> Sources:
    """Return the pages at these addresses and with these labels, or everything if none are named.

    Raises InvalidArgumentError if none of the pages is stored, UnknownLabelError.
    """
    if not urls:
        return Sources(Filter(), *corpus.documents.counts(Filter()))
    labels = tuple(url for url in urls if label_named(url))
    summaries, missing = list[DocumentSummary](), list[str]()
    for url in (url for url in urls if url not in labels):
        # Pages from a browser are distinguished by their fragments.
        exact = corpus.documents.summary(url.strip()) if "#" in url else None
        address = address_of(url)
        summary = exact or corpus.documents.summary(address)
        if summary is None:
            missing.append(address)
        else:
            summaries.append(summary)
    if labels:
        within = Filter(doc_tags=((*labels, *[summary.id for summary in summaries]),))
        documents, chunks = corpus.documents.counts(within)
        if not documents:
            raise InvalidArgumentError(
                sentence("{} does not contain any pages yet.", ", ".join(labels)),
                hint="Ask the user to add pages to it on the Library page of WebRAG.",
            )
        return Sources(within, documents, chunks, tuple(missing))
    if not summaries:
        hint: str = sentence("Call {} or {} with the address first.", "`answer`", "`ingest`")
        if all(url.startswith(FILE_SCHEME) for url in missing):
            hint = ADD_FILE
        raise InvalidArgumentError(sentence("Not indexed: {}.", ", ".join(missing)), hint=hint)
    ids = tuple(summary.id for summary in summaries)
    return Sources(Filter(document_ids=ids), len(ids), sum(summary.chunks for summary in summaries), tuple(missing))
