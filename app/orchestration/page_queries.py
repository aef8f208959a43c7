"""One page for several queries: stores a fresh copy if needed, then returns its passages closest to each query."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Final

from app import caps, errors
from app.embed.embedder import Embedder
from app.events import ProgressCallback, no_progress
from app.ingest.background import EmbeddingQueue
from app.ingest.pipeline import IngestPipeline
from app.library.protocol import Library
from app.library.records import Chunk, DocumentSummary, chunk_key
from app.library.scope import Filter
from app.orchestration.pages import ReadOn, chunks_around_nearest, likely_chunks_of_named, read_page, within
from app.orchestration.result import LONGEST
from app.retrieval.analysis import analyse
from app.retrieval.candidates import in_other_languages, seen_by
from app.retrieval.evidence import EvidenceFinder, SearchArea, embed_queries
from app.retrieval.records import Stages, SubQuery
from app.retrieval.rerank import CEILING, FLOOR
from app.text.sentence import sentence
from app.text.terms import fold_whitespace, query_terms, unique_texts

PROTECTED: Final = "content protected"  # The note for a page behind a sign-in, a paywall or a refusal.
CLOSEST: Final = 3  # Passages shown if none is similar enough.
READING_SHARE: Final = 0.75  # Share of the time after which the call no longer waits for vectors.
NO_TEXT: Final = sentence("WebRAG found no readable text on this page.")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PageHit:
    """A passage of the page. `id` is the stable hash of its position and text.

    `score` is the similarity that orders passages; `similarity` is the cosine of passage and query vectors, None without a vector.
    `is_waiting`: not embedded yet, judged by its words. It spans `start` to `end` of the page.
    """

    id: str
    text: str
    score: float
    similarity: float | None
    section_path: tuple[str, ...]
    is_waiting: bool = False
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class PageQuery:
    """The passages for one query, best first. If not `is_answer`, they are the closest ones and most likely do not answer."""

    query: str
    hits: tuple[PageHit, ...]
    is_answer: bool = True


@dataclass(frozen=True, slots=True)
class PageAnswers:
    """The answers from one page, with a note for the reader.

    `document_id` is 0 for a page that is not stored. `needs_browser`: the user's browser may show it.
    """

    url: str
    title: str
    last_crawled: float
    queries: tuple[PageQuery, ...]
    note: str = ""
    document_id: int = 0
    needs_browser: bool = False


@dataclass(slots=True)
class PageQueries:
    """Answers queries from one page. `threshold` is the setting, None for the model's own."""

    corpus: Library
    pipeline: IngestPipeline
    _: KW_ONLY
    embedder: Embedder | None
    embeddings: EmbeddingQueue | None
    stages: Stages
    read_on: ReadOn
    threshold: float | None

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
        """Return at most `limit` passages per query, or a note without any. Raises errors without a stored copy."""
        reading = _Reading(tuple(queries), limit, seconds)
        with self.embeddings.question() if self.embeddings is not None else nullcontext():
            try:
                page = await self._page(url, reading, force_refresh=force_refresh, progress=progress)
            except errors.ContentProtectedError as error:
                return replace(_nothing(url, reading, PROTECTED), needs_browser=error.may_open_in_browser)
            except errors.EmptyPageError as error:
                return _nothing(url, reading, f"{NO_TEXT} {error.hint}")
            except errors.StillReadingError as error:
                return _nothing(url, reading, f"{error.message} {error.hint}")
            found = await self._answered(page, reading)
        log.info("a page was read for %d queries: %d passages", len(found), sum(len(each.hits) for each in found))
        notes = " ".join(dict.fromkeys(filter(None, reading.notes)))
        return PageAnswers(page.url, page.title, page.last_crawled, found, notes, page.id)

    async def _page(
        self, url: str, reading: _Reading, *, force_refresh: bool, progress: ProgressCallback
    ) -> DocumentSummary:
        """Return the stored page, refreshed if it is due or requested."""
        try:
            work = read_page(self.pipeline, url, progress, refresh=force_refresh)
            (outcome,) = await within(reading.seconds, [url], [work], self.read_on, refresh=force_refresh)
            if isinstance(outcome, BaseException):
                raise outcome
        except (errors.ContentProtectedError, errors.AddressDeniedError, errors.InvalidURLError):
            raise
        except errors.FetchError as error:
            known = await asyncio.to_thread(self.corpus.documents.summary, url) if force_refresh else None
            if known is None:
                raise
            reading.notes.append(
                sentence("The page could not be refreshed ({}); the stored copy was used.", str(error).rstrip("."))
            )
            return known
        reading.notes += [outcome.remark("The page"), outcome.summary.note]
        return outcome.summary

    async def _answered(self, page: DocumentSummary, reading: _Reading) -> tuple[PageQuery, ...]:
        texts = tuple(dict.fromkeys(reading.queries))
        found = [await asyncio.to_thread(embed_queries, self.embedder, (text,)) for text in texts]
        asked = [query for queries, _ in found for query in queries]
        failures = (reason for queries, reason in found if not queries[0].is_unknown)
        degraded = next(filter(None, failures), found[0][1])
        if degraded:
            instead = sentence("Passages were found by keyword only.") if asked[0].is_unknown else LONGEST
            reading.notes.append(sentence("Semantic search is off ({}). {}", degraded, instead))
        else:
            for by_second in (False, True):
                alike = [query for query in asked if (query.second is not None) == by_second]
                if alike and (by_second or page.chunks_embedded < page.chunks):
                    await self._embed(page.id, alike, reading)
        return await asyncio.to_thread(self._ranked, page.id, asked, reading)

    async def _embed(self, document_id: int, queries: Sequence[SubQuery], reading: _Reading) -> None:
        """Embed the page, or the likely passages of a long one, as far as the time allows."""
        if self.embeddings is None:
            return
        self.embeddings.prefer([document_id])
        for choose in (likely_chunks_of_named, chunks_around_nearest):
            chosen = await asyncio.to_thread(choose, self.corpus, queries, (document_id,))
            try:
                async with asyncio.timeout(reading.seconds_left()):
                    await self.embeddings.embed_now(chosen, by_second=queries[0].second is not None)
            except TimeoutError:
                reading.notes.append(
                    sentence("The page is still being embedded; parts of it were searched by keyword only.")
                )
                return
            except errors.WebRAGError as error:
                reading.notes.append(sentence("Semantic search does not cover the whole page ({}).", error.message))
                return

    def _ranked(self, document_id: int, queries: Sequence[SubQuery], reading: _Reading) -> tuple[PageQuery, ...]:
        found: dict[str, PageQuery] = {}
        for query in queries:
            threshold = self.threshold
            if threshold is None:
                card = query.second or (self.embedder.card if self.embedder is not None else None)
                threshold = card.similarity_threshold if card is not None else 0.0
            ranking = PageRanking(self.corpus, self.stages, threshold)
            can_search = query.embedding is not None or query.is_unknown
            best, note = PageQuery(query.text, ()), ""
            if can_search:
                best, note = ranking.passages(document_id, query, reading.limit)
            if not best.hits:
                best = ranking.longest(document_id, query.text, reading.limit)
                note = LONGEST if can_search else ""
            found[query.text] = best
            reading.notes.append(note)
        return tuple(found[text] for text in reading.queries)


