"""The knowledge base: search, quote, read and verify stored texts, without the network."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from app.embed.embedder import Embedder
from app.errors import PassageExpiredError
from app.kb.access import NamedTexts
from app.kb.evidence import EvidenceExtractor, QuoteSizes, SpanReranker
from app.kb.excerpts import Excerpts
from app.kb.finder import Finder
from app.kb.records import Asking, Mode, Quotes, SearchPage, SearchRequest
from app.kb.search import Searcher
from app.kb.verification import QuoteVerifier
from app.library.protocol import Library
from app.library.scope import Narrowing
from app.retrieval.candidates import EmbedWithin
from app.retrieval.records import Stages
from app.retrieval.second_look import SecondLook
from app.scratch.resources import Elsewhere
from app.scratch.store import ScratchStore
from app.text.terms import estimate_tokens
from app.text.tokens import CountTokens


class KnowledgeBase:
    """Queries of the corpus. All raise ScopeViolationError for anything outside the scope of the call.

    `excerpts` and `verifier` are blocking: for worker threads. `has_graph` is False if the graph is turned off; `elsewhere` finds pages
    of joined libraries. Quotes and excerpts count at least one token per four bytes, so that they keep their limit with either count.
    """

    def __init__(
        self,
        corpus: Library,
        embedder: Embedder | None,
        stages: Stages,
        scratch: ScratchStore,
        count_tokens: CountTokens,
        *,
        embed_within: EmbedWithin | None = None,
        has_graph: bool,
        elsewhere: Elsewhere | None = None,
        second_look: SecondLook | None = None,
    ) -> None:
        def size_of(text: str) -> int:
            return max(count_tokens([text])[0], estimate_tokens(text))

        named = NamedTexts(corpus, scratch, elsewhere=elsewhere)
        finder = Finder(
            corpus, embedder, stages, embed_within=embed_within, has_graph=has_graph, second_look=second_look
        )
        reranker = SpanReranker(corpus, embedder, embed_within)
        self._scratch = scratch
        self._searching = Searcher(corpus, finder, scratch, is_reranked=lambda: stages.rerank)
        self._extracting = EvidenceExtractor(corpus, finder, named, scratch, reranker, size_of)
        self.excerpts = Excerpts(corpus, named, scratch, size_of)
        self.verifier = QuoteVerifier(corpus, named, scratch)

    async def search(self, asking: Asking, request: SearchRequest) -> SearchPage:
        """Return candidates, best first; save their texts in the session. Raises InvalidArgumentError for another search's cursor."""
        return await asyncio.to_thread(self._searching.search, self._in_session(asking), request)

    async def retrieve_evidence(
        self, asking: Asking, question: str, pages: int, sizes: QuoteSizes, narrowing: Narrowing, mode: Mode
    ) -> Quotes:
        """Return quotes that answer, from the best passages of at most `pages` pages."""
        asking = self._in_session(asking)
        return await asyncio.to_thread(self._extracting.retrieve, asking, question, pages, sizes, narrowing, mode)

    async def extract_evidence(
        self, asking: Asking, question: str, passage_ids: Sequence[str], sizes: QuoteSizes
    ) -> Quotes:
        """Return quotes that answer, from these passages. Raises PassageExpiredError if one has expired."""
        return await asyncio.to_thread(self._extracting.extract, asking, question, passage_ids, sizes)

    def _in_session(self, asking: Asking) -> Asking:
        """Use the named session, or the owner's current one if it has expired: a search does not need the old one."""
        try:
            return replace(asking, session_id=self._scratch.session(asking.owner, asking.session_id))
        except PassageExpiredError:
            return replace(asking, session_id=self._scratch.session(asking.owner))
