"""The last step of a question: whole documents where they fit, citations, images, final times. Blocking."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from app import caps
from app.corpus import Corpus
from app.corpus.records import Document
from app.orchestration.evidence import images_beside
from app.orchestration.result import OrchestrationResult
from app.retrieval.citations import cite
from app.retrieval.records import RetrievedChunk


def whole_documents(
    corpus: Corpus, document_ids: Sequence[int], ranked: Sequence[RetrievedChunk]
) -> list[RetrievedChunk]:
    """Every chunk of the documents, with its score where it has one; the rest gets the lowest."""
    scored = {item.chunk.id: item for item in ranked}
    lowest = min((item.reranked_score for item in ranked), default=0.0)
    chunks = [
        chunk
        for document_id in document_ids
        for chunk in corpus.document_chunks(document_id, limit=caps.MAX_CHUNKS_PER_DOCUMENT)
    ]
    return [scored.get(chunk.id) or RetrievedChunk(chunk, 0.0, lowest) for chunk in chunks]


def assemble(corpus: Corpus, result: OrchestrationResult, started: float) -> OrchestrationResult:
    """The result with its quotes, images and the age of its documents; `started` is the perf_counter reading at the question's arrival."""
    phase = time.perf_counter()
    documents = _documents(corpus, result.chunks)
    citations = cite(result.analysis, result.chunks, documents, limit=caps.MAX_CITATIONS)
    images = images_beside(result.chunks, documents)
    freshness = tuple(corpus.freshness(list(documents)))
    now = time.perf_counter()
    timing = replace(result.timing, merge_ms=1000 * (now - phase), total_ms=1000 * (now - started))
    return replace(result, citations=citations, images=images, freshness=freshness, timing=timing)


def _documents(corpus: Corpus, chunks: Sequence[RetrievedChunk]) -> dict[int, Document]:
    found: dict[int, Document] = {}
    for document_id in dict.fromkeys(item.chunk.document_id for item in chunks):
        document = corpus.document_by_id(document_id)
        if document is not None:
            found[document_id] = document
    return found
