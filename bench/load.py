"""Many assistants on one real application: errors, mixed-up results, leaks, fairness, and the time of each tool.

    python bench/load.py [--minutes 30] [--clients 20] [--no-crawl] [--pages 12] [--json [FILE]]
    python bench/load.py --clients 5 --calls 150

Two of five clients use the real bridge in the modern era and one in the legacy era, two use HTTP. Each client makes mixed calls in turn
about its own part of a small site on loopback and checks every result. It must contain the requested text, keep one session and contain
nothing of another client. The application must refuse the passages of others. In the meantime, another client crawls a site repeatedly.
With --calls, each client makes this number of calls without a crawl, to measure the tools. The clients share one process, so their own work
counts in the times. The run raises the limit on calls per minute (MCP_RATE_LIMIT_REQUESTS). All other limits apply, and a refused call
counts as an error.

The exit status is 1 if a call failed, a client got far fewer calls than others of its kind, or memory, open files or threads of the
application grew. Times have goals but do not fail the run, because they depend on the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final, TextIO

import psutil

from app.instance import RuntimeInfo, read_runtime
from support.application import WEBRAG, Running, running_application
from support.assistants import MIX, NOT_READY, OK, REFUSED, Assistant, Outcome
from support.made_sites import write_linked_site
from support.marked_site import PLACES, MarkedPage, write_marked_notes, write_marked_site
from support.report import Row, add_json, median, percentile, print_report
from support.sites import serve_folder

READY_SECONDS: Final = 300.0
SPARE_SECONDS: Final = 900.0
"""A run that exceeds its time by this much is stopped."""
SAMPLE_SECONDS: Final = 0.5
CRAWL_SITE: Final = "crawled"
CRAWL_PAGES: Final = 30
CRAWL_PARAGRAPHS: Final = 6
CRAWL_PAUSE_SECONDS: Final = 1.0
WAITING: Final = "searchable by keyword only"
CHEAP_P95_MS: Final = 150
FAIR_SHARE: Final = 0.5
"""Minimum calls of a client relative to the median of clients of the same kind."""
FAIR_FROM_CALLS: Final = 20
"""With fewer calls per client, their distribution is random."""
STEADY_SAMPLES: Final = 240
"""Samples of a run that is long enough to show growth. Caches are full by its middle."""


@dataclass(frozen=True)
class Way:
    """The connection of a client. `mode` is the era in the terms of the official client."""

    name: str
    over_bridge: bool
    mode: str


WAYS: Final = (
    Way("bridge-modern", True, "auto"),
    Way("bridge-legacy", True, "legacy"),
    Way("bridge-second", True, "auto"),
    Way("http-modern", False, "auto"),
    Way("http-legacy", False, "legacy"),
)


CRAWLING: Final = Way("crawler", False, "auto")


def ways(count: int) -> list[Way]:
    """Return this number of clients with different names."""
    return [
        Way(f"{way.name}-{number}", way.over_bridge, way.mode) for number, way in enumerate(islice(cycle(WAYS), count))
    ]


@contextlib.asynccontextmanager
async def connected(
    way: Way, application: Running, runtime: RuntimeInfo, errors: TextIO | None = None
) -> AsyncIterator[Any]:
    """Yield the official client, connected in one of the ways with its own name. `errors` takes the remarks of a bridge."""
    import httpx2
    import mcp.types as types
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client

    info = types.Implementation(name=way.name, version="1")
    if way.over_bridge:
        arguments = ["mcp", "--data-dir", str(application.data_dir)]
        bridge = StdioServerParameters(command=str(WEBRAG), args=arguments, env=dict(application.environment))
        pipes = stdio_client(bridge, errors or sys.stderr)
        async with Client(pipes, mode=way.mode, client_info=info, read_timeout_seconds=60) as client:
            yield client
        return
    headers = {"Authorization": f"Bearer {runtime.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
        Client(streamable_http_client(runtime.url, http_client=http), mode=way.mode, client_info=info) as client,
    ):
        yield client


@dataclass(frozen=True)
class Usage:
    """Resources that must not grow: megabytes, open files, threads."""

    memory: float
    files: float
    threads: float


ALLOWED: Final = Usage(memory=24, files=12, threads=6)
"""Allowed growth from the second to the last quarter of a run."""


class Watcher:
    """Samples a process continuously."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self.samples: list[Usage] = []

    async def watch(self) -> None:
        while True:
            self.samples.append(self.usage())
            await asyncio.sleep(SAMPLE_SECONDS)

    def usage(self) -> Usage:
        process = self._process
        with process.oneshot():
            return Usage(process.memory_info().rss / 2**20, process.num_fds(), process.num_threads())

    def rows(self) -> list[Row]:
        """Return the medians of the first, second and last quarter, and the maximum."""
        quarter = max(1, len(self.samples) // 4)
        rows: list[Row] = []
        for name in ("memory", "files", "threads"):
            values = [float(getattr(sample, name)) for sample in self.samples]
            early, late = median(values[quarter : 2 * quarter] or values), median(values[-quarter:])
            most = early + getattr(ALLOWED, name)
            rows.append(
                {
                    "of the application": "memory, MB" if name == "memory" else name,
                    "first quarter": median(values[:quarter]),
                    "second": early,
                    "last": late,
                    "highest": max(values),
                    "goal of the last": f"≤ {most:.0f}",
                    "grew": "yes" if late > most and len(values) >= STEADY_SAMPLES else "",
                }
            )
        return rows


def bridge_row() -> Row:
    """Return the largest of the bridges, which are the child processes that run `webrag mcp`."""
    bridges = [child for child in psutil.Process().children() if "mcp" in child.cmdline()]
    largest = max((child.memory_info().rss / 2**20 for child in bridges), default=0.0)
    return {"what": f"largest of {len(bridges)} bridges, MB", "value": largest, "goal": "≤ 30"}


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of all threads of a process."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


async def prepare(client: Any, base: str, pages: Sequence[MarkedPage]) -> None:
    """Index all pages and wait until they have vectors."""
    urls = [f"{base}/{page.path}" for page in pages]
    for start in range(0, len(urls), 10):
        result = await client.call_tool("ingest", {"url": urls[start : start + 10]})
        if result.is_error:
            raise SystemExit(f"could not index the pages: {result.content[0].text}")
    deadline = time.monotonic() + READY_SECONDS
    while WAITING in (await client.call_tool("status", {})).content[0].text:
        if time.monotonic() > deadline:
            raise SystemExit(f"the pages have no vectors after {READY_SECONDS:.0f} s")
        await asyncio.sleep(0.2)


@dataclass
class Crawler:
    """A client that crawls a site repeatedly."""

    client: Any
    url: str
    done: int = 0
    failures: Counter[str] = field(default_factory=Counter)

    async def work(self) -> None:
        asked = {"url": self.url, "crawl": {"scope": "host", "max_pages": CRAWL_PAGES}, "refresh": True}
        while True:
            result = await self.client.call_tool("ingest", asked)
            self.done += not result.is_error
            if result.is_error:
                self.failures[f"crawl: {result.content[0].text.splitlines()[0]}"] += 1
            await asyncio.sleep(CRAWL_PAUSE_SECONDS)

    def row(self) -> Row:
        return {"what": f"crawls of {CRAWL_PAGES} pages in that time", "value": self.done, "goal": ""}


@dataclass(frozen=True)
class Load:
    """Amount of load: calls per client, or a time."""

    seconds: float
    calls: int
    has_crawl: bool


@dataclass
class Ended:
    """Results of a run: the clients with their outcomes, the resources of the application, and other figures."""

    assistants: list[Assistant]
    watcher: Watcher
    rows: list[Row]
    crawls: Counter[str]


async def run(application: Running, base: str, made: list[list[MarkedPage]], load: Load) -> Ended:
    """Run all clients at the same time until they finish."""
    runtime = read_runtime(application.data_dir)
    assert runtime is not None
    coming = ways(len(made))
    passages: dict[str, dict[str, str]] = {way.name: {} for way in coming}
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(way, application, runtime)) for way in coming]
        await prepare(clients[0], base, [page for pages in made for page in pages])
        offered = frozenset(tool.name for tool in (await clients[0].list_tools()).tools)
        assistants = [
            Assistant(way.name, client, base, pages, passages, seed)
            for seed, (way, client, pages) in enumerate(zip(coming, clients, made, strict=True))
        ]
        reader = await stack.enter_async_context(connected(CRAWLING, application, runtime))
        crawler, watcher = Crawler(reader, f"{base}/{CRAWL_SITE}/index.html"), Watcher(application.pid)
        behind = [asyncio.create_task(watcher.watch())]
        if load.has_crawl:
            behind.append(asyncio.create_task(crawler.work()))
        started, cpu = time.perf_counter(), cpu_seconds(application.pid)
        deadline = time.monotonic() + load.seconds
        await asyncio.gather(*(assistant.work(load.calls, deadline, offered) for assistant in assistants))
        seconds, cpu = time.perf_counter() - started, cpu_seconds(application.pid) - cpu
        await ended(behind)
        bridges = bridge_row()
    done = sum(len(assistant.outcomes) for assistant in assistants)
    rows: list[Row] = [
        {"what": f"calls a second, {done} calls in {seconds:.1f} s", "value": done / seconds, "goal": ""},
        {"what": "processor time of the application, ms a call", "value": 1000 * cpu / max(1, done), "goal": ""},
        bridges,
        *([crawler.row()] if load.has_crawl else []),
    ]
    for tool in sorted({step.tool for step in MIX if not step.tool.startswith("resources/")} - offered):
        print(f"not offered, so not called: {tool}", file=sys.stderr)
    return Ended(assistants, watcher, rows, crawler.failures)


