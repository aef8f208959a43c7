"""More passages than a corpus file holds: its pages again, as other sites have them, with other made vectors."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from app.library.copying import DocumentCopy
from support.made_corpus import SEED, Surface
from support.real_corpus import on_another_site

BLOCK: Final = 4_096
"""Vectors made at a time."""


def copies_of(pages: Callable[[], Iterator[DocumentCopy]], chunks: int, dimension: int) -> Iterator[DocumentCopy]:
    """The pages as they are, then as often on other sites as it takes for so many passages."""
    vectors = _vectors(chunks, dimension)
    for number in itertools.count():
        for page in pages():
            yield page if not number else _copied(page, number, vectors)
            chunks -= len(page.document.chunks)
            if chunks <= 0:
                return


def _copied(page: DocumentCopy, number: int, vectors: Iterator[np.ndarray]) -> DocumentCopy:
    document = on_another_site(page.document, f"again{number}.")
    keys = zip(page.document.chunks, document.chunks, strict=True)
    items = {new.key: page.vectors[old.key] for old, new in keys if old.key in page.vectors}
    others = {key: replace(item, vector=next(vectors)) for key, item in items.items()}
    return DocumentCopy(page.id, document, others)


def _vectors(count: int, dimension: int) -> Iterator[np.ndarray]:
    rng = np.random.default_rng(SEED)
    surface = Surface.of(rng, count, dimension)
    while True:
        yield from surface.vectors(rng, BLOCK)
