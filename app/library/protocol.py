"""The protocol of a store of documents, chunks, vectors and graph for search and ingestion.

All methods block and are thread-safe: call them from a worker thread. Each method sees one state of the store, and each change is one
transaction. All raise CorpusError if the store cannot be used and CorpusBusyError if another process locks it for too long. IDs are valid
only in the store that returned them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol, TypeAlias

from app.library import records
from app.library.graph_records import ALL_TYPES, Direction, EdgeType, GraphCounts, Neighbours, Node, Projection
from app.library.job_records import ItemState, Job, JobItem, JobKind, JobState
from app.library.scope import EVERYTHING, Filter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]


class DocumentReader(Protocol):
    """Pages and files, whole or as rows."""

    def get(self, url_or_alias: str) -> records.Document | None:
        """Return the whole document at this address."""

    def by_id(self, document_id: int) -> records.Document | None:
        """Return the whole document."""

    def by_ids(self, document_ids: Sequence[int]) -> list[records.Document]:
        """Return whole documents in the order of the IDs; unknown IDs are left out."""

    def summary(self, url_or_alias: str) -> records.DocumentSummary | None:
        """Return the row for this address."""

    def links(self, document_id: int) -> list[records.LinkRecord]:
        """Return the links of a document in text order."""

    def outgoing(self, document_id: int) -> list[str]:
        """Return all addresses that the page links to, without fragments and duplicates, links of its text first."""

    def summaries(
        self,
        *,
        filter: Filter = EVERYTHING,
        text: str = "",
        limit: int,
        offset: int = 0,
        after: records.Place | None = None,
    ) -> list[records.DocumentSummary]:
        """Return rows, most recently fetched first, whose title or address contains `text`, after the last one."""

    def summaries_of(self, document_ids: Sequence[int]) -> list[records.DocumentSummary]:
        """Return the rows of the existing documents, most recently fetched first."""

    def counts(self, filter: Filter) -> tuple[int, int]:
        """Return the numbers of documents and chunks that match a filter."""

    def linking_to(self, url: str, limit: int) -> list[records.DocumentSummary]:
        """Return other documents that link to the address, to an alias of the same document, or to an anchor in it."""

    def urls_below(self, prefix: str, limit: int) -> list[str]:
        """Return addresses of documents that start with the prefix, ascending by code points."""

    def content_hashes(self, document_ids: Sequence[int]) -> dict[int, str]:
        """Return the text hashes of the existing documents, by ID."""

    def text_bytes(self, document_ids: Sequence[int]) -> dict[int, int]:
        """Return the text sizes in bytes of the existing documents, by ID."""

    def complete(self, document_ids: Sequence[int]) -> dict[int, str]:
        """Return the addresses of the documents whose chunks all have vectors, by ID."""

    def flagged(self) -> dict[int, tuple[str, ...]]:
        """Return flags for text that addresses the assistant, by document ID; only documents that have any."""

    def freshness(self, document_ids: Sequence[int]) -> list[records.Freshness]:
        """Return how old the documents are, in the order of the IDs; unknown IDs are left out."""

    def roots(self, limit: int) -> dict[str, int]:
        """Return the source roots with the most pages, and their number of pages."""

    def labels(self, names: Sequence[str] = ()) -> list[str]:
        """Return the labels with these names, or all, as a scope has them (`collection:Thesis`). A shared library has none."""

    def note_cited(self, document_ids: Sequence[int], now: float) -> None:
        """Record for `freshness` that the documents are cited now. A store with many users may ignore it."""


class DocumentWriter(DocumentReader, Protocol):
    """Storing and deleting pages and files."""

    def store(self, document: records.DocumentIn) -> records.StoreOutcome:
        """Store a document, or replace the one with the same address.

        Chunks with a known key keep their ID, vector and creation time; `new_chunk_ids` lists those with new text. Deletes a document
        stored under an address that is now an alias of this one. Raises InvalidArgumentError if keys repeat or a chunk does not match its
        offsets.
        """

    def touch(
        self, document_id: int, *, last_crawled: float, etag: str | None = None, last_modified: str | None = None
    ) -> None:
        """Record that the page was requested and has not changed."""

    def delete(self, document_ids: Sequence[int]) -> dict[int, str]:
        """Delete documents with their chunks and vectors; return the addresses of those that existed, by ID."""

    def mark_for_deletion(self, document_ids: Sequence[int]) -> None:
        """Mark documents for deletion, so that they are deleted even if the program is interrupted."""

    def pending_deletions(self) -> list[int]:
        """Return the IDs of documents that are marked for deletion and not deleted yet."""


class ChunkReader(Protocol):
    """Chunks and keyword search."""

    def by_ids(self, chunk_ids: Sequence[int]) -> list[records.Chunk]:
        """Return the chunks in the order of the IDs; unknown IDs are left out."""

    def of_document(self, document_id: int, *, limit: int, offset: int = 0) -> list[records.Chunk]:
        """Return the chunks of a document, in order."""

    def neighbours(self, chunk_id: int, before: int, after: int) -> list[records.Chunk]:
        """Return the chunks around a chunk in its document, in order, without the chunk itself."""

    def beside(self, chunk_ids: Sequence[int]) -> list[int]:
        """Return the IDs of the chunks directly before and after each of these, in their order, without duplicates."""

    def count(self) -> int:
        """Return the number of chunks; cheaper than `Library.totals`."""

    def lexical(self, terms: Sequence[str], *, filter: Filter = EVERYTHING, k: int) -> list[records.Hit]:
        """Return the k best chunks with any of the words or phrases, scored by BM25 (higher is better). A term can be any text."""

    def document_frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """Return approximately how many chunks contain each word, as keyword search tokenizes it."""

    def other_forms(self, words: Sequence[str], language: str) -> tuple[str, ...]:
        """Return a few other forms of each word in a language, spelled so that `lexical` matches exactly them."""


class VectorReader(Protocol):
    """Vectors of chunks. Methods that need a model raise EmbedderError without one."""

    def nearest(self, vector: Vector, *, filter: Filter = EVERYTHING, k: int) -> list[records.Hit]:
        """Return the k nearest chunks, scored by cosine. Raises EmbedderError for an unusable vector."""

    def token_vectors(self, chunk_ids: Sequence[int]) -> list[records.TokenVectors]:
        """Return token vectors in the order of the IDs; chunks without vectors are left out."""

    def waiting_ids(self, document_ids: Sequence[int]) -> list[int]:
        """Return the IDs of the chunks of these documents that are not embedded yet, ascending."""

    def waiting_among(self, chunk_ids: Sequence[int]) -> set[int]:
        """Return the given chunks that are not embedded yet."""

    def has_waiting(self) -> bool:
        """Whether any chunk has no vector of the model. Cheap."""

    def count_waiting(self) -> int:
        """Return the number of chunks without a vector of the model."""


class VectorWriter(VectorReader, Protocol):
    """Reading and storing vectors of chunks."""

    def waiting(
        self, limit: int, *, chunk_ids: Sequence[int] = (), document_id: int | None = None
    ) -> list[records.PassageToEmbed]:
        """Return chunks to embed, oldest first; a store with several writers leases them."""

    def store(self, items: Sequence[records.EmbeddingIn]) -> None:
        """Store all vectors of existing chunks or none. Raises EmbedderError (`check_embedding`), EmbeddingMismatchError."""


class GraphReader(Protocol):
    """One state of the graph within a scope. An entity exists only if a section in scope names it.

    Each method takes many nodes, so that a remote store needs one round trip. Iterators yield one result per argument, in order, and may
    work lazily: read them while the view is open.
    """

    def held(self, nodes: Iterable[Node]) -> set[Node]:
        """Return the nodes that exist in scope."""

    def neighbours(
        self,
        nodes: Sequence[Node],
        *,
        types: Collection[EdgeType] = ALL_TYPES,
        direction: Direction = Direction.BOTH,
        limit: int,
    ) -> Iterator[Neighbours]:
        """Yield at most `limit` edges of each type for each node."""

    def projections(self, nodes: Iterable[Node], *, snippets: bool = False) -> list[Projection]:
        """Return the projections of the nodes, in order; nodes that do not exist in scope are left out."""

    def counts(self) -> GraphCounts:
        """Return the number of nodes and stored edges in scope; LINKS_TO counts links to any address."""

    def documents_at(self, urls: Iterable[str]) -> dict[str, Node]:
        """Return the documents with these addresses or aliases, by address."""

    def sections_at(self, places: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Node]:
        """Return the sections with these anchors, by address and anchor."""

    def places_of_chunks(self, chunk_ids: Iterable[int]) -> dict[int, Node]:
        """Return the section in which each chunk begins, or its document."""

    def entities_meant(self, names: Iterable[str]) -> dict[str, list[Node]]:
        """Return the best entities for each name, one for each group of unrelated sites; unknown names have none."""

    def namesakes(self, entities: Iterable[Node]) -> dict[Node, list[Node]]:
        """Return the entities in scope for IDs without a site: one for all sites, or one for each group of sites."""

    def are_near(self, pairs: Sequence[tuple[Node, Node]]) -> Iterator[bool]:
        """Yield whether a name means the same at both nodes of a pair, where this can be determined."""

    def names_of(self, entities: Iterable[Node]) -> dict[Node, str]:
        """Return the names of the entities; empty if there is none."""

    def frequencies(self, nodes: Iterable[Node]) -> dict[Node, int]:
        """Return the number of sections that name an entity, or of documents that link to a page; at most GRAPH_FREQUENCY_COUNTED."""

    def linked_shares(self, nodes: Iterable[Node]) -> dict[Node, float]:
        """Return the share of its site that a page exchanges links with, 0 to 1. A section has the value of its page, an entity 0."""

    def ways(self, nodes: Iterable[Node]) -> dict[Node, Hashable]:
        """Return a key that is equal for all sections of a page, and for all spellings of a name."""


class Upkeep(Protocol):
    """Data extracted from documents after they were stored: flags and, with a graph, the names that they mention."""

    def count_waiting(self) -> int:
        """Return the number of documents that are waiting."""

    def fill(self, limit: int) -> int:
        """Process and, in a store with several writers, lease waiting documents, oldest first; return their number."""


class Graph(Upkeep, Protocol):
    """The graph of all documents."""

    def view(self, filter: Filter) -> AbstractContextManager[GraphReader]:
        """Open a view of one state of the graph within the filter. Keep it short: it may occupy a reader."""

    def has_entities(self) -> bool:
        """Whether the graph has any entities."""


class Jobs(Protocol):
    """Jobs and the pages or files that each has to read."""

    def add(self, kind: JobKind, target: str, options: str) -> Job:
        """Add a queued job without items."""

    def get(self, job_id: int) -> Job | None:
        """Return the job with its counts."""

    def recent(self, limit: int, *, active_only: bool = False) -> list[Job]:
        """Return jobs, newest first; with `active_only`, only those that have not ended."""

    def set_state(self, job_id: int, state: JobState, detail: str = "") -> Job | None:
        """Set state and times of a job; None if it does not exist. Deletes the oldest ended ones beyond limits."""

    def claim(self, job_id: int) -> AbstractContextManager[None] | None:
        """Return a context manager to run the (leased) job in; None if another program runs it or it does not exist."""

    def add_items(self, job_id: int, items: Iterable[JobItem]) -> int:
        """Add pages that are new to the job, up to the limit, and return their number. Raises UnknownJobError."""

    def next_items(self, job_id: int, limit: int) -> list[JobItem]:
        """Return and, in a store with several writers, lease waiting items: nearest to the start, then oldest first."""

    def finish_item(
        self,
        job_id: int,
        url: str,
        state: ItemState,
        reason: str = "",
        found: Iterable[JobItem] = (),
        *,
        limit: int | None = None,
    ) -> int:
        """Set the state of a page and add the pages found on it, up to `limit` in total; return how many are new."""

    def items(self, job_id: int, *, states: Collection[ItemState] = (), limit: int, offset: int = 0) -> list[JobItem]:
        """Return items in the order in which they were added; only those in `states` if given."""

    def retry(self, job_id: int) -> int:
        """Queue the failed items again and return their number. Raises UnknownJobError."""


class Library(Protocol):
    """Read access to a store."""

    @property
    def name(self) -> str:
        """The name of the library: PRIVATE, or the name of a shared one."""

    @property
    def model(self) -> records.EmbeddingModel | None:
        """The model of its vectors; None while nothing has been embedded."""

    @property
    def documents(self) -> DocumentReader: ...

    @property
    def chunks(self) -> ChunkReader: ...

    @property
    def vectors(self) -> VectorReader: ...

    @property
    def second(self) -> SecondLibrary | None:
        """The same pages with the vectors of a second model, if there is one (`app.corpus.models`)."""

    @property
    def graph(self) -> Graph | None:
        """The graph of its pages; None for a library without one."""

    def candidates(
        self, terms: Sequence[str], vector: Vector | None, *, filter: Filter = EVERYTHING, k: int
    ) -> tuple[list[records.Hit], list[records.Hit]]:
        """Return the results of `chunks.lexical` and `vectors.nearest` in one call; without terms or vector, none of that kind."""

    def fetch(self, chunk_ids: Sequence[int], *, vector: Vector | None = None, signs: bool = False) -> records.Passages:
        """Return existing chunks in the order of the IDs with the data to compare them. Raises EmbedderError."""

    def totals(self) -> records.CorpusTotals:
        """Return counts over the whole store and its size in bytes."""


class SecondLibrary(Library, Protocol):
    """A library as its second model sees it."""

    @property
    def vectors(self) -> VectorWriter: ...

    def has_foreign(self, filter: Filter) -> bool:
        """Whether the filter admits pages in other languages than English."""

    def only_here(self, chunk_ids: Sequence[int]) -> set[int]:
        """Return the chunks of pages in other languages than English that the first model has not embedded."""


class LibraryWriter(Library, Protocol):
    """Read and write access to a store."""

    @property
    def documents(self) -> DocumentWriter: ...

    @property
    def upkeep(self) -> Upkeep: ...

    @property
    def vectors(self) -> VectorWriter: ...

    @property
    def jobs(self) -> Jobs: ...
