"""Tasks of the protocol: crawls that a client follows by itself, with the real engine over HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app import extensions
from app.engine import Engine, build_engine
from app.server.http import HttpServer
from app.server.tools import build_registry
from app.settings import load_settings
from tests.integration.pages import html
from tests.server.transports import BEARER, TOKEN
from tests.support.site import Site

PAGES = 4
ERA = "2026-07-28"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        links = "".join(f"<a href='/docs/{number}'>Page {number}</a> " for number in range(1, PAGES))
        running.page("/docs/", html("Start", f"<p>The start of the manual names its pages. {links}</p>" * 3))
        for number in range(1, PAGES):
            running.page(f"/docs/{number}", html(f"Page {number}", f"Valve {number} is checked every Tuesday. " * 9))
        yield running


@dataclass
class Program:
    """The running program, and requests of clients to it."""

    engine: Engine
    http: httpx2.AsyncClient
    url: str

    async def ask(
        self,
        method: str,
        params: dict[str, Any],
        *,
        client: str = "one",
        declared: bool = True,
        name: str | None = None,
    ) -> tuple[int, dict[str, Any]]:
        """Return the status and the response to a request of the newer era."""
        extra = {"extensions": {extensions.TASKS: {}}} if declared else {}
        meta = {
            "io.modelcontextprotocol/protocolVersion": ERA,
            "io.modelcontextprotocol/clientInfo": {"name": client, "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": extra,
        }
        named = params.get("name", params.get("taskId")) if name is None else name
        headers = {"MCP-Protocol-Version": ERA, "Mcp-Method": method, "Mcp-Name": named, "Accept": "application/json"}
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        answer = await self.http.post(self.url, json=body, headers=headers)
        return answer.status_code, answer.json()

    async def task(self, method: str, task_id: str, **more: Any) -> dict[str, Any]:
        _, answer = await self.ask(f"tasks/{method}", {"taskId": task_id}, **more)
        return dict(answer.get("result") or answer["error"])

    async def crawl(self, url: str, **more: Any) -> dict[str, Any]:
        arguments = {"url": url, "crawl": {"max_pages": PAGES}}
        _, answer = await self.ask("tools/call", {"name": "ingest", "arguments": arguments}, **more)
        return dict(answer["result"])

    async def ended(self, task_id: str) -> dict[str, Any]:
        async with asyncio.timeout(60):
            while (state := await self.task("get", task_id))["status"] == "working":  # noqa: ASYNC110 (a client polls)
                await asyncio.sleep(0.05)
        return state


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Program]:
    """Start the program on a data folder."""
    settings = load_settings({"allow_networks": "127.0.0.0/8"}, data_dir=folder)
    engine = build_engine(settings)
    await engine.start()
    server = HttpServer(engine, build_registry(settings), token=TOKEN, port=0)
    try:
        url = await server.start()
        async with httpx2.AsyncClient(headers=BEARER, trust_env=False, timeout=60) as http:
            yield Program(engine, http, url)
    finally:
        await server.stop()
        await engine.stop()


async def test_a_crawl_is_a_task_with_the_result_of_today_at_its_end(guided: Path, site: Site) -> None:
    async with running(guided) as program:
        began = time.monotonic()
        created = await program.crawl(site.url("/docs/"))
        assert time.monotonic() - began < 5
        assert (created["resultType"], created["status"]) == ("task", "working")
        assert {"createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs", "statusMessage"} <= created.keys()
        task_id = created["taskId"]
        assert len(task_id) >= 32
        ended = await program.ended(task_id)
        assert ended["status"] == "completed"
        text = ended["result"]["content"][0]["text"]
        assert not ended["result"]["isError"]
        told = await program.crawl(site.url("/docs/"), declared=False)
        assert told["resultType"] == "complete" and told["content"][0]["text"].startswith("[INGESTED]\nJob 2: crawl")
        assert text.splitlines()[:3] == [
            "[INGESTED]",
            f"Job 1: crawl of {site.url('/docs/')} — done",
            f"Pages: {PAGES} of {PAGES} done: {PAGES} stored",
        ]
        assert (await program.task("update", task_id))["resultType"] == "complete"


async def test_a_task_belongs_to_its_client_and_survives_a_restart(guided: Path, site: Site) -> None:
    gate = site.held_back("/docs/2", html("Page 2", "Valve 2 is checked every Tuesday. " * 9))
    async with running(guided) as program:
        task_id = (await program.crawl(site.url("/docs/")))["taskId"]
        assert (await program.crawl(site.url("/docs/")))["taskId"] == task_id
        other = (await program.crawl(site.url("/docs/"), client="two"))["taskId"]
        assert other != task_id
        for method in ("get", "update", "cancel"):
            assert (await program.task(method, other))["code"] == -32602
            assert (await program.task(method, "x" * 48))["code"] == -32602
            missing = await program.task(method, task_id, declared=False)
            assert missing["code"] == -32021
            assert missing["data"] == {"requiredCapabilities": {"extensions": {extensions.TASKS: {}}}}
            status, answer = await program.ask(f"tasks/{method}", {"taskId": task_id}, name="other")
            assert (status, answer["error"]["code"]) == (400, -32020)
        assert (await program.task("get", task_id))["status"] == "working"
    gate.set()
    async with running(guided) as program:
        assert (await program.ended(task_id))["status"] == "completed"
        assert (await program.engine.jobs.job(1)).options.find(task_id) == -1


async def test_cancelling_a_task_stops_reading_and_keeps_the_pages(guided: Path, site: Site) -> None:
    gate = site.held_back("/docs/3", html("Page 3", "never read"))
    async with running(guided) as program:
        task_id = (await program.crawl(site.url("/docs/")))["taskId"]
        async with asyncio.timeout(60):
            while (await program.engine.jobs.job(1)).counts.stored < PAGES - 1:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        began = time.monotonic()
        assert (await program.task("cancel", task_id))["resultType"] == "complete"
        assert (await program.task("get", task_id))["status"] == "cancelled"
        assert time.monotonic() - began < 5
        assert (await program.task("cancel", task_id))["resultType"] == "complete"
        gate.set()
        job = await program.engine.jobs.job(1)
        assert (job.state, job.counts.stored) == ("cancelled", PAGES - 1)


async def test_a_paused_task_keeps_working_and_says_so(guided: Path, site: Site) -> None:
    gate = site.held_back("/docs/3", html("Page 3", "Valve 3 is checked every Tuesday. " * 9))
    async with running(guided) as program:
        task_id = (await program.crawl(site.url("/docs/")))["taskId"]
        await program.engine.jobs.pause(1)
        state = await program.task("get", task_id)
        assert (state["status"], state["statusMessage"][:24]) == ("working", "The user paused this job")
        gate.set()
        await program.engine.jobs.resume(1)
        assert (await program.ended(task_id))["status"] == "completed"


async def test_a_crawl_that_reads_nothing_is_an_error(guided: Path, site: Site) -> None:
    async with running(guided) as program:
        ended = await program.ended((await program.crawl(site.url("/missing")))["taskId"])
        assert ended["status"] == "completed"
        assert ended["result"]["isError"]
        assert ended["result"]["content"][0]["text"].startswith("[ERROR]\nThe crawl could not read any page.")


async def test_a_page_that_takes_long_is_a_task(guided: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.server.tools.ingest.TASK_SECONDS", 0.2)
    gate = site.held_back("/docs/3", html("Page 3", "Valve 3 is checked every Tuesday. " * 9))
    async with running(guided) as program:
        arguments = {"name": "ingest", "arguments": {"url": site.url("/docs/3")}}
        _, answer = await program.ask("tools/call", arguments)
        assert answer["result"]["resultType"] == "task"
        gate.set()
        assert (await program.ended(answer["result"]["taskId"]))["status"] == "completed"
