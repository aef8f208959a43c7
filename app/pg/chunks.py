"""Chunks of a shared library: read by ID, and keyword search.

The database finds candidates with its word index and a plain rank; BM25 then orders them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from app.library.protocol import ChunkReader
from app.library.records import Chunk, EmbeddingModel, Hit
from app.library.scope import EVERYTHING, Filter
from app.pg import words
from app.pg.connections import Access, Store
from app.pg.sessions import DOCUMENTS, Connection, Rights, Scope, shown
from app.pg.setup import IS_OF, value_of

CANDIDATES: Final = 250  # Candidates for BM25; 400 gave no better results after reranking (SQuAD, Cranfield).
MATCHED: Final = 2_000  # Readable chunks to rank, those with the rarest words (docs/internals/measurements.md).
RANK_WEIGHTS: Final = "{0.5,0.7,0.9,1}"  # In text, identifiers, section path and title, about as in BM25.
BY_INDEX: Final = "SET LOCAL enable_seqscan = off"  # PostgreSQL assumes that many words match most chunks.
MAX_REMEMBERED: Final = 20_000  # Words whose stems are cached.
COLUMNS: Final = """c.id, c.document_id, c.key, c.ord, d.url, d.title, c.section_path, c.anchor, c.text,
  c."start", c."end", c.prefix_length, c.suffix_length, c.tokens, d.last_crawled, d.doc_tag"""
CHUNKS: Final = f"SELECT {COLUMNS} FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.collection_id = ANY($1) AND {DOCUMENTS}"
COMPARED: Final = f"""
SELECT {COLUMNS},
  CASE WHEN $3 AND {IS_OF.format(model="$5")} THEN (
    SELECT s.bits FROM token_signs s WHERE s.collection_id = ANY($1) AND s.chunk_id = c.id
  ) END AS bits,
  CASE WHEN $4::real[] IS NOT NULL AND {IS_OF.format(model="$5")} THEN (
    SELECT 1 - (e.vector <=> $4::real[]::halfvec) FROM embeddings e WHERE e.collection_id = ANY($1) AND e.chunk_id = c.id
  ) END AS cosine
FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.collection_id = ANY($1) AND {DOCUMENTS} AND c.id = ANY($2)
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


