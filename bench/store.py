"""The corpus with plain baselines in the same run: a numpy float32 scan and a sqlite-vec vec0 table.

    python bench/store.py --chunks N [--dimension 384] [--queries 200] [--folder DIR] [--no-baseline] [--askers N] [--json [FILE]]

Uses the data of `support/made_corpus.py`; with --folder, they are created there once and reused. Times are of one thread, except
`kb.search` and memory. Those are of the whole engine over the same file in its own process, with the guide and its model for the questions,
and are left out for other dimensions than the model's. Backup and compacting run in a thread during searches; "max" is the longest of these
searches. A million chunks take 12 GB, temporarily three times that, and about twenty minutes to create.

With --askers, the bench only measures this number of threads. Each asks ASKED times what a question needs from the corpus, in turn through
the fair queue of readers and the pool before it, on the same file. In that pool of four readers, the thread that wakes first reads next,
and calls fail after ten seconds.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import asyncio
import contextlib
import multiprocessing
import queue
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import apsw
import numpy as np
import sqlite_vec

from app import caps
from app.corpus import Corpus
from app.corpus.read_queue import ReadQueue
from app.embed.onnx import OnnxEmbedder
from app.engine import Engine
from app.errors import CorpusBusyError
from app.events import EventBus
from app.kb.records import Asking, Mode, SearchRequest
from app.library.scope import Filter
from app.paths import assets_dir, corpus_file
from app.secrets import SecretStore
from app.settings import Settings
from support.application import memory_mb
from support.made_corpus import (
    CHUNKS_PER_DOCUMENT,
    SEED,
    SITES,
    Matrix,
    make_vectors,
    nearest,
    store_texts,
    store_vectors,
    word_queries,
)
from support.report import Json, Report, add_json, median, percentile

OTHER_MODEL: Final = "bench"
SLOW_QUERIES: Final = 30
LARGE: Final = 100_000
"""Number of chunks from which a baseline runs only a third as often."""
KB_QUERIES: Final = 50
KB_RESULTS: Final = 5
K: Final = 10
ASKED: Final = 4
"""Questions per thread."""
ROUNDS: Final = 2
OLD_READERS: Final = 4
OLD_WAIT_SECONDS: Final = 10.0
GOAL_SIZES: Final = (10_000, 100_000, 1_000_000)
MEMORY_GOAL_MB: Final = 600
OPEN_GOAL_MS: Final = 2_000
BLOCKED_GOAL_MS: Final = 250
"""A search that takes longer during a backup or compacting counts as blocked."""


@dataclass(frozen=True)
class Timing:
    """Milliseconds of each call, wall clock and CPU."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]


def fill_vec0(path: Path, base: Matrix) -> tuple[apsw.Connection, float]:
    """Fill a sqlite-vec table with the document as a metadata column. Returns it and the rows per second."""
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


def timed(calls: Sequence[Callable[[], object]]) -> Timing:
    """Run each call once, after a warm-up call."""
    calls[0]()
    wall, cpu = [], []
    for call in calls:
        began, began_cpu = time.perf_counter(), time.process_time()
        call()
        wall.append(1e3 * (time.perf_counter() - began))
        cpu.append(1e3 * (time.process_time() - began_cpu))
    return Timing(tuple(wall), tuple(cpu))


def once(call: Callable[[], object]) -> float:
    """Return the milliseconds of one call."""
    began = time.perf_counter()
    call()
    return 1e3 * (time.perf_counter() - began)


def recall(corpus: Corpus, base: Matrix, asked: Matrix) -> float:
    """Return the share of the ten exact neighbors that the corpus finds."""
    found = sum(
        len({hit.chunk_id for hit in corpus.vectors.nearest(query, k=K)} & set(nearest(base, query, K)))
        for query in asked
    )
    return found / (K * len(asked))


def goal(count: int, *by_size: float) -> str:
    """Return the goal for this size. `by_size` contains those for GOAL_SIZES, if any."""
    return next((f"≤ {most:g}" for size, most in zip(GOAL_SIZES, by_size, strict=False) if count <= size), "")


