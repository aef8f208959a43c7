"""A shared library as those see it who read and write in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final, Self
from uuid import uuid4

import numpy as np

from app.errors import EmbeddingMismatchError
from app.library.copying import COPIED_AT_ONCE, DocumentCopy, Taken
from app.library.records import Capabilities, CorpusTotals, EmbeddingModel, Hit, Passages, TokenVectors, checked_vector
from app.library.scope import EVERYTHING, Filter
from app.pg import bulk
from app.pg.audit import Audit
from app.pg.chunks import BY_INDEX, PgChunks
from app.pg.connections import POOL_SIZE, Connection, Connections, Rights, Role, current_rights
from app.pg.copies import copies
from app.pg.documents import PgDocuments
from app.pg.grants import Grants
from app.pg.graph.store import PgGraph
from app.pg.jobs import PgJobs
from app.pg.setup import check_schema, check_versions
from app.pg.statistics import Statistics
from app.pg.text_search import TextSearch
from app.pg.vectors import PgVectors, Vector, by_index

CAN: Final = Capabilities(phrases=True, field_weights=True, graph=True)

WAITING_AND_BYTES: Final = """
SELECT (SELECT count(*) FROM waiting WHERE collection_id = ANY($1)), pg_database_size(current_database())
"""
COLLECTIONS: Final = "SELECT name, id FROM collections"


class PgLibrary:
    """The stores of one library, within the rights of whoever asks.

    Thread-safe and blocking: call it and its stores from worker threads. Every method sees one state of the database, and every change
    is one transaction. All raise LibraryAwayError when the database does not answer and CorpusBusyError when others hold it too long.
    """

    def __init__(
        self,
        name: str,
        connections: Connections,
        model: EmbeddingModel,
        rights_of: Callable[[], Rights] = current_rights,
        worker: str = "",
        text_search: TextSearch | None = None,
        statistics: Statistics | None = None,
    ) -> None:
        self.name = name
        self.can = CAN
        self.model = model
        self._connections = connections
        self._rights_of = rights_of
        self._worker = worker or uuid4().hex
        self.grants = Grants(connections)
        self.audit = Audit(connections)
        self._text_search = text_search or TextSearch()
        self._statistics = statistics or Statistics()
        self.documents = PgDocuments(connections, rights_of, self._statistics)
        self.chunks = PgChunks(connections, rights_of, self._text_search, self._statistics)
        self.vectors = PgVectors(connections, rights_of, model, self._worker, self._statistics)
        self.graph = PgGraph(connections, rights_of, self._worker)
        self.jobs = PgJobs(connections, rights_of, self._worker)

    @classmethod
    def open(
        cls,
        name: str,
        address: str,
        model: EmbeddingModel,
        *,
        role: Role = Role.NODE,
        replica: str = "",
        is_pooled: bool = False,
        size: int = POOL_SIZE,
    ) -> Self:
        """Connect, with at most `size` connections. Every call has the rights that `acting_with` gave it, none outside.

        Raises EmbeddingMismatchError for a library of another model, CorpusTooNewError for a newer schema than this program knows and
        CorpusError for an older one.
        """
        connections = Connections(address, role, size=size, replica=replica, is_pooled=is_pooled)
        try:
            connections.read(check_versions)
            known = connections.read(check_schema)
            if known != model:
                raise EmbeddingMismatchError(
                    f"The library holds vectors of another model ({known.dimension} dimensions, {known.fingerprint[:12]}).",
                    hint="Use it with that model, or make another library for this one.",
                )
        except BaseException:
            connections.close()
            raise
        return cls(name, connections, model)

    def check(self) -> None:
        """Raise what `open` does where the database cannot be used now."""
        self._connections.read(check_schema)

    def within(self, rights: Rights | Callable[[], Rights]) -> PgLibrary:
        """The same library for somebody with these rights, whatever `acting_with` says; shares the connections."""
        rights_of = (lambda: rights) if isinstance(rights, Rights) else rights
        shared = (self._worker, self._text_search, self._statistics)
        return PgLibrary(self.name, self._connections, self.model, rights_of, *shared)

    def collections(self, names: Iterable[str] = ()) -> dict[str, int]:
        """The ids of collections by name; of all if none is named."""
        wanted = set(names)
        found = dict(self._connections.read(lambda con: con.fetch(COLLECTIONS)))
        return {name: number for name, number in found.items() if not wanted or name in wanted}

    def candidates(
        self, terms: Sequence[str], vector: Vector | None, *, filter: Filter = EVERYTHING, k: int
    ) -> tuple[list[Hit], list[Hit]]:
        """What `chunks.lexical` and `vectors.nearest` find, in one transaction; nothing of a kind that is not asked for."""
        by_words = self.chunks.search_of(terms, filter, k)
        by_meaning = self.vectors.search_of(vector, filter, k) if vector is not None else None
        if by_words is None and by_meaning is None:
            return [], []

        async def work(con: Connection) -> tuple[list[Hit], list[Hit]]:
            found = await by_words(con) if by_words is not None else []
            return found, await by_meaning(con) if by_meaning is not None else []

        return self._connections.read(work, self._rights_of(), f"{BY_INDEX}; {by_index(k)}")

    def fetch(self, chunk_ids: Sequence[int], *, vector: Vector | None = None, signs: bool = False) -> Passages:
        """The chunks in the order of the ids with what they are compared by, in one statement.

        Raises EmbedderError like `vectors.nearest`.
        """
        asked = checked_vector(vector, self.model.dimension).tolist() if vector is not None else None
        width = (self.model.dimension + 7) // 8
        rows = self.chunks.compared(chunk_ids, asked, signs=signs)
        return Passages(
            [chunk for chunk, _, _ in rows],
            [
                TokenVectors(chunk.id, np.frombuffer(bits, np.uint8).reshape(-1, width))
                for chunk, bits, _ in rows
                if bits is not None
            ],
            {chunk.id: cosine for chunk, _, cosine in rows if cosine is not None},
        )

    def totals(self) -> CorpusTotals:
        """Counts over what may be read, some time ago in a large library, and the size of the whole database."""
        rights = self._rights_of()

        async def work(con: Connection) -> CorpusTotals:
            size = await self._statistics.size(con, rights.readable)
            waiting, database_bytes = await con.fetchrow(WAITING_AND_BYTES, list(rights.readable))
            embedded = max(0, size.passages - waiting)
            return CorpusTotals(size.documents, size.passages, size.tokens, embedded, database_bytes)

        return self._connections.read(work, rights)

    def copies(self) -> Iterator[DocumentCopy]:
        """All documents that may be read with their vectors, in the order of their ids; those that are stored meanwhile too."""
        rights, after = self._rights_of(), 0
        while True:
            found = self._connections.read(partial(self._some_copies, rights, after), rights)
            if not found:
                return
            yield from found
            after = found[-1].id

    async def _some_copies(self, rights: Rights, after: int, con: Connection) -> list[DocumentCopy]:
        return await copies(con, rights, self.model, after, COPIED_AT_ONCE)

    def take(self, copies: Sequence[DocumentCopy], *, with_vectors: bool) -> Taken:
        """Store those documents that are new, all or none; only for who opened it as the owner of the tables."""
        rights = self._rights_of()
        return self._connections.write(
            lambda con: bulk.take(con, rights, self.model, copies, with_vectors=with_vectors), rights
        )

    def close(self) -> None:
        """Close all connections."""
        self._connections.close()
