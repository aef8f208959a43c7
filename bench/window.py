"""The open window while a site is crawled: stalls of its event loop, memory, and its idle cost.

    python bench/window.py [--pages N] [--questions N] [--site DIR] [--page NAME] [--start | --memory] [--json]

Another process serves a generated site (N manuals linked from a start page) or DIR with an index.html on loopback. In the meantime, the
window shows NAME (library, activity, home...). A simulated user types into the filter of the Library or scrolls it, and every few seconds
opens the ask window, types a question with real keys, moves through its results and closes it.

A stall is the longest gap between ticks of a 5 ms timer on the window's thread. "own" excludes the time in which the thread waited for a
CPU, "busy" is the longest CPU time of the thread in one gap. "To the first key" is from the request for the ask window until a key appears
in its box. "To the passage" is from the last key of the question until its page is shown with the passage marked, including the pause in
which the window waits for more keys. "To the completed hits" lasts until results that waited for vectors are also ranked by them, which can
change the best one. Another process measures the memory of the application and its child processes with the ask window closed. Pages shared
with other programs count in part. The baseline is the same window when idle.

`--start` only measures the start, each time in a new process, until the window is painted and until it serves, and the help of the command
line. `--memory` only measures the
memory of the application in a new process over a library of this size, with compiled modules. The window is first hidden after the start,
then asked a question, shows each page, and is hidden again. Then follow a crawl of as many pages, another hidden phase, and a measurement
minutes later, when the embedding model is unloaded. "RSS" includes all of its files in memory, "PSS" shared ones in part, "own" none of
them.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import argparse
import contextlib
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import psutil
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app import caps
from app.desktop.application import DesktopApp, make_qt_application
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.library.job_records import Job
from app.settings import load_settings
from support.event_loop import Gaps, rest, ticking, wait
from support.made_sites import write_linked_site
from support.memory_peak import memory_mb, watched
from support.report import Row, add_json, load_at_start, percentile, print_report

START_SECONDS: Final = 60.0
CRAWL_SECONDS: Final = 1_200.0
IDLE_SECONDS: Final = 20
QUIET_SECONDS: Final = 45
"""The same for memory measurements: temporary memory is returned within this time."""
WARM_SECONDS: Final = 5
SETTLE_MS: Final = 3_000
SAMPLE_MS: Final = 500
STARTS: Final = 5
PARAGRAPHS: Final = 12
SEED: Final = 2_026
TYPED: Final = ("m", "ma", "manual", "", "valve", "", "crane", "")
QUESTIONS: Final = ("crane", "How is the valve inspected?", "What does the manual say of the pump?", "inspected every")
ASK_EVERY: Final = 8
"""Samples between two questions during the crawl."""
KEY_MS: Final = 40
"""Time between two keys of a fast typist."""
HITS_SEEN: Final = 3
FIRST_KEY_GOAL_MS: Final = 150
PASSAGE_GOAL_MS: Final = 300
FIRST_GOAL_MS: Final = 3_000
WARM_GOAL_MS: Final = 1_200
HELP_GOAL_MS: Final = 250


def processor_share(seconds: int) -> float:
    """Return the CPU use of this process in percent of one processor."""
    this = psutil.Process()
    before = sum(this.cpu_times()[:2])
    rest(seconds * 1000)
    return float(sum(this.cpu_times()[:2]) - before) / seconds * 100


@contextlib.contextmanager
def served(site: Path) -> Iterator[str]:
    """Yield the address of a folder that another process serves."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(site)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            port = re.search(r"port (\d+)", process.stdout.readline() if process.stdout else "")
            if port is None:
                raise SystemExit("The loopback server did not start.")
            yield f"http://127.0.0.1:{port.group(1)}/"
        finally:
            process.kill()


class Person:
    """Uses the Library occasionally."""

    def __init__(self, desktop: DesktopApp) -> None:
        self._library = desktop.window.library
        self._done = 0

    def act(self) -> None:
        self._library.filter.setText(TYPED[self._done % len(TYPED)])
        bar = self._library.table.verticalScrollBar()
        bar.setValue((bar.value() + 200) % max(1, bar.maximum()))
        self._done += 1