class Table:
    """Rows of the report. Floats are rounded for reading, but not in JSON."""

    def __init__(self, title: str, *, as_json: Json) -> None:
        self.report = Report(title, as_json=as_json)
        self._as_json = as_json is True

    def fact(self, what: str, value: float, goal: str = "") -> None:
        shown = f"{value:,.1f}" if value > 10 else f"{value:.4f}"
        self.report.add({"what": what, "value": value if self._as_json else shown, "goal": goal})

    def timing(self, what: str, took: Timing, *, goal: str = "", beside: dict[str, Timing] | None = None) -> None:
        p50 = median(took.wall)
        figures = {"p50 ms": p50, "p95 ms": percentile(took.wall, 0.95), "CPU p50 ms": median(took.cpu)}
        ratios = {f"/ {name}": p50 / median(other.wall) for name, other in (beside or {}).items()}
        self.figures(what, {**figures, "max ms": max(took.wall), "goal": goal, **ratios})

    def figures(self, what: str, values: dict[str, float | str]) -> None:
        shown = values.items() if self._as_json else ((name, _rounded(value)) for name, value in values.items())
        self.report.add({"what": what, **dict(shown)})


def _rounded(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.3f}"


def measure_vectors(table: Table, corpus: Corpus, base: Matrix, asked: Matrix, vec0: apsw.Connection | None) -> None:
    """Measure the nearest chunks in the corpus, in one document and in a site, with numpy and vec0."""
    some = asked[: SLOW_QUERIES if len(base) < LARGE else SLOW_QUERIES // 3]
    document_count = len(base) // CHUNKS_PER_DOCUMENT
    pages = [Filter(document_ids=(37 * place % document_count + 1,)) for place in range(len(asked))]
    site = Filter(url_prefix="https://site7.example/")
    everywhere = "SELECT chunk_id FROM v WHERE embedding MATCH ? AND k = 10"
    whole: dict[str, Timing] = {}
    filtered: dict[str, Timing] = {}
    if vec0 is not None:

        def in_vec0(con: apsw.Connection, query: Matrix) -> object:
            return con.execute(everywhere, (query,)).fetchall()

        def in_vec0_document(con: apsw.Connection, query: Matrix, page: Filter) -> object:
            return con.execute(everywhere + " AND document = ?", (query, page.document_ids[0])).fetchall()

        whole["numpy"] = timed([partial(nearest, base, query, K) for query in some])
        table.timing("baseline: numpy float32 scan", whole["numpy"])
        whole["vec0"] = timed([partial(in_vec0, vec0, query) for query in some])
        table.timing("baseline: vec0", whole["vec0"])
        in_page = zip(some, pages, strict=False)
        filtered["vec0"] = timed([partial(in_vec0_document, vec0, *pair) for pair in in_page])
        table.timing("baseline: vec0, one document", filtered["vec0"])
    search = timed([partial(corpus.vectors.nearest, query, k=K) for query in asked])
    table.timing("vector search", search, goal=goal(len(base), 2, 5, 30), beside=whole)
    scoped = timed(
        [partial(corpus.vectors.nearest, query, filter=page, k=K) for query, page in zip(asked, pages, strict=True)]
    )
    table.timing("vector search in one document", scoped, goal="≤ 0.3", beside=filtered)
    in_site = timed([partial(corpus.vectors.nearest, query, filter=site, k=K) for query in asked])
    table.timing(f"vector search in a site, 1/{SITES}", in_site, goal=goal(len(base), 2, 5, 30))


def measure_words(table: Table, corpus: Corpus, rng: np.random.Generator, asked: Matrix) -> None:
    """Measure keyword search, and keyword with vector search as a query needs them."""
    queries = word_queries(rng, len(asked))
    page = Filter(document_ids=(7,))

    def both(words: list[str], query: Matrix) -> object:
        return corpus.chunks.lexical(words, k=100), corpus.vectors.nearest(query, k=100)

    by_words = timed([partial(corpus.chunks.lexical, words, k=100) for words in queries])
    table.timing("keyword search, any of 5 words", by_words, goal=goal(corpus.totals().chunks, 5, 15, 30))
    scoped = timed([partial(corpus.chunks.lexical, words, filter=page, k=100) for words in queries])
    table.timing("keyword search in one document", scoped)
    table.timing("word frequencies", timed([partial(corpus.chunks.document_frequencies, w) for w in queries]))
    hybrid = timed([partial(both, *pair) for pair in zip(queries, asked, strict=True)])
    table.timing("both searches, 100 hits each", hybrid, goal=goal(corpus.totals().chunks, 8, 20, 60))


def measure_reads(table: Table, corpus: Corpus, asked: Matrix) -> None:
    """Measure the reads after a search and in the window."""
    found = [[hit.chunk_id for hit in corpus.vectors.nearest(query, k=30)] for query in asked]
    table.timing("30 chunks", timed([partial(corpus.chunks.by_ids, ids) for ids in found]))
    table.timing("token vectors of 30 chunks", timed([partial(corpus.vectors.token_vectors, ids) for ids in found]))
    table.timing("100 rows of the library", timed([partial(corpus.documents.summaries, limit=100)] * SLOW_QUERIES))
    table.timing("totals", timed([corpus.totals] * SLOW_QUERIES))
    table.timing("chunks not embedded yet", timed([partial(corpus.vectors.waiting, 32)] * SLOW_QUERIES))


def measure_beside(table: Table, what: str, work: Callable[[], object], corpus: Corpus, asked: Matrix) -> None:
    """Run long work on the file in a thread and measure searches during it."""
    seconds: list[float] = []
    thread = threading.Thread(target=lambda: seconds.append(once(work) / 1e3))
    words = word_queries(np.random.default_rng(SEED), len(asked))
    by_meaning: list[float] = []
    by_words: list[float] = []
    thread.start()
    while thread.is_alive() or not by_words:
        place = len(by_words) % len(asked)
        by_meaning.append(once(partial(corpus.vectors.nearest, asked[place], k=K)))
        by_words.append(once(partial(corpus.chunks.lexical, words[place], k=K)))
    thread.join()
    if not seconds:
        raise RuntimeError(f"{what} failed.")
    table.fact(f"{what}, s", seconds[0])
    for search, times in (("vector search", by_meaning), ("keyword search", by_words)):
        figures = {"p50 ms": median(times), "p95 ms": percentile(times, 0.95), "max ms": max(times)}
        blocked = f"max ≤ {BLOCKED_GOAL_MS:g}"
        table.figures(f"{search} during it, {len(times)} of them", {**figures, "goal": blocked})


@dataclass(frozen=True)
class EngineFigures:
    """Figures of the whole engine in its own process: memory in MB by step, times by kind of search."""

    memory: dict[str, float]
    opened_ms: float
    times: dict[str, Timing]


def engine_figures(folder: Path) -> EngineFigures:
    """In a child process, start the engine over the file, search, and measure the memory."""
    return asyncio.run(_engine_figures(folder))


async def _engine_figures(folder: Path) -> EngineFigures:
    rng, times = np.random.default_rng(SEED + 1), {}
    memory = {"program loaded": memory_mb(os.getpid())}
    engine = Engine(Settings(data_dir=folder), SecretStore(), EventBus())
    began = time.perf_counter()
    await engine.start(background=False)
    opened = 1e3 * (time.perf_counter() - began)
    try:
        memory["engine started"] = memory_mb(os.getpid())
        await until_complete(engine)
        memory["guide stored"] = memory_mb(os.getpid())
        for mode in (Mode.VECTOR_ONLY, Mode.AUTO):
            questions = [" ".join(words) for words in word_queries(rng, KB_QUERIES + 1)]
            times[mode.value] = await timed_searches(engine, questions, mode)
        memory["after the searches"] = memory_mb(os.getpid())
        memory["peak"] = highest_mb()
    finally:
        await engine.stop()
    return EngineFigures(memory, opened, times)


def highest_mb() -> float:
    """Return the peak resident memory of this process (Linux)."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))


def measure_engine(table: Table, folder: Path, count: int) -> None:
    """Measure `kb.search` in the engine when everything is embedded, and the memory of the process."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(engine_figures, folder).result()
    table.fact("engine started, ms", found.opened_ms, f"≤ {OPEN_GOAL_MS}")
    for mode, took in found.times.items():
        table.timing(f"kb.search, {mode}", took, goal=goal(count, 150, 150, 300))
    for step, megabytes in found.memory.items():
        table.fact(f"memory, {step}, MB", megabytes, f"≤ {MEMORY_GOAL_MB}")


async def until_complete(engine: Engine) -> None:
    """Wait until everything is embedded."""
    while engine._corpus.vectors.count_waiting() or engine._corpus.graph.count_waiting():  # noqa: ASYNC110 (worker threads)
        await asyncio.sleep(0.2)


async def timed_searches(engine: Engine, questions: Sequence[str], mode: Mode) -> Timing:
    """Ask each question once, after a warm-up question."""
    wall, cpu = [], []
    for question in questions:
        began, began_cpu = time.perf_counter(), time.process_time()
        page = await engine.kb.search(Asking("bench"), SearchRequest(question, KB_RESULTS, KB_RESULTS, mode=mode))
        wall.append(1e3 * (time.perf_counter() - began))
        cpu.append(1e3 * (time.process_time() - began_cpu))
        if not page.results:
            raise RuntimeError(f"Nothing was found for {question!r}.")
    return Timing(tuple(wall[1:]), tuple(cpu[1:]))


class UnfairPool(ReadQueue):
    """The earlier pool of readers, without fairness: a new call can overtake waiting ones."""

    def __init__(self) -> None:
        super().__init__(OLD_READERS)
        self._places: queue.LifoQueue[None] = queue.LifoQueue()
        for _ in range(OLD_READERS):
            self._places.put(None)

    @property
    def busy(self) -> int:
        return OLD_READERS - self._places.qsize()

    def enter(self, asker: int, *, is_background: bool, seconds: float) -> None:
        try:
            self._places.get(timeout=OLD_WAIT_SECONDS)
        except queue.Empty:
            raise CorpusBusyError("Too many concurrent reads of the library.") from None

    def leave(self) -> None:
        self._places.put(None)


@dataclass(frozen=True)
class Crowd:
    """Results of concurrent threads: milliseconds of each answered question, refused calls, total CPU time."""

    wall: tuple[float, ...]
    refused: int
    cpu_ms: float


def crowd(corpus: Corpus, readers: ReadQueue, words: Sequence[list[str]], asked: Matrix, askers: int) -> Crowd:
    """Let all threads ask at the same time through these readers."""
    corpus._database._queue = readers
    together, times, refused = threading.Barrier(askers), list[float](), list[int]()

    def ask(number: int) -> None:
        together.wait()
        for turn in range(ASKED):
            place = (number * ASKED + turn) % len(asked)
            began = time.perf_counter()
            try:
                corpus.chunks.lexical(words[place], k=100)
                found = [hit.chunk_id for hit in corpus.vectors.nearest(asked[place], k=100)]
                corpus.chunks.by_ids(found)
                corpus.vectors.token_vectors(found)
            except CorpusBusyError:
                refused.append(place)
            else:
                times.append(1e3 * (time.perf_counter() - began))

    before = time.process_time()
    with ThreadPoolExecutor(askers) as threads:
        list(threads.map(ask, range(askers)))
    return Crowd(tuple(times), len(refused), 1e3 * (time.process_time() - before))


def measure_askers(table: Table, folder: Path, count: int, dimension: int, queries: int, askers: int) -> None:
    """Measure many concurrent questions, with the earlier pool of readers."""
    base, asked = make_vectors(folder, count, queries, dimension)
    name = model_for(dimension) or OTHER_MODEL
    make(table, folder, name, base)
    corpus = Corpus.open(corpus_file(folder), dimension=dimension, model=name)
    words = word_queries(np.random.default_rng(SEED), len(asked))
    ways: dict[str, Callable[[], ReadQueue]] = {
        f"before: {OLD_READERS} readers, wait of {OLD_WAIT_SECONDS:g} s": UnfairPool,
        f"fair queue, {caps.READER_CONNECTIONS} readers": lambda: ReadQueue(caps.READER_CONNECTIONS),
    }
    try:
        crowd(corpus, ReadQueue(OLD_READERS), words, asked, 2)
        rounds = [
            {what: crowd(corpus, made(), words, asked, askers) for what, made in ways.items()} for _ in range(ROUNDS)
        ]
    finally:
        corpus.close()
    for what in ways:
        told = [each[what] for each in rounds]
        wall = sorted(ms for each in told for ms in each.wall) or [0.0]
        refused, total = sum(each.refused for each in told), ROUNDS * ASKED * askers
        times: dict[str, float | str] = {"p50 ms": median(wall), "p95 ms": percentile(wall, 0.95), "max ms": max(wall)}
        times["CPU ms per question"] = sum(each.cpu_ms for each in told) / total
        row = {"questions": str(total), "refused": str(refused), **times, "goal": "none refused"}
        table.figures(f"{askers} concurrent askers, {what}", row)


def model_for(dimension: int) -> str:
    """Return the name of the model for the vectors: the bundled one if it has this dimension."""
    embedder = OnnxEmbedder(assets_dir() / "model")
    card = embedder.card
    embedder.close()
    return card.fingerprint if card.dimension == dimension else ""


def make(table: Table, folder: Path, model: str, base: Matrix) -> None:
    """Store texts and vectors, unless an earlier run left a file of this size."""
    corpus = Corpus.open(corpus_file(folder), dimension=base.shape[1], model=model)
    try:
        if corpus.vectors.last_change() < len(base):
            ids, chunks_per_second = store_texts(corpus, len(base))
            table.fact("text stored and indexed, chunks/s", chunks_per_second)
            table.fact("vectors, codes and 1-bit token vectors stored, rows/s", store_vectors(corpus, ids, base))
        while corpus.graph.fill(CHUNKS_PER_DOCUMENT):
            pass
    finally:
        corpus.close()


@contextlib.contextmanager
def vec0_over(table: Table, folder: Path, base: Matrix) -> Iterator[apsw.Connection]:
    """Fill the baseline with the same vectors."""
    path = folder / "vec0.db"
    path.unlink(missing_ok=True)
    con, rows_per_second = fill_vec0(path, base)
    table.fact("baseline: vec0 filled in one transaction, rows/s", rows_per_second)
    try:
        yield con
    finally:
        con.close()
        path.unlink()


def measure(table: Table, folder: Path, count: int, dimension: int, queries: int, *, has_baseline: bool) -> None:
    base, asked = make_vectors(folder, count, queries, dimension)
    model = model_for(dimension)
    name, path = model or OTHER_MODEL, corpus_file(folder)
    make(table, folder, name, base)
    table.fact("file, MB", path.stat().st_size / 1e6)
    opened = once(lambda: Corpus.open(path, dimension=dimension, model=name).close())
    table.fact("open, ms", opened, f"≤ {OPEN_GOAL_MS}")
    with contextlib.ExitStack() as stack:
        corpus = Corpus.open(path, dimension=dimension, model=name)
        stack.callback(corpus.close)
        first = once(lambda: corpus.vectors.nearest(asked[0], k=K))
        table.fact("first vector search, codes loaded, ms", first, f"≤ {OPEN_GOAL_MS}")
        table.fact("recall@10", recall(corpus, base, asked), "≥ 0.98")
        vec0 = stack.enter_context(vec0_over(table, folder, base)) if has_baseline else None
        measure_vectors(table, corpus, base, asked, vec0)
        measure_words(table, corpus, np.random.default_rng(SEED), asked)
        measure_reads(table, corpus, asked)
        copy = folder / "backup.db"
        copy.unlink(missing_ok=True)
        measure_beside(table, "backup", partial(corpus.backup, copy), corpus, asked)
        copy.unlink()
        measure_beside(table, "compact", corpus.compact, corpus, asked)
    if model:
        measure_engine(table, folder, count)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=10_000)
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--folder", type=Path, help="create the data here and keep them for the next run")
    parser.add_argument(
        "--askers", type=int, default=0, metavar="N", help="only measure this number of concurrent askers"
    )
    parser.add_argument("--no-baseline", action="store_true", help="skip numpy and vec0")
    add_json(parser)
    options = parser.parse_args()
    count = max(1, options.chunks // CHUNKS_PER_DOCUMENT) * CHUNKS_PER_DOCUMENT
    table = Table(f"Corpus of {count:,} chunks, {options.dimension} dimensions", as_json=options.json)
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as made:
        folder = options.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        size = (count, options.dimension, options.queries)
        if options.askers:
            measure_askers(table, folder, *size, options.askers)
        else:
            measure(table, folder, *size, has_baseline=not options.no_baseline)
    table.report.end()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
