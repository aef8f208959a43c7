"""Details of a document: loading them, and its metadata as groups of names and values."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final

from app.desktop.engine_thread import Engine
from app.desktop.flags import DocumentFlags, FlaggedPassage, flags_of
from app.desktop.models.library import kind_text, state_text
from app.desktop.models.neighbours import Neighbours, load_neighbours
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
from app.ingest.outcome import IngestedPage
from app.library.records import Chunk, Document, DocumentSummary, Freshness, KeptPicture, LinkRecord

log = logging.getLogger(__name__)
_tr = translator("DocumentFacts")

MAX_CHUNKS_SHOWN: Final = 2_000
MAX_LINKING_SHOWN: Final = 500


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document, its links in reading order, and its saved images by address."""

    document: Document
    links: list[LinkRecord]
    pictures: dict[str, KeptPicture]


Chunks = tuple[list[Chunk], frozenset[int]]  # The chunks of a document, and the IDs of those that are not embedded yet.
Around = tuple[Neighbours, list[DocumentSummary]]  # The graph around a document, and the stored pages that link to it.


@dataclass(frozen=True, slots=True)
class Facts:
    """Metadata that is not part of the document itself."""

    freshness: Freshness | None
    flags: DocumentFlags


async def read(engine: Engine, document_id: int) -> ReadDocument | None:
    """Load a document, or return None if it no longer exists."""
    document = await engine.documents.get(document_id)
    if document is None:
        return None
    links = await engine.documents.links(document_id)
    return ReadDocument(document, links, await pictures_of(engine, document))


async def read_shared(engine: Engine, uri: str, *, is_hidden: bool = False) -> ReadDocument | None:
    """Load a page of a shared library, as an owner if it `is_hidden`, without links and images. Raises LibraryAwayError and subclasses."""
    return ReadDocument(await asyncio.to_thread(engine.libraries.document, uri, is_hidden=is_hidden), [], {})


async def pictures_of(engine: Engine, document: Document) -> dict[str, KeptPicture]:
    """Load the saved images of a page. Returns none if the image cache cannot be read, so that the page can still be shown."""
    try:
        return await engine.documents.pictures(document.url) if document.images else {}
    except WebRAGError as error:
        log.warning("pictures cannot be shown: %s", error)
        return {}


async def chunks_of(engine: Engine, document_id: int) -> Chunks:
    """Load at most MAX_CHUNKS_SHOWN chunks."""
    chunks = await engine.documents.chunks(document_id, limit=MAX_CHUNKS_SHOWN)
    return chunks, frozenset(await engine.documents.waiting_chunks([document_id]))


async def around(engine: Engine, shown: DocumentSummary) -> Around:
    """Load the neighbors and at most MAX_LINKING_SHOWN pages that link here."""
    neighbours = await load_neighbours(engine, shown.id, shown.title or plain_address(shown.url))
    return neighbours, await engine.documents.linking_to(shown.url, MAX_LINKING_SHOWN)


async def facts_of(engine: Engine, shown: DocumentSummary) -> Facts:
    """Load the freshness, and the flags of the first MAX_CHUNKS_SHOWN chunks."""
    freshness = await engine.documents.freshness([shown.id])
    chunks = await engine.documents.chunks(shown.id, limit=MAX_CHUNKS_SHOWN)
    flags = await flags_of(chunks, await engine.documents.links(shown.id), shown.url)
    return Facts(freshness[0] if freshness else None, flags)


async def stored_page(engine: Engine, address: str) -> DocumentSummary | None:
    """Find the page stored under an address, ignoring its fragment."""
    known = await engine.status(address.partition("#")[0], limit=1)
    return known.documents[0] if known.documents else None


async def read_again(engine: Engine, url: str) -> IngestedPage:
    """Refresh a web page or a file."""
    path = local_path(url)
    return await engine.add_file(Path(path)) if path else await engine.ensure_ingested(url, refresh=True)


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact. `tip` explains it."""

    name: str
    value: str
    tip: str = ""
    can_copy: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Facts under a heading, with passages that belong to them."""

    title: str
    facts: tuple[Fact, ...]
    passages: tuple[FlaggedPassage, ...] = ()


