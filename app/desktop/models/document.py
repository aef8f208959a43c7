"""The detail of a document: what is loaded of it, and its facts as groups of names and values."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.desktop.flags import DocumentFlags, flags_of
from app.desktop.models.library import kind_text, state_text
from app.desktop.wording import (
    ago,
    counted,
    full_time,
    local_path,
    number,
    plain_address,
    site_of,
    size,
    spoken,
    translator,
)
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.desktop.flags import FlaggedPassage
    from app.desktop.models.neighbours import Neighbours
    from app.engine import Engine
    from app.ingest.outcome import IngestedPage
    from app.library.records import Chunk, Document, DocumentSummary, Freshness, KeptPicture, LinkRecord

log = logging.getLogger(__name__)
_tr = translator("DocumentFacts")

MAX_CHUNKS_SHOWN: Final = 2_000
MAX_LINKING_SHOWN: Final = 500


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document, its links in reading order, and its kept pictures by their addresses."""

    document: Document
    links: list[LinkRecord]
    pictures: dict[str, KeptPicture]


@dataclass(frozen=True, slots=True)
class Chunks:
    """The chunks of a document; `waiting` are the ids of those without a vector of the current model."""

    chunks: list[Chunk]
    waiting: frozenset[int]


@dataclass(frozen=True, slots=True)
class Around:
    """The graph around a document, and the stored pages that link to it."""

    neighbours: Neighbours
    linking: list[DocumentSummary]


@dataclass(frozen=True, slots=True)
class Facts:
    """What the metadata tell beyond the document itself."""

    freshness: Freshness | None
    flags: DocumentFlags


async def read(engine: Engine, document_id: int) -> ReadDocument | None:
    """None for a document that is gone."""
    document = await engine.documents.get(document_id)
    if document is None:
        return None
    links = await engine.documents.links(document_id)
    return ReadDocument(document, links, await pictures_of(engine, document))


async def read_shared(engine: Engine, uri: str, *, is_hidden: bool = False) -> ReadDocument | None:
    """A page of a shared library by its address, without links and pictures; `is_hidden`: one in quarantine, as an owner.

    Raises LibraryAwayError and its kin.
    """
    return ReadDocument(await asyncio.to_thread(engine.libraries.document, uri, is_hidden=is_hidden), [], {})


async def pictures_of(engine: Engine, document: Document) -> dict[str, KeptPicture]:
    """The kept pictures of a page; none where the cache cannot be read, which keeps no page from being shown."""
    try:
        return await engine.documents.pictures(document.url) if document.images else {}
    except WebRAGError as error:
        log.warning("pictures cannot be shown: %s", error)
        return {}


async def chunks_of(engine: Engine, document_id: int) -> Chunks:
    """At most MAX_CHUNKS_SHOWN chunks."""
    chunks = await engine.documents.chunks(document_id, limit=MAX_CHUNKS_SHOWN)
    waiting = await engine.documents.waiting_chunks([document_id])
    return Chunks(chunks, frozenset(waiting))


async def around(engine: Engine, shown: DocumentSummary) -> Around:
    """At most MAX_LINKING_SHOWN pages that link here."""
    from app.desktop.models.neighbours import load_neighbours

    neighbours = await load_neighbours(engine, shown.id, shown.title or plain_address(shown.url))
    linking = await engine.documents.linking_to(shown.url, MAX_LINKING_SHOWN)
    return Around(neighbours, linking)


async def facts_of(engine: Engine, shown: DocumentSummary) -> Facts:
    """Freshness and flags; the flags of the first MAX_CHUNKS_SHOWN chunks."""
    freshness = await engine.documents.freshness([shown.id])
    chunks = await engine.documents.chunks(shown.id, limit=MAX_CHUNKS_SHOWN)
    flags = await flags_of(chunks, await engine.documents.links(shown.id), shown.url)
    return Facts(freshness[0] if freshness else None, flags)


async def stored_page(engine: Engine, address: str) -> DocumentSummary | None:
    """The page that is stored under an address, without what points to a place on it."""
    known = await engine.status(address.partition("#")[0], limit=1)
    return known.documents[0] if known.documents else None


async def read_again(engine: Engine, url: str) -> IngestedPage:
    """Read a page from the web, or a file, once more."""
    path = local_path(url)
    return await engine.add_file(Path(path)) if path else await engine.ensure_ingested(url, refresh=True)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known; `tip` says what it means."""

    name: str
    value: str
    tip: str = ""
    can_copy: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Facts under a heading, and passages that belong to them."""

    title: str
    facts: tuple[Fact, ...]
    passages: tuple[FlaggedPassage, ...] = ()


