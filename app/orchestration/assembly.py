"""From ranked evidence to the result: whole pages if they fit, otherwise passages; then quotes, images and times. Blocking."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from app import caps
from app.errors import WebRAGError
from app.library.protocol import Library
from app.library.records import Document, Freshness
from app.orchestration.question import Run
from app.orchestration.result import OrchestrationResult, SourceImage
from app.retrieval.analysis import specifics
from app.retrieval.citations import CITED_PASSAGES, NOTHING_KNOWN, SentenceCloseness, cite
from app.retrieval.evidence import Evidence, confidence
from app.retrieval.passages import Documents, build_passages, useful, whole_page
from app.retrieval.records import RetrievedChunk, Stages, SubQuery
from app.retrieval.rerank import Bits
from app.text.sentence import sentence
from app.text.terms import estimate_tokens, words

CHUNK_TOKENS: Final = 220  # Largest chunk in tokens of the bundled embedding model.
EVIDENCE_TOKENS: Final = 2_320  # Evidence of one search, and of whole pages, without sources, quotes and statistics.
LEAD: Final = 0.18  # Lack of relevance from which passages do not answer (docs/internals/measurements.md).
LEAST_TOKENS: Final = 900
MOST_TOKENS: Final = 3_200  # Maximum evidence of one answer.
FULL_CONTEXT_TOKENS: Final = 1_600  # Pages with at most this many tokens in total are returned whole.
MAX_CITATIONS: Final = 2
MAX_IMAGES_SHOWN: Final = 8
CLOSEST_TOKENS: Final = 1_000  # Tokens shown of evidence that most likely contains no answer.
KNOWN_SHARE: Final = 0.8  # A chunk with a larger share of its word triples in `known_context` adds nothing new.
ALL_KNOWN: Final = sentence("All passages found only repeat known_context, so they were omitted.")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ContextSelector:
    """Selects evidence. Chunks less similar than `threshold` (a cosine) are omitted if the user set one."""

    corpus: Library
    stages: Stages
    threshold: float | None

    def from_pages(self, run: Run, evidence: Evidence, documents: Documents) -> tuple[str, list[RetrievedChunk]]:
        """Return the mode, "chunk" or "full_context", and the evidence to show for a question to pages."""
        ranked = without_known(self._similar(evidence.ranked), run.question.known_context)
        if evidence.is_none:
            return "chunk", self._closest(evidence, ranked, documents)
        names = specifics(run.analysis)
        if self.stages.whole_pages and self._fit_whole(run, evidence, documents):
            mode, whole = "full_context", whole_documents(self.corpus, tuple(run.documents), evidence.ranked, documents)
            chosen = without_known(whole, run.question.known_context)
        else:
            mode, chosen = "chunk", self._passages(ranked, evidence_tokens(ranked), documents, names)
        if not chosen and run.question.known_context:
            run.notes.append(ALL_KNOWN)
        return mode, _with_confidence(chosen, evidence)

    def _fit_whole(self, run: Run, evidence: Evidence, documents: Documents) -> bool:
        """Whether the pages are small, by tokens and by bytes, and the best evidence comes from them."""
        if evidence.ranked[0].chunk.document_id not in run.documents:
            return False
        if sum(page.tokens for page in run.documents.values()) > FULL_CONTEXT_TOKENS:
            return False
        return sum(estimate_tokens(page.text) for page in documents.of(run.documents).values()) <= EVIDENCE_TOKENS

    def from_corpus(
        self, evidence: Evidence, top_k: int, documents: Documents, names: Sequence[str] = ()
    ) -> list[RetrievedChunk]:
        """Return the evidence to show from the `top_k` best chunks; `names` distinguish similar chunks."""
        ranked = self._similar(evidence.ranked)[:top_k]
        if evidence.is_none:
            return self._closest(evidence, ranked, documents)
        # Usually all of them are shown, so they are read together.
        documents.of(item.chunk.document_id for item in useful(ranked))
        usual = EVIDENCE_TOKENS * max(1.0, top_k / caps.DEFAULT_TOP_K)
        chosen = self._passages(ranked, int(min(usual, top_k * CHUNK_TOKENS)), documents, names)
        return _with_confidence(chosen, evidence)

    def _closest(
        self, evidence: Evidence, ranked: Sequence[RetrievedChunk], documents: Documents
    ) -> list[RetrievedChunk]:
        return [] if evidence.is_hopeless else self._passages(ranked, CLOSEST_TOKENS, documents)

    def _passages(
        self, ranked: Sequence[RetrievedChunk], token_budget: int, documents: Documents, names: Sequence[str] = ()
    ) -> list[RetrievedChunk]:
        if not self.stages.passages:
            return select(ranked, token_budget=token_budget)
        return build_passages(ranked, documents.get, token_budget=token_budget, names=names)

    def _similar(self, ranked: Sequence[RetrievedChunk]) -> list[RetrievedChunk]:
        threshold = self.threshold
        if threshold is None:
            return list(ranked)
        return [item for item in ranked if item.similarity is None or item.similarity >= threshold]


def assemble(
    corpus: Library,
    result: OrchestrationResult,
    started: float,
    *,
    queries: Sequence[SubQuery] = (),
    documents: Documents | None = None,
    signs: Mapping[int, Bits] = NOTHING_KNOWN,
    by_second: Collection[int] = (),
) -> OrchestrationResult:
    """Add quotes, images and the age of documents; `started` is the perf_counter value of the question."""
    phase = time.perf_counter()
    shown = (documents or Documents(corpus)).of(item.chunk.document_id for item in result.chunks)
    best = sorted(result.chunks, key=lambda item: (-item.reranked_score, item.chunk.id))[:CITED_PASSAGES]
    closeness = SentenceCloseness.of(corpus, queries, best, signs, by_second)
    rate = closeness.rate if closeness is not None else None
    citations = cite(result.analysis, best, shown, limit=MAX_CITATIONS, rate=rate)
    images = images_beside(result.chunks, shown)
    freshness = tuple(corpus.documents.freshness(list(shown)))
    now = time.perf_counter()
    timing = replace(result.timing, merge_ms=1000 * (now - phase), total_ms=1000 * (now - started))
    return replace(result, citations=citations, images=images, freshness=freshness, timing=timing)


class CitedDocuments:
    """Records in the background which documents results cite, unless that is off."""

    def __init__(self, corpus: Library, *, is_on: bool = True) -> None:
        self._corpus = corpus
        self.is_on = is_on
        self._tasks: set[asyncio.Task[None]] = set()

    async def cite(self, document_ids: Sequence[int]) -> tuple[Freshness, ...]:
        """Return the changes of documents since they were last cited; they count as cited from now on."""
        found = await asyncio.to_thread(self._corpus.documents.freshness, document_ids)
        self.note(document_ids)
        return tuple(found)

    def note(self, cited: Iterable[int]) -> None:
        """Record the documents that a result cites; returns immediately."""
        document_ids = tuple(dict.fromkeys(cited))
        if not document_ids or not self.is_on:
            return
        task = asyncio.get_running_loop().create_task(self._write(document_ids, time.time()))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Wait a moment for pending writes, then drop them."""
        if self._tasks:
            _, late = await asyncio.wait(tuple(self._tasks), timeout=caps.SHUTDOWN_SECONDS)
            for task in late:
                task.cancel()

    async def _write(self, document_ids: tuple[int, ...], now: float) -> None:
        try:
            await asyncio.to_thread(self._corpus.documents.note_cited, document_ids, now)
        except WebRAGError as error:
            log.warning("cannot record citations: %s", error)


