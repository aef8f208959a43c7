"""Cached token vectors of passages before they become signs, to test other storage formats."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.embed.onnx import OnnxEmbedder

BUSY_SECONDS: Final = 60.0
States = NDArray[np.float32]


class TokenStates:
    """Returns the model's last hidden states of a passage's own tokens, float32 (tokens, dimension), from the file if possible.

    The file stores float16, about 110 KB per passage; signs stay the same. With `file` None, nothing is stored. Not thread-safe.
    """

    def __init__(self, embedder: OnnxEmbedder, file: Path | None) -> None:
        self._embedder = embedder
        self._database = sqlite3.connect(file or ":memory:", timeout=BUSY_SECONDS, isolation_level=None)
        self._database.execute("pragma journal_mode=wal")
        self._database.execute("pragma synchronous=off")
        self._database.execute("create table if not exists states (key blob primary key, made blob not null)")
        self._keeps = file is not None
        self.made = 0

    def of(self, text: str) -> States:
        """Return the states of a passage as it is embedded."""
        key = hashlib.blake2b(f"{self._embedder.card.fingerprint}\n{text}".encode("utf-8", "replace"), digest_size=16)
        row = self._database.execute("select made from states where key = ?", (key.digest(),)).fetchone()
        if row is not None:
            kept = np.frombuffer(row[0], np.float16).reshape(-1, self._embedder.card.dimension)
            return kept.astype(np.float32)
        _, states = self._embedder.passage_states(text)
        self.made += 1
        if self._keeps:
            # float16 rounds small values to zero. Replace them with the smallest number to keep the sign.
            least = np.finfo(np.float16).tiny
            small = np.where(np.abs(states) < least, np.copysign(least, states), states).astype(np.float16)
            self._database.execute("insert or ignore into states values (?, ?)", (key.digest(), small.tobytes()))
        return states

    def close(self) -> None:
        """Close the file. The embedder stays open."""
        self._database.close()
