"""Reranking by late interaction (ColBERT, Khattab and Zaharia 2020): every word of a question against every word of a passage.

Passages are stored as the signs of their token vectors; the question keeps its floats.
"""

from __future__ import annotations

import logging
import math
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.embed.embedder import QueryEmbedding
from app.errors import EmbedderError
from app.library.protocol import Library
from app.library.records import Chunk, Passages
from app.retrieval.analysis import form_bonus
from app.retrieval.asked_words import explain
from app.retrieval.candidates import estimated
from app.retrieval.records import Candidate, QueryAnalysis, RetrievedChunk, SubQuery
from app.text.languages import ENGLISH, STOP_WORDS, STOP_WORDS_OF, has_stems, language_of
from app.text.scripts import has_unspaced
from app.text.terms import coverage, query_terms, words

CONTEXT_THREADS: Final = 8  # Questions read after titles at the same time, for all callers.

Bits = NDArray[np.uint8]
BLOCK_TOKENS: Final = 128  # Token vectors unpacked at a time, so that they stay in the processor's cache.
_PIECE: Final = re.compile(r"[A-Za-z0-9]{1,6}|[^\sA-Za-z0-9]")
"""Approximates a token: spaces that align a table have none, each dash of its rule is one."""
log = logging.getLogger(__name__)
EmbedQuery = Callable[[str, str], QueryEmbedding]
_THREADS: Final = ThreadPoolExecutor(CONTEXT_THREADS, thread_name_prefix="context")
"""Shared, because starting threads for each question takes longer than their work. They start with the first question."""
NAMED_BONUS: Final = 0.04
ELSEWHERE_BONUS: Final = -0.05  # For a named page, and one not read: enough for ties, not for more.
FUSED_BONUS: Final = 0.01  # For the best fused rank; a larger one hurts questions in other words.
WORDS_SHARE_ALONE: Final = 0.7
FUSED_BONUS_ALONE: Final = 0.15  # Without token vectors: proportion of words and fused rank.
FOLLOWING_SHARE: Final = 0.2  # For the best fused rank after the first passage (docs/internals/measurements.md).
ASKED_SHARE: Final = 0.05  # For words that often lead to the words of the question (docs/internals/measurements.md).
FLOOR: Final = 0.19
CEILING: Final = 0.69
KNEE: Final = 0.9
"""Mean cosines from floor to ceiling become relevance 0 to 1: unrelated passages are near the floor. Above the knee, relevance only
approaches 1, so that very close passages keep their order."""
WORDS_SHARE: Final = 0.05
USUAL_SHARE: Final = 0.3
"""Weight of the share of the question's words in a passage, less a usual share, in languages that the model was not made for
(docs/internals/measurements.md)."""
BY_WORDS_SHARE: Final = 0.5
"""Weight of the keyword score next to relevance if the model was not made for the language of the question or of the best passages
(docs/internals/measurements.md)."""
FORM_SHARE: Final = 0.75
MEAN_FORM_BONUS: Final = 0.02  # Subtracted, so that relevance means the same with and without.
PART_SHARE: Final = 0.3  # Weight of a part of the question for a passage that is closer to it than to the whole.
JUDGED_CHUNKS: Final = 5
USUAL_CHUNKS: Final = 60
USUAL_MATCH: Final = 0.39
"""How well the best chunks match the words of a question, and their number, tell whether they answer it. Missing chunks count as having
matched each word by a usual cosine."""
CONTEXT_SHARE: Final = 0.5  # Weight of the question read after the title of a page, relative to the question alone.
USUAL_GAIN: Final = 0.08  # Average increase of a mean cosine when a question is read after a title.
THINNED_GAIN: Final = 0.09
"""The best of many cosines from fewer signs is higher by this on average, because each is less exact (docs/internals/measurements.md)."""
MAX_WORD_LETTERS: Final = 12  # A run without spaces of at most this length may be one word.
STOP_WORD_SHARE: Final = 0.2  # Weight of a stop word if only words can be compared.
Scores = NDArray[np.float64]
Matches = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Met:
    """How well the JUDGED_CHUNKS best chunks match the content words of a question, by the best cosine for each.

    `gain`: how much closer they are, together, than the USUAL_CHUNKS best on average; the mean over the words. `together`: the cosine of
    the worst-matched word in the one chunk for which that is highest. `nearest`: for every word including stop words, in lower case, the
    best cosine. The mean over the pieces of a word.
    """

    gain: float
    together: float
    nearest: Mapping[str, float] = field(default_factory=dict)

    def is_near(self, name: Collection[str]) -> bool:
        """Whether these words together are matched better than usual."""
        known = [self.nearest[word] for word in name if word in self.nearest]
        return bool(known) and sum(known) / len(known) > USUAL_MATCH


