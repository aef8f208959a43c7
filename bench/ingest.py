"""Ingestion without embedding: extraction, chunking and storing in a real corpus, with trafilatura alone on the same pages.

    python bench/ingest.py --sites DIR [--limit N] [--json]
    python bench/ingest.py --pack FILE [--json]
    python bench/ingest.py --page FILE [--repeat N] [--json]

`--sites` takes a folder with one folder of HTML pages per site, `--pack` the archive of bench/extraction.py. `--page` lets a real engine
index one large HTML file over loopback and prints the stall of its event loop and its memory, including the separate process. Files that
end in .gz are unpacked first. Speeds are pages per second of CPU time.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import logging
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.corpus import Corpus
from app.embed.folder import load_card
from app.errors import WebRAGError
from app.ingest.prepared import Body, document_of, prepare_here
from app.paths import assets_dir
from app.text.tokens import ChunkingLimits, token_counter
from extraction import read_pack
from support.pages import Measured, read_in_engine
from support.report import Row, print_report

MODEL: Final = assets_dir() / "model"
CHUNK_TOKENS: Final = 220
SUFFIXES: Final = (".html", ".htm", ".xhtml", ".html.gz")


@dataclass(frozen=True)
class Speed:
    """Pages per second of CPU time, and the output."""

    pages: int
    stored: int
    chunks: int
    pages_per_second: float


def content_of(file: Path) -> bytes:
    """Return the bytes of a file, unpacked."""
    content = file.read_bytes()
    return gzip.decompress(content) if file.suffix == ".gz" else content


def site_bodies(folder: Path, limit: int) -> dict[str, list[Body]]:
    """Return the pages of each site, evenly spread if there are more than `limit`."""
    found = {}
    for site in sorted(each for each in folder.iterdir() if each.is_dir()):
        files = sorted(file for file in site.rglob("*") if file.name.endswith(SUFFIXES) and file.is_file())
        step = max(1, len(files) // limit) if limit else 1
        found[site.name] = [
            Body(content_of(file), f"http://{site.name}.example/{file.relative_to(site)}", "text/html")
            for file in files[::step]
        ]
    return {name: bodies for name, bodies in found.items() if bodies}


def pack_bodies(pack: Path) -> dict[str, list[Body]]:
    """Return all pages of the pack as one set."""
    _, pages = read_pack(pack)
    return {"pack": [Body(content, f"http://pack.example/{key}", "text/html") for key, content in pages.items()]}


def ours(bodies: list[Body]) -> Speed:
    """Measure WebRAG, from bytes to rows."""
    count = token_counter(MODEL / "tokenizer.json")
    limits = ChunkingLimits(CHUNK_TOKENS, count, MODEL / "tokenizer.json")
    card = load_card(MODEL)
    stored = chunks = 0
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder:
        corpus = Corpus.open(Path(folder) / "corpus.db", dimension=card.dimension, model=card.fingerprint)
        prepare_here(bodies[0], limits)
        started = time.process_time()
        for body in bodies:
            try:
                prepared = prepare_here(body, limits)
            except WebRAGError:
                continue
            chunks += len(corpus.documents.store(document_of(prepared, kind="web", crawled=time.time())).new_chunk_ids)
            stored += 1
        seconds = time.process_time() - started
        corpus.close()
    return Speed(len(bodies), stored, chunks, len(bodies) / seconds)


def baseline(bodies: list[Body]) -> Speed:
    """Measure trafilatura: text of the main content, without storing."""
    import trafilatura

    trafilatura.extract(bodies[0].content)
    started = time.process_time()
    found = sum(bool(trafilatura.extract(body.content)) for body in bodies)
    return Speed(len(bodies), found, 0, len(bodies) / (time.process_time() - started))


def speed_rows(sets: dict[str, list[Body]]) -> Iterator[Row]:
    """Yield one row per set, and one for all."""
    if len(sets) > 1:
        sets = {**sets, "all": [body for bodies in sets.values() for body in bodies]}
    for name, bodies in sets.items():
        mine, other = ours(bodies), baseline(bodies)
        yield {
            "set": name,
            "pages": mine.pages,
            "stored": mine.stored,
            "chunks": mine.chunks,
            "pages/s": mine.pages_per_second,
            "trafilatura alone, pages/s": other.pages_per_second,
            "ratio": round(mine.pages_per_second / other.pages_per_second, 2),
        }


def page_row(name: str, size: int, measured: Measured) -> Row:
    """Return the row for a large page."""
    return {
        "page": name,
        "MB": size / 1e6,
        "chunks": measured.chunks,
        "wall s": measured.seconds,
        "stall p99 ms": measured.stall_p99_ms,
        "stall max ms": measured.stall_max_ms,
        "max without waiting for a CPU ms": measured.own_max_ms,
        "memory over baseline MiB": measured.memory_mib,
    }


def main() -> None:
    """Print the requested report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--sites", type=Path, help="folder with one folder of pages per site")
    what.add_argument("--pack", type=Path, help="tar archive with pages and their true text")
    what.add_argument("--page", type=Path, help="one large HTML file")
    parser.add_argument("--limit", type=int, default=0, help="maximum pages per site; 0 for all")
    parser.add_argument("--repeat", type=int, default=3, help="runs with the large page, each with a new engine")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    source: Path = options.sites or options.pack or options.page
    if not source.exists():
        raise SystemExit(f"{source} does not exist. Evaluation pages are not part of the project.")
    logging.disable(logging.ERROR)
    if options.page:
        content = content_of(options.page)
        rows = (
            page_row(source.name, len(content), asyncio.run(read_in_engine(content))) for _ in range(options.repeat)
        )
        print_report(rows, as_json=options.json, title="One large page, indexed by a running engine")
        return
    sets = site_bodies(source, options.limit) if options.sites else pack_bodies(source)
    print_report(speed_rows(sets), as_json=options.json, title="Ingest without embedding, one core")


if __name__ == "__main__":
    main()
