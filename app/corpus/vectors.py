"""Vectors of chunks and of their tokens: storing them, chunks that are not embedded yet, and semantic search.

Token vectors are stored in rows that fill the pages of the file, consecutive equal ones once. Versions before the migration `rows_filled`
stored them in parts of equal size in `token_parts`, versions before `vectors_packed` all signs of a chunk in one row of `token_vectors`.
These rows are read until `VectorStore.pack` has replaced them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Final, TypeVar

import apsw
import numpy as np
from numpy.typing import NDArray

from app.corpus.database import Database, Ids, Store, id_list, ids_of, split_path
from app.corpus.documents import searched_ids
from app.corpus.models import KEYS, SECOND, adopted_model
from app.corpus.page_texts import read_text, write_text
from app.corpus.vector_index import LAST_CHANGE, Model, Vector, VectorIndex, coded, sign_bits, similarities, vectors_of
from app.errors import EmbedderError, EmbeddingMismatchError
from app.library.protocol import VectorWriter
from app.library.records import EmbeddingIn, Hit, PassageToEmbed, TokenVectors, check_embedding, checked_vector
from app.library.scope import EVERYTHING, Filter
from app.text.sentence import sentence

OLD_CHANGES: Final = "DELETE FROM {p}changes WHERE seq <= (SELECT max(seq) FROM {p}changes) - ?"
MAX_CHANGE_ROWS: Final = 50_000  # Changes in the log; a process that is further behind reads all codes again.

T = TypeVar("T")
WAITING: Final = """
SELECT c.id, c.document_id, c.title, c.section_path, c.text
FROM {p}waiting w CROSS JOIN chunks c ON c.id = w.chunk_id
"""
ENGLISH: Final = "NOT EXISTS (SELECT 1 FROM foreign_pages f WHERE f.document_id = w.document_id)"
FOREIGN_WAITING: Final = """
SELECT c.id, c.document_id, c.title, c.section_path, c.text FROM foreign_pages f
CROSS JOIN second_waiting w ON w.document_id = f.document_id CROSS JOIN chunks c ON c.id = w.chunk_id LIMIT ?
"""
OF_SECOND: Final = """
SELECT c.id FROM carray(?1) wanted CROSS JOIN chunks c ON c.id = wanted.value JOIN foreign_pages f ON f.document_id = c.document_id
WHERE NOT EXISTS (SELECT 1 FROM embeddings e JOIN models m ON m.id = e.model_id
  JOIN meta ON meta.key = 'embedding_model' AND meta.value = m.fingerprint WHERE e.chunk_id = c.id)
"""
UNPACKED_CHUNKS: Final = """
SELECT c.id, c.document_id, c.title, c.section_path, c.text, m.id, m.dimension, e.vector, t.bits IS NOT NULL,
  EXISTS (SELECT 1 FROM documents WHERE id = c.document_id AND package_id IS NOT NULL)
FROM chunks c CROSS JOIN {p}embeddings e ON e.chunk_id = c.id CROSS JOIN models m ON m.id = e.model_id
LEFT JOIN token_vectors t ON t.chunk_id = c.id
WHERE c.document_id = ? AND (octet_length(e.vector) <> m.dimension OR t.bits IS NOT NULL
  OR EXISTS (SELECT 1 FROM {p}token_parts p WHERE p.chunk_id = c.id)) ORDER BY c.id LIMIT ?
