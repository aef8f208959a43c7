"""Two nodes as processes on one database, one of them killed: nothing is lost or done twice, and the other node finishes the work."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import asyncpg
import httpx
import httpx2
import pytest
import pytest_asyncio
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from app.embed.folder import load_card
from app.library.exchange import PAGES_PATH, PageIn, encoded
from app.library.records import EmbeddingModel
from app.paths import assets_dir
from app.pg import setup
from app.pg.library import PgLibrary
from tests.corpus.builders import document
from tests.support.postgres import PostgresServer, ends_with
from tests.support.site import Site
from tests.support.tls_proxy import free_port

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(1200)]

SECONDS: Final = 600.0
TOKEN: Final = "token-of-everybody-here"
# Nodes check often for abandoned work. The test ends leases, so that a busy machine does not matter.
PROGRAM: Final = (
    "import sys; from app.ingest import background; from app.ingest.runner import queue;"
    " background.SHARED_POLL_SECONDS = queue.LOOK_SECONDS = 0.2;"
    " background.EMBED_RETRY_SECONDS = 0.2;"
    " from app.cli import main; raise SystemExit(main(sys.argv[1:]))"
)
DOCUMENTS: Final = 10
PASSAGES: Final = 100
PAGES: Final = 8
COUNT_STORED: Final = """
CREATE TABLE webrag.stored_vectors(chunk_id bigint);
GRANT INSERT ON webrag.stored_vectors TO PUBLIC;
CREATE FUNCTION webrag.note_vector() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN INSERT INTO webrag.stored_vectors VALUES (NEW.chunk_id); RETURN NEW; END $$;
CREATE TRIGGER note_vector AFTER INSERT OR UPDATE ON webrag.embeddings FOR EACH ROW EXECUTE FUNCTION webrag.note_vector();
"""
TIME_PASSES: Final = "UPDATE webrag.{table} SET lease_until = now() - interval '1 second' WHERE leased_by IS NOT NULL"
LEASED: Final = ("waiting", "flags_waiting", "jobs", "job_items")


class Node:
    """`webrag serve` on the library, on the same port after each start."""

    def __init__(self, folder: Path, address: str) -> None:
        self.url = f"http://127.0.0.1:{free_port()}"
        self._folder = folder
        self._environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "WEBRAG_LIBRARY": address,
            "MCP_AUTH_TOKEN": TOKEN,
            "MCP_TOOL_TIMEOUT": "600",
            "WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8",
            "REQUEST_TIMEOUT_MS": "120000",
        }
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Start it unless it runs, and return when it is ready."""
        if self._process is None:
            self._process = self._started()
        await until(self.is_ready, self.log)

    def _started(self) -> subprocess.Popen[bytes]:
        self._folder.mkdir(exist_ok=True)
        port = self.url.rpartition(":")[2]
        serve = ["serve", "--transport", "streamable-http", "--host", "127.0.0.1", "--port", port]
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-c", PROGRAM, *serve, "--data-dir", str(self._folder / "data")],
                env=self._environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=ends_with(),
            )

    async def is_ready(self) -> bool:
        """Whether it responds with its database and its model."""
        assert self._process is not None and self._process.poll() is None, self.log()
        try:
            async with httpx.AsyncClient(trust_env=False, verify=False) as http:  # noqa: S501 (loopback)
                return (await http.get(f"{self.url}/readyz")).status_code == 200
        except httpx.TransportError:
            return False

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process."""
        if self._process is not None:
            self._process.send_signal(number)

    def kill(self) -> None:
        """Kill it without cleanup."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(SECONDS)
            self._process = None

    def log(self) -> str:
        """Return its output."""
        return (self._folder / "log").read_text("utf-8", "replace")[-3_000:]

    def store(self, page: PageIn) -> int:
        """Store a page, with waiting in the queue, and return its ID."""
        while True:
            headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
            reply = httpx.post(
                f"{self.url}{PAGES_PATH}",
                content=encoded(page),
                headers=headers,
                timeout=SECONDS,
                trust_env=False,
                verify=False,  # noqa: S501 (loopback)
            )
            if reply.status_code != 429:
                assert reply.status_code == 200, reply.text
                return int(reply.json()["page_id"])
            time.sleep(0.05)

    @asynccontextmanager
    async def client(self) -> AsyncIterator[Client]:
        """Yield an assistant at this node."""
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False, verify=False, timeout=SECONDS) as http,
            Client(streamable_http_client(f"{self.url}/mcp", http_client=http), mode="auto") as client,
        ):
            yield client


