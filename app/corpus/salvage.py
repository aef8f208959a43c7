"""Build a new corpus from the readable parts of a damaged one: pages, folders, collections, tags, jobs, pinned passages, calls.

Indexes, vectors and the graph are rebuilt from the texts. Rows keep their numbers, so that pins and jobs still refer to the same pages. A
page with unreadable chunks is split again from its text. A page without readable text is lost, and its address is reported if readable.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import apsw

from app import caps
from app.corpus.database import connect, id_list, translated
from app.corpus.document_writer import unpack_urls
from app.corpus.migrations import MIGRATIONS, is_corpus_file, migrate
from app.corpus.models import KEYS
from app.corpus.page_texts import TEXT, add_function
from app.corpus.records import Salvaged
from app.corpus.schema import ITEM_STATES
from app.corpus.versions import texts_of
from app.corpus.watch import UNWATCHED, Watch
from app.errors import CorpusError, FileAccessError
from app.library.job_records import ItemState, JobKind, JobState
from app.library.records import CameBy, is_cut_from
from app.text.sentence import sentence
from app.text.terms import estimate_tokens

log = logging.getLogger(__name__)

ROWS_AT_ONCE: Final = 64  # Rows to read in one statement; on failure, they are read one by one.
DOCUMENTS_PER_TRANSACTION: Final = 100
MAX_LOST_NAMED: Final = 1_000
MAX_EMPTY_WINDOWS: Final = 100_000
PIECE_CHARS: Final = 1_200  # Longest chunk of a page that is split again.
RESTORE_INSTEAD: Final = (
    "Restore the latest automatic backup or another one: Settings > Storage, or webrag restore in a terminal."
)
Value: TypeAlias = str | bytes | int | float | None
Row: TypeAlias = tuple[Value, ...]

_DAMAGE: Final = (apsw.CorruptError, apsw.NotADBError, apsw.IOError, apsw.SQLError, UnicodeDecodeError)
"""Errors of reading a damaged file; SQLError if its schema no longer contains a table."""

PARENTS: Final = ("meta", "folders", "labels", "packages", "projects", "project_packages", "symbols")
"""Copied row by row before the documents that refer to them."""
WHOLE_TABLES: Final = ("activity", "pinned_passages", "jobs", "job_items")
"""Copied row by row after the documents; parents before children."""
DETAILS: Final = ("sections", "links", "images", "navigation", "document_flags", "aliases", "versions", "labelled")
"""Optional data of a document besides its text and chunks."""
CORRECTED: Final = (
    "UPDATE documents SET cited_at = NULL, cited_hash = NULL WHERE (cited_at IS NULL) <> (cited_hash IS NULL)",
    "UPDATE documents SET file_mtime_ns = coalesce(file_mtime_ns, 0), file_bytes = coalesce(file_bytes, 0) WHERE folder_id IS NOT NULL",
    f"UPDATE documents SET came_by = '' WHERE came_by NOT IN {tuple(each.value for each in CameBy)}",
    f"UPDATE job_items SET state = 'failed' WHERE state NOT IN {tuple(each.value for each in ItemState)}",
)
DELETED: Final = (
    f"DELETE FROM jobs WHERE state NOT IN {tuple(each.value for each in JobState)}",
    f"DELETE FROM jobs WHERE kind NOT IN {tuple(each.value for each in JobKind)}",
    "DELETE FROM aliases WHERE url IN (SELECT url FROM documents)",
)
"""One damaged value that `checks` finds would make the new file unusable."""
NOT_TAKEN: Final = frozenset({*KEYS.values(), "embedding_dim"})  # Rows of `meta` that belong to the vectors.


@dataclass(slots=True)
class _Count:
    documents: int = 0
    recut: int = 0
    lost: list[str] = field(default_factory=list)
    lost_rows: int = 0


def salvage(damaged: Path, target: Path, watch: Watch = UNWATCHED) -> Salvaged:
    """Write the readable data of `damaged` to the new corpus `target`. Raises FileAccessError, CorpusError."""
    try:
        if not damaged.is_file() or not is_corpus_file(damaged):
            raise FileAccessError(
                sentence("{} is not a WebRAG library.", damaged), hint="Choose corpus.db or a backup."
            )
    except OSError as error:
        raise FileAccessError(sentence("Cannot read {} ({}).", damaged, error.strerror)) from error
    count = _Count()
    with (
        translated(target),
        closing(connect(target)) as new,
        closing(apsw.Connection(str(damaged), flags=apsw.SQLITE_OPEN_READWRITE)) as old,
    ):
        old.pragma("query_only", True)
        old.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        add_function(old)
        old.set_busy_timeout(caps.BUSY_TIMEOUT_MS)
        _check_readable(old, damaged)
        new.pragma("journal_mode", "delete")
        new.pragma("synchronous", "off")
        known = {row[0] for row in _all(old, "SELECT name FROM migrations") or ()}
        # Data of an earlier version is updated after it was copied.
        migrate(new, target, [each for each in MIGRATIONS if not known or each.__name__ in known])
        with new:
            for table in PARENTS:
                count.lost_rows += _copy_table(old, new, table)
        _copy_documents(old, new, count, watch)
        with new:
            for table in WHOLE_TABLES:
                watch.at(0.95)
                count.lost_rows += _copy_table(old, new, table)
        migrate(new, target, backs_up=False)
        with new:
            new.execute("DELETE FROM job_items WHERE job_id NOT IN (SELECT id FROM jobs)")
            new.execute("INSERT OR IGNORE INTO unpacked SELECT id FROM documents")
            new.execute("DELETE FROM labels WHERE kind = 'tag' AND id NOT IN (SELECT label_id FROM labelled)")
            count.lost_rows += _repair(new)
        if count.lost and not count.documents:
            raise CorpusError(
                sentence("Cannot read any page of {}, only {} addresses.", damaged, f"{len(count.lost):,}"),
                hint=RESTORE_INSTEAD,
            )
        pins = new.execute("SELECT count(*) FROM pinned_passages").get
        jobs = new.execute("SELECT count(*) FROM jobs").get
    return Salvaged(
        count.documents, count.recut, pins, jobs, len(count.lost), tuple(count.lost[:MAX_LOST_NAMED]), count.lost_rows
    )


def _repair(new: apsw.Connection) -> int:
    """Correct readable values that would make the whole file invalid, or delete their rows; return how many were deleted."""
    lost = 0
    for statement in (*CORRECTED, *DELETED):
        new.execute(statement)
        lost += new.changes() if statement in DELETED else 0
    with_menu: list[Any] = new.execute("SELECT document_id FROM navigation").fetchall()
    for (document_id,) in with_menu:
        try:
            unpack_urls(new.execute("SELECT urls FROM navigation WHERE document_id = ?", (document_id,)).get)
        except CorpusError as error:
            log.debug("navigation links are left out: %s", error)
            new.execute("DELETE FROM navigation WHERE document_id = ?", (document_id,))
            lost += 1
    beyond = "DELETE FROM versions WHERE document_id = ? AND id NOT IN (SELECT value FROM carray(?))"
    changed: list[Any] = new.execute("SELECT DISTINCT document_id FROM versions").fetchall()
    for (document_id,) in changed:
        new.execute(beyond, (document_id, id_list(number for number, _ in texts_of(new, document_id))))
        lost += new.changes()
    return lost


def _check_readable(old: apsw.Connection, damaged: Path) -> None:
    """Raise CorpusError if the table of contents cannot be read: without it, nothing else can."""
    try:
        is_there = old.execute("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'documents')").get
    except _DAMAGE as error:
        raise CorpusError(
            sentence("Cannot read {}: the beginning of the file is damaged ({}).", damaged, error), hint=RESTORE_INSTEAD
        ) from error
    if not is_there:
        raise CorpusError(sentence("{} does not contain any pages.", damaged), hint="Restore a backup.")


def _copy_table(old: apsw.Connection, new: apsw.Connection, table: str) -> int:
    """Copy the readable rows; return how many row numbers could not be read."""
    columns = _shared_columns(old, new, table)
    if not columns:
        return 0
    names = ", ".join(f'"{name}"' for name in columns)
    into = f"INSERT OR IGNORE INTO {table}({names}) VALUES({', '.join('?' * len(columns))})"
    if table == "meta":
        rows = _both_ways(old, f"SELECT {names} FROM meta ORDER BY key")
        new.executemany(into, (row for row in rows if row[0] not in NOT_TAKEN))
        return 0
    lost = 0
    for row in _by_number(old, table, f"SELECT {names} FROM {table}"):
        if row is None:
            lost += 1
            continue
        # Triggers update the counts of a job when its items are stored.
        counts = ITEM_STATES if table == "jobs" else ()
        _put(new, into, tuple(0 if name in counts else value for name, value in zip(columns, row, strict=True)))
    return lost


def _copy_documents(old: apsw.Connection, new: apsw.Connection, count: _Count, watch: Watch) -> None:
    columns = _shared_columns(old, new, "documents")
    names = ", ".join(f'"{name}"' for name in columns)
    # The addresses of the documents in their index, which may survive the rows.
    query = "SELECT id, url FROM documents INDEXED BY sqlite_autoindex_documents_1 WHERE url > '' ORDER BY url"
    pairs = ((row[0], row[1]) for row in _both_ways(old, query))
    addresses = {number: url for number, url in pairs if isinstance(number, int) and isinstance(url, str)}
    found = _by_number(old, "documents", f"SELECT {names} FROM documents", also=addresses)
    seen: set[int] = set()
    total = max(addresses, default=0) or 1
    new.execute("BEGIN")
    try:
        for place, row in enumerate(row for row in found if row is not None):
            if place % DOCUMENTS_PER_TRANSACTION == DOCUMENTS_PER_TRANSACTION - 1:
                new.execute("COMMIT")
                new.execute("BEGIN")
            document_id = int(str(row[0]))
            watch.at(0.95 * min(1.0, document_id / total))
            seen.add(document_id)
            if not _copy_document(old, new, columns, row, count):
                count.lost.append(str(row[1]))
        new.execute("COMMIT")
    except BaseException:
        if new.in_transaction:
            new.execute("ROLLBACK")
        raise
    count.lost += [url for document_id, url in addresses.items() if document_id not in seen]


def _copy_document(old: apsw.Connection, new: apsw.Connection, columns: Sequence[str], row: Row, count: _Count) -> bool:
    """Store a document with its remaining data; return False if its text is missing."""
    document_id, url, title = row[0], row[1], row[2]
    text_of = TEXT if "packed" in _columns(old, "document_texts") else "text"
    texts = _all(old, f"SELECT {text_of} FROM document_texts WHERE document_id = ?", document_id)
    if not texts or not isinstance(texts[0][0], str) or not isinstance(url, str) or "\0" in texts[0][0]:
        return False
    text = texts[0][0]
    values = dict(zip(columns, row, strict=True))
    for column, table in (("folder_id", "folders"), ("package_id", "packages")):
        if (
            values.get(column)
            and not new.execute(f"SELECT EXISTS (SELECT 1 FROM {table} WHERE id = ?)", (values[column],)).get
        ):
            values[column] = None
    into = f"INSERT OR IGNORE INTO documents({', '.join(values)}) VALUES({', '.join('?' * len(values))})"
    if not _put(new, into, tuple(values.values())) or not new.changes():
        return False
    new.execute("INSERT INTO document_texts(document_id, text) VALUES(?, ?)", (document_id, text))
    for table in DETAILS:
        for detail in _all(old, f"SELECT * FROM {table} WHERE document_id = ?", document_id) or ():
            _put(new, f"INSERT OR IGNORE INTO {table} VALUES({', '.join('?' * len(detail))})", detail)
    chunks = _all(old, "SELECT * FROM chunks WHERE document_id = ? ORDER BY ord", document_id)
    if chunks is None or not _are_whole(new, chunks, text, str(title)):
        _cut_anew(new, document_id, str(title), text)
        count.recut += 1
    else:
        new.executemany(f"INSERT INTO chunks VALUES({', '.join('?' * len(_columns(new, 'chunks')))})", chunks)
    new.execute("INSERT OR IGNORE INTO graph_waiting VALUES(?)", (document_id,))
    count.documents += 1
    return True


def _are_whole(new: apsw.Connection, chunks: Sequence[Row], text: str, title: str) -> bool:
    """Whether these are all chunks of the text, in order and with the correct values."""
    columns = _columns(new, "chunks")
    if not chunks and text.strip():
        return False
    for place, chunk in enumerate(chunks):
        values = dict(zip(columns, chunk, strict=True)) if len(chunk) == len(columns) else {}
        where = [values.get(name) for name in ("start", "end", "prefix_length", "suffix_length")]
        if values.get("ord") != place or values.get("title") != title or not isinstance(values.get("text"), str):
            return False
        if not all(isinstance(value, int) for value in where) or not is_cut_from(
            text, str(values["text"]), *(int(str(value)) for value in where)
        ):
            return False
    return True


def _cut_anew(new: apsw.Connection, document_id: Value, title: str, text: str) -> None:
    """Split a page into chunks of whole paragraphs, and clear its hash, so that fetching it restores its sections."""
    new.execute("DELETE FROM chunks WHERE document_id = ?", (document_id,))
    new.execute(
        "UPDATE documents SET content_hash = '', etag = NULL, last_modified = NULL WHERE id = ?", (document_id,)
    )
    pieces = list(_pieces(text))[: caps.MAX_CHUNKS_PER_DOCUMENT]
    new.executemany(
        'INSERT INTO chunks(document_id, key, ord, title, section_path, anchor, text, identifiers, "start", "end",'
        " prefix_length, suffix_length, tokens, created_at, updated_at)"
        " VALUES(?, ?, ?, ?, '', NULL, ?, '', ?, ?, 0, 0, ?, 0, 0)",
        (
            (
                *(document_id, hashlib.sha256(f"{start} {text[start:end]}".encode()).hexdigest(), place, title),
                *(text[start:end], start, end, estimate_tokens(text[start:end])),
            )
            for place, (start, end) in enumerate(pieces)
        ),
    )


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield ranges of up to PIECE_CHARS that end at a paragraph or, if not possible, a line or a word."""
    start = 0
    while start < len(text):
        end = min(len(text), start + PIECE_CHARS)
        if end < len(text):
            cuts = (text.rfind(mark, start + 1, end) for mark in ("\n\n", "\n", " "))
            end = next((cut for cut in cuts if cut > start), end)
        if text[start:end].strip():
            yield start, end
        start = end


