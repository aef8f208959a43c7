"""Reading one page for several queries: stored and fresh first, then its closest passages, from nowhere else."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Final

from app.corpus import Corpus
from app.corpus.records import DocumentSummary
from app.embed.embedder import Embedder
from app.errors import (
    AddressDeniedError,
    ContentProtectedError,
    EmptyPageError,
    FetchError,
    InvalidURLError,
    WebRAGError,
)
from app.ingest.background import EmbeddingQueue
from app.ingest.outcome import IngestOutcome
from app.ingest.pipeline import IngestPipeline
from app.orchestration.likely import chunks_around_nearest, likely_chunks_of_named
from app.orchestration.page_answers import PROTECTED, PageAnswers, PageQuery
from app.orchestration.page_ranking import PageRanking, joined_notes
from app.orchestration.reading import read_page, within
from app.progress import ProgressCallback, no_progress
from app.retrieval.evidence import embed_queries
from app.retrieval.records import Stages, SubQuery

READING_SHARE: Final = 0.75
"""Share of the time after which no vector is waited for."""
NO_TEXT: Final = "No readable text was found on this page."
LONGEST: Final = "The longest blocks of the page are shown, in no order of relevance."

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Reading:
    """One call under way; `seconds` is all the time it has."""

    queries: tuple[str, ...]
    limit: int
    seconds: float
    notes: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def seconds_left(self) -> float:
        return max(0.0, self.seconds * READING_SHARE - (time.monotonic() - self.started))


class PageQueries:
    """Answers queries from one page. `threshold` is the setting, None to take the model's own."""

    def __init__(
        self,
        corpus: Corpus,
        pipeline: IngestPipeline,
        *,
        embedder: Embedder | None,
        embeddings: EmbeddingQueue | None,
        stages: Stages,
        threshold: float | None,
    ) -> None:
        self._corpus = corpus
        self._pipeline = pipeline
        self._embedder = embedder
        self._embeddings = embeddings
        self._stages = stages
        self._threshold = threshold

    async def read(
        self,
        url: str,
        queries: Sequence[str],
        *,
        force_refresh: bool,
        limit: int,
        seconds: float,
        progress: ProgressCallback = no_progress,
    ) -> PageAnswers:
        """At most `limit` passages a query. A page behind a sign-in or without text is told in the note.

        Raises the errors of reading a page, if there is no stored copy of it.
        """
        reading = _Reading(tuple(queries), limit, seconds)
        with self._embeddings.question() if self._embeddings is not None else nullcontext():
            try:
                page = await self._page(url, reading, force_refresh=force_refresh, progress=progress)
            except ContentProtectedError:
                return _nothing(url, reading, PROTECTED)
            except EmptyPageError as error:
                return _nothing(url, reading, f"{NO_TEXT} {error.hint}")
            found = await self._answered(page, reading)
        hits = sum(len(each.hits) for each in found)
        log.info("a page was read for %d queries: %d passages", len(found), hits)
        return PageAnswers(page.url, page.title, page.last_crawled, found, joined_notes(reading.notes))

    async def _page(
        self, url: str, reading: _Reading, *, force_refresh: bool, progress: ProgressCallback
    ) -> DocumentSummary:
        """The stored page, read anew if it is due or that is wanted."""
        try:
            outcome = await self._ingested(url, reading, force_refresh=force_refresh, progress=progress)
        except (ContentProtectedError, AddressDeniedError, InvalidURLError):
            raise
        except FetchError as error:
            known = await asyncio.to_thread(self._corpus.documents.summary, url) if force_refresh else None
            if known is None:
                raise
            reading.notes.append(
                f"The page could not be refreshed ({str(error).rstrip('.')}); the stored copy was used."
            )
            return known
        reading.notes += [outcome.remark("The page"), outcome.summary.note]
        return outcome.summary

    async def _ingested(
        self, url: str, reading: _Reading, *, force_refresh: bool, progress: ProgressCallback
    ) -> IngestOutcome:
        work = read_page(self._pipeline, url, progress, refresh=force_refresh)
        (result,) = await within(reading.seconds, [url], [work])
        if isinstance(result, BaseException):
            raise result
        return result

    async def _answered(self, page: DocumentSummary, reading: _Reading) -> tuple[PageQuery, ...]:
        texts = tuple(dict.fromkeys(reading.queries))
        asked, degraded = await asyncio.to_thread(embed_queries, self._embedder, texts)
        if degraded:
            reading.notes.append(f"Search by meaning is off ({degraded}). {LONGEST}")
        elif page.chunks_embedded < page.chunks:
            await self._embed(page.id, asked, reading)
        return await asyncio.to_thread(self._ranked, page.id, asked, reading, bool(degraded))

    async def _embed(self, document_id: int, queries: Sequence[SubQuery], reading: _Reading) -> None:
        """Give the page its vectors, of a long one the likely ones, as far as the time allows."""
        if self._embeddings is None:
            return
        for choose in (likely_chunks_of_named, chunks_around_nearest):
            chosen = await asyncio.to_thread(choose, self._corpus, queries, (document_id,))
            try:
                async with asyncio.timeout(reading.seconds_left()):
                    await self._embeddings.embed_now(chosen)
            except TimeoutError:
                reading.notes.append("The page is still being embedded; parts of it were searched by keyword only.")
                return
            except WebRAGError as error:
                reading.notes.append(f"Search by meaning misses parts of the page ({error}).")
                return

    def _ranked(
        self, document_id: int, queries: Sequence[SubQuery], reading: _Reading, degraded: bool
    ) -> tuple[PageQuery, ...]:
        ranking = PageRanking(self._corpus, self._stages, self._least_similarity())
        found: dict[str, PageQuery] = {}
        for query in queries:
            best, note = (
                (PageQuery(query.text, ()), "") if degraded else ranking.passages(document_id, query, reading.limit)
            )
            if not best.hits:
                best = ranking.longest(document_id, query.text, reading.limit)
                note = "" if degraded else LONGEST
            found[query.text] = best
            reading.notes.append(note)
        return tuple(found[text] for text in reading.queries)

    def _least_similarity(self) -> float:
        if self._threshold is not None:
            return self._threshold
        return self._embedder.card.similarity_threshold if self._embedder is not None else 0.0


def _nothing(url: str, reading: _Reading, note: str) -> PageAnswers:
    """A page that was asked for and gave no text."""
    return PageAnswers(url, "", time.time(), tuple(PageQuery(text, ()) for text in reading.queries), note)
