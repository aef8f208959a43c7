"""Documentation folders as trees of pages: written by folder, read by path, searched by word.

Also reads the names in the index of a docset (Dash, Zeal, doc2dash), from memory; nothing in it is trusted.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

import apsw
import numpy as np
from numpy.typing import NDArray

from app import caps
from app.corpus.chunks import index_words
from app.corpus.database import Database, Store, id_list
from app.corpus.folders import GUIDE
from app.corpus.page_texts import TEXT
from app.corpus.vector_index import Model, vectors_of
from app.errors import FileAccessError
from app.library.packages import PACKAGE_SCHEME
from app.text.sentence import sentence

DOC_CENTRES_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class DocSection:
    """A heading of a page with its anchor; `last_line` precedes the next heading of the same or a higher level."""

    level: int
    heading: str
    first_line: int
    last_line: int
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class DocStamp:
    """Detects whether a file has changed since it was read."""

    mtime_ns: int
    bytes: int
    hash: str


@dataclass(frozen=True, slots=True)
class DocPageIn:
    """A page to store; `path` is relative to its folder, with "/". `identifiers` are the words in code names."""

    path: str
    url: str
    title: str
    category: str
    content: str
    sections: tuple[DocSection, ...]
    identifiers: str
    words: int
    stamp: DocStamp


@dataclass(frozen=True, slots=True)
class DocChanges:
    """Differences between a folder and its index. `stamps` belong to files with unchanged content, `categories` to pages that remain."""

    pages: tuple[DocPageIn, ...] = ()
    removed: tuple[str, ...] = ()
    stamps: tuple[tuple[str, DocStamp], ...] = ()
    categories: tuple[tuple[str, str], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Docset:
    """A folder or a package as a tree of pages. `root` is the path of a folder, empty for the bundled guide; `revision` increases with
    every change. `package_id` is 0 unless it is a package, which never changes; only current versions are searched unless named.
    """

    id: int
    name: str
    root: str
    version: str
    revision: int
    built_at: float
    note: str
    package_id: int = 0
    is_current: bool = True


@dataclass(frozen=True, slots=True)
class DocPageHead:
    """A page without its text."""

    id: int
    path: str
    title: str
    category: str
    sections: tuple[DocSection, ...]
    words: int


@dataclass(frozen=True, slots=True)
class DocPage:
    """A page with its text as in the file."""

    head: DocPageHead
    url: str
    content: str
    stamp: DocStamp


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Occurrences of a word in each part of a page."""

    title: int = 0
    headings: int = 0
    content: int = 0
    path: int = 0
    identifiers: int = 0


@dataclass(frozen=True, slots=True)
class PageChunks:
    """The chunks of the document with the same page: how many have vectors, and a value that changes with them."""

    page_id: int
    document_id: int
    chunks: int
    embedded: int
    mark: int


Centre = NDArray[np.float32]
DOCSETS: Final = f"""
SELECT s.id, coalesce(f.name, replace(p.name, '/', '+') || '@' || p.version, '{GUIDE}'), coalesce(f.path, ''), s.version, s.revision,
  s.built_at, s.note, coalesce(p.id, 0), coalesce(p.is_current, 1)
FROM docsets s LEFT JOIN folders f ON f.id = s.folder_id LEFT JOIN packages p ON p.id = s.package_id
ORDER BY s.package_id IS NOT NULL, s.folder_id IS NOT NULL, coalesce(f.name, p.name, '')
"""
ADD_MISSING: Final = """
INSERT INTO docsets(folder_id, version, revision, built_at, note)
SELECT id, '', 0, 0.0, '' FROM (SELECT id FROM folders UNION ALL SELECT NULL) wanted
WHERE NOT EXISTS (SELECT 1 FROM docsets s WHERE s.folder_id IS wanted.id AND s.package_id IS NULL)
"""
LACKS_SOME: Final = (
    "SELECT (SELECT count(*) FROM docsets WHERE package_id IS NULL) < (SELECT count(*) FROM folders) + 1"
)
"""Whether a folder or the guide does not have a row yet."""
HEADS: Final = "SELECT id, path, title, category, sections, words FROM doc_pages WHERE docset_id = ? ORDER BY path"
# The page of a package has the text of its document.
CONTENT: Final = f"""
iif(t.content <> '', t.content, coalesce(
  (SELECT {TEXT} FROM documents d JOIN document_texts x ON x.document_id = d.id WHERE d.url = p.url), ''))
"""
PAGE: Final = f"""
SELECT p.id, p.path, p.title, p.category, p.sections, p.words, p.url, {CONTENT}, p.mtime_ns, p.bytes, p.hash
FROM doc_pages p JOIN doc_texts t ON t.page_id = p.id WHERE p.docset_id = ?1 AND (?2 IS NULL OR p.path = ?2) ORDER BY p.path
"""
STORE_PAGE: Final = """
INSERT INTO doc_pages(docset_id, path, url, title, category, sections, mtime_ns, bytes, hash, words)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
COLUMNS: Final = ("title", "headings", "content", "path", "identifiers")
COUNTS: Final = f"""
SELECT doc, {", ".join(f"sum(col = '{column}')" for column in COLUMNS)} FROM doc_vocabulary WHERE term = ? GROUP BY doc
"""
CHUNKS: Final = """
SELECT p.id, d.id, count(c.id), count(e.chunk_id), coalesce(sum(e.chunk_id), 0)
FROM doc_pages p
JOIN documents d ON d.id = coalesce(
  (SELECT id FROM documents WHERE url = p.url), (SELECT document_id FROM aliases WHERE url = p.url))
