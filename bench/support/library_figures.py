"""Size of a shared library, cost of an import, and recall of its vector index.

CPU time, memory and write-ahead log are measured on a local server with readable files. Linux only, otherwise 0.
"""

from __future__ import annotations

import asyncio
import contextlib
import resource
import subprocess
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import asyncpg
import numpy as np

from app import caps
from app.pg.library import PgLibrary
from support.application import WEBRAG
from support.library_reads import server_seconds
from support.report import Json, Report, Row, median, print_report

LOOK_SECONDS: Final = 0.25
NEAREST: Final = 10
NEAR_QUESTIONS: Final = 50
SMALLEST_SHARE: Final = 0.005
"""Share of the database below which tables and indexes are not listed."""

PASSAGES: Final = "SELECT count(*) FROM webrag.chunks"
SIZE: Final = "SELECT pg_database_size(current_database())"
WRITTEN: Final = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"
SERVER_PROCESS: Final = "SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int"
"""Requires the right to read server files."""
BUILDING: Final = """
SELECT c.relname, p.tuples_done, ARRAY(SELECT a.pid FROM pg_stat_activity a WHERE p.pid IN (a.pid, a.leader_pid)) AS pids
FROM pg_stat_progress_create_index p JOIN pg_class c ON c.oid = p.index_relid
"""
WEIGHTS: Final = """
SELECT relname, relkind::text, CASE relkind WHEN 'r' THEN pg_table_size(oid) ELSE pg_relation_size(oid) END AS bytes
FROM pg_class WHERE relnamespace = 'webrag'::regnamespace AND relkind IN ('r', 'i') ORDER BY bytes DESC
"""
SOME_VECTORS: Final = """
SELECT vector::real[] FROM webrag.embeddings WHERE chunk_id = ANY(
  SELECT (random() * (SELECT max(chunk_id) FROM webrag.embeddings))::bigint FROM generate_series(1, 4 * $1::int)
) LIMIT $1
"""
EXACT: Final = """
SELECT chunk_id FROM webrag.embeddings ORDER BY (vector <=> $1::real[]::halfvec) + 0 LIMIT $2
"""


async def one_value(address: str, query: str) -> int:
    """Return the number from a query."""
    con = await asyncpg.connect(address)
    try:
        return int(await con.fetchval(query))
    finally:
        await con.close()


async def server_process(address: str) -> int | None:
    """Return the first process of a local server, or None if unknown."""
    try:
        return await one_value(address, SERVER_PROCESS)
    except asyncpg.PostgresError:
        return None


def library(action: str, address: str, *more: str) -> float:
    """Run `webrag admin ACTION` and return the seconds."""
    began = time.monotonic()
    command = [str(WEBRAG), "admin", action, *more, "--database", address]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


@dataclass(frozen=True, slots=True)
class Cost:
    """Resources used up to a time: wall clock, CPU of child programs and server, bytes of write-ahead log."""

    clock: float
    programs: float
    server: float
    written: int

    @classmethod
    def now(cls, address: str) -> Cost:
        pid = asyncio.run(server_process(address))
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        written = asyncio.run(one_value(address, WRITTEN))
        theirs = server_seconds(pid) if pid is not None else 0.0
        return cls(time.monotonic(), used.ru_utime + used.ru_stime, theirs, written)


@dataclass(slots=True)
class Build:
    """An index during its build."""

    began: float
    used: float
    seconds: float = 0.0
    processor: float = 0.0
    memory: int = 0
    passages: int = 0


