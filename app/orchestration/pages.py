"""Reads the pages of a question: the named ones and linked ones, and embeds their most promising chunks first."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

from app import caps
from app.durations import ms_since
from app.errors import InvalidArgumentError, InvalidURLError, StillReadingError, WebRAGError
from app.events import ProgressCallback
from app.ingest.background import EmbeddingQueue
from app.ingest.files import OWN_SCHEMES, file_url
from app.ingest.outcome import Change, IngestOutcome
from app.ingest.pipeline import FILE_SCHEME, IngestPipeline
from app.library.protocol import Library
from app.library.records import Chunk, DocumentSummary
from app.library.scope import Filter
from app.orchestration.question import Run
from app.orchestration.result import SourceFailure
from app.retrieval.candidates import in_other_languages, keywords, seen_by
from app.retrieval.records import LinkProposal, SubQuery
from app.text.sentence import sentence
from app.web.urls import normalise_url

PAGE_LOSS: Final = 0.05  # Loss for each more promising page, as a share of the best keyword score.
CHUNKS_A_WAVE: Final = 4  # Chunks embedded each time a linked page arrives before the others.
ROUND_SECONDS: Final = 0.1  # Time for further chunks of a round of linked pages after all are read.
MAX_CHUNKS_A_ROUND: Final = 256
WHOLE_CHUNKS: Final = 48  # A named page is embedded whole up to so many chunks: half a second.
CHUNKS_A_NAMED_PAGE: Final = 32
SAMPLED: Final = 3  # Of a long page, every third chunk is embedded too (docs/internals/measurements.md).
EARLY_CHUNKS: Final = 40
EARLY_WEIGHT: Final = 0.3  # Advantage of the first chunk over the fortieth (docs/internals/measurements.md).
NEAREST_CHUNKS: Final = 10
AROUND_NEAREST: Final = 2
MAX_CHUNKS_SEEN: Final = 400
SHOWN_URL_CHARS: Final = 80

log = logging.getLogger(__name__)

STILL_READING: Final = sentence("still being indexed")
Result = TypeVar("Result")
ReadOn = Callable[[str, bool], Awaitable[int]]
"""Passes an address to a background job, with or without a refresh; returns the number of the job."""
READING_SHARE: Final = 0.75  # Share of the soft deadline after which no new page is started and no vector awaited.
AMPLE_SECONDS: Final = 10.0  # Allows more pages: a site gets at most ten requests, one per second.
LINKED_SECONDS: Final = 6.0  # For a linked page; a slower one is dropped and delays no other.
SAME_TEXT: Final = sentence("same text as a page that was already read")


@dataclass(frozen=True, slots=True)
class LinkedPage:
    """The result for a proposed page. `failure` is empty on success."""

    proposal: LinkProposal
    document: DocumentSummary | None
    duration_ms: float
    failure: str


@dataclass(frozen=True, slots=True)
class PageReader:
    """Stores pages and adds them to the run, within the soft deadline (seconds) or the shorter one of the question."""

    corpus: Library
    pipeline: IngestPipeline
    embeddings: EmbeddingQueue | None
    soft_deadline: float
    read_on: ReadOn

    def is_late(self, run: Run) -> bool:
        """Whether the time for new pages is over."""
        return self.seconds_left(run) <= 0

    def seconds_left(self, run: Run) -> float:
        """Return the time for reading and embedding; the rest of the soft deadline is for the answer."""
        return max(0.0, self._deadline(run) * READING_SHARE - run.elapsed())

    def has_ample_time(self, run: Run) -> bool:
        return self.seconds_left(run) >= AMPLE_SECONDS

    def _deadline(self, run: Run) -> float:
        return min(self.soft_deadline, run.question.seconds or self.soft_deadline)

    async def read_named(self, run: Run, queries: Sequence[SubQuery]) -> None:
        """Read and embed the named pages, or continue in a job. Raises the first page's error without any."""
        phase = time.perf_counter()
        urls = run.question.urls
        remaining = self._deadline(run) - run.elapsed()
        run.trace.name(urls)

        async def read(url: str) -> IngestOutcome:
            started = time.perf_counter()
            outcome = await read_page(self.pipeline, url, run.progress)
            run.trace.read(url, outcome.summary, ms_since(started))
            return outcome

        results = await within(remaining, urls, [read(url) for url in urls], self.read_on)
        for url, result in zip(urls, results, strict=True):
            run.visited.add(url)
            if isinstance(result, StillReadingError):
                await self._without(run, url, result.job_id)
            elif isinstance(result, WebRAGError):
                run.failures.append(SourceFailure(url, result.code.value, str(result)))
                run.trace.failed(url, str(result))
            elif isinstance(result, BaseException):
                raise result
            else:
                _add_named(run, url, result)
        if run.seed is None and not run.is_reading_on:
            raise next(result for result in results if isinstance(result, WebRAGError))
        if run.seed is not None:
            run.depths[run.seed.url] = 0
        if self.embeddings is not None and run.documents:
            # First chunks that may answer, then those around the nearest; the rest is embedded in the background.
            self.embeddings.prefer(list(run.documents))
            for choose in (likely_chunks_of_named, chunks_around_nearest):
                chosen = await asyncio.to_thread(choose, self.corpus, queries, list(run.documents))
                await self._embed(run, chosen, queries)
        run.add_time("ingestion", phase)

    async def _without(self, run: Run, url: str, job_id: int) -> None:
        """A named page needs longer than the question has: use its stored copy, if there is one."""
        reason = sentence("still being indexed (job {})", job_id) if job_id else STILL_READING
        run.failures.append(SourceFailure(url, "", reason, goes_on=True, job_id=job_id))
        known = await asyncio.to_thread(self.corpus.documents.summary, url)
        if known is None:
            run.trace.failed(url, reason, skipped=True)
            return
        run.notes.append(sentence("{} is {}; its stored copy was used.", url, reason))
        _add_named(run, url, IngestOutcome(known, Change.UNCHANGED, fetched=False))
        run.trace.read(url, known, 0.0)

    async def read_round(
        self, run: Run, queries: Sequence[SubQuery], proposals: Sequence[LinkProposal]
    ) -> list[LinkedPage]:
        """Read the proposed pages concurrently and embed their likely chunks. Failures are part of the result."""
        waiting = PassagesByPromise(self.corpus, queries)
        reading = [self._read_linked(run, proposal, place, waiting) for place, proposal in enumerate(proposals)]
        pages = await asyncio.gather(*reading)
        pages = await asyncio.to_thread(self._without_copies, list(run.documents), pages)
        for page in pages:
            if page.failure == SAME_TEXT:
                run.trace.failed(page.proposal.url, page.failure, page.duration_ms, skipped=True)
        fresh = [page.document for page in pages if page.document is not None]
        run.documents |= {document.id: document for document in fresh}
        if self.embeddings is not None and fresh:
            # Chunks next to the nearest ones, then further ones, as far as the time allows.
            until = time.monotonic() + min(ROUND_SECONDS, self.seconds_left(run))
            ids = [document.id for document in fresh]
            self.embeddings.prefer(ids)
            around = await asyncio.to_thread(chunks_around_nearest, self.corpus, queries, ids)
            by_second = queries[0].second is not None
            for take in (lambda: around, lambda: waiting.take(MAX_CHUNKS_A_ROUND)):
                chosen, seconds = await asyncio.to_thread(take), until - time.monotonic()
                if chosen and seconds > 0:
                    try:
                        await asyncio.to_thread(self.embeddings.embed_within, chosen, seconds, by_second)
                    except WebRAGError as error:
                        run.notes.append(sentence("Semantic search does not cover new pages ({}).", error.message))
        return pages

    async def stored_among(self, proposals: Sequence[LinkProposal]) -> list[LinkProposal]:
        """Return the proposals whose pages are stored and fresh, so that they need no request."""
        stored: list[LinkProposal] = []
        for proposal in proposals:
            # The fetch reports why something is not an address.
            with contextlib.suppress(WebRAGError):
                stored += [proposal] if await self.pipeline.is_fresh(proposal.url) else []
        return stored

    async def _read_linked(
        self, run: Run, proposal: LinkProposal, place: int, waiting: PassagesByPromise
    ) -> LinkedPage:
        started = time.perf_counter()
        run.visited.add(proposal.url)
        run.trace.reading(proposal.url)
        await run.progress("expansion", f"Scraping {shortened(proposal.url)}...")
        try:
            reading = self.pipeline.ingest(
                proposal.url, automatic=True, seconds=LINKED_SECONDS, found_on=proposal.source_url
            )
            outcome = await asyncio.wait_for(reading, self.seconds_left(run))
        except TimeoutError:
            run.notes.append(sentence("Linked pages are still being indexed; call {} in 30 s.", "`search`"))
            return _unread(run, proposal, started, "time budget; still being indexed")
        except WebRAGError as error:
            return _unread(run, proposal, started, str(error))
        _note(run, outcome)
        run.trace.read(proposal.url, outcome.summary, ms_since(started))
        page = LinkedPage(proposal, outcome.summary, ms_since(started), "")
        if self.embeddings is not None:
            await asyncio.to_thread(waiting.add, place, outcome.summary.id)
            await self._embed(run, await asyncio.to_thread(waiting.take, CHUNKS_A_WAVE), waiting.queries)
        return page

    def _without_copies(self, known: Sequence[int], pages: Sequence[LinkedPage]) -> list[LinkedPage]:
        """Return the pages, with copies of an earlier page's text marked as failed."""
        read = [page.document.id for page in pages if page.document is not None]
        hashes = self.corpus.documents.content_hashes([*known, *read])

        def text_of(document_id: int) -> str:
            return hashes.get(document_id, f"deleted {document_id}")

        seen = {text_of(document_id): document_id for document_id in known}
        kept: list[LinkedPage] = []
        for page in pages:
            if page.document is not None:
                first = seen.setdefault(text_of(page.document.id), page.document.id)
                if first != page.document.id or first in known or any(page.document == k.document for k in kept):
                    page = replace(page, document=None, failure=SAME_TEXT)
            kept.append(page)
        return kept

    async def _embed(self, run: Run, chunk_ids: Sequence[int], queries: Sequence[SubQuery]) -> None:
        """Wait for vectors as long as the soft deadline allows; keyword search works without them."""
        if self.embeddings is None or not chunk_ids:
            return
        try:
            work = self.embeddings.embed_now(chunk_ids, by_second=queries[0].second is not None)
            await asyncio.wait_for(work, self.seconds_left(run))
        except TimeoutError:
            run.notes.append(
                sentence(
                    "Some pages are still being embedded and were searched by keyword only; call {} in 30 s for more.",
                    "`search`",
                )
            )
        except WebRAGError as error:
            run.notes.append(sentence("Semantic search does not cover new pages ({}).", error.message))