class PageRanking:
    """Orders passages of a page by their similarity to a query; `threshold` is the least similarity.

    With token vectors, the similarity is the mean over the query's words of their best cosine to any word of the passage, with the small
    corrections of the reranker. Otherwise it is the cosine of the two vectors, which ranks worse (docs/internals/measurements.md).
    """

    def __init__(self, corpus: Library, stages: Stages, threshold: float) -> None:
        self._corpus = corpus
        self._stages = stages
        self._threshold = threshold
        self._finder = EvidenceFinder(corpus, stages)

    def passages(self, document_id: int, query: SubQuery, limit: int) -> tuple[PageQuery, str]:
        """Return the `limit` best passages that are similar enough, and a note for the reader, or ""."""
        is_by_words = self._stages.rerank and (query.has_tokens or query.is_unknown)
        hits, note = (self._by_words_in_context if is_by_words else self._by_vectors)(document_id, query)
        similar = [hit for hit in hits if hit.score >= self._threshold]
        if hits and not similar:
            note = note or sentence(
                "Nothing on the page is similar enough to {}; the closest passages are shown.", _quoted(query.text)
            )
            similar = hits[:CLOSEST]
        return PageQuery(query.text, tuple(similar[:limit]), is_answer=not note), note

    def longest(self, document_id: int, query: str, limit: int) -> PageQuery:
        """Return the longest passages of the page, because no vectors are available."""
        chunks = self._corpus.chunks.of_document(document_id, limit=caps.MAX_CHUNKS_PER_DOCUMENT)
        chunks.sort(key=lambda chunk: (-len(chunk.text), chunk.ord))
        return PageQuery(query, tuple(_unique(_hit(chunk, 0.0, None) for chunk in chunks)[:limit]), is_answer=False)

    def _by_words_in_context(self, document_id: int, query: SubQuery) -> tuple[list[PageHit], str]:
        found = self._finder.collect([query], SearchArea((Filter(document_ids=(document_id,)),)))
        evidence = self._finder.rank(analyse(query.text), [query], found)
        # Converted back to the cosines behind relevance, where the model's threshold applies.
        scored = ((item, FLOOR + (CEILING - FLOOR) * item.reranked_score) for item in evidence.ranked)
        hits = [_hit(item.chunk, score, item.similarity, is_waiting=item.is_waiting) for item, score in scored]
        unlikely = sentence("The page most likely does not answer {}.", _quoted(query.text))
        return _unique(hits), unlikely if hits and evidence.is_none else ""

    def _by_vectors(self, document_id: int, query: SubQuery) -> tuple[list[PageHit], str]:
        """Return hits by cosine; then, with score 0, waiting passages that contain words of the query."""
        scope, count = Filter(document_ids=(document_id,)), caps.CANDIDATES_PER_RETRIEVER
        cosines: dict[int, float] = {}
        for each in (query, *in_other_languages(self._corpus, [query], [scope])):
            vectors = seen_by(self._corpus, each).vectors
            near = vectors.nearest(each.embedding.vector, filter=scope, k=count) if each.embedding else []
            cosines |= {hit.chunk_id: hit.score for hit in near}
        waiting = set(seen_by(self._corpus, query).vectors.waiting_ids((document_id,)))
        words = self._corpus.chunks.lexical(query_terms(query.text), filter=scope, k=count) if waiting else []
        ids = [*cosines, *(hit.chunk_id for hit in words if hit.chunk_id in waiting)]
        scored = ((chunk, cosines.get(chunk.id)) for chunk in self._corpus.chunks.by_ids(ids))
        return _unique(_hit(each, cosine or 0.0, cosine, is_waiting=each.id in waiting) for each, cosine in scored), ""


def _hit(chunk: Chunk, score: float, similarity: float | None, *, is_waiting: bool = False) -> PageHit:
    key = chunk_key(chunk.url, chunk.section_path, chunk.text)
    return PageHit(key, chunk.text, score, similarity, chunk.section_path, is_waiting, start=chunk.start, end=chunk.end)


def _unique(hits: Iterable[PageHit]) -> list[PageHit]:
    return unique_texts(hits, lambda hit: hit.text)


def _quoted(query: str) -> str:
    line = fold_whitespace(query)
    limit = caps.MAX_SUB_QUERY_CHARS_SHOWN
    return f'"{line if len(line) <= limit else line[: limit - 1] + "…"}"'


@dataclass(slots=True)
class _Reading:
    """One running call; `seconds` is its total time."""

    queries: tuple[str, ...]
    limit: int
    seconds: float
    notes: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def seconds_left(self) -> float:
        return max(0.0, self.seconds * READING_SHARE - (time.monotonic() - self.started))


def _nothing(url: str, reading: _Reading, note: str) -> PageAnswers:
    return PageAnswers(url, "", time.time(), tuple(PageQuery(text, ()) for text in reading.queries), note)
