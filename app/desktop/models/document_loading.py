"""What the detail of a document asks the engine for; loaded on the engine's thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.desktop.flags import DocumentFlags, flags_of
from app.desktop.wording import local_path, plain_address

if TYPE_CHECKING:
    from app.corpus.records import Chunk, Document, DocumentSummary, Freshness, LinkRecord
    from app.desktop.models.neighbours import Neighbours
    from app.engine import Engine
    from app.ingest.outcome import IngestedPage

MAX_CHUNKS_SHOWN: Final = 2_000
MAX_LINKING_SHOWN: Final = 500


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document and its links in reading order."""

    document: Document
    links: list[LinkRecord]


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
    return ReadDocument(document, await engine.documents.links(document_id)) if document is not None else None


async def chunks_of(engine: Engine, document_id: int) -> Chunks:
    """At most MAX_CHUNKS_SHOWN chunks."""
    chunks = await engine.documents.chunks(document_id, limit=MAX_CHUNKS_SHOWN)
    waiting = await engine.documents.waiting_chunks([document_id])
    return Chunks(chunks, frozenset(waiting))


async def around(engine: Engine, shown: DocumentSummary) -> Around:
    """At most MAX_LINKING_SHOWN pages that link here."""
    from app.desktop.models.neighbour_loading import load_neighbours

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
