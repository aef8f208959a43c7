"""The records of the corpus, as every other package sees them.

Times are seconds since the epoch, sizes of text are characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from app.events import CallFailure, PageRead

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class DocumentState(StrEnum):
    """How far a document is."""

    TEXT = "text"
    """Searchable by keyword; some chunks still wait for their vectors."""
    READY = "ready"
    """Every chunk has a vector of the current model."""


@dataclass(frozen=True, slots=True)
class SectionRecord:
    """A heading of a stored document; offsets into the document text."""

    level: int
    heading: str
    anchor: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LinkRecord:
    """A link of a stored document; offsets of its anchor text in the document text."""

    url: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ImageRecord:
    """An image of a stored document."""

    url: str
    alt: str
    caption: str
    position: int


@dataclass(frozen=True, slots=True)
class PictureIn:
    """A picture to keep, with the validators of the answer that brought it. Sides in pixels."""

    url: str
    media_type: str
    width: int
    height: int
    content: bytes
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A kept picture of a page: PNG or JPEG, made by this program. Sides in pixels."""

    url: str
    media_type: str
    width: int
    height: int
    content: bytes


@dataclass(frozen=True, slots=True)
class PictureUse:
    """What is known of a kept picture; `fetched_at` in seconds since the epoch."""

    url: str
    bytes: int
    etag: str | None
    last_modified: str | None
    fetched_at: float


@dataclass(frozen=True, slots=True)
class ChunkIn:
    """A chunk to store.

    `text` is prefix + document.text[start:end] + suffix; prefix and suffix (a repeated table header, a
    re-opened fence) have the lengths given, so that quotes can be cut from the exact middle. `key` is the
    stable hash of the chunk.
    `identifiers` holds split CamelCase words for the keyword index.
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
    """What tells whether a file is still the one that was read. `folder_id` is None for a file added by itself."""

    folder_id: int | None
    mtime_ns: int
    bytes: int


@dataclass(frozen=True, slots=True)
class DocumentIn:
    """A document to store or replace, whole. `url` identifies it; `aliases` are other addresses of it.

    `navigation` holds the addresses that the page links to outside its main content, for crawls.
    """

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


@dataclass(frozen=True, slots=True)
class StoreOutcome:
    """What storing changed: ids of chunks that need vectors, and how many were kept or removed."""

    document_id: int
    new_chunk_ids: tuple[int, ...]
    kept: int
    removed: int


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """One row of the library. `chunks_embedded` counts chunks with a vector of the current model.

    `last_modified` is an HTTP date, `flags` is what addresses the assistant in the passages, `has_versions` tells that an earlier
    text of it is kept.
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


class LabelKind(StrEnum):
    """The two kinds of labels."""

    COLLECTION = "collection"
    """A group of pages that a person named; it stays when it is empty."""
    TAG = "tag"
    """A word that a person gave pages; it goes with its last page."""


@dataclass(frozen=True, slots=True)
class Label:
    """A collection or a tag, and how many pages it has."""

    kind: LabelKind
    name: str
    pages: int


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
    content_hash: str
    etag: str | None
    last_modified: str | None
    published: str | None
    last_crawled: float
    changed_at: float
    note: str
    sections: tuple[SectionRecord, ...]
    images: tuple[ImageRecord, ...]


@dataclass(frozen=True, slots=True)
class PageVersion:
    """An earlier text of a page: first read at `read_at`, found replaced at `replaced_at`, under the address that it had then.

    `bytes` is what its difference from the next text takes in the file.
    """

    id: int
    document_id: int
    read_at: float
    replaced_at: float
    url: str
    title: str
    content_hash: str
    bytes: int


@dataclass(frozen=True, slots=True)
class PassageGiven:
    """A place of a page's text, as it was at that moment, that a call gave to an assistant."""

    moment: float
    client: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stored chunk with what is needed to show and cite it."""

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
class Filter:
    """Restricts a search; empty fields restrict nothing, all fields given must hold. `urls` accepts aliases too.

    `doc_tags` are groups of source roots ("docs.python.org", "fastapi", "guide"), tags below them ("fastapi/tutorial") or labels
    ("collection:Thesis", "tag:draft"): a document must have one of each group; a tag of a source stands for everything below it.
    `path_prefix` begins the path below the root, without a slash at its front ("3/library", "tutorial/"). `changed_after` is in seconds
    since the epoch.
    """

    urls: tuple[str, ...] = ()
    document_ids: tuple[int, ...] = ()
    url_prefix: str = ""
    doc_tags: tuple[tuple[str, ...], ...] = ()
    path_prefix: str = ""
    changed_after: float | None = None


EVERYTHING: Final = Filter()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found by one retriever; higher is better, scores of different retrievers do not compare."""

    chunk_id: int
    score: float


