"""Which embedding model the corpus is searched with, and which chunks wait for its vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import apsw

from app.errors import EmbedderError, EmbeddingMismatchError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Model:
    """The model whose vectors count, as the file numbers it."""

    id: int
    fingerprint: str
    dimension: int


def adopted(con: apsw.Connection) -> Model | None:
    """The model named in the file, None while nothing was ever embedded."""
    row = con.execute(
        "SELECT m.id, m.fingerprint, m.dimension FROM meta JOIN models m ON m.fingerprint = meta.value"
        " WHERE meta.key = 'embedding_model'"
    ).fetchone()
    return Model(*row) if row else None


def adopt(con: apsw.Connection, fingerprint: str, dimension: int) -> Model:
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
        raise EmbeddingMismatchError(f"The corpus knows this model with {model.dimension} dimensions, not {dimension}.")
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


def required(part: T | None) -> T:
    """What there is with a model; EmbedderError where the corpus was opened without one and never had one."""
    if part is None:
        raise EmbedderError("Nothing in this corpus was embedded yet.")
    return part
