"""Evidence for a question: candidates from a scope of documents, their ranking, and whether they contain the answer.

Blocking: for worker threads.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile, takewhile
from typing import Final, NamedTuple

from app import caps
from app.durations import ms_since
from app.embed.embedder import Embedder
from app.errors import EmbedderError
from app.library.protocol import Library
from app.library.scope import Filter
from app.retrieval import rerank
from app.retrieval.analysis import Held, analyse, names_of
from app.retrieval.candidates import PLAIN, EmbedPriority, EmbedWithin, find_candidates
from app.retrieval.records import Candidate, QueryAnalysis, RetrievedChunk, SearchPlan, SharedEvidence, Stages, SubQuery
from app.text.languages import STOP_WORDS, language_of
from app.text.page_text import quoted
from app.text.scripts import has_unspaced
from app.text.sentence import sentence
from app.text.terms import stem, synonyms, words

RERANK_CANDIDATES: Final = 80
KNOWN: Final = 0.75  # The share of a question's letters that the model must know; below it, keywords decide.
UNKNOWN_WORDS: Final = sentence("the embedding model does not know its words")
HOPELESS: Final = 0.1  # Below this likelihood nothing is shown: the question is about something else.
ANSWERED: Final = 0.34  # Below this likelihood the result counts as “nothing found” (docs/internals/measurements.md).
# The same for a search with USUAL_CHUNKS results: in many pages, something is always close.
ANSWERED_ANYWHERE: Final = 0.5
# If even the best of the passages is less relevant than this, an answer is at most as likely as UNRELATED.
LEAST_RELEVANCE: Final = 0.38
UNRELATED: Final = 0.2
LEAST_PARTS: Final = 2  # A single part is the question itself, without the text before it.
INTERCEPT: Final = -3.79
MISSING_COUNTED: Final = 2  # Further missing names add no information.
MOST_LEAD: Final = 0.15  # A larger lead adds no information.
HELD_CHUNKS: Final = 15  # Best chunks that are searched for names; nearly every word occurs in a larger number of them.
COUNTED_CHUNKS: Final = 8
BESIDE_WORDS: Final = 4  # Best chunks that are searched for numbers, and words between number and thing.
# The same for single passages, by their relevance and the logarithm of their rank.
CONFIDENCE_INTERCEPT: Final = -2.4
CONFIDENCE_RELEVANCE: Final = 3.8
CONFIDENCE_PLACE: Final = -2.2
_COUNT: Final = re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE)
_NUMBER: Final = re.compile(
    r"\d|(?:zero|no|one|two|both|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|hundred|thousand"
    r"|million|dozen|half|once|twice|single|unlimited|infinite|any)$"
)
_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+|\n")
_SPOKEN: Final = re.compile(r"\w+(?:\.\w+)*")


class Signals(NamedTuple):
    """Signals of an answer among ranked chunks, or their weights.

    `gain` and `together`: how well the words of the question are matched (`Met`). `lead`: how much more relevant the best chunk is than
    the next one with other content. `missing`: names of the question that neither occur nor resemble anything, at most MISSING_COUNTED.
    `uncounted`: 1 if the question asks for a count and no number is near the counted thing, otherwise 0.
    """

    gain: float
    together: float
    lead: float
    missing: float
    uncounted: float


WEIGHTS: Final = Signals(gain=9.08, together=12.5, lead=10.9, missing=-1.88, uncounted=-1.66)
"""With INTERCEPT, a logistic regression (docs/internals/measurements.md)."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Ranked chunks, the likelihood that they contain the answer (None if not estimated), and the time taken.

    A likelihood below `least` means no answer. `other_language` is the language of the best chunks if it differs from the question's.
    `signs` are the token vectors (as bits) by chunk. `unmet` are the parts of the question that the chunks most likely do not answer.
    `reread` names the reranker that ordered the best chunks again.
    """

    ranked: tuple[RetrievedChunk, ...]
    likelihood: float | None
    retrieval_ms: float
    reranking_ms: float
    other_language: str = ""
    signs: Mapping[int, rerank.Bits] = field(default_factory=dict)
    unmet: tuple[str, ...] = ()
    least: float = ANSWERED
    reread: str = ""

    @property
    def is_none(self) -> bool:
        """Whether the evidence most likely contains no answer."""
        return not self.ranked or (self.likelihood is not None and self.likelihood < self.least)

    @property
    def is_hopeless(self) -> bool:
        """Whether the question is about something else entirely."""
        return self.likelihood is not None and self.likelihood < HOPELESS

    @property
    def top_score(self) -> float:
        return self.ranked[0].reranked_score if self.ranked else 0.0


@dataclass(frozen=True, slots=True)
class PreparedQuestion:
    """An analyzed question with its sub-queries and their vectors; `degraded` says why they have none, or is empty."""

    analysis: QueryAnalysis
    queries: tuple[SubQuery, ...]
    in_context: rerank.QuestionInContext | None
    degraded: str


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates before ranking, and the time taken; `has_waiting`: some passages of the library had no vectors yet."""

    candidates: tuple[Candidate, ...]
    retrieval_ms: float
    has_waiting: bool