class PassagesByPromise:
    """The waiting chunks of a round, most promising first. Blocking and thread-safe: for worker threads."""

    def __init__(self, corpus: Library, queries: Sequence[SubQuery]) -> None:
        self.queries = queries
        self._corpus = corpus
        self._lock = threading.Lock()
        self._document_ids: list[int] = []
        self._by_place: dict[int, float] = {}

    def add(self, place: int, document_id: int) -> None:
        """Add the chunks of a page; the page at place 0 is the most promising."""
        waiting = set(seen_by(self._corpus, self.queries[0]).vectors.waiting_ids((document_id,)))
        chunks = self._corpus.chunks.of_document(document_id, limit=MAX_CHUNKS_SEEN) if waiting else []
        with self._lock:
            self._document_ids.append(document_id)
            self._by_place |= {c.id: _earliness(c) - PAGE_LOSS * place for c in chunks if c.id in waiting}

    def take(self, count: int) -> list[int]:
        """Return the next chunks; each only once."""
        with self._lock:
            words = _word_scores(self._corpus, self.queries, self._document_ids)
            best = heapq.nlargest(
                count, self._by_place, key=lambda each: (words.get(each, 0.0) + self._by_place[each], -each)
            )
            for chunk_id in best:
                del self._by_place[chunk_id]
        return best


