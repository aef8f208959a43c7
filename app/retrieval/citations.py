"""Citations: the best quotes of the best passages, cut byte-exact from the stored document."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, Self

import numpy as np

from app.embed.embedder import QueryEmbedding
from app.library.protocol import Library
from app.library.records import Chunk, Document
from app.retrieval.analysis import specifics
from app.retrieval.candidates import seen_by
from app.retrieval.records import CitationSpan, QueryAnalysis, RetrievedChunk, SubQuery, Want
from app.retrieval.rerank import Bits, best_matches, token_range, word_share
from app.text.markdown_blocks import Span, line_end, sentence_spans
from app.text.terms import coverage, cuts_word, holds_name, query_terms, unique_texts, words

MAX_CITATION_CHARS: Final = 300
MIN_QUOTE_WORDS: Final = 3
MIN_QUOTE_BYTES: Final = 24  # A sentence without spaces is one word; its bytes show that it is more.
_FENCE: Final = re.compile(r"`{3,}|~{3,}")
_BEFORE: Final = re.compile(r"(?:[ \t]*>)*\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\s*")
_RULE: Final = re.compile(r"[\s|:-]*")
_MARKS: Final = ("`", "**", "~~")
CITED_PASSAGES: Final = 3  # Quotes of lower-ranked passages repeat evidence that is rarely needed.
AFTERTHOUGHT_SHARE: Final = 0.8  # Factor for a quote that only introduces, asks, or is unwanted code.
UNNAMED_SHARE: Final = 0.7  # Factor for a line without names and numbers of the question.
WORDLESS_SHARE: Final = 0.7  # The same for none of its words: vectors hardly tell Monday from Tuesday.
WEAK_SHARE: Final = 0.6  # Quotes below this share of the best one are omitted.
NOTHING_KNOWN: Final[Mapping[int, Bits]] = {}
Rate = Callable[[RetrievedChunk, Sequence[Span]], Sequence[float]]
"""Rates spans of a passage, given by their offsets in the document, from 0 to 1."""


def cite(
    analysis: QueryAnalysis,
    ranked: Sequence[RetrievedChunk],
    documents: Mapping[int, Document],
    *,
    limit: int,
    rate: Rate | None = None,
) -> tuple[CitationSpan, ...]:
    """Return the `limit` best quotes, without duplicates; `rate` or the share of the question's words orders them."""
    best = sorted(ranked, key=lambda item: (-item.reranked_score, item.chunk.id))[:CITED_PASSAGES]
    terms = query_terms(analysis.query)

    def by_words(item: RetrievedChunk, spans: Sequence[Span]) -> list[float]:
        text = documents[item.chunk.document_id].text
        return [coverage(terms, text[span.start : span.end], language=analysis.language) for span in spans]

    found = (_find_quotes(each, documents.get(each.chunk.document_id), rate or by_words, analysis) for each in best)
    rated = sorted(chain(*found), key=lambda pair: (-pair[0], pair[1].chunk_id, pair[1].start))
    floor = WEAK_SHARE * rated[0][0] if rated else 0.0
    distinct = unique_texts(rated, lambda pair: pair[1].verbatim_text, ignore_case=False)
    return tuple(quote for merit, quote in distinct if merit >= floor)[:limit]