"""  # CROSS JOIN: with its statistics, SQLite would begin with all vectors for every page.
SHORTEN_KEYS: Final = "UPDATE OR IGNORE chunks SET key = substr(key, 1, 16) WHERE document_id = ? AND length(key) = 64"
STORED_CHUNKS: Final = """
SELECT c.id, d.id, d.package_id IS NOT NULL FROM chunks c JOIN documents d ON d.id = c.document_id
WHERE c.id IN (SELECT value FROM carray(?))
"""


class VectorStore(Store, VectorWriter):
    """Vectors of a model in use."""

    def __init__(self, database: Database, model: Model | None) -> None:
        super().__init__(database)
        self._model = model
        self._sql = (model or Model(0, "", 0)).sql
        self.prefix = model.prefix if model is not None else ""
        self.index: VectorIndex | None = VectorIndex(model) if model else None

    def nearest(self, vector: Vector, *, filter: Filter = EVERYTHING, k: int) -> list[Hit]:
        query = checked_vector(vector, _required(self._model).dimension)
        with self._database.read() as con:
            return _required(self.index).nearest(con, query, documents=searched_ids(con, filter), k=k)

    def similarities(self, vector: Vector, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosines of the given chunks that have vectors. Raises EmbedderError like `nearest`."""
        model = _required(self._model)
        query = checked_vector(vector, model.dimension)
        with self._database.read() as con:
            hits = similarities(con, model, query, ids_of(chunk_ids), len(chunk_ids))
        return {hit.chunk_id: hit.score for hit in hits}

    def token_vectors(self, chunk_ids: Sequence[int]) -> list[TokenVectors]:
        model = _required(self._model)
        with self._database.read() as con:
            found = read_token_vectors(con, chunk_ids, model.id, model.dimension, model.prefix)
        return [TokenVectors(chunk_id, found[chunk_id]) for chunk_id in chunk_ids if chunk_id in found]

    def waiting(
        self, limit: int, *, chunk_ids: Sequence[int] = (), document_id: int | None = None
    ) -> list[PassageToEmbed]:
        """Return chunks to embed: of the first model in stored order, of a second one those of pages in other languages first."""
        is_second = self.prefix == SECOND
        named = "TRUE" if is_second else ENGLISH
        values: list[Any] = [limit]
        if chunk_ids:
            named, values = f"{named} AND w.chunk_id IN (SELECT value FROM carray(?2))", [limit, id_list(chunk_ids)]
        elif document_id is not None:
            named, values = f"{named} AND w.document_id = ?2", [limit, document_id]
        rows = self._rows(FOREIGN_WAITING, limit) if is_second and len(values) == 1 else []
        rows = rows or self._rows(self._sql(f"{WAITING} WHERE {named} ORDER BY w.chunk_id LIMIT ?1"), *values)
        return [PassageToEmbed(id_, page, title, split_path(path), text) for id_, page, title, path, text in rows]

    def waiting_ids(self, document_ids: Sequence[int]) -> list[int]:
        query = "SELECT chunk_id FROM {p}waiting WHERE document_id IN (SELECT value FROM carray(?)) ORDER BY chunk_id"
        return [row[0] for row in self._rows(self._sql(query), id_list(document_ids))]

    def has_waiting(self) -> bool:
        return bool(self._value(self._sql("SELECT EXISTS (SELECT 1 FROM {p}waiting)")))

    def waiting_among(self, chunk_ids: Sequence[int]) -> set[int]:
        query = "SELECT chunk_id FROM {p}waiting WHERE chunk_id IN (SELECT value FROM carray(?))"
        return {row[0] for row in self._rows(self._sql(query), id_list(chunk_ids))}

    def only_in_second(self, chunk_ids: Sequence[int]) -> set[int]:
        """Return the chunks of pages in other languages than English that the first model has not embedded."""
        return {row[0] for row in self._rows(OF_SECOND, id_list(chunk_ids))}

    def count_waiting(self) -> int:
        return int(self._value(self._sql("SELECT count(*) FROM {p}waiting")))

    def last_change(self) -> int:
        """Return a number that increases with every change of vectors."""
        return int(self._value(self._sql(LAST_CHANGE)) or 0)

    def store(self, items: Sequence[EmbeddingIn]) -> None:
        model = _required(self._model)
        for item in items:
            check_embedding(item, model.dimension)
        with self._database.write() as con:
            if adopted_model(con, model.prefix) != model:
                raise EmbeddingMismatchError(sentence("The library now uses another embedding model."))
            wanted = id_list(item.chunk_id for item in items)
            stored = {row[0]: row[1:] for row in con.execute(STORED_CHUNKS, (wanted,))}
            # In order, rows fill the pages of the file. Each thread embeds every second passage.
            for item in sorted((each for each in items if each.chunk_id in stored), key=lambda each: each.chunk_id):
                document_id, is_thin = stored[item.chunk_id]
                vector = np.ascontiguousarray(item.vector, "<f4")
                con.execute(model.sql("DELETE FROM {p}embeddings WHERE chunk_id = ?"), (item.chunk_id,))
                values = (item.chunk_id, model.id, coded(vector))
                con.execute(model.sql("INSERT INTO {p}embeddings VALUES(?, ?, ?)"), values)
                codes = (item.chunk_id, model.id, document_id, sign_bits(vector).tobytes())
                con.execute(model.sql("INSERT INTO {p}embedding_bits VALUES(?, ?, ?, ?)"), codes)
                bits = thinned(item.token_bits) if is_thin else item.token_bits
                write_token_vectors(con, item.chunk_id, bits, model.prefix)
            con.execute(model.sql(OLD_CHANGES), (MAX_CHANGE_ROWS,))

    def pack(self, limit: int, merged: Callable[[PassageToEmbed, Bits], Bits]) -> int:
        """Rewrite pages of an earlier version and their passages in one transaction; return how many, at most about `limit`.

        `merged` returns the token vectors of a passage of the model in use as this version makes them.
        """
        if not self._value("SELECT EXISTS (SELECT 1 FROM unpacked)"):
            return 0
        done = 0
        with self._database.write() as con:
            while done < limit and (page := con.execute("SELECT min(document_id) FROM unpacked").get) is not None:
                for prefix in KEYS:
                    rows: list[Any] = con.execute(UNPACKED_CHUNKS.format(p=prefix), (page, limit - done)).fetchall()
                    for row in rows:
                        self._pack_passage(con, merged, prefix, row)
                    done += len(rows)
                if done < limit:
                    write_text(con, page, read_text(con, page) or "")
                    con.execute(SHORTEN_KEYS, (page,))
                    con.execute("DELETE FROM unpacked WHERE document_id = ?", (page,))
                    done += 1
        return done

    def _pack_passage(
        self, con: apsw.Connection, merged: Callable[[PassageToEmbed, Bits], Bits], prefix: str, row: Sequence[Any]
    ) -> None:
        chunk_id, document_id, title, path, text, model_id, dimension, vector, is_whole, is_thin = row
        made = coded(vectors_of([vector], dimension)[0])
        con.execute(f"UPDATE {prefix}embeddings SET vector = ? WHERE chunk_id = ?", (made, chunk_id))
        bits = read_token_vectors(con, [chunk_id], model_id, dimension, prefix).get(chunk_id)
        if bits is None:
            return
        if is_whole and self._model is not None and model_id == self._model.id:
            bits = merged(PassageToEmbed(chunk_id, document_id, title, split_path(path), text), bits)
        con.execute(FORGET.format(p=prefix), {"id": chunk_id})
        is_full = bits.shape[1] == (dimension + 7) // 8
        write_token_vectors(con, chunk_id, thinned(bits) if is_thin and is_full else bits, prefix)


