"""Documents of a shared library: read whole or as rows, updated and deleted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.library import records
from app.library.protocol import DocumentWriter
from app.library.scope import EVERYTHING, LAST_CHARACTER, Filter
from app.pg import writing
from app.pg.connections import Store
from app.pg.sessions import DOCUMENTS, Connection, Rights, Scope, shown

BY_ADDRESS: Final = f"""
SELECT id FROM (
  SELECT d.id, 0 AS rank FROM documents d WHERE {DOCUMENTS} AND d.url = $2
  UNION ALL
  SELECT d.id, 1 FROM aliases a JOIN documents d ON d.id = a.document_id WHERE a.collection_id = ANY($1) AND a.url = $2 AND {DOCUMENTS}
) found ORDER BY rank, id LIMIT 1
"""
IS_WAITING: Final = "EXISTS (SELECT FROM waiting w WHERE w.document_id = d.id)"
WHOLE_COLUMNS: Final = f"""
SELECT d.*, t.text, t.sections, t.images, {IS_WAITING} AS is_waiting FROM documents d JOIN document_texts t ON t.document_id = d.id
"""
WHOLE: Final = f"{WHOLE_COLUMNS} WHERE {DOCUMENTS} AND d.id"
SUMMARIES: Final = f"""
SELECT d.id, d.url, d.title, d.kind, d.language, d.last_crawled, d.changed_at, d.note, d.doc_tag, d.last_modified, d.added_by,
  coalesce(c.number, 0) AS chunks, coalesce(c.tokens, 0) AS tokens,
  (SELECT count(*) FROM waiting w WHERE w.document_id = d.id) AS waiting,
  (SELECT f.flags FROM document_flags f WHERE f.collection_id = ANY($1) AND f.document_id = d.id) AS flags,
  (SELECT o.name FROM collections o WHERE o.id = d.collection_id) AS collection
FROM documents d
LEFT JOIN LATERAL (SELECT count(*) AS number, sum(tokens) AS tokens FROM chunks c WHERE c.document_id = d.id) c ON true
WHERE {DOCUMENTS} AND d.id = ANY($2)
"""
HIDDEN_WHOLE: Final = f"""
{WHOLE_COLUMNS}
WHERE d.collection_id = ANY($1) AND d.collection_id = ANY($3) AND d.is_quarantined AND d.id = $2
"""
HIDDEN_LINKS: Final = """
SELECT url, text, "start", "end" FROM links l WHERE l.collection_id = ANY($1) AND l.document_id = $2 ORDER BY ord
"""
LINKING: Final = f"""
WITH target AS (SELECT id FROM ({BY_ADDRESS}) found), addresses(url) AS (
  SELECT $2 UNION SELECT d.url FROM documents d WHERE d.id = (SELECT id FROM target)
  UNION SELECT a.url FROM aliases a WHERE a.document_id = (SELECT id FROM target)
)
SELECT DISTINCT l.document_id FROM addresses a
JOIN links l ON l.target = hashtextextended(split_part(a.url, '#', 1), 0) AND (l.url = a.url OR starts_with(l.url, a.url || '#'))
WHERE l.collection_id = ANY($1) AND l.document_id IS DISTINCT FROM (SELECT id FROM target) ORDER BY 1 LIMIT $3
"""
MAX_HIDDEN_LISTED: Final = 1_000  # Most hidden pages per list.
HIDDEN: Final = """
SELECT d.id, c.name AS collection, d.url, d.title, d.kind, d.language, d.last_crawled, d.changed_at, d.added_by,
  (SELECT f.flags FROM document_flags f WHERE f.collection_id = ANY($1) AND f.document_id = d.id) AS flags
FROM documents d JOIN collections c ON c.id = d.collection_id
WHERE d.is_quarantined AND d.collection_id = ANY($1) AND d.collection_id = ANY($2) AND (cardinality($3::bigint[]) = 0 OR d.id = ANY($3))
  AND d.id > $4