@dataclass(frozen=True, slots=True)
class SentenceCloseness:
    """Rates spans by late interaction with their tokens."""

    queries: tuple[QueryEmbedding, ...]
    bits: Mapping[int, Bits]
    others: SentenceCloseness | None = None
    """For chunks that the second model compares."""

    @classmethod
    def of(
        cls,
        corpus: Library,
        queries: Sequence[SubQuery],
        passages: Sequence[RetrievedChunk],
        known: Mapping[int, Bits] = NOTHING_KNOWN,
        by_second: Collection[int] = (),
    ) -> SentenceCloseness | None:
        """Return the ratings for these passages, or None without token vectors. Chunks in `known` are not read again.

        The second model compared those in `by_second`, although the first one embedded the queries.
        """
        ids = [chunk.id for passage in passages for chunk in passage.members or (passage.chunk,)]
        apart = set(by_second).intersection(ids)
        own = cls._of(corpus, queries, [chunk_id for chunk_id in ids if chunk_id not in apart], known)
        if not apart:
            return own
        others = cls._of(corpus, [query.again() for query in queries if query.again is not None], sorted(apart), known)
        return replace(own, others=others) if own is not None else others

    @classmethod
    def _of(
        cls, corpus: Library, queries: Sequence[SubQuery], chunk_ids: Sequence[int], known: Mapping[int, Bits]
    ) -> Self | None:
        embedded = tuple(q.embedding for q in queries if q.embedding is not None and len(q.embedding.token_vectors))
        if not embedded:
            return None
        bits = {chunk_id: known[chunk_id] for chunk_id in chunk_ids if chunk_id in known}
        if unread := [chunk_id for chunk_id in chunk_ids if chunk_id not in bits]:
            read = seen_by(corpus, queries[0]).vectors.token_vectors(unread)
            bits |= {item.chunk_id: item.token_bits for item in read if len(item.token_bits)}
        return cls(embedded, bits) if bits else None

    def rate(self, passage: RetrievedChunk, spans: Sequence[Span]) -> list[float]:
        """Return the mean best match of the question's words in each span (offsets in the document). 0 if no chunk contains it."""
        if self.others is not None and passage.chunk.id in self.others.bits:
            return self.others.rate(passage, spans)
        found = [self._tokens(passage.members or (passage.chunk,), span) for span in spans]
        held = [tokens for tokens in found if tokens is not None]
        if not held:
            return [0.0] * len(spans)
        rated = np.max([best_matches(query.token_vectors, held) @ word_share(query) for query in self.queries], axis=0)
        values = iter(rated.tolist())
        return [max(0.0, next(values)) if tokens is not None else 0.0 for tokens in found]

    def _tokens(self, members: Sequence[Chunk], span: Span) -> Bits | None:
        """Return the token vectors of a span (as bits) from the chunk that contains most of it."""
        chunk = max(members, key=lambda member: min(span.end, member.end) - max(span.start, member.start))
        shared = min(span.end, chunk.end) - max(span.start, chunk.start)
        bits = self.bits.get(chunk.id)
        if bits is None or 2 * shared < span.end - span.start:
            return None
        offset = chunk.prefix_length - chunk.start
        first, last = token_range(bits, chunk, max(span.start, chunk.start) + offset, min(span.end, chunk.end) + offset)
        return bits[first:last]


def quotables(text: str) -> list[Quotable]:
    """Return the possible quotes in order: they cut no word and no text between paired marks, and contain no headings."""
    found: list[Quotable] = []
    for unit, is_code in _units(text):
        for span in _cut_to_size(text, unit, is_code=is_code):
            part = text[span.start : span.end]
            if part.startswith("#") or _RULE.fullmatch(part):
                continue
            if len(words(part)) >= MIN_QUOTE_WORDS or len(part.encode()) >= MIN_QUOTE_BYTES:
                found.append(Quotable(span, is_code))
    return found


@dataclass(frozen=True, slots=True)
class Quotable:
    """A span of at most MAX_CITATION_CHARS."""

    span: Span
    is_code: bool = False


def _units(text: str) -> Iterator[tuple[Span, bool]]:
    """Yield sentences, joined if a mark is open between them or they share a table row, and lines of code."""
    pending: Span | None = None
    for span in sentence_spans(text):
        if pending is not None:
            is_near = "\n" not in text[pending.end : span.start] and span.end - pending.start <= MAX_CITATION_CHARS
            if is_near and (text[pending.start] == "|" or not _is_balanced(text[pending.start : pending.end])):
                pending = Span(pending.start, span.end)
                continue
        if pending is not None:
            yield _without_item_mark(text, pending), False
        pending = None if _FENCE.match(text, span.start) else span
        if pending is None:
            yield from ((lines, True) for lines in _lines_of_code(text, span))
    if pending is not None:
        yield _without_item_mark(text, pending), False


