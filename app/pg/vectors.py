"""Vectors of a shared library: semantic search and the chunks that are not embedded yet."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.library import records
from app.library.protocol import VectorWriter
from app.library.scope import EVERYTHING, Filter
from app.pg.connections import Access, Store
from app.pg.sessions import Connection, Rights, Scope
from app.pg.setup import IS_OF, check_may_store, check_schema, check_still, value_of
from app.pg.statistics import COUNTED_EXACTLY

EXACT_CHUNKS: Final = COUNTED_EXACTLY  # A smaller scope is searched completely; the index would skip most of it.
FEW_DOCUMENTS: Final = 20  # Up to this many named documents are searched completely without counting their chunks.
LOOKED_AT: Final = 100  # Size of the index search per query; finds all of the ten nearest in 300,000 chunks.
MAX_LOOKED_AT: Final = 1_000
MAX_PASSED_OVER: Final = 200_000  # Limit of index entries to examine, including chunks of other scopes.
LEASE_SECONDS: Final = 300  # Seconds that a node has to embed claimed chunks; then another node can claim them.

Vector = NDArray[np.float32]

IN_SCOPE: Final = "SELECT count(*) FROM (SELECT FROM embeddings e WHERE {rows} LIMIT {limit}) counted"
CLAIM: Final = """
WITH claimed AS (
  UPDATE waiting SET leased_by = $2, lease_until = now() + make_interval(secs => $3) WHERE chunk_id IN (
    SELECT w.chunk_id FROM waiting w
    WHERE w.collection_id = ANY($1) AND (w.leased_by IS NULL OR w.leased_by = $2 OR w.lease_until < now()) {named}
    ORDER BY w.chunk_id LIMIT $4 FOR UPDATE SKIP LOCKED
  ) RETURNING chunk_id
)
SELECT c.id, c.document_id, d.title, c.section_path, c.text
FROM claimed JOIN chunks c ON c.id = claimed.chunk_id JOIN documents d ON d.id = c.document_id
WHERE c.collection_id = ANY($1) ORDER BY c.id
"""
SIGNS: Final = f"""
SELECT chunk_id, bits FROM token_signs WHERE collection_id = ANY($1) AND chunk_id = ANY($2) AND {IS_OF.format(model="$3")}
"""
STORE_VECTOR: Final = """
INSERT INTO embeddings(chunk_id, document_id, collection_id, vector)
SELECT c.id, c.document_id, c.collection_id, $3::real[]::halfvec FROM chunks c WHERE c.collection_id = ANY($1) AND c.id = $2
ON CONFLICT (chunk_id) DO UPDATE SET vector = excluded.vector WHERE embeddings.vector <> excluded.vector
"""
STORE_SIGNS: Final = """
INSERT INTO token_signs(chunk_id, collection_id, bits)
SELECT c.id, c.collection_id, $3 FROM chunks c WHERE c.collection_id = ANY($1) AND c.id = $2
ON CONFLICT (chunk_id) DO UPDATE SET bits = excluded.bits WHERE token_signs.bits <> excluded.bits
"""


def by_index(k: int) -> str:
    """Return the transaction settings of a search for the k nearest chunks."""
    looked_at = max(LOOKED_AT, min(k, MAX_LOOKED_AT))
    settings = f"SET LOCAL hnsw.ef_search = {looked_at}; SET LOCAL hnsw.iterative_scan = relaxed_order"
    return f"{settings}; SET LOCAL hnsw.max_scan_tuples = {MAX_PASSED_OVER}"


class PgVectors(Store, VectorWriter):
    """Vectors of the library's model."""

    def __init__(self, access: Access, model: records.EmbeddingModel) -> None:
        super().__init__(access)
        self._model = model

    def nearest(self, vector: Vector, *, filter: Filter = EVERYTHING, k: int) -> list[records.Hit]:
        search = self.search_of(vector, filter, k)
        return [] if search is None else self._connections.search(search, self._rights, by_index(k))

    def search_of(
        self, vector: Vector, filter: Filter, k: int
    ) -> Callable[[Connection], Awaitable[list[records.Hit]]] | None:
        """Return the work of `nearest` for a transaction with the settings of `by_index`; None if nothing can match."""
        query = records.checked_vector(vector, self._model.dimension)
        rights = self._rights
        scope = Scope(rights, filter)
        if k < 1 or not rights.readable:
            return None
        rows = scope.rows("e")
        counted = list(scope.values)
        given = f"{scope.value(query.tolist())}::real[]::halfvec"
        distance, most = f"e.vector <=> {given}", scope.value(k)
        ours = f"{rows} AND {IS_OF.format(model=scope.value(value_of(self._model)))}"

        async def is_small(con: Connection) -> bool:
            if 0 < len(filter.document_ids) <= FEW_DOCUMENTS:
                return True
            if not scope.is_restricted and self._statistics.is_large(rights.readable):
                return False
            if await con.fetchval(IN_SCOPE.format(rows=rows, limit=EXACT_CHUNKS), *counted) < EXACT_CHUNKS:
                return True
            if not scope.is_restricted:
                self._statistics.seen_large(rights.readable)
            return False

        async def ordered_by(con: Connection, order: str) -> list[records.Hit]:
            found = f"SELECT e.chunk_id, 1 - ({distance}) AS cosine FROM embeddings e WHERE {ours} ORDER BY {order} LIMIT {most}"
            return [records.Hit(*row) for row in await con.fetch(found, *scope.values)]

        async def work(con: Connection) -> list[records.Hit]:
            hits = [] if await is_small(con) else await ordered_by(con, distance)
            if len(hits) < k:
                # Sorts by an expression, because the index order can end early if chunks of other scopes are nearer.
                hits = await ordered_by(con, f"({distance}) + 0")
            return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))

        return work

    def token_vectors(self, chunk_ids: Sequence[int]) -> list[records.TokenVectors]:
        width = (self._model.dimension + 7) // 8
        rows = self._fetch(SIGNS, list(chunk_ids), value_of(self._model))
        found = {row[0]: np.frombuffer(row[1], np.uint8).reshape(-1, width) for row in rows}
        return [records.TokenVectors(chunk_id, found[chunk_id]) for chunk_id in chunk_ids if chunk_id in found]

    def waiting(
        self, limit: int, *, chunk_ids: Sequence[int] = (), document_id: int | None = None
    ) -> list[records.PassageToEmbed]:
        """Return chunks to embed, leased for LEASE_SECONDS. Raises EmbeddingMismatchError like `store`."""
        values: list[Any] = [self._worker, LEASE_SECONDS, limit]
        named = ""
        if chunk_ids:
            named, values = "AND w.chunk_id = ANY($5)", [*values, list(chunk_ids)]
        elif document_id is not None:
            named, values = "AND w.document_id = $5", [*values, document_id]

        async def work(con: Connection, rights: Rights) -> list[Any]:
            check_still(await check_schema(con, may_be_newer=True), self._model)
            return list(await con.fetch(CLAIM.format(named=named), list(rights.writable), *values))

        rows = self._write(work)
        return [records.PassageToEmbed(id_, page, title, tuple(path), text) for id_, page, title, path, text in rows]

    def waiting_ids(self, document_ids: Sequence[int]) -> list[int]:
        query = "SELECT chunk_id FROM waiting WHERE collection_id = ANY($1) AND document_id = ANY($2) ORDER BY chunk_id"
        return [row[0] for row in self._fetch(query, list(document_ids))]

    def waiting_among(self, chunk_ids: Sequence[int]) -> set[int]:
        query = "SELECT chunk_id FROM waiting WHERE collection_id = ANY($1) AND chunk_id = ANY($2)"
        return {row[0] for row in self._fetch(query, list(chunk_ids))}

    def has_waiting(self) -> bool:
        return bool(self._fetch("SELECT EXISTS (SELECT FROM waiting WHERE collection_id = ANY($1))")[0][0])

    def count_waiting(self) -> int:
        return int(self._fetch("SELECT count(*) FROM waiting WHERE collection_id = ANY($1)")[0][0])

    def store(self, items: Sequence[records.EmbeddingIn]) -> None:
        for item in items:
            records.check_embedding(item, self._model.dimension)
        ids = [item.chunk_id for item in items]

        async def work(con: Connection, rights: Rights) -> None:
            writable = list(rights.writable)
            await check_may_store(con, self._model)
            # Prevents the deletion of these chunks until the transaction ends.
            there = "SELECT id FROM chunks WHERE collection_id = ANY($1) AND id = ANY($2) ORDER BY id FOR KEY SHARE"
            await con.fetch(there, writable, ids)
            vectors = [(writable, item.chunk_id, item.vector.astype(np.float32).tolist()) for item in items]
            await con.executemany(STORE_VECTOR, vectors)
            await con.executemany(STORE_SIGNS, [(writable, item.chunk_id, item.token_bits.tobytes()) for item in items])
            await con.execute("DELETE FROM waiting WHERE collection_id = ANY($1) AND chunk_id = ANY($2)", writable, ids)

        self._write(work)
