"""A shared library for reading and writing, its documents for copying to another store, and flags of
pages whose text addresses the assistant.

Nodes share the work on flags. A page with a new flag is hidden until an owner shows it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any, Final, Self

import numpy as np

from app.errors import EmbeddingMismatchError
from app.library import records
from app.library.copying import COPIED_AT_ONCE, Copied, DocumentCopy
from app.library.protocol import Upkeep
from app.library.scope import EVERYTHING, Filter
from app.pg import bulk
from app.pg.chunks import BY_INDEX, PgChunks
from app.pg.connections import POOL_SIZE, Access, Connections, Store
from app.pg.documents import PgDocuments
from app.pg.grants import Audit, Grants
from app.pg.jobs import PgJobs
from app.pg.sessions import DOCUMENTS as SHOWN
from app.pg.sessions import Connection, Rights, Role
from app.pg.setup import check_model, check_schema, check_still, check_versions
from app.pg.vectors import LOOKED_AT, PgVectors, Vector, by_index
from app.text.shield import instruction_flags

LEASE_SECONDS: Final = 300  # Seconds that a node has for its claimed documents; then another node can claim them.
CLAIM: Final = """
WITH claimed AS (
  UPDATE flags_waiting SET leased_by = $2, lease_until = now() + make_interval(secs => $3) WHERE document_id IN (
    SELECT w.document_id FROM flags_waiting w
    WHERE w.collection_id = ANY($1) AND (w.leased_by IS NULL OR w.leased_by = $2 OR w.lease_until < now())
    ORDER BY w.document_id LIMIT $4 FOR UPDATE SKIP LOCKED
  ) RETURNING document_id
)
SELECT d.id, d.collection_id, d.content_hash,
  (SELECT array_agg(c.text ORDER BY c.ord) FROM chunks c WHERE c.collection_id = ANY($1) AND c.document_id = d.id) AS passages
FROM claimed JOIN documents d ON d.id = claimed.document_id WHERE d.collection_id = ANY($1) ORDER BY d.id
"""
STILL: Final = """
SELECT w.document_id FROM flags_waiting w JOIN documents d ON d.id = w.document_id
WHERE w.collection_id = $1 AND w.document_id = $2 AND w.leased_by = $3 AND d.content_hash = $4 FOR NO KEY UPDATE OF d
"""
"""A document that was neither deleted nor stored again since it was claimed. A writer locks the document first, then its row here;
locking both here could cause a deadlock."""
HIDE: Final = """
UPDATE documents d SET is_quarantined = true WHERE d.collection_id = $1 AND d.id = $2 AND starts_with(d.added_by, 'user:')
  AND NOT $3::text[] <@ coalesce((SELECT f.flags FROM document_flags f WHERE f.collection_id = $1 AND f.document_id = $2), '{}')
  AND NOT EXISTS (SELECT FROM grants g WHERE g.collection_id = $1 AND g.principal = d.added_by AND g.role = 'owner')
"""
"""Hide a page with new flags until an owner reviews it, unless an owner added it. Pages that an owner has shown stay visible."""
STORE_FLAGS: Final = """
INSERT INTO document_flags(document_id, collection_id, flags) VALUES($1, $2, $3)
ON CONFLICT (document_id) DO UPDATE SET flags = excluded.flags
"""


class PgFlags(Store, Upkeep):
    """The documents whose flags are not known yet, within the rights of the call."""

    def count_waiting(self) -> int:
        return int(self._fetch("SELECT count(*) FROM flags_waiting WHERE collection_id = ANY($1)")[0][0])

    def fill(self, limit: int) -> int:
        """Find the flags of leased waiting documents, unless they change before; return their number."""
        values = (self._worker, LEASE_SECONDS, limit)
        rows = self._write(lambda con, rights: con.fetch(CLAIM, list(rights.writable), *values))
        for document in rows:
            found = dict.fromkeys(flag for passage in document["passages"] or () for flag in instruction_flags(passage))
            self._write(partial(self._store, document, list(found)))
        return len(rows)

    async def _store(self, document: Any, flags: Sequence[str], con: Connection, _rights: Rights) -> None:
        own = (document["collection_id"], document["id"])
        if await con.fetchval(STILL, *own, self._worker, document["content_hash"]) is None:
            return
        if flags:
            await con.execute(HIDE, *own, flags)
            await con.execute(STORE_FLAGS, document["id"], document["collection_id"], flags)
        else:
            await con.execute("DELETE FROM document_flags WHERE collection_id = $1 AND document_id = $2", *own)
        await con.execute("DELETE FROM flags_waiting WHERE collection_id = $1 AND document_id = $2", *own)


DOCUMENTS: Final = f"""
SELECT d.*, t.text, t.sections, t.images, t.navigation,
  ARRAY(SELECT a.url FROM aliases a WHERE a.collection_id = ANY($1) AND a.document_id = d.id ORDER BY a.url) AS aliases,
  (SELECT jsonb_agg(jsonb_build_array(l.url, l.text, l.start, l."end") ORDER BY l.ord) FROM links l
    WHERE l.collection_id = ANY($1) AND l.document_id = d.id) AS links