def _without_item_mark(text: str, span: Span) -> Span:
    mark = _BEFORE.match(text, span.start, span.end)
    return Span(mark.end(), span.end) if mark else span


def _lines_of_code(text: str, fence: Span) -> Iterator[Span]:
    """Yield the lines inside a fence, as many together as fit into a quote."""
    part: Span | None = None
    start = fence.start
    for content in text[fence.start : fence.end].split("\n"):
        line = Span(start, start + len(content))
        start = line.end + 1
        if _FENCE.match(content.lstrip()) or not content.strip():
            continue
        if part is not None and line.end - part.start > MAX_CITATION_CHARS:
            yield part
            part = None
        part = Span(part.start if part is not None else line.start, line.end)
    if part is not None:
        yield part


def _cut_to_size(text: str, span: Span, *, is_code: bool) -> Iterator[Span]:
    """Yield the span, or its longest beginning of a quote's size that ends with a whole word and, in prose, leaves no mark open."""
    if span.end - span.start <= MAX_CITATION_CHARS:
        if is_code or _is_balanced(text[span.start : span.end]):
            yield span
        return
    head = text[span.start : span.start + MAX_CITATION_CHARS + 1]
    for space in reversed([found.start() for found in re.finditer(r"\s", head)]):
        if is_code or _is_balanced(head[:space]):
            yield Span(span.start, span.start + len(head[:space].rstrip()))
            return


def _is_balanced(text: str) -> bool:
    return all(text.count(mark) % 2 == 0 for mark in _MARKS)


def _find_quotes(
    item: RetrievedChunk, document: Document | None, rate: Rate, analysis: QueryAnalysis
) -> list[tuple[float, CitationSpan]]:
    """Return the useful quotes of a passage with their merits, or none if the document has changed."""
    chunk = item.chunk
    inner_end = len(chunk.text) - chunk.suffix_length
    if document is None or document.text[chunk.start : chunk.end] != chunk.text[chunk.prefix_length : inner_end]:
        return []
    offset = chunk.start - chunk.prefix_length
    found = [
        each for each in quotables(chunk.text) if chunk.prefix_length <= each.span.start and each.span.end <= inner_end
    ]
    spans = [Span(each.span.start + offset, each.span.end + offset) for each in found]
    named, terms = specifics(analysis), query_terms(analysis.query)
    starts = [section.start for section in document.sections]
    quotes = []
    for span, each, merit in zip(spans, found, rate(item, spans), strict=True):
        text = document.text[span.start : span.end]
        is_beside = text.endswith((":", "?", "？")) or (each.is_code and Want.CODE not in analysis.wants)
        share = AFTERTHOUGHT_SHARE if is_beside else 1.0
        if named:
            # The paragraph, entry or table row with the quote, within the chunk.
            start = document.text.rfind("\n", chunk.start, span.start) + 1
            lines = document.text[max(start, chunk.start) : min(line_end(document.text, span.end), chunk.end)]
            held = sum(holds_name(lines, name) for name in named)
            share *= UNNAMED_SHARE + (1 - UNNAMED_SHARE) * held / len(named)
        share *= WORDLESS_SHARE + (1 - WORDLESS_SHARE) * coverage(terms, text, language=analysis.language)
        if merit > 0 and not any(cuts_word(document.text, place) for place in (span.start, span.end)):
            section = chunk.section_path[-1] if chunk.section_path else ""
            # The heading above the quote is better than the passage's heading, which may cover several sections.
            above = bisect_right(starts, span.start) - 1
            if above >= 0:
                section = document.sections[above].heading
            where = (chunk.id, chunk.document_id, text, span.start, span.end, chunk.url, chunk.title, section)
            quotes.append((merit * share * item.reranked_score, CitationSpan(*where)))
    return quotes
