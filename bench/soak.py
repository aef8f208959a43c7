"""A day of the real application in minutes: assistants, crawls, a watched folder, restarts, sleep, network failures, a full disk.

    python bench/soak.py [--minutes 120] [--clients 20] [--seed 2026] [--json [FILE]]

The tray application runs without a display in its own process, with a disk of its own (a mounted tmpfs, or without the right to mount it a
limit on the size of files). Clients over the bridge and over HTTP call every tool, two clients crawl sites on loopback, a folder changes.
In the meantime, the bench quits and kills the application, stops all processes and moves their clocks, lets the site refuse, reset or hang,
and fills the disk. The events scale with the minutes: 30 restarts in two hours, at least two. The middle third has no restarts and shows
whether memory grows.

The exit status is 1 if a call failed without a code and a hint, or without an event nearby; a bridge lost its client; the log has a
traceback; memory grew by more than 5 %; a file grew over its limit; or the library, read after the last restart and compared with the
disk, lacks a page, a version, a pinned passage or a file. It ends only processes that it started or that hold its data folder.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from app.instance import read_runtime
from load import SPARE_SECONDS, Way, connected, ended, prepare, ways
from support.application import WEBRAG, Running
from support.assistants import Assistant
from support.made_sites import write_linked_site
from support.marked_site import PLACES, MarkedPage, write_marked_notes, write_marked_site
from support.report import Json, Row, add_json, print_report
from support.sites import Served, serve_folder
from support.soak_clients import CRAWL_PAGES, CRAWL_PAUSE_SECONDS, PAUSES_SECONDS, Account, Ledger, Life, Reader, Worker
from support.soak_folder import Gardener
from support.soak_kept import leftovers, losses
from support.soak_program import Home, Program, home
from support.soak_watch import LogReader, Watcher
from support.soak_weather import Weather, plan

CRAWLED: Final = ("first", "second")
CRAWL_PARAGRAPHS: Final = 4
PAGES: Final = 4
"""Pages of each assistant's place that do not change."""
PIN_SECONDS: Final = 30.0
SETTLE_SECONDS: Final = 600.0
"""Time for the application to finish what waits at the end."""
COMMAND_SECONDS: Final = 120.0


