"""Documents: stored, read whole or as rows of the library, deleted; and their age."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from email.utils import formatdate
from itertools import starmap
from typing import Any, Final

import apsw
import numpy as np

from app.corpus import document_writer
from app.corpus.database import Ids, Store, distinct, id_list, ids_of, text_list
from app.corpus.labels import folded_label, known_label
from app.corpus.packages import find_package
from app.corpus.page_texts import TEXT
from app.corpus.versions import count_cited_and_changed
from app.library import records
from app.library.packages import CHANGES, PACKAGE_LABEL, name_of
from app.library.protocol import DocumentWriter
from app.library.scope import BEHIND_SLASH, EVERYTHING, LABEL_KINDS, LAST_CHARACTER, Filter, label_named

PENDING_DELETIONS: Final = "pending_deletions"  # Key in `meta`: IDs of documents that are being deleted.
MAX_TEXT_CHARS: Final = (
    12_000  # Of a text to find in titles and addresses: SQLite refuses patterns of more than 50,000 bytes.
)
BY_ANY_ADDRESS: Final = """
SELECT id FROM documents WHERE url IN (SELECT value FROM carray(?1))
UNION SELECT document_id FROM aliases WHERE url IN (SELECT value FROM carray(?1))
"""
BY_ADDRESS: Final = """
SELECT id FROM documents WHERE url = ?1
UNION ALL SELECT document_id FROM aliases WHERE url = ?1 LIMIT 1
"""
DOCUMENT: Final = f"""
SELECT {", ".join(TEXT if name == "text" else name for name in records.DOCUMENT_FIELDS)},
  EXISTS (SELECT 1 FROM waiting w WHERE w.document_id = id)
FROM documents JOIN document_texts ON document_id = id WHERE id = ?
"""
SUMMARY_FIELDS: Final = (*records.DOCUMENT_ROW_FIELDS, "cited_at")
SUMMARIES: Final = f"""
SELECT {", ".join(SUMMARY_FIELDS)}, cited_at IS NOT NULL AND cited_hash IS NOT content_hash, f.flags,
  EXISTS (SELECT 1 FROM versions v WHERE v.document_id = d.id), came_by
FROM documents d LEFT JOIN document_flags f ON f.document_id = d.id WHERE d.id IN (SELECT value FROM carray(?))
"""
CHUNKS: Final = """
SELECT document_id, count(*), sum(tokens) FROM chunks WHERE document_id IN (SELECT value FROM carray(?)) GROUP BY document_id
"""
CHUNKS_OF_ANY: Final = "SELECT count(*) FROM chunks WHERE document_id IN (SELECT value FROM carray(?))"
WAITING: Final = """
SELECT document_id, count(*) FROM waiting WHERE document_id IN (SELECT value FROM carray(?)) GROUP BY document_id
"""
COMPLETE: Final = """
SELECT d.id, d.url FROM documents d WHERE d.id IN (SELECT value FROM carray(?))
  AND NOT EXISTS (SELECT 1 FROM waiting w WHERE w.document_id = d.id) ORDER BY d.id
"""
UNUSED: Final = """
SELECT d.id FROM documents d WHERE d.came_by = ? AND d.cited_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM labelled l WHERE l.document_id = d.id)
  AND NOT EXISTS (SELECT 1 FROM pinned_passages p WHERE p.document_id = d.id) ORDER BY d.id
"""
LINKING: Final = """
WITH addresses(url) AS (
  SELECT ?1 UNION SELECT url FROM documents WHERE id = ?2 UNION SELECT url FROM aliases WHERE document_id = ?2
)
SELECT DISTINCT l.document_id FROM addresses a
JOIN links l ON l.url = a.url OR (l.url >= a.url || '#' AND l.url < a.url || '$')
WHERE l.document_id IS NOT ?2 ORDER BY l.document_id LIMIT ?3
"""
FRESHNESS: Final = """
SELECT d.id, d.url, d.last_crawled, d.last_modified, d.changed_at, d.cited_at, d.file_mtime_ns,
  CASE WHEN d.cited_at IS NULL OR d.cited_hash = d.content_hash THEN 0
    ELSE (SELECT count(*) FROM chunks c WHERE c.document_id = d.id AND c.created_at > d.cited_at) END,
  d.cited_at IS NOT NULL AND d.cited_hash IS NOT d.content_hash
