"""Nearest chunks by cosine: exact for a few chunks, otherwise with sign codes in memory first.

The sign codes of all vectors are scanned by Hamming distance: 64 bytes for 384 dimensions. Vectors are stored with 8 bits for each value;
versions before the migration `pages_packed` stored them in half or single precision.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import apsw
import numpy as np
from numpy.typing import NDArray

from app.corpus.database import Ids, distinct, id_list, ids_of
from app.library.records import Hit

EXACT_SCAN_CHUNKS: Final = 2_000  # A search restricted to at most this many chunks compares every vector.
SCAN_MIN: Final = 800
SCAN_MAX: Final = 8_000
SCAN_SHARE: Final = 0.02  # Share of the rows that the scan selects: those that differ in the fewest signs.
RESCORE_MIN: Final = 400
RESCORE_MAX: Final = 2_000
RESCORE_SHARE: Final = 0.4  # Share of these whose vectors are compared: those that agree best with the query.

Vector = NDArray[np.float32]
Words = NDArray[np.uint64]
VECTORS_OF_DOCUMENTS: Final = """
SELECT e.chunk_id, e.vector FROM carray(?2) wanted CROSS JOIN chunks c ON c.document_id = wanted.value
CROSS JOIN {p}embeddings e ON e.chunk_id = c.id WHERE e.model_id = ?1
"""
VECTORS_OF_CHUNKS: Final = """
SELECT e.chunk_id, e.vector FROM carray(?2) wanted CROSS JOIN {p}embeddings e ON e.chunk_id = wanted.value
WHERE e.model_id = ?1
"""
FEW_CHUNKS = """
SELECT count(*) <= ?2
FROM (SELECT 1 FROM chunks WHERE document_id IN (SELECT value FROM carray(?1)) LIMIT ?2 + 1)
"""
ALL_CODES = "SELECT chunk_id, document_id, bits FROM {p}embedding_bits WHERE model_id = ? ORDER BY chunk_id"
SOME_CODES = """
SELECT chunk_id, document_id, bits FROM {p}embedding_bits
WHERE chunk_id IN (SELECT value FROM carray(?2)) AND model_id = ?1
"""
LAST_CHANGE = "SELECT seq FROM sqlite_sequence WHERE name = '{p}changes'"

STEPS: Final = 128  # Of a stored value, on each side of zero.
BLOCK_ROWS: Final = 32_768  # Rows to scan or read at a time, so that intermediate results fit into the CPU cache.
BITS_OF_BYTES: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(
    np.float32
)  # Bits by byte, in the order of `sign_bits`: shape (256, 8).
WORDS_PER_BYTE: Final = 3  # The differing bits of this many 64-bit words fit into a byte.
FREED: Final = -1
SHRINK_SHARE: Final = 4  # The matrix is repacked when one row in this many is free.


@dataclass(frozen=True, slots=True)
class Model:
    """An embedding model in use, with its number in the file, and the prefix of the tables with its vectors."""

    id: int
    fingerprint: str
    dimension: int
    prefix: str = ""

    def sql(self, query: str) -> str:
        """Return a query of the tables `{p}embeddings` and others with their names."""
        return query.format(p=self.prefix)


class VectorIndex:
    """Finds the nearest chunks in the state that a connection sees. Thread-safe.

    Compares every vector of a few documents, which is exact and fastest. For others, scans sign codes in memory, which follow the change
    log, then compares the vectors of the best rows.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._lock = threading.Lock()
        self._matrix: BitMatrix | None = None
        self._seen = 0

    def nearest(self, con: apsw.Connection, vector: Vector, *, documents: Ids | None, k: int) -> list[Hit]:
        """Return hits, best first, scored by cosine, of these documents (None: all). `con` is in a transaction."""
        if documents is not None and con.execute(FEW_CHUNKS, (id_list(documents), EXACT_SCAN_CHUNKS)).get:
            rows = con.execute(self._model.sql(VECTORS_OF_DOCUMENTS), (self._model.id, id_list(documents)))
            return _nearest(rows, vector, k)
        last = con.execute(self._model.sql(LAST_CHANGE)).get or 0
        with self._lock:
            matrix = self._matrix
            if matrix is None or not (last <= self._seen or self._follow(con, matrix, last)):
                matrix = self._matrix = BitMatrix(
                    *self._codes(con.execute(self._model.sql(ALL_CODES), (self._model.id,)))
                )
            self._seen = max(self._seen, last)
        code = words_of([sign_bits(vector).tobytes()], self._model.dimension)[:, 0]
        found = matrix.candidates(
            code, documents, SCAN_SHARE, max(k, SCAN_MIN), max(k, SCAN_MAX), closest_to(vector, k)
        )
        return similarities(con, self._model, vector, found, k)

    def _follow(self, con: apsw.Connection, matrix: BitMatrix, last: int) -> bool:
        """Apply the changes up to `last`; return False if the log is incomplete."""
        rows = con.execute(self._model.sql("SELECT chunk_id FROM {p}changes WHERE seq > ?"), (self._seen,)).fetchall()
        if len(rows) != last - self._seen:
            return False
        touched = distinct(np.array(rows, np.int64).ravel())
        matrix.replace(
            touched, *self._codes(con.execute(self._model.sql(SOME_CODES), (self._model.id, id_list(touched))))
        )
        return True

    def _codes(self, rows: apsw.Cursor) -> tuple[Ids, Ids, Words]:
        """Return chunk IDs, document IDs and codes. Reads in blocks, because a million rows take ten times the memory of their arrays."""
        ids, documents = [ids_of(())], [ids_of(())]
        words = [words_of((), self._model.dimension)]
        while block := list(islice(rows, BLOCK_ROWS)):
            ids.append(ids_of(row[0] for row in block))
            documents.append(ids_of(row[1] for row in block))
            words.append(words_of([row[2] for row in block], self._model.dimension))
        return np.concatenate(ids), np.concatenate(documents), np.concatenate(words, axis=1)


