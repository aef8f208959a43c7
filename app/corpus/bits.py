"""The sign codes of all vectors in memory, scanned by Hamming distance: 64 bytes for 384 dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.corpus.binding import Ids, distinct

Words = NDArray[np.uint64]

BLOCK_ROWS: Final = 65_536
"""Rows scanned at a time, so that the intermediate results stay in the processor's cache."""

FREED: Final = -1
SHRINK_SHARE: Final = 4
"""The matrix is packed again once one row in this many is free."""


def sign_bits(vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The signs along the last axis, eight to a byte, as `embedding_bits` stores them."""
    return np.packbits(vectors > 0, axis=-1, bitorder="little")


def words_of(blobs: Sequence[bytes], dimension: int) -> Words:
    """Stored codes as one column per row of 64-bit words: shape (words, rows)."""
    width = (dimension + 7) // 8
    rows = np.frombuffer(b"".join(blobs), np.uint8).reshape(len(blobs), width)
    padded = np.zeros((len(blobs), (width + 7) // 8 * 8), np.uint8)
    padded[:, :width] = rows
    return np.ascontiguousarray(padded.view(np.uint64).T)


@dataclass(frozen=True, slots=True)
class _Rows:
    """A state that scans may read meanwhile: rows are only appended behind it or freed in place."""

    ids: Ids
    documents: Ids
    words: Words
    count: int


class BitMatrix:
    """Codes with the ids of their chunks and documents. One writer at a time; scans need no lock."""

    def __init__(self, ids: Ids, documents: Ids, words: Words) -> None:
        self._rows = _Rows(ids, documents, words, len(ids))
        self._freed = 0

    def __len__(self) -> int:
        return self._rows.count - self._freed

    def replace(self, touched: Ids, ids: Ids, documents: Ids, words: Words) -> None:
        """Forget what was known of the chunks `touched` and add the rows given.

        In this order, so that a scan meanwhile may see a row twice but misses none.
        """
        rows = self._rows
        outdated = np.flatnonzero(np.isin(rows.ids[: rows.count], touched))
        self._append(ids, documents, words)
        self._rows.ids[outdated] = self._rows.documents[outdated] = FREED
        self._freed += len(outdated)
        if self._freed * SHRINK_SHARE > self._rows.count:
            self._pack()

    def candidates(self, code: Words, documents: Ids | None, share: float, low: int, high: int) -> Ids:
        """Ids of the rows nearest by Hamming distance, ascending: a share of those searched, low to high."""
        rows = self._rows
        ids = rows.ids[: rows.count]
        distances = hamming(rows.words[:, : rows.count], code)
        if documents is not None or self._freed:
            searched = ids != FREED if documents is None else np.isin(rows.documents[: rows.count], documents)
            ids, distances = ids[searched], distances[searched]
        wanted = int(min(max(low, len(ids) * share), high))
        found = ids[smallest(distances, wanted)]
        return distinct(found[found != FREED])

    def _append(self, ids: Ids, documents: Ids, words: Words) -> None:
        rows, count = self._rows, self._rows.count + len(ids)
        if count > len(rows.ids):
            rows = _grown(rows, count + count // 4)
        rows.ids[rows.count : count] = ids
        rows.documents[rows.count : count] = documents
        rows.words[:, rows.count : count] = words
        self._rows = _Rows(rows.ids, rows.documents, rows.words, count)

    def _pack(self) -> None:
        rows = self._rows
        kept = np.flatnonzero(rows.ids[: rows.count] != FREED)
        words = np.ascontiguousarray(rows.words[:, kept])
        self._rows = _Rows(rows.ids[kept], rows.documents[kept], words, len(kept))
        self._freed = 0


def _grown(rows: _Rows, capacity: int) -> _Rows:
    count = rows.count
    grown = _Rows(
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty((len(rows.words), capacity), np.uint64),
        count,
    )
    grown.ids[:count] = rows.ids[:count]
    grown.documents[:count] = rows.documents[:count]
    grown.words[:, :count] = rows.words[:, :count]
    return grown


def hamming(words: Words, code: Words) -> NDArray[np.uint16]:
    """Differing bits between the code and every column of `words`."""
    count = words.shape[1]
    distances = np.empty(count, np.uint16)
    for start in range(0, count, BLOCK_ROWS):
        block = words[:, start : start + BLOCK_ROWS]
        total = np.bitwise_count(block[0] ^ code[0]).astype(np.uint16)
        for row, word in zip(block[1:], code[1:], strict=True):
            total += np.bitwise_count(row ^ word)
        distances[start : start + BLOCK_ROWS] = total
    return distances


def smallest(distances: NDArray[np.uint16], count: int) -> NDArray[np.intp]:
    """Places of the `count` smallest values. Few values occur, so a histogram beats a partial sort."""
    if count >= len(distances):
        return np.arange(len(distances))
    limit = np.searchsorted(np.cumsum(np.bincount(distances)), count)
    below = np.flatnonzero(distances < limit)
    return np.concatenate([below, np.flatnonzero(distances == limit)[: count - len(below)]])