FROM documents d WHERE d.id IN (SELECT value FROM carray(?))
"""
BELOW: Final = "SELECT id FROM documents WHERE doc_tag = ?1 OR (doc_tag > ?1 || '/' AND doc_tag < ?1 || ?2)"
LABELS: Final = """
SELECT p.document_id, l.kind, l.name FROM labelled p JOIN labels l ON l.id = p.label_id
WHERE p.document_id IN (SELECT value FROM carray(?)) ORDER BY l.folded
"""
OF_PACKAGE: Final = "SELECT id FROM documents WHERE package_id = ? ORDER BY id"
HIDDEN: Final = f"""
SELECT d.id FROM documents d CROSS JOIN packages p ON p.id = d.package_id
WHERE d.package_id IS NOT NULL AND (NOT (?1 OR p.is_current) OR NOT ?2 AND d.doc_tag LIKE '%/{CHANGES}')
"""
"""Pages that a search does not cover: versions that are not current unless ?1, and release notes unless ?2."""
OF_LABEL: Final = """
SELECT p.document_id FROM labels l JOIN labelled p ON p.label_id = l.id WHERE l.kind = ? AND l.folded = ?
"""
LABELS_NAMED: Final = """
SELECT kind || ':' || name FROM labels
WHERE kind IN (SELECT value FROM carray(?1)) AND folded IN (SELECT value FROM carray(?2)) ORDER BY kind, folded
"""
ROOTS: Final = """
SELECT substr(doc_tag, 1, instr(doc_tag || '/', '/') - 1) AS root, count(*) FROM documents WHERE doc_tag <> ''
GROUP BY root ORDER BY 2 DESC, root LIMIT ?
"""
TEXT_BYTES: Final = (
    f"SELECT document_id, octet_length({TEXT}) FROM document_texts WHERE document_id IN (SELECT value FROM carray(?))"
)


class DocumentStore(Store, DocumentWriter):
    """The stored pages and files."""

    # writing and deleting

    def store(self, document: records.DocumentIn) -> records.StoreOutcome:
        """Store a document as in any library. Raises FileAccessError too, if the folder of a file was removed."""
        records.check_document(document)
        with self._database.write() as con:
            return document_writer.store(con, document)

    def touch(
        self, document_id: int, *, last_crawled: float, etag: str | None = None, last_modified: str | None = None
    ) -> None:
        with self._database.write() as con:
            con.execute(
                "UPDATE documents SET last_crawled = ?, etag = coalesce(?, etag),"
                " last_modified = coalesce(?, last_modified) WHERE id = ?",
                (last_crawled, etag, last_modified, document_id),
            )

    def note_cited(self, document_ids: Sequence[int], now: float) -> None:
        query = "UPDATE documents SET cited_at = ?, cited_hash = content_hash WHERE id IN (SELECT value FROM carray(?))"
        with self._database.write() as con:
            con.execute(query, (now, id_list(document_ids)))

    def delete(self, document_ids: Sequence[int]) -> dict[int, str]:
        ids = id_list(document_ids)
        with self._database.write() as con:
            urls = "SELECT id, url FROM documents WHERE id IN (SELECT value FROM carray(?))"
            removed = dict(iter(con.execute(urls, (ids,))))
            con.execute("DELETE FROM documents WHERE id IN (SELECT value FROM carray(?))", (ids,))
            if pending := _pending_deletions(con):
                _write_pending_deletions(con, set(pending).difference(document_ids))
            return removed

    def mark_for_deletion(self, document_ids: Sequence[int]) -> None:
        with self._database.write() as con:
            _write_pending_deletions(con, {*_pending_deletions(con), *document_ids})

    def pending_deletions(self) -> list[int]:
        with self._database.read() as con:
            return _pending_deletions(con)

    def claim(self, document_id: int, came_by: records.CameBy) -> bool:
        """Record another origin of a stored page; return whether it replaces the recorded one."""
        with self._database.write() as con:
            return document_writer.claim(con, document_id, came_by)

    # one document

    def get(self, url_or_alias: str) -> records.Document | None:
        with self._database.read() as con:
            return _load(con, document_id_of(con, url_or_alias))

    def by_id(self, document_id: int) -> records.Document | None:
        with self._database.read() as con:
            return _load(con, document_id)

    def by_ids(self, document_ids: Sequence[int]) -> list[records.Document]:
        with self._database.read() as con:
            return [document for each in document_ids if (document := _load(con, each)) is not None]

    def summary(self, url_or_alias: str) -> records.DocumentSummary | None:
        with self._database.read() as con:
            document_id = document_id_of(con, url_or_alias)
            return next(iter(_summaries(con, [document_id])), None) if document_id is not None else None

    def links(self, document_id: int) -> list[records.LinkRecord]:
        with self._database.read() as con:
            return list(links_of(con, document_id))

    def outgoing(self, document_id: int) -> list[str]:
        with self._database.read() as con:
            urls = [*(link.url for link in links_of(con, document_id)), *navigation_of(con, document_id)]
        return list(dict.fromkeys(bare for url in urls if (bare := url.partition("#")[0])))

    # many documents

    def summaries(
        self,
        *,
        filter: Filter = EVERYTHING,
        text: str = "",
        limit: int,
        offset: int = 0,
        after: records.Place | None = None,
    ) -> list[records.DocumentSummary]:
        conditions, values = ["1"], list[object]()
        if text:
            conditions.append("(title LIKE ? ESCAPE '\\' OR url LIKE ? ESCAPE '\\')")
            escaped = text[:MAX_TEXT_CHARS].replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            values += [f"%{escaped}%"] * 2
        if after is not None:
            conditions.append("(last_crawled, id) < (?, ?)")
            values += after
        with self._database.read() as con:
            allowed = filtered_ids(con, filter)
            if allowed is not None:
                conditions.append("id IN (SELECT value FROM carray(?))")
                values.append(id_list(allowed))
            query = (
                f"SELECT id FROM documents WHERE {' AND '.join(conditions)}"
                " ORDER BY last_crawled DESC, id DESC LIMIT ? OFFSET ?"
            )
            return _summaries(con, [row[0] for row in con.execute(query, (*values, limit, offset))])

    def counts(self, filter: Filter) -> tuple[int, int]:
        with self._database.read() as con:
            ids = filtered_ids(con, filter)
            if ids is None:
                documents, chunks = con.execute("SELECT (SELECT count(*) FROM documents), count(*) FROM chunks").get
                return documents, chunks
            return len(ids), con.execute(CHUNKS_OF_ANY, (id_list(ids),)).get

    def summaries_of(self, document_ids: Sequence[int]) -> list[records.DocumentSummary]:
        with self._database.read() as con:
            found = _summaries(con, document_ids)
        return sorted(found, key=lambda row: (row.last_crawled, row.id), reverse=True)

    def linking_to(self, url: str, limit: int) -> list[records.DocumentSummary]:
        with self._database.read() as con:
            return _summaries(con, [row[0] for row in con.execute(LINKING, (url, document_id_of(con, url), limit))])

    def unused(self) -> list[int]:
        """Return pages that came only through links and were never cited, labeled or pinned."""
        return [row[0] for row in self._rows(UNUSED, records.CameBy.LINK.value)]

    def urls_below(self, prefix: str, limit: int) -> list[str]:
        query = "SELECT url FROM documents WHERE url >= ? AND url < ? ORDER BY url LIMIT ?"
        return [row[0] for row in self._rows(query, prefix, prefix + LAST_CHARACTER, limit)]

    def content_hashes(self, document_ids: Sequence[int]) -> dict[int, str]:
        query = "SELECT id, content_hash FROM documents WHERE id IN (SELECT value FROM carray(?))"
        return dict(self._rows(query, id_list(document_ids)))

    def text_bytes(self, document_ids: Sequence[int]) -> dict[int, int]:
        return dict(self._rows(TEXT_BYTES, id_list(document_ids)))

    def complete(self, document_ids: Sequence[int]) -> dict[int, str]:
        return dict(self._rows(COMPLETE, id_list(document_ids)))

    def flagged(self) -> dict[int, tuple[str, ...]]:
        return {row[0]: _flags(row[1]) for row in self._rows("SELECT document_id, flags FROM document_flags")}

    def roots(self, limit: int) -> dict[str, int]:
        return dict(self._rows(ROOTS, limit))

    def labels(self, names: Sequence[str] = ()) -> list[str]:
        if not names:
            return [row[0] for row in self._rows("SELECT kind || ':' || name FROM labels ORDER BY kind, folded")]
        return [row[0] for row in self._rows(LABELS_NAMED, text_list(LABEL_KINDS), text_list(map(folded_label, names)))]

    def freshness(self, document_ids: Sequence[int]) -> list[records.Freshness]:
        """Return how old the documents are, in the order of the IDs. A file has its own time of change."""
        with self._database.read() as con:
            rows: list[Any] = con.execute(FRESHNESS, (id_list(document_ids),)).fetchall()
            gone = {row[0]: count_cited_and_changed(con, row[0], row[5]) for row in rows if row[-1]}
        found: dict[int, records.Freshness] = {}
        for id_, url, crawled, modified, changed, cited, mtime_ns, new, _ in rows:
            if modified is None and mtime_ns is not None:
                modified = formatdate(mtime_ns / 1e9, usegmt=True)
            found[id_] = records.Freshness(id_, url, crawled, modified, changed, cited, new, gone.get(id_, 0))
        return [found[document_id] for document_id in document_ids if document_id in found]


def document_id_of(con: apsw.Connection, address: str) -> int | None:
    """Return the document with this address or alias; its own address has priority over another one's alias."""
    found: int | None = con.execute(BY_ADDRESS, (address,)).get
    return found