@dataclass(frozen=True, slots=True)
class SearchArea:
    """The scope of a search. Each filter is searched separately, so that no page displaces another; `around` adds further results."""

    filters: tuple[Filter, ...]
    around: Filter | None = None


class EvidenceFinder:
    """Finds and ranks evidence in the corpus. `embed_within` embeds waiting passages for a question; without it they stay as they are."""

    def __init__(self, corpus: Library, stages: Stages, embed_within: EmbedWithin | None = None) -> None:
        self._corpus = corpus
        is_first = embed_within is not None and stages.embed_first
        self._priority = EmbedPriority(corpus, embed_within) if embed_within is not None and is_first else None
        self._reranker = rerank.LateInteractionReranker(corpus, by_form=stages.form)
        self._stages = stages

    def find(self, ready: PreparedQuestion, scope: Filter, plan: SearchPlan = PLAIN, *, limit: int = 0) -> Evidence:
        """Return the candidates in scope by relevance."""
        found = self.collect(ready.queries, SearchArea((scope,)), plan, limit=limit)
        return self.rank(ready.analysis, ready.queries, found, rerank.ANYWHERE, ready.in_context)

    def collect(
        self, queries: Sequence[SubQuery], area: SearchArea, plan: SearchPlan = PLAIN, *, limit: int = 0
    ) -> Found:
        """Return candidates in scope, at least `limit` if there are enough; embeds the likely waiting ones first."""
        started = time.perf_counter()
        has_waiting = queries[0].embedding is not None and self._corpus.vectors.has_waiting()
        if self._priority is None or not plan.embeds or not has_waiting:
            candidates = self._search(queries, area, plan, limit)
        else:
            candidates = self._priority.complete(lambda: self._search(queries, area, plan, limit))
        return Found(tuple(candidates), ms_since(started), has_waiting)

    def _search(self, queries: Sequence[SubQuery], area: SearchArea, plan: SearchPlan, limit: int) -> list[Candidate]:
        limit = max(limit, RERANK_CANDIDATES)
        candidates: list[Candidate] = []
        for part in area.filters:
            candidates += find_candidates(self._corpus, queries, filter=part, limit=limit, plan=plan)
        if area.around is not None:
            wide = find_candidates(self._corpus, queries, filter=area.around, limit=limit, plan=plan)
            known = {candidate.chunk_id for candidate in candidates}
            candidates += [candidate for candidate in wide if candidate.chunk_id not in known]
        return candidates

    def rank(
        self,
        analysis: QueryAnalysis,
        queries: Sequence[SubQuery],
        found: Found,
        origins: rerank.Origins = rerank.ANYWHERE,
        in_context: rerank.QuestionInContext | None = None,
    ) -> Evidence:
        """Return the candidates by relevance, best first."""
        started = time.perf_counter()
        if not self._stages.named_first:
            origins = replace(origins, named=frozenset(), read=frozenset())
        in_context = in_context if self._stages.context else None
        # Checked before ranking: a passage that is embedded in the meantime may be ranked without its vectors.
        ids = [candidate.chunk_id for candidate in found.candidates]
        waiting = frozenset(self._corpus.vectors.waiting_among(ids)) if found.has_waiting else frozenset()
        ranking = self._ranking(analysis, queries, found.candidates, origins, in_context)
        likely = likelihood(analysis.query, ranking) if self._stages.nothing_found else None
        ranked = _each_text_once(ranking.chunks, origins)
        ranked = tuple(replace(item, is_waiting=True) if item.chunk.id in waiting else item for item in ranked)
        language = other_language(analysis.query, ranking.chunks)
        unmet = () if likely is None else self._unmet(queries[1:], found.candidates, origins)
        is_wide = ranking.held is None and origins == rerank.ANYWHERE and len(ranking.chunks) >= rerank.USUAL_CHUNKS
        least = ANSWERED_ANYWHERE if is_wide else ANSWERED
        return Evidence(ranked, likely, found.retrieval_ms, ms_since(started), language, ranking.signs, unmet, least)

    def _unmet(
        self, parts: Sequence[SubQuery], candidates: Sequence[Candidate], origins: rerank.Origins
    ) -> tuple[str, ...]:
        """Return the parts of a question that none of the candidates answers, each judged as a separate question."""
        if len(parts) < LEAST_PARTS:
            return ()
        chances = (
            likelihood(part.text, self._ranking(analyse(part.text), (part,), candidates, origins, None))
            for part in parts
        )
        judged = zip(parts, chances, strict=True)
        return tuple(part.text for part, chance in judged if chance is not None and chance < ANSWERED)

    def _ranking(
        self,
        analysis: QueryAnalysis,
        queries: Sequence[SubQuery],
        candidates: Sequence[Candidate],
        origins: rerank.Origins,
        in_context: rerank.QuestionInContext | None,
    ) -> rerank.Ranking:
        if self._stages.rerank:
            return self._reranker.rerank(analysis, queries, candidates, origins, in_context)
        chunks = {chunk.id: chunk for chunk in self._corpus.chunks.by_ids([c.chunk_id for c in candidates])}
        by_score = sorted(candidates, key=lambda candidate: (-candidate.score, candidate.chunk_id))
        there = [(each, chunks[each.chunk_id]) for each in by_score if each.chunk_id in chunks]
        return rerank.Ranking(tuple(RetrievedChunk(chunk, c.score, c.score, matched=c.matched) for c, chunk in there))