def similarities(con: apsw.Connection, model: Model, vector: Vector, chunk_ids: Ids, k: int) -> list[Hit]:
    """Return the cosines of the given chunks with vectors of the model, best first."""
    return _nearest(con.execute(model.sql(VECTORS_OF_CHUNKS), (model.id, id_list(chunk_ids))), vector, k)


def coded(vector: Vector) -> NDArray[np.int8]:
    """Return a vector as stored: each value is the number of a step, so that its middle has the same sign code."""
    step = max(float(np.abs(vector).max(initial=0)), float(np.finfo(np.float32).tiny)) / STEPS
    made: NDArray[np.int8] = np.clip(np.ceil(vector / step) - 1, -STEPS, STEPS - 1).astype(np.int8)
    return made


def vectors_of(blobs: Sequence[bytes], dimension: int) -> Vector:
    """Return stored vectors as unit vectors in single precision, shape (blobs, dimension)."""
    codes = (blob if len(blob) == dimension else coded(precise(blob, dimension)).tobytes() for blob in blobs)
    middles = np.frombuffer(b"".join(codes), np.int8).reshape(-1, dimension).astype(np.float32)
    middles += 0.5
    middles /= np.sqrt(np.einsum("ij,ij->i", middles, middles))[:, None]
    return middles


def precise(blob: bytes, dimension: int) -> Vector:
    """Return a vector of an earlier version in single precision."""
    return np.frombuffer(blob, "<f2" if len(blob) == 2 * dimension else "<f4").astype(np.float32)


def _nearest(rows: apsw.Cursor, vector: Vector, k: int) -> list[Hit]:
    """Return the best of these chunks by cosine, best first, equal ones by ID."""
    found: list[Any] = rows.fetchall()
    ids, vectors = ids_of(row[0] for row in found), vectors_of([row[1] for row in found], len(vector))
    scores = vectors @ vector / np.maximum(np.linalg.norm(vector), np.finfo(np.float32).tiny)
    best = np.lexsort((ids, -scores))[:k]
    return [Hit(int(ids[place]), float(scores[place])) for place in best]


