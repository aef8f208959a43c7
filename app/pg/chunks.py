"""Passages of a shared library: read by id, and found by their words.

The database finds the candidates by its index of words and a plain rank; BM25 over these gives the order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.library.records import Chunk, Hit
from app.library.scope import EVERYTHING, Filter
from app.pg import words
from app.pg.connections import Connection, Connections, Rights, Store
from app.pg.scopes import DOCUMENTS, Scope, shown
from app.pg.text_search import TextSearch

CANDIDATES: Final = 400
"""Passages that BM25 looks at."""
COUNTED_EXACTLY: Final = 20_000
"""A word in more passages, and a library of more, are estimated from the statistics of the database."""

STATISTICS_SECONDS: Final = 60.0
"""How long the size of such a library and the shares of its common words are remembered."""
MAX_REMEMBERED: Final = 20_000
"""Words whose stems are remembered; also what so many different rights may read."""

CHUNKS: Final = f"""
SELECT c.id, c.document_id, c.key, c.ord, d.url, d.title, c.section_path, c.anchor, c.text,
  c."start", c."end", c.prefix_length, c.suffix_length, c.tokens, d.last_crawled, d.doc_tag
FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.collection_id = ANY($1) AND {DOCUMENTS}
"""
NEIGHBOURS: Final = f"""
{CHUNKS} AND (c.document_id, c.id) IN (
  SELECT around.document_id, around.id FROM chunks middle JOIN chunks around ON around.document_id = middle.document_id
  WHERE middle.id = $2 AND around.id <> middle.id AND around.ord BETWEEN middle.ord - $3 AND middle.ord + $4
) ORDER BY c.ord
"""
BESIDE: Final = f"""
SELECT c.id FROM unnest($2::bigint[]) WITH ORDINALITY AS given(id, place) JOIN chunks middle ON middle.id = given.id
JOIN chunks c ON c.document_id = middle.document_id AND c.ord IN (middle.ord - 1, middle.ord + 1)
WHERE {shown("c")} AND middle.collection_id = ANY($1) ORDER BY given.place, c.ord
"""
STEMS: Final = """
SELECT given.ord, found.lexeme, found.positions
FROM unnest($1::text[]) WITH ORDINALITY AS given(term, ord), unnest(to_tsvector('words', given.term)) AS found
"""
FREQUENCIES: Final = """
SELECT given.ord, (
  SELECT count(*) FROM (SELECT FROM chunk_words w WHERE w.collection_id = ANY($1) AND w.words @@ given.query::tsquery LIMIT $3) found
), 0::float8 FROM unnest($2::text[]) WITH ORDINALITY AS given(query, ord)
"""
SIZE_AND_FREQUENCIES: Final = f"""
SELECT 0, count(*), coalesce(avg(length), 0)::float8 FROM (
  SELECT w.length FROM chunk_words w WHERE w.collection_id = ANY($1) LIMIT $3
) found UNION ALL {FREQUENCIES}
"""
ESTIMATE: Final = "SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = 'chunk_words'::regclass"
COMMON: Final = """
SELECT word, share FROM (
  SELECT most_common_elems::text::text[] AS words, most_common_elem_freqs AS shares FROM pg_stats
  WHERE schemaname = 'webrag' AND tablename = 'chunk_words' AND attname = 'words'
) known, unnest(words, shares[1:cardinality(words)]) AS common(word, share)
"""


@dataclass(frozen=True, slots=True)
class _Statistics:
    """Of a library that is too large to be counted for each search; `shares` are those of its common words."""

    until: float
    passages: int
    average: float
    shares: Mapping[str, float]

    def count(self, phrase: words.Phrase) -> int | None:
        """In about how many passages a common word stands; None where it can be counted."""
        count = int(self.shares.get(phrase[0], 0.0) * self.passages) if len(phrase) == 1 else 0
        return count if count >= COUNTED_EXACTLY else None


class PgChunks(Store):
    """The passages of all documents, as far as the rights let through."""

    def __init__(self, connections: Connections, rights_of: Callable[[], Rights], text_search: TextSearch) -> None:
        super().__init__(connections, rights_of)
        self._text_search = text_search
        self._stems: dict[str, words.Phrase] = {}
        self._statistics: dict[tuple[int, ...], _Statistics] = {}

    def by_ids(self, chunk_ids: Sequence[int]) -> list[Chunk]:
        """The chunks in the order of the ids; ids that do not exist are left out."""
        found = {chunk.id: chunk for chunk in self._chunks(f"{CHUNKS} AND c.id = ANY($2)", list(chunk_ids))}
        return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]

    def of_document(self, document_id: int, *, limit: int, offset: int = 0) -> list[Chunk]:
        """The chunks of a document, in order."""
        query = f"{CHUNKS} AND c.document_id = $2 ORDER BY c.ord LIMIT $3 OFFSET $4"
        return self._chunks(query, document_id, limit, offset)

    def neighbours(self, chunk_id: int, before: int, after: int) -> list[Chunk]:
        """The chunks around one in its document, in order, without itself."""
        return self._chunks(NEIGHBOURS, chunk_id, before, after)

    def beside(self, chunk_ids: Sequence[int]) -> list[int]:
        """The ids of the chunks right before and behind each of these in its document, in the order of these."""
        return list(dict.fromkeys(row[0] for row in self._fetch(BESIDE, list(chunk_ids))))

    def documents_of(self, chunk_ids: Sequence[int]) -> dict[int, int]:
        """The documents of chunks, by chunk."""
        query = f"SELECT id, document_id FROM chunks c WHERE {shown('c')} AND id = ANY($2)"
        return dict(self._fetch(query, list(chunk_ids)))

    def count(self) -> int:
        """How many chunks there are."""
        return int(self._fetch("SELECT count(*) FROM chunks WHERE collection_id = ANY($1)")[0][0])

    def lexical(self, terms: Sequence[str], *, filter: Filter = EVERYTHING, k: int) -> list[Hit]:
        """The k best chunks that hold any of the words or phrases; the score is BM25, higher is better.

        Any text is allowed in a term.
        """
        scope = Scope(self._rights, filter)
        wanted = words.folded_terms(terms)
        if not wanted or k < 1:
            return []

        phrases = list(dict.fromkeys(self._phrases(wanted).values()))
        if not phrases:
            return []

        async def work(con: Connection) -> list[Hit]:
            most = max(k, CANDIDATES)
            ranked = await self._text_search.candidates(con, scope, phrases, most)
            found = await _occurrences(con, scope, phrases, most, ranked)
            passages, average, frequencies = await self._counted(con, phrases)
            return words.best(found, frequencies, passages, average, k)

        return self._connections.read(work, self._rights)

    def document_frequencies(self, asked: Sequence[str]) -> dict[str, int]:
        """In about how many chunks each word stands, as the search by words sees it."""
        terms = {word: words.folded(word[: words.MAX_TERM_CHARS]) for word in asked}

        phrases = self._phrases([term for term in dict.fromkeys(terms.values()) if term])
        asked_for = list(dict.fromkeys(phrases.values()))
        if not asked_for:
            return dict.fromkeys(terms, 0)
        _, _, counts = self._connections.read(lambda con: self._counted(con, asked_for), self._rights)
        return {word: counts[phrases[term]] if term in phrases else 0 for word, term in terms.items()}

    def other_forms(self, asked: Sequence[str], language: str) -> tuple[str, ...]:
        """Nothing: words of other languages than English are found as they stand."""
        return ()

    def _chunks(self, query: str, *values: object) -> list[Chunk]:
        return [_chunk(row) for row in self._fetch(query, *values)]

    def _phrases(self, terms: Iterable[str]) -> dict[str, words.Phrase]:
        """Each term as the index holds its words, in their order. How words are stemmed never changes."""
        wanted = list(terms)
        if unknown := [term for term in wanted if term not in self._stems]:
            places: dict[int, list[tuple[int, str]]] = {}
            for ord_, lexeme, positions in self._connections.rows(STEMS, [unknown], self._rights):
                places.setdefault(ord_, []).extend((position, lexeme) for position in positions)
            found = {term: tuple(word for _, word in sorted(places.get(n, ()))) for n, term in enumerate(unknown, 1)}
            kept = self._stems if len(self._stems) < MAX_REMEMBERED else {}
            stems = self._stems = {**kept, **found}
        else:
            stems = self._stems
        return {term: stems[term] for term in wanted if stems.get(term)}

    async def _counted(
        self, con: Connection, phrases: Sequence[words.Phrase]
    ) -> tuple[int, float, dict[words.Phrase, int]]:
        """How many passages there are, how many words one has on average, and in about how many each phrase stands."""
        readable = self._rights.readable
        known = self._statistics.get(readable)
        if known is not None and known.until < time.monotonic():
            known = None
        counts = {each: count for each in phrases if known is not None and (count := known.count(each)) is not None}
        rest = [each for each in phrases if each not in counts]
        queries = [words.expression([each]) for each in rest]
        query = SIZE_AND_FREQUENCIES if known is None else FREQUENCIES
        rows = await con.fetch(query, list(readable), queries, COUNTED_EXACTLY) if rest or known is None else []
        counts |= {rest[row[0] - 1]: int(row[1]) for row in rows if row[0] > 0}
        if known is not None:
            return known.passages, known.average, counts
        passages, average = next((int(row[1]), float(row[2])) for row in rows if row[0] == 0)
        if passages < COUNTED_EXACTLY:
            return passages, average, counts
        known = await _statistics(con, average)
        if len(self._statistics) >= MAX_REMEMBERED:
            self._statistics.clear()
        self._statistics[readable] = known
        counts |= {each: count for each in phrases if (count := known.count(each)) is not None}
        return known.passages, average, counts


def _chunk(row: Any) -> Chunk:
    return Chunk(**{**row, "section_path": tuple(row["section_path"])})


async def _statistics(con: Connection, average: float) -> _Statistics:
    passages = max(COUNTED_EXACTLY, int(await con.fetchval(ESTIMATE)))
    shares = {row["word"]: float(row["share"]) for row in await con.fetch(COMMON)}
    return _Statistics(time.monotonic() + STATISTICS_SECONDS, passages, average, shares)


async def _occurrences(
    con: Connection, scope: Scope, phrases: Sequence[words.Phrase], limit: int, ranked: Sequence[int] | None
) -> list[words.Occurrences]:
    """The passages that hold any of the phrases, those with the best plain rank; only those `ranked`, if any are given."""
    query = scope.value(words.expression(phrases))
    lexemes = scope.value(sorted({word for each in phrases for word in each}))
    most = scope.value(limit)
    among = "" if ranked is None else f"AND w.chunk_id = ANY({scope.value(list(ranked))}::bigint[])"
    statement = f"""
    WITH candidates AS MATERIALIZED (
      SELECT w.chunk_id, w.length, w.words FROM chunk_words w WHERE {scope.rows("w")} AND w.words @@ {query}::text::tsquery {among}
      ORDER BY ts_rank('{{1,1,1,1}}', w.words, {query}::text::tsquery, 1) DESC, w.chunk_id LIMIT {most}
    )
    SELECT c.chunk_id, c.length, found.lexeme, found.positions, found.weights
    FROM candidates c, unnest(c.words) AS found WHERE found.lexeme = ANY({lexemes}::text[])
    """
    places: dict[int, dict[str, tuple[Sequence[int], Sequence[str]]]] = {}
    lengths: dict[int, int] = {}
    for chunk_id, length, lexeme, positions, fields in await con.fetch(statement, *scope.values):
        lengths[chunk_id] = length
        places.setdefault(chunk_id, {})[lexeme] = (positions, fields)
    return [words.Occurrences(chunk_id, lengths[chunk_id], found) for chunk_id, found in places.items()]
