"""Latency for an assistant through the real bridge and process, and its parts.

    python bench/latency.py [--pages N] [--repeat N] [--linked N] [--json [FILE]]

The bench creates sites and serves them on loopback. The searched corpus contains N pages with all vectors (most of a few hundred tokens,
some of 5,000, one of 25,000). Phases are medians in milliseconds as reported in results: "analysis" includes embedding the question,
"reranking" its embeddings after the titles of pages, "expansion" fetching and embedding linked pages. "other" is the rest of the engine's
time (fetching and embedding the given pages, long ones in part), "outside" rendering, server, protocol and bridge. Below: the cost of a
full-text query and a vector scan over the same passages.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import numpy as np

from app.embed.onnx import OnnxEmbedder
from app.paths import assets_dir
from support.application import WEBRAG, Client, Reply, Running, connected, memory_mb, running_application
from support.baselines import PassageIndex, SiteReader, passages
from support.made_sites import MadePage, write_linked_site, write_manuals
from support.report import Report, Row, add_json
from support.sites import serve_folder
from support.timings import timed_row, timing_row

LARGE_PARAGRAPHS: Final = (330, 66, 66, 66, 66, 66, 66, 66, 66)
SMALL_PARAGRAPHS: Final = 5
NEW_PARAGRAPHS: Final = 20
LONG_PARAGRAPHS: Final = 330
LONG_PAGES: Final = 3
LINKED_PARAGRAPHS: Final = (20, 40, 66)
LINKED_PAGES: Final = 24
URLS_PER_CALL: Final = 10
EMBEDDING_SECONDS: Final = 600.0
WAITING: Final = "searchable by keyword only"


class Made:
    """The sites of a run. `stored` is searched; pages of `new`, `unread` and `long`, and each `linked` site, are fetched for the first
    time.
    """

    def __init__(self, folder: Path, pages: int, repeat: int, linked: int) -> None:
        def inside(name: str) -> Path:
            (folder / name).mkdir()
            return folder / name

        small = [SMALL_PARAGRAPHS] * max(0, pages - len(LARGE_PARAGRAPHS))
        self.stored = write_manuals(inside("stored"), 1, [*LARGE_PARAGRAPHS[-pages:], *small])
        self.new = write_manuals(inside("new"), 10_000, [NEW_PARAGRAPHS] * (repeat + 1))
        self.unread = write_manuals(inside("unread"), 12_000, [NEW_PARAGRAPHS] * repeat)
        self.long = write_manuals(inside("long"), 15_000, [LONG_PARAGRAPHS] * min(repeat, LONG_PAGES))
        sizes = list(islice(cycle(LINKED_PARAGRAPHS), linked))
        self.linked = [
            (name, write_linked_site(inside(name), 20_000 + 1_000 * number, sizes))
            for number, name in enumerate(f"linked{number}" for number in range(repeat))
        ]


def initialize_ms(application: Running) -> float:
    """Return the milliseconds from the start of a bridge to its response to `initialize`."""
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    }
    started = time.perf_counter()
    command = [str(WEBRAG), "mcp", "--data-dir", str(application.data_dir)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(application.environment),
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    elapsed = 1000 * (time.perf_counter() - started)
    process.stdin.close()
    process.wait(timeout=30)
    assert b'"result"' in answer, answer
    return elapsed


async def ask(client: Client, tool: str, **arguments: object) -> Reply:
    """Make a call that must succeed."""
    reply = await client.call(tool, **arguments)
    if reply.is_error:
        raise SystemExit(f"{tool} failed: {reply.text}")
    return reply


async def fill(client: Client, urls: Sequence[str]) -> None:
    """Index the pages and wait until all of them have vectors."""
    for start in range(0, len(urls), URLS_PER_CALL):
        await ask(client, "ingest", url=list(urls[start : start + URLS_PER_CALL]))
    await embedded(client)


async def embedded(client: Client) -> None:
    """Wait until all indexed pages have vectors, so that background work does not count for the next row."""
    deadline = time.monotonic() + EMBEDDING_SECONDS
    while WAITING in (await ask(client, "status")).text:
        if time.monotonic() > deadline:
            raise SystemExit(f"The pages have no vectors after {EMBEDDING_SECONDS:.0f} s.")
        await asyncio.sleep(0.5)


async def measure(application: Running, base: str, made: Made, repeat: int, report: Report) -> None:
    """Add the rows of the real program."""
    report.add(timing_row("initialize", "< 300", [initialize_ms(application) for _ in range(repeat)]))
    report.add(memory_row(application, "memory, idle after start", "≤ 250"))
    async with connected(application) as client:

        async def answers(folder: str, pages: Sequence[MadePage], budget: int | None) -> list[Reply]:
            extra = {} if budget is None else {"expansion_budget": budget}
            return [
                await ask(client, "answer", url=f"{base}/{folder}/{page.path}", query=page.question, **extra)
                for page in pages
            ]

        async def passages_ms(folder: str, pages: Sequence[MadePage]) -> list[float]:
            return [
                (await ask(client, "web_read_from_page", url=f"{base}/{folder}/{page.path}", query=page.question)).ms
                for page in pages
            ]

        report.add(timed_row("first answer after start, new page", "< 300", await answers("new", made.new[:1], 0)))
        report.add(timing_row("readFromPage, new page", "< 3,000", await passages_ms("unread", made.unread)))
        report.add(timed_row("answer on a new page", "≤ 300", await answers("new", made.new[1:], 0)))
        report.add(timed_row("answer on a new page of 25,000 tokens", "", await answers("long", made.long, 0)))
        await embedded(client)
        expanded = [reply for name, page in made.linked for reply in await answers(name, [page], None)]
        report.add(timed_row("answer with expansion, new site", "p50 ≤ 4,000, p95 ≤ 15,000", expanded))
        await fill(client, [f"{base}/stored/{page.path}" for page in made.stored])
        asked = [page for page in made.stored for _ in range(2)][: 4 * repeat]
        report.add(timed_row("answer, page indexed, no expansion", "p50 ≤ 150", await answers("stored", asked, 0)))
        report.add(timing_row("readFromPage, page indexed", "p50 ≤ 25", await passages_ms("stored", asked)))
        found = [await ask(client, "search", query=page.question) for page in asked]
        report.add(timed_row("search", "p50 ≤ 40", found))
    report.add(memory_row(application, "memory, at the end", ""))


def memory_row(application: Running, what: str, goal: str) -> Row:
    """Return the resident memory of the application in MB."""
    return {"what": f"{what} (MB)", "p50 ms": memory_mb(application.pid), "goal": goal}


def baseline_rows(folder: Path, made: Made, repeat: int) -> Iterator[Row]:
    """Yield the cost of single parts of a search over the same passages in this process."""
    reader = SiteReader(folder / "stored")
    pages = [page for page in (reader.page(each.path) for each in made.stored) if page is not None]
    index, count = PassageIndex(pages), sum(len(passages(page)) for page in pages)
    questions = [page.question for page in made.stored][: 4 * repeat]
    embedder = OnnxEmbedder(assets_dir() / "model")
    query = embedder.embed_query(questions[0]).vector
    matrix = np.random.default_rng(0).standard_normal((count, len(query)), dtype=np.float32)
    yield timing_row(f"baseline: FTS5 query over {count} passages", "", _times(index.result, questions))
    yield timing_row("baseline: embedding of the question", "", _times(embedder.embed_query, questions))
    scans = _times(lambda _: np.argsort(-(matrix @ query)), questions)
    yield timing_row(f"baseline: scan of {count} float vectors", "", scans)
    embedder.close()


def _times(work: Callable[[str], object], questions: Sequence[str]) -> list[float]:
    times = []
    for question in questions:
        started = time.perf_counter()
        work(question)
        times.append(1000 * (time.perf_counter() - started))
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_json(parser)
    parser.add_argument("--pages", type=int, default=240, help="pages in the searched corpus")
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--linked", type=int, default=LINKED_PAGES, help="pages of each new site")
    options = parser.parse_args()
    report = Report("Latency", as_json=options.json)
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as name:
        folder = Path(name)
        made = Made(folder, options.pages, options.repeat, options.linked)
        with serve_folder(folder) as served, running_application() as application:
            asyncio.run(measure(application, served.base, made, options.repeat, report))
        for row in baseline_rows(folder, made, options.repeat):
            report.add(row)
    report.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
