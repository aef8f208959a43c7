"""The size of a library and the frequencies of its words.

Both are cached for a large library, since counting takes longer than a search. A small one is counted each time. Belongs to the event
loop of the connections.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Final

from app.pg import words
from app.pg.sessions import Connection

COUNTED_EXACTLY: Final = 20_000  # Chunks; a larger library is estimated instead of counted for each call.
ESTIMATED: Final = 500  # Chunks with a word from which the planner statistics are reliable.
REMEMBERED_SECONDS: Final = 60.0
WORDS_REMEMBERED_SECONDS: Final = 600.0  # They change slowly, and a new count delays the next query.
COUNTING_PAUSES: Final = 200  # A count is cached for at least this many times its duration.
MAX_REMEMBERED: Final = 20_000  # Words and collections with cached counts.
MAX_SCOPES: Final = 256  # Sets of collections with cached counts.
SIZES: Final = """
SELECT given.id, (SELECT count(*) FROM documents d WHERE d.collection_id = ANY($1) AND d.collection_id = given.id),
  held.passages, held.tokens
FROM unnest($1::int[]) AS given(id), LATERAL (
  SELECT count(*) AS passages, coalesce(sum(tokens), 0)::bigint AS tokens
  FROM chunks c WHERE c.collection_id = ANY($1) AND c.collection_id = given.id
) held
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
SHARE: Final = """
SELECT count(*) = 0, coalesce(sum(held.share) FILTER (WHERE held.id = ANY($1)), 0)::float8 FROM (
  SELECT most_common_vals::text::int[] AS ids, most_common_freqs AS shares FROM pg_stats
  WHERE schemaname = 'webrag' AND tablename = 'chunk_words' AND attname = 'collection_id'
) known, unnest(ids, shares) AS held(id, share)
"""
"""Share of all chunks in the collections. Without it, words would seem too common to a user who can read little of a large library."""
COMMON: Final = """
SELECT word, share FROM (
  SELECT most_common_elems::text::text[] AS words, most_common_elem_freqs AS shares FROM pg_stats
  WHERE schemaname = 'webrag' AND tablename = 'chunk_words' AND attname = 'words'
) known, unnest(words, shares[1:cardinality(words)]) AS common(word, share)
"""