FROM documents d JOIN document_texts t ON t.document_id = d.id WHERE {SHOWN} AND d.id > $2 ORDER BY d.id LIMIT $3
"""
CHUNKS: Final = """
SELECT c.*, halfvec_send(e.vector) AS vector, s.bits FROM chunks c
LEFT JOIN embeddings e ON e.chunk_id = c.id AND e.collection_id = ANY($1)
LEFT JOIN token_signs s ON s.chunk_id = c.id AND s.collection_id = ANY($1)
WHERE c.collection_id = ANY($1) AND c.document_id = ANY($2) ORDER BY c.document_id, c.ord
"""


async def copies(
    con: Connection, rights: Rights, model: records.EmbeddingModel, after: int, limit: int
) -> list[DocumentCopy]:
    """Return up to `limit` documents after an ID, in the order of their IDs."""
    readable = list(rights.readable)
    rows = await con.fetch(DOCUMENTS, readable, after, limit)
    chunks: dict[int, list[Any]] = defaultdict(list)
    for chunk in await con.fetch(CHUNKS, readable, [row["id"] for row in rows]):
        chunks[chunk["document_id"]].append(chunk)
    return [_copy(row, chunks[row["id"]], model) for row in rows]


def _copy(row: Any, chunks: list[Any], model: records.EmbeddingModel) -> DocumentCopy:
    plain = ("url", "title", "text", "content_hash", "kind", "language", "etag", "last_modified", "published")
    cut = ("key", "anchor", "text", "start", "end", "prefix_length", "suffix_length", "tokens", "identifiers")
    document = records.DocumentIn(
        **{name: row[name] for name in (*plain, "last_crawled", "note")},
        chunks=tuple(
            records.ChunkIn(section_path=tuple(each["section_path"]), **{name: each[name] for name in cut})
            for each in chunks
        ),
        sections=tuple(records.SectionRecord(*each) for each in json.loads(row["sections"])),
        links=tuple(records.LinkRecord(*each) for each in json.loads(row["links"] or "[]")),
        images=tuple(records.ImageRecord(*each) for each in json.loads(row["images"])),
        aliases=tuple(row["aliases"]),
        navigation=tuple(row["navigation"]),
    )
    vectors: dict[str, records.EmbeddingIn] = {}
    for each in (each for each in chunks if each["vector"] is not None):
        # Normalizes the vector again after rounding to half precision. Two 2-byte numbers come first.
        vector = np.frombuffer(each["vector"], ">f2", offset=4).astype(np.float32)
        signs = np.frombuffer(each["bits"] or b"", np.uint8).reshape(-1, (model.dimension + 7) // 8)
        vectors[each["key"]] = records.EmbeddingIn(each["id"], vector / np.linalg.norm(vector), signs)
    return DocumentCopy(row["id"], document, vectors)


WARMING_SEARCHES: Final = 8  # Per connection: the first takes 20 ms, the second 9, later ones 5.
WARMING_WORD: Final = "webrag"
WAITING_AND_BYTES: Final = """
SELECT (SELECT count(*) FROM waiting WHERE collection_id = ANY($1)), pg_database_size(current_database())
"""


class PgLibrary(Store):
    """The stores of one library (see `LibraryWriter`), within the rights of the caller.

    Thread-safe and blocking: call it and its stores from worker threads. Every method sees one state of the database, and every change is
    one transaction. All raise LibraryAwayError if the database does not answer and CorpusBusyError if others lock it for too long.
    """

    def __init__(self, name: str, access: Access, model: records.EmbeddingModel) -> None:
        super().__init__(access)
        self.name = name
        self.model = model
        self.grants = Grants(access.connections)
        self.audit = Audit(access.connections)
        self.documents = PgDocuments(access)
        self.chunks = PgChunks(access)
        self.vectors = PgVectors(access, model)
        self.graph = self.second = None
        self.upkeep = PgFlags(access)
        self.jobs = PgJobs(access)
        self.stop_waiting = access.connections.stop_waiting
        self.close = access.connections.close

    @classmethod
    def open(
        cls,
        name: str,
        address: str,
        model: records.EmbeddingModel,
        *,
        role: Role = Role.NODE,
        replica: str = "",
        is_pooled: bool = False,
        size: int = POOL_SIZE,
    ) -> Self:
        """Connect, with at most `size` connections. Every call has the rights given with `acting_with`, and none without it.

        Only errors raised here name the database: later ones reach the callers of the node.

        Raises EmbeddingMismatchError for a library of another model, CorpusTooNewError for a newer schema than this program supports and
        CorpusError for an older one.
        """
        connections = Connections(address, role, size=size, replica=replica, is_pooled=is_pooled)
        try:
            connections.read(check_versions)
            # That was a replica, which can lag behind a migration: check the primary as well.
            connections.read_first(check_versions)
            check_model(connections.read_first(check_schema), model)
        except BaseException:
            connections.close()
            raise
        connections.serve_people()
        return cls(name, Access(connections), model)

    def check(self) -> str:
        """Raise the errors of `open`, except for a newer schema or another model; return what limits the use."""
        try:
            check_still(self._connections.read_first(lambda con: check_schema(con, may_be_newer=True)), self.model)
        except EmbeddingMismatchError as error:
            return f"{error.message} {error.hint}"
        return ""

    def within(self, rights: Rights | Callable[[], Rights]) -> PgLibrary:
        """Return the same library with these rights, whatever `acting_with` says; shares the connections."""
        rights_of = (lambda: rights) if isinstance(rights, Rights) else rights
        return PgLibrary(self.name, replace(self._access, rights_of=rights_of), self.model)

    def collections(self, names: Iterable[str] = ()) -> dict[str, int]:
        """Return the IDs of collections by name; all collections without names."""
        wanted = set(names)
        found = dict(self._connections.read(lambda con: con.fetch("SELECT name, id FROM collections")))
        return {name: number for name, number in found.items() if not wanted or name in wanted}

    def candidates(
        self, terms: Sequence[str], vector: Vector | None, *, filter: Filter = EVERYTHING, k: int
    ) -> tuple[list[records.Hit], list[records.Hit]]:
        search = self.search_of(terms, vector, filter, k)
        if search is None:
            return [], []
        return self._connections.search(search, self._rights_of(), f"{BY_INDEX}; {by_index(k)}")

    def search_of(
        self, terms: Sequence[str], vector: Vector | None, filter: Filter, k: int
    ) -> Callable[[Connection], Awaitable[tuple[list[records.Hit], list[records.Hit]]]] | None:
        """Return the work of `candidates` for a transaction; None if nothing can match."""
        by_words = self.chunks.search_of(terms, filter, k)
        by_meaning = self.vectors.search_of(vector, filter, k) if vector is not None else None
        if by_words is None and by_meaning is None:
            return None

        async def work(con: Connection) -> tuple[list[records.Hit], list[records.Hit]]:
            found = await by_words(con) if by_words is not None else []
            return found, await by_meaning(con) if by_meaning is not None else []

        return work

    def warm(self) -> Future[None]:
        """Start searches that load catalog and indexes into the memory of the database, so no user waits for it."""
        everything = Rights(tuple(self.collections().values()))
        vectors = np.random.default_rng().normal(size=(WARMING_SEARCHES, self.model.dimension)).astype(np.float32)
        own = self.within(everything)
        made = (own.search_of((WARMING_WORD,), each, EVERYTHING, LOOKED_AT) for each in vectors)
        searches = [search for search in made if search is not None]

        async def work(con: Connection) -> None:
            for search in searches:
                await search(con)

        return self._connections.warm(work, everything, f"{BY_INDEX}; {by_index(LOOKED_AT)}")

    def fetch(self, chunk_ids: Sequence[int], *, vector: Vector | None = None, signs: bool = False) -> records.Passages:
        asked = records.checked_vector(vector, self.model.dimension).tolist() if vector is not None else None
        width = (self.model.dimension + 7) // 8
        rows = self.chunks.compared(chunk_ids, asked, self.model, signs=signs)
        return records.Passages(
            [chunk for chunk, _, _ in rows],
            [
                records.TokenVectors(chunk.id, np.frombuffer(bits, np.uint8).reshape(-1, width))
                for chunk, bits, _ in rows
                if bits is not None
            ],
            {chunk.id: cosine for chunk, _, cosine in rows if cosine is not None},
        )

    def totals(self) -> records.CorpusTotals:
        """Return counts of the readable content, cached for a large library, and the size of the whole database."""

        async def work(con: Connection, rights: Rights) -> records.CorpusTotals:
            size = await self._statistics.size(con, rights.readable)
            waiting, database_bytes = await con.fetchrow(WAITING_AND_BYTES, list(rights.readable))
            embedded = max(0, size.passages - waiting)
            return records.CorpusTotals(size.documents, size.passages, size.tokens, embedded, database_bytes)

        return self._read(work)

    def copies(self) -> Iterator[DocumentCopy]:
        """Yield all readable documents with their vectors, in the order of their IDs, including documents added during the iteration."""
        rights, after = self._rights_of(), 0

        async def some(con: Connection) -> list[DocumentCopy]:
            check_still(await check_schema(con, may_be_newer=True), self.model)
            return await copies(con, rights, self.model, after, COPIED_AT_ONCE)

        while found := self._connections.read(some, rights):
            yield from found
            after = found[-1].id

    def take(self, copies: Sequence[DocumentCopy], *, with_vectors: bool) -> tuple[Copied, list[DocumentCopy]]:
        """Store the new documents, all or none, and return the others. Only for a library opened as the owner of the tables."""
        return self._write(lambda con, rights: bulk.take(con, rights, self.model, copies, with_vectors=with_vectors))
