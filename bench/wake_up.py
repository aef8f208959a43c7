"""How long the first question waits for a model that was released while idle, and how much memory the model takes.

    python bench/wake_up.py [--model FOLDER...] [--repeat N] [--passages N] [--json]

The default is the built-in model. Other folders are prepared first, as WebRAG does. Each model runs in a process of its own. "loaded" is
the memory above the imported libraries after one question, "in use" after passages on two threads. Contents of files that the system can
drop are counted only in "with mapped files".
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import psutil

from app.embed.embedder import PASSAGE
from app.paths import assets_dir
from support.report import Row, add_json, load_at_start, median, percentile, print_report

MIB = 2**20
QUESTION = "How do I release a lock after a crash?"


def measure(folder: Path, repeat: int, passages: int) -> Row:
    """Return the figures of one model. Call in a fresh process."""
    import onnxruntime  # noqa: F401
    import tokenizers  # noqa: F401

    from app.embed.onnx import OnnxEmbedder
    from app.embed.preparing import prepare
    from app.memory import release_free_memory

    if folder.resolve() != (assets_dir() / "model").resolve():
        prepare(folder)
    release_free_memory()
    before = psutil.Process().memory_full_info()
    embedder = OnnxEmbedder(folder)
    embedder.embed_query(QUESTION)
    loaded = psutil.Process().memory_full_info()
    waits, seconds = [], []
    for _ in range(repeat):
        embedder.release_memory(0)
        release_free_memory()
        started, worked = time.perf_counter(), time.process_time()
        embedder.embed_query(QUESTION)
        waits.append(1000 * (time.perf_counter() - started))
        seconds.append(time.process_time() - worked)
    started, worked = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(embedder.embed_passage, (PASSAGE.format(number) for number in range(passages))))
    used = psutil.Process().memory_full_info()
    return {
        "model": embedder.card.name,
        "first question p50 ms": median(waits),
        "max ms": percentile(waits, 1.0),
        "CPU ms": 1000 * median(seconds),
        "loaded MiB": (loaded.uss - before.uss) / MIB,
        "in use MiB": (used.uss - before.uss) / MIB,
        "with mapped files MiB": (used.rss - before.rss) / MIB,
        "CPU ms per passage": 1000 * (time.process_time() - worked) / passages,
        "passages per second": passages / (time.perf_counter() - started),
    }


def rows(options: argparse.Namespace) -> Iterator[Row]:
    for folder in options.model or [assets_dir() / "model"]:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            yield pool.submit(measure, folder, options.repeat, options.passages).result()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, action="append", metavar="FOLDER")
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--passages", type=int, default=60)
    add_json(parser)
    options = parser.parse_args()
    title = f"A model that was released while idle; {options.repeat} times; {load_at_start()}"
    print_report(rows(options), as_json=options.json, title=title)
    return 0


if __name__ == "__main__":
    sys.exit(main())
