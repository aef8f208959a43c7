"""A shared library with many users: nodes as processes on one PostgreSQL, over HTTP.

    python bench/team.py [--chunks 300000] [--texts FOLDER] [--folder DIR] [--nodes 2] [--askers 1,8,32,128] [--asked 4] [--no-nodes]
        [--json [FILE]]
    python bench/team.py --chunks 20000 --kills 10

The bench creates a private library of this size from the HTML pages in --texts (or from generated words) with generated vectors and copies
it into a database with `webrag admin import`. Then 1 to 128 users ask through `/library/v1/search` of one node and of all nodes, later
while pages are stored. The node embeds, searches by keywords and vectors, and reranks each question. With --folder, the private library is
created there once and reused. The database is a test server with more memory and without durability, or an empty one from --database.

Before that, the bench measures the store alone: hybrid candidates for 1 thread and for up to 32, the same within 20 pages, passages with
their token vectors, and storing a page. Each has the CPU time of this process and of the server, and the growth of the write-ahead log. For
the import, it also measures each index with its memory, and the size of tables and indexes. It counts how many of the ten nearest passages
the vector index finds. --no-nodes stops there. --filled uses the library in --database as it is. Each user has a name, as programs with the
shared token do.

With --kills, users ask and store pages for this number of minutes while a node is killed every KILL_SECONDS (SIGKILL) and restarted. At the
end, every page that a node confirmed must be stored once, with a vector for each passage, and no vector may be stored twice. The exit
status is 1 if not, or if a call failed for another reason than a killed node.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import secrets
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import asyncpg
import httpx

from app.embed.folder import load_card
from app.library.exchange import INSTANCE_HEADER, PAGES_PATH, READY_PATH, SEARCH_PATH, PageIn, SearchRequest, encoded
from app.library.records import EmbeddingModel
from app.paths import assets_dir
from app.pg.library import PgLibrary
from app.retrieval.evidence import ANSWERED
from support.application import WEBRAG
from support.library_figures import WRITTEN, filled, library, one_value, recall, server_process, weigh
from support.library_reads import MANY, Reads, processor_seconds, server_seconds, within_all
from support.real_corpus import CORPUS_FILE, make_corpus
from support.report import Report, Row, add_json, median, percentile
from tests.support.postgres import PostgresServer

CHUNKS: Final = 300_000
ASKERS: Final = "1,8,32,128"
SERVER: Final = {
    "shared_buffers": "2GB",
    "max_connections": "200",
    "max_wal_size": "8GB",
    "full_page_writes": "on",
}
LEAST_BUILD_BYTES: Final = 2**30
INDEXED_PASSAGE_BYTES: Final = 1_600
"""Memory per passage during the build of the vector index (1,483 bytes with 384 dimensions), plus a margin."""
START_SECONDS: Final = 120.0
ANSWER_SECONDS: Final = 120.0
SETTLE_SECONDS: Final = 600.0
"""Time for the nodes to embed their work."""
KILL_SECONDS: Final = 12.0
PAGE_WORDS: Final = 120
WRITERS: Final = 4
PAUSE_SECONDS: Final = 0.5
"""Pause of a writer between pages."""

NO_HEADERS: Final[Mapping[str, str]] = {}
COUNT_STORED: Final = """
CREATE TABLE webrag.stored_vectors(chunk_id bigint);
GRANT INSERT ON webrag.stored_vectors TO PUBLIC;
CREATE FUNCTION webrag.note_vector() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN INSERT INTO webrag.stored_vectors VALUES (NEW.chunk_id); RETURN NEW; END $$;
CREATE TRIGGER note_vector AFTER INSERT OR UPDATE ON webrag.embeddings FOR EACH ROW EXECUTE FUNCTION webrag.note_vector();
"""
TWICE: Final = "SELECT count(*) FROM (SELECT FROM webrag.stored_vectors GROUP BY chunk_id HAVING count(*) > 1) twice"
UNFINISHED: Final = "SELECT count(*) FROM webrag.waiting"
WITHOUT: Final = (
    "SELECT count(*) FROM webrag.chunks c WHERE NOT EXISTS (SELECT FROM webrag.embeddings e WHERE e.chunk_id = c.id)"
)
PAGES: Final = "SELECT url, count(*) FROM webrag.documents WHERE url LIKE 'https://written.example/%' GROUP BY url"


class Node:
    """`webrag serve` on the library, as a process that can be killed and restarted on the same port."""

    def __init__(self, folder: Path, database: str, token: str) -> None:
        self._folder = folder
        self._environment = {
            **os.environ,
            "WEBRAG_LIBRARY": database,
            "MCP_AUTH_TOKEN": token,
            "WEBRAG_CONFIG": str(folder / "config.toml"),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            "MCP_RATE_LIMIT_REQUESTS": "100000",
        }
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process. `ready` waits for it."""
        self._folder.mkdir(exist_ok=True)
        command = [str(WEBRAG), "serve", "--transport", "streamable-http", "--port", str(self.port)]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--data-dir", str(self._folder / "data")],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    async def ready(self) -> float:
        """Wait for the process and return the seconds since the call. Raises SystemExit with its log if it exits first."""
        began = time.monotonic()
        async with httpx.AsyncClient(trust_env=False) as http:
            while True:
                with contextlib.suppress(httpx.TransportError, IndexError):
                    self.port = self.port or self._told_port()
                    if (await http.get(self.url(READY_PATH))).status_code == httpx.codes.OK:
                        return time.monotonic() - began
                assert self._process is not None
                if self._process.poll() is not None or time.monotonic() - began > START_SECONDS:
                    raise SystemExit(
                        f"a node did not start:\n{(self._folder / 'log').read_text(errors='replace')[-2_000:]}"
                    )
                await asyncio.sleep(0.1)

    def url(self, path: str) -> str:
        """Return the address of an endpoint. Raises IndexError before the node has a port."""
        return f"http://127.0.0.1:{self.port or self._told_port()}{path}"

    @property
    def processor_seconds(self) -> float:
        """Return its CPU time."""
        return processor_seconds(self._process.pid) if self._process is not None else 0.0

    def kill(self) -> None:
        """Kill it without cleanup."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop it as an administrator does."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(START_SECONDS)
            self._process = None

    def _told_port(self) -> int:
        said = (self._folder / "log").read_text(errors="replace")
        return int(said.split("listening on http://127.0.0.1:")[1].split("/")[0])


@dataclass
class Tally:
    """Results of the calls of one run. `empty` counts answers without a passage by their message: most questions of this bench are random
    words without a close match. `written` contains the addresses of pages that a node confirmed.
    """

    ms: list[float] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    empty: Counter[str] = field(default_factory=Counter)
    written: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def row(self, nodes: int, askers: int, work: str) -> Row:
        """Return a row of the report."""
        times = self.ms or [0.0]
        return {
            "nodes": nodes,
            "askers": askers,
            "work": work,
            "questions": len(self.ms),
            "p50 ms": median(times),
            "p95 ms": percentile(times, 0.95),
            "a second": len(self.ms) / max(self.seconds, 1e-9),
            "pages stored": len(self.written),
            "failed": ", ".join(f"{count} × {why}" for why, count in self.failed.items()) or "0",
        }


class Team:
    """Users who ask and write, spread over nodes."""

    def __init__(
        self, nodes: Sequence[Node], token: str, questions: Sequence[str], *, nodes_may_go: bool = False
    ) -> None:
        self._nodes = nodes
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._questions = questions
        self._nodes_may_go = nodes_may_go
        self._chance = random.Random(2026)
        self.tally = Tally()

    async def ask(self, askers: int, asked: int, *, writers: int = 0) -> Tally:
        """Let this number of users ask in turn, with writers until they finish."""
        async with self._http(askers + writers) as http:
            began = time.monotonic()
            writing = [asyncio.create_task(self._write(http, number, None)) for number in range(writers)]
            await asyncio.gather(*(self._ask(http, number, asked) for number in range(askers)))
            self.tally.seconds = time.monotonic() - began
            for each in writing:
                each.cancel()
            await asyncio.gather(*writing, return_exceptions=True)
        return self.tally

    async def work(self, askers: int, writers: int, until: float) -> Tally:
        """Ask and write until a time of the monotonic clock."""
        async with self._http(askers + writers) as http:
            began = time.monotonic()
            asking = [self._ask(http, number, None, until) for number in range(askers)]
            await asyncio.gather(*asking, *(self._write(http, number, until) for number in range(writers)))
            self.tally.seconds = time.monotonic() - began
        return self.tally

    @contextlib.asynccontextmanager
    async def _http(self, at_once: int) -> AsyncIterator[httpx.AsyncClient]:
        limits = httpx.Limits(max_connections=at_once, max_keepalive_connections=at_once)
        async with httpx.AsyncClient(
            headers=self._headers, timeout=ANSWER_SECONDS, limits=limits, trust_env=False
        ) as http:
            yield http

    async def _ask(self, http: httpx.AsyncClient, number: int, most: int | None, until: float = 0.0) -> None:
        done = 0
        while done < most if most is not None else time.monotonic() < until:
            question = self._chance.choice(self._questions)
            began = time.perf_counter()
            asked, person = encoded(SearchRequest(question, limit=10)), {INSTANCE_HEADER: f"{number:032x}"}
            reply = await self._post(http, self._node(number, done), SEARCH_PATH, asked, person)
            if reply is not None:
                self.tally.ms.append(1000 * (time.perf_counter() - began))
                found = reply.json()
                if not found["passages"]:
                    likely = found["likelihood"]
                    judged = "judged to hold no answer" if likely is not None and likely < ANSWERED else "not judged"
                    self.tally.empty[" ".join((judged, *found["notes"]))] += 1
            done += 1

    async def _write(self, http: httpx.AsyncClient, number: int, until: float | None) -> None:
        written = 0
        while until is None or time.monotonic() < until:
            url = f"https://written.example/{number}/{secrets.token_hex(6)}"
            text = " ".join(self._chance.choices(" ".join(self._questions[:100]).split(), k=PAGE_WORDS))
            page = PageIn(url, f"Page {written} of writer {number}", text)
            if await self._post(http, self._node(number, written), PAGES_PATH, encoded(page)) is not None:
                self.tally.written.append(url)
            written += 1
            await asyncio.sleep(PAUSE_SECONDS)

    async def _post(
        self, http: httpx.AsyncClient, node: Node, path: str, body: bytes, headers: Mapping[str, str] = NO_HEADERS
    ) -> httpx.Response | None:
        try:
            reply = await http.post(node.url(path), content=body, headers=headers)
        except httpx.TransportError as error:
            if self._nodes_may_go:
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                self.tally.failed[type(error).__name__] += 1
            return None
        if reply.status_code == httpx.codes.OK:
            return reply
        self.tally.failed[f"{reply.status_code} {reply.text[:60]}"] += 1
        return None

    def _node(self, number: int, turn: int) -> Node:
        return self._nodes[(number + turn) % len(self._nodes)]


@contextlib.contextmanager
def database(given: str | None, passages: int) -> Iterator[str]:
    """Yield the address of an empty database: the given one, or one on a server of this run."""
    if given:
        yield given
        return
    memory = max(LEAST_BUILD_BYTES, INDEXED_PASSAGE_BYTES * passages)
    server = PostgresServer({**SERVER, "maintenance_work_mem": f"{memory // 1024}kB"})
    try:
        yield server.new_database("team")
    finally:
        server.close()


def measure_store(address: str, model: EmbeddingModel, questions: Sequence[str], options: argparse.Namespace) -> None:
    """Measure a question in the library, without a node."""
    opened = PgLibrary.open("team", address, model, size=max(options.askers))
    try:
        # A node also does this before its first call.
        opened.warm().result()
        report = Report("The store", as_json=options.json)
        server, clients = asyncio.run(server_process(address)), min(MANY, max(options.askers))
        Reads(within_all(opened), questions, server, clients, lambda: asyncio.run(one_value(address, WRITTEN))).measure(
            report
        )
        report.end()
        asyncio.run(recall(within_all(opened), address, options.json))
    finally:
        opened.close()


async def settled(address: str) -> None:
    """Wait until every passage has its vector, for at most SETTLE_SECONDS."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < deadline:
        if not await one_value(address, UNFINISHED):
            return
        await asyncio.sleep(1)


