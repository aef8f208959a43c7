"""The bridge as clients start it: time to the response to `initialize`, memory, and twenty bridges at the same time.

    python bench/bridge.py [--program PATH] [--repeat N] [--bridges N] [--json]

PATH is an installed `webrag`; the default is this source tree. "Warm" is with a running application; in "cold" runs, the bridge starts it
without a display. Baselines of the same run: a bare `python -c pass`, and one that loads an HTTP client.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from app.instance import read_runtime
from support.application import WEBRAG, memory_mb
from support.report import Row, print_report
from support.timings import timing_row

STOP_SECONDS: Final = 20.0
INITIALIZE: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}


class Bridge:
    """A bridge process that has received `initialize`."""

    def __init__(self, program: Path, data_dir: Path, environment: Mapping[str, str]) -> None:
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [str(program), "mcp", "--data-dir", str(data_dir)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environment),
        )
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        self.process.stdin.flush()

    def answered_ms(self) -> float:
        """Wait for the response and return the milliseconds since the start of the process."""
        assert self.process.stdout is not None
        answer = self.process.stdout.readline()
        elapsed = 1000 * (time.perf_counter() - self.started)
        if b'"result"' not in answer:
            raise SystemExit(f"no answer to initialize: {answer.decode(errors='replace')}")
        return elapsed

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=STOP_SECONDS)


@contextlib.contextmanager
def bridges(count: int, program: Path, data_dir: Path, environment: Mapping[str, str]) -> Iterator[list[Bridge]]:
    """Run this number of bridges at the same time."""
    started = [Bridge(program, data_dir, environment) for _ in range(count)]
    try:
        yield started
    finally:
        for bridge in started:
            bridge.end()


def clean_environment(folder: Path) -> dict[str, str]:
    """Return an environment without a display and without user settings."""
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "PYTHONPATH"}
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    config = str(folder / "config.toml")
    return {**kept, "WEBRAG_CONFIG": config, "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


def stop_application(data_dir: Path) -> None:
    """Stop the application of a data folder and wait until it exits."""
    info = read_runtime(data_dir)
    if info is None:
        return
    os.kill(info.pid, signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    while read_runtime(data_dir) is not None and time.monotonic() < deadline:
        time.sleep(0.05)


def cold_ms(program: Path, data_dir: Path, environment: Mapping[str, str]) -> float:
    with bridges(1, program, data_dir, environment) as (bridge,):
        elapsed = bridge.answered_ms()
    stop_application(data_dir)
    return elapsed


def warm_rows(program: Path, data_dir: Path, environment: Mapping[str, str], repeat: int, many: int) -> list[Row]:
    """Measure while the first bridge keeps the application running."""
    with bridges(1, program, data_dir, environment) as (first,):
        first.answered_ms()
        times, before = [], children_cpu_ms()
        for _ in range(repeat):
            with bridges(1, program, data_dir, environment) as (bridge,):
                times.append(bridge.answered_ms())
        rows: list[Row] = [timing_row("initialize, application running", "< 300", times)]
        rows.append({"what": "processor time of a bridge", "p50 ms": (children_cpu_ms() - before) / repeat})
        rows.append({"what": "memory of a bridge (MB)", "p50 ms": memory_mb(first.process.pid), "goal": "≤ 40"})
        with bridges(many, program, data_dir, environment) as crowd:
            rows.append(timing_row(f"initialize, {many} bridges together", "", [each.answered_ms() for each in crowd]))
    stop_application(data_dir)
    return rows


def race_rows(program: Path, data_dir: Path, environment: Mapping[str, str], many: int) -> list[Row]:
    """Measure bridges without a running application: the longest wait, and the number of applications afterwards."""
    with bridges(many, program, data_dir, environment) as crowd:
        rows: list[Row] = [timing_row(f"cold, {many} bridges together", "", [each.answered_ms() for each in crowd])]
        rows.append({"what": "applications then", "p50 ms": servers(data_dir), "goal": "1"})
        info = read_runtime(data_dir)
        if info is not None:
            rows.append({"what": "memory of the application (MB)", "p50 ms": memory_mb(info.pid), "goal": "≤ 250"})
    stop_application(data_dir)
    return rows


def servers(data_dir: Path) -> int:
    """Return the number of processes with the corpus open (Linux)."""
    corpus, found = data_dir / "corpus.db", 0
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found += any(link.is_symlink() and link.readlink() == corpus for link in (process / "fd").iterdir())
    return found


def children_cpu_ms() -> float:
    """Return the CPU time of finished child processes, which depends little on other programs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (used.ru_utime + used.ru_stime)


def bare_ms(code: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return 1000 * (time.perf_counter() - started)


def measure(program: Path, repeat: int, many: int) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as name:
        folder = Path(name)
        environment = clean_environment(folder)
        yield timing_row("python -c pass", "", [bare_ms("pass") for _ in range(repeat)])
        yield timing_row("python, http.client loaded", "", [bare_ms("import http.client, json") for _ in range(repeat)])
        yield from warm_rows(program, folder / "warm", environment, repeat, many)
        cold = [
            cold_ms(program, folder / f"cold{number}", environment)
            for number in range(min(repeat, max(3, repeat // 5)))
        ]
        yield timing_row("initialize, application started by it", "< 4,000", cold)
        yield from race_rows(program, folder / "race", environment, many)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--program", type=Path, default=WEBRAG, help="the webrag executable to measure")
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--bridges", type=int, default=20, help="bridges to start at the same time")
    options = parser.parse_args()
    rows = measure(options.program.absolute(), options.repeat, options.bridges)
    print_report(rows, as_json=options.json, title=f"Bridge: {options.program}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
