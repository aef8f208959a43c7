"""The application of bench/soak.py: its folders, its processes by number, its starts and ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

from app.instance import RuntimeInfo, find_instance, holder
from support.application import WEBRAG
from support.shifted_clock.sitecustomize import SHIFTS

DESKTOP: Final = WEBRAG.with_name("webrag-desktop")
READY_SECONDS: Final = 300.0
"""Longer than a start takes on a busy machine: only an application that hangs is a finding."""
QUIT_SECONDS: Final = 90.0
POLL_SECONDS: Final = 0.1
DISK_MB: Final = 1_500
FILLING_BYTES: Final = 2**20
LEFT_BYTES: Final = 48 * 2**10
"""Space that a full disk still has: enough for a line of the log, too little for a page."""
SHIFTED: Final = Path(__file__).with_name("shifted_clock")


@dataclass(frozen=True)
class Home:
    """The folders of a run: the disk with the library, the sites, the watched folder, temporary files, and the clock."""

    folder: Path
    is_mounted: bool

    @property
    def disk(self) -> Path:
        return self.folder / "disk"

    @property
    def data(self) -> Path:
        return self.disk / "data"

    @property
    def site(self) -> Path:
        return self.folder / "site"

    @property
    def watched(self) -> Path:
        return self.folder / "notes"

    @property
    def temporary(self) -> Path:
        return self.folder / "tmp"

    @property
    def clock(self) -> Path:
        return self.folder / "clock"

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of all programs. The display exists in name only, so that bridges start the tray application."""
        paths = os.pathsep.join(filter(None, (str(SHIFTED), os.environ.get("PYTHONPATH", ""))))
        return {
            **os.environ,
            "PYTHONPATH": paths,
            "WEBRAG_SHIFTED_CLOCK": str(self.clock),
            "WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8",
            "WEBRAG_CONFIG": str(self.folder / "config.toml"),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            "MCP_RATE_LIMIT_REQUESTS": "100000",
            "MCP_PORT": "0",
            "TMPDIR": str(self.temporary),
            "QT_QPA_PLATFORM": "offscreen",
            "WAYLAND_DISPLAY": "none",
        }

    def shift_clocks(self, wall: float, monotonic: float) -> None:
        """Set the clocks of all programs ahead of the real ones, in seconds."""
        with self.clock.open("r+b") as stream:
            stream.write(SHIFTS.pack(wall, monotonic))

    @property
    def free_bytes(self) -> int:
        return shutil.disk_usage(self.disk).free


@contextlib.contextmanager
def home(folder: Path) -> Iterator[Home]:
    """Make the folders. The library gets a small disk of its own if the system lets this process mount one."""
    made = Home(folder, is_mounted=_is_mounted(folder / "disk"))
    for each in (made.site, made.watched, made.temporary):
        each.mkdir()
    made.clock.write_bytes(SHIFTS.pack(0, 0))
    try:
        yield made
    finally:
        if made.is_mounted:
            subprocess.run(["umount", "-l", str(made.disk)], check=False)


def _is_mounted(disk: Path) -> bool:
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=700", "webrag-soak", str(disk)]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@dataclass
class Program:
    """The application. Bridges start it too, so its process is the one that holds the data folder."""

    home: Home
    starts: list[float] = field(default_factory=list)
    """Seconds until each restarted application answered."""
    _children: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _seen: dict[int, float] = field(default_factory=dict)
    """Processes of this run by number, with their time of creation, because numbers are used again."""

    @property
    def pid(self) -> int:
        """Return the process that holds the data folder, or 0."""
        number = holder(self.home.data)[0]
        pid = int(number) if number.isdigit() else 0
        return pid if self._is_ours(pid) else 0

    def start(self) -> None:
        """Start it like a login."""
        command = [str(DESKTOP), "--hidden", "--data-dir", str(self.home.data)]
        with (self.home.folder / "started.txt").open("ab") as output:
            made = subprocess.Popen(
                command, env=self.home.environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        self._children.append(made)

    async def ready(self, other_than: int = 0) -> RuntimeInfo:
        """Wait for an application that answers. Raises TimeoutError."""
        began = time.monotonic()
        while time.monotonic() - began < READY_SECONDS:
            info = await asyncio.to_thread(find_instance, self.home.data)
            if info is not None and info.pid != other_than:
                self.note(info.pid)
                return info
            await asyncio.sleep(POLL_SECONDS)
        raise TimeoutError(f"no application answers after {READY_SECONDS:.0f} s")

    async def end(self, number: signal.Signals) -> float:
        """Send a signal and return the seconds until the process is gone, infinite if it had to be killed."""
        pid, began = self.pid, time.monotonic()
        if not pid:
            return 0.0
        os.kill(pid, number)
        while self._is_ours(pid):
            if time.monotonic() - began > QUIT_SECONDS:
                os.kill(pid, signal.SIGKILL)
                return float("inf")
            await asyncio.sleep(POLL_SECONDS)
        return time.monotonic() - began

    def tree(self) -> list[psutil.Process]:
        """Return the application and its child processes."""
        with contextlib.suppress(psutil.NoSuchProcess):
            if pid := self.pid:
                process = psutil.Process(pid)
                return [process, *process.children(recursive=True)]
        return []

    def note(self, pid: int) -> None:
        """Remember a process of this run, so that it can be ended."""
        with contextlib.suppress(psutil.NoSuchProcess):
            self._seen.setdefault(pid, psutil.Process(pid).create_time())

    def limit_files(self, size: int) -> None:
        """Limit the size of the files that the running application writes; -1 for no limit."""
        for process in self.tree():
            with contextlib.suppress(psutil.Error):
                hard = process.rlimit(resource.RLIMIT_FSIZE)[1]
                process.rlimit(resource.RLIMIT_FSIZE, (size, hard))

    def kill_all(self) -> int:
        """Kill the processes of this run that still exist, and return their number."""
        left = [pid for pid in self._seen if self._is_ours(pid)]
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        for child in self._children:
            child.kill()
            child.wait()
        return len(left)

    def _is_ours(self, pid: int) -> bool:
        """Whether this process of the run is alive. Collects ended ones that this process started."""
        self._children = [child for child in self._children if child.poll() is None]
        try:
            process = psutil.Process(pid)
            is_named = str(self.home.data) in process.cmdline()
            created = self._seen.setdefault(pid, process.create_time()) if is_named else self._seen.get(pid)
            return bool(process.create_time() == created and process.status() != psutil.STATUS_ZOMBIE)
        except (psutil.NoSuchProcess, psutil.AccessDenied, ValueError):
            return False


class Filler:
    """A file that fills the disk of the library."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._file = home.disk / "filler"

    def fill(self, left: int = LEFT_BYTES) -> None:
        """Leave so many bytes."""
        with self._file.open("ab") as stream:
            while (free := self._home.free_bytes) > left:
                size = min(FILLING_BYTES, free - left)
                try:
                    os.posix_fallocate(stream.fileno(), stream.seek(0, os.SEEK_END), size)
                except OSError:
                    return

    def clear(self) -> None:
        """Free the space."""
        self._file.unlink(missing_ok=True)
