"""The functions of a node for programs that joined its library: questions, page rows, whole pages, storing and deleting.

Everything runs with the rights of the call. Text comes from outside and is chunked here; vectors are never accepted.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from app import caps
from app.engine.node import Identity, Node
from app.errors import InvalidArgumentError, LibraryForbiddenError
from app.extract.page import Page
from app.ingest.pipeline import FILE_SCHEME
from app.library import exchange
from app.library.records import Document, DocumentSummary, LinkRecord
from app.library.scope import Filter
from app.pg.documents import HiddenPage
from app.pg.grants import GrantRole
from app.pg.sessions import acting_with, current_rights
from app.retrieval.records import Intent
from app.text.page_text import one_line
from app.text.sentence import sentence
from app.web.urls import normalise_url

if TYPE_CHECKING:
    from app.ingest.pipeline import IngestPipeline
    from app.orchestration.result import OrchestrationResult
    from app.retrieval.records import RetrievedChunk

MAX_KIND_CHARS: Final = 40
MAX_SEARCH_TEXT_CHARS: Final = 500
MAX_PLACE_DIGITS: Final = 18
NO_PAGE: Final = sentence("This page does not exist, or you do not have access to it.")
NO_PLACE: Final = sentence("This list cannot continue from the given position.")
FROM_START: Final = "Start again from the first page."

Search = Callable[..., Awaitable["OrchestrationResult"]]


class NoSuchPageError(InvalidArgumentError):
    """The page does not exist or the user may not read it."""


@dataclass(eq=False, slots=True)
class SharedPages:
    """The pages of a shared library. `find` is the engine's search, `prefer` has documents embedded soon."""

    node: Node
    pipeline: IngestPipeline
    find: Search
    prefer: Callable[[Iterable[int]], None]

    async def describe(self, identity: Identity, version: str) -> exchange.NodeDescription:
        grants = await self.node.grants_of(identity)
        rights = current_rights()
        counted = await asyncio.to_thread(self.node.shared.grants.collections, rights)
        pages = {each.id: each.documents for each in counted}
        collections = tuple(
            exchange.Collection(grant.collection, grant.role.value, pages.get(grant.collection_id, 0))
            for grant in grants
        )
        name = self.node.options.name
        return exchange.NodeDescription(
            name, version, exchange.Person(identity.subject, identity.name), self.node.shared.model, collections
        )

    async def search(self, request: exchange.SearchRequest) -> exchange.SearchReply:
        """Return passages for a question and its parts, best first. Raises InvalidArgumentError."""
        if request.intent is not None and request.intent not in tuple(Intent):
            raise InvalidArgumentError(
                sentence("{} has an invalid value: {}.", "`intent`", repr(request.intent[:MAX_KIND_CHARS])),
                hint=sentence("Leave it out, or use one of: {}.", ", ".join(Intent)),
            )
        within = Filter(document_ids=request.pages)
        asked = dict.fromkeys((request.question, *request.queries))
        found = [await self.find(text, intent=request.intent, top_k=request.limit, within=within) for text in asked]
        best: dict[int, RetrievedChunk] = {}
        for item in (item for result in found for item in result.chunks):
            known = best.get(item.chunk.id)
            if known is None or known.reranked_score < item.reranked_score:
                best[item.chunk.id] = item
        shown = sorted(best.values(), key=lambda item: (-item.reranked_score, item.chunk.id))[: request.limit]
        rows = await self._rows(dict.fromkeys(item.chunk.document_id for item in shown))
        without = [each for each in dict.fromkeys(request.pages) if each not in rows]
        others = await self._rows(without) if without else {}
        return exchange.SearchReply(
            tuple(_passage(self.node.shared.name, item, rows[item.chunk.document_id]) for item in shown
                  if item.chunk.document_id in rows),
            found[0].likelihood,
            tuple(dict.fromkeys(note for result in found for note in result.notes)),
            self.node.shared.model,
            tuple(each for each in without if each not in others),
        )  # fmt: skip

    async def rows(self, text: str, after: str, limit: int) -> exchange.PageRows:
        """Return pages whose title or address contains the text, last read first."""
        place = _place(after)
        found = await asyncio.to_thread(
            self.node.shared.documents.summaries, text=text[:MAX_SEARCH_TEXT_CHARS], limit=limit + 1, after=place
        )
        shown = found[:limit]
        rows = await self._rows([row.id for row in shown])
        last = shown[-1] if len(found) > limit else None
        return exchange.PageRows(
            tuple(rows[row.id] for row in shown if row.id in rows),
            f"{last.last_crawled!r},{last.id}" if last is not None else "",
        )

    async def whole(self, page_id: int) -> exchange.WholePage:
        """Return a page with its text. Raises NoSuchPageError also if the user may not read it."""
        rows = await self._rows([page_id])
        document = await asyncio.to_thread(self.node.shared.documents.by_id, page_id) if rows else None
        if document is None:
            raise NoSuchPageError(NO_PAGE)
        links = await asyncio.to_thread(self.node.shared.documents.links, page_id)
        return _whole(rows[page_id], document, links)

    async def hidden_whole(self, identity: Identity, page_id: int) -> exchange.WholePage:
        """Return a hidden page with its text, for an owner of its collection who must judge it.

        Raises NoSuchPageError also if the page is not hidden or the user is not an owner.
        """
        with await self._as_owner(identity):
            listed = await asyncio.to_thread(self.node.shared.documents.quarantined, [page_id])
            found = await asyncio.to_thread(self.node.shared.documents.quarantined_text, page_id) if listed else None
        if found is None:
            raise NoSuchPageError(NO_PAGE)
        return _whole(_row(listed[0], listed[0].collection), *found)

    async def store(self, given: exchange.PageIn) -> exchange.PageStored:
        """Store a page in the only collection that the call may write to. Raises InvalidArgumentError, LibraryForbiddenError."""
        page = _page(given)
        is_file = given.url.startswith(FILE_SCHEME) and given.url.isprintable()
        url = given.url if is_file else normalise_url(given.url)
        crawled = min(given.last_crawled, time.time()) if given.last_crawled > 0 else time.time()
        kind = one_line(given.kind, MAX_KIND_CHARS) or "markdown"
        outcome = await self.pipeline.store_text(page, url=url, kind=kind, crawled=crawled)
        self.prefer([outcome.summary.id])
        rows = await self._rows([outcome.summary.id])
        row = rows.get(outcome.summary.id)
        return exchange.PageStored(outcome.summary.id, outcome.change.value, row.collection if row is not None else "")

    async def delete(self, identity: Identity, page_id: int) -> None:
        """Delete a page as an owner of its collection or as the user who added it. Only owners can delete hidden pages.

        Raises NoSuchPageError also if the user may not read it, and LibraryForbiddenError.
        """
        row = (await self._rows([page_id])).get(page_id)
        if row is None:
            # An owner judged the page by its row, so it is deleted without being shown first.
            with await self._as_owner(identity):
                listed = await asyncio.to_thread(self.node.shared.documents.quarantined, [page_id])
                if not listed or not await asyncio.to_thread(self.node.shared.documents.delete, [page_id]):
                    raise NoSuchPageError(NO_PAGE)
            return
        grants = {grant.collection: grant.role for grant in await self.node.grants_of(identity)}
        is_owner = grants.get(row.collection) is GrantRole.OWNER
        if not is_owner and row.added_by != identity.subject:
            raise LibraryForbiddenError(
                sentence("The collection {} belongs to other users, and another user added the page.", row.collection),
                hint="Ask an owner of the collection to delete it.",
            )
        if not await asyncio.to_thread(self.node.shared.documents.delete, [page_id]):
            raise LibraryForbiddenError(
                sentence("You cannot write to this collection."), hint="Ask an owner of the collection."
            )

    async def hidden(self, identity: Identity, after: str, limit: int) -> exchange.PageRows:
        """Return the hidden pages of the collections that the user owns, in the order they were stored."""
        if after and not (after.isascii() and after.isdecimal() and len(after) <= MAX_PLACE_DIGITS):
            raise InvalidArgumentError(NO_PLACE, hint=FROM_START)
        with await self._as_owner(identity):
            listed = self.node.shared.documents.quarantined
            found = await asyncio.to_thread(listed, after=int(after or 0), limit=limit + 1)
        shown = found[:limit]
        return exchange.PageRows(
            tuple(_row(page, page.collection) for page in shown), str(shown[-1].id) if len(found) > limit else ""
        )

    async def set_quarantine(self, identity: Identity, page_id: int, *, is_quarantined: bool) -> exchange.PageRow:
        """Hide a page from everyone, or release it, as an owner of its collection.

        Raises NoSuchPageError also if the user may not read it, and LibraryForbiddenError.
        """
        seen = await self._rows([page_id])
        with await self._as_owner(identity):
            change = self.node.shared.documents.set_quarantine
            if not await asyncio.to_thread(change, [page_id], is_quarantined=is_quarantined):
                if seen:
                    raise LibraryForbiddenError(
                        sentence("Only owners of the collection can hide its pages."),
                        hint="Ask an owner of the collection.",
                    )
                raise NoSuchPageError(NO_PAGE)
            if is_quarantined:
                hidden = await asyncio.to_thread(self.node.shared.documents.quarantined, [page_id])
                rows = {page.id: _row(page, page.collection) for page in hidden}
            else:
                rows = await self._rows([page_id])
        if page_id not in rows:
            raise NoSuchPageError(NO_PAGE, hint="Another user changed or deleted it. Refresh the list.")
        return rows[page_id]

    async def _as_owner(self, identity: Identity) -> AbstractContextManager[None]:
        """Return a context with the rights of the call, only in collections that the user owns."""
        rights = current_rights()
        owned = {each.collection_id for each in await self.node.grants_of(identity) if each.role is GrantRole.OWNER}
        own = tuple(number for number in rights.writable if number in owned)
        return acting_with(replace(rights, readable=own, writable=own))

    async def _rows(self, document_ids: Iterable[int]) -> dict[int, exchange.PageRow]:
        """Return the rows of the pages that may be read, by id."""
        found = await asyncio.to_thread(self.node.shared.documents.with_collections, list(document_ids))
        return {row.id: _row(row, collection) for row, collection in found}


