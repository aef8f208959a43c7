"""Number of files and functions that one operation runs through, compared with the goals.

    python bench/hops.py [--list JOURNEY] [--quiet SECONDS] [--json [FILE]]

The bench creates a small linked site and serves it on loopback. Each journey runs once untraced, so that imports and first starts do not
count, and once under `sys.setprofile` in all threads of this process. Tool calls start at the dispatcher (without transport), the click at
the mouse event and ends with the shown page, offscreen. A file counts if one of its functions is called, also in the background. Numbers
therefore vary slightly. --quiet is the wait for background work after a call, so that the next call does not count it. --list prints the
files of one journey with their functions.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import argparse
import asyncio
import contextlib
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import app
from app.desktop.application import DesktopApp, make_qt_application
from app.engine import Engine, build_engine
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.tools import build_registry
from app.settings import Settings, load_settings
from support.event_loop import rest, wait
from support.made_sites import MadePage, write_linked_site
from support.report import Row, add_json, print_report
from support.sites import serve_folder

ROOT: Final = f"{Path(app.__file__).parent}{os.sep}"
GOALS: Final = {
    "answer, stored page": 55,
    "answer, new page": 100,
    "ingest": 65,
    "status": 20,
    "kb_retrieve_evidence": 55,
    "search": None,
    "click in the Library": 35,
}
PARAGRAPHS: Final = [12, 20, 8, 16]
SITES: Final = ("first", "second")
QUIET_SECONDS: Final = 1.0
EMBEDDING_SECONDS: Final = 60
RECORD_SECONDS: Final = 0.2  # a call is recorded right after its reply
CLICK_MS: Final = 600

Trace = Mapping[str, Counter[str]]  # calls of each function, by file


class Tracer:
    """Counts calls while `recording`. Create it before the threads to trace, because a thread takes over the profiler when it starts."""

    def __init__(self) -> None:
        self._calls: defaultdict[str, Counter[str]] | None = None
        threading.setprofile(self._on_event)
        sys.setprofile(self._on_event)

    @contextlib.contextmanager
    def recording(self) -> Iterator[Trace]:
        """Collect the calls until the end of the block."""
        calls: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._calls = calls
        try:
            yield calls
        finally:
            self._calls = None

    def _on_event(self, frame: FrameType, event: str, argument: object) -> None:
        calls, code = self._calls, frame.f_code
        if calls is None or event != "call" or not code.co_filename.startswith(ROOT) or code.co_name == "<module>":
            return
        calls[code.co_filename[len(ROOT) :]][code.co_qualname] += 1


class Calls:
    """Tool calls on a started engine, as a client makes them, without the transport."""

    def __init__(self, engine: Engine, base: str, folder: Path, sites: Mapping[str, MadePage], quiet: float) -> None:
        self._engine, self._base, self._folder, self._sites, self._quiet_seconds = engine, base, folder, sites, quiet
        self._dispatcher = Dispatcher(engine, build_registry(engine.settings))

    async def journeys(self, tracer: Tracer) -> dict[str, Trace]:
        """Trace each tool call once, after the same call untraced."""
        traces: dict[str, Trace] = {}
        for site in SITES:
            question, page = self._sites[site].question, f"{self._base}/{site}/index.html"
            stored, new = {"expansion_budget": 0}, {"expansion_budget": 1}
            steps: dict[str, tuple[str, dict[str, Any]]] = {
                "answer, new page": ("answer", {"url": page, "query": question, **new}),
                "answer, stored page": ("answer", {"url": page, "query": question, **stored}),
                "ingest": ("ingest", {"url": page, "refresh": True}),
                "status": ("status", {}),
                "search": ("search", {"query": question}),
                "kb_retrieve_evidence": ("kb_retrieve_evidence", {"question": question}),
            }
            for name, (tool, arguments) in steps.items():
                if tool == "ingest":
                    start = self._folder / site / "index.html"
                    start.write_bytes(start.read_bytes().replace(b"</h1>", b"</h1><p>One more line.</p>"))
                with tracer.recording() as trace:
                    await self._call(tool, arguments)
                    await asyncio.sleep(RECORD_SECONDS)
                traces[name] = trace
                await self._quiet()
        self._dispatcher.close()
        return traces

    async def _call(self, tool: str, arguments: dict[str, Any]) -> None:
        reply = await self._dispatcher.call(tool, arguments, Caller("bench", key="bench", charged=True))
        if reply.is_error:
            raise SystemExit(f"{tool} failed: {reply.text}")

    async def _quiet(self) -> None:
        """Wait until the background work of a call is done: vectors, and periodic updates."""
        deadline = time.monotonic() + EMBEDDING_SECONDS
        while time.monotonic() < deadline:
            await asyncio.sleep(self._quiet_seconds)
            if not self._engine.embedder_state.waiting:
                return


async def calls_traced(settings: Settings, folder: Path, tracer: Tracer, quiet: float) -> dict[str, Trace]:
    """Return the traces of all tool calls. Keeps its corpus for the window."""
    sites = {}
    for seed, site in enumerate(SITES):
        (folder / site).mkdir(parents=True)
        sites[site] = write_linked_site(folder / site, 1_000 * (seed + 1), PARAGRAPHS)
    engine = build_engine(settings)
    await engine.start()
    try:
        with serve_folder(folder) as served:
            return await Calls(engine, served.base, folder, sites, quiet).journeys(tracer)
    finally:
        await engine.stop()


def click_traced(settings: Settings, tracer: Tracer, quiet: float) -> Trace:
    """Return the trace of a click on a row of the Library, from the mouse event until its page is shown."""
    desktop = DesktopApp(make_qt_application(["bench"]), settings)
    try:
        desktop.start()
        wait(lambda: bool(desktop.status.url))
        desktop.window.go_to("library")
        table = desktop.window.library.table
        wait(lambda: desktop.window.library.model.rowCount() > 1)
        rest(round(2_000 * quiet))
        for row in (0, 1):
            place = table.visualRect(table.model().index(row, 0)).center()
            with tracer.recording() as trace:
                QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
                rest(CLICK_MS)
            rest(round(1_000 * quiet))
        return trace
    finally:
        desktop.quit()


def table_row(name: str, trace: Trace) -> Row:
    """Return files, functions and calls of a journey, and the packages with the most files."""
    packages = Counter(file.partition(os.sep)[0] for file in trace)
    shown = ", ".join(f"{package.removesuffix('.py')} {count}" for package, count in packages.most_common())
    goal = f"≤ {GOALS[name]}" if GOALS[name] is not None else "–"
    counts = {"functions": sum(map(len, trace.values())), "calls": sum(each.total() for each in trace.values())}
    return {"journey": name, "files": len(trace), "goal": goal, **counts, "by package": shown}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", metavar="JOURNEY", choices=sorted(GOALS), help="also print the files of one journey")
    parser.add_argument("--quiet", type=float, default=QUIET_SECONDS, help="seconds to wait after a call")
    add_json(parser)
    options = parser.parse_args()
    tracer = Tracer()
    with tempfile.TemporaryDirectory(prefix="webrag-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        os.environ["WEBRAG_CONFIG"] = str(folder / "config.toml")
        os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
        settings = load_settings({"mcp_port": 0, "allow_networks": "127.0.0.0/8"}, data_dir=folder / "data")
        traces = asyncio.run(calls_traced(settings, folder / "site", tracer, options.quiet))
        traces["click in the Library"] = click_traced(settings, tracer, options.quiet)
    print_report([table_row(name, traces[name]) for name in GOALS], as_json=options.json, title="Files entered")
    for file, functions in sorted(traces[options.list].items()) if options.list else ():
        print(f"{file}: {', '.join(sorted(functions))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
