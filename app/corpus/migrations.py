"""The identity of a corpus file, its schema as named migrations, and copies of the file."""

from __future__ import annotations

import errno
import logging
import os
import re
import shutil
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

import apsw

from app import caps
from app.corpus import schema
from app.corpus.watch import UNWATCHED, Watch
from app.errors import CorpusBusyError, CorpusError, CorpusTooNewError, DiskFullError
from app.text.scripts import indexed_beside
from app.text.sentence import sentence

log = logging.getLogger(__name__)

PAGES_COPIED_AT_ONCE: Final = 1_024  # Pages of 8 KiB that a backup copies between two checks for cancellation.
UPDATE_SHARE: Final = 1.25  # Disk space for an update, as a multiple of the file: its backup, and the write-ahead log.
CHUNKS_READ_AT_ONCE: Final = 2_000
CHUNK_TEXTS: Final = "SELECT id, identifiers, title, section_path, text FROM chunks WHERE id > ? ORDER BY id LIMIT ?"
APPLICATION_ID: Final = 0x57524147  # ASCII "WRAG", in the header of the file.

Migration = Callable[[apsw.Connection], Iterator[float] | None]
"""One change of the schema; its function name is its name. A long one yields its completed share, 0 to 1."""

_LOCK: Final = threading.Lock()
_UNDER_WAY: Final[set[Path]] = set()  # Targets to which this process is copying.
_MAGIC: Final = b"SQLite format 3\0"
_PLACE: Final = slice(68, 72)  # Position of the application ID, big-endian (https://www.sqlite.org/fileformat.html).
_APPLIED: Final = """
CREATE TABLE IF NOT EXISTS migrations(
  name TEXT PRIMARY KEY,
  applied_at REAL NOT NULL
) STRICT, WITHOUT ROWID
"""
_HAS_APPLIED: Final = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations')"
_DEVELOPMENT_VERSION: Final = 3  # `user_version` before the names of migrations were recorded.
_SIDES: Final = ("-journal", "-wal", "-shm")  # SQLite would use these of an old file for a new one.
_SHADOW_TABLES: Final = ("chunks_fts_", "doc_words_")  # Their SQL depends on the version of full-text search.

_Entry: TypeAlias = tuple[str, str, str]  # Type, name and the table it belongs to.


def m001_initial(con: apsw.Connection) -> None:
    """Create everything that the first version stores."""
    for part in schema.INITIAL:
        con.execute(part)


def page_versions(con: apsw.Connection) -> None:
    """Add earlier texts of pages, each as a difference from the text that replaced it (`app.corpus.versions`)."""
    con.execute("""
CREATE TABLE versions(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  read_at REAL NOT NULL, replaced_at REAL NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, content_hash TEXT NOT NULL,
  checksum BLOB NOT NULL, bytes INTEGER NOT NULL, difference BLOB NOT NULL
) STRICT;
CREATE INDEX versions_by_document ON versions(document_id, id);
CREATE INDEX versions_by_size ON versions(bytes);
""")


def page_labels(con: apsw.Connection) -> None:
    """Add collections and tags: groups of pages named by the user. A tag is deleted with its last page."""
    con.execute("""
CREATE TABLE labels(
  id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL CHECK(kind IN ('collection', 'tag')),
  name TEXT NOT NULL, folded TEXT NOT NULL, created_at REAL NOT NULL,
  UNIQUE(kind, folded)
) STRICT;
CREATE TABLE labelled(
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  label_id INTEGER NOT NULL REFERENCES labels(id) ON DELETE CASCADE,
  added_at REAL NOT NULL,
  PRIMARY KEY(document_id, label_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX labelled_by_label ON labelled(label_id);
CREATE TRIGGER labelled_deleted AFTER DELETE ON labelled BEGIN
  DELETE FROM labels WHERE id = old.label_id AND kind = 'tag'
    AND NOT EXISTS (SELECT 1 FROM labelled WHERE label_id = old.label_id);
END;
""")