def prepare_question(
    embedder: Embedder | None,
    question: str,
    *,
    has_parts: bool,
    intent: str | None = None,
    constraints: Sequence[str] = (),
    known_context: str | None = None,
) -> PreparedQuestion:
    """Prepare a question for searching, with its parts if it `has_parts`. Raises InvalidArgumentError."""
    analysis = analyse(question, intent=intent, constraints=constraints, known_context=known_context)
    in_context = rerank.QuestionInContext(analysis.query, embedder.embed_query) if embedder is not None else None
    queries, degraded = embed_queries(embedder, analysis.sub_queries if has_parts else analysis.sub_queries[:1])
    # Keyword and vector scores cannot be compared, so only parts of the same kind as the whole remain.
    alike = tuple(query for query in queries if query.is_unknown == queries[0].is_unknown)
    return PreparedQuestion(analysis, alike, in_context, degraded)


def embed_queries(embedder: Embedder | None, texts: Sequence[str]) -> tuple[list[SubQuery], str]:
    """Return sub-queries with their vectors, and why the first one has none (or "")."""
    if embedder is None:
        return [SubQuery(text, None) for text in texts], sentence("the embedding model is not loaded")
    try:
        embeddings = [embedder.embed_query(text) for text in texts]
    except EmbedderError as error:
        return [SubQuery(text, None) for text in texts], error.message
    queries = [
        SubQuery(text, None, is_unknown=True) if embedding.known_share < KNOWN else SubQuery(text, embedding)
        for text, embedding in zip(texts, embeddings, strict=True)
    ]
    return queries, UNKNOWN_WORDS if queries[0].is_unknown else ""


def likelihood(question: str, ranking: rerank.Ranking) -> float | None:
    """Return the likelihood of an answer in the ranked chunks; None without vectors, unless words with spaces decide."""
    if ranking.held is not None:
        # In scripts without spaces, answers hold no larger share of a question's pairs of letters than other passages.
        return None if has_unspaced(question) else ranking.held
    found = signals(question, ranking)
    if found is None:
        return None
    odds = INTERCEPT + sum(weight * signal for weight, signal in zip(WEIGHTS, found, strict=True))
    likely = 1 / (1 + math.exp(-odds))
    if ranking.chunks[0].reranked_score < LEAST_RELEVANCE:
        likely = min(likely, UNRELATED)
    # So few passages cannot be compared with usual ones; only a missing name counts against an answer.
    is_judged = len(ranking.chunks) >= rerank.JUDGED_CHUNKS or found.missing
    return likely if is_judged else max(likely, ANSWERED)


