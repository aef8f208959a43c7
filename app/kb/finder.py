"""From a question to ranked chunks, the same way for candidates and quotes. Blocking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app import caps
from app.embed.embedder import Embedder
from app.errors import InvalidArgumentError
from app.kb.records import Mode
from app.library.protocol import Library
from app.library.scope import Filter, asks_about_changes
from app.paths import assets_dir
from app.retrieval.candidates import EmbedWithin, seen_by, waiting_note
from app.retrieval.evidence import Evidence, EvidenceFinder, language_note, prepare_question
from app.retrieval.naming import Narrowed, narrow
from app.retrieval.records import QueryAnalysis, RetrievedChunk, SearchPlan, Stages, SubQuery, Terms
from app.retrieval.second_look import SecondLook
from app.text.sentence import sentence
from app.text.terms import fold_whitespace

WITHOUT_MEANING: Final = "Semantic search is off ({reason}); keyword search only."
NOTHING_ALLOWED: Final = "No page matches this scope and these filters."


@dataclass(frozen=True, slots=True)
class Reading:
    """One wording of the question with its chunks, most relevant first."""

    analysis: QueryAnalysis
    query: SubQuery
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Ranked:
    """The results for each wording of a question. `note` says what made the search worse than possible."""

    readings: tuple[Reading, ...]
    mode: Mode
    graph_disabled: bool
    note: str

    @property
    def evidence(self) -> Evidence:
        """The evidence for the question as asked."""
        return self.readings[0].evidence

    @property
    def chunks(self) -> tuple[RetrievedChunk, ...]:
        """The chunks of all wordings by their best relevance."""
        best: dict[int, RetrievedChunk] = {}
        for item in (item for reading in self.readings for item in reading.evidence.ranked):
            known = best.get(item.chunk.id)
            if known is None or item.reranked_score > known.reranked_score:
                best[item.chunk.id] = item
        return tuple(sorted(best.values(), key=lambda item: (-item.reranked_score, item.chunk.id)))


class Finder:
    """Ranks the chunks of the corpus for a question. `has_graph` is False if the graph is turned off."""

    def __init__(
        self,
        corpus: Library,
        embedder: Embedder | None,
        stages: Stages,
        *,
        embed_within: EmbedWithin | None = None,
        has_graph: bool = False,
        second_look: SecondLook | None = None,
    ) -> None:
        self._corpus = corpus
        self._second_look = second_look or SecondLook()
        self._embedder = embedder
        self._stages = stages
        self._finder = EvidenceFinder(corpus, stages, embed_within)
        self.has_graph = has_graph

    def find(self, question: str, allowed: Filter, mode: Mode, *, rewrite: bool = True) -> Ranked:
        """Return chunks of the allowed documents. Without `rewrite`, searches for the words of the question only."""
        if len(question) > caps.MAX_QUERY_CHARS:
            sizes = f"{len(question):,}", f"{caps.MAX_QUERY_CHARS:,}"
            raise InvalidArgumentError(
                sentence("The query has {} characters; the limit is {}.", *sizes), hint="Shorten it."
            )
        # Uses the graph only on request and if there is one: by default, it does not find more answers.
        allowed = replace(allowed, with_changes=asks_about_changes(question))
        graph = self._corpus.graph if self.has_graph and mode is Mode.HYBRID_LOCAL else None
        uses_graph = graph is not None and graph.has_entities()
        plan = SearchPlan(self._stages.mode, Terms.EXPANDED if rewrite else Terms.EXACT, uses_graph)
        first, degraded = self._read(question, allowed, plan)
        readings = [first]

        def read_again(text: str, inside: Filter) -> Evidence:
            readings.append(self._read(text, inside, plan)[0])
            return readings[-1].evidence

        narrowed = narrow(Narrowed(first.evidence, question, allowed), self._corpus, read_again)
        readings = readings[-1:] if narrowed.place else [first]
        other = in_words_of_documentation(narrowed.question) if rewrite and not degraded else narrowed.question
        if other != narrowed.question:
            readings.append(self._read(other, narrowed.scope, SearchPlan(self._stages.mode))[0])
        evidence = self._second_look.again(narrowed.question, *(reading.evidence for reading in readings))
        readings = [replace(reading, evidence=each) for reading, each in zip(readings, evidence, strict=True)]
        if replace(allowed, with_changes=False) != Filter() and not self._corpus.documents.summaries(
            filter=allowed, limit=1
        ):
            note = NOTHING_ALLOWED
        else:
            note = (
                WITHOUT_MEANING.format(reason=degraded)
                if degraded
                else waiting_note(seen_by(self._corpus, first.query))
            )
        foreign = language_note(readings[0].evidence, self._embedder)
        note = " ".join(filter(None, (narrowed.note, note, foreign, self._second_look.note)))
        used = Mode.HYBRID_LOCAL if uses_graph else Mode.VECTOR_ONLY
        return Ranked(tuple(readings), used, not self.has_graph, note)

    def _read(self, question: str, allowed: Filter, plan: SearchPlan) -> tuple[Reading, str]:
        """Return the results of one wording, and why semantic search is not available (empty if it is)."""
        has_parts = plan.terms is Terms.EXPANDED and self._stages.sub_queries
        ready = prepare_question(self._embedder, question, has_parts=has_parts)
        return Reading(ready.analysis, ready.queries[0], self._finder.find(ready, allowed, plan)), ready.degraded


def in_words_of_documentation(question: str) -> str:
    """Replace everyday words in the question with the usual terms of documentation."""
    for said, meant in _EVERYDAY_WORDS:
        question = said.sub(meant, question)
    return question


_EVERYDAY_WORDS: Final = tuple(
    (re.compile(rf"(?<![\w-])(?:{said})(?![\w-])", re.IGNORECASE), meant)
    for line in (assets_dir() / "everyday_words.txt").read_text(encoding="utf-8").splitlines()
    for said, arrow, meant in [line.partition(" => ")]
    if arrow and not line.startswith("#")
)


def distinct(ranked: Sequence[RetrievedChunk], per_document: int | None) -> list[RetrievedChunk]:
    """Return the chunks in order, at most `per_document` of a document (None: all), without duplicate texts."""
    texts: set[str] = set()
    counts: dict[int, int] = {}
    chosen: list[RetrievedChunk] = []
    for item in ranked:
        text = fold_whitespace(item.chunk.text).lower()
        document = item.chunk.document_id
        if text not in texts and (per_document is None or counts.get(document, 0) < per_document):
            texts.add(text)
            counts[document] = counts.get(document, 0) + 1
            chosen.append(item)
    return chosen
