"""Vectors coming in: which chunks wait for them, what is accepted, and what is kept of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import apsw
import numpy as np
from numpy.typing import NDArray

from app import caps
from app.corpus.binding import id_list, ids_of, split_path
from app.corpus.bits import sign_bits
from app.corpus.model import Model, adopted
from app.corpus.records import EmbeddingIn, PassageToEmbed, TokenVectors
from app.errors import EmbedderError, EmbeddingMismatchError

UNIT_TOLERANCE: Final = 1e-3

WAITING = """
SELECT c.id, c.document_id, c.title, c.section_path, c.text
FROM waiting w CROSS JOIN chunks c ON c.id = w.chunk_id
"""

TOKEN_VECTORS = """
SELECT t.chunk_id, t.bits FROM token_vectors t JOIN embeddings e ON e.chunk_id = t.chunk_id
WHERE t.chunk_id IN (SELECT value FROM carray(?1)) AND e.model_id = ?2
"""


def waiting(con: apsw.Connection, limit: int, chunk_ids: Sequence[int]) -> list[PassageToEmbed]:
    """Chunks without a vector of the model, oldest first."""
    if chunk_ids:
        query = WAITING + "WHERE w.chunk_id IN (SELECT value FROM carray(?)) ORDER BY w.chunk_id LIMIT ?"
        rows = con.execute(query, (id_list(ids_of(chunk_ids)), limit))
    else:
        rows = con.execute(WAITING + "ORDER BY w.chunk_id LIMIT ?", (limit,))
    return [
        PassageToEmbed(chunk_id, document_id, title, split_path(section_path), text)
        for chunk_id, document_id, title, section_path, text in rows
    ]


def waiting_ids(con: apsw.Connection, document_ids: Sequence[int]) -> list[int]:
    """Ids of the chunks of these documents that have no vector of the model."""
    query = "SELECT chunk_id FROM waiting WHERE document_id IN (SELECT value FROM carray(?)) ORDER BY chunk_id"
    return [int(row[0]) for row in con.execute(query, (id_list(ids_of(document_ids)),))]


def checked_vector(vector: NDArray[np.float32], dimension: int) -> NDArray[np.float32]:
    """The vector as stored; raises EmbedderError unless it is finite and has the dimension."""
    found = np.ascontiguousarray(vector, "<f4")
    if found.shape != (dimension,):
        raise EmbedderError(f"A vector has the shape {found.shape}; the corpus holds {dimension} dimensions.")
    if not np.isfinite(found).all():
        raise EmbedderError("A vector holds values that are not numbers.")
    return found


def check(item: EmbeddingIn, dimension: int) -> None:
    """Raise EmbedderError unless this is a finite unit vector with token signs of the same dimension."""
    vector = checked_vector(item.vector, dimension)
    if abs(float(np.linalg.norm(vector)) - 1) > UNIT_TOLERANCE:
        raise EmbedderError("A vector does not have unit length.")
    bits = item.token_bits
    if bits.dtype != np.uint8 or bits.ndim != 2 or (len(bits) and bits.shape[1] * 8 != dimension):
        raise EmbedderError(f"Token signs of the shape {bits.shape} do not fit {dimension} dimensions.")


def store(con: apsw.Connection, model: Model, items: Sequence[EmbeddingIn]) -> None:
    """Write checked vectors, replacing older ones; chunks deleted meanwhile are passed over.

    Raises EmbeddingMismatchError if another process has given the corpus another model since it was opened.
    """
    if adopted(con) != model:
        raise EmbeddingMismatchError("The corpus is now used with another embedding model.")
    wanted = id_list(ids_of(item.chunk_id for item in items))
    query = "SELECT id, document_id FROM chunks WHERE id IN (SELECT value FROM carray(?))"
    document_of: dict[int, int] = dict(iter(con.execute(query, (wanted,))))
    for item in items:
        if item.chunk_id in document_of:
            _replace(con, model, item, document_of[item.chunk_id])
    con.execute("DELETE FROM changes WHERE seq <= (SELECT max(seq) FROM changes) - ?", (caps.MAX_CHANGE_ROWS,))


def _replace(con: apsw.Connection, model: Model, item: EmbeddingIn, document_id: int) -> None:
    vector = np.ascontiguousarray(item.vector, "<f4")
    con.execute("DELETE FROM embeddings WHERE chunk_id = ?", (item.chunk_id,))
    con.execute("INSERT INTO embeddings VALUES(?, ?, ?)", (item.chunk_id, model.id, vector))
    bits = sign_bits(vector).tobytes()
    con.execute("INSERT INTO embedding_bits VALUES(?, ?, ?, ?)", (item.chunk_id, model.id, document_id, bits))
    con.execute("INSERT INTO token_vectors VALUES(?, ?)", (item.chunk_id, item.token_bits.tobytes()))


def token_vectors(con: apsw.Connection, model: Model, chunk_ids: Sequence[int]) -> list[TokenVectors]:
    """In the order of the ids; chunks without a vector of the model are left out."""
    rows = con.execute(TOKEN_VECTORS, (id_list(ids_of(chunk_ids)), model.id))
    width = (model.dimension + 7) // 8
    found = {row[0]: np.frombuffer(row[1], np.uint8).reshape(-1, width) for row in rows}
    return [TokenVectors(chunk_id, found[chunk_id]) for chunk_id in chunk_ids if chunk_id in found]