async def ended(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel the background tasks of the clients and raise their errors."""
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result


def time_rows(outcomes: Sequence[Outcome]) -> list[Row]:
    """Return the times of each tool, and of all knowledge base tools together."""
    rows: list[Row] = []
    cheap = {step.label for step in MIX if step.is_cheap}
    made = [outcome for outcome in outcomes if outcome.verdict != NOT_READY]
    groups = {tool: {tool} for tool in sorted({outcome.tool for outcome in made})}
    groups["kb_search and kb_retrieve_evidence"] = {"kb_search", "kb_retrieve_evidence"}
    for name, tools in groups.items():
        times = [outcome.ms for outcome in made if outcome.tool in tools]
        if times:
            row: dict[str, object] = {"tool": name, "n": len(times), "p50 ms": median(times)}
            row |= {"p95 ms": percentile(times, 0.95), "p99 ms": percentile(times, 0.99), "max ms": max(times)}
            rows.append({**row, "goal of p95": f"≤ {CHEAP_P95_MS}" if tools <= cheap else ""})
    return rows


def fairness_rows(assistants: Sequence[Assistant]) -> list[Row]:
    """Return the calls and waiting times of each client, compared with clients of the same kind."""
    rows: list[Row] = []
    for over_bridge in (True, False):
        names = {way.name for way in ways(len(assistants)) if way.over_bridge is over_bridge}
        counts = [len(one.outcomes) for one in assistants if one.name in names]
        if not counts:
            continue
        waits = [median([outcome.ms for outcome in one.outcomes]) for one in assistants if one.name in names]
        least, middle = min(counts), median(counts)
        rows.append(
            {
                "clients": f"{len(counts)} over {'the bridge' if over_bridge else 'HTTP'}",
                "fewest calls": least,
                "middle": middle,
                "most": max(counts),
                "lowest p50 ms": min(waits),
                "highest p50 ms": max(waits),
                "goal of the fewest": f"≥ {FAIR_SHARE * middle:.0f}",
                "unfair": "yes" if least < FAIR_SHARE * middle and middle >= FAIR_FROM_CALLS else "",
            }
        )
    return rows


def problems(assistants: Sequence[Assistant]) -> Counter[str]:
    """Count the errors by kind."""
    found = Counter(
        f"{outcome.tool}: {outcome.verdict}"
        for assistant in assistants
        for outcome in assistant.outcomes
        if outcome.verdict not in (OK, REFUSED, NOT_READY)
    )
    for one in assistants:
        if len(one.sessions) > 1:
            found[f"{one.name} was given {len(one.sessions)} sessions"] += 1
        for other in assistants:
            if other is not one and one.sessions & other.sessions:
                found[f"{one.name} and {other.name} share a session"] += 1
    return found


def outcome_rows(assistants: Sequence[Assistant], wrong: Counter[str]) -> list[Row]:
    """Count the calls by outcome."""
    verdicts = Counter(outcome.verdict for one in assistants for outcome in one.outcomes)
    rows: list[Row] = [{"outcome": kind, "calls": count} for kind, count in wrong.most_common()]
    rows.append({"outcome": "as expected", "calls": verdicts[OK] + verdicts[REFUSED]})
    return [*rows, {"outcome": NOT_READY, "calls": verdicts[NOT_READY]}]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--calls", type=int, default=0, help="calls per client, instead of a time and without a crawl")
    parser.add_argument("--clients", type=int, default=20, choices=range(1, len(PLACES) + 1), metavar="N")
    parser.add_argument("--no-crawl", action="store_true")
    parser.add_argument("--pages", type=int, default=12, help="pages per client")
    add_json(parser)
    return parser.parse_args()


def main() -> int:
    options = arguments()
    has_crawl = not (options.no_crawl or options.calls)
    load = Load(60 * options.minutes, options.calls or sys.maxsize, has_crawl)
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as name:
        site, notes = Path(name) / "site", Path(name) / "notes"
        for folder in (site, notes, site / CRAWL_SITE):
            folder.mkdir()
        places = PLACES[: options.clients]
        made = [write_marked_site(site, place, options.pages) for place in places]
        write_marked_notes(notes, places)
        write_linked_site(site / CRAWL_SITE, 1, [CRAWL_PARAGRAPHS] * (CRAWL_PAGES - 1))
        with serve_folder(site) as served, running_application() as application:
            command = [str(WEBRAG), "folder", "add", str(notes), "--wait", "--data-dir", str(application.data_dir)]
            subprocess.run(command, env=dict(application.environment), check=True, stdout=subprocess.DEVNULL)
            work = run(application, served.base, made, load)
            found = asyncio.run(asyncio.wait_for(work, load.seconds + SPARE_SECONDS))
    wrong = problems(found.assistants) + found.crawls
    outcomes = [outcome for assistant in found.assistants for outcome in assistant.outcomes]
    fairness, usage = fairness_rows(found.assistants), found.watcher.rows()
    for title, table in (
        ("Time of each tool", time_rows(outcomes)),
        ("Outcomes", outcome_rows(found.assistants, wrong)),
        ("Fairness", fairness),
        ("What the application used", usage),
        ("Rate", found.rows),
    ):
        print_report(table, as_json=options.json, title=f"{options.clients} concurrent clients: {title}")
    return 1 if wrong or any(row["unfair"] for row in fairness) or any(row["grew"] for row in usage) else 0


if __name__ == "__main__":
    sys.exit(main())
