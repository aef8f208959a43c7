"""An embedder with a cache on disk, so that a second run over the same passages does not need the model."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from app.embed.embedder import Embedder, ModelCard, PassageEmbedding, QueryEmbedding

BUSY_SECONDS: Final = 60.0
BITS_PER_BYTE: Final = 8


class CachingEmbedder:
    """Reads passages from the file, or computes them with `inner` and stores them. Always computes queries.

    Several processes can share a file. The cache is separate for each model fingerprint.
    """

    def __init__(self, inner: Embedder, file: Path) -> None:
        self._inner = inner
        self._lock = threading.Lock()
        self._database = sqlite3.connect(file, check_same_thread=False, timeout=BUSY_SECONDS, isolation_level=None)
        self._database.execute("pragma journal_mode=wal")
        self._database.execute("pragma synchronous=off")
        self._database.execute(
            "create table if not exists passage (key blob primary key, made blob not null) without rowid"
        )
        self.remembered = 0
        self.made = 0

    @property
    def card(self) -> ModelCard:
        return self._inner.card

    def count_tokens_batch(self, texts: Sequence[str]) -> list[int]:
        return self._inner.count_tokens_batch(texts)

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        return self._inner.embed_query(text, context)

    def embed_passage(self, text: str) -> PassageEmbedding:
        key = hashlib.blake2b(f"{self.card.fingerprint}\n{text}".encode("utf-8", "replace"), digest_size=16).digest()
        with self._lock:
            row = self._database.execute("select made from passage where key = ?", (key,)).fetchone()
            self.remembered += row is not None
        if row is not None:
            return self._unpacked(row[0])
        passage = self._inner.embed_passages([text])[0]
        made = passage.vector.astype(np.float32).tobytes() + passage.token_bits.tobytes()
        with self._lock:
            self._database.execute("insert or ignore into passage values (?, ?)", (key, made))
            self.made += 1
        return passage

    def embed_passages(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        return [self.embed_passage(text) for text in texts]

    def release_memory(self, idle_seconds: float) -> bool:
        return self._inner.release_memory(idle_seconds)

    def make_ready(self) -> None:
        self._inner.make_ready()

    def close(self) -> None:
        """Close the file and the inner embedder."""
        with self._lock:
            self._database.close()
        self._inner.close()

    def _unpacked(self, made: bytes) -> PassageEmbedding:
        dimension = self.card.dimension
        size = dimension * np.dtype(np.float32).itemsize
        bits = np.frombuffer(made[size:], np.uint8).reshape(-1, dimension // BITS_PER_BYTE)
        return PassageEmbedding(np.frombuffer(made[:size], np.float32), bits)