async def measure(
    nodes: Sequence[Node], token: str, questions: Sequence[str], address: str, options: argparse.Namespace
) -> None:
    """Measure reading with one node and with all, then reading and writing."""
    server = await server_process(address)

    def used() -> tuple[float, float]:
        return sum(node.processor_seconds for node in nodes), server_seconds(server) if server else 0.0

    async def asked(count: int, askers: int, work: str, writers: int = 0) -> Row:
        before = used()
        tally = await Team(nodes[:count], token, questions).ask(askers, options.asked, writers=writers)
        own, theirs = (
            1e3 * (after - early) / max(1, len(tally.ms)) for after, early in zip(used(), before, strict=True)
        )
        return {**tally.row(count, askers, work), "processor of nodes ms": own, "processor of server ms": theirs}

    report = Report("Questions to nodes of a shared library", as_json=options.json)
    for count in sorted({1, len(nodes)}):
        for askers in options.askers:
            report.add(await asked(count, askers, "ask"))
    report.add(await asked(len(nodes), max(options.askers) // 4 or 1, "ask and store", WRITERS))
    report.end()


async def with_kills(
    nodes: Sequence[Node], token: str, questions: Sequence[str], address: str, options: argparse.Namespace
) -> bool:
    """Return whether nothing was lost, stored twice or refused while nodes were killed."""
    con = await asyncpg.connect(address)
    await con.execute(COUNT_STORED)
    await con.close()
    until = time.monotonic() + 60 * options.kills
    team = Team(nodes, token, questions, nodes_may_go=True)
    working = asyncio.create_task(team.work(max(options.askers), WRITERS, until))
    chance, kills = random.Random(7), 0
    while time.monotonic() + KILL_SECONDS < until:
        await asyncio.sleep(min(KILL_SECONDS, until - time.monotonic()))
        node = chance.choice(nodes)
        node.kill()
        kills += 1
        node.start()
        await node.ready()
    tally = await working
    await settled(address)
    con = await asyncpg.connect(address)
    stored = dict(await con.fetch(PAGES))
    await con.close()
    row = {
        "minutes": options.kills,
        "kills": kills,
        "questions": len(tally.ms),
        "pages acknowledged": len(tally.written),
        "lost": len(set(tally.written) - set(stored)),
        "there twice": sum(count > 1 for count in stored.values()),
        "passages without vector": await one_value(address, WITHOUT),
        "vectors stored twice": await one_value(address, TWICE),
        "empty answers": sum(tally.empty.values()),
        "failed": sum(tally.failed.values()),
    }
    report = Report("Nodes killed under load", as_json=options.json)
    report.add(row)
    report.end()
    for why, count in (*tally.failed.items(), *tally.empty.items()):
        print(f"{count} × {why}")
    return not any(
        row[name] for name in ("lost", "there twice", "passages without vector", "vectors stored twice", "failed")
    )


def run(options: argparse.Namespace, folder: Path) -> bool:
    """Create, copy, start, ask."""
    card = load_card(assets_dir() / "model")
    kept = options.folder or folder
    kept.mkdir(parents=True, exist_ok=True)
    model = EmbeddingModel(card.fingerprint, card.dimension)
    questions = make_corpus(kept, options.texts, options.chunks, model)
    token = secrets.token_hex(16)
    with database(options.database, options.chunks) as address:
        if not options.filled:
            library("init", address)
            filled(address, kept / CORPUS_FILE, options.json)
        asyncio.run(weigh(address, options.json))
        if not options.kills:
            measure_store(address, model, questions, options)
        if options.no_nodes:
            return True
        nodes = [Node(folder / f"node{number}", address, token) for number in range(options.nodes)]
        try:
            return asyncio.run(with_nodes(nodes, token, questions, address, options))
        finally:
            for node in nodes:
                node.stop()


async def with_nodes(
    nodes: Sequence[Node], token: str, questions: Sequence[str], address: str, options: argparse.Namespace
) -> bool:
    """Start the nodes and run the options. Returns False if a node or the library misbehaved."""
    for node in nodes:
        node.start()
    for node in nodes:
        await node.ready()
    if options.kills:
        return await with_kills(nodes, token, questions, address, options)
    await measure(nodes, token, questions, address, options)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=CHUNKS)
    parser.add_argument("--texts", type=Path, metavar="FOLDER")
    parser.add_argument("--folder", type=Path, metavar="DIR")
    parser.add_argument("--database", metavar="ADDRESS", help="address of an empty database")
    parser.add_argument("--filled", action="store_true", help="the database already contains the library")
    parser.add_argument("--no-nodes", action="store_true", help="only measure the store")
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--askers", type=lambda text: [int(each) for each in text.split(",")], default=ASKERS)
    parser.add_argument("--asked", type=int, default=4, help="questions per user")
    parser.add_argument("--kills", type=float, default=0.0, metavar="MINUTES")
    add_json(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder:
        return 0 if run(options, Path(folder)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
