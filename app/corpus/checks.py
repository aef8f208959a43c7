"""Checks of the whole file: SQLite integrity, consistency of tables and quotes, and space by content."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import apsw
import numpy as np

from app import caps
from app.corpus.database import connect, translated
from app.corpus.document_writer import unpack_urls
from app.corpus.migrations import differences
from app.corpus.models import KEYS, SECOND
from app.corpus.page_texts import TEXT
from app.corpus.records import Problem, StorageUse
from app.corpus.vector_index import precise, sign_bits, vectors_of
from app.corpus.vectors import ROWS_PER_CHUNK, read_token_vectors
from app.corpus.versions import texts_of
from app.corpus.watch import UNWATCHED, Watch
from app.errors import CorpusError
from app.library.job_records import ItemState, JobKind, JobState
from app.library.records import UNIT_TOLERANCE, CameBy, is_cut_from
from app.text.entities import EntityKind
from app.text.sentence import sentence

MAX_PROBLEMS_PER_CHECK: Final = 20
INTEGRITY: Final = f"PRAGMA integrity_check({MAX_PROBLEMS_PER_CHECK})"
QUICK_CHECK_SECONDS: Final = 10.0
QUICK_CHECK_STEPS: Final = 100_000  # SQLite steps between two checks of the time.
_CODES: Final = """
SELECT b.chunk_id FROM {p}embedding_bits b JOIN models m ON m.id = b.model_id
JOIN meta ON meta.key = '{key}' AND meta.value = m.fingerprint
"""
_SIGNED: Final = f"""
SELECT DISTINCT id / {ROWS_PER_CHUNK} AS id FROM {{p}}token_rows UNION ALL SELECT DISTINCT chunk_id FROM {{p}}token_parts
"""
FIRST_SIGNED: Final = f"{_SIGNED.format(p='')} UNION ALL SELECT chunk_id FROM token_vectors"
SECOND_SIGNED: Final = _SIGNED.format(p=SECOND)
CURRENT_CODES: Final = f"""
{_CODES.format(p="", key=KEYS[""])} UNION SELECT e.chunk_id FROM second_embeddings e
JOIN chunks c ON c.id = e.chunk_id JOIN foreign_pages f ON f.document_id = c.document_id
"""
SECOND_CODES: Final = _CODES.format(p=SECOND, key=KEYS[SECOND])
DISAGREEMENTS: Final = {
    "chunks without an entry in the keyword index": "SELECT id FROM chunks EXCEPT SELECT id FROM chunks_fts_docsize",
    "keyword entries without a chunk": "SELECT id FROM chunks_fts_docsize EXCEPT SELECT id FROM chunks",
    "documentation pages without text or index entries": """
        SELECT id FROM doc_pages EXCEPT
          SELECT page_id FROM doc_texts WHERE page_id IN (SELECT id FROM doc_words_docsize)""",
    "index entries of missing documentation pages": "SELECT id FROM doc_words_docsize EXCEPT SELECT id FROM doc_pages",
    "vectors without a sign code": """
        SELECT chunk_id FROM embeddings EXCEPT SELECT chunk_id FROM embedding_bits
        UNION SELECT * FROM (SELECT chunk_id FROM second_embeddings EXCEPT SELECT chunk_id FROM second_embedding_bits)""",
    "vectors without token vectors": f"""
        SELECT chunk_id FROM embeddings EXCEPT SELECT * FROM ({FIRST_SIGNED})
        UNION SELECT * FROM (SELECT chunk_id FROM second_embeddings EXCEPT SELECT * FROM ({SECOND_SIGNED}))""",
    "token vectors without a vector": f"""
        SELECT * FROM ({FIRST_SIGNED}) EXCEPT SELECT chunk_id FROM embeddings
        UNION SELECT * FROM (SELECT * FROM ({SECOND_SIGNED}) EXCEPT SELECT chunk_id FROM second_embeddings)""",
    "token vectors stored twice": f"""
        SELECT id FROM ({FIRST_SIGNED}) GROUP BY id HAVING count(*) > 1
        UNION SELECT id FROM ({SECOND_SIGNED}) GROUP BY id HAVING count(*) > 1""",
    "sign codes stored for another model or document": """
        SELECT b.chunk_id FROM embedding_bits b JOIN embeddings e USING (chunk_id)
        JOIN chunks c ON c.id = b.chunk_id
        WHERE b.model_id <> e.model_id OR b.document_id <> c.document_id""",
    "chunks neither embedded nor queued": f"""
        SELECT id FROM chunks EXCEPT SELECT chunk_id FROM waiting EXCEPT SELECT * FROM ({CURRENT_CODES})""",
    "chunks embedded and still queued": f"SELECT chunk_id FROM waiting INTERSECT SELECT * FROM ({CURRENT_CODES})",
    "chunks neither embedded by the second model nor queued for it": f"""
        SELECT id FROM chunks WHERE EXISTS (SELECT 1 FROM meta WHERE key = '{KEYS[SECOND]}')
        EXCEPT SELECT chunk_id FROM second_waiting EXCEPT {SECOND_CODES}""",
    "chunks embedded by the second model and still queued for it": f"""
        SELECT chunk_id FROM second_waiting INTERSECT {SECOND_CODES}""",
    "chunks of pages in other languages embedded by both models": """
        SELECT e.chunk_id FROM embeddings e JOIN second_embeddings USING (chunk_id) JOIN chunks c ON c.id = e.chunk_id
        JOIN foreign_pages USING (document_id)""",
    "chunks whose title differs from their document": """
        SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.title <> d.title""",
    "documents whose chunk numbers have gaps": """
        SELECT document_id FROM chunks GROUP BY document_id
        HAVING min(ord) <> 0 OR max(ord) <> count(*) - 1 OR count(DISTINCT ord) <> count(*)""",
    "documents without text": "SELECT id FROM documents EXCEPT SELECT document_id FROM document_texts",
    "documents whose address is also an alias": "SELECT id FROM documents WHERE url IN (SELECT url FROM aliases)",
    "documents of a folder without file time and size": """
        SELECT id FROM documents WHERE folder_id IS NOT NULL AND (file_mtime_ns IS NULL OR file_bytes IS NULL)""",
    "cited documents without a record of the cited text": """
        SELECT id FROM documents WHERE (cited_at IS NULL) <> (cited_hash IS NULL)""",
    "entities without mentions": "SELECT id FROM entities EXCEPT SELECT entity_id FROM mentions",
    "mentions in sections that do not exist": """
        SELECT document_id FROM mentions WHERE section <> -1
        AND document_id NOT IN (SELECT document_id FROM graph_waiting)
        AND NOT EXISTS (SELECT 1 FROM sections s WHERE s.document_id = mentions.document_id AND s.ord = section)""",
    "jobs whose counts do not match their items": """
        SELECT id FROM jobs WHERE (waiting, stored, updated, unchanged, skipped, failed) <> (
          SELECT count(*) FILTER (WHERE state = 'waiting'), count(*) FILTER (WHERE state = 'stored'),
            count(*) FILTER (WHERE state = 'updated'), count(*) FILTER (WHERE state = 'unchanged'),
            count(*) FILTER (WHERE state = 'skipped'), count(*) FILTER (WHERE state = 'failed')
          FROM job_items WHERE job_id = jobs.id)""",
}
DOCUMENT_TEXTS: Final = f"SELECT d.id, d.url, {TEXT} FROM documents d JOIN document_texts t ON t.document_id = d.id"
CHUNKS: Final = """
SELECT id, text, "start", "end", prefix_length, suffix_length FROM chunks WHERE document_id = ?
"""
CODED_VECTORS: Final = """
SELECT e.chunk_id, e.vector, b.bits, m.id, m.dimension FROM {p}embeddings e
JOIN models m ON m.id = e.model_id JOIN {p}embedding_bits b ON b.chunk_id = e.chunk_id
"""
CONTENTS: Final = """
SELECT count(*), max(id), max(changed_at), max(last_crawled) FROM documents
UNION ALL SELECT count(*), max(ord), max(created_at), 0 FROM pinned_passages
UNION ALL SELECT count(*), max(id), max(added_at), 0 FROM folders
UNION ALL SELECT count(*), max(id), max(finished_at), sum(waiting) FROM jobs
UNION ALL SELECT count(*), max(id), max(created_at), group_concat(name, char(10)) FROM labels
UNION ALL SELECT count(*), sum(label_id), max(added_at), 0 FROM labelled
"""
STATES: Final = (
    ("job", "SELECT id, state FROM jobs", {state.value for state in JobState}),
    ("item", "SELECT id, state FROM job_items", {state.value for state in ItemState}),
    ("origin of page", "SELECT id, came_by FROM documents", {way.value for way in CameBy}),
    ("job", "SELECT id, kind FROM jobs", {kind.value for kind in JobKind}),
    ("entity", "SELECT id, kind FROM entities", {kind.value for kind in EntityKind}),
)
HAS_SECOND: Final = f"SELECT EXISTS (SELECT 1 FROM meta WHERE key = '{KEYS[SECOND]}')"
VECTORS: Final = "embeddings embedding_bits token_rows token_parts"
SECOND_VECTORS: Final = tuple(f"{SECOND}{name}" for name in VECTORS.split())
# Tables by content; all others count as search indexes.
TABLES: Final = {
    "texts": "documents document_texts aliases sections links images chunks navigation"
    " versions folders docsets doc_pages doc_texts",
    "vectors": f"{VECTORS} token_vectors {' '.join(SECOND_VECTORS)}",
    "pins": "pinned_passages",
    "records": "activity jobs job_items labels labelled",
}
COMPACT_BYTES: Final = 32 * caps.MIB
COMPACT_SHARE: Final = 0.2
"""Compacting is suggested if it frees at least this much, and this share of the file."""
SHRUNK: Final = ("embeddings", "document_texts")  # Rewriting an earlier version leaves their pages partly empty.
USUAL_SLACK: Final = 0.1  # Share of their pages that is unused after compacting, at most.
SLACK: Final = "SELECT coalesce(sum(unused), 0), coalesce(sum(pgsize), 0) FROM dbstat WHERE name = ? AND aggregate = 1"
DAMAGED: Final = "the file is damaged"
IN_MEMORY: Final = Path(":memory:")

Check = Callable[[apsw.Connection], Iterator[str]]


def verify(con: apsw.Connection, watch: Watch = UNWATCHED) -> list[Problem]:
    """Return all problems that reading finds, at most MAX_PROBLEMS_PER_CHECK per check."""
    problems: list[Problem] = []
    for number, (name, check) in enumerate(CHECKS.items()):
        watch.at(number / len(CHECKS))
        with watch.over(con):
            problems += _run(name, check, con)
    return problems


def verify_keyword_index(con: apsw.Connection) -> list[Problem]:
    """Check that the keyword index contains the words of the chunks. Needs the writer, but changes nothing."""
    check = "INSERT INTO chunks_fts(chunks_fts, rank) VALUES('integrity-check', 1)"
    return _run("keyword index", lambda con: (str(row) for row in con.execute(check)), con)


def structure(con: apsw.Connection) -> str:
    """Return the problem that SQLite's quick check finds in the file; empty if none."""
    try:
        found = [str(message) for (message,) in con.execute("PRAGMA quick_check(1)")]
    except (apsw.CorruptError, apsw.NotADBError) as error:
        return str(error)
    return "" if found == ["ok"] else " ".join("; ".join(found).split())[: caps.MAX_DETAIL_CHARS]