@dataclass(frozen=True, slots=True)
class EmbeddingIn:
    """A vector to store: float32 (dimension,), and the token signs, uint8 (tokens, dimension / 8)."""

    chunk_id: int
    vector: NDArray[np.float32]
    token_bits: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """The stored token signs of one chunk, for reranking."""

    chunk_id: int
    token_bits: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PassageToEmbed:
    """A chunk that waits for its vector."""

    chunk_id: int
    document_id: int
    title: str
    section_path: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class CorpusTotals:
    """Counts over the whole corpus."""

    documents: int
    chunks: int
    tokens: int
    chunks_embedded: int
    file_bytes: int


@dataclass(frozen=True, slots=True)
class StorageUse:
    """Bytes of the corpus file by what they hold; `unused` is space that compacting gives back."""

    texts: int = 0
    vectors: int = 0
    indexes: int = 0
    pins: int = 0
    records: int = 0
    unused: int = 0

    @property
    def total(self) -> int:
        return self.texts + self.vectors + self.indexes + self.pins + self.records + self.unused


@dataclass(frozen=True, slots=True)
class Compacted:
    """Bytes of the corpus file before and after it was compacted."""

    before: int
    after: int


@dataclass(frozen=True, slots=True)
class BackupFacts:
    """What a backup holds, read without changing it. Times are seconds since the epoch; `newest` is 0 for an empty one."""

    documents: int
    chunks: int
    newest: float
    written_at: float
    file_bytes: int
    folders: tuple[str, ...] = ()
    """Paths of the folders that would be watched."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What could be saved of a damaged corpus. `recut` counts pages whose passages were cut anew, `lost` those without text.

    `lost_urls` are the addresses of lost pages as far as they could be read, `lost_rows` other rows that could not.
    """

    documents: int
    recut: int
    pins: int
    jobs: int
    lost: int
    lost_urls: tuple[str, ...]
    lost_rows: int


@dataclass(frozen=True, slots=True)
class Restored:
    """What is in the corpus now, and where the corpus before it is kept (empty: there was none).

    `removed` counts in words what of the backup was left out, because this program could not have stored it.
    `salvaged` is what could be read, when the file was damaged.
    """

    documents: int
    chunks: int
    kept: str
    removed: tuple[str, ...] = ()
    salvaged: Salvaged | None = None


@dataclass(frozen=True, slots=True)
class ActivityRecord:
    """One tool call as the Activity page and the ledger show it. `outcome` is "ok" or an error code.

    `saved` is how many tokens fewer it returned than the pages have that count as read, negative for more. `reads` is what is
    known of its pages, `failure` why it failed, `question` what it asked, where that is kept and was read with it.
    """

    id: int
    started_at: float
    client: str
    tool: str
    duration_ms: float
    outcome: str
    tokens: int
    characters: int
    pages: tuple[str, ...]
    saved: int = 0
    reads: tuple[PageRead, ...] = ()
    failure: CallFailure | None = None
    question: str = ""


@dataclass(frozen=True, slots=True)
class DayUsage:
    """The calls of one assistant on one day. `day` as 2026-11-21 in local time; `pages` counts a page once a call.

    `saved` is the sum of what its calls saved; `questions` are those of the calls that asked something.
    """

    day: str
    client: str
    calls: int
    tokens: int
    pages: int
    saved: int = 0
    questions: int = 0


@dataclass(frozen=True, slots=True)
class Freshness:
    """How old a document is, and whether it changed since it was last cited.

    `last_modified` is an HTTP date: what the server said of the page, or the time of the file.
    `cited_at` is when it was cited before (None: never); `changed_since_cited` counts the passages that are new since then,
    0 when its text is the same.
    """

    document_id: int
    url: str
    last_crawled: float
    last_modified: str | None
    changed_at: float
    cited_at: float | None
    changed_since_cited: int


@dataclass(frozen=True, slots=True)
class PinnedPassage:
    """A copy of a passage that the person keeps; `document_id` may name a document that is gone."""

    id: str
    section_id: str
    doc_tag: str
    title: str
    text: str
    source_uri: str
    anchor: str | None
    media_type: str
    document_id: int | None
    document_hash: str
    start: int
    end: int
    created_at: float


@dataclass(frozen=True, slots=True)
class FileHealth:
    """What is wrong with the corpus file, in words; both empty when all is well.

    `damage` is what could not be read. `refusal` is why nothing can be stored for now.
    """

    damage: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something `verify` found wrong."""

    check: str
    detail: str


@dataclass(frozen=True, slots=True)
class CorpusStatus:
    """What is indexed. `documents` is bounded; `omitted` counts the rest.

    With `asked_url` the list holds that page or nothing. `health` says what is wrong with the file, `without_meaning` why pages are
    found by their words only, empty while the embedder works, and `seconds_left` how long the chunks that wait for vectors still take.
    """

    totals: CorpusTotals
    documents: tuple[DocumentSummary, ...]
    omitted: int = 0
    asked_url: str | None = None
    health: FileHealth = FileHealth()
    without_meaning: str = ""
    seconds_left: float | None = None
