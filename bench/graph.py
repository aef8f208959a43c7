"""The graph of one site: size and times of its tools, with SQL over the same edges.

    python bench/graph.py --site DIR [--repeat N] [--json]

An engine without an embedder indexes the pages of the folder from loopback. Each tool is called with random starts, in the engine (service)
and over HTTP by the official client. For random pages and pairs of pages, the bench also counts odd results. These are own headings among
the first nodes of `expand`, pages there that most of the site links to, and several paths along the same way. The first baseline is a
recursive query over an indexed table of section edges that counts the nodes within two hops, without order, titles, related entities and
page edges. The second one scans all texts for the sections with an entity.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import random
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NoReturn

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from app.corpus.page_texts import TEXT, page_text
from app.engine import Engine
from app.errors import EmbedderError
from app.events import EventBus
from app.ingest.background import GRAPH_FILL_DOCUMENTS
from app.library.graph_records import EdgeType, node_of
from app.library.scope import Filter
from app.paths import corpus_file
from app.retrieval.graph.walks import EVERYWHERE_SHARE
from app.secrets import SecretStore
from app.server.http import HttpServer
from app.server.tools import build_registry
from app.settings import load_settings
from support.report import Row, print_report
from support.sites import serve_folder
from support.timings import timing_row

URLS_PER_CALL: Final = 10
TOKEN: Final = "token-of-the-benchmark"
GOAL: Final = "p50 < 10, p95 < 50"
SECTIONS_ASKED: Final = 5
FIRST_NODES: Final = 10
EDGES: Final = """
CREATE TEMP TABLE edge AS
SELECT 's' || document_id || '.' || section AS a, 'e' || entity_id AS b FROM mentions
UNION ALL SELECT CASE WHEN above IS NULL THEN 'd' || document_id ELSE 's' || document_id || '.' || above END,
  's' || document_id || '.' || ord
  FROM (SELECT document_id, ord, (SELECT max(p.ord) FROM sections p
    WHERE p.document_id = s.document_id AND p.ord < s.ord AND p.level < s.level) AS above FROM sections s)
UNION ALL SELECT 's' || l.document_id || '.' || (SELECT max(s.ord) FROM sections s
    WHERE s.document_id = l.document_id AND s."start" <= l."start"), 'd' || d.id
  FROM links l JOIN documents d ON d.url = substr(l.url, 1, instr(l.url || '#', '#') - 1);
