"""Processes of bench/crash.py: they work on a data folder until they are killed, then start again on the same folder and check it.

Everything uses real parts except the embedder, which creates vectors from hashes, and an invented next migration.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import random
import shutil
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import apsw
import numpy as np

from app.corpus import Corpus, migrations
from app.corpus.restore import prepare, swap
from app.embed.embedder import ModelCard, PassageEmbedding, QueryEmbedding
from app.engine import Engine
from app.errors import WebRAGError
from app.events import EventBus
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.instance import Holding, hold_instance
from app.paths import corpus_file
from app.secrets import SecretStore
from app.settings import load_settings

DIMENSION: Final = 64
PAGES: Final = 140
"""Pages of the template, more than are deleted in one transaction."""
SELECTION: Final = 120
"""Pages that `delete` deletes as one selection."""
SITE_PAGES: Final = 24
SETTLE_SECONDS: Final = 180.0
"""Time for a start to finish the work of the killed process."""
MODELS: Final = ("first", "second")
ALLOWED: Final = ("corpus.db", "corpus.db-wal", "corpus.db-shm", "instance.lock", "logs")
"""Files of a data folder in use. There can also be complete copies of earlier corpora."""


class HashEmbedder:
    """Vectors from hashes of the text and the model's name. Takes some milliseconds per batch, like a model."""

    def __init__(self, name: str, seconds: float = 0.0) -> None:
        self.card = ModelCard(name, "1", DIMENSION, "mean", True, "", "", 512, 0.5, "none", f"hashes {name}")
        self._seconds = seconds

    def count_tokens_batch(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        vector = self.embed_passage(text).vector
        return QueryEmbedding(vector, vector[None], (text,))

    def embed_passage(self, text: str) -> PassageEmbedding:
        digest = hashlib.sha256(f"{self.card.name}|{text}".encode()).digest()
        vector = np.random.default_rng(int.from_bytes(digest[:8], "big")).normal(size=DIMENSION)
        made = (vector / np.linalg.norm(vector)).astype(np.float32)
        return PassageEmbedding(made, np.full((3, DIMENSION // 8), digest[0], np.uint8))

    def embed_passages(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        time.sleep(self._seconds)
        return [self.embed_passage(text) for text in texts]

    def release_memory(self, idle_seconds: float) -> bool:
        """Do nothing."""
        return False

    def make_ready(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


# --- Pages that show whether they are complete ---


def page_text(name: str, version: int, parts: int) -> str:
    """Return a page whose parts all contain the page, the version and the number of parts."""
    body = (f"Part {part} of {parts} of {name} in version {version}: " + "water and oil " * 40 for part in range(parts))
    return f"# {name}\n\n" + "\n\n".join(f"## Section {part}\n\n{text}" for part, text in enumerate(body))


def write_page(folder: Path, number: int, version: int) -> Path:
    """Write a page as a file. Its length depends on its version."""
    path = folder / f"page-{number}.md"
    path.write_text(page_text(path.stem, version, 2 + version % 5), encoding="utf-8")
    return path


def version_of(name: str, text: str) -> int:
    """Return the version of a complete page. Raises ValueError for mixed versions or half a page."""
    marks = [line.split() for line in text.splitlines() if line.startswith("Part ")]
    versions = {int(mark[8].rstrip(":")) for mark in marks}
    counts = {int(mark[3]) for mark in marks}
    named = {mark[5] for mark in marks}
    if len(versions) != 1 or counts != {len(marks)} or named != {name}:
        raise ValueError(f"{name} contains versions {sorted(versions)}, {len(marks)} parts of {sorted(counts)}")
    return versions.pop()


# --- An invented next version of the file ---


def m901_colours(con: apsw.Connection) -> None:
    """Add a column and change every chunk, slowly."""
    con.execute("ALTER TABLE chunks ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'")
    for (chunk_id,) in con.execute("SELECT id FROM chunks").fetchall():
        con.execute("UPDATE chunks SET colour = 'blue' WHERE id = ?", (chunk_id,))
        time.sleep(0.0005)


def use_next_version() -> None:
    """Add the extra migration to this process."""
    migrations.MIGRATIONS = (*migrations.MIGRATIONS, m901_colours)  # type: ignore[misc]


# --- Work that is killed ---


@dataclass(frozen=True)
class Place:
    """A data folder of a round with the files next to it, and the crawled site.

    All rounds share `pages`, so that addresses stay the same.
    """

    folder: Path
    site: str

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def pages(self) -> Path:
        return self.folder.parent / "pages"

    @property
    def backup(self) -> Path:
        return self.folder / "out" / "backup.db"


@contextlib.asynccontextmanager
async def engine_on(place: Place, model: str = MODELS[0], seconds: float = 0.0) -> AsyncIterator[Engine]:
    """Yield a started engine over the data folder. It holds the instance lock."""
    settings = load_settings(
        {"allow_networks": "127.0.0.0/8"}, data_dir=place.data, file=place.folder / "none.toml", environ={}
    )
    engine = Engine(settings, SecretStore(), EventBus(), make_embedder=lambda *_: HashEmbedder(model, seconds))
    with hold_instance(place.data):
        await engine.start()
        try:
            yield engine
        finally:
            await engine.stop()


async def make_template(place: Place) -> None:
    """Store the pages and a backup of them."""
    place.pages.mkdir()
    place.backup.parent.mkdir(parents=True)
    async with engine_on(place) as engine:
        for number in range(PAGES):
            await engine.add_file(write_page(place.pages, number, 1))
        await settled(engine)
        await engine.maintenance.backup(place.folder / "first.db")
        for number in range(0, PAGES, 2):
            await engine.add_file(write_page(place.pages, number, 2))
        await settled(engine)
        await engine.maintenance.backup(place.folder / "second.db")


async def settled(engine: Engine) -> None:
    """Wait until there is no pending job, chunk, document or deletion. Raises TimeoutError."""
    corpus = engine._corpus
    async with asyncio.timeout(SETTLE_SECONDS):
        while await asyncio.to_thread(_waits, corpus):  # noqa: ASYNC110 - nothing tells of all of it
            await asyncio.sleep(0.02)


def _waits(corpus: Corpus) -> bool:
    with corpus._database.read() as con:
        graph = con.execute("SELECT count(*) FROM graph_waiting").get
    return bool(
        corpus.vectors.count_waiting()
        or graph
        or corpus.jobs.recent(1, active_only=True)
        or corpus.documents.pending_deletions()
    )


Say = Callable[[Any], None]
"""Reports finished work to the bench. Reported work must exist after the next start."""


async def ingest(place: Place, chance: random.Random, say: Say) -> None:
    """Store pages repeatedly, each time in another version."""
    async with engine_on(place) as engine:
        say(["ready"])
        for version in range(3, 10_000):
            number = chance.randrange(PAGES)
            await engine.add_file(write_page(place.pages, number, version))
            say(["stored", f"page-{number}", version])


async def crawl(place: Place, chance: random.Random, say: Say) -> None:
    """Crawl the site, page after page."""
    async with engine_on(place) as engine:
        job = await engine.jobs.crawl(f"{place.site}/index.html", CrawlOptions(CrawlScope.HOST, SITE_PAGES + 1, 3))
        say(["ready"])
        say(["job", job.id])
        await engine.jobs.wait(job.id, SETTLE_SECONDS)


async def delete(place: Place, chance: random.Random, say: Say) -> None:
    """Delete pages one by one, then many as one selection."""
    async with engine_on(place) as engine:
        rows = [row for row in await engine.documents.find(limit=999) if row.url.startswith("file:")]
        chance.shuffle(rows)
        say(["ready"])
        for row in rows[SELECTION:]:
            await engine.documents.delete([row.id])
            say(["deleted", [_name(row.url)]])
        say(["deleting", [_name(row.url) for row in rows[:SELECTION]]])
        await engine.documents.delete([row.id for row in rows[:SELECTION]])
        say(["deleted", [_name(row.url) for row in rows[:SELECTION]]])


async def reembed(place: Place, chance: random.Random, say: Say) -> None:
    """Start with another model, so that every chunk gets a new vector."""
    say(["ready"])
    async with engine_on(place, MODELS[1], seconds=0.004) as engine:
        await settled(engine)


async def migration(place: Place, chance: random.Random, say: Say) -> None:
    """Start a version with one more migration."""
    use_next_version()
    say(["ready"])
    async with engine_on(place):
        pass


async def backup(place: Place, chance: random.Random, say: Say) -> None:
    """Copy the corpus to the same file repeatedly and store pages in the meantime."""
    async with engine_on(place) as engine:
        say(["ready"])
        for version in range(3, 10_000):
            copying = asyncio.create_task(engine.maintenance.backup(place.backup))
            while not copying.done():
                await engine.add_file(write_page(place.pages, chance.randrange(PAGES), version))
            await copying
            say(["copied"])


async def restore(place: Place, chance: random.Random, say: Say) -> None:
    """Restore two backups alternately."""
    say(["ready"])
    for turn in range(10_000):
        with hold_instance(place.data, Holding.COMMAND):
            backup = place.folder / ("first.db", "second.db")[turn % 2]
            swap(prepare(backup, corpus_file(place.data)), corpus_file(place.data))


async def compact(place: Place, chance: random.Random, say: Say) -> None:
    """Store, delete and compact alternately."""
    async with engine_on(place) as engine:
        say(["ready"])
        for version in range(3, 10_000):
            for _ in range(3):
                await engine.add_file(write_page(place.pages, chance.randrange(PAGES), version))
            await engine.maintenance.compact()


WORK: Final = {
    "ingest": ingest,
    "crawl": crawl,
    "delete": delete,
    "re-embed": reembed,
    "migration": migration,
    "backup": backup,
    "restore": restore,
    "compact": compact,
}


def run_work(kind: str, place: Place, seed: int, pipe: Connection) -> None:
    """Run a process that is killed."""
    asyncio.run(WORK[kind](place, random.Random(seed), pipe.send))
    pipe.send(["done"])
    time.sleep(SETTLE_SECONDS)


# --- The next start ---


@dataclass
class Found:
    """Results of the next start: `problems` as text, and the versions of the stored pages."""

    problems: list[str] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)
    jobs: dict[int, str] = field(default_factory=dict)


def run_look(kind: str, place: Place, pipe: Connection) -> None:
    """Run the process that starts after a kill."""
    if kind == "migration":
        use_next_version()
    pipe.send(asyncio.run(look(place, MODELS[kind == "re-embed"])))


async def look(place: Place, model: str) -> Found:
    """Start, wait until everything is finished, check everything, stop."""
    found = Found()
    try:
        async with engine_on(place, model) as engine:
            followed = await asyncio.to_thread(codes_in_memory, engine._corpus)
            await settled(engine)
            found.problems += [f"{each.check}: {each.detail}" for each in await engine.maintenance.verify()]
            found.problems += await asyncio.to_thread(_index_problems, engine._corpus, followed)
            found.versions = await asyncio.to_thread(_versions, engine._corpus, found.problems)
            found.jobs = {job.id: job.state.value for job in await engine.jobs.jobs(9)}
            await engine.maintenance.backup(place.backup)
    except (WebRAGError, TimeoutError) as error:
        found.problems.append(f"the start failed: {type(error).__name__} {error}")
    found.problems += [f"orphan {name}" for name in orphans(place)]
    found.problems += copies_that_are_not_whole(place)
    return found


def codes_in_memory(corpus: Corpus) -> dict[int, tuple[int, bytes]]:
    """Return the rows of the index in memory after it has followed the file: chunk to document and code."""
    index: Any = corpus.vectors.index
    with corpus._database.read() as con:
        index.nearest(con, np.zeros(index._model.dimension, np.float32), documents=None, k=1)
        rows = index._matrix._rows
    words = np.ascontiguousarray(rows.words[:, : rows.count].T)
    return {
        int(rows.ids[at]): (int(rows.documents[at]), words[at].tobytes())
        for at in range(rows.count)
        if rows.ids[at] >= 0
    }


def _index_problems(corpus: Corpus, before: dict[int, tuple[int, bytes]]) -> list[str]:
    """Compare the index, which was in memory before the work continued, with the file."""
    query = "SELECT b.chunk_id, b.document_id, b.bits FROM embedding_bits b JOIN models m ON m.id = b.model_id"
    with corpus._database.read() as con:
        stored = {row[0]: (row[1], row[2]) for row in con.execute(f"{query} JOIN meta ON value = m.fingerprint")}
    in_memory = codes_in_memory(corpus)
    wrong = [
        chunk_id for chunk_id in stored.keys() | in_memory.keys() if stored.get(chunk_id) != in_memory.get(chunk_id)
    ]
    return [f"{len(wrong)} of {len(stored)} rows of the index ({len(before)} before) differ"] if wrong else []


def _versions(corpus: Corpus, problems: list[str]) -> dict[str, int]:
    """Return the version of every stored page, and add incomplete pages to the problems."""
    versions = {}
    for row in corpus.documents.summaries(limit=9_999):
        document = corpus.documents.by_id(row.id)
        if row.url.startswith("file:") and document is not None:
            name = _name(row.url)
            try:
                versions[name] = version_of(name, document.text)
            except ValueError as error:
                problems.append(f"a page is not complete: {error}")
        elif document is not None:
            versions[row.url] = 0
    return versions


def orphans(place: Place) -> list[str]:
    """Return unused files."""
    names = [path.name for path in place.data.iterdir() if path.name not in ALLOWED and not _is_copy(path)]
    return names + [path.name for path in place.backup.parent.iterdir() if path != place.backup]


def copies_that_are_not_whole(place: Place) -> list[str]:
    """Return incomplete files with the name of a copy or backup. Checks a copy of each."""
    wrong = []
    for path in (place.backup, *filter(_is_copy, place.data.iterdir())):
        look_at = place.folder / "looked-at.db"
        shutil.copyfile(path, look_at)
        try:
            with contextlib.closing(apsw.Connection(str(look_at))) as con:
                states = [state for (state,) in con.execute("PRAGMA integrity_check(3)")]
                pages = con.execute("SELECT count(*) FROM documents").get
        except apsw.Error as error:
            states, pages = [str(error)], 0
        if states != ["ok"] or not pages:
            wrong.append(f"{path.name} is not a complete copy: {states}, {pages} pages")
        look_at.unlink()
    return wrong


def _is_copy(path: Path) -> bool:
    return "-before-" in path.name or path.name.endswith(".backup")


def _name(url: str) -> str:
    return Path(url).stem