@dataclass
class Team:
    """A database with its library as its owner sees it, and two nodes that are not started."""

    address: str
    library: PgLibrary
    con: Any
    nodes: tuple[Node, Node]

    async def count(self, query: str) -> int:
        return int(await self.con.fetchval(f"SELECT count(*) FROM {query}"))

    async def time_passes(self) -> None:
        """End all leases."""
        for table in LEASED:
            await self.con.execute(TIME_PASSES.format(table=table))

    async def embedded(self) -> None:
        """Return when every passage has one vector that was stored once."""
        await until(self._has_none_waiting, lambda: "\n".join(node.log() for node in self.nodes))
        stored = Counter(row[0] for row in await self.con.fetch("SELECT chunk_id FROM webrag.stored_vectors"))
        assert set(stored.values()) <= {1}
        ids = {row[0] for row in await self.con.fetch("SELECT id FROM webrag.chunks")}
        assert ids == set(stored) == {row[0] for row in await self.con.fetch("SELECT chunk_id FROM webrag.embeddings")}

    async def _has_none_waiting(self) -> bool:
        return await self.count("webrag.waiting") == 0


async def until(happened: Callable[[], Awaitable[bool]], log: Callable[[], str]) -> None:
    """Wait for an event, even on a busy machine."""
    end = time.monotonic() + SECONDS
    while not await happened():
        assert time.monotonic() < end, log()
        await asyncio.sleep(0.02)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def team(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Team]:
    card = load_card(assets_dir() / "model")
    model = EmbeddingModel(card.fingerprint, card.dimension)
    address = await asyncio.to_thread(postgres.new_database, "killed")
    await asyncio.to_thread(setup.init, address, model)
    library = await asyncio.to_thread(PgLibrary.open, "team", address, model)
    con = await asyncpg.connect(address)
    await con.execute(COUNT_STORED)
    folder = tmp_path_factory.mktemp("nodes")
    made = Team(address, library, con, (Node(folder / "a", address), Node(folder / "b", address)))
    yield made
    for node in made.nodes:
        node.kill()
    await con.close()
    library.close()


async def test_a_thousand_passages_are_embedded_once_although_a_node_dies_with_some_in_hand(team: Team) -> None:
    first, second = team.nodes
    own = team.library.within(await asyncio.to_thread(team.library.grants.everything))
    for number in range(DOCUMENTS):
        texts = [f"Hive {number} of row {row} has {row} frames." for row in range(PASSAGES)]
        await asyncio.to_thread(own.documents.store, document(f"https://bees.example.org/{number}", texts))
    assert await team.count("webrag.waiting") == DOCUMENTS * PASSAGES
    await first.start()

    async def has_some_in_hand() -> bool:
        """Stop the node to check, so that it cannot finish in the meantime."""
        first.signal(signal.SIGSTOP)
        if await team.count("webrag.waiting WHERE leased_by IS NOT NULL"):
            return True
        first.signal(signal.SIGCONT)
        return False

    await until(has_some_in_hand, first.log)
    first.kill()
    held = await team.count("webrag.waiting WHERE leased_by IS NOT NULL")
    assert 0 < held < DOCUMENTS * PASSAGES
    await asyncio.gather(first.start(), second.start())

    async def is_the_rest_done() -> bool:
        return await team.count("webrag.waiting") == held

    await until(is_the_rest_done, second.log)
    await team.time_passes()
    await team.embedded()


