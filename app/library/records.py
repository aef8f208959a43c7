"""Documents, chunks and vectors, as every store returns and accepts them.

Times are seconds since the epoch, sizes of text are characters.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from app.errors import EmbedderError, InvalidArgumentError
from app.text.sentence import sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNIT_TOLERANCE: Final = 1e-3  # Largest deviation of a vector's length from 1.

Place: TypeAlias = tuple[float, int]  # The last row of a page of results: time fetched, and ID.

PRIVATE: Final = "private"  # The name of the private library.
# Stands for a name: all available libraries, or all shared ones.
ALL: Final = "all"
SHARED: Final = "shared"
FIRST_COLLECTION: Final = "library"  # Of each shared library; pages of users with several go there by default.


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """The model of a store's vectors."""

    fingerprint: str
    dimension: int


class CameBy(StrEnum):
    """How a page came into a private library."""

    UNKNOWN = ""  # Stored before the origin was recorded, or part of the program.
    PERSON = "person"
    BROWSER = "browser"
    ASSISTANT = "assistant"
    CRAWL = "crawl"
    LINK = "link"  # Found through a link during a question.


MINE: Final = (CameBy.PERSON, CameBy.BROWSER)


class DocumentState(StrEnum):
    """Indexing state of a document."""

    TEXT = "text"  # Keyword search finds it; some chunks are not embedded yet.
    READY = "ready"  # Every chunk has a vector of the current model.


@dataclass(frozen=True, slots=True)
class SectionRecord:
    """A heading, or a defined term with its own anchor, and the text up to the next one; offsets into the document text.

    `start` is the first character of its line (`## Title`, or `**term**: …` for a term).
    """

    level: int
    heading: str
    anchor: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LinkRecord:
    """A link of a stored document, with the offsets of its anchor text."""

    url: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ImageRecord:
    """An image of the main content, not visible in the text. `position` is its original place."""

    url: str
    alt: str
    caption: str
    position: int


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A saved image of a page: PNG or JPEG, re-encoded by WebRAG. Sides in pixels."""

    url: str
    media_type: str
    width: int
    height: int
    content: bytes


@dataclass(frozen=True, slots=True)
class ChunkIn:
    """A chunk to store.

    `text` is prefix + document.text[start:end] + suffix. Prefix and suffix (a repeated table header, a reopened fence) have the given
    lengths, so that quotes come from the exact middle. `key` is the stable hash of the chunk (`short_key`). `identifiers` holds split
    CamelCase words for the keyword index.
    """

    key: str
    section_path: tuple[str, ...]
    anchor: str | None
    text: str
    start: int
    end: int
    prefix_length: int
    suffix_length: int
    tokens: int
    identifiers: str = ""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Detects whether a file has changed since it was read. `folder_id` is None for a file added on its own."""

    folder_id: int | None
    mtime_ns: int
    bytes: int


@dataclass(frozen=True, slots=True)
class DocumentIn:
    """A whole document to store or replace, with its aliases and the links outside its text (`navigation`)."""

    url: str
    title: str
    text: str
    content_hash: str
    kind: str
    chunks: tuple[ChunkIn, ...]
    sections: tuple[SectionRecord, ...] = ()
    links: tuple[LinkRecord, ...] = ()
    images: tuple[ImageRecord, ...] = ()
    aliases: tuple[str, ...] = ()
    language: str = ""
    etag: str | None = None
    last_modified: str | None = None
    published: str | None = None
    last_crawled: float = 0.0
    note: str = ""
    navigation: tuple[str, ...] = ()
    file: FileStamp | None = None
    came_by: CameBy = CameBy.UNKNOWN
    package_id: int | None = None


@dataclass(frozen=True, slots=True)
class StoreOutcome:
    """The changes made by storing: IDs of chunks to embed, and how many were kept or removed."""

    document_id: int
    new_chunk_ids: tuple[int, ...]
    kept: int
    removed: int


