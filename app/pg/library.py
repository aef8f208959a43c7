"""A shared library as those see it who search and read in it; no graph yet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Self
from uuid import uuid4

from app.errors import EmbeddingMismatchError
from app.library.records import Capabilities, CorpusTotals, EmbeddingModel
from app.pg.chunks import PgChunks
from app.pg.connections import Connections, Rights, Role
from app.pg.documents import PgDocuments
from app.pg.setup import check_schema, check_versions
from app.pg.vectors import PgVectors

CAN: Final = Capabilities(phrases=True, field_weights=True, graph=False)

TOTALS: Final = """
SELECT (SELECT count(*) FROM documents WHERE collection_id = ANY($1)), count(*), coalesce(sum(tokens), 0)::bigint,
  (SELECT count(*) FROM waiting WHERE collection_id = ANY($1)), pg_database_size(current_database())
FROM chunks WHERE collection_id = ANY($1)
"""
COLLECTIONS: Final = "SELECT name, id FROM collections"


class PgLibrary:
    """The stores of one library, within the rights of whoever asks.

    Thread-safe and blocking: call it and its stores from worker threads. Every method sees one state of the database, and every change
    is one transaction. All raise LibraryAwayError when the database does not answer and CorpusBusyError when others hold it too long.
    """

    def __init__(
        self, name: str, connections: Connections, model: EmbeddingModel, rights: Rights, worker: str = ""
    ) -> None:
        self.name = name
        self.can = CAN
        self.model = model
        self._connections = connections
        self._rights = rights
        self._worker = worker or uuid4().hex
        self.documents = PgDocuments(connections, rights)
        self.chunks = PgChunks(connections, rights)
        self.vectors = PgVectors(connections, rights, model, self._worker)

    @classmethod
    def open(cls, name: str, address: str, model: EmbeddingModel, *, role: Role = Role.NODE) -> Self:
        """Connect; nothing may be read before `within`.

        Raises EmbeddingMismatchError for a library of another model, CorpusTooNewError for a newer schema than this program knows and
        CorpusError for an older one.
        """
        connections = Connections(address, role)
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
        return cls(name, connections, model, Rights())

    def within(self, rights: Rights) -> PgLibrary:
        """The same library for somebody with these rights; shares the connections."""
        return PgLibrary(self.name, self._connections, self.model, rights, self._worker)

    def collections(self, names: Iterable[str] = ()) -> dict[str, int]:
        """The ids of collections by name; of all if none is named."""
        wanted = set(names)
        found = dict(self._connections.read(lambda con: con.fetch(COLLECTIONS)))
        return {name: number for name, number in found.items() if not wanted or name in wanted}

    def totals(self) -> CorpusTotals:
        """Counts over what may be read, and the size of the whole database."""
        values = list(self._rights.readable)
        documents, chunks, tokens, waiting, size = self._connections.read(
            lambda con: con.fetchrow(TOTALS, values), self._rights
        )
        return CorpusTotals(documents, chunks, tokens, chunks - waiting, size)

    def close(self) -> None:
        """Close all connections."""
        self._connections.close()