JOIN chunks c ON c.document_id = d.id
LEFT JOIN {p}embeddings e ON e.chunk_id = c.id AND e.model_id = ?2
WHERE p.docset_id = ?1 GROUP BY p.id
"""
PLACES: Final = """
SELECT p.id, p.url, coalesce(
  (SELECT id FROM documents WHERE url = p.url), (SELECT document_id FROM aliases WHERE url = p.url), 0)
FROM doc_pages p WHERE p.id IN (SELECT value FROM carray(?))
"""
VECTORS: Final = """
SELECT c.document_id, e.vector FROM carray(?1) wanted CROSS JOIN chunks c ON c.document_id = wanted.value
CROSS JOIN {p}embeddings e ON e.chunk_id = c.id WHERE e.model_id = ?2
"""


class DocsetStore(Store):
    """The pages for the documentation tools."""

    def __init__(self, database: Database, model: Model | None) -> None:
        super().__init__(database)
        self._model = model

    def all(self) -> list[Docset]:
        """Return the bundled guide, then each folder by name; folders that have never been read have no version."""
        with self._database.read() as con:
            is_complete, found = not con.execute(LACKS_SOME).get, _docsets(con)
        if is_complete:
            return found
        with self._database.write() as con:
            con.execute(ADD_MISSING)
            return _docsets(con)

    def stamps(self, docset_id: int) -> dict[str, tuple[DocStamp, str]]:
        """Return stamp and category of each page, by path."""
        query = "SELECT path, mtime_ns, bytes, hash, category FROM doc_pages WHERE docset_id = ?"
        return {path: (DocStamp(*stamp), category) for path, *stamp, category in self._rows(query, docset_id)}

    def update(self, docset_id: int, version: str, changes: DocChanges) -> bool:
        """Store the changes of a folder; return False if the folder has been removed."""
        with self._database.write() as con:
            con.execute(
                "UPDATE docsets SET version = ?, revision = revision + 1, built_at = ?, note = ? WHERE id = ?",
                (version, time.time(), changes.note, docset_id),
            )
            if not con.changes():
                return False
            gone = [*changes.removed, *(page.path for page in changes.pages)]
            con.executemany(
                "DELETE FROM doc_pages WHERE docset_id = ? AND path = ?", [(docset_id, path) for path in gone]
            )
            for page in changes.pages:
                stamp = page.stamp
                sections = json.dumps(
                    [(s.level, s.heading, s.first_line, s.last_line, s.anchor) for s in page.sections],
                    ensure_ascii=False,
                    separators=(",", ":"),
                )
                facts = (docset_id, page.path, page.url, page.title, page.category, sections)
                con.execute(STORE_PAGE, (*facts, stamp.mtime_ns, stamp.bytes, stamp.hash, page.words))
                page_id = con.last_insert_rowid()
                own = "" if page.url.startswith(PACKAGE_SCHEME) else page.content
                con.execute("INSERT INTO doc_texts(page_id, content) VALUES(?, ?)", (page_id, own))
                headings = "\n".join(section.heading for section in page.sections)
                words = (page_id, page.title, headings, page.content, page.path.replace("/", " "), page.identifiers)
                con.execute(f"INSERT INTO doc_words(rowid, {', '.join(COLUMNS)}) VALUES(?, ?, ?, ?, ?, ?)", words)
            con.executemany(
                "UPDATE doc_pages SET mtime_ns = ?, bytes = ?, hash = ? WHERE docset_id = ? AND path = ?",
                [(stamp.mtime_ns, stamp.bytes, stamp.hash, docset_id, path) for path, stamp in changes.stamps],
            )
            con.executemany(
                "UPDATE doc_pages SET category = ? WHERE docset_id = ? AND path = ?",
                [(category, docset_id, path) for path, category in changes.categories],
            )
            return True

    def heads(self, docset_id: int) -> list[DocPageHead]:
        """Return all pages without their texts, by path."""
        return [_head(row) for row in self._rows(HEADS, docset_id)]

    def page(self, docset_id: int, path: str) -> DocPage | None:
        """Return the page at a path."""
        return next(map(_page, self._rows(PAGE, docset_id, path)), None)

    def pages(self, docset_id: int) -> list[DocPage]:
        """Return all pages with their texts, by path."""
        return [_page(row) for row in self._rows(PAGE, docset_id, None)]

    def texts(self, page_ids: Sequence[int]) -> dict[int, str]:
        """Return the texts of pages, by ID."""
        query = f"SELECT p.id, {CONTENT} FROM doc_pages p JOIN doc_texts t ON t.page_id = p.id WHERE p.id IN (SELECT value FROM carray(?))"
        return dict(self._rows(query, id_list(page_ids)))

    def places(self, page_ids: Sequence[int]) -> dict[int, tuple[str, int]]:
        """Return the address of each page, and the ID of the document with the same content (0 if none)."""
        return {page: (url, document) for page, url, document in self._rows(PLACES, id_list(page_ids))}

    def words(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of each text as the index stores them: normalized and stemmed."""
        with self._database.read() as con:
            return [index_words(con, text) for text in texts]

    def counts(self, words: Sequence[str]) -> dict[str, dict[int, WordCounts]]:
        """Return how often each index word occurs in each page of all folders."""
        with self._database.read() as con:
            return {
                word: {int(page_id): WordCounts(*numbers) for page_id, *numbers in con.execute(COUNTS, (word,))}
                for word in words
            }

    def chunks(self, docset_id: int) -> list[PageChunks]:
        """Return the chunks of the pages whose document is stored. Without a model, they have no vectors."""
        model = self._model or Model(-1, "", 0)
        return [PageChunks(*row) for row in self._rows(model.sql(CHUNKS), docset_id, model.id)]

    def centres(self, document_ids: Sequence[int]) -> Iterator[tuple[int, Centre]]:
        """Yield the mean direction of the vectors of each document that has some: float32 (dimension,) with length 1."""
        if self._model is None:
            return
        for start in range(0, len(document_ids), DOC_CENTRES_AT_ONCE):
            part = id_list(document_ids[start : start + DOC_CENTRES_AT_ONCE])
            sums: dict[int, Centre] = {}
            for document_id, blob in self._rows(self._model.sql(VECTORS), part, self._model.id):
                vector = vectors_of([blob], self._model.dimension)[0]
                known = sums.get(document_id)
                sums[document_id] = vector if known is None else known + vector
            for document_id, total in sums.items():
                yield document_id, total / max(float(np.linalg.norm(total)), 1e-9)


