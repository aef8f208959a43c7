"""The result text reports that a page changed since a result cited it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.corpus import Corpus
from app.events import EventBus, no_progress
from app.ingest.pipeline import IngestPipeline
from app.library.scope import Filter
from app.orchestration.assembly import CitedDocuments
from app.orchestration.loop import Orchestrator
from app.orchestration.question import Question
from app.orchestration.result import OrchestrationResult
from app.retrieval.records import SearchMode, Stages
from app.serialise import from_jsonable, to_jsonable
from app.server.render.answer import answer_text, search_text
from app.server.render.text import Budget
from app.text.terms import estimate_tokens
from app.text.tokens import ChunkingLimits, token_counter
from app.web.address import AddressPolicy
from app.web.fetch import Fetcher, FetchOptions
from tests.support.site import Site

ROOMY = Budget(tokens=20_000, characters=48_000, bytes=65_536)
MODIFIED = "Wed, 18 Feb 2026 08:00:00 GMT"
PARAGRAPHS = (
    "The pump is installed on a level floor, two metres from the wall, and bolted down with four M12 bolts of steel.",
    "The pump is run for ten minutes without load before the valve is opened, so that the seals become warm and tight.",
    "The pump is cleaned every month with warm water and a soft brush; no solvent may touch the rubber of its seals.",
)
CHANGED = (
    "The pump is run for twenty minutes without load now, because the new seals need longer to become warm and tight."
)


async def no_job(url: str, refresh: bool) -> int:
    raise AssertionError(f"no page of these tests is late: {url}")


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        show(running, *PARAGRAPHS)
        yield running


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    opened = Corpus.open(tmp_path / "corpus.db", dimension=8, model="none")
    yield opened
    assert opened.verify() == []
    opened.close()


def show(site: Site, *paragraphs: str) -> None:
    parts = "".join(f"<h2>Part {number}</h2><p>{text}</p>" for number, text in enumerate(paragraphs))
    body = f"<html><head><title>Pump</title></head><body><main><h1>Pump</h1>{parts}</main></body></html>"
    site.on("/pump", lambda exchange: exchange.send(body.encode(), headers={"Last-Modified": MODIFIED}))


@asynccontextmanager
async def asking(corpus: Corpus, *, remember: bool = True) -> AsyncIterator[tuple[Orchestrator, IngestPipeline]]:
    """Yield an orchestrator without an embedder: keyword search only."""
    options = FetchOptions(timeout_seconds=5, concurrency=4)
    fetcher = Fetcher(options, AddressPolicy(allow_networks=("127.0.0.0/8",)))
    limits = ChunkingLimits(60, token_counter(None))
    pipeline = IngestPipeline(corpus, fetcher, limits, EventBus(), stale_after_seconds=1e6)
    orchestrator = Orchestrator(
        corpus,
        pipeline,
        embedder=None,
        embeddings=None,
        soft_deadline=20,
        read_on=no_job,
        max_depth=2,
        stages=Stages(rerank=False),
        similarity_threshold=0.3,
        cited=CitedDocuments(corpus, is_on=remember),
    )
    try:
        yield orchestrator, pipeline
    finally:
        await orchestrator.stop()
        await pipeline.stop()
        await fetcher.aclose()


async def ask(orchestrator: Orchestrator, url: str) -> OrchestrationResult:
    return await orchestrator.run(Question((url,), "How long is the pump run without load?"), no_progress)


async def search(orchestrator: Orchestrator) -> OrchestrationResult:
    return await orchestrator.search(
        "pump without load",
        scope=Filter(),
        documents=1,
        chunks=3,
        missing=(),
        intent=None,
        top_k=5,
        mode=SearchMode.KEYWORD,
        progress=no_progress,
    )


def read(result: OrchestrationResult) -> str:
    render = answer_text if result.seed_url else search_text
    return render(result, budget=ROOMY, count=estimate_tokens, now=result.freshness[0].last_crawled)


async def test_a_paragraph_that_changed_since_it_was_cited_is_announced_once(corpus: Corpus, site: Site) -> None:
    url = site.url("/pump")
    async with asking(corpus) as (orchestrator, pipeline):
        first = await ask(orchestrator, url)
        assert "fetched" in read(first)
        assert ", last modified 2026-02-18\n" in read(first)
        assert "changed since" not in read(first)
        await orchestrator.stop()
        show(site, PARAGRAPHS[0], CHANGED, PARAGRAPHS[2])
        await pipeline.ingest(url, refresh=True)
        second = await search(orchestrator)
        assert "    changed since it was last cited" in read(second)
        assert "(1 new passage)\n" in read(second)
        [freshness] = second.freshness
        assert freshness.changed_since_cited == 1
        await orchestrator.stop()
        third = await ask(orchestrator, url)
        assert CHANGED in read(third)
        assert "changed since" not in read(third)
        assert third.freshness[0].cited_at is not None
        assert third.freshness[0].cited_at > (freshness.cited_at or 0)


async def test_without_the_activity_log_citations_are_not_recorded(corpus: Corpus, site: Site) -> None:
    async with asking(corpus, remember=False) as (orchestrator, _):
        await ask(orchestrator, site.url("/pump"))
        result = await search(orchestrator)
    assert [each.cited_at for each in result.freshness] == [None]


async def test_only_documents_with_evidence_count_as_cited(corpus: Corpus, site: Site) -> None:
    site.page("/bees", "<h1>Bees</h1><p>Bees make honey from the nectar of flowers in spring and in summer.</p>")
    async with asking(corpus) as (orchestrator, pipeline):
        other = (await pipeline.ingest(site.url("/bees"))).summary
        await pipeline.ingest(site.url("/pump"))
        result = await search(orchestrator)
    assert [each.url for each in result.freshness] == [site.url("/pump")]
    assert [each.cited_at for each in corpus.documents.freshness([other.id])] == [None]


async def test_recording_citations_does_not_block_and_survives_a_busy_corpus(
    corpus: Corpus, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asking(corpus) as (orchestrator, _):
        await ask(orchestrator, site.url("/pump"))
        await orchestrator.stop()
        [before] = corpus.documents.freshness([1])
        with corpus._database.write():
            result = await asyncio.wait_for(ask(orchestrator, site.url("/pump")), 30)
            assert result.chunks
        await orchestrator.stop()
        [after] = corpus.documents.freshness([1])
    assert (after.cited_at or 0) > (before.cited_at or 0)


async def test_freshness_survives_the_way_through_json(corpus: Corpus, site: Site) -> None:
    async with asking(corpus) as (orchestrator, _):
        result = await ask(orchestrator, site.url("/pump"))
    assert from_jsonable(OrchestrationResult, json.loads(json.dumps(to_jsonable(result)))) == result
    assert result.freshness