def grouped(chunks: Sequence[RetrievedChunk]) -> tuple[RetrievedChunk, ...]:
    """Return the chunks grouped by source, the source with the best chunk first, and by position within it."""
    best: dict[str, float] = {}
    for item in chunks:
        best[item.chunk.url] = max(best.get(item.chunk.url, 0.0), item.reranked_score)
    return tuple(sorted(chunks, key=lambda item: (-best[item.chunk.url], item.chunk.url, item.chunk.ord)))


def whole_documents(
    corpus: Library, document_ids: Sequence[int], ranked: Sequence[RetrievedChunk], documents: Documents | None = None
) -> list[RetrievedChunk]:
    """Return the whole documents, each in a few blocks with the scores of their chunks. Other blocks get the lowest score."""
    documents = documents or Documents(corpus)
    blocks: list[RetrievedChunk] = []
    for document_id in document_ids:
        document = documents.get(document_id)
        if document is not None:
            chunks = corpus.chunks.of_document(document_id, limit=caps.MAX_CHUNKS_PER_DOCUMENT)
            blocks += whole_page(document, chunks, ranked)
    return blocks


def images_beside(chunks: Sequence[RetrievedChunk], documents: dict[int, Document]) -> tuple[SourceImage, ...]:
    found: dict[str, SourceImage] = {}
    for item in chunks:
        document = documents.get(item.chunk.document_id)
        for image in document.images if document is not None else ():
            if item.chunk.start <= image.position <= item.chunk.end and image.url not in found:
                found[image.url] = SourceImage(item.chunk.url, image)
    return tuple(found.values())[:MAX_IMAGES_SHOWN]


def select(ranked: Sequence[RetrievedChunk], *, token_budget: int) -> list[RetrievedChunk]:
    """Return the best chunks within the budget unchanged, without near-duplicates and the clearly irrelevant."""
    kept = useful(ranked)
    sums = accumulate(item.chunk.tokens for item in kept)
    return [item for item, tokens in zip(kept, sums, strict=True) if tokens <= token_budget] or kept[:1]


def without_known(ranked: Sequence[RetrievedChunk], known_context: str | None) -> list[RetrievedChunk]:
    """Return the chunks with new information: at most KNOWN_SHARE of their word triples occur in `known_context`."""
    known = _triples(known_context or "")
    if not known:
        return list(ranked)
    triples = [_triples(item.chunk.text) for item in ranked]
    return [item for item, own in zip(ranked, triples, strict=True) if len(own & known) <= KNOWN_SHARE * len(own)]


def evidence_tokens(ranked: Sequence[RetrievedChunk]) -> int:
    """Return the number of evidence tokens to show: those of the chunks within LEAD of the best score."""
    kept = useful(ranked)
    near = (item for item in kept if item.reranked_score >= kept[0].reranked_score - LEAD)
    return min(max(LEAST_TOKENS, sum(estimate_tokens(item.chunk.text) for item in near)), MOST_TOKENS)


def _with_confidence(chosen: Sequence[RetrievedChunk], evidence: Evidence) -> list[RetrievedChunk]:
    if evidence.likelihood is None:
        return list(chosen)
    by_relevance = sorted(range(len(chosen)), key=lambda i: (-chosen[i].reranked_score, chosen[i].chunk.id))
    places = {i: place for place, i in enumerate(by_relevance, start=1)}
    return [replace(item, confidence=confidence(item.reranked_score, places[i])) for i, item in enumerate(chosen)]


def _triples(text: str) -> set[tuple[str, ...]]:
    spoken = words(text)
    return {tuple(spoken[i : i + 3]) for i in range(len(spoken) - 2)}
