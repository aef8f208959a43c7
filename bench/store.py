"""Measure the corpus beside plain baselines of the same run: a numpy float32 scan and a sqlite-vec vec0 table.

    python bench/store.py --chunks 100000 [--dimension 384] [--queries 200] [--json]

The data are made up from a fixed seed: documents of 20 chunks, words after Zipf's law, and vectors that fill a bent surface
of few dimensions in dense topics, which is about as hard for sign codes as sentence embeddings are. One thread.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import apsw
import numpy as np
import sqlite_vec
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.corpus import Corpus
from app.corpus.records import ChunkIn, DocumentIn, EmbeddingIn, Filter

SEED = 20_26
CHUNKS_PER_DOCUMENT = 20
WORDS_PER_CHUNK = 110
VOCABULARY = 30_000
STOP_WORDS = 150
QUERY_WORDS = 5
TOKENS_PER_CHUNK = 160
LATENT = 48
CHUNKS_PER_TOPIC = 400
K = 10

Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Timing:
    """Milliseconds per call: wall clock, and the processor's median."""

    name: str
    p50: float
    p95: float
    cpu_p50: float
    note: str = ""


@dataclass(frozen=True)
class Report:
    """Everything measured in one run."""

    chunks: int
    dimension: int
    store_chunks_per_second: float
    embed_rows_per_second: float
    vec0_rows_per_second: float
    open_ms: float
    first_search_ms: float
    megabytes: float
    recall_at_10: float
    timings: tuple[Timing, ...]
    ratios: dict[str, float]


