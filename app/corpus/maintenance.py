"""Checks of the whole file: what SQLite can say, what the derived tables must agree with, and that every quote can be cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import apsw
import numpy as np

from app.corpus.bits import sign_bits
from app.corpus.embeddings import UNIT_TOLERANCE
from app.corpus.records import Problem
from app.corpus.writing import is_cut_from

MAX_PROBLEMS_PER_CHECK = 20

COUNTED = (
    (
        "chunks without an entry in the keyword index",
        "SELECT id FROM chunks EXCEPT SELECT id FROM chunks_fts_docsize",
    ),
    ("keyword entries without a chunk", "SELECT id FROM chunks_fts_docsize EXCEPT SELECT id FROM chunks"),
    (
        "vectors without sign codes",
        "SELECT chunk_id FROM embeddings EXCEPT SELECT chunk_id FROM embedding_bits",
    ),
    (
        "vectors without token signs",
        "SELECT chunk_id FROM embeddings EXCEPT SELECT chunk_id FROM token_vectors",
    ),
    (
        "sign codes filed under another model or document",
        "SELECT b.chunk_id FROM embedding_bits b JOIN embeddings e USING (chunk_id) JOIN chunks c ON c.id = b.chunk_id"
        " WHERE b.model_id <> e.model_id OR b.document_id <> c.document_id",
    ),
    (
        "chunks neither embedded nor waiting",
        "SELECT id FROM chunks EXCEPT SELECT chunk_id FROM waiting EXCEPT SELECT chunk_id FROM embedding_bits"
        " WHERE model_id = (SELECT m.id FROM models m JOIN meta ON meta.value = m.fingerprint WHERE key = 'embedding_model')",
    ),
    (
        "chunks embedded and still waiting",
        "SELECT w.chunk_id FROM waiting w JOIN embedding_bits b USING (chunk_id)"
        " WHERE b.model_id = (SELECT m.id FROM models m JOIN meta ON meta.value = m.fingerprint WHERE key = 'embedding_model')",
    ),
    (
        "chunks with a title that is not their document's",
        "SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.title <> d.title",
    ),
    (
        "documents whose chunks are not numbered from 0 without gaps",
        "SELECT document_id FROM chunks GROUP BY document_id"
        " HAVING min(ord) <> 0 OR max(ord) <> count(*) - 1 OR count(DISTINCT ord) <> count(*)",
    ),
    ("documents without text", "SELECT id FROM documents EXCEPT SELECT document_id FROM document_texts"),
)

VECTORS = """
SELECT e.chunk_id, e.vector, b.bits, length(t.bits), m.dimension FROM embeddings e JOIN models m ON m.id = e.model_id
JOIN embedding_bits b ON b.chunk_id = e.chunk_id JOIN token_vectors t ON t.chunk_id = e.chunk_id
"""

CHUNKS = """
SELECT id, text, "start", "end", prefix_length, suffix_length FROM chunks WHERE document_id = ?
"""

Check = Callable[[apsw.Connection], Iterator[str]]


def verify(con: apsw.Connection) -> list[Problem]:
    """Everything found wrong, at most MAX_PROBLEMS_PER_CHECK of a kind; `con` is the writer inside a transaction."""
    problems: list[Problem] = []
    for name, check in CHECKS.items():
        for number, detail in enumerate(check(con)):
            if number == MAX_PROBLEMS_PER_CHECK:
                problems.append(Problem(name, "… and more"))
                break
            problems.append(Problem(name, detail))
    return problems


def _integrity(con: apsw.Connection) -> Iterator[str]:
    for (message,) in con.execute("PRAGMA integrity_check(20)"):
        if message != "ok":
            yield message


def _foreign_keys(con: apsw.Connection) -> Iterator[str]:
    for table, row_id, parent, _ in con.execute("PRAGMA foreign_key_check"):
        yield f"row {row_id} of {table} points at nothing in {parent}"


def _keyword_index(con: apsw.Connection) -> Iterator[str]:
    try:
        con.execute("INSERT INTO chunks_fts(chunks_fts, rank) VALUES('integrity-check', 1)")
    except apsw.CorruptError as error:
        yield f"the keyword index does not agree with the chunks ({error})"


def _agreement(con: apsw.Connection) -> Iterator[str]:
    for what, query in COUNTED:
        found = [row[0] for row in con.execute(query)]
        if found:
            yield f"{len(found)} {what}: ids {', '.join(map(str, found[:5]))}"


def _texts(con: apsw.Connection) -> Iterator[str]:
    for document_id, url, text in con.execute(
        "SELECT d.id, d.url, t.text FROM documents d JOIN document_texts t ON t.document_id = d.id"
    ):
        for chunk_id, chunk_text, *place in con.execute(CHUNKS, (document_id,)):
            if not is_cut_from(text, chunk_text, *place):
                yield f"chunk {chunk_id} is not the text of {url} at {place[0]}-{place[1]}"


def _vectors(con: apsw.Connection) -> Iterator[str]:
    for chunk_id, blob, bits, token_bytes, dimension in con.execute(VECTORS):
        if len(blob) != dimension * 4:
            yield f"the vector of chunk {chunk_id} has {len(blob)} bytes instead of {dimension * 4}"
            continue
        vector = np.frombuffer(blob, "<f4")
        if not abs(float(np.linalg.norm(vector)) - 1) <= UNIT_TOLERANCE:
            yield f"the vector of chunk {chunk_id} does not have unit length"
        if bits != sign_bits(vector).tobytes():
            yield f"the sign code of chunk {chunk_id} is not that of its vector"
        if token_bytes * 8 % dimension:
            yield f"the token signs of chunk {chunk_id} have {token_bytes} bytes"


CHECKS: dict[str, Check] = {
    "file": _integrity,
    "references": _foreign_keys,
    "keyword index": _keyword_index,
    "agreement": _agreement,
    "texts": _texts,
    "vectors": _vectors,
}
