"""Test the frozen programs in dist/webrag and print their size and speed: measure.py [FOLDER].

The exit status is 1 if a self-test fails or the bridge does not answer.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psutil

from facts import BUNDLE

RUNS: Final = 9
START_SECONDS: Final = 60.0
BUSY_SECONDS: Final = 300.0
HELLO: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "measure", "version": "1"}},
}


def main(arguments: list[str]) -> int:
    """Run the self-tests, then measure if they passed."""
    folder = Path(arguments[0]).absolute() if arguments else bundle()
    suffix = ".exe" if sys.platform == "win32" else ""
    webrag, desktop = folder / f"webrag{suffix}", folder / f"webrag-desktop{suffix}"
    for program in (webrag, desktop):
        began = time.perf_counter()
        environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        if subprocess.run([program, "--selftest"], env=environ, check=False).returncode:
            print(f"{program.name}: the self-test failed", file=sys.stderr)
            return 1
        print(f"{program.name}: self-test passed in {time.perf_counter() - began:.1f} s")
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    print(f"size     {sum(path.stat().st_size for path in files) / 1e6:.0f} MB in {len(files)} files")
    start = median_ms(lambda: subprocess.run([webrag, "--version"], capture_output=True, check=True))
    print(f"start    {start:.0f} ms for webrag --version")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as data:
        measure_bridge(webrag, Path(data))
    return 0


def bundle() -> Path:
    """Return the folder of the programs, inside the application on macOS."""
    application = BUNDLE.with_name("WebRAG.app") / "Contents" / "MacOS"
    return application if application.is_dir() else BUNDLE


def measure_bridge(webrag: Path, data: Path) -> None:
    """Measure the first answer with and without a running application, and the memory of a bridge. Raises RuntimeError."""
    began = time.perf_counter()
    while True:
        try:
            with bridge(webrag, data):
                cold = time.perf_counter() - began
            break
        except RuntimeError:
            # On a busy machine, the application starts more slowly than the bridge waits. The next bridge finds it.
            if time.perf_counter() - began > BUSY_SECONDS:
                raise
    print(f"bridge   first answer after {cold:.1f} s if the application is not running")
    with serving(webrag, data):
        times, sizes = [], []
        for _ in range(RUNS):
            began = time.perf_counter()
            with bridge(webrag, data) as process:
                times.append((time.perf_counter() - began) * 1000)
                sizes.append(psutil.Process(process.pid).memory_info().rss / 1e6)
    middle, largest = statistics.median(times), max(times)
    print(f"bridge   first answer after {middle:.0f} ms (median of {RUNS}, {largest:.0f} at most), {max(sizes):.0f} MB")


@contextmanager
def bridge(webrag: Path, data: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a bridge that has answered `initialize`, without a display."""
    environ = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [str(webrag), "mcp", "--data-dir", str(data)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        answer: dict[str, Any] = json.loads(process.stdout.readline() or b"{}")
        if "result" not in answer:
            raise RuntimeError(f"the bridge did not answer: {answer}")
        yield process
        process.stdin.close()
        process.wait(START_SECONDS)


@contextmanager
def serving(webrag: Path, data: Path) -> Iterator[None]:
    """Run an application during the context. It reuses the one that the first bridge started."""
    known = json.loads((data / "runtime.json").read_text("utf-8"))
    with bridge(webrag, data):
        yield
    process = psutil.Process(known["pid"])
    process.terminate()
    process.wait(START_SECONDS)


def median_ms(call: Callable[[], object]) -> float:
    """Return the median duration of some calls in milliseconds."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        call()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
