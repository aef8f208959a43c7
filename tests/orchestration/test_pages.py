"""Which chunks of a newly read page are embedded first."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.errors import HTTPStatusError, InvalidArgumentError, InvalidURLError, StillReadingError
from app.events import EventBus, no_progress
from app.ingest.background import EmbeddingQueue
from app.ingest.files import file_url
from app.ingest.outcome import Change, IngestOutcome
from app.ingest.pipeline import IngestPipeline
from app.library.records import EmbeddingIn, passage_text
from app.orchestration.pages import (
    AROUND_NEAREST,
    CHUNKS_A_NAMED_PAGE,
    CHUNKS_A_WAVE,
    SAMPLED,
    SHOWN_URL_CHARS,
    WHOLE_CHUNKS,
    PageReader,
    PassagesByPromise,
    address_of,
    chunks_around_nearest,
    likely_chunks_of_named,
    shortened,
    within,
)
from app.orchestration.question import Question, Run
from app.retrieval.analysis import analyse
from app.retrieval.records import LinkProposal, SubQuery
from tests.support.stored import store


async def soon(value: str) -> str:
    await asyncio.sleep(0.01)
    return value


async def late() -> str:
    await asyncio.sleep(30)
    return "late"


async def broken() -> str:
    raise HTTPStatusError("gone", url="http://x/", status=410)


async def no_job(url: str, refresh: bool) -> int:
    raise InvalidArgumentError("Too many background jobs are waiting (50).")


def test_the_path_of_a_file_is_its_address(tmp_path: Path) -> None:
    file = tmp_path / "Größe & Maße.md"
    assert address_of(f" {file} ") == address_of(file_url(file)) == file_url(file)
    for other in ("//docs.example.org/a", "notes/a.md"):
        with pytest.raises(InvalidURLError):
            address_of(other)


async def test_a_late_page_is_named_even_when_there_can_be_no_job() -> None:
    (result,) = await within(0.01, ["http://b/"], [late()], no_job)
    assert isinstance(result, StillReadingError) and result.job_id == 0
    assert "job" not in result.message and "`status` with the address" in result.hint


async def test_an_abandoned_fetch_is_reported_too() -> None:
    async def given_up() -> str:
        raise asyncio.CancelledError

    (result,) = await within(60, ["http://a/"], [given_up()], no_job)
    assert isinstance(result, StillReadingError) and result.job_id == 0


async def test_finished_pages_are_returned_and_unfinished_ones_named() -> None:
    started = time.perf_counter()
    handed_over: list[tuple[str, bool]] = []

    async def read_on(url: str, refresh: bool) -> int:
        handed_over.append((url, refresh))
        return 7

    readings = [soon("a"), late(), broken()]
    results = await within(0.2, ["http://a/", "http://b/", "http://c/"], readings, read_on, refresh=True)
    assert time.perf_counter() - started < 60
    assert results[0] == "a"
    assert isinstance(results[1], StillReadingError) and results[1].job_id == 7
    assert "http://b/ is still being read (job 7)" in str(results[1]) and "job_id=7" in results[1].hint
    assert handed_over == [("http://b/", True)]
    assert isinstance(results[2], HTTPStatusError)


async def test_a_cancelled_call_cancels_its_fetches() -> None:
    ended = asyncio.Event()

    async def reading() -> str:
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()
        return ""

    call = asyncio.create_task(within(30, ["http://a/"], [reading()], no_job))
    await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await asyncio.wait_for(ended.wait(), 15)


def test_a_long_address_is_shortened_in_progress_texts() -> None:
    assert shortened("http://a/") == "http://a/"
    assert len(shortened("http://a/" + "x" * 2000)) == SHOWN_URL_CHARS


QUESTION = "How is the boiler descaled?"


def page(corpus: Corpus, number: int, answer_at: int, chunks: int = 60) -> tuple[int, list[int]]:
    paragraphs = [
        f"Paragraph {place} tells of other things, such as lamp {place} of house {number}." for place in range(chunks)
    ]
    paragraphs[answer_at] = f"The boiler of house {number} is descaled with vinegar."
    document_id = store(corpus, f"https://example.org/{number}.html", paragraphs)
    return document_id, [chunk.id for chunk in corpus.chunks.of_document(document_id, limit=chunks)]


def embed(corpus: Corpus, embedder: Embedder, chunk_ids: list[int]) -> None:
    for passage in corpus.vectors.waiting(len(chunk_ids), chunk_ids=chunk_ids):
        made = embedder.embed_passages([passage_text(passage)])[0]
        corpus.vectors.store([EmbeddingIn(passage.chunk_id, made.vector, made.token_bits)])


def by_promise(corpus: Corpus, queries: Sequence[SubQuery], document_ids: Sequence[int]) -> list[int]:
    """Return all chosen chunks of pages in descending order of promise."""
    waiting = PassagesByPromise(corpus, queries)
    for place, document_id in enumerate(document_ids):
        waiting.add(place, document_id)
    return waiting.take(1_000)


def test_words_over_all_pages_come_first_then_the_beginnings(corpus: Corpus) -> None:
    pages = [page(corpus, number, answer_at=50) for number in range(3)]
    chosen = by_promise(corpus, [SubQuery(QUESTION, None)], [document_id for document_id, _ in pages])
    assert len(chosen) == len(set(chosen)) == 3 * 60
    answers = [ids[50] for _, ids in pages]
    assert chosen[:4] == [*answers, pages[0][1][0]]
    assert {ids[0] for _, ids in pages} <= set(chosen[:32])


def test_each_chunk_is_taken_once_in_any_order_of_pages(corpus: Corpus) -> None:
    pages = [page(corpus, number, answer_at=50) for number in range(3)]
    waiting = PassagesByPromise(corpus, [SubQuery(QUESTION, None)])
    assert waiting.take(5) == []
    waiting.add(2, pages[2][0])
    first = waiting.take(4)
    assert first[0] == pages[2][1][50] and set(first) <= set(pages[2][1])
    for place in (1, 0):  # a more promising page may be read later
        waiting.add(place, pages[place][0])
    assert waiting.take(2) == [pages[0][1][50], pages[1][1][50]]
    counts = [len(set(waiting.take(24)) & set(ids)) for _, ids in pages[:1]]
    assert counts[0] > 8 and len(waiting.take(1_000)) == 3 * 60 - 4 - 2 - 24 and waiting.take(5) == []


def test_chunks_around_the_nearest_follow(corpus: Corpus, embedder: Embedder) -> None:
    document_id, ids = page(corpus, 1, answer_at=50)
    queries = [SubQuery(QUESTION, embedder.embed_query(QUESTION))]
    embed(corpus, embedder, by_promise(corpus, queries, [document_id])[:12])
    around = chunks_around_nearest(corpus, queries, [document_id])
    beside = {ids[place] for place in range(50 - AROUND_NEAREST, 51 + AROUND_NEAREST)}
    assert beside - {ids[50]} <= set(around)
    assert not set(around) - set(corpus.vectors.waiting_ids([document_id]))


def test_embedded_chunks_are_not_chosen_again(corpus: Corpus, embedder: Embedder) -> None:
    document_id, ids = page(corpus, 1, answer_at=3, chunks=5)
    queries = [SubQuery(QUESTION, embedder.embed_query(QUESTION))]
    embed(corpus, embedder, ids)
    assert by_promise(corpus, queries, [document_id]) == []
    assert chunks_around_nearest(corpus, queries, [document_id]) == []


def test_a_named_page_is_embedded_whole_unless_it_is_long(corpus: Corpus) -> None:
    short, short_ids = page(corpus, 1, answer_at=20, chunks=WHOLE_CHUNKS)
    long, long_ids = page(corpus, 2, answer_at=150, chunks=240)
    queries = [SubQuery(QUESTION, None)]
    assert likely_chunks_of_named(corpus, queries, [short]) == short_ids
    chosen = likely_chunks_of_named(corpus, queries, [long])
    assert long_ids[150] in chosen and set(long_ids[::SAMPLED]) <= set(chosen)
    assert len(chosen) == len(set(chosen)) <= CHUNKS_A_NAMED_PAGE + len(long_ids) // SAMPLED + 1
    assert likely_chunks_of_named(corpus, queries, [short, long]) == [*short_ids, *chosen]


def test_a_small_rest_of_a_long_page_is_embedded_completely(corpus: Corpus, embedder: Embedder) -> None:
    document_id, ids = page(corpus, 1, answer_at=50)
    embed(corpus, embedder, ids[: len(ids) - WHOLE_CHUNKS])
    assert likely_chunks_of_named(corpus, [SubQuery(QUESTION, None)], [document_id]) == ids[-WHOLE_CHUNKS:]


class StoredPages:
    """A pipeline whose pages are already stored."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    async def ingest(self, url: str, **_options: object) -> IngestOutcome:
        summary = self._corpus.documents.summary(url)
        assert summary is not None
        return IngestOutcome(summary, Change.UNCHANGED, fetched=False)


