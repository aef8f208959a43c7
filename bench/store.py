"""The corpus beside plain baselines in the same run: a numpy float32 scan and a sqlite-vec vec0 table.

    python bench/store.py --chunks N [--dimension 384] [--queries 200] [--json]

Data are made from a fixed seed: documents of 20 chunks, words after Zipf's law, token signs of random bits.
The vectors lie in wide topics on a curved surface of few dimensions and are about as hard for sign codes as
MiniLM's of documentation: among 10,000, the 400 best codes hold 0.999 of the ten nearest, the 200 best 0.99
(MiniLM: 0.998 and 0.994). Times are of one thread, but for `kb.search`: that is the whole engine over the same
file, with the guide and its model for the questions, and is left out for other dimensions than the model's.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import asyncio
import hashlib
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import apsw
import numpy as np
import sqlite_vec
from numpy.typing import NDArray

from app.corpus import Corpus
from app.corpus.records import ChunkIn, DocumentIn, EmbeddingIn, Filter
from app.embed.onnx import OnnxEmbedder
from app.engine import Engine
from app.events import EventBus
from app.kb.records import Asking, Mode, SearchRequest
from app.paths import assets_dir, corpus_file
from app.secrets import SecretStore
from app.settings import Settings
from support.report import Row, median, percentile, print_report

SEED = 2026
OTHER_MODEL = "bench"
CHUNKS_PER_DOCUMENT = 20
WORDS_PER_CHUNK = 110
TOKENS_PER_CHUNK = 160
VOCABULARY = 30_000
STOP_WORDS = 150
FREQUENT_WORDS = 5_000
WORDS_PER_QUERY = 5
SITES = 50
LATENT = 32
CHUNKS_PER_TOPIC = 20_000
EMBEDDING_BATCH = 64
SLOW_QUERIES = 30
KB_QUERIES = 50
KB_RESULTS = 5
K = 10

Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Timing:
    """Milliseconds of each call, by the clock and by the processor."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]