def damage_in(problems: Iterable[Problem]) -> str:
    """Return the first problem of the file itself, not of its content."""
    damage = (each.detail for each in problems if each.check == "file" or DAMAGED in each.detail)
    return " ".join(next(damage, "").split())[: caps.MAX_DETAIL_CHARS]


def contents_mark(con: apsw.Connection) -> str:
    """Return a value that changes when a page, pin, folder, job or label is added, changed or removed."""
    return "|".join(str(value) for row in con.execute(CONTENTS) for value in row)


def storage_use(con: apsw.Connection) -> StorageUse:
    """Return the bytes by content; tables not in `TABLES` count as indexes. Reads every page of the file."""
    sums = dict.fromkeys((*TABLES, "indexes"), 0)
    for name, size in con.execute("SELECT name, pgsize FROM dbstat WHERE aggregate = 1"):
        sums[next((kind for kind, names in TABLES.items() if name in names.split()), "indexes")] += size
    unused = con.pragma("freelist_count") * con.pragma("page_size")
    return StorageUse(**sums, unused=unused, reclaimable=reclaimable(con))


def reclaimable(con: apsw.Connection) -> int:
    """Estimate the bytes that compacting frees, 0 if it is not worth it. Reads the pages of the tables with rows that became smaller."""
    free = con.pragma("freelist_count") * con.pragma("page_size")
    for table in SHRUNK:
        unused, size = con.execute(SLACK, (table,)).get
        free += max(0, int(unused - USUAL_SLACK * size))
    if not con.execute(HAS_SECOND).get:
        # The vectors of a removed model.
        sizes = (con.execute(SLACK, (table,)).get for table in SECOND_VECTORS)
        free += sum(size for _, size in sizes)
    enough = max(COMPACT_BYTES, int(COMPACT_SHARE * con.pragma("page_count") * con.pragma("page_size")))
    return free if free >= enough else 0