def unseen_words_indexed(con: apsw.Connection) -> Iterator[float]:
    """Index words of scripts without spaces and letters in other forms; folders are indexed again later."""
    con.execute("UPDATE docsets SET version = ''")
    last, end = 0, con.execute("SELECT max(id) FROM chunks").get
    while rows := con.execute(CHUNK_TEXTS, (last, CHUNKS_READ_AT_ONCE)).fetchall():
        last = int(str(rows[-1][0]))
        found = ((indexed_beside(str(known), *map(str, texts)), known, number) for number, known, *texts in rows)
        changed = [(identifiers, number) for identifiers, known, number in found if identifiers != known]
        con.executemany("UPDATE chunks SET identifiers = ? WHERE id = ?", changed)
        yield last / end


def call_verdicts(con: apsw.Connection) -> None:
    """Add the verdict of each call (`app.events.Verdict`); empty for earlier calls that succeeded."""
    con.execute("ALTER TABLE activity ADD COLUMN verdict TEXT NOT NULL DEFAULT ''")
    con.execute("UPDATE activity SET verdict = 'failed' WHERE outcome NOT IN ('ok', 'cancelled')")


def ways_noted(con: apsw.Connection) -> None:
    """Add the origin of each page; for older ones as far as their kind and the jobs reveal it."""
    con.execute("ALTER TABLE documents ADD COLUMN came_by TEXT NOT NULL DEFAULT ''")
    con.execute(
        "UPDATE documents SET came_by = CASE kind WHEN 'browser' THEN 'browser' ELSE 'person' END"
        " WHERE kind IN ('browser', 'file')"
    )
    # A job whose name is the address of its only page was started for a call that ran out of time.
    con.execute(
        "UPDATE documents SET came_by = found.way FROM ("
        " SELECT coalesce(d.id, a.document_id) AS id, CASE j.kind WHEN 'crawl' THEN 'crawl' ELSE 'person' END AS way"
        " FROM job_items i JOIN jobs j ON j.id = i.job_id"
        " LEFT JOIN documents d ON d.url = i.url LEFT JOIN aliases a ON a.url = i.url"
        " WHERE i.state = 'stored' AND (j.kind = 'crawl' OR j.kind = 'pages' AND j.target <> i.url)"
        ") AS found WHERE documents.id = found.id AND came_by = ''"
    )


def packages_kept(con: apsw.Connection) -> None:
    """Add packages with their pages, and the projects that use them. A package is deleted with all its pages."""
    con.execute("""
CREATE TABLE packages(
  id INTEGER PRIMARY KEY AUTOINCREMENT, ecosystem TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL,
  source TEXT NOT NULL, is_current INTEGER NOT NULL, added_at REAL NOT NULL, asked_at REAL NOT NULL,
  UNIQUE(ecosystem, name, version)
) STRICT;
CREATE INDEX packages_by_name ON packages(name COLLATE NOCASE);
CREATE TABLE projects(id INTEGER PRIMARY KEY AUTOINCREMENT, root TEXT NOT NULL UNIQUE, read_at REAL NOT NULL) STRICT;
CREATE TABLE project_packages(
  project_id INTEGER NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  ecosystem TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, is_direct INTEGER NOT NULL,
  PRIMARY KEY(project_id, ecosystem, name, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX project_packages_by_name ON project_packages(ecosystem, name, version);
ALTER TABLE documents ADD COLUMN package_id INTEGER REFERENCES packages(id) ON DELETE CASCADE;
CREATE INDEX documents_by_package ON documents(package_id, doc_tag) WHERE package_id IS NOT NULL;
ALTER TABLE docsets ADD COLUMN package_id INTEGER REFERENCES packages(id) ON DELETE CASCADE;
DROP INDEX docsets_by_folder;
CREATE UNIQUE INDEX docsets_by_folder ON docsets(coalesce(folder_id, 0), coalesce(package_id, 0));
""")