async def test_an_address_stored_ten_times_at_two_nodes_is_one_page_whose_passages_both_read(team: Team) -> None:
    first, second = team.nodes
    await asyncio.gather(first.start(), second.start())
    page = PageIn(
        "https://bees.example.org/winter", "Winter", "# Winter\n\nThe heather hive needs eleven kilos of food.\n"
    )
    with ThreadPoolExecutor(10) as threads:
        storing = [asyncio.wrap_future(threads.submit(team.nodes[number % 2].store, page)) for number in range(10)]
        assert len(set(await asyncio.gather(*storing))) == 1
    assert await team.count("webrag.documents WHERE url LIKE '%/winter'") == 1
    await team.embedded()
    async with first.client() as assistant:
        found = await assistant.call_tool("kb_search", {"query": "How much food does the heather hive need?"})
    assert found.structured_content, found
    passage = found.structured_content["results"][0]["passage_id"]
    async with second.client() as assistant:
        read = await assistant.call_tool("kb_read_excerpt", {"passage_id": passage})
    assert not read.is_error and "eleven kilos" in str(read.structured_content), read


async def test_a_crawl_goes_on_at_another_node_and_after_the_database_was_away(
    team: Team, postgres: PostgresServer
) -> None:
    first, second = team.nodes
    await asyncio.gather(first.start(), second.start())
    with Site() as site:
        links = " ".join(f'<a href="/{number}">Hive {number}</a>' for number in range(PAGES))
        site.page(
            "/", f"<html><body><h1>Hives</h1><p>All hives of the town, by their numbers.</p>{links}</body></html>"
        )
        let_go = [site.held_back(f"/{number}", _hive(number)) for number in range(PAGES)]
        crawling = asyncio.create_task(_crawl(first, site.url("/")))

        async def is_read(least: int) -> bool:
            return sum(site.count(f"/{number}") > 0 for number in range(PAGES)) >= least

        await until(lambda: is_read(1), first.log)
        first.kill()
        await asyncio.gather(crawling, return_exceptions=True)
        job = int(await team.con.fetchval("SELECT max(id) FROM webrag.jobs"))
        before = sum(site.count(f"/{number}") for number in range(PAGES))
        await team.time_passes()

        async def goes_on() -> bool:
            return sum(site.count(f"/{number}") for number in range(PAGES)) > before

        await until(goes_on, second.log)
        await team.con.close()
        await asyncio.to_thread(postgres.stop)
        for event in let_go:
            event.set()

        async def notices() -> bool:
            return "continues later" in second.log()

        await until(notices, second.log)
        # In this thread, because the server ends with the thread that started it.
        postgres.serve()
        team.con = await asyncpg.connect(team.address)
        # The test database is not durable: recent commits can be lost, such as the owner of the job.
        await team.time_passes()

        async def has_ended() -> bool:
            state: str = await team.con.fetchval("SELECT state FROM webrag.jobs WHERE id = $1", job)
            return state in ("done", "failed", "cancelled")

        await until(has_ended, second.log)
    items = await team.con.fetch("SELECT url, state, reason FROM webrag.job_items WHERE job_id = $1", job)
    assert len(items) == PAGES + 1
    assert [tuple(item) for item in items if item["state"] not in ("stored", "unchanged")] == []
    assert await team.con.fetchval("SELECT state FROM webrag.jobs WHERE id = $1", job) == "done"
    stored = await team.con.fetch("SELECT url FROM webrag.documents WHERE url LIKE $1", f"{site.url('/')}%")
    assert len(stored) == len({row[0] for row in stored}) == PAGES + 1
    async with second.client() as assistant:
        told = await assistant.call_tool("status", {"job_id": job})
    assert not told.is_error and "done" in str(told.content).lower(), told
    await team.embedded()


def _hive(number: int) -> str:
    return f"<html><body><h1>Hive {number}</h1><p>Hive {number} stands in street {number} and has {number} frames of oak.</p></body></html>"


async def _crawl(node: Node, url: str) -> None:
    async with node.client() as assistant:
        await assistant.call_tool("ingest", {"url": url, "crawl": {"max_pages": 20, "max_depth": 1}})
