"""Chunks, read with the data to show and cite them, and keyword search.

Keyword search is BM25 over title, section path, text and identifiers. MATCH gets quoted phrases only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import apsw

from app.corpus.database import Store, id_list, split_path
from app.corpus.documents import filtered_ids, hidden_ids, without
from app.corpus.schema import TOKENIZER
from app.library.protocol import ChunkReader
from app.library.records import Chunk, Hit
from app.library.scope import EVERYTHING, Filter
from app.text.languages import MIN_STEM, stem_in

CHUNKS: Final = """
SELECT c.id, c.document_id, c.key, c.ord, d.url, c.title, c.section_path, c.anchor, c.text,
  c."start", c."end", c.prefix_length, c.suffix_length, c.tokens, d.last_crawled, d.doc_tag
FROM chunks c JOIN documents d ON d.id = c.document_id
"""
NEIGHBOURS: Final = """
JOIN chunks middle ON middle.id = ?1 AND middle.document_id = c.document_id
WHERE c.ord BETWEEN middle.ord - ?2 AND middle.ord + ?3 AND c.id <> middle.id ORDER BY c.ord
"""
BESIDE: Final = """
SELECT c.id FROM chunks middle JOIN chunks c ON c.document_id = middle.document_id AND c.ord IN (middle.ord - 1, middle.ord + 1)
WHERE middle.id = ? ORDER BY c.ord
"""
DOCUMENTS_OF: Final = "SELECT id, document_id FROM chunks WHERE id IN (SELECT value FROM carray(?))"
SEARCH: Final = "SELECT rowid, -rank FROM chunks_fts WHERE chunks_fts MATCH ?1 ORDER BY rank LIMIT ?2"
SEARCH_IN_DOCUMENTS: Final = """
SELECT rowid, -rank FROM chunks_fts WHERE chunks_fts MATCH ?1 AND rowid BETWEEN ?4 AND ?5
  AND +rowid IN (SELECT id FROM chunks WHERE document_id IN (SELECT value FROM carray(?3)))
ORDER BY rank LIMIT ?2
"""
SEARCH_WITHOUT: Final = """
SELECT rowid, -rank FROM chunks_fts WHERE chunks_fts MATCH ?1
  AND +rowid NOT IN (SELECT id FROM chunks WHERE document_id IN (SELECT value FROM carray(?3)))
