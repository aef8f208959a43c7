"""How near pages come to a question in meaning: the page as a whole, and its closest passages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app import caps
from app.corpus import Corpus
from app.corpus.doc_records import Centre, PageChunks
from app.corpus.records import Filter
from app.embed.embedder import QueryEmbedding

Closeness = Callable[[QueryEmbedding, Sequence[NDArray[np.uint8]]], NDArray[np.float64]]
"""The mean best match of the words of a question in each passage, from the signs of the passages' token vectors."""

PASSAGES_PER_PAGE: Final = 2
"""A page with two passages near the question is more likely about it than one with a single one."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """`whole` is the cosine of the page, `passages` the mean closeness of its nearest ones, `chunk_id` the nearest of them or None."""

    whole: float
    passages: float
    chunk_id: int | None


@dataclass(frozen=True, slots=True)
class _Known:
    """What was read of the vectors of one folder, while `change` is the last change of any vector."""

    revision: int
    change: int
    chunks: dict[int, PageChunks]
    centres: dict[int, Centre]


class PageVectors:
    """The vectors of pages, a mean of its passages for each. Thread-safe; what has not changed is not read again."""

    def __init__(self, corpus: Corpus, closeness: Closeness) -> None:
        self._corpus = corpus
        self._closeness = closeness
        self._known: dict[int, _Known] = {}
        self._lock = threading.Lock()

    def chunks(self, docset_id: int, revision: int) -> Mapping[int, PageChunks]:
        """The passages of those pages of a folder whose documents are stored, by page."""
        return self._current(docset_id, revision).chunks

    def nearness(
        self, query: QueryEmbedding, docsets: Sequence[tuple[int, int]], page_ids: frozenset[int]
    ) -> dict[int, Nearness]:
        """How near each of the pages comes that has vectors. `docsets` are ids with revisions."""
        known = [self._current(docset_id, revision) for docset_id, revision in docsets]
        centres = {page: centre for each in known for page, centre in each.centres.items() if page in page_ids}
        chunks = {page: each.chunks[page] for each in known for page in each.centres if page in page_ids}
        if not centres:
            return {}
        close = self._passages(query, tuple({each.document_id for each in chunks.values()}))
        lowest = min((value for of_document in close.values() for _, value in of_document), default=0.0)
        wholes = np.stack(list(centres.values())) @ query.vector
        found: dict[int, Nearness] = {}
        for page, whole in zip(centres, wholes.tolist(), strict=True):
            best = sorted(close.get(chunks[page].document_id, ()), key=lambda pair: -pair[1])[:PASSAGES_PER_PAGE]
            wanted = max(1, min(PASSAGES_PER_PAGE, chunks[page].embedded))
            values = [value for _, value in best[:wanted]] + [lowest] * (wanted - len(best))
            found[page] = Nearness(whole, sum(values) / wanted, best[0][0] if best else None)
        return found

    def _passages(self, query: QueryEmbedding, documents: tuple[int, ...]) -> dict[int, list[tuple[int, float]]]:
        """The chunks nearest to the question with their closeness, by document; cosines where there are no token vectors."""
        hits = self._corpus.nearest(query.vector, filter=Filter(document_ids=documents), k=caps.DOC_PASSAGES)
        close = {hit.chunk_id: hit.score for hit in hits}
        stored = [item for item in self._corpus.token_vectors(list(close)) if len(item.token_bits)]
        if len(query.token_vectors) and len(stored) == len(close):
            values = self._closeness(query, [item.token_bits for item in stored]).tolist()
            close = {item.chunk_id: value for item, value in zip(stored, values, strict=True)}
        found: dict[int, list[tuple[int, float]]] = {}
        for chunk_id, document_id in self._corpus.docs.documents_of(list(close)).items():
            found.setdefault(document_id, []).append((chunk_id, close[chunk_id]))
        return found

    def _current(self, docset_id: int, revision: int) -> _Known:
        with self._lock:
            known = self._known.get(docset_id)
            change = self._corpus.docs.last_change()
            if known is None or (known.revision, known.change) != (revision, change):
                known = self._known[docset_id] = self._read(docset_id, revision, change, known)
            return known

    def _read(self, docset_id: int, revision: int, change: int, before: _Known | None) -> _Known:
        """Only centres of documents whose set of vectors is another one are made anew."""
        chunks = {each.page_id: each for each in self._corpus.docs.chunks(docset_id)}
        kept = {
            page: before.centres[page]
            for page, each in chunks.items()
            if before is not None and page in before.centres and before.chunks[page] == each
        }
        missing = [each.document_id for page, each in chunks.items() if each.embedded and page not in kept]
        made = dict(self._corpus.docs.centres(missing))
        new = {page: made[each.document_id] for page, each in chunks.items() if each.document_id in made}
        return _Known(revision, change, chunks, kept | new)