async def read_page(
    pipeline: IngestPipeline, url: str, progress: ProgressCallback, *, refresh: bool = False
) -> IngestOutcome:
    """Make sure that a named page is stored, and report each step. Raises FetchError and similar errors."""
    await progress("ingestion", f"Checking if {url} is indexed...")
    if refresh or not await pipeline.is_fresh(url):
        await progress("ingestion", f"Scraping {url}...")
    outcome = await pipeline.ingest(url, refresh=refresh)
    summary = outcome.summary
    await progress("ingestion", f"Indexed {url} ({summary.chunks} chunks, {summary.tokens} tokens)")
    return outcome


async def within(
    seconds: float,
    urls: Sequence[str],
    readings: Sequence[Coroutine[Any, Any, Result]],
    read_on: ReadOn,
    *,
    refresh: bool = False,
) -> list[Result | BaseException]:
    """Return the result or error of each reading; `read_on` creates a job for a page that needs longer."""
    tasks = [asyncio.ensure_future(reading) for reading in readings]
    try:
        await asyncio.wait(tasks, timeout=max(0.0, seconds))
        late = [url for url, task in zip(urls, tasks, strict=True) if not task.done()]
        jobs: dict[str, int] = {}
        for url in late:
            try:
                jobs[url] = await read_on(url, refresh)
            except WebRAGError as error:
                # A running fetch is completed without a job.
                log.warning("cannot create a job for a page that needs longer: %s", error)
    finally:
        unfinished = [task for task in tasks if not task.done()]
        for task in unfinished:
            task.cancel()
        await asyncio.gather(*unfinished, return_exceptions=True)
    return [
        StillReadingError(url, jobs.get(url, 0)) if task.cancelled() else task.exception() or task.result()
        for url, task in zip(urls, tasks, strict=True)
    ]