def closest_to(vector: Vector, k: int) -> Callable[[Words], NDArray[np.intp]]:
    """Return a function that selects codes whose signs have the largest product with the query's values."""
    padded = np.zeros((len(vector) + 63) // 64 * 64, np.float32)
    padded[: len(vector)] = vector

    def choose(words: Words) -> NDArray[np.intp]:
        count = words.shape[1]
        most = max(k, RESCORE_MIN, min(RESCORE_MAX, int(count * RESCORE_SHARE)))
        if most >= count:
            return np.arange(count)
        sums = BITS_OF_BYTES @ padded.reshape(-1, 8).T
        values = np.ascontiguousarray(words.T).view(np.uint8)
        products = sums[values, np.arange(values.shape[1])].sum(axis=1)
        return np.argpartition(-products, most - 1)[:most]

    return choose


def sign_bits(vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return the signs along the last axis, eight to a byte, as `embedding_bits` stores them."""
    return np.packbits(vectors > 0, axis=-1, bitorder="little")


def words_of(blobs: Sequence[bytes], dimension: int) -> Words:
    """Return stored codes as one column of 64-bit words per row: shape (words, rows)."""
    width = (dimension + 7) // 8
    rows = np.frombuffer(b"".join(blobs), np.uint8).reshape(len(blobs), width)
    padded = np.zeros((len(blobs), (width + 7) // 8 * 8), np.uint8)
    padded[:, :width] = rows
    return np.ascontiguousarray(padded.view(np.uint64).T)


@dataclass(frozen=True, slots=True)
class _Rows:
    """A state that scans can read concurrently: rows are only appended or freed in place."""

    ids: Ids
    documents: Ids
    words: Words
    count: int


class BitMatrix:
    """Codes with the IDs of their chunks and documents. One writer at a time; scans do not need a lock."""

    def __init__(self, ids: Ids, documents: Ids, words: Words) -> None:
        self._rows = _Rows(ids, documents, words, len(ids))
        self._freed = 0

    def __len__(self) -> int:
        return self._rows.count - self._freed

    def replace(self, touched: Ids, ids: Ids, documents: Ids, words: Words) -> None:
        """Remove the rows of `touched` chunks after adding the new ones, so that a concurrent scan never misses one."""
        rows = self._rows
        outdated = np.flatnonzero(np.isin(rows.ids[: rows.count], touched))
        self._append(ids, documents, words)
        self._rows.ids[outdated] = self._rows.documents[outdated] = FREED
        self._freed += len(outdated)
        if self._freed * SHRINK_SHARE > self._rows.count:
            rows = self._rows
            kept = np.flatnonzero(rows.ids[: rows.count] != FREED)
            packed = np.ascontiguousarray(rows.words[:, kept])
            self._rows = _Rows(rows.ids[kept], rows.documents[kept], packed, len(kept))
            self._freed = 0

    def candidates(
        self,
        code: Words,
        documents: Ids | None,
        share: float,
        low: int,
        high: int,
        choose: Callable[[Words], NDArray[np.intp]] | None = None,
    ) -> Ids:
        """Return the IDs of the rows nearest by Hamming distance, ascending: a share of all, from low to high."""
        rows = self._rows
        ids = rows.ids[: rows.count]
        distances = hamming(rows.words[:, : rows.count], code)
        searched: NDArray[np.intp] | None = None
        if documents is not None or self._freed:
            is_searched = ids != FREED if documents is None else np.isin(rows.documents[: rows.count], documents)
            searched = np.flatnonzero(is_searched)
            distances = distances[searched]
        places = smallest(distances, int(min(max(low, len(distances) * share), high)))
        places = places if searched is None else searched[places]
        if choose is not None:
            places = places[choose(rows.words[:, places])]
        found = ids[places]
        return distinct(found[found != FREED])

    def _append(self, ids: Ids, documents: Ids, words: Words) -> None:
        rows, count = self._rows, self._rows.count + len(ids)
        if count > len(rows.ids):
            more = count + count // 4 - rows.count
            words_more = np.pad(rows.words[:, : rows.count], ((0, 0), (0, more)))
            ids_more, documents_more = (np.pad(each[: rows.count], (0, more)) for each in (rows.ids, rows.documents))
            rows = _Rows(ids_more, documents_more, words_more, rows.count)
        rows.ids[rows.count : count] = ids
        rows.documents[rows.count : count] = documents
        rows.words[:, rows.count : count] = words
        self._rows = _Rows(rows.ids, rows.documents, rows.words, count)


def hamming(words: Words, code: Words) -> NDArray[np.uint16]:
    """Return the differing bits between the code and every column of `words`."""
    distances = np.zeros(words.shape[1], np.uint16)
    unlike, some = np.empty(BLOCK_ROWS, np.uint64), np.empty((2, BLOCK_ROWS), np.uint8)
    for start in range(0, words.shape[1], BLOCK_ROWS):
        block = words[:, start : start + BLOCK_ROWS]
        total = distances[start : start + BLOCK_ROWS]
        differing, (bits, byte) = unlike[: len(total)], some[:, : len(total)]
        for place, (row, word) in enumerate(zip(block, code, strict=True)):
            is_first = place % WORDS_PER_BYTE == 0
            np.bitwise_count(np.bitwise_xor(row, word, out=differing), out=byte if is_first else bits)
            if not is_first:
                np.add(byte, bits, out=byte)
            if place % WORDS_PER_BYTE == WORDS_PER_BYTE - 1 or place == len(code) - 1:
                np.add(total, byte, out=total)
    return distances


def smallest(distances: NDArray[np.uint16], count: int) -> NDArray[np.intp]:
    """Return the positions of the `count` smallest values."""
    if count >= len(distances):
        return np.arange(len(distances))
    limit = np.partition(distances, count - 1)[count - 1]
    near = np.flatnonzero(distances <= limit)
    ties = distances[near] == limit
    below = near[~ties]
    return np.concatenate([below, near[ties][: count - len(below)]])
