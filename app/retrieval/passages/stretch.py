"""A stretch of a stored document on its way to become a passage."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from app.corpus.records import Chunk, Document
from app.retrieval.records import RetrievedChunk
from app.text.terms import estimate_tokens


@dataclass(frozen=True, slots=True)
class Stretch:
    """document.text[start:end] with what it needs around it, and the best of the chunks it holds.

    `tokens` are estimated from the bytes.
    """

    best: RetrievedChunk
    document: Document
    start: int
    end: int
    prefix: str
    suffix: str
    tokens: int
    members: tuple[Chunk, ...]
    is_cut: bool = False

    @classmethod
    def of(cls, item: RetrievedChunk, document: Document) -> Self | None:
        """The stretch of one chunk; None when the document has changed since the chunk was read."""
        chunk = item.chunk
        inner_end = len(chunk.text) - chunk.suffix_length
        if document.text[chunk.start : chunk.end] != chunk.text[chunk.prefix_length : inner_end]:
            return None
        prefix, suffix = chunk.text[: chunk.prefix_length], chunk.text[inner_end:]
        return cls(item, document, chunk.start, chunk.end, prefix, suffix, estimate_tokens(chunk.text), (chunk,))

    @property
    def text(self) -> str:
        """The text of the whole document."""
        return self.document.text

    def between(self, start: int, end: int, prefix: str, suffix: str) -> Self:
        """The same with other borders."""
        tokens = estimate_tokens(f"{prefix}{self.text[start:end]}{suffix}")
        return replace(self, start=start, end=end, prefix=prefix, suffix=suffix, tokens=tokens)

    def is_within(self, other: Stretch) -> bool:
        return self.document.id == other.document.id and other.start <= self.start and self.end <= other.end

    def gap(self, start: int, end: int) -> int:
        """Tokens between this stretch and another one of the document; 0 where they meet or overlap."""
        first, second = (self.end, start) if self.start <= start else (end, self.start)
        return estimate_tokens(self.text[first:second].strip()) if first < second else 0

    def touches(self, start: int, end: int) -> bool:
        """Whether nothing but white space is between this stretch and another one of the document."""
        first, second = (self.end, start) if self.start <= start else (end, self.start)
        return first >= second or self.text[first:second].isspace()

    def with_(self, other: Self) -> Self:
        """Both and all between them."""
        first = self if self.start <= other.start else other
        last = self if self.end >= other.end else other
        better = max(self.best, other.best, key=_merit)
        members = tuple(sorted((*self.members, *other.members), key=lambda chunk: (chunk.start, chunk.id)))
        return replace(self, best=better, members=members).between(first.start, last.end, first.prefix, last.suffix)

    def without(self, other: Self) -> Self | None:
        """This stretch without what the other one of the same document holds; None where nothing of it can stand alone.

        Only prose is repeated from chunk to chunk, so a cut inside code or a table does not come from a repetition.
        """
        if other.end <= self.start or self.end <= other.start:
            return self
        if other.start <= self.start:
            start = _first_visible(self.text, other.end, self.end)
            whole = other.suffix or start >= self.end
            return None if whole else replace(self.between(start, self.end, "", self.suffix), is_cut=True)
        end = _behind_last_visible(self.text, self.start, other.start)
        whole = other.prefix or end <= self.start or other.end < self.end
        return None if whole else replace(self.between(self.start, end, self.prefix, ""), is_cut=True)

    def as_retrieved(self) -> RetrievedChunk:
        """The stretch as an item of evidence under the id and with the scores of its best chunk."""
        chunk = replace(
            self.best.chunk,
            text=f"{self.prefix}{self.text[self.start : self.end]}{self.suffix}",
            start=self.start,
            end=self.end,
            prefix_length=len(self.prefix),
            suffix_length=len(self.suffix),
            tokens=self.tokens,
        )
        return replace(self.best, chunk=chunk, members=self.members)


def _merit(item: RetrievedChunk) -> tuple[float, bool, int]:
    return item.reranked_score, not item.is_locality_expanded, -item.chunk.id


def _first_visible(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def _behind_last_visible(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end
