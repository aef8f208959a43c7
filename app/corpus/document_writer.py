"""Write a whole document in the caller's transaction; unchanged chunks stay as they are. Navigation links are stored as one packed list."""

from __future__ import annotations

import time
import zlib
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import astuple, replace
from itertools import accumulate
from pathlib import Path
from typing import Final

import apsw

from app import caps
from app.corpus import versions
from app.corpus.database import id_list, ids_of, join_path, text_list
from app.corpus.models import KEYS, note_language
from app.corpus.page_texts import write_text
from app.corpus.versions import HINT
from app.errors import CorpusError, FileAccessError
from app.library.records import CameBy, DocumentIn, StoreOutcome, short_key
from app.library.scope import place_of
from app.text.scripts import indexed_beside
from app.text.sentence import sentence

MAX_NAVIGATION_BYTES: Final = caps.MAX_NAVIGATION_LINKS * caps.MAX_URL_CHARS  # Largest unpacked list of other links.

CHUNK_COLUMNS = 'ord, section_path, anchor, text, identifiers, "start", "end", prefix_length, suffix_length, tokens'

FOLDER_EXISTS: Final = "SELECT EXISTS (SELECT 1 FROM folders WHERE id = ?)"
PACKAGE_EXISTS: Final = "SELECT EXISTS (SELECT 1 FROM packages WHERE id = ?)"
INSERT_CHUNK = f"""
INSERT INTO chunks(document_id, key, title, created_at, updated_at, {CHUNK_COLUMNS})
VALUES(?, ?, ?, ?, ?, {", ".join("?" * 10)}) RETURNING id
"""
UPDATE_CHUNK = f"UPDATE chunks SET updated_at = ?, ({CHUNK_COLUMNS}) = ({', '.join('?' * 10)}) WHERE id = ?"
FACTS: Final = "title, kind, language, content_hash, etag, last_modified, published, last_crawled, note, url"
INSERT_DOCUMENT = f"""
INSERT INTO documents({FACTS}, folder_id, file_mtime_ns, file_bytes, package_id, changed_at, came_by)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
"""
UPDATE_DOCUMENT = """
UPDATE documents SET title = ?1, kind = ?2, language = ?3, etag = ?5, last_modified = ?6, published = ?7,
  last_crawled = ?8, note = ?9, folder_id = ?11, file_mtime_ns = ?12, file_bytes = ?13, package_id = ?14, content_hash = ?4,
  changed_at = CASE WHEN content_hash = ?4 THEN changed_at ELSE ?8 END
WHERE url = ?10
"""
WEAKER: Final = {
    CameBy.PERSON: tuple(each for each in CameBy if each is not CameBy.PERSON),
    CameBy.BROWSER: (CameBy.UNKNOWN, CameBy.ASSISTANT, CameBy.CRAWL, CameBy.LINK),
    CameBy.ASSISTANT: (CameBy.LINK,),
    CameBy.CRAWL: (CameBy.LINK,),
    CameBy.UNKNOWN: (CameBy.LINK,),
    CameBy.LINK: (),
}  # Origins of a stored page that a stronger one replaces.
CLAIM: Final = "UPDATE documents SET came_by = ?1 WHERE id = ?2 AND came_by IN (SELECT value FROM carray(?3))"
FORGET_ALIASES = """
DELETE FROM aliases WHERE url IN (
  SELECT url FROM aliases WHERE document_id = ?1
  ORDER BY url IN (SELECT value FROM carray(?2)) DESC, url LIMIT -1 OFFSET ?3
)
"""
MOVE_LABELS: Final = """
INSERT OR IGNORE INTO labelled(document_id, label_id, added_at)
SELECT ?, label_id, added_at FROM labelled WHERE document_id IN (SELECT value FROM carray(?))
"""
ChunkRow = tuple[int, str, str | None, str, str, int, int, int, int, int]


