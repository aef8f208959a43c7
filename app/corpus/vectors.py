"""Vectors of chunks: which chunks wait for them, what is accepted and kept, and which chunks are near a query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

import apsw
import numpy as np

from app.corpus.database import Database, id_list, ids_of, split_path
from app.corpus.documents import filtered_ids
from app.corpus.vector_index import LAST_CHANGE, AdaptiveIndex, Model, Vector, VectorIndex, sign_bits, similarities
from app.errors import EmbedderError, EmbeddingMismatchError
from app.library.records import EmbeddingIn, Hit, PassageToEmbed, TokenVectors, check_embedding, checked_vector
from app.library.scope import EVERYTHING, Filter
from app.text.sentence import sentence

MAX_CHANGE_ROWS: Final = 50_000
"""Changes of vectors that stay in the log; a process further behind reads all codes again."""

T = TypeVar("T")

WAITING: Final = """
SELECT c.id, c.document_id, c.title, c.section_path, c.text
FROM waiting w CROSS JOIN chunks c ON c.id = w.chunk_id
"""

TOKEN_VECTORS: Final = """
SELECT t.chunk_id, t.bits FROM token_vectors t JOIN embeddings e ON e.chunk_id = t.chunk_id
WHERE t.chunk_id IN (SELECT value FROM carray(?1)) AND e.model_id = ?2
"""


class VectorStore:
    """Vectors of the embedding model that the corpus is searched with. What `Corpus` says of threads and errors holds here too.

    Without a model, what needs one raises EmbedderError.
    """

    def __init__(self, database: Database, model: Model | None) -> None:
        self._database = database
        self._model = model
        self.index: VectorIndex | None = AdaptiveIndex(model) if model else None

    def nearest(self, vector: Vector, *, filter: Filter = EVERYTHING, k: int) -> list[Hit]:
        """The k nearest chunks; the score is the cosine. Raises EmbedderError for an unusable vector."""
        query = checked_vector(vector, _required(self._model).dimension)
        with self._database.read() as con:
            return _required(self.index).nearest(con, query, documents=filtered_ids(con, filter), k=k)

    def similarities(self, vector: Vector, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Cosines of the chunks named, as far as they have vectors. Raises EmbedderError like `nearest`."""
        model = _required(self._model)
        query = checked_vector(vector, model.dimension)
        with self._database.read() as con:
            hits = similarities(con, model, query, ids_of(chunk_ids), len(chunk_ids))
        return {hit.chunk_id: hit.score for hit in hits}

    def token_vectors(self, chunk_ids: Sequence[int]) -> list[TokenVectors]:
        """Token signs in the order of the ids; chunks without vectors are left out."""
        model = _required(self._model)
        width = (model.dimension + 7) // 8
        with self._database.read() as con:
            rows = con.execute(TOKEN_VECTORS, (id_list(ids_of(chunk_ids)), model.id))
            found = {row[0]: np.frombuffer(row[1], np.uint8).reshape(-1, width) for row in rows}
        return [TokenVectors(chunk_id, found[chunk_id]) for chunk_id in chunk_ids if chunk_id in found]

    def waiting(
        self, limit: int, *, chunk_ids: Sequence[int] = (), document_id: int | None = None
    ) -> list[PassageToEmbed]:
        """Chunks without a vector, oldest first; only these if any are named, only those of the document if one is."""
        named = ""
        values: list[Any] = [limit]
        if chunk_ids:
            named, values = "WHERE w.chunk_id IN (SELECT value FROM carray(?2))", [limit, id_list(ids_of(chunk_ids))]
        elif document_id is not None:
            named, values = "WHERE w.document_id = ?2", [limit, document_id]
        with self._database.read() as con:
            rows = con.execute(f"{WAITING} {named} ORDER BY w.chunk_id LIMIT ?1", values)
            return [
                PassageToEmbed(chunk_id, document_id, title, split_path(section_path), text)
                for chunk_id, document_id, title, section_path, text in rows
            ]

    def waiting_ids(self, document_ids: Sequence[int]) -> list[int]:
        """Ids of the chunks of these documents that have no vector."""
        query = "SELECT chunk_id FROM waiting WHERE document_id IN (SELECT value FROM carray(?)) ORDER BY chunk_id"
        with self._database.read() as con:
            return [int(row[0]) for row in con.execute(query, (id_list(ids_of(document_ids)),))]

    def has_waiting(self) -> bool:
        """Whether any chunk has no vector of the model; a few microseconds."""
        with self._database.read() as con:
            return bool(con.execute("SELECT EXISTS(SELECT 1 FROM waiting)").get)

    def waiting_among(self, chunk_ids: Sequence[int]) -> set[int]:
        """Those of these chunks that have no vector."""
        query = "SELECT chunk_id FROM waiting WHERE chunk_id IN (SELECT value FROM carray(?))"
        with self._database.read() as con:
            return {int(row[0]) for row in con.execute(query, (id_list(ids_of(chunk_ids)),))}

    def count_waiting(self) -> int:
        """How many chunks have no vector of the model."""
        with self._database.read() as con:
            return int(con.execute("SELECT count(*) FROM waiting").get)

    def last_change(self) -> int:
        """A number that rises whenever vectors come or go."""
        with self._database.read() as con:
            return int(con.execute(LAST_CHANGE).get or 0)

    def store(self, items: Sequence[EmbeddingIn]) -> None:
        """Store vectors, all or none, in the place of older ones; chunks deleted meanwhile are passed over.

        A document is ready once none of its chunks waits. Raises EmbedderError for a vector of another
        dimension, not finite or not of unit length, and EmbeddingMismatchError if the corpus has been given
        another model since it was opened.
        """
        model = _required(self._model)
        for item in items:
            check_embedding(item, model.dimension)
        with self._database.write() as con:
            if adopted_model(con) != model:
                raise EmbeddingMismatchError(sentence("The library is now used with another search model."))
            wanted = id_list(ids_of(item.chunk_id for item in items))
            query = "SELECT id, document_id FROM chunks WHERE id IN (SELECT value FROM carray(?))"
            document_of: dict[int, int] = dict(iter(con.execute(query, (wanted,))))
            for item in items:
                if item.chunk_id not in document_of:
                    continue
                vector = np.ascontiguousarray(item.vector, "<f4")
                con.execute("DELETE FROM embeddings WHERE chunk_id = ?", (item.chunk_id,))
                con.execute("INSERT INTO embeddings VALUES(?, ?, ?)", (item.chunk_id, model.id, vector))
                codes = (item.chunk_id, model.id, document_of[item.chunk_id], sign_bits(vector).tobytes())
                con.execute("INSERT INTO embedding_bits VALUES(?, ?, ?, ?)", codes)
                con.execute("INSERT INTO token_vectors VALUES(?, ?)", (item.chunk_id, item.token_bits.tobytes()))
            con.execute("DELETE FROM changes WHERE seq <= (SELECT max(seq) FROM changes) - ?", (MAX_CHANGE_ROWS,))