def shortened(url: str) -> str:
    return url if len(url) <= SHOWN_URL_CHARS else f"{url[: SHOWN_URL_CHARS - 1]}…"


def likely_chunks_of_named(corpus: Library, queries: Sequence[SubQuery], document_ids: Sequence[int]) -> list[int]:
    """Return all waiting chunks of documents; of long ones, the likely ones and a regular sample."""
    chosen: list[int] = []
    for document_id in document_ids:
        waiting = seen_by(corpus, queries[0]).vectors.waiting_ids((document_id,))
        if len(waiting) > WHOLE_CHUNKS:
            score = _word_scores(corpus, queries, (document_id,)).get
            chunks = corpus.chunks.of_document(document_id, limit=MAX_CHUNKS_SEEN)
            ranked = sorted((-score(chunk.id, 0.0) - _earliness(chunk), chunk.ord, chunk.id) for chunk in chunks)
            likely = [chunk_id for *_, chunk_id in ranked[:CHUNKS_A_NAMED_PAGE] if chunk_id in waiting]
            waiting = list(dict.fromkeys((*likely, *waiting[::SAMPLED])))
        chosen += waiting
    return chosen


def chunks_around_nearest(corpus: Library, queries: Sequence[SubQuery], document_ids: Sequence[int]) -> list[int]:
    """Return the waiting chunks next to the chunks of these documents that are nearest to the question."""
    waiting = set(seen_by(corpus, queries[0]).vectors.waiting_ids(document_ids))
    scope = Filter(document_ids=tuple(document_ids))
    beside: dict[int, None] = {}
    asked = [*queries, *in_other_languages(corpus, queries, [scope])] if waiting else []
    for query in asked:
        vectors = seen_by(corpus, query).vectors
        hits = vectors.nearest(query.embedding.vector, filter=scope, k=NEAREST_CHUNKS) if query.embedding else []
        for hit in hits:
            beside |= dict.fromkeys(
                chunk.id for chunk in corpus.chunks.neighbours(hit.chunk_id, AROUND_NEAREST, AROUND_NEAREST)
            )
    return [chunk_id for chunk_id in beside if chunk_id in waiting]


