"""Five assistants at once on one real application: errors, mixed-up results, memory, and the time of each tool.

    python bench/clients.py [--calls N] [--pages N] [--json]

Three clients come over the real bridge and two over HTTP, in both protocol eras. Each makes N mixed calls, one after the other, about
its own part of a small site on loopback, and checks every result: it must hold what was asked for, name one session throughout, hold
nothing of another client, and the passages of others must be refused. The clients share one process with each other, so their own
work is part of the times. The limit on calls a minute is raised for the run (MCP_RATE_LIMIT_REQUESTS); all other limits hold, and a
call that one of them refuses counts as an error of that kind. Exit status 1 when anything but the checks' own refusals went wrong.
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psutil

from app.instance import RuntimeInfo, read_runtime
from support.application import WEBRAG, Running, memory_mb, running_application
from support.assistants import MIX, NOT_READY, OK, REFUSED, Assistant, Outcome
from support.marked_site import PLACES, MarkedPage, write_marked_notes, write_marked_site
from support.report import Row, median, percentile, print_report
from support.sites import serve_folder

RUN_SECONDS: Final = 600.0
READY_SECONDS: Final = 120.0
SAMPLE_SECONDS: Final = 0.25
GROWTH_MB: Final = 16
WAITING: Final = "searchable by keyword only"
CHEAP_P95_MS: Final = 150


@dataclass(frozen=True)
class Way:
    """How a client comes: `mode` is the era as the official client names it."""

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


@contextlib.asynccontextmanager
async def connected(way: Way, application: Running, runtime: RuntimeInfo) -> AsyncIterator[Any]:
    """The official client in one of the ways, under a name of its own."""
    import httpx2
    import mcp.types as types
    from mcp import Client, StdioServerParameters
    from mcp.client.streamable_http import streamable_http_client

    info = types.Implementation(name=way.name, version="1")
    if way.over_bridge:
        arguments = ["mcp", "--data-dir", str(application.data_dir)]
        bridge = StdioServerParameters(command=str(WEBRAG), args=arguments, env=dict(application.environment))
        async with Client(bridge, mode=way.mode, client_info=info, read_timeout_seconds=60) as client:
            yield client
        return
    headers = {"Authorization": f"Bearer {runtime.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
        Client(streamable_http_client(runtime.url, http_client=http), mode=way.mode, client_info=info) as client,
    ):
        yield client


class Memory:
    """Resident memory of a process, looked at all the time."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.samples: list[float] = []

    async def watch(self) -> None:
        while True:
            self.samples.append(memory_mb(self._pid))
            await asyncio.sleep(SAMPLE_SECONDS)

    def rows(self, before: float) -> list[Row]:
        """Before the calls, after a quarter of the time, at its highest, at the end."""
        quarter = self.samples[len(self.samples) // 4]
        return [
            {"what": "application before the calls, MB", "value": before, "goal": ""},
            {"what": "application after a quarter of the calls, MB", "value": quarter, "goal": ""},
            {"what": "application at its highest, MB", "value": max(self.samples), "goal": ""},
            {"what": "application at the end, MB", "value": self.samples[-1], "goal": f"≤ {quarter + GROWTH_MB:.0f}"},
        ]


def bridge_row() -> Row:
    """The largest of the bridges, which are the children of this process that run `webrag mcp`."""
    bridges = [child for child in psutil.Process().children() if "mcp" in child.cmdline()]
    return {"what": "largest bridge, MB", "value": max(memory_mb(child.pid) for child in bridges), "goal": "≤ 30"}


def cpu_seconds(pid: int) -> float:
    """Processor time that a process took so far, in all its threads."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


async def prepare(client: Any, base: str, pages: Sequence[MarkedPage]) -> None:
    """Read all pages, and wait until they have their vectors."""
    urls = [f"{base}/{page.path}" for page in pages]
    for start in range(0, len(urls), 10):
        result = await client.call_tool("ingest", {"url": urls[start : start + 10]})
        if result.is_error:
            raise SystemExit(f"the pages cannot be read: {result.content[0].text}")
    deadline = time.monotonic() + READY_SECONDS
    while WAITING in (await client.call_tool("status", {})).content[0].text:
        if time.monotonic() > deadline:
            raise SystemExit(f"the pages have no vectors after {READY_SECONDS:.0f} s")
        await asyncio.sleep(0.2)


async def run(
    application: Running, base: str, made: list[list[MarkedPage]], calls: int
) -> tuple[list[Assistant], list[Row]]:
    """All clients at once, to the end of their calls."""
    runtime = read_runtime(application.data_dir)
    assert runtime is not None
    passages: dict[str, dict[str, str]] = {way.name: {} for way in WAYS}
    async with contextlib.AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connected(way, application, runtime)) for way in WAYS]
        await prepare(clients[0], base, [page for pages in made for page in pages])
        offered = frozenset(tool.name for tool in (await clients[0].list_tools()).tools)
        assistants = [
            Assistant(way.name, client, base, pages, passages, seed)
            for seed, (way, client, pages) in enumerate(zip(WAYS, clients, made, strict=True))
        ]
        memory, before = Memory(application.pid), memory_mb(application.pid)
        watching = asyncio.create_task(memory.watch())
        started, cpu = time.perf_counter(), cpu_seconds(application.pid)
        await asyncio.gather(*(assistant.work(calls, offered) for assistant in assistants))
        seconds, cpu = time.perf_counter() - started, cpu_seconds(application.pid) - cpu
        watching.cancel()
        bridge = bridge_row()
    done = sum(len(assistant.outcomes) for assistant in assistants)
    work: list[Row] = [
        {"what": f"calls a second, {done} calls in {seconds:.1f} s", "value": done / seconds, "goal": ""},
        {"what": "processor time of the application, ms a call", "value": 1000 * cpu / done, "goal": ""},
    ]
    absent = sorted({step.tool for step in MIX if not step.tool.startswith("resources/")} - offered)
    for tool in absent:
        print(f"not offered, so not called: {tool}", file=sys.stderr)
    return assistants, [*memory.rows(before), bridge, *work]


def time_rows(outcomes: Sequence[Outcome]) -> list[Row]:
    """The times of each tool, and how many calls ended how."""
    rows: list[Row] = []
    cheap = {step.label for step in MIX if step.is_cheap}
    for tool in sorted({outcome.tool for outcome in outcomes}):
        mine = [outcome for outcome in outcomes if outcome.tool == tool and outcome.verdict != NOT_READY]
        if not mine:
            continue
        times = [outcome.ms for outcome in mine]
        row: dict[str, object] = {
            "tool": tool,
            "n": len(mine),
            "p50 ms": median(times),
            "p95 ms": percentile(times, 0.95),
        }
        rows.append({**row, "goal of p95": f"< {CHEAP_P95_MS}" if tool in cheap else ""})
    return rows


def problems(assistants: Sequence[Assistant]) -> Counter[str]:
    """What went wrong, by kind."""
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--calls", type=int, default=200, help="calls of each client")
    parser.add_argument("--pages", type=int, default=12, help="pages of each client")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as name:
        site, notes = Path(name) / "site", Path(name) / "notes"
        for folder in (site, notes):
            folder.mkdir()
        made = [write_marked_site(site, place, options.pages) for place in PLACES[: len(WAYS)]]
        write_marked_notes(notes, PLACES[: len(WAYS)])
        with serve_folder(site) as served, running_application() as application:
            command = [str(WEBRAG), "folder", "add", str(notes), "--wait", "--data-dir", str(application.data_dir)]
            subprocess.run(command, env=dict(application.environment), check=True, stdout=subprocess.DEVNULL)
            work = run(application, served.base, made, options.calls)
            assistants, rows = asyncio.run(asyncio.wait_for(work, RUN_SECONDS))
    outcomes = [outcome for assistant in assistants for outcome in assistant.outcomes]
    wrong = problems(assistants)
    ends: list[Row] = [{"outcome": kind, "calls": count} for kind, count in wrong.most_common()]
    ends.append({"outcome": "as it must be", "calls": sum(o.verdict in (OK, REFUSED) for o in outcomes)})
    ends.append({"outcome": NOT_READY, "calls": sum(o.verdict == NOT_READY for o in outcomes)})
    for title, table in (("Time of each tool", time_rows(outcomes)), ("Outcomes", ends), ("Memory and rate", rows)):
        print_report(table, as_json=options.json, title=f"{len(WAYS)} clients at once: {title}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