def _required(part: T | None) -> T:
    """Return the part that depends on a model. Raises EmbedderError if the corpus never had one."""
    if part is None:
        raise EmbedderError(sentence("Nothing in this library is embedded yet."))
    return part


PAGE_ROOM: Final = 8_184  # Bytes for rows in a page of 8 KiB, each with ROW_BYTES for its number and lengths.
ROW_BYTES: Final = 14
MOST_BYTES: Final = 8_153  # Of a row: SQLite divides a longer one.
LEAST_BYTES: Final = 100  # Left in a page to begin a row there.
ROWS_SEEN: Final = 100  # Most rows in front of a new one to read for the space that its page has left.
ROWS_PER_CHUNK: Final = 4_096  # The number of a row is that of its chunk, multiplied, plus its place in it.
NUMBER_BYTES: Final = 2  # Of both numbers before the tokens, little-endian.
THINNED: Final = 4
"""Packages have many pages. Of their token vectors, the sign of every fourth value is stored (docs/internals/measurements.md)."""

Bits = NDArray[np.uint8]
OF_CHUNK: Final = f"BETWEEN {{0}} * {ROWS_PER_CHUNK} AND {{0}} * {ROWS_PER_CHUNK} + {ROWS_PER_CHUNK - 1}"
ROWS: Final = f"""
SELECT e.chunk_id, t.bits FROM carray(?1) wanted CROSS JOIN {{p}}embeddings e ON e.chunk_id = wanted.value
CROSS JOIN {{p}}token_rows t ON t.id {OF_CHUNK.format("e.chunk_id")} WHERE e.model_id = ?2 ORDER BY wanted.value, t.id
"""
PARTS: Final = """
SELECT e.chunk_id, t.bits FROM carray(?1) wanted CROSS JOIN {p}embeddings e ON e.chunk_id = wanted.value
CROSS JOIN {p}token_parts t ON t.chunk_id = e.chunk_id WHERE e.model_id = ?2 ORDER BY wanted.value, t.part
"""
FORGET: Final = f"""
DELETE FROM token_vectors WHERE chunk_id = :id; DELETE FROM {{p}}token_parts WHERE chunk_id = :id;
DELETE FROM {{p}}token_rows WHERE id {OF_CHUNK.format(":id")}
"""
BEFORE: Final = "SELECT id, octet_length(bits) FROM {p}token_rows WHERE id < ? ORDER BY id DESC"
UNPACKED: Final = """
SELECT c.id, t.bits, c.tokens, d.package_id IS NOT NULL FROM carray(?1) wanted CROSS JOIN token_vectors t ON t.chunk_id = wanted.value
CROSS JOIN embeddings e ON e.chunk_id = t.chunk_id CROSS JOIN chunks c ON c.id = t.chunk_id CROSS JOIN documents d ON d.id = c.document_id
WHERE e.model_id = ?2
"""


