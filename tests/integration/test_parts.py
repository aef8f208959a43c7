"""The wiring of the packages, and cleanup when they are closed."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from app.embed.http import HttpEmbedder
from app.embed.onnx import OnnxEmbedder
from app.engine import components as wiring
from app.engine.components import Components, build_components
from app.errors import SkeletonPageError
from app.events import EventBus
from app.ingest.preparation import PREPARE_APART_BYTES
from app.retrieval.records import ALL_STAGES
from app.secrets import SecretStore
from app.settings import Settings, load_settings
from app.web.records import INSTALL_RENDERER, SWITCH_ON_RENDERER
from tests.integration.pages import SKELETON, html
from tests.support.site import Exchange, Site
from tests.web.test_rendering import COMMAND

pytestmark = pytest.mark.real

SENTENCE = "The crane of the harbour lifts forty tons and is greased every morning before the first ship. "
EMBEDDINGS = "/v1/embeddings"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        running.page("/app", SKELETON)
        running.page("/plain", html("Crane", SENTENCE * 3))
        running.page("/large", html("Large", SENTENCE * (PREPARE_APART_BYTES // len(SENTENCE) + 1)))
        running.on(EMBEDDINGS, answer_vectors)
        yield running


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({"allow_networks": "127.0.0.0/8", "request_timeout_ms": 3000}, data_dir=tmp_path / "data")


def answer_vectors(exchange: Exchange) -> None:
    """Serve embeddings of eight dimensions."""
    length = int(exchange.request.headers["content-length"])
    inputs = json.loads(exchange.handler.rfile.read(length))["input"]
    rows = [{"index": place, "embedding": [1.0, *([0.5] * 7)]} for place in range(len(inputs))]
    exchange.send(json.dumps({"data": rows}).encode(), content_type="application/json")


def hosted(settings: Settings, site: Site) -> Settings:
    """Return settings with all network features, one request at a time."""
    server = site.url("").rstrip("/")
    return replace(
        settings, concurrency=1, render_pages=True, embedding_server_url=server, embedding_model_name="small"
    )


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Components]:
    parts = await build_components(settings, SecretStore(), EventBus(), ALL_STAGES)
    if parts.renderer is not None:
        parts.renderer._command = COMMAND
    try:
        yield parts
    finally:
        await parts.close()


def install(monkeypatch: pytest.MonkeyPatch, is_installed: bool) -> None:
    monkeypatch.setattr(wiring, "available", lambda: is_installed)


@pytest.mark.parametrize(
    ("is_installed", "is_on", "advice"),
    [(False, False, INSTALL_RENDERER), (False, True, INSTALL_RENDERER), (True, False, SWITCH_ON_RENDERER)],
)
async def test_without_a_renderer_the_advice_fits(
    settings: Settings, site: Site, monkeypatch: pytest.MonkeyPatch, is_installed: bool, is_on: bool, advice: str
) -> None:
    install(monkeypatch, is_installed)
    async with opened(replace(settings, render_pages=is_on)) as parts:
        assert parts.renderer is None
        with pytest.raises(SkeletonPageError) as caught:
            await parts.pipeline.ingest(site.url("/app"))
    assert caught.value.hint == advice


async def test_a_renderer_that_is_switched_on_reads_the_page(
    settings: Settings, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, True)
    async with opened(replace(settings, render_pages=True)) as parts:
        outcome = await parts.pipeline.ingest(site.url("/app"))
    assert "page renderer" in outcome.summary.note


async def test_everything_that_uses_the_network_shares_its_slots(
    settings: Settings, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, True)
    async with opened(hosted(settings, site)) as parts:
        assert isinstance(parts.embedder, HttpEmbedder) and parts.renderer is not None
        before = len(site.requests)
        async with parts.fetcher._politeness._slots.hold(urgent=True):
            work = [
                asyncio.create_task(parts.fetcher.fetch(site.url("/plain"))),
                asyncio.create_task(asyncio.to_thread(parts.embedder.embed_query, "cranes")),
                asyncio.create_task(parts.renderer.render(site.url("/app"))),
            ]
            await asyncio.sleep(0.3)
            assert len(site.requests) == before and not any(task.done() for task in work)
        await asyncio.wait_for(asyncio.gather(*work), 30)


async def test_closing_leaves_nothing_behind(
    settings: Settings, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, True)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "crane.md").write_text(f"# Crane\n\n{SENTENCE}")
    tasks, sockets, processes = asyncio.all_tasks(), open_sockets(site), children()
    async with opened(hosted(settings, site)) as parts:
        parts.start()
        await parts.take_up(background=True)
        await parts.jobs.add_folder(folder)
        for path in ("/plain", "/large", "/app"):
            await parts.pipeline.ingest(site.url(path))
        site.hang("/slow")
        left = asyncio.create_task(parts.pipeline.ingest(site.url("/slow")))
        await asyncio.sleep(0.1)
        assert len(children() - processes) >= 2 and open_sockets(site) > sockets
    assert asyncio.all_tasks() - {left} == tasks
    assert children() <= processes and open_sockets(site) <= sockets
    await asyncio.gather(left, return_exceptions=True)
    assert left.cancelled()


async def test_the_bundled_model_needs_no_slot(settings: Settings) -> None:
    async with opened(replace(settings, concurrency=1)) as parts:
        assert isinstance(parts.embedder, OnnxEmbedder)
        async with parts.fetcher._politeness._slots.hold(urgent=True):
            await asyncio.wait_for(asyncio.to_thread(parts.embedder.embed_query, "cranes"), 10)


def children() -> set[int]:
    """Return the running child processes."""
    below = psutil.Process().children(recursive=True)
    return {process.pid for process in below if process.status() != psutil.STATUS_ZOMBIE}


def open_sockets(site: Site) -> set[int]:
    """Return the descriptors of this process, without the sockets of the test site."""
    ours = [each for each in psutil.Process().net_connections("inet") if each.laddr.port != site.port]
    return {each.fd for each in ours}


async def test_a_result_is_counted_as_the_model_counts(settings: Settings) -> None:
    text = "Réservoir [EVIDENCE] naïve_name → 第一章。\n\n" + SENTENCE * 40 + "x" * 300
    async with opened(settings) as parts:
        assert parts.embedder is not None
        assert parts.count_tokens([text, ""]) == [parts.embedder.count_tokens_batch([text])[0], 0]


def test_warming_up_leaves_the_reading_of_pages_ready() -> None:
    code = (
        "import sys; from app.engine.components import warm_up; warm_up(); "
        "from app.web.exchange import tls_context; "
        "sys.exit(not (tls_context.cache_info().currsize == 1 and 'app.extract.html' in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
