"""One page read by a real engine in this process, while a ticker measures stalls of the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from app.engine import build_engine
from app.settings import load_settings
from support.report import percentile

TICK_SECONDS: Final = 0.005
SAMPLE_SECONDS: Final = 0.05
SETTLE_SECONDS: Final = 1.0


@dataclass(frozen=True)
class Measured:
    """Cost of reading the page. A stall is the time beyond TICK_SECONDS between two turns of the event loop.

    `own_max_ms` excludes the wait of the loop for a CPU (Linux).
    """

    chunks: int
    seconds: float
    stall_p99_ms: float
    stall_max_ms: float
    own_max_ms: float
    memory_mib: float


@dataclass(frozen=True)
class Stall:
    """A late turn. `queued_ms` of it were a wait for a CPU."""

    ms: float
    queued_ms: float


async def read_in_engine(content: bytes) -> Measured:
    """Serve the page on loopback from another process and let a fresh engine index it."""
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder, _served(Path(folder), content) as server:
        settings = load_settings({"allow_networks": "127.0.0.0/8"}, data_dir=Path(folder) / "data")
        engine = build_engine(settings)
        await engine.start()
        try:
            await asyncio.sleep(SETTLE_SECONDS)
            with _MemoryPeak(server.pid) as memory:
                stalls: list[Stall] = []
                ticker = asyncio.create_task(_tick(stalls))
                started = time.perf_counter()
                page = await engine.ensure_ingested(server.url)
                seconds = time.perf_counter() - started
                ticker.cancel()
            all_ms = [stall.ms for stall in stalls]
            own_ms = [stall.ms - stall.queued_ms for stall in stalls]
            return Measured(page.chunks, seconds, percentile(all_ms, 0.99), max(all_ms), max(own_ms), memory.peak_mib)
        finally:
            await engine.stop()


async def _tick(stalls: list[Stall]) -> None:
    last, queued = time.perf_counter(), _queued_ms()
    while True:
        await asyncio.sleep(TICK_SECONDS)
        now, queued_now = time.perf_counter(), _queued_ms()
        stalls.append(Stall(1000 * (now - last - TICK_SECONDS), queued_now - queued))
        last, queued = now, queued_now


def _queued_ms() -> float:
    """Return the total wait of this thread for a CPU."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e6
    except OSError:
        return 0.0


@dataclass(frozen=True)
class _Server:
    pid: int
    url: str


@contextlib.contextmanager
def _served(folder: Path, content: bytes) -> Iterator[_Server]:
    site = folder / "site"
    site.mkdir()
    (site / "page.html").write_bytes(content)
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(site)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            port = re.search(r"port (\d+)", process.stdout.readline() if process.stdout else "")
            if port is None:
                raise SystemExit("The loopback server did not start.")
            yield _Server(process.pid, f"http://127.0.0.1:{port.group(1)}/page.html")
        finally:
            process.kill()


class _MemoryPeak:
    """Peak memory of this process and its children, except one, beyond the current memory (Linux)."""

    def __init__(self, without_pid: int) -> None:
        self._without = without_pid
        self._ended = threading.Event()
        self._start = self._peak = self._now()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    @property
    def peak_mib(self) -> float:
        return self._peak - self._start

    def __enter__(self) -> _MemoryPeak:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(SAMPLE_SECONDS):
            self._peak = max(self._peak, self._now())

    def _now(self) -> float:
        children = [child.pid for child in psutil.Process().children(recursive=True)]
        return sum(_pss_mib(pid) for pid in (os.getpid(), *children) if pid != self._without)


def _pss_mib(pid: int) -> float:
    """Return the memory with shared pages counted in part, or 0 after the end of the process."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0.0
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found.group(1)) / 1024 if found else 0.0