class PgChunks(Store, ChunkReader):
    """The chunks of all documents, within the rights of the call."""

    def __init__(self, access: Access) -> None:
        super().__init__(access)
        self._stems: dict[str, words.Phrase] = {}

    def by_ids(self, chunk_ids: Sequence[int]) -> list[Chunk]:
        found = {chunk.id: chunk for chunk in self._chunks(f"{CHUNKS} AND c.id = ANY($2)", list(chunk_ids))}
        return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]

    def compared(
        self, chunk_ids: Sequence[int], vector: Sequence[float] | None, model: EmbeddingModel, *, signs: bool
    ) -> list[tuple[Chunk, bytes | None, float | None]]:
        """Return the chunks in the order of the IDs, with token vectors and cosine to `vector` if embedded."""
        found = {}
        for row in self._fetch(COMPARED, list(chunk_ids), signs, vector, value_of(model)):
            *columns, bits, cosine = row
            found[row["id"]] = (_chunk(dict(zip(row.keys(), columns, strict=False))), bits, cosine)
        return [found[chunk_id] for chunk_id in dict.fromkeys(chunk_ids) if chunk_id in found]

    def of_document(self, document_id: int, *, limit: int, offset: int = 0) -> list[Chunk]:
        query = f"{CHUNKS} AND c.document_id = $2 ORDER BY c.ord LIMIT $3 OFFSET $4"
        return self._chunks(query, document_id, limit, offset)

    def neighbours(self, chunk_id: int, before: int, after: int) -> list[Chunk]:
        return self._chunks(NEIGHBOURS, chunk_id, before, after)

    def beside(self, chunk_ids: Sequence[int]) -> list[int]:
        return list(dict.fromkeys(row[0] for row in self._fetch(BESIDE, list(chunk_ids))))

    def count(self) -> int:
        return self._size().passages

    def lexical(self, terms: Sequence[str], *, filter: Filter = EVERYTHING, k: int) -> list[Hit]:
        search = self.search_of(terms, filter, k)
        return [] if search is None else self._connections.search(search, self._rights, BY_INDEX)

    def search_of(
        self, terms: Sequence[str], filter: Filter, k: int
    ) -> Callable[[Connection], Awaitable[list[Hit]]] | None:
        """Return the work of `lexical` for a transaction with BY_INDEX; None if nothing can match or be read."""
        rights = self._rights
        Scope(rights, filter)  # an unknown label raises its error before the first query
        wanted = words.folded_terms(terms)
        if not wanted or k < 1 or not rights.readable:
            return None

        async def work(con: Connection) -> list[Hit]:
            # Created for each run: it collects the parameters of its statements, and runs can use several connections in parallel.
            scope = Scope(rights, filter)
            times: Counter[words.Phrase] = Counter()
            for term, phrase in (await self._phrases(con, wanted)).items():
                times[phrase] += wanted[term]
            phrases = list(times)
            if not phrases:
                return []
            known = await self._statistics.word_counts(con, rights.readable, phrases)
            is_large = not scope.is_restricted and known.passages > MATCHED
            matched = words.selective(phrases, known.counts, known.passages, MATCHED) if is_large else ""
            # The chunks with the best plain rank that contain any phrase; of many, those that match the rarest ones.
            query = scope.value(words.expression(phrases))
            looked_at = scope.value(matched) if matched else query
            most = scope.value(max(k, CANDIDATES))
            statement = f"""
            SELECT found.chunk_id, found.length, found.words::text FROM (
              SELECT w.chunk_id, w.length, w.words FROM chunk_words w WHERE {scope.rows("w")} AND w.words @@ {looked_at}::text::tsquery
              ORDER BY ts_rank('{RANK_WEIGHTS}', w.words, {query}::text::tsquery, 1) DESC, w.chunk_id LIMIT {most}
            ) found
            """
            found = list(await con.fetch(statement, *scope.values))
            return words.best(found, known.counts, known.passages, known.average, k, times)

        return work

    def document_frequencies(self, asked: Sequence[str]) -> dict[str, int]:
        terms = {word: words.folded(word[: words.MAX_TERM_CHARS]) for word in asked}
        wanted = [term for term in dict.fromkeys(terms.values()) if term]
        rights = self._rights
        if not wanted or not rights.readable:
            return dict.fromkeys(terms, 0)

        async def work(con: Connection) -> tuple[Mapping[str, words.Phrase], Mapping[words.Phrase, int]]:
            phrases = await self._phrases(con, wanted)
            known = await self._statistics.word_counts(con, rights.readable, list(dict.fromkeys(phrases.values())))
            return phrases, known.counts

        phrases, counts = self._remembered(wanted, rights) or self._connections.read(work, rights)
        return {word: counts[phrases[term]] if term in phrases else 0 for word, term in terms.items()}

    def _remembered(
        self, terms: Sequence[str], rights: Rights
    ) -> tuple[Mapping[str, words.Phrase], Mapping[words.Phrase, int]] | None:
        """Return cached data about terms without a query, or None if the database is needed."""
        stems = self._stems
        if any(term not in stems for term in terms):
            return None
        phrases = {term: stems[term] for term in terms if stems[term]}
        known = self._statistics.known_counts(rights.readable, list(dict.fromkeys(phrases.values())))
        return (phrases, known.counts) if known is not None else None

    def other_forms(self, asked: Sequence[str], language: str) -> tuple[str, ...]:
        """Return nothing: only English words have other forms here."""
        return ()

    def _chunks(self, query: str, *values: object) -> list[Chunk]:
        return [_chunk(row) for row in self._fetch(query, *values)]

    async def _phrases(self, con: Connection, terms: Iterable[str]) -> dict[str, words.Phrase]:
        """Return the words of each term as the index stores them, in order. Cached, because stemming never changes."""
        wanted = list(terms)
        if unknown := [term for term in wanted if term not in self._stems]:
            places: dict[int, list[tuple[int, str]]] = {}
            for ord_, lexeme, positions in await con.fetch(STEMS, unknown):
                places.setdefault(ord_, []).extend((position, lexeme) for position in positions)
            found = {term: tuple(word for _, word in sorted(places.get(n, ()))) for n, term in enumerate(unknown, 1)}
            kept = self._stems if len(self._stems) < MAX_REMEMBERED else {}
            stems = self._stems = {**kept, **found}
        else:
            stems = self._stems
        return {term: stems[term] for term in wanted if stems.get(term)}


def _chunk(row: Any) -> Chunk:
    return Chunk(**{**row, "section_path": tuple(row["section_path"])})
