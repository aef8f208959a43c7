"""Citations: what of the best passages answers best, cut byte-exact from the stored document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.corpus.records import Chunk, Document
from app.retrieval.analysis.specifics import specifics
from app.retrieval.passages.borders import line_end
from app.retrieval.quotes.quoting import quotables
from app.retrieval.records import CitationSpan, QueryAnalysis, RetrievedChunk, Want
from app.text.names import holds_name
from app.text.spans import Span
from app.text.terms import coverage, query_terms

CITED_PASSAGES: Final = 3
"""Quotes of passages further down repeat evidence that is seldom needed."""
AFTERTHOUGHT_SHARE: Final = 0.8
"""What a quote counts that announces or asks something, or is code where none was asked for."""
UNNAMED_SHARE: Final = 0.7
"""What a quote counts when none of the names and numbers of the question stand in its line: similar sentences tell of other things."""
WEAK_SHARE: Final = 0.6
"""Quotes below this share of the best one are left out."""

Rate = Callable[[RetrievedChunk, Sequence[Span]], Sequence[float]]
"""The merit from 0 to 1 of spans of a passage, given by their offsets in the document."""


@dataclass(frozen=True, slots=True)
class _Quote:
    passage: RetrievedChunk
    document: Document
    span: Span
    text: str
    merit: float


def cite(
    analysis: QueryAnalysis,
    ranked: Sequence[RetrievedChunk],
    documents: Mapping[int, Document],
    *,
    limit: int,
    rate: Rate | None = None,
) -> tuple[CitationSpan, ...]:
    """The `limit` best quotes of the best passages, best first; none twice.

    Without `rate` a quote is worth the share of the question's words that it holds.
    """
    best = sorted(ranked, key=lambda item: (-item.reranked_score, item.chunk.id))[:CITED_PASSAGES]
    judge = rate if rate is not None else _by_words(analysis, documents)
    rated = [quote for item in best for quote in _quotes(item, documents.get(item.chunk.document_id), judge, analysis)]
    rated.sort(key=lambda quote: (-quote.merit, quote.passage.chunk.id, quote.span.start))
    distinct = {" ".join(quote.text.split()): quote for quote in reversed(rated)}
    floor = WEAK_SHARE * rated[0].merit if rated else 0.0
    chosen = [quote for quote in rated if distinct[" ".join(quote.text.split())] is quote and quote.merit >= floor]
    return tuple(_citation(quote) for quote in chosen[:limit])


def _quotes(item: RetrievedChunk, document: Document | None, rate: Rate, analysis: QueryAnalysis) -> list[_Quote]:
    """What can be quoted of a passage and has any merit; nothing when the document changed meanwhile."""
    chunk = item.chunk
    inner_end = len(chunk.text) - chunk.suffix_length
    if document is None or document.text[chunk.start : chunk.end] != chunk.text[chunk.prefix_length : inner_end]:
        return []
    offset = chunk.start - chunk.prefix_length
    found = [
        each for each in quotables(chunk.text) if chunk.prefix_length <= each.span.start and each.span.end <= inner_end
    ]
    spans = [Span(each.span.start + offset, each.span.end + offset) for each in found]
    named = specifics(analysis)
    quotes = []
    for span, each, merit in zip(spans, found, rate(item, spans), strict=True):
        text = document.text[span.start : span.end]
        is_beside = text.endswith((":", "?", "？")) or (each.is_code and Want.CODE not in analysis.wants)
        share = (AFTERTHOUGHT_SHARE if is_beside else 1.0) * _named_share(named, _lines_of(document.text, span, chunk))
        if merit > 0 and not _cuts_word(document.text, span):
            quotes.append(_Quote(item, document, span, text, merit * share * item.reranked_score))
    return quotes


def _cuts_word(text: str, span: Span) -> bool:
    """Whether a border of the span is inside a word: a passage may begin or end in a word too long for one chunk."""
    return any(text[at - 1 : at].isalnum() and text[at : at + 1].isalnum() for at in (span.start, span.end))


def _named_share(names: Sequence[str], lines: str) -> float:
    held = sum(holds_name(lines, name) for name in names)
    return UNNAMED_SHARE + (1 - UNNAMED_SHARE) * held / len(names) if names else 1.0


def _lines_of(text: str, span: Span, chunk: Chunk) -> str:
    """The lines that a span stands in, as far as the chunk goes: its paragraph, entry or table row."""
    start = text.rfind("\n", chunk.start, span.start) + 1
    return text[max(start, chunk.start) : min(line_end(text, span.end), chunk.end)]


def _by_words(analysis: QueryAnalysis, documents: Mapping[int, Document]) -> Rate:
    terms = query_terms(analysis.query)

    def rate(item: RetrievedChunk, spans: Sequence[Span]) -> list[float]:
        text = documents[item.chunk.document_id].text
        return [coverage(terms, text[span.start : span.end]) for span in spans]

    return rate


def _citation(quote: _Quote) -> CitationSpan:
    chunk, span = quote.passage.chunk, quote.span
    section = _section(quote)
    return CitationSpan(chunk.id, chunk.document_id, quote.text, span.start, span.end, chunk.url, chunk.title, section)


def _section(quote: _Quote) -> str:
    """The heading above the quote: a passage may reach over several."""
    starts = [section.start for section in quote.document.sections]
    above = bisect_right(starts, quote.span.start) - 1
    if above >= 0:
        return quote.document.sections[above].heading
    path = quote.passage.chunk.section_path
    return path[-1] if path else ""
