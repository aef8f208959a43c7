"""Time of the store of a shared library for a question: wall clock, and CPU time of this process and of the server."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from app import caps
from app.errors import CorpusBusyError
from app.library.records import EmbeddingIn
from app.library.scope import EVERYTHING, Filter
from app.pg.library import PgLibrary
from app.pg.sessions import Rights
from app.text.terms import expanded_terms
from support.made_corpus import Matrix, document
from support.report import Report, Row, median, percentile

ROUND: Final = 32
"""Calls of a single client. Of many clients, each makes CALLS_OF_MANY."""
CALLS_OF_MANY: Final = 4
MANY: Final = 32
AGAIN: Final = 2
"""Repetitions of the first questions of many clients."""
FEW_DOCUMENTS: Final = 20
FETCHED: Final = 100
STORED_CHUNKS: Final = 40
TOKENS_PER_CHUNK: Final = 160


@dataclass(frozen=True)
class Reads:
    """A library with questions. `server` is the database process if known, `clients` ask at the same time, `written` returns the bytes of
    its write-ahead log.
    """

    library: PgLibrary
    questions: Sequence[str]
    server: int | None = None
    clients: int = MANY
    written: Callable[[], int] = int

    def measure(self, report: Report) -> None:
        """Add one row for each kind of call, with the goal for 300,000 passages on an idle machine with two processors."""
        chance = np.random.default_rng(2026)
        dimension = self.library.model.dimension
        vectors = chance.normal(size=(len(self.questions), dimension)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        pages = [row.id for row in self.library.documents.summaries(limit=1_000)]
        few = Filter(document_ids=tuple(int(each) for each in chance.permutation(pages)[:FEW_DOCUMENTS]))
        # A single client asks other questions than many clients, to show the cost of the first time.
        different = {question: place for place, question in enumerate(self.questions)}.values()
        hybrid = [partial(self._hybrid, EVERYTHING, place, vectors[place]) for place in different]
        alone, together = hybrid[-ROUND:], hybrid[: self.clients * CALLS_OF_MANY]
        several = [search() for search in alone]
        rows: list[tuple[str, int, Sequence[Callable[[], object]], str]] = [
            ("hybrid search, 1 client", 1, alone, "≤ 60"),
            (f"hybrid search, {self.clients} clients, first time", self.clients, together, "≤ 400"),
            *[(f"hybrid search, {self.clients} clients, again", self.clients, together, "≤ 400")] * AGAIN,
            (f"the same in {FEW_DOCUMENTS} pages", 1, self._each(self._hybrid, few, vectors), "≤ 30"),
            (
                f"{FETCHED} passages with token vectors",
                1,
                [partial(self._fetch, ids) for ids in several if ids],
                "≤ 60",
            ),
            (
                f"a page of {STORED_CHUNKS} passages stored",
                1,
                [partial(self._store, n) for n in range(ROUND // 2)],
                "≤ 600",
            ),
        ]
        assert any(several) or not pages
        for what, clients, calls, goal in rows:
            if calls:
                report.add({"what": what, **self._timed(calls, clients), "goal p95": goal})

    def _each(self, search: Callable[..., object], filter: Filter, vectors: Matrix) -> list[Callable[[], object]]:
        return [partial(search, filter, place, vector) for place, vector in enumerate(vectors)]

    def _hybrid(self, filter: Filter, place: int, vector: Matrix) -> list[int]:
        terms, most = expanded_terms(self.questions[place]), caps.CANDIDATES_PER_RETRIEVER
        by_words, by_meaning = self.library.candidates(terms, vector, filter=filter, k=most)
        return list(dict.fromkeys(hit.chunk_id for pair in zip(by_words, by_meaning, strict=False) for hit in pair))

    def _fetch(self, ids: Sequence[int]) -> None:
        self.library.fetch(ids[:FETCHED], signs=True)

    def _store(self, number: int) -> None:
        chance = np.random.default_rng(number)
        parts = [
            f"{place} " + " ".join(self.questions[int(each)] for each in chance.integers(0, len(self.questions), 12))
            for place in range(STORED_CHUNKS)
        ]
        ids = self.library.documents.store(
            document(f"https://stored.example/{os.getpid()}/{number}", parts)
        ).new_chunk_ids
        dimension = self.library.model.dimension
        made = chance.normal(size=(len(ids), dimension)).astype(np.float32)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        signs = chance.integers(0, 256, (TOKENS_PER_CHUNK, dimension // 8), np.uint8)
        self.library.vectors.store([EmbeddingIn(*row, signs) for row in zip(ids, made, strict=True)])

    def _timed(self, calls: Sequence[Callable[[], object]], clients: int) -> Row:
        """Let each client make its calls in turn."""
        calls[0]()
        ms: list[float] = []
        refused = 0
        lock = threading.Lock()

        def client(number: int) -> None:
            nonlocal refused
            for turn in range(CALLS_OF_MANY if clients > 1 else min(ROUND, len(calls))):
                began = time.perf_counter()
                try:
                    calls[(number * CALLS_OF_MANY + turn) % len(calls)]()
                except CorpusBusyError:
                    with lock:
                        refused += 1
                else:
                    with lock:
                        ms.append(1e3 * (time.perf_counter() - began))

        log = self.written()
        own, theirs, began = time.process_time(), self._server_seconds(), time.perf_counter()
        with ThreadPoolExecutor(clients) as threads:
            list(threads.map(client, range(clients)))
        seconds, count = time.perf_counter() - began, max(1, len(ms))
        return {
            "calls": len(ms),
            "p50 ms": median(ms or [0.0]),
            "p95 ms": percentile(ms or [0.0], 0.95),
            "a second": len(ms) / seconds,
            "refused": refused,
            "processor here ms": 1e3 * (time.process_time() - own) / count,
            "processor of server ms": 1e3 * (self._server_seconds() - theirs) / count,
            "WAL kB": (self.written() - log) / 1e3 / count,
        }

    def _server_seconds(self) -> float:
        return server_seconds(self.server) if self.server is not None else 0.0


def within_all(library: PgLibrary) -> PgLibrary:
    """Return the library with all rights."""
    ids = tuple(library.collections().values())
    return library.within(Rights(ids, ids))


def server_seconds(first: int) -> float:
    """Return the CPU time of all processes of a server, including finished ones. Linux only, otherwise 0."""
    pids = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    others = [fields for pid in pids if (fields := _fields(pid)) and fields[1] == str(first)]
    ended = _fields(first)[13:15]
    return (sum(map(int, ended)) + sum(sum(map(int, fields[11:13])) for fields in others)) / os.sysconf("SC_CLK_TCK")


def processor_seconds(pid: int) -> float:
    """Return the CPU time of a process."""
    return sum(map(int, _fields(pid)[11:13])) / os.sysconf("SC_CLK_TCK")


def _fields(pid: int) -> list[str]:
    """Return the fields of a process from its state on, or an empty list after its end."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return []