def _docsets(con: apsw.Connection) -> list[Docset]:
    return [Docset(*row) for row in con.execute(DOCSETS)]


def _page(row: Any) -> DocPage:
    return DocPage(_head(row[:6]), row[6], row[7], DocStamp(*row[8:]))


def _head(row: Any) -> DocPageHead:
    *facts, sections, words = row
    return DocPageHead(*(*facts, tuple(DocSection(*section) for section in json.loads(sections)), words))


INDEX_SECONDS: Final = 5.0
INDEX_STEPS: Final = 10_000  # SQLite steps between two checks of the time.
LARGEST_NAME: Final = 500
PLAIN: Final = "SELECT name, type, path, '' FROM searchIndex LIMIT ?"
CORE_DATA: Final = """
SELECT n.ZTOKENNAME, t.ZTYPENAME, f.ZPATH, coalesce(m.ZANCHOR, '') FROM ZTOKEN n
JOIN ZTOKENMETAINFORMATION m ON m.Z_PK = n.ZMETAINFORMATION JOIN ZFILEPATH f ON f.Z_PK = m.ZFILE
JOIN ZTOKENTYPE t ON t.Z_PK = n.ZTOKENTYPE LIMIT ?
"""
# Marks of the write-ahead log, which a database in memory cannot have.
_JOURNAL_MODE: Final = slice(18, 20)


def read_docset_index(content: bytes) -> list[tuple[str, str, str]]:
    """Return name, type, and path with anchor of at most `caps.MAX_API_SYMBOLS` entries. Raises FileAccessError."""
    image = bytearray(content)
    image[_JOURNAL_MODE] = b"\x01\x01"
    deadline = time.monotonic() + INDEX_SECONDS
    tables = "SELECT lower(name) FROM sqlite_schema WHERE type = 'table'"
    try:
        with closing(apsw.Connection(":memory:")) as con:
            con.deserialize("main", bytes(image))
            con.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
            con.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
            con.set_progress_handler(lambda: time.monotonic() > deadline, INDEX_STEPS)
            is_plain = any(name == "searchindex" for (name,) in con.execute(tables))
            rows: list[Any] = con.execute(PLAIN if is_plain else CORE_DATA, (caps.MAX_API_SYMBOLS,)).fetchall()
    except (apsw.Error, UnicodeDecodeError) as error:
        raise FileAccessError(
            sentence("The index of the docset is damaged ({}).", type(error).__name__),
            hint="Download the docset again.",
        ) from error
    texts = ((name, kind, path, anchor) for name, kind, path, anchor in rows if isinstance(name, str))
    return [
        (name, str(kind), f"{path}#{anchor}" if anchor else str(path))
        for name, kind, path, anchor in texts
        if 0 < len(name) <= LARGEST_NAME
    ]