ORDER BY d.id LIMIT $5
"""
COMPLETE: Final = f"""
SELECT d.id, d.url FROM documents d WHERE {DOCUMENTS} AND d.id = ANY($2) AND NOT {IS_WAITING} ORDER BY d.id
"""


@dataclass(frozen=True, slots=True)
class HiddenPage:
    """A hidden page as owners see it: its address, who added it, and the flags of its text."""

    id: int
    collection: str
    url: str
    title: str
    kind: str
    language: str
    last_crawled: float
    changed_at: float
    added_by: str
    flags: tuple[str, ...]


class PgDocuments(Store, DocumentWriter):
    """The stored pages, within the rights of the call."""

    # writing

    def store(self, document: records.DocumentIn) -> records.StoreOutcome:
        """Store a document, or replace the one with the same address, in the first writable collection."""
        writing.check(document)
        return self._write(lambda con, rights: writing.store(con, rights, document))

    def touch(
        self, document_id: int, *, last_crawled: float, etag: str | None = None, last_modified: str | None = None
    ) -> None:
        query = """
        UPDATE documents SET last_crawled = $3, etag = coalesce($4, etag), last_modified = coalesce($5, last_modified)
        WHERE collection_id = ANY($1) AND id = $2
        """
        values = (document_id, last_crawled, etag, last_modified)
        self._write(lambda con, rights: con.execute(query, list(rights.writable), *values))

    def delete(self, document_ids: Sequence[int]) -> dict[int, str]:
        query = "DELETE FROM documents d WHERE d.collection_id = ANY($1) AND d.id = ANY($2) RETURNING d.id, d.url"
        wanted = list(document_ids)
        removed = dict(self._write(lambda con, rights: con.fetch(query, list(rights.writable), wanted)))
        return {each: removed[each] for each in dict.fromkeys(wanted) if each in removed}

    def mark_for_deletion(self, document_ids: Sequence[int]) -> None:
        query = "UPDATE documents SET is_condemned = true WHERE collection_id = ANY($1) AND id = ANY($2)"
        self._write(lambda con, rights: con.execute(query, list(rights.writable), list(document_ids)))

    def pending_deletions(self) -> list[int]:
        query = "SELECT id FROM documents WHERE is_condemned AND collection_id = ANY($1) ORDER BY id"
        return [row[0] for row in self._fetch(query)]

    def set_quarantine(self, document_ids: Sequence[int], *, is_quarantined: bool) -> dict[int, str]:
        """Hide documents of writable collections or show them again; return the addresses of existing ones, by ID."""
        query = """
        UPDATE documents SET is_quarantined = $3 WHERE collection_id = ANY($1) AND id = ANY($2) RETURNING id, url
        """
        values = (list(document_ids), is_quarantined)
        return dict(self._write(lambda con, rights: con.fetch(query, list(rights.writable), *values)))

    def quarantined(
        self, document_ids: Sequence[int] = (), *, after: int = 0, limit: int = MAX_HIDDEN_LISTED
    ) -> list[HiddenPage]:
        """Return hidden documents of writable collections by ID, those after `after`; only these documents if given."""
        values = (list(self._rights.writable), list(document_ids), after, min(limit, MAX_HIDDEN_LISTED))
        return [HiddenPage(**{**row, "flags": tuple(row["flags"] or ())}) for row in self._fetch(HIDDEN, *values)]

    def quarantined_text(self, document_id: int) -> tuple[records.Document, list[records.LinkRecord]] | None:
        """Return a hidden document of a writable collection with its links, for review by an owner."""

        async def work(con: Connection, rights: Rights) -> tuple[records.Document, list[records.LinkRecord]] | None:
            row = await con.fetchrow(HIDDEN_WHOLE, list(rights.readable), document_id, list(rights.writable))
            if row is None:
                return None
            links = await con.fetch(HIDDEN_LINKS, list(rights.readable), document_id)
            return _document(row), [records.LinkRecord(*link) for link in links]

        return self._read(work)

    # one document

    def get(self, url_or_alias: str) -> records.Document | None:
        return self._one(f"{WHOLE} = ({BY_ADDRESS})", url_or_alias) if "\0" not in url_or_alias else None

    def by_id(self, document_id: int) -> records.Document | None:
        return self._one(f"{WHOLE} = $2", document_id)

    def by_ids(self, document_ids: Sequence[int]) -> list[records.Document]:
        found = {row["id"]: row for row in self._fetch(f"{WHOLE} = ANY($2)", list(document_ids))}
        return [_document(found[each]) for each in document_ids if each in found]

    def summary(self, url_or_alias: str) -> records.DocumentSummary | None:
        rows = self._summaries(BY_ADDRESS, url_or_alias) if "\0" not in url_or_alias else []
        return rows[0] if rows else None

    def links(self, document_id: int) -> list[records.LinkRecord]:
        query = f'SELECT url, text, "start", "end" FROM links l WHERE {shown("l")} AND document_id = $2 ORDER BY ord'
        return [records.LinkRecord(*row) for row in self._fetch(query, document_id)]

    def outgoing(self, document_id: int) -> list[str]:
        query = f"SELECT url FROM links l WHERE {shown('l')} AND document_id = $2 ORDER BY ord"
        menu = f"SELECT unnest(navigation) FROM document_texts t WHERE {shown('t')} AND document_id = $2"

        async def work(con: Connection, rights: Rights) -> list[Any]:
            values = (list(rights.readable), document_id)
            return [*await con.fetch(query, *values), *await con.fetch(menu, *values)]

        return list(dict.fromkeys(bare for row in self._read(work) if (bare := row[0].partition("#")[0])))

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
        scope = Scope(self._rights, filter)
        conditions = [scope.documents]
        if text:
            plain = text.replace("\0", "").replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            wanted = scope.value(f"%{plain}%")
            conditions.append(f"(d.title ILIKE {wanted} OR d.url ILIKE {wanted})")
        if after is not None:
            crawled, last_id = scope.value(after[0]), scope.value(after[1])
            conditions.append(f"(d.last_crawled, d.id) < ({crawled}, {last_id})")
        query = (
            f"SELECT d.id FROM documents d WHERE {' AND '.join(conditions)}"
            f" ORDER BY d.last_crawled DESC, d.id DESC LIMIT {scope.value(limit)} OFFSET {scope.value(offset)}"
        )
        return self._summaries(query, *scope.values[1:])

    def summaries_of(self, document_ids: Sequence[int]) -> list[records.DocumentSummary]:
        return [row for row, _ in self.with_collections(document_ids)]

    def with_collections(self, document_ids: Sequence[int]) -> list[tuple[records.DocumentSummary, str]]:
        """Return the rows of the existing documents with the names of their collections, most recently fetched first."""
        found = [(_summary(row), row["collection"]) for row in self._fetch(SUMMARIES, list(document_ids))]
        return sorted(found, key=lambda each: (each[0].last_crawled, each[0].id), reverse=True)

    def counts(self, filter: Filter) -> tuple[int, int]:
        """Return the numbers of documents and chunks that match a filter; cached for a whole large library."""
        rights = self._rights
        scope = Scope(rights, filter)
        if not scope.is_restricted:
            size = self._size()
            return size.documents, size.passages
        query = f"""
        SELECT (SELECT count(*) FROM documents d WHERE {scope.documents}), (SELECT count(*) FROM chunks c WHERE {scope.rows("c")})
        """
        documents, chunks = self._connections.read(lambda con: con.fetchrow(query, *scope.values), rights)
        return documents, chunks

    def linking_to(self, url: str, limit: int) -> list[records.DocumentSummary]:
        return self._summaries(LINKING, url, limit)

    def urls_below(self, prefix: str, limit: int) -> list[str]:
        query = f"SELECT url FROM documents d WHERE {DOCUMENTS} AND url >= $2 AND url < $3 ORDER BY url LIMIT $4"
        return [row[0] for row in self._fetch(query, prefix, prefix + LAST_CHARACTER, limit)]

    def content_hashes(self, document_ids: Sequence[int]) -> dict[int, str]:
        query = f"SELECT id, content_hash FROM documents d WHERE {DOCUMENTS} AND id = ANY($2)"
        return dict(self._fetch(query, list(document_ids)))

    def text_bytes(self, document_ids: Sequence[int]) -> dict[int, int]:
        query = f"""
        SELECT document_id, octet_length(text) FROM document_texts t WHERE {shown("t")} AND document_id = ANY($2)
        """
        return dict(self._fetch(query, list(document_ids)))

    def complete(self, document_ids: Sequence[int]) -> dict[int, str]:
        return dict(self._fetch(COMPLETE, list(document_ids)))

    def flagged(self) -> dict[int, tuple[str, ...]]:
        query = f"SELECT f.document_id, f.flags FROM document_flags f WHERE {shown('f')}"
        return {document_id: tuple(flags) for document_id, flags in self._fetch(query)}

    def roots(self, limit: int) -> dict[str, int]:
        query = f"""
        SELECT split_part(doc_tag, '/', 1) AS root, count(*) FROM documents d WHERE {DOCUMENTS} AND doc_tag <> ''
        GROUP BY root ORDER BY 2 DESC, root LIMIT $2
        """
        return dict(self._fetch(query, limit))

    def labels(self, names: Sequence[str] = ()) -> list[str]:
        return []

    def freshness(self, document_ids: Sequence[int]) -> list[records.Freshness]:
        """Return how old the documents are, in the order of the IDs. Citations are known only on each user's computer."""
        query = f"""
        SELECT id, url, last_crawled, last_modified, changed_at FROM documents d WHERE {DOCUMENTS} AND id = ANY($2)
        """
        found = {row[0]: records.Freshness(*(*row, None, 0)) for row in self._fetch(query, list(document_ids))}
        return [found[each] for each in document_ids if each in found]

    def note_cited(self, document_ids: Sequence[int], now: float) -> None:
        """Do nothing: citations are recorded on each user's computer."""

    def _one(self, query: str, value: object) -> records.Document | None:
        return next(map(_document, self._fetch(query, value)), None)

    def _summaries(self, query: str, *values: object) -> list[records.DocumentSummary]:
        """Return the rows of the documents whose IDs a query finds, in its order."""

        async def work(con: Connection, rights: Rights) -> list[records.DocumentSummary]:
            readable = list(rights.readable)
            order = [row[0] for row in await con.fetch(query, readable, *values)]
            found = {row["id"]: _summary(row) for row in await con.fetch(SUMMARIES, readable, order)}
            return [found[each] for each in order if each in found]

        return self._read(work)


def _document(row: Any) -> records.Document:
    return records.Document(
        **{name: row[name] for name in records.DOCUMENT_FIELDS},
        state=records.DocumentState.TEXT if row["is_waiting"] else records.DocumentState.READY,
        sections=tuple(records.SectionRecord(*each) for each in json.loads(row["sections"])),
        images=tuple(records.ImageRecord(*each) for each in json.loads(row["images"])),
    )


def _summary(row: Any) -> records.DocumentSummary:
    return records.DocumentSummary(
        **{name: row[name] for name in (*records.DOCUMENT_ROW_FIELDS, "chunks", "tokens", "added_by")},
        state=records.DocumentState.TEXT if row["waiting"] else records.DocumentState.READY,
        chunks_embedded=row["chunks"] - row["waiting"],
        flags=tuple(row["flags"] or ()),
    )