def filtered_ids(con: apsw.Connection, wanted: Filter) -> Ids | None:
    """Return the IDs of documents that match all given fields, ascending; None without restrictions."""
    parts = list(_passing(con, wanted))
    if not parts:
        return None
    allowed = distinct(parts[0])
    for part in parts[1:]:
        allowed = allowed[np.isin(allowed, part)]
    return allowed


def searched_ids(con: apsw.Connection, wanted: Filter) -> Ids | None:
    """Return the IDs of documents that a search within the filter covers: `filtered_ids` without `hidden_ids`."""
    allowed, hidden = filtered_ids(con, wanted), hidden_ids(con, wanted)
    if allowed is None and len(hidden):
        allowed = _ids(con.execute("SELECT id FROM documents ORDER BY id"))
    return without(allowed, hidden) if allowed is not None else None


def hidden_ids(con: apsw.Connection, wanted: Filter) -> Ids:
    """Return the IDs of documents that a search does not cover, so that results have one version of each package.

    These are versions that are not current, unless the filter names the package, and release notes, unless it asks for them. Named pages
    are never hidden.
    """
    if wanted.names_pages:
        return ids_of(())
    hidden = _ids(con.execute(HIDDEN, (wanted.names_package, wanted.names_changes)))
    named = [each for group in wanted.doc_tags for each in group if isinstance(each, int)]
    return without(hidden, ids_of(named))