def groups_of(document: Document, summary: DocumentSummary, facts: Facts | None) -> list[Group]:
    """Return the groups Page, Age, Safety and In the library; Safety comes first if anything is flagged. `facts` is None while loading."""
    flags = ("\n".join(facts.flags.lines()) or _tr("None")) if facts is not None else _tr("Loading…")
    page = (
        Fact(_tr("Title"), document.title),
        Fact(_tr("Address"), document.url, _tr("Identifies this page. Assistants cite this address."), can_copy=True),
        Fact(_tr("Source"), local_path(document.url) or site_of(document.url), _tr("The site or folder of the page")),
        Fact(_tr("Kind"), kind_text(document)),
        Fact(_tr("Language"), document.language),
        Fact(_tr("Note"), spoken(document.note), _tr("What may be missing from the text")),
    )
    found = [
        Group(_tr("Page"), page),
        Group(_tr("Age"), _age(document, facts.freshness if facts is not None else None)),
        Group(
            _tr("Safety"),
            (Fact(_tr("Flags"), flags, _tr("Possible prompt injections, and links that could leak data")),),
            facts.flags.passages if facts is not None else (),
        ),
        Group(_tr("In the library"), _storage(document, summary)),
    ]
    if facts is not None and facts.flags.lines():
        found.insert(0, found.pop(2))
    return [Group(each.title, tuple(fact for fact in each.facts if fact.value), each.passages) for each in found]


def _age(document: Document, freshness: Freshness | None) -> tuple[Fact, ...]:
    modified = (freshness.last_modified if freshness is not None else document.last_modified) or ""
    # An invalid HTTP date is shown as it is.
    with suppress(ValueError, OverflowError):
        modified = _moment(parsedate_to_datetime(modified).timestamp())
    return (
        Fact(_tr("Fetched"), _moment(document.last_crawled), _tr("When the page was last fetched")),
        Fact(_tr("Text changed"), _moment(document.changed_at), _tr("Last time the text changed")),
        Fact(_tr("Last modified"), modified, _tr("From the site or file")),
        Fact(_tr("Published"), document.published or ""),
        Fact(_tr("Last cited"), _cited(freshness), _tr("When an assistant last received a passage of this page")),
        Fact(_tr("Entity tag"), document.etag or "", _tr("Used by the site to detect changes (ETag)")),
    )


def _storage(document: Document, summary: DocumentSummary) -> tuple[Fact, ...]:
    characters = counted(len(document.text), _tr("1 character"), _tr("{} characters"))
    tokens = counted(summary.tokens, _tr("1 token"), _tr("{} tokens"))
    length = _tr("{characters}, {tokens}, {bytes}").format(
        characters=characters, tokens=tokens, bytes=size(len(document.text.encode("utf-8", "replace")))
    )
    return (
        Fact(_tr("State"), state_text(summary), _tr("Whether the whole page is found by semantic search")),
        Fact(
            _tr("Size"),
            length,
            _tr("Length in tokens, the unit that assistants count in. One token is about four characters."),
        ),
        Fact(
            _tr("Passages"),
            _tr("{} total, {} embedded").format(number(summary.chunks), number(summary.chunks_embedded)),
            _tr(
                "The parts of the page that WebRAG searches. Keyword search finds all of them, semantic search the embedded ones."
            ),
        ),
        Fact(_tr("Sections"), number(len(document.sections))),
        Fact(
            _tr("Images"),
            number(len(document.images)),
            _tr("The library contains their descriptions, and the images too if Settings > Storage saves them"),
        ),
        Fact(
            _tr("Content hash"),
            document.content_hash,
            _tr("Texts with the same hash are identical. WebRAG checks quotes against it."),
            can_copy=True,
        ),
    )


def _moment(moment: float) -> str:
    if moment <= 0:
        return ""
    age = ago(moment)
    # After a month, the age is a date too.
    return full_time(moment) if age in full_time(moment) else _tr("{} ({})").format(full_time(moment), age)


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
