"""The corpus, with all data of the program in one SQLite file, and the pinned passages."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import astuple, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import apsw

from app.corpus import checks
from app.corpus.activity import ActivityLog
from app.corpus.admission import remove_inadmissible
from app.corpus.chunks import ChunkStore
from app.corpus.database import Database, Store, split_path
from app.corpus.docsets import DocsetStore
from app.corpus.documents import DocumentStore, filtered_ids, images_of, links_of, navigation_of, sections_of
from app.corpus.folders import FolderStore
from app.corpus.graph.store import GraphStore
from app.corpus.jobs import JobStore
from app.corpus.labels import LabelStore
from app.corpus.models import SECOND, adopt_model, adopt_second, adopted_model, delete_second
from app.corpus.packages import PackageStore
from app.corpus.page_texts import TEXT
from app.corpus.records import Compacted, FileHealth, PinnedPassage, Problem, StorageUse
from app.corpus.vector_index import Model, vectors_of
from app.corpus.vectors import VectorStore, read_token_vectors
from app.corpus.versions import VersionStore
from app.corpus.watch import UNWATCHED, Watch
from app.errors import CorpusError, DamagedCopyError
from app.library import records
from app.library.copying import COPIED_AT_ONCE, DocumentCopy
from app.library.scope import EVERYTHING, Filter
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.library.protocol import Vector


log = logging.getLogger(__name__)

COMPACT_COPY: Final = 1.1
COMPACT_LOG: Final = 1.1  # Multiples of the file size: for SQLite's temporary copy, and for the log beside the file.
_SET_FILE_NUMBER: Final = """
INSERT INTO meta(key, value) VALUES('file_number', ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value
"""
TOTALS: Final = """
SELECT (SELECT count(*) FROM documents), count(*), coalesce(sum(tokens), 0), (SELECT count(*) FROM waiting)
FROM chunks
"""
COPIED_FIELDS: Final = "url title text content_hash kind language etag last_modified published last_crawled note"
COPIED_DOCUMENTS: Final = f"""
SELECT id, {COPIED_FIELDS.replace(" ", ", ").replace("text", TEXT)}
FROM documents JOIN document_texts ON document_id = id WHERE id > ? ORDER BY id LIMIT ?
"""
COPIED_CHUNKS: Final = """
SELECT key, section_path, anchor, text, "start", "end", prefix_length, suffix_length, tokens, identifiers
FROM chunks WHERE document_id = ? ORDER BY ord
"""
COPIED_VECTORS: Final = """
SELECT c.key, c.id, e.vector FROM chunks c JOIN {p}embeddings e ON e.chunk_id = c.id JOIN documents d ON d.id = c.document_id
WHERE d.id = ? AND e.model_id = ? AND d.package_id IS NULL
"""
COPIED_ALIASES: Final = "SELECT url FROM aliases WHERE document_id = ? ORDER BY url"
PIN_COLUMNS: Final = ", ".join(
    f'"{name}"' for name in ("id", "created_at", *(each.name for each in fields(records.PassageIn)))
)
PIN_VALUES: Final = ", ".join("?" * len(PIN_COLUMNS.split(", ")))


class PinStore(Store):
    """Copies of passages that outlive their pages."""

    def add(self, passage_id: str, content: records.PassageIn, created_at: float) -> None:
        """Save a copy of a passage unless there is one already."""
        query = f"INSERT INTO pinned_passages({PIN_COLUMNS}) VALUES({PIN_VALUES}) ON CONFLICT(id) DO NOTHING"
        with self._database.write() as con:
            con.execute(query, (passage_id, created_at, *astuple(content)))

    def remove(self, passage_id: str) -> bool:
        """Delete a pinned passage; return False if there is none."""
        with self._database.write() as con:
            con.execute("DELETE FROM pinned_passages WHERE id = ?", (passage_id,))
            return con.changes() > 0

    def all(self) -> list[PinnedPassage]:
        """Return all pinned passages, oldest pin first."""
        rows = self._rows(f"SELECT {PIN_COLUMNS} FROM pinned_passages ORDER BY ord")
        return [PinnedPassage(id_, records.PassageIn(*content), created_at) for id_, created_at, *content in rows]


class Corpus:
    """The stores of one file, the private library (see `LibraryWriter`), and maintenance of the file.

    Thread-safe and blocking: call it and its stores from worker threads. Every method sees one state of the file, and every change except
    the removal of a folder is one transaction. All raise CorpusError if the file cannot be used and CorpusBusyError if another process
    locks it for too long.
    """

    def __init__(self, database: Database, model: Model | None, second: Model | None = None) -> None:
        self._database = database
        self.reclaimable = 0
        self.name = records.PRIVATE
        self.model = records.EmbeddingModel(model.fingerprint, model.dimension) if model is not None else None
        self.documents = DocumentStore(database)
        self.chunks = ChunkStore(database)
        self.vectors = VectorStore(database, model)
        self.graph = self.upkeep = GraphStore(database)
        self.docsets = DocsetStore(database, model)
        self.folders = FolderStore(database)
        self.jobs = JobStore(database)
        self.activity = ActivityLog(database)
        self.pins = PinStore(database)
        self.versions = VersionStore(database)
        self.labels = LabelStore(database)
        self.packages = PackageStore(database)
        self.path = database.path
        self.ended_uncleanly = database.had_log  # Whether the last process did not close the file.
        # Maintenance of the file; see `Database`.
        self.stop_waiting = database.stop_waiting
        self.release_memory = database.release_memory
        self.resume = database.resume
        self.backup = database.backup
        self.close = database.close
        self.second: Corpus | None = None
        if second is not None:
            # The same stores, except those with vectors.
            self.second = copy(self)
            self.second.model = records.EmbeddingModel(second.fingerprint, second.dimension)
            self.second.vectors, self.second.docsets = VectorStore(database, second), DocsetStore(database, second)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        dimension: int,
        model: str,
        second: records.EmbeddingModel | None = None,
        watch: Watch = UNWATCHED,
    ) -> Self:
        """Open or create the file, migrated after a backup, which `watch` follows. Raises CorpusError.

        An empty `model` keeps both models of the file, a `second` without a fingerprint its second one.
        """
        database = Database(path, watch)
        try:
            _check_copied(database)
            with database.read() as con:
                known, beside = adopted_model(con), adopted_model(con, SECOND)
            if model and (known is None or (known.fingerprint, known.dimension) != (model, dimension)):
                with database.write() as con:
                    known = adopt_model(con, model, dimension)
            is_kept = not model or (second is not None and not second.fingerprint)
            if not is_kept and (second and second.fingerprint) != (beside and beside.fingerprint):
                with database.write() as con:
                    beside = adopt_second(con, second)
        except DamagedCopyError:
            database.give_up()
            raise
        except BaseException:
            database.close()
            raise
        return cls(database, known, beside)

    def candidates(
        self, terms: Sequence[str], vector: Vector | None, *, filter: Filter = EVERYTHING, k: int
    ) -> tuple[list[records.Hit], list[records.Hit]]:
        by_words = self.chunks.lexical(terms, filter=filter, k=k) if terms else []
        return by_words, self.vectors.nearest(vector, filter=filter, k=k) if vector is not None else []

    def fetch(self, chunk_ids: Sequence[int], *, vector: Vector | None = None, signs: bool = False) -> records.Passages:
        return records.Passages(
            self.chunks.by_ids(chunk_ids),
            self.vectors.token_vectors(chunk_ids) if signs else [],
            self.vectors.similarities(vector, chunk_ids) if vector is not None else {},
        )

    def has_foreign(self, filter: Filter) -> bool:
        with self._database.read() as con:
            found = filtered_ids(con, replace(filter, is_foreign=True))
        return found is not None and len(found) > 0

    def only_here(self, chunk_ids: Sequence[int]) -> set[int]:
        return self.vectors.only_in_second(chunk_ids)

    def totals(self) -> records.CorpusTotals:
        """Return counts over the whole corpus, and the size of the file with its write-ahead log."""
        with self._database.read() as con:
            documents, chunks, tokens, waiting = con.execute(TOTALS).get
        path = self._database.path
        files = (path, path.with_name(path.name + "-wal"))
        file_bytes = sum(file.stat().st_size for file in files if file.exists())
        return records.CorpusTotals(documents, chunks, tokens, chunks - waiting, file_bytes)

    def copies(self) -> Iterator[DocumentCopy]:
        """Yield all documents with their vectors, in the order of their IDs, including documents added during the iteration."""
        after: int | None = 0
        while after is not None:
            with self._database.read() as con:
                model = adopted_model(con, self.vectors.prefix)
                rows: list[Any] = con.execute(COPIED_DOCUMENTS, (after, COPIED_AT_ONCE)).fetchall()
                found = [_copy(con, model, row) for row in rows]
            yield from found
            after = found[-1].id if found else None

    def verify(self, watch: Watch = UNWATCHED) -> list[Problem]:
        """Check the whole file and return the problems. Other work continues, except for a moment."""
        problems = _problems(self._database, watch)
        self._database.note_damage(checks.damage_in(problems))
        return problems

    def check(self, watch: Watch = UNWATCHED) -> str:
        """Return the damage to the structure of the file; empty if none. Reads the file once and updates `health`."""
        with self._database.inspect() as con, watch.over(con):
            found = checks.structure(con)
        if found:
            self._database.note_damage(found)
        return found

    def contents_mark(self) -> str:
        """Return a value that changes with any content that a user would miss."""
        with self._database.read() as con:
            return checks.contents_mark(con)

    @property
    def health(self) -> FileHealth:
        """The known problems of the file."""
        return self._database.health

    @property
    def is_read_only(self) -> bool:
        """Whether the file could only be opened read-only, until `resume` succeeds."""
        return self._database.is_read_only

    def follow_health(self, changed: Callable[[], object]) -> None:
        """Call a function, on any thread, whenever `health` changes."""
        self._database.on_health = changed

    def remove_inadmissible(self) -> dict[str, int]:
        """Delete rows of a foreign file that this program could not have stored; return how many, by kind."""
        with self._database.write() as con:
            return remove_inadmissible(con)

    def storage(self, watch: Watch = UNWATCHED) -> StorageUse:
        """Return the bytes of the file by content; reads every page."""
        with self._database.inspect() as con, watch.over(con):
            return checks.storage_use(con)

    def measure(self) -> int:
        """Return the bytes that compacting is worth freeing, and keep them in `reclaimable`; 0 while earlier pages are being rewritten."""
        with self._database.inspect() as con:
            is_rewritten = not con.execute("SELECT EXISTS (SELECT 1 FROM unpacked)").get
            self.reclaimable = checks.reclaimable(con) if is_rewritten else 0
        return self.reclaimable

    def compact(self, watch: Watch = UNWATCHED) -> Compacted:
        """Rewrite the file without unused space, unless interrupted. Blocks writers. Raises CorpusError."""
        before = self.totals().file_bytes
        check_room_to_compact(self._database.path.parent, before)
        watch.at(0)
        if self.second is None:
            with self._database.write() as con:
                delete_second(con)
        self._database.compact(watch)
        self.reclaimable = 0
        self._database.on_health()
        return Compacted(before, self.totals().file_bytes)


def _copy(con: apsw.Connection, model: Model | None, row: Any) -> DocumentCopy:
    document_id, *plain = row
    document = records.DocumentIn(
        **dict(zip(COPIED_FIELDS.split(), plain, strict=True)),
        chunks=tuple(
            records.ChunkIn(key, split_path(path), *rest)
            for key, path, *rest in con.execute(COPIED_CHUNKS, (document_id,))
        ),
        sections=sections_of(con, document_id),
        links=links_of(con, document_id),
        images=images_of(con, document_id),
        aliases=tuple(each[0] for each in con.execute(COPIED_ALIASES, (document_id,))),
        navigation=navigation_of(con, document_id),
    )
    vectors: dict[str, records.EmbeddingIn] = {}
    if model is not None:
        rows: list[Any] = con.execute(model.sql(COPIED_VECTORS), (document_id, model.id)).fetchall()
        bits = read_token_vectors(con, [row[1] for row in rows], model.id, model.dimension, model.prefix)
        for key, chunk_id, vector in rows:
            vectors[key] = records.EmbeddingIn(chunk_id, vectors_of([vector], model.dimension)[0], bits[chunk_id])
    return DocumentCopy(document_id, document, vectors)


def is_on_one_disk(first: Path, second: Path) -> bool:
    return first.stat().st_dev == second.stat().st_dev


def temporary_folder() -> Path:
    """Return SQLite's folder for temporary files, which can differ from Python's."""
    if os.name == "nt":
        return Path(tempfile.gettempdir())
    named = (os.environ.get("SQLITE_TMPDIR"), os.environ.get("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp")
    folders = (Path(each) for each in named if each)
    return next((each for each in folders if each.is_dir() and os.access(each, os.W_OK | os.X_OK)), Path())


def check_room_to_compact(folder: Path, file_bytes: int) -> None:
    """Raise CorpusError, naming the folder, if there is no space for the log or the temporary copy of a file of this size."""
    temporary = temporary_folder()
    together = {folder: COMPACT_LOG + COMPACT_COPY}
    wanted = together if is_on_one_disk(folder, temporary) else {folder: COMPACT_LOG, temporary: COMPACT_COPY}
    for place, share in wanted.items():
        if shutil.disk_usage(place).free < file_bytes * share:
            raise CorpusError(
                sentence("Not enough disk space in {} to compact the library.", place),
                hint=sentence("Free {} MB there, then try again.", f"{file_bytes * share / 1e6:,.0f}"),
            )


def _check_copied(database: Database) -> None:
    """Raise DamagedCopyError for a file that was copied together with its write-ahead log during a write, unless it is intact.

    SQLite trusts a log next to a file. This is right after a crash; but if both were copied one after the other, the log can lack
    changes. The corpus stores its own file number, which a copy does not share: a file with a log and another number is checked
    completely, which takes some time.
    """
    number = str(database.path.stat().st_ino)
    with database.read() as con:
        if con.execute("SELECT value FROM meta WHERE key = 'file_number'").get == number:
            return
    if database.had_log:
        log.info("%s was moved with its write-ahead log; checking it", database.path)
        problems = _problems(database)
        if problems:
            raise DamagedCopyError(
                sentence(
                    "{} is an inconsistent copy, made while WebRAG was writing to it ({}: {}).",
                    database.path,
                    problems[0].check,
                    problems[0].detail,
                )
            )
    try:
        with database.write() as con:
            con.execute(_SET_FILE_NUMBER, (number,))
    except CorpusError as error:
        log.info("cannot record the location of %s: %s", database.path, error)


def _problems(database: Database, watch: Watch = UNWATCHED) -> list[Problem]:
    with database.inspect() as con:
        problems = checks.verify(con, watch.part(0, 0.95))
    watch.at(0.95)
    if database.is_read_only:
        return problems
    with database.inspect("BEGIN IMMEDIATE") as con:
        return problems + checks.verify_keyword_index(con)
