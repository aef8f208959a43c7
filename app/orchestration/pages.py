"""Reading the pages of a question: the named ones, those that links lead to, and the vectors that the question needs of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.corpus import Corpus
from app.corpus.records import DocumentSummary, Filter
from app.errors import WebRAGError
from app.ingest.embedding import EmbeddingQueue
from app.ingest.pipeline import IngestOutcome, IngestPipeline
from app.orchestration.question import Run
from app.orchestration.reading import STILL_READING, read_page, shortened, within
from app.orchestration.result import SourceFailure
from app.retrieval.candidates import SubQuery
from app.retrieval.records import LinkProposal
from app.text.terms import query_terms

LIKELY_CHUNKS: Final = 32
LIKELY_TOP_CHUNKS: Final = 4
READING_SHARE: Final = 0.75
"""Share of the soft deadline after which no new page is begun and no vector waited for."""


@dataclass(frozen=True, slots=True)
class LinkedPage:
    """What became of a proposed page. `failure` is empty on success."""

    proposal: LinkProposal
    document: DocumentSummary | None
    duration_ms: float
    failure: str


class PageReader:
    """Brings pages into the corpus and into the run, within the soft deadline (seconds)."""

    def __init__(
        self, corpus: Corpus, pipeline: IngestPipeline, embeddings: EmbeddingQueue | None, soft_deadline: float
    ) -> None:
        self._corpus = corpus
        self._pipeline = pipeline
        self._embeddings = embeddings
        self._soft_deadline = soft_deadline

    def is_late(self, run: Run) -> bool:
        """Whether the time for new pages is over."""
        return run.elapsed() > self._soft_deadline * READING_SHARE

    async def read_named(self, run: Run) -> None:
        """Read the named pages. Raises the first page's error when none could be read."""
        phase = time.perf_counter()
        urls = run.question.urls
        remaining = self._soft_deadline - run.elapsed()
        results = await within(remaining, urls, [read_page(self._pipeline, url, run.progress) for url in urls])
        for url, result in zip(urls, results, strict=True):
            run.visited.add(url)
            if isinstance(result, WebRAGError):
                run.failures.append(SourceFailure(url, result.code.value, str(result)))
            elif isinstance(result, BaseException):
                raise result
            else:
                _add_named(run, url, result)
        if run.seed is None:
            raise next(result for result in results if isinstance(result, WebRAGError))
        run.depths[run.seed.url] = 0
        await self._embed(run, await asyncio.to_thread(self._corpus.waiting_ids, list(run.documents)))
        run.add_time("ingestion", phase)

    async def read_linked(self, run: Run, proposal: LinkProposal) -> LinkedPage:
        """Read a proposed page; failures are told in the result."""
        started = time.perf_counter()
        run.visited.add(proposal.url)
        await run.progress("expansion", f"Scraping {shortened(proposal.url)}...")
        try:
            remaining = max(1.0, self._soft_deadline - run.elapsed())
            outcome = await asyncio.wait_for(self._pipeline.ingest(proposal.url, automatic=True), remaining)
        except TimeoutError:
            run.notes.append(f"{proposal.url} is {STILL_READING}.")
            return LinkedPage(proposal, None, _ms_since(started), "time budget; it is still being read")
        except WebRAGError as error:
            return LinkedPage(proposal, None, _ms_since(started), str(error))
        _add_document(run, outcome)
        return LinkedPage(proposal, outcome.summary, _ms_since(started), "")

    async def embed_likely(self, run: Run, queries: Sequence[SubQuery], document_ids: Sequence[int]) -> None:
        """Give the promising chunks of linked pages their vectors; the rest is embedded in the background."""
        await self._embed(run, await asyncio.to_thread(self._likely_chunks, queries, document_ids))

    def _likely_chunks(self, queries: Sequence[SubQuery], document_ids: Sequence[int]) -> list[int]:
        """Chunks worth a vector at once: keyword hits and page tops."""
        if not document_ids:
            return []
        scope = Filter(document_ids=tuple(document_ids))
        likely = {
            hit.chunk_id
            for query in queries
            for hit in self._corpus.lexical(query_terms(query.text), filter=scope, k=LIKELY_CHUNKS)
        }
        for document_id in document_ids:
            likely |= {chunk.id for chunk in self._corpus.document_chunks(document_id, limit=LIKELY_TOP_CHUNKS)}
        return sorted(likely & set(self._corpus.waiting_ids(document_ids)))

    async def _embed(self, run: Run, chunk_ids: Sequence[int]) -> None:
        """Wait for vectors as long as the soft deadline allows; keyword search works without them."""
        if self._embeddings is None:
            return
        remaining = max(1.0, self._soft_deadline * READING_SHARE - run.elapsed())
        try:
            await asyncio.wait_for(self._embeddings.embed_now(chunk_ids), remaining)
        except TimeoutError:
            run.notes.append(
                "Some pages are still being embedded and were searched by keyword only; call `search` in 30 s for more."
            )
        except WebRAGError as error:
            run.notes.append(f"Search by meaning misses new pages ({error}).")


def _add_named(run: Run, url: str, outcome: IngestOutcome) -> None:
    _add_document(run, outcome)
    if outcome.summary.url != url:
        run.notes.append(f"{url} leads to {outcome.summary.url}.")
    run.seed = run.seed or outcome.summary
    run.named.add(outcome.summary.id)


def _add_document(run: Run, outcome: IngestOutcome) -> None:
    summary = outcome.summary
    run.documents[summary.id] = summary
    run.visited.add(summary.url)
    run.ingested += outcome.fetched
    if summary.note:
        run.notes.append(f"{summary.url}: {summary.note}")
    if outcome.note:
        run.notes.append(f"{summary.url} {outcome.note}; the stored copy was used.")


def _ms_since(started: float) -> float:
    return 1000 * (time.perf_counter() - started)
