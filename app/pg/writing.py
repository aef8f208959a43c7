"""Write a whole document in the caller's transaction; unchanged chunks stay as they are.

PostgreSQL cannot store NUL characters. U+FFFD replaces them, so that offsets stay right; addresses with one are refused.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from app import caps
from app.errors import InvalidArgumentError, LibraryForbiddenError
from app.library.records import FIRST_COLLECTION, ChunkIn, DocumentIn, StoreOutcome, check_document, short_key
from app.library.scope import place_of
from app.pg.sessions import Connection, Rights
from app.pg.words import field_texts, length_of
from app.text.scripts import indexed_beside
from app.text.sentence import listing, sentence

MAX_ADDRESS_BYTES: Final = 2_600  # Longest address that fits into an index.
LOCK: Final = """
SELECT pg_advisory_xact_lock(key) FROM (
  SELECT DISTINCT hashtextextended(url, $1) AS key FROM unnest($2::text[]) AS given(url) ORDER BY key
) keys
"""
DOCUMENT_COLUMNS: Final = (
    *("title", "kind", "language", "content_hash", "etag", "last_modified", "published"),
    *("last_crawled", "note", "doc_tag", "doc_path"),
)
INSERT_DOCUMENT: Final = f"""
INSERT INTO documents(collection_id, url, {", ".join(DOCUMENT_COLUMNS)}, changed_at, added_by)
VALUES($1, $2, {", ".join(f"${number}" for number in range(3, 14))}, $10, $14) RETURNING id
"""
UPDATE_DOCUMENT: Final = f"""
UPDATE documents SET {", ".join(f"{name} = ${number}" for number, name in enumerate(DOCUMENT_COLUMNS, 3))},
  changed_at = CASE WHEN content_hash = $6 THEN changed_at ELSE $10 END,
  added_by = CASE WHEN content_hash = $6 OR $14 = '' THEN added_by ELSE $14 END
WHERE collection_id = $1 AND url = $2
"""
CRAWLED: Final = DOCUMENT_COLUMNS.index("last_crawled")
TEXT_COLUMNS: Final = ("text", "sections", "images", "navigation")
STORE_TEXT: Final = f"""
INSERT INTO document_texts(document_id, collection_id, {", ".join(TEXT_COLUMNS)}) VALUES($1, $2, $3, $4, $5, $6)
ON CONFLICT (document_id) DO UPDATE
SET text = excluded.text, sections = excluded.sections, images = excluded.images, navigation = excluded.navigation
"""
CHUNK_COLUMNS: Final = (
    *("ord", "section_path", "anchor", "text", "identifiers"),
    *("start", "end", "prefix_length", "suffix_length", "tokens"),
)
_NAMES: Final = ", ".join(f'"{name}"' for name in CHUNK_COLUMNS)
STORED_CHUNKS: Final = f"SELECT key, id, {_NAMES} FROM chunks WHERE collection_id = $1 AND document_id = $2"
INSERT_CHUNK: Final = f"""
INSERT INTO chunks(collection_id, document_id, key, {_NAMES})
VALUES($1, $2, $3, {", ".join(f"${number}" for number in range(4, 14))}) RETURNING id
"""
UPDATE_CHUNK: Final = f"""
UPDATE chunks SET ({_NAMES}) = ({", ".join(f"${number}" for number in range(3, 13))}) WHERE collection_id = $1 AND id = $2
"""
STORE_WORDS: Final = """
INSERT INTO chunk_words(chunk_id, document_id, collection_id, length, words)
SELECT given.chunk, given.document, given.collection, given.length,
  setweight(to_tsvector('words', given.title), 'A') || setweight(to_tsvector('words', given.path), 'B')
  || setweight(to_tsvector('words', given.text), 'D') || setweight(to_tsvector('words', given.identifiers), 'C')
FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[])
  AS given(chunk, document, collection, length, title, path, text, identifiers)