def vectors(rng: np.random.Generator, count: int, dimension: int) -> Matrix:
    """Unit vectors in topics on a surface of LATENT dimensions, with some noise in all of them."""
    topics = rng.normal(size=(max(1, count // CHUNKS_PER_TOPIC), LATENT))
    latent = topics[rng.integers(len(topics), size=count)] + 0.6 * rng.normal(size=(count, LATENT))
    first, second = rng.normal(size=(LATENT, 2 * LATENT)), rng.normal(size=(2 * LATENT, dimension))
    found = np.tanh(latent @ first / np.sqrt(LATENT)) @ second / np.sqrt(2 * LATENT)
    found += 0.15 * rng.normal(size=found.shape)
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def documents(rng: np.random.Generator, count: int) -> Iterator[DocumentIn]:
    """Documents of made-up words, the frequent ones short."""
    words = np.array([f"{'st' if rank < STOP_WORDS else 'w'}{rank:x}" for rank in range(VOCABULARY)])
    shares = 1 / np.arange(1, VOCABULARY + 1)
    shares /= shares.sum()
    for number in range(count // CHUNKS_PER_DOCUMENT):
        ranks = rng.choice(VOCABULARY, size=(CHUNKS_PER_DOCUMENT, WORDS_PER_CHUNK), p=shares)
        parts = [" ".join(words[row]) for row in ranks]
        yield document(f"https://site{number % 50}.example/page/{number}", parts)


def document(url: str, parts: Sequence[str]) -> DocumentIn:
    """A document whose chunks are the parts."""
    chunks, start = [], 0
    for part in parts:
        key = hashlib.sha256(f"{url}|{part}".encode()).hexdigest()
        end = start + len(part)
        chunks.append(ChunkIn(key, ("Guide", part[:12]), None, part, start, end, 0, 0, TOKENS_PER_CHUNK))
        start = end + 2
    text = "\n\n".join(parts)
    content_hash = hashlib.sha256(text.encode()).hexdigest()
    return DocumentIn(url, f"Page {url[-5:]}", text, content_hash, "html", tuple(chunks))


def timed(name: str, calls: Sequence[Callable[[], object]], note: str = "") -> Timing:
    """Run each call once, after one that does not count."""
    calls[0]()
    wall, cpu = [], []
    for call in calls:
        began, began_cpu = time.perf_counter(), time.process_time()
        call()
        wall.append((time.perf_counter() - began) * 1e3)
        cpu.append((time.process_time() - began_cpu) * 1e3)
    p50, p95 = np.percentile(wall, [50, 95])
    return Timing(name, float(p50), float(p95), float(np.median(cpu)), note)


def fill(corpus: Corpus, rng: np.random.Generator, count: int, base: Matrix) -> tuple[float, float]:
    """Store texts, then vectors; returns chunks a second of each."""
    ids: list[int] = []
    seconds = 0.0
    for each in documents(rng, count):
        began = time.perf_counter()
        ids.extend(corpus.store_document(each).new_chunk_ids)
        seconds += time.perf_counter() - began
    signs = rng.integers(0, 256, size=(64, TOKENS_PER_CHUNK, base.shape[1] // 8), dtype=np.uint8)
    began = time.perf_counter()
    for start in range(0, len(ids), 64):
        batch = ids[start : start + 64]
        items = [
            EmbeddingIn(id_, base[start + place], signs[place % len(signs)]) for place, id_ in enumerate(batch)
        ]
        corpus.store_embeddings(items)
    return len(ids) / seconds, len(ids) / (time.perf_counter() - began)


def vec0_table(path: Path, base: Matrix) -> tuple[apsw.Connection, float]:
    """The baseline that sqlite-vec itself offers, with the document as a metadata column; and its rows a second."""
    con = apsw.Connection(str(path))
    con.enable_load_extension(True)
    con.load_extension(sqlite_vec.loadable_path())
    con.pragma("journal_mode", "wal")
    con.pragma("synchronous", "normal")
    con.execute(
        "CREATE VIRTUAL TABLE v USING vec0(chunk_id INTEGER PRIMARY KEY, document INTEGER,"
        f" embedding FLOAT[{base.shape[1]}] distance_metric=cosine)"
    )
    began = time.perf_counter()
    for start in range(0, len(base), 1000):
        con.execute("BEGIN")
        rows = ((start + n + 1, (start + n) // CHUNKS_PER_DOCUMENT + 1, row) for n, row in enumerate(base[start : start + 1000]))
        con.executemany("INSERT INTO v VALUES(?, ?, ?)", rows)
        con.execute("COMMIT")
    return con, len(base) / (time.perf_counter() - began)


def numpy_scan(base: Matrix, query: Matrix) -> list[int]:
    """The rows nearest to the query, by comparing all of them."""
    scores = base @ query
    best = np.argpartition(scores, -K)[-K:]
    return [int(row) for row in best[np.argsort(-scores[best])]]


def measure(folder: Path, count: int, dimension: int, queries: int) -> Report:
    rng = np.random.default_rng(SEED)
    made = vectors(rng, count + queries, dimension)
    base, asked = made[:count], made[count:]
    path = folder / "corpus.db"
    corpus = Corpus.open(path, dimension=dimension, model="bench")
    stored, embedded = fill(corpus, rng, count, base)
    corpus.close()
    con, vec0_rows = vec0_table(folder / "vec0.db", base)

    began = time.perf_counter()
    corpus = Corpus.open(path, dimension=dimension, model="bench")
    opened = (time.perf_counter() - began) * 1e3
    began = time.perf_counter()
    corpus.nearest(asked[0], k=K)
    first = (time.perf_counter() - began) * 1e3

    exact = [set(numpy_scan(base, query)) for query in asked]
    found = [{hit.chunk_id - 1 for hit in corpus.nearest(query, k=K)} for query in asked]
    recall = sum(len(a & b) for a, b in zip(exact, found, strict=True)) / (K * queries)
    timings = tuple(_timings(corpus, con, base, asked, rng))
    corpus.close()
    con.close()
    p50 = {timing.name: timing.p50 for timing in timings}
    ratios = {
        "vector search / numpy float32 scan": p50["vector search"] / p50["numpy float32 scan"],
        "vector search / vec0": p50["vector search"] / p50["vec0"],
        "vector search in a document / vec0 with a filter": p50["vector search in a document"]
        / p50["vec0 with a filter"],
    }
    megabytes = path.stat().st_size / 1e6
    return Report(
        count, dimension, stored, embedded, vec0_rows, opened, first, megabytes, recall, timings, ratios
    )


def _timings(
    corpus: Corpus, con: apsw.Connection, base: Matrix, asked: Matrix, rng: np.random.Generator
) -> Iterator[Timing]:
    some = asked[:30]
    pages = [Filter(document_ids=(int(n),)) for n in rng.integers(1, len(base) // CHUNKS_PER_DOCUMENT, len(asked))]
    site = Filter(url_prefix="https://site7.example/")
    ranks = rng.integers(STOP_WORDS, 5_000, size=(len(asked), QUERY_WORDS))
    words = [[f"w{rank:x}" for rank in row] for row in ranks]
    whole = "SELECT chunk_id FROM v WHERE embedding MATCH ? AND k = 10"
    one = whole + " AND document = ?"
    yield timed("vector search", [lambda q=q: corpus.nearest(q, k=K) for q in asked])
    yield timed("vector search, 100 hits", [lambda q=q: corpus.nearest(q, k=100) for q in asked])
    yield timed("numpy float32 scan", [lambda q=q: numpy_scan(base, q) for q in some])
    yield timed("vec0", [lambda q=q: con.execute(whole, (q,)).fetchall() for q in some])
    scoped = list(zip(asked, pages, strict=True))
    yield timed("vector search in a document", [lambda q=q, f=f: corpus.nearest(q, filter=f, k=K) for q, f in scoped])
    yield timed(
        "vec0 with a filter",
        [lambda q=q, f=f: con.execute(one, (q, f.document_ids[0])).fetchall() for q, f in scoped[:30]],
    )
    yield timed("vector search in a site", [lambda q=q: corpus.nearest(q, filter=site, k=K) for q in asked])
    yield timed("keyword search, 100 hits", [lambda w=w: corpus.lexical(w, k=100) for w in words])
    pairs = list(zip(words, pages, strict=True))
    yield timed("keyword search in a document", [lambda w=w, f=f: corpus.lexical(w, filter=f, k=100) for w, f in pairs])
    yield timed("word frequencies", [lambda w=w: corpus.document_frequencies(w) for w in words])
    ids = [[hit.chunk_id for hit in corpus.nearest(q, k=30)] for q in asked]
    yield timed("30 chunks read", [lambda i=i: corpus.chunks(i) for i in ids])
    yield timed("token signs of 30 chunks", [lambda i=i: corpus.token_vectors(i) for i in ids])
    yield timed("100 library rows", [lambda: corpus.summaries(limit=100)] * 20)
    yield timed("totals", [corpus.totals] * 20)
    yield timed("32 waiting chunks asked for", [lambda: corpus.waiting(32)] * 20)


def printed(report: Report) -> None:
    print(f"{report.chunks:,} chunks of {report.dimension} dimensions, {report.megabytes:,.0f} MB")
    print(f"text stored      {report.store_chunks_per_second:>10,.0f} chunks/s (keyword index included)")
    print(f"vectors stored   {report.embed_rows_per_second:>10,.0f} rows/s    (codes and token signs included)")
    print(f"vec0 filled      {report.vec0_rows_per_second:>10,.0f} rows/s")
    print(f"opened           {report.open_ms:>10.1f} ms, first search {report.first_search_ms:.1f} ms")
    print(f"recall@10        {report.recall_at_10:>10.4f}\n")
    print(f"{'ms per call':<34}{'p50':>9}{'p95':>9}{'CPU p50':>9}")
    for timing in report.timings:
        print(f"{timing.name:<34}{timing.p50:>9.3f}{timing.p95:>9.3f}{timing.cpu_p50:>9.3f}")
    print()
    for name, ratio in report.ratios.items():
        print(f"{name:<52}{ratio:>8.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    count = max(1, options.chunks // CHUNKS_PER_DOCUMENT) * CHUNKS_PER_DOCUMENT
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder:
        report = measure(Path(folder), count, options.dimension, options.queries)
    if options.json:
        print(json.dumps(asdict(report), indent=2))
    else:
        printed(report)


if __name__ == "__main__":
    main()
