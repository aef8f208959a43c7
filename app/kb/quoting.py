"""Quotes cut from pages: exact, within their size, with their place, the heading above and the text around."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app import caps
from app.corpus import Corpus
from app.corpus.records import Chunk, Document
from app.kb.cutting import Size, end_of_piece, start_of_piece
from app.kb.markup import tells
from app.kb.passages import passage_of
from app.kb.records import Quote
from app.kb.regions import Passage
from app.kb.sources import RatedSpan, Source
from app.retrieval.passages import Documents
from app.scratch.passage import PassageIn

DIGITS: Final = 2


@dataclass(frozen=True, slots=True)
class QuoteSizes:
    """How many quotes, and how many tokens of each and of the text at either side of it."""

    quotes: int
    quote_tokens: int
    context_tokens: int


class Quoting:
    """Makes quotes for one question; each page is read once."""

    def __init__(self, corpus: Corpus, sizes: QuoteSizes, count: Callable[[str], int]) -> None:
        self._corpus = corpus
        self._documents = Documents(corpus)
        self._sizes = sizes
        self._count = count

    def source(self, content: PassageIn, passage_id: str, uri: str) -> Source:
        """A kept passage or page."""
        document = self._documents.get(content.document_id) if content.document_id is not None else None
        if document is not None and document.content_hash == content.document_hash:
            inner = document.text[content.start : content.end]
            head = content.text.find(inner)
            if head >= 0:
                return Source(content, passage_id, uri, document.text, content.start - head, document)
        return Source(content, passage_id, uri, content.text, 0, None)

    def page(self, chunk: Chunk) -> Source | None:
        """The page of a chunk, to be kept as a passage; None when it changed since it was searched."""
        document = self._documents.get(chunk.document_id)
        inner = chunk.text[chunk.prefix_length : len(chunk.text) - chunk.suffix_length]
        if document is None or document.text[chunk.start : chunk.end] != inner:
            return None
        content = passage_of(chunk, document.content_hash)
        return Source(content, "", "", document.text, chunk.start - chunk.prefix_length, document)

    def of_span(self, source: Source, rated: RatedSpan) -> Quote | None:
        """A span of the passage, with some text of its page around it; None where it is only markup or what the passage repeats."""
        span = source.in_page(rated.span)
        if span is None:
            return None
        start, end = span.start, self._cut(source.ground, span.start, span.end)
        if not tells(source.ground[start:end]):
            return None
        around = self._size(self._sizes.context_tokens)
        before = start_of_piece(source.ground, 0, start, around)
        after = end_of_piece(source.ground, end, len(source.ground), around)
        return self._quote(source, (start, end), (before, after), rated.confidence)

    def of_passage(self, source: Source, passage: Passage, confidence: float) -> Quote | None:
        """What most likely answers of a passage; the whole of it is the context. None where only markup is left of it."""
        best = passage.best
        end = self._cut(source.ground, best.start, best.end)
        if not tells(source.ground[best.start : end]):
            return None
        return self._quote(source, (best.start, end), (passage.start, passage.end), confidence)

    def _cut(self, text: str, start: int, end: int) -> int:
        end = end_of_piece(text, start, min(end, start + caps.MAX_QUOTE_CHARS), self._size(self._sizes.quote_tokens))
        while end > start and text[end - 1].isspace():
            end -= 1
        return end

    def _size(self, tokens: int) -> Size:
        return Size(tokens, self._count)

    def _quote(self, source: Source, place: tuple[int, int], around: tuple[int, int], confidence: float) -> Quote:
        content, document = source.content, source.document
        return Quote(
            quote=source.ground[slice(*place)],
            context=source.ground[slice(*around)].strip() if self._sizes.context_tokens else "",
            passage_id=source.id,
            section_id=content.section_id,
            title=content.title,
            heading=_heading(document, place[0]) if document is not None else "",
            uri=source.uri,
            url=content.source_uri,
            confidence=round(min(1.0, max(0.0, confidence)), DIGITS),
            document_hash=content.document_hash,
            start=place[0] if document is not None else 0,
            end=place[1] if document is not None else 0,
        )


def _heading(document: Document, place: int) -> str:
    above = bisect_right([section.start for section in document.sections], place) - 1
    return document.sections[above].heading if above >= 0 else ""