def quick_check(path: Path, *, seconds: float = QUICK_CHECK_SECONDS) -> tuple[str, bool]:
    """Return what is wrong with the file (empty: nothing), and whether the check finished. Raises CorpusError."""
    deadline = time.monotonic() + seconds
    with reading(path) as con:
        con.set_progress_handler(lambda: time.monotonic() > deadline, QUICK_CHECK_STEPS)
        try:
            found = [str(message) for (message,) in con.execute("PRAGMA quick_check(1)")]
        except apsw.InterruptError:
            return "", False
    return "" if found == ["ok"] else "; ".join(found), True


def estimate_reclaimable(path: Path) -> int:
    """Return the same for a file. Raises CorpusError."""
    with reading(path) as con:
        return reclaimable(con)


def has_second_model(path: Path) -> bool:
    """Whether the file has a second model; also False if it is missing or cannot be read."""
    try:
        with reading(path) as con:
            return bool(con.execute(HAS_SECOND).get)
    except (CorpusError, apsw.SQLError):
        return False


def count_chunks(path: Path) -> int:
    """Return the number of passages in the file, 0 without a file. Raises CorpusError."""
    if not path.exists():
        return 0
    with reading(path) as con:
        return int(con.execute("SELECT count(*) FROM chunks").get)


@contextmanager
def reading(path: Path, options: str = "") -> Iterator[apsw.Connection]:
    """Open the file without changing it. `options` are added to its address. Raises CorpusError."""
    address = f"{path.absolute().as_uri()}?mode=ro{options}"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    with translated(path), closing(apsw.Connection(address, flags=flags)) as con:
        con.set_busy_timeout(caps.BUSY_TIMEOUT_MS)
        yield con