ORDER BY rank LIMIT ?2
"""
BEGINNING_WITH: Final = "SELECT term FROM chunks_vocabulary WHERE term >= ?1 AND term < ?2 LIMIT ?3"
PREFIX_CHARS: Final = 5
MAX_TERMS_READ: Final = 600
"""Characters of a stem to look up in the index, and number of index terms to compare with it."""
MAX_FORMS: Final = 8  # Most other forms of one word to search as well.
UNSTEMMED: Final = ("", "e", "s", "ed")  # Endings to try until the index stems a word to exactly its term.
BOUNDS: Final = "SELECT min(id), max(id) FROM chunks WHERE document_id IN (SELECT value FROM carray(?))"


class ChunkStore(Store, ChunkReader):
    """The chunks of all documents."""

    def by_ids(self, chunk_ids: Sequence[int]) -> list[Chunk]:
        query = CHUNKS + "WHERE c.id IN (SELECT value FROM carray(?))"
        found = {chunk.id: chunk for chunk in self._chunks(query, id_list(chunk_ids))}
        return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]

    def of_document(self, document_id: int, *, limit: int, offset: int = 0) -> list[Chunk]:
        query = CHUNKS + "WHERE c.document_id = ? ORDER BY c.ord LIMIT ? OFFSET ?"
        return self._chunks(query, document_id, limit, offset)

    def neighbours(self, chunk_id: int, before: int, after: int) -> list[Chunk]:
        return self._chunks(CHUNKS + NEIGHBOURS, chunk_id, before, after)

    def beside(self, chunk_ids: Sequence[int]) -> list[int]:
        with self._database.read() as con:
            return list(dict.fromkeys(row[0] for each in chunk_ids for row in con.execute(BESIDE, (int(each),))))

    def documents_of(self, chunk_ids: Sequence[int]) -> dict[int, int]:
        """Return the documents of chunks, by chunk."""
        return dict(self._rows(DOCUMENTS_OF, id_list(chunk_ids)))

    def count(self) -> int:
        return int(self._value("SELECT count(*) FROM chunks"))

    def lexical(self, terms: Sequence[str], *, filter: Filter = EVERYTHING, k: int) -> list[Hit]:
        expression = any_of(terms)
        if not expression:
            return []
        with self._database.read() as con:
            documents, hidden = filtered_ids(con, filter), hidden_ids(con, filter)
            if documents is None and not len(hidden):
                return [Hit(*row) for row in con.execute(SEARCH, (expression, k))]
            if documents is None:
                # Excluding the few hidden documents is faster than listing all others.
                return [Hit(*row) for row in con.execute(SEARCH_WITHOUT, (expression, k, id_list(hidden)))]
            documents = without(documents, hidden)
            first, last = con.execute(BOUNDS, (id_list(documents),)).get
            values = (expression, k, id_list(documents), first, last)
            return [Hit(*row) for row in con.execute(SEARCH_IN_DOCUMENTS, values)]

    def document_frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """Return the number of chunks with each word as the keyword index stores it: stemmed, without diacritics."""
        with self._database.read() as con:
            found: dict[str, int] = {}
            for word in dict.fromkeys(words):
                stored, query = index_words(con, word), "SELECT doc FROM chunks_vocabulary WHERE term = ?"
                if len(stored) > 1:
                    stored, query = [quoted(word)], "SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?"
                found[word] = int(con.execute(query, (stored[0],)).get or 0) if stored else 0
            return found

    def other_forms(self, words: Sequence[str], language: str) -> tuple[str, ...]:
        """Return at most MAX_FORMS index forms of each word, by the stemmer of its language: the index stems English only."""
        with self._database.read() as con:
            found = [form for word in words if word.isalpha() for form in _other_forms(con, word, language)]
        return tuple(dict.fromkeys(found))

    def _chunks(self, query: str, *values: object) -> list[Chunk]:
        return [Chunk(*(*row[:6], split_path(row[6]), *row[7:])) for row in self._rows(query, *values)]


def any_of(terms: Iterable[str]) -> str:
    """Return an FTS5 expression for rows with any of the words or phrases; empty without terms."""
    return " OR ".join(phrase for term in terms if (phrase := quoted(term)) != '""')


def quoted(term: str) -> str:
    """Return the term as one FTS5 string, without NUL (SQLite stops reading there) and lone surrogates (not text)."""
    clean = term.replace("\0", " ").encode("utf-8", "ignore").decode("utf-8")
    return '"' + clean.replace('"', '""').strip() + '"'


def index_words(con: apsw.Connection, text: str) -> list[str]:
    """Return the words of a text as the full-text indexes store them: normalized and stemmed."""
    tokenizer = con.fts5_tokenizer(TOKENIZER[0], list(TOKENIZER[1:]))
    encoded = text.encode("utf-8", "ignore")
    found = tokenizer(encoded, apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False)
    return [str(token) for token in found]


def _other_forms(con: apsw.Connection, word: str, language: str) -> list[str]:
    wanted, known = stem_in(language, word), set(index_words(con, word))
    beginnings = [wanted[:PREFIX_CHARS]] if len(wanted) >= MIN_STEM - 1 else []
    # The index removes accents and case but keeps `ß`, which a stem spells `ss`.
    if beginnings and "ß" in (with_sharp_s := f"{wanted}s".replace("ss", "ß", 1)[:PREFIX_CHARS]):
        beginnings.append(with_sharp_s)
    ranges = [(beginning, beginning[:-1] + chr(ord(beginning[-1]) + 1)) for beginning in beginnings]
    terms = [str(row[0]) for first, end in ranges for row in con.execute(BEGINNING_WITH, (first, end, MAX_TERMS_READ))]
    same = [term for term in terms if term not in known and stem_in(language, term) == wanted]
    spelled = (
        next((f"{term}{end}" for end in UNSTEMMED if index_words(con, f"{term}{end}") == [term]), "") for term in same
    )
    return [form for form in spelled if form][:MAX_FORMS]
