"""From a question to ranked chunks, the same way for candidates and for quotes. Blocking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app import caps
from app.corpus import Corpus
from app.corpus.records import Filter
from app.embed.embedder import Embedder
from app.errors import InvalidArgumentError
from app.kb.records import Mode
from app.kb.wording import in_words_of_documentation
from app.retrieval.analysis.analyse import analyse
from app.retrieval.candidates import RRF_K, Candidate, SubQuery
from app.retrieval.evidence import Evidence, EvidenceFinder, Found, SearchArea, embed_queries
from app.retrieval.graph.expander import GraphExpander
from app.retrieval.ranking.in_context import QuestionInContext
from app.retrieval.ranking.rerank import ANYWHERE
from app.retrieval.records import QueryAnalysis, RetrievedChunk
from app.retrieval.stages import Stages
from app.text.terms import query_terms

BY_GRAPH: Final = "graph"
"""Who found a candidate that words and meaning did not."""
WITHOUT_MEANING: Final = "Search by meaning is off ({reason}); keyword search only."
PARTLY_WITHOUT: Final = (
    "{waiting:,} of {all:,} passages are not embedded yet and were searched by their words only; ask again later."
)
NOTHING_ALLOWED: Final = "Nothing is indexed within this scope and these filters."


@dataclass(frozen=True, slots=True)
class Reading:
    """One wording of the question with the chunks that it finds, most relevant first."""

    analysis: QueryAnalysis
    query: SubQuery
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a question finds: as it was asked, and where that differs in the words of documentation.

    `note` says what made the search worse than it could be.
    """

    readings: tuple[Reading, ...]
    mode: Mode
    graph_disabled: bool
    note: str

    @property
    def evidence(self) -> Evidence:
        """That of the question as it was asked."""
        return self.readings[0].evidence

    @property
    def chunks(self) -> tuple[RetrievedChunk, ...]:
        """The chunks of all readings by their best relevance."""
        best: dict[int, RetrievedChunk] = {}
        for item in (item for reading in self.readings for item in reading.evidence.ranked):
            known = best.get(item.chunk.id)
            if known is None or item.reranked_score > known.reranked_score:
                best[item.chunk.id] = item
        return tuple(sorted(best.values(), key=lambda item: (-item.reranked_score, item.chunk.id)))


class Finder:
    """Ranks what is in the corpus for a question. `expander` is None while there is no graph to search by."""

    def __init__(
        self, corpus: Corpus, embedder: Embedder | None, stages: Stages, expander: GraphExpander | None = None
    ) -> None:
        self._corpus = corpus
        self._embedder = embedder
        self._stages = stages
        self._finder = EvidenceFinder(corpus, stages)
        self._expander = expander

    def find(self, question: str, allowed: Filter, mode: Mode, *, rewrite: bool = True) -> Ranked:
        """Chunks of the documents allowed, most relevant first. Raises InvalidArgumentError when nothing can be searched for.

        Without `rewrite` the words of the question are searched as they are: no parts of it, no other words.
        """
        _check(question)
        used = self._mode(mode)
        first, degraded = self._read(question, allowed, used, rewrite=rewrite)
        readings = [first]
        other = in_words_of_documentation(question) if rewrite and not degraded else question
        if other != question:
            readings.append(self._read(other, allowed, Mode.VECTOR_ONLY, rewrite=True)[0])
        return Ranked(tuple(readings), used, self._expander is None, self._note(degraded, allowed))

    def _note(self, degraded: str, allowed: Filter) -> str:
        """What made the search worse than it could be; empty for nothing."""
        if allowed != Filter() and not self._corpus.summaries(filter=allowed, limit=1):
            return NOTHING_ALLOWED
        if degraded:
            return WITHOUT_MEANING.format(reason=degraded)
        waiting = self._corpus.count_waiting()
        return PARTLY_WITHOUT.format(waiting=waiting, all=self._corpus.count_chunks()) if waiting else ""

    def _read(self, question: str, allowed: Filter, mode: Mode, *, rewrite: bool) -> tuple[Reading, str]:
        """What one wording finds, and why there is no search by meaning (empty where there is)."""
        analysis = analyse(question)
        texts = analysis.sub_queries if rewrite and self._stages.sub_queries else analysis.sub_queries[:1]
        queries, degraded = embed_queries(self._embedder, texts)
        found = self._collected(queries, allowed) if rewrite else self._exactly(queries[0], allowed)
        if mode is Mode.HYBRID_LOCAL:
            found = self._with_graph(queries, found, allowed)
        in_context = QuestionInContext(analysis.query, self._embedder.embed_query) if self._embedder else None
        return Reading(
            analysis, queries[0], self._finder.rank(analysis, queries, found, ANYWHERE, in_context)
        ), degraded

    def _mode(self, asked: Mode) -> Mode:
        """The graph takes part where it is there, unless it is not wanted."""
        return Mode.HYBRID_LOCAL if asked is not Mode.VECTOR_ONLY and self._has_graph() else Mode.VECTOR_ONLY

    def _has_graph(self) -> bool:
        return self._expander is not None and self._corpus.has_entities()

    def _collected(self, queries: Sequence[SubQuery], allowed: Filter) -> Found:
        return self._finder.collect(queries, SearchArea((allowed,)), mode=self._stages.mode)

    def _exactly(self, query: SubQuery, allowed: Filter) -> Found:
        """What holds the words of the query or is near it, fused by rank."""
        count = caps.CANDIDATES_PER_RETRIEVER
        rankings = {"keyword": self._corpus.lexical(query_terms(query.text), filter=allowed, k=count)}
        if query.embedding is not None:
            rankings["meaning"] = self._corpus.nearest(query.embedding.vector, filter=allowed, k=count)
        scores: dict[int, float] = {}
        matched: dict[int, list[str]] = {}
        for name, hits in rankings.items():
            for rank, hit in enumerate(hits, start=1):
                scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + (RRF_K + 1) / (RRF_K + rank) / len(rankings)
                matched.setdefault(hit.chunk_id, []).append(name)
        best = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))[: caps.RERANK_CANDIDATES]
        return Found(tuple(Candidate(each, scores[each], tuple(matched[each]), 0) for each in best), 0.0)

    def _with_graph(self, queries: Sequence[SubQuery], found: Found, allowed: Filter) -> Found:
        assert self._expander is not None
        known = [candidate.chunk_id for candidate in found.candidates]
        more = self._expander.more(queries[0].text, known, allowed, caps.GRAPH_CANDIDATES, queries=queries)
        least = min((candidate.score for candidate in found.candidates), default=0.0)
        added = tuple(Candidate(each.chunk_id, least * each.weight, (BY_GRAPH,), 0) for each in more)
        return Found(found.candidates + added, found.retrieval_ms)


def _check(question: str) -> None:
    if len(question) > caps.MAX_QUERY_CHARS:
        raise InvalidArgumentError(
            f"The query has {len(question):,} characters; at most {caps.MAX_QUERY_CHARS:,} are allowed.",
            hint="Ask the question itself.",
        )