@dataclass(frozen=True, slots=True)
class Document:
    """A stored document with its text and structure."""

    id: int
    url: str
    title: str
    text: str
    kind: str
    language: str
    state: DocumentState
    content_hash: str = ""
    etag: str | None = None
    last_modified: str | None = None
    published: str | None = None
    last_crawled: float = 0.0
    changed_at: float = 0.0
    note: str = ""
    sections: tuple[SectionRecord, ...] = ()
    images: tuple[ImageRecord, ...] = ()

    def heading_at(self, place: int) -> str:
        """Return the heading above a text offset; empty before the first heading."""
        above = bisect_right(self.sections, place, key=lambda section: section.start) - 1
        return self.sections[above].heading if above >= 0 else ""


# Fields of a document and of its row that every store has as columns.
DOCUMENT_FIELDS: Final = tuple(
    each.name for each in fields(Document) if each.name not in ("state", "sections", "images")
)


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """One row of the library. `chunks_embedded` counts chunks with a vector of the current model.

    `last_modified` is an HTTP date, `flags` lists text that addresses the assistant, `has_versions` means that an earlier text is kept.
    `added_by` is the user who stored the text in a shared library, `came_by` its origin in a private one.
    """

    id: int
    url: str
    title: str
    kind: str
    language: str
    state: DocumentState
    chunks: int
    chunks_embedded: int
    tokens: int
    last_crawled: float
    changed_at: float
    note: str
    doc_tag: str = ""
    last_modified: str | None = None
    cited_at: float | None = None
    is_changed_since_cited: bool = False
    flags: tuple[str, ...] = ()
    has_versions: bool = False
    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    added_by: str = ""
    came_by: CameBy = CameBy.UNKNOWN


DOCUMENT_ROW_FIELDS: Final = tuple(
    each.name for each in fields(DocumentSummary) if each.name in (*DOCUMENT_FIELDS, "doc_tag")
)


@dataclass(frozen=True, slots=True)
class Freshness:
    """The age of a document, and whether it changed since it was last cited.

    `last_modified` is the server's HTTP date, or the time of the file. `cited_at` is the time of the previous citation (None: never).
    `changed_since_cited` counts passages that are new since then, `cited_and_changed` passages given to assistants that its text no
    longer contains. Both are 0 if the text is the same.
    """

    document_id: int
    url: str
    last_crawled: float
    last_modified: str | None
    changed_at: float
    cited_at: float | None
    changed_since_cited: int
    cited_and_changed: int = 0


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stored chunk with the data to show and cite it."""

    id: int
    document_id: int
    key: str
    ord: int
    url: str
    title: str
    section_path: tuple[str, ...]
    anchor: str | None
    text: str
    start: int
    end: int
    prefix_length: int
    suffix_length: int
    tokens: int
    last_crawled: float
    doc_tag: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found by one retriever. Higher is better; scores of different retrievers are not comparable."""

    chunk_id: int
    score: float


@dataclass(frozen=True, slots=True)
class EmbeddingIn:
    """A vector to store, float32 (dimension,), and its token vectors as sign bits, uint8 (tokens, dimension / 8)."""

    chunk_id: int
    vector: NDArray[np.float32]
    token_bits: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """The stored token vectors of one chunk, for reranking."""

    chunk_id: int
    token_bits: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Passages:
    """Chunks with the requested and available data to compare them: token vectors, and cosines to a vector by chunk."""

    chunks: list[Chunk]
    signs: list[TokenVectors]
    cosines: dict[int, float]


@dataclass(frozen=True, slots=True)
class PassageToEmbed:
    """A chunk that is not embedded yet."""

    chunk_id: int
    document_id: int
    title: str
    section_path: tuple[str, ...]
    text: str


def passage_text(passage: Chunk | PassageToEmbed) -> str:
    """Return the text to embed or to rank: title and heading path before the text, as in the models' training.

    A changed heading gives its chunks new keys and therefore new vectors. A changed title does not: many titles contain counters or
    dates, and would require embedding the whole page again.
    """
    path = [part for part in passage.section_path if part != passage.title]
    head = " > ".join([passage.title, *path] if passage.title else path)
    return f"{head}. {passage.text}" if head else passage.text


