"""`kb.extract_evidence` and `kb.retrieve_evidence`: exact quotes that answer a question, with where they stand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from app.corpus import Corpus
from app.errors import PassageExpiredError
from app.kb.finding import Finder, Reading
from app.kb.looking import check_in_scope, filter_for
from app.kb.quoting import QuoteSizes, Quoting
from app.kb.records import Asking, Mode, Quote, Quotes
from app.kb.regions import Region, Regions, choose, merged, room_of
from app.kb.reranking import SpanReranker
from app.kb.search import distinct
from app.kb.spans import question_terms, rank_spans
from app.retrieval.scope import Narrowing
from app.scratch.resources import Artifact, ResourceResolver
from app.scratch.store import ScratchStore

AROUND_TOKENS: Final = 30
"""What a passage found by a search may hold at either side of its quote: more does not fit beside the other passages."""
CLOSEST_QUOTES: Final = 2
"""So many are shown where most likely none of them answers."""


class EvidenceExtractor:
    """Quotes from kept passages, or from what a search finds."""

    def __init__(
        self,
        corpus: Corpus,
        finder: Finder,
        artifacts: ResourceResolver,
        scratch: ScratchStore,
        reranker: SpanReranker,
        count: Callable[[str], int],
    ) -> None:
        self._corpus = corpus
        self._finder = finder
        self._artifacts = artifacts
        self._scratch = scratch
        self._reranker = reranker
        self._count = count

    async def extract(
        self,
        asking: Asking,
        question: str,
        passage_ids: Sequence[str],
        *,
        max_quotes: int,
        max_quote_tokens: int,
        include_context_tokens: int,
    ) -> Quotes:
        """The spans of these passages that hold most words of the question, the best of them by meaning first.

        Raises PassageExpiredError for a passage that is not his (any more), ScopeViolationError for one out of scope.
        """
        size = QuoteSizes(max_quotes, max_quote_tokens, include_context_tokens)
        return await asyncio.to_thread(self._extract, asking, question, passage_ids, size)

    async def retrieve(
        self,
        asking: Asking,
        question: str,
        *,
        top_k: int,
        max_quotes: int,
        max_quote_tokens: int,
        narrowing: Narrowing,
        mode: Mode,
    ) -> Quotes:
        """Search, and the stretches of at most `top_k` pages that most likely hold the answer, each once."""
        size = QuoteSizes(max_quotes, max_quote_tokens, AROUND_TOKENS)
        return await asyncio.to_thread(self._retrieve, asking, question, top_k, size, narrowing, mode)

    def _extract(self, asking: Asking, question: str, passage_ids: Sequence[str], sizes: QuoteSizes) -> Quotes:
        artifacts = [self._passage(asking, passage_id.strip()) for passage_id in dict.fromkeys(passage_ids)]
        for artifact in artifacts:
            check_in_scope(asking, artifact)
        quoting = Quoting(self._corpus, sizes, self._count)
        sources = [quoting.source(artifact.content, artifact.id, artifact.uri) for artifact in artifacts]
        ranked = rank_spans(question_terms(question), [source.passage for source in sources])
        rated = self._reranker.rerank(question, sources, ranked)
        quotes = _distinct(quoting.of_span(sources[each.passage], each) for each in rated)
        session = self._scratch.session(asking.owner, asking.session_id)
        best = quotes[: sizes.quotes]
        return Quotes(tuple(best), session, nothing_found=not best, searched=len(sources), mode=Mode.VECTOR_ONLY)

    def _passage(self, asking: Asking, passage_id: str) -> Artifact:
        try:
            return self._artifacts.find(asking.owner, passage_id, asking.session_id)
        except PassageExpiredError as error:
            # One of several: the caller must know which to leave out.
            raise PassageExpiredError(error.message, details={"passage_id": passage_id}) from error

    def _retrieve(
        self, asking: Asking, question: str, pages: int, sizes: QuoteSizes, narrowing: Narrowing, mode: Mode
    ) -> Quotes:
        session = self._scratch.session(asking.owner, asking.session_id)
        allowed = filter_for(self._scratch, asking.owner, asking.scope, narrowing)
        found = self._finder.find(question, allowed, mode)
        evidence = found.evidence
        quotes: list[Quote] = []
        if not evidence.is_hopeless:
            rated = merged(self._rated(reading, sizes.quote_tokens) for reading in found.readings)
            most = min(CLOSEST_QUOTES, sizes.quotes) if evidence.is_none else sizes.quotes
            passages = choose(
                rated,
                most=most,
                pages=pages,
                room=lambda region: room_of(region.item, sizes.quote_tokens + 2 * sizes.context_tokens),
            )
            quoting = Quoting(self._corpus, sizes, self._count)
            for passage in passages:
                source = quoting.page(passage.best.item.chunk)
                if source is None:
                    continue
                kept = self._scratch.put(asking.owner, session, source.content)
                share = passage.best.share * (1.0 if evidence.likelihood is None else evidence.likelihood)
                quote = quoting.of_passage(source.kept_as(kept.id, kept.uri), passage, share)
                quotes += [quote] if quote is not None else []
        return Quotes(
            quotes=tuple(quotes),
            session_id=session,
            nothing_found=evidence.is_none,
            likelihood=evidence.likelihood,
            searched=len(found.chunks),
            mode=found.mode,
            graph_disabled=found.graph_disabled,
            note=found.note,
        )

    def _rated(self, reading: Reading, tokens: int) -> list[Region]:
        ranked = distinct(reading.evidence.ranked, len(reading.evidence.ranked))
        return Regions.of(self._corpus, reading.analysis, reading.query, ranked).rated(tokens)


def _distinct(quotes: Iterable[Quote | None]) -> list[Quote]:
    """The quotes in their order, each text once."""
    first: dict[str, Quote] = {}
    for quote in quotes:
        if quote is not None and quote.quote:
            first.setdefault(" ".join(quote.quote.split()), quote)
    return list(first.values())
