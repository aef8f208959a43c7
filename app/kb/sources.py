"""What is quoted from: passages with the text of the pages that they stand in, and spans of them with their merit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from app.corpus.records import Document
from app.scratch.passage import PassageIn
from app.text.markdown_blocks import Span


@dataclass(frozen=True, slots=True)
class RatedSpan:
    """A span of one of several passages, and how likely it answers, 0..1."""

    passage: int
    span: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class Source:
    """A passage that is quoted from.

    `ground` is the text of its page, and `offset` where the passage begins there; the passage itself where the page is gone, changed, or
    none at all, and `document` is None then.
    """

    content: PassageIn
    id: str
    uri: str
    ground: str
    offset: int
    document: Document | None

    @property
    def passage(self) -> str:
        return self.content.text

    def in_page(self, span: Span) -> Span | None:
        """A span of the passage by its place in the ground, without what the passage repeats around its stretch of the page."""
        start, end = span.start + self.offset, span.end + self.offset
        if self.document is not None:
            start, end = max(start, self.content.start), min(end, self.content.end)
        return Span(start, end) if start < end else None

    def kept_as(self, passage_id: str, uri: str) -> Self:
        """The same once it is kept."""
        return replace(self, id=passage_id, uri=uri)