def store(con: apsw.Connection, document: DocumentIn) -> StoreOutcome:
    """Insert the document or replace the one with its address; its mentions are extracted later."""
    now = time.time()
    known = con.execute("SELECT id FROM documents WHERE url = ?", (document.url,)).get
    chunks = tuple(replace(chunk, key=short_key(chunk.key)) for chunk in document.chunks)
    document = replace(document, last_crawled=document.last_crawled or now, chunks=chunks)
    removed = 0
    if known is not None:
        versions.keep(con, known, document, document.last_crawled)
        keys = {chunk.key for chunk in document.chunks}
        stored = list(con.execute("SELECT id, key FROM chunks WHERE document_id = ?", (known,)))
        vanished = ids_of(row[0] for row in stored if short_key(row[1]) not in keys)
        con.execute("DELETE FROM chunks WHERE id IN (SELECT value FROM carray(?))", (id_list(vanished),))
        removed = len(vanished)
    document_id = _write_document(con, document, known)
    note_language(con, document_id, document.text, document.language)
    kept, new_ids = _write_chunks(con, document_id, document, now)
    _write_structure(con, document_id, document)
    _write_aliases(con, document_id, document, is_new=known is None)
    con.execute("INSERT OR IGNORE INTO graph_waiting(document_id) VALUES(?)", (document_id,))
    return StoreOutcome(document_id, tuple(new_ids), kept, removed)


def claim(con: apsw.Connection, document_id: int, came_by: CameBy) -> bool:
    """Record another origin of a stored page; return whether it replaces the recorded one."""
    weaker = WEAKER[came_by]
    if not weaker:
        return False
    con.execute(CLAIM, (came_by.value, document_id, text_list(each.value for each in weaker)))
    return con.changes() > 0


def _write_document(con: apsw.Connection, document: DocumentIn, known: int | None) -> int:
    file = document.file
    if file is not None and file.folder_id is not None and not con.execute(FOLDER_EXISTS, (file.folder_id,)).get:
        raise FileAccessError(sentence("The folder of {} was removed.", document.url), hint="Add the folder again.")
    if document.package_id is not None and not con.execute(PACKAGE_EXISTS, (document.package_id,)).get:
        raise FileAccessError(sentence("The package of {} was removed.", document.url), hint="Add the package again.")
    stamp = astuple(file) if file is not None else (None, None, None)
    values = (*(getattr(document, name) for name in FACTS.split(", ")), *stamp, document.package_id)
    document_id: int
    if known is None:
        document_id = con.execute(INSERT_DOCUMENT, (*values, document.last_crawled, document.came_by.value)).get
    else:
        document_id = known
        con.execute(UPDATE_DOCUMENT, values)
    write_text(con, document_id, document.text)
    tag_document(con, document_id, document.url, file.folder_id if file is not None else None)
    return document_id


def tag_document(con: apsw.Connection, document_id: int, url: str, folder_id: int | None) -> None:
    """Set tag and path of a stored document, in a folder or on its own."""
    name, folder = ("", "")
    if folder_id is not None:
        name, folder = con.execute("SELECT name, path FROM folders WHERE id = ?", (folder_id,)).get
    address = Path(folder).as_uri() if Path(folder).is_absolute() else ""
    found = place_of(url, folder_name=name, folder_url=address)
    con.execute(
        "UPDATE documents SET doc_tag = ?1, doc_path = ?2 WHERE id = ?3 AND (doc_tag, doc_path) IS NOT (?1, ?2)",
        (found.tag, found.path, document_id),
    )


def _write_chunks(con: apsw.Connection, document_id: int, document: DocumentIn, now: float) -> tuple[int, list[int]]:
    """Insert and update chunks; return how many were kept, and the IDs of those with new text."""
    stored: dict[str, tuple[int, ChunkRow]] = {
        short_key(row[0]): (row[1], row[2:])
        for row in con.execute(f"SELECT key, id, {CHUNK_COLUMNS} FROM chunks WHERE document_id = ?", (document_id,))
    }
    new_ids: list[int] = []
    kept = 0
    for ord_, chunk in enumerate(document.chunks):
        identifiers = indexed_beside(chunk.identifiers, document.title, *chunk.section_path, chunk.text)
        place = (chunk.start, chunk.end, chunk.prefix_length, chunk.suffix_length, chunk.tokens)
        row = (ord_, join_path(chunk.section_path), chunk.anchor, chunk.text, identifiers, *place)
        if chunk.key not in stored:
            fixed = (document_id, chunk.key, document.title, now, now)
            new_ids.append(con.execute(INSERT_CHUNK, (*fixed, *row)).get)
            continue
        chunk_id, old = stored[chunk.key]
        if old != row:
            con.execute(UPDATE_CHUNK, (now, *row, chunk_id))
        if old[3] == chunk.text:
            kept += 1
        else:
            for prefix in KEYS:
                con.execute(f"DELETE FROM {prefix}embeddings WHERE chunk_id = ?", (chunk_id,))
            new_ids.append(chunk_id)
    return kept, new_ids


