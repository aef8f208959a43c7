"""Add new kinds of words to the index of chunks that an older version stored, while nodes keep running."""

from __future__ import annotations

from typing import Any, Final

from app.pg.sessions import Connection
from app.pg.words import field_texts, length_of
from app.pg.writing import STORE_WORDS
from app.text.scripts import indexed_beside

PASSAGES_AT_ONCE: Final = 1_000  # Chunks per transaction: a writer of one of them waits until it ends.
IS_DONE: Final = "SELECT EXISTS (SELECT FROM meta WHERE key = 'unseen_words')"
NOTE_DONE: Final = "INSERT INTO meta(key, value) VALUES('unseen_words', 'true') ON CONFLICT DO NOTHING"
PASSAGES: Final = """
SELECT c.id, c.document_id, c.collection_id, d.title, c.section_path, c.text, c.identifiers
FROM chunks c JOIN documents d ON d.id = c.document_id AND d.collection_id = c.collection_id
WHERE c.id > $1 ORDER BY c.id LIMIT $2
"""
NAME: Final = """
UPDATE chunks c SET identifiers = given.identifiers FROM unnest($1::bigint[], $2::int[], $3::text[]) AS given(id, collection, identifiers)
WHERE c.id = given.id AND c.collection_id = given.collection
"""


async def index_unseen_words(con: Connection) -> None:
    """Index words of scripts without spaces and with letters in other forms, once per library."""
    if await con.fetchval(IS_DONE):
        return
    last = 0
    while rows := await con.fetch(PASSAGES, last, PASSAGES_AT_ONCE):
        last = rows[-1]["id"]
        if changed := [row for row in map(_word_row, rows) if row is not None]:
            ids, documents, collections, identifiers, lengths, *texts = map(list, zip(*changed, strict=True))
            async with con.transaction():
                await con.execute(NAME, ids, collections, identifiers)
                await con.execute(STORE_WORDS, ids, documents, collections, lengths, *texts)
    await con.execute(NOTE_DONE)


def _word_row(row: Any) -> tuple[Any, ...] | None:
    """Return IDs, identifiers, length and fields of a chunk whose index lacks words; None if it is complete."""
    path, known = row["section_path"], row["identifiers"]
    identifiers = indexed_beside(known, row["title"], *path, row["text"])
    if identifiers == known:
        return None
    texts = field_texts(row["title"], " ".join(path), row["text"], identifiers)
    return (row["id"], row["document_id"], row["collection_id"], identifiers, length_of(texts), *texts)
