"""The embedding models of a file. The first has the tables `embeddings` and others, a second one the same with the prefix SECOND.

The second model embeds all pages. The first one then no longer embeds pages in other languages than English (`foreign_pages`): its vector
of such a chunk is deleted when the second model's is stored. `waiting` has the chunks without a vector of the first model or, of such
pages, of the second one; `second_waiting` has those without a second vector.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import apsw

from app.corpus.page_texts import TEXT
from app.corpus.vector_index import Model
from app.errors import EmbeddingMismatchError
from app.library.records import EmbeddingModel
from app.text.languages import MAX_TEXT_CHARS, is_english
from app.text.sentence import sentence

SECOND: Final = "second_"  # The prefix of the tables of the second model.
KEYS: Final = {"": "embedding_model", SECOND: "second_model"}  # In `meta`, by prefix.
SET_META: Final = "INSERT INTO meta(key, value) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value"
PAGE_BEGINNINGS: Final = f"""
SELECT id, language, substr({TEXT}, 1, ?) FROM documents JOIN document_texts ON document_id = id ORDER BY id
"""
QUEUE_SECOND: Final = """
INSERT OR IGNORE INTO second_waiting SELECT id, document_id FROM chunks
WHERE id NOT IN (SELECT chunk_id FROM second_embeddings)
"""
EMBEDDED_TWICE: Final = """
DELETE FROM embeddings WHERE chunk_id IN (
  SELECT e.chunk_id FROM second_embeddings e JOIN chunks c ON c.id = e.chunk_id JOIN foreign_pages f ON f.document_id = c.document_id)
"""
QUEUE: Final = """
INSERT INTO waiting(chunk_id, document_id) SELECT c.id, c.document_id FROM chunks c
WHERE NOT EXISTS (SELECT 1 FROM embedding_bits b WHERE b.chunk_id = c.id AND b.model_id = ?)
  AND NOT EXISTS (
    SELECT 1 FROM second_embeddings e CROSS JOIN foreign_pages f ON f.document_id = c.document_id WHERE e.chunk_id = c.id)
"""


def adopted_model(con: apsw.Connection, prefix: str = "") -> Model | None:
    """Return the first or second model of the file, or None while it has none."""
    query = "SELECT m.id, m.fingerprint, m.dimension FROM meta JOIN models m ON m.fingerprint = meta.value WHERE meta.key = ?"
    row: Any = con.execute(query, (KEYS[prefix],)).fetchone()
    return replace(Model(*row), prefix=prefix) if row else None


def adopt_model(con: apsw.Connection, fingerprint: str, dimension: int) -> Model:
    """Change the first model of the file; chunks without a vector of it wait. Raises EmbeddingMismatchError."""
    model = _adopted(con, fingerprint, dimension, "")
    con.execute(SET_META, ("embedding_dim", dimension))
    con.execute("DELETE FROM waiting")
    con.execute(QUEUE, (model.id,))
    return model


def adopt_second(con: apsw.Connection, wanted: EmbeddingModel | None) -> Model | None:
    """Change the second model of the file, or remove it. Raises EmbeddingMismatchError.

    The vectors of a removed one stay until `delete_second`, or until another one is adopted.
    """
    con.execute(f"DELETE FROM foreign_pages; DELETE FROM second_waiting; DELETE FROM meta WHERE key = '{KEYS[SECOND]}'")
    second = None
    if wanted is not None:
        second = _adopted(con, wanted.fingerprint, wanted.dimension, SECOND)
        con.execute("DELETE FROM second_embeddings WHERE model_id <> ?", (second.id,))
        pages: Any = con.execute(PAGE_BEGINNINGS, (MAX_TEXT_CHARS,))
        foreign = [(number,) for number, language, text in pages if not is_english(text, language)]
        con.executemany("INSERT INTO foreign_pages VALUES(?)", foreign)
        con.execute(QUEUE_SECOND)
        con.execute(EMBEDDED_TWICE)
    first = adopted_model(con)
    if first is not None:
        con.execute("DELETE FROM waiting")
        con.execute(QUEUE, (first.id,))
    return second


def delete_second(con: apsw.Connection) -> None:
    """Delete the vectors of a removed second model."""
    for table in ("token_rows", "token_parts", "embedding_bits", "embeddings", "waiting", "changes"):
        con.execute(f"DELETE FROM {SECOND}{table}")


def note_language(con: apsw.Connection, document_id: int, text: str, language: str) -> None:
    """With a second model, record whether a page is in another language than English. If that changed, it is embedded again."""
    if adopted_model(con, SECOND) is None:
        return
    was_foreign = bool(
        con.execute("SELECT EXISTS (SELECT 1 FROM foreign_pages WHERE document_id = ?)", (document_id,)).get
    )
    if was_foreign != is_english(text, language):
        return
    for prefix in KEYS:
        con.execute(
            f"DELETE FROM {prefix}embeddings WHERE chunk_id IN (SELECT id FROM chunks WHERE document_id = ?)",
            (document_id,),
        )
    change = "DELETE FROM foreign_pages WHERE document_id = ?" if was_foreign else "INSERT INTO foreign_pages VALUES(?)"
    con.execute(change, (document_id,))


def _adopted(con: apsw.Connection, fingerprint: str, dimension: int, prefix: str) -> Model:
    con.execute(
        "INSERT INTO models(fingerprint, dimension) VALUES(?, ?) ON CONFLICT(fingerprint) DO NOTHING",
        (fingerprint, dimension),
    )
    query = "SELECT id, fingerprint, dimension FROM models WHERE fingerprint = ?"
    model = replace(Model(*con.execute(query, (fingerprint,)).get), prefix=prefix)
    if model.dimension != dimension:
        raise EmbeddingMismatchError(
            sentence("The library has this model with {} dimensions, not {}.", model.dimension, dimension)
        )
    con.execute(SET_META, (KEYS[prefix], fingerprint))
    return model