def read_token_vectors(
    con: apsw.Connection, chunk_ids: Sequence[int] | Ids, model_id: int, dimension: int, prefix: str = ""
) -> dict[int, Bits]:
    """Return the token vectors of the chunks with vectors of the model: uint8 (tokens, dimension / 8), thinned (tokens, dimension / 32)."""
    wanted, width = id_list(chunk_ids), (dimension + 7) // 8
    found: dict[int, Bits] = {}
    # The second model has none of an earlier version.
    unpacked_rows: Any = con.execute(UNPACKED, (wanted, model_id)) if not prefix else ()
    for chunk_id, bits, tokens, is_package in unpacked_rows:
        # Packages were not always thinned. The tokens of long headings add to those of a short chunk.
        is_thin = is_package and (len(bits) < tokens * width or len(bits) % width)
        found[chunk_id] = np.frombuffer(bits, np.uint8).reshape(-1, thin_width(width) if is_thin else width)
    rows = (row for query in (PARTS, ROWS) for row in con.execute(query.format(p=prefix), (wanted, model_id)))
    for chunk_id, parts in groupby(rows, itemgetter(0)):
        found[chunk_id] = unpacked(b"".join(bits for _, bits in parts))
        if found[chunk_id].shape[1] not in (width, thin_width(width)):
            raise ValueError("the number of signs does not match the model")
    return found


def write_token_vectors(con: apsw.Connection, chunk_id: int, bits: Bits, prefix: str = "") -> None:
    """Store the token vectors of a chunk that has none, divided where a page of the file ends."""
    first, blob = chunk_id * ROWS_PER_CHUNK, packed(bits)
    # The space that the page in front has left: every row but the first one of a chunk begins a page.
    sizes: list[int] = []
    for number, size in islice(con.execute(BEFORE.format(p=prefix), (first,)), ROWS_SEEN):
        sizes.append(size)
        if number % ROWS_PER_CHUNK:
            break
    room = 0
    for size in reversed(sizes):
        room = (room if room >= LEAST_BYTES else PAGE_ROOM) - size - ROW_BYTES
    rows: list[tuple[int, bytes]] = []
    while blob:
        room = room if room >= LEAST_BYTES else PAGE_ROOM
        size = min(room - ROW_BYTES, MOST_BYTES)
        rows.append((first + len(rows), blob[:size]))
        blob, room = blob[size:], room - size - ROW_BYTES
    con.executemany(f"INSERT INTO {prefix}token_rows VALUES(?, ?)", rows)


def thin_width(width: int) -> int:
    """Return the bytes of the thinned signs of a token vector whose signs have `width` bytes."""
    return width if width % THINNED else width // THINNED


def thinned(bits: Bits) -> Bits:
    """Return every fourth sign of token vectors, or all if their number is not divisible."""
    return bits if bits.shape[1] % THINNED else np.packbits(np.unpackbits(bits, axis=1)[:, ::THINNED], axis=1)


def packed(bits: Bits) -> bytes:
    """Return the number of tokens and the bytes of each, a bit for each that says if it differs from the one before, and those that do."""
    differs = np.ones(len(bits), bool)
    differs[1:] = (bits[1:] != bits[:-1]).any(axis=1)
    head = b"".join(number.to_bytes(NUMBER_BYTES, "little") for number in bits.shape)
    return head + np.packbits(differs).tobytes() + bits[differs].tobytes()


def unpacked(blob: bytes) -> Bits:
    """Return what was packed. Raises ValueError or IndexError for anything else."""
    count, width = (int.from_bytes(blob[at : at + NUMBER_BYTES], "little") for at in (0, NUMBER_BYTES))
    marks = np.frombuffer(blob, np.uint8, (count + 7) // 8, 2 * NUMBER_BYTES)
    places = np.cumsum(np.unpackbits(marks, count=count), dtype=np.intp) - 1
    kept = np.frombuffer(blob, np.uint8, offset=2 * NUMBER_BYTES + len(marks)).reshape(-1, width)
    if len(kept) != (places[-1] + 1 if count else 0):
        raise ValueError("the number of token vectors does not match")
    return kept[places]
