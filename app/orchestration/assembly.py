"""The last step of a question: whole documents where they fit, citations, images, final times. Blocking."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from app import caps
from app.corpus import Corpus
from app.orchestration.evidence import images_beside
from app.orchestration.result import OrchestrationResult
from app.retrieval.candidates import SubQuery
from app.retrieval.passages.documents import Documents
from app.retrieval.passages.whole_pages import whole_page
from app.retrieval.quotes.citations import CITED_PASSAGES, cite
from app.retrieval.quotes.sentences import SentenceCloseness
from app.retrieval.records import RetrievedChunk


def whole_documents(
    corpus: Corpus, document_ids: Sequence[int], ranked: Sequence[RetrievedChunk], documents: Documents | None = None
) -> list[RetrievedChunk]:
    """The documents as a whole, each in few blocks with the score of what they hold; the rest gets the lowest."""
    documents = documents or Documents(corpus)
    blocks: list[RetrievedChunk] = []
    for document_id in document_ids:
        document = documents.get(document_id)
        if document is not None:
            chunks = corpus.document_chunks(document_id, limit=caps.MAX_CHUNKS_PER_DOCUMENT)
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
    freshness = tuple(corpus.freshness(list(shown)))
    now = time.perf_counter()
    timing = replace(result.timing, merge_ms=1000 * (now - phase), total_ms=1000 * (now - started))
    return replace(result, citations=citations, images=images, freshness=freshness, timing=timing)
