"""Citations: the sentences of each chunk that answer best, cut byte-exact from the stored document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from app import caps
from app.corpus.records import Chunk, Document
from app.retrieval.records import CitationSpan, QueryAnalysis, RetrievedChunk
from app.text.overlap import coverage
from app.text.spans import clip_span, sentence_spans
from app.text.terms import query_terms, words

BLOCK_SHARE: Final = 0.6
MIN_QUOTE_WORDS: Final = 3
MIN_QUOTE_BYTES: Final = 24
"""A sentence in a script without spaces counts as one word; so many bytes say that it is more."""


def cite(
    analysis: QueryAnalysis, ranked: Sequence[RetrievedChunk], documents: Mapping[int, Document], *, limit: int
) -> tuple[CitationSpan, ...]:
    """One quote for each of the `limit` best chunks that hold a sentence with a word of the question, best chunk first."""
    terms = query_terms(analysis.query)
    best = sorted(ranked, key=lambda item: -item.reranked_score)[:limit]
    spans = [_citation(terms, item.chunk, documents.get(item.chunk.document_id)) for item in best]
    return tuple(span for span in spans if span is not None)


def _citation(terms: Sequence[str], chunk: Chunk, document: Document | None) -> CitationSpan | None:
    if document is None or document.text[chunk.start : chunk.end] != _core(chunk):
        return None
    core = _core(chunk)
    rated = [(_merit(terms, core[span.start : span.end]), span.start - span.end, span) for span in sentence_spans(core)]
    candidates = [item for item in rated if item[0] > 0]
    if not candidates:
        return None
    best = max(candidates, key=lambda item: item[:2])[2]
    span = clip_span(core, best, caps.MAX_CITATION_CHARS)
    start, end = chunk.start + span.start, chunk.start + span.end
    section = chunk.section_path[-1] if chunk.section_path else ""
    return CitationSpan(
        chunk.id, chunk.document_id, document.text[start:end], start, end, chunk.url, chunk.title, section
    )


def _merit(terms: Sequence[str], sentence: str) -> float:
    """Words of the question the sentence holds; code and table rows quote badly, so prose is preferred; headings do not count."""
    if sentence.startswith("#") or (
        len(words(sentence)) < MIN_QUOTE_WORDS and len(sentence.encode()) < MIN_QUOTE_BYTES
    ):
        return 0.0
    share = coverage(terms, sentence)
    return share * BLOCK_SHARE if sentence.startswith(("```", "~~~", "|")) else share


def _core(chunk: Chunk) -> str:
    """The part of the chunk that stands in the document, without repeated header or re-opened fence."""
    return chunk.text[chunk.prefix_length : len(chunk.text) - chunk.suffix_length]