def _whole(row: exchange.PageRow, page: Document, links: Iterable[LinkRecord]) -> exchange.WholePage:
    return exchange.WholePage(row, page.text, page.sections, tuple(links), page.published, page.last_modified)


def _row(row: DocumentSummary | HiddenPage, collection: str) -> exchange.PageRow:
    return exchange.PageRow(
        row.id,
        collection,
        row.url,
        passages=0 if isinstance(row, HiddenPage) else row.chunks,
        passages_embedded=0 if isinstance(row, HiddenPage) else row.chunks_embedded,
        added_by=row.added_by,
        flags=row.flags,
        is_quarantined=isinstance(row, HiddenPage),
        **exchange.same_fields(row, exchange.ROW_FIELDS),
    )


def _passage(library: str, item: RetrievedChunk, row: exchange.PageRow) -> exchange.FoundPassage:
    chunk = item.chunk
    return exchange.FoundPassage(
        library=library,
        page_id=chunk.document_id,
        chunk_id=chunk.id,
        collection=row.collection,
        url=chunk.url,
        relevance=item.reranked_score,
        kind=row.kind,
        confidence=item.confidence,
        score=item.retrieval_score,
        added_by=row.added_by,
        last_crawled=row.last_crawled,
        flags=row.flags,
        **exchange.same_fields(chunk, exchange.CHUNK_FIELDS),
    )