def without(ids: Ids, others: Ids) -> Ids:
    """Return the IDs that are not among the others."""
    return ids[~np.isin(ids, others)] if len(others) else ids


def _load(con: apsw.Connection, document_id: int | None) -> records.Document | None:
    row = con.execute(DOCUMENT, (document_id,)).fetchone()
    if row is None or document_id is None:
        return None
    *fields, is_waiting = row
    return records.Document(
        **dict(zip(records.DOCUMENT_FIELDS, fields, strict=True)),
        state=records.DocumentState.TEXT if is_waiting else records.DocumentState.READY,
        sections=sections_of(con, document_id),
        images=images_of(con, document_id),
    )


def sections_of(con: apsw.Connection, document_id: int) -> tuple[records.SectionRecord, ...]:
    """Return the headings of a document in text order."""
    query = 'SELECT level, heading, anchor, "start", "end" FROM sections WHERE document_id = ? ORDER BY ord'
    return tuple(starmap(records.SectionRecord, con.execute(query, (document_id,))))


def links_of(con: apsw.Connection, document_id: int) -> tuple[records.LinkRecord, ...]:
    """Return the links in the text of a document in text order."""
    query = 'SELECT url, text, "start", "end" FROM links WHERE document_id = ? ORDER BY ord'
    return tuple(starmap(records.LinkRecord, con.execute(query, (document_id,))))


def navigation_of(con: apsw.Connection, document_id: int) -> tuple[str, ...]:
    """Return the links outside the main text of a document."""
    blob = con.execute("SELECT urls FROM navigation WHERE document_id = ?", (document_id,)).get
    return tuple(document_writer.unpack_urls(blob)) if blob is not None else ()


