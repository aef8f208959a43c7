"""Nearest chunks by cosine, behind one protocol: exact in SQL, or by sign codes in memory first."""

from __future__ import annotations

import threading
from typing import Final, Protocol

import apsw
import numpy as np
from numpy.typing import NDArray

from app import caps
from app.corpus.binding import Ids, distinct, id_list, ids_of
from app.corpus.bits import BitMatrix, Words, sign_bits, words_of
from app.corpus.model import Model
from app.corpus.records import Hit

Vector = NDArray[np.float32]

RESCORE_SHARE: Final = 0.01
"""Share of the rows whose vectors are compared after the scan, for a recall@10 of at least 0.98."""

EXACT = """
SELECT chunk_id, 1 - vec_distance_cosine(vector, ?1) AS score FROM embeddings WHERE model_id = ?2
ORDER BY score DESC, chunk_id LIMIT ?3
"""

EXACT_IN_DOCUMENTS = """
SELECT e.chunk_id, 1 - vec_distance_cosine(e.vector, ?1) AS score
FROM carray(?4) wanted CROSS JOIN chunks c ON c.document_id = wanted.value
CROSS JOIN embeddings e ON e.chunk_id = c.id
WHERE e.model_id = ?2 ORDER BY score DESC, e.chunk_id LIMIT ?3
"""

EXACT_IN_CHUNKS = """
SELECT e.chunk_id, 1 - vec_distance_cosine(e.vector, ?1) AS score
FROM carray(?4) wanted CROSS JOIN embeddings e ON e.chunk_id = wanted.value
WHERE e.model_id = ?2 ORDER BY score DESC, e.chunk_id LIMIT ?3
"""

FEW_CHUNKS = """
SELECT count(*) <= ?2
FROM (SELECT 1 FROM chunks WHERE document_id IN (SELECT value FROM carray(?1)) LIMIT ?2 + 1)
"""

ALL_CODES = "SELECT chunk_id, document_id, bits FROM embedding_bits WHERE model_id = ? ORDER BY chunk_id"

SOME_CODES = """
SELECT chunk_id, document_id, bits FROM embedding_bits
WHERE chunk_id IN (SELECT value FROM carray(?2)) AND model_id = ?1
"""

LAST_CHANGE = "SELECT seq FROM sqlite_sequence WHERE name = 'changes'"


class VectorIndex(Protocol):
    """Finds the nearest chunks in the state that a connection sees. Thread-safe."""

    def nearest(self, con: apsw.Connection, vector: Vector, *, documents: Ids | None, k: int) -> list[Hit]:
        """Best first; scores are cosines. `documents` restricts to chunks of these, None to nothing.

        `vector` is float32 of the model's dimension, `con` is inside a read transaction.
        """
        ...


class ExactIndex:
    """Compares every vector, in SQL: the truth, and the fastest way where a few documents are searched."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def nearest(self, con: apsw.Connection, vector: Vector, *, documents: Ids | None, k: int) -> list[Hit]:
        values = (vector, self._model.id, k)
        if documents is None:
            return _hits(con.execute(EXACT, values))
        return _hits(con.execute(EXACT_IN_DOCUMENTS, (*values, id_list(documents))))


class BitIndex:
    """Scans sign codes in memory, then compares the vectors of the most promising rows in SQL.

    The codes follow the change log, whoever wrote it: before a search, what changed since the last is read.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._lock = threading.Lock()
        self._matrix: BitMatrix | None = None
        self._seen = 0

    def nearest(self, con: apsw.Connection, vector: Vector, *, documents: Ids | None, k: int) -> list[Hit]:
        matrix = self._current(con)
        low, high = max(k, caps.RESCORE_MIN), max(k, caps.RESCORE_MAX)
        code = words_of([sign_bits(vector).tobytes()], self._model.dimension)[:, 0]
        found = matrix.candidates(code, documents, RESCORE_SHARE, low, high)
        return similarities(con, self._model, vector, found, k)

    def _current(self, con: apsw.Connection) -> BitMatrix:
        last = con.execute(LAST_CHANGE).get or 0
        with self._lock:
            matrix = self._matrix
            if matrix is None or not (last <= self._seen or self._follow(con, matrix, last)):
                matrix = self._matrix = BitMatrix(*self._codes(con.execute(ALL_CODES, (self._model.id,))))
            self._seen = max(self._seen, last)
            return matrix

    def _follow(self, con: apsw.Connection, matrix: BitMatrix, last: int) -> bool:
        """Apply the changes up to `last`; False if the log no longer holds them all."""
        rows = con.execute("SELECT chunk_id FROM changes WHERE seq > ?", (self._seen,)).fetchall()
        if len(rows) != last - self._seen:
            return False
        touched = distinct(np.array(rows, np.int64).ravel())
        matrix.replace(touched, *self._codes(con.execute(SOME_CODES, (self._model.id, id_list(touched)))))
        return True

    def _codes(self, rows: apsw.Cursor) -> tuple[Ids, Ids, Words]:
        found = list(rows)
        words = words_of([row[2] for row in found], self._model.dimension)
        return ids_of(row[0] for row in found), ids_of(row[1] for row in found), words


class AdaptiveIndex:
    """Exact for searches restricted to few chunks, sign codes for all others."""

    def __init__(self, model: Model) -> None:
        self._exact = ExactIndex(model)
        self._bits = BitIndex(model)

    def nearest(self, con: apsw.Connection, vector: Vector, *, documents: Ids | None, k: int) -> list[Hit]:
        few = documents is not None and con.execute(FEW_CHUNKS, (id_list(documents), caps.EXACT_SCAN_CHUNKS)).get
        index: VectorIndex = self._exact if few else self._bits
        return index.nearest(con, vector, documents=documents, k=k)


def similarities(con: apsw.Connection, model: Model, vector: Vector, chunk_ids: Ids, k: int) -> list[Hit]:
    """Cosines of the chunks named that have a vector of the model, best first."""
    return _hits(con.execute(EXACT_IN_CHUNKS, (vector, model.id, k, id_list(chunk_ids))))


def _hits(rows: apsw.Cursor) -> list[Hit]:
    return [Hit(chunk_id, score) for chunk_id, score in rows]