@dataclass
class Soak:
    """One run with everything that it collects."""

    home: Home
    served: Served
    program: Program
    weather: Weather
    chance: random.Random
    passages: dict[str, dict[str, str]] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=Ledger)
    account: Account = field(default_factory=Account)
    pinned: set[str] = field(default_factory=set)
    public: set[str] = field(default_factory=set)
    """Passages that are pinned, or that a command is pinning."""
    problems: Counter[str] = field(default_factory=Counter)

    @asynccontextmanager
    async def connect(self, way: Way) -> AsyncIterator[Any]:
        """Yield a client. The address of the application changes with its restarts."""
        runtime = read_runtime(self.home.data) or await self.program.ready()
        running = Running(runtime.pid, self.home.data, self.home.environment)
        with (self.home.folder / "bridges.txt").open("a") as errors:
            async with connected(way, running, runtime, errors) as client:
                yield client

    def life(self, way: Way, turn: Any, pauses: tuple[float, float]) -> Life:
        chance = random.Random(self.chance.random())
        return Life(way.name, partial(self.connect, way), turn, pauses, self.weather, self.account, chance)

    def lives(self, made: list[list[MarkedPage]]) -> list[Life]:
        """Return the assistants and the crawlers."""
        lives = []
        for way, pages in zip(ways(len(made)), made, strict=True):
            self.passages[way.name] = {}
            chance = random.Random(self.chance.random())
            one = Assistant(way.name, None, self.served.base, pages, self.passages, 0, public=self.public)
            worker = Worker(one, self.home.site, self.ledger, self.weather, self.account, chance)
            lives.append(self.life(way, worker.turn, PAUSES_SECONDS))
        for name, over_bridge in zip(CRAWLED, (True, False), strict=True):
            address = f"{self.served.base}/{name}"
            reader = Reader(address, self.home.site / name, self.ledger, self.weather, self.account)
            way = Way(f"{'bridge' if over_bridge else 'http'}-crawler-{name}", over_bridge, "auto")
            lives.append(self.life(way, reader.turn, (1.0, CRAWL_PAUSE_SECONDS)))
        return lives

    async def pin(self) -> None:
        """Pin a passage of an assistant now and then, like a user in a terminal."""
        while True:
            await asyncio.sleep(PIN_SECONDS * self.chance.uniform(0.5, 1.5))
            held = [key for passages in self.passages.values() for key in passages]
            if not held:
                continue
            key, began = self.chance.choice(held), time.monotonic()
            self.public.add(key)
            status, _, error = await self.command("scratch", "pin", key)
            event = self.weather.at(began, time.monotonic())
            if status == 0:
                self.pinned.add(key)
            elif not event or "hint:" not in error:
                self.problems[f"pin: {error.strip()[:200]} (during: {event or 'nothing'})"] += 1

    async def command(self, *words: str) -> tuple[int, str, str]:
        """Run `webrag` in a terminal and return its status and output."""
        line = [str(WEBRAG), *words, "--data-dir", str(self.home.data)]
        run = partial(subprocess.run, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False)
        done = await asyncio.to_thread(run, line, env=self.home.environment, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr

    def forget(self) -> None:
        """Passages that are not pinned end with the application."""
        for passages in self.passages.values():
            passages.clear()

    async def settle(self) -> None:
        """Wait until no job runs and every passage is embedded."""
        deadline, calm = time.monotonic() + SETTLE_SECONDS, 0
        while calm < 2:
            if time.monotonic() > deadline:
                self.problems["the application did not finish its work at the end"] += 1
                return
            _, text, _ = await self.command("status", "--json")
            found = json.loads(text or "{}")
            totals = found.get("totals", {})
            waits = found.get("jobs") or totals.get("chunks") != totals.get("chunks_embedded")
            calm = 0 if waits else calm + 1
            await asyncio.sleep(1.0)


def write_sites(site: Path, clients: int) -> list[list[MarkedPage]]:
    """Write the places of the assistants, the crawled sites, and the folder of pages that get versions."""
    for name in (*CRAWLED, "own"):
        (site / name).mkdir()
    for seed, name in enumerate(CRAWLED):
        write_linked_site(site / name, seed, [CRAWL_PARAGRAPHS] * (CRAWL_PAGES - 1))
    return [write_marked_site(site, place, PAGES) for place in PLACES[:clients]]


async def run(soak: Soak, made: list[list[MarkedPage]], seconds: float) -> tuple[Watcher, LogReader, Gardener]:
    """Run everything for the time, then let the application finish and restart it a last time."""
    gardener = Gardener(soak.home.watched, random.Random(soak.chance.random()))
    gardener.begin()
    write_marked_notes(soak.home.watched, PLACES)
    soak.program.start()
    await soak.program.ready()
    status, _, error = await soak.command("folder", "add", str(soak.home.watched))
    if status:
        raise SystemExit(f"could not add the folder: {error}")
    async with soak.connect(ways(1)[0]) as client:
        await prepare(client, soak.served.base, [page for pages in made for page in pages])
    watcher, log = Watcher(soak.program, soak.home), LogReader(soak.program, soak.weather)
    behind = [asyncio.create_task(each) for each in (watcher.work(), log.work(), soak.pin())]
    deadline = time.monotonic() + seconds
    await asyncio.gather(
        *(life.live(deadline) for life in soak.lives(made)),
        gardener.work(deadline),
        soak.weather.pass_by(plan(seconds / 60, soak.chance)),
    )
    await ended(behind)
    print("settling", file=sys.stderr)
    await soak.settle()
    await soak.program.end(signal.SIGTERM)
    soak.program.start()
    await soak.program.ready()
    await soak.settle()
    if await soak.program.end(signal.SIGTERM) == float("inf"):
        soak.problems["the application did not quit at the end"] += 1
    log.read()
    for name in ("bridges.txt", "started.txt"):
        log.note((soak.home.folder / name).read_text("utf-8", "replace"))
    return watcher, log, gardener


def print_results(soak: Soak, watcher: Watcher, log: LogReader, gardener: Gardener, as_json: Json) -> bool:
    """Print the tables, and return whether there is nothing to mend."""
    account, events = soak.account, Counter[str]()
    for (_, event), count in account.told.items():
        events[event.partition(",")[0]] += count
    calls: list[Row] = [
        {"calls": "as expected", "number": sum(account.ok.values())},
        *({"calls": f"failed with a hint near {event}", "number": count} for event, count in events.most_common()),
        *({"calls": f"connections opened again, {kind}", "number": count} for kind, count in account.breaks.items()),
    ]
    findings = account.findings + soak.problems + Counter(soak.weather.findings)
    starts = soak.program.starts or [0.0]
    state: list[Row] = [
        {"what": "tools called with any arguments", "value": len(account.tools), "of": sum(account.tools.values())},
        {"what": "restarts, longest s until the application answers", "value": max(starts), "of": len(starts)},
        {
            "what": "pages stored in versions",
            "value": len(soak.ledger.versions),
            "of": sum(soak.ledger.versions.values()),
        },
        {"what": "crawled pages", "value": len(soak.ledger.addresses), "of": 2 * CRAWL_PAGES},
        {"what": "pinned passages", "value": len(soak.pinned), "of": ""},
        {
            "what": "changes of the folder",
            "value": sum(gardener.done.values()),
            "of": " ".join(f"{k} {v}" for k, v in sorted(gardener.done.items())),
        },
    ]
    growth, files = watcher.growth_rows(), watcher.file_rows()
    found: list[Row] = [{"finding": text, "times": count} for text, count in findings.most_common()]
    found += [{"finding": f"traceback: {text}", "times": 1} for text in log.tracebacks]
    for title, table in (
        ("Events", soak.weather.rows),
        ("Calls", calls),
        ("Memory over time", watcher.memory_rows()),
        ("Memory without restarts", growth),
        ("Files", files),
        ("Log", log.rows or [{"line of the log": "no warnings"}]),
        ("State at the end", state),
        ("Findings", found or [{"finding": "none", "times": ""}]),
    ):
        print_report(table, as_json=as_json, title=f"Soak: {title}")
    return not (found or any(row["grew"] == "yes" for row in growth) or any(row["over"] for row in files))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--clients", type=int, default=20, choices=range(1, len(PLACES) + 1), metavar="N")
    parser.add_argument("--seed", type=int, default=2026)
    add_json(parser)
    options = parser.parse_args()
    seconds = 60 * options.minutes
    with (
        tempfile.TemporaryDirectory(prefix="webrag-bench-", ignore_cleanup_errors=True) as name,
        home(Path(name)) as place,
        serve_folder(place.site) as served,
    ):
        made = write_sites(place.site, options.clients)
        program = Program(place)
        weather = Weather(program, served, seconds, lambda: soak.forget())
        soak = Soak(place, served, program, weather, random.Random(options.seed))
        try:
            found = asyncio.run(asyncio.wait_for(run(soak, made, seconds), seconds + SPARE_SECONDS))
            everything = [page for pages in made for page in pages]
            others = {"noise.md", *(f"{each.lower()}.md" for each in PLACES)}
            kept, files = soak.ledger, found[2].versions
            lost = losses(place, served.base, everything, kept.versions, kept.addresses, files, others, soak.pinned)
            soak.problems.update([*lost, *leftovers(place)])
            is_clean = print_results(soak, *found, options.json)
        finally:
            if left := program.kill_all():
                print(f"{left} processes of the application were still running and were killed", file=sys.stderr)
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