def probe_database() -> str:
    """Return the version of SQLite after a test search in memory. Raises CorpusError."""
    with translated(IN_MEMORY), closing(connect(IN_MEMORY)) as con:
        try:
            con.execute("CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'unicode61')")
            con.execute("INSERT INTO words (text) VALUES ('a cracked seal'), ('a dry valve')")
            if con.execute("SELECT text FROM words WHERE words MATCH 'seal'").get != "a cracked seal":
                raise CorpusError(
                    sentence("SQLite does not find data that it just stored."), hint="Reinstall the application."
                )
            return f"SQLite {apsw.sqlite_lib_version()}, FTS5"
        except apsw.SQLError as error:
            raise CorpusError(
                sentence("SQLite is incomplete ({}).", error), hint="Reinstall the application."
            ) from error


def _run(name: str, check: Check, con: apsw.Connection) -> list[Problem]:
    problems: list[Problem] = []
    try:
        for detail in check(con):
            if len(problems) == MAX_PROBLEMS_PER_CHECK:
                return [*problems, Problem(name, "… and more")]
            problems.append(Problem(name, detail))
    except apsw.CorruptError as error:
        problems.append(Problem(name, f"{DAMAGED} ({error})"))
    except UnicodeDecodeError as error:
        problems.append(Problem(name, f"{DAMAGED} (invalid UTF-8: {error.reason})"))
    except (TypeError, ValueError, ArithmeticError) as error:
        problems.append(Problem(name, f"a value has the wrong type ({error})"))
    return problems