def package_pages_deleted(con: apsw.Connection) -> None:
    """Delete the documentation page of a package with its document."""
    con.execute("""
CREATE TRIGGER package_documents_deleted AFTER DELETE ON documents WHEN old.package_id IS NOT NULL BEGIN
  DELETE FROM doc_pages WHERE path = old.doc_path || '.md'
    AND docset_id = (SELECT id FROM docsets WHERE package_id = old.package_id);
  UPDATE docsets SET revision = revision + 1 WHERE package_id = old.package_id;
END;
""")


def symbols_kept(con: apsw.Connection) -> None:
    """Add the symbols of packages: functions, classes, and what documentation has an entry for."""
    con.execute("""
CREATE TABLE symbols(
  id INTEGER PRIMARY KEY,
  package_id INTEGER NOT NULL REFERENCES packages(id) ON DELETE CASCADE,
  name TEXT NOT NULL, last TEXT NOT NULL, kind TEXT NOT NULL, signature TEXT NOT NULL, summary TEXT NOT NULL,
  file TEXT NOT NULL, line INTEGER NOT NULL, page TEXT NOT NULL, leads_to TEXT NOT NULL
) STRICT;
CREATE INDEX package_symbols_by_name ON symbols(package_id, name);
CREATE INDEX package_symbols_by_last ON symbols(last COLLATE NOCASE, package_id);
""")


def vectors_packed(con: apsw.Connection) -> None:
    """Add the parts of token vectors. `VectorStore.pack` rewrites earlier ones in the background."""
    con.execute("""
CREATE TABLE token_parts(
  chunk_id INTEGER NOT NULL REFERENCES embeddings(chunk_id) ON DELETE CASCADE,
  part INTEGER NOT NULL, bits BLOB NOT NULL,
  PRIMARY KEY(chunk_id, part)
) STRICT, WITHOUT ROWID;
""")


def pages_packed(con: apsw.Connection) -> None:
    """Add compressed texts, and list the stored pages, which `VectorStore.pack` rewrites in the background."""
    con.execute("""
ALTER TABLE document_texts ADD COLUMN packed BLOB;
ALTER TABLE document_texts ADD COLUMN chars INTEGER;
CREATE TABLE unpacked(document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE) STRICT;
INSERT INTO unpacked SELECT id FROM documents;
""")