@dataclass(frozen=True, slots=True)
class Ranking:
    """Chunks, most relevant first, and how well they match the question as a whole.

    `met` is None if only words were compared, even if just because one of the JUDGED_CHUNKS best is not embedded yet. `signs` holds the
    token vectors (as bits) of the chunks compared by vectors. `held` is the largest share of the words in one chunk, for a question that
    the model does not know. Otherwise None.
    """

    chunks: tuple[RetrievedChunk, ...]
    met: Met | None = None
    signs: Mapping[int, Bits] = field(default_factory=dict)
    held: float | None = None


@dataclass(frozen=True, slots=True)
class Origins:
    """Ids of the documents that the user named and of those read for this question. Without any, all documents are equal.

    The question is read after the titles of `pages_in_context` pages. Each one costs an embedding of the question
    (docs/internals/measurements.md); `search` only has time for two.
    """

    named: frozenset[int] = frozenset()
    read: frozenset[int] = frozenset()
    pages_in_context: int = 2

    def bonus(self, document_id: int) -> float:
        if document_id in self.named:
            return NAMED_BONUS
        return ELSEWHERE_BONUS if self.read and document_id not in self.read else 0.0


ANYWHERE: Final = Origins()


@dataclass(frozen=True, slots=True)
class LateInteractionReranker:
    """Scores passages by the mean over the question's words of their best match, with the question read alone and after the page's
    title.

    With `by_form`, passages of the form that answers such questions are preferred.

    Chunks without token vectors count as much as others with the same share of the question's words. If no chunk has any, or the query
    has no embedding, this share decides.
    """

    corpus: Library
    by_form: bool = True

    def rerank(
        self,
        analysis: QueryAnalysis,
        queries: Sequence[SubQuery],
        candidates: Sequence[Candidate],
        origins: Origins = ANYWHERE,
        in_context: QuestionInContext | None = None,
    ) -> Ranking:
        """Return the candidates that still exist, with chunks and scores."""
        asked = queries[0].embedding
        found = self.corpus.fetch(
            [candidate.chunk_id for candidate in candidates],
            vector=asked.vector if asked is not None else None,
            signs=all(query.has_tokens for query in queries),
        )
        chunks = {chunk.id: chunk for chunk in found.chunks}
        present = [candidate for candidate in candidates if candidate.chunk_id in chunks]
        if not present:
            return Ranking(())
        shown = [chunks[candidate.chunk_id] for candidate in present]
        weights = word_weights(self.corpus, queries)
        bits = self._bits(found)
        means, matches = _closeness(queries, shown, bits, weights)
        # A passage that answers one part well counts, but less than one that answers the whole.
        close = (1 - PART_SHARE) * means[0] + PART_SHARE * means.max(axis=0)
        parts: list[str | None] = [None] * len(shown)
        if len(queries) > 2:
            # With two queries, the second is the only part; the whole is not a part.
            parts = [queries[1 + int(part)].text for part in means[1:].argmax(axis=0)]
        # Started here and awaited at the end: the embedder reads the titles while words and forms are compared.
        nearest = _begin_context(in_context, shown, bits, close, origins)
        bonus = np.array([origins.bonus(chunk.document_id) for chunk in shown])
        fused_bonus = FUSED_BONUS if bits else FUSED_BONUS_ALONE
        bonus += fused_bonus * np.array([candidate.score for candidate in present])
        if bits and has_stems(analysis.language):
            # The model was made for English: in other languages, the words in a passage show what its vectors do not.
            bonus += WORDS_SHARE * (_shares(queries[0], shown, weights) - USUAL_SHARE)
        if self.by_form:
            bonus += FORM_SHARE * np.array([form_bonus(analysis, chunk.text, _heading(chunk)) for chunk in shown])
            bonus -= MEAN_FORM_BONUS
        if in_context is not None:
            close += CONTEXT_SHARE * _gain_in_context(in_context, shown, bits, close, nearest)
        relevance = _scaled(close + bonus)
        ranked = [
            RetrievedChunk(
                chunk, each.score, float(score), found.cosines.get(chunk.id), sub_query=part, matched=each.matched
            )
            for each, chunk, part, score in zip(present, shown, parts, relevance, strict=True)
        ]
        # Equal relevance is ordered by id, so that a question always returns the same passages.
        by_vectors = sorted(range(len(ranked)), key=lambda i: (-ranked[i].reranked_score, ranked[i].chunk.id))
        mixed = relevance
        if is_outside_model(analysis, queries[0], [ranked[i] for i in by_vectors]):
            mixed = relevance + BY_WORDS_SHARE * np.array([candidate.by_words for candidate in present])
        elif bits and origins == ANYWHERE:
            # The fused rank makes the choice of the first passage worse, and the order of all passages of the pages at an address.
            mixed = relevance
            if analysis.is_english:
                mixed = mixed + ASKED_SHARE * explain(analysis.query, [f"{_heading(it)}\n{it.text}" for it in shown])
            first = max(by_vectors, key=lambda i: mixed[i])
            mixed = mixed + FOLLOWING_SHARE * np.array([candidate.score for candidate in present])
            mixed[first] = np.inf
        order = sorted(by_vectors, key=lambda i: (-mixed[i], ranked[i].chunk.id))
        for place, i in zip(by_vectors, order, strict=True):
            # Relevance stays with the place, so that it keeps its meaning.
            ranked[i] = replace(ranked[i], reranked_score=float(relevance[place]))
        judged = [matches[ranked[i].chunk.id] for i in by_vectors if ranked[i].chunk.id in matches]
        # For chunks compared only by words, it is unknown how well they match the question.
        is_known = all(ranked[i].chunk.id in matches for i in by_vectors[:JUDGED_CHUNKS])
        stop_words = STOP_WORDS_OF.get(language_of(queries[0].text), STOP_WORDS)
        met = met_words(_list_spoken_words(queries[0]), judged[:USUAL_CHUNKS], stop_words) if is_known else None
        held = float(_shares(queries[0], shown, weights).max()) if queries[0].is_unknown else None
        return Ranking(tuple(ranked[i] for i in order), met, bits, held)

    def _bits(self, found: Passages) -> dict[int, Bits]:
        return {item.chunk_id: item.token_bits for item in found.signs if len(item.token_bits)}


