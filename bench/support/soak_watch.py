"""Memory, files and log of the application of bench/soak.py while it runs."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

from app.logs import LOG_FILE, MAX_LOG_FILE_BYTES, MAX_OLD_LOG_FILES
from app.paths import corpus_file, log_dir
from support.report import Row, median
from support.soak_program import Home, Program
from support.soak_weather import Weather

SAMPLE_SECONDS: Final = 2.0
ROWS: Final = 12
"""Rows of the table of memory."""
WARM_SHARE: Final = 0.1
WARM_SECONDS: Final = 120.0
"""Caches of a process fill in this time."""
STEADY_SECONDS: Final = 120.0
"""Shortest time that can show growth."""
ALLOWED_GROWTH: Final = 0.05
MAX_WAL_MB: Final = 64.0
MAX_TEMPORARY_MB: Final = 200.0
TRACEBACK: Final = "Traceback (most recent call last)"
_LINE = re.compile(r"^\d{4}-\d\d-\d\d \S+ (WARNING|ERROR|CRITICAL) ([\w.]+): (.*)")
_VALUE = re.compile(r"/\S+|https?:\S+|\b[\w-]*\d[\w.:-]*")
"""Parts of a message that differ between messages of a kind."""
MAX_KIND_CHARS: Final = 110


@dataclass(frozen=True, slots=True)
class Sample:
    """Resident megabytes at a moment: of the application, its anonymous part, its child processes, and all bridges."""

    at: float
    pid: int
    application: float
    anonymous: float
    children: float
    bridges: float


@dataclass
class Watcher:
    """Samples memory and files."""

    program: Program
    home: Home
    samples: list[Sample] = field(default_factory=list)
    highest: dict[str, float] = field(default_factory=dict)
    """Largest size of each kind of file, in MB."""

    async def work(self) -> None:
        while True:
            await asyncio.to_thread(self._look)
            await asyncio.sleep(SAMPLE_SECONDS)

    def _look(self) -> None:
        data = self.home.data
        sizes = {
            "library": _size(corpus_file(data)),
            "write-ahead log": _size(Path(f"{corpus_file(data)}-wal")),
            "logs": _tree_size(log_dir(data)),
            "temporary files": _tree_size(self.home.temporary),
            "data folder": _tree_size(data),
        }
        self.highest = {name: max(size, self.highest.get(name, 0.0)) for name, size in sizes.items()}
        tree = self.program.tree()
        if not tree:
            return
        for process in tree:
            self.program.note(process.pid)
        bridges = [each for each in psutil.Process().children() if _is_bridge(each)]
        with contextlib.suppress(psutil.Error, OSError):
            main, *children = tree
            sizes_of = [[_resident(each) for each in some] for some in (children, bridges)]
            memory = (_resident(main), _anonymous(main.pid), sum(sizes_of[0]), sum(sizes_of[1]))
            self.samples.append(Sample(time.monotonic(), main.pid, *memory))

    def memory_rows(self) -> list[Row]:
        """Return the medians over time."""
        rows: list[Row] = []
        if not self.samples:
            return rows
        begin, end = self.samples[0].at, self.samples[-1].at
        step = max(1.0, (end - begin) / ROWS)
        for number in range(ROWS):
            low = begin + number * step
            some = [each for each in self.samples if low <= each.at < low + step]
            if some:
                processes = list(dict.fromkeys(each.pid for each in some))
                rows.append(
                    {
                        "minute": f"{(low - begin) / 60:.1f}",
                        "processes": " ".join(map(str, processes)),
                        "application MB": median([each.application for each in some]),
                        "anonymous": median([each.anonymous for each in some]),
                        "its readers MB": max(each.children for each in some),
                        "all bridges MB": median([each.bridges for each in some]),
                    }
                )
        return rows

    def growth_rows(self) -> list[Row]:
        """Compare the beginning and the end of the longest life of a process, after its warm-up."""
        lives = Counter(each.pid for each in self.samples)
        longest = [each for each in self.samples if each.pid == lives.most_common(1)[0][0]]
        begin, seconds = longest[0].at, longest[-1].at - longest[0].at
        steady = [
            each for each in longest if each.at >= begin + max(WARM_SHARE * seconds, min(WARM_SECONDS, seconds / 2))
        ]
        quarter = max(1, len(steady) // 4)
        rows: list[Row] = []
        for name in ("application", "anonymous", "bridges"):
            values = [float(getattr(each, name)) for each in steady]
            early, late = median(values[:quarter]), median(values[-quarter:])
            length = steady[-1].at - steady[0].at
            grew = "yes" if late > early * (1 + ALLOWED_GROWTH) and name != "anonymous" else "no"
            rows.append(
                {
                    "MB without a restart": "all bridges" if name == "bridges" else f"{name}, process {steady[0].pid}",
                    "minutes": length / 60,
                    "at its beginning": early,
                    "at its end": late,
                    "change %": 100 * (late / early - 1) if early else 0.0,
                    "grew": grew if length >= STEADY_SECONDS else "too short to say",
                }
            )
        return rows

    def file_rows(self) -> list[Row]:
        """Return the largest sizes with their limits."""
        logs = MAX_LOG_FILE_BYTES * (MAX_OLD_LOG_FILES + 1) / 2**20 + 1
        limits = {"write-ahead log": MAX_WAL_MB, "logs": logs, "temporary files": MAX_TEMPORARY_MB}
        return [
            {
                "files": name,
                "largest MB": size,
                "limit": f"≤ {limits[name]:.0f}" if name in limits else "",
                "over": "yes" if size > limits.get(name, float("inf")) else "",
            }
            for name, size in self.highest.items()
        ]


@dataclass
class LogReader:
    """Reads the log as it grows, because old parts are deleted. Counts lines of problems by kind, and keeps every traceback."""

    program: Program
    weather: Weather
    kinds: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """By level, kind and event."""
    tracebacks: list[str] = field(default_factory=list)
    _inode: int = 0
    _at: int = 0

    async def work(self) -> None:
        while True:
            self.read()
            await asyncio.sleep(SAMPLE_SECONDS)

    def read(self) -> None:
        """Read what is new, with the rest of a file that was rotated."""
        file = log_dir(self.program.home.data) / LOG_FILE
        try:
            inode = file.stat().st_ino
        except OSError:
            return
        if self._inode and inode != self._inode:
            for old in file.parent.glob(f"{LOG_FILE}.*"):
                if old.stat().st_ino == self._inode:
                    self._take(old)
            self._at = 0
        self._inode = inode
        self._take(file)

    def _take(self, file: Path) -> None:
        with contextlib.suppress(OSError), file.open("rb") as stream:
            stream.seek(self._at)
            text = stream.read()
            complete = text.rfind(b"\n") + 1
            self._at += complete
            self.note(text[:complete].decode("utf-8", "replace"))

    def note(self, text: str) -> None:
        """Sort the lines of a text."""
        now = time.monotonic()
        event = self.weather.at(now - SAMPLE_SECONDS, now)
        lines = text.splitlines()
        for number, line in enumerate(lines):
            if TRACEBACK in line:
                self.tracebacks.append("\n".join(lines[max(0, number - 1) : number + 40]))
            if found := _LINE.match(line):
                level, name, message = found.groups()
                self.kinds[level, f"{name}: {_VALUE.sub('…', message)}"[:MAX_KIND_CHARS], event] += 1

    @property
    def rows(self) -> list[Row]:
        """Return the kinds of warnings and errors, with how many were not near an event."""
        merged: dict[tuple[str, str], Counter[bool]] = {}
        for (level, kind, event), count in self.kinds.items():
            merged.setdefault((level, kind), Counter())[bool(event)] += count
        return [
            {"level": level, "line of the log": kind, "near an event": counts[True], "otherwise": counts[False]}
            for (level, kind), counts in sorted(merged.items())
        ]


def _is_bridge(process: psutil.Process) -> bool:
    try:
        return "mcp" in process.cmdline()
    except psutil.Error:
        return False


def _resident(process: psutil.Process) -> float:
    return float(process.memory_info().rss) / 2**20


def _anonymous(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    return 0.0


def _size(path: Path) -> float:
    try:
        return path.stat().st_size / 2**20
    except OSError:
        return 0.0


def _tree_size(folder: Path) -> float:
    return sum(_size(path) for path in folder.rglob("*") if not path.is_symlink())
