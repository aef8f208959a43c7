"""Builders of documents and vectors for the tests of the corpus."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.corpus.records import ActivityRecord
from app.library.protocol import LibraryWriter
from app.library.records import ChunkIn, DocumentIn, EmbeddingIn

DIMENSION = 64
MODEL = "model-a"

Matrix = NDArray[np.float32]


def document(url: str, paragraphs: Sequence[str], *, title: str = "A page", **fields: Any) -> DocumentIn:
    """Return a document with one chunk per paragraph; each chunk repeats a heading that the text does not contain."""
    text = "\n\n".join(paragraphs)
    chunks, start = [], 0
    for paragraph in paragraphs:
        end = start + len(paragraph)
        key = hashlib.sha256(f"{url}|{paragraph}".encode()).hexdigest()
        whole = f"Head: {paragraph} …"
        chunks.append(ChunkIn(key, ("Guide", "Part"), "part", whole, start, end, 6, 2, len(whole.split())))
        start = end + 2
    made = DocumentIn(url, title, text, f"hash of {text}", "web", tuple(chunks), last_crawled=100.0)
    return replace(made, **fields)


def call(
    *pages: str,
    started_at: float = 1.0,
    client: str = "Claude",
    tokens: int = 0,
    characters: int = 0,
    tool: str = "answer",
) -> ActivityRecord:
    """Return a successful tool call that is not recorded yet."""
    return ActivityRecord(0, started_at, client, tool, 12.5, "ok", tokens, characters, pages)


def unit_vectors(count: int, seed: int = 0, dimension: int = DIMENSION) -> Matrix:
    made = np.random.default_rng(seed).normal(size=(count, dimension))
    unit: Matrix = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
    return unit


def embedding(chunk_id: int, vector: Matrix, tokens: int = 3) -> EmbeddingIn:
    """Return the vector with token vectors that identify the chunk."""
    return EmbeddingIn(chunk_id, vector, np.full((tokens, len(vector) // 8), chunk_id % 256, np.uint8))


def embed(corpus: LibraryWriter, chunk_ids: Sequence[int], seed: int = 0, dimension: int = DIMENSION) -> Matrix:
    """Embed each chunk with a random vector; return the vectors in the order of the IDs."""
    made = unit_vectors(len(chunk_ids), seed, dimension)
    corpus.vectors.store([embedding(*pair) for pair in zip(chunk_ids, made, strict=True)])
    return made
