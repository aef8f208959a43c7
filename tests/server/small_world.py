"""The real engine with a small corpus, and calls of every tool on it, for rules that all tools must follow."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.engine import Engine, build_engine
from app.library.packages import Package, Symbol
from app.secrets import SecretStore
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.calls.registry import ToolOutput
from app.server.tools import build_registry
from app.settings import Settings, load_settings
from tests.support.search import StandIn
from tests.support.site import Site

Arguments = dict[str, Any]

PLANTED = "zanzibar-planted-word"
"""Occurs on a page, so results may contain it, but logs must not."""
ASKED = "quicksilver-asked-word"
"""Occurs in arguments."""

HIVES = f"""<html><head><title>Choosing a hive</title></head><body><main><h1>Choosing a hive</h1>
<p>A hive of cork keeps a colony warm through the winter, and the {PLANTED} is never far away from it in any season of the year.</p>
<h2>Insulation</h2><p>Wooden walls of 25 mm lose heat quickly. A second skin of cork or wood fibre halves the loss, and the
cluster eats about a third less honey over the winter. See <a href="/bees/winter">wintering</a> for the stores.</p>
<h2>Entrance</h2><p>Reduce the entrance to a slit of 8 mm from October on, because mice cannot pass it and the bees still can.</p>
</main></body></html>"""
WINTER = """<html><head><title>Wintering</title></head><body><main><h1>Wintering</h1>
<p>A colony in a cold valley needs 18 kg of stores by the end of September, and a dry <a href="/bees/">hive</a>.</p>
<h2>Feeding</h2><p>Feed sugar syrup early in autumn: three parts of sugar and two of water, never later than the first frost.</p>
<h2>蜂の冬</h2><p>冬の間、蜂は蜂球を作り、蜂蜜を食べて体温を保ちます。巣箱の断熱が重要です。</p></main></body></html>"""
LONG = (
    "<html><head><title>A long register</title></head><body><main><h1>A long register</h1>"
    + "".join(
        f"<h2>Entry {number}</h2><p>{f'The colony number {number} was weighed, fed and counted in the valley. ' * 12}</p>"
        for number in range(120)
    )
    + "</main></body></html>"
)
DOCS = {
    "index.md": "# Pump manual\n\nHow the pumps of the valley are looked after.\n\n## Overview\n\nThree pumps lift the water.\n",
    "guide/start.md": "# Starting a pump\n\n## Before\n\nOpen the valve slowly and check the oil.\n\n## Start\n\n"
    "Press the green button until the pump runs; `pump_start()` does the same.\n",
    "guide/faults.md": "# Faults\n\n## Low pressure\n\nClean the filter, then start the pump again.\n\n## Noise\n\nCall for help.\n",
    "sidebar.md": "- Guide\n  - [Starting](guide/start.md)\n  - [Faults](guide/faults.md)\n",
}


@dataclass(repr=False)
class World:
    """A started engine and the dispatcher of calls."""

    engine: Engine
    dispatcher: Dispatcher
    site: Site

    async def call(self, tool: str, arguments: Arguments, client: str = "mcp") -> ToolOutput:
        """Make a call that no rate limit counts."""
        return await self.dispatcher.call(tool, arguments, Caller(client, key="test", charged=True))

    def offers(self, tool: str) -> bool:
        return self.dispatcher.offers.of(Caller()).resolve(tool) is not None

    async def examples(self, client: str = "mcp") -> list[tuple[str, Arguments]]:
        """Return one or two calls of every tool, as this client would make them."""
        known = {**self._independent(), **await self._dependent(client)}
        return [(tool, arguments) for tool, each in known.items() if self.offers(tool) for arguments in each]

    def _independent(self) -> dict[str, list[Arguments]]:
        hives, winter, long = (self.site.url(f"/bees/{name}") for name in ("", "winter", "long"))
        question = f"How is a hive kept warm in winter? {ASKED}"
        many = "colony weighed in the valley"
        return {
            "answer": [
                {"url": hives, "query": question},
                {"url": [hives, winter], "query": many, "expansion_budget": 0},
            ],
            "search": [{"query": question}, {"query": many, "top_k": 50}],
            "status": [{}, {"source_url": hives}],
            "ingest": [{"url": [hives, winter]}],
            "web.search": [{"query": "bees"}, {"query": ["bees", "hives"], "resultsPerQuery": 10}],
            "web.readFromPage": [
                {"url": hives, "query": "warm hive"},
                {"url": long, "query": ["colony", "valley"], "maxResults": 50, "includeMetadata": True},
            ],
            "search_docs": [{"query": "pump"}, {"query": "green button", "limit": 1}],
            "get_doc_page": [{"path": "guide/start.md"}, {"path": "guide/faults.md", "sections": ["Noise"]}],
            "list_doc_pages": [{}],
            "library_symbol": [{"name": "Client.stream"}, {"name": "strem", "library": "client"}],
            "kb.search": [{"query": question}, {"query": many, "top_k": 50, "page_size": 25}],
            "kb.retrieve_evidence": [{"question": question}, {"question": many, "max_quotes": 12}],
            "kb.verify_quote": [
                {"text": "Wooden walls of 25 mm lose heat quickly."},
                {"text": "Wooden walls of 52 mm lose heat slowly.", "uri": hives},
            ],
        }

    async def _dependent(self, client: str) -> dict[str, list[Arguments]]:
        """Return calls with ids from earlier calls of the same client."""
        return {**await self._passages(client), **await self._graph(client)}

    async def _passages(self, client: str) -> dict[str, list[Arguments]]:
        if not self.offers("kb.search"):
            return {}
        results = (await self._structured("kb.search", {"query": "colony in winter", "top_k": 3}, client))["results"]
        passages = [result["passage_id"] for result in results]
        return {
            "kb.read_excerpt": [{"passage_id": passages[0]}, {"passage_id": passages[0], "max_tokens": 20}],
            "kb.expand_excerpt": [{"passage_id": passages[0]}],
            "kb.extract_evidence": [{"question": "colony in winter", "passage_ids": passages}],
        }

    async def _graph(self, client: str) -> dict[str, list[Arguments]]:
        if not self.offers("graph.expand"):
            return {}
        hives, winter = self.site.url("/bees/"), self.site.url("/bees/winter")
        found = (await self._structured("graph.expand", {"start_ids": [hives]}, client))["nodes"]
        sections, entities = ([node["id"] for node in found if node["kind"] == kind] for kind in ("section", "entity"))
        return {
            "graph.describe": [{}, {"node_ids": [hives, *entities]}],
            "graph.expand": [{"start_ids": [hives]}, {"node_id": winter, "max_hops": 2, "page_size": 5}],
            "graph.paths": [{"from_id": hives, "to_id": winter}],
            "graph.parents": [{"node_id": sections[0]}],
            "graph.children": [{"node_id": hives}],
            "graph.entities_for_sections": [{"section_ids": sections}],
            "graph.sections_for_entities": [{"entity_ids": entities}],
        }

    async def _structured(self, tool: str, arguments: Arguments, client: str) -> dict[str, Any]:
        reply = await self.call(tool, arguments, client)
        assert reply.structured is not None, reply.text
        return reply.structured


@contextlib.asynccontextmanager
async def small_world(folder: Path, **more: Any) -> AsyncIterator[World]:
    """Yield a started engine with the guide, three pages of a site and a documentation folder."""
    docs = folder / "pumps"
    for name, text in DOCS.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8")
    with Site() as site, StandIn() as search, pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.web.search.searxng.PER_SECOND", 1_000.0)
        for path, page in (("/bees/", HIVES), ("/bees/winter", WINTER), ("/bees/long", LONG)):
            site.page(path, page)
        settings = _settings(folder, searxng_url=search.base, **more)
        engine = build_engine(settings, secrets=SecretStore())
        await engine.start()
        try:
            await _fill(engine, site, docs)
            yield World(engine, Dispatcher(engine, build_registry(settings)), site)
        finally:
            await engine.stop()


def _settings(folder: Path, **more: Any) -> Settings:
    given = {"allow_networks": "127.0.0.0/8", "request_timeout_ms": 3_000, "search_provider": "searxng", **more}
    return load_settings(given, data_dir=folder / "data", file=folder / "none.toml", environ={})


async def _fill(engine: Engine, site: Site, docs: Path) -> None:
    packages = engine._corpus.packages
    for name in ("Client.stream", "AsyncClient.stream"):
        stream = Symbol(f"httpx.{name}", "method", f"def {name}(self, url: str)", "Stream.", "httpx/_client.py", 7)
        packages.put_symbols(
            packages.add(Package("pypi", name.partition(".")[0].lower(), "0.28.1"), "installed"), [stream]
        )
    job = await engine.jobs.add_folder(docs)
    pages = await engine.ingest([site.url(path) for path in ("/bees/", "/bees/winter", "/bees/long")])
    assert not any(page.is_failed for page in pages), pages
    await engine.jobs.wait(job.id, 180)
    async with asyncio.timeout(180):
        while engine._corpus.vectors.count_waiting():  # noqa: ASYNC110 (worker threads)
            await asyncio.sleep(0.02)
