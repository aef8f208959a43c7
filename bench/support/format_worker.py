"""Reads files with one reader in a separate process: `python format_worker.py READER FILE...`.

Prints a JSON line per file: its Markdown or error, the processor time (median of the runs, in ms) and the memory that reading it added at
its peak (MB; Linux only). It imports only the standard library and the reader, because it also runs in environments of other readers.
"""

from __future__ import annotations

import ctypes
import gc
import json
import mimetypes
import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

RUNS = 3
LONG_SECONDS = 1.0
"""A file that takes longer is read only once."""
LOCAL = ("html", "htm")


def webrag() -> Callable[[Path], str]:
    from app.extract import extract

    def read(file: Path) -> str:
        kind = mimetypes.guess_type(file.name)[0] if file.suffix[1:] in LOCAL else ""
        return extract(file.read_bytes(), url=f"file:///{file.name}", content_type=kind or "", charset=None).text

    return read


def markitdown() -> Callable[[Path], str]:
    from markitdown import MarkItDown  # type: ignore[import-not-found, unused-ignore]

    reader = MarkItDown()
    return lambda file: str(reader.convert(str(file)).text_content)


def kreuzberg() -> Callable[[Path], str]:
    import kreuzberg as package  # type: ignore[import-not-found, unused-ignore]

    config = package.ExtractionConfig(use_cache=False, output_format="markdown")
    return lambda file: str(package.extract_file_sync(str(file), config=config).content)


READERS = {"webrag": webrag, "markitdown": markitdown, "kreuzberg": kreuzberg}


def main(name: str, files: list[str]) -> None:
    read = READERS[name]()
    known: set[str] = set()
    for each in files:
        file = Path(each)
        if file.suffix not in known and len(files) > 1:  # the first file of a kind pays for imports
            known.add(file.suffix)
            measured(read, file)
        print(json.dumps({"file": each, **measured(read, file)}), flush=True)


def measured(read: Callable[[Path], str], file: Path) -> dict[str, object]:
    """Return the text or the error, the time and the memory of reading a file."""
    before = start_peak()
    times: list[float] = []
    text, error = "", ""
    while len(times) < RUNS and sum(times) < LONG_SECONDS:
        started = time.process_time()
        try:
            text = read(file)
        except Exception as failed:  # noqa: BLE001 - every error of a foreign reader is its result
            error = f"{type(failed).__name__}: {failed}"[:300]
        times.append(time.process_time() - started)
        if len(times) == 1:
            peak = memory("VmHWM") - before
    return {"text": text, "error": error, "ms": 1000 * statistics.median(times), "mb": round(max(peak, 0.0), 1)}


def start_peak() -> float:
    """Give freed memory back, let the peak start again, and return the memory now."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    return memory("VmRSS")


def memory(name: str) -> float:
    status = Path("/proc/self/status")
    found = re.search(rf"{name}:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else 0.0


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
