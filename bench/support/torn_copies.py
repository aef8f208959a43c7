"""A corpus during writes, copies of its file and write-ahead log at random moments, and the result of opening them.

There are two kinds of copies. The first is the state after a power failure, with both files at one moment and the log cut after flushed
data. The second is the state when a user copies the files of a running program one after the other. Linux.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import struct
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Final

from app.corpus import Corpus
from app.errors import CorpusError
from app.library.records import ChunkIn, DocumentIn, EmbeddingIn
from support.crashing import DIMENSION, HashEmbedder, page_text, version_of

PAGES: Final = 30
LOG_PAGES: Final = 60
"""Pages in the write-ahead log that trigger a checkpoint."""
LONGEST_PAUSE_SECONDS: Final = 0.05
BETWEEN_SECONDS: Final = 0.06
"""Time between the copies of the file and of its log, as for large files."""
STOP_SECONDS: Final = 120.0
START_SECONDS: Final = 400.0
LOG_HEAD: Final = 32
LOG_FRAME: Final = 24 + 8192
IN_THE_FILE: Final = 128
"""Offset in the log's index of the number of frames that a checkpoint has begun to copy. They were flushed before."""
EMBEDDER: Final = HashEmbedder("torn")


class Fate(StrEnum):
    """Result of opening a copy."""

    WHOLE = "opens as an earlier state"
    REFUSED = "refused when opened"
    TOLD = "opens, check reports damage"
    HALF = "OPENS WITH A PARTIAL PAGE"


@dataclass(frozen=True)
class TornCopy:
    """One copy: its method, its bytes, and the result."""

    number: int
    how: str
    file_bytes: int
    log_bytes: int
    fate: Fate
    detail: str


def write_for_ever(path: Path, pipe: Connection) -> None:
    """Run the writing process, which stores pages, each time in another version."""
    corpus = _opened(path)
    writer = corpus._database._writer
    assert writer is not None
    writer.wal_autocheckpoint(LOG_PAGES)
    version = 0
    while True:
        version += 1
        for number in range(PAGES):
            _store(corpus, f"page-{number}", version)
        if version == 2:
            pipe.send("ready")


def torn_copies(folder: Path, count: int, seed: int, context: ForkServerContext) -> Iterator[TornCopy]:
    """Yield copies at random moments, each opened and read."""
    chance = random.Random(seed)
    path = folder / "written" / "corpus.db"
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=write_for_ever, args=(path, sender))
    process.start()
    try:
        if not receiver.poll(START_SECONDS):
            raise RuntimeError("the writer did not start")
        for number in range(count):
            time.sleep(chance.random() * LONGEST_PAUSE_SECONDS)
            copy = folder / f"copy-{number}" / "corpus.db"
            copy.parent.mkdir()
            how = _copied(path, copy, process.pid or 0, chance)
            sizes = [each.stat().st_size if each.exists() else 0 for each in (copy, _log(copy))]
            yield TornCopy(number, how, sizes[0], sizes[1], *fate_of(copy))
            shutil.rmtree(copy.parent)
    finally:
        process.kill()
        process.join()


def _copied(path: Path, copy: Path, pid: int, chance: random.Random) -> str:
    """Copy the file and its log in one of three ways and return its name."""
    how = chance.choice(("log cut", "file first", "log first"))
    pairs = [(path, copy), (_log(path), _log(copy))]
    if how == "log first":
        pairs.reverse()
    if how != "log cut":
        for source, target in pairs:
            if source.exists():
                shutil.copyfile(source, target)
            time.sleep(chance.random() * BETWEEN_SECONDS)
        return how
    with _stopped(pid):
        for source, target in pairs:
            shutil.copyfile(source, target)
        flushed = _flushed_bytes(path)
    size = _log(copy).stat().st_size
    os.truncate(_log(copy), chance.randint(min(flushed, size), size))
    return how


@contextmanager
def _stopped(pid: int) -> Iterator[None]:
    """Stop a process during the block."""
    os.kill(pid, signal.SIGSTOP)
    try:
        deadline = time.monotonic() + STOP_SECONDS
        while "\nState:\tT" not in Path(f"/proc/{pid}/status").read_text(encoding="ascii"):
            if time.monotonic() > deadline:
                raise RuntimeError(f"process {pid} does not stop")
            time.sleep(0.001)
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def _flushed_bytes(path: Path) -> int:
    """Return the part of the log that survives a power failure, because its frames are copied or being copied into the file."""
    index = path.with_name(f"{path.name}-shm").read_bytes()
    (frames,) = struct.unpack_from("=I", index, IN_THE_FILE)
    return LOG_HEAD + int(frames) * LOG_FRAME if frames else 0


def fate_of(copy: Path) -> tuple[Fate, str]:
    """Open a copy as the program does, and read every page."""
    try:
        with closing(_opened(copy)) as corpus:
            problems = [f"{each.check}: {each.detail}" for each in corpus.verify()]
            if problems:
                return Fate.TOLD, problems[0]
            try:
                versions = set(_versions(corpus))
            except ValueError as error:
                return Fate.HALF, str(error)
    except CorpusError as error:
        return Fate.REFUSED, error.message
    return Fate.WHOLE, f"versions {min(versions)} to {max(versions)}" if versions else "empty"


def _versions(corpus: Corpus) -> Iterator[int]:
    for row in corpus.documents.summaries(limit=9_999):
        document = corpus.documents.by_id(row.id)
        if document is None:
            raise ValueError(f"{row.url} has no text")
        yield version_of(row.url.rpartition("/")[2], document.text)


def _opened(path: Path) -> Corpus:
    return Corpus.open(path, dimension=DIMENSION, model=EMBEDDER.card.fingerprint)


def _store(corpus: Corpus, name: str, version: int) -> None:
    text = page_text(name, version, 2 + version % 5)
    chunks, start = [], 0
    for part in text.split("\n\n"):
        chunks.append(ChunkIn(f"{name} {start} {part[:60]}", (), None, part, start, start + len(part), 0, 0, 60))
        start += len(part) + 2
    stored = corpus.documents.store(
        DocumentIn(f"https://torn.example/{name}", name, text, str(version), "web", tuple(chunks), last_crawled=1.0)
    )
    made = [(chunk_id, EMBEDDER.embed_passage(f"{name} {version} {chunk_id}")) for chunk_id in stored.new_chunk_ids]
    corpus.vectors.store([EmbeddingIn(chunk_id, each.vector, each.token_bits) for chunk_id, each in made])


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")