def _by_number(
    old: apsw.Connection, table: str, select: str, also: dict[int, str] | None = None
) -> Iterator[Row | None]:
    """Yield the rows of a table by number (`also`: known numbers); None for each one that cannot be read."""
    last = max(_last_number(old, table), max(also or (0,), default=0))
    start, empty = 0, 0
    while start < last and empty < MAX_EMPTY_WINDOWS:
        end = min(last, start + ROWS_AT_ONCE)
        rows = _all(old, f"{select} WHERE rowid > ?1 AND rowid <= ?2 ORDER BY rowid", start, end)
        if rows is None:
            for number in range(start + 1, end + 1):
                single = _all(old, f"{select} WHERE rowid = ?", number)
                if single is None:
                    yield None
                else:
                    yield from single
        else:
            yield from rows
        empty = 0 if rows else empty + 1
        start = end


def _last_number(old: apsw.Connection, table: str) -> int:
    """Return the highest row number, from the table or SQLite's own record of assigned numbers."""
    for query in (
        f"SELECT max(rowid) FROM {table}",
        f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'",
        f"SELECT max(rowid) FROM (SELECT rowid FROM {table} ORDER BY rowid LIMIT -1)",
    ):
        found = _all(old, query)
        if found and isinstance(found[0][0], int):
            return found[0][0]
    return 0