def images_of(con: apsw.Connection, document_id: int) -> tuple[records.ImageRecord, ...]:
    """Return the images of a document in text order."""
    query = "SELECT url, alt, caption, position FROM images WHERE document_id = ? ORDER BY ord"
    return tuple(starmap(records.ImageRecord, con.execute(query, (document_id,))))


def _summaries(con: apsw.Connection, document_ids: Iterable[int]) -> list[records.DocumentSummary]:
    """Return the rows in the order of the IDs; unknown IDs are left out."""
    order = list(document_ids)
    ids = (id_list(order),)
    chunks: dict[int, tuple[int, int]] = {row[0]: row[1:] for row in con.execute(CHUNKS, ids)}
    waiting: dict[int, int] = dict(iter(con.execute(WAITING, ids)))
    labels: dict[tuple[int, str], list[str]] = {}
    for document_id, kind, name in con.execute(LABELS, ids):
        labels.setdefault((document_id, kind), []).append(name)
    found: dict[int, records.DocumentSummary] = {}
    for *fields, is_changed, flags, has_versions, came_by in con.execute(SUMMARIES, ids):
        number = fields[0]
        count, tokens = chunks.get(number, (0, 0))
        found[number] = records.DocumentSummary(
            **dict(zip(SUMMARY_FIELDS, fields, strict=True)),
            state=records.DocumentState.TEXT if number in waiting else records.DocumentState.READY,
            chunks=count,
            chunks_embedded=count - waiting.get(number, 0),
            tokens=tokens,
            is_changed_since_cited=bool(is_changed),
            flags=_flags(flags),
            has_versions=bool(has_versions),
            collections=tuple(labels.get((number, "collection"), ())),
            tags=tuple(labels.get((number, "tag"), ())),
            came_by=records.CameBy(came_by),
        )
    return [found[document_id] for document_id in order if document_id in found]


def _flags(stored: str | None) -> tuple[str, ...]:
    return tuple(json.loads(stored)) if stored else ()


def _pending_deletions(con: apsw.Connection) -> list[int]:
    stored = con.execute("SELECT value FROM meta WHERE key = ?", (PENDING_DELETIONS,)).get
    return [int(each) for each in json.loads(stored)] if stored else []


def _write_pending_deletions(con: apsw.Connection, document_ids: Collection[int]) -> None:
    con.execute("DELETE FROM meta WHERE key = ?", (PENDING_DELETIONS,))
    if document_ids:
        con.execute("INSERT INTO meta(key, value) VALUES(?, ?)", (PENDING_DELETIONS, json.dumps(sorted(document_ids))))


def _passing(con: apsw.Connection, wanted: Filter) -> Iterator[Ids]:
    if wanted.document_ids:
        yield ids_of(wanted.document_ids)
    if wanted.urls:
        yield _ids(con.execute(BY_ANY_ADDRESS, (text_list(wanted.urls),)))
    for column, prefix in (("url", wanted.url_prefix), ("doc_path", wanted.path_prefix)):
        if prefix:
            prefixed = f"SELECT id FROM documents WHERE {column} >= ?1 AND {column} < ?2"
            yield _ids(con.execute(prefixed, (prefix, prefix + LAST_CHARACTER)))
    for group in wanted.doc_tags:
        # Any of the tags or tags below them, any of the labels or IDs. Raises UnknownLabelError.
        parts = [ids_of(each for each in group if isinstance(each, int))]
        for tag in (each for each in group if isinstance(each, str)):
            label = label_named(tag)
            if label is None:
                parts.append(_ids(con.execute(BELOW, (tag, BEHIND_SLASH))))
            elif label[0] == PACKAGE_LABEL:
                parts.append(_ids(con.execute(OF_PACKAGE, (find_package(con, name_of(label[1]))[0],))))
            else:
                parts.append(_ids(con.execute(OF_LABEL, (label[0], folded_label(label[1])))))
                if not len(parts[-1]):
                    known_label(con, *label)
        yield distinct(np.concatenate(parts))
    if wanted.changed_after is not None:
        yield _ids(con.execute("SELECT id FROM documents WHERE changed_at >= ?", (wanted.changed_after,)))
    if wanted.is_foreign:
        yield _ids(con.execute("SELECT document_id FROM foreign_pages ORDER BY document_id"))


def _ids(rows: apsw.Cursor) -> Ids:
    return ids_of(row[0] for row in rows)