def second_vectors(con: apsw.Connection) -> None:
    """Add the vectors of a second model, and the pages in other languages than English, which only it embeds (`app.corpus.vectors`)."""
    con.execute("""
CREATE TABLE foreign_pages(document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE) STRICT;
CREATE TABLE second_embeddings(
  chunk_id INTEGER PRIMARY KEY REFERENCES chunks(id) ON DELETE CASCADE,
  model_id INTEGER NOT NULL REFERENCES models(id), vector BLOB NOT NULL
) STRICT;
CREATE TABLE second_embedding_bits(
  chunk_id INTEGER PRIMARY KEY REFERENCES second_embeddings(chunk_id) ON DELETE CASCADE,
  model_id INTEGER NOT NULL, document_id INTEGER NOT NULL, bits BLOB NOT NULL
) STRICT;
CREATE TABLE second_token_parts(
  chunk_id INTEGER NOT NULL REFERENCES second_embeddings(chunk_id) ON DELETE CASCADE,
  part INTEGER NOT NULL, bits BLOB NOT NULL,
  PRIMARY KEY(chunk_id, part)
) STRICT, WITHOUT ROWID;
CREATE TABLE second_waiting(
  chunk_id INTEGER PRIMARY KEY REFERENCES chunks(id) ON DELETE CASCADE,
  document_id INTEGER NOT NULL
) STRICT;
CREATE INDEX second_waiting_by_document ON second_waiting(document_id);
CREATE TABLE second_changes(seq INTEGER PRIMARY KEY AUTOINCREMENT, chunk_id INTEGER NOT NULL) STRICT;

CREATE TRIGGER second_chunks_inserted AFTER INSERT ON chunks
WHEN EXISTS (SELECT 1 FROM meta WHERE key = 'second_model') BEGIN
  INSERT INTO second_waiting(chunk_id, document_id) VALUES(new.id, new.document_id);
END;
CREATE TRIGGER second_embeddings_inserted AFTER INSERT ON second_embeddings BEGIN
  DELETE FROM second_waiting WHERE chunk_id = new.chunk_id;
END;
CREATE TRIGGER second_embeddings_of_foreign AFTER INSERT ON second_embeddings
WHEN EXISTS (SELECT 1 FROM chunks c JOIN foreign_pages f USING (document_id) WHERE c.id = new.chunk_id) BEGIN
  DELETE FROM embeddings WHERE chunk_id = new.chunk_id;
  DELETE FROM waiting WHERE chunk_id = new.chunk_id;
END;
CREATE TRIGGER second_embeddings_deleted AFTER DELETE ON second_embeddings BEGIN
  INSERT OR IGNORE INTO second_waiting(chunk_id, document_id) SELECT id, document_id FROM chunks WHERE id = old.chunk_id;
  INSERT OR IGNORE INTO waiting(chunk_id, document_id)
    SELECT id, document_id FROM chunks JOIN foreign_pages USING (document_id) WHERE id = old.chunk_id;
END;
CREATE TRIGGER second_bits_inserted AFTER INSERT ON second_embedding_bits BEGIN
  INSERT INTO second_changes(chunk_id) VALUES(new.chunk_id);
END;
CREATE TRIGGER second_bits_deleted AFTER DELETE ON second_embedding_bits BEGIN
  INSERT INTO second_changes(chunk_id) VALUES(old.chunk_id);
END;
""")


def rows_filled(con: apsw.Connection) -> None:
    """Add token vectors in rows that fill pages. `VectorStore.pack` rewrites earlier ones in the background, and shortens keys."""
    for prefix in ("", "second_"):
        con.execute(f"""
CREATE TABLE {prefix}token_rows(id INTEGER PRIMARY KEY, bits BLOB NOT NULL) STRICT;
CREATE TRIGGER {prefix}token_rows_deleted AFTER DELETE ON {prefix}embeddings BEGIN
  DELETE FROM {prefix}token_rows WHERE id BETWEEN old.chunk_id * 4096 AND old.chunk_id * 4096 + 4095;
END;
""")
    con.execute("INSERT OR IGNORE INTO unpacked SELECT id FROM documents")


MIGRATIONS: Final[tuple[Migration, ...]] = (
    m001_initial,
    page_versions,
    page_labels,
    unseen_words_indexed,
    call_verdicts,
    ways_noted,
    packages_kept,
    package_pages_deleted,
    symbols_kept,
    vectors_packed,
    pages_packed,
    second_vectors,
    rows_filled,
)  # In order of application. Never change or remove a released one; append new ones.


def is_corpus_file(path: Path) -> bool:
    """Whether the first bytes of a file identify it as a corpus or its backup. Raises OSError."""
    with path.open("rb") as stream:
        head = stream.read(_PLACE.stop)
    return head.startswith(_MAGIC) and int.from_bytes(head[_PLACE], "big") == APPLICATION_ID


def check_identity(con: apsw.Connection, path: Path) -> None:
    """Raise CorpusError for a file of another program, CorpusTooNewError for a newer version. Read-only."""
    con.execute("BEGIN")
    found, tables = con.pragma("application_id"), con.execute("SELECT count(*) FROM sqlite_schema").get
    con.execute("ROLLBACK")
    if found != APPLICATION_ID and (found or tables):
        raise CorpusError(
            sentence("{} belongs to another program.", path), hint="Choose another data folder (--data-dir)."
        )
    _check_not_newer(_applied(con), path, MIGRATIONS)