@dataclass(slots=True)
class Builds:
    """Samples the index builds until it is stopped."""

    address: str
    seen: dict[str, Build] = field(default_factory=dict)
    _stopped: threading.Event = field(default_factory=threading.Event)

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        thread = threading.Thread(target=lambda: asyncio.run(self._look()), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stopped.set()
            thread.join()

    async def _look(self) -> None:
        server = await server_process(self.address)
        con = await asyncpg.connect(self.address)
        while not self._stopped.is_set():
            for name, passages, pids in await con.fetch(BUILDING):
                now, used = time.monotonic(), server_seconds(server) if server else 0.0
                build = self.seen.setdefault(name, Build(now, used))
                build.seconds, build.processor = now - build.began, used - build.used
                build.memory = max(build.memory, _memory(pids))
                build.passages = max(build.passages, passages)
            await asyncio.sleep(LOOK_SECONDS)
        await con.close()

    def rows(self) -> Iterator[Row]:
        for name, build in self.seen.items():
            yield {
                "index": name,
                "s": build.seconds,
                "processor s": build.processor,
                "memory GB": round(build.memory / 1e9, 2),
            }


def filled(address: str, file: Path, as_json: Json) -> None:
    """Import a file with the program and report the cost."""
    watch, report = Builds(address), Report("The import", as_json=as_json)
    before = Cost.now(address)
    with watch.watched():
        library("import", address, str(file))
    after, passages = Cost.now(address), asyncio.run(one_value(address, PASSAGES))
    indexes, of_server = (
        sum(each.seconds for each in watch.seen.values()),
        sum(each.processor for each in watch.seen.values()),
    )
    pages = after.clock - before.clock - indexes
    report.add(
        {
            "passages": passages,
            "GB": round(asyncio.run(one_value(address, SIZE)) / 1e9, 2),
            "pages s": pages,
            "passages a second": passages / max(pages, 1e-9),
            "processor here ms": 1e3 * (after.programs - before.programs) / max(1, passages),
            "processor of server ms": 1e3 * (after.server - before.server - of_server) / max(1, passages),
            "WAL kB per passage": (after.written - before.written) / 1e3 / max(1, passages),
            "indexes s": indexes,
        }
    )
    report.end()
    print_report(watch.rows(), as_json=as_json, title="Indexes, built after the pages")


async def weigh(address: str, as_json: Json) -> None:
    """Add a row for each table with its TOAST data, and for each larger index."""
    report = Report("Tables and indexes", as_json=as_json)
    passages, size = await one_value(address, PASSAGES), await one_value(address, SIZE)
    con = await asyncpg.connect(address)
    rows = await con.fetch(WEIGHTS)
    await con.close()
    for name, kind, weight in rows:
        if weight >= SMALLEST_SHARE * size:
            what = "index" if kind == "i" else "table"
            report.add(
                {"what": f"{what} {name}", "GB": round(weight / 1e9, 3), "bytes a passage": weight // max(1, passages)}
            )
    report.end()


async def recall(library: PgLibrary, address: str, as_json: Json) -> None:
    """Measure the recall of semantic search for questions near a passage and for random ones."""
    con = await asyncpg.connect(address)
    try:
        given = [np.array(row[0], np.float32) for row in await con.fetch(SOME_VECTORS, NEAR_QUESTIONS)]
        asked = _moved(given)
        found, by_index = await _timed([partial(asyncio.to_thread, _nearest, library, each) for each in asked])
        exact, by_all = await _timed([partial(_exactly, con, each) for each in asked])
    finally:
        await con.close()
    report = Report("Recall of the vector index", as_json=as_json)
    if asked:
        shares = [len(set(some) & set(all_)) / len(all_) for some, all_ in zip(found, exact, strict=True)]
        report.add(
            {
                "questions": len(asked),
                f"recall@{NEAREST}": f"{np.mean(shares):.3f}",
                "worst": f"{min(shares):.1f}",
                "p50 ms by index": by_index,
                "p50 ms by all": by_all,
            }
        )
    report.end()


def _moved(vectors: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return each vector with the same amount of noise."""
    chance = np.random.default_rng(2026)
    moved = []
    for vector in vectors:
        other = chance.normal(size=vector.shape)
        both = vector / np.linalg.norm(vector) + other / np.linalg.norm(other)
        moved.append((both / np.linalg.norm(both)).astype(np.float32))
    return moved


def _nearest(library: PgLibrary, vector: np.ndarray) -> list[int]:
    hits = library.vectors.nearest(vector, k=caps.CANDIDATES_PER_RETRIEVER)
    return [hit.chunk_id for hit in hits[:NEAREST]]


async def _exactly(con: asyncpg.Connection[Any], vector: np.ndarray) -> list[int]:
    return [row[0] for row in await con.fetch(EXACT, vector.tolist(), NEAREST)]


async def _timed(calls: Sequence[Callable[[], Awaitable[list[int]]]]) -> tuple[list[list[int]], float]:
    """Return the result of each call, and the median of their milliseconds."""
    given, ms = [], [0.0] if not calls else []
    for call in calls:
        began = time.perf_counter()
        given.append(await call())
        ms.append(1e3 * (time.perf_counter() - began))
    return given, median(ms)


def _memory(pids: Sequence[int]) -> int:
    """Return the bytes of these processes: private memory of each, and shared build memory once."""
    own = shared = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            status = Path(f"/proc/{pid}/status").read_text("utf-8")
            own += next((1024 * int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")), 0)
            shared = max(shared, _for_the_build(Path(f"/proc/{pid}/smaps").read_text("utf-8", "replace")))
    return own + shared


def _for_the_build(maps: str) -> int:
    """Return the bytes that a server shares among processes for one statement."""
    total, is_such = 0, False
    for line in maps.splitlines():
        head = line.split(None, 1)[0]
        if "-" in head and not head.endswith(":"):
            is_such = "/PostgreSQL." in line
        elif is_such and head == "Rss:":
            total += 1024 * int(line.split()[1])
    return total
