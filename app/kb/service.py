"""The knowledge base: find, quote, read on, verify, in what is stored and without the network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from app import caps
from app.embed.embedder import Embedder
from app.errors import PassageExpiredError
from app.kb.access import ANYTHING, NamedTexts
from app.kb.evidence import AROUND_TOKENS, EvidenceExtractor, QuoteSizes, SpanReranker
from app.kb.excerpts import Excerpts
from app.kb.finder import Finder
from app.kb.records import Asking, Excerpt, Format, Mode, Quotes, SearchPage, SearchRequest, Verification
from app.kb.search import Searcher
from app.kb.verification import QuoteVerifier
from app.library.protocol import Library
from app.library.scope import Narrowing
from app.retrieval.candidates import EmbedWithin
from app.retrieval.records import Stages
from app.scratch.resources import Elsewhere
from app.scratch.store import ScratchStore
from app.text.terms import estimate_tokens


class KnowledgeBase:
    """Six questions to the corpus. All raise ScopeViolationError for what lies outside the scope of the asking."""

    def __init__(
        self,
        searching: Searcher,
        extracting: EvidenceExtractor,
        excerpts: Excerpts,
        verifier: QuoteVerifier,
        scratch: ScratchStore,
    ) -> None:
        self._searching = searching
        self._extracting = extracting
        self._excerpts = excerpts
        self._verifier = verifier
        self._scratch = scratch

    async def search(self, asking: Asking, request: SearchRequest) -> SearchPage:
        """Candidates, best first, whose texts are kept in the session. Raises InvalidArgumentError for a cursor of another search."""
        return await self._searching.search(self._in_session(asking), request)

    async def retrieve_evidence(
        self,
        asking: Asking,
        question: str,
        *,
        top_k: int = caps.DEFAULT_KB_RESULTS,
        max_quotes: int = caps.DEFAULT_QUOTES,
        max_quote_tokens: int = caps.DEFAULT_QUOTE_TOKENS,
        narrowing: Narrowing = ANYTHING,
        mode: Mode = Mode.AUTO,
    ) -> Quotes:
        """The quotes that answer, from the best passages of different pages."""
        asking, sizes = self._in_session(asking), QuoteSizes(max_quotes, max_quote_tokens, AROUND_TOKENS)
        return await asyncio.to_thread(self._extracting.retrieve, asking, question, top_k, sizes, narrowing, mode)

    async def extract_evidence(
        self,
        asking: Asking,
        question: str,
        passage_ids: Sequence[str],
        *,
        max_quotes: int = caps.DEFAULT_QUOTES,
        max_quote_tokens: int = caps.DEFAULT_QUOTE_TOKENS,
        include_context_tokens: int = caps.DEFAULT_CONTEXT_TOKENS,
    ) -> Quotes:
        """The quotes that answer, from these passages. Raises PassageExpiredError when one of them is gone."""
        sizes = QuoteSizes(max_quotes, max_quote_tokens, include_context_tokens)
        return await asyncio.to_thread(self._extracting.extract, asking, question, passage_ids, sizes)

    async def read_excerpt(
        self,
        asking: Asking,
        passage_id: str,
        *,
        max_tokens: int = caps.DEFAULT_EXCERPT_TOKENS,
        start_char: int = 0,
        format: Format = Format.TEXT,
    ) -> Excerpt:
        """A piece of a passage or page. Raises PassageExpiredError when it is gone."""
        return await asyncio.to_thread(
            self._excerpts.read, asking, passage_id, max_tokens=max_tokens, start_char=start_char, format=format
        )

    async def expand_excerpt(
        self,
        asking: Asking,
        passage_id: str,
        *,
        before_tokens: int = caps.DEFAULT_AROUND_TOKENS,
        after_tokens: int = caps.DEFAULT_AROUND_TOKENS,
        start_char: int | None = None,
    ) -> Excerpt:
        """What was read last of a passage, with the text of its page around it. Raises PassageExpiredError when it is gone."""
        return await asyncio.to_thread(
            self._excerpts.expand,
            asking,
            passage_id,
            before_tokens=before_tokens,
            after_tokens=after_tokens,
            start_char=start_char,
        )

    async def verify_quote(self, asking: Asking, text: str, uri: str | None = None) -> Verification:
        """Whether a text stands in a page, or in any. Raises InvalidArgumentError for a page that is not stored."""
        return await asyncio.to_thread(self._verifier.verify, asking, text, uri)

    def _in_session(self, asking: Asking) -> Asking:
        """In the session named, or the owner's current one where that is over: a search needs nothing of the old one."""
        try:
            return replace(asking, session_id=self._scratch.session(asking.owner, asking.session_id))
        except PassageExpiredError:
            return replace(asking, session_id=self._scratch.session(asking.owner))


def open_knowledge_base(
    corpus: Library,
    embedder: Embedder | None,
    stages: Stages,
    scratch: ScratchStore,
    count: Callable[[str], int],
    *,
    embed_within: EmbedWithin | None = None,
    has_graph: bool,
    elsewhere: Elsewhere | None = None,
) -> KnowledgeBase:
    """Over this corpus; `has_graph` is False where the graph is switched off, `elsewhere` finds pages of joined libraries.

    Quotes and excerpts count a token for every four bytes at least: counted either way they keep their limit.
    """

    def size_of(text: str) -> int:
        return max(count(text), estimate_tokens(text))

    named = NamedTexts(corpus, scratch, elsewhere)
    finder = Finder(corpus, embedder, stages, embed_within=embed_within, has_graph=has_graph)
    reranker = SpanReranker(corpus, embedder, embed_within)
    return KnowledgeBase(
        Searcher(corpus, finder, scratch, is_reranked=lambda: stages.rerank),
        EvidenceExtractor(corpus, finder, named, scratch, reranker, size_of),
        Excerpts(corpus, named, scratch, size_of),
        QuoteVerifier(corpus, named, scratch),
        scratch,
    )
