"""The corpus: everything the program keeps, in one SQLite file."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from app import caps
from app.corpus import (
    chunks,
    documents,
    embeddings,
    entities,
    filters,
    lexical,
    maintenance,
    storage,
    vectors,
    writing,
)
from app.corpus.activity import ActivityLog
from app.corpus.binding import ids_of
from app.corpus.bookkeeping import Bookkeeping
from app.corpus.database import Database
from app.corpus.doc_index import DocIndex
from app.corpus.folders import FolderStore
from app.corpus.graph_access import GraphAccess
from app.corpus.jobs import JobStore
from app.corpus.model import Model, adopt, adopted, required
from app.corpus.pins import PinStore
from app.corpus.records import (
    Chunk,
    Compacted,
    CorpusTotals,
    Document,
    DocumentIn,
    DocumentSummary,
    EmbeddingIn,
    Filter,
    Hit,
    LinkRecord,
    PassageToEmbed,
    Problem,
    StorageUse,
    StoreOutcome,
    TokenVectors,
)
from app.corpus.shelf_access import ShelfAccess
from app.corpus.vectors import AdaptiveIndex, Vector, VectorIndex
from app.corpus.watch import UNWATCHED, Watch
from app.errors import CorpusError

EVERYTHING = Filter()


class Corpus(Bookkeeping, GraphAccess, ShelfAccess):
    """Documents, chunks, their keyword index and vectors, jobs, folders, and the ledger of calls; in `docs` the pages of folders.

    Thread-safe and blocking: call it from worker threads. Every method sees one state of the file, and every
    change but the removal of a folder is one transaction. All raise CorpusError when the file cannot be used and CorpusBusyError when
    another process holds it too long.
    """

    def __init__(self, database: Database, model: Model | None) -> None:
        super().__init__(database)
        self.jobs = JobStore(database)
        self.folders = FolderStore(database)
        self.activity = ActivityLog(database)
        self.pins = PinStore(database)
        self.docs = DocIndex(database, model)
        self._model = model
        self._index: VectorIndex | None = AdaptiveIndex(model) if model else None

    @classmethod
    def open(cls, path: Path, *, dimension: int, model: str) -> Self:
        """Open or create the file; an older one is updated after a backup.

        `model` is the fingerprint of the card whose vectors count, empty to keep the one that the file names.
        With another model than before, keyword search goes on and every chunk waits for a new vector. Raises
        CorpusTooNewError for a file of a newer version and CorpusError for one that is not a corpus.
        """
        database = Database(path)
        try:
            with database.read() as con:
                known = adopted(con)
            if model and (known is None or (known.fingerprint, known.dimension) != (model, dimension)):
                with database.write() as con:
                    known = adopt(con, model, dimension)
        except BaseException:
            database.close()
            raise
        return cls(database, known)

    def close(self) -> None:
        """Let calls under way end, then empty the write-ahead log and close the file."""
        self._database.close()

    # documents

    def store_document(self, document: DocumentIn) -> StoreOutcome:
        """Store the document or replace the one with its address.

        Chunks with a known key keep id, vector and creation time; `new_chunk_ids` names those whose text is
        new. What the document mentions is known once `fill_graph` has come to it.
        A document stored under an address that is now an alias of this one is removed. Raises
        InvalidArgumentError when keys repeat or a chunk is not cut from the text as its offsets say, and
        FileAccessError when the folder of a file was removed.
        """
        writing.check(document)
        with self._database.write() as con:
            outcome = writing.store(con, document)
            entities.wait(con, outcome.document_id)
            return outcome

    def touch_document(
        self,
        document_id: int,
        *,
        last_crawled: float,
        etag: str | None = None,
        last_modified: str | None = None,
    ) -> None:
        """Note that the page was asked for and had not changed."""
        with self._database.write() as con:
            writing.touch(con, document_id, last_crawled, etag, last_modified)

    def delete_document(self, document_id: int) -> bool:
        """Remove the document with its chunks and vectors; False if there was none."""
        with self._database.write() as con:
            return writing.delete(con, document_id)

    def document(self, url_or_alias: str) -> Document | None:
        """The whole document at this address."""
        with self._database.read() as con:
            return documents.load(con, documents.id_of(con, url_or_alias))

    def document_by_id(self, document_id: int) -> Document | None:
        """The whole document."""
        with self._database.read() as con:
            return documents.load(con, document_id)

    def summary(self, url_or_alias: str) -> DocumentSummary | None:
        """The library's row for this address."""
        with self._database.read() as con:
            return documents.summary(con, documents.id_of(con, url_or_alias))

    def summaries(
        self,
        *,
        filter: Filter = EVERYTHING,
        text: str = "",
        limit: int,
        offset: int = 0,
        newest_first: bool = True,
    ) -> list[DocumentSummary]:
        """Rows of the library by the time they were read; `text` must stand in title or address."""
        with self._database.read() as con:
            return documents.summaries(con, filter, text, limit=limit, offset=offset, newest_first=newest_first)

    def totals(self) -> CorpusTotals:
        """Counts over the whole corpus."""
        with self._database.read() as con:
            return documents.totals(con, self._database.path)

    def content_hashes(self, document_ids: Sequence[int]) -> dict[int, str]:
        """The hashes of the texts of those documents that exist, by id."""
        with self._database.read() as con:
            return documents.content_hashes(con, document_ids)

    def complete_documents(self, document_ids: Sequence[int]) -> dict[int, str]:
        """The addresses of those documents of which no chunk waits for a vector, by id."""
        with self._database.read() as con:
            return documents.complete(con, document_ids)

    def count_chunks(self) -> int:
        """How many chunks there are; cheaper than `totals`."""
        with self._database.read() as con:
            return int(con.execute("SELECT count(*) FROM chunks").get)

    def links(self, document_id: int) -> list[LinkRecord]:
        """The links of the document, in the order of its text."""
        with self._database.read() as con:
            return documents.links(con, document_id)

    def outgoing(self, document_id: int) -> list[str]:
        """All addresses that the page links to, without fragments, each once; those of its text first."""
        with self._database.read() as con:
            return documents.outgoing(con, document_id)

    def urls_below(self, prefix: str, limit: int) -> list[str]:
        """Addresses of documents that start with the prefix, ascending."""
        with self._database.read() as con:
            return documents.urls_below(con, prefix, limit)

    def text_bytes(self, document_ids: Sequence[int]) -> dict[int, int]:
        """Bytes of the texts of those documents that exist, by id; no text is loaded."""
        with self._database.read() as con:
            return documents.text_bytes(con, document_ids)

    def linking_to(self, url: str, limit: int) -> list[DocumentSummary]:
        """Other documents that link to the address, to an alias of the same document, or to a place in it."""
        with self._database.read() as con:
            return documents.linking_to(con, url, limit)

    # chunks

    def chunks(self, chunk_ids: Sequence[int]) -> list[Chunk]:
        """The chunks in the order of the ids; ids that no longer exist are left out."""
        with self._database.read() as con:
            return chunks.by_id(con, chunk_ids)

    def document_chunks(self, document_id: int, *, limit: int, offset: int = 0) -> list[Chunk]:
        """The chunks of a document, in order."""
        with self._database.read() as con:
            return chunks.of_document(con, document_id, limit=limit, offset=offset)

    def neighbours(self, chunk_id: int, before: int, after: int) -> list[Chunk]:
        """The chunks around one in its document, in order, without itself."""
        with self._database.read() as con:
            return chunks.neighbours(con, chunk_id, before, after)

    # search

    def lexical(self, terms: Sequence[str], *, filter: Filter = EVERYTHING, k: int) -> list[Hit]:
        """The k best chunks that hold any of the words or phrases, by BM25. Any text is allowed in a term."""
        with self._database.read() as con:
            return lexical.search(con, terms, documents=filters.documents(con, filter), k=k)

    def document_frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """In how many chunks each word stands, as the keyword index sees it: stemmed, without diacritics."""
        with self._database.read() as con:
            return lexical.document_frequencies(con, words)

    def nearest(self, vector: Vector, *, filter: Filter = EVERYTHING, k: int) -> list[Hit]:
        """The k nearest chunks; the score is the cosine. Raises EmbedderError for an unusable vector."""
        model = required(self._model)
        query = embeddings.checked_vector(vector, model.dimension)
        with self._database.read() as con:
            allowed = filters.documents(con, filter)
            return required(self._index).nearest(con, query, documents=allowed, k=k)

    def similarities(self, vector: Vector, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Cosines of the chunks named, as far as they have vectors. Raises EmbedderError like `nearest`."""
        model = required(self._model)
        query = embeddings.checked_vector(vector, model.dimension)
        with self._database.read() as con:
            hits = vectors.similarities(con, model, query, ids_of(chunk_ids), len(chunk_ids))
        return {hit.chunk_id: hit.score for hit in hits}

    def token_vectors(self, chunk_ids: Sequence[int]) -> list[TokenVectors]:
        """Token signs in the order of the ids; chunks without vectors are left out."""
        model = required(self._model)
        with self._database.read() as con:
            return embeddings.token_vectors(con, model, chunk_ids)

    # embedding

    def waiting(self, limit: int, *, chunk_ids: Sequence[int] = ()) -> list[PassageToEmbed]:
        """Chunks without a vector, oldest first; only these if any are named."""
        with self._database.read() as con:
            return embeddings.waiting(con, limit, chunk_ids)

    def waiting_ids(self, document_ids: Sequence[int]) -> list[int]:
        """Ids of the chunks of these documents that have no vector."""
        with self._database.read() as con:
            return embeddings.waiting_ids(con, document_ids)

    def count_waiting(self) -> int:
        """How many chunks have no vector of the model."""
        with self._database.read() as con:
            return int(con.execute("SELECT count(*) FROM waiting").get)

    def store_embeddings(self, items: Sequence[EmbeddingIn]) -> None:
        """Store vectors, all or none; chunks deleted meanwhile are passed over.

        A document is ready once none of its chunks waits. Raises EmbedderError for a vector of another
        dimension, not finite or not of unit length, and EmbeddingMismatchError if the corpus has been given
        another model since it was opened.
        """
        model = required(self._model)
        for item in items:
            embeddings.check(item, model.dimension)
        with self._database.write() as con:
            embeddings.store(con, model, items)

    # maintenance

    def verify(self, watch: Watch = UNWATCHED) -> list[Problem]:
        """Check the whole file; empty when all is well. Work goes on meanwhile, but for a moment."""
        with self._database.inspect() as con:
            problems = maintenance.verify(con, watch.part(0, 0.95))
        watch.at(0.95)
        with self._database.inspect("BEGIN IMMEDIATE") as con:
            return problems + maintenance.verify_keyword_index(con)

    def backup(self, path: Path, watch: Watch = UNWATCHED) -> None:
        """Copy the corpus to `path`, which appears whole or not at all. Work goes on meanwhile."""
        self._database.backup(path, watch)

    def storage(self, watch: Watch = UNWATCHED) -> StorageUse:
        """Bytes of the file by what they hold; reads every page."""
        with self._database.inspect() as con, watch.over(con):
            return storage.use(con)

    def compact(self, watch: Watch = UNWATCHED) -> Compacted:
        """Write the file anew without unused room. What is to be stored waits; cut short it changes nothing.

        Raises CorpusError when the disk has no room for the work.
        """
        before = self.totals().file_bytes
        free = shutil.disk_usage(self._database.path.parent).free
        if free < before * caps.COMPACT_ROOM:
            raise CorpusError(
                "There is too little free space to compact the corpus.",
                hint=f"It needs {before * caps.COMPACT_ROOM / 1e6:,.0f} MB for a moment.",
            )
        watch.at(0)
        self._database.compact(watch)
        return Compacted(before, self.totals().file_bytes)