def _write_structure(con: apsw.Connection, document_id: int, document: DocumentIn) -> None:
    sections = ((each.level, each.heading, each.anchor, each.start, each.end) for each in document.sections)
    links = ((each.url, each.text, each.start, each.end) for each in document.links)
    images = ((each.url, each.alt, each.caption, each.position) for each in document.images)
    for table, rows, width in (("sections", sections, 7), ("links", links, 6), ("images", images, 6)):
        con.execute(f"DELETE FROM {table} WHERE document_id = ?", (document_id,))
        numbered = ((document_id, ord_, *row) for ord_, row in enumerate(rows))
        con.executemany(f"INSERT INTO {table} VALUES({', '.join('?' * width)})", numbered)
    if not document.navigation:
        con.execute("DELETE FROM navigation WHERE document_id = ?", (document_id,))
        return
    con.execute(
        "INSERT INTO navigation(document_id, urls) VALUES(?, ?)"
        " ON CONFLICT(document_id) DO UPDATE SET urls = excluded.urls WHERE urls <> excluded.urls",
        (document_id, pack_urls(document.navigation)),
    )


def _write_aliases(con: apsw.Connection, document_id: int, document: DocumentIn, *, is_new: bool) -> None:
    """Point aliases to the document and delete pages stored under them; earlier aliases remain."""
    con.execute("DELETE FROM aliases WHERE url = ?", (document.url,))
    aliases = dict.fromkeys(url for url in document.aliases if url and url != document.url)
    if not aliases:
        return
    # Documents under these addresses are deleted. Their aliases, labels and, of a single one, its text are kept.
    query = "SELECT id, came_by FROM documents WHERE url IN (SELECT value FROM carray(?))"
    absorbed: list[tuple[int, str]] = list(con.execute(query, (text_list(aliases),)))
    ids = id_list(number for number, _ in absorbed)
    lead_here = "UPDATE aliases SET document_id = ? WHERE document_id IN (SELECT value FROM carray(?))"
    con.execute(lead_here, (document_id, ids))
    con.execute(MOVE_LABELS, (document_id, ids))
    for _, came_by in absorbed:
        claim(con, document_id, CameBy(came_by))
    if is_new and len(absorbed) == 1:
        versions.hand_over(con, absorbed[0][0], document, document.last_crawled, document_id)
    con.execute("DELETE FROM documents WHERE id IN (SELECT value FROM carray(?))", (ids,))
    con.executemany(
        "INSERT INTO aliases(url, document_id) VALUES(?, ?)"
        " ON CONFLICT(url) DO UPDATE SET document_id = excluded.document_id",
        [(url, document_id) for url in aliases],
    )
    con.execute(FORGET_ALIASES, (document_id, text_list(aliases), caps.MAX_ALIASES_PER_DOCUMENT))


def pack_urls(urls: Iterable[str]) -> bytes:
    """Pack one address per line, up to MAX_NAVIGATION_BYTES; skips invalid addresses with line breaks."""
    lines = [url.encode() for url in urls if url and "\n" not in url]
    ends = accumulate(len(line) + 1 for line in lines)
    count = bisect_right(list(ends), MAX_NAVIGATION_BYTES + 1)
    return zlib.compress(b"\n".join(lines[:count]))


def unpack_urls(blob: bytes) -> list[str]:
    """Unpack the addresses. Raises CorpusError if the list is damaged or longer than `pack_urls` allows."""
    inflater = zlib.decompressobj()
    try:
        # One byte more than the limit, so that a list of exactly the largest size ends properly.
        lines = inflater.decompress(blob, MAX_NAVIGATION_BYTES + 1)
        if len(lines) > MAX_NAVIGATION_BYTES:
            raise CorpusError(sentence("The stored links exceed {} MiB.", MAX_NAVIGATION_BYTES // caps.MIB), hint=HINT)
        if not inflater.eof:
            raise CorpusError(sentence("The stored links of this page are incomplete."), hint=HINT)
        return [url for url in lines.decode().split("\n") if url]
    except (zlib.error, UnicodeDecodeError) as error:
        raise CorpusError(sentence("The stored links of this page are damaged ({}).", error), hint=HINT) from error