def signals(question: str, ranking: rerank.Ranking) -> Signals | None:
    """Return the inputs of `likelihood`; None without vectors or if the languages of question and chunks differ."""
    if ranking.met is None or other_language(question, ranking.chunks):
        return None
    held = Held.of([item.chunk for item in ranking.chunks[:HELD_CHUNKS]], language_of(question))
    missing = sum(
        not held.holds_any(name) and not ranking.met.is_near(words(name.replace("_", " ")))
        for name in names_of(question)
    )
    best = ranking.chunks[0]
    others = (item.reranked_score for item in ranking.chunks if item.chunk.text != best.chunk.text)
    return Signals(
        gain=ranking.met.gain,
        together=ranking.met.together,
        lead=min(best.reranked_score - next(others, best.reranked_score), MOST_LEAD),
        missing=min(missing, MISSING_COUNTED),
        uncounted=float(_is_uncounted(question, [item.chunk.text for item in ranking.chunks[:COUNTED_CHUNKS]])),
    )


def hold_no_answer(shared: SharedEvidence) -> bool:
    """Whether the joined libraries with comparable relevance most likely contain no answer."""
    return not shared.chunks or (shared.likelihood is not None and shared.likelihood < ANSWERED)


def other_language(question: str, ranked: Sequence[RetrievedChunk]) -> str:
    """Return the language of the best chunks if it differs from the question's, otherwise or if unknown ""."""
    asked = language_of(question)
    shown = language_of("\n".join(item.chunk.text for item in ranked[: rerank.JUDGED_CHUNKS])) if asked else ""
    return shown if shown != asked else ""


def language_note(evidence: Evidence, embedder: Embedder | None) -> str:
    """Return the note about passages in another language than the question; "" if the model compares that language too."""
    if not evidence.other_language or (embedder is not None and evidence.other_language in embedder.card.languages):
        return ""
    return sentence("These passages are in another language than the question. Ask in their language to find more.")


def unmet_note(evidence: Evidence) -> str:
    """Return the note about unanswered parts of the question; "" if all or none were answered."""
    if evidence.is_none or not evidence.unmet:
        return ""
    return sentence(
        "Nothing found for: {}", "; ".join(quoted(part, caps.MAX_SUB_QUERY_CHARS_SHOWN) for part in evidence.unmet)
    )


def confidence(relevance: float, place: int) -> float:
    """Return the likelihood that the passage of this rank (1 is the best) contains the answer, 0..1, calibrated on average."""
    odds = CONFIDENCE_INTERCEPT + CONFIDENCE_RELEVANCE * relevance + CONFIDENCE_PLACE * math.log(place)
    return 1 / (1 + math.exp(-odds))


def _is_uncounted(question: str, texts: Sequence[str]) -> bool:
    """Whether the question asks for a count and none of the texts has a number near the counted thing."""
    asked = _COUNT.search(question)
    following = words(question[asked.end() :]) if asked is not None else []
    things = list(takewhile(lambda word: word not in STOP_WORDS, dropwhile(lambda word: word in STOP_WORDS, following)))
    if not things:
        return False
    wanted = {stem(word) for thing in things for word in (thing, *synonyms(thing))}
    for line in (line for text in texts for line in _SENTENCES.split(text.lower())):
        spoken = _SPOKEN.findall(line)
        numbers = [place for place, word in enumerate(spoken) if _NUMBER.match(word)]
        counted = [place for place, word in enumerate(spoken) if stem(word) in wanted] if numbers else []
        if any(abs(number - thing) <= BESIDE_WORDS for number in numbers for thing in counted):
            return False
    return True


def _each_text_once(ranked: Sequence[RetrievedChunk], origins: rerank.Origins) -> tuple[RetrievedChunk, ...]:
    """Return the chunks without repeated sections of manuals, preferring the requested page."""
    distinct: dict[tuple[tuple[str, ...], str], RetrievedChunk] = {}
    for item in ranked:
        key = (item.chunk.section_path[-1:], item.chunk.text)
        first = distinct.setdefault(key, item)
        if origins.bonus(item.chunk.document_id) > origins.bonus(first.chunk.document_id):
            distinct[key] = replace(item, reranked_score=first.reranked_score)
    return tuple(distinct.values())
