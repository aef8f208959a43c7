"""Evidence for a question: candidates from a scope of documents, their ranking, and whether they contain the answer.

Blocking: for worker threads.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import dropwhile, takewhile
from typing import Final, NamedTuple

from app import caps
from app.durations import ms_since
from app.embed.embedder import Embedder, SideBySide
from app.errors import EmbedderError
from app.library.protocol import Library
from app.library.scope import Filter
from app.retrieval import rerank
from app.retrieval.analysis import Held, analyse, names_of
from app.retrieval.candidates import PLAIN, EmbedPriority, EmbedWithin, find_candidates, in_other_languages, seen_by
from app.retrieval.records import Candidate, QueryAnalysis, RetrievedChunk, SearchPlan, SharedEvidence, Stages, SubQuery
from app.text.languages import STOP_WORDS, is_english, language_of
from app.text.page_text import quoted
from app.text.scripts import is_latin
from app.text.sentence import sentence
from app.text.terms import stem, synonyms, words

RERANK_CANDIDATES: Final = 80
KNOWN: Final = 0.75  # The share of a question's letters that the model must know; below it, keywords decide.
UNKNOWN_WORDS: Final = sentence("the embedding model does not know its words; ask in the language of the pages")
HOPELESS: Final = 0.1  # Below this likelihood nothing is shown: the question is about something else.
ANSWERED: Final = 0.34  # Below this likelihood the result counts as “nothing found” (docs/internals/measurements.md).
# The same for a search with USUAL_CHUNKS results: in many pages, something is always close.
ANSWERED_ANYWHERE: Final = 0.5
# If even the best of the passages is less relevant than this, an answer is at most as likely as UNRELATED.
LEAST_RELEVANCE: Final = 0.38
UNRELATED: Final = 0.2
LEAST_HELD: Final = 0.07  # The same for the share of a question in another script in one passage.
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
    `reread` names the reranker that ordered the best chunks again. `by_second` are the chunks compared by the second model, for a question
    that the first model embedded.
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
    by_second: frozenset[int] = frozenset()

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
    """Candidates before ranking, and the time taken; `has_waiting`: some passages of the library had no vectors yet.

    `others` are candidates in other languages, for English queries, which `again` are by the second model.
    """

    candidates: tuple[Candidate, ...]
    retrieval_ms: float
    has_waiting: bool
    others: tuple[Candidate, ...] = ()
    again: tuple[SubQuery, ...] = ()


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
        self._embed_within = embed_within if is_first else None
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
        candidates, has_waiting = self._collected(queries, area, plan, limit)
        filters = (*area.filters, *([area.around] if area.around is not None else ()))
        again = in_other_languages(self._corpus, queries, filters)
        if self._corpus.second is None or not again:
            return Found(tuple(candidates), ms_since(started), has_waiting)
        foreign = SearchArea(tuple(replace(each, is_foreign=True) for each in filters))
        others, is_waiting = self._collected(again, foreign, plan, limit)
        apart = self._corpus.second.only_here([each.chunk_id for each in (*candidates, *others)])
        return Found(
            tuple(each for each in candidates if each.chunk_id not in apart),
            ms_since(started),
            has_waiting or is_waiting,
            tuple({each.chunk_id: each for each in others if each.chunk_id in apart}.values()),
            tuple(again),
        )

    def _collected(
        self, queries: Sequence[SubQuery], area: SearchArea, plan: SearchPlan, limit: int
    ) -> tuple[list[Candidate], bool]:
        """Return candidates by the model of the queries, and whether it has not embedded all passages."""
        corpus, by_second = seen_by(self._corpus, queries[0]), queries[0].second is not None
        has_waiting = queries[0].embedding is not None and corpus.vectors.has_waiting()
        if self._embed_within is None or not plan.embeds or not has_waiting:
            return self._search(corpus, queries, area, plan, limit), has_waiting
        priority = EmbedPriority(corpus, self._embed_within, by_second)
        return priority.complete(lambda: self._search(corpus, queries, area, plan, limit)), has_waiting

    @staticmethod
    def _search(
        corpus: Library, queries: Sequence[SubQuery], area: SearchArea, plan: SearchPlan, limit: int
    ) -> list[Candidate]:
        limit = max(limit, RERANK_CANDIDATES)
        candidates: list[Candidate] = []
        for part in area.filters:
            candidates += find_candidates(corpus, queries, filter=part, limit=limit, plan=plan)
        if area.around is not None:
            wide = find_candidates(corpus, queries, filter=area.around, limit=limit, plan=plan)
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
        ids = [candidate.chunk_id for candidate in (*found.candidates, *found.others)]
        waiting: frozenset[int] = frozenset()
        if found.has_waiting:
            waiting = frozenset(seen_by(self._corpus, queries[0]).vectors.waiting_among(ids))
        ranking = self._ranking(analysis, queries, found.candidates, origins, in_context)
        by_second: frozenset[int] = frozenset()
        if found.others:
            beside = in_context.second if in_context is not None else None
            others = self._ranking(analysis, found.again, found.others, origins, beside)
            by_second = frozenset(item.chunk.id for item in others.chunks)
            ranking = _in_one_order(ranking, others)
        is_calibrated = queries[0].second is None or queries[0].second.calibrated
        likely = likelihood(analysis.query, ranking) if self._stages.nothing_found and is_calibrated else None
        ranked = _each_text_once(ranking.chunks, origins)
        ranked = tuple(replace(item, is_waiting=True) if item.chunk.id in waiting else item for item in ranked)
        language = rerank.other_language(analysis.query, ranking.chunks)
        unmet = () if likely is None else self._unmet(queries[1:], found.candidates, origins)
        is_wide = ranking.held is None and origins == rerank.ANYWHERE and len(ranking.chunks) >= rerank.USUAL_CHUNKS
        least = ANSWERED_ANYWHERE if is_wide else ANSWERED
        took = found.retrieval_ms, ms_since(started)
        return Evidence(ranked, likely, *took, language, ranking.signs, unmet, least, by_second=by_second)

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
            reranker = rerank.LateInteractionReranker(seen_by(self._corpus, queries[0]), by_form=self._stages.form)
            return reranker.rerank(analysis, queries, candidates, origins, in_context)
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
    queries, degraded = embed_queries(embedder, analysis.sub_queries if has_parts else analysis.sub_queries[:1])
    in_context = _in_context(embedder, queries[0]) if embedder is not None else None
    # Keyword and vector scores cannot be compared, so only parts of the same kind as the whole remain.
    alike = tuple(query for query in queries if query.is_unknown == queries[0].is_unknown)
    return PreparedQuestion(analysis, alike, in_context, degraded)


def _in_context(embedder: Embedder, query: SubQuery) -> rerank.QuestionInContext:
    if not isinstance(embedder, SideBySide) or (query.second is None and query.again is None):
        return rerank.QuestionInContext(query.text, embedder.embed_query)
    second = rerank.QuestionInContext(query.text, lambda text, context: embedder.second.embed_query(text, context))
    return second if query.second is not None else rerank.QuestionInContext(query.text, embedder.embed_query, second)


def embed_queries(embedder: Embedder | None, texts: Sequence[str]) -> tuple[list[SubQuery], str]:
    """Return the parts of a question with their vectors, the whole first, and why that has none (or "").

    Of two models side by side, the second one embeds questions in other languages than English.
    """
    if embedder is None:
        return [SubQuery(text, None) for text in texts], sentence("the embedding model is not loaded")
    try:
        if not isinstance(embedder, SideBySide):
            queries = [_embedded(embedder, text) for text in texts]
        elif is_english(texts[0]):
            queries = [replace(_embedded(embedder, text), again=partial(_by_second, embedder, text)) for text in texts]
        else:
            queries = [_by_second(embedder, text) for text in texts]
    except EmbedderError as error:
        return [SubQuery(text, None) for text in texts], error.message
    return queries, UNKNOWN_WORDS if queries[0].is_unknown else ""


def _embedded(embedder: Embedder, text: str) -> SubQuery:
    embedding = embedder.embed_query(text)
    return SubQuery(text, None, is_unknown=True) if embedding.known_share < KNOWN else SubQuery(text, embedding)


def _by_second(embedder: SideBySide, text: str) -> SubQuery:
    return replace(_embedded(embedder.second, text), second=embedder.second.card)


def _in_one_order(first: rerank.Ranking, others: rerank.Ranking) -> rerank.Ranking:
    """Return the chunks of both by relevance. How well they match the question is known only if the best are all of the first model."""
    chunks = tuple(sorted((*first.chunks, *others.chunks), key=lambda item: (-item.reranked_score, item.chunk.id)))
    is_known = not {item.chunk.id for item in chunks[: rerank.JUDGED_CHUNKS]} & {
        item.chunk.id for item in others.chunks
    }
    return replace(first, chunks=chunks, met=first.met if is_known else None, signs={**first.signs, **others.signs})


def likelihood(question: str, ranking: rerank.Ranking) -> float | None:
    """Return the likelihood of an answer in the ranked chunks; None without vectors, unless words with spaces decide."""
    if ranking.held is not None:
        if rerank.other_language(question, ranking.chunks):
            return None
        if is_latin(question):
            return ranking.held
        # The share of pairs of letters, or of words that are not stemmed, tells only whether the subject is another one.
        return UNRELATED if ranking.held < LEAST_HELD and len(ranking.chunks) >= rerank.USUAL_CHUNKS else None
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
    if ranking.met is None or rerank.other_language(question, ranking.chunks):
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


def language_note(evidence: Evidence, embedder: Embedder | None) -> str:
    """Return the note about passages in another language than the question; "" if the model compares that language too.

    Also "" if the best passage is not in that language, whatever most of the others are in.
    """
    if evidence.ranked and language_of(evidence.ranked[0].chunk.text) not in ("", evidence.other_language):
        return ""
    embedders = [embedder] if embedder is not None else []
    if isinstance(embedder, SideBySide):
        with suppress(EmbedderError):
            embedders.append(embedder.second)
    if not evidence.other_language or any(evidence.other_language in each.card.languages for each in embedders):
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
