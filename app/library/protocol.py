"""A store of documents, their passages, vectors and graph, as those see it who search and read in it.

Every method is blocking and thread-safe: call it from a worker thread. Each sees one state of the store, and each change is one
transaction. All raise CorpusError when the store cannot be used and CorpusBusyError when others hold it too long. Ids are those of
the store that gave them and mean nothing to another one.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol, TypeAlias

from app.library.graph_records import ALL_TYPES, Direction, EdgeType, GraphCounts, Neighbours, Node, Projection
from app.library.job_records import ItemState, Job, JobItem, JobKind, JobState
from app.library.records import (
    Chunk,
    CorpusTotals,
    Document,
    DocumentIn,
    DocumentSummary,
    EmbeddingIn,
    EmbeddingModel,
    Freshness,
    Hit,
    LinkRecord,
    Passages,
    PassageToEmbed,
    Place,
    StoreOutcome,
    TokenVectors,
)
from app.library.scope import EVERYTHING, Filter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]


class DocumentReader(Protocol):
    """Pages and files, whole or as rows."""

    def get(self, url_or_alias: str) -> Document | None:
        """The whole document at this address."""

    def by_id(self, document_id: int) -> Document | None:
        """The whole document."""

    def by_ids(self, document_ids: Sequence[int]) -> list[Document]:
        """The whole documents in the order of the ids; ids that do not exist are left out."""

    def summary(self, url_or_alias: str) -> DocumentSummary | None:
        """The row for this address."""

    def links(self, document_id: int) -> list[LinkRecord]:
        """The links of the document, in the order of its text."""

    def outgoing(self, document_id: int) -> list[str]:
        """All addresses that the page links to, without fragments, each once; those of its text first."""

    def summaries(
        self,
        *,
        filter: Filter = EVERYTHING,
        text: str = "",
        limit: int,
        offset: int = 0,
        after: Place | None = None,
    ) -> list[DocumentSummary]:
        """Rows, the last read ones first; `text` must stand in title or address.

        With `after`, rows follow the time and id of an earlier page's last row: such pages stay right while documents come and go.
        """

    def summaries_of(self, document_ids: Sequence[int]) -> list[DocumentSummary]:
        """The rows of those documents that exist, the last read ones first."""

    def counts(self, filter: Filter) -> tuple[int, int]:
        """How many documents a filter lets through, and how many chunks they have."""

    def linking_to(self, url: str, limit: int) -> list[DocumentSummary]:
        """Other documents that link to the address, to an alias of the same document, or to a place in it."""

    def urls_below(self, prefix: str, limit: int) -> list[str]:
        """Addresses of documents that start with the prefix, ascending by code points."""

    def content_hashes(self, document_ids: Sequence[int]) -> dict[int, str]:
        """The hashes of the texts of those documents that exist, by id."""

    def text_bytes(self, document_ids: Sequence[int]) -> dict[int, int]:
        """Bytes of the texts of those documents that exist, by id; no text is loaded."""

    def complete(self, document_ids: Sequence[int]) -> dict[int, str]:
        """The addresses of those documents of which no chunk waits for a vector, by id."""

    def flagged(self) -> dict[int, tuple[str, ...]]:
        """What addresses the assistant in the passages of documents, by id; the few that have such passages."""

    def freshness(self, document_ids: Sequence[int]) -> list[Freshness]:
        """How old the documents are, in the order of the ids; ids that do not exist are left out."""

    def note_cited(self, document_ids: Sequence[int], now: float) -> None:
        """Remember for `freshness` that the documents were cited at this time, with the text that they have.

        This is about who asks: a store of many people may leave it out.
        """


class DocumentWriter(DocumentReader, Protocol):
    """Pages and files, written."""

    def store(self, document: DocumentIn) -> StoreOutcome:
        """Store the document or replace the one with its address.

        Chunks with a known key keep id, vector and creation time; `new_chunk_ids` names those whose text is new. A document stored
        under an address that is now an alias of this one is removed. Raises InvalidArgumentError when keys repeat or a chunk is not
        cut from the text as its offsets say.
        """

    def touch(
        self, document_id: int, *, last_crawled: float, etag: str | None = None, last_modified: str | None = None
    ) -> None:
        """Note that the page was asked for and had not changed."""

    def delete(self, document_ids: Sequence[int]) -> dict[int, str]:
        """Remove documents with their chunks and vectors; the addresses of those that there were, by id."""

    def mark_for_deletion(self, document_ids: Sequence[int]) -> None:
        """Note that documents are to be deleted, whatever happens to the program meanwhile."""

    def pending_deletions(self) -> list[int]:
        """The ids of documents that were marked for deletion and that `delete` has not come to."""


class ChunkReader(Protocol):
    """Passages, and finding them by their words."""

    def by_ids(self, chunk_ids: Sequence[int]) -> list[Chunk]:
        """The chunks in the order of the ids; ids that do not exist are left out."""

    def of_document(self, document_id: int, *, limit: int, offset: int = 0) -> list[Chunk]:
        """The chunks of a document, in order."""

    def neighbours(self, chunk_id: int, before: int, after: int) -> list[Chunk]:
        """The chunks around one in its document, in order, without itself."""

    def beside(self, chunk_ids: Sequence[int]) -> list[int]:
        """The ids of the chunks right before and behind each of these in its document, in the order of these, each once."""

    def count(self) -> int:
        """How many chunks there are; cheaper than `Library.totals`."""

    def lexical(self, terms: Sequence[str], *, filter: Filter = EVERYTHING, k: int) -> list[Hit]:
        """The k best chunks that hold any of the words or phrases; the score is BM25, higher is better. Any text is allowed in a term."""

    def document_frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """In about how many chunks each word stands, as the search by words sees it."""

    def other_forms(self, words: Sequence[str], language: str) -> tuple[str, ...]:
        """Other forms of words of a language, written so that `lexical` finds just them; a few of each word."""


class VectorReader(Protocol):
    """Vectors of chunks. Without a model, what needs one raises EmbedderError."""

    def nearest(self, vector: Vector, *, filter: Filter = EVERYTHING, k: int) -> list[Hit]:
        """The k nearest chunks; the score is the cosine. Raises EmbedderError for an unusable vector.

        `vector` is float32 (dimension,).
        """

    def token_vectors(self, chunk_ids: Sequence[int]) -> list[TokenVectors]:
        """Token signs in the order of the ids; chunks without vectors are left out."""

    def waiting_ids(self, document_ids: Sequence[int]) -> list[int]:
        """Ids of the chunks of these documents that have no vector, ascending."""

    def waiting_among(self, chunk_ids: Sequence[int]) -> set[int]:
        """Those of these chunks that have no vector."""

    def has_waiting(self) -> bool:
        """Whether any chunk has no vector of the model; cheap."""

    def count_waiting(self) -> int:
        """How many chunks have no vector of the model."""


class VectorWriter(VectorReader, Protocol):
    """Vectors of chunks, made and stored."""

    def waiting(
        self, limit: int, *, chunk_ids: Sequence[int] = (), document_id: int | None = None
    ) -> list[PassageToEmbed]:
        """Chunks to embed, oldest first; only these if any are named, only those of the document if one is.

        A store that several programs write to leases them: nobody else gets the same ones for a while.
        """

    def store(self, items: Sequence[EmbeddingIn]) -> None:
        """Store vectors, all or none, in the place of older ones; chunks deleted meanwhile are passed over.

        Raises EmbedderError for a vector of another dimension, not finite or not of unit length, and EmbeddingMismatchError if the
        store has been given another model since it was opened.
        """


class GraphReader(Protocol):
    """One state of the graph in one scope. Shows nothing out of scope: an entity exists where a section in scope names it.

    Each method takes many nodes at once, so that a store over a network answers with one round trip. Iterators give one answer for
    each thing asked, in its order, and may work only as they are read: read them while the view is open.
    """

    def held(self, nodes: Iterable[Node]) -> set[Node]:
        """Those of the nodes that exist in scope."""

    def neighbours(
        self,
        nodes: Sequence[Node],
        *,
        types: Collection[EdgeType] = ALL_TYPES,
        direction: Direction = Direction.BOTH,
        limit: int,
    ) -> Iterator[Neighbours]:
        """Of each node at most `limit` edges of each type."""

    def projections(self, nodes: Iterable[Node], *, snippets: bool = False) -> list[Projection]:
        """What is shown of the nodes, in their order; those that do not exist in scope are left out."""

    def counts(self) -> GraphCounts:
        """How many nodes and stored edges there are in scope.

        LINKS_TO counts links of the text to anywhere, CONTAINS and NEXT follow from the sections.
        """

    def documents_at(self, urls: Iterable[str]) -> dict[str, Node]:
        """The documents with these addresses or aliases, by them."""

    def sections_at(self, places: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Node]:
        """The sections with these anchors of the documents at these addresses, by address and anchor."""

    def places_of_chunks(self, chunk_ids: Iterable[int]) -> dict[int, Node]:
        """The section that each chunk begins in, or its document."""

    def entities_meant(self, names: Iterable[str]) -> dict[str, list[Node]]:
        """By name the entity that it stands for, or those that have it on sites that do not know each other; none for no entity.

        That is the one of this name as it is written, else in any spelling, else as the last part of a qualified name.
        """

    def namesakes(self, entities: Iterable[Node]) -> dict[Node, list[Node]]:
        """The entities in scope that ids mean which do not say on which site: one for all, or one a group of sites."""

    def are_near(self, pairs: Sequence[tuple[Node, Node]]) -> Iterator[bool]:
        """Whether a name means the same at both nodes of a pair, where that can be asked."""

    def names_of(self, entities: Iterable[Node]) -> dict[Node, str]:
        """The names of the entities, empty where there is none."""

    def frequencies(self, nodes: Iterable[Node]) -> dict[Node, int]:
        """In how many sections an entity stands, or how many other documents link here; not beyond GRAPH_FREQUENCY_COUNTED."""

    def linked_shares(self, nodes: Iterable[Node]) -> dict[Node, float]:
        """With how much of its site a page exchanges links, 0 to 1; that of its page for a section, 0 for an entity."""

    def ways(self, nodes: Iterable[Node]) -> dict[Node, Hashable]:
        """The same for all sections of a page, and for all spellings of a name."""


class Upkeep(Protocol):
    """What is found in documents after they were stored: flags, and in a library with a graph the names that they mention."""

    def count_waiting(self) -> int:
        """Return how many documents wait for it."""

    def fill(self, limit: int) -> int:
        """Look through at most `limit` documents that wait, oldest first; return how many there were.

        A store that several programs write to leases them: no other program takes them in the meantime.
        """


class Graph(Upkeep, Protocol):
    """The graph of all documents."""

    def view(self, filter: Filter) -> AbstractContextManager[GraphReader]:
        """One state of the graph as far as the filter lets through. Keep it short: it may hold a reader."""

    def has_entities(self) -> bool:
        """Whether there is anything in the graph that sections share."""


class Jobs(Protocol):
    """Jobs with the pages or files that each is to read."""

    def add(self, kind: JobKind, target: str, options: str) -> Job:
        """A new job that is queued and has no items."""

    def get(self, job_id: int) -> Job | None:
        """The job with its counts."""

    def recent(self, limit: int, *, active_only: bool = False) -> list[Job]:
        """Jobs, newest first; `active_only` leaves out those that ended."""

    def set_state(self, job_id: int, state: JobState, detail: str = "") -> Job | None:
        """Move the job on; None if there is none.

        A job that starts or ends gets the time of it, one that goes on again loses the time of its end. When a job ends, the oldest
        ended ones beyond the caps are forgotten.
        """

    def claim(self, job_id: int) -> AbstractContextManager[None] | None:
        """What is entered to act for the job; None where another program runs it, or there is none.

        A store that several programs write to leases it: nobody else gets it while this one goes on with its items.
        """

    def add_items(self, job_id: int, items: Iterable[JobItem]) -> int:
        """Add pages that the job does not know, up to the cap; returns how many are new.

        Raises UnknownJobError for a job that does not exist.
        """

    def next_items(self, job_id: int, limit: int) -> list[JobItem]:
        """Waiting items, the nearest to the start first, then in the order of their arrival.

        A store that several programs write to leases them: nobody else gets the same ones for a while.
        """

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
        """Note what became of a page and add what was found on it; returns how many items are new.

        The job never gets more than `limit` items in total. Raises UnknownJobError if it has no such page.
        """

    def items(self, job_id: int, *, states: Collection[ItemState] = (), limit: int, offset: int = 0) -> list[JobItem]:
        """Items in the order of their arrival; only those in `states`, if any are given."""

    def retry(self, job_id: int) -> int:
        """Let the failed items wait again; returns how many there are. Raises UnknownJobError."""


class Library(Protocol):
    """A store that is read."""

    @property
    def name(self) -> str:
        """What tells it from other libraries: PRIVATE, or the name of a shared one."""

    @property
    def model(self) -> EmbeddingModel | None:
        """Whose vectors it is searched with, None while nothing was ever embedded."""

    @property
    def documents(self) -> DocumentReader: ...

    @property
    def chunks(self) -> ChunkReader: ...

    @property
    def vectors(self) -> VectorReader: ...

    @property
    def graph(self) -> Graph | None:
        """The graph of its pages; None for a library that keeps none."""

    def candidates(
        self, terms: Sequence[str], vector: Vector | None, *, filter: Filter = EVERYTHING, k: int
    ) -> tuple[list[Hit], list[Hit]]:
        """What `chunks.lexical` and `vectors.nearest` find, at once; nothing of a kind that is not asked for."""

    def fetch(self, chunk_ids: Sequence[int], *, vector: Vector | None = None, signs: bool = False) -> Passages:
        """The chunks in the order of the ids with what they are compared by, at once; ids that do not exist are left out.

        Raises EmbedderError like `vectors.nearest`.
        """

    def totals(self) -> CorpusTotals:
        """Counts over the whole store, and the bytes that it takes."""


class LibraryWriter(Library, Protocol):
    """A store that is written, too."""

    @property
    def documents(self) -> DocumentWriter: ...

    @property
    def upkeep(self) -> Upkeep: ...

    @property
    def vectors(self) -> VectorWriter: ...

    @property
    def jobs(self) -> Jobs: ...
