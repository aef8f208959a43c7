"""Kill processes at random moments and check the next start, then check copies of a file that is being written.

    python bench/crash.py [--rounds 200] [--copies 200] [--seed 2026] [--kind KIND] [--json [FILE]]

Each round copies a folder of generated pages and starts a process there that ingests, crawls, deletes, embeds, migrates, backs up, restores
or compacts. After a random time, it kills the process with SIGKILL and starts another one. That start must succeed and finish the
interrupted work. The bench then verifies the file, compares it with the index in memory, checks that every page is complete, and searches
the folder for leftover files and incomplete copies under final names. The seed fixes kinds and waiting times; the progress of a process
depends on the machine.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any, Final

from support import crashing
from support.crashing import SELECTION, SITE_PAGES, WORK, Found, Place
from support.report import Report, Row, add_json, print_report
from support.sites import serve_folder
from support.torn_copies import Fate, torn_copies

LONGEST_SECONDS: Final = {"crawl": 1.0, "delete": 1.2, "migration": 1.2, "re-embed": 1.2}
"""Longest time before the kill, by kind. Kinds that work endlessly use OTHERWISE_SECONDS."""
OTHERWISE_SECONDS: Final = 0.8
START_SECONDS: Final = 400.0
SHOWN_DETAIL: Final = 120


@dataclass(frozen=True)
class Round:
    """One kill: milliseconds until then, the messages of the process, and the result of the next start."""

    number: int
    kind: str
    after_ms: float
    told: int
    problems: tuple[str, ...]

    @property
    def row(self) -> Row:
        result = "; ".join(self.problems) or "clean"
        return {
            "round": self.number,
            "kind": self.kind,
            "ms": round(self.after_ms),
            "told": self.told,
            "result": result,
        }


def processes() -> ForkServerContext:
    """Return a fork server that has loaded everything, so that processes start quickly."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["support.torn_copies", "app.engine.components"])
    return context


@contextmanager
def world(folder: Path) -> Iterator[Place]:
    """Create the template of all rounds, and the site."""
    site = folder / "site"
    site.mkdir()
    links = "".join(f'<li><a href="page-{number}.html">Page {number}</a></li>' for number in range(SITE_PAGES))
    (site / "index.html").write_text(f"<h1>All pages of the site</h1><p>{'They are listed here. ' * 20}</p>{links}")
    for number in range(SITE_PAGES):
        text = f"<p>This is page {number} of the site. {f'It tells of valve {number} and its seals. ' * 40}</p>"
        (site / f"page-{number}.html").write_text(f"<title>Page {number}</title><h1>Page {number}</h1>{text}")
    with serve_folder(site) as served:
        template = Place(folder / "template", served.base)
        maker = processes().Process(target=_make, args=(template,))
        maker.start()
        maker.join()
        if maker.exitcode:
            raise RuntimeError("could not create the template")
        yield template


def _make(template: Place) -> None:
    import asyncio

    asyncio.run(crashing.make_template(template))


def kill_rounds(template: Place, count: int, seed: int, kinds: Sequence[str] = tuple(WORK)) -> Iterator[Round]:
    """Run rounds over the kinds in turn."""
    chance = random.Random(seed)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        seconds = chance.random() * LONGEST_SECONDS.get(kind, OTHERWISE_SECONDS)
        yield kill_once(template, number, kind, seconds, chance.randrange(1 << 30))


def kill_once(template: Place, number: int, kind: str, seconds: float, seed: int) -> Round:
    """Run one round in a copy of the template, which is deleted unless there are findings."""
    place = Place(template.folder.with_name(f"round-{number}"), template.site)
    shutil.copytree(template.folder, place.folder)
    told = _killed(kind, place, seconds, seed)
    found = _looked_at(kind, place)
    problems = (*found.problems, *_missing(kind, told, found))
    if not problems:
        shutil.rmtree(place.folder)
    return Round(number, kind, 1000 * seconds, len(told), problems)


def _killed(kind: str, place: Place, seconds: float, seed: int) -> list[Any]:
    """Return the messages of a process until it was killed. The time starts when it begins its work."""
    context = processes()
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=crashing.run_work, args=(kind, place, seed, sender))
    process.start()
    sender.close()
    told: list[Any] = []
    try:
        if not receiver.poll(START_SECONDS):
            raise RuntimeError(f"{kind} did not begin")
        told.append(receiver.recv())
        time.sleep(seconds)
    finally:
        process.kill()
        process.join()
    try:
        while True:
            told.append(receiver.recv())
    except (EOFError, OSError):
        return told


def _looked_at(kind: str, place: Place) -> Found:
    context = processes()
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=crashing.run_look, args=(kind, place, sender))
    process.start()
    sender.close()
    try:
        found: Found = receiver.recv() if receiver.poll(START_SECONDS) else Found(["the next start did not finish"])
    except EOFError:
        found = Found(["the next start exited without a message"])
    finally:
        process.kill()
        process.join()
    return found


def _missing(kind: str, told: Sequence[Any], found: Found) -> Iterator[str]:
    """Yield finished work that the next start does not find."""
    for what, *values in told:
        if what == "stored" and found.versions.get(values[0], 0) < values[1]:
            yield f"{values[0]} was stored in version {values[1]} and is now {found.versions.get(values[0])}"
        if what == "deleted" and (back := [name for name in values[0] if name in found.versions]):
            yield f"{len(back)} deleted pages are back"
        if what == "deleting" and 0 < sum(name in found.versions for name in values[0]) < SELECTION:
            yield "a selection is deleted only partly"
        if what == "job" and found.jobs.get(values[0]) != "done":
            yield f"job {values[0]} is {found.jobs.get(values[0])}"
    crawled = sum(name.startswith("http") and name.endswith(".html") for name in found.versions)
    if kind == "crawl" and crawled != SITE_PAGES + 1:
        yield f"{crawled} of {SITE_PAGES + 1} pages are crawled"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--copies", type=int, default=200)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--kind", choices=tuple(WORK), action="append")
    add_json(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder:
        if options.rounds:
            with world(Path(folder)) as template:
                _report_rounds(template, options)
        if options.copies:
            _report_copies(Path(folder), options)


def _report_rounds(template: Place, options: argparse.Namespace) -> None:
    report = Report(f"Killed and started again (seed {options.seed})", as_json=options.json)
    counts: dict[str, Counter[str]] = {}
    for each in kill_rounds(template, options.rounds, options.seed, tuple(options.kind or WORK)):
        report.add(each.row)
        counts.setdefault(each.kind, Counter())["found" if each.problems else "clean"] += 1
    report.end()
    rows = [{"kind": kind, "rounds": sum(count.values()), "clean": count["clean"]} for kind, count in counts.items()]
    print_report(rows, as_json=options.json, title="Rounds by kind")


def _report_copies(folder: Path, options: argparse.Namespace) -> None:
    report = Report("Copies of a file that is being written", as_json=options.json)
    fates: dict[str, Counter[str]] = {}
    for copy in torn_copies(folder, options.copies, options.seed, processes()):
        detail = " ".join(copy.detail.split())[:SHOWN_DETAIL]
        report.add({**asdict(copy), "detail": detail})
        fates.setdefault(copy.how, Counter())[copy.fate] += 1
    report.end()
    rows = [{"copied": how, **{fate: count[fate] for fate in Fate}} for how, count in fates.items()]
    print_report(rows, as_json=options.json, title="Copies by order")


if __name__ == "__main__":
    main()
