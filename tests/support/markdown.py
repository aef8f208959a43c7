"""Markdown pages in a corpus through real extraction and chunking, for tests of higher layers."""

from __future__ import annotations

from pathlib import Path

from app.corpus import Corpus
from app.ingest.prepared import Body, document_of, prepare_here
from app.library.records import Chunk, Document
from app.retrieval.records import RetrievedChunk
from app.text.tokens import ChunkingLimits, token_counter


def store_markdown(
    corpus: Corpus, url: str, markdown: str, *, chunk_tokens: int = 60, tokenizer: Path | None = None
) -> Document:
    """Store a page with small chunks. Tokens are estimated without `tokenizer`. Raises EmptyPageError for a page without text."""
    limits = ChunkingLimits(chunk_tokens, token_counter(tokenizer))
    prepared = prepare_here(Body(markdown.encode(), url, "text/markdown", "utf-8"), limits)
    stored = corpus.documents.store(document_of(prepared, kind="web", crawled=1.0))
    document = corpus.documents.by_id(stored.document_id)
    assert document is not None
    return document


def chunks_of(corpus: Corpus, document: Document) -> list[Chunk]:
    return corpus.chunks.of_document(document.id, limit=10_000)


def ranked_by(chunks: list[Chunk], *words: str) -> list[RetrievedChunk]:
    """Return the chunks by the number of these words, as from a search."""
    scored = [(sum(word in chunk.text for word in words) / max(1, len(words)), chunk) for chunk in chunks]
    items = [RetrievedChunk(chunk, score, 0.2 + 0.6 * score) for score, chunk in scored]
    return sorted(items, key=lambda item: (-item.reranked_score, item.chunk.id))
