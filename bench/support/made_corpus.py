"""A generated corpus of any size from a fixed seed, and its exact vectors.

The vectors form wide topics on a curved surface of few dimensions and are about as hard for sign codes as MiniLM vectors of documentation.
Among 10,000, the 400 best codes contain 0.999 of the ten nearest, the 200 best 0.99 (MiniLM: 0.998 and 0.994). Texts are words with Zipf
frequencies, token vectors random bits.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.corpus import Corpus
from app.library.records import ChunkIn, DocumentIn, EmbeddingIn

SEED: Final = 2026
CHUNKS_PER_DOCUMENT: Final = 20
WORDS_PER_CHUNK: Final = 110
TOKENS_PER_CHUNK: Final = 160
VOCABULARY: Final = 30_000
STOP_WORDS: Final = 150
FREQUENT_WORDS: Final = 5_000
WORDS_PER_QUERY: Final = 5
SITES: Final = 50
LATENT: Final = 32
CHUNKS_PER_TOPIC: Final = 20_000
EMBEDDING_BATCH: Final = 64
BLOCK: Final = 20_000
"""Vectors to create or compare at a time, to avoid a second copy of a million."""

BASE_FILE: Final = "base.npy"
ASKED_FILE: Final = "asked.npy"

Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Surface:
    """Surface of the vectors: the centers of topics, and the mapping from few dimensions to many."""

    topics: NDArray[np.float64]
    bend: NDArray[np.float64]
    spread: NDArray[np.float64]

    @classmethod
    def of(cls, rng: np.random.Generator, count: int, dimension: int) -> Surface:
        topics = rng.normal(size=(max(1, count // CHUNKS_PER_TOPIC), LATENT))
        return cls(topics, rng.normal(size=(LATENT, 2 * LATENT)), rng.normal(size=(2 * LATENT, dimension)))

    def vectors(self, rng: np.random.Generator, count: int) -> Matrix:
        """Return unit vectors of random topics."""
        latent = self.topics[rng.integers(len(self.topics), size=count)] + rng.normal(size=(count, LATENT))
        made = np.tanh(latent @ self.bend / np.sqrt(LATENT)) @ self.spread / np.sqrt(2 * LATENT)
        made += 0.15 * rng.normal(size=made.shape)
        unit: Matrix = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
        return unit


def make_vectors(folder: Path, count: int, asked: int, dimension: int) -> tuple[Matrix, Matrix]:
    """Return `count` vectors in a mapped file, and `asked` more as questions. Reuses the vectors of an earlier run with the same number."""
    if (folder / ASKED_FILE).exists():
        base, questions = np.load(folder / BASE_FILE, mmap_mode="r"), np.load(folder / ASKED_FILE)
        if base.shape == (count, dimension) and len(questions) >= asked:
            return base, questions[:asked]
    rng = np.random.default_rng(SEED)
    surface = Surface.of(rng, count, dimension)
    base = np.lib.format.open_memmap(folder / BASE_FILE, mode="w+", dtype=np.float32, shape=(count, dimension))
    for start in range(0, count, BLOCK):
        base[start : start + BLOCK] = surface.vectors(rng, min(BLOCK, count - start))
    questions = surface.vectors(rng, asked)
    np.save(folder / ASKED_FILE, questions)
    return base, questions


def documents(rng: np.random.Generator, count: int) -> Iterator[DocumentIn]:
    """Yield `count` documents of generated words."""
    words = np.array([f"w{rank:x}" for rank in range(VOCABULARY)])
    reach = np.cumsum(1 / np.arange(1, VOCABULARY + 1))
    for number in range(count):
        ranks = np.searchsorted(reach, rng.random((CHUNKS_PER_DOCUMENT, WORDS_PER_CHUNK)) * reach[-1])
        parts = [" ".join(words[row]) for row in ranks]
        yield document(f"https://site{number % SITES}.example/page/{number}", parts)


def document(url: str, parts: Sequence[str]) -> DocumentIn:
    """Return a document whose chunks are the parts."""
    chunks, start = [], 0
    for part in parts:
        key = hashlib.sha256(f"{url}|{part}".encode()).hexdigest()
        end = start + len(part)
        chunks.append(ChunkIn(key, ("Guide", part[:12]), None, part, start, end, 0, 0, TOKENS_PER_CHUNK))
        start = end + 2
    text = "\n\n".join(parts)
    content_hash = hashlib.sha256(text.encode()).hexdigest()
    return DocumentIn(url, f"Page {url[-5:]}", text, content_hash, "web", tuple(chunks))


def store_texts(corpus: Corpus, count: int) -> tuple[list[int], float]:
    """Return the IDs of the stored chunks, and chunks per second."""
    ids: list[int] = []
    seconds = 0.0
    for each in documents(np.random.default_rng(SEED), count // CHUNKS_PER_DOCUMENT):
        began = time.perf_counter()
        ids.extend(corpus.documents.store(each).new_chunk_ids)
        seconds += time.perf_counter() - began
    return ids, len(ids) / seconds


def store_vectors(corpus: Corpus, ids: Sequence[int], base: Matrix) -> float:
    """Store the vectors and return rows per second."""
    rng = np.random.default_rng(SEED)
    signs = rng.integers(0, 256, (EMBEDDING_BATCH, TOKENS_PER_CHUNK, base.shape[1] // 8), np.uint8)
    began = time.perf_counter()
    for start in range(0, len(ids), EMBEDDING_BATCH):
        batch = zip(ids[start : start + EMBEDDING_BATCH], base[start : start + EMBEDDING_BATCH], signs, strict=False)
        corpus.vectors.store([EmbeddingIn(*row) for row in batch])
    return len(ids) / (time.perf_counter() - began)


def nearest(base: Matrix, query: Matrix, k: int) -> list[int]:
    """Return the nearest chunk IDs by comparing all rows with numpy, a block at a time."""
    scores = np.concatenate([base[at : at + BLOCK] @ query for at in range(0, len(base), BLOCK)])
    best = np.argpartition(scores, -k)[-k:]
    return [int(place) + 1 for place in best[np.argsort(-scores[best])]]


def word_queries(rng: np.random.Generator, count: int) -> list[list[str]]:
    """Return the words of this number of queries."""
    ranks = rng.integers(STOP_WORDS, FREQUENT_WORDS, (count, WORDS_PER_QUERY))
    return [[f"w{rank:x}" for rank in row] for row in ranks]