def migrate(
    con: apsw.Connection,
    path: Path,
    migrations: Sequence[Migration] | None = None,
    watch: Watch = UNWATCHED,
    *,
    backs_up: bool = True,
) -> None:
    """Apply the missing migrations, all or none, after a backup. `watch` hears of an earlier version only.

    Raises CorpusTooNewError, CorpusError, and DiskFullError before it writes anything.
    """
    migrations = MIGRATIONS if migrations is None else migrations
    _check_development_version(con, path)
    applied = _applied(con)
    _check_not_newer(applied, path, migrations)
    if len(applied) == len(migrations):
        return
    if not applied:
        watch = UNWATCHED
    watch.at(0)
    if applied and backs_up:
        backup = path.with_name(f"{path.name}.v{len(applied)}.backup")
        _check_room_to_update(con, path)
        copy(con, backup, watch.part(0, 0.5))
        log.info("corpus with %d migrations copied to %s before the update", len(applied), backup)
    with _transaction(con), watch.over(con):
        # Another process may have applied some while this one waited for the lock.
        applied = _applied(con)
        missing = [migration for migration in migrations if migration.__name__ not in applied]
        for place, migration in enumerate(missing):
            part = watch.part(0.5 + place / len(missing) / 2, 0.5 + (place + 1) / len(missing) / 2)
            for share in migration(con) or ():
                part.at(share)
            _record(con, migration)
            part.at(1)
        con.pragma("application_id", APPLICATION_ID)


def _check_room_to_update(con: apsw.Connection, path: Path) -> None:
    """Raise DiskFullError if there is no space for the backup and the write-ahead log of the update."""
    wanted = int(con.pragma("page_count") * con.pragma("page_size") * UPDATE_SHARE) + caps.ROOM_TO_WRITE_BYTES
    try:
        free = shutil.disk_usage(path.parent).free
    except OSError:
        return
    if free < wanted:
        raise DiskFullError(
            sentence("Not enough disk space to update the library: {} MB are free.", f"{free / 1e6:,.0f}"),
            hint=sentence(
                "Free {} MB in {}. Until then, the library stays as it is.", f"{wanted / 1e6:,.0f}", path.parent
            ),
        )


def _check_not_newer(applied: set[str], path: Path, migrations: Sequence[Migration]) -> None:
    if unknown := sorted(applied - {migration.__name__ for migration in migrations}):
        raise CorpusTooNewError(sentence("{} was written by a newer version of WebRAG ({}).", path, ", ".join(unknown)))


def _check_development_version(con: apsw.Connection, path: Path) -> None:
    """Record the first migration for a file with its schema but without names; refuse any other file without names."""
    # In this order: another process can create the whole schema between both queries.
    if not con.execute("SELECT count(*) FROM sqlite_schema").get or con.execute(_HAS_APPLIED).get:
        return
    expected, found = _schema_after(m001_initial), _schema_of(con)
    has_schema = all(found.get(entry) == sql for entry, sql in expected.items() if entry[1] != "migrations")
    if con.pragma("user_version") != _DEVELOPMENT_VERSION or not has_schema:
        raise CorpusError(
            sentence("{} was created by a development version of WebRAG and cannot be updated.", path),
            hint="Move the file to another folder and add its pages again.",
        )
    with _transaction(con):
        _record(con, m001_initial)


def _record(con: apsw.Connection, migration: Migration) -> None:
    con.execute(_APPLIED)
    con.execute("INSERT OR IGNORE INTO migrations VALUES(?, ?)", (migration.__name__, time.time()))


def _applied(con: apsw.Connection) -> set[str]:
    names = con.execute("SELECT name FROM migrations") if con.execute(_HAS_APPLIED).get else ()
    return {str(name) for (name,) in names}


@contextmanager
def _transaction(con: apsw.Connection) -> Iterator[None]:
    con.execute("BEGIN IMMEDIATE")
    try:
        yield
        con.execute("COMMIT")
    except BaseException:
        if con.in_transaction:
            con.execute("ROLLBACK")
        raise