CREATE INDEX edge_a ON edge(a, b);
CREATE INDEX edge_b ON edge(b, a);
"""
REACHED: Final = """
WITH RECURSIVE reached(node, hop) AS (
  SELECT ?1, 0 UNION
  SELECT CASE e.a WHEN r.node THEN e.b ELSE e.a END, r.hop + 1 FROM reached r
  JOIN edge e ON e.a = r.node OR e.b = r.node WHERE r.hop < 2
) SELECT count(DISTINCT node) FROM reached
"""
NAMING: Final = f"SELECT count(*) FROM document_texts WHERE instr({TEXT}, ?) > 0"

Ask = Callable[[str, dict[str, object]], Awaitable[object]]


def no_embedder(*_: object) -> NoReturn:
    """Fail, because indexing and the graph do not need vectors."""
    raise EmbedderError("none in this benchmark")


@contextlib.asynccontextmanager
async def filled_engine(site: Path, pages: Sequence[str]) -> AsyncIterator[tuple[Engine, float]]:
    """Yield an engine with all pages of the folder, and the time from storing to the graph."""
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder, serve_folder(site.parent) as served:
        environment = {"WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8", "MCP_RATE_LIMIT_REQUESTS": "100000"}
        settings = load_settings(data_dir=Path(folder), file=Path(folder) / "none.toml", environ=environment)
        engine = Engine(settings, SecretStore(), EventBus(), make_embedder=no_embedder)
        await engine.start(background=False)
        try:
            urls = [f"{served.base}/{page}" for page in pages]
            for start in range(0, len(urls), URLS_PER_CALL):
                await engine.ingest(urls[start : start + URLS_PER_CALL])
            yield engine, await _seconds_until_filled(engine)
        finally:
            await engine.stop()


async def _seconds_until_filled(engine: Engine) -> float:
    def fill() -> None:
        while engine._corpus.graph.fill(GRAPH_FILL_DOCUMENTS):
            pass

    started = time.perf_counter()
    await asyncio.to_thread(fill)
    return time.perf_counter() - started


@contextlib.asynccontextmanager
async def over_http(engine: Engine) -> AsyncIterator[Client]:
    """Yield the official client, connected over a socket."""
    server = HttpServer(engine, build_registry(engine.settings), token=TOKEN, port=0)
    await server.start()
    try:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, trust_env=False) as http,
            Client(streamable_http_client(server.url, http_client=http)) as client,
        ):
            yield client
    finally:
        await server.stop()


class Starts:
    """Random nodes of the graph of a corpus file."""

    def __init__(self, file: Path) -> None:
        with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as con:
            self.documents = [f"d{row[0]}" for row in con.execute("SELECT id FROM documents")]
            self.sections = [f"s{row[0]}.{row[1]}" for row in con.execute("SELECT document_id, ord FROM sections")]
            self.entities = [f"e{row[0]}" for row in con.execute("SELECT id FROM entities")]
            self.names = [str(row[0]) for row in con.execute("SELECT name FROM entities")]
        self.anything = [*self.documents, *self.sections, *self.entities]

    def calls(self) -> Iterator[tuple[str, dict[str, object]]]:
        """Yield one call of each tool and kind."""
        one, several = random.choice, random.sample
        yield "describe", {"node_ids": several(self.anything, SECTIONS_ASKED)}
        for hops in (1, 2):
            for kind, nodes in (("page", self.documents), ("section", self.sections), ("entity", self.entities)):
                yield f"expand {kind}, {hops} hop", {"start_ids": [one(nodes)], "max_hops": hops}
        yield "paths", {"from_id": one(self.sections), "to_id": one(self.sections)}
        yield "parents", {"node_id": one(self.sections)}
        yield "children", {"node_id": one(self.documents)}
        yield "entities_for_sections", {"section_ids": several(self.sections, SECTIONS_ASKED)}
        yield "sections_for_entities", {"entity_ids": several(self.entities, SECTIONS_ASKED)}


async def timed(starts: Starts, ask: Ask, repeat: int) -> dict[str, list[float]]:
    """Return the milliseconds of every kind of call."""
    found: dict[str, list[float]] = {}
    for _ in range(repeat):
        for what, arguments in starts.calls():
            started = time.perf_counter()
            await ask(what.partition(" ")[0], arguments)
            found.setdefault(what, []).append(1000 * (time.perf_counter() - started))
    return found


def service(engine: Engine) -> Ask:
    """Return calls of the engine's service."""
    graph = engine.graph

    async def ask(tool: str, given: dict[str, object]) -> object:
        if tool == "paths":
            return await graph.paths(str(given["from_id"]), str(given["to_id"]))
        if tool in ("parents", "children"):
            return await getattr(graph, tool)(given["node_id"])
        if tool == "expand":
            return await graph.expand(given["start_ids"], max_hops=given["max_hops"])  # type: ignore[arg-type]
        return await getattr(graph, tool)(next(iter(given.values())))

    return ask


def tools(client: Client) -> Ask:
    """Return calls of the tools. A failed call ends the run."""

    async def ask(tool: str, given: dict[str, object]) -> object:
        result = await client.call_tool(f"graph_{tool}", given)
        if result.is_error:
            raise SystemExit(f"{tool} failed: {result.content}")
        return result

    return ask