def _page(given: exchange.PageIn) -> Page:
    """Return the page in the form that extraction produces. Raises InvalidArgumentError for sections that overlap or are out of order."""
    sections = tuple(replace(part, heading=one_line(part.heading, caps.MAX_HEADING_CHARS)) for part in given.sections)
    if any(not 1 <= section.level <= 6 for section in sections) or any(
        behind.start < max(before.start + 1, before.end) for before, behind in pairwise(sections)
    ):
        raise InvalidArgumentError(sentence("The sections of the page are not in the order of its text."))
    return Page(
        url=given.url,
        title=one_line(given.title, caps.MAX_TITLE_CHARS),
        text=given.text.replace("\0", "\ufffd"),
        sections=sections,
        links=given.links,
        language=given.language[:16],
        published=given.published[:40] if given.published else None,
    )


def _place(after: str) -> tuple[float, int] | None:
    """Return the position at which a list continues. Raises InvalidArgumentError for a value that no list returned."""
    if not after:
        return None
    crawled, _, number = after.partition(",")
    try:
        place = float(crawled), int(number)
        if not abs(place[0]) < float("inf") or not 0 <= place[1] < 1 << 62:
            raise ValueError(after)
    except ValueError as error:
        raise InvalidArgumentError(NO_PLACE, hint=FROM_START) from error
    return place