@pytest.mark.parametrize("seconds", [0.0, 60.0])
async def test_a_round_embeds_a_minimum_and_more_if_time_allows(
    corpus: Corpus, embedder: Embedder, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr("app.orchestration.pages.ROUND_SECONDS", seconds)
    pages = [page(corpus, number, answer_at=30, chunks=40)[1] for number in range(2)]
    queue = EmbeddingQueue(corpus, embedder, EventBus())
    reader = PageReader(corpus, cast(IngestPipeline, StoredPages(corpus)), queue, 600, no_job)
    run = Run(Question(("https://example.org/",), QUESTION), analyse(QUESTION), no_progress, time.perf_counter())
    proposals = [LinkProposal(f"https://example.org/{number}.html", "https://example.org/", 0.5) for number in range(2)]
    queue.start()
    try:
        with queue.question():
            read = await reader.read_round(run, [SubQuery(QUESTION, embedder.embed_query(QUESTION))], proposals)
    finally:
        await queue.stop()
    assert [each.failure for each in read] == ["", ""]
    missing = corpus.vectors.waiting_among([*pages[0], *pages[1]])
    assert not {pages[0][30], pages[1][30]} & missing
    made = [len(set(ids) - missing) for ids in pages]
    if seconds:
        assert made == [40, 40]
    else:
        assert sum(made) == 2 * CHUNKS_A_WAVE