def groups_of(document: Document, summary: DocumentSummary, facts: Facts | None) -> list[Group]:
    """Page, age, safety and storage, safety first where something is flagged; `facts` is None while they are being looked up."""
    found = [
        Group(_tr("Page"), _page(document)),
        Group(_tr("Age"), _age(document, facts.freshness if facts is not None else None)),
        Group(_tr("Safety"), _safety(facts), facts.flags.passages if facts is not None else ()),
        Group(_tr("In the library"), _storage(document, summary)),
    ]
    if facts is not None and facts.flags.lines():
        found.insert(0, found.pop(2))
    return [Group(each.title, tuple(fact for fact in each.facts if fact.value), each.passages) for each in found]


def _page(document: Document) -> tuple[Fact, ...]:
    return (
        Fact(_tr("Title"), document.title),
        Fact(_tr("Address"), document.url, _tr("What identifies this page, and what assistants cite"), can_copy=True),
        Fact(_tr("Source"), local_path(document.url) or site_of(document.url), _tr("The site or folder it is from")),
        Fact(_tr("Kind"), kind_text(document.kind)),
        Fact(_tr("Language"), document.language),
        Fact(_tr("Note"), spoken(document.note), _tr("What may be missing from the text")),
    )


def _age(document: Document, freshness: Freshness | None) -> tuple[Fact, ...]:
    return (
        Fact(_tr("Read"), _moment(document.last_crawled), _tr("When the page was last read from its source")),
        Fact(_tr("Text changed"), _moment(document.changed_at), _tr("When its text was last different from before")),
        Fact(
            _tr("Last modified"),
            _modified(freshness.last_modified if freshness is not None else document.last_modified),
            _tr("What the site, or the file itself, says"),
        ),
        Fact(_tr("Published"), document.published or ""),
        Fact(_tr("Last cited"), _cited(freshness), _tr("When an assistant was last given a passage of it")),
        Fact(_tr("Entity tag"), document.etag or "", _tr("By this the site tells whether the page has changed")),
    )


def _safety(facts: Facts | None) -> tuple[Fact, ...]:
    tip = _tr("Passages that speak to an assistant instead of a reader, and addresses that may carry data away")
    if facts is None:
        return (Fact(_tr("Flags"), _tr("Looking…"), tip),)
    return (Fact(_tr("Flags"), "\n".join(facts.flags.lines()) or _tr("None"), tip),)


def _storage(document: Document, summary: DocumentSummary) -> tuple[Fact, ...]:
    characters = counted(len(document.text), _tr("1 character"), _tr("{} characters"))
    tokens = counted(summary.tokens, _tr("1 token"), _tr("{} tokens"))
    length = _tr("{characters}, {tokens}, {bytes}").format(
        characters=characters, tokens=tokens, bytes=size(len(document.text.encode("utf-8", "replace")))
    )
    return (
        Fact(_tr("State"), state_text(summary), _tr("Whether search by meaning reaches all of it")),
        Fact(_tr("Size"), length, _tr("Tokens are what assistants count text in, about four characters each")),
        Fact(
            _tr("Passages"),
            _tr("{}, {} found by meaning too").format(number(summary.chunks), number(summary.chunks_embedded)),
            _tr(
                "The pieces of the page that are searched: by their words at once, by meaning as soon as they are prepared"
            ),
        ),
        Fact(_tr("Sections"), number(len(document.sections))),
        Fact(
            _tr("Pictures"),
            number(len(document.images)),
            _tr("Their descriptions are kept; the pictures too where Settings > Storage keeps them"),
        ),
        Fact(
            _tr("Content hash"),
            document.content_hash,
            _tr("Two texts with the same hash are the same; quotes are checked against it"),
            can_copy=True,
        ),
    )


def _moment(moment: float) -> str:
    if moment <= 0:
        return ""
    age = ago(moment)
    # After a month the age is the date.
    return full_time(moment) if age in full_time(moment) else _tr("{} ({})").format(full_time(moment), age)


def _modified(http_date: str | None) -> str:
    """An HTTP date as the person writes dates; as it is where it is none."""
    if not http_date:
        return ""
    try:
        return _moment(parsedate_to_datetime(http_date).timestamp())
    except (ValueError, OverflowError):
        return http_date


def _cited(freshness: Freshness | None) -> str:
    if freshness is None:
        return ""
    if freshness.cited_at is None:
        return _tr("Not yet")
    when = _moment(freshness.cited_at)
    if not freshness.changed_since_cited:
        return _tr("{}, unchanged since").format(when)
    changed = counted(freshness.changed_since_cited, _tr("1 passage is new"), _tr("{} passages are new"))
    return _tr("{}, since then {}").format(when, changed)