def _both_ways(old: apsw.Connection, query: str) -> Iterator[Row]:
    """Yield the rows up to the damage, then from the other end up to it."""
    for each in (query, f"{query} DESC"):
        try:
            yield from old.execute(each)
            return
        except _DAMAGE as error:
            log.debug("reading ends at the damage: %s", error)


def _all(old: apsw.Connection, query: str, *values: Value) -> list[Row] | None:
    """Return the rows of a query, or None if one cannot be read."""
    try:
        return old.execute(query, values).fetchall()
    except _DAMAGE as error:
        log.debug("rows cannot be read: %s", error)
        return None


def _put(new: apsw.Connection, statement: str, values: Row) -> bool:
    """Store a row; return False if the table refuses it, because damage can leave any value."""
    try:
        new.execute(statement, values)
    except (apsw.ConstraintError, apsw.MismatchError, apsw.TooBigError, UnicodeEncodeError) as error:
        log.debug("a row is left out: %s", error)
        return False
    return True


def _shared_columns(old: apsw.Connection, new: apsw.Connection, table: str) -> list[str]:
    """Return the columns to copy. A file of an earlier version does not have those that migrations added."""
    known = _columns(old, table)
    return [name for name in _columns(new, table) if name in known or not known]


def _columns(con: apsw.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in con.execute(f"PRAGMA table_info({table})")]