def adopted_model(con: apsw.Connection) -> Model | None:
    """The model named in the file, None while nothing was ever embedded."""
    row = con.execute(
        "SELECT m.id, m.fingerprint, m.dimension FROM meta JOIN models m ON m.fingerprint = meta.value"
        " WHERE meta.key = 'embedding_model'"
    ).fetchone()
    return Model(*row) if row else None


def adopt_model(con: apsw.Connection, fingerprint: str, dimension: int) -> Model:
    """Make this the model of the file; every chunk without a vector of it waits from now on.

    Raises EmbeddingMismatchError if the file knows the fingerprint with another dimension.
    """
    con.execute(
        "INSERT INTO models(fingerprint, dimension) VALUES(?, ?) ON CONFLICT(fingerprint) DO NOTHING",
        (fingerprint, dimension),
    )
    model = Model(
        *con.execute("SELECT id, fingerprint, dimension FROM models WHERE fingerprint = ?", (fingerprint,)).get
    )
    if model.dimension != dimension:
        raise EmbeddingMismatchError(
            sentence("The library knows this model with {} dimensions, not {}.", model.dimension, dimension)
        )
    con.executemany(
        "INSERT INTO meta(key, value) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
        [("embedding_model", fingerprint), ("embedding_dim", dimension)],
    )
    con.execute("DELETE FROM waiting")
    con.execute(
        "INSERT INTO waiting(chunk_id, document_id) SELECT c.id, c.document_id FROM chunks c"
        " WHERE NOT EXISTS (SELECT 1 FROM embedding_bits b WHERE b.chunk_id = c.id AND b.model_id = ?)",
        (model.id,),
    )
    return model


def _required(part: T | None) -> T:
    """What there is with a model; EmbedderError where the corpus was opened without one and never had one."""
    if part is None:
        raise EmbedderError(sentence("Nothing in this library was prepared yet."))
    return part
