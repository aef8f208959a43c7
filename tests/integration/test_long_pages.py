"""A long page answers before all its passages have vectors, and gets the others afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from app.engine import Engine, build_engine
from app.orchestration.question import Question
from app.settings import load_settings
from tests.integration.pages import html
from tests.support.site import Site

pytestmark = pytest.mark.real

ANSWER = "Whoever loses the key of the boathouse pays for a new lock and tells the harbour master the same day."
PARAGRAPHS = 230


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Engine]:
    running = build_engine(load_settings({"allow_networks": "127.0.0.0/8"}, data_dir=tmp_path / "data"))
    await running.start()
    yield running
    await running.stop()


def long_page(site: Site, answer_at: int) -> str:
    sections = [
        f"<h2>Rule {number}</h2><p>Jetty {number} is painted in spring and its planks are counted by two people.</p>"
        for number in range(PARAGRAPHS)
    ]
    sections[answer_at] = f"<h2>Rule {answer_at}</h2><p>{ANSWER}</p>"
    site.page("/rules.html", html("Rules of the harbour", *sections))
    return site.url("/rules.html")


async def test_the_answer_in_a_long_page_is_found_with_a_part_of_its_vectors(engine: Engine, site: Site) -> None:
    url = long_page(site, answer_at=171)
    engine.set_paused(True)
    question = Question((url,), "Who pays when the key of the boathouse is lost?", expansion_budget=0)
    result = await engine.run(question)
    assert ANSWER in max(result.chunks, key=lambda item: item.reranked_score).chunk.text
    stored = engine._corpus.documents.summary(url)
    assert stored is not None and 0 < stored.chunks_embedded < stored.chunks
    engine.set_paused(False)
    async with asyncio.timeout(180):
        while engine._corpus.vectors.count_waiting():  # noqa: ASYNC110 (worker threads)
            await asyncio.sleep(0.05)
