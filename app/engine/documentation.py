"""The documentation tools, wired to the rooms below."""

from __future__ import annotations

from app.corpus import Corpus
from app.docsets.indexing import Source
from app.docsets.service import DocOptions, Docs
from app.embed.embedder import Embedder
from app.ingest.folders.scan import check_kept
from app.ingest.guide import guide_folder, guide_url
from app.retrieval.ranking.rerank import closeness
from app.settings import Settings


def open_docs(corpus: Corpus, embedder: Embedder | None, settings: Settings) -> Docs:
    """The pages of the guide and of all folders. Passages are compared with questions as `search` does."""
    options = DocOptions(
        results=settings.mcp_max_search_results, snippet_chars=settings.mcp_snippet_length, rebuild=settings.debug
    )
    guide = Source(guide_folder().resolve(), guide_url)
    return Docs(corpus, embedder, closeness, guide, check_kept, options)
