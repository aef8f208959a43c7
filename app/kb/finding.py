"""From a question to ranked chunks, the same way for candidates and for quotes. Blocking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app import caps
from app.corpus import Corpus
from app.corpus.records import Filter
from app.embed.embedder import Embedder
from app.errors import InvalidArgumentError
from app.kb.records import Mode
from app.kb.wording import in_words_of_documentation
from app.retrieval.analysis import analyse
from app.retrieval.evidence import Evidence, EvidenceFinder, SearchArea, embed_queries
from app.retrieval.records import QueryAnalysis, RetrievedChunk, SearchPlan, Stages, SubQuery, Terms
from app.retrieval.rerank import ANYWHERE, QuestionInContext

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
    """Ranks what is in the corpus for a question. `has_graph` is False while the graph is switched off."""

    def __init__(self, corpus: Corpus, embedder: Embedder | None, stages: Stages, *, has_graph: bool = False) -> None:
        self._corpus = corpus
        self._embedder = embedder
        self._stages = stages
        self._finder = EvidenceFinder(corpus, stages)
        self.has_graph = has_graph

    def find(self, question: str, allowed: Filter, mode: Mode, *, rewrite: bool = True) -> Ranked:
        """Chunks of the documents allowed, most relevant first. Raises InvalidArgumentError when nothing can be searched for.

        Without `rewrite` the words of the question are searched as they are: no parts of it, no other words.
        """
        _check(question)
        used = self._mode(mode)
        terms = Terms.EXPANDED if rewrite else Terms.EXACT
        first, degraded = self._read(question, allowed, self._plan(terms, graph=used is Mode.HYBRID_LOCAL))
        readings = [first]
        other = in_words_of_documentation(question) if rewrite and not degraded else question
        if other != question:
            readings.append(self._read(other, allowed, self._plan())[0])
        return Ranked(tuple(readings), used, not self.has_graph, self._note(degraded, allowed))

    def _plan(self, terms: Terms = Terms.EXPANDED, *, graph: bool = False) -> SearchPlan:
        return SearchPlan(self._stages.mode, terms, graph)

    def _mode(self, asked: Mode) -> Mode:
        """The graph takes part where it is there, unless it is not wanted."""
        is_wanted = asked is not Mode.VECTOR_ONLY and self.has_graph and self._corpus.graph.has_entities()
        return Mode.HYBRID_LOCAL if is_wanted else Mode.VECTOR_ONLY

    def _note(self, degraded: str, allowed: Filter) -> str:
        """What made the search worse than it could be; empty for nothing."""
        if allowed != Filter() and not self._corpus.documents.summaries(filter=allowed, limit=1):
            return NOTHING_ALLOWED
        if degraded:
            return WITHOUT_MEANING.format(reason=degraded)
        waiting = self._corpus.vectors.count_waiting()
        return PARTLY_WITHOUT.format(waiting=waiting, all=self._corpus.chunks.count()) if waiting else ""

    def _read(self, question: str, allowed: Filter, plan: SearchPlan) -> tuple[Reading, str]:
        """What one wording finds, and why there is no search by meaning (empty where there is)."""
        analysis = analyse(question)
        has_parts = plan.terms is Terms.EXPANDED and self._stages.sub_queries
        queries, degraded = embed_queries(
            self._embedder, analysis.sub_queries if has_parts else analysis.sub_queries[:1]
        )
        found = self._finder.collect(queries, SearchArea((allowed,)), plan)
        in_context = QuestionInContext(analysis.query, self._embedder.embed_query) if self._embedder else None
        evidence = self._finder.rank(analysis, queries, found, ANYWHERE, in_context)
        return Reading(analysis, queries[0], evidence), degraded


def _check(question: str) -> None:
    if len(question) > caps.MAX_QUERY_CHARS:
        raise InvalidArgumentError(
            f"The query has {len(question):,} characters; at most {caps.MAX_QUERY_CHARS:,} are allowed.",
            hint="Ask the question itself.",
        )