@dataclass(frozen=True, slots=True)
class PassageIn:
    """A text to save. `section_id` is its chunk as text, or empty; the last four fields locate it in a document."""

    section_id: str
    doc_tag: str
    title: str
    text: str
    source_uri: str
    anchor: str | None = None
    media_type: str = "text/plain"
    document_id: int | None = None
    document_hash: str = ""
    start: int = 0
    end: int = 0

    @property
    def page_url(self) -> str:
        """The address of the page without the position in it."""
        return self.source_uri.removesuffix(f"#{self.anchor}") if self.anchor else self.source_uri


@dataclass(frozen=True, slots=True)
class CorpusTotals:
    """Counts over the whole corpus."""

    documents: int
    chunks: int
    tokens: int
    chunks_embedded: int
    file_bytes: int


def chunk_key(url: str, path: Sequence[str], text: str, number: int = 1) -> str:
    """Return the stable hash of a chunk; `number` counts chunks of a page with the same path and text."""
    repeated = f"|{number}" if number > 1 else ""
    return hashlib.sha256(f"{url}|{' > '.join(path)}|{text}{repeated}".encode("utf-8", "surrogatepass")).hexdigest()


def short_key(key: str) -> str:
    """Return the key of a chunk as a SQLite file stores it: 64 bits of the hash."""
    return key[:16] if len(key) == 64 else key


def check_document(document: DocumentIn) -> None:
    """Raise InvalidArgumentError unless keys are unique and every chunk matches its offsets."""
    if not document.url or any("\0" in address for address in (document.url, *document.aliases)):
        raise InvalidArgumentError(sentence("An address is empty or contains a NUL."))
    if len({chunk.key for chunk in document.chunks}) != len(document.chunks):
        raise InvalidArgumentError(sentence("Two passages of {} have the same key.", document.url))
    for chunk in document.chunks:
        if not is_cut_from(document.text, chunk.text, chunk.start, chunk.end, chunk.prefix_length, chunk.suffix_length):
            raise InvalidArgumentError(
                sentence("A passage of {} does not match its text at {}.", document.url, chunk.start)
            )


def is_cut_from(whole: str, text: str, start: int, end: int, prefix_length: int, suffix_length: int) -> bool:
    """Whether `text` without its prefix and suffix is whole[start:end]."""
    middle_end = len(text) - suffix_length
    ordered = 0 <= start <= end <= len(whole) and 0 <= prefix_length <= middle_end and suffix_length >= 0
    return ordered and text[prefix_length:middle_end] == whole[start:end]


def checked_vector(vector: NDArray[np.float32], dimension: int) -> NDArray[np.float32]:
    """Return the vector as stored. Raises EmbedderError unless it is finite and has the dimension."""
    import numpy as np

    found = np.ascontiguousarray(vector, "<f4")
    if found.shape != (dimension,):
        raise EmbedderError(sentence("A vector of shape {} does not match {} dimensions.", found.shape, dimension))
    if not np.isfinite(found).all():
        raise EmbedderError(sentence("A vector contains values that are not finite numbers."))
    return found


def check_embedding(item: EmbeddingIn, dimension: int) -> None:
    """Raise EmbedderError unless this is a finite unit vector with token vectors of the same dimension."""
    import numpy as np

    if abs(float(np.linalg.norm(checked_vector(item.vector, dimension))) - 1) > UNIT_TOLERANCE:
        raise EmbedderError(sentence("A vector does not have the length 1."))
    bits = item.token_bits
    if bits.dtype != np.uint8 or bits.ndim != 2 or (len(bits) and bits.shape[1] * 8 != dimension):
        raise EmbedderError(sentence("Token vectors of shape {} do not match {} dimensions.", bits.shape, dimension))