class Asking:
    """Uses the ask window as a user does and measures the times."""

    def __init__(self, desktop: DesktopApp) -> None:
        self._desktop = desktop
        self.first_keys: list[float] = []
        self.passages: list[float] = []
        self.completed: list[float] = []
        self.corrected = 0

    def ask(self) -> None:
        """Open the window, type a question, move down and up through its results, and close it."""
        question = QUESTIONS[len(self.passages) % len(QUESTIONS)]
        main = self._desktop.window
        main.activateWindow()
        wait(main.isActiveWindow)
        begun = time.perf_counter()
        self._desktop.ask()
        window = self._desktop.asking
        if window is None:
            raise SystemExit("There is no ask window.")
        wait(lambda: window.isActiveWindow() and window.box.hasFocus())
        for place, letter in enumerate(question):
            QTest.keyClicks(window.box, letter)
            if not place:
                window.box.repaint()
                self.first_keys.append(1000 * (time.perf_counter() - begun))
            if place < len(question) - 1:
                rest(KEY_MS)
        begun = time.perf_counter()
        wait(
            lambda: (
                window.hits.query == question and not window.searching.is_running and not window.page.loading.is_running
            )
        )
        window.repaint()
        self.passages.append(1000 * (time.perf_counter() - begun))
        best = window.hits.records[0].chunk.id if window.hits.records else 0
        wait(lambda: not window._completion.isActive() and not window._renewing.is_running)
        wait(lambda: not window.page.loading.is_running)
        self.completed.append(1000 * (time.perf_counter() - begun))
        self.corrected += bool(window.hits.records) and window.hits.records[0].chunk.id != best
        for key in (*[Qt.Key.Key_Down] * HITS_SEEN, Qt.Key.Key_Up):
            QTest.keyClick(window.box, key)
            rest(KEY_MS)
        self._desktop.ask()
        wait(lambda: not window.isVisible())

    def row(self, what: str) -> Row:
        """Return the measurements and reset them."""
        keys, passages, completed, corrected = self.first_keys, self.passages, self.completed, self.corrected
        self.first_keys, self.passages, self.completed, self.corrected = [], [], [], 0
        return {
            "what": what,
            "questions": len(passages),
            f"to the first key ms (goal {FIRST_KEY_GOAL_MS})": round(statistics.median(keys), 1),
            "longest": round(max(keys), 1),
            f"to the passage ms (goal {PASSAGE_GOAL_MS})": round(statistics.median(passages), 1),
            "p90": round(percentile(passages, 0.9), 1),
            "to the completed hits ms": round(statistics.median(completed), 1),
            "best hit corrected": corrected,
        }


def measure(desktop: DesktopApp, url: str, pages: int, page: str, idle_seconds: int, questions: int) -> Iterator[Row]:
    """Measure idle, a crawl, and idle again."""
    desktop.start()
    wait(lambda: bool(desktop.status.url), START_SECONDS)
    desktop.window.go_to(page)
    rest(min(SETTLE_MS, 1_000 * idle_seconds))
    with ticking() as quiet:
        share = processor_share(min(WARM_SECONDS, idle_seconds))
    yield _row("idle (baseline)", quiet) | {"MB": memory_mb(), "processor %": share}
    asking = Asking(desktop)
    began = time.perf_counter()
    with watched() as memory:
        with ticking() as gaps:
            stored = _crawl(desktop, url, pages, asking)
        seconds = time.perf_counter() - began
        yield _row(f"crawl of {stored} pages in {seconds:.0f} s", gaps) | {"MB": memory.take()}
        with ticking() as after:
            _until_embedded(desktop)
        yield _row("remaining vectors", after) | {"MB": memory.take()}
    yield asking.row("ask window during the crawl")
    with ticking() as asked:
        for _ in range(questions):
            asking.ask()
    yield _row("ask window after the crawl", asked)
    yield asking.row("ask window after the crawl")
    rest(min(SETTLE_MS, 1_000 * idle_seconds))
    yield {
        "what": "idle afterwards, ask window closed",
        "MB": memory_mb(),
        "processor %": processor_share(idle_seconds),
    }


def measure_starts(folder: Path) -> Iterator[Row]:
    """Measure painted window and listening endpoint after the start of the process, and the help of the command line.

    Modules are compiled, as after an installation. The first start creates the data folder.
    """
    environment = compiled_environment(folder)
    command = [sys.executable, "-m", "support.window_start"]

    def start(data_dir: str) -> dict[str, tuple[float, float]]:
        line = [*command, str(folder / data_dir), str(time.time())]
        done = subprocess.run(line, capture_output=True, text=True, check=True, env=environment)
        made: dict[str, tuple[float, float]] = json.loads(done.stdout)
        return made

    start("compiling")
    times = [start("data") for _ in range(STARTS + 1)]
    for what, goal in (("painted", f"≤ {FIRST_GOAL_MS}, then ≤ {WARM_GOAL_MS}"), ("serving", "")):
        yield _start_row(f"window {what}", [each[what] for each in times], goal)
    yield _start_row("webrag --help", [_help_ms(environment) for _ in range(STARTS + 1)], f"≤ {HELP_GOAL_MS}")