async def oddities(engine: Engine, starts: Starts, repeat: int) -> Row:
    """Return the share of odd results among the first nodes of a walk and the paths between two pages."""
    first = own = everywhere = given = repeated = 0
    for page in random.sample(starts.documents, min(repeat, len(starts.documents))):
        found = await engine.graph.expand([page])
        shown = [each.projection.node for each in found.reached[:FIRST_NODES]]
        about = {edge.dst for edge in found.edges if edge.type is EdgeType.DEFINES and str(edge.src) == page}
        with engine._corpus.graph.view(Filter()) as view:
            everywhere += sum(share >= EVERYWHERE_SHARE for share in view.linked_shares(shown).values())
        first += len(shown)
        own += sum(node in about or f"d{node.document_id}" == page for node in shown)
        other = random.choice([each for each in starts.documents if each != page])
        paths = (await engine.graph.paths(page, other)).paths
        ends = {node_of(page), node_of(other)}
        with engine._corpus.graph.view(Filter()) as view:
            middles = {node for path in paths for edge in path.edges for node in (edge.src, edge.dst)} - ends
            ways = set(view.ways(middles).values())
        given += len(paths)
        repeated += len(paths) - len(ways) - any(len(path.edges) == 1 for path in paths)
    return {
        f"first {FIRST_NODES} nodes": first,
        "own headings": f"{100 * own / max(first, 1):.1f} %",
        "linked with most of the site": f"{100 * everywhere / max(first, 1):.1f} %",
        "paths": given,
        "the same way again": f"{100 * repeated / max(given, 1):.1f} %",
    }


def baselines(file: Path, starts: Starts, repeat: int) -> Iterator[Row]:
    """Yield the times of SQL for the same questions."""
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as con:
        started = time.perf_counter()
        con.executescript(EDGES)
        made = time.perf_counter() - started
        for kind, nodes in (("page", starts.documents), ("section", starts.sections), ("entity", starts.entities)):
            times = [_query_ms(con, REACHED, random.choice(nodes)) for _ in range(repeat)]
            yield timing_row(f"recursive SQL, {kind}, 2 hops (its table took {made:.1f} s)", "", times)
        con.create_function("page_text", 2, page_text)
        times = [_query_ms(con, NAMING, random.choice(starts.names)) for _ in range(min(repeat, 20))]
        yield timing_row("scan of all texts for one entity", "", times)


def _query_ms(con: sqlite3.Connection, query: str, value: str) -> float:
    started = time.perf_counter()
    con.execute(query, (value,)).fetchall()
    return 1000 * (time.perf_counter() - started)


async def rows(site: Path, pages: Sequence[str], repeat: int) -> Sequence[tuple[str, list[Row]]]:
    """Return sizes, times and baselines, each with a title."""
    async with filled_engine(site, pages) as (engine, seconds):
        with engine._corpus.graph.view(Filter()) as view:
            counts = view.counts()
        sizes: dict[str, object] = {
            "documents": counts.documents,
            "sections": counts.sections,
            "names of code": counts.symbols,
            "terms": counts.terms,
            "seconds behind reading": round(seconds, 2),
        }
        sizes |= {kind.value: number for kind, number in counts.edges.items()}
        file = corpus_file(engine.settings.data_dir)
        starts = Starts(file)
        odd = await oddities(engine, starts, repeat)
        inside = await timed(starts, service(engine), repeat)
        async with over_http(engine) as client:
            outside = await timed(starts, tools(client), repeat)
        return [
            ("The graph", [sizes]),
            ("Odd results", [odd]),
            ("In the engine", [timing_row(what, GOAL, times) for what, times in inside.items()]),
            (
                "Over HTTP, client and server in one process",
                [timing_row(what, GOAL, times) for what, times in outside.items()],
            ),
            ("Baselines", list(await asyncio.to_thread(lambda: list(baselines(file, starts, repeat))))),
        ]


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--site", type=Path, required=True, help="folder with the pages of one site")
    parser.add_argument("--repeat", type=int, default=200, help="calls of each kind")
    parser.add_argument("--json", action="store_true", help="print JSON objects")
    options = parser.parse_args()
    if not options.site.is_dir():
        raise SystemExit(f"There is no folder {options.site}.")
    logging.disable(logging.ERROR)
    random.seed(0)
    site = options.site.resolve()
    files = sorted(file for file in site.rglob("*") if file.suffix in {".html", ".htm"} and file.is_file())
    pages = [file.relative_to(site.parent).as_posix() for file in files]
    for title, table in asyncio.run(rows(site, pages, options.repeat)):
        print_report(table, as_json=options.json, title=title)


if __name__ == "__main__":
    main()