@dataclass(frozen=True, slots=True)
class QuestionInContext:
    """Embeds a question after titles, each once. Blocking, for one thread at a time. `second` does the same with the second model."""

    question: str
    embed: EmbedQuery
    second: QuestionInContext | None = None
    _read: dict[str, Future[QueryEmbedding | None]] = field(default_factory=dict)

    def begin(self, titles: Iterable[str]) -> None:
        """Start embedding the question after these titles; `behind` waits for it."""
        fresh = [title for title in dict.fromkeys(titles) if title and title not in self._read]
        self._read.update({title: _THREADS.submit(self._embedded, title) for title in fresh})

    def behind(self, title: str) -> QueryEmbedding | None:
        """Return the question's own tokens, read after the title, or None if they are not available."""
        if not title:
            return None
        self.begin([title])
        return self._read[title].result()

    def _embedded(self, title: str) -> QueryEmbedding | None:
        try:
            embedding = self.embed(self.question, title)
        except EmbedderError as error:
            log.warning("cannot read a question after the title of a page: %s", error)
            return None
        return embedding if len(embedding.token_vectors) else None


def other_language(question: str, ranked: Sequence[RetrievedChunk]) -> str:
    """Return the language of the best chunks if it differs from the question's, otherwise or if unknown ""."""
    asked = language_of(question)
    shown = language_of("\n".join(item.chunk.text for item in ranked[:JUDGED_CHUNKS])) if asked else ""
    return shown if shown != asked else ""


def is_outside_model(analysis: QueryAnalysis, query: SubQuery, ranked: Sequence[RetrievedChunk]) -> bool:
    """Whether the model was not made for the language of the question or of the best chunks."""
    known = query.embedding.languages if query.embedding is not None else (ENGLISH,) if query.is_unknown else ()
    asked = analysis.language or (ENGLISH if analysis.is_english else "")
    return bool(known) and not {asked, other_language(analysis.query, ranked) or asked} <= set(known)