def _agreement(con: apsw.Connection) -> Iterator[str]:
    for what, query in DISAGREEMENTS.items():
        found = [str(row[0]) for row in con.execute(query)]
        if found:
            yield f"{len(found)} {what}: ids {', '.join(found[:5])}"


def _texts(con: apsw.Connection) -> Iterator[str]:
    for document_id, url, text in con.execute(DOCUMENT_TEXTS):
        for chunk_id, chunk_text, *place in con.execute(CHUNKS, (document_id,)):
            kinds = [type(each) for each in (text, chunk_text, *place)]
            if kinds != [str, str, int, int, int, int]:
                yield f"chunk {chunk_id} of {url}: a text or position has the wrong type"
            elif not is_cut_from(text, chunk_text, *place):
                yield f"chunk {chunk_id} does not match the text of {url} at {place[0]}-{place[1]}"


def _navigation(con: apsw.Connection) -> Iterator[str]:
    for document_id, blob in con.execute("SELECT document_id, urls FROM navigation"):
        try:
            unpack_urls(blob)
        except CorpusError as error:
            yield f"the navigation links of document {document_id} cannot be read ({error.message})"


def _versions(con: apsw.Connection) -> Iterator[str]:
    for document_id, count in con.execute("SELECT document_id, count(*) FROM versions GROUP BY document_id"):
        readable = sum(1 for _ in texts_of(con, document_id))
        if readable < count:
            yield f"{count - readable} of {count} earlier versions of document {document_id} cannot be read"


def _vectors(con: apsw.Connection) -> Iterator[str]:
    rows = ((prefix, row) for prefix in KEYS for row in con.execute(CODED_VECTORS.format(p=prefix)))
    for prefix, (chunk_id, blob, bits, model_id, dimension) in rows:
        if len(blob) not in (dimension, dimension * 2, dimension * 4):
            yield f"the vector of chunk {chunk_id} has {len(blob)} bytes instead of {dimension}"
            continue
        vector = vectors_of([blob], dimension)[0] if len(blob) == dimension else precise(blob, dimension)
        if not abs(float(np.linalg.norm(vector)) - 1) <= UNIT_TOLERANCE:
            yield f"the vector of chunk {chunk_id} does not have unit length"
        if bits != sign_bits(vector).tobytes():
            yield f"the sign code of chunk {chunk_id} does not match its vector"
        try:
            read_token_vectors(con, [chunk_id], model_id, dimension, prefix)
        except (ValueError, IndexError):
            yield f"the token vectors of chunk {chunk_id} cannot be read"


CHECKS: Final[dict[str, Check]] = {
    "file": lambda con: (message for (message,) in con.execute(INTEGRITY) if message != "ok"),
    "schema": differences,
    "references": lambda con: (
        f"row {row_id} of {table} refers to a missing row of {parent}"
        for table, row_id, parent, _ in con.execute("PRAGMA foreign_key_check")
    ),
    "agreement": _agreement,
    "texts": _texts,
    "jobs": lambda con: (
        f"{what} {id_} is {found!r}"
        for what, query, known in STATES
        for id_, found in con.execute(query)
        if found not in known
    ),
    "navigation": _navigation,
    "versions": _versions,
    "vectors": _vectors,
}