def _word_scores(corpus: Library, queries: Sequence[SubQuery], document_ids: Sequence[int]) -> dict[int, float]:
    """Return, for the chunks of documents, the keyword score for their best query. The best chunk of each query has 1."""
    scores: dict[int, float] = {}
    scope = Filter(document_ids=tuple(document_ids))
    for query in queries if document_ids else ():
        hits = corpus.chunks.lexical(keywords(corpus, query.text), filter=scope, k=MAX_CHUNKS_SEEN)
        best = max((hit.score for hit in hits), default=0.0)
        for hit in hits if best > 0 else ():
            scores[hit.chunk_id] = max(scores.get(hit.chunk_id, 0.0), hit.score / best)
    return scores


def _earliness(chunk: Chunk) -> float:
    return EARLY_WEIGHT * max(0.0, 1 - chunk.ord / EARLY_CHUNKS)


def _unread(run: Run, proposal: LinkProposal, started: float, reason: str) -> LinkedPage:
    page = LinkedPage(proposal, None, ms_since(started), reason)
    run.trace.failed(proposal.url, reason, page.duration_ms)
    return page


def _add_named(run: Run, url: str, outcome: IngestOutcome) -> None:
    _note(run, outcome)
    run.documents[outcome.summary.id] = outcome.summary
    if outcome.summary.url != url:
        run.notes.append(sentence("{} redirects to {}.", url, outcome.summary.url))
    run.seed = run.seed or outcome.summary
    run.named.add(outcome.summary.id)


def _note(run: Run, outcome: IngestOutcome) -> None:
    summary = outcome.summary
    run.visited.add(summary.url)
    run.ingested += outcome.fetched
    if summary.note:
        run.notes.append(sentence("{}: {}", summary.url, summary.note))
    if outcome.note:
        run.notes.append(outcome.remark(summary.url))


# --- Addresses in a call ---


def address_of(url: str) -> str:
    """Return the normalized address; guide pages and files keep their own schemes. Raises InvalidURLError.

    The full path of a file becomes its address, which assistants rarely know.
    """
    stripped = url.strip()
    if Path(stripped).is_absolute() and not stripped.startswith("//"):
        return file_url(Path(stripped))
    return stripped if stripped.startswith((*OWN_SCHEMES, FILE_SCHEME)) else normalise_url(stripped)


def address_or_as_given(url: str) -> str:
    """Return the same, but leave an invalid address unchanged: reading it fails and is reported with the other pages."""
    try:
        return address_of(url)
    except InvalidURLError:
        return url.strip()[: caps.MAX_URL_CHARS]


async def address_in(library: Library, url: str, *, or_as_given: bool = False) -> str:
    """Return the normalized address; pages added by a browser keep their fragment. Raises InvalidURLError unless `or_as_given`."""
    exact = url.strip()
    if "#" in exact and await asyncio.to_thread(library.documents.summary, exact) is not None:
        return exact
    return address_or_as_given(url) if or_as_given else address_of(url)


def check_count(urls: Sequence[str]) -> None:
    """Raise InvalidArgumentError for more addresses than one call may have."""
    if len(urls) > caps.MAX_URLS_PER_CALL:
        raise InvalidArgumentError(
            sentence("A call can have at most {} addresses; {} are given.", caps.MAX_URLS_PER_CALL, len(urls))
        )