def _help_ms(environment: Mapping[str, str]) -> tuple[float, float]:
    before, began = os.times(), time.perf_counter()
    subprocess.run([sys.executable, "-m", "app", "--help"], env=environment, check=True, stdout=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - began, os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return 1000 * seconds, 1000 * processor


def _start_row(what: str, times: Sequence[tuple[float, float]], goal: str) -> Row:
    """Return the times of the first start, and the median of the others."""
    (first, first_processor), later = times[0], times[1:]
    return {
        "ms from the start of the process": what,
        "first start": round(first),
        "its processor time": round(first_processor),
        "later, median": round(statistics.median(each for each, _ in later)),
        "fastest": round(min(each for each, _ in later)),
        "processor time, median": round(statistics.median(each for _, each in later)),
        "goal": goal,
    }


def compiled_environment(folder: Path) -> dict[str, str]:
    """Return an environment whose first program compiles all modules, as an installation does."""
    paths = os.pathsep.join((str(Path(__file__).parents[1]), str(Path(__file__).parent)))
    environment = os.environ | {"PYTHONPATH": paths, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def measure_memory(folder: Path, url: str, pages: int, idle_seconds: int) -> Iterator[Row]:
    """Yield rows of the application over a library that another process has filled."""
    data_dir = folder / "data"
    environment = compiled_environment(folder) | {"WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8"}
    crawl = [sys.executable, "-m", "app", "crawl", url, "--scope", "host", "--max-pages", str(pages), "--wait"]
    subprocess.run([*crawl, "--data-dir", str(data_dir)], check=True, env=environment, stdout=subprocess.DEVNULL)
    command = [sys.executable, "-m", "support.window_memory", str(data_dir)]
    subprocess.run(command, check=True, env=environment)
    more = folder / "more"
    more.mkdir()
    write_linked_site(more, SEED + 1, [PARAGRAPHS] * (pages - 1))
    with (
        served(more) as other,
        subprocess.Popen(
            [*command, QUESTIONS[1], str(idle_seconds), other, str(pages)],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        ) as walking,
    ):
        for line in walking.stdout or ():
            yield json.loads(line)
    if walking.returncode:
        raise SystemExit(f"The application ended with {walking.returncode}.")


def _crawl(desktop: DesktopApp, url: str, pages: int, asking: Asking) -> int:
    """Crawl and return the number of stored pages of the site."""
    begun: list[Job] = []
    options = CrawlOptions(CrawlScope.HOST, max_pages=min(pages, caps.MAX_CRAWL_PAGES))
    desktop.engine.submit(lambda engine: engine.jobs.crawl(url, options), begun.append)
    wait(lambda: bool(begun), START_SECONDS)
    person = Person(desktop)
    deadline = time.monotonic() + CRAWL_SECONDS
    model = desktop.window.activity.jobs.model
    rest(SAMPLE_MS)
    asking.ask()
    samples = 0
    while model.going_on and time.monotonic() < deadline:
        samples += 1
        if samples % ASK_EVERY:
            person.act()
        else:
            asking.ask()
        rest(SAMPLE_MS)
    return sum(row.url.startswith(url) for row in desktop.window.library.model.everything)


def _until_embedded(desktop: DesktopApp) -> None:
    """Wait for the vectors of all chunks."""
    deadline = time.monotonic() + CRAWL_SECONDS
    while desktop.status.waiting and time.monotonic() < deadline:
        rest(SAMPLE_MS)


def _row(what: str, gaps: Gaps) -> dict[str, object]:
    return {
        "what": what,
        "longest stall ms": round(gaps.longest, 1),
        "own": round(gaps.longest_own, 1),
        "busy": round(gaps.longest_busy, 1),
        "p99": round(percentile(gaps.all, 0.99), 1),
        "over 50 ms": sum(gap > 50 for gap in gaps.all),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--questions", type=int, default=20, help="questions after the crawl")
    parser.add_argument("--site", type=Path, help="folder with an index.html instead of a generated site")
    parser.add_argument("--page", default="library", help="page of the window in the meantime")
    parser.add_argument("--idle", type=int, help="idle seconds at the end")
    parser.add_argument("--start", action="store_true", help="only measure the start")
    parser.add_argument("--memory", action="store_true", help="only measure the memory, step by step")
    add_json(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        os.environ.update(WEBRAG_CONFIG=str(folder / "config.toml"))
        os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
        if options.start:
            title = f"The start of the application, {load_at_start()}"
            print_report(measure_starts(folder), as_json=options.json, title=title)
            return
        site = options.site
        if site is None:
            site = folder / "site"
            site.mkdir()
            write_linked_site(site, SEED, [PARAGRAPHS] * (options.pages - 1))
        if options.memory:
            with served(site) as url:
                rows = measure_memory(folder, url, options.pages, options.idle or QUIET_SECONDS)
                print_report(rows, as_json=options.json, title=f"Memory of the application with {options.pages} pages")
            return
        settings = load_settings({"mcp_port": 0, "allow_networks": "127.0.0.0/8"}, data_dir=folder / "data")
        desktop = DesktopApp(make_qt_application(["bench"]), settings)
        try:
            with served(site) as url:
                rows = measure(
                    desktop, url, options.pages, options.page, options.idle or IDLE_SECONDS, options.questions
                )
                print_report(rows, as_json=options.json, title="The open window")
        finally:
            desktop.quit()


if __name__ == "__main__":
    main()
