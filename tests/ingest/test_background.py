"""The embedding queue: retries, battery, and priority for questions."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.corpus import Corpus
from app.durations import Backoff
from app.embed.embedder import Embedder, ModelCard, PassageEmbedding, QueryEmbedding
from app.embed.threads import USUAL_THREADS, EmbedThreads
from app.errors import EmbedderError, LibraryAwayError
from app.events import EmbeddingProgress, Event, EventBus
from app.ingest import background
from app.ingest.background import BATCH, EmbeddingQueue, until_cancelled
from app.library.records import PassageToEmbed
from tests.support.stored import store

pytestmark = pytest.mark.real


class Model:
    """An embedder that fails while `broken`; records every call and text."""

    def __init__(self, card: ModelCard) -> None:
        self.card = card
        self.broken = False
        self.calls = 0
        self.texts: list[str] = []

    def count_tokens_batch(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def embed_query(self, text: str) -> QueryEmbedding:
        raise NotImplementedError

    def embed_passage(self, text: str) -> PassageEmbedding:
        vector = np.random.default_rng(len(text)).normal(size=self.card.dimension).astype(np.float32)
        bits = np.zeros((2, self.card.dimension // 8), np.uint8)
        return PassageEmbedding(vector / np.linalg.norm(vector), bits)

    def embed_passages(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        self.calls += 1
        if self.broken:
            raise EmbedderError("The embedding server does not answer.")
        self.texts += texts
        return [self.embed_passage(text) for text in texts]

    def close(self) -> None:
        return None


@pytest.fixture
def model(embedder: Embedder) -> Model:
    return Model(embedder.card)


@asynccontextmanager
async def running(queue: EmbeddingQueue) -> AsyncIterator[EmbeddingQueue]:
    queue.start()
    try:
        yield queue
    finally:
        await queue.stop()


async def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 (worker threads)
            await asyncio.sleep(0.005)


def paragraphs(count: int) -> list[str]:
    return [f"Paragraph number {n} says something." for n in range(count)]


async def test_waiting_chunks_are_embedded_and_counted(corpus: Corpus, model: Model) -> None:
    events: list[Event] = []
    bus = EventBus()
    bus.subscribe(events.append)
    store(corpus, "https://a.example/", paragraphs(BATCH + 3))
    async with running(EmbeddingQueue(corpus, model, bus)) as queue:
        await until(lambda: not corpus.vectors.count_waiting() and queue.waiting == 0 and bool(events))
        assert queue.reason == "" and queue.failure is None
    progress = [event.waiting for event in events if isinstance(event, EmbeddingProgress)]
    assert progress == sorted(progress, reverse=True) and progress[-1] == 0


async def test_a_failed_batch_is_retried_after_its_delay(
    corpus: Corpus, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.broken = True
    store(corpus, "https://a.example/", paragraphs(1))
    async with running(EmbeddingQueue(corpus, model, EventBus())) as queue:
        await until(lambda: queue.failure is not None and queue.waiting == 1)
        assert queue.reason == "The embedding server does not answer."
        for _ in range(5):
            queue.wake()
            await asyncio.sleep(0.01)
        assert model.calls == 1
        model.broken = False
        monkeypatch.setattr(queue._backoff, "_until", time.monotonic() + 0.2)
        queue.wake()
        await until(lambda: not corpus.vectors.count_waiting())
        await until(lambda: queue.failure is None and queue.waiting == 0)
        assert queue.reason == ""


async def test_a_question_is_tried_immediately_after_a_failure(corpus: Corpus, model: Model) -> None:
    model.broken = True
    document = store(corpus, "https://a.example/", paragraphs(1))
    async with running(EmbeddingQueue(corpus, model, EventBus())) as queue:
        await until(lambda: queue.failure is not None)
        calls = model.calls
        with pytest.raises(EmbedderError, match="does not answer"):
            await asyncio.wait_for(queue.embed_now(corpus.vectors.waiting_ids((document,))), 30)
        assert model.calls > calls
        model.broken = False
        await asyncio.wait_for(queue.embed_now(corpus.vectors.waiting_ids((document,))), 30)
        assert not corpus.vectors.count_waiting()
        await until(lambda: queue.failure is None)


async def test_a_failure_is_forgotten_when_no_work_is_left(
    corpus: Corpus, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.background.EMBED_RETRY_SECONDS", 0.02)
    model.broken = True
    document = store(corpus, "https://a.example/", paragraphs(1))
    async with running(EmbeddingQueue(corpus, model, EventBus())) as queue:
        await until(lambda: queue.failure is not None)
        corpus.documents.delete([document])
        await until(lambda: queue.failure is None)
        calls = model.calls
        await asyncio.sleep(0.1)
        assert model.calls == calls


async def test_work_waits_while_the_machine_runs_on_battery(
    corpus: Corpus, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.background.BATTERY_POLL_SECONDS", 0.05)
    unplugged, reads = [True], [0]

    def read() -> bool:
        reads[0] += 1
        return unplugged[0]

    first = store(corpus, "https://a.example/", paragraphs(2))
    store(corpus, "https://b.example/", paragraphs(2))
    async with running(EmbeddingQueue(corpus, model, EventBus(), on_battery=False, read_battery=read)) as queue:
        await until(lambda: queue.waiting == 4 and reads[0] > 2)
        assert queue.reason == "on battery" and model.calls == 0
        await asyncio.wait_for(queue.embed_now(corpus.vectors.waiting_ids((first,))), 30)
        assert corpus.vectors.count_waiting() == 2
        unplugged[0] = False
        await until(lambda: not corpus.vectors.count_waiting())
        await until(lambda: queue.reason == "")
        await asyncio.sleep(0.05)
        seen = reads[0]
        await asyncio.sleep(0.2)
        assert reads[0] <= seen + 1


async def test_embedding_on_battery_can_be_allowed(corpus: Corpus, model: Model) -> None:
    store(corpus, "https://a.example/", paragraphs(2))
    async with running(EmbeddingQueue(corpus, model, EventBus(), on_battery=True, read_battery=lambda: True)):
        await until(lambda: not corpus.vectors.count_waiting())


async def test_paused_work_is_reported_and_continues(corpus: Corpus, model: Model) -> None:
    store(corpus, "https://a.example/", paragraphs(2))
    queue = EmbeddingQueue(corpus, model, EventBus())
    queue.set_paused(True)
    async with running(queue):
        await until(lambda: queue.waiting == 2)
        assert queue.reason == "paused" and model.calls == 0
        queue.set_paused(False)
        await until(lambda: not corpus.vectors.count_waiting())


async def test_chunks_for_a_question_come_before_older_work(corpus: Corpus, model: Model) -> None:
    store(corpus, "https://old.example/", paragraphs(3 * BATCH))
    asked = store(corpus, "https://new.example/", ["The answer is here."])
    queue = EmbeddingQueue(corpus, model, EventBus())
    with queue.question():
        async with running(queue):
            await asyncio.wait_for(queue.embed_now(corpus.vectors.waiting_ids((asked,))), 30)
            assert model.texts == ["The answer is here."]


async def test_stopping_does_not_wait_for_a_whole_batch(corpus: Corpus, model: Model) -> None:
    """On a busy machine a batch can take a minute."""
    store(corpus, "https://a.example/", paragraphs(2 * BATCH))
    begun, go_on, embedded = threading.Event(), threading.Event(), list[str]()

    def one_by_one(texts: Sequence[str]) -> list[PassageEmbedding]:
        made: list[PassageEmbedding] = []
        for text in texts:
            begun.set()
            assert go_on.wait(60)
            embedded.append(text)
            made.append(model.embed_passage(text))
        return made

    model.embed_passages = one_by_one  # type: ignore[method-assign]
    queue = EmbeddingQueue(corpus, model, EventBus())
    queue.start()
    await asyncio.to_thread(begun.wait, 60)
    stopping = asyncio.create_task(queue.stop())
    await asyncio.sleep(0.05)
    go_on.set()
    await stopping
    assert len(embedded) <= USUAL_THREADS
    assert corpus.vectors.count_waiting() == 2 * BATCH


async def test_stopping_at_the_very_moment_of_a_wake_up_ends_the_work(corpus: Corpus, model: Model) -> None:
    store(corpus, "https://a.example/", paragraphs(2))
    queue = EmbeddingQueue(corpus, model, EventBus(), on_battery=False, read_battery=lambda: True)
    queue.start()
    await until(lambda: queue.waiting == 2)
    queue.wake()
    async with asyncio.timeout(60):
        await queue.stop()


def test_backoff_doubles_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("app.durations.time.monotonic", lambda: now[0])
    backoff = Backoff(30, 100)
    waits = []
    for _ in range(4):
        backoff.failed()
        backoff.failed()
        waits.append(backoff.seconds_left)
        now[0] += backoff.seconds_left
    assert waits == [30, 60, 100, 100]
    backoff.succeeded()
    assert backoff.seconds_left == 0
    backoff.failed()
    assert backoff.seconds_left == 30


@pytest.mark.parametrize(("comes_in", "threads"), [(True, 1), (False, USUAL_THREADS)])
async def test_embedding_leaves_a_processor_free_while_pages_arrive(
    corpus: Corpus, model: Model, comes_in: bool, threads: int
) -> None:
    store(corpus, "https://a.example/", paragraphs(BATCH))
    queue = EmbeddingQueue(corpus, model, EventBus())
    if comes_in:
        queue.wake()
    async with running(queue):
        await until(lambda: not corpus.vectors.count_waiting())
    assert model.calls == threads


async def test_a_question_has_the_passages_it_names_embedded_first_and_without_the_queue(
    corpus: Corpus, model: Model
) -> None:
    document = store(corpus, "https://a.example/", paragraphs(BATCH))
    ids = corpus.vectors.waiting_ids((document,))
    queue = EmbeddingQueue(corpus, model, EventBus())
    queue.set_paused(True)
    async with running(queue):
        await until(lambda: queue.waiting == BATCH)
        wanted = [ids[9], ids[2], ids[5]]
        assert await asyncio.to_thread(queue.embed_within, wanted, 60.0) == 3
        assert corpus.vectors.waiting_among(ids) == set(ids) - set(wanted)
        await until(lambda: queue.waiting == BATCH - 3)
        assert await asyncio.to_thread(queue.embed_within, ids, 0.0) == 0
        model.broken = True
        with pytest.raises(EmbedderError):
            await asyncio.to_thread(queue.embed_within, ids, 60.0)


async def test_a_cancelled_question_stops_embedding(corpus: Corpus, model: Model) -> None:
    ids = corpus.vectors.waiting_ids((store(corpus, "https://a.example/", paragraphs(BATCH)),))
    queue = EmbeddingQueue(corpus, model, EventBus())
    queue.set_paused(True)
    begun, go_on = threading.Event(), threading.Event()
    embed = model.embed_passages

    def slowly(texts: Sequence[str]) -> list[PassageEmbedding]:
        begun.set()
        assert go_on.wait(60)
        return embed(texts)

    model.embed_passages = slowly  # type: ignore[method-assign]
    ended: list[int] = []

    def embed_for_it() -> None:
        ended.append(queue.embed_within(ids, 60.0))
        ended.append(queue.embed_within(ids, 60.0))

    async def ask() -> None:
        with until_cancelled():
            await asyncio.to_thread(embed_for_it)

    async with running(queue):
        question = asyncio.create_task(ask())
        await asyncio.to_thread(begun.wait, 60)
        question.cancel()
        with pytest.raises(asyncio.CancelledError):
            await question
        go_on.set()
        await until(lambda: len(ended) == 2)
    assert ended[0] <= USUAL_THREADS and ended[1] == 0, "only the running batch"


async def test_a_page_found_by_a_question_is_embedded_before_the_rest(corpus: Corpus, model: Model) -> None:
    store(corpus, "https://a.example/", paragraphs(2 * BATCH))
    met = corpus.vectors.waiting_ids((store(corpus, "https://b.example/", ["Met.", "Beside it."]),))
    queue = EmbeddingQueue(corpus, model, EventBus())
    queue.set_paused(True)
    async with running(queue):
        await asyncio.to_thread(queue.embed_within, met[:1], 60.0)
        await until(lambda: queue.waiting == 2 * BATCH + 1)
        queue.set_paused(False)
        await until(lambda: not corpus.vectors.has_waiting())
    assert [text.rpartition(". ")[2] for text in model.texts[:2]] == ["Met.", "Beside it."]


async def test_requested_pages_come_first_latest_before_others(corpus: Corpus, model: Model) -> None:
    store(corpus, "https://old.example/", paragraphs(2 * BATCH))
    added = [store(corpus, f"https://{name}.example/", [f"{name}."]) for name in ("first", "second")]
    queue = EmbeddingQueue(corpus, model, EventBus())
    for document in added:
        queue.prefer([document])
    async with running(queue):
        await until(lambda: not corpus.vectors.has_waiting())
    assert [text.rpartition(". ")[2] for text in model.texts[:2]] == ["second.", "first."]


async def test_the_time_left_is_reported_while_work_is_pending(
    corpus: Corpus, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.durations.Rate.seconds_left", lambda rate, now: 4.0 * rate._waiting)
    ids = corpus.vectors.waiting_ids((store(corpus, "https://a.example/", paragraphs(BATCH)),))
    queue = EmbeddingQueue(corpus, model, EventBus())
    queue.set_paused(True)
    async with running(queue):
        await queue.embed_now(ids[:8])
        await until(lambda: queue.waiting == BATCH - 8)
        assert queue.seconds_left == 4.0 * (BATCH - 8)
        await queue.embed_now(ids)
        await until(lambda: queue.waiting == 0)
        assert queue.seconds_left is None


async def test_a_question_does_not_wait_for_a_model_that_hangs(
    corpus: Corpus, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.background.EMBED_OVERTIME_SECONDS", 0.01)
    ids = corpus.vectors.waiting_ids((store(corpus, "https://a.example/", paragraphs(8)),))
    answers = threading.Event()

    def hang(_texts: Sequence[str]) -> list[PassageEmbedding]:
        assert answers.wait(60)
        raise EmbedderError("It answered too late.")

    monkeypatch.setattr(model, "embed_passages", hang)
    queue = EmbeddingQueue(corpus, model, EventBus())
    try:
        # More questions than threads: the last ones do not start.
        asked = [asyncio.to_thread(queue.embed_within, ids[n : n + 2], 0.05) for n in range(0, 8, 2)]
        assert await asyncio.wait_for(asyncio.gather(*asked), 30) == [0, 0, 0, 0]
    finally:
        answers.set()
        await queue.stop()


async def test_a_question_after_stopping_gets_no_vectors(corpus: Corpus, model: Model) -> None:
    ids = corpus.vectors.waiting_ids((store(corpus, "https://a.example/", paragraphs(2)),))
    queue = EmbeddingQueue(corpus, model, EventBus())
    async with running(queue):
        pass
    with pytest.raises(EmbedderError, match="quitting"):
        await asyncio.to_thread(queue.embed_within, ids, 60.0)
    with pytest.raises(EmbedderError, match="quitting"):
        await asyncio.to_thread(queue.embed_texts, ["A link", "Another"])


async def test_texts_of_links_are_shared_by_the_threads_and_keep_their_order(corpus: Corpus, model: Model) -> None:
    queue = EmbeddingQueue(corpus, model, EventBus())
    async with running(queue):
        for count in (0, 1, 7):
            texts = ["word " * (number + 1) for number in range(count)]
            model.calls = 0
            made = await asyncio.to_thread(queue.embed_texts, texts)
            assert model.calls == min(count, USUAL_THREADS)
            for text, each in zip(texts, made, strict=True):
                assert (each.vector == model.embed_passage(text).vector).all()
        model.broken = True
        with pytest.raises(EmbedderError, match="does not answer"):
            await asyncio.to_thread(queue.embed_texts, ["A link", "Another"])


async def test_a_passage_deleted_while_a_question_embeds_it_is_skipped(
    corpus: Corpus, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = store(corpus, "https://gone.example/", ["Gone."])
    ids = [
        *corpus.vectors.waiting_ids((gone,)),
        *corpus.vectors.waiting_ids((store(corpus, "https://a.example/", ["Here."]),)),
    ]
    embed = model.embed_passages

    def delete_first(texts: Sequence[str]) -> list[PassageEmbedding]:
        corpus.documents.delete([gone])
        return embed(texts)

    monkeypatch.setattr(model, "embed_passages", delete_first)
    queue = EmbeddingQueue(corpus, model, EventBus())
    try:
        await asyncio.to_thread(queue.embed_within, ids, 60.0)
    finally:
        await queue.stop()
    assert not corpus.vectors.has_waiting()
    assert [each.chunk_id for each in corpus.vectors.token_vectors(ids)] == ids[1:]


@pytest.mark.parametrize("break_off", ["nothing waits", "paused"])
async def test_the_time_without_work_does_not_count_for_the_time_left(
    corpus: Corpus, model: Model, monkeypatch: pytest.MonkeyPatch, break_off: str
) -> None:
    now = [1_000.0]
    notes: list[tuple[int, float | None]] = []
    monkeypatch.setattr("app.ingest.background.time", SimpleNamespace(monotonic=lambda: now[0]))

    def embed(texts: Sequence[str]) -> list[PassageEmbedding]:
        now[0] += 4.0
        return [model.embed_passage(text) for text in texts]

    monkeypatch.setattr(model, "embed_passages", embed)
    bus = EventBus()
    queue = EmbeddingQueue(corpus, model, bus, threads=EmbedThreads(1, 1))
    first = 2 * BATCH if break_off == "paused" else BATCH
    ids = corpus.vectors.waiting_ids((store(corpus, "https://a.example/", paragraphs(first)),))
    queue.set_paused(True)
    async with running(queue):
        await queue.embed_now(ids[:BATCH])
        await until(lambda: queue.waiting == first - BATCH)
        now[0] += 50.0
        store(corpus, "https://b.example/", paragraphs(4 * BATCH))
        bus.subscribe(lambda _event: notes.append((queue.waiting, queue.seconds_left)))
        queue.set_paused(False)
        await until(lambda: not corpus.vectors.has_waiting() and not queue.waiting)
    told = [(waiting, left) for waiting, left in notes if waiting and left is not None]
    assert told and all(left == pytest.approx(4.0 * waiting / BATCH, rel=0.1) for waiting, left in told)


async def test_work_of_a_dead_node_is_found(corpus: Corpus, model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "SHARED_POLL_SECONDS", 0.05)
    monkeypatch.setattr(corpus, "name", "team", raising=False)
    async with running(EmbeddingQueue(corpus, model, EventBus())) as queue:
        await until(lambda: not queue._wake.is_set())
        store(corpus, "https://a.example/", paragraphs(1))
        await until(lambda: not corpus.vectors.has_waiting())


async def test_after_a_long_outage_a_shared_library_is_checked_soon(
    corpus: Corpus, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "SHARED_POLL_SECONDS", 0.01)
    monkeypatch.setattr(corpus, "name", "team", raising=False)
    real, tries = corpus.vectors.waiting, [0]

    def away_at_first(*args: Any, **named: Any) -> list[PassageToEmbed]:
        tries[0] += 1
        if tries[0] <= 20:
            raise LibraryAwayError("The library does not answer.")
        return real(*args, **named)

    monkeypatch.setattr(corpus.vectors, "waiting", away_at_first)
    store(corpus, "https://a.example/", paragraphs(1))
    async with running(EmbeddingQueue(corpus, model, EventBus())) as queue:
        await until(lambda: not corpus.vectors.has_waiting() and queue.failure is None)
    assert tries[0] > 20