def differences(con: apsw.Connection) -> Iterator[str]:
    """Yield unexpected, missing and different parts of the file's schema: a foreign trigger could change data."""
    made, found = _schema_after(*MIGRATIONS), _schema_of(con)
    for kind, name, table in sorted(found.keys() - made.keys()):
        yield f"unexpected {kind} {name} on {table}" if kind == "trigger" else f"unexpected {kind} {name}"
    for kind, name, _ in sorted(made.keys() - found.keys()):
        yield f"{kind} {name} is missing"
    for entry in sorted(made.keys() & found.keys()):
        if found[entry] != made[entry]:
            yield f"{entry[0]} {entry[1]} differs from the schema of this program"


@lru_cache(maxsize=2)
def _schema_after(*migrations: Migration) -> dict[_Entry, str]:
    with closing(apsw.Connection(":memory:")) as con:
        for migration in migrations:
            deque(migration(con) or ())
            _record(con, migration)
        return _schema_of(con)


def _schema_of(con: apsw.Connection) -> dict[_Entry, str]:
    rows = con.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema").fetchall()
    entries = [(str(kind), str(name), str(table), str(sql)) for kind, name, table, sql in rows]
    # Ignores SQLite's own tables and indexes, and spaces that depend on how a column was added.
    return {
        (kind, name, table): ""
        if name.startswith(_SHADOW_TABLES)
        else re.sub(" ?([(),]) ?", r"\1", " ".join(sql.split()))
        for kind, name, table, sql in entries
        if not (name.startswith("sqlite_") and kind in ("table", "index"))
    }


def copy(con: apsw.Connection, target: Path, watch: Watch = UNWATCHED) -> None:
    """Copy the database to `target`, which appears complete or stays unchanged. Raises CorpusBusyError."""
    place = target.absolute()
    with _LOCK:
        # Each copy deletes the temporary files of others.
        if place in _UNDER_WAY:
            raise CorpusBusyError(sentence("A copy to {} is already in progress.", target))
        _UNDER_WAY.add(place)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        clear_parts(target)
        with replaced(target, f".{target.name}.") as part:
            with closing(apsw.Connection(str(part))) as copied:
                with copied.backup("main", con, "main") as work:
                    while not work.done:
                        work.step(PAGES_COPIED_AT_ONCE)
                        watch.at(1 - work.remaining / max(1, work.page_count))
                copied.pragma("journal_mode", "delete")
            remove_all(target.with_name(f"{target.name}{suffix}") for suffix in _SIDES)
    except apsw.FullError as error:
        raise _disk_full(target) from error
    except (OSError, apsw.CantOpenError, apsw.IOError, apsw.ReadOnlyError) as error:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            raise _disk_full(target) from error
        raise CorpusError(
            sentence("Could not write the copy to {} ({}).", target, error), hint="Choose another location."
        ) from error
    finally:
        with _LOCK:
            _UNDER_WAY.discard(place)


@contextmanager
def replaced(target: Path, prefix: str, suffix: str = "") -> Iterator[Path]:
    """Create a temporary file beside the target, which it replaces unless there is an error."""
    handle, name = tempfile.mkstemp(prefix=prefix, suffix=suffix, dir=target.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def clear_parts(target: Path) -> None:
    """Delete the temporary files of killed copies to this target."""
    part = re.compile(rf"\.{re.escape(target.name)}\.[a-z0-9_]{{8}}(?:{'|'.join(_SIDES)})?")
    remove_all(path for path in target.parent.iterdir() if part.fullmatch(path.name))


def remove_all(paths: Iterable[Path]) -> None:
    """Delete files; ignores missing files and failures."""
    for path in paths:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _disk_full(target: Path) -> CorpusError:
    """In a backup, SQLite describes a full disk as "not an error"."""
    return CorpusError(
        sentence("Could not write the copy to {}: the disk is full.", target),
        hint="Free some space, or choose another location.",
    )