def vectors(rng: np.random.Generator, count: int, dimension: int) -> Matrix:
    """Unit vectors as the module's description says."""
    topics = rng.normal(size=(max(1, count // CHUNKS_PER_TOPIC), LATENT))
    latent = topics[rng.integers(len(topics), size=count)] + rng.normal(size=(count, LATENT))
    bend, spread = rng.normal(size=(LATENT, 2 * LATENT)), rng.normal(size=(2 * LATENT, dimension))
    made = np.tanh(latent @ bend / np.sqrt(LATENT)) @ spread / np.sqrt(2 * LATENT)
    made += 0.15 * rng.normal(size=made.shape)
    unit: Matrix = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
    return unit


def documents(rng: np.random.Generator, count: int) -> Iterator[DocumentIn]:
    """`count` documents of made-up words."""
    words = np.array([f"w{rank:x}" for rank in range(VOCABULARY)])
    shares = 1 / np.arange(1, VOCABULARY + 1)
    for number in range(count):
        ranks = rng.choice(VOCABULARY, size=(CHUNKS_PER_DOCUMENT, WORDS_PER_CHUNK), p=shares / shares.sum())
        parts = [" ".join(words[row]) for row in ranks]
        yield document(f"https://site{number % SITES}.example/page/{number}", parts)


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
    return DocumentIn(url, f"Page {url[-5:]}", text, content_hash, "web", tuple(chunks))


def store_texts(corpus: Corpus, rng: np.random.Generator, count: int) -> tuple[list[int], float]:
    """Ids of the chunks stored, and chunks a second."""
    ids: list[int] = []
    seconds = 0.0
    for each in documents(rng, count // CHUNKS_PER_DOCUMENT):
        began = time.perf_counter()
        ids.extend(corpus.documents.store(each).new_chunk_ids)
        seconds += time.perf_counter() - began
    return ids, len(ids) / seconds


def store_vectors(corpus: Corpus, rng: np.random.Generator, ids: Sequence[int], base: Matrix) -> float:
    """Rows a second."""
    signs = rng.integers(0, 256, (EMBEDDING_BATCH, TOKENS_PER_CHUNK, base.shape[1] // 8), np.uint8)
    began = time.perf_counter()
    for start in range(0, len(ids), EMBEDDING_BATCH):
        batch = zip(ids[start : start + EMBEDDING_BATCH], base[start:], signs, strict=False)
        corpus.vectors.store([EmbeddingIn(*row) for row in batch])
    return len(ids) / (time.perf_counter() - began)


def fill_vec0(path: Path, base: Matrix) -> tuple[apsw.Connection, float]:
    """What sqlite-vec itself offers, with the document as a metadata column; and rows a second."""
    con = apsw.Connection(str(path))
    con.enable_load_extension(True)
    con.load_extension(sqlite_vec.loadable_path())
    con.pragma("journal_mode", "wal")
    con.pragma("synchronous", "normal")
    con.execute(
        "CREATE VIRTUAL TABLE v USING vec0(chunk_id INTEGER PRIMARY KEY, document INTEGER,"
        f" embedding FLOAT[{base.shape[1]}] distance_metric=cosine)"
    )
    rows = ((place + 1, place // CHUNKS_PER_DOCUMENT + 1, row) for place, row in enumerate(base))
    began = time.perf_counter()
    con.execute("BEGIN")
    con.executemany("INSERT INTO v VALUES(?, ?, ?)", rows)
    con.execute("COMMIT")
    return con, len(base) / (time.perf_counter() - began)


def scan(base: Matrix, query: Matrix) -> list[int]:
    """Chunk ids nearest to the query, by comparing all rows with numpy."""
    scores = base @ query
    best = np.argpartition(scores, -K)[-K:]
    return [int(place) + 1 for place in best[np.argsort(-scores[best])]]


def timed(calls: Sequence[Callable[[], object]]) -> Timing:
    """Each call once, after one that does not count."""
    calls[0]()
    wall, cpu = [], []
    for call in calls:
        began, began_cpu = time.perf_counter(), time.process_time()
        call()
        wall.append(1e3 * (time.perf_counter() - began))
        cpu.append(1e3 * (time.process_time() - began_cpu))
    return Timing(tuple(wall), tuple(cpu))


def once(call: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    began = time.perf_counter()
    call()
    return 1e3 * (time.perf_counter() - began)


def recall(corpus: Corpus, base: Matrix, asked: Matrix) -> float:
    """The share of the exact ten nearest that the corpus finds."""
    found = sum(len({hit.chunk_id for hit in corpus.vectors.nearest(q, k=K)} & set(scan(base, q))) for q in asked)
    return found / (K * len(asked))


def goal(count: int, *by_size: float) -> str:
    """The goal for this size: by_size holds those for 10k, 100k and 1M chunks."""
    for size, milliseconds in zip((10_000, 100_000, 1_000_000), by_size, strict=True):
        if count <= size:
            return f"≤ {milliseconds:g}"
    return ""


class Table:
    """Rows of the report; floats are rounded for reading, not for JSON."""

    def __init__(self, *, as_json: bool) -> None:
        self.rows: list[Row] = []
        self._as_json = as_json

    def fact(self, what: str, value: float) -> None:
        self.rows.append(
            {
                "what": what,
                "value": value if self._as_json else f"{value:,.1f}" if value > 10 else f"{value:.4f}",
            }
        )

    def timing(self, what: str, took: Timing, *, goal: str = "", beside: dict[str, Timing] | None = None) -> None:
        p50 = median(took.wall)
        figures = {"p50 ms": p50, "p95 ms": percentile(took.wall, 0.95), "CPU p50 ms": median(took.cpu)}
        ratios = {f"/ {name}": p50 / median(other.wall) for name, other in (beside or {}).items()}
        values = figures | ratios
        shown = values if self._as_json else {name: f"{value:.3f}" for name, value in values.items()}
        self.rows.append({"what": what, **shown, "goal": goal})


def measure_vectors(table: Table, corpus: Corpus, vec0: apsw.Connection, base: Matrix, asked: Matrix) -> None:
    """Nearest chunks in everything, in one document and in a site, beside numpy and vec0."""
    some, document_count = asked[:SLOW_QUERIES], len(base) // CHUNKS_PER_DOCUMENT
    pages = [Filter(document_ids=(37 * place % document_count + 1,)) for place in range(len(asked))]
    site = Filter(url_prefix="https://site7.example/")
    everywhere = "SELECT chunk_id FROM v WHERE embedding MATCH ? AND k = 10"

    def in_vec0(query: Matrix) -> object:
        return vec0.execute(everywhere, (query,)).fetchall()

    def in_vec0_document(query: Matrix, page: Filter) -> object:
        return vec0.execute(everywhere + " AND document = ?", (query, page.document_ids[0])).fetchall()

    numpy_scan = timed([partial(scan, base, query) for query in some])
    whole = timed([partial(in_vec0, query) for query in some])
    filtered = timed([partial(in_vec0_document, *pair) for pair in zip(some, pages, strict=False)])
    search = timed([partial(corpus.vectors.nearest, query, k=K) for query in asked])
    scoped = timed(
        [partial(corpus.vectors.nearest, query, filter=page, k=K) for query, page in zip(asked, pages, strict=True)]
    )
    beside = {"numpy": numpy_scan, "vec0": whole}
    table.timing("vector search", search, goal=goal(len(base), 2, 5, 30), beside=beside)
    table.timing("vector search in one document", scoped, goal="≤ 0.3", beside={"vec0": filtered})
    in_site = timed([partial(corpus.vectors.nearest, query, filter=site, k=K) for query in asked])
    table.timing(f"vector search in a site, 1/{SITES}", in_site)
    table.timing("baseline: numpy float32 scan", numpy_scan)
    table.timing("baseline: vec0", whole)
    table.timing("baseline: vec0, one document", filtered)


def word_queries(rng: np.random.Generator, count: int) -> list[list[str]]:
    """The words of so many queries."""
    ranks = rng.integers(STOP_WORDS, FREQUENT_WORDS, (count, WORDS_PER_QUERY))
    return [[f"w{rank:x}" for rank in row] for row in ranks]


def measure_words(table: Table, corpus: Corpus, rng: np.random.Generator, asked: Matrix) -> None:
    """Keyword search, and keyword with vector search as a query needs them."""
    queries = word_queries(rng, len(asked))
    page = Filter(document_ids=(7,))

    def both(words: list[str], query: Matrix) -> object:
        return corpus.chunks.lexical(words, k=100), corpus.vectors.nearest(query, k=100)

    table.timing("keyword search, any of 5 words", timed([partial(corpus.chunks.lexical, w, k=100) for w in queries]))
    scoped = timed([partial(corpus.chunks.lexical, words, filter=page, k=100) for words in queries])
    table.timing("keyword search in one document", scoped)
    table.timing("word frequencies", timed([partial(corpus.chunks.document_frequencies, w) for w in queries]))
    hybrid = timed([partial(both, *pair) for pair in zip(queries, asked, strict=True)])
    table.timing("both searches, 100 hits each", hybrid, goal=goal(corpus.totals().chunks, 8, 20, 120))


def measure_reads(table: Table, corpus: Corpus, asked: Matrix) -> None:
    """What follows a search, and what the window asks for."""
    found = [[hit.chunk_id for hit in corpus.vectors.nearest(query, k=30)] for query in asked]
    table.timing("30 chunks", timed([partial(corpus.chunks.by_ids, ids) for ids in found]))
    table.timing("token signs of 30 chunks", timed([partial(corpus.vectors.token_vectors, ids) for ids in found]))
    table.timing("100 rows of the library", timed([partial(corpus.documents.summaries, limit=100)] * SLOW_QUERIES))
    table.timing("totals", timed([corpus.totals] * SLOW_QUERIES))
    table.timing("waiting chunks", timed([partial(corpus.vectors.waiting, 32)] * SLOW_QUERIES))


async def measure_engine(table: Table, folder: Path, rng: np.random.Generator, count: int) -> None:
    """`kb.search` as the engine answers it, when nothing waits: by words and meaning, and with the graph."""
    engine = Engine(Settings(data_dir=folder), SecretStore(), EventBus())
    await engine.start(background=False)
    try:
        await until_complete(engine)
        for mode in (Mode.VECTOR_ONLY, Mode.AUTO):
            questions = [" ".join(words) for words in word_queries(rng, KB_QUERIES + 1)]
            took = await timed_searches(engine, questions, mode)
            table.timing(f"kb.search, {mode}", took, goal=goal(count, 150))
    finally:
        await engine.stop()


async def until_complete(engine: Engine) -> None:
    """Wait until no chunk and no document waits."""
    while engine._corpus.vectors.count_waiting() or engine._corpus.graph.count_waiting():  # noqa: ASYNC110 (worker threads)
        await asyncio.sleep(0.2)


async def timed_searches(engine: Engine, questions: Sequence[str], mode: Mode) -> Timing:
    """Each question once, after one that does not count."""
    wall, cpu = [], []
    for question in questions:
        began, began_cpu = time.perf_counter(), time.process_time()
        page = await engine.kb.search(Asking("bench"), SearchRequest(question, KB_RESULTS, KB_RESULTS, mode=mode))
        wall.append(1e3 * (time.perf_counter() - began))
        cpu.append(1e3 * (time.process_time() - began_cpu))
        if not page.results:
            raise RuntimeError(f"Nothing was found for {question!r}.")
    return Timing(tuple(wall[1:]), tuple(cpu[1:]))


def model_for(dimension: int) -> str:
    """The name under which vectors are stored: that of the bundled model where it has this dimension."""
    embedder = OnnxEmbedder(assets_dir() / "model")
    card = embedder.card
    embedder.close()
    return card.fingerprint if card.dimension == dimension else ""


def measure(table: Table, folder: Path, count: int, dimension: int, queries: int) -> None:
    rng = np.random.default_rng(SEED)
    made = vectors(rng, count + queries, dimension)
    base, asked = made[:count], made[count:]
    path, model = corpus_file(folder), model_for(dimension)
    corpus = Corpus.open(path, dimension=dimension, model=model or OTHER_MODEL)
    ids, chunks_per_second = store_texts(corpus, rng, count)
    table.fact("text stored and indexed, chunks/s", chunks_per_second)
    table.fact("vectors, codes and token signs stored, rows/s", store_vectors(corpus, rng, ids, base))
    corpus.close()
    vec0, rows_per_second = fill_vec0(folder / "vec0.db", base)
    table.fact("baseline: vec0 filled in one transaction, rows/s", rows_per_second)
    table.fact("file, MB", path.stat().st_size / 1e6)
    table.fact("open, ms", once(lambda: Corpus.open(path, dimension=dimension, model=model or OTHER_MODEL).close()))
    corpus = Corpus.open(path, dimension=dimension, model=model or OTHER_MODEL)
    table.fact("first vector search, codes loaded, ms", once(lambda: corpus.vectors.nearest(asked[0], k=K)))
    table.fact("recall@10", recall(corpus, base, asked))
    measure_vectors(table, corpus, vec0, base, asked)
    measure_words(table, corpus, rng, asked)
    measure_reads(table, corpus, asked)
    corpus.close()
    vec0.close()
    if model:
        asyncio.run(measure_engine(table, folder, rng, count))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    count = max(1, options.chunks // CHUNKS_PER_DOCUMENT) * CHUNKS_PER_DOCUMENT
    table = Table(as_json=options.json)
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder:
        measure(table, Path(folder), count, options.dimension, options.queries)
    title = f"Corpus of {count:,} chunks, {options.dimension} dimensions"
    print_report(table.rows, as_json=options.json, title=title)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