def word_weights(corpus: Library, queries: Sequence[SubQuery]) -> dict[str, float]:
    """Return the inverse document frequency of the terms of the queries in the corpus; stop words count a fifth."""
    words = {word for query in queries for word in query_terms(query.text)}
    frequencies = corpus.chunks.document_frequencies(sorted(words))
    total = max(1, corpus.chunks.count())
    return {
        word: math.log(1 + (total - count + 0.5) / (count + 0.5)) * (STOP_WORD_SHARE if word in STOP_WORDS else 1.0)
        for word, count in ((word, frequencies.get(word, 0)) for word in words)
    }


def closeness(query: QueryEmbedding, passages: Sequence[Bits]) -> Scores:
    """Return the mean best match of the question's words in each passage, as a cosine."""
    return np.asarray(best_matches(query.token_vectors, passages) @ word_share(query), dtype=np.float64)


def best_matches(vectors: NDArray[np.float32], passages: Sequence[Bits]) -> NDArray[np.float32]:
    """Return the best cosine of each token vector to any token of each passage, shape (passages, vectors).

    Passages can have the signs of every n-th value only.
    """
    width = passages[0].shape[1]
    if any(passage.shape[1] != width for passage in passages):
        is_same = np.array([passage.shape[1] == width for passage in passages])
        found = np.empty((len(passages), len(vectors)), np.float32)
        for chosen in (is_same, ~is_same):
            found[chosen] = best_matches(vectors, [passages[int(place)] for place in np.flatnonzero(chosen)])
        return found
    gain = 0.0
    if 8 * width < vectors.shape[1]:
        vectors = vectors[:, :: vectors.shape[1] // (8 * width)]
        vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        gain = THINNED_GAIN
    bits = np.concatenate(passages)
    products = np.empty((len(bits), len(vectors)), np.float32)
    columns = np.ascontiguousarray(vectors.T)
    block = np.empty((BLOCK_TOKENS, len(columns)), np.float32)
    for start in range(0, len(bits), BLOCK_TOKENS):
        part = bits[start : start + BLOCK_TOKENS]
        ones = block[: len(part)]
        np.copyto(ones, np.unpackbits(part, axis=1))
        np.matmul(ones, columns, out=products[start : start + BLOCK_TOKENS])
    starts = np.cumsum([0, *(len(passage) for passage in passages[:-1])])
    best = np.maximum.reduceat(products, starts, axis=0)
    # The signs are -1 and 1 for the bits 0 and 1.
    return np.asarray((2 * best - vectors.sum(axis=1)) / math.sqrt(vectors.shape[1]) - gain, dtype=np.float32)


def token_range(bits: Bits, chunk: Chunk, start: int, end: int) -> tuple[int, int]:
    """Return the range of the token vectors of a span of the chunk's text, at least one."""
    starts = _piece_starts(chunk.text)
    head = max(0, len(bits) - chunk.tokens)
    per_piece = (len(bits) - head) / max(1, len(starts))
    first = min(head + int(bisect_left(starts, start) * per_piece), len(bits) - 1)
    last = min(head + math.ceil(bisect_left(starts, end) * per_piece), len(bits))
    return first, max(first + 1, last)


@lru_cache(maxsize=64)
def _piece_starts(text: str) -> list[int]:
    return [piece.start() for piece in _PIECE.finditer(text)]


def word_share(query: QueryEmbedding) -> NDArray[np.float32]:
    """Return the weight of each query token, summing to 1: all words weigh the same, punctuation nothing."""
    spoken = np.array([any(c.isalnum() for c in word) for word in query.token_words], np.float32)
    if not spoken.any():
        spoken[:] = 1
    return np.asarray(spoken / spoken.sum(), dtype=np.float32)


def _closeness(
    queries: Sequence[SubQuery], chunks: Sequence[Chunk], bits: Mapping[int, Bits], weights: Mapping[str, float]
) -> tuple[Scores, dict[int, Matches]]:
    """Return mean cosines of each query to each chunk, shape (queries, chunks), and the matches of the first query by chunk."""
    seen = [i for i, chunk in enumerate(chunks) if chunk.id in bits]
    means = np.zeros((len(queries), len(chunks)))
    matches: dict[int, Matches] = {}
    if seen:
        embeddings = [query.embedding for query in queries if query.embedding is not None]
        vectors = [embedding.token_vectors for embedding in embeddings]
        found = best_matches(np.concatenate(vectors), [bits[chunks[i].id] for i in seen])
        parts = np.split(found, np.cumsum([len(each) for each in vectors])[:-1], axis=1)
        weighed = [word_share(embedding) for embedding in embeddings]
        means[:, seen] = [part @ share for part, share in zip(parts, weighed, strict=True)]
        matches = {chunks[i].id: match for i, match in zip(seen, parts[0][:, weighed[0] > 0], strict=True)}
    unseen = sorted(set(range(len(chunks))).difference(seen))
    for row, query in enumerate(queries if unseen else ()):
        shares = _shares(query, chunks, weights)
        if seen:
            means[row, unseen] = estimated(shares[seen], means[row, seen], shares[unseen])
        else:
            means[row] = FLOOR + (CEILING - FLOOR) * WORDS_SHARE_ALONE * shares
    return means, matches


def _shares(query: SubQuery, chunks: Sequence[Chunk], weights: Mapping[str, float]) -> Scores:
    """Return the share of the query's words in each chunk, in any of their forms, weighted by rarity."""
    terms, language = query_terms(query.text), language_of(query.text)
    if query.is_unknown:
        whole = tuple(word for word in words(query.text) if has_unspaced(word) and 2 < len(word) <= MAX_WORD_LETTERS)
        weights = {**weights, **dict.fromkeys(whole, max(weights.values(), default=1.0))}
        terms += whole
    return np.array([coverage(terms, f"{_heading(chunk)}\n{chunk.text}", weights, language) for chunk in chunks])


def _begin_context(
    in_context: QuestionInContext | None,
    chunks: Sequence[Chunk],
    bits: Mapping[int, Bits],
    close: Scores,
    origins: Origins,
) -> list[list[int]]:
    """Return the positions of the chunks of each of the closest pages, and start reading the question after their titles."""
    places: dict[int, list[int]] = {}
    for place, chunk in enumerate(chunks):
        if chunk.id in bits:
            places.setdefault(chunk.document_id, []).append(place)
    best = {page: max(close[i] for i in held) + origins.bonus(page) for page, held in places.items()}
    nearest = sorted(places, key=lambda page: (-best[page], page))[: origins.pages_in_context]
    if in_context is not None:
        in_context.begin(chunks[places[page][0]].title for page in nearest)
    return [places[page] for page in nearest]


def _gain_in_context(
    in_context: QuestionInContext,
    chunks: Sequence[Chunk],
    bits: Mapping[int, Bits],
    close: Scores,
    nearest: Sequence[Sequence[int]],
) -> Scores:
    """Return how much closer each passage is to the question when that is read after the page's title."""
    gain = np.full(len(chunks), USUAL_GAIN if bits else 0.0)
    for held in nearest:
        view = in_context.behind(chunks[held[0]].title)
        if view is not None:
            gain[held] = closeness(view, [bits[chunks[i].id] for i in held]) - close[held]
    return gain


def _scaled(cosines: Scores) -> Scores:
    # Linear up to the knee, then only approaching 1: very close passages keep their order.
    linear = np.maximum((cosines - FLOOR) / (CEILING - FLOOR), 0.0)
    over = np.maximum(linear - KNEE, 0.0) / (1 - KNEE)
    return np.where(linear > KNEE, 1 - (1 - KNEE) * np.exp(-over), linear)


def met_words(words: Sequence[str], matches: Sequence[Matches], stop_words: Collection[str] = STOP_WORDS) -> Met | None:
    """Return how the best chunks, by their cosines to each word, match the content words; None without chunks."""
    if not matches or not words:
        return None
    meaningful = [place for place, word in enumerate(words) if word.lower() not in stop_words]
    table = np.array(matches)[:, meaningful or range(len(words))]
    best = table[:JUDGED_CHUNKS]
    usual = (table.sum(axis=0) + max(0, USUAL_CHUNKS - len(table)) * USUAL_MATCH) / max(USUAL_CHUNKS, len(table))
    pieces: dict[str, list[float]] = {}
    for word, cosine in zip(words, np.max(matches[:JUDGED_CHUNKS], axis=0), strict=True):
        pieces.setdefault(word.lower(), []).append(float(cosine))
    nearest = {word: sum(found) / len(found) for word, found in pieces.items()}
    return Met(float((best.max(axis=0) - usual).mean()), float(best.min(axis=1).max()), nearest)


def _list_spoken_words(query: SubQuery) -> list[str]:
    if query.embedding is None:
        return []
    shares = word_share(query.embedding)
    return [word for word, share in zip(query.embedding.token_words, shares, strict=True) if share > 0]


def _heading(chunk: Chunk) -> str:
    return "\n".join((chunk.title, *chunk.section_path))
