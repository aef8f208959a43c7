"""Stored documents are added to the graph in the background."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from app.corpus import Corpus
from app.engine import Engine
from app.errors import CorpusBusyError, LibraryAwayError
from app.events import EventBus
from app.ingest.background import GraphFilling
from app.secrets import SecretStore
from app.settings import Settings
from tests.support.graph import PAGES, SITE, manual

ATTEMPTS = 500


def store(corpus: Corpus, *names: str) -> None:
    for name in names:
        corpus.documents.store(manual(SITE + name, PAGES["hives.html"]))


async def until_filled(corpus: Corpus) -> None:
    for _ in range(ATTEMPTS):
        if not corpus.graph.count_waiting():
            return
        await asyncio.sleep(0.01)
    pytest.fail("documents still wait")


async def test_pending_and_new_documents_are_processed(corpus: Corpus) -> None:
    store(corpus, "a", "b")
    filling = GraphFilling(corpus)
    filling.start()
    await until_filled(corpus)
    store(corpus, "c")
    filling.wake()
    await until_filled(corpus)
    await filling.stop()
    assert corpus.graph.has_entities()


async def test_vectors_are_rewritten_after_the_documents_until_none_is_left(corpus: Corpus) -> None:
    left, waiting, done, loop = [3, 2, 1, 0], [], asyncio.Event(), asyncio.get_running_loop()

    def pack() -> int:
        waiting.append(corpus.graph.count_waiting())
        if len(left) == 1:
            loop.call_soon_threadsafe(done.set)
        return left.pop(0)

    store(corpus, "a", "b")
    filling = GraphFilling(corpus, pack=pack)
    filling.start()
    await asyncio.wait_for(done.wait(), 10)
    await filling.stop()
    assert waiting == [0, 0, 0, 0]


async def test_nothing_is_done_while_paused(corpus: Corpus) -> None:
    filling = GraphFilling(corpus)
    filling.set_paused(True)
    filling.start()
    store(corpus, "a")
    filling.wake()
    await asyncio.sleep(0.1)
    assert corpus.graph.count_waiting() == 1
    filling.set_paused(False)
    await until_filled(corpus)
    await filling.stop()


async def test_graph_filling_waits_for_questions_for_a_limited_time(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, looks = [True], []

    def is_asked() -> bool:
        looks.append(corpus.graph.count_waiting())
        return asked[0]

    monkeypatch.setattr("app.ingest.background.QUESTION_POLL_SECONDS", 0.001)
    filling = GraphFilling(corpus, is_asked)
    store(corpus, "a")
    filling.start()
    while len(looks) < 5:  # noqa: ASYNC110 (a loop of its own)
        await asyncio.sleep(0.001)
    assert looks == [1] * len(looks)
    asked[0] = False
    await until_filled(corpus)
    asked[0] = True
    monkeypatch.setattr("app.ingest.background.MAX_WAITS_FOR_QUESTIONS", 3)
    store(corpus, "b")
    filling.wake()
    await until_filled(corpus)
    await filling.stop()


async def test_on_a_busy_node_graph_filling_rests_in_proportion_to_its_work(corpus: Corpus) -> None:
    for name in ("a", "b", "c"):
        store(corpus, name)
    filling = GraphFilling(corpus, lambda: True, rests=0.0)
    filling.start()
    await until_filled(corpus)
    await filling.stop()


@pytest.mark.parametrize("error", [CorpusBusyError("busy"), KeyError("a defect")])
async def test_a_failed_batch_is_retried(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    monkeypatch.setattr("app.ingest.background.EMBED_RETRY_SECONDS", 0.05)
    real, failures = corpus.graph.fill, iter([error])

    def failing(limit: int) -> int:
        if (error := next(failures, None)) is not None:
            raise error
        return real(limit)

    monkeypatch.setattr(corpus.graph, "fill", failing)
    store(corpus, "a")
    filling = GraphFilling(corpus)
    filling.start()
    await until_filled(corpus)
    await filling.stop()


async def test_work_of_a_dead_node_is_found_after_a_long_outage(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.background.SHARED_POLL_SECONDS", 0.01)
    monkeypatch.setattr(corpus, "name", "team", raising=False)
    real, tries = corpus.graph.fill, [0]

    def away_at_first(limit: int) -> int:
        tries[0] += 1
        if tries[0] <= 20:
            raise LibraryAwayError("The library does not answer.")
        return real(limit)

    monkeypatch.setattr(corpus.graph, "fill", away_at_first)
    filling = GraphFilling(corpus)
    filling.start()
    while tries[0] < 20:  # noqa: ASYNC110 (worker threads)
        await asyncio.sleep(0.01)
    store(corpus, "a")
    await until_filled(corpus)
    await filling.stop()


async def test_stopping_at_the_very_moment_of_a_wake_up_ends_the_work(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(limit: int) -> int:
        raise CorpusBusyError("busy")

    monkeypatch.setattr(corpus.graph, "fill", failing)
    filling = GraphFilling(corpus)
    filling.start()
    async with asyncio.timeout(60):
        while "updating the graph failed" not in caplog.text:  # noqa: ASYNC110 (worker threads)
            await asyncio.sleep(0.005)
    filling.wake()
    async with asyncio.timeout(60):
        await filling.stop()


async def test_the_engine_fills_its_graph_and_answers_from_it(tmp_path: Path) -> None:
    engine = Engine(Settings(data_dir=tmp_path), SecretStore(), EventBus())
    await engine.start(background=False)
    try:
        await until_filled(engine._corpus)
        counts = (await engine.graph.describe()).counts
        assert counts is not None and counts.documents and (counts.symbols or counts.terms)
    finally:
        await engine.stop()