ON CONFLICT (chunk_id) DO UPDATE SET length = excluded.length, words = excluded.words
"""
LINK_COLUMNS: Final = ("ord", "url", "text", "start", "end")
STORE_LINKS: Final = """
INSERT INTO links(document_id, collection_id, ord, url, text, "start", "end")
SELECT $1, $2, given.ord, given.url, given.text, given.first, given.last
FROM unnest($3::int[], $4::text[], $5::text[], $6::int[], $7::int[]) AS given(ord, url, text, first, last)
"""
WAIT: Final = """
INSERT INTO waiting(chunk_id, document_id, collection_id) SELECT unnest($1::bigint[]), $2, $3
ON CONFLICT (chunk_id) DO UPDATE SET leased_by = NULL, lease_until = NULL
"""
WAIT_FOR_FLAGS: Final = """
INSERT INTO flags_waiting(document_id, collection_id) VALUES($1, $2)
ON CONFLICT (document_id) DO UPDATE SET leased_by = NULL, lease_until = NULL
"""
HOLDING: Final = """
SELECT collection_id FROM documents WHERE collection_id = ANY($1) AND url = $2
UNION SELECT collection_id FROM aliases WHERE collection_id = ANY($1) AND url = $2
"""
STORE_ALIASES: Final = """
INSERT INTO aliases(collection_id, url, document_id) SELECT $1, unnest($2::text[]), $3
ON CONFLICT (collection_id, url) DO UPDATE SET document_id = excluded.document_id
"""
FORGET_ALIASES: Final = """
DELETE FROM aliases WHERE collection_id = $1 AND url IN (
  SELECT url FROM aliases WHERE collection_id = $1 AND document_id = $2 ORDER BY url = ANY($3) DESC, url OFFSET $4
)
"""


def check(document: DocumentIn) -> None:
    """Raise InvalidArgumentError for an invalid document, and for addresses that are too long for PostgreSQL."""
    check_document(document)
    for address in (document.url, *document.aliases):
        if len(address.encode("utf-8", "surrogatepass")) > MAX_ADDRESS_BYTES:
            raise InvalidArgumentError(
                sentence("The address {}… is longer than {} bytes.", address[:80], MAX_ADDRESS_BYTES)
            )


async def store(con: Connection, rights: Rights, document: DocumentIn) -> StoreOutcome:
    """Insert the document into its collection, or replace the one with the same address."""
    collection = await collection_for(con, rights, document.url)
    addresses = addresses_of(document)
    await con.execute(LOCK, collection, addresses)
    crawled = document.last_crawled or time.time()
    # Waits for a concurrent deletion, or makes it wait.
    by_url = "SELECT id, title FROM documents WHERE collection_id = $1 AND url = $2 FOR NO KEY UPDATE"
    known = await con.fetchrow(by_url, collection, document.url)
    values = document_row(document, crawled, rights.subject)
    if known is None:
        document_id = int(await con.fetchval(INSERT_DOCUMENT, collection, document.url, *values))
    else:
        document_id = known["id"]
        await con.execute(UPDATE_DOCUMENT, collection, document.url, *values)
    await con.execute(STORE_TEXT, document_id, collection, *text_row(document))
    is_retitled = known is not None and known["title"] != plain(document.title)
    outcome = await _write_chunks(con, collection, document_id, document, is_retitled=is_retitled)
    await con.execute("DELETE FROM links WHERE collection_id = $1 AND document_id = $2", collection, document_id)
    if document.links:
        await con.execute(STORE_LINKS, document_id, collection, *columns_of(list(link_rows(document))))
    # Point aliases to the document and delete a page stored under one of them: an address identifies one document.
    await con.execute("DELETE FROM aliases WHERE collection_id = $1 AND url = $2", collection, document.url)
    if aliases := addresses[1:]:
        by_urls = "SELECT id FROM documents WHERE collection_id = $1 AND url = ANY($2)"
        if absorbed := [row[0] for row in await con.fetch(by_urls, collection, aliases)]:
            lead_here = "UPDATE aliases SET document_id = $3 WHERE collection_id = $1 AND document_id = ANY($2)"
            await con.execute(lead_here, collection, absorbed, document_id)
            await con.execute("DELETE FROM documents WHERE collection_id = $1 AND id = ANY($2)", collection, absorbed)
        await con.execute(STORE_ALIASES, collection, aliases, document_id)
        await con.execute(FORGET_ALIASES, collection, document_id, aliases, caps.MAX_ALIASES_PER_DOCUMENT)
    await con.execute(WAIT_FOR_FLAGS, document_id, collection)
    return outcome


def nothing_writable() -> LibraryForbiddenError:
    """Return the error for a caller without write access."""
    return LibraryForbiddenError(
        sentence("You do not have write access to this library."),
        hint="Ask an owner of the collection for write access.",
    )


async def collection_for(con: Connection, rights: Rights, url: str) -> int:
    """Return the only writable collection, the one that has the page, or the first. Raises LibraryForbiddenError."""
    if not rights.writable:
        raise nothing_writable()
    writable = list(rights.writable)
    if len(writable) == 1:
        return writable[0]
    found = [row[0] for row in await con.fetch(HOLDING, writable, url)]
    if len(found) == 1:
        return int(found[0])
    named = dict(await con.fetch("SELECT name, id FROM collections WHERE id = ANY($1) ORDER BY name", writable))
    if FIRST_COLLECTION not in named:
        raise InvalidArgumentError(
            sentence("The page could go to several collections: {}.", listing(named)),
            hint="Choose one: collection for the tool ingest, --collection NAME for webrag ingest and webrag crawl.",
        )
    return int(named[FIRST_COLLECTION])


async def _write_chunks(
    con: Connection, collection: int, document_id: int, document: DocumentIn, *, is_retitled: bool
) -> StoreOutcome:
    rows = await con.fetch(STORED_CHUNKS, collection, document_id)
    keys = {short_key(chunk.key): chunk.key for chunk in document.chunks}
    stored = {keys.get(short_key(row[0]), row[0]): (row[1], tuple(row)[2:]) for row in rows}
    vanished = [chunk_id for key, (chunk_id, _) in stored.items() if short_key(key) not in keys]
    if vanished:
        await con.execute("DELETE FROM chunks WHERE collection_id = $1 AND id = ANY($2)", collection, vanished)
    given = {row[0]: (chunk, row[1:]) for chunk, row in zip(document.chunks, chunk_rows(document), strict=True)}
    fresh = [(collection, document_id, key, *row) for key, (_, row) in given.items() if key not in stored]
    added = [row[0] for row in await con.fetchmany(INSERT_CHUNK, fresh)] if fresh else []
    ids = {row[2]: chunk_id for row, chunk_id in zip(fresh, added, strict=True)}
    to_index = [(chunk_id, given[key][0]) for key, chunk_id in ids.items()]
    changed, updates = list[int](), list[tuple[Any, ...]]()
    for key, (chunk_id, old) in stored.items():
        if key not in given:
            continue
        chunk, row = given[key]
        if old != row:
            updates.append((collection, chunk_id, *row))
        if old[3] != row[3]:
            changed.append(chunk_id)
            ids[key] = chunk_id
        if is_retitled or (old[1], *old[3:5]) != (row[1], *row[3:5]):
            to_index.append((chunk_id, chunk))
    if updates:
        await con.executemany(UPDATE_CHUNK, updates)
    words = [(chunk_id, document_id, collection, *word_row(document.title, chunk)) for chunk_id, chunk in to_index]
    if words:
        await con.execute(STORE_WORDS, *columns_of(words))
    for table in ("embeddings", "token_signs") if changed else ():
        await con.execute(f"DELETE FROM {table} WHERE collection_id = $1 AND chunk_id = ANY($2)", collection, changed)
    new = [ids[chunk.key] for chunk in document.chunks if chunk.key in ids]
    if new:
        await con.execute(WAIT, new, document_id, collection)
    return StoreOutcome(document_id, tuple(new), len(document.chunks) - len(new), len(vanished))


def addresses_of(document: DocumentIn) -> list[str]:
    """Return the address of a document, then its aliases."""
    return [document.url, *(url for url in dict.fromkeys(document.aliases) if url and url != document.url)]


def document_row(document: DocumentIn, crawled: float, subject: str) -> tuple[Any, ...]:
    """Return the values of DOCUMENT_COLUMNS, then the author."""
    place = place_of(document.url)
    return (
        *map(plain, (document.title, document.kind, document.language, document.content_hash)),
        *map(_plain_or_none, (document.etag, document.last_modified, document.published)),
        *(crawled, plain(document.note), place.tag, place.path, subject),
    )


def text_row(document: DocumentIn) -> tuple[Any, ...]:
    """Return the values of TEXT_COLUMNS."""
    sections = [(each.level, each.heading, each.anchor, each.start, each.end) for each in document.sections]
    images = [(each.url, each.alt, each.caption, each.position) for each in document.images]
    return plain(document.text), _json(sections), _json(images), [plain(url) for url in document.navigation]


def link_rows(document: DocumentIn) -> Iterator[tuple[Any, ...]]:
    """Yield the values of LINK_COLUMNS."""
    for ord_, each in enumerate(document.links, 1):
        yield ord_, plain(each.url), plain(each.text), each.start, each.end


def chunk_rows(document: DocumentIn) -> Iterator[tuple[Any, ...]]:
    """Yield the key and the values of CHUNK_COLUMNS."""
    for ord_, chunk in enumerate(document.chunks):
        yield (
            *(chunk.key, ord_, [plain(part) for part in chunk.section_path], _plain_or_none(chunk.anchor)),
            *(plain(chunk.text), plain(_identifiers(document.title, chunk))),
            *(chunk.start, chunk.end, chunk.prefix_length, chunk.suffix_length, chunk.tokens),
        )


def word_row(title: str, chunk: ChunkIn) -> tuple[Any, ...]:
    """Return the number of words of a chunk, and its fields as they are indexed."""
    texts = field_texts(title, " ".join(chunk.section_path), chunk.text, _identifiers(title, chunk))
    return length_of(texts), *texts


def _identifiers(title: str, chunk: ChunkIn) -> str:
    return indexed_beside(chunk.identifiers, title, *chunk.section_path, chunk.text)


def columns_of(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    """Return rows as one list per column."""
    return [list(column) for column in zip(*rows, strict=True)]


def _json(rows: Iterable[tuple[object, ...]]) -> str:
    storable = [[plain(value) if isinstance(value, str) else value for value in row] for row in rows]
    return json.dumps(storable, ensure_ascii=False)


def plain(text: str) -> str:
    """Return the text as it can be stored."""
    return text.replace("\0", "\ufffd")


def _plain_or_none(text: str | None) -> str | None:
    return None if text is None else plain(text)