@dataclass(frozen=True, slots=True)
class Size:
    """Size of the collections."""

    documents: int = 0
    passages: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Approximate number of chunks with each phrase, and the average number of words in a chunk."""

    passages: int
    average: float
    counts: Mapping[words.Phrase, int]


@dataclass(slots=True)
class _Counted:
    """Size of one collection."""

    until: float
    size: Size


@dataclass(slots=True)
class _Common:
    """Frequencies in a large library: `shares` of its common words, `counts` of others that were counted."""

    until: float
    passages: int
    average: float
    shares: Mapping[str, float]
    counts: dict[words.Phrase, int] = field(default_factory=dict)

    def count(self, phrase: words.Phrase) -> int | None:
        """Return approximately how many chunks contain a phrase, or None if it has to be counted."""
        estimate = int(self.shares.get(phrase[0], 0.0) * self.passages) if len(phrase) == 1 else 0
        return estimate if estimate >= ESTIMATED else self.counts.get(phrase)

    def remember(self, counts: Mapping[words.Phrase, int]) -> None:
        if len(self.counts) + len(counts) > MAX_REMEMBERED:
            self.counts.clear()
        self.counts.update(counts)


class Statistics:
    """Statistics of one library, for all of its stores."""

    def __init__(self) -> None:
        self._counted: dict[int, _Counted] = {}
        self._common: dict[tuple[int, ...], _Common] = {}
        self._large: dict[tuple[int, ...], float] = {}

    def is_large(self, readable: Sequence[int]) -> bool:
        """Whether the collections are already known to have at least COUNTED_EXACTLY chunks in total."""
        now, common = time.monotonic(), self._common.get(tuple(readable))
        if self._large.get(tuple(readable), 0.0) > now or (common is not None and common.until >= now):
            return True
        return self.known_size(readable) is not None

    def seen_large(self, readable: Sequence[int]) -> None:
        """Remember that the collections are large."""
        if len(self._large) >= MAX_SCOPES:
            self._large.clear()
        self._large[tuple(readable)] = time.monotonic() + REMEMBERED_SECONDS

    async def size(self, con: Connection, readable: Sequence[int]) -> Size:
        """Return the total size of the collections."""
        wanted = list(dict.fromkeys(readable))
        known = [self._counted[each] for each in wanted if each in self._counted]
        total = _total(known)
        is_known = len(known) == len(wanted) and total.passages >= COUNTED_EXACTLY
        began = time.monotonic()
        late = [each for each in known if each.until <= began]
        if is_known and not late:
            return total
        # During a new count, other callers get the previous result.
        for each in late:
            each.until = began + REMEMBERED_SECONDS
        rows = await con.fetch(SIZES, wanted)
        until = began + max(REMEMBERED_SECONDS, COUNTING_PAUSES * (time.monotonic() - began))
        counted = {row[0]: _Counted(until, Size(row[1], row[2], row[3])) for row in rows}
        total = _total(counted.values())
        if len(self._counted) + len(counted) > MAX_REMEMBERED:
            self._counted.clear()
        if total.passages >= COUNTED_EXACTLY:
            self._counted |= counted
        return total

    async def word_counts(
        self, con: Connection, readable: Sequence[int], phrases: Sequence[words.Phrase]
    ) -> WordCounts:
        """Return the frequencies of phrases in the collections."""
        if (known := self.known_counts(readable, phrases)) is not None:
            return known
        common = self._common.get(tuple(readable))
        if common is not None and common.until < time.monotonic():
            common = None
        counts = {each: count for each in phrases if common is not None and (count := common.count(each)) is not None}
        rest = [each for each in phrases if each not in counts]
        query = SIZE_AND_FREQUENCIES if common is None else FREQUENCIES
        rows = await con.fetch(query, list(readable), [words.expression([each]) for each in rest], COUNTED_EXACTLY)
        found = {rest[row[0] - 1]: int(row[1]) for row in rows if row[0] > 0}
        if common is None:
            passages, average = next((int(row[1]), float(row[2])) for row in rows if row[0] == 0)
            if passages < COUNTED_EXACTLY:
                return WordCounts(passages, average, counts | found)
            common = await _common(con, readable, average)
            if len(self._common) >= MAX_SCOPES:
                self._common.clear()
            self._common[tuple(readable)] = common
        common.remember(found)
        counts |= found
        counts |= {each: count for each in phrases if (count := common.count(each)) is not None}
        return WordCounts(common.passages, common.average, counts)

    def known_counts(self, readable: Sequence[int], phrases: Sequence[words.Phrase]) -> WordCounts | None:
        """Return the cached frequencies of phrases, or None if the database is needed."""
        common = self._common.get(tuple(readable))
        if common is None or common.until < time.monotonic():
            return None
        counts = {each: common.count(each) for each in phrases}
        known = {each: count for each, count in counts.items() if count is not None}
        return WordCounts(common.passages, common.average, known) if len(known) == len(counts) else None

    def known_size(self, readable: Sequence[int]) -> Size | None:
        """Return the cached total size of the collections, or None if the database is needed."""
        now = time.monotonic()
        wanted = dict.fromkeys(readable)
        known = [self._counted[each] for each in wanted if each in self._counted and now < self._counted[each].until]
        total = _total(known)
        return total if len(known) == len(wanted) and total.passages >= COUNTED_EXACTLY else None


def _total(counted: Iterable[_Counted]) -> Size:
    return Size(*map(sum, zip(*(astuple(each.size) for each in counted), strict=True)))


async def _common(con: Connection, readable: Sequence[int], average: float) -> _Common:
    is_unknown, share = await con.fetchrow(SHARE, list(readable))
    passages = max(COUNTED_EXACTLY, int(await con.fetchval(ESTIMATE) * (1.0 if is_unknown else share)))
    shares = {row["word"]: float(row["share"]) for row in await con.fetch(COMMON)}
    return _Common(time.monotonic() + WORDS_REMEMBERED_SECONDS, passages, average, shares)
