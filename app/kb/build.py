"""The knowledge base put together from the rooms below."""

from __future__ import annotations

from collections.abc import Callable

from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.kb.evidence import EvidenceExtractor
from app.kb.excerpts import Excerpts
from app.kb.finding import Finder
from app.kb.named import NamedTexts
from app.kb.reranking import SpanReranker
from app.kb.search import Searcher
from app.kb.service import KnowledgeBase
from app.kb.verifying import QuoteVerifier
from app.retrieval.records import Stages
from app.scratch.store import ScratchStore
from app.text.terms import estimate_tokens


def open_knowledge_base(
    corpus: Corpus,
    embedder: Embedder | None,
    stages: Stages,
    scratch: ScratchStore,
    count: Callable[[str], int],
    *,
    has_graph: bool,
) -> KnowledgeBase:
    """Over this corpus; `has_graph` is False where the graph is switched off.

    Quotes and excerpts count a token for every four bytes at least: counted either way they keep their limit.
    """

    def size_of(text: str) -> int:
        return max(count(text), estimate_tokens(text))

    named = NamedTexts(corpus, scratch)
    finder = Finder(corpus, embedder, stages, has_graph=has_graph)
    reranker = SpanReranker(corpus, embedder)
    return KnowledgeBase(
        Searcher(corpus, finder, scratch, is_reranked=lambda: stages.rerank),
        EvidenceExtractor(corpus, finder, named, scratch, reranker, size_of),
        Excerpts(corpus, named, scratch, size_of),
        QuoteVerifier(corpus, named, scratch),
        scratch,
    )
