"""The last step of a question: whole documents where they fit, citations, images, final times. Blocking."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from app import caps
from app.corpus import Corpus
from app.corpus.records import Document
from app.orchestration.result import OrchestrationResult, SourceImage
from app.retrieval.citations import CITED_PASSAGES, SentenceCloseness, cite
from app.retrieval.passages import Documents, whole_page
from app.retrieval.records import RetrievedChunk, SubQuery


def whole_documents(
    corpus: Corpus, document_ids: Sequence[int], ranked: Sequence[RetrievedChunk], documents: Documents | None = None
) -> list[RetrievedChunk]:
    """The documents as a whole, each in few blocks with the score of what they hold; the rest gets the lowest."""
    documents = documents or Documents(corpus)
    blocks: list[RetrievedChunk] = []
    for document_id in document_ids:
        document = documents.get(document_id)
        if document is not None:
            chunks = corpus.chunks.of_document(document_id, limit=caps.MAX_CHUNKS_PER_DOCUMENT)
            blocks += whole_page(document, chunks, ranked)
    return blocks


def assemble(
    corpus: Corpus,
    result: OrchestrationResult,
    started: float,
    *,
    queries: Sequence[SubQuery] = (),
    documents: Documents | None = None,
) -> OrchestrationResult:
    """The result with its quotes, images and the age of its documents; `started` is the perf_counter reading at the question's arrival.

    Quotes are chosen by meaning where `queries` have token vectors, else by words. `documents` may have been read already.
    """
    phase = time.perf_counter()
    shown = (documents or Documents(corpus)).of(item.chunk.document_id for item in result.chunks)
    best = sorted(result.chunks, key=lambda item: (-item.reranked_score, item.chunk.id))[:CITED_PASSAGES]
    closeness = SentenceCloseness.of(corpus, queries, best)
    rate = closeness.rate if closeness is not None else None
    citations = cite(result.analysis, best, shown, limit=caps.MAX_CITATIONS, rate=rate)
    images = images_beside(result.chunks, shown)
    freshness = tuple(corpus.documents.freshness(list(shown)))
    now = time.perf_counter()
    timing = replace(result.timing, merge_ms=1000 * (now - phase), total_ms=1000 * (now - started))
    return replace(result, citations=citations, images=images, freshness=freshness, timing=timing)


def grouped(chunks: Sequence[RetrievedChunk]) -> tuple[RetrievedChunk, ...]:
    """By source, the source with the best chunk first, and by position within it."""
    best: dict[str, float] = {}
    for item in chunks:
        best[item.chunk.url] = max(best.get(item.chunk.url, 0.0), item.reranked_score)
    return tuple(sorted(chunks, key=lambda item: (-best[item.chunk.url], item.chunk.url, item.chunk.ord)))


def images_beside(chunks: Sequence[RetrievedChunk], documents: dict[int, Document]) -> tuple[SourceImage, ...]:
    """Images that stand inside the evidence, in its order."""
    found: dict[str, SourceImage] = {}
    for item in chunks:
        document = documents.get(item.chunk.document_id)
        for image in document.images if document is not None else ():
            if item.chunk.start <= image.position <= item.chunk.end and image.url not in found:
                found[image.url] = SourceImage(item.chunk.url, image)
    return tuple(found.values())[: caps.MAX_IMAGES_SHOWN]
