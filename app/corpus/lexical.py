"""Keyword search: BM25 over title, section path, text and identifiers. MATCH sees quoted phrases only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import apsw

from app.corpus.binding import Ids, id_list
from app.corpus.records import Hit
from app.corpus.schema import TOKENIZER

SEARCH = "SELECT rowid, -rank FROM chunks_fts WHERE chunks_fts MATCH ?1 ORDER BY rank LIMIT ?2"

SEARCH_IN_DOCUMENTS = """
SELECT rowid, -rank FROM chunks_fts WHERE chunks_fts MATCH ?1 AND rowid BETWEEN ?4 AND ?5
  AND +rowid IN (SELECT id FROM chunks WHERE document_id IN (SELECT value FROM carray(?3)))
ORDER BY rank LIMIT ?2
"""

BOUNDS = "SELECT min(id), max(id) FROM chunks WHERE document_id IN (SELECT value FROM carray(?))"


def any_of(terms: Iterable[str]) -> str:
    """An FTS5 expression that matches rows with any of the words or phrases; empty when there are none."""
    return " OR ".join(phrase for term in terms if (phrase := quoted(term)) != '""')


def quoted(term: str) -> str:
    """The term as one FTS5 string. SQLite reads no further than a NUL, and lone surrogates are no text."""
    clean = term.replace("\0", " ").encode("utf-8", "ignore").decode("utf-8")
    return '"' + clean.replace('"', '""').strip() + '"'


def search(con: apsw.Connection, terms: Sequence[str], *, documents: Ids | None, k: int) -> list[Hit]:
    """The k best chunks that hold any of the terms; the score is BM25, higher is better."""
    expression = any_of(terms)
    if not expression:
        return []
    if documents is None:
        return [Hit(*row) for row in con.execute(SEARCH, (expression, k))]
    first, last = con.execute(BOUNDS, (id_list(documents),)).get
    values = (expression, k, id_list(documents), first, last)
    return [Hit(*row) for row in con.execute(SEARCH_IN_DOCUMENTS, values)]


def document_frequencies(con: apsw.Connection, words: Sequence[str]) -> dict[str, int]:
    """In how many chunks each word stands, counted as the index sees it (stemmed, without diacritics)."""
    tokenizer = con.fts5_tokenizer(TOKENIZER[0], list(TOKENIZER[1:]))
    return {word: _frequency(con, word, _tokens(tokenizer, word)) for word in dict.fromkeys(words)}


def _tokens(tokenizer: apsw.FTS5Tokenizer, word: str) -> list[str]:
    encoded = word.encode("utf-8", "ignore")
    found = tokenizer(encoded, apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False)
    return [str(token) for token in found]


def _frequency(con: apsw.Connection, word: str, tokens: list[str]) -> int:
    if not tokens:
        return 0
    if len(tokens) == 1:
        count = con.execute("SELECT doc FROM chunks_vocabulary WHERE term = ?", (tokens[0],)).get
    else:
        count = con.execute("SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?", (quoted(word),)).get
    return int(count or 0)
