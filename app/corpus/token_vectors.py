"""Token vectors in the file: consecutive equal ones once, in parts that fill the pages of the file.

Versions before the migration `vectors_packed` stored all signs of a chunk in one row of `token_vectors`, which most pages had no room for
twice. These rows are read until `VectorStore.pack` has replaced them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

import apsw
import numpy as np
from numpy.typing import NDArray

from app.corpus.database import Ids, id_list

PART_BYTES: Final = 1_008  # Eight full parts fill a page of 8 KiB.
NUMBER_BYTES: Final = 2  # Of both numbers before the tokens, little-endian.

THINNED: Final = 4
"""Packages have many pages. Of their token vectors, the sign of every fourth value is stored (docs/internals/measurements.md)."""

Bits = NDArray[np.uint8]
PARTS: Final = """
SELECT e.chunk_id, t.bits FROM carray(?1) wanted CROSS JOIN embeddings e ON e.chunk_id = wanted.value
CROSS JOIN token_parts t ON t.chunk_id = e.chunk_id WHERE e.model_id = ?2 ORDER BY wanted.value, t.part
"""
UNPACKED: Final = """
SELECT c.id, t.bits, c.tokens, d.package_id IS NOT NULL FROM carray(?1) wanted CROSS JOIN token_vectors t ON t.chunk_id = wanted.value
CROSS JOIN embeddings e ON e.chunk_id = t.chunk_id CROSS JOIN chunks c ON c.id = t.chunk_id CROSS JOIN documents d ON d.id = c.document_id
WHERE e.model_id = ?2
"""


def read(con: apsw.Connection, chunk_ids: Sequence[int] | Ids, model_id: int, dimension: int) -> dict[int, Bits]:
    """Return the token vectors of the chunks with vectors of the model: uint8 (tokens, dimension / 8), thinned (tokens, dimension / 32)."""
    wanted, width = id_list(chunk_ids), (dimension + 7) // 8
    found: dict[int, Bits] = {}
    for chunk_id, bits, tokens, is_package in con.execute(UNPACKED, (wanted, model_id)):
        # Packages were not always thinned. The tokens of long headings add to those of a short chunk.
        is_thin = is_package and (len(bits) < tokens * width or len(bits) % width)
        found[chunk_id] = np.frombuffer(bits, np.uint8).reshape(-1, thin_width(width) if is_thin else width)
    for chunk_id, parts in groupby(con.execute(PARTS, (wanted, model_id)), itemgetter(0)):
        found[chunk_id] = unpacked(b"".join(bits for _, bits in parts))
        if found[chunk_id].shape[1] not in (width, thin_width(width)):
            raise ValueError("the number of signs does not match the model")
    return found


def write(con: apsw.Connection, chunk_id: int, bits: Bits) -> None:
    """Store the token vectors of a chunk that has none."""
    blob = packed(bits)
    starts = range(0, len(blob), PART_BYTES)
    con.executemany(
        "INSERT INTO token_parts VALUES(?, ?, ?)",
        ((chunk_id, part, blob[start : start + PART_BYTES]) for part, start in enumerate(starts)),
    )


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
